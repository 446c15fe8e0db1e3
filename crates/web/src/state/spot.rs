//! The one highlighter: what is pointed at, and what stays lit when nothing is.

use std::rc::Rc;

use dra_playground_core::workspace::report::Thing;
use yew::{Reducible, UseReducerHandle};

/// Handle to the highlighter.
pub(crate) type SpotHandle = UseReducerHandle<Spot>;

/// What is lit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Under the pointer or the focus.
    pub(crate) hover: Option<Rc<Thing>>,
    /// Clicked.
    pub(crate) pinned: Option<Rc<Thing>>,
    /// Grows with each click, so that a second click on the same thing scrolls again.
    pub(crate) clicks: u64,
}

/// What can happen to the highlighter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SpotAction {
    /// The pointer or the focus is on a reference, or left it.
    Hover(Option<Rc<Thing>>),
    /// A reference was clicked.
    Pin(Rc<Thing>),
    /// Something stays lit without a click, so that the page does not scroll.
    Rest(Option<Rc<Thing>>),
    /// Nothing stays lit.
    Clear,
}

impl Spot {
    /// What is lit now.
    pub(crate) fn lit(&self) -> Option<&Rc<Thing>> {
        self.hover.as_ref().or(self.pinned.as_ref())
    }

    /// Whether a thing is lit.
    pub(crate) fn is_lit(&self, thing: &Thing) -> bool {
        self.lit().is_some_and(|lit| **lit == *thing)
    }
}

impl Reducible for Spot {
    type Action = SpotAction;

    fn reduce(self: Rc<Self>, action: SpotAction) -> Rc<Self> {
        let mut next = (*self).clone();
        match action {
            SpotAction::Hover(thing) => next.hover = thing,
            SpotAction::Pin(thing) => {
                next.pinned = Some(thing);
                next.clicks += 1;
            }
            SpotAction::Rest(thing) => next.pinned = thing,
            SpotAction::Clear => {
                next.pinned = None;
                next.hover = None;
            }
        }
        Rc::new(next)
    }
}
