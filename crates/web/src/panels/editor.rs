//! The text: a plain field at once, the code editor as soon as it has loaded.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Analysis, OutlineEntry, Range, Severity, Thing};
use dra_playground_core::workspace::{complete, hover};
use wasm_bindgen_futures::spawn_local;
use yew::{
    AttrValue, Callback, Html, InputEvent, NodeRef, Properties, classes, component, hook, html,
    use_effect_with, use_memo, use_node_ref, use_state,
};

use super::findings::tally;
use super::insert::InsertMenu;
use crate::components::{MenuButton, chevron, icon};
use crate::derive::edit::{self, Change};
use crate::derive::format;
use crate::derive::places::{self, Reference};
use crate::hooks::{
    EditorLink, MAX_LINKED, PLAIN, use_editor_link, use_spot, use_state_handle, use_typing_state,
    use_words,
};
use crate::platform::dom;
use crate::platform::editor::{self, CodeEditor, Config, Events, Fold, GutterLetter, Marks};
use crate::state::{Action, Menu, Pane, SpotAction, SpotHandle, StateHandle};
use crate::words::{Words, fill};

/// Documents longer than this many lines are folded when a scenario is loaded.
const FOLD_ABOVE: u32 = 24;

/// Properties of [`EditorPanel`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct EditorProps {
    /// Letters of the sentence.
    pub(crate) references: Rc<[Reference]>,
}

/// The pane of the text.
#[component]
pub(crate) fn EditorPanel(props: &EditorProps) -> Html {
    let words = use_words();
    let link = use_editor_link();
    let place = use_node_ref();
    let (Some(state), Some(spot)) = (use_typing_state(), use_spot()) else {
        return Html::default();
    };
    let code = use_code_editor(&place, &state, &spot, &link, words, &props.references);
    use_marks(code.as_ref(), &state, &spot, words, &props.references);
    let oninput = {
        let state = state.clone();
        Callback::from(move |event: InputEvent| {
            state.dispatch(Action::Edited(dom::value_of_input(&event).into()));
        })
    };
    let lines = {
        let text = state.text.clone();
        use_memo(state.revision, move |_| text.lines().count())
    };
    let here = state.pane == Pane::Yaml;
    // On narrow windows the pane with the other heading is away.
    html! {
        <section class={classes!("pane-y", here.then_some("here"))} id="yaml" aria-label={words.yaml_pane}>
            if here { <h1 class="vh">{words.yaml_pane}</h1> }
            <div class="ed-head"><b>{words.text}</b><span class="mute">{fill(words.lines_n, &[&format::count(*lines)])}</span><span class="sp" />
                if !state.view.read_only { <InsertMenu /> }<OutlineMenu /></div>
            <div class="ed" ref={place}>
                if code.is_none() {
                    <textarea id={PLAIN} class="plain-text" spellcheck="false" autocomplete="off" autocapitalize="off"
                        aria-label={words.yaml_editor} placeholder={words.editor_hint} readonly={state.view.read_only} value={state.text.clone()} {oninput} />
                }
            </div>
            <Foot />
        </section>
    }
}

/// Loads the code editor and keeps its text in step.
#[hook]
fn use_code_editor(
    place: &NodeRef,
    state: &StateHandle,
    spot: &SpotHandle,
    link: &EditorLink,
    words: &'static Words,
    references: &Rc<[Reference]>,
) -> Option<CodeEditor> {
    let code = use_state(|| None::<CodeEditor>);
    let loaded = use_state(|| false);
    {
        let loaded = loaded.clone();
        use_effect_with((), move |()| {
            spawn_local(async move {
                if editor::load().await {
                    loaded.set(true);
                }
            });
        });
    }
    let letters = yew::use_mut_ref(|| references.clone());
    *letters.borrow_mut() = references.clone();
    let newest = yew::use_mut_ref(|| state.clone());
    *newest.borrow_mut() = state.clone();
    {
        let (code, place, link, spot) = (code.clone(), place.clone(), link.clone(), spot.clone());
        use_effect_with(*loaded, move |loaded| {
            let parent = place.cast::<web_sys::Element>();
            if let Some(parent) = parent.filter(|_| *loaded) {
                let events = events(&newest, &letters, &spot);
                let text = newest.borrow().text.clone();
                let view = newest.borrow().view.clone();
                let config = Config {
                    text: &text,
                    label: words.yaml_editor,
                    hint: words.editor_hint,
                    read_only: view.read_only,
                    grows: view.grows,
                };
                let made = CodeEditor::create(&parent, &config, events);
                link.set(made.clone());
                code.set(made);
            }
        });
    }
    {
        let (code, text) = (code.clone(), state.text.clone());
        use_effect_with(state.loads, move |loads| {
            if let Some(code) = code.as_ref().filter(|_| *loads > 0) {
                code.set_text(&text);
            }
        });
    }
    {
        let code = (*code).clone();
        use_effect_with((code, words.code), move |(code, language)| {
            if let Some(code) = code {
                let words = dra_playground_core::workspace::language::language(language);
                let phrases = words.iter().flat_map(|it| &it.editor);
                code.speak(&phrases.collect::<Vec<_>>());
            }
        });
    }
    (*code).clone()
}

