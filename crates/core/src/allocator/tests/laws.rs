//! Laws that hold for every scene, tried on small random ones.

use proptest::prelude::*;

use super::notation::{Scene, describe};
use crate::allocator::*;
use crate::api::{AllocationResult, DeviceRequestAllocationResult, ResourceClaim};
use crate::selector::Selectors;

/// What a scene is made of; small enough to try every assignment.
fn scenes(with_shares: bool) -> impl Strategy<Value = String> {
    let device = (0..4usize, 0..4usize, 0..3usize, any::<bool>(), 0..6usize);
    let request = (0..4usize, 1..4usize, 0..3usize, 0..3usize);
    let devices = prop::collection::vec(device, 1..6);
    let requests = prop::collection::vec(request, 1..4);
    (devices, requests, 0..4usize, any::<bool>(), 0..3usize).prop_map(
        move |(devices, requests, constraint, two_claims, held)| {
            let mut text = String::from("set cs m=4\nset ds m=3\n");
            for (number, (z, k, draws, tainted, shared)) in devices.iter().enumerate() {
                let mut words = vec![format!("dev d{number}")];
                words.extend(["", " z=A", " z=B", " z=C"].get(*z).map(|s| (*s).to_owned()));
                words.extend(["", " k=v", " k=w", ""].get(*k).map(|s| (*s).to_owned()));
                words
                    .extend(["", " cs.m=2", " cs.m=3 ds.m=2"].get(*draws).map(|s| (*s).to_owned()));
                if *tainted && *shared == 1 {
                    words.push(" !t".into());
                }
                if with_shares && *shared > 2 {
                    words.push([" *", " * bw:4", " * bw:2"][shared - 3].into());
                }
                text += &(words.concat() + "\n");
            }
            if held > 0 && devices.len() > held && devices[held].4 < 3 {
                text.push_str(&["held d", &held.to_string(), "\n"].concat());
            }
            text += "claim c0\n";
            for (number, (kind, count, wanted, capacity)) in requests.iter().enumerate() {
                if two_claims && number == requests.len() - 1 && number > 0 {
                    text += "claim c1\n";
                }
                let select = ["", " where k=v", " where k=w"][*wanted];
                let amount = if with_shares { ["", " bw:1", " bw:3"][*capacity] } else { "" };
                let line = match kind {
                    0 if with_shares => format!("req r{number}/a all{select}\nreq r{number}/b 1\n"),
                    1 => format!("req r{number}/a {count}{amount}\nreq r{number}/b 1{select}\n"),
                    _ => format!("req r{number} {count}{amount}{select}\n"),
                };
                text.push_str(&line);
            }
            let first = "r0";
            text += ["", "match a/z\n", "distinct a/z\n", "match a/z\n"][constraint];
            if constraint == 3 && !two_claims {
                text = text.trim_end().to_owned() + &format!(" {first}\n");
            }
            text
        },
    )
}

/// Whether some assignment of devices to requests breaks no rule.
fn exists(scene: &Scene) -> bool {
    let allocated = AllocatedState::from_claims(&scene.held, &scene.behavior);
    let selectors = Selectors::new(&scene.behavior.cel);
    let ground = Ground::new(&scene.slices);
    let context = Context {
        behavior: &scene.behavior,
        ground: &ground,
        classes: &scene.classes,
        allocated: &allocated,
        selectors: &selectors,
        pruning: Pruning::Off,
        budget: None,
        pool_order: None,
    };
    let claims: Vec<&ResourceClaim> = scene.claims.iter().collect();
    let names: Vec<String> =
        scene.slices.iter().flat_map(|s| s.devices.iter()).map(|d| d.name.clone()).collect();
    // Requests of all claims with their alternatives: names and counts.
    let wishes: Vec<(usize, Vec<(String, i64)>)> = claims
        .iter()
        .enumerate()
        .flat_map(|(claim, c)| c.spec.requests.iter().map(move |request| (claim, request)))
        .map(|(claim, request)| {
            let mut alternatives: Vec<(String, i64)> = request
                .first_available
                .iter()
                .map(|sub| (format!("{}/{}", request.name, sub.name), sub.request.count))
                .collect();
            alternatives.extend(request.exactly.iter().map(|e| (request.name.clone(), e.count)));
            (claim, alternatives)
        })
        .collect();
    let mut results = vec![AllocationResult::default(); claims.len()];
    assign(&wishes, &names, &mut results, &mut |results| {
        verify(context, &scene.nodes[0], &claims, results).is_empty()
    })
}

