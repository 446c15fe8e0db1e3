use std::rc::Rc;

use crate::api::Device;
use crate::apimachinery::quantity::{Format, Quantity};
use crate::features::{Behavior, CounterScope};
use crate::pool::{Pool, SliceIndex};

use super::AllocatedState;

/// Amounts in billionths of a unit.
pub(super) type Nanos = i128;

/// A quantity in billionths. Amounts beyond the range stay at its end; the API server's limits keep
/// real ones far away from it.
pub(super) fn nanos(quantity: &Quantity) -> Nanos {
    const LIMIT: Nanos = Nanos::MAX / 1024;
    match quantity.nanos() {
        Some(amount) => amount.clamp(-LIMIT, LIMIT),
        None if quantity.sign() < 0 => -LIMIT,
        None => LIMIT,
    }
}

/// What is available of shared counters, kept for a whole attempt.
#[derive(Debug, Default)]
pub(super) struct Accounts<'a> {
    /// By key; there are few.
    numbers: Vec<(Key<'a>, usize)>,
    accounts: Vec<Account<'a>>,
}

/// What an account belongs to, see [`CounterScope`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key<'a> {
    Slice(usize),
    PoolName(&'a str),
    Pool(usize),
}

/// Counters of a pool by number.
#[derive(Debug, Default)]
pub(super) struct Account<'a> {
    /// Those that are provided, by set and name, then those that are only consumed.
    counters: Vec<Counter<'a>>,
    provided: usize,
}

#[derive(Debug)]
struct Counter<'a> {
    set: &'a str,
    name: &'a str,
    /// What is left of it after earlier claims, perhaps less than nothing.
    available: Nanos,
    format: Format,
}

impl<'a> Counter<'a> {
    fn key(&self) -> (&'a str, &'a str) {
        (self.set, self.name)
    }
}

/// What the attempt uses of an account on one node.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Used {
    /// By number of the counter.
    pub(super) amounts: Vec<Nanos>,
    /// Counters of which more is used than available.
    overdrawn: usize,
    is_open: bool,
}

/// What a device draws: numbers of counters and amounts.
pub(super) type Draw = [(usize, Nanos)];

/// A counter that does not suffice.
#[derive(Clone, Debug)]
pub(super) struct Shortage {
    pub(super) set: String,
    pub(super) counter: String,
    pub(super) available: Quantity,
    pub(super) used: Quantity,
    pub(super) wanted: Quantity,
}

/// What accounts are opened from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'r, 'a> {
    pub(super) index: &'a SliceIndex,
    pub(super) behavior: &'r Behavior,
    pub(super) allocated: &'r AllocatedState,
}

impl<'a> Accounts<'a> {
    /// The number of the account of a device's pool, opened when it is asked for first.
    pub(super) fn number(&mut self, source: Source<'_, 'a>, pool: &Pool, slice: usize) -> usize {
        let key = match source.behavior.counter_scope {
            CounterScope::Slice => Key::Slice(slice),
            CounterScope::DriverAndPool => Key::Pool(pool.index),
            CounterScope::PoolName => {
                let name = source.index.slice(slice).map_or("", |slice| slice.pool.name.as_str());
                Key::PoolName(name)
            }
        };
        let place = match self.numbers.binary_search_by_key(&key, |(known, _)| *known) {
            Ok(place) => return self.numbers.get(place).map_or(0, |(_, number)| *number),
            Err(place) => place,
        };
        let account = match key {
            Key::Slice(slice) => Account::open(source, pool, &[slice], &mut [slice].iter()),
            Key::PoolName(_) | Key::Pool(_) => {
                let devices = &mut pool.slices.iter().chain(&pool.other_slices);
                Account::open(source, pool, &pool.counter_slices, devices)
            }
        };
        self.accounts.push(account);
        self.numbers.insert(place, (key, self.accounts.len() - 1));
        self.accounts.len() - 1
    }

    pub(super) fn get(&self, number: usize) -> Option<&Account<'a>> {
        self.accounts.get(number)
    }

    pub(super) fn get_mut(&mut self, number: usize) -> Option<&mut Account<'a>> {
        self.accounts.get_mut(number)
    }
}

impl<'a> Account<'a> {
    fn open(
        source: Source<'_, 'a>,
        pool: &Pool,
        set_slices: &[usize],
        device_slices: &mut dyn Iterator<Item = &usize>,
    ) -> Self {
        let mut account = Self::default();
        let slice = |number: &usize| source.index.slice(*number);
        let sets = || set_slices.iter().filter_map(slice).flat_map(|slice| &slice.shared_counters);
        let most = sets().map(|set| set.counters.len()).sum();
        account.counters.reserve(most);
        for set in sets() {
            // Most come in order, and their counters always; of two with one name the later counts.
            let is_next = account.counters.last().is_none_or(|last| last.set < set.name.as_str());
            for (name, amount) in &set.counters {
                let (available, format) = (nanos(amount), amount.format());
                let counter = Counter { set: &set.name, name, available, format };
                match if is_next {
                    Err(account.counters.len())
                } else {
                    account.find(&set.name, name)
                } {
                    Ok(number) => {
                        if let Some(known) = account.counters.get_mut(number) {
                            *known = counter;
                        }
                    }
                    Err(place) => account.counters.insert(place, counter),
                }
                account.provided = account.counters.len();
            }
        }
        let Some(uses) = source.allocated.pool(&pool.id) else { return account };
        for device in device_slices.filter_map(slice).flat_map(|slice| slice.devices.iter()) {
            let counts = uses.get(&device.name).is_some_and(|used| {
                if source.behavior.shared_allocations_use_counters {
                    used.is_allocated()
                } else {
                    used.dedicated
                }
            });
            if counts {
                account.subtract(device);
            }
        }
        account
    }

