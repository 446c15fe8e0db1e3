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

use std::future::poll_fn;
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use dra_playground_core::workspace::link::Fragment;

fn main() {
    platform::beside::fetch_tables();
    if platform::serve::serve_if_worker() {
        return;
    }
    wasm_bindgen_futures::spawn_local(async {
        // Without its words the page speaks English.
        let address: Rc<str> = platform::url::fragment().into();
        let fragment = Rc::new(Fragment::parse(&address));
        let language = platform::beside::load_language(hooks::wanted_language(&fragment));
        let gallery = async {
            if fragment.example.is_some() {
                platform::beside::load_gallery().await;
            }
        };
        both(language, gallery).await;
        yew::Renderer::<app::App>::with_props(app::AppProps { address, fragment }).render();
    });
}

/// Waits for two at the same time.
async fn both(one: impl Future, other: impl Future) {
    let (mut one, mut other) = (pin!(one), pin!(other));
    let mut ended = (false, false);
    poll_fn(|context| {
        ended.0 = ended.0 || one.as_mut().poll(context).is_ready();
        ended.1 = ended.1 || other.as_mut().poll(context).is_ready();
        if ended.0 && ended.1 { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
