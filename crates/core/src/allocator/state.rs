use std::collections::BTreeMap;

use crate::api::{DeviceRequestAllocationResult, ResourceClaim};
use crate::apimachinery::quantity::Quantity;
use crate::features::{Behavior, Variant};
use crate::pool::{DeviceId, PoolId};

/// What earlier claims have, and who has it.
///
/// Upstream counterpart: `structured.AllocatedState`, gathered as the scheduler plugin does.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllocatedState {
    pools: BTreeMap<PoolId, BTreeMap<String, DeviceUse>>,
}

/// The use of one device by earlier claims.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeviceUse {
    /// Whether some claim has it for itself.
    pub dedicated: bool,
    /// Number of shares.
    pub shares: usize,
    /// Capacity consumed by all shares; `None` when no share consumed any capacity.
    pub consumed: Option<BTreeMap<String, Quantity>>,
    /// Who has it, admin access included.
    pub holdings: Vec<Holding>,
}

/// One claim's hold on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Holding {
    /// Namespace of the claim.
    pub namespace: String,
    /// Name of the claim.
    pub name: String,
    /// `request` or `request/subrequest`.
    pub request: String,
    /// Share, for shared devices.
    pub share_id: Option<String>,
    /// Amounts consumed.
    pub consumed: Option<BTreeMap<String, Quantity>>,
    /// Whether it is only admin access, which does not count.
    pub admin_access: bool,
}

impl AllocatedState {
    /// Gathers the results of all claims that have an allocation.
    pub fn from_claims<'c>(
        claims: impl IntoIterator<Item = &'c ResourceClaim>,
        behavior: &Behavior,
    ) -> Self {
        let mut state = Self::default();
        for claim in claims {
            state.add_claim(claim, behavior);
        }
        state
    }

    /// Adds the results of one claim; nothing when it has no allocation.
    pub fn add_claim(&mut self, claim: &ResourceClaim, behavior: &Behavior) {
        let results = claim.status.allocation.iter().flat_map(|allocation| &allocation.results);
        for result in results {
            let holding = Holding {
                namespace: claim.metadata.namespace.clone(),
                name: claim.metadata.name.clone(),
                request: result.request.clone(),
                share_id: result.share_id.clone(),
                consumed: result.consumed_capacity.clone(),
                admin_access: result.admin_access == Some(true),
            };
            self.add(result, holding, behavior);
        }
    }

    /// Adds what the scheduler holds for a Pod that waits to be bound. The claim itself may be gone
    /// or deallocated; while it is there, its capacity counts twice where the release does so.
    pub fn hold(&mut self, claim: &ResourceClaim, behavior: &Behavior) {
        let mut held = Self::default();
        held.add_claim(claim, behavior);
        for (pool, devices) in held.pools {
            let known = self.pools.entry(pool).or_default();
            for (name, used) in devices {
                let Some(device) = known.get_mut(&name) else {
                    known.insert(name, used);
                    continue;
                };
                if !used.holdings.iter().all(|holding| device.holdings.contains(holding)) {
                    device.dedicated |= used.dedicated;
                    device.shares += used.shares;
                    device.add_consumed(used.consumed.as_ref());
                    device.holdings.extend(used.holdings);
                } else if behavior.waiting_capacity_doubled {
                    device.add_consumed(used.consumed.as_ref());
                }
            }
        }
    }

    fn add(
        &mut self,
        result: &DeviceRequestAllocationResult,
        holding: Holding,
        behavior: &Behavior,
    ) {
        let pool = self.pools.entry(PoolId::new(&result.driver, &result.pool)).or_default();
        let device = pool.entry(result.device.clone()).or_default();
        if !holding.admin_access {
            if behavior.features.consumable_capacity && holding.share_id.is_some() {
                // The stable variant is only told of dedicated devices.
                if behavior.variant != Variant::Stable {
                    device.add_share(holding.consumed.as_ref());
                }
            } else {
                device.dedicated = true;
            }
        }
        device.holdings.push(holding);
    }

    /// The devices of a pool that somebody has.
    pub fn pool(&self, pool: &PoolId) -> Option<&BTreeMap<String, DeviceUse>> {
        self.pools.get(pool)
    }

    /// The use of one device.
    pub fn device(&self, device: &DeviceId) -> Option<&DeviceUse> {
        self.pools.get(&device.pool_id())?.get(&*device.device)
    }

    /// All devices that somebody has, by driver, pool and name.
    pub fn devices(&self) -> impl Iterator<Item = (DeviceId, &DeviceUse)> {
        self.pools.iter().flat_map(|(pool, devices)| {
            devices.iter().map(|(name, used)| (pool.device(name), used))
        })
    }
}

impl DeviceUse {
    /// Whether it counts as allocated when counters are added up.
    pub fn is_allocated(&self) -> bool {
        self.dedicated || self.shares > 0 || self.consumed.is_some()
    }

    fn add_share(&mut self, consumed: Option<&BTreeMap<String, Quantity>>) {
        self.shares += 1;
        self.add_consumed(consumed);
    }

    fn add_consumed(&mut self, consumed: Option<&BTreeMap<String, Quantity>>) {
        let Some(consumed) = consumed else { return };
        let total = self.consumed.get_or_insert_default();
        for (name, amount) in consumed {
            match total.get_mut(name) {
                Some(sum) => *sum = sum.add(amount),
                None => {
                    total.insert(name.clone(), amount.clone());
                }
            }
        }
    }
}
