//! The search for devices, call by call, forward and back.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Answer, Family, PodView, Query, SearchEntry, SearchState, SearchTree,
};
use yew::{
    Callback, Html, InputEvent, KeyboardEvent, Properties, TargetCast, classes, component, html,
    use_effect_with, use_state,
};

use super::export::PanelHead;
use crate::components::{Sentence, badge, icon};
use crate::derive::format;
use crate::hooks::{use_state_handle, use_words, use_worker};
use crate::words::{Words, fill};

/// Entries that are drawn before and behind the current one.
const AROUND: usize = 9;

/// Properties of [`Search`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct SearchProps {
    /// The Pod.
    pub(crate) pod: Rc<PodView>,
    /// The node whose verdicts are shown; empty for the most telling one.
    pub(crate) node: String,
}

/// A button to fetch the search; then its entries, with how things stand after each.
#[component]
pub(crate) fn Search(props: &SearchProps) -> Html {
    let words = use_words();
    let worker = use_worker();
    let tree = use_state(|| None::<Rc<SearchTree>>);
    let at = use_state(|| 0_usize);
    let state = use_state_handle();
    let answered = state.as_ref().map_or(0, |state| state.answered);
    {
        let tree = tree.clone();
        let key = (answered, props.pod.object.clone(), props.node.clone());
        use_effect_with(key, move |_| tree.set(None));
    }
    if props.pod.node_verdicts.iter().all(|node| node.search_calls.is_none()) {
        return Html::default();
    }
    let Some(found) = (*tree).clone() else {
        let ask = {
            let query = Query::Search { pod: props.pod.object.clone(), node: props.node.clone() };
            Callback::from(move |_| {
                let Some(worker) = &worker else { return };
                let (tree, at) = (tree.clone(), at.clone());
                let done = Callback::from(move |answer| {
                    if let Answer::Search(found) = answer {
                        at.set(found.deepest);
                        tree.set(Some(Rc::new(found)));
                    }
                });
                worker.query(query.clone(), done);
            })
        };
        return html! {
            <section class="full" id="search">
                <div class="h"><h2>{words.search}</h2><p>{words.search_how}</p></div>
                <button type="button" class="btn ghost" id="show-search" onclick={ask}>{words.show_search}</button>
            </section>
        };
    };
    let last = found.entries.len().saturating_sub(1);
    let here = (*at).min(last);
    let go = Callback::from(move |to: usize| at.set(to.min(last)));
    html! {
        <section class="full" id="search">
            <PanelHead id="search" title={words.search} how={summary(words, &found)} />
            {controls(words, &found, here, &go)}
            {current(&found, here)}
            <div class="search">
                {entries(words, &found, here, &go)}
                {standing(words, &found, here)}
            </div>
        </section>
    }
}

fn summary(words: &'static Words, tree: &SearchTree) -> String {
    let mut text = fill(words.search_of, &[&tree.node, &number(tree.calls), &tree.entries.len()]);
    if tree.left_out > 0 {
        text.push(' ');
        text.push_str(&fill(words.search_left_out, &[&number(tree.left_out)]));
    }
    text
}

fn number(count: u64) -> String {
    format::count(usize::try_from(count).unwrap_or(usize::MAX))
}

/// First, back, on, last, the deepest point, and a slider over all entries.
fn controls(words: &'static Words, tree: &SearchTree, here: usize, go: &Callback<usize>) -> Html {
    let last = tree.entries.len().saturating_sub(1);
    let button = |name: &'static str, face: Html, to: usize, off: bool, id: &'static str| {
        let go = go.clone();
        let onclick = Callback::from(move |_| go.emit(to));
        html! { <button type="button" class="ctl" aria-label={name} title={name} disabled={off} {id} {onclick}>{face}</button> }
    };
    let slide = {
        let go = go.clone();
        Callback::from(move |event: InputEvent| {
            let input = event.target_dyn_into::<web_sys::HtmlInputElement>();
            if let Some(to) = input.and_then(|input| input.value().parse().ok()) {
                go.emit(to);
            }
        })
    };
    let deepest = html! { {words.search_deepest} };
    html! {
        <div class="ctls search-c" role="group" aria-label={words.search}>
            {button(words.search_back, icon("i-prev"), here.saturating_sub(1), here == 0, "search-back")}
            {button(words.search_on, icon("i-next"), here + 1, here >= last, "search-on")}
            {button(words.search_deepest, deepest, tree.deepest, here == tree.deepest, "search-deepest")}
            <input type="range" min="0" max={last.to_string()} value={here.to_string()} oninput={slide}
                aria-label={words.search_entry} aria-valuetext={fill(words.search_at, &[&(here + 1), &(last + 1)])} />
            <span class="mute nw" id="search-at">{fill(words.search_at, &[&(here + 1), &(last + 1)])}</span>
        </div>
    }
}

