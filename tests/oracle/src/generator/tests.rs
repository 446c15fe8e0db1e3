use std::collections::BTreeSet;

use dra_playground_core::features::CelSwitches;
use dra_playground_core::selector::Selectors;
use serde_json::Value;

use super::{Profile, allocation_case, cel_case};
use crate::release::Release;

const NEWEST: Profile = Profile { minor: 37 };

fn allocation_cases() -> impl Iterator<Item = Value> {
    (0..1200).map(|index| allocation_case(11, index, NEWEST))
}

#[test]
fn a_case_depends_on_seed_and_index_alone() {
    for index in 0..50 {
        assert_eq!(allocation_case(5, index, NEWEST), allocation_case(5, index, NEWEST));
        assert_eq!(cel_case(5, index, NEWEST), cel_case(5, index, NEWEST));
    }
    assert_ne!(allocation_case(5, 1, NEWEST), allocation_case(6, 1, NEWEST));
}

#[test]
fn every_feature_occurs() {
    let texts: Vec<_> = allocation_cases().map(|case| case.to_string()).collect();
    for part in [
        "sharedCounters",
        "consumesCounters",
        "allowMultipleAllocations",
        "validRange",
        "validValues",
        "taints",
        "tolerations",
        "matchAttribute",
        "distinctAttribute",
        "firstAvailable",
        "\"All\"",
        "adminAccess",
        "bindingConditions",
        "bindsToNode",
        "perDeviceNodeSelection",
        "nodeSelector",
        "allNodes",
        "shareID",
        "consumedCapacity",
        "\"ints\"",
        "opaque",
        "\"allocator\"",
        "\"nosuch\"",
        "skipNodeOperations",
        "DRAOptionalNodeOperations",
        "derivedAttributes",
        "compatibilityGroups",
        "includes(",
        "\"Like\"",
        "tolerationSeconds",
        "bindingFailureConditions",
        "\"step\"",
        "500m",
    ] {
        let count = texts.iter().filter(|text| text.contains(part)).count();
        assert!(count > 5, "{part} occurs in {count} of {} cases", texts.len());
    }
}

/// Cases in which a feature of the allocator is on, and in which it is off.
fn switched(cases: &[Value], feature: &str) -> (usize, usize) {
    let is = |on: bool| {
        let state =
            |case: &&Value| case.pointer(&format!("/features/{feature}")) == Some(&on.into());
        cases.iter().filter(state).count()
    };
    (is(true), is(false))
}

#[test]
fn every_feature_is_switched() {
    let cases: Vec<Value> = allocation_cases().collect();
    for feature in [
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "FractionalCapacityRange",
        "ListTypeAttributes",
        "OptionalNodeOperations",
        "PartitionableDevices",
        "PrioritizedList",
    ] {
        let (on, off) = switched(&cases, feature);
        assert!(on > 5 && off > 5, "{feature} is on in {on} cases and off in {off}");
    }
}

#[test]
fn features_meet() {
    let texts: Vec<_> = allocation_cases().map(|case| case.to_string()).collect();
    for (one, other) in [
        ("firstAvailable", "matchAttribute"),
        ("firstAvailable", "distinctAttribute"),
        ("firstAvailable", "consumesCounters"),
        ("allowMultipleAllocations", "consumesCounters"),
        ("\"claim-1\"", "consumesCounters"),
        ("\"claim-1\"", "matchAttribute"),
        ("\"held-0\"", "sharedCounters"),
        ("shareID", "requestPolicy"),
        ("\"All\"", "taints"),
        ("\"All\"", "allowMultipleAllocations"),
        ("adminAccess", "taints"),
        ("bindingConditions", "firstAvailable"),
        ("\"ints\"", "matchAttribute"),
    ] {
        let count = texts.iter().filter(|text| text.contains(one) && text.contains(other)).count();
        assert!(count > 3, "{one} and {other} meet in {count} of {} cases", texts.len());
    }
}

#[test]
fn cases_stay_small() {
    let mean: usize = allocation_cases().map(|case| case.to_string().len()).sum::<usize>() / 1200;
    assert!(mean < 8000, "{mean} bytes");
    for index in 0..600 {
        let case = cel_case(11, index, NEWEST);
        let text = case.get("expr").or(case.get("expression")).and_then(Value::as_str);
        assert!(text.is_some_and(|text| text.len() < 4000));
    }
}

#[test]
fn every_overload_is_called() {
    // No value of these types can be made: `authorizer` is no variable of selectors. They are
    // reached through attributes, which fit every type.
    let release = Release::named("1.36.2").unwrap();
    let kubernetes = dra_playground_core::features::Release::parse(release.name).unwrap();
    let selectors = Selectors::new(&CelSwitches::new(kubernetes, true, true, true));
    let mut wanted: BTreeSet<_> = selectors.signatures().map(|signature| signature.id).collect();
    let count = wanted.len() as u64;
    for index in 0..count * 12 {
        let case = cel_case(3, index, release.profile());
        let text = case.get("expr").or(case.get("expression")).and_then(Value::as_str).unwrap();
        for overload in selectors.compile(text).overloads() {
            wanted.remove(overload);
        }
    }
    assert!(wanted.is_empty(), "never called: {wanted:?}");
}
