//! The functions of the libraries.

mod common;

use common::{check, told};

const LIST_IS_ERROR: &str = "error: internal error: interface conversion: *types.Err is not traits.Lister: missing method Add";

#[test]
fn strings() {
    check(&[
        (r#""héllo".charAt(1)"#, r#""é""#),
        (r#""héllo".charAt(5)"#, r#""""#),
        (r#""héllo".charAt(6)"#, "error: index out of range: 6"),
        (r#""hello".indexOf("l")"#, "2"),
        (r#""hello".indexOf("l", 3)"#, "3"),
        (r#""hello".indexOf("l", 9)"#, "-1"),
        (r#""hello".lastIndexOf("l")"#, "3"),
        (r#""hello".lastIndexOf("l", 2)"#, "2"),
        (r#""HÉllo".lowerAscii()"#, r#""hÉllo""#),
        (r#""héllo".upperAscii()"#, r#""HéLLO""#),
        (r#""aaa".replace("a", "b")"#, r#""bbb""#),
        (r#""aaa".replace("a", "b", 2)"#, r#""bba""#),
        (r#""a,b,c".split(",")"#, r#"["a", "b", "c"]"#),
        (r#""a,b,c".split(",", 2)"#, r#"["a", "b,c"]"#),
        (r#""héllo".substring(1)"#, r#""éllo""#),
        (r#""héllo".substring(1, 3)"#, r#""él""#),
        (r#""héllo".substring(2, 1)"#, "error: invalid substring range. start: 2, end: 1"),
        (r#""abc".substring(9)"#, "error: index out of range: 9"),
        (r#"" a\t".trim()"#, r#""a""#),
        (r#"["a", "b"].join("-")"#, r#""a-b""#),
        (r#"strings.quote("a\"b\n")"#, r#""\"a\\\"b\\n\"""#),
        (r#""héllo".size()"#, "5"),
        (r#""abc".contains("b")"#, "true"),
        (r#""abc".startsWith("ab")"#, "true"),
        (r#""abc".endsWith("bc")"#, "true"),
        (r#""%s|%d|%x|%X|%b|%o".format(["a", 7, 255, 255, 5, 8])"#, r#""a|7|ff|FF|101|10""#),
        (r#""%.2f".format([1.5])"#, r#""1.50""#),
        (r#""%e".format([1.5])"#, r#""1.500000×10⁰⁰""#),
        (r#""%s".format([[1, 2]])"#, r#""[1, 2]""#),
        (r#""%s".format([{"a": 1}])"#, r#""{\"a\":1}""#),
        (r#""%%".format([])"#, r#""%""#),
        (
            r#""%d".format([dyn("x")])"#,
            "error: error during formatting: decimal clause can only be used on integers, was given string",
        ),
    ]);
}

#[test]
fn lists() {
    check(&[
        ("[1, 2, 3].slice(1, 3)", "[2, 3]"),
        ("[1, 2, 3].slice(1, 5)", "error: cannot slice(1, 5), list is length 3"),
        ("[1, 2, 3].slice(-1, 2)", "error: cannot slice(-1, 2), negative indexes not supported"),
        (
            "[1, 2, 3].slice(2, 1)",
            "error: cannot slice(2, 1), start index must be less than or equal to end index",
        ),
        (
            "[[1], [2, [3]]].flatten()",
            "1:7: expected type 'list(int)' but found 'list(dyn)'; 1:11: expected type 'int' but found 'list(int)'",
        ),
        ("[[1], [2]].flatten()", "[1, 2]"),
        ("[[[1]], [[2]]].flatten(2)", "[1, 2]"),
        ("[3, 1, 2].sort()", "[1, 2, 3]"),
        ("b'a' in {}", "false"),
        // Upstream's accounting falls over a list that is an error; nothing absorbs that.
        ("[1 / 0].sort() == [1] || true", LIST_IS_ERROR),
        ("[1 / 0].sortBy(x, x).size() == 1", LIST_IS_ERROR),
        ("[1, 2].sortBy(x, x / 0).size() == 1", LIST_IS_ERROR),
        ("[1 / 0].distinct().size() == 1 || true", LIST_IS_ERROR),
        ("dyn(1).sort().size() == 1 || true", "true"),
        (r#"["b", "a"].sort()"#, r#"["a", "b"]"#),
        ("[1, 2].reverse()", "[2, 1]"),
        ("[1, 1, 2].distinct()", "[1, 2]"),
        ("lists.range(3)", "[0, 1, 2]"),
        ("lists.range(-1)", "[]"),
        ("[1].first()", "optional.of(1)"),
        ("[].last()", "optional.none()"),
        ("[1, 2].isSorted()", "true"),
        ("[2, 1].isSorted()", "false"),
        ("[1, 2].sum()", "3"),
        ("[1.5, 2.0].sum()", "3.5"),
        (r#"[duration("1s"), duration("2s")].sum()"#, r#"duration("3s")"#),
        ("[1, 2].min()", "1"),
        ("[1, 2].max()", "2"),
        ("dyn([]).min()", "error: min called on empty list"),
        ("[1, 2, 1].indexOf(1)", "0"),
        ("[1, 2, 1].lastIndexOf(1)", "2"),
        ("[1].indexOf(3)", "-1"),
        ("sets.contains([1, 2], [2])", "true"),
        ("sets.equivalent([1, 2], [2, 1, 1])", "true"),
        ("sets.intersects([1], [2])", "false"),
        ("m.list.includes(2)", "true"),
        ("m.int.includes(3)", "true"),
        ("m.text.includes(1)", "false"),
        ("lists.range(48).includes(50)", "false"),
        (
            "lists.range(49).includes(50)",
            "error: 'includes' function cannot be applied to lists longer than 48 values",
        ),
    ]);
}

#[test]
fn regular_expressions() {
    check(&[
        (r#""a1b22".find("[0-9]+")"#, r#""1""#),
        (r#""a".find("[0-9]+")"#, r#""""#),
        (r#""a1b22".findAll("[0-9]+")"#, r#"["1", "22"]"#),
        (r#""a1b22".findAll("[0-9]+", 1)"#, r#"["1"]"#),
        (r#""abc".matches("^a.c$")"#, "true"),
        (r#""abc".matches("b")"#, "true"),
        (r#""abc".matches(m.gone)"#, "error: no such key: gone"),
        (
            r#""a".find("(" + m.text)"#,
            "error: Illegal regex: error parsing regexp: missing closing ): `(héllo`",
        ),
        (
            r#""a".matches("(" + m.text)"#,
            "error: error parsing regexp: missing closing ): `(héllo`",
        ),
    ]);
}

#[test]
fn optionals() {
    check(&[
        ("optional.of(1).hasValue()", "true"),
        ("optional.none().hasValue()", "false"),
        ("optional.ofNonZeroValue(0)", "optional.none()"),
        (r#"optional.ofNonZeroValue("a")"#, r#"optional.of("a")"#),
        ("optional.of(1).value()", "1"),
        ("optional.none().orValue(2)", "2"),
        ("optional.of(1).or(optional.of(2))", "optional.of(1)"),
        ("optional.unwrap([optional.of(1), optional.none()])", "[1]"),
        ("[optional.of(1), optional.none()].unwrapOpt()", "[1]"),
        ("dyn(1).orValue(2)", "1"),
        ("type(optional.of(1))", "optional_type"),
    ]);
}

#[test]
fn quantities() {
    check(&[
        (r#"quantity("1.5Gi")"#, "1536Mi"),
        (
            r#"quantity("nope")"#,
            "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
        (r#"quantity("1i")"#, "error: unable to parse quantity's suffix"),
        (
            r#"quantity("")"#,
            "error: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
        ),
        (r#"isQuantity("1Gi")"#, "true"),
        (r#"isQuantity("x")"#, "false"),
        (r#"quantity("40Gi").isInteger()"#, "true"),
        (r#"quantity("1Pi").isInteger()"#, "false"),
        (r#"quantity("40Gi").asInteger()"#, "42949672960"),
        (r#"quantity("1000m").asInteger()"#, "error: cannot convert value to integer"),
        (r#"quantity("1500m").asApproximateFloat()"#, "1.5"),
        (r#"sign(quantity("-1"))"#, "-1"),
        (
            r#"quantity("1").sign()"#,
            "1:19: found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
        ),
        (r#"quantity("1").compareTo(quantity("1000m"))"#, "0"),
        (r#"quantity("1").isLessThan(quantity("2"))"#, "true"),
        (r#"quantity("1").isGreaterThan(quantity("2"))"#, "false"),
        (r#"quantity("1Gi").add(quantity("1Gi"))"#, "2Gi"),
        (r#"quantity("1Gi").sub(1)"#, "1073741823"),
        (
            r#"cel.bind(q, quantity("8"), q.isLessThan(quantity("1Pi")) && q.asInteger() == 8)"#,
            "error: cannot convert value to integer",
        ),
        (r#"cel.bind(q, quantity("1Pi"), q.add(1).isGreaterThan(q))"#, "false"),
    ]);
}

#[test]
fn versions() {
    check(&[
        (r#"semver("1.2.3").major()"#, "1"),
        (r#"semver("1.2.3").minor()"#, "2"),
        (r#"semver("1.2.3").patch()"#, "3"),
        (r#"semver("1.2")"#, "error: No Major.Minor.Patch elements found"),
        (r#"semver("v1.2", true)"#, "1.2.0"),
        (r#"semver("01.2.3", true)"#, "1.2.3"),
        (r#"semver("v1.2.3")"#, r#"error: Invalid character(s) found in major number "v1""#),
        (r#"semver("")"#, "error: Version string empty"),
        (r#"semver("1.2.3-")"#, "error: Prerelease is empty"),
        (
            r#"semver("1.2.3-01")"#,
            r#"error: Numeric PreRelease version must not contain leading zeroes "01""#,
        ),
        (r#"semver("1.2.3+")"#, "error: Build meta data is empty"),
        (r#"isSemver("1.2.3")"#, "true"),
        (r#"isSemver("v1.2.3")"#, "false"),
        (r#"isSemver("v1.2.3", true)"#, "true"),
        (r#"semver("1.0.0-rc.1").isLessThan(semver("1.0.0"))"#, "true"),
        (r#"semver("1.0.0-2").compareTo(semver("1.0.0-10"))"#, "-1"),
        (r#"semver("1.0.0-a").compareTo(semver("1.0.0-1"))"#, "1"),
        (r#"semver("1.0.0").isGreaterThan(semver("1.0.0-z"))"#, "true"),
    ]);
}

#[test]
fn network() {
    check(&[
        (r#"ip("10.0.0.1").family()"#, "4"),
        (r#"ip("::1").family()"#, "6"),
        (
            r#"ip("10.0.0.300")"#,
            r#"error: IP Address "10.0.0.300" parse error during conversion from string: ParseAddr("10.0.0.300"): IPv4 field has value >255"#,
        ),
        (
            r#"ip("::ffff:1.2.3.4")"#,
            r#"error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed"#,
        ),
        (
            r#"ip("10.0.0.01")"#,
            r#"error: IP Address "10.0.0.01" parse error during conversion from string: ParseAddr("10.0.0.01"): IPv4 field has octet with leading zero"#,
        ),
        (r#"isIP("10.0.0.1")"#, "true"),
        (r#"isIP("x")"#, "false"),
        (r#"ip.isCanonical("2001:DB8::1")"#, "false"),
        (r#"ip.isCanonical("2001:db8::1")"#, "true"),
        (r#"ip("0.0.0.0").isUnspecified()"#, "true"),
        (r#"ip("127.0.0.1").isLoopback()"#, "true"),
        (r#"ip("224.0.0.1").isLinkLocalMulticast()"#, "true"),
        (r#"ip("169.254.0.1").isLinkLocalUnicast()"#, "true"),
        (r#"ip("8.8.8.8").isGlobalUnicast()"#, "true"),
        (r#"string(ip("10.0.0.1"))"#, r#""10.0.0.1""#),
        (r#"cidr("10.0.0.0/8").containsIP("10.1.2.3")"#, "true"),
        (r#"cidr("10.0.0.0/8").containsIP(ip("11.0.0.0"))"#, "false"),
        (r#"cidr("10.0.0.0/8").containsIP("x")"#, "error: no such overload"),
        (r#"cidr("10.0.0.0/8").containsCIDR("10.1.0.0/16")"#, "true"),
        (r#"cidr("10.0.0.0/8").prefixLength()"#, "8"),
        (r#"cidr("10.1.2.3/8").masked()"#, "10.0.0.0/8"),
        (r#"cidr("10.1.2.3/8").ip()"#, "10.1.2.3"),
        (
            r#"cidr("10.0.0.0/33")"#,
            r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("10.0.0.0/33"): prefix length out of range"#,
        ),
        (r#"isCIDR("10.0.0.0/8")"#, "true"),
        (r#"isCIDR("x")"#, "false"),
    ]);
}

#[test]
fn addresses() {
    check(&[
        (r#"url("https://u@h.example:8/p%20a?x=1&x=2").getHost()"#, r#""h.example:8""#),
        (r#"url("https://h.example:8/p").getHostname()"#, r#""h.example""#),
        (r#"url("https://h.example:8/p").getPort()"#, r#""8""#),
        (r#"url("https://h/p a").getEscapedPath()"#, r#""/p%20a""#),
        (r#"url("https://h/?x=1&x=2").getQuery()"#, r#"{"x": ["1", "2"]}"#),
        (r#"url("https://h").getScheme()"#, r#""https""#),
        (
            r#"url("nope")"#,
            r#"error: URL parse error during conversion from string: parse "nope": invalid URI for request"#,
        ),
        (r#"url("http://[fe80::1%25en%200]/").getHost()"#, r#""[fe80::1%en 0]""#),
        (
            r#"url("http://[fe80::1%25e%5e]/")"#,
            r#"error: URL parse error during conversion from string: parse "http://[fe80::1%25e%5e]/": invalid URL escape "%5e""#,
        ),
        (
            r#"url("http://[fe80::1%25e^]/")"#,
            r#"error: URL parse error during conversion from string: parse "http://[fe80::1%25e^]/": invalid character "^" in host name"#,
        ),
        (r#"url("/?" + lists.range(10000).map(x, "a").join("&")).getQuery().size()"#, "1"),
        (r#"url("/?" + lists.range(10001).map(x, "a").join("&")).getQuery().size()"#, "0"),
        (
            r#"url("http://%é")"#,
            r#"error: URL parse error during conversion from string: parse "http://%é": invalid URL escape "%é""#,
        ),
        (
            r#"url("/%2é")"#,
            r#"error: URL parse error during conversion from string: parse "/%2é": invalid URL escape "%2\xc3""#,
        ),
        (
            r#"url("//%41#a")"#,
            r#"error: URL parse error during conversion from string: parse "//%41": invalid URL escape "%41""#,
        ),
        (
            r#"url("http://h/#%4")"#,
            r##"error: URL parse error during conversion from string: parse "http://h/#%4": invalid URL escape "%4""##,
        ),
        (r#"isURL("/a")"#, "true"),
        (r#"isURL("a")"#, "false"),
        (
            r#"format.dns1123Label().validate("A")"#,
            r#"optional.of(["a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"])"#,
        ),
        (r#"format.dns1123Label().validate("a")"#, "optional.none()"),
        (r#"format.named("uuid").hasValue()"#, "true"),
        (r#"format.named("nope").hasValue()"#, "false"),
        (r#"format.uuid().validate("x")"#, r#"optional.of(["does not match the UUID format"])"#),
        (
            r#"format.dns1123Subdomain().validate("a..b")"#,
            r#"optional.of(["a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"])"#,
        ),
    ]);
}

#[test]
fn time() {
    check(&[
        (r#"timestamp("2024-02-29T12:34:56.789Z").getFullYear()"#, "2024"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getMonth()"#, "1"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getDate()"#, "29"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getDayOfMonth()"#, "28"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getDayOfWeek()"#, "4"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getDayOfYear()"#, "59"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getHours()"#, "12"),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getHours("+02:30")"#, "15"),
        (
            r#"timestamp("2024-02-29T12:34:56.789Z").getHours("Nowhere/Land")"#,
            "error: unknown time zone Nowhere/Land",
        ),
        (r#"timestamp("2024-02-29T12:34:56.789Z").getMilliseconds()"#, "789"),
        (r#"duration("1h30m").getHours()"#, "1"),
        (r#"duration("1h30m").getMinutes()"#, "90"),
        (r#"duration("1500ms").getMilliseconds()"#, "1500"),
        (r#"string(duration("1500ms"))"#, r#""1.5s""#),
        ("string(timestamp(0))", r#""1970-01-01T00:00:00Z""#),
        (r#"int(timestamp("1970-01-01T00:01:00Z"))"#, "60"),
        ("timestamp(253402300800)", "1:11: invalid timestamp argument"),
    ]);
}

#[test]
fn conversions() {
    check(&[
        (r#"int("12")"#, "12"),
        ("int(1.9)", "1"),
        ("int(1e30)", "plan: integer overflow"),
        ("int(18446744073709551615u)", "plan: integer overflow"),
        (r#"uint("7")"#, "7u"),
        ("uint(1.9)", "1u"),
        (r#"double("1.5")"#, "1.5"),
        ("double(3)", "3.0"),
        ("string(1.5)", r#""1.5""#),
        ("string(3u)", r#""3""#),
        ("string(true)", r#""true""#),
        (r#"string(b"a")"#, r#""a""#),
        (r#"string(b"\xff")"#, "plan: invalid UTF-8 in bytes, cannot convert to string"),
        (r#"bool("true")"#, "true"),
        (r#"bool("T")"#, "true"),
        (r#"bytes("é")"#, r#"b"\303\251""#),
        (r#"type("a")"#, "string"),
        ("type(null)", "null_type"),
        ("type([])", "list"),
        ("int(dyn([]))", "plan: no such overload: int(list)"),
        ("dyn(1)", "1"),
    ]);
}

#[test]
fn formats_numbers_through_gos_printer_for_locales() {
    // How many digits there are at least is kept in eight bits, how many at most in sixteen.
    for (text, expected) in [
        ("'%f|%e'.format([-0.0, -0.0])", "0.000000|0.000000×10⁰⁰"),
        ("'%.1f'.format([-0.01])", "-0.0"),
        ("'%.258f'.format([1.5])", "1.50"),
        ("'%.32768f'.format([0.1])", "0.1"),
        ("'%.65537f'.format([0.16])", "0.2"),
        ("'%.65548e'.format([1.5])", "1.500000×10⁰⁰"),
        ("'%.9223372036854775807f'.format([1.5])", "%!(NOVERB)"),
    ] {
        assert_eq!(told(text), format!("\"{expected}\""), "{text}");
    }
    let lengths = [("%.5000f", 138), ("%.1000f", 234), ("%.256f", 57), ("%.300e", 300)];
    for (verb, length) in lengths {
        assert_eq!(told(&format!("'{verb}'.format([0.1]).size()")), length.to_string(), "{verb}");
    }
    let least = "'%.1200f'.format([double('5e-324')]).size()";
    assert_eq!(told(least), "1076");
}

#[test]
fn formats_end_where_they_must() {
    for (text, expected) in [
        ("'%'.format([])", "unexpected end of string"),
        ("'%s%'.format([1])", "unexpected end of string"),
        ("'%.'.format([])", "index 0 out of range"),
        ("'%.99999f'.format([1])", "fixed-point clause can only be used on doubles, was given int"),
    ] {
        let found = told(text);
        assert!(found.lines().next().is_some_and(|line| line.ends_with(expected)), "{found}");
    }
    assert_eq!(told("'%'.format(dyn([]))"), "error: index 0 out of range");
    let unreadable = "error: error during formatting: could not convert argument \
                      \"invalid UTF-8 in bytes, cannot convert to string\" to string";
    for text in [r"'%s'.format([b'\xff'])", r"'%s'.format([[b'\xff']])"] {
        assert_eq!(told(text), unreadable, "{text}");
    }
}
