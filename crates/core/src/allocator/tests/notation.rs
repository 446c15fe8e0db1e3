//! A compact notation for scenes, so that a test shows nothing but what it is about.
//!
//! One fact a line; devices and counter sets belong to the slice above them, requests and so on to
//! the claim above them. See `vectors.rs` for what can be said.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::allocator::*;
use crate::api::*;
use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};
use crate::features::{AllocatorFeatures, Behavior, CounterScope, Gate, Gates, Release};
use crate::selector::Selectors;

/// A scene that was read.
pub(super) struct Scene {
    pub(super) behavior: Behavior,
    pub(super) nodes: Vec<Node>,
    pub(super) slices: Vec<Rc<ResourceSlice>>,
    pub(super) classes: BTreeMap<String, Rc<DeviceClass>>,
    pub(super) claims: Vec<ResourceClaim>,
    pub(super) held: Vec<ResourceClaim>,
}

struct Numbered(u32);

impl ShareIds for Numbered {
    fn next_share_id(&mut self) -> String {
        self.0 += 1;
        format!("share-{}", self.0)
    }
}

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

impl Scene {
    pub(super) fn read(text: &str) -> Self {
        let mut release = Release::DEVELOPMENT;
        let mut features = AllocatorFeatures {
            admin_access: true,
            consumable_capacity: true,
            device_binding: true,
            device_taints: true,
            partitionable_devices: true,
            prioritized_list: true,
            ..Default::default()
        };
        let mut reader = Reader::default();
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
            match word {
                "release" => release = Release::parse(rest).unwrap(),
                "off" | "on" => set_feature(&mut features, rest, word == "on"),
                _ => reader.line(word, rest),
            }
        }
        let mut gates = Gates::defaults(release);
        gates.set(Gate::ListTypeAttributes, features.list_type_attributes);
        let behavior = Behavior::for_features(gates, features, None).unwrap();
        reader.finish(behavior)
    }

    /// The answer for a node, in one line, with the number of search calls.
    pub(super) fn answer(&self, node: usize, pruning: Pruning) -> (String, Option<u64>) {
        let (attempt, _) = self.attempt(node, pruning, &mut ());
        (describe(&attempt.outcome), attempt.search_calls)
    }

    pub(super) fn attempt(
        &self,
        node: usize,
        pruning: Pruning,
        observer: &mut dyn Observer,
    ) -> (Attempt, AllocatedState) {
        self.attempt_within(node, pruning, None, observer)
    }

    pub(super) fn attempt_within(
        &self,
        node: usize,
        pruning: Pruning,
        budget: Option<u64>,
        observer: &mut dyn Observer,
    ) -> (Attempt, AllocatedState) {
        let allocated = AllocatedState::from_claims(&self.held, &self.behavior);
        let selectors = Selectors::new(&self.behavior.cel);
        let ground = Ground::new(&self.slices);
        let context = Context {
            behavior: &self.behavior,
            ground: &ground,
            classes: &self.classes,
            allocated: &allocated,
            selectors: &selectors,
            pruning,
            budget,
            pool_order: None,
        };
        let claims: Vec<&ResourceClaim> = self.claims.iter().collect();
        let node = &self.nodes[node];
        let attempt = Allocator::new(context).allocate(node, &claims, &mut Numbered(0), observer);
        (attempt, allocated)
    }
}

/// `r=d0 r/one=m1{bw:1}`, claims apart by `;`; `-` for no allocation.
pub(super) fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Allocated(results) => {
            let claims = results.iter().map(|result| {
                let devices = result.results.iter().map(|device| {
                    let mut text = format!("{}={}", device.request, device.device);
                    if let Some(consumed) = &device.consumed_capacity {
                        let amounts = consumed.iter().map(|(name, q)| format!("{name}:{q}"));
                        text = format!("{text}{{{}}}", amounts.collect::<Vec<_>>().join(","));
                    }
                    text
                });
                devices.collect::<Vec<_>>().join(" ")
            });
            claims.collect::<Vec<_>>().join("; ")
        }
        Outcome::NotAllocated => "-".to_owned(),
        Outcome::NodeError(fault) => format!("node: {fault}"),
        Outcome::Fatal(fault) => format!("fatal: {fault}"),
        Outcome::Exhausted { search_calls } => format!("exhausted after {search_calls}"),
        Outcome::Crash(crash) => format!("crash: {crash}"),
    }
}

fn set_feature(features: &mut AllocatorFeatures, name: &str, on: bool) {
    match name {
        "admin" => features.admin_access = on,
        "capacity" => features.consumable_capacity = on,
        "binding" => features.device_binding = on,
        "taints" => features.device_taints = on,
        "counters" => features.partitionable_devices = on,
        "alternatives" => features.prioritized_list = on,
        "lists" => features.list_type_attributes = on,
        "operations" => features.optional_node_operations = on,
        "fractions" => features.fractional_capacity_range = on,
        _ => panic!("no feature {name}"),
    }
}

