use std::rc::Rc;

use crate::allocator::SkipReason;
use crate::api::Node;
use crate::features::Behavior;
use crate::pool::{Gathered, PoolId, PoolState, SliceIndex, SliceSkip};

use super::explanation::Candidate;

/// The devices of all slices as one node sees them: first those that the search visits, in its
/// order, then those of pools that cannot be used, then those of slices that are left out.
///
/// `elsewhere` is the number of devices of slices for other nodes that may be listed; beyond it none
/// of them is, so that many nodes do not make many words.
pub fn candidates(
    index: &SliceIndex,
    gathered: &Gathered,
    node: &Node,
    behavior: &Behavior,
    elsewhere: usize,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    let mut unusable = Vec::new();
    for pool in &gathered.pools {
        let reason = match &pool.state {
            PoolState::Usable => None,
            // Up to 1.34 requests for a count take what is there.
            PoolState::Incomplete { .. } if behavior.incomplete_exact_usable => None,
            PoolState::Incomplete { have, want } => {
                Some(SkipReason::PoolIncomplete { pool: pool.id.clone(), have: *have, want: *want })
            }
            PoolState::Invalid(reason) => {
                Some(SkipReason::PoolInvalid { pool: pool.id.clone(), reason: reason.clone() })
            }
        };
        let list = if reason.is_none() { &mut candidates } else { &mut unusable };
        for slice in &pool.slices {
            add(list, index, &pool.id, *slice, reason.clone());
        }
    }
    candidates.append(&mut unusable);
    let mut others = Vec::new();
    for skipped in index.skipped(gathered, node, behavior) {
        let Some(slice) = index.slice(skipped.slice) else { continue };
        let pool = PoolId::new(&slice.driver, &slice.pool.name);
        let (list, reason) = match skipped.why {
            SliceSkip::OtherNode => (&mut others, SkipReason::SliceOtherNode),
            SliceSkip::Ignored => (&mut candidates, SkipReason::SliceIgnored),
            SliceSkip::Obsolete { generation, newest } => {
                (&mut candidates, SkipReason::PoolObsolete { generation, newest })
            }
        };
        add(list, index, &pool, skipped.slice, Some(reason));
    }
    if others.len() <= elsewhere {
        candidates.append(&mut others);
    }
    candidates
}

fn add(
    list: &mut Vec<Candidate>,
    index: &SliceIndex,
    pool: &PoolId,
    slice: usize,
    reason: Option<SkipReason>,
) {
    let Some(slice) = index.slice(slice) else { return };
    let reason = reason.map(Rc::new);
    let name: Rc<str> = slice.metadata.name.as_str().into();
    for device in slice.devices.iter() {
        let (device, slice) = (pool.device(&device.name), Rc::clone(&name));
        list.push(Candidate { device, slice, unusable: reason.clone() });
    }
}
