use super::super::Workspace;
use super::super::report::{Analysis, Options};
use super::*;

const FIVE: &str = include_str!("../../../../../examples/experiment-5-partitionable.yaml");

fn analysis() -> Analysis {
    Workspace::new().analyze(FIVE, &Options::default())
}

/// Labels of what is suggested at `|` behind the text of experiment 5.
fn labels(text: &str) -> Vec<String> {
    suggestions(text, "en").items.into_iter().map(|item| item.label).collect()
}

fn suggestions(text: &str, language: &str) -> Suggestions {
    let at = text.find('|').unwrap();
    let text = format!("{FIVE}---\n{}", text.replacen('|', "", 1));
    let at = FIVE.len() + 4 + at;
    let units = u32::try_from(text.get(..at).unwrap().encode_utf16().count()).unwrap();
    complete(&text, units, &analysis(), language)
}

const CLAIM: &str = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n    requests:\n    - name: gpu\n";

#[test]
fn fields_that_are_needed_come_first_and_none_comes_twice() {
    let found = labels(&format!("{CLAIM}      exactly:\n        count: 1\n        |"));
    assert_eq!(found.first().map(String::as_str), Some("deviceClassName"));
    assert!(
        found.contains(&"allocationMode".to_owned()) && !found.contains(&"count".to_owned()),
        "{found:?}"
    );
    assert_eq!(labels("kind: Pod\n|").first().map(String::as_str), Some("apiVersion"));
}

#[test]
fn values_come_from_the_api_and_from_the_scenario() {
    let below = |rest: &str| labels(&format!("{CLAIM}      exactly:\n        {rest}"));
    assert_eq!(below("allocationMode: |"), ["ExactCount", "All"]);
    assert_eq!(below("adminAccess: |"), ["true", "false"]);
    assert_eq!(below("deviceClassName: |"), ["gpu.example.com"]);
    assert!(labels("kind: |").contains(&"ResourceSlice".to_owned()));
    assert_eq!(
        labels("kind: DeviceClass\napiVersion: |").first().map(String::as_str),
        Some("resource.k8s.io/v1")
    );
    let constraint = labels(&format!("{CLAIM}    constraints:\n    - matchAttribute: |"));
    assert!(constraint.contains(&"gpu.example.com/index".to_owned()), "{constraint:?}");
}

#[test]
fn expressions_know_the_attributes_of_the_scenario() {
    let within = |cel: &str| {
        labels(&format!(
            "{CLAIM}      exactly:\n        selectors:\n        - cel:\n            expression: {cel}"
        ))
    };
    assert_eq!(
        within("device.|"),
        ["driver", "attributes", "capacity", "allowMultipleAllocations"]
    );
    assert_eq!(within("device.attributes[\"|"), ["gpu.example.com"]);
    let attributes = within("device.attributes[\"gpu.example.com\"].|");
    assert!(attributes.contains(&"index".to_owned()), "{attributes:?}");
    assert!(!attributes.contains(&"memory".to_owned()), "{attributes:?}");
    assert!(within("device.capacity['gpu.example.com'].|").contains(&"memory".to_owned()));
    assert!(
        within("device.capacity['gpu.example.com'].memory.|").contains(&"compareTo".to_owned())
    );
    assert!(within("ha|").contains(&"has".to_owned()));
}

#[test]
fn a_completed_field_is_read_without_a_complaint() {
    // What is inserted has to be a field of the API at that place.
    let text = format!("{CLAIM}      |");
    for item in suggestions(&text, "en").items {
        let whole = text.replacen('|', &item.insert, 1);
        let found = Workspace::new().analyze(&whole, &Options::default());
        let unknown = found.diagnostics.iter().find(|it| it.code == "unknown-field");
        assert_eq!(unknown, None, "{whole}");
    }
}

#[test]
fn words_follow_the_language() {
    let text = format!("{CLAIM}      exactly:\n        allocationM|");
    let info = |language| {
        suggestions(&text, language)
            .items
            .iter()
            .find(|it| it.label == "allocationMode")
            .unwrap()
            .info
            .clone()
    };
    assert_ne!(info("en"), info("zh-TW"));
}

/// What a hover says over the first place of a word.
fn over(word: &str, within: usize) -> Vec<String> {
    let at = FIVE.find(word).unwrap() + within;
    let units = u32::try_from(FIVE.get(..at).unwrap().encode_utf16().count()).unwrap();
    hover(FIVE, units, &analysis(), "en").map(|it| it.lines).unwrap_or_default()
}

#[test]
fn hovers_tell_fields_values_and_balances() {
    let field = over("consumesCounters:", 3);
    assert!(field[0].starts_with("`spec.devices[].consumesCounters`"), "{field:?}");
    let attribute = over(" index:", 3);
    assert!(
        attribute[0].contains("gpu.example.com/index") && attribute[0].contains("24"),
        "{attribute:?}"
    );
    let balance = over("counterSet: gpu-0-counters", 14);
    assert!(balance[0].contains("left"), "{balance:?}");
    let device = over("name: gpu-0-partition-0", 8);
    assert!(device[0].contains("gpu-0-partition-0"), "{device:?}");
}

#[test]
fn scenario_documents_are_known_too() {
    let of_spec = |rest: &str| {
        labels(&format!("apiVersion: dra-playground/v1\nkind: Scenario\nspec:\n  {rest}"))
    };
    let fields = of_spec("title: t\n  |");
    assert!(fields.contains(&"steps".to_owned()) && !fields.contains(&"title".to_owned()));
    assert_eq!(of_spec("behavior: |"), ["asReleased", "fixed"]);
    assert!(of_spec("kubernetesVersion: |").contains(&"1.36.2".to_owned()));
    assert!(of_spec("featureGates:\n    |").contains(&"DRAPartitionableDevices".to_owned()));
    assert_eq!(of_spec("featureGates:\n    DRADeviceTaints: |"), ["true", "false"]);
    assert_eq!(of_spec("steps:\n  - name: s\n    |").first().map(String::as_str), Some("expect"));
    assert_eq!(of_spec("steps:\n  - finish: {phase: |"), ["Succeeded", "Failed"]);
    assert_eq!(of_spec("steps:\n  - finish:\n      pod: |"), ["pod1", "pod2"]);
    assert!(of_spec("steps:\n  - delete:\n      kind: |").contains(&"Pod".to_owned()));
    assert!(of_spec("steps:\n  - delete:\n      name: |").contains(&"pod1".to_owned()));
}
