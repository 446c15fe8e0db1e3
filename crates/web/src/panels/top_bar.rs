//! The top bar: scenario, version, gates, language, colours, link.

use yew::{Callback, Event, Html, component, html};

use super::gallery::{Gallery, load_text};
use super::gates::{Gates, GatesMenu, VersionPicker};
use super::share::ShareMenu;
use crate::components::{MenuButton, chevron, icon};
use crate::hooks::{use_state_handle, use_words};
use crate::platform::dom;
use crate::state::{Action, Menu, Theme};
use crate::words::{LANGUAGES, fill};

/// The bar.
#[component]
pub(crate) fn TopBar() -> Html {
    let words = use_words();
    html! {
        <header class="bar">
            <span class="brand"><svg aria-hidden="true"><use href="#logo" /></svg>{"DRA Playground"}</span>
            <span class="rule" />
            <ScenarioMenu />
            <span class="sp" />
            <div class="ctls d-only"><VersionPicker /><GatesMenu /></div>
            <div class="ctls"><span class="d-only"><LanguagePicker /></span><ThemeButton /></div>
            <ShareMenu />
            <MenuButton menu={Menu::More} class="ctl sq only-m" panel="right" label={words.more_menu} button={icon("i-menu")}>
                <VersionPicker /><LanguagePicker /><Gates />
            </MenuButton>
        </header>
    }
}

#[component]
fn ScenarioMenu() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let scenario = state.answer.as_ref().and_then(|analysis| analysis.scenario.as_ref());
    let title = match scenario {
        Some(scenario) if !scenario.title.is_empty() => scenario.title.clone(),
        Some(scenario) => scenario.name.clone(),
        None => words.untitled.to_owned(),
    };
    let new = Callback::from(move |_| load_text(&state, String::new()));
    html! {
        <MenuButton menu={Menu::Gallery} class="title" panel="wide" label={fill(words.scenario_menu, &[&title])}
            button={html! { <><span>{title}</span>{chevron()}</> }}>
            <p class="row-b"><b>{words.scenarios}</b><button type="button" class="small" id="new-scenario" onclick={new}>{words.new_scenario}</button></p>
            <Gallery />
        </MenuButton>
    }
}

#[component]
fn LanguagePicker() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let onchange = Callback::from(move |event: Event| {
        let chosen = dom::value_of_select(&event);
        if let Some(language) = LANGUAGES.iter().find(|it| it.code == chosen) {
            state.dispatch(Action::Language(language.code));
        }
    });
    html! {
        <label class="ctl pick-v"><span class="vh">{words.language}</span>
            <select {onchange} aria-label={words.language}>
                { for LANGUAGES.iter().map(|it| html! { <option value={it.code} selected={it.code == words.code} lang={it.code}>{it.name}</option> }) }
            </select>
        </label>
    }
}

#[component]
fn ThemeButton() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let onclick = Callback::from(move |_| {
        let dark = match state.theme {
            Theme::System => dom::prefers_dark(),
            Theme::Light => false,
            Theme::Dark => true,
        };
        // Back to what the system has when that is the other one.
        let next = match (dark, dom::prefers_dark()) {
            (true, false) | (false, true) => Theme::System,
            (true, true) => Theme::Light,
            (false, false) => Theme::Dark,
        };
        state.dispatch(Action::Theme(next));
    });
    html! {
        <button type="button" class="ctl sq" id="theme" aria-label={words.theme} title={words.theme} {onclick}>{icon("i-theme")}</button>
    }
}
