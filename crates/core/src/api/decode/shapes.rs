//! What people mean by fields in the wrong place or shape, and how to mend them.

use std::fmt::Write;

use dra_playground_cel::order::Order;

use crate::diagnostic::{Diagnostic, Fix, TextEdit};
use crate::source::Span;
use crate::yaml::{Node, NodeKind, Resolved, quote_if_ambiguous};

use super::super::schema::{EXACT_REQUEST, Field, Struct, Type, Versions};
use super::relocate;

/// An unknown field and what is around it.
pub(super) struct Place<'a> {
    /// The whole object.
    pub(super) object: &'a Node,
    pub(super) parent: &'a Node,
    pub(super) key: &'a Node,
    pub(super) value: &'a Node,
    pub(super) table: &'static Struct,
    /// The path of the parent with `[]` for items.
    pub(super) shape: &'a str,
    pub(super) text: &'a str,
    pub(super) versions: Versions,
    pub(super) minor: u8,
    pub(super) root: &'static Struct,
}

/// What edits need to know of a place.
pub(super) struct Site<'a> {
    pub(super) parent: &'a Node,
    pub(super) key: &'a Node,
    pub(super) value: &'a Node,
    pub(super) text: &'a str,
}

impl<'a> Place<'a> {
    fn site(&self) -> Site<'a> {
        Site { parent: self.parent, key: self.key, value: self.value, text: self.text }
    }
}

/// Adds a cause and a fix where the mistake is a known one; whether it is.
pub(super) fn explain_unknown(diagnostic: Diagnostic, place: &Place<'_>) -> (Diagnostic, bool) {
    let name = place.key.key_text();
    if let Some(field) = place.table.fields.iter().find(|field| field.name == name) {
        if !field.in_release(place.minor) {
            return (of_another_release(diagnostic, field, place), true);
        }
        return (other_version(diagnostic, place), true);
    }
    match (place.table.name, name.as_ref()) {
        ("DeviceSelector", "expression") => {
            let fix = wrap_or_move(place, &["expression"], "cel");
            return (with_fix(diagnostic.note("the expression stands below `cel`"), fix), true);
        }
        ("ResourceClaimSpec", "spec") if place.value.get("devices").is_some() => {
            let note = "only a ResourceClaimTemplate has a `spec` inside its `spec`";
            return (with_fix(diagnostic.note(note), unwrap(&place.site())), true);
        }
        ("ResourceClaimTemplateSpec", "devices") => {
            let fix = wrap(&place.site(), &["devices"], "spec");
            let note = "a template holds a whole claim: its devices stand below `spec.spec`";
            return (with_fix(diagnostic.note(note), fix), true);
        }
        ("v1.PodResourceClaim", "source") => {
            let note = "an old form: what stood below `source` stands beside `name` since v1.31";
            return (with_fix(diagnostic.note(note), unwrap(&place.site())), true);
        }
        _ => {}
    }
    elsewhere(diagnostic, &name, place)
}

/// A field that exists in another place of the object, or in another release.
fn elsewhere(diagnostic: Diagnostic, name: &str, place: &Place<'_>) -> (Diagnostic, bool) {
    let found = places_of(name, place);
    let here = found.iter().find(|(_, field)| field.in_release(place.minor));
    let Some((shape, field)) = here.or(found.first()) else {
        return (diagnostic, false);
    };
    let shown = if shape.is_empty() { "the object itself" } else { &*format!("`{shape}`") };
    let diagnostic = diagnostic.note(format!("`{name}` belongs to {shown}"));
    if !field.in_release(place.minor) {
        return (of_another_release(diagnostic, field, place), true);
    }
    let target = relocate::target(place.object, shape, place.key.span);
    let fix = target.and_then(|target| relocate::relocate(&place.site(), target, shape));
    (with_fix(diagnostic, fix), true)
}

