//! Texts at the edge of what each type, function and macro takes, and misuse of all of them.

use crate::random::Random;

/// One piece a line, below the name of its kind.
const PIECES: &str = include_str!("edges.txt");

/// An expression of one of the kinds below. Where it can, the error of a lookup shows its value.
pub(super) fn expression(random: &mut Random) -> String {
    let kinds = [
        literal, number, conversion, time, quantity, version, network, url, format, macros,
        optional, list, oddity,
    ];
    random.pick(&kinds).map_or_else(String::new, |kind| kind(random))
}

/// An expression whose error tells a text.
fn shown(text: &str) -> String {
    format!("{{\"z\": true}}[string({text})]")
}

fn one(random: &mut Random, choices: &[&str]) -> String {
    random.text(choices).to_owned()
}

/// A piece of a kind.
fn piece(random: &mut Random, kind: &str) -> String {
    let heading = format!("[{kind}]");
    let lines = PIECES.lines().skip_while(|line| **line != heading).skip(1);
    let lines: Vec<&str> = lines.take_while(|line| !is_heading(line)).collect();
    // The empty line before the next heading is no piece; some pieces are empty.
    let end = lines.len().saturating_sub(usize::from(lines.last() == Some(&"")));
    one(random, lines.get(..end).unwrap_or_default())
}

/// Whether a line names a kind; `[1]` is a piece.
fn is_heading(line: &str) -> bool {
    let name = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    name.is_some_and(|name| name.len() > 4 && name.bytes().all(|byte| byte.is_ascii_lowercase()))
}

fn quoted(random: &mut Random, kind: &str) -> String {
    format!("\"{}\"", piece(random, kind))
}

/// A text, sometimes as a value whose type is not known before it runs.
fn argument(random: &mut Random, kind: &str) -> String {
    let text = quoted(random, kind);
    if random.percent(30) { format!("dyn({text})") } else { text }
}

fn digits(random: &mut Random, count: usize) -> String {
    (0..count).map(|_| one(random, &["0", "1", "7", "9", "a", "D", "f"])).collect()
}

fn escape(random: &mut Random) -> String {
    match random.below(7) {
        0 => format!("\\x{}", digits(random, 2)),
        1 => format!("\\u{}", digits(random, 4)),
        2 => format!("\\U000{}", digits(random, 5)),
        3 => format!("\\{}{}{}", random.below(4), random.below(8), random.below(8)),
        4 => one(random, &["\\a", "\\b", "\\f", "\\n", "\\v", "\\\\", "\\'", "\\\"", "\\`", "\\?"]),
        5 => one(random, &["\\ud800", "\\uD83D\\uDE00", "\\U0010FFFF", "\\U00110000", "\\u0000"]),
        _ => one(random, &["é", "日本", "😀", "\u{301}", "a", " ", "%", "\u{2028}", "//"]),
    }
}

fn text(random: &mut Random) -> String {
    let quote = one(random, &["\"", "'", "\"\"\"", "'''"]);
    let prefix = one(random, &["", "", "", "r", "R", "b", "B", "br", "bR"]);
    let count = random.below(5);
    let mut body: String = (0..count).map(|_| escape(random)).collect();
    if quote.len() == 3 && random.percent(40) {
        body += &one(random, &["\n", "'x", "\"x", "\r\n", "\"\"x"]);
    }
    if quote.len() == 1 && prefix.to_ascii_lowercase().contains('r') {
        body = body.replace(&quote, "");
    }
    format!("{prefix}{quote}{body}{quote}")
}

fn literal(random: &mut Random) -> String {
    let text = text(random);
    match random.below(3) {
        0 => shown(&text),
        1 => format!("size({text}) == {}", random.below(6)),
        _ => format!("{text} {} {}", random.text(&["==", "<", "!="]), self::text(random)),
    }
}

fn number(random: &mut Random) -> String {
    let (left, right) = (piece(random, "literals"), piece(random, "operands"));
    match random.below(4) {
        0 => shown(&left),
        1 => {
            let operator = random.text(&["==", "!=", "<", "<=", ">", ">="]);
            format!("dyn({left}) {operator} dyn({right})")
        }
        2 => {
            let function = random.text(&["int", "uint", "double", "string", "bool", "type"]);
            format!("{function}(dyn({left})) == dyn({right})")
        }
        _ => format!("{left} {} {right} == {right}", random.text(&["+", "-", "*", "/", "%"])),
    }
}

fn conversion(random: &mut Random) -> String {
    let functions =
        ["int", "uint", "double", "bool", "string", "bytes", "duration", "timestamp", "type"];
    let function = random.text(&functions);
    let argument = argument(random, "converted");
    match random.below(3) {
        0 => shown(&format!("{function}({argument})")),
        1 => format!("{function}({argument}) == dyn({function}({}))", quoted(random, "converted")),
        _ => format!("{function}({function}({argument})) == {function}({argument})"),
    }
}

