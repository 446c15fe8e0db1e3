//! A link may name a file to load: nothing is asked for before the reader agrees.

use dra_playground_core::workspace::link::Shared;
use yew::{Callback, Html, component, html, use_state};

use crate::hooks::{use_state_handle, use_words};
use crate::platform::{dom, files};
use crate::state::Action;
use crate::words::fill;

/// Asks whether a file may be loaded, and loads it.
#[component]
pub(crate) fn Consent() -> Html {
    let words = use_words();
    let loading = use_state(|| false);
    let Some(state) = use_state_handle() else { return Html::default() };
    let Some(asked) = state.source.clone() else { return Html::default() };
    let address = files::allowed_source(&asked);
    let refuse = {
        let state = state.clone();
        Callback::from(move |_| state.dispatch(Action::Source(None)))
    };
    let agree = address.clone().map(|address| {
        let (state, loading) = (state.clone(), loading.clone());
        Callback::from(move |_| {
            loading.set(true);
            let (state, loading) = (state.clone(), loading.clone());
            let done = Callback::from(move |loaded: Result<String, String>| {
                loading.set(false);
                match loaded {
                    Ok(text) => {
                        let step = state.options.step;
                        state.dispatch(Action::Load(Box::new(Shared {
                            text,
                            step,
                            ..Shared::default()
                        })));
                    }
                    Err(error) => {
                        let said = format!("{}: {error}", words.source_failed);
                        state.dispatch(Action::Source(None));
                        state.dispatch(Action::Toast(Some(said.into())));
                    }
                }
            });
            files::load(address.clone(), done);
        })
    });
    let host = address.as_deref().map(dom::host_of).unwrap_or_default();
    html! {
        <div class="sheet consent" id="consent" role="alertdialog" aria-labelledby="consent-h" aria-describedby="consent-d">
            <h2 id="consent-h">{words.source_title}</h2>
            <p><code class="wrap">{address.clone().unwrap_or_else(|| asked.to_string())}</code></p>
            if let Some(agree) = agree {
                <p id="consent-d">{fill(words.source_how, &[&host])}</p>
                <p class="row-b"><button type="button" class="btn" id="consent-yes" disabled={*loading} onclick={agree}>
                    {if *loading { words.source_loading } else { words.source_load }}</button>
                    <button type="button" class="btn ghost" id="consent-no" onclick={refuse}>{words.source_refuse}</button></p>
            } else {
                <p id="consent-d">{words.source_not_allowed}</p>
                <p class="row-b"><button type="button" class="btn ghost" id="consent-no" onclick={refuse}>{words.close}</button></p>
            }
        </div>
    }
}
