//! The report: plain data in the user's words. It crosses to the worker, to JSON and to YAML.
//!
//! Positions are ready for an editor: UTF-16 offsets, one-based lines and columns.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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
    /// Accounts of counter sets.
    pub counter_sets: Vec<Ledger>,
    /// Accounts of shareable devices with capacity.
    pub capacities: Vec<Ledger>,
    /// What happened to every device, for each request of each claim on each node looked at.
    pub verdicts: Vec<RequestVerdicts>,
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

/// A Pod as `kubectl get pods` shows it, and why it waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PodView {
    /// The Pod.
    pub object: ObjectKey,
    /// Where it is written.
    pub range: Option<Range>,
    /// Whether we made it up to show an unused template or claim at work.
    pub hypothetical: bool,
    /// `READY`, e.g. `1/1`.
    pub ready: String,
    /// `STATUS`, e.g. `Running`.
    pub status: String,
    /// Seconds since it was created, on the scenario's clock.
    pub age_seconds: u64,
    /// Node, once scheduled.
    pub node: Option<String>,
    /// Nodes that would do, at most 64; the first in name order is taken unless scores differ.
    pub feasible_nodes: Vec<String>,
    /// Keys of its claims in order of allocation.
    pub claims: Vec<ObjectKey>,
    /// Family of the deepest reason.
    pub family: Family,
    /// A few words beside the status, e.g. `counters short`.
    pub reason: String,
    /// The cause in one sentence; empty for a Pod that runs.
    pub cause: Phrase,
    /// A second sentence of context; may be empty.
    pub context: Phrase,
    /// The scheduler's message, verbatim.
    pub message: Option<String>,
    /// Changes with which it fits, each one tried, the least change first. Empty for a Pod that runs,
    /// and when the scenario is so large that they have to be asked for, see [`Query::WhatIfs`].
    pub what_ifs: Vec<WhatIf>,
    /// Changes that were tried without success, e.g. `every feature gate`.
    pub tried_in_vain: Vec<Phrase>,
    /// What each node answered, at most 64 of them in name order.
    pub node_verdicts: Vec<NodeVerdict>,
    /// Number of the step at which the last attempt was made.
    pub step: usize,
}

/// A change with which a Pod that waits would fit; the allocator was run on the changed scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WhatIf {
    /// Stable kind: `delete-pod`, `drop-term`, `ask-less`, `fewer-devices`, `tolerate`, `gate`,
    /// `release`, `fixed`.
    pub kind: String,
    /// The change, e.g. `Fits if pod1 is deleted`.
    pub sentence: Phrase,
    /// What comes of it, e.g. `pod2 gets gpu-7-partition-0`.
    pub outcome: Phrase,
    /// The change as edits of the text; empty when it is a setting.
    pub edits: Vec<Edit>,
    /// The change as a setting beside the text.
    pub setting: Option<Setting>,
}

/// A setting beside the text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Setting {
    /// A Kubernetes release.
    KubernetesVersion(String),
    /// A feature gate.
    FeatureGate(String, bool),
    /// Released or corrected behavior.
    Behavior(Behavior),
}

/// What a node answered to a Pod.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeVerdict {
    /// The node.
    pub node: String,
    /// The scheduler's words, verbatim; empty when the node fits.
    pub message: String,
    /// Family of the reason.
    pub family: Family,
    /// Search calls made for this node; `None` when there was no search.
    pub search_calls: Option<u64>,
}

/// A claim, its requests and its result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ClaimView {
    /// The claim.
    pub object: ObjectKey,
    /// Where it, or the template it was generated from, is written.
    pub range: Option<Range>,
    /// The template it was generated from.
    pub template: Option<ObjectKey>,
    /// Whether we made it up.
    pub hypothetical: bool,
    /// `pending`, `allocated,reserved` or `allocated`, as `kubectl get resourceclaims` says it.
    pub state: String,
    /// Pods it is reserved for.
    pub reserved_for: Vec<String>,
    /// Its requests.
    pub requests: Vec<RequestView>,
    /// Its devices, in the order in which they were taken.
    pub devices: Vec<AllocatedDevice>,
    /// The whole `status` as YAML; empty while there is none.
    pub status_yaml: String,
    /// The cause in one sentence when it is not allocated although somebody wants it.
    pub cause: Phrase,
}

