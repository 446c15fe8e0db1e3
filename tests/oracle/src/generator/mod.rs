//! Seeded scenarios and CEL cases over every feature, small enough that all outcomes occur.

mod claims;
mod committed;
mod edges;
mod expressions;
mod inventory;
mod overloads;
mod patterns;
mod selectors;
mod themes;

use serde_json::{Map, Value, json};

use crate::random::Random;
use themes::Themes;

pub use expressions::cel_case;

/// What the cases are generated for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    /// The minor version of Kubernetes, 36 for 1.36: releases differ in what their objects can say.
    pub minor: u32,
}

/// A device that the inventory publishes, as far as claims need to know it.
#[derive(Debug, Clone, Default)]
struct Known {
    driver: String,
    pool: String,
    device: String,
    multi: bool,
    capacities: Vec<String>,
}

/// What one scenario is built from.
#[derive(Debug)]
struct World {
    profile: Profile,
    themes: Themes,
    drivers: Vec<String>,
    nodes: Vec<String>,
    devices: Vec<Known>,
}

/// Case `index` of allocation under `seed`: a record without its answer.
pub fn allocation_case(seed: u64, index: u64, profile: Profile) -> Value {
    let mut random = Random::new(seed, index);
    let themes = Themes::draw(&mut random, profile);
    let mut world = World {
        profile,
        drivers: inventory::drivers(&mut random, &themes),
        themes,
        nodes: Vec::new(),
        devices: Vec::new(),
    };
    let nodes = inventory::nodes(&mut random, &mut world);
    let slices = inventory::slices(&mut random, &mut world);
    let classes = claims::classes(&mut random, &world);
    let claims = claims::claims(&mut random, &world);
    let allocated = committed::allocated_claims(&mut random, &world);
    let mut record = Map::new();
    record.insert("name".into(), json!(format!("gen-{seed}-{index:05}")));
    record.insert("tags".into(), json!(world.themes.names()));
    record.insert("mode".into(), json!("both"));
    record.insert("features".into(), themes::features(&mut random, &world.themes, profile));
    if let Some(variant) = themes::variant(&mut random, &record, profile) {
        record.insert("allocator".into(), json!(variant));
    }
    record.insert("nodes".into(), Value::Array(nodes));
    record.insert("deviceClasses".into(), Value::Array(classes));
    record.insert("resourceSlices".into(), Value::Array(slices));
    record.insert("claims".into(), Value::Array(claims));
    record.insert("allocatedClaims".into(), Value::Array(allocated));
    Value::Object(record)
}

#[cfg(test)]
mod tests;
