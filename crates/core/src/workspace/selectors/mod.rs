//! Selectors: what the API server says of them, which part of one decides, and their traces.

use std::collections::BTreeMap;
use std::rc::Rc;

use dra_playground_cel::order::Order;
use dra_playground_cel::syntax::Issue;

use crate::api::decode::split_counters;
use crate::api::validate::{self, CelFault, Rules};
use crate::api::{DeviceSelector, Object, ObjectValue};
use crate::cluster::Cluster;
use crate::diagnostic::{Code, Diagnostic, Fix, Label};
use crate::explain::{FalsePart, SelectorOf};
use crate::pool::DeviceId;
use crate::scenario::has_pod_owner;
use crate::scheduler::{AttemptClaim, Env};
use crate::selector::{
    COST_LIMIT, DeviceInput, Outcome, Refusal, Selectors, Skip, TracePart, hints,
};
use crate::yaml;

use super::facts::key;
use super::report;
use super::snapshot::World;
use super::verdicts::{SelectorCheck, exact_request};

/// What is known of an expression before it is evaluated.
pub(super) fn check_selector(env: &Env, expression: &str) -> SelectorCheck {
    let compiled = env.selectors().compile(expression);
    let admission = env.selectors().admission(expression);
    SelectorCheck {
        compile_error: compiled.error().map(str::to_owned),
        admission_error: admission.message(expression),
        max_cost: admission.max_cost.or_else(|| compiled.max_cost()),
    }
}

/// What the API server has against a new expression.
pub(super) fn fault(selectors: &Selectors, expression: &str) -> Option<CelFault> {
    match selectors.admission(expression).refusal.as_ref()? {
        Refusal::Invalid { detail, .. } => Some(CelFault::Invalid(detail.clone())),
        Refusal::TooComplex => Some(CelFault::TooComplex),
        // The length is the validation's own business.
        Refusal::TooLong => None,
    }
}

/// Asks the API server about an object: diagnostics, and [`Object::refused`] when it is not taken.
/// Problems of selectors are shown at their very place.
pub(super) fn admit(
    text: &str,
    selectors: &Selectors,
    rules: &Rules<'_>,
    object: &mut Object,
    found: &mut Vec<Diagnostic>,
) {
    let mut diagnostics = validate::check(std::slice::from_mut(object), rules);
    if let Some(counters) = object.spans.get("spec.sharedCounters")
        && let Some(diagnostic) =
            diagnostics.iter_mut().find(|diagnostic| diagnostic.primary.span == counters.key)
    {
        diagnostic.fixes.extend(split_counters(text, object));
    }
    for Written { path, expression, .. } in expressions(&object.value) {
        let admission = selectors.admission(&expression);
        let Some(Refusal::Invalid { issues, .. }) = &admission.refusal else { continue };
        let whole = object.spans.mark(&path);
        let Some(origin) = object.spans.origin(text, &path) else { continue };
        let place = |issue: &Issue| {
            let offset = issue.place()? as usize;
            Some(origin.span_of_code_points(&expression, offset, offset + 1))
        };
        let Some(diagnostic) =
            diagnostics.iter_mut().find(|diagnostic| diagnostic.primary.span == whole)
        else {
            continue;
        };
        let mut issues = issues.iter().filter_map(|issue| Some((place(issue)?, issue)));
        if let Some((span, issue)) = issues.next() {
            diagnostic.primary.span = span;
            diagnostic.message.clone_from(&issue.message);
        }
        for (span, issue) in issues {
            diagnostic.secondary.push(Label { span, text: issue.message.clone() });
        }
    }
    found.append(&mut diagnostics);
}

/// What a selector probably means, or could trip over.
const SELECTOR_HINT: Code = Code::note("selector-hint");
/// Expressions that are looked at for hints.
const HINTED: usize = 64;
/// Devices that hints are taken from.
const HINTING_DEVICES: usize = 1024;

