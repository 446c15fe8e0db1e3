use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::places::places;
use super::{Corpus, devices_wanted, scenario};
use crate::generator::Profile;

const NEWEST: Profile = Profile { minor: 37 };

fn corpus() -> Corpus {
    Corpus::read(&[]).unwrap()
}

#[test]
fn a_case_depends_on_seed_and_index_alone() {
    let (one, other) = (corpus(), corpus());
    for index in 0..40 {
        assert_eq!(one.case(3, index, NEWEST), other.case(3, index, NEWEST));
    }
    assert_ne!(one.case(3, 1, NEWEST), one.case(4, 1, NEWEST));
}

#[test]
fn nearly_every_case_is_new_and_none_asks_for_many_devices() {
    let corpus = corpus();
    let known: BTreeSet<String> = corpus
        .records
        .iter()
        .map(|record| super::as_input(record, NEWEST))
        .map(|record| without_name(&record))
        .collect();
    let most = corpus.records.iter().map(devices_wanted).max().unwrap().max(super::MOST_DEVICES);
    let mut new = 0;
    for index in 0..300 {
        let case = corpus.case(5, index, NEWEST);
        assert!(devices_wanted(&case) <= most, "{case}");
        new += usize::from(!known.contains(&without_name(&case)));
    }
    assert!(new > 290, "{new}");
}

fn without_name(record: &Value) -> String {
    let mut record = record.clone();
    record.as_object_mut().unwrap().remove("name");
    record.to_string()
}

#[test]
fn devices_of_a_slice_keep_their_names_apart() {
    let corpus = corpus();
    for index in 0..300 {
        let case = corpus.case(7, index, NEWEST);
        for slice in case.get("resourceSlices").and_then(Value::as_array).unwrap() {
            let devices = slice.pointer("/spec/devices").and_then(Value::as_array);
            let names: Vec<_> =
                devices.into_iter().flatten().map(|device| device.get("name")).collect();
            let different: BTreeSet<_> = names.iter().map(|name| format!("{name:?}")).collect();
            assert!(different.len() + 1 >= names.len(), "{case}");
        }
    }
}

#[test]
fn older_releases_are_not_asked_about_newer_features() {
    let corpus = corpus();
    for index in 0..100 {
        let case = corpus.case(9, index, Profile { minor: 34 });
        assert_ne!(case.pointer("/features/ListTypeAttributes"), Some(&json!(true)));
        assert_eq!(case.pointer("/features/FractionalCapacityRange"), None);
    }
}

#[test]
fn places_of_one_meaning_can_stand_for_each_other() {
    let record = json!({"resourceSlices": [
        {"spec": {"pool": {"name": "p"}, "devices": [
            {"name": "a", "capacity": {"x": {"value": "1"}, "example.com/y": {"value": "2"}}},
        ]}},
    ], "claims": [
        {"spec": {"devices": {"requests": [
            {"name": "r", "exactly": {"capacity": {"requests": {"x": "1"}}}},
        ]}}},
    ]});
    let found = places(&record);
    let at = |pointer: &str| found.iter().find(|place| place.pointer == pointer).unwrap();
    let x = at("/resourceSlices/0/spec/devices/0/capacity/x/value");
    let y = at("/resourceSlices/0/spec/devices/0/capacity/example.com~1y/value");
    assert_eq!(x.meaning, y.meaning);
    assert!(x.is_amount());
    assert!(at("/claims/0/spec/devices/requests/0/exactly/capacity/requests/x").is_amount());
    assert!(at("/resourceSlices/0/spec/devices/0/name").is_identity());
    assert!(!at("/resourceSlices/0/spec/pool/name").is_identity());
    assert!(at("/resourceSlices/0/spec/devices/0").is_item());
    assert!(found.iter().all(|place| record.pointer(&place.pointer).is_some()));
}

#[test]
fn a_scenario_becomes_a_record() {
    let text = "\
# a comment
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  nodeName: n1
  driver: d
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: a}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec:
  spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
";
    let record = scenario::record("x", text).unwrap();
    assert_eq!(record.pointer("/nodes/1/metadata/name"), Some(&json!("node-a")));
    assert_eq!(record.pointer("/nodes/0/metadata/name"), Some(&json!("n1")));
    assert_eq!(
        record.pointer("/claims/0/spec/devices/requests/0/exactly/deviceClassName"),
        Some(&json!("c"))
    );
    assert_eq!(record.pointer("/resourceSlices/0/metadata/name"), Some(&json!("s")));
    assert_eq!(scenario::record("x", "apiVersion: v1\nkind: Node\nmetadata: {name: n}\n"), None);
}
