//! What the search may leave out because it provably cannot change the answer.
//!
//! A failed call is remembered together with everything that it depended on, and with what leaky
//! releases leave behind. Where nothing can leak and no fault can end the search, candidates that
//! are alike in everything the claims can see stand for each other, and requests can be counted.

use std::collections::BTreeMap;

use super::capacity::PlanVerdict;
use super::constraint::{Constraint, Memory};
use super::run::{MAX_RESULTS, Run};
use super::search::{Call, Found};

/// Devices given back before anything is remembered: most searches are over by then.
const PATIENCE: u32 = 16;

/// Words that may be remembered in all, 16 bytes each.
const ROOM: usize = 1 << 20;

/// What a call depends on.
pub(super) type Key = Box<[i128]>;

/// What was proven so far.
#[derive(Debug, Default)]
pub(super) struct Proof {
    undone: u32,
    ground: Option<Ground>,
    failed: BTreeMap<Key, Failure>,
    words: usize,
}

/// What holds for the whole search.
#[derive(Debug)]
struct Ground {
    /// For each candidate its class, when candidates of a class stand for each other.
    classes: Option<Classes>,
    /// Whether a claim asks for admin access.
    admin: bool,
    leaks: bool,
}

#[derive(Debug)]
struct Classes {
    of: Vec<usize>,
    count: usize,
    /// For each class, whether its devices can be shared.
    shared: Vec<bool>,
    /// For each entry and class, whether its devices can be taken as far as they alone decide it.
    usable: Vec<bool>,
}

#[derive(Debug)]
struct Failure {
    found: Found,
    /// What the call left behind; `None` when it left nothing.
    state: Option<Box<State>>,
}

/// What a call can leave behind.
#[derive(Clone, Debug, PartialEq)]
struct State {
    candidates: Vec<(u32, Option<Box<[i128]>>)>,
    used: Vec<super::accounts::Used>,
    /// The claim of the call. Constraints of earlier claims are neither asked nor changed by it, and
    /// remember other things when the same devices were taken otherwise.
    claim: usize,
    /// For that claim and each later one.
    memories: Vec<Vec<Memory>>,
    marks: Vec<(usize, usize)>,
}

/// The claim of the call that a key is for.
fn claim_of(key: &Key) -> usize {
    key.first().map_or(0, |first| usize::try_from(first >> 64).unwrap_or_default())
}

impl Run<'_, '_> {
    /// Counts a device that was given back; after some, the search begins to remember.
    pub(super) fn note_undone(&mut self) {
        self.proof.undone = self.proof.undone.saturating_add(1);
        if self.proof.undone == PATIENCE && self.context.pruning == super::Pruning::Proven {
            self.reach_all();
            let ground = self.prove_ground();
            self.proof.ground = Some(ground);
        }
    }

    /// What a call depends on, once the search remembers.
    pub(super) fn key(&self, call: Call) -> Option<Key> {
        let ground = self.proof.ground.as_ref()?;
        let mut key = Vec::with_capacity(32);
        let small = |number: usize| i128::try_from(number).unwrap_or(i128::MAX);
        key.push(small(call.claim) << 64 | small(call.request));
        key.push(small(call.alternative) << 1 | i128::from(call.in_alternative));
        key.push(small(call.devices));
        match &ground.classes {
            Some(classes) => self.classes_key(classes, call.from, &mut key),
            None => self.exact_key(ground, call, &mut key),
        }
        for (number, used) in self.used.iter().enumerate() {
            for (counter, amount) in used.amounts.iter().enumerate() {
                if *amount != 0 {
                    key.push(small(number) << 64 | small(counter));
                    key.push(*amount);
                }
            }
        }
        // Earlier claims are done; later ones remember only what leaked.
        let claims = if ground.leaks { self.constraints.len() } else { call.claim + 1 };
        for constraints in self.constraints.iter().take(claims).skip(call.claim) {
            for constraint in constraints {
                constraint.write_memory(ground.classes.is_some(), &mut key);
            }
        }
        Some(key.into())
    }

