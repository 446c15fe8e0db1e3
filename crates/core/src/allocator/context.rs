use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use crate::features::Behavior;
use crate::pool::{Gathered, NodeMatchFault, PoolId, SliceIndex};
use crate::selector::Selectors;

use super::accounts::Accounts;
use super::run::Run;
use super::verdicts::Verdicts;
use super::{AllocatedState, Attempt, Fault, Observer, Outcome, Pruning, ShareIds};

/// What an allocator works on.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// How the release behaves.
    pub behavior: &'a Behavior,
    /// All slices of the cluster, with the taints of rules.
    pub slices: &'a [Rc<ResourceSlice>],
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
/// What it learns for one node about selectors and counters it keeps for the next, as upstream's
/// allocator does.
#[derive(Debug)]
pub struct Allocator<'a> {
    context: Context<'a>,
    index: SliceIndex<'a>,
    verdicts: Verdicts<'a>,
    accounts: Accounts<'a>,
}

impl<'a> Allocator<'a> {
    /// An allocator for one scheduling attempt.
    pub fn new(context: Context<'a>) -> Self {
        Self {
            context,
            index: SliceIndex::new(context.slices),
            verdicts: Verdicts::new(context.selectors, context.slices),
            accounts: Accounts::default(),
        }
    }

    /// The slices by pool and node.
    pub fn index(&self) -> &SliceIndex<'a> {
        &self.index
    }

    /// The pools that a node can reach.
    ///
    /// # Errors
    /// A node selector cannot be read.
    pub fn gather(&self, node: &Node) -> Result<Gathered, NodeMatchFault> {
        self.index.gather_in(node, self.context.behavior, self.context.pool_order)
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
        let gathered = match self.gather(node) {
            Ok(gathered) => gathered,
            Err(fault) => {
                let outcome = Outcome::Fatal(Fault::Gather(fault));
                return Attempt { outcome, search_calls: None };
            }
        };
        if observer.is_interested() {
            observer.observe(super::Event::Gathered(&gathered));
        }
        let mut run = Run::new(
            self.context,
            &self.index,
            &mut self.verdicts,
            &mut self.accounts,
            node,
            claims,
            &gathered,
            observer,
        );
        if let Err(stop) = run.prepare() {
            return Attempt { outcome: stop.into_outcome(), search_calls: None };
        }
        let outcome = run.search(share_ids);
        Attempt { outcome, search_calls: Some(run.search_calls()) }
    }
}
