//! Reading a record.

use serde_json::Value as Json;

use super::Told;
use crate::api::{DeviceAttribute, DeviceCapacity};
use crate::apimachinery::Entries;
use crate::features::{CelSwitches, IncludesFunction, Release};
use crate::selector::COST_LIMIT;

/// Functions that cost or answer otherwise in 1.37.2 than in the sources before it, whose answers the
/// records of 1.37 hold: what they say of these is not compared.
const CHANGED_IN_1_37: [&str; 5] =
    [".includes(", "matches(", ".startsWith(", ".endsWith(", "lists.range("];

/// An expression, a device, and the recorded answers.
pub(super) struct Record {
    pub(super) name: String,
    pub(super) expression: String,
    pub(super) driver: String,
    pub(super) attributes: Entries<DeviceAttribute>,
    pub(super) capacity: Entries<DeviceCapacity>,
    pub(super) multi: Option<bool>,
    pub(super) switches: CelSwitches,
    pub(super) cost_limit: u64,
    /// Whether the environment of new expressions answers.
    pub(super) new: bool,
    pub(super) is_syntax: bool,
    pub(super) expected: Told,
    /// The last values of parts.
    pub(super) trace: Vec<Part>,
    /// The answer of the environment of new expressions, where it differs.
    pub(super) expected_new: Option<Told>,
}

/// The recorded last value of a part.
pub(super) struct Part {
    pub(super) id: u32,
    pub(super) offset: u32,
    pub(super) kind: String,
    pub(super) value: String,
}

impl Part {
    fn read(json: &Json) -> Option<Self> {
        let number = |key: &str| json.get(key)?.as_u64()?.try_into().ok();
        let (id, offset) = (number("id")?, number("off")?);
        Some(Self { id, offset, kind: text(json, "type")?, value: text(json, "value")? })
    }
}

fn text(json: &Json, key: &str) -> Option<String> {
    json.get(key)?.as_str().map(str::to_owned)
}

fn flag(json: &Json, key: &str) -> bool {
    json.get(key).and_then(Json::as_bool).unwrap_or(false)
}

impl Record {
    /// Reads a record of either kind; none when the line is something else.
    pub(super) fn read(json: &Json) -> Option<Self> {
        if json.get("expression").is_some() { Self::object(json) } else { Self::flat(json) }
    }

    /// `id`, `expr`, `driver`, `attrs`, `caps`, `expect`.
    fn flat(json: &Json) -> Option<Self> {
        let name = text(json, "id")?;
        let expected = json.get("expect")?;
        let release = Release::parse(&text(json, "kubernetes")?).ok()?;
        let lists = flag(json, "list");
        let mut switches = CelSwitches::new(release, lists, flag(json, "cc"), true);
        if switches.missing_key_hint {
            // These were recorded with a newer cel-go than the release candidate's.
            switches.newer_cel_go = true;
            switches.quantity_add_mutates = false;
            switches.includes = IncludesFunction::Base;
        }
        let may_vary = flag(expected, "costMayVary");
        let expression = text(json, "expr")?;
        let mut told = told(expected, "error", if may_vary { "" } else { "cost" });
        let mut trace = json.get("trace").and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        if json.get("kubernetes").and_then(Json::as_str) == Some("1.37.0-alpha") {
            told.without_changes(&expression);
            if told.result.is_none() && told.error.is_none() {
                trace = &[];
            }
        }
        Some(Self {
            is_syntax: name.starts_with("syn"),
            name,
            expression,
            driver: text(json, "driver").unwrap_or_default(),
            attributes: attributes(json.get("attrs")),
            capacity: capacities(json.get("caps"), Json::as_str),
            multi: json.get("multi").and_then(Json::as_bool),
            switches,
            cost_limit: json.get("limit").and_then(Json::as_u64).unwrap_or(COST_LIMIT),
            new: flag(json, "new"),
            trace: trace.iter().filter_map(Part::read).collect(),
            expected: told,
            expected_new: None,
        })
    }

