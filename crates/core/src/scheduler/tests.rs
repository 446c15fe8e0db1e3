use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::api::{Container, DeviceClass, Node, Pod};
use crate::apimachinery::ObjectMeta;
use crate::apimachinery::quantity::Quantity;
use crate::cluster::{Cluster, Object, Origin};
use crate::features::{Behavior, BehaviorMode, Gates, Release};

use super::extended::{ClassResolver, is_extended_name, pod_requests, special_requests};
use super::message::{Refusals, fit_error};

fn behavior(release: &str) -> Behavior {
    let gates = Gates::defaults(Release::parse(release).unwrap());
    Behavior::new(gates, BehaviorMode::AsReleased).unwrap()
}

fn newest() -> Behavior {
    behavior("1.37.2")
}

fn container(name: &str, sidecar: bool, requests: &[(&str, &str)]) -> Container {
    let amount = |text: &str| text.parse::<Quantity>().unwrap();
    Container {
        name: name.to_owned(),
        restart_policy: sidecar.then(|| "Always".to_owned()),
        requests: requests.iter().map(|(name, text)| ((*name).to_owned(), amount(text))).collect(),
        ..Container::default()
    }
}

fn cluster(classes: &[(&str, Option<&str>, Option<&str>)]) -> Cluster {
    let mut cluster = Cluster::default();
    for (name, extended, created) in classes {
        let class = DeviceClass {
            metadata: ObjectMeta {
                name: (*name).to_owned(),
                creation_timestamp: created.map(str::to_owned),
                ..ObjectMeta::default()
            },
            extended_resource_name: extended.map(str::to_owned),
            ..DeviceClass::default()
        };
        cluster.put_class(Object {
            value: Rc::new(class),
            origin: Origin::default(),
            created_seconds: 0,
            since_step: 0,
        });
    }
    cluster
}

const GPU: &str = "example.com/gpu";

fn requests(pod: &Pod) -> Vec<(String, i64)> {
    let cluster = cluster(&[("gpu", Some(GPU), None)]);
    let resolver = ClassResolver::new(&cluster, &newest());
    let resources = BTreeSet::from([GPU.to_owned()]);
    let (requests, mappings) = special_requests(pod, &resources, &resolver);
    let known: BTreeSet<&str> = requests.iter().map(|request| request.name.as_str()).collect();
    assert!(mappings.iter().all(|mapping| known.contains(mapping.request.as_str())));
    requests
        .iter()
        .map(|request| (request.name.clone(), request.exactly.clone().unwrap().count))
        .collect()
}

#[test]
fn containers_and_sidecars_add_up_and_init_containers_reuse() {
    let pod = Pod {
        init_containers: vec![
            container("init-0", false, &[(GPU, "2")]),
            container("sidecar", true, &[(GPU, "1"), ("cpu", "1")]),
            container("init-2", false, &[(GPU, "1")]),
        ],
        containers: vec![container("main", false, &[(GPU, "2"), ("cpu", "1")])],
        ..Pod::default()
    };
    // The init containers find enough in what later containers have.
    assert_eq!(
        requests(&pod),
        [("container-1-request-1".to_owned(), 1), ("container-3-request-1".to_owned(), 2)]
    );
    assert_eq!(pod_requests(&pod)[GPU], "3".parse().unwrap());
}

#[test]
fn the_largest_rest_of_short_init_containers_is_asked_once() {
    let pod = Pod {
        init_containers: vec![
            container("a", false, &[(GPU, "4")]),
            container("b", false, &[(GPU, "3")]),
        ],
        containers: vec![container("main", false, &[(GPU, "1")])],
        ..Pod::default()
    };
    assert_eq!(
        requests(&pod),
        [("container-0-request-0".to_owned(), 3), ("container-2-request-0".to_owned(), 1)]
    );
}

