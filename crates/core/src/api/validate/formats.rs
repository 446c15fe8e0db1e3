use crate::apimachinery::FieldError;
use crate::apimachinery::names::{
    IDENTIFIER_MAX, LABEL_MAX, SUBDOMAIN_MAX, identifier_faults, is_semver, label_faults,
    label_key_faults, label_value_faults, subdomain_faults,
};

use super::faults::{Faults, Mark};

/// Longest attribute or capacity key that is shown whole.
const KEY_SHOWN: usize = 96;
/// Longest text in an attribute.
pub(super) const TEXT_MAX: usize = 64;

/// The label rules for a name; an empty one is malformed.
pub(super) fn label(path: &str, name: &str, faults: &mut Faults) {
    faults.invalid_name(path, name, label_faults(name));
}

pub(super) fn subdomain(path: &str, name: &str, faults: &mut Faults) {
    faults.invalid_name(path, name, subdomain_faults(name));
}

pub(super) fn label_key(path: &str, key: &str, faults: &mut Faults) {
    faults.invalid(path, key, label_key_faults(key));
}

pub(super) fn label_value(path: &str, value: &str, faults: &mut Faults) {
    faults.invalid(path, value, label_value_faults(value));
}

/// A driver's name: a subdomain of at most 63 bytes, in any case.
pub(super) fn driver(path: &str, name: &str, faults: &mut Faults) {
    driver_at(path, name, &Mark::Value(path.to_owned()), faults);
}

fn driver_at(path: &str, name: &str, mark: &Mark, faults: &mut Faults) {
    if name.is_empty() {
        faults.push_at(FieldError::required(path, ""), mark.clone());
        return;
    }
    if name.len() > LABEL_MAX {
        let mut error = FieldError::too_long(path, LABEL_MAX);
        if faults.are_declared() {
            error.detail = error.detail.replace("bytes", "characters");
        }
        faults.push_at(error, mark.clone());
    }
    let mut details = subdomain_faults(&name.to_lowercase());
    if faults.are_declared() {
        details = details.iter().map(|detail| caseless(detail)).collect();
    }
    faults.invalid_name_at(path, name, details, mark);
}

/// The words of the declared rule, which says that case does not matter.
///
/// Source: `apimachinery/pkg/api/validate/content IsDNS1123SubdomainCaseless`.
fn caseless(detail: &str) -> String {
    detail
        .replace("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric", CASELESS)
        .replace("'example.com'", "'Example.com'")
}

const CASELESS: &str = "an RFC 1123 subdomain must consist of alphanumeric";

/// A pool's name: subdomains separated by `/`.
pub(super) fn pool(path: &str, name: &str, faults: &mut Faults) {
    if name.is_empty() {
        faults.required(path.to_owned());
        return;
    }
    if name.len() > SUBDOMAIN_MAX {
        faults.push(FieldError::too_long(path, SUBDOMAIN_MAX));
    }
    for (idx, part) in name.split('/').enumerate() {
        if faults.are_declared() && part.is_empty() {
            faults.push(FieldError::invalid(
                path,
                name,
                format!("segment {idx}: must not be empty"),
            ));
        } else if faults.are_declared() {
            for detail in subdomain_faults(part) {
                faults.push(FieldError::invalid(path, part, format!("segment {idx}: {detail}")));
            }
        } else {
            subdomain(path, part, faults);
        }
    }
}

/// Whether [`qualified_name`] has nothing to say, found quickly.
pub(super) fn is_qualified_name(name: &str) -> bool {
    let is_id = |id: &str| id.len() <= IDENTIFIER_MAX && identifier_faults(id).is_empty();
    match name.split_once('/') {
        None => is_id(name),
        Some((domain, id)) => {
            domain.len() <= LABEL_MAX && subdomain_faults(domain).is_empty() && is_id(id)
        }
    }
}

