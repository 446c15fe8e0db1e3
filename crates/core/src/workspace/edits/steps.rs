use std::fmt::Write as _;

use crate::source::{LineIndex, Span};
use crate::yaml::Node;

use super::super::ranges::range;
use super::super::report::{Edit, ExtraStep, ObjectKey};
use super::outline::{Entry, Outline, append};

/// Writes a step that was made by a button into the text's Scenario document, which is added when
/// there is none. Nothing is changed when the object that is put back is not in the text.
pub fn write_step(text: &str, step: &ExtraStep) -> Vec<Edit> {
    let outline = Outline::of(text);
    let lines = LineIndex::new(text);
    let Some(operation) = Operation::of(text, &outline, step) else { return Vec::new() };
    let Some(scenario) = outline.entries.iter().find(|entry| entry.kind == "Scenario") else {
        let document = format!(
            "apiVersion: dra-playground/v1\nkind: Scenario\nmetadata:\n  name: scenario\nspec:\n  \
             steps:\n{}",
            operation.item(2)
        );
        return vec![append(text, &lines, &[document])];
    };
    let place = Place { text, lines: &lines };
    let edit = place.step_in_scenario(scenario, &operation);
    edit.into_iter().collect()
}

/// What a step does, ready to be written at any depth.
struct Operation {
    name: String,
    key: &'static str,
    /// Lines of the value without indentation; one line stands beside the key.
    value: Vec<String>,
}

impl Operation {
    fn of(text: &str, outline: &Outline, step: &ExtraStep) -> Option<Self> {
        match step {
            ExtraStep::Delete(object) => Some(Self {
                name: format!("{} deleted", object.name),
                key: "delete",
                value: vec![flow_key(object)],
            }),
            ExtraStep::PutBack(object) => {
                let entry = outline.find(object)?;
                Some(Self {
                    name: format!("{} put back", object.name),
                    key: "apply",
                    value: block_lines(text, entry.root.span),
                })
            }
        }
    }

    /// The step as an item of a block list whose dash stands at a column.
    fn item(&self, column: usize) -> String {
        let pad = " ".repeat(column);
        let mut out = format!("{pad}- name: {}\n{pad}  {}:", self.name, self.key);
        if let [line] = self.value.as_slice() {
            let _ = writeln!(out, " {line}");
            return out;
        }
        out.push('\n');
        for line in &self.value {
            if line.is_empty() {
                out.push('\n');
            } else {
                let _ = writeln!(out, "{pad}    {line}");
            }
        }
        out
    }
}

/// `{kind: Pod, namespace: default, name: pod1}`.
fn flow_key(object: &ObjectKey) -> String {
    if object.namespace.is_empty() {
        format!("{{kind: {}, name: {}}}", object.kind, object.name)
    } else {
        format!("{{kind: {}, namespace: {}, name: {}}}", object.kind, object.namespace, object.name)
    }
}

/// The lines of a node, without the indentation that its place gives them.
fn block_lines(text: &str, span: Span) -> Vec<String> {
    let start = span.start as usize;
    let line_start = text.get(..start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    let column = start - line_start;
    let mut lines = span.text(text).trim_end().lines();
    let mut out: Vec<String> = lines.next().into_iter().map(str::to_owned).collect();
    for line in lines {
        let blank = line.chars().take(column).all(|c| c == ' ');
        let line =
            if blank { line.get(column.min(line.len())..).unwrap_or_default() } else { line };
        out.push(line.trim_end().to_owned());
    }
    out
}

struct Place<'a> {
    text: &'a str,
    lines: &'a LineIndex,
}

