use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Gather;

use crate::apimachinery::names::label_faults;
use crate::diagnostic::{Diagnostic, Fix, Severity, TextEdit, did_you_mean};
use crate::source::Span;

use super::super::object::Object;
use super::super::{DeviceAttribute, DeviceClaim, DeviceSelector, ResourceSlice, codes};
use super::Known;

type Slices<'a> = Vec<(&'a Object, &'a ResourceSlice)>;

/// Whether pools are whole, and what their devices draw from exists.
pub(super) fn pools(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut pools: BTreeMap<(&str, &str), Slices<'_>> = BTreeMap::new();
    for (object, slice) in known.slices() {
        let id = (slice.driver.as_str(), slice.pool.name.as_str());
        pools.entry(id).or_default().push((object, slice));
    }
    for ((driver, pool), mut slices) in pools {
        let newest = slices.iter().map(|(_, slice)| slice.pool.generation).max();
        // A slice that a step replaces at its generation is the same one.
        let mut names = BTreeSet::new();
        slices.retain(|(object, slice)| {
            Some(slice.pool.generation) == newest && names.insert(object.name())
        });
        let whole = is_whole(&slices);
        if !whole {
            diagnostics.extend(incomplete(known.text, driver, pool, &slices));
        }
        repeated(driver, pool, &slices, diagnostics);
        diagnostics.extend(between_nodes(driver, pool, &slices));
        counters(&slices, whole, diagnostics);
    }
}

/// Whether all slices are there that are announced, in the pool or on each of its nodes, which see
/// only their own.
fn is_whole(slices: &Slices<'_>) -> bool {
    let mut of_node: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for (_, slice) in slices {
        *of_node.entry(slice.node_name.as_deref()).or_default() += 1;
    }
    let announced = |slice: &ResourceSlice| usize::try_from(slice.pool.resource_slice_count).ok();
    let by_node = !of_node.contains_key(&None);
    slices.iter().all(|(_, slice)| announced(slice) == Some(slices.len()))
        || by_node
            && slices.iter().all(|(_, slice)| {
                of_node.get(&slice.node_name.as_deref()).copied() == announced(slice)
            })
}

/// A device that slices of two nodes have in one pool: a claim knows it by its name alone.
fn between_nodes(driver: &str, pool: &str, slices: &Slices<'_>) -> Option<Diagnostic> {
    let mut first = BTreeMap::new();
    let twins = slices.iter().find_map(|(object, slice)| {
        let node = slice.node_name.as_deref()?;
        slice.devices.iter().enumerate().find_map(|(idx, device)| {
            let place = (*object, node, idx);
            let other: (&Object, &str, usize) = *first.entry(device.name.as_str()).or_insert(place);
            (other.1 != node).then_some((other, place))
        })
    });
    let ((other, one, there), (object, two, here)) = twins?;
    let mark =
        |object: &Object, idx: usize| object.spans.mark(&format!("spec.devices[{idx}].name"));
    let name = &slices.iter().find(|(it, _)| std::ptr::eq(*it, object))?.1.devices.get(here)?.name;
    let message = format!(
        "nodes `{one}` and `{two}` have the device `{name}` in one pool, `{driver}/{pool}`"
    );
    let edits = slices.iter().filter_map(|(object, slice)| {
        let text = slice.node_name.clone()?;
        Some(TextEdit { span: object.spans.get("spec.pool.name")?.value, text })
    });
    let edits: Vec<TextEdit> = edits.collect();
    let title = "name the pool of each node like the node".to_owned();
    let fix = (edits.len() == slices.len()).then_some(Fix { title, edits, safe: false });
    Some(
        Diagnostic::new(codes::POOL_INCONSISTENT, message, mark(object, here))
            .also(mark(other, there), "also here")
            .note("for the scheduler it is one device: in use on one node, it is in use on both")
            .fix(fix),
    )
}

