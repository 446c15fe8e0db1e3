use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::Value;

use crate::api::{
    AllocationResult, ConfigSource, DeviceRequestAllocationResult, Pod, ResourceClaim,
    allocation_json,
};
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::cluster::{Balance, Cluster, Made};
use crate::diagnostic::Diagnostic;
use crate::scenario::codes;
use crate::scenario::controllers::{claim_names, claim_ref, pod_ref};
use crate::scenario::document::Placed;
use crate::scenario::run::split_name;
use crate::scenario::timeline::Checked;
use crate::scheduler::{Attempt, Env, Outcome};

use super::findings::Findings;
use super::line::{DeviceLine, Id, Line, Subject, parse};
use super::reasons::reasons;

/// What expectation lines are checked against.
pub(in crate::scenario) struct Checker<'a> {
    pub(in crate::scenario) cluster: &'a Cluster,
    pub(in crate::scenario) env: &'a Env,
    /// The last attempt that concerned each Pod and claim.
    pub(in crate::scenario) last_attempts: &'a BTreeMap<ObjectRef, Rc<Attempt>>,
    pub(in crate::scenario) findings: Findings<'a>,
}

/// Nothing when the line holds, else what was found instead.
type Verdict = Result<(), String>;

impl Checker<'_> {
    /// Checks a block of lines: those of one claim's devices belong together.
    pub(in crate::scenario) fn check(
        &self,
        step: usize,
        lines: &[Placed<String>],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Checked> {
        let parsed: Vec<Result<Line, String>> = lines.iter().map(|(line, _)| parse(line)).collect();
        let mut by_claim: BTreeMap<&str, Vec<&DeviceLine>> = BTreeMap::new();
        for line in parsed.iter().flatten() {
            if let Line::Device(device) = line {
                by_claim.entry(&device.claim).or_default().push(device);
            }
        }
        let mut checked = Vec::new();
        for ((text, span), line) in lines.iter().zip(&parsed) {
            let verdict = match line {
                Ok(line) => self.line(line, &by_claim),
                Err(problem) => {
                    diagnostics.push(codes::expectation_syntax(problem, *span));
                    Err(problem.clone())
                }
            };
            checked.push(Checked {
                step,
                line: text.clone(),
                span: Some(*span),
                passed: verdict.is_ok(),
                found: verdict.err().unwrap_or_default(),
            });
        }
        checked
    }

    fn line(&self, line: &Line, by_claim: &BTreeMap<&str, Vec<&DeviceLine>>) -> Verdict {
        match line {
            Line::Device(device) => {
                let block = by_claim.get(device.claim.as_str()).map(Vec::as_slice);
                self.device(device, block.unwrap_or_default())
            }
            Line::Unallocatable { claim, text } => self.unallocatable(claim, text.as_deref()),
            Line::Error { subject, name, text } => self.error(*subject, name, text),
            Line::Unused { claim } => self.unused(claim),
            Line::PodOn { pod, node } => {
                let found = self.pod(pod)?;
                if found.node_name.as_ref() == Some(node) {
                    Ok(())
                } else {
                    Err(self.pod_state(&found))
                }
            }
            Line::PodUnschedulable { pod } => {
                let found = self.pod(pod)?;
                let outcome = self.attempt(&pod_ref(&found)).map(|attempt| &attempt.outcome);
                match outcome {
                    Some(
                        Outcome::Unschedulable | Outcome::PreFilter | Outcome::NotQueued { .. },
                    ) if found.node_name.is_none() => Ok(()),
                    _ => Err(self.pod_state(&found)),
                }
            }
            Line::Left { id, amounts } => self.left(id, amounts),
            Line::Reason { claim, id, code } => self.reason(claim, id, code),
            Line::Result { claim, path, value } => self.result(claim, path, value),
            Line::Config { claim, source, requests } => self.config(claim, source, requests),
            Line::Devices { name, count } => self.devices(name, *count),
            Line::Invalid { kind, name, path } => {
                self.findings.invalid(kind, name, path.as_deref())
            }
            Line::Warn { kind, name } => self.findings.warn(kind, name),
        }
    }

    /// One line of a claim's result; together the lines must be the whole result, in order.
    fn device(&self, line: &DeviceLine, block: &[&DeviceLine]) -> Verdict {
        let claim = self.claim(&line.claim)?;
        let Some(allocation) = &claim.status.allocation else {
            return Err(self.claim_state(&claim));
        };
        let found = || results_in_words(allocation);
        if allocation.results.len() != block.len() {
            return Err(found());
        }
        let position = block.iter().position(|other| std::ptr::eq(*other, line));
        let result = position.and_then(|position| allocation.results.get(position));
        match result {
            Some(result) if matches(line, result) => Ok(()),
            _ => Err(found()),
        }
    }

    fn unallocatable(&self, name: &str, text: Option<&str>) -> Verdict {
        let claim = self.claim(name)?;
        let attempt = self.attempt(&claim_ref(&claim)).filter(|attempt| {
            matches!(
                attempt.outcome,
                Outcome::Unschedulable | Outcome::PreFilter | Outcome::NotQueued { .. }
            )
        });
        let Some(attempt) = attempt.filter(|_| claim.status.allocation.is_none()) else {
            return Err(self.claim_state(&claim));
        };
        match text {
            Some(text) if !refusal_texts(attempt).any(|refusal| refusal.contains(text)) => {
                Err(self.claim_state(&claim))
            }
            _ => Ok(()),
        }
    }

    fn error(&self, subject: Subject, name: &str, text: &str) -> Verdict {
        let (object, state) = match subject {
            Subject::Claim => {
                let claim = self.claim(name)?;
                (claim_ref(&claim), self.claim_state(&claim))
            }
            Subject::Pod => {
                let pod = self.pod(name)?;
                (pod_ref(&pod), self.pod_state(&pod))
            }
        };
        let aborted = self.attempt(&object).filter(|attempt| {
            matches!(
                attempt.outcome,
                Outcome::Error(_) | Outcome::PreFilter | Outcome::NotQueued { .. }
            )
        });
        match aborted {
            Some(attempt) if refusal_texts(attempt).any(|refusal| refusal.contains(text)) => Ok(()),
            _ => Err(state),
        }
    }

    fn unused(&self, name: &str) -> Verdict {
        let claim = self.claim(name)?;
        let is_used = self.cluster.pods.iter().any(|pod| {
            pod.value.metadata.namespace == claim.metadata.namespace
                && claim_names(&pod.value).contains(&claim.metadata.name)
        });
        if is_used || claim.status.allocation.is_some() {
            Err(self.claim_state(&claim))
        } else {
            Ok(())
        }
    }

    fn left(&self, id: &Id, amounts: &[(String, String)]) -> Verdict {
        let counters = self.cluster.counters_left(&id.driver, &id.pool, &id.last);
        let capacity = self.cluster.capacity_left(&id.driver, &id.pool, &id.last);
        let has_all = |balances: &BTreeMap<String, Balance>| {
            amounts.iter().all(|(name, _)| balances.contains_key(name))
        };
        let balances = match (counters, capacity) {
            (Some(counters), Some(capacity)) if !has_all(&counters) => {
                if has_all(&capacity) {
                    capacity
                } else {
                    counters
                }
            }
            (Some(balances), _) | (None, Some(balances)) => balances,
            (None, None) => {
                let Id { driver, pool, last } = id;
                return Err(format!("there is no counter set or device {driver}/{pool}/{last}"));
            }
        };
        let all_equal = amounts.iter().all(|(name, expected)| {
            balances.get(name).is_some_and(|balance| is_amount(&balance.left, expected))
        });
        if all_equal {
            return Ok(());
        }
        let words: Vec<String> = balances
            .iter()
            .map(|(name, balance)| format!("{name}={}", balance.left.canonical()))
            .collect();
        Err(format!("left {}", words.join(" ")))
    }

    fn reason(&self, name: &str, id: &Id, code: &str) -> Verdict {
        let claim = self.claim(name)?;
        let Some(attempt) = self.attempt(&claim_ref(&claim)) else {
            return Err("no attempt was made for the claim".to_owned());
        };
        let found = reasons(attempt, &claim_ref(&claim), id, self.env);
        if found.contains(code) {
            return Ok(());
        }
        let words: Vec<&str> = found.iter().copied().collect();
        Err(if words.is_empty() {
            "no node looked at the device".to_owned()
        } else {
            words.join(", ")
        })
    }

    fn result(&self, name: &str, path: &str, value: &str) -> Verdict {
        let claim = self.claim(name)?;
        let Some(allocation) = &claim.status.allocation else {
            return Err(self.claim_state(&claim));
        };
        let json = allocation_json(allocation);
        let devices = json.get("devices");
        let found = match devices.and_then(|devices| field(devices, path)) {
            None => return Err(format!("`{path}` is not set")),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        };
        let as_quantity = found.parse::<Quantity>().is_ok_and(|found| is_amount(&found, value));
        if found == value || as_quantity { Ok(()) } else { Err(format!("{path}={found}")) }
    }

    fn config(&self, name: &str, source: &str, requests: &[String]) -> Verdict {
        let claim = self.claim(name)?;
        let Some(allocation) = &claim.status.allocation else {
            return Err(self.claim_state(&claim));
        };
        let mut words = Vec::new();
        for entry in &allocation.config {
            let found = match entry.source {
                ConfigSource::FromClass => "FromClass",
                ConfigSource::FromClaim => "FromClaim",
            };
            if found == source && entry.requests == requests {
                return Ok(());
            }
            words.push(format!("{found} requests=[{}]", entry.requests.join(",")));
        }
        Err(if words.is_empty() { "no configuration".to_owned() } else { words.join("; ") })
    }

    fn devices(&self, name: &str, count: usize) -> Verdict {
        let found = if let Ok(pod) = self.pod(name) {
            let special = self.cluster.claims.iter().filter(|claim| {
                claim.origin.made == Made::ForExtendedResources
                    && claim.value.metadata.namespace == pod.metadata.namespace
                    && claim
                        .value
                        .metadata
                        .owner_references
                        .iter()
                        .any(|owner| owner.name == pod.metadata.name)
            });
            let named = claim_names(&pod);
            let own = named
                .iter()
                .filter_map(|name| self.cluster.claims.get(&pod.metadata.namespace, name));
            own.chain(special).map(|claim| device_count(&claim.value)).sum()
        } else {
            device_count(self.claim(name)?.as_ref())
        };
        if found == count { Ok(()) } else { Err(format!("{found} devices")) }
    }

    fn attempt(&self, object: &ObjectRef) -> Option<&Attempt> {
        self.last_attempts.get(object).map(Rc::as_ref)
    }

    fn pod(&self, name: &str) -> Result<Rc<Pod>, String> {
        let (namespace, bare) = split_name(name);
        let named = |made: bool| {
            let pods = self.cluster.pods.iter();
            pods.filter(move |pod| (pod.origin.made == Made::Hypothetical) == made)
                .map(|pod| &pod.value)
                .filter(move |pod| is_named(&pod.metadata, namespace, bare))
        };
        only("Pod", name, named(false))
            .or_else(|problem| only("Pod", name, named(true)).map_err(|_| problem))
    }

    fn claim(&self, name: &str) -> Result<Rc<ResourceClaim>, String> {
        let (namespace, bare) = split_name(name);
        let claims = self.cluster.claims.iter().map(|claim| &claim.value);
        only(
            "ResourceClaim",
            name,
            claims.filter(|claim| is_named(&claim.metadata, namespace, bare)),
        )
    }

    fn pod_state(&self, pod: &Pod) -> String {
        if let Some(node) = &pod.node_name {
            return format!("the Pod is on {node}");
        }
        match self.attempt(&pod_ref(pod)) {
            None => "the Pod was not tried".to_owned(),
            Some(attempt) => attempt_in_words(attempt),
        }
    }

    fn claim_state(&self, claim: &ResourceClaim) -> String {
        if let Some(allocation) = &claim.status.allocation {
            return results_in_words(allocation);
        }
        match self.attempt(&claim_ref(claim)) {
            None => "pending, nobody uses the claim".to_owned(),
            Some(attempt) => attempt_in_words(attempt),
        }
    }
}

