//! The answer, in reading order.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Analysis, Phrase, PodView, RequestVerdicts, Thing};
use yew::{Callback, Html, Properties, classes, component, html};

use super::bench::Bench;
use super::claims::Claims;
use super::compare::Compare;
use super::docket::Docket;
use super::empty::Empty;
use super::figures::{CardProps, Figures};
use super::findings::{Diagnostics, Expectations, Remarks};
use super::inventory::InventoryPanel;
use super::lede::{Lede, sentences};
use super::ledgers::Balances;
use super::matrix::Matrix;
use super::notice::Notice;
use super::search::Search;
use super::selectors::Selectors;
use super::sieve::{RequestProps, Sieve};
use super::timeline::Timeline;
use crate::derive::places::{self, Reference};
use crate::hooks::{use_state_handle, use_typing_state, use_words};
use crate::state::{Action, AppState, Menu, Pane, Report, Work};
use crate::words::Words;

/// Properties of [`AnswerPanel`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct AnswerProps {
    /// Sentences of the selected Pod and their references.
    pub(crate) told: Rc<Told>,
}

/// What is told of the selected Pod.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    /// The Pod.
    pub(crate) pod: Option<Rc<PodView>>,
    /// Its sentences.
    pub(crate) sentences: Rc<[Phrase; 2]>,
    /// Their references.
    pub(crate) references: Rc<[Reference]>,
    /// Index of the request in question among the snapshot's verdicts.
    pub(crate) request: Option<usize>,
    /// Index of the card in question.
    pub(crate) card: Option<usize>,
}

/// Works out what is told.
pub(crate) fn told(words: &'static Words, state: &AppState) -> Told {
    let analysis = state.shown();
    let pod = analysis.and_then(|it| state.selected_pod(it));
    let sentences = match analysis.zip(pod) {
        Some((analysis, pod)) => sentences(words, analysis, pod),
        None => [Phrase::default(), Phrase::default()],
    };
    let references = match analysis {
        Some(analysis) => {
            places::references(analysis, &[&sentences[0], &sentences[1]], pod.map(|it| &it.object))
        }
        None => Rc::from([]),
    };
    let verdicts = analysis.and_then(|it| state.selected_verdicts(it));
    let request = analysis.zip(verdicts).and_then(|(analysis, wanted)| {
        analysis.snapshot.verdicts.iter().position(|it| std::ptr::eq(it, wanted))
    });
    Told {
        pod: pod.cloned().map(Rc::new),
        sentences: Rc::new(sentences),
        references,
        request,
        card: analysis.and_then(|it| card_in_question(state, it, verdicts)),
    }
}

/// The card of the device that the reader chose, else that of the chosen device, else of the last refused one.
fn card_in_question(
    state: &AppState,
    analysis: &Analysis,
    verdicts: Option<&RequestVerdicts>,
) -> Option<usize> {
    let cards = &analysis.snapshot.cards;
    let of_device = |device: usize| cards.iter().position(|card| card.devices.contains(&device));
    let chosen = || {
        let group = verdicts?.groups.iter().find(|group| group.code == "chosen")?;
        of_device(*group.devices.first()?)
    };
    let furthest = || {
        let verdicts = verdicts?;
        let row = verdicts.sieve.iter().rev().find(|row| !row.removed.is_empty())?;
        of_device(*verdicts.groups.get(*row.removed.first()?)?.devices.first()?)
    };
    let lit = || {
        let Some(Thing::Device(key)) = &state.lit else { return None };
        of_device(analysis.snapshot.devices.iter().position(|it| it.device == *key)?)
    };
    lit().or_else(chosen).or_else(furthest).or((!cards.is_empty()).then_some(0))
}

