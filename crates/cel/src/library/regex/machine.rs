//! Running instructions: all ways to match advance together.

use super::chars::fold;
use super::parse::Assertion;
use super::program::{Op, Program};
use crate::value::Error;
use crate::work::Work;

/// Ways to match, in order of preference, each with its start.
struct Threads {
    order: Vec<(usize, usize)>,
    /// The round in which an instruction was added last.
    seen: Vec<usize>,
    round: usize,
}

struct Place {
    at: usize,
    before: Option<char>,
    after: Option<char>,
}

fn is_word(c: Option<char>) -> bool {
    c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
}

impl Place {
    fn holds(&self, assertion: Assertion) -> bool {
        match assertion {
            Assertion::TextStart => self.before.is_none(),
            Assertion::TextEnd => self.after.is_none(),
            Assertion::LineStart => self.before.is_none_or(|c| c == '\n'),
            Assertion::LineEnd => self.after.is_none_or(|c| c == '\n'),
            Assertion::WordBoundary => is_word(self.before) != is_word(self.after),
            Assertion::NotWordBoundary => is_word(self.before) == is_word(self.after),
        }
    }
}

impl Threads {
    fn new(size: usize) -> Self {
        Self { order: Vec::with_capacity(16), seen: vec![0; size], round: 1 }
    }

    fn clear(&mut self) {
        self.order.clear();
        self.round += 1;
    }

    /// Adds an instruction and all that follow from it without reading a character.
    fn add(&mut self, program: &Program, op: usize, start: usize, place: &Place) {
        let mut open = vec![op];
        while let Some(op) = open.pop() {
            match self.seen.get_mut(op) {
                Some(seen) if *seen != self.round => *seen = self.round,
                _ => continue,
            }
            match program.ops.get(op) {
                Some(Op::Jump(to)) => open.push(*to),
                Some(Op::Split(preferred, other)) => open.extend([*other, *preferred]),
                Some(Op::Assert(assertion)) if place.holds(*assertion) => open.push(op + 1),
                Some(Op::Assert(_)) | None => {}
                Some(_) => self.order.push((op, start)),
            }
        }
    }
}

/// The first match from a byte offset on; with `exact`, the preferred one of those that begin there.
pub(super) fn find(
    program: &Program,
    text: &str,
    from: usize,
    exact: bool,
    work: &mut Work,
) -> Result<Option<(usize, usize)>, Error> {
    let mut current = Threads::new(program.ops.len());
    let mut next = Threads::new(program.ops.len());
    let mut found = None;
    let mut before = text.get(..from).and_then(|head| head.chars().next_back());
    let mut chars = text.get(from..).unwrap_or_default().chars();
    let mut at = from;
    loop {
        let c = chars.next();
        if found.is_none() {
            current.add(program, 0, at, &Place { at, before, after: c });
        }
        if current.order.is_empty() && found.is_some() {
            return Ok(found);
        }
        work.spend(current.order.len())?;
        let step = c.map_or(0, char::len_utf8);
        let following = chars.clone().next();
        let place = Place { at: at + step, before: c, after: following };
        next.clear();
        for (op, start) in &current.order {
            let advances = match (program.ops.get(*op), c) {
                (Some(Op::Match), _) => {
                    found = Some((*start, at));
                    if !exact {
                        return Ok(found);
                    }
                    break;
                }
                (Some(Op::Char(wanted)), Some(c)) => *wanted == c,
                (Some(Op::Folded(wanted)), Some(c)) => *wanted == fold(c),
                (Some(Op::Any { newline }), Some(c)) => *newline || c != '\n',
                (Some(Op::Class(class)), Some(c)) => {
                    program.classes.get(*class).is_some_and(|class| class.contains(c))
                }
                _ => false,
            };
            if advances {
                next.add(program, op + 1, *start, &place);
            }
        }
        if c.is_none() {
            return Ok(found);
        }
        std::mem::swap(&mut current, &mut next);
        before = c;
        at = place.at;
    }
}
