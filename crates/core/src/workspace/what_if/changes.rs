//! Changes of one request that could let it be met.

use dra_playground_cel::order::Order;

use crate::allocator::{Place, SkipReason};
use crate::api::{AllocationMode, ExactRequest, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{Facts, Phrase, RequestExplanation, Subject, taint_text};
use crate::scheduler::Env;

use super::super::report::Edit;
use super::super::selectors::{Term, shorten, terms};
use super::super::verdicts::exact_request;
use super::{Case, New, Writer};

/// Terms of selectors that are tried without.
const TERMS: usize = 8;
/// Numbers of devices that are tried.
const FEWER: usize = 8;
/// Devices that a claim can have, and one more.
const MOST: i64 = 33;

/// One change of a request.
pub(super) struct Change {
    place: Place,
    kind: Kind,
}

enum Kind {
    /// A selector without one of its terms.
    Drop { selector: usize, expression: String, term: Term, without: String },
    /// A smaller amount of a capacity.
    AskLess(Vec<Amount>),
    /// Fewer devices.
    Fewer {
        wanted: i64,
        usable: i64,
        /// Whether all devices are asked for.
        all: bool,
    },
    /// A taint tolerated.
    Tolerate { key: String, value: String, effect: String },
}

/// Less of one capacity.
struct Amount {
    name: String,
    asked: Quantity,
    left: Quantity,
}

/// Changes of a request that are worth a try.
pub(super) fn changes(
    request: &RequestExplanation,
    claim: &ResourceClaim,
    case: &Case<'_>,
) -> Vec<Change> {
    let Some(exact) = exact_request(claim, request) else { return Vec::new() };
    let mut kinds = Vec::new();
    tolerations(request, &mut kinds);
    amounts(request, case.facts, &mut kinds);
    fewer(request, exact, &mut kinds);
    dropped(exact, case.env, &mut kinds);
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

/// What the device has left that has most, of every capacity of which too much was asked.
fn amounts(request: &RequestExplanation, facts: &dyn Facts, kinds: &mut Vec<Kind>) {
    let mut best: Option<Vec<Amount>> = None;
    for verdict in &request.verdicts {
        let mut short: Vec<Amount> = match verdict.reason.told() {
            Some(SkipReason::CapacityShort { name, total, committed, tentative, wanted }) => {
                let told = || Amount {
                    name: name.clone(),
                    asked: wanted.clone(),
                    left: total.sub(committed).sub(tentative),
                };
                let known = facts.consumption(request, &verdict.device).into_iter();
                let known = known.filter(|capacity| capacity.asked > capacity.left);
                let mut short: Vec<Amount> = known
                    .map(|it| Amount {
                        name: it.name,
                        asked: it.written.unwrap_or(it.asked),
                        left: it.left,
                    })
                    .collect();
                if short.is_empty() {
                    short.push(told());
                }
                short
            }
            // The most that the policy allows, or what is left of it.
            Some(SkipReason::CapacityPolicy { name, .. }) => {
                let known = facts.consumption(request, &verdict.device).into_iter();
                let known = known.filter(|capacity| capacity.name == *name);
                known
                    .map(|it| {
                        let left = it.most.filter(|most| *most < it.left).unwrap_or(it.left);
                        Amount { name: it.name, asked: it.asked, left }
                    })
                    .collect()
            }
            _ => continue,
        };
        short.retain(|amount| amount.left < amount.asked);
        if short.is_empty() {
            continue;
        }
        let some_is_left = short.iter().all(|amount| amount.left.sign() > 0);
        let first = |amounts: &[Amount]| amounts.first().map(|amount| amount.left.clone());
        if some_is_left && best.as_ref().is_none_or(|best| first(&short) > first(best)) {
            best = Some(short);
        }
    }
    kinds.extend(best.map(Kind::AskLess));
}

/// Fewer devices: as many as could be had, or, where devices get in each other's way, ever fewer.
fn fewer(request: &RequestExplanation, exact: &ExactRequest, kinds: &mut Vec<Kind>) {
    let all = exact.allocation_mode == AllocationMode::All;
    let accepted = request.verdicts.iter().filter(|verdict| verdict.accepted == Some(true));
    let usable = accepted
        .clone()
        .filter(|verdict| matches!(verdict.reason.told(), None | Some(SkipReason::Undone)))
        .count();
    let number = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
    let wanted =
        if all { number(request.listed.unwrap_or_else(|| accepted.count())) } else { exact.count };
    let usable = number(usable);
    // What is known to be had comes first; the others may exclude each other.
    let known = (!all && 0 < usable && usable < wanted).then_some(usable);
    let rest = (1..wanted.min(MOST)).rev().filter(|fewer| known.is_none_or(|it| *fewer < it));
    let counts = known.into_iter().chain(rest).take(FEWER);
    kinds.extend(counts.map(|usable| Kind::Fewer { wanted, usable, all }));
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

    /// The change in a word or two, when it did not help.
    pub(super) fn in_vain(&self, words: &Catalogue) -> Phrase {
        match &self.kind {
            Kind::Drop { term, .. } => {
                words.say(Key::VainDropped, &[("part", shorten(&term.text).into())])
            }
            Kind::AskLess(amounts) => {
                words.say(Key::VainLess, &[("amounts", less(words, amounts))])
            }
            Kind::Fewer { usable, .. } => {
                words.say(Key::VainFewer, &[("usable", usable.to_string().into())])
            }
            Kind::Tolerate { key, value, effect } => {
                words.say(Key::VainTolerated, &[("taint", taint_text(key, value, effect).into())])
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
            Kind::AskLess(amounts) => {
                words.say(Key::FitsIfLess, &[("amounts", less(words, amounts))])
            }
            Kind::Fewer { wanted, usable, .. } => words.say(
                Key::FitsIfFewer,
                &[("wanted", wanted.to_string().into()), ("usable", usable.to_string().into())],
            ),
            Kind::Tolerate { key, value, effect } => {
                let taint = taint_text(key, value, effect).into();
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
            Kind::AskLess(amounts) => ask_less(claim, &path, amounts, writer),
            Kind::Fewer { usable, all: true, .. } => {
                let mode = format!("{path}.allocationMode");
                let mut edits = writer.replace(claim, &mode, "ExactCount")?;
                let count = New::Scalar(usable.to_string());
                edits.extend(writer.append(claim, &path, "count", &count)?);
                edits.order_by_key(|edit| edit.range.from);
                Some(edits)
            }
            Kind::Fewer { usable, .. } => {
                writer.replace(claim, &format!("{path}.count"), &usable.to_string())
            }
            Kind::Tolerate { key, effect, .. } => tolerate(claim, &path, key, effect, writer),
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

/// A toleration of a taint added to a request or a Pod.
pub(super) fn tolerate(
    owner: &ObjectRef,
    path: &str,
    key: &str,
    effect: &str,
    writer: &dyn Writer,
) -> Option<Vec<Edit>> {
    let fields = [("key", key), ("operator", "Exists"), ("effect", effect)];
    let fields = fields.map(|(name, value)| (name.to_owned(), New::Scalar(value.into())));
    let toleration = New::Map(fields.into());
    let pushed = writer.push(owner, &format!("{path}.tolerations"), &toleration);
    pushed.or_else(|| writer.append(owner, path, "tolerations", &New::List(vec![toleration])))
}

/// `20Gi instead of 40Gi memory`, for each capacity.
fn less(words: &Catalogue, amounts: &[Amount]) -> Phrase {
    let parts: Vec<Phrase> = amounts
        .iter()
        .map(|amount| {
            let values = [
                ("name", amount.name.clone().into()),
                ("asked", amount.asked.to_string().into()),
                ("left", amount.left.to_string().into()),
            ];
            words.say(Key::LessPart, &values)
        })
        .collect();
    words.list(&parts, parts.len())
}

fn ask_less(
    claim: &ObjectRef,
    path: &str,
    amounts: &[Amount],
    writer: &dyn Writer,
) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    let mut missing = Vec::new();
    for Amount { name, left, .. } in amounts {
        let value = format!("\"{left}\"");
        match writer.replace(claim, &format!("{path}.capacity.requests[{name}]"), &value) {
            Some(edit) => edits.extend(edit),
            None => missing.push((name.clone(), New::Scalar(value))),
        }
    }
    let requests = format!("{path}.capacity.requests");
    let known = || -> Option<Vec<Edit>> {
        let mut edits = Vec::new();
        for (name, value) in &missing {
            edits.extend(writer.append(claim, &requests, name, value)?);
        }
        Some(edits)
    };
    let added = known().or_else(|| {
        let all = New::field("requests", New::Map(missing.clone()));
        writer.append(claim, path, "capacity", &all)
    });
    edits.extend(added?);
    edits.order_by_key(|edit| edit.range.from);
    Some(edits)
}
