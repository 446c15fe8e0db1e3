//! The cluster after a step, as the report shows it.

mod devices;
mod ledger;
mod objects;
mod world;

use crate::cluster::Origin;

use super::report::Range;

pub(super) use objects::object_key;
pub(super) use world::{Holding, World};

/// Finds where things are written.
pub(super) trait Places {
    /// The document of an object.
    fn object(&self, origin: Origin) -> Option<Range>;
    /// A field of an object by its path in the API, e.g. `spec.devices[3]`.
    fn field(&self, origin: Origin, path: &str) -> Option<Range>;
}
