//! Verdicts of one attempt on one node in the form of the report.

use crate::allocator::{Fault, SelectorOwner, SkipReason};
use crate::api::{DeviceClass, DeviceSelector, ExactRequest, ResourceClaim};
use crate::explain::{Explanation, Phrase, Reason, RequestExplanation, Speaker, Stage, Verdict};

use super::facts::key;
use super::phrases::{Wording, family, object_key_of};
use super::report::{
    ObjectKey, RequestVerdicts, SelectorAnswer, SelectorTable, SieveRow, VerdictGroup,
};
use super::snapshot::World;

/// What the verdicts of one attempt on one node are made from.
pub(super) struct Source<'a, 's> {
    pub pod: Option<ObjectKey>,
    pub node: &'a str,
    pub step: usize,
    pub explanation: &'a Explanation,
    pub claims: &'a [&'a ResourceClaim],
    pub world: &'a World,
    pub speaker: Speaker<'s>,
    pub wording: &'a dyn Wording,
    /// Finds a class.
    pub class: &'a dyn Fn(&str) -> Option<&'a DeviceClass>,
    /// What the API server says of a selector, and its worst-case cost.
    pub check: &'a dyn Fn(&str) -> SelectorCheck,
}

/// What is known of a selector besides its answers.
#[derive(Clone, Debug, Default)]
pub(super) struct SelectorCheck {
    pub compile_error: Option<String>,
    pub admission_error: Option<String>,
    pub max_cost: Option<u64>,
}

/// The verdicts, one entry for each request or alternative.
pub(super) fn verdicts(source: &Source<'_, '_>) -> Vec<RequestVerdicts> {
    let requests = source.explanation.requests.iter();
    let verdicts = requests.map(|request| request_verdicts(source, request));
    // Devices that are published no longer cannot be shown.
    verdicts
        .filter(|request| !request.groups.is_empty() || source.world.devices.is_empty())
        .collect()
}

fn request_verdicts(source: &Source<'_, '_>, request: &RequestExplanation) -> RequestVerdicts {
    let groups = groups(source, request);
    let title = |stage: Stage| {
        let node = Phrase::from(source.node);
        let values = [("node", node), ("class", Phrase::from(request.class.as_str()))];
        source.wording.phrase(&source.speaker.words.say(stage.title(), &values))
    };
    let sieve = request
        .sieve()
        .into_iter()
        .map(|(stage, left)| SieveRow {
            stage: stage.name().to_owned(),
            title: title(stage),
            left,
            removed: groups
                .iter()
                .enumerate()
                .filter(|(_, group)| group.stage == stage.name() && group.code != "chosen")
                .map(|(index, _)| index)
                .collect(),
        })
        .collect();
    RequestVerdicts {
        pod: source.pod.clone(),
        claim: object_key_of(&request.claim),
        request: request.name.clone(),
        node: source.node.to_owned(),
        step: source.step,
        wanted: request.wanted,
        sieve,
        selectors: selectors(source, request),
        groups,
    }
}