type Shared<T> = Rc<std::cell::RefCell<T>>;

fn events(
    state: &Shared<StateHandle>,
    letters: &Shared<Rc<[Reference]>>,
    spot: &SpotHandle,
) -> Events {
    let (editing, changing, asking) = (state.clone(), state.clone(), state.clone());
    // What the editor told last: its changes are of this text.
    let told = Rc::new(std::cell::RefCell::new(AttrValue::default()));
    let known = told.clone();
    let pointing = (state.clone(), spot.clone());
    let (letters, lettering, pane) = (letters.clone(), spot.clone(), state.clone());
    Events {
        change: Callback::from(move |text: String| {
            let text = AttrValue::from(text);
            *told.borrow_mut() = text.clone();
            editing.borrow().dispatch(Action::Edited(text));
        }),
        edit: Callback::from(move |changes: Vec<Change>| {
            let state = changing.borrow();
            let mut known = known.borrow_mut();
            if !std::ptr::eq(known.as_str(), state.text.as_str()) {
                return false;
            }
            *known = edit::typed(&known, &changes).into();
            state.dispatch(Action::Edited(known.clone()));
            true
        }),
        cursor: Callback::from(move |offset| {
            let (state, spot) = &pointing;
            let thing = state.borrow().shown().and_then(|it| places::thing_at(it, offset));
            if let Some(thing) = thing.filter(|it| !matches!(it, Thing::Object(_))) {
                spot.dispatch(SpotAction::Rest(Some(Rc::new(thing))));
            }
        }),
        letter: Callback::from(move |letter| {
            let thing =
                letters.borrow().iter().find(|it| it.letter == letter).map(|it| it.thing.clone());
            let Some(thing) = thing else { return };
            pane.borrow().dispatch(Action::Pane(Pane::Answer));
            if let Some(id) = places::figure_id(&thing) {
                dom::show(&id, false);
            }
            lettering.dispatch(SpotAction::Pin(thing));
        }),
        assist: Callback::from(move |(text, at, completes): (String, u32, bool)| {
            let state = asking.borrow();
            let Some(analysis) = state.shown() else { return String::new() };
            let language = &state.options.language;
            let json = if completes {
                serde_json::to_string(&complete(&text, at, analysis, language))
            } else {
                hover(&text, at, analysis, language)
                    .map(|it| serde_json::to_string(&it))
                    .transpose()
                    .map(Option::unwrap_or_default)
            };
            json.unwrap_or_default()
        }),
    }
}

fn folds(analysis: &Analysis, all: bool) -> Vec<Fold> {
    let large = analysis.outline.last().is_some_and(|it| it.range.end_line > 2 * FOLD_ABOVE);
    let quiet = |it: &OutlineEntry| {
        it.range.end_line.saturating_sub(it.range.line) > FOLD_ABOVE
            || matches!(
                it.object.kind.as_str(),
                "Node" | "Namespace" | "DeviceClass" | "ResourceSlice" | "Scenario"
            )
    };
    let entries =
        analysis.outline.iter().filter(|it| !it.hypothetical && (all || large && quiet(it)));
    let fold = |it: &OutlineEntry| Fold {
        from: it.range.from,
        to: it.range.to,
        title: it.object.kind.clone(),
        fact: if it.fact.is_empty() {
            it.object.name.clone()
        } else {
            format!("{} · {}", it.object.name, it.fact)
        },
    };
    entries.map(fold).collect()
}

