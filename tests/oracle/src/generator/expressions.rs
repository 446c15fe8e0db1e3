//! CEL cases from a grammar over the environment of device selectors: mostly well typed, sometimes
//! not, with a device to evaluate them on.

use serde_json::{Map, Value, json};

use super::{Profile, edges, overloads, patterns};
use crate::random::Random;

/// Percent of places where a value of another type stands than the one that belongs there.
const MISTYPED: usize = 2;

/// Case `index` of CEL under `seed`: a record without its answer. Every third one has the form with
/// a device of the API, the others the short form.
pub fn cel_case(seed: u64, index: u64, profile: Profile) -> Value {
    let mut random = Random::new(seed ^ 0xCE1, index);
    let lists = profile.minor >= 36 && random.percent(35);
    let driver = "gpu.example.com";
    let attributes = attributes(&mut random, driver, lists);
    let capacities = capacities(&mut random);
    let mut draws = Random::new(seed ^ 0xE1, index);
    let depth = draws.between(1, 4);
    // Half of the cases call a given overload, so that every one is reached.
    let text = if index % 16 == 15 {
        patterns::expression(&mut draws)
    } else if index % 8 == 5 {
        edges::expression(&mut draws)
    } else if index.is_multiple_of(2) {
        overloads::expression(draws, usize::try_from(index / 2).unwrap_or(0), depth, profile)
    } else {
        Grammar { random: draws, vars: Vec::new(), names: 0, lists }.boolean(depth)
    };
    let mut record = Map::new();
    if index % 3 == 2 {
        let capacity: Map<_, _> =
            capacities.into_iter().map(|(name, value)| (name, json!({"value": value}))).collect();
        record.insert("name".into(), json!(format!("cel-{seed}-{index:05}")));
        record.insert("tags".into(), json!(["generated"]));
        record.insert("expression".into(), json!(text));
        record.insert(
            "device".into(),
            json!({"driver": driver, "attributes": attributes, "capacity": capacity}),
        );
        record.insert(
            "features".into(),
            json!({"EnableConsumableCapacity": random.percent(80), "EnableListTypeAttributes": lists}),
        );
        if random.percent(15) {
            record.insert("envType".into(), json!("new"));
        }
        if random.percent(4) {
            record.insert("costLimit".into(), json!(random.between(1, 40)));
        }
    } else {
        record.insert("id".into(), json!(format!("gen-{seed}#{index}")));
        record.insert("expr".into(), json!(text));
        record.insert("driver".into(), json!(driver));
        record.insert("attrs".into(), attributes);
        record.insert("caps".into(), Value::Object(capacities));
        if lists {
            record.insert("list".into(), json!(true));
        }
        if random.percent(12) {
            record.insert("new".into(), json!(true));
            if random.percent(50) {
                record.insert("cc".into(), json!(true));
            }
        }
        if random.percent(20) {
            record.insert("multi".into(), json!(true));
        }
        if random.percent(3) {
            record.insert("limit".into(), json!(random.between(1, 40)));
        }
    }
    Value::Object(record)
}

fn attributes(random: &mut Random, driver: &str, lists: bool) -> Value {
    let mut attributes = Map::new();
    let model = random.text(&["A100-SXM4", "H100", "", "größe"]);
    attributes.insert("model".into(), json!({"string": model}));
    attributes.insert("index".into(), json!({"int": random.between(0, 12)}));
    if random.percent(80) {
        attributes.insert("ecc".into(), json!({"bool": random.percent(50)}));
    }
    if random.percent(80) {
        let version = random.text(&["1.2.3", "2.0.0-rc.1+b5", "10.0.0"]);
        attributes.insert("fw".into(), json!({"version": version}));
    }
    if random.percent(60) {
        let address = random.text(&["10.0.0.7", "fe80::1", "not-an-ip"]);
        attributes.insert("addr".into(), json!({"string": address}));
    }
    if random.percent(50) {
        attributes.insert("other.example.com/zone".into(), json!({"string": "z1"}));
    }
    if random.percent(30) {
        attributes.insert(format!("{driver}/family"), json!({"string": "edge"}));
    }
    if lists {
        attributes.insert("links".into(), json!({"ints": [1, random.below(4), 3]}));
        attributes.insert("names".into(), json!({"strings": ["a", "bb"]}));
        if random.percent(50) {
            attributes.insert("vers".into(), json!({"versions": ["1.0.0", "1.2.0"]}));
        }
    }
    Value::Object(attributes)
}

