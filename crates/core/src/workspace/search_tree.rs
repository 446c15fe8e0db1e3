//! The search for a Pod's devices in the form of the report.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::allocator::{CallOutcome, Place, SkipReason};
use crate::api::{DeviceConstraint, ResourceClaim};
use crate::apimachinery::quantity::Quantity;
use crate::explain::words::Key;
use crate::explain::{
    Entry, Explanation, Facts, Phrase, Reason, Recorder, RequestExplanation, SearchLog, Speaker,
    Step, device_phrase,
};
use crate::pool::DeviceId;
use crate::scheduler::{Inputs, Replay};

use super::analysis::{Shown, Tried};
use super::explained::is_allocators;
use super::phrases::{Wording, object_key_of, object_ref};
use super::report::{ObjectKey, SearchEntry, SearchState, SearchTree};

impl Shown<'_> {
    /// The search of a Pod's last attempt up to a step; `None` when none was made there.
    pub(super) fn search(&self, step: usize, pod: &ObjectKey, node: &str) -> Option<SearchTree> {
        let latest = self.latest(step);
        let tried = latest.get(&object_ref(pod))?;
        let wanted = if node.is_empty() { self.telling_node(tried)? } else { node.to_owned() };
        let attempt = tried.attempt;
        let at = attempt.nodes.iter().position(|it| it.node == wanted && it.searched)?;
        let inputs = Inputs::of(&attempt.before, self.env);
        let mut log = SearchLog::new();
        let replayed = Replay::new(&inputs, attempt, self.env).run(at, &mut log)?;
        let claims = replayed.claims;
        let borrowed: Vec<&ResourceClaim> = claims.iter().map(Rc::as_ref).collect();
        let outcome = &replayed.answer.outcome;
        let explanation = Explanation::new(&Recorder::new(), &borrowed, &[], outcome, None);
        let scene = self.scene_on(attempt, &self.scene(attempt), &wanted);
        let scenery = self.scenery(attempt, &scene.world, &claims);
        let mut tree = self.with_speaker(attempt, &claims, &scene, &wanted, |speaker| {
            let teller =
                Teller { speaker, explanation: &explanation, claims: &claims, wording: &scenery };
            teller.tree(&log)
        });
        tree.pod = object_key_of(&attempt.pod);
        tree.node = wanted;
        Some(tree)
    }

    /// The node that the sentence is about, else the one that was taken.
    fn telling_node(&self, tried: &Tried<'_>) -> Option<String> {
        let attempt = tried.attempt;
        if let Some(node) = attempt.outcome.node() {
            return Some(node.to_owned());
        }
        let told = self.diagnosis(tried).and_then(|found| attempt.nodes.get(found.explained.node));
        let searched = || attempt.nodes.iter().find(|node| is_allocators(node.status));
        told.or_else(searched).map(|node| node.node.clone())
    }
}

struct Teller<'a> {
    speaker: Speaker<'a>,
    explanation: &'a Explanation,
    claims: &'a [Rc<ResourceClaim>],
    wording: &'a dyn Wording,
}

