//! Lists the pages about diagnostics, so that `docs` can print them.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../docs/diagnostics");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut pages = Vec::new();
    for entry in fs::read_dir(&folder)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        if path.extension().is_some_and(|extension| extension == "md") && name != "README" {
            pages.push((name, path));
        }
    }
    pages.sort();
    let mut list = String::from("&[");
    for (name, path) in &pages {
        write!(list, "({name:?}, include_str!({:?})),", path.display().to_string())?;
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR")?).join("pages.rs"), list)?;
    Ok(())
}
