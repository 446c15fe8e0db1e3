//! Every known bug with a scenario that it decides: in which releases its badge shows.

use std::collections::BTreeSet;

use super::outcome;
use crate::features::{Behavior, BehaviorMode, Gate, Gates, Release};
use crate::scenario::{Overrides, RemarkKind, Timeline, open};
use crate::scheduler::Env;
use crate::selector::Selectors;

const RELEASES: [&str; 10] = [
    "1.34.1", "1.34.13", "1.35.5", "1.35.10", "1.36.1", "1.36.2", "1.36.3", "1.36.6", "1.37.0",
    "1.37.2",
];

/// Gates that every scenario switches on, where its release has them.
const GATES: [&str; 8] = [
    "DRAConsumableCapacity",
    "DRADeviceBindingConditions",
    "DRADeviceTaintRules",
    "DRADeviceTaints",
    "DRAExtendedResource",
    "DRAPartitionableDevices",
    "DRAPrioritizedList",
    "DRAResourceClaimDeviceStatus",
];

const LISTS: &str = "DRAListTypeAttributes";

/// Releases that lack a bug although earlier and later ones have it: a fix that was ported back, or
/// another bug that hides it.
const EXCEPT: [(&str, &str); 3] = [
    ("rule_nil_selector", "1.36.1"),
    ("rule_nil_selector", "1.36.2"),
    ("all_counters_crash", "1.35.10"),
];

struct Case {
    switch: &'static str,
    /// The objects of the scenario; two nodes, a class `any` and a Pod `p` with the claim `c` are
    /// there.
    objects: String,
    /// A text without which the bug has no part in it, and what stands there instead.
    cause: (&'static str, &'static str),
    /// The releases that show the badge.
    shown: Vec<&'static str>,
}

const BASE: &str = "
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i}]
  resourceClaims: [{name: x, resourceClaimName: c}]
";

fn object(kind: &str, name: &str, rest: &str) -> String {
    format!(
        "---\napiVersion: resource.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\n{rest}\n"
    )
}

/// `driver/pool@node`, its slice count, and the rest of the spec.
fn slice(name: &str, place: &str, count: u32, rest: &str) -> String {
    let (pool, node) = place.split_once('@').unwrap();
    let (driver, pool) = pool.split_once('/').unwrap_or(("d", pool));
    let spec = format!(
        "spec:\n  driver: {driver}.example.com\n  nodeName: {node}\n  \
         pool: {{name: {pool}, generation: 1, resourceSliceCount: {count}}}\n  {rest}"
    );
    object("ResourceSlice", name, &spec)
}

fn devices(names: &[&str]) -> String {
    format!("devices: [{}]", names.join(", "))
}

fn claim(spec: &str) -> String {
    object("ResourceClaim", "c", &format!("spec: {{devices: {{{spec}}}}}"))
}

/// The claim `c` with requests for the class `any`.
fn requests(each: &[&str]) -> String {
    claim(&format!("requests: [{}]", each.join(", ")))
}

const ONE: &str = "{name: r, exactly: {deviceClassName: any}}";
const TWO: &str = "{name: r, exactly: {deviceClassName: any, count: 2}}";
const ALL: &str = "{name: r, exactly: {deviceClassName: any, allocationMode: All}}";

/// A device of the pool `p` that an earlier claim has.
fn held(device: &str, rest: &str) -> String {
    let result = format!("{{request: r, driver: d.example.com, pool: p, device: {device}{rest}}}");
    let status = format!(
        "spec: {{devices: {{requests: [{ONE}]}}}}\nstatus:\n  allocation: {{devices: {{results: \
         [{result}]}}}}\n  reservedFor: [{{resource: pods, name: other, uid: u}}]"
    );
    object("ResourceClaim", "held", &status)
}

const SHARE: &str = ", shareID: 00000000-0000-4000-8000-000000000001";

/// A counter set of 8 with the name `cs`.
fn counters(name: &str, place: &str, count: u32) -> String {
    slice(name, place, count, "sharedCounters: [{name: cs, counters: {m: {value: 8}}}]")
}

