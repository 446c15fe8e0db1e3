//! The list of keys.

use yew::{Callback, Html, component, html};

use crate::components::icon;
use crate::hooks::{use_state_handle, use_words};
use crate::state::{Action, Menu};

/// All keys, when asked for.
#[component]
pub(crate) fn KeyList() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle().filter(|it| it.menu == Some(Menu::Keys)) else {
        return Html::default();
    };
    let close = Callback::from(move |_| state.dispatch(Action::Menu(None)));
    let keys = [
        ("[  ]", words.key_steps),
        ("Space", words.key_play),
        ("J  K  1–9", words.key_pods),
        ("/", words.key_filter),
        ("Ctrl .", words.key_fix),
        ("Ctrl F", words.key_find),
        ("Ctrl S", words.key_share),
        ("Esc Tab", words.key_leave),
        ("F6", words.key_pane),
        ("Esc", words.key_clear),
    ];
    html! {
        <div class="sheet" role="dialog" aria-modal="false" aria-label={words.keys}>
            <div class="h"><h2>{words.keys}</h2><button type="button" class="ctl sq" aria-label={words.close} onclick={close}>{icon("i-close")}</button></div>
            <dl>{ for keys.into_iter().map(|(key, text)| html! { <div><dt><kbd>{key}</kbd></dt><dd>{text}</dd></div> }) }</dl>
        </div>
    }
}