/// The current entry as a sentence; announced.
fn current(tree: &SearchTree, here: usize) -> Html {
    let Some(entry) = tree.entries.get(here) else { return Html::default() };
    html! {
        <p class="prose" id="search-now" role="status">{badge(family(&entry.kind), "")}{" "}
            <Sentence phrase={Rc::new(entry.text.clone())} /></p>
    }
}

/// The entries around the current one, indented by the calls that are open.
fn entries(words: &'static Words, tree: &SearchTree, here: usize, go: &Callback<usize>) -> Html {
    let from = here.saturating_sub(AROUND);
    let to = (here + AROUND + 1).min(tree.entries.len());
    let base = tree.entries.get(from..to).unwrap_or_default().iter().map(|it| it.depth).min();
    let base = base.unwrap_or_default();
    let onkeydown = {
        let go = go.clone();
        let last = tree.entries.len().saturating_sub(1);
        let deepest = tree.deepest;
        Callback::from(move |event: KeyboardEvent| {
            let to = match event.key().as_str() {
                "ArrowUp" | "ArrowLeft" => here.saturating_sub(1),
                "ArrowDown" | "ArrowRight" => (here + 1).min(last),
                "Home" => 0,
                "End" => last,
                "d" => deepest,
                _ => return,
            };
            event.prevent_default();
            go.emit(to);
        })
    };
    let line = |(index, entry): (usize, &SearchEntry)| {
        let go = go.clone();
        let onclick = Callback::from(move |_: yew::MouseEvent| go.emit(index));
        let indent = entry.depth.saturating_sub(base).min(12);
        let class = classes!("se", (index == here).then_some("cur"));
        html! {
            <li key={index} {class} style={format!("--in:{indent}")} aria-current={(index == here).then_some("step")} data-kind={entry.kind.clone()} {onclick}>
                {badge(family(&entry.kind), "")}
                <span class="se-t">{crate::derive::places::plain(&entry.text)}</span>
            </li>
        }
    };
    let shown = tree.entries.iter().enumerate().skip(from).take(to - from);
    html! {
        <ol class="search-l" tabindex="0" aria-label={words.search_entries} id="search-entries" {onkeydown}>
            { for shown.map(line) }
        </ol>
    }
}

/// How things stand after the current entry.
fn standing(words: &'static Words, tree: &SearchTree, here: usize) -> Html {
    let nothing = SearchState::default();
    let state = tree.entries.get(here).and_then(|entry| tree.states.get(entry.state));
    let state = state.unwrap_or(&nothing);
    let list = |title: &'static str, lines: Vec<Html>| {
        html! {
            <div><h3>{title}</h3>
                if lines.is_empty() { <p class="mute">{words.none}</p> } else { <ul>{ for lines.into_iter().map(|line| html! { <li>{line}</li> }) }</ul> }
            </div>
        }
    };
    let plain =
        |lines: &[String]| lines.iter().map(|it| html! { <code>{it.clone()}</code> }).collect();
    let taken = state.taken.iter();
    html! {
        <div class="search-s" id="search-state">
            {list(words.search_taken, taken.map(|it| html! { <Sentence phrase={Rc::new(it.clone())} /> }).collect())}
            if !state.left.is_empty() { {list(words.search_left, plain(&state.left))} }
            {list(words.search_constraints, plain(&state.constraints))}
        </div>
    }
}

fn family(kind: &str) -> Family {
    match kind {
        "take" | "found" | "choose" => Family::Fit,
        "skip" | "fail" | "too-many" => Family::Rule,
        "undo" => Family::Held,
        _ => Family::None,
    }
}