fn is_named(meta: &crate::apimachinery::ObjectMeta, namespace: Option<&str>, name: &str) -> bool {
    meta.name == name && namespace.is_none_or(|namespace| meta.namespace == namespace)
}

/// The only object of a name.
fn only<'a, T: 'a>(
    kind: &str,
    name: &str,
    mut found: impl Iterator<Item = &'a Rc<T>>,
) -> Result<Rc<T>, String> {
    match (found.next(), found.next()) {
        (Some(object), None) => Ok(Rc::clone(object)),
        (None, _) => Err(format!("there is no {kind} `{name}`")),
        (Some(_), Some(_)) => Err(format!("{kind} `{name}` is ambiguous: give its namespace")),
    }
}

fn attempt_in_words(attempt: &Attempt) -> String {
    match (&attempt.message, &attempt.outcome) {
        (Some(message), Outcome::Error(_)) => format!("error: {message}"),
        (Some(message), _) => message.clone(),
        (None, Outcome::NotQueued { reason }) => format!("not queued: {reason}"),
        (None, outcome) => {
            outcome.node().map_or_else(String::new, |node| format!("it went to {node}"))
        }
    }
}

/// Everything that an attempt says against a Pod: the message, and what each node said.
fn refusal_texts(attempt: &Attempt) -> impl Iterator<Item = &str> {
    let reason = match &attempt.outcome {
        Outcome::NotQueued { reason } => Some(reason.as_str()),
        _ => None,
    };
    let nodes = attempt.nodes.iter().map(|node| node.text.as_str());
    attempt.message.as_deref().into_iter().chain(reason).chain(nodes)
}

