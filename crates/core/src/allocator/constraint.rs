use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{Device, DeviceAttribute, DeviceConstraint};
use crate::features::{Behavior, DistinctMemory};

/// One constraint of a claim with what it remembers.
#[derive(Debug)]
pub(super) struct Constraint<'r> {
    pub(super) attribute: &'r str,
    requests: &'r [String],
    rule: Rule,
    lists: bool,
    numbers: BTreeMap<Scalar<'r>, u32>,
    /// For each candidate its value, once it was looked up.
    values: Vec<Option<Value>>,
    memory: Memory,
}

/// What a constraint remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memory {
    /// Devices that were added and not removed.
    count: usize,
    remembered: Vec<Remembered>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Match { narrowing_leaks: bool },
    Distinct(DistinctMemory),
}

/// A scalar of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Scalar<'r> {
    Int(i64),
    Bool(bool),
    String(&'r str),
    Version(&'r str),
}

/// What a device has for the attribute. Equal numbers are equal values of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Value {
    /// The attribute is missing.
    Missing,
    /// A value that cannot be compared: a list where lists are not known, or nothing at all.
    Unknown,
    /// A scalar.
    One(u32),
    /// A set, never empty, sorted.
    Set(Rc<[u32]>),
}

/// A value and where it came from.
#[derive(Clone, Debug, PartialEq)]
struct Remembered {
    /// The candidate that brought it.
    candidate: usize,
    /// Position of its request in the claim.
    request: usize,
    value: Value,
}

impl Value {
    /// Writes the value as numbers.
    pub(super) fn write(&self, into: &mut Vec<i128>) {
        match self {
            Self::Missing => into.push(-1),
            Self::Unknown => into.push(-2),
            Self::One(number) => into.push(i128::from(*number)),
            Self::Set(numbers) => {
                into.push(-3 - i128::try_from(numbers.len()).unwrap_or_default());
                into.extend(numbers.iter().map(|number| i128::from(*number)));
            }
        }
    }
}

/// Why a constraint refuses a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    Missing,
    Different { other: Option<usize> },
    Duplicate { other: Option<usize> },
}

impl<'r> Constraint<'r> {
    /// `None` for a constraint that the release does not know.
    pub(super) fn new(
        spec: &'r DeviceConstraint,
        behavior: &Behavior,
        candidates: usize,
    ) -> Option<Self> {
        let (attribute, rule) = match (&spec.match_attribute, &spec.distinct_attribute) {
            (Some(attribute), _) => {
                (attribute, Rule::Match { narrowing_leaks: behavior.list_narrowing_leaks })
            }
            (None, Some(attribute)) if behavior.distinct_supported => {
                (attribute, Rule::Distinct(behavior.distinct_memory))
            }
            (None, _) => return None,
        };
        Some(Self {
            attribute,
            requests: &spec.requests,
            rule,
            lists: behavior.list_attributes,
            numbers: BTreeMap::new(),
            values: vec![None; candidates],
            memory: Memory::default(),
        })
    }

    /// Whether it concerns a request, or a subrequest of it.
    pub(super) fn applies(&self, request: &str, subrequest: Option<&str>) -> bool {
        self.requests.is_empty()
            || self.requests.iter().any(|name| match (name.split_once('/'), subrequest) {
                (None, _) => name == request,
                (Some((main, sub)), Some(subrequest)) => main == request && sub == subrequest,
                (Some(_), None) => false,
            })
    }

    /// What a candidate has.
    pub(super) fn value(&mut self, candidate: usize, driver: &str, device: &'r Device) -> Value {
        if let Some(Some(value)) = self.values.get(candidate) {
            return value.clone();
        }
        let value = match look_up(device, driver, self.attribute) {
            None => Value::Missing,
            Some(attribute) if self.lists => self.set(attribute),
            Some(attribute) => match scalar(attribute) {
                Some(scalar) => Value::One(self.number(scalar)),
                None => Value::Unknown,
            },
        };
        if let Some(slot) = self.values.get_mut(candidate) {
            *slot = Some(value.clone());
        }
        value
    }

