//! The one source of truth of the page: text, options, the last answer, what is selected.
//!
//! [`AppState::reduce`] is pure: storage, address and worker are joined to it in `hooks`.

mod seen;
mod shelf;
mod spot;
mod view;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use crate::derive::pods;
use dra_playground_core::workspace::link::Shared;
use dra_playground_core::workspace::report::{
    Analysis, Behavior, DeviceKey, ExtraStep, Gate, ObjectKey, Options, PodView, RequestVerdicts,
    Severity, Snapshot, Thing,
};
use yew::{AttrValue, Reducible, UseReducerDispatcher, UseReducerHandle};

pub(crate) use seen::{Draft, Moment, Report};
pub(crate) use shelf::{Kept, Shelf};
pub(crate) use spot::{Spot, SpotAction, SpotHandle};
pub(crate) use view::{Menu, Pane, Theme, View};

/// Handle to the state.
pub(crate) type StateHandle = UseReducerHandle<AppState>;

/// The way to the state for who only says what happens; it stays the same.
pub(crate) type Dispatcher = UseReducerDispatcher<AppState>;

/// What the worker is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Work {
    /// Nothing to do.
    #[default]
    Idle,
    /// Analyzing the text of this revision.
    Running(u64),
    /// It fell over the text of the current revision; a new one is ready.
    Fell(AttrValue),
}

/// One request of one claim on one node: a column of the matrix, a sieve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VerdictKey {
    /// Claim.
    pub(crate) claim: ObjectKey,
    /// Request.
    pub(crate) request: String,
    /// Node.
    pub(crate) node: String,
}

impl VerdictKey {
    /// The key of a request's verdicts.
    pub(crate) fn of(verdicts: &RequestVerdicts) -> Self {
        Self {
            claim: verdicts.claim.clone(),
            request: verdicts.request.clone(),
            node: verdicts.node.clone(),
        }
    }
}

/// The state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AppState {
    /// Grows with every action.
    pub(crate) moment: u64,
    /// [`Self::moment`] of the last action that was more than typing and the worker's beginning.
    pub(crate) settled: u64,
    /// The text of the editor.
    pub(crate) text: AttrValue,
    /// Grows with every change of text or options.
    pub(crate) revision: u64,
    /// Grows when the text comes from elsewhere than the editor.
    pub(crate) loads: u64,
    /// What is set beside the text.
    pub(crate) options: Options,
    /// What the worker was asked with last.
    pub(crate) asked: Options,
    /// What the newest analysis was asked with.
    pub(crate) told: Options,
    /// The newest analysis.
    pub(crate) answer: Option<Report>,
    /// Revision that it belongs to.
    pub(crate) answered: u64,
    /// The newest analysis of a text that could be read whole.
    pub(crate) whole: Option<Report>,
    /// How long the last analysis took, in milliseconds.
    pub(crate) took: f64,
    /// What the worker is doing.
    pub(crate) work: Work,
    /// The Pod that the answer speaks of; `None` picks the most telling one.
    pub(crate) pod: Option<ObjectKey>,
    /// The request whose sieve is shown; `None` picks the most telling one.
    pub(crate) verdict: Option<VerdictKey>,
    /// The device whose values are shown.
    pub(crate) device: Option<DeviceKey>,
    /// What the reader chose to see lit; its card is drawn large.
    pub(crate) lit: Option<Thing>,
    /// Code of the verdicts that the matrix shows; empty for all.
    pub(crate) code: AttrValue,
    /// Words that rows of the matrix must hold.
    pub(crate) filter: AttrValue,
    /// Whether the matrix shows the requests of all Pods.
    pub(crate) all_requests: bool,
    /// Pane on a phone.
    pub(crate) pane: Pane,
    /// Open menu.
    pub(crate) menu: Option<Menu>,
    /// Address of the page that [`Menu::Page`] shows.
    pub(crate) page: AttrValue,
    /// Colours.
    pub(crate) theme: Theme,
    /// Whether the timeline is playing.
    pub(crate) playing: bool,
    /// Whether an example of the gallery is being opened, at its first step if it shows a Pod.
    pub(crate) opening: bool,
    /// A short notice.
    pub(crate) toast: Option<AttrValue>,
    /// How the page is shown: whole, or embedded.
    pub(crate) view: View,
    /// Panel that a link opens; empty for the top of the page.
    pub(crate) panel: AttrValue,
    /// Revision since which the answer on the page belongs to another scenario.
    pub(crate) foreign: Option<u64>,
    /// Address of a file that a link asks for, until the reader agrees or refuses.
    pub(crate) source: Option<AttrValue>,
}

