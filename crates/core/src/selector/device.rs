//! A device as a CEL value.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use dra_playground_cel::Variable;
use dra_playground_cel::semver::Version;
use dra_playground_cel::value::{Map, Value};

use super::environment::{ATTRIBUTES, CAPACITY, DRIVER, MULTI};
use crate::api::{Device, DeviceAttribute, DeviceCapacity};
use crate::apimachinery::Entries;
use crate::features::CelSwitches;

/// What a selector sees of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceInput<'a> {
    /// Driver.
    pub driver: &'a str,
    /// Attributes.
    pub attributes: &'a Entries<DeviceAttribute>,
    /// Capacities.
    pub capacity: &'a Entries<DeviceCapacity>,
    /// Whether it can be shared.
    pub allow_multiple_allocations: Option<bool>,
}

impl<'a> DeviceInput<'a> {
    /// A device that a driver publishes.
    pub fn of(driver: &'a str, device: &'a Device) -> Self {
        Self {
            driver,
            attributes: &device.attributes,
            capacity: &device.capacity,
            allow_multiple_allocations: device.allow_multiple_allocations,
        }
    }
}

/// A device as the variable of selectors. What a selector reads of it is made when it is read; the
/// whole only for one that reads more than single attributes and capacities.
pub(super) struct DeviceVariable<'a> {
    input: &'a DeviceInput<'a>,
    switches: &'a CelSwitches,
    whole: OnceCell<Value>,
    /// Quantities that were made. Selectors can change one while they run, so that there must be
    /// one of each.
    quantities: RefCell<Vec<(&'a str, Value)>>,
}

impl<'a> DeviceVariable<'a> {
    /// The variable; fails for what cannot be turned into a value, whatever is read.
    pub(super) fn new(
        input: &'a DeviceInput<'a>,
        switches: &'a CelSwitches,
    ) -> Result<Self, String> {
        match faulty_attribute(input, switches) {
            Some(error) => Err(error),
            None => {
                Ok(Self { input, switches, whole: OnceCell::new(), quantities: RefCell::default() })
            }
        }
    }

    fn is_shared(&self) -> bool {
        self.switches.multi_field_filled && self.input.allow_multiple_allocations == Some(true)
    }

    fn attribute(&self, attribute: &DeviceAttribute) -> Value {
        // What cannot be turned into a value was refused before.
        attribute_value(attribute, self.switches.list_attributes_evaluated).unwrap_or(Value::Null)
    }

    fn quantity(&self, name: &'a str, capacity: &DeviceCapacity) -> Value {
        let mut made = self.quantities.borrow_mut();
        if let Some((_, value)) = made.iter().find(|(known, _)| *known == name) {
            return value.clone();
        }
        let value = Value::quantity(capacity.value.clone());
        made.push((name, value.clone()));
        value
    }

    fn make(&self) -> Value {
        let driver = self.input.driver;
        let mut attributes = ByDomain::new();
        for (name, attribute) in unqualified_first(self.input.attributes) {
            insert(&mut attributes, name, driver, self.attribute(attribute));
        }
        let mut capacity = ByDomain::new();
        for (name, entry) in unqualified_first(self.input.capacity) {
            insert(&mut capacity, name, driver, self.quantity(name, entry));
        }
        let values = [
            Value::Bool(self.is_shared()),
            domains(attributes),
            domains(capacity),
            Value::string(driver),
        ];
        let fields = [MULTI, ATTRIBUTES, CAPACITY, DRIVER].map(Value::string);
        Value::Map(Rc::new(fields.into_iter().zip(values).collect::<Map>().by_text()))
    }
}

impl Variable for DeviceVariable<'_> {
    fn whole(&self) -> &Value {
        self.whole.get_or_init(|| self.make())
    }

    fn part(&self, keys: &[&str]) -> Option<(usize, Option<Value>)> {
        let input = self.input;
        match *keys {
            [DRIVER, ..] => Some((1, Some(Value::string(input.driver)))),
            [MULTI, ..] => Some((1, Some(Value::Bool(self.is_shared())))),
            [ATTRIBUTES, domain, id, ..] => {
                let found = find(input.attributes, input.driver, domain, id);
                Some((3, found.map(|(_, attribute)| self.attribute(attribute))))
            }
            [CAPACITY, domain, id, ..] => {
                let found = find(input.capacity, input.driver, domain, id);
                Some((3, found.map(|(name, capacity)| self.quantity(name, capacity))))
            }
            _ => None,
        }
    }
}

/// The entry that a domain and an identifier lead to, see [`unqualified_first`].
fn find<'a, V>(
    entries: &'a Entries<V>,
    driver: &str,
    domain: &str,
    id: &str,
) -> Option<(&'a str, &'a V)> {
    let qualified = entries.iter().find(|(name, _)| {
        let rest = name.strip_prefix(domain).and_then(|rest| rest.strip_prefix('/'));
        rest == Some(id) && !domain.contains('/')
    });
    let plain = || entries.entry(id).filter(|_| domain == driver && !id.contains('/'));
    qualified.or_else(plain).map(|(name, value)| (name.as_str(), value))
}

/// Maps by domain; a device rarely has more than two.
type ByDomain<'a> = Vec<(&'a str, Map)>;

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
fn unqualified_first<V>(entries: &Entries<V>) -> impl Iterator<Item = (&String, &V)> {
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
    let map: Map = entries
        .map(|(domain, map)| (Value::string(domain), Value::Map(Rc::new(map.by_text()))))
        .collect();
    Value::Map(Rc::new(map.by_text().with_default(Value::Map(Rc::default()))))
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
