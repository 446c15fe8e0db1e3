use serde_json::{Map, Value, json};

use crate::allocator::Outcome;
use crate::api::{AllocationResult, ConfigSource, DeviceToleration};
use crate::apimachinery::NodeSelectorRequirement;

/// The scheduler's words for an outcome; empty when it has none.
pub(super) fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Allocated(_) | Outcome::NotAllocated => String::new(),
        Outcome::NodeError(fault) | Outcome::Fatal(fault) => fault.to_string(),
        Outcome::Crash(crash) => crash.to_string(),
        Outcome::Exhausted { search_calls } => {
            ["stopped after ", &search_calls.to_string()].concat()
        }
    }
}

/// A result in the API's form.
pub(in crate::conformance) fn result_json(result: &AllocationResult) -> Value {
    let mut devices = Map::new();
    put_list(
        &mut devices,
        "results",
        result.results.iter().map(|device| {
            let mut fields = Map::new();
            fields.insert("request".into(), json!(device.request));
            fields.insert("driver".into(), json!(device.driver));
            fields.insert("pool".into(), json!(device.pool));
            fields.insert("device".into(), json!(device.device));
            if let Some(admin) = device.admin_access {
                fields.insert("adminAccess".into(), json!(admin));
            }
            put_list(&mut fields, "tolerations", device.tolerations.iter().map(toleration_json));
            let strings = |list: &[String]| list.iter().map(|s| json!(s)).collect::<Vec<_>>();
            put_list(&mut fields, "bindingConditions", strings(&device.binding_conditions));
            put_list(
                &mut fields,
                "bindingFailureConditions",
                strings(&device.binding_failure_conditions),
            );
            put_list(&mut fields, "skipNodeOperations", strings(&device.skip_node_operations));
            if let Some(share) = &device.share_id {
                fields.insert("shareID".into(), json!(share));
            }
            if let Some(consumed) = device.consumed_capacity.as_ref().filter(|c| !c.is_empty()) {
                let amounts = consumed.iter().map(|(name, q)| (name.clone(), json!(q.to_string())));
                fields.insert("consumedCapacity".into(), amounts.collect::<Map<_, _>>().into());
            }
            Value::Object(fields)
        }),
    );
    put_list(
        &mut devices,
        "config",
        result.config.iter().map(|entry| {
            let source = match entry.source {
                ConfigSource::FromClass => "FromClass",
                ConfigSource::FromClaim => "FromClaim",
            };
            let mut fields = Map::new();
            fields.insert("source".into(), json!(source));
            put_list(&mut fields, "requests", entry.requests.iter().map(|name| json!(name)));
            if let Some(opaque) = &entry.opaque {
                let value = json!({ "driver": opaque.driver, "parameters": opaque.parameters });
                fields.insert("opaque".into(), value);
            }
            Value::Object(fields)
        }),
    );
    let mut fields = Map::new();
    fields.insert("devices".into(), devices.into());
    if let Some(selector) = &result.node_selector {
        let terms = selector.terms.iter().map(|term| {
            let mut fields = Map::new();
            put_list(
                &mut fields,
                "matchExpressions",
                term.match_expressions.iter().map(requirement_json),
            );
            put_list(&mut fields, "matchFields", term.match_fields.iter().map(requirement_json));
            Value::Object(fields)
        });
        fields.insert(
            "nodeSelector".into(),
            json!({ "nodeSelectorTerms": terms.collect::<Vec<_>>() }),
        );
    }
    Value::Object(fields)
}

/// Lists that are empty are left out, as Go does.
fn put_list(fields: &mut Map<String, Value>, key: &str, items: impl IntoIterator<Item = Value>) {
    let items: Vec<Value> = items.into_iter().collect();
    if !items.is_empty() {
        fields.insert(key.to_owned(), items.into());
    }
}

fn toleration_json(toleration: &DeviceToleration) -> Value {
    let mut fields = Map::new();
    let texts = [
        ("key", &toleration.key),
        ("operator", &toleration.operator),
        ("value", &toleration.value),
        ("effect", &toleration.effect),
    ];
    for (key, text) in texts {
        if !text.is_empty() {
            fields.insert(key.into(), json!(text));
        }
    }
    if let Some(seconds) = toleration.toleration_seconds {
        fields.insert("tolerationSeconds".into(), json!(seconds));
    }
    Value::Object(fields)
}

fn requirement_json(requirement: &NodeSelectorRequirement) -> Value {
    let mut fields = Map::new();
    fields.insert("key".into(), json!(requirement.key));
    fields.insert("operator".into(), json!(requirement.operator.as_str()));
    put_list(&mut fields, "values", requirement.values.iter().map(|value| json!(value)));
    Value::Object(fields)
}
