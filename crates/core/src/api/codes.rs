//! Codes and wording of everything that can be wrong with documents as Kubernetes objects.

use crate::apimachinery::{FieldError, FieldErrorKind, ObjectRef};
use crate::diagnostic::{Code, Diagnostic, Fix, Severity};
use crate::source::Span;
use crate::yaml::Node;

use super::object::Kind;
use super::schema::Type;

/// The document is no object at all.
pub const NOT_AN_OBJECT: Code = Code::error("not-an-object");
/// `apiVersion` or `kind` is missing.
pub const MISSING_KIND: Code = Code::error("missing-kind");
/// The kind does not exist in the group and version that are given.
pub const UNKNOWN_KIND: Code = Code::error("unknown-kind");
/// A version of the DRA API that Kubernetes does not serve any more.
pub const OLD_API_VERSION: Code = Code::error("old-api-version");
/// A version of the DRA API that is served, but not the newest.
pub const BETA_VERSION: Code = Code::note("beta-version");
/// A workload that stands for its Pods.
pub const WORKLOAD_EXPANDED: Code = Code::note("workload-expanded");
/// A kind that has no part in allocation.
pub const SKIPPED_KIND: Code = Code::note("skipped-kind");
/// A field that the type does not have.
pub const UNKNOWN_FIELD: Code = Code::error("unknown-field");
/// A value of the wrong type.
pub const WRONG_TYPE: Code = Code::error("wrong-type");
/// A text that is no quantity.
pub const INVALID_QUANTITY: Code = Code::error("invalid-quantity");
/// A value without quotes that YAML does not read as text; a warning for keys of maps.
pub const UNQUOTED_SCALAR: Code = Code::error("unquoted-scalar");
/// A placeholder of a template in a field.
pub const PLACEHOLDER: Code = Code::warning("placeholder");
/// Two objects of one kind with the same name.
pub const DUPLICATE_OBJECT: Code = Code::error("duplicate-object");
/// A field that the API server wants is missing.
pub const REQUIRED_FIELD: Code = Code::error("required-field");
/// A value that the API server's validation refuses.
pub const INVALID_VALUE: Code = Code::error("invalid-value");
/// A word that is none of those that are allowed.
pub const UNSUPPORTED_VALUE: Code = Code::error("unsupported-value");
/// A value that must be unique in its list.
pub const DUPLICATE_VALUE: Code = Code::error("duplicate-value");
/// A field that is not permitted here.
pub const FORBIDDEN_FIELD: Code = Code::error("forbidden-field");
/// A text that is too long.
pub const TOO_LONG: Code = Code::error("too-long");
/// A list or map with too many entries.
pub const TOO_MANY: Code = Code::error("too-many");
/// A name inside an object that refers to nothing in it.
pub const UNKNOWN_REFERENCE: Code = Code::error("unknown-reference");
/// A field behind a gate that is off.
pub const FIELD_DROPPED: Code = Code::warning("field-dropped");
/// A value that the API server stores otherwise than it is written.
pub const VALUE_DEFAULTED: Code = Code::note("value-defaulted");
/// A class that is named but not there.
pub const DEVICE_CLASS_NOT_FOUND: Code = Code::error("device-class-not-found");
/// A claim that is named but not there.
pub const RESOURCE_CLAIM_NOT_FOUND: Code = Code::error("resource-claim-not-found");
/// A template that is named but not there.
pub const RESOURCE_CLAIM_TEMPLATE_NOT_FOUND: Code =
    Code::error("resource-claim-template-not-found");
