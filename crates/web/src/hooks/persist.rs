//! The state at the start, and what is kept: link, draft, theme, language.

use dra_playground_core::workspace::link::{self, Shared};
use gloo_timers::callback::Timeout;
use yew::{Callback, hook, use_effect_with};

use crate::platform::{dom, storage, url};
use crate::state::{Action, AppState, StateHandle, Theme};
use crate::words;

/// Texts above this size, in bytes, are kept as a draft only: no address should be that long.
const MAX_LINKED: usize = 256 << 10;

/// The state at the start: from the link, else the draft, else empty.
pub(crate) fn initial_state() -> AppState {
    let chosen = storage::language();
    let language = words::pick(chosen.into_iter().chain(dom::languages()));
    let mut state = AppState::default();
    language.clone_into(&mut state.options.language);
    state.theme = match storage::theme().as_deref() {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::System,
    };
    let fragment = url::fragment();
    let (shared, toast) = read(&fragment);
    let draft = || Shared { text: storage::draft().unwrap_or_default(), ..Shared::default() };
    let toast_text = toast.map(|error| format!("{}: {error}", words::words(language).bad_link));
    let mut state = load(state, shared.unwrap_or_else(draft));
    state.toast = toast_text.map(Into::into);
    state
}

fn load(state: AppState, shared: Shared) -> AppState {
    use yew::Reducible;
    let loaded = std::rc::Rc::new(state).reduce(Action::Load(Box::new(shared)));
    std::rc::Rc::unwrap_or_clone(loaded)
}

fn read(fragment: &str) -> (Option<Shared>, Option<link::LinkError>) {
    if fragment.is_empty() {
        return (None, None);
    }
    match link::decode(fragment) {
        Ok(shared) => (Some(shared), None),
        Err(error) => (None, Some(error)),
    }
}

/// Keeps address, draft, theme and language in step with the state.
#[hook]
pub(crate) fn use_persist(state: &StateHandle) {
    {
        let state = state.clone();
        use_effect_with((), move |()| {
            let heard = Callback::from(move |fragment: String| match read(&fragment) {
                (Some(shared), _) => state.dispatch(Action::Load(Box::new(shared))),
                (None, Some(error)) => {
                    let words = words::words(&state.options.language);
                    let text = format!("{}: {error}", words.bad_link);
                    state.dispatch(Action::Toast(Some(text.into())));
                }
                (None, None) => {}
            });
            let listener = url::on_change(heard);
            move || drop(listener)
        });
    }
    {
        let shared = state.shared();
        use_effect_with(shared, move |shared| {
            let shared = shared.clone();
            let timer = Timeout::new(500, move || {
                storage::keep_draft(&shared.text);
                let fits = shared.text.len() <= MAX_LINKED && shared != Shared::default();
                url::replace_fragment(&if fits { link::encode(&shared) } else { String::new() });
            });
            move || drop(timer)
        });
    }
    use_effect_with(state.theme, |theme| {
        let name = match theme {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        };
        dom::set_root("data-theme", name);
        storage::keep_theme(name);
    });
    use_effect_with(state.options.language.clone(), |language| {
        dom::set_root("lang", Some(words::words(language).code));
        storage::keep_language(language);
    });
}
