//! A button with a panel below it.

use yew::{AttrValue, Callback, Children, Classes, Html, Properties, classes, component, html};

use super::icon;
use crate::hooks::{use_state_handle, use_words};
use crate::state::{Action, Menu};

/// Properties of [`MenuButton`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct MenuButtonProps {
    /// Which menu.
    pub(crate) menu: Menu,
    /// What the button shows.
    pub(crate) button: Html,
    /// Its accessible name, which begins with what it shows.
    pub(crate) label: AttrValue,
    /// Classes of the button.
    #[prop_or_default]
    pub(crate) class: Classes,
    /// Classes of the panel.
    #[prop_or_default]
    pub(crate) panel: Classes,
    /// What the panel holds.
    #[prop_or_default]
    pub(crate) children: Children,
}

/// A disclosure: the panel is part of the tab order right behind its button.
#[component]
pub(crate) fn MenuButton(props: &MenuButtonProps) -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let open = state.menu == Some(props.menu);
    let menu = props.menu;
    let toggle = {
        let state = state.clone();
        Callback::from(move |_| state.dispatch(Action::Menu((!open).then_some(menu))))
    };
    let close = Callback::from(move |_| state.dispatch(Action::Menu(None)));
    html! {
        <div class="menu">
            <button type="button" class={props.class.clone()} data-menu={name_of(menu)} aria-expanded={open.to_string()}
                aria-label={props.label.clone()} onclick={toggle}>{props.button.clone()}</button>
            if open {
                <button type="button" class="backdrop" tabindex="-1" aria-label={words.close}
                    onclick={close} />
                <div class={classes!("panel", props.panel.clone())} role="group"
                    aria-label={props.label.clone()}>{props.children.clone()}</div>
            }
        </div>
    }
}

/// A stable name, for tests and styles.
fn name_of(menu: Menu) -> &'static str {
    match menu {
        Menu::Gallery => "gallery",
        Menu::Insert => "insert",
        Menu::Outline => "outline",
        Menu::Gates => "gates",
        Menu::Share => "share",
        Menu::Export => "export",
        Menu::Theme => "theme",
        Menu::More => "more",
        Menu::Keys => "keys",
        Menu::Page => "page",
    }
}

/// The arrow of a menu's button.
pub(crate) fn chevron() -> Html {
    icon("i-chev")
}