/// A node that is named but not there.
pub const NODE_NOT_FOUND: Code = Code::warning("node-not-found");
/// Claims without any device in sight.
pub const NO_RESOURCE_SLICES: Code = Code::warning("no-resource-slices");
/// A namespace that is used but not written down.
pub const NAMESPACE_NOT_FOUND: Code = Code::note("namespace-not-found");
/// A counter set or counter that the pool does not have.
pub const COUNTER_SET_NOT_FOUND: Code = Code::error("counter-set-not-found");
/// A pool with fewer or more slices than announced.
pub const POOL_INCOMPLETE: Code = Code::warning("pool-incomplete");
/// A name that a pool has twice, in different slices.
pub const POOL_INCONSISTENT: Code = Code::warning("pool-inconsistent");
/// An attribute that no device publishes.
pub const UNKNOWN_ATTRIBUTE: Code = Code::warning("unknown-attribute");
/// A capacity that no device publishes.
pub const UNKNOWN_CAPACITY: Code = Code::warning("unknown-capacity");
/// An attribute with different types on different devices.
pub const ATTRIBUTE_TYPE_DIFFERS: Code = Code::warning("attribute-type-differs");
/// A name in a domain that belongs to the Kubernetes project.
pub const RESERVED_DOMAIN: Code = Code::warning("reserved-domain");
/// Counters that a node with the device does not reach.
pub const COUNTERS_UNREACHABLE: Code = Code::warning("counters-unreachable");
/// A class that every device is in.
pub const CLASS_WITHOUT_SELECTORS: Code = Code::warning("class-without-selectors");
/// A taint rule that does not say which devices it is about.
pub const TAINT_RULE_WITHOUT_SELECTOR: Code = Code::warning("taint-rule-without-selector");
/// A device that a claim has, but that no slice publishes.
pub const ALLOCATED_DEVICE_GONE: Code = Code::warning("allocated-device-gone");

/// There are too many problems to show.
pub const MORE_DIAGNOSTICS: Code = Code::note("more-diagnostics");

/// Every code of this stage.
pub const ALL: &[Code] = &[
    NOT_AN_OBJECT,
    MISSING_KIND,
    UNKNOWN_KIND,
    OLD_API_VERSION,
    BETA_VERSION,
    WORKLOAD_EXPANDED,
    SKIPPED_KIND,
    UNKNOWN_FIELD,
    WRONG_TYPE,
    INVALID_QUANTITY,
    UNQUOTED_SCALAR,
    PLACEHOLDER,
    DUPLICATE_OBJECT,
    REQUIRED_FIELD,
    INVALID_VALUE,
    UNSUPPORTED_VALUE,
    DUPLICATE_VALUE,
    FORBIDDEN_FIELD,
    TOO_LONG,
    TOO_MANY,
    UNKNOWN_REFERENCE,
    FIELD_DROPPED,
    VALUE_DEFAULTED,
    DEVICE_CLASS_NOT_FOUND,
    RESOURCE_CLAIM_NOT_FOUND,
    RESOURCE_CLAIM_TEMPLATE_NOT_FOUND,
    NODE_NOT_FOUND,
    NO_RESOURCE_SLICES,
    NAMESPACE_NOT_FOUND,
    COUNTER_SET_NOT_FOUND,
    POOL_INCOMPLETE,
    POOL_INCONSISTENT,
    UNKNOWN_ATTRIBUTE,
    ATTRIBUTE_TYPE_DIFFERS,
    RESERVED_DOMAIN,
    COUNTERS_UNREACHABLE,
    CLASS_WITHOUT_SELECTORS,
    TAINT_RULE_WITHOUT_SELECTOR,
    ALLOCATED_DEVICE_GONE,
    MORE_DIAGNOSTICS,
];

pub(super) fn not_an_object(node: &Node) -> Diagnostic {
    let message = format!("this document is {}, not a Kubernetes object", node.describe());
    Diagnostic::new(NOT_AN_OBJECT, message, node.span)
        .note("an object is a map with `apiVersion`, `kind` and `metadata`")
}

pub(super) fn missing_kind(missing: &str, span: Span) -> Diagnostic {
    let are = if missing.contains(' ') { "are" } else { "is" };
    let message = format!("{missing} {are} missing, so nobody knows what this object is");
    let upstream: Vec<String> = missing
        .split(" and ")
        .map(|field| format!("{} not set", field.trim_matches('`')))
        .collect();
    Diagnostic::new(MISSING_KIND, message, span)
        .upstream(format!("error validating data: [{}]", upstream.join(", ")))
}

