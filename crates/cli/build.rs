//! Lists the pages about diagnostics and reasons, so that `docs` can print them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let docs = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../docs");
    // Where a finding and a reason share a code, the page of the finding tells both.
    let mut pages = BTreeMap::new();
    for folder in ["reasons", "diagnostics"] {
        let folder = docs.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
            if path.extension().is_some_and(|extension| extension == "md") && name != "README" {
                pages.insert(name.to_owned(), path.clone());
            }
        }
    }
    let mut list = String::from("&[");
    for (name, path) in &pages {
        write!(list, "({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR")?).join("pages.rs"), list)?;
    Ok(())
}
