use std::collections::BTreeMap;

use super::super::edits::apply;
use super::super::report::{
    Analysis, Options, Phrase, PodView, Query, Setting, Severity, Snapshot, WhatIf,
};
use super::super::{Answer, Workspace, gallery};

fn flat(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}

fn runs(snapshot: &Snapshot, pod: &PodView) -> bool {
    let found = snapshot.pods.iter().find(|other| other.object == pod.object);
    found.is_some_and(|pod| pod.node.is_some() || pod.reason == "binding")
}

fn with(setting: Option<&Setting>) -> Options {
    let mut options = Options::default();
    match setting {
        Some(Setting::KubernetesVersion(version)) => {
            options.kubernetes_version = Some(version.clone());
        }
        Some(Setting::FeatureGate(gate, enabled)) => {
            options.feature_gates.insert(gate.clone(), *enabled);
        }
        Some(Setting::Behavior(behavior)) => options.behavior = Some(*behavior),
        Some(Setting::Step(step)) => options.step = Some(*step),
        None => {}
    }
    options
}

fn errors(analysis: &Analysis) -> usize {
    analysis.diagnostics.iter().filter(|found| found.severity == Severity::Error).count()
}

/// Applies every change that is offered after every step to the text and the settings and looks
/// whether the Pod runs. Gives the number of changes of each kind.
fn check(name: &str, text: &str, kinds: &mut BTreeMap<String, usize>) {
    let all = Workspace::new().analyze(text, &Options::default());
    for step in 0..all.steps.len() {
        let options = Options { step: Some(step), ..Options::default() };
        let mut workspace = Workspace::new();
        let analysis = workspace.analyze(text, &options);
        for pod in &analysis.snapshot.pods {
            let (asked, _) = match workspace.query(&Query::WhatIfs { pod: pod.object.clone() }) {
                Answer::WhatIfs(helps, vain) => (helps, vain),
                other => panic!("{other:?}"),
            };
            for what_if in pod.what_ifs.iter().chain(&asked) {
                let WhatIf { kind, sentence, edits, setting, .. } = what_if;
                assert!(!edits.is_empty() || setting.is_some(), "{name}: {}", flat(sentence));
                // Deletions are steps behind all others.
                let at_end = kind == "delete-pod" || kind == "together";
                let mut options = with(setting.as_ref());
                if !at_end {
                    options.step = Some(step);
                }
                let changed = apply(text, edits);
                let after = Workspace::new().analyze(&changed, &options);
                let what = format!("{name} step {step}: {}\n{changed}", flat(sentence));
                assert!(runs(&after.snapshot, pod), "{what}");
                assert!(errors(&after) <= errors(&analysis), "{what}");
                *kinds.entry(kind.clone()).or_default() += 1;
            }
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
