//! The codec of the URL fragment: text and view state in a versioned, compressed form.
//!
//! Form of version 2: `v2.` followed by base64url without padding of a zlib stream (deflate with a
//! checksum) of a JSON object whose members are left out while they have their default. Version 1
//! had a raw deflate stream, in which a changed letter could go unnoticed. Every version ever
//! published keeps decoding.
//!
//! Behind the scenario, or in its place, stand options as `name=value`, joined by `&`; see
//! [`Fragment`].

use std::collections::BTreeMap;
use std::fmt;

use miniz_oxide::inflate::{
    TINFLStatus, decompress_to_vec_with_limit, decompress_to_vec_zlib_with_limit,
};
use serde::{Deserialize, Serialize};

use super::report::{Behavior, ExtraStep, Thing};

const VERSION_1: &str = "v1.";
const VERSION_2: &str = "v2.";

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
    /// The Pod that is spoken of.
    #[serde(rename = "x", skip_serializing_if = "is_default")]
    pub selection: Option<Thing>,
    /// What is lit in picture, sentence and text: a device, a counter set, a selector, an object.
    #[serde(rename = "l", skip_serializing_if = "is_default")]
    pub lit: Option<Thing>,
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
    /// A character that base64url does not have: the link was changed on its way.
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
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&json, 10);
    let mut out = String::with_capacity(VERSION_2.len() + packed.len().div_ceil(3) * 4);
    out.push_str(VERSION_2);
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
    let unfolded = if let Some(body) = fragment.strip_prefix(VERSION_2) {
        decompress_to_vec_zlib_with_limit(&read_base64(body)?, MAX_UNFOLDED)
    } else if let Some(body) = fragment.strip_prefix(VERSION_1) {
        decompress_to_vec_with_limit(&read_base64(body)?, MAX_UNFOLDED)
    } else if VERSION_2.starts_with(fragment) {
        return Err(LinkError::Truncated);
    } else {
        return Err(LinkError::UnknownVersion);
    };
    let json = unfolded.map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge,
        _ => LinkError::Truncated,
    })?;
    serde_json::from_slice(&json).map_err(|_| LinkError::Malformed)
}

/// What a whole fragment holds: a scenario, or where to find one, and how to show it.
///
/// Form: parts joined by `&`, each of them a link of any version or `name=value`. Unknown names
/// are passed over, so that a link of a later release still opens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fragment {
    /// The scenario, or why it cannot be read; `None` when the fragment carries none.
    pub shared: Option<Result<Shared, LinkError>>,
    /// `src`: address of a file that holds the scenario.
    pub source: Option<String>,
    /// `example`: name of a scenario of the gallery.
    pub example: Option<String>,
    /// `step`: step to look at.
    pub step: Option<usize>,
    /// `readonly`: whether the text may not be changed.
    pub read_only: bool,
    /// `panels`: stable names of the panels to show; empty for the default.
    pub panels: Vec<String>,
    /// `theme`: `light`, `dark` or `contrast`.
    pub theme: Option<String>,
    /// `lang`: tag of the language.
    pub language: Option<String>,
    /// `height`: `auto` when the page is to be as high as what it shows.
    pub height: Option<String>,
}

/// Most panels that are read from a fragment.
const MOST_PANELS: usize = 32;

impl Fragment {
    /// Reads a fragment, with or without the leading `#`.
    pub fn parse(fragment: &str) -> Self {
        let mut read = Self::default();
        for part in fragment.strip_prefix('#').unwrap_or(fragment).split('&') {
            match part.split_once('=') {
                Some((name, value)) if is_name(name) => read.option(name, &unescape(value)),
                None if part == "readonly" => read.read_only = true,
                _ if part.trim().is_empty() => {}
                _ => read.shared = read.shared.take().or_else(|| Some(decode(part))),
            }
        }
        read
    }

    fn option(&mut self, name: &str, value: &str) {
        let text = || Some(value.to_owned()).filter(|value| !value.is_empty());
        match name {
            "src" => self.source = text(),
            "example" => self.example = text(),
            "step" => self.step = value.parse().ok(),
            "readonly" => self.read_only = !matches!(value, "0" | "false"),
            "panels" => {
                let names = value.split(',').map(str::trim).filter(|name| !name.is_empty());
                self.panels = names.take(MOST_PANELS).map(str::to_owned).collect();
            }
            "theme" => self.theme = text(),
            "lang" => self.language = text(),
            "height" => self.height = text(),
            _ => {}
        }
    }
}

/// Whether a part before `=` is the name of an option: plain base64 may end in `=` too.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase())
}

