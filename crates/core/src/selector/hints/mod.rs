//! Help beyond upstream: what a selector probably means, from what devices really publish.
//!
//! Hints are data: a range of the expression, a sentence, and where possible the text to put there.

mod objects;
mod paths;
mod syntax;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::Env;
use dra_playground_cel::order::Order;
use dra_playground_cel::syntax::{self as cel, Ast, Call, Expr, ExprKind, Extent, Literal};

use super::environment::{ATTRIBUTES, CAPACITY, DEVICE, DRIVER, MULTI};
use super::{DeviceInput, Selectors};
use crate::apimachinery::names::identifier_faults;
use crate::diagnostic::did_you_mean;
use crate::features::AttributeType;
use paths::{Map, Path};

/// A remark about a part of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// First code point of the part.
    pub from: u32,
    /// One past its last code point.
    pub to: u32,
    /// What to know.
    pub message: String,
    /// What to put in its place.
    pub replacement: Option<String>,
    /// Whether it says that the expression fails on some devices. It need not, where other
    /// selectors keep those devices away.
    pub fails: bool,
}

/// Hints for an expression, given the devices that are published.
pub fn hints(selectors: &Selectors, expression: &str, devices: &[DeviceInput<'_>]) -> Vec<Hint> {
    let env = selectors.environments.stored();
    let Ok(ast) = cel::parse(expression, env.parse_options()) else {
        return syntax::hints(expression);
    };
    let compiled = selectors.compile(expression);
    let issues = compiled.compile_error().map_or(&[][..], |error| &error.issues);
    let undeclared =
        issues.iter().filter(|issue| issue.message.starts_with("undeclared reference"));
    let mut finder = Finder {
        undeclared: undeclared.filter_map(cel::Issue::place).collect(),
        attribute_type: selectors.switches.attr_type_new,
        ast: &ast,
        chars: expression.chars().collect(),
        env,
        published: Published::of(devices),
        guarded: BTreeSet::new(),
        found: Vec::new(),
    };
    finder.collect_guards();
    ast.root.walk(&mut |expr| finder.visit(expr));
    let mut found = finder.found;
    found.order_by_key(|hint| (hint.from, hint.to));
    found.dedup();
    found
}

/// What devices publish: how many there are of each name, and values to learn types from.
#[derive(Debug, Default)]
struct Published {
    devices: usize,
    /// By name: how many devices.
    drivers: BTreeMap<String, usize>,
    /// By map, domain and name: on how many devices, and how a value is written.
    names: BTreeMap<(Map, String, String), (usize, Sample)>,
}

/// The type of a published value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sample {
    Int,
    Bool,
    Text,
    Version,
    List,
    Quantity,
}

impl Published {
    fn of(devices: &[DeviceInput<'_>]) -> Self {
        let mut published = Self { devices: devices.len(), ..Self::default() };
        for device in devices {
            *published.drivers.entry(device.driver.to_owned()).or_default() += 1;
            for (name, attribute) in device.attributes.iter() {
                let sample = if attribute.int.is_some() {
                    Sample::Int
                } else if attribute.bool.is_some() {
                    Sample::Bool
                } else if attribute.string.is_some() {
                    Sample::Text
                } else if attribute.version.is_some() {
                    Sample::Version
                } else {
                    Sample::List
                };
                published.add(Map::Attributes, device.driver, name, sample);
            }
            for name in device.capacity.keys() {
                published.add(Map::Capacity, device.driver, name, Sample::Quantity);
            }
        }
        published
    }

    fn add(&mut self, map: Map, driver: &str, name: &str, sample: Sample) {
        let (domain, id) = name.split_once('/').unwrap_or((driver, name));
        if !identifier_faults(id).is_empty() {
            return;
        }
        let entry = self.names.entry((map, domain.to_owned(), id.to_owned()));
        entry.or_insert((0, sample)).0 += 1;
    }

    fn domains(&self) -> BTreeSet<&str> {
        self.names.keys().map(|(_, domain, _)| domain.as_str()).collect()
    }

    /// Names of a map, in one domain or in all.
    fn names(&self, map: Map, domain: Option<&str>) -> BTreeSet<&str> {
        let matching = self
            .names
            .keys()
            .filter(|(of, d, _)| *of == map && domain.is_none_or(|domain| d == domain));
        matching.map(|(_, _, name)| name.as_str()).collect()
    }

    fn count(&self, map: Map, domain: Option<&str>, name: &str) -> usize {
        let matching = self.names.iter().filter(|((of, d, n), _)| {
            *of == map && n == name && domain.is_none_or(|domain| d == domain)
        });
        matching.map(|(_, (count, _))| count).sum()
    }

    fn sample(&self, path: &Path) -> Option<Sample> {
        let name = path.name.as_ref()?;
        let mut matching = self.names.iter().filter(|((map, domain, n), _)| {
            *map == path.map
                && *n == name.text
                && path.domain.as_ref().is_none_or(|d| d.text == *domain)
        });
        matching.next().map(|(_, (_, sample))| *sample)
    }
}

struct Finder<'a> {
    attribute_type: AttributeType,
    ast: &'a Ast,
    chars: Vec<char>,
    env: &'a Env,
    published: Published,
    /// Paths that the expression asks for with `has` or an optional select.
    guarded: BTreeSet<String>,
    /// Where the checker finds names without meaning.
    undeclared: BTreeSet<u32>,
    found: Vec<Hint>,
}

