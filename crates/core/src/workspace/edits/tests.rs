use expect_test::{Expect, expect};

use crate::workspace::report::{ExtraStep, ObjectKey};
use crate::yaml;

use super::*;

/// The text after edits, which stand in text order.
pub(in super::super) use super::apply;

#[test]
fn a_difference_makes_one_text_of_the_other() {
    for (before, after) in
        [("", "a"), ("a裝b", "a置b"), ("aa", "aaa"), ("abc", "abc"), ("xay", ""), ("裝", "裝置")]
    {
        assert_eq!(apply(before, &difference(before, after)), after);
    }
}

const PLAIN: Inventory =
    Inventory { gpus: 1, gpu_partitions: 0, allow_multiple_allocations: false };

#[test]
fn an_inventory_goes_to_the_end_once() {
    let first = apply("", &insert_inventory("", &PLAIN));
    assert!(first.starts_with("apiVersion: v1\nkind: Node\n"), "{first}");
    let second = apply(&first, &insert_inventory(&first, &PLAIN));
    let outline = Outline::of(&second);
    let kinds: Vec<&str> = outline.entries.iter().map(|entry| entry.kind.as_str()).collect();
    assert_eq!(kinds, ["Node", "DeviceClass", "ResourceSlice", "Node", "ResourceSlice"]);
    let names: Vec<&str> = outline.entries.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names[3], "dra-example-driver-cluster-worker2");
}

#[test]
fn documents_are_separated() {
    for text in ["kind: Pod", "kind: Pod\n", "kind: Pod\n---\n", "# 裝置\nkind: Pod\n---"] {
        let after = apply(text, &insert_inventory(text, &PLAIN));
        assert_eq!(Outline::of(&after).entries.len(), 4, "{after}");
    }
}

#[test]
fn large_inventories_keep_the_limits_of_slices() {
    let inventory = Inventory { gpus: 20, gpu_partitions: 7, allow_multiple_allocations: true };
    let text = apply("", &insert_inventory("", &inventory));
    let slices: Vec<_> =
        Outline::of(&text).entries.into_iter().filter(|e| e.kind == "ResourceSlice").collect();
    // 20 counter sets at 8 each, 160 devices at 64 each.
    assert_eq!(slices.len(), 6);
    assert!(text.contains("resourceSliceCount: 6"));
}

fn pod1() -> ObjectKey {
    ObjectKey { kind: "Pod".to_owned(), namespace: "ns".to_owned(), name: "pod1".to_owned() }
}

fn delete_pod1() -> ExtraStep {
    ExtraStep::Delete(pod1())
}

fn put_back_pod1() -> ExtraStep {
    ExtraStep::PutBack(pod1())
}

#[track_caller]
fn check_step(text: &str, step: &ExtraStep, expect: &Expect) {
    let after = apply(text, &write_step(text, step));
    assert!(yaml::read(&after).diagnostics.is_empty(), "{after}");
    expect.assert_eq(&after);
}

const POD: &str = "apiVersion: v1\nkind: Pod\nmetadata:\n  namespace: ns\n  name: pod1\n";

