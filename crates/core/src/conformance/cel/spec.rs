//! Records of the public CEL conformance suite, answered by Kubernetes' environment.

use serde_json::Value as Json;

use super::super::Verdict;

pub(super) fn compare(json: &Json) -> Verdict {
    let _ = json;
    Verdict::Skipped
}