/// Remarks on the selectors of a text, from what its devices really publish.
///
/// # Diagnostics
/// `selector-hint`
pub(super) fn remarks(
    text: &str,
    selectors: &Selectors,
    objects: &[Rc<Object>],
) -> Vec<Diagnostic> {
    let slices = objects.iter().filter_map(|object| match &object.value {
        ObjectValue::ResourceSlice(slice) => Some(slice.as_ref()),
        _ => None,
    });
    let devices: Vec<DeviceInput<'_>> = slices
        .flat_map(|slice| slice.devices.iter().map(|device| DeviceInput::of(&slice.driver, device)))
        .take(HINTING_DEVICES)
        .collect();
    let of = |object: &Rc<Object>| {
        let object = Rc::clone(object);
        expressions(&object.value).into_iter().map(move |written| (Rc::clone(&object), written))
    };
    // Claims that were made for a Pod last: what is wrong with them is said of their template.
    let is_made = |object: &Rc<Object>| match &object.value {
        ObjectValue::ResourceClaim(claim) => has_pod_owner(claim),
        _ => false,
    };
    let (made, written): (Vec<_>, Vec<_>) = objects.iter().partition(|object| is_made(object));
    let all = written.into_iter().chain(made).flat_map(of);
    let asked = Asked { selectors, objects, devices: &devices };
    let mut fails: BTreeMap<Written, bool> = BTreeMap::new();
    let mut found: Vec<Diagnostic> = Vec::new();
    let mut said: BTreeMap<(String, String), usize> = BTreeMap::new();
    for (object, written) in all.take(HINTED) {
        let Written { path, expression, .. } = &written;
        let Some(origin) = object.spans.origin(text, path) else { continue };
        let offsets = Offsets::of(expression);
        for hint in hints(selectors, expression, &devices) {
            if hint.fails {
                let same = Written { path: String::new(), ..written.clone() };
                if !*fails.entry(same).or_insert_with(|| asked.fails(&written)) {
                    continue;
                }
            }
            let (from, to) = (offsets.byte(hint.from), offsets.byte(hint.to));
            let mut diagnostic =
                Diagnostic::new(SELECTOR_HINT, hint.message, origin.span(from, to));
            if let Some(replacement) = hint.replacement
                && let Some(node) = object.spans.node(path)
                && let Some((span, new)) = yaml::rewrite(text, node, from, to, &replacement)
            {
                let title = if replacement.is_empty() {
                    format!("remove `{}`", offsets.between(hint.from, hint.to))
                } else {
                    format!("write `{replacement}`")
                };
                diagnostic = diagnostic.fix(Fix::new(title, span, new, false));
            }
            let key = (expression.clone(), diagnostic.message.clone());
            let known = said.get(&key).and_then(|at| found.get_mut(*at));
            if let Some(known) = known.filter(|_| is_made(&object)) {
                let own = diagnostic.fixes.into_iter().flat_map(|fix| fix.edits);
                if let Some(fix) = known.fixes.first_mut() {
                    fix.edits.extend(own);
                    fix.edits.order_by_key(|edit| edit.span);
                }
            } else {
                said.entry(key).or_insert(found.len());
                found.push(diagnostic);
            }
        }
    }
    found
}

/// An expression where it is written.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Written {
    path: String,
    expression: String,
    /// The class whose selectors are asked before.
    class: Option<String>,
    /// The selectors of the same list that are asked before.
    earlier: Vec<String>,
}

/// What devices an expression is asked of.
struct Asked<'a> {
    selectors: &'a Selectors,
    objects: &'a [Rc<Object>],
    devices: &'a [DeviceInput<'a>],
}

impl Asked<'_> {
    /// Whether an expression fails on a device of which it is asked.
    fn fails(&self, written: &Written) -> bool {
        let mut before = written.earlier.clone();
        if let Some(name) = &written.class {
            let class = self.objects.iter().find_map(|object| match &object.value {
                ObjectValue::DeviceClass(class) if class.metadata.name == *name => Some(class),
                _ => None,
            });
            let Some(class) = class else { return false };
            before.extend(class.selectors.iter().filter_map(|it| it.cel_expression.clone()));
        }
        let before: Vec<_> = before.iter().map(|it| self.selectors.compile(it)).collect();
        let own = self.selectors.compile(&written.expression);
        self.devices.iter().any(|device| {
            before.iter().all(|it| it.matches(device) == Ok(true)) && own.matches(device).is_err()
        })
    }
}

