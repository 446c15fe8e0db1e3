//! Capacities that requests name and no device has.

use std::collections::BTreeMap;

use super::super::{ExactRequest, codes};
use super::Known;
use crate::diagnostic::{Diagnostic, did_you_mean_qualified};
use crate::source::Span;

/// A request finds a capacity only under the name that the device gives it.
pub(super) fn capacities(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    // Each with whether a slice has it that the API server takes.
    let mut published: BTreeMap<&str, bool> = BTreeMap::new();
    for (object, slice) in known.slices() {
        for name in slice.devices.iter().flat_map(|device| device.capacity.keys()) {
            *published.entry(name).or_default() |= object.refusals.is_empty();
        }
    }
    if published.is_empty() {
        return;
    }
    let taken: Vec<&str> =
        published.iter().filter(|(_, taken)| **taken).map(|(name, _)| *name).collect();
    for (object, spec, path) in known.own_specs() {
        for (at, request) in spec.requests.iter().enumerate() {
            let path = format!("{path}.requests[{at}]");
            let exact = request.exactly.iter().map(|exact| (format!("{path}.exactly"), exact));
            let alternatives = request.first_available.iter().enumerate();
            let alternatives = alternatives
                .map(|(sub, it)| (format!("{path}.firstAvailable[{sub}]"), &it.request));
            for (path, name) in exact.chain(alternatives).flat_map(names) {
                if !published.contains_key(name) {
                    let field = object.spans.get(&format!("{path}[{name}]"));
                    let span = field.map_or(object.span, |field| field.key);
                    diagnostics.push(unknown(name, &taken, span));
                }
            }
        }
    }
}

fn names((path, request): (String, &ExactRequest)) -> Vec<(String, &str)> {
    let path = format!("{path}.capacity.requests");
    let names = request.capacity_requests.iter().flat_map(|requests| requests.keys());
    names.map(|name| (path.clone(), name.as_str())).collect()
}

fn unknown(name: &str, taken: &[&str], span: Span) -> Diagnostic {
    let message = format!("no device publishes capacity `{name}`");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_CAPACITY, message, span).note(
        "a request names a capacity exactly as the device does; it refuses every other device",
    );
    match did_you_mean_qualified(name, taken) {
        Some(close) => diagnostic.propose(close, close, span, false),
        None => diagnostic,
    }
}
