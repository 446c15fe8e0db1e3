//! What attempts have in common and need not find out again: the slices by pool and node, who has
//! which device, what runs where, and what nodes answered to Pods of one shape.
//!
//! Everything here is remembered together with the objects that it was found from, and forgotten when
//! they are others. Objects are compared by identity, see [`Objects::same`].

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::allocator::{AllocatedState, Ground};
use crate::api::{DeviceClass, DeviceTaintRule, Node, Pod, ResourceClaim, ResourceSlice};
use crate::cluster::{Cluster, Objects, WaitingPod};
use crate::features::{Behavior, CounterScope};
use crate::pool::{Gathered, NodeMatchFault, PoolId, SliceIndex};

use super::attempt::{NodeAnswers, NodeAttempt};
use super::devices::has_no_execute;
use super::node_filters::{UsedByNode, is_terminal};
use super::run::Judged;

/// Shapes of Pods that are remembered.
const MOST_SHAPES: usize = 8;

/// Pools of one node up to which they are kept; where every node sees very many, gathering them again
/// costs less than keeping them for all.
const MOST_POOLS: usize = 16;

/// Nodes, slices and classes, ready for the allocator.
#[derive(Debug)]
pub(super) struct Terrain {
    slices: Objects<ResourceSlice>,
    taint_rules: Objects<DeviceTaintRule>,
    class_objects: Objects<DeviceClass>,
    node_objects: Objects<Node>,
    pub(super) ground: Ground,
    pub(super) classes: BTreeMap<String, Rc<DeviceClass>>,
    /// By name.
    pub(super) nodes: Vec<Rc<Node>>,
    /// For each node what it reaches, once it was asked for.
    reaches: RefCell<Vec<Option<Rc<Reach>>>>,
    /// For each pool, whether its counters can matter to more than one node.
    is_common: Vec<bool>,
    /// Whether any taint evicts Pods.
    pub(super) evicts: bool,
}

/// What a node reaches.
#[derive(Debug)]
pub(super) struct Reach {
    /// Its pools.
    pub(super) gathered: Result<Gathered, NodeMatchFault>,
    /// Devices in them.
    pub(super) devices: usize,
    /// Whether what the allocator learns on other nodes of the attempt cannot matter here.
    pub(super) is_separate: bool,
}

impl Terrain {
    fn new(cluster: &Cluster, behavior: &Behavior) -> Self {
        let ground = Ground::new(&cluster.effective_slices(behavior));
        let mut nodes: Vec<Rc<Node>> =
            cluster.nodes.iter().map(|node| Rc::clone(&node.value)).collect();
        nodes.order_by(|a, b| a.metadata.name.cmp(&b.metadata.name));
        let classes = cluster.classes.iter();
        Self {
            slices: cluster.slices.clone(),
            taint_rules: cluster.taint_rules.clone(),
            class_objects: cluster.classes.clone(),
            node_objects: cluster.nodes.clone(),
            classes: classes
                .map(|class| (class.value.metadata.name.clone(), Rc::clone(&class.value)))
                .collect(),
            reaches: RefCell::new(vec![None; nodes.len()]),
            is_common: common_pools(ground.index(), behavior),
            evicts: ground.slices().iter().any(|slice| has_no_execute(slice)),
            nodes,
            ground,
        }
    }

    fn is_of(&self, cluster: &Cluster) -> bool {
        self.slices.same(&cluster.slices)
            && self.taint_rules.same(&cluster.taint_rules)
            && self.class_objects.same(&cluster.classes)
            && self.node_objects.same(&cluster.nodes)
    }

    /// What the node at a position reaches.
    pub(super) fn reach(&self, position: usize, behavior: &Behavior) -> Rc<Reach> {
        if let Some(Some(known)) = self.reaches.borrow().get(position) {
            return Rc::clone(known);
        }
        let index = self.ground.index();
        let gathered = match self.nodes.get(position) {
            Some(node) => index.gather(node, behavior),
            None => Ok(Gathered::default()),
        };
        let pools = gathered.as_ref().map(|gathered| gathered.pools.as_slice()).unwrap_or_default();
        let slices = pools.iter().flat_map(|pool| &pool.slices);
        let devices = slices.filter_map(|slice| index.slice(*slice)).map(|s| s.devices.len()).sum();
        let is_separate = pools.iter().all(|pool| self.is_common.get(pool.index) == Some(&false));
        let keep = pools.len() <= MOST_POOLS;
        let reach = Rc::new(Reach { gathered, devices, is_separate });
        if keep && let Some(slot) = self.reaches.borrow_mut().get_mut(position) {
            *slot = Some(Rc::clone(&reach));
        }
        reach
    }

    /// The position of a node.
    pub(super) fn position(&self, node: &str) -> Option<usize> {
        self.nodes.binary_search_by(|known| known.metadata.name.as_str().cmp(node)).ok()
    }

    fn pool(&self, driver: &str, pool: &str) -> Option<usize> {
        let by_name = |known: &PoolId| (&*known.driver, &*known.pool).cmp(&(driver, pool));
        self.ground.index().pools().binary_search_by(by_name).ok()
    }
}

