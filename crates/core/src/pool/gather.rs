use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use dra_playground_cel::order::{Gather, Order};

use crate::api::names::first_duplicate;
use crate::api::{CounterSet, Node, ResourceSlice};
use crate::features::{Behavior, BindingLast, CounterScope, PoolComplete, VisitOrder};

use super::facts::Facts;
use super::references::{InvalidReason, References};
use super::{NodeMatchFault, PoolId, device_matches_node, node_matches};

/// Slices by pool and node: made once, asked for many nodes.
#[derive(Debug)]
pub struct SliceIndex {
    slices: Rc<[Rc<ResourceSlice>]>,
    /// Pools by driver and name.
    pools: Vec<PoolId>,
    /// For each slice, what is asked of it for every node.
    facts: Vec<Facts>,
    /// Number of devices of all slices.
    devices: usize,
    /// All slices, those of a pool together, and for each pool where its own begin and end.
    by_pool: Vec<usize>,
    ranges: Vec<Range<usize>>,
    /// Slices with a node name, those of a node together, by that name.
    by_node: Vec<usize>,
    /// The place among them after those that were asked for last.
    next_node: Cell<usize>,
    /// Slices without a node name.
    anywhere: Vec<usize>,
    /// The same together with slices that have a node name and shared counters.
    anywhere_and_counters: Vec<usize>,
}

/// The pools of one node in the order in which the allocator visits them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gathered {
    /// The pools.
    pub pools: Vec<Pool>,
}

/// A pool as one node sees it. Slices are indexes into the slices given.
#[derive(Clone, Debug, PartialEq)]
pub struct Pool {
    /// Driver and name.
    pub id: PoolId,
    /// Index of the pool in [`SliceIndex::pools`].
    pub index: usize,
    /// The newest generation among slices that are relevant for the node.
    pub generation: i64,
    /// Whether it can be used.
    pub state: PoolState,
    /// Whether slices are missing. An incomplete pool can be invalid, too, in releases that use it.
    pub is_incomplete: bool,
    /// Slices with devices for the node, in the order in which they are visited. They are listed
    /// for pools that cannot be used, too.
    pub slices: Vec<usize>,
    /// Slices with counter sets.
    pub counter_slices: Vec<usize>,
    /// Slices with devices for other nodes; they count for counters only.
    pub other_slices: Vec<usize>,
}

/// Whether a pool can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PoolState {
    /// It can.
    Usable,
    /// It is being updated.
    Incomplete {
        /// Slices of the generation that exist.
        have: usize,
        /// Slices announced.
        want: i64,
    },
    /// Its content is faulty.
    Invalid(InvalidReason),
}

/// A slice that is not visited for a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedSlice {
    /// Index of the slice.
    pub slice: usize,
    /// Why.
    pub why: SliceSkip,
}

/// Why a slice is not visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SliceSkip {
    /// It is for other nodes.
    OtherNode,
    /// It needs a gate that is off, or selects nodes in an unknown way.
    Ignored,
    /// A newer generation replaces it.
    Obsolete {
        /// The slice's generation.
        generation: i64,
        /// The pool's newest one.
        newest: i64,
    },
}

/// Slices of one pool that are relevant for the node, of the newest generation seen.
struct Kept {
    pool: usize,
    /// How many pools were met before.
    arrival: usize,
    generation: i64,
    slices: Vec<usize>,
}

