//! A scenario from its first object to its last step.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{Kind, Object as Read, ObjectValue};
use crate::apimachinery::{Condition, ObjectRef};
use crate::cluster::{Cluster, Made, Origin, format_time};
use crate::diagnostic::Diagnostic;
use crate::scheduler::{Attempt, Env};
use crate::source::Span;

use super::codes;
use super::document::{Document, Operation, Placed, Step};
use super::expect::{Checker, Findings, LeadingComment};
use super::hypothetical;
use super::known_bugs;
use super::notices;
use super::objects::{changed_for_good, delete, find, latest_time, put};
use super::simulation::Simulation;
use super::timeline::{Event, EventKind, OperationKind, Remark, StepRecord, Timeline};

/// What a scenario is made of.
#[derive(Debug)]
pub struct Input<'a> {
    /// The objects of the text, in text order. Those that the API server would refuse are left out.
    pub objects: Vec<Rc<Read>>,
    /// The objects of each step of the document.
    pub applied: Vec<Vec<Rc<Read>>>,
    /// The scenario document, when there is one.
    pub document: Option<&'a Document>,
    /// The leading comment with its expectations.
    pub comment: &'a LeadingComment,
    /// Steps made by buttons; they come after those of the document.
    pub buttons: Vec<Button>,
    /// What was found in the text so far, for expectations about it.
    pub diagnostics: &'a [Diagnostic],
}

/// A step made by a button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Button {
    /// Delete an object.
    Delete(ObjectRef),
    /// Apply the object of the text again.
    PutBack(ObjectRef),
}

/// Runs a scenario. Nothing in it is an error: a step that cannot be done says why.
pub fn run(input: &Input<'_>, env: &Env) -> Timeline {
    let mut timeline = run_plainly(input, env);
    known_bugs::remark(input, env, &mut timeline);
    timeline
}

/// Runs a scenario without looking at what known bugs do to it.
pub(super) fn run_plainly(input: &Input<'_>, env: &Env) -> Timeline {
    let cluster = Cluster { epoch_seconds: latest_time(&input.objects), ..Cluster::default() };
    let mut runner = Runner {
        simulation: Simulation {
            cluster,
            env,
            step: 0,
            attempts: Vec::new(),
            events: Vec::new(),
            evicted: Vec::new(),
            work: 0,
            left_out: 0,
        },
        timeline: Timeline { sources: input.objects.clone(), ..Timeline::default() },
        last_attempts: BTreeMap::new(),
        known: input.diagnostics,
    };
    runner.objects(&input.comment.expected, input.document);
    let mut applied = input.applied.iter();
    for step in input.document.iter().flat_map(|document| &document.steps) {
        runner.step(step, applied.next().cloned().unwrap_or_default());
    }
    for button in &input.buttons {
        runner.button(button);
    }
    if runner.simulation.left_out > 0 {
        runner.timeline.remarks.push(notices::too_much(runner.simulation.left_out));
    }
    notices::preview_rules(&runner.simulation.cluster, env, &mut runner.timeline);
    runner.timeline
}

struct Runner<'a> {
    simulation: Simulation<'a>,
    timeline: Timeline,
    /// The last attempt that concerned each claim and Pod.
    last_attempts: BTreeMap<ObjectRef, Rc<Attempt>>,
    known: &'a [Diagnostic],
}

/// A step as it is recorded.
struct Label {
    name: String,
    operation: OperationKind,
    span: Option<Span>,
    problem: Option<String>,
}

