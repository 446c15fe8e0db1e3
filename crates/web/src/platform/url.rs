//! The address: the fragment holds the whole state.

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use yew::Callback;

/// The fragment without `#`; empty when there is none.
pub(crate) fn fragment() -> String {
    let hash = web_sys::window().and_then(|window| window.location().hash().ok());
    hash.map(|hash| hash.trim_start_matches('#').to_owned()).unwrap_or_default()
}

/// The address of the page without its fragment.
pub(crate) fn page() -> String {
    let href = web_sys::window().and_then(|window| window.location().href().ok());
    href.and_then(|href| href.split('#').next().map(str::to_owned)).unwrap_or_default()
}

/// The address of another page of this site, e.g. `embed.html`, with a fragment.
pub(crate) fn sibling(name: &str, fragment: &str) -> String {
    let page = page();
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    format!("{folder}/{name}#{fragment}")
}

/// Replaces the fragment without a new entry in the history.
pub(crate) fn replace_fragment(fragment: &str) {
    let Some(window) = web_sys::window() else { return };
    let Ok(history) = window.history() else { return };
    let address = if fragment.is_empty() { page() } else { format!("#{fragment}") };
    drop(history.replace_state_with_url(&JsValue::NULL, "", Some(&address)));
}

/// Tells when another link is opened in the same tab.
pub(crate) fn on_change(changed: Callback<String>) -> Option<EventListener> {
    let window = web_sys::window()?;
    Some(EventListener::new(&window, "hashchange", move |_| changed.emit(fragment())))
}

/// The address of a file that lies beside the page's script.
pub(crate) fn beside_script(name: &str) -> String {
    let script = super::bridge::GLUE_URL.with(|url| url.as_string().unwrap_or_default());
    match script.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}"),
        None => name.to_owned(),
    }
}
