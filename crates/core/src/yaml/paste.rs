//! What tells that a line was never YAML: prompts, what commands print, numbers before each line.

use super::split::marker;

/// Commands that people copy along.
const COMMANDS: [&str; 7] =
    ["kubectl ", "cat <", "cat >", "oc ", "sudo ", "k3s kubectl ", "envsubst "];

/// Signs that prompts end with.
const PROMPT_ENDS: [char; 7] = ['$', '#', '>', '%', '❯', '➜', '✗'];

/// Text that goes on over several lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Block {
    /// `kubectl get` without `-o yaml`.
    Table,
    /// `kubectl describe`.
    Description,
}

impl Block {
    pub(super) fn starts(line: &str) -> Option<Self> {
        let is_heading = |rest: &str| {
            rest.starts_with("  ")
                && rest.trim_start().starts_with(|c: char| c.is_ascii_uppercase())
        };
        let table = line.strip_prefix("NAMESPACE").or_else(|| line.strip_prefix("NAME"));
        if table.is_some_and(is_heading) {
            return Some(Self::Table);
        }
        let described = line.strip_prefix("Name:").is_some_and(|rest| rest.starts_with("  "));
        described.then_some(Self::Description)
    }

    /// Whether the next line is still a part of it.
    pub(super) fn goes_on(self, line: &str) -> bool {
        let first = line.split_whitespace().next().unwrap_or_default();
        !begins_object(line)
            && (self == Self::Description || !first.is_empty() && !first.ends_with(':'))
    }

    pub(super) fn what(self) -> &'static str {
        match self {
            Self::Table => "a table that `kubectl get` prints without `-o yaml`",
            Self::Description => "what `kubectl describe` prints",
        }
    }
}

/// Whether an object surely begins here.
pub(super) fn begins_object(line: &str) -> bool {
    let starts = ["apiVersion:", "kind:", "{"];
    marker(line, "---").is_some() || starts.iter().any(|start| line.starts_with(start))
}

/// The command behind a prompt, or without one; empty for a prompt alone.
pub(super) fn command(line: &str) -> Option<&str> {
    let is_known = |text: &str| COMMANDS.iter().any(|start| text.starts_with(start));
    if is_known(line) {
        return Some(line).filter(|line| !line.contains(": "));
    }
    if let Some(command) = line.strip_prefix("$ ") {
        return Some(command);
    }
    let is_user =
        |before: &str| before.contains('@') && (before.starts_with('[') || !before.contains(' '));
    for (at, sign) in line.char_indices().filter(|(_, c)| PROMPT_ENDS.contains(c)) {
        let (before, rest) = line.split_at_checked(at)?;
        let rest = rest.strip_prefix(sign)?;
        let command = rest.trim_start();
        let ends = rest.is_empty() || command.len() < rest.len();
        let is_prompt = is_known(command)
            || is_user(before)
                && matches!(sign, '$' | '#')
                && command.chars().next().is_none_or(char::is_alphabetic);
        if ends && is_prompt && !before.contains(": ") {
            return Some(command);
        }
    }
    None
}

/// Whether a command printed the line: `pod/a created`, `Error from server …`.
pub(super) fn is_output(line: &str) -> bool {
    let done = ["created", "configured", "unchanged", "deleted", "serverside-applied"];
    let mut words = line.split_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    let names = first.is_some_and(|word| word.contains('/') && !word.contains(':'));
    names && third.is_none() && second.is_some_and(|word| done.contains(&word))
        || line.starts_with("Error from server")
        || line.starts_with("error: ")
        || line.starts_with("The ") && line.contains(" is invalid: ")
}

/// How many bytes of each line are no part of it: `> `, `+`, or numbers that count up.
pub(super) fn gutter(text: &str) -> Option<Vec<usize>> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    for sign in ["> ", "+"].into_iter().filter(|sign| first.starts_with(sign)) {
        let width = |line: &str| {
            if line.starts_with(sign) {
                Some(sign.len())
            } else {
                sign.starts_with(line.trim_end()).then_some(line.len())
            }
        };
        if let Some(widths) = text.lines().map(width).collect() {
            return Some(widths);
        }
    }
    let (mut number, mut ends, mut space) = (None, Vec::new(), usize::MAX);
    for line in text.lines() {
        if line.trim().is_empty() {
            ends.push(0);
            continue;
        }
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        let end = line.len() - rest.len();
        let next = line.get(..end)?.trim_start().parse::<u32>().ok()?;
        if number.replace(next).is_some_and(|number| next <= number) {
            return None;
        }
        let line = rest.trim_start_matches([' ', '\t']);
        let line = line.strip_prefix(['|', '\u{2502}', ':']).unwrap_or(line).trim_start();
        // An empty line has no space behind its number; what stands further right is indentation.
        if !line.is_empty() {
            space = space.min(rest.len() - line.len());
        }
        ends.push(end);
    }
    let widths = text.lines().zip(ends).map(|(line, end)| {
        let width = line.len().min(if end == 0 { 0 } else { end.saturating_add(space) });
        line.is_char_boundary(width).then_some(width)
    });
    widths.collect::<Option<Vec<_>>>().filter(|widths| widths.len() > 2)
}
