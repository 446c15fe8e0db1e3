//! Which taints are told, of which devices, and whose they are.

use super::super::Workspace;
use super::super::report::{Options, TaintView};

const TEXT: &str = "\
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, taints: [{key: example.com/hot, value: very, effect: NoSchedule}]}
  - {name: gpu-1}
  - name: gpu-2
    taints:
    - {key: example.com/hot, value: very, effect: NoSchedule}
    - {key: example.com/odd, effect: None}
---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: broken}
spec:
  deviceSelector: {pool: node-a, device: gpu-1}
  taint: {key: example.com/broken, effect: NoExecute}
---
apiVersion: resource.k8s.io/v1
kind: DeviceTaintRule
metadata: {name: elsewhere}
spec:
  deviceSelector: {pool: node-b}
  taint: {key: example.com/broken, effect: NoExecute}
";

fn taints(release: &str) -> Vec<TaintView> {
    let options = Options { kubernetes_version: Some(release.to_owned()), ..Options::default() };
    Workspace::new().analyze(TEXT, &options).snapshot.taints
}

#[test]
fn each_taint_is_told_with_its_devices_and_its_rule() {
    let found = taints("1.37.2");
    let said: Vec<String> = found
        .iter()
        .map(|it| {
            let rule = it.rule.as_ref().map_or("slice", |rule| rule.name.as_str());
            let line = it.range.map_or(0, |range| range.line);
            format!("{} ({}) of {rule}, line {line}: {:?}", it.taint, it.effect, it.devices)
        })
        .collect();
    let expected = [
        "example.com/hot=very:NoSchedule (NoSchedule) of slice, line 9: [0, 2]",
        "example.com/odd:None (None) of slice, line 14: [2]",
        "example.com/broken:NoExecute (NoExecute) of broken, line 21: [1]",
    ];
    assert_eq!(said, expected);
}

#[test]
fn rules_that_the_release_does_not_have_taint_nothing() {
    let found = taints("1.36.2");
    assert!(found.iter().all(|it| it.rule.is_none()));
    assert_eq!(found.len(), 2);
}
