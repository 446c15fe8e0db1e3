//! The commands that test the page in a browser: `tests/browser` in Chromium, a smaller set of the
//! most important, `tests/firefox`, in Firefox.

use std::fmt;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use crate::dist;
use crate::page::{self, Build};
use crate::server::{self, Site};
use crate::setup::{ensure_browser, ensure_cargo_tool, ensure_node, npm_install};
use crate::shell::{Outcome, Project, run};

/// The tests in Chromium; the page is measured from there, too.
pub(crate) const BROWSER_TESTS: &str = "tests/browser";
const FIREFOX_TESTS: &str = "tests/firefox";
/// A path as deep as a page on a project site may get.
const SUB_PATH: &str = "some/project/playground";

/// A browser that tests run in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Browser {
    /// Everything.
    Chromium,
    /// What matters most.
    Firefox,
}

impl Browser {
    fn folder(self) -> &'static str {
        match self {
            Self::Chromium => BROWSER_TESTS,
            Self::Firefox => FIREFOX_TESTS,
        }
    }
}

impl fmt::Display for Browser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
        })
    }
}

/// Builds and serves all that the tests need, and returns the command that runs them.
pub(crate) fn tests(project: &Project, browser: Browser, build: Build) -> Outcome<Command> {
    ensure_node()?;
    npm_install(project, browser.folder(), &format!("what drives {browser}, for its tests"))?;
    let mut command = project.command("node");
    match browser {
        Browser::Chromium => {
            command.env("CHROMIUM", ensure_chromium()?);
        }
        Browser::Firefox => {
            let names = ["firefox-esr", "firefox"];
            command.env("FIREFOX", ensure_browser("FIREFOX", &names, "firefox-esr")?);
            command.env("GECKODRIVER", ensure_cargo_tool(project, "geckodriver", "0.37.1")?);
        }
    }
    let folder = match build {
        Build::Quick => page::build(project, build)?,
        Build::Optimized => dist::build(project)?,
    };
    // The same core on two machines: what the page says is compared with what this one says.
    run(project.cargo().args(["build", "--quiet", "--package", "dra-playground-cli"]))?;
    let artifacts = project.target.join("browser");
    std::fs::create_dir_all(&artifacts)?;
    command
        .current_dir(project.root.join(browser.folder()))
        .args(["--test", "--test-concurrency=1", "--test-reporter=spec"])
        .env("DRA_PLAYGROUND_URL", serve_aside(folder.clone(), "")?)
        .env("DRA_PLAYGROUND_SUB_PATH_URL", serve_aside(folder, SUB_PATH)?)
        .env("DRA_PLAYGROUND_PROGRAM", project.target.join("debug/dra-playground"))
        .env("DRA_PLAYGROUND_EXAMPLES", project.root.join("examples"))
        .env("DRA_PLAYGROUND_ARTIFACTS", artifacts);
    Ok(command)
}

/// Finds Chromium or installs it.
pub(crate) fn ensure_chromium() -> Outcome<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    ensure_browser("CHROMIUM", &names, "chromium")
}

/// Serves `folder` on a port of its own until this program ends; returns the address.
fn serve_aside(folder: PathBuf, mount: &str) -> Outcome<String> {
    let listener = TcpListener::bind(("127.0.0.1", 0))?;
    let port = listener.local_addr()?.port();
    let site = Site { folder, mount: mount.to_owned(), builds: None };
    thread::spawn(move || server::serve(&listener, &site));
    let slash = if mount.is_empty() { "" } else { "/" };
    Ok(format!("http://localhost:{port}/{mount}{slash}"))
}