pub(super) fn unknown_kind(kind: &str, api_version: &str, name: &str, span: Span) -> Diagnostic {
    let message = format!("there is no kind `{kind}` in `{api_version}`");
    Diagnostic::new(UNKNOWN_KIND, message, span).upstream(no_matches(kind, api_version, name))
}

/// A version that the release does not have yet; it is read as if it had.
pub(super) fn later_version(kind: Kind, api_version: &str, name: &str, span: Span) -> Diagnostic {
    let mut diagnostic = unknown_kind(kind.as_str(), api_version, name, span);
    diagnostic.severity = Severity::Warning;
    diagnostic
}

pub(super) fn old_api_version(kind: &str, api_version: &str, name: &str, span: Span) -> Diagnostic {
    let message = if Kind::ALL.iter().any(|known| known.as_str() == kind) {
        format!("`{api_version}` of `{kind}` is an old API that Kubernetes gave up")
    } else {
        format!("`{kind}` is a kind of old APIs that Kubernetes gave up")
    };
    let mut diagnostic = Diagnostic::new(OLD_API_VERSION, message, span);
    if kind == "ResourceClass" {
        diagnostic = diagnostic.note("its place took `DeviceClass`, which selects devices by CEL");
    }
    diagnostic
        .note("use `resource.k8s.io/v1`; requests, devices and classes look different there")
        .upstream(no_matches(kind, api_version, name))
}

fn no_matches(kind: &str, api_version: &str, name: &str) -> String {
    format!(
        "resource mapping not found for name: \"{name}\" namespace: \"\": no matches for kind \
         \"{kind}\" in version \"{api_version}\""
    )
}

pub(super) fn beta_version(api_version: &str, span: Span) -> Diagnostic {
    let message = format!("`{api_version}` is an older version of this API; the newest is `v1`");
    Diagnostic::new(BETA_VERSION, message, span)
}

pub(super) fn workload_expanded(
    from: &ObjectRef,
    made: usize,
    wanted: i64,
    span: Span,
) -> Diagnostic {
    let (kind, name) = (&from.kind, &from.name);
    let pods = if made == 1 { "Pod" } else { "Pods" };
    let message = format!("{kind} `{name}` stands for {made} {pods} here");
    let diagnostic = Diagnostic::new(WORKLOAD_EXPANDED, message, span);
    if wanted > 0 && usize::try_from(wanted).is_ok_and(|wanted| wanted > made) {
        return diagnostic.note(format!("it asks for {wanted}; more are not made here"));
    }
    diagnostic
}

pub(super) fn skipped_kind(kind: &str, span: Span) -> Diagnostic {
    Diagnostic::new(SKIPPED_KIND, format!("`{kind}` has no part in allocation; skipped"), span)
}

/// `strict` is the path as strict decoding prints it.
pub(super) fn unknown_field(path: &str, strict: &str, span: Span) -> Diagnostic {
    Diagnostic::new(UNKNOWN_FIELD, format!("unknown field `{path}`"), span)
        .upstream(format!("strict decoding error: unknown field \"{strict}\""))
}

/// `go_field` is the struct and the path as Go prints them.
pub(super) fn wrong_type(
    path: &str,
    node: &Node,
    ty: Type,
    go_field: &str,
    package: &str,
) -> Diagnostic {
    let message = match limit(node, ty) {
        Some((name, most)) => {
            let number = node.scalar().map_or("", |scalar| &*scalar.value);
            format!("`{path}`: `{number}` is beyond what {name} holds, {most}")
        }
        None => format!("`{path}` must be {}, not {}", ty.describe(), node.describe()),
    };
    Diagnostic::new(WRONG_TYPE, message, node.span)
        .upstream(cannot_unmarshal(node, ty, go_field, package))
}

