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
    failing!(
        "root-under-another-name",
        "constraint",
        "must have the same resource.kubernetes.io/pcieRoot",
        Some(("drop-constraint", "pcieRoot"))
    ),
    failing!(
        "gang-and-a-whole-card",
        "in-use-committed",
        "for request gpu/half, every device it accepts draws 40Gi",
        Some(("order", "half comes before whole"))
    ),
    failing!("tainted-and-held-by-nobody", "tainted", "of which 1 can be had: tainted", None),
    failing!(
        "claim-that-nobody-uses",
        "in-use-committed",
        "nightly-7c9f",
        Some(("delete-pod", "nightly-7c9f is deleted"))
    ),
    failing!(
        "half-a-cpu-rounded",
        "capacity-short",
        "has 1 of 4 dra.cpu/cpu left, and 2 is asked",
        Some(("ask-less", "1 instead of 1500m"))
    ),
    failing!(
        "shared-volume-and-own-gpu",
        "in-use-committed",
        "on a1, gpu-0, the only device it accepts, belongs to writer",
        Some(("delete-pod", "writer"))
    ),
    failing!(
        "older-generation",
        "in-use-committed",
        "d0, the only device it accepts, belongs to first",
        Some(("delete-pod", "first"))
    ),
];
