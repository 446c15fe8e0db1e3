use std::rc::Rc;

use crate::api::{
    AllocationConfig, AllocationResult, ConfigSource, DeviceRequestAllocationResult, ResourceClaim,
};
use crate::apimachinery::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm,
};
use crate::features::ClassConfig;

use super::run::{Pick, Run, Stop};
use super::{Fault, ShareIds};

impl Run<'_, '_> {
    /// The result of a claim whose devices were all taken.
    pub(super) fn result(
        &self,
        claim_number: usize,
        share_ids: &mut dyn ShareIds,
    ) -> Result<AllocationResult, Stop> {
        let picks = self.results.get(claim_number).map_or(&[][..], Vec::as_slice);
        let mut results = Vec::with_capacity(picks.len());
        results.extend(picks.iter().filter_map(|pick| self.device_result(pick, share_ids)));
        let config = match self.claims.get(claim_number) {
            Some(claim) => self.config(claim_number, claim),
            None => Vec::new(),
        };
        let node_selector = self.node_selector(claim_number, picks)?;
        Ok(AllocationResult { results, config, node_selector, allocation_timestamp: None })
    }

    fn device_result(
        &self,
        pick: &Pick,
        share_ids: &mut dyn ShareIds,
    ) -> Option<DeviceRequestAllocationResult> {
        let request = self.requests.get(pick.entry)?;
        let candidate = self.candidates.get(pick.candidate)?;
        let device = candidate.device;
        let pool = &self.gathered.pools.get(candidate.pool)?.id;
        let consumed_capacity = Self::consumed_of(pick).map(|plan| {
            device.capacity.keys().cloned().zip(plan.amounts.iter().cloned()).collect()
        });
        let tolerations = if self.behavior.result_tolerations {
            request.spec.tolerations.clone()
        } else {
            Vec::new()
        };
        let conditions = |conditions: &Option<Vec<String>>| {
            let copied = conditions.as_ref().filter(|_| self.behavior.result_binding_conditions);
            copied.cloned().unwrap_or_default()
        };
        Some(DeviceRequestAllocationResult {
            request: request.full_name(),
            driver: String::from(&*pool.driver),
            pool: String::from(&*pool.pool),
            device: device.name.clone(),
            admin_access: request.admin.then_some(true),
            tolerations,
            binding_conditions: conditions(&device.binding_conditions),
            binding_failure_conditions: conditions(&device.binding_failure_conditions),
            share_id: candidate.multi.then(|| share_ids.next_share_id()),
            consumed_capacity,
            skip_node_operations: if self.behavior.skip_node_operations_checked {
                candidate.slice.skip_node_operations.clone()
            } else {
                Vec::new()
            },
        })
    }