#[derive(Default)]
struct Reader {
    nodes: Vec<Node>,
    slices: Vec<ResourceSlice>,
    sets: BTreeMap<(String, String), Vec<CounterSet>>,
    counts: BTreeMap<String, i64>,
    classes: BTreeMap<String, DeviceClass>,
    claims: Vec<ResourceClaim>,
    held: Vec<ResourceClaim>,
}

impl Reader {
    fn line(&mut self, word: &str, rest: &str) {
        match word {
            "nodes" => self.nodes = rest.split(' ').map(node).collect(),
            "slice" => self.slice(rest),
            "set" => {
                let slice = self.current_slice();
                let key = (slice.driver.clone(), slice.pool.name.clone());
                self.sets.entry(key).or_default().push(counter_set(rest));
            }
            "dev" => {
                let device = device(rest);
                self.current_slice().devices_mut().push(device);
            }
            "held" => self.hold(rest),
            "class" => {
                let class = class(rest);
                self.classes.insert(class.metadata.name.clone(), class);
            }
            "claim" => self.claims.push(claim(rest)),
            "req" => self.request(rest),
            "match" | "distinct" | "config" => self.spec_entry(word, rest),
            _ => panic!("no line begins with {word}"),
        }
    }

    fn current_slice(&mut self) -> &mut ResourceSlice {
        if self.slices.is_empty() {
            self.slice("p");
        }
        self.slices.last_mut().unwrap()
    }

    /// `[driver/]pool[@node|@*|@per|@label=value] [name=N] [gen=G] [count=N] [skip=X]`
    fn slice(&mut self, text: &str) {
        let mut words = text.split(' ');
        let (id, scope) = match words.next().unwrap().split_once('@') {
            Some((id, scope)) => (id, scope),
            None => (words_first(text), "n1"),
        };
        let (driver, pool) = id.split_once('/').unwrap_or(("a", id));
        let mut slice = ResourceSlice {
            driver: driver.to_owned(),
            pool: ResourcePool { name: pool.to_owned(), generation: 1, resource_slice_count: 0 },
            ..Default::default()
        };
        slice.metadata.name = format!("s{}", self.slices.len());
        match scope {
            "*" => slice.all_nodes = Some(true),
            "per" => slice.per_device_node_selection = Some(true),
            _ => match scope.split_once('=') {
                Some((key, value)) => slice.node_selector = Some(label_selector(key, value)),
                None => slice.node_name = Some(scope.to_owned()),
            },
        }
        for word in words {
            let (key, value) = word.split_once('=').unwrap();
            match key {
                "name" => slice.metadata.name = value.to_owned(),
                "skip" => slice.skip_node_operations = vec![value.to_owned()],
                "gen" => slice.pool.generation = value.parse().unwrap(),
                "count" => {
                    self.counts.insert(slice.metadata.name.clone(), value.parse().unwrap());
                }
                _ => panic!("{word}"),
            }
        }
        self.slices.push(slice);
    }

    /// `[driver/pool/]DEVICE [share] [capacity:amount]`
    fn hold(&mut self, text: &str) {
        let mut words = text.split(' ');
        let id: Vec<&str> = words.next().unwrap().split('/').collect();
        let (driver, pool, device) = match id.as_slice() {
            [driver, pool, device] => (*driver, *pool, *device),
            _ => ("a", "p", id[0]),
        };
        let mut result = DeviceRequestAllocationResult {
            request: "r".into(),
            driver: driver.into(),
            pool: pool.into(),
            device: device.into(),
            ..Default::default()
        };
        for word in words {
            match word.split_once(':') {
                Some((name, amount)) => {
                    let consumed = result.consumed_capacity.get_or_insert_default();
                    consumed.insert(name.into(), quantity(amount));
                }
                None => result.share_id = Some(format!("old-{}", self.held.len())),
            }
        }
        let mut claim = claim(&format!("held-{}", self.held.len()));
        let allocation = AllocationResult { results: vec![result], ..Default::default() };
        claim.status.allocation = Some(allocation);
        self.held.push(claim);
    }

