//! A selector set in type: its text in lines, with the value of each part below its bracket.

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{TraceColumn, TracePart, TraceTable};

/// What an evaluation made of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// `true`.
    True,
    /// `false`.
    False,
    /// Another value.
    Value,
    /// An error.
    Error,
    /// Never evaluated, because an earlier part decided.
    Skipped,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    /// Plain text.
    Text(String),
    /// A part with its value.
    Part {
        /// Its pieces.
        inside: Vec<Node>,
        /// Value, error text or reason.
        value: String,
        /// What it is.
        outcome: Outcome,
    },
}

/// A row of the trace table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Text of the part.
    pub(crate) text: String,
    /// How deep it is nested among the parts shown.
    pub(crate) depth: usize,
    /// For each column its value.
    pub(crate) values: Vec<(String, Outcome)>,
}

/// One element of a comprehension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    /// Indexes of the element and of those around it, from 0, outermost first.
    pub(crate) index: Vec<u32>,
    /// Values of the parts inside, in text order: text, value, outcome.
    pub(crate) values: Vec<(String, String, Outcome)>,
}

impl Turn {
    /// `2`, or `2.1` inside another loop, from 1.
    pub(crate) fn label(&self) -> String {
        let numbers: Vec<_> = self.index.iter().map(|it| (it + 1).to_string()).collect();
        numbers.join(".")
    }
}

struct Shown {
    from: usize,
    to: usize,
    id: u64,
    value: String,
    outcome: Outcome,
}

fn slice(units: &[u16], from: usize, to: usize) -> String {
    String::from_utf16_lossy(units.get(from..to.min(units.len())).unwrap_or_default())
}

fn outcome_of(outcome: &str, text: &str) -> Outcome {
    match (outcome, text) {
        ("error", _) => Outcome::Error,
        ("skipped", _) => Outcome::Skipped,
        (_, "true") => Outcome::True,
        (_, "false") => Outcome::False,
        _ => Outcome::Value,
    }
}

/// The value of a part outside of comprehension elements; a folded constant has none.
fn value_of(column: &TraceColumn, id: u64) -> Option<(String, Outcome)> {
    let mut events = column.events.iter().rev().filter(|event| event.outcome != "folded");
    let event = events.find(|event| event.id == id && event.iteration.is_empty())?;
    Some((event.text.clone(), outcome_of(&event.outcome, &event.text)))
}

/// Values that only repeat the text, or are whole maps, are not worth a bracket.
fn is_telling(text: &str, kind: &str, value: &str) -> bool {
    let literal = text == value
        || text.starts_with(['"', '\''])
        || text.starts_with(|c: char| c.is_ascii_digit())
        || text.starts_with('[') && text.ends_with(']');
    let whole = text == "device" || kind.starts_with("map(") || value.starts_with('{');
    !literal && !whole && !kind.contains("DRADevice")
}

fn shown(table: &TraceTable, units: &[u16], column: &TraceColumn) -> Vec<Shown> {
    let mut parts: Vec<&TracePart> = table
        .parts
        .iter()
        .filter(|part| part.from < part.to && part.to as usize <= units.len())
        .collect();
    parts.order_by_key(|part| (part.from, std::cmp::Reverse(part.to), part.depth));
    let mut out: Vec<Shown> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for part in parts {
        let (from, to) = (part.from as usize, part.to as usize);
        let Some((value, outcome)) = value_of(column, part.id) else { continue };
        if !is_telling(&slice(units, from, to), &part.kind, &value) {
            continue;
        }
        while open.last().is_some_and(|end| *end <= from) {
            open.pop();
        }
        let overlaps = open.last().is_some_and(|end| to > *end);
        let repeats = out.last().is_some_and(|last| last.from == from && last.to == to);
        // Inside a part that was never reached nothing more is to be said.
        let silent =
            out.iter().any(|it| it.outcome == Outcome::Skipped && it.from <= from && to <= it.to);
        if overlaps || repeats || silent {
            continue;
        }
        open.push(to);
        out.push(Shown { from, to, id: part.id, value, outcome });
    }
    out
}

/// The expression as lines of nodes, with the values of one evaluation.
pub(crate) fn lines(table: &TraceTable, column: &TraceColumn) -> Vec<Vec<Node>> {
    let units: Vec<u16> = table.expression.encode_utf16().collect();
    let parts = shown(table, &units, column);
    let mut lines: Vec<Vec<Node>> = Vec::new();
    for (from, to) in split(&table.expression) {
        // A part that spans several lines is told by the table and by the answer.
        let inside: Vec<&Shown> =
            parts.iter().filter(|part| part.from >= from && part.to <= to).collect();
        let mut rest = inside.as_slice();
        lines.push(build(&units, from, to, &mut rest));
    }
    lines
}

fn build(units: &[u16], from: usize, to: usize, parts: &mut &[&Shown]) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut at = from;
    while let Some((part, rest)) = parts.split_first() {
        if part.from >= to {
            break;
        }
        *parts = rest;
        if part.from > at {
            nodes.push(Node::Text(slice(units, at, part.from)));
        }
        let inside = build(units, part.from, part.to, parts);
        nodes.push(Node::Part { inside, value: part.value.clone(), outcome: part.outcome });
        at = part.to;
    }
    if at < to {
        nodes.push(Node::Text(slice(units, at, to)));
    }
    nodes
}

