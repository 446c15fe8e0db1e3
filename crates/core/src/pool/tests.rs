use std::rc::Rc;

use super::*;
use crate::api::{CounterSet, Device, DeviceCounterConsumption, Node, ResourcePool, ResourceSlice};
use crate::features::{Behavior, BehaviorMode, Gates, Release};

fn behavior(release: &str) -> Behavior {
    let gates = Gates::defaults(Release::parse(release).unwrap());
    Behavior::new(gates, BehaviorMode::AsReleased).unwrap()
}

fn node(name: &str) -> Node {
    let mut node = Node::default();
    node.metadata.name = name.to_owned();
    node
}

/// `driver/pool name node generation count device,device`; a device that ends in `!` has binding
/// conditions.
fn slice(text: &str) -> Rc<ResourceSlice> {
    let words: Vec<&str> = text.split(' ').collect();
    let [id, name, node, generation, count, devices] = words.as_slice() else { panic!("{text}") };
    let (driver, pool) = id.split_once('/').unwrap();
    let mut slice = ResourceSlice {
        driver: driver.into(),
        pool: ResourcePool {
            name: pool.into(),
            generation: generation.parse().unwrap(),
            resource_slice_count: count.parse().unwrap(),
        },
        node_name: Some((*node).to_owned()),
        ..Default::default()
    };
    slice.metadata.name = (*name).to_owned();
    slice.devices = devices
        .split(',')
        .map(|name| Device {
            name: name.trim_end_matches('!').into(),
            binding_conditions: name.ends_with('!').then(|| vec!["ready".to_owned()]),
            ..Default::default()
        })
        .collect::<Vec<_>>()
        .into();
    Rc::new(slice)
}

/// Pools in order: `driver/pool:slice slice`, with the state of those that cannot be used.
fn gathered(slices: &[Rc<ResourceSlice>], on: &str, release: &str) -> Vec<String> {
    let gathered = SliceIndex::new(slices).gather(&node(on), &behavior(release)).unwrap();
    let show = |pool: &Pool| {
        let names: Vec<&str> =
            pool.slices.iter().map(|slice| slices[*slice].metadata.name.as_str()).collect();
        let state = match &pool.state {
            PoolState::Usable => String::new(),
            PoolState::Incomplete { have, want } => format!(" {have} of {want}"),
            PoolState::Invalid(reason) => format!(" {reason}"),
        };
        format!("{}:{}{state}", pool.id, names.join(" "))
    };
    gathered.pools.iter().map(show).collect()
}

#[test]
fn pools_and_slices_go_by_name_from_1_36_on() {
    let slices = [
        slice("b/p s1 n 1 1 d"),
        slice("a/q s2 n 1 1 e"),
        slice("a/p s4 n 1 2 f"),
        slice("a/p s3 n 1 2 g"),
    ];
    assert_eq!(gathered(&slices, "n", "1.36.2"), ["a/p:s3 s4", "a/q:s2", "b/p:s1"]);
    // Random upstream: ours is the order given.
    assert_eq!(gathered(&slices, "n", "1.35.10"), ["b/p:s1", "a/q:s2", "a/p:s4 s3"]);
}

#[test]
fn pools_with_binding_conditions_come_last() {
    let slices = [slice("a/p s1 n 1 1 d,e!"), slice("b/p s2 n 1 1 f")];
    assert_eq!(gathered(&slices, "n", "1.36.2"), ["b/p:s2", "a/p:s1"]);
    assert_eq!(gathered(&slices, "n", "1.35.10"), ["a/p:s1", "b/p:s2"]);
}

#[test]
fn completeness_looks_at_the_cluster_from_1_35_on() {
    let slices = [slice("a/p s1 n 1 2 d"), slice("a/p s2 m 1 2 e")];
    assert_eq!(gathered(&slices, "n", "1.36.2"), ["a/p:s1"]);
    assert_eq!(gathered(&slices, "n", "1.34.13"), ["a/p:s1 1 of 2"]);
    assert_eq!(gathered(&slices[..1], "n", "1.36.2"), ["a/p:s1 1 of 2"]);
}

#[test]
fn a_newer_generation_elsewhere_makes_an_incomplete_pool_obsolete() {
    let slices = [slice("a/p s1 n 1 2 d"), slice("a/p s2 m 2 1 e")];
    assert_eq!(gathered(&slices, "n", "1.36.2"), Vec::<String>::new());
    let behavior = behavior("1.36.2");
    let index = SliceIndex::new(&slices);
    let found = index.gather(&node("n"), &behavior).unwrap();
    assert_eq!(
        index.skipped(&found, &node("n"), &behavior),
        [
            SkippedSlice { slice: 0, why: SliceSkip::Obsolete { generation: 1, newest: 2 } },
            SkippedSlice { slice: 1, why: SliceSkip::OtherNode },
        ]
    );
}

#[test]
fn duplicate_devices_make_a_pool_invalid() {
    let slices = [slice("a/p s1 n 1 2 d"), slice("a/p s2 n 1 2 d")];
    assert_eq!(gathered(&slices, "n", "1.36.2"), ["a/p:s1 s2 duplicate device name d"]);
}

