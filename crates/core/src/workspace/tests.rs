use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::report::{Diagnostic, *};
use super::*;

/// What a reader sees of a step, as text.
fn print(analysis: &Analysis) -> String {
    let mut out = String::new();
    let snapshot = &analysis.snapshot;
    for diagnostic in &analysis.diagnostics {
        let Diagnostic { code, message, range, .. } = diagnostic;
        let _ = writeln!(out, "{}:{} {code}: {message}", range.line, range.column);
    }
    for (index, step) in analysis.steps.iter().enumerate() {
        let outcomes: Vec<String> = step
            .outcomes
            .iter()
            .map(|outcome| {
                format!("{} {} ({:?})", outcome.object.name, outcome.text, outcome.family)
            })
            .collect();
        let here = if index == analysis.step { "*" } else { " " };
        let _ = writeln!(out, "{here}{index} {}: {}", step.name, outcomes.join(", "));
    }
    for pod in &snapshot.pods {
        let PodView { object, ready, status, reason, .. } = pod;
        let node = pod.node.as_deref().unwrap_or("<none>");
        let _ = writeln!(out, "{} {ready} {status} {node} {reason}", object.name);
        for phrase in [&pod.cause, &pod.context] {
            if !phrase.0.is_empty() {
                let _ = writeln!(out, "  {}", flat(phrase));
            }
        }
        for what_if in &pod.what_ifs {
            let WhatIf { kind, sentence, outcome, edits, setting } = what_if;
            let _ = writeln!(
                out,
                "  {kind}: {} -> {} ({} edits, {setting:?})",
                flat(sentence),
                flat(outcome),
                edits.len()
            );
        }
        if !pod.tried_in_vain.is_empty() {
            let tried: Vec<String> = pod.tried_in_vain.iter().map(flat).collect();
            let _ = writeln!(out, "  in vain: {}", tried.join("; "));
        }
        if let Some(message) = &pod.message {
            let _ = writeln!(out, "  > {message}");
        }
    }
    for claim in &snapshot.claims {
        let devices: Vec<String> = claim
            .devices
            .iter()
            .map(|device| {
                format!("{}={} {:?}", device.request, device.device.device, device.consumed)
            })
            .collect();
        let _ = writeln!(out, "{} {} {}", claim.object.name, claim.state, devices.join(", "));
    }
    for ledger in snapshot.counter_sets.iter().chain(&snapshot.capacities) {
        if ledger.entries.is_empty() {
            continue;
        }
        let columns: Vec<String> = ledger
            .columns
            .iter()
            .map(|column| format!("{} {} of {}", column.name, column.left, column.total))
            .collect();
        let _ = writeln!(out, "{}: {}", ledger.name, columns.join(", "));
        for entry in &ledger.entries {
            let _ = writeln!(
                out,
                "  step {} {} {} {:?} {}",
                entry.step, entry.claim.name, entry.device.device, entry.amounts, entry.rule
            );
        }
    }
    for request in &snapshot.verdicts {
        print_verdicts(request, &mut out);
    }
    out
}

fn print_verdicts(request: &RequestVerdicts, out: &mut String) {
    let sieve: Vec<String> =
        request.sieve.iter().map(|row| format!("{} {}", row.stage, row.left)).collect();
    let pod = request.pod.as_ref().map(|pod| pod.name.as_str()).unwrap_or_default();
    let _ = writeln!(out, "{pod} {} on {}: {}", request.request, request.node, sieve.join(", "));
    for group in &request.groups {
        let _ = writeln!(
            out,
            "  {} × {} ({:?}): {}",
            group.devices.len(),
            group.label,
            group.family,
            flat(&group.detail)
        );
    }
    for selector in &request.selectors {
        let answers: Vec<String> = selector
            .answers
            .iter()
            .map(|answer| format!("{} {}", answer.devices.len(), answer.answer))
            .collect();
        let line = selector.range.map(|range| range.line).unwrap_or_default();
        let _ =
            writeln!(out, "  {} selector at line {line}: {}", selector.source, answers.join(", "));
    }
}

fn flat(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}

fn example(name: &str) -> &'static str {
    gallery().iter().find(|example| example.name == name).unwrap().text
}

#[track_caller]
fn check(name: &str, step: Option<usize>, expect: &Expect) {
    let options = Options { step, ..Options::default() };
    expect.assert_eq(&print(&Workspace::new().analyze(example(name), &options)));
}

