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
/// Pages of the guide in reading order, with the word for them in the navigation.
const NAVIGATION: [(&str, &str); 9] = [
    ("index", "Overview"),
    ("learn", "Learn DRA in ten steps"),
    ("pending-pod", "A Pending Pod"),
    ("../surprises/index", "Surprises"),
    ("driver-authors", "For driver authors"),
    ("embedding", "Embedding"),
    ("scenarios", "Scenarios"),
    ("command-line", "Command line"),
    ("publish", "Publish the page"),
];

/// Writes the pages into `site`, whose static files lie in the folder `statics`.
pub(crate) fn write(root: &Path, site: &Path, statics: &str) -> Outcome<()> {
    for (source, target) in FOLDERS {
        let folder = site.join(target);
        std::fs::create_dir_all(&folder)?;
        let mut names = Vec::new();
        for entry in std::fs::read_dir(root.join(source))? {
            let path = entry?.path();
            match path.extension().and_then(|it| it.to_str()) {
                Some("md") => {
                    names.extend(path.file_stem().map(|it| it.to_string_lossy().into_owned()));
                }
                Some("png" | "svg") => {
                    std::fs::copy(&path, folder.join(path.file_name().unwrap_or_default()))?;
                }
                _ => {}
            }
        }
        names.sort();
        for name in &names {
            let text = std::fs::read_to_string(root.join(source).join(format!("{name}.md")))?;
            let page = if name == "README" { "index" } else { name };
            let html = page_of(&text, target, page, statics);
            std::fs::write(folder.join(format!("{page}.html")), html)?;
        }
        if !names.iter().any(|name| name == "README") {
            let list: Vec<String> =
                names.iter().map(|name| format!("- [`{name}`]({name}.md)")).collect();
            let title = if target == "reasons" { "Reasons" } else { "Findings" };
            let html =
                page_of(&format!("# {title}\n\n{}", list.join("\n")), target, "index", statics);
            std::fs::write(folder.join("index.html"), html)?;
        }
    }
    check_links(site)
}

fn page_of(text: &str, folder: &str, page: &str, statics: &str) -> String {
    let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(page);
    let mut navigation = String::new();
    for (name, words) in NAVIGATION {
        let current = if folder == "guide" && name == page { " aria-current=\"page\"" } else { "" };
        let _ =
            write!(navigation, "<li><a href=\"../guide/{name}.html\"{current}>{words}</a></li>");
    }
    let body = body_of(text);
    let live = body.contains("<dra-playground");
    let script = if live { "<script async src=\"../dra-playground.js\"></script>\n" } else { "" };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'; \
         style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-src 'self'; base-uri 'none'; \
         form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{} · DRA Playground</title>\n\
         <link rel=\"icon\" type=\"image/svg+xml\" href=\"../{statics}/icon.svg\">\n\
         <link rel=\"stylesheet\" href=\"../{statics}/style.css\">\n{script}</head>\n\
         <body class=\"guide\">\n<a class=\"skip\" href=\"#text\">Skip to the text</a>\n\
         <header class=\"g-bar\"><a class=\"brand\" href=\"../index.html\">DRA Playground</a></header>\n\
         <div class=\"g-frame\"><nav aria-label=\"Guide\"><ul>{navigation}</ul></nav>\n\
         <main id=\"text\">\n{body}</main></div>\n</body>\n</html>\n",
        escape(&title.replace('`', "")),
    )
}

/// The blocks of a text.
fn body_of(text: &str) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = text.lines().collect();
    let mut at = 0;
    while let Some(line) = lines.get(at).copied() {
        let rest = lines.get(at..).unwrap_or_default();
        let taken = if let Some(info) = line.strip_prefix("```") {
            code(&mut out, info, rest)
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
        && !line.starts_with("```")
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

/// A block of code; returns how many lines it takes.
fn code(out: &mut String, info: &str, lines: &[&str]) -> usize {
    let inside: Vec<&str> =
        lines.iter().skip(1).take_while(|it| !it.starts_with("```")).copied().collect();
    let text = escape(&inside.join("\n"));
    let mut words = info.split_whitespace().skip(1);
    if words.next() == Some("playground") {
        let attributes: String = words
            .map(|word| match word.split_once('=') {
                Some((name, value)) => format!(" {name}=\"{}\"", escape(value)),
                None => format!(" {word}"),
            })
            .collect();
        let _ = writeln!(
            out,
            "<dra-playground{attributes}><pre tabindex=\"0\">{text}\n</pre></dra-playground>"
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
    if let Some(rest) = path.strip_prefix("../../") {
        return format!("{REPOSITORY}/blob/main/{rest}{place}");
    }
    let Some(stem) = path.strip_suffix(".md") else { return target.to_owned() };
    let readme = stem.strip_suffix("README").map(|folder| format!("{folder}index"));
    format!("{}.html{place}", readme.unwrap_or_else(|| stem.to_owned()))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Every relative link of the pages leads to a file of the site.
fn check_links(site: &Path) -> Outcome<()> {
    for (_, target) in FOLDERS {
        let folder = site.join(target);
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.extension().is_none_or(|it| it != "html") {
                continue;
            }
            let html = std::fs::read_to_string(&path)?;
            for link in ["href=\"", "src=\""].iter().flat_map(|it| html.split(it).skip(1)) {
                let link = link.split('"').next().unwrap_or_default();
                let file = link.split('#').next().unwrap_or_default();
                let is_here =
                    !file.is_empty() && !file.contains("://") && !file.starts_with("data:");
                if is_here && !folder.join(file).exists() {
                    return Err(format!("{}: `{link}` leads nowhere", path.display()).into());
                }
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
        let html = body_of(text);
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
        let html = body_of("```yaml playground step=1 readonly\nkind: Pod\n```\n");
        assert_eq!(
            html,
            "<dra-playground step=\"1\" readonly><pre tabindex=\"0\">kind: Pod\n</pre></dra-playground>\n"
        );
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
