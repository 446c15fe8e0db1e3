//! Compiling selectors and evaluating them on one device.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::PathBuf;

use dra_playground_core::api::{DeviceAttribute, DeviceCapacity};
use dra_playground_core::apimachinery::Entries;
use dra_playground_core::features::{CelSwitches, Release as CoreRelease};
use dra_playground_core::selector::{DeviceInput, Selectors};
use serde_json::{Value, json};

use super::{Row, ask, measure, median, table, time};
use crate::process::Session;
use crate::release::Release;

/// Times on each expression of the list; the summary takes the median over the list.
pub(super) fn run(release: Release) -> io::Result<String> {
    let kubernetes = CoreRelease::parse(release.name).map_err(|_| unknown(release))?;
    let switches = CelSwitches::new(kubernetes, false, true, true);
    let selectors = Selectors::new(&switches);
    let mut session = Session::start(release)?;
    let (mut compile, mut evaluate) = (Vec::new(), Vec::new());
    let mut without = 0;
    for expression in expressions()? {
        if selectors.compile(&expression).error().is_some() {
            without += 1;
            continue;
        }
        let device = Device::for_expression(&expression);
        let real = ask(&mut session, &device.record(&expression))?;
        let nanoseconds = |key: &str| real.get(key).and_then(Value::as_f64).unwrap_or(f64::NAN);
        let row = |real: f64, ours: f64| Row { name: expression.clone(), real, ours };
        // Kubernetes' compiler estimates the cost as well.
        let ours = measure(|| selectors.compile_anew(&expression).max_cost());
        compile.push(row(nanoseconds("compile"), ours));
        // Both begin with the device as the API has it, and make a value of it every time.
        let compiled = selectors.compile(&expression);
        let ours = measure(|| compiled.matches(&device.input()));
        evaluate.push(row(nanoseconds("evaluate"), ours));
    }
    Ok(section(release, &compile, &evaluate, without))
}

fn unknown(release: Release) -> io::Error {
    io::Error::other(format!("the core does not know {}", release.name))
}

fn section(release: Release, compile: &[Row], evaluate: &[Row], without: usize) -> String {
    let mut out = format!(
        "## CEL selectors beside Kubernetes {}\n\n{} expressions of public manifests, median over \
         the list; {without} more do not compile and are left out.\n\n",
        release.name,
        compile.len(),
    );
    let parts = [("compile, with the cost estimate", compile), ("evaluate on a device", evaluate)];
    let summary = parts.map(|(name, rows)| Row {
        name: name.to_owned(),
        real: middle(rows, |row| row.real),
        ours: middle(rows, |row| row.ours),
    });
    out.push_str(&table(&summary));
    for (name, rows) in parts {
        let ratio = middle(rows, Row::ratio);
        // Writing into a string cannot fail.
        let _ = write!(out, "Times faster to {name}: median {ratio:.1}");
        if let Some(least) = rows.iter().min_by(|a, b| a.ratio().total_cmp(&b.ratio())) {
            let _ = writeln!(
                out,
                ", least {:.1} ({} against {}) for `{}`.\n",
                least.ratio(),
                time(least.real),
                time(least.ours),
                least.name.replace('\n', " "),
            );
        }
    }
    out
}

fn middle(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    median(&mut rows.iter().map(of).collect::<Vec<_>>())
}

/// The first column of the list of real expressions.
fn expressions() -> io::Result<Vec<String>> {
    let folder = env::var_os("DRA_PLAYGROUND_CASES")
        .ok_or_else(|| io::Error::other("DRA_PLAYGROUND_CASES must say where the cases are"))?;
    let text = fs::read_to_string(PathBuf::from(folder).join("manifests/cel-expressions.tsv"))?;
    let lines = text.lines().skip(1).filter_map(|line| line.split('\t').next());
    Ok(lines.map(|line| line.replace("\\n", "\n")).collect())
}

