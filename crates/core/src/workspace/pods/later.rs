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
        Some(("fix", "node-b is uncordoned"))
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
    failing!(
        "mig-places-taken",
        "counters-short",
        "the rest went to notebooks",
        Some(("delete-pod", "notebooks"))
    ),
    failing!(
        "one-node-of-three-fails",
        "cel-error",
        "on w2, the selector of c fails on gpu-0",
        Some(("fix", ".?memory.orValue(0)"))
    ),
    failing!(
        "one-pool-name-for-all-nodes",
        "in-use-committed",
        "on w1, gpu-0, the only device it accepts, belongs to one",
        Some(("fix", "name the pool of each node like the node"))
    ),
    failing!(
        "shared-claim-here-own-device-there",
        "class-selector-false",
        "on w1, class nic.example.com accepts no device",
        None
    ),
    failing!(
        "republished-at-a-higher-price",
        "counters-short",
        "where 20Gi of 80Gi is left",
        Some(("delete-pod", "early"))
    ),
    failing!(
        "numa-as-number-and-as-text",
        "constraint",
        "gpu could have 0 and 1 and nic could have",
        Some(("fix", "write `int: 0`"))
    ),
    failing!(
        "toleration-on-the-pod",
        "tainted",
        "xid=79:NoExecute is not tolerated",
        Some(("tolerate", "xid=79:NoExecute"))
    ),
    failing!(
        "values-round-up",
        "capacity-short",
        "2 of 10 cpus left, and 4 is asked",
        Some(("ask-less", "2 instead of 3 cpus"))
    ),
];
