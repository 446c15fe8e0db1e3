use super::{DeviceInput, Outcome, Selectors};
use crate::api::{DeviceAttribute, DeviceCapacity};
use crate::apimachinery::Entries;
use crate::features::{CelSwitches, Release};

fn selectors() -> Selectors {
    let release = Release::parse("1.36.2").unwrap();
    Selectors::new(&CelSwitches::new(release, false, true, true))
}

#[track_caller]
fn check(expression: &str, expected: Result<bool, &str>) {
    let text = |text: &str| DeviceAttribute { string: Some(text.to_owned()), ..Default::default() };
    let attributes = Entries::from_iter([
        ("model".to_owned(), text("a100")),
        ("index".to_owned(), DeviceAttribute { int: Some(3), ..Default::default() }),
        ("other.example.com/zone".to_owned(), text("z1")),
    ]);
    let value = "40Gi".parse().unwrap();
    let capacity =
        Entries::from_iter([("memory".to_owned(), DeviceCapacity { value, request_policy: None })]);
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

#[test]
fn forgets_expressions_when_there_are_many() {
    let selectors = selectors();
    for number in 0..2_500 {
        assert_eq!(selectors.compile(&format!("{number} > 0")).error(), None);
    }
    assert!(selectors.compiled.borrow().len() <= super::MAX_KNOWN);
}

/// The events of a trace as `part of the text: outcome`, with the round of the innermost loop.
fn events(expression: &str) -> Vec<String> {
    let (attributes, capacity) = (Entries::default(), Entries::default());
    let device = DeviceInput {
        driver: "gpu.example.com",
        attributes: &attributes,
        capacity: &capacity,
        allow_multiple_allocations: None,
    };
    let trace = selectors().compile(expression).trace(&device);
    let text = |id| {
        let part = trace.parts.iter().find(|part| part.id == id).unwrap();
        let (from, to) = (usize::try_from(part.from).unwrap(), usize::try_from(part.to).unwrap());
        expression.chars().skip(from).take(to - from).collect::<String>()
    };
    let events = trace.events.iter().map(|event| {
        let outcome = match &event.outcome {
            Outcome::Value(value) => value.clone(),
            Outcome::Error(error) => format!("error {error}"),
            Outcome::Skipped(reason) => format!("{reason:?}"),
        };
        let round = event.iteration.last().map(|round| format!("[{round}]")).unwrap_or_default();
        format!("{}{round}: {outcome}", text(event.id))
    });
    events.collect()
}

#[test]
fn traces_every_part() {
    assert_eq!(
        events("device.driver == 'x' && device.driver.size() > 1"),
        [
            "device: {\"allowMultipleAllocations\": false, \"attributes\": {}, \"capacity\": {}, \
             \"driver\": \"gpu.example.com\"}",
            "device.driver: \"gpu.example.com\"",
            "'x': \"x\"",
            "device.driver == 'x': false",
            "device.driver.size() > 1: LeftFalse",
            "device.driver == 'x' && device.driver.size() > 1: false",
        ]
    );
}

#[test]
fn traces_what_was_not_needed() {
    assert_eq!(
        events("[1, 2].exists(x, x == 1)"),
        [
            "1: Folded",
            "2: Folded",
            "[1, 2]: [1, 2]",
            "x[0]: 1",
            "1[0]: 1",
            "x == 1[0]: true",
            "x == 1[1]: LoopEnded",
            "[1, 2].exists(x, x == 1): true",
        ]
    );
    assert!(events("cel.bind(x, 1 / 0, true)").contains(&"1 / 0: BindUnused".to_owned()));
    assert!(events("true ? true : false").contains(&"false: BranchNotTaken".to_owned()));
    assert!(events("optional.of(true).orValue(1 > 0)").contains(&"1 > 0: NotNeeded".to_owned()));
}

#[test]
fn what_reads_little_is_known_by_its_text() {
    let selectors = selectors();
    let reads_little = |text: &str| selectors.compile(text).reads_little();
    for text in ["true", "device.driver == 'd'", "device.allowMultipleAllocations"] {
        assert!(reads_little(text), "{text}");
    }
    for text in [
        "device.attributes['d'].x == 1",
        "device.driver == 'd' && device.capacity['d'].m.isGreaterThan(quantity('1'))",
        "dyn(device)['attri' + 'butes'].size() > 0",
        "[device].exists(d, d.driver == 'd')",
        "device.driver == 'device.example.com'",
    ] {
        assert!(!reads_little(text), "{text}");
    }
}
