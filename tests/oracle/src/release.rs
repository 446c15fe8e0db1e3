//! The Kubernetes releases that the oracle can be built for.

use crate::generator::Profile;

/// One release whose published modules answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Release {
    /// As in `1.36.2`; `go/releases/<name>.mod` pins its modules.
    pub name: &'static str,
    /// The minor version.
    pub minor: u32,
    /// Build tags of the Go program that asks the allocator: what the release's modules lack.
    pub tags: &'static str,
}

/// Every offered release, oldest first.
pub const RELEASES: [Release; 5] = [
    Release { name: "1.34.13", minor: 34, tags: "without_hint,without_variants" },
    Release { name: "1.35.10", minor: 35, tags: "without_hint" },
    Release { name: "1.36.2", minor: 36, tags: "without_hint" },
    Release { name: "1.36.6", minor: 36, tags: "without_hint" },
    Release { name: "1.37.2", minor: 37, tags: "" },
];

/// The releases whose API server answers, oldest first: `k8s.io/kubernetes` is not published for
/// every patch.
pub const SERVERS: [Release; 2] = [
    Release { name: "1.36.5", minor: 36, tags: "without_hint" },
    Release { name: "1.37.2", minor: 37, tags: "" },
];

/// The releases whose scheduler and controllers answer, oldest first. For the first two the newest
/// `k8s.io/kubernetes` that is published is older than the other modules: 1.34.4 and 1.35.4.
pub const SCHEDULERS: [Release; 4] = {
    let [old, next, ..] = RELEASES;
    let [server, newest] = SERVERS;
    [old, next, server, newest]
};

impl Release {
    /// The release of that name.
    pub fn named(name: &str) -> Option<Self> {
        RELEASES.into_iter().chain(SERVERS).find(|release| release.name == name)
    }

    /// What cases for this release can say.
    pub fn profile(self) -> Profile {
        Profile { minor: self.minor }
    }
}
