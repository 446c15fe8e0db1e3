//! Notices above the answer: the text cannot be read, the worker fell, it is taking long.

use gloo_timers::callback::Timeout;
use yew::{AttrValue, Callback, Html, component, html, use_effect_with, use_state};

use crate::components::{CopyButton, icon};
use crate::hooks::{use_editor_link, use_state_handle, use_typing_state, use_words, use_worker};
use crate::state::{self, Action, Work};
use crate::words::fill;

/// Milliseconds after which a running analysis is worth a notice.
const LONG: u32 = 1500;

/// All notices.
#[component]
pub(crate) fn Notice() -> Html {
    html! {
        <>
            <div class="stay"><Unreadable /></div>
            <div class="stay"><Fallen /></div>
            <div class="stay"><Running /></div>
        </>
    }
}

#[component]
fn Unreadable() -> Html {
    let words = use_words();
    let link = use_editor_link();
    let Some(state) = use_state_handle() else { return Html::default() };
    let Some(found) = state.answer.as_deref().and_then(state::unreadable) else {
        return Html::default();
    };
    let title = fill(words.unreadable, &[&found.range.line, &found.message]);
    let below = if state.is_stale() { words.older_answer } else { words.partial_answer };
    let range = found.range;
    let fix = found.fixes.first().cloned();
    let (go_link, go_state) = (link.clone(), state.dispatcher());
    let go = Callback::from(move |_| go_link.go(range, &go_state));
    html! {
        <div class="stale" role="status" id="notice-unreadable">
            {icon("r-fault")}
            <div><b>{title}</b><p>{below}</p></div>
            if let Some(fix) = fix {
                <button type="button" class="btn ghost" onclick={Callback::from(move |_| link.fix(&fix.edits, &state))}>
                    {fix.title.clone()}
                </button>
            } else {
                <button type="button" class="btn ghost" onclick={go}>{words.show_line}</button>
            }
        </div>
    }
}

#[component]
fn Fallen() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let Work::Fell(message) = &state.work else { return Html::default() };
    let detail = if state.answer.is_some() { words.fell_detail } else { words.fell_first };
    // All that somebody needs to see it fall again.
    let browser = web_sys::window().and_then(|window| window.navigator().user_agent().ok());
    let shared = serde_json::to_string(&state.shared()).unwrap_or_default();
    let version = env!("CARGO_PKG_VERSION");
    let report = [version, message, &browser.unwrap_or_default(), &shared].join("\n");
    html! {
        <div class="stale" role="alert" id="notice-fallen">
            {icon("r-fault")}
            <div>
                <b>{words.fell}</b>
                <p>{detail}</p>
                if !message.is_empty() { <p><code>{message.clone()}</code></p> }
                <CopyButton text={AttrValue::from(report)} label={words.copy_report} wordy=true />
            </div>
        </div>
    }
}

#[component]
fn Running() -> Html {
    let words = use_words();
    let worker = use_worker();
    let long = use_state(|| false);
    let state = use_typing_state();
    let running = state.as_ref().is_some_and(|state| matches!(state.work, Work::Running(_)));
    {
        let long = long.clone();
        use_effect_with(running, move |running| {
            let timer = running.then(|| {
                let long = long.clone();
                Timeout::new(LONG, move || long.set(true))
            });
            if !running {
                long.set(false);
            }
            move || drop(timer)
        });
    }
    let Some(state) = state.filter(|_| *long && running) else { return Html::default() };
    // Before the first answer there is none to speak of.
    let detail = match &state.answer {
        Some(_) => words.still_working_detail,
        None => words.still_working_first,
    };
    let stop = Callback::from(move |_| {
        if let Some(worker) = &worker {
            worker.stop();
        }
        state.dispatch(Action::Fell(words.stopped.into()));
    });
    html! {
        <div class="stale calm" role="status" id="notice-running">
            {icon("i-note")}
            <div><b>{words.still_working}</b><p>{detail}</p></div>
            <button type="button" class="btn ghost" onclick={stop}>{words.stop}</button>
        </div>
    }
}
