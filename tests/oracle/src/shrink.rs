//! Making a differing case small: parts are taken away as long as the difference stays.

use serde_json::Value;

/// Tries that one shrinking may take.
const TRIES: usize = 3000;

/// Fields that an object can do without; the others stay, so that a case never becomes one that the
/// API server would refuse.
const OPTIONAL: [&str; 24] = [
    "tags",
    "mode",
    "allocator",
    "labels",
    "selectors",
    "config",
    "constraints",
    "tolerations",
    "adminAccess",
    "capacity",
    "attributes",
    "consumesCounters",
    "sharedCounters",
    "taints",
    "bindsToNode",
    "bindingConditions",
    "bindingFailureConditions",
    "allowMultipleAllocations",
    "requestPolicy",
    "consumedCapacity",
    "limit",
    "multi",
    "cc",
    "list",
];

/// Objects whose keys are names, so that each entry can go.
pub(crate) const MAPS: [&str; 7] =
    ["labels", "attributes", "capacity", "counters", "consumedCapacity", "attrs", "caps"];

/// Fields without which nothing is an object.
const HEAD: [&str; 2] = ["apiVersion", "kind"];

/// The smallest case found for which `differs` still holds.
pub fn shrink(case: &Value, differs: impl FnMut(&Value) -> bool) -> Value {
    shrink_parts(case, false, differs)
}

/// The same where any part may go.
pub fn shrink_freely(case: &Value, differs: impl FnMut(&Value) -> bool) -> Value {
    shrink_parts(case, true, differs)
}

fn shrink_parts(case: &Value, free: bool, mut differs: impl FnMut(&Value) -> bool) -> Value {
    let mut best = case.clone();
    let mut tries = 0;
    loop {
        let before = best.to_string().len();
        for path in paths(&best, free) {
            if tries >= TRIES {
                return best;
            }
            let mut smaller = best.clone();
            if !remove(&mut smaller, &path) {
                continue;
            }
            tries += 1;
            if differs(&smaller) {
                best = smaller;
            }
        }
        if best.to_string().len() == before {
            return best;
        }
    }
}

/// JSON pointers of the items and fields that a value can do without.
pub(crate) fn removable(value: &Value) -> Vec<String> {
    paths(value, false)
}

/// JSON pointers of every part that may go: outer ones first, later list items before earlier ones
/// so that a removal leaves the remaining pointers right.
fn paths(value: &Value, free: bool) -> Vec<String> {
    let mut found = Vec::new();
    collect(value, "", "", free, &mut found);
    found.sort_by_key(|path| path.matches('/').count());
    found
}

fn collect(value: &Value, key: &str, path: &str, free: bool, found: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate().rev() {
                let inner = format!("{path}/{at}");
                found.push(inner.clone());
                collect(item, "", &inner, free, found);
            }
        }
        Value::Object(fields) => {
            for (inner_key, item) in fields {
                let escaped = inner_key.replace('~', "~0").replace('/', "~1");
                let inner = format!("{path}/{escaped}");
                if free && !HEAD.contains(&inner_key.as_str())
                    || MAPS.contains(&key)
                    || OPTIONAL.contains(&inner_key.as_str())
                {
                    found.push(inner.clone());
                }
                collect(item, inner_key, &inner, free, found);
            }
        }
        _ => {}
    }
}

/// Takes a part away; false when there is none.
pub(crate) fn remove(value: &mut Value, path: &str) -> bool {
    let Some((parent, key)) = path.rsplit_once('/') else {
        return false;
    };
    match value.pointer_mut(parent) {
        Some(Value::Array(items)) => match key.parse::<usize>() {
            Ok(at) if at < items.len() => {
                items.remove(at);
                true
            }
            _ => false,
        },
        Some(Value::Object(fields)) => {
            fields.remove(&key.replace("~1", "/").replace("~0", "~")).is_some()
        }
        _ => false,
    }
}

/// A case as a text of Kubernetes objects, with what is known of it in the leading comment.
pub fn as_yaml(case: &Value, notes: &[String]) -> String {
    let mut text = String::new();
    for note in notes {
        for line in note.lines() {
            text.push_str("# ");
            text.push_str(line);
            text.push('\n');
        }
    }
    for list in ["nodes", "deviceClasses", "resourceSlices", "claims", "allocatedClaims"] {
        for object in case.get(list).and_then(Value::as_array).into_iter().flatten() {
            text.push_str("---\n");
            text.push_str(&serde_yaml::to_string(object).unwrap_or_else(|error| error.to_string()));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{as_yaml, shrink};

    #[test]
    fn only_what_matters_stays() {
        let case = json!({
            "name": "x", "tags": ["a", "b"],
            "claims": [{"kind": "A"}, {"kind": "B", "attributes": {"a/b": 1, "c": 2}}, {"kind": "C"}],
        });
        let small = shrink(&case, |case| case.to_string().contains("\"a/b\":1"));
        let wanted = json!({"name": "x", "claims": [{"kind": "B", "attributes": {"a/b": 1}}]});
        assert_eq!(small, wanted);
    }

    #[test]
    fn yaml_has_one_document_per_object() {
        let case = json!({"nodes": [{"kind": "Node"}], "claims": [{"kind": "ResourceClaim"}]});
        let text = as_yaml(&case, &["first\nsecond".to_owned()]);
        assert_eq!(text, "# first\n# second\n---\nkind: Node\n---\nkind: ResourceClaim\n");
    }
}