/// A name of an attribute or capacity: an identifier, or a domain and an identifier.
pub(super) fn qualified_name(path: &str, name: &str, mark: &Mark, faults: &mut Faults) {
    let parts: Vec<&str> = name.split('/').collect();
    match parts.as_slice() {
        [id] => identifier(path, id, mark, faults),
        [domain, id] => {
            if domain.is_empty() {
                let words = ("the domain must not be empty", "prefix must not be empty");
                let detail = if faults.are_declared() { words.1 } else { words.0 };
                faults.push_at(FieldError::invalid(path, "", detail), mark.clone());
            } else if faults.are_declared() {
                domain_at(path, domain, mark, faults);
            } else {
                driver_at(path, domain, mark, faults);
            }
            if id.is_empty() {
                let words = ("the name must not be empty", "name must not be empty");
                let detail = if faults.are_declared() { words.1 } else { words.0 };
                faults.push_at(FieldError::invalid(path, "", detail), mark.clone());
            } else {
                identifier(path, id, mark, faults);
            }
        }
        // UPSTREAM: names with more than one slash are not looked at.
        _ => {}
    }
}

/// The domain of a name, as the declared rule sees it.
fn domain_at(path: &str, domain: &str, mark: &Mark, faults: &mut Faults) {
    if domain.len() > LABEL_MAX {
        faults.push_at(FieldError::too_long(path, LABEL_MAX), mark.clone());
    }
    for detail in subdomain_faults(domain) {
        let error = FieldError::invalid(path, domain, format!("prefix: {detail}"));
        faults.push_at(error, mark.clone());
    }
}

fn identifier(path: &str, id: &str, mark: &Mark, faults: &mut Faults) {
    if id.len() > IDENTIFIER_MAX {
        faults.push_at(FieldError::too_long(path, IDENTIFIER_MAX), mark.clone());
    }
    for detail in identifier_faults(id) {
        faults.push_at(FieldError::invalid(path, id, detail), mark.clone());
    }
}

/// A name that must have a domain.
pub(super) fn fully_qualified_name(path: &str, name: &str, faults: &mut Faults) {
    qualified_name(path, name, &Mark::Value(path.to_owned()), faults);
    if !name.contains('/') {
        let detail = "a fully qualified name must be a domain and a name separated by a slash";
        let mut error = FieldError::invalid(path, name, detail);
        if !faults.are_declared() {
            // UPSTREAM: the name has a type of its own there, which is shown as JSON.
            error.value = crate::apimachinery::go_json(&error.value);
        }
        faults.push(error);
    }
}

/// The text of an attribute.
pub(super) fn text(path: &str, value: &str, faults: &mut Faults) {
    if value.len() > TEXT_MAX {
        faults.push(FieldError::too_long(path, TEXT_MAX));
    }
}

/// The version of an attribute.
pub(super) fn version(path: &str, value: &str, faults: &mut Faults) {
    if !is_semver(value) {
        let detail = "must be a string compatible with semver.org spec 2.0.0";
        faults.push(FieldError::invalid(path, value, detail));
    }
    text(path, value, faults);
}

/// What a version that is no semantic version was meant to be: `1.2` as `1.2.0`.
pub(super) fn mend_version(text: &str) -> Option<String> {
    let text = text.trim_start_matches('v');
    let (core, suffix) = match text.find(['-', '+']) {
        Some(at) => (text.get(..at)?, text.get(at..)?),
        None => (text, ""),
    };
    let trimmed = |part: &str| match part.trim_start_matches('0') {
        "" => "0".to_owned(),
        digits => digits.to_owned(),
    };
    let mut parts: Vec<String> = core.split('.').map(trimmed).collect();
    parts.resize(parts.len().max(3), "0".to_owned());
    let mended = format!("{}{suffix}", parts.join("."));
    is_semver(&mended).then_some(mended)
}

/// The path of a map's entry, long keys shortened in the middle.
pub(super) fn entry(path: &str, key: &str) -> String {
    format!("{path}[{}]", shortened(key, KEY_SHOWN))
}

pub(super) fn shortened(key: &str, limit: usize) -> String {
    if key.len() <= limit {
        return key.to_owned();
    }
    let remaining = limit - 3;
    let (mut head, mut tail) = (remaining.div_ceil(2), key.len() - remaining / 2);
    // UPSTREAM: bytes are cut, which may split a character; the nearest boundary is as good here.
    while !key.is_char_boundary(head) {
        head -= 1;
    }
    while !key.is_char_boundary(tail) {
        tail += 1;
    }
    let (head, tail) = (key.get(..head).unwrap_or_default(), key.get(tail..).unwrap_or_default());
    format!("{head}...{tail}")
}
