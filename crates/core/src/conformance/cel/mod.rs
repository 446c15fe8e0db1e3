//! Records of CEL expressions on devices.

mod record;
mod spec;
#[cfg(test)]
mod tests;
mod trace;

use serde_json::Value as Json;

use super::{Difference, Verdict};
use crate::features::CelSwitches;
use crate::selector::{Answer, DeviceInput, Refusal, Selectors};
use record::Record;

/// Environments that were built, for the records that follow.
#[derive(Debug, Default)]
pub struct Memory {
    selectors: Vec<(CelSwitches, u64, Selectors)>,
}

impl Memory {
    fn selectors(&mut self, switches: CelSwitches, limit: u64) -> Option<&Selectors> {
        let known = self.selectors.iter().position(|(s, l, _)| *s == switches && *l == limit);
        let index = known.unwrap_or_else(|| {
            let selectors = Selectors::with_cost_limit(&switches, limit);
            self.selectors.push((switches, limit, selectors));
            self.selectors.len() - 1
        });
        self.selectors.get(index).map(|(_, _, selectors)| selectors)
    }
}

/// Our answer in the words of a record; what a record does not tell is none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Told {
    compile_error: Option<String>,
    output_type: Option<String>,
    max_cost: Option<u64>,
    result: Option<String>,
    error: Option<String>,
    cost: Option<u64>,
}

/// How `%e` wrote a power of ten in the programs that answered the first records: they were linked
/// with a `golang.org/x/text` older than the one of every release that is offered (0.33.0 in 1.36.2,
/// later ones in the others), which writes `×` without spaces.
const OLD_POWERS: [&str; 3] = ["\u{202f}×\u{202f}", "\\\\u202f×\\\\u202f", "\\u202f\\u00d7\\u202f"];

/// Compares a record; none when it is no record of CEL.
pub fn compare(line: &str, memory: &mut Memory) -> Option<Verdict> {
    let line = OLD_POWERS.iter().fold(line.to_owned(), |line, old| line.replace(old, "×"));
    let json = serde_json::from_str::<Json>(&line).ok()?;
    if json.get("k8s").is_some() {
        return Some(spec::compare(&json));
    }
    let record = Record::read(&json)?;
    let selectors = memory.selectors(record.switches, record.cost_limit)?;
    let found = answer(selectors, &record, record.new);
    let mut difference = differ(&record, &record.expected, found);
    if let (None, Some(expected)) = (&difference, &record.expected_new) {
        difference = differ(&record, expected, answer(selectors, &record, true));
    }
    if difference.is_none() && !record.trace.is_empty() && !record.new {
        let compiled = selectors.compile(&record.expression);
        difference = trace::differ(&record, &compiled, &compiled.trace(&input(&record)));
    }
    Some(difference.map_or(Verdict::Equal, Verdict::Different))
}

fn differ(record: &Record, expected: &Told, mut found: Told) -> Option<Difference> {
    let mut expected = expected.clone();
    if expected.cost.is_none() {
        found.cost = None;
    }
    if expected.max_cost.is_none() {
        found.max_cost = None;
    }
    if expected.result.is_none() && expected.error.is_none() {
        // Some records tell only what compiling gives.
        found.result = None;
        found.error = None;
    }
    if record.is_syntax {
        // The place and kind of syntax errors are compared, their sets of tokens are not.
        expected.compile_error = expected.compile_error.map(|text| record::shape(&text));
        found.compile_error = found.compile_error.map(|text| record::shape(&text));
    }
    if expected == found {
        return None;
    }
    Some(Difference {
        name: record.name.clone(),
        expected: format!("{expected:?}"),
        found: format!("{found:?} for {}", record.expression),
    })
}

fn answer(selectors: &Selectors, record: &Record, new: bool) -> Told {
    if new {
        return answer_new(selectors, record);
    }
    let compiled = selectors.compile(&record.expression);
    if let Some(error) = compiled.error() {
        return Told { compile_error: Some(error.to_owned()), ..Told::default() };
    }
    let answer = compiled.answer(&input(record));
    told(&answer, compiled.output_type(), compiled.max_cost())
}

fn answer_new(selectors: &Selectors, record: &Record) -> Told {
    let admission = selectors.admission(&record.expression);
    match &admission.refusal {
        Some(Refusal::Invalid { detail, .. }) => {
            return Told { compile_error: Some(detail.clone()), ..Told::default() };
        }
        Some(Refusal::TooLong) => {
            return Told { compile_error: Some("too long".to_owned()), ..Told::default() };
        }
        Some(Refusal::TooComplex) | None => {}
    }
    let Some(compiled) = selectors.compile_new(&record.expression) else { return Told::default() };
    let answer = compiled.answer(&input(record));
    told(&answer, compiled.output_type(), admission.max_cost)
}

fn input(record: &Record) -> DeviceInput<'_> {
    DeviceInput {
        driver: &record.driver,
        attributes: &record.attributes,
        capacity: &record.capacity,
        allow_multiple_allocations: record.multi,
    }
}

fn told(answer: &Answer, output_type: Option<String>, max_cost: Option<u64>) -> Told {
    let mut told = Told { output_type, max_cost, cost: Some(answer.cost), ..Told::default() };
    match &answer.result {
        Ok(value) => told.result = Some(value.to_string()),
        Err(error) => told.error = Some(record::without_hint(error)),
    }
    told
}
