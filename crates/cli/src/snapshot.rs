//! The cluster after a step, as tables.

use dra_playground_core::workspace::report::{
    ClaimView, Family, Ledger, NodeVerdict, ObjectKey, PodView, Snapshot,
};

use crate::output;

/// Pods with their reasons, claims, and what is left of counters and capacities.
pub(crate) fn print(snapshot: &Snapshot) {
    let pods: Vec<Vec<String>> = snapshot.pods.iter().map(pod).collect();
    output::table(&["POD", "READY", "STATUS", "NODE", "CLAIMS"], &pods);
    for pod in snapshot.pods.iter().filter(|pod| pod.node.is_none() || !pod.cause.0.is_empty()) {
        output::line(&format!("  {}: {}", name(&pod.object), output::words(&pod.cause)));
        let context = output::words(&pod.context);
        if !context.is_empty() {
            output::line(&format!("    {context}"));
        }
        if let Some(message) = &pod.message {
            output::line(&format!("    {message}"));
        }
        output::line("");
    }
    for pod in &snapshot.pods {
        let fit = pod.node_verdicts.iter().find(|it| it.family == Family::Fit && it.count > 1);
        if let Some(NodeVerdict { count, nodes, .. }) = fit {
            let (pod, nodes) = (name(&pod.object), nodes.join(", "));
            output::line(&format!("  {pod}: {count} nodes would do, the best first: {nodes}"));
        }
    }
    let claims: Vec<Vec<String>> = snapshot.claims.iter().flat_map(claim).collect();
    output::table(&["CLAIM", "STATE", "REQUEST", "DEVICE", "CONSUMED", "SHARE"], &claims);
    let counters: Vec<Vec<String>> = snapshot.counter_sets.iter().flat_map(ledger).collect();
    output::table(&["COUNTER SET", "COUNTER", "TOTAL", "LEFT", "USED BY"], &counters);
    let capacities: Vec<Vec<String>> = snapshot.capacities.iter().flat_map(ledger).collect();
    output::table(&["SHAREABLE DEVICE", "CAPACITY", "TOTAL", "LEFT", "USED BY"], &capacities);
}

/// The name, with its namespace unless that is the default one.
pub(crate) fn name(object: &ObjectKey) -> String {
    match object.namespace.as_str() {
        "" | "default" => object.name.clone(),
        namespace => format!("{namespace}/{}", object.name),
    }
}

fn pod(pod: &PodView) -> Vec<String> {
    let claims: Vec<&str> = pod.claims.iter().map(|claim| claim.name.as_str()).collect();
    let assumed = if pod.hypothetical { " (assumed)" } else { "" };
    vec![
        name(&pod.object) + assumed,
        pod.ready.clone(),
        pod.status.clone(),
        pod.node.clone().unwrap_or_default(),
        claims.join(" "),
    ]
}

fn claim(claim: &ClaimView) -> Vec<Vec<String>> {
    let head = [name(&claim.object), claim.state.clone()];
    if claim.devices.is_empty() {
        let wants: Vec<String> = claim
            .requests
            .iter()
            .map(|request| format!("{}: {}", request.name, request.wants))
            .collect();
        return vec![head.into_iter().chain([wants.join(", ")]).collect()];
    }
    claim
        .devices
        .iter()
        .map(|device| {
            let consumed: Vec<String> =
                device.consumed.iter().map(|(name, amount)| format!("{name}={amount}")).collect();
            let admin = if device.admin_access { " (admin)" } else { "" };
            head.clone()
                .into_iter()
                .chain([
                    device.request.clone(),
                    format!("{}{admin}", device.device.device),
                    consumed.join(" "),
                    device.share_id.as_deref().map(short).unwrap_or_default(),
                ])
                .collect()
        })
        .collect()
}

/// The first part of a UUID.
fn short(uuid: &str) -> String {
    uuid.split('-').next().unwrap_or_default().to_owned()
}

/// One row for each counter or capacity; only accounts that somebody uses.
fn ledger(ledger: &Ledger) -> Vec<Vec<String>> {
    if ledger.entries.is_empty() {
        return Vec::new();
    }
    ledger
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let users: Vec<String> = ledger
                .entries
                .iter()
                .filter_map(|entry| {
                    let amount = entry.amounts.get(index).filter(|amount| !amount.is_empty())?;
                    Some(format!("{} {amount}", name(&entry.claim)))
                })
                .collect();
            vec![
                ledger.name.clone(),
                column.name.clone(),
                column.total.clone(),
                column.left.clone(),
                users.join(", "),
            ]
        })
        .collect()
}
