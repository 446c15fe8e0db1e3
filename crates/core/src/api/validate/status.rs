use std::collections::BTreeSet;

use dra_playground_cel::order::Gather;

use crate::apimachinery::FieldError;
use crate::features::Gate;
use crate::yaml::Node;

use super::super::object::Object;
use super::super::{
    AllocatedDeviceStatus, DeviceClaim, DeviceRequestAllocationResult, ResourceClaimStatus,
};
use super::claim::{LIST_MAX, admin_access, opaque, reference, references, toleration};
use super::faults::Faults;
use super::formats::{driver, label, pool};
use super::node_selector::node_selector;
use super::slice::conditions;
use super::{Rules, is_written};

/// Source: `validateResourceClaimStatusUpdate`.
pub(super) fn status(
    status: &ResourceClaimStatus,
    spec: &DeviceClaim,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let results = status.allocation.as_ref().map_or(&[][..], |allocation| &allocation.results);
    if let Some(idx) = results.iter().position(|result| result.admin_access == Some(true))
        && rules.on(Gate::AdminAccess)
    {
        let path = format!("status.allocation.devices.results[{idx}].adminAccess");
        admin_access(path.clone(), path, object, rules, faults);
    }
    let path = "status.reservedFor";
    if faults.declared(|faults| faults.fits(path, status.reserved_for.len(), 256)) {
        for (idx, consumer) in status.reserved_for.iter().enumerate() {
            let fields = [
                ("resource", &consumer.resource),
                ("name", &consumer.name),
                ("uid", &consumer.uid),
            ];
            for (field, value) in fields {
                if value.is_empty() {
                    faults.required(format!("{path}[{idx}].{field}"));
                }
            }
        }
        let uids = status.reserved_for.iter().map(|consumer| consumer.uid.as_str());
        let show = |idx| super::shown::item_json(object, &format!("{path}[{idx}]"));
        faults.declared(|faults| faults.unique_items(path, uids, show));
    }
    devices(status, object, faults);
    if !status.reserved_for.is_empty() && status.allocation.is_none() {
        let detail = "may not be specified when `allocated` is not set";
        faults.push(FieldError::forbidden(path, detail));
    }
    let Some(allocation) = &status.allocation else {
        return;
    };
    let results = "status.allocation.devices.results";
    if faults.declared(|faults| faults.fits(results, allocation.results.len(), LIST_MAX)) {
        for (idx, result) in allocation.results.iter().enumerate() {
            self::result(result, &format!("{results}[{idx}]"), spec, object, faults);
        }
    }
    let config = "status.allocation.devices.config";
    if faults.declared(|faults| faults.fits(config, allocation.config.len(), 2 * LIST_MAX)) {
        for (idx, entry) in allocation.config.iter().enumerate() {
            let path = format!("{config}[{idx}]");
            source(object, &format!("{path}.source"), faults);
            references(&entry.requests, &format!("{path}.requests"), spec, faults);
            opaque(entry.opaque.as_ref(), &path, object, faults);
        }
    }
    if let Some(selector) = &allocation.node_selector {
        node_selector(selector, "status.allocation.nodeSelector", faults);
    }
}

/// Source: `validateDeviceRequestAllocationResult`.
fn result(
    result: &DeviceRequestAllocationResult,
    path: &str,
    spec: &DeviceClaim,
    object: &Object,
    faults: &mut Faults,
) {
    reference(&result.request, &format!("{path}.request"), spec, faults);
    faults.declared(|faults| {
        driver(&format!("{path}.driver"), &result.driver, faults);
        pool(&format!("{path}.pool"), &result.pool, faults);
    });
    label(&format!("{path}.device"), &result.device, faults);
    let given = |field: &str, list| is_written(object, &format!("{path}.{field}")).then_some(list);
    let binding = given("bindingConditions", result.binding_conditions.as_slice());
    let failure = given("bindingFailureConditions", result.binding_failure_conditions.as_slice());
    conditions(path, binding, failure, faults);
    if faults.declared(|faults| faults.are_declared()) {
        for (idx, item) in result.tolerations.iter().enumerate() {
            toleration(item, &format!("{path}.tolerations[{idx}]"), faults);
        }
    }
    uuid(&format!("{path}.shareID"), result.share_id.as_deref(), faults);
}

