//! A button that copies a text and says so.

use gloo_timers::callback::Timeout;
use yew::{AttrValue, Callback, Html, Properties, component, html, use_effect_with, use_state};

use super::icon;
use crate::hooks::use_words;
use crate::platform::clipboard;

/// Properties of [`CopyButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct CopyButtonProps {
    /// What is copied.
    pub(crate) text: AttrValue,
    /// What the button is called.
    pub(crate) label: AttrValue,
    /// Whether the name is shown beside the icon.
    #[prop_or_default]
    pub(crate) wordy: bool,
}

/// Copies a text.
#[component]
pub(crate) fn CopyButton(props: &CopyButtonProps) -> Html {
    let words = use_words();
    let copied = use_state(|| None::<bool>);
    let onclick = {
        let (copied, text) = (copied.clone(), props.text.clone());
        Callback::from(move |_| {
            let copied = copied.clone();
            clipboard::copy(&text, Callback::from(move |ok| copied.set(Some(ok))));
        })
    };
    {
        let copied = copied.clone();
        use_effect_with(*copied, move |now| {
            let timer = now.map(|_| Timeout::new(1800, move || copied.set(None)));
            move || drop(timer)
        });
    }
    let (mark, said) = match *copied {
        None => ("i-copy", None),
        Some(true) => ("i-done", Some(words.copied)),
        Some(false) => ("i-copy", Some(words.copy_failed)),
    };
    let name = props.wordy.then(|| props.label.clone());
    html! {
        <button type="button" class="copy" {onclick} aria-label={props.label.clone()}>
            {icon(mark)}{name}<span role="status">{said}</span>
        </button>
    }
}
