//! Lists the pages about diagnostics and reasons, so that `docs` can print them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let docs = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../docs");
    // Where a finding and a reason share a code, the page of the finding tells both.
    let mut pages = Pages::new();
    for folder in ["reasons", "diagnostics"] {
        let folder = docs.join(folder);
        println!("cargo::rerun-if-changed={}", folder.display());
        list_pages(&folder, "en", &mut pages)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                list_pages(&path, name_of(&path), &mut pages)?;
            }
        }
    }
    let mut list = String::from("&[");
    for ((language, name), path) in &pages {
        let path = path.display().to_string();
        write!(list, "({language:?}, {name:?}, include_str!({path:?})),")?;
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR")?).join("pages.rs"), list)?;
    Ok(())
}

/// Path of each page by language and code.
type Pages = BTreeMap<(String, String), PathBuf>;

fn list_pages(folder: &Path, language: &str, pages: &mut Pages) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = name_of(&path);
        if path.extension().is_some_and(|extension| extension == "md") && name != "README" {
            pages.insert((language.to_owned(), name.to_owned()), path.clone());
        }
    }
    Ok(())
}

fn name_of(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default()
}