    /// Candidates as they are.
    fn exact_key(&self, ground: &Ground, call: Call, key: &mut Vec<i128>) {
        let small = |number: usize| i128::try_from(number).unwrap_or(i128::MAX);
        key.push(small(call.from));
        let results = self.results.get(call.claim);
        key.push(small(results.map_or(0, Vec::len)));
        key.extend(self.marks.iter().map(|(number, claim)| small(*number) << 64 | small(*claim)));
        for (number, candidate) in self.candidates.iter().enumerate() {
            if candidate.taken > 0 {
                let own = ground.admin && self.taken_by_claim(number, call.claim);
                // What is left behind is put back as it was, with how often each is taken.
                let times = if ground.leaks { i128::from(candidate.taken) } else { 0 };
                key.push(times << 64 | small(number) << 2 | i128::from(own) << 1);
            }
            if let Some(amounts) = &candidate.tentative {
                key.push(small(number) << 2 | 1);
                key.extend(amounts.iter());
            }
        }
    }

    /// How many candidates of each class are taken, before and after where the call begins.
    fn classes_key(&self, classes: &Classes, from: usize, key: &mut Vec<i128>) {
        let mut free = vec![(0i128, 0i128); classes.count];
        let mut shares: Vec<(usize, bool, &[i128])> = Vec::new();
        for (number, (candidate, class)) in self.candidates.iter().zip(&classes.of).enumerate() {
            let Some((before, after)) = free.get_mut(*class) else { continue };
            if candidate.taken == 0 {
                *if number < from { before } else { after } += 1;
            }
            if let Some(amounts) = &candidate.tentative {
                shares.push((*class, number < from, amounts));
            }
        }
        key.extend(free.iter().map(|(before, after)| before << 64 | after));
        shares.sort_unstable();
        for (class, before, amounts) in shares {
            let class = i128::try_from(class).unwrap_or(i128::MAX);
            key.push(class << 1 | i128::from(before));
            key.extend(amounts);
        }
    }

    /// The answer of a call that failed before in the same state, with what it leaves behind.
    pub(super) fn recall(&mut self, key: &Key) -> Option<Found> {
        let failure = self.proof.failed.get(key)?;
        let found = failure.found;
        if let Some(state) = failure.state.clone() {
            self.restore(*state);
        }
        Some(found)
    }

    /// Remembers that a call failed.
    pub(super) fn remember(&mut self, key: Key, found: Found) {
        let Some(ground) = &self.proof.ground else { return };
        if found == Found::Yes || self.proof.words > ROOM {
            return;
        }
        let state = ground.leaks.then(|| Box::new(self.state(claim_of(&key))));
        let left = state.as_ref().map_or(0, |state| {
            state.candidates.len() * 2 + state.used.iter().map(|u| u.amounts.len()).sum::<usize>()
        });
        self.proof.words += key.len() + left + 8;
        self.proof.failed.insert(key, Failure { found, state });
    }

    fn state(&self, claim: usize) -> State {
        let candidates = self.candidates.iter();
        let memories = self.constraints.iter().skip(claim);
        State {
            candidates: candidates.map(|c| (c.taken, c.tentative.clone())).collect(),
            used: self.used.clone(),
            claim,
            memories: memories.map(|list| list.iter().map(Constraint::memory).collect()).collect(),
            marks: self.marks.clone(),
        }
    }

    fn restore(&mut self, state: State) {
        for (candidate, (taken, tentative)) in self.candidates.iter_mut().zip(state.candidates) {
            candidate.taken = taken;
            candidate.tentative = tentative;
        }
        self.marks = state.marks;
        // Accounts that were opened since then are unused.
        for (number, used) in self.used.iter_mut().enumerate() {
            *used = state.used.get(number).cloned().unwrap_or_default();
        }
        let changed = self.constraints.iter_mut().skip(state.claim);
        for (constraints, memories) in changed.zip(state.memories) {
            for (constraint, memory) in constraints.iter_mut().zip(memories) {
                constraint.set_memory(memory);
            }
        }
    }

    /// The class of a candidate, when another one of the same class would do as well or as badly.
    pub(super) fn interchangeable_class(&self, candidate: usize) -> Option<usize> {
        let classes = self.proof.ground.as_ref()?.classes.as_ref()?;
        let class = *classes.of.get(candidate)?;
        (classes.shared.get(class) == Some(&false)).then_some(class)
    }

