use std::collections::BTreeSet;

use crate::apimachinery::FieldError;

/// A fault and the place that shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What the API server says, with the path in v1.
    pub error: FieldError,
    /// What to mark.
    pub mark: Mark,
    /// Whether the rule is declared beside the versioned type: its path is that of the object's own
    /// version. Other rules know the internal type only, which has the shape of v1.
    pub declared: bool,
}

/// What of the text shows a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The value of a field.
    Value(String),
    /// The key of an entry.
    Key(String),
    /// The field of an item that holds this text, or the item.
    Named(String, String),
}

/// Collects faults.
#[derive(Debug, Default)]
pub(super) struct Faults {
    found: Vec<Fault>,
    declared: bool,
    /// Whether the release answers by its declared rules at all.
    declares: bool,
    /// Whether handwritten rules are left out.
    only_declared: bool,
}

/// First release whose declared rules answer in place of the handwritten ones.
const DECLARES: u8 = 37;

impl Faults {
    pub(super) fn of(minor: u8) -> Self {
        Self { declares: minor >= DECLARES, ..Self::default() }
    }

    pub(super) fn push(&mut self, error: FieldError) {
        let mark = Mark::Value(error.path.clone());
        self.push_at(error, mark);
    }

    /// Checks by rules that are declared beside the versioned type.
    ///
    /// Source: the markers `+k8s:` in `k8s.io/api/resource`, `MarkCoveredByDeclarative` in
    /// `pkg/apis/resource/validation`.
    pub(super) fn declared<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.declared, self.declares);
        let result = check(self);
        self.declared = before;
        result
    }

    /// Checks by a handwritten rule among declared ones.
    pub(super) fn handwritten(&mut self, check: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.declared);
        check(self);
        self.declared = before;
    }

    /// Whether the release is of those that have declared rules.
    pub(super) fn declares(&self) -> bool {
        self.declares
    }

    /// Checks what handwritten rules have given up on: the declared ones go on.
    pub(super) fn only_declared(&mut self, check: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.only_declared, true);
        check(self);
        self.only_declared = before;
    }

    /// Whether the rules at hand are declared ones.
    pub(super) fn are_declared(&self) -> bool {
        self.declared
    }

    /// A fault of a field that is shown at another one.
    pub(super) fn push_at(&mut self, error: FieldError, mark: Mark) {
        if self.declared || !self.only_declared {
            self.found.push(Fault { error, mark, declared: self.declared });
        }
    }

    /// A text with several faults.
    pub(super) fn invalid(&mut self, path: &str, value: &str, details: Vec<String>) {
        for detail in details {
            self.push(FieldError::invalid(path, value, detail));
        }
    }

    /// The same for names, whose handwritten rules count characters where declared ones count bytes.
    pub(super) fn invalid_name(&mut self, path: &str, value: &str, details: Vec<String>) {
        self.invalid_name_at(path, value, details, &Mark::Value(path.to_owned()));
    }

    /// The same shown at another place.
    pub(super) fn invalid_name_at(
        &mut self,
        path: &str,
        value: &str,
        details: Vec<String>,
        mark: &Mark,
    ) {
        for detail in details {
            let detail = match detail.strip_suffix(" bytes") {
                Some(limit) if !self.declared => format!("{limit} characters"),
                _ => detail,
            };
            self.push_at(FieldError::invalid(path, value, detail), mark.clone());
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

    /// The same where the error shows the whole item.
    pub(super) fn unique_items<'a>(
        &mut self,
        path: &str,
        keys: impl Iterator<Item = &'a str>,
        show: impl Fn(usize) -> String,
    ) {
        let mut seen = BTreeSet::new();
        for (idx, key) in keys.enumerate() {
            if !seen.insert(key) {
                let mut error = FieldError::duplicate(format!("{path}[{idx}]"), key);
                let mark = Mark::Named(error.path.clone(), key.to_owned());
                if self.declared {
                    error.value = show(idx);
                } else if key.starts_with('{') {
                    // The key is no text but a value of its own.
                    key.clone_into(&mut error.value);
                }
                self.push_at(error, mark);
            }
        }
    }

    pub(super) fn finish(mut self) -> Vec<Fault> {
        if self.declares {
            // UPSTREAM: while covered faults are sorted out, equal handwritten ones become one.
            let mut told = BTreeSet::new();
            self.found.retain(|fault| fault.declared || told.insert(fault.error.to_string()));
        }
        self.found
    }
}