fn incomplete(text: &str, driver: &str, pool: &str, slices: &Slices<'_>) -> Option<Diagnostic> {
    let (object, first) = slices.first()?;
    let (have, want) = (slices.len(), first.pool.resource_slice_count);
    let path = "spec.pool.resourceSliceCount";
    let message = format!(
        "pool `{driver}/{pool}` has {have} {} at generation {}, but announces {want}",
        if have == 1 { "slice" } else { "slices" },
        first.pool.generation
    );
    let missing = slices.iter().find(|(object, _)| !is_written(object, path));
    let span = object.spans.mark(path);
    let other = slices.iter().find(|(_, slice)| slice.pool.resource_slice_count != want);
    let diagnostic = match (missing, other) {
        (Some((object, _)), _) => {
            let message = format!("pool `{driver}/{pool}` does not say how many slices it has");
            Diagnostic::new(codes::POOL_INCOMPLETE, message, object.spans.mark(path))
        }
        (None, Some((other, slice))) => {
            let count = slice.pool.resource_slice_count;
            let message = format!(
                "slices of pool `{driver}/{pool}` announce different numbers: {count} here, {want} \
                 elsewhere"
            );
            Diagnostic::new(codes::POOL_INCOMPLETE, message, other.spans.mark(path))
                .also(span, format!("announces {want}"))
        }
        (None, None) => Diagnostic::new(codes::POOL_INCOMPLETE, message, span),
    };
    let mut diagnostic = diagnostic.note("devices of an incomplete pool are not allocated");
    let edits: Vec<TextEdit> = slices
        .iter()
        .filter_map(|(object, slice)| {
            let written = usize::try_from(slice.pool.resource_slice_count) != Ok(have);
            let Some(found) = object.spans.get(path) else {
                return insert_count(text, object, have);
            };
            // After a key without a value stands no space.
            let space = if found.value.is_empty() { " " } else { "" };
            let text = format!("{space}{have}");
            written.then_some(TextEdit { span: found.value, text })
        })
        .collect();
    if !edits.is_empty() {
        let title = format!("write `resourceSliceCount: {have}`");
        diagnostic = diagnostic.fix(Fix { title, edits, safe: false });
    }
    Some(diagnostic)
}

fn is_written(object: &Object, path: &str) -> bool {
    object.spans.node(path).is_some_and(|node| !node.is_null())
}

/// Writes the count before what else a pool says.
fn insert_count(text: &str, object: &Object, have: usize) -> Option<TextEdit> {
    let pool = object.spans.node("spec.pool")?;
    let (first, _) = pool.entries()?.first()?;
    let at = first.span.start;
    // In braces the first key does not stand where the map begins.
    let next = if at == pool.span.start {
        let before = text.get(..at as usize)?;
        format!("\n{}", " ".repeat(before.len() - before.rfind('\n')? - 1))
    } else {
        ", ".to_owned()
    };
    let text = format!("resourceSliceCount: {have}{next}");
    Some(TextEdit { span: Span { start: at, end: at }, text })
}

/// Names of devices and counter sets that several slices have; those of one slice are refused.
fn repeated(driver: &str, pool: &str, slices: &Slices<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if slices.len() < 2 {
        return;
    }
    let mut first = BTreeMap::new();
    for (object, slice) in slices {
        let devices = slice.devices.iter().map(|it| ("devices", "device", &it.name));
        let sets =
            slice.shared_counters.iter().map(|it| ("sharedCounters", "counter set", &it.name));
        for (idx, (list, kind, name)) in devices.enumerate().chain(sets.enumerate()) {
            let (other, known, place): &(&Object, &ResourceSlice, usize) =
                first.entry((kind, name)).or_insert((*object, *slice, idx));
            // What no node sees together is no fault.
            let apart =
                matches!((&known.node_name, &slice.node_name), (Some(a), Some(b)) if a != b);
            if apart || std::ptr::eq(*other, *object) {
                continue;
            }
            let mark = |object: &Object, idx: usize| {
                object.spans.mark(&format!("spec.{list}[{idx}].name"))
            };
            let message = format!("two slices of pool `{driver}/{pool}` have the {kind} `{name}`");
            diagnostics.push(
                Diagnostic::new(codes::POOL_INCONSISTENT, message, mark(object, idx))
                    .also(mark(other, *place), "also here")
                    .note("the scheduler treats the whole pool as invalid then"),
            );
        }
    }
}

