use std::collections::BTreeMap;

use serde_json::Value;

use super::{THEMES, scene};
use crate::release::SERVERS;

#[test]
fn the_same_seed_gives_the_same_scene() {
    let [release, _] = SERVERS;
    assert_eq!(scene(3, 5, release), scene(3, 5, release));
    assert_ne!(scene(3, 5, release), scene(3, 6, release));
}

#[test]
fn every_theme_and_step_occurs() {
    let [_, release] = SERVERS;
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for index in 0..300 {
        let scene = scene(1, index, release);
        let tags = scene.get("tags").and_then(Value::as_array).unwrap();
        let steps = scene.get("steps").and_then(Value::as_array).unwrap();
        let names = tags.iter().filter_map(Value::as_str).map(str::to_owned);
        let steps = steps.iter().flat_map(|step| step.as_object().unwrap().keys().cloned());
        for name in names.chain(steps) {
            *seen.entry(name).or_default() += 1;
        }
    }
    for name in THEMES.into_iter().chain(["apply", "delete", "advance", "finish", "setConditions"])
    {
        assert!(seen.get(name).is_some_and(|count| *count >= 10), "{name}: {seen:?}");
    }
}
