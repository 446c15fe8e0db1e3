//! Oddities that show only when all objects are together.

use std::collections::BTreeMap;

use crate::cluster::Cluster;
use crate::features::{NilSelector, Variant, VisitOrder};
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
];

/// Names what the text uses and the playground does not model.
fn unmodelled(timeline: &mut Timeline) {
    for (field, feature) in UNMODELLED {
        let mut users =
            timeline.sources.iter().filter(|object| mentions(object.spans.root(), field));
        if let Some(object) = users.next() {
            let remark = Remark {
                kind: RemarkKind::NotModelled,
                text: format!("not modelled: {feature}; `{field}` is read and left out of account"),
                object: Some(object.key()),
                reference: None,
                fixed_in: None,
            };
            timeline.remarks.push(remark);
        }
    }
}

/// Whether a field of that name is somewhere in a tree.
fn mentions(node: &Node, field: &str) -> bool {
    match &node.kind {
        NodeKind::Scalar(_) => false,
        NodeKind::Sequence(items) => items.iter().any(|item| mentions(item, field)),
        NodeKind::Mapping(entries) => entries.iter().any(|(key, value)| {
            key.scalar().is_some_and(|key| &*key.value == field) || mentions(value, field)
        }),
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

/// Rules with the effect `None`: what they would do with `NoExecute`.
pub(super) fn preview_rules(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    for rule in cluster.taint_rules.iter() {
        if rule.value.taint.effect != "None" {
            continue;
        }
        let radius = blast_radius(cluster, &rule.value, env.behavior());
        let at = span(timeline, rule.origin.source);
        let name = &rule.value.metadata.name;
        timeline.diagnostics.push(codes::rule_preview(name, &radius.in_words(), at));
    }
}

fn taint_rules(cluster: &Cluster, env: &Env, timeline: &mut Timeline) {
    let behavior = env.behavior();
    for rule in cluster.taint_rules.iter() {
        let name = &rule.value.metadata.name;
        let at = span(timeline, rule.origin.source);
        let diagnostic = if behavior.rule_tracker_broken && behavior.taint_rules {
            codes::rules_broken(name, at)
        } else if !behavior.taint_rules {
            codes::rules_off(name, at)
        } else {
            match &rule.value.device_selector {
                // That it selects nothing is said for all releases alike.
                None if behavior.rule_nil_selector == NilSelector::None => continue,
                None => codes::rule_selects_everything(name, at),
                Some(selector)
                    if selector.driver.is_none()
                        && selector.pool.is_none()
                        && selector.device.is_none() =>
                {
                    codes::rule_selects_everything(name, at)
                }
                Some(_) => continue,
            }
        };
        timeline.diagnostics.push(diagnostic);
    }
}
