//! References: whatever shows a thing lights up together with all that shows the same thing.

#![expect(clippy::ignored_unit_patterns, reason = "written by the macro for dynamic elements")]

use std::rc::Rc;

use dra_playground_core::workspace::report::{Range, Thing};
use yew::{
    AttrValue, Callback, Children, Classes, Event, FocusEvent, Html, KeyboardEvent, MouseEvent,
    Properties, classes, component, html,
};

use crate::hooks::{use_dispatcher, use_editor_link, use_spot, use_words};
use crate::state::SpotAction;
use crate::words::fill;

/// Properties of [`Mark`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct MarkProps {
    /// What it shows; without it, it is only an element.
    pub(crate) thing: Option<Rc<Thing>>,
    /// The element.
    #[prop_or("span")]
    pub(crate) tag: &'static str,
    /// Whether it is pressed like a button. It is none: browsers do not break a button across
    /// lines, and part it from what is written to it, as in `pod1's`.
    #[prop_or_default]
    pub(crate) link: bool,
    /// Its classes.
    #[prop_or_default]
    pub(crate) class: Classes,
    /// Its `id`.
    #[prop_or_default]
    pub(crate) id: Option<AttrValue>,
    /// Column name of a table cell, for narrow layouts.
    #[prop_or_default]
    pub(crate) label: Option<AttrValue>,
    /// Where it is written; a click brings it into view.
    #[prop_or_default]
    pub(crate) range: Option<Range>,
    /// What a click does beside lighting it.
    #[prop_or_default]
    pub(crate) clicked: Option<Callback<()>>,
    /// What it holds.
    #[prop_or_default]
    pub(crate) children: Children,
}

/// An element that shows a thing.
#[component]
pub(crate) fn Mark(props: &MarkProps) -> Html {
    let spot = use_spot();
    let link = use_editor_link();
    let thing = props.thing.clone();
    let lit = thing.as_deref().zip(spot.as_deref()).is_some_and(|(it, spot)| spot.is_lit(it));
    let point = |on: bool| {
        let pair = spot.clone().zip(thing.clone());
        move || {
            if let Some((spot, thing)) = &pair {
                spot.dispatch(SpotAction::Hover(on.then(|| thing.clone())));
            }
        }
    };
    let (over, out, focus, blur) = (point(true), point(false), point(true), point(false));
    let onmouseover = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        over();
    });
    let onmouseout = Callback::from(move |_: MouseEvent| out());
    let onfocusin = Callback::from(move |_: FocusEvent| focus());
    let onfocusout = Callback::from(move |_: FocusEvent| blur());
    let press = {
        let (clicked, range) = (props.clicked.clone(), props.range);
        Rc::new(move |event: &Event| {
            if let Some((spot, thing)) = spot.clone().zip(thing.clone()) {
                event.stop_propagation();
                spot.dispatch(SpotAction::Pin(thing));
            }
            if let Some(range) = range {
                link.reveal(range);
            }
            if let Some(clicked) = &clicked {
                clicked.emit(());
            }
        })
    };
    let onkeydown = {
        let press = press.clone();
        let presses = props.link;
        Callback::from(move |event: KeyboardEvent| {
            if presses && matches!(event.key().as_str(), "Enter" | " ") {
                event.prevent_default();
                press(&event);
            }
        })
    };
    let onclick = Callback::from(move |event: MouseEvent| press(&event));
    let role = props.link.then_some("button");
    let tabindex = role.map(|_| "0");
    let class =
        classes!(props.class.clone(), props.thing.is_some().then_some("mark"), lit.then_some("on"));
    let kind = (props.tag == "button").then_some("button");
    html! {
        <@{props.tag} {class} type={kind} {role} {tabindex} id={props.id.clone()} data-l={props.label.clone()}
            {onmouseover} {onmouseout} {onfocusin} {onfocusout} {onclick} {onkeydown}>
            {props.children.clone()}
        </@>
    }
}

/// Properties of [`LineLink`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct LineLinkProps {
    /// Where it leads.
    pub(crate) range: Option<Range>,
}

/// `line 543`, a link to that line; nothing without a place.
#[component]
pub(crate) fn LineLink(props: &LineLinkProps) -> Html {
    let words = use_words();
    let state = use_dispatcher();
    let link = use_editor_link();
    let Some((range, state)) = props.range.zip(state) else { return Html::default() };
    let onclick = Callback::from(move |_| link.go(range, &state));
    html! {
        <button type="button" class="line" {onclick}>{fill(words.line, &[&range.line])}</button>
    }
}
