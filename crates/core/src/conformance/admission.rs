//! What the API server makes of a document: recorded answers and ours.
//!
//! A record has the text, the gates that were switched, and `expected`: why the text is unreadable,
//! what strict decoding refuses, what validation refuses, and the object as it is stored in v1.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::api::validate::{self, CelFault, Rules};
use crate::api::{self, Kind, Object, codes};
use crate::diagnostic::Diagnostic;
use crate::features::{CelSwitches, Gate, Gates, Release};
use crate::selector::{Refusal, Selectors};

use super::{Difference, Verdict};

const STRICT: &str = "strict decoding error: ";

/// What one side says of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Why it cannot be read at all; ours may have several.
    pub unreadable: Vec<String>,
    /// Parts of the strict decoding error, sorted.
    pub strict: Vec<String>,
    /// Faults of validation, sorted: upstream visits maps in random order.
    pub invalid: Vec<String>,
    /// The object in v1, defaults filled in, fields of disabled features dropped.
    pub object: Option<String>,
}

/// Whether the line is a record of this kind.
pub fn is_admission(line: &str) -> bool {
    line.contains("\"text\":") && line.contains("\"expected\":")
}

/// Compares one record; `None` when it is of another kind.
pub fn compare(line: &str) -> Option<Verdict> {
    let record: Value = serde_json::from_str(line).ok()?;
    let text = record.get("text")?.as_str()?;
    let release = Release::parse(record.get("kubernetes")?.as_str()?).ok()?;
    let expected = record.get("expected")?;
    if expected.get("gatesRefused").is_some() || expected.get("panicked").is_some() {
        return Some(Verdict::Skipped);
    }
    let mut gates = Gates::defaults(release);
    for (name, on) in record.get("gates").and_then(Value::as_object).into_iter().flatten() {
        if let (Some(gate), Some(on)) = (Gate::from_name(name), on.as_bool()) {
            gates.set(gate, on);
        }
    }
    let admin = strings(record.get("namespaces"));
    let real = recorded(expected, release);
    let ours = answer(text, &gates, &admin);
    let mut real = real;
    if ours.object.as_ref().is_some_and(|object| object.starts_with("Pod")) {
        // Of Pods only what concerns devices is judged.
        real.invalid.retain(|fault| is_about_devices(fault));
    }
    if is_left_out(&real, &ours) {
        return Some(Verdict::Skipped);
    }
    let name = record.get("name").and_then(Value::as_str).unwrap_or("?").to_owned();
    Some(match difference(&real, &ours) {
        None => Verdict::Equal,
        Some((expected, found)) => Verdict::Different(Difference { name, expected, found }),
    })
}

/// Whether the sides differ on purpose, see `tests/oracle/DIFFERENCES.md`.
fn is_left_out(real: &Answer, ours: &Answer) -> bool {
    let told = |text: &str| ours.unreadable.iter().any(|one| one.contains(text));
    // A workload of which no Pod is made has nothing that could be judged.
    let of_template = |fault: &String| {
        fault.starts_with("spec.template.") || fault.starts_with("spec.jobTemplate.")
    };
    let is_empty = ours.object.is_none() && ours.unreadable.is_empty();
    told("invalid indentation in quoted scalar")
        || is_empty && !real.invalid.is_empty() && real.invalid.iter().all(of_template)
}

fn difference(real: &Answer, ours: &Answer) -> Option<(String, String)> {
    let differ = |what: &str, real: String, ours: String| {
        Some((format!("{what}: {real}"), format!("{what}: {ours}")))
    };
    if let Some(text) = real.unreadable.first() {
        // Upstream stops at the first problem, we name them all.
        // Where the text stops being YAML, the parser has words of its own.
        let syntax = |ours: &String| ours.starts_with("this document is not valid YAML");
        // A kind or version that there is not is told before its contents are looked into.
        let infinite = text.contains("json: unsupported value: ") && !ours.unreadable.is_empty();
        let named = ours.unreadable.contains(text)
            || infinite
            || names_kind(text, &ours.unreadable)
            || text.starts_with("error converting YAML to JSON: yaml: line ")
                && ours.unreadable.iter().any(syntax);
        return if named {
            None
        } else {
            differ("unreadable", text.clone(), ours.unreadable.join("; "))
        };
    }
    if !ours.unreadable.is_empty() {
        return differ("unreadable", "no".to_owned(), ours.unreadable.join("; "));
    }
    // UPSTREAM: no more than a hundred are told.
    let cut = real.strict.len() >= 100 && real.strict.iter().all(|one| ours.strict.contains(one));
    if real.strict != ours.strict && !cut {
        return differ("strict", real.strict.join(", "), ours.strict.join(", "));
    }
    // What stands where another version has it is read nevertheless, though it is refused.
    let misplaced = |part: &String| {
        [".exactly\"", ".basic\"", ".source\""].iter().any(|field| part.ends_with(field))
    };
    if real.strict.iter().any(misplaced) {
        return None;
    }
    if real.invalid != ours.invalid {
        return differ("invalid", real.invalid.join("\n  "), ours.invalid.join("\n  "));
    }
    // Of a workload the server keeps more than the Pods that are made of it here.
    if real.invalid.is_empty() && real.object.is_some() && real.object != ours.object {
        let show = |side: &Option<String>| side.clone().unwrap_or_default();
        return differ("object", show(&real.object), show(&ours.object));
    }
    None
}

