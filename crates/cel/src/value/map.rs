//! Maps with keys of any type.

use std::cmp::Ordering;
use std::rc::Rc;

use super::Value;

/// A map key.
#[derive(Clone, Debug)]
pub struct Key(Value);

/// A map, in the order of its keys.
#[derive(Clone, Debug, Default)]
pub struct Map {
    /// Sorted by key: most maps are small, and those that grow mostly grow at their end.
    entries: Vec<(Key, Value)>,
    /// What a lookup of a missing key gives.
    default: Option<Value>,
    /// Whether Go keeps it by texts: others are by values of any type, which have to be hashed.
    by_text: bool,
}

impl Key {
    /// The key as a value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Whether it is not a number, which equals nothing.
    pub(crate) fn is_nan(&self) -> bool {
        matches!(self.0, Value::Double(double) if double.is_nan())
    }

    fn rank(&self) -> u8 {
        match &self.0 {
            Value::String(_) => 0,
            Value::Bool(_) => 1,
            Value::Int(_) => 2,
            Value::Uint(_) => 3,
            Value::Double(_) => 4,
            Value::Null => 5,
            Value::Duration(_) => 6,
            Value::Timestamp(_) => 7,
            Value::Type(_) => 8,
            Value::Bytes(_) => 9,
            _ => 10,
        }
    }
}

impl From<Value> for Key {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Value::String(a), Value::String(b)) => a.cmp(b),
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) | (Value::Duration(a), Value::Duration(b)) => a.cmp(b),
            (Value::Uint(a), Value::Uint(b)) => a.cmp(b),
            // Negative zero is the same key as zero.
            (Value::Double(a), Value::Double(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
            (Value::Timestamp(a), Value::Timestamp(b)) => {
                (a.seconds, a.nanos, a.offset).cmp(&(b.seconds, b.nanos, b.offset))
            }
            (Value::Type(a), Value::Type(b)) => a.cmp(b),
            (Value::Bytes(a), Value::Bytes(b)) => a.cmp(b),
            (Value::Ip(a), Value::Ip(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()).then_with(|| {
                // Upstream compares addresses of objects; here equal texts are the same key.
                if self.rank() < 10 {
                    Ordering::Equal
                } else {
                    super::show(&self.0).cmp(&super::show(&other.0))
                }
            }),
        }
    }
}

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Key {}

impl Map {
    /// A map in which a lookup of a missing key gives this value.
    #[must_use]
    pub fn with_default(mut self, value: Value) -> Self {
        self.default = Some(value);
        self
    }

    /// The same map, kept by texts as those of devices are.
    #[must_use]
    pub fn by_text(mut self) -> Self {
        self.by_text = true;
        self
    }

    /// Whether keys are hashed when they are looked for.
    pub(crate) fn hashes(&self) -> bool {
        !self.by_text && !self.entries.is_empty()
    }

    /// The same map without a default.
    pub(crate) fn without_default(map: &Rc<Self>) -> Rc<Self> {
        if map.default.is_none() {
            return map.clone();
        }
        Rc::new(Self { default: None, ..map.as_ref().clone() })
    }

    /// Sets an entry; one that is not a number never replaces another. Gives how many entries had to
    /// make room.
    pub fn insert(&mut self, mut key: Value, value: Value) -> usize {
        if let Value::Double(double) = &mut key
            && double.is_nan()
        {
            *double = f64::from_bits(f64::NAN.to_bits() | self.entries.len() as u64);
        }
        self.by_text = false;
        let key = Key(key);
        if self.entries.last().is_none_or(|(last, _)| *last < key) {
            self.entries.push((key, value));
            return 0;
        }
        match self.position(&key) {
            Ok(at) => {
                if let Some(entry) = self.entries.get_mut(at) {
                    entry.1 = value;
                }
                0
            }
            Err(at) => {
                self.entries.insert(at, (key, value));
                self.entries.len() - at
            }
        }
    }

    pub(crate) fn remove(&mut self, key: Value) {
        if let Ok(at) = self.position(&Key(key)) {
            self.entries.remove(at);
        }
    }

    fn position(&self, key: &Key) -> Result<usize, usize> {
        self.entries.binary_search_by(|(known, _)| known.cmp(key))
    }

    fn entry(&self, key: &Key) -> Option<&Value> {
        let at = self.position(key).ok()?;
        self.entries.get(at).map(|(_, value)| value)
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Keys in order.
    pub fn keys(&self) -> impl Iterator<Item = &Value> {
        self.entries.iter().map(|(key, _)| &key.0)
    }

    /// Entries in order of their keys.
    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter().map(|(key, value)| (&key.0, value))
    }

    /// The value of a key; numbers of equal value are the same key.
    pub fn get(&self, key: &Key) -> Option<&Value> {
        if key.is_nan() {
            return None;
        }
        self.entry(key).or_else(|| self.get_number(&key.0))
    }

    /// As [`Self::get`], with the default of a missing key.
    pub fn find(&self, key: &Key) -> Option<&Value> {
        self.get(key).or(self.default.as_ref())
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "the results are compared with the original"
    )]
    fn get_number(&self, key: &Value) -> Option<&Value> {
        let lookup = |key: Value| self.entry(&Key(key));
        match *key {
            Value::Double(double) => {
                let int = double as i64;
                let uint = double as u64;
                let fits_signed = (int as f64).to_bits() == (double + 0.0).to_bits();
                let fits_unsigned = (uint as f64).to_bits() == (double + 0.0).to_bits();
                let found = if fits_signed { lookup(Value::Int(int)) } else { None };
                found.or_else(|| if fits_unsigned { lookup(Value::Uint(uint)) } else { None })
            }
            Value::Int(int) => {
                let uint = u64::try_from(int).ok();
                let found = uint.and_then(|uint| lookup(Value::Uint(uint)));
                found.or_else(|| {
                    let double = int as f64;
                    if double as i64 == int { lookup(Value::Double(double)) } else { None }
                })
            }
            Value::Uint(uint) => {
                let int = i64::try_from(uint).ok();
                let found = int.and_then(|int| lookup(Value::Int(int)));
                found.or_else(|| {
                    let double = uint as f64;
                    if double as u64 == uint { lookup(Value::Double(double)) } else { None }
                })
            }
            _ => None,
        }
    }
}

impl FromIterator<(Value, Value)> for Map {
    fn from_iter<T: IntoIterator<Item = (Value, Value)>>(entries: T) -> Self {
        let mut map = Self::default();
        for (key, value) in entries {
            map.insert(key, value);
        }
        map
    }
}
