/// Slots that need no memory of their own.
const FEW: usize = 64;

/// The first name that occurs twice among at most so many.
pub(crate) fn first_duplicate<'a>(
    mut names: impl Iterator<Item = &'a str>,
    most: usize,
) -> Option<&'a str> {
    let count = most.saturating_mul(2).next_power_of_two();
    if count > FEW {
        let mut slots = vec![None; count];
        names.find(|name| !insert(&mut slots, name))
    } else {
        let mut slots = [None; FEW];
        names.find(|name| !insert(&mut slots, name))
    }
}

/// Adds a name to a set, open addressing over hashes; false when it is there already. The number of
/// slots is a power of two.
fn insert<'a>(slots: &mut [Option<&'a str>], name: &'a str) -> bool {
    let mask = slots.len().wrapping_sub(1);
    // The upper half: a product mixes into its high bits.
    let start = usize::try_from(hash(name) >> 32).unwrap_or_default();
    for step in 0..slots.len() {
        match slots.get_mut(start.wrapping_add(step) & mask) {
            Some(Some(known)) if same(known, name) => return false,
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

/// FNV-1a over words instead of bytes; names often differ in their last bytes only.
fn hash(name: &str) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let (words, rest) = name.as_bytes().as_chunks::<8>();
    let mut add = |word: u64| {
        hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    };
    for word in words {
        add(u64::from_le_bytes(*word));
    }
    add(rest.iter().fold(1, |word, byte| word << 8 | u64::from(*byte)));
    hash
}

/// Whether two names are equal, without a call for short ones.
pub(crate) fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    match a.len() {
        length if length != b.len() => false,
        0 => true,
        1 => a.first() == b.first(),
        2..=3 => both_ends::<2>(a) == both_ends::<2>(b),
        4..=7 => both_ends::<4>(a) == both_ends::<4>(b),
        8..=16 => both_ends::<8>(a) == both_ends::<8>(b),
        _ => a == b,
    }
}

/// The first and the last bytes, which meet or overlap.
fn both_ends<const N: usize>(name: &[u8]) -> (Option<&[u8; N]>, Option<&[u8; N]>) {
    (name.first_chunk(), name.last_chunk())
}
