use crate::apimachinery::ObjectRef;
use crate::pool::{DeviceId, PoolId};

use super::explanation::RequestExplanation;
use super::facts::SelectorOf;
use super::{Phrase, Subject};

/// An object by its name.
pub fn object(object: &ObjectRef) -> Phrase {
    Phrase::about(object.name.clone(), Subject::Object(object.clone()))
}

/// A device by its name.
pub fn device_phrase(device: &DeviceId) -> Phrase {
    device_phrase_as(device, device.device.to_string())
}

/// Words that stand for a device.
pub(super) fn device_phrase_as(device: &DeviceId, text: String) -> Phrase {
    Phrase::about(
        text,
        Subject::Device {
            driver: device.driver.to_string(),
            pool: device.pool.to_string(),
            device: device.device.to_string(),
        },
    )
}

/// A counter set by its name; `device` tells the pool.
pub(super) fn counter_set_phrase(device: &DeviceId, set: &str) -> Phrase {
    Phrase::about(
        set,
        Subject::CounterSet {
            driver: device.driver.to_string(),
            pool: device.pool.to_string(),
            name: set.to_owned(),
        },
    )
}

/// A class by its name.
pub(super) fn class_phrase(class: &str) -> Phrase {
    Phrase::about(class, Subject::Object(class_ref(class)))
}

/// The object reference of a class.
pub(super) fn class_ref(class: &str) -> ObjectRef {
    ObjectRef { kind: "DeviceClass".to_owned(), namespace: String::new(), name: class.to_owned() }
}

/// Words that stand for a selector.
pub(super) fn selector_phrase(selector: &SelectorOf<'_>, text: String) -> Phrase {
    let subject = if selector.of_class {
        Subject::Selector {
            object: class_ref(&selector.request.class),
            request: String::new(),
            index: selector.index,
        }
    } else {
        Subject::Selector {
            object: selector.request.claim.clone(),
            request: selector.request.name.clone(),
            index: selector.index,
        }
    };
    Phrase::about(text, subject)
}

/// A request by its name, or by the extended resource that it stands for.
pub(super) fn request_phrase(request: &RequestExplanation) -> Phrase {
    let name = request.resource.as_ref().map_or(&request.name, |(resource, _)| resource);
    Phrase::about(name.clone(), request_subject(request))
}

/// The place of a request in its claim.
pub(super) fn request_subject(request: &RequestExplanation) -> Subject {
    if let Some((_, subject)) = &request.resource {
        return subject.clone();
    }
    let place = request.place;
    let path = match place.subrequest {
        None => format!("spec.devices.requests[{}]", place.request),
        Some(sub) => format!("spec.devices.requests[{}].firstAvailable[{sub}]", place.request),
    };
    Subject::Field { object: request.claim.clone(), path }
}

/// The name of a request in its claim.
pub(super) fn name_subject(request: &RequestExplanation) -> Subject {
    if let Some((_, subject)) = &request.resource {
        return subject.clone();
    }
    match request_subject(request) {
        Subject::Field { object, path } => Subject::Field { object, path: format!("{path}.name") },
        other => other,
    }
}

/// The name of the request that an alternative belongs to.
pub(super) fn whole_name_subject(request: &RequestExplanation) -> Subject {
    let path = format!("spec.devices.requests[{}].name", request.place.request);
    Subject::Field { object: request.claim.clone(), path }
}

/// Words that stand for a field of a request.
pub(super) fn request_field(
    request: &RequestExplanation,
    field: &str,
    text: impl Into<String>,
) -> Phrase {
    if let Some((_, subject)) = &request.resource {
        return Phrase::about(text, subject.clone());
    }
    let place = request.place;
    let inner = match place.subrequest {
        None => "exactly".to_owned(),
        Some(sub) => format!("firstAvailable[{sub}]"),
    };
    let path = format!("spec.devices.requests[{}].{inner}.{field}", place.request);
    Phrase::about(text, Subject::Field { object: request.claim.clone(), path })
}

/// Words that stand for an amount that a request asks.
pub(super) fn asked_phrase(
    request: &RequestExplanation,
    name: &str,
    text: impl Into<String>,
) -> Phrase {
    request_field(request, &format!("capacity.requests[{name}]"), text)
}

/// The attribute of a constraint of a request's claim.
pub(super) fn constraint_phrase(
    request: &RequestExplanation,
    constraint: usize,
    distinct: bool,
    attribute: &str,
) -> Phrase {
    let field = if distinct { "distinctAttribute" } else { "matchAttribute" };
    let path = format!("spec.devices.constraints[{constraint}].{field}");
    Phrase::about(attribute, Subject::Field { object: request.claim.clone(), path })
}

/// A taint of a device.
pub(super) fn taint_phrase(device: &DeviceId, key: &str, value: &str, effect: &str) -> Phrase {
    let subject = Subject::Taint {
        driver: device.driver.to_string(),
        pool: device.pool.to_string(),
        device: device.device.to_string(),
        key: key.to_owned(),
    };
    Phrase::about(taint_text(key, value, effect), subject)
}

/// A pool by its name; `field` is what its slices say of it.
pub fn pool_phrase(pool: &PoolId, field: &'static str) -> Phrase {
    let subject =
        Subject::Pool { driver: pool.driver.to_string(), pool: pool.pool.to_string(), field };
    Phrase::about(pool.pool.to_string(), subject)
}

/// `key=value:effect`, as `kubectl` writes taints.
pub fn taint_text(key: &str, value: &str, effect: &str) -> String {
    if value.is_empty() { format!("{key}:{effect}") } else { format!("{key}={value}:{effect}") }
}
