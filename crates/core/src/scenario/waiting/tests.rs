//! What other Pods meet while one waits; compared with the released schedulers by `tests/oracle`.

use crate::scenario::{EventKind, Overrides, RemarkKind, Timeline, open};
use crate::scheduler::{Env, Outcome};
use crate::selector::Selectors;

/// One node, and a device that is ready at once beside one that is not.
const CLUSTER: &str = "
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {allocatable: {cpu: \"2\"}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s1}
spec:
  driver: d.example.com
  nodeName: n1
  pool: {name: n1, generation: 1, resourceSliceCount: 1}
";

const TWO: &str = "  devices: [{name: d0}, {name: d1, bindingConditions: [ready]}]\n";

const SHARED: &str = "  devices:
  - name: d0
    allowMultipleAllocations: true
    bindingConditions: [ready]
    capacity: {bandwidth: {value: \"10\"}}
";

/// A claim `c-NAME` for one more thing, and a Pod that uses it.
fn pod(name: &str, cpu: &str, request: &str) -> String {
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c-{name}}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: any{request}}}}}]}}}}
---
apiVersion: v1
kind: Pod
metadata: {{name: {name}}}
spec:
  containers: [{{name: c, image: i, resources: {{requests: {{cpu: \"{cpu}\"}}}}}}]
  resourceClaims: [{{name: x, resourceClaimName: c-{name}}}]
"
    )
}

fn scenario(version: &str, fixed: bool, steps: &str) -> String {
    let behavior = if fixed { "\n  behavior: fixed" } else { "" };
    format!(
        "---
apiVersion: dra-playground/v1
kind: Scenario
metadata: {{name: s}}
spec:
  kubernetesVersion: \"{version}\"{behavior}
  steps: [{steps}]
"
    )
}

fn run(parts: &[&str]) -> Timeline {
    let opened = open(&parts.concat(), &Overrides::default());
    let errors: Vec<_> = opened.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let selectors = Selectors::new(&opened.behavior.cel);
    opened.run(&Env::new(opened.behavior.clone(), selectors), Vec::new())
}

/// What becomes of a Pod in a step: its node, or that it waits, or why it has none.
fn fate(timeline: &Timeline, step: usize, pod: &str) -> String {
    let record = &timeline.steps[step];
    let found = &record.cluster.pods.get("default", pod).unwrap().value;
    if record.cluster.waiting.iter().any(|waiting| waiting.is(found)) {
        return "waits".to_owned();
    }
    if let Some(node) = &found.node_name {
        return node.clone();
    }
    let attempt = record.attempts.iter().rfind(|attempt| attempt.pod.name == pod);
    let message = attempt.and_then(|attempt| attempt.message.clone()).unwrap_or_default();
    message.split(". ").next().unwrap_or_default().to_owned()
}

fn failures(timeline: &Timeline, step: usize) -> Vec<&str> {
    let events = timeline.steps[step].events.iter();
    let failed = events.filter(|event| event.kind == EventKind::Failed);
    failed.map(|event| event.text.as_str()).collect()
}

const FULL: &str = "0/1 nodes are available: 1 cannot allocate all claims";

#[test]
fn what_a_finished_pod_waited_for_stays_held() {
    let count = ", allocationMode: All";
    let steps = "{finish: {pod: default/a, phase: Failed}}, {advance: 599s}, {advance: 1s}";
    let text = [CLUSTER, TWO, &pod("a", "1", count), &pod("b", "1", count)].concat();
    // The claim is deallocated at once. Up to 1.36 that frees the devices.
    let older = run(&[&text, &scenario("1.36.6", false, steps)]);
    assert_eq!(fate(&older, 0, "b"), FULL);
    assert_eq!(fate(&older, 1, "b"), "waits");
    let newer = run(&[&text, &scenario("1.37.2", false, steps)]);
    assert_eq!((fate(&newer, 1, "a"), fate(&newer, 1, "b")), ("waits".to_owned(), FULL.to_owned()));
    assert_eq!((fate(&newer, 2, "a"), fate(&newer, 2, "b")), ("waits".to_owned(), FULL.to_owned()));
    assert_eq!(fate(&newer, 3, "b"), "waits");
    assert_eq!(
        failures(&newer, 3),
        ["running PreBind plugin \"DynamicResources\": device binding timeout: context deadline \
          exceeded"]
    );
}

#[test]
fn a_deleted_pod_holds_its_devices_and_its_claim() {
    let steps = "{delete: {kind: Pod, name: a, namespace: default}}, {apply: [\
        {apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {containers: [], \
        resourceClaims: [{name: x, resourceClaimName: c-a}]}}]}, {advance: 600s}";
    let text = [CLUSTER, TWO, &pod("a", "1", ", count: 2"), &pod("b", "1", "")].concat();
    let older = run(&[&text, &scenario("1.36.6", false, steps)]);
    assert_eq!(fate(&older, 1, "b"), "n1");
    let newer = run(&[&text, &scenario("1.37.2", false, steps)]);
    assert_eq!(fate(&newer, 1, "b"), FULL);
    assert_eq!(
        fate(&newer, 2, "a"),
        "0/1 nodes are available: resource claim default/c-a is in the process of being allocated"
    );
    assert_eq!(fate(&newer, 3, "b"), "n1");
    assert_eq!(failures(&newer, 3), Vec::<&str>::new(), "nobody is there to be told");
}

#[test]
fn a_claim_that_is_gone_is_missed_at_the_next_look() {
    let steps = "{advance: 7s}, {delete: {kind: ResourceClaim, name: c-a, namespace: default}}, \
        {finish: {pod: default/a, phase: Failed}}, {advance: 2s}, {advance: 1s}";
    let text = [CLUSTER, TWO, &pod("a", "1", ", count: 2")].concat();
    for version in ["1.36.6", "1.37.2"] {
        let timeline = run(&[&text, &scenario(version, false, steps)]);
        let fates: Vec<String> = (0..6).map(|step| fate(&timeline, step, "a")).collect();
        assert_eq!(fates[..5], ["waits", "waits", "waits", "waits", "waits"], "{version}");
        assert_eq!(
            failures(&timeline, 5),
            ["running PreBind plugin \"DynamicResources\": could not find ResourceClaim \
              \"default/c-a\""]
        );
    }
}

#[test]
fn a_pod_that_joins_later_gives_up_by_the_time_of_the_allocation() {
    let b = "{apply: [{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [], \
        resourceClaims: [{name: x, resourceClaimName: c-a}]}}]}";
    let steps = format!("{{advance: 5s}}, {b}, {{advance: 594s}}, {{advance: 1s}}");
    let text = [CLUSTER, TWO, &pod("a", "1", ", count: 2")].concat();
    for version in ["1.36.6", "1.37.2"] {
        let timeline = run(&[&text, &scenario(version, false, &steps)]);
        assert_eq!(fate(&timeline, 3, "b"), "waits", "{version}");
        assert_eq!(failures(&timeline, 3), Vec::<&str>::new());
        assert_eq!(
            failures(&timeline, 4),
            [
                "running PreBind plugin \"DynamicResources\": device binding timeout: context \
                 deadline exceeded",
                "running PreBind plugin \"DynamicResources\": device binding timeout: claim=c-a"
            ],
            "{version}"
        );
    }
}

#[test]
fn older_releases_tell_the_end_of_waiting_without_its_cause() {
    let b = "{apply: [{apiVersion: v1, kind: Pod, metadata: {name: b}, spec: {containers: [], \
        resourceClaims: [{name: x, resourceClaimName: c-a}]}}]}";
    let steps = format!("{{advance: 5s}}, {b}, {{advance: 595s}}");
    let gates = "spec:\n  featureGates: {DRADeviceBindingConditions: true}";
    let text = [CLUSTER, TWO, &pod("a", "1", ", count: 2")].concat();
    for version in ["1.34.13", "1.35.10"] {
        let scenario = scenario(version, false, &steps).replacen("spec:", gates, 1);
        let timeline = run(&[&text, &scenario]);
        assert_eq!(
            failures(&timeline, 3),
            [
                "running PreBind plugin \"DynamicResources\": device binding timeout",
                "running PreBind plugin \"DynamicResources\": claim c-a binding timeout"
            ],
            "{version}"
        );
    }
}

#[test]
fn a_waiting_pod_uses_its_node() {
    let text = [CLUSTER, TWO, &pod("a", "2", ", count: 2"), &pod("b", "1", "")].concat();
    let timeline = run(&[&text, &scenario("1.37.2", false, "")]);
    assert_eq!(fate(&timeline, 0, "b"), "0/1 nodes are available: 1 Insufficient cpu");
}

#[test]
fn capacity_of_a_waiting_pod_counts_twice_from_1_37_on() {
    let four = ", capacity: {requests: {bandwidth: \"4\"}}";
    let text = [CLUSTER, SHARED, &pod("a", "1", four), &pod("b", "1", four)].concat();
    for (version, fixed, expected) in
        [("1.36.6", false, "waits"), ("1.37.2", false, FULL), ("1.37.2", true, "waits")]
    {
        let timeline = run(&[&text, &scenario(version, fixed, "")]);
        assert_eq!(fate(&timeline, 0, "b"), expected, "{version}");
        let bugs: Vec<Option<&str>> = timeline
            .remarks
            .iter()
            .filter(|remark| remark.kind == RemarkKind::KnownBug)
            .map(|remark| remark.reference.as_deref())
            .collect();
        let known =
            if expected == FULL { vec![Some("kubernetes/kubernetes#139418")] } else { vec![] };
        assert_eq!(bugs, known, "{version}");
    }
}

#[test]
fn a_pod_that_may_not_run_is_gone_before_the_next_one_is_tried() {
    // The toleration lets Pods be scheduled, but names no effect, and so does not let them run.
    let tainted = "  devices:
  - {name: d0, taints: [{key: k, effect: NoExecute, timeAdded: \"2026-01-01T00:00:00Z\"}]}
";
    let tolerated = ", tolerations: [{operator: Exists}]";
    let text = [CLUSTER, tainted, &pod("a", "1", tolerated), &pod("b", "1", tolerated)].concat();
    let timeline = run(&[&text, &scenario("1.37.2", false, "")]);
    let step = &timeline.steps[0];
    let nodes: Vec<_> = step.attempts.iter().map(|attempt| attempt.outcome.clone()).collect();
    let bound = Outcome::Bound { node: "n1".to_owned() };
    assert_eq!(nodes, [bound.clone(), bound]);
    assert_eq!(step.cluster.pods.iter().count(), 0);
}