/// Devices with the same reason and detail, in order of their first device.
fn groups(source: &Source<'_, '_>, request: &RequestExplanation) -> Vec<VerdictGroup> {
    let looked_at =
        request.verdicts.iter().filter(|verdict| was_looked_at(&verdict.reason)).count();
    let mut groups: Vec<(Phrase, VerdictGroup)> = Vec::new();
    let mut parts = 0;
    let mut rank = 0;
    for verdict in &request.verdicts {
        rank += usize::from(was_looked_at(&verdict.reason));
        let index = source.world.find_in(&key(&verdict.device), &verdict.slice);
        let Some(index) = index else { continue };
        let code = verdict.reason.code();
        let detail = if is_selector(&verdict.reason) && parts >= MAX_PARTS {
            Phrase::default()
        } else {
            parts += usize::from(is_selector(&verdict.reason));
            let position = Some((rank, looked_at));
            source.speaker.detail(request, &verdict.device, &verdict.reason, position)
        };
        let known = groups.iter_mut().find(|(known, group)| group.code == code && *known == detail);
        if let Some((_, group)) = known {
            group.devices.push(index);
            continue;
        }
        let group = VerdictGroup {
            code: code.to_owned(),
            family: family(verdict.reason.family()),
            label: source.speaker.words.word(verdict.reason.label()).to_owned(),
            detail: source.wording.phrase(&detail),
            devices: vec![index],
            stage: verdict.reason.stage().name().to_owned(),
            asked: source.wording.asked(request, &verdict.device),
        };
        groups.push((detail, group));
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Selectors whose deciding part is looked for; beyond it a group says only that one is false.
const MAX_PARTS: usize = 256;

fn is_selector(reason: &Reason) -> bool {
    matches!(
        reason.told(),
        Some(SkipReason::ClassSelectorFalse { .. } | SkipReason::RequestSelectorFalse { .. })
    )
}

fn was_looked_at(reason: &Reason) -> bool {
    reason.stage() != Stage::Devices && !matches!(reason.told(), None | Some(SkipReason::NotNeeded))
}

/// The selectors of class and request with what they answered.
fn selectors(source: &Source<'_, '_>, request: &RequestExplanation) -> Vec<SelectorTable> {
    let mut tables = Vec::new();
    if let Some(class) = (source.class)(&request.class) {
        let object = ObjectKey {
            kind: "DeviceClass".to_owned(),
            namespace: String::new(),
            name: request.class.clone(),
        };
        for (index, selector) in class.selectors.iter().enumerate() {
            let path = format!("spec.selectors[{index}].cel.expression");
            let origin = Table { of_class: true, object: object.clone(), index, path };
            tables.extend(table(source, request, selector, origin));
        }
    }
    let claim = source.claims.get(request.place.claim);
    let exact = claim.and_then(|claim| exact_request(claim, request));
    for (index, selector) in exact.iter().flat_map(|exact| &exact.selectors).enumerate() {
        let inner = match request.place.subrequest {
            None => "exactly".to_owned(),
            Some(sub) => format!("firstAvailable[{sub}]"),
        };
        let path = format!(
            "spec.devices.requests[{}].{inner}.selectors[{index}].cel.expression",
            request.place.request
        );
        let object = object_key_of(&request.claim);
        let origin = Table { of_class: false, object, index, path };
        tables.extend(table(source, request, selector, origin));
    }
    tables
}

/// The request that an explanation is about.
pub(super) fn exact_request<'a>(
    claim: &'a ResourceClaim,
    request: &RequestExplanation,
) -> Option<&'a ExactRequest> {
    let wish = claim.spec.requests.get(request.place.request)?;
    match request.place.subrequest {
        None => wish.exactly.as_ref(),
        Some(sub) => wish.first_available.get(sub).map(|alternative| &alternative.request),
    }
}

struct Table {
    of_class: bool,
    object: ObjectKey,
    index: usize,
    path: String,
}

fn table(
    source: &Source<'_, '_>,
    request: &RequestExplanation,
    selector: &DeviceSelector,
    origin: Table,
) -> Option<SelectorTable> {
    let expression = selector.cel_expression.clone()?;
    let check = (source.check)(&expression);
    let mut answers: Vec<SelectorAnswer> = Vec::new();
    for verdict in &request.verdicts {
        let index = source.world.find_in(&key(&verdict.device), &verdict.slice);
        let Some(index) = index else { continue };
        let (answer, error) = answer(verdict, &origin);
        match answers.iter_mut().find(|known| known.answer == answer && known.error == error) {
            Some(known) => known.devices.push(index),
            None => answers.push(SelectorAnswer {
                answer: answer.to_owned(),
                error,
                devices: vec![index],
            }),
        }
    }
    Some(SelectorTable {
        source: if origin.of_class { "class" } else { "request" }.to_owned(),
        range: source.wording.field(&origin.object, &origin.path),
        object: origin.object,
        index: origin.index,
        expression,
        compile_error: check.compile_error,
        admission_error: check.admission_error,
        max_cost: check.max_cost,
        answers,
    })
}

/// What the scheduler got from one selector on one device.
fn answer(verdict: &Verdict, table: &Table) -> (&'static str, Option<String>) {
    let Some(reason) = verdict.reason.told() else { return ("not run", None) };
    // Class selectors are asked before those of the request, each in order.
    let rank = |of_class: bool, index: usize| (u8::from(!of_class), index);
    let mine = rank(table.of_class, table.index);
    let stopped = match reason {
        SkipReason::ClassSelectorFalse { selector } => (rank(true, *selector), "false", None),
        SkipReason::RequestSelectorFalse { selector } => (rank(false, *selector), "false", None),
        SkipReason::CelError(fault) => match fault {
            Fault::CelRuntime { owner, selector, .. }
            | Fault::CelCompile { owner, selector, .. } => {
                let of_class = matches!(owner, SelectorOwner::Class(_));
                (rank(of_class, *selector), "error", Some(fault.to_string()))
            }
            _ => return ("not run", None),
        },
        SkipReason::NotNeeded | SkipReason::BindingUnsupported => return ("not run", None),
        _ if matches!(verdict.reason.stage(), Stage::Devices | Stage::Free) => {
            return ("not run", None);
        }
        _ => return ("true", None),
    };
    let (stop, what, error) = stopped;
    match mine.cmp(&stop) {
        std::cmp::Ordering::Less => ("true", None),
        std::cmp::Ordering::Equal => (what, error),
        std::cmp::Ordering::Greater => ("not run", None),
    }
}
