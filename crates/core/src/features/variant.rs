use std::fmt;

use super::{Gate, Gates, Release};

/// The copies of the allocator that a scheduler contains; the first that supports every enabled
/// feature is used.
///
/// Source: `k8s.io/dynamic-resource-allocation/structured`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variant {
    /// Fewest features.
    Stable,
    /// The one that default gates choose from 1.35 on.
    Incubating,
    /// All features.
    Experimental,
}

impl Variant {
    /// In the order in which they are tried.
    pub const ALL: [Variant; 3] = [Variant::Stable, Variant::Incubating, Variant::Experimental];

    /// `stable`, `incubating` or `experimental`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Incubating => "incubating",
            Self::Experimental => "experimental",
        }
    }

    /// The variant of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.as_str() == name)
    }
}

/// What the scheduler tells the allocator about its gates.
///
/// Source: `structured.Features`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AllocatorFeatures {
    /// Admin access is allowed.
    pub admin_access: bool,
    /// Compatibility groups are enforced.
    pub compatibility_groups: bool,
    /// Devices can be shared by capacity.
    pub consumable_capacity: bool,
    /// Requests can derive attributes.
    pub derived_attributes: bool,
    /// Binding conditions; from 1.35 on together with device status.
    pub device_binding: bool,
    /// Device status as a feature of its own (1.34).
    pub device_status: bool,
    /// Taints are looked at.
    pub device_taints: bool,
    /// Ranges may be fractional.
    pub fractional_capacity_range: bool,
    /// List attributes have set semantics in constraints.
    pub list_type_attributes: bool,
    /// Devices may need nothing done on the node.
    pub optional_node_operations: bool,
    /// Counters are looked at.
    pub partitionable_devices: bool,
    /// Requests can have alternatives.
    pub prioritized_list: bool,
}

/// No variant supports all enabled features.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoVariant {
    /// What was enabled.
    pub features: AllocatorFeatures,
}

impl fmt::Display for NoVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("internal error: no allocator available for feature set {")?;
        for (index, (name, enabled)) in self.features.named().iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{name}:{enabled}")?;
        }
        f.write_str("}, enabled allocators: stable, incubating, experimental")
    }
}

impl std::error::Error for NoVariant {}

impl AllocatorFeatures {
    /// What the scheduler plugin of a release passes on.
    pub fn of(gates: &Gates) -> Self {
        let on = |gate| gates.enabled(gate);
        let release = gates.release();
        let binding = on(Gate::DeviceBindingConditions);
        let status = on(Gate::ResourceClaimDeviceStatus);
        // UPSTREAM: the plugin of 1.34 passes two features, later ones the conjunction of both.
        let separate_status = !release.since(35, 0);
        Self {
            admin_access: on(Gate::AdminAccess),
            compatibility_groups: on(Gate::DeviceCompatibilityGroups),
            consumable_capacity: on(Gate::ConsumableCapacity),
            derived_attributes: on(Gate::DerivedAttributes),
            device_binding: if separate_status { binding } else { binding && status },
            device_status: separate_status && status,
            device_taints: on(Gate::DeviceTaints),
            fractional_capacity_range: on(Gate::FractionalCapacityRange),
            // UPSTREAM: the plugin of 1.36 tells only the CEL cache of list attributes.
            list_type_attributes: on(Gate::ListTypeAttributes) && release.since(37, 0),
            optional_node_operations: on(Gate::OptionalNodeOperations),
            partitionable_devices: on(Gate::PartitionableDevices),
            prioritized_list: on(Gate::PrioritizedList),
        }
    }

    /// Without what the library of a release does not know.
    pub(super) fn known_to(self, release: Release) -> Self {
        let released_37 = release.since(37, 0);
        Self {
            device_status: self.device_status && !release.since(35, 0),
            list_type_attributes: self.list_type_attributes && release.since(36, 0),
            fractional_capacity_range: self.fractional_capacity_range && released_37,
            optional_node_operations: self.optional_node_operations && released_37,
            derived_attributes: self.derived_attributes && released_37,
            compatibility_groups: self.compatibility_groups && released_37,
            ..self
        }
    }

    /// The variant that a release uses for these features.
    ///
    /// # Errors
    /// No variant supports all of them.
    pub fn variant(self, release: Release) -> Result<Variant, NoVariant> {
        Variant::ALL
            .into_iter()
            .find(|variant| self.within(Self::supported(release, *variant)))
            .ok_or(NoVariant { features: self })
    }

    /// What a variant supports in a release.
    fn supported(release: Release, variant: Variant) -> Self {
        let none = Self::default();
        let basic = Self {
            admin_access: true,
            prioritized_list: true,
            partitionable_devices: true,
            device_taints: true,
            ..none
        };
        let shared = Self { consumable_capacity: true, device_binding: true, ..basic };
        let released_37 = release.since(37, 0);
        match (variant, release.since(36, 0)) {
            (Variant::Stable, false) => none,
            (Variant::Stable, true) | (Variant::Incubating, false) => basic,
            (Variant::Incubating, true) => {
                Self { fractional_capacity_range: released_37, ..shared }
            }
            (Variant::Experimental, false) => {
                Self { device_status: !release.since(35, 0), ..shared }
            }
            (Variant::Experimental, true) => Self {
                list_type_attributes: true,
                fractional_capacity_range: released_37,
                optional_node_operations: released_37,
                derived_attributes: released_37,
                compatibility_groups: released_37,
                ..shared
            },
        }
    }

    fn within(self, supported: Self) -> bool {
        self.named().iter().zip(supported.named()).all(|((_, want), (_, have))| !want || have)
    }

    fn named(self) -> [(&'static str, bool); 12] {
        [
            ("AdminAccess", self.admin_access),
            ("CompatibilityGroups", self.compatibility_groups),
            ("ConsumableCapacity", self.consumable_capacity),
            ("DerivedAttributes", self.derived_attributes),
            ("DeviceBindingAndStatus", self.device_binding),
            ("DeviceStatus", self.device_status),
            ("DeviceTaints", self.device_taints),
            ("FractionalCapacityRange", self.fractional_capacity_range),
            ("ListTypeAttributes", self.list_type_attributes),
            ("OptionalNodeOperations", self.optional_node_operations),
            ("PartitionableDevices", self.partitionable_devices),
            ("PrioritizedList", self.prioritized_list),
        ]
    }
}