    /// Whether some remaining request has too few candidates left, or all together have.
    pub(super) fn is_hopeless(&self, call: Call) -> bool {
        let Some(classes) = self.proof.ground.as_ref().and_then(|g| g.classes.as_ref()) else {
            return false;
        };
        let mut free = vec![0i64; classes.count];
        let mut free_from = vec![0i64; classes.count];
        for (number, (candidate, class)) in self.candidates.iter().zip(&classes.of).enumerate() {
            if candidate.taken > 0 {
                continue;
            }
            if let Some(count) = free.get_mut(*class) {
                *count += 1;
            }
            if number >= call.from
                && let Some(count) = free_from.get_mut(*class)
            {
                *count += 1;
            }
        }
        let mut wanted = 0;
        let mut reachable = vec![false; classes.count];
        let mut shares = false;
        for (claim, requests) in self.first_entry.iter().enumerate().skip(call.claim) {
            let first_request = if claim == call.claim { call.request } else { 0 };
            for request in first_request..requests.len() {
                let is_current = (claim, request) == (call.claim, call.request);
                let mut least: Option<i64> = None;
                for entry in self.entries_of(claim, request, is_current.then_some(call)) {
                    let need = self.requests.get(entry).map_or(0, |r| r.need);
                    let need = if is_current {
                        need - i64::try_from(call.devices).unwrap_or(i64::MAX)
                    } else {
                        need
                    };
                    let counts = if is_current { &free_from } else { &free };
                    let mut have = 0;
                    for (class, count) in counts.iter().enumerate() {
                        if classes.usable.get(entry * classes.count + class) == Some(&true) {
                            have += count;
                            if let Some(reachable) = reachable.get_mut(class) {
                                *reachable = true;
                            }
                            shares |= classes.shared.get(class) == Some(&true);
                        }
                    }
                    if have >= need {
                        least = Some(least.map_or(need, |least| least.min(need)));
                    }
                }
                match least {
                    None => return true,
                    Some(need) => wanted += need.max(0),
                }
            }
        }
        let total: i64 =
            free.iter().zip(&reachable).filter(|(_, r)| **r).map(|(count, _)| count).sum();
        !shares && wanted > total
    }

    /// The entries of a request that are still open to a call.
    fn entries_of(
        &self,
        claim: usize,
        request: usize,
        current: Option<Call>,
    ) -> std::ops::Range<usize> {
        let first = self.first_entry.get(claim).and_then(|requests| requests.get(request));
        let first = first.copied().unwrap_or_default();
        match current {
            Some(call) if call.in_alternative => {
                first + call.alternative..first + call.alternative + 1
            }
            Some(_) | None => first..first + self.alternatives(first),
        }
    }

