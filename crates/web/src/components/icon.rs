//! Icons: always beside words, or with a name for those who cannot see them.

use yew::{Html, html};

/// An icon of 16 px; decorative, so its neighbour or its button says what it means.
pub(crate) fn icon(name: &'static str) -> Html {
    html! {
        <svg class="i" aria-hidden="true"><use href={format!("#{name}")} /></svg>
    }
}
