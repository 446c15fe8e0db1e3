use std::collections::BTreeMap;

use crate::api::{CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity};
use crate::apimachinery::Entries;
use crate::apimachinery::quantity::{Format, Quantity};
use crate::features::{Behavior, CapacityOverflow, StepResultFormat};

use super::accounts::{Nanos, nanos};
use super::{CapacityFault, Crash};

/// What a request consumes of a device that it takes, before anything is compared with what is left.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Amounts in the order of the device's capacities, by name.
    pub(super) amounts: Vec<Quantity>,
    /// The same in billionths.
    pub(super) nanos: Vec<Nanos>,
    pub(super) verdict: PlanVerdict,
}

/// Whether a request can be put to a device at all.
#[derive(Clone, Debug)]
pub(super) enum PlanVerdict {
    Fine,
    /// The device has not this capacity.
    Unknown(String),
    /// The amount of the capacity at this position breaks its policy.
    Policy(usize),
    /// The amount of the capacity at this position cannot be represented.
    Fault(usize, CapacityFault),
    /// Upstream divides by a step of zero.
    Crash,
}

type Capacities = Entries<DeviceCapacity>;
type Requests = BTreeMap<String, Quantity>;

/// What a request for these amounts consumes of these capacities.
pub(super) fn plan(
    capacities: &Capacities,
    requests: Option<&Requests>,
    behavior: &Behavior,
) -> Plan {
    let mut plan = Plan { amounts: Vec::new(), nanos: Vec::new(), verdict: PlanVerdict::Fine };
    if let Some(name) =
        requests.into_iter().flatten().map(|(name, _)| name).find(|n| !capacities.contains_key(n))
    {
        plan.verdict = PlanVerdict::Unknown(name.clone());
        return plan;
    }
    for (position, (name, capacity)) in capacities.iter().enumerate() {
        let asked = requests.and_then(|requests| requests.get(name));
        let amount = match consumed(asked, capacity, behavior) {
            Ok(amount) if is_refused_negative(&amount, behavior) => {
                plan.verdict = PlanVerdict::Fault(position, CapacityFault::Negative);
                return plan;
            }
            Ok(amount) => amount,
            Err(Failure::Fault(fault)) => {
                plan.verdict = PlanVerdict::Fault(position, fault);
                return plan;
            }
            Err(Failure::Crash) => {
                plan.verdict = PlanVerdict::Crash;
                return plan;
            }
        };
        plan.nanos.push(nanos(&amount));
        plan.amounts.push(amount);
    }
    for (position, (capacity, amount)) in capacities.values().zip(&plan.amounts).enumerate() {
        match breaks_policy(amount, capacity.request_policy.as_deref(), behavior) {
            Ok(false) => {}
            Ok(true) => {
                plan.verdict = PlanVerdict::Policy(position);
                return plan;
            }
            Err(Crash::DivideByZero | Crash::NilPointer | Crash::IndexOutOfRange { .. }) => {
                plan.verdict = PlanVerdict::Crash;
                return plan;
            }
        }
    }
    plan
}

enum Failure {
    Fault(CapacityFault),
    Crash,
}

/// What a request for these amounts would consume, in the order of the capacities, whether or not
/// so much is left; `None` when it cannot be put to the device at all.
pub fn would_consume(
    capacities: &Capacities,
    requests: Option<&BTreeMap<String, Quantity>>,
    behavior: &Behavior,
) -> Option<Vec<Quantity>> {
    let plan = plan(capacities, requests, behavior);
    match plan.verdict {
        PlanVerdict::Fine | PlanVerdict::Policy(_) => Some(plan.amounts),
        PlanVerdict::Unknown(_) | PlanVerdict::Fault(..) | PlanVerdict::Crash => None,
    }
}

fn is_refused_negative(amount: &Quantity, behavior: &Behavior) -> bool {
    behavior.capacity_overflow == CapacityOverflow::Refused && amount.sign() < 0
}

/// The amount consumed of one capacity.
fn consumed(
    asked: Option<&Quantity>,
    capacity: &DeviceCapacity,
    behavior: &Behavior,
) -> Result<Quantity, Failure> {
    let policy = capacity.request_policy.as_ref();
    let Some(asked) = asked else {
        let default = policy.and_then(|policy| policy.default.as_ref());
        return Ok(default.unwrap_or(&capacity.value).clone());
    };
    let Some(policy) = policy else { return Ok(asked.clone()) };
    if let Some(range) = &policy.valid_range
        && let Some(min) = &range.min
    {
        return round_up(asked, range, min, behavior);
    }
    let at_least = policy.valid_values.iter().find(|value| asked <= value);
    Ok(at_least.unwrap_or(asked).clone())
}

