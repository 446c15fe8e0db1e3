//! Why Pods wait: from the answers of the scheduler to one sentence each.

mod fault;
mod missing;
mod nodes;
#[cfg(test)]
pub(super) mod tests;

use crate::allocator::{Fault, SkipReason};
use crate::api::Pod;
use crate::apimachinery::ObjectRef;
use crate::cluster::Cluster;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{
    Cause, CauseKind, Family, Phrase, Speaker, Subject, claim_ref, device_phrase, object,
};
use crate::scheduler::{Attempt, Fatal, MAX_CONSUMERS, Outcome, pod_tolerates};

use super::diagnosis::Diagnosis;
use super::explained::Explained;
use super::written::Written;

pub(super) use missing::refusal;

/// Why a Pod waits, in words.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub cause: Phrase,
    pub context: Phrase,
    /// A few words beside the status.
    pub reason: String,
    pub family: Family,
    /// Stable code of the cause.
    pub code: &'static str,
}

/// Why the Pod of an attempt waits; `None` when it does not.
pub(super) fn why(
    attempt: &Attempt,
    explained: &[Explained],
    diagnosis: Option<&Diagnosis>,
    written: Written<'_>,
    speaker: Speaker<'_>,
) -> Option<Said> {
    let words = speaker.words;
    let told = Teller { attempt, explained, diagnosis, written, speaker, words };
    let (why, mut said) = match &attempt.outcome {
        Outcome::Bound { .. } => return None,
        Outcome::WaitingForConditions { node, .. } => told.waiting(node),
        Outcome::NotQueued { reason } => told.not_queued(reason),
        Outcome::PreFilter => told.pre_filter(),
        Outcome::Error(fatal) => told.error(*fatal),
        Outcome::Unschedulable => told.unschedulable(),
    };
    let sentence = words.say(Key::PodWaits, &[("who", object(&attempt.pod)), ("why", why)]);
    said.cause = words.sentence(sentence);
    Some(said)
}

struct Teller<'a> {
    attempt: &'a Attempt,
    explained: &'a [Explained],
    diagnosis: Option<&'a Diagnosis>,
    written: Written<'a>,
    speaker: Speaker<'a>,
    words: &'a Catalogue,
}

