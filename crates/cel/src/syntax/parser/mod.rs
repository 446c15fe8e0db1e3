//! The parser for valid expressions.

mod aggregates;
mod constants;

use std::rc::Rc;

use super::ast::{Ast, Call, Expr, ExprId, ExprKind, Extent, Literal, Position, SourceInfo};
use super::lexer::{Kind, Token, tokenize};
use super::{Issue, ParseOptions, macros};

/// Open grammar rules of one kind, as cel-go's parser allows.
const MAX_DEPTH: usize = 250;

/// Names that cannot be variables.
pub(super) const RESERVED: [&str; 17] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "package",
    "namespace",
    "return",
    "var",
    "void",
    "while",
];

/// Why there is no tree.
pub(super) enum Failure {
    /// The text does not follow the grammar.
    Syntax,
    /// It does, but its parts are wrong.
    Issues(Vec<Issue>),
}

/// Why parsing stops at once.
enum Stop {
    Syntax,
    TooDeep,
    TooHigh,
}

type Parsed<T> = Result<T, Stop>;

/// A node while parsing.
struct Node {
    expr: Expr,
    extent: Extent,
    /// Height in the nodes that cel-go's visitor counts.
    height: usize,
}

impl Node {
    /// UPSTREAM: trees that are too high are refused after parsing; stopping at once also keeps
    /// them from being built.
    fn checked(self) -> Parsed<Self> {
        if self.height > MAX_DEPTH { Err(Stop::TooHigh) } else { Ok(self) }
    }

    /// Counts the node itself.
    fn grow(&mut self) -> Parsed<()> {
        self.height += 1;
        if self.height > MAX_DEPTH { Err(Stop::TooHigh) } else { Ok(()) }
    }
}

#[derive(Clone, Copy, Default)]
struct Depth {
    expr: usize,
    relation: usize,
    calc: usize,
}

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    depth: Depth,
    build: Builder,
}

/// Hands out ids and keeps positions.
pub(super) struct Builder {
    pub(super) options: ParseOptions,
    pub(super) source: SourceInfo,
    pub(super) issues: Vec<Issue>,
}

pub(super) fn parse(text: &str, options: ParseOptions) -> Result<Ast, Failure> {
    let tokens = tokenize(text).ok_or(Failure::Syntax)?;
    let build = Builder::new(options);
    let mut parser = Parser { tokens, at: 0, depth: Depth::default(), build };
    let limit =
        |message: &str| Failure::Issues(vec![Issue { offset: None, message: message.to_owned() }]);
    let node =
        parser.expr().and_then(|node| parser.end().map(|()| node)).map_err(|stop| match stop {
            // What is too high may have other problems, which come first.
            Stop::Syntax | Stop::TooHigh => Failure::Syntax,
            Stop::TooDeep => limit("expression recursion limit exceeded: 250"),
        })?;
    if parser.build.issues.is_empty() {
        Ok(Ast { root: node.expr, source: parser.build.source })
    } else {
        Err(Failure::Issues(parser.build.issues))
    }
}

/// Reads a constant from its tokens.
pub(super) fn constant(build: &mut Builder, tokens: Vec<Token<'_>>) -> Option<Expr> {
    let options = build.options;
    let build_of_parser = std::mem::replace(build, Builder::new(options));
    let mut parser = Parser { tokens, at: 0, depth: Depth::default(), build: build_of_parser };
    let node = parser.primary();
    *build = parser.build;
    node.ok().map(|node| node.expr)
}

impl Builder {
    pub(super) fn new(options: ParseOptions) -> Self {
        let source = SourceInfo { positions: vec![Position::default()], macros: Vec::new() };
        Self { options, source, issues: Vec::new() }
    }

    /// A new id at an offset.
    pub(super) fn id(&mut self, offset: Option<u32>) -> ExprId {
        self.source.positions.push(Position { offset, extent: None });
        ExprId::try_from(self.source.positions.len() - 1).unwrap_or(ExprId::MAX)
    }

    /// Forgets an id; the last one is handed out again.
    pub(super) fn delete(&mut self, id: ExprId) {
        if id as usize + 1 == self.source.positions.len() {
            self.source.positions.pop();
        } else if let Some(position) = self.source.positions.get_mut(id as usize) {
            *position = Position::default();
        }
    }