/// The pane of the answer.
#[component]
pub(crate) fn AnswerPanel(props: &AnswerProps) -> Html {
    let words = use_words();
    let Some(state) = use_typing_state() else { return Html::default() };
    let here = state.pane == Pane::Answer;
    let analysis = state.shown().cloned();
    let stale = state.is_stale();
    let empty = state.is_empty();
    let class = classes!("pane-a", here.then_some("here"));
    let view = state.view.clone();
    let body = match &analysis {
        _ if empty && state.view.embedded => html! { <p class="mute pad">{words.empty}</p> },
        _ if empty => html! { <Empty /> },
        None if matches!(state.work, Work::Fell(_)) => Html::default(),
        Some(analysis) if !state.is_waiting() => {
            html! { <Document analysis={analysis.clone()} told={props.told.clone()} /> }
        }
        _ => html! { <p class="mute pad" id="loading" role="status">{words.analyzing}</p> },
    };
    let waiting = state.is_waiting() || state.is_foreign();
    let analysis = analysis.filter(|_| !state.is_waiting());
    let newest = state.answer.clone().filter(|_| !empty && !waiting && view.shows("diagnostics"));
    html! {
        <div {class} id="answer" tabindex="-1">
            <div class="stay">if !empty { <Notice /> }</div>
            <div class="stay">
                if let Some(analysis) = analysis.clone().filter(|_| !empty && !view.embedded && view.shows("timeline")) { <Timeline {analysis} /> }
            </div>
            <div class={classes!("doc", stale.then_some("is-stale"), state.is_foreign().then_some("foreign"))} aria-busy={(state.answered < state.revision).to_string()} data-revision={state.answered.to_string()}>
                <div class="stay">if state.is_foreign() && !empty && !state.is_waiting() { <p class="mute pad late" id="loading" role="status">{words.analyzing}</p> }</div>
                <div class="stay">{body}</div>
                <div class="stay">if let Some(analysis) = newest { <Diagnostics {analysis} /> }</div>
                <div class="stay">if !view.embedded { <Foot /> }</div>
            </div>
        </div>
    }
}

#[component]
fn Foot() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let keys = Callback::from(move |_| state.dispatch(Action::Menu(Some(Menu::Keys))));
    html! { <footer class="foot"><span>{words.runs_here}</span><button type="button" class="line" onclick={keys}>{words.keys}</button></footer> }
}

/// Properties of [`Document`].
#[derive(Clone, Debug, PartialEq, Properties)]
struct DocumentProps {
    analysis: Report,
    told: Rc<Told>,
}

#[component]
fn Document(props: &DocumentProps) -> Html {
    let words = use_words();
    let view = use_state_handle().map(|state| state.view.clone()).unwrap_or_default();
    let (analysis, told) = (&props.analysis, &props.told);
    let card = CardProps {
        analysis: analysis.clone(),
        request: told.request,
        card: told.card,
        references: told.references.clone(),
    };
    let shows = |panel: &str| view.shows(panel);
    let request = told.request.map(|request| RequestProps {
        analysis: analysis.clone(),
        request,
        card: told.card,
    });
    let verdicts = told.request.and_then(|at| analysis.snapshot.verdicts.get(at));
    let node = verdicts.map(|it| it.node.clone()).unwrap_or_default();
    let nothing = analysis.snapshot.pods.is_empty() && analysis.snapshot.claims.is_empty();
    let description =
        analysis.scenario.as_ref().map(|it| it.description.clone()).filter(|it| !it.is_empty());
    // Each panel has a place of its own: panels that appear, vanish and redraw in one go would
    // otherwise be put before neighbors that are gone, at which Yew gives up.
    html! {
        <div class="stay">
            <div class="stay">{ for description.filter(|_| !view.embedded).map(|text| html! { <div class="about">{crate::components::markdown(&text)}</div> }) }</div>
            <div class="stay">if shows("pods") { <Docket analysis={analysis.clone()} /> }</div>
            <div class="stay">
                if let Some(pod) = told.pod.as_ref().filter(|_| shows("answer")) {
                    <div class="row">
                        <Lede analysis={analysis.clone()} pod={pod.clone()} sentences={told.sentences.clone()} references={told.references.clone()} />
                        if shows("figures") { <Figures ..card.clone() /> }
                    </div>
                } else if nothing {
                    <p class="prose" id="no-pods">{words.no_pods}</p>
                }
            </div>
            <div class="stay">{ for request.iter().filter(|_| shows("sieve")).map(|request| html! { <Sieve ..request.clone() /> }) }</div>
            <div class="stay">if shows("rack") { <Bench ..card /> }</div>
            <div class="stay">{ for request.iter().filter(|_| shows("matrix")).map(|request| html! { <Matrix ..request.clone() /> }) }</div>
            <div class="stay">{ for request.iter().filter(|_| shows("selectors")).map(|request| html! { <Selectors ..request.clone() /> }) }</div>
            <div class="stay">
                if let Some(pod) = told.pod.as_ref().filter(|_| shows("search")) {
                    <Search pod={pod.clone()} node={node} />
                }
            </div>
            <div class="stay">if shows("compare") { <Compare analysis={analysis.clone()} /> }</div>
            <div class="stay">if shows("balances") { <Balances analysis={analysis.clone()} /> }</div>
            <div class="stay">if shows("claims") { <Claims analysis={analysis.clone()} /> }</div>
            <div class="stay">if shows("inventory") { <InventoryPanel analysis={analysis.clone()} /> }</div>
            <div class="stay">if shows("expectations") { <Expectations analysis={analysis.clone()} /> }</div>
            <div class="stay">if shows("remarks") { <Remarks analysis={analysis.clone()} /> }</div>
        </div>
    }
}
