//! Text and options to the worker, debounced; answers into the state.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use dra_playground_core::workspace::gallery;
use dra_playground_core::workspace::report::{Answer, Query};
use gloo_timers::callback::Timeout;
use yew::{AttrValue, Callback, hook, use_effect_with, use_memo, use_mut_ref};

use crate::derive::sketch::Sketch;
use crate::platform::clock;
use crate::platform::worker::{Ask, Client, Say};
use crate::state::{Action, StateHandle};

/// Shortest and longest pause in typing that is waited for, in milliseconds.
const PAUSE: (f64, f64) = (90.0, 600.0);

/// How often a worker is started again that has never been ready.
const MOST_FALLS: u32 = 3;

#[derive(Default)]
struct Inner {
    client: RefCell<Option<Client>>,
    next: Cell<u64>,
    waiting: RefCell<BTreeMap<u64, Callback<Answer>>>,
    sketches: RefCell<BTreeMap<String, Rc<Sketch>>>,
    /// The thumbnail that is waited for.
    sketching: RefCell<Option<(String, Callback<()>)>>,
    /// How often it fell since it was last ready.
    falls: Cell<u32>,
    /// The last thing that the falling worker said.
    last_words: RefCell<String>,
}

/// Asks the worker for details.
#[derive(Clone, Default)]
pub(crate) struct WorkerLink(Rc<Inner>);

impl std::fmt::Debug for WorkerLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WorkerLink")
    }
}

impl PartialEq for WorkerLink {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl WorkerLink {
    /// Asks for a detail of the last analysis.
    pub(crate) fn query(&self, query: Query, answered: Callback<Answer>) {
        let id = self.0.next.get() + 1;
        self.0.next.set(id);
        self.0.waiting.borrow_mut().insert(id, answered);
        self.ask(&Ask::Query { id, query });
    }

    /// The thumbnail of a scenario of the gallery, if it has been asked for.
    pub(crate) fn sketch(&self, name: &str) -> Option<Rc<Sketch>> {
        self.0.sketches.borrow().get(name).cloned()
    }

    /// Asks for a thumbnail; `drawn` hears when it is there.
    pub(crate) fn ask_sketch(&self, name: &str, drawn: Callback<()>) {
        *self.0.sketching.borrow_mut() = Some((name.to_owned(), drawn));
        self.draw(name);
    }

    fn draw(&self, name: &str) {
        if let Some(example) = gallery().iter().find(|it| it.name == name) {
            self.ask(&Ask::Sketch { name: name.to_owned(), text: example.text.to_owned() });
        }
    }

    /// Ends a long analysis by starting the worker again.
    pub(crate) fn stop(&self) {
        self.0.waiting.borrow_mut().clear();
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.restart();
        }
    }

    fn ask(&self, ask: &Ask) {
        if let Some(client) = self.0.client.borrow().as_ref() {
            client.ask(ask);
        }
    }

    fn hear(&self, say: Say, state: &StateHandle, started: &Cell<f64>) {
        match say {
            Say::Ready => {
                self.0.falls.set(0);
                // Asked before there was a worker, or of one that fell.
                let waiting = self.0.sketching.borrow().as_ref().map(|it| it.0.clone());
                if let Some(name) = waiting {
                    self.draw(&name);
                }
            }
            Say::Analysis { id: revision, analysis } => {
                let took = clock::now() - started.get();
                let state = state.dispatcher();
                let answer = Action::Answered { revision, analysis: analysis.into(), took };
                // Reading and drawing are long each: a key may come between.
                Timeout::new(0, move || state.dispatch(answer)).forget();
            }
            Say::Answer { id, answer } => {
                let waiting = self.0.waiting.borrow_mut().remove(&id);
                if let Some(waiting) = waiting {
                    waiting.emit(answer);
                }
            }
            Say::Sketch { name, sketch } => {
                self.0.sketches.borrow_mut().insert(name, Rc::new(sketch));
                let drawn = self.0.sketching.borrow_mut().take();
                if let Some((_, drawn)) = drawn {
                    drawn.emit(());
                }
            }
            // The worker's client has put it together.
            Say::Packed { .. } => {}
            Say::Panicked { message } => *self.0.last_words.borrow_mut() = message,
            Say::Fell { message } => {
                let words = std::mem::take(&mut *self.0.last_words.borrow_mut());
                let message = if words.is_empty() { message } else { words };
                self.0.falls.set(self.0.falls.get() + 1);
                // One that does not even start is not started for ever.
                if self.0.falls.get() <= MOST_FALLS {
                    self.stop();
                }
                state.dispatch(Action::Fell(message.into()));
            }
        }
    }
}

/// Keeps the answer in step with text and options.
#[hook]
pub(crate) fn use_analysis(state: &StateHandle) -> WorkerLink {
    let link = use_memo((), |()| WorkerLink::default());
    let link = (*link).clone();
    let started = use_memo((), |()| Rc::new(Cell::new(0.0_f64)));
    let started = (*started).clone();
    let pause = use_mut_ref(|| None::<Timeout>);
    {
        let (link, state, started) = (link.clone(), state.clone(), started.clone());
        use_effect_with((), move |()| {
            let hearing = link.clone();
            let client =
                Client::start(Callback::from(move |say| hearing.hear(say, &state, &started)));
            *link.0.client.borrow_mut() = Some(client);
        });
    }
    {
        let (link, state) = (link.clone(), state.clone());
        use_effect_with((state.revision, state.is_due()), move |(revision, due)| {
            let revision = *revision;
            if !due {
                return;
            }
            let first = state.answered == 0;
            let wait = if first { 0.0 } else { (state.took * 2.0).clamp(PAUSE.0, PAUSE.1) };
            let asking = state.clone();
            let timer = Timeout::new(millis(wait), move || {
                started.set(clock::now());
                asking.dispatch(Action::Started(revision));
                link.ask(&Ask::Analyze {
                    id: revision,
                    text: match &asking.text {
                        AttrValue::Rc(text) => Rc::clone(text),
                        AttrValue::Static(text) => (*text).into(),
                    },
                    options: asking.options.clone(),
                });
            });
            *pause.borrow_mut() = Some(timer);
        });
    }
    link
}

fn millis(wait: f64) -> u32 {
    // The value is clamped to a second at most.
    format!("{:.0}", wait.clamp(0.0, 1000.0)).parse().unwrap_or(100)
}
