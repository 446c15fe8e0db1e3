use std::rc::Rc;

use crate::api::Object;
use crate::apimachinery::ObjectRef;
use crate::cluster::Cluster;
use crate::diagnostic::Diagnostic;
use crate::scheduler::Attempt;
use crate::source::Span;

use super::eviction::Eviction;

/// What happened, step by step. Entry 0 stands for the objects of the text.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    /// The steps that were run.
    pub steps: Vec<StepRecord>,
    /// Expectation lines that were checked, in order of checking.
    pub expectations: Vec<Checked>,
    /// What a reader must know to trust the answer.
    pub remarks: Vec<Remark>,
    /// What is wrong or odd in steps and expectations.
    pub diagnostics: Vec<Diagnostic>,
    /// What is written: the objects of the text in text order, then those of `apply` steps.
    /// [`Origin::source`](crate::cluster::Origin::source) is an index into it.
    pub sources: Vec<Rc<Object>>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OperationKind {
    /// The objects of the text come into being.
    #[default]
    Objects,
    /// Objects are created or replaced.
    Apply,
    /// An object is deleted.
    Delete,
    /// The clock moves on.
    Advance,
    /// A Pod ends.
    Finish,
    /// Device conditions of a claim are set.
    SetConditions,
}

impl OperationKind {
    /// The name as it stands in a scenario document.
    pub fn name(self) -> &'static str {
        match self {
            Self::Objects => "objects",
            Self::Apply => "apply",
            Self::Delete => "delete",
            Self::Advance => "advance",
            Self::Finish => "finish",
            Self::SetConditions => "setConditions",
        }
    }
}

/// One step and the cluster after it.
#[derive(Clone, Debug)]
pub struct StepRecord {
    /// Short event, e.g. `pod1 deleted`; the name in the document where one is given.
    pub name: String,
    /// What it does.
    pub operation: OperationKind,
    /// Where it is written; `None` for entry 0 and for a step made by a button.
    pub span: Option<Span>,
    /// Seconds on the scenario's clock after the step.
    pub clock_seconds: u64,
    /// The cluster after the step.
    pub cluster: Rc<Cluster>,
    /// Attempts made in this step, in order.
    pub attempts: Vec<Rc<Attempt>>,
    /// What else happened, in order.
    pub events: Vec<Event>,
    /// The Pods that device taints evicted in this step, and when.
    pub evicted: Vec<Eviction>,
    /// Why the step could not be done, e.g. `Pod "default/pod9" not found`.
    pub problem: Option<String>,
}

/// Something that happened to an object in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The object.
    pub object: ObjectRef,
    /// What happened.
    pub kind: EventKind,
    /// Upstream's words where it has some, else a short sentence.
    pub text: String,
}

/// Kinds of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// It came into being.
    Created,
    /// It was replaced.
    Updated,
    /// It is gone.
    Deleted,
    /// A claim got devices.
    Allocated,
    /// A claim lost its devices.
    Deallocated,
    /// A Pod was evicted because of a device taint.
    Evicted,
    /// A Pod ended.
    Finished,
    /// A controller could not do its work.
    Failed,
}

/// An expectation line and whether it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Index of the step after which it was checked.
    pub step: usize,
    /// The line.
    pub line: String,
    /// Where it is written.
    pub span: Option<Span>,
    /// Whether it holds.
    pub passed: bool,
    /// What was found instead; empty when it holds.
    pub found: String,
}

/// Something a reader must know to trust the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// What kind of remark.
    pub kind: RemarkKind,
    /// The sentence.
    pub text: String,
    /// Object it is about.
    pub object: Option<ObjectRef>,
    /// Upstream reference, e.g. `kubernetes/kubernetes#139040`.
    pub reference: Option<String>,
    /// Releases that first have the fix of a bug.
    pub fixed_in: Option<String>,
}

/// Kinds of remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// An object of ours stands in for something that the text leaves out.
    Hypothetical,
    /// The real scheduler would choose at random; ours is one of its choices.
    Choice,
    /// Something is recognized but not modelled.
    NotModelled,
    /// The release has a bug here.
    KnownBug,
}
