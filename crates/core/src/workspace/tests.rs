use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::report::*;
use super::*;

/// What a reader sees of a step, as text.
fn print(analysis: &Analysis) -> String {
    let mut out = String::new();
    let snapshot = &analysis.snapshot;
    for diagnostic in &analysis.diagnostics {
        let report::Diagnostic { code, message, range, .. } = diagnostic;
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
        let sieve: Vec<String> =
            request.sieve.iter().map(|row| format!("{} {}", row.stage, row.left)).collect();
        let pod = request.pod.as_ref().map(|pod| pod.name.as_str()).unwrap_or_default();
        let _ =
            writeln!(out, "{pod} {} on {}: {}", request.request, request.node, sieve.join(", "));
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
            let _ = writeln!(
                out,
                "  {} selector at line {line}: {}",
                selector.source,
                answers.join(", ")
            );
        }
    }
    out
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
fn zz_print_examples() {
    for example in gallery() {
        for language in ["en", "zh-TW"] {
            let options = Options { language: language.to_owned(), ..Options::default() };
            let analysis = Workspace::new().analyze(example.text, &options);
            println!("=== {}", example.name);
            if language == "en" {
                let text = print(&analysis);
                println!("{}", text.lines().take(60).collect::<Vec<_>>().join("\n"));
                for e in analysis.expectations.iter().filter(|e| !e.passed) {
                    println!("EXPECT {} -> {}", e.line, e.found);
                }
            } else {
                for pod in &analysis.snapshot.pods {
                    println!("  {} {}", flat(&pod.cause), flat(&pod.context));
                }
            }
        }
    }
}
