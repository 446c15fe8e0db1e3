use std::rc::Rc;

use crate::allocator::{AllocatedState, SkipReason};
use crate::api::{
    Device, DeviceAttribute, DeviceClass, DeviceCounterConsumption, DeviceRequest, DeviceSelector,
    ExactRequest, ResourceClaim,
};
use crate::apimachinery::quantity::Quantity;
use crate::cluster::{Cluster, Object};
use crate::explain::words::catalogue;
use crate::explain::{Explanation, Recorder, candidates};
use crate::pool::DeviceId;
use crate::scheduler::{Env, Inputs, allocate_alone};

use super::super::report::{Ledger, Options};
use super::super::trial::{Prepared, prepare};
use super::super::{gallery, places::TextPlaces};
use super::*;

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap()
}

/// What the allocator itself finds left of a counter: a device is put into the pool that draws more
/// than there is, so that it has to say what is left.
fn probed(cluster: &Cluster, env: &Env, ledger: &Ledger, counter: &str) -> Option<Quantity> {
    let mut cluster = cluster.clone();
    let of_pool = |slice: &Object<ResourceSlice>| {
        slice.value.driver == ledger.driver && slice.value.pool.name == ledger.pool
    };
    let slices: Vec<Object<ResourceSlice>> = cluster.slices.iter().cloned().collect();
    let newest = slices.iter().filter(|it| of_pool(it)).map(|it| it.value.pool.generation).max()?;
    let mut slice = slices
        .iter()
        .find(|it| {
            of_pool(it) && it.value.pool.generation == newest && !it.value.devices.is_empty()
        })?
        .clone();
    let total = ledger.columns.iter().find(|column| column.name == counter)?.total.clone();
    let mut device = Device { name: "probe".to_owned(), ..Device::default() };
    device.attributes.insert(
        "probe".to_owned(),
        DeviceAttribute { bool: Some(true), ..DeviceAttribute::default() },
    );
    let more = quantity(&total).add(&quantity("1"));
    device.consumes_counters = vec![DeviceCounterConsumption {
        counter_set: ledger.name.clone(),
        counters: [(counter.to_owned(), more)].into(),
        ..DeviceCounterConsumption::default()
    }];
    if slice.value.per_device_node_selection == Some(true) {
        device.all_nodes = Some(true);
    }
    Rc::make_mut(&mut slice.value).devices_mut().push(device);
    cluster.slices.put(slice.clone());
    let mut class = DeviceClass::default();
    class.metadata.name = "probe".to_owned();
    cluster.classes.put(Object {
        value: Rc::new(class),
        origin: slice.origin,
        created_seconds: 0,
        since_step: 0,
    });
    let expression =
        format!("device.driver == \"{0}\" && has(device.attributes[\"{0}\"].probe)", ledger.driver);
    let mut claim = ResourceClaim::default();
    claim.metadata.name = "probe".to_owned();
    claim.spec.requests = vec![DeviceRequest {
        name: "probe".to_owned(),
        exactly: Some(ExactRequest {
            device_class_name: "probe".to_owned(),
            count: 1,
            selectors: vec![DeviceSelector { cel_expression: Some(expression) }],
            ..ExactRequest::default()
        }),
        ..DeviceRequest::default()
    }];
    let claim = Rc::new(claim);
    let inputs = Inputs::of(&cluster, env);
    let id = DeviceId::new(&ledger.driver, &ledger.pool, "probe");
    for node in cluster.nodes.iter() {
        let mut recorder = Recorder::new();
        let claims = [Rc::clone(&claim)];
        let answer = allocate_alone(&inputs, env, &node.value, &claims, 1_000, &mut recorder);
        let gathered = inputs.index().gather(&node.value, env.behavior()).unwrap();
        let seen = candidates(inputs.index(), &gathered, &node.value, env.behavior(), 0);
        let explanation = Explanation::new(&recorder, &[&claim], &seen, &answer.outcome, None);
        let verdicts = explanation.requests.iter().flat_map(|request| &request.verdicts);
        let told =
            verdicts.filter(|verdict| verdict.device == id).find_map(|verdict| {
                match verdict.reason.told()? {
                    SkipReason::CountersShort { set, counter: of, available, .. }
                        if *set == ledger.name && of == counter =>
                    {
                        Some(available.clone())
                    }
                    _ => None,
                }
            });
        if told.is_some() {
            return told;
        }
    }
    None
}

