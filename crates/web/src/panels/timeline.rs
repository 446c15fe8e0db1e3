//! The timeline: steps as buttons, with what each brought.

use dra_playground_core::workspace::edits::write_step;
use dra_playground_core::workspace::report::{Step, StepOutcome};
use yew::{Callback, Html, KeyboardEvent, PointerEvent, classes, component, html};

use super::PanelProps;
use crate::components::{icon, silhouette, silhouette_class};
use crate::derive::{edit, format};
use crate::hooks::{use_editor_link, use_state_handle, use_words};
use crate::state::{Action, StateHandle};
use crate::words::{Words, fill};

/// Step back, play, step on, and every step by name; nothing where there are no steps.
#[component]
pub(crate) fn Timeline(props: &PanelProps) -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let analysis = &props.analysis;
    if !format::is_stepped(analysis) {
        return Html::default();
    }
    let last = analysis.steps.len() - 1;
    let current = state.wanted_step();
    let control = |name: &'static str, mark: &'static str, action: Action, off: bool| {
        let state = state.clone();
        let onclick = Callback::from(move |_| state.dispatch(action.clone()));
        html! {
            <button type="button" class="ctl sq" aria-label={name} title={name} disabled={off} {onclick}>
                {icon(mark)}
            </button>
        }
    };
    let play = if state.playing {
        control(words.pause, "i-pause", Action::Play(false), false)
    } else {
        control(words.play, "i-play", Action::Play(true), false)
    };
    let onkeydown = {
        let state = state.clone();
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "ArrowLeft" => state.dispatch(Action::StepBy(-1)),
            "ArrowRight" => state.dispatch(Action::StepBy(1)),
            _ => {}
        })
    };
    html! {
        <nav class="time" id="timeline" aria-label={words.timeline}>
            <div class="ctls">
                {control(words.step_back, "i-prev", Action::StepBy(-1), current == 0)}
                {play}
                {control(words.step_on, "i-next", Action::StepBy(1), current >= last)}
            </div>
            <ol {onkeydown}>
                { for analysis.steps.iter().enumerate().map(|(index, step)| {
                    entry(&state, words, step, index, current)
                }) }
            </ol>
            <ExtraSteps />
        </nav>
    }
}

fn entry(
    state: &StateHandle,
    words: &'static Words,
    step: &Step,
    index: usize,
    current: usize,
) -> Html {
    let class = match index.cmp(&current) {
        std::cmp::Ordering::Less => "past",
        std::cmp::Ordering::Equal => "cur",
        std::cmp::Ordering::Greater => "next",
    };
    let state = state.clone();
    let go = Callback::from(move |()| state.dispatch(Action::Step(index)));
    let onclick = go.reform(|_| ());
    // A pressed button drawn over the steps goes through them.
    let scrub = Callback::from(move |event: PointerEvent| {
        if event.buttons() == 1 {
            go.emit(());
        }
    });
    let name = if step.operation == "objects" { words.objects_read } else { step.name.as_str() };
    html! {
        <li key={index} class={class}>
            <button type="button" {onclick} onpointerenter={scrub} data-n={index.to_string()} title={name.to_owned()}
                aria-current={(index == current).then_some("step")}>
                <b>{index}{"\u{2002}"}{name.to_owned()}</b>
                <small>{outcomes(words, &step.outcomes)}</small>
            </button>
        </li>
    }
}

fn outcomes(words: &'static Words, outcomes: &[StepOutcome]) -> Html {
    let shown = outcomes.iter().take(2).map(|outcome| {
        let class = classes!("v", "plain", silhouette_class(outcome.family));
        html! {
            <span {class}>
                <svg aria-hidden="true"><use href={silhouette(outcome.family)} /></svg>
                {format!("{} {}", outcome.object.name, outcome.text)}
            </span>
        }
    });
    let more = outcomes.len().saturating_sub(2);
    html! {
        <>
            { for shown }
            if more > 0 { <span>{fill(words.more, &[&format::count(more)])}</span> }
            if outcomes.is_empty() { <span>{words.no_change}</span> }
        </>
    }
}

/// What can be done with the steps made by buttons.
#[component]
fn ExtraSteps() -> Html {
    let words = use_words();
    let link = use_editor_link();
    let Some(state) = use_state_handle() else { return Html::default() };
    if state.options.extra_steps.is_empty() {
        return Html::default();
    }
    let write = {
        let state = state.clone();
        Callback::from(move |_| {
            let mut text = state.text.to_string();
            for step in &state.options.extra_steps {
                text = edit::apply(&text, &write_step(&text, step));
            }
            link.edit(&edit::difference(&state.text, &text), &state);
            state.dispatch(Action::ClearExtra);
        })
    };
    let forget = Callback::from(move |_| state.dispatch(Action::ClearExtra));
    html! {
        <div class="extra">
            <button type="button" class="btn ghost" id="write-steps" onclick={write}>{words.write_steps}</button>
            <button type="button" class="ctl" onclick={forget}>{words.forget_steps}</button>
        </div>
    }
}