/// All expressions of an object.
fn expressions(value: &ObjectValue) -> Vec<Written> {
    let mut found = Vec::new();
    let mut add = |path: &str, class: Option<&String>, selectors: &[DeviceSelector]| {
        let mut earlier = Vec::new();
        for (index, selector) in selectors.iter().enumerate() {
            if let Some(expression) = &selector.cel_expression {
                found.push(Written {
                    path: format!("{path}[{index}].cel.expression"),
                    expression: expression.clone(),
                    class: class.cloned(),
                    earlier: earlier.clone(),
                });
                earlier.push(expression.clone());
            }
        }
    };
    let (spec, prefix) = match value {
        ObjectValue::DeviceClass(class) => {
            add("spec.selectors", None, &class.selectors);
            return found;
        }
        ObjectValue::ResourceClaim(claim) => (&claim.spec, "spec"),
        ObjectValue::ResourceClaimTemplate(template) => (&template.spec, "spec.spec"),
        ObjectValue::ResourceSlice(_)
        | ObjectValue::DeviceTaintRule(_)
        | ObjectValue::Pod(_)
        | ObjectValue::Node(_)
        | ObjectValue::Namespace(_)
        | ObjectValue::Scenario(_) => return found,
    };
    for (index, request) in spec.requests.iter().enumerate() {
        let path = format!("{prefix}.devices.requests[{index}]");
        if let Some(exact) = &request.exactly {
            let class = Some(&exact.device_class_name);
            add(&format!("{path}.exactly.selectors"), class, &exact.selectors);
        }
        for (sub, alternative) in request.first_available.iter().enumerate() {
            let path = format!("{path}.firstAvailable[{sub}].selectors");
            let request = &alternative.request;
            add(&path, Some(&request.device_class_name), &request.selectors);
        }
    }
    found
}

/// A term of a conjunction, in bytes of its expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Term {
    pub from: usize,
    pub to: usize,
    pub text: String,
}

/// The terms that must all be true: the operands of the outermost `&&`. One when there is no `&&`,
/// none when the expression does not compile.
pub(super) fn terms(env: &Env, expression: &str) -> Vec<Term> {
    let parts = env.selectors().compile(expression).parts();
    let Some(root) = parts.first() else { return Vec::new() };
    let mut found = Vec::new();
    split(&parts, root, &Offsets::of(expression), &mut found);
    found.into_iter().map(|(_, term)| term).collect()
}

/// Byte offsets of code points.
struct Offsets<'a> {
    text: &'a str,
    bytes: Vec<usize>,
}

impl<'a> Offsets<'a> {
    fn of(text: &'a str) -> Self {
        let mut bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        bytes.push(text.len());
        Self { text, bytes }
    }

    fn byte(&self, code_point: u32) -> usize {
        self.bytes.get(code_point as usize).copied().unwrap_or(self.text.len())
    }

    fn between(&self, from: u32, to: u32) -> &'a str {
        self.text.get(self.byte(from)..self.byte(to)).unwrap_or_default()
    }
}

/// Splits a part at its `&&`, keeping the number of each term's part.
fn split(
    parts: &[TracePart],
    part: &TracePart,
    offsets: &Offsets<'_>,
    found: &mut Vec<(u32, Term)>,
) {
    let children: Vec<&TracePart> = parts
        .iter()
        .filter(|child| child.depth == part.depth + 1)
        .filter(|child| part.from <= child.from && child.to <= part.to)
        .collect();
    if let [left, right] = children.as_slice() {
        let between = offsets.between(left.to, right.from);
        if between.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')') == "&&" {
            split(parts, left, offsets, found);
            split(parts, right, offsets, found);
            return;
        }
    }
    let (from, to) = (offsets.byte(part.from), offsets.byte(part.to));
    let text = offsets.between(part.from, part.to).to_owned();
    found.push((part.id, Term { from, to, text }));
}

