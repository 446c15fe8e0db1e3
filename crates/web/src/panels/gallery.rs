//! Scenarios to start from.

use dra_playground_core::workspace::gallery;
use dra_playground_core::workspace::link::Shared;
use yew::{Callback, Html, component, html};

use crate::hooks::{use_state_handle, use_words};
use crate::state::{Action, StateHandle};

/// Loads a text in place of everything.
pub(crate) fn load_text(state: &StateHandle, text: String) {
    state.dispatch(Action::Load(Box::new(Shared { text, ..Shared::default() })));
}

/// The list of scenarios.
#[component]
pub(crate) fn Gallery() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let entry = |example: &'static dra_playground_core::workspace::Example| {
        let state = state.clone();
        let open = Callback::from(move |_| state.dispatch(Action::Example(example.text)));
        html! {
            <li key={example.name}>
                <button type="button" onclick={open} data-example={example.name}>
                    <b>{example.title}</b><span>{example.description}</span>
                </button>
            </li>
        }
    };
    html! {
        <>
            <ul class="gal">{ for gallery().iter().map(entry) }</ul>
            if gallery().is_empty() { <p class="mute">{words.no_scenarios}</p> }
        </>
    }
}
