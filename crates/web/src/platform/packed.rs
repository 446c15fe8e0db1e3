//! A report on its way: what alike devices share is written once, and shared again where it arrives.

use std::collections::BTreeMap;
use std::sync::Arc;

use dra_playground_core::workspace::report::{Analysis, AttributeView, CapacityView};
use serde::{Deserialize, Serialize};

/// A report whose devices have neither attributes nor capacities, and these beside it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Packed {
    analysis: Box<Analysis>,
    attributes: Table<AttributeView>,
    capacity: Table<CapacityView>,
}

/// Values that several lists have in common.
#[derive(Debug, Serialize, Deserialize)]
struct Table<T> {
    values: Vec<Arc<T>>,
    /// For each device the places of its values.
    lists: Vec<Vec<u32>>,
}

impl<T> Table<T> {
    fn of(lists: impl Iterator<Item = Vec<Arc<T>>>) -> Self {
        let mut known: BTreeMap<usize, u32> = BTreeMap::new();
        let mut values = Vec::new();
        let place = |value: Arc<T>| {
            let place = u32::try_from(values.len()).unwrap_or(u32::MAX);
            *known.entry(Arc::as_ptr(&value).addr()).or_insert_with(|| {
                values.push(value);
                place
            })
        };
        let mut place = place;
        let lists = lists.map(|list| list.into_iter().map(&mut place).collect()).collect();
        Self { values, lists }
    }

    fn lists(&self) -> impl Iterator<Item = Vec<Arc<T>>> {
        self.lists.iter().map(|list| {
            let values = list.iter().filter_map(|place| self.values.get(*place as usize));
            values.cloned().collect()
        })
    }
}

impl Packed {
    /// Takes apart.
    pub(crate) fn pack(mut analysis: Box<Analysis>) -> Self {
        let devices = &mut analysis.snapshot.devices;
        let attributes = devices.iter_mut().map(|it| std::mem::take(&mut it.attributes));
        let attributes = Table::of(attributes);
        let capacity = devices.iter_mut().map(|it| std::mem::take(&mut it.capacity));
        Self { attributes, capacity: Table::of(capacity), analysis }
    }

    /// Puts together.
    pub(crate) fn unpack(mut self) -> Box<Analysis> {
        let lists = self.attributes.lists().zip(self.capacity.lists());
        for (device, lists) in self.analysis.snapshot.devices.iter_mut().zip(lists) {
            (device.attributes, device.capacity) = lists;
        }
        self.analysis
    }
}

#[cfg(test)]
mod tests {
    use dra_playground_core::workspace::report::Options;
    use dra_playground_core::workspace::{Workspace, gallery};

    use super::*;
    use crate::platform::wire::{from_bytes, to_bytes};

    #[test]
    fn a_report_arrives_whole_and_shares_what_alike_devices_have() {
        let mut shared = 0;
        for example in gallery() {
            let analysis = Workspace::new().analyze(example.text, &Options::default());
            let packed = Packed::pack(Box::new(analysis.clone()));
            let bytes = to_bytes(&packed, |_| None).unwrap();
            let arrived = from_bytes::<Packed>(&bytes).unwrap().unpack();
            assert_eq!(*arrived, analysis, "{}", example.name);
            let attributes = arrived.snapshot.devices.iter().flat_map(|it| &it.attributes);
            shared += attributes.filter(|it| Arc::strong_count(it) > 1).count();
        }
        assert!(shared > 50, "{shared}");
    }
}
