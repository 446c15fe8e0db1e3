use crate::features::{Behavior, BehaviorMode, Release};

use super::report;

/// Release and gates in force, and what may be chosen.
pub(super) fn kubernetes(behavior: &Behavior) -> report::Kubernetes {
    let gates = &behavior.gates;
    let mut offered: Vec<Release> = Release::OFFERED.to_vec();
    if !offered.contains(&behavior.release) {
        offered.push(behavior.release);
        offered.sort();
    }
    report::Kubernetes {
        version: behavior.release.to_string(),
        versions: offered.iter().map(ToString::to_string).collect(),
        gates: gates
            .known()
            .map(|info| report::Gate {
                name: info.gate.name().to_owned(),
                stage: info.stage.as_str().to_owned(),
                default: info.default,
                enabled: gates.enabled(info.gate),
                summary: info.gate.summary().to_owned(),
            })
            .collect(),
        behavior: match behavior.mode {
            BehaviorMode::AsReleased => report::Behavior::AsReleased,
            BehaviorMode::Fixed => report::Behavior::Fixed,
        },
        variant: behavior.variant.as_str().to_owned(),
    }
}
