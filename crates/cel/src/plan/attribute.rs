//! Chains of selects and indexes. Source: cel-go `interpreter/attributes.go`.

use std::rc::Rc;

use super::step::{Kind, Local, Step};
use crate::syntax::ExprId;
use crate::value::Key;

/// A root with qualifiers, resolved in one go.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    own_id: ExprId,
    pub(crate) root: Root,
    pub(crate) qualifiers: Vec<Rc<Qualifier>>,
    /// Id of the `has` that asks for the last qualifier.
    pub(crate) test: Option<ExprId>,
}

/// Where a chain begins.
#[derive(Clone, Debug)]
pub(crate) enum Root {
    /// A variable of the environment.
    Variable(usize),
    /// A variable of a loop.
    Local(Local),
    /// Anything else.
    Operand(Box<Step>),
    /// `c ? a : b`; further qualifiers belong to both branches.
    Conditional { condition: Box<Step>, yes: Box<Attribute>, no: Box<Attribute> },
}

/// One step of a chain.
#[derive(Clone, Debug)]
pub(crate) enum Qualifier {
    /// A constant.
    Key(KeyQualifier),
    /// Another chain.
    Attribute { id: ExprId, attribute: Attribute, optional: bool },
    /// The value of a call or the like; its id is that of the index.
    Computed { attribute: Attribute, optional: bool },
}

/// A constant field, key or index.
#[derive(Clone, Debug)]
pub(crate) struct KeyQualifier {
    pub(crate) id: ExprId,
    pub(crate) key: Key,
    pub(crate) optional: bool,
    pub(crate) test_only: bool,
}

impl Qualifier {
    pub(crate) fn id(&self) -> ExprId {
        match self {
            Self::Key(key) => key.id,
            Self::Attribute { id, .. } => *id,
            Self::Computed { attribute, .. } => attribute.own_id,
        }
    }

    pub(crate) fn is_optional(&self) -> bool {
        match self {
            Self::Key(key) => key.optional,
            Self::Attribute { optional, .. } | Self::Computed { optional, .. } => *optional,
        }
    }
}

impl Attribute {
    pub(super) fn new(id: ExprId, root: Root) -> Self {
        Self { own_id: id, root, qualifiers: Vec::new(), test: None }
    }

    /// The id under which the value is known: that of the last qualifier.
    pub(crate) fn id(&self) -> ExprId {
        match &self.root {
            Root::Conditional { yes, no, .. } if yes.id() == no.id() => yes.id(),
            Root::Conditional { .. } => self.own_id,
            _ => self.qualifiers.last().map_or(self.own_id, |qualifier| qualifier.id()),
        }
    }

    /// The id of the root itself.
    pub(crate) fn root_id(&self) -> ExprId {
        self.own_id
    }

    pub(super) fn qualify(&mut self, qualifier: &Rc<Qualifier>) {
        match &mut self.root {
            Root::Conditional { yes, no, .. } => {
                yes.qualify(qualifier);
                no.qualify(qualifier);
            }
            _ => self.qualifiers.push(qualifier.clone()),
        }
    }

    pub(super) fn into_step(self) -> Step {
        Step { id: self.test.unwrap_or_else(|| self.id()), kind: Kind::Attribute(self) }
    }
}
