//! Switches of behavior that show in one scene each: what the released modules answer to it, release
//! by release. `dra-playground-oracle record switches` asked them.

#![expect(clippy::expect_used, clippy::indexing_slicing, clippy::unwrap_used, reason = "a test")]

use dra_playground_core::conformance;
use serde_json::Value;

const RELEASES: [(&str, &str); 5] = [
    ("1.34.13", include_str!("../../../tests/oracle/recorded/switches-1.34.13.jsonl")),
    ("1.35.10", include_str!("../../../tests/oracle/recorded/switches-1.35.10.jsonl")),
    ("1.36.2", include_str!("../../../tests/oracle/recorded/switches-1.36.2.jsonl")),
    ("1.36.6", include_str!("../../../tests/oracle/recorded/switches-1.36.6.jsonl")),
    ("1.37.2", include_str!("../../../tests/oracle/recorded/switches-1.37.2.jsonl")),
];

/// What was answered, for each node: the devices with what else is in their results, and the node
/// when the allocation is bound to it.
fn told(record: &Value) -> String {
    let nodes = record["expected"]["perNode"].as_array().unwrap().iter();
    let told = nodes.map(|node| match (node["error"].as_str(), node["result"].as_array()) {
        (Some(error), _) => error.replace("claim default/c, request r: ", ""),
        (None, None) => "-".to_owned(),
        (None, Some(results)) => allocation(&results[0]),
    });
    told.collect::<Vec<_>>().join("; ")
}

fn allocation(result: &Value) -> String {
    let mut words: Vec<String> = Vec::new();
    for device in result["devices"]["results"].as_array().unwrap() {
        let tolerated = if device["tolerations"].is_array() { " tolerated" } else { "" };
        let text = |key: &str| device[key].as_str().unwrap_or_default();
        words.push(format!("{}={}{tolerated}", text("request"), text("device")));
    }
    for entry in result["devices"]["config"].as_array().into_iter().flatten() {
        let requests = entry["requests"].as_array().into_iter().flatten();
        let requests: Vec<&str> = requests.filter_map(Value::as_str).collect();
        words.push(format!("{}[{}]", entry["source"].as_str().unwrap(), requests.join(",")));
    }
    let node = "/nodeSelector/nodeSelectorTerms/0/matchFields/0/values/0";
    words.extend(result.pointer(node).and_then(Value::as_str).map(|node| format!("on {node}")));
    words.join(" ")
}

/// A scene that a switch decides: an answer holds until the next release named.
#[track_caller]
fn answers(scene: &str, expected: &[(&str, &str)]) {
    let mut found: Vec<(&str, String)> = Vec::new();
    for (release, records) in RELEASES {
        let mut records = records.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let record = records.find(|record| record["name"] == scene).expect("the scene is recorded");
        let answer = told(&record);
        if found.last().is_none_or(|(_, last)| *last != answer) {
            found.push((release, answer));
        }
    }
    let found: Vec<_> = found.iter().map(|(release, text)| (*release, text.as_str())).collect();
    assert_eq!(found, expected, "{scene}");
}

#[test]
fn every_answer_is_ours() {
    for (release, records) in RELEASES {
        let summary = conformance::run(records);
        assert_eq!(summary.differences, [], "{release}");
        assert_eq!((summary.passed, summary.skipped), (records.lines().count(), 0), "{release}");
    }
}

#[test]
fn result_tolerations() {
    for features in ["by default", "stable"] {
        answers(
            &format!("result_tolerations {features}"),
            &[("1.34.13", "r=d on n1"), ("1.35.10", "r=d tolerated on n1")],
        );
    }
}

#[test]
fn binds_to_node() {
    answers("binds_to_node by default", &[("1.34.13", "r=d on n1; r=d on n2")]);
    answers(
        "binds_to_node incubating",
        &[("1.34.13", "r=d; r=d"), ("1.36.2", "r=d on n1; r=d on n2")],
    );
    answers("binds_to_node stable", &[("1.34.13", "r=d; r=d")]);
}

#[test]
fn counter_slices_any_node() {
    let invalid = "invalid resource pools were encountered";
    let both = format!("{invalid}; {invalid}");
    answers(
        "counter_slices_any_node: faulty reference",
        &[("1.34.13", "-; r=e on n2"), ("1.35.10", &both), ("1.37.2", &format!("-; {invalid}"))],
    );
    let updated =
        "asks for all devices, but resource pool a.example.com/p is currently being updated";
    let both = format!("{updated}; {updated}");
    let one = format!("r=d on n1; {updated}");
    answers(
        "counter_slices_any_node: incomplete pool and All",
        &[("1.34.13", &one), ("1.35.10", &both), ("1.37.2", &one)],
    );
    answers("counter_slices_any_node: stable", &[("1.34.13", &one), ("1.35.10", &both)]);
    answers(
        "counter_slices_any_node: newer generation",
        &[("1.34.13", "r=d on n1; -"), ("1.35.10", "-; -"), ("1.37.2", "r=d on n1; -")],
    );
}

#[test]
fn alternatives_and_binding_conditions() {
    answers("all_alternatives_share_matches", &[("1.34.13", "-"), ("1.36.2", "r/y=y on n1")]);
    answers("binding_last of slices", &[("1.34.13", "r=e on n1"), ("1.36.2", "r=d on n1")]);
    answers("binding_last of pools", &[("1.34.13", "r=e on n1")]);
}

/// In every release; the API server refuses such constraints.
#[test]
fn of_two_attributes_in_one_constraint_the_matching_one_counts() {
    answers("matchAttribute beside distinctAttribute", &[("1.34.13", "r=d r=e on n1")]);
}

#[test]
fn configuration() {
    answers(
        "config of all",
        &[
            ("1.34.13", "r1=d r2=e FromClass[r1,r2] FromClaim[] on n1"),
            ("1.37.2", "r1=d r2=e FromClass[] FromClaim[] on n1"),
        ],
    );
    answers(
        "config of both",
        &[
            ("1.34.13", "r1=d r2=e FromClass[r1,r2] FromClaim[r1,r2] FromClaim[r1,r2] on n1"),
            ("1.37.2", "r1=d r2=e FromClass[] FromClaim[] on n1"),
        ],
    );
    answers(
        "config of one",
        &[
            ("1.34.13", "r1=d r2=e FromClass[r1,r2] FromClaim[r1] on n1"),
            ("1.37.2", "r1=d r2=e FromClass[] FromClaim[r1] on n1"),
        ],
    );
    answers(
        "config of one and only",
        &[("1.34.13", "r1=d FromClaim[r1] on n1"), ("1.37.2", "r1=d FromClaim[] on n1")],
    );
}
