//! What one node means by the name of a device, where nodes mean different ones: slices of several
//! nodes, or of several generations, may stand in one pool and have devices of one name.

#[cfg(test)]
mod tests;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::api::Node;
use crate::cluster::Cluster;
use crate::explain::words::Catalogue;
use crate::features::Behavior;
use crate::pool::SliceIndex;
use crate::scheduler::Attempt;

use super::analysis::Shown;
use super::places::TextPlaces;
use super::report::{CardView, Ledger};
use super::snapshot::{World, cards, counter_ledgers};

/// Names of the slices that a node goes by.
pub(super) fn slices_of_node(
    index: &SliceIndex,
    node: &Node,
    behavior: &Behavior,
) -> BTreeSet<String> {
    let gathered = index.gather(node, behavior).unwrap_or_default();
    let pools = gathered.pools.iter();
    let slices = pools.flat_map(|pool| pool.slices.iter().chain(&pool.counter_slices));
    let slices = slices.filter_map(|slice| index.slice(*slice));
    slices.map(|slice| slice.metadata.name.clone()).collect()
}

/// The devices as a node names them; `None` when all nodes mean the same.
pub(super) fn world_of_node(
    world: &World,
    cluster: &Cluster,
    node: &str,
    behavior: &Behavior,
) -> Option<World> {
    let node = cluster.nodes.get("", node).filter(|_| world.is_ambiguous())?;
    let index = SliceIndex::new(&cluster.effective_slices(behavior));
    Some(World::seen_by(cluster, &slices_of_node(&index, &node.value, behavior)))
}

/// What the devices looked like when an attempt was made.
#[derive(Debug)]
pub(super) struct Scene {
    pub world: World,
    pub counters: Vec<Ledger>,
    cards: OnceCell<Vec<CardView>>,
}

impl Scene {
    pub(super) fn new(world: World, places: TextPlaces<'_>, words: &Catalogue) -> Self {
        let counters = counter_ledgers(&world, &places, words);
        Self { world, counters, cards: OnceCell::new() }
    }

    /// The cards; few causes ask for them.
    pub(super) fn cards(&self) -> &[CardView] {
        self.cards.get_or_init(|| cards(&self.world, &self.counters, &|_| true))
    }
}

impl Shown<'_> {
    /// The scene of an attempt as one of its nodes sees it.
    pub(super) fn scene_on(&self, attempt: &Attempt, scene: &Rc<Scene>, node: &str) -> Rc<Scene> {
        let world = world_of_node(&scene.world, &attempt.before, node, self.env.behavior());
        match world {
            Some(world) => Rc::new(Scene::new(world, self.places(), self.words)),
            None => Rc::clone(scene),
        }
    }
}
