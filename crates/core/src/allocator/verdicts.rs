use std::rc::Rc;

use crate::api::{Device, ResourceSlice};
use crate::selector::{Compiled, DeviceInput, Selectors, faulty_attribute};

/// Selectors by number, and what each said of each device.
///
/// A selector sees nothing but the device, so its answer holds for all nodes, requests and claims, as
/// long as the slices stay as they are.
#[derive(Debug)]
pub(super) struct Verdicts {
    /// Numbers of selectors, by expression.
    sorted: Vec<usize>,
    entries: Vec<Entry>,
    /// Number of devices.
    devices: usize,
}

#[derive(Debug)]
struct Entry {
    compiled: Rc<Compiled>,
    answers: Vec<Answer>,
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
    /// For so many devices.
    pub(super) fn new(devices: usize) -> Self {
        Self { sorted: Vec::new(), entries: Vec::new(), devices }
    }

    /// The number of a selector.
    pub(super) fn number(&mut self, selectors: &Selectors, expression: &str) -> usize {
        let of = |number: &usize| self.entries.get(*number).map(|e| e.compiled.expression());
        let place = match self.sorted.binary_search_by(|number| of(number).cmp(&Some(expression))) {
            Ok(place) => return self.sorted.get(place).copied().unwrap_or_default(),
            Err(place) => place,
        };
        let number = self.entries.len();
        self.sorted.insert(place, number);
        let compiled = selectors.compile(expression);
        self.entries.push(Entry { compiled, answers: Vec::new() });
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
        let compiled = &entry.compiled;
        if let Some(error) = compiled.error() {
            return Err(SelectorFailure::Compile(error.to_owned()));
        }
        let input = DeviceInput::of(&slice.driver, device);
        let yes = if compiled.reads_little() {
            if let Some(error) = faulty_attribute(&input, selectors.switches()) {
                return Err(SelectorFailure::Runtime(error));
            }
            compiled.matches_little(&input).map_err(SelectorFailure::Runtime)?
        } else {
            compiled.matches(&input).map_err(SelectorFailure::Runtime)?
        };
        if let Some(answer) = entry.answers.get_mut(number) {
            *answer = if yes { Answer::Yes } else { Answer::No };
        }
        Ok(yes)
    }
}
