//! Why Pods wait: from the answers of the scheduler to one sentence each.

use std::collections::BTreeMap;

use crate::allocator::{Fault, SelectorOwner};
use crate::api::Pod;
use crate::apimachinery::ObjectRef;
use crate::cluster::Cluster;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{CauseKind, Family, Phrase, Speaker, Subject, device_phrase, object};
use crate::scheduler::{Attempt, Fatal, NodeAttempt, NodeStatus, Outcome, Rejection};

use super::explained::{Explained, is_allocators, most_telling};

/// Why a Pod waits, in words.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub cause: Phrase,
    pub context: Phrase,
    /// A few words beside the status.
    pub reason: String,
    pub family: Family,
}

/// Why the Pod of an attempt waits; `None` when it does not.
pub(super) fn why(
    attempt: &Attempt,
    explained: &[Explained],
    speaker: Speaker<'_>,
) -> Option<Said> {
    let words = speaker.words;
    let told = Teller { attempt, explained, speaker, words };
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
        let why = self.say(Key::WaitsForConditions, &[("node", node(name))]);
        (why, self.said(Key::LabelBinding, Family::Held))
    }

    /// PreEnqueue holds the Pod back.
    fn not_queued(&self, reason: &str) -> (Phrase, Said) {
        if let Some(missing) = self.missing() {
            return (missing, self.said(Key::LabelMissing, Family::Fault));
        }
        (self.verbatim(reason), self.said(Key::LabelHeldBack, Family::Rule))
    }

    /// A claim or template that does not exist.
    fn missing(&self) -> Option<Phrase> {
        let pod = self.pod()?;
        let cluster = self.cluster();
        let namespace = &pod.metadata.namespace;
        for (index, entry) in pod.resource_claims.iter().enumerate() {
            let place = |field: &str| Subject::Field {
                object: self.attempt.pod.clone(),
                path: format!("spec.resourceClaims[{index}].{field}"),
            };
            if let Some(template) = &entry.resource_claim_template_name
                && cluster.templates.get(namespace, template).is_none()
            {
                let values = [
                    (
                        "template",
                        Phrase::about(template.clone(), place("resourceClaimTemplateName")),
                    ),
                    ("namespace", namespace.clone().into()),
                ];
                return Some(self.say(Key::TemplateMissing, &values));
            }
            if let Some(claim) = &entry.resource_claim_name
                && cluster.claims.get(namespace, claim).is_none()
            {
                let claim = Phrase::about(claim.clone(), place("resourceClaimName"));
                return Some(self.say(Key::ClaimMissing, &[("claim", claim)]));
            }
        }
        None
    }

    /// PreFilter refuses the Pod on all nodes.
    fn pre_filter(&self) -> (Phrase, Said) {
        if let Some(class) = self.missing_class() {
            return (class, self.said(Key::LabelMissing, Family::Fault));
        }
        let text = self.attempt.message.clone().unwrap_or_default();
        (self.verbatim(&text), self.said(Key::LabelRefused, Family::Rule))
    }

    /// The first class that a request names and that does not exist.
    fn missing_class(&self) -> Option<Phrase> {
        for claim in &self.attempt.claims {
            let spec = &claim.claim.spec;
            for (index, request) in spec.requests.iter().enumerate() {
                let exactly = request.exactly.iter().map(|exact| (exact, "exactly".to_owned()));
                let alternatives = request.first_available.iter().enumerate();
                let alternatives = alternatives
                    .map(|(sub, wish)| (&wish.request, format!("firstAvailable[{sub}]")));
                for (exact, inner) in exactly.chain(alternatives) {
                    let class = &exact.device_class_name;
                    if class.is_empty() || self.cluster().classes.get("", class).is_some() {
                        continue;
                    }
                    let subject = Subject::Field {
                        object: crate::explain::claim_ref(&claim.claim),
                        path: format!("spec.devices.requests[{index}].{inner}.deviceClassName"),
                    };
                    let class = Phrase::about(class.clone(), subject);
                    return Some(self.say(Key::ClassMissing, &[("class", class)]));
                }
            }
        }
        None
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
            Fatal::AllocatorError => {}
        }
        if self.attempt.nodes.len() > 1 {
            said.context = self.words.word(Key::ContextAborted).into();
        }
        if let Some(class) = self.missing_class() {
            return (class, self.said(Key::LabelMissing, Family::Fault));
        }
        let found =
            self.explained.iter().find_map(|explained| Some((explained, explained.fault()?)));
        if let Some((explained, fault)) = found {
            if matches!(fault, Fault::CelRuntime { .. } | Fault::CelCompile { .. }) {
                self.words.word(Key::LabelCelError).clone_into(&mut said.reason);
            }
            return (self.fault(explained, fault), said);
        }
        let text = self.attempt.message.clone().unwrap_or_default();
        (self.verbatim(&text), said)
    }

    fn fault(&self, explained: &Explained, fault: &Fault) -> Phrase {
        let (owner, selector, error, device) = match fault {
            Fault::CelRuntime { owner, selector, error, device } => {
                (owner, *selector, error, device.clone().or_else(|| failed_device(explained)))
            }
            Fault::CelCompile { owner, selector, error } => (owner, *selector, error, None),
            _ => return self.verbatim(&fault.to_string()),
        };
        let mut values = vec![
            ("owner", Self::owner(explained, owner, selector)),
            ("error", first_line(error).into()),
        ];
        if let Some(device) = device {
            values.push(("device", device_phrase(&device)));
            return self.say(Key::CelRuntime, &values);
        }
        self.say(Key::CelCompile, &values)
    }

    fn owner(explained: &Explained, owner: &SelectorOwner, selector: usize) -> Phrase {
        match owner {
            SelectorOwner::Class(name) => Phrase::about(
                name.clone(),
                Subject::Selector {
                    object: object_of("DeviceClass", "", name),
                    request: String::new(),
                    index: selector,
                },
            ),
            SelectorOwner::Claim(name) => {
                let (namespace, name) = name.split_once('/').unwrap_or(("", name));
                let claim = object_of("ResourceClaim", namespace, name);
                let request = failed_request(explained, &claim);
                let subject = Subject::Selector { object: claim, request, index: selector };
                Phrase::about(name, subject)
            }
        }
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
        let others = nodes.iter().filter(|node| !is_allocators(node.status)).count();
        let Some((explained, causes)) = most_telling(self.explained, self.speaker.facts) else {
            return self.nodes();
        };
        let name = nodes.get(explained.node).map(|node| node.node.as_str()).unwrap_or_default();
        let speaker = Speaker { node: name, ..self.speaker };
        let first = causes.first();
        let mut said = self.said(Key::LabelRefused, Family::Rule);
        if let Some(cause) = first {
            said.family = cause.kind.family();
            self.words.word(cause.kind.label()).clone_into(&mut said.reason);
        }
        let mut why = match explained.fault() {
            Some(fault) if first.is_none() => self.fault(explained, fault),
            _ => speaker.causes(&explained.explanation, &causes),
        };
        let names_node = first.is_some_and(|cause| matches!(cause.kind, CauseKind::NoDevices));
        if nodes.len() > 1 && !names_node {
            why = self.say(Key::OnNodes, &[("nodes", node(name)), ("why", why)]);
        }
        said.context = speaker.context(&explained.explanation, &causes, &self.attempt.pod);
        if said.context.is_empty() && others > 0 {
            let count = Phrase::from(others.to_string());
            let key = if others == 1 { Key::OtherNodesOne } else { Key::OtherNodes };
            let text = self.say(key, &[("count", count)]);
            said.context = self.words.sentence(text).capitalized();
        }
        (why, said)
    }

    /// No node got as far as the allocator.
    fn nodes(&self) -> (Phrase, Said) {
        let mut kinds: BTreeMap<u8, (Rejection, Vec<&NodeAttempt>)> = BTreeMap::new();
        for node in &self.attempt.nodes {
            if let NodeStatus::Rejected(rejection) = node.status {
                kinds.entry(rank(rejection)).or_insert((rejection, Vec::new())).1.push(node);
            }
        }
        let said = match kinds.values().next() {
            Some((Rejection::ClaimNotAvailable, _)) => {
                self.said(Key::LabelClaimElsewhere, Family::Held)
            }
            _ => self.said(Key::LabelNoNode, Family::Rule),
        };
        let mut why = Phrase::default();
        for (rejection, nodes) in kinds.values() {
            let names: Vec<Phrase> = nodes.iter().map(|found| node(&found.node)).collect();
            let values =
                [("nodes", self.words.list(&names, 3)), ("why", self.rejection(*rejection, nodes))];
            let clause = self.say(Key::OnNodes, &values);
            why = if why.is_empty() {
                clause
            } else {
                self.say(Key::Semicolon, &[("text", why), ("more", clause)])
            };
        }
        (why, said)
    }

    fn rejection(&self, rejection: Rejection, nodes: &[&NodeAttempt]) -> Phrase {
        let first = nodes.first();
        let text = || Phrase::from(first.map(|node| node.text.clone()).unwrap_or_default());
        match rejection {
            Rejection::ClaimNotAvailable => self.claim_elsewhere(),
            Rejection::NodeName => {
                let name = self.pod().and_then(|pod| pod.node_name.clone()).unwrap_or_default();
                self.say(Key::NodeName, &[("node", node(&name))])
            }
            Rejection::NodeAffinity => self.words.word(Key::NodeAffinity).into(),
            Rejection::NodeTaint => self.words.word(Key::NodeTaint).into(),
            Rejection::NodeUnschedulable => self.words.word(Key::NodeUnschedulable).into(),
            Rejection::NodeResources => self.say(Key::NodeResources, &[("text", text())]),
            Rejection::UnknownResource => self.words.word(Key::UnknownResource).into(),
            Rejection::CannotAllocate | Rejection::AllocatorError => {
                self.say(Key::Verbatim, &[("text", text())])
            }
        }
    }

    /// An allocated claim pins the Pod to nodes that it cannot use.
    fn claim_elsewhere(&self) -> Phrase {
        let allocated = self.attempt.claims.iter().find(|claim| {
            let allocation = claim.claim.status.allocation.as_ref();
            allocation.is_some_and(|allocation| allocation.node_selector.is_some())
        });
        let Some(claim) = allocated else { return self.words.word(Key::ClaimElsewhereBare).into() };
        let selector = claim.claim.status.allocation.iter().find_map(|a| a.node_selector.as_ref());
        let names: Vec<Phrase> = selector
            .iter()
            .flat_map(|selector| &selector.terms)
            .flat_map(|term| &term.match_fields)
            .filter(|field| field.key == "metadata.name")
            .flat_map(|field| &field.values)
            .map(|name| node(name))
            .collect();
        let claim = object(&crate::explain::claim_ref(&claim.claim));
        if names.is_empty() {
            let values = [("claim", claim), ("who", object(&self.attempt.pod))];
            return self.say(Key::ClaimElsewhereBare, &values);
        }
        self.say(Key::ClaimElsewhere, &[("claim", claim), ("nodes", self.words.list(&names, 3))])
    }
}