    /// `NAME COUNT|all [class=K] [admin] [tolerate] [capacity:amount] [where k=v] [cel EXPRESSION]`;
    /// NAME is `request/subrequest` for an alternative.
    fn request(&mut self, text: &str) {
        if self.claims.is_empty() {
            self.claims.push(claim("c"));
        }
        let (text, cel) = match text.split_once(" cel ") {
            Some((text, cel)) => (text, Some(cel)),
            None => (text, None),
        };
        let mut words = text.split(' ');
        let name = words.next().unwrap();
        let mut spec = ExactRequest { device_class_name: "any".into(), ..Default::default() };
        match words.next().unwrap() {
            "all" => spec.allocation_mode = AllocationMode::All,
            count => spec.count = count.parse().unwrap(),
        }
        let select = |expression: String| DeviceSelector { cel_expression: Some(expression) };
        while let Some(word) = words.next() {
            match word {
                "admin" => spec.admin_access = Some(true),
                "tolerate" => spec
                    .tolerations
                    .push(DeviceToleration { operator: "Exists".into(), ..Default::default() }),
                "where" => {
                    let (key, value) = words.next().unwrap().split_once('=').unwrap();
                    let expression =
                        format!("device.attributes['a'].?{key}.orValue('') == '{value}'");
                    spec.selectors.push(select(expression));
                }
                _ => match (word.split_once('='), word.split_once(':')) {
                    (Some(("class", class)), _) => spec.device_class_name = class.into(),
                    (_, Some((name, amount))) => {
                        let requests = spec.capacity_requests.get_or_insert_default();
                        requests.insert(name.into(), quantity(amount));
                    }
                    _ => panic!("{word}"),
                },
            }
        }
        spec.selectors.extend(cel.map(|cel| select(cel.to_owned())));
        let requests = &mut self.claims.last_mut().unwrap().spec.requests;
        match name.split_once('/') {
            None => requests.push(DeviceRequest {
                name: name.into(),
                exactly: Some(spec),
                first_available: Vec::new(),
            }),
            Some((name, sub)) => {
                if requests.last().is_none_or(|last| last.name != name) {
                    requests.push(DeviceRequest { name: name.into(), ..Default::default() });
                }
                let sub = DeviceSubRequest { name: sub.into(), request: spec };
                requests.last_mut().unwrap().first_available.push(sub);
            }
        }
    }

    /// `ATTRIBUTE [request ...]`; for `config` only requests.
    fn spec_entry(&mut self, word: &str, rest: &str) {
        let spec = &mut self.claims.last_mut().unwrap().spec;
        let mut words = rest.split(' ').filter(|word| !word.is_empty()).map(str::to_owned);
        if word == "config" {
            spec.config.push(ClaimConfig { requests: words.collect(), opaque: Some(opaque()) });
            return;
        }
        let mut constraint = DeviceConstraint::default();
        let attribute = words.next();
        if word == "match" {
            constraint.match_attribute = attribute;
        } else {
            constraint.distinct_attribute = attribute;
        }
        constraint.requests = words.collect();
        spec.constraints.push(constraint);
    }

    fn finish(mut self, behavior: Behavior) -> Scene {
        if self.nodes.is_empty() {
            self.nodes = vec![node("n1")];
        }
        self.classes.entry("any".into()).or_insert_with(|| class("any"));
        for ((driver, pool), sets) in self.sets {
            let first = self
                .slices
                .iter_mut()
                .find(|slice| slice.driver == driver && slice.pool.name == pool)
                .unwrap();
            if behavior.counter_scope == CounterScope::Slice {
                // 1.34 has counter sets and devices in one slice.
                first.shared_counters = sets;
                continue;
            }
            let mut slice = ResourceSlice {
                devices: Devices::default(),
                shared_counters: sets,
                ..first.clone()
            };
            slice.metadata.name = format!("counters-{driver}-{pool}");
            if slice.per_device_node_selection.take().is_some() {
                slice.all_nodes = Some(true);
            }
            self.slices.push(slice);
        }
        let known = self.slices.clone();
        for slice in &mut self.slices {
            let mates = known.iter().filter(|other| {
                (&other.driver, &other.pool.name, other.pool.generation)
                    == (&slice.driver, &slice.pool.name, slice.pool.generation)
            });
            let counted = i64::try_from(mates.count()).unwrap();
            slice.pool.resource_slice_count =
                self.counts.get(&slice.metadata.name).copied().unwrap_or(counted);
        }
        Scene {
            behavior,
            nodes: self.nodes,
            slices: self.slices.into_iter().map(Rc::new).collect(),
            classes: self.classes.into_iter().map(|(name, c)| (name, Rc::new(c))).collect(),
            claims: self.claims,
            held: self.held,
        }
    }
}

fn words_first(text: &str) -> &str {
    text.split(' ').next().unwrap()
}

fn node(text: &str) -> Node {
    let mut node = Node::default();
    let (name, label) = text.split_once(',').unwrap_or((text, ""));
    node.metadata.name = name.to_owned();
    if let Some((key, value)) = label.split_once('=') {
        node.metadata.labels.insert(key.into(), value.into());
    }
    node
}