/// The shortest part of a selector that makes it false on a device, e.g. `index == 7`.
pub(super) fn false_part(
    env: &Env,
    cluster: &Cluster,
    claims: &[AttemptClaim],
    world: &World,
    selector: &SelectorOf<'_>,
    device: &DeviceId,
) -> Option<FalsePart> {
    let expression = expression(cluster, claims, selector)?;
    let entry = world.devices.get(world.find(&key(device))?)?;
    let device = entry.device()?;
    let input = DeviceInput::of(&entry.key.driver, device);
    let compiled = env.selectors().compile(&expression);
    let trace = compiled.trace(&input);
    let root = trace.parts.first()?;
    let mut found = Vec::new();
    let offsets = Offsets::of(&expression);
    split(&trace.parts, root, &offsets, &mut found);
    let value_of = |id: u32| {
        trace.events.iter().find_map(|event| match &event.outcome {
            Outcome::Value(value) if event.id == id => Some(value.as_str()),
            _ => None,
        })
    };
    let term = found.into_iter().find(|(id, _)| value_of(*id) == Some("false"));
    let Some((id, term)) = term else {
        return Some(FalsePart { text: shorten(&expression), values: Vec::new() });
    };
    let inside = |part: &&TracePart| {
        part.id != id && term.from <= offsets.byte(part.from) && offsets.byte(part.to) <= term.to
    };
    let mut values: Vec<(String, String)> = Vec::new();
    for part in trace.parts.iter().filter(inside) {
        let Some(name) = published_name(offsets.between(part.from, part.to)) else { continue };
        let Some(value) = value_of(part.id) else { continue };
        if !values.iter().any(|(known, _)| *known == name) {
            values.push((name, value.to_owned()));
        }
    }
    Some(FalsePart { text: shorten(&term.text), values })
}

/// `model` for `device.attributes["gpu.example.com"].model`: what an expression names of a device;
/// `None` for any other part.
fn published_name(expression: &str) -> Option<String> {
    if expression == "device.driver" {
        return Some("device.driver".to_owned());
    }
    let member = member_of_domain(expression)?;
    let is_name = member.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| member.to_owned())
}

/// What a selector probably means: the first hint, from what all devices publish.
pub(super) fn selector_hint(
    env: &Env,
    cluster: &Cluster,
    claims: &[AttemptClaim],
    world: &World,
    selector: &SelectorOf<'_>,
) -> Option<String> {
    let expression = expression(cluster, claims, selector)?;
    let hints = hints(env.selectors(), &expression, &published(world));
    hints.into_iter().next().map(|hint| hint.message)
}

/// What the devices of a cluster show to selectors, as far as hints look.
fn published(world: &World) -> Vec<DeviceInput<'_>> {
    let devices = world.devices.iter().filter_map(|entry| {
        let device = entry.device()?;
        Some(DeviceInput::of(&entry.key.driver, device))
    });
    devices.take(HINTING_DEVICES).collect()
}

/// The expression of a selector.
fn expression(
    cluster: &Cluster,
    claims: &[AttemptClaim],
    selector: &SelectorOf<'_>,
) -> Option<String> {
    let of = |list: &[DeviceSelector]| list.get(selector.index)?.cel_expression.clone();
    if selector.of_class {
        return of(&cluster.classes.get("", &selector.request.class)?.value.selectors);
    }
    let claim = claims
        .iter()
        .find(|claim| crate::explain::claim_ref(&claim.claim) == selector.request.claim)?;
    of(&exact_request(&claim.claim, selector.request)?.selectors)
}

