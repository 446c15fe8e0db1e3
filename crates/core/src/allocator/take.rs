use std::rc::Rc;

use crate::api::{Device, DeviceTaint, DeviceToleration, ResourceClaim};
use crate::apimachinery::quantity::Quantity;
use crate::features::Behavior;

use super::capacity::{Plan, PlanVerdict};
use super::constraint::Refusal;
use super::run::{Pick, Run, Stop, claim_name};
use super::{CapacityCheck, Crash, Event, Fault, SkipReason};

/// What a node declares in `status.declaredFeatures` when devices may skip operations on it.
pub const OPTIONAL_NODE_OPERATIONS: &str = "DRAOptionalNodeOperations";

/// How the attempt to take a candidate came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Take {
    Taken,
    Refused,
}

/// Whether the request has an alternative to this very candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// Another candidate may do.
    Any,
    /// All devices are wanted, so this one must be taken.
    This,
}

impl Run<'_, '_> {
    /// Takes a candidate for a request or leaves everything as it was, except for what leaky
    /// releases leave behind.
    pub(super) fn take(
        &mut self,
        entry: usize,
        candidate: usize,
        devices: usize,
        need: Need,
    ) -> Result<Take, Stop> {
        let (Some(request), Some(state)) =
            (self.requests.get(entry), self.candidates.get(candidate))
        else {
            return Ok(Take::Refused);
        };
        let (place, multi, device) = (request.place, state.multi, state.device);
        if request.admin {
            if !multi && self.taken_by_claim(candidate, place.claim) {
                self.skipped(entry, candidate, |_| SkipReason::InUseAdminSameClaim);
                return Ok(Take::Refused);
            }
        } else if self.in_use(candidate) {
            self.skipped_in_use(entry, candidate);
            return Ok(Take::Refused);
        }
        if self.needs_node_operations(candidate) {
            self.skipped(entry, candidate, |_| SkipReason::NodeOperationsUnsupported);
            return Ok(Take::Refused);
        }
        let mut pick = Pick { entry, candidate, reserved: false, plan: None, was_in_use: false };
        if !device.consumes_counters.is_empty() && !self.reserve(&mut pick, need)? {
            return Ok(Take::Refused);
        }
        if let Some(taint) = self.untolerated(entry, device) {
            let (key, value, effect) =
                (taint.key.clone(), taint.value.clone(), taint.effect.clone());
            self.skipped(entry, candidate, |_| SkipReason::Tainted { key, value, effect });
            self.give_up(&pick, 0);
            return Ok(Take::Refused);
        }
        if let Err((position, refusal)) = self.add_to_constraints(entry, candidate) {
            return self.refused_by_constraint(&pick, position, refusal, need);
        }
        if let Some(stop) = self.recheck_capacity(&mut pick, devices, need)? {
            return Ok(stop);
        }
        if let Some(state) = self.candidates.get_mut(candidate) {
            if multi {
                pick.was_in_use = state.tentative.is_some();
            } else {
                state.taken += 1;
            }
        }
        if multi {
            self.consume(&mut pick);
        }
        if let Some(picks) = self.results.get_mut(place.claim) {
            picks.push(pick);
        }
        if self.observing {
            let id = self.id(candidate);
            self.observer.observe(Event::Taken { place, device: &id, position: devices });
        }
        Ok(Take::Taken)
    }

    /// Gives back the device that was taken last for a claim.
    pub(super) fn undo(&mut self, claim: usize) {
        let Some(pick) = self.results.get_mut(claim).and_then(Vec::pop) else { return };
        self.note_undone();
        let constraints = self.constraints.get(claim).map_or(0, Vec::len);
        self.remove_from_constraints(pick.entry, constraints);
        let Some(state) = self.candidates.get_mut(pick.candidate) else { return };
        let multi = state.multi;
        if multi {
            self.unconsume(&pick);
        } else {
            state.taken = state.taken.saturating_sub(1);
        }
        if pick.reserved && !(multi && self.behavior.reservation_leaks) {
            self.release(pick.candidate);
        }
        if self.observing
            && let Some(request) = self.requests.get(pick.entry)
        {
            let place = request.place;
            let id = self.id(pick.candidate);
            self.observer.observe(Event::Undone { place, device: &id });
        }
    }

    pub(super) fn needs_node_operations(&self, candidate: usize) -> bool {
        let declared =
            || self.node.declared_features.iter().any(|name| name == OPTIONAL_NODE_OPERATIONS);
        self.behavior.skip_node_operations_checked
            && self
                .candidates
                .get(candidate)
                .is_some_and(|state| !state.slice.skip_node_operations.is_empty())
            && !(self.behavior.features.optional_node_operations && declared())
    }

