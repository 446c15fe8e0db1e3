//! Changes of the text that buttons make, as edits that an editor can apply and undo.

mod inventory;

pub use inventory::{Inventory, MAX_GPUS, MAX_PARTITIONS};
