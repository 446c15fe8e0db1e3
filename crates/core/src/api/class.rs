use crate::apimachinery::ObjectMeta;

/// Prefix of the resource name under which Pods can ask for every class by itself (KEP-5004).
pub const IMPLICIT_PREFIX: &str = "deviceclass.resource.kubernetes.io/";

/// Named selectors and configuration by an administrator. Source: `resource/v1 DeviceClass`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceClass {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// All must be true for a device to be usable through the class.
    pub selectors: Vec<DeviceSelector>,
    /// Configuration copied to results; requests are empty here.
    pub config: Vec<OpaqueConfig>,
    /// Name under which Pods can ask for the class as an extended resource (KEP-5004).
    pub extended_resource_name: Option<String>,
}

/// One selector of a class or request. Source: `resource/v1 DeviceSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceSelector {
    /// The CEL expression; `None` when the `cel` field is missing.
    pub cel_expression: Option<String>,
}

/// Opaque driver parameters. Source: `resource/v1 OpaqueDeviceConfiguration`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpaqueConfig {
    /// Driver the parameters are for.
    pub driver: String,
    /// Any JSON object.
    pub parameters: serde_json::Value,
}
