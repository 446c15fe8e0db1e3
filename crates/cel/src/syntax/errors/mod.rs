//! What is wrong with a text that is not valid, in Kubernetes' words.
//!
//! Kubernetes reads expressions with a parser made by ANTLR, whose messages tell how that parser
//! works: which rule it was in, what it tried to leave out or take as written. So this module holds
//! the same grammar as data and reads it the same way; it is only asked when the parser for valid
//! text gives up.

mod grammar;
mod network;
mod predict;
mod reader;
mod stacks;
mod tree;
mod visit;

use super::lexer::scan;
use super::parser::Builder;
use super::{Issue, ParseOptions};

/// The problems of a text that is not valid.
pub(super) fn issues(text: &str, options: ParseOptions) -> Vec<Issue> {
    let (tokens, unknown) = scan(text);
    let mut reader = reader::Reader::new(text, &tokens, &unknown);
    let read = reader.read();
    let mut issues = std::mem::take(&mut reader.issues);
    if read.is_ok() {
        issues.extend(visit::issues(&tokens, &reader.tree, Builder::new(options)));
    }
    if issues.is_empty() {
        let message = "Syntax error: the expression is not valid".to_owned();
        issues.push(Issue { offset: Some(0), message });
    }
    issues
}
