use dra_playground_cel::order::Order;

use crate::allocator::SkipReason;
use crate::apimachinery::ObjectRef;
use crate::pool::{DeviceId, InvalidReason};

use super::cause::{Cause, CauseKind};
use super::conflict::is_beside;
use super::explanation::{Explanation, RequestExplanation, Verdict};
use super::facts::{Facts, Holder, Lack, SelectorOf};
use super::nothing::refused_for;
use super::pieces::{
    asked_phrase, constraint_phrase, counter_set_phrase, device_phrase, device_phrase_as, object,
    pool_phrase, request_field, request_phrase, selector_phrase, taint_phrase,
};
use super::reason::{Family, Reason, family, label};
use super::words::{Catalogue, Key};
use super::{Phrase, Subject};

/// Holders named in one sentence.
pub(super) const NAMED: usize = 3;

/// What is needed to say something about an attempt.
#[derive(Clone, Copy)]
pub struct Speaker<'a> {
    /// The language.
    pub words: &'a Catalogue,
    /// The cluster.
    pub facts: &'a dyn Facts,
    /// The node.
    pub node: &'a str,
    /// Whether accepted devices are spoken of as the free ones among others that are in use.
    pub free_only: bool,
}

impl std::fmt::Debug for Speaker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Speaker").field("node", &self.node).finish_non_exhaustive()
    }
}