#[test]
fn unknown_counters_make_a_pool_invalid() {
    let mut devices = (*slice("a/p s1 n 1 2 d")).clone();
    devices.devices_mut()[0].consumes_counters.push(DeviceCounterConsumption {
        counter_set: "cs".into(),
        counters: [("m".to_owned(), "1".parse().unwrap())].into(),
        ..Default::default()
    });
    let mut counters = (*slice("a/p s2 n 1 2 x")).clone();
    counters.devices_mut().clear();
    let set = |name: &str, counter: &str| CounterSet {
        name: name.into(),
        counters: [(counter.to_owned(), "1".parse().unwrap())].into(),
    };
    counters.shared_counters = vec![set("cs", "m")];
    let slices = |counters: &ResourceSlice| [Rc::new(devices.clone()), Rc::new(counters.clone())];
    assert_eq!(gathered(&slices(&counters), "n", "1.36.2"), ["a/p:s1"]);
    counters.shared_counters = vec![set("cs", "other")];
    assert_eq!(
        gathered(&slices(&counters), "n", "1.36.2"),
        ["a/p:s1 counter m not found in counter set cs"]
    );
    counters.shared_counters = vec![set("ds", "m")];
    assert_eq!(gathered(&slices(&counters), "n", "1.36.2"), ["a/p:s1 counter set cs not found"]);
    // A node without devices of the pool sees its faults only while counter slices count anywhere.
    assert_eq!(gathered(&slices(&counters), "m", "1.36.6"), ["a/p: counter set cs not found"]);
    assert_eq!(gathered(&slices(&counters), "m", "1.37.2"), Vec::<String>::new());
}

#[test]
fn an_order_that_is_given_counts_only_where_it_is_random() {
    let slices = [slice("b/p s1 n 1 1 d"), slice("a/q s2 n 1 1 e"), slice("a/p s3 n 1 1 f")];
    let index = SliceIndex::new(&slices);
    let order = ["a/p", "b/p", "a/q"].map(|id| {
        let (driver, pool) = id.split_once('/').unwrap();
        PoolId::new(driver, pool)
    });
    let ids = |release| -> Vec<String> {
        let found = index.gather_in(&node("n"), &behavior(release), Some(&order)).unwrap();
        found.pools.iter().map(|pool| pool.id.to_string()).collect()
    };
    assert_eq!(ids("1.35.10"), ["a/p", "b/p", "a/q"]);
    assert_eq!(ids("1.36.2"), ["a/p", "a/q", "b/p"]);
}

#[test]
fn duplicates_are_found_among_many() {
    let names: Vec<String> = (0..300).map(|number| format!("d{number}")).collect();
    let text = |names: &[String]| format!("a/p s1 n 1 1 {}", names.join(","));
    assert_eq!(gathered(&[slice(&text(&names))], "n", "1.36.2"), ["a/p:s1"]);
    let mut twice = names;
    twice.insert(250, "d17".to_owned());
    let found = gathered(&[slice(&text(&twice))], "n", "1.36.2");
    assert_eq!(found, ["a/p:s1 duplicate device name d17"]);
}

#[test]
fn slices_with_conditions_come_last_in_releases_before_1_36() {
    let mut with_counters = (*slice("a/p s2 n 1 2 d0,d2!")).clone();
    let counters = [("m".to_owned(), "1".parse().unwrap())].into();
    with_counters.shared_counters = vec![CounterSet { name: "cs".into(), counters }];
    let slices = [slice("a/p s1 n 1 2 d4!"), Rc::new(with_counters)];
    let order = |release: &str| {
        let mut gates = Gates::defaults(Release::parse(release).unwrap());
        for gate in [
            crate::features::Gate::DeviceBindingConditions,
            crate::features::Gate::PartitionableDevices,
        ] {
            gates.set(gate, true);
        }
        let behavior = Behavior::new(gates, BehaviorMode::AsReleased).unwrap();
        SliceIndex::new(&slices).gather(&node("n"), &behavior).unwrap().pools[0].slices.clone()
    };
    // Both have conditions, so they stay as they are listed; counters beside devices change nothing.
    assert_eq!(order("1.34.13"), [0, 1]);
    // Later a slice with counters has no devices.
    assert_eq!(order("1.35.10"), [0]);
}

#[test]
fn incomplete_pools_with_conditions_come_last_where_they_are_used() {
    let slices = [slice("a/p s1 n 1 3 d!"), slice("b/p s2 n 1 1 e")];
    let mut gates = Gates::defaults(Release::parse("1.34.13").unwrap());
    gates.set(crate::features::Gate::DeviceBindingConditions, true);
    let behavior = Behavior::new(gates, BehaviorMode::AsReleased).unwrap();
    let found = SliceIndex::new(&slices).gather(&node("n"), &behavior).unwrap();
    let ids: Vec<String> = found.pools.iter().map(|pool| pool.id.to_string()).collect();
    assert_eq!(ids, ["b/p", "a/p"]);
}