/// A device that uses so much of the counter set `cs`.
fn uses(name: &str, amount: &str, rest: &str) -> String {
    let counters = format!("[{{counterSet: cs, counters: {{m: {{value: {amount}}}}}}}]");
    format!("{{name: {name}, consumesCounters: {counters}{rest}}}")
}

/// Devices that use counters, beside their counter set.
fn partitions(each: &[&str]) -> String {
    slice("s1", "p@n1", 2, &devices(each)) + &counters("s2", "p@n1", 2)
}

fn rule(selector: &str) -> String {
    let spec = format!("spec: {{{selector}taint: {{key: k, effect: NoSchedule}}}}");
    object("DeviceTaintRule", "rule", &spec)
}

fn alternatives(first: &str, second: &str) -> String {
    requests(&[&format!("{{name: r, firstAvailable: [{first}, {second}]}}")])
}

fn alternative(name: &str, rest: &str) -> String {
    format!("{{name: {name}, deviceClassName: any{rest}}}")
}

fn where_k(value: &str) -> String {
    let expression = format!("device.attributes['d.example.com'].k == '{value}'");
    format!(", selectors: [{{cel: {{expression: \"{expression}\"}}}}]")
}

const SHARED: &str = ", allowMultipleAllocations: true";
const BANDWIDTH: &str = ", allowMultipleAllocations: true, capacity: {bw: {value: 10}}";

