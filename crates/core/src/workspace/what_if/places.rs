//! Changes of where Pods and claims belong: nodes, labels and namespaces.

use crate::api::validate::ADMIN_LABEL;
use crate::apimachinery::{NodeSelectorOperator, ObjectRef};
use crate::explain::words::Key;
use crate::explain::{Cause, CauseKind, Phrase, Subject, object, taint_text};
use crate::scheduler::{CORDON_TAINT, NodeStatus, Rejection, untolerated};

use super::super::edits::merged;
use super::super::explained::is_allocators;
use super::super::report::Edit;
use super::pods::deletion;
use super::{Answer, New, Proposal, Search, changes};

/// Nodes, and labels, of which each pair is tried.
const LABELED: usize = 2;

impl Search<'_> {
    /// The Pod without its own choice of nodes.
    pub(super) fn other_nodes(&mut self) {
        let Some(pod) = self.pod() else { return };
        let key = self.case.attempt.pod.clone();
        let mut fields = Vec::new();
        if !pod.node_selector.is_empty() {
            fields.push("nodeSelector");
        }
        fields.push("affinity");
        for field in fields {
            let path = format!("spec.{field}");
            let Some(edits) = self.case.writer.replace(&key, &path, "{}") else { continue };
            let Answer::Fits(fits) = self.run(&edits, None, false) else { continue };
            let subject = Subject::Field { object: key.clone(), path };
            let values = [
                ("node", fits.node.as_str().into()),
                ("field", Phrase::about(field, subject)),
                ("who", object(&key)),
            ];
            let sentence = self.say(Key::FitsElsewhere, &values);
            let proposal = Proposal { kind: "other-node", ..deletion(sentence, edits) };
            self.found(proposal, &fits);
        }
    }

    /// Nodes with a label that slices or devices ask for.
    pub(super) fn labels(&mut self) {
        let unreachable = |cause: &Cause| matches!(cause.kind, CauseKind::NoDevices);
        if !self.case.causes.iter().any(unreachable) {
            return;
        }
        let cluster = &self.case.attempt.before;
        let slices = cluster.slices.iter().map(|slice| slice.value.as_ref());
        let selectors = slices.flat_map(|slice| {
            let of_devices = slice.devices.iter().filter_map(|it| it.node_selector.as_ref());
            slice.node_selector.iter().chain(of_devices)
        });
        let mut labels: Vec<(String, String)> = Vec::new();
        for term in selectors.flat_map(|selector| &selector.terms) {
            if let ([only], []) = (term.match_expressions.as_slice(), term.match_fields.as_slice())
                && matches!(only.operator, NodeSelectorOperator::In | NodeSelectorOperator::Exists)
            {
                labels.push((only.key.clone(), only.values.first().cloned().unwrap_or_default()));
            }
        }
        labels.dedup();
        let searched = self.case.attempt.nodes.iter();
        let nodes: Vec<ObjectRef> = searched
            .filter(|node| is_allocators(node.status))
            .map(|node| node_ref(&node.node))
            .take(LABELED)
            .collect();
        for (key, value) in labels.iter().take(LABELED) {
            for node in &nodes {
                let label = if value.is_empty() { key.clone() } else { format!("{key}={value}") };
                let values = [("node", object(node)), ("label", label.into())];
                let sentence = self.say(Key::FitsWithLabel, &values);
                let in_vain = Some(self.say(Key::VainLabel, &values));
                let known = cluster.nodes.get("", &node.name);
                let has = known.is_some_and(|it| it.value.metadata.labels.contains_key(key));
                let edits = self.label(node, has, key, value);
                self.propose(Proposal {
                    kind: "other-node",
                    in_vain,
                    at_end: false,
                    ..deletion(sentence, edits)
                });
            }
        }
    }

    /// A label written, or written anew.
    fn label(&self, object: &ObjectRef, has: bool, key: &str, value: &str) -> Vec<Edit> {
        let writer = self.case.writer;
        let scalar = New::Scalar(format!("{value:?}"));
        let edits = if has {
            writer.replace(object, &format!("metadata.labels[{key}]"), &format!("{value:?}"))
        } else {
            let added = writer.append(object, "metadata.labels", key, &scalar);
            let all = New::field(key, scalar);
            added.or_else(|| writer.append(object, "metadata", "labels", &all))
        };
        edits.unwrap_or_default()
    }

    /// `Fits if namespace of claim is team-a`.
    fn field(&mut self, owner: &ObjectRef, path: &str, value: &str) {
        let field = path.rsplit('.').next().unwrap_or_default();
        let subject = Subject::Field { object: owner.clone(), path: path.to_owned() };
        let values = [
            ("field", Phrase::about(field, subject)),
            ("who", object(owner)),
            ("value", value.into()),
        ];
        let sentence = self.say(Key::FitsIfSet, &values);
        let writer = self.case.writer;
        let parent = path.strip_suffix(field).unwrap_or_default().trim_end_matches('.');
        let edits = writer
            .replace(owner, path, value)
            .or_else(|| writer.append(owner, parent, field, &New::Scalar(value.to_owned())));
        let edits = edits.unwrap_or_default();
        self.propose(Proposal { kind: "fix", at_end: false, ..deletion(sentence, edits) });
    }

    /// `Fits if node-b is uncordoned`, which takes away the taint that came with the cordon.
    fn uncordon(&mut self, node: &ObjectRef) {
        let writer = self.case.writer;
        let Some(opened) = writer.replace(node, "spec.unschedulable", "false") else { return };
        let known = self.case.attempt.before.nodes.get("", &node.name);
        let taint = known.and_then(|known| {
            known.value.taints.iter().position(|taint| taint.key == CORDON_TAINT)
        });
        let freed = taint.and_then(|index| writer.remove_item(node, "spec.taints", index));
        let edits = merged(&opened, &freed.unwrap_or_default()).unwrap_or(opened);
        let sentence = self.say(Key::FitsIfUncordoned, &[("node", object(node))]);
        self.propose(Proposal { kind: "fix", at_end: false, ..deletion(sentence, edits) });
    }

    /// Nodes that are out for all Pods, or for those without a toleration.
    pub(super) fn open_nodes(&mut self) {
        let Some(pod) = self.pod() else { return };
        let attempt = self.case.attempt;
        let mut tried = 0;
        for node in attempt.nodes.iter() {
            let NodeStatus::Rejected(rejection) = node.status else { continue };
            let key = node_ref(&node.node);
            match rejection {
                Rejection::NodeUnschedulable if tried < LABELED => {
                    self.uncordon(&key);
                }
                Rejection::NodeTaint if tried < LABELED => {
                    let Some(known) = attempt.before.nodes.get("", &node.node) else { continue };
                    let Some(taint) = untolerated(&pod, &known.value) else { continue };
                    let text = taint_text(&taint.key, &taint.value, &taint.effect);
                    let sentence = self.say(Key::FitsIfTolerated, &[("taint", text.into())]);
                    let edits = changes::tolerate(
                        &attempt.pod,
                        "spec",
                        taint.key.as_str(),
                        &taint.effect,
                        self.case.writer,
                    );
                    let edits = edits.unwrap_or_default();
                    let kind = "tolerate";
                    self.propose(Proposal { kind, at_end: false, ..deletion(sentence, edits) });
                }
                _ => continue,
            }
            tried += 1;
        }
    }

    /// A claim or template that is in another namespace, or refused for want of a label of its own.
    pub(super) fn namespaces(&mut self) {
        let Some(pod) = self.pod() else { return };
        let cluster = &self.case.attempt.before;
        let namespace = &pod.metadata.namespace;
        let mut missing = false;
        for entry in &pod.resource_claims {
            let claim = entry.resource_claim_name.as_ref();
            let claim = claim.filter(|name| cluster.claims.get(namespace, name).is_none());
            let template = entry.resource_claim_template_name.as_ref();
            let template = template.filter(|name| cluster.templates.get(namespace, name).is_none());
            missing |= claim.is_some() || template.is_some();
            let mut claims = cluster.claims.iter().map(|it| &it.value.metadata);
            let mut templates = cluster.templates.iter().map(|it| &it.value.metadata);
            let claim = claim.and_then(|name| claims.find(|it| it.name == *name));
            let template = template.and_then(|name| templates.find(|it| it.name == *name));
            let other = template
                .map(|it| ("ResourceClaimTemplate", it))
                .or_else(|| claim.map(|it| ("ResourceClaim", it)));
            if let Some((kind, metadata)) = other {
                let owner = ObjectRef {
                    kind: kind.to_owned(),
                    namespace: metadata.namespace.clone(),
                    name: metadata.name.clone(),
                };
                self.field(&owner, "metadata.namespace", namespace);
            }
        }
        let Some(found) = cluster.namespaces.get("", namespace).filter(|_| missing) else { return };
        let labels = &found.value.metadata.labels;
        if labels.get(ADMIN_LABEL).is_some_and(|value| value == "true") {
            return;
        }
        let owner = ObjectRef {
            kind: "Namespace".to_owned(),
            namespace: String::new(),
            name: namespace.clone(),
        };
        let label = format!("{ADMIN_LABEL}=true");
        let values = [("node", object(&owner)), ("label", label.into())];
        let sentence = self.say(Key::FitsWithLabel, &values);
        let edits = self.label(&owner, labels.contains_key(ADMIN_LABEL), ADMIN_LABEL, "true");
        self.propose(Proposal { kind: "fix", at_end: false, ..deletion(sentence, edits) });
    }
}

fn node_ref(name: &str) -> ObjectRef {
    ObjectRef { kind: "Node".to_owned(), namespace: String::new(), name: name.to_owned() }
}