    fn subtract(&mut self, device: &'a Device) {
        for consumption in &device.consumes_counters {
            for (name, amount) in &consumption.counters {
                let number = self.find(&consumption.counter_set, name).ok();
                let counter = number.and_then(|number| self.counters.get_mut(number));
                if let Some(counter) = counter {
                    counter.available = counter.available.saturating_sub(nanos(amount));
                }
            }
        }
    }

    /// The number of a counter, which need not be provided.
    fn counter(&mut self, set: &'a str, name: &'a str) -> usize {
        let consumed = |counters: &[Counter<'a>]| {
            counters.iter().position(|counter| counter.key() == (set, name))
        };
        if let Ok(number) = self.find(set, name) {
            return number;
        }
        if let Some(place) = self.counters.get(self.provided..).and_then(consumed) {
            return self.provided + place;
        }
        self.counters.push(Counter { set, name, available: 0, format: Format::default() });
        self.counters.len() - 1
    }

    /// The number of a counter that is provided, or where a new one belongs.
    fn find(&self, set: &str, name: &str) -> Result<usize, usize> {
        self.provided().binary_search_by(|counter| counter.key().cmp(&(set, name)))
    }

    /// What a device draws from the account.
    pub(super) fn draw(&mut self, device: &'a Device) -> Rc<Draw> {
        let length = device.consumes_counters.iter().map(|c| c.counters.len()).sum();
        let mut draw = Vec::with_capacity(length);
        for consumption in &device.consumes_counters {
            for (name, amount) in &consumption.counters {
                draw.push((self.counter(&consumption.counter_set, name), nanos(amount)));
            }
        }
        draw.into()
    }

    /// The counters that are provided.
    fn provided(&self) -> &[Counter<'a>] {
        self.counters.get(..self.provided).unwrap_or_default()
    }

    /// What is left of a counter; `None` when it is only consumed, not provided.
    fn available(&self, number: usize) -> Option<Nanos> {
        self.provided().get(number).map(|counter| counter.available)
    }

    /// The first counter of which more is used than available.
    pub(super) fn shortage(&self, used: &Used, draw: &Draw) -> Option<Shortage> {
        let mut counters: Vec<(&Counter<'_>, Nanos, Nanos, Nanos)> = Vec::new();
        for (number, counter) in self.provided().iter().enumerate() {
            let available = counter.available;
            let wanted = draw.iter().filter(|(n, _)| *n == number).map(|(_, a)| *a).sum::<Nanos>();
            let used = used.amounts.get(number).copied().unwrap_or_default();
            if used.saturating_add(wanted) > available {
                counters.push((counter, available, used, wanted));
            }
        }
        // A counter that the device draws from tells more than a foreign one.
        counters.sort_by_key(|(counter, _, _, wanted)| (*wanted == 0, counter.set, counter.name));
        let (counter, available, used, wanted) = counters.first()?;
        let quantity = |amount: Nanos| Quantity::from_nanos(amount, counter.format);
        Some(Shortage {
            set: counter.set.to_owned(),
            counter: counter.name.to_owned(),
            available: quantity(*available),
            used: quantity(*used),
            wanted: quantity(*wanted),
        })
    }
}

impl Used {
    /// Adds what a device draws.
    pub(super) fn reserve(&mut self, account: &Account<'_>, draw: &Draw) {
        if !self.is_open {
            self.is_open = true;
            let negative = |counter: &&Counter<'_>| counter.available < 0;
            self.overdrawn = account.provided().iter().filter(negative).count();
        }
        if self.amounts.len() < account.counters.len() {
            self.amounts.resize(account.counters.len(), 0);
        }
        for (number, amount) in draw {
            self.change(account, *number, *amount);
        }
    }

    /// Takes back what a device drew.
    pub(super) fn release(&mut self, account: &Account<'_>, draw: &Draw) {
        for (number, amount) in draw {
            self.change(account, *number, -amount);
        }
    }

    /// Whether some counter, of any device, is used beyond what is available.
    pub(super) fn is_overdrawn(&self) -> bool {
        self.overdrawn > 0
    }

    fn change(&mut self, account: &Account<'_>, number: usize, amount: Nanos) {
        let Some(used) = self.amounts.get_mut(number) else { return };
        let before = *used;
        *used = used.saturating_add(amount);
        if let Some(available) = account.available(number) {
            self.overdrawn += usize::from(*used > available && before <= available);
            self.overdrawn -= usize::from(*used <= available && before > available);
        }
    }
}
