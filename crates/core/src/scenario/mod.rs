//! A scenario over time: steps, clock, expectations, snapshots.
//!
//! Must not know files nor how anything is shown. The words (scenario, step, operation, timeline)
//! are those of kube-scheduler-simulator's KEP-140.

mod blast;
pub mod codes;
mod conditions;
mod controllers;
mod document;
mod eviction;
mod expect;
mod hypothetical;
mod known_bugs;
mod notices;
mod objects;
mod open;
mod run;
mod settings;
mod simulation;
#[cfg(test)]
mod tests;
mod timeline;
mod waiting;

pub use blast::{BlastRadius, blast_radius};
pub(crate) use controllers::has_pod_owner;
pub use document::{API_VERSION, Document, Operation, Placed, Step, read_document};
pub use eviction::{Eviction, evictions};
pub use expect::{LeadingComment, leading_comment};
pub use open::{Admit, Opened, open};
pub use run::{Button, Input, run};
pub use settings::{Overrides, behavior};
pub use timeline::{
    Checked, Event, EventKind, OperationKind, Remark, RemarkKind, StepRecord, Timeline,
};
pub(crate) use waiting::LOOK_SECONDS;
