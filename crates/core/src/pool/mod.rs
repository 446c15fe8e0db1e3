//! From slices to pools as one node sees them: newest generation, completeness, validity, order.
//!
//! [`SliceIndex::gather`] gives the pools in the order in which the allocator visits them, and says
//! of every slice that is not used why not. Must not know claims.
//! Upstream counterpart: `GatherPools` in `dynamic-resource-allocation/structured/internal`.

mod facts;
mod gather;
mod id;
mod node_match;
mod references;
#[cfg(test)]
mod tests;

pub use gather::{Gathered, Pool, PoolState, SkippedSlice, SliceIndex, SliceSkip};
pub use id::{DeviceId, PoolId};
pub use node_match::{NodeMatchFault, device_matches_node, node_matches};
pub use references::InvalidReason;
