//! Faults of the allocator in words.

use crate::allocator::{Fault, SelectorOwner};
use crate::apimachinery::ObjectRef;
use crate::explain::words::Key;
use crate::explain::{Phrase, RequestExplanation, SelectorOf, Subject, device_phrase, pool_phrase};

use super::super::explained::Explained;
use super::{Teller, object_of};

impl Teller<'_> {
    pub(super) fn fault(&self, explained: &Explained, fault: &Fault) -> Phrase {
        let (owner, selector, error, device) = match fault {
            Fault::CelRuntime { owner, selector, error, device } => {
                (owner, *selector, error, device.clone().or_else(|| failed_device(explained)))
            }
            Fault::CelCompile { owner, selector, error } => (owner, *selector, error, None),
            _ => return self.other_fault(explained, fault),
        };
        let mut values = vec![
            ("owner", Self::owner(explained, owner, selector)),
            ("error", first_line(error).into()),
        ];
        if let Some(device) = device {
            values.push(("device", device_phrase(&device)));
            return self.say(Key::CelRuntime, &values);
        }
        self.say(Key::CelCompile, &values)
    }

    /// What the selector that failed probably means, as a sentence.
    pub(super) fn fault_hint(&self, explained: &Explained, fault: &Fault) -> Phrase {
        let (Fault::CelRuntime { owner, selector, .. } | Fault::CelCompile { owner, selector, .. }) =
            fault
        else {
            return Phrase::default();
        };
        let of_class = matches!(owner, SelectorOwner::Class(_));
        let failed = |request: &&RequestExplanation| match owner {
            SelectorOwner::Class(name) => request.class == *name,
            SelectorOwner::Claim(_) => {
                request.verdicts.iter().any(|verdict| verdict.reason.code() == "cel-error")
            }
        };
        let Some(request) = explained.explanation.requests.iter().find(failed) else {
            return Phrase::default();
        };
        let selector = SelectorOf { request, of_class, index: *selector };
        let hint = self.speaker.facts.selector_hint(&selector).unwrap_or_default();
        self.words.sentence(hint.into()).capitalized()
    }

    /// A fault that is not about a selector.
    fn other_fault(&self, explained: &Explained, fault: &Fault) -> Phrase {
        let (request, key, mut values) = match fault {
            Fault::AllPoolIncomplete { request, pool, .. } => {
                let pool = pool_phrase(pool, "resourceSliceCount");
                (request, Key::AllNeedsComplete, vec![("pool", pool)])
            }
            Fault::AllPoolInvalid { request, pool, .. } => {
                (request, Key::AllNeedsValid, vec![("pool", pool_phrase(pool, "name"))])
            }
            Fault::ConstraintUnderAll { request, device, .. } => {
                (request, Key::AllConstraint, vec![("device", device_phrase(device))])
            }
            Fault::ClaimLimit { devices, claim } => {
                let (namespace, name) = claim.split_once('/').unwrap_or(("", claim));
                let object = object_of("ResourceClaim", namespace, name);
                let subject = Subject::Field { object, path: "spec.devices.requests".to_owned() };
                let wanted = Phrase::about(devices.to_string(), subject);
                return self.say(Key::TooMany, &[("wanted", wanted), ("limit", "32".into())]);
            }
            Fault::RequestLimit { request, adding, before, .. } => {
                let wanted = adding.saturating_add(*before).to_string();
                let values = vec![("wanted", wanted.into()), ("limit", "32".into())];
                (request, Key::TooManyFor, values)
            }
            _ => return self.verbatim(&fault.to_string()),
        };
        let mut requests = explained.explanation.requests.iter();
        let found = requests.find(|it| it.name.rsplit('/').next() == Some(request.as_str()));
        let name = match found {
            Some(found) => {
                let place = found.place;
                let inner = match place.subrequest {
                    None => "exactly".to_owned(),
                    Some(sub) => format!("firstAvailable[{sub}]"),
                };
                let path =
                    format!("spec.devices.requests[{}].{inner}.allocationMode", place.request);
                Phrase::about(request.clone(), Subject::Field { object: found.claim.clone(), path })
            }
            None => request.clone().into(),
        };
        values.push(("request", name));
        self.say(key, &values)
    }

    fn owner(explained: &Explained, owner: &SelectorOwner, selector: usize) -> Phrase {
        match owner {
            SelectorOwner::Class(name) => Phrase::about(
                name.clone(),
                Subject::Selector {
                    object: object_of("DeviceClass", "", name),
                    request: String::new(),
                    index: selector,
                },
            ),
            SelectorOwner::Claim(name) => {
                let (namespace, name) = name.split_once('/').unwrap_or(("", name));
                let claim = object_of("ResourceClaim", namespace, name);
                let request = failed_request(explained, &claim);
                let subject = Subject::Selector { object: claim, request, index: selector };
                Phrase::about(name, subject)
            }
        }
    }
}

/// The device on which a selector failed, for releases whose error does not name it.
fn failed_device(explained: &Explained) -> Option<crate::pool::DeviceId> {
    let verdicts = explained.explanation.requests.iter().flat_map(|request| &request.verdicts);
    verdicts
        .filter(|verdict| verdict.reason.code() == "cel-error")
        .map(|verdict| verdict.device.clone())
        .next()
}

/// The request whose selector failed.
fn failed_request(explained: &Explained, claim: &ObjectRef) -> String {
    let requests = explained.explanation.requests.iter();
    let failed = requests.filter(|request| request.claim == *claim).find(|request| {
        request.verdicts.iter().any(|verdict| verdict.reason.code() == "cel-error")
    });
    failed.map(|request| request.name.clone()).unwrap_or_default()
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
