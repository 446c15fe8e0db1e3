//! The page without a text: what to paste, or a scenario to start from.

use yew::{Callback, Event, Html, component, html};

use super::gallery::{Gallery, load_text};
use crate::components::CopyButton;
use crate::hooks::{use_state_handle, use_words};
use crate::platform::{clipboard, files};
use crate::state::Action;

const KUBECTL: &str = "kubectl get node,namespace,pod,deviceclass,resourceslice,resourceclaim,resourceclaimtemplate -A -o yaml";

/// One sentence, the command, paste and open, scenarios.
#[component]
pub(crate) fn Empty() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let loaded = Callback::from(move |text: Option<String>| match text {
        Some(text) => load_text(&state, text),
        None => state.dispatch(Action::Toast(Some(words.cannot_read.into()))),
    });
    let paste = {
        let loaded = loaded.clone();
        Callback::from(move |_| clipboard::paste(loaded.clone()))
    };
    let open = Callback::from(move |event: Event| files::of_field(&event, loaded.clone()));
    html! {
        <div id="empty">
            <h1 class="lede">{words.empty_lede}</h1>
            <p class="prose">{words.empty_prose}</p>
            <div class="cmd"><code>{ for KUBECTL.split_inclusive(',').map(|part| html! { <>{part}<wbr /></> }) }</code><CopyButton text={KUBECTL} label={words.copy_command} /></div>
            <p class="row-b start">
                <button type="button" class="btn" onclick={paste}>{words.paste}</button>
                <label class="btn ghost">{words.open_files}<input class="vh" type="file" multiple=true accept=".yaml,.yml,.json,.txt" onchange={open} /></label>
                <span class="mute">{words.or_drop}</span>
            </p>
            <div class="h"><h2>{words.or_scenario}</h2><p><a class="line" id="learn" href={words.page("guide", "learn")}>{words.learn_in_ten}</a></p></div>
            <Gallery />
        </div>
    }
}
