//! Pods as `kubectl get pods` shows them, with their claims and devices.

use dra_playground_core::workspace::report::{
    Analysis, ClaimView, ExtraStep, Family, ObjectKey, PodView, Range, Severity, Thing,
};
use std::collections::BTreeMap;
use std::rc::Rc;
use yew::{Callback, Html, Properties, classes, component, html};

use super::PanelProps;
use crate::components::{Mark, badge};
use crate::derive::{format, pods};
use crate::hooks::{use_dispatcher, use_state_handle, use_words};
use crate::state::{Action, StateHandle};
use crate::words::{Words, fill};

/// Most Pods that are listed.
const MOST: usize = 200;

/// The table of Pods.
#[component]
pub(crate) fn Docket(props: &PanelProps) -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let analysis = &props.analysis;
    let pods = pods::listed(analysis);
    let gone = deleted(analysis);
    if pods.is_empty() && gone.is_empty() {
        return Html::default();
    }
    let selected = state.selected_pod(analysis).map(|pod| pod.object.clone());
    let first = pods.first().map(|pod| &pod.object.namespace);
    let mut claims = BTreeMap::new();
    for claim in &analysis.snapshot.claims {
        claims.insert(&claim.object, claim);
    }
    let spaces = pods.iter().any(|pod| Some(&pod.object.namespace) != first);
    html! {
        <div class="scroll docket-box" tabindex="0" role="group" aria-label={words.pods_table}>
        <table class="docket" id="pods">
            <caption class="vh">{if format::is_stepped(analysis) { fill(words.pods_after, &[&analysis.step]) } else { words.pods_table.to_owned() }}</caption>
            <thead><tr>
                if spaces { <th scope="col">{"Namespace"}</th> }
                <th scope="col">{"Name"}</th><th scope="col">{"Ready"}</th><th scope="col">{"Status"}</th>
                <th scope="col" class="opt">{"Age"}</th><th scope="col" class="opt">{"Node"}</th>
                <th scope="col">{words.claims}</th><th scope="col">{words.devices}</th>
                <th scope="col"><span class="vh">{words.actions}</span></th>
            </tr></thead>
            <tbody>
                { for pods.iter().take(MOST).map(|pod| row(words, &claims, pod, selected.as_ref() == Some(&pod.object), spaces)) }
                { for gone.iter().map(|key| gone_row(&state, words, key, spaces)) }
            </tbody>
        </table>
        if pods.len() > MOST { <p class="mute">{fill(words.more, &[&format::count(pods.len() - MOST)])}</p> }
        </div>
    }
}

/// Pods of the text that are not there after this step; one that the API server refuses was never
/// there and cannot be put back.
fn deleted(analysis: &Analysis) -> Vec<ObjectKey> {
    let pods = pods::by_key(analysis);
    let refused = |range: Range| {
        let errors = analysis.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        errors.map(|it| it.range.from).any(|at| range.from <= at && at < range.to)
    };
    let listed = analysis.outline.iter().filter(|it| it.object.kind == "Pod" && !it.hypothetical);
    let gone = listed.filter(|entry| !pods.contains_key(&entry.object) && !refused(entry.range));
    gone.map(|entry| entry.object.clone()).collect()
}

/// Properties of [`Row`]: what is drawn of a Pod, so that one that stays as it is is not drawn anew.
#[derive(Clone, Debug, PartialEq, Properties)]
struct RowProps {
    object: ObjectKey,
    hypothetical: bool,
    ready: String,
    family: Family,
    status: String,
    age: u64,
    node: Option<String>,
    claims: String,
    devices: String,
    selected: bool,
    spaces: bool,
}

