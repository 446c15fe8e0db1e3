use std::rc::Rc;

use crate::api::{AllocationMode, DeviceSelector, ExactRequest, ResourceClaim};
use crate::features::{Behavior, ClaimLimitText};
use crate::pool::PoolState;

use super::capacity::PlanVerdict;
use super::constraint::Constraint;
use super::run::{MAX_RESULTS, Match, Request, Run, Stop, claim_name};
use super::{CapacityCheck, Crash, Event, Fault, Place, SkipReason};

/// What stands where in a claim: a request's entry before it is expanded.
#[derive(Clone, Copy)]
struct Draft<'r> {
    place: Place,
    spec: &'r ExactRequest,
    name: &'r str,
    parent: Option<&'r str>,
}

impl<'r> Run<'r, '_> {
    /// Expands the requests of all claims. Faults come in upstream's order.
    pub(super) fn prepare(&mut self) -> Result<(), Stop> {
        let claims = self.claims;
        for (number, claim) in claims.iter().enumerate() {
            self.prepare_claim(number, claim)?;
        }
        self.picked.resize(self.requests.len(), 0);
        if self.behavior.all_alternatives_share_matches {
            // What was asked before the search is remembered for the wrong alternative.
            self.matches.fill(Match::NotAsked);
        }
        Ok(())
    }

    fn prepare_claim(&mut self, number: usize, claim: &'r ResourceClaim) -> Result<(), Stop> {
        let before = self.requests.len();
        let mut minimum: i64 = 0;
        for request_number in 0..claim.spec.requests.len() {
            let first = self.requests.len();
            if let Some(entries) = self.first_entry.get_mut(number) {
                entries.push(first);
            }
            let need = self.prepare_request(number, claim, request_number)?;
            if self.behavior.claim_limit_text == ClaimLimitText::Request {
                check_request_limit(claim, request_number, need, minimum)?;
            }
            minimum = minimum.wrapping_add(need);
        }
        let limit = i64::try_from(MAX_RESULTS).unwrap_or(i64::MAX);
        if self.behavior.claim_limit_text == ClaimLimitText::Claim && minimum > limit {
            let claim = claim_name(claim);
            return Err(Stop::fatal(Fault::ClaimLimit { claim, devices: minimum }));
        }
        let constraints = self.constraints_of(claim)?;
        if constraints.is_empty() {
            return Ok(());
        }
        for request in self.requests.iter_mut().skip(before) {
            let (main, sub) = request.names();
            let applies = constraints.iter().map(|constraint| constraint.applies(main, sub));
            request.applies = applies.collect();
        }
        self.constraints.resize_with(number, Vec::new);
        self.constraints.push(constraints);
        Ok(())
    }

    fn constraints_of(&self, claim: &'r ResourceClaim) -> Result<Vec<Constraint<'r>>, Stop> {
        let specs = claim.spec.constraints.iter().enumerate();
        specs
            .map(|(constraint, spec)| {
                Constraint::new(spec, self.behavior, self.width).ok_or_else(|| {
                    let claim = claim_name(claim);
                    Stop::fatal(Fault::ConstraintEmpty { claim, constraint })
                })
            })
            .collect()
    }

    /// Expands one request with its alternatives. Gives the smallest number of devices it needs.
    fn prepare_request(
        &mut self,
        claim_number: usize,
        claim: &'r ResourceClaim,
        request_number: usize,
    ) -> Result<i64, Stop> {
        let Some(request) = claim.spec.requests.get(request_number) else { return Ok(0) };
        check_gates(claim, request_number, self.behavior)?;
        let place = Place { claim: claim_number, request: request_number, subrequest: None };
        if request.first_available.is_empty() {
            // UPSTREAM: a request that is neither exact nor a list, which the API server refuses.
            let Some(spec) = &request.exactly else { return Err(Stop::Crash(Crash::NilPointer)) };
            let draft = Draft { place, spec, name: &request.name, parent: None };
            return self.expand(claim, draft, self.requests.len());
        }
        let first_entry = self.requests.len();
        let mut minimum = i64::MAX;
        for (index, sub) in request.first_available.iter().enumerate() {
            let draft = Draft {
                place: Place { subrequest: Some(index), ..place },
                spec: &sub.request,
                name: &sub.name,
                parent: Some(&request.name),
            };
            // UPSTREAM: until 1.35 the second alternative is looked up where the first one was.
            let mixed_up = self.behavior.all_alternatives_share_matches && index > 0;
            let verdict_entry = first_entry + index - usize::from(mixed_up);
            minimum = minimum.min(self.expand(claim, draft, verdict_entry)?);
        }
        Ok(minimum)
    }

    fn expand(
        &mut self,
        claim: &'r ResourceClaim,
        draft: Draft<'r>,
        verdict_entry: usize,
    ) -> Result<i64, Stop> {
        let Draft { place, spec, name, parent } = draft;
        let names = || (claim_name(claim), name.to_owned());
        if spec.has_derived_attributes && self.behavior.derived_attributes_refused {
            let (claim, request) = names();
            return Err(Stop::fatal(Fault::DerivedAttributesOff { claim, request }));
        }
        if let Some(selector) = spec.selectors.iter().position(|s| s.cel_expression.is_none()) {
            let (claim, request) = names();
            return Err(Stop::fatal(Fault::SelectorEmpty { claim, request, selector }));
        }
        let is_exact = parent.is_none();
        if is_exact && spec.admin_access.is_some() && !self.behavior.features.admin_access {
            let (claim, request) = names();
            return Err(Stop::fatal(Fault::AdminAccessOff { claim, request }));
        }
        if spec.device_class_name.is_empty() {
            let (claim, request) = names();
            return Err(Stop::fatal(Fault::ClassNameMissing { claim, request }));
        }
        let Some(class) = self.context.classes.get(&spec.device_class_name) else {
            let (claim, request) = names();
            let class = spec.device_class_name.clone();
            return Err(Stop::fatal(Fault::ClassNotFound { claim, request, class }));
        };
        let mut verdicts = self.context.ground.verdicts().borrow_mut();
        let compiles = self.context.selectors;
        let mut number = |selector: &DeviceSelector| {
            verdicts.number(compiles, selector.cel_expression.as_deref().unwrap_or_default())
        };
        let first_selector = self.selectors.len();
        self.selectors.extend(class.selectors.iter().chain(&spec.selectors).map(&mut number));
        drop(verdicts);
        let all = spec.allocation_mode == AllocationMode::All;
        let entry = self.requests.len();
        self.requests.push(Request {
            place,
            spec,
            name,
            parent,
            class: Rc::clone(class),
            selectors: first_selector..self.selectors.len(),
            admin: is_exact && spec.admin_access == Some(true),
            all,
            need: spec.count,
            list: Vec::new(),
            applies: Vec::new(),
        });
        let width = self.width;
        self.matches.resize(self.matches.len() + width, Match::NotAsked);
        if let AllocationMode::Other(mode) = &spec.allocation_mode {
            let (claim, request) = names();
            return Err(Stop::fatal(Fault::ModeUnknown { claim, request, mode: mode.clone() }));
        }
        if all {
            self.list_all(claim, entry, verdict_entry)?;
        }
        let Some(request) = self.requests.get(entry) else { return Ok(0) };
        let need = request.need;
        if self.observing {
            let devices = usize::try_from(need).unwrap_or_default();
            self.observer.observe(Event::Need { place, devices, all });
        }
        Ok(need)
    }

    /// Puts together which devices "all" means.
    fn list_all(
        &mut self,
        claim: &ResourceClaim,
        entry: usize,
        verdict_entry: usize,
    ) -> Result<(), Stop> {
        self.reach_all();
        let gathered = self.gathered;
        let mut list = Vec::new();
        let mut next = 0;
        for (position, pool) in gathered.pools.iter().enumerate() {
            self.check_pool_for_all(claim, entry, pool)?;
            while self.candidates.get(next).is_some_and(|candidate| candidate.pool == position) {
                let candidate = next;
                next += 1;
                let refused = match self.matches(entry, verdict_entry, candidate)? {
                    Some(reason) => Some(reason),
                    None => self.unfit_for_list(claim, entry, candidate)?,
                };
                self.report_listing(entry, candidate, refused.as_ref());
                if refused.is_none() {
                    list.push(candidate);
                }
            }
        }
        if let Some(request) = self.requests.get_mut(entry) {
            request.need = i64::try_from(list.len()).unwrap_or(i64::MAX);
            request.list = list;
        }
        Ok(())
    }

    fn check_pool_for_all(
        &self,
        claim: &ResourceClaim,
        entry: usize,
        pool: &crate::pool::Pool,
    ) -> Result<(), Stop> {
        let request = || self.requests.get(entry).map(|r| r.name.to_owned()).unwrap_or_default();
        if pool.state == PoolState::Usable {
            return Ok(());
        }
        let (claim, request, pool_id) = (claim_name(claim), request(), pool.id.clone());
        let fault = if pool.is_incomplete {
            Fault::AllPoolIncomplete { claim, request, pool: pool_id }
        } else {
            Fault::AllPoolInvalid { claim, request, pool: pool_id }
        };
        Err(if self.behavior.all_pool_errors_fatal {
            Stop::fatal(fault)
        } else {
            Stop::node(fault)
        })
    }

    /// Whether capacity keeps a device off the list.
    fn unfit_for_list(
        &mut self,
        claim: &ResourceClaim,
        entry: usize,
        candidate: usize,
    ) -> Result<Option<SkipReason>, Stop> {
        if !self.consumable {
            return Ok(None);
        }
        let committed_counts = !self.behavior.all_keeps_exhausted;
        let Some(plan) = self.plan(entry, candidate) else { return Ok(None) };
        if let PlanVerdict::Fault(..) = &plan.verdict {
            // UPSTREAM: here the message has only the name of the device.
            let device = self.candidates.get(candidate).map(|c| c.device.name.clone());
            let device = device.unwrap_or_default();
            let check = CapacityCheck::Checking;
            return Err(self.capacity_fault(claim, entry, candidate, check, device));
        }
        self.unfit(entry, candidate, committed_counts)
    }

    fn report_listing(&mut self, entry: usize, candidate: usize, refused: Option<&SkipReason>) {
        if !self.observing {
            return;
        }
        let Some(place) = self.requests.get(entry).map(|request| request.place) else { return };
        let id = self.id(candidate);
        let device = &id;
        self.observer.observe(match refused {
            Some(reason) => Event::LeftOut { place, device, reason },
            None => Event::Listed { place, device },
        });
    }
}

