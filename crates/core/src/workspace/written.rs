//! What stands in the text without being in the cluster: objects that are refused.

use std::rc::Rc;

use crate::api::{Kind, Object};
use crate::apimachinery::ObjectRef;
use crate::source::{LineIndex, Span};

use super::report::{Diagnostic, Severity};

/// The objects of the text with what was found in them.
#[derive(Clone, Copy)]
pub(super) struct Written<'a> {
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
        self.all_refused().find(|refused| {
            let object = &refused.object;
            let in_namespace = !kind.is_namespaced() || object.namespace == namespace;
            object.kind == kind.as_str() && object.name == name && in_namespace
        })
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
        let span = |found: &Diagnostic| Span {
            start: self.lines.byte(found.range.from),
            end: self.lines.byte(found.range.to),
        };
        let inside = |span: Span| object.span.start <= span.start && span.end <= object.span.end;
        let mut errors = self
            .diagnostics
            .iter()
            .filter(|found| found.severity == Severity::Error && inside(span(found)));
        let (object_ref, whole) = (object.key(), object.span);
        if let Some(found) = errors.next() {
            let (text, span) = (found.message.clone(), span(found));
            return Refused { object: object_ref, text, span, whole };
        }
        let (text, span) = match object.refusals.first() {
            Some(refusal) => (refusal.text.clone(), object.spans.mark(&refusal.path)),
            None => (String::new(), object.name_span()),
        };
        Refused { object: object_ref, text, span, whole }
    }
}
