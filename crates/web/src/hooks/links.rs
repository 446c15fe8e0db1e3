//! The way from panels to the text: show a place, apply an edit.

use std::cell::RefCell;
use std::rc::Rc;

use dra_playground_core::workspace::report::{Edit, Range};

use crate::derive::edit;
use crate::platform::dom;
use crate::platform::editor::CodeEditor;
use crate::state::{Action, Dispatcher, Pane, StateHandle};

/// `id` of the plain text area.
pub(crate) const PLAIN: &str = "yaml-plain";

/// Where the editor is, once it has loaded.
#[derive(Clone, Default)]
pub(crate) struct EditorLink(Rc<RefCell<Option<CodeEditor>>>);

impl std::fmt::Debug for EditorLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("EditorLink")
    }
}

impl PartialEq for EditorLink {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl EditorLink {
    /// Tells where the editor is.
    pub(crate) fn set(&self, editor: Option<CodeEditor>) {
        *self.0.borrow_mut() = editor;
    }

    fn editor(&self) -> Option<CodeEditor> {
        self.0.borrow().clone()
    }

    /// Brings a range of the text into view without taking the focus.
    pub(crate) fn reveal(&self, range: Range) {
        if let Some(editor) = self.editor() {
            editor.reveal(range, false);
        }
    }

    /// Goes to a range of the text.
    pub(crate) fn go(&self, range: Range, state: &Dispatcher) {
        state.dispatch(Action::Pane(Pane::Yaml));
        match self.editor() {
            Some(editor) => editor.reveal(range, true),
            None => dom::select_in_textarea(PLAIN, range.from, range.to, range.line),
        }
    }

    /// Applies edits of the analyzed text as one undoable change; what was typed since is kept.
    pub(crate) fn fix(&self, edits: &[Edit], state: &StateHandle) {
        match self.editor() {
            Some(editor) => editor.apply(edits, false),
            None if state.answered == state.revision => self.edit(edits, state),
            None => {}
        }
    }

    /// Applies edits of the newest text as one undoable change.
    pub(crate) fn edit(&self, edits: &[Edit], state: &StateHandle) {
        match self.editor() {
            _ if edits.is_empty() => {}
            Some(editor) => editor.apply(edits, true),
            None => state.dispatch(Action::Edited(edit::apply(&state.text, edits).into())),
        }
    }
}
