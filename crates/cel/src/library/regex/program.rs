//! Tree to instructions.

use super::chars::{Class, fold};
use super::parse::{Assertion, Node};

/// More instructions are refused.
const MAX_SIZE: usize = 100_000;

/// One instruction.
#[derive(Debug)]
pub(super) enum Op {
    Char(char),
    /// A character whatever its case, folded.
    Folded(char),
    Any {
        newline: bool,
    },
    Class(usize),
    Assert(Assertion),
    /// Goes on at both places, the first preferred.
    Split(usize, usize),
    Jump(usize),
    Match,
}

#[derive(Debug, Default)]
pub(super) struct Program {
    pub(super) ops: Vec<Op>,
    pub(super) classes: Vec<Class>,
}

pub(super) fn compile(tree: &Node, pattern: &str) -> Result<Program, String> {
    let mut program = Program::default();
    program
        .emit(tree)
        .ok_or_else(|| format!("error parsing regexp: expression too large: `{pattern}`"))?;
    program.ops.push(Op::Match);
    Ok(program)
}

impl Program {
    fn push(&mut self, op: Op) -> Option<usize> {
        if self.ops.len() >= MAX_SIZE {
            return None;
        }
        self.ops.push(op);
        Some(self.ops.len() - 1)
    }

    fn set(&mut self, index: usize, op: Op) {
        if let Some(slot) = self.ops.get_mut(index) {
            *slot = op;
        }
    }

    /// `None` when the program grows too large.
    fn emit(&mut self, node: &Node) -> Option<()> {
        match node {
            Node::Empty => {}
            Node::Char { c, fold: false } => {
                self.push(Op::Char(*c))?;
            }
            Node::Char { c, fold: true } => {
                self.push(Op::Folded(fold(*c)))?;
            }
            Node::Any { newline } => {
                self.push(Op::Any { newline: *newline })?;
            }
            Node::Class(class) => {
                self.classes.push(class.clone());
                self.push(Op::Class(self.classes.len() - 1))?;
            }
            Node::Assert(assertion) => {
                self.push(Op::Assert(*assertion))?;
            }
            Node::Concat(nodes) => nodes.iter().try_for_each(|node| self.emit(node))?,
            Node::Alternate(nodes) => self.alternate(nodes)?,
            Node::Repeat { node, min, max, greedy } => self.repeat(node, *min, *max, *greedy)?,
        }
        Some(())
    }

    fn alternate(&mut self, nodes: &[Node]) -> Option<()> {
        let mut exits = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if index + 1 == nodes.len() {
                self.emit(node)?;
                continue;
            }
            let split = self.push(Op::Split(0, 0))?;
            self.emit(node)?;
            exits.push(self.push(Op::Jump(0))?);
            self.set(split, Op::Split(split + 1, self.ops.len()));
        }
        let end = self.ops.len();
        for exit in exits {
            self.set(exit, Op::Jump(end));
        }
        Some(())
    }

    fn split(&mut self, at: usize, body: usize, exit: usize, greedy: bool) {
        self.set(at, if greedy { Op::Split(body, exit) } else { Op::Split(exit, body) });
    }

    fn repeat(&mut self, node: &Node, min: u32, max: Option<u32>, greedy: bool) -> Option<()> {
        for _ in 0..min {
            self.emit(node)?;
        }
        let Some(max) = max else {
            let split = self.push(Op::Split(0, 0))?;
            self.emit(node)?;
            self.push(Op::Jump(split))?;
            self.split(split, split + 1, self.ops.len(), greedy);
            return Some(());
        };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.push(Op::Split(0, 0))?);
            self.emit(node)?;
        }
        let end = self.ops.len();
        for split in splits {
            self.split(split, split + 1, end, greedy);
        }
        Some(())
    }
}
