//! What the browser keeps between visits.
//!
//! Nothing here is trusted: what cannot be read counts as absent, and whoever writes is told
//! whether it was kept (private mode, a full or disabled storage).

use dra_playground_core::workspace::link::Shared;
use gloo_storage::{LocalStorage, SessionStorage, Storage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The text alone, as the first release kept it.
const OLD_DRAFT: &str = "dra-playground/v1/draft";
const DRAFT: &str = "dra-playground/v2/draft";
const TAB_DRAFT: &str = "dra-playground/v2/tab";
const SHELF: &str = "dra-playground/v1/shelf";
const THEME: &str = "dra-playground/v1/theme";
const LANGUAGE: &str = "dra-playground/v1/language";
/// The longest text that is kept, in bytes.
const MAX_TEXT: usize = 2 << 20;

/// What was on a tab when it was last left.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct TabDraft {
    /// The fragment that the address had.
    pub(crate) address: String,
    /// The scenario.
    pub(crate) shared: Shared,
}

#[derive(Clone, Copy)]
enum Area {
    /// All tabs, until it is cleared.
    Browser,
    /// One tab, over reloads.
    Tab,
}

/// Nothing in a frame of another site, where browsers refuse it and `raw` would panic.
fn store(area: Area) -> Option<web_sys::Storage> {
    let window = web_sys::window()?;
    match area {
        Area::Browser => window.local_storage().ok().flatten().is_some().then(LocalStorage::raw),
        Area::Tab => window.session_storage().ok().flatten().is_some().then(SessionStorage::raw),
    }
}

fn get(area: Area, key: &str) -> Option<String> {
    store(area)?.get_item(key).ok().flatten()
}

fn read<T: DeserializeOwned>(area: Area, key: &str) -> Option<T> {
    serde_json::from_str(&get(area, key)?).ok()
}

fn set(area: Area, key: &str, value: Option<&str>) -> bool {
    let Some(store) = store(area) else { return false };
    let kept = match value {
        Some(value) => store.set_item(key, value),
        None => store.remove_item(key),
    };
    kept.is_ok()
}

fn write(area: Area, key: &str, value: &impl Serialize) -> bool {
    serde_json::to_string(value).is_ok_and(|json| set(area, key, Some(&json)))
}

/// The scenario of the last visit, whichever tab it was on.
pub(crate) fn draft() -> Option<Shared> {
    let old = || Some(Shared { text: get(Area::Browser, OLD_DRAFT)?, ..Shared::default() });
    read(Area::Browser, DRAFT).or_else(old)
}

/// What was on this tab before it was reloaded.
pub(crate) fn tab_draft() -> Option<TabDraft> {
    read(Area::Tab, TAB_DRAFT)
}

/// Keeps the scenario for a reload of this tab and for the next visit; says whether it was kept.
pub(crate) fn keep_draft(address: &str, shared: &Shared) -> bool {
    if shared.text.len() > MAX_TEXT {
        // An older draft of the same tab must not come back in its place.
        set(Area::Tab, TAB_DRAFT, None);
        return false;
    }
    let tab = TabDraft { address: address.to_owned(), shared: shared.clone() };
    let kept = write(Area::Tab, TAB_DRAFT, &tab);
    write(Area::Browser, DRAFT, shared) || kept
}

/// The saved scenarios and the history; `None` when there are none or they cannot be read.
pub(crate) fn shelf<T: DeserializeOwned>() -> Option<T> {
    read(Area::Browser, SHELF)
}

/// Keeps the saved scenarios and the history; says whether they were kept.
pub(crate) fn keep_shelf(shelf: &impl Serialize) -> bool {
    write(Area::Browser, SHELF, shelf)
}

/// The chosen theme.
pub(crate) fn theme() -> Option<String> {
    get(Area::Browser, THEME)
}

/// Keeps the theme; `None` follows the system.
pub(crate) fn keep_theme(theme: Option<&str>) {
    set(Area::Browser, THEME, theme);
}

/// The chosen language.
pub(crate) fn language() -> Option<String> {
    get(Area::Browser, LANGUAGE)
}

/// Keeps the language.
pub(crate) fn keep_language(code: &str) {
    set(Area::Browser, LANGUAGE, Some(code));
}
