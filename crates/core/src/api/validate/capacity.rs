use std::borrow::Cow;

use crate::apimachinery::FieldError;
use crate::apimachinery::quantity::{Format, Quantity};
use crate::features::Gate;

use super::super::decode::quantity_text;
use super::super::object::Object;
use super::super::{CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity};
use super::Rules;
use super::faults::{Faults, Mark};

/// Source: `validateMultiAllocatableDeviceCapacity`, `validateSingleAllocatableDeviceCapacity`.
pub(super) fn capacity(
    capacity: &DeviceCapacity,
    shareable: bool,
    path: &str,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let Some(policy) = &capacity.request_policy else {
        return;
    };
    let path = format!("{path}.requestPolicy");
    if !shareable {
        faults.push(FieldError::forbidden(path, "allowMultipleAllocations must be true"));
        return;
    }
    let total = &capacity.value;
    match policy.as_ref() {
        CapacityRequestPolicy { valid_values, valid_range: Some(_), .. }
            if !valid_values.is_empty() =>
        {
            let detail = "exactly one policy can be specified, cannot specify \"validValues\" \
                and \"validRange\" at the same time";
            faults.push(FieldError::forbidden(path, detail));
        }
        CapacityRequestPolicy { default: None, valid_values, .. } if !valid_values.is_empty() => {
            let detail = "required when validValues is defined";
            faults.push(FieldError::required(format!("{path}.default"), detail));
        }
        CapacityRequestPolicy { default: None, valid_range: Some(_), .. } => {
            let detail = "required when validRange is defined";
            faults.push(FieldError::required(format!("{path}.default"), detail));
        }
        CapacityRequestPolicy { default: Some(default), valid_values, valid_range: None } => {
            if !valid_values.is_empty() {
                let path = format!("{path}.validValues");
                policy_values(default, total, valid_values, &path, rules, faults);
            }
        }
        CapacityRequestPolicy { default: Some(default), valid_range: Some(range), .. } => {
            let path = format!("{path}.validRange");
            policy_range(default, total, range, &path, object, rules, faults);
        }
        CapacityRequestPolicy { default: None, valid_range: None, .. } => {}
    }
}

fn policy_values(
    default: &Quantity,
    total: &Quantity,
    values: &[Quantity],
    path: &str,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    for (idx, pair) in values.windows(2).enumerate() {
        if let [earlier, later] = pair
            && earlier > later
        {
            let detail = "values must be sorted in ascending order";
            let path = format!("{path}[{}]", idx + 1);
            faults.push(FieldError::invalid(path, &later.to_string(), detail));
        }
    }
    if faults.fits(path, values.len(), 10) {
        for (idx, value) in values.iter().enumerate() {
            if value > total {
                let detail = format!("option is larger than capacity value: {total}");
                faults.push(FieldError::invalid(
                    format!("{path}[{idx}]"),
                    &value.to_string(),
                    detail,
                ));
            }
        }
        // UPSTREAM: values are told apart in whole units, rounded up.
        let exact = rules.on(Gate::FractionalCapacityRange);
        let key = |value: &Quantity| match value.nanos() {
            Some(nanos) if exact => decimal(nanos),
            _ => value.value_rounded_up().to_string(),
        };
        let keys: Vec<String> = values.iter().map(key).collect();
        faults.unique(path, keys.iter().map(String::as_str));
    }
    if values.len() > 10 || !values.contains(default) {
        let detail = "default value is not valid according to the requestPolicy";
        faults.push(FieldError::invalid(path, &default.to_string(), detail));
    }
}