#[test]
fn requests_are_sorted_as_strings() {
    let containers =
        (0..11).map(|number| container(&format!("c{number}"), false, &[(GPU, "1")])).collect();
    let pod = Pod { containers, ..Pod::default() };
    let names: Vec<String> = requests(&pod).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names[1], "container-1-request-0");
    assert_eq!(names[2], "container-10-request-0");
}

#[test]
fn the_newer_class_wins_a_resource_name_and_a_late_loser_loses_its_own() {
    let clash = cluster(&[
        ("new", Some(GPU), Some("2026-02-01T00:00:00Z")),
        ("old", Some(GPU), Some("2026-01-01T00:00:00Z")),
    ]);
    let resolver = ClassResolver::new(&clash, &newest());
    assert_eq!(resolver.class(GPU), Some("new"));
    assert_eq!(resolver.class("deviceclass.resource.kubernetes.io/new"), Some("new"));
    assert_eq!(resolver.class("deviceclass.resource.kubernetes.io/old"), None);

    let equal = cluster(&[("b", Some(GPU), None), ("a", Some(GPU), None)]);
    let resolver = ClassResolver::new(&equal, &newest());
    assert_eq!(resolver.class(GPU), Some("a"));
    assert_eq!(resolver.class("deviceclass.resource.kubernetes.io/b"), Some("b"));
}

#[test]
fn a_class_that_goes_takes_the_name_of_its_successor_along() {
    let implicit = "deviceclass.resource.kubernetes.io/new";
    let mut cluster = cluster(&[
        ("old", Some(GPU), Some("2026-01-01T00:00:00Z")),
        ("new", Some(GPU), Some("2026-02-01T00:00:00Z")),
    ]);
    let names = |cluster: &Cluster, behavior: &Behavior| {
        let resolver = ClassResolver::new(cluster, behavior);
        (resolver.class(GPU).map(str::to_owned), resolver.class(implicit).is_some())
    };
    let fixed = newest().fixed();
    assert_eq!(names(&cluster, &newest()), (Some("new".to_owned()), true));
    cluster.remove_class("old");
    assert_eq!(names(&cluster, &newest()), (None, true));
    assert_eq!(names(&cluster, &fixed), (Some("new".to_owned()), true));
    // The next change of the class brings it back.
    let again = cluster.classes.get("", "new").unwrap().clone();
    cluster.put_class(again);
    assert_eq!(names(&cluster, &newest()), (Some("new".to_owned()), true));
}

#[test]
fn a_class_of_the_scenario_is_newer_than_those_before_it() {
    let mut cluster = cluster(&[("a", Some(GPU), None)]);
    let mut later = cluster.classes.get("", "a").unwrap().clone();
    let class = Rc::make_mut(&mut later.value);
    class.metadata.name = "b".to_owned();
    later.created_seconds = 5;
    cluster.put_class(later);
    for behavior in [newest(), newest().fixed()] {
        assert_eq!(ClassResolver::new(&cluster, &behavior).class(GPU), Some("b"));
    }
}

#[test]
fn extended_names_have_a_foreign_domain() {
    for name in [GPU, "deviceclass.resource.kubernetes.io/gpu", "nvidia.com/gpu"] {
        assert!(is_extended_name(name), "{name}");
    }
    for name in ["cpu", "hugepages-2Mi", "kubernetes.io/x", "requests.example.com/gpu"] {
        assert!(!is_extended_name(name), "{name}");
    }
}

#[test]
fn event_texts_count_and_sort_reasons() {
    let refusals = Refusals {
        reasons: vec![
            "cannot allocate all claims",
            "node(s) didn't match Pod's node affinity/selector",
            "cannot allocate all claims",
        ],
        nodes: 3,
        resolvable: 0,
    };
    assert_eq!(
        fit_error(&refusals, None, Some("still not schedulable")),
        "0/3 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 2 cannot \
         allocate all claims. still not schedulable, preemption: 0/3 nodes are available: 3 \
         Preemption is not helpful for scheduling."
    );
    assert_eq!(
        fit_error(&Refusals { resolvable: 1, ..refusals }, Some("resourceclaim in use"), None),
        "0/3 nodes are available: resourceclaim in use. preemption: 0/3 nodes are available: 1 No \
         preemption victims found for incoming pod, 2 Preemption is not helpful for scheduling."
    );
}