#[test]
fn experiment_5_before_the_delete() {
    check(
        "experiment-5-partitionable",
        Some(0),
        &expect![[r#"
            *0 objects: pod1 gpu-7-full (Fit), pod2 Pending (Quantity)
             1 delete pod1: pod2 gpu-7-partition-0 (Fit)
            pod1 1/1 Running dra-example-driver-cluster-worker 
            pod2 0/1 Pending <none> counters short
              pod2 waits: every device it accepts draws 40Gi from gpu-7-counters, and pod1's gpu-7-full has taken all 80Gi.
              It is not that no GPU is left: seven cards are free, but the selector of pod2 accepts only index == 7.
              delete-pod: Fits if pod1 is deleted -> pod2 gets gpu-7-partition-0 (0 edits, Some(Step(1)))
              drop-term: Fits if index == 7 is dropped -> pod2 gets gpu-0-partition-0 (1 edits, None)
              gate: Fits with feature gate DRAPartitionableDevices off (not enforced then: shared counters) -> pod2 gets gpu-7-partition-0 (0 edits, Some(FeatureGate("DRAPartitionableDevices", false)))
              release: Fits in Kubernetes 1.34.13 (not enforced then: shared counters) -> pod2 gets gpu-7-partition-0 (0 edits, Some(KubernetesVersion("1.34.13")))
              release: Fits in Kubernetes 1.35.10 (not enforced then: shared counters) -> pod2 gets gpu-7-partition-0 (0 edits, Some(KubernetesVersion("1.35.10")))
              in vain: has(partition) dropped; Kubernetes 1.36.6 and 1.37.2
              > 0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
            pod1-gpu allocated,reserved gpu=gpu-7-full []
            pod2-gpu pending 
            gpu-7-counters: compute 0 of 100, memory 0 of 80Gi
              step 0 pod1-gpu gpu-7-full ["100", "80Gi"] 
            pod1 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 1, node 1, capacity 1, counters 1, taints 1, constraints 1, chosen 1
              21 × selector false (Rule): index == 7 is false
              2 × selector false (Rule): has(full) is false
              1 × chosen (Fit): device 24 of 24 looked at
              class selector at line 47: 24 true
              request selector at line 534: 23 false, 1 true
            pod2 gpu on dra-example-driver-cluster-worker: devices 24, free 23, class 23, request 2, node 2, capacity 2, counters 0, taints 0, constraints 0, chosen 0
              21 × selector false (Rule): index == 7 is false
              2 × counters short (Quantity): gpu-7-counters, memory: 40Gi asked, 0 left
              1 × in use (Held): by pod1-gpu
              class selector at line 47: 23 true, 1 not run
              request selector at line 569: 21 false, 2 true, 1 not run
        "#]],
    );
}

#[test]
fn experiment_5_after_the_delete() {
    check(
        "experiment-5-partitionable",
        None,
        &expect![[r#"
         0 objects: pod1 gpu-7-full (Fit), pod2 Pending (Quantity)
        *1 delete pod1: pod2 gpu-7-partition-0 (Fit)
        pod2 1/1 Running dra-example-driver-cluster-worker 
        pod2-gpu allocated,reserved gpu=gpu-7-partition-0 []
        gpu-7-counters: compute 50 of 100, memory 40Gi of 80Gi
          step 1 pod2-gpu gpu-7-partition-0 ["50", "40Gi"] 
        pod2 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 3, node 3, capacity 3, counters 3, taints 3, constraints 3, chosen 1
          21 × selector false (Rule): index == 7 is false
          1 × chosen (Fit): device 22 of 22 looked at
          2 × not needed (None): never looked at: the request was met before
          class selector at line 47: 22 true, 2 not run
          request selector at line 569: 21 false, 1 true, 2 not run
    "#]],
    );
}

#[test]
fn experiment_4() {
    check(
        "experiment-4-cel-selectors",
        None,
        &expect![[r#"
        *0 objects: pod1 gpu-0-full (Fit), pod2 gpu-1-partition-0 (Fit), pod3 gpu-2-full (Fit)
        pod1 1/1 Running dra-example-driver-cluster-worker 
        pod2 1/1 Running dra-example-driver-cluster-worker 
        pod3 1/1 Running dra-example-driver-cluster-worker 
        pod1-gpu allocated,reserved gpu=gpu-0-full []
        pod2-gpu allocated,reserved gpu=gpu-1-partition-0 []
        pod3-gpu allocated,reserved gpu=gpu-2-full []
        gpu-0-counters: compute 0 of 100, memory 0 of 80Gi
          step 0 pod1-gpu gpu-0-full ["100", "80Gi"] 
        gpu-1-counters: compute 50 of 100, memory 40Gi of 80Gi
          step 0 pod2-gpu gpu-1-partition-0 ["50", "40Gi"] 
        gpu-2-counters: compute 0 of 100, memory 0 of 80Gi
          step 0 pod3-gpu gpu-2-full ["100", "80Gi"] 
        pod1 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 22, node 22, capacity 22, counters 22, taints 22, constraints 22, chosen 1
          2 × selector false (Rule): has(full) is false
          1 × chosen (Fit): device 3 of 3 looked at
          21 × not needed (None): never looked at: the request was met before
          class selector at line 43: 3 true, 21 not run
          request selector at line 530: 2 false, 1 true, 21 not run
        pod2 gpu on dra-example-driver-cluster-worker: devices 24, free 23, class 23, request 23, node 23, capacity 23, counters 21, taints 21, constraints 21, chosen 1
          2 × counters short (Quantity): gpu-0-counters, memory: 40Gi asked, 0 left
          1 × in use (Held): by pod1-gpu
          1 × chosen (Fit): device 4 of 4 looked at
          20 × not needed (None): never looked at: the request was met before
          class selector at line 43: 3 true, 21 not run
          request selector at line 564: 3 true, 21 not run
        pod3 gpu on dra-example-driver-cluster-worker: devices 24, free 22, class 22, request 17, node 17, capacity 17, counters 16, taints 16, constraints 16, chosen 1
          5 × selector false (Rule): memory.compareTo(quantity("80Gi")) >= 0 is false
          1 × in use (Held): by pod1-gpu
          1 × in use (Held): by pod2-gpu
          1 × counters short (Quantity): gpu-1-counters, memory: 80Gi asked, 40Gi left
          1 × chosen (Fit): device 9 of 9 looked at
          15 × not needed (None): never looked at: the request was met before
          class selector at line 43: 7 true, 17 not run
          request selector at line 598: 5 false, 17 not run, 2 true
    "#]],
    );
}

#[test]
fn experiment_6_with_the_switch_off() {
    check(
        "experiment-6-consumable-off",
        None,
        &expect![[r#"
            *0 objects: pod1 gpu-6-partition-0 (Fit), pod2 Pending (Held), pod3 Pending (Held)
            pod1 1/1 Running dra-example-driver-cluster-worker 
            pod2 0/1 Pending <none> in use
              pod2 waits: gpu-6-partition-0, the only device it accepts, belongs to pod1.
              It is not that no GPU is left: seven cards are free, but the selector of pod2 accepts only index == 6.
              delete-pod: Fits if pod1 is deleted -> pod2 gets gpu-6-partition-0 (1 edits, None)
              drop-term: Fits if index == 6 is dropped -> pod2 gets gpu-1-partition-0 (1 edits, None)
              drop-term: Fits if partition == 0 is dropped -> pod2 gets gpu-6-partition-1 (1 edits, None)
              in vain: has(partition) dropped; every feature gate switched; Kubernetes 1.34.13, 1.35.10, 1.36.6 and 1.37.2
              > 0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
            pod3 0/1 Pending <none> in use
              pod3 waits: gpu-6-partition-0, the only device it accepts, belongs to pod1.
              It is not that no GPU is left: seven cards are free, but the selector of pod3 accepts only index == 6.
              delete-pod: Fits if pod1 and pod2 are deleted -> pod3 gets gpu-6-partition-0 (1 edits, None)
              drop-term: Fits if index == 6 is dropped -> pod3 gets gpu-2-partition-0 (1 edits, None)
              in vain: pod1 deleted; has(partition) dropped; partition == 0 dropped; every feature gate switched; Kubernetes 1.34.13, 1.35.10, 1.36.6 and 1.37.2
              > 0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
            pod1-gpu allocated,reserved gpu=gpu-6-partition-0 []
            pod2-gpu pending 
            pod3-gpu pending 
            gpu-6-counters: compute 50 of 100, memory 40Gi of 80Gi
              step 0 pod1-gpu gpu-6-partition-0 ["50", "40Gi"] 
            pod1 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 6, node 6, capacity 6, counters 6, taints 6, constraints 6, chosen 1
              18 × selector false (Rule): index == 6 is false
              1 × chosen (Fit): device 19 of 19 looked at
              5 × not needed (None): never looked at: the request was met before
              class selector at line 39: 19 true, 5 not run
              request selector at line 526: 18 false, 1 true, 5 not run
            pod2 gpu on dra-example-driver-cluster-worker: devices 24, free 23, class 23, request 0, node 0, capacity 0, counters 0, taints 0, constraints 0, chosen 0
              21 × selector false (Rule): index == 6 is false
              1 × in use (Held): by pod1-gpu
              1 × selector false (Rule): partition == 0 is false
              1 × selector false (Rule): has(partition) is false
              class selector at line 39: 23 true, 1 not run
              request selector at line 526: 23 false, 1 not run
            pod3 gpu on dra-example-driver-cluster-worker: devices 24, free 23, class 23, request 0, node 0, capacity 0, counters 0, taints 0, constraints 0, chosen 0
              21 × selector false (Rule): index == 6 is false
              1 × in use (Held): by pod1-gpu
              1 × selector false (Rule): partition == 0 is false
              1 × selector false (Rule): has(partition) is false
              class selector at line 39: 23 true, 1 not run
              request selector at line 526: 23 false, 1 not run
        "#]],
    );
}

#[test]
fn experiment_6_with_the_switch_on() {
    check(
        "experiment-6-consumable-on",
        None,
        &expect![[r#"
            *0 objects: pod1 gpu-6-partition-0 (Fit), pod2 gpu-6-partition-0 (Fit), pod3 Pending (Quantity)
            pod1 1/1 Running dra-example-driver-cluster-worker 
            pod2 1/1 Running dra-example-driver-cluster-worker 
            pod3 0/1 Pending <none> capacity short
              pod3 waits: gpu-6-partition-0, the only device it accepts, has nothing left of its 40Gi memory: pod1 and pod2 have taken it, and 20Gi is asked.
              It is not that no GPU is left: seven cards are free, but the selector of pod3 accepts only index == 6.
              delete-pod: Fits if pod1 is deleted -> pod3 gets gpu-6-partition-0 (1 edits, None)
              delete-pod: Fits if pod2 is deleted -> pod3 gets gpu-6-partition-0 (1 edits, None)
              drop-term: Fits if index == 6 is dropped -> pod3 gets gpu-1-partition-0 (1 edits, None)
              drop-term: Fits if partition == 0 is dropped -> pod3 gets gpu-6-partition-1 (1 edits, None)
              in vain: has(partition) dropped; every feature gate switched; Kubernetes 1.34.13, 1.35.10, 1.36.6 and 1.37.2
              > 0/1 nodes are available: 1 cannot allocate all claims. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.
            pod1-gpu allocated,reserved gpu=gpu-6-partition-0 [("compute", "25"), ("memory", "20Gi")]
            pod2-gpu allocated,reserved gpu=gpu-6-partition-0 [("compute", "25"), ("memory", "20Gi")]
            pod3-gpu pending 
            gpu-6-counters: compute 50 of 100, memory 40Gi of 80Gi
              step 0 pod1-gpu gpu-6-partition-0 ["50", "40Gi"] 
              step 0 pod2-gpu gpu-6-partition-0 ["", ""] charged once for the device, by its first share
            gpu-6-partition-0: compute 0 of 50, memory 0 of 40Gi
              step 0 pod1-gpu gpu-6-partition-0 ["25", "20Gi"] compute: as asked; memory: as asked
              step 0 pod2-gpu gpu-6-partition-0 ["25", "20Gi"] compute: as asked; memory: as asked
            pod1 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 6, node 6, capacity 6, counters 6, taints 6, constraints 6, chosen 1
              18 × selector false (Rule): index == 6 is false
              1 × chosen (Fit): device 19 of 19 looked at
              5 × not needed (None): never looked at: the request was met before
              class selector at line 40: 19 true, 5 not run
              request selector at line 719: 18 false, 1 true, 5 not run
            pod2 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 6, node 6, capacity 6, counters 6, taints 6, constraints 6, chosen 1
              18 × selector false (Rule): index == 6 is false
              1 × chosen (Fit): device 19 of 19 looked at
              5 × not needed (None): never looked at: the request was met before
              class selector at line 40: 19 true, 5 not run
              request selector at line 719: 18 false, 1 true, 5 not run
            pod3 gpu on dra-example-driver-cluster-worker: devices 24, free 24, class 24, request 1, node 1, capacity 0, counters 0, taints 0, constraints 0, chosen 0
              21 × selector false (Rule): index == 6 is false
              1 × capacity short (Quantity): memory: 20Gi asked, 0 of 40Gi left
              1 × selector false (Rule): partition == 0 is false
              1 × selector false (Rule): has(partition) is false
              class selector at line 40: 24 true
              request selector at line 719: 23 false, 1 true
        "#]],
    );
}

#[test]
fn a_button_is_a_step() {
    let text = example("experiment-5-partitionable");
    let pod = ObjectKey {
        kind: "Pod".to_owned(),
        namespace: "gpu-test5".to_owned(),
        name: "pod2".to_owned(),
    };
    let options = Options {
        extra_steps: vec![ExtraStep::Delete(pod.clone()), ExtraStep::PutBack(pod)],
        ..Options::default()
    };
    let analysis = Workspace::new().analyze(text, &options);
    let names: Vec<&str> = analysis.steps.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names[2..], ["pod2 deleted", "pod2 put back"]);
    assert_eq!(analysis.snapshot.pods.last().unwrap().status, "Running");
}

#[test]
fn every_device_has_one_verdict_for_each_request() {
    for example in gallery() {
        let analysis = Workspace::new().analyze(example.text, &Options::default());
        laws::one_verdict_each(example.name, &analysis);
    }
}

#[test]
fn the_same_text_gives_the_same_bytes() {
    for example in gallery() {
        let json = || {
            let analysis = Workspace::new().analyze(example.text, &Options::default());
            serde_json::to_string(&analysis).unwrap()
        };
        assert_eq!(json(), json(), "{}", example.name);
    }
}

#[test]
fn another_step_is_shown_from_what_is_kept() {
    let text = example("experiment-5-partitionable");
    let mut workspace = Workspace::new();
    for step in [None, Some(0), Some(1), Some(9), Some(0)] {
        let options = Options { step, ..Options::default() };
        assert_eq!(workspace.analyze(text, &options), Workspace::new().analyze(text, &options));
    }
}

#[test]
fn a_trace_has_every_part() {
    let mut workspace = Workspace::new();
    let text = example("experiment-5-partitionable");
    assert_eq!(
        workspace.query(&Query::Trace { expression: "true".to_owned(), devices: Vec::new() }),
        Answer::Outdated
    );
    let _ = workspace.analyze(text, &Options::default());
    let expression = "device.attributes[\"gpu.example.com\"].index == 7 && has(device.attributes[\"gpu.example.com\"].full)";
    let query = Query::Trace { expression: expression.to_owned(), devices: vec![0, 23] };
    let Answer::Trace(table) = workspace.query(&query) else { panic!("no trace") };
    assert_eq!(table.columns.len(), 2);
    assert_eq!(table.columns[0].answer, "false");
    assert_eq!(table.columns[1].answer, "true");
    let part = |part: &TracePart| expression.get(part.from as usize..part.to as usize).unwrap();
    assert!(table.parts.iter().any(|p| part(p).ends_with("index == 7")));
}

#[test]
fn a_wrong_selector_is_shown_at_its_place() {
    let text = example("experiment-5-partitionable")
        .replace("device.attributes[\"gpu.example.com\"].index == 7", "devise.driver == \"7\"");
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let found = analysis.diagnostics.iter().find(|d| d.severity == Severity::Error).unwrap();
    let marked: Vec<u16> = text.encode_utf16().collect();
    let range = found.range.from as usize..found.range.to as usize;
    assert_eq!(String::from_utf16(&marked[range]).unwrap(), "d", "{found:?}");
    assert_eq!(found.range.column, 17);
    assert!(found.message.contains("undeclared reference"), "{found:?}");
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(16))]

    #[test]
    fn any_text_is_answered(text in ".*") {
        let _ = Workspace::new().analyze(&text, &Options::default());
    }

    #[test]
    fn any_damage_is_answered(at in 0usize..20_000, cut in 0usize..200, put in "[ -~\n]{0,12}") {
        let text = example("experiment-6-consumable-on");
        let start = (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i)).unwrap();
        let end = (start..=(start + cut).min(text.len()))
            .rev()
            .find(|i| text.is_char_boundary(*i))
            .unwrap();
        let damaged = format!("{}{put}{}", text.get(..start).unwrap(), text.get(end..).unwrap());
        let mut workspace = Workspace::new();
        let analysis = workspace.analyze(&damaged, &Options::default());
        let units = u32::try_from(damaged.encode_utf16().count()).unwrap();
        for diagnostic in &analysis.diagnostics {
            assert!(diagnostic.range.from <= diagnostic.range.to && diagnostic.range.to <= units);
        }
    }
}

/// The sentences about public reports that end in a refusal or an error: words beside the status, and
/// the line of the text that the sentence points at first behind the Pod.
#[test]
fn what_the_text_says_of_a_pod_is_kept_beside_the_answer() {
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n";
    let pod = |name: &str, status: &str| {
        format!(
            "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {{containers: \
             [{{name: c, image: i}}]}}\n{status}"
        )
    };
    let text = format!("{node}{}{}", pod("stale", "status: {phase: Pending}\n"), pod("plain", ""));
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let pods = analysis.snapshot.pods.iter();
    let said: Vec<(&str, bool)> = pods.map(|it| (it.status.as_str(), it.said_pending)).collect();
    assert_eq!(said, [("Running", true), ("Running", false)]);
}

/// The kubelet starts no container before its devices are prepared.
#[test]
fn a_pod_that_names_its_node_gets_no_devices() {
    let text = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: early}\nspec: \
         {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: \
         v1\nkind: Pod\nmetadata: {name: bound}\nspec:\n  nodeName: node-a\n  resourceClaims: \
         [{name: r, resourceClaimName: early}]\n  containers: [{name: c, image: x}]\n";
    let analysis = Workspace::new().analyze(text, &Options::default());
    let snapshot = &analysis.snapshot;
    let pod = snapshot.pods.iter().find(|pod| pod.object.name == "bound").unwrap();
    assert_eq!((pod.ready.as_str(), pod.status.as_str()), ("0/1", "ContainerCreating"));
    let claim = snapshot.claims.iter().find(|claim| claim.object.name == "early").unwrap();
    assert_eq!(flat(&claim.cause), flat(&pod.cause));
    assert_eq!(
        flat(&pod.cause),
        "bound is on a node already, so kube-scheduler passes it by and nobody allocates early."
    );
}

#[test]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "recorded cases are files")]
fn reports_name_their_cause() {
    let Ok(cases) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("skipped: DRA_PLAYGROUND_CASES is not set");
        return;
    };
    let expected = [
        ("02-all-mode-no-devices-on-node", "p2", "no devices"),
        ("06-all-mode-with-counters", "too-big", "counters short"),
        ("10-cel-missing-attribute-aborts-pod", "p1", "CEL error"),
        ("12-cel-class-selector-must-come-first", "unshielded", "CEL error"),
        ("16-match-attribute-key-differs-between-drivers", "before", "constraint"),
        ("26-counters-forgotten-for-shared-allocations", "half", "counters short"),
        ("34-capacity-no-policy-takes-everything", "second", "capacity short"),
        ("36-capacity-valid-values", "b", "against the policy"),
        ("38-capacity-quantity-with-space", "c", "refused"),
        ("48-shared-claim-pins-second-pod", "p3", "claim elsewhere"),
        ("50-stale-generation-ignored", "two", "too few devices"),
        ("52-duplicate-device-names", "c", "pool invalid"),
        ("54-per-device-node-selection", "p3", "in use"),
        ("60-class-missing", "p1", "missing"),
        ("68-extended-resource-init-containers", "p2", "too few devices"),
        ("70-no-preemption-for-devices", "high", "in use"),
        ("72-mig-placement-fragmentation", "four-on-0", "counters short"),
    ];
    for (file, name, reason) in expected {
        let text = std::fs::read_to_string(format!("{cases}/cases/reports/{file}.yaml")).unwrap();
        let analysis = Workspace::new().analyze(&text, &Options::default());
        let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == name).unwrap();
        assert_eq!(pod.reason, reason, "{file}: {}", flat(&pod.cause));
        let failed = analysis.expectations.iter().filter(|e| !e.passed).count();
        assert_eq!(failed, 0, "{file}");
        // What the sentence names beside the Pod can be found in the text.
        let places = pod.cause.0.iter().skip(1).filter_map(|piece| piece.target.as_ref());
        let named: Vec<&Target> = places.collect();
        let found = named.iter().filter(|target| target.range.is_some()).count();
        // The claim for extended resources is written nowhere.
        let is_written = !file.starts_with("68");
        assert!(named.is_empty() || found > 0 || !is_written, "{file}: {named:?}");
    }
}

#[test]
fn a_hint_can_be_taken() {
    let text = example("experiment-5-partitionable").replace(".index == 7", ".indx == 7");
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let hints: Vec<&Diagnostic> =
        analysis.diagnostics.iter().filter(|d| d.code == "selector-hint").collect();
    let fixed = hints.iter().find_map(|hint| {
        let fix = hint.fixes.first()?;
        Some(edits::tests::apply(&text, &fix.edits))
    });
    let after = Workspace::new().analyze(&fixed.expect("a fix"), &Options::default());
    assert!(after.diagnostics.iter().all(|d| d.severity != Severity::Error), "{hints:?}");
    assert_ne!(text, example("experiment-5-partitionable"));
    let said: Vec<String> =
        hints.iter().map(|hint| format!("{} {}", hint.range.line, hint.message)).collect();
    assert_eq!(
        said,
        [
            "535 `indx` is on 0 of 24 devices, `index` on 24",
            "570 `indx` is on 0 of 24 devices, `index` on 24",
        ]
    );
}

#[test]
fn a_loop_over_an_attribute_is_remarked_where_it_is_refused() {
    let text = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n\
                spec:\n  driver: d\n  nodeName: node\n  pool: {name: p, generation: 1, \
                resourceSliceCount: 1}\n  devices:\n  - name: a\n    attributes: {links: {ints: \
                [1, 2]}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: \
                {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n    - name: r\n      \
                exactly:\n        deviceClassName: k\n        selectors:\n        - cel:\n            \
                expression: device.attributes[\"d\"].links.exists(l, l == 1)\n";
    let gate = "DRAListTypeAttributes";
    for (release, lists, is_refused) in [
        ("1.34.13", None, true),
        ("1.35.10", None, true),
        ("1.36.6", Some(false), true),
        ("1.36.6", Some(true), false),
        ("1.37.2", Some(false), true),
        ("1.37.2", Some(true), false),
    ] {
        let options = Options {
            kubernetes_version: Some(release.to_owned()),
            feature_gates: lists.into_iter().map(|on| (gate.to_owned(), on)).collect(),
            ..Options::default()
        };
        let analysis = Workspace::new().analyze(text, &options);
        let said = |what: &str| analysis.diagnostics.iter().any(|it| it.message.contains(what));
        assert_eq!(said("cannot be range of a comprehension"), is_refused, "{release} {lists:?}");
        assert_eq!(said("does not know that `links` is a list"), is_refused, "{release} {lists:?}");
    }
}

#[test]
fn the_page_on_hints_shows_one() {
    let page = include_str!("../../../../docs/diagnostics/selector-hint.md");
    let example = page.split("```yaml\n").nth(1).unwrap().split("```").next().unwrap();
    let analysis = Workspace::new().analyze(example, &Options::default());
    let codes: Vec<&str> = analysis.diagnostics.iter().map(|found| found.code.as_str()).collect();
    assert_eq!(codes, ["selector-hint"]);
}

#[test]
fn a_rule_without_selector_is_remarked_once() {
    let rule = "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: all}\n\
                spec: {taint: {key: a, value: b, effect: NoSchedule}}\n";
    let codes = |release: &str| {
        let options =
            Options { kubernetes_version: Some(release.to_owned()), ..Options::default() };
        let analysis = Workspace::new().analyze(rule, &options);
        let about = analysis.diagnostics.into_iter().map(|found| found.code);
        about.filter(|code| code.starts_with("taint-rule")).collect::<Vec<_>>()
    };
    assert_eq!(codes("1.37.0"), ["taint-rule-selects-everything"]);
    assert_eq!(codes("1.37.2"), ["taint-rule-without-selector"]);
}

#[test]
fn a_search_can_be_followed() {
    let text = example("experiment-5-partitionable");
    let mut workspace = Workspace::new();
    let options = Options { step: Some(0), ..Options::default() };
    let analysis = workspace.analyze(text, &options);
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "pod2").unwrap();
    let query = Query::Search { pod: pod.object.clone(), node: String::new() };
    let Answer::Search(tree) = workspace.query(&query) else { panic!("no search") };
    let lines: Vec<String> = tree
        .entries
        .iter()
        .map(|it| format!("{}{} {}", "  ".repeat(it.depth), it.kind, flat(&it.text)))
        .collect();
    assert_eq!(tree.left_out, 0);
    assert_eq!(Some(tree.calls), pod.node_verdicts[0].search_calls);
    expect![[r#"
        enter call 1: device 1 of request gpu
          skip gpu-0-partition-0 and 20 more refused: selector false (index == 7 is false)
          skip gpu-7-partition-0 and 1 more refused: counters short (gpu-7-counters, memory: 40Gi asked, 0 left)
          skip gpu-7-full refused: in use (by pod1-gpu)
        fail nothing fits from here"#]]
    .assert_eq(&lines.join("\n"));
}

/// Two requests, of which the second cannot be met beside the first choice: the search steps back.
#[test]
fn stepping_back_is_told_with_what_is_left() {
    let text = "\
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  sharedCounters: [{name: card, counters: {memory: {value: 40Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  devices:
  - name: full
    attributes: {numa: {int: 0}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
  - name: half-0
    attributes: {numa: {int: 0}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 20Gi}}}]
  - name: half-1
    attributes: {numa: {int: 0}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 20Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  devices:
    requests:
    - {name: a, exactly: {deviceClassName: any}}
    - {name: b, exactly: {deviceClassName: any}}
    constraints: [{matchAttribute: gpu.example.com/numa}]
";
    let mut workspace = Workspace::new();
    let options = Options { kubernetes_version: Some("1.37.2".to_owned()), ..Options::default() };
    let analysis = workspace.analyze(text, &options);
    let pod = &analysis.snapshot.pods[0];
    let query = Query::Search { pod: pod.object.clone(), node: String::new() };
    let Answer::Search(tree) = workspace.query(&query) else { panic!("no search") };
    let lines: Vec<String> = tree
        .entries
        .iter()
        .map(|it| {
            let state = &tree.states[it.state];
            let depth = "  ".repeat(it.depth);
            let taken: Vec<String> = state.taken.iter().map(flat).collect();
            let held = [taken.join(", "), state.left.join(", "), state.constraints.join(", ")];
            format!("{depth}{} {} | {}", it.kind, flat(&it.text), held.join(" | "))
        })
        .collect();
    expect![[r#"
        enter call 1: device 1 of request a |  |  | 
          take full taken for request a | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
          enter call 2: device 2 of request a | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
            enter call 3: device 1 of request b | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
              skip full refused: taken by this Pod (by another request of the same Pod) | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
              skip half-0 and 1 more refused: counters short (card, memory: 20Gi asked, 0 left after 40Gi taken in this attempt) | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
            fail nothing fits from here | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
          fail nothing fits from here | a: full | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: full 0
          undo full given back by request a |  |  | 
          take half-0 taken for request a | a: half-0 | card memory: 20Gi / 40Gi | matchAttribute gpu.example.com/numa: half-0 0
          enter call 4: device 2 of request a | a: half-0 | card memory: 20Gi / 40Gi | matchAttribute gpu.example.com/numa: half-0 0
            enter call 5: device 1 of request b | a: half-0 | card memory: 20Gi / 40Gi | matchAttribute gpu.example.com/numa: half-0 0
              skip full refused: counters short (card, memory: 40Gi asked, 20Gi left after 20Gi taken in this attempt) | a: half-0 | card memory: 20Gi / 40Gi | matchAttribute gpu.example.com/numa: half-0 0
              skip half-0 refused: taken by this Pod (by another request of the same Pod) | a: half-0 | card memory: 20Gi / 40Gi | matchAttribute gpu.example.com/numa: half-0 0
              take half-1 taken for request b | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
              enter call 6: device 2 of request b | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
                enter call 7: every request has its devices | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
                  enter call 8: every request has its devices | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
                  found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
                found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
              found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
            found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
          found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0
        found found | a: half-0, b: half-1 | card memory: 0 / 40Gi | matchAttribute gpu.example.com/numa: half-0 0, half-1 0"#]].assert_eq(&lines.join("\n"));
}

/// A search of very many calls is told in part, and says so.
#[test]
fn a_long_search_is_told_in_part() {
    let mut text = String::from(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: d.example.com\n  nodeName: n1\n  pool: {name: n1, generation: 1, resourceSliceCount: 1}\n  devices:\n",
    );
    for index in 0..14 {
        let _ = writeln!(
            text,
            "  - {{name: gpu-{index}, attributes: {{a: {{int: {index}}}, b: {{int: {}}}}}}}",
            index % 7
        );
    }
    text.push_str("---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\nspec:\n  devices:\n    requests:\n");
    for index in 0..4 {
        let _ =
            writeln!(text, "    - {{name: r{index}, exactly: {{deviceClassName: gpu, count: 2}}}}");
    }
    text.push_str(
        "    constraints:\n    - matchAttribute: d.example.com/b\n      requests: [r2, r3]\n",
    );
    let mut workspace = Workspace::new();
    let analysis = workspace.analyze(&text, &Options::default());
    let pod = &analysis.snapshot.pods[0];
    let query = Query::Search { pod: pod.object.clone(), node: String::new() };
    let Answer::Search(tree) = workspace.query(&query) else { panic!("no search") };
    assert!(tree.entries.len() < 2_000, "{}", tree.entries.len());
    let gaps = tree.entries.iter().filter(|it| it.kind == "gap").count();
    assert!(gaps > 0 && tree.left_out > 0);
    assert!(tree.deepest < tree.entries.len());
    assert_eq!(tree.entries[tree.deepest].kind, "enter");
}

#[test]
fn releases_are_compared_by_what_comes_out() {
    let text = example("experiment-5-partitionable");
    let mut workspace = Workspace::new();
    let options = Options { step: Some(0), ..Options::default() };
    let _ = workspace.analyze(text, &options);
    let compare = |workspace: &Workspace, options: Options| match workspace
        .query(&Query::Compare { text: None, options })
    {
        Answer::Compare(found) => found,
        other => panic!("{other:?}"),
    };
    let same = compare(&workspace, options.clone());
    assert_eq!((same.differences, same.rows.len()), (0, 2));
    let mut off = options;
    off.feature_gates.insert("DRAPartitionableDevices".to_owned(), false);
    let other = compare(&workspace, off);
    assert_eq!(other.differences, 1);
    let row = other.rows.iter().find(|row| row.differs).unwrap();
    assert_eq!(row.object.name, "pod2");
    assert_eq!(row.left.as_ref().unwrap().status, "Pending");
    assert_eq!(row.right.as_ref().unwrap().devices, ["gpu-7-partition-0"]);
    assert!(other.right.contains("DRAPartitionableDevices=false"), "{}", other.right);
    // Two steps of one timeline.
    let steps = compare(&workspace, Options { step: Some(1), ..Options::default() });
    assert_eq!(steps.differences, 2);
    let memory = steps.balances.iter().find(|it| it[0].ends_with("gpu-7-counters memory"));
    assert_eq!(memory.map(|it| [it[1].as_str(), &it[2]]), Some(["0", "40Gi"]));
}

#[test]
fn nodes_with_the_same_answer_are_told_together() {
    let mut text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n---\n\
        apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\n\
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\n\
        apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\n\
        spec: {resourceClaims: [{name: c, resourceClaimName: c}], containers: [{name: m, image: i}]}\n"
        .to_owned();
    for node in 100..200 {
        writeln!(text, "---\napiVersion: v1\nkind: Node\nmetadata: {{name: n{node}}}").unwrap();
        if node % 4 == 0 {
            writeln!(
                text,
                "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s{node}}}\n\
                 spec: {{driver: d.example.com, nodeName: n{node}, devices: [{{name: g}}],\n\
                 \x20 pool: {{name: n{node}, generation: 1, resourceSliceCount: 1}}}}"
            )
            .unwrap();
        }
    }
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let told: Vec<_> = analysis.snapshot.pods[0]
        .node_verdicts
        .iter()
        .map(|it| (it.nodes.len(), it.nodes[0].as_str(), it.count, it.message.as_str()))
        .collect();
    let refused = (64, "n101", 75, "cannot allocate all claims");
    assert_eq!(told, [(25, "n100", 25, ""), refused]);
}

/// A prioritized list scores nodes: the one that meets the first alternative comes first.
#[test]
fn nodes_that_fit_are_named_best_first() {
    let mut text = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: big}\n\
        spec: {selectors: [{cel: {expression: \"device.attributes['d.example.com'].size == 'big'\"}}]}\n---\n\
        apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: any}\n---\n\
        apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c, namespace: default}\n\
        spec: {devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: big}, {name: b, deviceClassName: any}]}]}}\n---\n\
        apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\n\
        spec: {resourceClaims: [{name: c, resourceClaimName: c}], containers: [{name: m, image: i}]}\n"
        .to_owned();
    for (node, size) in [("a", "small"), ("b", "big"), ("c", "small"), ("d", "big")] {
        writeln!(
            text,
            "---\napiVersion: v1\nkind: Node\nmetadata: {{name: {node}}}\n---\n\
             apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {node}}}\n\
             spec: {{driver: d.example.com, nodeName: {node}, devices: [{{name: g, attributes: {{size: {{string: {size}}}}}}}],\n\
             \x20 pool: {{name: {node}, generation: 1, resourceSliceCount: 1}}}}"
        )
        .unwrap();
    }
    let analysis = Workspace::new().analyze(&text, &Options::default());
    let pod = &analysis.snapshot.pods[0];
    assert_eq!(pod.node.as_deref(), Some("b"));
    assert_eq!(pod.node_verdicts[0].nodes, ["b", "d", "a", "c"]);
}

/// An attempt that an error ended has scored no node: those that fitted are named all the same.
#[test]
fn nodes_that_fit_are_named_when_another_node_ended_the_attempt() {
    let text = example("missing-attribute");
    let analysis = Workspace::new().analyze(text, &Options::default());
    let verdicts = &analysis.snapshot.pods[0].node_verdicts;
    let told: Vec<_> = verdicts.iter().map(|it| (it.count, it.nodes.join(" "))).collect();
    assert_eq!(told, [(1, "node-a".to_owned()), (1, "node-b".to_owned())]);
}
