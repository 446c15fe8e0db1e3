//! How the page is shown: whole, or embedded in another page with a choice of panels; colors, open
//! menu, pane.

use std::rc::Rc;

/// Panels of an embedded page that names none.
const EMBEDDED: [&str; 7] =
    ["yaml", "timeline", "answer", "sieve", "rack", "diagnostics", "remarks"];

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

/// The pane shown on a phone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Pane {
    /// The answer.
    #[default]
    Answer,
    /// The text.
    Yaml,
}

/// A menu of the top bar or the editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Menu {
    /// Scenarios.
    Gallery,
    /// Objects and inventories to insert.
    Insert,
    /// Objects of the text.
    Outline,
    /// Feature gates and behaviour.
    Gates,
    /// The link.
    Share,
    /// Files of the answer.
    Export,
    /// Colors.
    Theme,
    /// Version, gates and language on a phone.
    More,
    /// Keyboard.
    Keys,
    /// A page about a reason or a finding.
    Page,
}

/// Colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
    /// The strongest contrasts, light or dark as the system has it.
    Contrast,
}

impl Theme {
    /// All themes, in the order in which they are offered.
    pub(crate) const ALL: [Self; 4] = [Self::System, Self::Light, Self::Dark, Self::Contrast];

    /// Its name in links, styles and the browser's storage; `None` follows the system.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            Self::System => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
            Self::Contrast => Some("contrast"),
        }
    }

    /// The theme of a name.
    pub(crate) fn of(name: Option<&str>) -> Self {
        Self::ALL.into_iter().find(|it| it.name() == name).unwrap_or_default()
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
