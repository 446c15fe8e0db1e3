//! What parsing, checking and planning say.

mod common;

use common::{check, told_in};
use dra_playground_cel::Dialect;

#[test]
fn parsing() {
    check(&[
        ("for", "1:1: reserved identifier: for"),
        (
            "1 +",
            "1:4: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
        ),
        (
            r#""\z""#,
            r#"1:1: Syntax error: token recognition error at: '"\z'; 1:4: Syntax error: token recognition error at: '"'; 1:5: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"#,
        ),
        ("99999999999999999999", "1:1: invalid int literal"),
        ("m.`x-y`", "1:3: unsupported syntax: '`'"),
        ("m.for.x", "error: no such key: for"),
        ("-9223372036854775808", "-9223372036854775808"),
        ("0x1F", "31"),
        ("1u", "1u"),
        ("--1", "1"),
        (r#"b"\x41" "#, r#"b"\101""#),
        (r#"r"\n""#, r#""\\n""#),
        (r#""""a"#, r#"1:3: Syntax error: token recognition error at: '"a'"#),
        ("1 // comment", "1"),
        ("'é' + 1", "1:5: found no matching overload for '_+_' applied to '(string, int)'"),
        ("has(m)", "1:5: invalid argument to has() macro"),
        ("[1].all(m.int, true)", "1:10: argument must be a simple name"),
        ("[1].filter(1, true)", "1:12: argument is not an identifier"),
        ("[1].all(__result__, true)", "1:9: iteration variable overwrites accumulator variable"),
        (
            "[1].existsOne(x, true)",
            "1:14: undeclared reference to 'existsOne' (in container ''); 1:15: undeclared reference to 'x' (in container '')",
        ),
        ("cel.bind(m.int, 1, 2)", "1:11: cel.bind() variable names must be simple identifiers"),
        ("m.?int", "optional.of(3)"),
        (r#"m[?"int"]"#, "optional.of(3)"),
        ("[?m.?int, ?m.?gone]", "[3]"),
        (r#"{?"a": m.?gone}"#, "{}"),
        (
            "(",
            "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
        ),
    ]);
}

#[test]
fn checking() {
    check(&[
        ("x", "1:1: undeclared reference to 'x' (in container '')"),
        ("1 == 1.0", "1:3: found no matching overload for '_==_' applied to '(int, double)'"),
        (r#"1 == "1""#, "1:3: found no matching overload for '_==_' applied to '(int, string)'"),
        ("1 < 1.5", "true"),
        ("1 + 1.0", "1:3: found no matching overload for '_+_' applied to '(int, double)'"),
        (r#"[1, "a"]"#, "1:5: expected type 'int' but found 'string'"),
        (r#"[1, dyn("a")]"#, "1:8: expected type 'int' but found 'dyn'"),
        (r#"{"a": 1, "b": "c"}"#, "1:15: expected type 'int' but found 'string'"),
        ("1 && true", "1:1: expected type 'bool' but found 'int'"),
        ("1 ? 2 : 3", "1:3: found no matching overload for '_?_:_' applied to '(int, int, int)'"),
        (
            r#"true ? 1 : "a""#,
            "1:6: found no matching overload for '_?_:_' applied to '(bool, int, string)'",
        ),
        (r#""a".b"#, "1:4: type 'string' does not support field selection"),
        ("dyn(1).b", "error: no such key: b"),
        (r#"quantity("1").x"#, "1:14: unexpected failed resolution of 'kubernetes.Quantity'"),
        (
            r#"quantity("1") > quantity("2")"#,
            "1:15: found no matching overload for '_>_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'",
        ),
        (
            r#"quantity("1") == 1"#,
            "1:15: found no matching overload for '_==_' applied to '(kubernetes.Quantity, int)'",
        ),
        (r#"quantity("1") == null"#, "false"),
        (
            r#""a" == null"#,
            "1:5: found no matching overload for '_==_' applied to '(string, null)'",
        ),
        (
            "a.int.all(x, true)",
            "1:2: expression of type 'any' cannot be range of a comprehension (must be list, map, or dynamic)",
        ),
        ("m.list.all(x, x > 0)", "true"),
        (
            r#""a".reverse()"#,
            "1:12: found no matching overload for 'reverse' applied to 'string.()'",
        ),
        (r#"nope("a")"#, "1:5: undeclared reference to 'nope' (in container '')"),
        (r#""a".nope()"#, "1:9: undeclared reference to 'nope' (in container '')"),
        ("google.protobuf.Timestamp", "google.protobuf.Timestamp"),
        ("type(1) == int", "true"),
        ("no.Such{}", "1:8: undeclared reference to 'no.Such' (in container '')"),
        (r#"duration("zz")"#, "1:10: invalid duration argument"),
        (r#"timestamp("bad")"#, "1:11: invalid timestamp argument"),
        (r#""a".matches("(")"#, "1:13: invalid matches argument"),
        (r#"matches("(", "a")"#, "1:9: invalid matches argument"),
        (
            r#""%d".format(["x"])"#,
            "1:14: error during formatting: decimal clause can only be used on integers, was given string",
        ),
        (
            r#""%z".format([1])"#,
            r#"1:12: could not parse formatting clause: unrecognized formatting clause "z""#,
        ),
        (r#""%s %s".format([1])"#, "1:15: index 1 out of range"),
        ("size(1)", "1:5: found no matching overload for 'size' applied to '(int)'"),
        ("q in [1]", "1:1: undeclared reference to 'q' (in container '')"),
        (
            r#"1 in ["a"]"#,
            "1:3: found no matching overload for '@in' applied to '(int, list(string))'",
        ),
        (r#""a" + b"a""#, "1:5: found no matching overload for '_+_' applied to '(string, bytes)'"),
        (
            "{1: 2}[1.5]",
            "1:7: found no matching overload for '_[_]' applied to '(map(int, int), double)'",
        ),
        (
            r#"[1]["a"]"#,
            "1:4: found no matching overload for '_[_]' applied to '(list(int), string)'",
        ),
        ("m.int > 1", "true"),
        ("a.int > 1", "true"),
        (
            r#"a.int > semver("1.0.0")"#,
            "1:7: found no matching overload for '_>_' applied to '(any, kubernetes.Semver)'",
        ),
        ("optional.of(1).foo", "1:15: type 'int' does not support field selection"),
        (
            r#"optional.of(1) == optional.of("a")"#,
            "1:16: found no matching overload for '_==_' applied to '(optional_type(int), optional_type(string))'",
        ),
        ("[].sum()", "0"),
        (
            r#"["a"].sum()"#,
            "1:10: found no matching overload for 'sum' applied to 'list(string).()'",
        ),
    ]);
}

#[test]
fn planning() {
    check(&[
        (r#"int("x")"#, "plan: type conversion error from 'string' to 'int'"),
        (r#"bytes("a") == b"a""#, "true"),
        ("uint(-1)", "plan: unsigned integer overflow"),
        (r#"double("x")"#, "plan: type conversion error from 'string' to 'double'"),
        (r#"bool("x")"#, "plan: type conversion error from 'string' to 'bool'"),
        ("m.gone in []", "false"),
        ("m.int in [3]", "true"),
        ("m.int in [3.0]", "true"),
        (r#"m.double in ["a"]"#, "false"),
        (r#"semver("1.0.0") in [semver("1.0.0")]"#, "true"),
        (
            r#"dyn(semver("1.0.0")) in [1, 2]"#,
            "error: internal error: runtime error: hash of unhashable type cel.Semver",
        ),
        (
            r#"dyn(semver("1.0.0")) in {"a": 1}"#,
            "error: internal error: runtime error: hash of unhashable type cel.Semver",
        ),
        (
            r#"dyn(semver("1.0.0")) in [1].transformMapEntry(i, v, {"a": 1})"#,
            "error: internal error: runtime error: hash of unhashable type cel.Semver",
        ),
        (r#"dyn(semver("1.0.0")) in {}"#, "false"),
        (r#"dyn(semver("1.0.0")) in google.protobuf.Struct{fields: {"a": 1}}"#, "false"),
        (r#""a".find("(")"#, "plan: error parsing regexp: missing closing ): `(`"),
        (r#"{"a": 1, "a": 2}.size()"#, "1"),
        ("{1.5: 2}.size()", "1"),
    ]);
}

#[test]
fn messages_show_the_line_and_the_place() {
    let found = common::told("m.int ==\n\t'é' + 1");
    let expected = "ERROR: <input>:2:6: found no matching overload for '_+_' applied to \
                    '(string, int)'\n |  'é' + 1\n | ..．..^";
    assert_eq!(found, expected);
}

#[test]
fn releases_differ() {
    use dra_playground_cel::{Dialect, Includes};
    let old = Dialect {
        extended_lists: false,
        includes: Includes::Absent,
        newer_cel_go: false,
        texts_first: false,
        quantity_add_mutates: true,
        strict_hosts: false,
    };
    let new = Dialect {
        extended_lists: true,
        includes: Includes::Unlimited,
        newer_cel_go: true,
        texts_first: true,
        quantity_add_mutates: false,
        strict_hosts: true,
    };
    let both = |text: &str| (told_in(old, text), told_in(new, text));
    let starts = |told: &str, start: &str| assert!(told.starts_with(start), "{told}");

    let (before, after) = both("m.`int`");
    starts(&before, "ERROR: <input>:1:3: unsupported syntax: '`'");
    assert_eq!(after, "3");
    for colons in ["http://h:80:90/", "https://::1", "http://u:p@a:b:1/x"] {
        let (before, after) = both(&format!("isURL('{colons}')"));
        assert_eq!((before.as_str(), after.as_str()), ("true", "false"), "{colons}");
        let (before, after) = both(&format!("format.uri().validate('{colons}').hasValue()"));
        assert_eq!((before.as_str(), after.as_str()), ("false", "true"), "{colons}");
    }
    let (before, after) = both("url('http://h:80:90/').getHostname()");
    assert_eq!(before, r#""h:80""#);
    starts(
        &after,
        "error: URL parse error during conversion from string: parse \"http://h:80:90/\"",
    );
    assert!(after.ends_with(r#"invalid port ":80:90" after host"#), "{after}");
    let several = both("url('postgres://a:1,b:2/').getPort()");
    assert_eq!(several, (r#""2""#.to_owned(), r#""2""#.to_owned()));
    let (before, after) = both("[2, 1].sort()");
    starts(&before, "ERROR: <input>:1:12: undeclared reference to 'sort' (in container '')");
    assert_eq!(after, "[1, 2]");
    let (before, after) = both("m.list.includes(1)");
    starts(&before, "ERROR: <input>:1:16: undeclared reference to 'includes' (in container '')");
    assert_eq!(after, "true");
    let (before, after) = both("dyn(1).orValue(2)");
    assert_eq!(before, "1");
    starts(&after, "error: no such overload");
    let (before, after) = both("duration(5)");
    starts(&before, "ERROR: <input>:1:10: invalid duration argument");
    starts(&after, "ERROR: <input>:1:9: found no matching overload for 'duration'");
    let text = r#"cel.bind(q, quantity("1Pi"), q.add(1).isGreaterThan(q))"#;
    assert_eq!(both(text), ("false".to_owned(), "true".to_owned()));
    let text = "lists.range(49).includes(50)";
    assert_eq!(told_in(new, text), "false");
}

#[test]
fn the_order_of_declarations_decides_what_a_value_of_unknown_type_is_taken_for() {
    let expression = "dyn(optional.of(\"x\")).value().indexOf(\"x\")";
    let lists = Dialect::default();
    let texts = Dialect { texts_first: true, ..lists };
    assert_eq!(told_in(lists, expression), "error: no such overload: indexOf(string, string)");
    assert_eq!(told_in(texts, expression), "0");
}

#[test]
fn types_are_values_where_they_are_looked_up_by_name() {
    use dra_playground_cel::Dialect;
    let newer = Dialect { newer_cel_go: true, ..Dialect::default() };
    let unknown = |name: &str| format!("plan: reference to undefined type: {name}");
    for (text, expected) in [
        ("[type(1)].exists(int, int == string)", "false".to_owned()),
        ("type(1) == int", "true".to_owned()),
        ("[type(1)].exists(x, x == int)", unknown("x")),
        ("cel.bind(x, type(1), true)", unknown("x")),
        ("[dyn(type(1))].exists(x, x == int)", "true".to_owned()),
        ("true || timestamp == type(timestamp(0))", unknown("timestamp")),
        ("google.protobuf.Timestamp == type(timestamp(0))", "true".to_owned()),
    ] {
        for dialect in [Dialect::default(), newer] {
            assert_eq!(told_in(dialect, text), expected, "{text}");
        }
    }
    let message = |text: &str| told_in(newer, text).lines().next().unwrap_or_default().to_owned();
    let older = |text: &str| common::told(text).lines().next().unwrap_or_default().to_owned();
    let expected = "ERROR: <input>:1:1: expected type 'bool' but found ";
    assert_eq!(older("list && true"), format!("{expected}'type(list(A))'"));
    assert_eq!(message("list && true"), format!("{expected}'type(list(dyn))'"));
    assert_eq!(older("optional_type && true"), format!("{expected}'type(optional_type)'"));
    assert_eq!(message("optional_type && true"), format!("{expected}'type(optional_type(dyn))'"));
}

#[test]
fn upstream_crashes_on_optional_elements_of_unknown_type() {
    let crash = "panic: runtime error: index out of range [0] with length 0";
    for text in ["[?dyn(1)]", "{?'a': dyn(1)}", "[[?m.int]]", "[?dyn(1), duration('x')]"] {
        let found = common::told(text);
        assert!(found.contains(crash), "{text}: {found}");
    }
    let text = "'%s'.format([?dyn(1)])";
    let error = "error: cannot initialize optional list element from non-optional value 1";
    assert_eq!(common::told(text), error);
}
