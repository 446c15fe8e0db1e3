use crate::apimachinery::ObjectRef;
use crate::cluster::Made;
use crate::source::Span;

use super::places::Scenery;
use super::ranges::range;
use super::report::Edit;
use super::what_if::Writer;

/// Writes changes of requests into the text they come from.
pub(super) struct TextWriter<'a> {
    pub text: &'a str,
    pub scenery: Scenery<'a>,
}

impl TextWriter<'_> {
    /// The object that is written, and the path in it: a generated claim stands in its template.
    fn written(&self, claim: &ObjectRef, path: &str) -> Option<(&crate::api::Object, String)> {
        let origin = self.scenery.cluster.origin(claim)?;
        let object = self.scenery.places.sources.get(origin.source?)?;
        match (origin.made, path.strip_prefix("spec.")) {
            (Made::FromTemplate, Some(rest)) => Some((object, format!("spec.spec.{rest}"))),
            _ => Some((object, path.to_owned())),
        }
    }

    fn edit(&self, span: Span, text: String) -> Vec<Edit> {
        vec![Edit { range: range(self.scenery.places.lines, span), text }]
    }
}

impl Writer for TextWriter<'_> {
    fn replace(&self, claim: &ObjectRef, path: &str, value: &str) -> Option<Vec<Edit>> {
        let (object, path) = self.written(claim, path)?;
        let field = object.spans.get(&path)?;
        Some(self.edit(field.value, value.to_owned()))
    }

    fn append(&self, claim: &ObjectRef, path: &str, lines: &[&str]) -> Option<Vec<Edit>> {
        let (object, path) = self.written(claim, path)?;
        let node = object.spans.node(&path)?;
        let (key, _) = node.entries()?.first()?;
        if node.span.text(self.text).starts_with('{') {
            return None;
        }
        let pad = " ".repeat(self.scenery.places.lines.line_column(key.span.start).column as usize);
        let end = node.span.end as usize;
        let content = self.text.get(..end)?.trim_end().len();
        let line_end =
            self.text.get(content..)?.find('\n').map_or(self.text.len(), |at| content + at);
        let added: String = lines.iter().map(|line| format!("\n{pad}{line}")).collect();
        Some(self.edit(Span::at(line_end), added))
    }

    fn cut(
        &self,
        claim: &ObjectRef,
        path: &str,
        expression: &str,
        (from, to): (usize, usize),
    ) -> Option<Vec<Edit>> {
        let (object, path) = self.written(claim, path)?;
        if object.spans.node(&path)?.text()?.as_ref() != expression {
            return None;
        }
        let origin = object.spans.origin(self.text, &path)?;
        let span = origin.span(from, to);
        // A term that ends a line takes the line break and the indentation with it only when
        // something else stands on that line; an empty line in a block scalar would be a paragraph.
        Some(self.edit(self.whole_lines(span), String::new()))
    }
}

impl TextWriter<'_> {
    /// Widens a span that covers all of its lines to whole lines.
    fn whole_lines(&self, span: Span) -> Span {
        let (start, end) = (span.start as usize, span.end as usize);
        let (Some(before), Some(after)) = (self.text.get(..start), self.text.get(end..)) else {
            return span;
        };
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let line_end = after.find('\n').map_or(self.text.len(), |at| end + at + 1);
        let blank = |text: Option<&str>| text.is_some_and(|text| text.trim().is_empty());
        let starts = blank(self.text.get(line_start..start));
        let ends = blank(self.text.get(end..line_end));
        if starts && ends && line_end <= self.text.len() {
            Span::new(line_start, line_end)
        } else {
            span
        }
    }
}
