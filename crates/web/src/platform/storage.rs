//! What the browser keeps between visits; every failure (private mode, full) is silent.

use gloo_storage::{LocalStorage, Storage};

const DRAFT: &str = "dra-playground/v1/draft";
const THEME: &str = "dra-playground/v1/theme";
const LANGUAGE: &str = "dra-playground/v1/language";
/// The longest draft that is kept, in bytes.
const MAX_DRAFT: usize = 2 << 20;

/// Nothing in a frame of another site, where browsers refuse it and `raw` would panic.
fn store() -> Option<web_sys::Storage> {
    let is_there = web_sys::window()?.local_storage().ok().flatten().is_some();
    is_there.then(LocalStorage::raw)
}

fn get(key: &str) -> Option<String> {
    store()?.get_item(key).ok().flatten()
}

fn set(key: &str, value: Option<&str>) {
    let Some(store) = store() else { return };
    drop(match value {
        Some(value) => store.set_item(key, value),
        None => store.remove_item(key),
    });
}

/// The text of the last visit.
pub(crate) fn draft() -> Option<String> {
    get(DRAFT)
}

/// Keeps the text for the next visit.
pub(crate) fn keep_draft(text: &str) {
    if text.len() <= MAX_DRAFT {
        set(DRAFT, Some(text));
    }
}

/// The chosen theme.
pub(crate) fn theme() -> Option<String> {
    get(THEME)
}

/// Keeps the theme; `None` follows the system.
pub(crate) fn keep_theme(theme: Option<&str>) {
    set(THEME, theme);
}

/// The chosen language.
pub(crate) fn language() -> Option<String> {
    get(LANGUAGE)
}

/// Keeps the language.
pub(crate) fn keep_language(code: &str) {
    set(LANGUAGE, Some(code));
}
