//! The sieve: from all devices to the chosen one, rule by rule in the scheduler's order.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Answer, Query, RequestVerdicts, SieveRow, VerdictGroup,
};
use yew::{Callback, Html, Properties, classes, component, html};

use super::export::PanelHead;
use crate::components::{PageLink, Sentence, badge, silhouette, silhouette_class};
use crate::derive::format;
use crate::derive::names::Names;
use crate::derive::strands::{self, Picture};
use crate::hooks::{use_state_handle, use_words, use_worker};
use crate::state::{Action, Report, VerdictKey};
use crate::words::{Words, fill};

/// Most devices that are named when a group is opened.
const MOST_NAMES: usize = 60;

/// Properties of panels that speak of one request.
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct RequestProps {
    /// The answer.
    pub(crate) analysis: Report,
    /// Index of the request in question among the snapshot's verdicts.
    pub(crate) request: usize,
    /// Index of the card in question.
    pub(crate) card: Option<usize>,
}

impl RequestProps {
    /// The request in question.
    pub(crate) fn verdicts(&self) -> Option<&RequestVerdicts> {
        self.analysis.snapshot.verdicts.get(self.request)
    }
}

/// The sieve of one request.
#[component]
pub(crate) fn Sieve(props: &RequestProps) -> Html {
    let words = use_words();
    let Some(verdicts) = props.verdicts() else {
        return Html::default();
    };
    let snapshot = &props.analysis.snapshot;
    let Some(first) = verdicts.sieve.first() else { return Html::default() };
    let picture = strands::picture(snapshot, verdicts, props.card);
    let names = Names::asked(snapshot, &[verdicts]);
    let end = verdicts.sieve.last().map_or(0, |row| row.left);
    let all = format::count(match first.left {
        0 => verdicts.groups.iter().map(|it| it.devices.len()).sum(),
        left => left,
    });
    let title = match end {
        0 => fill(words.sieve_to_none, &[&all]),
        end => fill(words.sieve_to, &[&all, &format::count(end)]),
    };
    let grammar = match (picture.per_line, picture.per_card) {
        (0 | 1, Some(per_card)) => fill(words.line_per_device_cards, &[&per_card]),
        (0 | 1, None) => words.line_per_device.to_owned(),
        (many, _) => fill(words.line_per_many, &[&many]),
    };
    let stop = verdicts.sieve.iter().position(|row| row.left == 0).unwrap_or(usize::MAX);
    let shown = verdicts.sieve.iter().enumerate().take_while(|(index, _)| *index <= stop);
    let unreached: Vec<&SieveRow> = verdicts
        .sieve
        .iter()
        .skip(stop.saturating_add(1))
        .filter(|row| row.stage != "chosen")
        .collect();
    html! {
        <section class="full" id="sieve">
            <PanelHead id="sieve" {title} how={grammar} />
            <RequestPicker ..props.clone() />
            <ol class="sieve">
                { for shown.map(|(index, row)| stage(words, &names, verdicts, &picture, index, row)) }
            </ol>
            if !unreached.is_empty() {
                <p class="note-s">{words.not_reached}{words.colon}
                    { for unreached.iter().enumerate().map(|(at, row)| html! {
                        <>if at > 0 { {words.comma} }<Sentence phrase={Rc::new(row.title.clone())} /></>
                    }) }
                </p>
            }
        </section>
    }
}

