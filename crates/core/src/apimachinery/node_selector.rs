use std::collections::BTreeMap;
use std::fmt;

use super::field_error::{FieldError, aggregate};
use super::names::{label_key_faults, label_value_faults};

/// Terms over a node's labels and fields, of which one must hold. Source: `core/v1 NodeSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelector {
    /// Alternatives; an empty term matches nothing.
    pub terms: Vec<NodeSelectorTerm>,
}

/// Requirements that must all hold. Source: `core/v1 NodeSelectorTerm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelectorTerm {
    /// Requirements on labels.
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// Requirements on fields; only `metadata.name` is known.
    pub match_fields: Vec<NodeSelectorRequirement>,
}

/// One requirement on a label or field. Source: `core/v1 NodeSelectorRequirement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSelectorRequirement {
    /// Label key or field path.
    pub key: String,
    /// How `values` are compared.
    pub operator: NodeSelectorOperator,
    /// Values, as the operator wants them.
    pub values: Vec<String>,
}

/// Operator of a requirement; `Other` keeps what the user wrote so that it can be refused by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeSelectorOperator {
    /// The value is one of `values`.
    In,
    /// The value is none of `values`, or the key is absent.
    NotIn,
    /// The key is present.
    Exists,
    /// The key is absent.
    DoesNotExist,
    /// The value is an integer greater than the single one in `values`.
    Gt,
    /// The value is an integer less than the single one in `values`.
    Lt,
    /// Not an operator of the API.
    Other(String),
}

impl NodeSelector {
    /// Whether a node fits, judged as the DRA allocator does: every term must make sense.
    ///
    /// Source: `component-helpers/scheduling/corev1/nodeaffinity NewNodeSelector`.
    ///
    /// # Errors
    /// What is wrong with any of the terms, as upstream prints it.
    pub fn matches(
        &self,
        node_name: &str,
        labels: &BTreeMap<String, String>,
    ) -> Result<bool, String> {
        let faults = self.faults("nodeSelectorTerms");
        if !faults.is_empty() {
            return Err(aggregate(&faults));
        }
        Ok(self.terms.iter().any(|term| term.matches(node_name, labels)))
    }

    /// Whether a node fits, judged as for a Pod's node affinity: a term that makes no sense matters
    /// only when no other term fits.
    ///
    /// Source: `component-helpers/scheduling/corev1/nodeaffinity LazyErrorNodeSelector`.
    ///
    /// # Errors
    /// What is wrong with the terms, as upstream prints it.
    pub fn matches_leniently(
        &self,
        node_name: &str,
        labels: &BTreeMap<String, String>,
    ) -> Result<bool, String> {
        let mut faults = Vec::new();
        for (idx, term) in self.terms.iter().enumerate() {
            let found = term.faults(&format!("nodeSelectorTerms[{idx}]"));
            if found.is_empty() && term.matches(node_name, labels) {
                return Ok(true);
            }
            faults.extend(found);
        }
        if faults.is_empty() { Ok(false) } else { Err(aggregate(&faults)) }
    }

    /// What is wrong with the terms; `path` is that of the list of terms.
    pub fn faults(&self, path: &str) -> Vec<FieldError> {
        let terms = self.terms.iter().enumerate();
        terms.flat_map(|(idx, term)| term.faults(&format!("{path}[{idx}]"))).collect()
    }
}

impl NodeSelector {
    /// In short, written as `kubectl` writes label selectors: `rack in (r1,r2),!gpu or zone=a`.
    pub fn summary(&self) -> String {
        let term = |term: &NodeSelectorTerm| {
            let all = term.match_expressions.iter().chain(&term.match_fields);
            all.map(NodeSelectorRequirement::summary).collect::<Vec<_>>().join(",")
        };
        self.terms.iter().map(term).collect::<Vec<_>>().join(" or ")
    }
}

impl NodeSelectorRequirement {
    fn summary(&self) -> String {
        let Self { key, operator, values } = self;
        let list = values.join(",");
        match operator {
            NodeSelectorOperator::In if values.len() == 1 => format!("{key}={list}"),
            NodeSelectorOperator::In => format!("{key} in ({list})"),
            NodeSelectorOperator::NotIn => format!("{key} notin ({list})"),
            NodeSelectorOperator::Exists => key.clone(),
            NodeSelectorOperator::DoesNotExist => format!("!{key}"),
            NodeSelectorOperator::Gt => format!("{key}>{list}"),
            NodeSelectorOperator::Lt => format!("{key}<{list}"),
            NodeSelectorOperator::Other(operator) => format!("{key} {operator} {list}"),
        }
    }
}

/// As Go prints the generated type in messages.
impl fmt::Display for NodeSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("&NodeSelector{NodeSelectorTerms:[]NodeSelectorTerm{")?;
        for term in &self.terms {
            f.write_str("NodeSelectorTerm{MatchExpressions:")?;
            write_requirements(&term.match_expressions, f)?;
            f.write_str(",MatchFields:")?;
            write_requirements(&term.match_fields, f)?;
            f.write_str(",},")?;
        }
        f.write_str("},}")
    }
}

fn write_requirements(
    requirements: &[NodeSelectorRequirement],
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    f.write_str("[]NodeSelectorRequirement{")?;
    for NodeSelectorRequirement { key, operator, values } in requirements {
        let (operator, values) = (operator.as_str(), values.join(" "));
        write!(f, "NodeSelectorRequirement{{Key:{key},Operator:{operator},Values:[{values}],}},")?;
    }
    f.write_str("}")
}

