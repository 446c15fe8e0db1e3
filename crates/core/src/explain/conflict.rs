use std::collections::BTreeMap;

use dra_playground_cel::order::Order;

use crate::allocator::SkipReason;
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::pool::DeviceId;

use super::explanation::{Explanation, RequestExplanation};
use super::reason::Family;
use super::words::Key;

/// Parts of claims of which no one can stay when the others do: found by leaving out every other
/// part.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Conflict {
    /// Indexes into [`Explanation::requests`].
    pub requests: Vec<usize>,
    /// The constraint that takes part.
    pub constraint: Option<Agreement>,
    /// For each request the devices that it could have alone.
    pub usable: Vec<Vec<DeviceId>>,
    /// What the devices draw from together.
    pub scarce: Option<Scarce>,
    /// Whether there are fewer devices than the requests want together.
    pub too_few: bool,
}

/// A constraint of a claim.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// The claim.
    pub claim: ObjectRef,
    /// Its index in the claim.
    pub index: usize,
    /// The attribute.
    pub attribute: String,
    /// Whether values must differ instead of being equal.
    pub distinct: bool,
}

/// Something that suffices for each device and not for all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Scarce {
    /// A counter of a counter set.
    Counter {
        /// A device that did not fit beside others.
        device: DeviceId,
        /// The counter set.
        counter_set: String,
        /// The counter.
        counter: String,
        /// What allocated claims leave of it.
        left: Quantity,
    },
    /// A capacity of a shareable device.
    Capacity {
        /// The device.
        device: DeviceId,
        /// The capacity.
        name: String,
        /// What allocated claims leave of it.
        left: Quantity,
        /// What there is.
        total: Quantity,
    },
}

impl Conflict {
    /// A conflict between requests of an explanation.
    pub fn of(
        explanation: &Explanation,
        requests: Vec<usize>,
        constraint: Option<Agreement>,
    ) -> Self {
        let of = |index: &usize| explanation.requests.get(*index);
        let usable = requests.iter().filter_map(of).map(usable).collect();
        let scarce = requests.iter().filter_map(of).find_map(scarce);
        let mut conflict = Self { requests, constraint, usable, scarce, too_few: false };
        conflict.too_few = (conflict.devices().len() as u64) < conflict.wanted(explanation);
        conflict
    }

    /// How many devices the requests want together: of a request's alternatives only one, the
    /// smallest.
    pub(super) fn wanted(&self, explanation: &Explanation) -> u64 {
        let mut wanted: BTreeMap<(usize, usize), u64> = BTreeMap::new();
        let requests = self.requests.iter().filter_map(|it| explanation.requests.get(*it));
        for (request, count) in requests.filter_map(|it| Some((it, it.wanted?))) {
            let least = wanted.entry((request.place.claim, request.place.request)).or_insert(count);
            *least = count.min(*least);
        }
        wanted.values().sum()
    }

    /// All devices that some request could have, each once.
    pub fn devices(&self) -> Vec<&DeviceId> {
        let mut devices: Vec<&DeviceId> = self.usable.iter().flatten().collect();
        devices.order();
        devices.dedup();
        devices
    }

    pub(super) fn code(&self) -> &'static str {
        match (&self.constraint, &self.scarce) {
            (Some(_), _) => "constraint",
            (None, Some(Scarce::Counter { .. })) => "counters-short",
            (None, Some(Scarce::Capacity { .. })) => "capacity-short",
            (None, None) if self.too_few => "too-few",
            (None, None) => "undone",
        }
    }

    pub(super) fn label(&self) -> Key {
        match (&self.constraint, &self.scarce) {
            (Some(_), _) => Key::LabelConstraint,
            (None, Some(Scarce::Counter { .. })) => Key::LabelCountersShort,
            (None, Some(Scarce::Capacity { .. })) => Key::LabelCapacityShort,
            (None, None) if self.too_few => Key::LabelTooFew,
            (None, None) => Key::LabelNotTogether,
        }
    }

    pub(super) fn family(&self) -> Family {
        match (&self.constraint, &self.scarce) {
            (Some(_), _) => Family::Rule,
            (None, Some(_)) => Family::Quantity,
            (None, None) => Family::Held,
        }
    }
}

/// Devices that a request could have if it were not for other devices.
fn usable(request: &RequestExplanation) -> Vec<DeviceId> {
    let could_be_had = |reason: &SkipReason| {
        is_beside(reason)
            || matches!(
                reason,
                SkipReason::Undone
                    | SkipReason::Chosen
                    | SkipReason::InUseThisPod { .. }
                    | SkipReason::ConstraintMissing { .. }
                    | SkipReason::ConstraintDifferent { .. }
                    | SkipReason::ConstraintDuplicate { .. }
            )
    };
    request
        .verdicts
        .iter()
        .filter(|verdict| match verdict.reason.told() {
            // A device that another request has is refused before selectors are asked.
            Some(reason) => could_be_had(reason) && verdict.accepted != Some(false),
            None => verdict.accepted == Some(true),
        })
        .map(|verdict| verdict.device.clone())
        .collect()
}

/// Whether a refusal is due to other devices of the same attempt.
pub(super) fn is_beside(reason: &SkipReason) -> bool {
    match reason {
        SkipReason::CountersShort { used, .. } => !used.is_zero(),
        SkipReason::CapacityShort { tentative, .. } => !tentative.is_zero(),
        _ => false,
    }
}

fn scarce(request: &RequestExplanation) -> Option<Scarce> {
    request.verdicts.iter().find_map(|verdict| {
        let told = verdict.reason.told();
        let reason = verdict.beside.as_deref().or(told).filter(|reason| is_beside(reason))?;
        let device = verdict.device.clone();
        match reason {
            SkipReason::CountersShort { set, counter, available, .. } => Some(Scarce::Counter {
                device,
                counter_set: set.clone(),
                counter: counter.clone(),
                left: available.clone(),
            }),
            SkipReason::CapacityShort { name, total, committed, .. } => Some(Scarce::Capacity {
                device,
                name: name.clone(),
                left: total.sub(committed),
                total: total.clone(),
            }),
            _ => None,
        }
    })
}
