//! `docs`: the page of a diagnostic or reason.

use crate::args::Args;
use crate::{Findings, output};

/// All pages by code; the build script lists them.
static PAGES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    match args.operands.as_slice() {
        [] => {
            for (code, _) in PAGES {
                output::line(code);
            }
        }
        [code] => {
            let found = PAGES.iter().find(|(known, _)| known == code);
            let (_, page) = found.ok_or_else(|| format!("there is no page about `{code}`"))?;
            output::line(page.trim_end());
        }
        _ => return Err("docs takes one code".to_owned()),
    }
    Ok(Findings::None)
}
