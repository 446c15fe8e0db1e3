use serde::{Deserialize, Serialize};

/// Completions at a place of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestions {
    /// Where the word begins that they replace, in UTF-16 units.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The completions, the most likely first.
    pub items: Vec<Suggestion>,
}

/// One completion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suggestion {
    /// `field`, `kind`, `value`, `name`, `attribute` or `function`.
    pub kind: String,
    /// What is listed.
    pub label: String,
    /// Type or fact beside it; may be empty.
    pub detail: String,
    /// What it is for, a sentence; may be empty.
    pub info: String,
    /// What is written in place of the word.
    pub insert: String,
}

/// What a word of the text means.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hover {
    /// Where the word begins, in UTF-16 units.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Lines, with code in backticks.
    pub lines: Vec<String>,
}