/// Source: `validateAllocationConfigSource`.
fn source(object: &Object, path: &str, faults: &mut Faults) {
    let source = object.spans.node(path).and_then(Node::text);
    faults.declared(|faults| match source.as_deref() {
        Some("FromClass" | "FromClaim") => {}
        None | Some("") => faults.required(path.to_owned()),
        Some(other) => {
            let known = &["FromClaim", "FromClass"];
            faults.push(FieldError::not_supported(path, other, known));
        }
    });
}

/// Source: `validate.UUID`.
fn uuid(path: &str, text: Option<&str>, faults: &mut Faults) {
    let Some(text) = text else { return };
    let fits = text.len() == 36
        && text.bytes().enumerate().all(|(idx, byte)| match idx {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
        });
    if !fits {
        faults.declared(|faults| {
            let detail = if faults.are_declared() {
                "must be a lowercase UUID in 8-4-4-4-12 format".to_owned()
            } else {
                uuid_words(text)
            };
            faults.push(FieldError::invalid(path, text, detail));
        });
    }
}

/// The words of the handwritten rule. Source: `validateUID`, `google/uuid Validate`.
fn uuid_words(text: &str) -> String {
    let lower = text.to_lowercase();
    let plain =
        [lower.as_str(), lower.trim_matches(['{', '}']), lower.trim_start_matches("urn:uuid:")];
    let hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    match text.len() {
        32 | 36 | 38 | 45 if plain.iter().any(|text| hex(text)) => {
            "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with \
             lowercase hexadecimal characters"
                .to_owned()
        }
        32 | 36 | 38 | 45 => "error validating uid: invalid UUID format".to_owned(),
        len => format!("error validating uid: invalid UUID length: {len}"),
    }
}

/// Source: `validateDeviceStatus`.
fn devices(status: &ResourceClaimStatus, object: &Object, faults: &mut Faults) {
    let path = "status.devices";
    let id = |device: &AllocatedDeviceStatus| {
        let AllocatedDeviceStatus { driver, pool, device, share_id, .. } = device.clone();
        (driver, pool, device, share_id.unwrap_or_default())
    };
    let results = status.allocation.iter().flat_map(|allocation| &allocation.results);
    let allocated: BTreeSet<_> = results
        .map(|result| {
            let share = result.share_id.clone().unwrap_or_default();
            (result.driver.clone(), result.pool.clone(), result.device.clone(), share)
        })
        .gathered();
    for (idx, device) in status.devices.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        driver(&format!("{path}.driver"), &device.driver, faults);
        pool(&format!("{path}.pool"), &device.pool, faults);
        label(&format!("{path}.device"), &device.device, faults);
        uuid(&format!("{path}.shareID"), device.share_id.as_deref(), faults);
        let key = id(device);
        if !allocated.contains(&key) {
            let shown = shown_id(&key);
            let detail = "must be an allocated device in the claim";
            faults.push(FieldError::invalid_raw(&path, shown, detail));
        }
        conditions_of(object, &format!("{path}.conditions"), faults);
        data(object, &path, faults);
    }
    let keys: Vec<String> = status.devices.iter().map(|device| shown_id(&id(device))).collect();
    let show = |idx| super::shown::item_json(object, &format!("{path}[{idx}]"));
    faults.declared(|faults| {
        faults.unique_items(path, keys.iter().map(String::as_str), show);
    });
}

/// The identifier of the internal type as JSON, so that the names are Go's.
fn shown_id((driver, pool, device, share): &(String, String, String, String)) -> String {
    let text = |value: &str| serde_json::Value::from(value);
    crate::apimachinery::go_json(&format!(
        "{{\"Driver\":{},\"Pool\":{},\"Device\":{},\"ShareID\":{}}}",
        text(driver),
        text(pool),
        text(device),
        text(share)
    ))
}

const REASON: &str = "a condition reason must start with alphabetic character, optionally \
    followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric \
    character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or \
    'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/// Source: `metav1validation.ValidateConditions`.
