//! The codec of the URL fragment: text and view state in a versioned, compressed form.
//!
//! Form of version 1: `v1.` followed by base64url without padding of a raw deflate stream of a
//! JSON object whose members are left out while they have their default. Every version ever
//! published keeps decoding.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::report::{Behavior, ExtraStep, Thing};

const VERSION_1: &str = "v1.";

/// The largest text that a link may unfold to, in bytes.
pub const MAX_UNFOLDED: usize = 8 << 20;

/// What a link carries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Shared {
    /// The whole text.
    #[serde(rename = "t", skip_serializing_if = "is_default")]
    pub text: String,
    /// Step that is looked at; `None` for the last.
    #[serde(rename = "s", skip_serializing_if = "is_default")]
    pub step: Option<usize>,
    /// Panel that is open, by its stable name; empty for the default.
    #[serde(rename = "p", skip_serializing_if = "is_default")]
    pub panel: String,
    /// What is selected.
    #[serde(rename = "x", skip_serializing_if = "is_default")]
    pub selection: Option<Thing>,
    /// Kubernetes release chosen beside the text.
    #[serde(rename = "k", skip_serializing_if = "is_default")]
    pub kubernetes_version: Option<String>,
    /// Feature gates chosen beside the text.
    #[serde(rename = "g", skip_serializing_if = "is_default")]
    pub feature_gates: BTreeMap<String, bool>,
    /// Behavior chosen beside the text.
    #[serde(rename = "b", skip_serializing_if = "is_default")]
    pub behavior: Option<Behavior>,
    /// Steps made by buttons.
    #[serde(rename = "e", skip_serializing_if = "is_default")]
    pub extra_steps: Vec<ExtraStep>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Why a fragment could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// There is nothing in it.
    Empty,
    /// It begins with no version that this release knows.
    UnknownVersion,
    /// A character that base64url does not have, or a length it cannot have: most likely the
    /// link was cut or changed on its way.
    Damaged,
    /// The compressed data is broken or ends early.
    Truncated,
    /// It unfolds to more than [`MAX_UNFOLDED`] bytes.
    TooLarge,
    /// What was unfolded is not what a link carries.
    Malformed,
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the link carries no scenario",
            Self::UnknownVersion => "the link was made by a version of the playground that this one does not know",
            Self::Damaged => "the link was changed on its way: it has characters that no link of the playground has",
            Self::Truncated => "the link is not complete: its end is missing or damaged",
            Self::TooLarge => "the link unfolds to more text than the playground accepts",
            Self::Malformed => "the link does not hold a scenario",
        })
    }
}

impl std::error::Error for LinkError {}

/// Writes a fragment, without the leading `#`.
pub fn encode(shared: &Shared) -> String {
    let json = serde_json::to_vec(shared).unwrap_or_default();
    let packed = miniz_oxide::deflate::compress_to_vec(&json, 10);
    let mut out = String::with_capacity(VERSION_1.len() + packed.len().div_ceil(3) * 4);
    out.push_str(VERSION_1);
    write_base64(&packed, &mut out);
    out
}

/// Reads a fragment, with or without the leading `#`.
///
/// # Errors
/// Every kind of broken link has its own [`LinkError`].
pub fn decode(fragment: &str) -> Result<Shared, LinkError> {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment).trim();
    if fragment.is_empty() {
        return Err(LinkError::Empty);
    }
    let body = fragment.strip_prefix(VERSION_1).ok_or(LinkError::UnknownVersion)?;
    let packed = read_base64(body)?;
    let json = miniz_oxide::inflate::decompress_to_vec_with_limit(&packed, MAX_UNFOLDED).map_err(
        |error| match error.status {
            miniz_oxide::inflate::TINFLStatus::HasMoreOutput => LinkError::TooLarge,
            _ => LinkError::Truncated,
        },
    )?;
    serde_json::from_slice(&json).map_err(|_| LinkError::Malformed)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn write_base64(bytes: &[u8], out: &mut String) {
    for chunk in bytes.chunks(3) {
        let mut group: u32 = 0;
        for position in 0..3 {
            group = group << 8 | u32::from(chunk.get(position).copied().unwrap_or(0));
        }
        for position in 0..=chunk.len() {
            let index = group >> (18 - 6 * position) & 63;
            if let Some(letter) = ALPHABET.get(index as usize) {
                out.push(char::from(*letter));
            }
        }
    }
}

