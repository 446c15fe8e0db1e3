//! Recorded allocations: one scenario a line, with the answers of the real allocator.
//!
//! A line holds nodes, classes, slices and claims, and what the allocator of a release said: for
//! every node on its own (`perNode`), and for the claims one after another (`sequence`).

mod answer;
mod scene;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use crate::allocator::{
    AllocatedState, Allocator, Attempt, Context, Ground, Observer, Outcome, Pruning, ShareIds,
};
use crate::api::{Node, ResourceClaim};
use crate::features::CelSwitches;
use crate::pool::PoolId;
use crate::selector::Selectors;

use answer::describe;
pub(in crate::conformance) use answer::result_json;
pub use scene::Scene;

/// How a line compares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Our answer is the recorded one.
    Equal,
    /// Our answer differs, in these words.
    Different(String),
    /// The line is left out, for this reason.
    Skipped(&'static str),
}

/// What is compared.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether search calls may be left out; they are only compared when not.
    pub pruning: Pruning,
    /// Search calls allowed for each node.
    pub budget: Option<u64>,
}

/// Whether a line is a recorded allocation.
pub fn is_allocation(line: &str) -> bool {
    line.contains("\"resourceSlices\"")
}

/// Compares our answers with those of a line.
pub fn compare(line: &str, options: Options) -> Comparison {
    Comparer::default().compare(line, options)
}

/// Compares many lines and keeps the selectors that it compiled.
#[derive(Debug, Default)]
pub struct Comparer {
    selectors: Vec<(CelSwitches, Rc<Selectors>)>,
}

impl Comparer {
    /// Compares our answers with those of a line.
    pub fn compare(&mut self, line: &str, options: Options) -> Comparison {
        match Scene::read(line) {
            Ok(scene) => {
                let selectors = self.selectors(&scene.behavior.cel);
                compare_scene(&scene, &selectors, options)
            }
            Err(error) => Comparison::Different(error),
        }
    }

    /// Selectors for these switches.
    pub fn selectors(&mut self, switches: &CelSwitches) -> Rc<Selectors> {
        if let Some((_, selectors)) = self.selectors.iter().find(|(known, _)| known == switches) {
            return Rc::clone(selectors);
        }
        let selectors = Rc::new(Selectors::new(switches));
        self.selectors.push((*switches, Rc::clone(&selectors)));
        selectors
    }
}

fn compare_scene(scene: &Scene, selectors: &Selectors, options: Options) -> Comparison {
    let expected = scene.expected.clone();
    if expected.get("unstable").is_some_and(is_set) || expected.get("inputMutated").is_some() {
        return Comparison::Skipped("the recorded answer is not stable");
    }
    let mut skipped = None;
    let variant = expected.get("allocator").and_then(Value::as_str);
    if let Some(variant) = variant
        && variant != scene.behavior.variant.as_str()
    {
        let ours = scene.behavior.variant.as_str();
        return Comparison::Different(["variant: ", ours, " instead of ", variant].concat());
    }
    let mut differences = Vec::new();
    for answer in expected.get("perNode").and_then(Value::as_array).into_iter().flatten() {
        if is_flagged(answer) {
            skipped = Some("the recorded answer is not stable");
            continue;
        }
        scene.compare_node(answer, selectors, options, &mut differences);
    }
    if let Some(sequence) = expected.get("sequence").and_then(Value::as_array) {
        if sequence.iter().any(is_flagged) {
            skipped = Some("the recorded answer is not stable");
        } else {
            scene.compare_sequence(sequence, selectors, options, &mut differences);
        }
    }
    match (differences.is_empty(), skipped) {
        (false, _) => Comparison::Different(differences.join("\n")),
        (true, Some(reason)) => Comparison::Skipped(reason),
        (true, None) => Comparison::Equal,
    }
}

fn is_set(value: &Value) -> bool {
    value != &Value::Bool(false) && !value.is_null()
}

fn is_flagged(answer: &Value) -> bool {
    let attempts = answer.get("attempts").and_then(Value::as_array);
    ["nondeterministic", "unstable", "inputMutated"]
        .iter()
        .any(|flag| answer.get(flag).is_some_and(is_set))
        || attempts.into_iter().flatten().any(is_flagged)
}

/// `share-1`, `share-2` and so on.
#[derive(Debug, Default)]
struct Numbered(u64);

impl ShareIds for Numbered {
    fn next_share_id(&mut self) -> String {
        self.0 += 1;
        ["share-", &self.0.to_string()].concat()
    }
}

