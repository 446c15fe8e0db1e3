//! Files in, analyses out.

use std::fs;
use std::io::{self, Read as _};

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::Analysis;

use crate::args::Args;

/// The text of a file, or of the standard input for `-`.
pub(crate) fn read(file: &str) -> Result<String, String> {
    let bytes = if file == "-" {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(file)
    };
    let bytes = bytes.map_err(|error| format!("{file}: {error}"))?;
    // The core says what is wrong with text that is none.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Analyzes one file.
pub(crate) fn analyze(file: &str, args: &Args) -> Result<Analysis, String> {
    Ok(Workspace::new().analyze(&read(file)?, &args.options))
}

/// The files of the command line.
pub(crate) fn files(args: &Args) -> Result<&[String], String> {
    if args.operands.is_empty() {
        Err(format!("`{}` needs a file", args.command))
    } else {
        Ok(&args.operands)
    }
}
