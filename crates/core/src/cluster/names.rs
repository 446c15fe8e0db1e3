//! Names and identifiers that Kubernetes draws at random, made from what they stand for.

/// Longest part of a generated name; the API server appends five characters.
const MAX_BASE: usize = 63;

/// The name of the claim that is generated for an entry of `spec.resourceClaims` of a Pod.
///
/// DIFFERS: Kubernetes appends five random characters; here the name is `<pod>-<entry>`, so that it
/// stays the same. Over-long names are cut as upstream cuts them.
pub fn generated_claim_name(pod: &str, entry: &str) -> String {
    let joined = format!("{pod}-{entry}");
    if joined.len() <= MAX_BASE {
        return joined;
    }
    let cut = |part: &str| {
        let keep = part.len() * MAX_BASE / (joined.len() + 1);
        let end = (0..=keep).rev().find(|&at| part.is_char_boundary(at)).unwrap_or_default();
        part.get(..end).unwrap_or_default().to_owned()
    };
    format!("{}-{}", cut(pod), cut(entry))
}

/// An identifier in the form of a UUID that depends on the parts and nothing else.
pub fn stable_uuid(parts: &[&str]) -> String {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for part in parts {
        for byte in part.bytes().chain([0xff]) {
            hash ^= u128::from(byte);
            hash = hash.wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    // The high bits of the hash mix slowly.
    hash ^= hash >> 67;
    hash = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    hash ^= hash >> 61;
    let hex = format!("{hash:032x}");
    let piece = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    // Version 4, variant 1.
    format!(
        "{}-{}-4{}-a{}-{}",
        piece(0, 8),
        piece(8, 12),
        piece(13, 16),
        piece(17, 20),
        piece(20, 32)
    )
}
