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
            for (at, change) in offered.iter().enumerate() {
                let is_same = |other: &WhatIf| other.sentence == change.sentence;
                let twice = offered.iter().skip(at + 1).any(is_same);
                assert!(!twice, "{name}: twice {:?}", change.sentence);
            }
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

/// A Node and a Slice with one device; `{node}` is the name of both.
fn node(name: &str, spec: &str, device: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n{spec}---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\nspec:\n  driver: d.example.com\n  nodeName: {name}\n  pool: {{name: {name}, generation: 1, resourceSliceCount: 1}}\n  devices: [{device}]\n"
    )
}

/// Checks what is offered first for the Pod `p`, and gives the text after it.
#[track_caller]
fn first(text: &str, expected: &str) -> String {
    let (offers, applied) = offered(text);
    assert_eq!(offers.first().map(String::as_str), Some(expected), "{offers:?}");
    applied
}

/// What is offered for the Pod `p`, and the text after the first offer.
fn offered(text: &str) -> (Vec<String>, String) {
    let mut workspace = Workspace::new();
    let analysis = workspace.analyze(text, &Options::default());
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "p").unwrap();
    let asked = workspace.query(&Query::WhatIfs { pod: pod.object.clone() });
    let Answer::WhatIfs(helps, _) = asked else { panic!("{asked:?}") };
    let applied = crate::workspace::edits::apply(text, &helps.first().unwrap().edits);
    (helps.iter().map(|it| flat(&it.sentence)).collect(), applied)
}

const CLASS: &str =
    "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu-full}\n";

/// A Pod whose claim was made from a template, all written; `{0}` stands for the request's spec.
fn dumped(request: &str) -> String {
    let spec = format!("devices: {{requests: [{{name: r, exactly: {{{request}}}}}]}}");
    format!(
        "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {{name: t, namespace: default}}\nspec:\n  spec:\n    {spec}\n---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: default, uid: u}}\nspec:\n  containers: [{{name: c, image: i, resources: {{claims: [{{name: g}}]}}}}]\n  resourceClaims: [{{name: g, resourceClaimTemplateName: t}}]\nstatus: {{resourceClaimStatuses: [{{name: g, resourceClaimName: p-g-x1}}]}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: p-g-x1\n  namespace: default\n  annotations: {{resource.kubernetes.io/pod-claim-name: g}}\n  ownerReferences: [{{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}}]\nspec:\n  {spec}\n"
    )
}

/// `kubectl cordon` leaves a taint behind, which goes when the node is uncordoned.
#[test]
fn a_cordoned_node_is_uncordoned_with_its_taint() {
    let cordoned = "spec:\n  taints:\n  - {effect: NoSchedule, key: node.kubernetes.io/unschedulable}\n  unschedulable: true\n";
    let text = CLASS.to_owned()
        + &node("a", cordoned, "{name: d}")
        + &node("b", "", "{name: d, taints: [{key: k, effect: NoSchedule}]}")
        + &dumped("deviceClassName: gpu-full");
    let applied = first(&text, "Fits if a is uncordoned");
    assert!(
        applied.contains("unschedulable: false") && applied.contains("taints: []"),
        "{applied}"
    );
}

/// A claim cannot be changed: its template is, too, for the claim that replaces it.
#[test]
fn a_claim_made_from_a_template_changes_with_it() {
    let device = "{name: d, attributes: {size: {int: 1}}}";
    let text = CLASS.to_owned()
        + &node("a", "", device)
        + &dumped(
            "deviceClassName: gpu-full, selectors: [{cel: {expression: \"device.attributes['d.example.com'].size == 2\"}}]",
        );
    let applied = first(&text, "Fits if size == 2 is dropped");
    assert!(!applied.contains("size == 2"), "{applied}");
}

/// Neither the right class nor the right type is enough alone.
#[test]
fn all_fixes_are_tried_together() {
    let device = "{name: d, attributes: {big: {bool: true}}}";
    let text = CLASS.to_owned()
        + &node("a", "", device)
        + &dumped(
            "deviceClassName: full-gpu, selectors: [{cel: {expression: \"device.attributes['d.example.com'].big == 'true'\"}}]",
        );
    let applied = first(&text, "Fits with the fix: write `gpu-full`; write `true`");
    assert!(!applied.contains("full-gpu") && !applied.contains("'true'"), "{applied}");
}

/// A class that two templates name is missing once.
#[test]
fn the_same_fix_of_two_findings_is_offered_once() {
    let request = "deviceClassName: gpu-full";
    let other = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: other, namespace: default}\nspec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu-full}}]}}}\n";
    let text = node("a", "", "{name: d}") + &dumped(request) + other;
    let (offers, _) = offered(text.trim_start_matches("---\n"));
    let inserts = offers.iter().filter(|it| it.contains("insert DeviceClass"));
    assert_eq!(inserts.count(), 1, "{offers:?}");
}

/// The same change of two requests is told by their names.
#[test]
fn the_same_change_of_two_requests_names_them() {
    let selector =
        "selectors: [{cel: {expression: \"device.attributes['d.example.com'].size == 2\"}}]";
    let request = format!("deviceClassName: gpu-full, {selector}");
    let text = CLASS.to_owned()
        + &node(
            "a",
            "",
            "{name: d, attributes: {size: {int: 2}}}, {name: e, attributes: {size: {int: 1}}}",
        )
        + &dumped(&request).replace(
            "[{name: r, exactly",
            &format!("[{{name: q, exactly: {{{request}}}}}, {{name: r, exactly"),
        );
    let (offers, _) = offered(&text);
    let of = |name: &str| format!("Fits if size == 2 is dropped in request {name}");
    assert!(offers.contains(&of("q")) && offers.contains(&of("r")), "{offers:?}");
}