impl NodeSelectorOperator {
    /// As it is written in the API.
    pub fn as_str(&self) -> &str {
        match self {
            Self::In => "In",
            Self::NotIn => "NotIn",
            Self::Exists => "Exists",
            Self::DoesNotExist => "DoesNotExist",
            Self::Gt => "Gt",
            Self::Lt => "Lt",
            Self::Other(operator) => operator,
        }
    }
}

impl NodeSelectorTerm {
    fn is_empty(&self) -> bool {
        self.match_expressions.is_empty() && self.match_fields.is_empty()
    }

    fn matches(&self, node_name: &str, labels: &BTreeMap<String, String>) -> bool {
        // A node without a name has no fields to compare.
        let fields = node_name.is_empty()
            || self.match_fields.iter().all(|requirement| {
                let field = if requirement.key == "metadata.name" { node_name } else { "" };
                requirement.matches(Some(field))
            });
        let label = |requirement: &NodeSelectorRequirement| {
            requirement.matches(labels.get(&requirement.key).map(String::as_str))
        };
        !self.is_empty() && fields && self.match_expressions.iter().all(label)
    }

    fn faults(&self, path: &str) -> Vec<FieldError> {
        let mut faults = Vec::new();
        for (idx, requirement) in self.match_expressions.iter().enumerate() {
            faults.extend(requirement.faults(&format!("{path}.matchExpressions[{idx}]")));
        }
        for (idx, requirement) in self.match_fields.iter().enumerate() {
            faults.extend(requirement.field_faults(&format!("{path}.matchFields[{idx}]")));
        }
        faults
    }
}

impl NodeSelectorRequirement {
    /// Whether a label or field, `None` when it is absent, meets the requirement.
    fn matches(&self, value: Option<&str>) -> bool {
        let listed = |value: &str| self.values.iter().any(|allowed| allowed == value);
        let number = |text: &str| text.parse::<i64>().ok();
        let bound = self.values.first().and_then(|bound| number(bound));
        match &self.operator {
            NodeSelectorOperator::In => value.is_some_and(listed),
            NodeSelectorOperator::NotIn => !value.is_some_and(listed),
            NodeSelectorOperator::Exists => value.is_some(),
            NodeSelectorOperator::DoesNotExist => value.is_none(),
            NodeSelectorOperator::Gt => value.and_then(number) > bound && bound.is_some(),
            NodeSelectorOperator::Lt => {
                value.and_then(number).is_some_and(|value| Some(value) < bound)
            }
            NodeSelectorOperator::Other(_) => false,
        }
    }

    fn faults(&self, path: &str) -> Vec<FieldError> {
        let mut faults = Vec::new();
        let values = format!("{path}.values");
        if let NodeSelectorOperator::Other(operator) = &self.operator {
            let known = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];
            return vec![FieldError::not_supported(format!("{path}.operator"), operator, &known)];
        }
        let key = label_key_faults(&self.key);
        if !key.is_empty() {
            faults.push(FieldError::invalid(format!("{path}.key"), &self.key, key.join("; ")));
        }
        let count = match &self.operator {
            NodeSelectorOperator::In | NodeSelectorOperator::NotIn if self.values.is_empty() => {
                Some("for 'in', 'notin' operators, values set can't be empty")
            }
            NodeSelectorOperator::Exists | NodeSelectorOperator::DoesNotExist
                if !self.values.is_empty() =>
            {
                Some("values set must be empty for exists and does not exist")
            }
            NodeSelectorOperator::Gt | NodeSelectorOperator::Lt if self.values.len() != 1 => {
                Some("for 'Gt', 'Lt' operators, exactly one value is required")
            }
            NodeSelectorOperator::In
            | NodeSelectorOperator::NotIn
            | NodeSelectorOperator::Exists
            | NodeSelectorOperator::DoesNotExist
            | NodeSelectorOperator::Gt
            | NodeSelectorOperator::Lt
            | NodeSelectorOperator::Other(_) => None,
        };
        faults.extend(count.map(|text| FieldError::invalid_raw(&values, self.values_json(), text)));
        let compares = matches!(self.operator, NodeSelectorOperator::Gt | NodeSelectorOperator::Lt);
        for (idx, value) in self.values.iter().enumerate() {
            if compares && value.parse::<i64>().is_err() {
                let text = "for 'Gt', 'Lt' operators, the value must be an integer";
                faults.push(FieldError::invalid(format!("{values}[{idx}]"), value, text));
            }
        }
        for (idx, value) in self.values.iter().enumerate() {
            let found = label_value_faults(value);
            if !found.is_empty() {
                let path = format!("{values}[{idx}][{}]", self.key);
                faults.push(FieldError::invalid(path, value, found.join("; ")));
            }
        }
        faults
    }

    fn field_faults(&self, path: &str) -> Vec<FieldError> {
        if matches!(self.operator, NodeSelectorOperator::In | NodeSelectorOperator::NotIn) {
            if self.values.len() == 1 {
                return Vec::new();
            }
            let text = "must have one element";
            let values = format!("{path}.values");
            return vec![FieldError::invalid_raw(values, self.values_json(), text)];
        }
        let path = format!("{path}.operator");
        vec![FieldError::not_supported(path, self.operator.as_str(), &["In", "NotIn"])]
    }

    /// The values as JSON, null when there are none.
    fn values_json(&self) -> String {
        if self.values.is_empty() {
            return "null".to_owned();
        }
        serde_json::Value::from(self.values.clone()).to_string()
    }
}
