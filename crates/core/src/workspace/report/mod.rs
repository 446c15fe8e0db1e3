//! The report: plain data in the user's words. It crosses to the worker, to JSON and to YAML.
//!
//! Positions are ready for an editor: UTF-16 offsets, one-based lines and columns.

mod analysis;
mod compare;
mod assist;
mod devices;
mod objects;
mod options;
mod pool_status;
mod query;
mod search;
mod text;
mod verdicts;
mod what_if;

pub use analysis::{Analysis, Gate, Kubernetes, ScenarioInfo, Snapshot, Step, StepOutcome};
pub use assist::{Hover, Suggestion, Suggestions};
pub use compare::{CompareCell, CompareRow, Comparison};
pub use devices::{
    AttributeView, CapacityView, CardView, CounterUse, DeviceState, DeviceView, Holder, Ledger,
    LedgerColumn, LedgerEntry, LedgerMark, TaintView,
};
pub use objects::{
    AllocatedDevice, ClaimView, NodeVerdict, NodeView, PodView, PoolView, RequestView,
};
pub use options::{Behavior, ExtraStep, Options};
pub use pool_status::{PartitionStatus, PoolCounts, PoolStatus, ShareableStatus};
pub use query::{Answer, Query, TraceColumn, TraceEvent, TraceHint, TracePart, TraceTable};
pub use search::{SearchEntry, SearchState, SearchTree};
pub use text::{
    DeviceKey, Diagnostic, Edit, Expectation, Family, Fix, ObjectKey, OutlineEntry, Phrase, Piece,
    Preset, Range, Remark, Severity, Target, Thing,
};
pub use verdicts::{
    AskedAmount, RequestVerdicts, SelectorAnswer, SelectorTable, SieveRow, VerdictGroup,
};
pub use what_if::{Setting, WhatIf};