fn stage(
    words: &'static Words,
    names: &Names<'_>,
    verdicts: &RequestVerdicts,
    picture: &Picture,
    index: usize,
    row: &SieveRow,
) -> Html {
    let groups: Vec<&VerdictGroup> =
        row.removed.iter().filter_map(|at| verdicts.groups.get(*at)).collect();
    let class = classes!(
        "sv",
        (index == 0).then_some("head"),
        (row.left == 0).then_some("zero"),
        (index == 0 && !picture.pools.is_empty()).then_some("pooled"),
        (index > 0 && groups.is_empty()).then_some("calm"),
    );
    html! {
        <li {class} key={index} data-stage={row.stage.clone()}>
            <span class="cnt"><span class="vh">{words.left_over}{words.colon}</span>{format::count(row.left)}</span>
            <div class="strands-c">{strands_of(picture, index)}</div>
            <div class="txt">
                <div class="t"><b><Sentence phrase={Rc::new(row.title.clone())} /></b></div>
                { for groups.iter().map(|group| html! {
                    <p class="d"><Sentence phrase={Rc::new(group.detail.clone())} /></p>
                }) }
            </div>
            <div class="rem">{ for groups.iter().map(|group| removed(words, names, group)) }</div>
        </li>
    }
}

/// A badge that leads to the page about its reason.
fn named(group: &VerdictGroup, text: &str) -> Html {
    html! { <PageLink folder="reasons" code={group.code.clone()}>{badge(group.family, text)}</PageLink> }
}

fn removed(words: &'static Words, names: &Names<'_>, group: &VerdictGroup) -> Html {
    let (name, _) = names.devices(words, &group.devices);
    let count = group.devices.len();
    let more = count.saturating_sub(MOST_NAMES);
    if count == 1 {
        return html! {
            <>{named(group, &format!("−1 {}", group.label))}<p><code>{name}</code></p></>
        };
    }
    html! {
        <>
            {named(group, &format!("−{} {}", format::count(count), group.label))}
            <details>
                <summary><span class="tri" />{fill(words.devices_of, &[&format::count(count), &name])}</summary>
                <ul class="dl" tabindex="0">
                    { for group.devices.iter().take(MOST_NAMES).map(|at| html! { <li><code>{names.device(*at)}</code></li> }) }
                    if more > 0 { <li>{fill(words.more, &[&format::count(more)])}</li> }
                </ul>
            </details>
        </>
    }
}

fn percent(x: f64) -> String {
    format!("{:.3}%", x * 100.0)
}

/// The lines of one row; those that end here carry the silhouette of their reason.
fn strands_of(picture: &Picture, index: usize) -> Html {
    if index == 0 {
        return heads(picture);
    }
    let alive = picture.strands.iter().filter(|it| it.ends.is_none_or(|end| end > index));
    html! {
        <svg class="strands" aria-hidden="true">
            { for alive.map(|it| html! {
                <line class={classes!("p", it.hot.then_some("hot"))} x1={percent(it.x)} x2={percent(it.x)} y1="0" y2="100%" />
            }) }
            {stops(picture, index, "0")}
        </svg>
    }
}

/// Silhouettes of the lines that end at a row.
fn stops(picture: &Picture, index: usize, y: &str) -> Html {
    let stop = |(from, to, family)| {
        html! {
            <g class={silhouette_class(family)}>
                if to > from { <line class="stop" x1={percent(from)} x2={percent(to)} y1={y.to_owned()} y2={y.to_owned()} /> }
                <svg x={percent(f64::midpoint(from, to))} y={y.to_owned()} overflow="visible">
                    <rect class="under" x="-5.5" y="-5.5" width="11" height="11" rx="5.5" />
                    <use href={silhouette(family)} x="-4.5" y="-4.5" width="9" height="9" />
                </svg>
            </g>
        }
    };
    strands::ends(picture, index).into_iter().map(stop).collect()
}