fn check_request_limit(
    claim: &ResourceClaim,
    request: usize,
    adding: i64,
    before: i64,
) -> Result<(), Stop> {
    let limit = i64::try_from(MAX_RESULTS).unwrap_or(i64::MAX);
    if adding <= limit.wrapping_sub(before) {
        return Ok(());
    }
    let name = claim.spec.requests.get(request).map(|request| request.name.clone());
    Err(Stop::fatal(Fault::RequestLimit {
        claim: claim_name(claim),
        request: name.unwrap_or_default(),
        adding,
        before,
    }))
}

/// Refuses what needs a gate that is off.
fn check_gates(claim: &ResourceClaim, request: usize, behavior: &Behavior) -> Result<(), Stop> {
    let Some(request) = claim.spec.requests.get(request) else { return Ok(()) };
    if !behavior.features.prioritized_list && !request.first_available.is_empty() {
        let (claim, request) = (claim_name(claim), request.name.clone());
        return Err(Stop::fatal(Fault::SubrequestsOff { claim, request }));
    }
    if behavior.features.consumable_capacity || !behavior.capacity_gate_checked {
        return Ok(());
    }
    let off = |name: &str, is_subrequest| {
        let claim = claim_name(claim);
        Err(Stop::fatal(Fault::CapacityOff { claim, request: name.to_owned(), is_subrequest }))
    };
    if request.exactly.as_ref().is_some_and(|exactly| exactly.capacity_requests.is_some()) {
        return off(&request.name, false);
    }
    let sub = request.first_available.iter().find(|sub| sub.request.capacity_requests.is_some());
    match sub {
        Some(sub) if behavior.capacity_gate_names_subrequest => off(&sub.name, true),
        Some(_) => off(&request.name, false),
        None => Ok(()),
    }
}
