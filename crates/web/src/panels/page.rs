//! The page about a reason or a finding, beside the answer.

use yew::{Callback, Html, component, html};

use crate::components::icon;
use crate::hooks::{use_state_handle, use_words};
use crate::state::{Action, Menu};

/// The page that is asked for.
#[component]
pub(crate) fn PageSheet() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle().filter(|it| it.menu == Some(Menu::Page)) else {
        return Html::default();
    };
    let page = state.page.clone();
    let close = Callback::from(move |_| state.dispatch(Action::Menu(None)));
    html! {
        <div class="sheet page" id="page" role="dialog" aria-modal="false" aria-label={words.about}>
            <div class="h">
                <a href={page.clone()} target="_blank" rel="noopener">{words.new_tab}</a>
                <button type="button" class="ctl sq" aria-label={words.close} onclick={close}>{icon("i-close")}</button>
            </div>
            <iframe src={format!("{page}#alone")} title={words.about} />
        </div>
    }
}
