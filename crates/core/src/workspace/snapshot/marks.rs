//! What is odd about accounts: more taken than there is, and draws that nobody books.

use crate::apimachinery::quantity::Quantity;
use crate::cluster::Cluster;
use crate::explain::Phrase;
use crate::explain::words::{Catalogue, Key};

use super::super::report::{DeviceKey, Ledger, LedgerMark};
use super::world::World;

/// Marks counter sets; `mixes_pools` says that the release tells pools apart by their name alone.
pub(in super::super) fn mark_counters(
    ledgers: &mut [Ledger],
    cluster: &Cluster,
    world: &World,
    words: &Catalogue,
    mixes_pools: bool,
) {
    mark_over_committed(ledgers, words);
    let vanished = vanished(cluster, world);
    let over: Vec<(String, String, String)> = ledgers
        .iter()
        .filter(|ledger| ledger.marks.iter().any(|mark| mark.kind == "over-committed"))
        .map(|it| (it.driver.clone(), it.pool.clone(), it.name.clone()))
        .collect();
    let pools: Vec<(String, String)> =
        world.pools.iter().map(|pool| (pool.driver.clone(), pool.name.clone())).collect();
    for ledger in ledgers {
        for (claim, device) in &vanished {
            if device.driver == ledger.driver && device.pool == ledger.pool {
                let values = [
                    ("claim", Phrase::from(claim.as_str())),
                    ("device", Phrase::from(device.device.as_str())),
                ];
                ledger.marks.push(mark("vanished", words, Key::MarkVanished, &values));
            }
        }
        let foreign = over.iter().find(|(driver, pool, name)| {
            *driver == ledger.driver && *pool == ledger.pool && *name != ledger.name
        });
        if let Some((_, _, name)) = foreign {
            let values = [("set", Phrase::from(name.as_str()))];
            ledger.marks.push(mark("foreign", words, Key::MarkForeign, &values));
        }
        let same =
            pools.iter().find(|(driver, pool)| *pool == ledger.pool && *driver != ledger.driver);
        if let Some((driver, _)) = same.filter(|_| mixes_pools) {
            let values = [("driver", Phrase::from(driver.as_str()))];
            ledger.marks.push(mark("shared-name", words, Key::MarkSharedName, &values));
        }
    }
}

/// Marks accounts of which more is taken than there is.
pub(in super::super) fn mark_over_committed(ledgers: &mut [Ledger], words: &Catalogue) {
    for ledger in ledgers {
        let over = ledger.columns.iter().filter_map(|column| {
            let left: Quantity = column.left.parse().ok()?;
            (left.sign() < 0).then(|| {
                let over = Quantity::default().sub(&left).to_string();
                let values = [("name", column.name.as_str().into()), ("over", over.into())];
                mark("over-committed", words, Key::MarkOverCommitted, &values)
            })
        });
        let over: Vec<LedgerMark> = over.collect();
        ledger.marks.extend(over);
    }
}

/// Devices that claims hold and nobody publishes, with the claim.
fn vanished(cluster: &Cluster, world: &World) -> Vec<(String, DeviceKey)> {
    let mut found = Vec::new();
    for claim in cluster.claims.iter().map(|claim| &claim.value) {
        for result in claim.status.allocation.iter().flat_map(|it| &it.results) {
            let key = DeviceKey {
                driver: result.driver.clone(),
                pool: result.pool.clone(),
                device: result.device.clone(),
            };
            if result.admin_access != Some(true) && world.find(&key).is_none() {
                found.push((claim.metadata.name.clone(), key));
            }
        }
    }
    found
}

fn mark(kind: &str, words: &Catalogue, key: Key, values: &[(&str, Phrase)]) -> LedgerMark {
    LedgerMark { kind: kind.to_owned(), text: words.say(key, values).to_string() }
}