    /// Reserves counters unless a share has them already. False when they do not suffice.
    fn reserve(&mut self, pick: &mut Pick, need: Need) -> Result<bool, Stop> {
        let (entry, candidate) = (pick.entry, pick.candidate);
        if !self.behavior.features.partitionable_devices {
            self.skipped(entry, candidate, |_| SkipReason::PartitionableOff);
            return Ok(false);
        }
        if self.is_share_in_use(candidate) {
            return Ok(true);
        }
        if need == Need::This && self.behavior.all_counters_crash {
            return Err(Stop::Crash(Crash::NilPointer));
        }
        let Some((number, draw)) = self.draw(candidate) else { return Ok(true) };
        let (Some(account), Some(used)) = (self.accounts.get(number), self.used.get_mut(number))
        else {
            return Ok(true);
        };
        used.reserve(account, &draw);
        if used.is_overdrawn() {
            used.release(account, &draw);
            if self.observing {
                let shortage = account.shortage(used, &draw);
                if let Some(short) = shortage {
                    self.skipped(entry, candidate, |_| SkipReason::CountersShort {
                        set: short.set,
                        counter: short.counter,
                        available: short.available,
                        used: short.used,
                        wanted: short.wanted,
                    });
                }
            }
            return Ok(false);
        }
        pick.reserved = true;
        Ok(true)
    }

    /// Whether the counters of a shareable device are charged already.
    fn is_share_in_use(&self, candidate: usize) -> bool {
        let Some(state) = self.candidates.get(candidate) else { return false };
        if !state.multi || !self.behavior.share_skips_counter_check {
            return false;
        }
        state.tentative.is_some()
            || state.committed.is_some_and(|used| {
                used.consumed.is_some()
                    || (self.behavior.share_without_capacity_is_in_use && used.shares > 0)
            })
    }

    fn release(&mut self, candidate: usize) {
        let Some((number, draw)) = self.draw(candidate) else { return };
        if let (Some(account), Some(used)) = (self.accounts.get(number), self.used.get_mut(number))
        {
            used.release(account, &draw);
        }
    }

