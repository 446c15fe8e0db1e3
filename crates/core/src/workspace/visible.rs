//! Text of the user, safe to show where signs may steer what shows them.

use std::fmt::Write;

/// The text with control signs, but line breaks and tabs, and signs that turn the direction of
/// writing as JSON and YAML escape them.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        let turns = matches!(
            sign,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        if turns || sign.is_control() && !matches!(sign, '\n' | '\t') {
            // Writing into a string cannot fail.
            let _ = write!(out, "\\u{:04x}", u32::from(sign));
        } else {
            out.push(sign);
        }
    }
    out
}
