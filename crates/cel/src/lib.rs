//! CEL as Kubernetes uses it for device selectors: parse, check, plan, evaluate, cost, trace.
//!
//! The crate knows the language and Kubernetes' libraries and reports plain code point offsets.
//! It must not know devices, drivers or YAML: the `device` variable lives in the core's `selector`.
//! It owns [`quantity::Quantity`] and [`semver::Version`], because CEL functions work on them.
//!
//! Upstream counterparts: `github.com/google/cel-go`, `k8s.io/apiserver/pkg/cel`.

mod gotext;
pub mod quantity;
pub mod semver;
