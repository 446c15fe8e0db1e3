//! Text of the user, safe to show where signs may steer what shows them.

use std::fmt::Write;

/// The text with control signs, but line breaks and tabs, and signs that turn the direction of
/// writing as JSON and YAML escape them.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if steers(sign) {
            // Writing into a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(sign));
        } else {
            out.push(sign);
        }
    }
    out
}

/// The same where it changes anything.
pub fn made_visible(text: &str) -> Option<String> {
    text.chars().any(steers).then(|| visible(text))
}

/// Whether a sign does something to what shows it.
fn steers(sign: char) -> bool {
    if matches!(sign, ' '..='~') {
        return false;
    }
    let turns = matches!(
        sign,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    turns || sign.is_control() && !matches!(sign, '\n' | '\t')
}

/// The text of a file: UTF-8, or UTF-16 that says so at its start, as Kubernetes reads it.
///
/// What is neither becomes replacement characters; the analysis says what is wrong with it.
pub fn text_of(bytes: &[u8]) -> String {
    let units = |unit: fn([u8; 2]) -> u16| -> Vec<u16> {
        let pairs = bytes.chunks_exact(2).skip(1);
        pairs.filter_map(|pair| Some(unit(pair.try_into().ok()?))).collect()
    };
    match bytes {
        [0xff, 0xfe, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)),
        [0xfe, 0xff, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{made_visible, text_of, visible};

    #[test]
    fn only_what_steers_is_changed() {
        for text in ["plain\n\t\"\\", "\\u0041 \\b", "器 – é", ""] {
            assert_eq!((made_visible(text), visible(text)), (None, text.to_owned()));
        }
        for (text, seen) in [
            ("a\u{202e}b\u{2066}\u{7f}\u{9b}", "a\\u202eb\\u2066\\u007f\\u009b"),
            ("\u{7}\u{8}\u{c}\\\u{7}", "\\u0007\\u0008\\u000c\\\\u0007"),
        ] {
            assert_eq!((made_visible(text).as_deref(), &*visible(text)), (Some(seen), seen));
        }
    }

    #[test]
    fn files_in_other_encodings_are_read() {
        let text = "kind: Node # ä \u{1F600}\n";
        let little: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_le_bytes).collect();
        let big: Vec<u8> =
            [0xfeff].into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect();
        for bytes in [text.as_bytes(), &little, &big] {
            assert_eq!(text_of(bytes), text);
        }
        assert_eq!(text_of(b"a\xffb"), "a\u{fffd}b");
    }
}
