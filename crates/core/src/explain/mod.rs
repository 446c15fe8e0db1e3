//! Verdicts: why each device was or was not chosen, as data with wording last.
//!
//! [`Recorder`] observes a search, [`Explanation`] has one verdict for each device and request,
//! [`causes`] finds what stands in the way, and [`words`] says it. Must not know how the search is
//! coded beyond its events, nor Pods' scheduling and steps.

mod amounts;
mod candidates;
mod cause;
mod conflict;
mod conflict_words;
mod detail;
mod explanation;
mod facts;
mod log;
mod nothing;
mod phrase;
mod pieces;
mod reason;
mod record;
mod say;
pub mod words;

pub use candidates::candidates;
pub use cause::{Cause, CauseKind, Shortage, causes, short_capacity, shortage};
pub use conflict::{Agreement, Conflict, Scarce};
pub use explanation::{Candidate, Explanation, RequestExplanation, Verdict, claim_ref};
pub use facts::{
    CapacityFacts, CounterFacts, Facts, FalsePart, FreeCards, Holder, Lack, NearToleration,
    SelectorOf, Unreached, UnreachedNodes,
};
pub use log::{Entry, SearchLog, Step};
pub use phrase::{Phrase, Piece, Subject};
pub use pieces::{device_phrase, object, pool_phrase, taint_text};
pub use reason::{Family, Reason, Stage};
pub use record::{Depth, Recorder};
pub use say::Speaker;