impl Teller<'_> {
    fn tree(&self, log: &SearchLog) -> SearchTree {
        let mut tree = SearchTree { calls: log.calls(), ..SearchTree::default() };
        tree.states.push(SearchState::default());
        let mut calls: Vec<u64> = Vec::new();
        let mut next = 0;
        for entry in log.entries() {
            if entry.number > next {
                let missing = entry.number - next;
                tree.left_out += missing;
                let text = self
                    .speaker
                    .words
                    .say(Key::SearchGap, &[("count", Phrase::from(missing.to_string()))]);
                calls.truncate(entry.depth);
                tree.entries.push(SearchEntry {
                    kind: "gap".to_owned(),
                    depth: entry.depth,
                    call: calls.last().copied().unwrap_or_default(),
                    text: self.wording.phrase(&text),
                    state: 0,
                });
            }
            next = entry.number + 1;
            if Some(entry.number) == log.deepest() {
                tree.deepest = tree.entries.len();
            }
            calls.truncate(entry.depth);
            if let Step::Enter { call, .. } = &entry.what {
                calls.push(*call);
            }
            let state = self.state(&entry.held);
            if tree.states.last() != Some(&state) {
                tree.states.push(state);
            }
            let state = tree.states.len().saturating_sub(1);
            tree.entries.push(self.entry(entry, &calls, state));
        }
        tree
    }

    fn entry(&self, entry: &Entry, calls: &[u64], state: usize) -> SearchEntry {
        let (kind, mut text) = self.say(&entry.what);
        if let Step::Skipped { reason, .. } = &entry.what
            && self.leaks(reason, &entry.held)
        {
            text = self.speaker.words.say(Key::DetailCountersLeaked, &[("text", text)]);
        }
        SearchEntry {
            kind: kind.to_owned(),
            depth: entry.depth,
            call: calls.last().copied().unwrap_or_default(),
            text: self.wording.phrase(&text),
            state,
        }
    }

    /// Whether more of a counter is reserved than the taken devices draw: the release does not give
    /// back what it reserved for a device that a later check refused.
    fn leaks(&self, reason: &SkipReason, held: &[(Place, DeviceId)]) -> bool {
        let SkipReason::CountersShort { set, counter, used, .. } = reason else { return false };
        let amounts = held.iter().filter_map(|(_, it)| self.speaker.facts.draws(it, set, counter));
        let sum = amounts.fold(Quantity::default(), |sum, draw| sum.add(&draw));
        *used > sum
    }

    fn say(&self, step: &Step) -> (&'static str, Phrase) {
        let words = self.speaker.words;
        let named = |place: Place, device: &DeviceId| {
            [("device", device_phrase(device)), ("request", self.request_name(place).into())]
        };
        match step {
            Step::Enter { call, place, devices } => {
                let request = self.request_name(*place);
                let key = if request.is_empty() { Key::SearchEnd } else { Key::SearchEnter };
                let values = [
                    ("call", Phrase::from(call.to_string())),
                    ("request", request.into()),
                    ("number", devices.saturating_add(1).to_string().into()),
                ];
                ("enter", words.say(key, &values))
            }
            Step::Skipped { place, device, reason, count } => {
                let reason = Reason::Told(Rc::clone(reason));
                let why = match self.request(*place) {
                    Some(request) => self.speaker.reason_clause(request, device, &reason),
                    None => words.word(reason.label()).into(),
                };
                let more = count.saturating_sub(1);
                let key = if more > 0 { Key::SearchSkipMany } else { Key::SearchSkip };
                let values = [
                    ("device", device_phrase(device)),
                    ("why", why),
                    ("more", more.to_string().into()),
                ];
                ("skip", words.say(key, &values))
            }
            Step::Taken { place, device } => {
                ("take", words.say(Key::SearchTake, &named(*place, device)))
            }
            Step::Undone { place, device } => {
                ("undo", words.say(Key::SearchUndo, &named(*place, device)))
            }
            Step::Chosen { place } => {
                let name = self.request_name(*place);
                ("choose", words.say(Key::SearchChoose, &[("request", name.into())]))
            }
            Step::Pruned => ("prune", words.word(Key::SearchPrune).into()),
            Step::Leave { outcome } => match outcome {
                CallOutcome::Found => ("found", words.word(Key::SearchFound).into()),
                CallOutcome::None => ("fail", words.word(Key::SearchFail).into()),
                CallOutcome::TooMany => ("too-many", words.word(Key::SearchTooMany).into()),
            },
        }
    }

    fn request(&self, place: Place) -> Option<&RequestExplanation> {
        self.explanation.requests.iter().find(|request| request.place == place)
    }

    /// The name of a request, with its claim when there are several; empty behind the last one. A
    /// request with alternatives that is not yet at one of them has its own name.
    fn request_name(&self, place: Place) -> String {
        let Some(claim) = self.claims.get(place.claim) else { return String::new() };
        let Some(request) = claim.spec.requests.get(place.request) else { return String::new() };
        let sub = place.subrequest.and_then(|sub| request.first_available.get(sub));
        let name = match sub {
            Some(sub) => format!("{}/{}", request.name, sub.name),
            None => request.name.clone(),
        };
        if self.claims.len() > 1 { format!("{}: {name}", claim.metadata.name) } else { name }
    }

    fn state(&self, taken: &[(Place, DeviceId)]) -> SearchState {
        let facts = self.speaker.facts;
        let said = taken.iter().map(|(place, device)| {
            let values =
                [("device", device_phrase(device)), ("request", self.request_name(*place).into())];
            self.wording.phrase(&self.speaker.words.say(Key::SearchTaken, &values))
        });
        SearchState {
            taken: said.collect(),
            left: left(taken, facts),
            constraints: self.constraints(taken),
        }
    }

    /// For each constraint that has a device: the attribute and the values of its devices.
    fn constraints(&self, taken: &[(Place, DeviceId)]) -> Vec<String> {
        let facts = self.speaker.facts;
        let mut lines = Vec::new();
        for (index, claim) in self.claims.iter().enumerate() {
            for constraint in &claim.spec.constraints {
                let field = constraint.match_attribute.as_ref();
                let (name, attribute) = match (field, constraint.distinct_attribute.as_ref()) {
                    (Some(attribute), _) => ("matchAttribute", attribute),
                    (None, Some(attribute)) => ("distinctAttribute", attribute),
                    (None, None) => continue,
                };
                let held = taken.iter().filter(|(place, _)| {
                    place.claim == index && applies(constraint, claim, *place)
                });
                let values: Vec<String> = held
                    .map(|(_, device)| {
                        let value = facts.attribute(device, attribute);
                        format!("{} {}", device.device, value.unwrap_or_else(|| "-".to_owned()))
                    })
                    .collect();
                if !values.is_empty() {
                    lines.push(format!("{name} {attribute}: {}", values.join(", ")));
                }
            }
        }
        lines
    }
}