/// What can happen.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The reader changed the text.
    Edited(AttrValue),
    /// A whole scenario replaces everything.
    Load(Box<Shared>),
    /// An example of the gallery replaces everything.
    Example(&'static str),
    /// Another release; `None` for the one of the text.
    Version(Option<String>),
    /// A gate is switched; `None` for the default.
    Gate(String, Option<bool>),
    /// All gates go back to their defaults.
    DefaultGates,
    /// Known bugs reproduced or corrected.
    Behavior(Option<Behavior>),
    /// Look at a step.
    Step(usize),
    /// Look at a step further on or back.
    StepBy(isize),
    /// Start or stop playing.
    Play(bool),
    /// A step made by a button.
    Extra(ExtraStep),
    /// Delete a Pod: by a step of its own, unless the text does it next.
    Delete(ObjectKey),
    /// Forget the steps made by buttons.
    ClearExtra,
    /// An analysis began.
    Started(u64),
    /// An analysis ended.
    Answered {
        /// Revision it belongs to.
        revision: u64,
        /// The analysis.
        analysis: Report,
        /// How long it took, in milliseconds.
        took: f64,
    },
    /// The worker fell.
    Fell(AttrValue),
    /// Speak of this Pod.
    Pod(ObjectKey),
    /// Go on to speak of this Pod, whatever becomes of it.
    Stay(ObjectKey),
    /// Speak of the next or previous Pod.
    PodBy(isize),
    /// Show this request.
    Verdict(VerdictKey),
    /// Verdicts of another node, which the answer left out; the first is shown.
    More(Vec<RequestVerdicts>),
    /// Show values of this device.
    Device(DeviceKey),
    /// The reader chose a thing, or none.
    Lit(Option<Thing>),
    /// Filter the matrix by code.
    Code(AttrValue),
    /// Filter the matrix by words.
    Filter(String),
    /// Show the requests of all Pods.
    AllRequests(bool),
    /// Show a pane on a phone.
    Pane(Pane),
    /// Open or close a menu.
    Menu(Option<Menu>),
    /// Show a page of the site.
    Page(AttrValue),
    /// Choose colours.
    Theme(Theme),
    /// Choose a language.
    Language(&'static str),
    /// Say something, or stop saying it.
    Toast(Option<AttrValue>),
    /// The panel that a link opens.
    Panel(AttrValue),
    /// A link asks for a file; `None` when the reader has decided.
    Source(Option<AttrValue>),
}

impl AppState {
    /// The answer on the page: the newest of a readable text when the newest text is not.
    pub(crate) fn shown(&self) -> Option<&Report> {
        match (&self.answer, &self.whole) {
            (Some(answer), Some(whole)) if self.is_broken() && !is_empty(whole) => {
                Some(whole).or(Some(answer))
            }
            (answer, _) => answer.as_ref(),
        }
    }

    /// Whether the newest text has a part that cannot be read at all.
    pub(crate) fn is_broken(&self) -> bool {
        self.answer.as_deref().is_some_and(|analysis| unreadable(analysis).is_some())
    }

    /// Whether the answer on the page belongs to an older text.
    pub(crate) fn is_stale(&self) -> bool {
        self.is_broken()
            && match (self.shown(), &self.answer) {
                (Some(shown), Some(answer)) => shown != answer,
                _ => false,
            }
    }

    /// Whether the page has no answer yet that belongs to the text: there is none at all, or only
    /// one of a text that held nothing.
    pub(crate) fn is_waiting(&self) -> bool {
        self.answered < self.revision
            && !self.is_empty()
            && !matches!(self.work, Work::Fell(_))
            && self.shown().is_none_or(|it| is_empty(it) && it.diagnostics.is_empty())
    }

    /// Whether the answer on the page belongs to another scenario than the text.
    pub(crate) fn is_foreign(&self) -> bool {
        self.foreign.is_some_and(|since| self.answered < since)
    }

    /// Whether there is nothing in the editor.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Whether a gate is on: as the reader chose, even before the answer.
    pub(crate) fn is_on(&self, gate: &Gate) -> bool {
        let chosen = |options: &Options| options.feature_gates.get(&gate.name).copied();
        match (chosen(&self.options), chosen(&self.told)) {
            (Some(chosen), _) => chosen,
            (None, Some(_)) => gate.default,
            (None, None) => gate.enabled,
        }
    }

    /// The Pod that the answer speaks of.
    pub(crate) fn selected_pod<'a>(&self, analysis: &'a Analysis) -> Option<&'a PodView> {
        let pods = &analysis.snapshot.pods;
        self.pod
            .as_ref()
            .and_then(|key| pods.iter().find(|pod| pod.object == *key))
            .or_else(|| pods::telling(analysis))
    }

    /// The request that the sieve shows.
    pub(crate) fn selected_verdicts<'a>(
        &self,
        analysis: &'a Analysis,
    ) -> Option<&'a RequestVerdicts> {
        let pod = self.selected_pod(analysis);
        let mut own =
            analysis.snapshot.verdicts.iter().filter(|verdicts| {
                pod.is_none_or(|pod| verdicts.pod.as_ref() == Some(&pod.object))
            });
        let key = self.verdict.as_ref();
        let given = |it: &&RequestVerdicts| {
            it.sieve.last().is_some_and(|row| row.left > 0)
                && pod.is_some_and(|pod| pod.node.as_ref() == Some(&it.node))
        };
        own.clone()
            .find(|verdicts| key.is_some_and(|key| VerdictKey::of(verdicts) == *key))
            // Of a Pod that runs, what it was given.
            .or_else(|| own.clone().find(given))
            .or_else(|| {
                // The one that came furthest before nothing was left.
                let mut deepest: Option<(usize, &RequestVerdicts)> = None;
                for verdicts in own.clone() {
                    let end = verdicts.sieve.iter().position(|row| row.left == 0);
                    if let Some(end) =
                        end.filter(|end| deepest.is_none_or(|(other, _)| *end > other))
                    {
                        deepest = Some((end, verdicts));
                    }
                }
                deepest.map(|(_, verdicts)| verdicts)
            })
            .or_else(|| own.next())
    }

    /// Whether the worker is to be asked: not twice for what made it fall.
    pub(crate) fn is_due(&self) -> bool {
        self.answered < self.revision && self.work == Work::Idle
    }

    fn changed(mut self) -> Self {
        self.revision += 1;
        if matches!(self.work, Work::Fell(_)) {
            self.work = Work::Idle;
        }
        self
    }

    fn last_step(&self) -> usize {
        self.shown().map_or(0, |analysis| analysis.steps.len().saturating_sub(1))
    }

    /// The step that the reader chose, which may still be computed; the last one when he chose none.
    pub(crate) fn wanted_step(&self) -> usize {
        let last = self.last_step();
        self.options.step.map_or(last, |step| step.min(last))
    }

    fn step_to(mut self, step: usize) -> Self {
        let last = self.last_step();
        let step = step.min(last);
        if step == self.wanted_step() {
            return self;
        }
        self.options.step = (step < last).then_some(step);
        self.pod = None;
        self.verdict = None;
        self.changed()
    }

    fn load(mut self, shared: Shared) -> Self {
        self.text = shared.text.into();
        self.loads += 1;
        self.options.step = shared.step;
        self.options.kubernetes_version = shared.kubernetes_version;
        self.options.feature_gates = shared.feature_gates;
        self.options.behavior = shared.behavior;
        self.options.extra_steps = shared.extra_steps;
        self.pod = match shared.selection {
            Some(Thing::Object(key)) if key.kind == "Pod" => Some(key),
            _ => None,
        };
        self.verdict = None;
        self.device = match &shared.lit {
            Some(Thing::Device(key)) => Some(key.clone()),
            _ => None,
        };
        self.lit = shared.lit;
        self.whole = None;
        self.menu = None;
        self.opening = false;
        self.playing = false;
        self.code = AttrValue::default();
        self.filter = AttrValue::default();
        self.pane = Pane::Answer;
        self.panel = shared.panel.into();
        self.source = None;
        let loaded = self.changed();
        Self { foreign: Some(loaded.revision), ..loaded }
    }

    fn answered(mut self, revision: u64, analysis: Report, took: f64) -> Self {
        // Stale answers are dropped.
        if revision < self.answered {
            return self;
        }
        if unreadable(&analysis).is_none() {
            self.whole = Some(analysis.clone());
        }
        if analysis.step + 1 >= analysis.steps.len() {
            self.playing = false;
        }
        self.answer = Some(analysis);
        self.told = self.asked.clone();
        self.answered = revision;
        self.took = took;
        self.work = Work::Idle;
        let opened = self.opening && revision == self.revision;
        let nothing = self.answer.as_ref().is_some_and(|it| it.snapshot.pods.is_empty());
        self.opening = self.opening && !opened;
        if opened && nothing && self.options.step.is_some() {
            self.options.step = None;
            return self.changed();
        }
        self
    }

    fn extra(mut self, step: ExtraStep) -> Self {
        self.options.extra_steps.push(step);
        self.options.step = None;
        self.pod = None;
        self.verdict = None;
        self.changed()
    }

    fn delete(mut self, key: ObjectKey) -> Self {
        let written = self.shown().filter(|it| pods::deletes_next(&self.text, it, &key));
        match written.map(|it| it.step + 1) {
            Some(step) => {
                self.playing = false;
                self.step_to(step)
            }
            None => self.extra(ExtraStep::Delete(key)),
        }
    }

    fn pod_by(mut self, by: isize) -> Self {
        let next = self.shown().and_then(|analysis| {
            let pods = pods::listed(analysis);
            let current = self.selected_pod(analysis)?;
            let at = pods.iter().position(|pod| pod.object == current.object)?;
            let next = at.saturating_add_signed(by).min(pods.len().saturating_sub(1));
            Some(pods.get(next)?.object.clone())
        });
        self.pod = next.or(self.pod);
        self.verdict = None;
        self
    }

    fn apply(mut self, action: Action) -> Self {
        match action {
            Action::Edited(text) if text == self.text => {}
            Action::Edited(text) => {
                self.text = text;
                return self.changed();
            }
            Action::Load(shared) => return self.load(*shared),
            Action::Example(text) => {
                let shared = Shared { text: text.to_owned(), step: Some(0), ..Shared::default() };
                return Self { opening: true, ..self.load(shared) };
            }
            Action::Version(version) => {
                self.options.kubernetes_version = version;
                return self.changed();
            }
            Action::Gate(name, enabled) => {
                match enabled {
                    Some(enabled) => drop(self.options.feature_gates.insert(name, enabled)),
                    None => drop(self.options.feature_gates.remove(&name)),
                }
                return self.changed();
            }
            Action::DefaultGates => {
                self.options.feature_gates.clear();
                return self.changed();
            }
            Action::Behavior(behavior) => {
                self.options.behavior = behavior;
                return self.changed();
            }
            Action::Step(step) => {
                self.playing = false;
                return self.step_to(step);
            }
            Action::StepBy(by) => {
                let step = self.wanted_step().saturating_add_signed(by);
                return self.step_to(step);
            }
            Action::Play(playing) => return self.play(playing),
            Action::Extra(step) => return self.extra(step),
            Action::Delete(key) => return self.delete(key),
            Action::ClearExtra => {
                self.options.extra_steps.clear();
                self.options.step = None;
                return self.changed();
            }
            Action::Started(revision) => {
                self.work = Work::Running(revision);
                self.asked = self.options.clone();
            }
            Action::Answered { revision, analysis, took } => {
                return self.answered(revision, analysis, took);
            }
            Action::Fell(message) => self.work = Work::Fell(message),
            Action::PodBy(by) => return self.pod_by(by),
            Action::More(verdicts) => return self.more(verdicts),
            view => self.apply_view(view),
        }
        self
    }

    fn more(mut self, verdicts: Vec<RequestVerdicts>) -> Self {
        let Some(first) = verdicts.first().map(VerdictKey::of) else { return self };
        let is_whole = self.answer == self.whole;
        if let Some(answer) = &mut self.answer {
            let known = &mut answer.change().snapshot.verdicts;
            for more in verdicts {
                let key = VerdictKey::of(&more);
                if !known.iter().any(|it| VerdictKey::of(it) == key && it.pod == more.pod) {
                    known.push(more);
                }
            }
            if is_whole {
                self.whole = Some(answer.clone());
            }
        }
        self.verdict = Some(first);
        self
    }

    fn play(self, playing: bool) -> Self {
        let last = self.last_step();
        let rewound = if playing && self.wanted_step() >= last { self.step_to(0) } else { self };
        Self { playing: playing && last > 0, ..rewound }
    }

    fn apply_view(&mut self, action: Action) {
        match action {
            Action::Pod(key) => {
                self.pod = Some(key);
                self.verdict = None;
                self.lit = None;
            }
            Action::Stay(key) => self.pod = Some(key),
            Action::Verdict(key) => self.verdict = Some(key),
            Action::Device(key) => self.device = Some(key),
            Action::Lit(thing) => self.lit = thing,
            Action::Code(code) => self.code = code,
            Action::Filter(filter) => self.filter = filter.into(),
            Action::AllRequests(all) => self.all_requests = all,
            Action::Pane(pane) => self.pane = pane,
            Action::Menu(menu) => self.menu = menu,
            Action::Page(page) => {
                self.page = page;
                self.menu = Some(Menu::Page);
            }
            Action::Theme(theme) => self.theme = theme,
            Action::Language(code) => {
                code.clone_into(&mut self.options.language);
                self.revision += 1;
                self.work =
                    if matches!(self.work, Work::Fell(_)) { Work::Idle } else { self.work.clone() };
            }
            Action::Toast(toast) => self.toast = toast,
            Action::Panel(panel) => self.panel = panel,
            Action::Source(source) => self.source = source,
            _ => {}
        }
    }
}

impl Reducible for AppState {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        // Typing ends what is said of a fall.
        let is_typing = match action {
            Action::Edited(_) => !matches!(self.work, Work::Fell(_)),
            Action::Started(_) => true,
            _ => false,
        };
        let mut next = Rc::unwrap_or_clone(self).apply(action);
        next.moment += 1;
        if !is_typing {
            next.settled = next.moment;
        }
        Rc::new(next)
    }
}

/// The diagnostic that makes a part of the text unreadable.
pub(crate) fn unreadable(
    analysis: &Analysis,
) -> Option<&dra_playground_core::workspace::report::Diagnostic> {
    analysis.diagnostics.iter().find(|it| it.severity == Severity::Error && is_syntax(&it.code))
}

fn is_syntax(code: &str) -> bool {
    matches!(
        code,
        "yaml-syntax"
            | "json-syntax"
            | "text-too-large"
            | "control-character"
            | "tab-indentation"
            | "nesting-too-deep"
    )
}

fn is_empty(analysis: &Analysis) -> bool {
    analysis.outline.is_empty() && analysis.snapshot == Snapshot::default()
}
