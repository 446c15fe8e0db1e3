//! Devices, cards and the accounts of what they share.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::text::{DeviceKey, ObjectKey, Range};

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
    /// Attributes: key as published, type, value as CEL prints it, CEL path. Alike devices share them.
    pub attributes: Vec<Arc<AttributeView>>,
    /// Capacities; alike devices share them, too.
    pub capacity: Vec<Arc<CapacityView>>,
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

/// A taint in force, and the devices that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TaintView {
    /// `key=value:effect`.
    pub taint: String,
    /// `NoSchedule`, `NoExecute` or `None`.
    pub effect: String,
    /// The rule that adds it; `None` where slices have it.
    pub rule: Option<ObjectKey>,
    /// Where it is written, in slices the first time.
    pub range: Option<Range>,
    /// Indexes into `devices`.
    pub devices: Vec<usize>,
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
    /// What is odd about it.
    pub marks: Vec<LedgerMark>,
}

/// Something odd about an account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LedgerMark {
    /// `over-committed`: more is taken than there is; `vanished`: a claim holds a device of the pool
    /// that is published no longer, and what it draws is not booked; `foreign`: another counter of the
    /// pool is over-committed, which blocks all its devices; `shared-name`: another driver has a pool
    /// of the same name, whose counters this release mixes up with these.
    pub kind: String,
    /// In words.
    pub text: String,
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
