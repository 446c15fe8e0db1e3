//! Traces of expressions, asked for when they come into view.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Answer, Query, TraceTable};
use yew::{Callback, hook, use_effect_with, use_state};

use super::use_worker;

/// The trace of an expression on some devices of the answer with this revision.
#[hook]
pub(crate) fn use_trace(
    expression: &str,
    devices: &[usize],
    answered: u64,
) -> Option<Rc<TraceTable>> {
    let worker = use_worker();
    let table = use_state(|| None::<Rc<TraceTable>>);
    let key = (expression.to_owned(), devices.to_vec(), answered);
    let set = table.clone();
    use_effect_with(key, move |(expression, devices, _)| {
        if let Some(worker) = worker.filter(|_| !devices.is_empty()) {
            let query = Query::Trace { expression: expression.clone(), devices: devices.clone() };
            let done = Callback::from(move |answer: Answer| match answer {
                Answer::Trace(table) => set.set(Some(Rc::new(table))),
                _ => set.set(None),
            });
            worker.query(query, done);
        }
    });
    (*table).clone().filter(|table| table.expression == expression)
}
