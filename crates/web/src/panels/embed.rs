//! The frame of an embedded page: title and steps above, the way to the whole page below.

use dra_playground_core::workspace::link;
use yew::{Callback, Html, component, html};

use crate::components::icon;
use crate::hooks::{use_state_handle, use_typing_state, use_words};
use crate::platform::url;
use crate::state::Action;
use crate::words::fill;

/// Title, the step that is shown, step back and on.
#[component]
pub(crate) fn EmbedBar() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let Some(analysis) = state.shown().cloned() else { return Html::default() };
    let title = analysis.scenario.as_ref().map(|it| it.title.clone()).filter(|it| !it.is_empty());
    let last = analysis.steps.len().saturating_sub(1);
    let current = state.wanted_step();
    let name = analysis.steps.get(current).filter(|it| it.operation != "objects");
    let step = name.map(|it| fill(words.step_of, &[&current, &last, &it.name]));
    let go = |label: &'static str, mark: &'static str, by: isize, off: bool| {
        let state = state.clone();
        let onclick = Callback::from(move |_| state.dispatch(Action::StepBy(by)));
        html! { <button type="button" class="ctl sq" aria-label={label} title={label} disabled={off} {onclick}>{icon(mark)}</button> }
    };
    html! {
        <header class="bar">
            <span class="brand"><svg aria-hidden="true"><use href="#logo" /></svg><span>{title.unwrap_or_else(|| "DRA Playground".to_owned())}</span></span>
            <span class="sp" />
            if last > 0 {
                <span class="mute step-n">{step.unwrap_or_else(|| words.objects_read.to_owned())}</span>
                <div class="ctls">
                    {go(words.step_back, "i-prev", -1, current == 0)}
                    {go(words.step_on, "i-next", 1, current >= last)}
                </div>
            }
        </header>
    }
}

/// What this is, and the way to the whole page.
#[component]
pub(crate) fn EmbedFoot() -> Html {
    let words = use_words();
    let Some(state) = use_typing_state() else { return Html::default() };
    let version = state.shown().map(|it| it.kubernetes.version.clone()).unwrap_or_default();
    let whole = url::sibling("index.html", &link::encode(&state.shared()));
    html! {
        <footer class="e-foot">
            if state.view.read_only { <span>{words.read_only}</span> }
            if !version.is_empty() { <span>{"Kubernetes "}{version}</span> }
            <span class="sp" />
            <a href={whole} target="_blank" rel="noopener" id="open-whole">{words.open_in}{icon("i-out")}</a>
        </footer>
    }
}
