//! Files in, analyses out.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use dra_playground_core::workspace::report::Analysis;
use dra_playground_core::workspace::{self, Workspace};

use crate::args::Args;

/// The text of a file, or of the standard input for `-`.
pub(crate) fn read(file: &str) -> Result<String, String> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else if Path::new(file).is_dir() {
        return Err(format!("{file} is a folder; name files in it, e.g. {file}/*.yaml"));
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|error| format!("{file}: {error}"))?;
    Ok(workspace::text_of(&bytes))
}

/// Analyzes one file.
pub(crate) fn analyze(file: &str, args: &Args) -> Result<Analysis, String> {
    let analysis = Workspace::new().analyze(&read(file)?, &args.options);
    step_exists(&analysis, args)?;
    Ok(analysis)
}

/// Refuses a step that the file does not have.
pub(crate) fn step_exists(analysis: &Analysis, args: &Args) -> Result<(), String> {
    match args.options.step {
        Some(step) if step >= analysis.steps.len() => {
            let known = analysis.steps.iter().enumerate();
            let known = known.map(|(index, step)| format!("{index} ({})", step.name));
            Err(unknown("step", &step.to_string(), known))
        }
        _ => Ok(()),
    }
}

/// There is no such thing, but these.
pub(crate) fn unknown(what: &str, wanted: &str, known: impl IntoIterator<Item = String>) -> String {
    let known: Vec<String> = known.into_iter().collect();
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    format!("there is no {what} `{wanted}`; there are: {known}")
}

/// The files of the command line.
pub(crate) fn files(args: &Args) -> Result<&[String], String> {
    if args.operands.is_empty() {
        Err(format!("`{}` needs a file", args.command))
    } else {
        Ok(&args.operands)
    }
}
