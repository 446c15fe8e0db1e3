//! What the browser keeps between visits.
//!
//! Nothing here is trusted: what cannot be read counts as absent, and whoever writes is told
//! whether it was kept (private mode, a full or disabled storage).

use std::cell::RefCell;

use dra_playground_core::workspace::link::Shared;
use gloo_storage::{LocalStorage, SessionStorage, Storage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use yew::AttrValue;

use crate::derive::edit::{Change, change, replay};
use crate::state::Draft;

/// The text alone, as the first release kept it.
const OLD_DRAFT: &str = "dra-playground/v1/draft";
const DRAFT: &str = "dra-playground/v2/draft";
const TAB_DRAFT: &str = "dra-playground/v2/tab";
const CHANGES: &str = "dra-playground/v2/draft-changes";
const TAB_CHANGES: &str = "dra-playground/v2/tab-changes";
const SHELF: &str = "dra-playground/v1/shelf";
const THEME: &str = "dra-playground/v1/theme";
const LANGUAGE: &str = "dra-playground/v1/language";
/// The longest text that is kept, in bytes.
const MAX_TEXT: usize = 2 << 20;
/// From this length on, in bytes, a text is written once and then only what changes: a browser
/// stands still while it writes.
const LONG_TEXT: usize = 32 << 10;
/// Most bytes and pieces of changes before a long text is written anew.
const MOST_CHANGED: (usize, usize) = (32 << 10, 200);

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

/// What became of a long text since it was written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Since {
    /// The text that was written.
    of: String,
    /// The fragment that the address had.
    address: String,
    /// The scenario but for its text.
    settings: Shared,
    changes: Vec<Change>,
}

/// A long text that this tab wrote or read, as it was kept last.
#[derive(Default)]
struct Written {
    of: String,
    text: AttrValue,
    changes: Vec<Change>,
}

thread_local! {
    static TAB: RefCell<Written> = RefCell::default();
    static BROWSER: RefCell<Written> = RefCell::default();
}

/// Tells texts apart: FNV-1a, no protection against a forger is needed here.
fn name_of(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:x}")
}

impl Written {
    /// Goes on to another text.
    fn follow(&mut self, text: &AttrValue) {
        let Change(from, to, put) = change(&self.text, text);
        self.text = text.clone();
        match self.changes.last_mut() {
            // Typed on where the last change ended.
            Some(last) if from == to && last.0 + last.2.len() == from => last.2.push_str(&put),
            _ => self.changes.push(Change(from, to, put)),
        }
    }

    fn is_worth(&self) -> bool {
        let bytes: usize = self.changes.iter().map(|it| it.2.len()).sum();
        bytes <= MOST_CHANGED.0 && self.changes.len() <= MOST_CHANGED.1
    }

    /// Brings what was read up to its changes, if they are of this text.
    fn read(&mut self, area: Area, key: &str, shared: &mut Shared) -> Option<String> {
        let known: Since = read(area, key)?;
        if shared.text.len() < LONG_TEXT || known.of != name_of(&shared.text) {
            return None;
        }
        let text = replay(&shared.text, &known.changes)?;
        let kept = AttrValue::from(text.clone());
        *self = Self { of: known.of, text: kept, changes: known.changes };
        *shared = Shared { text, ..known.settings };
        Some(known.address)
    }

    /// Keeps a draft: only its changes where they are of what is there, else everything by `whole`.
    fn keep(
        &mut self,
        area: Area,
        key: &str,
        address: &str,
        draft: &Draft,
        whole: &dyn Fn() -> bool,
    ) -> bool {
        if draft.text.len() < LONG_TEXT {
            *self = Self::default();
            let kept = whole();
            set(area, key, None);
            return kept;
        }
        // Another tab may have written since.
        let is_there = |it: Since| !it.of.is_empty() && it.of == self.of;
        let known = read(area, key).is_some_and(is_there);
        if known {
            self.follow(&draft.text);
        }
        let is_known = known && self.is_worth();
        if !is_known {
            let of = name_of(&draft.text);
            *self = Self { of, text: draft.text.clone(), changes: Vec::new() };
        }
        let settings = draft.settings.clone();
        let (of, address, changes) = (self.of.clone(), address.to_owned(), self.changes.clone());
        let changes = Since { of, address, settings, changes };
        if is_known {
            let kept = write(area, key, &changes);
            // It may be full, and take the text in place of the one that is there.
            return kept || {
                self.of.clear();
                whole()
            };
        }
        let kept = whole();
        if kept {
            write(area, key, &changes);
        }
        kept
    }
}

/// The scenario of the last visit, whichever tab it was on.
pub(crate) fn draft() -> Option<Shared> {
    let old = || Some(Shared { text: get(Area::Browser, OLD_DRAFT)?, ..Shared::default() });
    let mut shared = read(Area::Browser, DRAFT).or_else(old)?;
    BROWSER.with_borrow_mut(|it| it.read(Area::Browser, CHANGES, &mut shared));
    Some(shared)
}

/// What was on this tab before it was reloaded.
pub(crate) fn tab_draft() -> Option<TabDraft> {
    let mut draft: TabDraft = read(Area::Tab, TAB_DRAFT)?;
    let address = TAB.with_borrow_mut(|it| it.read(Area::Tab, TAB_CHANGES, &mut draft.shared));
    draft.address = address.unwrap_or(draft.address);
    Some(draft)
}

/// Keeps the scenario for a reload of this tab and for the next visit; says whether it was kept.
pub(crate) fn keep_draft(address: &str, draft: &Draft) -> bool {
    if draft.text.len() > MAX_TEXT {
        // An older draft of the same tab must not come back in its place.
        set(Area::Tab, TAB_DRAFT, None);
        return false;
    }
    let tab = || {
        let draft = TabDraft { address: address.to_owned(), shared: draft.shared() };
        write(Area::Tab, TAB_DRAFT, &draft)
    };
    let browser = || write(Area::Browser, DRAFT, &draft.shared());
    let keep = |it: &mut Written, area, key, whole: &dyn Fn() -> bool| {
        it.keep(area, key, address, draft, whole)
    };
    let kept = TAB.with_borrow_mut(|it| keep(it, Area::Tab, TAB_CHANGES, &tab));
    BROWSER.with_borrow_mut(|it| keep(it, Area::Browser, CHANGES, &browser)) || kept
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