fn capacities(random: &mut Random) -> Map<String, Value> {
    let mut capacities = Map::new();
    capacities.insert("memory".into(), json!(random.text(&["40Gi", "80Gi", "0", "1500m"])));
    if random.percent(70) {
        capacities.insert("slots".into(), json!(random.text(&["8", "1e3", "-5", "1n"])));
    }
    if random.percent(40) {
        capacities.insert("other.example.com/bw".into(), json!("100M"));
    }
    capacities
}

/// The types that the grammar knows expressions of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Type {
    Bool,
    Int,
    Double,
    Text,
    Ints,
    Texts,
    Quantity,
    Version,
    Dyn,
    Map,
    Optional,
    Duration,
    Timestamp,
    Address,
    Bytes,
    Uint,
}

const TYPES: [Type; 16] = [
    Type::Bool,
    Type::Int,
    Type::Double,
    Type::Text,
    Type::Ints,
    Type::Texts,
    Type::Quantity,
    Type::Version,
    Type::Dyn,
    Type::Map,
    Type::Optional,
    Type::Duration,
    Type::Timestamp,
    Type::Address,
    Type::Bytes,
    Type::Uint,
];

struct Grammar {
    random: Random,
    /// Variables in scope with their types.
    vars: Vec<(String, Type)>,
    names: usize,
    lists: bool,
}

impl Grammar {
    fn of(&mut self, ty: Type, depth: usize) -> String {
        let ty = if self.random.percent(MISTYPED) {
            self.random.pick(&TYPES).copied().unwrap_or(ty)
        } else {
            ty
        };
        let fitting: Vec<_> =
            self.vars.iter().filter(|(_, of)| *of == ty).map(|(name, _)| name.clone()).collect();
        if !fitting.is_empty() && self.random.percent(60) {
            return self.random.pick(&fitting).cloned().unwrap_or_default();
        }
        match ty {
            Type::Bool => self.boolean(depth),
            Type::Int => self.int(depth),
            Type::Double => self.double(depth),
            Type::Text => self.text(depth),
            Type::Ints => self.ints(depth),
            Type::Texts => self.texts(depth),
            Type::Quantity => self.quantity(depth),
            Type::Version => self.version(depth),
            Type::Dyn => self.dynamic(depth),
            Type::Map => self.map(depth),
            Type::Optional => self.optional(depth),
            Type::Duration => self.duration(depth),
            Type::Timestamp => self.timestamp(),
            Type::Address => self.address(depth),
            Type::Bytes => self.bytes(depth),
            Type::Uint => self.uint(depth),
        }
    }

    fn one_of(&mut self, choices: &[&str]) -> String {
        self.random.text(choices).to_owned()
    }

