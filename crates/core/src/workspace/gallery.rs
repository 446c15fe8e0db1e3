use std::sync::OnceLock;

use crate::language;

/// A scenario of the gallery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Stable name, used in links: the file's name without its ending.
    pub name: &'static str,
    /// Title.
    pub title: &'static str,
    /// One sentence on what it shows.
    pub description: &'static str,
    /// The text.
    pub text: &'static str,
    /// What it makes use of, in the words by which people look for it: API fields, feature gates.
    pub features: Vec<&'static str>,
}

/// A title, paragraph, step or feature of the gallery as a language has it; else as it is.
pub fn gallery_words<'a>(english: &'a str, language: &str) -> &'a str {
    language::said(language::language(language).map(|it| &it.gallery), english)
}

/// A description in another language: each paragraph and each item of a list that the gallery has.
pub(super) fn translate_description(text: &str, language: &str) -> String {
    let blocks = text.split("\n\n").map(|block| {
        let lines: Vec<&str> = block.lines().map(str::trim).collect();
        let items: Option<Vec<&str>> = lines.iter().map(|line| line.strip_prefix("- ")).collect();
        match items {
            Some(items) => {
                let told = items.iter().map(|item| format!("- {}", gallery_words(item, language)));
                told.collect::<Vec<_>>().join("\n")
            }
            None => gallery_words(&lines.join(" "), language).to_owned(),
        }
    });
    blocks.collect::<Vec<_>>().join("\n\n")
}

/// Features by what gives them away in the text of a scenario.
const FEATURES: &[(&str, &str)] = &[
    ("sharedCounters:", "partitionable devices, sharedCounters, DRAPartitionableDevices"),
    ("allowMultipleAllocations:", "consumable capacity, shared devices, DRAConsumableCapacity"),
    ("requestPolicy:", "requestPolicy, validRange"),
    ("distinctAttribute:", "distinctAttribute, constraints"),
    ("matchAttribute:", "matchAttribute, constraints, topology"),
    ("firstAvailable:", "prioritized list, firstAvailable, alternatives, DRAPrioritizedList"),
    ("taints:", "device taints, tolerations, DRADeviceTaints"),
    ("kind: DeviceTaintRule", "DeviceTaintRule, device taints, eviction, DRADeviceTaintRules"),
    ("adminAccess:", "adminAccess, monitoring, DRAAdminAccess"),
    ("bindingConditions:", "binding conditions, DRADeviceBindingConditions"),
    ("extendedResourceName:", "extended resource, DRAExtendedResource"),
    ("allocationMode: All", "allocationMode All"),
    ("perDeviceNodeSelection:", "perDeviceNodeSelection, network-attached devices"),
    ("allNodes: true", "allNodes, network-attached devices"),
    ("nodeSelector:", "nodeSelector, network-attached devices"),
    ("expression:", "CEL, selectors"),
    ("kind: ResourceClaimTemplate", "ResourceClaimTemplate"),
    ("count:", "count"),
];

fn features(text: &str) -> Vec<&'static str> {
    let used = FEATURES.iter().filter(|(sign, _)| text.contains(sign));
    let mut features: Vec<&'static str> = Vec::new();
    for feature in used.flat_map(|(_, names)| names.split(", ")) {
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    features
}

/// What stands before the name of each example in the file that the page loads.
const SEPARATOR: char = '\u{1e}';

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        /// Names in the order in which they are offered.
        const NAMES: &[&str] = &[$($name),*];
        /// Their texts, which programs carry and the page loads.
        #[cfg(feature = "gallery")]
        const TEXTS: &[&str] =
            &[$(include_str!(concat!("../../../../examples/", $name, ".yaml"))),*];
    };
}

examples![
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
    "npu",
    "pool-generations",
    "prioritized-list",
    "request-policy",
    "share-ids",
    "shared-claim",
    "shared-counters",
    "template-only",
];

static GALLERY: OnceLock<Vec<Example>> = OnceLock::new();

/// The scenarios of the gallery, in the order in which they are offered; none before the page has
/// loaded them.
pub fn gallery() -> &'static [Example] {
    #[cfg(feature = "gallery")]
    GALLERY
        .get_or_init(|| NAMES.iter().zip(TEXTS).map(|(name, text)| example(name, text)).collect());
    GALLERY.get().map(Vec::as_slice).unwrap_or_default()
}

/// Takes in the file of all examples: before each text a line with U+001E and its name. A file
/// without any, e.g. the page of a host for what is missing, changes nothing.
pub fn fill_gallery(file: String) {
    let examples = read(file.leak());
    if !examples.is_empty() {
        GALLERY.get_or_init(|| examples);
    }
}

