use std::collections::BTreeMap;
use std::rc::Rc;

use crate::allocator::{Outcome, Place, SkipReason};
use crate::api::{AllocationMode, ExactRequest, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::pool::DeviceId;

use super::Subject;
use super::reason::{Reason, Stage, stage};
use super::record::{Depth, Record, Recorder};

/// What happened to every device for every request of the claims of one attempt on one node.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// One entry for each request, or for each alternative of a request with alternatives, in order.
    pub requests: Vec<RequestExplanation>,
    /// How far the search got; `None` when there was none.
    pub deepest: Option<Depth>,
    /// Whether all claims were allocated.
    pub allocated: bool,
    /// Search calls made; `None` when it ended before the search.
    pub search_calls: Option<u64>,
    /// Whether the claims have requests beside these.
    pub has_more: bool,
}

/// One request or alternative.
#[derive(Clone, Debug)]
pub struct RequestExplanation {
    /// Where it stands.
    pub place: Place,
    /// The claim.
    pub claim: ObjectRef,
    /// `request` or `request/subrequest`.
    pub name: String,
    /// The extended resource of a container that it stands for: its name and where it is asked.
    pub resource: Option<(String, Subject)>,
    /// The class it names.
    pub class: String,
    /// How many devices it wants; `None` for all.
    pub wanted: Option<u64>,
    /// Size of the list of a request for all devices.
    pub listed: Option<usize>,
    /// Whether it is the alternative that was chosen; true for a request without alternatives.
    pub chosen: bool,
    /// One verdict for each device that the node can see, in the order in which devices are tried.
    pub verdicts: Vec<Verdict>,
}

/// What became of one device.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The device.
    pub device: DeviceId,
    /// Name of the slice that publishes it.
    pub slice: Rc<str>,
    /// Why.
    pub reason: Reason,
    /// Whether the selectors of class and request accept it; `None` when that is not known.
    pub accepted: Option<bool>,
    /// The selector that refuses it too, where something else came first.
    pub selector: Option<Rc<SkipReason>>,
    /// The check that refused it beside other devices, when it was taken at another time.
    pub beside: Option<Rc<SkipReason>>,
    /// Its rank among the devices that the node can see, in the order in which they are tried.
    pub position: usize,
}

/// A device that the node can see.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The device.
    pub device: DeviceId,
    /// Name of the slice that publishes it.
    pub slice: Rc<str>,
    /// Why no request can have it; `None` for a candidate of the search.
    pub unusable: Option<Rc<SkipReason>>,
}

impl Explanation {
    /// Puts together what a recorder saw. `candidates` are the devices that the node can see, in
    /// the order in which they are tried.
    pub fn new(
        recorder: &Recorder,
        claims: &[&ResourceClaim],
        candidates: &[Candidate],
        outcome: &Outcome,
        search_calls: Option<u64>,
    ) -> Self {
        let allocated = matches!(outcome, Outcome::Allocated(_));
        let mut requests = Vec::new();
        for (place, claim, name, request) in places(claims) {
            let record = recorder.requests.get(&place);
            let chosen = match place.subrequest {
                None => true,
                Some(_) => allocated && record.is_some_and(|record| record.chosen),
            };
            let all = request.allocation_mode == AllocationMode::All;
            requests.push(RequestExplanation {
                place,
                claim: claim_ref(claim),
                name,
                resource: None,
                class: request.device_class_name.clone(),
                wanted: if all { None } else { u64::try_from(request.count).ok() },
                listed: record.filter(|_| all).map(|record| record.listed.len()),
                chosen,
                verdicts: verdicts(record, candidates, allocated),
            });
        }
        let deepest = recorder.deepest;
        Self { requests, deepest, allocated, search_calls, has_more: false }
    }

    /// Fills in whether selectors would accept the devices that were not asked, because something
    /// else refused them first. `accepts` gives the first that does not.
    pub fn fill_accepted(
        &mut self,
        mut accepts: impl FnMut(&RequestExplanation, &DeviceId) -> Option<Result<(), Rc<SkipReason>>>,
    ) {
        for index in 0..self.requests.len() {
            let Some(request) = self.requests.get(index) else { continue };
            let answers: Vec<_> = request
                .verdicts
                .iter()
                .map(|verdict| match verdict.reason.stage() {
                    Stage::Devices | Stage::Free
                        if verdict.accepted.is_none() && !is_elsewhere(&verdict.reason) =>
                    {
                        accepts(request, &verdict.device)
                    }
                    _ => None,
                })
                .collect();
            let Some(request) = self.requests.get_mut(index) else { continue };
            for (verdict, answer) in request.verdicts.iter_mut().zip(answers) {
                let Some(answer) = answer else { continue };
                verdict.accepted = Some(answer.is_ok());
                verdict.selector = answer.err();
            }
        }
    }

