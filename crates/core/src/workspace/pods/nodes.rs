//! What the nodes answered, one clause for those with the same answer.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{Container, IMPLICIT_PREFIX, Pod};
use crate::apimachinery::NodeSelector;
use crate::diagnostic::did_you_mean;
use crate::explain::words::Key;
use crate::explain::{Cause, CauseKind, Family, Phrase, Speaker, Subject, object, taint_text};
use crate::scheduler::{NodeAttempt, NodeStatus, Rejection, untolerated};

use super::super::explained::is_allocators;
use super::{Said, Teller, node, object_of};

impl Teller<'_> {
    /// Another reason on another node.
    pub(super) fn on_another_node(&self, told: usize, said: &str) -> Phrase {
        let others = self.explained.iter().filter(|other| other.node != told);
        for other in others.filter(|other| other.fault().is_none()) {
            let causes = crate::explain::causes(&other.explanation, self.speaker.facts);
            let nothing = |cause: &Cause| matches!(cause.kind, CauseKind::NoDevices);
            let Some(name) = self.attempt.nodes.get(other.node).map(|node| &node.node) else {
                continue;
            };
            let speaker = Speaker { node: name, ..self.speaker };
            let why = speaker.causes(&other.explanation, &causes);
            if why.is_empty() || causes.iter().any(nothing) || why.to_string() == said {
                continue;
            }
            let values = [("nodes", node(name)), ("why", why)];
            return self.words.sentence(self.say(Key::OnNodes, &values)).capitalized();
        }
        Phrase::default()
    }

    /// Nodes that are out before devices are looked at, and why when they share a reason.
    pub(super) fn other_nodes(&self) -> Phrase {
        let nodes = self.attempt.nodes.iter();
        let others: Vec<&NodeAttempt> =
            nodes.map(Rc::as_ref).filter(|node| !is_allocators(node.status)).collect();
        let Some(NodeAttempt { status: NodeStatus::Rejected(rejection), .. }) = others.first()
        else {
            return Phrase::default();
        };
        if others.iter().all(|node| node.status == NodeStatus::Rejected(*rejection)) {
            let names: Vec<Phrase> = others.iter().map(|found| node(&found.node)).collect();
            let values = [
                ("nodes", self.words.list(&names, 3)),
                ("why", self.rejection(*rejection, &others)),
            ];
            return self.words.sentence(self.say(Key::OnNodes, &values)).capitalized();
        }
        let count = Phrase::from(others.len().to_string());
        let key = if others.len() == 1 { Key::OtherNodesOne } else { Key::OtherNodes };
        self.words.sentence(self.say(key, &[("count", count)])).capitalized()
    }

    /// No node got as far as the allocator.
    pub(super) fn nodes(&self) -> (Phrase, Said) {
        let mut kinds: BTreeMap<u8, (Rejection, Vec<&NodeAttempt>)> = BTreeMap::new();
        for node in self.attempt.nodes.iter() {
            if let NodeStatus::Rejected(rejection) = node.status {
                kinds.entry(rank(rejection)).or_insert((rejection, Vec::new())).1.push(node);
            }
        }
        let mut said = match kinds.values().next() {
            Some((Rejection::ClaimNotAvailable, _)) => {
                self.said(Key::LabelClaimElsewhere, Family::Held)
            }
            _ => self.said(Key::LabelNoNode, Family::Rule),
        };
        said.context = self.similar_resource();
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
                let path = "spec.nodeName".to_owned();
                let subject = Subject::Field { object: self.attempt.pod.clone(), path };
                self.say(Key::NodeName, &[("node", Phrase::about(name, subject))])
            }
            Rejection::NodeAffinity => {
                let has_selector = self.pod().is_some_and(|pod| !pod.node_selector.is_empty());
                let field = if has_selector { "nodeSelector" } else { "affinity" };
                let path = format!("spec.{field}");
                let subject = Subject::Field { object: self.attempt.pod.clone(), path };
                Phrase::about(self.words.word(Key::NodeAffinity), subject)
            }
            Rejection::NodeTaint => self.node_taint(first.map(|node| node.node.as_str())),
            Rejection::NodeUnschedulable => self.words.word(Key::NodeUnschedulable).into(),
            Rejection::NodeResources => {
                let text = first.map(|node| node.text.as_str()).unwrap_or_default();
                let name = text.strip_prefix("Insufficient ").unwrap_or_default();
                let plugin = first.and_then(|node| self.of_plugin(&node.node, name));
                match self.resource(name) {
                    Some(subject) if plugin.is_some() => {
                        let amount = plugin.unwrap_or_default();
                        let values =
                            [("name", Phrase::about(name, subject)), ("amount", amount.into())];
                        self.say(Key::NodePlugin, &values)
                    }
                    Some(subject) if self.is_unknown(name) => {
                        self.say(Key::UnknownResource, &[("name", Phrase::about(name, subject))])
                    }
                    Some(subject) => {
                        self.say(Key::NodeResources, &[("text", Phrase::about(text, subject))])
                    }
                    None => self.say(Key::NodeResources, &[("text", text.into())]),
                }
            }
            Rejection::UnknownResource => {
                let asked = |name: &&String| self.is_unknown(name);
                let containers = self.pod().into_iter().flat_map(containers);
                let name = containers.flat_map(|(_, it)| it.requests.keys()).find(asked);
                let name = name.map(String::as_str).unwrap_or_default();
                let name = match self.resource(name) {
                    Some(subject) => Phrase::about(name, subject),
                    None => name.into(),
                };
                self.say(Key::UnknownResource, &[("name", name)])
            }
            Rejection::CannotAllocate | Rejection::AllocatorError => {
                self.say(Key::Verbatim, &[("text", text())])
            }
        }
    }

    /// How much of an extended resource that a class offers a node has by itself.
    fn of_plugin(&self, node: &str, resource: &str) -> Option<String> {
        let cluster = self.cluster();
        let mut classes = cluster.classes.iter().map(|it| &it.value);
        let offered =
            classes.any(|class| class.extended_resource_name.as_deref() == Some(resource));
        let amount = cluster.nodes.get("", node)?.value.allocatable.get(resource)?.to_string();
        (offered && amount != "0").then_some(amount)
    }

    /// The taint of a node that the Pod does not tolerate.
    fn node_taint(&self, name: Option<&str>) -> Phrase {
        let found = self.cluster().nodes.get("", name.unwrap_or_default());
        let taint = self.pod().zip(found).and_then(|(pod, it)| untolerated(pod, &it.value));
        let text = taint.map(|it| taint_text(&it.key, &it.value, &it.effect)).unwrap_or_default();
        let object = object_of("Node", "", name.unwrap_or_default());
        let subject = Subject::Field { object, path: "spec.taints".to_owned() };
        self.say(Key::NodeTaint, &[("taint", Phrase::about(text, subject))])
    }

    /// Where the Pod asks for a resource.
    fn resource(&self, name: &str) -> Option<Subject> {
        let mut asking = containers(self.pod()?).filter(|(_, it)| it.requests.contains_key(name));
        let (path, _) = asking.next()?;
        let path = format!("{path}.resources.requests[{name}]");
        Some(Subject::Field { object: self.attempt.pod.clone(), path })
    }

    /// Whether neither a class nor a node offers a resource.
    fn is_unknown(&self, name: &str) -> bool {
        let cluster = self.cluster();
        name.contains('/')
            && !cluster.classes.iter().any(|class| {
                let implicit = name.strip_prefix(IMPLICIT_PREFIX);
                class.value.extended_resource_name.as_deref() == Some(name)
                    || implicit == Some(class.value.metadata.name.as_str())
            })
            && !cluster.nodes.iter().any(|node| node.value.allocatable.contains_key(name))
    }

    /// A resource with a similar name that a class or a node offers, as a sentence.
    pub(super) fn similar_resource(&self) -> Phrase {
        let cluster = self.cluster();
        let containers = self.pod().into_iter().flat_map(containers);
        let mut names = containers.flat_map(|(_, it)| it.requests.keys());
        let Some(name) = names.find(|name| self.is_unknown(name)) else {
            return Phrase::default();
        };
        let classes = cluster.classes.iter();
        let of_classes = classes.filter_map(|it| it.value.extended_resource_name.as_deref());
        let nodes = cluster.nodes.iter();
        let of_nodes = nodes.flat_map(|it| it.value.allocatable.keys().map(String::as_str));
        match did_you_mean(name, of_classes.chain(of_nodes)) {
            Some(similar) => self.say(Key::ContextSimilarResource, &[("name", similar.into())]),
            None => Phrase::default(),
        }
    }

    /// An allocated claim pins the Pod to nodes that it cannot use.
    fn claim_elsewhere(&self) -> Phrase {
        let allocated = self.attempt.claims.iter().find(|claim| {
            let allocation = claim.claim.status.allocation.as_ref();
            allocation.is_some_and(|allocation| allocation.node_selector.is_some())
        });
        let Some(claim) = allocated else { return Phrase::default() };
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
            let whom = selector.map(NodeSelector::summary).unwrap_or_default();
            return self
                .say(Key::ClaimElsewhereSelected, &[("claim", claim), ("whom", whom.into())]);
        }
        self.say(Key::ClaimElsewhere, &[("claim", claim), ("nodes", self.words.list(&names, 3))])
    }
}

/// Containers with their paths.
fn containers(pod: &Pod) -> impl Iterator<Item = (String, &Container)> {
    let of = |list: &'static str| move |(at, it)| (format!("spec.{list}[{at}]"), it);
    let init = pod.init_containers.iter().enumerate().map(of("initContainers"));
    pod.containers.iter().enumerate().map(of("containers")).chain(init)
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
