//! The CEL environment of the `device` variable: where CEL meets DRA.
