//! What stands in the text without being in the cluster: objects that are refused.

use std::rc::Rc;

use crate::api::{Kind, Object};
use crate::apimachinery::ObjectRef;
use crate::source::{LineIndex, Span};

use super::report::{Diagnostic, Severity};

/// The objects of the text with what was found in them.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
    pub text: &'a str,
    pub sources: &'a [Rc<Object>],
    pub diagnostics: &'a [Diagnostic],
    pub lines: &'a LineIndex,
}

/// An object that is written and refused.
#[derive(Clone, Debug)]
pub(super) struct Refused {
    pub object: ObjectRef,
    /// Why, in the words of the diagnostic.
    pub text: String,
    /// What is wrong.
    pub span: Span,
    /// The whole object.
    pub whole: Span,
}

impl Written<'_> {
    /// An object that is refused.
    pub(super) fn refused(&self, kind: Kind, namespace: &str, name: &str) -> Option<Refused> {
        self.all_refused()
            .find(|refused| {
                let object = &refused.object;
                let in_namespace = !kind.is_namespaced() || object.namespace == namespace;
                object.kind == kind.as_str() && object.name == name && in_namespace
            })
            .or_else(|| self.unreadable(kind, name))
    }

    /// A document that cannot be read and that seems to be the object, by two of its lines.
    fn unreadable(&self, kind: Kind, name: &str) -> Option<Refused> {
        let errors = self.diagnostics.iter().filter(|it| it.severity == Severity::Error);
        errors.map(|found| (found, self.span(found))).find_map(|(found, span)| {
            let is_read = |object: &Rc<Object>| {
                object.span.start <= span.start && span.start < object.span.end
            };
            if self.sources.iter().any(is_read) {
                return None;
            }
            let (before, after) = self.text.split_at_checked(span.start as usize)?;
            let start = before.rfind("\n---").map_or(0, |at| at + 1);
            let end = after.find("\n---").map_or(self.text.len(), |at| before.len() + at);
            let document = self.text.get(start..end)?;
            let mut lines = document.lines().map(str::trim);
            let is_kind =
                lines.any(|line| line.strip_prefix("kind:").map(str::trim) == Some(kind.as_str()));
            let mut named = document.split("name:").skip(1);
            let is_named = named.any(|rest| {
                let rest = rest.trim_start().trim_start_matches(['"', '\'']);
                let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "-.".contains(c)));
                rest.get(..end.unwrap_or(rest.len())) == Some(name)
            });
            let whole = Span { start: u32::try_from(start).ok()?, end: u32::try_from(end).ok()? };
            let object = ObjectRef {
                kind: kind.as_str().to_owned(),
                namespace: String::new(),
                name: name.to_owned(),
            };
            let text = found.message.clone();
            (is_kind && is_named).then_some(Refused { object, text, span, whole })
        })
    }

    fn span(&self, found: &Diagnostic) -> Span {
        Span { start: self.lines.byte(found.range.from), end: self.lines.byte(found.range.to) }
    }

    /// All objects that are refused, in text order. One of which another version is accepted is not.
    pub(super) fn all_refused(&self) -> impl Iterator<Item = Refused> {
        let accepted = |object: &Object| {
            self.sources.iter().any(|other| !other.refused && other.key() == object.key())
        };
        let refused = self.sources.iter().filter(|object| object.refused);
        refused.filter(move |object| !accepted(object)).map(|object| self.why(object))
    }

    /// Another namespace in which there is an object of that name.
    pub(super) fn elsewhere(&self, kind: Kind, namespace: &str, name: &str) -> Option<&Object> {
        let sources = self.sources.iter().map(Rc::as_ref);
        let mut others = sources.filter(|object| {
            object.kind == kind && object.name() == name && object.namespace() != namespace
        });
        others.next()
    }

    fn why(&self, object: &Object) -> Refused {
        let inside = |span: Span| object.span.start <= span.start && span.end <= object.span.end;
        let mut errors = self
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error && inside(self.span(found)));
        let (object_ref, whole) = (object.key(), object.span);
        if let Some(found) = errors.next() {
            let (text, span) = (found.message.clone(), self.span(found));
            return Refused { object: object_ref, text, span, whole };
        }
        let (text, span) = match object.refusals.first() {
            Some(refusal) => (refusal.text.clone(), object.spans.mark(&refusal.path)),
            None => (String::new(), object.name_span()),
        };
        Refused { object: object_ref, text, span, whole }
    }
}
