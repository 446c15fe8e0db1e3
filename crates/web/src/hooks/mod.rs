//! Where state and platform meet.

mod analysis;
mod links;
mod persist;
mod shortcuts;
mod trace;

pub(crate) use analysis::{WorkerLink, use_analysis};
pub(crate) use links::{EditorLink, PLAIN, use_editor_link};
pub(crate) use persist::{MAX_LINKED, initial_state, use_persist, wanted_language};
pub(crate) use shortcuts::use_shortcuts;
pub(crate) use trace::use_trace;

use yew::{hook, use_context};

use crate::state::{SpotHandle, StateHandle};
use crate::words::{Words, words};

/// The state; the app always provides it.
#[hook]
pub(crate) fn use_state_handle() -> Option<StateHandle> {
    use_context::<StateHandle>()
}

/// The highlighter; the app always provides it.
#[hook]
pub(crate) fn use_spot() -> Option<SpotHandle> {
    use_context::<SpotHandle>()
}

/// The words of the chosen language.
#[hook]
pub(crate) fn use_words() -> &'static Words {
    let language = use_context::<StateHandle>().map(|state| state.options.language.clone());
    words(language.as_deref().unwrap_or_default())
}
