//! Which way to take where the next token does not tell.
//!
//! All ways are followed at once, token by token, until one is left. Source: the adaptive
//! prediction of ANTLR (Parr, Harwell, Fisher: "Adaptive LL(*) Parsing"): at first without knowing
//! from where the rule was called, and again with that knowledge when two ways cannot be told apart.

use super::grammar::{END, Kinds};
use super::network::{Label, Network, Place};
use super::stacks::{EMPTY, Known, REST, Stacks};

/// Steps and comparisons after which no more is looked at.
const MAX_WORK: usize = 20_000_000;

/// A way that is still open: where it has come to, and where it returns to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    state: u16,
    way: u8,
    /// Whether it has left the rule that decides.
    outside: bool,
    stacks: Stacks,
}

/// What is known of a set of open ways.
#[derive(Debug)]
struct Met {
    open: Vec<Open>,
    after: Vec<(u8, Option<usize>)>,
}

/// What follows from the tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// A way, from 0.
    Way(usize),
    /// None fits; the token at this place ahead, from 0, is the first that does not.
    None(usize),
    /// Too much work.
    TooLong,
}

/// How a set of ways is followed.
#[derive(Clone, Copy)]
struct How {
    /// Whether the stacks are complete.
    full: bool,
    /// Whether the end of the text was read: nothing needs to follow it.
    at_end: bool,
    /// Strength that operators of the deciding loop must have.
    strength: Option<u8>,
}

/// Remembers what was met in one text.
#[derive(Debug)]
pub(super) struct Predictor {
    known: Known,
    met: Vec<Met>,
    starts: Vec<(u16, u8, usize)>,
}

impl Predictor {
    pub(super) fn new() -> Self {
        Self { known: Known::new(), met: Vec::new(), starts: Vec::new() }
    }

    /// Chooses a way at a state. `tokens` are those from here on; `returns` the states after the
    /// rules that are open, outermost first.
    pub(super) fn choose(
        &mut self,
        network: &Network,
        state: u16,
        strength: u8,
        tokens: &[u8],
        returns: &[u16],
    ) -> Choice {
        let mut current = self.start(network, state, strength);
        let mut ahead = 0;
        loop {
            if self.known.work > MAX_WORK {
                return Choice::TooLong;
            }
            let token = tokens.get(ahead).copied().unwrap_or(END);
            let Some(next) = self.after(network, current, token) else {
                return self.left(network, self.open(current), ahead);
            };
            let open = self.open(next);
            if let Some(way) = only_way(open) {
                return Choice::Way(way);
            }
            if in_conflict(network, open) {
                return self.choose_fully(network, state, strength, tokens, returns);
            }
            current = next;
            ahead += usize::from(token != END);
        }
    }

    fn open(&self, at: usize) -> &[Open] {
        self.met.get(at).map_or(&[], |met| met.open.as_slice())
    }

    fn start(&mut self, network: &Network, state: u16, strength: u8) -> usize {
        let known = self.starts.iter().find(|it| (it.0, it.1) == (state, strength));
        if let Some((_, _, at)) = known {
            return *at;
        }
        let mut open = self.begin(network, state, strength, EMPTY, false);
        if network.is_operator_loop(state) {
            // An operator that the loop itself takes is not left to a loop further out.
            let taken: Vec<Open> = open.iter().filter(|it| it.way == 0).copied().collect();
            open.retain(|it| {
                let same = |other: &Open| (other.state, other.stacks) == (it.state, it.stacks);
                it.way == 0 || !taken.iter().any(same)
            });
        }
        let at = self.number(open);
        self.starts.push((state, strength, at));
        at
    }

    fn begin(
        &mut self,
        network: &Network,
        state: u16,
        strength: u8,
        stacks: Stacks,
        full: bool,
    ) -> Vec<Open> {
        let how = How { full, at_end: false, strength: Some(strength) };
        let mut all = Vec::new();
        for (way, it) in (0..).zip(&network.state(state).moves) {
            let mut seen = Vec::new();
            self.close(
                network,
                Open { state: it.to, way, outside: false, stacks },
                how,
                &mut all,
                &mut seen,
            );
        }
        all
    }

