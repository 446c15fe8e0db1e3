use std::rc::Rc;

use crate::allocator::{Fault, SelectorOwner, SkipReason};

use super::words::Key;

/// Why a device was or was not chosen for a request. The list is closed.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// What the allocator said: chosen, not needed, undone, or the first check that refused it.
    Told(Rc<SkipReason>),
    /// It was never looked at, because the search ended before it: at this stage, which is that of
    /// another device's error where one ended it.
    NotReached(Stage),
}

/// What kind of reason something is: silhouette and color on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Chosen.
    Fit,
    /// An amount is short.
    Quantity,
    /// Somebody or something holds it.
    Held,
    /// A rule says no.
    Rule,
    /// The input is wrong.
    Fault,
    /// Not looked at.
    None,
}

/// The checks in the scheduler's order, as rows of a sieve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Devices that the node can reach.
    Devices,
    /// Not in use.
    Free,
    /// Selectors of the class.
    Class,
    /// Selectors of the request.
    Request,
    /// The device's own node.
    Node,
    /// Consumable capacity.
    Capacity,
    /// Shared counters.
    Counters,
    /// Taints.
    Taints,
    /// Constraints over devices.
    Constraints,
    /// Chosen.
    Chosen,
}

impl Stage {
    /// All stages in order.
    pub const ALL: [Stage; 10] = [
        Stage::Devices,
        Stage::Free,
        Stage::Class,
        Stage::Request,
        Stage::Node,
        Stage::Capacity,
        Stage::Counters,
        Stage::Taints,
        Stage::Constraints,
        Stage::Chosen,
    ];

    /// Stable name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Devices => "devices",
            Self::Free => "free",
            Self::Class => "class",
            Self::Request => "request",
            Self::Node => "node",
            Self::Capacity => "capacity",
            Self::Counters => "counters",
            Self::Taints => "taints",
            Self::Constraints => "constraints",
            Self::Chosen => "chosen",
        }
    }

    /// Key of its title.
    pub fn title(self) -> Key {
        match self {
            Self::Devices => Key::StageDevices,
            Self::Free => Key::StageFree,
            Self::Class => Key::StageClass,
            Self::Request => Key::StageRequest,
            Self::Node => Key::StageNode,
            Self::Capacity => Key::StageCapacity,
            Self::Counters => Key::StageCounters,
            Self::Taints => Key::StageTaints,
            Self::Constraints => Key::StageConstraints,
            Self::Chosen => Key::StageChosen,
        }
    }
}

impl Reason {
    /// A reason that the allocator told.
    pub fn of(reason: SkipReason) -> Self {
        Self::Told(Rc::new(reason))
    }

    /// What the allocator told.
    pub fn told(&self) -> Option<&SkipReason> {
        match self {
            Self::Told(reason) => Some(reason),
            Self::NotReached(_) => None,
        }
    }

    /// Stable code, as expectation lines write it.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Told(reason) => reason.code(),
            Self::NotReached(_) => "not-reached",
        }
    }

    /// What kind of reason it is.
    pub fn family(&self) -> Family {
        match self {
            Self::Told(reason) => family(reason),
            Self::NotReached(_) => Family::None,
        }
    }

    /// The stage of the sieve at which the device leaves; [`Stage::Chosen`] for one that passed.
    pub fn stage(&self) -> Stage {
        match self {
            Self::Told(reason) => stage(reason),
            Self::NotReached(stage) => *stage,
        }
    }

    /// Key of the code in words.
    pub fn label(&self) -> Key {
        match self {
            Self::Told(reason) => label(reason),
            Self::NotReached(_) => Key::LabelNotReached,
        }
    }

    /// Whether the device passed the selectors of class and request; `None` when they were not
    /// asked.
    pub fn accepted(&self) -> Option<bool> {
        let reason = self.told()?;
        match (reason, stage(reason)) {
            (SkipReason::CelError(_) | SkipReason::NotNeeded, _)
            | (_, Stage::Devices | Stage::Free) => None,
            (_, Stage::Class | Stage::Request) => Some(false),
            (
                _,
                Stage::Node
                | Stage::Capacity
                | Stage::Counters
                | Stage::Taints
                | Stage::Constraints
                | Stage::Chosen,
            ) => Some(true),
        }
    }
}

