//! The words of explanations: one file per language, nothing else knows how a thing is said.
//!
//! A new language is a file with a template for each [`Key`] and a line in [`catalogue`]. Words of
//! the scheduler are never translated.

mod en;
mod key;
mod zh_tw;

use super::Phrase;

pub use key::Key;

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    language: &'static str,
    template: fn(Key) -> &'static str,
    number: fn(usize) -> String,
}

/// The catalogue of a language tag such as `en` or `zh-TW`; English when there is none.
pub fn catalogue(language: &str) -> Catalogue {
    match language {
        "zh" | "zh-TW" | "zh-Hant" | "zh-Hant-TW" => {
            Catalogue { language: "zh-TW", template: zh_tw::template, number: zh_tw::number }
        }
        _ => Catalogue { language: "en", template: en::template, number: en::number },
    }
}

impl Catalogue {
    /// Tag of the language.
    pub fn language(&self) -> &'static str {
        self.language
    }

    /// A sentence or part of one, its places filled.
    pub fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        Phrase::fill((self.template)(key), values)
    }

    /// Words without places.
    pub fn word(&self, key: Key) -> &'static str {
        (self.template)(key)
    }

    /// A number as it reads best inside a sentence.
    pub fn number(&self, number: usize) -> String {
        (self.number)(number)
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
