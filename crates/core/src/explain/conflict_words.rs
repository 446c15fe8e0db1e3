use std::collections::BTreeMap;

use dra_playground_cel::order::Order;

use crate::pool::DeviceId;

use super::conflict::{Agreement, Conflict, Scarce};
use super::explanation::{Explanation, RequestExplanation};
use super::pieces::{
    counter_set_phrase, device_phrase, name_subject, object, request_phrase, whole_name_subject,
};
use super::say::{NAMED, Speaker};
use super::words::Key;
use super::{Phrase, Subject};

impl Speaker<'_> {
    /// Why parts of claims exclude each other.
    pub(super) fn conflict(&self, explanation: &Explanation, conflict: &Conflict) -> Phrase {
        let requests: Vec<&RequestExplanation> =
            conflict.requests.iter().filter_map(|it| explanation.requests.get(*it)).collect();
        let wanted = conflict.wanted(explanation);
        let devices = conflict.devices();
        let mut values = vec![
            ("requests", self.requests(&requests)),
            ("wanted", Phrase::from(wanted.to_string())),
            ("count", devices.len().to_string().into()),
        ];
        let alone = requests.len() == 1;
        if let Some(agreement) = &conflict.constraint {
            return self.agreement(explanation, agreement, conflict, &requests, values);
        }
        match &conflict.scarce {
            Some(Scarce::Counter { device, counter_set, counter, left }) => {
                values.push(("set", counter_set_phrase(device, counter_set)));
                values.push(("left", self.amount(left, counter)));
                self.say(if alone { Key::OwnCounters } else { Key::ShareCounters }, &values)
            }
            Some(Scarce::Capacity { device, name, left, total }) => {
                values.push(("device", device_phrase(device)));
                values.push(("name", name.clone().into()));
                values.push(("left", left.to_string().into()));
                values.push(("total", total.to_string().into()));
                self.say(if alone { Key::OwnCapacity } else { Key::ShareCapacity }, &values)
            }
            None if !alone && conflict.too_few => {
                let devices: Vec<Phrase> = devices.iter().map(|it| device_phrase(it)).collect();
                values.push(("devices", self.words.list(&devices, NAMED)));
                self.say(Key::ShareFew, &values)
            }
            None if alone => self.words.word(Key::NotTogether).into(),
            None => self.say(Key::Exclude, &values),
        }
    }

    fn agreement(
        &self,
        explanation: &Explanation,
        agreement: &Agreement,
        conflict: &Conflict,
        requests: &[&RequestExplanation],
        mut values: Vec<(&str, Phrase)>,
    ) -> Phrase {
        let field = if agreement.distinct { "distinctAttribute" } else { "matchAttribute" };
        let subject = Subject::Field {
            object: agreement.claim.clone(),
            path: format!("spec.devices.constraints[{}].{field}", agreement.index),
        };
        values.push(("attribute", Phrase::about(agreement.attribute.clone(), subject)));
        let alone = requests.len() == 1;
        let attribute = |device: &DeviceId| self.facts.attribute(device, &agreement.attribute);
        // One request without any device that has the attribute can never agree.
        let without = conflict
            .usable
            .iter()
            .position(|devices| devices.iter().all(|device| attribute(device).is_none()));
        if let Some(at) = without {
            let devices = conflict.usable.get(at).map(Vec::as_slice).unwrap_or_default();
            if let (Some(request), Some(device)) = (requests.get(at), devices.first()) {
                values.push(("device", device_phrase(device)));
                let name = request_phrase(request);
                values.push(("request", name));
                values.push(("number", devices.len().to_string().into()));
                let key = match (alone, agreement.distinct) {
                    (true, _) if devices.len() == 1 => Key::OwnMissingOne,
                    (true, false) => Key::OwnMatchMissing,
                    (true, true) => Key::OwnDistinctMissing,
                    (false, false) => Key::MatchMissing,
                    (false, true) => Key::DistinctMissing,
                };
                return self.say(key, &values);
            }
        }
        let mut holders: BTreeMap<String, usize> = BTreeMap::new();
        for value in conflict.devices().into_iter().filter_map(attribute) {
            *holders.entry(value).or_default() += 1;
        }
        values.push(("values", holders.len().to_string().into()));
        if agreement.distinct {
            return self.say(if alone { Key::OwnDistinctFew } else { Key::DistinctFew }, &values);
        }
        let most = holders.values().copied().max().unwrap_or_default();
        values.push(("most", most.to_string().into()));
        if alone {
            let devices = conflict.devices();
            let lacking = devices.iter().find(|device| attribute(device).is_none());
            let publishing = holders.values().sum::<usize>() as u64;
            let key = match lacking {
                Some(device) if publishing < conflict.wanted(explanation) => {
                    values.push(("device", device_phrase(device)));
                    Key::OwnMatchLack
                }
                None if most == 1 => Key::OwnMatchUnique,
                _ => Key::OwnMatchFew,
            };
            return self.say(key, &values);
        }
        let is_for_all = |value: &String| {
            let has = |device: &DeviceId| attribute(device).as_ref() == Some(value);
            conflict.usable.iter().all(|devices| devices.iter().any(has))
        };
        if holders.keys().any(is_for_all) {
            return self.say(if most == 1 { Key::MatchUnique } else { Key::MatchFew }, &values);
        }
        values.push(("parts", self.values_of(conflict, requests, &attribute)));
        self.say(Key::MatchApart, &values)
    }

    /// `a has 0 and 1, b has 2`: the values that the devices of each request have.
    fn values_of(
        &self,
        conflict: &Conflict,
        requests: &[&RequestExplanation],
        attribute: &dyn Fn(&DeviceId) -> Option<String>,
    ) -> Phrase {
        let parts: Vec<Phrase> = requests
            .iter()
            .zip(&conflict.usable)
            .map(|(request, devices)| {
                let mut found: Vec<String> = devices.iter().filter_map(attribute).collect();
                found.order();
                found.dedup();
                let found: Vec<Phrase> = found.into_iter().map(Phrase::from).collect();
                let name = request_phrase(request);
                let found = self.words.list(&found, NAMED);
                self.say(Key::MatchPart, &[("request", name), ("values", found)])
            })
            .collect();
        self.words.list(&parts, parts.len())
    }

    /// `requests a and b`, with their claims when these differ.
    fn requests(&self, requests: &[&RequestExplanation]) -> Phrase {
        let first = requests.first().map(|request| &request.claim);
        let same = requests.iter().all(|request| Some(&request.claim) == first);
        let place = |request: &RequestExplanation| (request.place.claim, request.place.request);
        let mut names: Vec<Phrase> = Vec::new();
        for alternatives in requests.chunk_by(|a, b| place(a) == place(b)) {
            let Some(request) = alternatives.first() else { continue };
            let name = if let Some((resource, _)) = &request.resource {
                resource.as_str()
            } else if alternatives.len() > 1 {
                // Which of the alternatives does not matter.
                request.name.split('/').next().unwrap_or_default()
            } else {
                request.name.as_str()
            };
            let subject = if alternatives.len() > 1 {
                whole_name_subject(request)
            } else {
                name_subject(request)
            };
            let name = Phrase::about(name, subject);
            names.push(if same {
                name
            } else {
                self.say(Key::Possessive, &[("owner", object(&request.claim)), ("thing", name)])
            });
        }
        names.dedup_by(|a, b| a.to_string() == b.to_string());
        let resources = requests.iter().all(|request| request.resource.is_some());
        let key = if resources { Key::ResourcesNamed } else { Key::RequestsNamed };
        self.say(key, &[("list", self.words.list(&names, names.len()))])
    }
}
