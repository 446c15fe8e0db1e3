use crate::api::AllocationResult;
use crate::features::InvalidPool;
use crate::pool::PoolState;

use super::capacity::PlanVerdict;
use super::prune::Key;
use super::run::{MAX_RESULTS, Run, Stop};
use super::take::{Need, Take};
use super::{CallOutcome, CapacityCheck, Event, Fault, Outcome, Place, ShareIds, SkipReason};

/// One entry of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) claim: usize,
    pub(super) request: usize,
    /// Which alternative, 0 for a request without alternatives.
    pub(super) alternative: usize,
    /// Devices that the request has already.
    pub(super) devices: usize,
    /// Whether the alternative is chosen already.
    pub(super) in_alternative: bool,
    /// The first candidate to try.
    pub(super) from: usize,
}

/// A frame and what its call depends on.
pub(super) struct Open {
    frame: Frame,
    key: Option<Key>,
}

/// A call that waits for the one it made.
#[derive(Debug)]
enum Frame {
    /// All requests of a claim are done.
    ClaimDone,
    /// A request is done.
    RequestDone,
    /// Alternatives are tried one after the other.
    Alternatives { call: Call, entry: usize, count: usize, only_too_many: bool },
    /// All devices of a list are taken.
    All { call: Call },
    /// Candidates are tried one after the other; `next` is the next one, `failed` the classes of
    /// those that were taken in vain.
    Candidates { call: Call, entry: usize, next: usize, failed: Vec<usize> },
}

/// What a call that tries candidates knows of those before.
struct Tried {
    /// The classes of those that were taken in vain.
    failed: Vec<usize>,
    key: Option<Key>,
}

/// How a call came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Found {
    Yes,
    No,
    TooMany,
}

/// What to do next: recursion is a list of frames, since its depth is the user's to choose.
enum Step {
    Enter(Call),
    Return(Found),
}

impl Run<'_, '_> {
    /// Searches and builds the result.
    pub(super) fn search(&mut self, share_ids: &mut dyn ShareIds) -> Outcome {
        match self.run_search() {
            Err(stop) => stop.into_outcome(),
            Ok(Found::TooMany) => Outcome::Fatal(Fault::MaxSizeExceeded),
            Ok(Found::No) => self.nothing_found(),
            Ok(Found::Yes) => match self.results_of_all(share_ids) {
                Ok(results) => Outcome::Allocated(results),
                Err(stop) => stop.into_outcome(),
            },
        }
    }

    fn nothing_found(&self) -> Outcome {
        let invalid = self.gathered.pools.iter().find_map(|pool| match &pool.state {
            PoolState::Invalid(reason) => Some((pool.id.clone(), reason.clone())),
            PoolState::Usable | PoolState::Incomplete { .. } => None,
        });
        match (invalid, self.behavior.invalid_pool) {
            (Some(reason), InvalidPool::NodeErrorWithReason) => {
                Outcome::NodeError(Fault::InvalidPools { reasons: Some(reason) })
            }
            (Some(_), InvalidPool::NodeError) => {
                Outcome::NodeError(Fault::InvalidPools { reasons: None })
            }
            (Some(_), InvalidPool::Fatal) | (None, _) => Outcome::NotAllocated,
        }
    }

    fn results_of_all(
        &mut self,
        share_ids: &mut dyn ShareIds,
    ) -> Result<Vec<AllocationResult>, Stop> {
        (0..self.claims.len()).map(|claim| self.result(claim, share_ids)).collect()
    }

    fn run_search(&mut self) -> Result<Found, Stop> {
        let mut step = Step::Enter(Call {
            claim: 0,
            request: 0,
            alternative: 0,
            devices: 0,
            in_alternative: false,
            from: 0,
        });
        loop {
            step = match step {
                Step::Enter(call) => {
                    self.count_call(call)?;
                    self.enter_or_recall(call)?
                }
                Step::Return(found) => {
                    self.report_leave(found);
                    match self.open.pop() {
                        None => return Ok(found),
                        Some(waiting) => self.resume(waiting, found)?,
                    }
                }
            };
        }
    }

    /// Enters a call unless it is known to fail.
    fn enter_or_recall(&mut self, call: Call) -> Result<Step, Stop> {
        let key = self.key(call);
        if let Some(key) = &key {
            let known = self.recall(key);
            let failed = known.or_else(|| self.is_hopeless(call).then_some(Found::No));
            if let Some(found) = failed {
                self.report_pruned();
                return Ok(Step::Return(found));
            }
        }
        self.enter(call, key)
    }

