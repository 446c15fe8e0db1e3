use crate::allocator::SkipReason;
use crate::apimachinery::quantity::Quantity;
use crate::pool::DeviceId;

use super::conflict::{Conflict, is_beside};
use super::explanation::{Explanation, RequestExplanation, Verdict};
use super::facts::{CapacityFacts, CounterFacts, Facts, Holder};
use super::reason::{Family, Reason, Stage, family, label};
use super::words::Key;

/// Why the claims of an attempt do not fit on a node: the most telling fact, as data.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// Index into [`Explanation::requests`] of the request that it is about.
    pub request: usize,
    /// What stands in the way.
    pub kind: CauseKind,
    /// Devices that the selectors accept; without those in use where the cause is about the free ones.
    pub accepted: Vec<DeviceId>,
    /// Whether others that the selectors accept are in use.
    pub others_in_use: bool,
}

/// What stands in the way of a request.
#[derive(Clone, Debug, PartialEq)]
pub enum CauseKind {
    /// The node can reach no device.
    NoDevices,
    /// The class accepts none of the free devices.
    ClassSelects {
        /// Devices it was asked about.
        asked: Vec<DeviceId>,
        /// Index of the selector that is false for the first of them.
        selector: usize,
    },
    /// The request's selectors accept none of the devices of the class.
    RequestSelects {
        /// Devices they were asked about.
        asked: Vec<DeviceId>,
        /// Index of the selector that is false for the first of them.
        selector: usize,
    },
    /// Every accepted device has the same kind of reason.
    Same {
        /// The reasons, parallel to the accepted devices.
        reasons: Vec<SkipReason>,
    },
    /// Every accepted device draws too much from the same counter.
    Counters {
        /// A device, for its pool.
        device: DeviceId,
        /// The counter set.
        counter_set: String,
        /// The counter.
        counter: String,
        /// What each device draws, if it is the same.
        asked: Quantity,
        /// What is left.
        left: Quantity,
        /// What there is.
        total: Quantity,
        /// Who draws from the set.
        holders: Vec<Holder>,
    },
    /// Accepted devices have different reasons, or too few are left.
    Mixed {
        /// How many the request wants; `None` for all.
        wanted: Option<u64>,
        /// Whether fewer devices are accepted than wanted.
        too_few: bool,
        /// How many of the accepted ones could be had.
        usable: usize,
        /// Reasons of the others: one for each kind, with the number of devices.
        reasons: Vec<(SkipReason, usize)>,
    },
    /// A request for all devices fails because of one of them.
    AllBlocked {
        /// Devices that it would have to take.
        listed: usize,
        /// The one that cannot be had.
        device: DeviceId,
        /// Why.
        reason: SkipReason,
    },
    /// A request for all devices finds none.
    AllNone,
    /// A request for all devices wants devices that exclude each other.
    AllExclude {
        /// Devices that it would have to take.
        listed: usize,
        /// The first that cannot be had beside those before it.
        device: DeviceId,
        /// Why.
        reason: SkipReason,
    },
    /// Requests that could each be met alone, or one request whose devices do not go together.
    Conflict(Conflict),
}

/// Finds the causes: one for each alternative of the request at which the search failed.
///
/// Empty when everything was allocated.
pub fn causes(explanation: &Explanation, facts: &dyn Facts) -> Vec<Cause> {
    let mut causes = own_causes(explanation, facts);
    for cause in &mut causes {
        if let CauseKind::Conflict(conflict) = &mut cause.kind {
            *conflict = Conflict::of(explanation, vec![cause.request], None);
        }
    }
    causes
}

