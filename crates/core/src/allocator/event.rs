use crate::apimachinery::quantity::Quantity;
use crate::pool::{DeviceId, Gathered, InvalidReason, PoolId};

use super::Fault;

/// Told by the allocator what it does, in the order in which it does it.
pub trait Observer {
    /// Takes note of an event.
    fn observe(&mut self, event: Event<'_>);

    /// Whether events are wanted at all; asked once per allocation.
    fn is_interested(&self) -> bool {
        true
    }
}

/// Observes nothing.
impl Observer for () {
    fn observe(&mut self, _: Event<'_>) {}

    fn is_interested(&self) -> bool {
        false
    }
}

/// Names a request of an allocation by indexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index into the claims of the allocation.
    pub claim: usize,
    /// Index into the claim's requests.
    pub request: usize,
    /// Index into the request's alternatives; `None` for a request without alternatives.
    pub subrequest: Option<usize>,
}

/// What the allocator does.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// The pools of the node were gathered.
    Gathered(&'a Gathered),
    /// A device was put on the list of a request for all devices.
    Listed {
        /// The request.
        place: Place,
        /// The device.
        device: &'a DeviceId,
    },
    /// A device was left out of the list of a request for all devices.
    LeftOut {
        /// The request.
        place: Place,
        /// The device.
        device: &'a DeviceId,
        /// Why.
        reason: &'a SkipReason,
    },
    /// It is known how many devices a request needs: its count, or the length of its list.
    Need {
        /// The request.
        place: Place,
        /// Number of devices.
        devices: usize,
        /// Whether it wants all devices.
        all: bool,
    },
    /// A search call begins.
    Enter {
        /// Number of the call, from 1.
        call: u64,
        /// Where the search is; the claim's index equals the number of claims at the very end, the
        /// request's index the number of requests at the end of a claim.
        place: Place,
        /// Devices that the request has already.
        devices: usize,
    },
    /// The innermost open search call is left out, because it provably fails.
    Pruned,
    /// The innermost open search call ends.
    Leave {
        /// How.
        outcome: CallOutcome,
    },
    /// A candidate was refused.
    Skipped {
        /// The request.
        place: Place,
        /// The device.
        device: &'a DeviceId,
        /// The first check that refused it.
        reason: &'a SkipReason,
    },
    /// A candidate was taken.
    Taken {
        /// The request.
        place: Place,
        /// The device.
        device: &'a DeviceId,
        /// Devices that the request had before.
        position: usize,
    },
    /// A device that was taken is given back, because the search could not go on with it.
    Undone {
        /// The request.
        place: Place,
        /// The device.
        device: &'a DeviceId,
    },
    /// An alternative was chosen.
    Chosen {
        /// The request, with the chosen subrequest.
        place: Place,
    },
}

/// How a search call ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// Everything is allocated.
    Found,
    /// Nothing fits from here.
    None,
    /// The claim would get more than 32 devices.
    TooMany,
}

