//! What is wrong with the parts that were read all the same: reserved names, constants out of
//! range, arguments of macros. Source: the visitor of cel-go's `parser/parser.go`.

use super::super::ast::{Call, Expr, ExprKind};
use super::super::issue::BEFORE;
use super::super::lexer::{Kind, Token};
use super::super::parser::{self, Builder, RESERVED};
use super::super::{Issue, macros};
use super::grammar::Rule;
use super::tree::{Child, Node, Tree};

/// Nodes below each other that cel-go's visitor allows.
const MAX_DEPTH: usize = 250;

/// The tree is too high.
struct TooHigh;

type Visited = Result<Expr, TooHigh>;

struct Visitor<'a> {
    tokens: &'a [Token<'a>],
    tree: &'a Tree,
    build: Builder,
    depth: usize,
}

/// The problems of the parts that were read.
pub(super) fn issues(tokens: &[Token<'_>], tree: &Tree, build: Builder) -> Vec<Issue> {
    let mut visitor = Visitor { tokens, tree, build, depth: 0 };
    if let Some(root) = tree.root()
        && visitor.child(root, 0).is_err()
    {
        let message = "max recursion depth exceeded".to_owned();
        visitor.build.issues.push(Issue { offset: None, message });
    }
    visitor.build.issues
}

impl<'a> Visitor<'a> {
    fn nodes(&self, node: &'a Node) -> impl Iterator<Item = &'a Node> + use<'a> {
        let tree = self.tree;
        node.children.iter().filter_map(|child| match child {
            Child::Node(number) => tree.node(*number),
            Child::Token(_) => None,
        })
    }

    fn tokens(&self, node: &'a Node) -> impl Iterator<Item = Option<&'a Token<'a>>> + use<'a> {
        let tokens = self.tokens;
        node.children.iter().filter_map(|child| match child {
            Child::Token(number) => Some(number.and_then(|number| tokens.get(number))),
            Child::Node(_) => None,
        })
    }

    /// The token of a node that is written like this.
    fn word(&self, node: &'a Node, word: &str) -> Option<&'a Token<'a>> {
        self.tokens(node).flatten().find(|token| token.text == word)
    }

    fn name_of(&self, node: &'a Node) -> Option<&'a Token<'a>> {
        self.tokens(node).flatten().find(|token| token.kind == Kind::Ident)
    }

    fn start(&self, node: &Node) -> Option<u32> {
        self.tokens.get(node.start).map(|token| token.start)
    }

    /// A node about which only its place is known.
    fn unknown(&mut self, offset: Option<u32>) -> Expr {
        Expr { id: self.build.id(offset), kind: ExprKind::Unspecified }
    }

    /// A node of which not even the kind is known.
    fn unread(&mut self) -> Expr {
        self.unknown(Some(BEFORE))
    }

    fn child(&mut self, node: &'a Node, index: usize) -> Visited {
        match self.nodes(node).nth(index) {
            Some(node) => self.visit(node),
            None => Ok(self.unread()),
        }
    }

    fn all(&mut self, node: &'a Node) -> Result<Vec<Expr>, TooHigh> {
        self.nodes(node).map(|child| self.visit(child)).collect()
    }

    /// Passes rules that only hold another one.
    fn visit(&mut self, mut node: &'a Node) -> Visited {
        loop {
            let holds = match node.rule {
                it if it == Rule::Expr as u8 => self.word(node, "?").is_none(),
                it if it == Rule::Or as u8 || it == Rule::And as u8 => {
                    self.tokens(node).next().is_none()
                }
                it if it == Rule::Relation as u8
                    || it == Rule::Calc as u8
                    || it == Rule::Member as u8 =>
                {
                    node.way.is_none()
                }
                it if it == Rule::Unary as u8 => node.way == Some(0),
                it if it == Rule::Primary as u8 => matches!(node.way, Some(2 | 6)),
                it if it == Rule::OptionalExpr as u8 => true,
                _ => false,
            };
            if !holds {
                break;
            }
            match self.nodes(node).next() {
                Some(inner) => node = inner,
                None => return Ok(self.unread()),
            }
        }
        let is = |rule: Rule| node.rule == rule as u8;
        if is(Rule::Or) || is(Rule::And) {
            let all = self.all(node)?;
            // UPSTREAM: chains are balanced, with the operator in the middle on top.
            let at = self.tokens(node).nth((all.len().saturating_sub(1)) / 2).flatten();
            return Ok(self.call(at, "", None, all));
        }
        if is(Rule::Unary) {
            return self.unary(node);
        }
        if is(Rule::Primary) {
            return self.primary(node);
        }
        if is(Rule::Literal) {
            return Ok(self.literal(node));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(TooHigh);
        }
        let expr = if is(Rule::Member) { self.member(node)? } else { self.operator(node)? };
        self.depth -= 1;
        Ok(expr)
    }

    fn call(
        &mut self,
        at: Option<&Token<'_>>,
        function: &str,
        target: Option<Expr>,
        args: Vec<Expr>,
    ) -> Expr {
        let id = self.build.id(at.map(|token| token.start));
        macros::expand(&mut self.build, id, function, target, args).unwrap_or_else(
            |(target, args)| {
                let call = Call { function: function.into(), target: target.map(Box::new), args };
                Expr { id, kind: ExprKind::Call(call) }
            },
        )
    }

    fn operator(&mut self, node: &'a Node) -> Visited {
        let operands = self.all(node)?;
        let at = self.tokens(node).flatten().next();
        Ok(self.call(at, "", None, operands))
    }

    fn unary(&mut self, node: &'a Node) -> Visited {
        if node.way.is_none() {
            let start = self.start(node);
            return Ok(self.unknown(start));
        }
        let signs = self.tokens(node).count();
        let operand = self.child(node, 0)?;
        if signs.is_multiple_of(2) {
            return Ok(operand);
        }
        let at = self.tokens(node).flatten().next();
        Ok(self.call(at, "", None, vec![operand]))
    }

    fn member(&mut self, node: &'a Node) -> Visited {
        let operand = self.child(node, 0)?;
        let at = self.tokens(node).flatten().next();
        match node.way {
            Some(3) => {
                let Some(name) = self.nodes(node).nth(1) else {
                    let start = self.start(node);
                    return Ok(self.unknown(start));
                };
                let field = self.field(name, name);
                if self.word(node, "?").is_some() {
                    return Ok(self.call(at, "_?._", None, vec![operand]));
                }
                let kind = ExprKind::Select {
                    operand: Box::new(operand),
                    field: field.unwrap_or_default().into(),
                    test_only: false,
                };
                Ok(Expr { id: self.build.id(at.map(|token| token.start)), kind })
            }
            Some(2) => {
                let name = self.name_of(node).map_or("", |token| token.text);
                let open = self.word(node, "(");
                let args = self.arguments(node, 1)?;
                Ok(self.call(open, name, Some(operand), args))
            }
            _ => {
                let index = self.child(node, 1)?;
                Ok(self.call(at, "", None, vec![operand, index]))
            }
        }
    }

    fn arguments(&mut self, node: &'a Node, at: usize) -> Result<Vec<Expr>, TooHigh> {
        match self.nodes(node).nth(at) {
            Some(list) => self.all(list),
            None => Ok(Vec::new()),
        }
    }

    /// The name of a field; none, and a problem at `place`, when it is not one.
    fn field(&mut self, name: &'a Node, place: &Node) -> Option<&'a str> {
        let token = self.tokens(name).flatten().next();
        let message = match (name.way, token) {
            (Some(0), Some(token)) => return Some(token.text),
            (Some(1), Some(token)) if self.build.options.escaped_fields => {
                return Some(token.text.trim_matches('`'));
            }
            (Some(1), Some(_)) => "unsupported syntax: '`'",
            _ => "unsupported ident kind",
        };
        let start = self.start(place);
        self.build.report(start, message);
        None
    }

    fn primary(&mut self, node: &'a Node) -> Visited {
        let at = self.tokens(node).flatten().next();
        match node.way {
            Some(0 | 1) => self.name(node),
            Some(3) => {
                let elements = self.arguments(node, 0)?;
                let id = self.build.id(at.map(|token| token.start));
                Ok(Expr { id, kind: ExprKind::List { elements, optional: Vec::new() } })
            }
            Some(4) => {
                let entries = self.nodes(node).next();
                self.pairs(node, entries, false)
            }
            Some(5) => {
                let fields = self.nodes(node).next();
                self.pairs(node, fields, true)
            }
            _ => Ok(self.unread()),
        }
    }

    fn name(&mut self, node: &'a Node) -> Visited {
        let start = self.start(node);
        let Some(token) = self.name_of(node) else { return Ok(self.unknown(start)) };
        if RESERVED.contains(&token.text) {
            let message = format!("reserved identifier: {}", token.text);
            return Ok(self.build.report(start, message));
        }
        let dot = if self.word(node, ".").is_some() { "." } else { "" };
        let name = format!("{dot}{}", token.text);
        if node.way == Some(0) {
            let id = self.build.id(Some(token.start));
            return Ok(Expr { id, kind: ExprKind::Ident(name.into()) });
        }
        let open = self.word(node, "(");
        let args = self.arguments(node, 0)?;
        Ok(self.call(open, &name, None, args))
    }

    /// Keys and values, of which the last may be missing.
    fn pairs(&mut self, node: &'a Node, list: Option<&'a Node>, fields: bool) -> Visited {
        let parts: Vec<&Node> = list.into_iter().flat_map(|list| self.nodes(list)).collect();
        for pair in parts.chunks(2) {
            let [key, value] = pair else { break };
            if !fields {
                self.visit(key)?;
            } else if let (Some(name), Some(list)) = (self.nodes(key).next(), list)
                && self.field(name, list).is_none()
            {
                continue;
            }
            self.visit(value)?;
        }
        let open = self.word(node, "{").map(|token| token.start);
        Ok(self.unknown(open))
    }

    fn literal(&mut self, node: &'a Node) -> Expr {
        let tokens: Vec<Token<'a>> = self.tokens(node).flatten().copied().collect();
        let start = self.start(node);
        parser::constant(&mut self.build, tokens).unwrap_or_else(|| self.unknown(start))
    }
}
