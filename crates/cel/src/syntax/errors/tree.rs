//! What was read, in the shape of the grammar.

/// A part of a node.
#[derive(Clone, Copy, Debug)]
pub(super) enum Child {
    /// A token, by its number; none for one that was taken as written.
    Token(Option<usize>),
    /// What a rule read.
    Node(usize),
}

/// What a rule read, or an operator with its operands.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) rule: u8,
    /// The way that was chosen, or the strength of the operator; none when nothing fitted.
    pub(super) way: Option<usize>,
    /// Number of the first token.
    pub(super) start: usize,
    pub(super) children: Vec<Child>,
}

/// All nodes; children before their parents.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    open: Vec<Node>,
}

impl Tree {
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), open: Vec::new() }
    }

    pub(super) fn enter(&mut self, rule: u8, start: usize) {
        self.open.push(Node { rule, way: None, start, children: Vec::new() });
    }

    pub(super) fn leave(&mut self) {
        if let Some(node) = self.open.pop() {
            self.nodes.push(node);
            self.child(Child::Node(self.nodes.len() - 1));
        }
    }

    /// Makes what was read so far the first operand of what follows.
    pub(super) fn wrap(&mut self, strength: u8) {
        if let Some(node) = self.open.pop() {
            let (rule, start) = (node.rule, node.start);
            self.nodes.push(node);
            let children = vec![Child::Node(self.nodes.len() - 1)];
            self.open.push(Node { rule, way: Some(usize::from(strength)), start, children });
        }
    }

    pub(super) fn choose(&mut self, way: usize) {
        if let Some(node) = self.open.last_mut()
            && node.children.is_empty()
        {
            node.way = Some(way);
        }
    }

    pub(super) fn token(&mut self, token: Option<usize>) {
        self.child(Child::Token(token));
    }

    fn child(&mut self, child: Child) {
        if let Some(node) = self.open.last_mut() {
            node.children.push(child);
        }
    }

    pub(super) fn node(&self, number: usize) -> Option<&Node> {
        self.nodes.get(number)
    }

    /// The whole, once all rules are left.
    pub(super) fn root(&self) -> Option<&Node> {
        self.nodes.last()
    }
}