impl Scene {
    /// Allocates claims on a node for which nothing was asked before.
    pub fn allocate(
        &self,
        node: &Node,
        selectors: &Selectors,
        options: Options,
        share_ids: &mut dyn ShareIds,
        observer: &mut dyn Observer,
    ) -> Attempt {
        let state = AllocatedState::from_claims(&self.allocated, &self.behavior);
        let ground = Ground::new(&self.slices);
        let context = self.context(&ground, &state, selectors, options);
        self.allocate_all(context, node, share_ids, observer)
    }

    /// Compares our answers with what was recorded.
    pub fn compare(&self, selectors: &Selectors, options: Options) -> Comparison {
        compare_scene(self, selectors, options)
    }

    fn allocate_all(
        &self,
        context: Context<'_>,
        node: &Node,
        share_ids: &mut dyn ShareIds,
        observer: &mut dyn Observer,
    ) -> Attempt {
        let claims: Vec<&ResourceClaim> = self.claims.iter().collect();
        Allocator::new(context).allocate(node, &claims, share_ids, observer)
    }

    /// Every answer for a node that some order of the pools gives, the one of the order in the text
    /// first, in the form of the records.
    ///
    /// More than `MOST_ORDERED` pools are not tried in every order, only rotated.
    pub fn answers_of_all_orders(
        &self,
        node: &Node,
        selectors: &Selectors,
        options: Options,
    ) -> Vec<BTreeMap<&'static str, Value>> {
        let state = AllocatedState::from_claims(&self.allocated, &self.behavior);
        let ground = Ground::new(&self.slices);
        let mut pools: Vec<PoolId> = Vec::new();
        for slice in &self.slices {
            let id = PoolId::new(&slice.driver, &slice.pool.name);
            if !pools.contains(&id) {
                pools.push(id);
            }
        }
        let mut answers = Vec::new();
        for order in orders(&pools) {
            let context = Context {
                pool_order: Some(&order),
                ..self.context(&ground, &state, selectors, options)
            };
            let attempt = self.allocate_all(context, node, &mut Numbered::default(), &mut ());
            let answer = outcome_fields(&attempt.outcome, true);
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        answers
    }

    fn context<'a>(
        &'a self,
        ground: &'a Ground,
        allocated: &'a AllocatedState,
        selectors: &'a Selectors,
        options: Options,
    ) -> Context<'a> {
        Context {
            behavior: &self.behavior,
            ground,
            classes: &self.classes,
            allocated,
            selectors,
            pruning: options.pruning,
            budget: options.budget,
            pool_order: None,
        }
    }

    fn compare_node(
        &self,
        answer: &Value,
        selectors: &Selectors,
        options: Options,
        differences: &mut Vec<String>,
    ) {
        let name = answer.get("node").and_then(Value::as_str).unwrap_or_default();
        let Some(node) = self.nodes.iter().find(|node| node.metadata.name == name) else {
            differences.push(["node ", name, " is not in the line"].concat());
            return;
        };
        let attempt = self.allocate(node, selectors, options, &mut Numbered::default(), &mut ());
        let mut ours = outcome_fields(&attempt.outcome, true);
        ours.insert("node", Value::from(name));
        if options.pruning == Pruning::Off
            && let Some(calls) = attempt.search_calls
        {
            ours.insert("allocateOneCalls", Value::from(calls));
        }
        for field in ["result", "error", "errorKind", "allocateOneCalls"] {
            if field == "allocateOneCalls" && options.pruning != Pruning::Off {
                continue;
            }
            let wanted = answer.get(field).filter(|value| !value.is_null());
            let found = ours.get(field);
            if wanted != found {
                differences.push(difference(&["perNode ", name, " ", field], wanted, found));
            }
        }
    }

    fn compare_sequence(
        &self,
        sequence: &[Value],
        selectors: &Selectors,
        options: Options,
        differences: &mut Vec<String>,
    ) {
        let mut allocated: Vec<ResourceClaim> = self.allocated.clone();
        let mut share_ids = Numbered::default();
        let ground = Ground::new(&self.slices);
        for (claim, answer) in self.claims.iter().zip(sequence) {
            let state = AllocatedState::from_claims(&allocated, &self.behavior);
            let mut allocator = Allocator::new(self.context(&ground, &state, selectors, options));
            let mut attempts = Vec::new();
            let mut ours: BTreeMap<&str, Value> = BTreeMap::new();
            let mut result = None;
            for node in &self.nodes {
                let attempt = allocator.allocate(node, &[claim], &mut share_ids, &mut ());
                let mut fields = outcome_fields(&attempt.outcome, false);
                fields.insert("node", Value::from(node.metadata.name.as_str()));
                attempts.push(Value::from_iter(fields));
                match attempt.outcome {
                    Outcome::Allocated(mut results) => {
                        result = results.pop();
                        ours.insert("node", Value::from(node.metadata.name.as_str()));
                        break;
                    }
                    Outcome::NotAllocated | Outcome::NodeError(_) => {}
                    Outcome::Fatal(_) | Outcome::Crash(_) | Outcome::Exhausted { .. } => {
                        ours.insert("error", Value::from(describe(&attempt.outcome)));
                        break;
                    }
                }
            }
            if let Some(result) = &result {
                ours.insert("result", result_json(result));
            }
            ours.insert("attempts", Value::from(attempts));
            let name = claim.metadata.name.as_str();
            for field in ["node", "result", "error", "attempts"] {
                let wanted = answer.get(field).filter(|value| !value.is_null());
                let found = ours.get(field);
                if wanted != found {
                    differences.push(difference(&["sequence ", name, " ", field], wanted, found));
                }
            }
            let mut done = claim.clone();
            done.status.allocation = result;
            allocated.push(done);
        }
    }
}