fn own_causes(explanation: &Explanation, facts: &dyn Facts) -> Vec<Cause> {
    if explanation.allocated {
        return Vec::new();
    }
    failing(explanation)
        .into_iter()
        .filter_map(|index| {
            let request = explanation.requests.get(index)?;
            let mut accepted = accepted(request);
            let free = of_free(request, &accepted, facts);
            let others_in_use = free.is_some();
            if others_in_use {
                accepted.retain(|verdict| !is_in_use(verdict));
            }
            let kind = free.unwrap_or_else(|| kind(request, facts));
            let accepted = accepted.into_iter().map(|v| v.device.clone()).collect();
            Some(Cause { request: index, kind, accepted, others_in_use })
        })
        .collect()
}

/// Indexes of the alternatives of the request at which the search got furthest.
fn failing(explanation: &Explanation) -> Vec<usize> {
    let requests = explanation.requests.iter().enumerate();
    let Some(deepest) = explanation.deepest else { return vec![0] };
    // The search stands behind the last request when a later claim failed; that one is deeper.
    let at = requests
        .clone()
        .filter(|(_, request)| {
            (request.place.claim, request.place.request)
                <= (deepest.place.claim, deepest.place.request)
        })
        .map(|(_, request)| (request.place.claim, request.place.request))
        .max();
    requests
        .filter(|(_, request)| Some((request.place.claim, request.place.request)) == at)
        .map(|(index, _)| index)
        .collect()
}

/// Devices that the selectors accept; those of other nodes only when there is nothing else.
fn accepted(request: &RequestExplanation) -> Vec<&Verdict> {
    let accepted = request.verdicts.iter().filter(|verdict| verdict.accepted == Some(true));
    let is_here = |verdict: &&Verdict| verdict.reason.stage() != Stage::Node;
    let (here, elsewhere): (Vec<&Verdict>, Vec<&Verdict>) = accepted.partition(is_here);
    if here.is_empty() { elsewhere } else { here }
}

fn is_in_use(verdict: &Verdict) -> bool {
    matches!(verdict.reason.told(), Some(SkipReason::InUseCommitted))
}

/// The cause when some accepted devices are in use and all others have one reason in common: that one
/// tells more, such as the counter that the device in use draws from.
fn of_free(
    request: &RequestExplanation,
    accepted: &[&Verdict],
    facts: &dyn Facts,
) -> Option<CauseKind> {
    let (used, free): (Vec<&Verdict>, Vec<&Verdict>) =
        accepted.iter().copied().partition(|verdict| is_in_use(verdict));
    let enough = u64::try_from(free.len()).is_ok_and(|free| free >= request.wanted.unwrap_or(free));
    if used.is_empty() || free.is_empty() || request.wanted.is_none() || !enough {
        return None;
    }
    let refused: Option<Vec<(&DeviceId, &SkipReason)>> =
        free.iter().map(|verdict| Some((&verdict.device, refusal(&verdict.reason)?))).collect();
    let refused = refused?;
    if let Some(counters) = same_counters(&refused, facts) {
        return Some(counters);
    }
    let (_, first) = refused.first()?;
    let telling = matches!(first, SkipReason::CapacityShort { .. } | SkipReason::Tainted { .. });
    let same = telling && refused.iter().all(|(_, reason)| reason == first);
    let reasons = || refused.iter().map(|(_, reason)| (*reason).clone()).collect();
    same.then(|| CauseKind::Same { reasons: reasons() })
}

