//! What the real allocator said to small scenes (sources of 1 July 2026), and what releases that
//! differ say to the same.

use super::notation::{Scene, describe};
use crate::allocator::{Outcome, Pruning};

#[track_caller]
fn check(scene: &str, expected: &str) {
    let scene = Scene::read(scene);
    for pruning in [Pruning::Off, Pruning::Proven] {
        assert_eq!(scene.answer(0, pruning).0, expected, "{pruning:?}");
    }
}

#[track_caller]
fn check_calls(scene: &str, expected: &str, calls: u64) {
    check(scene, expected);
    assert_eq!(Scene::read(scene).answer(0, Pruning::Off).1, Some(calls));
}

#[test]
fn v01_a_tainted_partition_keeps_its_counters_reserved() {
    let scene = "set cs m=8Gi\ndev full cs.m=8Gi !k\ndev half cs.m=4Gi\nreq r 1";
    check(scene, "-");
    check(&format!("release 1.36.2\n{scene}"), "-");
    check(&format!("release 1.36.3\n{scene}"), "r=half");
    check(&format!("release 1.37.2\n{scene}"), "r=half");
}

#[test]
fn v02_the_order_of_partitions_decides() {
    check("set cs m=8Gi\ndev half cs.m=4Gi\ndev full cs.m=8Gi !k\nreq r 1", "r=half");
}

#[test]
fn v03_a_constraint_leaves_counters_reserved() {
    let scene = "set cs m=8Gi\ndev d0 z=1\ndev d1 z=2 cs.m=8Gi\ndev d2 z=1 cs.m=4Gi\n\
                 req r 2\nmatch a/z";
    check(scene, "-");
    check(&format!("release 1.37.2\n{scene}"), "r=d0 r=d2");
}

#[test]
fn v04_undoing_a_share_keeps_its_counters() {
    let scene =
        "set cs m=8Gi\ndev m0 * cs.m=8Gi\ndev m1 * cs.m=8Gi k=v\nreq r0 1\nreq r1 1 where k=v";
    check(scene, "-");
    check(&format!("release 1.37.2\n{scene}"), "r0=m1 r1=m1");
}

#[test]
fn v05_distinct_remembers_the_last_value_of_a_request() {
    let scene = "dev d0 z=A\ndev d1 z=B\ndev d2 z=A\nreq r 3\ndistinct a/z";
    check(scene, "r=d0 r=d1 r=d2");
    check(&format!("release 1.37.2\n{scene}"), "-");
}

#[test]
fn v06_distinct_over_three_requests() {
    check("dev d0 z=A\ndev d1 z=B\ndev d2 z=A\nreq r0 1\nreq r1 1\nreq r2 1\ndistinct a/z", "-");
}

#[test]
fn v07_counters_are_kept_by_the_name_of_the_pool() {
    let pools = "class ca cel device.driver == 'a'\nclass cb cel device.driver == 'b'\n\
                 slice a/n\nset cs m=8Gi\ndev a0 cs.m=8Gi\n\
                 slice b/n\nset other m=1Gi\ndev b0 other.m=1Gi\ndev b1 other.m=1Gi\n";
    let both = format!("{pools}req ra 1 class=ca\nreq rb 2 class=cb");
    check(&both, "ra=a0 rb=b0 rb=b1");
    check(&format!("release 1.36.4\n{both}"), "-");
    check(&format!("{pools}req rb 2 class=cb"), "-");
}

#[test]
fn v08_admin_access_blocks_later_claims_of_the_pod() {
    check("dev d\nclaim c0\nreq r 1 admin\nclaim c1\nreq r 1", "-");
    check("dev d\nclaim c0\nreq r 1\nclaim c1\nreq r 1 admin", "r=d; r=d");
}

#[test]
fn v09_admin_access_needs_counters() {
    check("set cs m=8Gi\ndev full cs.m=8Gi\nheld full\nreq r 1 admin", "-");
}

#[test]
fn v10_a_request_takes_a_shareable_device_once() {
    check("dev m0 * bw:10\nreq r 2 bw:1", "-");
    check("dev m0 * bw:10\nreq r0 1 bw:1\nreq r1 1 bw:1", "r0=m0{bw:1} r1=m0{bw:1}");
}

