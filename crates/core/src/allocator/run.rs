use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use crate::api::{Device, DeviceClass, ExactRequest, Node, ResourceClaim, ResourceSlice};
use crate::features::{Behavior, InvalidPool};
use crate::pool::{DeviceId, Gathered, Pool, PoolState, SliceIndex, device_matches_node};

use super::accounts::{Accounts, Draw, Nanos, Source, Used, nanos};
use super::capacity::{Plan, plan};
use super::constraint::Constraint;
use super::context::Context;
use super::prune::Proof;
use super::search::Open;
use super::state::DeviceUse;
use super::verdicts::SelectorFailure;
use super::{Crash, Event, Fault, Observer, Outcome, Place, SelectorOwner, SkipReason};

/// The largest number of devices in one claim's result.
pub(super) const MAX_RESULTS: usize = 32;

/// One allocation for one node.
pub(super) struct Run<'r, 'a> {
    pub(super) context: Context<'a>,
    pub(super) behavior: &'a Behavior,
    pub(super) index: &'a SliceIndex,
    pub(super) accounts: &'r mut Accounts<'a>,
    pub(super) node: &'r Node,
    pub(super) claims: &'r [&'r ResourceClaim],
    pub(super) gathered: &'r Gathered,
    /// Devices of usable pools, in the order in which they are tried, as far as they were reached.
    pub(super) candidates: Vec<Candidate<'a>>,
    /// Number of all candidates.
    pub(super) width: usize,
    next: Next<'a>,
    /// Positions among the candidates at which the search ends with a fault.
    pub(super) barriers: Vec<(usize, Fault)>,
    /// Requests and subrequests, in order.
    pub(super) requests: Vec<Request<'r>>,
    /// Numbers of selectors.
    pub(super) selectors: Vec<usize>,
    /// For each claim and request, the number of its first entry in `requests`.
    pub(super) first_entry: Vec<Vec<usize>>,
    /// For each entry and candidate, whether selectors and node match.
    pub(super) matches: Vec<Match>,
    /// For each entry and candidate, what is consumed; filled as far as it was asked for.
    plans: Vec<Option<Rc<Plan>>>,
    /// Calls that wait for others, the innermost last.
    pub(super) open: Vec<Open>,
    /// Constraints of each claim up to the last one that has some.
    pub(super) constraints: Vec<Vec<Constraint<'r>>>,
    /// What is used of each account.
    pub(super) used: Vec<Used>,
    /// Devices taken for each claim.
    pub(super) results: Vec<Vec<Pick>>,
    /// Candidates that leaky releases left marked as taken, each with the claim; sorted.
    pub(super) marks: Vec<(usize, usize)>,
    /// For each first entry of a request, the alternative that was chosen.
    pub(super) picked: Vec<usize>,
    pub(super) calls: u64,
    pub(super) proof: Proof,
    pub(super) observer: &'r mut dyn Observer,
    pub(super) observing: bool,
    /// Whether the gate for consumable capacity is on and the variant knows it.
    pub(super) consumable: bool,
}

/// Lists of an allocation, handed from one to the next so that their memory is asked for once.
#[derive(Default)]
pub(super) struct Scratch<'a> {
    candidates: Vec<Candidate<'a>>,
    matches: Vec<Match>,
    plans: Vec<Option<Rc<Plan>>>,
    open: Vec<Open>,
    used: Vec<Used>,
    results: Vec<Vec<Pick>>,
    picked: Vec<usize>,
    selectors: Vec<usize>,
    first_entry: Vec<Vec<usize>>,
}

impl fmt::Debug for Scratch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}

/// Where the device stands that becomes the next candidate.
#[derive(Clone, Copy, Debug, Default)]
struct Next<'a> {
    pool: usize,
    slice: usize,
    device: usize,
    /// What earlier claims have of the pool.
    uses: Option<&'a BTreeMap<String, DeviceUse>>,
}

