use std::collections::BTreeMap;

use serde_json::Value;

use super::{THEMES, scene};
use crate::release::SERVERS;

#[test]
fn the_same_seed_gives_the_same_scene() {
    let [release, _] = SERVERS;
    assert_eq!(scene(3, 5, release), scene(3, 5, release));
    assert_ne!(scene(3, 5, release), scene(3, 6, release));
}

#[test]
fn every_theme_and_step_occurs() {
    let [_, release] = SERVERS;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for index in 0..300 {
        let scene = scene(1, index, release);
        let tags = scene.get("tags").and_then(Value::as_array).unwrap();
        let steps = scene.get("steps").and_then(Value::as_array).unwrap();
        let names = tags.iter().filter_map(Value::as_str).map(str::to_owned);
        let steps = steps.iter().flat_map(|step| step.as_object().unwrap().keys().cloned());
        for name in names.chain(steps) {
            *seen.entry(name).or_default() += 1;
        }
    }
    for name in THEMES.into_iter().chain(["apply", "delete", "advance", "finish", "setConditions"])
    {
        assert!(seen.get(name).is_some_and(|count| *count >= 10), "{name}: {seen:?}");
    }
}

#[test]
fn a_written_scenario_is_a_record() {
    let text = "
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n, creationTimestamp: \"2024-03-01T00:00:09Z\"}}
---
apiVersion: dra-playground/v1
kind: Scenario
spec:
  featureGates: {DRADeviceTaints: false}
  steps:
  - {name: gone, delete: {kind: Pod, name: p}, expect: [pod q on n]}
  - {delete: {kind: Node, name: n}}
  - {apply: {apiVersion: v1, kind: Pod, metadata: {name: p}}}
  - {finish: {pod: p, phase: Failed}}
  - {setConditions: {claim: a/c, device: d, conditions: {ready: true, other: Unknown}}}
";
    let record = super::written::record("written", text).unwrap();
    // 2024 is a leap year: 306 days to the end of the year, and the 365 of 2025.
    assert_eq!(record["now"], super::NOW - (306 + 365) * 86_400 + 9);
    assert_eq!(record["objects"][0]["kind"], "Node");
    assert_eq!(record["gates"], serde_json::json!({"DRADeviceTaints": false}));
    assert_eq!(
        record["steps"],
        serde_json::json!([
            {"delete": {"kind": "Pod", "namespace": "default", "name": "p"}},
            {"delete": {"kind": "Node", "name": "n"}},
            {"apply": [{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}}]},
            {"finish": {"pod": "default/p", "phase": "Failed"}},
            {"setConditions": {"claim": "a/c", "device": "d", "conditions": [
                {"type": "other", "status": "Unknown"}, {"type": "ready", "status": "True"}]}},
        ])
    );
    let old = "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\n";
    assert!(super::written::record("old", old).is_err());
}
