use std::fmt;

/// What kind of mistake a field holds. Source: `apimachinery/pkg/util/validation/field ErrorType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldErrorKind {
    /// The value is missing.
    Required,
    /// The value is malformed.
    Invalid,
    /// The value is none of those that are allowed.
    NotSupported,
    /// The value occurs twice.
    Duplicate,
    /// The value is not permitted here.
    Forbidden,
    /// The text is too long.
    TooLong,
    /// The list or map has too many entries.
    TooMany,
    /// The value refers to something that is not there.
    NotFound,
}

/// A mistake in a field, printed as the API server prints it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field, e.g. `spec.devices[3].attributes[dra.example.com/x]`.
    pub path: String,
    /// What kind of mistake it is.
    pub kind: FieldErrorKind,
    /// The value as the error prints it; empty for kinds that show none.
    pub value: String,
    /// What is wrong, verbatim; may be empty.
    pub detail: String,
}

impl FieldError {
    /// A missing value.
    pub fn required(path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(path, FieldErrorKind::Required, String::new(), detail)
    }

    /// A malformed value; `value` is text, printed in quotes.
    pub fn invalid(path: impl Into<String>, value: &str, detail: impl Into<String>) -> Self {
        Self::new(path, FieldErrorKind::Invalid, quote(value), detail)
    }

    /// A malformed value that is printed as it is: a number, `null` or JSON.
    pub fn invalid_raw(
        path: impl Into<String>,
        value: impl fmt::Display,
        detail: impl Into<String>,
    ) -> Self {
        Self::new(path, FieldErrorKind::Invalid, value.to_string(), detail)
    }

    /// A value outside a list of words.
    pub fn not_supported(path: impl Into<String>, value: &str, supported: &[&str]) -> Self {
        let supported: Vec<String> = supported.iter().map(|word| quote(word)).collect();
        let detail = format!("supported values: {}", supported.join(", "));
        Self::new(path, FieldErrorKind::NotSupported, typed(value), detail)
    }

    /// A malformed value of a type with a name of its own, which is printed as JSON.
    pub fn invalid_word(path: impl Into<String>, value: &str, detail: impl Into<String>) -> Self {
        Self::new(path, FieldErrorKind::Invalid, typed(value), detail)
    }

    /// A value that occurs twice.
    pub fn duplicate(path: impl Into<String>, value: &str) -> Self {
        Self::new(path, FieldErrorKind::Duplicate, quote(value), "")
    }

    /// A value that is not permitted here.
    pub fn forbidden(path: impl Into<String>, detail: impl Into<String>) -> Self {
        Self::new(path, FieldErrorKind::Forbidden, String::new(), detail)
    }

    /// A text of more than `limit` bytes.
    pub fn too_long(path: impl Into<String>, limit: usize) -> Self {
        let detail = format!("may not be more than {limit} bytes");
        Self::new(path, FieldErrorKind::TooLong, String::new(), detail)
    }

    /// A list or map of more than `limit` entries.
    pub fn too_many(path: impl Into<String>, count: usize, limit: usize) -> Self {
        let detail = format!("must have at most {limit} items");
        Self::new(path, FieldErrorKind::TooMany, count.to_string(), detail)
    }

    /// A reference to nothing.
    pub fn not_found(path: impl Into<String>, value: &str, detail: impl Into<String>) -> Self {
        Self::new(path, FieldErrorKind::NotFound, quote(value), detail)
    }

    fn new(
        path: impl Into<String>,
        kind: FieldErrorKind,
        value: String,
        detail: impl Into<String>,
    ) -> Self {
        Self { path: path.into(), kind, value, detail: detail.into() }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            FieldErrorKind::Required => "Required value",
            FieldErrorKind::Invalid => "Invalid value",
            FieldErrorKind::NotSupported => "Unsupported value",
            FieldErrorKind::Duplicate => "Duplicate value",
            FieldErrorKind::Forbidden => "Forbidden",
            FieldErrorKind::TooLong => "Too long",
            FieldErrorKind::TooMany => "Too many",
            FieldErrorKind::NotFound => "Not found",
        };
        write!(f, "{}: {kind}", self.path)?;
        if !self.value.is_empty() {
            write!(f, ": {}", self.value)?;
        }
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        Ok(())
    }
}

/// Several errors as one text, each once. Source: `apimachinery/pkg/util/errors Aggregate`.
pub fn aggregate(errors: &[FieldError]) -> String {
    let mut texts: Vec<String> = Vec::new();
    for error in errors {
        let text = error.to_string();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    match texts.as_slice() {
        [single] => single.clone(),
        _ => format!("[{}]", texts.join(", ")),
    }
}

/// A text as Go's JSON encoder writes it.
fn typed(text: &str) -> String {
    go_json(&serde_json::Value::from(text).to_string())
}

/// JSON with the escapes that Go's encoder adds.
pub(crate) fn go_json(json: &str) -> String {
    let escaped = [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")];
    let escaped = escaped.into_iter().chain([('\u{2028}', "\\u2028"), ('\u{2029}', "\\u2029")]);
    escaped.fold(json.to_owned(), |json, (c, escape)| json.replace(c, escape))
}

/// Whether Go prints the character as it is: letters, marks, digits, punctuation, symbols, space.
fn is_printable(c: char) -> bool {
    // Rust has the same rule, but escapes marks where they have nothing to stand on.
    c.is_ascii() || format!("a{c}").escape_debug().count() == 2
}

/// A text in double quotes as Go's `%q` prints it.
pub fn quote(text: &str) -> String {
    use fmt::Write;
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        let _ = match c {
            '"' => write!(out, "\\\""),
            '\\' => write!(out, "\\\\"),
            '\n' => write!(out, "\\n"),
            '\r' => write!(out, "\\r"),
            '\t' => write!(out, "\\t"),
            '\u{7}' => write!(out, "\\a"),
            '\u{8}' => write!(out, "\\b"),
            '\u{c}' => write!(out, "\\f"),
            '\u{b}' => write!(out, "\\v"),
            c if u32::from(c) < 0x20 || c == '\u{7f}' => write!(out, "\\x{:02x}", u32::from(c)),
            c if is_printable(c) => write!(out, "{c}"),
            c if u32::from(c) < 0x1_0000 => write!(out, "\\u{:04x}", u32::from(c)),
            c => write!(out, "\\U{:08x}", u32::from(c)),
        };
    }
    out.push('"');
    out
}
