//! A compiler that can build for `wasm32-unknown-unknown`.
//!
//! In this order: the active toolchain, if it has the target; `rustup target add`; on Debian, as
//! root, the distribution's own compiler with a standard library built once from its sources.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::output::{print_install, print_note, print_step};
use crate::setup::{apt_install, may_install};
use crate::shell::{Outcome, Project, find_program, output_of, run, run_within};

/// The target of the page.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

const DEBIAN_RUSTC: &str = "/usr/bin/rustc";
const DEBIAN_CARGO: &str = "/usr/bin/cargo";
const DEBIAN_RUSTLIB: &str = "/usr/lib/rustlib";
const DEBIAN_PACKAGES: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];

/// How long rustup may take before the next way is tried.
const RUSTUP_LIMIT: Duration = Duration::from_mins(2);

/// Which compiler builds the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Toolchain {
    /// The one that built this program.
    Active,
    /// Debian's, with a standard library of our making.
    Debian,
}

impl Toolchain {
    /// The package manager of this toolchain, run in the project's folder.
    pub(crate) fn cargo(self, project: &Project) -> Command {
        match self {
            Self::Active => project.cargo(),
            Self::Debian => {
                let mut command = project.command(DEBIAN_CARGO);
                command.env("RUSTC", DEBIAN_RUSTC).env("CARGO_TARGET_DIR", self.target(project));
                // rustup leaves these for its own compilers.
                for name in ["RUSTUP_TOOLCHAIN", "LD_LIBRARY_PATH", "CARGO", "RUSTC_WRAPPER"] {
                    command.env_remove(name);
                }
                command
            }
        }
    }

    /// Where this toolchain leaves its build products.
    pub(crate) fn target(self, project: &Project) -> PathBuf {
        match self {
            Self::Active => project.target.clone(),
            Self::Debian => project.target.join("debian-web"),
        }
    }
}

/// Finds or installs a toolchain with the target.
pub(crate) fn ensure(project: &Project) -> Outcome<Toolchain> {
    let active = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    if has_target(project.command(&active)) {
        return Ok(Toolchain::Active);
    }
    if has_target(Command::new(DEBIAN_RUSTC)) && Path::new(DEBIAN_CARGO).is_file() {
        link_debian_linker()?;
        return Ok(Toolchain::Debian);
    }
    let add = ["target", "add", TARGET];
    if find_program("rustup").is_some() {
        print_install("the compiler's wasm target", &format!("rustup {}", add.join(" ")));
        if run_within(project.command("rustup").args(add), RUSTUP_LIMIT)
            && has_target(project.command(&active))
        {
            return Ok(Toolchain::Active);
        }
        print_note("rustup could not add the target");
    }
    if !may_install() {
        return Err(format!(
            "the compiler has no {TARGET} target; run `rustup target add {TARGET}` and start this \
             command again"
        )
        .into());
    }
    install_debian(project)?;
    Ok(Toolchain::Debian)
}

/// The variable and the flags that keep folders of this machine out of the page.
pub(crate) fn flags() -> (&'static str, String) {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).unwrap_or_default();
    let remap = format!("--remap-path-prefix={}=", home.join("registry/src").display());
    // Cargo reads either of them.
    match std::env::var("RUSTFLAGS") {
        Ok(set) => ("RUSTFLAGS", format!("{set} {remap}")),
        Err(_) => ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", remap),
    }
}

fn has_target(mut rustc: Command) -> bool {
    let Some(dir) = output_of(rustc.args(["--print", "target-libdir", "--target", TARGET])) else {
        return false;
    };
    std::fs::read_dir(dir).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with("libstd-") && name.ends_with(".rlib")
        })
    })
}

/// Installs Debian's compiler and builds its standard library for the target.
fn install_debian(project: &Project) -> Outcome<()> {
    let sources = Path::new(DEBIAN_RUSTLIB).join("src/rust/library");
    if !(Path::new(DEBIAN_RUSTC).is_file()
        && Path::new(DEBIAN_CARGO).is_file()
        && Path::new("/usr/bin/lld").is_file()
        && sources.is_dir())
    {
        apt_install("Debian's Rust compiler with its library sources", &DEBIAN_PACKAGES)?;
    }
    print_step("building the standard library for the wasm target (once, about a minute)");
    let seed = project.target.join("wasm-std");
    write_seed(&seed)?;
    run(Toolchain::Debian
        .cargo(project)
        .current_dir(&seed)
        .env("CARGO_TARGET_DIR", seed.join("target"))
        // `-Zbuild-std` on a released compiler.
        .env("RUSTC_BOOTSTRAP", "1")
        // Without bitcode the page's link-time optimization fails.
        .env("RUSTFLAGS", "-Cembed-bitcode=yes")
        .args(["build", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort"]))?;
    install_libraries(&seed.join("target").join(TARGET).join("release/deps"))?;
    link_debian_linker()?;
    std::fs::remove_dir_all(&seed)?;
    // Products of an earlier standard library do not fit this one.
    let stale = Toolchain::Debian.target(project);
    if stale.is_dir() {
        std::fs::remove_dir_all(stale)?;
    }
    if has_target(Command::new(DEBIAN_RUSTC)) {
        Ok(())
    } else {
        Err("the standard library for the wasm target was built but is not found".into())
    }
}

/// Writes an empty package: a standard library is built only as a part of one.
fn write_seed(dir: &Path) -> Outcome<()> {
    std::fs::create_dir_all(dir.join("src"))?;
    std::fs::write(dir.join("src/lib.rs"), "#![no_std]\n")?;
    let manifest = "[package]\nname = \"seed\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
                    [profile.release]\ncodegen-units = 1\n\n[workspace]\n";
    std::fs::write(dir.join("Cargo.toml"), manifest)?;
    Ok(())
}

fn install_libraries(from: &Path) -> Outcome<()> {
    let lib = Path::new(DEBIAN_RUSTLIB).join(TARGET).join("lib");
    std::fs::create_dir_all(&lib)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if text.ends_with(".rlib") && !text.starts_with("libseed-") {
            std::fs::copy(entry.path(), lib.join(&name))?;
        }
    }
    Ok(())
}

/// Debian's compiler looks for `rust-lld` in its own folder, Debian's linker lies elsewhere.
fn link_debian_linker() -> Outcome<()> {
    let Some(host) = output_of(Command::new(DEBIAN_RUSTC).args(["--print", "host-tuple"])) else {
        return Err(format!("{DEBIAN_RUSTC} does not run").into());
    };
    let link = Path::new(DEBIAN_RUSTLIB).join(host).join("bin/rust-lld");
    if link.exists() || find_program("rust-lld").is_some() {
        return Ok(());
    }
    if let Some(dir) = link.parent() {
        std::fs::create_dir_all(dir)?;
    }
    symlink(Path::new("/usr/bin/lld"), &link)
}

#[cfg(unix)]
fn symlink(original: &Path, link: &Path) -> Outcome<()> {
    Ok(std::os::unix::fs::symlink(original, link)?)
}

#[cfg(not(unix))]
fn symlink(_original: &Path, _link: &Path) -> Outcome<()> {
    Err("Debian's compiler is used on Debian only".into())
}
