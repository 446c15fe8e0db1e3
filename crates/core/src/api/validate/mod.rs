//! What the API server refuses when an object is created, in its own words.
//!
//! [`validate`] gives the faults of one object with path and text; [`check`] turns those of many
//! objects into diagnostics and marks what is refused. CEL is not known here: the caller says what is
//! wrong with an expression.
//! Must not look at other objects, apart from a namespace's label.
//! Source: `pkg/apis/resource/validation`, `pkg/apis/core/validation`.

mod capacity;
mod claim;
mod faults;
mod formats;
mod gates;
mod meta;
mod node_selector;
mod pod;
mod shown;
mod slice;
mod status;

use std::borrow::Borrow;
use std::collections::BTreeMap;

use crate::apimachinery::{FieldError, FieldErrorKind};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::features::{Gate, Gates};
use crate::source::Span;

pub use self::claim::ADMIN_LABEL;
pub use faults::{Fault, Mark};

use self::faults::Faults;
use super::codes;
use super::object::{Kind, Object, ObjectValue, Refusal};
use super::schema::Versions;

#[cfg(test)]
mod tests;

/// How many faults are told; nobody reads more.
const MAX_DIAGNOSTICS: usize = 200;

/// What is wrong with a CEL expression when it is written anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CelFault {
    /// It does not compile, or is no condition; the compiler's words.
    Invalid(String),
    /// It may cost too much.
    TooComplex,
}

/// What validation depends on beside the object.
pub struct Rules<'a> {
    /// The gates in force.
    pub gates: &'a Gates,
    /// Judges a CEL expression.
    pub cel: &'a dyn Fn(&str) -> Option<CelFault>,
    /// Labels of the namespaces that are known.
    pub namespaces: BTreeMap<String, BTreeMap<String, String>>,
}

impl std::fmt::Debug for Rules<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules")
            .field("gates", &self.gates)
            .field("namespaces", &self.namespaces)
            .finish_non_exhaustive()
    }
}

impl<'a> Rules<'a> {
    /// Rules for objects that are created together; their namespaces are taken from them.
    pub fn new(
        gates: &'a Gates,
        cel: &'a dyn Fn(&str) -> Option<CelFault>,
        objects: &[impl Borrow<Object>],
    ) -> Self {
        let namespaces = objects.iter().filter_map(|object| match &object.borrow().value {
            ObjectValue::Namespace(namespace) => {
                Some((namespace.metadata.name.clone(), namespace.metadata.labels.clone()))
            }
            ObjectValue::ResourceSlice(_)
            | ObjectValue::DeviceClass(_)
            | ObjectValue::ResourceClaim(_)
            | ObjectValue::ResourceClaimTemplate(_)
            | ObjectValue::DeviceTaintRule(_)
            | ObjectValue::Pod(_)
            | ObjectValue::Node(_)
            | ObjectValue::Scenario(_) => None,
        });
        Self { gates, cel, namespaces: namespaces.collect() }
    }

    fn on(&self, gate: Gate) -> bool {
        self.gates.enabled(gate)
    }

    fn minor(&self) -> u8 {
        self.gates.release().minor()
    }
}

/// Whether a field is there and not null.
fn is_written(object: &Object, path: &str) -> bool {
    object.spans.node(path).is_some_and(|node| !node.is_null())
}

/// The faults of an object in the API server's order.
pub fn validate(object: &Object, rules: &Rules<'_>) -> Vec<Fault> {
    let mut faults = Faults::of(rules.minor());
    meta::object(object, &mut faults);
    match &object.value {
        ObjectValue::ResourceSlice(slice) => slice::slice(slice, object, rules, &mut faults),
        ObjectValue::DeviceClass(class) => claim::class(class, object, rules, &mut faults),
        ObjectValue::ResourceClaim(value) => claim::claim(value, object, rules, &mut faults),
        ObjectValue::ResourceClaimTemplate(value) => {
            claim::template(value, object, rules, &mut faults);
        }
        ObjectValue::DeviceTaintRule(rule) => slice::taint_rule(rule, &mut faults),
        ObjectValue::Pod(pod) => pod::pod(pod, object, &mut faults),
        ObjectValue::Node(_) | ObjectValue::Namespace(_) | ObjectValue::Scenario(_) => {}
    }
    faults.finish()
}

