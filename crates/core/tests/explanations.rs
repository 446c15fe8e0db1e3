//! Laws of explanations, over the recorded scenarios of every release.

#![expect(clippy::expect_used, reason = "a test")]

use std::collections::BTreeMap;

use dra_playground_core::allocator::{
    AllocatedState, Allocator, Context, Ground, Outcome, Pruning, ShareIds, SkipReason,
};
use dra_playground_core::api::ResourceClaim;
use dra_playground_core::conformance::alloc::Scene;
use dra_playground_core::explain::{Explanation, Recorder, candidates};
use dra_playground_core::selector::Selectors;

struct OneShare;

impl ShareIds for OneShare {
    fn next_share_id(&mut self) -> String {
        "share".to_owned()
    }
}

/// Every device that a node sees has one verdict for each request, and the chosen ones are those of
/// the result.
#[track_caller]
fn check(line: &str) -> usize {
    let scene = Scene::read(line).expect("a recorded scenario");
    let ground = Ground::new(&scene.slices);
    let allocated = AllocatedState::from_claims(&scene.allocated, &scene.behavior);
    let selectors = Selectors::new(&scene.behavior.cel);
    let claims: Vec<&ResourceClaim> = scene.claims.iter().collect();
    let mut verdicts = 0;
    for node in &scene.nodes {
        let mut allocator = Allocator::new(Context {
            behavior: &scene.behavior,
            ground: &ground,
            classes: &scene.classes,
            allocated: &allocated,
            selectors: &selectors,
            pruning: Pruning::Proven,
            budget: None,
            pool_order: None,
        });
        let mut recorder = Recorder::new();
        let attempt = allocator.allocate(node, &claims, &mut OneShare, &mut recorder);
        let Ok(gathered) = allocator.gather(node) else { continue };
        let seen = candidates(ground.index(), &gathered, node, &scene.behavior, usize::MAX);
        let explanation =
            Explanation::new(&recorder, &claims, &seen, &attempt.outcome, attempt.search_calls);
        let mut chosen: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        for request in &explanation.requests {
            let devices: Vec<_> = request.verdicts.iter().map(|v| v.device.clone()).collect();
            let expected: Vec<_> = seen.iter().map(|candidate| candidate.device.clone()).collect();
            assert_eq!(devices, expected, "{} {}", scene.name, request.name);
            verdicts += devices.len();
            for verdict in &request.verdicts {
                if verdict.reason.told() == Some(&SkipReason::Chosen) {
                    let key = (request.claim.name.clone(), request.name.clone());
                    chosen.entry(key).or_default().push(verdict.device.to_string());
                }
            }
        }
        let mut taken: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
        if let Outcome::Allocated(results) = &attempt.outcome {
            for (claim, result) in claims.iter().zip(results) {
                for device in &result.results {
                    let key = (claim.metadata.name.clone(), device.request.clone());
                    let id = format!("{}/{}/{}", device.driver, device.pool, device.device);
                    let devices = taken.entry(key).or_default();
                    // Up to 1.35 one request can take a shared device twice.
                    if !devices.contains(&id) {
                        devices.push(id);
                    }
                }
            }
        }
        for devices in chosen.values_mut().chain(taken.values_mut()) {
            devices.sort();
        }
        assert_eq!(chosen, taken, "{}", scene.name);
    }
    verdicts
}

#[track_caller]
fn check_all(text: &str) {
    let verdicts: usize = text.lines().map(check).sum();
    assert!(verdicts >= 500, "only {verdicts} verdicts");
}

#[test]
fn explanations_of_1_34_are_complete() {
    check_all(include_str!("../../../tests/oracle/recorded/alloc-1.34.13.jsonl"));
}

#[test]
fn explanations_of_1_35_are_complete() {
    check_all(include_str!("../../../tests/oracle/recorded/alloc-1.35.10.jsonl"));
}

#[test]
fn explanations_of_1_36_are_complete() {
    check_all(include_str!("../../../tests/oracle/recorded/alloc-1.36.6.jsonl"));
}

#[test]
fn explanations_of_1_37_are_complete() {
    check_all(include_str!("../../../tests/oracle/recorded/alloc-1.37.2.jsonl"));
}