fn assign(
    wishes: &[(usize, Vec<(String, i64)>)],
    names: &[String],
    results: &mut Vec<AllocationResult>,
    is_right: &mut dyn FnMut(&[AllocationResult]) -> bool,
) -> bool {
    let Some(((claim, alternatives), rest)) = wishes.split_first() else {
        return is_right(results);
    };
    alternatives.iter().any(|(request, count)| {
        (0..1u32 << names.len()).filter(|set| i64::from(set.count_ones()) == *count).any(|set| {
            let before = results[*claim].results.len();
            for (number, name) in names.iter().enumerate().filter(|(n, _)| set & (1 << n) != 0) {
                let _ = number;
                results[*claim].results.push(DeviceRequestAllocationResult {
                    request: request.clone(),
                    driver: "a".into(),
                    pool: "p".into(),
                    device: name.clone(),
                    ..Default::default()
                });
            }
            let found = assign(rest, names, results, is_right);
            results[*claim].results.truncate(before);
            found
        })
    })
}

fn outcome(scene: &Scene, pruning: Pruning) -> Outcome {
    scene.attempt(0, pruning, &mut ()).0.outcome
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn every_result_is_right(text in scenes(true)) {
        let scene = Scene::read(&format!("release 1.37.2\n{text}"));
        let (attempt, allocated) = scene.attempt(0, Pruning::Proven, &mut ());
        if let Outcome::Allocated(results) = attempt.outcome {
            let selectors = Selectors::new(&scene.behavior.cel);
            let claims: Vec<&ResourceClaim> = scene.claims.iter().collect();
            let ground = Ground::new(&scene.slices);
            let context = Context {
                behavior: &scene.behavior,
                ground: &ground,
                classes: &scene.classes,
                allocated: &allocated,
                selectors: &selectors,
                pruning: Pruning::Off,
                budget: None,
                pool_order: None,
            };
            let violations = verify(context, &scene.nodes[0], &claims, &results);
            prop_assert!(violations.is_empty(), "{violations:?}");
        }
    }

    #[test]
    fn yes_and_no_are_those_of_trying_everything(text in scenes(false)) {
        let scene = Scene::read(&format!("release 1.37.2\n{text}"));
        let ours = matches!(outcome(&scene, Pruning::Proven), Outcome::Allocated(_));
        prop_assert_eq!(ours, exists(&scene));
    }

    #[test]
    fn pruning_changes_no_answer(text in scenes(true), release in 0..6usize) {
        let release = ["1.34.13", "1.35.10", "1.36.2", "1.36.6", "1.37.0-alpha", "1.37.2"][release];
        let scene = Scene::read(&format!("release {release}\n{text}"));
        prop_assert_eq!(outcome(&scene, Pruning::Off), outcome(&scene, Pruning::Proven));
    }

    #[test]
    fn the_order_of_slices_given_does_not_matter(text in scenes(true)) {
        let mut scene = Scene::read(&format!("release 1.36.6\n{text}"));
        let before = outcome(&scene, Pruning::Off);
        scene.slices.reverse();
        prop_assert_eq!(before, outcome(&scene, Pruning::Off));
    }

    #[test]
    fn the_order_of_devices_changes_no_yes_or_no(text in scenes(false)) {
        let scene = Scene::read(&format!("release 1.37.2\n{text}"));
        let mut reversed = Scene::read(&format!("release 1.37.2\n{text}"));
        for slice in &mut reversed.slices {
            std::rc::Rc::make_mut(slice).devices_mut().reverse();
        }
        let yes = |scene| matches!(outcome(scene, Pruning::Off), Outcome::Allocated(_));
        prop_assert_eq!(yes(&scene), yes(&reversed));
    }

    #[test]
    fn a_budget_only_takes_answers_away(text in scenes(true), budget in 0..60u64) {
        for release in ["1.36.2", "1.37.2"] {
            let scene = Scene::read(&format!("release {release}\n{text}"));
            let whole = outcome(&scene, Pruning::Off);
            let (attempt, _) = scene.attempt_within(0, Pruning::Off, Some(budget), &mut ());
            if attempt.outcome != (Outcome::Exhausted { search_calls: budget }) {
                prop_assert_eq!(attempt.outcome, whole);
            }
        }
    }

    #[test]
    fn what_nobody_picked_can_be_removed(text in scenes(true)) {
        let text = text.replace(" all", " 1");
        let scene = Scene::read(&format!("release 1.37.2\n{text}"));
        let before = outcome(&scene, Pruning::Proven);
        if let Outcome::Allocated(results) = &before {
            let is_kept = |name: &str| {
                let held = scene.held.iter().filter_map(|claim| claim.status.allocation.as_ref());
                held.chain(results).flat_map(|r| &r.results).any(|device| device.device == name)
            };
            let names: Vec<String> = scene.slices.iter().flat_map(|s| s.devices.iter())
                .map(|device| device.name.clone()).filter(|name| !is_kept(name)).collect();
            for name in names {
                let mut without = Scene::read(&format!("release 1.37.2\n{text}"));
                for slice in &mut without.slices {
                    std::rc::Rc::make_mut(slice).devices_mut().retain(|device| device.name != name);
                }
                prop_assert_eq!(&outcome(&without, Pruning::Proven), &before, "without {}", name);
            }
        }
    }

    #[test]
    fn repeated_runs_answer_the_same(text in scenes(true)) {
        let scene = Scene::read(&format!("release 1.36.2\n{text}"));
        let answer = || scene.attempt(0, Pruning::Proven, &mut ()).0;
        prop_assert_eq!(answer(), answer());
    }

    #[test]
    fn every_event_has_its_counterpart(text in scenes(true)) {
        let scene = Scene::read(&format!("release 1.36.2\n{text}"));
        let mut balance = Balance::default();
        let (attempt, _) = scene.attempt(0, Pruning::Off, &mut balance);
        if let Outcome::Allocated(results) = &attempt.outcome {
            let devices: usize = results.iter().map(|result| result.results.len()).sum();
            prop_assert_eq!(balance.taken - balance.undone, devices);
            prop_assert_eq!(Some(balance.entered), attempt.search_calls);
            prop_assert_eq!(balance.entered, balance.left);
        }
        prop_assert_eq!(describe(&attempt.outcome), scene.answer(0, Pruning::Off).0);
    }
}

