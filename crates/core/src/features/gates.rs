use std::collections::BTreeMap;

use super::Release;

/// A feature gate that changes what DRA does, as far as the playground models or names it.
///
/// Source: `pkg/features/kube_features.go`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Gate {
    /// `DRAAdminAccess`, KEP-5018.
    AdminAccess,
    /// `DRAConsumableCapacity`, KEP-5075.
    ConsumableCapacity,
    /// `DRADerivedAttributes`, KEP-6080.
    DerivedAttributes,
    /// `DRADeviceBindingConditions`, KEP-5007.
    DeviceBindingConditions,
    /// `DRADeviceCompatibilityGroups`, KEP-5963.
    DeviceCompatibilityGroups,
    /// `DRADeviceTaintRules`, KEP-5055.
    DeviceTaintRules,
    /// `DRADeviceTaints`, KEP-5055.
    DeviceTaints,
    /// `DRAExtendedResource`, KEP-5004.
    ExtendedResource,
    /// `DRAFractionalCapacityRange`, KEP-5075.
    FractionalCapacityRange,
    /// `DRAListTypeAttributes`, KEP-5491.
    ListTypeAttributes,
    /// `DRANodeAllocatableResources`, KEP-5517.
    NodeAllocatableResources,
    /// `DRAOptionalNodeOperations`, KEP-5945.
    OptionalNodeOperations,
    /// `DRAPartitionableDevices`, KEP-4815.
    PartitionableDevices,
    /// `DRAPartitionableDevicesType`, KEP-4815.
    PartitionableDevicesType,
    /// `DRAPrioritizedList`, KEP-4816.
    PrioritizedList,
    /// `DRAResourceClaimDeviceStatus`, KEP-4817.
    ResourceClaimDeviceStatus,
    /// `DRASchedulerFilterTimeout`.
    SchedulerFilterTimeout,
    /// `DRAWorkloadResourceClaims`: claims of `PodGroups`.
    WorkloadResourceClaims,
    /// `DynamicResourceAllocation`, KEP-4381.
    DynamicResourceAllocation,
}

/// How mature a gate is in a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GateStage {
    /// Off unless asked for.
    Alpha,
    /// Usually on.
    Beta,
    /// General availability.
    Ga,
}

impl GateStage {
    /// `alpha`, `beta` or `GA`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Alpha => "alpha",
            Self::Beta => "beta",
            Self::Ga => "GA",
        }
    }
}

/// What a release says of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateInfo {
    /// The gate.
    pub gate: Gate,
    /// Maturity.
    pub stage: GateStage,
    /// Whether it is on by default.
    pub default: bool,
    /// Whether it cannot be switched.
    pub locked: bool,
}

impl Gate {
    /// All gates, by name.
    pub const ALL: [Gate; 19] = [
        Gate::AdminAccess,
        Gate::ConsumableCapacity,
        Gate::DerivedAttributes,
        Gate::DeviceBindingConditions,
        Gate::DeviceCompatibilityGroups,
        Gate::DeviceTaintRules,
        Gate::DeviceTaints,
        Gate::ExtendedResource,
        Gate::FractionalCapacityRange,
        Gate::ListTypeAttributes,
        Gate::NodeAllocatableResources,
        Gate::OptionalNodeOperations,
        Gate::PartitionableDevices,
        Gate::PartitionableDevicesType,
        Gate::PrioritizedList,
        Gate::ResourceClaimDeviceStatus,
        Gate::SchedulerFilterTimeout,
        Gate::WorkloadResourceClaims,
        Gate::DynamicResourceAllocation,
    ];

