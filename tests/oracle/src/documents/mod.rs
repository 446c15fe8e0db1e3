//! Documents for the API server: valid objects of every kind and version, damaged a little.

mod mutate;
mod seeds;
mod values;

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::release::Release;

/// Gates that a case may switch, where the release does not lock them.
const GATES: [(&str, u32); 11] = [
    ("DRAConsumableCapacity", 36),
    ("DRADeviceBindingConditions", 36),
    ("DRADeviceTaints", 36),
    ("DRAExtendedResource", 36),
    ("DRAListTypeAttributes", 36),
    ("DRAPartitionableDevices", 36),
    ("DRAPrioritizedList", 36),
    ("DRAResourceClaimDeviceStatus", 36),
    ("DRAFractionalCapacityRange", 37),
    ("DRADeviceTaintRules", 36),
    ("DRAAdminAccess", 36),
];

/// Gates of that list that cannot be switched any more, with the first release.
const LOCKED: [(&str, u32); 6] = [
    ("DRAAdminAccess", 36),
    ("DRAExtendedResource", 37),
    ("DRAPrioritizedList", 37),
    ("DRAResourceClaimDeviceStatus", 37),
    ("DRADeviceTaintRules", 37),
    ("DRADeviceTaints", 37),
];

/// Case `index` of a seed, without an answer.
pub fn document_case(seed: u64, index: u64, release: Release) -> Value {
    let mut random = Random::new(seed, index);
    let text = random.text(&seeds::SEEDS);
    let mut object: Value = serde_yaml::from_str(text).unwrap_or_default();
    for _ in 0..random.between(0, 3) {
        mutate::mutate(&mut random, &mut object);
    }
    let version = version(&mut random, &object);
    if version == "v1beta1" {
        flatten(&mut object);
    }
    if version != "v1"
        && let Some(fields) = object.as_object_mut()
    {
        fields.insert("apiVersion".into(), json!(format!("resource.k8s.io/{version}")));
    }
    let has_status = object.get("status").is_some();
    let is_listed = random.percent(6);
    if is_listed {
        object = listed(&mut random, object);
    }
    let text = if random.percent(50) {
        values::write_raw(&object.to_string(), true)
    } else {
        values::write_raw(&yaml(&mut random, &object, !is_listed), false)
    };
    let mut record = Map::new();
    record.insert("name".into(), json!(format!("{seed}/{index}")));
    record.insert("text".into(), json!(text));
    record.insert("namespaces".into(), json!(["tools"]));
    // A status is kept as it was written, whatever gates say today.
    let gates = if has_status { Map::new() } else { gates(&mut random, release.minor) };
    if !gates.is_empty() {
        record.insert("gates".into(), Value::Object(gates));
    }
    Value::Object(record)
}

fn version(random: &mut Random, object: &Value) -> &'static str {
    let version = object.get("apiVersion").and_then(Value::as_str).unwrap_or_default();
    if !version.starts_with("resource.k8s.io/") {
        return "v1";
    }
    // Now and then one that the kind does not have.
    match object.get("kind").and_then(Value::as_str) {
        _ if random.percent(2) => random.text(&["v1alpha1", "v1alpha2", "v1alpha3", "v2"]),
        Some("DeviceTaintRule") => random.text(&["v1alpha3", "v1beta2", "v1", "v1beta1"]),
        _ => random.text(&["v1", "v1", "v1beta2", "v1beta1"]),
    }
}

/// A list with the object, of any kind or of its own, whose items need no kind.
fn listed(random: &mut Random, mut object: Value) -> Value {
    if random.percent(50) {
        return json!({"apiVersion": "v1", "items": [object], "kind": "List", "metadata": {}});
    }
    let field = |name: &str| object.get(name).and_then(Value::as_str).unwrap_or_default();
    let (version, kind) = (field("apiVersion").to_owned(), format!("{}List", field("kind")));
    if let Some(fields) = object.as_object_mut()
        && random.percent(50)
    {
        fields.remove("apiVersion");
        fields.remove("kind");
    }
    let metadata = json!({"resourceVersion": "17"});
    json!({"apiVersion": version, "items": [object], "kind": kind, "metadata": metadata})
}

