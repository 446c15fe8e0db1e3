//! The deployable folder `dist/`: the optimized page with content-hashed names.
//!
//! Everything but the HTML files lies in one folder, named after the hash of all that is in it:
//! it may be cached for ever, and module, bindings and worker can never be of different builds.

use std::path::{Path, PathBuf};

use crate::guide;
use crate::output::{print_line, print_note};
use crate::page::{self, Build, ROOT_SCRIPTS, copy_folder, hash, html_files};
use crate::shell::{Outcome, Project};

/// Builds `dist/` and returns its path.
pub(crate) fn build(project: &Project) -> Outcome<PathBuf> {
    let page = page::build(project, Build::Optimized)?;
    let dist = project.root.join("dist");
    if dist.is_dir() {
        std::fs::remove_dir_all(&dist)?;
    }
    std::fs::create_dir_all(&dist)?;
    let statics = format!("static-{:016x}", hash_folder(&page.join("static"))?);
    copy_folder(&page.join("static"), &dist.join(&statics))?;
    for name in html_files(&page)? {
        let html = std::fs::read_to_string(page.join(&name))?;
        check_links(&name, &html, &page)?;
        std::fs::write(dist.join(&name), with_statics(&html, &statics))?;
    }
    for name in ROOT_SCRIPTS {
        std::fs::copy(page.join(name), dist.join(name))?;
    }
    guide::write(&project.root, &dist, &statics)?;
    report(&dist)?;
    Ok(dist)
}

/// The same page with `static/` renamed.
fn with_statics(html: &str, statics: &str) -> String {
    html.replace("\"./static/", &format!("\"./{statics}/"))
}

/// Refuses references that would break below a sub-path, point nowhere or leave the page's origin.
fn check_links(name: &str, html: &str, page: &Path) -> Outcome<()> {
    for attribute in ["src=\"", "href=\""] {
        for rest in html.split(attribute).skip(1) {
            let target = rest.split('"').next().unwrap_or_default();
            if target.starts_with('#') || target.starts_with("data:") {
                continue;
            }
            if let Some(path) = target.strip_prefix("./") {
                let path = path.split(['#', '?']).next().unwrap_or_default();
                if page.join(path).exists() {
                    continue;
                }
                return Err(format!("{name}: `{target}` does not exist").into());
            }
            // A link that a reader may follow; nothing is loaded from it.
            if attribute == "href=\"" && target.starts_with("https://") {
                continue;
            }
            return Err(format!("{name}: write `{target}` as a path that begins with `./`").into());
        }
    }
    Ok(())
}

/// Hashes names and contents of all files below `dir`.
fn hash_folder(dir: &Path) -> Outcome<u64> {
    let mut all = Vec::new();
    for file in files_below(dir)? {
        let name = file.strip_prefix(dir)?.to_string_lossy().replace('\\', "/");
        all.extend_from_slice(name.as_bytes());
        all.push(0);
        all.extend_from_slice(&hash(&std::fs::read(&file)?).to_be_bytes());
    }
    Ok(hash(&all))
}

/// All files below a folder, sorted.
pub(crate) fn files_below(dir: &Path) -> Outcome<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn report(dist: &Path) -> Outcome<()> {
    let mut total = 0;
    for file in files_below(dist)? {
        let size = std::fs::metadata(&file)?.len();
        total += size;
        if size >= 50_000 {
            print_note(&format!("{size:>9} bytes  {}", file.strip_prefix(dist)?.display()));
        }
    }
    print_line(&format!("dist/ is ready: {total} bytes in all, to be served from any path"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn static_files_get_the_hashed_folder() {
        let html = r#"<link href="./static/style.css"><script src="./static/boot.js"></script>"#;
        assert_eq!(
            with_statics(html, "static-1"),
            r#"<link href="./static-1/style.css"><script src="./static-1/boot.js"></script>"#
        );
    }

    #[test]
    fn references_must_be_relative_and_exist() {
        let page = Path::new(env!("CARGO_MANIFEST_DIR"));
        let check = |html: &str| check_links("index.html", html, page).map_err(|e| e.to_string());
        assert_eq!(
            check(r##"<a href="#top"><link href="data:,"><a href="https://k8s.io">"##),
            Ok(())
        );
        assert_eq!(check(r#"<script src="./src/main.rs">"#), Ok(()));
        assert!(check(r#"<script src="./src/none.js">"#).is_err());
        assert!(check(r#"<script src="/src/main.rs">"#).is_err());
        assert!(check(r#"<script src="https://cdn.example/x.js">"#).is_err());
    }
}
