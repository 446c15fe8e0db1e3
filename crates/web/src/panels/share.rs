//! The link that carries everything.

use dra_playground_core::workspace::link;
use yew::{AttrValue, Callback, Html, component, html};

use super::answer::markdown;
use crate::components::{CopyButton, MenuButton};
use crate::derive::format;
use crate::hooks::{use_state_handle, use_words};
use crate::platform::{dom, url};
use crate::state::Menu;
use crate::words::fill;

/// Links above this length are cut by some programs.
const LONG: usize = 8000;

/// The share menu.
#[component]
pub(crate) fn ShareMenu() -> Html {
    let words = use_words();
    html! {
        <MenuButton menu={Menu::Share} class="btn" panel="right" label={words.share} button={html! { {words.share_button} }}>
            <ShareForm />
        </MenuButton>
    }
}

#[component]
fn ShareForm() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let address = format!("{}#{}", url::page(), link::encode(&state.shared()));
    let size = format::bytes(address.len());
    let report = state.shown().map(|analysis| markdown(words, analysis, &address));
    let print = Callback::from(|_| dom::print());
    html! {
        <div class="share" id="share">
            <p><b>{words.link}</b>{" "}<span class="mute" id="link-size">{fill(words.link_size, &[&size])}</span></p>
            <input id="link" type="text" readonly=true value={address.clone()} aria-label={words.link} />
            <p class="row-b"><CopyButton text={AttrValue::from(address)} label={words.copy_link} wordy=true />
                { for report.map(|text| html! { <CopyButton text={AttrValue::from(text)} label={words.copy_markdown} wordy=true /> }) }
                <button type="button" class="copy" onclick={print}>{words.print}</button></p>
            if state.shared().text.len() > LONG * 4 { <p class="mute">{words.link_long}</p> }
            <p class="mute">{words.link_how}</p>
        </div>
    }
}
