//! The guide, the pages of diagnostics, reasons and surprises as HTML: one page for each Markdown file
//! of their folders in `docs`, beside the playground that runs their examples.
//!
//! Only the Markdown that these files use is read: headings, paragraphs, lists, tables, code, links,
//! images, bold. A block of code whose first line says ```` ```yaml playground ```` becomes a
//! `<dra-playground>` element with the code inside; what else stands on that line are its attributes.

use std::fmt::Write as _;
use std::path::Path;

use crate::shell::Outcome;

/// Folders of Markdown files, and where their pages lie on the site.
pub(crate) const FOLDERS: [(&str, &str); 4] = [
    ("docs/guide", "guide"),
    ("docs/diagnostics", "diagnostics"),
    ("docs/reasons", "reasons"),
    ("docs/surprises", "surprises"),
];
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
/// Pages of the guide in reading order; the navigation calls them by their headings.
const NAVIGATION: [&str; 10] = [
    "guide/index",
    "guide/learn",
    "guide/pending-pod",
    "surprises/index",
    "guide/cel",
    "guide/driver-authors",
    "guide/embedding",
    "guide/scenarios",
    "guide/command-line",
    "guide/publish",
];
const LANGUAGES: &str = "crates/core/languages";

/// A language of the pages: those of English lie in the folders themselves, those of another one in
/// a folder of its code below.
struct Tongue {
    code: String,
    /// The file of the language, empty for English.
    file: String,
}

impl Tongue {
    /// English, and every language that there is a file for.
    fn all(root: &Path) -> Outcome<Vec<Self>> {
        let mut all = Vec::new();
        for entry in std::fs::read_dir(root.join(LANGUAGES))? {
            let path = entry?.path();
            let code = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            all.push(Self { code, file: std::fs::read_to_string(&path)? });
        }
        all.sort_by(|a, b| a.code.cmp(&b.code));
        all.insert(0, Self { code: "en".to_owned(), file: String::new() });
        Ok(all)
    }

    /// The folder's part for this language, or the folder where the language has none.
    fn below(&self, root: &Path, folder: &str) -> String {
        let part = format!("{folder}/{}", self.code);
        let docs = if folder.starts_with("docs/") { "" } else { "docs/" };
        if root.join(format!("{docs}{part}")).is_dir() { part } else { folder.to_owned() }
    }

    fn is_english(&self) -> bool {
        self.file.is_empty()
    }

    /// What stands around the pages, from the table `guide` of the language's file.
    fn said<'a>(&'a self, english: &'a str) -> &'a str {
        let table = self.file.split_once("\n  \"guide\": {").map_or("", |(_, rest)| rest);
        let table = table.split_once('}').map_or("", |(table, _)| table);
        let told = table.split_once(&format!("\"{english}\": \""));
        told.and_then(|(_, rest)| rest.split_once('"')).map_or(english, |(told, _)| told)
    }

    /// Its own name.
    fn name(&self) -> &str {
        if self.is_english() { "English" } else { self.said("English") }
    }
}

/// Writes the pages into `site`, whose static files lie in the folder `statics`.
pub(crate) fn write(root: &Path, site: &Path, statics: &str) -> Outcome<()> {
    let tongues = Tongue::all(root)?;
    for tongue in &tongues {
        for (source, target) in FOLDERS {
            let place = tongue.below(root, target);
            if !tongue.is_english() && place == target {
                continue;
            }
            let source = root.join(tongue.below(root, source));
            let folder = site.join(place);
            std::fs::create_dir_all(&folder)?;
            for (page, text) in pages(tongue, &source, target, &folder)? {
                let place = Place { root, tongue, tongues: &tongues, folder: target, page: &page };
                std::fs::write(folder.join(format!("{page}.html")), place.page(&text, statics))?;
            }
        }
    }
    for tongue in &tongues {
        for (_, target) in FOLDERS {
            check_links(&site.join(tongue.below(root, target)))?;
        }
    }
    Ok(())
}

