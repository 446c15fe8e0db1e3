//! The state at the start, and what is kept: link, draft, theme, language.

use std::rc::Rc;

use dra_playground_core::workspace::gallery;
use dra_playground_core::workspace::link::{self, Fragment, LinkError, Shared};
use gloo_timers::callback::Timeout;
use wasm_bindgen_futures::spawn_local;
use yew::{Callback, hook, use_effect_with, use_memo, use_mut_ref};

use crate::platform::{beside, clock, dom, storage, url};
use crate::state::{Action, AppState, Draft, Kept, Shelf, StateHandle, Theme, View};
use crate::words::{self, Words};

/// Texts above this size, in bytes, are kept as a draft only: no address should be that long.
pub(crate) const MAX_LINKED: usize = 256 << 10;
/// Milliseconds without a change after which address and draft follow.
const SETTLED: u32 = 500;

/// The language at the start: from the link, else what was chosen before, else the browser's.
pub(crate) fn wanted_language(fragment: &Fragment) -> &'static str {
    let chosen = fragment.language.clone().into_iter().chain(storage::language());
    words::pick(chosen.chain(dom::languages()))
}

/// The state at the start: from the link, else the draft, else empty.
pub(crate) fn initial_state(fragment: &Fragment) -> AppState {
    let embedded = dom::is_embedded();
    let address = url::fragment();
    let language = wanted_language(fragment);
    let mut state = AppState::default();
    language.clone_into(&mut state.options.language);
    let stored = storage::theme().filter(|_| !embedded);
    state.theme = Theme::of(fragment.theme.clone().or(stored).as_deref());
    state.view = View {
        embedded,
        read_only: fragment.read_only,
        panels: fragment.panels.iter().cloned().collect(),
        grows: fragment.height.as_deref() == Some("auto"),
    };
    // What was typed last in this tab under this very address is newer than what the address says.
    let typed = storage::tab_draft().filter(|it| !embedded && it.address == address);
    if let Some(typed) = typed {
        let draft = Draft::from(typed.shared);
        catch_up(&address, &draft);
        return load(state, draft.shared());
    }
    let words = words::words(language);
    let draft = || match storage::draft() {
        Some(shared) if !embedded => shared,
        _ => Shared::default(),
    };
    let (shared, toast) = read(words, fragment);
    let named = fragment.example.is_some() && shared.is_some();
    let mut state = load(state, shared.unwrap_or_else(draft));
    state.opening = named && fragment.step.is_none();
    state.toast = toast.map(Into::into);
    state.source = fragment.source.clone().map(Into::into);
    state
}

/// Brings the address up to a draft that was kept for it, so that a link opened anew in the same
/// tab gives what it says and not the draft.
fn catch_up(address: &str, draft: &Draft) {
    let fragment = fragment_of(draft);
    if fragment != address {
        url::replace_fragment(&fragment);
        storage::keep_draft(&url::fragment(), draft);
    }
}

fn load(state: AppState, shared: Shared) -> AppState {
    use yew::Reducible;
    let loaded = Rc::new(state).reduce(Action::Load(Box::new(shared)));
    Rc::unwrap_or_clone(loaded)
}

/// The scenario of a fragment, and what is to be said of one that cannot be read.
fn read(words: &'static Words, fragment: &Fragment) -> (Option<Shared>, Option<String>) {
    let mut toast = None;
    let mut shared = match &fragment.shared {
        Some(Ok(shared)) => Some(shared.clone()),
        Some(Err(error)) => {
            toast = Some(format!("{}: {}", words.bad_link, broken(words, *error)));
            None
        }
        None => None,
    };
    if let (None, Some(name)) = (&shared, &fragment.example) {
        let example = gallery().iter().find(|it| it.name == name);
        shared = example.map(|it| Shared {
            text: it.text.to_owned(),
            step: Some(0),
            ..Shared::default()
        });
        if gallery().is_empty() {
            toast = Some(words.gallery_failed.to_owned());
        } else if shared.is_none() {
            toast = Some(words::fill(words.no_example, &[name]));
        }
    }
    if let (Some(shared), Some(step)) = (&mut shared, fragment.step) {
        shared.step = Some(step);
    }
    (shared, toast)
}

