/// A set of names that is quick to fill: open addressing over hashes.
pub(super) struct Names<'a> {
    slots: Vec<Option<&'a str>>,
}

impl<'a> Names<'a> {
    /// For at most so many names.
    pub(super) fn new(most: usize) -> Self {
        Self { slots: vec![None; most.saturating_mul(2).next_power_of_two()] }
    }

    /// Whether the name is new.
    pub(super) fn insert(&mut self, name: &'a str) -> bool {
        // FNV-1a.
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let length = self.slots.len();
        let start = usize::try_from(hash & 0x7fff_ffff).unwrap_or_default();
        for step in 0..length {
            match self.slots.get_mut((start + step) % length) {
                Some(Some(known)) if *known == name => return false,
                Some(Some(_)) => {}
                Some(slot) => {
                    *slot = Some(name);
                    return true;
                }
                None => return true,
            }
        }
        true
    }
}
