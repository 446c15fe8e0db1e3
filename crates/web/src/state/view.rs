//! How the page is shown: whole, or embedded in another page with a choice of panels.

use std::rc::Rc;

/// Panels of an embedded page that names none.
const EMBEDDED: [&str; 8] =
    ["yaml", "timeline", "pods", "answer", "sieve", "rack", "diagnostics", "remarks"];

/// How the page is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct View {
    /// Whether the page stands in a frame of another page: it leaves address and storage alone.
    pub(crate) embedded: bool,
    /// Whether the text may not be changed.
    pub(crate) read_only: bool,
    /// Panels to show; empty for the default.
    pub(crate) panels: Rc<[String]>,
    /// Whether the page is as high as what it shows.
    pub(crate) grows: bool,
}

impl View {
    /// Whether a panel is shown.
    pub(crate) fn shows(&self, panel: &str) -> bool {
        if !self.panels.is_empty() {
            return self.panels.iter().any(|it| it == panel);
        }
        !self.embedded || EMBEDDED.contains(&panel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_page_shows_everything_and_an_embedded_one_its_choice() {
        assert!(View::default().shows("inventory"));
        let embedded = View { embedded: true, ..View::default() };
        assert!(embedded.shows("sieve") && !embedded.shows("inventory"));
        let chosen = View { panels: Rc::from(["inventory".to_owned()]), ..embedded };
        assert!(chosen.shows("inventory") && !chosen.shows("sieve"));
    }
}
