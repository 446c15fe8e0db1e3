//! Sorting without a copy of the algorithm for every type.
//!
//! The standard library's sorts are compiled anew for each kind of element and each order, about
//! five kilobytes a time: a tenth of the page. Here the places are sorted by one function, and only
//! moving the elements is compiled for each type.

use std::cmp::Ordering;

/// The longest list that is sorted by comparing each element with each other.
const FEW: usize = 8;

/// Compares the elements at two places.
type Compare<'c> = dyn FnMut(usize, usize) -> Ordering + 'c;

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
        let compare = &mut |a: usize, b: usize| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        };
        if is_in_order(self.len(), compare) {
            return;
        }
        // Short lists are frequent, and need no memory.
        let mut few = [0; FEW];
        if let Some(places) = few.get_mut(..self.len()) {
            places_of_few(places, compare);
            arrange(self, places);
        } else {
            arrange(self, &mut places(self.len(), compare));
        }
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

fn is_in_order(count: usize, compare: &mut Compare<'_>) -> bool {
    (1..count).all(|at| compare(at - 1, at).is_le())
}

/// Counts for each element those that belong before it.
fn places_of_few(places: &mut [usize], compare: &mut Compare<'_>) {
    for second in 1..places.len() {
        for first in 0..second {
            let later = if compare(first, second).is_le() { second } else { first };
            if let Some(place) = places.get_mut(later) {
                *place += 1;
            }
        }
    }
}

/// The place that each of so many elements comes to.
fn places(count: usize, compare: &mut Compare<'_>) -> Vec<usize> {
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