/// For each pool, whether an account of its counters may be opened on one node and used on another.
fn common_pools(index: &SliceIndex, behavior: &Behavior) -> Vec<bool> {
    let pools = index.pools();
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for pool in pools {
        *names.entry(&pool.pool).or_default() += 1;
    }
    let mut facts: BTreeMap<(&str, &str), (bool, Option<&str>, bool)> = BTreeMap::new();
    for slice in index.slices() {
        let node = slice.node_name.as_deref().filter(|node| !node.is_empty());
        let counters = !slice.shared_counters.is_empty()
            || slice.devices.iter().any(|device| !device.consumes_counters.is_empty());
        let entry = facts
            .entry((slice.driver.as_str(), slice.pool.name.as_str()))
            .or_insert((false, node, true));
        entry.0 |= counters;
        entry.2 &= node.is_some() && entry.1 == node;
    }
    pools
        .iter()
        .map(|pool| match facts.get(&(&*pool.driver, &*pool.pool)) {
            Some((true, _, is_local)) => {
                let is_alone = behavior.counter_scope != CounterScope::PoolName
                    || names.get(&*pool.pool) == Some(&1);
                !(*is_local && is_alone)
            }
            Some((false, ..)) | None => false,
        })
        .collect()
}

/// What nodes answered to Pods of one shape.
#[derive(Debug)]
struct Shape {
    pod: Pod,
    claims: Vec<Rc<ResourceClaim>>,
    /// For each node, the answer and the state in which it was given.
    answers: Vec<Option<(u64, Rc<Judged>)>>,
    /// All answers to the last Pod.
    last: NodeAnswers,
}

impl Shape {
    /// Whether every node answers both Pods alike, but for names.
    fn fits(&self, pod: &Pod, claims: &[Rc<ResourceClaim>]) -> bool {
        self.pod.tolerations == pod.tolerations
            && self.pod.node_selector == pod.node_selector
            && self.pod.required_node_affinity == pod.required_node_affinity
            && self.pod.containers == pod.containers
            && self.pod.init_containers == pod.init_containers
            && self.pod.overhead == pod.overhead
            && self.pod.requests == pod.requests
            && self.pod.limits == pod.limits
            && self.claims.len() == claims.len()
            && self.claims.iter().zip(claims).all(|(a, b)| a.spec == b.spec)
    }
}

/// What was gathered from objects and from the Pods that wait to be bound.
#[derive(Debug)]
struct Known<T, V> {
    objects: Objects<T>,
    waiting: Rc<Vec<WaitingPod>>,
    value: Rc<V>,
}

impl<T: Clone, V> Known<T, V> {
    fn new(objects: &Objects<T>, waiting: &Rc<Vec<WaitingPod>>, value: V) -> Self {
        Self { objects: objects.clone(), waiting: Rc::clone(waiting), value: Rc::new(value) }
    }

    fn is_of(&self, objects: &Objects<T>, waiting: &Rc<Vec<WaitingPod>>) -> bool {
        self.objects.same(objects) && Rc::ptr_eq(&self.waiting, waiting)
    }
}

/// All that is kept between attempts.
#[derive(Debug, Default)]
pub(super) struct Memory {
    terrain: Option<Rc<Terrain>>,
    allocated: Option<Known<ResourceClaim, AllocatedState>>,
    used: Option<Known<Pod, UsedByNode>>,
    /// For each pool, how often claims got devices of it since the answers below were begun.
    pool_changes: Vec<u64>,
    /// For each node, how often Pods were bound to it since then.
    node_changes: Vec<u64>,
    /// The most recent one last.
    shapes: Vec<Shape>,
}

impl Memory {
    /// Nodes, slices and classes of a cluster.
    pub(super) fn terrain(&mut self, cluster: &Cluster, behavior: &Behavior) -> Rc<Terrain> {
        if let Some(known) = self.terrain.as_ref().filter(|known| known.is_of(cluster)) {
            return Rc::clone(known);
        }
        let terrain = Rc::new(Terrain::new(cluster, behavior));
        self.forget_answers();
        self.pool_changes = vec![0; terrain.ground.index().pools().len()];
        self.node_changes = vec![0; terrain.nodes.len()];
        self.terrain = Some(Rc::clone(&terrain));
        terrain
    }

    fn forget_answers(&mut self) {
        self.shapes.clear();
    }

    /// What claims have.
    pub(super) fn allocated(
        &mut self,
        cluster: &Cluster,
        behavior: &Behavior,
    ) -> Rc<AllocatedState> {
        let (claims, waiting) = (&cluster.claims, &cluster.waiting);
        if let Some(known) = self.allocated.as_ref().filter(|known| known.is_of(claims, waiting)) {
            return Rc::clone(&known.value);
        }
        let all = claims.iter().map(|claim| claim.value.as_ref());
        let mut state = AllocatedState::from_claims(all, behavior);
        for claim in waiting.iter().flat_map(|waiting| &waiting.in_flight) {
            state.hold(claim, behavior);
        }
        self.forget_answers();
        let known = Known::new(claims, waiting, state);
        let state = Rc::clone(&known.value);
        self.allocated = Some(known);
        state
    }

