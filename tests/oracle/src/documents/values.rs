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
            _ => text(
                random,
                &[
                    "",
                    "text",
                    "two words",
                    "line\nbreak",
                    "tab\t\"quoted\"",
                    "\u{1F600} é\u{200b}",
                    "\u{feff}\u{85}",
                    "<a> & 'b'",
                    "{{ x }}",
                ],
            ),
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
        "uid" | "resourceVersion" | "selfLink" | "resource" | "apiGroup" | "shareID" => text(
            random,
            &["", "1", "pods", "8f5b1c1e-0b8e-4b8e-9b8e-0b8e4b8e9b8e", "not a uid", "a.b/c"],
        ),
        "generateName" => match random.below(4) {
            0 => long(random, &[57, 58, 59, 63, 250, 253, 254]),
            _ => text(
                random,
                &["", "gpu-", "GPU-", "a.b-", "-", "gpu_", "gpu_-", "a.-", "a", "\u{e4}-"],
            ),
        },
        "finalizers" => text(random, &["example.com/f", "kubernetes", "f", "", "a b", "x/y/z"]),
        "controller"
        | "blockOwnerDeletion"
        | "bool"
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
                "2026-01-02T03:04:05Z\u{e4}\"",
                "\u{e4}\\\u{1}",
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
        _ => text(
            random,
            &[
                "a", "gpu-0", "GPU", "a_b", "-a", "a-", "a.b", "", "ä", "gpu", "a b", "\u{200b}",
                "a\nb", "\"a\"", "a\\b", "<a>", "\u{7f}", "1", "..",
            ],
        ),
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
pub(super) fn any(random: &mut Random) -> Value {
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

/// What a key that is written again ends with, until the text is written.
pub(super) const AGAIN: &str = "@@again";

/// Marks a value that is written as it is, by its number in [`RAW`] and [`RAW_YAML`].
const RAW_MARK: &str = "@@raw";

/// Values that objects in memory cannot hold, as JSON and YAML write them.
const RAW: [&str; 29] = [
    "123456789012345678901234567890",
    "-9223372036854775809",
    "9223372036854775808",
    "18446744073709551615",
    "1E+2",
    "0.1e1",
    "-0",
    "-0.0",
    "1.0",
    "1e0",
    "1e-9",
    "1e-12",
    "1e21",
    "1e20",
    "12345678901234567",
    "0.1234567890123456789",
    "1.50",
    "100e-1",
    "9007199254740993.0",
    "\"\\u2028\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\u200b\"",
    "\"\\ufeffx\"",
    "\"\\u0085\"",
    "[[]]",
    "[{\"name\": null}]",
    "{\"\": 1}",
    "{\"a\": {\"b\": [1, {\"c\": null}]}}",
];

/// The same that only YAML has.
const RAW_YAML: [&str; 26] = [
    "!!str 12",
    "!!int \"3\"",
    "!!float 1",
    "!!bool \"yes\"",
    "!!null \"\"",
    "'it''s'",
    "\"a\\\n            b\"",
    "0x1F",
    "1_000.5",
    "0b12",
    "08",
    "1e",
    "+.inf",
    ".NaN",
    "2026-01-01T00:00:00Z",
    "=",
    "+1",
    "1.",
    ".5e1",
    "-0x10",
    "0o17",
    "0777777777777777777777777",
    "[a, b: c]",
    "{a, b: c}",
    "a  # b",
    "\"\\x41\\t\"",
];

/// A value of [`RAW`] or [`RAW_YAML`].
pub(super) fn raw(random: &mut Random) -> Value {
    json!(format!("{RAW_MARK}{}@@", random.below(RAW.len() + RAW_YAML.len())))
}

/// Writes the text of the marked values and keys; JSON has the first ones only.
pub(super) fn write_raw(text: &str, is_json: bool) -> String {
    let mut text = text.replace(AGAIN, "");
    for (number, raw) in RAW.iter().chain(&RAW_YAML).enumerate() {
        let mark = format!("{RAW_MARK}{number}@@");
        if !text.contains(&mark) {
            continue;
        }
        let raw = if is_json && number >= RAW.len() { "7" } else { raw };
        for quote in ["\"", "'", ""] {
            text = text.replace(&format!("{quote}{mark}{quote}"), raw);
        }
    }
    text
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
