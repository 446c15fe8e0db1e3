//! The numbers of pools beside those of the released controller, which `tests/oracle/go/scheduler`,
//! command `pools`, wrote down.

use std::rc::Rc;

use serde_json::Value;

use crate::api::ObjectValue;
use crate::api::decode::{Options as DecodeOptions, object_from_tree};
use crate::cluster::{Cluster, HasMeta, Object, Origin};
use crate::features::{Behavior, BehaviorMode, Gates, Release};
use crate::yaml;

use super::super::report::PoolStatus;
use super::pool_status::pool_statuses;
use super::world::World;

const RECORDED: &str = include_str!("../../../../../tests/oracle/recorded/pools-1.37.2.jsonl");

fn object<T: HasMeta>(value: T) -> Object<T> {
    Object { value: Rc::new(value), origin: Origin::default(), created_seconds: 0, since_step: 0 }
}

fn cluster(line: &str, release: Release) -> Cluster {
    let tree = yaml::parse_json(line).unwrap();
    let options = DecodeOptions { release, defaults: true, default_namespace: true, strict: false };
    let mut cluster = Cluster::default();
    for node in tree.get("objects").and_then(yaml::Node::items).into_iter().flatten() {
        match object_from_tree(node.clone(), &options).unwrap().value {
            ObjectValue::ResourceSlice(it) => cluster.slices.put(object(*it)),
            ObjectValue::ResourceClaim(it) => cluster.claims.put(object(*it)),
            ObjectValue::DeviceTaintRule(it) => cluster.taint_rules.put(object(*it)),
            other => panic!("{other:?}"),
        }
    }
    cluster
}

/// An answer in the form of the API.
fn as_recorded(status: &PoolStatus, pool: &Value) -> Value {
    let mut told = pool.clone();
    let fields = told.as_object_mut().unwrap();
    let keep = ["driver", "poolName", "generation", "nodeName", "resourceSliceCount"];
    fields.retain(|name, _| keep.contains(&name.as_str()));
    if let Some(counts) = status.counts {
        fields.insert("totalDevices".to_owned(), counts.total.into());
        fields.insert("allocatedDevices".to_owned(), counts.allocated.into());
        fields.insert("availableDevices".to_owned(), counts.available.into());
        fields.insert("unavailableDevices".to_owned(), counts.unavailable.into());
    }
    let partitions = status.partitions.iter().map(|it| {
        serde_json::json!({"attribute": it.attribute, "type": it.kind,
            "total": it.total, "allocatable": it.allocatable})
    });
    let partitions: Vec<Value> = partitions.collect();
    if !partitions.is_empty() {
        fields.insert("partitionSummary".to_owned(), partitions.into());
    }
    if let Some(shareable) = &status.shareable {
        let capacity = shareable.capacity.iter().map(|[name, total, consumed, available]| {
            serde_json::json!({"name": name, "total": total,
                "consumed": consumed, "available": available})
        });
        let capacity: Vec<Value> = capacity.collect();
        let mut summary = serde_json::json!({
            "fullyAvailableDevices": shareable.fully_available,
            "partiallyAvailableDevices": shareable.partially_available});
        if !capacity.is_empty() {
            summary["capacity"] = capacity.into();
        }
        fields.insert("shareableSummary".to_owned(), summary);
    }
    if let Some(error) = &status.validation_error {
        fields.insert("validationError".to_owned(), error.as_str().into());
    }
    told
}

#[test]
fn pools_have_the_numbers_of_the_released_controller() {
    let release = Release::parse("1.37.2").unwrap();
    let behavior = Behavior::new(Gates::defaults(release), BehaviorMode::AsReleased).unwrap();
    let (mut pools, mut faults, mut held) = (0, 0, 0);
    for (number, line) in RECORDED.lines().enumerate() {
        let answer: Value = serde_json::from_str(line).unwrap();
        let cluster = cluster(line, release);
        let world = World::of(&cluster);
        let expected = answer["pools"].as_array().cloned().unwrap_or_default();
        let newest = world.pools.iter().filter(|pool| pool.newest).count();
        assert_eq!(newest, expected.len(), "{number}");
        for (status, pool) in pool_statuses(&cluster, &world, &behavior).iter().zip(&expected) {
            assert_eq!(as_recorded(status, pool), *pool, "cluster {number}");
            pools += 1;
            faults += usize::from(status.validation_error.is_some());
            held += usize::from(status.counts.is_some_and(|counts| counts.allocated > 0));
        }
    }
    assert!(pools > 150 && faults > 50 && held > 50, "{pools} {faults} {held}");
}
