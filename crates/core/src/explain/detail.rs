use crate::allocator::SkipReason;
use crate::apimachinery::quantity::Quantity;
use crate::pool::DeviceId;

use super::Phrase;
use super::cause::{short_capacity, shortage};
use super::explanation::RequestExplanation;
use super::facts::{Lack, SelectorOf};
use super::pieces::{
    asked_phrase, constraint_phrase, counter_set_phrase, device_phrase, object, request_field,
    selector_phrase, taint_phrase,
};
use super::reason::{Reason, Stage};
use super::say::is_more;
use super::say::{NAMED, Speaker};
use super::words::Key;

/// Why a device was never looked at, by the stage at which the search ended.
fn not_reached(stage: Stage) -> Key {
    match stage {
        Stage::Class | Stage::Request => Key::DetailNotReachedError,
        _ => Key::DetailNotReached,
    }
}

impl Speaker<'_> {
    /// Why another amount is asked than the request says: all of it, or rounded up.
    pub(super) fn amount_context(
        &self,
        request: &RequestExplanation,
        device: &DeviceId,
        name: &str,
    ) -> Option<Phrase> {
        let known = self.facts.consumption(request, device);
        let known = known.iter().find(|known| known.name == name)?;
        let name = ("name", name.into());
        let Some(written) = &known.written else {
            let whole = known.asked == known.total;
            return whole.then(|| self.say(Key::ContextWhole, &[name]));
        };
        let values = [
            name,
            ("written", written.to_string().into()),
            ("asked", known.asked.to_string().into()),
            ("device", device_phrase(device)),
        ];
        (*written != known.asked).then(|| self.say(Key::ContextRounded, &values))
    }

    /// The reason of one device as a clause: label and detail.
    pub fn reason_clause(
        &self,
        request: &RequestExplanation,
        device: &DeviceId,
        reason: &Reason,
    ) -> Phrase {
        let label = self.words.word(reason.label()).into();
        let detail = self.detail(request, device, reason, None);
        if detail.is_empty() {
            return label;
        }
        self.say(Key::Aside, &[("text", label), ("more", detail)])
    }

    /// The detail beside a reason's label, e.g. `gpu-7-counters, memory: 40Gi asked, 0 left`.
    /// `position` is the device's rank among those looked at, and their number.
    pub fn detail(
        &self,
        request: &RequestExplanation,
        device: &DeviceId,
        reason: &Reason,
        position: Option<(usize, usize)>,
    ) -> Phrase {
        let Some(reason) = reason.told() else {
            return self.words.word(not_reached(reason.stage())).into();
        };
        match reason {
            SkipReason::Chosen => match position {
                Some((rank, of)) => self.say(
                    Key::DetailChosen,
                    &[("position", rank.to_string().into()), ("count", of.to_string().into())],
                ),
                None => Phrase::default(),
            },
            SkipReason::NotNeeded => self.words.word(Key::DetailNotNeeded).into(),
            SkipReason::Undone => self.words.word(Key::DetailUndone).into(),
            SkipReason::SliceOtherNode => self.words.word(Key::DetailSliceOtherNode).into(),
            SkipReason::PoolObsolete { .. } => self.words.word(Key::DetailPoolObsolete).into(),
            SkipReason::DeviceOtherNode => self.words.word(Key::DetailDeviceOtherNode).into(),
            SkipReason::PoolIncomplete { have, want, .. } => {
                let values = [("have", have.to_string().into()), ("need", want.to_string().into())];
                let more = is_more(*have, *want);
                let key = if more { Key::DetailPoolDisagrees } else { Key::DetailPoolIncomplete };
                self.say(key, &values)
            }
            SkipReason::PoolInvalid { reason, .. } => reason.to_string().into(),
            SkipReason::InUseCommitted => {
                let holders = self.facts.holders(device);
                if holders.is_empty() {
                    return Phrase::default();
                }
                let claims: Vec<Phrase> =
                    holders.iter().map(|holder| object(&holder.claim)).collect();
                self.say(Key::DetailInUse, &[("holders", self.words.list(&claims, NAMED))])
            }
            SkipReason::InUseThisPod { .. } | SkipReason::InUseAdminSameClaim => {
                self.words.word(Key::DetailInUseThisPodBare).into()
            }
            SkipReason::SliceIgnored
            | SkipReason::BindingUnsupported
            | SkipReason::NodeOperationsUnsupported
            | SkipReason::PartitionableOff => self.lack_detail(device, reason),
            SkipReason::ClassSelectorFalse { selector }
            | SkipReason::RequestSelectorFalse { selector } => {
                let of_class = matches!(reason, SkipReason::ClassSelectorFalse { .. });
                let selector = SelectorOf { request, of_class, index: *selector };
                match self.facts.false_part(&selector, device) {
                    Some(part) => {
                        let part = selector_phrase(&selector, part.text);
                        self.say(Key::DetailSelectorFalse, &[("part", part)])
                    }
                    None => Phrase::default(),
                }
            }
            SkipReason::CelError(fault) => fault.to_string().into(),
            SkipReason::CapacityUnknown { name } => {
                let asked = asked_phrase(request, name, name.clone());
                self.say(Key::DetailCapacityUnknown, &[("name", asked)])
            }
            SkipReason::CapacityPolicy { name, wanted } => self.say(
                Key::DetailCapacityPolicy,
                &[
                    ("name", name.clone().into()),
                    ("asked", asked_phrase(request, name, wanted.to_string())),
                ],
            ),
            SkipReason::CapacityShort { .. } => {
                let Some(short) = short_capacity(request, device, reason, self.facts) else {
                    return Phrase::default();
                };
                let asked = asked_phrase(request, &short.name, short.asked.to_string());
                let values = [
                    ("name", short.name.into()),
                    ("asked", asked),
                    ("left", short.left.to_string().into()),
                    ("total", short.total.to_string().into()),
                ];
                self.say(Key::DetailCapacityShort, &values)
            }
            SkipReason::CountersShort { .. } => self.counters_detail(device, reason),
            SkipReason::Tainted { key, value, effect } => {
                self.tainted(request, device, (key, value, effect))
            }
            SkipReason::ConstraintMissing { constraint, attribute } => {
                let attribute = constraint_phrase(request, *constraint, false, attribute);
                self.say(Key::DetailConstraintMissing, &[("attribute", attribute)])
            }
            SkipReason::ConstraintDifferent { constraint, attribute, other } => self.constraint(
                device,
                (attribute, constraint_phrase(request, *constraint, false, attribute)),
                other.as_ref(),
                [Key::DetailConstraintDiffers, Key::DetailConstraintDiffersBare],
            ),
            SkipReason::ConstraintDuplicate { constraint, attribute, other } => self.constraint(
                device,
                (attribute, constraint_phrase(request, *constraint, true, attribute)),
                other.as_ref(),
                [Key::DetailConstraintDuplicate, Key::DetailConstraintDuplicateBare],
            ),
            SkipReason::Over32 => self.say(Key::DetailOver32, &[("limit", "32".into())]),
        }
    }

    fn tainted(
        &self,
        request: &RequestExplanation,
        device: &DeviceId,
        taint: (&str, &str, &str),
    ) -> Phrase {
        let (key, value, effect) = taint;
        let said = ("taint", taint_phrase(device, key, value, effect));
        match self.near_toleration(request, taint) {
            Some(near) => self.say(Key::DetailTaintedNear, &[said, ("differs", near)]),
            None => self.say(Key::DetailTainted, &[said]),
        }
    }

    /// What keeps a toleration of the same key from tolerating a taint.
    pub(super) fn near_toleration(
        &self,
        request: &RequestExplanation,
        taint: (&str, &str, &str),
    ) -> Option<Phrase> {
        let near = self.facts.near_toleration(request, taint)?;
        let quoted = |text: String| if text.is_empty() { "\"\"".to_owned() } else { text };
        let parts: Vec<Phrase> = near
            .differs
            .into_iter()
            .map(|(field, has, wanted)| {
                // A field that is not written has no place.
                let place = if has.is_empty() { "key" } else { field };
                let path = format!("tolerations[{}].{place}", near.index);
                let values = [
                    ("field", field.into()),
                    ("has", request_field(request, &path, quoted(has))),
                    ("wanted", quoted(wanted).into()),
                ];
                self.say(Key::TolerationDiffers, &values)
            })
            .collect();
        Some(self.words.list(&parts, parts.len()))
    }

    /// Which feature keeps a device away.
    pub(super) fn lack_detail(&self, device: &DeviceId, reason: &SkipReason) -> Phrase {
        let (key, gate) = match self.facts.lack(device, reason) {
            Some(Lack::Gate(gate)) => (Key::DetailFeatureOff, gate),
            Some(Lack::Declared(gate)) => (Key::DetailNotDeclared, gate),
            None => return self.words.word(Key::DetailSliceIgnored).into(),
        };
        self.say(key, &[("gate", gate.name().into())])
    }

    fn counters_detail(&self, device: &DeviceId, reason: &SkipReason) -> Phrase {
        let Some(short) = shortage(device, reason, self.facts) else { return Phrase::default() };
        let set = counter_set_phrase(device, &short.counter_set);
        if short.asked.is_zero() {
            let over = Quantity::default().sub(&short.left);
            let values = [
                ("set", set),
                ("counter", short.counter.into()),
                ("over", over.to_string().into()),
            ];
            return self.say(Key::DetailCountersForeign, &values);
        }
        // The balance does not know of what an attempt took that came to nothing.
        let used = match reason {
            SkipReason::CountersShort { used, .. } if !used.is_zero() => used.to_string(),
            _ => String::new(),
        };
        let key = if used.is_empty() { Key::DetailCountersShort } else { Key::DetailCountersTaken };
        let values = [
            ("set", set),
            ("counter", short.counter.into()),
            ("asked", short.asked.to_string().into()),
            ("left", short.left.to_string().into()),
            ("used", used.into()),
        ];
        self.say(key, &values)
    }

    fn constraint(
        &self,
        device: &DeviceId,
        (attribute, named): (&str, Phrase),
        other: Option<&DeviceId>,
        [full, bare]: [Key; 2],
    ) -> Phrase {
        let value = self.facts.attribute(device, attribute);
        let reference = other.map(|other| (other, self.facts.attribute(other, attribute)));
        match (value, reference) {
            (Some(value), Some((other, Some(wanted)))) => self.say(
                full,
                &[
                    ("attribute", named),
                    ("value", value.into()),
                    ("reference", device_phrase(other)),
                    ("wanted", wanted.into()),
                ],
            ),
            _ => self.say(bare, &[("attribute", named)]),
        }
    }
}
