//! The page: provides state, highlighter, worker and editor, and lays out the panes.

use std::rc::Rc;

use dra_playground_core::workspace::link::Fragment;
use dra_playground_core::workspace::report::Thing;
use yew::{
    Callback, ContextProvider, DragEvent, Html, Properties, classes, component, hook, html,
    use_effect_with, use_memo, use_reducer,
};

use crate::components::symbols;
use crate::hooks::{EditorLink, Links, initial_state, use_analysis, use_persist, use_shortcuts};
use crate::panels::{
    AnswerPanel, Consent, EditorPanel, EmbedBar, EmbedFoot, KeyList, PageSheet, TopBar, told,
};
use crate::platform::{dom, files};
use crate::state::{Action, Moment, Pane, Spot, SpotAction, SpotHandle, StateHandle};
use crate::words::words;

/// What the page starts from.
#[derive(Debug, PartialEq, Properties)]
pub(crate) struct AppProps {
    /// The fragment of the address.
    pub(crate) address: Rc<str>,
    /// What it says.
    pub(crate) fragment: Rc<Fragment>,
}

/// The whole page.
#[component]
pub(crate) fn App(props: &AppProps) -> Html {
    let fragment = props.fragment.clone();
    let state = use_reducer(move || initial_state(&fragment));
    let spot = use_reducer(Spot::default);
    let editor = use_memo((), |()| EditorLink::default());
    let worker = use_analysis(&state);
    use_persist(&state, &props.address);
    use_shortcuts(&state, &spot);
    let words = words(&state.options.language);
    let told = {
        let state = state.clone();
        use_memo(state.settled, move |_| told(words, &state))
    };
    {
        // What explains most is lit from the start, so that text, sentence and figure agree.
        let spot = spot.clone();
        let hardware = told.references.iter().find(|it| !matches!(*it.thing, Thing::Object(_)));
        let lit = state.lit.clone().map(Rc::new);
        let first = lit.or_else(|| hardware.map(|it| it.thing.clone()));
        let pod = told.pod.as_ref().map(|it| (it.object.clone(), it.step));
        use_effect_with((pod, first), move |(_, first)| {
            spot.dispatch(SpotAction::Rest(first.clone()));
        });
    }
    {
        // A link carries what was clicked; Pods are chosen otherwise.
        let state = state.clone();
        let pinned = spot.pinned.as_deref().cloned();
        use_effect_with(spot.clicks, move |clicks| {
            let is_pod = matches!(&pinned, Some(Thing::Object(key)) if key.kind == "Pod");
            if *clicks > 0 && !is_pod {
                state.dispatch(Action::Lit(pinned));
            }
        });
    }
    let title =
        state.answer.as_ref().and_then(|it| it.scenario.as_ref()).map(|it| it.title.clone());
    use_effect_with(title, |title| match title.as_deref() {
        Some(title) if !title.is_empty() => dom::set_title(&format!("{title} · DRA Playground")),
        _ => dom::set_title("DRA Playground"),
    });
    let ondragover = Callback::from(|event: DragEvent| {
        if files::is_file_drag(&event) {
            event.prevent_default();
        }
    });
    let ondrop = {
        let state = state.clone();
        Callback::from(move |event: DragEvent| {
            let state = state.clone();
            let done = Callback::from(move |text: Option<String>| match text {
                Some(text) => crate::panels::load_text(&state, text),
                None => state.dispatch(Action::Toast(Some(words.cannot_read.into()))),
            });
            if files::of_drop(&event, done) {
                event.prevent_default();
            }
        })
    };
    let skip = Callback::from(|event: yew::MouseEvent| {
        event.prevent_default();
        dom::show("answer", true);
    });
    use_opened_panel(&state);
    let (dispatcher, editor) = (state.dispatcher(), (*editor).clone());
    let links = Links { words, dispatcher, editor, worker };
    let view = state.view.clone();
    use_told_height(view.embedded);
    let class = classes!(
        "app",
        view.embedded.then_some("embed"),
        view.grows.then_some("grows"),
        (!view.shows("yaml")).then_some("no-text"),
    );
    html! {
        <ContextProvider<Links> context={links}>
        <ContextProvider<Moment<true>> context={Moment::of(&state)}>
        <ContextProvider<Moment<false>> context={Moment::of(&state)}>
        <ContextProvider<SpotHandle> context={spot}>
            <div {class} {ondragover} {ondrop}>
                {symbols()}
                <a class="skip" href="#answer" onclick={skip}>{words.skip}</a>
                <div class="stay">if view.embedded { <EmbedBar /> } else { <TopBar /> }</div>
                <div class="stay">{tabs(&state)}</div>
                <main class="frame">
                    <div class="stay">if view.shows("yaml") { <EditorPanel references={told.references.clone()} /> }</div>
                    <AnswerPanel {told} />
                </main>
                <div class="stay">if view.embedded { <EmbedFoot /> }</div>
                <div class="stay"><Consent /></div>
                <KeyList />
                <div class="stay"><PageSheet /></div>
                {toast(&state)}
            </div>
        </ContextProvider<SpotHandle>>
        </ContextProvider<Moment<false>>>
        </ContextProvider<Moment<true>>>
        </ContextProvider<Links>>
    }
}

/// Brings the panel that a link opens into view once there is an answer.
#[hook]
fn use_opened_panel(state: &StateHandle) {
    let panel = state.panel.clone();
    let loads = (state.answered > 0 && !state.is_foreign()).then_some(state.loads);
    use_effect_with(loads, move |loads| {
        if loads.is_some() && !panel.is_empty() {
            dom::show_top(&panel);
        }
    });
}

/// Tells the page around the frame how high this one is.
#[hook]
fn use_told_height(embedded: bool) {
    use_effect_with(embedded, |embedded| {
        if *embedded {
            dom::tell_height();
        }
    });
}

/// Panes as tabs on a phone.
fn tabs(state: &StateHandle) -> Html {
    let words = words(&state.options.language);
    let found = state.answer.as_ref().map_or(0, |it| it.diagnostics.len());
    let tab = |pane: Pane, id: &'static str, name: Html| {
        let on = state.pane == pane;
        let state = state.clone();
        let onclick = Callback::from(move |_| state.dispatch(Action::Pane(pane)));
        html! { <button type="button" class={classes!(on.then_some("on"))} aria-pressed={on.to_string()} data-pane={id} {onclick}>{name}</button> }
    };
    html! {
        <nav class="tabs" aria-label={words.panes}>
            {tab(Pane::Answer, "answer", html! { {words.answer} })}
            {tab(Pane::Yaml, "yaml", html! { <>{"YAML"}if found > 0 { <span class="mute">{found}</span> }</> })}
        </nav>
    }
}

fn toast(state: &StateHandle) -> Html {
    let words = words(&state.options.language);
    let Some(text) = state.toast.clone() else { return Html::default() };
    let state = state.clone();
    let close = Callback::from(move |_| state.dispatch(Action::Toast(None)));
    html! {
        <div class="toast" role="alert"><span>{text}</span><button type="button" onclick={close}>{words.close}</button></div>
    }
}
