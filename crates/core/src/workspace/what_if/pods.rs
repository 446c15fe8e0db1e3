//! Changes beside the requests: other Pods, and orders.

use std::collections::BTreeSet;

use crate::allocator::SkipReason;
use crate::api::Pod;
use crate::apimachinery::ObjectRef;
use crate::cluster::Made;
use crate::explain::words::Key;
use crate::explain::{Facts, Phrase, RequestExplanation, Subject, claim_ref, object};
use crate::scheduler::ClaimTask;

use super::super::edits::{apply, difference, write_step};
use super::super::phrases::object_key_of;
use super::super::report::{Edit, ExtraStep, Setting};
use super::super::trial::fits;
use super::{Proposal, Search};

/// Holders that are tried one by one.
const HOLDERS: usize = 8;
/// Pods that wait longer and are deleted with the holders.
const AHEAD: usize = 4;
/// Holders whose deletion is tried together with another change.
const HELD_BACK: usize = 3;
/// Neighbors in a list that change places.
const SWAPS: usize = 4;

impl Search<'_> {
    /// Pods that hold what the Pod needs, deleted one by one, then all together.
    pub(super) fn deleted_pods(&mut self) {
        let holders = self.holders();
        let mut found_one = false;
        for holder in holders.iter().take(HOLDERS) {
            if let Some(step) = self.gone_at(holder) {
                found_one |= self.later_step(holder, step);
                continue;
            }
            let edits = self.delete(std::slice::from_ref(holder));
            let sentence = self.say(Key::FitsIfDeleted, &[("pods", object(holder))]);
            found_one |= self.propose(Proposal { in_vain: None, ..deletion(sentence, edits) });
        }
        if found_one || holders.is_empty() || holders.iter().any(|pod| self.gone_at(pod).is_some())
        {
            return;
        }
        if let [holder] = holders.as_slice() {
            let in_vain = self.say(Key::VainDeleted, &[("pods", object(holder))]);
            self.tried.in_vain.push(in_vain);
        } else if self.deleted_together(&holders) {
            return;
        }
        // What becomes free goes to those that waited longer.
        let mut with_ahead = holders.clone();
        with_ahead.extend(self.ahead());
        if with_ahead.len() > holders.len() {
            self.deleted_together(&with_ahead);
        }
    }

    fn deleted_together(&mut self, pods: &[ObjectRef]) -> bool {
        let names: Vec<Phrase> = pods.iter().map(object).collect();
        let names = [("pods", self.case.words.list(&names, 4))];
        let in_vain = Some(self.say(Key::VainDeleted, &names));
        let sentence = self.say(Key::FitsIfDeletedMany, &names);
        let edits = self.delete(pods);
        self.propose(Proposal { in_vain, ..deletion(sentence, edits) })
    }

    /// Pods that wait and are tried before this one.
    fn ahead(&self) -> Vec<ObjectRef> {
        let pods = self.case.attempt.before.pods.iter();
        let key = &self.case.attempt.pod;
        let is_own =
            |pod: &Pod| pod.metadata.name == key.name && pod.metadata.namespace == key.namespace;
        pods.take_while(|pod| !is_own(&pod.value))
            .filter(|pod| pod.value.node_name.is_none() && pod.origin.made != Made::Hypothetical)
            .map(|pod| ObjectRef {
                kind: "Pod".to_owned(),
                namespace: pod.value.metadata.namespace.clone(),
                name: pod.value.metadata.name.clone(),
            })
            .take(AHEAD)
            .collect()
    }

    /// The later step after which a Pod is gone.
    fn gone_at(&self, pod: &ObjectRef) -> Option<usize> {
        // A claim that no Pod uses stays.
        if pod.kind != "Pod" {
            return None;
        }
        let steps = self.case.timeline.steps.iter().enumerate().skip(self.case.step + 1);
        let mut gone =
            steps.filter(|(_, step)| step.cluster.pods.get(&pod.namespace, &pod.name).is_none());
        gone.next().map(|(index, _)| index)
    }

    /// A later step deletes the holder already: whether the Pod has a node then.
    fn later_step(&mut self, holder: &ObjectRef, step: usize) -> bool {
        let record = self.case.timeline.steps.get(step);
        let Some(fits) = record.and_then(|it| fits(&it.cluster, &self.case.attempt.pod)) else {
            return false;
        };
        let sentence = self.say(Key::FitsIfDeleted, &[("pods", object(holder))]);
        let setting = Some(Setting::Step(step));
        self.found(Proposal { setting, ..deletion(sentence, Vec::new()) }, &fits);
        true
    }

    /// Steps that delete Pods, as one edit.
    fn delete(&self, pods: &[ObjectRef]) -> Vec<Edit> {
        let text = self.case.text;
        if let [pod] = pods {
            return write_step(text, &ExtraStep::Delete(object_key_of(pod)));
        }
        let changed = pods.iter().fold(text.to_owned(), |text, pod| {
            apply(&text, &write_step(&text, &ExtraStep::Delete(object_key_of(pod))))
        });
        difference(text, &changed)
    }

    /// Pods that hold accepted devices, draw from their counters, or pin a claim that is shared, in
    /// order of devices.
    fn holders(&self) -> Vec<ObjectRef> {
        let mut holders = of_devices(self.failing(), self.case.facts);
        let shared = self.case.attempt.claims.iter();
        for claim in shared.filter(|claim| claim.task == ClaimTask::UseAllocated) {
            let users = claim.claim.status.reserved_for.iter();
            holders.extend(users.filter(|user| user.resource == "pods").map(|user| ObjectRef {
                kind: "Pod".to_owned(),
                namespace: claim.claim.metadata.namespace.clone(),
                name: user.name.clone(),
            }));
        }
        self.others(holders)
    }

    /// Each but the Pod itself, once.
    fn others(&self, mut holders: Vec<ObjectRef>) -> Vec<ObjectRef> {
        let mut seen = BTreeSet::new();
        holders.retain(|pod| *pod != self.case.attempt.pod && seen.insert(pod.clone()));
        holders
    }

    /// Deletions for a Pod that something else keeps back as well: they cannot help alone.
    pub(super) fn held_back(&mut self) {
        let Some((explanation, facts)) = self.case.now else { return };
        let holders = self.others(of_devices(explanation.requests.iter(), facts));
        let mut deletions = Vec::new();
        for holder in holders.iter().take(HELD_BACK) {
            if self.gone_at(holder).is_none() {
                let sentence = self.say(Key::FitsIfDeleted, &[("pods", object(holder))]);
                deletions.push(deletion(sentence, self.delete(std::slice::from_ref(holder))));
            }
        }
        self.failed.splice(0..0, deletions);
    }

    /// Claims of the Pod, and requests of a claim, in another order.
    pub(super) fn other_order(&mut self) {
        let Some(pod) = self.pod() else { return };
        let key = self.case.attempt.pod.clone();
        let names: Vec<String> = pod.resource_claims.iter().map(|it| it.name.clone()).collect();
        let mut lists = vec![(key, "spec.resourceClaims".to_owned(), names)];
        let claims = self.case.attempt.claims.iter();
        for claim in claims.filter(|claim| claim.task == ClaimTask::Allocate) {
            let (owner, requests) = (claim_ref(&claim.claim), &claim.claim.spec.requests);
            let names = requests.iter().map(|it| it.name.clone()).collect();
            lists.push((owner.clone(), "spec.devices.requests".to_owned(), names));
            for (at, request) in requests.iter().enumerate() {
                let names = request.first_available.iter().map(|it| it.name.clone()).collect();
                let list = format!("spec.devices.requests[{at}].firstAvailable");
                lists.push((owner.clone(), list, names));
            }
        }
        let (mut tried, mut helps) = (false, false);
        for (owner, list, names) in lists {
            let neighbors = names.iter().zip(names.iter().skip(1)).enumerate();
            for (index, (first, second)) in neighbors.take(SWAPS) {
                let Some(edits) = self.case.writer.swap_items(&owner, &list, index) else {
                    continue;
                };
                let name = |name: &String, at: usize| {
                    let path = format!("{list}[{at}]");
                    Phrase::about(name.clone(), Subject::Field { object: owner.clone(), path })
                };
                let values = [("first", name(first, index)), ("second", name(second, index + 1))];
                let sentence = self.say(Key::FitsInOrder, &values);
                tried = true;
                helps |= self.propose(Proposal {
                    kind: "order",
                    at_end: false,
                    ..deletion(sentence, edits)
                });
            }
        }
        if tried && !helps {
            let in_vain = self.say(Key::VainOrder, &[]);
            self.tried.in_vain.push(in_vain);
        }
    }
}

/// Who holds accepted devices or draws from their counters.
fn of_devices<'a>(
    requests: impl Iterator<Item = &'a RequestExplanation>,
    facts: &dyn Facts,
) -> Vec<ObjectRef> {
    let mut holders = Vec::new();
    for request in requests {
        for verdict in request.verdicts.iter().filter(|v| v.accepted != Some(false)) {
            let of_device = match verdict.reason.told() {
                Some(SkipReason::InUseCommitted | SkipReason::CapacityShort { .. }) => {
                    facts.holders(&verdict.device)
                }
                Some(SkipReason::CountersShort { set, counter, .. }) => {
                    facts.counter_holders(&verdict.device.pool_id(), set, counter)
                }
                _ => Vec::new(),
            };
            holders.extend(of_device.into_iter().map(|holder| holder.pod.unwrap_or(holder.claim)));
        }
    }
    holders
}

pub(super) fn deletion(sentence: Phrase, edits: Vec<Edit>) -> Proposal {
    let kind = "delete-pod";
    Proposal { kind, sentence, in_vain: None, edits, setting: None, at_end: true }
}