impl Place<'_> {
    /// The edit that adds a step to a scenario; `None` when its layout leaves no room for one.
    fn step_in_scenario(&self, scenario: &Entry, operation: &Operation) -> Option<Edit> {
        let root = &scenario.root;
        if self.is_flow(root) {
            return self.step_in_flow(root, operation);
        }
        let Some(spec) = root.get("spec") else {
            let end = self.line_end(root.span);
            return Some(self.insert(end, format!("spec:\n  steps:\n{}", operation.item(2))));
        };
        if spec.entries().is_none_or(<[_]>::is_empty) {
            let body = format!("\n  steps:\n{}", operation.item(2));
            return Some(self.replace(spec.span, body.trim_end().to_owned()));
        }
        if self.is_flow(spec) {
            return self.step_in_flow_spec(spec, operation);
        }
        let Some((key, steps)) = spec.entry("steps") else {
            let column = spec.entries()?.first().map(|(key, _)| self.column(key.span.start))?;
            let end = self.line_end(spec.span);
            let pad = " ".repeat(column);
            return Some(self.insert(end, format!("{pad}steps:\n{}", operation.item(column))));
        };
        let column = self.column(key.span.start);
        match steps.items() {
            None | Some([]) => {
                let body = format!("\n{}", operation.item(column));
                Some(self.replace(steps.span, body.trim_end().to_owned()))
            }
            Some(_) if self.is_flow(steps) => self.before_closing(steps, &flow_item(operation)),
            Some([.., last]) => {
                let dash = self.dash_column(last)?;
                Some(self.insert(self.line_end(last.span), operation.item(dash)))
            }
        }
    }

    /// A scenario that is written as JSON.
    fn step_in_flow(&self, root: &Node, operation: &Operation) -> Option<Edit> {
        match root.get("spec") {
            Some(spec) => self.step_in_flow_spec(spec, operation),
            None => self.before_closing(
                root,
                &format!("\"spec\": {{\"steps\": [{}]}}", flow_item(operation)),
            ),
        }
    }

    fn step_in_flow_spec(&self, spec: &Node, operation: &Operation) -> Option<Edit> {
        match spec.get("steps") {
            Some(steps) => self.before_closing(steps, &flow_item(operation)),
            None => self.before_closing(spec, &format!("\"steps\": [{}]", flow_item(operation))),
        }
    }

    /// Adds a member to a flow collection.
    fn before_closing(&self, node: &Node, member: &str) -> Option<Edit> {
        let inside = node.span.text(self.text);
        let closing = node.span.start as usize + inside.rfind([']', '}'])?;
        let is_empty = node.items().is_some_and(<[_]>::is_empty)
            || node.entries().is_some_and(<[_]>::is_empty);
        let comma = if is_empty { "" } else { ", " };
        Some(self.insert(closing, format!("{comma}{member}")))
    }

    fn is_flow(&self, node: &Node) -> bool {
        // A block list begins where its first item does, which may be a flow map.
        let opening = if node.items().is_some() { '[' } else { '{' };
        node.span.text(self.text).starts_with(opening)
    }

    /// The column of the dash of a block list's item.
    fn dash_column(&self, item: &Node) -> Option<usize> {
        let start = item.span.start as usize;
        let before = self.text.get(..start)?;
        let line = before.get(before.rfind('\n').map_or(0, |at| at + 1)..)?;
        line.rfind('-')
    }

    fn column(&self, offset: u32) -> usize {
        self.lines.line_column(offset).column as usize
    }

    /// The start of the line after the last line of a span.
    fn line_end(&self, span: Span) -> usize {
        let end = span.end as usize;
        let content = self.text.get(..end).unwrap_or_default().trim_end().len();
        let rest = self.text.get(content..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |at| content + at + 1)
    }

    fn insert(&self, at: usize, text: String) -> Edit {
        let needs_break =
            at > 0 && !self.text.get(..at).is_some_and(|before| before.ends_with('\n'));
        let is_line = text.ends_with('\n');
        let text = if needs_break && is_line { format!("\n{text}") } else { text };
        Edit { range: range(self.lines, Span::at(at)), text }
    }

    fn replace(&self, span: Span, text: String) -> Edit {
        Edit { range: range(self.lines, span), text }
    }
}

/// A step as a member of a flow list.
fn flow_item(operation: &Operation) -> String {
    let value = operation.value.join("\n");
    format!("{{\"name\": \"{}\", \"{}\": {value}}}", operation.name, operation.key)
}
