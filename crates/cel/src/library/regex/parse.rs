//! Pattern to tree, with Go's rules. Source: Go `regexp/syntax/parse.go`.

use super::chars::Class;
use super::class::{char_escape, class_char, group_escape, named_class};

/// A regular expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Empty,
    /// A character, folded when case does not matter.
    Char {
        c: char,
        fold: bool,
    },
    Any {
        newline: bool,
    },
    Class(Class),
    Assert(Assertion),
    Concat(Vec<Node>),
    Alternate(Vec<Node>),
    /// `max` is none when unbounded.
    Repeat {
        node: Box<Node>,
        min: u32,
        max: Option<u32>,
        greedy: bool,
    },
}

/// Something about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    TextStart,
    TextEnd,
    LineStart,
    LineEnd,
    WordBoundary,
    NotWordBoundary,
}

#[derive(Clone, Copy)]
struct Flags {
    fold: bool,
    multi_line: bool,
    dot_newline: bool,
    lazy: bool,
}

/// An open group: what stands before it.
struct Frame {
    flags: Flags,
    alternatives: Vec<Node>,
    items: Vec<Node>,
}

/// Deeper nesting is refused, as upstream does.
const MAX_DEPTH: usize = 1000;
/// Our own bound: recursion over the tree must fit a small stack.
const SAFE_DEPTH: usize = 200;

struct Parser<'a> {
    whole: &'a str,
    flags: Flags,
    stack: Vec<Frame>,
    alternatives: Vec<Node>,
    items: Vec<Node>,
}

pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn fail<T>(code: &str, part: &str) -> Parsed<T> {
    Err(format!("error parsing regexp: {code}: `{part}`"))
}

/// The part of `from` before `to`, which is its end.
pub(super) fn upto<'a>(from: &'a str, to: &str) -> &'a str {
    from.get(..from.len().saturating_sub(to.len())).unwrap_or(from)
}

pub(super) fn first(text: &str) -> Option<(char, &str)> {
    let mut chars = text.chars();
    chars.next().map(|c| (c, chars.as_str()))
}

pub(super) fn parse(pattern: &str) -> Parsed<Node> {
    let flags = Flags { fold: false, multi_line: false, dot_newline: false, lazy: false };
    let mut parser = Parser {
        whole: pattern,
        flags,
        stack: Vec::new(),
        alternatives: Vec::new(),
        items: Vec::new(),
    };
    let mut rest = pattern;
    let mut last_repeat = "";
    while let Some((c, after)) = first(rest) {
        let mut repeat = "";
        rest = match c {
            '(' if after.starts_with('?') => parser.flags_or_group(rest)?,
            '(' => {
                parser.open(parser.flags)?;
                after
            }
            '|' => {
                parser.end_alternative();
                after
            }
            ')' => {
                parser.close()?;
                after
            }
            '^' => parser.assert(Assertion::TextStart, Assertion::LineStart, after),
            '$' => parser.assert(Assertion::TextEnd, Assertion::LineEnd, after),
            '.' => {
                let newline = parser.flags.dot_newline;
                parser.items.push(Node::Any { newline });
                after
            }
            '[' => parser.class(rest)?,
            '*' | '+' | '?' => {
                let (min, max) = match c {
                    '*' => (0, None),
                    '+' => (1, None),
                    _ => (0, Some(1)),
                };
                repeat = rest;
                parser.repeat((min, max), rest, after, last_repeat, false)?
            }
            '{' => {
                if let Some((min, max, after)) = counts(after) {
                    if !(0..=1000).contains(&min) || max > 1000 || max >= 0 && min > max {
                        return fail("invalid repeat count", upto(rest, after));
                    }
                    repeat = rest;
                    let bounds = (min.unsigned_abs(), u32::try_from(max).ok());
                    parser.repeat(bounds, rest, after, last_repeat, true)?
                } else {
                    parser.char('{');
                    after
                }
            }
            '\\' => parser.escape(rest)?,
            c => {
                parser.char(c);
                after
            }
        };
        last_repeat = repeat;
    }
    if !parser.stack.is_empty() {
        return fail("missing closing )", pattern);
    }
    Ok(parser.finish_group())
}

