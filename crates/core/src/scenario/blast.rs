//! What a DeviceTaintRule touches, told before it is applied.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::api::DeviceTaintRule;
use crate::apimachinery::ObjectRef;
use crate::cluster::{Cluster, Object, Origin, RuleMatcher};
use crate::features::{Behavior, RuleCriteria};
use crate::pool::DeviceId;
use crate::scheduler::is_special;

use super::eviction::{Eviction, evictions, names};

/// What a rule touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlastRadius {
    /// Devices that get the taint, at the newest generation of their pool.
    pub devices: BTreeSet<DeviceId>,
    /// Those that claims hold: of these, and since 1.35 of those that are no longer published.
    pub held: BTreeSet<DeviceId>,
    /// Running Pods that the rule evicts, and after how many seconds.
    pub evicted: Vec<(ObjectRef, u64)>,
    /// Pods that stay although they use such a device: before 1.37.2 the controller passes over claims
    /// for extended resources (kubernetes/kubernetes#141290).
    pub spared: Vec<String>,
}

/// What a rule with the effect `NoExecute` would do to a cluster, whatever its effect is now.
pub fn blast_radius(cluster: &Cluster, rule: &DeviceTaintRule, behavior: &Behavior) -> BlastRadius {
    let mut radius = BlastRadius::default();
    if !behavior.taint_rules {
        return radius;
    }
    let matcher = RuleMatcher::new(rule, cluster, behavior);
    for slice in cluster.slices.iter() {
        let slice = slice.value.as_ref();
        let newest = cluster.newest_slices(&slice.driver, &slice.pool.name);
        if newest.first().is_some_and(|other| other.pool.generation != slice.pool.generation) {
            continue;
        }
        let tainted = slice.devices.iter().filter(|device| matcher.taints(slice, device));
        radius.devices.extend(
            tainted.map(|device| DeviceId::new(&slice.driver, &slice.pool.name, &device.name)),
        );
    }
    let by_name = behavior.rule_criteria == RuleCriteria::DriverPoolDevice;
    for claim in cluster.claims.iter() {
        let results = claim.value.status.allocation.iter();
        for result in results.flat_map(|allocation| &allocation.results) {
            let device = DeviceId::new(&result.driver, &result.pool, &result.device);
            // The controller needs no published device.
            let is_named = by_name && names(rule, result);
            if (is_named || radius.devices.contains(&device))
                && radius.held.insert(device)
                && is_special(&claim.value)
            {
                let users = claim.value.status.reserved_for.iter();
                radius.spared.extend(users.map(|user| user.name.clone()));
            }
        }
    }
    radius.evicted = evicted(cluster, rule, behavior);
    radius.spared.retain(|name| radius.evicted.iter().all(|(pod, _)| pod.name != *name));
    radius
}

fn evicted(
    cluster: &Cluster,
    rule: &DeviceTaintRule,
    behavior: &Behavior,
) -> Vec<(ObjectRef, u64)> {
    let mut without = cluster.clone();
    without.taint_rules.remove("", &rule.metadata.name);
    let mut tainting = rule.clone();
    "NoExecute".clone_into(&mut tainting.taint.effect);
    tainting.taint.time_added = None;
    let mut with = without.clone();
    with.taint_rules.put(Object {
        value: Rc::new(tainting),
        origin: Origin::default(),
        created_seconds: cluster.clock_seconds,
        since_step: 0,
    });
    let before = evictions(&without, behavior);
    let is_new = |eviction: &Eviction| {
        !before.iter().any(|old| {
            old.pod == eviction.pod && old.namespace == eviction.namespace && old.at <= eviction.at
        })
    };
    evictions(&with, behavior)
        .into_iter()
        .filter(is_new)
        .map(|eviction| {
            let pod = ObjectRef {
                kind: "Pod".to_owned(),
                namespace: eviction.namespace.to_string(),
                name: eviction.pod.to_string(),
            };
            let after = eviction.at.saturating_sub(cluster.now());
            (pod, u64::try_from(after).unwrap_or_default())
        })
        .collect()
}

impl BlastRadius {
    /// One sentence, e.g. `2 devices, 1 in use; Pods to evict at once: p1; Pods to evict after 300s: p2`.
    pub fn in_words(&self) -> String {
        let mut words = format!("{} devices, {} in use", self.devices.len(), self.held.len());
        let mut pods: BTreeMap<u64, Vec<&str>> = BTreeMap::new();
        for (pod, after) in &self.evicted {
            pods.entry(*after).or_default().push(&pod.name);
        }
        for (after, pods) in pods {
            let pods = pods.join(", ");
            words = match after {
                0 => format!("{words}; Pods to evict at once: {pods}"),
                after => format!("{words}; Pods to evict after {after}s: {pods}"),
            };
        }
        if !self.spared.is_empty() {
            let pods = self.spared.join(", ");
            words = format!("{words}; not evicted, as extended resources are passed over: {pods}");
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::{Overrides, open};
    use crate::scheduler::Env;
    use crate::selector::Selectors;

    #[test]
    fn pods_that_the_controller_passes_over_are_named() {
        let text = "\
apiVersion: v1
kind: Node
metadata: {name: w}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {extendedResourceName: example.com/gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  nodeName: w
  pool: {name: w, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec:
  containers: [{name: c, image: i, resources: {limits: {example.com/gpu: 1}}}]
---
apiVersion: dra-playground/v1
kind: Scenario
metadata: {name: s}
spec:
  kubernetesVersion: 1.37.2
  featureGates: {DRADeviceTaintRules: true}
  steps:
  - name: taint
    apply:
    - apiVersion: resource.k8s.io/v1beta2
      kind: DeviceTaintRule
      metadata: {name: r}
      spec: {deviceSelector: {driver: d.example.com}, taint: {key: a/b, effect: NoExecute}}
";
        for (release, does, stays) in [
            ("1.37.1", "not evicted, as extended resources are passed over: p", true),
            ("1.37.2", "Pods to evict at once: p", false),
        ] {
            let kubernetes_version = Some(release.to_owned());
            let opened = open(text, &Overrides { kubernetes_version, ..Overrides::default() });
            let env = Env::new(opened.behavior.clone(), Selectors::new(&opened.behavior.cel));
            let timeline = opened.run(&env, Vec::new());
            let told = timeline.diagnostics.iter().find(|it| it.code.name == "taint-rule-preview");
            let told = told.unwrap();
            assert_eq!(
                told.message,
                format!("DeviceTaintRule `r` taints 1 devices, 1 in use; {does}")
            );
            let span = told.primary.span;
            assert_eq!(text.get(span.start as usize..span.end as usize), Some("r"));
            let last = timeline.steps.last().unwrap();
            assert_eq!(last.cluster.pods.get("default", "p").is_some(), stays, "{release}");
        }
    }
}
