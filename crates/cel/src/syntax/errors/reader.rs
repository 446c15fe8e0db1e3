//! Reads tokens by the grammar and goes on after problems, as ANTLR does by default: it leaves a
//! token out, takes one as written, or skips to where an open rule can go on.
//! Source: `error_strategy.go` of ANTLR's runtime for Go; the limits: cel-go `parser/parser.go`.

use super::super::issue::Issue;
use super::super::lexer::{Kind, Token};
use super::grammar::{self, Choose, END, Kinds, Rule, describe};
use super::network::{Label, Move, Network, Place, RULE_END};
use super::predict::{Choice, Predictor};
use super::tree::Tree;

/// Open rules of one kind.
const MAX_DEPTH: u16 = 250;
/// Problems that are told.
const MAX_REPORTS: usize = 100;
/// Attempts to go on.
const MAX_ATTEMPTS: usize = 30;
/// Tokens skipped in one attempt.
const MAX_SKIPPED: usize = 256;

/// The next state, or why the rule is left.
type Stepped = Result<u16, Problem>;

/// Why reading ends before the text does. What had to be said was said.
pub(super) struct Halt;

/// Why a rule is left before its end.
enum Problem {
    /// A token that is not expected.
    Mismatch,
    /// No way fits, from the current token to the one so far ahead.
    NoWay(usize),
}

struct Frame {
    rule: u8,
    strength: u8,
    /// The state that used the rule; none for the first one.
    from: Option<u16>,
}

pub(super) struct Reader<'a> {
    network: Network,
    predictor: Predictor,
    source: &'a str,
    tokens: &'a [Token<'a>],
    kinds: Vec<u8>,
    /// Parts of the text that are no token, and the number of the token that follows.
    unknown: &'a [(usize, Token<'a>)],
    at: usize,
    state: u16,
    frames: Vec<Frame>,
    depths: [u16; grammar::RULES],
    recovering: bool,
    last_error: Option<usize>,
    last_states: Vec<u16>,
    attempts: usize,
    reports: usize,
    told: usize,
    pub(super) tree: Tree,
    pub(super) issues: Vec<Issue>,
}

fn kind_of(token: &Token<'_>) -> u8 {
    match token.kind {
        Kind::End => END,
        Kind::Ident => grammar::IDENT,
        Kind::Escaped => grammar::ESCAPED,
        Kind::Int => grammar::INT,
        Kind::Uint => grammar::UINT,
        Kind::Float => grammar::FLOAT,
        Kind::String => grammar::STRING,
        Kind::Bytes => grammar::BYTES,
        Kind::True | Kind::False | Kind::Null | Kind::Punct(_) => grammar::word(token.text),
    }
}

