//! The time zones of the IANA database since 1970, as Go's `time` reads them.
//!
//! `zones.txt` is written by `tests/oracle/go/zones` from the database that comes with Go. Its first
//! line numbers the changes of clocks that occur, as `seconds of the local day ± seconds`; its second
//! line numbers the rules for the time after the last change. Each other line is a zone: its names,
//! the seconds east of UTC when 1970 begins, its rule, and its changes, each of four signs above `!`:
//! years since the change before, month, day and number. A day is 0 to 3 for the first Sundays of a
//! month, 4 for its last Sunday, and for other days 31 more than the day.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::str::SplitTerminator;

use crate::calendar::{civil, days_before};

const TABLE: &str = include_str!("zones.txt");
const DAY: i64 = 86_400;

/// What is known of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Zone {
    /// Seconds east of UTC at that time.
    Offset(i64),
    /// It exists, but times before 1970 are not in the table.
    Early,
    /// That of the machine that evaluates.
    Local,
    /// Go does not take it for a name, or cannot read the file of it, for this reason.
    Refused(&'static str),
    /// Nobody knows it.
    Unknown,
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
        Some(history) if seconds >= 0 || history.never_changes() => {
            Zone::Offset(history.offset(seconds))
        }
        Some(_) => Zone::Early,
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
    let mut lines = TABLE.split_terminator('\n');
    let changes: Vec<(i64, i64)> =
        lines.next()?.split(' ').map(read_change).collect::<Option<_>>()?;
    let rules: Vec<Rule> = lines.next()?.split(' ').map(read_rule).collect::<Option<_>>()?;
    read_zones(lines, &changes, &rules)
}

fn read_zones(
    lines: SplitTerminator<'static, char>,
    known: &[(i64, i64)],
    rules: &[Rule],
) -> Option<BTreeMap<&'static str, Rc<History>>> {
    let mut zones = BTreeMap::new();
    for line in lines {
        let mut parts = line.split(' ');
        let names = parts.next()?;
        let first = parts.next()?.parse().ok()?;
        let rule = rules.get(parts.next()?.parse::<usize>().ok()?)?.clone();
        let mut changes = Vec::new();
        let (mut year, mut offset) = (1970, first);
        for change in parts.next().unwrap_or_default().as_bytes().chunks_exact(4) {
            let [years, month, day, number] = change else { return None };
            let value = |sign: &u8| i64::from(sign.saturating_sub(b'!'));
            year += value(years);
            let (second, by) = known.get(usize::from(number.saturating_sub(b'!')))?;
            let day = match value(day) {
                week @ 0..5 => nth(year, value(month), week + 1, 0),
                other => days_before(year, value(month), other - 31),
            };
            let when = day * DAY + second - offset;
            offset += by;
            changes.push((when, offset));
        }
        let history = Rc::new(History { first, changes, rule });
        zones.extend(names.split(',').map(|name| (name, history.clone())));
    }
    Some(zones)
}

/// `7200-3600`.
fn read_change(text: &str) -> Option<(i64, i64)> {
    let (second, by) = text.split_at_checked(text.find(['+', '-'])?)?;
    Some((second.parse().ok()?, by.parse().ok()?))
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
    /// Whether the offset is known for all times: that of a zone with a fixed offset.
    fn never_changes(&self) -> bool {
        self.changes.is_empty() && self.rule.saving.is_none() && self.first == self.rule.standard
    }

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
    use super::{TABLE, Zone, find, read};

    #[test]
    fn the_table_is_whole() {
        let zones = read().unwrap();
        assert!(zones.len() > 590, "{}", zones.len());
        let names =
            TABLE.lines().skip(2).flat_map(|line| line.split(' ').next().unwrap().split(','));
        assert_eq!(names.count(), zones.len());
        for (name, history) in &zones {
            assert!(history.changes.is_sorted(), "{name}");
            assert!(history.changes.iter().all(|(when, _)| *when >= 0), "{name}");
        }
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
            ("UTC", i64::MIN, 0),
        ] {
            let Zone::Offset(found) = find(name, seconds) else { panic!("{name}") };
            assert_eq!(found, minutes * 60, "{name} at {seconds}");
        }
    }

    #[test]
    fn other_names_are_told_apart() {
        for (name, kind) in [
            ("Europe/Berlin", Zone::Early),
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
