use std::rc::Rc;

use crate::api::Node;
use crate::apimachinery::ObjectMeta;

use super::{
    Object, Objects, Origin, format_time, generated_claim_name, parse_duration, parse_time,
    stable_uuid,
};

fn node(name: &str) -> Object<Node> {
    let metadata = ObjectMeta { name: name.to_owned(), ..ObjectMeta::default() };
    let value = Rc::new(Node { metadata, ..Node::default() });
    Object { value, origin: Origin::default(), created_seconds: 0, since_step: 0 }
}

fn names(nodes: &Objects<Node>) -> Vec<&str> {
    nodes.iter().map(|node| node.value.metadata.name.as_str()).collect()
}

#[test]
fn a_changed_clone_leaves_the_original_alone() {
    let mut nodes = Objects::default();
    (0..200).for_each(|number| nodes.put(node(&format!("n{number}"))));
    let before = nodes.clone();
    assert!(before.same(&nodes));
    assert!(nodes.update("", "n150", |node| node.unschedulable = true));
    assert!(!before.same(&nodes));
    assert!(!before.get("", "n150").unwrap().value.unschedulable);
    assert!(nodes.get("", "n150").unwrap().value.unschedulable);
}

#[test]
fn replacing_keeps_the_place_and_removing_keeps_the_order() {
    let mut nodes = Objects::default();
    for name in ["b", "a", "c"] {
        nodes.put(node(name));
    }
    nodes.put(node("a"));
    assert_eq!(names(&nodes), ["b", "a", "c"]);
    assert!(nodes.remove("", "b").is_some());
    assert!(nodes.remove("", "b").is_none());
    assert_eq!(names(&nodes), ["a", "c"]);
    assert_eq!(nodes.get("", "c").unwrap().value.metadata.name, "c");
    assert_eq!(nodes.len(), 2);
}

#[test]
fn long_claim_names_are_cut_in_proportion() {
    assert_eq!(generated_claim_name("pod1", "gpu"), "pod1-gpu");
    let long = generated_claim_name(&"p".repeat(60), &"c".repeat(30));
    assert_eq!(long.len(), 41 + 1 + 20);
    assert!(long.starts_with("ppp") && long.ends_with("ccc"));
}

#[test]
fn stable_uuids_look_like_uuids_and_differ() {
    let first = stable_uuid(&["share", "default/c", "1"]);
    assert_eq!(first, stable_uuid(&["share", "default/c", "1"]));
    assert_ne!(first, stable_uuid(&["share", "default/c", "2"]));
    assert_ne!(stable_uuid(&["ab", "c"]), stable_uuid(&["a", "bc"]));
    let lengths: Vec<usize> = first.split('-').map(str::len).collect();
    assert_eq!(lengths, [8, 4, 4, 4, 12]);
    assert_eq!(first.get(14..15), Some("4"));
}

#[test]
fn durations_are_those_of_go_in_whole_seconds() {
    assert_eq!(parse_duration("1h30m"), Some(5400));
    assert_eq!(parse_duration("90s"), Some(90));
    assert_eq!(parse_duration("500ms500ms"), Some(1));
    assert_eq!(parse_duration("0"), Some(0));
    for text in ["", "5", "1.5s", "100ms", "-1s", "s", "1d"] {
        assert_eq!(parse_duration(text), None, "{text}");
    }
}

#[test]
fn times_are_read_and_written_as_rfc_3339() {
    assert_eq!(parse_time("1970-01-01T00:00:00Z"), Some(0));
    assert_eq!(parse_time("2026-07-01T12:00:00.25+02:00"), parse_time("2026-07-01T10:00:00Z"));
    for text in ["2024-02-29T23:59:59Z", "1999-12-31T00:00:00Z", "2026-11-29T18:53:38Z"] {
        assert_eq!(format_time(parse_time(text).unwrap()), text);
    }
    for text in ["2026-13-01T00:00:00Z", "2026-01-01", "yesterday", "2026-01-01T00:00:00"] {
        assert_eq!(parse_time(text), None, "{text}");
    }
}
