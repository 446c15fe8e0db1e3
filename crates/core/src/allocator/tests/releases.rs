//! The table of releases and switches, line by line: each switch with a scene that it decides, and
//! what every release answers. The answer of a release holds until the next one named.

use super::notation::Scene;
use crate::allocator::Pruning;

const RELEASES: [&str; 9] =
    ["1.34.1", "1.34.13", "1.35.5", "1.35.10", "1.36.1", "1.36.2", "1.36.3", "1.36.6", "1.37.2"];

fn answers(switch: &str, scene: &str, expected: &[(&str, &str)]) {
    let mut found: Vec<(&str, String)> = Vec::new();
    for release in RELEASES {
        let scene = Scene::read(&format!("release {release}\n{scene}"));
        let answer = scene.answer(0, Pruning::Off).0;
        assert_eq!(answer, scene.answer(0, Pruning::Proven).0, "{switch} {release}");
        if found.last().is_none_or(|(_, last)| *last != answer) {
            found.push((release, answer));
        }
    }
    let found: Vec<_> = found.iter().map(|(release, text)| (*release, text.as_str())).collect();
    assert_eq!(found, expected, "{switch}");
}

#[test]
fn pools() {
    answers(
        "incomplete_exact",
        "slice p count=2\ndev d\nreq r 1",
        &[("1.34.1", "r=d"), ("1.35.5", "-")],
    );
    answers(
        "pool_complete",
        "nodes n1 n2\nslice p@n1\ndev d\nslice p@n2\ndev e\nreq r all",
        &[
            (
                "1.34.1",
                "fatal: claim c, request r: asks for all devices, but resource pool a/p is currently being updated",
            ),
            ("1.35.5", "r=d"),
        ],
    );
    answers(
        "invalid_pool",
        "dev d\ndev d\nreq r 1",
        &[
            ("1.34.1", "fatal: pool p is invalid: duplicate device name d"),
            ("1.35.5", "node: invalid resource pools were encountered"),
        ],
    );
    answers(
        "invalid_pool of pools not reached",
        "slice p\ndev d\nslice q\ndev e\ndev e\nreq r 1",
        &[("1.34.1", "r=d")],
    );
    answers(
        "counter_refs_checked",
        "dev d gone.m=1\nreq r 1",
        &[("1.34.1", "r=d"), ("1.35.5", "node: invalid resource pools were encountered")],
    );
    answers(
        "counter_slices_any_node",
        "nodes n1 n2\nslice p@n2\nset cs m=1\ndev d gone.m=1\nreq r 1",
        &[
            ("1.34.1", "-"),
            ("1.35.5", "node: invalid resource pools were encountered"),
            ("1.37.2", "-"),
        ],
    );
    answers(
        "all_pool_errors",
        "slice p count=2\ndev d\nreq r all",
        &[(
            "1.34.1",
            "fatal: claim c, request r: asks for all devices, but resource pool a/p is currently being updated",
        )],
    );
    answers(
        "slice_count_consistent",
        "slice p name=s1 count=2\ndev d\nslice p name=s2 count=3\ndev e\nreq r 1",
        &[("1.34.1", "r=d")],
    );
}

#[test]
fn search() {
    answers(
        "request_restarts",
        "dev m * bw:10\nreq r 2 bw:1",
        &[
            ("1.34.1", "crash: runtime error: index out of range [1] with length 1"),
            ("1.35.5", "r=m{bw:1} r=m{bw:1}"),
            ("1.36.1", "-"),
        ],
    );
    answers(
        "all_alternative_loses_index",
        "dev x0\ndev x1\ndev x2\nreq r/x 1 where k=x\nreq r/y all",
        &[("1.34.1", "r/y=x0"), ("1.36.1", "r/y=x0 r/y=x1 r/y=x2")],
    );
    answers(
        "all_alternatives_share_matches",
        "dev x k=x\ndev y k=y\nheld x\nreq r/x all where k=x\nreq r/y all where k=y",
        &[("1.34.1", "-"), ("1.36.1", "r/y=y")],
    );
    answers(
        "all_counters_crash",
        "set cs m=8\ndev d cs.m=8\nreq r all",
        &[
            ("1.34.1", "r=d"),
            ("1.35.5", "crash: runtime error: invalid memory address or nil pointer dereference"),
            ("1.35.10", "r=d"),
            ("1.36.1", "crash: runtime error: invalid memory address or nil pointer dereference"),
            ("1.36.2", "r=d"),
        ],
    );
    let many: Vec<String> = (0..33).map(|number| format!("dev d{number}\n")).collect();
    answers(
        "claim_limit_text",
        &format!("{}req r all", many.concat()),
        &[
            (
                "1.34.1",
                "fatal: claim c: number of requested devices 33 exceeds the claim limit of 32",
            ),
            (
                "1.34.13",
                "fatal: claim c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for",
            ),
            (
                "1.35.5",
                "fatal: claim c: number of requested devices 33 exceeds the claim limit of 32",
            ),
            (
                "1.35.10",
                "fatal: claim c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for",
            ),
            (
                "1.36.1",
                "fatal: claim c: number of requested devices 33 exceeds the claim limit of 32",
            ),
            (
                "1.36.6",
                "fatal: claim c, request r: adding 33 devices exceeds the claim limit of 32, with 0 already accounted for",
            ),
        ],
    );
}