fn read_base64(text: &str) -> Result<Vec<u8>, LinkError> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let mut group: u32 = 0;
    let mut bits = 0;
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            // Some programs turn base64url back into plain base64.
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            b'=' => continue,
            _ => return Err(LinkError::Damaged),
        };
        group = group << 6 | u32::from(value);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((group >> bits & 0xff) as u8);
            group &= (1 << bits) - 1;
        }
    }
    if bits >= 6 {
        return Err(LinkError::Damaged);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::report::DeviceKey;
    use super::*;

    fn sample() -> Shared {
        Shared {
            text: "kind: Pod\n# 裝置\n".to_owned(),
            step: Some(2),
            panel: "rack".to_owned(),
            feature_gates: BTreeMap::from([("DRAConsumableCapacity".to_owned(), false)]),
            behavior: Some(Behavior::Fixed),
            ..Shared::default()
        }
    }

    type Golden = (&'static str, fn() -> Shared);

    /// Links of every published version; they may be added to, never changed.
    const GOLDEN: &[Golden] = &[
        (
            "v1.AV4Aof97InQiOiJraW5kOiBQb2RcbiMg6KOd572uXG4iLCJzIjoyLCJwIjoicmFjayIsImciOnsiRFJBQ29uc3VtYWJsZUNhcGFjaXR5IjpmYWxzZX0sImIiOiJmaXhlZCJ9",
            sample,
        ),
        (
            "v1.hY3BCsIwEER_ZZmzKbaCh3yFH7CX4C4SajehxCKU_LtdBK_e5s0MMzsaImHOJpFuRdgWbUlSS5GNyNKikWqRkS2EwPa3OLHhRHgfqztEt3zXr1zzpqt_iee1lKdDdfjV8KivcEbvhzk7j8PlOkzoHw",
            || Shared {
                text:
                    "kind: Pod\nmetadata:\n  name: pod1\n---\nkind: Pod\nmetadata:\n  name: pod2\n"
                        .to_owned(),
                selection: Some(Thing::Device(DeviceKey {
                    driver: "d".to_owned(),
                    pool: "p".to_owned(),
                    device: "gpu-0".to_owned(),
                })),
                kubernetes_version: Some("1.36.2".to_owned()),
                ..Shared::default()
            },
        ),
    ];

    #[test]
    fn golden_links_keep_decoding() {
        for (link, shared) in GOLDEN {
            assert_eq!(decode(link), Ok(shared()), "{link}");
        }
    }

    #[test]
    fn round_trip() {
        for shared in [Shared::default(), sample()] {
            assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
        for length in 0..8 {
            let shared = Shared { text: "x".repeat(length), ..Shared::default() };
            assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
    }

    #[test]
    fn broken_links_say_how() {
        let whole = encode(&sample());
        assert_eq!(decode(""), Err(LinkError::Empty));
        assert_eq!(decode("#"), Err(LinkError::Empty));
        assert_eq!(decode("v9.abc"), Err(LinkError::UnknownVersion));
        assert_eq!(decode("v1.ab!c"), Err(LinkError::Damaged));
        assert_eq!(
            decode(whole.get(..whole.len() / 2).unwrap()).unwrap_err(),
            LinkError::Truncated
        );
        let list = miniz_oxide::deflate::compress_to_vec(b"[1]", 6);
        let mut link = "v1.".to_owned();
        write_base64(&list, &mut link);
        assert_eq!(decode(&link), Err(LinkError::Malformed));
    }

    #[test]
    fn a_bomb_is_refused() {
        let bomb = miniz_oxide::deflate::compress_to_vec(&vec![b' '; MAX_UNFOLDED + 1], 10);
        let mut link = "v1.".to_owned();
        write_base64(&bomb, &mut link);
        assert_eq!(decode(&link), Err(LinkError::TooLarge));
    }

    proptest::proptest! {
        #[test]
        fn any_fragment_is_answered(fragment in ".*") {
            let _ = decode(&fragment);
        }

        #[test]
        fn any_text_survives(text in ".*") {
            let shared = Shared { text, ..Shared::default() };
            proptest::prop_assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
    }
}