/// The pages of a folder with their Markdown; pictures are copied to `out`.
fn pages(
    tongue: &Tongue,
    source: &Path,
    target: &str,
    out: &Path,
) -> Outcome<Vec<(String, String)>> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(source)? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        match path.extension().and_then(|it| it.to_str()) {
            Some("md") => {
                let page = if name == "README" { "index".to_owned() } else { name };
                pages.push((page, std::fs::read_to_string(&path)?));
            }
            Some("png" | "svg") => {
                std::fs::copy(&path, out.join(path.file_name().unwrap_or_default()))?;
            }
            _ => {}
        }
    }
    pages.sort();
    if !pages.iter().any(|(page, _)| page == "index") {
        let lines = pages
            .iter()
            .map(|(page, text)| format!("- [`{page}`]({page}.md): {}", meaning_of(text)));
        let list = lines.collect::<Vec<_>>().join("\n");
        let title = if target == "reasons" { "Reasons" } else { "Findings" };
        pages.push(("index".to_owned(), format!("# {}\n\n{list}", tongue.said(title))));
    }
    Ok(pages)
}

/// What the page says first: the paragraph below its first smaller heading.
fn meaning_of(text: &str) -> String {
    let below = text.split_once("\n## ").and_then(|(_, rest)| rest.split_once("\n\n"));
    let said = below.and_then(|(_, rest)| rest.split("\n\n").next());
    said.unwrap_or_default().trim_end().replace('\n', " ")
}

/// The first heading of a page, without marks.
fn heading_of(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("# "));
    line.unwrap_or_default().replace('`', "")
}

/// Where a page stands.
struct Place<'a> {
    root: &'a Path,
    tongue: &'a Tongue,
    tongues: &'a [Tongue],
    folder: &'a str,
    page: &'a str,
}

impl Place<'_> {
    /// The way to the root of the site.
    fn up(&self) -> &'static str {
        if self.tongue.is_english() { ".." } else { "../.." }
    }

    /// The page; with `#alone` behind its address it shows no bar and no navigation.
    fn page(&self, text: &str, statics: &str) -> String {
        let up = self.up();
        let body = body_of(text, if self.tongue.is_english() { "" } else { &self.tongue.code });
        let live = body.contains("<dra-playground");
        let script = if live {
            format!("<script async src=\"{up}/dra-playground.js\"></script>\n")
        } else {
            String::new()
        };
        format!(
            "<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; \
             style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
             form-action 'none'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n\
             <title>{} · DRA Playground</title>\n\
             <link rel=\"icon\" type=\"image/svg+xml\" href=\"{up}/{statics}/icon.svg\">\n\
             <link rel=\"stylesheet\" href=\"{up}/{statics}/style.css\">\n{script}</head>\n\
             <body class=\"guide\" id=\"alone\">\n<a class=\"skip\" href=\"#text\">{}</a>\n\
             <header class=\"g-bar\"><a class=\"brand\" href=\"{up}/index.html\">DRA Playground</a>{}</header>\n\
             <div class=\"g-frame\"><nav aria-label=\"{}\"><ul>{}</ul></nav>\n\
             <main id=\"text\">\n{body}</main></div>\n</body>\n</html>\n",
            self.tongue.code,
            escape(&heading_of(text)),
            self.tongue.said("Skip to the text"),
            self.others(),
            self.tongue.said("Guide"),
            self.navigation(),
        )
    }

    /// The same page in the other languages.
    fn others(&self) -> String {
        let here = self.tongue.below(self.root, self.folder);
        let link = |it: &Tongue| {
            let (up, path) = (self.up(), it.below(self.root, self.folder));
            let (code, page) = (&it.code, self.page);
            let place = format!("{up}/{path}/{page}.html");
            (path != here).then(|| format!("<a class=\"g-lang\" lang=\"{code}\" hreflang=\"{code}\" href=\"{place}\">{}</a>", it.name()))
        };
        self.tongues.iter().filter_map(link).collect()
    }

    fn navigation(&self) -> String {
        let entry = |name: &&str| {
            let (folder, page) = name.split_once('/').unwrap_or(("guide", name));
            let file = if page == "index" { "README" } else { page };
            let path =
                format!("{}/{file}.md", self.tongue.below(self.root, &format!("docs/{folder}")));
            let text = std::fs::read_to_string(self.root.join(path)).unwrap_or_default();
            let here = folder == self.folder && page == self.page;
            let current = if here { " aria-current=\"page\"" } else { "" };
            let (up, folder) = (self.up(), self.tongue.below(self.root, folder));
            format!(
                "<li><a href=\"{up}/{folder}/{page}.html\"{current}>{}</a></li>",
                escape(&heading_of(&text))
            )
        };
        NAVIGATION.iter().map(entry).collect()
    }
}

