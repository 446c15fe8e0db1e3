//! Oddities that show only when all objects are together.

use std::collections::BTreeMap;

use crate::api::DeviceTaintRule;
use crate::cluster::Cluster;
use crate::diagnostic::Diagnostic;
use crate::features::{Behavior, NilSelector, Variant, VisitOrder};
use crate::scheduler::Env;
use crate::source::Span;
use crate::yaml::{Node, NodeKind};

use super::blast::blast_radius;
use super::codes;
use super::timeline::{Remark, RemarkKind, Timeline};

/// Looks at the objects of the text and adds what is odd to the timeline's diagnostics.
pub(super) fn check(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    taint_rules(cluster, env, timeline);
    random_order(cluster, env, timeline);
    unmodelled(timeline);
}

fn span(timeline: &Timeline, source: Option<usize>) -> Span {
    let object = source.and_then(|source| timeline.sources.get(source));
    object.map(|object| object.name_span()).unwrap_or_default()
}

/// Fields that are recognized and left out of account.
const UNMODELLED: &[(&str, &str)] = &[
    ("compatibilityGroups", "compatibility groups (KEP-5963, DRADeviceCompatibilityGroups)"),
    ("derivedAttributes", "derived attributes (KEP-6080, DRADerivedAttributes)"),
    (
        "nodeAllocatableResourceMappings",
        "node-allocatable resources (KEP-5517, DRANodeAllocatableResources)",
    ),
    (
        "nodeAllocatableResources",
        "node-allocatable resources (KEP-5517, DRANodeAllocatableResources)",
    ),
    ("schedulingGroup", "Pods that are scheduled as a group (KEP-5729, DRAWorkloadResourceClaims)"),
    ("schedulerName", "other schedulers than kube-scheduler"),
    ("podAffinity", "affinity between Pods"),
    ("podAntiAffinity", "affinity between Pods"),
    ("topologySpreadConstraints", "Pods that are spread over nodes"),
    ("hostPort", "ports of nodes"),
    ("persistentVolumeClaim", "volumes"),
];

/// Names what the text uses and the playground does not model.
fn unmodelled(timeline: &mut Timeline) {
    let mut users = [const { None }; UNMODELLED.len()];
    for object in &timeline.sources {
        each_field(object.spans.root(), &mut |field| {
            let known = UNMODELLED.iter().zip(&mut users).find(|((known, _), _)| *known == field);
            if let Some((_, user)) = known {
                user.get_or_insert_with(|| object.key());
            }
        });
    }
    for ((field, feature), user) in UNMODELLED.iter().zip(users) {
        if user.is_some() {
            timeline.remarks.push(Remark {
                kind: RemarkKind::NotModelled,
                text: format!("not modelled: {feature}; `{field}` is read and left out of account"),
                object: user,
                reference: None,
                fixed_in: None,
            });
        }
    }
}

/// Tells of every field in a tree that says something.
fn each_field(node: &Node, tell: &mut impl FnMut(&str)) {
    match &node.kind {
        NodeKind::Scalar(_) => {}
        NodeKind::Sequence(items) => items.iter().for_each(|item| each_field(item, tell)),
        NodeKind::Mapping(entries) => {
            for (key, value) in entries {
                if let Some(key) = key.scalar().filter(|_| says_something(value)) {
                    tell(&key.value);
                }
                each_field(value, tell);
            }
        }
    }
}

/// Whether a value is neither empty nor the one that every dump has.
fn says_something(value: &Node) -> bool {
    match &value.kind {
        NodeKind::Scalar(scalar) => !matches!(&*scalar.value, "" | "default-scheduler"),
        NodeKind::Sequence(items) => !items.is_empty(),
        NodeKind::Mapping(entries) => !entries.is_empty(),
    }
}

/// Says where the release chooses at random between several right answers.
fn random_order(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    let behavior = env.behavior();
    let mut slices: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for slice in cluster.slices.iter().map(|slice| slice.value.as_ref()) {
        if !slice.devices.is_empty() {
            *slices.entry((&slice.driver, &slice.pool.name)).or_default() += 1;
        }
    }
    let several_slices = slices.values().any(|count| *count > 1);
    let what = match (behavior.pool_order, behavior.slice_order) {
        (VisitOrder::Random, _) if slices.len() > 1 => "pools",
        (_, VisitOrder::Random) if several_slices => "the slices of a pool",
        _ => return,
    };
    // The stable variant has kept it so.
    let changes = behavior.variant != Variant::Stable;
    timeline.remarks.push(Remark {
        kind: RemarkKind::Choice,
        text: format!(
            "this release visits {what} in random order: the answer shown is one of several"
        ),
        object: None,
        reference: changes.then(|| "kubernetes/kubernetes#136641".to_owned()),
        fixed_in: changes.then(|| "1.36.0".to_owned()),
    });
}

/// The scenario is too large to be run to its end.
pub(super) fn too_much(left_out: usize) -> Remark {
    Remark {
        kind: RemarkKind::NotModelled,
        text: format!("the scenario is too large: {left_out} scheduling attempts were not made"),
        object: None,
        reference: None,
        fixed_in: None,
    }
}

/// Rules that are there from the beginning with the effect `None`: what they would do.
pub(super) fn preview_rules(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    for rule in cluster.taint_rules.iter() {
        if rule.since_step == 0 && rule.value.taint.effect == "None" {
            let at = span(timeline, rule.origin.source);
            timeline.diagnostics.extend(preview_rule(cluster, &rule.value, env, at));
        }
    }
}

/// What a rule does to a cluster to which it is about to be applied, or would do with `NoExecute`.
pub(super) fn preview_rule(
    cluster: &Cluster,
    rule: &DeviceTaintRule,
    env: &Env,
    at: Span,
) -> Option<Diagnostic> {
    let (name, effect) = (&rule.metadata.name, rule.taint.effect.as_str());
    if !env.behavior().taint_rules || !matches!(effect, "None" | "NoExecute") {
        return None;
    }
    let radius = blast_radius(cluster, rule, env.behavior()).in_words();
    Some(match effect {
        "None" => codes::rule_preview(name, &radius, at),
        _ => codes::rule_applied(name, &radius, at),
    })
}

fn taint_rules(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    for rule in cluster.taint_rules.iter() {
        let at = span(timeline, rule.origin.source);
        timeline.diagnostics.extend(odd_rule(&rule.value, env.behavior(), at));
    }
}

/// A rule that does more or less than it says.
pub(super) fn odd_rule(
    rule: &DeviceTaintRule,
    behavior: &Behavior,
    at: Span,
) -> Option<Diagnostic> {
    let name = &rule.metadata.name;
    if behavior.rule_tracker_broken && behavior.taint_rules {
        return Some(codes::rules_broken(name, at));
    }
    if !behavior.taint_rules {
        return Some(codes::rules_off(name, at));
    }
    let is_for_all = match &rule.device_selector {
        // That it selects nothing is said for all releases alike.
        None => behavior.rule_nil_selector == NilSelector::All,
        Some(selector) => {
            selector.driver.is_none() && selector.pool.is_none() && selector.device.is_none()
        }
    };
    is_for_all.then(|| codes::rule_selects_everything(name, at))
}
