//! The words of explanations: nothing else knows how a thing is said.
//!
//! English stands here, a template for each [`Key`]; other languages in their [`language`] files.
//! Words of the scheduler are never translated.

/// Declares the keys, and for tests the list of all of them.
macro_rules! keys {
    ($($(#[$doc:meta])* $key:ident,)*) => {
        /// Everything that can be said. The places of a template are named in its English form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Key {
            $($(#[$doc])* $key,)*
        }

        #[cfg(test)]
        impl Key {
            /// All keys.
            pub(super) const ALL: &'static [Key] = &[$(Key::$key,)*];
        }
    };
}

mod en;
mod key;

use super::Phrase;
use crate::language::{self, Table};

pub use key::Key;

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    language: &'static str,
    told: Option<&'static Table>,
}

/// The catalogue of a language tag such as `en` or `zh-TW`; English when there is none.
pub fn catalogue(language: &str) -> Catalogue {
    match language::language(language) {
        Some(it) => Catalogue { language: it.code, told: Some(&it.explanations) },
        None => Catalogue { language: "en", told: None },
    }
}

impl Catalogue {
    /// Tag of the language.
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// A sentence or part of one, its places filled.
    pub fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        Phrase::fill(self.word(key), values)
    }

    /// Words without places.
    pub fn word(&self, key: Key) -> &'static str {
        language::said(self.told, en::template(key))
    }

    /// A number as it reads best inside a sentence.
    pub fn number(&self, number: usize) -> String {
        if self.told.is_some() { number.to_string() } else { en::number(number) }
    }

    /// A list, cut after `limit` items.
    pub fn list(&self, items: &[Phrase], limit: usize) -> Phrase {
        let shown = items.get(..limit.min(items.len())).unwrap_or_default();
        let cut = items.len() - shown.len();
        let mut list = Phrase::default();
        for (index, item) in shown.iter().enumerate() {
            if index > 0 {
                let is_last = cut == 0 && index + 1 == shown.len();
                list = list
                    .then(self.word(if is_last { Key::ListLast } else { Key::ListMiddle }).into());
            }
            list = list.then(item.clone());
        }
        if cut == 0 {
            return list;
        }
        self.say(Key::ListMore, &[("list", list), ("count", cut.to_string().into())])
    }

    /// A text as a sentence: first letter large, full stop.
    pub fn sentence(&self, text: Phrase) -> Phrase {
        if text.is_empty() {
            return text;
        }
        self.say(Key::Sentence, &[("text", text)])
    }
}

#[cfg(test)]
mod tests;