/// The blocks of a text; its live examples speak the language, unless that is empty.
fn body_of(text: &str, language: &str) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        let rest = lines.get(at..).unwrap_or_default();
        let taken = if let Some(fence) = fence(line) {
            code(&mut out, fence, rest, language)
        } else if line.starts_with('#') {
            heading(&mut out, line);
            1
        } else if line.starts_with('|') {
            table(&mut out, rest)
        } else if marker(line).is_some() {
            list(&mut out, rest)
        } else if line.trim().is_empty() {
            1
        } else {
            let count = rest.iter().take_while(|it| is_plain(it)).count().max(1);
            let _ = writeln!(out, "<p>{}</p>", spans(&join(rest, count)));
            count
        };
        at += taken;
    }
    out
}

fn is_plain(line: &str) -> bool {
    !line.trim().is_empty()
        && !line.starts_with(['#', '|'])
        && fence(line).is_none()
        && marker(line).is_none()
}

fn join(lines: &[&str], count: usize) -> String {
    lines.iter().take(count).map(|it| it.trim()).collect::<Vec<_>>().join(" ")
}

fn heading(out: &mut String, line: &str) {
    let level = line.chars().take_while(|it| *it == '#').count().clamp(1, 4);
    let words = line.trim_start_matches('#').trim();
    let id: String = words
        .to_lowercase()
        .chars()
        .filter_map(|it| match it {
            ' ' | '-' => Some('-'),
            _ => it.is_alphanumeric().then_some(it),
        })
        .collect();
    let _ = writeln!(out, "<h{level} id=\"{id}\">{}</h{level}>", spans(words));
}

/// What begins a block of code and ends it; the one may stand in the other.
fn fence(line: &str) -> Option<&'static str> {
    ["```", "~~~"].into_iter().find(|it| line.starts_with(it))
}

/// A block of code; returns how many lines it takes.
fn code(out: &mut String, fence: &str, lines: &[&str], language: &str) -> usize {
    let info = lines.first().map_or("", |it| it.trim_start_matches(fence));
    let inside: Vec<&str> =
        lines.iter().skip(1).take_while(|it| !it.starts_with(fence)).copied().collect();
    let text = escape(&inside.join("\n"));
    let mut words = info.split_whitespace().skip(1);
    if words.next() == Some("playground") {
        let language =
            if language.is_empty() { String::new() } else { format!(" lang=\"{language}\"") };
        let attributes: String = words
            .map(|word| match word.split_once('=') {
                Some((name, value)) => format!(" {name}=\"{}\"", escape(value)),
                None => format!(" {word}"),
            })
            .collect();
        let _ = writeln!(
            out,
            "<dra-playground{language}{attributes}><pre tabindex=\"0\">{text}\n</pre></dra-playground>"
        );
    } else {
        let _ = writeln!(out, "<pre tabindex=\"0\"><code>{text}\n</code></pre>");
    }
    inside.len() + 2
}

/// The length of what begins an item of a list, and whether the list is numbered.
fn marker(line: &str) -> Option<(usize, bool)> {
    if line.starts_with("- ") || line.starts_with("* ") {
        return Some((2, false));
    }
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    (digits > 0 && line.get(digits..)?.starts_with(". ")).then_some((digits + 2, true))
}

fn list(out: &mut String, lines: &[&str]) -> usize {
    let numbered = lines.first().and_then(|it| marker(it)).is_some_and(|it| it.1);
    let tag = if numbered { "ol" } else { "ul" };
    let mut items: Vec<String> = Vec::new();
    let mut taken = 0;
    for line in lines {
        match marker(line) {
            Some((length, _)) => items.push(line.get(length..).unwrap_or_default().to_owned()),
            None if line.starts_with(' ') && !line.trim().is_empty() => {
                if let Some(last) = items.last_mut() {
                    last.push(' ');
                    last.push_str(line.trim());
                }
            }
            None => break,
        }
        taken += 1;
    }
    let _ = write!(out, "<{tag}>");
    for item in items {
        let _ = write!(out, "<li>{}</li>", spans(&item));
    }
    let _ = writeln!(out, "</{tag}>");
    taken
}