/// One request of a claim, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestView {
    /// Name.
    pub name: String,
    /// What it wants, e.g. `1 × gpu.example.com` or `all × nic.example.com`.
    pub wants: String,
    /// Capacity asked, by name, as written.
    pub capacity: Vec<(String, String)>,
    /// Where it is written.
    pub range: Option<Range>,
}

/// One device of a claim's result.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AllocatedDevice {
    /// `request` or `request/subrequest`.
    pub request: String,
    /// The device.
    pub device: DeviceKey,
    /// Share, for a shared device.
    pub share_id: Option<String>,
    /// Amounts consumed by capacity name, canonical notation.
    pub consumed: Vec<(String, String)>,
    /// Whether it is only admin access.
    pub admin_access: bool,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NodeView {
    /// Name.
    pub name: String,
    /// Where it is written; `None` when it is only named by slices or Pods.
    pub range: Option<Range>,
    /// Devices that can be reached from it.
    pub devices: usize,
}

/// A pool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PoolView {
    /// Driver.
    pub driver: String,
    /// Name.
    pub pool: String,
    /// Newest generation.
    pub generation: i64,
    /// Slices present at that generation.
    pub slices: usize,
    /// Slices announced.
    pub expected_slices: i64,
    /// `complete`, `incomplete`, `invalid`.
    pub state: String,
    /// Why it is not usable; empty when it is.
    pub detail: String,
    /// Counter sets in it.
    pub counter_sets: usize,
    /// Devices in it.
    pub devices: usize,
    /// Where its first slice is written.
    pub range: Option<Range>,
}

/// A device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeviceView {
    /// The device.
    pub device: DeviceKey,
    /// Where it is written.
    pub range: Option<Range>,
    /// The node that can reach it, when it is a single one.
    pub node: Option<String>,
    /// Attributes: key as published, type, value as CEL prints it, CEL path.
    pub attributes: Vec<AttributeView>,
    /// Capacities.
    pub capacity: Vec<CapacityView>,
    /// What it draws from counter sets.
    pub consumes: Vec<CounterUse>,
    /// Whether several claims may share it.
    pub shareable: bool,
    /// Taints in force, rules included: `key=value:effect`.
    pub taints: Vec<String>,
    /// Who has it.
    pub holders: Vec<Holder>,
    /// Whether it can still be allocated as far as counters, holders and capacity go.
    pub state: DeviceState,
}

/// Whether a device can still be had.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeviceState {
    /// Nobody has it and its counters suffice.
    #[default]
    Free,
    /// Somebody has all of it.
    Taken,
    /// Somebody has a share; something is left.
    Shared,
    /// Nobody has it, but its counters do not suffice.
    CountersShort,
}

/// An attribute of a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttributeView {
    /// Key as published.
    pub name: String,
    /// `int`, `bool`, `string`, `version`, or their list forms.
    pub kind: String,
    /// Value as CEL writes it.
    pub value: String,
    /// CEL path, e.g. `device.attributes["gpu.example.com"].index`.
    pub path: String,
}

/// A capacity of a device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CapacityView {
    /// Key as published.
    pub name: String,
    /// Total, canonical notation.
    pub total: String,
    /// What is left; equals `total` for a free device.
    pub left: String,
    /// Policy in words, e.g. `1Gi to 40Gi by 1Gi, default 40Gi`; empty when there is none.
    pub policy: String,
    /// `total` in base units, for drawing.
    pub total_units: f64,
    /// `left` in base units, for drawing.
    pub left_units: f64,
}

/// What a device draws from one counter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CounterUse {
    /// Counter set.
    pub counter_set: String,
    /// Counter.
    pub counter: String,
    /// Amount, canonical notation.
    pub amount: String,
    /// The same in base units, for drawing.
    pub units: f64,
}

