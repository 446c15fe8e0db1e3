//! What a thumbnail shows of a scenario: its cards with what is held of them, and its Pods.

use dra_playground_core::workspace::report::{Analysis, CardView, DeviceState, Family, Snapshot};
use serde::{Deserialize, Serialize};

/// Most cards and Pods of a thumbnail.
const MOST: usize = 16;

/// A thumbnail as data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Sketch {
    /// For each card, how much of it is held, 0 to 1.
    pub(crate) cards: Vec<f64>,
    /// For each Pod, what became of it.
    pub(crate) pods: Vec<Family>,
}

/// The thumbnail of an answer.
pub(crate) fn sketch(analysis: &Analysis) -> Sketch {
    let snapshot = &analysis.snapshot;
    Sketch {
        cards: snapshot.cards.iter().take(MOST).map(|card| held(snapshot, card)).collect(),
        pods: snapshot.pods.iter().take(MOST).map(|pod| pod.family).collect(),
    }
}

/// How much of a card is held, 0 to 1: by its fullest counter, else by its devices.
pub(crate) fn held(snapshot: &Snapshot, card: &CardView) -> f64 {
    let ledger = card.counter_sets.first().and_then(|at| snapshot.counter_sets.get(*at));
    let of_counters = ledger.map(|ledger| {
        let columns = ledger.columns.iter().filter(|column| column.total_units > 0.0);
        let used = columns.map(|it| (it.total_units - it.left_units) / it.total_units);
        used.fold(0.0, f64::max)
    });
    let of_devices = || {
        let states = card.devices.iter().filter_map(|at| snapshot.devices.get(*at));
        let used = states.map(|device| match device.state {
            DeviceState::Taken => 1.0,
            DeviceState::Shared => 0.5,
            DeviceState::Free | DeviceState::CountersShort => 0.0,
        });
        let total = u32::try_from(card.devices.len().max(1)).unwrap_or(u32::MAX);
        used.sum::<f64>() / f64::from(total)
    };
    of_counters.unwrap_or_else(of_devices).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn a_thumbnail_shows_cards_and_pods() {
        let sketch = sketch(&fixture::analysis());
        assert_eq!(sketch.cards, [1.0]);
        assert_eq!(sketch.pods.len(), 2);
    }
}