#[expect(clippy::too_many_lines, reason = "a table")]
fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut case = |switch, objects: &[String], cause, (first, last)| {
        let position = |release| RELEASES.iter().position(|known| *known == release).unwrap();
        let shown = RELEASES[position(first)..=position(last)].iter().copied();
        let shown = shown.filter(|release| !EXCEPT.contains(&(switch, *release))).collect();
        cases.push(Case { switch, objects: objects.concat(), cause, shown });
    };
    let plain = slice("s1", "p@n1", 1, "devices: [{name: d}]");
    let beside = slice("s0", "q@n2", 1, "devices: [{name: e}]");
    case(
        "rule_tracker_broken",
        &[plain.clone(), rule("deviceSelector: {pool: p}, "), requests(&[ONE])],
        ("{pool: p}", "{pool: none}"),
        ("1.36.1", "1.36.2"),
    );
    case(
        "rule_nil_selector",
        &[plain.clone(), rule(""), requests(&[ONE])],
        ("spec: {taint", "spec: {deviceSelector: {pool: none}, taint"),
        ("1.34.1", "1.37.0"),
    );
    let class =
        |name: &str| object("DeviceClass", name, "spec: {extendedResourceName: a.example.com/x}");
    let limits = "limits: {deviceclass.resource.kubernetes.io/small: 1}";
    let wants = format!(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: q}}\nspec: {{containers: [{{name: c, image: i, \
         resources: {{{limits}}}}}]}}\n"
    );
    let owner = format!(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: q}}\nspec: {{containers: [{{name: c, image: i, \
         resources: {{{}}}}}]}}\n",
        "limits: {a.example.com/x: 1}"
    );
    let tainted =
        "{name: d, taints: [{key: k, effect: NoExecute, timeAdded: \"2026-01-01T00:00:00Z\"}]}";
    let step = format!(
        "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata: {{name: s}}\nspec:\n  steps:\n  \
         - apply:\n      apiVersion: resource.k8s.io/v1\n      kind: ResourceSlice\n      \
         metadata: {{name: s0}}\n      spec:\n        driver: d.example.com\n        nodeName: n2\n        \
         pool: {{name: q, generation: 2, resourceSliceCount: 1}}\n        devices: [{}]\n",
        tainted.replace("name: d", "name: e")
    );
    let apart = claim("requests: [{name: r, exactly: {deviceClassName: none}}]");
    case(
        "special_claims_spared",
        &[beside.clone(), class("big"), apart, owner, step],
        ("effect: NoExecute", "effect: NoSchedule"),
        ("1.34.1", "1.37.0"),
    );
    case(
        "class_names_follow_events",
        &[plain.clone(), beside.clone(), class("big"), class("small"), requests(&[ONE]), wants],
        (
            "{name: big}\nspec: {extendedResourceName: a.",
            "{name: big}\nspec: {extendedResourceName: b.",
        ),
        ("1.35.5", "1.37.2"),
    );
    let amount = "device.capacity['d.example.com'].m";
    let add = format!("{amount}.add(1).isGreaterThan({amount})");
    case(
        "quantity_add_mutates",
        &[
            slice("s1", "p@n1", 1, "devices: [{name: d, capacity: {m: {value: 1Pi}}}]"),
            requests(&[&format!(
                "{{name: r, exactly: {{deviceClassName: any, selectors: \
                 [{{cel: {{expression: \"{add}\"}}}}]}}}}"
            )]),
        ],
        ("value: 1Pi", "value: 1Gi"),
        ("1.34.1", "1.36.6"),
    );
    case(
        "pool_complete",
        &[
            slice("s1", "p@n1", 2, "devices: [{name: d}]"),
            slice("s2", "p@n2", 2, "devices: [{name: e}]"),
            requests(&[ALL]),
        ],
        ("resourceSliceCount: 2", "resourceSliceCount: 1"),
        ("1.34.1", "1.34.13"),
    );
    case(
        "incomplete_exact_usable",
        &[slice("s1", "p@n1", 2, "devices: [{name: d}]"), requests(&[ONE])],
        ("resourceSliceCount: 2", "resourceSliceCount: 1"),
        ("1.34.1", "1.34.13"),
    );
    case(
        "invalid_pool",
        &[
            slice("s1", "p@n1", 2, "devices: [{name: d}]"),
            slice("s2", "p@n1", 2, "devices: [{name: d}, {name: f}]"),
            beside.clone(),
            requests(&[ONE]),
        ],
        ("[{name: d}, ", "["),
        ("1.34.1", "1.34.13"),
    );
    case(
        "slice_count_consistent",
        &[
            slice("s1", "p@n1", 2, "devices: [{name: d}]"),
            slice("s2", "p@n1", 3, "devices: [{name: e}]"),
            requests(&[ONE]),
        ],
        ("resourceSliceCount: 3", "resourceSliceCount: 2"),
        ("1.34.1", "1.37.2"),
    );
    case(
        "binding_last",
        &[
            slice(
                "s1",
                "p@n1",
                2,
                "devices: [{name: d, bindingConditions: [ready], bindingFailureConditions: [failed]}]",
            ),
            slice("s2", "p@n1", 2, "devices: [{name: e}]"),
            requests(&[ONE]),
        ],
        (", bindingConditions: [ready], bindingFailureConditions: [failed]", ""),
        ("1.34.1", "1.35.10"),
    );
    case(
        "counter_slices_any_node",
        &[
            plain.clone(),
            counters("s2", "p@n2", 1).replace("generation: 1", "generation: 2"),
            requests(&[ONE]),
        ],
        ("generation: 2", "generation: 0"),
        ("1.35.5", "1.36.6"),
    );
    case(
        "counter_refs_checked",
        &[slice("s1", "p@n1", 1, &devices(&[&uses("d", "1", "")])), requests(&[ONE])],
        (", consumesCounters: [{counterSet: cs, counters: {m: {value: 1}}}]", ""),
        ("1.34.1", "1.34.13"),
    );
    case(
        "all_pool_errors_fatal",
        &[slice("s1", "p@n1", 2, "devices: [{name: d}]"), beside, requests(&[ALL])],
        ("resourceSliceCount: 2", "resourceSliceCount: 1"),
        ("1.34.1", "1.37.2"),
    );
    let three = slice("s1", "p@n1", 1, "devices: [{name: x0}, {name: x1}, {name: x2}]");
    case(
        "all_alternative_loses_index",
        &[
            three,
            alternatives(
                &alternative("u", ", count: 4"),
                &alternative("v", ", allocationMode: All"),
            ),
        ],
        ("allocationMode: All", "count: 3"),
        ("1.34.1", "1.35.10"),
    );
    let all_where = |k| alternative(k, &format!(", allocationMode: All{}", where_k(k)));
    case(
        "all_alternatives_share_matches",
        &[
            slice(
                "s1",
                "p@n1",
                1,
                "devices: [{name: u, attributes: {k: {string: u}}}, \
                 {name: v, attributes: {k: {string: v}}}]",
            ),
            held("u", ""),
            alternatives(&all_where("u"), &all_where("v")),
        ],
        ("allocationMode: All", "count: 1"),
        ("1.34.1", "1.35.10"),
    );
    case(
        "all_counters_crash",
        &[partitions(&[&uses("d", "8", "")]), requests(&[ALL])],
        ("allocationMode: All", "count: 1"),
        ("1.35.5", "1.36.1"),
    );
    let large = |name: &str, place: &str, set: u32| {
        slice(
            name,
            place,
            2,
            &format!("sharedCounters: [{{name: cs, counters: {{m: {{value: {set}}}}}}}]"),
        )
    };
    case(
        "counter_scope",
        &[
            slice("s1", "d/p@n1", 2, &devices(&[&uses("a", "8", "")])),
            large("s2", "d/p@n1", 8),
            slice("s3", "e/p@n1", 2, &devices(&[&uses("b", "1", ""), &uses("c", "1", "")])),
            large("s4", "e/p@n1", 1),
            requests(&[TWO]),
        ],
        ("pool: {name: p", "pool: {name: p"),
        ("1.35.5", "1.36.3"),
    );
    case(
        "shared_allocations_use_counters",
        &[
            partitions(&[&uses("e", "8", ""), &uses("m", "8", BANDWIDTH)]),
            held("m", &format!("{SHARE}, consumedCapacity: {{bw: 10}}")),
            requests(&[ONE]),
        ],
        (SHARE, ""),
        ("1.35.5", "1.36.1"),
    );
    case(
        "share_without_capacity_is_in_use",
        &[partitions(&[&uses("m", "5", SHARED)]), held("m", SHARE), requests(&[ONE])],
        ("value: 5}}}]", "value: 4}}}]"),
        ("1.36.2", "1.36.6"),
    );
    case(
        "dedicated_over_live_share",
        &[plain, held("d", SHARE), requests(&[ONE])],
        (SHARE, ""),
        ("1.34.1", "1.37.2"),
    );
    let in_one_slice = |each: &[&str]| {
        slice(
            "s1",
            "p@n1",
            1,
            &format!(
                "sharedCounters: [{{name: cs, counters: {{m: {{value: 8}}}}}}]\n  {}",
                devices(each)
            ),
        )
    };
    case(
        "share_skips_counter_check",
        &[
            in_one_slice(&[&uses("m", "5", BANDWIDTH)]),
            requests(&[
                "{name: r, exactly: {deviceClassName: any, capacity: {requests: {bw: 1}}}}",
                "{name: s, exactly: {deviceClassName: any, capacity: {requests: {bw: 1}}}}",
            ]),
        ],
        ("value: 5}}}], allow", "value: 4}}}], allow"),
        ("1.34.1", "1.34.13"),
    );
    let tainted = ", taints: [{key: k, effect: NoSchedule}]";
    case(
        "reservation_leaks",
        &[partitions(&[&uses("d", "8", tainted), &uses("e", "4", "")]), requests(&[ONE])],
        (", taints: [{key: k, effect: NoSchedule}]", ""),
        ("1.35.5", "1.36.2"),
    );
    let shareable = |name: &str, amount: u32| {
        format!("{{name: {name}{SHARED}, capacity: {{bw: {{value: {amount}}}}}}}")
    };
    let one_bw = "{name: r, exactly: {deviceClassName: any, capacity: {requests: {bw: 1}}}}";
    case(
        "capacity_of_wrong_device",
        &[
            slice("s1", "p@n1", 1, &devices(&[&shareable("m0", 1), &shareable("m1", 10)])),
            held("m0", &format!("{SHARE}, consumedCapacity: {{bw: 1}}")),
            requests(&[one_bw]),
        ],
        ("{name: m0, allowMultipleAllocations: true, capacity: {bw: {value: 1}}}, ", ""),
        ("1.34.1", "1.34.13"),
    );
    case(
        "all_keeps_exhausted",
        &[
            slice("s1", "p@n1", 1, &devices(&[&shareable("m0", 10), &shareable("m1", 10)])),
            held("m0", &format!("{SHARE}, consumedCapacity: {{bw: 10}}")),
            requests(&[ALL]),
        ],
        ("allocationMode: All", "count: 1"),
        ("1.35.5", "1.36.6"),
    );
    case(
        "capacity_overflow",
        &[
            slice(
                "s1",
                "p@n1",
                1,
                "devices: [{name: m, allowMultipleAllocations: true, capacity: {bw: {value: 20E, \
                 requestPolicy: {default: 1, validRange: {min: 1, step: 1}}}}}]",
            ),
            requests(&[
                "{name: r, exactly: {deviceClassName: any, capacity: {requests: {bw: 10E}}}}",
            ]),
        ],
        ("bw: 10E", "bw: 10"),
        ("1.34.1", "1.36.6"),
    );
    case(
        "quantity_aliasing",
        &[
            slice("s1", "p@n1", 2, &devices(&[&uses("d", "1Pi", "")])),
            slice("s2", "p@n1", 2, "sharedCounters: [{name: cs, counters: {m: {value: 9Pi}}}]"),
            requests(&[ONE]),
        ],
        ("value: 1Pi", "value: 1Gi"),
        ("1.34.1", "1.36.6"),
    );
    let zones = |each: &[&str]| {
        let device = |(at, zone): (usize, &&str)| {
            format!("{{name: d{at}, attributes: {{z: {{string: {zone}}}}}}}")
        };
        let each: Vec<String> = each.iter().enumerate().map(device).collect();
        slice("s1", "p@n1", 1, &format!("devices: [{}]", each.join(", ")))
    };
    let distinct = |count: u32| {
        claim(&format!(
            "requests: [{{name: r, exactly: {{deviceClassName: any, count: {count}}}}}], \
             constraints: [{{distinctAttribute: d.example.com/z}}]"
        ))
    };
    case(
        "distinct_memory",
        &[zones(&["A", "A"]), distinct(2)],
        ("d1, attributes: {z: {string: A}}", "d1, attributes: {z: {string: B}}"),
        ("1.34.1", "1.34.13"),
    );
    case(
        "distinct_memory",
        &[zones(&["A", "B", "A"]), distinct(3)],
        ("d2, attributes: {z: {string: A}}", "d2, attributes: {z: {string: C}}"),
        ("1.34.1", "1.36.6"),
    );
    case(
        "list_attributes_to_allocator",
        &[
            slice(
                "s1",
                "p@n1",
                1,
                "devices: [{name: d, attributes: {z: {strings: [A, B]}}}, \
                 {name: e, attributes: {z: {strings: [B, C]}}}]",
            ),
            claim(&format!(
                "requests: [{TWO}], constraints: [{{matchAttribute: d.example.com/z}}]"
            )),
        ],
        ("[B, C]", "[C, D]"),
        ("1.36.1", "1.36.6"),
    );
    let opaque = "opaque: {driver: d.example.com, parameters: {}}";
    let pair = slice("s1", "p@n1", 1, "devices: [{name: d}, {name: e}]");
    case(
        "class_config",
        &[
            pair.clone(),
            object("DeviceClass", "other", &format!("spec: {{config: [{{{opaque}}}]}}")),
            requests(&[ONE, "{name: s, exactly: {deviceClassName: other}}"]),
        ],
        ("deviceClassName: other", "deviceClassName: any"),
        ("1.34.1", "1.34.1"),
    );
    case(
        "claim_config_repeat",
        &[
            pair,
            claim(&format!(
                "requests: [{ONE}, {{name: s, exactly: {{deviceClassName: any}}}}], \
                 config: [{{requests: [r, s], {opaque}}}]"
            )),
        ],
        ("requests: [r, s], ", ""),
        ("1.34.1", "1.36.6"),
    );
    let four = "capacity: {requests: {bw: 4}}";
    case(
        "waiting_capacity_doubled",
        &[
            slice(
                "s1",
                "p@n1",
                1,
                "devices: [{name: m, bindingConditions: [ready], bindingFailureConditions: \
                 [failed], allowMultipleAllocations: true, capacity: {bw: {value: 10}}}]",
            ),
            requests(&[&format!("{{name: r, exactly: {{deviceClassName: any, {four}}}}}")]),
            object(
                "ResourceClaim",
                "c2",
                &format!(
                    "spec: {{devices: {{requests: \
                     [{{name: r, exactly: {{deviceClassName: any, {four}}}}}]}}}}"
                ),
            ),
            "---\napiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec:\n  \
             containers: [{name: c, image: i}]\n  \
             resourceClaims: [{name: x, resourceClaimName: c2}]\n"
                .to_owned(),
        ],
        ("bindingConditions: [ready], bindingFailureConditions: [failed], ", ""),
        ("1.37.0", "1.37.2"),
    );
    cases
}

