use yew::{AttrValue, Callback, Children, Html, MouseEvent, Properties, component, html};

use crate::hooks::{use_state_handle, use_words};
use crate::state::Action;

/// Properties of [`PageLink`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct PageLinkProps {
    /// Folder of the site: `reasons` or `diagnostics`.
    pub(crate) folder: &'static str,
    /// Code of the reason or finding.
    pub(crate) code: AttrValue,
    /// What is shown.
    pub(crate) children: Children,
}

/// A link to the page about a code. It opens beside the answer; an embedded page opens a new tab.
#[component]
pub(crate) fn PageLink(props: &PageLinkProps) -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let href = AttrValue::from(words.page(props.folder, &props.code));
    let page = href.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        event.stop_propagation();
        if !state.view.embedded && !event.ctrl_key() && !event.meta_key() {
            event.prevent_default();
            state.dispatch(Action::Page(page.clone()));
        }
    });
    html! { <a class="pg" {href} target="_blank" rel="noopener" {onclick}>{props.children.clone()}</a> }
}