fn table(out: &mut String, lines: &[&str]) -> usize {
    let rows: Vec<&str> = lines.iter().take_while(|it| it.starts_with('|')).copied().collect();
    let cells = |row: &str| -> Vec<String> {
        let inner = row.trim().trim_start_matches('|').trim_end_matches('|');
        let kept = inner.replace("\\|", "\u{1}");
        kept.split('|').map(|it| spans(&it.trim().replace('\u{1}', "|"))).collect()
    };
    out.push_str("<div class=\"scroll\" tabindex=\"0\"><table class=\"tb\">");
    for (index, row) in rows.iter().enumerate().filter(|(index, _)| *index != 1) {
        let (tag, scope) = if index == 0 { ("th", " scope=\"col\"") } else { ("td", "") };
        out.push_str("<tr>");
        for cell in cells(row) {
            let _ = write!(out, "<{tag}{scope}>{cell}</{tag}>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</table></div>\n");
    rows.len()
}

/// Code, images, links and bold within a line.
fn spans(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['`', '[', '!', '*']) {
        let (plain, special) = rest.split_at(at);
        out.push_str(&escape(plain));
        let Some((html, after)) = span(special) else {
            let (first, after) = special.split_at(1);
            out.push_str(&escape(first));
            rest = after;
            continue;
        };
        out.push_str(&html);
        rest = after;
    }
    out.push_str(&escape(rest));
    out
}

fn span(text: &str) -> Option<(String, &str)> {
    if let Some(inner) = text.strip_prefix("**") {
        let (bold, after) = inner.split_once("**")?;
        return Some((format!("<strong>{}</strong>", spans(bold)), after));
    }
    if text.starts_with('`') {
        let ticks = text.chars().take_while(|it| *it == '`').count();
        let fence = "`".repeat(ticks);
        let (code, after) = text.get(ticks..)?.split_once(&fence)?;
        return Some((format!("<code>{}</code>", escape(code.trim())), after));
    }
    if let Some(inner) = text.strip_prefix('*') {
        let (soft, after) =
            inner.split_once('*').filter(|it| !it.0.is_empty() && !it.0.starts_with(' '))?;
        return Some((format!("<em>{}</em>", spans(soft)), after));
    }
    let is_image = text.starts_with("![");
    let inner = text.strip_prefix("![").or_else(|| text.strip_prefix('['))?;
    let (words, target) = inner.split_once("](")?;
    let (target, after) = target.split_once(')')?;
    let html = if is_image {
        format!("<img src=\"{}\" alt=\"{}\">", escape(target), escape(words))
    } else {
        format!("<a href=\"{}\">{}</a>", escape(&address(target)), spans(words))
    };
    Some((html, after))
}

/// Where a link of a Markdown file leads on the site.
fn address(target: &str) -> String {
    let (path, place) = target.split_once('#').map_or((target, ""), |(path, place)| (path, place));
    let place = if place.is_empty() { String::new() } else { format!("#{place}") };
    if path.is_empty() || path.contains("://") {
        return target.to_owned();
    }
    let inside = path.trim_start_matches("../");
    let leaves = FOLDERS.iter().all(|(_, folder)| !inside.starts_with(&format!("{folder}/")));
    if leaves && inside.len() < path.len() {
        return format!("{REPOSITORY}/blob/main/{inside}{place}");
    }
    let Some(stem) = path.strip_suffix(".md") else { return target.to_owned() };
    let readme = stem.strip_suffix("README").map(|folder| format!("{folder}index"));
    format!("{}.html{place}", readme.unwrap_or_else(|| stem.to_owned()))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Every relative link of the pages in a folder leads to a file of the site.
fn check_links(folder: &Path) -> Outcome<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_none_or(|it| it != "html") {
            continue;
        }
        let html = std::fs::read_to_string(&path)?;
        for link in ["href=\"", "src=\""].iter().flat_map(|it| html.split(it).skip(1)) {
            let link = link.split('"').next().unwrap_or_default();
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            if file.contains("://") || file.starts_with("data:") {
                continue;
            }
            let to = if file.is_empty() { path.clone() } else { folder.join(file) };
            if !to.exists() {
                return Err(format!("{}: `{link}` leads nowhere", path.display()).into());
            }
            let is_there = || {
                Ok::<_, std::io::Error>(
                    std::fs::read_to_string(&to)?.contains(&format!("id=\"{place}\"")),
                )
            };
            if !place.is_empty() && to.extension().is_some_and(|it| it == "html") && !is_there()? {
                return Err(format!("{}: `{link}` names no place", path.display()).into());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_and_spans_become_html() {
        let text = "# A `b`\n\nOne **two** [three](learn.md#x)\nmore <i>.\n\n- a\n  b\n- c\n\n1. d\n\n| a | b |\n|---|---|\n| `x\\|y` | z |\n\n```sh\na < b\n```\n";
        let html = body_of(text, "");
        for part in [
            "<h1 id=\"a-b\">A <code>b</code></h1>",
            "<p>One <strong>two</strong> <a href=\"learn.html#x\">three</a> more &lt;i&gt;.</p>",
            "<ul><li>a b</li><li>c</li></ul>",
            "<ol><li>d</li></ol>",
            "<th scope=\"col\">a</th>",
            "<td><code>x|y</code></td>",
            "<code>a &lt; b\n</code>",
        ] {
            assert!(html.contains(part), "{part} is missing in\n{html}");
        }
    }

    #[test]
    fn a_live_example_is_an_element_with_its_text() {
        let html = body_of("~~~md\n```yaml\nkind: Pod\n```\n~~~\nend\n", "");
        assert!(html.contains("<code>```yaml\nkind: Pod\n```\n</code>"), "{html}");
        assert!(html.ends_with("</pre>\n<p>end</p>\n"), "{html}");
        let html = body_of("```yaml playground step=1 readonly\nkind: Pod\n```\n", "");
        assert_eq!(
            html,
            "<dra-playground step=\"1\" readonly><pre tabindex=\"0\">kind: Pod\n</pre></dra-playground>\n"
        );
    }

    #[test]
    fn a_list_of_pages_says_what_each_means() {
        let page = "# `code`\n\n## What it means\n\nA thing\nis not there.\n\n## How to fix\n\nx\n";
        assert_eq!(meaning_of(page), "A thing is not there.");
        assert_eq!(meaning_of("# alone"), "");
    }

    #[test]
    fn words_around_a_page_come_from_the_language() {
        let file = "{\n  \"page\": {\n    \"Guide\": \"x\"\n  },\n  \"guide\": {\n    \"English\": \"Deutsch\",\n    \"Guide\": \"Anleitung\"\n  }\n}";
        let tongue = Tongue { code: "de".to_owned(), file: file.to_owned() };
        assert_eq!(
            (tongue.name(), tongue.said("Guide"), tongue.said("Else")),
            ("Deutsch", "Anleitung", "Else")
        );
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        assert_eq!(tongue.below(&root, "guide"), "guide");
        let tongues = Tongue::all(&root).unwrap();
        let parts: Vec<_> = tongues.iter().map(|it| it.below(&root, "docs/guide")).collect();
        assert_eq!(parts, ["docs/guide", "docs/guide/zh-TW"]);
        let html = body_of("```yaml playground\nkind: Pod\n```\n", "de");
        assert!(html.starts_with("<dra-playground lang=\"de\"><pre"), "{html}");
    }

    #[test]
    fn links_lead_to_pages_of_the_site_or_to_the_repository() {
        assert_eq!(address("README.md"), "index.html");
        assert_eq!(address("../diagnostics/wrong-type.md"), "../diagnostics/wrong-type.html");
        assert_eq!(
            address("../../examples/a.yaml"),
            format!("{REPOSITORY}/blob/main/examples/a.yaml")
        );
        assert_eq!(address("https://k8s.io/x"), "https://k8s.io/x");
        assert_eq!(spans("2 * 3 and [x]"), "2 * 3 and [x]");
    }
}
