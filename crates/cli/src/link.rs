//! `link`: a link to the page that carries a file.

use dra_playground_core::workspace::link::{Shared, encode};

use crate::args::Args;
use crate::{Findings, files, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let [file] = files::files(args)? else { return Err("link takes one file".to_owned()) };
    let shared = Shared {
        text: files::read(file)?,
        step: args.options.step,
        kubernetes_version: args.options.kubernetes_version.clone(),
        feature_gates: args.options.feature_gates.clone(),
        behavior: args.options.behavior,
        ..Shared::default()
    };
    let base = args.base.as_deref().unwrap_or_default();
    output::line(&format!("{base}#{}", encode(&shared)));
    Ok(Findings::None)
}
