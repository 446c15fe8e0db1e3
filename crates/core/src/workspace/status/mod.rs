//! A claim's `status` as `kubectl get resourceclaim -o yaml` prints it.

mod write;

use serde_json::json;

use crate::api::{ResourceClaimStatus, status_json};

/// The status as YAML under a key `status:`; empty when there is none.
pub(super) fn status_yaml(status: &ResourceClaimStatus) -> String {
    let value = status_json(status);
    if value.is_empty() {
        return String::new();
    }
    write::yaml(&json!({ "status": value }))
}

#[cfg(test)]
mod tests;
