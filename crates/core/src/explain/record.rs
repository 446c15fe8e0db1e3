use std::collections::BTreeMap;
use std::rc::Rc;

use crate::allocator::{Event, Observer, Place, SkipReason};
use crate::pool::DeviceId;

use super::reason::stage;

/// An observer that keeps, for each request, what became of each device.
///
/// Of several refusals of one device, as backtracking makes them, the one that got furthest in the
/// order of checks is kept.
#[derive(Debug, Default)]
pub struct Recorder {
    pub(super) requests: BTreeMap<Place, Record>,
    pub(super) deepest: Option<Depth>,
    pub(super) calls: u64,
}

/// How far a search got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Depth {
    /// The request that it worked on.
    pub place: Place,
    /// Devices that the request had already.
    pub devices: usize,
}

/// What is known of one request.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub need: Option<usize>,
    pub all: bool,
    pub listed: Vec<DeviceId>,
    pub devices: BTreeMap<DeviceId, Seen>,
    pub chosen: bool,
}

/// What is known of one device for one request.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Refusal that got furthest.
    pub refused: Option<Rc<SkipReason>>,
    /// Whether it was ever taken.
    pub taken: bool,
    /// How often it is taken at the moment.
    pub held: usize,
}

impl Recorder {
    /// A recorder without records.
    pub fn new() -> Self {
        Self::default()
    }

    /// Search calls seen.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// How far the search got; `None` when there was none.
    pub fn deepest(&self) -> Option<Depth> {
        self.deepest
    }

    fn refuse(&mut self, place: Place, device: &DeviceId, reason: &SkipReason) {
        let seen = self.seen(place, device);
        match &seen.refused {
            Some(known) if stage(known) >= stage(reason) => {}
            _ => seen.refused = Some(Rc::new(reason.clone())),
        }
    }

    fn seen(&mut self, place: Place, device: &DeviceId) -> &mut Seen {
        self.requests.entry(place).or_default().devices.entry(device.clone()).or_default()
    }
}

impl Observer for Recorder {
    fn observe(&mut self, event: Event<'_>) {
        match event {
            Event::Gathered(_) | Event::Leave { .. } | Event::Pruned => {}
            Event::Listed { place, device } => {
                self.requests.entry(place).or_default().listed.push(device.clone());
            }
            Event::LeftOut { place, device, reason } | Event::Skipped { place, device, reason } => {
                self.refuse(place, device, reason);
            }
            Event::Need { place, devices, all } => {
                let record = self.requests.entry(place).or_default();
                record.need = Some(devices);
                record.all = all;
            }
            Event::Enter { call, place, devices } => {
                self.calls = call;
                self.deepest = self.deepest.max(Some(Depth { place, devices }));
            }
            Event::Taken { place, device, .. } => {
                let seen = self.seen(place, device);
                seen.taken = true;
                seen.held += 1;
            }
            Event::Undone { place, device } => {
                let seen = self.seen(place, device);
                seen.held = seen.held.saturating_sub(1);
            }
            Event::Chosen { place } => self.requests.entry(place).or_default().chosen = true,
        }
    }
}
