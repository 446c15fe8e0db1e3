//! Which Pods the page shows first.

use std::collections::BTreeMap;

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{Analysis, ObjectKey, PodView};

/// Most Pods that are listed as the text has them.
const FEW: usize = 6;

/// Pods in the order of their table: where they are many, those that wait come first.
pub(crate) fn listed(analysis: &Analysis) -> Vec<&PodView> {
    let mut pods: Vec<&PodView> = analysis.snapshot.pods.iter().collect();
    if pods.len() > FEW {
        pods.order_by_key(|pod| pod.cause.0.is_empty());
    }
    pods
}

/// Whether a Pod has come to its end.
pub(crate) fn is_finished(pod: &PodView) -> bool {
    matches!(pod.status.as_str(), "Completed" | "Error")
}

/// Whether the step that comes next in the text deletes just this Pod.
pub(crate) fn deletes_next(text: &str, analysis: &Analysis, key: &ObjectKey) -> bool {
    let Some(step) = analysis.steps.get(analysis.step + 1) else { return false };
    let Some(range) = step.range.filter(|_| step.operation == "delete") else { return false };
    let units: Vec<u16> = text.encode_utf16().collect();
    let written = units.get(range.from as usize..range.to as usize).unwrap_or_default();
    let written = String::from_utf16_lossy(written);
    let mut words = written.split(|c: char| !(c.is_alphanumeric() || "-.".contains(c)));
    words.clone().any(|word| word == "Pod") && words.any(|word| word == key.name)
}

/// Pods by what names them.
pub(crate) fn by_key(analysis: &Analysis) -> BTreeMap<&ObjectKey, &PodView> {
    let mut pods = BTreeMap::new();
    for pod in &analysis.snapshot.pods {
        pods.insert(&pod.object, pod);
    }
    pods
}

/// The Pod to open with: one of the step, one that waits, one of which the text says so, one that uses
/// claims.
pub(crate) fn telling(analysis: &Analysis) -> Option<&PodView> {
    let pods = &analysis.snapshot.pods;
    let waits = |pod: &&PodView| !pod.cause.0.is_empty();
    let of_step = || {
        let step = analysis.steps.get(analysis.step).filter(|_| analysis.step > 0)?;
        let pods = by_key(analysis);
        let found = || step.outcomes.iter().filter_map(|outcome| pods.get(&outcome.object));
        found().copied().find(waits).or_else(|| found().copied().next())
    };
    of_step()
        .or_else(|| pods.iter().find(waits))
        .or_else(|| pods.iter().find(|pod| pod.said_pending && !is_finished(pod)))
        .or_else(|| pods.iter().find(|pod| !pod.claims.is_empty() && !is_finished(pod)))
        .or_else(|| pods.iter().find(|pod| !is_finished(pod)))
        .or_else(|| pods.first())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    fn with(names: &[&str]) -> Analysis {
        let mut analysis = fixture::analysis();
        let pod = |name: &&str| PodView {
            object: fixture::object("Pod", name),
            status: "Running".to_owned(),
            ..PodView::default()
        };
        analysis.snapshot.pods = names.iter().map(pod).collect();
        analysis
    }

    #[test]
    fn of_many_pods_those_that_wait_come_first() {
        let mut analysis = with(&["a", "b", "c", "d", "e", "f", "g"]);
        let cause = fixture::analysis().snapshot.pods[1].cause.clone();
        for at in [3, 5] {
            analysis.snapshot.pods[at].cause = cause.clone();
        }
        let said = |analysis: &Analysis| -> String {
            listed(analysis).iter().map(|pod| pod.object.name.as_str()).collect()
        };
        assert_eq!(said(&analysis), "dfabceg");
        analysis.snapshot.pods.pop();
        assert_eq!(said(&analysis), "abcdef", "few stand as in the text");
    }

    #[test]
    fn the_pod_that_interests_is_opened() {
        let mut analysis = with(&["done", "plain", "uses", "stale"]);
        analysis.step = 0;
        let claim = fixture::object("ResourceClaim", "c");
        let [done, _, uses, stale] = &mut analysis.snapshot.pods[..] else { panic!() };
        done.status = "Completed".to_owned();
        done.claims = vec![claim.clone()];
        uses.claims = vec![claim];
        stale.said_pending = true;
        let name = |analysis: &Analysis| telling(analysis).unwrap().object.name.clone();
        assert_eq!(name(&analysis), "stale", "the text says that it waits");
        analysis.snapshot.pods[3].said_pending = false;
        assert_eq!(name(&analysis), "uses");
        analysis.snapshot.pods[2].claims.clear();
        assert_eq!(name(&analysis), "plain");
        analysis.snapshot.pods.truncate(1);
        assert_eq!(name(&analysis), "done");
    }
}
