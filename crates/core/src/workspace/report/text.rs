//! What is said of the text, and the pieces of sentences.

use serde::{Deserialize, Serialize};

/// Names one object.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ObjectKey {
    /// Kind.
    pub kind: String,
    /// Namespace; empty for cluster-scoped kinds.
    pub namespace: String,
    /// Name.
    pub name: String,
}

/// Names one device.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceKey {
    /// Driver.
    pub driver: String,
    /// Pool.
    pub pool: String,
    /// Device.
    pub device: String,
}

/// A range of the text. Offsets count UTF-16 code units from 0; lines and columns count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Range {
    /// Offset of the first unit.
    pub from: u32,
    /// Offset after the last unit.
    pub to: u32,
    /// Line of `from`.
    pub line: u32,
    /// Column of `from`.
    pub column: u32,
    /// Line of `to`.
    pub end_line: u32,
    /// Column of `to`.
    pub end_column: u32,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Severity {
    /// The object is not used, or the API server would refuse it.
    #[default]
    Error,
    /// It works, but probably not as meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// One finding in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Stable kebab-case code.
    pub code: String,
    /// Severity.
    pub severity: Severity,
    /// One line that makes sense alone.
    pub message: String,
    /// The place; the start of the text when there is none.
    pub range: Range,
    /// Further places with a word on each.
    pub related: Vec<(Range, String)>,
    /// Causes and help, one line each.
    pub notes: Vec<String>,
    /// Changes of the text that mend it.
    pub fixes: Vec<Fix>,
    /// What the API server or kubectl would print, verbatim.
    pub upstream: Option<String>,
}

/// A change of the text offered to the user.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Fix {
    /// What the button says.
    pub title: String,
    /// The edits, not overlapping, in text order.
    pub edits: Vec<Edit>,
}

/// Replaces a range of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub range: Range,
    /// The new text.
    pub text: String,
}

/// One object of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutlineEntry {
    /// The object.
    pub object: ObjectKey,
    /// Its document.
    pub range: Range,
    /// One fact, e.g. `24 devices`.
    pub fact: String,
    /// Whether it is an object of ours that stands in for a missing one.
    pub hypothetical: bool,
}

/// The silhouettes of the design: what kind of reason something is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "camelCase")]
pub enum Family {
    /// Chosen, fits, true.
    Fit,
    /// An amount is short.
    Quantity,
    /// Somebody or something holds it.
    Held,
    /// A rule says no.
    Rule,
    /// The input is wrong.
    Fault,
    /// Not looked at.
    #[default]
    None,
}

/// A sentence: pieces of text and references.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase(pub Vec<Piece>);

/// A piece of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Piece {
    /// The words.
    pub text: String,
    /// What the words stand for.
    pub target: Option<Target>,
}

/// What a piece refers to, and where that stands in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Target {
    /// The thing.
    pub thing: Thing,
    /// Its place.
    pub range: Option<Range>,
}

/// A thing that can be selected on the page.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Thing {
    /// Only a place in the text.
    #[default]
    Text,
    /// An object.
    Object(ObjectKey),
    /// A device.
    Device(DeviceKey),
    /// A counter set: driver, pool, counter set.
    CounterSet(String, String, String),
    /// A selector: claim or class, request (empty for a class), index.
    Selector(ObjectKey, String, usize),
}

/// A checked expectation line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Expectation {
    /// Step at which it was checked.
    pub step: usize,
    /// The line.
    pub line: String,
    /// Whether it holds.
    pub passed: bool,
    /// What was found instead.
    pub found: String,
    /// Where it is written.
    pub range: Option<Range>,
}

/// An inventory of the upstream example driver in the text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Preset {
    /// Node and pool name.
    pub node: String,
    /// Number of cards.
    pub gpus: u32,
    /// `kubeletPlugin.gpuPartitions`: partitions of each card, 0 for none.
    pub gpu_partitions: u32,
    /// `gpuAllowMultipleAllocations`.
    pub allow_multiple_allocations: bool,
    /// Where its slices are written.
    pub ranges: Vec<Range>,
}

/// Something a reader must know to trust the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Remark {
    /// `known-bug`, `random-order`, `not-modelled`, `choice`.
    pub kind: String,
    /// The sentence.
    pub text: Phrase,
    /// Upstream reference, e.g. `kubernetes/kubernetes#139040`.
    pub reference: Option<String>,
    /// Release in which it is fixed.
    pub fixed_in: Option<String>,
}
