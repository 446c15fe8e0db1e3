//! From a text to a scenario that can be run.

use std::rc::Rc;

use crate::api::{self, Kind, Object, ObjectValue, Options, decode};
use crate::diagnostic::{self, Diagnostic};
use crate::features::Behavior;
use crate::scheduler::Env;

use super::codes;
use super::document::{Document, read_document};
use super::expect::{LeadingComment, leading_comment};
use super::run::{Button, Input, run};
use super::settings::{Overrides, behavior};
use super::timeline::Timeline;

/// A text, read and ready to be run.
#[derive(Debug)]
pub struct Opened<'t> {
    text: &'t str,
    options: Options,
    /// The objects of the text, in text order; scenarios are among them.
    pub objects: Vec<Object>,
    /// The scenario document, when there is one.
    pub document: Option<Document>,
    /// The leading comment.
    pub comment: LeadingComment,
    /// The release, its gates, and whether bugs are corrected.
    pub behavior: Behavior,
    /// What is wrong or odd so far, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the API server says of an object when it is created: diagnostics, and
/// [`Object::refused`] when it does not take it.
pub type Admit<'a> = &'a dyn Fn(&mut Object, &mut Vec<Diagnostic>);

/// Reads a text as the release wants it that the text and the overrides name.
///
/// # Diagnostics
/// Those of reading, and of the scenario document.
pub fn open<'t>(text: &'t str, overrides: &Overrides) -> Opened<'t> {
    let comment = leading_comment(text);
    let mut options = Options::default();
    let mut read = api::read_with(text, &options);
    let mut found = Vec::new();
    let document = scenario_document(&read.objects, &mut found);
    let behavior = behavior(document.as_ref(), &comment, overrides, &mut found);
    if behavior.release.minor() != options.release.minor() {
        options.release = behavior.release;
        read = api::read_with(text, &options);
    }
    let mut diagnostics = read.diagnostics;
    diagnostics.append(&mut found);
    diagnostic::sort(&mut diagnostics);
    Opened { text, options, objects: read.objects, document, comment, behavior, diagnostics }
}

/// The first scenario document; further ones are reported.
fn scenario_document(objects: &[Object], diagnostics: &mut Vec<Diagnostic>) -> Option<Document> {
    let mut first: Option<Document> = None;
    for object in objects.iter().filter(|object| object.kind == Kind::Scenario) {
        let ObjectValue::Scenario(root) = &object.value else { continue };
        if let Some(first) = &first {
            diagnostics.push(codes::repeated(first.span, object.span));
        } else {
            let mut document = read_document(root, diagnostics);
            document.span = object.span;
            first = Some(document);
        }
    }
    first
}

impl Opened<'_> {
    /// Asks the API server about every object of the text.
    pub fn admit(&mut self, admit: Admit<'_>) {
        for object in &mut self.objects {
            if object.kind != Kind::Scenario {
                admit(object, &mut self.diagnostics);
            }
        }
        diagnostic::sort(&mut self.diagnostics);
    }

    /// Runs the scenario with its steps, then those made by buttons. Objects that steps apply are
    /// admitted like those of the text.
    pub fn run(&self, env: &Env, buttons: Vec<Button>, admit: Admit<'_>) -> Timeline {
        let decode = |node: &crate::yaml::Node, diagnostics: &mut Vec<Diagnostic>| {
            let mut objects =
                decode::objects_from_node(self.text, node, 0, &self.options, diagnostics);
            for object in &mut objects {
                admit(object, diagnostics);
            }
            objects
        };
        let input = Input {
            objects: self.objects.iter().cloned().map(Rc::new).collect(),
            document: self.document.as_ref(),
            comment: &self.comment,
            buttons,
            diagnostics: &self.diagnostics,
        };
        run(input, env, &decode)
    }
}