#[test]
fn counters() {
    answers(
        "counter_scope of pools with one name",
        "class ca cel device.driver == 'a'\nclass cb cel device.driver == 'b'\n\
         slice a/n\nset cs m=8Gi\ndev a0 cs.m=8Gi\n\
         slice b/n\nset other m=1Gi\ndev b0 other.m=1Gi\ndev b1 other.m=1Gi\n\
         req ra 1 class=ca\nreq rb 2 class=cb",
        &[("1.34.1", "-"), ("1.35.5", "ra=a0 rb=b0 rb=b1"), ("1.36.6", "-")],
    );
    answers(
        "shared_allocations_use_counters",
        "set cs m=8\ndev e k=e cs.m=8\ndev m * bw:10 cs.m=8\nheld m share bw:1\nreq r 1 where k=e",
        &[("1.34.1", "r=e"), ("1.36.2", "-")],
    );
    answers(
        "share_skips_counter_check",
        "set cs m=8\ndev m * bw:10 cs.m=8\nreq r0 1 bw:1\nreq r1 1 bw:1",
        &[("1.34.1", "-"), ("1.35.5", "r0=m{bw:1} r1=m{bw:1}")],
    );
    answers(
        "share_without_capacity_is_in_use",
        "set cs m=8\ndev m * cs.m=8\nheld m share\nreq r 1",
        &[("1.34.1", "r=m"), ("1.36.2", "-"), ("1.37.2", "r=m")],
    );
    answers(
        "reservation_leaks of counters",
        "set cs m=8Gi\ndev full cs.m=8Gi !k\ndev half cs.m=4Gi\nreq r 1",
        &[("1.34.1", "-"), ("1.36.3", "r=half")],
    );
    answers(
        "reservation_leaks of constraints",
        "dev m0 * k=m z=1 bw:10\ndev d1 k=d z=2\nreq r0 1 where k=m\nreq r1/all all where k=m\n\
         req r1/one 1 where k=d\nmatch a/z r1",
        &[("1.34.1", "-"), ("1.36.3", "r0=m0{bw:10} r1/one=d1")],
    );
}

#[test]
fn capacity() {
    answers(
        "capacity_of_wrong_device",
        "dev d0 * bw:1\ndev d1 * bw:10\nheld d0 share bw:1\nreq r 1 bw:1",
        &[("1.34.1", "-"), ("1.35.5", "r=d1{bw:1}")],
    );
    answers(
        "capacity_of_wrong_device crash",
        "slice p name=s1\ndev d0\nslice p name=s2\ndev d1\nreq r 2",
        &[
            ("1.34.1", "crash: runtime error: index out of range [1] with length 1"),
            ("1.35.5", "r=d0 r=d1"),
        ],
    );
    answers(
        "all_keeps_exhausted",
        "dev m0 * bw:10\ndev m1 * bw:10\nheld m0 share bw:10\nreq r all",
        &[("1.34.1", "-"), ("1.35.5", "r=m1{bw:10}"), ("1.37.2", "-")],
    );
    answers(
        "capacity_overflow",
        "dev m * bw:20E(default=1,min=1,step=1)\nreq r 1 bw:10E",
        &[
            ("1.34.1", "r=m{bw:0}"),
            (
                "1.37.2",
                "fatal: claim c, request r: checking capacity for device a/p/m: capacity \"bw\": capacity request cannot be represented in the device's range arithmetic: request 10E exceeds MaxInt64",
            ),
        ],
    );
    answers(
        "negative_capacity",
        "dev m * bw:-1\nreq r 1",
        &[
            ("1.34.1", "r=m{bw:-1}"),
            (
                "1.37.2",
                "fatal: claim c, request r: checking capacity for device a/p/m: capacity \"bw\": capacity value is negative",
            ),
        ],
    );
    answers(
        "step_format",
        "dev m * bw:100G(default=1G,min=100M,max=100G,step=1M)\nreq r 1 bw:10G",
        &[("1.34.1", "r=m{bw:9765625Ki}"), ("1.37.2", "r=m{bw:10G}")],
    );
    answers(
        "fractional_range",
        "on fractions\ndev m * bw:10(default=500m,min=500m,max=10,step=250m)\nreq r 1 bw:600m",
        &[("1.34.1", "r=m{bw:1}"), ("1.37.2", "r=m{bw:750m}")],
    );
    answers("capacity_names", "dev d mem:10Gi\nreq r 1 a/mem:1Gi", &[("1.34.1", "-")]);
    answers("dedicated_over_live_share", "dev d\nheld d share\nreq r 1", &[("1.34.1", "r=d")]);
}