    fn number(&mut self, open: Vec<Open>) -> usize {
        self.known.work += self.met.len();
        self.met.iter().position(|met| met.open == open).unwrap_or_else(|| {
            self.met.push(Met { open, after: Vec::new() });
            self.met.len() - 1
        })
    }

    fn after(&mut self, network: &Network, at: usize, token: u8) -> Option<usize> {
        self.known.work += 1;
        let met = self.met.get(at)?;
        if let Some((_, next)) = met.after.iter().find(|(known, _)| *known == token) {
            return *next;
        }
        let open = met.open.clone();
        let next = self.reach(network, &open, token, false);
        let next = (!next.is_empty()).then(|| self.number(next));
        if let Some(met) = self.met.get_mut(at) {
            met.after.push((token, next));
        }
        next
    }

    /// The same with complete stacks.
    fn choose_fully(
        &mut self,
        network: &Network,
        state: u16,
        strength: u8,
        tokens: &[u8],
        returns: &[u16],
    ) -> Choice {
        let stacks = returns.iter().fold(EMPTY, |below, state| self.known.push(below, *state));
        let mut open = self.begin(network, state, strength, stacks, true);
        let mut ahead = 0;
        loop {
            if self.known.work > MAX_WORK {
                return Choice::TooLong;
            }
            let token = tokens.get(ahead).copied().unwrap_or(END);
            let next = self.reach(network, &open, token, true);
            if next.is_empty() {
                return self.left(network, &open, ahead);
            }
            if let Some(way) = only_way(&next).or_else(|| first_of_each(&next)) {
                return Choice::Way(way);
            }
            open = next;
            ahead += usize::from(token != END);
        }
    }

    /// What is open after a token.
    fn reach(&mut self, network: &Network, open: &[Open], token: u8, full: bool) -> Vec<Open> {
        let mut stopped = Vec::new();
        let mut moved = Vec::new();
        let kind: Kinds = 1 << token;
        for it in open {
            let state = network.state(it.state);
            if state.place == Place::Stop {
                if full || token == END {
                    stopped.push(*it);
                }
                continue;
            }
            for step in &state.moves {
                if matches!(step.label, Label::Tokens(kinds) if kinds & kind != 0) {
                    self.add(&mut moved, Open { state: step.to, ..*it }, full);
                }
            }
        }
        if stopped.is_empty() && token != END && (moved.len() == 1 || only_way(&moved).is_some()) {
            return moved;
        }
        let how = How { full, at_end: token == END, strength: None };
        let mut all = Vec::new();
        let mut seen = Vec::new();
        for it in moved {
            self.close(network, it, how, &mut all, &mut seen);
        }
        let is_stop = |it: &Open| network.state(it.state).place == Place::Stop;
        if token == END {
            all.retain(is_stop);
        }
        if !full || !all.iter().any(is_stop) {
            for it in stopped {
                self.add(&mut all, it, full);
            }
        }
        all
    }

    fn add(&mut self, all: &mut Vec<Open>, it: Open, full: bool) {
        self.known.work += 1;
        match all.iter_mut().find(|other| (other.state, other.way) == (it.state, it.way)) {
            Some(other) => {
                other.stacks = self.known.merge(other.stacks, it.stacks, !full);
                other.outside |= it.outside;
            }
            None => all.push(it),
        }
    }

    /// Adds all that a way comes to without reading a token.
    fn close(
        &mut self,
        network: &Network,
        first: Open,
        how: How,
        all: &mut Vec<Open>,
        seen: &mut Vec<(Open, bool)>,
    ) {
        let mut todo = vec![(first, 0_i8)];
        while let Some((it, depth)) = todo.pop() {
            self.known.work += 1;
            if seen.contains(&(it, depth == 0)) {
                continue;
            }
            seen.push((it, depth == 0));
            if network.state(it.state).place != Place::Stop {
                self.moves(network, it, depth, how, all, &mut todo);
                continue;
            }
            for (top, below) in self.known.tops(it.stacks).to_vec() {
                if top != REST {
                    todo.push((Open { state: top, stacks: below, ..it }, depth));
                } else if how.full {
                    self.add(all, Open { stacks: EMPTY, ..it }, true);
                } else {
                    self.moves(network, it, depth, how, all, &mut todo);
                }
            }
        }
    }

