//! The time zones of the IANA database, as Go's `time` reads them.
//!
//! `zones.txt` is written by `tests/oracle/go/zones` from the database that comes with Go. Its first
//! line numbers the changes of clocks that occur, as `seconds of the local day`, then `± seconds` or
//! `= seconds east of UTC from then on`; its second line numbers the rules for the time after the
//! last change. The third line has for each zone the seconds east of UTC before its first change,
//! the fourth its rule. Then each zone has a line with its changes and its names. A change is four
//! or five signs above `!`: years since the change before (the first counts from 1840), month, day
//! and number, of which 90 and more need two signs. A day is 0 to 3 for the first Sundays of a month,
//! 4 for its last Sunday, and for other days 31 more than the day.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::slice::Iter;

use crate::calendar::{civil, days_before};
use crate::tables;

const DAY: i64 = 86_400;

/// What is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// Seconds east of UTC at that time.
    Offset(i64),
    /// That of the machine that evaluates.
    Local,
    /// Go does not take it for a name, or cannot read the file of it, for this reason.
    Refused(&'static str),
    /// Nobody knows it.
    Unknown,
}

/// What a change of clocks makes of the offset.
#[derive(Clone, Copy, Debug)]
enum Effect {
    By(i64),
    To(i64),
}

/// A zone, taken apart.
#[derive(Debug)]
struct History {
    first: i64,
    /// Times, each with the offset from then on.
    changes: Vec<(i64, i64)>,
    rule: Rule,
}

/// What holds after the last change.
#[derive(Clone, Debug)]
struct Rule {
    standard: i64,
    /// The offset in daylight saving time, and when it begins and ends.
    saving: Option<(i64, Date, Date)>,
}

/// A second of a year: weekday `day` of week `week` of a month, five being the last, and a time.
#[derive(Clone, Copy, Debug)]
struct Date {
    month: i64,
    week: i64,
    day: i64,
    second: i64,
}

thread_local! {
    static ZONES: BTreeMap<&'static str, Rc<History>> = read().unwrap_or_default();
}

/// The offset of a zone at a time in seconds since 1970.
pub(super) fn find(name: &str, seconds: i64) -> Zone {
    if matches!(name, "" | "UTC") {
        return Zone::Offset(0);
    }
    if name == "Local" {
        return Zone::Local;
    }
    if name.starts_with(['/', '\\']) || name.contains("..") {
        return Zone::Refused("time: invalid location name");
    }
    ZONES.with(|zones| match zones.get(name) {
        Some(history) => Zone::Offset(history.offset(seconds)),
        None => name_of_a_folder(zones, name),
    })
}

/// The database is a folder of files, one for each name.
fn name_of_a_folder(zones: &BTreeMap<&'static str, Rc<History>>, name: &str) -> Zone {
    let folder = name.trim_end_matches('/');
    let inside = |known: &str| known.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if zones.contains_key(folder) {
        Zone::Refused("not a directory")
    } else if zones.keys().any(|known| inside(known)) {
        Zone::Refused("is a directory")
    } else {
        Zone::Unknown
    }
}

/// The whole table; none only when it is not of its form, which a test excludes.
fn read() -> Option<BTreeMap<&'static str, Rc<History>>> {
    let mut lines = tables::ZONES.text().split_terminator('\n');
    let mut words = || lines.next().map(|line| line.split(' '));
    let known: Vec<(i64, Effect)> = words()?.map(read_change).collect::<Option<_>>()?;
    let rules: Vec<Rule> = words()?.map(read_rule).collect::<Option<_>>()?;
    let (firsts, numbers) = (words()?, words()?);
    let mut zones = BTreeMap::new();
    for ((first, rule), line) in firsts.zip(numbers).zip(lines) {
        let first = first.parse().ok()?;
        let rule = rules.get(rule.parse::<usize>().ok()?)?.clone();
        let (signs, names) = line.split_once(' ')?;
        let changes = read_changes(signs.as_bytes(), first, &known)?;
        let history = Rc::new(History { first, changes, rule });
        for name in names.split(',') {
            zones.insert(name, history.clone());
        }
    }
    Some(zones)
}