/// Pools that are tried in every order.
const MOST_ORDERED: usize = 6;

/// Every order of some pools, the given one first.
fn orders(pools: &[PoolId]) -> Vec<Vec<PoolId>> {
    if pools.len() > MOST_ORDERED {
        let rotated = |by: usize| pools.iter().cycle().skip(by).take(pools.len()).cloned();
        return (0..pools.len()).map(|by| rotated(by).collect()).collect();
    }
    let Some((first, rest)) = pools.split_first() else { return vec![Vec::new()] };
    let mut found = Vec::new();
    for order in orders(rest) {
        for place in 0..=order.len() {
            let mut order = order.clone();
            order.insert(place, first.clone());
            found.push(order);
        }
    }
    // Those that begin as the text does come first.
    found.sort_by_key(|order| order != pools);
    found
}

/// Compares a line whose answers follow a random order of pools: each recorded answer must be ours
/// for some order. What comes of claims one after another is left out, and so are search calls.
pub fn compare_any_order(line: &str, options: Options) -> Comparison {
    let scene = match Scene::read(line) {
        Ok(scene) => scene,
        Err(error) => return Comparison::Different(error),
    };
    let selectors = Selectors::new(&scene.behavior.cel);
    let answers = scene.expected.get("perNode").and_then(Value::as_array);
    for answer in answers.into_iter().flatten() {
        let name = answer.get("node").and_then(Value::as_str).unwrap_or_default();
        let Some(node) = scene.nodes.iter().find(|node| node.metadata.name == name) else {
            return Comparison::Different(["node ", name, " is not in the line"].concat());
        };
        let ours = scene.answers_of_all_orders(node, &selectors, options);
        let others = answer.get("others").and_then(Value::as_array).into_iter().flatten();
        let is_mutated = |answer: &&Value| answer.get("inputMutated").is_some_and(is_set);
        for recorded in std::iter::once(answer).chain(others).filter(|it| !is_mutated(it)) {
            let is_same = |ours: &BTreeMap<&str, Value>| {
                ["result", "error", "errorKind"].iter().all(|field| {
                    recorded.get(field).filter(|value| !value.is_null()) == ours.get(field)
                })
            };
            if !ours.iter().any(is_same) {
                let ours: Vec<String> =
                    ours.iter().map(|ours| Value::from_iter(ours.clone()).to_string()).collect();
                return Comparison::Different(format!(
                    "perNode {name} any order: recorded {recorded}, ours one of {}",
                    ours.join(", ")
                ));
            }
        }
    }
    Comparison::Equal
}

fn difference(what: &[&str], wanted: Option<&Value>, found: Option<&Value>) -> String {
    let show = |value: Option<&Value>| value.map_or_else(|| "nothing".to_owned(), Value::to_string);
    [&what.concat(), ": recorded ", &show(wanted), ", ours ", &show(found)].concat()
}

fn outcome_fields(outcome: &Outcome, per_node: bool) -> BTreeMap<&'static str, Value> {
    let mut fields = BTreeMap::new();
    let (word, kind) = match outcome {
        Outcome::Allocated(results) => {
            if per_node {
                fields.insert("result", results.iter().map(result_json).collect());
            }
            ("allocated", None)
        }
        Outcome::NotAllocated => ("null", None),
        Outcome::NodeError(_) => ("error", Some("node")),
        Outcome::Fatal(_) => ("error", Some("fatal")),
        Outcome::Crash(_) => ("error", Some("crash")),
        Outcome::Exhausted { .. } => ("error", Some("exhausted")),
    };
    if let Some(kind) = kind {
        fields.insert("errorKind", Value::from(kind));
        fields.insert("error", Value::from(describe(outcome)));
    }
    if !per_node {
        fields.insert("outcome", Value::from(word));
    }
    fields
}

/// The slices, classes and so on are shared between attempts.
type Shared<T> = BTreeMap<String, Rc<T>>;
