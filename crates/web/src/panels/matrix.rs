//! Every device, every request: the first rule that refused it.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Analysis, Family, RequestVerdicts, Snapshot, Thing, VerdictGroup,
};
use yew::{AttrValue, Callback, Html, InputEvent, classes, component, html};

use super::export::PanelHead;
use super::sieve::RequestProps;
use crate::components::{Mark, PageLink, Sentence, badge, icon, silhouette, silhouette_class};
use crate::derive::format;
use crate::derive::matrix::{self, Chip, Row};
use crate::derive::names::Names;
use crate::hooks::{use_state_handle, use_words};
use crate::platform::dom;
use crate::state::{Action, StateHandle};
use crate::words::{Words, fill};

/// Most columns that are shown side by side.
const MOST_COLUMNS: usize = 4;
/// Most rows.
const MOST_ROWS: usize = 80;
/// Most devices listed in an opened row.
const MOST_NAMES: usize = 90;

/// The requests shown: those of the selected Pod, and of the others while there is room.
fn columns<'a>(
    analysis: &'a Analysis,
    current: &RequestVerdicts,
    all: bool,
) -> (Vec<&'a RequestVerdicts>, bool) {
    let verdicts = &analysis.snapshot.verdicts;
    let same_node = |it: &&RequestVerdicts| it.node == current.node;
    let here: Vec<&RequestVerdicts> = verdicts.iter().filter(same_node).collect();
    let own: Vec<&RequestVerdicts> = here
        .iter()
        .copied()
        .filter(|it| it.pod == current.pod && it.claim.namespace == current.claim.namespace)
        .collect();
    let crowded = here.len() > MOST_COLUMNS;
    if all || !crowded { (here, crowded) } else { (own, crowded) }
}

/// The matrix.
#[component]
pub(crate) fn Matrix(props: &RequestProps) -> Html {
    let words = use_words();
    let Some((state, current)) = use_state_handle().zip(props.verdicts()) else {
        return Html::default();
    };
    let snapshot = &props.analysis.snapshot;
    let (columns, crowded) = columns(&props.analysis, current, state.all_requests);
    let rows = matrix::rows(snapshot, &columns);
    let passing: Vec<Row> = rows
        .iter()
        .filter_map(|row| matrix::narrowed(snapshot, &columns, row, &state.code, &state.filter))
        .collect();
    let on = (snapshot.nodes.len() > 1).then(|| format!(", {}", current.node));
    let names = Names::asked(snapshot, &columns);
    let hidden = passing.len().saturating_sub(MOST_ROWS);
    html! {
        <section class="full" id="matrix">
            <PanelHead id="matrix" title={words.matrix} how={words.matrix_how} />
            {tools(&state, words, &matrix::chips(&columns), crowded)}
            <div class="scroll" tabindex="0" role="group" aria-label={words.matrix}>
            <table class="tb mx">
                <caption class="vh">{words.matrix}</caption>
                <thead><tr>
                    <th scope="col">{words.device}</th>
                    { for columns.iter().map(|it| html! {
                        <th scope="col">{owner(it)}{" · "}{it.request.clone()}<small>{format::claim_at_step(words, &props.analysis, &it.claim.name, it.step)}{on.clone()}</small></th>
                    }) }
                </tr></thead>
                <tbody>{ for passing.iter().take(MOST_ROWS).map(|row| row_of(words, &names, snapshot, &columns, row)) }</tbody>
            </table>
            </div>
            if passing.is_empty() { <p class="mute pad">{words.nothing_passes}</p> }
            if hidden > 0 { <p class="mute pad">{fill(words.more, &[&format::count(hidden)])}</p> }
            {legend(words)}
        </section>
    }
}

fn owner(verdicts: &RequestVerdicts) -> String {
    verdicts.pod.as_ref().unwrap_or(&verdicts.claim).name.clone()
}

