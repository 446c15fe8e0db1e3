/// A scenario of the gallery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Stable name, used in links: the file's name without its ending.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// One sentence on what it shows.
    pub description: &'static str,
    /// The text.
    pub text: &'static str,
}

/// The scenarios of the gallery, in the order in which they are offered.
pub fn gallery() -> &'static [Example] {
    &[]
}
