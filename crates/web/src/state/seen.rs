//! What is handed around often, and is quick to compare.

use std::ops::Deref;
use std::rc::Rc;

use dra_playground_core::workspace::link::Shared;
use dra_playground_core::workspace::report::{Analysis, Thing};
use yew::AttrValue;

use super::{AppState, StateHandle};

/// An analysis that panels share; it equals itself alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct Report(Rc<Analysis>);

impl Report {
    /// The analysis, to be changed; others keep what they have.
    pub(super) fn change(&mut self) -> &mut Analysis {
        Rc::make_mut(&mut self.0)
    }
}

impl From<Box<Analysis>> for Report {
    fn from(analysis: Box<Analysis>) -> Self {
        Self(Rc::from(analysis))
    }
}

impl Deref for Report {
    type Target = Analysis;

    fn deref(&self) -> &Analysis {
        &self.0
    }
}

impl PartialEq for Report {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl AppState {
    /// What a link carries.
    pub(crate) fn shared(&self) -> Shared {
        self.draft().shared()
    }

    /// What is kept over a reload.
    pub(crate) fn draft(&self) -> Draft {
        let settings = Shared {
            text: String::new(),
            step: self.options.step,
            panel: self.panel.to_string(),
            selection: self.pod.clone().map(Thing::Object),
            lit: self.lit.clone(),
            kubernetes_version: self.options.kubernetes_version.clone(),
            feature_gates: self.options.feature_gates.clone(),
            behavior: self.options.behavior,
            extra_steps: self.options.extra_steps.clone(),
        };
        Draft { text: self.text.clone(), settings }
    }
}

/// What is kept over a reload: a link's contents, their text shared with the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    /// The text.
    pub(crate) text: AttrValue,
    /// All else; its text is empty.
    pub(crate) settings: Shared,
}

impl Draft {
    /// As a link carries it.
    pub(crate) fn shared(&self) -> Shared {
        Shared { text: self.text.to_string(), ..self.settings.clone() }
    }
}

impl From<Shared> for Draft {
    fn from(mut shared: Shared) -> Self {
        let text = std::mem::take(&mut shared.text).into();
        Self { text, settings: shared }
    }
}

impl PartialEq for Draft {
    fn eq(&self, other: &Self) -> bool {
        let (text, its) = (self.text.as_str(), other.text.as_str());
        (std::ptr::eq(text, its) || text == its) && self.settings == other.settings
    }
}

/// The state as a part of the page follows it: with every letter, or only with what is more than
/// typing. The handle itself always knows the newest.
#[derive(Clone, Debug)]
pub(crate) struct Moment<const TYPING: bool>(StateHandle, u64);

impl<const TYPING: bool> Moment<TYPING> {
    /// The present.
    pub(crate) fn of(state: &StateHandle) -> Self {
        Self(state.clone(), if TYPING { state.moment } else { state.settled })
    }

    /// The state.
    pub(crate) fn state(self) -> StateHandle {
        self.0
    }
}

impl<const TYPING: bool> PartialEq for Moment<TYPING> {
    fn eq(&self, other: &Self) -> bool {
        self.1 == other.1
    }
}
