//! The oracle's side in Rust: seeded cases, the pipe to the real code, comparison and shrinking.
//!
//! The real code answers in the Go program under `go/`, built once per Kubernetes release; nothing
//! of it is shipped.

pub mod admission;
pub mod bench;
pub mod causes;
pub mod compare;
pub mod documents;
pub mod generator;
pub mod mutation;
pub mod process;
pub mod random;
pub mod release;
pub mod scenes;
pub mod scheduling;
pub mod shrink;
pub mod tally;
