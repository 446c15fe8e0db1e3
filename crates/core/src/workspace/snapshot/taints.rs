//! Taints in force: which devices have them, and who says so.

use std::collections::BTreeMap;

use crate::cluster::Cluster;
use crate::features::Behavior;

use super::super::report::{ObjectKey, TaintView};
use super::devices::taint as written;
use super::{Places, World};

/// Taints of slices, alike ones together, then those of rules in text order.
pub(super) fn taint_views(
    cluster: &Cluster,
    world: &World,
    behavior: &Behavior,
    places: &dyn Places,
) -> Vec<TaintView> {
    let mut views: Vec<TaintView> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (index, entry) in world.devices.iter().enumerate() {
        let taints = entry.device().map_or(&[][..], |device| &device.taints);
        for (at, taint) in taints.iter().enumerate() {
            let text = written(taint);
            let place = *known.entry(text.clone()).or_insert(views.len());
            if let Some(view) = views.get_mut(place) {
                // A device may have it twice.
                if view.devices.last() != Some(&index) {
                    view.devices.push(index);
                }
                continue;
            }
            let path = format!("spec.devices[{}].taints[{at}].key", entry.position);
            views.push(TaintView {
                taint: text,
                effect: taint.effect.clone(),
                rule: None,
                range: places.field(entry.origin, &path),
                devices: vec![index],
            });
        }
    }
    let rules = cluster.active_rules(behavior);
    views.extend(rules.iter().map(|(rule, matcher)| {
        TaintView {
            taint: written(&rule.value.taint),
            effect: rule.value.taint.effect.clone(),
            rule: Some(ObjectKey {
                kind: "DeviceTaintRule".to_owned(),
                namespace: String::new(),
                name: rule.value.metadata.name.clone(),
            }),
            range: places.field(rule.origin, "spec.taint.key"),
            devices: (0..world.devices.len())
                .filter(|at| {
                    world.devices.get(*at).is_some_and(|entry| {
                        entry.device().is_some_and(|device| matcher.taints(&entry.slice, device))
                    })
                })
                .collect(),
        }
    }));
    views.retain(|view| !view.devices.is_empty());
    views
}
