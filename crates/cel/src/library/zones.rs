//! Names of time zones: whether a text looks like one that Go would know.

/// First parts of the names in the IANA database.
const AREAS: [&str; 14] = [
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
    "Pacific",
];

/// Whether a name is probably in the database; the playground carries no tables of it.
pub(super) fn is_name(name: &str) -> bool {
    let area = name.split_once('/').map(|(area, _)| area);
    area.is_some_and(|area| AREAS.contains(&area) || matches!(area, "US" | "Mexico"))
        || matches!(
            name,
            "CET"
                | "EET"
                | "EST"
                | "EST5EDT"
                | "HST"
                | "MET"
                | "MST"
                | "PST8PDT"
                | "WET"
                | "CST6CDT"
                | "Japan"
                | "Singapore"
                | "Local"
        )
}