fn tools(state: &StateHandle, words: &'static Words, chips: &[Chip], crowded: bool) -> Html {
    let oninput = {
        let state = state.clone();
        Callback::from(move |event: InputEvent| {
            state.dispatch(Action::Filter(dom::value_of_input(&event)));
        })
    };
    let total: usize = chips.iter().map(|chip| chip.count).sum();
    let choose = |code: AttrValue| {
        let state = state.clone();
        Callback::from(move |_| state.dispatch(Action::Code(code.clone())))
    };
    let all = {
        let state = state.clone();
        let next = !state.all_requests;
        Callback::from(move |_| state.dispatch(Action::AllRequests(next)))
    };
    html! {
        <div class="tools">
            <label class="find">{icon("i-find")}<span class="vh">{words.filter_devices}</span>
                <input id="matrix-filter" type="search" placeholder={words.filter_devices} value={state.filter.clone()} {oninput} /></label>
            <div class="chips" role="group" aria-label={words.filter_by_verdict}>
                <button type="button" aria-pressed={state.code.is_empty().to_string()} onclick={choose(AttrValue::default())}>
                    {fill(words.all_n, &[&format::count(total)])}</button>
                { for chips.iter().map(|chip| html! {
                    <button type="button" aria-pressed={(state.code == chip.code).to_string()} data-code={chip.code.clone()}
                        onclick={choose(chip.code.clone().into())}>
                        <span class={classes!("v", silhouette_class(chip.family))}><svg aria-hidden="true"><use href={silhouette(chip.family)} /></svg></span>
                        {format!("{} {}", chip.label, format::count(chip.count))}
                    </button>
                }) }
                if crowded {
                    <button type="button" aria-pressed={state.all_requests.to_string()} onclick={all}>{words.all_requests}</button>
                }
            </div>
        </div>
    }
}

fn row_of(
    words: &'static Words,
    names: &Names<'_>,
    snapshot: &Snapshot,
    columns: &[&RequestVerdicts],
    row: &Row,
) -> Html {
    let (name, cards) = names.devices(words, &row.devices);
    let single = match row.devices.as_slice() {
        [only] => snapshot.devices.get(*only),
        _ => None,
    };
    let thing = single.map(|device| Rc::new(Thing::Device(device.device.clone())));
    let range = single.and_then(|device| device.range);
    let count = row.devices.len();
    let head = match (single, cards) {
        (Some(_), _) => html! { <code>{name}</code> },
        (None, Some(cards)) => opened(
            words,
            names,
            row,
            name,
            fill(words.devices_cards, &[&format::count(count), &format::count(cards)]),
        ),
        (None, None) => {
            opened(words, names, row, name, fill(words.devices_n, &[&format::count(count)]))
        }
    };
    html! {
        <Mark tag="tr" {thing} {range}>
            <td>{head}</td>
            { for columns.iter().zip(&row.groups).map(|(verdicts, group)| {
                let group = group.and_then(|at| verdicts.groups.get(at));
                html! { <td data-l={owner(verdicts)} data-code={group.map(|it| it.code.clone())}>{ group.map(cell) }</td> }
            }) }
        </Mark>
    }
}

fn opened(words: &'static Words, names: &Names<'_>, row: &Row, name: String, size: String) -> Html {
    let more = row.devices.len().saturating_sub(MOST_NAMES);
    html! {
        <details class="alike">
            <summary><span class="tri" /><b>{name}</b>{" "}<span class="mute nw">{size}</span></summary>
            <ul class="dl" tabindex="0">
                { for row.devices.iter().take(MOST_NAMES).map(|at| html! { <li><code>{names.device(*at)}</code></li> }) }
                if more > 0 { <li>{fill(words.more, &[&format::count(more)])}</li> }
            </ul>
        </details>
    }
}

fn cell(group: &VerdictGroup) -> Html {
    html! {
        <>
            <PageLink folder="reasons" code={group.code.clone()}>{badge(group.family, &group.label)}</PageLink>
            if !group.detail.0.is_empty() {
                <span class="why"><Sentence phrase={Rc::new(group.detail.clone())} /></span>
            }
        </>
    }
}

fn legend(words: &'static Words) -> Html {
    let entries = [
        (Family::Fit, words.family_fit),
        (Family::Quantity, words.family_quantity),
        (Family::Held, words.family_held),
        (Family::Rule, words.family_rule),
        (Family::Fault, words.family_fault),
        (Family::None, words.family_none),
    ];
    html! { <div class="legend">{ for entries.into_iter().map(|(family, text)| badge(family, text)) }</div> }
}
