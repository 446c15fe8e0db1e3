//! Objects in the API's JSON form, as far as something prints them: the status of a claim.

use serde_json::{Map, Value, json};

use crate::apimachinery::{Condition, NodeSelector, NodeSelectorRequirement, NodeSelectorTerm};

use super::{
    AllocatedDeviceStatus, AllocationConfig, AllocationResult, ConfigSource, ConsumerReference,
    DeviceRequestAllocationResult, DeviceToleration, ResourceClaimStatus,
};

/// The status in the API's JSON form.
pub fn status_json(status: &ResourceClaimStatus) -> Map<String, Value> {
    let mut out = Map::new();
    put(&mut out, "allocation", status.allocation.as_ref().map(allocation_json));
    put(&mut out, "devices", list(&status.devices, device_status));
    put(&mut out, "reservedFor", list(&status.reserved_for, consumer));
    out
}

/// `status.allocation` in the API's JSON form.
pub fn allocation_json(allocation: &AllocationResult) -> Value {
    let mut devices = Map::new();
    put(&mut devices, "config", list(&allocation.config, config));
    put(&mut devices, "results", list(&allocation.results, result));
    let mut out = Map::new();
    put(&mut out, "allocationTimestamp", text(allocation.allocation_timestamp.as_deref()));
    out.insert("devices".to_owned(), devices.into());
    put(&mut out, "nodeSelector", allocation.node_selector.as_ref().map(node_selector));
    out.into()
}

fn result(result: &DeviceRequestAllocationResult) -> Value {
    let mut out = Map::new();
    put(&mut out, "adminAccess", result.admin_access.map(Value::from));
    put(&mut out, "bindingConditions", names(&result.binding_conditions));
    put(&mut out, "bindingFailureConditions", names(&result.binding_failure_conditions));
    let consumed = result.consumed_capacity.as_ref().map(|consumed| {
        let amounts =
            consumed.iter().map(|(name, amount)| (name.clone(), amount.to_string().into()));
        Value::Object(amounts.collect())
    });
    put(&mut out, "consumedCapacity", consumed);
    out.insert("device".to_owned(), result.device.as_str().into());
    out.insert("driver".to_owned(), result.driver.as_str().into());
    out.insert("pool".to_owned(), result.pool.as_str().into());
    out.insert("request".to_owned(), result.request.as_str().into());
    put(&mut out, "shareID", text(result.share_id.as_deref()));
    put(&mut out, "skipNodeOperations", names(&result.skip_node_operations));
    put(&mut out, "tolerations", list(&result.tolerations, toleration));
    out.into()
}

fn toleration(toleration: &DeviceToleration) -> Value {
    let mut out = Map::new();
    put(&mut out, "effect", text(Some(&toleration.effect)));
    put(&mut out, "key", text(Some(&toleration.key)));
    put(&mut out, "operator", text(Some(&toleration.operator)));
    put(&mut out, "tolerationSeconds", toleration.toleration_seconds.map(Value::from));
    put(&mut out, "value", text(Some(&toleration.value)));
    out.into()
}

fn config(config: &AllocationConfig) -> Value {
    let mut out = Map::new();
    let opaque = config
        .opaque
        .as_ref()
        .map(|opaque| json!({ "driver": opaque.driver, "parameters": opaque.parameters }));
    put(&mut out, "opaque", opaque);
    put(&mut out, "requests", names(&config.requests));
    let source = match config.source {
        ConfigSource::FromClass => "FromClass",
        ConfigSource::FromClaim => "FromClaim",
    };
    out.insert("source".to_owned(), source.into());
    out.into()
}

fn node_selector(selector: &NodeSelector) -> Value {
    let terms: Vec<Value> = selector.terms.iter().map(node_selector_term).collect();
    json!({ "nodeSelectorTerms": terms })
}

fn node_selector_term(term: &NodeSelectorTerm) -> Value {
    let mut out = Map::new();
    put(&mut out, "matchExpressions", list(&term.match_expressions, requirement));
    put(&mut out, "matchFields", list(&term.match_fields, requirement));
    out.into()
}

fn requirement(requirement: &NodeSelectorRequirement) -> Value {
    let mut out = Map::new();
    out.insert("key".to_owned(), requirement.key.as_str().into());
    out.insert("operator".to_owned(), requirement.operator.as_str().into());
    put(&mut out, "values", names(&requirement.values));
    out.into()
}

fn device_status(status: &AllocatedDeviceStatus) -> Value {
    let mut out = Map::new();
    put(&mut out, "conditions", list(&status.conditions, condition));
    out.insert("device".to_owned(), status.device.as_str().into());
    out.insert("driver".to_owned(), status.driver.as_str().into());
    out.insert("pool".to_owned(), status.pool.as_str().into());
    put(&mut out, "shareID", text(status.share_id.as_deref()));
    out.into()
}

fn condition(condition: &Condition) -> Value {
    let mut out = Map::new();
    put(&mut out, "lastTransitionTime", text(condition.last_transition_time.as_deref()));
    put(&mut out, "message", text(Some(&condition.message)));
    put(&mut out, "reason", text(Some(&condition.reason)));
    out.insert("status".to_owned(), condition.status.as_str().into());
    out.insert("type".to_owned(), condition.type_.as_str().into());
    out.into()
}

fn consumer(consumer: &ConsumerReference) -> Value {
    let mut out = Map::new();
    put(&mut out, "apiGroup", text(Some(&consumer.api_group)));
    out.insert("name".to_owned(), consumer.name.as_str().into());
    out.insert("resource".to_owned(), consumer.resource.as_str().into());
    out.insert("uid".to_owned(), consumer.uid.as_str().into());
    out.into()
}

fn put(map: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    if let Some(value) = value {
        map.insert(key.to_owned(), value);
    }
}

/// A text field that is left out when it is empty.
fn text(value: Option<&str>) -> Option<Value> {
    value.filter(|value| !value.is_empty()).map(Value::from)
}

fn names(values: &[String]) -> Option<Value> {
    list(values, |value| Value::from(value.as_str()))
}

/// A list field that is left out when it is empty.
fn list<T>(values: &[T], each: impl Fn(&T) -> Value) -> Option<Value> {
    if values.is_empty() { None } else { Some(values.iter().map(each).collect()) }
}
