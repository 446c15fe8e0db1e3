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

/// JSON as `serde_json` writes it, so changed that its strings are read as [`visible`].
pub fn visible_json(json: String) -> String {
    let mut after = false;
    let changes = json.chars().any(|sign| {
        let escaped = after && matches!(sign, 'u' | 'b' | 'f');
        after = sign == '\\' && !after;
        escaped || steers(sign)
    });
    if !changes {
        return json;
    }
    let mut out = String::with_capacity(json.len());
    let mut after = false;
    for sign in json.chars() {
        match sign {
            // The backslash becomes one of the text.
            'u' if after => out.push_str("\\u"),
            'b' if after => out.push_str("\\u0008"),
            'f' if after => out.push_str("\\u000c"),
            _ if steers(sign) => {
                let _ = write!(out, "\\\\u{:04x}", u32::from(sign));
            }
            _ => out.push(sign),
        }
        after = sign == '\\' && !after;
    }
    out
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
    use super::{text_of, visible, visible_json};

    #[test]
    fn what_json_says_is_visible() {
        for text in [
            "plain\n\t\"\\",
            "\\u0041 \\b",
            "a\u{202e}b\u{2066}\u{7f}\u{9b}",
            "\u{7}\u{8}\u{c}\\\u{7}",
            "器 – é",
        ] {
            let json = visible_json(serde_json::to_string(text).unwrap());
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), visible(text));
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
