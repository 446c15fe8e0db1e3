//! What is imported from `js/bridge.js`.

use js_sys::{Function, JsString};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::Element;

#[wasm_bindgen(module = "/js/bridge.js")]
extern "C" {
    /// Imports the code editor; the promise fails when it cannot be fetched.
    #[wasm_bindgen(js_name = loadEditor, catch)]
    pub(crate) async fn load_editor(url: &str) -> Result<JsValue, JsValue>;

    /// Makes an editor inside `parent`.
    #[wasm_bindgen(js_name = createEditor, catch)]
    pub(crate) fn create_editor(
        parent: &Element,
        config: &str,
        change: &Function,
        edit: &Function,
        cursor: &Function,
        letter: &Function,
        assist: &Function,
    ) -> Result<JsValue, JsValue>;

    /// Calls a method of the editor with up to three arguments.
    #[wasm_bindgen(catch)]
    pub(crate) fn call(
        object: &JsValue,
        method: &str,
        argument: &JsValue,
        second: &JsValue,
        third: &JsValue,
    ) -> Result<(), JsValue>;

    /// The address that a link may load from; empty when it may not.
    #[wasm_bindgen(js_name = resolveSource)]
    pub(crate) fn resolve_source(address: &str) -> String;

    /// The text at an address; fails above `limit` bytes.
    #[wasm_bindgen(js_name = loadText, catch)]
    pub(crate) async fn load_text(address: &str, limit: f64) -> Result<JsValue, JsValue>;

    /// The text at an address, at once; without it the worker falls.
    #[wasm_bindgen(js_name = loadTextNow)]
    pub(crate) fn load_text_now(address: &str) -> String;

    /// Keeps the page around a frame informed of the height.
    #[wasm_bindgen(js_name = tellHeight, catch)]
    pub(crate) fn tell_height() -> Result<(), JsValue>;

    /// Hands the reader a file.
    #[wasm_bindgen(js_name = saveFile, catch)]
    pub(crate) fn save_file(name: &str, kind: &str, text: &str) -> Result<(), JsValue>;

    /// A part of the page as SVG.
    #[wasm_bindgen(js_name = pictureOf, catch)]
    pub(crate) fn picture_of(id: &str) -> Result<String, JsValue>;

    /// Saves an SVG as PNG.
    #[wasm_bindgen(js_name = savePng, catch)]
    pub(crate) async fn save_png(name: &str, picture: &str) -> Result<(), JsValue>;
}

#[wasm_bindgen]
extern "C" {
    /// Address of the script that the bindings generator wrote.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    pub(crate) static GLUE_URL: JsString;
}