impl SliceIndex {
    /// Sorts slices by pool and node.
    pub fn new(slices: &[Rc<ResourceSlice>]) -> Self {
        let mut this = Self {
            slices: slices.into(),
            pools: Vec::new(),
            facts: Vec::with_capacity(slices.len()),
            devices: 0,
            by_pool: (0..slices.len()).collect(),
            ranges: Vec::new(),
            by_node: Vec::new(),
            next_node: Cell::new(0),
            anywhere: Vec::new(),
            anywhere_and_counters: Vec::new(),
        };
        for slice in slices {
            this.facts.push(Facts::new(slice, this.devices));
            this.devices += slice.devices.len();
        }
        let key = |index: usize| {
            slices.get(index).map(|slice| (slice.driver.as_str(), slice.pool.name.as_str()))
        };
        // The sorts are stable: within a pool and a node slices stay in the order given.
        this.by_pool.order_by_key(|index| key(*index));
        for (place, index) in this.by_pool.iter().enumerate() {
            let Some((driver, pool)) = key(*index) else { continue };
            match (this.pools.last(), this.ranges.last_mut()) {
                (Some(last), Some(range)) if &*last.driver == driver && &*last.pool == pool => {
                    range.end = place + 1;
                }
                (last, _) => {
                    // Drivers repeat: neighbours share the text.
                    let driver = match last {
                        Some(last) if &*last.driver == driver => Rc::clone(&last.driver),
                        Some(_) | None => driver.into(),
                    };
                    this.pools.push(PoolId { driver, pool: pool.into() });
                    this.ranges.push(place..place + 1);
                }
            }
            if let Some(facts) = this.facts.get_mut(*index) {
                facts.pool = this.pools.len() - 1;
            }
        }
        for (index, slice) in slices.iter().enumerate() {
            let is_local = node_name(slice).is_some();
            if is_local { &mut this.by_node } else { &mut this.anywhere }.push(index);
            if !is_local || !slice.shared_counters.is_empty() {
                this.anywhere_and_counters.push(index);
            }
        }
        this.by_node.order_by_key(|index| slices.get(*index).and_then(|slice| node_name(slice)));
        this
    }

    /// Slices with the name of a node.
    fn on_node(&self, node: &str) -> &[usize] {
        let name = |index: &usize| self.slice(*index).and_then(node_name).unwrap_or_default();
        let at = |place: usize| self.by_node.get(place).map(name);
        // Nodes are often asked for in order.
        let next = self.next_node.get();
        let fits = at(next) == Some(node)
            && next.checked_sub(1).and_then(at).is_none_or(|before| before != node);
        let from =
            if fits { next } else { self.by_node.partition_point(|index| name(index) < node) };
        let rest = self.by_node.get(from..).unwrap_or_default();
        let length = rest.iter().take_while(|index| name(index) == node).count();
        self.next_node.set(from + length);
        rest.get(..length).unwrap_or_default()
    }

    /// All slices of a pool.
    fn slices_of(&self, pool: usize) -> &[usize] {
        let range = self.ranges.get(pool).cloned().unwrap_or_default();
        self.by_pool.get(range).unwrap_or_default()
    }

    /// The pools of all slices, by driver and name.
    pub fn pools(&self) -> &[PoolId] {
        &self.pools
    }

    /// The slices that were given.
    pub fn slices(&self) -> &[Rc<ResourceSlice>] {
        &self.slices
    }

    /// The slice at an index.
    pub fn slice(&self, index: usize) -> Option<&ResourceSlice> {
        self.slices.get(index).map(|slice| &**slice)
    }

    /// Number of devices of all slices.
    pub(crate) fn devices(&self) -> usize {
        self.devices
    }

    /// The number of a slice's first device when the devices of all slices are counted.
    pub(crate) fn first_device(&self, slice: usize) -> usize {
        self.facts(slice).first_device
    }

    /// The pools that a node can reach.
    ///
    /// # Errors
    /// A node selector cannot be read.
    pub fn gather(&self, node: &Node, behavior: &Behavior) -> Result<Gathered, NodeMatchFault> {
        self.gather_in(node, behavior, None)
    }

    /// The pools that a node can reach; where the release visits them in random order, in the one
    /// that is given.
    ///
    /// # Errors
    /// A node selector cannot be read.
    pub fn gather_in(
        &self,
        node: &Node,
        behavior: &Behavior,
        order: Option<&[PoolId]>,
    ) -> Result<Gathered, NodeMatchFault> {
        let mut kept = self.keep(node, behavior)?;
        if let (VisitOrder::Random, Some(order)) = (behavior.pool_order, order) {
            let place = |kept: &Kept| {
                let pool = self.pools.get(kept.pool)?;
                order.iter().position(|other| other == pool)
            };
            kept.order_by_key(|kept| place(kept).unwrap_or(usize::MAX));
        }
        let mut pools = Vec::with_capacity(kept.len());
        let mut last = Vec::new();
        for kept in kept {
            let Some(pool) = self.pool(kept, behavior) else { continue };
            let goes_last = behavior.binding_last != BindingLast::Nothing
                && (pool.state == PoolState::Usable || behavior.incomplete_exact_usable)
                && self.pool_has_conditions(&pool);
            if goes_last { &mut last } else { &mut pools }.push(pool);
        }
        pools.append(&mut last);
        Ok(Gathered { pools })
    }