/// Whether a kind that the server does not have is told as kubectl tells it, which asks first.
fn names_kind(real: &str, ours: &[String]) -> bool {
    let parts: Vec<&str> = real.split('"').collect();
    let ["no kind ", kind, " is registered for version ", version, ..] = parts.as_slice() else {
        return false;
    };
    let said = format!("no matches for kind \"{kind}\" in version \"{version}\"");
    ours.iter().any(|text| text.ends_with(&said))
}

fn recorded(expected: &Value, release: Release) -> Answer {
    let text = |name: &str| expected.get(name).and_then(Value::as_str);
    let strict = text("strict").map(|text| {
        let text = text.strip_prefix(STRICT).unwrap_or(text);
        let mut parts: Vec<String> = split_strict(text);
        parts.sort();
        parts
    });
    let field = |fault: &Value, name: &str| {
        fault.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let invalid = expected.get("invalid").and_then(Value::as_array).into_iter().flatten();
    // Who wrote what before has no part in anything.
    let invalid =
        invalid.filter(|fault| !field(fault, "path").starts_with("metadata.managedFields"));
    let stored = expected.get("object").map(ToString::to_string);
    let object = stored.and_then(|text| {
        let options =
            api::Options { release, defaults: false, strict: false, ..api::Options::default() };
        api::decode::object_from_json(&text, &options).ok()
    });
    let mut invalid: Vec<String> = invalid
        .map(|fault| format!("{}: {}", field(fault, "path"), field(fault, "text")))
        .collect();
    invalid.sort();
    Answer {
        unreadable: text("unreadable").map(str::to_owned).into_iter().collect(),
        strict: strict.unwrap_or_default(),
        invalid,
        object: object.map(|object| shown(&object)),
    }
}

/// The parts are joined by commas, which quoted names may hold too.
fn split_strict(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(", ") {
        let starts = ["unknown field ", "duplicate field ", "yaml: "].iter();
        match parts.last_mut() {
            Some(last) if starts.clone().all(|start| !part.starts_with(start)) => {
                last.push_str(", ");
                last.push_str(part);
            }
            _ => parts.push(part.to_owned()),
        }
    }
    parts
}

/// Our own answer.
pub fn answer(text: &str, gates: &Gates, admin_namespaces: &[String]) -> Answer {
    let release = gates.release();
    let options = api::Options { release, ..api::Options::default() };
    let mut read = api::read_with(text, &options);
    let selectors = Selectors::new(&CelSwitches::of(gates, true));
    let cel = |expression: &str| match selectors.admission(expression).refusal.as_ref()? {
        Refusal::Invalid { detail, .. } => Some(CelFault::Invalid(detail.clone())),
        Refusal::TooComplex => Some(CelFault::TooComplex),
        Refusal::TooLong => None,
    };
    let mut rules = Rules::new(gates, &cel, &read.objects);
    rules.namespaces = namespaces(&read.objects, admin_namespaces);
    let mut answer = Answer::default();
    for diagnostic in &read.diagnostics {
        sort_in(diagnostic, &mut answer);
    }
    answer.strict.sort();
    let Some(object) = read.objects.first_mut() else { return answer };
    // Validation is compared also where strict decoding has refused.
    object.refused = false;
    object.refusals.clear();
    let _ = validate::check(std::slice::from_mut(object), &rules);
    let refusals = object
        .refusals
        .iter()
        .filter(|refusal| object.kind != Kind::Pod || is_about_devices(&refusal.path));
    answer.invalid = refusals.map(|refusal| refusal.text.clone()).collect();
    answer.invalid.sort();
    if let Some(metadata) = object.value.metadata_mut() {
        // The server gives every new object its own.
        metadata.uid.clear();
        metadata.creation_timestamp = None;
        metadata.deletion_timestamp = None;
    }
    match &mut object.value {
        // The page shows what it is for, whatever its gate says.
        api::ObjectValue::ResourceSlice(slice) => slice.partition_type_attribute = None,
        // New Pods have none.
        api::ObjectValue::Pod(pod) => {
            pod.phase.clear();
            pod.resource_claim_statuses.clear();
        }
        _ => {}
    }
    answer.object = Some(shown(object));
    answer
}

/// Whether a path in a Pod is about claims.
fn is_about_devices(path: &str) -> bool {
    path.contains("spec.resourceClaims") || path.contains(".resources.claims")
}

/// Labels of the namespace that the object is in.
fn namespaces(objects: &[Object], admin: &[String]) -> BTreeMap<String, BTreeMap<String, String>> {
    let labels = |name: &String| {
        let label = admin.contains(name).then(|| validate::ADMIN_LABEL.to_owned());
        label.map(|label| (label, "true".to_owned())).into_iter().collect()
    };
    let names = objects.iter().map(|object| object.namespace().to_owned());
    names.map(|name| (name.clone(), labels(&name))).collect()
}

fn sort_in(diagnostic: &Diagnostic, answer: &mut Answer) {
    let upstream = diagnostic.upstream.as_deref();
    match upstream.and_then(|text| text.strip_prefix(STRICT)) {
        Some(part) => answer.strict.push(part.to_owned()),
        // A version that comes with a later release is read, with a warning.
        None if diagnostic.is_error() || diagnostic.code == codes::UNKNOWN_KIND => {
            let text = upstream.unwrap_or(&diagnostic.message);
            answer.unreadable.push(text.to_owned());
        }
        None => {}
    }
}

fn shown(object: &Object) -> String {
    format!("{:#?}", object.value)
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(Value::as_str).map(str::to_owned).collect()
}
