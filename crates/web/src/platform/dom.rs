//! The document: focus, scrolling, theme and language of the whole page.

use gloo_events::EventListener;
use wasm_bindgen::JsCast;
use web_sys::{
    Document, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
    ScrollBehavior, ScrollIntoViewOptions, ScrollLogicalPosition,
};
use yew::{Callback, Event, InputEvent, TargetCast};

fn document() -> Option<Document> {
    web_sys::window()?.document()
}

/// Sets an attribute of `<html>`, or removes it.
pub(crate) fn set_root(name: &str, value: Option<&str>) {
    let Some(root) = document().and_then(|document| document.document_element()) else { return };
    match value {
        Some(value) => drop(root.set_attribute(name, value)),
        None => drop(root.remove_attribute(name)),
    }
}

/// Whether this is the page that stands in a frame of another one.
pub(crate) fn is_embedded() -> bool {
    let root = document().and_then(|document| document.document_element());
    root.is_some_and(|root| root.has_attribute("data-embed"))
}

/// Tells when the page is left or hidden; the browser may end it any time after that.
pub(crate) fn on_leave(leaving: Callback<()>) -> Vec<EventListener> {
    let Some((window, document)) = web_sys::window().zip(document()) else { return Vec::new() };
    let hidden = leaving.clone();
    vec![
        EventListener::new(&window, "pagehide", move |_| leaving.emit(())),
        EventListener::new(&document, "visibilitychange", move |_| hidden.emit(())),
    ]
}

/// Keeps the page around a frame informed of the height.
pub(crate) fn tell_height() {
    drop(super::bridge::tell_height());
}

/// Sets the title of the page.
pub(crate) fn set_title(title: &str) {
    if let Some(document) = document() {
        document.set_title(title);
    }
}

/// Brings an element into view when it is not, and optionally focuses it.
pub(crate) fn show(id: &str, focus: bool) {
    let Some(element) = document().and_then(|document| document.get_element_by_id(id)) else {
        return;
    };
    let options = ScrollIntoViewOptions::new();
    options.set_block(ScrollLogicalPosition::Nearest);
    options.set_behavior(ScrollBehavior::Auto);
    element.scroll_into_view_with_scroll_into_view_options(&options);
    if focus && let Some(element) = element.dyn_ref::<HtmlElement>() {
        drop(element.focus());
    }
}

/// Brings the top of an element to the top of the window.
pub(crate) fn show_top(id: &str) {
    if let Some(element) = document().and_then(|document| document.get_element_by_id(id)) {
        element.scroll_into_view();
    }
}

/// The host of an address, for a reader.
pub(crate) fn host_of(address: &str) -> String {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default().to_owned()
}

/// Languages of the browser, best first.
pub(crate) fn languages() -> Vec<String> {
    let Some(window) = web_sys::window() else { return Vec::new() };
    window.navigator().languages().iter().filter_map(|language| language.as_string()).collect()
}

/// The value of the text area, field or choice that an event comes from.
pub(crate) fn value_of_input(event: &InputEvent) -> String {
    if let Some(area) = event.target_dyn_into::<HtmlTextAreaElement>() {
        return area.value();
    }
    event.target_dyn_into::<HtmlInputElement>().map(|field| field.value()).unwrap_or_default()
}

/// The value of the choice that changed.
pub(crate) fn value_of_select(event: &Event) -> String {
    event.target_dyn_into::<HtmlSelectElement>().map(|choice| choice.value()).unwrap_or_default()
}

/// Whether the box that changed is ticked.
pub(crate) fn is_checked(event: &Event) -> bool {
    event.target_dyn_into::<HtmlInputElement>().is_some_and(|field| field.checked())
}

/// Selects a range of the plain text area and scrolls to it.
pub(crate) fn select_in_textarea(id: &str, from: u32, to: u32, line: u32) {
    let area = document()
        .and_then(|document| document.get_element_by_id(id))
        .and_then(|element| element.dyn_into::<HtmlTextAreaElement>().ok());
    let Some(area) = area else { return };
    drop(area.focus());
    drop(area.set_selection_range(from, to));
    area.set_scroll_top(i32::try_from(line.saturating_sub(4).saturating_mul(18)).unwrap_or(0));
}

/// Prints the page.
pub(crate) fn print() {
    if let Some(window) = web_sys::window() {
        drop(window.print());
    }
}
