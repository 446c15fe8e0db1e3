//! Text to tree.
//!
//! A parser of our own reads every valid expression: node ids and offsets are those of cel-go,
//! whose visitor hands out numbers in the order in which this parser meets the parts. Only when a
//! text is not valid is it read again, slowly and as ANTLR does, for Kubernetes' messages. Tests hold
//! both to the ANTLR parser of the `cel` crate.

mod ast;
mod errors;
mod issue;
mod lexer;
mod macros;
mod parser;
mod print;
mod unescape;

pub use ast::{
    Ast, Call, Comprehension, Entry, Expr, ExprId, ExprKind, Extent, Field, Literal, MacroCall,
    SourceInfo,
};
pub use issue::{Issue, render};
pub use print::print;

/// What differs between releases and environments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseOptions {
    /// Whether field names may be written in backticks.
    pub escaped_fields: bool,
    /// Whether `sortBy` is a macro.
    pub sort_by: bool,
}

impl Default for ParseOptions {
    fn default() -> Self {
        Self { escaped_fields: false, sort_by: true }
    }
}

/// Reads an expression.
///
/// # Errors
///
/// All problems of the text, in no particular order; [`render`] writes them as upstream does.
pub fn parse(text: &str, options: ParseOptions) -> Result<Ast, Vec<Issue>> {
    match parser::parse(text, options) {
        Ok(ast) => Ok(ast),
        Err(parser::Failure::Issues(issues)) => Err(issues),
        Err(parser::Failure::Syntax) => Err(errors::issues(text, options)),
    }
}