fn row(
    words: &'static Words,
    claims: &BTreeMap<&ObjectKey, &ClaimView>,
    pod: &PodView,
    selected: bool,
    spaces: bool,
) -> Html {
    let claims: Vec<&ClaimView> =
        pod.claims.iter().filter_map(|key| claims.get(key)).copied().collect();
    let names: Vec<&str> = claims.iter().map(|claim| claim.object.name.as_str()).collect();
    let devices: Vec<String> =
        claims.iter().flat_map(|claim| &claim.devices).map(|it| held(words, it)).collect();
    html! {
        <Row object={pod.object.clone()} hypothetical={pod.hypothetical} ready={pod.ready.clone()} family={pod.family}
            status={pod.status.clone()} age={pod.age_seconds} node={pod.node.clone()} claims={names.join(words.comma)}
            devices={short_list(words, &devices)} {selected} {spaces} />
    }
}

#[component]
fn Row(props: &RowProps) -> Html {
    let words = use_words();
    let Some(dispatcher) = use_dispatcher() else { return Html::default() };
    let RowProps { object, selected, .. } = props;
    let select = {
        let (dispatcher, key) = (dispatcher.clone(), object.clone());
        Callback::from(move |_| dispatcher.dispatch(Action::Pod(key.clone())))
    };
    let delete = {
        let key = object.clone();
        Callback::from(move |_| dispatcher.dispatch(Action::Delete(key.clone())))
    };
    let name = &object.name;
    html! {
        <Mark tag="tr" thing={Rc::new(Thing::Object(object.clone()))} class={classes!(selected.then_some("sel"))}
            id={format::object_id(object)}>
            if props.spaces { <td class="ns">{object.namespace.clone()}</td> }
            <td class="name">
                <button type="button" class="name" aria-pressed={selected.to_string()} onclick={select}>{name.clone()}</button>
                if props.hypothetical { <small class="mute">{words.hypothetical}</small> }
            </td>
            <td class="ready">{props.ready.clone()}</td>
            <td class="st-cell">{badge(props.family, &props.status)}</td>
            <td class="opt">{format::age(props.age)}</td>
            <td class="opt">{props.node.clone().unwrap_or_else(|| "<none>".to_owned())}</td>
            <td class="cl-cell">{props.claims.clone()}</td>
            <td class={classes!("res", props.devices.is_empty().then_some("mute"))}>
                {if props.devices.is_empty() { words.none.to_owned() } else { props.devices.clone() }}
            </td>
            <td class="act">
                // What was refused is not there to be deleted.
                if props.status != "Refused" {
                    <button type="button" class="small" onclick={delete}
                        aria-label={fill(words.delete_named, &[name])} data-action="delete">{words.delete_pod}</button>
                }
            </td>
        </Mark>
    }
}

fn held(words: &Words, device: &dra_playground_core::workspace::report::AllocatedDevice) -> String {
    let name = &device.device.device;
    if device.consumed.is_empty() {
        return name.clone();
    }
    let amounts: Vec<&str> = device.consumed.iter().map(|(_, amount)| amount.as_str()).collect();
    format!("{name} ({})", amounts.join(words.comma))
}

fn short_list(words: &'static Words, names: &[String]) -> String {
    let shown = names.iter().take(4).cloned().collect::<Vec<_>>().join(words.comma);
    match names.len().saturating_sub(4) {
        0 => shown,
        more => format!("{shown}{}{}", words.comma, fill(words.more, &[&format::count(more)])),
    }
}

fn gone_row(state: &StateHandle, words: &'static Words, key: &ObjectKey, spaces: bool) -> Html {
    let back = {
        let (state, key) = (state.clone(), key.clone());
        Callback::from(move |_| state.dispatch(Action::Extra(ExtraStep::PutBack(key.clone()))))
    };
    html! {
        <tr class="gone">
            if spaces { <td class="ns">{key.namespace.clone()}</td> }
            <td class="name"><s>{key.name.clone()}</s></td>
            <td colspan="6" class="mute">{words.not_there}</td>
            <td class="act"><button type="button" class="small" onclick={back}
                aria-label={fill(words.put_back_named, &[&key.name])} data-action="put-back">{words.put_back}</button></td>
        </tr>
    }
}
