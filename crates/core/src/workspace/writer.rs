use std::rc::Rc;

use crate::api::Object;
use crate::apimachinery::ObjectRef;
use crate::cluster::Made;
use crate::source::Span;
use crate::yaml;

use super::edits::merged;
use super::places::Scenery;
use super::ranges::range;
use super::report::Edit;
use super::snapshot::template_of;
use super::what_if::{New, Writer};

/// Writes changes of requests into the text they come from.
pub(super) struct TextWriter<'a> {
    pub text: &'a str,
    pub scenery: Scenery<'a>,
}

impl TextWriter<'_> {
    /// The change of an object, and of the template that a claim was made from: a claim cannot be
    /// changed, and the next one should be right.
    fn everywhere(
        &self,
        object: &ObjectRef,
        path: &str,
        change: impl Fn(&Object, &str) -> Option<Vec<Edit>>,
    ) -> Option<Vec<Edit>> {
        let (own, own_path) = self.written(object, path)?;
        let edits = change(own, &own_path)?;
        let rest = path.strip_prefix("spec.");
        let more = self
            .template(object)
            .zip(rest)
            .and_then(|(template, rest)| change(template, &format!("spec.spec.{rest}")));
        Some(more.and_then(|more| merged(&edits, &more)).unwrap_or(edits))
    }

    /// The template of a claim that was made for a Pod and is in the text.
    fn template(&self, claim: &ObjectRef) -> Option<&Object> {
        let cluster = self.scenery.cluster;
        let found = cluster.claims.get(&claim.namespace, &claim.name)?;
        if claim.kind != "ResourceClaim" || found.origin.made != Made::Written {
            return None;
        }
        let template = template_of(cluster, &found.value)?;
        self.scenery.places.sources.get(cluster.origin(&template)?.source?).map(Rc::as_ref)
    }

    /// The object that is written, and the path in it: a generated claim stands in its template.
    fn written(&self, claim: &ObjectRef, path: &str) -> Option<(&Object, String)> {
        let origin = self.scenery.cluster.origin(claim)?;
        let object = self.scenery.places.sources.get(origin.source?)?;
        match (origin.made, path.strip_prefix("spec.")) {
            (Made::FromTemplate, Some(rest)) => Some((object, format!("spec.spec.{rest}"))),
            _ => Some((object, path.to_owned())),
        }
    }

    /// An item of a list without what follows it on the way to the next one.
    fn item(&self, item: &yaml::Node) -> Option<Span> {
        let text = item.span.text(self.text).trim_end();
        let end = item.span.start.checked_add(u32::try_from(text.len()).ok()?)?;
        (!text.is_empty()).then_some(Span { start: item.span.start, end })
    }

    /// Adds lines behind a block, indented like what stands at `like`.
    fn add_lines(&self, node: &yaml::Node, like: u32, lines: &[String]) -> Option<Vec<Edit>> {
        let pad = " ".repeat(self.scenery.places.lines.line_column(like).column as usize);
        let content = self.text.get(..node.span.end as usize)?.trim_end().len();
        let line_end =
            self.text.get(content..)?.find('\n').map_or(self.text.len(), |at| content + at);
        let added = lines.iter().flat_map(|line| ["\n", &pad, line]).collect();
        Some(self.edit(Span::at(line_end), added))
    }

    /// Adds to what is written in braces or brackets, behind its last part.
    fn add_in_flow(
        &self,
        node: &yaml::Node,
        last: Option<&yaml::Node>,
        added: &str,
    ) -> Option<Vec<Edit>> {
        let Some(last) = last else {
            return Some(self.edit(Span::at(node.span.start as usize + 1), added.to_owned()));
        };
        let end = self.item(last)?.end;
        Some(self.edit(Span::at(end as usize), format!(", {added}")))
    }

    fn edit(&self, span: Span, text: String) -> Vec<Edit> {
        vec![Edit { range: range(self.scenery.places.lines, span), text }]
    }
}

