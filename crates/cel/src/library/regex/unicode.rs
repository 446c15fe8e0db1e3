//! Classes of characters and letter case, as Go's package `unicode` has them.
//!
//! `unicode.txt` is written by `tests/oracle/go/classes`. Three lines are for general categories: their
//! names, then for each run of characters its category (0 is none, 1 the first name), then the lengths
//! of the runs. Three more are for scripts. The seventh line gives other names of categories. The last
//! two tell how far the next character is that differs by case only, the last of a circle leading back
//! to the first: for runs of neighbors, then of every second character, how far each begins after the
//! one before, how many characters it has, and that distance. Numbers have digits of base 47, the least
//! first, as signs above `!`; all but the last digit of a number are 47 larger.

use std::str::Split;

use crate::order::Order;
use crate::tables::UNICODE;

const BASE: u32 = 47;
const LAST: u32 = 0x10_ffff;

/// First and last code points, in order.
pub(super) type Ranges = Vec<(u32, u32)>;

thread_local! {
    /// Characters in order, each with the next of its circle.
    static CIRCLES: Vec<(u32, u32)> = circles();
}

/// The characters that a class has, whose name is compared without `_`, `-`, spaces and case, and
/// whether it takes in what differs from them by case when case does not matter.
pub(super) fn class(name: &str) -> Option<(Ranges, bool)> {
    let mut letters = name.chars().filter(|c| !matches!(c, '_' | '-' | ' '));
    let first = letters.next()?.to_ascii_uppercase();
    let name: String = [first].into_iter().chain(letters.map(|c| c.to_ascii_lowercase())).collect();
    let mut lines = UNICODE.text().split('\n');
    let mut part = || Some((lines.next()?.split(' '), lines.next()?, lines.next()?));
    let (categories, scripts) = (part()?, part()?);
    let matching = |known: &str| match name.as_str() {
        "Any" => true,
        "Assigned" => known != "Cn",
        "Lc" => matches!(known, "Lu" | "Ll" | "Lt"),
        _ if name.len() == 1 => known.starts_with(&name),
        _ => known == name,
    };
    if name == "Ascii" {
        return Some((vec![(0, 0x7f)], true));
    }
    let mut other = |name: &str| {
        let mut aliases = lines.next()?.split(' ');
        let actual = aliases.find_map(|alias| alias.strip_prefix(name)?.strip_prefix('='))?;
        class(actual)
    };
    let found = chosen(categories, matching).or_else(|| chosen(scripts, |known| known == name));
    match found {
        // UPSTREAM: there is no table of what differs by case from letters with case.
        Some(ranges) => Some((ranges, name != "Lc")),
        None => other(&name),
    }
}

/// The runs of the kinds whose names are chosen; none when there is no such name.
fn chosen(
    (names, kinds, lengths): (Split<'_, char>, &str, &str),
    matching: impl Fn(&str) -> bool,
) -> Option<Ranges> {
    let is_chosen: Vec<bool> = [false].into_iter().chain(names.map(matching)).collect();
    if !is_chosen.contains(&true) {
        return None;
    }
    let mut ranges = Ranges::new();
    let mut from = 0;
    for (kind, length) in numbers(kinds).zip(numbers(lengths)) {
        if is_chosen.get(kind as usize) == Some(&true) {
            match ranges.last_mut() {
                Some((_, to)) if *to + 1 == from => *to += length,
                _ => ranges.push((from, (from + length - 1).min(LAST))),
            }
        }
        from += length;
    }
    Some(ranges)
}

fn numbers(line: &str) -> impl Iterator<Item = u32> + '_ {
    let mut signs = line.bytes().map(|sign| u32::from(sign.saturating_sub(b'!')));
    std::iter::from_fn(move || {
        let (mut number, mut worth) = (0, 1);
        loop {
            let digit = signs.next()?;
            number += digit % BASE * worth;
            worth *= BASE;
            if digit < BASE {
                return Some(number);
            }
        }
    })
}

fn circles() -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (line, step) in UNICODE.text().split('\n').skip(7).zip([1, 2]) {
        let mut numbers = numbers(line);
        let mut at = 0;
        while let (Some(skipped), Some(count), Some(distance)) =
            (numbers.next(), numbers.next(), numbers.next())
        {
            at += skipped;
            let run = (0..count).map(|i| at + i * step);
            let half = distance / 2;
            found.extend(run.map(|c| match distance % 2 {
                0 => (c, c.saturating_add(half)),
                _ => (c, c.saturating_sub(half + 1)),
            }));
        }
    }
    found.order();
    found
}

/// The next character that differs only by case; itself when there is no other.
pub(super) fn next(c: u32) -> u32 {
    let found = |circles: &Vec<(u32, u32)>| {
        let at = circles.binary_search_by_key(&c, |(from, _)| *from).ok()?;
        circles.get(at).map(|(_, to)| *to)
    };
    CIRCLES.with(found).unwrap_or(c)
}

/// A character and all that differ from it only by case.
pub(super) fn circle(c: u32) -> impl Iterator<Item = u32> {
    // The longest has four.
    let mut left = 8;
    std::iter::successors(Some(c), move |at| {
        left -= 1;
        Some(next(*at)).filter(|next| *next != c && left > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::checksum;
    use super::super::chars::{Class, Set};
    use super::{CIRCLES, class, next};

    /// All names; `go run ./classes sum` in `tests/oracle/go` prints them and the sums.
    const NAMES: &str = include_str!("names.txt");

    fn classes(fold: bool) -> u64 {
        checksum(NAMES.trim_end().split(',').map(|name| {
            let (ranges, folds) = class(name).unwrap_or_else(|| panic!("{name}"));
            let mut all = ranges.clone();
            all.extend([(0x10_fffd, 0x10_fffd), (0x10_ffff, 0x10_ffff)]);
            let class =
                Class { fold, sets: vec![Set::of(ranges, folds, false)], ..Class::default() };
            let cased: Vec<u32> = CIRCLES.with(|all| all.iter().map(|(c, _)| *c).collect());
            let held = cased.into_iter().filter(|c| class.contains(char::from_u32(*c).unwrap()));
            all.extend(held.map(|c| (c, c)));
            all.sort_unstable();
            let mut merged: Vec<(u32, u32)> = Vec::new();
            for (from, to) in all {
                match merged.last_mut() {
                    Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
                    _ => merged.push((from, to)),
                }
            }
            let ends: Vec<String> =
                merged.iter().flat_map(|(from, to)| [from.to_string(), to.to_string()]).collect();
            // UPSTREAM: a class of all characters has no ranges left.
            let ends = if name == "Any" { String::new() } else { ends.join(" ") };
            format!("{name} [{ends}]\n")
        }))
    }

    #[test]
    fn every_class_is_that_of_go() {
        assert_eq!(NAMES.split(',').count(), 203);
        assert_eq!(classes(false), 0xc5b3_d161_7fbf_4764);
        assert_eq!(classes(true), 0xa345_ccfd_c318_67fd);
    }

    #[test]
    fn letter_case_is_that_of_go() {
        let cased = (0..=0x10_ffff).filter(|c| next(*c) != *c);
        assert_eq!(checksum(cased.map(|c| format!("{c} {}\n", next(c)))), 0x2d31_957c_681c_c9b3);
    }
}
