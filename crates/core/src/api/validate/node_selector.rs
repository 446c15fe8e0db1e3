//! What the API server says of node selectors; the scheduler's own reading has other words.

use serde_json::{Map, Value};

use crate::apimachinery::names::label_value_faults;
use crate::apimachinery::{
    FieldError, NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, go_json,
};

use super::super::object::Object;
use super::faults::Faults;
use super::formats::{label_key, subdomain};
use super::is_written;

/// Source: `corevalidation.ValidateNodeSelector`.
pub(super) fn node_selector(selector: &NodeSelector, path: &str, faults: &mut Faults) {
    let path = format!("{path}.nodeSelectorTerms");
    if selector.terms.is_empty() {
        let detail = "must have at least one node selector term";
        faults.push(FieldError::required(&path, detail));
    }
    for (idx, term) in selector.terms.iter().enumerate() {
        let path = format!("{path}[{idx}]");
        for (idx, item) in term.match_expressions.iter().enumerate() {
            expression(item, &format!("{path}.matchExpressions[{idx}]"), faults);
        }
        for (idx, item) in term.match_fields.iter().enumerate() {
            field(item, &format!("{path}.matchFields[{idx}]"), faults);
        }
    }
}

/// Source: `ValidateNodeSelectorRequirement`.
fn expression(item: &NodeSelectorRequirement, path: &str, faults: &mut Faults) {
    use NodeSelectorOperator::{DoesNotExist, Exists, Gt, In, Lt, NotIn, Other};
    let values = format!("{path}.values");
    let required = |detail| FieldError::required(&values, detail);
    match &item.operator {
        In | NotIn if item.values.is_empty() => {
            faults.push(required("must be specified when `operator` is 'In' or 'NotIn'"));
        }
        Exists | DoesNotExist if !item.values.is_empty() => {
            let detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
            faults.push(FieldError::forbidden(&values, detail));
        }
        Gt | Lt if item.values.len() != 1 => {
            let detail = "must be specified single value when `operator` is 'Lt' or 'Gt'";
            faults.push(required(detail));
        }
        Other(operator) => unknown_operator(operator, path, faults),
        In | NotIn | Exists | DoesNotExist | Gt | Lt => {}
    }
    label_key(&format!("{path}.key"), &item.key, faults);
    for (idx, value) in item.values.iter().enumerate() {
        faults.invalid(&format!("{values}[{idx}]"), value, label_value_faults(value));
    }
}

/// Source: `ValidateNodeFieldSelectorRequirement`.
fn field(item: &NodeSelectorRequirement, path: &str, faults: &mut Faults) {
    let values = format!("{path}.values");
    match &item.operator {
        NodeSelectorOperator::In | NodeSelectorOperator::NotIn => {
            if item.values.len() != 1 {
                let detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
                faults.push(FieldError::required(&values, detail));
            }
        }
        other => unknown_operator(other.as_str(), path, faults),
    }
    if item.key == "metadata.name" {
        for (idx, value) in item.values.iter().enumerate() {
            subdomain(&format!("{values}[{idx}]"), value, faults);
        }
    } else {
        let detail = "not a valid field selector key";
        faults.push(FieldError::invalid(format!("{path}.key"), &item.key, detail));
    }
}

fn unknown_operator(operator: &str, path: &str, faults: &mut Faults) {
    let detail = "not a valid selector operator";
    faults.push(FieldError::invalid_word(format!("{path}.operator"), operator, detail));
}

/// The terms as JSON, as the error shows them.
pub(super) fn terms_json(selector: &NodeSelector, object: &Object, path: &str) -> String {
    // UPSTREAM: internal types have no JSON names, so the field names are Go's; an empty list is
    // told from one that was not there.
    let list = |items: Vec<Value>, path: &str| {
        if items.is_empty() && !is_written(object, path) {
            Value::Null
        } else {
            Value::Array(items)
        }
    };
    let requirement = |item: &NodeSelectorRequirement, path: &str| {
        let values = item.values.iter().cloned().map(Value::from).collect();
        Value::Object(Map::from_iter([
            ("Key".to_owned(), Value::from(item.key.clone())),
            ("Operator".to_owned(), Value::from(item.operator.as_str())),
            ("Values".to_owned(), list(values, &format!("{path}.values"))),
        ]))
    };
    let requirements = |items: &[NodeSelectorRequirement], path: &str| {
        let items = items.iter().enumerate();
        list(items.map(|(idx, item)| requirement(item, &format!("{path}[{idx}]"))).collect(), path)
    };
    let terms = selector.terms.iter().enumerate().map(|(idx, term)| {
        let (expressions, fields) =
            (format!("{path}[{idx}].matchExpressions"), format!("{path}[{idx}].matchFields"));
        Value::Object(Map::from_iter([
            ("MatchExpressions".to_owned(), requirements(&term.match_expressions, &expressions)),
            ("MatchFields".to_owned(), requirements(&term.match_fields, &fields)),
        ]))
    });
    go_json(&list(terms.collect(), path).to_string())
}
