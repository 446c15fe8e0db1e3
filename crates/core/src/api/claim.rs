use std::collections::BTreeMap;

use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{Condition, NodeSelector, ObjectMeta};

use super::class::{DeviceSelector, OpaqueConfig};

/// A wish for devices and, once allocated, its result. Source: `resource/v1 ResourceClaim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceClaim {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// `spec.devices`.
    pub spec: DeviceClaim,
    /// `status`.
    pub status: ResourceClaimStatus,
}

/// From which claims are generated for Pods. Source: `resource/v1 ResourceClaimTemplate`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceClaimTemplate {
    /// Metadata of the template.
    pub metadata: ObjectMeta,
    /// `spec.metadata`: labels and annotations of generated claims.
    pub claim_metadata: ObjectMeta,
    /// `spec.spec.devices`.
    pub spec: DeviceClaim,
}

/// What a claim asks for. Source: `resource/v1 DeviceClaim`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceClaim {
    /// Requests, satisfied in order.
    pub requests: Vec<DeviceRequest>,
    /// Constraints over requests.
    pub constraints: Vec<DeviceConstraint>,
    /// Opaque configuration.
    pub config: Vec<ClaimConfig>,
}

/// One request: `exactly` or `firstAvailable`. Both or none only in invalid input.
///
/// Source: `resource/v1 DeviceRequest`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceRequest {
    /// Name, unique in the claim.
    pub name: String,
    /// A single kind of device.
    pub exactly: Option<ExactRequest>,
    /// Alternatives in order of preference (KEP-4816).
    pub first_available: Vec<DeviceSubRequest>,
}

/// What one request or subrequest wants. Source: `resource/v1 ExactDeviceRequest`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExactRequest {
    /// Name of the DeviceClass.
    pub device_class_name: String,
    /// All must be true, after those of the class.
    pub selectors: Vec<DeviceSelector>,
    /// How many devices.
    pub allocation_mode: AllocationMode,
    /// Number of devices for `ExactCount`.
    pub count: i64,
    /// KEP-5018; always `None` in subrequests.
    pub admin_access: Option<bool>,
    /// Taints that are accepted.
    pub tolerations: Vec<DeviceToleration>,
    /// Amounts asked of each device by capacity name (KEP-5075); `None` when absent.
    pub capacity_requests: Option<BTreeMap<String, Quantity>>,
    /// Whether attributes are derived for the request (KEP-6080); how is not modelled.
    pub has_derived_attributes: bool,
}

/// One alternative of a request. Source: `resource/v1 DeviceSubRequest`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceSubRequest {
    /// Name, unique in the request; referred to as `request/subrequest`.
    pub name: String,
    /// The same fields as an exact request, without admin access.
    pub request: ExactRequest,
}

/// How many devices a request wants. Source: `resource/v1 DeviceAllocationMode`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AllocationMode {
    /// `count` devices.
    #[default]
    ExactCount,
    /// Every matching device.
    All,
    /// Not a mode of the API: what the user wrote.
    Other(String),
}

/// A taint that a request accepts. Source: `resource/v1 DeviceToleration`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceToleration {
    /// Key; empty matches every key.
    pub key: String,
    /// `Exists` or `Equal` (the default).
    pub operator: String,
    /// Value for `Equal`.
    pub value: String,
    /// Effect; empty matches every effect.
    pub effect: String,
    /// Seconds a running Pod may stay on a `NoExecute` device.
    pub toleration_seconds: Option<i64>,
}

/// A constraint over the devices of several requests. Source: `resource/v1 DeviceConstraint`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceConstraint {
    /// `request` or `request/subrequest`; empty means all.
    pub requests: Vec<String>,
    /// Attribute that must be equal on all devices.
    pub match_attribute: Option<String>,
    /// Attribute that must differ on all devices.
    pub distinct_attribute: Option<String>,
}

/// Configuration in a claim. Source: `resource/v1 DeviceClaimConfiguration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClaimConfig {
    /// `request` or `request/subrequest`; empty means all.
    pub requests: Vec<String>,
    /// The opaque parameters; `None` when the field is missing.
    pub opaque: Option<OpaqueConfig>,
}

/// Source: `resource/v1 ResourceClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ResourceClaimStatus {
    /// Set once the claim is allocated.
    pub allocation: Option<AllocationResult>,
    /// Consumers that may use the claim.
    pub reserved_for: Vec<ConsumerReference>,
    /// Per-device status by drivers, as far as binding conditions need it.
    pub devices: Vec<AllocatedDeviceStatus>,
}

/// A consumer of a claim. Source: `resource/v1 ResourceClaimConsumerReference`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConsumerReference {
    /// API group; empty for Pods.
    pub api_group: String,
    /// Resource, e.g. `pods`.
    pub resource: String,
    /// Name.
    pub name: String,
    /// UID.
    pub uid: String,
}

/// Conditions of one allocated device. Source: `resource/v1 AllocatedDeviceStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllocatedDeviceStatus {
    /// Driver.
    pub driver: String,
    /// Pool.
    pub pool: String,
    /// Device.
    pub device: String,
    /// Share, for shared devices.
    pub share_id: Option<String>,
    /// Conditions.
    pub conditions: Vec<Condition>,
}

/// The devices chosen for a claim. Source: `resource/v1 AllocationResult`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllocationResult {
    /// `devices.results`, in the order in which they were taken.
    pub results: Vec<DeviceRequestAllocationResult>,
    /// `devices.config`.
    pub config: Vec<AllocationConfig>,
    /// Nodes on which the claim can be used; `None` means all.
    pub node_selector: Option<NodeSelector>,
    /// RFC 3339 time at which the scheduler wrote the allocation.
    pub allocation_timestamp: Option<String>,
}

/// One chosen device. Source: `resource/v1 DeviceRequestAllocationResult`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceRequestAllocationResult {
    /// `request` or `request/subrequest`.
    pub request: String,
    /// Driver.
    pub driver: String,
    /// Pool.
    pub pool: String,
    /// Device.
    pub device: String,
    /// `Some(true)` for admin access.
    pub admin_access: Option<bool>,
    /// Copy of the request's tolerations.
    pub tolerations: Vec<DeviceToleration>,
    /// Copied from the device (KEP-5007).
    pub binding_conditions: Vec<String>,
    /// Copied from the device (KEP-5007).
    pub binding_failure_conditions: Vec<String>,
    /// Identifies one share of a shared device.
    pub share_id: Option<String>,
    /// Amounts taken from a shared device after rounding; `None` when it has no capacity.
    pub consumed_capacity: Option<BTreeMap<String, Quantity>>,
    /// KEP-5945, copied from the slice.
    pub skip_node_operations: Vec<String>,
}

/// One entry of the result's configuration. Source: `resource/v1 DeviceAllocationConfiguration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllocationConfig {
    /// Where the entry comes from.
    pub source: ConfigSource,
    /// Requests it is for; empty means all.
    pub requests: Vec<String>,
    /// The parameters; `None` when the claim's entry had none.
    pub opaque: Option<OpaqueConfig>,
}

/// Source: `resource/v1 AllocationConfigSource`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ConfigSource {
    /// From the class.
    #[default]
    FromClass,
    /// From the claim.
    FromClaim,
}