    /// `name`, `expression`, `device`, `features`, `expected`.
    fn object(json: &Json) -> Option<Self> {
        let device = json.get("device")?;
        let features = json.get("features")?;
        let expected = json.get("expected")?;
        let release = Release::parse(&text(json, "kubernetes")?).ok()?;
        let lists = flag(features, "EnableListTypeAttributes");
        let consumable = flag(features, "EnableConsumableCapacity");
        let may_vary = flag(expected, "costMayVary");
        Some(Self {
            name: text(json, "name")?,
            expression: text(json, "expression")?,
            driver: text(device, "driver").unwrap_or_default(),
            attributes: attributes(device.get("attributes")),
            capacity: capacities(device.get("capacity"), |value| value.get("value")?.as_str()),
            multi: device.get("allowMultipleAllocations").and_then(Json::as_bool),
            switches: CelSwitches::new(release, lists, consumable, true),
            cost_limit: json.get("costLimit").and_then(Json::as_u64).unwrap_or(COST_LIMIT),
            new: text(json, "envType").as_deref() == Some("new"),
            is_syntax: false,
            trace: Vec::new(),
            expected: told(expected, "runtimeError", if may_vary { "" } else { "actualCost" }),
            expected_new: expected
                .get("newExpressions")
                .map(|new| told(new, "runtimeError", "actualCost")),
        })
    }
}

impl Told {
    fn without_changes(&mut self, expression: &str) {
        if !CHANGED_IN_1_37.iter().any(|name| expression.contains(name)) {
            return;
        }
        self.cost = None;
        self.max_cost = None;
        if expression.contains("lists.range(-") {
            self.result = None;
            self.error = None;
        }
    }
}

fn told(json: &Json, error: &str, cost: &str) -> Told {
    let result = json.get("result").map(|result| match result.as_str() {
        Some(text) => text.to_owned(),
        None => result.to_string(),
    });
    Told {
        compile_error: text(json, "compileError"),
        output_type: text(json, "outputType"),
        max_cost: json.get("maxCost").and_then(Json::as_u64),
        result,
        error: text(json, error),
        cost: json.get(cost).and_then(Json::as_u64).filter(|_| json.get("compileError").is_none()),
    }
}

fn attributes(json: Option<&Json>) -> Entries<DeviceAttribute> {
    let entries = json.and_then(Json::as_object);
    entries.into_iter().flatten().map(|(name, value)| (name.clone(), attribute(value))).collect()
}

fn attribute(json: &Json) -> DeviceAttribute {
    let list = |key: &str| json.get(key).and_then(Json::as_array);
    let texts = |key: &str| {
        list(key).map(|list| list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect())
    };
    DeviceAttribute {
        int: json.get("int").and_then(Json::as_i64),
        bool: json.get("bool").and_then(Json::as_bool),
        string: text(json, "string"),
        version: text(json, "version"),
        ints: list("ints").map(|list| list.iter().filter_map(Json::as_i64).collect()),
        bools: list("bools").map(|list| list.iter().filter_map(Json::as_bool).collect()),
        strings: texts("strings"),
        versions: texts("versions"),
    }
}

fn capacities(json: Option<&Json>, value: fn(&Json) -> Option<&str>) -> Entries<DeviceCapacity> {
    let entries = json.and_then(Json::as_object);
    let parsed = entries.into_iter().flatten().filter_map(|(name, json)| {
        let value = value(json)?.parse().ok()?;
        Some((name.clone(), DeviceCapacity { value, request_policy: None }))
    });
    parsed.collect()
}

/// The error without the hint about missing keys, which most records leave out.
pub(super) fn without_hint(error: &str) -> String {
    error.split(". consider using CEL optional chaining").next().unwrap_or(error).to_owned()
}

/// A syntax error without its sets of tokens.
pub(super) fn shape(error: &str) -> String {
    let lines = error.lines().map(|line| match line.split_once(" expecting ") {
        Some((before, _)) => before.to_owned(),
        None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}