/// Undoes percent-encoding; what is not encoded well stays as it is.
fn unescape(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        let mut ahead = rest.clone();
        let digit = |byte: Option<u8>| byte.and_then(|byte| char::from(byte).to_digit(16));
        match (byte, digit(ahead.next()), digit(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high << 4 | low).unwrap_or_default());
                rest = ahead;
            }
            _ => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Percent-encodes what may not stand in an option of a fragment.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:,?@!$'()*+;".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push('%');
            for digit in [byte >> 4, byte & 15] {
                out.extend(
                    char::from_digit(u32::from(digit), 16).map(|it| it.to_ascii_uppercase()),
                );
            }
        }
    }
    out
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
    // A letter too many is one of a group whose end is missing.
    if bits >= 6 {
        return Err(LinkError::Truncated);
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::super::report::{DeviceKey, ObjectKey};
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

    fn lit() -> Shared {
        let pod =
            ObjectKey { kind: "Pod".to_owned(), name: "pod2".to_owned(), ..ObjectKey::default() };
        let device = DeviceKey {
            driver: "gpu.example.com".to_owned(),
            pool: "node-a".to_owned(),
            device: "gpu-7-full".to_owned(),
        };
        Shared { selection: Some(Thing::Object(pod)), lit: Some(Thing::Device(device)), ..sample() }
    }

    type Golden = (&'static str, fn() -> Shared);

    /// Links of every published version; they may be added to, never changed.
    const GOLDEN: &[Golden] = &[
        (
            "v2.eNo1jUEOgjAQRa9Cxi2wYGPSncEDGNdsCh1Ipe00FAiGcBRX7r2B59FjODW6-zPz3p8VRhDQa6dEciJVuV3yvt9ez0flIIUAokjBMzHIpufFAmIFqi_YjDFFj48s8s1Ji8HLBnnzGzl5UgVsWwomCgpnHQFOg55xYKDzU46LtN5g3pBl0xMxDI4UZpLnvxTRbJ-1kzHfxi72HM-HklyYrKwNlpL_6_EKopUmIDM1a61eUMH2AWFPTQE",
            lit,
        ),
        (
            "v2.eNqrVipRslLKzsxLsVIIyE-JyVNWeLF47vO962LylHSUipWsjHSUCoAqihKTs4EC6UpW1UouQY7O-XnFpbmJSTmpzokFicmZJZVKVmmJOcWptTpKSUDlaZkVqSlKtQD2-h_x",
            sample,
        ),
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
        for shared in [Shared::default(), sample(), lit()] {
            assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
        for length in 0..8 {
            let shared = Shared { text: "x".repeat(length), ..Shared::default() };
            assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
    }

    #[test]
    fn a_link_that_was_cut_or_changed_is_never_taken_for_another() {
        let whole = encode(&sample());
        for length in 0..whole.len() {
            let error = decode(whole.get(..length).unwrap()).unwrap_err();
            let wanted = if length == 0 { LinkError::Empty } else { LinkError::Truncated };
            assert_eq!(error, wanted, "{length} of {}", whole.len());
        }
        for at in VERSION_2.len()..whole.len() {
            let letter = whole.as_bytes()[at];
            let other = if letter == b'A' { 'B' } else { 'A' };
            let mut changed = whole.clone();
            changed.replace_range(at..=at, &other.to_string());
            // The last letter may hold bits that belong to nothing.
            if at + 1 < whole.len() || decode(&changed) != Ok(sample()) {
                assert!(decode(&changed).is_err(), "{changed}");
            }
        }
    }

    #[test]
    fn options_stand_beside_the_scenario() {
        let link = encode(&sample());
        let read = Fragment::parse(&format!(
            "#{link}&theme=dark&lang=zh-TW&panels=answer,%20rack,&step=2&readonly&later=1"
        ));
        assert_eq!(
            read,
            Fragment {
                shared: Some(Ok(sample())),
                step: Some(2),
                read_only: true,
                panels: vec!["answer".to_owned(), "rack".to_owned()],
                theme: Some("dark".to_owned()),
                language: Some("zh-TW".to_owned()),
                ..Fragment::default()
            }
        );
        assert_eq!(Fragment::parse(""), Fragment::default());
        let address = "https://host.example/a b.yaml?x=1&y=%";
        let read = Fragment::parse(&format!("src={}&height=auto", escape(address)));
        assert_eq!(read.source.as_deref(), Some(address));
        assert_eq!(read.height.as_deref(), Some("auto"));
        assert_eq!(read.shared, None);
        // Padding that another program added is no option.
        let read = Fragment::parse(&format!("{link}=="));
        assert_eq!(read.shared, Some(Ok(sample())));
        assert_eq!(Fragment::parse("v9.x").shared, Some(Err(LinkError::UnknownVersion)));
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
        let mut link = VERSION_1.to_owned();
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
            let _ = Fragment::parse(&fragment);
        }

        #[test]
        fn any_value_survives_escaping(value in ".*") {
            proptest::prop_assert_eq!(unescape(&escape(&value)), value);
        }

        #[test]
        fn any_text_survives(text in ".*") {
            let shared = Shared { text, ..Shared::default() };
            proptest::prop_assert_eq!(decode(&encode(&shared)), Ok(shared));
        }
    }
}
