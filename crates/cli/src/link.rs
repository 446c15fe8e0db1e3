//! `link`: a link to the page that carries a file.

use dra_playground_core::workspace::link::{Shared, encode};

use crate::args::Args;
use crate::{Findings, files, output};

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let [file] = files::files(args)? else { return Err("link takes one file".to_owned()) };
    let base = args.base.as_deref().unwrap_or_default();
    if args.base.is_some() && !is_page(base) {
        return Err(format!(
            "--base must be an address that begins with http:// or https:// and has no `#`, not `{base}`"
        ));
    }
    let shared = Shared {
        text: files::read(file)?,
        step: args.options.step,
        kubernetes_version: args.options.kubernetes_version.clone(),
        feature_gates: args.options.feature_gates.clone(),
        behavior: args.options.behavior,
        ..Shared::default()
    };
    output::line(&format!("{base}#{}", encode(&shared)));
    Ok(Findings::None)
}

/// Whether a link can be made by adding a fragment.
fn is_page(address: &str) -> bool {
    let scheme = address.split_once("://");
    scheme.is_some_and(|(scheme, rest)| {
        (scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https"))
            && !rest.starts_with(['/', '?'])
            && !rest.is_empty()
            && !rest.contains(|sign: char| sign == '#' || sign.is_whitespace() || sign.is_control())
    })
}
