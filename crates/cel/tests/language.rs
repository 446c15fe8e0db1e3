//! Errors as values, lookup, equality, operators, loops.

mod common;

use common::{check, told_in};
use dra_playground_cel::Dialect;

#[test]
fn errors_are_values() {
    check(&[
        ("m.gone == 1 || true", "true"),
        ("true || m.gone == 1", "true"),
        ("1/0 > 1 && false", "false"),
        ("m.int && false", "false"),
        ("m.int && true", "error: no such overload"),
        ("m.gone || m.lost", "error: no such key: gone"),
        ("m.gone ? 1 : 2", "error: no such key: gone"),
        ("dyn(1) ? 1 : 2", "error: no such overload"),
        ("true ? 1 : m.gone", "1"),
        ("[m.gone, m.lost]", "error: no such key: gone"),
        ("m.gone == m.lost", "error: no such key: gone"),
        ("[1, 2].exists(x, x == 2 || m.gone)", "true"),
        ("[1, 2].exists(x, m.gone)", "error: no such key: gone"),
        ("[1, 2].all(x, x == 1 && m.gone)", "false"),
        ("[1, 2].exists_one(x, m.gone)", "error: no such key: gone"),
        ("[1, 2].map(x, 1 / (x - 1))", "error: division by zero"),
        ("[1, 2].filter(x, m.gone)", "error: no such key: gone"),
        ("!m.int", "error: no such overload"),
        ("cel.bind(x, m.gone, true)", "true"),
        ("cel.bind(x, m.gone, x == 1)", "error: no such key: gone"),
    ]);
}