fn moment(random: &mut Random) -> String {
    if random.percent(60) {
        format!("timestamp({})", quoted(random, "times"))
    } else {
        format!("duration({})", quoted(random, "durations"))
    }
}

fn time(random: &mut Random) -> String {
    let getter = random.text(&[
        "getFullYear",
        "getMonth",
        "getDayOfMonth",
        "getDayOfYear",
        "getDate",
        "getDayOfWeek",
        "getHours",
        "getMinutes",
        "getSeconds",
        "getMilliseconds",
    ]);
    let (left, right) = (moment(random), moment(random));
    match random.below(6) {
        0..=2 => {
            let time = quoted(random, "times");
            shown(&format!("timestamp({time}).{getter}({})", quoted(random, "zones")))
        }
        3 => shown(&format!("{left} {} {right}", random.text(&["+", "-"]))),
        4 => format!("{left} {} {right}", random.text(&["<", "<=", ">", ">=", "==", "!="])),
        _ => {
            shown(&format!("{}({left})", random.text(&["int", "duration", "timestamp", "string"])))
        }
    }
}

fn amount(random: &mut Random) -> String {
    if random.percent(80) {
        format!("quantity({})", argument(random, "quantities"))
    } else {
        one(
            random,
            &[
                "device.capacity[\"gpu.example.com\"].memory",
                "device.capacity[\"gpu.example.com\"].slots",
            ],
        )
    }
}

fn quantity(random: &mut Random) -> String {
    let (left, right) = (amount(random), amount(random));
    let sum = random.text(&["add", "sub"]);
    match random.below(7) {
        0 => shown(&format!("{left}.compareTo({right})")),
        1 => shown(&format!("{left}.asInteger()")),
        2 => shown(&format!("{left}.asApproximateFloat()")),
        3 => shown(&format!("{left}.{sum}({right}).asInteger()")),
        4 => format!("isQuantity({})", quoted(random, "quantities")),
        5 => format!(
            "cel.bind(x, {left}, x.isLessThan({right}) || x.isInteger() && x.asInteger() == 8)"
        ),
        _ => {
            let body = random.text(&[
                "x == y",
                "y == x",
                "x.compareTo(y) == 0",
                "x.add(y) == y.add(x)",
                "[x] == [y]",
                "x in [y]",
                "sets.contains([x], [y])",
                "[x, y].distinct().size() == 1",
                "{1: x} == {1: y}",
                "optional.of(x) == optional.of(y)",
            ]);
            format!("cel.bind(x, {left}, cel.bind(y, x.{sum}({right}), {body}))")
        }
    }
}

fn version(random: &mut Random) -> String {
    let mut made = || {
        let text = argument(random, "versions");
        format!("semver({text}{})", random.text(&["", ", true", ", false"]))
    };
    let (left, right) = (made(), made());
    match random.below(4) {
        0 => shown(&format!("{left}.{}()", random.text(&["major", "minor", "patch"]))),
        1 => shown(&format!("{left}.compareTo({right})")),
        2 => format!("{left} {} {right}", random.text(&["==", "!="])),
        _ => format!("isSemver({}{})", quoted(random, "versions"), random.text(&["", ", true"])),
    }
}

fn network(random: &mut Random) -> String {
    let ip = format!("ip({})", argument(random, "addresses"));
    let cidr = format!("cidr({})", argument(random, "ranges"));
    match random.below(8) {
        0 => shown(&ip),
        1 => {
            shown(&format!("{cidr}{}", random.text(&["", ".masked()", ".ip()", ".prefixLength()"])))
        }
        2 => {
            let test = random.text(&[
                "isUnspecified",
                "isLoopback",
                "isLinkLocalMulticast",
                "isLinkLocalUnicast",
                "isGlobalUnicast",
            ]);
            format!("{ip}.{test}()")
        }
        3 => {
            format!("{}({})", random.text(&["isIP", "ip.isCanonical"]), quoted(random, "addresses"))
        }
        4 => format!("isCIDR({})", quoted(random, "ranges")),
        5 => format!("{cidr}.containsIP({ip})"),
        6 => format!("{cidr}.containsIP({})", quoted(random, "addresses")),
        _ => format!("{cidr}.containsCIDR({})", quoted(random, "ranges")),
    }
}

