//! Expressions that call a given overload of the environment, with arguments made from the others.

use dra_playground_cel::types::{CIDR, FORMAT, IP, Param, QUANTITY, SEMVER, Type, URL};
use dra_playground_cel::{Dialect, Env, Includes, Signature};

use super::Profile;
use crate::random::Random;

/// Percent of arguments whose type is known only at run time.
const DYNAMIC: usize = 12;
/// Percent of arguments of another type than the one that belongs there.
const MISTYPED: usize = 2;

/// The environment whose functions are called: those of the release's stored expressions.
pub(super) fn environment(profile: Profile) -> Env {
    let newer = profile.minor >= 37;
    Env::new(Dialect {
        extended_lists: true,
        includes: match profile.minor {
            ..=35 => Includes::Absent,
            36 => Includes::Limited,
            _ => Includes::Unlimited,
        },
        newer_cel_go: newer,
        texts_first: newer,
        quantity_add_mutates: !newer,
        strict_hosts: true,
    })
}

/// An expression of type bool around overload `number`, counted in the order of declarations and
/// beginning again after the last.
pub(super) fn expression(random: Random, number: usize, depth: usize, profile: Profile) -> String {
    let env = environment(profile);
    let signatures: Vec<_> = env.signatures().collect();
    let Some(signature) = signatures.get(number % signatures.len().max(1)).copied() else {
        return "true".to_owned();
    };
    let mut writer = Writer { random, signatures: &signatures, variables: Vec::new(), names: 0 };
    let mut bound = Vec::new();
    let text = writer.call(signature, &mut bound, depth);
    let result = writer.concrete(signature.result, &mut bound);
    writer.verdict(&text, &result)
}

struct Writer<'a> {
    random: Random,
    signatures: &'a [Signature<'a>],
    /// Variables in scope with their types.
    variables: Vec<(String, Type)>,
    names: usize,
}

/// What type parameters stand for.
type Bound = Vec<(Param, Type)>;

