//! What would let a waiting Pod run: only changes that were tried.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Answer, Family, ObjectKey, PodView, Query, Setting, WhatIf,
};
use yew::{Callback, Html, Properties, component, html, use_effect_with, use_state};

use crate::components::{Sentence, silhouette, silhouette_class};
use crate::hooks::{EditorLink, use_editor_link, use_state_handle, use_words, use_worker};
use crate::state::{Action, StateHandle};

/// Properties of [`WhatIfs`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct WhatIfsProps {
    /// The Pod.
    pub(crate) pod: Rc<PodView>,
}

/// The list; for a large scenario it is asked for.
#[component]
pub(crate) fn WhatIfs(props: &WhatIfsProps) -> Html {
    let words = use_words();
    let link = use_editor_link();
    let worker = use_worker();
    let asked = use_state(|| None::<Answer>);
    let pending = use_state(|| false);
    let state = use_state_handle();
    let answered = state.as_ref().map_or(0, |state| state.answered);
    {
        let (asked, pending) = (asked.clone(), pending.clone());
        use_effect_with((answered, props.pod.object.clone()), move |_| {
            asked.set(None);
            pending.set(false);
        });
    }
    let (Some(state), false) = (state, props.pod.cause.0.is_empty()) else {
        return Html::default();
    };
    let pod = &props.pod;
    let (helps, vain) = match &*asked {
        Some(Answer::WhatIfs(helps, vain)) => (helps, vain),
        _ => (&pod.what_ifs, &pod.tried_in_vain),
    };
    if helps.is_empty() && vain.is_empty() {
        let try_it = {
            let (asked, pending, pod) = (asked.clone(), pending.clone(), pod.object.clone());
            Callback::from(move |_| {
                let Some(worker) = &worker else { return };
                pending.set(true);
                let (asked, pending) = (asked.clone(), pending.clone());
                let done = Callback::from(move |answer| {
                    pending.set(false);
                    asked.set(Some(answer));
                });
                worker.query(Query::WhatIfs { pod: pod.clone() }, done);
            })
        };
        let said = match (*pending, asked.is_some()) {
            (true, _) => words.trying,
            (false, true) => words.nothing_helps,
            (false, false) => words.try_changes,
        };
        return html! {
            <p class="try-b"><button type="button" class="btn ghost" id="try-changes" disabled={*pending || asked.is_some()} onclick={try_it}>{said}</button></p>
        };
    }
    html! {
        <div class="try" id="what-ifs">
            <div class="h"><h2>{words.what_ifs}</h2><p>{words.what_ifs_how}</p></div>
            <ul>{ for helps.iter().map(|it| entry(&state, &link, &pod.object, words.apply, it)) }
                if !vain.is_empty() {
                    <li class="no">{words.in_vain}{words.colon}
                        { for vain.iter().enumerate().map(|(at, it)| html! {
                            <>if at > 0 { {words.comma} }<Sentence phrase={Rc::new(it.clone())} /></>
                        }) }</li>
                }
            </ul>
        </div>
    }
}

fn entry(
    state: &StateHandle,
    link: &EditorLink,
    pod: &ObjectKey,
    apply: &'static str,
    it: &WhatIf,
) -> Html {
    let onclick = {
        let (state, link, change, pod) = (state.clone(), link.clone(), it.clone(), pod.clone());
        Callback::from(move |_| {
            make(&state, &link, &change);
            // The reader wants to see what becomes of this Pod, also when it waits no longer.
            state.dispatch(Action::Stay(pod.clone()));
        })
    };
    html! {
        <li class="whatif" data-kind={it.kind.clone()}>
            <span class={format!("v {}", silhouette_class(Family::Fit))}><svg aria-hidden="true"><use href={silhouette(Family::Fit)} /></svg></span>
            <div><b><Sentence phrase={Rc::new(it.sentence.clone())} /></b>
                <span class="to"><Sentence phrase={Rc::new(it.outcome.clone())} /></span></div>
            <button type="button" class="go" {onclick}>{apply}</button>
        </li>
    }
}

fn make(state: &StateHandle, link: &EditorLink, change: &WhatIf) {
    match &change.setting {
        Some(Setting::KubernetesVersion(version)) => {
            state.dispatch(Action::Version(Some(version.clone())));
        }
        Some(Setting::FeatureGate(name, enabled)) => {
            state.dispatch(Action::Gate(name.clone(), Some(*enabled)));
        }
        Some(Setting::Behavior(behavior)) => state.dispatch(Action::Behavior(Some(*behavior))),
        Some(Setting::Step(step)) => state.dispatch(Action::Step(*step)),
        None => link.fix(&change.edits, state),
    }
}