    /// The first taint that keeps a request from a device.
    pub(super) fn untolerated<'d>(
        &self,
        entry: usize,
        device: &'d Device,
    ) -> Option<&'d DeviceTaint> {
        if !self.behavior.features.device_taints || device.taints.is_empty() {
            return None;
        }
        let tolerations = &self.requests.get(entry)?.spec.tolerations;
        device.taints.iter().find(|taint| {
            taint_refuses(taint, self.behavior)
                && !tolerations.iter().any(|toleration| tolerates(toleration, taint))
        })
    }

    fn add_to_constraints(
        &mut self,
        entry: usize,
        candidate: usize,
    ) -> Result<(), (usize, Refusal)> {
        let (Some(request), Some(state)) =
            (self.requests.get(entry), self.candidates.get(candidate))
        else {
            return Ok(());
        };
        let Some(constraints) = self.constraints.get_mut(request.place.claim) else {
            return Ok(());
        };
        for (position, constraint) in constraints.iter_mut().enumerate() {
            if request.applies.get(position) != Some(&true) {
                continue;
            }
            let value = constraint.value(candidate, &state.slice.driver, state.device);
            constraint
                .add(candidate, request.place.request, value)
                .map_err(|refusal| (position, refusal))?;
        }
        Ok(())
    }

    /// Takes back from the first `count` constraints what was added last for a request.
    fn remove_from_constraints(&mut self, entry: usize, count: usize) {
        let Some(request) = self.requests.get(entry) else { return };
        let Some(constraints) = self.constraints.get_mut(request.place.claim) else { return };
        let applying = constraints.iter_mut().zip(&request.applies).take(count);
        for (constraint, _) in applying.filter(|(_, applies)| **applies) {
            constraint.remove(request.place.request);
        }
    }

    fn refused_by_constraint(
        &mut self,
        pick: &Pick,
        position: usize,
        refusal: Refusal,
        need: Need,
    ) -> Result<Take, Stop> {
        self.skipped(pick.entry, pick.candidate, |run| {
            run.constraint_reason(pick.entry, position, refusal)
        });
        if need == Need::This
            && let Some(request) = self.requests.get(pick.entry)
            && let Some(claim) = self.claims.get(request.place.claim)
        {
            return Err(Stop::fatal(Fault::ConstraintUnderAll {
                claim: claim_name(claim),
                request: request.name.to_owned(),
                device: self.id(pick.candidate),
            }));
        }
        self.remove_from_constraints(pick.entry, position);
        self.give_up(pick, 0);
        Ok(Take::Refused)
    }

    fn constraint_reason(&self, entry: usize, position: usize, refusal: Refusal) -> SkipReason {
        let claim = self.requests.get(entry).map_or(0, |request| request.place.claim);
        let constraint = self.constraints.get(claim).and_then(|list| list.get(position));
        let attribute = constraint.map(|c| c.attribute.to_owned()).unwrap_or_default();
        let id = |other: Option<usize>| other.map(|other| self.id(other));
        match refusal {
            Refusal::Missing => SkipReason::ConstraintMissing { constraint: position, attribute },
            Refusal::Different { other } => SkipReason::ConstraintDifferent {
                constraint: position,
                attribute,
                other: id(other),
            },
            Refusal::Duplicate { other } => SkipReason::ConstraintDuplicate {
                constraint: position,
                attribute,
                other: id(other),
            },
        }
    }

    /// Undoes a candidate that is refused after its counters were reserved, where the release does.
    fn give_up(&mut self, pick: &Pick, constraints: usize) {
        if self.behavior.reservation_leaks {
            return;
        }
        self.remove_from_constraints(pick.entry, constraints);
        if pick.reserved {
            self.release(pick.candidate);
        }
    }

    /// Checks capacity again for devices that were not looked at one by one.
    fn recheck_capacity(
        &mut self,
        pick: &mut Pick,
        devices: usize,
        need: Need,
    ) -> Result<Option<Take>, Stop> {
        let (entry, candidate) = (pick.entry, pick.candidate);
        if !self.consumable {
            return Ok(None);
        }
        let checked = if self.behavior.capacity_of_wrong_device {
            let other = self.wrong_device(candidate, devices)?;
            self.reach(other);
            Some(other)
        } else {
            (need == Need::This).then_some(candidate)
        };
        if let Some(checked) = checked
            && let Some(reason) = self.unfit_or_fault(entry, checked)?
        {
            self.skipped(entry, candidate, |_| reason);
            let constraints = self.requests.get(entry).map_or(0, |r| r.applies.len());
            self.leave_marked(entry, candidate);
            self.give_up(pick, constraints);
            return Ok(Some(Take::Refused));
        }
        Ok(None)
    }

    /// UPSTREAM: leaky releases mark a dedicated device as taken before they look at its capacity.
    fn leave_marked(&mut self, entry: usize, candidate: usize) {
        if let (Some(state), Some(request)) =
            (self.candidates.get_mut(candidate), self.requests.get(entry))
            && self.behavior.reservation_leaks
            && !state.multi
        {
            state.taken += 1;
            let mark = (candidate, request.place.claim);
            if let Err(place) = self.marks.binary_search(&mark) {
                self.marks.insert(place, mark);
            }
        }
    }

    /// UPSTREAM: 1.34 looks at the device whose position in the slice is the number of devices that
    /// the request has already.
    fn wrong_device(&self, candidate: usize, devices: usize) -> Result<usize, Stop> {
        let Some(state) = self.candidates.get(candidate) else { return Ok(candidate) };
        let length = state.slice.devices.len();
        if devices >= length {
            return Err(Stop::Crash(Crash::IndexOutOfRange { index: devices, length }));
        }
        Ok(candidate.saturating_sub(state.position) + devices)
    }

    fn unfit_or_fault(
        &mut self,
        entry: usize,
        candidate: usize,
    ) -> Result<Option<SkipReason>, Stop> {
        if let Some(plan) = self.plan(entry, candidate)
            && let PlanVerdict::Fault(..) = &plan.verdict
            && let Some(request) = self.requests.get(entry)
            && let Some(claim) = self.claims.get(request.place.claim)
        {
            let device = self.id(candidate).to_string();
            let check = CapacityCheck::Rechecking;
            return Err(self.capacity_fault(claim, entry, candidate, check, device));
        }
        self.unfit(entry, candidate, true)
    }

    /// The fault of a capacity request that cannot be represented.
    pub(super) fn capacity_fault(
        &mut self,
        claim: &ResourceClaim,
        entry: usize,
        candidate: usize,
        check: CapacityCheck,
        device: String,
    ) -> Stop {
        let (position, cause) = match self.plan(entry, candidate).as_deref() {
            Some(Plan { verdict: PlanVerdict::Fault(position, cause), .. }) => {
                (*position, cause.clone())
            }
            Some(_) | None => return Stop::Crash(Crash::DivideByZero),
        };
        let names = self.candidates.get(candidate).map(|state| state.device.capacity.keys());
        let capacity = names.and_then(|mut names| names.nth(position)).cloned();
        Stop::fatal(Fault::Capacity {
            check,
            claim: claim_name(claim),
            request: self.requests.get(entry).map(|r| r.name.to_owned()).unwrap_or_default(),
            device,
            capacity: capacity.unwrap_or_default(),
            cause,
        })
    }

    /// Why a request's capacity does not fit on a candidate. Without `committed` only what is
    /// published counts.
    pub(super) fn unfit(
        &mut self,
        entry: usize,
        candidate: usize,
        committed: bool,
    ) -> Result<Option<SkipReason>, Stop> {
        let Some(plan) = self.plan(entry, candidate) else { return Ok(None) };
        match &plan.verdict {
            PlanVerdict::Unknown(name) => {
                return Ok(Some(SkipReason::CapacityUnknown { name: name.clone() }));
            }
            PlanVerdict::Crash => return Err(Stop::Crash(Crash::DivideByZero)),
            PlanVerdict::Policy(position) => {
                let name = self.capacity_name(candidate, *position);
                let wanted = plan.amounts.get(*position).cloned().unwrap_or_default();
                return Ok(Some(SkipReason::CapacityPolicy { name, wanted }));
            }
            // Faults end the allocation before this is asked.
            PlanVerdict::Fault(..) | PlanVerdict::Fine => {}
        }
        let totals = self.totals(candidate);
        let tentative = self.candidates.get(candidate).and_then(|c| c.tentative.as_deref());
        let short = totals.iter().zip(&plan.nanos).enumerate().find_map(
            |(position, ((total, committed_amount), wanted))| {
                let (earlier, now) = if committed {
                    let now = tentative.and_then(|amounts| amounts.get(position));
                    (*committed_amount, now.copied().unwrap_or_default())
                } else {
                    (0, 0)
                };
                let sum = earlier.saturating_add(now).saturating_add(*wanted);
                (sum > *total).then_some((position, earlier, now))
            },
        );
        let Some((position, earlier, now)) = short else { return Ok(None) };
        if !self.observing {
            return Ok(Some(SkipReason::Over32));
        }
        let capacities = self.candidates.get(candidate).map(|c| c.device.capacity.values());
        let total = capacities.and_then(|mut list| list.nth(position)).map(|c| c.value.clone());
        let total = total.unwrap_or_default();
        Ok(Some(SkipReason::CapacityShort {
            name: self.capacity_name(candidate, position),
            committed: Quantity::from_nanos(earlier, total.format()),
            tentative: Quantity::from_nanos(now, total.format()),
            wanted: plan.amounts.get(position).cloned().unwrap_or_default(),
            total,
        }))
    }

    fn capacity_name(&self, candidate: usize, position: usize) -> String {
        let names = self.candidates.get(candidate).map(|state| state.device.capacity.keys());
        names.and_then(|mut names| names.nth(position)).cloned().unwrap_or_default()
    }

    /// Adds a share.
    fn consume(&mut self, pick: &mut Pick) {
        let plan = self.plan(pick.entry, pick.candidate);
        let Some(state) = self.candidates.get_mut(pick.candidate) else { return };
        let width = state.device.capacity.len();
        let tentative = state.tentative.get_or_insert_with(|| vec![0; width].into());
        let amounts = plan.iter().flat_map(|plan| &plan.nanos);
        for (sum, amount) in tentative.iter_mut().zip(amounts) {
            *sum = sum.saturating_add(*amount);
        }
        pick.plan = plan;
    }

    /// Takes back a share.
    fn unconsume(&mut self, pick: &Pick) {
        let leaks = self.behavior.reservation_leaks;
        let Some(state) = self.candidates.get_mut(pick.candidate) else { return };
        // UPSTREAM: leaky releases forget that a device without capacity is in use no more.
        if leaks && state.device.capacity.is_empty() {
            return;
        }
        let Some(tentative) = &mut state.tentative else { return };
        let amounts = pick.plan.iter().flat_map(|plan| &plan.nanos);
        for (sum, amount) in tentative.iter_mut().zip(amounts) {
            *sum = sum.saturating_sub(*amount);
        }
        let is_empty = tentative.iter().all(|amount| *amount == 0);
        if is_empty && (leaks || !pick.was_in_use) {
            state.tentative = None;
        }
    }

    /// Amounts of a share for the result; `None` for devices without capacity.
    pub(super) fn consumed_of(pick: &Pick) -> Option<Rc<Plan>> {
        pick.plan.clone().filter(|plan| !plan.amounts.is_empty())
    }
}

fn taint_refuses(taint: &DeviceTaint, behavior: &Behavior) -> bool {
    !behavior.taint_effects_known_only || taint.keeps_away()
}

/// Whether a toleration accepts a taint. Source: `resourceclaim.ToleratesTaint`.
pub fn tolerates(toleration: &DeviceToleration, taint: &DeviceTaint) -> bool {
    let fits = |wanted: &str, actual: &str| wanted.is_empty() || wanted == actual;
    fits(&toleration.effect, &taint.effect)
        && fits(&toleration.key, &taint.key)
        && match &*toleration.operator {
            "" | "Equal" => toleration.value == taint.value,
            "Exists" => true,
            _ => false,
        }
}