/// The type of a whole number that is too large for it, with its largest value.
fn limit(node: &Node, ty: Type) -> Option<(&'static str, i64)> {
    use crate::yaml::Resolved;
    let Type::Int(name) = ty else { return None };
    let most = if name == "int32" { i64::from(i32::MAX) } else { i64::MAX };
    match node.scalar()?.resolve() {
        Resolved::Int(_) | Resolved::Uint(_) => Some((name, most)),
        Resolved::Float(value) if value.fract() == 0.0 && value.is_finite() => Some((name, most)),
        Resolved::Float(_) | Resolved::Null | Resolved::Bool(_) | Resolved::String(_) => None,
    }
}

/// What Go's JSON decoder says of a value of the wrong type.
fn cannot_unmarshal(node: &Node, ty: Type, go_field: &str, package: &str) -> String {
    if let Some(text) = infinite(node) {
        return text;
    }
    let found = json_kind(node, ty);
    let go = match ty {
        Type::Map(Type::Quantity) if is_core(go_field) => "v1.ResourceList".to_owned(),
        _ => ty.go_name(package),
    };
    format!("json: cannot unmarshal {found} into Go struct field {go_field} of type {go}")
}

pub(super) fn no_json_number(path: &str, node: &Node, upstream: String) -> Diagnostic {
    let number = node.scalar().map_or("", |scalar| &*scalar.value);
    let message = format!("`{path}`: JSON has no number `{number}`");
    Diagnostic::new(WRONG_TYPE, message, node.span).upstream(upstream)
}

/// Whether the field is in a struct of the core API.
fn is_core(go_field: &str) -> bool {
    let structs = ["ResourceRequirements.", "NodeStatus.", "PodSpec.", "PodStatus."];
    structs.iter().any(|name| go_field.starts_with(name))
}

/// What is said of a number that JSON does not have.
pub(super) fn infinite(node: &Node) -> Option<String> {
    let number = match node.scalar().map(crate::yaml::Scalar::resolve) {
        Some(crate::yaml::Resolved::Float(number)) if !number.is_finite() => number,
        _ => return None,
    };
    let shown = match number {
        number if number.is_nan() => "NaN",
        number if number > 0.0 => "+Inf",
        _ => "-Inf",
    };
    Some(format!("error converting YAML to JSON: json: unsupported value: {shown}"))
}

/// What Go's JSON decoder calls the value; it shows a number where a number is wanted.
fn json_kind(node: &Node, ty: Type) -> String {
    use crate::yaml::{NodeKind, Resolved};
    match &node.kind {
        NodeKind::Sequence(_) => "array".to_owned(),
        NodeKind::Mapping(_) => "object".to_owned(),
        NodeKind::Scalar(scalar) => match scalar.resolve() {
            Resolved::Null => "null".to_owned(),
            Resolved::Bool(_) => "bool".to_owned(),
            Resolved::String(_) => "string".to_owned(),
            number @ (Resolved::Int(_) | Resolved::Uint(_) | Resolved::Float(_)) => match ty {
                Type::Int(_) => {
                    format!("number {}", number.number_text().unwrap_or_default())
                }
                _ => "number".to_owned(),
            },
        },
    }
}

pub(super) fn invalid_quantity(path: &str, text: &str, upstream: &str, span: Span) -> Diagnostic {
    Diagnostic::new(INVALID_QUANTITY, format!("`{path}`: `{text}` is not a quantity"), span)
        .note("a quantity is a number with an optional suffix: `80Gi`, `500m`, `1.5`, `12e6`")
        .upstream(upstream)
}

/// The type, the struct and path as Go prints them, and the package of the types.
pub(super) fn unquoted_scalar(
    path: &str,
    node: &Node,
    written: &str,
    (ty, field, package): (Type, &str, &str),
) -> Diagnostic {
    let message =
        format!("`{path}`: without quotes `{written}` is {}, not a string", node.describe());
    Diagnostic::new(UNQUOTED_SCALAR, message, node.span)
        .note("programs that read YAML with Go's types take it as text; kubectl refuses it")
        .upstream(cannot_unmarshal(node, ty, field, package))
        .fix(quotes(node, written))
}

