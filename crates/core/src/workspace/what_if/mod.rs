//! Changes with which a Pod that waits would fit: each made in the text or in the settings beside it,
//! and the whole scenario read, admitted and run again.
//!
//! Nothing here is guessed: a change is offered only when the Pod got a node with it, and what is
//! said to be tried in vain was tried.

mod changes;
mod new;
mod places;
mod pods;
mod settings;
mod shown;
#[cfg(test)]
mod tests;

pub(super) use new::New;
pub(super) use shown::Known;

use dra_playground_cel::order::Order;

use crate::api::{Pod, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::diagnostic::translate;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{Cause, Explanation, Facts, Phrase, RequestExplanation, object};
use crate::scenario::Timeline;
use crate::scheduler::{Attempt, Env};

use super::edits::{apply, difference, merged};
use super::report::{Edit, Fix, Options, Setting};
use super::trial::{Fits, errors, try_text};

/// Changes of a text that are tried for one Pod.
const TRIES: usize = 96;
/// Changes that are offered of one kind.
const OFFERED: usize = 4;
/// Changes of which pairs are tried when none helps alone.
const PAIRED: usize = 8;

/// A change that helps.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub kind: &'static str,
    pub sentence: Phrase,
    pub outcome: Phrase,
    pub edits: Vec<Edit>,
    pub setting: Option<Setting>,
    /// Whether it helps because a rule is not enforced.
    pub lax: bool,
}

/// Everything that was tried.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    pub found: Vec<Found>,
    pub in_vain: Vec<Phrase>,
}

/// What changes are tried on.
pub(super) struct Case<'a> {
    pub attempt: &'a Attempt,
    pub explanation: &'a Explanation,
    pub causes: &'a [Cause],
    pub facts: &'a dyn Facts,
    /// The search as it was, when the explanation is one of the cluster without what others hold.
    pub now: Option<(&'a Explanation, &'a dyn Facts)>,
    pub env: &'a Env,
    pub words: &'a Catalogue,
    /// The text, and where objects are written in it.
    pub text: &'a str,
    pub writer: &'a dyn Writer,
    pub options: &'a Options,
    pub timeline: &'a Timeline,
    /// What each diagnostic offers, the most serious first.
    pub fixes: Vec<&'a [Fix]>,
    /// The step after which the Pod has to have a node.
    pub step: usize,
    /// What one run of the scenario costs, see [`super::trial::cost`].
    pub cost: u64,
    /// What all runs together may cost.
    pub budget: u64,
}

/// Writes changes of objects into the text; `None` where something is not written as expected.
pub(super) trait Writer {
    /// Replaces the value of a field.
    fn replace(&self, object: &ObjectRef, path: &str, value: &str) -> Option<Vec<Edit>>;

    /// Adds a field at the end of a mapping.
    fn append(&self, object: &ObjectRef, path: &str, name: &str, value: &New) -> Option<Vec<Edit>>;

    /// Adds an item at the end of a list.
    fn push(&self, object: &ObjectRef, path: &str, value: &New) -> Option<Vec<Edit>>;

    /// Replaces a part of an expression, in bytes.
    fn cut(
        &self,
        object: &ObjectRef,
        path: &str,
        expression: &str,
        part: (usize, usize),
    ) -> Option<Vec<Edit>>;

    /// Takes an item out of a list.
    fn remove_item(&self, object: &ObjectRef, list: &str, index: usize) -> Option<Vec<Edit>>;

    /// Makes an item of a list and the next one change places.
    fn swap_items(&self, object: &ObjectRef, list: &str, index: usize) -> Option<Vec<Edit>>;
}

/// A change before it is tried.
struct Proposal {
    kind: &'static str,
    sentence: Phrase,
    /// What it is called when it does not help.
    in_vain: Option<Phrase>,
    edits: Vec<Edit>,
    setting: Option<Setting>,
    /// Whether it is a step of its own, behind all others.
    at_end: bool,
}