#[test]
fn a_pod_requests_the_peak_of_its_life() {
    let pod = Pod {
        init_containers: vec![
            container("sidecar", true, &[("cpu", "1")]),
            container("init", false, &[("cpu", "3"), ("memory", "1Gi")]),
        ],
        containers: vec![container("main", false, &[("cpu", "2")])],
        ..Pod::default()
    };
    let expected: BTreeMap<String, Quantity> = BTreeMap::from([
        ("cpu".to_owned(), "4".parse().unwrap()),
        ("memory".to_owned(), "1Gi".parse().unwrap()),
    ]);
    assert_eq!(pod_requests(&pod), expected);
}

#[test]
fn releases_before_1_35_ask_for_what_each_container_wants() {
    let (old, new) = (behavior("1.34.13"), newest());
    let classes = cluster(&[("gpu", Some(GPU), None)]);
    let implicit = "deviceclass.resource.kubernetes.io/gpu";
    let resolver = |behavior: &Behavior| ClassResolver::new(&classes, behavior);
    assert_eq!((resolver(&old).class(implicit), resolver(&old).class(GPU)), (None, Some("gpu")));
    assert_eq!(resolver(&new).class(implicit), Some("gpu"));

    let pod = Pod {
        init_containers: vec![container("init", false, &[(GPU, "3")])],
        containers: vec![container("main", false, &[(GPU, "2")])],
        ..Pod::default()
    };
    let resources = BTreeSet::from([GPU.to_owned()]);
    let counts = |behavior: &Behavior| -> Vec<i64> {
        let (requests, _) = special_requests(&pod, &resources, &resolver(behavior));
        requests.iter().map(|request| request.exactly.as_ref().unwrap().count).collect()
    };
    assert_eq!(counts(&old), [3, 2]);
    // What the init container used is used again.
    assert_eq!(counts(&new), [1, 2]);

    let node = Node {
        allocatable: BTreeMap::from([(GPU.to_owned(), "0".parse::<Quantity>().unwrap())]),
        ..Node::default()
    };
    assert!(!resolver(&old).is_delegated(&node, GPU), "the device plugin counts with nothing left");
    assert!(resolver(&new).is_delegated(&node, GPU));
}

#[test]
fn overhead_comes_on_top_and_what_a_pod_says_as_a_whole_counts() {
    let amounts = |entries: &[(&str, &str)]| container("", false, entries).requests;
    let mut pod = Pod {
        init_containers: vec![container("init", false, &[("cpu", "3")])],
        containers: vec![container("main", false, &[("cpu", "1"), (GPU, "1")])],
        overhead: amounts(&[("cpu", "250m"), ("memory", "1Gi")]),
        ..Pod::default()
    };
    let total = |pod: &Pod| -> Vec<(String, String)> {
        pod_requests(pod).iter().map(|(name, it)| (name.clone(), it.to_string())).collect()
    };
    let pairs = |entries: &[(&str, &str)]| -> Vec<(String, String)> {
        entries.iter().map(|(name, it)| ((*name).to_owned(), (*it).to_owned())).collect()
    };
    assert_eq!(total(&pod), pairs(&[("cpu", "3250m"), (GPU, "1"), ("memory", "1Gi")]));
    pod.requests = amounts(&[("cpu", "2"), (GPU, "9")]);
    pod.limits = amounts(&[("cpu", "8"), ("memory", "2Gi")]);
    assert_eq!(total(&pod), pairs(&[("cpu", "2250m"), (GPU, "1"), ("memory", "3Gi")]));
}
