//! Keys pressed anywhere on the page.

use gloo_events::{EventListener, EventListenerOptions};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};
use yew::Callback;

/// A key press outside text fields, or `Escape` anywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// `KeyboardEvent.key`.
    pub(crate) name: String,
    /// Whether control or command was held.
    pub(crate) command: bool,
    /// Whether the press came from a text field or the editor.
    pub(crate) typing: bool,
    /// Whether it came from the pane of the text.
    pub(crate) in_text: bool,
    /// Whether it came from a button or link, which has its own use of the space bar.
    pub(crate) on_control: bool,
}

/// Listens until the returned listener is dropped. The callback says whether it used the key.
pub(crate) fn listen(handle: Callback<Key, bool>) -> Option<EventListener> {
    let document = web_sys::window()?.document()?;
    let options = EventListenerOptions::enable_prevent_default();
    Some(EventListener::new_with_options(&document, "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        if event.alt_key() || event.default_prevented() {
            return;
        }
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let within = |selector: &str| {
            target.as_ref().is_some_and(|it| it.closest(selector).ok().flatten().is_some())
        };
        let key = Key {
            name: event.key(),
            command: event.ctrl_key() || event.meta_key(),
            typing: within("input, textarea, select, [contenteditable]"),
            in_text: within(".pane-y"),
            on_control: within("button, a, summary"),
        };
        if handle.emit(key) {
            event.prevent_default();
        }
    }))
}
