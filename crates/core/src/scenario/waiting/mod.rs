//! Pods that have devices and wait for their binding conditions, on the scenario's clock.
//!
//! Upstream: the end of `PreBind` of the plugin, `isPodReadyForBinding`.

use std::rc::Rc;

use crate::api::{Pod, ResourceClaim};
use crate::cluster::{WaitingPod, parse_time};
use crate::scheduler::{
    BINDING_TIMEOUT_SECONDS, Plan, Readiness, has_binding_conditions, readiness,
};

use super::controllers::pod_ref;
use super::simulation::Simulation;
use super::timeline::{Event, EventKind};

/// Seconds between two looks of the scheduler at binding conditions.
pub(crate) const LOOK_SECONDS: u64 = 5;

/// What the scheduler finds when it looks at the claims of a waiting Pod.
enum Look {
    Ready,
    Later,
    /// A claim is gone.
    Missing(String),
    /// Waiting ends with these words.
    Over(String),
}

impl Simulation<'_> {
    /// The Pod of a plan as it waits, if any of its devices is not ready.
    pub(super) fn wait_of(&self, pod: &Pod, plan: &Plan) -> Option<WaitingPod> {
        let namespace = &pod.metadata.namespace;
        let stored = |claim: &Rc<ResourceClaim>| {
            let found = self.cluster.claims.get(namespace, &self.written_name(pod, claim));
            found.map(|claim| Rc::clone(&claim.value))
        };
        let allocated = plan.allocations.iter().map(|(claim, _)| claim);
        let is_new = |claim: &&Rc<ResourceClaim>| {
            !plan.claims.iter().any(|known| known.metadata.name == claim.metadata.name)
        };
        let all = plan.claims.iter().chain(allocated.clone().filter(is_new));
        let claims: Vec<Rc<ResourceClaim>> = all.filter_map(stored).collect();
        let must_wait = claims
            .iter()
            .any(|claim| has_binding_conditions(claim) && readiness(claim) != Readiness::Ready);
        let holds = self.env.behavior().held_until_bound;
        must_wait.then(|| WaitingPod {
            namespace: namespace.clone(),
            name: pod.metadata.name.clone(),
            node: plan.node.clone(),
            deadline_seconds: self.cluster.clock_seconds.saturating_add(BINDING_TIMEOUT_SECONDS),
            claims: claims.iter().map(|claim| claim.metadata.name.clone()).collect(),
            in_flight: allocated.filter(|_| holds).filter_map(stored).collect(),
            missing_since: None,
            is_gone: false,
        })
    }

    /// Binds the waiting Pods whose devices are ready, gives up those that failed or timed out. A Pod
    /// that is gone waits on, and what the scheduler holds for it is held. Says whether any was bound.
    pub(super) fn finish_waiting(&mut self) -> bool {
        let waiting = Rc::clone(&self.cluster.waiting);
        let mut bound = false;
        for wait in waiting.iter() {
            let found = self.cluster.pods.get(&wait.namespace, &wait.name);
            let pod = found.map(|pod| Rc::clone(&pod.value)).filter(|pod| wait.is(pod));
            let now = self.cluster.clock_seconds;
            let mut next = wait.clone();
            next.is_gone = pod.is_none();
            next.missing_since = None;
            let over = match self.look(wait) {
                Look::Ready => {
                    self.replace_waiting(wait, None);
                    if let Some(pod) = pod {
                        self.bind(&pod, &wait.node);
                        bound = true;
                    }
                    continue;
                }
                Look::Missing(text) if next_look(wait).is_some_and(|look| look <= now) => {
                    Some(text)
                }
                Look::Missing(_) => {
                    next.missing_since = wait.missing_since.or(Some(now));
                    None
                }
                Look::Over(text) => Some(text),
                Look::Later => None,
            };
            let Some(text) = over else {
                self.replace_waiting(wait, Some(next));
                continue;
            };
            self.replace_waiting(wait, None);
            if let Some(pod) = pod {
                self.unreserve(&pod);
                self.events.push(Event {
                    object: pod_ref(&pod),
                    kind: EventKind::Failed,
                    text: format!("running PreBind plugin \"DynamicResources\": {text}"),
                });
            }
        }
        bound
    }

    /// Clock times at which waiting may come to an end by itself.
    pub(super) fn ends_of(&self, waiting: &WaitingPod) -> Vec<u64> {
        let timed_out = waiting.claims.iter().filter_map(|name| {
            let claim = self.cluster.claims.get(&waiting.namespace, name)?;
            self.times_out(waiting, &claim.value)
        });
        timed_out.chain([waiting.deadline_seconds]).chain(next_look(waiting)).collect()
    }

    /// Looks claim by claim.
    fn look(&self, waiting: &WaitingPod) -> Look {
        let (namespace, now) = (&waiting.namespace, self.cluster.clock_seconds);
        let is_over = now >= waiting.deadline_seconds;
        let is_explained = self.env.behavior().binding_timeout_explained;
        for name in &waiting.claims {
            let Some(claim) = self.cluster.claims.get(namespace, name) else {
                let text = format!("could not find ResourceClaim \"{namespace}/{name}\"");
                return Look::Missing(text);
            };
            let times_out = || self.times_out(waiting, &claim.value);
            return match readiness(&claim.value) {
                Readiness::Ready => continue,
                Readiness::Failed(text) => Look::Over(text),
                Readiness::Waiting if times_out().is_some_and(|at| at <= now) => {
                    Look::Over(if is_explained {
                        format!("device binding timeout: claim={name}")
                    } else {
                        format!("claim {name} binding timeout")
                    })
                }
                Readiness::Waiting if is_over => {
                    let cause = if is_explained { ": context deadline exceeded" } else { "" };
                    Look::Over(format!("device binding timeout{cause}"))
                }
                Readiness::Waiting => Look::Later,
            };
        }
        Look::Ready
    }

    /// The first look at the clock that finds a claim allocated too long ago, when that is before the
    /// end of waiting. Stored times have no fractions of a second, so a look that long after it is
    /// late enough.
    fn times_out(&self, waiting: &WaitingPod, claim: &ResourceClaim) -> Option<u64> {
        let allocation =
            claim.status.allocation.as_ref().filter(|_| has_binding_conditions(claim))?;
        let allocated = allocation.allocation_timestamp.as_deref().and_then(parse_time)?;
        let end = allocated.saturating_add_unsigned(BINDING_TIMEOUT_SECONDS);
        let every = usize::try_from(LOOK_SECONDS).ok()?;
        let mut looks = (began(waiting)..waiting.deadline_seconds).step_by(every);
        let time = |look: u64| self.cluster.epoch_seconds.saturating_add_unsigned(look);
        looks.find(|look| time(*look) >= end)
    }

    /// Puts another state in the place of one, or none.
    fn replace_waiting(&mut self, known: &WaitingPod, next: Option<WaitingPod>) {
        if next.as_ref() == Some(known) {
            return;
        }
        let all = Rc::make_mut(&mut self.cluster.waiting);
        let Some(at) = all.iter().position(|waiting| waiting == known) else { return };
        all.splice(at..=at, next);
    }
}

/// When the scheduler finds that a claim is gone.
fn next_look(waiting: &WaitingPod) -> Option<u64> {
    let since = waiting.missing_since?;
    let looks = since.saturating_sub(began(waiting)) / LOOK_SECONDS + 1;
    Some(began(waiting).saturating_add(looks * LOOK_SECONDS))
}

/// Clock time at which waiting began.
fn began(waiting: &WaitingPod) -> u64 {
    waiting.deadline_seconds.saturating_sub(BINDING_TIMEOUT_SECONDS)
}

#[cfg(test)]
mod tests;
