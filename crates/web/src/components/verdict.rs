//! Reason badges: silhouette, colour and words, always all three.

use dra_playground_core::workspace::report::Family;
use yew::{Html, html};

/// The name of a family's silhouette.
pub(crate) fn silhouette(family: Family) -> &'static str {
    match family {
        Family::Fit => "#r-fit",
        Family::Quantity => "#r-qty",
        Family::Held => "#r-held",
        Family::Rule => "#r-rule",
        Family::Fault => "#r-fault",
        Family::None => "#r-none",
    }
}

/// The class that gives a family its colour.
pub(crate) fn silhouette_class(family: Family) -> &'static str {
    match family {
        Family::Fit => "fit",
        Family::Quantity => "qty",
        Family::Held => "held",
        Family::Rule => "rule",
        Family::Fault => "fault",
        Family::None => "none",
    }
}

/// A badge.
pub(crate) fn badge(family: Family, words: &str) -> Html {
    html! {
        <span class={format!("v {}", silhouette_class(family))}>
            <svg aria-hidden="true"><use href={silhouette(family)} /></svg>{words.to_owned()}
        </span>
    }
}
