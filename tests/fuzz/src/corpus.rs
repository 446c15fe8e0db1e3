//! The kept inputs: one file for each target, one JSON string per line, so that thousands of tiny
//! inputs stay readable and do not become thousands of files.

/// The inputs of a target, from the text of its file.
///
/// # Errors
///
/// The line that is no JSON string.
pub fn corpus(file: &str) -> Result<Vec<String>, String> {
    let read = |(line, text): (usize, &str)| {
        serde_json::from_str(text).map_err(|error| format!("line {}: {error}", line + 1))
    };
    file.lines().enumerate().map(read).collect()
}

/// The text of a corpus file: shortest first, each once.
pub fn pack(inputs: &[String]) -> String {
    let mut inputs: Vec<&String> = inputs.iter().collect();
    inputs.sort_by_key(|input| (input.len(), *input));
    inputs.dedup();
    let line = |input: &&String| format!("{}\n", serde_json::Value::from(input.as_str()));
    inputs.iter().map(line).collect()
}
