//! Static costs of calls. Source: cel-go `checker/cost.go`, `ext/lists.go`, `ext/sets.go`;
//! `k8s.io/apiserver` `pkg/cel/library/cost.go`.

use super::estimate::{Coster, Path, REGEX, TRAVERSAL};
use super::size::Range;
use crate::env::Includes;
use crate::syntax::{Expr, ExprKind, Literal};
use crate::types::{CIDR, FORMAT, IP, QUANTITY, SEMVER, Type, URL};

/// An argument with what is known of it.
pub(super) struct Node<'a> {
    pub(super) path: Path,
    pub(super) ty: Type,
    pub(super) expr: Option<&'a Expr>,
    pub(super) size: Option<Range>,
}

/// Cost of the call itself, and the size of its result.
pub(super) type Estimate = (Range, Option<Range>);

impl Node<'_> {
    pub(super) fn size_or_unknown(&self) -> Range {
        self.size.unwrap_or(Range::UNKNOWN)
    }

    fn int(&self) -> Option<i64> {
        match self.expr.map(|expr| &expr.kind) {
            Some(ExprKind::Literal(Literal::Int(int))) => Some(*int),
            _ => None,
        }
    }

    /// A constant as a count: negative ones are 0.
    fn count_or(&self, default: u64) -> u64 {
        self.int().map_or(default, |int| u64::try_from(int).unwrap_or(0))
    }
}

#[expect(clippy::unnecessary_wraps, reason = "every rule gives an optional estimate")]
fn cost(range: Range) -> Option<Estimate> {
    Some((range, None))
}

