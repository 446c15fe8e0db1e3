//! Failing scenarios that were tried with nothing but the page, and what else users report: one file
//! each. The line that the sentence has to point at ends with `# here`.

use super::scenarios::Failing;

macro_rules! failing {
    ($name:literal, $code:literal, $says:literal, $helps:expr) => {
        Failing {
            name: $name,
            with: &[],
            text: include_str!(concat!("later/", $name, ".yaml")),
            code: $code,
            says: $says,
            helps: $helps,
        }
    };
}

pub(super) const ALL: &[Failing] = &[
    failing!(
        "admin-claim-first",
        "undone",
        "exclude each other",
        Some(("order", "work comes before monitor"))
    ),
    failing!(
        "cordoned-node",
        "no-devices",
        "s is for node-b",
        Some(("fix", "unschedulable of node-b is false"))
    ),
    failing!(
        "tainted-node",
        "no-devices",
        "s is for node-b",
        Some(("tolerate", "example.com/gpu:NoSchedule"))
    ),
    failing!(
        "claim-in-other-namespace",
        "missing",
        "only in namespace default",
        Some(("fix", "namespace of monitor is team"))
    ),
];
