//! The whole report and its timeline.

use serde::{Deserialize, Serialize};

use super::devices::{CardView, DeviceView, Ledger, TaintView};
use super::objects::{ClaimView, NodeView, PodView, PoolView};
use super::options::Behavior;
use super::text::{
    Diagnostic, Expectation, Family, ObjectKey, OutlineEntry, Preset, Range, Remark,
};
use super::verdicts::RequestVerdicts;

/// Everything the page and the command line show for one text, options and step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Analysis {
    /// What is wrong or odd in the text, in text order.
    pub diagnostics: Vec<Diagnostic>,
    /// The objects that were read, in text order.
    pub outline: Vec<OutlineEntry>,
    /// The release and gates in force, and what may be chosen.
    pub kubernetes: Kubernetes,
    /// Name, title and description of the Scenario document, when there is one.
    pub scenario: Option<ScenarioInfo>,
    /// The timeline; entry 0 stands for the objects of the text.
    pub steps: Vec<Step>,
    /// Index into `steps` of the snapshot below.
    pub step: usize,
    /// The cluster after that step.
    pub snapshot: Snapshot,
    /// Expectation lines that were checked, over all steps.
    pub expectations: Vec<Expectation>,
    /// Inventories of the upstream example driver found in the text, with their switches.
    pub presets: Vec<Preset>,
    /// What a reader must know to trust the answer: known bugs, random order, what is not modelled.
    pub remarks: Vec<Remark>,
}

/// No number of a report is NaN. Shared reports are then compared by address before content.
impl Eq for Analysis {}

/// Release and gates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Kubernetes {
    /// The patch release in force.
    pub version: String,
    /// All releases offered, oldest first.
    pub versions: Vec<String>,
    /// All DRA gates of that release.
    pub gates: Vec<Gate>,
    /// Released or corrected behaviour.
    pub behavior: Behavior,
    /// Allocator variant in force: `stable`, `incubating` or `experimental`.
    pub variant: String,
}

/// One feature gate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gate {
    /// Name, e.g. `DRAPartitionableDevices`.
    pub name: String,
    /// `alpha`, `beta`, `GA`, or empty when the release does not have it.
    pub stage: String,
    /// Default of the release.
    pub default: bool,
    /// Whether it is on.
    pub enabled: bool,
    /// What it does, in a few words.
    pub summary: String,
}

/// From the Scenario document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScenarioInfo {
    /// `metadata.name`.
    pub name: String,
    /// `spec.title`.
    pub title: String,
    /// `spec.description`, Markdown.
    pub description: String,
}

/// One step of the timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Short event, e.g. `pod1 deleted`.
    pub name: String,
    /// `objects`, `apply`, `delete`, `advance`, `finish` or `setConditions`.
    pub operation: String,
    /// What it brought, one entry for each Pod or claim whose state changed.
    pub outcomes: Vec<StepOutcome>,
    /// Seconds on the scenario's clock after the step.
    pub clock_seconds: u64,
    /// Where it is written; `None` for a step made by a button.
    pub range: Option<Range>,
}

/// A change that a step brought.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepOutcome {
    /// The Pod or claim.
    pub object: ObjectKey,
    /// What it is now, e.g. `gpu-7-full` or `Pending`.
    pub text: String,
    /// Reason family for colour and silhouette.
    pub family: Family,
}

/// The cluster after a step.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Pods in file order.
    pub pods: Vec<PodView>,
    /// Claims in file order; generated ones stand with their Pod.
    pub claims: Vec<ClaimView>,
    /// Nodes in name order.
    pub nodes: Vec<NodeView>,
    /// Pools by driver and name.
    pub pools: Vec<PoolView>,
    /// All devices, by pool, slice name and position. Other lists refer to them by index.
    pub devices: Vec<DeviceView>,
    /// Cards: devices that exclude each other because they draw from the same counter sets;
    /// a device without counters is a card of its own.
    pub cards: Vec<CardView>,
    /// Taints in force: those of slices, alike ones together, then those of rules.
    pub taints: Vec<TaintView>,
    /// Accounts of counter sets.
    pub counter_sets: Vec<Ledger>,
    /// Accounts of shareable devices with capacity.
    pub capacities: Vec<Ledger>,
    /// What happened to every device, for each request of each claim on each node looked at.
    pub verdicts: Vec<RequestVerdicts>,
}
