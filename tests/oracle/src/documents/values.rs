//! Values that are right, nearly right and wrong, by the name of their field.

use serde_json::{Value, json};

use crate::random::Random;

/// A value for a field of that name; often one that is refused.
pub(super) fn value(random: &mut Random, key: &str) -> Value {
    if random.percent(12) {
        return any(random);
    }
    match key {
        "name"
        | "device"
        | "counterSet"
        | "request"
        | "resourceClaimName"
        | "resourceClaimTemplateName"
        | "namespace" => name(random),
        "nodeName" | "deviceClassName" | "pool" => match random.below(3) {
            0 => text(random, &["node-1.example.com", "a/b", "a//b", "/a", "rack/One", "a..b"]),
            1 => long(random, &[253, 254]),
            _ => name(random),
        },
        "driver" => match random.below(5) {
            0 => long(random, &[63, 64]),
            _ => text(random, &["d.example.com", "D.Example.com", "", "a_b", "x", "-x", "a.b."]),
        },
        "key" | "bindingConditions" | "bindingFailureConditions" => match random.below(6) {
            0 => long(random, &[63, 64]),
            _ => text(
                random,
                &[
                    "k",
                    "example.com/k",
                    "a/b/c",
                    "/k",
                    "k/",
                    "EXAMPLE.com/k",
                    "",
                    "k k",
                    "metadata.name",
                ],
            ),
        },
        "version" | "versions" => match random.below(8) {
            0 => json!(format!("1.2.3-{}", "a".repeat(random.between(57, 60)))),
            _ => text(
                random,
                &["1.2.3", "1.2", "v1.2.3", "01.2.3", "1.2.3-rc.1+b.7", "", "1.2.3.4", "1.2.3-01"],
            ),
        },
        "string" | "strings" => match random.below(4) {
            0 => long(random, &[64, 65]),
            1 => json!("ä".repeat(random.between(31, 33))),
            _ => text(random, &["", "text", "two words", "line\nbreak", "tab\t\"quoted\""]),
        },
        "value" | "default" | "min" | "max" | "step" | "validValues" | "memory" | "bandwidth"
        | "slots" | "cpu" => quantity(random),
        "int" | "ints" | "count" | "generation" | "resourceSliceCount" | "tolerationSeconds" => {
            integer(random)
        }
        _ => word(random, key),
    }
}

/// Fields with words of their own, truth values, and what is passed on unread.
fn word(random: &mut Random, key: &str) -> Value {
    match key {
        "effect" => {
            text(random, &["NoSchedule", "NoExecute", "None", "noschedule", "", "PreferNoSchedule"])
        }
        "operator" => text(
            random,
            &["Exists", "Equal", "In", "NotIn", "DoesNotExist", "Gt", "Lt", "", "exists", "Like"],
        ),
        "allocationMode" => text(random, &["All", "ExactCount", "all", "", "Some"]),
        "source" => text(random, &["FromClass", "FromClaim", "", "fromClass"]),
        "values" | "requests" | "ips" => {
            text(random, &["a", "4", "gpu", "nic/fast", "nic/none", "x y", "a/b/c", ""])
        }
        "expression" => expression(random),
        "matchAttribute" | "distinctAttribute" => match random.below(6) {
            0 => json!(format!("example.com/{}", "a".repeat(random.between(32, 33)))),
            1 => json!(format!("{}/a", "a".repeat(random.between(63, 64)))),
            _ => text(
                random,
                &[
                    "example.com/a",
                    "a",
                    "/a",
                    "example.com/",
                    "a/b/c",
                    "",
                    "Example.com/a",
                    "example.com/a-b",
                    "example.com/1a",
                ],
            ),
        },
        "extendedResourceName" => text(
            random,
            &[
                "example.com/gpu",
                "gpu",
                "kubernetes.io/gpu",
                "a.kubernetes.io/x",
                "requests.example.com/x",
                "",
                "Example.com/gpu",
                "example.com/",
                "example.com/g_u",
                "example.com/-g",
            ],
        ),
        "bool"
        | "bools"
        | "adminAccess"
        | "allNodes"
        | "perDeviceNodeSelection"
        | "bindsToNode"
        | "allowMultipleAllocations" => boolean(random),
        "parameters" | "data" => match random.below(4) {
            0 => json!("text"),
            1 => json!([1]),
            2 => json!({"a": "x".repeat(random.between(10_231, 10_236))}),
            _ => json!({}),
        },
        "timeAdded" | "allocationTimestamp" | "lastTransitionTime" => text(
            random,
            &[
                "2026-01-02T03:04:05Z",
                "2026-01-02",
                "",
                "now",
                "2026-13-02T03:04:05Z",
                "2026-01-02T03:04:05",
            ],
        ),
        "apiVersion" | "kind" => json!(null),
        _ => any(random),
    }
}