/// Counter sets and counters that devices name.
fn counters(slices: &Slices<'_>, whole: bool, diagnostics: &mut Vec<Diagnostic>) {
    let sets: BTreeMap<&str, Vec<&str>> = slices
        .iter()
        .flat_map(|(_, slice)| &slice.shared_counters)
        .map(|set| (set.name.as_str(), set.counters.keys().map(String::as_str).collect()))
        .gathered();
    for (object, slice) in slices {
        for (idx, device) in slice.devices.iter().enumerate() {
            for (entry, consumption) in device.consumes_counters.iter().enumerate() {
                let path = format!("spec.devices[{idx}].consumesCounters[{entry}]");
                let set = consumption.counter_set.as_str();
                let Some(known) = sets.get(set) else {
                    let span = object.spans.mark(&format!("{path}.counterSet"));
                    let message = format!("there is no counter set `{set}` in the pool");
                    diagnostics.push(lost(message, set, sets.keys().copied(), span, whole));
                    continue;
                };
                for counter in consumption.counters.keys() {
                    if !known.contains(&counter.as_str()) {
                        let found = object.spans.get(&format!("{path}.counters[{counter}]"));
                        let span = found.map_or(object.spans.mark(&path), |found| found.key);
                        let message = format!("there is no counter `{counter}` in set `{set}`");
                        let names = known.iter().copied();
                        diagnostics.push(lost(message, counter, names, span, whole));
                    }
                }
            }
        }
    }
}

fn lost<'a>(
    message: String,
    name: &str,
    names: impl Iterator<Item = &'a str>,
    span: Span,
    whole: bool,
) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(codes::COUNTER_SET_NOT_FOUND, message, span);
    if whole {
        diagnostic = diagnostic.note("the scheduler treats the whole pool as invalid then");
    } else {
        // A slice that is not there yet may have it.
        diagnostic.severity = Severity::Warning;
    }
    match did_you_mean(name, names.filter(|name| label_faults(name).is_empty())) {
        Some(close) => diagnostic.propose(close, close, span, true),
        None => diagnostic,
    }
}

/// An attribute as some device publishes it.
struct Published<'a> {
    kind: &'static str,
    span: Span,
    /// Whether a slice has it that the API server takes.
    taken: bool,
    /// Drivers that publish it.
    drivers: BTreeSet<&'a str>,
}

/// Attributes that constraints name, and types that differ.
pub(super) fn attributes(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut published: BTreeMap<String, Published<'_>> = BTreeMap::new();
    for (object, slice) in known.slices() {
        for (idx, device) in slice.devices.iter().enumerate() {
            for (key, attribute) in device.attributes.iter() {
                let Some(kind) = kind_of(attribute) else { continue };
                let name =
                    if key.contains('/') { key.clone() } else { format!("{}/{key}", slice.driver) };
                let driver = slice.driver.as_str();
                if let Some(found) = published.get_mut(&name) {
                    found.drivers.insert(driver);
                    found.taken |= object.refusals.is_empty();
                    if found.kind == kind {
                        continue;
                    }
                }
                let found = published.get(&name);
                let path = format!("spec.devices[{idx}].attributes[{key}]");
                let span = object.spans.get(&path).map_or(object.span, |found| found.key);
                match found {
                    None => {
                        let drivers = BTreeSet::from([driver]);
                        let taken = object.refusals.is_empty();
                        published.insert(name, Published { kind, span, taken, drivers });
                    }
                    Some(other) if known.objects.iter().any(|own| std::ptr::eq(*own, object)) => {
                        let found = type_differs(&name, kind, other, span);
                        let written = object.spans.get(&format!("{path}.{kind}"));
                        let fix = written.zip(as_type(attribute, other.kind));
                        diagnostics.push(match fix {
                            Some((written, text)) => {
                                let span =
                                    Span { start: written.key.start, end: written.value.end };
                                let title = format!("write `{text}`");
                                found.fix(Fix::new(title, span, text, false))
                            }
                            None => found,
                        });
                    }
                    Some(_) => {}
                }
            }
        }
    }
    if published.is_empty() {
        return;
    }
    for (object, spec, path) in known.own_specs() {
        for (idx, constraint) in spec.constraints.iter().enumerate() {
            let fields = [
                ("matchAttribute", &constraint.match_attribute),
                ("distinctAttribute", &constraint.distinct_attribute),
            ];
            for (field, name) in fields {
                let Some(name) = name.as_deref().filter(|n| n.contains('/')) else { continue };
                let span = object.spans.mark(&format!("{path}.constraints[{idx}].{field}"));
                match published.get(name) {
                    None => diagnostics.push(unknown_attribute(name, &published, span)),
                    Some(found) => {
                        let left_out = left_out(known, spec, &constraint.requests, &found.drivers);
                        diagnostics.extend(left_out.map(|(request, driver)| {
                            not_by_driver(name, request, driver, &found.drivers, span)
                        }));
                    }
                }
            }
        }
    }
}