/// What kind of reason it is.
pub(super) fn family(reason: &SkipReason) -> Family {
    match reason {
        SkipReason::Chosen => Family::Fit,
        SkipReason::NotNeeded => Family::None,
        SkipReason::CountersShort { .. }
        | SkipReason::CapacityShort { .. }
        | SkipReason::CapacityPolicy { .. }
        | SkipReason::CapacityUnknown { .. }
        | SkipReason::Over32 => Family::Quantity,
        SkipReason::InUseCommitted
        | SkipReason::InUseThisPod { .. }
        | SkipReason::InUseAdminSameClaim
        | SkipReason::Tainted { .. }
        | SkipReason::Undone => Family::Held,
        SkipReason::ClassSelectorFalse { .. }
        | SkipReason::RequestSelectorFalse { .. }
        | SkipReason::DeviceOtherNode
        | SkipReason::SliceOtherNode
        | SkipReason::BindingUnsupported
        | SkipReason::ConstraintMissing { .. }
        | SkipReason::ConstraintDifferent { .. }
        | SkipReason::ConstraintDuplicate { .. }
        | SkipReason::PartitionableOff
        | SkipReason::NodeOperationsUnsupported => Family::Rule,
        SkipReason::CelError(_)
        | SkipReason::PoolInvalid { .. }
        | SkipReason::PoolIncomplete { .. }
        | SkipReason::PoolObsolete { .. }
        | SkipReason::SliceIgnored => Family::Fault,
    }
}

/// The stage of the sieve at which the device leaves.
pub(super) fn stage(reason: &SkipReason) -> Stage {
    match reason {
        SkipReason::Chosen | SkipReason::NotNeeded | SkipReason::Undone | SkipReason::Over32 => {
            Stage::Chosen
        }
        SkipReason::SliceOtherNode
        | SkipReason::SliceIgnored
        | SkipReason::PoolObsolete { .. }
        | SkipReason::PoolIncomplete { .. }
        | SkipReason::PoolInvalid { .. } => Stage::Devices,
        SkipReason::InUseCommitted
        | SkipReason::InUseThisPod { .. }
        | SkipReason::InUseAdminSameClaim => Stage::Free,
        SkipReason::BindingUnsupported
        | SkipReason::ClassSelectorFalse { .. }
        | SkipReason::CelError(
            Fault::CelRuntime { owner: SelectorOwner::Class(_), .. }
            | Fault::CelCompile { owner: SelectorOwner::Class(_), .. },
        ) => Stage::Class,
        SkipReason::RequestSelectorFalse { .. } | SkipReason::CelError(_) => Stage::Request,
        SkipReason::DeviceOtherNode | SkipReason::NodeOperationsUnsupported => Stage::Node,
        SkipReason::CapacityUnknown { .. }
        | SkipReason::CapacityPolicy { .. }
        | SkipReason::CapacityShort { .. } => Stage::Capacity,
        SkipReason::PartitionableOff | SkipReason::CountersShort { .. } => Stage::Counters,
        SkipReason::Tainted { .. } => Stage::Taints,
        SkipReason::ConstraintMissing { .. }
        | SkipReason::ConstraintDifferent { .. }
        | SkipReason::ConstraintDuplicate { .. } => Stage::Constraints,
    }
}

/// Key of the code in words.
pub(super) fn label(reason: &SkipReason) -> Key {
    match reason {
        SkipReason::Chosen => Key::LabelChosen,
        SkipReason::NotNeeded => Key::LabelNotNeeded,
        SkipReason::Undone => Key::LabelUndone,
        SkipReason::SliceOtherNode => Key::LabelSliceOtherNode,
        SkipReason::SliceIgnored => Key::LabelSliceIgnored,
        SkipReason::PoolObsolete { .. } => Key::LabelPoolObsolete,
        SkipReason::PoolIncomplete { .. } => Key::LabelPoolIncomplete,
        SkipReason::PoolInvalid { .. } => Key::LabelPoolInvalid,
        SkipReason::InUseCommitted => Key::LabelInUse,
        SkipReason::InUseThisPod { .. } | SkipReason::InUseAdminSameClaim => Key::LabelInUseThisPod,
        SkipReason::BindingUnsupported => Key::LabelBindingUnsupported,
        SkipReason::ClassSelectorFalse { .. } => Key::LabelClassFalse,
        SkipReason::RequestSelectorFalse { .. } => Key::LabelRequestFalse,
        SkipReason::CelError(_) => Key::LabelCelError,
        SkipReason::DeviceOtherNode => Key::LabelDeviceOtherNode,
        SkipReason::CapacityUnknown { .. } => Key::LabelCapacityUnknown,
        SkipReason::CapacityPolicy { .. } => Key::LabelCapacityPolicy,
        SkipReason::CapacityShort { .. } => Key::LabelCapacityShort,
        SkipReason::NodeOperationsUnsupported => Key::LabelNodeOperations,
        SkipReason::PartitionableOff => Key::LabelPartitionableOff,
        SkipReason::CountersShort { .. } => Key::LabelCountersShort,
        SkipReason::Tainted { .. } => Key::LabelTainted,
        SkipReason::ConstraintMissing { .. }
        | SkipReason::ConstraintDifferent { .. }
        | SkipReason::ConstraintDuplicate { .. } => Key::LabelConstraint,
        SkipReason::Over32 => Key::LabelOver32,
    }
}