fn heads(picture: &Picture) -> Html {
    let top = if picture.pools.is_empty() { 0 } else { 18 };
    let (label, dot) = ((top + 14).to_string(), (top + 26).to_string());
    html! {
        <svg class="strands" aria-hidden="true">
            { for picture.pools.iter().map(|it| html! {
                <>
                    <text class={classes!(it.hot.then_some("hot"))} x={percent(it.x)} y="11" text-anchor="middle">{it.label.clone()}</text>
                    <line class={classes!("pool", it.hot.then_some("hot"))} x1={percent(it.from)} x2={percent(it.to)} y1="17" y2="17" />
                </>
            }) }
            { for picture.bundles.iter().map(|it| html! {
                <text class={classes!(it.hot.then_some("hot"))} x={percent(it.x)} y={label.clone()} text-anchor="middle">{it.label.clone()}</text>
            }) }
            { for picture.strands.iter().filter(|it| it.ends != Some(0)).map(|it| html! {
                <>
                    <circle class={classes!("dot", it.hot.then_some("hot"))} cx={percent(it.x)} cy={dot.clone()} r="1.8" />
                    <line class={classes!("p", it.hot.then_some("hot"))} x1={percent(it.x)} x2={percent(it.x)} y1={dot.clone()} y2="100%" />
                </>
            }) }
            {stops(picture, 0, &dot)}
        </svg>
    }
}

/// Which request on which node, when there are several.
#[component]
pub(crate) fn RequestPicker(props: &RequestProps) -> Html {
    let words = use_words();
    let Some((state, verdicts)) = use_state_handle().zip(props.verdicts()) else {
        return Html::default();
    };
    let all = &props.analysis.snapshot.verdicts;
    let own: Vec<&RequestVerdicts> =
        all.iter().filter(|it| it.pod == verdicts.pod && it.node == verdicts.node).collect();
    let nodes = html! { <NodePicker ..props.clone() /> };
    if own.len() < 2 {
        return nodes;
    }
    let current = VerdictKey::of(verdicts);
    let keys: Vec<VerdictKey> = own.iter().map(|it| VerdictKey::of(it)).collect();
    let onchange = Callback::from(move |event: yew::Event| {
        let at = crate::platform::dom::value_of_select(&event).parse::<usize>().unwrap_or(0);
        if let Some(key) = keys.get(at) {
            state.dispatch(Action::Verdict(key.clone()));
        }
    });
    html! {
        <>
        <label class="pick"><span>{words.request}</span>
            <select {onchange}>
                { for own.iter().enumerate().map(|(at, it)| html! {
                    <option value={at.to_string()} selected={VerdictKey::of(it) == current}>
                        {format!("{} / {}", it.claim.name, it.request)}
                    </option>
                }) }
            </select>
        </label>
        {nodes}
        </>
    }
}

/// Which node, when several were tried; what the answer left out is asked for.
#[component]
fn NodePicker(props: &RequestProps) -> Html {
    let words = use_words();
    let worker = use_worker();
    let Some((state, verdicts)) = use_state_handle().zip(props.verdicts()) else {
        return Html::default();
    };
    let snapshot = &props.analysis.snapshot;
    let pod = snapshot.pods.iter().find(|it| Some(&it.object) == verdicts.pod.as_ref());
    let Some(pod) = pod else { return Html::default() };
    let names: Vec<String> = pod.node_verdicts.iter().flat_map(|it| it.nodes.clone()).collect();
    if names.len() < 2 {
        return Html::default();
    }
    let known: Vec<VerdictKey> = snapshot
        .verdicts
        .iter()
        .filter(|it| it.pod.as_ref() == Some(&pod.object))
        .map(VerdictKey::of)
        .collect();
    let object = pod.object.clone();
    let onchange = Callback::from(move |event: yew::Event| {
        let node = crate::platform::dom::value_of_select(&event);
        if let Some(key) = known.iter().find(|it| it.node == node) {
            return state.dispatch(Action::Verdict(key.clone()));
        }
        let Some(worker) = &worker else { return };
        let state = state.clone();
        let done = Callback::from(move |answer: Answer| {
            if let Answer::Verdicts(more) = answer {
                state.dispatch(Action::More(more));
            }
        });
        worker.query(Query::Verdicts { pod: object.clone(), node }, done);
    });
    html! {
        <label class="pick"><span>{words.node}</span>
            <select {onchange} id="node-picker">
                { for names.iter().map(|it| html! { <option value={it.clone()} selected={*it == verdicts.node}>{it.clone()}</option> }) }
            </select>
        </label>
    }
}
