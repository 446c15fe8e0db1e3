//! Builds the page: WebAssembly module, bindings and static files in one folder.
//!
//! The folder mirrors the repository: `index.html` and the other HTML files of the root lie at its
//! top, everything of `static/` in `static/`. The module `app_bg.wasm` and its bindings `app.js`
//! are written into `static/` too, so that a script there can `import init from "./app.js"`. Paths
//! are relative everywhere.

use std::path::{Path, PathBuf};

use crate::guide;
use crate::output::{print_note, print_step};
use crate::setup::{ensure_node, npm_install};
use crate::shell::{Outcome, Project, find_program, run};
use crate::squeeze;
use crate::wasm_target::{self, TARGET, Toolchain};

/// The package whose binary is the page.
const PACKAGE: &str = "dra-playground-web";
/// The name of bindings and module in `static/`.
const APP: &str = "app";
/// Scripts that other sites name: they keep their address over all releases.
pub(crate) const ROOT_SCRIPTS: [&str; 1] = ["dra-playground.js"];
const WASM_OPT: &str = "xtask/wasm-opt";
const WASM_OPT_FLAGS: [&str; 11] = [
    // The first kilobyte is the far end of the stack, where nothing lies.
    "--low-memory-unused",
    // Twice, and knowing what can be where: what the first round leaves is simpler.
    "-Oz",
    "-Oz",
    "--gufa",
    "-Oz",
    "--enable-bulk-memory",
    "--enable-sign-ext",
    "--enable-nontrapping-float-to-int",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// How the page is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Build {
    /// Quick to build: the profile `web-dev`.
    Quick,
    /// Small and fast, as it is deployed: the profile `web`, then `wasm-opt`.
    Optimized,
}

impl Build {
    fn profile(self) -> &'static str {
        match self {
            Self::Quick => "web-dev",
            Self::Optimized => "web",
        }
    }
}

/// Builds the page and returns its folder below the target folder.
pub(crate) fn build(project: &Project, build: Build) -> Outcome<PathBuf> {
    check_versions(&std::fs::read_to_string(project.root.join("Cargo.lock"))?)?;
    let toolchain = wasm_target::ensure(project)?;
    print_step(&format!("compiling the page (profile {})", build.profile()));
    let (variable, flags) = wasm_target::flags();
    run(toolchain
        .cargo(project)
        .env(variable, flags)
        .args(["build", "--package", PACKAGE, "--target", TARGET])
        .args(["--profile", build.profile(), "--quiet"]))?;
    let bindings = write_bindings(project, toolchain, build)?;
    let page = project.target.join("page").join(build.profile());
    assemble(project, &bindings, &page)?;
    Ok(page)
}

/// The bindings tool reads a private format: it must be of the library's own release.
fn check_versions(lock: &str) -> Outcome<()> {
    let library = locked_version(lock, "wasm-bindgen");
    let tool = locked_version(lock, "wasm-bindgen-cli-support");
    if library.is_some() && library == tool {
        return Ok(());
    }
    Err(format!(
        "Cargo.lock has wasm-bindgen {} and wasm-bindgen-cli-support {}; both must be the same \
         release: set them in the root Cargo.toml",
        library.unwrap_or("(none)"),
        tool.unwrap_or("(none)")
    )
    .into())
}

fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

/// Writes bindings and module, unless those of the same compiled module are there.
fn write_bindings(project: &Project, toolchain: Toolchain, build: Build) -> Outcome<PathBuf> {
    let wasm = toolchain
        .target(project)
        .join(TARGET)
        .join(build.profile())
        .join(format!("{PACKAGE}.wasm"));
    let optimizer = (build == Build::Optimized).then(|| find_optimizer(project)).flatten();
    let key = format!(
        "{:016x} {} {}",
        hash(&std::fs::read(&wasm)?),
        locked_version(&std::fs::read_to_string(project.root.join("Cargo.lock"))?, "wasm-bindgen")
            .unwrap_or_default(),
        optimizer.as_ref().map_or_else(String::new, |path| path.display().to_string())
    );
    let out = project.target.join("page").join(format!("{}-bindings", build.profile()));
    let stamp = out.join(".key");
    if std::fs::read_to_string(&stamp).is_ok_and(|known| known == key) {
        return Ok(out);
    }
    if out.is_dir() {
        std::fs::remove_dir_all(&out)?;
    }
    std::fs::create_dir_all(&out)?;
    print_step("writing the bindings (the first time builds the tool, about a minute)");
    run(project.cargo().args(["run", "--quiet", "--package", "xtask-bindings", "--"]).args([
        wasm.as_os_str(),
        out.as_os_str(),
        APP.as_ref(),
    ]))?;
    if let Some(optimizer) = optimizer {
        let module = out.join(format!("{APP}_bg.wasm"));
        let before = std::fs::metadata(&module)?.len();
        print_step("optimizing the module (wasm-opt)");
        run(project.command("node").arg(optimizer).args(WASM_OPT_FLAGS).args([
            module.as_os_str(),
            "-o".as_ref(),
            module.as_os_str(),
        ]))?;
        let after = std::fs::metadata(&module)?.len();
        print_note(&format!("{before} bytes before wasm-opt, {after} after"));
    }
    std::fs::write(stamp, key)?;
    Ok(out)
}

