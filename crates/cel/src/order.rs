//! Sorting without a copy of the algorithm for every type.
//!
//! The standard library's sorts are compiled anew for each kind of element and each order, about
//! five kilobytes a time: a tenth of the page. Here the places are sorted by one function, and only
//! moving the elements is compiled for each type.

use std::cmp::Ordering;

/// The longest list that is sorted by moving each element to its place among those before it.
const FEW: usize = 8;

/// Filling ordered maps and sets one by one; `collect` sorts first, with a copy for each type.
pub trait Gather: Iterator + Sized {
    /// The elements in a collection.
    fn gathered<C: Default + Extend<Self::Item>>(self) -> C {
        let mut all = C::default();
        all.extend(self);
        all
    }
}

impl<I: Iterator> Gather for I {}

/// Stable sorting of slices.
pub trait Order<T> {
    /// Sorts by a comparison.
    fn order_by(&mut self, compare: impl FnMut(&T, &T) -> Ordering);

    /// Sorts by a key, which is made for every comparison.
    fn order_by_key<K: Ord>(&mut self, key: impl FnMut(&T) -> K);

    /// Sorts by the elements' own order.
    fn order(&mut self)
    where
        T: Ord;
}

impl<T> Order<T> for [T] {
    fn order_by(&mut self, mut compare: impl FnMut(&T, &T) -> Ordering) {
        if self.len() <= FEW {
            insert_each(self, compare);
            return;
        }
        let mut places = places(self.len(), &mut |a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        arrange(self, &mut places);
    }

    fn order_by_key<K: Ord>(&mut self, mut key: impl FnMut(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }

    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }
}

/// Moves every element to its place.
fn arrange<T>(items: &mut [T], places: &mut [usize]) {
    for at in 0..places.len() {
        while let Some(place) = places.get(at).copied()
            && place != at
        {
            items.swap(at, place);
            places.swap(at, place);
        }
    }
}

/// Short lists are frequent, and need no memory.
fn insert_each<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    for end in 1..items.len() {
        let mut at = end;
        while let Some(before) = at.checked_sub(1)
            && let (Some(a), Some(b)) = (items.get(before), items.get(at))
            && compare(a, b).is_gt()
        {
            items.swap(before, at);
            at = before;
        }
    }
}

/// The place that each of so many elements comes to; empty when all stay where they are.
fn places(count: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..count).all(|at| compare(at - 1, at).is_le()) {
        return Vec::new();
    }
    let mut sorted: Vec<usize> = (0..count).collect();
    let mut width = 1;
    while width < count {
        let mut merged = Vec::with_capacity(count);
        for pair in sorted.chunks(2 * width) {
            let (mut left, mut right) = pair.split_at_checked(width).unwrap_or((pair, &[]));
            while let ([first, lefts @ ..], [second, rights @ ..]) = (left, right) {
                if compare(*first, *second).is_le() {
                    merged.push(*first);
                    left = lefts;
                } else {
                    merged.push(*second);
                    right = rights;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        sorted = merged;
        width *= 2;
    }
    let mut places = vec![0; count];
    for (place, from) in sorted.into_iter().enumerate() {
        if let Some(known) = places.get_mut(from) {
            *known = place;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// No order at all ends, too, and loses nothing.
    #[test]
    fn a_comparison_without_order_ends() {
        for count in [3, FEW, FEW + 1] {
            let mut items: Vec<usize> = (0..count).collect();
            items.order_by(
                |a, b| if (a + 1) % count == *b { Ordering::Less } else { Ordering::Greater },
            );
            items.sort_unstable();
            assert_eq!(items, (0..count).collect::<Vec<_>>());
        }
    }

    proptest! {
        #[test]
        fn sorts_as_the_standard_library(mut items in prop::collection::vec((0_u8..9, 0_u8..9), 0..40)) {
            let mut expected = items.clone();
            expected.sort_by_key(|(key, _)| *key);
            items.order_by_key(|(key, _)| *key);
            prop_assert_eq!(&items, &expected);
            expected.sort_unstable();
            items.order();
            prop_assert_eq!(items, expected);
        }
    }
}