#[test]
fn lookup() {
    check(&[
        ("m.int", "3"),
        (r#"m["int"]"#, "3"),
        ("m.gone", "error: no such key: gone"),
        ("m.int.x", "error: no such key: x"),
        ("m.text.x", "error: no such key: x"),
        ("has(m.int.x)", "false"),
        ("has(m.gone.x)", "error: no such key: gone"),
        ("has(m.gone)", "false"),
        ("has(m.list.x)", "error: unsupported index type 'string' in list"),
        ("m.list[1]", "2"),
        ("m.list[1.0]", "2"),
        ("m.list[1u]", "2"),
        ("m.list[2]", "error: index out of bounds: 2"),
        ("m.list[-1]", "error: index out of bounds: -1"),
        (r#"m.list["a"]"#, "error: unsupported index type 'string' in list"),
        ("m.list[1.5]", "error: unsupported index value 1.5 in list"),
        ("m.list.x", "error: unsupported index type 'string' in list"),
        (r#"{1: "a"}[1]"#, r#""a""#),
        (r#"dyn({1: "a"})[1.0]"#, r#""a""#),
        (r#"dyn({1: "a"})[1u]"#, r#""a""#),
        ("m[dyn(1)]", "error: no such key: 1"),
        (r#"m[dyn(semver("1.0.0"))]"#, "error: invalid qualifier type: cel.Semver"),
        ("m[m.text]", "error: no such key: héllo"),
        ("m.?gone.x.y", "optional.none()"),
        ("m.?int.x", "optional.none()"),
        (r#"m[?"gone"].orValue(7)"#, "7"),
        ("m.?gone.or(optional.of(8)).value()", "8"),
        ("m.?list[?0]", "optional.of(1)"),
        ("m.?list[?5]", "optional.none()"),
        ("optional.none().value()", "error: optional.none() dereference"),
    ]);
}

#[test]
fn equality() {
    check(&[
        ("null == null", "true"),
        ("dyn(1) == dyn(1.0)", "true"),
        ("dyn(1u) == dyn(1)", "true"),
        ("dyn(-1) == dyn(1u)", "false"),
        ("dyn(0.0/0.0) == dyn(0.0/0.0)", "false"),
        ("dyn(9007199254740993) == dyn(9007199254740992.0)", "true"),
        (r#"dyn("a") == dyn(1)"#, "false"),
        (r#"dyn("a") != dyn(1)"#, "true"),
        (r#"dyn(quantity("1")) == dyn(1)"#, "error: no such overload"),
        (r#"dyn(1) == dyn(quantity("1"))"#, "false"),
        (r#"dyn(quantity("1")) != dyn(1)"#, "true"),
        (r#"dyn(semver("1.0.0")) == dyn("1.0.0")"#, "error: no such overload"),
        (r#"dyn([semver("1.0.0")]) == dyn(["x"])"#, "true"),
        ("[1, 2] == [1, 2]", "true"),
        ("[1, 2] == [2, 1]", "false"),
        (r#"{"a": 1} == {"a": 1}"#, "true"),
        (r#"{"a": 1} == {"b": 1}"#, "false"),
        ("dyn([1]) == dyn([1.0])", "true"),
        (r#"quantity("1") == quantity("1000m")"#, "true"),
        (r#"quantity("1Pi") == quantity("1Pi").add(1)"#, "error: no such overload"),
        (r#"quantity("10") == quantity("8").add(2)"#, "error: no such overload"),
        (r#"quantity("8").add(2) == quantity("10")"#, "true"),
        (r#"semver("1.0.0+a") == semver("1.0.0+b")"#, "true"),
        ("optional.of(1) == optional.of(1)", "true"),
        ("optional.none() == optional.of(1)", "false"),
        (r#"duration("60s") == duration("1m")"#, "true"),
        ("type(1) == type(2)", "true"),
    ]);
}

#[test]
fn operators() {
    check(&[
        ("9223372036854775807 + 1", "error: integer overflow"),
        ("-9223372036854775808 - 1", "error: integer overflow"),
        ("9223372036854775807 * 2", "error: integer overflow"),
        ("-9223372036854775808 / -1", "error: integer overflow"),
        ("-(-9223372036854775808)", "error: integer overflow"),
        ("18446744073709551615u + 1u", "error: unsigned integer overflow"),
        ("0u - 1u", "error: unsigned integer overflow"),
        ("1 / 0", "error: division by zero"),
        ("1 % 0", "error: modulus by zero"),
        ("1.0 / 0.0", r#"double("Infinity")"#),
        ("-7 % 3", "-1"),
        ("-7 / 3", "-2"),
        (r#""a" + "b""#, r#""ab""#),
        (r#"b"a" + b"b""#, r#"b"\141\142""#),
        ("[1] + [2]", "[1, 2]"),
        (r#""b" > "a""#, "true"),
        (r#""é" > "z""#, "true"),
        ("false < true", "true"),
        ("1 < 1.5", "true"),
        ("2u > 1", "true"),
        (r#"dyn(1) < dyn("a")"#, "error: no such overload"),
        ("dyn(null) < dyn(1)", "error: no such overload: _<_"),
        (r#"dyn("a") + dyn(1)"#, "error: no such overload"),
        ("dyn(true) + dyn(1)", "error: no such overload: _+_"),
        (r#"-dyn("a")"#, "error: no such overload"),
        ("-dyn(true)", "error: no such overload"),
        (r#"!dyn("a")"#, "error: no such overload"),
        ("size(dyn(1))", "error: no such overload: size"),
        (r#"dyn(1).startsWith("a")"#, "error: no such overload"),
        (r#"dyn("a").startsWith(dyn(1))"#, "error: no such overload"),
        ("dyn(1).lowerAscii()", "error: no such overload: lowerAscii(int)"),
        ("dyn(1) in dyn(2)", "error: no such overload"),
        ("1 in {1: 2}", "true"),
        (r#"dyn("a") in {1: 2}"#, "false"),
        (
            r#"timestamp("2024-01-01T00:00:00Z") + duration("1h")"#,
            r#"timestamp("2024-01-01T01:00:00Z")"#,
        ),
        (
            r#"timestamp("2024-01-01T00:00:00Z") - timestamp("2023-12-31T00:00:00Z")"#,
            r#"duration("86400s")"#,
        ),
        (r#"timestamp("9999-12-31T23:59:59Z") + duration("1s")"#, "error: timestamp overflow"),
        (r#"duration("1h") - duration("30m")"#, r#"duration("1800s")"#),
    ]);
}

#[test]
fn loops() {
    check(&[
        ("[1, 2, 3].map(x, x * 2)", "[2, 4, 6]"),
        ("[1, 2, 3].map(x, x > 1, x * 2)", "[4, 6]"),
        ("[1, 2, 3].filter(x, x > 1)", "[2, 3]"),
        ("[1, 2, 3].exists_one(x, x > 2)", "true"),
        (r#"{"a": 1, "b": 2}.map(k, k)"#, r#"["a", "b"]"#),
        (r#"{"a": 1, "b": 2}.all(k, v, v > 0 && k != "")"#, "true"),
        ("[5, 6].exists(i, v, i == 1 && v == 6)", "true"),
        ("[5, 6].existsOne(i, v, v > 5)", "true"),
        ("[5, 6].transformList(i, v, i + v)", "[5, 7]"),
        ("[5, 6].transformList(i, v, i > 0, v)", "[6]"),
        (r#"{"a": 1}.transformMap(k, v, v + 1)"#, r#"{"a": 2}"#),
        (r#"{"a": 1, "b": 2}.transformMap(k, v, v > 1, v)"#, r#"{"b": 2}"#),
        (r#"["a"].transformMapEntry(i, v, {v: i})"#, r#"{"a": 0}"#),
        (
            r#"["a", "a"].transformMapEntry(i, v, {v: i})"#,
            "error: insert failed: key a already exists",
        ),
        ("dyn(1).all(x, true)", "error: got 'types.Int', expected iterable type"),
        (r#"dyn("a").exists(x, true)"#, "error: got 'types.String', expected iterable type"),
        ("dyn(1).all(i, v, true)", "error: unsupported comprehension range type: types.Int"),
        ("[[1], [2]].all(x, x.all(y, y > 0))", "true"),
        (r#"["b", "a"].sortBy(x, x)"#, r#"["a", "b"]"#),
        ("[1, 2].map(x, [3].map(y, x + y))", "[[4], [5]]"),
        ("cel.bind(x, 1, x + x)", "2"),
        ("optional.of(1).optMap(x, x + 1)", "optional.of(2)"),
        ("optional.none().optMap(x, x)", "optional.none()"),
        ("optional.of(1).optFlatMap(x, optional.none())", "optional.none()"),
    ]);
}

#[test]
fn optionals_read_through_variables_lose_objects_in_the_older_cel_go() {
    let version = "cel.bind(v, optional.of(semver(\"1.2.3\")), v.value().major() == 1)";
    check(&[
        (version, "error: unsupported conversion to ref.Val: (semver.Version)1.2.3"),
        ("cel.bind(v, optional.of(semver(\"1.2.3\")), v.hasValue())", "true"),
        ("cel.bind(v, optional.of(optional.of(1)), dyn(v.value()))", "1"),
        ("cel.bind(v, optional.of(int), dyn(v.value()))", "\"int\""),
    ]);
    let newer = Dialect { newer_cel_go: true, ..Dialect::default() };
    assert_eq!(told_in(newer, version), "true");
}

#[test]
fn what_is_not_a_number_is_no_key() {
    check(&[
        ("{double(\"NaN\"): 1, double(\"NaN\"): 2}.size()", "2"),
        ("{double(\"NaN\"): 1}[double(\"NaN\")]", "error: no such key: NaN"),
        ("double(\"NaN\") in [double(\"NaN\")]", "false"),
        ("{b'a': 1}.size()", "plan: panic: runtime error: hash of unhashable type types.Bytes"),
    ]);
}

#[test]
fn well_known_messages_become_values() {
    check(&[
        ("google.protobuf.Int32Value{value: 7} + 1", "8"),
        ("google.protobuf.StringValue{} == ''", "true"),
        ("google.protobuf.Value{} == null", "true"),
        ("google.protobuf.Int64Value{?value: optional.none()}", "0"),
        (
            "google.protobuf.Struct{fields: {'a': 9007199254740993}}",
            "{\"a\": \"9007199254740993\"}",
        ),
        ("google.protobuf.ListValue{values: [b'abc']}", "[\"YWJj\"]"),
        (
            "google.protobuf.Int32Value{value: 2147483648}",
            "error: field type conversion error for google.protobuf.Int32Value.value value type: \
             integer overflow",
        ),
        (
            "google.protobuf.Any{type_url: 'x/google.protobuf.Int32Value', value: b'\\x08\\x05'}",
            "5",
        ),
        ("google.protobuf.Any{}", "error: unsupported conversion to ref.Val: (*dynamicpb.Message)"),
        (
            "google.protobuf.Int32Value == int",
            "plan: reference to undefined type: google.protobuf.Int32Value",
        ),
        ("google.protobuf.NullValue.NULL_VALUE", "0"),
        ("type(google.protobuf.Empty{}) == google.protobuf.Empty", "true"),
        ("google.protobuf.Duration{seconds: 90} == duration(\"90s\")", "true"),
        (
            "google.protobuf.Int32Value{value: 1}.value",
            "1:37: type 'wrapper(int)' does not support field selection",
        ),
    ]);
}