#[test]
fn v11_an_overdrawn_counter_blocks_other_sets() {
    check(
        "set cs m=8Gi\nset cs2 m=8Gi\ndev x0 cs.m=8Gi\ndev x1 cs.m=8Gi\ndev y0 cs2.m=1Gi\n\
         held x0\nheld x1\nreq r 1",
        "-",
    );
}

#[test]
fn v12_capacity_is_asked_by_its_published_name() {
    check("dev d mem:10Gi\nreq r 1 a/mem:1Gi", "-");
    check("dev d mem:10Gi\nreq r 1 mem:1Gi", "r=d");
}

#[test]
fn v13_requests_are_rounded_up_to_steps() {
    let device = "dev m * bw:100G(default=1G,min=100M,max=100G,step=1M)\n";
    for (asked, consumed, consumed_37) in [
        ("bw:1500500k", "1501000000", "1501M"),
        ("bw:10G", "9765625Ki", "10G"),
        ("bw:1k", "100M", "100M"),
        ("", "1G", "1G"),
    ] {
        let scene = format!("{device}req r 1 {asked}");
        let scene = scene.trim_end();
        check(scene, &format!("r=m{{bw:{consumed}}}"));
        check(&format!("release 1.37.2\n{scene}"), &format!("r=m{{bw:{consumed_37}}}"));
    }
}

#[test]
fn v14_all_wants_devices_in_use_too() {
    check("dev d0\ndev d1\nheld d0\nreq r all", "-");
    check("dev d0\ndev d1\nheld d0\nreq r all admin", "r=d0 r=d1");
}

#[test]
fn v15_a_constraint_under_all_is_fatal() {
    check(
        "dev d0 z=1\ndev d1 z=2\nreq r all\nmatch a/z",
        "fatal: claim c, request r: cannot add device a/p/d1 because a claim constraint would not \
         be satisfied",
    );
}

#[test]
fn v16_all_looks_at_pools_of_every_driver() {
    let pools = "class ca cel device.driver == 'a'\nslice a/p\ndev d\nslice b/p2 count=2\ndev e\n";
    check(
        &format!("{pools}req r all class=ca"),
        "fatal: claim c, request r: asks for all devices, but resource pool b/p2 is currently \
         being updated",
    );
    check(&format!("{pools}req r 1 class=ca"), "r=d");
}

#[test]
fn v17_an_incomplete_pool_gives_nothing() {
    check("slice p count=2\ndev d\nreq r 1", "-");
}

#[test]
fn v18_more_than_32_devices() {
    let devices: Vec<String> = (0..40).map(|i| format!("dev d{i:02}\n")).collect();
    let devices = devices.concat();
    check(
        &format!("{devices}req r all"),
        "fatal: claim c: number of requested devices 40 exceeds the claim limit of 32",
    );
    check(
        &format!("release 1.37.2\n{devices}req r all"),
        "fatal: claim c, request r: adding 40 devices exceeds the claim limit of 32, with 0 \
         already accounted for",
    );
    check(&format!("{devices}req r/all all\nreq r/one 1"), "r/one=d00");
}

#[test]
fn v19_a_class_protects_from_faulty_selectors() {
    let request = "req r 1 class=k cel device.attributes['a'].nope == 'x'";
    check(&format!("class k cel device.driver == 'b'\ndev d\n{request}"), "-");
    check(
        &format!("class k cel device.driver == 'a'\ndev d\n{request}"),
        "fatal: claim c: selector #0 on device a/p/d: CEL runtime error: no such key: nope. \
         consider using CEL optional chaining (.? followed by orValue()) or guarding the check \
         with has() for optional fields",
    );
}

#[test]
fn v20_alternatives_give_way_to_later_requests() {
    check("dev d0 k=v\ndev d1\nreq r0/two 2\nreq r0/one 1\nreq r1 1 where k=v", "r0/one=d1 r1=d0");
}

#[test]
fn v21_pools_with_binding_conditions_come_last() {
    check("slice p1\ndev d0\ndev d1 bind\nslice p2\ndev e0\nreq r 1", "r=e0");
}

