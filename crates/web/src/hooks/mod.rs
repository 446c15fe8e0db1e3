//! Where state and platform meet.

mod analysis;
mod links;
mod persist;
mod shortcuts;
mod trace;

pub(crate) use analysis::{WorkerLink, use_analysis};
pub(crate) use links::{EditorLink, PLAIN};
pub(crate) use persist::{MAX_LINKED, initial_state, use_persist, wanted_language};
pub(crate) use shortcuts::use_shortcuts;
pub(crate) use trace::use_trace;

use yew::{hook, use_context};

use crate::state::{Dispatcher, Moment, SpotHandle, StateHandle};
use crate::words::{Words, words};

/// The state, of which more than the typed text is drawn; the app always provides it.
#[hook]
pub(crate) fn use_state_handle() -> Option<StateHandle> {
    use_context::<Moment<false>>().map(Moment::state)
}

/// The state for what is drawn of the text as it is typed, and of the worker's beginning.
#[hook]
pub(crate) fn use_typing_state() -> Option<StateHandle> {
    use_context::<Moment<true>>().map(Moment::state)
}

/// The highlighter; the app always provides it.
#[hook]
pub(crate) fn use_spot() -> Option<SpotHandle> {
    use_context::<SpotHandle>()
}

/// What stays the same as long as the language does; the app always provides it.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    /// The words that the page speaks.
    pub(crate) words: &'static Words,
    /// The way to the state.
    pub(crate) dispatcher: Dispatcher,
    /// The way to the text.
    pub(crate) editor: EditorLink,
    /// The way to the worker.
    pub(crate) worker: WorkerLink,
}

impl PartialEq for Links {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.words, other.words)
    }
}

/// The way to the state, for what is drawn of its properties alone.
#[hook]
pub(crate) fn use_dispatcher() -> Option<Dispatcher> {
    use_context::<Links>().map(|it| it.dispatcher)
}

/// The way to the text.
#[hook]
pub(crate) fn use_editor_link() -> EditorLink {
    use_context::<Links>().map(|it| it.editor).unwrap_or_default()
}

/// The way to the worker.
#[hook]
pub(crate) fn use_worker() -> Option<WorkerLink> {
    use_context::<Links>().map(|it| it.worker)
}

/// The words of the chosen language.
#[hook]
pub(crate) fn use_words() -> &'static Words {
    use_context::<Links>().map_or_else(|| words(""), |it| it.words)
}
