//! The top bar: scenario, version, gates, language, colours, link.

use dra_playground_core::workspace::language::KNOWN;
use wasm_bindgen_futures::spawn_local;
use yew::{Callback, Event, Html, component, html};

use super::export::ExportMenu;
use super::gallery::{Gallery, load_text};
use super::gates::{Gates, GatesMenu, VersionPicker};
use super::share::ShareMenu;
use super::shelf::Shelf;
use crate::components::{MenuButton, chevron, icon};
use crate::hooks::{use_state_handle, use_words};
use crate::platform::{beside, dom};
use crate::state::{Action, Menu, Theme};
use crate::words::{Words, fill};

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
            <div class="ctls"><span class="d-only">{guide_link(words)}</span><span class="d-only"><LanguagePicker /></span><ThemeMenu /></div>
            <ExportMenu /><ShareMenu />
            <MenuButton menu={Menu::More} class="ctl sq only-m" panel="right" label={words.more_menu} button={icon("i-menu")}>
                <VersionPicker /><LanguagePicker />{guide_link(words)}<Gates />
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
            <Shelf />
        </MenuButton>
    }
}

#[component]
fn LanguagePicker() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let onchange = Callback::from(move |event: Event| {
        let chosen = dom::value_of_select(&event);
        let Some(known) = KNOWN.iter().find(|it| it.code == chosen) else { return };
        let state = state.clone();
        spawn_local(async move {
            state.dispatch(if beside::load_language(known.code).await {
                Action::Language(known.code)
            } else {
                Action::Toast(Some(fill(words.language_failed, &[&known.name]).into()))
            });
        });
    });
    html! {
        <label class="ctl pick-v"><span class="vh">{words.language}</span>
            <select {onchange} aria-label={words.language}>
                { for KNOWN.iter().map(|it| html! { <option value={it.code} selected={it.code == words.code} lang={it.code}>{it.name}</option> }) }
            </select>
        </label>
    }
}

/// The way to the guide, which is a page of its own.
fn guide_link(words: &'static Words) -> Html {
    html! { <a class="ctl" href={words.page("guide", "index")} id="guide-link">{words.guide}</a> }
}

#[component]
fn ThemeMenu() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let choice = |theme: Theme| {
        let on = state.theme == theme;
        let name = match theme {
            Theme::System => words.theme_system,
            Theme::Light => words.theme_light,
            Theme::Dark => words.theme_dark,
            Theme::Contrast => words.theme_contrast,
        };
        let state = state.clone();
        let onclick = Callback::from(move |_| {
            state.dispatch(Action::Theme(theme));
            state.dispatch(Action::Menu(None));
        });
        html! { <li><button type="button" aria-pressed={on.to_string()} data-theme-name={theme.name().unwrap_or("system")} {onclick}>{name}</button></li> }
    };
    html! {
        <MenuButton menu={Menu::Theme} class="ctl sq" panel="right" label={words.theme} button={icon("i-theme")}>
            <ul class="objs choices">{ for Theme::ALL.into_iter().map(choice) }</ul>
        </MenuButton>
    }
}