/// Breaks an expression after each `&&` and `||` outside of brackets and strings; UTF-16 ranges.
fn split(expression: &str) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let (mut start, mut at, mut depth) = (0, 0, 0_usize);
    let mut quote: Option<char> = None;
    let mut previous = ' ';
    for letter in expression.chars() {
        at += letter.len_utf16();
        match (quote, letter) {
            (Some(open), letter) if letter == open && previous != '\\' => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '&' | '|') if previous == letter && depth == 0 => {
                out.push((start, at));
                start = at;
            }
            _ => {}
        }
        previous = letter;
    }
    out.push((start, at));
    let units: Vec<u16> = expression.encode_utf16().collect();
    let is_space = |at: usize| {
        units
            .get(at)
            .is_some_and(|unit| char::from_u32(u32::from(*unit)).is_some_and(char::is_whitespace))
    };
    for (from, to) in &mut out {
        while *from < *to && is_space(*from) {
            *from += 1;
        }
        while *to > *from && is_space(*to - 1) {
            *to -= 1;
        }
    }
    out.retain(|(from, to)| from < to);
    out
}

/// The table of parts and columns; rows follow the parts that any column finds telling.
pub(crate) fn rows(table: &TraceTable) -> Vec<Row> {
    let units: Vec<u16> = table.expression.encode_utf16().collect();
    let mut spans: Vec<(usize, usize, u64)> = Vec::new();
    for column in &table.columns {
        for part in shown(table, &units, column) {
            if !spans.iter().any(|(.., id)| *id == part.id) {
                spans.push((part.from, part.to, part.id));
            }
        }
    }
    spans.order_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to)));
    let depth = |from: usize, to: usize| {
        spans.iter().filter(|(a, b, _)| *a <= from && to <= *b && (*a, *b) != (from, to)).count()
    };
    spans
        .iter()
        .map(|(from, to, id)| Row {
            text: slice(&units, *from, *to),
            depth: depth(*from, *to),
            values: table
                .columns
                .iter()
                .map(|column| value_of(column, *id).unwrap_or((String::new(), Outcome::Skipped)))
                .collect(),
        })
        .collect()
}

/// The elements of the comprehensions of one evaluation, with the values inside.
pub(crate) fn turns(table: &TraceTable, column: &TraceColumn) -> Vec<Turn> {
    let units: Vec<u16> = table.expression.encode_utf16().collect();
    let mut out: Vec<Turn> = Vec::new();
    for event in column.events.iter().filter(|event| !event.iteration.is_empty()) {
        let index = &event.iteration;
        let Some(part) = table.parts.iter().find(|part| part.id == event.id) else { continue };
        let text = slice(&units, part.from as usize, part.to as usize);
        if text.is_empty() || !is_telling(&text, &part.kind, &event.text) {
            continue;
        }
        let value = (text, event.text.clone(), outcome_of(&event.outcome, &event.text));
        match out.iter_mut().find(|turn| turn.index == *index) {
            Some(turn) if turn.values.contains(&value) => {}
            Some(turn) => turn.values.push(value),
            None => out.push(Turn { index: index.clone(), values: vec![value] }),
        }
    }
    out.order_by(|a, b| a.index.cmp(&b.index));
    out
}

#[cfg(test)]
mod tests {
    use dra_playground_core::workspace::report::TraceEvent;

    use super::*;

    fn part(id: u64, from: u32, to: u32, depth: u32, kind: &str) -> TracePart {
        TracePart { id, from, to, depth, kind: kind.to_owned() }
    }

    fn event(id: u64, text: &str) -> TraceEvent {
        TraceEvent { id, text: text.to_owned(), outcome: "value".to_owned(), ..Default::default() }
    }

    fn flat(nodes: &[Node]) -> String {
        nodes
            .iter()
            .map(|node| match node {
                Node::Text(text) => text.clone(),
                Node::Part { inside, value, .. } => format!("[{}={value}]", flat(inside)),
            })
            .collect()
    }

    #[test]
    fn parts_nest_and_lines_break_after_operators() {
        let table = TraceTable {
            expression: "device.a == 7 && has(device.b)".to_owned(),
            parts: vec![
                part(1, 0, 30, 0, "bool"),
                part(2, 0, 13, 1, "bool"),
                part(3, 0, 8, 2, "int"),
                part(4, 0, 6, 3, "DRADevice"),
                part(5, 12, 13, 2, "int"),
                part(6, 17, 30, 1, "bool"),
            ],
            ..Default::default()
        };
        let column = TraceColumn {
            events: vec![
                event(4, "x"),
                event(3, "7"),
                event(5, "7"),
                event(2, "true"),
                event(6, "false"),
                event(1, "false"),
            ],
            ..Default::default()
        };
        let lines = lines(&table, &column);
        let flat: Vec<String> = lines.iter().map(|line| flat(line)).collect();
        assert_eq!(flat, ["[[device.a=7] == 7=true] &&", "[has(device.b)=false]"]);
        let table = TraceTable { columns: vec![column], ..table };
        let rows: Vec<(String, usize)> =
            rows(&table).into_iter().map(|r| (r.text, r.depth)).collect();
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[1], ("device.a == 7".to_owned(), 1));
    }

    #[test]
    fn operators_in_strings_and_brackets_do_not_break() {
        assert_eq!(split("a.exists(x, x && y)").len(), 1);
        assert_eq!(split("\"a && b\" == c || d").len(), 2);
    }
}