    /// The verdict on a device for a request of a claim, e.g. `gpu` or `gpu/small`; with several
    /// requests of that name or an empty name the one that got furthest.
    pub fn reason(&self, claim: &ObjectRef, request: &str, device: &DeviceId) -> Option<&Reason> {
        self.requests
            .iter()
            .filter(|candidate| candidate.claim == *claim)
            .filter(|candidate| request.is_empty() || candidate.name == request)
            .filter_map(|candidate| candidate.verdicts.iter().find(|v| v.device == *device))
            .map(|verdict| &verdict.reason)
            .max_by_key(|reason| reason.stage())
    }
}

impl Verdict {
    /// The false selector of class or request, whether it was asked in the search or not.
    pub(super) fn by_selector(&self) -> Option<&SkipReason> {
        let told = self.reason.told();
        told.filter(|it| matches!(stage(it), Stage::Class | Stage::Request))
            .or(self.selector.as_deref())
    }
}

impl RequestExplanation {
    /// How many devices are left after each stage, all stages in order.
    pub fn sieve(&self) -> Vec<(Stage, usize)> {
        let mut removed: BTreeMap<Stage, usize> = BTreeMap::new();
        for verdict in &self.verdicts {
            if verdict.reason.told() != Some(&SkipReason::Chosen) {
                *removed.entry(verdict.reason.stage()).or_default() += 1;
            }
        }
        let mut left = self.verdicts.len();
        Stage::ALL
            .into_iter()
            .map(|stage| {
                left = left.saturating_sub(removed.get(&stage).copied().unwrap_or(0));
                (stage, left)
            })
            .collect()
    }
}

/// Whether the node has nothing to do with the device, so that nobody would expect to get it.
fn is_elsewhere(reason: &Reason) -> bool {
    matches!(
        reason.told(),
        Some(
            SkipReason::SliceOtherNode | SkipReason::SliceIgnored | SkipReason::PoolObsolete { .. }
        )
    )
}

/// The object reference of a claim.
pub fn claim_ref(claim: &ResourceClaim) -> ObjectRef {
    ObjectRef {
        kind: "ResourceClaim".to_owned(),
        namespace: claim.metadata.namespace.clone(),
        name: claim.metadata.name.clone(),
    }
}

/// All requests and alternatives with their place, claim and name.
fn places<'a>(
    claims: &[&'a ResourceClaim],
) -> Vec<(Place, &'a ResourceClaim, String, &'a ExactRequest)> {
    let mut places = Vec::new();
    for (claim, object) in claims.iter().enumerate() {
        for (request, wish) in object.spec.requests.iter().enumerate() {
            if let Some(exact) = &wish.exactly {
                let place = Place { claim, request, subrequest: None };
                places.push((place, *object, wish.name.clone(), exact));
            }
            for (subrequest, alternative) in wish.first_available.iter().enumerate() {
                let place = Place { claim, request, subrequest: Some(subrequest) };
                let name = format!("{}/{}", wish.name, alternative.name);
                places.push((place, *object, name, &alternative.request));
            }
        }
    }
    places
}

fn verdicts(record: Option<&Record>, candidates: &[Candidate], allocated: bool) -> Vec<Verdict> {
    let refused = record.into_iter().flat_map(|record| record.devices.values());
    let error = refused
        .filter_map(|seen| seen.refused.as_deref())
        .find(|reason| matches!(reason, SkipReason::CelError(_)));
    let stopped = error.map_or(Stage::Free, stage);
    candidates
        .iter()
        .enumerate()
        .map(|(position, candidate)| {
            let told = candidate.unusable.clone().or_else(|| {
                let seen = record?.devices.get(&candidate.device)?;
                if seen.held > 0 && allocated {
                    Some(Rc::new(SkipReason::Chosen))
                } else if seen.taken {
                    Some(Rc::new(SkipReason::Undone))
                } else {
                    seen.refused.clone()
                }
            });
            let reason = match told {
                Some(reason) => Reason::Told(reason),
                None if allocated => Reason::of(SkipReason::NotNeeded),
                None => Reason::NotReached(stopped),
            };
            let accepted = reason.accepted();
            let seen = record.and_then(|record| record.devices.get(&candidate.device));
            let beside = seen.filter(|seen| seen.taken).and_then(|seen| seen.refused.clone());
            let (device, slice) = (candidate.device.clone(), Rc::clone(&candidate.slice));
            Verdict { device, slice, reason, accepted, selector: None, beside, position }
        })
        .collect()
}
