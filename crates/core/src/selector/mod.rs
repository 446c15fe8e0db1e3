//! The CEL environment of the `device` variable: where CEL meets DRA.
//!
//! Provisional: the surface that the allocator uses, with an evaluator for the simplest selectors.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{DeviceAttribute, DeviceCapacity};

/// Compiles selectors and keeps them.
#[derive(Debug, Default)]
pub struct Selectors;

/// A selector that was compiled.
#[derive(Debug)]
pub struct Compiled {
    expression: String,
}

/// What a selector sees of a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceInput<'a> {
    /// Driver.
    pub driver: &'a str,
    /// Attributes.
    pub attributes: &'a BTreeMap<String, DeviceAttribute>,
    /// Capacities.
    pub capacity: &'a BTreeMap<String, DeviceCapacity>,
    /// Whether it can be shared.
    pub allow_multiple_allocations: Option<bool>,
}

impl Selectors {
    /// Compiles an expression.
    pub fn compile(&self, expression: &str) -> Rc<Compiled> {
        Rc::new(Compiled { expression: expression.to_owned() })
    }
}

impl Compiled {
    /// Why it does not compile.
    pub fn error(&self) -> Option<&str> {
        None
    }

    /// Whether it chooses a device.
    ///
    /// # Errors
    /// The runtime error.
    pub fn matches(&self, device: &DeviceInput<'_>) -> Result<bool, String> {
        if let Some(driver) = self.expression.strip_prefix("device.driver == ") {
            return Ok(driver.trim_matches(|c| c == '\'' || c == '"') == device.driver);
        }
        Ok(self.expression == "true")
    }
}
