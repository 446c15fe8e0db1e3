use super::*;

const LINE: &str = r#"{"kubernetes":"1.36.2","name":"two-devices","features":{"AdminAccess":true,
"ConsumableCapacity":true,"DeviceBindingAndStatus":true,"DeviceTaints":true,
"PartitionableDevices":true,"PrioritizedList":true},
"nodes":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}],
"deviceClasses":[{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"any"},"spec":{}}],
"resourceSlices":[{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},
"spec":{"driver":"a","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"n1",
"devices":[{"name":"d0"},{"name":"d1"}]}}],
"claims":[{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c","namespace":"x"},
"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"any","count":1}}]}}}],
"allocatedClaims":[],
"expected":{"allocator":"incubating","perNode":[{"node":"n1","allocateOneCalls":4,"result":[
{"devices":{"results":[{"request":"r","driver":"a","pool":"p","device":"DEVICE"}]},
"nodeSelector":{"nodeSelectorTerms":[{"matchFields":[{"key":"metadata.name","operator":"In","values":["n1"]}]}]}}]}]}}"#;

const OFF: Options = Options { pruning: Pruning::Off, budget: None };

#[test]
fn a_right_answer_is_equal() {
    assert_eq!(compare(&LINE.replace("DEVICE", "d0"), OFF), Comparison::Equal);
}

#[test]
fn a_wrong_answer_is_shown_beside_ours() {
    let Comparison::Different(difference) = compare(&LINE.replace("DEVICE", "d1"), OFF) else {
        panic!("the recorded device is not ours");
    };
    assert!(difference.contains(r#""device":"d0""#) && difference.contains(r#""device":"d1""#));
}

#[test]
fn a_request_that_is_nothing_crashes_every_release() {
    let (claims, _) = LINE.split_once("\"allocatedClaims\"").unwrap();
    let claims =
        claims.replace("\"exactly\":{\"deviceClassName\":\"any\",\"count\":1}", "\"exactly\":null");
    let expected = r#""allocatedClaims":[],"expected":{"perNode":[{"node":"n1","result":null,
        "error":"runtime error: invalid memory address or nil pointer dereference",
        "errorKind":"crash"}]}}"#;
    for release in ["1.34.13", "1.35.10", "1.36.2", "1.36.6", "1.37.2"] {
        let line = [&claims.replace("1.36.2", release), expected].concat();
        assert_eq!(compare(&line, OFF), Comparison::Equal, "{release}");
    }
}

#[test]
fn a_wrong_number_of_calls_is_a_difference_only_without_pruning() {
    let line =
        LINE.replace("DEVICE", "d0").replace("\"allocateOneCalls\":4", "\"allocateOneCalls\":9");
    assert!(matches!(compare(&line, OFF), Comparison::Different(_)));
    let pruned = Options { pruning: Pruning::Proven, budget: None };
    assert_eq!(compare(&line, pruned), Comparison::Equal);
}

#[test]
fn unstable_answers_are_left_out() {
    let line = LINE
        .replace("DEVICE", "d1")
        .replace("\"allocateOneCalls\"", "\"nondeterministic\":true,\"allocateOneCalls\"");
    assert!(matches!(compare(&line, OFF), Comparison::Skipped(_)));
}

/// Three pools with one device each.
fn three_pools(release: &str, answer: &str) -> String {
    let slice = |pool: &str, device: &str| {
        format!(
            r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{pool}"}},
"spec":{{"driver":"a","pool":{{"name":"{pool}","generation":1,"resourceSliceCount":1}},"nodeName":"n1",
"devices":[{{"name":"{device}"}}]}}}}"#
        )
        .replace('\n', "")
    };
    let slices = [slice("z", "d0"), slice("y", "d1"), slice("x", "d2")].join(",");
    let (head, rest) = LINE.split_once("\"resourceSlices\":[").unwrap();
    let (_, tail) = rest.split_once("],\n\"claims\"").unwrap();
    let line = format!("{head}\"resourceSlices\":[{slices}],\n\"claims\"{tail}");
    let (start, _) = line.split_once("\"expected\"").unwrap();
    format!("{start}\"expected\":{answer}}}").replace("1.36.2", release)
}

const SEVERAL: &str = r#"{"allocator":"experimental","perNode":[{"node":"n1","nondeterministic":true,
"result":[RESULT(d1)],"others":[{"node":"n1","result":[RESULT(d2)]}]}]}"#;

fn several(pools: [(&str, &str); 2]) -> String {
    let mut text = SEVERAL.to_owned();
    for ((pool, device), place) in pools.iter().zip(["RESULT(d1)", "RESULT(d2)"]) {
        let result = format!(
            r#"{{"devices":{{"results":[{{"request":"r","driver":"a","pool":"{pool}","device":"{device}"}}]}},
"nodeSelector":{{"nodeSelectorTerms":[{{"matchFields":[{{"key":"metadata.name","operator":"In","values":["n1"]}}]}}]}}}}"#
        );
        text = text.replace(place, &result);
    }
    text
}

#[test]
fn each_answer_of_a_random_order_must_be_ours_for_some_order() {
    let right = several([("y", "d1"), ("x", "d2")]);
    assert_eq!(compare_any_order(&three_pools("1.35.10", &right), OFF), Comparison::Equal);
    let wrong = several([("y", "d1"), ("x", "d1")]);
    let compared = compare_any_order(&three_pools("1.35.10", &wrong), OFF);
    assert!(matches!(compared, Comparison::Different(_)), "{compared:?}");
}

#[test]
fn our_answer_is_the_one_for_the_order_of_the_text() {
    let scene = Scene::read(&three_pools("1.35.10", "{}")).unwrap();
    let selectors = Selectors::new(&scene.behavior.cel);
    let answers = scene.answers_of_all_orders(&scene.nodes[0], &selectors, OFF);
    let devices: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer["result"].pointer("/0/devices/results/0/device")?.as_str())
        .collect();
    assert_eq!(devices, ["d0", "d1", "d2"]);
    let ours = scene.allocate(&scene.nodes[0], &selectors, OFF, &mut Numbered::default(), &mut ());
    assert_eq!(answers[0], outcome_fields(&ours.outcome, true));
    // From 1.36 on the order of pools is that of their names.
    let scene = Scene::read(&three_pools("1.36.6", "{}")).unwrap();
    assert_eq!(scene.answers_of_all_orders(&scene.nodes[0], &selectors, OFF).len(), 1);
}
