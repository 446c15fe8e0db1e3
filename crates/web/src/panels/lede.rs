//! The sentence: what became of the selected Pod, and why; then the scheduler's own words.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Analysis, ClaimView, Family, NodeVerdict, ObjectKey, Phrase, Piece, PodView, Target, Thing,
};
use yew::{AttrValue, Html, Properties, component, html};

use super::what_ifs::WhatIfs;
use crate::components::{CopyButton, PageLink, Sentence, badge};
use crate::derive::places::Reference;
use crate::derive::{format, pods};
use crate::hooks::use_words;
use crate::state::Report;
use crate::words::{Words, fill};

/// Properties of [`Lede`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct LedeProps {
    /// The answer.
    pub(crate) analysis: Report,
    /// The Pod.
    pub(crate) pod: Rc<PodView>,
    /// Its sentences.
    pub(crate) sentences: Rc<[Phrase; 2]>,
    /// Their references.
    pub(crate) references: Rc<[Reference]>,
}

/// Status, sentence, context, message, answers of the nodes.
#[component]
pub(crate) fn Lede(props: &LedeProps) -> Html {
    let words = use_words();
    let pod = &props.pod;
    let [cause, context] = &*props.sentences;
    let references = &props.references;
    html! {
        <article id="answer-of-pod">
            <p class="status" id="status" role="status">
                {badge(pod.family, &pod.status)}
                if !pod.reason.is_empty() {
                    <PageLink folder="reasons" code={pod.code.clone()}><span>{pod.reason.clone()}</span></PageLink>
                }
                <span>{if format::is_stepped(&props.analysis) { fill(words.pod_at_step, &[&pod.object.name, &pod.step]) } else { pod.object.name.clone() }}</span>
                if pod.hypothetical { <span class="tag">{words.hypothetical}</span> }
            </p>
            <h1 class="lede"><Sentence phrase={Rc::new(cause.clone())} references={references.clone()} /></h1>
            if !context.0.is_empty() {
                <p class="prose"><Sentence phrase={Rc::new(context.clone())} references={references.clone()} /></p>
            }
            if let Some(message) = &pod.message {
                <figure class="quote" id="scheduler-message">
                    <figcaption>{words.verbatim}<CopyButton text={AttrValue::from(message.clone())} label={words.copy_message} /></figcaption>
                    <p>{message.clone()}</p>
                </figure>
            }
            <WhatIfs pod={pod.clone()} />
            if pod.node_verdicts.iter().any(|it| it.count > 1) || pod.node_verdicts.len() > 1 {
                {nodes(words, &pod.node_verdicts)}
            }
            if let Some(fit) = pod.node_verdicts.iter().find(|it| it.family == Family::Fit && it.count > 1) {
                <p class="aside">{fill(words.feasible, &[&format::count(fit.count), &fit.nodes.get(..5).unwrap_or(&fit.nodes).join(words.comma)])}</p>
            }
        </article>
    }
}

/// Nodes with the same answer share a line.
fn nodes(words: &'static Words, verdicts: &[NodeVerdict]) -> Html {
    let row = |verdict: &NodeVerdict| {
        let says = if verdict.message.is_empty() { words.fits } else { verdict.message.as_str() };
        let names = verdict.nodes.get(..4).unwrap_or(&verdict.nodes);
        let more = verdict.count.saturating_sub(names.len());
        html! {
            <tr>
                <td><code>{names.join(words.comma)}</code>
                    if more > 0 { <span class="mute">{" "}{fill(words.more, &[&format::count(more)])}</span> }</td>
                <td>{badge(verdict.family, says)}</td>
            </tr>
        }
    };
    let count: usize = verdicts.iter().map(|it| it.count).sum();
    html! {
        <table class="tb nodes-tb" id="node-verdicts">
            <caption class="vh">{words.node_answers}</caption>
            <thead><tr><th scope="col">{fill(words.nodes_n, &[&format::count(count)])}</th><th scope="col">{words.node_answers}</th></tr></thead>
            <tbody>{ for verdicts.iter().map(row) }</tbody>
        </table>
    }
}

