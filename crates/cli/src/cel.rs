//! `cel`: one expression, checked, and evaluated on a device with every sub-expression.

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Answer, Query, TraceEvent, TraceTable};

use crate::args::Args;
use crate::{Findings, files, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let [expression] = args.operands.as_slice() else {
        return Err("cel needs one expression".to_owned());
    };
    let mut workspace = Workspace::new();
    let (text, device) = match &args.device {
        Some(place) => {
            let (file, device) =
                place.rsplit_once('#').ok_or("--device must be of the form FILE#DEVICE")?;
            (files::read(file)?, Some(device))
        }
        None => (String::new(), None),
    };
    let analysis = workspace.analyze(&text, &args.options);
    files::step_exists(&analysis, args)?;
    let mut devices = Vec::new();
    if let Some(wanted) = device {
        devices = analysis
            .snapshot
            .devices
            .iter()
            .enumerate()
            .filter(|(_, view)| {
                let key = &view.device;
                key.device == wanted
                    || format!("{}/{}/{}", key.driver, key.pool, key.device) == wanted
            })
            .map(|(index, _)| index)
            .collect();
        if devices.is_empty() {
            let known = analysis.snapshot.devices.iter().map(|view| view.device.device.clone());
            return Err(files::unknown("device", wanted, known));
        }
    }
    let query = Query::Trace { expression: expression.clone(), devices };
    let Answer::Trace(table) = workspace.query(&query) else {
        return Err("the analysis is gone".to_owned());
    };
    let failed = table.compile_error.is_some()
        || table.columns.iter().any(|column| column.answer == "error");
    if !output::data(args.format, &table)? {
        print(expression, &table);
    }
    Ok(Findings::when(failed))
}

fn print(expression: &str, table: &TraceTable) {
    let limit = table.cost_limit;
    let cost = table
        .max_cost
        .map_or_else(String::new, |cost| format!(", worst-case cost {cost} of {limit}"));
    match &table.admission_error {
        None => output::line(&format!("API server (new expression): accepted{cost}")),
        Some(error) => {
            output::line(&format!("API server (new expression): refused{cost}"));
            output::line(&indented(error));
        }
    }
    match &table.compile_error {
        None => output::line("scheduler (stored expression): evaluates it"),
        Some(error) => {
            output::line("scheduler (stored expression): CEL compile error");
            // Both mostly say the same.
            if table.admission_error.as_ref().is_none_or(|other| !other.ends_with(error.as_str())) {
                output::line(&indented(error));
            }
        }
    }
    for hint in &table.hints {
        output::line(&format!("hint: {}", hint.message));
        if let Some(text) = &hint.replacement {
            let part = utf16_range(expression, hint.from, hint.to);
            let advice = if text.is_empty() {
                format!("  remove `{part}`")
            } else {
                format!("  write `{text}` for `{part}`")
            };
            output::line(&advice);
        }
    }
    for column in &table.columns {
        let error = column.error.as_deref().unwrap_or_default();
        output::line(&format!("{} {error} (cost {} of {limit})", column.answer, column.cost));
        for part in &table.parts {
            let indent = "  ".repeat(part.depth as usize + 1);
            let source = utf16_range(expression, part.from, part.to);
            let events = column.events.iter().filter(|event| event.id == part.id);
            let values: Vec<String> = events.map(told).collect();
            output::line(&format!("{indent}{source}  =>  {}", values.join(" | ")));
        }
    }
}

/// A value, or why there is none; with the elements of the loops that it belongs to.
fn told(event: &TraceEvent) -> String {
    let text = match event.outcome.as_str() {
        "error" => format!("error: {}", event.text),
        "skipped" => format!("not reached: {}", event.text),
        _ => event.text.clone(),
    };
    if event.iteration.is_empty() {
        return text;
    }
    let place: Vec<_> = event.iteration.iter().map(|index| (index + 1).to_string()).collect();
    format!("{}. {text}", place.join("."))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// Part of a text by offsets in UTF-16 units.
fn utf16_range(text: &str, from: u32, to: u32) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let range = units.get(from as usize..to as usize).unwrap_or_default();
    String::from_utf16_lossy(range).split_whitespace().collect::<Vec<_>>().join(" ")
}
