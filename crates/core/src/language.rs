//! Languages beside English: one file each, keyed by the English words.
//!
//! Every stage says what it has to say in English; what crosses to the reader is looked up here.
//! A program of its own carries all files (feature `languages`); the page fetches the one it
//! needs and [`add`]s it. Texts of Kubernetes never pass through here.
//!
//! A new language is a file in `languages/` and a line in [`KNOWN`].

use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// A language that there is a file for, or English.
#[derive(Debug, PartialEq, Eq)]
pub struct Known {
    /// Its tag, which is the name of its file.
    pub code: &'static str,
    /// Its own name.
    pub name: &'static str,
    /// Beginnings of the tags it serves, in small letters.
    tags: &'static [&'static str],
}

/// All languages, English first.
pub const KNOWN: [Known; 2] = [
    Known { code: "en", name: "English", tags: &["en"] },
    Known { code: "zh-TW", name: "繁體中文", tags: &["zh-tw", "zh-hant", "zh-hk"] },
];

/// The language that serves a tag such as `en-GB` or `zh-Hant-TW`.
pub fn find(tag: &str) -> Option<&'static Known> {
    let tag = tag.to_ascii_lowercase();
    KNOWN.iter().find(|known| {
        let mut tags = known.tags.iter();
        tags.any(|it| {
            tag.strip_prefix(it).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
        })
    })
}

/// English words and what they are in another language.
pub type Table = BTreeMap<String, String>;

/// The words of a language by their English form.
#[derive(Debug)]
pub struct Language {
    /// Tag of the language.
    pub code: &'static str,
    /// Templates of explanations. `{who}` stands for the same as in the English one.
    pub explanations: Table,
    /// Sentences of diagnostics. `{}` stands for what the user wrote, `{0}` … for the same.
    pub sentences: Table,
    /// What completions and hovers say.
    pub assistance: Table,
    /// The page's own words.
    pub page: Table,
    /// Titles, paragraphs, names of steps and features of the gallery's scenarios.
    pub gallery: Table,
    /// Words of the code editor.
    pub editor: Table,
    /// The file.
    pub source: String,
}

static ADDED: RwLock<Vec<&'static Language>> = RwLock::new(Vec::new());

/// Files that the program carries.
const CARRIED: &[(&str, &str)] = &[
    #[cfg(feature = "languages")]
    ("zh-TW", include_str!("../languages/zh-TW.json")),
];

/// Takes the file of a language in; one that is there already stays as it is.
///
/// # Errors
///
/// There is no such language, or the file is malformed; the text says where.
pub fn add(code: &str, file: &str) -> Result<(), String> {
    let known = KNOWN.iter().find(|it| it.code == code);
    let known = known.ok_or_else(|| format!("there is no language `{code}`"))?;
    let mut tables: BTreeMap<String, Table> =
        serde_json::from_str(file).map_err(|error| error.to_string())?;
    let mut table = |name: &str| tables.remove(name).unwrap_or_default();
    let language = Language {
        code: known.code,
        explanations: table("explanations"),
        sentences: table("sentences"),
        assistance: table("assistance"),
        page: table("page"),
        gallery: table("gallery"),
        editor: table("editor"),
        source: file.to_owned(),
    };
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    if !added.iter().any(|it| it.code == code) {
        // Words are handed out for as long as the program runs; there is one such leak per language.
        added.push(Box::leak(Box::new(language)));
    }
    Ok(())
}

/// The languages that were taken in, in that order.
pub fn added() -> Vec<&'static Language> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The words of the language that serves a tag; `None` for English and what is not there.
pub fn language(tag: &str) -> Option<&'static Language> {
    let code = find(tag)?.code;
    there(code).or_else(|| {
        let (_, file) = CARRIED.iter().find(|(it, _)| *it == code)?;
        add(code, file).ok()?;
        there(code)
    })
}

fn there(code: &str) -> Option<&'static Language> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    added.iter().copied().find(|it| it.code == code)
}

/// What a table has for an English text, or that text.
pub fn said<'a>(table: Option<&'a Table>, english: &'a str) -> &'a str {
    table.and_then(|table| table.get(english)).map_or(english, String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_finds_its_language() {
        let code = |tag| find(tag).map(|it| it.code);
        assert_eq!(code("zh-Hant-TW"), Some("zh-TW"));
        assert_eq!(code("en-GB"), Some("en"));
        assert_eq!(code("english"), None);
        assert_eq!(code("zh-CN"), None);
    }

    #[test]
    fn every_known_language_has_its_file() {
        for known in KNOWN.iter().skip(1) {
            assert_eq!(language(known.code).map(|it| it.code), Some(known.code));
        }
        assert!(language("en").is_none());
    }

    #[test]
    fn a_file_that_is_none_is_refused() {
        assert!(add("zh-TW", "{").unwrap_err().contains("line 1"));
        assert_eq!(add("xx", "{}").unwrap_err(), "there is no language `xx`");
    }
}