    /// Adds a way itself when it needs a token, and where it can go without one.
    fn moves(
        &mut self,
        network: &Network,
        it: Open,
        depth: i8,
        how: How,
        all: &mut Vec<Open>,
        todo: &mut Vec<(Open, i8)>,
    ) {
        let state = network.state(it.state);
        let stops = state.place == Place::Stop;
        let needs = |label| matches!(label, Label::Tokens(_));
        if state.moves.is_empty() || state.moves.iter().any(|step| needs(step.label)) {
            self.add(all, it, how.full);
        }
        for (index, step) in state.moves.iter().enumerate() {
            if index == 0 && self.is_left_to_outer_loop(network, it) {
                continue;
            }
            let next = Open { state: step.to, ..it };
            match step.label {
                Label::Free if stops => {
                    todo.push((Open { outside: true, ..next }, depth.saturating_sub(1)));
                }
                Label::Free => todo.push((next, depth)),
                Label::Strength(strength) => {
                    if depth != 0 || how.strength.is_none_or(|least| strength >= least) {
                        todo.push((next, depth));
                    }
                }
                Label::Rule { follow, .. } => {
                    let stacks = self.known.push(it.stacks, follow);
                    let depth = if depth >= 0 { depth.saturating_add(1) } else { depth };
                    todo.push((Open { stacks, ..next }, depth));
                }
                Label::Tokens(kinds) => {
                    if how.at_end && kinds & 1 << END != 0 {
                        todo.push((next, depth));
                    }
                }
            }
        }
    }

    /// What is chosen when no way goes on: the first that is done with the rule that decides.
    fn left(&self, network: &Network, open: &[Open], ahead: usize) -> Choice {
        let is_done = |it: &&Open| {
            let ends = network.state(it.state).place == Place::Stop;
            it.outside || ends && self.known.tops(it.stacks).iter().any(|(top, _)| *top == REST)
        };
        let way = open.iter().filter(is_done).map(|it| it.way).min();
        way.map_or(Choice::None(ahead), |way| Choice::Way(usize::from(way)))
    }

    /// Whether the loop of an operand need not take an operator, because the loop around it does.
    fn is_left_to_outer_loop(&self, network: &Network, it: Open) -> bool {
        network.is_operator_loop(it.state)
            && self.known.tops(it.stacks).iter().all(|(top, _)| {
                *top != REST && network.state(*top).rule == network.state(it.state).rule
            })
    }
}

/// The way that all open ones belong to.
fn only_way(open: &[Open]) -> Option<usize> {
    let way = open.first()?.way;
    open.iter().all(|it| it.way == way).then_some(usize::from(way))
}

/// Whether some ways have come to the same, and none has a state for itself.
fn in_conflict(network: &Network, open: &[Open]) -> bool {
    if open.iter().all(|it| network.state(it.state).place == Place::Stop) {
        return true;
    }
    let other = |it: &Open, same: &dyn Fn(&Open) -> bool| {
        open.iter().any(|other| other.way != it.way && same(other))
    };
    open.iter().any(|it| other(it, &|o| (o.state, o.stacks) == (it.state, it.stacks)))
        && open.iter().all(|it| other(it, &|o| o.state == it.state))
}

/// The first way of each group that has come to the same, when it is the same for all groups.
fn first_of_each(open: &[Open]) -> Option<usize> {
    let first = |it: &Open| {
        let same = open.iter().filter(|o| (o.state, o.stacks) == (it.state, it.stacks));
        same.map(|o| o.way).min()
    };
    let way = first(open.first()?)?;
    open.iter().all(|it| first(it) == Some(way)).then_some(usize::from(way))
}
