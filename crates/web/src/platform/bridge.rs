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
        text: &str,
        label: &str,
        hint: &str,
        change: &Function,
        cursor: &Function,
        letter: &Function,
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
}

#[wasm_bindgen]
extern "C" {
    /// Address of the script that the bindings generator wrote.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    pub(crate) static GLUE_URL: JsString;
}
