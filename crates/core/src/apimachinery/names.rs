//! Formats of names, with the API server's words for what is wrong.
//!
//! Each function gives the faults of a text, none when it is fine.
//! Source: `apimachinery/pkg/api/validate/content`.

/// Longest RFC 1123 label, in bytes.
pub const LABEL_MAX: usize = 63;
/// Longest RFC 1123 subdomain, in bytes.
pub const SUBDOMAIN_MAX: usize = 253;
/// Longest C identifier of an attribute or capacity, in bytes.
pub const IDENTIFIER_MAX: usize = 32;

const LABEL_FORMAT: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const LABEL_WORDS: &str = "a lowercase RFC 1123 label must consist of lower case alphanumeric \
    characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_FORMAT: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const SUBDOMAIN_WORDS: &str = "a lowercase RFC 1123 subdomain must consist of lower case \
    alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const KEY_FORMAT: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const KEY_WORDS: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must \
    start and end with an alphanumeric character";
const VALUE_FORMAT: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";
const VALUE_WORDS: &str = "a valid label must be an empty string or consist of alphanumeric \
    characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const IDENTIFIER_FORMAT: &str = "[A-Za-z_][A-Za-z0-9_]*";
const IDENTIFIER_WORDS: &str = "a valid C identifier must start with alphabetic character or \
    '_', followed by a string of alphanumeric characters or '_'";

/// Faults of an RFC 1123 label.
pub fn label_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > LABEL_MAX {
        faults.push(too_long(LABEL_MAX));
    }
    if !is_label(text) {
        faults.push(if is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            wrong_format(LABEL_WORDS, LABEL_FORMAT, &["my-name", "123-abc"])
        });
    }
    faults
}

/// Faults of a lower-case RFC 1123 subdomain.
pub fn subdomain_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > SUBDOMAIN_MAX {
        faults.push(too_long(SUBDOMAIN_MAX));
    }
    if !is_subdomain(text) {
        faults.push(wrong_format(SUBDOMAIN_WORDS, SUBDOMAIN_FORMAT, &["example.com"]));
    }
    faults
}

/// Faults of a label key: `name` or `prefix/name`.
pub fn label_key_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    let examples = &["MyName", "my.name", "123-abc"];
    let name = match text.split_once('/') {
        None => text,
        Some((_, name)) if name.contains('/') => {
            let words = wrong_format(KEY_WORDS, KEY_FORMAT, examples);
            return vec![format!(
                "a valid label key {words} with an optional DNS subdomain prefix and '/' (e.g. \
                 'example.com/MyName')"
            )];
        }
        Some(("", name)) => {
            faults.push("prefix part must be non-empty".to_owned());
            name
        }
        Some((prefix, name)) => {
            faults.extend(subdomain_faults(prefix).iter().map(|f| format!("prefix part {f}")));
            name
        }
    };
    if name.is_empty() {
        faults.push("name part must be non-empty".to_owned());
    } else if name.len() > LABEL_MAX {
        faults.push(format!("name part {}", too_long(LABEL_MAX)));
    }
    if !is_key_name(name) {
        faults.push(format!("name part {}", wrong_format(KEY_WORDS, KEY_FORMAT, examples)));
    }
    faults
}

/// Faults of a label value.
pub fn label_value_faults(text: &str) -> Vec<String> {
    let mut faults = Vec::new();
    if text.len() > LABEL_MAX {
        faults.push(too_long(LABEL_MAX));
    }
    if !text.is_empty() && !is_key_name(text) {
        faults.push(wrong_format(VALUE_WORDS, VALUE_FORMAT, &["MyValue", "my_value", "12345"]));
    }
    faults
}

/// Faults of a C identifier, length apart.
pub fn identifier_faults(text: &str) -> Vec<String> {
    let mut bytes = text.bytes();
    let starts = bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_');
    if starts && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        return Vec::new();
    }
    vec![wrong_format(IDENTIFIER_WORDS, IDENTIFIER_FORMAT, &["my_name", "MY_NAME", "MyName"])]
}

/// Whether the text is a semantic version 2.0.0 with all three numbers.
pub fn is_semver(text: &str) -> bool {
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    let (core, pre) = match text.split_once('-') {
        Some((core, pre)) => (core, Some(pre)),
        None => (text, None),
    };
    let number = |part: &str| {
        !part.is_empty()
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part == "0" || !part.starts_with('0'))
    };
    let word = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let pre_part =
        |part: &str| word(part) && (number(part) || !part.bytes().all(|b| b.is_ascii_digit()));
    core.split('.').count() == 3
        && core.split('.').all(number)
        && pre.is_none_or(|pre| pre.split('.').all(pre_part))
        && build.is_none_or(|build| build.split('.').all(word))
}

fn is_label(text: &str) -> bool {
    let inner = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    !text.is_empty() && text.bytes().all(inner) && !text.starts_with('-') && !text.ends_with('-')
}

fn is_subdomain(text: &str) -> bool {
    text.split('.').all(is_label)
}

fn is_key_name(text: &str) -> bool {
    let edge = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_alphanumeric());
    let inner = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    edge(text.bytes().next()) && edge(text.bytes().next_back()) && text.bytes().all(inner)
}

fn too_long(limit: usize) -> String {
    format!("must be no more than {limit} bytes")
}

fn wrong_format(words: &str, format: &str, examples: &[&str]) -> String {
    let examples: Vec<String> = examples.iter().map(|example| format!("'{example}', ")).collect();
    format!("{words} (e.g. {}regex used for validation is '{format}')", examples.join(" or "))
}