fn conditions_of(object: &Object, path: &str, faults: &mut Faults) {
    let items = object.spans.node(path).and_then(|node| node.items()).unwrap_or_default();
    if items.len() > 8 {
        faults.push(FieldError::too_many(path, items.len(), 8));
    }
    let mut types = BTreeSet::new();
    for (idx, item) in items.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        let text = |field: &str| {
            let value = item.get(field).and_then(Node::text).unwrap_or_default();
            (format!("{path}.{field}"), value.into_owned())
        };
        let (field, kind) = text("type");
        let newer = faults.declared(|faults| faults.are_declared());
        if !types.insert(kind.clone()) {
            let at = if newer { path.clone() } else { field.clone() };
            faults.push(FieldError::duplicate(at, &kind));
        }
        if kind.is_empty() && newer {
            faults.push(FieldError::required(&field, "is required"));
        } else {
            faults.invalid(&field, &kind, crate::apimachinery::names::label_key_faults(&kind));
        }
        let (field, status) = text("status");
        if status.is_empty() && newer {
            faults.required(field);
        } else if !matches!(status.as_str(), "True" | "False" | "Unknown") {
            let known = &["False", "True", "Unknown"];
            faults.push(FieldError::not_supported(field, &status, known));
        }
        let (field, time) = text("lastTransitionTime");
        if time.is_empty() {
            faults.required(field);
        }
        let (field, reason) = text("reason");
        let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ',' | ':');
        if reason.is_empty() {
            faults.required(field);
        } else if !(reason.starts_with(|c: char| c.is_ascii_alphabetic())
            && reason.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
            && reason.chars().all(inner))
        {
            faults.push(FieldError::invalid(field, &reason, REASON));
        }
        let (field, message) = text("message");
        if message.len() > 32 * 1024 {
            faults.push(FieldError::too_long(field, 32 * 1024));
        }
    }
}

/// Source: `validateRawExtension`, `validateNetworkDeviceData`.
fn data(object: &Object, path: &str, faults: &mut Faults) {
    let data = format!("{path}.data");
    if let Some(node) = object.spans.node(&data).filter(|node| !node.is_null()) {
        if node.to_json().to_string().len() > 10 * 1024 {
            faults.push(FieldError::too_long(&data, 10 * 1024));
        } else if node.entries().is_none() {
            let detail = "must be a valid JSON object";
            faults.push(FieldError::invalid(&data, "<value omitted>", detail));
        }
    }
    let network = format!("{path}.networkData");
    for (field, limit) in [("interfaceName", 256), ("hardwareAddress", 128)] {
        let path = format!("{network}.{field}");
        let text = object.spans.node(&path).and_then(Node::text).unwrap_or_default();
        if text.len() > limit {
            faults.declared(|faults| faults.push(FieldError::too_long(path, limit)));
        }
    }
    let path = format!("{network}.ips");
    let items = object.spans.node(&path).and_then(|node| node.items()).unwrap_or_default();
    let items: Vec<_> = items.iter().map(|item| item.text().unwrap_or_default()).collect();
    if faults.declared(|faults| faults.fits(&path, items.len(), 16)) {
        for (idx, address) in items.iter().enumerate() {
            if let Some(detail) = address_fault(address) {
                faults.push(FieldError::invalid(format!("{path}[{idx}]"), address, detail));
            }
        }
        faults.declared(|faults| faults.unique(&path, items.iter().map(AsRef::as_ref)));
    }
}

/// Source: `validation.IsValidInterfaceAddress`.
fn address_fault(text: &str) -> Option<String> {
    let parsed = text.split_once('/').and_then(|(address, bits)| {
        let address: std::net::IpAddr = address.parse().ok()?;
        let digits = !bits.is_empty() && bits.bytes().all(|byte| byte.is_ascii_digit());
        let bits: u8 = bits.parse().ok().filter(|_| digits)?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        (bits <= most).then(|| format!("{address}/{bits}"))
    });
    match parsed {
        None => {
            let detail =
                "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
            Some(detail.to_owned())
        }
        Some(canonical) if canonical != text => {
            Some(format!("must be in canonical form ({})", crate::apimachinery::quote(&canonical)))
        }
        Some(_) => None,
    }
}
