//! `cargo xtask reproduce`: two clean builds in two folders give the same bytes.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::dist::files_below;
use crate::output::{print_line, print_step};
use crate::shell::{Outcome, Project, output_of, run};

/// Of different lengths, so that a path that gets into a file shows.
const FOLDERS: [&str; 2] = ["reproduce/one", "reproduce/another-folder"];

/// Builds `dist/` twice from copies of the sources and names the files that differ.
pub(crate) fn check(project: &Project) -> Outcome<()> {
    let folders = FOLDERS.map(|folder| project.target.join(folder));
    // Both before the first build, so that work may go on meanwhile.
    for folder in &folders {
        copy_sources(project, folder)?;
    }
    let mut builds = Vec::new();
    for folder in &folders {
        print_step(&format!("a clean build in {}", folder.display()));
        builds.push(build(project, folder)?);
    }
    let [one, other] = builds.as_slice() else { return Err("two builds were made".into()) };
    let differing: Vec<&str> = one
        .keys()
        .chain(other.keys().filter(|name| !one.contains_key(*name)))
        .filter(|name| one.get(*name) != other.get(*name))
        .map(String::as_str)
        .collect();
    if !differing.is_empty() {
        return Err(format!("the two builds differ in {}", differing.join(", ")).into());
    }
    print_line(&format!("both builds have the same {} files, byte for byte", one.len()));
    Ok(())
}

fn copy_sources(project: &Project, folder: &Path) -> Outcome<()> {
    if folder.is_dir() {
        fs::remove_dir_all(folder)?;
    }
    for file in sources(project)? {
        let to = folder.join(&file);
        fs::create_dir_all(to.parent().ok_or("a file has no folder")?)?;
        fs::copy(project.root.join(&file), to)?;
    }
    Ok(())
}

/// The files of a build from nothing, by name below `dist/`.
fn build(project: &Project, folder: &Path) -> Outcome<BTreeMap<String, Vec<u8>>> {
    run(project
        .cargo()
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", "target")
        // Left by the command that started this one.
        .env_remove("CARGO_MANIFEST_DIR")
        .args(["xtask", "dist"]))?;
    let dist = folder.join("dist");
    let mut files = BTreeMap::new();
    for file in files_below(&dist)? {
        let name = file.strip_prefix(&dist)?.to_string_lossy().into_owned();
        files.insert(name, fs::read(&file)?);
    }
    // What was compiled takes gigabytes.
    fs::remove_dir_all(folder.join("target"))?;
    Ok(files)
}

/// The project's files, as they are now, without what is ignored.
fn sources(project: &Project) -> Outcome<Vec<PathBuf>> {
    let mut list = project.command("git");
    list.args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = output_of(&mut list).ok_or("`git ls-files` lists no sources")?;
    Ok(list.lines().map(PathBuf::from).filter(|file| project.root.join(file).is_file()).collect())
}
