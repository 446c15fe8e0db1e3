//! A scenario over time: steps, clock, expectations, snapshots.
//!
//! Must not know files nor how anything is shown. The words (scenario, step, operation, timeline)
//! are those of kube-scheduler-simulator's KEP-140.

mod expect;
mod timeline;

pub use timeline::{
    Checked, Event, EventKind, OperationKind, Remark, RemarkKind, StepRecord, Timeline,
};