    /// Runs `body` with a fresh variable of the type in scope.
    fn with_var(&mut self, ty: Type, body: impl FnOnce(&mut Self, &str) -> String) -> String {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.vars.push((name.clone(), ty));
        let text = body(self, &name);
        self.vars.pop();
        text
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => "true".to_owned(),
                1 => "false".to_owned(),
                2 => "device.allowMultipleAllocations".to_owned(),
                3 => "has(device.attributes[\"gpu.example.com\"].ecc)".to_owned(),
                4 => "\"gpu.example.com\" in device.attributes".to_owned(),
                _ => "device.attributes[\"gpu.example.com\"].ecc".to_owned(),
            };
        }
        let d = depth - 1;
        match self.random.below(26) {
            0 | 1 => format!("{} && {}", self.bracketed(d), self.bracketed(d)),
            2 | 3 => format!("{} || {}", self.bracketed(d), self.bracketed(d)),
            4 => format!("!({})", self.of(Type::Bool, d)),
            5 => {
                let (c, a, b) =
                    (self.of(Type::Bool, d), self.of(Type::Bool, d), self.of(Type::Bool, d));
                format!("(({c}) ? ({a}) : ({b}))")
            }
            6..=9 => self.comparison(d),
            10 | 11 => self.text_test(d),
            12 => self.quantity_test(d),
            13 => self.version_test(d),
            14..=16 => self.quantifier(d),
            17 => format!("{} in {}", self.of(Type::Int, d), self.of(Type::Ints, d)),
            18 => format!("{} in {}", self.of(Type::Text, d), self.of(Type::Texts, d)),
            19 => format!("{} in {}", self.of(Type::Text, d), self.of(Type::Map, d)),
            20 => self.bind(Type::Bool, d),
            21 => self.set_test(d),
            22 => self.address_test(d),
            23 => self.optional_test(d),
            24 => self.time_test(d),
            _ => self.includes(d),
        }
    }

    fn bracketed(&mut self, depth: usize) -> String {
        format!("({})", self.of(Type::Bool, depth))
    }

    fn comparison(&mut self, d: usize) -> String {
        let op = self.one_of(&["==", "!=", "<", "<=", ">", ">="]);
        let ty = [
            Type::Int,
            Type::Text,
            Type::Double,
            Type::Dyn,
            Type::Uint,
            Type::Bytes,
            Type::Duration,
        ];
        let ty = self.random.pick(&ty).copied().unwrap_or(Type::Int);
        let other = match ty {
            Type::Dyn => {
                *self.random.pick(&[Type::Int, Type::Text, Type::Bool]).unwrap_or(&Type::Int)
            }
            Type::Double if self.random.percent(30) => Type::Int,
            same => same,
        };
        if self.random.percent(10) {
            let ty = self.random.pick(&TYPES).copied().unwrap_or(Type::Map);
            return format!("{} {} {}", self.of(ty, d), self.one_of(&["==", "!="]), self.of(ty, d));
        }
        format!("{} {op} {}", self.of(ty, d), self.of(other, d))
    }

    fn text_test(&mut self, d: usize) -> String {
        let text = self.of(Type::Text, d);
        match self.random.below(6) {
            0 => format!("{text}.startsWith({})", self.of(Type::Text, d)),
            1 => format!("{text}.endsWith({})", self.of(Type::Text, d)),
            2 => format!("{text}.contains({})", self.of(Type::Text, d)),
            3 => format!("{text}.matches({})", self.pattern()),
            4 => format!("matches({text}, {})", self.pattern()),
            _ => format!("size({text}) > {}", self.of(Type::Int, d)),
        }
    }

    fn pattern(&mut self) -> String {
        self.one_of(&[
            "\"^A\"",
            "'[A-Z]+[0-9]*'",
            "\"(?i)sxm\"",
            "r\"\\d+\"",
            "\"a{2,3}|b\"",
            "\"(\"",
            "'[[:alpha:]]'",
            "\"$\"",
        ])
    }

    fn quantity_test(&mut self, d: usize) -> String {
        let left = self.of(Type::Quantity, d);
        match self.random.below(5) {
            0 => format!("{left}.isGreaterThan({})", self.of(Type::Quantity, d)),
            1 => format!("{left}.isLessThan({})", self.of(Type::Quantity, d)),
            2 => format!(
                "{left}.compareTo({}) {} 0",
                self.of(Type::Quantity, d),
                self.one_of(&["==", ">", "<="])
            ),
            3 => format!("isQuantity({})", self.of(Type::Text, d)),
            _ => format!("{left} == {}", self.of(Type::Quantity, d)),
        }
    }

    fn version_test(&mut self, d: usize) -> String {
        let left = self.of(Type::Version, d);
        match self.random.below(4) {
            0 => format!("{left}.isGreaterThan({})", self.of(Type::Version, d)),
            1 => format!("{left}.compareTo({}) < 1", self.of(Type::Version, d)),
            2 => format!("isSemver({})", self.of(Type::Text, d)),
            _ => format!("{left} == {}", self.of(Type::Version, d)),
        }
    }

    fn quantifier(&mut self, d: usize) -> String {
        let (range, ty) = self.iterable(d);
        let macro_name = self.one_of(&["all", "exists", "exists_one"]);
        if self.random.percent(15) {
            let first = if ty == Type::Int { Type::Int } else { Type::Text };
            return self.with_var(first, |grammar, key| {
                let key = key.to_owned();
                grammar.with_var(ty, |grammar, value| {
                    format!(
                        "{range}.{}({key}, {value}, {})",
                        grammar.one_of(&["all", "exists", "existsOne"]),
                        grammar.of(Type::Bool, d)
                    )
                })
            });
        }
        self.with_var(ty, |grammar, var| {
            format!("{range}.{macro_name}({var}, {})", grammar.of(Type::Bool, d))
        })
    }

    /// Something to iterate over, with the type of its elements.
    fn iterable(&mut self, d: usize) -> (String, Type) {
        match self.random.below(7) {
            0 | 1 => (self.of(Type::Ints, d), Type::Int),
            2 | 3 => (self.of(Type::Texts, d), Type::Text),
            4 => (self.of(Type::Map, d), Type::Text),
            5 => ("device.attributes[\"gpu.example.com\"]".to_owned(), Type::Text),
            _ => (self.of(Type::Dyn, d), Type::Int),
        }
    }

    fn bind(&mut self, result: Type, d: usize) -> String {
        let ty = self.random.pick(&TYPES).copied().unwrap_or(Type::Int);
        let value = self.of(ty, d);
        self.with_var(ty, |grammar, var| {
            format!("cel.bind({var}, {value}, {})", grammar.of(result, d))
        })
    }

    fn set_test(&mut self, d: usize) -> String {
        let function = self.one_of(&["contains", "equivalent", "intersects"]);
        let ty = if self.random.percent(50) { Type::Ints } else { Type::Texts };
        format!("sets.{function}({}, {})", self.of(ty, d), self.of(ty, d))
    }

    fn address_test(&mut self, d: usize) -> String {
        match self.random.below(6) {
            0 => format!("isIP({})", self.of(Type::Text, d)),
            1 => format!("{}.family() == 4", self.of(Type::Address, d)),
            2 => format!("cidr(\"10.0.0.0/8\").containsIP({})", self.of(Type::Address, d)),
            3 => format!("{}.isLoopback()", self.of(Type::Address, d)),
            4 => format!("isURL({})", self.of(Type::Text, d)),
            _ => format!("isCIDR({})", self.of(Type::Text, d)),
        }
    }

    fn optional_test(&mut self, d: usize) -> String {
        match self.random.below(3) {
            0 => format!("{}.hasValue()", self.of(Type::Optional, d)),
            1 => format!("{}.orValue(1) == {}", self.of(Type::Optional, d), self.of(Type::Int, d)),
            _ => format!(
                "{}.or({}).hasValue()",
                self.of(Type::Optional, d),
                self.of(Type::Optional, d)
            ),
        }
    }

    fn time_test(&mut self, d: usize) -> String {
        match self.random.below(4) {
            0 => format!("{} < {}", self.timestamp(), self.timestamp()),
            1 => format!(
                "{}.getFullYear({}) == {}",
                self.timestamp(),
                self.zone(),
                self.of(Type::Int, d)
            ),
            2 => format!(
                "{} - {} > {}",
                self.timestamp(),
                self.timestamp(),
                self.of(Type::Duration, d)
            ),
            _ => format!("{}.getSeconds() > {}", self.of(Type::Duration, d), self.of(Type::Int, d)),
        }
    }

    fn zone(&mut self) -> String {
        self.one_of(&["\"UTC\"", "\"+01:30\"", "\"-02:75\"", "\"nowhere\"", ""])
    }

    fn includes(&mut self, d: usize) -> String {
        match self.random.below(3) {
            0 => format!("{}.includes({})", self.of(Type::Ints, d), self.of(Type::Int, d)),
            1 => format!("{}.includes({})", self.of(Type::Dyn, d), self.of(Type::Int, d)),
            _ => format!("{}.isSorted()", self.of(Type::Ints, d)),
        }
    }

    fn int(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "0",
                "1",
                "2",
                "-1",
                "3",
                "7",
                "100",
                "9223372036854775807",
                "0x1F",
            ]);
        }
        let d = depth - 1;
        match self.random.below(15) {
            0..=2 => format!(
                "({} {} {})",
                self.of(Type::Int, d),
                self.one_of(&["+", "-", "*", "/", "%"]),
                self.of(Type::Int, d)
            ),
            3 => format!("size({})", self.of(Type::Ints, d)),
            4 => format!("{}.size()", self.of(Type::Text, d)),
            5 => format!("int({})", self.of(Type::Text, d)),
            6 => format!("int({})", self.of(Type::Double, d)),
            7 => format!("{}.indexOf({})", self.of(Type::Text, d), self.of(Type::Text, d)),
            8 => format!(
                "{}.lastIndexOf({}, {})",
                self.of(Type::Text, d),
                self.of(Type::Text, d),
                self.of(Type::Int, d)
            ),
            9 => format!("{}[{}]", self.of(Type::Ints, d), self.of(Type::Int, d)),
            10 => format!(
                "{}.{}()",
                self.of(Type::Version, d),
                self.one_of(&["major", "minor", "patch"])
            ),
            11 => format!("{}.{}()", self.of(Type::Ints, d), self.one_of(&["sum", "max", "min"])),
            12 => format!("{}.asInteger()", self.of(Type::Quantity, d)),
            13 => self.bind(Type::Int, d),
            _ => format!("-({})", self.of(Type::Int, d)),
        }
    }

    fn uint(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["1u", "0u", "18446744073709551615u"]);
        }
        match self.random.below(2) {
            0 => format!("uint({})", self.of(Type::Int, depth - 1)),
            _ => format!(
                "({} {} {})",
                self.of(Type::Uint, depth - 1),
                self.one_of(&["+", "-", "*"]),
                self.of(Type::Uint, depth - 1)
            ),
        }
    }

    fn double(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["0.5", "1.0", "-2.25", "1e10", "3.0"]);
        }
        let d = depth - 1;
        match self.random.below(4) {
            0 => format!("double({})", self.of(Type::Int, d)),
            1 => format!("double({})", self.of(Type::Text, d)),
            2 => format!("{}.asApproximateFloat()", self.of(Type::Quantity, d)),
            _ => format!(
                "({} {} {})",
                self.of(Type::Double, d),
                self.one_of(&["+", "-", "*", "/"]),
                self.of(Type::Double, d)
            ),
        }
    }

    fn text(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "\"A100\"",
                "\"\"",
                "'a,b,c'",
                "device.driver",
                "\"1.2.3\"",
                "\"10Gi\"",
                "\"10.0.0.1\"",
                "\"ü\"",
                "\"42\"",
                "\"http://h:80/p?q=1\"",
                "\"\\n\\u00e9\"",
            ]);
        }
        let d = depth - 1;
        match self.random.below(16) {
            0 => format!("({} + {})", self.of(Type::Text, d), self.of(Type::Text, d)),
            1 => format!(
                "{}.{}()",
                self.of(Type::Text, d),
                self.one_of(&["lowerAscii", "upperAscii", "trim"])
            ),
            2 => format!(
                "{}.substring({}, {})",
                self.of(Type::Text, d),
                self.of(Type::Int, 0),
                self.of(Type::Int, 0)
            ),
            3 => format!(
                "{}.replace({}, {})",
                self.of(Type::Text, d),
                self.of(Type::Text, d),
                self.of(Type::Text, 0)
            ),
            4 => format!("string({})", self.of(Type::Int, d)),
            5 => format!("string({})", self.of(Type::Double, d)),
            6 => format!("string({})", self.of(Type::Dyn, d)),
            7 => format!("{}.join({})", self.of(Type::Texts, d), self.of(Type::Text, 0)),
            8 => format!("{}.find({})", self.of(Type::Text, d), self.pattern()),
            9 => format!("{}[{}]", self.of(Type::Texts, d), self.of(Type::Int, 0)),
            10 => format!(
                "\"{}\".format([{}, {}])",
                self.one_of(&["%s-%d", "%d %s", "%.2f%x", "%s", "%e %b"]),
                self.of(Type::Text, d),
                self.of(Type::Int, d)
            ),
            11 => format!("{}.charAt({})", self.of(Type::Text, d), self.of(Type::Int, 0)),
            12 => self.bind(Type::Text, d),
            13 => format!("strings.quote({})", self.of(Type::Text, d)),
            14 => format!(
                "url({}).{}()",
                self.of(Type::Text, d),
                self.one_of(&["getHost", "getScheme", "getPort"])
            ),
            _ => format!(
                "(({}) ? {} : {})",
                self.of(Type::Bool, d),
                self.of(Type::Text, d),
                self.of(Type::Text, d)
            ),
        }
    }

    fn ints(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["[1, 2, 3]", "[]", "[3, 1, 1]", "[0]"]);
        }
        let d = depth - 1;
        match self.random.below(10) {
            0 | 1 => format!("[{}, {}]", self.of(Type::Int, d), self.of(Type::Int, d)),
            2 => format!("({} + {})", self.of(Type::Ints, d), self.of(Type::Ints, d)),
            3 => {
                let range = self.of(Type::Ints, d);
                self.with_var(Type::Int, |g, v| {
                    format!("{range}.filter({v}, {})", g.of(Type::Bool, d))
                })
            }
            4 => {
                let (range, ty) = self.iterable(d);
                self.with_var(ty, |g, v| format!("{range}.map({v}, {})", g.of(Type::Int, d)))
            }
            5 => format!("lists.range({})", self.one_of(&["0", "3", "5", "-1"])),
            6 => format!(
                "{}.{}()",
                self.of(Type::Ints, d),
                self.one_of(&["sort", "reverse", "distinct"])
            ),
            7 => format!(
                "{}.slice({}, {})",
                self.of(Type::Ints, d),
                self.of(Type::Int, 0),
                self.of(Type::Int, 0)
            ),
            8 => format!("[{}, {}].flatten()", self.of(Type::Ints, d), self.of(Type::Ints, d)),
            _ => {
                let range = self.of(Type::Ints, d);
                self.with_var(Type::Int, |g, v| {
                    format!("{range}.sortBy({v}, {})", g.of(Type::Int, d))
                })
            }
        }
    }

    fn texts(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["[\"a\", \"b\"]", "[\"A100\"]", "['x', 'x']"]);
        }
        let d = depth - 1;
        match self.random.below(6) {
            0 => format!("[{}, {}]", self.of(Type::Text, d), self.of(Type::Text, d)),
            1 => format!("{}.split({})", self.of(Type::Text, d), self.of(Type::Text, 0)),
            2 => format!("{}.findAll({})", self.of(Type::Text, d), self.pattern()),
            3 => {
                let (range, ty) = self.iterable(d);
                self.with_var(ty, |g, v| format!("{range}.map({v}, {})", g.of(Type::Text, d)))
            }
            4 => format!("({} + {})", self.of(Type::Texts, d), self.of(Type::Texts, d)),
            _ => {
                let range = self.of(Type::Texts, d);
                self.with_var(Type::Text, |g, v| {
                    format!("{range}.filter({v}, {})", g.of(Type::Bool, d))
                })
            }
        }
    }

    fn quantity(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "device.capacity[\"gpu.example.com\"].memory",
                "device.capacity[\"gpu.example.com\"].slots",
                "quantity(\"10Gi\")",
                "quantity(\"1500m\")",
                "quantity(\"1e3\")",
            ]);
        }
        match self.random.below(4) {
            0 => format!("quantity({})", self.of(Type::Text, depth - 1)),
            1 => format!(
                "{}.add({})",
                self.of(Type::Quantity, depth - 1),
                self.of(Type::Quantity, 0)
            ),
            2 => format!("{}.sub({})", self.of(Type::Quantity, depth - 1), self.of(Type::Int, 0)),
            _ => self.quantity(0),
        }
    }

    fn version(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "device.attributes[\"gpu.example.com\"].fw",
                "semver(\"1.2.3\")",
                "semver(\"2.0.0-rc.1\")",
                "semver(\"v1.2\", true)",
            ]);
        }
        match self.random.below(2) {
            0 => format!("semver({})", self.of(Type::Text, depth - 1)),
            _ => self.version(0),
        }
    }

    fn dynamic(&mut self, depth: usize) -> String {
        let mut names = vec!["model", "index", "ecc", "fw", "addr", "family", "nosuch"];
        if self.lists {
            names.extend(["links", "names", "vers"]);
        }
        let name = self.one_of(&names);
        match self.random.below(6) {
            0 => format!("device.attributes[\"gpu.example.com\"][\"{name}\"]"),
            1 => "device.attributes[\"other.example.com\"].zone".to_owned(),
            2 => format!(
                "device.attributes[\"gpu.example.com\"].?{name}.orValue({})",
                self.of(Type::Int, 0)
            ),
            3 if depth > 0 => format!("dyn({})", self.of(Type::Int, depth - 1)),
            4 => format!("device.attributes.?nosuch.?{name}.orValue({})", self.of(Type::Text, 0)),
            _ => format!("device.attributes[\"gpu.example.com\"].{name}"),
        }
    }

    fn map(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "{\"a\": 1}",
                "{}",
                "device.attributes",
                "device.capacity[\"gpu.example.com\"]",
            ]);
        }
        let d = depth - 1;
        match self.random.below(3) {
            0 => format!("{{{}: {}}}", self.of(Type::Text, d), self.of(Type::Int, d)),
            1 => {
                let range = self.of(Type::Ints, d);
                self.with_var(Type::Int, |g, i| {
                    let i = i.to_owned();
                    g.with_var(Type::Int, |g, v| {
                        format!("{range}.transformMap({i}, {v}, {})", g.of(Type::Int, d))
                    })
                })
            }
            _ => "device.attributes[\"gpu.example.com\"]".to_owned(),
        }
    }

    fn optional(&mut self, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.random.below(7) {
            0 => "optional.none()".to_owned(),
            1 => format!("optional.of({})", self.of(Type::Int, d)),
            2 => format!("optional.ofNonZeroValue({})", self.of(Type::Int, d)),
            3 => format!("{}[?{}]", self.of(Type::Ints, d), self.of(Type::Int, 0)),
            4 => "device.attributes[\"gpu.example.com\"].?index".to_owned(),
            5 => {
                let inner = self.of(Type::Optional, d);
                self.with_var(Type::Int, |g, v| {
                    format!("{inner}.optMap({v}, {})", g.of(Type::Int, d))
                })
            }
            _ => format!("{}.first()", self.of(Type::Ints, d)),
        }
    }

    fn duration(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&[
                "duration(\"1h\")",
                "duration(\"90s\")",
                "duration(\"-1.5s\")",
                "duration(\"1d\")",
            ]);
        }
        match self.random.below(4) {
            0 => {
                format!("({} + {})", self.of(Type::Duration, depth - 1), self.of(Type::Duration, 0))
            }
            1 => format!("duration({})", self.of(Type::Text, depth - 1)),
            2 => format!("duration({})", self.of(Type::Int, depth - 1)),
            _ => self.duration(0),
        }
    }

    fn timestamp(&mut self) -> String {
        self.one_of(&[
            "timestamp(\"2026-01-01T00:00:00Z\")",
            "timestamp(\"2025-06-30T12:00:00.5+02:00\")",
            "(timestamp(\"2026-01-01T00:00:00Z\") + duration(\"24h\"))",
            "timestamp(0)",
            "timestamp(\"yesterday\")",
        ])
    }

    fn address(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["ip(\"127.0.0.1\")", "ip(\"fe80::1\")", "ip(\"10.1.2.3\")"]);
        }
        match self.random.below(2) {
            0 => format!("ip({})", self.of(Type::Text, depth - 1)),
            _ => "ip(device.attributes[\"gpu.example.com\"].addr)".to_owned(),
        }
    }

    fn bytes(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.one_of(&["b\"abc\"", "b''", "b'\\xff'"]);
        }
        match self.random.below(2) {
            0 => format!("bytes({})", self.of(Type::Text, depth - 1)),
            _ => format!("({} + {})", self.of(Type::Bytes, depth - 1), self.of(Type::Bytes, 0)),
        }
    }
}