    fn report_pruned(&mut self) {
        if self.observing {
            self.observer.observe(Event::Pruned);
        }
    }

    fn count_call(&mut self, call: Call) -> Result<(), Stop> {
        if self.context.budget.is_some_and(|budget| self.calls >= budget) {
            return Err(Stop::Exhausted(self.calls));
        }
        self.calls += 1;
        if self.observing {
            let place = self.place(call);
            let event = Event::Enter { call: self.calls, place, devices: call.devices };
            self.observer.observe(event);
        }
        Ok(())
    }

    fn report_leave(&mut self, found: Found) {
        if self.observing {
            let outcome = match found {
                Found::Yes => CallOutcome::Found,
                Found::No => CallOutcome::None,
                Found::TooMany => CallOutcome::TooMany,
            };
            self.observer.observe(Event::Leave { outcome });
        }
    }

    fn place(&self, call: Call) -> Place {
        let subrequest = self
            .entry(call)
            .and_then(|entry| self.requests.get(entry))
            .filter(|request| request.parent.is_some() && call.in_alternative)
            .map(|_| call.alternative);
        Place { claim: call.claim, request: call.request, subrequest }
    }

    /// The number of a call's entry in the requests.
    fn entry(&self, call: Call) -> Option<usize> {
        let first = self.first_entry.get(call.claim)?.get(call.request)?;
        Some(first + call.alternative)
    }

    /// Enters a call; one that waits for another is put on top of the open ones.
    fn enter(&mut self, call: Call, key: Option<Key>) -> Result<Step, Stop> {
        let fails = |found| Ok(Step::Return(found));
        let start = Call {
            claim: call.claim,
            request: call.request + 1,
            alternative: 0,
            devices: 0,
            in_alternative: false,
            from: 0,
        };
        if call.claim >= self.claims.len() {
            return fails(Found::Yes);
        }
        let Some(entry) = self.entry(call) else {
            let next = Call { claim: call.claim + 1, request: 0, ..start };
            self.open.push(Open { frame: Frame::ClaimDone, key });
            return Ok(Step::Enter(next));
        };
        let Some(request) = self.requests.get(entry) else { return fails(Found::No) };
        if request.parent.is_some() && !call.in_alternative {
            let count = self.alternatives(entry);
            let frame = Frame::Alternatives { call, entry, count, only_too_many: true };
            let next = Call { in_alternative: true, from: 0, ..call };
            self.open.push(Open { frame, key });
            return Ok(Step::Enter(next));
        }
        if request.all && request.list.is_empty() {
            return fails(Found::No);
        }
        let devices = i64::try_from(call.devices).unwrap_or(i64::MAX);
        if devices >= request.need {
            self.open.push(Open { frame: Frame::RequestDone, key });
            return Ok(Step::Enter(start));
        }
        let room = MAX_RESULTS.saturating_sub(self.results.get(call.claim).map_or(0, Vec::len));
        if request.need - devices > i64::try_from(room).unwrap_or(i64::MAX) {
            return fails(Found::TooMany);
        }
        if !request.all {
            return self.try_candidates(call, entry, call.from, Tried { failed: Vec::new(), key });
        }
        let Some(candidate) = request.list.get(call.devices).copied() else {
            return fails(Found::No);
        };
        if self.take(entry, candidate, call.devices, Need::This)? == Take::Refused {
            return fails(Found::No);
        }
        // UPSTREAM: until 1.35 the search goes on with the first alternative.
        let alternative =
            if self.behavior.all_alternative_loses_index { 0 } else { call.alternative };
        let next = Call { alternative, devices: call.devices + 1, from: 0, ..call };
        self.open.push(Open { frame: Frame::All { call }, key });
        Ok(Step::Enter(next))
    }