/// A device that publishes what an expression asks for.
struct Device {
    driver: String,
    attributes: Entries<DeviceAttribute>,
    capacity: Entries<DeviceCapacity>,
}

impl Device {
    fn for_expression(expression: &str) -> Self {
        let mut device = Self {
            driver: after(expression, "device.driver ==").unwrap_or_default(),
            attributes: Entries::default(),
            capacity: Entries::default(),
        };
        for part in expression.split("device.").skip(1) {
            let Some((map, rest)) = part.split_once('[') else { continue };
            let Some((domain, rest)) = quoted(rest) else { continue };
            let rest = rest.trim_start_matches(']');
            let name = |text: &str| -> Option<(String, String)> {
                if let Some(index) = text.strip_prefix('[') {
                    return quoted(index).map(|(name, rest)| (name.into(), rest.into()));
                }
                let text = text.strip_prefix('.')?;
                let end = text.find(|c: char| !c.is_alphanumeric() && c != '_');
                let (name, rest) = text.split_at(end.unwrap_or(text.len()));
                Some((name.into(), rest.into()))
            };
            let Some((name, rest)) = name(rest) else { continue };
            let full = format!("{domain}/{name}");
            match map {
                "attributes" if !device.attributes.contains_key(&full) => {
                    device.attributes.insert(full, attribute(&rest));
                }
                "capacity" => {
                    if let Ok(value) = "40Gi".parse() {
                        let capacity = DeviceCapacity { value, request_policy: None };
                        device.capacity.insert(full, capacity);
                    }
                }
                _ => {}
            }
        }
        device
    }

    fn input(&self) -> DeviceInput<'_> {
        DeviceInput {
            driver: &self.driver,
            attributes: &self.attributes,
            capacity: &self.capacity,
            allow_multiple_allocations: Some(false),
        }
    }

    /// The record that the Go program measures.
    fn record(&self, expression: &str) -> Value {
        let attributes: serde_json::Map<_, _> = self
            .attributes
            .iter()
            .map(|(name, value)| {
                let json = match value {
                    DeviceAttribute { int: Some(value), .. } => json!({"int": value}),
                    DeviceAttribute { bool: Some(value), .. } => json!({"bool": value}),
                    DeviceAttribute { version: Some(value), .. } => json!({"version": value}),
                    other => json!({"string": other.string}),
                };
                (name.clone(), json)
            })
            .collect();
        let capacity: serde_json::Map<_, _> =
            self.capacity.keys().map(|name| (name.clone(), json!("40Gi"))).collect();
        json!({
            "bench": "cel", "expr": expression, "driver": self.driver,
            "attrs": attributes, "caps": capacity,
        })
    }
}

/// An attribute of the kind that the text after its name asks for.
fn attribute(rest: &str) -> DeviceAttribute {
    let mut attribute = DeviceAttribute::default();
    let rest = rest.trim_start_matches([']', ' ', '\n', ')']);
    let operand = rest.trim_start_matches(['=', '<', '>', '!', ' ']);
    if operand.starts_with(|c: char| c.is_ascii_digit()) {
        attribute.int = Some(0);
    } else if rest.contains("semver(") && rest.starts_with('.') {
        attribute.version = Some("550.54.15".to_owned());
    } else if let Some((text, _)) = quoted(operand) {
        attribute.string = Some(text.to_owned());
    } else if rest.starts_with('.') || rest.starts_with("in ") {
        attribute.string = Some("NVIDIA A100-SXM4-80GB".to_owned());
    } else {
        attribute.bool = Some(true);
    }
    attribute
}

/// The quoted text that follows a marker.
fn after(text: &str, marker: &str) -> Option<String> {
    let (_, rest) = text.split_once(marker)?;
    quoted(rest.trim_start()).map(|(text, _)| text.to_owned())
}

/// A quoted text at the start, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    text.strip_prefix(quote)?.split_once(quote)
}