/// The first request of a constraint whose class wants a driver that does not publish the attribute.
fn left_out<'a>(
    known: &Known<'a>,
    spec: &'a DeviceClaim,
    names: &[String],
    drivers: &BTreeSet<&str>,
) -> Option<(&'a str, &'a str)> {
    let publishers = known.drivers();
    spec.requests.iter().find_map(|request| {
        let is_meant = names.is_empty() || names.contains(&request.name);
        let exact = request.exactly.as_ref().filter(|_| is_meant)?;
        let mut classes = known.classes();
        let (_, class) = classes.find(|(_, c)| c.metadata.name == exact.device_class_name)?;
        let driver = class.selectors.iter().find_map(driver_of)?;
        (publishers.contains(driver) && !drivers.contains(driver))
            .then_some((request.name.as_str(), driver))
    })
}

/// The driver that a selector wants, as `device.driver == "…"` alone.
fn driver_of(selector: &DeviceSelector) -> Option<&str> {
    let expression = selector.cel_expression.as_deref()?;
    let rest = expression.trim().strip_prefix("device.driver")?.trim_start();
    let rest = rest.strip_prefix("==")?.trim_start();
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (driver, after) = rest.get(1..)?.split_once(quote)?;
    (!after.contains("||") && !after.contains('?')).then_some(driver)
}

fn not_by_driver(
    name: &str,
    request: &str,
    driver: &str,
    drivers: &BTreeSet<&str>,
    span: Span,
) -> Diagnostic {
    let message = format!(
        "driver `{driver}`, which request `{request}` is for, does not publish attribute `{name}`"
    );
    let publishers: Vec<String> = drivers.iter().map(|driver| format!("`{driver}`")).collect();
    Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, message, span).note(format!(
        "only {} does; the constraint refuses every other device",
        publishers.join(", ")
    ))
}

fn kind_of(attribute: &DeviceAttribute) -> Option<&'static str> {
    attribute.forms().into_iter().find(|(_, set)| *set).map(|(kind, _)| kind)
}

/// The same value as one of another type, as it is written; `None` when it has none.
fn as_type(attribute: &DeviceAttribute, kind: &str) -> Option<String> {
    let text = attribute.string.as_ref().map(ToString::to_string);
    let text = text.or_else(|| attribute.int.as_ref().map(ToString::to_string));
    let text = text.or_else(|| attribute.bool.as_ref().map(ToString::to_string))?;
    match kind {
        "int" => text.parse::<i64>().ok().map(|number| format!("int: {number}")),
        "bool" => text.parse::<bool>().ok().map(|known| format!("bool: {known}")),
        "string" => Some(format!("string: \"{text}\"")),
        _ => None,
    }
    .filter(|_| !text.contains(['"', '\\']))
}

fn type_differs(name: &str, kind: &str, other: &Published<'_>, span: Span) -> Diagnostic {
    let message =
        format!("attribute `{name}` is of type {kind} here, but {} on another device", other.kind);
    Diagnostic::new(codes::ATTRIBUTE_TYPE_DIFFERS, message, span)
        .also(other.span, format!("of type {} here", other.kind))
        .note("a selector that compares it fails on one of them")
}

fn unknown_attribute(
    name: &str,
    published: &BTreeMap<String, Published<'_>>,
    span: Span,
) -> Diagnostic {
    let message = format!("no device publishes attribute `{name}`");
    let diagnostic = Diagnostic::new(codes::UNKNOWN_ATTRIBUTE, message, span)
        .note("a constraint on it refuses every device");
    // The right name in another domain is as likely as a slip.
    let (_, id) = name.rsplit_once('/').unwrap_or(("", name));
    let taken = published.iter().filter(|(_, it)| it.taken).map(|(name, _)| name.as_str());
    let same_id =
        taken.clone().find(|other| other.rsplit_once('/').is_some_and(|(_, other)| other == id));
    match did_you_mean(name, taken).or(same_id) {
        Some(close) => diagnostic.propose(close, close, span, false),
        None => diagnostic,
    }
}
