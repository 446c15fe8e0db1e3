use crate::api::ResourceSlice;

/// A slice among all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// Index of its pool.
    pub(super) pool: usize,
    /// Number of its first device when all devices are counted.
    pub(super) first_device: usize,
    /// Whether some device has binding conditions, consumes counters, or does so in groups.
    pub(super) conditions: bool,
    pub(super) counters: bool,
    pub(super) compatibility_groups: bool,
}

impl Facts {
    /// Of a slice before which so many devices were counted.
    pub(super) fn new(slice: &ResourceSlice, first_device: usize) -> Self {
        let summary = slice.devices.summary();
        Self {
            pool: 0,
            first_device,
            conditions: summary.has_conditions,
            counters: summary.has_counters,
            compatibility_groups: summary.has_compatibility_groups,
        }
    }
}
