//! A device as a CEL value.

use std::collections::BTreeMap;
use std::rc::Rc;

use dra_playground_cel::semver::Version;
use dra_playground_cel::value::{Map, Value};

use super::environment::{ATTRIBUTES, CAPACITY, DRIVER, MULTI};
use crate::api::{DeviceAttribute, DeviceCapacity};
use crate::features::CelSwitches;

/// What a selector sees of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceInput<'a> {
    /// Driver.
    pub driver: &'a str,
    /// Attributes.
    pub attributes: &'a BTreeMap<String, DeviceAttribute>,
    /// Capacities.
    pub capacity: &'a BTreeMap<String, DeviceCapacity>,
    /// Whether it can be shared.
    pub allow_multiple_allocations: Option<bool>,
}

/// A device that was turned into a value once, for many selectors.
#[derive(Clone, Debug)]
pub struct PreparedDevice(Result<Value, String>);

impl PreparedDevice {
    /// Turns a device into a value; what cannot be turned fails every evaluation.
    pub fn new(device: &DeviceInput<'_>, switches: &CelSwitches) -> Self {
        Self(value(device, switches))
    }

    /// A device of which nothing is read but its driver and whether it can be shared, see
    /// [`Compiled::reads_little`](super::Compiled::reads_little).
    pub fn little(device: &DeviceInput<'_>, switches: &CelSwitches) -> Self {
        let none = || domains(ByDomain::new());
        Self(Ok(device_value(device, switches, none(), none())))
    }

    pub(super) fn value(&self) -> Result<&Value, &String> {
        self.0.as_ref()
    }
}

/// Maps by domain; a device rarely has more than two.
type ByDomain<'a> = Vec<(&'a str, Map)>;

/// Values that are the same for every device.
struct Constants {
    fields: [Value; 4],
    empty: Value,
}

thread_local! {
    static CONSTANTS: Constants = Constants {
        fields: [MULTI, ATTRIBUTES, CAPACITY, DRIVER].map(Value::string),
        empty: Value::Map(Rc::default()),
    };
}

fn value(device: &DeviceInput<'_>, switches: &CelSwitches) -> Result<Value, String> {
    let mut attributes = ByDomain::new();
    for (name, attribute) in unqualified_first(device.attributes) {
        let value = attribute_value(attribute, switches.list_attributes_evaluated)
            .map_err(|error| format!("attribute {name}: {error}"))?;
        insert(&mut attributes, name, device.driver, value);
    }
    let mut capacity = ByDomain::new();
    for (name, entry) in unqualified_first(device.capacity) {
        insert(&mut capacity, name, device.driver, Value::quantity(entry.value.clone()));
    }
    Ok(device_value(device, switches, domains(attributes), domains(capacity)))
}

fn device_value(
    device: &DeviceInput<'_>,
    switches: &CelSwitches,
    attributes: Value,
    capacity: Value,
) -> Value {
    let multi = switches.multi_field_filled && device.allow_multiple_allocations == Some(true);
    CONSTANTS.with(|constants| {
        let values = [Value::Bool(multi), attributes, capacity, Value::string(device.driver)];
        let fields = constants.fields.iter().cloned().zip(values);
        Value::Map(Rc::new(fields.collect()))
    })
}

/// Why a device cannot be turned into a value, whatever is read of it.
pub(crate) fn faulty_attribute(device: &DeviceInput<'_>, switches: &CelSwitches) -> Option<String> {
    let is_plain = |attribute: &DeviceAttribute| {
        attribute.version.is_none()
            && attribute.versions.is_none()
            && (attribute.int.is_some() || attribute.bool.is_some() || attribute.string.is_some())
    };
    if device.attributes.values().all(is_plain) {
        return None;
    }
    unqualified_first(device.attributes).find_map(|(name, attribute)| {
        let error = attribute_value(attribute, switches.list_attributes_evaluated).err()?;
        Some(format!("attribute {name}: {error}"))
    })
}

/// Entries in the order in which they are set: where `x` and `<driver>/x` are the same key, upstream
/// leaves it to chance; here the qualified name wins.
fn unqualified_first<V>(entries: &BTreeMap<String, V>) -> impl Iterator<Item = (&String, &V)> {
    let plain = entries.iter().filter(|(name, _)| !name.contains('/'));
    plain.chain(entries.iter().filter(|(name, _)| name.contains('/')))
}

fn insert<'a>(domains: &mut ByDomain<'a>, name: &'a str, driver: &'a str, value: Value) {
    let (domain, id) = name.split_once('/').unwrap_or((driver, name));
    if let Some((_, map)) = domains.iter_mut().find(|(known, _)| *known == domain) {
        map.insert(Value::string(id), value);
        return;
    }
    let map = [(Value::string(id), value)].into_iter().collect();
    domains.push((domain, map));
}

fn domains(domains: ByDomain<'_>) -> Value {
    let entries = domains.into_iter();
    let map: Map =
        entries.map(|(domain, map)| (Value::string(domain), Value::Map(Rc::new(map)))).collect();
    let empty = CONSTANTS.with(|constants| constants.empty.clone());
    Value::Map(Rc::new(map.with_default(empty)))
}

fn attribute_value(attribute: &DeviceAttribute, lists: bool) -> Result<Value, String> {
    if lists {
        if let Some(values) = &attribute.ints {
            return Ok(Value::list(values.iter().copied().map(Value::Int).collect()));
        }
        if let Some(values) = &attribute.bools {
            return Ok(Value::list(values.iter().copied().map(Value::Bool).collect()));
        }
        if let Some(values) = &attribute.strings {
            return Ok(Value::list(
                values.iter().map(|text| Value::string(text.as_str())).collect(),
            ));
        }
        if let Some(values) = &attribute.versions {
            let versions = values.iter().map(|text| version(text)).collect::<Result<_, _>>()?;
            return Ok(Value::list(versions));
        }
    }
    if let Some(value) = attribute.int {
        return Ok(Value::Int(value));
    }
    if let Some(value) = attribute.bool {
        return Ok(Value::Bool(value));
    }
    if let Some(text) = &attribute.string {
        return Ok(Value::string(text.as_str()));
    }
    match &attribute.version {
        Some(text) => version(text),
        None => Err("unsupported attribute value".to_owned()),
    }
}

fn version(text: &str) -> Result<Value, String> {
    match Version::parse(text) {
        Ok(version) => Ok(Value::Semver(Rc::new(version))),
        Err(error) => Err(format!("parse semantic version: {error}")),
    }
}