#[test]
fn v22_all_after_the_only_device_was_taken() {
    check("dev m0 * bw:10\nreq r0 1\nreq r1 all", "-");
}

#[test]
fn v23_all_and_exhausted_devices() {
    let scene = "dev m0 * bw:10\ndev m1 * bw:10\nheld m0 share bw:10\nreq r all";
    check(scene, "r=m1{bw:10}");
    check(&format!("release 1.37.2\n{scene}"), "-");
}

#[test]
fn v24_a_narrowed_set_stays_narrow() {
    let rest = "req r0 1 where n=first\nreq r1 1\nreq r2 1 where n=last\nmatch a/z";
    let three = "dev d0 n=first z=[A,B]\n";
    let others = "dev d2 n=last z=[B]\ndev d3 z=[B]\n";
    check(&format!("on lists\n{three}dev d1 z=[A]\n{others}{rest}"), "-");
    check(&format!("on lists\n{three}{others}{rest}"), "r0=d0 r1=d3 r2=d2");
    check(
        &format!("release 1.37.2\non lists\n{three}dev d1 z=[A]\n{others}{rest}"),
        "r0=d0 r1=d3 r2=d2",
    );
}

#[test]
fn v25_lists_without_the_feature() {
    check("dev d0 z=[A]\ndev d1 z=[A]\nreq r 1\nmatch a/z", "r=d0");
    check("dev d0 z=[A]\ndev d1 z=[A]\nreq r 2\nmatch a/z", "-");
}

#[test]
fn v26_a_refused_share_leaves_its_constraint_behind() {
    let devices = "dev m0 * k=m z=1 bw:10\ndev d1 k=d z=2\nreq r0 1 where k=m\n";
    let all = "req r1/all all where k=m\n";
    let rest = "req r1/one 1 where k=d\nmatch a/z r1";
    check(&format!("{devices}{all}{rest}"), "-");
    check(&format!("{devices}{rest}"), "r0=m0{bw:10} r1/one=d1");
    check(&format!("release 1.37.2\n{devices}{all}{rest}"), "r0=m0{bw:10} r1/one=d1");
}

#[test]
fn v27_admin_access_needs_capacity() {
    check("dev m0 * bw:10\nheld m0 share bw:10\nreq r 1 admin", "-");
    check("dev m0 *\nreq r0 1 admin\nreq r1 1 admin", "r0=m0 r1=m0");
}

/// Keys of the node selector of the first claim.
#[track_caller]
fn check_node_selector(scene: &str, devices: &str, expected: &[&str]) {
    let scene = Scene::read(scene);
    let (attempt, _) = scene.attempt(0, Pruning::Off, &mut ());
    assert_eq!(describe(&attempt.outcome), devices);
    let Outcome::Allocated(results) = attempt.outcome else { panic!("not allocated") };
    let terms = results[0].node_selector.iter().flat_map(|selector| &selector.terms);
    let requirements =
        terms.flat_map(|term| term.match_fields.iter().chain(&term.match_expressions));
    let keys: Vec<String> =
        requirements.map(|r| format!("{}={}", r.key, r.values.join(","))).collect();
    assert_eq!(keys, expected);
}

#[test]
fn v28_where_a_claim_can_be_used() {
    check_node_selector("slice p@*\ndev d\nreq r 1", "r=d", &[]);
    check_node_selector("slice p@*\ndev d pin\nreq r 1", "r=d", &["metadata.name=n1"]);
    check_node_selector("dev d\nreq r 1", "r=d", &["metadata.name=n1"]);
    let zones = "nodes n1,zone=east\nslice net@zone=east\ndev d0\ndev d1\n";
    check_node_selector(&format!("{zones}req r 2"), "r=d0 r=d1", &["zone=east"]);
    let local = "slice p\ndev e0\n";
    check_node_selector(&format!("{zones}{local}req r 3"), "r=d0 r=d1 r=e0", &["metadata.name=n1"]);
}

