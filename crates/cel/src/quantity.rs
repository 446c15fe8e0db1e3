//! Kubernetes quantities: exact decimal amounts with a remembered notation.
//!
//! Source: `k8s.io/apimachinery/pkg/api/resource` Quantity.

/// An exact amount. Placeholder until the real one lands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quantity {
    text: String,
}

impl Quantity {
    /// The notation as written.
    pub fn text(&self) -> &str {
        &self.text
    }
}
