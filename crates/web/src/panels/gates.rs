//! Version, feature gates and behaviour.

use dra_playground_core::workspace::report::{Behavior, Gate, Kubernetes};
use yew::{Callback, Event, Html, component, html};

use crate::components::{MenuButton, chevron};
use crate::hooks::{use_state_handle, use_words};
use crate::platform::dom;
use crate::state::{Action, Menu, StateHandle};
use crate::words::{Words, fill};

/// As the answer says it, with what the reader chose since.
fn kubernetes(state: &StateHandle) -> Kubernetes {
    let mut kubernetes = state.shown().map(|it| it.kubernetes.clone()).unwrap_or_default();
    for gate in kubernetes.gates.iter_mut().filter(|it| !it.stage.is_empty()) {
        gate.enabled = state.is_on(gate);
    }
    kubernetes.behavior = state.options.behavior.unwrap_or(kubernetes.behavior);
    kubernetes
}

/// The picker of the release.
#[component]
pub(crate) fn VersionPicker() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let kubernetes = kubernetes(&state);
    let onchange = {
        let state = state.clone();
        Callback::from(move |event: Event| {
            let value = dom::value_of_select(&event);
            state.dispatch(Action::Version((!value.is_empty()).then_some(value)));
        })
    };
    let pinned = &state.options.kubernetes_version;
    let chosen = pinned.as_ref().filter(|it| kubernetes.versions.contains(it));
    let chosen = chosen.unwrap_or(&kubernetes.version);
    html! {
        <label class="ctl pick-v"><span>{"Kubernetes"}</span>
            <select id="version" {onchange} aria-label={words.kubernetes_version}>
                { for kubernetes.versions.iter().rev().map(|it| html! {
                    <option value={it.clone()} selected={it == chosen}>{it.clone()}</option>
                }) }
                if kubernetes.versions.is_empty() { <option selected=true>{kubernetes.version.clone()}</option> }
                if pinned.is_some() { <option value="">{words.version_of_text}</option> }
            </select>
        </label>
    }
}

/// The menu of gates.
#[component]
pub(crate) fn GatesMenu() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let changed = kubernetes(&state).gates.iter().filter(|it| it.enabled != it.default).count();
    let said = match changed {
        0 => words.defaults.to_owned(),
        changed => fill(words.changed_n, &[&changed]),
    };
    html! {
        <MenuButton menu={Menu::Gates} class="ctl" panel="wide" label={fill(words.gates_are, &[&said])}
            button={html! { <>{words.gates}{" "}<b>{said}</b>{chevron()}</> }}>
            <Gates />
        </MenuButton>
    }
}

/// Every gate with its default, and the behaviour.
#[component]
pub(crate) fn Gates() -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let kubernetes = kubernetes(&state);
    let behavior = {
        let state = state.clone();
        Callback::from(move |event: Event| {
            let fixed = dom::value_of_select(&event) == "fixed";
            let wanted = if fixed { Behavior::Fixed } else { Behavior::AsReleased };
            state.dispatch(Action::Behavior(Some(wanted)));
        })
    };
    let reset = {
        let state = state.clone();
        Callback::from(move |_| state.dispatch(Action::DefaultGates))
    };
    let is_fixed = kubernetes.behavior == Behavior::Fixed;
    html! {
        <div id="gates">
            <label class="pick"><span>{words.behavior}</span>
                <select onchange={behavior} id="behavior">
                    <option value="asReleased" selected={!is_fixed}>{words.as_released}</option>
                    <option value="fixed" selected={is_fixed}>{words.fixed}</option>
                </select></label>
            if !kubernetes.variant.is_empty() { <p class="mute">{fill(words.variant, &[&kubernetes.variant])}</p> }
            <div class="gates-h"><b>{fill(words.gates_of, &[&kubernetes.version])}</b>
                if !state.options.feature_gates.is_empty() { <button type="button" class="small" onclick={reset}>{words.reset_gates}</button> }</div>
            <ul class="gates">{ for kubernetes.gates.iter().map(|it| gate(&state, words, it)) }</ul>
        </div>
    }
}

fn gate(state: &StateHandle, words: &'static Words, gate: &Gate) -> Html {
    let missing = gate.stage.is_empty();
    let onchange = {
        let (state, name, default) = (state.clone(), gate.name.clone(), gate.default);
        Callback::from(move |event: Event| {
            let enabled = dom::is_checked(&event);
            state.dispatch(Action::Gate(name.clone(), (enabled != default).then_some(enabled)));
        })
    };
    let default = if gate.default { words.on } else { words.off };
    let said = if missing {
        words.not_in_release.to_owned()
    } else {
        format!("{}, {}", gate.stage, fill(words.default_is, &[&default]))
    };
    html! {
        <li key={gate.name.clone()}>
            <label><input type="checkbox" checked={gate.enabled} disabled={missing} {onchange} data-gate={gate.name.clone()} />
                <span><code>{gate.name.clone()}</code>{" "}<small class={if gate.enabled == gate.default { "mute" } else { "changed" }}>{said}</small>
                    <small>{gate.summary.clone()}</small></span></label>
        </li>
    }
}