fn matches(line: &DeviceLine, result: &DeviceRequestAllocationResult) -> bool {
    let none = BTreeMap::new();
    let consumed = result.consumed_capacity.as_ref().unwrap_or(&none);
    result.request == line.request
        && result.driver == line.id.driver
        && result.pool == line.id.pool
        && result.device == line.id.last
        && (result.admin_access == Some(true)) == line.admin
        && line
            .amounts
            .iter()
            .all(|(name, amount)| consumed.get(name).is_some_and(|found| is_amount(found, amount)))
}

/// A field by its path. Names in a map may contain dots and slashes, in brackets or not.
fn field<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let path = path.strip_prefix('.').unwrap_or(path);
    if path.is_empty() {
        return Some(value);
    }
    if let Some(inside) = path.strip_prefix('[') {
        let (name, rest) = inside.split_once(']')?;
        let next = match value {
            Value::Array(items) => items.get(name.parse::<usize>().ok()?)?,
            Value::Object(fields) => fields.get(name)?,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
        };
        return field(next, rest);
    }
    value.as_object()?.iter().find_map(|(name, next)| {
        let rest = path.strip_prefix(name.as_str())?;
        let ends = rest.is_empty() || rest.starts_with(['.', '[']);
        if ends { field(next, rest) } else { None }
    })
}

fn is_amount(found: &Quantity, expected: &str) -> bool {
    expected.parse::<Quantity>().is_ok_and(|expected| expected == *found)
}

fn device_count(claim: &ResourceClaim) -> usize {
    claim.status.allocation.as_ref().map_or(0, |allocation| allocation.results.len())
}

/// The result in the form of expectation lines, one after the other.
fn results_in_words(allocation: &AllocationResult) -> String {
    if allocation.results.is_empty() {
        return "allocated without devices".to_owned();
    }
    let words: Vec<String> = allocation
        .results
        .iter()
        .map(|result| {
            let mut words =
                format!("{}={}/{}/{}", result.request, result.driver, result.pool, result.device);
            for (name, amount) in result.consumed_capacity.iter().flatten() {
                words += &[" ", name, "=", &amount.to_string()].concat();
            }
            if result.admin_access == Some(true) {
                words.push_str(" admin");
            }
            words
        })
        .collect();
    words.join("; ")
}
