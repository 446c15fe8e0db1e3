use std::fmt;

/// A patch release of Kubernetes whose DRA code is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    minor: u8,
    /// `None` for the sources of 1 July 2026, before 1.37.0; sorts before every patch.
    patch: Option<u8>,
}

/// A release that the playground does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRelease {
    /// What was asked for.
    pub text: String,
}

impl fmt::Display for UnknownRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown Kubernetes release `{}`, known are", self.text)?;
        for (index, (minor, newest)) in NEWEST_PATCH.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma} 1.{minor}.0 to 1.{minor}.{newest}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownRelease {}

/// Minor releases and their newest patch whose sources were read.
const NEWEST_PATCH: [(u8, u8); 4] = [(34, 13), (35, 10), (36, 6), (37, 2)];

/// The text form of [`Release::DEVELOPMENT`] in recorded cases.
const DEVELOPMENT_TEXT: &str = "1.37.0-alpha";

impl Release {
    /// The release used when nothing else is asked for.
    pub const DEFAULT: Release = Release { minor: 36, patch: Some(2) };

    /// The sources between 1.36 and 1.37 (1 July 2026) from which part of the recorded answers
    /// comes. It is not offered.
    pub const DEVELOPMENT: Release = Release { minor: 37, patch: None };

    /// The releases that are offered, oldest first.
    pub const OFFERED: [Release; 5] = [
        Release { minor: 34, patch: Some(13) },
        Release { minor: 35, patch: Some(10) },
        Release { minor: 36, patch: Some(2) },
        Release { minor: 36, patch: Some(6) },
        Release { minor: 37, patch: Some(2) },
    ];

    /// Reads `1.36.2`, `v1.36.2`, or `1.36` for the newest known patch of a minor release.
    ///
    /// # Errors
    /// The release is not known.
    pub fn parse(text: &str) -> Result<Self, UnknownRelease> {
        let unknown = || UnknownRelease { text: text.to_owned() };
        let bare = text.trim();
        let bare = bare.strip_prefix('v').unwrap_or(bare);
        if bare == DEVELOPMENT_TEXT {
            return Ok(Self::DEVELOPMENT);
        }
        let mut parts = bare.split('.');
        let major = parts.next().unwrap_or_default();
        let minor = parts.next().and_then(|p| p.parse::<u8>().ok()).ok_or_else(unknown)?;
        let newest =
            NEWEST_PATCH.iter().find(|(m, _)| *m == minor).map(|(_, p)| *p).ok_or_else(unknown)?;
        let patch = match parts.next() {
            None => newest,
            Some(p) => p.parse::<u8>().map_err(|_| unknown())?,
        };
        if major != "1" || patch > newest || parts.next().is_some() {
            return Err(unknown());
        }
        Ok(Self { minor, patch: Some(patch) })
    }

    /// The minor version, e.g. 36.
    pub fn minor(self) -> u8 {
        self.minor
    }

    /// Whether the release is `1.minor.patch` or a later one.
    pub(super) fn since(self, minor: u8, patch: u8) -> bool {
        self >= Self { minor, patch: Some(patch) }
    }

    /// Whether the release has the code of [`Release::DEVELOPMENT`] or later.
    pub(super) fn since_development(self) -> bool {
        self >= Self::DEVELOPMENT
    }

    /// Whether a change that was backported is in: the first patch that has it, per minor release.
    /// Minor releases after the last one listed have it, those not listed before do not.
    pub(super) fn since_any(self, patches: &[(u8, u8)]) -> bool {
        match patches.iter().find(|(minor, _)| *minor == self.minor) {
            Some((_, patch)) => self.patch >= Some(*patch),
            None => patches.last().is_some_and(|(minor, _)| self.minor > *minor),
        }
    }
}

impl Default for Release {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.patch {
            Some(patch) => write!(f, "1.{}.{patch}", self.minor),
            None => f.write_str(DEVELOPMENT_TEXT),
        }
    }
}
