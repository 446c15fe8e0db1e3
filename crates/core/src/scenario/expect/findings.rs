use std::rc::Rc;

use crate::api::Object;
use crate::diagnostic::{Diagnostic, Severity};
use crate::scenario::run::split_name;
use crate::source::Span;

/// What was found in the text, to be looked up by object.
pub(in crate::scenario) struct Findings<'a> {
    pub(in crate::scenario) sources: &'a [Rc<Object>],
    pub(in crate::scenario) diagnostics: &'a [Diagnostic],
}

impl Findings<'_> {
    /// Whether an object is refused with an error at a path.
    pub(super) fn invalid(&self, kind: &str, name: &str, path: Option<&str>) -> Result<(), String> {
        let object = self.object(kind, name)?;
        let errors: Vec<&Diagnostic> =
            self.of(object).filter(|found| found.severity == Severity::Error).collect();
        let at_path = |found: &&&Diagnostic| path.is_none_or(|path| is_at(object, path, found));
        if errors.iter().any(|found| at_path(&found)) {
            return Ok(());
        }
        let words: Vec<&str> = errors.iter().map(|found| found.message.as_str()).collect();
        Err(if words.is_empty() { "no error".to_owned() } else { words.join("; ") })
    }

    /// Whether a warning concerns an object.
    pub(super) fn warn(&self, kind: &str, name: &str) -> Result<(), String> {
        let object = self.object(kind, name)?;
        let is_warned = self.of(object).any(|found| found.severity == Severity::Warning);
        if is_warned { Ok(()) } else { Err("no warning".to_owned()) }
    }

    fn object(&self, kind: &str, name: &str) -> Result<&Object, String> {
        let (namespace, bare) = split_name(name);
        let mut found = self.sources.iter().filter(|object| {
            object.kind.as_str() == kind
                && object.name() == bare
                && namespace.is_none_or(|namespace| object.namespace() == namespace)
        });
        match (found.next(), found.next()) {
            (Some(object), None) => Ok(object),
            (None, _) => Err(format!("there is no {kind} `{name}` in the text")),
            (Some(_), Some(_)) => Err(format!("{kind} `{name}` is ambiguous")),
        }
    }

    /// What concerns an object, as its place or as a further one.
    fn of(&self, object: &Object) -> impl Iterator<Item = &Diagnostic> {
        let span = object.span;
        self.diagnostics.iter().filter(move |found| {
            let inside = |place: Span| !place.is_empty() && span.contains(place);
            inside(found.primary.span) || found.secondary.iter().any(|label| inside(label.span))
        })
    }
}

/// Whether a diagnostic is about a field: at the field, or, when the field is not written, at what is
/// written of the path, with the field's name in the message.
fn is_at(object: &Object, path: &str, found: &Diagnostic) -> bool {
    let at = |field: crate::api::FieldSpan| {
        field.key.contains(found.primary.span) || field.value.contains(found.primary.span)
    };
    if let Some(field) = object.spans.get(path) {
        at(field)
    } else {
        let last = path.rsplit(['.', '[']).next().unwrap_or_default().trim_end_matches(']');
        at(object.spans.nearest(path)) && found.message.contains(last)
    }
}
