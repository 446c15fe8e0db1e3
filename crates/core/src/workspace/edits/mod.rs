//! Changes of the text that buttons make, as edits that an editor can apply and undo.

mod apply;
mod inventory;
mod objects;
mod outline;
mod presets;
mod steps;

pub use apply::apply;
pub(super) use apply::{difference, merged};
pub use inventory::{Inventory, MAX_GPUS, MAX_PARTITIONS};
pub use objects::{InsertKind, insert_object};
pub(super) use presets::presets_of;
pub use presets::{PresetSwitch, flip_preset, presets};
pub use steps::write_step;

use crate::source::LineIndex;

use super::report::Edit;
use inventory::{DRIVER, NODE, Place, class_document, node_document, slice_documents};
use outline::{Outline, append};

/// Writes an inventory of the upstream example driver at the end of the text: node, class and
/// slices. What the text has already is not written again; a second inventory gets a node of its
/// own.
pub fn insert_inventory(text: &str, inventory: &Inventory) -> Vec<Edit> {
    let outline = Outline::of(text);
    let mut node = NODE.to_owned();
    let mut number = 1;
    while outline.has_pool(DRIVER, &node) {
        number += 1;
        node = format!("{NODE}{number}");
    }
    let mut documents = Vec::new();
    if !outline.has("Node", &node) {
        documents.push(node_document(&node));
    }
    if !outline.has("DeviceClass", DRIVER) {
        documents.push(class_document());
    }
    let place = Place { node, generation: 1, uuids: Vec::new() };
    documents.extend(slice_documents(inventory, &place));
    vec![append(text, &LineIndex::new(text), &documents)]
}

#[cfg(test)]
pub(super) mod tests;