/// What is left of a capacity by what the allocator remembers of claims.
fn remembered(state: &AllocatedState, device: &DeviceId, name: &str, total: &Quantity) -> Quantity {
    match state.device(device) {
        None => total.clone(),
        Some(used) => match used.consumed.as_ref().and_then(|consumed| consumed.get(name)) {
            Some(consumed) => total.sub(consumed),
            None if used.dedicated => Quantity::default(),
            None => total.clone(),
        },
    }
}

/// After every step the balance of every account is what the allocator itself reckons with. Gives
/// the numbers of counters and capacities.
pub(in super::super) fn check_balances(name: &str, text: &str) -> (usize, usize) {
    let (mut counters, mut capacities) = (0, 0);
    let Prepared { opened, env } = prepare(text, &Options::default());
    let timeline = opened.run_plainly(&env, Vec::new());
    let lines = crate::source::LineIndex::new(text);
    let places = TextPlaces { lines: &lines, sources: &timeline.sources };
    let words = catalogue("en");
    for step in &timeline.steps {
        let cluster = step.cluster.as_ref();
        let world = World::of(cluster);
        for ledger in counter_ledgers(&world, &places, &words) {
            for column in &ledger.columns {
                let Some(told) = probed(cluster, &env, &ledger, &column.name) else { continue };
                let what = format!("{name} {} {}\n{text}", ledger.name, column.name);
                assert_eq!(quantity(&column.left), told, "{what}");
                counters += 1;
            }
        }
        let claims = cluster.claims.iter().map(|claim| claim.value.as_ref());
        let state = AllocatedState::from_claims(claims, env.behavior());
        for ledger in ledger::capacity_ledgers(&world, &places, &words) {
            let device = DeviceId::new(&ledger.driver, &ledger.pool, &ledger.name);
            for column in &ledger.columns {
                let left = remembered(&state, &device, &column.name, &quantity(&column.total));
                let what = format!("{name} {} {}\n{text}", ledger.name, column.name);
                assert_eq!(quantity(&column.left), left, "{what}");
                capacities += 1;
            }
        }
    }
    (counters, capacities)
}

#[test]
fn balances_are_the_allocators_own() {
    let (mut counters, mut capacities) = (0, 0);
    for example in gallery() {
        let (some, others) = check_balances(example.name, example.text);
        counters += some;
        capacities += others;
    }
    assert!(counters > 20 && capacities > 20, "{counters} {capacities}");
}

#[test]
fn pools_are_counted_as_a_status_request_counts_them() {
    let text = "\
# kubernetes: 1.37.2
# feature gates needed: DRAPartitionableDevicesType
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - {name: card, counters: {memory: {value: 80Gi}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: parts}
spec:
  driver: gpu.example.com
  nodeName: node-a
  partitionTypeAttribute: gpu.example.com/kind
  pool: {name: node-a, generation: 1, resourceSliceCount: 2}
  devices:
  - name: half-0
    attributes: {kind: {string: half}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
  - name: half-1
    attributes: {kind: {string: half}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
  - name: half-2
    attributes: {kind: {string: half}}
    taints: [{key: example.com/broken, effect: NoSchedule}]
    consumesCounters: [{counterSet: card, counters: {memory: {value: 40Gi}}}]
  - name: full
    attributes: {kind: {string: full}}
    consumesCounters: [{counterSet: card, counters: {memory: {value: 80Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
";
    let analysis = super::super::Workspace::new().analyze(text, &Options::default());
    let status = &analysis.snapshot.pools[0].status;
    let counts = status.counts.unwrap();
    let numbers = [counts.total, counts.allocated, counts.available, counts.unavailable];
    assert_eq!(numbers, [4, 1, 2, 1], "{status:?}");
    assert_eq!(status.validation_error, None);
    assert_eq!(status.shareable, None);
    let partitions: Vec<(&str, usize, usize)> =
        status.partitions.iter().map(|it| (it.kind.as_str(), it.total, it.allocatable)).collect();
    assert_eq!(partitions, [("full", 1, 0), ("half", 3, 1)]);
}

#[test]
fn shareable_devices_are_summed_up() {
    let example = gallery().iter().find(|it| it.name == "experiment-6-consumable-on").unwrap();
    let analysis = super::super::Workspace::new().analyze(example.text, &Options::default());
    let status = analysis.snapshot.pools[0].status.shareable.clone().unwrap();
    assert_eq!(status.partially_available, 1);
    let memory = status.capacity.iter().find(|it| it[0] == "memory").unwrap();
    assert_eq!(memory[2], "40Gi", "{memory:?}");
}
