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
