//! The control plane in motion: controllers, evictions, and the scheduler's rounds.

use std::rc::Rc;

use crate::api::{Pod, ResourceClaim};
use crate::apimachinery::ObjectRef;
use crate::cluster::{
    Cluster, Made, Object, Origin, WaitingPod, format_time, generated_claim_name, stable_uuid,
};
use crate::scheduler::{
    Attempt, Consequence, EXTENDED_RESOURCES, Env, Fatal, Inputs, MAX_CONSUMERS, Outcome, Plan,
    SPECIAL_CLAIM_NAME, attempt_pod, is_reserved_for, is_terminal, waits_for_conditions,
};

use super::controllers::{
    add_finalizer, claim_names, claim_ref, deallocate, owner, reconcile, reserve,
};
use super::eviction::{EvictingTaints, Eviction, evicting_rules, evictions};
use super::timeline::{Event, EventKind};

/// How often pending Pods are tried again in one step because something was freed meanwhile.
const MAX_ROUNDS: usize = 16;

/// Work that a scenario may cause: devices, claims and Pods looked at, and search calls, over all
/// attempts. Some seconds in a browser.
const MAX_WORK: u64 = 40_000_000;

/// The cluster while a step is being done.
#[derive(Debug)]
pub(super) struct Simulation<'a> {
    pub(super) cluster: Cluster,
    pub(super) env: &'a Env,
    /// Index of the step.
    pub(super) step: usize,
    pub(super) attempts: Vec<Rc<Attempt>>,
    pub(super) events: Vec<Event>,
    pub(super) evicted: Vec<Eviction>,
    /// Work done so far, in all steps.
    pub(super) work: u64,
    /// Attempts that were not made because the work is too much.
    pub(super) left_out: usize,
}

