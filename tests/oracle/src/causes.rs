//! Why recorded answers of an earlier version differ from those of a release: which switches of
//! behavior, set as they were before, give the recorded answer again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;

use dra_playground_core::allocator::Pruning;
use dra_playground_core::conformance::alloc::{Comparison, Options, Scene};
use dra_playground_core::features::Behavior;
use dra_playground_core::selector::Selectors;
use serde_json::{Value, json};

use crate::compare::is_random;
use crate::process;
use crate::release::Release;

/// The release whose switches are taken as those of before.
const BEFORE: &str = "1.36.2";

/// Search calls that ours may make for one node.
const BUDGET: u64 = 5_000_000;

/// A switch that can explain a difference.
struct Switch {
    name: &'static str,
    /// What the change from the earlier value to the newer one is about.
    change: &'static str,
    /// Sets the earlier value.
    set: fn(&mut Behavior, &Behavior),
}

macro_rules! switches {
    ($($field:ident: $change:literal),* $(,)?) => {
        [$(Switch {
            name: stringify!($field),
            change: $change,
            set: |now, before| now.$field = before.$field,
        }),*]
    };
}

const SWITCHES: [Switch; 13] = switches! {
    reservation_leaks: "refused and undone devices give back their counters and constraints \
        (kubernetes/kubernetes#140431, #140663)",
    claim_limit_text: "more than 32 devices are refused at the request that goes beyond, in other words",
    cel: "errors of selectors name the device and hint at optional chaining",
    step_result_format: "an amount that was rounded up to a step is written as the step is",
    distinct_memory: "distinctAttribute remembers every device (kubernetes/kubernetes#140600)",
    counter_scope: "counters are kept by driver and pool (kubernetes/kubernetes#140435, #140504)",
    counter_slices_any_node: "slices with counters count only for nodes that they select",
    share_without_capacity_is_in_use: "an earlier share without capacity marks its device as in use \
        (kubernetes/kubernetes#140437)",
    all_keeps_exhausted: "`All` keeps devices that are used up, and fails \
        (kubernetes/kubernetes#140769)",
    capacity_overflow: "capacity requests that cannot be represented are faults \
        (kubernetes/kubernetes#140442)",
    list_narrowing_leaks: "matchAttribute over lists is narrowed anew after backtracking \
        (kubernetes/kubernetes#140300)",
    config_requests_cleared: "configuration for all requests names none",
    claim_config_repeat: "a claim's configuration is given once (kubernetes/kubernetes#139731)",
};

/// Compares the answers in files with those of a release and groups by cause the lines that differ;
/// the report is Markdown.
///
/// # Errors
/// When a file cannot be read or the real code cannot be asked.
pub fn report(release: Release, files: &[String]) -> io::Result<String> {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut lines, mut different) = (0, 0);
    for file in files {
        let given: Vec<String> = fs::read_to_string(file)?.lines().map(str::to_owned).collect();
        let mut before = given.clone().into_iter();
        process::answer(release, given, |now| {
            let before: Value = serde_json::from_str(&before.next().unwrap_or_default())?;
            let now: Value = serde_json::from_str(&now)?;
            lines += 1;
            if answer(&before) != answer(&now) {
                different += 1;
                let name = before.get("name").and_then(Value::as_str).unwrap_or_default();
                groups.entry(cause(&before, &now)).or_default().push(name.to_owned());
            }
            Ok(())
        })?;
    }
    let mut out = format!("{different} of {lines} answers are others in {}.\n", release.name);
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for (cause, names) in groups {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        // Writing into a string cannot fail.
        let _ = writeln!(out, "\n## {cause}\n\n{}: {}", names.len(), names.join(", "));
    }
    Ok(out)
}

/// What is compared of an answer: everything but search calls and marks.
fn answer(record: &Value) -> Vec<Value> {
    let take = |value: &Value, fields: &[&str]| -> Value {
        let kept = fields.iter().map(|field| value.get(field).cloned().unwrap_or_default());
        kept.collect()
    };
    let items = |path: &str| record.pointer(path).and_then(Value::as_array).into_iter().flatten();
    let nodes = items("/expected/perNode")
        .map(|node| take(node, &["node", "result", "error", "errorKind"]));
    let steps =
        items("/expected/sequence").map(|step| take(step, &["claim", "node", "result", "error"]));
    nodes.chain(steps).collect()
}

/// The switches that explain a difference, as a heading.
fn cause(before: &Value, now: &Value) -> String {
    let mut line = now.clone();
    put(&mut line, "expected", before.get("expected").cloned().unwrap_or_default());
    let text = line.to_string();
    put(&mut line, "kubernetes", json!(BEFORE));
    let Ok(earlier) = Scene::read(&line.to_string()) else { return "ours does not read it".into() };
    let explains = |switches: &[&Switch]| {
        let Ok(mut scene) = Scene::read(&text) else { return false };
        for switch in switches {
            (switch.set)(&mut scene.behavior, &earlier.behavior);
        }
        let options = Options { pruning: Pruning::Proven, budget: Some(BUDGET) };
        let selectors = Selectors::new(&scene.behavior.cel);
        scene.compare(&selectors, options) == Comparison::Equal
    };
    let mut needed: Vec<&Switch> = SWITCHES.iter().collect();
    if !explains(&needed) {
        let was_mutated = before.to_string().contains("\"inputMutated\":true");
        return match (is_random(now), was_mutated) {
            (true, _) => "Pools are visited in random order",
            (false, true) => {
                "`quantity_aliasing`: amounts in decimal form stay as they are while devices are \
                 allocated (kubernetes/kubernetes#140702); the playground does not reproduce it"
            }
            (false, false) => "Not explained",
        }
        .into();
    }
    // Those that are not needed are taken away one by one.
    for switch in &SWITCHES {
        let fewer: Vec<_> = needed.iter().copied().filter(|it| it.name != switch.name).collect();
        if explains(&fewer) {
            needed = fewer;
        }
    }
    if needed.is_empty() {
        // The answers differ in what does not count.
        return "Nothing but order".into();
    }
    let names: Vec<_> = needed.iter().map(|it| format!("`{}`: {}", it.name, it.change)).collect();
    names.join("; ")
}

fn put(record: &mut Value, field: &str, value: Value) {
    if let Some(fields) = record.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}