/// A piece of text as messages show it.
fn quoted(text: &str) -> String {
    let text = if text.is_empty() { "<EOF>" } else { text };
    format!("'{}'", text.replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        source: &'a str,
        tokens: &'a [Token<'a>],
        unknown: &'a [(usize, Token<'a>)],
    ) -> Self {
        Self {
            network: Network::new(),
            predictor: Predictor::new(),
            source,
            tokens,
            kinds: tokens.iter().map(kind_of).collect(),
            unknown,
            at: 0,
            state: 0,
            frames: Vec::new(),
            depths: [0; grammar::RULES],
            recovering: false,
            last_error: None,
            last_states: Vec::new(),
            attempts: 0,
            reports: 0,
            told: 0,
            tree: Tree::new(),
            issues: Vec::new(),
        }
    }

    /// Reads the whole text.
    pub(super) fn read(&mut self) -> Result<(), Halt> {
        self.fetch(0)?;
        self.enter(Rule::Start as u8, 0, None)?;
        let mut next = Network::first_state();
        loop {
            let stop = self.network.state(next).place == Place::Stop;
            if stop {
                let Some(frame) = self.leave() else { return Ok(()) };
                let Some(from) = frame.from else { return Ok(()) };
                next = self.network.follow(from);
                continue;
            }
            next = match self.step(next)? {
                Ok(next) => next,
                Err(problem) => {
                    self.report(&problem)?;
                    self.recover()?;
                    let rule = self.frames.last().map_or(0, |frame| frame.rule);
                    u16::from(rule) * 2 + 1
                }
            };
        }
    }

    fn enter(&mut self, rule: u8, strength: u8, from: Option<u16>) -> Result<(), Halt> {
        self.frames.push(Frame { rule, strength, from });
        self.tree.enter(rule, self.at);
        if let Some(depth) = self.depths.get_mut(usize::from(rule)) {
            *depth += 1;
            if *depth > MAX_DEPTH {
                return self.halt("expression recursion limit exceeded: 250");
            }
        }
        Ok(())
    }

    fn leave(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.tree.leave();
        if let Some(depth) = self.depths.get_mut(usize::from(frame.rule)) {
            *depth -= 1;
        }
        Some(frame)
    }

    /// Ends reading with a problem that has no place.
    fn halt<T>(&mut self, message: &str) -> Result<T, Halt> {
        self.issues.push(Issue { offset: None, message: message.to_owned() });
        Err(Halt)
    }

    /// Goes on from a state.
    fn step(&mut self, number: u16) -> Result<Stepped, Halt> {
        let state = self.network.state(number);
        let place = state.place;
        let Some(first) = state.moves.first().copied() else { return Ok(Ok(number)) };
        self.state = number;
        if place == Place::Between {
            return self.take(number, first);
        }
        if !self.sync(place)? {
            return Ok(Err(Problem::Mismatch));
        }
        match place {
            // After a round the loop decides anew, but is not checked again.
            Place::ManyBack => self.choose(first.to),
            Place::SomeStart => Ok(Ok(first.to)),
            Place::SomeBack(_) => {
                let next = self.choose(number)?;
                Ok(next.map(|next| if next == first.to { self.only(next) } else { next }))
            }
            _ => self.choose(number),
        }
    }

    fn only(&self, number: u16) -> u16 {
        self.network.state(number).moves.first().map_or(number, |it| it.to)
    }

    /// Makes the only move of a state.
    fn take(&mut self, number: u16, it: Move) -> Result<Stepped, Halt> {
        match it.label {
            Label::Free => {}
            Label::Strength(strength) => self.tree.wrap(strength),
            Label::Rule { rule, strength, .. } => self.enter(rule, strength, Some(number))?,
            Label::Tokens(kinds) if kinds >> self.kind(0) & 1 == 1 => {
                self.end_recovery();
                self.tree.token(Some(self.at));
                self.consume()?;
            }
            Label::Tokens(_) => {
                if !self.recover_inline(it.to)? {
                    return Ok(Err(Problem::Mismatch));
                }
            }
        }
        Ok(Ok(it.to))
    }

    fn choose(&mut self, number: u16) -> Result<Stepped, Halt> {
        let state = self.network.state(number);
        let place = state.place;
        let ways: Vec<u16> = state.moves.iter().map(|it| it.to).collect();
        let way = match place {
            Place::Ways(Choose::Ahead)
            | Place::ManyEntry(Choose::Ahead)
            | Place::SomeBack(Choose::Ahead) => match self.predict(number)? {
                Ok(way) => way,
                Err(problem) => return Ok(Err(problem)),
            },
            _ => {
                let kind = self.kind(0);
                let fits = |to: &u16| self.network.next(*to) >> kind & 1 == 1;
                match ways.iter().position(fits) {
                    Some(way) => way,
                    None if matches!(place, Place::Ways(_)) => return Ok(Err(Problem::NoWay(0))),
                    None => ways.len() - 1,
                }
            }
        };
        let to = ways.get(way).copied().unwrap_or(number);
        if matches!(place, Place::Ways(_)) {
            self.tree.choose(way);
        }
        Ok(Ok(to))
    }

    fn predict(&mut self, number: u16) -> Result<Result<usize, Problem>, Halt> {
        let strength = self.frames.last().map_or(0, |frame| frame.strength);
        let follows = |frame: &Frame| frame.from.map(|from| self.network.follow(from));
        let returns: Vec<u16> = self.frames.iter().filter_map(follows).collect();
        let tokens = self.kinds.get(self.at..).unwrap_or_default();
        match self.predictor.choose(&self.network, number, strength, tokens, &returns) {
            Choice::Way(way) => Ok(Ok(way)),
            Choice::None(ahead) => Ok(Err(Problem::NoWay(ahead))),
            Choice::TooLong => self.halt("Syntax error: the expression is not valid"),
        }
    }

    fn kind(&self, ahead: usize) -> u8 {
        self.kinds.get(self.at + ahead).copied().unwrap_or(END)
    }

    fn consume(&mut self) -> Result<(), Halt> {
        if self.kind(0) != END {
            self.at += 1;
            self.fetch(0)?;
        }
        Ok(())
    }

    /// Tells of what stands before a token ahead and is none.
    fn fetch(&mut self, ahead: usize) -> Result<(), Halt> {
        while let Some((before, part)) = self.unknown.get(self.told)
            && *before <= self.at + ahead
        {
            self.told += 1;
            self.tell(part.start, format!("token recognition error at: '{}'", part.text))?;
        }
        Ok(())
    }

    fn tell(&mut self, offset: u32, message: String) -> Result<(), Halt> {
        self.reports += 1;
        let halts = self.reports > MAX_REPORTS;
        let message =
            if halts { format!("More than {MAX_REPORTS} syntax errors") } else { message };
        let message = format!("Syntax error: {message}");
        self.issues.push(Issue { offset: Some(offset), message });
        if halts { Err(Halt) } else { Ok(()) }
    }

    fn token(&self, ahead: usize) -> Option<&'a Token<'a>> {
        self.tokens.get(self.at + ahead).or(self.tokens.last())
    }

    /// Tells of a problem at the current token, unless one was told and nothing was read since.
    fn tell_here(
        &mut self,
        ahead: usize,
        message: impl FnOnce(&Self) -> String,
    ) -> Result<(), Halt> {
        if std::mem::replace(&mut self.recovering, true) {
            return Ok(());
        }
        let offset = self.token(ahead).map_or(0, |token| token.start);
        let message = message(self);
        self.tell(offset, message)
    }

    fn shown(&self) -> String {
        quoted(self.token(0).map_or("", |token| token.text))
    }

    fn report(&mut self, problem: &Problem) -> Result<(), Halt> {
        match problem {
            Problem::Mismatch => self.tell_here(0, |this| {
                format!("mismatched input {} expecting {}", this.shown(), this.wanted())
            }),
            Problem::NoWay(ahead) => self.tell_here(*ahead, |this| this.no_way(*ahead)),
        }
    }

    fn no_way(&self, ahead: usize) -> String {
        let text = if self.kind(0) == END { String::new() } else { self.text(ahead) };
        let word = text.char_indices().nth(1).and_then(|(at, _)| text.get(at..));
        // UPSTREAM: cel-go rewrites the message for words that are constants.
        if let Some(word @ ("true" | "false" | "null")) = word {
            return format!("mismatched input '{word}' expecting IDENTIFIER");
        }
        format!("no viable alternative at input {}", quoted(&text))
    }

    /// The text from the current token to one ahead, without what is no token.
    fn text(&self, ahead: usize) -> String {
        let from = self.token(0).map_or(0, |token| token.start);
        let to = self.token(ahead).map_or(0, |token| token.end);
        let known = |at: u32| {
            at >= from
                && at < to
                && !self.unknown.iter().any(|(_, it)| at >= it.start && at < it.end)
        };
        let chars = (0..).zip(self.source.chars());
        chars.filter(|(at, _)| known(*at)).map(|(_, c)| c).collect()
    }

    fn wanted(&self) -> String {
        describe(self.expected(self.state))
    }

    /// What may come next after a state, in view of the rules that are open.
    fn expected(&self, state: u16) -> Kinds {
        let mut all = self.network.next(state);
        for frame in self.frames.iter().rev() {
            if all & RULE_END == 0 {
                break;
            }
            all &= !RULE_END;
            all |= frame.from.map_or(1 << END, |from| self.network.next(self.network.follow(from)));
        }
        all
    }

    /// What may come after any of the open rules.
    fn after_rules(&self) -> Kinds {
        let follows = self.frames.iter().filter_map(|frame| frame.from);
        let all = follows.fold(0, |all, from| all | self.network.next(self.network.follow(from)));
        all & !RULE_END
    }

    fn end_recovery(&mut self) {
        self.recovering = false;
        self.last_error = None;
        self.last_states.clear();
    }

    /// Checks the next token where several may follow; false when the rule cannot go on.
    fn sync(&mut self, place: Place) -> Result<bool, Halt> {
        let next = self.network.next(self.state);
        if self.recovering || next & RULE_END != 0 || next >> self.kind(0) & 1 == 1 {
            return Ok(true);
        }
        if !matches!(place, Place::ManyBack | Place::SomeBack(_)) {
            return self.delete();
        }
        self.tell_unwanted()?;
        self.skip(self.expected(self.state) | self.after_rules(), usize::MAX)?;
        Ok(true)
    }

    fn tell_unwanted(&mut self) -> Result<(), Halt> {
        self.tell_here(0, |this| {
            format!("extraneous input {} expecting {}", this.shown(), this.wanted())
        })
    }

    /// Leaves out a token if the one after it is expected.
    fn delete(&mut self) -> Result<bool, Halt> {
        self.fetch(1)?;
        if self.expected(self.state) >> self.kind(1) & 1 == 0 {
            return Ok(false);
        }
        self.tell_unwanted()?;
        self.consume()?;
        self.end_recovery();
        Ok(true)
    }

    fn attempt(&mut self) -> Result<(), Halt> {
        if self.attempts == MAX_ATTEMPTS {
            let offset = self.token(0).map_or(0, |token| token.start);
            let message = format!("error recovery attempt limit exceeded: {MAX_ATTEMPTS}");
            return self.tell(offset, message).and(Err(Halt));
        }
        self.attempts += 1;
        Ok(())
    }

    /// Tries to read a token that is not there; false when the rule cannot go on.
    fn recover_inline(&mut self, to: u16) -> Result<bool, Halt> {
        self.attempt()?;
        if self.delete()? {
            self.tree.token(Some(self.at));
            self.consume()?;
            return Ok(true);
        }
        let fits = self.expected(to) >> self.kind(0) & 1 == 1;
        if fits {
            self.tell_here(0, |this| format!("missing {} at {}", this.wanted(), this.shown()))?;
            self.tree.token(None);
        }
        Ok(fits)
    }

    /// Skips to where one of the open rules can go on.
    fn recover(&mut self) -> Result<(), Halt> {
        self.attempt()?;
        let mut left = MAX_SKIPPED;
        if self.last_error == Some(self.at) && self.last_states.contains(&self.state) {
            // Twice at the same place: without skipping a token reading would not end.
            self.consume()?;
            left -= 1;
        }
        self.last_error = Some(self.at);
        self.last_states.push(self.state);
        self.skip(self.after_rules(), left)
    }

    fn skip(&mut self, until: Kinds, most: usize) -> Result<(), Halt> {
        let mut left = most;
        while self.kind(0) != END && until >> self.kind(0) & 1 == 0 {
            if left == 0 {
                return self.halt("error recovery token lookahead limit exceeded: 256");
            }
            left -= 1;
            self.consume()?;
        }
        Ok(())
    }
}