/// Draws diagnostics, letters, lit lines and folds over the text.
#[hook]
fn use_marks(
    code: Option<&CodeEditor>,
    state: &StateHandle,
    spot: &SpotHandle,
    words: &'static Words,
    references: &Rc<[Reference]>,
) {
    let folded = use_state(|| 0_u64);
    {
        let (code, state, references) = (code.cloned(), state.clone(), references.clone());
        let key = (code.clone(), state.answered, references.clone());
        use_effect_with(key, move |_| {
            let Some((code, analysis)) = code.as_ref().zip(state.answer.as_ref()) else { return };
            let stale = state.is_stale();
            let letters: Vec<GutterLetter> = references
                .iter()
                .filter(|_| !stale)
                .flat_map(|it| it.ranges.iter().map(move |range| (it.letter, range.from)))
                .map(|(letter, from)| GutterLetter {
                    letter,
                    label: fill(words.reference, &[&letter]),
                    from,
                })
                .collect();
            code.mark(&Marks {
                diagnostics: &analysis.diagnostics,
                letters: &letters,
                folds: &folds(analysis, true),
            });
            if *folded != state.loads && state.answered >= state.revision {
                folded.set(state.loads);
                let keep: Vec<Range> =
                    references.iter().flat_map(|it| it.ranges.iter().copied()).collect();
                code.fold(&folds(analysis, false), &keep);
            }
        });
    }
    let lit: Vec<Range> = match (spot.lit(), state.shown()) {
        (Some(thing), Some(analysis)) if !state.is_stale() => {
            let known = references.iter().find(|it| it.thing == *thing);
            known.map_or_else(|| places::places(analysis, thing), |it| it.ranges.clone())
        }
        _ => Vec::new(),
    };
    let code = code.cloned();
    use_effect_with((code, lit), |(code, lit)| {
        if let Some(code) = code {
            code.light(lit);
        }
    });
}

#[component]
fn OutlineMenu() -> Html {
    let words = use_words();
    let link = use_editor_link();
    let Some(state) = use_state_handle() else { return Html::default() };
    let open = state.menu == Some(Menu::Outline);
    html! {
        <MenuButton menu={Menu::Outline} class="ctl" label={words.outline} button={html! { <>{words.outline}{chevron()}</> }}>
            if open { {outline(words, &state, &link)} }
        </MenuButton>
    }
}

fn outline(words: &'static Words, state: &StateHandle, link: &EditorLink) -> Html {
    let answer = state.answer.clone().unwrap_or_default();
    let entries = &answer.outline;
    let entry = |it: &OutlineEntry| {
        let (link, state, range) = (link.clone(), state.clone(), it.range);
        let onclick = Callback::from(move |_| {
            state.dispatch(Action::Menu(None));
            link.go(range, &state.dispatcher());
        });
        html! {
            <li><button type="button" {onclick}><b>{it.object.kind.clone()}</b>{" "}{it.object.name.clone()}
                if !it.fact.is_empty() { <span class="mute">{" · "}{it.fact.clone()}</span> }</button></li>
        }
    };
    html! {
        <>
            <ul class="objs outline">{ for entries.iter().filter(|it| !it.hypothetical).take(300).map(entry) }</ul>
            if entries.is_empty() { <p class="mute">{words.nothing_yet}</p> }
        </>
    }
}

/// Findings of the text, and what it is valid for.
#[component]
fn Foot() -> Html {
    let words = use_words();
    let Some(state) = use_typing_state() else { return Html::default() };
    if state.is_waiting() || state.is_foreign() {
        return html! { <div class="ed-foot"><span>{words.analyzing}</span></div> };
    }
    let Some(analysis) = state.answer.clone().filter(|_| !state.is_empty()) else {
        let said = if state.is_empty() { words.empty } else { words.analyzing };
        return html! { <div class="ed-foot"><span>{said}</span></div> };
    };
    let found = tally(words, &analysis.diagnostics);
    let bad = analysis.diagnostics.iter().any(|it| it.severity == Severity::Error);
    let too_long = !state.view.embedded && state.text.len() > MAX_LINKED;
    let go = Callback::from(move |_| {
        state.dispatch(Action::Pane(Pane::Answer));
        dom::show("diagnostics", false);
    });
    html! {
        <div class="ed-foot">
            if found.is_empty() { <span>{fill(words.valid_for, &[&analysis.kubernetes.version])}</span> }
            else {
                <button type="button" class={classes!("foot-b", bad.then_some("c-fault"))} onclick={go}>
                    {icon(if bad { "r-fault" } else { "i-hint" })}{found}</button>
            }
            <span class="sp" />
            if too_long { <span id="not-in-address">{words.not_in_address}</span> }
            else { <span class="d-only">{words.esc_tab}</span> }
        </div>
    }
}
