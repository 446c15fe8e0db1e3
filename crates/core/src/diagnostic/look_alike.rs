use crate::source::Span;

use super::{Diagnostic, Fix, Severity, TextEdit};

/// What web pages and word processors write, and the plain sign that was meant.
const SIGNS: [(&str, &str); 22] = [
    ("\u{a0}", " "),
    ("\u{2007}", " "),
    ("\u{202f}", " "),
    ("\u{3000}", " "),
    ("\u{200b}", ""),
    ("\u{200c}", ""),
    ("\u{200d}", ""),
    ("\u{2060}", ""),
    ("\u{feff}", ""),
    ("\u{201c}", "\""),
    ("\u{201d}", "\""),
    ("\u{201e}", "\""),
    ("\u{2018}", "'"),
    ("\u{2019}", "'"),
    ("\u{ff1a}", ": "),
    ("&quot;", "\""),
    ("&#34;", "\""),
    ("&#39;", "'"),
    ("&gt;", ">"),
    ("&lt;", "<"),
    ("&amp;", "&"),
    ("<br>", ""),
];

/// Names signs that only look right in the lines of problems, and offers the plain ones.
pub fn look_alikes(text: &str, diagnostics: &mut [Diagnostic]) {
    if text.is_ascii() && !text.contains(['&', '<']) {
        return;
    }
    let mut all: Option<Vec<(Span, &str)>> = None;
    let mut told = None;
    for found in diagnostics.iter_mut().filter(|found| found.severity != Severity::Note) {
        // A parser may notice in the next line.
        let late = found.code.name == "yaml-syntax";
        let line = line(text, found.primary.span.start as usize, late);
        if told == Some(line) {
            continue;
        }
        let inside = line.text(text);
        let Some((first, _)) = SIGNS.iter().find(|(sign, _)| inside.contains(sign)) else {
            continue;
        };
        told = Some(line);
        let name = match first.chars().next() {
            Some(sign) if !sign.is_ascii() => format!("U+{:04X}", u32::from(sign)),
            _ => format!("`{first}`"),
        };
        let note = format!("this line has {name}, which is not the sign that it stands for");
        found.notes.push(note);
        let title = "write plain signs".to_owned();
        // The first takes the spaces of the whole text along; hundreds of fixes cannot.
        let wide = all.is_none();
        let signs = all.get_or_insert_with(|| signs(text));
        found.fixes.push(Fix { title, edits: edits(signs, text, line, wide), safe: false });
    }
}

fn line(text: &str, at: usize, late: bool) -> Span {
    let before = text.get(..at).unwrap_or_default();
    let mut breaks = before.rmatch_indices('\n').skip(usize::from(late));
    let start = breaks.next().map_or(0, |(found, _)| found + 1);
    let rest = text.get(at..).unwrap_or_default();
    Span::new(start, at + rest.find('\n').unwrap_or(rest.len()))
}

/// Every sign of the text, in order, with what was meant.
fn signs(text: &str) -> Vec<(Span, &'static str)> {
    let mut signs = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii() || matches!(c, '&' | '<')) {
        let rest = text.get(at..).unwrap_or_default();
        let found = SIGNS.iter().find(|(sign, _)| sign.starts_with(c) && rest.starts_with(sign));
        signs.extend(found.map(|(sign, plain)| (Span::new(at, at + sign.len()), *plain)));
    }
    signs
}

/// Signs of the line; if `wide`, spaces that are none wherever they are, since a page has many.
fn edits(signs: &[(Span, &str)], text: &str, line: Span, wide: bool) -> Vec<TextEdit> {
    let quoted = line.text(text).contains('"');
    let first = if wide { 0 } else { signs.partition_point(|(span, _)| span.start < line.start) };
    let meant = signs.iter().skip(first).take_while(|(span, _)| wide || line.contains(*span));
    meant
        .filter(|(span, plain)| {
            line.contains(*span) || plain.trim().is_empty() && !span.text(text).is_ascii()
        })
        .map(|(span, plain)| {
            // Inside of double quotes only single ones are left.
            let plain = if *plain == "\"" && quoted { "'" } else { plain };
            TextEdit { span: *span, text: plain.to_owned() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;

    #[test]
    fn one_fix_has_the_spaces_of_the_whole_text_and_each_its_own_line() {
        let text = "a:\u{a0}b\n".repeat(400);
        let line = text.len() / 400;
        let on = |at: usize| Span::new(at * line, at * line + 1);
        let odd = |at| Diagnostic::new(Code::error("odd"), "odd", on(at));
        let mut found: Vec<Diagnostic> = (0..400).map(odd).collect();
        look_alikes(&text, &mut found);
        let edits: Vec<usize> =
            found.iter().flat_map(|found| &found.fixes).map(|fix| fix.edits.len()).collect();
        assert_eq!(edits.first(), Some(&400));
        assert!(edits.len() == 400 && edits.iter().skip(1).all(|edits| *edits == 1), "{edits:?}");
    }
}
