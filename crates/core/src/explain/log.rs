use std::collections::VecDeque;
use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::allocator::{CallOutcome, Event, Observer, Place, SkipReason};
use crate::pool::DeviceId;

/// Entries that are kept from the beginning of a search.
const HEAD: usize = 1_200;
/// Entries that are kept before the end, and before the deepest point.
const WINDOW: usize = 300;

/// An observer that writes down a search, call by call, in bounded memory: all of a short one; of a
/// long one the beginning, the way to the deepest point and the end, with what lies between counted.
#[derive(Debug, Default)]
pub struct SearchLog {
    head: Vec<Entry>,
    /// The last entries behind the head.
    tail: VecDeque<Entry>,
    /// The last entries when the search was at its deepest.
    deep: Vec<Entry>,
    deepest: Option<((usize, usize, usize), u64)>,
    count: u64,
    calls: u64,
    depth: usize,
    held: Vec<(Place, DeviceId)>,
}

/// One thing that the search did.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its number among all entries, from 0.
    pub number: u64,
    /// Search calls open around it.
    pub depth: usize,
    /// What it was.
    pub what: Step,
    /// Devices that are taken after it, with their requests.
    pub held: Vec<(Place, DeviceId)>,
}

/// What the search did.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A call began.
    Enter {
        /// Number of the call, from 1.
        call: u64,
        /// Where the search is.
        place: Place,
        /// Devices that the request has already.
        devices: usize,
    },
    /// Devices were refused, one after another for the same kind of reason.
    Skipped {
        /// The request.
        place: Place,
        /// The first of them.
        device: DeviceId,
        /// Its reason.
        reason: Rc<SkipReason>,
        /// How many.
        count: usize,
    },
    /// A device was taken.
    Taken {
        /// The request.
        place: Place,
        /// The device.
        device: DeviceId,
    },
    /// A device was given back.
    Undone {
        /// The request.
        place: Place,
        /// The device.
        device: DeviceId,
    },
    /// An alternative was chosen.
    Chosen {
        /// The request, with the chosen subrequest.
        place: Place,
    },
    /// The call was left out, because it provably fails.
    Pruned,
    /// A call ended.
    Leave {
        /// How.
        outcome: CallOutcome,
    },
}

impl SearchLog {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Search calls seen.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Number of the entry at which the search was deepest.
    pub fn deepest(&self) -> Option<u64> {
        self.deepest.map(|(_, number)| number)
    }

    /// The entries that were kept, in order; numbers that are missing were left out.
    pub fn entries(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> =
            self.head.iter().chain(&self.deep).chain(&self.tail).collect();
        entries.order_by_key(|entry| entry.number);
        entries.dedup_by_key(|entry| entry.number);
        entries
    }

    fn last(&mut self) -> Option<&mut Entry> {
        if self.tail.is_empty() { self.head.last_mut() } else { self.tail.back_mut() }
    }

    fn add(&mut self, what: Step) {
        if let Step::Skipped { place, reason, .. } = &what
            && let Some(Entry {
                what: Step::Skipped { place: before, reason: known, count, .. },
                ..
            }) = self.last()
            && before == place
            && known.code() == reason.code()
        {
            *count += 1;
            return;
        }
        let held = self.held.clone();
        let entry = Entry { number: self.count, depth: self.depth, what, held };
        self.count += 1;
        if self.head.len() < HEAD {
            self.head.push(entry);
            return;
        }
        if self.tail.len() == WINDOW {
            self.tail.pop_front();
        }
        self.tail.push_back(entry);
    }
}

impl Observer for SearchLog {
    fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::Gathered(_)
            | Event::Need { .. }
            | Event::Listed { .. }
            | Event::LeftOut { .. } => {}
            Event::Enter { call, place, devices } => {
                self.calls = call;
                self.add(Step::Enter { call, place, devices });
                let reached = (place.claim, place.request, devices);
                if self.deepest.is_none_or(|(deepest, _)| reached > deepest) {
                    self.deepest = Some((reached, self.count.saturating_sub(1)));
                    self.deep = self.tail.iter().cloned().collect();
                }
                self.depth += 1;
            }
            Event::Leave { outcome } => {
                self.depth = self.depth.saturating_sub(1);
                self.add(Step::Leave { outcome });
            }
            Event::Pruned => self.add(Step::Pruned),
            Event::Skipped { place, device, reason } => {
                let reason = Rc::new(reason.clone());
                self.add(Step::Skipped { place, device: device.clone(), reason, count: 1 });
            }
            Event::Taken { place, device, .. } => {
                self.held.push((place, device.clone()));
                self.add(Step::Taken { place, device: device.clone() });
            }
            Event::Undone { place, device } => {
                let known = self.held.iter().rposition(|it| it.0 == place && it.1 == *device);
                known.map(|at| self.held.remove(at));
                self.add(Step::Undone { place, device: device.clone() });
            }
            Event::Chosen { place } => self.add(Step::Chosen { place }),
        }
    }
}
