use serde_json::Value;

/// Writes a value as block YAML in the layout of `kubectl -o yaml`: sorted keys, lists at the
/// column of their key. Strings that any YAML 1.1 reader could take for something else are quoted.
pub(super) fn yaml(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, 0, &mut out);
    out
}

/// Writes a value that begins on its own line.
fn write_value(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (index, (key, value)) in map.iter().enumerate() {
                if index > 0 {
                    pad(indent, out);
                }
                out.push_str(&scalar(key));
                out.push(':');
                write_member(value, indent, out);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    pad(indent, out);
                }
                out.push_str("- ");
                write_value(item, indent + 2, out);
            }
        }
        _ => {
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

/// Writes what follows `key:`.
fn write_member(value: &Value, indent: usize, out: &mut String) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            out.push('\n');
            pad(indent + 2, out);
            write_value(value, indent + 2, out);
        }
        Value::Array(items) if !items.is_empty() => {
            out.push('\n');
            pad(indent, out);
            write_value(value, indent, out);
        }
        _ => {
            out.push(' ');
            out.push_str(&plain(value));
            out.push('\n');
        }
    }
}

fn pad(indent: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', indent));
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => scalar(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

fn scalar(text: &str) -> String {
    // A JSON string is a double-quoted YAML scalar.
    if needs_quotes(text) { Value::from(text).to_string() } else { text.to_owned() }
}

fn needs_quotes(text: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | '-');
    let safe_inside =
        text.chars().all(|c| is_word(c) || matches!(c, ' ' | ':' | ',' | '(' | ')' | '+' | '='));
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_');
    let ends_well = text.ends_with(is_word);
    if !starts_well {
        // Amounts such as `40Gi` and UUIDs begin with a digit and are still text.
        return !(ends_well && safe_inside && !text.contains(": ") && digits_then_text(text));
    }
    !ends_well || !safe_inside || text.contains(": ") || text.contains(" :") || is_yaml_word(text)
}

/// Whether a text that begins with a digit can be taken for nothing but text.
fn digits_then_text(text: &str) -> bool {
    if !text.starts_with(|c: char| c.is_ascii_digit()) || text.contains(':') {
        return false;
    }
    // Every number of YAML 1.1 (octal, hexadecimal, binary, underscores, exponents) and every date
    // lacks a letter of this kind.
    text.chars().any(|c| matches!(c, 'g'..='w' | 'G'..='W' | 'y'..='z' | 'Y'..='Z') && c != 'o')
        || (text.matches('-').count() == 4 && text.len() == 36)
}

/// Words that YAML 1.1 reads as booleans, null or special numbers.
fn is_yaml_word(text: &str) -> bool {
    const WORDS: [&str; 10] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan"];
    let lower = text.to_ascii_lowercase();
    WORDS.contains(&lower.as_str()) || lower == "inf"
}
