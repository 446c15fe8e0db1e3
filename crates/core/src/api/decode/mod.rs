//! From pasted text to objects.
//!
//! [`read`] turns a text into [`Object`]s with the place of every field, and says what strict
//! decoding would refuse, in Kubernetes' words and in ours. What is refused is still decoded as far
//! as it goes, and marked [`Object::refused`].
//! Must not know how objects refer to each other.
//! Upstream counterpart: `k8s.io/apimachinery/pkg/runtime/serializer/json`, strict.

mod check;
mod claim;
mod convert;
mod core;
mod extract;
mod fields;
mod head;
mod path;
mod relocate;
mod shapes;
mod slice;
mod split;
mod time;
mod workload;

use std::sync::Arc;

use crate::diagnostic::{self, Diagnostic};
use crate::features::Release;
use crate::source::Span;
use crate::yaml::{self, Node};

pub use check::mend_quantity;
pub(super) use extract::quantity_text;
pub use fields::Fields;
pub use head::versions_of;
pub use split::split_counters;

use self::extract::Quantities;
use super::codes;
use super::object::{Defaulted, FieldSpans, Kind, Object, ObjectValue};
use super::schema::Versions;

#[cfg(test)]
mod tests;

/// How many problems of reading are told apart; nobody reads more.
const MAX_DIAGNOSTICS: usize = 500;

/// How much of `generateName` is kept, in characters.
const MAX_GENERATED_PREFIX: usize = 58;

/// How a text is read.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The release decides which fields exist.
    pub release: Release,
    /// Whether the API server's defaults are filled in and quantities rewritten canonically.
    pub defaults: bool,
    /// Whether objects without a namespace are in `default`.
    pub default_namespace: bool,
    /// Whether fields are checked; recorded cases are known to be right.
    pub strict: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { release: Release::DEFAULT, defaults: true, default_namespace: true, strict: true }
    }
}

/// What a text holds.
#[derive(Clone, Debug, Default)]
pub struct Read {
    /// Objects in text order.
    pub objects: Vec<Object>,
    /// What is wrong or odd, in text order.
    pub diagnostics: Vec<Diagnostic>,
    /// Spans of all documents, also of those that hold no object that is read.
    pub documents: Vec<Span>,
}

/// Reads a text with the default options.
pub fn read(text: &str) -> Read {
    read_with(text, &Options::default())
}

/// Reads a text.
///
/// # Diagnostics
/// Those of [`yaml::codes`] and of [`codes`], as far as they concern single objects, and
/// `duplicate-object`.
pub fn read_with(text: &str, options: &Options) -> Read {
    let stream = yaml::read(text);
    let mut read = Read { diagnostics: stream.diagnostics, ..Read::default() };
    let mut found = Vec::new();
    let known = slice::Known::default();
    for document in stream.documents {
        read.documents.push(document.span);
        let Some(root) = document.root else { continue };
        let (document, span) = (document.index, document.span);
        let context = Context { text, options, document, span, known: &known };
        found.extend(context.found(root, &mut read.diagnostics));
    }
    read.objects = resolve(found, &mut read.diagnostics);
    duplicates(&read.objects, &mut read.diagnostics);
    diagnostic::sort(&mut read.diagnostics);
    if read.diagnostics.len() > MAX_DIAGNOSTICS {
        let more = read.diagnostics.split_off(MAX_DIAGNOSTICS);
        let first = more.first().map(|diagnostic| diagnostic.primary.span).unwrap_or_default();
        read.diagnostics.push(codes::more_diagnostics(more.len(), first));
    }
    read
}

