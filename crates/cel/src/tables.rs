//! Large tables that few expressions need: time zones, and classes of characters.
//!
//! A program of its own carries them (feature `tables`); the page fetches one when the first
//! expression needs it, by the function that [`fetch_by`] was given.

use std::sync::OnceLock;

/// Gives the table whose file has this name. It must not return without it: there is no answer then.
pub type Fetch = fn(name: &str) -> String;

static FETCH: OnceLock<Fetch> = OnceLock::new();

/// Says where tables come from that the program does not carry; only the first call counts.
pub fn fetch_by(fetch: Fetch) {
    let _ = FETCH.set(fetch);
}

/// A file of `tables/`.
pub(crate) struct Table {
    name: &'static str,
    carried: Option<&'static str>,
    fetched: OnceLock<String>,
}

impl Table {
    const fn new(name: &'static str, carried: Option<&'static str>) -> Self {
        Self { name, carried, fetched: OnceLock::new() }
    }

    /// Its text; empty when nobody was asked to fetch it.
    pub(crate) fn text(&'static self) -> &'static str {
        self.carried.unwrap_or_else(|| {
            self.fetched.get_or_init(|| FETCH.get().map(|it| it(self.name)).unwrap_or_default())
        })
    }
}

macro_rules! table {
    ($table:ident, $file:literal) => {
        #[cfg(feature = "tables")]
        pub(crate) static $table: Table =
            Table::new($file, Some(include_str!(concat!("../tables/", $file))));
        #[cfg(not(feature = "tables"))]
        pub(crate) static $table: Table = Table::new($file, None);
    };
}

table!(ZONES, "zones.txt");
table!(UNICODE, "unicode.txt");
