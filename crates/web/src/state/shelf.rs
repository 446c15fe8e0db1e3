//! Scenarios that the reader saved under a name, and what was replaced: kept by the browser.

use dra_playground_core::workspace::visible;
use serde::{Deserialize, Serialize};

/// Version of the form in which the shelf is kept.
const VERSION: u32 = 1;
/// Most entries of the history.
const MOST_PAST: usize = 20;
/// Most saved scenarios.
const MOST_SAVED: usize = 100;
/// Most bytes of links that are kept in all: browsers give a page about five million.
const MOST_BYTES: usize = 2 << 20;

/// A scenario that is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Kept {
    /// Name that the reader gave, or title of the scenario.
    pub(crate) name: String,
    /// When, in milliseconds since 1970.
    pub(crate) at: f64,
    /// The scenario as a link's fragment.
    pub(crate) link: String,
}

/// All that is kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Shelf {
    /// Version of this form.
    version: u32,
    /// Saved by the reader, newest first.
    pub(crate) saved: Vec<Kept>,
    /// Replaced, newest first.
    pub(crate) past: Vec<Kept>,
}

impl Shelf {
    /// What was kept, when it has a form that this page knows.
    pub(crate) fn of(kept: Option<Self>) -> Self {
        let known = kept.filter(|it| it.version <= VERSION);
        let mut shelf = Self { version: VERSION, ..known.unwrap_or_default() };
        shelf.fit();
        shelf
    }

    /// Saves a scenario; an older one of the same name is replaced.
    pub(crate) fn save(&mut self, kept: Kept) {
        self.saved.retain(|it| it.name != visible(&kept.name));
        self.saved.insert(0, kept);
        self.fit();
    }

    /// Puts a replaced scenario into the history.
    pub(crate) fn remember(&mut self, kept: Kept) {
        if self.saved.iter().any(|it| it.link == kept.link) {
            return;
        }
        self.past.retain(|it| it.link != kept.link);
        self.past.insert(0, kept);
        self.fit();
    }

    /// Forgets a saved scenario.
    pub(crate) fn forget(&mut self, name: &str) {
        self.saved.retain(|it| it.name != name);
    }

    /// Takes over the saved scenarios of another shelf; returns how many.
    pub(crate) fn merge(&mut self, other: Self) -> usize {
        let count = other.saved.len().min(MOST_SAVED);
        for kept in other.saved.into_iter().take(MOST_SAVED).rev() {
            self.save(kept);
        }
        count
    }

    /// Lets the oldest go: history first, saved scenarios only when nothing else is left. Names are
    /// shown, so they hold nothing that steers what shows them.
    fn fit(&mut self) {
        self.past.truncate(MOST_PAST);
        self.saved.truncate(MOST_SAVED);
        let size = |list: &[Kept]| list.iter().map(|it| it.link.len()).sum::<usize>();
        while size(&self.past) + size(&self.saved) > MOST_BYTES && self.past.pop().is_some() {}
        for kept in self.saved.iter_mut().chain(&mut self.past) {
            kept.name = visible(&kept.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(name: &str, link: &str) -> Kept {
        Kept { name: name.to_owned(), at: 1.0, link: link.to_owned() }
    }

    #[test]
    fn a_name_is_there_once_and_the_history_is_bounded() {
        let mut shelf = Shelf::of(None);
        shelf.save(kept("a", "1"));
        shelf.save(kept("a", "2"));
        assert_eq!(shelf.saved, [kept("a", "2")]);
        shelf.remember(kept("x", "2"));
        assert!(shelf.past.is_empty(), "what is saved needs no history");
        for number in 0..30 {
            shelf.remember(kept("x", &format!("l{number}")));
        }
        assert_eq!(shelf.past.len(), MOST_PAST);
        assert_eq!(shelf.past.first().unwrap().link, "l29");
        shelf.remember(kept("x", "l20"));
        assert_eq!(
            (shelf.past.len(), shelf.past.first().unwrap().link.as_str()),
            (MOST_PAST, "l20")
        );
    }

    #[test]
    fn names_steer_nothing() {
        let turned = || kept("a\u{202e}b", "1");
        let mut shelf = Shelf::of(Some(Shelf { saved: vec![turned()], ..Shelf::default() }));
        shelf.remember(kept("c\u{2066}d", "2"));
        assert_eq!(shelf.saved, [kept("a\\u202eb", "1")]);
        assert_eq!(shelf.past, [kept("c\\u2066d", "2")]);
        shelf.save(turned());
        assert_eq!(shelf.saved.len(), 1, "the name it has is the name that is shown");
    }

    #[test]
    fn the_history_goes_before_what_was_saved() {
        let mut shelf = Shelf::of(None);
        let long = "x".repeat(MOST_BYTES - 10);
        shelf.remember(kept("old", "0123456789012"));
        shelf.save(kept("mine", &long));
        assert!(shelf.past.is_empty());
        assert_eq!(shelf.saved.len(), 1);
    }

    #[test]
    fn a_shelf_of_a_later_form_is_left_alone() {
        let later = Shelf { version: VERSION + 1, saved: vec![kept("a", "1")], past: Vec::new() };
        assert!(Shelf::of(Some(later)).saved.is_empty());
        let json = serde_json::to_string(&Shelf::of(None)).unwrap();
        assert_eq!(json, r#"{"version":1,"saved":[],"past":[]}"#);
        assert!(serde_json::from_str::<Shelf>("{\"saved\":3}").is_err());
    }

    #[test]
    fn an_import_keeps_order_and_replaces_names() {
        let mut shelf = Shelf::of(None);
        shelf.save(kept("b", "old"));
        let other = Shelf { saved: vec![kept("a", "1"), kept("b", "2")], ..Shelf::of(None) };
        assert_eq!(shelf.merge(other), 2);
        assert_eq!(shelf.saved, [kept("a", "1"), kept("b", "2")]);
    }
}