fn node(name: &str) -> Phrase {
    Phrase::about(name, Subject::Object(object_of("Node", "", name)))
}

/// The order in which kinds of rejections are told: what is about devices first.
fn rank(rejection: Rejection) -> u8 {
    match rejection {
        Rejection::CannotAllocate => 0,
        Rejection::AllocatorError => 1,
        Rejection::ClaimNotAvailable => 2,
        Rejection::UnknownResource => 3,
        Rejection::NodeName => 4,
        Rejection::NodeAffinity => 5,
        Rejection::NodeTaint => 6,
        Rejection::NodeUnschedulable => 7,
        Rejection::NodeResources => 8,
    }
}

fn object_of(kind: &str, namespace: &str, name: &str) -> ObjectRef {
    ObjectRef { kind: kind.to_owned(), namespace: namespace.to_owned(), name: name.to_owned() }
}

/// The device on which a selector failed, for releases whose error does not name it.
fn failed_device(explained: &Explained) -> Option<crate::pool::DeviceId> {
    let verdicts = explained.explanation.requests.iter().flat_map(|request| &request.verdicts);
    verdicts
        .filter(|verdict| verdict.reason.code() == "cel-error")
        .map(|verdict| verdict.device.clone())
        .next()
}

/// The request whose selector failed.
fn failed_request(explained: &Explained, claim: &ObjectRef) -> String {
    let requests = explained.explanation.requests.iter();
    let failed = requests.filter(|request| request.claim == *claim).find(|request| {
        request.verdicts.iter().any(|verdict| verdict.reason.code() == "cel-error")
    });
    failed.map(|request| request.name.clone()).unwrap_or_default()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