/// A device that can be tried, with what the allocation did to it.
pub(super) struct Candidate<'a> {
    /// Position of its pool among those gathered.
    pub(super) pool: usize,
    pub(super) slice_number: usize,
    pub(super) slice: &'a ResourceSlice,
    /// Position in the slice.
    pub(super) position: usize,
    pub(super) device: &'a Device,
    /// Number of the device for selector verdicts.
    number: usize,
    /// Whether it can be shared.
    pub(super) multi: bool,
    /// What earlier claims have of it.
    pub(super) committed: Option<&'a DeviceUse>,
    /// How many claims of this attempt took it for themselves.
    pub(super) taken: u32,
    /// Capacity consumed by shares of this attempt; present while the device counts as in use.
    pub(super) tentative: Option<Box<[Nanos]>>,
    /// Published and committed amounts of its capacities, by name.
    totals: OnceCell<Box<[(Nanos, Nanos)]>>,
    /// Account and draw of its counters.
    draw: OnceCell<(usize, Rc<Draw>)>,
    id: OnceCell<Box<DeviceId>>,
}

/// A request or subrequest with what it needs.
pub(super) struct Request<'r> {
    pub(super) place: Place,
    pub(super) spec: &'r ExactRequest,
    /// Bare name of the request or subrequest.
    pub(super) name: &'r str,
    /// Name of the request it is an alternative of.
    pub(super) parent: Option<&'r str>,
    pub(super) class: Rc<DeviceClass>,
    /// Where the numbers of its selectors are: those of the class, then its own.
    pub(super) selectors: Range<usize>,
    pub(super) admin: bool,
    pub(super) all: bool,
    /// Devices it needs.
    pub(super) need: i64,
    /// The devices it needs, when it wants all.
    pub(super) list: Vec<usize>,
    /// For each constraint of the claim, whether it applies.
    pub(super) applies: Vec<bool>,
}

/// Whether selectors and node match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    NotAsked,
    No,
    Yes,
}

/// A device that was taken, and what has to be undone to give it back.
#[derive(Clone, Debug)]
pub(super) struct Pick {
    /// Number of the entry in the requests.
    pub(super) entry: usize,
    pub(super) candidate: usize,
    pub(super) reserved: bool,
    pub(super) plan: Option<Rc<Plan>>,
    pub(super) was_in_use: bool,
}

/// Why an allocation ends before its search does.
pub(super) enum Stop {
    Fatal(Box<Fault>),
    Node(Box<Fault>),
    Crash(Crash),
    Exhausted(u64),
}

impl Stop {
    pub(super) fn fatal(fault: Fault) -> Self {
        Self::Fatal(Box::new(fault))
    }

    pub(super) fn node(fault: Fault) -> Self {
        Self::Node(Box::new(fault))
    }

    pub(super) fn into_outcome(self) -> Outcome {
        match self {
            Self::Fatal(fault) => Outcome::Fatal(*fault),
            Self::Node(fault) => Outcome::NodeError(*fault),
            Self::Crash(crash) => Outcome::Crash(crash),
            Self::Exhausted(search_calls) => Outcome::Exhausted { search_calls },
        }
    }
}

impl Request<'_> {
    /// `request` or `request/subrequest`.
    pub(super) fn full_name(&self) -> String {
        match self.parent {
            Some(parent) => [parent, "/", self.name].concat(),
            None => self.name.to_owned(),
        }
    }

    /// Name of the request itself, and of the subrequest if it is one.
    pub(super) fn names(&self) -> (&str, Option<&str>) {
        match self.parent {
            Some(parent) => (parent, Some(self.name)),
            None => (self.name, None),
        }
    }
}

/// `namespace/name`, or the name alone.
pub(super) fn claim_name(claim: &ResourceClaim) -> String {
    if claim.metadata.namespace.is_empty() {
        claim.metadata.name.clone()
    } else {
        [&*claim.metadata.namespace, "/", &*claim.metadata.name].concat()
    }
}