fn kind(request: &RequestExplanation, facts: &dyn Facts) -> CauseKind {
    let accepted = accepted(request);
    if request.verdicts.is_empty() {
        return CauseKind::NoDevices;
    }
    if accepted.is_empty() {
        return nothing_accepted(request);
    }
    let refused: Vec<(&DeviceId, &SkipReason)> = accepted
        .iter()
        .filter_map(|verdict| Some((&verdict.device, refusal(&verdict.reason)?)))
        .collect();
    let usable = accepted.len() - refused.len();
    if request.wanted.is_none() {
        let listed = request.listed.unwrap_or(accepted.len());
        let Some((device, reason)) = refused.first().copied() else {
            return CauseKind::Conflict(Conflict::default());
        };
        let (device, reason) = (device.clone(), reason.clone());
        return if is_beside(&reason) {
            CauseKind::AllExclude { listed, device, reason }
        } else {
            CauseKind::AllBlocked { listed, device, reason }
        };
    }
    let wanted = request.wanted.unwrap_or(1);
    if u64::try_from(usable).is_ok_and(|usable| usable >= wanted) {
        return CauseKind::Conflict(Conflict::default());
    }
    if usable == 0 && u64::try_from(accepted.len()).is_ok_and(|accepted| accepted >= wanted) {
        if let Some(counters) = same_counters(&refused, facts) {
            return counters;
        }
        let mut codes = refused.iter().map(|(_, reason)| reason.code());
        let first = codes.next();
        if codes.all(|code| Some(code) == first) {
            let reasons = refused.iter().map(|(_, reason)| (*reason).clone()).collect();
            return CauseKind::Same { reasons };
        }
    }
    let mut reasons: Vec<(SkipReason, usize)> = Vec::new();
    for (_, reason) in refused {
        match reasons.iter_mut().find(|(known, _)| known.code() == reason.code()) {
            Some((_, count)) => *count += 1,
            None => reasons.push((reason.clone(), 1)),
        }
    }
    let too_few = u64::try_from(accepted.len()).is_ok_and(|accepted| accepted < wanted);
    CauseKind::Mixed { wanted: request.wanted, too_few, usable, reasons }
}

/// The refusal in a reason; `None` for a device that could have been had.
fn refusal(reason: &Reason) -> Option<&SkipReason> {
    let could_be_had = |reason: &SkipReason| {
        matches!(reason, SkipReason::Undone | SkipReason::Chosen | SkipReason::NotNeeded)
    };
    reason.told().filter(|reason| !could_be_had(reason))
}

/// The cause when selectors accept no device.
fn nothing_accepted(request: &RequestExplanation) -> CauseKind {
    if let Some(selects) = selects(request, |verdict| verdict.reason.told()) {
        return selects;
    }
    // None was asked, but they would refuse every device that something else refused before.
    let mut refused = request.verdicts.iter().filter(|it| refusal(&it.reason).is_some());
    let is_elsewhere = |it: &Verdict| it.reason.told() == Some(&SkipReason::SliceOtherNode);
    if refused.all(|it| it.accepted == Some(false) || is_elsewhere(it))
        && let Some(selects) = selects(request, Verdict::by_selector)
    {
        return selects;
    }
    // Something refused devices before their selectors.
    let reasons: Vec<SkipReason> = request
        .verdicts
        .iter()
        .filter_map(|verdict| refusal(&verdict.reason))
        .filter(|reason| !matches!(reason, SkipReason::SliceOtherNode))
        .cloned()
        .collect();
    let Some(first) = reasons.first() else { return CauseKind::NoDevices };
    if request.wanted.is_none() && request.listed == Some(0) {
        return CauseKind::AllNone;
    }
    if reasons.iter().all(|reason| reason.code() == first.code()) {
        return CauseKind::Same { reasons };
    }
    let mut counted: Vec<(SkipReason, usize)> = Vec::new();
    for reason in reasons {
        match counted.iter_mut().find(|(known, _)| known.code() == reason.code()) {
            Some((_, count)) => *count += 1,
            None => counted.push((reason, 1)),
        }
    }
    CauseKind::Mixed { wanted: request.wanted, too_few: false, usable: 0, reasons: counted }
}

