//! What is wrong or odd in the user's text, with its place and what to do about it.
//!
//! A stage that finds something declares its [`Code`]s in its own `codes.rs` and pushes
//! [`Diagnostic`]s beside a best-effort value; nothing here knows YAML, CEL or Kubernetes.

mod look_alike;
mod render;
mod words;

use dra_playground_cel::order::Order;

use crate::source::Span;

pub use look_alike::look_alikes;
pub use render::render;
pub use words::translate;

#[cfg(test)]
mod tests;

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The object is not used, or the API server would refuse it.
    Error,
    /// It works, but probably not as meant.
    Warning,
    /// Worth knowing.
    Note,
}

/// A kind of diagnostic, declared once beside the stage that emits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Code {
    /// Stable kebab-case name, e.g. `unknown-field`; also the name of its page in
    /// `docs/diagnostics`.
    pub name: &'static str,
    /// Severity unless the diagnostic says otherwise.
    pub severity: Severity,
}

impl Code {
    /// A code for errors.
    pub const fn error(name: &'static str) -> Self {
        Self { name, severity: Severity::Error }
    }

    /// A code for warnings.
    pub const fn warning(name: &'static str) -> Self {
        Self { name, severity: Severity::Warning }
    }

    /// A code for notes.
    pub const fn note(name: &'static str) -> Self {
        Self { name, severity: Severity::Note }
    }
}

/// A place and a word on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is there; may be empty for the primary place.
    pub text: String,
}

/// A change of the text that mends the problem.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fix {
    /// What a button for it says, e.g. ``remove `basic` ``.
    pub title: String,
    /// Edits, not overlapping, in text order.
    pub edits: Vec<TextEdit>,
    /// Whether it surely does what the user meant.
    pub safe: bool,
}

impl Fix {
    /// A fix by one edit.
    pub fn new(title: impl Into<String>, span: Span, text: impl Into<String>, safe: bool) -> Self {
        Self { title: title.into(), edits: vec![TextEdit { span, text: text.into() }], safe }
    }

    /// The text after the fix.
    pub fn apply(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for edit in &self.edits {
            out.push_str(Span { start: done, end: edit.span.start.max(done) }.text(text));
            out.push_str(&edit.text);
            done = edit.span.end.max(done);
        }
        out.push_str(text.get(done as usize..).unwrap_or_default());
        out
    }
}

/// Replaces a span of the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextEdit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What is written instead.
    pub text: String,
}

/// Something wrong or odd in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of problem it is.
    pub code: Code,
    /// How bad it is here.
    pub severity: Severity,
    /// One line that makes sense alone: lower-case start, no final period.
    pub message: String,
    /// The place.
    pub primary: Label,
    /// Further places with a word on each.
    pub secondary: Vec<Label>,
    /// Causes and help, one line each.
    pub notes: Vec<String>,
    /// Possible changes, the best first.
    pub fixes: Vec<Fix>,
    /// What the API server or kubectl would print, verbatim.
    pub upstream: Option<String>,
}

impl Diagnostic {
    /// A diagnostic at a place.
    pub fn new(code: Code, message: impl Into<String>, span: Span) -> Self {
        Self {
            code,
            severity: code.severity,
            message: message.into(),
            primary: Label { span, text: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            fixes: Vec::new(),
            upstream: None,
        }
    }

    /// Says something on the primary place.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Adds a further place.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a cause or help.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds a possible change, if there is one.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.fixes.extend(fix.into());
        self
    }

    /// Asks whether a word was meant, and offers it as `text` in its place.
    #[must_use]
    pub fn propose(self, meant: &str, text: impl Into<String>, span: Span, safe: bool) -> Self {
        let fix = Fix::new(format!("write `{meant}`"), span, text, safe);
        self.note(format!("did you mean `{meant}`?")).fix(fix)
    }

    /// Says what the API server or kubectl would print.
    #[must_use]
    pub fn upstream(mut self, text: impl Into<String>) -> Self {
        self.upstream = Some(text.into());
        self
    }

    /// Whether it is an error.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// Orders by position, severity, code and message, and merges equal ones.
pub fn sort(diagnostics: &mut Vec<Diagnostic>) {
    diagnostics.order_by(|a, b| order(a).cmp(&order(b)));
    diagnostics.dedup();
}

fn order(diagnostic: &Diagnostic) -> (Span, Severity, &str, &str) {
    let Diagnostic { primary, severity, code, message, .. } = diagnostic;
    (primary.span, *severity, code.name, message)
}

/// The candidate closest to `name`, when it is close enough to be a slip of the hand.
pub fn did_you_mean<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).clamp(1, 3);
    let own = words(name);
    // The same words in another order, or a name with its domain, are as good as one slip.
    let within = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.starts_with('.'))
    };
    let apart = |candidate: &str| {
        let same = own.len() > 1 && words(candidate) == own
            || within(candidate, name)
            || within(name, candidate);
        if same { 1 } else { distance(name, candidate, limit) }
    };
    candidates
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (apart(candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, candidate)| candidate)
}

/// The closest field, or else the only one that begins with at least four letters of the name.
pub fn did_you_mean_field<'a>(name: &str, fields: &[&'a str]) -> Option<&'a str> {
    did_you_mean(name, fields.iter().copied()).or_else(|| {
        let mut longer = fields.iter().filter(|field| field.starts_with(name));
        let only = longer.next().filter(|_| name.len() >= 4);
        only.filter(|_| longer.next().is_none()).copied()
    })
}

/// The candidate that has the same name in another domain, without one or in other letters, or else
/// the closest.
pub fn did_you_mean_qualified<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let id = |name: &str| name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let wanted = id(name);
    let same = candidates.iter().copied().find(|candidate| id(candidate) == wanted);
    same.or_else(|| did_you_mean(name, candidates.iter().copied()))
}

/// The words of a name such as `rdma-dranet`, in order of letters.
fn words(name: &str) -> Vec<&str> {
    let mut words: Vec<&str> = name.split(|c: char| !c.is_alphanumeric()).collect();
    words.order();
    words
}

/// Edit distance with swapped neighbors as one edit and case for free; `limit + 1` when larger.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let a: Vec<char> = a.chars().take(128).flat_map(char::to_lowercase).collect();
    let b: Vec<char> = b.chars().take(128).flat_map(char::to_lowercase).collect();
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, cb) in b.iter().enumerate() {
            let at = |row: &[usize], idx: usize| row.get(idx).copied().unwrap_or(usize::MAX - 1);
            let mut best = at(&last, j) + usize::from(ca != cb);
            best = best.min(at(&last, j + 1) + 1).min(at(&row, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(cb) && b.get(j - 1) == Some(ca);
            if swapped {
                best = best.min(at(&before, j - 1) + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}
