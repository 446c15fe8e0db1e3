use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{Device, ResourceSlice};
use crate::selector::{Compiled, DeviceInput, Selectors, faulty_attribute};

/// Selectors by number, and what each said of each device.
///
/// A selector sees nothing but the device, so its answer holds for all nodes, requests and claims, as
/// long as the slices stay as they are.
#[derive(Debug)]
pub(super) struct Verdicts {
    numbers: BTreeMap<String, usize>,
    entries: Vec<Entry>,
    /// For each slice, the number of its first device.
    first_device: Vec<usize>,
    /// Number of devices.
    devices: usize,
}

#[derive(Debug)]
struct Entry {
    expression: String,
    compiled: Option<Rc<Compiled>>,
    answers: Vec<Answer>,
    /// For a selector that reads nothing else of a device: its last answer, with the driver and
    /// whether the device can be shared.
    by_driver: Option<(String, Option<bool>, bool)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    NotAsked,
    No,
    Yes,
}

/// Why a selector gives no answer.
#[derive(Clone, Debug)]
pub(super) enum SelectorFailure {
    Compile(String),
    Runtime(String),
}

impl Verdicts {
    pub(super) fn new(slices: &[Rc<ResourceSlice>]) -> Self {
        let mut devices = 0;
        let first_device = slices
            .iter()
            .map(|slice| {
                let first = devices;
                devices += slice.devices.len();
                first
            })
            .collect();
        Self { numbers: BTreeMap::new(), entries: Vec::new(), first_device, devices }
    }

    /// The number of the first device of a slice.
    pub(super) fn first_device(&self, slice: usize) -> usize {
        self.first_device.get(slice).copied().unwrap_or_default()
    }

    /// The number of a selector. It is compiled when it is first asked.
    pub(super) fn number(&mut self, expression: &str) -> usize {
        if let Some(number) = self.numbers.get(expression) {
            return *number;
        }
        let number = self.entries.len();
        self.numbers.insert(expression.to_owned(), number);
        self.entries.push(Entry {
            expression: expression.to_owned(),
            compiled: None,
            answers: Vec::new(),
            by_driver: None,
        });
        number
    }

    /// Whether a selector chooses a device. A failure is never remembered: it ends the attempt.
    pub(super) fn ask(
        &mut self,
        selectors: &Selectors,
        selector: usize,
        slice: &ResourceSlice,
        device: &Device,
        number: usize,
    ) -> Result<bool, SelectorFailure> {
        let Some(entry) = self.entries.get_mut(selector) else { return Ok(false) };
        match entry.answers.get(number) {
            Some(Answer::Yes) => return Ok(true),
            Some(Answer::No) => return Ok(false),
            Some(Answer::NotAsked) => {}
            None => entry.answers.resize(self.devices, Answer::NotAsked),
        }
        let compiled = match &entry.compiled {
            Some(compiled) => compiled,
            None => entry.compiled.insert(selectors.compile(&entry.expression)),
        };
        if let Some(error) = compiled.error() {
            return Err(SelectorFailure::Compile(error.to_owned()));
        }
        let input = DeviceInput {
            driver: &slice.driver,
            attributes: &device.attributes,
            capacity: &device.capacity,
            allow_multiple_allocations: device.allow_multiple_allocations,
        };
        let yes = if compiled.reads_little() {
            if let Some(error) = faulty_attribute(&input, selectors.switches()) {
                return Err(SelectorFailure::Runtime(error));
            }
            let multi = input.allow_multiple_allocations;
            match &entry.by_driver {
                Some((driver, shared, yes)) if *driver == slice.driver && *shared == multi => *yes,
                Some(_) | None => {
                    let yes = compiled.matches(&input).map_err(SelectorFailure::Runtime)?;
                    entry.by_driver = Some((slice.driver.clone(), multi, yes));
                    yes
                }
            }
        } else {
            compiled.matches(&input).map_err(SelectorFailure::Runtime)?
        };
        if let Some(answer) = entry.answers.get_mut(number) {
            *answer = if yes { Answer::Yes } else { Answer::No };
        }
        Ok(yes)
    }
}
