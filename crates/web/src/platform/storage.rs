//! What the browser keeps between visits; every failure (private mode, full) is silent.

use gloo_storage::{LocalStorage, Storage};

const DRAFT: &str = "dra-playground/v1/draft";
const THEME: &str = "dra-playground/v1/theme";
const LANGUAGE: &str = "dra-playground/v1/language";
/// The longest draft that is kept, in bytes.
const MAX_DRAFT: usize = 2 << 20;

fn get(key: &str) -> Option<String> {
    LocalStorage::raw().get_item(key).ok().flatten()
}

fn set(key: &str, value: Option<&str>) {
    drop(match value {
        Some(value) => LocalStorage::raw().set_item(key, value),
        None => LocalStorage::raw().remove_item(key),
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
