//! The worker's end: reads questions, runs the core, writes answers.

use std::cell::RefCell;
use std::rc::Rc;

use dra_playground_core::workspace::report::Options;
use dra_playground_core::workspace::{Workspace, language, made_visible};
use gloo_events::EventListener;
use js_sys::{Array, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

use super::packed::Packed;
use super::wire;
use super::worker::{Ask, Say, taken};
use crate::derive::sketch::sketch;

/// Serves when this is a worker; says whether it is one.
pub(crate) fn serve_if_worker() -> bool {
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else { return false };
    let dying = scope.clone();
    std::panic::set_hook(Box::new(move |info| {
        say(&dying, &Say::Panicked { message: info.to_string() });
    }));
    let workspace = Rc::new(RefCell::new(Workspace::new()));
    let answering = scope.clone();
    let listener = EventListener::new(&scope, "message", move |event| {
        let Some(data) = event.dyn_ref::<MessageEvent>().map(MessageEvent::data) else { return };
        // Tests ask in JSON: they compare the answer with what the native program prints.
        let json = data.as_string();
        let ask: Option<Ask> = match &json {
            Some(json) => serde_json::from_str(json).ok(),
            None => {
                data.dyn_into().ok().and_then(|it: Uint8Array| wire::from_bytes(&taken(&it)).ok())
            }
        };
        if let (Some(ask), Ok(mut workspace)) = (ask, workspace.try_borrow_mut())
            && let Some(answer) = answer(&mut workspace, ask)
        {
            match (json, answer) {
                (Some(_), answer) => {
                    let answer = serde_json::to_string(&answer).unwrap_or_default();
                    drop(answering.post_message(&answer.into()));
                }
                (None, Say::Analysis { id, analysis }) => {
                    say(&answering, &Say::Packed { id, packed: Packed::pack(analysis) });
                }
                (None, answer) => say(&answering, &answer),
            }
        }
    });
    listener.forget();
    say(&scope, &Say::Ready);
    true
}

fn answer(workspace: &mut Workspace, ask: Ask) -> Option<Say> {
    Some(match ask {
        Ask::Learn { code, file } => {
            // The page has read this file before.
            drop(language::add(&code, &file));
            return None;
        }
        Ask::Analyze { id, text, options } => {
            Say::Analysis { id, analysis: Box::new(workspace.analyze_shared(&text, &options)) }
        }
        Ask::Sketch { name, text } => {
            let analysis = Workspace::new().analyze(&text, &Options::default());
            Say::Sketch { name, sketch: sketch(&analysis) }
        }
        Ask::Query { id, query } => Say::Answer { id, answer: workspace.query(&query) },
    })
}

/// The page shows much of what is said as it is.
fn say(scope: &DedicatedWorkerGlobalScope, say: &Say) {
    if let Ok(bytes) = wire::to_bytes(say, made_visible) {
        let bytes = Uint8Array::from(bytes.as_slice());
        drop(scope.post_message_with_transfer(&bytes, &Array::of1(&bytes.buffer())));
    }
}