#[test]
fn v29_devices_that_select_nodes_themselves() {
    let devices = "nodes n1 n2\nslice p@per\ndev d0 @n2\ndev d1 @*\ndev d2 @n1\n";
    check_node_selector(&format!("{devices}req r 1"), "r=d1", &[]);
    check_node_selector(&format!("{devices}req r 2"), "r=d1 r=d2", &["metadata.name=n1"]);
    check(
        &format!("{devices}req r 1 cel device.attributes['a'].x == 1"),
        "fatal: claim c: selector #0 on device a/p/d0: CEL runtime error: no such key: x. consider \
         using CEL optional chaining (.? followed by orValue()) or guarding the check with has() \
         for optional fields",
    );
}

#[test]
fn v30_configuration_names_its_requests() {
    let scene = "class acfg config=1\nclass plain\ndev d0\ndev d1\ndev d2\n\
                 req r0 1 class=acfg\nreq r1 1 class=plain\nreq r2/x 9 class=plain\n\
                 req r2/y 1 class=acfg\nconfig\nconfig r1\nconfig r2/x\nconfig r2/y r2/x\n\
                 config r0 r1 r2\nconfig r2/y r0 r1";
    let entries = |scene: &str| {
        let (attempt, _) = Scene::read(scene).attempt(0, Pruning::Off, &mut ());
        let Outcome::Allocated(results) = attempt.outcome else { panic!("not allocated") };
        let entries = results[0].config.iter();
        let texts =
            entries.map(|entry| format!("{:?}[{}]", entry.source, entry.requests.join(" ")));
        texts.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(
        entries(scene),
        "FromClass[r0 r2/y], FromClaim[], FromClaim[r1], FromClaim[r2/y r2/x], FromClaim[], \
         FromClaim[]"
    );
    let all = "FromClaim[r0 r1 r2]";
    let picked = "FromClaim[r2/y r0 r1]";
    assert_eq!(
        entries(&format!("release 1.36.2\n{scene}")),
        format!(
            "FromClass[r0 r2/y], FromClaim[], FromClaim[r1], FromClaim[r2/y r2/x], {all}, {all}, \
             {all}, {picked}, {picked}, {picked}"
        )
    );
    assert!(entries(&format!("release 1.34.1\n{scene}")).starts_with("FromClass[], FromClass[], "));
}

#[test]
fn v30_to_v32_generations_and_counts() {
    let old = "nodes n1 n2\nslice p@n1 name=old\ndev d\nslice p@n2 name=new gen=2\ndev e\nreq r 1";
    check(old, "r=d");
    let started = old.replace("name=old", "name=old count=2");
    check(&started, "-");
    check(&started.replace("req r 1", "req r all"), "-");
    check("slice p count=1\ndev d\nslice p count=1\ndev e\nreq r 1", "-");
}

#[test]
fn v33_devices_of_other_nodes_may_have_the_same_name() {
    check("nodes n1 n2\nslice p@n1\ndev d0\ndev d1\nslice p@n2\ndev d0\nreq r 2", "r=d0 r=d1");
}

#[test]
fn v34_shares_fill_devices_in_order() {
    check(
        "dev m0 * bw:10\ndev m1 * bw:10\nclaim a\nreq r 1 bw:6\nclaim b\nreq r 1 bw:6\nclaim c\n\
         req r 1 bw:4",
        "r=m0{bw:6}; r=m1{bw:6}; r=m0{bw:4}",
    );
}

#[test]
fn v35_a_default_without_limits() {
    check(
        "dev m * bw:10(default=1)\nclaim a\nreq r 1 bw:7\nclaim b\nreq r 1",
        "r=m{bw:7}; r=m{bw:1}",
    );
}

#[test]
fn v36_valid_values() {
    let device = "dev m * mem:8Gi(default=1Gi,values=1Gi|2Gi|4Gi)\n";
    check(&format!("{device}req r0 1 mem:1500Mi\nreq r1 1 mem:4Gi"), "r0=m{mem:2Gi} r1=m{mem:4Gi}");
    check(&format!("{device}req r 1 mem:5Gi"), "-");
}

#[test]
fn v37_constraints_do_not_reach_other_claims() {
    check(
        "dev d0 z=1\ndev d1 z=2\nclaim a\nreq r 1\nmatch a/z\nclaim b\nreq r 1\nmatch a/z",
        "r=d0; r=d1",
    );
}

#[test]
fn v38_attributes_without_domain_belong_to_the_driver() {
    let two = "class cb cel device.driver == 'b'\nslice b/p\ndev d0 z=1\ndev d1 a/z=1\n";
    check(&format!("{two}req r 1 class=cb\nmatch a/z"), "r=d1");
}

#[test]
fn v39_counters_of_a_shared_device_are_charged_once() {
    check("set cs m=8\ndev m0 * cs.m=8\ndev m1 * cs.m=8\nreq r0 1\nreq r1 1", "r0=m0 r1=m0");
}

#[test]
fn v40_without_partitionable_devices() {
    check("off counters\ndev d0 cs.m=1\ndev d1\nreq r 1", "r=d1");
    check("dev d0 cs.m=1\ndev d1\nreq r 1", "node: invalid resource pools were encountered");
}

#[test]
fn v41_a_share_without_capacity_is_charged_again() {
    let scene = "set cs m=8\ndev m0 * cs.m=8\nheld m0 share\nreq r 1";
    check(scene, "-");
    check(&format!("release 1.36.1\n{scene}"), "r=m0");
    check(&format!("release 1.37.2\n{scene}"), "r=m0");
    check("set cs m=8\ndev m0 * cs.m=8 bw:10\nheld m0 share bw:5\nreq r 1 bw:5", "r=m0{bw:5}");
}

#[test]
fn v42_distinct_over_lists_without_the_feature() {
    check("dev d0 z=[A]\ndev d1 z=[B]\nreq r 2\ndistinct a/z", "-");
}

#[test]
fn v43_the_worked_trace() {
    let devices =
        "set cs m=8Gi\ndev full cs.m=8Gi\ndev h0 cs.m=4Gi s=half\ndev h1 cs.m=4Gi s=half\n";
    check_calls(&format!("{devices}req r 2"), "r=h0 r=h1", 6);
    check(&format!("{devices}req r 1"), "r=full");
    let claims = "claim a\nreq r 1 where s=half\nclaim b\nreq r 1";
    check(&format!("{devices}{claims}"), "r=h0; r=h1");
}

#[test]
fn v44_a_conflict_under_all_names_the_alternative() {
    check(
        "dev d0 z=1\ndev d1 z=2\nreq r/all all\nreq r/one 1\nmatch a/z",
        "fatal: claim c, request all: cannot add device a/p/d1 because a claim constraint would \
         not be satisfied",
    );
}

#[test]
fn v45_all_gives_way_to_the_next_alternative() {
    check("dev d0\ndev d1\nheld d0\nreq r/all all\nreq r/one 1", "r/one=d1");
}

#[test]
fn v46_all_wants_tainted_devices_too() {
    check("dev d0\ndev d1 !k\nreq r all", "-");
    check("dev d0\ndev d1 !k\nreq r all tolerate", "r=d0 r=d1");
    check("dev d0\ndev d1 !k:None\nreq r all", "r=d0 r=d1");
}

#[test]
fn v47_slices_go_by_name() {
    let scene = "slice p name=s-2\ndev two\nslice p name=s-10\ndev ten\nreq r 1";
    check(scene, "r=ten");
    check(&format!("release 1.35.10\n{scene}"), "r=two");
}

#[test]
fn calls_are_those_of_upstream() {
    check_calls("dev a\ndev b\ndev c\ndev d\nreq r 5", "-", 16);
    check_calls("off capacity\noff binding\ndev a\ndev b\ndev c\ndev d\nreq r 5", "-", 65);
}

#[test]
fn all_as_a_fallback_is_broken_before_1_36() {
    let scene = "dev y0\ndev y1\ndev y2\nreq r/x 1 where k=x\nreq r/y all";
    check(scene, "r/y=y0 r/y=y1 r/y=y2");
    check(&format!("release 1.35.10\n{scene}"), "r/y=y0");
}

#[test]
fn all_over_counters_crashed() {
    let scene = "set cs m=8\ndev d cs.m=8\nreq r all";
    check(scene, "r=d");
    check(
        &format!("release 1.36.0\n{scene}"),
        "crash: runtime error: invalid memory address or nil pointer dereference",
    );
}

#[test]
fn capacity_requests_that_cannot_be_represented() {
    let scene = "release 1.37.2\ndev m * bw:20E(default=1,min=1,step=1)\nreq r 1 bw:10E";
    check(
        scene,
        "fatal: claim c, request r: checking capacity for device a/p/m: capacity \"bw\": capacity \
         request cannot be represented in the device's range arithmetic: request 10E exceeds \
         MaxInt64",
    );
}

#[test]
fn fractional_ranges_follow_their_gate() {
    let scene = "dev m * bw:10(default=500m,min=500m,max=10,step=250m)\nreq r 1 bw:600m";
    check(&format!("release 1.37.2\non fractions\n{scene}"), "r=m{bw:750m}");
    check(&format!("release 1.37.2\n{scene}"), "r=m{bw:1}");
}

#[test]
fn devices_without_node_operations_need_a_node_that_knows() {
    let scene = "release 1.37.2\nslice p skip=*\ndev d\nreq r 1";
    check(scene, "r=d");
    check(&format!("on operations\n{scene}"), "-");
    let mut knowing = Scene::read(&format!("on operations\n{scene}"));
    knowing.nodes[0].declared_features.push("DRAOptionalNodeOperations".to_owned());
    let Outcome::Allocated(results) = knowing.attempt(0, Pruning::Off, &mut ()).0.outcome else {
        panic!("not allocated");
    };
    assert_eq!(results[0].results[0].skip_node_operations, ["*"]);
}

#[test]
fn a_pool_that_is_incomplete_and_invalid_is_called_incomplete_first() {
    // 1.34 looks into incomplete pools, too.
    let scene = "slice p name=s1 count=3\ndev d0\nslice p name=s2 count=3\ndev d0\nreq r all";
    let text = "fatal: claim c, request r: asks for all devices, but resource pool a/p is currently \
                being updated";
    for release in ["1.34.13", "1.36.2"] {
        check(&format!("release {release}\n{scene}"), text);
    }
}

#[test]
fn a_mark_left_behind_keeps_admin_access_of_the_same_claim_out() {
    // In 1.34 the capacity of another device refuses `d4` after it was marked as taken.
    let scene = "slice p count=2\ndev d3 * bw:10\ndev d4 bw:10\ndev d5\n\
                 slice p count=2\ndev d0\ndev d1\ndev d2\nreq r0 3 admin\nreq r1 1 bw:5";
    check_calls(&format!("release 1.34.13\n{scene}"), "r0=d5 r0=d0 r0=d1 r1=d3{bw:5}", 57);
    check(&format!("release 1.35.10\n{scene}"), "r0=d3{bw:10} r0=d5 r0=d0 r1=d4");
}

#[test]
fn what_is_remembered_of_a_failure_puts_back_how_often_a_device_is_taken() {
    // Under admin access a device is taken twice; the crash of 1.34 comes late in the search.
    let scene = "release 1.34.13\nslice p name=s1 count=2\ndev d3\ndev d4\n\
                 slice p name=s2 count=2\ndev d0\ndev d1\ndev d2 k=v\nslice q count=1\ndev e\n\
                 claim c0\nreq r0 1\nreq r1 all where k=v\nclaim c1\nreq r 1 admin\n\
                 claim c2\nreq r all";
    check(scene, "crash: runtime error: index out of range [3] with length 3");
}

#[test]
fn what_is_remembered_of_a_failure_leaves_earlier_claims_alone() {
    // The devices of c1 can be taken in another order; what its constraint remembers differs then.
    let scene = "release 1.36.6\nslice p name=s1 count=2\ndev d3 z=2\ndev d4 z=0\n\
                 slice p name=s2 count=2\ndev d0\ndev d1 z=1\ndev d2 z=1\n\
                 claim c0\nreq r 1\nclaim c1\nreq r0 1\nreq r1 1\ndistinct a/z\n\
                 claim c2\nreq r all\ndistinct a/z\nmatch a/z";
    check_calls(scene, "-", 146);
}
