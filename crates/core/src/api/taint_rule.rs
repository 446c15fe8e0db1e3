use crate::apimachinery::ObjectMeta;

use super::class::DeviceSelector;
use super::slice::DeviceTaint;

/// Taints devices by driver, pool or name. Source: `resource/v1 DeviceTaintRule`, KEP-5055.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceTaintRule {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// Which devices; `None` differs from an empty selector in later releases.
    pub device_selector: Option<DeviceTaintSelector>,
    /// The taint that is added.
    pub taint: DeviceTaint,
}

/// Source: `resource/v1 DeviceTaintSelector`; class and selectors exist in 1.34 only.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceTaintSelector {
    /// Driver; `None` matches any.
    pub driver: Option<String>,
    /// Pool; `None` matches any.
    pub pool: Option<String>,
    /// Device; `None` matches any.
    pub device: Option<String>,
    /// 1.34 only.
    pub device_class_name: Option<String>,
    /// 1.34 only.
    pub selectors: Vec<DeviceSelector>,
}