impl Writer<'_> {
    fn word(&mut self, words: &[&str]) -> String {
        self.random.text(words).to_owned()
    }

    /// A type without parameters; what is open is drawn.
    fn concrete(&mut self, ty: &Type, bound: &mut Bound) -> Type {
        match ty {
            Type::Param(param) => {
                if let Some((_, known)) = bound.iter().find(|(known, _)| known == param) {
                    return known.clone();
                }
                let drawn = self.simple();
                bound.push((*param, drawn.clone()));
                drawn
            }
            Type::List(element) => Type::list(self.concrete(element, bound)),
            Type::Map(entry) => {
                Type::map(self.concrete(&entry.0, bound), self.concrete(&entry.1, bound))
            }
            Type::Opaque(opaque) => {
                let inner = opaque.1.iter().map(|ty| self.concrete(ty, bound)).collect();
                Type::opaque(opaque.0, inner)
            }
            other => other.clone(),
        }
    }

    fn simple(&mut self) -> Type {
        let types =
            [Type::Int, Type::String, Type::Bool, Type::Double, Type::Uint, Type::Dyn, Type::Bytes];
        self.random.pick(&types).cloned().unwrap_or(Type::Int)
    }

    /// A value of the type.
    fn value(&mut self, ty: &Type, depth: usize) -> String {
        if self.random.percent(MISTYPED) {
            let other = self.simple();
            return self.plain(&other);
        }
        let variables = self.variables.iter().filter(|(_, of)| of == ty);
        let fitting: Vec<_> = variables.map(|(name, _)| name.clone()).collect();
        if !fitting.is_empty() && self.random.percent(60) {
            return self.random.pick(&fitting).cloned().unwrap_or_default();
        }
        if self.random.percent(DYNAMIC) {
            return format!("dyn({})", self.typed(ty, depth));
        }
        self.typed(ty, depth)
    }

    fn typed(&mut self, ty: &Type, depth: usize) -> String {
        if depth == 0 || self.random.percent(25) {
            return self.plain(ty);
        }
        let d = depth - 1;
        if self.random.percent(15) {
            return self.built(ty, d);
        }
        let fitting: Vec<_> = self
            .signatures
            .iter()
            .filter_map(|signature| {
                let mut bound = Bound::new();
                unify(signature.result, ty, &mut bound).then_some((*signature, bound))
            })
            .collect();
        match self.random.pick(&fitting).cloned() {
            Some((signature, mut bound)) => self.call(signature, &mut bound, d),
            None => self.plain(ty),
        }
    }

    /// A value of the type from a conditional or a macro.
    fn built(&mut self, ty: &Type, d: usize) -> String {
        let of = self.simple();
        let range = self.value(&Type::list(of.clone()), d);
        match ty {
            Type::Bool => {
                let name = self.word(&["all", "exists", "exists_one"]);
                if self.random.percent(30) {
                    let name = self.word(&["all", "exists", "existsOne"]);
                    return self.loop_of_two(&range, &of, &name, &Type::Bool, d);
                }
                self.loop_of_one(&range, of, &name, &Type::Bool, d)
            }
            Type::List(element) => match self.random.below(4) {
                0 => self.loop_of_one(&range, of, "map", element, d),
                1 => {
                    let range = self.value(ty, d);
                    self.loop_of_one(&range, element.as_ref().clone(), "filter", &Type::Bool, d)
                }
                2 => self.loop_of_two(&range, &of, "transformList", element, d),
                _ => {
                    let range = self.value(ty, d);
                    let key = self.sortable();
                    self.loop_of_one(&range, element.as_ref().clone(), "sortBy", &key, d)
                }
            },
            Type::Map(entry) if entry.0 == Type::Int => {
                self.loop_of_two(&range, &of, "transformMap", &entry.1, d)
            }
            _ if self.random.percent(50) => format!(
                "({} ? {} : {})",
                self.value(&Type::Bool, d),
                self.value(ty, d),
                self.value(ty, d)
            ),
            _ => {
                let init = self.value(&of, d);
                let name = self.bind(of);
                let body = self.value(ty, d);
                self.variables.pop();
                format!("cel.bind({name}, {init}, {body})")
            }
        }
    }

    fn sortable(&mut self) -> Type {
        let types = [Type::Int, Type::String, Type::Bool, Type::Double, Type::Duration];
        self.random.pick(&types).cloned().unwrap_or(Type::Int)
    }

    fn bind(&mut self, ty: Type) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.variables.push((name.clone(), ty));
        name
    }

    fn loop_of_one(&mut self, range: &str, of: Type, name: &str, body: &Type, d: usize) -> String {
        let variable = self.bind(of);
        let body = self.value(body, d);
        self.variables.pop();
        format!("{range}.{name}({variable}, {body})")
    }

    fn loop_of_two(&mut self, range: &str, of: &Type, name: &str, body: &Type, d: usize) -> String {
        let (first, second) = (self.bind(Type::Int), self.bind(of.clone()));
        let body = self.value(body, d);
        self.variables.truncate(self.variables.len().saturating_sub(2));
        format!("{range}.{name}({first}, {second}, {body})")
    }

    /// A call of the overload.
    fn call(&mut self, signature: Signature<'_>, bound: &mut Bound, d: usize) -> String {
        let types: Vec<_> = signature.args.iter().map(|ty| self.concrete(ty, bound)).collect();
        match (signature.function, types.as_slice()) {
            // What only macros call.
            ("@sortByAssociatedKeys", [list @ Type::List(element), Type::List(key)]) => {
                let range = self.value(list, d);
                return self.loop_of_one(&range, element.as_ref().clone(), "sortBy", key, d);
            }
            ("cel.@mapInsert", [Type::Map(entry), ..]) => {
                let range = self.value(&Type::list(Type::Int), d);
                if signature.args.len() == 3 {
                    return self.loop_of_two(&range, &Type::Int, "transformMap", &entry.1, d);
                }
                let body = Type::map(entry.0.clone(), entry.1.clone());
                return self.loop_of_two(&range, &Type::Int, "transformMapEntry", &body, d);
            }
            ("@not_strictly_false", _) => return self.built(&Type::Bool, d),
            ("_?._", _) => {
                let operand = self.optional_operand();
                return format!("{operand}.?{}", self.word(&["index", "model", "nosuch"]));
            }
            ("lists.range", _) => {
                return format!("lists.range({})", self.word(&["0", "3", "-1", "7", "60"]));
            }
            ("format", _) => return self.format(d),
            ("matches" | "find" | "findAll", [_, _, rest @ ..]) => {
                let (text, pattern) = (self.value(&Type::String, d), self.pattern());
                let count: Vec<_> = rest.iter().map(|ty| self.value(ty, 0)).collect();
                let count =
                    if count.is_empty() { String::new() } else { format!(", {}", count.join("")) };
                return if signature.member {
                    format!("{text}.{}({pattern}{count})", signature.function)
                } else {
                    format!("{}({text}, {pattern}{count})", signature.function)
                };
            }
            (function, [Type::Timestamp, Type::String]) if function.starts_with("get") => {
                let zone =
                    self.word(&["\"UTC\"", "\"+01:30\"", "\"-02:75\"", "\"nowhere\"", "\"05:00\""]);
                return format!("{}.{function}({zone})", self.value(&Type::Timestamp, d));
            }
            _ => {}
        }
        let args: Vec<_> = types.iter().map(|ty| self.value(ty, d)).collect();
        match (signature.function, args.as_slice()) {
            ("!_", [a]) => format!("!({a})"),
            ("-_", [a]) => format!("-({a})"),
            ("@in", [a, b]) => format!("({a} in {b})"),
            ("_[_]", [a, b]) => format!("{a}[{b}]"),
            ("_[?_]", [a, b]) => format!("{a}[?{b}]"),
            ("_?_:_", [a, b, c]) => format!("({a} ? {b} : {c})"),
            (function, [a, b]) if function.starts_with('_') => {
                format!("({a} {} {b})", function.trim_matches('_'))
            }
            (function, [target, rest @ ..]) if signature.member => {
                format!("{target}.{function}({})", rest.join(", "))
            }
            (function, args) => format!("{function}({})", args.join(", ")),
        }
    }

    fn optional_operand(&mut self) -> String {
        self.word(&[
            "device.attributes[\"gpu.example.com\"]",
            "device.attributes[?\"gpu.example.com\"]",
            "device.attributes.?nosuch",
            "{\"index\": 1}",
            "optional.of({\"model\": \"x\"})",
        ])
    }

    fn format(&mut self, d: usize) -> String {
        let verb = self.word(&["%s", "%d", "%f", "%.3f", "%e", "%x", "%X", "%o", "%b", "%%", "%z"]);
        let ty = if verb == "%s" || self.random.percent(20) {
            self.simple()
        } else {
            let types = [Type::Int, Type::Double, Type::Uint];
            self.random.pick(&types).cloned().unwrap_or(Type::Int)
        };
        format!("\"a{verb}b%s\".format([{}, {}])", self.value(&ty, d), self.value(&Type::String, d))
    }

    fn pattern(&mut self) -> String {
        self.word(&[
            "\"^A\"",
            "'[A-Z]+[0-9]*'",
            "\"(?i)sxm\"",
            "r\"\\d+\"",
            "\"a{2,3}|b\"",
            "\"(\"",
            "'[[:alpha:]]'",
            "\"$\"",
            "'(a|b)*?c'",
            "r'\\pL+'",
            "device.driver",
            "''",
        ])
    }

    /// An expression of type bool over a text of the type.
    fn verdict(&mut self, text: &str, ty: &Type) -> String {
        match ty {
            Type::Bool | Type::Dyn => text.to_owned(),
            // The error of such a lookup shows the value.
            Type::Int | Type::Uint | Type::Double | Type::String if self.random.percent(40) => {
                format!("{{}}[{text}] == 1")
            }
            Type::List(element) if **element == Type::String && self.random.percent(50) => {
                format!("{{}}[{text}.join(\"|\")] == 1")
            }
            Type::Int | Type::Uint | Type::Double => {
                format!("{text} {} {}", self.word(&["==", ">", "<="]), self.value(ty, 0))
            }
            Type::String | Type::Bytes if self.random.percent(40) => {
                format!("size({text}) > {}", self.random.below(5))
            }
            Type::List(_) | Type::Map(_) if self.random.percent(50) => {
                format!("{text}.size() > {}", self.random.below(3))
            }
            Type::Opaque(_) if ty.optional_value().is_some() && self.random.percent(50) => {
                format!("{text}.hasValue()")
            }
            _ => match self.random.below(3) {
                0 => format!("dyn({text}) == {}", self.value(ty, 0)),
                1 => format!("type({text}) == type({})", self.plain(ty)),
                _ => format!("{text} {} {}", self.word(&["==", "!="]), self.value(ty, 0)),
            },
        }
    }

    /// A short value of the type.
    fn plain(&mut self, ty: &Type) -> String {
        match ty {
            Type::List(element) => {
                let count = self.random.below(4);
                let elements: Vec<_> = (0..count).map(|_| self.plain(element)).collect();
                format!("[{}]", elements.join(", "))
            }
            Type::Map(entry) => {
                if self.random.percent(20) {
                    return "{}".to_owned();
                }
                format!("{{{}: {}}}", self.plain(&entry.0), self.plain(&entry.1))
            }
            Type::Opaque(_) if ty.optional_value().is_some() => match ty.optional_value() {
                Some(inner) if self.random.percent(75) => {
                    format!("optional.of({})", self.plain(inner))
                }
                _ => "optional.none()".to_owned(),
            },
            Type::Opaque(opaque) if opaque.0 == IP => self.word(&ADDRESSES),
            Type::Opaque(opaque) if opaque.0 == CIDR => self.word(&RANGES),
            Type::Type(_) => self.word(&["int", "type(1u)", "string", "type(device.driver)"]),
            Type::Struct(QUANTITY) => self.word(&QUANTITIES),
            Type::Struct(SEMVER) => self.word(&VERSIONS),
            Type::Struct(URL) => self.word(&URLS),
            Type::Struct(FORMAT) => self.word(&["format.dns1123Label()", "format.date()"]),
            Type::Struct(_) => {
                self.word(&["device.attributes[\"gpu.example.com\"].model", "dyn(1)"])
            }
            Type::Bool => {
                self.word(&["true", "false", "device.attributes[\"gpu.example.com\"].ecc"])
            }
            Type::Int => self.word(&INTS),
            Type::Uint => self.word(&["0u", "1u", "3u", "18446744073709551615u"]),
            Type::Double => self.word(&DOUBLES),
            Type::String => self.word(&TEXTS),
            Type::Bytes => self.word(&["b\"abc\"", "b''", "b'\\xff'", "b'ü'"]),
            Type::Timestamp => self.word(&TIMES),
            Type::Duration => self.word(&DURATIONS),
            Type::Null => "null".to_owned(),
            _ => {
                let name = self.word(&["model", "index", "ecc", "fw", "nosuch"]);
                format!("device.attributes[\"gpu.example.com\"].{name}")
            }
        }
    }
}

