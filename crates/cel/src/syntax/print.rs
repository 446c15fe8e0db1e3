//! Tree to text. Source of the precedences: cel-go `parser/unparser.go`.

use std::fmt::Write as _;

use super::ast::{Ast, Call, Expr, ExprKind, Literal};
use crate::gotext;

/// An expression that parses to the same tree; none when the tree holds what a macro made, which
/// has no text of its own.
pub fn print(ast: &Ast) -> Option<String> {
    let mut printer = Printer { out: String::new() };
    printer.expr(&ast.root)?;
    Some(printer.out)
}

struct Printer {
    out: String,
}

/// Binding strength of an operator, weakest first.
fn strength(function: &str, args: usize) -> u8 {
    match (function, args) {
        ("_?_:_", _) => 1,
        ("_||_", _) => 2,
        ("_&&_", _) => 3,
        ("_==_" | "_!=_" | "_<_" | "_<=_" | "_>_" | "_>=_" | "@in", _) => 4,
        ("_+_" | "_-_", 2) => 5,
        ("_*_" | "_/_" | "_%_", 2) => 6,
        ("!_" | "-_", 1) => 7,
        _ => 8,
    }
}

fn strength_of(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Call(call) if call.target.is_none() => strength(&call.function, call.args.len()),
        // A negative number reads as a sign before a member.
        ExprKind::Literal(Literal::Int(int)) if *int < 0 => 7,
        ExprKind::Literal(Literal::Double(double)) if double.is_sign_negative() => 7,
        _ => 8,
    }
}

fn operator(function: &str) -> Option<&str> {
    if function == "@in" {
        return Some("in");
    }
    let inner = function.strip_prefix('_')?.strip_suffix('_')?;
    let is_operator = !inner.is_empty()
        && !inner.contains(['?', '[', '.'])
        && inner.chars().all(|c| c.is_ascii_punctuation());
    is_operator.then_some(inner)
}

impl Printer {
    fn expr(&mut self, expr: &Expr) -> Option<()> {
        match &expr.kind {
            ExprKind::Unspecified | ExprKind::Comprehension(_) => return None,
            ExprKind::Literal(literal) => self.literal(literal),
            ExprKind::Ident(name) => self.out.push_str(name),
            ExprKind::Select { operand, field, test_only } => {
                self.out.push_str(if *test_only { "has(" } else { "" });
                self.operand(operand, 8)?;
                self.out.push('.');
                self.out.push_str(field);
                self.out.push_str(if *test_only { ")" } else { "" });
            }
            ExprKind::Call(call) => self.call(call)?,
            ExprKind::List { elements, optional } => {
                self.out.push('[');
                for (index, element) in elements.iter().enumerate() {
                    self.separate(index);
                    self.out.push_str(if optional.contains(&index) { "?" } else { "" });
                    self.expr(element)?;
                }
                self.out.push(']');
            }
            ExprKind::Map(entries) => {
                self.out.push('{');
                for (index, entry) in entries.iter().enumerate() {
                    self.separate(index);
                    self.out.push_str(if entry.optional { "?" } else { "" });
                    self.expr(&entry.key)?;
                    self.out.push_str(": ");
                    self.expr(&entry.value)?;
                }
                self.out.push('}');
            }
            ExprKind::Struct { name, fields } => {
                self.out.push_str(name);
                self.out.push('{');
                for (index, field) in fields.iter().enumerate() {
                    self.separate(index);
                    self.out.push_str(if field.optional { "?" } else { "" });
                    self.out.push_str(&field.name);
                    self.out.push_str(": ");
                    self.expr(&field.value)?;
                }
                self.out.push('}');
            }
        }
        Some(())
    }

    fn separate(&mut self, index: usize) {
        if index > 0 {
            self.out.push_str(", ");
        }
    }

    /// An operand, in brackets when it binds weaker than what stands around it.
    fn operand(&mut self, expr: &Expr, needed: u8) -> Option<()> {
        if strength_of(expr) >= needed {
            return self.expr(expr);
        }
        self.out.push('(');
        self.expr(expr)?;
        self.out.push(')');
        Some(())
    }

    fn call(&mut self, call: &Call) -> Option<()> {
        let own = strength(&call.function, call.args.len());
        match (&call.target, call.function.as_ref(), call.args.as_slice()) {
            (Some(target), function, args) => {
                self.operand(target, 8)?;
                self.out.push('.');
                self.out.push_str(function);
                self.arguments(args)
            }
            (None, "_?_:_", [condition, yes, no]) => {
                self.operand(condition, own + 1)?;
                self.out.push_str(" ? ");
                self.operand(yes, own + 1)?;
                self.out.push_str(" : ");
                self.operand(no, own)
            }
            (None, "_[_]" | "_[?_]", [operand, index]) => {
                self.operand(operand, 8)?;
                self.out.push_str(if call.function.as_ref() == "_[_]" { "[" } else { "[?" });
                self.expr(index)?;
                self.out.push(']');
                Some(())
            }
            (None, "_?._", [operand, field]) => {
                self.operand(operand, 8)?;
                let ExprKind::Literal(Literal::String(name)) = &field.kind else { return None };
                self.out.push_str(".?");
                self.out.push_str(name);
                Some(())
            }
            (None, "!_" | "-_", [operand]) => {
                self.out.push_str(call.function.get(..1)?);
                let start = self.out.len();
                self.operand(operand, 8)?;
                // A sign before a digit would become part of the number.
                if self.out.get(start..)?.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
                    self.out.insert(start, '(');
                    self.out.push(')');
                }
                Some(())
            }
            // Chains of these are balanced again when read, so one side in brackets is kept.
            (None, "_&&_" | "_||_", [left, right]) => {
                self.operand(left, own + 1)?;
                let _ = write!(self.out, " {} ", operator(&call.function)?);
                self.operand(right, own + 1)
            }
            (None, function, [left, right]) if operator(function).is_some() => {
                self.operand(left, own)?;
                let _ = write!(self.out, " {} ", operator(function)?);
                self.operand(right, own + 1)
            }
            (None, function, args) => {
                self.out.push_str(function);
                self.arguments(args)
            }
        }
    }

    fn arguments(&mut self, args: &[Expr]) -> Option<()> {
        self.out.push('(');
        for (index, arg) in args.iter().enumerate() {
            self.separate(index);
            self.expr(arg)?;
        }
        self.out.push(')');
        Some(())
    }

    fn literal(&mut self, literal: &Literal) {
        // Writing into a string cannot fail.
        let _ = match literal {
            Literal::Null => write!(self.out, "null"),
            Literal::Bool(value) => write!(self.out, "{value}"),
            Literal::Int(value) => write!(self.out, "{value}"),
            Literal::Uint(value) => write!(self.out, "{value}u"),
            Literal::Double(value) => {
                let text = gotext::double(*value);
                let point = if text.contains(['.', 'e']) { "" } else { ".0" };
                write!(self.out, "{text}{point}")
            }
            Literal::String(text) => write!(self.out, "{}", quote(text)),
            Literal::Bytes(bytes) => {
                self.out.push_str("b\"");
                for byte in bytes.iter() {
                    let _ = write!(self.out, "\\x{byte:02x}");
                }
                write!(self.out, "\"")
            }
        };
    }
}

/// A CEL string literal.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if gotext::is_printable(c) => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
