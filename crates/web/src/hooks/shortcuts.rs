//! Keys that work anywhere outside text fields.

use gloo_timers::callback::Timeout;
use yew::{Callback, hook, use_effect_with};

use super::PLAIN;
use crate::derive::pods;
use crate::platform::dom;
use crate::platform::keys::{self, Key};
use crate::state::{Action, Menu, Pane, SpotAction, SpotHandle, StateHandle};

/// Milliseconds between steps while playing.
const BEAT: u32 = 1400;

/// Listens for keys, and plays the timeline.
#[hook]
pub(crate) fn use_shortcuts(state: &StateHandle, spot: &SpotHandle) {
    {
        let (state, spot) = (state.clone(), spot.clone());
        use_effect_with((), move |()| {
            // A handle knows the newest state, and keeps all that it was asked for.
            let heard = move |key: Key| press(&key, &state.clone(), &spot.clone());
            let listener = keys::listen(Callback::from(heard));
            move || drop(listener)
        });
    }
    let state = state.clone();
    let step = state.shown().map_or(0, |analysis| analysis.step);
    use_effect_with((state.playing, step), move |(playing, _)| {
        let timer = playing.then(|| Timeout::new(BEAT, move || state.dispatch(Action::StepBy(1))));
        move || drop(timer)
    });
}

fn press(key: &Key, state: &StateHandle, spot: &SpotHandle) -> bool {
    if key.name == "Escape" {
        let open = state.menu.is_some();
        if open {
            state.dispatch(Action::Menu(None));
        } else if !key.typing {
            spot.dispatch(SpotAction::Clear);
            state.dispatch(Action::Lit(None));
        }
        return open;
    }
    if key.command && key.name == "s" {
        state.dispatch(Action::Menu(Some(Menu::Share)));
        return true;
    }
    if key.name == "F6" {
        if key.in_text {
            state.dispatch(Action::Pane(Pane::Answer));
            dom::show("answer", true);
        } else {
            state.dispatch(Action::Pane(Pane::Yaml));
            dom::show(PLAIN, true);
            dom::show("yaml-text", true);
        }
        return true;
    }
    if key.typing || key.command {
        return false;
    }
    let action = match key.name.as_str() {
        "[" => Action::StepBy(-1),
        "]" => Action::StepBy(1),
        " " if !key.on_control => Action::Play(!state.playing),
        "j" | "J" => Action::PodBy(1),
        "k" | "K" => Action::PodBy(-1),
        "?" => Action::Menu(Some(Menu::Keys)),
        "/" => {
            dom::show("matrix-filter", true);
            return true;
        }
        digit => return pod_by_number(digit, state),
    };
    state.dispatch(action);
    true
}

fn pod_by_number(digit: &str, state: &StateHandle) -> bool {
    let Some(at) = digit.parse::<usize>().ok().and_then(|it| it.checked_sub(1)) else {
        return false;
    };
    let pod = state.shown().and_then(|analysis| pods::listed(analysis).get(at).copied());
    if let Some(pod) = pod {
        state.dispatch(Action::Pod(pod.object.clone()));
    }
    pod.is_some()
}