impl Runner<'_> {
    fn objects(&mut self, expected: &[Placed<String>], document: Option<&Document>) {
        let objects: Vec<Rc<Read>> = self.timeline.sources.clone();
        for (source, object) in objects.iter().enumerate() {
            if object.refused || object.kind == Kind::Scenario {
                continue;
            }
            let origin = Origin { source: Some(source), made: Made::Written };
            put(&mut self.simulation.cluster, 0, object, origin);
        }
        let mut remarks: Vec<Remark> = Vec::new();
        hypothetical::complete(&mut self.simulation.cluster, &mut remarks);
        self.timeline.remarks.extend(remarks);
        notices::check(&self.simulation.cluster, self.simulation.env, &mut self.timeline);
        self.simulation.settle();
        let label = Label {
            name: "objects".to_owned(),
            operation: OperationKind::Objects,
            span: None,
            problem: None,
        };
        self.record(label);
        self.check(expected);
        if let Some(document) = document {
            self.check(&document.expect);
        }
    }

    fn step(&mut self, step: &Step, applied: Vec<Rc<Read>>) {
        self.simulation.step = self.timeline.steps.len();
        let (name, operation, problem) = match &step.operation {
            Operation::Apply(_) => self.apply(applied),
            Operation::Delete { kind, namespace, name } => {
                let problem = self.delete(kind, namespace.as_deref(), name);
                (format!("{name} deleted"), OperationKind::Delete, problem)
            }
            Operation::Advance { seconds } => {
                self.simulation.advance(*seconds);
                (format!("{} later", seconds_in_words(*seconds)), OperationKind::Advance, None)
            }
            Operation::Finish { pod, phase } => {
                let problem = self.finish(pod, phase);
                (format!("{pod} {phase}"), OperationKind::Finish, problem)
            }
            Operation::SetConditions { claim, device, conditions } => {
                let problem = self.set_conditions(claim, device, conditions);
                (format!("conditions of {claim} set"), OperationKind::SetConditions, problem)
            }
        };
        self.simulation.settle();
        if let Some(problem) = &problem {
            self.timeline.diagnostics.push(codes::step_failed(problem, step.span));
        }
        let name = step.name.clone().unwrap_or(name);
        self.record(Label { name, operation, span: Some(step.span), problem });
        self.check(&step.expect);
    }

    fn button(&mut self, button: &Button) {
        self.simulation.step = self.timeline.steps.len();
        let (name, operation, problem) = match button {
            Button::Delete(object) => {
                let namespace = Some(object.namespace.as_str());
                let problem = self.delete(&object.kind, namespace, &object.name);
                (format!("{} deleted", object.name), OperationKind::Delete, problem)
            }
            Button::PutBack(object) => {
                let name = format!("{} put back", object.name);
                (name, OperationKind::Apply, self.put_back(object))
            }
        };
        self.simulation.settle();
        self.record(Label { name, operation, span: None, problem });
    }

    fn apply(&mut self, objects: Vec<Rc<Read>>) -> (String, OperationKind, Option<String>) {
        let names: Vec<&str> = objects.iter().map(|object| object.name()).collect();
        let name = format!("{} applied", names.join(", "));
        let mut problem = objects.is_empty().then(|| "there is no object to apply".to_owned());
        for object in objects {
            let source = self.timeline.sources.len();
            self.timeline.sources.push(Rc::clone(&object));
            if object.refused || object.kind == Kind::Scenario {
                problem.get_or_insert_with(|| format!("{} is refused", object.key()));
            } else if let Some(field) = changed_for_good(&self.simulation.cluster, &object) {
                let key = object.key();
                problem.get_or_insert_with(|| {
                    format!("{key} is refused: `{field}`: field is immutable; delete it first")
                });
            } else {
                self.put(source, &object);
            }
        }
        (name, OperationKind::Apply, problem)
    }

    fn put(&mut self, source: usize, object: &Read) {
        let simulation = &mut self.simulation;
        let origin = Origin { source: Some(source), made: Made::Written };
        if let ObjectValue::DeviceTaintRule(rule) = &object.value
            && simulation.step > 0
        {
            let (env, at) = (simulation.env, object.name_span());
            let found = &mut self.timeline.diagnostics;
            found.extend(notices::odd_rule(rule, env.behavior(), at));
            found.extend(notices::preview_rule(&simulation.cluster, rule, env, at));
        }
        let replaced = put(&mut simulation.cluster, simulation.step, object, origin);
        let (kind, text) = if replaced {
            (EventKind::Updated, "replaced")
        } else {
            (EventKind::Created, "created")
        };
        simulation.events.push(Event { object: object.key(), kind, text: text.to_owned() });
    }

    fn put_back(&mut self, object: &ObjectRef) -> Option<String> {
        let sources = self.timeline.sources.iter().enumerate();
        let found = sources
            .filter(|(_, source)| !source.refused && source.key() == *object)
            .map(|(index, source)| (index, Rc::clone(source)))
            .next_back();
        match found {
            Some((source, read)) => {
                self.put(source, &read);
                None
            }
            None => Some(format!("{} `{}` is not in the text", object.kind, object.name)),
        }
    }

    fn delete(&mut self, kind: &str, namespace: Option<&str>, name: &str) -> Option<String> {
        match find(&self.simulation.cluster, kind, namespace, name) {
            Ok(object) => {
                delete(&mut self.simulation.cluster, &object);
                let text = "deleted".to_owned();
                self.simulation.events.push(Event { object, kind: EventKind::Deleted, text });
                None
            }
            Err(problem) => Some(problem),
        }
    }

    fn finish(&mut self, pod: &str, phase: &str) -> Option<String> {
        let (namespace, name) = split_name(pod);
        let object = match find(&self.simulation.cluster, "Pod", namespace, name) {
            Ok(object) => object,
            Err(problem) => return Some(problem),
        };
        let pods = &mut self.simulation.cluster.pods;
        pods.update(&object.namespace, &object.name, |pod| phase.clone_into(&mut pod.phase));
        let text = phase.to_owned();
        self.simulation.events.push(Event { object, kind: EventKind::Finished, text });
        None
    }

    fn set_conditions(
        &mut self,
        claim: &str,
        device: &str,
        conditions: &[Condition],
    ) -> Option<String> {
        let (namespace, name) = split_name(claim);
        let cluster = &mut self.simulation.cluster;
        let object = match find(cluster, "ResourceClaim", namespace, name) {
            Ok(object) => object,
            Err(problem) => return Some(problem),
        };
        let now = format_time(cluster.now());
        let mut found = false;
        cluster.claims.update(&object.namespace, &object.name, |claim| {
            found = super::conditions::set(claim, device, conditions, &now);
        });
        (!found).then(|| format!("ResourceClaim `{claim}` has no device `{device}`"))
    }

    fn record(&mut self, label: Label) {
        let simulation = &mut self.simulation;
        let attempts = std::mem::take(&mut simulation.attempts);
        for attempt in &attempts {
            self.last_attempts.insert(attempt.pod.clone(), Rc::clone(attempt));
            for claim in attempt.allocated_claims() {
                self.last_attempts.insert(claim, Rc::clone(attempt));
            }
        }
        self.timeline.steps.push(StepRecord {
            name: label.name,
            operation: label.operation,
            span: label.span,
            clock_seconds: simulation.cluster.clock_seconds,
            cluster: Rc::new(simulation.cluster.clone()),
            attempts,
            events: std::mem::take(&mut simulation.events),
            evicted: std::mem::take(&mut simulation.evicted),
            problem: label.problem,
        });
    }

    fn check(&mut self, lines: &[Placed<String>]) {
        let step = self.timeline.steps.len().saturating_sub(1);
        let mut diagnostics = self.known.to_vec();
        diagnostics.extend(self.timeline.diagnostics.iter().cloned());
        let checker = Checker {
            cluster: &self.simulation.cluster,
            env: self.simulation.env,
            last_attempts: &self.last_attempts,
            findings: Findings { sources: &self.timeline.sources, diagnostics: &diagnostics },
        };
        let results = checker.check(step, lines, &mut self.timeline.diagnostics);
        self.timeline.expectations.extend(results);
    }
}

/// Splits `NAMESPACE/NAME`.
pub(super) fn split_name(name: &str) -> (Option<&str>, &str) {
    match name.split_once('/') {
        Some((namespace, name)) => (Some(namespace), name),
        None => (None, name),
    }
}

fn seconds_in_words(seconds: u64) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = String::new();
    for (amount, unit) in [(hours, 'h'), (minutes, 'm'), (rest, 's')] {
        if amount > 0 {
            text.push_str(&amount.to_string());
            text.push(unit);
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}