impl<'r, 'a> Run<'r, 'a> {
    pub(super) fn new(
        context: Context<'a>,
        accounts: &'r mut Accounts<'a>,
        scratch: Scratch<'a>,
        on: (&'r Node, &'r Gathered),
        claims: &'r [&'r ResourceClaim],
        observer: &'r mut dyn Observer,
    ) -> Self {
        let Scratch { candidates, matches, plans, open, used, picked, selectors, .. } = scratch;
        let (mut results, mut first_entry) = (scratch.results, scratch.first_entry);
        results.resize_with(claims.len(), Vec::new);
        first_entry.resize_with(claims.len(), Vec::new);
        let (node, gathered) = on;
        let observing = observer.is_interested();
        let behavior = context.behavior;
        let mut run = Self {
            context,
            behavior,
            index: context.ground.index(),
            accounts,
            node,
            claims,
            gathered,
            candidates,
            width: 0,
            next: Next::default(),
            barriers: Vec::new(),
            requests: Vec::new(),
            selectors,
            first_entry,
            matches,
            plans,
            open,
            constraints: Vec::new(),
            used,
            results,
            marks: Vec::new(),
            picked,
            calls: 0,
            proof: Proof::default(),
            observer,
            observing,
            consumable: behavior.models_capacity(),
        };
        run.count_candidates();
        run
    }

    /// Its lists, emptied.
    pub(super) fn into_scratch(self) -> Scratch<'a> {
        let Self {
            mut candidates,
            mut matches,
            mut plans,
            mut open,
            mut used,
            mut results,
            mut picked,
            mut selectors,
            mut first_entry,
            ..
        } = self;
        candidates.clear();
        matches.clear();
        plans.clear();
        open.clear();
        used.clear();
        picked.clear();
        selectors.clear();
        results.iter_mut().for_each(Vec::clear);
        first_entry.iter_mut().for_each(Vec::clear);
        Scratch { candidates, matches, plans, open, used, results, picked, selectors, first_entry }
    }

    /// Counts the candidates and finds where invalid pools stand among them.
    fn count_candidates(&mut self) {
        for pool in &self.gathered.pools {
            if self.is_used(pool) {
                let slices = pool.slices.iter().filter_map(|slice| self.index.slice(*slice));
                self.width += slices.map(|slice| slice.devices.len()).sum::<usize>();
            } else if let PoolState::Invalid(reason) = &pool.state
                && self.behavior.invalid_pool == InvalidPool::Fatal
            {
                let (pool, reason) = (pool.id.clone(), reason.clone());
                self.barriers.push((self.width, Fault::InvalidPoolReached { pool, reason }));
            }
        }
    }

    /// Whether devices of a pool are tried.
    fn is_used(&self, pool: &Pool) -> bool {
        match &pool.state {
            PoolState::Usable => true,
            PoolState::Incomplete { .. } => self.behavior.incomplete_exact_usable,
            PoolState::Invalid(_) => false,
        }
    }

    /// Makes the candidates ready up to one: most attempts need but the first ones.
    pub(super) fn reach(&mut self, candidate: usize) {
        while self.candidates.len() <= candidate {
            let Some(pool) = self.gathered.pools.get(self.next.pool) else { return };
            let slice_number = pool.slices.get(self.next.slice).filter(|_| self.is_used(pool));
            let Some(slice_number) = slice_number.copied() else {
                self.next = Next { pool: self.next.pool + 1, ..Next::default() };
                continue;
            };
            let slice = self.index.slice(slice_number);
            let Some((slice, device)) =
                slice.and_then(|slice| Some((slice, slice.devices.get(self.next.device)?)))
            else {
                self.next = Next { slice: self.next.slice + 1, device: 0, ..self.next };
                continue;
            };
            if self.next.device == 0 {
                self.next.uses = self.context.allocated.pool(&pool.id);
            }
            let position = self.next.device;
            self.next.device += 1;
            self.candidates.push(Candidate {
                pool: self.next.pool,
                slice_number,
                slice,
                position,
                device,
                number: self.index.first_device(slice_number) + position,
                multi: self.consumable && device.allow_multiple_allocations == Some(true),
                committed: self.next.uses.and_then(|uses| uses.get(&device.name)),
                taken: 0,
                tentative: None,
                totals: OnceCell::new(),
                draw: OnceCell::new(),
                id: OnceCell::new(),
            });
        }
    }

    /// Makes all candidates ready.
    pub(super) fn reach_all(&mut self) {
        self.reach(self.width);
    }

    pub(super) fn search_calls(&self) -> u64 {
        self.calls
    }

    /// The id of a candidate.
    pub(super) fn id(&self, candidate: usize) -> DeviceId {
        self.id_ref(candidate).cloned().unwrap_or_else(|| DeviceId::new("", "", ""))
    }

    fn id_ref(&self, candidate: usize) -> Option<&DeviceId> {
        let candidate = self.candidates.get(candidate)?;
        let pool = self.gathered.pools.get(candidate.pool)?;
        Some(candidate.id.get_or_init(|| Box::new(pool.id.device(&candidate.device.name))))
    }

    /// Reports that a candidate was refused.
    pub(super) fn skipped(
        &mut self,
        entry: usize,
        candidate: usize,
        reason: impl FnOnce(&Self) -> SkipReason,
    ) {
        if !self.observing {
            return;
        }
        let Some(request) = self.requests.get(entry) else { return };
        let place = request.place;
        let reason = reason(self);
        let id = self.id(candidate);
        self.observer.observe(Event::Skipped { place, device: &id, reason: &reason });
    }

    /// Whether an earlier claim has the candidate for itself, or a claim of this attempt took it.
    pub(super) fn in_use(&self, candidate: usize) -> bool {
        self.candidates.get(candidate).is_some_and(|state| {
            let refused_over = |used: &DeviceUse| {
                used.shares > 0 && !state.multi && !self.behavior.dedicated_over_live_share
            };
            state.taken > 0
                || state.committed.is_some_and(|used| used.dedicated || refused_over(used))
        })
    }

    /// Reports that a candidate is in use, and who has it.
    pub(super) fn skipped_in_use(&mut self, entry: usize, candidate: usize) {
        self.skipped(entry, candidate, |run| {
            let state = run.candidates.get(candidate);
            if state.and_then(|state| state.committed).is_some_and(|used| used.dedicated) {
                return SkipReason::InUseCommitted;
            }
            let holder = |picks: &Vec<Pick>| picks.iter().any(|pick| pick.candidate == candidate);
            let claim = run.results.iter().position(holder).unwrap_or_default();
            SkipReason::InUseThisPod { claim }
        });
    }

    /// Whether a claim has a device that cannot be shared, under admin access or not.
    pub(super) fn taken_by_claim(&self, candidate: usize, claim: usize) -> bool {
        self.candidates.get(candidate).is_some_and(|state| state.taken > 0)
            && (self.marks.contains(&(candidate, claim))
                || self
                    .results
                    .get(claim)
                    .is_some_and(|picks| picks.iter().any(|pick| pick.candidate == candidate)))
    }

    /// Whether selectors and node match, and if not, why.
    ///
    /// `verdict_entry` is where the answer is remembered; it differs from `entry` in releases that
    /// mix up alternatives.
    pub(super) fn matches(
        &mut self,
        entry: usize,
        verdict_entry: usize,
        candidate: usize,
    ) -> Result<Option<SkipReason>, Stop> {
        let slot = verdict_entry * self.width + candidate;
        let Some(state) = self.candidates.get(candidate) else { return Ok(None) };
        let conditions = |device: &Device| {
            device.binding_conditions.as_ref().is_some_and(|conditions| !conditions.is_empty())
        };
        if !self.behavior.models_binding() && conditions(state.device) {
            return Ok(Some(SkipReason::BindingUnsupported));
        }
        match self.matches.get(slot) {
            Some(Match::Yes) => return Ok(None),
            // The reason is only for observers; who refused is looked up again for them.
            Some(Match::No) if self.observing => return self.evaluate(verdict_entry, candidate),
            Some(Match::No) => return Ok(Some(SkipReason::DeviceOtherNode)),
            Some(Match::NotAsked) | None => {}
        }
        let reason = self.evaluate(entry, candidate)?;
        if let Some(slot) = self.matches.get_mut(slot) {
            *slot = if reason.is_some() { Match::No } else { Match::Yes };
        }
        Ok(reason)
    }

    fn evaluate(&mut self, entry: usize, candidate: usize) -> Result<Option<SkipReason>, Stop> {
        let (Some(request), Some(state)) =
            (self.requests.get(entry), self.candidates.get(candidate))
        else {
            return Ok(None);
        };
        let (slice, device, number) = (state.slice, state.device, state.number);
        let of_classes = request.class.selectors.len();
        let numbers = self.selectors.get(request.selectors.clone()).unwrap_or_default();
        for (index, number_of_selector) in numbers.iter().copied().enumerate() {
            let of_class = index < of_classes;
            let selector = if of_class { index } else { index - of_classes };
            let mut verdicts = self.context.ground.verdicts().borrow_mut();
            let selectors = self.context.selectors;
            let answer = verdicts.ask(selectors, number_of_selector, slice, device, number);
            drop(verdicts);
            match answer {
                Ok(true) => {}
                Ok(false) if of_class => {
                    return Ok(Some(SkipReason::ClassSelectorFalse { selector }));
                }
                Ok(false) => return Ok(Some(SkipReason::RequestSelectorFalse { selector })),
                Err(failure) => {
                    let fault = self.cel_fault(entry, candidate, of_class, selector, failure);
                    self.skipped(entry, candidate, |_| SkipReason::CelError(fault.clone()));
                    return Err(Stop::fatal(fault));
                }
            }
        }
        if slice.per_device_node_selection == Some(true)
            && !device_matches_node(self.node, slice, device)
                .map_err(|fault| Stop::fatal(Fault::DeviceNodeSelector(fault)))?
        {
            return Ok(Some(SkipReason::DeviceOtherNode));
        }
        Ok(None)
    }

    fn cel_fault(
        &self,
        entry: usize,
        candidate: usize,
        of_class: bool,
        selector: usize,
        failure: SelectorFailure,
    ) -> Fault {
        let request = self.requests.get(entry);
        let claim = request.and_then(|request| self.claims.get(request.place.claim));
        let owner = match (of_class, request, claim) {
            (true, Some(request), _) => SelectorOwner::Class(request.class.metadata.name.clone()),
            (_, _, Some(claim)) => SelectorOwner::Claim(claim_name(claim)),
            (_, _, None) => SelectorOwner::Claim(String::new()),
        };
        match failure {
            SelectorFailure::Compile(error) => Fault::CelCompile { owner, selector, error },
            SelectorFailure::Runtime(error) => {
                let named = self.behavior.cel.error_names_device;
                let device = named.then(|| self.id(candidate));
                Fault::CelRuntime { owner, selector, device, error }
            }
        }
    }

    /// What an entry consumes of a candidate; `None` when neither has anything to do with capacity.
    pub(super) fn plan(&mut self, entry: usize, candidate: usize) -> Option<Rc<Plan>> {
        let state = self.candidates.get(candidate)?;
        let request = self.requests.get(entry)?;
        if state.device.capacity.is_empty() && request.spec.capacity_requests.is_none() {
            return None;
        }
        let width = self.width;
        if self.plans.len() < self.matches.len() {
            self.plans.resize(self.matches.len(), None);
        }
        let slot = self.plans.get_mut(entry * width + candidate)?;
        let plan = slot.get_or_insert_with(|| {
            let requests = request.spec.capacity_requests.as_ref();
            Rc::new(plan(&state.device.capacity, requests, self.behavior))
        });
        Some(Rc::clone(plan))
    }

    /// Published and committed amounts of a candidate's capacities, by name.
    pub(super) fn totals(&self, candidate: usize) -> &[(Nanos, Nanos)] {
        let Some(state) = self.candidates.get(candidate) else { return &[] };
        state.totals.get_or_init(|| {
            let committed = state.committed.and_then(|used| used.consumed.as_ref());
            let committed =
                |name| committed.and_then(|consumed| consumed.get(name)).map_or(0, nanos);
            let capacities = state.device.capacity.iter();
            capacities.map(|(name, c)| (nanos(&c.value), committed(name))).collect()
        })
    }

    /// The account and draw of a candidate that consumes counters.
    pub(super) fn draw(&mut self, candidate: usize) -> Option<(usize, Rc<Draw>)> {
        let state = self.candidates.get(candidate)?;
        if let Some(known) = state.draw.get() {
            return Some(known.clone());
        }
        let pool = self.gathered.pools.get(state.pool)?;
        let source = Source {
            index: self.index,
            behavior: self.behavior,
            allocated: self.context.allocated,
        };
        let number = self.accounts.number(source, pool, state.slice_number);
        let draw = self.accounts.get_mut(number)?.draw(state.device);
        if self.used.len() <= number {
            self.used.resize_with(number + 1, Used::default);
        }
        Some(state.draw.get_or_init(|| (number, draw)).clone())
    }
}