#[test]
fn a_step_makes_its_scenario() {
    check_step(
        POD,
        &delete_pod1(),
        &expect![[r#"
        apiVersion: v1
        kind: Pod
        metadata:
          namespace: ns
          name: pod1
        ---
        apiVersion: dra-playground/v1
        kind: Scenario
        metadata:
          name: scenario
        spec:
          steps:
          - name: pod1 deleted
            delete: {kind: Pod, namespace: ns, name: pod1}
    "#]],
    );
}

#[test]
fn steps_follow_the_layout() {
    let scenario = "kind: Scenario\nspec:\n    title: x # why\n    steps:\n      - name: a\n        \
                    advance: 1s # one\n\n---\nkind: Pod\n";
    check_step(
        scenario,
        &delete_pod1(),
        &expect![[r#"
        kind: Scenario
        spec:
            title: x # why
            steps:
              - name: a
                advance: 1s # one
              - name: pod1 deleted
                delete: {kind: Pod, namespace: ns, name: pod1}

        ---
        kind: Pod
    "#]],
    );
    check_step(
        "kind: Scenario\nspec:\n  title: x\n",
        &delete_pod1(),
        &expect![[r#"
        kind: Scenario
        spec:
          title: x
          steps:
          - name: pod1 deleted
            delete: {kind: Pod, namespace: ns, name: pod1}
    "#]],
    );
    check_step(
        "kind: Scenario\nspec:\n  steps: []\n",
        &delete_pod1(),
        &expect![[r#"
        kind: Scenario
        spec:
          steps: 
          - name: pod1 deleted
            delete: {kind: Pod, namespace: ns, name: pod1}
    "#]],
    );
    check_step(
        "kind: Scenario\nspec:\n  steps:\n",
        &delete_pod1(),
        &expect![[r#"
        kind: Scenario
        spec:
          steps:
          - name: pod1 deleted
            delete: {kind: Pod, namespace: ns, name: pod1}
    "#]],
    );
    check_step(
        "kind: Scenario",
        &delete_pod1(),
        &expect![[r#"
        kind: Scenario
        spec:
          steps:
          - name: pod1 deleted
            delete: {kind: Pod, namespace: ns, name: pod1}
    "#]],
    );
    check_step(
        "{\"kind\": \"Scenario\", \"spec\": {\"steps\": []}}",
        &delete_pod1(),
        &expect![[
            r#"{"kind": "Scenario", "spec": {"steps": [{"name": "pod1 deleted", "delete": {kind: Pod, namespace: ns, name: pod1}}]}}"#
        ]],
    );
}

#[test]
fn a_put_back_carries_the_object() {
    check_step(
        POD,
        &put_back_pod1(),
        &expect![[r#"
        apiVersion: v1
        kind: Pod
        metadata:
          namespace: ns
          name: pod1
        ---
        apiVersion: dra-playground/v1
        kind: Scenario
        metadata:
          name: scenario
        spec:
          steps:
          - name: pod1 put back
            apply:
              apiVersion: v1
              kind: Pod
              metadata:
                namespace: ns
                name: pod1
    "#]],
    );
    let list = "kind: List\nitems:\n- kind: Pod\n  metadata:\n    namespace: ns\n    name: pod1\n";
    check_step(
        list,
        &put_back_pod1(),
        &expect![[r#"
        kind: List
        items:
        - kind: Pod
          metadata:
            namespace: ns
            name: pod1
        ---
        apiVersion: dra-playground/v1
        kind: Scenario
        metadata:
          name: scenario
        spec:
          steps:
          - name: pod1 put back
            apply:
              kind: Pod
              metadata:
                namespace: ns
                name: pod1
    "#]],
    );
    assert_eq!(write_step("kind: Node\n", &put_back_pod1()), []);
}

#[test]
fn every_kind_can_be_inserted() {
    let mut text = String::new();
    for kind in InsertKind::ALL.into_iter().chain(InsertKind::ALL) {
        text = apply(&text, &insert_object(&text, kind));
    }
    assert!(yaml::read(&text).diagnostics.is_empty(), "{text}");
    let outline = Outline::of(&text);
    assert_eq!(outline.entries.len(), 2 * InsertKind::ALL.len());
    for kind in InsertKind::ALL {
        let names: Vec<&str> = outline
            .entries
            .iter()
            .filter(|entry| entry.kind == kind.name())
            .map(|entry| entry.name.as_str())
            .collect();
        assert!(matches!(names[..], [a, b] if a != b), "{names:?}");
    }
}

#[test]
fn switches_publish_an_inventory_anew() {
    let settings = [(0, false), (2, false), (2, true), (0, true), (4, true), (3, false)];
    for (gpu_partitions, allow_multiple_allocations) in settings {
        let inventory = Inventory { gpus: 10, gpu_partitions, allow_multiple_allocations };
        let text =
            format!("# head\nkind: Pod\n---\n{}", apply("", &insert_inventory("", &inventory)));
        let text = text + "---\nkind: Pod # tail\n";
        let found = presets(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].gpus, found[0].gpu_partitions), (10, gpu_partitions));
        let flipped = PresetSwitch::AllowMultipleAllocations(!allow_multiple_allocations);
        for switch in [PresetSwitch::GpuPartitions(5), PresetSwitch::GpuPartitions(0), flipped] {
            let after = apply(&text, &flip_preset(&text, 0, switch));
            assert!(yaml::read(&after).diagnostics.is_empty(), "{after}");
            let now = presets(&after);
            assert_eq!(now.len(), 1, "{after}");
            match switch {
                PresetSwitch::GpuPartitions(n) => assert_eq!(now[0].gpu_partitions, n),
                PresetSwitch::AllowMultipleAllocations(allow) => {
                    assert_eq!(now[0].allow_multiple_allocations, allow);
                }
            }
            assert!(after.contains("generation: 2\n") && !after.contains("generation: 1\n"));
            assert!(
                after.starts_with("# head\n") && after.ends_with("\n---\nkind: Pod # tail\n"),
                "{after}"
            );
        }
    }
}

#[test]
fn a_changed_inventory_is_no_preset() {
    let text = apply("", &insert_inventory("", &PLAIN));
    assert_eq!(presets(&text.replace("80Gi", "96Gi")), []);
    assert_eq!(presets(&text.replace("LATEST-GPU-MODEL", "H200")), []);
    // Layout and UUIDs do not matter.
    assert_eq!(presets(&text.replace("\"80Gi\"", "80Gi")).len(), 1);
    assert_eq!(presets(&text.replace("gpu-6513270e", "gpu-00000000")).len(), 1);
    assert_eq!(flip_preset(&text, 1, PresetSwitch::GpuPartitions(2)), []);
}

#[test]
fn a_step_follows_one_that_is_written_in_braces() {
    let text = "\
apiVersion: dra-playground/v1
kind: Scenario
metadata: {name: s}
spec:
  steps:
  - {name: wait, advance: 1s}
";
    let object =
        ObjectKey { kind: "Pod".to_owned(), namespace: "default".to_owned(), name: "p".to_owned() };
    let changed = apply(text, &write_step(text, &ExtraStep::Delete(object)));
    let steps =
        yaml::read(&changed).documents[0].root.as_ref().unwrap().get("spec").unwrap().clone();
    let steps = steps.get("steps").unwrap().items().unwrap().to_vec();
    assert_eq!(steps.len(), 2, "{changed}");
    assert!(steps[1].get("delete").is_some(), "{changed}");
}