impl Teller<'_> {
    fn said(&self, label: Key, family: Family) -> Said {
        Said {
            cause: Phrase::default(),
            context: Phrase::default(),
            reason: self.words.word(label).to_owned(),
            family,
            code: code(label),
        }
    }

    fn cluster(&self) -> &Cluster {
        &self.attempt.before
    }

    fn pod(&self) -> Option<&Pod> {
        let key = &self.attempt.pod;
        self.cluster().pods.get(&key.namespace, &key.name).map(|pod| pod.value.as_ref())
    }

    fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        self.words.say(key, values)
    }

    fn verbatim(&self, text: &str) -> Phrase {
        self.say(Key::Verbatim, &[("text", text.into())])
    }

    fn waiting(&self, name: &str) -> (Phrase, Said) {
        let named = self.conditions();
        let conditions = self.words.list(&named, 3);
        let values = [("node", node(name)), ("conditions", conditions)];
        let key = if named.is_empty() { Key::WaitsForConditions } else { Key::WaitsForNamed };
        let why = self.say(key, &values);
        (why, self.said(Key::LabelBinding, Family::Held))
    }

    /// The binding conditions of the chosen devices: `attached of gpu-0`.
    fn conditions(&self) -> Vec<Phrase> {
        let requests = self.explained.iter().flat_map(|node| &node.explanation.requests);
        let verdicts = requests.flat_map(|request| &request.verdicts);
        let chosen = verdicts.filter(|it| matches!(it.reason.told(), Some(SkipReason::Chosen)));
        let conditions = chosen.flat_map(|verdict| {
            let conditions = self.speaker.facts.binding_conditions(&verdict.device);
            conditions.into_iter().map(|condition| (condition, &verdict.device))
        });
        conditions
            .map(|(condition, device)| {
                let values = [("condition", condition.into()), ("device", device_phrase(device))];
                self.say(Key::ConditionOf, &values)
            })
            .collect()
    }

    /// PreEnqueue holds the Pod back.
    fn not_queued(&self, reason: &str) -> (Phrase, Said) {
        if let Some(missing) = self.missing() {
            return missing;
        }
        let said = self.said(Key::LabelHeldBack, Family::Rule);
        if self.pod().is_some_and(|pod| !pod.scheduling_gates.is_empty()) {
            let path = "spec.schedulingGates".to_owned();
            let subject = Subject::Field { object: self.attempt.pod.clone(), path };
            return (Phrase::about(reason, subject), said);
        }
        (self.verbatim(reason), said)
    }

    /// PreFilter refuses the Pod on all nodes.
    fn pre_filter(&self) -> (Phrase, Said) {
        if let Some(class) = self.missing_class() {
            return class;
        }
        let text = self.attempt.message.clone().unwrap_or_default();
        (self.verbatim(&text), self.said(Key::LabelHeldBack, Family::Rule))
    }

    /// The attempt was aborted.
    fn error(&self, fatal: Fatal) -> (Phrase, Said) {
        let mut said = self.said(Key::LabelError, Family::Fault);
        match fatal {
            Fatal::Crash => return (self.words.word(Key::Crash).into(), said),
            Fatal::Budget => {
                let calls =
                    self.attempt.nodes.iter().filter_map(|node| node.search_calls).sum::<u64>();
                let calls = Phrase::from(calls.to_string());
                return (self.say(Key::Budget, &[("calls", calls)]), said);
            }
            Fatal::PreBind { claim_full } => return (self.pre_bind(claim_full), said),
            Fatal::AllocatorError => {}
        }
        if self.attempt.nodes.len() > 1 {
            said.context = self.words.word(Key::ContextAborted).into();
        }
        if let Some(class) = self.missing_class() {
            return class;
        }
        let found =
            self.explained.iter().find_map(|explained| Some((explained, explained.fault()?)));
        if let Some((explained, fault)) = found {
            if matches!(fault, Fault::CelRuntime { .. } | Fault::CelCompile { .. }) {
                self.words.word(Key::LabelCelError).clone_into(&mut said.reason);
                said.code = code(Key::LabelCelError);
            }
            if let Fault::AllPoolIncomplete { .. } = fault {
                said.code = "pool-incomplete";
            }
            if let Fault::AllPoolInvalid { .. } = fault {
                said.code = "pool-invalid";
            }
            if let Fault::ClaimLimit { .. } | Fault::RequestLimit { .. } = fault {
                said.code = "over-32";
            }
            if let Fault::ConstraintUnderAll { .. } = fault {
                said.code = "constraint";
            }
            let hint = self.fault_hint(explained, fault);
            if !hint.is_empty() {
                said.context = hint;
            }
            let mut why = self.fault(explained, fault);
            let of_device = matches!(fault, Fault::CelRuntime { .. });
            if let Some(found) = self.attempt.nodes.get(explained.node)
                && of_device
                && self.cluster().nodes.len() > 1
            {
                why = self.say(Key::OnNodes, &[("nodes", node(&found.node)), ("why", why)]);
            }
            return (why, said);
        }
        let text = self.attempt.message.clone().unwrap_or_default();
        (self.verbatim(&text), said)
    }

    /// The devices are there, and the API server does not take what the scheduler writes.
    fn pre_bind(&self, claim_full: bool) -> Phrase {
        let mut claims = self.attempt.claims.iter().map(|claim| &claim.claim);
        let full = claims.find(|claim| claim.status.reserved_for.len() >= MAX_CONSUMERS);
        let Some(claim) = full.filter(|_| claim_full) else {
            return self.verbatim(self.attempt.message.as_deref().unwrap_or_default());
        };
        let named = claim_ref(claim);
        let path = "status.reservedFor".to_owned();
        let count = claim.status.reserved_for.len().to_string();
        let count = Phrase::about(count, Subject::Field { object: named.clone(), path });
        let values = [("claim", object(&named)), ("count", count)];
        self.say(Key::ClaimFull, &values)
    }

    /// No node fits.
    fn unschedulable(&self) -> (Phrase, Said) {
        if self.attempt.nodes.is_empty() {
            return (
                self.words.word(Key::NoNodes).into(),
                self.said(Key::LabelNoNode, Family::Fault),
            );
        }
        let nodes = &self.attempt.nodes;
        let Some(diagnosis) = self.diagnosis else { return self.nodes() };
        let Diagnosis { explained, causes, never, .. } = diagnosis;
        let name = nodes.get(explained.node).map(|node| node.node.as_str()).unwrap_or_default();
        let speaker = Speaker { node: name, ..self.speaker };
        let first = causes.first();
        let mut said = self.said(Key::LabelRefused, Family::Rule);
        if let Some(cause) = first {
            said.family = cause.kind.family();
            said.code = cause.kind.code();
            self.words.word(cause.kind.label()).clone_into(&mut said.reason);
        }
        let mut why = match explained.fault() {
            Some(fault) if first.is_none() => self.fault(explained, fault),
            _ => speaker.causes(&explained.explanation, causes),
        };
        // Devices that are not there because their slice is refused.
        let mut slices =
            self.written.all_refused().filter(|refused| refused.object.kind == "ResourceSlice");
        let refused_slice = slices.next();
        let nothing = explained.explanation.requests.iter().all(|it| it.verdicts.is_empty());
        if let Some(refused) = refused_slice.as_ref().filter(|_| nothing) {
            return (self.refused(refused), self.said(Key::LabelRefused, Family::Fault));
        }
        let plain = why.to_string();
        let names_node = first.is_some_and(|cause| matches!(cause.kind, CauseKind::NoDevices));
        if nodes.len() > 1 && !names_node {
            why = self.say(Key::OnNodes, &[("nodes", node(name)), ("why", why)]);
        }
        said.context = speaker.context(&explained.explanation, causes, &self.attempt.pod);
        let held = |cause: &Cause| {
            let kind = &cause.kind;
            let counts = matches!(kind, CauseKind::Mixed { usable, .. } if *usable > 0);
            counts || matches!(kind, CauseKind::Conflict(_) | CauseKind::AllExclude { .. })
        };
        if said.context.is_empty() && *never && causes.iter().any(held) {
            said.context = self.words.word(Key::ContextNever).into();
        }
        if said.context.is_empty() && said.code == "tainted" && self.tolerates(causes) {
            let path = "spec.tolerations".to_owned();
            let subject = Subject::Field { object: self.attempt.pod.clone(), path };
            let who = Phrase::about(self.attempt.pod.name.clone(), subject);
            said.context = self.say(Key::ContextPodToleration, &[("who", who)]);
        }
        if said.context.is_empty() && self.is_prioritized() && Self::is_held(causes) {
            let note = Phrase::from(self.words.word(Key::ContextPreemption));
            let others = self.other_nodes();
            said.context =
                if others.is_empty() { note } else { note.then(" ".into()).then(others) };
        }
        if said.context.is_empty() {
            said.context = self.on_another_node(explained.node, &plain);
        }
        if let Some(refused) = refused_slice {
            let text = refusal(self.words, Key::ContextRefusedSlice, &refused);
            said.context = self.words.sentence(text);
        }
        if said.context.is_empty() {
            said.context = self.other_nodes();
        }
        (why, said)
    }

    /// Whether others hold what the Pod needs.
    fn is_held(causes: &[Cause]) -> bool {
        causes.iter().any(|cause| {
            matches!(cause.kind.code(), "in-use-committed" | "counters-short" | "capacity-short")
        })
    }

    /// Whether the Pod tolerates, as if they were a node's, the taints that keep its devices away.
    fn tolerates(&self, causes: &[Cause]) -> bool {
        let Some(pod) = self.pod() else { return false };
        let reasons = causes.iter().flat_map(|cause| match &cause.kind {
            CauseKind::Same { reasons } => reasons.as_slice(),
            CauseKind::AllBlocked { reason, .. } => std::slice::from_ref(reason),
            _ => &[],
        });
        reasons.into_iter().any(|reason| match reason {
            SkipReason::Tainted { key, value, effect } => {
                pod.tolerations.iter().any(|it| pod_tolerates(it, key, value, effect))
            }
            _ => false,
        })
    }

    /// Whether the Pod is given a priority: somebody expects preemption.
    fn is_prioritized(&self) -> bool {
        let mut sources = self.written.sources.iter();
        let Some(pod) = sources.find(|object| object.key() == self.attempt.pod) else {
            return false;
        };
        ["spec.priorityClassName", "spec.priority"].iter().any(|path| pod.spans.get(path).is_some())
    }
}

/// The stable code of a label that is not an allocator's.
fn code(label: Key) -> &'static str {
    match label {
        Key::LabelBinding => "binding",
        Key::LabelMissing => "missing",
        Key::LabelHeldBack => "held-back",
        Key::LabelRefused => "refused",
        Key::LabelNoNode => "no-node",
        Key::LabelClaimElsewhere => "claim-elsewhere",
        Key::LabelCelError => "cel-error",
        _ => "error",
    }
}

fn node(name: &str) -> Phrase {
    Phrase::about(name, Subject::Object(object_of("Node", "", name)))
}

fn object_of(kind: &str, namespace: &str, name: &str) -> ObjectRef {
    ObjectRef { kind: kind.to_owned(), namespace: namespace.to_owned(), name: name.to_owned() }
}
