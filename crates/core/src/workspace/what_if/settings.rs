//! Changes beside the text: feature gates, releases, and the release without its bugs. Another gate
//! or release also decides which fields of the text are kept, so the text is read anew.

use crate::allocator::SkipReason;
use crate::explain::Phrase;
use crate::explain::words::Key;
use crate::features::{BehaviorMode, Gate, Gates, Release};

use super::super::report::{Behavior, Setting};
use super::{Answer, Proposal, Search};

/// The rule that refused a device, with the gate without which it is not enforced.
fn rule(reason: &SkipReason) -> Option<(Gate, Key)> {
    Some(match reason {
        SkipReason::Tainted { .. } => (Gate::DeviceTaints, Key::RuleTaints),
        SkipReason::CountersShort { .. } => (Gate::PartitionableDevices, Key::RuleCounters),
        SkipReason::CapacityShort { .. }
        | SkipReason::CapacityPolicy { .. }
        | SkipReason::CapacityUnknown { .. } => (Gate::ConsumableCapacity, Key::RuleCapacity),
        SkipReason::ConstraintDuplicate { .. } => (Gate::ConsumableCapacity, Key::RuleDistinct),
        _ => return None,
    })
}

impl Search<'_> {
    /// Rules that refuse devices now and are not enforced under a setting.
    pub(super) fn not_enforced(&self, setting: &Setting) -> Vec<Phrase> {
        let enforced = &self.case.env.behavior().gates;
        let off = |gate: Gate| match setting {
            Setting::FeatureGate(name, enabled) => !enabled && *name == gate.name(),
            Setting::KubernetesVersion(version) => {
                let asked = self.case.options.feature_gates.get(gate.name());
                let release = Release::parse(version).ok();
                !asked.copied().unwrap_or_else(|| {
                    release.is_some_and(|release| Gates::defaults(release).enabled(gate))
                })
            }
            Setting::Behavior(_) | Setting::Step(_) => false,
        };
        let requests = self.case.explanation.requests.iter();
        let verdicts = requests.flat_map(|it| &it.verdicts);
        let reasons =
            verdicts.flat_map(|it| it.reason.told().into_iter().chain(it.beside.as_deref()));
        let mut rules: Vec<Key> = reasons
            .filter_map(rule)
            .filter(|(gate, _)| enforced.enabled(*gate) && off(*gate))
            .map(|(_, rule)| rule)
            .collect();
        rules.sort_unstable();
        rules.dedup();
        rules.into_iter().map(|rule| self.case.words.word(rule).into()).collect()
    }

    /// Tries a setting; `None` when it cannot be afforded.
    fn set(&mut self, kind: &'static str, sentence: Phrase, setting: Setting) -> Option<bool> {
        let fits = match self.run(&[], Some(&setting), false) {
            Answer::Fits(fits) => fits,
            Answer::Waits => return Some(false),
            Answer::NotTried => return None,
        };
        let proposal = Proposal {
            kind,
            sentence,
            in_vain: None,
            edits: Vec::new(),
            setting: Some(setting),
            at_end: false,
        };
        self.found(proposal, &fits);
        Some(true)
    }

    /// The release without its known bugs.
    pub(super) fn fixed(&mut self) {
        if self.case.env.behavior().mode == BehaviorMode::Fixed {
            return;
        }
        let sentence = self.case.words.word(Key::FitsIfFixed).into();
        self.set("fixed", sentence, Setting::Behavior(Behavior::Fixed));
    }

    /// Every feature gate switched.
    pub(super) fn gates(&mut self) {
        let gates = &self.case.env.behavior().gates;
        let (mut all, mut tried, mut helps) = (true, false, false);
        for info in gates.known().filter(|info| !info.locked) {
            let enabled = !gates.enabled(info.gate);
            let key = if enabled { Key::FitsWithGate } else { Key::FitsWithoutGate };
            let name = info.gate.name();
            let sentence = self.say(key, &[("gate", name.into())]);
            match self.set("gate", sentence, Setting::FeatureGate(name.to_owned(), enabled)) {
                Some(helped) => {
                    tried = true;
                    helps |= helped;
                }
                None => all = false,
            }
        }
        if all && tried && !helps {
            let in_vain = self.say(Key::VainGates, &[]);
            self.tried.in_vain.push(in_vain);
        }
    }

    /// Every other release that is offered.
    pub(super) fn releases(&mut self) {
        let current = self.case.env.behavior().release;
        let mut in_vain = Vec::new();
        for release in Release::OFFERED.into_iter().filter(|other| *other != current) {
            let name = release.to_string();
            let sentence = self.say(Key::FitsInRelease, &[("release", name.as_str().into())]);
            let setting = Setting::KubernetesVersion(name.clone());
            if self.set("release", sentence, setting) == Some(false) {
                in_vain.push(Phrase::from(name));
            }
        }
        if !in_vain.is_empty() {
            let releases = self.case.words.list(&in_vain, in_vain.len());
            let in_vain = self.say(Key::VainReleases, &[("releases", releases)]);
            self.tried.in_vain.push(in_vain);
        }
    }
}