/// The selector of the request or the class that refuses devices for such reasons.
fn selects<'a>(
    request: &'a RequestExplanation,
    reason: impl Fn(&'a Verdict) -> Option<&'a SkipReason>,
) -> Option<CauseKind> {
    let (mut by_request, mut by_class) = (Vec::new(), Vec::new());
    for verdict in &request.verdicts {
        match reason(verdict) {
            Some(SkipReason::RequestSelectorFalse { selector }) => {
                by_request.push((verdict.device.clone(), *selector));
            }
            Some(SkipReason::ClassSelectorFalse { selector }) => {
                by_class.push((verdict.device.clone(), *selector));
            }
            _ => {}
        }
    }
    let devices = |list: Vec<(DeviceId, usize)>| list.into_iter().map(|(it, _)| it).collect();
    if let Some((_, selector)) = by_request.first() {
        let selector = *selector;
        return Some(CauseKind::RequestSelects { asked: devices(by_request), selector });
    }
    let (_, selector) = *by_class.first()?;
    Some(CauseKind::ClassSelects { asked: devices(by_class), selector })
}

/// The cause when the same counter is short for every accepted device.
fn same_counters(refused: &[(&DeviceId, &SkipReason)], facts: &dyn Facts) -> Option<CauseKind> {
    let (device, first) = refused.first()?;
    let Shortage { counter_set, counter, asked, left, total } = shortage(device, first, facts)?;
    for (device, reason) in refused {
        let other = shortage(device, reason, facts)?;
        let same = other.counter_set == counter_set && other.counter == counter;
        if !same || other.asked != asked {
            return None;
        }
    }
    Some(CauseKind::Counters {
        device: (*device).clone(),
        holders: facts.counter_holders(&device.pool_id(), &counter_set, &counter),
        counter_set,
        counter,
        asked,
        left,
        total: total?,
    })
}

/// Which counter is short for a device, by how much.
#[derive(Clone, Debug, PartialEq)]
pub struct Shortage {
    /// The counter set.
    pub counter_set: String,
    /// The counter.
    pub counter: String,
    /// What the device draws from it.
    pub asked: Quantity,
    /// What is left of it.
    pub left: Quantity,
    /// What there is; `None` when the set is of another pool.
    pub total: Option<Quantity>,
}

/// The reason that most devices have; of equal ones that which is told first.
fn most_frequent(reasons: &[(SkipReason, usize)]) -> Option<&SkipReason> {
    let weight = |reason: &SkipReason, count: usize| (count, family(reason) == Family::Quantity);
    let most = reasons.iter().rev().max_by_key(|(reason, count)| weight(reason, *count));
    most.map(|(reason, _)| reason)
}

/// The most telling shortage behind a refusal for counters: of several counters of the set that are
/// short the one that is shortest in proportion, a byte amount first.
pub fn shortage(device: &DeviceId, reason: &SkipReason, facts: &dyn Facts) -> Option<Shortage> {
    let SkipReason::CountersShort { set, counter, available, used, wanted } = reason else {
        return None;
    };
    let counters = facts.counters(&device.pool_id(), set);
    let told = Shortage {
        counter_set: set.clone(),
        counter: counter.clone(),
        asked: wanted.clone(),
        left: available.sub(used),
        total: counters
            .iter()
            .find(|known| known.name == *counter)
            .map(|known| known.total.clone()),
    };
    if wanted.is_zero() || !used.is_zero() {
        // Another device's counter, or this attempt's own use: the told one is the truth.
        return Some(told);
    }
    let short = counters.into_iter().filter_map(|facts_of: CounterFacts| {
        let asked = facts.draws(device, set, &facts_of.name)?;
        (asked > facts_of.left).then(|| Shortage {
            counter_set: set.clone(),
            counter: facts_of.name,
            asked,
            left: facts_of.left,
            total: Some(facts_of.total),
        })
    });
    let best = most_telling(short, |short| (&short.asked, &short.left));
    Some(best.unwrap_or(told))
}

