//! `docs`: the page of a diagnostic or reason.

use crate::args::Args;
use crate::{Findings, output};

/// All pages: language, code, text; the build script lists them.
static PAGES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/pages.rs"));

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let language = args.language.as_deref().unwrap_or("en");
    let mut pages = PAGES.iter().filter(|page| page.0 == language).peekable();
    if pages.peek().is_none() {
        return Err(format!("there are no pages in `{language}`"));
    }
    match args.operands.as_slice() {
        [] => {
            for (_, code, _) in pages {
                output::line(code);
            }
        }
        [code] => {
            let found = pages.find(|page| page.1 == code);
            let (.., page) = found.ok_or_else(|| format!("there is no page about `{code}`"))?;
            output::line(page.trim_end());
        }
        _ => return Err("docs takes one code".to_owned()),
    }
    Ok(Findings::None)
}