/// Plays the API server for new objects: drops fields behind gates that are off, validates the rest,
/// marks what is refused, and says why.
///
/// Objects that strict decoding refused are left out: the API server does not get that far.
///
/// # Diagnostics
/// `required-field`, `invalid-value`, `unsupported-value`, `duplicate-value`, `forbidden-field`,
/// `too-long`, `too-many`, `unknown-reference`, `field-dropped`
pub fn check(objects: &mut [Object], rules: &Rules<'_>) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let mut workload = None;
    for object in objects.iter_mut().filter(|object| !object.refused) {
        // The template of a workload is judged once, for all Pods that are made from it.
        let made_from = object.made_from.as_ref().map(|from| (from.clone(), object.span));
        let told = made_from.is_some() && made_from == workload;
        workload = made_from;
        diagnostics.extend(drop_fields(object, rules));
        let faults = validate(object, rules);
        for mut fault in faults {
            let path = written_path(object, &fault.error.path);
            let mut shown = FieldError { path, ..fault.error.clone() };
            if let Some(from) = &object.made_from {
                let template = if from.kind == "CronJob" { "spec.jobTemplate." } else { "" };
                let path = format!("{template}spec.template.{}", shown.path);
                shown.path.clone_from(&path);
                fault.error.path = path;
            }
            if !told && diagnostics.len() < MAX_DIAGNOSTICS {
                diagnostics.push(diagnostic(object, &fault, &shown));
            }
            let error = if fault.declared { shown } else { fault.error };
            object.refused = true;
            object.refusals.push(Refusal { text: error.to_string(), path: error.path });
        }
    }
    diagnostics
}

/// Drops fields behind gates that are off; one diagnostic for each gate.
fn drop_fields(object: &mut Object, rules: &Rules<'_>) -> Vec<Diagnostic> {
    let dropped = gates::drop_fields(&mut object.value, rules.gates);
    object.dropped = dropped.iter().map(|field| field.path.clone()).collect();
    let mut by_gate: BTreeMap<&str, (Gate, Vec<String>)> = BTreeMap::new();
    for field in dropped {
        let entry = by_gate.entry(field.gate.name()).or_insert((field.gate, Vec::new()));
        entry.1.push(field.path);
    }
    let diagnostics = by_gate.into_values().filter_map(|(gate, paths)| {
        let first = paths.first()?;
        let span = object.spans.get(first).map_or(object.spans.mark(first), |found| found.key);
        let path = written_path(object, first);
        Some(codes::field_dropped(&path, paths.len() - 1, gate.name(), span))
    });
    diagnostics.collect()
}

/// The path as the object's own version has it.
fn written_path(object: &Object, path: &str) -> String {
    if object.spans.versions() != Versions::V1BETA1 {
        return path.to_owned();
    }
    match object.kind {
        Kind::ResourceClaim | Kind::ResourceClaimTemplate => path.replace("].exactly.", "]."),
        Kind::ResourceSlice => match path.split_once("].") {
            Some((device, rest)) if path.starts_with("spec.devices[") && rest != "name" => {
                format!("{device}].basic.{rest}")
            }
            _ => path.to_owned(),
        },
        Kind::DeviceClass
        | Kind::DeviceTaintRule
        | Kind::Pod
        | Kind::Node
        | Kind::Namespace
        | Kind::Scenario => path.to_owned(),
    }
}

fn diagnostic(object: &Object, fault: &Fault, shown: &FieldError) -> Diagnostic {
    let span = span(object, fault);
    let (code, message) = codes::field_error(shown);
    let error = if fault.declared { shown } else { &fault.error };
    let (kind, name) = match &object.made_from {
        Some(from) => (from.kind.as_str(), from.name.as_str()),
        None => (object.kind.as_str(), object.name()),
    };
    let diagnostic = Diagnostic::new(code, message, span)
        .upstream(format!("The {kind} {} is invalid: {error}", crate::apimachinery::quote(name)));
    if error.detail.starts_with("only one of `sharedCounters`") {
        let note = "counter sets stand in a slice of their own, in the same pool as the devices";
        return diagnostic.note(note);
    }
    if error.detail.starts_with("must specify one of: `resourceClaimName`") {
        let note = "if the text that was applied has it, a Pod webhook that was built for \
            Kubernetes 1.30 or older drops it";
        return diagnostic.note(note);
    }
    with_fix(diagnostic, object, fault, span)
}