/// The shortage that misses most in proportion; of equal ones an amount of bytes reads best.
fn most_telling<T>(
    short: impl Iterator<Item = T>,
    amounts: impl Fn(&T) -> (&Quantity, &Quantity),
) -> Option<T> {
    let weight = |short: &T| {
        let (asked, left) = amounts(short);
        let bytes = asked.to_string().ends_with('i');
        let asked = asked.to_f64().max(f64::MIN_POSITIVE);
        ((asked - left.to_f64()) / asked, bytes)
    };
    short.reduce(|best, next| {
        let ((a, a_bytes), (b, b_bytes)) = (weight(&best), weight(&next));
        let better = if (a - b).abs() < 1e-9 { b_bytes && !a_bytes } else { b > a };
        if better { next } else { best }
    })
}

/// The most telling capacity behind a refusal for capacity.
pub fn short_capacity(
    request: &RequestExplanation,
    device: &DeviceId,
    reason: &SkipReason,
    facts: &dyn Facts,
) -> Option<CapacityFacts> {
    let SkipReason::CapacityShort { name, total, committed, tentative, wanted } = reason else {
        return None;
    };
    let told = CapacityFacts {
        name: name.clone(),
        total: total.clone(),
        left: total.sub(committed).sub(tentative),
        asked: wanted.clone(),
        written: Some(wanted.clone()),
        most: None,
    };
    if !tentative.is_zero() {
        return Some(told);
    }
    let short = facts.consumption(request, device).into_iter().filter(|c| c.asked > c.left);
    Some(most_telling(short, |short| (&short.asked, &short.left)).unwrap_or(told))
}

impl Cause {
    /// Indexes of all requests that it is about.
    pub fn requests(&self) -> Vec<usize> {
        match &self.kind {
            CauseKind::Conflict(conflict) => conflict.requests.clone(),
            _ => vec![self.request],
        }
    }
}

impl CauseKind {
    /// The reason code that stands for the cause.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoDevices | Self::AllNone => "no-devices",
            Self::ClassSelects { .. } => "class-selector-false",
            Self::RequestSelects { .. } => "request-selector-false",
            Self::Same { reasons } => reasons.first().map_or("no-devices", SkipReason::code),
            Self::Counters { .. } => "counters-short",
            Self::Mixed { too_few: true, .. } => "too-few",
            Self::Mixed { reasons, .. } => {
                most_frequent(reasons).map_or("too-few", SkipReason::code)
            }
            Self::AllBlocked { reason, .. } | Self::AllExclude { reason, .. } => reason.code(),
            Self::Conflict(conflict) => conflict.code(),
        }
    }

    /// Key of a few words for it.
    pub fn label(&self) -> Key {
        let most = |reasons: &[(SkipReason, usize)]| {
            most_frequent(reasons).map_or(Key::LabelTooFew, label)
        };
        match self {
            Self::NoDevices | Self::AllNone => Key::LabelNoDevices,
            Self::ClassSelects { .. } => Key::LabelClassFalse,
            Self::RequestSelects { .. } => Key::LabelRequestFalse,
            Self::Same { reasons } => reasons.first().map_or(Key::LabelNoDevices, label),
            Self::Counters { .. } => Key::LabelCountersShort,
            Self::Mixed { usable, too_few, .. } if *usable > 0 || *too_few => Key::LabelTooFew,
            Self::Mixed { reasons, .. } => most(reasons),
            Self::AllBlocked { reason, .. } | Self::AllExclude { reason, .. } => label(reason),
            Self::Conflict(conflict) => conflict.label(),
        }
    }

    /// What kind of reason it is.
    pub fn family(&self) -> Family {
        match self {
            Self::NoDevices
            | Self::ClassSelects { .. }
            | Self::RequestSelects { .. }
            | Self::AllNone => Family::Rule,
            Self::Same { reasons } => reasons.first().map_or(Family::Rule, family),
            Self::Counters { .. } => Family::Quantity,
            Self::Mixed { reasons, .. } => most_frequent(reasons).map_or(Family::Quantity, family),
            Self::AllBlocked { reason, .. } | Self::AllExclude { reason, .. } => family(reason),
            Self::Conflict(conflict) => conflict.family(),
        }
    }
}