#[test]
fn constraints_and_taints() {
    answers(
        "distinct_memory",
        "dev d0 z=A\ndev d1 z=A\nreq r 2\ndistinct a/z",
        &[("1.34.1", "r=d0 r=d1"), ("1.35.5", "-")],
    );
    answers(
        "distinct_memory of three",
        "dev d0 z=A\ndev d1 z=B\ndev d2 z=A\nreq r 3\ndistinct a/z",
        &[("1.34.1", "r=d0 r=d1 r=d2"), ("1.37.2", "-")],
    );
    answers(
        "request_restarts and distinct_memory",
        "dev d0 z=A\ndev d1 z=A\ndev d2 z=B\nreq r 3\ndistinct a/z",
        &[("1.34.1", "r=d0 r=d1 r=d2"), ("1.35.5", "r=d0 r=d2 r=d1"), ("1.36.1", "-")],
    );
    answers(
        "distinct_supported",
        "off capacity\noff binding\ndev d0 z=A\ndev d1 z=B\nreq r 2\ndistinct a/z",
        &[(
            "1.34.1",
            "fatal: claim c, constraint #0: empty constraint (unsupported constraint type?)",
        )],
    );
    answers(
        "list_attributes",
        "on lists\ndev d0 z=[A,B]\ndev d1 z=[B,C]\nreq r 2\nmatch a/z",
        &[("1.34.1", "-"), ("1.36.1", "r=d0 r=d1")],
    );
    answers(
        "list_narrowing_leaks",
        "on lists\ndev d0 n=first z=[A,B]\ndev d1 z=[A]\ndev d2 n=last z=[B]\ndev d3 z=[B]\n\
         req r0 1 where n=first\nreq r1 1\nreq r2 1 where n=last\nmatch a/z",
        &[
            (
                "1.34.1",
                "fatal: claim c: selector #0: CEL runtime error: attribute z: unsupported attribute value",
            ),
            ("1.36.1", "-"),
            ("1.37.2", "r0=d0 r1=d3 r2=d2"),
        ],
    );
    answers("taint_effects", "dev d !k:None\nreq r 1", &[("1.34.1", "-"), ("1.35.5", "r=d")]);
    answers(
        "skip_node_operations without the feature",
        "slice p skip=*\ndev d\nreq r 1",
        &[("1.34.1", "r=d")],
    );
    answers(
        "skip_node_operations",
        "on operations\nslice p skip=*\ndev d\nreq r 1",
        &[("1.34.1", "r=d"), ("1.37.2", "-")],
    );
    answers(
        "capacity_gate_checked",
        "off capacity\ndev d bw:1\nreq r 1 bw:1",
        &[(
            "1.34.1",
            "fatal: claim c, request r: has capacity requests, but the DRAConsumableCapacity feature is disabled",
        )],
    );
    answers(
        "capacity_gate_names_subrequest",
        "off capacity\ndev d bw:1\nreq r/s 1 bw:1",
        &[
            (
                "1.34.1",
                "fatal: claim c, request r: has capacity requests, but the DRAConsumableCapacity feature is disabled",
            ),
            (
                "1.35.5",
                "fatal: claim c, subrequest s: has capacity requests, but the DRAConsumableCapacity feature is disabled",
            ),
        ],
    );
    answers(
        "cel_error_names_device",
        "dev d\nreq r 1 cel device.attributes['a'].gone == 'x'",
        &[
            ("1.34.1", "fatal: claim c: selector #0: CEL runtime error: no such key: gone"),
            (
                "1.37.2",
                "fatal: claim c: selector #0 on device a/p/d: CEL runtime error: no such key: gone. consider using CEL optional chaining (.? followed by orValue()) or guarding the check with has() for optional fields",
            ),
        ],
    );
}

