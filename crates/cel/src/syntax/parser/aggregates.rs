//! Lists, maps and structs.

use super::{Node, Parsed, Parser, Stop};
use crate::syntax::ast::{Entry, Expr, ExprKind, Field};
use crate::syntax::lexer::Kind;

impl Parser<'_> {
    pub(super) fn struct_follows(&self) -> bool {
        let mut ahead = 1;
        while self.look(ahead).kind == Kind::Punct(".") && self.look(ahead + 1).kind == Kind::Ident
        {
            ahead += 2;
        }
        self.look(ahead).kind == Kind::Punct("{")
    }

    #[inline(never)]
    pub(super) fn structure(&mut self, from: u32, dot: &str) -> Parsed<Node> {
        let mut name = dot.to_owned();
        while !self.is("{") {
            name.push_str(self.take().text);
        }
        let open = self.take();
        let id = self.build.id(Some(open.start));
        let mut fields = Vec::new();
        let mut height = 0;
        while !self.is("}") {
            if !fields.is_empty() {
                self.expect(",")?;
                if self.is("}") {
                    break;
                }
            } else if self.is(",") {
                break;
            }
            let optional = self.eat("?");
            let field = self.take();
            let colon = self.expect(":")?;
            let field_id = self.build.id(Some(colon.start));
            let field_name = match field.kind {
                Kind::Ident => field.text,
                Kind::Escaped if self.build.options.escaped_fields => field.text.trim_matches('`'),
                Kind::Escaped => {
                    self.build.report(Some(field.start), "unsupported syntax: '`'");
                    ""
                }
                _ => return Err(Stop::Syntax),
            };
            let value = self.expr()?;
            height = height.max(value.height);
            let name = field_name.into();
            fields.push(Field { id: field_id, name, value: value.expr, optional });
        }
        self.eat(",");
        self.expect("}")?;
        let kind = ExprKind::Struct { name: name.into(), fields };
        Ok(self.finish(Expr { id, kind }, from, height))
    }

    #[inline(never)]
    pub(super) fn list(&mut self) -> Parsed<Node> {
        let open = self.take();
        let id = self.build.id(Some(open.start));
        let mut elements = Vec::new();
        let mut optional = Vec::new();
        let mut height = 0;
        while self.comma_separated("]", elements.is_empty())? {
            if self.eat("?") {
                optional.push(elements.len());
            }
            let element = self.expr()?;
            height = height.max(element.height);
            elements.push(element.expr);
        }
        Ok(self.finish(
            Expr { id, kind: ExprKind::List { elements, optional } },
            open.start,
            height,
        ))
    }

    #[inline(never)]
    pub(super) fn map(&mut self) -> Parsed<Node> {
        let open = self.take();
        let id = self.build.id(Some(open.start));
        let mut entries = Vec::new();
        let mut height = 0;
        while self.comma_separated("}", entries.is_empty())? {
            let optional = self.eat("?");
            // UPSTREAM: the colon is numbered before the key, so its place is filled in later.
            let id = self.build.id(None);
            let key = self.expr()?;
            let colon = self.expect(":")?;
            if let Some(position) = self.build.source.positions.get_mut(id as usize) {
                position.offset = Some(colon.start);
            }
            let value = self.expr()?;
            height = height.max(key.height).max(value.height);
            entries.push(Entry { id, key: key.expr, value: value.expr, optional });
        }
        Ok(self.finish(Expr { id, kind: ExprKind::Map(entries) }, open.start, height))
    }

    /// Whether another element follows; takes commas and the closing bracket.
    fn comma_separated(&mut self, close: &str, first: bool) -> Parsed<bool> {
        let comma = self.eat(",");
        if self.eat(close) {
            return Ok(false);
        }
        if comma == first { Err(Stop::Syntax) } else { Ok(true) }
    }
}
