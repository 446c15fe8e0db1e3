//! What the rack has no room for: other pools, and other cards of a large pool.

use dra_playground_core::workspace::report::Snapshot;
use yew::{Callback, Html, InputEvent, MouseEvent, component, html, use_state};

use super::bench::choose;
use super::figures::{CardProps, percent};
use crate::components::icon;
use crate::derive::racks::{self, MOST, Rack};
use crate::derive::{format, sketch};
use crate::hooks::{use_state_handle, use_words};
use crate::platform::dom;
use crate::state::StateHandle;
use crate::words::{Words, fill};

/// Most pools that are offered at once; the others are found by name.
const MOST_OFFERED: usize = 48;

/// A choice of pools, made once it is opened.
#[component]
pub(super) fn Pools(props: &CardProps) -> Html {
    let words = use_words();
    let open = use_state(|| false);
    let wanted = use_state(String::new);
    let Some(state) = use_state_handle() else { return Html::default() };
    let snapshot = &props.analysis.snapshot;
    let all = racks::all(snapshot);
    let counts = [all.len(), snapshot.cards.len()].map(format::count);
    let toggle = {
        let open = open.clone();
        Callback::from(move |event: MouseEvent| {
            event.prevent_default();
            open.set(!*open);
        })
    };
    let oninput = {
        let wanted = wanted.clone();
        Callback::from(move |event: InputEvent| wanted.set(dom::value_of_input(&event)))
    };
    let found = |(first, _): &&Rack<'_>| {
        first.pool.contains(wanted.trim()) || first.driver.contains(wanted.trim())
    };
    let content = || {
        let found: Vec<&Rack<'_>> = all.iter().filter(found).collect();
        let more = found.len().saturating_sub(MOST_OFFERED);
        html! {
            <>
                <label class="find">{icon("i-find")}<span class="vh">{words.find_pool}</span>
                    <input id="pool-filter" type="search" placeholder={words.find_pool} value={(*wanted).clone()} {oninput} /></label>
                <div class="slots pools" role="group" aria-label={words.pools}>
                    { for found.iter().take(MOST_OFFERED).map(|it| tile(&state, words, snapshot, it, props.card)) }
                </div>
                if more > 0 { <p class="mute">{fill(words.more, &[&format::count(more)])}</p> }
                if found.is_empty() { <p class="mute">{words.nothing_passes}</p> }
            </>
        }
    };
    html! {
        <details class="other-pools" id="other-pools" open={*open}>
            <summary onclick={toggle}><span class="tri" />{fill(words.pools_elsewhere, &[&counts[0], &counts[1]])}</summary>
            if *open { {content()} }
        </details>
    }
}

/// A pool, and how much of it is held.
fn tile(
    state: &StateHandle,
    words: &'static Words,
    snapshot: &Snapshot,
    (first, cards): &Rack<'_>,
    selected: Option<usize>,
) -> Html {
    let here = cards.iter().filter_map(|at| snapshot.cards.get(*at));
    let held: f64 = here.map(|card| sketch::held(snapshot, card)).sum();
    let total = f64::from(u32::try_from(cards.len().max(1)).unwrap_or(u32::MAX));
    let pressed = selected.is_some_and(|at| cards.contains(&at));
    let onclick = choose(state, snapshot, cards.first().copied().unwrap_or_default());
    html! {
        <button type="button" class={if pressed { "slot sel" } else { "slot" }} aria-pressed={pressed.to_string()} {onclick}>
            <svg class="slot-p" aria-hidden="true"><rect class="held" x="0" y="0" width={percent(held / total)} height="22" /></svg>
            <span class="m">{first.pool.clone()}</span>
            <small>{fill(words.cards_n, &[&format::count(cards.len())])}</small>
            <small class="m">{first.driver.clone()}</small>
        </button>
    }
}

/// Which cards of a large pool are drawn, and the way to the others.
pub(super) fn turn(
    state: &StateHandle,
    words: &'static Words,
    snapshot: &Snapshot,
    cards: &[usize],
    selected: usize,
) -> Html {
    let drawn = racks::shown(cards, selected);
    if drawn.len() == cards.len() {
        return Html::default();
    }
    let from = cards.iter().position(|it| Some(it) == drawn.first()).unwrap_or(0);
    let range = [from + 1, from + drawn.len(), cards.len()].map(format::count);
    let control = |name: &'static str, mark: &'static str, to: Option<usize>| {
        let to = to.and_then(|at| cards.get(at));
        let onclick = to.map(|at| choose(state, snapshot, *at));
        html! { <button type="button" class="ctl sq" aria-label={name} title={name} disabled={to.is_none()} {onclick}>{icon(mark)}</button> }
    };
    html! {
        <p class="ctls turn">
            {control(words.cards_before, "i-prev", from.checked_sub(MOST))}
            {control(words.cards_after, "i-next", Some(from + MOST))}
            <span class="mute">{fill(words.cards_range, &[&range[0], &range[1], &range[2]])}</span>
        </p>
    }
}