fn text(random: &mut Random, choices: &[&str]) -> Value {
    json!(random.text(choices))
}

fn name(random: &mut Random) -> Value {
    match random.below(6) {
        0 => long(random, &[63, 64]),
        _ => text(random, &["a", "gpu-0", "GPU", "a_b", "-a", "a-", "a.b", "", "ä", "gpu", "a b"]),
    }
}

fn long(random: &mut Random, lengths: &[usize]) -> Value {
    json!("a".repeat(random.pick(lengths).copied().unwrap_or(64)))
}

fn quantity(random: &mut Random) -> Value {
    match random.below(5) {
        0 => integer(random),
        1 => random
            .pick(&[json!(1.5), json!(0.1), json!(null), json!(true), json!(1e3)])
            .cloned()
            .unwrap_or_default(),
        _ => text(
            random,
            &[
                "1",
                "10Gi",
                "0",
                "-1",
                "1.5",
                "100m",
                "1k",
                "1Ki",
                "2",
                "4",
                "8",
                "40Gi",
                "80Gi",
                "81Gi",
                "1e3",
                "6 GiB",
                "abc",
                "",
                "12E",
                "9999999999999999999",
                "0.5Gi",
                "1.0001",
            ],
        ),
    }
}

fn integer(random: &mut Random) -> Value {
    random
        .pick(&[
            json!(0),
            json!(1),
            json!(-1),
            json!(2),
            json!(100),
            json!(2_147_483_648_i64),
            json!(i64::MAX),
            json!(u64::MAX),
            json!(1.0),
            json!(1.5),
            json!(1e30),
            json!("1"),
            json!(true),
        ])
        .cloned()
        .unwrap_or_default()
}

fn boolean(random: &mut Random) -> Value {
    random
        .pick(&[
            json!(true),
            json!(false),
            json!(true),
            json!(false),
            json!("true"),
            json!(1),
            json!(null),
        ])
        .cloned()
        .unwrap_or_default()
}

fn expression(random: &mut Random) -> Value {
    match random.below(10) {
        0 => json!(format!("device.driver == \"{}\"", "x".repeat(random.between(10_215, 10_225)))),
        _ => text(
            random,
            &[
                "true",
                "",
                "1",
                "device.driver",
                "device.driver == ",
                "device.nope == 1",
                "device.attributes[\"a\"].b == \"c\"",
                "device.attributes[\"a\"].b",
                "device.capacity[\"a\"].b > quantity(\"1\")",
                "device.allowMultipleAllocations == true",
                "device.attributes[\"a\"].all(x, device.attributes[\"a\"].all(y, device.attributes[\"a\"].all(z, x == y && y == z)))",
                "\"unclosed",
                "device.driver == 'ä' &&",
            ],
        ),
    }
}

/// Anything at all.
fn any(random: &mut Random) -> Value {
    random
        .pick(&[
            json!(null),
            json!(""),
            json!("text"),
            json!(0),
            json!(7),
            json!(1.5),
            json!(true),
            json!(false),
            json!([]),
            json!({}),
            json!(["a"]),
            json!({"a": 1}),
            json!("true"),
            json!("1.10"),
        ])
        .cloned()
        .unwrap_or_default()
}

/// Keys for maps with free keys.
pub(super) fn key(random: &mut Random) -> String {
    match random.below(8) {
        0 => "k".repeat(random.between(31, 34)),
        1 => format!("{}/k", "d".repeat(random.between(62, 65))),
        2 => "long".repeat(26),
        _ => random
            .text(&[
                "a",
                "A",
                "a/b",
                "example.com/a",
                "Example.com/a",
                "/a",
                "a/",
                "a/b/c",
                "",
                "a-b",
                "1a",
                "a.b",
                "a b",
                "_x",
                "requests.cpu",
            ])
            .to_owned(),
    }
}

/// Plain YAML scalars that are not what they look like.
pub(super) const PLAIN: [&str; 24] = [
    "yes",
    "no",
    "on",
    "off",
    "y",
    "n",
    "~",
    "null",
    "1.10",
    "1e3",
    "0x10",
    "010",
    "0o10",
    "1_000",
    "12:30:45",
    "2026-01-01",
    ".inf",
    ".5",
    "+5",
    "-0",
    "True",
    "0b101",
    "1.",
    "<<",
];
