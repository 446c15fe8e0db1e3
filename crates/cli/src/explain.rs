//! `explain`: what happened to every device for the requests of one claim.

use std::collections::BTreeSet;

use dra_playground_core::workspace::report::{Analysis, ObjectKey, RequestVerdicts};

use crate::args::Args;
use crate::{Findings, files, output};

/// Devices named in one row before the rest is counted.
const NAMED: usize = 8;

pub(crate) fn run(args: &Args) -> Result<Findings, String> {
    let wanted = args.claim.as_deref().ok_or("explain needs --claim [NAMESPACE/]NAME")?;
    let mut found = Vec::new();
    let mut is_there = false;
    let (mut claims, mut nodes) = (BTreeSet::new(), BTreeSet::new());
    for file in files::files(args)? {
        let analysis = files::analyze(file, args)?;
        let snapshot = &analysis.snapshot;
        is_there |= snapshot.claims.iter().any(|claim| is_named(&claim.object, wanted));
        claims.extend(snapshot.claims.iter().map(|claim| crate::snapshot::name(&claim.object)));
        let tried = snapshot.verdicts.iter().filter(|verdicts| is_named(&verdicts.claim, wanted));
        nodes.extend(tried.clone().map(|verdicts| verdicts.node.clone()));
        let is_meant = |node: &str| args.node.as_ref().is_none_or(|wanted| *wanted == node);
        let verdicts: Vec<RequestVerdicts> =
            tried.filter(|verdicts| is_meant(&verdicts.node)).cloned().collect();
        if args.format == crate::args::Format::Text {
            for verdicts in &verdicts {
                print(&analysis, verdicts);
            }
        }
        found.extend(verdicts);
    }
    match (&args.node, found.is_empty()) {
        (_, false) => {}
        (Some(node), true) if !nodes.is_empty() => {
            return Err(files::unknown(&format!("attempt for `{wanted}` on node"), node, nodes));
        }
        _ if is_there => return Err(format!("no attempt was made for claim `{wanted}`")),
        _ => return Err(files::unknown("claim", wanted, claims)),
    }
    output::data(args.format, &found)?;
    Ok(Findings::None)
}

fn is_named(claim: &ObjectKey, wanted: &str) -> bool {
    match wanted.split_once('/') {
        Some((namespace, name)) => claim.namespace == namespace && claim.name == name,
        None => claim.name == wanted,
    }
}

fn print(analysis: &Analysis, verdicts: &RequestVerdicts) {
    output::line(&format!(
        "{} {} on {} (step {})",
        crate::snapshot::name(&verdicts.claim),
        verdicts.request,
        verdicts.node,
        verdicts.step
    ));
    let sieve: Vec<Vec<String>> = verdicts
        .sieve
        .iter()
        .map(|row| vec![output::words(&row.title), row.left.to_string()])
        .collect();
    output::table(&["CHECK", "LEFT"], &sieve);
    let groups: Vec<Vec<String>> = verdicts
        .groups
        .iter()
        .map(|group| {
            vec![group.code.clone(), names(analysis, &group.devices), output::words(&group.detail)]
        })
        .collect();
    output::table(&["REASON", "DEVICES", "DETAIL"], &groups);
    for selector in &verdicts.selectors {
        output::line(&format!(
            "  {} selector #{}: {}",
            selector.source, selector.index, selector.expression
        ));
        let error = selector.compile_error.iter().chain(&selector.admission_error);
        error.for_each(|error| output::line(&format!("    {error}")));
        for answer in &selector.answers {
            let devices = names(analysis, &answer.devices);
            let error = answer.error.as_deref().unwrap_or_default();
            output::line(&format!("    {}: {devices} {error}", answer.answer));
        }
    }
    output::line("");
}

fn names(analysis: &Analysis, devices: &[usize]) -> String {
    let mut names: Vec<&str> = devices
        .iter()
        .filter_map(|index| analysis.snapshot.devices.get(*index))
        .map(|device| device.device.device.as_str())
        .collect();
    let rest = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    names.join(", ") + &more
}