/// Counts events that belong together.
#[derive(Debug, Default)]
struct Balance {
    taken: usize,
    undone: usize,
    entered: u64,
    left: u64,
}

impl Observer for Balance {
    fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::Taken { .. } => self.taken += 1,
            Event::Undone { .. } => self.undone += 1,
            Event::Enter { .. } => self.entered += 1,
            Event::Leave { .. } => self.left += 1,
            _ => {}
        }
    }
}

struct NoShares;

impl ShareIds for NoShares {
    fn next_share_id(&mut self) -> String {
        panic!("nothing is shared")
    }
}

#[test]
fn a_budget_stops_the_search_and_flips_no_answer() {
    let scene = "dev a\ndev b\ndev c\ndev d\nreq r 5";
    let scene = Scene::read(scene);
    let allocated = AllocatedState::default();
    let selectors = Selectors::new(&scene.behavior.cel);
    let claims: Vec<&ResourceClaim> = scene.claims.iter().collect();
    let ground = Ground::new(&scene.slices);
    for budget in 0..20 {
        let mut allocator = Allocator::new(Context {
            behavior: &scene.behavior,
            ground: &ground,
            classes: &scene.classes,
            allocated: &allocated,
            selectors: &selectors,
            pruning: Pruning::Off,
            budget: Some(budget),
            pool_order: None,
        });
        let outcome = allocator.allocate(&scene.nodes[0], &claims, &mut NoShares, &mut ()).outcome;
        let expected = if budget < 16 {
            Outcome::Exhausted { search_calls: budget }
        } else {
            Outcome::NotAllocated
        };
        assert_eq!(outcome, expected, "{budget}");
    }
}