fn read(file: &'static str) -> Vec<Example> {
    let named: Vec<(&str, &str)> =
        file.split(SEPARATOR).filter_map(|part| part.split_once('\n')).collect();
    let text = |name: &str| named.iter().find(|(it, _)| *it == name).map(|(_, text)| *text);
    NAMES.iter().filter_map(|name| Some(example(name, text(name)?))).collect()
}

/// An example says what it shows in its first comment line, and its title in its scenario document.
fn example(name: &'static str, text: &'static str) -> Example {
    let description =
        text.lines().next().and_then(|line| line.strip_prefix('#')).unwrap_or_default();
    let title = text.lines().find_map(|line| line.strip_prefix("  title: ")).unwrap_or(name);
    Example {
        name,
        title: title.trim().trim_matches('"'),
        description: description.trim(),
        text,
        features: features(text),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::workspace::Workspace;
    use crate::workspace::report::Options;

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
    fn the_loaded_file_gives_the_same_scenarios() {
        let parts = gallery().iter().rev().map(|it| format!("\u{1e}{}\n{}", it.name, it.text));
        assert_eq!(read(parts.collect::<String>().leak()), gallery());
        assert_eq!(read(String::from("<html>").leak()), []);
    }

    /// What the gallery says of a scenario, piece by piece.
    fn pieces(example: &Example) -> Vec<String> {
        let analysis = Workspace::new().analyze(example.text, &Options::default());
        let scenario = analysis.scenario.unwrap();
        let description = scenario.description.split("\n\n").flat_map(|block| {
            let lines: Vec<&str> = block.lines().map(str::trim).collect();
            let items: Option<Vec<&str>> = lines.iter().map(|it| it.strip_prefix("- ")).collect();
            items.map_or_else(
                || vec![lines.join(" ")],
                |items| items.into_iter().map(str::to_owned).collect(),
            )
        });
        let steps =
            analysis.steps.into_iter().filter(|it| it.range.is_some() && it.operation != "objects");
        let words = example.features.iter().filter(|it| !it.contains(char::is_uppercase));
        let mut all = vec![example.title.to_owned(), example.description.to_owned()];
        all.extend(description.chain(steps.map(|it| it.name)));
        all.extend(words.map(|it| (*it).to_owned()));
        all.retain(|it| !it.is_empty());
        all
    }

    #[test]
    fn the_gallery_speaks_every_language() {
        let english: BTreeSet<String> = gallery().iter().flat_map(pieces).collect();
        for known in language::KNOWN.iter().skip(1) {
            let told = &language::language(known.code).unwrap().gallery;
            let missing: Vec<_> = english.iter().filter(|it| !told.contains_key(*it)).collect();
            assert!(missing.is_empty(), "without translation: {missing:#?}");
            let gone: Vec<_> = told.keys().filter(|it| !english.contains(*it)).collect();
            assert!(gone.is_empty(), "translated, but gone: {gone:#?}");
        }
    }

    #[test]
    fn a_scenario_of_the_gallery_is_told_in_the_language_of_the_reader() {
        let example = gallery().iter().find(|it| it.name == "request-policy").unwrap();
        let options = Options { language: "zh-TW".to_owned(), ..Options::default() };
        let told = |text: &str| Workspace::new().analyze(text, &options).scenario.unwrap();
        let scenario = told(example.text);
        assert_eq!(scenario.title, gallery_words(example.title, "zh-TW"));
        assert_ne!(scenario.title, example.title);
        assert!(scenario.description.contains("\n- `greedy` 沒有要求 `memory`"), "{scenario:?}");
        let own = told(&example.text.replace("`greedy` asks", "`greedy` wants"));
        assert!(own.description.contains("\n- `greedy` wants nothing of"), "{own:?}");
        assert!(own.description.contains("\n- `rounded` 要 1200M"), "{own:?}");
    }

    #[test]
    fn examples_are_found_by_what_they_use() {
        let using = |feature: &str| {
            let found = gallery().iter().filter(|it| it.features.contains(&feature));
            found.map(|it| it.name).collect::<Vec<_>>()
        };
        assert!(using("sharedCounters").contains(&"experiment-5-partitionable"));
        assert!(using("DRAPrioritizedList").contains(&"prioritized-list"));
        for (sign, names) in FEATURES {
            let first = names.split(", ").next().unwrap();
            assert!(
                gallery().iter().any(|it| it.features.contains(&first)),
                "no scenario shows {sign}"
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
