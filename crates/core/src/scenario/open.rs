//! From a text to a scenario that can be run.

use std::rc::Rc;

use crate::api::{self, Kind, Object, ObjectValue, Options, Refusal, decode};
use crate::diagnostic::{self, Diagnostic};
use crate::features::{Behavior, Gates};
use crate::scheduler::Env;

use super::codes;
use super::document::{Document, Operation, read_document};
use super::expect::{LeadingComment, leading_comment};
use super::run::{Button, Input, run, run_plainly};
use super::settings::{Overrides, admission_gates, behavior};
use super::timeline::Timeline;

/// A text, read and ready to be run.
#[derive(Debug)]
pub struct Opened {
    /// The objects of the text, in text order; scenarios are among them.
    pub objects: Vec<Rc<Object>>,
    /// The objects of each step of the document; empty for steps that apply none.
    pub applied: Vec<Vec<Rc<Object>>>,
    /// The scenario document, when there is one.
    pub document: Option<Document>,
    /// The leading comment.
    pub comment: LeadingComment,
    /// The release, its gates, and whether bugs are corrected.
    pub behavior: Behavior,
    /// The gates of the API server, which decide what of the objects is kept.
    pub admission_gates: Gates,
    /// What is wrong or odd so far, in text order.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the API server says of an object when it is created: diagnostics, and [`Object::refused`]
/// when it does not take it.
pub type Admit<'a> = &'a dyn Fn(&mut Object, &mut Vec<Diagnostic>);

/// Reads a text as the release wants it that the text and the overrides name.
///
/// # Diagnostics
/// Those of reading, and of the scenario document.
pub fn open(text: &str, overrides: &Overrides) -> Opened {
    let comment = leading_comment(text);
    let mut options = Options::default();
    let mut read = api::read_with(text, &options);
    let mut diagnostics = Vec::new();
    let document = scenario_document(&read.objects, &mut diagnostics);
    let behavior =
        behavior(&read.objects, document.as_ref(), &comment, overrides, &mut diagnostics);
    let admission_gates = admission_gates(&behavior.gates, document.as_ref(), &mut diagnostics);
    if behavior.release.minor() != options.release.minor() {
        options.release = behavior.release;
        read = api::read_with(text, &options);
    }
    diagnostics.append(&mut read.diagnostics);
    let applied = applied_objects(text, document.as_ref(), options, &mut diagnostics);
    diagnostic::sort(&mut diagnostics);
    let objects = read.objects.into_iter().map(Rc::new).collect();
    Opened { objects, applied, document, comment, behavior, admission_gates, diagnostics }
}

/// The objects that steps apply.
fn applied_objects(
    text: &str,
    document: Option<&Document>,
    options: Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Vec<Rc<Object>>> {
    let steps = document.iter().flat_map(|document| &document.steps);
    steps
        .map(|step| match &step.operation {
            Operation::Apply(nodes) => nodes
                .iter()
                .flat_map(|node| decode::objects_from_node(text, node, 0, &options, diagnostics))
                .map(Rc::new)
                .collect(),
            Operation::Delete { .. }
            | Operation::Advance { .. }
            | Operation::Finish { .. }
            | Operation::SetConditions { .. } => Vec::new(),
        })
        .collect()
}

/// Names of attributes and capacities that are no C identifiers: only the API server minds them, so
/// that what the scheduler would do is worth showing.
fn is_misspelled_name(refusal: &Refusal) -> bool {
    let is_map = refusal.path.ends_with(".attributes") || refusal.path.ends_with(".capacity");
    is_map && refusal.text.contains("a valid C identifier")
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

impl Opened {
    /// Asks about every object, of the text and of steps.
    pub fn admit(&mut self, admit: Admit<'_>) {
        for object in self.objects.iter_mut().chain(self.applied.iter_mut().flatten()) {
            let object = Rc::make_mut(object);
            if object.kind != Kind::Scenario {
                admit(object, &mut self.diagnostics);
            }
            if !object.refusals.is_empty() && object.refusals.iter().all(is_misspelled_name) {
                object.refused = false;
            }
        }
        diagnostic::sort(&mut self.diagnostics);
    }

    /// Runs the scenario with its steps, then those made by buttons.
    pub fn run(&self, env: &Env, buttons: Vec<Button>) -> Timeline {
        run(&self.input(buttons), env)
    }

    /// The same without looking at what known bugs do to it.
    pub fn run_plainly(&self, env: &Env, buttons: Vec<Button>) -> Timeline {
        run_plainly(&self.input(buttons), env)
    }

    fn input(&self, buttons: Vec<Button>) -> Input<'_> {
        Input {
            objects: self.objects.clone(),
            applied: self.applied.clone(),
            document: self.document.as_ref(),
            comment: &self.comment,
            buttons,
            diagnostics: &self.diagnostics,
        }
    }
}