    /// Adds a candidate to which the constraint applies, or refuses it.
    pub(super) fn add(
        &mut self,
        candidate: usize,
        request: usize,
        value: Value,
    ) -> Result<(), Refusal> {
        if value == Value::Missing {
            return Err(Refusal::Missing);
        }
        let remembered = Remembered { candidate, request, value };
        match self.rule {
            Rule::Match { narrowing_leaks } => self.add_match(remembered, narrowing_leaks),
            Rule::Distinct(memory) => self.add_distinct(remembered, memory),
        }
    }

    /// Takes back the candidate that was added last for a request.
    pub(super) fn remove(&mut self, request: usize) {
        self.memory.count = self.memory.count.saturating_sub(1);
        match self.rule {
            // What scalars must match, and what leaky releases narrowed, stays until nothing is left.
            Rule::Match { narrowing_leaks } if self.lists && !narrowing_leaks => {
                self.memory.remembered.truncate(self.memory.count);
            }
            Rule::Match { .. } => {}
            Rule::Distinct(DistinctMemory::EveryDevice) => {
                self.memory.remembered.pop();
            }
            Rule::Distinct(DistinctMemory::LastPerRequest | DistinctMemory::Pointers) => {
                self.memory.remembered.retain(|r| r.request != request);
            }
        }
    }

    /// What it remembers, to put it back later.
    pub(super) fn memory(&self) -> Memory {
        self.memory.clone()
    }

    /// Puts back what it remembered once.
    pub(super) fn set_memory(&mut self, memory: Memory) {
        self.memory = memory;
    }

    /// Whether taking back a device may not restore what was remembered before, when requests get
    /// up to `most` devices.
    pub(super) fn can_leak(&self, most: i64) -> bool {
        match self.rule {
            Rule::Match { narrowing_leaks } => self.lists && narrowing_leaks,
            Rule::Distinct(DistinctMemory::EveryDevice) => false,
            Rule::Distinct(DistinctMemory::LastPerRequest) => most > 1,
            Rule::Distinct(DistinctMemory::Pointers) => true,
        }
    }

    /// Writes what later answers depend on. `values_only` leaves out who brought the values.
    pub(super) fn write_memory(&self, values_only: bool, into: &mut Vec<i128>) {
        let Memory { count, remembered } = &self.memory;
        into.push(i128::try_from(*count).unwrap_or(i128::MAX));
        let relevant = match self.rule {
            Rule::Match { .. } if *count == 0 => &[][..],
            Rule::Match { .. } | Rule::Distinct(_) => remembered,
        };
        into.push(i128::try_from(relevant.len()).unwrap_or(i128::MAX));
        if values_only {
            let mut values: Vec<&Value> = relevant.iter().map(|r| &r.value).collect();
            if matches!(self.rule, Rule::Distinct(_)) {
                values.sort_unstable();
            }
            for value in values {
                value.write(into);
            }
        } else {
            for Remembered { candidate, request, value } in relevant {
                into.push(i128::try_from(*candidate).unwrap_or(i128::MAX));
                into.push(i128::try_from(*request).unwrap_or(i128::MAX));
                value.write(into);
            }
        }
    }

    fn add_match(&mut self, new: Remembered, narrowing_leaks: bool) -> Result<(), Refusal> {
        if self.memory.count == 0 {
            if self.lists && new.value == Value::Unknown {
                return Err(Refusal::Different { other: None });
            }
            self.memory.remembered.clear();
            self.memory.remembered.push(new);
            self.memory.count = 1;
            return Ok(());
        }
        let Some(current) = self.memory.remembered.last() else { return Ok(()) };
        let refusal = Refusal::Different { other: Some(current.candidate) };
        match common(&current.value, &new.value) {
            None => return Err(refusal),
            // The first device stays the one that is named as setting the value.
            Some(value) if self.lists && !narrowing_leaks => {
                self.memory.remembered.push(Remembered { value, ..new });
            }
            Some(value) => {
                if let Some(current) = self.memory.remembered.last_mut() {
                    current.value = value;
                }
            }
        }
        self.memory.count += 1;
        Ok(())
    }

