//! Scenarios to start from, with thumbnails that the page draws itself.

use std::rc::Rc;

use dra_playground_core::workspace::link::Shared;
use dra_playground_core::workspace::{Example, gallery, gallery_words};
use wasm_bindgen_futures::spawn_local;
use yew::{Callback, Html, InputEvent, classes, component, html, use_effect_with, use_state};

use crate::components::{icon, silhouette, silhouette_class};
use crate::derive::sketch::Sketch;
use crate::hooks::{use_state_handle, use_words, use_worker};
use crate::platform::{beside, dom};
use crate::state::{Action, StateHandle};
use crate::words::fill;

/// Loads a text in place of everything.
pub(crate) fn load_text(state: &StateHandle, text: String) {
    state.dispatch(Action::Load(Box::new(Shared { text, ..Shared::default() })));
}

/// Whether every word that was typed is found in title, description or features, in English or in
/// the reader's language.
fn matches(example: &Example, typed: &str, language: &str) -> bool {
    let words = [example.title, example.description, example.name].into_iter();
    let words = words.chain(example.features.iter().copied());
    let said = words.flat_map(|it| [it, gallery_words(it, language)]);
    let said: Vec<String> = said.map(str::to_lowercase).collect();
    typed.to_lowercase().split_whitespace().all(|word| said.iter().any(|it| it.contains(word)))
}

/// What is known of the file with the scenarios.
#[derive(Clone, Copy, PartialEq)]
enum Loaded {
    Waiting,
    There,
    Missing,
}

/// The list of scenarios.
#[component]
pub(crate) fn Gallery() -> Html {
    let words = use_words();
    let typed = use_state(String::new);
    let drawn = use_state(|| 0_usize);
    let loaded = use_state(|| if gallery().is_empty() { Loaded::Waiting } else { Loaded::There });
    {
        let loaded = loaded.clone();
        use_effect_with((), move |()| {
            if *loaded != Loaded::There {
                spawn_local(async move {
                    let there = beside::load_gallery().await;
                    loaded.set(if there { Loaded::There } else { Loaded::Missing });
                });
            }
        });
    }
    let worker = use_worker();
    {
        // One after the other, so that the worker stays free for the text.
        let worker = worker.clone();
        use_effect_with((*drawn, *loaded), move |(count, _)| {
            let count = *count;
            let Some(worker) = worker else { return };
            let next = gallery().iter().find(|it| worker.sketch(it.name).is_none());
            if let Some(next) = next {
                worker.ask_sketch(next.name, Callback::from(move |()| drawn.set(count + 1)));
            }
        });
    }
    let Some(state) = use_state_handle() else { return Html::default() };
    let found: Vec<&Example> =
        gallery().iter().filter(|it| matches(it, &typed, words.code)).collect();
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| typed.set(dom::value_of_input(&event)))
    };
    let entry = |example: &'static Example| {
        let (state, text) = (state.clone(), example.text);
        let open = Callback::from(move |_| state.dispatch(Action::Example(text)));
        let sketch = worker.as_ref().and_then(|it| it.sketch(example.name));
        html! {
            <li key={example.name}>
                <button type="button" onclick={open} data-example={example.name}>
                    {thumbnail(sketch)}
                    <b>{gallery_words(example.title, words.code)}</b><span>{gallery_words(example.description, words.code)}</span>
                </button>
            </li>
        }
    };
    html! {
        <>
            <label class="find gal-find">{icon("i-find")}<input type="search" id="gallery-find" aria-label={words.search_scenarios} placeholder={words.search_scenarios} value={(*typed).clone()} {oninput} /></label>
            <p class="vh" role="status">{if found.is_empty() { words.nothing_found.to_owned() } else { fill(words.scenarios_n, &[&found.len()]) }}</p>
            <ul class="gal">{ for found.iter().copied().map(entry) }</ul>
            if *loaded == Loaded::Missing {
                <p class="mute pad">{words.gallery_failed}</p>
            } else if found.is_empty() && *loaded == Loaded::There {
                <p class="mute pad">{words.nothing_found}</p>
            }
        </>
    }
}

/// Cards as boxes, filled as far as they are held; below them the Pods.
fn thumbnail(sketch: Option<Rc<Sketch>>) -> Html {
    let sketch = sketch.unwrap_or_default();
    let columns = sketch.cards.len().clamp(1, 8);
    let rows = sketch.cards.len().div_ceil(8).max(1);
    let (width, height) = (64.0 / number(columns), 22.0 / number(rows));
    html! {
        <svg class="thumb" viewBox="0 0 66 40" width="66" height="40" aria-hidden="true">
            { for sketch.cards.iter().enumerate().map(|(at, used)| {
                let (x, y) = (1.0 + number(at % 8) * width, 1.0 + number(at / 8) * height);
                let (w, h) = ((width - 1.5).max(2.0), (height - 1.5).max(2.0));
                html! {
                    <>
                        <rect class="pcb" x={x.to_string()} y={y.to_string()} width={w.to_string()} height={h.to_string()} />
                        if *used > 0.0 { <rect class="held" x={x.to_string()} y={(y + h * (1.0 - used)).to_string()} width={w.to_string()} height={(h * used).to_string()} /> }
                    </>
                }
            }) }
            { for sketch.pods.iter().take(7).enumerate().map(|(at, family)| html! {
                <g class={classes!("v", silhouette_class(*family))}><use href={silhouette(*family)} x={(1.0 + number(at) * 9.2).to_string()} y="29" width="8" height="8" /></g>
            }) }
        </svg>
    }
}

fn number(value: usize) -> f64 {
    f64::from(u32::try_from(value).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scenarios_are_found_by_feature_title_and_several_words() {
        let found = |typed: &str| {
            let found = gallery().iter().filter(|it| matches(it, typed, "zh-TW"));
            found.map(|it| it.name).collect::<Vec<_>>()
        };
        assert_eq!(found("").len(), gallery().len());
        assert!(found("drapartitionable").contains(&"experiment-5-partitionable"));
        assert!(found("taint rule").contains(&"device-taint-rule"));
        assert!(found("可分割").contains(&"experiment-5-partitionable"));
        assert!(found("no such thing at all").is_empty());
    }
}
