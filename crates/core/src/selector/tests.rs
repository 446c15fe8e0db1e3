use std::collections::BTreeMap;

use super::{DeviceInput, Selectors};
use crate::api::{DeviceAttribute, DeviceCapacity};
use crate::features::{CelSwitches, Release};

fn selectors() -> Selectors {
    let release = Release::parse("1.36.2").unwrap();
    Selectors::new(&CelSwitches::new(release, false, true, true))
}

#[track_caller]
fn check(expression: &str, expected: Result<bool, &str>) {
    let text = |text: &str| DeviceAttribute { string: Some(text.to_owned()), ..Default::default() };
    let attributes = BTreeMap::from([
        ("model".to_owned(), text("a100")),
        ("index".to_owned(), DeviceAttribute { int: Some(3), ..Default::default() }),
        ("other.example.com/zone".to_owned(), text("z1")),
    ]);
    let value = "40Gi".parse().unwrap();
    let capacity =
        BTreeMap::from([("memory".to_owned(), DeviceCapacity { value, request_policy: None })]);
    let device = DeviceInput {
        driver: "gpu.example.com",
        attributes: &attributes,
        capacity: &capacity,
        allow_multiple_allocations: None,
    };
    let compiled = selectors().compile(expression);
    assert_eq!(compiled.error(), None, "{expression}");
    assert_eq!(compiled.matches(&device), expected.map_err(str::to_owned), "{expression}");
}

#[test]
fn evaluates_typical_selectors() {
    check("device.driver == 'gpu.example.com'", Ok(true));
    check("device.attributes['gpu.example.com'].model == 'a100'", Ok(true));
    check("device.attributes['gpu.example.com'].index > 3", Ok(false));
    check("device.attributes['other.example.com'].zone.startsWith('z')", Ok(true));
    check("has(device.attributes['gpu.example.com'].gone)", Ok(false));
    check("device.attributes['gpu.example.com'].gone == 1", Err("no such key: gone"));
    check("device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0", Ok(true));
    check("device.allowMultipleAllocations", Ok(false));
    check("'nowhere' in device.attributes", Ok(false));
    check("device.attributes.nowhere == {}", Ok(true));
}
