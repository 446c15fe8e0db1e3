use std::fmt;

use crate::api::{Device, Node, ResourceSlice};
use crate::apimachinery::{NodeSelector, NodeSelectorOperator, NodeSelectorRequirement};

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
        (_, _, Some(selector)) => selector_matches(selector, node)
            .map_err(|cause| format!("failed to parse node selector: {cause}")),
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

/// Whether one of the terms of a selector holds for a node. Empty terms match nothing.
///
/// Source: `component-helpers/scheduling/corev1/nodeaffinity`.
///
/// # Errors
/// What is wrong with the selector.
pub fn selector_matches(selector: &NodeSelector, node: &Node) -> Result<bool, String> {
    let mut matches = false;
    // Every term is read even after a match: a faulty one is an error wherever it stands.
    for term in &selector.terms {
        if term.match_expressions.is_empty() && term.match_fields.is_empty() {
            continue;
        }
        let mut holds = true;
        for requirement in &term.match_expressions {
            let value = node.metadata.labels.get(&requirement.key).map(String::as_str);
            holds &= label_holds(requirement, value)?;
        }
        for requirement in &term.match_fields {
            holds &= field_holds(requirement, node)?;
        }
        matches |= holds;
    }
    Ok(matches)
}

fn label_holds(requirement: &NodeSelectorRequirement, label: Option<&str>) -> Result<bool, String> {
    let values = &requirement.values;
    let contains = |value: &str| values.iter().any(|v| v == value);
    match &requirement.operator {
        NodeSelectorOperator::In | NodeSelectorOperator::NotIn if values.is_empty() => {
            Err("values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty"
                .to_owned())
        }
        NodeSelectorOperator::In => Ok(label.is_some_and(contains)),
        NodeSelectorOperator::NotIn => Ok(!label.is_some_and(contains)),
        NodeSelectorOperator::Exists | NodeSelectorOperator::DoesNotExist if !values.is_empty() => {
            Err("values: Invalid value: values set must be empty for exists and does not exist"
                .to_owned())
        }
        NodeSelectorOperator::Exists => Ok(label.is_some()),
        NodeSelectorOperator::DoesNotExist => Ok(label.is_none()),
        NodeSelectorOperator::Gt | NodeSelectorOperator::Lt => {
            let bound = match values.as_slice() {
                [value] => value.parse::<i64>().ok(),
                _ => None,
            };
            let Some(bound) = bound else {
                return Err(
                    "values: Invalid value: for 'Gt', 'Lt' operators, exactly one integer is required"
                        .to_owned(),
                );
            };
            let number = label.and_then(|value| value.parse::<i64>().ok());
            Ok(number.is_some_and(|number| {
                if requirement.operator == NodeSelectorOperator::Gt {
                    number > bound
                } else {
                    number < bound
                }
            }))
        }
        NodeSelectorOperator::Other(operator) => {
            Err(format!("operator: Unsupported value: {operator:?}"))
        }
    }
}

fn field_holds(requirement: &NodeSelectorRequirement, node: &Node) -> Result<bool, String> {
    let [value] = requirement.values.as_slice() else {
        return Err("values: Required value: must have one element".to_owned());
    };
    // Only the name is a field of nodes that can be selected by; others look empty.
    let field = if requirement.key == "metadata.name" { node.metadata.name.as_str() } else { "" };
    match &requirement.operator {
        NodeSelectorOperator::In => Ok(field == value),
        NodeSelectorOperator::NotIn => Ok(field != value),
        NodeSelectorOperator::Exists
        | NodeSelectorOperator::DoesNotExist
        | NodeSelectorOperator::Gt
        | NodeSelectorOperator::Lt
        | NodeSelectorOperator::Other(_) => {
            Err("operator: Invalid value: not a valid field selector operator".to_owned())
        }
    }
}
