//! The code editor: loaded on its own, spoken to in plain data.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Diagnostic, Edit, Range};
use serde::Serialize;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Element;
use yew::Callback;

use super::{bridge, url};
use crate::derive::edit::Change;

const SCRIPT: &str = "editor.js";

/// What the editor tells the page.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Events {
    /// The whole text after a change that was not taken.
    pub(crate) change: Callback<String>,
    /// Changes of one moment, in UTF-16 units of the text before them; says whether they are taken.
    pub(crate) edit: Callback<Vec<Change>, bool>,
    /// The cursor's offset when the reader moved it.
    pub(crate) cursor: Callback<u32>,
    /// A reference letter in the gutter was pressed.
    pub(crate) letter: Callback<char>,
    /// What can be said at an offset, or completed when the flag is set; JSON, empty for nothing.
    pub(crate) assist: Callback<(String, u32, bool), String>,
}

/// What the editor is made with.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Config<'a> {
    /// The text.
    pub(crate) text: &'a str,
    /// Accessible name.
    pub(crate) label: &'a str,
    /// What is shown while there is no text.
    pub(crate) hint: &'a str,
    /// Whether the text may not be changed.
    pub(crate) read_only: bool,
    /// Whether the editor is as high as its text.
    pub(crate) grows: bool,
}

/// A reference letter beside a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct GutterLetter {
    /// The letter.
    pub(crate) letter: char,
    /// Its accessible name.
    pub(crate) label: String,
    /// Offset of its line.
    pub(crate) from: u32,
}

/// What a folded document shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Fold {
    /// First offset.
    pub(crate) from: u32,
    /// Offset after the last unit.
    pub(crate) to: u32,
    /// Kind.
    pub(crate) title: String,
    /// Name and one fact.
    pub(crate) fact: String,
}

/// What is drawn over the text.
#[derive(Debug, Serialize)]
pub(crate) struct Marks<'a> {
    /// Diagnostics with their fixes.
    pub(crate) diagnostics: &'a [Diagnostic],
    /// Reference letters.
    pub(crate) letters: &'a [GutterLetter],
    /// Words for folded documents.
    pub(crate) folds: &'a [Fold],
}

struct Parts {
    view: JsValue,
    _change: Closure<dyn Fn(String)>,
    _edit: Closure<dyn Fn(String) -> bool>,
    _cursor: Closure<dyn Fn(u32)>,
    _letter: Closure<dyn Fn(String)>,
    _assist: Closure<dyn Fn(String, u32, bool) -> String>,
}

/// A living editor; dropping the last handle removes it.
#[derive(Clone)]
pub(crate) struct CodeEditor(Rc<Parts>);

impl std::fmt::Debug for CodeEditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("CodeEditor").finish()
    }
}

impl PartialEq for CodeEditor {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl Drop for Parts {
    fn drop(&mut self) {
        let none = JsValue::UNDEFINED;
        drop(bridge::call(&self.view, "destroy", &none, &none, &none));
    }
}

/// Fetches the code editor; `false` when that failed and the plain text area stays.
pub(crate) async fn load() -> bool {
    bridge::load_editor(&url::beside_script(SCRIPT)).await.is_ok()
}

impl CodeEditor {
    /// Makes an editor inside an element.
    pub(crate) fn create(parent: &Element, config: &Config<'_>, events: Events) -> Option<Self> {
        let Events { change, edit, cursor, letter, assist } = events;
        let assist =
            Closure::<dyn Fn(String, u32, bool) -> String>::new(move |text, at, completes| {
                assist.emit((text, at, completes))
            });
        let change = Closure::<dyn Fn(String)>::new(move |text| change.emit(text));
        let edit = Closure::<dyn Fn(String) -> bool>::new(move |changes: String| {
            serde_json::from_str(&changes).is_ok_and(|changes| edit.emit(changes))
        });
        let cursor = Closure::<dyn Fn(u32)>::new(move |at| cursor.emit(at));
        let letter = Closure::<dyn Fn(String)>::new(move |text: String| {
            if let Some(first) = text.chars().next() {
                letter.emit(first);
            }
        });
        let view = bridge::create_editor(
            parent,
            &serde_json::to_string(config).unwrap_or_default(),
            change.as_ref().unchecked_ref(),
            edit.as_ref().unchecked_ref(),
            cursor.as_ref().unchecked_ref(),
            letter.as_ref().unchecked_ref(),
            assist.as_ref().unchecked_ref(),
        )
        .ok()?;
        Some(Self(Rc::new(Parts {
            view,
            _change: change,
            _edit: edit,
            _cursor: cursor,
            _letter: letter,
            _assist: assist,
        })))
    }

    fn call(&self, method: &str, argument: &JsValue, second: &JsValue, third: &JsValue) {
        drop(bridge::call(&self.0.view, method, argument, second, third));
    }

    fn send(&self, method: &str, data: &(impl Serialize + ?Sized)) {
        if let Ok(json) = serde_json::to_string(data) {
            self.call(method, &json.into(), &JsValue::UNDEFINED, &JsValue::UNDEFINED);
        }
    }

    /// Replaces the whole text as one undoable change.
    pub(crate) fn set_text(&self, text: &str) {
        self.call("setText", &text.into(), &JsValue::UNDEFINED, &JsValue::UNDEFINED);
    }

    /// Says the words of search and folds in another language, each by its English form.
    pub(crate) fn speak(&self, phrases: &[(&String, &String)]) {
        self.send("speak", phrases);
    }

    /// Draws diagnostics and letters.
    pub(crate) fn mark(&self, marks: &Marks<'_>) {
        self.send("report", marks);
    }

    /// Highlights lines.
    pub(crate) fn light(&self, ranges: &[Range]) {
        self.send("lit", ranges);
    }

    /// Folds documents, but leaves the lines of `keep` open.
    pub(crate) fn fold(&self, folds: &[Fold], keep: &[Range]) {
        let json = (serde_json::to_string(folds), serde_json::to_string(keep));
        if let (Ok(folds), Ok(keep)) = json {
            self.call("fold", &folds.into(), &keep.into(), &JsValue::UNDEFINED);
        }
    }

    /// Brings a range into view; with `focus` also selects it.
    pub(crate) fn reveal(&self, range: Range, focus: bool) {
        self.call("reveal", &range.from.into(), &range.to.into(), &focus.into());
    }

    /// Applies edits as one undoable change; `newest` says whether their places are those of the
    /// newest text or of the one that was analyzed last.
    pub(crate) fn apply(&self, edits: &[Edit], newest: bool) {
        if let Ok(json) = serde_json::to_string(edits) {
            self.call("apply", &json.into(), &newest.into(), &JsValue::UNDEFINED);
        }
    }
}
