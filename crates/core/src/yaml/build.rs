use std::borrow::Cow;
use std::collections::BTreeMap;

use dra_playground_cel::order::Order;

use crate::diagnostic::Diagnostic;
use crate::source::Span;

use super::{MAX_DEPTH, Node, NodeKind, Scalar, Shared, codes};

/// How many repeated keys of one map are named.
const MAX_DUPLICATES: usize = 20;

/// Builds the tree of one document from events, with an explicit stack instead of recursion.
pub(super) struct Builder<'a> {
    text: &'a str,
    stack: Vec<Frame>,
    root: Option<Node>,
    anchors: BTreeMap<usize, Anchor>,
    pub(super) shared: &'a mut Shared,
    pub(super) diagnostics: Vec<Diagnostic>,
}

struct Frame {
    span: Span,
    anchor: usize,
    content: Content,
}

enum Content {
    Sequence(Vec<Node>),
    Mapping { entries: Vec<(Node, Node)>, key: Option<Node> },
}

#[derive(Clone)]
struct Anchor {
    node: Node,
    size: usize,
    depth: usize,
}

/// The document cannot be used; the diagnostic is already pushed.
pub(super) struct Broken;

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, shared: &'a mut Shared) -> Self {
        let (stack, anchors, diagnostics) = (Vec::new(), BTreeMap::new(), Vec::new());
        Self { text, stack, root: None, anchors, shared, diagnostics }
    }

    pub(super) fn finish(self) -> (Option<Node>, Vec<Diagnostic>) {
        (self.root, self.diagnostics)
    }

    /// Where a value without any text would stand: behind the colon of its key.
    pub(super) fn empty_at(&self, mark: usize) -> Span {
        if let Some(Frame { content: Content::Mapping { key: Some(key), .. }, .. }) =
            self.stack.last()
        {
            let end = key.span.end as usize;
            let rest = self.text.get(end..).unwrap_or_default();
            let colon = rest
                .find(':')
                .filter(|at| rest.get(..*at).is_some_and(|between| between.trim().is_empty()));
            return Span::at(end + colon.map_or(0, |at| at + 1));
        }
        Span::at(self.text.get(..mark).unwrap_or(self.text).trim_end().len())
    }

    pub(super) fn scalar(
        &mut self,
        scalar: Scalar,
        span: Span,
        anchor: usize,
    ) -> Result<(), Broken> {
        self.add(Node { span, kind: NodeKind::Scalar(scalar) }, anchor)
    }

    pub(super) fn start_sequence(&mut self, span: Span, anchor: usize) -> Result<(), Broken> {
        self.start(span, anchor, Content::Sequence(Vec::new()))
    }

    pub(super) fn start_mapping(&mut self, span: Span, anchor: usize) -> Result<(), Broken> {
        self.start(span, anchor, Content::Mapping { entries: Vec::new(), key: None })
    }

    fn start(&mut self, span: Span, anchor: usize, content: Content) -> Result<(), Broken> {
        if self.stack.len() >= MAX_DEPTH {
            self.diagnostics.push(codes::nesting_too_deep(span));
            return Err(Broken);
        }
        self.stack.push(Frame { span, anchor, content });
        Ok(())
    }

    pub(super) fn end(&mut self, end: Span) -> Result<(), Broken> {
        let Some(frame) = self.stack.pop() else {
            return Ok(());
        };
        let flow = matches!(frame.span.text(self.text).as_bytes().first(), Some(b'{' | b'['));
        let (kind, first, last) = match frame.content {
            Content::Sequence(items) => {
                let first = items.first().map(|item| item.span);
                let last = items.last().map(|item| item.span);
                (NodeKind::Sequence(items.into()), first, last)
            }
            Content::Mapping { entries, .. } => {
                let first = entries.first().map(|(key, _)| key.span);
                let last = entries.last().map(|(_, value)| value.span);
                (NodeKind::Mapping(self.unique(entries)?.into()), first, last)
            }
        };
        let span = match (flow, first, last) {
            (false, Some(first), Some(last)) => {
                // An alias lies elsewhere; a block ends where its last own text does.
                let start = frame.span.start.min(first.start.max(frame.span.start));
                Span { start, end: last.end.max(start) }
            }
            _ => frame.span.cover(end),
        };
        self.add(Node { span, kind }, frame.anchor)
    }

    pub(super) fn alias(&mut self, id: usize, span: Span) -> Result<(), Broken> {
        let Some(anchor) = self.anchors.get(&id) else {
            self.diagnostics.push(codes::cyclic_alias(span));
            return Err(Broken);
        };
        if anchor.size > self.shared.aliases {
            self.diagnostics.push(codes::alias_budget(span));
            return Err(Broken);
        }
        if anchor.depth + self.stack.len() > MAX_DEPTH {
            self.diagnostics.push(codes::nesting_too_deep(span));
            return Err(Broken);
        }
        self.shared.aliases -= anchor.size;
        let node = anchor.node.clone();
        self.add(node, 0)
    }

    fn add(&mut self, node: Node, anchor: usize) -> Result<(), Broken> {
        if anchor != 0 {
            let (size, depth) = measure(&node);
            // The copy kept for aliases counts too, or nested anchors would grow without limit.
            if size > self.shared.aliases {
                self.diagnostics.push(codes::alias_budget(node.span));
                return Err(Broken);
            }
            self.shared.aliases -= size;
            self.anchors.insert(anchor, Anchor { node: node.clone(), size, depth });
        }
        match self.stack.last_mut().map(|frame| &mut frame.content) {
            None => self.root = Some(node),
            Some(Content::Sequence(items)) => items.push(node),
            Some(Content::Mapping { entries, key }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None if node.scalar().is_some() => *key = Some(node),
                None => {
                    self.diagnostics.push(self.wrong_key(node.span));
                    return Err(Broken);
                }
            },
        }
        Ok(())
    }

    /// `{{ x }}` is a map whose key is a map, but nobody means that.
    fn wrong_key(&self, span: Span) -> Diagnostic {
        let before = self.text.get(..span.start as usize).unwrap_or_default();
        if span.text(self.text).starts_with('{') && before.ends_with('{') {
            let after = self.text.get(span.end as usize..).unwrap_or_default();
            let end = span.end + u32::from(after.starts_with('}'));
            let whole = Span { start: span.start - 1, end };
            return codes::template_not_rendered(whole.text(self.text), whole);
        }
        codes::complex_key(span)
    }

    /// Merges `<<` and keeps the last of equal keys.
    fn unique(&mut self, entries: Vec<(Node, Node)>) -> Result<Vec<(Node, Node)>, Broken> {
        let is_merge = |key: &Node| {
            key.scalar().is_some_and(|s| &*s.value == "<<" && s.style == super::Style::Plain)
        };
        let entries = self.without_duplicates(entries);
        if !entries.iter().any(|(key, _)| is_merge(key)) {
            return Ok(entries);
        }
        let mut merged = Vec::new();
        let mut own = Vec::new();
        for (key, value) in entries {
            if !is_merge(&key) {
                own.push((key, value));
                continue;
            }
            let span = value.span;
            match value.kind {
                NodeKind::Mapping(inner) => merged.push(inner),
                NodeKind::Sequence(items) if items.iter().all(|n| n.entries().is_some()) => {
                    merged.extend(items.into_iter().filter_map(|item| match item.kind {
                        NodeKind::Mapping(inner) => Some(inner),
                        NodeKind::Scalar(_) | NodeKind::Sequence(_) => None,
                    }));
                }
                NodeKind::Scalar(_) | NodeKind::Sequence(_) => {
                    self.diagnostics.push(codes::merge_key(span));
                    return Err(Broken);
                }
            }
        }
        let mut seen: std::collections::BTreeSet<String> =
            own.iter().map(|(key, _)| key.key_text().into_owned()).collect();
        for (key, value) in merged.into_iter().flatten() {
            if seen.insert(key.key_text().into_owned()) {
                own.push((key, value));
            }
        }
        Ok(own)
    }

    fn without_duplicates(&mut self, entries: Vec<(Node, Node)>) -> Vec<(Node, Node)> {
        let duplicates = duplicates(&entries);
        if duplicates.is_empty() {
            return entries;
        }
        let starts_line = |key: &Node| {
            let before = self.text.get(..key.span.start as usize).unwrap_or_default();
            before.is_empty() || before.ends_with('\n')
        };
        let is_root = entries.first().is_some_and(|(key, _)| starts_line(key));
        let mut told = usize::MAX;
        for (first, again) in duplicates.iter().take(MAX_DUPLICATES) {
            // The keys of another object come one after the other.
            if is_root && std::mem::replace(&mut told, *again).wrapping_add(1) == *again {
                continue;
            }
            if let (Some((first, _)), Some((key, _))) = (entries.get(*first), entries.get(*again)) {
                let before = self.text.get(..first.span.start as usize).unwrap_or_default();
                let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                let text = key.key_text();
                let found = codes::duplicate_key(&text, first.span, key.span, line);
                self.diagnostics.push(if is_root {
                    codes::no_separator(found, key.span)
                } else {
                    found
                });
            }
        }
        let mut kept: Vec<Option<(Node, Node)>> = entries.into_iter().map(Some).collect();
        for (first, again) in duplicates {
            let last = kept.get_mut(again).and_then(Option::take);
            if let Some(slot) = kept.get_mut(first) {
                *slot = last;
            }
        }
        kept.into_iter().flatten().collect()
    }
}