/// What came of a try.
enum Answer {
    /// The Pod has a node.
    Fits(Fits),
    /// It waits still.
    Waits,
    /// There is no budget left.
    NotTried,
}

struct Search<'a> {
    case: &'a Case<'a>,
    tries: usize,
    left: u64,
    tried: Tried,
    /// Changes of the text that do not help alone.
    failed: Vec<Proposal>,
}

/// Tries changes, the least first, until enough is known or the budget is used up. Empty when the
/// Pod is gone.
pub(super) fn what_ifs(case: &Case<'_>) -> Tried {
    let key = &case.attempt.pod;
    if case.attempt.before.pods.get(&key.namespace, &key.name).is_none() {
        return Tried::default();
    }
    let mut search = Search {
        case,
        tries: TRIES,
        left: case.budget,
        tried: Tried::default(),
        failed: Vec::new(),
    };
    search.namespaces();
    search.fixes();
    if search.tried.found.is_empty() {
        search.all_fixes();
    }
    search.open_nodes();
    search.deleted_pods();
    search.changed_requests();
    search.other_nodes();
    search.labels();
    search.other_order();
    if search.tried.found.is_empty() {
        search.held_back();
        search.pairs();
    }
    search.fixed();
    search.gates();
    search.releases();
    search.tried.found.order_by_key(|found| found.lax);
    search.tried
}

