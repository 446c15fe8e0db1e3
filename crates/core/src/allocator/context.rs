use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use crate::features::Behavior;
use crate::pool::{Gathered, NodeMatchFault, PoolId, SliceIndex};
use crate::selector::Selectors;

use super::accounts::Accounts;
use super::run::{Run, Scratch};
use super::verdicts::Verdicts;
use super::{AllocatedState, Attempt, Fault, Observer, Outcome, Pruning, ShareIds};

/// The slices of a cluster, and what holds for all attempts while they stay as they are: what
/// selectors say of devices.
#[derive(Debug)]
pub struct Ground {
    index: SliceIndex,
    verdicts: RefCell<Verdicts>,
}

impl Ground {
    /// For all slices of the cluster, with the taints of rules. Attempts on it must have the same
    /// selectors.
    pub fn new(slices: &[Rc<ResourceSlice>]) -> Self {
        let index = SliceIndex::new(slices);
        let verdicts = RefCell::new(Verdicts::new(index.devices()));
        Self { index, verdicts }
    }

    /// The slices by pool and node.
    pub fn index(&self) -> &SliceIndex {
        &self.index
    }

    /// The slices in the order given.
    pub fn slices(&self) -> &[Rc<ResourceSlice>] {
        self.index.slices()
    }

    pub(super) fn verdicts(&self) -> &RefCell<Verdicts> {
        &self.verdicts
    }
}

/// What an allocator works on.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// How the release behaves.
    pub behavior: &'a Behavior,
    /// The slices of the cluster.
    pub ground: &'a Ground,
    /// Classes by name.
    pub classes: &'a BTreeMap<String, Rc<DeviceClass>>,
    /// What earlier claims have.
    pub allocated: &'a AllocatedState,
    /// Compiles selectors.
    pub selectors: &'a Selectors,
    /// Whether search calls may be left out.
    pub pruning: Pruning,
    /// Search calls allowed for each node; `None` means any number.
    pub budget: Option<u64>,
    /// For releases that visit pools in random order: the order to take instead of that of their
    /// first slices.
    pub pool_order: Option<&'a [PoolId]>,
}

/// Allocates the claims of one scheduling attempt, node by node.
///
/// What it learns for one node about counters it keeps for the next, as upstream's allocator does.
#[derive(Debug)]
pub struct Allocator<'a> {
    context: Context<'a>,
    accounts: Accounts<'a>,
    scratch: Scratch<'a>,
}

impl<'a> Allocator<'a> {
    /// An allocator for one scheduling attempt.
    pub fn new(context: Context<'a>) -> Self {
        Self { context, accounts: Accounts::default(), scratch: Scratch::default() }
    }

    /// The slices by pool and node.
    pub fn index(&self) -> &'a SliceIndex {
        self.context.ground.index()
    }

    /// The pools that a node can reach.
    ///
    /// # Errors
    /// A node selector cannot be read.
    pub fn gather(&self, node: &Node) -> Result<Gathered, NodeMatchFault> {
        self.index().gather_in(node, self.context.behavior, self.context.pool_order)
    }

    /// Allocates claims for a node: all of them or none.
    ///
    /// `share_ids` is asked once for every new share in the result.
    pub fn allocate(
        &mut self,
        node: &Node,
        claims: &[&ResourceClaim],
        share_ids: &mut dyn ShareIds,
        observer: &mut dyn Observer,
    ) -> Attempt {
        match self.gather(node) {
            Ok(gathered) => self.allocate_in(node, &gathered, claims, share_ids, observer),
            Err(fault) => {
                let outcome = Outcome::Fatal(Fault::Gather(fault));
                Attempt { outcome, search_calls: None }
            }
        }
    }

    /// The same in pools that were gathered for the node before.
    pub fn allocate_in(
        &mut self,
        node: &Node,
        gathered: &Gathered,
        claims: &[&ResourceClaim],
        share_ids: &mut dyn ShareIds,
        observer: &mut dyn Observer,
    ) -> Attempt {
        if observer.is_interested() {
            observer.observe(super::Event::Gathered(gathered));
        }
        let scratch = std::mem::take(&mut self.scratch);
        let on = (node, gathered);
        let mut run = Run::new(self.context, &mut self.accounts, scratch, on, claims, observer);
        let attempt = if let Err(stop) = run.prepare() {
            Attempt { outcome: stop.into_outcome(), search_calls: None }
        } else {
            let outcome = run.search(share_ids);
            Attempt { outcome, search_calls: Some(run.search_calls()) }
        };
        self.scratch = run.into_scratch();
        attempt
    }
}