fn play(objects: &str, release: &str, fixed: bool) -> (Timeline, Behavior) {
    let lists = objects.contains("strings: ").then_some(LISTS);
    let overrides = Overrides {
        kubernetes_version: Some(release.to_owned()),
        feature_gates: GATES.into_iter().chain(lists).map(|gate| (gate.to_owned(), true)).collect(),
        fixed: Some(fixed),
    };
    let opened = open(&format!("{BASE}{objects}"), &overrides);
    let behavior = opened.behavior.clone();
    let env = Env::new(behavior.clone(), Selectors::new(&behavior.cel));
    (opened.run(&env, Vec::new()), behavior)
}

/// What a release of the API server would refuse.
fn errors(objects: &str, release: &str) -> Vec<String> {
    let kubernetes_version = Some(release.to_owned());
    let overrides = Overrides { kubernetes_version, ..Overrides::default() };
    let opened = open(&format!("{BASE}{objects}"), &overrides);
    let errors = opened.diagnostics.iter().filter(|found| found.is_error());
    errors.map(|found| found.message.clone()).collect()
}

/// The summaries of the bugs whose badges show.
fn badges(timeline: &Timeline) -> Vec<&str> {
    let remarks = timeline.remarks.iter().filter(|found| found.kind == RemarkKind::KnownBug);
    let prefix = "a known bug of this release changes the outcome: ";
    remarks.map(|found| found.text.strip_prefix(prefix).unwrap_or(&found.text)).collect()
}

