//! Documents and nodes with spans, read as Kubernetes reads YAML and JSON.
//!
//! [`read`] splits the text into documents, parses each alone, so that a broken one never spoils the
//! others, and gives trees of [`Node`]s. Scalars keep how they were written; [`Scalar::resolve`] says
//! what Kubernetes makes of them (YAML 1.1: `no` is false, `010` is 8).
//! Must not know kinds or fields of objects.
//! Upstream counterpart: `sigs.k8s.io/yaml` and its fork of go-yaml v2.

mod build;
mod clean;
pub mod codes;
mod json;
mod load;
mod node;
mod origin;
mod paste;
mod plain;
mod resolve;
mod rewrite;
mod split;
mod texts;

use crate::diagnostic::Diagnostic;
use crate::source::Span;

pub use json::parse_json;
pub use node::{Node, NodeKind, Scalar, Style};
pub use origin::origin;
pub use resolve::{Resolved, is_ambiguous, quote_if_ambiguous};
pub use rewrite::rewrite;

#[cfg(test)]
mod tests;

/// The longest text that is read, in bytes.
pub const MAX_TEXT: usize = 64 << 20;
/// The deepest nesting of collections that is read.
pub const MAX_DEPTH: usize = 128;
/// How many nodes all aliases of a text may expand to.
pub const MAX_ALIAS_NODES: usize = 100_000;

/// A document that parsed.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// Number among the documents of the text that hold something, broken ones counted.
    pub index: usize,
    /// From its first to its last line that belongs to it, marker included.
    pub span: Span,
    /// What it holds; `None` when it does not parse.
    pub root: Option<Node>,
}

/// All documents of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// Documents that hold something, in text order.
    pub documents: Vec<Document>,
    /// What is wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// What the documents of a text have in common.
struct Shared {
    /// How many nodes aliases may still expand to.
    aliases: usize,
    texts: texts::Texts,
}

impl Default for Shared {
    fn default() -> Self {
        Self { aliases: MAX_ALIAS_NODES, texts: texts::Texts::default() }
    }
}

/// Reads any number of YAML or JSON documents.
///
/// # Diagnostics
/// All of [`codes`].
pub fn read(text: &str) -> Stream {
    let mut stream = Stream::default();
    if text.len() > MAX_TEXT {
        stream.diagnostics.push(codes::text_too_large(text.len()));
        return stream;
    }
    let cleaned = clean::clean(text, &mut stream.diagnostics);
    let mut shared = Shared::default();
    for part in split::split(&cleaned) {
        load::load_part(&cleaned, &part, &mut shared, &mut stream);
    }
    stream
}
