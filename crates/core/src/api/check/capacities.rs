//! Capacities that requests name and no device has.

use std::collections::BTreeSet;

use super::super::object::Object;
use super::super::{ExactRequest, ResourceSlice, codes};
use super::Known;
use crate::diagnostic::{Diagnostic, did_you_mean_qualified};
use crate::source::Span;

/// A request finds a capacity only under the name that the device gives it.
pub(super) fn capacities(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let published: BTreeSet<&str> = known.slices().flat_map(capacities_of).collect();
    if published.is_empty() {
        return;
    }
    for (object, spec, path) in known.own_specs() {
        for (at, request) in spec.requests.iter().enumerate() {
            let path = format!("{path}.requests[{at}]");
            let exact = request.exactly.iter().map(|exact| (format!("{path}.exactly"), exact));
            let alternatives = request.first_available.iter().enumerate();
            let alternatives = alternatives
                .map(|(sub, it)| (format!("{path}.firstAvailable[{sub}]"), &it.request));
            for (path, name) in exact.chain(alternatives).flat_map(names) {
                if !published.contains(name) {
                    let field = object.spans.get(&format!("{path}[{name}]"));
                    let span = field.map_or(object.span, |field| field.key);
                    let taken = known.slices().filter(|(object, _)| object.refusals.is_empty());
                    let taken = taken.flat_map(capacities_of).collect();
                    diagnostics.push(unknown(name, &taken, span));
                }
            }
        }
    }
}

fn capacities_of<'a>((_, slice): (&'a Object, &'a ResourceSlice)) -> Vec<&'a str> {
    slice.devices.iter().flat_map(|device| device.capacity.keys()).map(String::as_str).collect()
}

fn names((path, request): (String, &ExactRequest)) -> Vec<(String, &str)> {
    let path = format!("{path}.capacity.requests");
    let names = request.capacity_requests.iter().flat_map(|requests| requests.keys());
    names.map(|name| (path.clone(), name.as_str())).collect()
}

fn unknown(name: &str, published: &BTreeSet<&str>, span: Span) -> Diagnostic {
    let message = format!("no device publishes capacity `{name}`");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_CAPACITY, message, span).note(
        "a request names a capacity exactly as the device does; it refuses every other device",
    );
    let published: Vec<&str> = published.iter().copied().collect();
    match did_you_mean_qualified(name, &published) {
        Some(close) => diagnostic.propose(close, close, span, false),
        None => diagnostic,
    }
}