/// Pairs of (first, later) indexes with the same key.
fn duplicates(entries: &[(Node, Node)]) -> Vec<(usize, usize)> {
    if entries.len() < 2 {
        return Vec::new();
    }
    let mut keys: Vec<(Cow<'_, str>, usize)> =
        entries.iter().enumerate().map(|(idx, (key, _))| (key.key_text(), idx)).collect();
    keys.order();
    let mut out = Vec::new();
    let mut first: Option<&(Cow<'_, str>, usize)> = None;
    for entry in &keys {
        match first {
            Some((key, idx)) if *key == entry.0 => out.push((*idx, entry.1)),
            _ => first = Some(entry),
        }
    }
    out.order_by_key(|(_, again)| *again);
    out
}

/// Number of nodes and depth of collections. Recursion is bounded by [`MAX_DEPTH`].
fn measure(node: &Node) -> (usize, usize) {
    let add = |(size, depth): (usize, usize), node: &Node| {
        let (inner, below) = measure(node);
        (size + inner, depth.max(below + 1))
    };
    match &node.kind {
        NodeKind::Scalar(_) => (1, 0),
        NodeKind::Sequence(items) => items.iter().fold((1, 1), add),
        NodeKind::Mapping(entries) => {
            entries.iter().fold((1, 1), |sum, (key, value)| add(add(sum, key), value))
        }
    }
}
