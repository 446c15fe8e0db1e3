//! Changes in the form of the report.

use std::rc::Rc;

use dra_playground_cel::order::Order;

use crate::explain::{Explanation, Facts, Speaker};
use crate::scheduler::Attempt;

use super::super::analysis::{Shown, Tried as TriedPod};
use super::super::diagnosis::Diagnosis;
use super::super::explained::{Explained, explain_attempt};
use super::super::phrases::{Wording, object_ref};
use super::super::report::{Diagnostic, Fix, ObjectKey, Phrase, Severity, WhatIf};
use super::super::sight::Scene;
use super::super::trial::cost;
use super::super::writer::TextWriter;
use super::{Case, Tried, what_ifs};

/// What may be tried without being asked for: some tenths of a second.
const AT_ONCE: u64 = 6_000_000;
/// What may be tried when it is asked for.
const ASKED: u64 = 80_000_000;
/// Fixes of diagnostics that are tried.
pub(super) const FIXES: usize = 12;

impl Shown<'_> {
    /// Whether changes can be tried for so many Pods without being asked for.
    pub(in super::super) fn tries_at_once(&self, pods: usize) -> bool {
        // A few runs for each must be affordable, or else nothing worth saying would come out.
        let runs = (pods as u64).saturating_mul(16);
        cost(self.text, self.timeline).saturating_mul(runs) <= AT_ONCE
    }

    /// Changes with which a Pod would fit, up to a step, and what was tried in vain.
    pub(in super::super) fn what_ifs_of(
        &self,
        step: usize,
        pod: &ObjectKey,
    ) -> (Vec<WhatIf>, Vec<Phrase>) {
        let latest = self.latest(step);
        let found = latest.get(&object_ref(pod)).map(|tried| self.try_changes(step, tried, ASKED));
        found.unwrap_or_default()
    }

    /// The same for small scenarios, remembered.
    pub(in super::super) fn what_ifs_at_once(
        &self,
        step: usize,
        tried: &TriedPod<'_>,
    ) -> (Vec<WhatIf>, Vec<Phrase>) {
        let key = (step, tried.step, tried.index);
        if let Some(known) = self.memo.what_ifs.borrow().get(&key) {
            return known.clone();
        }
        let found = self.try_changes(step, tried, AT_ONCE);
        self.memo.what_ifs.borrow_mut().insert(key, found.clone());
        found
    }

    fn try_changes(
        &self,
        step: usize,
        tried: &TriedPod<'_>,
        budget: u64,
    ) -> (Vec<WhatIf>, Vec<Phrase>) {
        let attempt = tried.attempt;
        if attempt.outcome.node().is_some() {
            return Default::default();
        }
        let diagnosis = self.diagnosis(tried);
        let scene = match &diagnosis {
            Some(diagnosis) => Rc::clone(&diagnosis.scene),
            None => self.scene(attempt),
        };
        let nothing = Explanation::default();
        let (claims, explanation, causes) = match &diagnosis {
            Some(found) => {
                let Explained { claims, explanation, .. } = &found.explained;
                (claims.as_slice(), explanation, found.causes.as_slice())
            }
            None => (&[][..], &nothing, &[][..]),
        };
        let scenery = self.scenery(attempt, &scene.world, claims);
        let writer = TextWriter { text: self.text, scenery };
        let (now_explained, now_scene) = self.held_back(attempt, diagnosis.as_deref());
        let ask = |speaker: Speaker<'_>, now: Option<(&Explanation, &dyn Facts)>| {
            what_ifs(&Case {
                attempt,
                explanation,
                causes,
                facts: speaker.facts,
                now,
                env: self.env,
                words: self.words,
                text: self.text,
                writer: &writer,
                options: self.options,
                timeline: self.timeline,
                fixes: fixes(self.diagnostics),
                step,
                cost: cost(self.text, self.timeline),
                budget,
            })
        };
        let Tried { found, in_vain } = self.with_speaker(attempt, claims, &scene, "", |speaker| {
            let Some(now) = now_explained else { return ask(speaker, None) };
            self.with_speaker(attempt, &now.claims, &now_scene, "", |real| {
                ask(speaker, Some((&now.explanation, real.facts)))
            })
        });
        let helps = found.into_iter().map(|found| WhatIf {
            kind: found.kind.to_owned(),
            sentence: scenery.phrase(&found.sentence),
            outcome: scenery.phrase(&found.outcome),
            edits: found.edits,
            setting: found.setting,
        });
        let in_vain = in_vain.iter().map(|phrase| scenery.phrase(phrase)).collect();
        (helps.collect(), in_vain)
    }

    /// The search as it was on the node of a diagnosis that leaves out what others hold, and the
    /// devices then.
    fn held_back(
        &self,
        attempt: &Attempt,
        diagnosis: Option<&Diagnosis>,
    ) -> (Option<Explained>, Rc<Scene>) {
        let scene = self.scene(attempt);
        let Some(found) = diagnosis.filter(|found| found.never) else { return (None, scene) };
        let at = found.explained.node;
        let mut explained = explain_attempt(attempt, self.env, &scene.world, 1, |it, _| it == at);
        (explained.pop(), scene)
    }
}

/// What diagnostics offer that could let a Pod run: those of errors first, of notes only hints on
/// selectors.
fn fixes(diagnostics: &[Diagnostic]) -> Vec<&[Fix]> {
    let mut found: Vec<&Diagnostic> = diagnostics
        .iter()
        .filter(|found| found.severity != Severity::Note || found.code == "selector-hint")
        .collect();
    found.order_by_key(|found| found.severity);
    let fixable = found.into_iter().filter(|found| !found.fixes.is_empty());
    fixable.map(|found| found.fixes.as_slice()).take(FIXES).collect()
}

/// Kept between requests for the same text.
pub(in super::super) type Known =
    std::collections::BTreeMap<(usize, usize, usize), (Vec<WhatIf>, Vec<Phrase>)>;