fn span(object: &Object, fault: &Fault) -> Span {
    match &fault.mark {
        // An item that repeats the name of another is shown by that name.
        Mark::Value(path) if fault.error.kind == FieldErrorKind::Duplicate => {
            let entries = object.spans.node(path).and_then(|node| node.entries());
            let value = fault.error.value.trim_matches('"');
            let entry = entries
                .into_iter()
                .flatten()
                .find(|(_, node)| node.text().is_some_and(|text| text == value));
            entry.map_or_else(|| object.spans.mark(path), |(_, node)| node.span)
        }
        Mark::Value(path) => object.spans.mark(path),
        Mark::Named(path, text) => {
            let entries = object.spans.node(path).and_then(|node| node.entries());
            let mut entries = entries.into_iter().flatten();
            let entry = entries.find(|(_, node)| node.text().is_some_and(|found| found == *text));
            entry.map_or_else(|| object.spans.mark(path), |(_, node)| node.span)
        }
        Mark::Key(path) => object.spans.get(path).map_or(object.spans.mark(path), |f| f.key),
    }
}

/// Words that are nearly right, and versions that lack numbers.
fn with_fix(diagnostic: Diagnostic, object: &Object, fault: &Fault, span: Span) -> Diagnostic {
    let path = match &fault.mark {
        Mark::Named(_, text) if fault.error.kind == FieldErrorKind::NotFound => {
            let known = fault.error.detail.rsplit(": ").next().unwrap_or_default();
            return renamed(diagnostic, did_you_mean(text, known.split(", ")), span, false);
        }
        Mark::Value(path) => path,
        Mark::Named(..) | Mark::Key(_) => return diagnostic,
    };
    let written = object.spans.node(path).and_then(crate::yaml::Node::text).unwrap_or_default();
    let mended = match fault.error.kind {
        FieldErrorKind::NotSupported => {
            let words: Vec<&str> = fault.error.detail.split('"').skip(1).step_by(2).collect();
            let same = words.iter().copied().find(|word| word.eq_ignore_ascii_case(&written));
            same.or_else(|| did_you_mean(&written, words)).map(str::to_owned)
        }
        FieldErrorKind::Invalid if fault.error.detail == claim::REFERENCE => {
            let names = requests(&object.value);
            did_you_mean(&written, names.iter().map(String::as_str)).map(str::to_owned)
        }
        FieldErrorKind::Invalid if fault.error.detail.contains("semver.org") => {
            formats::mend_version(&written)
        }
        FieldErrorKind::Required
        | FieldErrorKind::Invalid
        | FieldErrorKind::Duplicate
        | FieldErrorKind::Forbidden
        | FieldErrorKind::TooLong
        | FieldErrorKind::TooMany
        | FieldErrorKind::NotFound => None,
    };
    match mended {
        Some(mended) if !written.is_empty() => {
            let safe = fault.error.detail != claim::REFERENCE;
            renamed(diagnostic, Some(&mended), span, safe)
        }
        _ => diagnostic,
    }
}

/// Offers the word that was probably meant.
fn renamed(diagnostic: Diagnostic, meant: Option<&str>, span: Span, safe: bool) -> Diagnostic {
    let Some(meant) = meant else { return diagnostic };
    diagnostic.propose(meant, crate::yaml::quote_if_ambiguous(meant), span, safe)
}

/// Names that constraints and configuration of a claim can refer to.
fn requests(value: &ObjectValue) -> Vec<String> {
    let spec = match value {
        ObjectValue::ResourceClaim(claim) => &claim.spec,
        ObjectValue::ResourceClaimTemplate(template) => &template.spec,
        _ => return Vec::new(),
    };
    let names = spec.requests.iter().flat_map(|request| {
        let below = request.first_available.iter();
        let below = below.map(|sub| format!("{}/{}", request.name, sub.name));
        std::iter::once(request.name.clone()).chain(below)
    });
    names.collect()
}