    /// Why the slices that `gathered` does not visit are left out, in the order given.
    pub fn skipped(
        &self,
        gathered: &Gathered,
        node: &Node,
        behavior: &Behavior,
    ) -> Vec<SkippedSlice> {
        let visited: BTreeSet<usize> = gathered
            .pools
            .iter()
            .flat_map(|pool| pool.slices.iter().chain(&pool.counter_slices))
            .copied()
            .gathered();
        let mut skipped = Vec::new();
        for (index, slice) in self.slices.iter().enumerate() {
            if visited.contains(&index) {
                continue;
            }
            let generation = slice.pool.generation;
            let newest = self.newest(self.facts(index).pool).unwrap_or(generation);
            let why = match self.relevant(index, node, behavior) {
                Ok(Some(true)) if generation < newest => SliceSkip::Obsolete { generation, newest },
                Ok(Some(false)) => SliceSkip::OtherNode,
                Ok(Some(true) | None) | Err(_) => SliceSkip::Ignored,
            };
            skipped.push(SkippedSlice { slice: index, why });
        }
        skipped
    }

    fn newest(&self, pool: usize) -> Option<i64> {
        let slices = self.slices_of(pool);
        slices.iter().filter_map(|s| self.slice(*s)).map(|s| s.pool.generation).max()
    }

    /// Whether a slice is relevant for a node; `None` when it is ignored on every node.
    fn relevant(
        &self,
        index: usize,
        node: &Node,
        behavior: &Behavior,
    ) -> Result<Option<bool>, NodeMatchFault> {
        let Some(slice) = self.slice(index) else { return Ok(None) };
        let has_counters = !slice.shared_counters.is_empty();
        if !behavior.features.partitionable_devices {
            let ignores_counters = behavior.counter_scope != CounterScope::Slice;
            if slice.per_device_node_selection.is_some() || (has_counters && ignores_counters) {
                return Ok(None);
            }
        }
        if behavior.compatibility_slices_ignored && self.facts(index).compatibility_groups {
            return Ok(None);
        }
        if behavior.counter_slices_any_node && has_counters {
            return Ok(Some(true));
        }
        let named = slice.node_name.as_deref().is_some_and(|name| !name.is_empty());
        if named || slice.all_nodes == Some(true) || slice.node_selector.is_some() {
            return node_matches(
                node,
                slice.node_name.as_deref(),
                slice.all_nodes,
                slice.node_selector.as_ref(),
            )
            .map(Some)
            .map_err(|cause| NodeMatchFault {
                slice: slice.metadata.name.clone(),
                device: None,
                cause,
            });
        }
        if slice.per_device_node_selection == Some(true) {
            for device in slice.devices.iter() {
                if device_matches_node(node, slice, device)? {
                    return Ok(Some(true));
                }
            }
            return Ok(Some(false));
        }
        Ok(None)
    }