const ADDRESSES: [&str; 5] = [
    "ip(\"127.0.0.1\")",
    "ip(\"fe80::1\")",
    "ip(\"10.1.2.3\")",
    "ip(\"ff02::1\")",
    "ip(\"0.0.0.0\")",
];
const RANGES: [&str; 4] =
    ["cidr(\"10.0.0.0/8\")", "cidr(\"10.1.2.3/24\")", "cidr(\"fe80::/10\")", "cidr(\"0.0.0.0/0\")"];
const QUANTITIES: [&str; 8] = [
    "device.capacity[\"gpu.example.com\"].memory",
    "device.capacity[\"gpu.example.com\"].slots",
    "quantity(\"10Gi\")",
    "quantity(\"1500m\")",
    "quantity(\"1e3\")",
    "quantity(\"1Pi\")",
    "quantity(\"-0.000000001\")",
    "quantity(\"99999999999999999999\")",
];
const VERSIONS: [&str; 5] = [
    "device.attributes[\"gpu.example.com\"].fw",
    "semver(\"1.2.3\")",
    "semver(\"2.0.0-rc.1\")",
    "semver(\"v1.2\", true)",
    "semver(\"1.2.3+build\")",
];
const URLS: [&str; 4] = [
    "url(\"http://h:80/p?q=1\")",
    "url(\"/a%20b?x=1&x=2\")",
    "url(\"https://user@[::1]:8080\")",
    "url(\"mailto:x\")",
];
const INTS: [&str; 9] = ["0", "1", "2", "-1", "3", "7", "100", "9223372036854775807", "0x1F"];
const DOUBLES: [&str; 8] =
    ["0.5", "1.0", "-2.25", "1e10", "3.0", "1e300", "double(\"NaN\")", "-double(\"inf\")"];
