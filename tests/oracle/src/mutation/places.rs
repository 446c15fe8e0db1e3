//! Where values stand in a record, and what they mean there.

use serde_json::Value;

use super::LISTS;
use crate::shrink::MAPS;

/// A value below one of the lists of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// JSON pointer from the record.
    pub(super) pointer: String,
    /// The path without positions and without names that users choose: values in places of one
    /// meaning can stand for each other.
    pub(super) meaning: String,
    /// The meaning of the object or list around it.
    pub(super) owner: String,
    /// The last key; `*` for items.
    pub(super) key: String,
}

impl Place {
    /// Whether it is an item of a list.
    pub(super) fn is_item(&self) -> bool {
        self.key == "*"
    }

    /// Whether it tells one object from others, or of what kind it is.
    pub(super) fn is_identity(&self) -> bool {
        match self.key.as_str() {
            "apiVersion" | "kind" | "metadata" | "namespace" | "uid" => true,
            // The name of a pool is a value like others, that of a device or a request is not.
            "name" => !self.owner.ends_with("/pool"),
            _ => false,
        }
    }

    /// Whether it is an amount of something.
    pub(super) fn is_amount(&self) -> bool {
        let mut steps = self.meaning.rsplit('/');
        let (last, before) = (steps.next(), steps.next());
        let around = steps.next();
        let amounts = ["counters", "capacity"];
        match last {
            Some("value") => around.is_some_and(|around| amounts.contains(&around)),
            Some("default" | "min" | "max" | "step") => true,
            Some("{}") => before == Some("requests") || before == Some("consumedCapacity"),
            Some("*") => before == Some("validValues"),
            Some(_) | None => false,
        }
    }
}

/// Every place below the lists of a record, outer ones first.
pub(super) fn places(record: &Value) -> Vec<Place> {
    let mut found = Vec::new();
    for list in LISTS {
        if let Some(value) = record.get(list) {
            below(value, "", &format!("/{list}"), &format!("/{list}"), &mut found);
        }
    }
    found
}

fn below(value: &Value, key: &str, pointer: &str, meaning: &str, found: &mut Vec<Place>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                let place = Place {
                    pointer: format!("{pointer}/{at}"),
                    meaning: format!("{meaning}/*"),
                    owner: meaning.to_owned(),
                    key: "*".to_owned(),
                };
                let (pointer, meaning) = (place.pointer.clone(), place.meaning.clone());
                found.push(place);
                below(item, "", &pointer, &meaning, found);
            }
        }
        Value::Object(fields) => {
            for (inner, item) in fields {
                let escaped = inner.replace('~', "~0").replace('/', "~1");
                // `capacity` of a request has a field; what users name is below it.
                let of_request = key == "capacity" && inner == "requests";
                let free = (MAPS.contains(&key) && !of_request) || key == "requests";
                let place = Place {
                    pointer: format!("{pointer}/{escaped}"),
                    meaning: format!("{meaning}/{}", if free { "{}" } else { inner }),
                    owner: meaning.to_owned(),
                    key: inner.clone(),
                };
                let (pointer, meaning) = (place.pointer.clone(), place.meaning.clone());
                found.push(place);
                below(item, inner, &pointer, &meaning, found);
            }
        }
        _ => {}
    }
}
