//! The clipboard.

use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::Callback;

/// Writes a text and reports whether that worked.
pub(crate) fn copy(text: &str, done: Callback<bool>) {
    let Some(window) = web_sys::window() else { return done.emit(false) };
    let promise = window.navigator().clipboard().write_text(text);
    spawn_local(async move { done.emit(JsFuture::from(promise).await.is_ok()) });
}

/// Reads the text of the clipboard; `None` when the reader or the browser refuses.
pub(crate) fn paste(done: Callback<Option<String>>) {
    let Some(window) = web_sys::window() else { return done.emit(None) };
    let promise = window.navigator().clipboard().read_text();
    spawn_local(async move {
        done.emit(JsFuture::from(promise).await.ok().and_then(|text| text.as_string()));
    });
}
