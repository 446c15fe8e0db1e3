//! Files that are opened or dropped.

use dra_playground_core::workspace::link::MAX_UNFOLDED;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{FileList, HtmlInputElement};
use yew::{Callback, DragEvent, Event, TargetCast};

use super::bridge;

/// The largest file that is read, in bytes: no larger than what a link may unfold to.
const MAX_BYTES: f64 = 8_388_608.0;
const _: () = assert!(MAX_UNFOLDED == 8_388_608, "files and links have one limit");

/// Reads the files of a file field as one text.
pub(crate) fn of_field(event: &Event, done: Callback<Option<String>>) {
    let files = event.target_dyn_into::<HtmlInputElement>().and_then(|field| field.files());
    read(files, done);
}

/// Reads dropped files as one text; `false` when nothing was dropped that is a file.
pub(crate) fn of_drop(event: &DragEvent, done: Callback<Option<String>>) -> bool {
    let files = event.data_transfer().and_then(|transfer| transfer.files());
    let any = files.as_ref().is_some_and(|files| files.length() > 0);
    if any {
        read(files, done);
    }
    any
}

/// Whether something is dragged that holds files.
pub(crate) fn is_file_drag(event: &DragEvent) -> bool {
    event.data_transfer().is_some_and(|transfer| {
        transfer.types().iter().any(|kind| kind.as_string().as_deref() == Some("Files"))
    })
}

/// The address that a link may load from: https, or the page's own origin.
pub(crate) fn allowed_source(address: &str) -> Option<String> {
    Some(bridge::resolve_source(address)).filter(|it| !it.is_empty())
}

/// Loads the text at an address of [`allowed_source`].
pub(crate) fn load(address: String, done: Callback<Result<String, String>>) {
    spawn_local(async move {
        let loaded = bridge::load_text(&address, MAX_BYTES).await;
        done.emit(match loaded {
            Ok(text) => text.as_string().ok_or_else(String::new),
            Err(error) => Err(js_sys::Error::from(error).message().into()),
        });
    });
}

/// Hands the reader a file.
pub(crate) fn save(name: &str, kind: &str, text: &str) {
    drop(bridge::save_file(name, kind, text));
}

/// Saves a part of the page as SVG, or as PNG; reports whether that worked.
pub(crate) fn save_picture(id: &str, png: bool, done: Callback<bool>) {
    let Ok(picture) = bridge::picture_of(id) else { return done.emit(false) };
    let name = format!("dra-playground-{id}");
    if !png {
        save(&format!("{name}.svg"), "image/svg+xml", &picture);
        return done.emit(true);
    }
    spawn_local(async move {
        done.emit(bridge::save_png(&format!("{name}.png"), &picture).await.is_ok());
    });
}

fn read(files: Option<FileList>, done: Callback<Option<String>>) {
    let Some(files) = files else { return done.emit(None) };
    spawn_local(async move {
        let mut whole = String::new();
        for index in 0..files.length() {
            let Some(file) = files.get(index) else { continue };
            if file.size() > MAX_BYTES {
                return done.emit(None);
            }
            let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
            let Some(text) = text else { return done.emit(None) };
            if !whole.is_empty() {
                whole.push_str(if whole.ends_with('\n') { "---\n" } else { "\n---\n" });
            }
            whole.push_str(&text);
        }
        done.emit(Some(whole));
    });
}