fn url(random: &mut Random) -> String {
    let url = format!("url({})", argument(random, "links"));
    match random.below(5) {
        0..=2 => {
            let getter =
                random.text(&["getScheme", "getHost", "getHostname", "getPort", "getEscapedPath"]);
            shown(&format!("{url}.{getter}()"))
        }
        3 => format!("{url}.getQuery() == {{\"x\": [\"1\"]}}"),
        _ => format!("isURL({})", quoted(random, "links")),
    }
}

fn format(random: &mut Random) -> String {
    let (verbs, count) = (random.between(1, 2), random.below(4));
    let verbs: String = (0..verbs).map(|_| piece(random, "verbs")).collect();
    let args: Vec<String> = (0..count)
        .map(|_| {
            let value = piece(random, "values");
            if random.percent(40) { format!("dyn({value})") } else { value }
        })
        .collect();
    let list = format!("[{}]", args.join(", "));
    let list = if random.percent(30) { format!("dyn({list})") } else { list };
    shown(&format!("\"{verbs}\".format({list})"))
}

fn macros(random: &mut Random) -> String {
    let name = random.text(&[
        "all",
        "exists",
        "exists_one",
        "existsOne",
        "map",
        "filter",
        "transformList",
        "transformMap",
        "transformMapEntry",
        "sortBy",
        "optMap",
        "optFlatMap",
    ]);
    let result = random.text(&["true", "[1]", "[2]", "dyn(1)", "{}"]);
    let receiver = piece(random, "receivers");
    let (first, second) = (piece(random, "names"), piece(random, "names"));
    let (body, other) = (piece(random, "bodies"), piece(random, "bodies"));
    match random.below(6) {
        0 => format!("{receiver}.{name}({first}, {body}) == {result}"),
        1 => format!("{receiver}.{name}({first}, {second}, {body}) == {result}"),
        2 => format!("{receiver}.{name}({first}, {body}, {other}) == {result}"),
        3 => format!("{receiver}.{name}({first}, {second}, {body}, {other}) == dyn({result})"),
        4 => format!("cel.bind({first}, {receiver}, {body}) == dyn({result})"),
        _ => {
            format!("cel.bind(x, {receiver}, cel.bind({second}, {body}, {other})) == dyn({result})")
        }
    }
}

fn optional(random: &mut Random) -> String {
    let one_of_them = piece(random, "optionals");
    let other = random.text(&[
        "1",
        "optional.of(2)",
        "dyn(1)",
        "null",
        "optional.none()",
        "[1]",
        "1/0",
        "optional.of(1/0)",
    ]);
    match random.below(7) {
        0 => format!("{one_of_them}.hasValue()"),
        1 => format!("{one_of_them}.value() == {other}"),
        2 => format!("{one_of_them}.orValue({other}) == dyn({other})"),
        3 => format!("{one_of_them}.or({other}) == {other}"),
        4 => format!("{one_of_them} == {other}"),
        5 => {
            let name = random.text(&["optMap", "optFlatMap"]);
            format!("{one_of_them}.{name}(x, {}).hasValue()", piece(random, "bodies"))
        }
        _ => shown(&format!("{one_of_them}.value()")),
    }
}

fn list(random: &mut Random) -> String {
    let (left, right) = (piece(random, "lists"), piece(random, "lists"));
    let value = piece(random, "values");
    match random.below(11) {
        0 => format!("{left}.{}() == dyn({right})", random.text(&["sort", "distinct", "reverse"])),
        1 => shown(&format!("{left}.{}()", random.text(&["sum", "min", "max"]))),
        2 => shown(&format!("{left}.{}({value})", random.text(&["indexOf", "lastIndexOf"]))),
        3 => {
            let name = random.text(&["contains", "equivalent", "intersects"]);
            format!("sets.{name}({left}, {right})")
        }
        4 => format!("{left}.slice({}, {}) == dyn({right})", random.below(3), random.below(5)),
        5 => format!("{left}.flatten({}) == dyn({right})", random.text(&["", "1", "0", "-1", "2"])),
        6 => format!("{left}.isSorted()"),
        7 => {
            let key = random.text(&["x", "-x", "string(x)", "[x]", "1", "dyn(x)", "type(x)"]);
            format!("{left}.sortBy(x, {key}) == dyn({right})")
        }
        8 => format!("{value} in {left}"),
        9 => format!("{left} {} {right}", random.text(&["==", "!="])),
        _ => format!("{left} + {right} == dyn({left})"),
    }
}

fn oddity(random: &mut Random) -> String {
    let (left, right) = (piece(random, "oddities"), piece(random, "oddities"));
    match random.below(4) {
        0 => left,
        1 => format!("{left} && {right}"),
        2 => format!("dyn({left}) == dyn({right})"),
        _ => {
            let function = random.text(&["type", "dyn", "string", "size"]);
            format!("{function}({left}) == dyn({})", piece(random, "operands"))
        }
    }
}