/// The key of a map: kubectl makes a text of it without a word.
pub(super) fn unquoted_key(path: &str, node: &Node, written: &str, read: &str) -> Diagnostic {
    let message =
        format!("`{path}`: without quotes `{written}` is {}, read as `{read}`", node.describe());
    let mut diagnostic =
        Diagnostic::new(UNQUOTED_SCALAR, message, node.span).fix(quotes(node, written));
    diagnostic.severity = Severity::Warning;
    diagnostic
}

fn quotes(node: &Node, written: &str) -> Fix {
    let quoted = format!("\"{}\"", written.replace('\\', "\\\\").replace('"', "\\\""));
    Fix::new("put it in quotes", node.span, quoted, true)
}

pub(super) fn invalid_time(path: &str, text: &str, upstream: &str, span: Span) -> Diagnostic {
    Diagnostic::new(WRONG_TYPE, format!("`{path}`: `{text}` is not a time"), span)
        .note("a time is written like `2026-01-31T13:45:00Z` (RFC 3339)")
        .upstream(upstream)
}

pub(super) fn placeholder(path: &str, span: Span) -> Diagnostic {
    Diagnostic::new(PLACEHOLDER, format!("`{path}` holds a placeholder of a template"), span)
        .note("paste the rendered objects, e.g. what `helm template` or `envsubst` prints")
}

/// Code and our sentence for a fault that validation found.
pub(super) fn field_error(error: &FieldError) -> (Code, String) {
    let path = &error.path;
    // The examples and the regular expression are in the server's own words.
    let detail = error.detail.split(" (e.g.").next().unwrap_or_default();
    let with = |text: String| match detail {
        "" => text,
        _ => format!("{text}: {detail}"),
    };
    match error.kind {
        FieldErrorKind::Required => (REQUIRED_FIELD, with(format!("`{path}` is required"))),
        FieldErrorKind::Invalid => (INVALID_VALUE, format!("`{path}`: {detail}")),
        FieldErrorKind::NotSupported => {
            let words = detail.replace("supported values: ", "").replace('"', "`");
            let value = error.value.trim_matches('"');
            (UNSUPPORTED_VALUE, format!("`{path}`: `{value}` is none of {words}"))
        }
        FieldErrorKind::Duplicate => {
            let value = error.value.trim_matches('"');
            (DUPLICATE_VALUE, format!("`{path}`: `{value}` is already used in this list"))
        }
        FieldErrorKind::Forbidden => {
            (FORBIDDEN_FIELD, with(format!("`{path}` is not permitted here")))
        }
        FieldErrorKind::TooLong => (TOO_LONG, with(format!("`{path}` is too long"))),
        FieldErrorKind::TooMany => {
            (TOO_MANY, with(format!("`{path}` has {} entries", error.value)))
        }
        FieldErrorKind::NotFound => {
            let value = error.value.trim_matches('"');
            (UNKNOWN_REFERENCE, with(format!("`{path}`: there is no `{value}`")))
        }
    }
}

pub(super) fn field_dropped(path: &str, others: usize, gate: &str, span: Span) -> Diagnostic {
    let others = match others {
        0 => String::new(),
        1 => " and 1 more field".to_owned(),
        _ => format!(" and {others} more fields"),
    };
    let message = format!("`{path}`{others} dropped: feature gate {gate} is off");
    Diagnostic::new(FIELD_DROPPED, message, span)
        .note("the API server leaves out fields of disabled features when an object is created")
}

pub(super) fn value_defaulted(path: &str, written: &str, stored: &str, span: Span) -> Diagnostic {
    let message = format!("`{path}`: the API server makes `{stored}` of `{written}`");
    Diagnostic::new(VALUE_DEFAULTED, message, span)
}

pub(super) fn duplicate_object(key: &str, first: Span, again: Span) -> Diagnostic {
    Diagnostic::new(DUPLICATE_OBJECT, format!("{key} is written twice"), again)
        .also(first, "first written here")
        .note("a cluster holds one object of a kind and name; the later one replaces the earlier")
}

pub(super) fn more_diagnostics(count: usize, span: Span) -> Diagnostic {
    let message = format!("{count} more problems from here on are not shown");
    Diagnostic::new(MORE_DIAGNOSTICS, message, span)
}