/// The changes of a zone, each with the offset from then on.
fn read_changes(signs: &[u8], first: i64, known: &[(i64, Effect)]) -> Option<Vec<(i64, i64)>> {
    let value = |sign: &u8| usize::from(sign.saturating_sub(b'!'));
    let small = |signs: &mut Iter<'_, u8>| i64::try_from(value(signs.next()?)).ok();
    let mut signs = signs.iter();
    let mut changes = Vec::new();
    let (mut year, mut offset) = (1840, first);
    while !signs.as_slice().is_empty() {
        year += small(&mut signs)?;
        let (month, day) = (small(&mut signs)?, small(&mut signs)?);
        let number = match value(signs.next()?) {
            alone @ 0..90 => alone,
            more => 90 + (more - 90) * 94 + value(signs.next()?),
        };
        let (second, effect) = known.get(number)?;
        let day = match day {
            week @ 0..5 => nth(year, month, week + 1, 0),
            other => days_before(year, month, other - 31),
        };
        let when = day * DAY + second - offset;
        offset = match effect {
            Effect::By(by) => offset + by,
            Effect::To(to) => *to,
        };
        changes.push((when, offset));
    }
    Some(changes)
}

/// `7200-3600` or `0=3600`.
fn read_change(text: &str) -> Option<(i64, Effect)> {
    let at = 1 + text.get(1..)?.find(['+', '-', '='])?;
    let (second, effect) = text.split_at_checked(at)?;
    let effect = match effect.strip_prefix('=') {
        Some(to) => Effect::To(to.parse().ok()?),
        None => Effect::By(effect.parse().ok()?),
    };
    Some((second.parse().ok()?, effect))
}

/// `3600`, or `3600,7200,3.5.0/7200,10.5.0/10800`.
fn read_rule(text: &str) -> Option<Rule> {
    let mut parts = text.split(',');
    let standard = parts.next()?.parse().ok()?;
    let saving = match parts.next() {
        Some(saving) => {
            Some((saving.parse().ok()?, read_date(parts.next()?)?, read_date(parts.next()?)?))
        }
        None => None,
    };
    Some(Rule { standard, saving })
}

fn read_date(text: &str) -> Option<Date> {
    let mut numbers = text.split(['.', '/']).map(|number| number.parse().ok());
    let mut next = || numbers.next().flatten();
    Some(Date { month: next()?, week: next()?, day: next()?, second: next()? })
}

/// Days since 1970 of a weekday in a week of a month, five being the last one.
fn nth(year: i64, month: i64, week: i64, weekday: i64) -> i64 {
    let start = days_before(year, month, 1);
    // 1970 began on a Thursday.
    let first = start + (weekday - start - 4).rem_euclid(7);
    let end = if month == 12 { start + 31 } else { days_before(year, month + 1, 1) };
    let day = first + (week - 1) * 7;
    if day < end { day } else { day - 7 }
}

impl History {
    fn offset(&self, seconds: i64) -> i64 {
        let passed = self.changes.partition_point(|(when, _)| *when <= seconds);
        match passed.checked_sub(1).and_then(|last| self.changes.get(last)) {
            _ if passed == self.changes.len() => self.rule.offset(seconds),
            Some((_, offset)) => *offset,
            None => self.first,
        }
    }
}

impl Rule {
    /// UPSTREAM: the year is that of UTC.
    fn offset(&self, seconds: i64) -> i64 {
        let Some((saving, begin, end)) = self.saving else { return self.standard };
        let (year, ..) = civil(seconds.div_euclid(DAY));
        let begin = begin.seconds(year) - self.standard;
        let end = end.seconds(year) - saving;
        let is_saving = if begin <= end {
            (begin..end).contains(&seconds)
        } else {
            !(end..begin).contains(&seconds)
        };
        if is_saving { saving } else { self.standard }
    }
}

