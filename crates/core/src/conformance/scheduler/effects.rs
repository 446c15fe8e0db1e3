//! What the controllers tell of evictions, rules and claims, beside what ours tells.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::api::DeviceRequestAllocationResult;
use crate::cluster::{Cluster, format_time};
use crate::pool::DeviceId;
use crate::scenario::{BlastRadius, Event, EventKind, StepRecord, blast_radius};
use crate::scheduler::Env;

use super::{Told, list, text_of};

/// What earlier steps have told.
#[derive(Default)]
pub(super) struct Known<'a> {
    /// Special claims that the status of a Pod names.
    special: BTreeSet<String>,
    /// The same as ours tells it; ours tells it again when a Pod is tried again.
    special_ours: BTreeSet<String>,
    /// Rules.
    rules: BTreeSet<String>,
    /// The step before.
    pub(super) before: Option<&'a StepRecord>,
}

impl Told {
    /// The Pods that taints evict, when, and what is told of it.
    pub(super) fn evictions(&mut self, real: &Value, ours: &StepRecord) {
        let told_real = list(real, "evictions").map(|eviction| {
            let at = eviction.get("at").and_then(Value::as_i64).unwrap_or_default();
            let events: Vec<&str> = list(eviction, "events").filter_map(Value::as_str).collect();
            let said = events.last().copied().unwrap_or_default();
            let at = self.time(&format_time(at));
            format!("evicted {} at {at}: {said}", text_of(eviction, "pod"))
        });
        let mut told_real: Vec<String> = told_real.collect();
        self.real.append(&mut told_real);
        let mut told: Vec<String> = Vec::new();
        for eviction in &ours.evicted {
            let is_it = |event: &&Event| {
                event.kind == EventKind::Evicted
                    && *event.object.name == *eviction.pod
                    && *event.object.namespace == *eviction.namespace
            };
            let event = ours.events.iter().find(is_it);
            let said = event.map_or("", |event| event.text.as_str());
            let at = self.time(&format_time(eviction.at));
            told.push(format!("evicted {}/{} at {at}: {said}", eviction.namespace, eviction.pod));
        }
        told.sort_unstable();
        self.ours.append(&mut told);
    }

    /// Which container got which request of a claim for extended resources, once for each claim.
    pub(super) fn extended(&mut self, real: &Value, ours: &StepRecord, known: &mut Known<'_>) {
        let mut told = Vec::new();
        for pod in list(real, "pods") {
            let Some(status) = pod.get("extendedResourceClaimStatus") else { continue };
            let namespace = text_of(pod, "pod").split('/').next().unwrap_or_default();
            let claim = format!("{namespace}/{}", text_of(status, "resourceClaimName"));
            if !known.special.insert(claim.clone()) {
                continue;
            }
            let mapping = |mapping: &Value| {
                let of = |field| text_of(mapping, field);
                let (resource, request) = (of("resourceName"), of("requestName"));
                format!("{resource} of {} from {request}", of("containerName"))
            };
            told.push((claim, list(status, "requestMappings").map(mapping).collect()));
        }
        self.real.append(&mut mapped(told));
        let prefix = "for extended resources: ";
        let ours = ours.events.iter().filter_map(|event| {
            let mappings = event.text.strip_prefix(prefix)?.split(", ").map(str::to_owned);
            let claim = format!("{}/{}", event.object.namespace, event.object.name);
            known.special_ours.insert(claim.clone()).then(|| (claim, mappings.collect()))
        });
        let mut ours = mapped(ours.collect());
        self.ours.append(&mut ours);
    }

    /// What a new rule touches: what the controller writes into its status, and ours tells when it is
    /// applied.
    pub(super) fn rules<'a>(
        &mut self,
        real: &Value,
        ours: &'a StepRecord,
        known: &mut Known<'a>,
        env: &Env,
    ) {
        let cluster = match (known.before, ours.attempts.first()) {
            (Some(before), _) => &before.cluster,
            (None, Some(attempt)) => &attempt.before,
            (None, None) => &ours.cluster,
        };
        let before = std::mem::take(&mut known.rules);
        for state in list(real, "rules") {
            let name = text_of(state, "rule");
            known.rules.insert(name.to_owned());
            let condition = list(state, "conditions").next();
            let rule = ours.cluster.taint_rules.get("", name);
            if let (Some(condition), Some(rule), false) = (condition, rule, before.contains(name)) {
                let radius = blast_radius(cluster, &rule.value, env.behavior());
                let (mut wanted, mut found) = touched(condition, &radius, cluster);
                // Whatever the scheduler makes of a rule without a selector, the controller passes
                // over it.
                if rule.value.device_selector.is_none() {
                    wanted.truncate(1);
                    found.truncate(1);
                }
                self.real.push(format!("rule {name} {wanted:?}"));
                self.ours.push(format!("rule {name} {found:?}"));
            }
        }
    }
}

/// The numbers in what the controller says of a rule, and ours: Pods that it evicts, then published
/// devices and results of claims that it touches, where they are told.
fn touched(condition: &Value, radius: &BlastRadius, cluster: &Cluster) -> (Vec<usize>, Vec<usize>) {
    let message = text_of(condition, "message");
    let words = message.split(|sign: char| !sign.is_ascii_digit());
    let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
    let pods = radius.evicted.len();
    match (text_of(condition, "reason"), numbers.as_slice()) {
        ("NoEffect", [published, allocated, evicted, ..]) => {
            let claims = cluster.claims.iter().flat_map(|claim| &claim.value.status.allocation);
            let held = |result: &&DeviceRequestAllocationResult| {
                let device = DeviceId::new(&result.driver, &result.pool, &result.device);
                radius.held.contains(&device)
            };
            let results = claims.flat_map(|allocation| &allocation.results).filter(held).count();
            (vec![*evicted, *published, *allocated], vec![pods, radius.devices.len(), results])
        }
        ("PodsPendingEviction", [evicted, ..]) => (vec![*evicted], vec![pods]),
        ("NotStarted" | "Completed", _) => (vec![0], vec![pods]),
        _ => Default::default(),
    }
}

/// The names of generated claims that the status of a Pod has.
pub(super) fn named_claims(mut named: Vec<(&str, &str)>) -> String {
    named.sort_unstable();
    let words: Vec<String> =
        named.iter().map(|(entry, claim)| [" ", entry, "=", claim].concat()).collect();
    words.concat()
}

/// Claims for extended resources and what containers get of them, in order of the names.
fn mapped(mut told: Vec<(String, Vec<String>)>) -> Vec<String> {
    told.sort();
    let line = |(claim, mut mappings): (String, Vec<String>)| {
        mappings.sort_unstable();
        format!("mapped {claim}: {}", mappings.join(", "))
    };
    told.into_iter().map(line).collect()
}
