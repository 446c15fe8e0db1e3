use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::api::{AllocationResult, ConsumerReference, DeviceRequestAllocationResult};
use crate::apimachinery::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};

use super::*;

#[track_caller]
fn check(value: &Value, expect: &Expect) {
    expect.assert_eq(&write::yaml(value));
}

#[test]
fn strings_stay_strings() {
    check(
        &json!({ "a": [
            "no", "on", "1.10", "1e3", "0x1f", "12", "~", "", " x", "x ", "a: b", "a #b", "Yes", "y",
            "40Gi", "100m", "1_000", "2001-01-01", "12:30:45", "null", "-", "- a", "0o17", ".inf",
            "6513270e-269e-0d37-f2a7-4de452e6b438", "a/b.c-d", "裝置", "{}", "*a", "a\nb", "1Ei", "5E",
        ]}),
        &expect![[r#"
            a:
            - "no"
            - "on"
            - "1.10"
            - "1e3"
            - "0x1f"
            - "12"
            - "~"
            - ""
            - " x"
            - "x "
            - "a: b"
            - "a #b"
            - "Yes"
            - "y"
            - 40Gi
            - 100m
            - "1_000"
            - "2001-01-01"
            - "12:30:45"
            - "null"
            - "-"
            - "- a"
            - "0o17"
            - ".inf"
            - 6513270e-269e-0d37-f2a7-4de452e6b438
            - a/b.c-d
            - "裝置"
            - "{}"
            - "*a"
            - "a\nb"
            - 1Ei
            - "5E"
        "#]],
    );
}

#[test]
fn nesting_is_laid_out_as_kubectl_does() {
    check(
        &json!({ "status": {
            "list": [{ "a": 1, "b": { "c": true, "d": [] } }, ["x", "z"], {}],
            "none": null,
        }}),
        &expect![[r#"
            status:
              list:
              - a: 1
                b:
                  c: true
                  d: []
              - - x
                - z
              - {}
              none: null
        "#]],
    );
}

#[test]
fn a_whole_status() {
    let status = ResourceClaimStatus {
        allocation: Some(AllocationResult {
            results: vec![DeviceRequestAllocationResult {
                request: "gpu".to_owned(),
                driver: "gpu.example.com".to_owned(),
                pool: "node-a".to_owned(),
                device: "gpu-0".to_owned(),
                share_id: Some("00000000-0000-4000-8000-000000000001".to_owned()),
                consumed_capacity: Some(
                    [("memory", "20Gi"), ("compute", "25")]
                        .map(|(name, amount)| (name.to_owned(), amount.parse().unwrap()))
                        .into(),
                ),
                ..DeviceRequestAllocationResult::default()
            }],
            node_selector: Some(NodeSelector {
                terms: vec![NodeSelectorTerm {
                    match_fields: vec![NodeSelectorRequirement {
                        key: "metadata.name".to_owned(),
                        operator: NodeSelectorOperator::In,
                        values: vec!["node-a".to_owned()],
                    }],
                    ..NodeSelectorTerm::default()
                }],
            }),
            ..AllocationResult::default()
        }),
        reserved_for: vec![ConsumerReference {
            resource: "pods".to_owned(),
            name: "pod1".to_owned(),
            uid: "u-1".to_owned(),
            ..ConsumerReference::default()
        }],
        devices: Vec::new(),
    };
    expect![[r#"
        status:
          allocation:
            devices:
              results:
              - consumedCapacity:
                  compute: "25"
                  memory: 20Gi
                device: gpu-0
                driver: gpu.example.com
                pool: node-a
                request: gpu
                shareID: 00000000-0000-4000-8000-000000000001
            nodeSelector:
              nodeSelectorTerms:
              - matchFields:
                - key: metadata.name
                  operator: In
                  values:
                  - node-a
          reservedFor:
          - name: pod1
            resource: pods
            uid: u-1
    "#]]
    .assert_eq(&status_yaml(&status));
    assert_eq!(status_yaml(&ResourceClaimStatus::default()), "");
}
