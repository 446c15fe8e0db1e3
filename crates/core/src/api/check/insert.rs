//! YAML of what is missing.

use std::fmt::Write;

use crate::apimachinery::names::{label_faults, subdomain_faults};
use crate::diagnostic::Fix;
use crate::source::Span;
use crate::yaml::quote_if_ambiguous;

use super::Known;

/// A name for examples, when nothing in the text suggests one.
const EXAMPLE_DRIVER: &str = "gpu.example.com";
const EXAMPLE_NODE: &str = "node-1";

/// Appends documents to the text; nothing when the API server takes no object of that name and
/// namespace. What is empty is not looked at.
pub(super) fn append(
    known: &Known<'_>,
    title: String,
    (name, namespace): (&str, &str),
    documents: &[String],
) -> Option<Fix> {
    let is_named = name.is_empty() || subdomain_faults(name).is_empty();
    if !is_named || !namespace.is_empty() && !label_faults(namespace).is_empty() {
        return None;
    }
    let text = known.text;
    let mut yaml = String::new();
    for document in documents {
        if yaml.is_empty() && text.trim().is_empty() {
            yaml.push_str(document);
            continue;
        }
        if yaml.is_empty() && !text.ends_with('\n') {
            yaml.push('\n');
        }
        let _ = write!(yaml, "---\n{document}");
    }
    Some(Fix::new(title, Span::at(text.len()), yaml, true))
}

/// The driver that a class of this name is most likely for.
pub(super) fn driver_of_class<'a>(known: &Known<'a>, class: &str) -> Option<&'a str> {
    let drivers = known.drivers();
    if let Some(driver) = drivers.get(class) {
        return Some(driver);
    }
    if let [only] = drivers.iter().copied().collect::<Vec<_>>().as_slice() {
        return Some(only);
    }
    let domain = |name: &str| name.split('.').rev().take(2).map(str::to_owned).collect::<Vec<_>>();
    let mut same = drivers.iter().filter(|driver| domain(driver) == domain(class));
    match (same.next(), same.next()) {
        (Some(driver), None) => Some(driver),
        _ => None,
    }
}

/// A class name that looks like a driver's, else an example.
pub(super) fn driver_named(class: &str) -> &str {
    if class.contains('.') { class } else { EXAMPLE_DRIVER }
}

pub(super) fn class(name: &str, driver: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata:\n  name: {}\nspec:\n  \
         selectors:\n  - cel:\n      expression: device.driver == '{driver}'\n",
        quote_if_ambiguous(name)
    )
}

pub(super) fn node(name: &str) -> String {
    let name = quote_if_ambiguous(name);
    format!(
        "apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n  labels:\n    \
         kubernetes.io/hostname: {name}\n"
    )
}

pub(super) fn namespace(name: &str) -> String {
    format!("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: {}\n", quote_if_ambiguous(name))
}

/// A claim for one device, and the class it needs when there is none.
pub(super) fn claim(known: &Known<'_>, namespace: &str, name: &str) -> Vec<String> {
    let (class, mut documents) = some_class(known);
    documents.push(format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: {}\n{}spec:\n{}",
        quote_if_ambiguous(name),
        namespace_line(namespace),
        devices("  ", &class)
    ));
    documents
}

/// A template for claims for one device, and the class it needs when there is none.
pub(super) fn template(known: &Known<'_>, namespace: &str, name: &str) -> Vec<String> {
    let (class, mut documents) = some_class(known);
    documents.push(format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata:\n  name: {}\n\
         {}spec:\n  spec:\n{}",
        quote_if_ambiguous(name),
        namespace_line(namespace),
        devices("    ", &class)
    ));
    documents
}

fn namespace_line(namespace: &str) -> String {
    match namespace {
        "" | "default" => String::new(),
        namespace => format!("  namespace: {}\n", quote_if_ambiguous(namespace)),
    }
}

fn devices(indent: &str, class: &str) -> String {
    format!(
        "{indent}devices:\n{indent}  requests:\n{indent}  - name: device\n{indent}    exactly:\n\
         {indent}      deviceClassName: {}\n",
        quote_if_ambiguous(class)
    )
}

/// The first class of the text that is taken; else one for the first driver, to be inserted too.
fn some_class(known: &Known<'_>) -> (String, Vec<String>) {
    if let Some((object, _)) = known.classes().find(|(object, _)| object.refusals.is_empty()) {
        return (object.name().to_owned(), Vec::new());
    }
    let driver = known.drivers().first().copied().unwrap_or(EXAMPLE_DRIVER).to_owned();
    // Drivers may have capitals, classes may not.
    let name = driver.to_lowercase();
    let document = class(&name, &driver);
    (name, vec![document])
}

/// A slice with two devices, and the node it is for when there is none.
pub(super) fn slice(known: &Known<'_>) -> (String, Vec<String>) {
    let driver = wanted_driver(known);
    let (node_name, mut documents) = match known.nodes().next() {
        Some(node) => (node.metadata.name.clone(), Vec::new()),
        None => (EXAMPLE_NODE.to_owned(), vec![node(EXAMPLE_NODE)]),
    };
    let name = quote_if_ambiguous(&node_name);
    documents.push(format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata:\n  name: {node_name}-{driver}\n\
         spec:\n  driver: {driver}\n  nodeName: {name}\n  pool:\n    name: {name}\n    generation: 1\n    \
         resourceSliceCount: 1\n  devices:\n  - name: device-0\n  - name: device-1\n"
    ));
    (driver, documents)
}

/// The driver that the classes of the text ask for.
fn wanted_driver(known: &Known<'_>) -> String {
    let expressions = known.classes().flat_map(|(_, class)| &class.selectors);
    let driver = expressions.filter_map(|selector| {
        let expression = selector.cel_expression.as_deref()?;
        let rest = expression.split("device.driver").nth(1)?.trim_start().strip_prefix("==")?;
        let rest = rest.trim_start();
        let quote = rest.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        rest.get(1..)?.split(quote).next()
    });
    let named = known.own_specs().flat_map(|(_, spec, _)| &spec.requests).find_map(|request| {
        let exact = request.exactly.as_ref().map(|exact| exact.device_class_name.as_str());
        let sub = request.first_available.first();
        exact.or_else(|| sub.map(|sub| sub.request.device_class_name.as_str()))
    });
    let mut driver = driver;
    let found = driver.next().or_else(|| named.filter(|name| name.contains('.')));
    found.unwrap_or(EXAMPLE_DRIVER).to_owned()
}