impl Writer for TextWriter<'_> {
    fn replace(&self, claim: &ObjectRef, path: &str, value: &str) -> Option<Vec<Edit>> {
        self.everywhere(claim, path, |object, path| {
            let field = object.spans.get(path)?;
            Some(self.edit(field.value, value.to_owned()))
        })
    }

    fn remove_item(&self, object: &ObjectRef, list: &str, index: usize) -> Option<Vec<Edit>> {
        self.everywhere(object, list, |written, list| {
            let items = written.spans.node(list)?.items()?;
            if items.len() == 1 {
                let field = written.spans.get(list)?;
                let (key, end) = (field.key, self.item(written.spans.node(list)?)?.end);
                let text = format!("{}: []", key.text(self.text));
                return Some(self.edit(Span { start: key.start, end }, text));
            }
            let item = self.item(items.get(index)?)?;
            if written.spans.node(list)?.span.text(self.text).starts_with('[') {
                // The comma goes with the item: the one after it, or before the last one.
                let span = match (items.get(index + 1), index.checked_sub(1)) {
                    (Some(next), _) => Span { start: item.start, end: next.span.start },
                    (None, before) => {
                        Span { start: self.item(items.get(before?)?)?.end, end: item.end }
                    }
                };
                return Some(self.edit(span, String::new()));
            }
            let before = self.text.get(..item.start as usize)?;
            let line = before.rfind('\n').map_or(0, |at| at + 1);
            if before.get(line..)?.trim() != "-" {
                return None;
            }
            let rest = self.text.get(item.end as usize..)?;
            let end = rest.find('\n').map_or(self.text.len(), |at| item.end as usize + at + 1);
            let start = u32::try_from(line).ok()?;
            Some(self.edit(Span { start, end: u32::try_from(end).ok()? }, String::new()))
        })
    }

    fn swap_items(&self, object: &ObjectRef, list: &str, index: usize) -> Option<Vec<Edit>> {
        self.everywhere(object, list, |written, list| {
            let items = written.spans.node(list)?.items()?;
            let (first, second) =
                (self.item(items.get(index)?)?, self.item(items.get(index + 1)?)?);
            let (one, other) = (first.text(self.text), second.text(self.text));
            let mut edits = self.edit(first, other.to_owned());
            edits.extend(self.edit(second, one.to_owned()));
            Some(edits)
        })
    }

    fn append(&self, claim: &ObjectRef, path: &str, name: &str, value: &New) -> Option<Vec<Edit>> {
        self.everywhere(claim, path, |object, path| {
            let node = object.spans.node(path)?;
            let entries = node.entries()?;
            if node.span.text(self.text).starts_with('{') {
                let last = entries.last().map(|(_, last)| last);
                return self.add_in_flow(node, last, &format!("{name}: {}", value.flow()));
            }
            let (key, _) = entries.first()?;
            self.add_lines(node, key.span.start, &value.named(name))
        })
    }

    fn push(&self, object: &ObjectRef, path: &str, value: &New) -> Option<Vec<Edit>> {
        self.everywhere(object, path, |object, path| {
            let node = object.spans.node(path)?;
            let items = node.items()?;
            if node.span.text(self.text).starts_with('[') {
                return self.add_in_flow(node, items.last(), &value.flow());
            }
            let first = items.first()?.span.start;
            let before = self.text.get(..first as usize)?.trim_end();
            let dash = before.strip_suffix('-')?.len();
            self.add_lines(node, u32::try_from(dash).ok()?, &value.item())
        })
    }

    fn cut(
        &self,
        claim: &ObjectRef,
        path: &str,
        expression: &str,
        (from, to): (usize, usize),
    ) -> Option<Vec<Edit>> {
        self.everywhere(claim, path, |object, path| {
            let node = object.spans.node(path)?;
            if node.text()?.as_ref() != expression {
                return None;
            }
            // Some scalars cannot begin with what is left, and are written anew.
            let (whole, new) = yaml::rewrite(self.text, node, from, to, "")?;
            if !new.is_empty() {
                return Some(self.edit(whole, new));
            }
            let origin = object.spans.origin(self.text, path)?;
            // What follows begins where it is written, behind the indentation of its line.
            let end = if to < expression.len() {
                origin.span(to, to + 1).start
            } else {
                origin.span(from, to).end
            };
            let start = origin.span(from, to).start;
            Some(self.edit(Span { start, end: end.max(start) }, String::new()))
        })
    }
}
