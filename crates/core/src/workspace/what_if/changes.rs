//! Changes of one request that could let it be met.

use crate::allocator::{Place, SkipReason};
use crate::api::{AllocationMode, DeviceToleration, ExactRequest, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{Phrase, RequestExplanation, Subject};
use crate::scheduler::Env;

use super::super::report::Edit;
use super::super::selectors::{Term, shorten, terms};
use super::super::verdicts::exact_request;
use super::Writer;

/// Terms of selectors that are tried without.
const TERMS: usize = 8;

/// One change of a request.
pub(super) struct Change {
    place: Place,
    kind: Kind,
}

enum Kind {
    /// A selector without one of its terms.
    Drop { selector: usize, expression: String, term: Term, without: String },
    /// A smaller amount of a capacity.
    AskLess { name: String, asked: Quantity, left: Quantity },
    /// Fewer devices.
    Fewer { wanted: i64, usable: i64 },
    /// A taint tolerated.
    Tolerate { key: String, value: String, effect: String },
}

/// Changes of a request that are worth a try.
pub(super) fn changes(
    request: &RequestExplanation,
    claim: &ResourceClaim,
    env: &Env,
) -> Vec<Change> {
    let Some(exact) = exact_request(claim, request) else { return Vec::new() };
    let mut kinds = Vec::new();
    tolerations(request, &mut kinds);
    amounts(request, &mut kinds);
    fewer(request, exact, &mut kinds);
    dropped(exact, env, &mut kinds);
    kinds.into_iter().map(|kind| Change { place: request.place, kind }).collect()
}

fn tolerations(request: &RequestExplanation, kinds: &mut Vec<Kind>) {
    let taint = request.verdicts.iter().find_map(|verdict| match verdict.reason.told()? {
        SkipReason::Tainted { key, value, effect } => Some((key, value, effect)),
        _ => None,
    });
    if let Some((key, value, effect)) = taint {
        kinds.push(Kind::Tolerate {
            key: key.clone(),
            value: value.clone(),
            effect: effect.clone(),
        });
    }
}

/// The largest amount that a device has left, less than what was asked.
fn amounts(request: &RequestExplanation, kinds: &mut Vec<Kind>) {
    let mut best: Option<(&String, &Quantity, Quantity)> = None;
    for verdict in &request.verdicts {
        let Some(SkipReason::CapacityShort { name, total, committed, tentative, wanted }) =
            verdict.reason.told()
        else {
            continue;
        };
        let left = total.sub(committed).sub(tentative);
        let better = best.as_ref().is_none_or(|(_, _, known)| left > *known);
        if left.sign() > 0 && left < *wanted && better {
            best = Some((name, wanted, left));
        }
    }
    if let Some((name, asked, left)) = best {
        kinds.push(Kind::AskLess { name: name.clone(), asked: asked.clone(), left });
    }
}

fn fewer(request: &RequestExplanation, exact: &ExactRequest, kinds: &mut Vec<Kind>) {
    let usable = request
        .verdicts
        .iter()
        .filter(|verdict| verdict.accepted == Some(true))
        .filter(|verdict| matches!(verdict.reason.told(), None | Some(SkipReason::Undone)))
        .count();
    let usable = i64::try_from(usable).unwrap_or(i64::MAX);
    if exact.allocation_mode == AllocationMode::ExactCount && 0 < usable && usable < exact.count {
        kinds.push(Kind::Fewer { wanted: exact.count, usable });
    }
}

fn dropped(exact: &ExactRequest, env: &Env, kinds: &mut Vec<Kind>) {
    for (selector, written) in exact.selectors.iter().enumerate() {
        let Some(expression) = &written.cel_expression else { continue };
        let terms = terms(env, expression);
        for index in 0..terms.len().min(TERMS) {
            let Some(term) = terms.get(index) else { continue };
            // The operator goes with the term: the one after it, or before the last one.
            let (from, to) = match (terms.get(index + 1), index.checked_sub(1)) {
                (Some(next), _) => (term.from, next.from),
                (None, Some(before)) => {
                    (terms.get(before).map_or(term.from, |before| before.to), term.to)
                }
                (None, None) => (term.from, term.to),
            };
            let (Some(head), Some(tail)) = (expression.get(..from), expression.get(to..)) else {
                continue;
            };
            let rest = format!("{head}{tail}");
            let without = if rest.trim().is_empty() { "true".to_owned() } else { rest };
            kinds.push(Kind::Drop {
                selector,
                expression: expression.clone(),
                term: Term { from, to, text: term.text.clone() },
                without,
            });
        }
    }
}

impl Change {
    pub(super) fn kind(&self) -> &'static str {
        match self.kind {
            Kind::Drop { .. } => "drop-term",
            Kind::AskLess { .. } => "ask-less",
            Kind::Fewer { .. } => "fewer-devices",
            Kind::Tolerate { .. } => "tolerate",
        }
    }

    /// Makes the change.
    pub(super) fn apply(&self, claim: &mut ResourceClaim) {
        let Some(exact) = request_mut(claim, self.place) else { return };
        match &self.kind {
            Kind::Drop { selector, without, .. } => {
                if let Some(selector) = exact.selectors.get_mut(*selector) {
                    selector.cel_expression = Some(without.clone());
                }
            }
            Kind::AskLess { name, left, .. } => {
                let requests = exact.capacity_requests.get_or_insert_default();
                requests.insert(name.clone(), left.clone());
            }
            Kind::Fewer { usable, .. } => exact.count = *usable,
            Kind::Tolerate { key, effect, .. } => exact.tolerations.push(DeviceToleration {
                key: key.clone(),
                operator: "Exists".to_owned(),
                effect: effect.clone(),
                ..DeviceToleration::default()
            }),
        }
    }

    /// The change in a word or two, when it did not help.
    pub(super) fn in_vain(&self, words: &Catalogue) -> Phrase {
        match &self.kind {
            Kind::Drop { term, .. } => {
                words.say(Key::VainDropped, &[("part", shorten(&term.text).into())])
            }
            Kind::AskLess { name, left, .. } => words.say(
                Key::VainLess,
                &[("name", name.clone().into()), ("left", left.to_string().into())],
            ),
            Kind::Fewer { usable, .. } => {
                words.say(Key::VainFewer, &[("usable", usable.to_string().into())])
            }
            Kind::Tolerate { key, value, effect } => {
                words.say(Key::VainTolerated, &[("taint", taint(key, value, effect).into())])
            }
        }
    }

    /// The change in words.
    pub(super) fn sentence(&self, words: &Catalogue, claim: &ObjectRef) -> Phrase {
        match &self.kind {
            Kind::Drop { selector, term, .. } => {
                let subject = Subject::Field {
                    object: claim.clone(),
                    path: format!("{}.selectors[{selector}].cel.expression", self.path()),
                };
                let part = Phrase::about(shorten(&term.text), subject);
                words.say(Key::FitsIfDropped, &[("part", part)])
            }
            Kind::AskLess { name, asked, left } => words.say(
                Key::FitsIfLess,
                &[
                    ("name", name.clone().into()),
                    ("asked", asked.to_string().into()),
                    ("left", left.to_string().into()),
                ],
            ),
            Kind::Fewer { wanted, usable } => words.say(
                Key::FitsIfFewer,
                &[("wanted", wanted.to_string().into()), ("usable", usable.to_string().into())],
            ),
            Kind::Tolerate { key, value, effect } => {
                let taint = taint(key, value, effect).into();
                words.say(Key::FitsIfTolerated, &[("taint", taint)])
            }
        }
    }

    /// The change in the text.
    pub(super) fn edits(&self, claim: &ObjectRef, writer: &dyn Writer) -> Option<Vec<Edit>> {
        let path = self.path();
        match &self.kind {
            Kind::Drop { selector, expression, term, without } => {
                let path = format!("{path}.selectors[{selector}].cel.expression");
                if without == "true" {
                    return writer.replace(claim, &path, "\"true\"");
                }
                writer.cut(claim, &path, expression, (term.from, term.to))
            }
            Kind::AskLess { name, left, .. } => {
                let value = format!("\"{left}\"");
                let written = format!("{path}.capacity.requests[{name}]");
                writer.replace(claim, &written, &value).or_else(|| {
                    let line = format!("    {name}: {value}");
                    writer.append(claim, &path, &["capacity:", "  requests:", &line])
                })
            }
            Kind::Fewer { usable, .. } => {
                writer.replace(claim, &format!("{path}.count"), &usable.to_string())
            }
            Kind::Tolerate { key, effect, .. } => {
                let (key, effect) = (format!("- key: {key}"), format!("  effect: {effect}"));
                writer.append(claim, &path, &["tolerations:", &key, "  operator: Exists", &effect])
            }
        }
    }

    fn path(&self) -> String {
        let Place { request, subrequest, .. } = self.place;
        match subrequest {
            None => format!("spec.devices.requests[{request}].exactly"),
            Some(sub) => format!("spec.devices.requests[{request}].firstAvailable[{sub}]"),
        }
    }
}

fn taint(key: &str, value: &str, effect: &str) -> String {
    if value.is_empty() { format!("{key}:{effect}") } else { format!("{key}={value}:{effect}") }
}

fn request_mut(claim: &mut ResourceClaim, place: Place) -> Option<&mut ExactRequest> {
    let request = claim.spec.requests.get_mut(place.request)?;
    match place.subrequest {
        None => request.exactly.as_mut(),
        Some(sub) => request.first_available.get_mut(sub).map(|sub| &mut sub.request),
    }
}
