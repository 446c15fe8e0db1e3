//! Programs and packages that the commands need: found, or installed, or asked for.

use std::path::PathBuf;
use std::process::Command;

use crate::output::print_install;
use crate::shell::{Outcome, Project, find_program, output_of, run};

/// Whether this user may install system packages with `apt-get` here.
pub(crate) fn may_install() -> bool {
    let is_root = output_of(Command::new("id").arg("-u")).as_deref() == Some("0");
    is_root && find_program("apt-get").is_some()
}

/// Installs Debian packages, or stops with the command that the reader has to run.
pub(crate) fn apt_install(what: &str, packages: &[&str]) -> Outcome<()> {
    let command = format!("apt-get install -y --no-install-recommends {}", packages.join(" "));
    if !may_install() {
        return Err(format!(
            "{what} is missing; on Debian run `sudo {command}`, elsewhere install it by hand, \
             and start this command again"
        )
        .into());
    }
    print_install(what, &command);
    run(Command::new("apt-get").args(["update", "-qq"]))?;
    run(Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages))
}

/// Installs the npm packages of `folder` exactly as its lock file says.
pub(crate) fn npm_install(project: &Project, folder: &str, what: &str) -> Outcome<()> {
    let dir = project.root.join(folder);
    let lock = std::fs::read_to_string(dir.join("package-lock.json"))?;
    let stamp = dir.join("node_modules").join(".installed-lock");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    ensure_node()?;
    print_install(what, &format!("npm ci (in {folder})"));
    run(project.command("npm").current_dir(&dir).args([
        "ci",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ]))?;
    std::fs::write(stamp, lock)?;
    Ok(())
}

/// Makes sure that `node` and `npm` are there.
pub(crate) fn ensure_node() -> Outcome<()> {
    if find_program("node").is_none() || find_program("npm").is_none() {
        apt_install("Node.js with npm", &["nodejs", "npm"])?;
    }
    Ok(())
}

/// Finds a browser under one of its `names`, or installs the Debian package of it.
///
/// The environment variable `variable` names another one.
pub(crate) fn ensure_browser(variable: &str, names: &[&str], package: &str) -> Outcome<PathBuf> {
    if let Some(path) = std::env::var_os(variable) {
        return Ok(path.into());
    }
    let find = || names.iter().find_map(|name| find_program(name));
    if let Some(path) = find() {
        return Ok(path);
    }
    apt_install(&format!("the browser {package}, for its tests"), &[package])?;
    find().ok_or_else(|| format!("{package} was installed but is not on the search path").into())
}

/// Finds a program that is published as a crate of the same name, or builds exactly this release
/// of it below the target folder.
pub(crate) fn ensure_cargo_tool(project: &Project, name: &str, version: &str) -> Outcome<PathBuf> {
    if let Some(path) = find_program(name) {
        return Ok(path);
    }
    let root = project.target.join("tools");
    let built = root.join("bin").join(name);
    let stamp = root.join(format!("{name}-{version}.stamp"));
    if !(built.is_file() && stamp.is_file()) {
        print_install(name, &format!("cargo install {name}@{version} (about two minutes)"));
        // Unoptimized: it is built in a third of the time, and quick enough.
        run(project
            .cargo()
            .args(["install", "--locked", "--debug", "--quiet", "--force", "--root"])
            .arg(&root)
            .arg(format!("{name}@{version}")))?;
        std::fs::write(stamp, "")?;
    }
    Ok(built)
}
