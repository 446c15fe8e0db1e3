//! What share of generated cases was allocated, refused or failed.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;

/// Counts of outcomes in answered records.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    records: usize,
    outcomes: BTreeMap<&'static str, usize>,
}

impl Tally {
    /// Counts one answered record: every node of a scenario, or the one verdict of a CEL case.
    pub fn add(&mut self, record: &Value) {
        self.records += 1;
        let answer = record.get("expected").or(record.get("expect"));
        let Some(answer) = answer else { return };
        if let Some(nodes) = answer.get("perNode").and_then(Value::as_array) {
            for node in nodes {
                self.count(node_outcome(node));
            }
        } else {
            self.count(cel_outcome(answer));
        }
    }

    /// Whether nothing was allocated and nothing failed.
    pub fn is_dull(&self) -> bool {
        self.outcomes.keys().all(|outcome| *outcome == "refused")
    }

    fn count(&mut self, outcome: &'static str) {
        *self.outcomes.entry(outcome).or_default() += 1;
    }
}

fn node_outcome(node: &Value) -> &'static str {
    let kind = node.get("errorKind").and_then(Value::as_str);
    if node.get("nondeterministic").is_some() {
        return "depends on pool order";
    }
    match kind {
        Some("crash") => "crashed",
        Some("node") => "failed on the node",
        Some(_) => "failed",
        None if node.get("result").is_none_or(Value::is_null) => "refused",
        None => "allocated",
    }
}

fn cel_outcome(answer: &Value) -> &'static str {
    if answer.get("compileError").is_some() {
        "does not compile"
    } else if answer.get("error").or(answer.get("runtimeError")).is_some() {
        "fails at run time"
    } else if matches!(answer.get("result"), Some(Value::Bool(true)))
        || answer.get("result") == Some(&"true".into())
    {
        "true"
    } else {
        "false"
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total: usize = self.outcomes.values().sum();
        write!(f, "{} cases", self.records)?;
        for (outcome, count) in &self.outcomes {
            let tenths = count * 1000 / total.max(1);
            write!(f, ", {}.{} % {outcome}", tenths / 10, tenths % 10)?;
        }
        Ok(())
    }
}