/// Who has a device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The claim.
    pub claim: ObjectKey,
    /// Pods that use the claim.
    pub pods: Vec<String>,
    /// Request.
    pub request: String,
    /// Share.
    pub share_id: Option<String>,
    /// Amounts consumed.
    pub consumed: Vec<(String, String)>,
    /// Whether it is only admin access.
    pub admin_access: bool,
}

/// Devices that are one piece of hardware as far as counters tell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardView {
    /// Short name, e.g. `gpu-7`.
    pub name: String,
    /// Driver and pool.
    pub driver: String,
    /// Pool.
    pub pool: String,
    /// Indexes into `counter_sets`.
    pub counter_sets: Vec<usize>,
    /// Indexes into `devices`.
    pub devices: Vec<usize>,
}

/// The account of a counter set or of a shareable device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Ledger {
    /// Driver.
    pub driver: String,
    /// Pool.
    pub pool: String,
    /// Counter set, or device.
    pub name: String,
    /// Where it is written.
    pub range: Option<Range>,
    /// Counters or capacities.
    pub columns: Vec<LedgerColumn>,
    /// What was booked, oldest first.
    pub entries: Vec<LedgerEntry>,
}

/// One counter or capacity of an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerColumn {
    /// Name.
    pub name: String,
    /// Total, canonical notation.
    pub total: String,
    /// What is left, canonical notation; may be negative.
    pub left: String,
    /// `total` in base units, for drawing.
    pub total_units: f64,
    /// `left` in base units, for drawing.
    pub left_units: f64,
}

/// One booking.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// Claim that holds the device.
    pub claim: ObjectKey,
    /// Pods that use the claim.
    pub pods: Vec<String>,
    /// Request.
    pub request: String,
    /// Device that was taken.
    pub device: DeviceKey,
    /// Share.
    pub share_id: Option<String>,
    /// Amount for each column, canonical notation; empty when the column is not touched.
    pub amounts: Vec<String>,
    /// The same in base units.
    pub units: Vec<f64>,
    /// How the amount came about, e.g. `asked 1500M, raised to 2G by step 1G`; may be empty.
    pub rule: String,
    /// Step at which it was booked.
    pub step: usize,
}

/// What happened to every device for one request on one node.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RequestVerdicts {
    /// The Pod whose attempt it was; `None` for a claim without a Pod.
    pub pod: Option<ObjectKey>,
    /// The claim.
    pub claim: ObjectKey,
    /// `request` or `request/subrequest`.
    pub request: String,
    /// The node.
    pub node: String,
    /// Step at which the attempt was made.
    pub step: usize,
    /// How many devices it wanted; `None` for all.
    pub wanted: Option<u64>,
    /// The sieve: rows in the scheduler's order, also those that removed nothing.
    pub sieve: Vec<SieveRow>,
    /// Devices with the same first reason.
    pub groups: Vec<VerdictGroup>,
    /// Each selector with its answer for every device.
    pub selectors: Vec<SelectorTable>,
}

/// A stage of the sieve.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SieveRow {
    /// `devices`, `free`, `class`, `request`, `node`, `capacity`, `counters`, `taints`,
    /// `constraints`, `chosen`.
    pub stage: String,
    /// What was checked, in words.
    pub title: Phrase,
    /// Devices left after it.
    pub left: usize,
    /// Indexes into `groups` of those removed here.
    pub removed: Vec<usize>,
}

/// Devices with the same first reason.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct VerdictGroup {
    /// Stable reason code, e.g. `counters-short`.
    pub code: String,
    /// Its family.
    pub family: Family,
    /// The code in words, e.g. `counters short`.
    pub label: String,
    /// The detail, e.g. `gpu-7-counters, memory: 40Gi asked, 0 left`.
    pub detail: Phrase,
    /// Indexes into `devices` of the snapshot.
    pub devices: Vec<usize>,
    /// Stage of the sieve at which they left.
    pub stage: String,
    /// What the request would consume of each of them, when they are shareable; for drawing what
    /// sticks out.
    pub asked: Vec<AskedAmount>,
}