/// `index == 7` for `device.attributes["gpu.example.com"].index == 7`.
pub(super) fn shorten(expression: &str) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while let Some(at) = rest.find("device.") {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        if let Some(member) = member_of_domain(tail) {
            rest = member;
        } else {
            let (word, tail) = tail.split_at("device.".len());
            out.push_str(word);
            rest = tail;
        }
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What follows `device.attributes["…"].` or `device.capacity["…"].`.
fn member_of_domain(text: &str) -> Option<&str> {
    ["device.attributes[", "device.capacity["].iter().find_map(|prefix| {
        let inside = text.strip_prefix(prefix)?;
        let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let inside = inside.get(1..)?;
        let after = inside.get(inside.find(quote)? + 1..)?;
        after.strip_prefix("].")
    })
}

/// One expression on several devices, every sub-expression with its value.
pub(super) fn trace_table(
    env: &Env,
    world: &World,
    expression: &str,
    devices: &[usize],
) -> report::TraceTable {
    let compiled = env.selectors().compile(expression);
    let units = Units::of(expression);
    let parts = compiled.parts();
    let admission = env.selectors().admission(expression);
    report::TraceTable {
        expression: expression.to_owned(),
        compile_error: compiled.error().map(str::to_owned),
        admission_error: admission.message(expression),
        hints: trace_hints(env, world, expression, &units),
        parts: parts
            .iter()
            .map(|part| report::TracePart {
                id: u64::from(part.id),
                from: units.at(part.from),
                to: units.at(part.to),
                depth: part.depth,
                kind: part.kind.clone(),
            })
            .collect(),
        columns: devices
            .iter()
            .filter_map(|index| {
                let entry = world.devices.get(*index)?;
                let device = entry.device()?;
                let trace = compiled.trace(&DeviceInput::of(&entry.key.driver, device));
                Some(report::TraceColumn {
                    device: *index,
                    answer: match trace.answer {
                        Some(true) => "true",
                        Some(false) => "false",
                        None => "error",
                    }
                    .to_owned(),
                    error: trace.error.or(trace.compile_error),
                    cost: trace.cost,
                    events: trace.events.into_iter().map(event).collect(),
                })
            })
            .collect(),
        max_cost: admission.max_cost.or_else(|| compiled.max_cost()),
        cost_limit: COST_LIMIT,
    }
}

/// The hints for an expression, from all devices of the text.
fn trace_hints(
    env: &Env,
    world: &World,
    expression: &str,
    units: &Units,
) -> Vec<report::TraceHint> {
    hints(env.selectors(), expression, &published(world))
        .into_iter()
        .map(|hint| report::TraceHint {
            from: units.at(hint.from),
            to: units.at(hint.to),
            message: hint.message,
            replacement: hint.replacement,
        })
        .collect()
}

fn event(event: crate::selector::TraceEvent) -> report::TraceEvent {
    let (outcome, text) = match event.outcome {
        Outcome::Value(text) => ("value", text),
        Outcome::Error(text) => ("error", text),
        Outcome::Skipped(Skip::Folded) => ("folded", skip(Skip::Folded).to_owned()),
        Outcome::Skipped(why) => ("skipped", skip(why).to_owned()),
    };
    report::TraceEvent {
        id: u64::from(event.id),
        iteration: event.iteration,
        outcome: outcome.to_owned(),
        text,
    }
}

fn skip(why: Skip) -> &'static str {
    match why {
        Skip::LeftTrue => "a term before it was true, which decides the ||",
        Skip::LeftFalse => "a term before it was false, which decides the &&",
        Skip::BranchNotTaken => "the condition chose the other branch",
        Skip::LoopEnded => "the loop had its answer",
        Skip::BindUnused => "nothing read the variable",
        Skip::Folded => "part of a constant",
        Skip::NotNeeded => "the optional before it had a value",
    }
}

/// UTF-16 offsets of code points.
struct Units(Vec<u32>);

impl Units {
    fn of(text: &str) -> Self {
        let mut units = Vec::with_capacity(text.len() + 1);
        let mut at = 0;
        for c in text.chars() {
            units.push(at);
            at += u32::try_from(c.len_utf16()).unwrap_or(1);
        }
        units.push(at);
        Self(units)
    }

    fn at(&self, code_point: u32) -> u32 {
        self.0.get(code_point as usize).or(self.0.last()).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