    /// The request's entry that was used: itself, or the alternative that was chosen.
    fn chosen_entry(&self, claim: usize, request: usize) -> Option<&super::run::Request<'_>> {
        let first = *self.first_entry.get(claim)?.get(request)?;
        let picked = self.picked.get(first).copied().unwrap_or_default();
        self.requests.get(first + picked)
    }

    fn config(&self, claim_number: usize, claim: &ResourceClaim) -> Vec<AllocationConfig> {
        let mut config = self.class_config(claim_number, claim);
        for entry in &claim.spec.config {
            let times = if entry.requests.is_empty() {
                1
            } else {
                let named = |request: &usize| self.names(claim_number, *request, &entry.requests);
                let count = (0..claim.spec.requests.len()).filter(named).count();
                if self.behavior.claim_config_repeat { count } else { count.min(1) }
            };
            let copy = AllocationConfig {
                source: ConfigSource::FromClaim,
                requests: entry.requests.clone(),
                opaque: entry.opaque.clone(),
            };
            config.extend(std::iter::repeat_n(copy, times));
        }
        if self.behavior.config_requests_cleared {
            for entry in config.iter_mut().filter(|entry| !entry.requests.is_empty()) {
                let covers = |request| self.names(claim_number, request, &entry.requests);
                if (0..claim.spec.requests.len()).all(covers) {
                    entry.requests.clear();
                }
            }
        }
        config
    }

    fn class_config(&self, claim_number: usize, claim: &ResourceClaim) -> Vec<AllocationConfig> {
        let mut config: Vec<AllocationConfig> = Vec::new();
        // For each class seen, where its entries are.
        let mut classes: Vec<(Rc<crate::api::DeviceClass>, std::ops::Range<usize>)> = Vec::new();
        for request in 0..claim.spec.requests.len() {
            let Some(entry) = self.chosen_entry(claim_number, request) else { continue };
            if entry.class.config.is_empty() {
                continue;
            }
            let per_class = self.behavior.class_config == ClassConfig::PerClass;
            let known = classes
                .iter()
                .find(|(class, _)| class.metadata.name == entry.class.metadata.name)
                .filter(|_| per_class)
                .map(|(_, range)| range.clone());
            if let Some(range) = known {
                for entry_of_class in config.get_mut(range).into_iter().flatten() {
                    entry_of_class.requests.push(entry.full_name());
                }
                continue;
            }
            let start = config.len();
            config.extend(entry.class.config.iter().map(|opaque| AllocationConfig {
                source: ConfigSource::FromClass,
                requests: if per_class { vec![entry.full_name()] } else { Vec::new() },
                opaque: Some(opaque.clone()),
            }));
            classes.push((Rc::clone(&entry.class), start..config.len()));
        }
        config
    }

    /// Whether a list of names has the request, or the alternative that was chosen.
    fn names(&self, claim: usize, request: usize, names: &[String]) -> bool {
        let Some(entry) = self.chosen_entry(claim, request) else { return false };
        let (main, sub) = entry.names();
        names.iter().any(|name| name == main || (sub.is_some() && *name == entry.full_name()))
    }

    fn node_selector(&self, claim: usize, picks: &[Pick]) -> Result<Option<NodeSelector>, Stop> {
        let mut term = NodeSelectorTerm::default();
        for pick in picks {
            let Some(candidate) = self.candidates.get(pick.candidate) else { continue };
            let (slice, device) = (candidate.slice, candidate.device);
            let (name, selector) = if slice.per_device_node_selection == Some(true) {
                (&device.node_name, &device.node_selector)
            } else {
                (&slice.node_name, &slice.node_selector)
            };
            let binds = self.behavior.binds_to_node && device.binds_to_node == Some(true);
            if name.is_some() || binds {
                return Ok(Some(this_node(&self.node.metadata.name)));
            }
            match selector.as_ref().map(|selector| selector.terms.as_slice()) {
                None | Some([]) => {}
                Some([only]) => {
                    merge(&mut term.match_fields, &only.match_fields);
                    merge(&mut term.match_expressions, &only.match_expressions);
                }
                Some(terms) => {
                    let claim = self.claims.get(claim);
                    return Err(Stop::fatal(Fault::NodeSelectorTerms {
                        claim_name: claim.map(|c| c.metadata.name.clone()).unwrap_or_default(),
                        terms: terms.len(),
                    }));
                }
            }
        }
        let is_empty = term.match_fields.is_empty() && term.match_expressions.is_empty();
        Ok((!is_empty).then(|| NodeSelector { terms: vec![term] }))
    }
}

fn this_node(name: &str) -> NodeSelector {
    let requirement = NodeSelectorRequirement {
        key: "metadata.name".to_owned(),
        operator: NodeSelectorOperator::In,
        values: vec![name.to_owned()],
    };
    let term = NodeSelectorTerm { match_fields: vec![requirement], match_expressions: Vec::new() };
    NodeSelector { terms: vec![term] }
}

/// Adds requirements that are not there yet; the order of values does not matter.
fn merge(into: &mut Vec<NodeSelectorRequirement>, from: &[NodeSelectorRequirement]) {
    for requirement in from {
        if !into.iter().any(|known| is_same(known, requirement)) {
            into.push(requirement.clone());
        }
    }
}

fn is_same(a: &NodeSelectorRequirement, b: &NodeSelectorRequirement) -> bool {
    let within = |x: &[String], y: &[String]| x.iter().all(|value| y.contains(value));
    a.key == b.key
        && a.operator == b.operator
        && within(&a.values, &b.values)
        && within(&b.values, &a.values)
}
