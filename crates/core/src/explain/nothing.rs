//! Nothing passes: selectors that are false for every device, slices for other nodes.

use std::collections::BTreeMap;

use dra_playground_cel::order::Gather;

use crate::allocator::SkipReason;
use crate::pool::DeviceId;

use super::explanation::{RequestExplanation, Verdict};
use super::facts::{FalsePart, SelectorOf, Unreached, UnreachedNodes};
use super::pieces::{class_phrase, device_phrase, object, selector_phrase};
use super::say::{NAMED, Speaker};
use super::words::Key;
use super::{Phrase, Subject};

/// Devices that are asked for one sentence which part of a selector is false.
const ASKED: usize = 512;

impl Speaker<'_> {
    /// A selector of the class or the request that accepts nothing.
    pub(super) fn selects(
        &self,
        request: &RequestExplanation,
        asked: &[DeviceId],
        index: usize,
        of_class: bool,
    ) -> Phrase {
        let selector = SelectorOf { request, of_class, index };
        let class = if of_class {
            selector_phrase(&selector, request.class.clone())
        } else {
            class_phrase(&request.class)
        };
        let mut values = vec![("count", Phrase::from(asked.len().to_string())), ("class", class)];
        if let Some(device) = asked.first() {
            values.push(("device", device_phrase(device)));
        }
        let one = asked.len() == 1;
        let indexes = indexes(request, of_class);
        let parts: Vec<Option<FalsePart>> = asked
            .iter()
            .take(ASKED)
            .map(|device| {
                let index = *indexes.get(device)?;
                let part = self.facts.false_part(&SelectorOf { index, ..selector }, device)?;
                (index == selector.index).then_some(part)
            })
            .collect();
        let first = parts.first().and_then(Option::as_ref);
        let text = first.map_or_else(|| format!("#{index}"), |part| part.text.clone());
        // Said of all devices only when it is the same part that is false for each.
        let same = asked.len() <= ASKED
            && parts.iter().all(|part| part.as_ref().is_some_and(|part| part.text == text));
        values.push(("selector", selector_phrase(&selector, text)));
        // Devices that were refused before anybody asked their selectors.
        let first = request.verdicts.iter().find(|it| Some(&it.device) == asked.first());
        let unasked = first.is_some_and(|it| it.selector.is_some());
        let key = match (of_class, one || !same) {
            (true, _) if unasked => Key::ClassNoneAny,
            (false, _) if unasked => Key::SelectorNoneAny,
            (true, _) if one => Key::ClassNoneOne,
            (true, true) => Key::ClassNoneVarious,
            (true, false) => Key::ClassNone,
            (false, _) if one => Key::SelectorNoneOne,
            (false, true) => Key::SelectorNoneVarious,
            (false, false) => Key::SelectorNone,
        };
        let said = self.say(key, &values);
        let shown = if same { parts.as_slice() } else { parts.get(..1).unwrap_or_default() };
        match self.found_values(shown) {
            Some(found) => self.say(Key::Aside, &[("text", said), ("more", found)]),
            None => said,
        }
    }

    /// `model is "T4" and "L4"`: what devices have under the first name of a part that is false.
    fn found_values(&self, parts: &[Option<FalsePart>]) -> Option<Phrase> {
        let values = || parts.iter().flatten().flat_map(|part| &part.values);
        let (name, _) = values().next()?;
        let mut found: Vec<&str> = Vec::new();
        for (_, value) in values().filter(|(other, _)| other == name) {
            if !found.contains(&value.as_str()) {
                found.push(value);
            }
        }
        let found: Vec<Phrase> = found.into_iter().map(Phrase::from).collect();
        let values = [("name", name.clone().into()), ("values", self.words.list(&found, NAMED))];
        Some(self.say(Key::FoundValues, &values))
    }

    /// The node reaches no device: for whom they are.
    pub(super) fn no_devices(&self) -> Phrase {
        let unreached = self.facts.unreached();
        let mut values = vec![("node", self.node_phrase())];
        let Some(Unreached { slice, device, nodes }) = unreached.first() else {
            return self.words.word(Key::NoDevices).into();
        };
        let of_slice = |field: &str, text: &str| {
            let path = match device {
                Some((at, _)) => format!("spec.devices[{at}].{field}"),
                None => format!("spec.{field}"),
            };
            Phrase::about(text, Subject::Field { object: slice.clone(), path })
        };
        let what = device.as_ref().map_or_else(|| object(slice), |(_, it)| device_phrase(it));
        values.push(("slice", what));
        let key = match nodes {
            UnreachedNodes::Named(name) => {
                values.push(("whom", of_slice("nodeName", name)));
                Key::NoDevicesNamed
            }
            UnreachedNodes::Selected(selector) => {
                values.push(("whom", of_slice("nodeSelector", selector)));
                Key::NoDevicesSelected
            }
        };
        self.say(key, &values)
    }
}

/// The selector that is false for each device.
fn indexes(request: &RequestExplanation, of_class: bool) -> BTreeMap<&DeviceId, usize> {
    let told = request.verdicts.iter().filter_map(|verdict| {
        let index = match verdict.by_selector()? {
            SkipReason::ClassSelectorFalse { selector } if of_class => *selector,
            SkipReason::RequestSelectorFalse { selector } if !of_class => *selector,
            _ => return None,
        };
        Some((&verdict.device, index))
    });
    told.gathered()
}

/// The devices that are refused for such reasons.
pub(super) fn refused_for(request: &RequestExplanation, reasons: &[SkipReason]) -> Vec<DeviceId> {
    let refused = |verdict: &&Verdict| {
        let told = verdict.reason.told();
        told.is_some_and(|it| reasons.iter().any(|reason| reason.code() == it.code()))
    };
    request.verdicts.iter().filter(refused).map(|it| it.device.clone()).collect()
}