    fn add_distinct(&mut self, new: Remembered, memory: DistinctMemory) -> Result<(), Refusal> {
        let keeps_every = memory == DistinctMemory::EveryDevice;
        let first = self.memory.count == 0 && !(keeps_every && self.lists);
        if !first {
            if self.lists && new.value == Value::Unknown {
                return Err(Refusal::Duplicate { other: None });
            }
            let duplicate = self.memory.remembered.iter().find(|old| match memory {
                DistinctMemory::Pointers => old.candidate == new.candidate,
                DistinctMemory::LastPerRequest | DistinctMemory::EveryDevice => {
                    new.value == Value::Unknown || common(&old.value, &new.value).is_some()
                }
            });
            if let Some(old) = duplicate {
                return Err(Refusal::Duplicate { other: Some(old.candidate) });
            }
        }
        if !keeps_every {
            self.memory.remembered.retain(|old| old.request != new.request);
        }
        self.memory.remembered.push(new);
        self.memory.count += 1;
        Ok(())
    }

    fn number(&mut self, scalar: Scalar<'r>) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        *self.numbers.entry(scalar).or_insert(next)
    }

    fn set(&mut self, attribute: &'r DeviceAttribute) -> Value {
        let scalars: Vec<Scalar<'r>> = if let Some(list) = filled(attribute.ints.as_deref()) {
            list.iter().map(|v| Scalar::Int(*v)).collect()
        } else if let Some(list) = filled(attribute.bools.as_deref()) {
            list.iter().map(|v| Scalar::Bool(*v)).collect()
        } else if let Some(list) = filled(attribute.strings.as_deref()) {
            list.iter().map(|v| Scalar::String(v)).collect()
        } else if let Some(list) = filled(attribute.versions.as_deref()) {
            list.iter().map(|v| Scalar::Version(v)).collect()
        } else {
            scalar_of_set(attribute).into_iter().collect()
        };
        if scalars.is_empty() {
            return Value::Unknown;
        }
        let mut numbers: Vec<u32> = scalars.into_iter().map(|s| self.number(s)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        Value::Set(numbers.into())
    }
}

fn filled<T>(list: Option<&[T]>) -> Option<&[T]> {
    list.filter(|list| !list.is_empty())
}

/// Scalars in the order in which constraints look at them.
fn scalar(attribute: &DeviceAttribute) -> Option<Scalar<'_>> {
    if let Some(value) = &attribute.string {
        return Some(Scalar::String(value));
    }
    if let Some(value) = attribute.int {
        return Some(Scalar::Int(value));
    }
    if let Some(value) = attribute.bool {
        return Some(Scalar::Bool(value));
    }
    attribute.version.as_deref().map(Scalar::Version)
}

/// Scalars in the order in which they become sets.
fn scalar_of_set(attribute: &DeviceAttribute) -> Option<Scalar<'_>> {
    if let Some(value) = attribute.int {
        return Some(Scalar::Int(value));
    }
    if let Some(value) = attribute.bool {
        return Some(Scalar::Bool(value));
    }
    if let Some(value) = &attribute.string {
        return Some(Scalar::String(value));
    }
    attribute.version.as_deref().map(Scalar::Version)
}

/// What two values have in common.
fn common(a: &Value, b: &Value) -> Option<Value> {
    match (a, b) {
        (Value::One(x), Value::One(y)) if x == y => Some(Value::One(*x)),
        (Value::Set(x), Value::Set(y)) => {
            let both: Vec<u32> = x.iter().filter(|v| y.contains(v)).copied().collect();
            if both.is_empty() { None } else { Some(Value::Set(both.into())) }
        }
        (Value::Missing | Value::Unknown | Value::One(_) | Value::Set(_), _) => None,
    }
}

/// An attribute by its fully qualified name; the device may leave out its driver as the domain.
fn look_up<'d>(device: &'d Device, driver: &str, attribute: &str) -> Option<&'d DeviceAttribute> {
    if let Some(found) = device.attributes.get(attribute) {
        return Some(found);
    }
    match attribute.split_once('/') {
        Some((domain, id)) if domain == driver => device.attributes.get(id),
        Some(_) | None => None,
    }
}