/// In which releases a bug decides a scene: there it is a known bug, and correcting it alone changes
/// the answer, which is when the page has its badge.
fn badges(switch: &str, scene: &str, expected: &[&str]) {
    let mut found = Vec::new();
    for release in RELEASES {
        let mut scene = Scene::read(&format!("release {release}\n{scene}"));
        let released = scene.behavior.clone();
        let fixed = released.clone().fixed();
        let as_released = scene.answer(0, Pruning::Off).0;
        let Some(bug) = released.known_bugs().find(|bug| bug.switch == switch) else { continue };
        assert!(scene.behavior.mend(bug, &fixed), "{switch}");
        if scene.answer(0, Pruning::Off).0 == as_released {
            continue;
        }
        found.push(release);
    }
    assert_eq!(found, expected, "{switch}");
}

#[test]
fn known_bugs_decide_where_they_are() {
    const ALL: [&str; 9] = RELEASES;
    const TO_34: &[&str] = &["1.34.1", "1.34.13"];
    const TO_35: &[&str] = &["1.34.1", "1.34.13", "1.35.5", "1.35.10"];
    let to = |last: &str| &ALL[..=ALL.iter().position(|release| *release == last).unwrap()];
    let between = |first: &str, last: &str| {
        &to(last)[ALL.iter().position(|release| *release == first).unwrap()..]
    };
    badges("incomplete_exact_usable", "slice p count=2\ndev d\nreq r 1", TO_34);
    badges("pool_complete", "nodes n1 n2\nslice p@n1\ndev d\nslice p@n2\ndev e\nreq r all", TO_34);
    badges(
        "slice_count_consistent",
        "slice p name=s1 count=2\ndev d\nslice p name=s2 count=3\ndev e\nreq r 1",
        &ALL,
    );
    badges("counter_refs_checked", "dev d gone.m=1\nreq r 1", TO_34);
    badges(
        "counter_slices_any_node",
        "nodes n1 n2\nslice p@n2\nset cs m=1\ndev d gone.m=1\nreq r 1",
        between("1.35.5", "1.36.6"),
    );
    badges("all_pool_errors_fatal", "slice p count=2\ndev d\nreq r all", &ALL);
    badges(
        "all_alternative_loses_index",
        "dev x0\ndev x1\ndev x2\nreq r/x 1 where k=x\nreq r/y all",
        TO_35,
    );
    badges("all_counters_crash", "set cs m=8\ndev d cs.m=8\nreq r all", &["1.35.5", "1.36.1"]);
    badges(
        "counter_scope",
        "class ca cel device.driver == 'a'\nclass cb cel device.driver == 'b'\n\
         slice a/n\nset cs m=8Gi\ndev a0 cs.m=8Gi\n\
         slice b/n\nset other m=1Gi\ndev b0 other.m=1Gi\ndev b1 other.m=1Gi\n\
         req ra 1 class=ca\nreq rb 2 class=cb",
        between("1.35.5", "1.36.3"),
    );
    badges(
        "shared_allocations_use_counters",
        "set cs m=8\ndev e k=e cs.m=8\ndev m * bw:10 cs.m=8\nheld m share bw:1\nreq r 1 where k=e",
        to("1.36.1"),
    );
    badges(
        "share_skips_counter_check",
        "set cs m=8\ndev m * bw:10 cs.m=8\nreq r0 1 bw:1\nreq r1 1 bw:1",
        TO_34,
    );
    badges(
        "share_without_capacity_is_in_use",
        "set cs m=8\ndev m * cs.m=8\nheld m share\nreq r 1",
        between("1.36.2", "1.36.6"),
    );
    badges(
        "reservation_leaks",
        "set cs m=8Gi\ndev full cs.m=8Gi !k\ndev half cs.m=4Gi\nreq r 1",
        to("1.36.2"),
    );
    badges(
        "capacity_of_wrong_device",
        "dev d0 * bw:1\ndev d1 * bw:10\nheld d0 share bw:1\nreq r 1 bw:1",
        TO_34,
    );
    badges(
        "all_keeps_exhausted",
        "dev m0 * bw:10\ndev m1 * bw:10\nheld m0 share bw:10\nreq r all",
        between("1.35.5", "1.36.6"),
    );
    badges(
        "capacity_overflow",
        "dev m * bw:20E(default=1,min=1,step=1)\nreq r 1 bw:10E",
        to("1.36.6"),
    );
    badges("distinct_memory", "dev d0 z=A\ndev d1 z=A\nreq r 2\ndistinct a/z", TO_34);
    badges(
        "distinct_memory",
        "dev d0 z=A\ndev d1 z=B\ndev d2 z=A\nreq r 3\ndistinct a/z",
        to("1.36.6"),
    );
    badges(
        "list_narrowing_leaks",
        "on lists\ndev d0 n=first z=[A,B]\ndev d1 z=[A]\ndev d2 n=last z=[B]\ndev d3 z=[B]\n\
         req r0 1 where n=first\nreq r1 1\nreq r2 1 where n=last\nmatch a/z",
        between("1.36.1", "1.36.6"),
    );
}