    /// Reports a problem and gives the node that stands in for the broken part.
    pub(super) fn report(&mut self, offset: Option<u32>, message: impl Into<String>) -> Expr {
        let id = self.id(offset);
        self.issues.push(Issue { offset, message: message.into() });
        Expr { id, kind: ExprKind::Unspecified }
    }

    fn cover(&mut self, id: ExprId, extent: Extent) {
        if let Some(position) = self.source.positions.get_mut(id as usize) {
            position.extent = Some(extent);
        }
    }
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Token<'a> {
        self.look(0)
    }

    fn look(&self, ahead: usize) -> Token<'a> {
        const END: Token<'static> = Token { kind: Kind::End, text: "", start: 0, end: 0 };
        self.tokens.get(self.at + ahead).or(self.tokens.last()).copied().unwrap_or(END)
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn is(&self, punct: &str) -> bool {
        matches!(self.peek().kind, Kind::Punct(text) if text == punct)
    }

    fn eat(&mut self, punct: &str) -> bool {
        let found = self.is(punct);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, punct: &str) -> Parsed<Token<'a>> {
        if self.is(punct) { Ok(self.take()) } else { Err(Stop::Syntax) }
    }

    fn end(&self) -> Parsed<()> {
        if self.peek().kind == Kind::End { Ok(()) } else { Err(Stop::Syntax) }
    }

    /// End of the token before.
    fn last_end(&self) -> u32 {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |token| token.end)
    }

    fn finish(&mut self, expr: Expr, from: u32, height: usize) -> Node {
        let extent = Extent { from, to: self.last_end() };
        // What a macro made already stands for its call; inner ids keep no text.
        self.build.cover(expr.id, extent);
        Node { expr, extent, height }
    }

    #[inline(never)]
    fn call(
        &mut self,
        id: ExprId,
        function: &str,
        target: Option<Node>,
        args: Vec<Node>,
        from: u32,
    ) -> Node {
        let height = target.iter().chain(&args).map(|node| node.height).max().unwrap_or(0);
        let target = target.map(|node| node.expr);
        let args = args.into_iter().map(|node| node.expr).collect();
        let expr = match macros::expand(&mut self.build, id, function, target, args) {
            Ok(expanded) => expanded,
            Err((target, args)) => {
                let call =
                    Call { function: Rc::from(function), target: target.map(Box::new), args };
                Expr { id, kind: ExprKind::Call(call) }
            }
        };
        self.finish(expr, from, height)
    }

    fn expr(&mut self) -> Parsed<Node> {
        let outer = self.depth;
        self.depth.expr += 1;
        self.enter_relation()?;
        self.enter_calc()?;
        if self.depth.expr > MAX_DEPTH {
            return Err(Stop::TooDeep);
        }
        let mut node = self.binary(OR)?;
        if self.is("?") {
            node = self.conditional(node)?;
        }
        self.depth = outer;
        Ok(node)
    }

    /// `? a : b` after its condition.
    #[inline(never)]
    fn conditional(&mut self, condition: Node) -> Parsed<Node> {
        let from = condition.extent.from;
        let token = self.take();
        let id = self.build.id(Some(token.start));
        let yes = self.binary(OR)?;
        self.expect(":")?;
        let no = self.expr()?;
        let mut node = self.call(id, "_?_:_", None, vec![condition, yes, no], from);
        node.grow()?;
        Ok(node)
    }

    fn enter_relation(&mut self) -> Parsed<()> {
        self.depth.relation += 1;
        if self.depth.relation > MAX_DEPTH { Err(Stop::TooDeep) } else { Ok(()) }
    }

    fn enter_calc(&mut self) -> Parsed<()> {
        self.depth.calc += 1;
        if self.depth.calc > MAX_DEPTH { Err(Stop::TooDeep) } else { Ok(()) }
    }

    /// Operands joined by operators that bind at least so strongly. One function for all strengths
    /// keeps the stack small.
    fn binary(&mut self, weakest: u8) -> Parsed<Node> {
        let mut left = self.unary()?;
        while let Some((function, strength)) = binary_function(self.peek().kind)
            && strength >= weakest
        {
            if strength <= AND {
                left = self.chain(left, function, strength)?;
                continue;
            }
            left = self.joined(left, function, strength)?;
        }
        Ok(left)
    }

    /// An operator and its right operand.
    #[inline(never)]
    fn joined(&mut self, left: Node, function: &str, strength: u8) -> Parsed<Node> {
        let token = self.take();
        let id = self.build.id(Some(token.start));
        let outer = self.depth;
        if strength == RELATION {
            self.enter_relation()?;
        } else {
            self.enter_calc()?;
        }
        let right = self.binary(strength + 1)?;
        self.depth = outer;
        let from = left.extent.from;
        let mut node = self.call(id, function, None, vec![left, right], from);
        node.grow()?;
        Ok(node)
    }

    /// A chain of `||` or `&&` after its first term.
    #[inline(never)]
    fn chain(&mut self, first: Node, function: &str, strength: u8) -> Parsed<Node> {
        let operator = self.peek().kind;
        let mut terms = vec![first];
        let mut ids = Vec::new();
        while self.peek().kind == operator {
            let token = self.take();
            terms.push(self.binary(strength + 1)?);
            // UPSTREAM: the operator is numbered after its right operand.
            ids.push(self.build.id(Some(token.start)));
        }
        let mut terms = terms.into_iter();
        self.balance(&function.into(), &ids, &mut terms).ok_or(Stop::Syntax)
    }

    /// Upstream balances chains so that they do not nest deeply.
    fn balance(
        &mut self,
        function: &Rc<str>,
        ids: &[ExprId],
        terms: &mut impl Iterator<Item = Node>,
    ) -> Option<Node> {
        if ids.is_empty() {
            return terms.next();
        }
        let middle = ids.len() / 2;
        let (before, rest) = ids.split_at_checked(middle)?;
        let (id, after) = rest.split_first()?;
        let left = self.balance(function, before, terms)?;
        let right = self.balance(function, after, terms)?;
        let extent = Extent { from: left.extent.from, to: right.extent.to };
        self.build.cover(*id, extent);
        let height = left.height.max(right.height);
        let call =
            Call { function: function.clone(), target: None, args: vec![left.expr, right.expr] };
        Some(Node { expr: Expr { id: *id, kind: ExprKind::Call(call) }, extent, height })
    }

    fn unary(&mut self) -> Parsed<Node> {
        let (punct, function) = match self.peek().kind {
            Kind::Punct("!") => ("!", "!_"),
            Kind::Punct("-") if !matches!(self.look(1).kind, Kind::Int | Kind::Float) => {
                ("-", "-_")
            }
            _ => return self.member(),
        };
        let first = self.peek();
        let mut count = 0_usize;
        while self.eat(punct) {
            count += 1;
        }
        if count.is_multiple_of(2) {
            let mut node = self.member()?;
            node.extent.from = first.start;
            self.build.cover(node.expr.id, node.extent);
            return Ok(node);
        }
        let id = self.build.id(Some(first.start));
        let operand = self.member()?;
        Ok(self.call(id, function, None, vec![operand], first.start))
    }

    fn member(&mut self) -> Parsed<Node> {
        let mut node = self.primary()?;
        loop {
            let from = node.extent.from;
            if self.is(".") {
                node = self.select(node, from)?;
            } else if self.is("[") {
                node = self.index(node, from)?;
            } else {
                return Ok(node);
            }
        }
    }

    /// `[index]` after what is indexed.
    #[inline(never)]
    fn index(&mut self, operand: Node, from: u32) -> Parsed<Node> {
        let open = self.take();
        let optional = self.eat("?");
        let id = self.build.id(Some(open.start));
        let index = self.expr()?;
        self.expect("]")?;
        let function = if optional { "_[?_]" } else { "_[_]" };
        let mut node = self.call(id, function, None, vec![operand, index], from);
        node.grow()?;
        Ok(node)
    }

    #[inline(never)]
    fn select(&mut self, operand: Node, from: u32) -> Parsed<Node> {
        let dot = self.take();
        let optional = self.eat("?");
        let name = self.take();
        let field = match name.kind {
            Kind::Ident => name.text,
            Kind::Escaped if self.build.options.escaped_fields => name.text.trim_matches('`'),
            Kind::Escaped => {
                self.build.report(Some(name.start), "unsupported syntax: '`'");
                ""
            }
            _ => return Err(Stop::Syntax),
        };
        let height = operand.height + 1;
        if optional {
            let text = self.literal(name.start, Literal::String(field.into()));
            let id = self.build.id(Some(dot.start));
            let args = vec![operand.expr, text.expr];
            let call = Call { function: "_?._".into(), target: None, args };
            let node = self.finish(Expr { id, kind: ExprKind::Call(call) }, from, height);
            return node.checked();
        }
        if name.kind == Kind::Ident && self.is("(") {
            let open = self.take();
            let id = self.build.id(Some(open.start));
            let args = self.arguments()?;
            let mut node = self.call(id, field, Some(operand), args, from);
            node.grow()?;
            return Ok(node);
        }
        let id = self.build.id(Some(dot.start));
        let kind = ExprKind::Select {
            operand: Box::new(operand.expr),
            field: field.into(),
            test_only: false,
        };
        self.finish(Expr { id, kind }, from, height).checked()
    }

    /// Arguments after the opening bracket, and the closing one.
    #[inline(never)]
    fn arguments(&mut self) -> Parsed<Vec<Node>> {
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.expr()?);
            if !self.eat(",") {
                self.expect(")")?;
                return Ok(args);
            }
        }
    }

    fn primary(&mut self) -> Parsed<Node> {
        let token = self.peek();
        match token.kind {
            Kind::Ident => self.name(token.start, ""),
            Kind::Punct(".") if self.look(1).kind == Kind::Ident => {
                self.take();
                self.name(token.start, ".")
            }
            Kind::Punct("(") => {
                self.take();
                let mut node = self.expr()?;
                self.expect(")")?;
                node.extent = Extent { from: token.start, to: self.last_end() };
                Ok(node)
            }
            Kind::Punct("[") => self.list(),
            Kind::Punct("{") => self.map(),
            Kind::Punct("-") => self.negative(),
            _ => self.constant(),
        }
    }

    /// An identifier, a call or a struct, after an optional leading dot.
    #[inline(never)]
    fn name(&mut self, from: u32, dot: &str) -> Parsed<Node> {
        if self.struct_follows() {
            return self.structure(from, dot);
        }
        let token = self.take();
        let reserved = RESERVED.contains(&token.text);
        let name = if dot.is_empty() { token.text.into() } else { format!("{dot}{}", token.text) };
        if self.is("(") {
            let open = self.take();
            if reserved {
                self.arguments_unseen()?;
                let expr = self.reserved(from, token.text);
                return Ok(self.finish(expr, from, 0));
            }
            let id = self.build.id(Some(open.start));
            let args = self.arguments()?;
            return Ok(self.call(id, &name, None, args, from));
        }
        let expr = if reserved {
            self.reserved(from, token.text)
        } else {
            let id = self.build.id(Some(token.start));
            Expr { id, kind: ExprKind::Ident(name.into()) }
        };
        Ok(self.finish(expr, from, 0))
    }

    fn reserved(&mut self, from: u32, name: &str) -> Expr {
        self.build.report(Some(from), format!("reserved identifier: {name}"))
    }

    /// Arguments that upstream does not look at because their function's name is reserved.
    fn arguments_unseen(&mut self) -> Parsed<()> {
        let issues = self.build.issues.len();
        let ids = self.build.source.positions.len();
        self.arguments()?;
        self.build.issues.truncate(issues);
        self.build.source.positions.truncate(ids);
        Ok(())
    }
}

/// Strengths of operators, weakest first.
const OR: u8 = 0;
const AND: u8 = 1;
const RELATION: u8 = 2;
const SUM: u8 = 3;
const PRODUCT: u8 = 4;

fn binary_function(kind: Kind) -> Option<(&'static str, u8)> {
    Some(match kind {
        Kind::Punct("||") => ("_||_", OR),
        Kind::Punct("&&") => ("_&&_", AND),
        Kind::Punct("==") => ("_==_", RELATION),
        Kind::Punct("!=") => ("_!=_", RELATION),
        Kind::Punct("<") => ("_<_", RELATION),
        Kind::Punct("<=") => ("_<=_", RELATION),
        Kind::Punct(">") => ("_>_", RELATION),
        Kind::Punct(">=") => ("_>=_", RELATION),
        Kind::Punct("in") => ("@in", RELATION),
        Kind::Punct("+") => ("_+_", SUM),
        Kind::Punct("-") => ("_-_", SUM),
        Kind::Punct("*") => ("_*_", PRODUCT),
        Kind::Punct("/") => ("_/_", PRODUCT),
        Kind::Punct("%") => ("_%_", PRODUCT),
        _ => return None,
    })
}
