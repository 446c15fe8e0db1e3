//! The numbers of a `ResourcePoolStatusRequest` for one pool.

use serde::{Deserialize, Serialize};

/// What a `ResourcePoolStatusRequest` (KEP-5677) would answer for a pool.
///
/// Source: `resource/v1alpha3 PoolStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolStatus {
    /// The counts; `None` while slices of the newest generation are missing.
    pub counts: Option<PoolCounts>,
    /// For each partition type of devices that draw from counters.
    pub partitions: Vec<PartitionStatus>,
    /// Devices that can be shared; `None` when there is none.
    pub shareable: Option<ShareableStatus>,
    /// What keeps a part of the answer from being computed, in upstream's words.
    pub validation_error: Option<String>,
}

/// How many devices a pool has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolCounts {
    /// In all.
    pub total: usize,
    /// Held by some claim other than by admin access; a shared device counts once.
    pub allocated: usize,
    /// The rest.
    pub available: usize,
    /// With a taint of effect `NoSchedule` or `NoExecute`.
    pub unavailable: usize,
}

/// Devices of one partition type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PartitionStatus {
    /// `spec.partitionTypeAttribute` of their slices.
    pub attribute: String,
    /// Its value.
    pub kind: String,
    /// How many there are.
    pub total: usize,
    /// How many more the counters allow.
    pub allocatable: usize,
}

/// Devices that can be shared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShareableStatus {
    /// Nobody holds them.
    pub fully_available: usize,
    /// Somebody holds a share.
    pub partially_available: usize,
    /// Name, total, consumed and available amount of each capacity.
    pub capacity: Vec<[String; 4]>,
}