const TEXTS: [&str; 20] = [
    "\"A100\"",
    "\"\"",
    "'a,b,c'",
    "device.driver",
    "\"1.2.3\"",
    "\"v01.2\"",
    "\"10Gi\"",
    "\"10.0.0.1\"",
    "\"10.0.0.0/8\"",
    "\"::ffff:1.2.3.4\"",
    "\"ü\"",
    "\"42\"",
    "\"http://h:80/p?q=1\"",
    "\"\\n\\u00e9\"",
    "\"2026-01-01T00:00:00Z\"",
    "\"1h30m\"",
    "\"dns1123Label\"",
    "\"true\"",
    "\" x \"",
    "device.attributes[\"gpu.example.com\"].model",
];
const TIMES: [&str; 6] = [
    "timestamp(\"2026-01-01T00:00:00Z\")",
    "timestamp(\"2025-06-30T12:00:00.5+02:00\")",
    "timestamp(0)",
    "timestamp(\"0001-01-01T00:00:00Z\")",
    "timestamp(\"9999-12-31T23:59:59.999999999Z\")",
    "timestamp(\"1969-12-31T23:59:59.25Z\")",
];
const DURATIONS: [&str; 6] = [
    "duration(\"1h\")",
    "duration(\"90s\")",
    "duration(\"-1.5s\")",
    "duration(\"1ms\")",
    "duration(\"2562047h\")",
    "duration(\"0s\")",
];

/// Whether a declared type can be the wanted one, binding its parameters.
fn unify(declared: &Type, wanted: &Type, bound: &mut Bound) -> bool {
    match (declared, wanted) {
        (Type::Param(param), _) => {
            if let Some((_, known)) = bound.iter().find(|(known, _)| known == param) {
                return known == wanted;
            }
            bound.push((*param, wanted.clone()));
            true
        }
        (Type::List(a), Type::List(b)) => unify(a, b, bound),
        (Type::Map(a), Type::Map(b)) => unify(&a.0, &b.0, bound) && unify(&a.1, &b.1, bound),
        (Type::Opaque(a), Type::Opaque(b)) => {
            a.0 == b.0 && a.1.iter().zip(&b.1).all(|(a, b)| unify(a, b, bound))
        }
        (Type::Type(_), Type::Type(_)) => true,
        (a, b) => a == b,
    }
}
