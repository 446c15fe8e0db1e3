//! Fetches the words of a language, which lie beside the module.

use dra_playground_core::workspace::language;

use super::{bridge, url};

/// Most bytes of a file.
const MAX_BYTES: f64 = 1_000_000.0;

/// Takes a language in; says whether its words are there.
pub(crate) async fn load(code: &str) -> bool {
    if code == "en" || language::language(code).is_some() {
        return true;
    }
    let address = url::beside_script(&format!("{code}.json"));
    let file = bridge::load_text(&address, MAX_BYTES).await;
    file.ok().and_then(|it| it.as_string()).is_some_and(|it| language::add(code, &it).is_ok())
}
