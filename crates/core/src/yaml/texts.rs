//! Words that occur again and again are there once.

use std::sync::Arc;

/// Longer texts are seldom the same.
const LONGEST: usize = 64;

/// How many words are remembered; a power of two.
const SLOTS: usize = 512;

/// The last words that were read, each in the slot that its bytes say.
pub(super) struct Texts(Vec<Arc<str>>);

impl Default for Texts {
    fn default() -> Self {
        Self(vec![Arc::default(); SLOTS])
    }
}

impl Texts {
    /// A text to keep: the one that was kept before if it says the same.
    pub(super) fn keep(&mut self, text: &str) -> Arc<str> {
        let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        let hash = text.bytes().take(LONGEST).fold(0x811c_9dc5, step);
        let slot = self.0.get_mut(hash as usize & (SLOTS - 1));
        let Some(slot) = slot.filter(|_| text.len() <= LONGEST) else { return text.into() };
        if **slot != *text {
            *slot = text.into();
        }
        Arc::clone(slot)
    }
}
