use std::rc::Rc;

use crate::api::{
    Device, DeviceCapacity, DeviceClass, DeviceSelector, DeviceTaintRule, DeviceTaintSelector,
    Node, ResourceSlice,
};
use crate::apimachinery::ObjectMeta;
use crate::features::{Behavior, BehaviorMode, Gate, Gates, Release};

use super::{
    Cluster, Object, Objects, Origin, format_time, generated_claim_name, parse_duration,
    parse_time, stable_uuid,
};

fn node(name: &str) -> Object<Node> {
    let metadata = ObjectMeta { name: name.to_owned(), ..ObjectMeta::default() };
    let value = Rc::new(Node { metadata, ..Node::default() });
    Object { value, origin: Origin::default(), created_seconds: 0, since_step: 0 }
}

fn names(nodes: &Objects<Node>) -> Vec<&str> {
    nodes.iter().map(|node| node.value.metadata.name.as_str()).collect()
}

#[test]
fn a_changed_clone_leaves_the_original_alone() {
    let mut nodes = Objects::default();
    (0..200).for_each(|number| nodes.put(node(&format!("n{number}"))));
    let before = nodes.clone();
    assert!(before.same(&nodes));
    assert!(nodes.update("", "n150", |node| node.unschedulable = true));
    assert!(!before.same(&nodes));
    assert!(!before.get("", "n150").unwrap().value.unschedulable);
    assert!(nodes.get("", "n150").unwrap().value.unschedulable);
}

#[test]
fn replacing_keeps_the_place_and_removing_keeps_the_order() {
    let mut nodes = Objects::default();
    for name in ["b", "a", "c"] {
        nodes.put(node(name));
    }
    nodes.put(node("a"));
    assert_eq!(names(&nodes), ["b", "a", "c"]);
    assert!(nodes.remove("", "b").is_some());
    assert!(nodes.remove("", "b").is_none());
    assert_eq!(names(&nodes), ["a", "c"]);
    assert_eq!(nodes.get("", "c").unwrap().value.metadata.name, "c");
    assert_eq!(nodes.len(), 2);
}

#[test]
fn long_claim_names_are_cut_in_proportion() {
    assert_eq!(generated_claim_name("pod1", "gpu"), "pod1-gpu");
    let long = generated_claim_name(&"p".repeat(60), &"c".repeat(30));
    assert_eq!(long.len(), 41 + 1 + 20);
    assert!(long.starts_with("ppp") && long.ends_with("ccc"));
}

#[test]
fn stable_uuids_look_like_uuids_and_differ() {
    let first = stable_uuid(&["share", "default/c", "1"]);
    assert_eq!(first, stable_uuid(&["share", "default/c", "1"]));
    assert_ne!(first, stable_uuid(&["share", "default/c", "2"]));
    assert_ne!(stable_uuid(&["ab", "c"]), stable_uuid(&["a", "bc"]));
    let lengths: Vec<usize> = first.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert_eq!(first.get(14..15), Some("4"));
}

#[test]
fn durations_are_those_of_go_in_whole_seconds() {
    assert_eq!(parse_duration("1h30m"), Some(5400));
    assert_eq!(parse_duration("90s"), Some(90));
    assert_eq!(parse_duration("500ms500ms"), Some(1));
    assert_eq!(parse_duration("0"), Some(0));
    for text in ["", "5", "1.5s", "100ms", "-1s", "s", "1d"] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

#[test]
fn times_are_read_and_written_as_rfc_3339() {
    assert_eq!(parse_time("1970-01-01T00:00:00Z"), Some(0));
    assert_eq!(parse_time("2026-07-01T12:00:00.25+02:00"), parse_time("2026-07-01T10:00:00Z"));
    for text in ["2024-02-29T23:59:59Z", "1999-12-31T00:00:00Z", "2026-11-29T18:53:38Z"] {
        assert_eq!(format_time(parse_time(text).unwrap()), text);
    }
    for text in ["2026-13-01T00:00:00Z", "2026-01-01", "yesterday", "2026-01-01T00:00:00"] {
        assert_eq!(parse_time(text), None, "{text}");
    }
}

fn object<T>(value: T) -> Object<T> {
    Object { value: Rc::new(value), origin: Origin::default(), created_seconds: 0, since_step: 0 }
}

/// Devices that a rule taints in a cluster with two devices and the class `big`.
fn tainted(release: &str, rule: DeviceTaintSelector) -> Vec<String> {
    let selector = |text: &str| DeviceSelector { cel_expression: Some(text.to_owned()) };
    let mut cluster = Cluster::default();
    let mut class = DeviceClass::default();
    "big".clone_into(&mut class.metadata.name);
    class.selectors = vec![selector("device.capacity['a'].memory.isGreaterThan(quantity('8Gi'))")];
    cluster.classes.put(object(class));
    let device = |name: &str, memory: Option<&str>| Device {
        name: name.to_owned(),
        capacity: memory
            .map(|memory| {
                let value = memory.parse().unwrap();
                ("memory".to_owned(), DeviceCapacity { value, request_policy: None })
            })
            .into_iter()
            .collect(),
        ..Default::default()
    };
    cluster.slices.put(object(ResourceSlice {
        driver: "a".to_owned(),
        devices: Vec::from([
            device("small", Some("8Gi")),
            device("large", Some("80Gi")),
            device("none", None),
        ])
        .into(),
        ..Default::default()
    }));
    cluster
        .taint_rules
        .put(object(DeviceTaintRule { device_selector: Some(rule), ..Default::default() }));
    let release = Release::parse(release).unwrap();
    let mut gates = Gates::defaults(release);
    gates.set(Gate::DeviceTaints, true);
    gates.set(Gate::DeviceTaintRules, true);
    let behavior = Behavior::new(gates, BehaviorMode::AsReleased).unwrap();
    let slices = cluster.effective_slices(&behavior);
    let devices = slices.iter().flat_map(|slice| slice.devices.iter());
    let tainted = devices.filter(|device| !device.taints.is_empty());
    tainted.map(|device| device.name.clone()).collect()
}

#[test]
fn rules_of_1_34_choose_by_class_and_selectors() {
    let by_class = |name: &str| DeviceTaintSelector {
        device_class_name: Some(name.to_owned()),
        ..Default::default()
    };
    let by_selector = |text: &str| DeviceTaintSelector {
        selectors: vec![DeviceSelector { cel_expression: Some(text.to_owned()) }],
        ..Default::default()
    };
    // A selector that fails on a device does not choose it.
    assert_eq!(tainted("1.34.13", by_class("big")), ["large"]);
    assert_eq!(tainted("1.34.13", by_class("gone")), Vec::<String>::new());
    let small = by_selector("device.capacity['a'].memory.compareTo(quantity('8Gi')) == 0");
    assert_eq!(tainted("1.34.13", small), ["small"]);
    let both = DeviceTaintSelector {
        device_class_name: Some("big".to_owned()),
        ..by_selector("device.driver == 'b'")
    };
    assert_eq!(tainted("1.34.13", both), Vec::<String>::new());
    // Later releases do not know these fields; the API server drops them.
    assert_eq!(tainted("1.35.10", by_class("big")), ["small", "large", "none"]);
}