/// Raises an amount to the minimum and then to the next step.
fn round_up(
    asked: &Quantity,
    range: &CapacityRequestPolicyRange,
    min: &Quantity,
    behavior: &Behavior,
) -> Result<Quantity, Failure> {
    if asked < min {
        return Ok(min.clone());
    }
    let Some(step) = &range.step else { return Ok(asked.clone()) };
    if uses_millis(range, behavior) {
        return round_up_millis(asked, step, min);
    }
    let refuses = behavior.capacity_overflow == CapacityOverflow::Refused;
    let fault = |fault: fn(String) -> CapacityFault| Failure::Fault(fault(asked.to_string()));
    if refuses && *asked > Quantity::from_i64(i64::MAX, Format::DecimalSI) {
        return Err(fault(|request| CapacityFault::ExceedsInt64 { request }));
    }
    let (step_units, min_units) = (step.value_rounded_up(), min.value_rounded_up());
    let added = asked.value_rounded_up().wrapping_sub(min_units);
    let steps = steps(added, step_units).ok_or(Failure::Crash)?;
    if refuses && min_units >= 0 {
        let room = (i64::MAX - min_units).checked_div(step_units).unwrap_or(i64::MAX);
        if steps > room {
            return Err(fault(|request| CapacityFault::RoundingPassesInt64 { request }));
        }
    }
    let format = match behavior.step_result_format {
        StepResultFormat::Binary => Format::BinarySI,
        StepResultFormat::OfStep => step.format(),
    };
    Ok(Quantity::from_i64(min_units.wrapping_add(step_units.wrapping_mul(steps)), format))
}

/// How many steps it takes to get at least so far; `None` for a step of zero.
fn steps(distance: i64, step: i64) -> Option<i64> {
    if step == 0 {
        return None;
    }
    let whole = distance.wrapping_div(step);
    Some(if distance.wrapping_rem(step) == 0 { whole } else { whole.wrapping_add(1) })
}

fn round_up_millis(asked: &Quantity, step: &Quantity, min: &Quantity) -> Result<Quantity, Failure> {
    let Some(asked_millis) = millis(asked) else {
        return Err(Failure::Fault(CapacityFault::NotMilli { request: asked.to_string() }));
    };
    let (Some(step_millis), Some(min_millis)) = (millis(step), millis(min)) else {
        return Err(Failure::Crash);
    };
    let steps = steps(asked_millis.wrapping_sub(min_millis), step_millis).ok_or(Failure::Crash)?;
    let room = i64::MAX.wrapping_sub(min_millis).checked_div(step_millis).unwrap_or(i64::MAX);
    if steps > room {
        let request = asked.to_string();
        return Err(Failure::Fault(CapacityFault::RoundingPassesMilli { request }));
    }
    let value = min_millis.wrapping_add(step_millis.wrapping_mul(steps));
    Ok(if value % 1000 == 0 {
        Quantity::from_i64(value / 1000, step.format())
    } else {
        Quantity::from_millis(value, step.format())
    })
}

/// The amount in thousandths where that loses nothing and fits.
fn millis(quantity: &Quantity) -> Option<i64> {
    let nanos = quantity.nanos()?;
    if nanos % 1_000_000 == 0 { i64::try_from(nanos / 1_000_000).ok() } else { None }
}

/// Whether a range is computed in thousandths.
fn uses_millis(range: &CapacityRequestPolicyRange, behavior: &Behavior) -> bool {
    let exact = |quantity: &Option<Quantity>| quantity.as_ref().is_none_or(|q| millis(q).is_some());
    behavior.fractional_range
        && exact(&range.min)
        && exact(&range.max)
        && range.step.as_ref().is_none_or(|step| millis(step).is_some_and(|millis| millis >= 1))
}

fn breaks_policy(
    amount: &Quantity,
    policy: Option<&CapacityRequestPolicy>,
    behavior: &Behavior,
) -> Result<bool, Crash> {
    let Some(policy) = policy else { return Ok(false) };
    if policy.default.as_ref().is_some_and(|default| is_identical(amount, default)) {
        return Ok(false);
    }
    if let Some(range) = &policy.valid_range {
        return breaks_range(amount, range, behavior);
    }
    Ok(!policy.valid_values.is_empty() && !policy.valid_values.contains(amount))
}

/// Upstream compares with the default field by field: number, notation and text.
fn is_identical(a: &Quantity, b: &Quantity) -> bool {
    a == b && a.format() == b.format() && a.written() == b.written()
}

fn breaks_range(
    amount: &Quantity,
    range: &CapacityRequestPolicyRange,
    behavior: &Behavior,
) -> Result<bool, Crash> {
    if range.max.as_ref().is_some_and(|max| amount > max) {
        return Ok(true);
    }
    let Some(step) = &range.step else { return Ok(false) };
    // The API server requires a minimum; without one upstream reads a null pointer.
    let Some(min) = &range.min else { return Err(Crash::NilPointer) };
    let (distance, step) = if uses_millis(range, behavior) {
        let Some(amount) = millis(amount) else { return Ok(true) };
        let (Some(step), Some(min)) = (millis(step), millis(min)) else { return Ok(true) };
        (amount.wrapping_sub(min), step)
    } else {
        let distance = amount.value_rounded_up().wrapping_sub(min.value_rounded_up());
        (distance, step.value_rounded_up())
    };
    if step == 0 {
        return Err(Crash::DivideByZero);
    }
    Ok(distance.wrapping_rem(step) != 0)
}