impl Speaker<'_> {
    /// Why the claims do not fit, as a clause: `every device it accepts draws 40Gi from …`.
    pub fn causes(&self, explanation: &Explanation, causes: &[Cause]) -> Phrase {
        let several = explanation.has_more || explanation.requests.len() > 1;
        let mut said = Phrase::default();
        for cause in causes {
            let Some(request) = explanation.requests.get(cause.request) else { continue };
            let mut clause = match &cause.kind {
                CauseKind::Conflict(conflict) => self.conflict(explanation, conflict),
                _ => Self { free_only: cause.others_in_use, ..*self }.cause(request, cause),
            };
            if request.resource.is_some() && cause.requests().len() < 2 {
                let values = [("resource", request_phrase(request)), ("why", clause)];
                clause = self.say(Key::ResourcePart, &values);
            } else if several && cause.requests().len() < 2 {
                let values = [("request", request_phrase(request)), ("why", clause)];
                clause = self.say(Key::RequestPart, &values);
            }
            said = if said.is_empty() {
                clause
            } else {
                self.say(Key::Semicolon, &[("text", said), ("more", clause)])
            };
        }
        said
    }

    /// A second sentence: what is free and not accepted, or why it is all or nothing.
    pub fn context(&self, explanation: &Explanation, causes: &[Cause], who: &ObjectRef) -> Phrase {
        let Some(cause) = causes.first() else { return Phrase::default() };
        let Some(request) = explanation.requests.get(cause.request) else {
            return Phrase::default();
        };
        if let Some(hint) = self.hint(request, cause) {
            return hint;
        }
        if let CauseKind::Conflict(conflict) = &cause.kind {
            let claims = conflict.requests.iter().filter_map(|it| explanation.requests.get(*it));
            let mut claims = claims.map(|request| &request.claim);
            let first = claims.next();
            return if claims.any(|claim| Some(claim) != first) {
                self.words.word(Key::ContextTogether).into()
            } else {
                Phrase::default()
            };
        }
        if cause.accepted.is_empty() {
            return Phrase::default();
        }
        let free: Vec<(&Verdict, usize)> = request
            .verdicts
            .iter()
            .filter_map(|verdict| match verdict.reason.told()? {
                SkipReason::RequestSelectorFalse { selector } => Some((verdict, *selector)),
                _ => None,
            })
            .collect();
        let devices: Vec<DeviceId> =
            free.iter().map(|(verdict, _)| verdict.device.clone()).collect();
        let cards = self.facts.free_cards(&devices);
        let Some((verdict, index)) = free.first().filter(|_| cards.count > 0) else {
            return Phrase::default();
        };
        let (one, many) = if cards.of_several_devices {
            (Key::CardsOne, Key::CardsMany)
        } else {
            (Key::DevicesOne, Key::DevicesMany)
        };
        let count = match cards.count {
            1 => self.words.word(one).into(),
            n => self.say(many, &[("count", self.words.number(n).into())]),
        };
        let selector = SelectorOf { request, of_class: false, index: *index };
        let mut values =
            vec![("thing", self.thing(request)), ("count", count), ("owner", object(who))];
        let one = cards.count == 1;
        let key = match self.facts.false_part(&selector, &verdict.device) {
            Some(part) => {
                values.push(("part", selector_phrase(&selector, part.text)));
                if one { Key::ContextFreeOne } else { Key::ContextFree }
            }
            None if one => Key::ContextFreeOneBare,
            None => Key::ContextFreeBare,
        };
        self.say(key, &values)
    }

    /// What probably was meant: an attribute of a similar name, or an amount that was left out.
    fn hint(&self, request: &RequestExplanation, cause: &Cause) -> Option<Phrase> {
        let device = cause.accepted.first();
        let similar = |device: &DeviceId, attribute: &str| {
            let similar = self.facts.similar_attribute(device, attribute)?;
            let values = [("device", device_phrase(device)), ("similar", similar.into())];
            Some(self.say(Key::ContextSimilar, &values))
        };
        match &cause.kind {
            CauseKind::Conflict(conflict) => {
                let agreement = conflict.constraint.as_ref()?;
                let without = |device: &&&DeviceId| {
                    self.facts.attribute(device, &agreement.attribute).is_none()
                };
                let devices = conflict.devices();
                let device = devices.iter().find(without)?;
                similar(device, &agreement.attribute)
            }
            CauseKind::Mixed { too_few: true, reasons, .. } if reasons.is_empty() => {
                let shareable = self.facts.is_shareable(device?);
                shareable.then(|| self.words.word(Key::ContextShares).into())
            }
            // Nothing was taken before a single device: what is used was reserved for refused ones.
            CauseKind::Mixed { reasons, .. } if request.wanted == Some(1) => {
                let leaks = reasons.iter().any(|(reason, _)| is_beside(reason));
                leaks.then(|| self.words.word(Key::ContextLeak).into())
            }
            CauseKind::Same { reasons } => match reasons.first()? {
                reason if request.wanted == Some(1) && is_beside(reason) => {
                    Some(self.words.word(Key::ContextLeak).into())
                }
                SkipReason::ConstraintMissing { attribute, .. } => similar(device?, attribute),
                SkipReason::CapacityUnknown { name } => {
                    let similar = self.facts.similar_capacity(device?, name)?;
                    let values = [("device", device_phrase(device?)), ("similar", similar.into())];
                    Some(self.say(Key::ContextSimilarCapacity, &values))
                }
                SkipReason::CapacityShort { name, .. } => {
                    self.amount_context(request, device?, name)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// `GPU` for a class such as `gpu.example.com`, else the word for a device.
    fn thing(&self, request: &RequestExplanation) -> Phrase {
        let stem: String = request.class.chars().take_while(char::is_ascii_alphabetic).collect();
        if (2..=4).contains(&stem.len()) {
            stem.to_ascii_uppercase().into()
        } else {
            self.words.word(Key::ThingDevice).into()
        }
    }

    fn cause(&self, request: &RequestExplanation, cause: &Cause) -> Phrase {
        let accepted = cause.accepted.as_slice();
        let wanted =
            || request_field(request, "count", request.wanted.unwrap_or_default().to_string());
        let number = |n: usize| Phrase::from(n.to_string());
        match &cause.kind {
            CauseKind::NoDevices => self.no_devices(),
            CauseKind::AllNone => self.words.word(Key::AllNone).into(),
            CauseKind::Conflict(_) => self.words.word(Key::NotTogether).into(),
            CauseKind::ClassSelects { asked, selector } => {
                self.selects(request, asked, *selector, true)
            }
            CauseKind::RequestSelects { asked, selector } => {
                self.selects(request, asked, *selector, false)
            }
            CauseKind::Counters { device, counter_set, counter, asked, left, total, holders } => {
                let values = [
                    ("accepted", self.accepted(accepted)),
                    ("asked", self.amount(asked, counter)),
                    ("set", counter_set_phrase(device, counter_set)),
                    ("left", left.to_string().into()),
                    ("total", total.to_string().into()),
                    ("holders", self.holders(holders)),
                ];
                let many = holders.len() > 1;
                let key = if holders.is_empty() || asked > total {
                    Key::CountersSmall
                } else if left.sign() <= 0 {
                    if many { Key::CountersTakenMany } else { Key::CountersTaken }
                } else if many {
                    Key::CountersPartMany
                } else {
                    Key::CountersPart
                };
                self.say(key, &values)
            }
            CauseKind::Same { reasons } => self.same(request, accepted, reasons),
            CauseKind::Mixed { wanted: _, too_few, usable, reasons } => {
                let mut reasons: Vec<&(SkipReason, usize)> = reasons.iter().collect();
                // Amounts tell most.
                reasons.order_by_key(|(reason, _)| family(reason) != Family::Quantity);
                let parts: Vec<Phrase> = reasons
                    .into_iter()
                    .map(|(reason, count)| self.mixed_part(request, accepted, reason, *count))
                    .collect();
                let values = [
                    ("wanted", wanted()),
                    ("accepted", number(accepted.len())),
                    ("usable", number(*usable)),
                    ("parts", self.words.list(&parts, parts.len())),
                ];
                let key = if parts.is_empty() {
                    Key::TooFewMatch
                } else if *too_few {
                    Key::TooFewMatchParts
                } else if *usable == 0 && request.wanted == Some(1) {
                    Key::Mixed
                } else {
                    Key::TooFew
                };
                self.say(key, &values)
            }
            CauseKind::AllExclude { listed, device, reason }
            | CauseKind::AllBlocked { listed, device, reason } => {
                let verdict = Reason::of(reason.clone());
                let values = [
                    ("count", number(*listed)),
                    ("device", device_phrase(device)),
                    ("reason", self.reason_clause(request, device, &verdict)),
                ];
                let excludes = matches!(cause.kind, CauseKind::AllExclude { .. });
                self.say(if excludes { Key::AllExclude } else { Key::AllBlocked }, &values)
            }
        }
    }

    /// One of several reasons; an amount with its numbers, on one of the devices.
    fn mixed_part(
        &self,
        request: &RequestExplanation,
        accepted: &[DeviceId],
        reason: &SkipReason,
        count: usize,
    ) -> Phrase {
        let name = self.words.word(label(reason));
        let mut values = vec![("label", name.into())];
        let mut number = Phrase::from(count.to_string());
        let like = |verdict: &&Verdict| {
            verdict.reason.told() == Some(reason) && accepted.contains(&verdict.device)
        };
        if let SkipReason::InUseCommitted = reason {
            let verdicts = request.verdicts.iter().filter(like);
            let mut holders: Vec<Holder> =
                verdicts.flat_map(|verdict| self.facts.holders(&verdict.device)).collect();
            holders.order();
            holders.dedup_by(|a, b| a.pod == b.pod && a.claim == b.claim);
            if !holders.is_empty() {
                let by = self.say(Key::DetailInUse, &[("holders", self.users(&holders))]);
                let middle = self.words.word(Key::ListMiddle);
                number = number.then(middle.into()).then(by);
            }
            values.push(("count", number));
            return self.say(Key::MixedPart, &values);
        }
        values.push(("count", number));
        let found = request.verdicts.iter().find(like);
        let Some(verdict) = found.filter(|_| family(reason) == Family::Quantity) else {
            return self.say(Key::MixedPart, &values);
        };
        let detail = self.detail(request, &verdict.device, &verdict.reason, None);
        if detail.is_empty() {
            return self.say(Key::MixedPart, &values);
        }
        values.push(("device", device_phrase(&verdict.device)));
        values.push(("detail", detail));
        self.say(if count > 1 { Key::MixedPartLike } else { Key::MixedPartOf }, &values)
    }

    /// All accepted devices have the same kind of reason.
    fn same(
        &self,
        request: &RequestExplanation,
        accepted: &[DeviceId],
        reasons: &[SkipReason],
    ) -> Phrase {
        let devices: Vec<DeviceId> =
            if accepted.is_empty() { refused_for(request, reasons) } else { accepted.to_vec() };
        let (Some(device), Some(reason)) = (devices.first(), reasons.first()) else {
            return Phrase::default();
        };
        let accepted = || ("accepted", self.accepted(&devices));
        let the_device = || ("device", device_phrase(device));
        let all_equal = reasons.iter().all(|other| other == reason);
        match reason {
            SkipReason::CountersShort { .. } => self.counters_various(device, reason),
            SkipReason::CapacityShort { .. } => {
                self.capacity_short(request, &devices, reason, all_equal)
            }
            SkipReason::CapacityUnknown { name } => {
                let asked = asked_phrase(request, name, name.clone());
                self.say(Key::CapacityUnknown, &[("name", asked)])
            }
            SkipReason::CapacityPolicy { name, wanted } => {
                self.capacity_policy(request, device, name, wanted)
            }
            SkipReason::InUseCommitted => {
                let mut holders: Vec<Holder> =
                    devices.iter().flat_map(|device| self.facts.holders(device)).collect();
                holders.order();
                holders.dedup_by(|a, b| a.pod == b.pod && a.claim == b.claim);
                let count = devices.len();
                let values = [
                    the_device(),
                    ("count", count.to_string().into()),
                    ("holders", self.users(&holders)),
                ];
                self.say(if count == 1 { Key::InUseOnly } else { Key::InUseAll }, &values)
            }
            SkipReason::InUseThisPod { .. } | SkipReason::InUseAdminSameClaim => {
                self.words.word(Key::InUseThisPod).into()
            }
            SkipReason::Tainted { .. } if !all_equal => self.taints(request, &devices, reasons),
            SkipReason::Tainted { key, value, effect } => {
                let taint = taint_phrase(device, key, value, effect);
                match self.near_toleration(request, (key, value, effect)) {
                    Some(near) => {
                        let values = [accepted(), ("taint", taint), ("differs", near)];
                        self.say(Key::TaintedNear, &values)
                    }
                    None => self.say(Key::TaintedAll, &[accepted(), ("taint", taint)]),
                }
            }
            SkipReason::ConstraintMissing { constraint, attribute } => {
                let attribute = constraint_phrase(request, *constraint, false, attribute);
                self.say(Key::ConstraintMissing, &[the_device(), ("attribute", attribute)])
            }
            SkipReason::ConstraintDifferent { constraint, attribute, .. } => {
                let attribute = constraint_phrase(request, *constraint, false, attribute);
                self.say(Key::ConstraintDiffers, &[("attribute", attribute)])
            }
            SkipReason::ConstraintDuplicate { constraint, attribute, .. } => {
                let attribute = constraint_phrase(request, *constraint, true, attribute);
                self.say(Key::ConstraintDuplicate, &[("attribute", attribute)])
            }
            SkipReason::PoolIncomplete { .. }
            | SkipReason::PoolInvalid { .. }
            | SkipReason::PoolObsolete { .. }
            | SkipReason::PartitionableOff
            | SkipReason::BindingUnsupported
            | SkipReason::NodeOperationsUnsupported
            | SkipReason::SliceOtherNode
            | SkipReason::DeviceOtherNode
            | SkipReason::SliceIgnored => self.out_of_reach(device, reason, &devices),
            SkipReason::CelError(fault) => {
                self.say(Key::Verbatim, &[("text", fault.to_string().into())])
            }
            SkipReason::Over32 => {
                let wanted = request.wanted.unwrap_or_default().to_string();
                let wanted = request_field(request, "count", wanted);
                self.say(Key::TooMany, &[("wanted", wanted), ("limit", "32".into())])
            }
            SkipReason::ClassSelectorFalse { selector } => {
                self.selects(request, &devices, *selector, true)
            }
            SkipReason::RequestSelectorFalse { selector } => {
                self.selects(request, &devices, *selector, false)
            }
            SkipReason::Undone | SkipReason::NotNeeded | SkipReason::Chosen => {
                self.words.word(Key::NotTogether).into()
            }
        }
    }

    /// Each taint, said of a device that has it.
    fn taints(
        &self,
        request: &RequestExplanation,
        devices: &[DeviceId],
        reasons: &[SkipReason],
    ) -> Phrase {
        let mut said = Phrase::default();
        for (at, (device, reason)) in devices.iter().zip(reasons).enumerate() {
            if reasons.iter().take(at).any(|before| before == reason) {
                continue;
            }
            let why = self.reason_clause(request, device, &Reason::of(reason.clone()));
            let clause = device_phrase(device).then(": ".into()).then(why);
            said = if said.is_empty() {
                clause
            } else {
                self.say(Key::Semicolon, &[("text", said), ("more", clause)])
            };
        }
        said
    }

    /// Pools, features and nodes keep every device away.
    fn out_of_reach(&self, device: &DeviceId, reason: &SkipReason, devices: &[DeviceId]) -> Phrase {
        match reason {
            SkipReason::PoolIncomplete { pool, have, want } => {
                let values = [
                    ("pool", pool_phrase(pool, "resourceSliceCount")),
                    ("have", have.to_string().into()),
                    ("need", want.to_string().into()),
                ];
                let many = is_more(*have, *want);
                self.say(if many { Key::PoolDisagrees } else { Key::PoolIncomplete }, &values)
            }
            SkipReason::PoolInvalid { pool, reason } => {
                let text = reason.to_string();
                let (pool_name, reason) = match reason {
                    InvalidReason::DuplicateDevice(name) => {
                        (pool.pool.to_string().into(), device_phrase_as(&pool.device(name), text))
                    }
                    _ => (pool_phrase(pool, "name"), text.into()),
                };
                self.say(Key::PoolInvalid, &[("pool", pool_name), ("reason", reason)])
            }
            SkipReason::PoolObsolete { .. } => {
                let pool = pool_phrase(&device.pool_id(), "generation");
                self.say(Key::PoolObsolete, &[("pool", pool)])
            }
            SkipReason::PartitionableOff
            | SkipReason::BindingUnsupported
            | SkipReason::NodeOperationsUnsupported
            | SkipReason::SliceIgnored => self.featureless(device, reason, devices),
            SkipReason::SliceOtherNode | SkipReason::DeviceOtherNode => {
                self.say(Key::OtherNode, &[("node", self.node_phrase())])
            }
            _ => Phrase::default(),
        }
    }

    /// A feature that is not there keeps every device away.
    fn featureless(&self, device: &DeviceId, reason: &SkipReason, devices: &[DeviceId]) -> Phrase {
        let (key, gate) = match self.facts.lack(device, reason) {
            Some(Lack::Gate(gate)) => (Key::FeatureOff, gate),
            Some(Lack::Declared(gate)) => (Key::NotDeclared, gate),
            None => return self.lack_detail(device, reason),
        };
        let values = [
            ("accepted", self.accepted(devices)),
            ("gate", gate.name().into()),
            ("node", self.node_phrase()),
        ];
        self.say(key, &values)
    }

    /// `every device it accepts`, or the only one by name.
    pub(super) fn accepted(&self, devices: &[DeviceId]) -> Phrase {
        let (only, every) = if self.free_only {
            (Key::AcceptedFreeOnly, Key::AcceptedFreeEvery)
        } else {
            (Key::AcceptedOnly, Key::AcceptedEvery)
        };
        match devices {
            [device] => self.say(only, &[("device", device_phrase(device))]),
            _ => self.words.word(every).into(),
        }
    }

    /// Holders with what they hold: `pod1's gpu-7-full`.
    pub(super) fn holders(&self, holders: &[Holder]) -> Phrase {
        let things: Vec<Phrase> = holders
            .iter()
            .map(|holder| {
                let owner = object(holder.pod.as_ref().unwrap_or(&holder.claim));
                let values = [("owner", owner), ("thing", device_phrase(&holder.device))];
                self.say(Key::Possessive, &values)
            })
            .collect();
        self.words.list(&things, NAMED)
    }

    /// Holders alone: `pod1 and pod2`.
    pub(super) fn users(&self, holders: &[Holder]) -> Phrase {
        let users: Vec<Phrase> = holders
            .iter()
            .map(|holder| object(holder.pod.as_ref().unwrap_or(&holder.claim)))
            .collect();
        self.words.list(&users, NAMED)
    }

    pub(super) fn node_phrase(&self) -> Phrase {
        Phrase::about(
            self.node,
            Subject::Object(ObjectRef {
                kind: "Node".to_owned(),
                namespace: String::new(),
                name: self.node.to_owned(),
            }),
        )
    }

    pub(super) fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        self.words.say(key, values)
    }
}

/// Whether a pool has more slices than it announces.
pub(super) fn is_more(have: usize, announced: i64) -> bool {
    i64::try_from(have).is_ok_and(|have| have > announced)
}
