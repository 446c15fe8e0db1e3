//! t
use wasm_bindgen::prelude::*;
#[wasm_bindgen(module = "/js/bridge.js")]
extern "C" {
    #[wasm_bindgen(js_name = loadEditor, catch)]
    async fn load_editor(url: &str) -> Result<JsValue, JsValue>;
}
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static GLUE_URL: js_sys::JsString;
}
fn main() { let _ = GLUE_URL.with(|u| u.clone()); drop(load_editor("x")); }