fn label_selector(key: &str, value: &str) -> NodeSelector {
    let requirement = NodeSelectorRequirement {
        key: key.to_owned(),
        operator: NodeSelectorOperator::In,
        values: vec![value.to_owned()],
    };
    NodeSelector {
        terms: vec![NodeSelectorTerm {
            match_expressions: vec![requirement],
            match_fields: Vec::new(),
        }],
    }
}

fn opaque() -> OpaqueConfig {
    OpaqueConfig { driver: "a".into(), parameters: serde_json::json!({}) }
}

fn claim(name: &str) -> ResourceClaim {
    let mut claim = ResourceClaim::default();
    claim.metadata.name = name.to_owned();
    claim
}

/// `NAME [config=N] [cel EXPRESSION]`
fn class(text: &str) -> DeviceClass {
    let mut class = DeviceClass::default();
    let (text, cel) = text.split_once(" cel ").map_or((text, None), |(t, c)| (t, Some(c)));
    let mut words = text.split(' ');
    class.metadata.name = words.next().unwrap().to_owned();
    for word in words {
        let count: usize = word.strip_prefix("config=").unwrap().parse().unwrap();
        class.config = vec![opaque(); count];
    }
    class.selectors = cel
        .map(|cel| DeviceSelector { cel_expression: Some(cel.to_owned()) })
        .into_iter()
        .collect();
    class
}

/// `NAME counter=amount ...`
fn counter_set(text: &str) -> CounterSet {
    let mut words = text.split(' ');
    let name = words.next().unwrap().to_owned();
    let counters = words.map(|word| word.split_once('=').unwrap());
    CounterSet { name, counters: counters.map(|(n, q)| (n.to_owned(), quantity(q))).collect() }
}

/// `NAME [*] [set.counter=amount] [attribute=value] [capacity:amount(policy)] [!taint] [@node]
/// [bind] [pin]`
fn device(text: &str) -> Device {
    let mut words = text.split(' ');
    let mut device = Device { name: words.next().unwrap().to_owned(), ..Default::default() };
    for word in words {
        match word {
            "*" => device.allow_multiple_allocations = Some(true),
            "bind" => device.binding_conditions = Some(vec!["ready".into()]),
            "pin" => device.binds_to_node = Some(true),
            _ => property(&mut device, word),
        }
    }
    device
}

fn property(device: &mut Device, word: &str) {
    if let Some(taint) = word.strip_prefix('!') {
        let (key, effect) = taint.split_once(':').unwrap_or((taint, "NoSchedule"));
        let (key, effect) = (key.to_owned(), effect.to_owned());
        device.taints.push(DeviceTaint { key, effect, ..Default::default() });
    } else if let Some(node) = word.strip_prefix('@') {
        match node {
            "*" => device.all_nodes = Some(true),
            _ => match node.split_once('=') {
                Some((key, value)) => device.node_selector = Some(label_selector(key, value)),
                None => device.node_name = Some(node.into()),
            },
        }
    } else if let Some((name, amount)) = word.split_once(':').filter(|(n, _)| !n.contains('=')) {
        device.capacity.insert(name.to_owned(), capacity(amount));
    } else {
        let (key, value) = word.split_once('=').unwrap();
        match key.split_once('.') {
            Some((set, counter)) => device.consumes_counters.push(DeviceCounterConsumption {
                counter_set: set.to_owned(),
                counters: [(counter.to_owned(), quantity(value))].into(),
                ..Default::default()
            }),
            None => {
                device.attributes.insert(key.to_owned(), attribute(value));
            }
        }
    }
}

fn attribute(value: &str) -> DeviceAttribute {
    match value.strip_prefix('[') {
        Some(list) => DeviceAttribute {
            strings: Some(list.trim_end_matches(']').split(',').map(str::to_owned).collect()),
            ..Default::default()
        },
        None => DeviceAttribute { string: Some(value.to_owned()), ..Default::default() },
    }
}

/// `AMOUNT[(default=1G,min=1G,max=10G,step=1G)]` or `AMOUNT(default=1,values=1|2)`
fn capacity(text: &str) -> DeviceCapacity {
    let Some((amount, policy)) = text.split_once('(') else {
        return DeviceCapacity { value: quantity(text), request_policy: None };
    };
    let mut parsed = CapacityRequestPolicy::default();
    for part in policy.trim_end_matches(')').split(',') {
        let (key, value) = part.split_once('=').unwrap();
        let range = || Some(quantity(value));
        match key {
            "default" => parsed.default = range(),
            "values" => parsed.valid_values = value.split('|').map(quantity).collect(),
            "min" => parsed.valid_range.get_or_insert_default().min = range(),
            "max" => parsed.valid_range.get_or_insert_default().max = range(),
            "step" => parsed.valid_range.get_or_insert_default().step = range(),
            _ => panic!("{part}"),
        }
    }
    DeviceCapacity { value: quantity(amount), request_policy: Some(Box::new(parsed)) }
}
