//! Completions inside a CEL expression, told from what stands before the cursor.

use super::super::report::{Analysis, Suggestion};
use super::entry;
use super::names::{self, Known};
use super::words;

/// Members of `device`.
const DEVICE: [(&str, &str); 4] = [
    ("driver", "string"),
    ("attributes", "map"),
    ("capacity", "map"),
    ("allowMultipleAllocations", "bool"),
];

/// Methods by the type of the value before the dot.
const METHODS: [(&str, &[&str]); 4] = [
    ("string", &["startsWith", "endsWith", "contains", "matches", "lowerAscii", "split", "size"]),
    ("version", &["compareTo", "isGreaterThan", "isLessThan", "major", "minor", "patch"]),
    (
        "quantity",
        &["compareTo", "isGreaterThan", "isLessThan", "asInteger", "asApproximateFloat", "sign"],
    ),
    ("list", &["all", "exists", "filter", "map", "size", "includes"]),
];

/// Words that may begin an expression.
const WORDS: [(&str, &str); 8] = [
    ("device", "device"),
    ("has", "has("),
    ("cel.bind", "cel.bind("),
    ("quantity", "quantity(\""),
    ("semver", "semver(\""),
    ("size", "size("),
    ("true", "true"),
    ("false", "false"),
];

/// What may come next.
pub(super) fn suggest(before: &str, analysis: &Analysis, language: &str) -> Vec<Suggestion> {
    let name = |c: char| c.is_alphanumeric() || c == '_';
    let stem = before.trim_end_matches(name);
    if let Some(owner) = stem.strip_suffix('.') {
        return members(owner.strip_suffix('?').unwrap_or(owner), analysis);
    }
    // A domain holds dots and dashes: look back to the quote that opens it.
    let domain = before.trim_end_matches(|c: char| c.is_alphanumeric() || "._-/".contains(c));
    let opened = domain.strip_suffix(['"', '\'']).and_then(|it| it.strip_suffix('['));
    let opened = opened.map(|it| it.strip_suffix("[?").unwrap_or(it));
    let typed = before.get(domain.len()..).unwrap_or_default();
    let skip = typed.rfind(|c: char| !name(c)).map_or(0, |at| at + 1);
    if let Some(owner) = opened {
        let domains: Vec<String> = known(owner, analysis).into_iter().map(|it| it.0.0).collect();
        let mut domains: Vec<&str> = domains.iter().map(String::as_str).collect();
        domains.dedup();
        // Only the part behind the last dot is replaced.
        let fits =
            domains.into_iter().filter(|it| it.starts_with(typed.get(..skip).unwrap_or_default()));
        return fits
            .map(|domain| {
                entry("name", domain, "", domain.get(skip..).unwrap_or_default().to_owned())
            })
            .collect();
    }
    if stem.ends_with(['"', '\'']) {
        return Vec::new();
    }
    WORDS
        .into_iter()
        .map(|(word, insert)| {
            let mut item = entry("function", word, "", insert.to_owned());
            words::cel(word, language).clone_into(&mut item.info);
            item
        })
        .collect()
}

/// Attributes or capacities, whichever an expression ends with.
fn known(owner: &str, analysis: &Analysis) -> Vec<((String, String), Known)> {
    if owner.ends_with("device.attributes") {
        names::attributes(analysis).into_iter().collect()
    } else if owner.ends_with("device.capacity") {
        names::capacities(analysis).into_iter().collect()
    } else {
        Vec::new()
    }
}

/// What may stand behind a dot.
fn members(owner: &str, analysis: &Analysis) -> Vec<Suggestion> {
    if owner.ends_with("device") {
        let fields = DEVICE.into_iter();
        return fields.map(|(name, ty)| entry("field", name, ty, name.to_owned())).collect();
    }
    if let Some((map, domain)) = subscript(owner) {
        let own = known(map, analysis).into_iter().filter(|((of, _), _)| of == domain);
        return own
            .map(|((_, name), it)| entry("attribute", &name, &it.detail(), name.clone()))
            .collect();
    }
    let ty = type_of(owner, analysis);
    let of_type =
        METHODS.into_iter().filter(|(name, _)| ty.as_deref().is_none_or(|ty| ty == *name));
    let methods = of_type.flat_map(|(ty, methods)| methods.iter().map(move |name| (ty, *name)));
    let mut seen = Vec::new();
    methods
        .filter(|(_, name)| {
            let is_new = !seen.contains(name);
            seen.push(name);
            is_new
        })
        .map(|(ty, name)| entry("function", name, ty, format!("{name}(")))
        .collect()
}

/// `device.attributes` and `gpu.example.com` of `device.attributes["gpu.example.com"]`.
fn subscript(owner: &str) -> Option<(&str, &str)> {
    let inner = owner.strip_suffix(']')?.strip_suffix(['"', '\''])?;
    let (map, domain) = inner.rsplit_once(['"', '\''])?;
    Some((map.strip_suffix("[?").or_else(|| map.strip_suffix('['))?, domain))
}

/// The type of an attribute or capacity that an expression ends with, when it is known.
fn type_of(owner: &str, analysis: &Analysis) -> Option<String> {
    let (owner, name) = owner.rsplit_once('.')?;
    let (map, domain) = subscript(owner.strip_suffix('?').unwrap_or(owner))?;
    let found =
        known(map, analysis).into_iter().find(|((of, it), _)| of == domain && it == name)?;
    Some(found.1.kind)
}
