//! Named formats, verbs of `format`, URLs, addresses and messages, in their rarer forms: as the
//! released modules of 1.37.2 answer.

mod common;

use common::check;

#[test]
fn named_formats() {
    check(&[
        (r#"format.dns1035Label().validate("a-1")"#, "optional.none()"),
        (r#"format.dns1035Label().validate("1-a").hasValue()"#, "true"),
        (r#"format.dns1035LabelPrefix().validate("a-")"#, "optional.none()"),
        (r#"format.dns1123LabelPrefix().validate("1-")"#, "optional.none()"),
        (r#"format.dns1123SubdomainPrefix().validate("a.b-")"#, "optional.none()"),
        (r#"format.dns1123Label().validate("a.b").value()"#, r#"["must not contain dots"]"#),
        (r#"format.qualifiedName().validate("example.com/A_b.c")"#, "optional.none()"),
        (
            r#"format.qualifiedName().validate("/a").value()"#,
            r#"["prefix part must be non-empty"]"#,
        ),
        (
            r#"format.qualifiedName().validate("a/").value()"#,
            r#"["name part must be non-empty", "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"]"#,
        ),
        (r#"format.qualifiedName().validate("a/b/c").value().size()"#, "1"),
        (r#"format.qualifiedName().validate("A.b/c").hasValue()"#, "true"),
        (r#"format.labelValue().validate("")"#, "optional.none()"),
        (r#"format.labelValue().validate("-a").hasValue()"#, "true"),
        (r#"format.uuid().validate("123e4567-e89b-12d3-a456-426614174000")"#, "optional.none()"),
        (
            r#"format.uuid().validate("123e4567-e89b-12d3-a456-42661417400g").value()"#,
            r#"["does not match the UUID format"]"#,
        ),
        (r#"format.byte().validate("YWJj")"#, "optional.none()"),
        (r#"format.byte().validate("YQ==")"#, "optional.none()"),
        (r#"format.byte().validate("YWJ").value()"#, r#"["invalid base64"]"#),
        (r#"format.date().validate("2026-11-30")"#, "optional.none()"),
        (r#"format.date().validate("2026-11-31").value()"#, r#"["invalid date"]"#),
        (r#"format.datetime().validate("2026-11-30T12:00:00Z")"#, "optional.none()"),
        (r#"format.datetime().validate("2026-11-30 12:00").value()"#, r#"["invalid datetime"]"#),
        (r#"format.uri().validate("https://example.com/a")"#, "optional.none()"),
        (r#"format.named("qualifiedName").hasValue()"#, "true"),
        (r#"format.named("none").hasValue()"#, "false"),
    ]);
}

#[test]
fn verbs() {
    check(&[
        (r#""%d %b %x %o".format([5u, 5u, 255u, 8u])"#, r#""5 101 ff 10""#),
        (r#""%b %b".format([true, false])"#, r#""1 0""#),
        (r#""%x %X".format(["hi", b"hi"])"#, r#""6869 6869""#),
        (
            r#""%x".format([1.5])"#,
            "1:14: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double",
        ),
        (
            r#""%d".format(["a"])"#,
            "1:14: error during formatting: decimal clause can only be used on integers, was given string",
        ),
        (
            r#""%o".format(["a"])"#,
            "1:14: error during formatting: octal clause can only be used on integers, was given string",
        ),
        (
            r#""%b".format(["a"])"#,
            "1:14: error during formatting: only integers and bools can be formatted as binary, was given string",
        ),
        (
            r#""%s".format([[duration("90s"), timestamp("2026-01-01T00:00:00Z")]])"#,
            r#""[duration(\"90s\"), timestamp(\"2026-01-01T00:00:00Z\")]""#,
        ),
        (r#""%s".format([{"a": 1.5, "b": b"x"}])"#, r#""{\"a\":1.500000, \"b\":b\"x\"}""#),
        (r#""%s".format([{1: null, true: "t"}])"#, r#""{1:null, true:\"t\"}""#),
        (r#""%s %s".format([type(1), 1u])"#, r#""int 1""#),
        (r#""%".format([1])"#, "1:11: unexpected end of string"),
        (
            r#""%z".format([1])"#,
            r#"1:12: could not parse formatting clause: unrecognized formatting clause "z""#,
        ),
        (
            r#""%.99999999999999999999f".format([1.0])"#,
            r#"1:33: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range"#,
        ),
        (
            r#""%.f".format([1.0])"#,
            r#"1:13: could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax"#,
        ),
        (r#""%.3e".format([1234567.0])"#, r#""1.234567×10⁰⁶""#),
        (r#""%e".format([1.0e-234])"#, r#""1.000000×10⁻²³⁴""#),
        (r#""%e".format([6.0e5678])"#, "1:14: invalid double literal"),
        (r#""%f %f".format([1.0 / 0.0, -1.0 / 0.0])"#, r#""∞ -∞""#),
        (r#""%s %s".format([0.0 / 0.0, 1.0 / 0.0])"#, r#""NaN +Inf""#),
        (r#""%d".format([])"#, "1:12: index 0 out of range"),
        (r#""%%".format([])"#, r#""%""#),
        (
            r#"[1, 2].join()"#,
            "1:12: found no matching overload for 'join' applied to 'list(int).()'",
        ),
        (r#"strings.quote("\a\b\f\r\t\v\\")"#, r#""\"\\a\\b\\f\\r\\t\\v\\\\\"""#),
        (r#""abc".split("")"#, r#"["a", "b", "c"]"#),
        (r#""abc".split("", 2)"#, r#"["a", "bc"]"#),
        (r#""abc".split(",", 0)"#, "[]"),
        (r#""abc".indexOf("", 2)"#, "2"),
        (r#""abc".lastIndexOf("")"#, "3"),
        (r#""abc".lastIndexOf("", 1)"#, "1"),
        (r#""abc".lastIndexOf("abcd")"#, "-1"),
    ]);
}

#[test]
fn urls() {
    let parts = |url: &str| {
        format!(
            "[url('{url}').getScheme(), url('{url}').getHost(), url('{url}').getHostname(), url('{url}').getPort(), url('{url}').getEscapedPath(), url('{url}').getQuery().size() == 0 ? '' : string(url('{url}').getQuery().size())]"
        )
    };
    let rows: Vec<(String, &str)> = [
        ("https://user:pass@example.com:80/a%20b/c?k=a+b&l=#frag", r#"["https", "example.com:80", "example.com", "80", "/a%20b/c", "2"]"#),
        ("http://[::1]:8080/", r#"["http", "[::1]:8080", "::1", "8080", "/", ""]"#),
        ("http://[fe80::1%25en0]/", r#"["http", "[fe80::1%en0]", "fe80::1%en0", "", "/", ""]"#),
        ("/a/b:c?", r#"["", "", "", "", "/a/b:c", ""]"#),
        ("//example.com/x", r#"["", "example.com", "example.com", "", "/x", ""]"#),
        ("mailto:a@b", r#"["mailto", "", "", "", "", ""]"#),
        ("*", r#"["", "", "", "", "*", ""]"#),
        ("a:b", r#"["a", "", "", "", "", ""]"#),
        ("1a:b", r#"error: URL parse error during conversion from string: parse "1a:b": invalid URI for request"#),
        ("http://[::1", r#"error: URL parse error during conversion from string: parse "http://[::1": missing ']' in host"#),
        ("http://[1.2.3.4]/", r#"error: URL parse error during conversion from string: parse "http://[1.2.3.4]/": invalid IP-literal"#),
        ("http://a:b/", r#"error: URL parse error during conversion from string: parse "http://a:b/": invalid port ":b" after host"#),
        ("http://us er@a/", r#"error: URL parse error during conversion from string: parse "http://us er@a/": net/url: invalid userinfo"#),
        ("http://a/%zz", r#"error: URL parse error during conversion from string: parse "http://a/%zz": invalid URL escape "%zz""#),
        ("http://a b/", r#"error: URL parse error during conversion from string: parse "http://a b/": invalid character " " in host name"#),
        ("file:///etc/passwd", r#"["file", "", "", "", "/etc/passwd", ""]"#),
    ]
    .map(|(url, said)| (parts(url), said))
    .into();
    let rows: Vec<(&str, &str)> = rows.iter().map(|(text, said)| (text.as_str(), *said)).collect();
    check(&rows);
    check(&[
        (
            r#"url("https://u:p@example.com:80/a?k=1#f") == url("https://u:p@example.com:80/a?k=1#f")"#,
            "true",
        ),
        (r#"url("https://example.com/a") == url("https://example.com/b")"#, "false"),
        (r#"url("mailto:a@b")"#, "mailto:a@b"),
        (
            r#"url("https://u:p%20q@example.com:80/a;b?k=1#f")"#,
            "https://u:p%20q@example.com:80/a;b?k=1#f",
        ),
        (r#"url("//example.com")"#, "//example.com"),
        (r#"url("/a?")"#, "/a?"),
        (r#"url("file:///etc/passwd")"#, "file:///etc/passwd"),
        (r#"{url("https://a/"): 1}"#, "{https://a/: 1}"),
        (r#"isURL("a b")"#, "false"),
        (r#"isURL("https://example.com:80/")"#, "true"),
        ("isURL('https://a/\\u0007')", "false"),
    ]);
}

#[test]
fn addresses() {
    let rows: Vec<(String, &str)> = [
        ("1.2.3", r#"error: IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short"#),
        ("1.2.3.4.5", r#"error: IP Address "1.2.3.4.5" parse error during conversion from string: ParseAddr("1.2.3.4.5"): IPv4 address too long"#),
        ("1..2.3", r#"error: IP Address "1..2.3" parse error during conversion from string: ParseAddr("1..2.3"): IPv4 field must have at least one digit (at ".2.3")"#),
        ("1.2.3.400", r#"error: IP Address "1.2.3.400" parse error during conversion from string: ParseAddr("1.2.3.400"): IPv4 field has value >255"#),
        ("1.2.3.4a", r#"error: IP Address "1.2.3.4a" parse error during conversion from string: ParseAddr("1.2.3.4a"): unexpected character (at "a")"#),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("1:2:3:4:5:6:7:8:9", r#"error: IP Address "1:2:3:4:5:6:7:8:9" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:8:9"): trailing garbage after address (at "9")"#),
        ("1:2:3:4:5:6:7", r#"error: IP Address "1:2:3:4:5:6:7" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7"): address string too short"#),
        ("12345::", r#"error: IP Address "12345::" parse error during conversion from string: ParseAddr("12345::"): each group must have 4 or less digits (at "12345::")"#),
        ("::1::2", r#"error: IP Address "::1::2" parse error during conversion from string: ParseAddr("::1::2"): multiple :: in address (at ":2")"#),
        ("1:2:3:4:5:6:7::8", r#"error: IP Address "1:2:3:4:5:6:7::8" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7::8"): the :: must expand to at least one field of zeros"#),
        ("::1.2.3.4", "::102:304"),
        ("1.2.3.4::", r#"error: IP Address "1.2.3.4::" parse error during conversion from string: ParseAddr("1.2.3.4::"): unexpected character (at "::")"#),
        ("1:1.2.3.4", r#"error: IP Address "1:1.2.3.4" parse error during conversion from string: ParseAddr("1:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")"#),
        ("1:2:3:4:5:6:7:1.2.3.4", r#"error: IP Address "1:2:3:4:5:6:7:1.2.3.4" parse error during conversion from string: ParseAddr("1:2:3:4:5:6:7:1.2.3.4"): embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")"#),
        ("fe80::1%eth0", r#"error: IP address "fe80::1%eth0" with zone value is not allowed"#),
        ("fe80::1%", r#"error: IP Address "fe80::1%" parse error during conversion from string: ParseAddr("fe80::1%"): zone must be a non-empty string"#),
        ("::ffff:1.2.3.4", r#"error: IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed"#),
        ("1:", r#"error: IP Address "1:" parse error during conversion from string: ParseAddr("1:"): colon must be followed by more characters (at ":")"#),
        ("1;2", r#"error: IP Address "1;2" parse error during conversion from string: ParseAddr("1;2"): unable to parse IP"#),
        ("", r#"error: IP Address "" parse error during conversion from string: ParseAddr(""): unable to parse IP"#),
        ("x", r#"error: IP Address "x" parse error during conversion from string: ParseAddr("x"): unable to parse IP"#),
    ]
    .map(|(ip, said)| (format!("ip('{ip}')"), said))
    .into();
    let rows: Vec<(&str, &str)> = rows.iter().map(|(text, said)| (text.as_str(), *said)).collect();
    check(&rows);
    check(&[
        ("ip('ff02::1').isLinkLocalMulticast()", "true"),
        ("ip('fe80::1').isLinkLocalUnicast()", "true"),
        ("cidr('2001:db8::1/32').masked() == cidr('2001:db8::/32')", "true"),
        (
            "cidr('1.2.3.4/33')",
            r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.4/33"): prefix length out of range"#,
        ),
        (
            "cidr('1.2.3.4/x')",
            r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.4/x"): bad bits after slash: "x""#,
        ),
        (
            "cidr('fe80::1%a/64')",
            r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("fe80::1%a/64"): IPv6 zones cannot be present in a prefix"#,
        ),
        (
            "cidr('::ffff:1.2.3.4/96')",
            r#"error: network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:1.2.3.4/96" is not allowed"#,
        ),
        (
            "cidr('1.2.3.4')",
            r#"error: network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.4"): no '/'"#,
        ),
        ("cidr('10.0.0.0/8').containsIP('11.0.0.1')", "false"),
        ("cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')", "true"),
        ("cidr('10.0.0.0/8').containsIP('x')", "error: no such overload"),
    ]);
}

#[test]
fn wrappers() {
    check(&[
        ("google.protobuf.BoolValue{value: true}", "true"),
        ("google.protobuf.BoolValue{} == false", "true"),
        ("google.protobuf.BytesValue{value: b'a'}", r#"b"\141""#),
        ("google.protobuf.DoubleValue{value: 1.5}", "1.5"),
        ("google.protobuf.FloatValue{value: 0.1}", "0.10000000149011612"),
        ("google.protobuf.UInt32Value{value: 7u}", "7u"),
        (
            "google.protobuf.UInt32Value{value: 4294967296u}",
            "error: field type conversion error for google.protobuf.UInt32Value.value value type: unsigned integer overflow",
        ),
        ("google.protobuf.UInt64Value{value: 7u}", "7u"),
        (
            "google.protobuf.Int32Value{value: 2147483648}",
            "error: field type conversion error for google.protobuf.Int32Value.value value type: integer overflow",
        ),
    ]);
}

#[test]
fn wrappers_of_what_does_not_fit() {
    check(&[
        (
            "google.protobuf.Int32Value{value: dyn('a')}",
            "error: field type conversion error for google.protobuf.Int32Value.value value type: unsupported native conversion from string to 'int32'",
        ),
        (
            "google.protobuf.Int32Value{value: dyn(1.5)}",
            "error: field type conversion error for google.protobuf.Int32Value.value value type: type conversion error from Double to 'int32'",
        ),
        (
            "google.protobuf.Int64Value{value: dyn(1u)}",
            "error: field type conversion error for google.protobuf.Int64Value.value value type: unsupported type conversion from 'uint' to int64",
        ),
        (
            "google.protobuf.UInt64Value{value: dyn(1)}",
            "error: field type conversion error for google.protobuf.UInt64Value.value value type: unsupported type conversion from 'int' to uint64",
        ),
        (
            "google.protobuf.BoolValue{value: dyn(1)}",
            "error: field type conversion error for google.protobuf.BoolValue.value value type: unsupported type conversion from 'int' to bool",
        ),
        (
            "google.protobuf.BoolValue{value: dyn('a')}",
            "error: field type conversion error for google.protobuf.BoolValue.value value type: unsupported native conversion from string to 'bool'",
        ),
        (
            "google.protobuf.StringValue{value: dyn(true)}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from bool to 'string'",
        ),
        (
            "google.protobuf.StringValue{value: dyn([1])}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from list to 'string'",
        ),
        (
            "google.protobuf.StringValue{value: dyn({'a': 1})}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from map to 'string'",
        ),
        (
            "google.protobuf.StringValue{value: dyn(b'a')}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from Bytes to 'string'",
        ),
        (
            "google.protobuf.StringValue{value: dyn(int)}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion not supported for 'type'",
        ),
        (
            "google.protobuf.StringValue{value: dyn(null)}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from 'null_type' to 'string'",
        ),
        (
            "google.protobuf.StringValue{value: dyn(duration('1s'))}",
            "error: field type conversion error for google.protobuf.StringValue.value value type: type conversion error from 'Duration' to 'string'",
        ),
        (
            "google.protobuf.DoubleValue{value: dyn('a')}",
            "error: field type conversion error for google.protobuf.DoubleValue.value value type: unsupported native conversion from string to 'float64'",
        ),
        (
            "google.protobuf.FloatValue{value: dyn(1)}",
            "error: field type conversion error for google.protobuf.FloatValue.value value type: unsupported type conversion from 'int' to float32",
        ),
        (
            "google.protobuf.BytesValue{value: dyn('a')}",
            "error: field type conversion error for google.protobuf.BytesValue.value value type: unsupported native conversion from string to '[]uint8'",
        ),
        ("google.protobuf.Int64Value{?value: optional.of(3)}", "3"),
    ]);
}

#[test]
fn other_messages() {
    check(&[
        ("google.protobuf.Value{string_value: 'a'}", r#""a""#),
        ("google.protobuf.Value{number_value: 1.5}", "1.5"),
        ("google.protobuf.Value{bool_value: true}", "true"),
        (
            "google.protobuf.Value{list_value: [1, 'a']}",
            "1:39: expected type 'int' but found 'string'",
        ),
        ("google.protobuf.Value{struct_value: {'a': 1}}", r#"{"a": 1.0}"#),
        ("google.protobuf.Value{null_value: 0}", "null"),
        (
            "google.protobuf.Struct{fields: {'d': duration('90s'), 't': timestamp('2026-01-01T00:00:00Z'), 'u': 7u, 'b': b'x'}}",
            "1:69: expected type 'duration' but found 'timestamp'; 1:100: expected type 'duration' but found 'uint'; 1:109: expected type 'duration' but found 'bytes'",
        ),
        (
            "google.protobuf.Struct{fields: {'u': 18446744073709551615u}}",
            r#"{"u": "18446744073709551615"}"#,
        ),
        (
            "google.protobuf.Struct{fields: {'a': type(1)}}",
            "error: field type conversion error for google.protobuf.Struct.fields value type: type conversion not supported for 'type'",
        ),
        (
            "google.protobuf.Struct{fields: {1: 2}}",
            "1:30: expected type of field 'fields' is 'map(string, dyn)' but provided type is 'map(int, int)'",
        ),
        (
            "google.protobuf.ListValue{values: [optional.of(1), optional.none()]}",
            "error: field type conversion error for google.protobuf.ListValue.values value type: optional.none() dereference",
        ),
        ("google.protobuf.ListValue{values: [google.protobuf.Empty{}]}", "[{}]"),
        ("google.protobuf.Empty{} == google.protobuf.Empty{}", "true"),
        ("google.protobuf.Duration{seconds: 90}", r#"duration("90s")"#),
        ("google.protobuf.Timestamp{seconds: 90}", r#"timestamp("1970-01-01T00:01:30Z")"#),
        (
            "google.protobuf.Duration{seconds: dyn('a')}",
            "error: field type conversion error for google.protobuf.Duration.seconds value type: unsupported native conversion from string to 'int64'",
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.BoolValue', value: b'\\x08\\x01'}",
            "true",
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.StringValue', value: b'\\x0a\\x01a'}",
            r#""a""#,
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.DoubleValue', value: b'\\x09\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x3f'}",
            "1.5",
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.FloatValue', value: b'\\x0d\\x00\\x00\\xc0\\x3f'}",
            "1.5",
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.UInt32Value', value: b'\\x08\\x07'}",
            "7u",
        ),
        (
            "google.protobuf.Any{type_url: 'type.googleapis.com/google.protobuf.BytesValue', value: b'\\x0a\\x01a'}",
            r#"b"\141""#,
        ),
        (
            "google.protobuf.Any{type_url: 'x', value: b'\\x08'} == google.protobuf.Any{type_url: 'y'}",
            r#"error: unsupported conversion to ref.Val: (*dynamicpb.Message)type_url:"x" value:"\x08""#,
        ),
        (
            "google.protobuf.NoSuch{}",
            "1:23: undeclared reference to 'google.protobuf.NoSuch' (in container '')",
        ),
        ("google.protobuf.BoolValue{nothing: 1}", "1:34: undefined field 'nothing'"),
    ]);
}
