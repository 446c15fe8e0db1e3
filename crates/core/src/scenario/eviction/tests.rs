use crate::scenario::{Overrides, Timeline, open};
use crate::scheduler::Env;
use crate::selector::Selectors;

/// A Pod that gets `d0`, and steps of a release with rules switched on.
fn run(release: &str, steps: &str) -> Timeline {
    let text = format!(
        "
apiVersion: v1
kind: Node
metadata: {{name: w}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: c}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: s}}
spec:
  driver: d.example.com
  nodeName: w
  pool: {{name: w, generation: 1, resourceSliceCount: 1}}
  devices: [{{name: d0}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: claim}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c}}}}]}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: p}}
spec:
  containers: [{{name: c, image: i}}]
  resourceClaims: [{{name: x, resourceClaimName: claim}}]
---
apiVersion: dra-playground/v1
kind: Scenario
metadata: {{name: s}}
spec:
  kubernetesVersion: {release}
  featureGates: {{DRADeviceTaints: true, DRADeviceTaintRules: true}}
  steps:
{steps}"
    );
    let opened = open(&text, &Overrides::default());
    let env = Env::new(opened.behavior.clone(), Selectors::new(&opened.behavior.cel));
    let timeline = opened.run(&env, Vec::new());
    assert!(timeline.steps.first().unwrap().cluster.pods.get("default", "p").is_some());
    timeline
}

fn rule(release: &str, selector: &str) -> String {
    let version = match release.split('.').nth(1) {
        Some("34" | "35") => "v1alpha3",
        Some("36") => "v1beta2",
        _ => "v1",
    };
    format!(
        "  - apply:
    - apiVersion: resource.k8s.io/{version}
      kind: DeviceTaintRule
      metadata: {{name: rule}}
      spec: {{{selector}taint: {{key: a/b, effect: NoExecute}}}}
"
    )
}

/// Whether the Pod is gone after the last step, and what was said that the rule touches.
fn evicts(release: &str, steps: &str) -> (bool, String) {
    let timeline = run(release, steps);
    let last = timeline.steps.last().unwrap();
    let of_rule = timeline.diagnostics.iter().find(|it| it.code.name == "taint-rule-preview");
    let told = of_rule.and_then(|it| it.message.split_once(" taints ")).map(|(_, told)| told);
    let evicted = last.cluster.pods.get("default", "p").is_none();
    assert_eq!(last.evicted.len(), usize::from(evicted));
    (evicted, told.unwrap_or_default().to_owned())
}

#[test]
fn a_device_that_is_no_longer_published_is_evicted_from_since_1_35() {
    let steps = |release| {
        let rule = rule(release, "deviceSelector: {driver: d.example.com}, ");
        format!("  - {{delete: {{kind: ResourceSlice, name: s}}}}\n{rule}")
    };
    for release in ["1.35.10", "1.36.6", "1.37.2"] {
        let words = "0 devices, 1 in use; Pods to evict at once: p";
        assert_eq!(evicts(release, &steps(release)), (true, words.to_owned()), "{release}");
    }
    let words = "0 devices, 0 in use";
    assert_eq!(evicts("1.34.13", &steps("1.34.13")), (false, words.to_owned()));
}

#[test]
fn a_rule_without_selector_evicts_nobody_since_1_35() {
    for release in ["1.35.10", "1.36.6", "1.37.2"] {
        assert!(!evicts(release, &rule(release, "")).0, "{release}");
    }
    assert!(evicts("1.34.13", &rule("1.34.13", "")).0);
}

#[test]
fn the_controller_evicts_where_the_scheduler_overlooks_rules() {
    let rule = rule("1.36.2", "deviceSelector: {pool: w}, ");
    assert!(evicts("1.36.2", &rule).0);
}