/// Why a device was not chosen: the complete list, in the order in which the checks are made.
#[derive(Clone, Debug, PartialEq)]
pub enum SkipReason {
    /// Its slice, or with per-device selection the device, is for other nodes.
    SliceOtherNode,
    /// Its slice is not looked at: unknown node selection, a gate is off, or it is too new.
    SliceIgnored,
    /// Its slice has an older generation.
    PoolObsolete {
        /// The slice's generation.
        generation: i64,
        /// The pool's newest one.
        newest: i64,
    },
    /// Its pool is being updated.
    PoolIncomplete {
        /// The pool.
        pool: PoolId,
        /// Slices of the generation that exist.
        have: usize,
        /// Slices announced.
        want: i64,
    },
    /// Its pool is invalid.
    PoolInvalid {
        /// The pool.
        pool: PoolId,
        /// Why.
        reason: InvalidReason,
    },
    /// An allocated claim has it.
    InUseCommitted,
    /// A claim of the same attempt has it.
    InUseThisPod {
        /// Index of that claim.
        claim: usize,
    },
    /// Admin access in the same claim has it.
    InUseAdminSameClaim,
    /// It has binding conditions and the gate is off.
    BindingUnsupported,
    /// A class selector is false.
    ClassSelectorFalse {
        /// Index of the selector.
        selector: usize,
    },
    /// A selector of the request is false.
    RequestSelectorFalse {
        /// Index of the selector.
        selector: usize,
    },
    /// A selector failed, which aborts the attempt.
    CelError(Fault),
    /// It says itself that it is for other nodes.
    DeviceOtherNode,
    /// It has not the capacity that is asked for.
    CapacityUnknown {
        /// Name of the capacity.
        name: String,
    },
    /// The amount breaks the capacity's policy.
    CapacityPolicy {
        /// Name of the capacity.
        name: String,
        /// Amount after rounding.
        wanted: Quantity,
    },
    /// Not enough capacity is left.
    CapacityShort {
        /// Name of the capacity.
        name: String,
        /// Published amount.
        total: Quantity,
        /// Consumed by allocated claims.
        committed: Quantity,
        /// Consumed by this attempt.
        tentative: Quantity,
        /// Amount after rounding.
        wanted: Quantity,
    },
    /// Its slice needs the gate or a node feature for optional node operations.
    NodeOperationsUnsupported,
    /// It consumes counters and the gate is off.
    PartitionableOff,
    /// Counters do not suffice.
    CountersShort {
        /// Counter set of the first counter that is short; it need not be one of the device's.
        set: String,
        /// That counter.
        counter: String,
        /// What the pool has left of it after allocated claims.
        available: Quantity,
        /// What this attempt uses already, devices included that were refused but not released.
        used: Quantity,
        /// What the device wants of it; zero when another counter of the pool is short.
        wanted: Quantity,
    },
    /// A taint is not tolerated.
    Tainted {
        /// Key.
        key: String,
        /// Value.
        value: String,
        /// Effect.
        effect: String,
    },
    /// A constraint refuses the device: it has not the attribute.
    ConstraintMissing {
        /// Index of the constraint.
        constraint: usize,
        /// Attribute.
        attribute: String,
    },
    /// `matchAttribute` refuses the device: its value differs.
    ConstraintDifferent {
        /// Index of the constraint.
        constraint: usize,
        /// Attribute.
        attribute: String,
        /// The device that set the value, as far as it is still known.
        other: Option<DeviceId>,
    },
    /// `distinctAttribute` refuses the device: its value is there already.
    ConstraintDuplicate {
        /// Index of the constraint.
        constraint: usize,
        /// Attribute.
        attribute: String,
        /// The device that has the value, as far as it is still known.
        other: Option<DeviceId>,
    },
    /// The claim would get more than 32 devices.
    Over32,
    /// It was taken, but a later request or claim failed.
    Undone,
    /// It was never looked at.
    NotNeeded,
    /// It was chosen.
    Chosen,
}

impl SkipReason {
    /// The stable reason code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SliceOtherNode => "slice-other-node",
            Self::SliceIgnored => "slice-ignored",
            Self::PoolObsolete { .. } => "pool-obsolete",
            Self::PoolIncomplete { .. } => "pool-incomplete",
            Self::PoolInvalid { .. } => "pool-invalid",
            Self::InUseCommitted => "in-use-committed",
            Self::InUseThisPod { .. } => "in-use-this-pod",
            Self::InUseAdminSameClaim => "in-use-admin-same-claim",
            Self::BindingUnsupported => "binding-unsupported",
            Self::ClassSelectorFalse { .. } => "class-selector-false",
            Self::RequestSelectorFalse { .. } => "request-selector-false",
            Self::CelError(_) => "cel-error",
            Self::DeviceOtherNode => "device-other-node",
            Self::CapacityUnknown { .. } => "capacity-unknown",
            Self::CapacityPolicy { .. } => "capacity-policy",
            Self::CapacityShort { .. } => "capacity-short",
            Self::NodeOperationsUnsupported => "node-operations-unsupported",
            Self::PartitionableOff => "partitionable-off",
            Self::CountersShort { .. } => "counters-short",
            Self::Tainted { .. } => "tainted",
            Self::ConstraintMissing { .. }
            | Self::ConstraintDifferent { .. }
            | Self::ConstraintDuplicate { .. } => "constraint",
            Self::Over32 => "over-32",
            Self::Undone => "undone",
            Self::NotNeeded => "not-needed",
            Self::Chosen => "chosen",
        }
    }
}