fn gates(random: &mut Random, minor: u32) -> Map<String, Value> {
    let mut chosen = Map::new();
    if random.percent(35) {
        for _ in 0..random.between(1, 2) {
            let Some((name, since)) = random.pick(&GATES) else { continue };
            let locked = LOCKED.iter().any(|(gate, from)| gate == name && *from <= minor);
            if *since <= minor && !locked {
                chosen.insert((*name).to_owned(), json!(random.percent(40)));
            }
        }
    }
    // Gates that depend on others; the server would not start without them.
    for (gate, needed) in [
        ("DRADeviceBindingConditions", "DRAResourceClaimDeviceStatus"),
        ("DRAFractionalCapacityRange", "DRAConsumableCapacity"),
    ] {
        if chosen.get(needed) == Some(&json!(false)) && minor >= 36 {
            let known = gate != "DRAFractionalCapacityRange" || minor >= 37;
            if known {
                chosen.insert(gate.to_owned(), json!(false));
            }
        }
    }
    chosen
}

/// The shape of v1beta1: flat requests, and devices below `basic`.
fn flatten(object: &mut Value) {
    for path in ["/spec/devices/requests", "/spec/spec/devices/requests"] {
        for request in object.pointer_mut(path).and_then(Value::as_array_mut).into_iter().flatten()
        {
            let Some(fields) = request.as_object_mut() else { continue };
            if let Some(Value::Object(exactly)) = fields.remove("exactly") {
                fields.extend(exactly);
            }
        }
    }
    if object.get("kind") != Some(&json!("ResourceSlice")) {
        return;
    }
    for device in
        object.pointer_mut("/spec/devices").and_then(Value::as_array_mut).into_iter().flatten()
    {
        let Some(fields) = device.as_object_mut() else { continue };
        let name = fields.remove("name");
        let basic = std::mem::take(fields);
        fields.extend(name.map(|name| ("name".to_owned(), name)));
        fields.insert("basic".into(), Value::Object(basic));
    }
}

/// The object as YAML, now and then with a plain scalar that is not what it looks like.
fn yaml(random: &mut Random, object: &Value, damaged: bool) -> String {
    let text = serde_yaml::to_string(object).unwrap_or_default();
    // A list without a kind is read, though kubectl does not.
    if !damaged || !random.percent(20) {
        return text;
    }
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let count = lines.len();
    if let Some(line) = lines.get_mut(random.between(3, count.max(4)))
        && let Some((key, value)) = line.split_once(": ")
        && !value.starts_with(['|', '>'])
    {
        *line = format!("{key}: {}", random.text(&values::PLAIN));
    }
    if random.percent(20) {
        // The same line twice is the same key twice.
        let at = random.below(count);
        if let Some(line) = lines.get(at).filter(|line| line.contains(": ")).cloned() {
            lines.insert(at, line);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use dra_playground_core::api::{codes, read};

    use super::{document_case, seeds};
    use crate::release::SERVERS;

    #[test]
    fn seeds_are_objects() {
        for text in seeds::SEEDS {
            let object: Value = serde_yaml::from_str(text).unwrap();
            assert!(object.get("kind").is_some(), "{text}");
        }
    }

    #[test]
    fn same_seed_same_case_and_never_without_a_kind() {
        for release in SERVERS {
            for index in 0..300 {
                let case = document_case(7, index, release);
                assert_eq!(case, document_case(7, index, release));
                assert!(case.pointer("/text").unwrap().as_str().unwrap().contains("kind"));
            }
        }
    }

    /// Old documents that are right mean the same when they are converted, JSON or YAML.
    #[test]
    fn conversions_mean_the_same() {
        let mut converted = 0;
        for index in 0..1500 {
            let case = document_case(11, index, SERVERS[0]);
            let text = case.pointer("/text").and_then(Value::as_str).unwrap();
            let before = read(text);
            let [object] = before.objects.as_slice() else { continue };
            if object.refused || object.api_version != "resource.k8s.io/v1beta1" {
                continue;
            }
            let offers =
                before.diagnostics.iter().filter(|found| found.code == codes::BETA_VERSION);
            let Some(fix) = offers.flat_map(|found| &found.fixes).next() else { continue };
            let text_after = fix.apply(text);
            let after = read(&text_after);
            assert!(!after.objects[0].refused, "{text}\n{text_after}\n{:?}", after.diagnostics);
            assert_eq!(after.objects[0].api_version, "resource.k8s.io/v1");
            let value =
                |read: &dra_playground_core::api::Read| format!("{:?}", read.objects[0].value);
            assert_eq!(value(&after), value(&before), "{text}\n{text_after}");
            if text.starts_with('{') {
                assert!(serde_json::from_str::<Value>(&text_after).is_ok(), "{text_after}");
            }
            converted += 1;
        }
        assert!(converted > 60, "{converted}");
    }
}