impl Search<'_> {
    fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        self.case.words.say(key, values)
    }

    /// Whether one more run can be afforded.
    fn afford(&mut self) -> bool {
        let (Some(tries), Some(left)) =
            (self.tries.checked_sub(1), self.left.checked_sub(self.case.cost))
        else {
            return false;
        };
        (self.tries, self.left) = (tries, left);
        true
    }

    /// Runs the changed scenario.
    fn run(&mut self, edits: &[Edit], setting: Option<&Setting>, at_end: bool) -> Answer {
        if !self.afford() {
            return Answer::NotTried;
        }
        let case = self.case;
        let mut options = case.options.clone();
        match setting {
            Some(Setting::KubernetesVersion(version)) => {
                options.kubernetes_version = Some(version.clone());
            }
            Some(Setting::FeatureGate(name, enabled)) => {
                options.feature_gates.insert(name.clone(), *enabled);
            }
            Some(Setting::Behavior(behavior)) => options.behavior = Some(*behavior),
            Some(Setting::Step(_)) | None => {}
        }
        let step = (!at_end).then_some(case.step);
        let found = try_text(&apply(case.text, edits), &options, &case.attempt.pod, step);
        // What is no longer taken elsewhere is too high a price.
        let breaks = || errors(case.text, &options) > errors(case.text, case.options);
        match found {
            Some(_) if setting.is_some() && breaks() => Answer::Waits,
            found => found.map_or(Answer::Waits, Answer::Fits),
        }
    }

    /// Tries a change of the text; whether it helps.
    fn propose(&mut self, proposal: Proposal) -> bool {
        let offered = self.tried.found.iter().filter(|found| found.kind == proposal.kind).count();
        if proposal.edits.is_empty() && proposal.setting.is_none() || offered >= OFFERED {
            return false;
        }
        // Two findings may ask for the same, e.g. for a class that two templates name.
        if self.tried.found.iter().any(|found| found.sentence == proposal.sentence) {
            return true;
        }
        match self.run(&proposal.edits, proposal.setting.as_ref(), proposal.at_end) {
            Answer::Fits(fits) => {
                self.found(proposal, &fits);
                true
            }
            Answer::Waits => {
                self.tried.in_vain.extend(proposal.in_vain.clone());
                self.failed.push(proposal);
                false
            }
            Answer::NotTried => false,
        }
    }

    fn found(&mut self, proposal: Proposal, fits: &Fits) {
        let outcome = self.outcome(fits);
        let Proposal { kind, sentence, edits, setting, .. } = proposal;
        let rules = setting.as_ref().map(|setting| self.not_enforced(setting)).unwrap_or_default();
        let lax = !rules.is_empty();
        let sentence = if lax {
            let rules = self.case.words.list(&rules, rules.len());
            self.say(Key::NotEnforced, &[("text", sentence), ("rules", rules)])
        } else {
            sentence
        };
        self.tried.found.push(Found { kind, sentence, outcome, edits, setting, lax });
    }

    /// The outcome in words: `pod2 gets gpu-7-partition-0`.
    fn outcome(&self, fits: &Fits) -> Phrase {
        let devices: Vec<Phrase> = fits.devices.iter().map(|name| name.as_str().into()).collect();
        let who = ("who", object(&self.case.attempt.pod));
        if devices.is_empty() {
            return self.say(Key::OutcomeRuns, &[who]);
        }
        let devices = ("devices", self.case.words.list(&devices, 4));
        if self.case.attempt.before.nodes.len() > 1 {
            let node = ("node", fits.node.as_str().into());
            return self.say(Key::OutcomeGetsOn, &[who, devices, node]);
        }
        self.say(Key::OutcomeGets, &[who, devices])
    }

    /// What diagnostics of the text offer: a class that is missing, a name that was mistyped.
    fn fixes(&mut self) {
        for fix in self.case.fixes.iter().copied().flatten().take(shown::FIXES) {
            let title = translate(&fix.title, self.case.words.language());
            let sentence = self.say(Key::FitsIfRepaired, &[("title", title.into())]);
            self.propose(Proposal {
                kind: "fix",
                sentence,
                in_vain: None,
                edits: fix.edits.clone(),
                setting: None,
                at_end: false,
            });
        }
        // A fix that does not help is no change that a user would think of.
        self.failed.clear();
    }

    /// The best fix of every diagnostic at once, where none is enough alone.
    fn all_fixes(&mut self) {
        let best: Vec<&Fix> = self.case.fixes.iter().filter_map(|fixes| fixes.first()).collect();
        let mut edits = Vec::new();
        let mut titles: Vec<String> = Vec::new();
        for fix in best {
            let Some(more) = merged(&edits, &fix.edits) else { continue };
            edits = more;
            let title = translate(&fix.title, self.case.words.language());
            if !titles.contains(&title) {
                titles.push(title);
            }
        }
        let titles = titles.into_iter().map(Phrase::from);
        let joined =
            titles.reduce(|text, more| self.say(Key::Semicolon, &[("text", text), ("more", more)]));
        let Some(title) = joined else { return };
        let sentence = self.say(Key::FitsIfRepaired, &[("title", title)]);
        let (in_vain, setting) = (None, None);
        self.propose(Proposal { kind: "fix", sentence, in_vain, edits, setting, at_end: false });
        self.failed.clear();
    }

    /// Requests that ask for less or accept more.
    fn changed_requests(&mut self) {
        let mut of_requests: Vec<(String, Proposal)> = Vec::new();
        for request in self.failing() {
            let Some(claim) = self.claim(&request.claim) else { continue };
            for change in changes::changes(request, &claim, self.case) {
                let proposal = Proposal {
                    kind: change.kind(),
                    sentence: change.sentence(self.case.words, &request.claim),
                    in_vain: Some(change.in_vain(self.case.words)),
                    edits: change.edits(&request.claim, self.case.writer).unwrap_or_default(),
                    setting: None,
                    at_end: false,
                };
                of_requests.push((request.name.clone(), proposal));
            }
        }
        // The same change of another request needs its name.
        let told: Vec<String> = of_requests.iter().map(|it| it.1.sentence.to_string()).collect();
        let proposals =
            of_requests.into_iter().zip(&told).map(|((request, mut proposal), said)| {
                if told.iter().filter(|other| *other == said).count() > 1 {
                    let values = [("text", proposal.sentence), ("request", request.into())];
                    proposal.sentence = self.say(Key::InRequest, &values);
                }
                proposal
            });
        // A constraint keeps the kind of device that is asked for; a term of a selector may not.
        let (dropped, mut proposals): (Vec<Proposal>, Vec<Proposal>) =
            proposals.partition(|proposal| proposal.kind == "drop-term");
        proposals.extend(self.constraints());
        proposals.extend(dropped);
        // Of fewer devices the most that can be had are enough to know.
        let mut is_fewer = false;
        for proposal in proposals {
            let fewer = proposal.kind == "fewer-devices";
            if !(fewer && is_fewer) {
                is_fewer |= self.propose(proposal) && fewer;
            }
        }
    }

    /// Each constraint of the Pod's claims dropped.
    fn constraints(&self) -> Vec<Proposal> {
        let claims = self.case.attempt.claims.iter().map(|claim| &claim.claim);
        let of_claim = |claim: &std::rc::Rc<ResourceClaim>| -> Vec<Proposal> {
            let object = crate::explain::claim_ref(claim);
            let constraints = claim.spec.constraints.iter().enumerate();
            constraints
                .filter_map(|(index, constraint)| {
                    let attribute = constraint.match_attribute.as_ref();
                    let attribute = attribute.or(constraint.distinct_attribute.as_ref())?;
                    let list = "spec.devices.constraints";
                    let path = format!("{list}[{index}]");
                    let subject = crate::explain::Subject::Field { object: object.clone(), path };
                    let values = [("attribute", Phrase::about(attribute.clone(), subject))];
                    Some(Proposal {
                        kind: "drop-constraint",
                        sentence: self.say(Key::FitsIfNoConstraint, &values),
                        in_vain: Some(self.say(Key::VainNoConstraint, &values)),
                        edits: self.case.writer.remove_item(&object, list, index)?,
                        setting: None,
                        at_end: false,
                    })
                })
                .collect()
        };
        claims.flat_map(of_claim).collect()
    }

    /// Two changes of the text at once, when no single one helps.
    fn pairs(&mut self) {
        let failed: Vec<Proposal> =
            std::mem::take(&mut self.failed).into_iter().take(PAIRED).collect();
        for (at, first) in failed.iter().enumerate() {
            for second in failed.iter().skip(at + 1) {
                let edits = merged(&first.edits, &second.edits);
                let at_end = first.at_end || second.at_end;
                let Some(edits) = edits else { continue };
                let fits = match self.run(&edits, None, at_end) {
                    Answer::Fits(fits) => fits,
                    Answer::Waits => continue,
                    Answer::NotTried => return,
                };
                let (first, second) = first.sentence.clone().before(second.sentence.clone());
                let values = [("first", first), ("second", second)];
                let sentence = self.say(Key::FitsIfBoth, &values);
                let outcome = self.outcome(&fits);
                let edits = difference(self.case.text, &apply(self.case.text, &edits));
                let kind = "together";
                let (setting, lax) = (None, false);
                self.tried.found.push(Found { kind, sentence, outcome, edits, setting, lax });
                return;
            }
        }
    }

    fn failing(&self) -> impl Iterator<Item = &RequestExplanation> {
        let causes = self.case.causes.iter();
        let mut indexes: Vec<usize> = causes.flat_map(Cause::requests).collect();
        indexes.sort_unstable();
        indexes.dedup();
        indexes.into_iter().filter_map(|index| self.case.explanation.requests.get(index))
    }

    fn claim(&self, key: &ObjectRef) -> Option<std::rc::Rc<ResourceClaim>> {
        let claims = &self.case.attempt.before.claims;
        claims.get(&key.namespace, &key.name).map(|claim| std::rc::Rc::clone(&claim.value))
    }

    fn pod(&self) -> Option<std::rc::Rc<Pod>> {
        let key = &self.case.attempt.pod;
        let pods = &self.case.attempt.before.pods;
        pods.get(&key.namespace, &key.name).map(|pod| std::rc::Rc::clone(&pod.value))
    }
}
