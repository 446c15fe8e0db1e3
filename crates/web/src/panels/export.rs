//! Files and texts of the answer: report, tables, status, JSON, pictures.

use yew::{AttrValue, Callback, Html, Properties, component, html};

use crate::components::{CopyButton, MenuButton, icon};
use crate::derive::report;
use crate::hooks::{use_state_handle, use_typing_state, use_words};
use crate::platform::{dom, files, url};
use crate::state::{Action, Menu, StateHandle};
use crate::words::{Words, fill};

/// The menu of exports.
#[component]
pub(crate) fn ExportMenu() -> Html {
    let words = use_words();
    html! {
        <MenuButton menu={Menu::Export} class="ctl sq" panel="right" label={words.exports} button={icon("i-save")}>
            <ExportForm />
        </MenuButton>
    }
}

#[component]
fn ExportForm() -> Html {
    let words = use_words();
    let Some(state) = use_typing_state() else { return Html::default() };
    let file = |label: &'static str, name: &'static str, kind: &'static str, text: String| {
        let saved = text.clone();
        let save = Callback::from(move |_| files::save(name, kind, &saved));
        html! {
            <li><button type="button" data-export={name} onclick={save}>{label}</button>
                <CopyButton text={AttrValue::from(text)} label={fill(words.copy_named, &[&label])} /></li>
        }
    };
    let mut entries = Vec::new();
    if let Some(analysis) = state.shown() {
        let link = format!(
            "{}#{}",
            url::page(),
            dra_playground_core::workspace::link::encode(&state.shared())
        );
        let json = report::json(analysis);
        entries.push(file(
            words.export_report,
            "report.md",
            "text/markdown",
            report::markdown(words, analysis, &link),
        ));
        entries.push(file(
            words.export_tables,
            "tables.txt",
            "text/plain",
            report::tables(analysis),
        ));
        let status = report::statuses(analysis);
        if !status.is_empty() {
            entries.push(file(words.export_status, "status.yaml", "application/yaml", status));
        }
        entries.push(file(words.export_json, "analysis.json", "application/json", json));
    }
    entries.push(file(
        words.export_text,
        "scenario.yaml",
        "application/yaml",
        state.text.to_string(),
    ));
    let print = Callback::from(|_| dom::print());
    html! {
        <div id="exports">
            <p><b>{words.exports}</b></p>
            <ul class="objs exports">{ for entries }</ul>
            if state.shown().is_some() { <p class="row-b">{words.export_picture}{picture_buttons(words, &state, "answer")}</p> }
            <p class="row-b"><button type="button" class="small" onclick={print}>{words.print}</button></p>
        </div>
    }
}

/// Properties of [`PanelHead`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct PanelHeadProps {
    /// Id of the panel.
    pub(crate) id: &'static str,
    /// What the panel is.
    pub(crate) title: AttrValue,
    /// How it is read.
    pub(crate) how: AttrValue,
}

/// The head of a panel, with buttons that save it as a picture.
#[component]
pub(crate) fn PanelHead(props: &PanelHeadProps) -> Html {
    let words = use_words();
    let buttons = use_state_handle().map(|state| picture_buttons(words, &state, props.id));
    html! { <div class="h"><h2>{&props.title}</h2><p>{&props.how}</p>{ for buttons }</div> }
}

/// Buttons that save a part of the page as a picture.
fn picture_buttons(words: &'static Words, state: &StateHandle, id: &'static str) -> Html {
    if state.view.embedded {
        return Html::default();
    }
    let button = |label: &'static str, name: &'static str, png: bool| {
        let state = state.clone();
        let onclick = Callback::from(move |_| {
            let state = state.clone();
            let done = Callback::from(move |worked: bool| {
                if !worked {
                    state.dispatch(Action::Toast(Some(words.export_failed.into())));
                }
            });
            files::save_picture(id, png, done);
        });
        html! { <button type="button" class="line" title={label} aria-label={label} data-picture={name} {onclick}>{name}</button> }
    };
    html! { <span class="export">{button(words.export_svg, "SVG", false)}{button(words.export_png, "PNG", true)}</span> }
}
