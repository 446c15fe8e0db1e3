use std::sync::OnceLock;

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

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../../../examples/", $name, ".yaml")))),*]
    };
}

/// Names and texts in the order in which they are offered.
const FILES: &[(&str, &str)] = examples![
    "experiment-4-cel-selectors",
    "experiment-5-partitionable",
    "experiment-6-consumable-off",
    "experiment-6-consumable-on",
    "admin-access",
    "all-devices",
    "binding-conditions",
    "device-taint-rule",
    "device-taints",
    "distinct-attribute",
    "exact-count",
    "extended-resource",
    "faulty-pools",
    "match-attribute",
    "missing-attribute",
    "node-selection",
    "pool-generations",
    "prioritized-list",
    "request-policy",
    "share-ids",
    "shared-claim",
    "shared-counters",
    "template-only",
];

/// The scenarios of the gallery, in the order in which they are offered.
pub fn gallery() -> &'static [Example] {
    static GALLERY: OnceLock<Vec<Example>> = OnceLock::new();
    GALLERY.get_or_init(|| FILES.iter().map(|(name, text)| example(name, text)).collect())
}

/// An example says what it shows in its first comment line, and its title in its scenario document.
fn example(name: &'static str, text: &'static str) -> Example {
    let description =
        text.lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
    let title = text.lines().find_map(|line| line.strip_prefix("  title: ")).unwrap_or(name);
    Example { name, title: title.trim().trim_matches('"'), description: description.trim(), text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_introduces_itself() {
        for example in gallery() {
            assert_ne!(example.title, example.name, "no title");
            assert!(
                example.description.ends_with('.'),
                "{}: {}",
                example.name,
                example.description
            );
        }
    }

    #[test]
    fn every_file_is_offered() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| {
                let name = entry.unwrap().file_name().into_string().unwrap();
                name.strip_suffix(".yaml").map(str::to_owned)
            })
            .collect();
        files.sort();
        let mut offered: Vec<&str> = gallery().iter().map(|example| example.name).collect();
        offered.sort_unstable();
        assert_eq!(offered, files, "add the file to the list in workspace/gallery.rs");
    }
}
