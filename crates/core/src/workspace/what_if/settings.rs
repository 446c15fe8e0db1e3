//! Changes beside the text: feature gates, releases, and the release without its bugs. Another gate
//! or release also decides which fields of the text are kept, so the text is read anew.

use crate::explain::Phrase;
use crate::explain::words::Key;
use crate::features::{BehaviorMode, Release};

use super::super::report::{Behavior, Setting};
use super::{Answer, Proposal, Search};

impl Search<'_> {
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