    /// Goes on with a call after the one it made.
    fn resume(&mut self, waiting: Open, found: Found) -> Result<Step, Stop> {
        let Open { frame, key } = waiting;
        let found = match frame {
            Frame::ClaimDone if found == Found::TooMany => Found::No,
            Frame::ClaimDone | Frame::RequestDone => found,
            Frame::Alternatives { call, entry, count, only_too_many } => {
                let only_too_many = only_too_many && found == Found::TooMany;
                if found == Found::Yes {
                    self.choose(entry, call.alternative);
                    found
                } else if call.alternative + 1 < count {
                    let call = Call { alternative: call.alternative + 1, ..call };
                    let frame = Frame::Alternatives { call, entry, count, only_too_many };
                    self.open.push(Open { frame, key });
                    return Ok(Step::Enter(Call { in_alternative: true, from: 0, ..call }));
                } else if only_too_many {
                    Found::TooMany
                } else {
                    Found::No
                }
            }
            Frame::All { call } => {
                if found != Found::Yes {
                    self.undo(call.claim);
                }
                found
            }
            Frame::Candidates { call, entry, next, failed } => {
                if found != Found::Yes {
                    self.undo(call.claim);
                }
                if found == Found::No {
                    return self.try_candidates(call, entry, next, Tried { failed, key });
                }
                found
            }
        };
        self.conclude(key, found);
        Ok(Step::Return(found))
    }

    /// Remembers how a call came out.
    fn conclude(&mut self, key: Option<Key>, found: Found) {
        if let Some(key) = key {
            self.remember(key, found);
        }
    }

    fn choose(&mut self, entry: usize, alternative: usize) {
        if let Some(picked) = self.picked.get_mut(entry) {
            *picked = alternative;
        }
        if self.observing
            && let Some(request) = self.requests.get(entry)
        {
            let place = Place { subrequest: Some(alternative), ..request.place };
            self.observer.observe(Event::Chosen { place });
        }
    }

    /// Takes the first candidate from `next` on that can be had.
    fn try_candidates(
        &mut self,
        call: Call,
        entry: usize,
        next: usize,
        tried: Tried,
    ) -> Result<Step, Stop> {
        let Tried { mut failed, key } = tried;
        for candidate in next..self.width {
            self.reach(candidate);
            self.check_barrier(candidate)?;
            if self.is_candidate_refused(call, entry, candidate)? {
                continue;
            }
            let class = self.interchangeable_class(candidate);
            if class.is_some_and(|class| failed.contains(&class)) {
                continue;
            }
            if self.take(entry, candidate, call.devices, Need::Any)? == Take::Refused {
                continue;
            }
            failed.extend(class);
            let from = if self.behavior.request_restarts { 0 } else { candidate + 1 };
            let frame = Frame::Candidates { call, entry, next: candidate + 1, failed };
            self.open.push(Open { frame, key });
            return Ok(Step::Enter(Call { devices: call.devices + 1, from, ..call }));
        }
        self.check_barrier(self.width)?;
        // A call that took nothing is made again sooner than looked up.
        if next > call.from {
            self.conclude(key, Found::No);
        }
        Ok(Step::Return(Found::No))
    }

    /// Ends the search where an invalid pool stands among the candidates.
    fn check_barrier(&self, position: usize) -> Result<(), Stop> {
        match self.barriers.iter().find(|(at, _)| *at == position) {
            Some((_, fault)) => Err(Stop::fatal(fault.clone())),
            None => Ok(()),
        }
    }

    /// The checks before a candidate is taken.
    fn is_candidate_refused(
        &mut self,
        call: Call,
        entry: usize,
        candidate: usize,
    ) -> Result<bool, Stop> {
        let Some(request) = self.requests.get(entry) else { return Ok(true) };
        if request.admin {
            if self.taken_by_claim(candidate, call.claim) {
                self.skipped(entry, candidate, |_| SkipReason::InUseAdminSameClaim);
                return Ok(true);
            }
        } else if self.in_use(candidate) {
            self.skipped_in_use(entry, candidate);
            return Ok(true);
        }
        if let Some(reason) = self.matches(entry, entry, candidate)? {
            self.skipped(entry, candidate, |_| reason);
            return Ok(true);
        }
        if !self.consumable {
            return Ok(false);
        }
        let Some(plan) = self.plan(entry, candidate) else { return Ok(false) };
        if let PlanVerdict::Fault(..) = plan.verdict
            && let Some(claim) = self.claims.get(call.claim)
        {
            let device = self.id(candidate).to_string();
            let check = CapacityCheck::Checking;
            return Err(self.capacity_fault(claim, entry, candidate, check, device));
        }
        if let Some(reason) = self.unfit(entry, candidate, true)? {
            self.skipped(entry, candidate, |_| reason);
            return Ok(true);
        }
        Ok(false)
    }
}
