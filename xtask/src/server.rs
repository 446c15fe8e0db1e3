//! A small server of static files for localhost.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::output::print_error;
use crate::shell::Outcome;

/// The longest request head that is read.
const MAX_HEAD: u64 = 16 * 1024;
/// Where a page asks whether it was rebuilt.
const RELOAD_PATH: &str = "__reload";
/// The script that asks.
const RELOAD_SCRIPT: &str = "__reload.js";
/// How long such a question waits for an answer.
const RELOAD_WAIT: Duration = Duration::from_secs(20);

/// What is served.
#[derive(Debug, Clone)]
pub(crate) struct Site {
    /// The folder with `index.html`.
    pub(crate) folder: PathBuf,
    /// The path under which it appears, without slashes at its ends: empty, or `any/sub/path`.
    pub(crate) mount: String,
    /// Counts the builds of the folder; pages reload themselves when it changes.
    pub(crate) builds: Option<Arc<AtomicU64>>,
}

/// Opens a port on localhost: the one asked for, or the first free one from 8080 on.
pub(crate) fn listen(port: Option<u16>) -> Outcome<TcpListener> {
    let open = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    match port {
        Some(port) => open(port).map_err(|error| format!("port {port}: {error}").into()),
        None => (8080..8180)
            .find_map(|port| open(port).ok())
            .ok_or_else(|| "no free port from 8080 to 8179; choose one with --port".into()),
    }
}

/// Answers requests for ever, each on its own thread.
pub(crate) fn serve(listener: &TcpListener, site: &Site) {
    for stream in listener.incoming() {
        let site = site.clone();
        match stream {
            Ok(stream) => drop(thread::spawn(move || answer(stream, &site))),
            Err(error) => print_error(&format!("connection: {error}")),
        }
    }
}

struct Response {
    status: &'static str,
    mime: &'static str,
    body: Vec<u8>,
}

/// Answers one request; a visitor that went away is no error.
fn answer(mut stream: TcpStream, site: &Site) {
    drop(stream.set_read_timeout(Some(Duration::from_secs(30))));
    let mut line = String::new();
    let mut head = BufReader::new((&stream).take(MAX_HEAD));
    if head.read_line(&mut line).is_err() {
        return;
    }
    let mut header = String::new();
    while head.read_line(&mut header).is_ok_and(|length| length > 2) {
        header.clear();
    }
    let mut words = line.split_whitespace();
    let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let response = match method {
        "GET" | "HEAD" => respond(path, site),
        _ => text("405 Method Not Allowed", "only GET and HEAD"),
    };
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
        response.status,
        response.mime,
        response.body.len()
    );
    let mut bytes = head.into_bytes();
    if method == "GET" {
        bytes.extend_from_slice(&response.body);
    }
    drop(stream.write_all(&bytes));
}

fn respond(target: &str, site: &Site) -> Response {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let path = path.trim_start_matches('/');
    let Some(path) = below_mount(path, &site.mount) else {
        return text("404 Not Found", "not here");
    };
    if let Some(builds) = site.builds.as_deref()
        && (path == RELOAD_PATH || path == RELOAD_SCRIPT)
    {
        return reload(path, query, builds);
    }
    let Some(mut file) = resolve(&site.folder, path) else {
        return text("400 Bad Request", "a path without `..`, please");
    };
    if file.is_dir() {
        file = file.join("index.html");
    }
    let Ok(mut body) = std::fs::read(&file) else {
        return text("404 Not Found", "no such file");
    };
    let mime = mime_of(&file);
    if site.builds.is_some() && mime.starts_with("text/html") {
        let script = format!("<script src=\"./{RELOAD_SCRIPT}\" defer></script>");
        body.extend_from_slice(script.as_bytes());
    }
    Response { status: "200 OK", mime, body }
}

fn below_mount<'a>(path: &'a str, mount: &str) -> Option<&'a str> {
    if mount.is_empty() {
        return Some(path);
    }
    path.strip_prefix(mount)?.strip_prefix('/')
}

/// The script that waits for a rebuild, and the answer it waits for.
fn reload(path: &str, query: &str, builds: &AtomicU64) -> Response {
    let mut count = builds.load(Ordering::SeqCst);
    if path == RELOAD_SCRIPT {
        let script = format!(
            "(async () => {{\n  for (;;) {{\n    try {{\n      \
             const answer = await fetch(\"./{RELOAD_PATH}?{count}\");\n      \
             if ((await answer.text()) !== \"{count}\") return location.reload();\n    \
             }} catch {{ await new Promise((done) => setTimeout(done, 1000)); }}\n  }}\n}})();\n"
        );
        return Response {
            status: "200 OK",
            mime: "text/javascript; charset=utf-8",
            body: script.into_bytes(),
        };
    }
    let step = Duration::from_millis(200);
    let mut waited = Duration::ZERO;
    while query == count.to_string() && waited < RELOAD_WAIT {
        thread::sleep(step);
        waited += step;
        count = builds.load(Ordering::SeqCst);
    }
    text("200 OK", &count.to_string())
}

fn text(status: &'static str, body: &str) -> Response {
    Response { status, mime: "text/plain; charset=utf-8", body: body.as_bytes().to_vec() }
}

/// The file that a path of a URL names; nothing for a path that could leave the folder.
fn resolve(folder: &Path, path: &str) -> Option<PathBuf> {
    let path = percent_decode(path)?;
    let path = Path::new(&path);
    let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| folder.join(path))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let high = char::from(rest.next()?).to_digit(16)?;
            let low = char::from(rest.next()?).to_digit(16)?;
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn mime_of(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "yaml" | "yml" | "md" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(mount: &str) -> Site {
        Site {
            folder: PathBuf::from(env!("CARGO_MANIFEST_DIR")),
            mount: mount.to_owned(),
            builds: None,
        }
    }

    #[track_caller]
    fn check(target: &str, mount: &str, status: &str) {
        assert_eq!(respond(target, &site(mount)).status, status, "{target}");
    }

    #[test]
    fn files_are_found_with_query_and_escapes() {
        check("/Cargo.toml", "", "200 OK");
        check("/Cargo.toml?v=1", "", "200 OK");
        check("/src/%6Dain.rs", "", "200 OK");
        check("/none", "", "404 Not Found");
    }

    #[test]
    fn nothing_outside_the_folder_is_served() {
        check("/../Cargo.toml", "", "400 Bad Request");
        check("/%2e%2e/Cargo.toml", "", "400 Bad Request");
        check("//etc/passwd", "", "404 Not Found");
    }

    #[test]
    fn a_mount_hides_everything_else() {
        check("/a/b/Cargo.toml", "a/b", "200 OK");
        check("/Cargo.toml", "a/b", "404 Not Found");
        check("/a/bCargo.toml", "a/b", "404 Not Found");
    }

    #[test]
    fn browsers_insist_on_these_types() {
        assert_eq!(mime_of(Path::new("app_bg.wasm")), "application/wasm");
        assert!(mime_of(Path::new("app.js")).starts_with("text/javascript"));
    }
}