/// Whether a constraint is about a request or alternative.
fn applies(constraint: &DeviceConstraint, claim: &ResourceClaim, place: Place) -> bool {
    let Some(request) = claim.spec.requests.get(place.request) else { return false };
    let sub = place.subrequest.and_then(|sub| request.first_available.get(sub));
    constraint.requests.is_empty()
        || constraint.requests.iter().any(|name| match (name.split_once('/'), sub) {
            (None, _) => *name == request.name,
            (Some((parent, wanted)), Some(sub)) => parent == request.name && wanted == sub.name,
            (Some(_), None) => false,
        })
}

/// What the devices leave of the counters that they draw from.
fn left(taken: &[(Place, DeviceId)], facts: &dyn Facts) -> Vec<String> {
    let mut drawn: BTreeMap<(String, String, String), (Quantity, Quantity)> = BTreeMap::new();
    let mut seen: Vec<&DeviceId> = Vec::new();
    for (_, device) in taken {
        // The shares of one device draw once.
        if seen.contains(&device) {
            continue;
        }
        seen.push(device);
        for set in facts.counter_sets(device) {
            for counter in facts.counters(&device.pool_id(), &set) {
                let Some(draw) = facts.draws(device, &set, &counter.name) else { continue };
                let key = (device.pool.to_string(), set.clone(), counter.name.clone());
                let account = drawn
                    .entry(key)
                    .or_insert_with(|| (counter.left.clone(), counter.total.clone()));
                account.0 = account.0.sub(&draw);
            }
        }
    }
    drawn
        .into_iter()
        .map(|((_, set, counter), (left, total))| format!("{set} {counter}: {left} / {total}"))
        .collect()
}
