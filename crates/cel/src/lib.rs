//! CEL as Kubernetes uses it for device selectors: parse, check, plan, evaluate, cost, trace.
//!
//! The crate knows the language and Kubernetes' libraries and reports plain code point offsets.
//! It must not know devices, drivers or YAML: the `device` variable lives in the core's `selector`.
//! It owns [`quantity::Quantity`] and [`semver::Version`], because CEL functions work on them.
//!
//! Upstream counterparts: `github.com/google/cel-go`, `k8s.io/apiserver/pkg/cel`.

pub mod calendar;
mod check;
mod cost;
mod env;
mod eval;
mod gotext;
mod library;
mod messages;
pub mod order;
mod plan;
mod program;
pub mod quantity;
pub mod semver;
pub mod syntax;
pub mod tables;
pub mod trace;
pub mod types;
pub mod value;
mod work;

pub use env::{Dialect, Env, Includes, Signature, Sizes, StructType};
pub use eval::{Evaluation, Variable};
pub use gotext::quote as go_quote;
pub use program::{Expression, Part, Program, compile, parse_only};