    /// What runs where.
    pub(super) fn used(&mut self, cluster: &Cluster) -> Rc<UsedByNode> {
        let (pods, waiting) = (&cluster.pods, &cluster.waiting);
        if let Some(known) = self.used.as_ref().filter(|known| known.is_of(pods, waiting)) {
            return Rc::clone(&known.value);
        }
        let mut used = UsedByNode::of(pods.iter().map(|pod| pod.value.as_ref()));
        for waiting in waiting.iter() {
            let found = pods.get(&waiting.namespace, &waiting.name).map(|pod| &pod.value);
            if let Some(pod) = found.filter(|pod| waiting.is(pod) && !is_terminal(pod)) {
                used.add(&waiting.node, pod);
            }
        }
        self.forget_answers();
        let known = Known::new(pods, waiting, used);
        let used = Rc::clone(&known.value);
        self.used = Some(known);
        used
    }

    /// Nothing but these claims were allocated since `before`.
    pub(super) fn claims_allocated(
        &mut self,
        before: &Objects<ResourceClaim>,
        after: &Objects<ResourceClaim>,
        allocated: &[Rc<ResourceClaim>],
        behavior: &Behavior,
    ) {
        let Some(mut known) = self.allocated.take() else { return };
        if !known.objects.same(before) {
            return;
        }
        let changed = Rc::make_mut(&mut known.value);
        for claim in allocated {
            changed.add_claim(claim, behavior);
            let results = claim.status.allocation.iter().flat_map(|found| &found.results);
            for result in results {
                let terrain = self.terrain.as_ref();
                let pool = terrain.and_then(|terrain| terrain.pool(&result.driver, &result.pool));
                if let Some(changes) = pool.and_then(|pool| self.pool_changes.get_mut(pool)) {
                    *changes += 1;
                }
            }
        }
        known.objects = after.clone();
        self.allocated = Some(known);
    }

    /// Nothing but this Pod was bound since `before`.
    pub(super) fn pod_bound(
        &mut self,
        before: &Objects<Pod>,
        after: &Objects<Pod>,
        pod: &Pod,
        node: &str,
    ) {
        let Some(mut known) = self.used.take() else { return };
        if !known.objects.same(before) {
            return;
        }
        Rc::make_mut(&mut known.value).add(node, pod);
        let position = self.terrain.as_ref().and_then(|terrain| terrain.position(node));
        if let Some(changes) = position.and_then(|at| self.node_changes.get_mut(at)) {
            *changes += 1;
        }
        known.objects = after.clone();
        self.used = Some(known);
    }

    /// Makes the shape of a Pod the most recent one. The claims must all be without allocation.
    pub(super) fn begin(&mut self, pod: &Pod, claims: &[Rc<ResourceClaim>]) {
        let known = self.shapes.iter().position(|shape| shape.fits(pod, claims));
        let shape = match known {
            Some(at) => self.shapes.remove(at),
            None => Shape {
                pod: pod.clone(),
                claims: claims.to_vec(),
                answers: vec![None; self.node_changes.len()],
                last: NodeAnswers::default(),
            },
        };
        if self.shapes.len() >= MOST_SHAPES {
            self.shapes.remove(0);
        }
        self.shapes.push(shape);
    }

    /// What a node answered to a Pod of the most recent shape, if nothing changed there since.
    pub(super) fn recall(&self, position: usize, reach: &Reach) -> Option<Rc<Judged>> {
        let (state, judged) = self.shapes.last()?.answers.get(position)?.as_ref()?;
        (*state == self.state(position, reach)).then(|| Rc::clone(judged))
    }

    /// Keeps what a node answered to a Pod of the most recent shape.
    pub(super) fn remember(&mut self, position: usize, reach: &Reach, judged: &Rc<Judged>) {
        let state = self.state(position, reach);
        let slot = self.shapes.last_mut().and_then(|shape| shape.answers.get_mut(position));
        if let Some(slot) = slot {
            *slot = Some((state, Rc::clone(judged)));
        }
    }

    /// All answers to a Pod of the most recent shape; those that the last one got too are shared.
    pub(super) fn share(&mut self, answers: &[Rc<NodeAttempt>]) -> NodeAnswers {
        let Some(shape) = self.shapes.last_mut() else { return NodeAnswers::new(answers, &[]) };
        shape.last = NodeAnswers::new(answers, &shape.last.chunks);
        shape.last.clone()
    }

    /// A number that grows with every change that the node can notice.
    fn state(&self, position: usize, reach: &Reach) -> u64 {
        let pools = reach.gathered.iter().flat_map(|gathered| &gathered.pools);
        let changes = pools.filter_map(|pool| self.pool_changes.get(pool.index));
        changes.sum::<u64>() + self.node_changes.get(position).copied().unwrap_or_default()
    }
}