    /// The name on a command line, e.g. `DRAAdminAccess`.
    pub fn name(self) -> &'static str {
        match self {
            Self::AdminAccess => "DRAAdminAccess",
            Self::ConsumableCapacity => "DRAConsumableCapacity",
            Self::DerivedAttributes => "DRADerivedAttributes",
            Self::DeviceBindingConditions => "DRADeviceBindingConditions",
            Self::DeviceCompatibilityGroups => "DRADeviceCompatibilityGroups",
            Self::DeviceTaintRules => "DRADeviceTaintRules",
            Self::DeviceTaints => "DRADeviceTaints",
            Self::ExtendedResource => "DRAExtendedResource",
            Self::FractionalCapacityRange => "DRAFractionalCapacityRange",
            Self::ListTypeAttributes => "DRAListTypeAttributes",
            Self::NodeAllocatableResources => "DRANodeAllocatableResources",
            Self::OptionalNodeOperations => "DRAOptionalNodeOperations",
            Self::PartitionableDevices => "DRAPartitionableDevices",
            Self::PartitionableDevicesType => "DRAPartitionableDevicesType",
            Self::PrioritizedList => "DRAPrioritizedList",
            Self::ResourceClaimDeviceStatus => "DRAResourceClaimDeviceStatus",
            Self::SchedulerFilterTimeout => "DRASchedulerFilterTimeout",
            Self::WorkloadResourceClaims => "DRAWorkloadResourceClaims",
            Self::DynamicResourceAllocation => "DynamicResourceAllocation",
        }
    }

    /// The gate of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|gate| gate.name() == name)
    }

    /// What it does, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::AdminAccess => "look at devices in use without taking them",
            Self::ConsumableCapacity => "share a device between claims by capacity",
            Self::DerivedAttributes => "attributes computed by a request (not modelled)",
            Self::DeviceBindingConditions => "wait for devices to become ready before binding",
            Self::DeviceCompatibilityGroups => {
                "partitions that only fit their own group (not modelled)"
            }
            Self::DeviceTaintRules => "taint devices by DeviceTaintRule",
            Self::DeviceTaints => "taints and tolerations of devices",
            Self::ExtendedResource => "ask for devices by an extended resource name",
            Self::FractionalCapacityRange => "ranges and steps of less than one unit",
            Self::ListTypeAttributes => "attributes with several values",
            Self::NodeAllocatableResources => "devices that use cpu or memory (not modelled)",
            Self::OptionalNodeOperations => "devices that need nothing done on the node",
            Self::PartitionableDevices => "devices that overlap, by shared counters",
            Self::PartitionableDevicesType => "names an attribute that tells the partition type",
            Self::PrioritizedList => "alternatives in a request: firstAvailable",
            Self::ResourceClaimDeviceStatus => "status of devices reported by drivers",
            Self::SchedulerFilterTimeout => "gives up a node after ten seconds",
            Self::WorkloadResourceClaims => "claims shared by a group of Pods (not modelled)",
            Self::DynamicResourceAllocation => "dynamic resource allocation as a whole",
        }
    }

    /// What a release says of the gate; `None` when it does not know it.
    pub fn info(self, release: Release) -> Option<GateInfo> {
        let minor = release.minor();
        let row = self.history().iter().rev().find(|row| row.since <= minor)?;
        Some(GateInfo { gate: self, stage: row.stage, default: row.default, locked: row.locked })
    }

    fn history(self) -> &'static [Row] {
        use GateStage::{Alpha, Beta, Ga};
        match self {
            Self::AdminAccess => const { &[on(34, Beta), locked(36)] },
            Self::ConsumableCapacity
            | Self::DeviceBindingConditions
            | Self::PartitionableDevices => const { &[off(34, Alpha), on(36, Beta)] },
            Self::DeviceTaintRules => const { &[off(35, Alpha), off(36, Beta), on(37, Ga)] },
            Self::DeviceTaints => const { &[off(34, Alpha), on(36, Beta), on(37, Ga)] },
            Self::ExtendedResource => const { &[off(34, Alpha), on(36, Beta), locked(37)] },
            Self::FractionalCapacityRange => const { &[off(37, Beta)] },
            Self::ListTypeAttributes | Self::NodeAllocatableResources => {
                const { &[off(36, Alpha)] }
            }
            Self::DerivedAttributes
            | Self::DeviceCompatibilityGroups
            | Self::OptionalNodeOperations
            | Self::PartitionableDevicesType => const { &[off(37, Alpha)] },
            Self::PrioritizedList => const { &[on(34, Beta), on(36, Ga), locked(37)] },
            Self::ResourceClaimDeviceStatus => const { &[on(34, Beta), locked(37)] },
            Self::SchedulerFilterTimeout => const { &[on(34, Beta)] },
            Self::WorkloadResourceClaims => const { &[off(36, Alpha), off(37, Beta)] },
            Self::DynamicResourceAllocation => const { &[on(34, Ga), locked(35)] },
        }
    }
}

struct Row {
    since: u8,
    stage: GateStage,
    default: bool,
    locked: bool,
}

const fn on(since: u8, stage: GateStage) -> Row {
    Row { since, stage, default: true, locked: false }
}

const fn off(since: u8, stage: GateStage) -> Row {
    Row { since, stage, default: false, locked: false }
}

const fn locked(since: u8) -> Row {
    Row { since, stage: GateStage::Ga, default: true, locked: true }
}

/// The gates of a release: its defaults, and what was switched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gates {
    release: Release,
    switched: BTreeMap<Gate, bool>,
}

impl Gates {
    /// The defaults of a release.
    pub fn defaults(release: Release) -> Self {
        Self { release, switched: BTreeMap::new() }
    }

    /// Switches a gate. Gates that the release does not know stay off.
    pub fn set(&mut self, gate: Gate, enabled: bool) {
        self.switched.insert(gate, enabled);
    }

    /// Whether a gate is on.
    ///
    /// A locked gate can be switched here: the playground answers "what if", kube-scheduler would
    /// not start.
    pub fn enabled(&self, gate: Gate) -> bool {
        let Some(info) = gate.info(self.release) else { return false };
        self.switched.get(&gate).copied().unwrap_or(info.default)
    }

    /// The release.
    pub fn release(&self) -> Release {
        self.release
    }

    /// The gates that the release knows, with what it says of them.
    pub fn known(&self) -> impl Iterator<Item = GateInfo> + '_ {
        Gate::ALL.into_iter().filter_map(|gate| gate.info(self.release))
    }
}
