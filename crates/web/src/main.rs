//! The page of DRA Playground, and its analysis worker: one program serves both.
//!
//! The page uses [`dra_playground_core::workspace`] only. Data flows one way: an event becomes an
//! action, [`state`] reduces it, `hooks` join the result to the worker, the address and the
//! browser's storage, and [`panels`] draw it.

mod app;
mod components;
mod derive;
#[cfg(test)]
mod fixture;
mod hooks;
mod panels;
mod platform;
mod state;
mod words;

fn main() {
    if !platform::serve::serve_if_worker() {
        yew::Renderer::<app::App>::new().render();
    }
}