impl Date {
    /// Seconds since 1970 on the clock of the place.
    fn seconds(self, year: i64) -> i64 {
        nth(year, self.month, self.week, self.day) * DAY + self.second
    }
}

#[cfg(test)]
mod tests {
    use super::{Zone, find, read};

    #[test]
    fn the_table_is_whole() {
        let zones = read().unwrap();
        assert!(zones.len() > 590, "{}", zones.len());
        let names = crate::tables::ZONES
            .text()
            .lines()
            .skip(4)
            .flat_map(|line| line.split(' ').nth(1).unwrap().split(','));
        assert_eq!(names.count(), zones.len());
        for (name, history) in &zones {
            assert!(history.changes.is_sorted(), "{name}");
        }
    }

    /// `go run ./zones sum` in `tests/oracle/go` prints the checksum of what Go's `time` says.
    #[test]
    fn every_zone_is_that_of_go() {
        let lines = read().unwrap().into_iter().map(|(name, history)| {
            let mut said: Vec<i64> =
                (0..400).map(|i| history.offset(-5_000_000_000 + i * 25_000_000)).collect();
            let mut before = history.first;
            for (when, after) in &history.changes {
                if before != *after {
                    said.extend([*when, history.offset(when - 1), history.offset(*when)]);
                }
                before = *after;
            }
            format!("{name} {}\n", format!("{said:?}").replace(',', ""))
        });
        assert_eq!(super::super::checksum(lines), 0x772d_268b_4acf_ab4e);
    }

    #[test]
    fn clocks_change_as_they_did() {
        for (name, seconds, minutes) in [
            // 1980-06-01: no daylight saving time in Shanghai, but in 1986.
            ("Asia/Shanghai", 328_665_600, 480),
            ("Asia/Shanghai", 520_000_000, 540),
            ("Asia/Kathmandu", 0, 330),
            ("Asia/Kathmandu", 1_700_000_000, 345),
            ("Europe/Berlin", 1_711_846_799, 60),
            ("Europe/Berlin", 1_711_846_800, 120),
            // The rule goes on for ever.
            ("Europe/Berlin", 4_118_083_200, 120),
            ("Europe/Dublin", 1_720_000_000, 60),
            ("America/New_York", 1_710_054_000, -240),
            ("America/New_York", 1_710_053_999, -300),
            ("America/Sao_Paulo", 1_450_000_000, -120),
            ("America/Sao_Paulo", 1_735_000_000, -180),
            ("Australia/Lord_Howe", 1_735_000_000, 660),
            ("Australia/Lord_Howe", 1_720_000_000, 630),
            ("Pacific/Apia", 1_325_152_799, -600),
            ("Pacific/Apia", 1_325_300_000, 840),
            ("Africa/Casablanca", 1_711_000_000, 0),
            ("Etc/GMT+5", -1, -300),
            ("Europe/Paris", -1_000_000_000, 60),
            ("Europe/Berlin", -1, 60),
            ("America/New_York", -880_000_000, -240),
            ("Asia/Kolkata", -800_000_000, 390),
            ("UTC", i64::MIN, 0),
        ] {
            let Zone::Offset(found) = find(name, seconds) else { panic!("{name}") };
            assert_eq!(found, minutes * 60, "{name} at {seconds}");
        }
    }

    #[test]
    fn other_names_are_told_apart() {
        for (name, kind) in [
            ("Africa/Monrovia", Zone::Offset(-2670)),
            ("europe/berlin", Zone::Unknown),
            ("Europe", Zone::Refused("is a directory")),
            ("America/Argentina/", Zone::Refused("is a directory")),
            ("Europe/Berlin/", Zone::Refused("not a directory")),
            ("Euro", Zone::Unknown),
            ("Local", Zone::Local),
            ("../etc/localtime", Zone::Refused("time: invalid location name")),
            ("/etc/localtime", Zone::Refused("time: invalid location name")),
        ] {
            assert_eq!(find(name, -1), kind, "{name}");
        }
    }
}
