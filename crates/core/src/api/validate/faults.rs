use std::collections::BTreeSet;

use crate::apimachinery::FieldError;

/// A fault and the place that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the API server says, with the path in v1.
    pub error: FieldError,
    /// What to mark.
    pub mark: Mark,
}

/// What of the text shows a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The value of a field.
    Value(String),
    /// The key of an entry.
    Key(String),
}

/// Collects faults.
#[derive(Debug, Default)]
pub(super) struct Faults {
    faults: Vec<Fault>,
}

impl Faults {
    pub(super) fn push(&mut self, error: FieldError) {
        let mark = Mark::Value(error.path.clone());
        self.faults.push(Fault { error, mark });
    }

    /// A fault of a field that is shown at another one.
    pub(super) fn push_at(&mut self, error: FieldError, mark: Mark) {
        self.faults.push(Fault { error, mark });
    }

    /// A text with several faults.
    pub(super) fn invalid(&mut self, path: &str, value: &str, details: Vec<String>) {
        for detail in details {
            self.push(FieldError::invalid(path, value, detail));
        }
    }

    pub(super) fn required(&mut self, path: String) {
        self.push(FieldError::required(path, ""));
    }

    /// Whether the list is short enough to be looked at; else says so.
    pub(super) fn fits(&mut self, path: &str, count: usize, limit: usize) -> bool {
        if count > limit {
            self.push(FieldError::too_many(path, count, limit));
        }
        count <= limit
    }

    /// Names every item whose key came before.
    pub(super) fn unique<'a>(&mut self, path: &str, keys: impl Iterator<Item = &'a str>) {
        let mut seen = BTreeSet::new();
        for (idx, key) in keys.enumerate() {
            if !seen.insert(key) {
                self.push(FieldError::duplicate(format!("{path}[{idx}]"), key));
            }
        }
    }

    pub(super) fn finish(self) -> Vec<Fault> {
        self.faults
    }
}