impl<'a> Parser<'a> {
    fn char(&mut self, c: char) {
        self.items.push(Node::Char { c, fold: self.flags.fold });
    }

    fn assert(&mut self, text: Assertion, line: Assertion, after: &'a str) -> &'a str {
        self.items.push(Node::Assert(if self.flags.multi_line { line } else { text }));
        after
    }

    fn open(&mut self, flags: Flags) -> Parsed<()> {
        if self.stack.len() >= MAX_DEPTH {
            return fail("expression nests too deeply", self.whole);
        }
        if self.stack.len() >= SAFE_DEPTH {
            return Err("regular expression nests too deeply for the playground".to_owned());
        }
        self.stack.push(Frame {
            flags,
            alternatives: std::mem::take(&mut self.alternatives),
            items: std::mem::take(&mut self.items),
        });
        Ok(())
    }

    fn end_alternative(&mut self) {
        let items = std::mem::take(&mut self.items);
        self.alternatives.push(concat(items));
    }

    fn finish_group(&mut self) -> Node {
        self.end_alternative();
        let mut alternatives = std::mem::take(&mut self.alternatives);
        match alternatives.len() {
            1 => alternatives.pop().unwrap_or(Node::Empty),
            _ => Node::Alternate(alternatives),
        }
    }

    fn close(&mut self) -> Parsed<()> {
        let group = self.finish_group();
        let Some(frame) = self.stack.pop() else {
            return fail("unexpected )", self.whole);
        };
        self.flags = frame.flags;
        self.alternatives = frame.alternatives;
        self.items = frame.items;
        self.items.push(match group {
            // A group stays one item for a repetition after it.
            Node::Concat(items) if items.len() == 1 => {
                items.into_iter().next().unwrap_or(Node::Empty)
            }
            group => group,
        });
        Ok(())
    }

    /// `(?` …: a named group, flags, or a group with flags.
    fn flags_or_group(&mut self, text: &'a str) -> Parsed<&'a str> {
        let name = if text.len() > 4 { text.strip_prefix("(?P<") } else { None };
        let name = name.or_else(|| text.strip_prefix("(?<").filter(|_| text.len() > 3));
        if let Some(name) = name {
            let Some((name, after)) = name.split_once('>') else {
                return fail("invalid named capture", text);
            };
            let valid =
                !name.is_empty() && name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
            if !valid {
                return fail("invalid named capture", upto(text, after));
            }
            self.open(self.flags)?;
            return Ok(after);
        }
        let mut flags = self.flags;
        let mut negative = false;
        let mut seen = false;
        let mut rest = text.get(2..).unwrap_or_default();
        while let Some((c, after)) = first(rest) {
            rest = after;
            let value = !negative;
            match c {
                'i' => flags.fold = value,
                'm' => flags.multi_line = value,
                's' => flags.dot_newline = value,
                'U' => flags.lazy = value,
                '-' if !negative => {
                    negative = true;
                    seen = false;
                    continue;
                }
                ':' | ')' if !negative || seen => {
                    if c == ':' {
                        self.open(self.flags)?;
                    }
                    self.flags = flags;
                    return Ok(after);
                }
                _ => return fail("invalid or unsupported Perl syntax", upto(text, rest)),
            }
            seen = true;
        }
        fail("invalid or unsupported Perl syntax", text)
    }

    fn repeat(
        &mut self,
        (min, max): (u32, Option<u32>),
        before: &str,
        after: &'a str,
        last_repeat: &str,
        counted: bool,
    ) -> Parsed<&'a str> {
        let lazy = after.strip_prefix('?');
        let after = lazy.unwrap_or(after);
        if !last_repeat.is_empty() {
            return fail("invalid nested repetition operator", upto(last_repeat, after));
        }
        let Some(node) = self.items.pop() else {
            return fail("missing argument to repetition operator", upto(before, after));
        };
        let greedy = lazy.is_some() == self.flags.lazy;
        let node = Node::Repeat { node: Box::new(node), min, max, greedy };
        if counted && (min >= 2 || max.is_some_and(|max| max >= 2)) && !fits(&node, 1000) {
            return fail("invalid repeat count", upto(before, after));
        }
        self.items.push(node);
        Ok(after)
    }

    fn escape(&mut self, text: &'a str) -> Parsed<&'a str> {
        let after = text.get(1..).unwrap_or_default();
        if let Some((c, rest)) = first(after) {
            let assertion = match c {
                'A' => Some(Assertion::TextStart),
                'z' => Some(Assertion::TextEnd),
                'b' => Some(Assertion::WordBoundary),
                'B' => Some(Assertion::NotWordBoundary),
                _ => None,
            };
            if let Some(assertion) = assertion {
                self.items.push(Node::Assert(assertion));
                return Ok(rest);
            }
            if c == 'C' {
                return fail("invalid escape sequence", "\\C");
            }
            if c == 'Q' {
                let (literal, rest) = rest.split_once("\\E").unwrap_or((rest, ""));
                literal.chars().for_each(|c| self.char(c));
                return Ok(rest);
            }
        }
        let mut class = Class { fold: self.flags.fold, ..Class::default() };
        if let Some(rest) = group_escape(text, &mut class)? {
            self.items.push(Node::Class(class));
            return Ok(rest);
        }
        let (c, rest) = char_escape(text)?;
        self.char(c);
        Ok(rest)
    }

    fn class(&mut self, text: &'a str) -> Parsed<&'a str> {
        let mut rest = text.get(1..).unwrap_or_default();
        let mut class = Class { fold: self.flags.fold, ..Class::default() };
        if let Some(after) = rest.strip_prefix('^') {
            class.negated = true;
            rest = after;
        }
        let mut is_first = true;
        while is_first || !rest.starts_with(']') {
            is_first = false;
            if rest.starts_with("[:")
                && let Some(after) = named_class(rest, &mut class)?
            {
                rest = after;
                continue;
            }
            if let Some(after) = group_escape(rest, &mut class)? {
                rest = after;
                continue;
            }
            let start = rest;
            let (low, after) = class_char(rest, text)?;
            rest = after;
            let mut high = low;
            if let Some(after) = rest.strip_prefix('-')
                && !after.is_empty()
                && !after.starts_with(']')
            {
                (high, rest) = class_char(after, text)?;
                if high < low {
                    return fail("invalid character class range", upto(start, rest));
                }
            }
            class.ranges.push((low, high));
        }
        self.items.push(Node::Class(class));
        Ok(rest.get(1..).unwrap_or_default())
    }
}

fn concat(mut items: Vec<Node>) -> Node {
    match items.len() {
        0 => Node::Empty,
        1 => items.pop().unwrap_or(Node::Empty),
        _ => Node::Concat(items),
    }
}

/// Whether nested counts multiply to at most `limit`.
fn fits(node: &Node, limit: u32) -> bool {
    match node {
        Node::Repeat { node, min, max, .. } => {
            let counted = max.unwrap_or(*min);
            // Star, plus and question mark are no counts.
            let is_count = !matches!((min, max), (0 | 1, None) | (0, Some(1)));
            if !is_count || counted == 0 {
                return (counted == 0 && is_count) || fits(node, limit);
            }
            counted <= limit && fits(node, limit / counted)
        }
        Node::Concat(nodes) | Node::Alternate(nodes) => nodes.iter().all(|node| fits(node, limit)),
        _ => true,
    }
}

/// The counts after `{`: least, most or -1, and what follows; none when it is no repetition.
fn counts(text: &str) -> Option<(i32, i32, &str)> {
    let (min, rest) = number(text)?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, min, rest));
    }
    let rest = rest.strip_prefix(',')?;
    if let Some(rest) = rest.strip_prefix('}') {
        return Some((min, -1, rest));
    }
    let (max, rest) = number(rest)?;
    let rest = rest.strip_prefix('}')?;
    // A count that is too long to read is refused as a whole.
    Some(if max < 0 { (-1, max, rest) } else { (min, max, rest) })
}

fn number(text: &str) -> Option<(i32, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    if digits.is_empty() || digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    Some((digits.parse::<i32>().ok().filter(|n| *n < 100_000_000).unwrap_or(-1), rest))
}
