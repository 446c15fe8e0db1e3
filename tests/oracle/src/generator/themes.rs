//! What a scenario is about: each theme brings in the objects that exercise one feature.

use serde_json::{Map, Value, json};

use super::Profile;
use crate::random::Random;

/// Percent of scenarios that have a theme which is not their main one.
const SIDE_THEME: usize = 13;

/// Every theme, in the order of its bit.
const THEMES: [&str; 20] = [
    "partitions",
    "shared",
    "lists",
    "taints",
    "binding",
    "constraints",
    "alternatives",
    "all",
    "admin",
    "pools",
    "faults",
    "config",
    "committed",
    "amounts",
    "per-device",
    "same-pool-name",
    "gates",
    "operations",
    "newest",
    "selectors",
];

/// The themes of one scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Themes {
    on: Vec<&'static str>,
    /// Which amounts are out of bounds under the theme `amounts`; one kind per scenario, since the
    /// real code names an arbitrary one of several.
    pub(super) amount: Amount,
}

/// The kind of unusual amounts in a scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Amount {
    Usual,
    Fractional,
    Huge,
    Negative,
}

impl Themes {
    pub(super) fn draw(random: &mut Random, profile: Profile) -> Self {
        let main = random.text(&THEMES);
        let mut on: Vec<_> = THEMES
            .into_iter()
            .filter(|theme| *theme == main || random.percent(SIDE_THEME))
            .collect();
        if profile.minor < 36 {
            on.retain(|theme| *theme != "lists");
        }
        if profile.minor < 37 {
            on.retain(|theme| !["operations", "newest"].contains(theme));
        }
        let amount = if on.contains(&"amounts") {
            match random.below(4) {
                0 => Amount::Huge,
                1 => Amount::Negative,
                _ => Amount::Fractional,
            }
        } else {
            Amount::Usual
        };
        Self { on, amount }
    }

    pub(super) fn has(&self, theme: &str) -> bool {
        self.on.contains(&theme)
    }

    pub(super) fn names(&self) -> &[&'static str] {
        &self.on
    }
}

/// The allocator features: mostly all of them, as in a cluster with default gates.
pub(super) fn features(random: &mut Random, themes: &Themes, profile: Profile) -> Value {
    let gates = themes.has("gates");
    let mut features = Map::new();
    for name in [
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    ] {
        features.insert(name.into(), json!(!gates || random.percent(70)));
    }
    let lists = themes.has("lists") && random.percent(85);
    features.insert("ListTypeAttributes".into(), json!(lists));
    if profile.minor >= 37 {
        // Off by default; without its fields a feature only chooses the variant.
        let fractions = themes.has("amounts") && random.percent(60);
        features.insert("FractionalCapacityRange".into(), json!(fractions));
        let operations = themes.has("operations") && random.percent(60);
        features.insert("OptionalNodeOperations".into(), json!(operations));
    }
    if gates && random.percent(30) {
        // What the stable variant supports.
        for (name, on) in &mut features {
            let stable = ["AdminAccess", "DeviceTaints", "PartitionableDevices", "PrioritizedList"];
            if !stable.contains(&name.as_str()) {
                *on = json!(false);
            }
        }
    }
    Value::Object(features)
}

/// Sometimes a variant is asked for that would not be chosen by itself.
pub(super) fn variant(
    random: &mut Random,
    record: &Map<String, Value>,
    profile: Profile,
) -> Option<&'static str> {
    let on = |name: &str| {
        let features = record.get("features").and_then(Value::as_object);
        features.and_then(|features| features.get(name)) == Some(&json!(true))
    };
    if !random.percent(12) {
        return None;
    }
    let incubating = if profile.minor < 36 {
        !on("ConsumableCapacity") && !on("DeviceBindingAndStatus")
    } else {
        !on("ListTypeAttributes") && !on("OptionalNodeOperations")
    };
    Some(if incubating && random.percent(50) {
        // 1.34 has no way to ask for a variant.
        if profile.minor < 35 {
            return None;
        }
        "incubating"
    } else {
        "experimental"
    })
}