    /// The relevant slices of every pool, in the order in which the pools are visited.
    fn keep(&self, node: &Node, behavior: &Behavior) -> Result<Vec<Kept>, NodeMatchFault> {
        let mut kept: Vec<Kept> = Vec::new();
        let mut conditions_last = Vec::new();
        let mut keep = |index: usize| {
            let Some(slice) = self.slice(index) else { return Ok(()) };
            if self.relevant(index, node, behavior)? != Some(true) {
                return Ok(());
            }
            let last = behavior.binding_last == BindingLast::SlicesAndPools
                && (behavior.counter_scope == CounterScope::Slice
                    || slice.shared_counters.is_empty())
                && self.facts(index).conditions;
            if last {
                conditions_last.push(index);
            } else {
                self.add(&mut kept, index);
            }
            Ok(())
        };
        let on_node = self.on_node(&node.metadata.name);
        let everywhere = if behavior.counter_slices_any_node {
            &self.anywhere_and_counters
        } else {
            &self.anywhere
        };
        if behavior.slice_order == VisitOrder::Random {
            let mut all: Vec<usize> = on_node.iter().chain(everywhere).copied().collect();
            all.sort_unstable();
            all.dedup();
            all.into_iter().try_for_each(&mut keep)?;
        } else {
            // Counter slices that count anywhere stand with those without a node name.
            let is_elsewhere = |index: &&usize| {
                behavior.counter_slices_any_node
                    && self.slice(**index).is_some_and(|slice| !slice.shared_counters.is_empty())
            };
            let own = on_node.iter().filter(|index| !is_elsewhere(index));
            own.chain(everywhere).copied().try_for_each(&mut keep)?;
        }
        for index in conditions_last {
            self.add(&mut kept, index);
        }
        if behavior.pool_order == VisitOrder::Random {
            // UPSTREAM: Go walks a small map from a random place on; most often, and always for one
            // of the places, that is the order in which the pools were met.
            kept.order_by_key(|kept| kept.arrival);
        }
        Ok(kept)
    }

    /// Adds a slice to those of its pool; `kept` is sorted by pool.
    fn add(&self, kept: &mut Vec<Kept>, index: usize) {
        let Some(slice) = self.slice(index) else { return };
        let pool = self.facts(index).pool;
        let generation = slice.pool.generation;
        let place = match kept.binary_search_by_key(&pool, |kept| kept.pool) {
            Ok(place) => place,
            Err(place) => {
                let arrival = kept.len();
                kept.insert(place, Kept { pool, arrival, generation, slices: Vec::new() });
                place
            }
        };
        let Some(entry) = kept.get_mut(place) else { return };
        if generation < entry.generation {
            return;
        }
        if generation > entry.generation {
            entry.slices.clear();
            entry.generation = generation;
        }
        entry.slices.push(index);
    }

    /// A pool from its relevant slices; `None` when a newer generation elsewhere makes it obsolete.
    fn pool(&self, kept: Kept, behavior: &Behavior) -> Option<Pool> {
        let Kept { pool: index, generation, mut slices, arrival: _ } = kept;
        let id = self.pools.get(index)?.clone();
        let want = self.slice(*slices.first()?)?.pool.resource_slice_count;
        let complete = |have: usize| i64::try_from(have) == Ok(want);
        let mut all: Option<Vec<usize>> = None;
        let mut have = slices.len();
        if behavior.pool_complete == PoolComplete::Cluster && !complete(have) {
            if self.newest(index)? > generation {
                return None;
            }
            let of_generation = |index: &&usize| {
                self.slice(**index).is_some_and(|slice| {
                    slice.pool.generation == generation
                        && !(behavior.compatibility_slices_ignored
                            && self.facts(**index).compatibility_groups)
                })
            };
            let list: Vec<usize> =
                self.slices_of(index).iter().filter(of_generation).copied().collect();
            have = list.len();
            all = Some(list);
        }
        if behavior.slice_order == VisitOrder::Sorted {
            slices.order_by(|a, b| self.name(*a).cmp(self.name(*b)));
        }
        let mut pool = Pool {
            id,
            index,
            generation,
            state: PoolState::Usable,
            is_incomplete: !complete(have),
            slices: Vec::new(),
            counter_slices: Vec::new(),
            other_slices: Vec::new(),
        };
        let has_counters = slices.iter().any(|slice| self.is_counter_slice(*slice, behavior));
        if has_counters {
            for slice in &slices {
                let to_counters = self.is_counter_slice(*slice, behavior);
                if to_counters { &mut pool.counter_slices } else { &mut pool.slices }.push(*slice);
            }
        } else {
            pool.slices = slices;
        }
        if pool.is_incomplete {
            pool.state = PoolState::Incomplete { have, want };
            if !behavior.incomplete_exact_usable {
                return Some(pool);
            }
        }
        for slice in all.iter().flatten() {
            if pool.slices.contains(slice) || pool.counter_slices.contains(slice) {
                continue;
            }
            let to_counters = self.is_counter_slice(*slice, behavior);
            if to_counters { &mut pool.counter_slices } else { &mut pool.other_slices }
                .push(*slice);
        }
        if let Some(reason) = self.fault(&pool, behavior) {
            pool.state = PoolState::Invalid(reason);
        }
        Some(pool)
    }

