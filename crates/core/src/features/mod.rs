//! Kubernetes releases, feature gates, and what they change, as named switches.
//!
//! A [`Release`] is a patch release. Together with its [`Gates`] and the allocator [`Variant`] they
//! choose, it maps to a [`Behavior`]: one field for everything in which releases differ. Only this
//! module compares version numbers; everybody else reads switches. Known bugs of a release are data,
//! see [`Behavior::known_bugs`].
//!
//! Must not know where a switch is used.
//! Upstream counterparts: `pkg/features`, `k8s.io/dynamic-resource-allocation/structured`.

mod behavior;
mod cel;
mod gates;
mod known_bugs;
mod release;
#[cfg(test)]
mod tests;
mod variant;

pub use behavior::{
    Behavior, BehaviorMode, BindingLast, CapacityOverflow, ClaimLimitText, ClassConfig,
    CounterScope, DistinctMemory, InvalidPool, NilSelector, PoolComplete, RuleCriteria,
    StepResultFormat, VisitOrder,
};
pub use cel::{AttributeType, CelSwitches, ExtListFunctions, IncludesFunction};
pub use gates::{Gate, GateInfo, GateStage, Gates};
pub use known_bugs::KnownBug;
pub use release::{Release, UnknownRelease};
pub use variant::{AllocatorFeatures, NoVariant, Variant};
