//! Node selectors of Pods and allocations.

use std::collections::BTreeMap;

use crate::apimachinery::{NodeSelector, NodeSelectorOperator, NodeSelectorRequirement};

/// Whether a node is selected: one term holds. Source: `component-helpers/.../nodeaffinity`.
pub(super) fn selects(
    selector: &NodeSelector,
    name: &str,
    labels: &BTreeMap<String, String>,
) -> bool {
    selector.terms.iter().any(|term| {
        let is_empty = term.match_expressions.is_empty() && term.match_fields.is_empty();
        let label = |requirement: &NodeSelectorRequirement| {
            holds(requirement, labels.get(&requirement.key).map(String::as_str))
        };
        let field = |requirement: &NodeSelectorRequirement| {
            requirement.key == "metadata.name" && holds(requirement, Some(name))
        };
        !is_empty && term.match_expressions.iter().all(label) && term.match_fields.iter().all(field)
    })
}

fn holds(requirement: &NodeSelectorRequirement, value: Option<&str>) -> bool {
    let listed = |value: &str| requirement.values.iter().any(|known| known == value);
    match &requirement.operator {
        NodeSelectorOperator::In => value.is_some_and(listed),
        NodeSelectorOperator::NotIn => !value.is_some_and(listed),
        NodeSelectorOperator::Exists => value.is_some(),
        NodeSelectorOperator::DoesNotExist => value.is_none(),
        NodeSelectorOperator::Gt => compare(requirement, value, |a, b| a > b),
        NodeSelectorOperator::Lt => compare(requirement, value, |a, b| a < b),
        NodeSelectorOperator::Other(_) => false,
    }
}

fn compare(
    requirement: &NodeSelectorRequirement,
    value: Option<&str>,
    order: impl Fn(i64, i64) -> bool,
) -> bool {
    let bound = match requirement.values.as_slice() {
        [bound] => bound.parse().ok(),
        _ => None,
    };
    let value = value.and_then(|value| value.parse().ok());
    value.zip(bound).is_some_and(|(value, bound)| order(value, bound))
}