/// The optimizer saves about a third of the module; the page works without it.
fn find_optimizer(project: &Project) -> Option<PathBuf> {
    let installed = if find_program("npm").is_some() {
        npm_install(project, WASM_OPT, "wasm-opt (npm package binaryen)")
    } else if crate::setup::may_install() {
        ensure_node().and_then(|()| npm_install(project, WASM_OPT, "wasm-opt (binaryen)"))
    } else {
        Err("npm is missing".into())
    };
    match installed {
        Ok(()) => Some(project.root.join(WASM_OPT).join("node_modules/binaryen/bin/wasm-opt")),
        Err(error) => {
            print_note(&format!(
                "wasm-opt is left out, the page will be larger than need be: {error}"
            ));
            None
        }
    }
}

/// All scenarios of the gallery as the page reads them: before each a line with U+001E and its name.
fn gallery(project: &Project) -> Outcome<String> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(project.root.join("examples"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<Outcome<_>>()?;
    files.retain(|file| file.extension().is_some_and(|it| it == "yaml"));
    files.sort();
    let mut gallery = String::new();
    for file in files {
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        gallery.extend(["\u{1e}", &name, "\n", &std::fs::read_to_string(&file)?]);
    }
    Ok(gallery)
}

/// Puts HTML files, static files and bindings together in `page`.
fn assemble(project: &Project, bindings: &Path, page: &Path) -> Outcome<()> {
    // Built aside and swapped in, so that a server never sees half of it.
    let fresh = page.with_extension("new");
    if fresh.is_dir() {
        std::fs::remove_dir_all(&fresh)?;
    }
    let statics = fresh.join("static");
    std::fs::create_dir_all(&statics)?;
    for name in html_files(&project.root)? {
        std::fs::copy(project.root.join(&name), fresh.join(&name))?;
    }
    for name in ROOT_SCRIPTS {
        let script = std::fs::read_to_string(project.root.join(name))?;
        std::fs::write(fresh.join(name), squeeze::script(&script))?;
    }
    copy_folder(&project.root.join("static"), &statics)?;
    let style = statics.join("style.css");
    std::fs::write(&style, squeeze::style(&std::fs::read_to_string(&style)?))?;
    copy_folder(&project.root.join("crates/core/languages"), &statics)?;
    copy_folder(&project.root.join("crates/cel/tables"), &statics)?;
    std::fs::write(statics.join("gallery.txt"), gallery(project)?)?;
    copy_folder(bindings, &statics)?;
    guide::write(&project.root, &fresh, "static")?;
    if page.is_dir() {
        std::fs::remove_dir_all(page)?;
    }
    std::fs::rename(fresh, page)?;
    Ok(())
}

/// Names of the HTML files directly in `dir`, sorted.
pub(crate) fn html_files(dir: &Path) -> Outcome<Vec<String>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "html")
            && let Some(name) = path.file_name()
        {
            names.push(name.to_string_lossy().into_owned());
        }
    }
    names.sort();
    Ok(names)
}

/// Copies a folder; names that begin with a dot, sources of bundles and packages stay behind.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Outcome<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.starts_with('.') || text == "node_modules" {
            continue;
        }
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &to.join(&name))?;
        } else {
            std::fs::copy(entry.path(), to.join(&name))?;
        }
    }
    Ok(())
}

/// FNV-1a of 64 bits: names a content; no protection against a forger is needed here.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOCK: &str = "[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.129\"\n\n\
                        [[package]]\nname = \"wasm-bindgen-cli-support\"\nversion = \"0.2.129\"\n";

    #[test]
    fn bindings_tool_and_library_must_agree() {
        assert!(check_versions(LOCK).is_ok());
        let error = check_versions(&LOCK.replacen("0.2.129", "0.2.130", 1)).unwrap_err();
        assert!(error.to_string().contains("wasm-bindgen 0.2.130"), "{error}");
        assert!(check_versions("").is_err());
    }

    #[test]
    fn hash_is_that_of_the_published_vectors() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
    }
}
