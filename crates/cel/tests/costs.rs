//! Estimated and actual costs.

mod common;

#[test]
fn estimated_and_actual() {
    let rows: &[(&str, u64, u64)] = &[
        ("1", 0, 0),
        ("m", 1, 1),
        ("m.int", 2, 2),
        ("m.int.x", 2, 3),
        ("m.gone.x", 2, 2),
        ("m.?gone", 2, 1),
        ("has(m.int)", 1, 1),
        ("m[m.text]", 4, 3),
        ("m.list[0]", 3, 3),
        ("true || m.flag", 2, 0),
        ("m.flag ? 1 : m.int", 4, 2),
        ("[m.int]", 12, 12),
        (r#"{"a": m.int}"#, 32, 32),
        ("[1, 2]", 10, 0),
        (r#"{"a": 1}"#, 30, 0),
        (r#"int("1")"#, 1, 0),
        ("1 + 1", 1, 1),
        ("m.int == 3", 3, 3),
        (r#"m.text == "abc""#, 3, 3),
        (r#""abcdefghijk" == "abcdefghijk""#, 2, 2),
        (r#""" == """#, 0, 0),
        (r#""abc" + "def""#, 1, 1),
        (r#""abc".startsWith("a")"#, 1, 1),
        (r#""abcdefghijk".contains("abcdefghijk")"#, 4, 4),
        (r#""abcdefghijk".matches("a.*")"#, 2, 2),
        (r#""abcdefghijk".find("a.*")"#, 2, 2),
        (r#""abcdefghijk".lowerAscii()"#, 2, 2),
        (r#""abcdefghijk".replace("a", "b")"#, 3, 3),
        (r#""abc".charAt(1)"#, 1, 1),
        (r#"["abcdefghijk", "a"].join()"#, 12, 3),
        (r#""abc".indexOf("c")"#, 1, 0),
        (r#"quantity("40Gi").isLessThan(quantity("1"))"#, 3, 3),
        (r#"quantity("1") == quantity("2")"#, 3, 3),
        (r#"quantity("1") != quantity("2")"#, 3, 3),
        (r#"semver("1.2.3").major()"#, 2, 2),
        ("[1, 2].all(x, x > 0)", 21, 11),
        ("[1, 2].exists(x, x > 5)", 23, 13),
        ("[1, 2].map(x, x)", 47, 27),
        ("[1, 2].filter(x, x > 1)", 51, 18),
        ("[1, 2].exists_one(x, x > 1)", 20, 8),
        ("cel.bind(x, m.int, x + x)", 16, 5),
        ("m.list.includes(2)", 50, 3),
        ("3 in [1, 2]", 12, 0),
        // A wrapped number has the size of a number, other messages have none that is known.
        (
            r#"dyn("abcdefghijklmnopqrstuvwxyz") == dyn(google.protobuf.Int32Value{value: 1})"#,
            43,
            42,
        ),
        ("m.int in m.list", 12, 5),
        ("[1, 2, 3].sum()", 13, 3),
        ("[1, 2, 3].sort()", 39, 29),
        ("b'a' in {}", 31, 1),
        ("[1 / 0].sort().size() == 1", 26, 11),
        (r#"["b", "a", "c"].sort()"#, 40, 29),
        ("[1, 2, 3].slice(0, 2)", 23, 13),
        ("[1, 2, 3].distinct()", 39, 29),
        ("[[1], [2]].flatten()", 43, 13),
        ("lists.range(3)", 14, 14),
        ("sets.contains([1, 2], [1])", 23, 3),
        ("sets.equivalent([1, 2], [1, 2])", 29, 9),
        (r#"cidr("10.0.0.0/8").containsIP("10.0.0.1")"#, 6, 3),
        (r#"cidr("10.0.0.0/8").containsCIDR("10.0.0.0/16")"#, 10, 6),
        (r#"url("https://h").getHost()"#, 2, 2),
        (r#"format.dns1123Label().validate("a")"#, 33, 9),
        ("optional.of(m.int).orValue(1)", 4, 3),
        ("dyn(1)", 1, 0),
        (r#"size("abc")"#, 1, 1),
    ];
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, most, cost)| (text, Some((*most, *cost)), common::costs(text)))
        .filter(|(_, expected, found)| expected != found)
        .map(|(text, expected, found)| format!("{text}: {expected:?}, found {found:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