fn broken(words: &'static Words, error: LinkError) -> &'static str {
    match error {
        LinkError::Empty => words.link_empty,
        LinkError::UnknownVersion => words.link_unknown,
        LinkError::Damaged => words.link_damaged,
        LinkError::Truncated => words.link_truncated,
        LinkError::TooLarge => words.link_too_large,
        LinkError::Malformed => words.link_malformed,
    }
}

/// The fragment of a scenario; empty for one that is too large.
fn fragment_of(draft: &Draft) -> String {
    let fits = draft.text.len() <= MAX_LINKED && *draft != Draft::default();
    if fits { link::encode(&draft.shared()) } else { String::new() }
}

/// Keeps address, draft, theme and language in step with the state.
#[hook]
pub(crate) fn use_persist(state: &StateHandle, address: &Rc<str>) {
    use_links(state, address);
    use_history(state);
    use_draft(state);
    let embedded = state.view.embedded;
    use_effect_with(state.theme, move |theme| {
        dom::set_root("data-theme", theme.name());
        if !embedded {
            storage::keep_theme(theme.name());
        }
    });
    use_effect_with(state.options.language.clone(), move |language| {
        dom::set_root("lang", Some(words::words(language).code));
        if !embedded {
            storage::keep_language(language);
        }
    });
}

/// Follows links that are opened in the same tab, also since the page read its address.
#[hook]
fn use_links(state: &StateHandle, address: &Rc<str>) {
    let state = state.clone();
    let address = address.clone();
    use_effect_with((), move |()| {
        let now = url::fragment();
        let is_news = now != *address && now != fragment_of(&state.draft());
        let heard = Callback::from(move |address: String| {
            let fragment = Fragment::parse(&address);
            let state = state.clone();
            if fragment.example.is_none() {
                return follow(&state, fragment);
            }
            spawn_local(async move {
                beside::load_gallery().await;
                follow(&state, fragment);
            });
        });
        if is_news {
            heard.emit(now);
        }
        let listener = url::on_change(heard);
        move || drop(listener)
    });
}

fn follow(state: &StateHandle, fragment: Fragment) {
    let words = words::words(&state.options.language);
    let (shared, toast) = read(words, &fragment);
    if let Some(shared) = shared {
        state.dispatch(Action::Load(Box::new(shared)));
    }
    if let Some(toast) = toast {
        state.dispatch(Action::Toast(Some(toast.into())));
    }
    if let Some(source) = fragment.source {
        state.dispatch(Action::Source(Some(source.into())));
    }
}

/// Remembers what another scenario replaces.
#[hook]
fn use_history(state: &StateHandle) {
    let before = use_mut_ref(|| (String::new(), Draft::default()));
    let embedded = state.view.embedded;
    {
        let before = before.clone();
        use_effect_with(state.loads, move |_| {
            let (name, draft) = before.borrow().clone();
            let known = || gallery().iter().any(|it| it.text == draft.text.as_str());
            if embedded || draft.text.trim().is_empty() || draft.text.len() > MAX_LINKED || known()
            {
                return;
            }
            let mut shelf = Shelf::of(storage::shelf());
            shelf.remember(Kept { name, at: clock::now(), link: link::encode(&draft.shared()) });
            // Full: the history is a comfort, the draft is what counts.
            storage::keep_shelf(&shelf);
        });
    }
    let words = words::words(&state.options.language);
    let title =
        state.answer.as_ref().and_then(|it| it.scenario.as_ref()).map(|it| it.title.clone());
    let objects = state.answer.as_ref().map(|it| it.outline.iter().take(3));
    let name = title.filter(|it| !it.is_empty()).unwrap_or_else(|| {
        let names: Vec<&str> =
            objects.into_iter().flatten().map(|it| it.object.name.as_str()).collect();
        if names.is_empty() { words.untitled.to_owned() } else { names.join(words.comma) }
    });
    use_effect_with((name, state.draft()), move |now| *before.borrow_mut() = now.clone());
}

/// Keeps the draft: soon after a change, and at once when the page is left or hidden.
#[hook]
fn use_draft(state: &StateHandle) {
    let embedded = state.view.embedded;
    // An address that was opened stays as it is until something changes: a broken link can be
    // tried again, a short one stays short.
    let opened = {
        let state = state.clone();
        use_memo((), move |()| (!url::fragment().is_empty()).then(|| state.draft()))
    };
    let unsaved = use_mut_ref(|| None::<Draft>);
    // What was drawn last. The handle may know of letters that are not drawn yet.
    let drawn = use_mut_ref(|| state.draft());
    let told = use_mut_ref(|| false);
    let save = {
        let (unsaved, drawn, state) = (unsaved.clone(), drawn.clone(), state.clone());
        move |leaving: bool| {
            // A handle keeps every state that it was asked for.
            let state = state.clone();
            // The address of a page that is left can no longer be changed; the draft is kept for
            // the one it has. Should the reader come back, the timer does the rest.
            let waiting = if leaving {
                let now = state.draft();
                let is_news = unsaved.borrow().is_some() || *drawn.borrow() != now;
                (is_news && !embedded).then_some(now)
            } else {
                unsaved.take()
            };
            let Some(draft) = waiting else { return };
            let mut address = url::fragment();
            if !leaving {
                let fragment = fragment_of(&draft);
                if fragment != address {
                    url::replace_fragment(&fragment);
                    address = url::fragment();
                }
            }
            let kept = storage::keep_draft(&address, &draft);
            // Said once: it will not get better with every letter.
            if !kept && !told.replace(true) {
                let words = words::words(&state.options.language);
                state.dispatch(Action::Toast(Some(words.not_kept.into())));
            }
        }
    };
    let save: Rc<dyn Fn(bool)> = Rc::new(save);
    {
        let save = save.clone();
        use_effect_with((), move |()| {
            let leaving = Callback::from(move |()| save(true));
            let listeners = dom::on_leave(leaving);
            move || drop(listeners)
        });
    }
    use_effect_with(state.draft(), move |draft| {
        let is_news =
            opened.as_ref().as_ref().is_none_or(|it| it != draft || unsaved.borrow().is_some());
        draft.clone_into(&mut drawn.borrow_mut());
        let timer = (!embedded && is_news).then(|| {
            *unsaved.borrow_mut() = Some(draft.clone());
            Timeout::new(SETTLED, move || save(false))
        });
        move || drop(timer)
    });
}