/// The sentences of a Pod; one that runs is told from its claims.
pub(crate) fn sentences(words: &'static Words, analysis: &Analysis, pod: &PodView) -> [Phrase; 2] {
    if !pod.cause.0.is_empty() {
        return [pod.cause.clone(), pod.context.clone()];
    }
    let claims: Vec<&ClaimView> =
        analysis.snapshot.claims.iter().filter(|it| pod.claims.contains(&it.object)).collect();
    let object = |text: &str, key: ObjectKey, range| Piece {
        text: text.to_owned(),
        target: Some(Target { thing: Thing::Object(key), range }),
    };
    let node_range = |name: &str| {
        analysis.snapshot.nodes.iter().find(|it| it.name == name).and_then(|it| it.range)
    };
    let me = object(&pod.object.name, pod.object.clone(), pod.range);
    let node = pod.node.as_deref().map(|name| {
        let key =
            ObjectKey { kind: "Node".to_owned(), name: name.to_owned(), ..ObjectKey::default() };
        object(name, key, node_range(name))
    });
    let devices = devices_of(words, analysis, &claims);
    let template = match (&node, devices.is_empty()) {
        _ if pods::is_finished(pod) => words.finished,
        (Some(_), false) => words.runs_with,
        (Some(_), true) => words.runs_without,
        (None, _) => words.waits,
    };
    let cause = template_phrase(template, &me, node.as_ref(), &devices);
    [cause, pod.context.clone()]
}

fn devices_of(words: &'static Words, analysis: &Analysis, claims: &[&ClaimView]) -> Vec<Piece> {
    let all: Vec<_> = claims.iter().flat_map(|claim| &claim.devices).collect();
    let mut pieces = Vec::new();
    for (index, allocated) in all.iter().take(6).enumerate() {
        if index > 0 {
            pieces.push(Piece { text: words.comma.to_owned(), target: None });
        }
        let known = analysis.snapshot.devices.iter().find(|it| it.device == allocated.device);
        pieces.push(Piece {
            text: allocated.device.device.clone(),
            target: Some(Target {
                thing: Thing::Device(allocated.device.clone()),
                range: known.and_then(|it| it.range),
            }),
        });
        if !allocated.consumed.is_empty() {
            let amounts: Vec<&str> = allocated.consumed.iter().map(|it| it.1.as_str()).collect();
            pieces.push(Piece { text: format!(" ({})", amounts.join(words.comma)), target: None });
        }
    }
    if all.len() > 6 {
        pieces.push(Piece { text: format!("{}+{}", words.comma, all.len() - 6), target: None });
    }
    pieces
}

/// `{pod}`, `{node}` and `{devices}` of a template become references.
fn template_phrase(template: &str, pod: &Piece, node: Option<&Piece>, devices: &[Piece]) -> Phrase {
    let mut pieces = Vec::new();
    for part in template.split_inclusive('}') {
        let (text, name) = part.rsplit_once('{').unwrap_or((part, ""));
        if !text.is_empty() {
            pieces.push(Piece { text: text.to_owned(), target: None });
        }
        match name {
            "pod}" => pieces.push(pod.clone()),
            "node}" => pieces.extend(node.cloned()),
            "devices}" => pieces.extend(devices.iter().cloned()),
            _ => {}
        }
    }
    Phrase(pieces)
}

#[cfg(test)]
mod tests {
    use dra_playground_core::workspace::Workspace;
    use dra_playground_core::workspace::report::Options;

    use super::*;
    use crate::words::words;

    const CLAIM: &str = "\
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpus}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpus}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: job, namespace: default}
spec:
  containers: [{name: main, image: i}]
  resourceClaims: [{name: gpu, resourceClaimName: c}]
";

    /// The sentence about the Pod, in a phase.
    fn told(phase: &str, language: &str) -> String {
        let text = format!("{CLAIM}status: {{phase: {phase}}}\n");
        let analysis = Workspace::new().analyze(&text, &Options::default());
        let [pod] = analysis.snapshot.pods.as_slice() else { panic!("one Pod") };
        let reserved: Vec<_> =
            analysis.snapshot.claims.iter().flat_map(|it| &it.reserved_for).collect();
        assert_eq!(reserved.is_empty(), pods::is_finished(pod), "{phase}");
        let [cause, _] = sentences(words(language), &analysis, pod);
        cause.0.into_iter().map(|piece| piece.text).collect()
    }

    #[test]
    fn a_pod_that_is_finished_is_told_to_hold_nothing() {
        for phase in ["Succeeded", "Failed"] {
            assert_eq!(told(phase, "en"), "job is finished and holds no claim any more.");
            assert_eq!(told(phase, "zh-TW"), "job 已結束，不再佔用任何 claim。");
        }
        assert_eq!(told("Pending", "en"), "job runs on node-a with gpu-0.");
    }
}