fn of_another_release(diagnostic: Diagnostic, field: &Field, place: &Place<'_>) -> Diagnostic {
    let diagnostic = diagnostic.note(if place.minor < field.since {
        format!("this field exists since Kubernetes 1.{}", field.since)
    } else {
        format!("this field is gone since Kubernetes 1.{}", field.until)
    });
    with_fix(diagnostic, relocate::remove(&place.site()))
}

/// Moves the field below a key: into what stands there, or else below a new one.
fn wrap_or_move(place: &Place<'_>, names: &[&str], below: &str) -> Option<Fix> {
    match place.parent.get(below) {
        Some(empty) if empty.is_null() => relocate::indent(&place.site(), below),
        Some(target) => relocate::relocate(&place.site(), target, below),
        None => wrap(&place.site(), names, below),
    }
}

/// The field exists in another version of the API.
fn other_version(diagnostic: Diagnostic, place: &Place<'_>) -> Diagnostic {
    match (place.table.name, place.key.key_text().as_ref()) {
        ("Device", "basic") => {
            let note = "`basic` is gone since v1beta2: its fields stand directly in the device";
            with_fix(diagnostic.note(note), unwrap(&place.site()))
        }
        ("DeviceRequest", "exactly") => {
            let note = "in v1beta1 the fields of a request stand directly in it";
            with_fix(diagnostic.note(note), unwrap(&place.site()))
        }
        ("DeviceRequest", _) => {
            let keys: Vec<&str> = EXACT_REQUEST.fields.iter().map(|field| field.name).collect();
            let fix = wrap_or_move(place, &keys, "exactly");
            let note = "fields of a request stand below `exactly` (since v1beta2)";
            with_fix(diagnostic.note(note), fix)
        }
        ("Device", _) => {
            let keys: Vec<&str> =
                place.table.fields.iter().map(|f| f.name).filter(|f| *f != "name").collect();
            let fix = wrap_or_move(place, &keys, "basic");
            with_fix(diagnostic.note("in v1beta1 the fields of a device stand below `basic`"), fix)
        }
        _ => diagnostic.note("this field exists in another version of the API"),
    }
}

fn with_fix(diagnostic: Diagnostic, fix: Option<Fix>) -> Diagnostic {
    match fix {
        Some(fix) => diagnostic.fix(fix),
        None => diagnostic,
    }
}

/// Adds a cause and a fix to a value of the wrong type.
pub(super) fn explain_type(
    diagnostic: Diagnostic,
    node: &Node,
    ty: Type,
    text: &str,
) -> Diagnostic {
    match (ty, &node.kind) {
        (Type::Struct(table), NodeKind::Scalar(scalar))
            if let Some((name, _)) = scalar.value.split_once(':')
                && table.fields.iter().any(|field| field.name == name)
                && node.span.text(text).starts_with(name) =>
        {
            let at = Span::at(node.span.start as usize + name.len() + 1);
            let fix = Fix::new("insert a space", at, " ", true);
            diagnostic.note("a space is missing behind the colon").fix(fix)
        }
        (Type::Struct(table), NodeKind::Scalar(scalar)) => {
            let field = match (table.name, scalar.resolve()) {
                ("DeviceAttribute", Resolved::Bool(_)) => "bool",
                ("DeviceAttribute", Resolved::Int(_)) => "int",
                ("DeviceAttribute", _) => "string",
                ("DeviceCapacity" | "Counter", _) => "value",
                _ => return diagnostic,
            };
            let written = node.span.text(text);
            let value = match field {
                "string" => quote_if_ambiguous(&scalar.value).into_owned(),
                _ => written.to_owned(),
            };
            // Inside `{…}` a plain text may not hold these.
            let value = if value.contains(['{', '}', '[', ']', ',']) && *value == *scalar.value {
                format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""))
            } else {
                value
            };
            let mended = format!("{{{field}: {value}}}");
            let cause = if field == "value" {
                "an amount stands below `value`"
            } else {
                "the value of an attribute stands below the name of its type"
            };
            diagnostic.note(cause).fix(Fix::new(
                format!("write `{mended}`"),
                node.span,
                mended,
                true,
            ))
        }
        (Type::String("FullyQualifiedName"), NodeKind::Sequence(items)) => {
            let diagnostic = diagnostic.note("write one constraint for each attribute");
            match &**items {
                [only] if only.text().is_some() => {
                    let value = only.span.text(text).to_owned();
                    diagnostic.fix(Fix::new(format!("write `{value}`"), node.span, value, true))
                }
                _ => diagnostic,
            }
        }
        (Type::List(_), NodeKind::Mapping(_)) => {
            diagnostic.note("each entry of a list starts with `- `")
        }
        (Type::Int(_) | Type::Bool, NodeKind::Scalar(scalar)) => {
            let Resolved::String(value) = scalar.resolve() else {
                return diagnostic;
            };
            let plain =
                crate::yaml::Scalar { value: value.into(), style: crate::yaml::Style::Plain };
            let fits = match (ty, plain.resolve()) {
                (Type::Bool, Resolved::Bool(_)) => true,
                (_, resolved) => resolved.as_int().is_some() && !matches!(ty, Type::Bool),
            };
            if fits {
                diagnostic.fix(Fix::new("remove the quotes", node.span, value, true))
            } else {
                diagnostic
            }
        }
        _ => diagnostic,
    }
}

