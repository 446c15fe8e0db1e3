//! The page's end of the worker: starts it, asks, and starts it again when it fell.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use dra_playground_core::workspace::language;
use dra_playground_core::workspace::report::{Analysis, Answer, Options, Query};
use gloo_events::EventListener;
use js_sys::{Array, Uint8Array};
use serde::{Deserialize, Serialize};
use wasm_bindgen::JsCast;
use web_sys::{ErrorEvent, MessageEvent, Worker, WorkerOptions, WorkerType};
use yew::Callback;

use super::bridge::GLUE_URL;
use super::packed::Packed;
use super::{url, wire};
use crate::derive::sketch::Sketch;

const SCRIPT: &str = "worker.js";

/// What the page asks.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Ask {
    /// Analyze a text.
    Analyze {
        /// Number of the question.
        id: u64,
        /// The text.
        text: Rc<str>,
        /// What is set beside the text.
        options: Options,
    },
    /// Learn the words of a language; there is no answer.
    Learn {
        /// Its tag.
        code: String,
        /// The language's file.
        file: String,
    },
    /// The thumbnail of a scenario of the gallery.
    Sketch {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// A detail of the last analysis.
    Query {
        /// Number of the question.
        id: u64,
        /// The question.
        query: Query,
    },
}

/// What the worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Say {
    /// It listens.
    Ready,
    /// An analysis on its way.
    Packed {
        /// Number of the question.
        id: u64,
        /// The analysis.
        packed: Packed,
    },
    /// An analysis.
    Analysis {
        /// Number of the question.
        id: u64,
        /// The analysis.
        analysis: Box<Analysis>,
    },
    /// A detail.
    Answer {
        /// Number of the question.
        id: u64,
        /// The answer.
        answer: Answer,
    },
    /// A thumbnail.
    Sketch {
        /// Name of the scenario.
        name: String,
        /// What it shows.
        sketch: Sketch,
    },
    /// It is about to fall.
    Panicked {
        /// What the code said.
        message: String,
    },
    /// It fell, and another one is starting.
    Fell {
        /// What the browser said.
        message: String,
    },
}

struct Running {
    worker: Worker,
    /// How many languages it has learnt.
    learnt: Cell<usize>,
    _listeners: [EventListener; 2],
}

/// A worker that is started again whenever it falls.
pub(crate) struct Client {
    running: RefCell<Option<Running>>,
    said: Callback<Say>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").finish_non_exhaustive()
    }
}

impl Client {
    /// Starts a worker; `said` hears everything it says.
    pub(crate) fn start(said: Callback<Say>) -> Self {
        let client = Self { running: RefCell::new(None), said };
        client.restart();
        client
    }

    /// Ends the worker, whatever it is doing, and starts another.
    pub(crate) fn restart(&self) {
        if let Some(running) = self.running.borrow_mut().take() {
            running.worker.terminate();
        }
        *self.running.borrow_mut() = spawn(&self.said);
    }

    /// Asks; the answer comes by the callback.
    pub(crate) fn ask(&self, ask: &Ask) {
        if let Some(running) = self.running.borrow().as_ref() {
            let languages = language::added();
            for language in languages.iter().skip(running.learnt.replace(languages.len())) {
                running.post(&Ask::Learn {
                    code: language.code.to_owned(),
                    file: language.source.clone(),
                });
            }
            running.post(ask);
        }
    }
}

impl Running {
    fn post(&self, ask: &Ask) {
        if let Ok(bytes) = wire::to_bytes(ask, |_| None) {
            let bytes = Uint8Array::from(bytes.as_slice());
            let over = Array::of1(&bytes.buffer());
            drop(self.worker.post_message_with_transfer(&bytes, &over));
        }
    }
}

/// The bytes of a message, whose own are given back at once: a worker's garbage is seldom collected.
pub(super) fn taken(message: &Uint8Array) -> Vec<u8> {
    let bytes = message.to_vec();
    drop(message.buffer().transfer_with_length(0));
    bytes
}

fn spawn(said: &Callback<Say>) -> Option<Running> {
    let options = WorkerOptions::new();
    options.set_type(WorkerType::Module);
    let worker = Worker::new_with_options(&url::beside_script(SCRIPT), &options).ok()?;
    let hear = said.clone();
    let message = EventListener::new(&worker, "message", move |event| {
        let bytes = event
            .dyn_ref::<MessageEvent>()
            .and_then(|event| event.data().dyn_into::<Uint8Array>().ok());
        match bytes.and_then(|bytes| wire::from_bytes(&taken(&bytes)).ok()) {
            Some(Say::Packed { id, packed }) => {
                hear.emit(Say::Analysis { id, analysis: packed.unpack() });
            }
            Some(say) => hear.emit(say),
            None => hear.emit(Say::Fell { message: String::new() }),
        }
    });
    let hear = said.clone();
    let error = EventListener::new(&worker, "error", move |event| {
        let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
        hear.emit(Say::Fell { message: message.unwrap_or_default() });
    });
    let glue = GLUE_URL.with(Clone::clone);
    drop(worker.post_message(&Array::of2(&glue.into(), &wasm_bindgen::module())));
    Some(Running { worker, learnt: Cell::new(0), _listeners: [message, error] })
}
