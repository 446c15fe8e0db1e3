use std::fmt;

use crate::api::{Device, Node, ResourceSlice};
use crate::apimachinery::NodeSelector;

/// A node selector that cannot be read. The API server does not accept such selectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeMatchFault {
    /// The slice.
    pub slice: String,
    /// The device, when it is a device's selector.
    pub device: Option<String>,
    /// What is wrong with it.
    pub cause: String,
}

impl fmt::Display for NodeMatchFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed to perform node selection for ")?;
        if let Some(device) = &self.device {
            write!(f, "device {device} in ")?;
        }
        write!(f, "slice {}: {}", self.slice, self.cause)
    }
}

/// Whether a node is selected by one of the three ways to say so; nothing said selects no node.
///
/// # Errors
/// Why the selector cannot be read.
pub fn node_matches(
    node: &Node,
    node_name: Option<&str>,
    all_nodes: Option<bool>,
    selector: Option<&NodeSelector>,
) -> Result<bool, String> {
    match (node_name, all_nodes, selector) {
        (Some(name), _, _) if !name.is_empty() => Ok(node.metadata.name == name),
        (_, Some(true), _) => Ok(true),
        (_, _, Some(selector)) => selector
            .matches(&node.metadata.name, &node.metadata.labels)
            .map_err(|cause| format!("failed to parse node selector {selector}: {cause}")),
        (_, _, None) => Ok(false),
    }
}

/// Whether a device of a slice with `perDeviceNodeSelection` is for a node.
///
/// # Errors
/// The device's selector cannot be read.
pub fn device_matches_node(
    node: &Node,
    slice: &ResourceSlice,
    device: &Device,
) -> Result<bool, NodeMatchFault> {
    node_matches(node, device.node_name.as_deref(), device.all_nodes, device.node_selector.as_ref())
        .map_err(|cause| NodeMatchFault {
            slice: slice.metadata.name.clone(),
            device: Some(device.name.clone()),
            cause,
        })
}
