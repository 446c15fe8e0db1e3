//! Writes the JavaScript bindings of the page's WebAssembly module.
//!
//! Called by `cargo xtask serve` and `cargo xtask dist`. It stands apart from `xtask` because its
//! one dependency takes longer to build than everything else `xtask` does.

use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match args.as_slice() {
        [wasm, out_dir, out_name] => write_bindings(wasm.as_ref(), out_dir.as_ref(), out_name),
        _ => Err("usage: xtask-bindings MODULE.wasm OUT_DIR OUT_NAME".to_owned()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_error(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::print_stderr, reason = "a command says why it failed")]
fn print_error(text: &str) {
    eprintln!("error: {text}");
}

/// Writes `OUT_NAME.js` (an ES module), `OUT_NAME_bg.wasm` and the module's own scripts.
fn write_bindings(wasm: &Path, out_dir: &Path, out_name: &str) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).out_name(out_name).typescript(false);
    // The glue finds the module beside itself, so that the page works under any path.
    bindgen.omit_default_module_path(false);
    // Linked scripts as files: a `blob:` URL would need a wider content security policy.
    bindgen.split_linked_modules(true);
    bindgen
        .web(true)
        .and_then(|bindgen| bindgen.generate(out_dir))
        .map_err(|error| format!("{error:#}"))
}