/// Decodes the object (or `kind: List`) at a node of a document, e.g. what a step applies.
pub fn objects_from_node(
    text: &str,
    node: &Node,
    document: usize,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Object> {
    let known = &slice::Known::default();
    let context = Context { text, options, document, span: node.span, known };
    let found = context.found(node.clone(), diagnostics);
    resolve(found, diagnostics)
}

/// Decodes one JSON object, quickly and without checks.
///
/// # Errors
/// When the text is no JSON, or no object of a kind that is read.
pub fn object_from_json(text: &str, options: &Options) -> Result<Object, Box<Diagnostic>> {
    let node = yaml::parse_json(text)?;
    object_from_tree(node, options)
}

/// The same for a value that is already parsed, e.g. one object inside a line of JSON.
///
/// # Errors
/// When it is no object of a kind that is read.
pub fn object_from_tree(node: Node, options: &Options) -> Result<Object, Box<Diagnostic>> {
    let options = Options { strict: false, ..*options };
    let (span, mut diagnostics) = (node.span, Vec::new());
    let known = &slice::Known::default();
    let context = Context { text: "", options: &options, document: 0, span, known };
    let object = context.found(node, &mut diagnostics).into_iter().find_map(|found| match found {
        Found::Object(object) => Some(*object),
        Found::Pods(_) => None,
    });
    object.ok_or_else(|| {
        let first = diagnostics.into_iter().next();
        Box::new(first.unwrap_or_else(|| codes::not_an_object(&Node::empty())))
    })
}

/// What a document or item of a list turned out to be.
enum Found {
    Object(Box<Object>),
    /// Pods of a workload; how many may depend on the nodes of the text.
    Pods(Box<workload::Pods>),
}

/// Makes the Pods of workloads in the place of these.
fn resolve(found: Vec<Found>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Object> {
    let nodes: Vec<String> = found
        .iter()
        .filter_map(|found| match found {
            Found::Object(object) if object.kind == Kind::Node => Some(object.name().to_owned()),
            Found::Object(_) | Found::Pods(_) => None,
        })
        .collect();
    let mut objects = Vec::new();
    let mut generated = 0;
    for found in found {
        match found {
            Found::Object(mut object) => {
                generate_name(&mut object, &mut generated);
                objects.push(*object);
            }
            Found::Pods(pods) => objects.extend(workload::expand(&pods, &nodes, diagnostics)),
        }
    }
    objects
}

/// Gives an object with only `generateName` a name, always the same one.
///
/// Source: `apiserver/pkg/storage/names`; there the five characters are random.
fn generate_name(object: &mut Object, generated: &mut usize) {
    const CHARACTERS: &[u8; 27] = b"bcdfghjklmnpqrstvwxz2456789";
    let prefix = object.spans.node("metadata.generateName").and_then(Node::text);
    let Some(prefix) = prefix.filter(|prefix| !prefix.is_empty()) else {
        return;
    };
    let mut rest = *generated;
    let mut name: String = prefix.chars().take(MAX_GENERATED_PREFIX).collect();
    for _ in 0..5 {
        name.extend(CHARACTERS.get(rest % CHARACTERS.len()).copied().map(char::from));
        rest /= CHARACTERS.len();
    }
    match object.value.metadata_mut() {
        Some(metadata) if metadata.name.is_empty() => metadata.name.clone_from(&name),
        _ => return,
    }
    *generated += 1;
    object.defaults.push(Defaulted { path: "metadata.name".to_owned(), value: name });
}

/// What is the same for all objects of a document.
struct Context<'a> {
    text: &'a str,
    options: &'a Options,
    document: usize,
    span: Span,
    known: &'a slice::Known,
}

impl Context<'_> {
    /// The objects of a document: itself, the items of a list, or nothing.
    fn found(&self, root: Node, diagnostics: &mut Vec<Diagnostic>) -> Vec<Found> {
        let headless = root.entries().is_some() && root.get("kind").is_none();
        if headless && let Some(dots) = self.dots_before() {
            diagnostics.push(yaml::codes::omitted_text(dots));
            return Vec::new();
        }
        match head::read(root, self.options.release.minor(), diagnostics) {
            head::Head::Object { kind, api_version, node } => {
                let object = self.object(kind, api_version, node, self.span, diagnostics);
                vec![Found::Object(Box::new(object))]
            }
            head::Head::Workload { workload, kind, api_version, node } => {
                let pods = self.workload(workload, &kind, &api_version, &node, diagnostics);
                pods.map(|pods| Found::Pods(Box::new(pods))).into_iter().collect()
            }
            head::Head::List(items) => items
                .into_iter()
                .flat_map(|item| {
                    let span = item.span;
                    Context { span, ..*self }.found(item, diagnostics)
                })
                .collect(),
            head::Head::Nothing => Vec::new(),
        }
    }

    /// The `...` that ended the document before this one, when no `---` follows it.
    fn dots_before(&self) -> Option<Span> {
        let before = self.text.get(..self.span.start as usize)?.trim_end();
        let explicit = self.span.text(self.text).trim_start().starts_with("---");
        let start = before.strip_suffix("...")?.len();
        (!explicit).then(|| Span::new(start, start + 3))
    }

    fn object(
        &self,
        kind: Kind,
        api_version: String,
        node: Node,
        span: Span,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Object {
        let versions = versions_of(&api_version);
        let mut refusals = Vec::new();
        if let (true, Some(root)) = (self.options.strict, kind.schema()) {
            let mut checker = check::Checker {
                text: self.text,
                root,
                node: &node,
                versions,
                minor: self.options.release.minor(),
                package: api_version.rsplit('/').next().unwrap_or_default(),
                path: path::Path::default(),
                diagnostics,
                refusals,
            };
            checker.object();
            refusals = checker.refusals;
            let offer = convert::offer(kind, &api_version, versions, &node, self.text);
            diagnostics.extend(offer);
        }
        let mut defaults = Vec::new();
        let node = Arc::new(node);
        let mut value = self.value(kind, versions, &node, &mut defaults);
        if let Some(metadata) = value.metadata_mut() {
            if !kind.is_namespaced() {
                metadata.namespace.clear();
            } else if metadata.namespace.is_empty() && self.options.default_namespace {
                "default".clone_into(&mut metadata.namespace);
            }
        }
        let spans = FieldSpans::new(node, versions);
        if refusals.is_empty() {
            diagnostics.extend(changed(&spans, &defaults));
        }
        let document = self.document;
        Object {
            kind,
            api_version,
            span,
            document,
            spans,
            value,
            defaults,
            dropped: Vec::new(),
            refused: !refusals.is_empty(),
            refusals,
            made_from: None,
        }
    }

    fn value(
        &self,
        kind: Kind,
        versions: Versions,
        node: &Arc<Node>,
        defaults: &mut Vec<Defaulted>,
    ) -> ObjectValue {
        let quantities = Quantities { canonical: self.options.defaults };
        let old = versions == Versions::V1BETA1;
        let defaults = self.options.defaults.then_some(defaults);
        let minor = self.options.release.minor();
        let slices = slice::SliceReader { old, minor, quantities };
        match kind {
            Kind::ResourceSlice => {
                ObjectValue::ResourceSlice(Box::new(slices.slice(node, self.known)))
            }
            Kind::DeviceClass => ObjectValue::DeviceClass(Box::new(claim::class(node))),
            Kind::ResourceClaim => {
                let mut reader = claim::ClaimReader { old, minor, defaults, quantities };
                ObjectValue::ResourceClaim(Box::new(reader.claim(node)))
            }
            Kind::ResourceClaimTemplate => {
                let mut reader = claim::ClaimReader { old, minor, defaults, quantities };
                ObjectValue::ResourceClaimTemplate(Box::new(reader.template(node)))
            }
            Kind::DeviceTaintRule => {
                ObjectValue::DeviceTaintRule(Box::new(slice::taint_rule(node, minor)))
            }
            Kind::Pod => ObjectValue::Pod(Box::new(core::pod(node, quantities, defaults))),
            Kind::Node => ObjectValue::Node(Box::new(core::node(node, quantities))),
            Kind::Namespace => ObjectValue::Namespace(Box::new(core::namespace(node))),
            Kind::Scenario => ObjectValue::Scenario(Arc::clone(node)),
        }
    }
}

/// Says when a kind and name occurs twice. Objects without a name are left to validation.
fn duplicates(objects: &[Object], diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = std::collections::BTreeMap::new();
    for object in objects.iter().filter(|object| !object.name().is_empty()) {
        let key = object.key();
        match seen.get(&key) {
            Some(first) => diagnostics.push(codes::duplicate_object(
                &key.to_string(),
                *first,
                object.name_span(),
            )),
            None => {
                seen.insert(key, object.name_span());
            }
        }
    }
}

/// Names what is written and stored as something else; what is not written needs no word.
fn changed(spans: &FieldSpans, defaults: &[Defaulted]) -> Vec<Diagnostic> {
    let changed = defaults.iter().filter_map(|default| {
        let written = spans.node(&default.path).filter(|node| !node.is_null())?;
        let (text, span) = (written.text()?, spans.mark(&default.path));
        let text = if text.is_empty() { "\"\"" } else { &*text };
        Some(codes::value_defaulted(&default.path, text, &default.value, span))
    });
    changed.collect()
}
