//! Small maps by name.

use dra_playground_cel::order::Order;

/// A map by name, in the order of names, for the few entries that each of very many devices has: a
/// tree has room for eleven wherever there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries<V>(Vec<(String, V)>);

impl<V> Entries<V> {
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }

    /// The entry of a name.
    pub fn entry(&self, name: &str) -> Option<(&String, &V)> {
        self.0.get(self.place(name).ok()?).map(|(name, value)| (name, value))
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.entry(name).map(|(_, value)| value)
    }

    /// Whether there is an entry of the name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Puts an entry in its place. For single ones: many are collected.
    pub fn insert(&mut self, name: String, value: V) {
        match self.place(&name) {
            Ok(at) => {
                if let Some(entry) = self.0.get_mut(at) {
                    entry.1 = value;
                }
            }
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The entries by name.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&String, &V)> + Clone {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// The entries by name, to change the values.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (&String, &mut V)> {
        self.0.iter_mut().map(|(name, value)| (&*name, value))
    }

    /// The names in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &String> + Clone {
        self.0.iter().map(|(name, _)| name)
    }

    /// The values in the order of names.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.0.iter().map(|(_, value)| value)
    }
}

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V> FromIterator<(String, V)> for Entries<V> {
    /// Of entries with the same name the last one stays.
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        let mut all: Vec<(String, V)> = entries.into_iter().collect();
        all.order_by(|(one, _), (other, _)| one.cmp(other));
        all.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        all.shrink_to_fit();
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::Entries;

    proptest! {
        #[test]
        fn entries_are_those_of_an_ordered_map(
            given in prop::collection::vec(("[a-e]{0,2}", 0_u8..9), 0..12),
            more in prop::collection::vec(("[a-e]{0,2}", 0_u8..9), 0..4),
        ) {
            let mut expected: BTreeMap<String, u8> = given.iter().cloned().collect();
            let mut entries: Entries<u8> = given.into_iter().collect();
            for (name, value) in more {
                entries.insert(name.clone(), value);
                expected.insert(name, value);
            }
            prop_assert!(entries.iter().eq(expected.iter()));
            prop_assert!(entries.keys().eq(expected.keys()) && entries.values().eq(expected.values()));
            prop_assert_eq!((entries.len(), entries.is_empty()), (expected.len(), expected.is_empty()));
            for name in ["", "a", "b", "ce", "e", "zz"] {
                prop_assert_eq!(entries.get(name), expected.get(name));
                prop_assert_eq!(entries.contains_key(name), expected.contains_key(name));
            }
        }
    }
}
