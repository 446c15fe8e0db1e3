//! Times of the real code beside ours, ours also as WebAssembly in Chromium.

use crate::checks::BROWSER_TESTS;
use crate::output::print_step;
use crate::setup::{ensure_chromium, ensure_node, npm_install};
use crate::shell::{Outcome, Project, output_of, run};
use crate::wasm_target::{self, TARGET};

/// The package that is timed in the browser.
const PACKAGE: &str = "dra-playground-oracle-page";
/// The profile of the deployed page.
const PROFILE: &str = "web";
const RELEASE: &str = "1.37.2";

/// Prints the report as Markdown.
pub(crate) fn report(project: &Project) -> Outcome<()> {
    ensure_node()?;
    npm_install(project, BROWSER_TESTS, "playwright-core, to time WebAssembly")?;
    let chromium = ensure_chromium()?;
    let toolchain = wasm_target::ensure(project)?;
    print_step("compiling the allocator for the browser");
    run(toolchain
        .cargo(project)
        .args(["build", "--package", PACKAGE, "--target", TARGET])
        .args(["--profile", PROFILE, "--quiet"]))?;
    let library = format!("{}.wasm", PACKAGE.replace('-', "_"));
    let wasm = toolchain.target(project).join(TARGET).join(PROFILE).join(library);
    let folder = project.target.join("bench-page");
    std::fs::create_dir_all(&folder)?;
    print_step("writing its bindings");
    run(project.cargo().args(["run", "--quiet", "--package", "xtask-bindings", "--"]).args([
        wasm.as_os_str(),
        folder.as_os_str(),
        "app".as_ref(),
    ]))?;
    print_step("timing it in Chromium");
    let mut node = project.command("node");
    node.current_dir(project.root.join(BROWSER_TESTS)).env("CHROMIUM", chromium);
    node.arg("bench.js").arg(&folder).arg(RELEASE);
    let times = output_of(&mut node).ok_or("Chromium gave no times")?;
    let file = folder.join("times.json");
    std::fs::write(&file, times)?;
    print_step("timing Kubernetes' code and ours");
    run(project
        .cargo()
        .args(["run", "--quiet", "--release", "--package", "dra-playground-oracle", "--"])
        .args(["bench", "--release", RELEASE])
        .env("DRA_PLAYGROUND_PAGE_TIMES", file))
}