    fn facts(&self, index: usize) -> Facts {
        self.facts.get(index).copied().unwrap_or_default()
    }

    fn name(&self, index: usize) -> &str {
        self.slice(index).map_or("", |slice| slice.metadata.name.as_str())
    }

    fn is_counter_slice(&self, index: usize, behavior: &Behavior) -> bool {
        behavior.counter_scope != CounterScope::Slice
            && behavior.features.partitionable_devices
            && self.slice(index).is_some_and(|slice| !slice.shared_counters.is_empty())
    }

    fn pool_has_conditions(&self, pool: &Pool) -> bool {
        pool.slices.iter().any(|slice| self.facts(*slice).conditions)
    }

    /// The first fault of a complete pool.
    fn fault(&self, pool: &Pool, behavior: &Behavior) -> Option<InvalidReason> {
        if behavior.slice_count_consistent && !self.counts_agree(pool) {
            return Some(InvalidReason::SliceCountInconsistent);
        }
        if let Some(name) = self.duplicate_device(pool) {
            return Some(InvalidReason::DuplicateDevice(name.to_owned()));
        }
        if !behavior.features.partitionable_devices || !behavior.counter_refs_checked {
            return None;
        }
        // In 1.34 sets stand beside the devices, and each slice has its own.
        let beside = behavior.counter_scope == CounterScope::Slice;
        let holders = if beside { &pool.slices } else { &pool.counter_slices };
        let counter_slices = holders.iter().filter_map(|s| self.slice(*s));
        let count = counter_slices.clone().map(|slice| slice.shared_counters.len()).sum();
        let mut sets: Vec<&CounterSet> = Vec::with_capacity(count);
        for set in counter_slices.flat_map(|slice| &slice.shared_counters) {
            if sets.last().is_none_or(|last| last.name < set.name) {
                sets.push(set);
                continue;
            }
            match sets.binary_search_by(|known| known.name.cmp(&set.name)) {
                Ok(_) if beside => {}
                Ok(_) => return Some(InvalidReason::DuplicateCounterSet(set.name.clone())),
                Err(place) => sets.insert(place, set),
            }
        }
        let mut references = References::new(&sets);
        // UPSTREAM: where counter slices count on every node, devices that wrongly stand in one are
        // checked too, though never used.
        let misplaced = pool.counter_slices.iter().filter(|_| behavior.counter_slices_any_node);
        let slices = pool.slices.iter().chain(misplaced).chain(&pool.other_slices);
        slices
            .filter(|slice| self.facts(**slice).counters)
            .filter_map(|slice| self.slice(*slice))
            .flat_map(|slice| &slice.devices.summary().references)
            .find_map(|(set, counter)| references.fault(set, counter.as_ref()))
    }

    fn counts_agree(&self, pool: &Pool) -> bool {
        let mut counts = pool
            .slices
            .iter()
            .chain(&pool.counter_slices)
            .chain(&pool.other_slices)
            .filter_map(|slice| self.slice(*slice))
            .map(|slice| slice.pool.resource_slice_count);
        let first = counts.next();
        counts.all(|count| Some(count) == first)
    }

    fn duplicate_device(&self, pool: &Pool) -> Option<&str> {
        let slices = || pool.slices.iter().filter_map(|slice| self.slice(*slice));
        // What one slice says alone is known.
        if pool.slices.len() < 2 && !slices().any(|slice| slice.devices.summary().has_duplicates) {
            return None;
        }
        let names =
            slices().flat_map(|slice| slice.devices.iter()).map(|device| device.name.as_str());
        first_duplicate(names, slices().map(|slice| slice.devices.len()).sum())
    }
}

fn node_name(slice: &ResourceSlice) -> Option<&str> {
    slice.node_name.as_deref().filter(|name| !name.is_empty())
}
