//! The link that carries everything.

use dra_playground_core::workspace::link::{self, Shared};
use yew::{AttrValue, Callback, Event, Html, InputEvent, component, html, use_state};

use crate::components::{CopyButton, MenuButton};
use crate::derive::{format, report};
use crate::hooks::{MAX_LINKED, use_typing_state, use_words};
use crate::platform::{dom, url};
use crate::state::{Action, Menu};
use crate::words::{Words, fill};

/// Links above this length are cut by some programs.
const LONG: usize = 8000;
/// Links up to this length fit everywhere.
const SHORT: usize = 2000;
/// Height of a frame whose page tells none.
const HEIGHT: u32 = 560;

/// Panels at which a link can open the page: their `id` and their name.
pub(crate) fn panels(words: &'static Words) -> [(&'static str, &'static str); 9] {
    [
        ("", words.top_of_page),
        ("sieve", words.loads_of),
        ("rack", words.rack),
        ("matrix", words.matrix),
        ("selectors", words.selectors),
        ("compare", words.compare),
        ("balances", words.balances),
        ("claims", words.claims),
        ("inventory", words.inventory),
    ]
}

/// The share menu.
#[component]
pub(crate) fn ShareMenu() -> Html {
    let words = use_words();
    html! {
        <MenuButton menu={Menu::Share} class="btn" panel="right broad" label={words.share} button={html! { {words.share_button} }}>
            <ShareForm />
        </MenuButton>
    }
}

#[component]
fn ShareForm() -> Html {
    let words = use_words();
    let source = use_state(String::new);
    let Some(state) = use_typing_state() else { return Html::default() };
    let shared = state.shared();
    let fits = shared.text.len() <= MAX_LINKED;
    let link = if fits { link::encode(&shared) } else { String::new() };
    let address = format!("{}#{link}", url::page());
    let frame = frame_of(&url::sibling("embed.html", &link), HEIGHT);
    let report = state.shown().map(|analysis| report::markdown(words, analysis, &address));
    let advice = match address.len() {
        _ if !fits => words.link_too_long,
        0..=SHORT => words.link_fits,
        length if length <= LONG => words.link_long,
        _ => words.link_long_chat,
    };
    let onchange = {
        let state = state.clone();
        Callback::from(move |event: Event| {
            state.dispatch(Action::Panel(dom::value_of_select(&event).into()));
        })
    };
    let oninput = {
        let source = source.clone();
        Callback::from(move |event: InputEvent| source.set(dom::value_of_input(&event)))
    };
    let to_file =
        format!("{}#src={}{}", url::page(), link::escape(source.trim()), step_of(&shared));
    html! {
        <div class="share" id="share">
            <p><b>{words.link}</b>{" "}<span class="mute" id="link-size">{fill(words.link_size, &[&format::bytes(address.len())])}</span></p>
            <input id="link" type="text" readonly=true value={address.clone()} aria-label={words.link} />
            <p class="mute" id="link-advice">{advice}</p>
            <label class="pick"><span>{words.opens_at}</span>
                <select id="link-panel" {onchange}>
                    { for panels(words).into_iter().map(|(id, name)| html! { <option value={id} selected={state.panel == id}>{name}</option> }) }
                </select></label>
            if fits {
                <p class="row-b"><CopyButton text={AttrValue::from(address)} label={words.copy_link} wordy=true />
                    { for report.map(|text| html! { <CopyButton text={AttrValue::from(text)} label={words.copy_markdown} wordy=true /> }) }
                    <CopyButton text={AttrValue::from(frame)} label={words.copy_iframe} wordy=true /></p>
            }
            <label class="source"><span>{words.source_of_file}</span>
                <input id="link-source" type="url" placeholder="https://" value={(*source).clone()} {oninput} /></label>
            if !source.trim().is_empty() { <p class="row-b"><CopyButton text={AttrValue::from(to_file)} label={words.copy_source} wordy=true /></p> }
            <p class="mute">{words.link_how}</p>
        </div>
    }
}

fn step_of(shared: &Shared) -> String {
    shared.step.map(|step| format!("&step={step}")).unwrap_or_default()
}

/// The element that puts the page into another one.
fn frame_of(address: &str, height: u32) -> String {
    format!(
        "<iframe src=\"{address}\" title=\"DRA Playground\" loading=\"lazy\" width=\"100%\" \
         height=\"{height}\" style=\"border:1px solid #b9c0c4;border-radius:6px\"></iframe>"
    )
}
