use std::collections::BTreeMap;

use super::super::laws::changes_hold;
use super::super::pods::tests::flat;
use super::super::report::{Options, Query, WhatIf};
use super::super::{Answer, Workspace, gallery};

/// Applies every change that is offered after every step to the text and the settings and looks
/// whether the Pod runs. Gives the number of changes of each kind.
fn check(name: &str, text: &str, kinds: &mut BTreeMap<String, usize>) {
    let mut workspace = Workspace::new();
    let steps = workspace.analyze(text, &Options::default()).steps.len();
    for step in 0..steps {
        let analysis = workspace.analyze(text, &Options { step: Some(step), ..Options::default() });
        for pod in &analysis.snapshot.pods {
            let asked = match workspace.query(&Query::WhatIfs { pod: pod.object.clone() }) {
                Answer::WhatIfs(helps, _) => helps,
                other => panic!("{other:?}"),
            };
            let more = asked.into_iter().filter(|it| !pod.what_ifs.contains(it));
            let offered: Vec<WhatIf> = pod.what_ifs.iter().cloned().chain(more).collect();
            changes_hold(name, text, &analysis, pod, &offered, kinds);
        }
    }
}

#[test]
fn changes_hold_when_they_are_applied() {
    let mut kinds = BTreeMap::new();
    for example in gallery() {
        check(example.name, example.text, &mut kinds);
    }
    for kind in ["delete-pod", "drop-term", "gate"] {
        assert!(kinds.contains_key(kind), "{kinds:?}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "recorded cases are files")]
fn changes_of_public_reports_hold_when_they_are_applied() {
    let Ok(cases) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("skipped: DRA_PLAYGROUND_CASES is not set");
        return;
    };
    let mut kinds = BTreeMap::new();
    let reports = std::fs::read_dir(format!("{cases}/cases/reports")).unwrap();
    let mut paths: Vec<_> = reports.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        check(&path.display().to_string(), &text, &mut kinds);
    }
    println!("{kinds:?}");
    assert!(kinds.values().sum::<usize>() > 20, "{kinds:?}");
}

/// A gate decides which fields the API server keeps: with the gate on the text means something else.
#[test]
fn a_gate_that_keeps_a_field_is_found() {
    let text = "\
apiVersion: v1
kind: Node
metadata: {name: m}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {selectors: [{cel: {expression: device.driver == 'gpu.example.com'}}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: m
  pool: {name: m, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, allowMultipleAllocations: true, capacity: {memory: {value: 80Gi}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: part, namespace: default}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, capacity: {requests: {memory: 40Gi}}}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec: {containers: [{name: c, image: x}], resourceClaims: [{name: g, resourceClaimTemplateName: part}]}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: default}
spec: {containers: [{name: c, image: x}], resourceClaims: [{name: g, resourceClaimTemplateName: part}]}
";
    let mut options = Options::default();
    options.feature_gates.insert("DRAConsumableCapacity".to_owned(), false);
    let analysis = Workspace::new().analyze(text, &options);
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "b").unwrap();
    assert_eq!(pod.status, "Pending");
    let gates: Vec<String> = pod
        .what_ifs
        .iter()
        .filter(|what_if| what_if.kind == "gate")
        .map(|what_if| flat(&what_if.sentence))
        .collect();
    assert_eq!(gates, ["Fits with feature gate DRAConsumableCapacity on"]);
    let vain: Vec<String> = pod.tried_in_vain.iter().map(flat).collect();
    assert!(!vain.iter().any(|text| text.contains("every feature gate")), "{vain:?}");
}

/// The only device is held, and tainted besides: two changes at once are needed.
#[test]
fn a_holder_is_deleted_where_a_taint_is_tolerated() {
    let text = "\
apiVersion: v1
kind: Node
metadata: {name: m}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: m
  pool: {name: m, generation: 1, resourceSliceCount: 1}
  devices:
  - {name: gpu-0, taints: [{key: example.com/hot, effect: NoSchedule}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, namespace: default}
spec:
  devices:
    requests:
    - name: r
      exactly: {deviceClassName: gpu, tolerations: [{operator: Exists}]}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: b, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec: {containers: [{name: c, image: x}], resourceClaims: [{name: g, resourceClaimName: a}]}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: default}
spec: {containers: [{name: c, image: x}], resourceClaims: [{name: g, resourceClaimName: b}]}
";
    let mut kinds = BTreeMap::new();
    check("held and tainted", text, &mut kinds);
    assert!(kinds.contains_key("together"), "{kinds:?}");
    let analysis = Workspace::new().analyze(text, &Options::default());
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "b").unwrap();
    let said: Vec<String> = pod.what_ifs.iter().map(|what_if| flat(&what_if.sentence)).collect();
    let both = "Fits if a is deleted and if example.com/hot:NoSchedule is tolerated";
    assert_eq!(said, [both]);
    let options = Options { language: "zh-TW".to_owned(), ..Options::default() };
    let analysis = Workspace::new().analyze(text, &options);
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "b").unwrap();
    let both = "刪除 a，並且容忍 example.com/hot:NoSchedule 就放得下";
    assert_eq!(flat(&pod.what_ifs[0].sentence), both);
}