impl Finder<'_> {
    fn text(&self, extent: Extent) -> String {
        let length = extent.to.saturating_sub(extent.from) as usize;
        self.chars.iter().skip(extent.from as usize).take(length).collect()
    }

    fn text_of(&self, expr: &Expr) -> Option<String> {
        self.ast.source.extent(expr.id).map(|extent| self.text(extent))
    }

    fn add(&mut self, extent: Extent, message: String, replacement: Option<String>) {
        let Extent { from, to } = extent;
        self.found.push(Hint { from, to, message, replacement, fails: false });
    }

    fn path(&self, expr: &Expr) -> Option<Path> {
        Path::of(expr, &self.ast.source)
    }

    fn collect_guards(&mut self) {
        let mut guarded = BTreeSet::new();
        self.ast.root.walk(&mut |expr| {
            let asks = match &expr.kind {
                ExprKind::Select { test_only, .. } => *test_only,
                ExprKind::Call(call) => matches!(call.function.as_ref(), "_?._" | "_[?_]"),
                _ => false,
            };
            if asks && let Some(path) = self.path(expr) {
                guarded.insert(path.key());
            }
        });
        self.guarded = guarded;
    }

    fn visit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Ident(name) => self.ident(expr, name),
            ExprKind::Select { operand, field, .. } => self.select(expr, operand, field),
            ExprKind::Call(call) => self.call(expr, call),
            ExprKind::Comprehension(fold) => self.loop_over_an_attribute(fold),
            _ => {}
        }
        if let Some(path) = self.path(expr) {
            self.presence_of_a_domain(expr, &path);
            self.check_path(expr, &path);
        }
    }

    fn ident(&mut self, expr: &Expr, name: &str) {
        let Some(extent) = self.ast.source.extent(expr.id) else { return };
        let looks_like = name.eq_ignore_ascii_case(DEVICE) || name.eq_ignore_ascii_case("devices");
        if looks_like && name != DEVICE {
            let message = format!("`{name}` is not known, the variable is called `{DEVICE}`");
            self.add(extent, message, Some(DEVICE.to_owned()));
        } else if self.undeclared.contains(&extent.from) {
            self.undeclared_name(extent, name);
        }
    }

    fn undeclared_name(&mut self, extent: Extent, name: &str) {
        let lower = name.to_ascii_lowercase();
        if [DRIVER, ATTRIBUTES, CAPACITY, MULTI].contains(&name) {
            let message = format!("`{name}` is a field of `{DEVICE}`");
            self.add(extent, message, Some(format!("{DEVICE}.{name}")));
        } else if ["true", "false", "null"].contains(&lower.as_str()) {
            self.add(extent, format!("`{name}` is written `{lower}`"), Some(lower));
        } else {
            self.missing_quotes(extent);
        }
    }

    /// `gpu.example.com` without quotes reads as a field of a field and `a-b` as a difference.
    fn missing_quotes(&mut self, extent: Extent) {
        let from = extent.from as usize;
        let is_part = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let before = self.chars.get(..from).unwrap_or_default();
        if matches!(before, [.., c, '-'] if is_part(c)) {
            return;
        }
        let rest = self.chars.get(from..).unwrap_or_default();
        let text: String = rest.iter().take_while(|c| is_part(c) || **c == '.').collect();
        let next = rest.get(text.len());
        let is_published = self.published.drivers.contains_key(&text)
            || self.published.domains().contains(text.as_str());
        let is_text = !text.contains('.') && !text.ends_with('-') && next.is_none_or(|c| *c != '[');
        if is_published || is_text {
            let whole = Extent { from: extent.from, to: extent.from + length(&text) };
            let message = format!("`{text}` is a name here: a text stands in quotes");
            self.add(whole, message, Some(format!("\"{text}\"")));
        }
    }

    fn select(&mut self, expr: &Expr, operand: &Expr, field: &str) {
        let Some(extent) = self.ast.source.extent(expr.id) else { return };
        let last = Extent { from: extent.to.saturating_sub(length(field)), to: extent.to };
        let is_device = matches!(&operand.kind, ExprKind::Ident(name) if name.as_ref() == DEVICE);
        let fields = [DRIVER, ATTRIBUTES, CAPACITY, MULTI];
        if is_device && !fields.contains(&field) {
            let meant = did_you_mean(field, fields);
            let message = match meant {
                Some(meant) => format!("a device has no field `{field}`, but `{meant}`"),
                None => format!("a device has no field `{field}`, only {}", quoted(&fields)),
            };
            self.add(last, message, meant.map(str::to_owned));
        }
        let Some(path) = self.path(operand).filter(|path| path.name.is_some()) else { return };
        let needless =
            matches!(field, "string" | "bool" | "int" | "version" | "stringValue" | "value");
        if needless {
            let dotted = Extent { from: last.from.saturating_sub(1), to: last.to };
            let what = path.map.singular();
            let message = format!("{what} values are used as they are, without `.{field}`");
            self.add(dotted, message, Some(String::new()));
        }
    }

    fn check_path(&mut self, expr: &Expr, path: &Path) {
        if self.published.devices == 0 {
            return;
        }
        if let Some(domain) = &path.domain {
            if let Some((domain_part, name)) = domain.text.split_once('/') {
                let repeated = path.name.as_ref().is_some_and(|known| known.text == name);
                let told = |extent: Extent| {
                    let covers = |hint: &Hint| hint.from <= extent.from && extent.to <= hint.to;
                    self.found.iter().any(covers)
                };
                if repeated || path.name.is_none() && !told(domain.extent) {
                    let all = self.ast.source.extent(expr.id).unwrap_or(domain.extent);
                    let map = path.map.field();
                    let text = format!("{DEVICE}.{map}[\"{domain_part}\"].{name}");
                    let message = format!(
                        "domain and name are two keys: first `{domain_part}`, then `{name}`"
                    );
                    self.add(all, message, Some(text));
                }
                return;
            }
            if path.name.is_none() {
                self.check_domain(path, domain);
                return;
            }
            if !self.published.domains().contains(domain.text.as_str()) {
                return;
            }
        }
        if let Some(name) = &path.name {
            self.check_name(expr, path, name);
        }
    }

    fn check_domain(&mut self, path: &Path, domain: &paths::Key) {
        let domains = self.published.domains();
        if domains.contains(domain.text.as_str()) {
            return;
        }
        let meant = did_you_mean(&domain.text, domains.iter().copied()).map(str::to_owned);
        let devices = self.published.devices;
        let message = if let Some(meant) = &meant {
            format!(
                "`{}` is a domain of 0 of {devices} devices, `{meant}` is one that they use",
                domain.text
            )
        } else {
            let known: Vec<_> = domains.into_iter().collect();
            format!(
                "`{}` is a domain of 0 of {devices} devices, they use {}",
                domain.text,
                quoted(&known)
            )
        };
        let _ = path;
        let replacement = meant.map(|meant| domain.rewritten(&meant));
        self.add(domain.extent, message, replacement);
    }

    fn check_name(&mut self, expr: &Expr, path: &Path, name: &paths::Key) {
        let devices = self.published.devices;
        let domain = path.domain.as_ref().map(|domain| domain.text.as_str());
        let count = self.published.count(path.map, domain, &name.text);
        if count == devices {
            return;
        }
        if count > 0 {
            self.check_guard(expr, path, name, count);
            return;
        }
        let other = path.map.other();
        let elsewhere = self.published.count(other, domain, &name.text);
        if elsewhere > 0 {
            let message = format!(
                "`{}` is {} of {elsewhere} of {devices} devices, not {}: use `{DEVICE}.{}`",
                name.text,
                other.article(),
                path.map.article(),
                other.field()
            );
            let whole = self.ast.source.extent(expr.id).unwrap_or(name.extent);
            let text = types::with_other_map(&self.text(whole), path.map);
            self.add(whole, message, text);
            return;
        }
        let names = self.published.names(path.map, domain);
        let meant = did_you_mean(&name.text, names.iter().copied()).map(str::to_owned);
        let message = match &meant {
            Some(meant) => {
                let known = self.published.count(path.map, domain, meant);
                format!("`{}` is on 0 of {devices} devices, `{meant}` on {known}", name.text)
            }
            None if names.is_empty() => format!("`{}` is on 0 of {devices} devices", name.text),
            None => {
                let known: Vec<_> = names.into_iter().take(8).collect();
                format!(
                    "`{}` is on 0 of {devices} devices, they publish {}",
                    name.text,
                    quoted(&known)
                )
            }
        };
        let replacement = meant.map(|meant| name.rewritten(&meant));
        self.add(name.extent, message, replacement);
    }

    /// A name that only some devices have fails on the others, unless it is asked for first.
    fn check_guard(&mut self, expr: &Expr, path: &Path, name: &paths::Key, count: usize) {
        if self.guarded.contains(&path.key()) || path.is_test {
            return;
        }
        let Some(extent) = self.ast.source.extent(expr.id) else { return };
        let devices = self.published.devices;
        let message = format!(
            "`{}` is on {count} of {devices} devices and an error on the others, which stops the \
             allocation",
            name.text
        );
        let text = self.text(extent);
        let default = match self.published.sample(path) {
            Some(Sample::Int) => Some("0"),
            Some(Sample::Bool) => Some("false"),
            Some(Sample::Text) => Some("\"\""),
            Some(Sample::List) => Some("[]"),
            Some(Sample::Quantity) => Some("quantity(\"0\")"),
            Some(Sample::Version) | None => None,
        };
        let prefix_length =
            extent.to.saturating_sub(extent.from).saturating_sub(length(&name.text) + 1);
        let prefix: String = text.chars().take(prefix_length as usize).collect();
        let replacement = default
            .filter(|_| name.is_field)
            .map(|default| format!("{prefix}.?{}.orValue({default})", name.text));
        let Extent { from, to } = extent;
        self.found.push(Hint { from, to, message, replacement, fails: true });
    }

    fn call(&mut self, expr: &Expr, call: &Call) {
        match (call.function.as_ref(), call.target.as_deref(), call.args.as_slice()) {
            ("_<_" | "_<=_" | "_>_" | "_>=_" | "_==_" | "_!=_", None, [left, right]) => {
                let operator = call.function.trim_matches('_');
                self.unknown_driver(left, right);
                if !self.literal_of_another_type(operator, left, right)
                    && !self.result_on_the_right(expr, operator, left, right)
                {
                    self.comparison(expr, &call.function, left, right);
                }
            }
            ("_[_]", None, [target, key]) => self.field_in_brackets(expr, target, key),
            ("@in", None, [element, list]) => self.version_in_constants(expr, element, list),
            (function, Some(_), _) if !function.starts_with('_') => {
                self.member_of_another_type(call);
                self.text_for_an_object(call);
                self.unknown_function(expr, call, function);
            }
            ("quantity" | "semver", None, [only]) => self.unread_constant(expr, only),
            (function, _, _) => self.unknown_function(expr, call, function),
        }
    }

    /// `device["driver"]`: fields are no keys.
    fn field_in_brackets(&mut self, expr: &Expr, target: &Expr, key: &Expr) {
        let is_device = matches!(&target.kind, ExprKind::Ident(name) if name.as_ref() == DEVICE);
        if let (true, ExprKind::Literal(Literal::String(field)), Some(extent)) =
            (is_device, &key.kind, self.ast.source.extent(expr.id))
        {
            let message = format!("a field of `{DEVICE}` stands after a dot");
            self.add(extent, message, Some(format!("{DEVICE}.{field}")));
        }
    }

    /// `device.driver` compared with a name that no device has.
    fn unknown_driver(&mut self, left: &Expr, right: &Expr) {
        let literal =
            [(left, right), (right, left)].into_iter().find_map(|(driver, other)| {
                match (&driver.kind, &other.kind) {
                    (
                        ExprKind::Select { operand, field, test_only: false },
                        ExprKind::Literal(Literal::String(name)),
                    ) if field.as_ref() == DRIVER
                        && matches!(&operand.kind, ExprKind::Ident(it) if it.as_ref() == DEVICE) =>
                    {
                        Some((other, name))
                    }
                    _ => None,
                }
            });
        let Some((literal, name)) = literal else { return };
        let Some(extent) = self.ast.source.extent(literal.id) else { return };
        let drivers = &self.published.drivers;
        if drivers.is_empty() || drivers.contains_key(name.as_ref()) {
            return;
        }
        let devices = self.published.devices;
        let known: Vec<&str> = drivers.keys().map(String::as_str).collect();
        let meant = did_you_mean(name, known.iter().copied());
        let message = match meant {
            Some(meant) => {
                let count = drivers.get(meant).copied().unwrap_or_default();
                format!("`{name}` is the driver of 0 of {devices} devices, `{meant}` of {count}")
            }
            None => format!(
                "`{name}` is the driver of 0 of {devices} devices, theirs is {}",
                quoted(&known)
            ),
        };
        let meant = meant.filter(|meant| !meant.contains(['\'', '"', '\\']));
        let replacement = meant.map(|meant| {
            let quote = if self.text(extent).ends_with('"') { '"' } else { '\'' };
            format!("{quote}{meant}{quote}")
        });
        self.add(extent, message, replacement);
    }

    fn unknown_function(&mut self, expr: &Expr, call: &Call, function: &str) {
        let plain = function.starts_with(|c: char| c.is_ascii_alphabetic());
        if !plain
            || self
                .env
                .function_names()
                .any(|known| known == function || known.rsplit('.').next() == Some(function))
        {
            return;
        }
        let Some(offset) = self.ast.source.offset(expr.id) else { return };
        let extent = Extent { from: offset.saturating_sub(length(function)), to: offset };
        if self.text(extent) != function {
            return;
        }
        let member = call.target.is_some();
        let names = self.env.function_names().filter(|name| {
            name.starts_with(|c: char| c.is_ascii_alphabetic()) && !(member && name.contains('.'))
        });
        let elsewhere =
            ELSEWHERE.iter().find(|(name, _)| *name == function).map(|(_, meant)| *meant);
        if let Some(meant) = elsewhere.or_else(|| did_you_mean(function, names.chain(MACROS))) {
            let message = format!("there is no function `{function}`, but `{meant}`");
            self.add(extent, message, Some(meant.to_owned()));
        }
    }
}

/// What other languages call these functions.
const ELSEWHERE: [(&str, &str); 9] = [
    ("hasPrefix", "startsWith"),
    ("hasSuffix", "endsWith"),
    ("len", "size"),
    ("length", "size"),
    ("lower", "lowerAscii"),
    ("toLower", "lowerAscii"),
    ("toLowerCase", "lowerAscii"),
    ("toUpper", "upperAscii"),
    ("toUpperCase", "upperAscii"),
];

/// Macros, which are no functions.
const MACROS: [&str; 12] = [
    "has",
    "all",
    "exists",
    "exists_one",
    "map",
    "filter",
    "existsOne",
    "optMap",
    "optFlatMap",
    "transformList",
    "transformMap",
    "sortBy",
];

fn length(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn quoted(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
