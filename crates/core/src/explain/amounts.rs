//! An amount is short: counters and capacities.

use crate::allocator::SkipReason;
use crate::apimachinery::quantity::Quantity;
use crate::pool::DeviceId;

use super::Phrase;
use super::cause::{short_capacity, shortage};
use super::explanation::RequestExplanation;
use super::facts::CapacityFacts;
use super::pieces::{asked_phrase, counter_set_phrase, device_phrase};
use super::say::Speaker;
use super::words::Key;

impl Speaker<'_> {
    /// Each device lacks another counter: one of them, and who has what it lacks.
    pub(super) fn counters_various(&self, device: &DeviceId, reason: &SkipReason) -> Phrase {
        let Some(short) = shortage(device, reason, self.facts) else {
            return Phrase::default();
        };
        let mut values = vec![
            ("device", device_phrase(device)),
            ("asked", self.amount(&short.asked, &short.counter)),
            ("set", counter_set_phrase(device, &short.counter_set)),
            ("left", short.left.to_string().into()),
        ];
        let pool = device.pool_id();
        let holders = self.facts.counter_holders(&pool, &short.counter_set, &short.counter);
        if holders.is_empty() {
            return self.say(Key::CountersVarious, &values);
        }
        values.push(("holders", self.users(&holders)));
        self.say(Key::CountersVariousHeld, &values)
    }

    /// The amount is against the policy.
    pub(super) fn capacity_policy(
        &self,
        request: &RequestExplanation,
        device: &DeviceId,
        name: &str,
        wanted: &Quantity,
    ) -> Phrase {
        let asked = asked_phrase(request, name, wanted.to_string());
        let mut values =
            vec![("device", device_phrase(device)), ("name", name.into()), ("asked", asked)];
        let known = self.facts.consumption(request, device).into_iter();
        let most = known.filter(|it| it.name == name).find_map(|it| it.most);
        match most.filter(|most| most < wanted) {
            Some(most) => {
                values.push(("most", most.to_string().into()));
                self.say(Key::CapacityTooMuch, &values)
            }
            None => self.say(Key::CapacityPolicy, &values),
        }
    }

    /// Every accepted device has too little capacity left.
    pub(super) fn capacity_short(
        &self,
        request: &RequestExplanation,
        devices: &[DeviceId],
        reason: &SkipReason,
        all_equal: bool,
    ) -> Phrase {
        let Some(device) = devices.first() else { return Phrase::default() };
        let Some(short) = short_capacity(request, device, reason, self.facts) else {
            return Phrase::default();
        };
        let CapacityFacts { name, total, left, asked, .. } = short;
        let holders = self.facts.holders(device);
        let values = [
            ("accepted", self.accepted(devices)),
            ("device", device_phrase(device)),
            ("asked", asked_phrase(request, &name, asked.to_string())),
            ("name", name.into()),
            ("left", left.to_string().into()),
            ("total", total.to_string().into()),
            ("holders", self.users(&holders)),
        ];
        let key = if devices.len() > 1 && !all_equal {
            Key::CapacityVarious
        } else if asked > total {
            Key::CapacitySmall
        } else if left.is_zero() && devices.len() == 1 && !holders.is_empty() {
            if holders.len() > 1 { Key::CapacityTakenMany } else { Key::CapacityTaken }
        } else {
            Key::CapacityPart
        };
        self.say(key, &values)
    }

    /// An amount; one without unit is followed by what it counts.
    pub(super) fn amount(&self, amount: &Quantity, name: &str) -> Phrase {
        let text = amount.to_string();
        if text.ends_with(|c: char| c.is_ascii_digit()) {
            self.say(Key::AmountOf, &[("amount", text.into()), ("name", name.into())])
        } else {
            text.into()
        }
    }
}
