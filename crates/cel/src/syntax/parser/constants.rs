//! Constants.

use super::{Node, Parsed, Parser, Stop};
use crate::syntax::ast::{Expr, ExprKind, Literal};
use crate::syntax::lexer::Kind;
use crate::syntax::unescape;

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn negative(&mut self) -> Parsed<Node> {
        let sign = self.take();
        let number = self.take();
        match number.kind {
            Kind::Int => Ok(self.int(sign.start, "-", number.text)),
            Kind::Float => Ok(self.double(sign.start, "-", number.text)),
            _ => Err(Stop::Syntax),
        }
    }

    #[inline(never)]
    pub(super) fn constant(&mut self) -> Parsed<Node> {
        let token = self.take();
        let start = token.start;
        Ok(match token.kind {
            Kind::True => self.literal(start, Literal::Bool(true)),
            Kind::False => self.literal(start, Literal::Bool(false)),
            Kind::Null => self.literal(start, Literal::Null),
            Kind::Int => self.int(start, "", token.text),
            Kind::Float => self.double(start, "", token.text),
            Kind::Uint => {
                let digits = token.text.trim_end_matches(['u', 'U']);
                let value = match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                self.checked(start, value.map(Literal::Uint).map_err(|_| "invalid uint literal"))
            }
            Kind::String => {
                let value = unescape::string(token.text).map(|text| Literal::String(text.into()));
                self.quoted(start, value)
            }
            Kind::Bytes => {
                let quoted = token.text.get(1..).unwrap_or_default();
                let value = unescape::bytes(quoted).map(|bytes| Literal::Bytes(bytes.into()));
                self.quoted(start, value)
            }
            _ => return Err(Stop::Syntax),
        })
    }

    pub(super) fn literal(&mut self, start: u32, value: Literal) -> Node {
        let id = self.build.id(Some(start));
        self.finish(Expr { id, kind: ExprKind::Literal(value) }, start, 0)
    }

    /// UPSTREAM: a string that cannot be read is reported and then stands as a literal.
    fn quoted(&mut self, start: u32, value: Result<Literal, &'static str>) -> Node {
        let value = value.unwrap_or_else(|message| {
            self.build.report(Some(start), message);
            Literal::Null
        });
        self.literal(start, value)
    }

    fn checked(&mut self, start: u32, value: Result<Literal, &'static str>) -> Node {
        match value {
            Ok(value) => self.literal(start, value),
            Err(message) => {
                let expr = self.build.report(Some(start), message);
                self.finish(expr, start, 0)
            }
        }
    }

    fn int(&mut self, start: u32, sign: &str, text: &str) -> Node {
        let value = match text.strip_prefix("0x") {
            Some(hex) => i64::from_str_radix(&format!("{sign}{hex}"), 16),
            None if sign.is_empty() => text.parse(),
            None => format!("{sign}{text}").parse(),
        };
        self.checked(start, value.map(Literal::Int).map_err(|_| "invalid int literal"))
    }

    fn double(&mut self, start: u32, sign: &str, text: &str) -> Node {
        let value = format!("{sign}{text}").parse::<f64>().ok().filter(|value| value.is_finite());
        self.checked(start, value.map(Literal::Double).ok_or("invalid double literal"))
    }
}