fn policy_range(
    default: &Quantity,
    total: &Quantity,
    range: &CapacityRequestPolicyRange,
    path: &str,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let policy = path.strip_suffix(".validRange").unwrap_or(path);
    let newer = rules.minor() >= 37;
    let mut wrong = |field: &str, value: &Quantity, detail: String| {
        // The default stands beside the range, but its error has the path of the range, and before
        // 1.37 that of the bound it breaks.
        let (field, bound) = field.split_once('/').unwrap_or((field, field));
        let above = if field == "default" { policy } else { path };
        let mark = Mark::Value(format!("{above}.{field}"));
        let field = if newer { field } else { bound };
        let error = FieldError::invalid(format!("{path}.{field}"), &value.to_string(), detail);
        faults.push_at(error, mark);
    };
    let Some(min) = &range.min else {
        let detail = "required when validRange is defined";
        faults.push(FieldError::required(format!("{path}.min"), detail));
        return;
    };
    if min > total {
        wrong("min", min, format!("min is larger than capacity value: {total}"));
    }
    if default < min {
        wrong("default/min", default, format!("default is less than min: {min}"));
    }
    if let Some(max) = &range.max {
        if min > max {
            wrong("max", min, format!("min is larger than max: {max}"));
        }
        if max > total {
            wrong("max", max, format!("max is larger than capacity value: {total}"));
        }
        if default > max {
            wrong("default/max", default, format!("default is more than max: {max}"));
        }
    }
    let fields = [
        ("default", Some(default)),
        ("min", Some(min)),
        ("max", range.max.as_ref()),
        ("step", range.step.as_ref()),
    ];
    let given = || fields.iter().filter_map(|(field, value)| Some((*field, (*value)?)));
    let milli =
        rules.on(Gate::FractionalCapacityRange) && given().any(|(_, value)| !is_whole(value));
    if milli {
        let unsafe_values: Vec<_> = given().filter(|(_, value)| !is_milli(value)).collect();
        for (field, value) in &unsafe_values {
            wrong(field, value, "value cannot be represented as a milli value".to_owned());
        }
        if !unsafe_values.is_empty() {
            return;
        }
    }
    let Some(step) = &range.step else {
        return;
    };
    // UPSTREAM: before 1.37 a step of zero makes the server fail without an answer.
    if step.sign() <= 0 && (newer || step.is_zero()) {
        wrong("step", step, "must be greater than zero".to_owned());
        return;
    }
    let one = min.add(step);
    if &one > total {
        wrong("step", step, format!("one step {one} is larger than capacity value: {total}"));
    }
    if newer && !milli {
        let mut fine = true;
        for (field, value) in given() {
            let largest = Quantity::from_i64(i64::MAX, Format::DecimalSI);
            let detail = if value.sign() < 0 {
                "must be greater than or equal to 0"
            } else if *value > largest {
                "must not be larger than 9223372036854775807"
            } else {
                continue;
            };
            fine = false;
            wrong(field, value, detail.to_owned());
        }
        if !fine {
            return;
        }
    }
    let [first, grid] =
        [("min", min), ("step", step)].map(|(field, value)| sent(object, path, field, value));
    for (field, value) in given().filter(|(field, _)| ["default", "max"].contains(field)) {
        let above = if field == "default" { policy } else { path };
        if !on_grid(&sent(object, above, field, value), &first, &grid, milli) {
            let detail = format!("value is not a multiple of a given step ({step}) from ({min})");
            wrong("step", value, detail);
        }
    }
}

/// The amount as it was sent, which validation sees. Beyond 64 bits it computes with another form
/// than that of the amount as it is stored.
fn sent<'a>(object: &Object, above: &str, field: &str, stored: &'a Quantity) -> Cow<'a, Quantity> {
    if *stored <= Quantity::from_i64(i64::MAX, Format::DecimalSI) {
        return Cow::Borrowed(stored);
    }
    let text = object.spans.node(&format!("{above}.{field}")).and_then(quantity_text);
    text.and_then(|text| text.parse().ok()).map_or(Cow::Borrowed(stored), Cow::Owned)
}

/// Whether `value` is `min` plus a multiple of `step`, in whole units or in thousandths.
fn on_grid(value: &Quantity, min: &Quantity, step: &Quantity, milli: bool) -> bool {
    let units = |quantity: &Quantity| match quantity.nanos() {
        Some(nanos) if milli => nanos / NANOS_IN_MILLI,
        _ => i128::from(quantity.value_rounded_up()),
    };
    let step = units(step);
    step != 0 && (units(value) - units(min)) % step == 0
}

const NANOS_IN_MILLI: i128 = 1_000_000;

fn is_whole(quantity: &Quantity) -> bool {
    quantity.nanos().is_none_or(|nanos| nanos % (1000 * NANOS_IN_MILLI) == 0)
}

/// Whether a signed number of thousandths of 64 bits is exactly it.
fn is_milli(quantity: &Quantity) -> bool {
    quantity.nanos().is_some_and(|nanos| {
        nanos % NANOS_IN_MILLI == 0 && i64::try_from(nanos / NANOS_IN_MILLI).is_ok()
    })
}

/// Billionths as a decimal fraction without trailing zeros.
fn decimal(nanos: i128) -> String {
    let (sign, nanos) = if nanos < 0 { ("-", -nanos) } else { ("", nanos) };
    let (whole, rest) = (nanos / 1_000_000_000, nanos % 1_000_000_000);
    let rest = format!(".{rest:09}");
    format!("{sign}{whole}{}", rest.trim_end_matches('0').trim_end_matches('.'))
}
