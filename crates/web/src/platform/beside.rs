//! Fetches what lies beside the module: the words of a language, the scenarios of the gallery, the
//! tables that few selectors need.

use dra_playground_core::workspace::{fetch_tables_by, fill_gallery, gallery, language};

use super::{bridge, url};

/// Most bytes of a file.
const MAX_BYTES: f64 = 1_000_000.0;

/// Takes a language in; says whether its words are there.
pub(crate) async fn load_language(code: &str) -> bool {
    if code == "en" || language::language(code).is_some() {
        return true;
    }
    load(&format!("{code}.json")).await.is_some_and(|it| language::add(code, &it).is_ok())
}

/// Takes the scenarios in; says whether they are there.
pub(crate) async fn load_gallery() -> bool {
    if gallery().is_empty()
        && let Some(file) = load("gallery.txt").await
    {
        fill_gallery(file);
    }
    !gallery().is_empty()
}

/// Lets the core fetch tables when a selector needs them.
pub(crate) fn fetch_tables() {
    fetch_tables_by(|name| bridge::load_text_now(&url::beside_script(name)));
}

async fn load(name: &str) -> Option<String> {
    bridge::load_text(&url::beside_script(name), MAX_BYTES).await.ok()?.as_string()
}
