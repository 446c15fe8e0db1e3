use dra_playground_cel::order::Order;

use crate::diagnostic::did_you_mean;
use crate::features::{Behavior, BehaviorMode, Gate, Release};

use super::report;

/// Release and gates in force, and what may be chosen.
pub(super) fn kubernetes(behavior: &Behavior) -> report::Kubernetes {
    let gates = &behavior.gates;
    let mut offered: Vec<Release> = Release::OFFERED.to_vec();
    if !offered.contains(&behavior.release) {
        offered.push(behavior.release);
        offered.order();
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

/// Refuses a release or feature gate that does not exist; the analysis itself goes on without them.
///
/// # Errors
/// A sentence with what exists.
pub fn check_options(options: &report::Options) -> Result<(), String> {
    if let Some(text) = &options.kubernetes_version {
        Release::parse(text).map_err(|problem| problem.to_string())?;
    }
    let unknown = options.feature_gates.keys().find(|name| Gate::from_name(name).is_none());
    let Some(name) = unknown else { return Ok(()) };
    let known: Vec<&str> = Gate::ALL.iter().map(|gate| gate.name()).collect();
    let close = did_you_mean(name, known.iter().copied());
    let close = close.map(|close| format!("did you mean `{close}`? "));
    let (close, known) = (close.unwrap_or_default(), known.join(", "));
    Err(format!("unknown feature gate `{name}`; {close}known are {known}"))
}
