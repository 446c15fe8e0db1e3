//! Tree to text.

use super::ast::Ast;

/// An expression that parses to the same tree.
pub fn print(ast: &Ast) -> String {
    let _ = ast;
    String::new()
}
