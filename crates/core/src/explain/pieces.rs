use crate::apimachinery::ObjectRef;
use crate::pool::DeviceId;

use super::explanation::RequestExplanation;
use super::facts::SelectorOf;
use super::{Phrase, Subject};

/// An object by its name.
pub fn object(object: &ObjectRef) -> Phrase {
    Phrase::about(object.name.clone(), Subject::Object(object.clone()))
}

/// A device by its name.
pub fn device_phrase(device: &DeviceId) -> Phrase {
    Phrase::about(
        device.device.to_string(),
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

/// The place of a request in its claim.
pub(super) fn request_subject(request: &RequestExplanation) -> Subject {
    let place = request.place;
    let path = match place.subrequest {
        None => format!("spec.devices.requests[{}]", place.request),
        Some(sub) => format!("spec.devices.requests[{}].firstAvailable[{sub}]", place.request),
    };
    Subject::Field { object: request.claim.clone(), path }
}

/// `key=value:effect`, as `kubectl` writes taints.
pub(super) fn taint(key: &str, value: &str, effect: &str) -> String {
    if value.is_empty() { format!("{key}:{effect}") } else { format!("{key}={value}:{effect}") }
}