/// Where a field of this name exists, the closest to the place first.
fn places_of(name: &str, place: &Place<'_>) -> Vec<(String, &'static Field)> {
    let mut found = Vec::new();
    search(place.root, name, &mut String::new(), place, &mut found);
    let common =
        |shape: &str| shape.bytes().zip(place.shape.bytes()).take_while(|(a, b)| a == b).count();
    found.order_by_key(|(shape, _)| (std::cmp::Reverse(common(shape)), shape.len()));
    found
}

fn search(
    table: &'static Struct,
    name: &str,
    path: &mut String,
    place: &Place<'_>,
    found: &mut Vec<(String, &'static Field)>,
) {
    // Metadata and status are full of common words.
    let fields = table.fields.iter().filter(|f| f.versions.overlaps(place.versions));
    for field in fields.filter(|f| !matches!(f.name, "metadata" | "status")) {
        if field.name == name {
            found.push((path.clone(), field));
        }
        let len = path.len();
        if !path.is_empty() {
            path.push('.');
        }
        path.push_str(field.name);
        let mut ty = field.ty;
        loop {
            match ty {
                Type::List(item) => {
                    path.push_str("[]");
                    ty = *item;
                }
                Type::Map(value) => {
                    path.push_str("[*]");
                    ty = *value;
                }
                Type::Struct(inner) => {
                    search(inner, name, path, place, found);
                    break;
                }
                _ => break,
            }
        }
        path.truncate(len);
    }
}

/// Puts fields below a new key. Fields between them that stay are moved before it.
pub(super) fn wrap(place: &Site<'_>, names: &[&str], below: &str) -> Option<Fix> {
    let entries = place.parent.entries()?;
    let moves = |entry: &(Node, Node)| names.contains(&entry.0.key_text().as_ref());
    let first = entries.iter().position(moves)?;
    let last = entries.iter().rposition(moves)?;
    let inside = entries.get(first..=last)?;
    let title = format!("move it below `{below}`");
    let start = inside.first()?.0.span.start;
    let end = inside.last()?.1.span.end.max(start);
    let mut opening = String::new();
    let mut edits = Vec::new();
    let mut stays: Vec<Span> = Vec::new();
    for pair in inside.windows(2) {
        if let [entry, next] = pair
            && !moves(entry)
        {
            // From its key to the next one: its lines with the indentation of the next.
            let span = Span { start: entry.0.span.start, end: next.0.span.start };
            opening.push_str(span.text(place.text));
            stays.push(span);
            edits.push(TextEdit { span, text: String::new() });
        }
    }
    if place.parent.span.text(place.text).starts_with('{') {
        // JSON has quotes around its keys.
        let quote =
            if inside.first()?.0.span.text(place.text).starts_with('"') { "\"" } else { "" };
        let _ = write!(opening, "{quote}{below}{quote}: {{");
        edits.insert(0, TextEdit { span: Span { start, end: start }, text: opening });
        edits.push(TextEdit { span: Span { start: end, end }, text: "}".to_owned() });
        return Some(Fix { title, edits, safe: true });
    }
    let indent = " ".repeat(column(place.text, start));
    let _ = write!(opening, "{below}:\n{indent}  ");
    edits.push(TextEdit { span: Span { start, end: start }, text: opening });
    let stays_at = |line: u32| stays.iter().any(|span| span.start < line && line < span.end);
    for line in line_starts(place.text, Span { start, end }).filter(|line| !stays_at(*line)) {
        edits.push(TextEdit { span: Span { start: line, end: line }, text: "  ".to_owned() });
    }
    edits.order_by_key(|edit| edit.span);
    Some(Fix { title, edits, safe: true })
}

/// Removes the key and moves what stands below it one level up.
pub(super) fn unwrap(place: &Site<'_>) -> Option<Fix> {
    let title = format!("remove `{}`, keep what stands below", place.key.key_text());
    let entries = place.value.entries().filter(|entries| !entries.is_empty())?;
    let (first, _) = entries.first()?;
    let start = place.key.span.start;
    let value = place.value.span;
    if value.text(place.text).starts_with('{') {
        let mut edits =
            vec![TextEdit { span: Span { start, end: first.span.start }, text: String::new() }];
        if !place.parent.span.text(place.text).starts_with('{') {
            // What stood in one line gets a line for each entry.
            let indent = " ".repeat(column(place.text, start));
            edits.extend(entries.windows(2).filter_map(|pair| match pair {
                [(_, before), (after, _)] => Some(TextEdit {
                    span: Span { start: before.span.end, end: after.span.start },
                    text: format!("\n{indent}"),
                }),
                _ => None,
            }));
        }
        let last = entries.last().map_or(value.end - 1, |(_, last)| last.span.end);
        edits.push(TextEdit { span: Span { start: last, end: value.end }, text: String::new() });
        return Some(Fix { title, edits, safe: true });
    }
    let shift = column(place.text, first.span.start).checked_sub(column(place.text, start))?;
    let shift = u32::try_from(shift).ok()?;
    let edit = |start, end| TextEdit { span: Span { start, end }, text: String::new() };
    let line = start - u32::try_from(column(place.text, start)).unwrap_or(0);
    let alone = Span { start: line, end: start }.text(place.text).trim().is_empty();
    let rest = place.text.get(start as usize..first.span.start as usize).unwrap_or_default();
    // A key on a line of its own takes the line along; comments below it stay.
    let (mut edits, inside) = match rest.find('\n').filter(|_| alone) {
        Some(newline) => {
            let next = start + u32::try_from(newline).unwrap_or(0);
            (vec![edit(line, next + 1)], Span { start: next, end: value.end })
        }
        None => {
            (vec![edit(start, first.span.start)], Span { start: first.span.start, end: value.end })
        }
    };
    edits.extend(
        line_starts(place.text, inside)
            .filter(|line| {
                let indent = Span { start: *line, end: line.saturating_add(shift) };
                !indent.is_empty() && indent.text(place.text).bytes().all(|b| b == b' ')
            })
            .map(|line| edit(line, line + shift)),
    );
    Some(Fix { title, edits, safe: true })
}

/// Bytes from the start of the line.
pub(super) fn column(text: &str, offset: u32) -> usize {
    let before = text.get(..offset as usize).unwrap_or_default();
    before.len() - before.rfind('\n').map_or(0, |newline| newline + 1)
}

/// Starts of the lines after the first that have something on them.
pub(super) fn line_starts(text: &str, span: Span) -> impl Iterator<Item = u32> {
    let inside = span.text(text);
    inside.match_indices('\n').filter_map(move |(at, _)| {
        let rest = inside.get(at + 1..).unwrap_or_default();
        let line = rest.lines().next().unwrap_or_default();
        (!line.trim().is_empty()).then(|| span.start + u32::try_from(at).unwrap_or(u32::MAX) + 1)
    })
}
