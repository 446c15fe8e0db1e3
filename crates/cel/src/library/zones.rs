//! A small table of time zones: the common ones, with the rules in force today.
//!
//! The whole database would be larger than the rest of the engine. A zone or a year that is not in
//! the table gives a clear error instead of a wrong hour.

use super::time::year_of;
use crate::calendar::days_before;

/// When clocks change.
#[derive(Clone, Copy)]
enum Rule {
    Never,
    /// United States and Canada.
    America,
    /// European Union and Great Britain.
    Europe,
    /// South-eastern Australia.
    Australia,
    NewZealand,
}

/// What is known of a name.
pub(super) enum Zone {
    /// Seconds east of UTC at that time.
    Offset(i64),
    /// Go would know it; the playground does not, or not for that year.
    NotHere,
    /// Nobody knows it.
    Unknown,
}

/// Names after their area, minutes east of UTC in winter, and the rule.
const ZONES: [(&str, &[&str], i64, Rule); 36] = [
    ("America", &["New_York", "Toronto", "Detroit"], -300, Rule::America),
    ("America", &["Chicago", "Winnipeg"], -360, Rule::America),
    ("America", &["Denver", "Edmonton"], -420, Rule::America),
    ("America", &["Los_Angeles", "Vancouver"], -480, Rule::America),
    ("America", &["Halifax"], -240, Rule::America),
    ("America", &["St_Johns"], -210, Rule::America),
    ("America", &["Anchorage"], -540, Rule::America),
    ("America", &["Phoenix"], -420, Rule::Never),
    ("America", &["Bogota", "Lima"], -300, Rule::Never),
    ("US", &["Eastern"], -300, Rule::America),
    ("US", &["Central"], -360, Rule::America),
    ("US", &["Mountain"], -420, Rule::America),
    ("US", &["Pacific"], -480, Rule::America),
    ("US", &["Hawaii"], -600, Rule::Never),
    ("Pacific", &["Honolulu"], -600, Rule::Never),
    ("Pacific", &["Auckland"], 720, Rule::NewZealand),
    ("Europe", &["London", "Dublin", "Lisbon"], 0, Rule::Europe),
    (
        "Europe",
        &[
            "Paris",
            "Berlin",
            "Madrid",
            "Rome",
            "Amsterdam",
            "Brussels",
            "Vienna",
            "Zurich",
            "Stockholm",
            "Oslo",
            "Copenhagen",
            "Prague",
            "Warsaw",
            "Budapest",
            "Belgrade",
            "Zagreb",
            "Ljubljana",
            "Bratislava",
            "Luxembourg",
            "Monaco",
            "Malta",
        ],
        60,
        Rule::Europe,
    ),
    (
        "Europe",
        &["Athens", "Helsinki", "Kyiv", "Kiev", "Bucharest", "Sofia", "Riga", "Tallinn", "Vilnius"],
        120,
        Rule::Europe,
    ),
    ("Asia", &["Tokyo", "Seoul"], 540, Rule::Never),
    (
        "Asia",
        &["Shanghai", "Hong_Kong", "Taipei", "Singapore", "Manila", "Kuala_Lumpur", "Macau"],
        480,
        Rule::Never,
    ),
    ("Asia", &["Bangkok", "Jakarta", "Ho_Chi_Minh", "Saigon"], 420, Rule::Never),
    ("Asia", &["Kolkata", "Calcutta", "Colombo"], 330, Rule::Never),
    ("Asia", &["Kathmandu", "Katmandu"], 345, Rule::Never),
    ("Asia", &["Dubai", "Muscat"], 240, Rule::Never),
    ("Asia", &["Riyadh", "Kuwait", "Qatar"], 180, Rule::Never),
    ("Africa", &["Johannesburg", "Harare", "Maputo"], 120, Rule::Never),
    ("Africa", &["Lagos", "Kinshasa", "Luanda"], 60, Rule::Never),
    ("Africa", &["Nairobi", "Addis_Ababa"], 180, Rule::Never),
    ("Africa", &["Abidjan", "Accra", "Dakar"], 0, Rule::Never),
    ("Atlantic", &["Reykjavik"], 0, Rule::Never),
    ("Australia", &["Sydney", "Melbourne", "Hobart", "Canberra"], 600, Rule::Australia),
    ("Australia", &["Adelaide"], 570, Rule::Australia),
    ("Australia", &["Brisbane"], 600, Rule::Never),
    ("Australia", &["Perth"], 480, Rule::Never),
    ("Australia", &["Darwin"], 570, Rule::Never),
];

/// First parts of the names in the database.
const AREAS: [&str; 16] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Brazil",
    "Canada",
    "Chile",
    "Etc",
    "Europe",
    "Indian",
    "Mexico",
    "Pacific",
    "US",
];
/// Names without an area.
const PLAIN: [&str; 12] = [
    "CET",
    "EET",
    "EST",
    "EST5EDT",
    "HST",
    "Japan",
    "Local",
    "MET",
    "MST",
    "PST8PDT",
    "Singapore",
    "WET",
];

/// The offset of a zone at a time in seconds since 1970.
pub(super) fn find(name: &str, seconds: i64) -> Zone {
    if matches!(
        name,
        "" | "UTC" | "GMT" | "Etc/UTC" | "Etc/GMT" | "Etc/Zulu" | "Zulu" | "Universal"
    ) {
        return Zone::Offset(0);
    }
    let Some((area, place)) = name.split_once('/') else {
        return if PLAIN.contains(&name) { Zone::NotHere } else { Zone::Unknown };
    };
    let known = ZONES.iter().find(|(known, places, ..)| *known == area && places.contains(&place));
    match known {
        Some((_, _, minutes, rule)) => match summer(*rule, seconds, minutes * 60) {
            Some(true) => Zone::Offset(minutes * 60 + 3600),
            Some(false) => Zone::Offset(minutes * 60),
            None => Zone::NotHere,
        },
        None if AREAS.contains(&area) => Zone::NotHere,
        None => Zone::Unknown,
    }
}

/// Whether clocks are an hour ahead; none when the rule is not known for that year.
fn summer(rule: Rule, seconds: i64, offset: i64) -> Option<bool> {
    let year = year_of(seconds + offset);
    let between = |from: i64, to: i64| Some((from..to).contains(&seconds));
    // Local hours, in winter time, as seconds since 1970.
    let local = |day: i64, hour: i64| day * 86_400 + hour * 3600 - offset;
    match rule {
        Rule::Never if year >= 1990 => Some(false),
        Rule::America if year >= 2007 => {
            between(local(sunday(year, 3, 8), 2), local(sunday(year, 11, 1), 1))
        }
        Rule::America if year >= 1987 => {
            between(local(sunday(year, 4, 1), 2), local(sunday(year, 10, 25), 1))
        }
        Rule::Europe if year >= 1996 => {
            let change = |day: i64| day * 86_400 + 3600;
            between(change(sunday(year, 3, 25)), change(sunday(year, 10, 25)))
        }
        Rule::Australia if year >= 2009 => {
            between(local(sunday(year, 4, 1), 2), local(sunday(year, 10, 1), 2))
                .map(|winter| !winter)
        }
        Rule::NewZealand if year >= 2008 => {
            between(local(sunday(year, 4, 1), 2), local(sunday(year, 9, 24), 2))
                .map(|winter| !winter)
        }
        _ => None,
    }
}

/// The first Sunday from a date on, in days since 1970.
fn sunday(year: i64, month: i64, day: i64) -> i64 {
    let start = days_before(year, month, day);
    start + (3 - start).rem_euclid(7)
}
