//! The files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// Endings of files that can hold objects, templates included: those are told from plain text.
const ENDINGS: [&str; 6] = ["yaml", "yml", "json", "txt", "tpl", "tmpl"];

/// Folders inside folders that are looked into; a link can lead back to where it stands.
const DEPTH: usize = 32;

/// The files that a word of the command line stands for: itself, or those below a folder by name.
pub(crate) fn expand(operand: &str) -> Result<Vec<String>, String> {
    let path = Path::new(operand);
    if operand == "-" || !path.is_dir() {
        return Ok(vec![operand.to_owned()]);
    }
    let mut found = Vec::new();
    walk(path, DEPTH, &mut found)?;
    if found.is_empty() {
        return Err(format!("{operand} has no file that ends in .{}", ENDINGS.join(", .")));
    }
    found.sort();
    Ok(found.iter().map(|path| path.to_string_lossy().into_owned()).collect())
}

fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    let told = |error| format!("{}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let is_hidden =
            path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if is_hidden {
            continue;
        }
        if path.is_dir() {
            if depth > 0 {
                walk(&path, depth - 1, found)?;
            }
        } else if ENDINGS.contains(&ending) {
            found.push(path);
        }
    }
    Ok(())
}
