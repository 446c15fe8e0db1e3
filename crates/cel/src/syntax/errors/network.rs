//! The grammar as states and moves, and which tokens may come next.

use super::grammar::{Choose, GRAMMAR, Kinds, Part, RULES, Rule};

/// Stands in a set of kinds for the end of the rule.
pub(super) const RULE_END: Kinds = 1 << 63;

/// What a state stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Between two parts.
    Between,
    /// Before several ways.
    Ways(Choose),
    /// Before a part that may be left out.
    Optional,
    /// Before what is repeated once or more.
    SomeStart,
    /// Before a repetition that may be left out.
    ManyEntry(Choose),
    /// After a round of it.
    ManyBack,
    /// After a round of what is repeated once or more.
    SomeBack(Choose),
    /// The end of a rule.
    Stop,
}

/// What a move needs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Label {
    /// Nothing.
    Free,
    /// A token.
    Tokens(Kinds),
    /// A whole rule, after which the state named here follows.
    Rule { rule: u8, follow: u16, strength: u8 },
    /// An operator of this strength.
    Strength(u8),
}

/// A move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) label: Label,
    pub(super) to: u16,
}

/// A state.
#[derive(Debug)]
pub(super) struct State {
    pub(super) rule: u8,
    pub(super) place: Place,
    pub(super) moves: Vec<Move>,
}

/// All states.
#[derive(Debug)]
pub(super) struct Network {
    states: Vec<State>,
}

fn free(to: u16) -> Move {
    Move { label: Label::Free, to }
}

/// The first state of a rule; the end of the rule is the next one.
fn start(rule: u8) -> u16 {
    u16::from(rule) * 2
}

impl Network {
    pub(super) fn new() -> Self {
        let mut network = Self { states: Vec::with_capacity(256) };
        for rule in (0_u8..).take(RULES) {
            network.add(rule, Place::Between, Vec::new());
            network.add(rule, Place::Stop, Vec::new());
        }
        for (rule, parts) in (0_u8..).zip(GRAMMAR) {
            let end = network.add(rule, Place::Between, vec![free(start(rule) + 1)]);
            let first = network.sequence(rule, parts, end);
            network.connect(start(rule), free(first));
        }
        network.connect_ends();
        network
    }

    /// Every rule's end leads to wherever the rule is used.
    fn connect_ends(&mut self) {
        let uses: Vec<(u8, u16)> = self
            .states
            .iter()
            .flat_map(|state| &state.moves)
            .filter_map(|it| match it.label {
                Label::Rule { rule, follow, .. } => Some((rule, follow)),
                _ => None,
            })
            .collect();
        for (rule, follow) in uses {
            self.connect(start(rule) + 1, free(follow));
        }
    }

    pub(super) fn state(&self, number: u16) -> &State {
        const NONE: &State = &State { rule: 0, place: Place::Stop, moves: Vec::new() };
        self.states.get(usize::from(number)).unwrap_or(NONE)
    }

    pub(super) fn first_state() -> u16 {
        start(Rule::Start as u8)
    }

    fn add(&mut self, rule: u8, place: Place, moves: Vec<Move>) -> u16 {
        self.states.push(State { rule, place, moves });
        u16::try_from(self.states.len() - 1).unwrap_or_default()
    }

    fn connect(&mut self, from: u16, it: Move) {
        if let Some(state) = self.states.get_mut(usize::from(from)) {
            state.moves.push(it);
        }
    }

    /// Adds parts in front of a state and returns where they begin.
    fn sequence(&mut self, rule: u8, parts: &[Part], to: u16) -> u16 {
        parts.iter().rev().fold(to, |to, part| self.part(rule, part, to))
    }

    fn part(&mut self, rule: u8, part: &Part, to: u16) -> u16 {
        let label = match part {
            Part::Token(kind) => Label::Tokens(1 << kind),
            Part::OneOf(kinds) => Label::Tokens(*kinds),
            Part::Strength(strength) => Label::Strength(*strength),
            Part::Rule(called, strength) => {
                let called = *called as u8;
                let label = Label::Rule { rule: called, follow: to, strength: *strength };
                return self.add(rule, Place::Between, vec![Move { label, to: start(called) }]);
            }
            Part::Optional(parts) => {
                let ways = self.ways(rule, Place::Optional, &[parts], to);
                self.connect(ways, free(to));
                return ways;
            }
            Part::OneWay(choose, ways) => return self.ways(rule, Place::Ways(*choose), ways, to),
            Part::Many(choose, ways) => {
                let entry = self.add(rule, Place::ManyEntry(*choose), Vec::new());
                let back = self.add(rule, Place::ManyBack, vec![free(entry)]);
                let place =
                    if ways.len() > 1 { Place::Ways(Choose::Ahead) } else { Place::Between };
                let block = self.ways(rule, place, ways, back);
                self.connect(entry, free(block));
                self.connect(entry, free(to));
                return entry;
            }
            Part::Some(choose, parts) => {
                let back = self.add(rule, Place::SomeBack(*choose), Vec::new());
                let block = self.ways(rule, Place::SomeStart, &[parts], back);
                self.connect(back, free(block));
                self.connect(back, free(to));
                return block;
            }
        };
        self.add(rule, Place::Between, vec![Move { label, to }])
    }

    /// Ways that all end in one state, which leads on.
    fn ways(&mut self, rule: u8, place: Place, ways: &[&[Part]], to: u16) -> u16 {
        let end = self.add(rule, Place::Between, vec![free(to)]);
        let moves = ways.iter().map(|parts| free(self.sequence(rule, parts, end))).collect();
        self.add(rule, place, moves)
    }

    /// The tokens that may come next within the rule, and [`RULE_END`].
    pub(super) fn next(&self, from: u16) -> Kinds {
        let mut kinds = 0;
        let mut seen = vec![false; self.states.len()];
        let mut open = vec![from];
        while let Some(number) = open.pop() {
            let Some(seen) = seen.get_mut(usize::from(number)) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            let state = self.state(number);
            if state.place == Place::Stop {
                kinds |= RULE_END;
                continue;
            }
            for it in &state.moves {
                match it.label {
                    Label::Tokens(label) => kinds |= label,
                    // No rule is empty, so what follows it cannot come next.
                    _ => open.push(it.to),
                }
            }
        }
        kinds
    }

    /// The state after the rule that is used in a state.
    pub(super) fn follow(&self, number: u16) -> u16 {
        match self.state(number).moves.first().map(|it| it.label) {
            Some(Label::Rule { follow, .. }) => follow,
            _ => 1,
        }
    }

    /// Whether a loop is one of operators with strengths.
    pub(super) fn is_operator_loop(&self, number: u16) -> bool {
        let way = |number: u16| self.state(number).moves.first().map_or(0, |it| it.to);
        self.state(number).place == Place::ManyEntry(Choose::Ahead)
            && self
                .state(way(way(number)))
                .moves
                .iter()
                .any(|it| matches!(it.label, Label::Strength(_)))
    }
}