    /// How many entries a request has, from its first one.
    pub(super) fn alternatives(&self, first: usize) -> usize {
        let Some(place) = self.requests.get(first).map(|request| request.place) else { return 0 };
        let of_request = |request: &&super::run::Request<'_>| {
            (request.place.claim, request.place.request) == (place.claim, place.request)
        };
        self.requests.iter().skip(first).take_while(of_request).count()
    }

    fn prove_ground(&mut self) -> Ground {
        let admin = self.requests.iter().any(|request| request.admin);
        let leaks = self.can_leak();
        let alike = !leaks && !admin && self.is_pure_search();
        let classes = if alike { self.classes() } else { None };
        Ground { classes, admin, leaks }
    }

    /// Whether giving back a device may leave something behind.
    fn can_leak(&self) -> bool {
        let counters = self.behavior.features.partitionable_devices;
        let leaky_device = |c: &super::run::Candidate<'_>| {
            c.multi || (counters && !c.device.consumes_counters.is_empty())
        };
        let rechecks = self.consumable
            && (self.behavior.capacity_of_wrong_device || self.requests.iter().any(|r| r.all));
        (self.behavior.reservation_leaks && (rechecks || self.candidates.iter().any(leaky_device)))
            || self.constraints.iter().enumerate().any(|(claim, constraints)| {
                constraints.iter().enumerate().any(|(position, constraint)| {
                    let most = self.requests.iter().filter(|request| {
                        request.place.claim == claim && request.applies.get(position) == Some(&true)
                    });
                    constraint.can_leak(most.map(|request| request.need).max().unwrap_or(0))
                })
            })
    }

    /// Whether the search is a question of yes or no: no fault, no limit, no mix-up can end it.
    fn is_pure_search(&self) -> bool {
        let behavior = self.behavior;
        let limit = i64::try_from(MAX_RESULTS).unwrap_or(i64::MAX);
        let within_limit = self.first_entry.iter().all(|requests| {
            let most = |first: &usize| {
                let entries = self.requests.iter().skip(*first).take(self.alternatives(*first));
                entries.map(|request| request.need).max().unwrap_or(0)
            };
            requests.iter().map(most).sum::<i64>() <= limit
        });
        within_limit
            && self.barriers.is_empty()
            && !behavior.all_alternative_loses_index
            && !behavior.capacity_of_wrong_device
            && !behavior.all_counters_crash
            && !self.requests.iter().any(|request| request.all && request.applies.contains(&true))
    }

    /// Sorts candidates into classes; `None` when a selector or a capacity request would fail on
    /// one of them.
    fn classes(&mut self) -> Option<Classes> {
        let observing = std::mem::replace(&mut self.observing, false);
        let classes = self.sort_into_classes();
        self.observing = observing;
        classes
    }

    fn sort_into_classes(&mut self) -> Option<Classes> {
        let entries = self.requests.len();
        let mut numbers: BTreeMap<Vec<i128>, usize> = BTreeMap::new();
        let mut of = Vec::with_capacity(self.candidates.len());
        let mut shared = Vec::new();
        let mut usable_by_class: Vec<Vec<bool>> = Vec::new();
        for candidate in 0..self.candidates.len() {
            let mut signature = Vec::new();
            let mut usable = Vec::with_capacity(entries);
            for entry in 0..entries {
                usable.push(self.sign_entry(entry, candidate, &mut signature)?);
            }
            self.sign_device(candidate, &mut signature);
            let next = numbers.len();
            let class = *numbers.entry(signature).or_insert(next);
            if class == next {
                shared.push(self.candidates.get(candidate).is_some_and(|c| c.multi));
                usable_by_class.push(usable);
            }
            of.push(class);
        }
        let count = numbers.len();
        let usable = (0..entries).flat_map(|entry| {
            let of_class = usable_by_class.iter();
            of_class.map(move |usable| usable.get(entry) == Some(&true))
        });
        Some(Classes { of, count, shared, usable: usable.collect() })
    }

    /// Writes down what a request sees of a candidate. Tells whether it can be taken as far as it
    /// alone decides that; `None` when something fails on it.
    fn sign_entry(
        &mut self,
        entry: usize,
        candidate: usize,
        signature: &mut Vec<i128>,
    ) -> Option<bool> {
        let matches = self.matches(entry, entry, candidate).ok()?.is_none();
        let plan = if self.consumable { self.plan(entry, candidate) } else { None };
        let multi = self.candidates.get(candidate)?.multi;
        let mut fits = true;
        if let Some(plan) = &plan {
            if matches!(plan.verdict, PlanVerdict::Fault(..) | PlanVerdict::Crash) {
                return None;
            }
            if multi {
                signature.push(i128::from(matches!(plan.verdict, PlanVerdict::Fine)));
                signature.extend(&plan.nanos);
            }
            fits = multi || self.unfit(entry, candidate, true).ok()?.is_none();
        }
        let state = self.candidates.get(candidate)?;
        let tolerated = self.untolerated(entry, state.device).is_none();
        let free = !state.committed.is_some_and(|used| used.dedicated);
        let listed = self.requests.get(entry)?.list.contains(&candidate);
        let usable = matches && fits && tolerated && free;
        signature.push(i128::from(usable) | i128::from(listed) << 1 | i128::from(matches) << 2);
        Some(usable)
    }

    /// Writes down what is the same for all requests.
    fn sign_device(&mut self, candidate: usize, signature: &mut Vec<i128>) {
        let refused = self.needs_node_operations(candidate);
        let Some(state) = self.candidates.get(candidate) else { return };
        let committed = state.committed;
        signature.push(
            i128::from(state.multi)
                | i128::from(refused) << 1
                | i128::from(committed.is_some_and(|used| used.shares > 0)) << 2
                | i128::from(committed.is_some_and(|used| used.consumed.is_some())) << 3
                | i128::from(!state.device.consumes_counters.is_empty()) << 4,
        );
        if state.multi {
            for (total, committed) in self.totals(candidate) {
                signature.extend([*total, *committed]);
            }
        }
        let counts = self
            .candidates
            .get(candidate)
            .is_some_and(|state| !state.device.consumes_counters.is_empty());
        if counts
            && self.behavior.features.partitionable_devices
            && let Some((account, draw)) = self.draw(candidate)
        {
            signature.push(i128::try_from(account).unwrap_or(i128::MAX));
            for (counter, amount) in draw.iter() {
                signature.extend([i128::try_from(*counter).unwrap_or(i128::MAX), *amount]);
            }
        }
        let Some(state) = self.candidates.get(candidate) else { return };
        let (driver, device) = (&state.slice.driver, state.device);
        for constraint in self.constraints.iter_mut().flatten() {
            constraint.value(candidate, driver, device).write(signature);
        }
    }
}
