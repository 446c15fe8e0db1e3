//! How many files and diagnostics there were.

use std::collections::BTreeMap;

use dra_playground_core::workspace::report::{Diagnostic, Severity};

use crate::output;

/// Counts over many files.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    files: usize,
    /// Files by the worst that was found in them.
    worst: [usize; 3],
    /// Diagnostics by severity and code, and the files that have them.
    codes: BTreeMap<(usize, String), (usize, usize)>,
}

const SEVERITIES: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Note];

fn rank(severity: Severity) -> usize {
    SEVERITIES.iter().position(|known| *known == severity).unwrap_or_default()
}

impl Tally {
    /// Counts a file.
    pub(crate) fn add(&mut self, diagnostics: &[Diagnostic]) {
        self.files += 1;
        let worst = diagnostics.iter().map(|found| rank(found.severity)).min();
        if let Some(count) = worst.and_then(|worst| self.worst.get_mut(worst)) {
            *count += 1;
        }
        let mut here: BTreeMap<(usize, String), usize> = BTreeMap::new();
        for found in diagnostics {
            *here.entry((rank(found.severity), found.code.clone())).or_default() += 1;
        }
        for (code, count) in here {
            let (all, files) = self.codes.entry(code).or_default();
            *all += count;
            *files += 1;
        }
    }

    /// Prints the counts of several files.
    pub(crate) fn print(&self) {
        if self.files < 2 {
            return;
        }
        let [errors, warnings, notes] = self.worst;
        let clean = self.files - errors - warnings - notes;
        output::line("");
        output::line(&format!(
            "{} files: {clean} without a diagnostic, {notes} with notes only, {warnings} with warnings, {errors} with errors",
            self.files
        ));
        output::line("");
        let rows = self.codes.iter().map(|((rank, code), (count, files))| {
            let severity = SEVERITIES.get(*rank).map_or("", |found| output::severity(*found));
            vec![severity.to_owned(), code.clone(), count.to_string(), files.to_string()]
        });
        output::table(&["SEVERITY", "CODE", "COUNT", "FILES"], &rows.collect::<Vec<_>>());
    }
}
