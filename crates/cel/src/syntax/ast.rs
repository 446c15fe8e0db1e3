//! The tree of an expression, with cel-go's ids and code point offsets.

use std::rc::Rc;

/// Number of a node; dense, starting at 1.
pub type ExprId = u32;

/// A parsed expression and where its parts stand.
#[derive(Clone, Debug)]
pub struct Ast {
    /// The whole.
    pub root: Expr,
    /// Positions and macro origins by id.
    pub source: SourceInfo,
}

/// A node.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// Its number.
    pub id: ExprId,
    /// What it is.
    pub kind: ExprKind,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// Stands where an error was reported.
    Unspecified,
    /// A constant.
    Literal(Literal),
    /// A name.
    Ident(Rc<str>),
    /// `operand.field`, or `has(operand.field)`.
    Select {
        /// What is looked into.
        operand: Box<Expr>,
        /// The field.
        field: Rc<str>,
        /// Whether only presence is asked.
        test_only: bool,
    },
    /// A function, operator or member call.
    Call(Call),
    /// `[a, ?b]`.
    List {
        /// Elements in order.
        elements: Vec<Expr>,
        /// Indexes of elements written with `?`.
        optional: Vec<usize>,
    },
    /// `{a: b, ?c: d}`.
    Map(Vec<Entry>),
    /// `Type{field: value}`.
    Struct {
        /// Type name as written.
        name: Rc<str>,
        /// Fields in order.
        fields: Vec<Field>,
    },
    /// A loop, made by a macro.
    Comprehension(Box<Comprehension>),
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Function or operator name, e.g. `_==_`.
    pub function: Rc<str>,
    /// Receiver of a member call.
    pub target: Option<Box<Expr>>,
    /// Arguments.
    pub args: Vec<Expr>,
}

/// An entry of a map literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Number of the colon.
    pub id: ExprId,
    /// Key.
    pub key: Expr,
    /// Value.
    pub value: Expr,
    /// Whether written with `?`.
    pub optional: bool,
}

/// A field of a struct literal.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Number of the colon.
    pub id: ExprId,
    /// Name.
    pub name: Rc<str>,
    /// Value.
    pub value: Expr,
    /// Whether written with `?`.
    pub optional: bool,
}

/// A loop over a range with an accumulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Comprehension {
    /// What is iterated.
    pub range: Expr,
    /// Variable for the element, key or index.
    pub iter_var: Rc<str>,
    /// Second variable for the element or value.
    pub iter_var2: Option<Rc<str>>,
    /// Name of the accumulator.
    pub accu_var: Rc<str>,
    /// Start value of the accumulator.
    pub accu_init: Expr,
    /// Whether to go on.
    pub condition: Expr,
    /// Next value of the accumulator.
    pub step: Expr,
    /// Value of the whole.
    pub result: Expr,
}

/// A constant as written.
#[derive(Clone, Debug)]
pub enum Literal {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// `1`.
    Int(i64),
    /// `1u`.
    Uint(u64),
    /// `1.0`.
    Double(f64),
    /// `"a"`.
    String(Rc<str>),
    /// `b"a"`.
    Bytes(Rc<[u8]>),
}

impl PartialEq for Literal {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(a), Self::Bool(b)) => a == b,
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Uint(a), Self::Uint(b)) => a == b,
            // Bit equality: two trees are the same only if their constants are.
            (Self::Double(a), Self::Double(b)) => a.to_bits() == b.to_bits(),
            (Self::String(a), Self::String(b)) => a == b,
            (Self::Bytes(a), Self::Bytes(b)) => a == b,
            _ => false,
        }
    }
}

/// Where a part of the text stands, in code points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extent {
    /// First code point.
    pub from: u32,
    /// One past the last.
    pub to: u32,
}

/// What is known of one id.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Position {
    /// cel-go's offset in code points, e.g. of the operator.
    pub offset: Option<u32>,
    /// The part of the text that the node stands for; none for nodes made by a macro.
    pub extent: Option<Extent>,
}

/// A macro call that was expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MacroCall {
    /// Id of the node that replaces the call.
    pub id: ExprId,
    /// Name of the macro.
    pub name: Rc<str>,
}

/// Positions by id.
#[derive(Clone, Debug, Default)]
pub struct SourceInfo {
    pub(crate) positions: Vec<Position>,
    pub(crate) macros: Vec<MacroCall>,
}

impl SourceInfo {
    /// The offset of a node in code points, 0-based.
    pub fn offset(&self, id: ExprId) -> Option<u32> {
        self.position(id).offset
    }

    /// The text a node stands for; none for nodes made by a macro.
    pub fn extent(&self, id: ExprId) -> Option<Extent> {
        self.position(id).extent
    }

    /// The macro calls that were expanded, inner ones first.
    pub fn macros(&self) -> &[MacroCall] {
        &self.macros
    }

    /// One past the highest id.
    pub fn end(&self) -> usize {
        self.positions.len()
    }

    fn position(&self, id: ExprId) -> Position {
        self.positions.get(id as usize).copied().unwrap_or_default()
    }
}

impl Expr {
    /// Calls `visit` for the node and everything below, parents first.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        let mut open = vec![self];
        while let Some(expr) = open.pop() {
            visit(expr);
            let start = open.len();
            expr.push_children(&mut open);
            if let Some(added) = open.get_mut(start..) {
                added.reverse();
            }
        }
    }

    pub(crate) fn push_children<'a>(&'a self, open: &mut Vec<&'a Expr>) {
        match &self.kind {
            ExprKind::Unspecified | ExprKind::Literal(_) | ExprKind::Ident(_) => {}
            ExprKind::Select { operand, .. } => open.push(operand),
            ExprKind::Call(call) => {
                open.extend(call.target.as_deref().into_iter().chain(&call.args));
            }
            ExprKind::List { elements, .. } => open.extend(elements),
            ExprKind::Map(entries) => {
                open.extend(entries.iter().flat_map(|entry| [&entry.key, &entry.value]));
            }
            ExprKind::Struct { fields, .. } => open.extend(fields.iter().map(|field| &field.value)),
            ExprKind::Comprehension(fold) => open.extend([
                &fold.range,
                &fold.accu_init,
                &fold.condition,
                &fold.step,
                &fold.result,
            ]),
        }
    }
}
