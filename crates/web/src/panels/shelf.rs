//! Scenarios saved under a name, and the history.

use dra_playground_core::workspace::link;
use yew::{Callback, Event, Html, InputEvent, SubmitEvent, component, html, use_state};

use crate::components::icon;
use crate::hooks::{use_state_handle, use_words};
use crate::platform::{clock, dom, files, storage};
use crate::state::{Action, Kept, Shelf as Shelves, StateHandle};
use crate::words::{Words, fill};

fn read() -> Shelves {
    Shelves::of(storage::shelf())
}

/// Changes what is kept as it stands now: another tab may have changed it.
fn change(
    state: &StateHandle,
    words: &'static Words,
    change: impl FnOnce(&mut Shelves),
) -> Shelves {
    let mut shelf = read();
    change(&mut shelf);
    if !storage::keep_shelf(&shelf) {
        state.dispatch(Action::Toast(Some(words.not_kept.into())));
    }
    shelf
}

/// Saved scenarios, history, export and import.
#[component]
pub(crate) fn Shelf() -> Html {
    let words = use_words();
    let shelf = use_state(read);
    let name = use_state(String::new);
    let Some(state) = use_state_handle() else { return Html::default() };
    let oninput = {
        let name = name.clone();
        Callback::from(move |event: InputEvent| name.set(dom::value_of_input(&event)))
    };
    let save = {
        let (state, shelf, name) = (state.clone(), shelf.clone(), name.clone());
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let called = name.trim().to_owned();
            if called.is_empty() || state.is_empty() {
                return;
            }
            let kept = Kept { name: called, at: clock::now(), link: link::encode(&state.shared()) };
            shelf.set(change(&state, words, |it| it.save(kept)));
            name.set(String::new());
        })
    };
    let open = |kept: &Kept| {
        let (state, link) = (state.clone(), kept.link.clone());
        Callback::from(move |_| match link::decode(&link) {
            Ok(shared) => state.dispatch(Action::Load(Box::new(shared))),
            Err(_) => state.dispatch(Action::Toast(Some(words.bad_link.into()))),
        })
    };
    let forget = |kept: &Kept| {
        let (state, shelf, name) = (state.clone(), shelf.clone(), kept.name.clone());
        Callback::from(move |_| shelf.set(change(&state, words, |it| it.forget(&name))))
    };
    let clear = {
        let (state, shelf) = (state.clone(), shelf.clone());
        Callback::from(move |_| shelf.set(change(&state, words, |it| it.past.clear())))
    };
    let export = {
        let shelf = shelf.clone();
        Callback::from(move |_| {
            if let Ok(json) = serde_json::to_string_pretty(&*shelf) {
                files::save("dra-playground-scenarios.json", "application/json", &json);
            }
        })
    };
    let import = {
        let (state, shelf) = (state.clone(), shelf.clone());
        Callback::from(move |event: Event| {
            let (state, shelf) = (state.clone(), shelf.clone());
            let done = Callback::from(move |text: Option<String>| {
                let read = text.and_then(|text| serde_json::from_str::<Shelves>(&text).ok());
                let said =
                    match read.map(|it| Shelves::of(Some(it))).filter(|it| !it.saved.is_empty()) {
                        Some(other) => {
                            let mut count = 0;
                            shelf.set(change(&state, words, |it| count = it.merge(other)));
                            fill(words.shelf_imported, &[&count])
                        }
                        None => words.shelf_not_read.to_owned(),
                    };
                state.dispatch(Action::Toast(Some(said.into())));
            });
            files::of_field(&event, done);
        })
    };
    let date = |kept: &Kept| clock::written(kept.at, words.code);
    html! {
        <div id="shelf">
            <p class="shelf-h"><b>{words.saved}</b>{" "}<span class="mute">{words.history_how}</span></p>
            <form class="shelf-f" onsubmit={save}>
                <input type="text" maxlength="80" aria-label={words.scenario_name} placeholder={words.save_as} value={(*name).clone()} {oninput} id="save-name" />
                <button type="submit" class="small" id="save-it" disabled={state.is_empty()}>{words.save_it}</button>
            </form>
            <ul class="objs kept">{ for shelf.saved.iter().map(|kept| html! {
                <li key={kept.name.clone()}><button type="button" onclick={open(kept)} data-saved={kept.name.clone()}>{kept.name.clone()}{" "}<small class="mute">{date(kept)}</small></button>
                    <button type="button" class="ctl sq" aria-label={fill(words.forget_named, &[&kept.name])} onclick={forget(kept)}>{icon("i-close")}</button></li>
            }) }</ul>
            <p class="shelf-h"><b>{words.history}</b></p>
            <ul class="objs kept" id="history">{ for shelf.past.iter().enumerate().map(|(at, kept)| html! {
                <li key={at}><button type="button" onclick={open(kept)}>{kept.name.clone()}{" "}<small class="mute">{date(kept)}</small></button></li>
            }) }</ul>
            if shelf.past.is_empty() { <p class="mute">{words.history_empty}</p> }
            <p class="row-b shelf-b">
                <button type="button" class="small" id="shelf-export" disabled={shelf.saved.is_empty() && shelf.past.is_empty()} onclick={export}>{words.shelf_export}</button>
                <label class="small">{words.shelf_import}<input type="file" class="vh" id="shelf-import" accept=".json,application/json" onchange={import} /></label>
                <button type="button" class="small" disabled={shelf.past.is_empty()} onclick={clear}>{words.forget_history}</button>
            </p>
        </div>
    }
}