/// What a request would consume of one capacity after the device's policy.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AskedAmount {
    /// Capacity, key as published.
    pub name: String,
    /// Amount, canonical notation.
    pub amount: String,
    /// The same in base units.
    pub units: f64,
}

/// A selector and what it said of each device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectorTable {
    /// `class` or `request`.
    pub source: String,
    /// The class, or the claim (or template) it is written in.
    pub object: ObjectKey,
    /// Index in its list.
    pub index: usize,
    /// The expression.
    pub expression: String,
    /// Where it is written.
    pub range: Option<Range>,
    /// Compile error, verbatim.
    pub compile_error: Option<String>,
    /// What the API server would say of it when it is created; `None` when it accepts.
    pub admission_error: Option<String>,
    /// Worst-case cost as the API server estimates it.
    pub max_cost: Option<u64>,
    /// Devices by answer: answer, indexes into `devices`.
    pub answers: Vec<SelectorAnswer>,
}

/// Devices for which a selector gave the same answer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SelectorAnswer {
    /// `true`, `false`, `error`, or `not run`: the scheduler never asked.
    pub answer: String,
    /// Error text, verbatim.
    pub error: Option<String>,
    /// Indexes into `devices`.
    pub devices: Vec<usize>,
}

/// A question about a detail that the analysis does not carry; answered by the same worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Query {
    /// The trace of one expression on one device.
    Trace {
        /// The expression.
        expression: String,
        /// Indexes into the snapshot's `devices`.
        devices: Vec<usize>,
    },
    /// The verdicts of a Pod's last attempt on one node, when the snapshot leaves them out.
    Verdicts {
        /// The Pod.
        pod: ObjectKey,
        /// The node.
        node: String,
    },
    /// Changes with which a Pod that waits would fit.
    WhatIfs {
        /// The Pod.
        pod: ObjectKey,
    },
}

/// An answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Answer {
    /// For [`Query::Trace`].
    Trace(TraceTable),
    /// For [`Query::Verdicts`].
    Verdicts(Vec<RequestVerdicts>),
    /// For [`Query::WhatIfs`]: what helps, and what was tried without success.
    WhatIfs(Vec<WhatIf>, Vec<Phrase>),
    /// What was asked about is gone.
    Outdated,
}

/// One expression on several devices: every sub-expression with its value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceTable {
    /// The expression.
    pub expression: String,
    /// Compile error, verbatim.
    pub compile_error: Option<String>,
    /// Sub-expressions, outermost first in source order.
    pub parts: Vec<TracePart>,
    /// One column for each device asked for.
    pub columns: Vec<TraceColumn>,
    /// Worst-case cost as the API server estimates it.
    pub max_cost: Option<u64>,
    /// Runtime cost limit.
    pub cost_limit: u64,
}

/// A sub-expression.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TracePart {
    /// Expression id as cel-go numbers it.
    pub id: u64,
    /// Range inside the expression in UTF-16 units.
    pub from: u32,
    /// End of that range.
    pub to: u32,
    /// Nesting depth, 0 for the whole.
    pub depth: u32,
    /// Type as the checker prints it.
    pub kind: String,
}

/// The values of one evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceColumn {
    /// Index into the snapshot's `devices`.
    pub device: usize,
    /// `true`, `false` or `error`.
    pub answer: String,
    /// Error text, verbatim.
    pub error: Option<String>,
    /// Runtime cost.
    pub cost: u64,
    /// What happened, in order.
    pub events: Vec<TraceEvent>,
}

/// One event of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TraceEvent {
    /// Expression id.
    pub id: u64,
    /// Indexes of the enclosing comprehension elements, outermost first.
    pub iteration: Vec<u32>,
    /// `value`, `error`, `skipped`, or `folded` for a part of a constant.
    pub outcome: String,
    /// The value, the error text, or why it was skipped.
    pub text: String,
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