/// Rules of extensions and of Kubernetes, which come before the standard ones.
pub(super) fn estimate(
    coster: &mut Coster<'_>,
    function: &str,
    overload: &str,
    target: Option<&Node<'_>>,
    args: &[Node<'_>],
) -> Option<Estimate> {
    extension(coster, overload, target, args)
        .or_else(|| kubernetes(coster, function, overload, target, args))
}

/// The size of a node, by its path when it was not computed.
fn size(coster: &Coster<'_>, node: &Node<'_>) -> Range {
    let declared = || coster.sizes.max_size(&node.path).map(|max| Range::new(0, max));
    node.size.or_else(declared).unwrap_or(Range::UNKNOWN)
}

#[expect(clippy::unnecessary_wraps, reason = "every rule gives an optional estimate")]
fn allocating(factor: f64, list: Range) -> Option<Estimate> {
    Some((list.scaled(factor).add(Range::fixed(11)), Some(list)))
}

#[expect(clippy::cast_precision_loss, reason = "as upstream computes it")]
fn extension(
    coster: &Coster<'_>,
    overload: &str,
    target: Option<&Node<'_>>,
    args: &[Node<'_>],
) -> Option<Estimate> {
    match (overload, target, args) {
        ("list_slice", Some(list), [start, end]) => {
            let end = end.count_or(size(coster, list).max);
            allocating(1.0, Range::fixed(end.wrapping_sub(start.count_or(0))))
        }
        ("lists_range", None, [end]) => allocating(1.0, Range::fixed(end.count_or(u64::MAX))),
        ("list_reverse", Some(list), []) => allocating(1.0, size(coster, list)),
        ("list_flatten" | "list_flatten_int", Some(list), args) => {
            let depth = args.first().map_or(1, |depth| depth.count_or(u64::MAX));
            allocating(depth as f64, size(coster, list))
        }
        ("list_distinct", Some(list), []) => {
            let size = size(coster, list);
            allocating(2.0, size.times(size))
        }
        ("list_sets_contains_list" | "list_sets_intersects_list", None, [a, b]) => {
            cost(size(coster, a).times(size(coster, b)).scaled(1.0).add(Range::fixed(1)))
        }
        ("list_sets_equivalent_list", None, [a, b]) => {
            cost(size(coster, a).times(size(coster, b)).scaled(2.0).add(Range::fixed(1)))
        }
        (_, Some(list), []) if overload.ends_with("_sort") => sort(coster, list, overload),
        (_, Some(_), [keys]) if overload.ends_with("_sortByAssociatedKeys") => {
            sort(coster, keys, overload)
        }
        _ => None,
    }
}

fn sort(coster: &Coster<'_>, list: &Node<'_>, overload: &str) -> Option<Estimate> {
    let size = size(coster, list);
    let texts = overload.starts_with("list_string") || overload.starts_with("list_bytes");
    allocating(if texts { 2.0 + TRAVERSAL } else { 2.0 }, size.times(size))
}

/// The elements of a list as a node.
fn elements(list: &Node<'_>) -> Option<Node<'static>> {
    let ty = match &list.ty {
        Type::List(element) => element.as_ref().clone(),
        Type::Map(entry) => entry.0.clone(),
        Type::Opaque(opaque) => opaque.1.first()?.clone(),
        Type::Type(Some(inner)) => inner.as_ref().clone(),
        _ => return None,
    };
    let mut path = list.path.clone();
    if !path.is_empty() {
        path.push("@items".into());
    }
    Some(Node { path, ty, expr: None, size: None })
}

fn kubernetes(
    coster: &Coster<'_>,
    function: &str,
    overload: &str,
    target: Option<&Node<'_>>,
    args: &[Node<'_>],
) -> Option<Estimate> {
    let one = Range::fixed(1);
    let tenth = |node: &Node<'_>| size(coster, node).scaled(TRAVERSAL);
    let v4_or_v6 = Range::new(4, 16);
    match (function, target, args) {
        ("check", ..) => cost(Range::fixed(350_000)),
        (
            "serviceAccount"
            | "path"
            | "group"
            | "resource"
            | "subresource"
            | "namespace"
            | "name"
            | "allowed"
            | "reason"
            | "error"
            | "errored"
            | "masked"
            | "prefixLength"
            | "family"
            | "isUnspecified"
            | "isLoopback"
            | "isLinkLocalMulticast"
            | "isLinkLocalUnicast"
            | "isGlobalUnicast"
            | "format.named"
            | "sign"
            | "asInteger"
            | "isInteger"
            | "asApproximateFloat"
            | "isGreaterThan"
            | "isLessThan"
            | "compareTo"
            | "add"
            | "sub"
            | "major"
            | "minor"
            | "patch"
            | "getScheme"
            | "getHostname"
            | "getHost"
            | "getPort"
            | "getEscapedPath"
            | "getQuery",
            ..,
        ) => cost(one),
        ("fieldSelector" | "labelSelector", _, [selector]) => {
            let length = size(coster, selector);
            let requirements = length.scaled(0.5).scaled(50.0);
            cost(Range::fixed(10).add(length.scaled(TRAVERSAL)).add(requirements))
        }
        ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", Some(list), _) => {
            cost(traversal(coster, list))
        }
        ("includes", Some(list), _) => cost(includes(coster, list)),
        ("matches", None, [text, pattern]) if coster.dialect.newer_cel_go => {
            cost(regex(text, pattern))
        }
        ("url", _, [text]) => Some((tenth(text), Some(size(coster, text)))),
        ("lowerAscii" | "upperAscii" | "substring" | "trim", Some(text), _) => {
            Some((tenth(text), Some(size(coster, text))))
        }
        ("replace", Some(text), [old, new, ..]) => Some(replace(coster, text, old, new)),
        ("split", Some(text), args) => {
            let size = size(coster, text);
            let limit = args.get(1).and_then(Node::int).map(i64::cast_unsigned);
            let result = Range::new(0, limit.unwrap_or(size.max));
            Some((size.scaled(2.0 * TRAVERSAL), Some(result)))
        }
        ("join", Some(list), args) => Some(join(coster, list, args.first())),
        ("find" | "findAll", Some(text), [pattern, ..]) => {
            let size_of_text = size(coster, text);
            let text_cost = size_of_text.add(one).scaled(TRAVERSAL);
            let regex_cost = size(coster, pattern).scaled(REGEX);
            Some((text_cost.times(regex_cost), Some(Range::new(0, size_of_text.max))))
        }
        ("ip", ..) if overload == "cidr_ip" => cost(one),
        (
            "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver" | "isSemver",
            _,
            [text, ..],
        ) => cost(tenth(text)),
        ("ip.isCanonical", _, [text, ..]) => cost(size(coster, text).scaled(2.0 * TRAVERSAL)),
        ("containsIP", _, [other, ..]) => {
            let text = overload == "cidr_contains_ip_string";
            let compare = v4_or_v6.add(v4_or_v6).scaled(TRAVERSAL);
            cost(if text { compare.add(tenth(other)) } else { compare })
        }
        ("containsCIDR", _, [other, ..]) => {
            let text = overload == "cidr_contains_cidr_string";
            let compare = v4_or_v6.add(v4_or_v6).scaled(TRAVERSAL);
            let compare = compare.add(v4_or_v6.scaled(TRAVERSAL)).add(one);
            cost(if text { compare.add(tenth(other)) } else { compare })
        }
        ("validate", _, [text, ..]) => cost(tenth(text).scaled(MAX_NAME_REGEX * REGEX)),
        ("_==_", _, [left, right]) => equality(left, right),
        _ => None,
    }
}

/// Largest regular expression behind a named format of names.
const MAX_NAME_REGEX: f64 = 128.0;
/// Largest text that a named format compares as.
const MAX_FORMAT_SIZE: u64 = 64;

fn includes(coster: &Coster<'_>, list: &Node<'_>) -> Range {
    if coster.dialect.includes == Includes::Limited {
        Range::new(0, coster.sizes.includes_limit())
    } else if elements(list).is_some() {
        traversal(coster, list)
    } else {
        // A value of any type can be a list: each of its elements is compared once.
        size(coster, list).scaled(1.0)
    }
}

fn regex(text: &Node<'_>, pattern: &Node<'_>) -> Range {
    let text = text.size_or_unknown().add(Range::fixed(1)).scaled(TRAVERSAL);
    text.times(pattern.size_or_unknown().scaled(REGEX))
}

fn traversal(coster: &Coster<'_>, list: &Node<'_>) -> Range {
    let Some(element) = elements(list) else {
        return size(coster, list).scaled(TRAVERSAL);
    };
    let mut each = Range::fixed(1);
    if matches!(element.ty, Type::String | Type::Bytes) {
        each = each.add(size(coster, &element).scaled(TRAVERSAL));
    }
    size(coster, list).times(each)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "as upstream computes it; casts saturate"
)]
fn replace(coster: &Coster<'_>, text: &Node<'_>, old: &Node<'_>, new: &Node<'_>) -> Estimate {
    let text = size(coster, text);
    let old = size(coster, old);
    let new = size(coster, new);
    let times = |size: u64, part: u64| (size as f64 / part as f64).ceil() as u64;
    let mut count = Range::fixed(0);
    let mut kept = Range::fixed(0);
    if old.min == 0 {
        count.max = text.max.saturating_add(1);
        kept.max = text.max;
    } else if new.max <= old.min {
        kept.max = text.max;
    } else {
        count.max = times(text.max, old.min);
    }
    if old.max == 0 {
        count.min = text.min.saturating_add(1);
        kept.min = text.min;
    } else if old.max <= new.min {
        kept.min = text.min;
    } else {
        count.min = times(text.min, old.max);
    }
    (text.scaled(2.0 * TRAVERSAL), Some(count.times(new).add(kept)))
}

fn join(coster: &Coster<'_>, list: &Node<'_>, separator: Option<&Node<'_>>) -> Estimate {
    let length = size(coster, list);
    let mut result = Range::fixed(0);
    if let Some(element) = elements(list) {
        result = length.times(size(coster, &element));
    }
    if let Some(separator) = separator {
        let gaps = Range::new(length.min.saturating_sub(1), length.max.saturating_sub(1));
        result = result.add(size(coster, separator).times(gaps));
    }
    (result.scaled(TRAVERSAL), Some(result))
}

fn equality(left: &Node<'_>, right: &Node<'_>) -> Option<Estimate> {
    if left.ty.runtime_name() != right.ty.runtime_name() {
        return None;
    }
    match &left.ty {
        Type::Opaque(opaque) if matches!(opaque.0, IP | CIDR) => cost(Range::fixed(1)),
        Type::Struct(QUANTITY | SEMVER) => cost(Range::fixed(1)),
        Type::Struct(FORMAT) => cost(Range::new(1, MAX_FORMAT_SIZE).scaled(TRAVERSAL)),
        Type::Struct(URL) => {
            let max = right.size.map_or(1, |size| size.max);
            cost(Range::new(1, max).scaled(TRAVERSAL))
        }
        Type::Struct(name) if name.starts_with("kubernetes.authorization.") => {
            cost(Range::fixed(1))
        }
        _ => None,
    }
}

/// Rules of the standard library, by overload.
pub(super) fn standard(
    overload: &str,
    target: Option<&Node<'_>>,
    args: &[Node<'_>],
) -> Option<Estimate> {
    match (overload, target, args) {
        ("string_format", Some(text), _) => cost(text.size_or_unknown().scaled(TRAVERSAL)),
        ("string_to_bytes", _, [text]) => {
            let size = text.size_or_unknown();
            let result = Range::new(size.min, size.max.wrapping_mul(4));
            Some((size.scaled(TRAVERSAL), Some(result)))
        }
        ("bytes_to_string", _, [bytes]) => {
            let size = bytes.size_or_unknown();
            Some((size.scaled(TRAVERSAL), Some(Range::new(size.min / 4, size.max))))
        }
        ("strings_quote", _, [text]) => {
            let size = text.size_or_unknown();
            let max = size.max.wrapping_mul(2).wrapping_add(2);
            Some((size.scaled(TRAVERSAL), Some(Range::new(size.min.wrapping_add(2), max))))
        }
        ("starts_with_string" | "ends_with_string", _, [part]) => {
            cost(part.size_or_unknown().scaled(TRAVERSAL))
        }
        ("in_list", _, [_, list]) => cost(list.size_or_unknown().scaled(1.0)),
        ("matches_string", Some(text), [pattern]) => cost(regex(text, pattern)),
        ("contains_string", Some(text), [part]) => {
            let text = text.size_or_unknown().scaled(TRAVERSAL);
            cost(text.times(part.size_or_unknown().scaled(TRAVERSAL)))
        }
        (
            "less_string"
            | "greater_string"
            | "less_equals_string"
            | "greater_equals_string"
            | "less_bytes"
            | "greater_bytes"
            | "less_equals_bytes"
            | "greater_equals_bytes"
            | "equals"
            | "not_equals",
            _,
            [left, right],
        ) => {
            let most = left.size_or_unknown().max.min(right.size_or_unknown().max);
            cost(Range::new(u64::from(most > 0), most).scaled(TRAVERSAL))
        }
        _ => None,
    }
}