#[test]
fn every_badge_shows_where_the_bug_decides() {
    let mut wrong: Vec<String> = Vec::new();
    for Case { switch, objects, cause, shown } in cases() {
        let without = objects.replace(cause.0, cause.1);
        assert!(objects.contains(cause.0), "{switch}");
        let mut found = Vec::new();
        for release in RELEASES {
            let (timeline, behavior) = play(&objects, release, false);
            let shows = |timeline: &Timeline| {
                let badges = badges(timeline);
                behavior
                    .known_bugs()
                    .any(|bug| bug.switch == switch && badges.contains(&bug.summary))
            };
            if shows(&timeline) {
                found.push(release);
                assert_eq!(errors(&objects, release), Vec::<String>::new(), "{switch} {release}");
                let fixed = play(&objects, release, true).0;
                let same = outcome(&timeline) == outcome(&fixed);
                // This one is told, but not reproduced.
                assert!(!same || switch == "quantity_aliasing", "{switch} {release}");
            }
            if without != objects && shows(&play(&without, release, false).0) {
                wrong.push(format!("{switch} shows without its cause in {release}"));
            }
        }
        if found != shown {
            wrong.push(format!("{switch}: {found:?} instead of {shown:?}"));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn every_known_bug_has_a_case() {
    let covered: BTreeSet<&str> = cases().iter().map(|case| case.switch).collect();
    for release in RELEASES {
        let mut all = Gates::defaults(Release::parse(release).unwrap());
        for gate in GATES.into_iter().chain([LISTS]).filter_map(Gate::from_name) {
            all.set(gate, true);
        }
        let behavior = Behavior::new(all, BehaviorMode::AsReleased).unwrap();
        for bug in behavior.known_bugs() {
            assert!(covered.contains(bug.switch), "{release}: {}", bug.switch);
        }
    }
}