impl Simulation<'_> {
    /// Lets controllers and the scheduler act until nothing more happens at this time.
    pub(super) fn settle(&mut self) {
        self.yield_hypothetical();
        for _ in 0..MAX_ROUNDS {
            reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
            let evicted = self.evict_due();
            if evicted {
                reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
            }
            if self.finish_waiting() && self.evict_due() {
                reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
            }
            if !self.schedule_pending() {
                break;
            }
        }
        // A claim that was allocated may be one that a running Pod uses, and a Pod that got a tainted
        // device, because others use it already, goes at once.
        reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
        if self.evict_due() {
            reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
        }
    }

    /// Moves the clock on, stopping wherever something happens on the way.
    pub(super) fn advance(&mut self, seconds: u64) {
        let target = self.cluster.clock_seconds.saturating_add(seconds);
        // Each stop evicts a Pod or ends its waiting, so there are at most a few per Pod.
        let stops = self.cluster.pods.len().saturating_mul(4).saturating_add(8);
        for _ in 0..stops {
            let Some(next) = self.next_stop().filter(|&next| next < target) else { break };
            self.cluster.clock_seconds = next;
            self.settle();
        }
        self.cluster.clock_seconds = target;
    }

    /// Clock time after now at which something happens by itself.
    fn next_stop(&self) -> Option<u64> {
        let now = self.cluster.clock_seconds;
        let evicted = evictions(&self.cluster, self.env.behavior())
            .into_iter()
            .filter_map(|eviction| u64::try_from(eviction.at - self.cluster.epoch_seconds).ok());
        let timed_out = self.cluster.waiting.iter().flat_map(|waiting| self.ends_of(waiting));
        evicted.chain(timed_out).filter(|&at| at > now).min()
    }

    /// Gives back what hypothetical Pods hold, so that they never stand in a real Pod's way.
    fn yield_hypothetical(&mut self) {
        let is_hypothetical = |pod: &Object<Pod>| pod.origin.made == Made::Hypothetical;
        if self.cluster.pods.iter().all(is_hypothetical) {
            return;
        }
        let pods: Vec<Rc<Pod>> = self
            .cluster
            .pods
            .iter()
            .filter(|pod| is_hypothetical(pod) && pod.value.node_name.is_some())
            .map(|pod| Rc::clone(&pod.value))
            .collect();
        for pod in pods {
            for name in claim_names(&pod) {
                let found = self.cluster.claims.get(&pod.metadata.namespace, &name).cloned();
                if let Some(claim) = found {
                    deallocate(&mut self.cluster, &claim.value);
                }
            }
            self.update_pod(&pod, |pod| {
                pod.node_name = None;
                pod.phase.clear();
            });
        }
    }

    /// Deletes the Pods whose eviction is due.
    fn evict_due(&mut self) -> bool {
        let now = self.cluster.now();
        let due: Vec<Eviction> = evictions(&self.cluster, self.env.behavior())
            .into_iter()
            .filter(|eviction| eviction.at <= now)
            .collect();
        for eviction in &due {
            self.evict(&eviction.namespace, &eviction.pod);
        }
        !due.is_empty()
    }

    /// Deletes a Pod that was just bound to a device whose taint it must not run with: before the
    /// next Pod is tried.
    fn evict_bound(&mut self, pod: &Pod) {
        let behavior = self.env.behavior();
        // What is known of the slices already spares looking at them after every Pod.
        let may_evict = Inputs::of(&self.cluster, self.env).evicts()
            || evicting_rules(&self.cluster, behavior).next().is_some();
        if !may_evict {
            return;
        }
        let Some(taints) = EvictingTaints::of(&self.cluster, behavior) else { return };
        let at = taints.pod_eviction(&self.cluster, pod);
        if at.is_some_and(|at| at <= self.cluster.now()) {
            self.evict(&pod.metadata.namespace, &pod.metadata.name);
            reconcile(&mut self.cluster, self.env.behavior(), self.step, &mut self.events);
        }
    }

    fn evict(&mut self, namespace: &str, pod: &str) {
        self.cluster.pods.remove(namespace, pod);
        self.events.push(Event {
            object: ObjectRef {
                kind: "Pod".to_owned(),
                namespace: namespace.to_owned(),
                name: pod.to_owned(),
            },
            kind: EventKind::Evicted,
            text: "Marking for deletion".to_owned(),
        });
        let at = self.cluster.now();
        self.evicted.push(Eviction { pod: pod.into(), namespace: namespace.into(), at });
    }

    /// Takes the Pod out of the reservations of its claims, and deletes the special one.
    pub(super) fn unreserve(&mut self, pod: &Pod) {
        if let Some(special) = self.special_claim(pod) {
            self.cluster.claims.remove(&pod.metadata.namespace, &special);
        }
        for name in claim_names(pod) {
            self.cluster.claims.update(&pod.metadata.namespace, &name, |claim| {
                claim.status.reserved_for.retain(|consumer| {
                    consumer.resource != "pods" || consumer.name != pod.metadata.name
                });
            });
        }
    }

    /// The claim that was made for a Pod's extended resources.
    fn special_claim(&self, pod: &Pod) -> Option<String> {
        self.cluster
            .claims
            .iter()
            .find(|claim| {
                claim.origin.made == Made::ForExtendedResources
                    && claim.value.metadata.namespace == pod.metadata.namespace
                    && claim
                        .value
                        .metadata
                        .owner_references
                        .iter()
                        .any(|owner| owner.name == pod.metadata.name)
            })
            .map(|claim| claim.value.metadata.name.clone())
    }

    /// Tries every pending Pod once, real ones first; says whether something was freed, so that
    /// another round may help.
    fn schedule_pending(&mut self) -> bool {
        let pending = |simulation: &Self, made: bool| -> Vec<Rc<Pod>> {
            let pods = simulation.cluster.pods.iter();
            pods.filter(|pod| (pod.origin.made == Made::Hypothetical) == made)
                .map(|pod| Rc::clone(&pod.value))
                .filter(|pod| simulation.is_pending(pod))
                .collect()
        };
        let mut freed = false;
        for made in [false, true] {
            for pod in pending(self, made) {
                freed |= self.schedule(&pod);
            }
        }
        freed
    }

    fn is_pending(&self, pod: &Pod) -> bool {
        pod.node_name.is_none()
            && !is_terminal(pod)
            && pod.metadata.deletion_timestamp.is_none()
            && !self.cluster.waiting.iter().any(|waiting| waiting.is(pod))
    }

    /// One attempt for one Pod; says whether a claim was freed.
    fn schedule(&mut self, pod: &Pod) -> bool {
        if self.work >= MAX_WORK {
            self.left_out += 1;
            return false;
        }
        let before = Rc::new(self.cluster.clone());
        let tried = attempt_pod(&before, pod, self.env);
        let mut attempt = tried.attempt;
        self.work = self.work.saturating_add(tried.work.saturating_add(self.around()));
        let freed = match tried.consequence {
            Consequence::Nothing => false,
            Consequence::Bind(plan) if Self::refused_reservation(pod, &plan).is_some() => {
                if let Some((at, text)) = Self::refused_reservation(pod, &plan) {
                    let claim_full = at < plan.claims.len();
                    self.give_up(pod, plan, at);
                    attempt.outcome = Outcome::Error(Fatal::PreBind { claim_full });
                    attempt.message =
                        Some(format!("running PreBind plugin \"DynamicResources\": {text}"));
                }
                false
            }
            Consequence::Bind(plan) => {
                let waiting = self.assume(pod, &plan);
                let stored = |claim: &ResourceClaim| {
                    let name = self.written_name(pod, claim);
                    let claim = self.cluster.claims.get(&claim.metadata.namespace, &name);
                    claim.map(|claim| Rc::clone(&claim.value))
                };
                let allocated: Vec<_> =
                    plan.allocations.iter().filter_map(|(claim, _)| stored(claim)).collect();
                self.env.claims_allocated(&before.claims, &self.cluster.claims, &allocated);
                if let Some(waiting) = waiting {
                    attempt.outcome = Outcome::WaitingForConditions {
                        node: waiting.node.clone(),
                        deadline_seconds: waiting.deadline_seconds,
                    };
                    Rc::make_mut(&mut self.cluster.waiting).push(waiting);
                } else {
                    self.bind(pod, &plan.node);
                    self.env.pod_bound(&before.pods, &self.cluster.pods, pod, &plan.node);
                    self.evict_bound(pod);
                }
                false
            }
            Consequence::Deallocate(claim) => {
                deallocate(&mut self.cluster, &claim);
                self.deallocated(&claim);
                true
            }
            Consequence::DeleteSpecial(claim) => {
                self.cluster.claims.remove(&claim.metadata.namespace, &claim.metadata.name);
                self.deallocated(&claim);
                true
            }
        };
        self.attempts.push(Rc::new(attempt));
        freed
    }

    /// What an attempt costs around looking at devices.
    fn around(&self) -> u64 {
        let cluster = &self.cluster;
        (cluster.nodes.len() + cluster.pods.len() + cluster.claims.len()) as u64 / 8
    }

    fn deallocated(&mut self, claim: &ResourceClaim) {
        self.events.push(Event {
            object: claim_ref(claim),
            kind: EventKind::Deallocated,
            text: "it was unused and in the way of a Pod".to_owned(),
        });
    }

    /// The first claim that the API server does not take, and what the scheduler says then: it has
    /// too many consumers, or it is an empty special claim.
    fn refused_reservation(pod: &Pod, plan: &Plan) -> Option<(usize, String)> {
        let full = |claim: &Rc<ResourceClaim>| {
            !is_reserved_for(claim, pod) && claim.status.reserved_for.len() >= MAX_CONSUMERS
        };
        let Some(at) = plan.claims.iter().position(full) else {
            return empty_special(pod, plan).map(|text| (plan.claims.len(), text));
        };
        let meta = &plan.claims.get(at)?.metadata;
        let (namespace, name) = (&meta.namespace, &meta.name);
        let text = format!(
            "add reservation to claim {namespace}/{name}: ResourceClaim.resource.k8s.io \
             \"{name}\" is invalid: status.reservedFor: Too many: {}: must have at most \
             {MAX_CONSUMERS} items",
            MAX_CONSUMERS + 1
        );
        Some((at, text))
    }

    /// PreBind that fails at a claim, and Unreserve: what was allocated before stays allocated.
    fn give_up(&mut self, pod: &Pod, plan: Plan, at: usize) {
        let mut written = plan;
        written.claims.truncate(at);
        let claims = written.claims.clone();
        written
            .allocations
            .retain(|(claim, _)| claims.iter().any(|known| Rc::ptr_eq(known, claim)));
        self.assume(pod, &written);
        self.unreserve(pod);
    }

    /// Reserve and PreBind: writes allocations and reservations. Gives back what the Pod has to wait
    /// for, if anything.
    fn assume(&mut self, pod: &Pod, plan: &Plan) -> Option<WaitingPod> {
        let waits = waits_for_conditions(self.env.behavior());
        let timestamp = waits.then(|| format_time(self.cluster.now()));
        for (claim, allocation) in &plan.allocations {
            let claim = self.existing_or_special(pod, claim, plan);
            let meta = &claim.metadata;
            let step = self.step;
            self.cluster.claims.update_object(&meta.namespace, &meta.name, |object| {
                let mut allocation = allocation.clone();
                allocation.allocation_timestamp =
                    allocation.allocation_timestamp.or_else(|| timestamp.clone());
                let claim = Rc::make_mut(&mut object.value);
                claim.status.allocation = Some(allocation);
                add_finalizer(claim);
                object.since_step = step;
            });
            if !is_reserved_for(&claim, pod) {
                reserve(&mut self.cluster, meta, pod);
            }
            self.events.push(Event {
                object: claim_ref(&claim),
                kind: EventKind::Allocated,
                text: format!("for Pod {}", pod.metadata.name),
            });
        }
        for claim in &plan.claims {
            let meta = &claim.metadata;
            let found = self.cluster.claims.get(&meta.namespace, &meta.name);
            if found.is_none_or(|claim| is_reserved_for(&claim.value, pod)) {
                continue;
            }
            reserve(&mut self.cluster, meta, pod);
            if let Some(timestamp) = &timestamp {
                self.cluster.claims.update(&meta.namespace, &meta.name, |claim| {
                    if let Some(allocation) = &mut claim.status.allocation {
                        allocation.allocation_timestamp.get_or_insert_with(|| timestamp.clone());
                    }
                });
            }
        }
        if waits { self.wait_of(pod, plan) } else { None }
    }

    /// The name under which a claim of a plan is stored.
    pub(super) fn written_name(&self, pod: &Pod, claim: &ResourceClaim) -> String {
        if claim.metadata.name.starts_with('<') {
            self.special_claim(pod).unwrap_or_default()
        } else {
            claim.metadata.name.clone()
        }
    }

    /// The claim itself; the special claim is created under its final name.
    fn existing_or_special(
        &mut self,
        pod: &Pod,
        claim: &Rc<ResourceClaim>,
        plan: &Plan,
    ) -> Rc<ResourceClaim> {
        let meta = &claim.metadata;
        if self.cluster.claims.get(&meta.namespace, &meta.name).is_some() {
            return Rc::clone(claim);
        }
        let mut created = claim.as_ref().clone();
        let name = generated_claim_name(&pod.metadata.name, EXTENDED_RESOURCES);
        created.metadata.uid = stable_uuid(&["ResourceClaim", &meta.namespace, &name]);
        created.metadata.name = name;
        created.metadata.owner_references = vec![owner(pod)];
        let created = Rc::new(created);
        let source = self
            .cluster
            .pods
            .get(&pod.metadata.namespace, &pod.metadata.name)
            .and_then(|pod| pod.origin.source);
        self.cluster.claims.put(Object {
            value: Rc::clone(&created),
            origin: Origin { source, made: Made::ForExtendedResources },
            created_seconds: self.cluster.clock_seconds,
            since_step: self.step,
        });
        let mappings: Vec<String> = plan
            .mappings
            .iter()
            .map(|mapping| {
                format!("{} of {} from {}", mapping.resource, mapping.container, mapping.request)
            })
            .collect();
        self.events.push(Event {
            object: claim_ref(&created),
            kind: EventKind::Created,
            text: format!("for extended resources: {}", mappings.join(", ")),
        });
        created
    }

    pub(super) fn bind(&mut self, pod: &Pod, node: &str) {
        self.update_pod(pod, |pod| {
            pod.node_name = Some(node.to_owned());
            "Running".clone_into(&mut pod.phase);
        });
    }

    fn update_pod(&mut self, pod: &Pod, change: impl FnOnce(&mut Pod)) {
        self.cluster.pods.update(&pod.metadata.namespace, &pod.metadata.name, change);
    }
}

/// Why a special claim without requests cannot be recorded in the Pod's status: the device plugin of
/// the node offers everything, and the Pod has claims of its own.
fn empty_special(pod: &Pod, plan: &Plan) -> Option<String> {
    let (special, _) = plan.allocations.last()?;
    let is_empty = special.metadata.name == SPECIAL_CLAIM_NAME && plan.mappings.is_empty();
    is_empty.then(|| {
        format!(
            "nil or empty request mappings, no update of pod {}/{} ExtendedResourceClaimStatus",
            pod.metadata.namespace, pod.metadata.name
        )
    })
}
