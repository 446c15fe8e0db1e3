//! Cards by pool, and which of them are drawn.

use std::collections::BTreeMap;

use dra_playground_core::workspace::report::{CardView, Snapshot};

use super::names::pool_of;

/// Most cards that are drawn of one pool, and of all.
pub(crate) const MOST: usize = 96;
/// Most pools that are drawn.
const MOST_POOLS: usize = 8;

/// The first card of a pool, and the places of all its cards.
pub(crate) type Rack<'a> = (&'a CardView, Vec<usize>);

/// All pools with cards.
pub(crate) fn all(snapshot: &Snapshot) -> Vec<Rack<'_>> {
    let mut pools: Vec<Rack<'_>> = Vec::new();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for (at, card) in snapshot.cards.iter().enumerate() {
        let place = *places.entry(pool_of(card)).or_insert(pools.len());
        match pools.get_mut(place) {
            Some((_, cards)) => cards.push(at),
            None => pools.push((card, vec![at])),
        }
    }
    pools
}

/// The pools that are drawn and those that are not: where they are many, all but that of the card in question.
pub(crate) fn racks(snapshot: &Snapshot, selected: usize) -> (Vec<Rack<'_>>, Vec<Rack<'_>>) {
    let pools = all(snapshot);
    if pools.len() <= MOST_POOLS && snapshot.cards.len() <= MOST {
        return (pools, Vec::new());
    }
    pools.into_iter().partition(|(_, cards)| cards.contains(&selected))
}

/// The cards of a pool that are drawn: as many as there is room for, that in question among them.
pub(crate) fn shown(cards: &[usize], selected: usize) -> &[usize] {
    let at = cards.iter().position(|it| *it == selected).unwrap_or(0);
    cards.chunks(MOST).nth(at / MOST).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rack(pools: usize, each: usize) -> Snapshot {
        let card = |pool: usize| CardView { pool: format!("p{pool}"), ..CardView::default() };
        // Pools take turns, so that no order in the text hides that they are grouped.
        let cards = (0..each).flat_map(|_| (0..pools).map(card)).collect();
        Snapshot { cards, ..Snapshot::default() }
    }

    #[test]
    fn cards_stand_under_their_own_pool() {
        let snapshot = rack(3, 2);
        let (pools, others) = racks(&snapshot, 4);
        let said: Vec<(&str, &[usize])> =
            pools.iter().map(|(first, cards)| (first.pool.as_str(), cards.as_slice())).collect();
        assert_eq!(said, [("p0", &[0, 3][..]), ("p1", &[1, 4][..]), ("p2", &[2, 5][..])]);
        assert!(others.is_empty());
    }

    #[test]
    fn of_many_pools_that_in_question_is_drawn() {
        let snapshot = rack(40, 2);
        let (pools, others) = racks(&snapshot, 41);
        assert_eq!(pools.len(), 1);
        assert_eq!((pools[0].1.as_slice(), others.len()), (&[1, 41][..], 39));
        let large = rack(1, 500);
        let (pools, others) = racks(&large, 300);
        assert!(others.is_empty());
        let drawn = shown(&pools[0].1, 300);
        assert_eq!((drawn.len(), drawn.first(), drawn.last()), (MOST, Some(&288), Some(&383)));
        assert_eq!(shown(&pools[0].1, 499).len(), 500 - 480);
    }
}
