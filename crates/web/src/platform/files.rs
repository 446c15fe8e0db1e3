//! Files that are opened or dropped.

use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{FileList, HtmlInputElement};
use yew::{Callback, DragEvent, Event, TargetCast};

/// The largest file that is read, in bytes.
const MAX_BYTES: f64 = 8_388_608.0;

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
