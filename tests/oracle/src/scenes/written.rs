//! A scenario as people write it, as a record for the scheduler.

use dra_playground_core::scenario::API_VERSION;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{NOW, NOW_TEXT};

/// The objects of a text and the gates and steps of its scenario document.
///
/// # Errors
/// What cannot be told to the real scheduler: documents that are no objects of the API's newest
/// version, and times that are not given in the form of `2026-01-01T00:00:00Z`.
pub fn record(name: &str, text: &str) -> Result<Value, String> {
    let mut record = Map::new();
    record.insert("name".to_owned(), json!(name));
    let mut objects: Vec<Value> = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        let object = Value::deserialize(document).map_err(|error| error.to_string())?;
        match string(&object, "apiVersion") {
            API_VERSION => scenario(&object, &mut record)?,
            "v1" if string(&object, "kind") == "List" => objects.extend(list(&object, "items")),
            "v1" | "resource.k8s.io/v1" => objects.push(object),
            _ if object.is_null() => {}
            version => return Err(format!("cannot tell objects of `{version}`")),
        }
    }
    let mut times: Vec<&str> = Vec::new();
    for object in &objects {
        find_times(object, &mut times);
    }
    times.extend(times.is_empty().then_some(NOW_TEXT));
    // Times of one form and zone have the order of their texts.
    let latest = times.into_iter().max().unwrap_or_default();
    let now = seconds(latest).ok_or_else(|| format!("cannot tell the time `{latest}`"))?;
    record.insert("now".to_owned(), json!(now));
    record.insert("objects".to_owned(), Value::Array(objects));
    Ok(Value::Object(record))
}

/// What a scenario document says of gates and steps.
fn scenario(document: &Value, record: &mut Map<String, Value>) -> Result<(), String> {
    let spec = document.get("spec").cloned().unwrap_or_default();
    if let Some(gates) = spec.get("featureGates") {
        record.insert("gates".to_owned(), gates.clone());
    }
    let steps: Result<Vec<Value>, String> = list(&spec, "steps").map(step).collect();
    record.insert("steps".to_owned(), Value::Array(steps?));
    Ok(())
}

/// A step without name and expectations, in its long form.
fn step(mut step: Value) -> Result<Value, String> {
    let fields = step.as_object_mut().ok_or("a step is no map")?;
    fields.retain(|key, _| !matches!(key.as_str(), "name" | "expect"));
    if let Some(object @ Value::Object(_)) = fields.get_mut("apply") {
        *object = json!([object.take()]);
    }
    if let Some(Value::Object(gone)) = fields.get_mut("delete") {
        let kind = gone.get("kind").and_then(Value::as_str).unwrap_or_default();
        if matches!(kind, "Pod" | "ResourceClaim" | "ResourceClaimTemplate") {
            gone.entry("namespace").or_insert_with(|| json!("default"));
        }
    }
    if let Some(finish) = fields.get_mut("finish") {
        name_namespace(finish, "pod");
    }
    if let Some(wanted) = fields.get_mut("setConditions") {
        name_namespace(wanted, "claim");
        if let Some(short @ Value::Object(_)) = wanted.get_mut("conditions") {
            let entries = short.as_object().into_iter().flatten();
            let long = entries.map(|(name, status)| match status {
                Value::Bool(true) => json!({"type": name, "status": "True"}),
                Value::Bool(false) => json!({"type": name, "status": "False"}),
                status => json!({"type": name, "status": status}),
            });
            *short = long.collect();
        }
    }
    Ok(step)
}

/// Puts the namespace before a name that has none.
fn name_namespace(of: &mut Value, field: &str) {
    let name = string(of, field).to_owned();
    if let Some(fields) = of.as_object_mut().filter(|_| !name.contains('/')) {
        fields.insert(field.to_owned(), json!(format!("default/{name}")));
    }
}

/// The times that the scenario's clock begins after.
fn find_times<'a>(value: &'a Value, times: &mut Vec<&'a str>) {
    const NAMES: [&str; 3] = ["creationTimestamp", "timeAdded", "allocationTimestamp"];
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                times.extend(value.as_str().filter(|_| NAMES.contains(&name.as_str())));
                find_times(value, times);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| find_times(item, times)),
        _ => {}
    }
}

/// Seconds since 1970 of a time that is near [`NOW`].
fn seconds(text: &str) -> Option<i64> {
    let parse = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (parse(0..4)?, parse(5..7)?, parse(8..10)?);
    let (hour, minute, second) = (parse(11..13)?, parse(14..16)?, parse(17..19)?);
    if text.get(19..) != Some("Z") {
        return None;
    }
    // Days since the first of March of the year 0, so that a leap day comes last.
    let days = |year: i64, month: i64, day: i64| {
        let (year, month) = if month < 3 { (year - 1, month + 9) } else { (year, month - 3) };
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day
    };
    let since = days(year, month, day) - days(2026, 1, 1);
    Some(NOW + since * 86_400 + hour * 3_600 + minute * 60 + second)
}

fn string<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn list(value: &Value, key: &str) -> impl Iterator<Item = Value> {
    value.get(key).and_then(Value::as_array).cloned().unwrap_or_default().into_iter()
}
