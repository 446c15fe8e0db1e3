use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::Device;
use super::names::first_duplicate;

/// Earlier references among which a new one is looked for: neighbors draw from the same counters.
const NEAR: usize = 16;

/// The devices of a slice, shared by its copies, with what follows from them alone.
#[derive(Clone, Default)]
pub struct Devices(Arc<Published>);

#[derive(Default)]
struct Published {
    list: Vec<Device>,
    summary: OnceLock<DeviceSummary>,
}

/// What is asked of the devices of a slice in every attempt, found out once.
#[derive(Debug, Default)]
pub struct DeviceSummary {
    /// Whether two devices have one name.
    pub has_duplicates: bool,
    /// Whether some device has binding conditions.
    pub has_conditions: bool,
    /// Whether some device consumes counters.
    pub has_counters: bool,
    /// Whether some device does so in compatibility groups.
    pub has_compatibility_groups: bool,
    /// Counter sets and counters that devices consume from, in order, most of them once. There is no
    /// counter where a device names a set alone.
    pub references: Vec<(String, Option<String>)>,
}

impl Devices {
    /// The devices, to be changed; those that other slices share are copied before.
    pub fn to_mut(&mut self) -> &mut Vec<Device> {
        let published = Arc::make_mut(&mut self.0);
        published.summary = OnceLock::new();
        &mut published.list
    }

    /// What follows from the devices.
    pub fn summary(&self) -> &DeviceSummary {
        self.0.summary.get_or_init(|| DeviceSummary::of(&self.0.list))
    }
}

impl DeviceSummary {
    fn of(devices: &[Device]) -> Self {
        let names = devices.iter().map(|device| device.name.as_str());
        let mut summary = Self {
            has_duplicates: first_duplicate(names, devices.len()).is_some(),
            ..Self::default()
        };
        for device in devices {
            summary.has_conditions |= device.binding_conditions.is_some();
            for consumption in &device.consumes_counters {
                summary.has_counters = true;
                summary.has_compatibility_groups |= consumption.has_compatibility_groups;
                let set = &consumption.counter_set;
                if consumption.counters.is_empty() {
                    summary.refer(set, None);
                }
                consumption.counters.keys().for_each(|counter| summary.refer(set, Some(counter)));
            }
        }
        summary
    }

    fn refer(&mut self, set: &str, counter: Option<&String>) {
        let is_same = |(known, name): &(String, Option<String>)| {
            known.as_str() == set && name.as_ref() == counter
        };
        if !self.references.iter().rev().take(NEAR).any(is_same) {
            self.references.push((set.to_owned(), counter.cloned()));
        }
    }
}

impl Clone for Published {
    fn clone(&self) -> Self {
        Self { list: self.list.clone(), summary: OnceLock::new() }
    }
}

impl Deref for Devices {
    type Target = Vec<Device>;

    fn deref(&self) -> &Vec<Device> {
        &self.0.list
    }
}

impl From<Vec<Device>> for Devices {
    fn from(list: Vec<Device>) -> Self {
        Self(Arc::new(Published { list, summary: OnceLock::new() }))
    }
}

impl PartialEq for Devices {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.list == other.0.list
    }
}

impl fmt::Debug for Devices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.list.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::DeviceCounterConsumption;

    fn device(name: &str, set: &str) -> Device {
        let consumption =
            DeviceCounterConsumption { counter_set: set.to_owned(), ..Default::default() };
        Device { name: name.into(), consumes_counters: vec![consumption], ..Device::default() }
    }

    #[test]
    fn what_is_known_of_devices_is_forgotten_when_they_change() {
        let mut devices = Devices::from(vec![device("a", "s"), device("b", "s")]);
        assert!(!devices.summary().has_duplicates);
        assert_eq!(devices.summary().references, [("s".to_owned(), None)]);
        let before = devices.clone();
        devices.to_mut().push(device("a", "t"));
        assert!(devices.summary().has_duplicates);
        assert_eq!(devices.summary().references.len(), 2);
        assert_eq!((before.len(), before.summary().has_duplicates), (2, false));
        // Alone with its list, it is changed in place.
        drop(before);
        devices.to_mut().truncate(1);
        assert!(!devices.summary().has_duplicates);
    }
}
