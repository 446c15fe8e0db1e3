//! What is set beside the text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::text::ObjectKey;

/// What is set beside the text: by the page's pickers, a link, or the command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Options {
    /// Kubernetes patch release; wins over the one in the text.
    pub kubernetes_version: Option<String>,
    /// Feature gates; win over those in the text.
    pub feature_gates: BTreeMap<String, bool>,
    /// Wins over the one in the text.
    pub behavior: Option<Behavior>,
    /// The step whose snapshot is wanted, 0 for the objects of the text; `None` means the last.
    pub step: Option<usize>,
    /// Steps made by buttons; they come after those of the text.
    pub extra_steps: Vec<ExtraStep>,
    /// Language of our own sentences, e.g. `en`; the scheduler's words are never translated.
    pub language: String,
}

/// Whether known bugs of the release are reproduced or corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Behavior {
    /// Exactly as the release decides, bugs included.
    #[default]
    AsReleased,
    /// With the bugs corrected.
    Fixed,
}

/// A step made by a button.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ExtraStep {
    /// Delete an object.
    Delete(ObjectKey),
    /// Apply an object of the text again after it was deleted.
    PutBack(ObjectKey),
}
