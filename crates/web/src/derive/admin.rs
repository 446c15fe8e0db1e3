//! Admin access: which claims look at which devices, or ask to.

use dra_playground_core::workspace::report::{ClaimView, Snapshot};

/// Most requests that are told one by one.
pub(crate) const MOST: usize = 60;

/// A request with admin access.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Admin<'a> {
    /// Its claim.
    pub(crate) claim: &'a ClaimView,
    /// `request` or `request/subrequest`.
    pub(crate) request: &'a str,
    /// Whether it was given; else the devices are those that its selectors accept.
    pub(crate) given: bool,
    /// Indexes into the snapshot's devices.
    pub(crate) devices: Vec<usize>,
}

/// Requests with admin access: those that were given, then those that wait.
pub(crate) fn admin(snapshot: &Snapshot) -> Vec<Admin<'_>> {
    let mut out: Vec<Admin<'_>> = Vec::new();
    for (index, device) in snapshot.devices.iter().enumerate() {
        for holder in device.holders.iter().filter(|it| it.admin_access) {
            let same = |it: &&mut Admin<'_>| {
                it.claim.object == holder.claim && it.request == holder.request
            };
            if let Some(known) = out.iter_mut().rev().find(same) {
                known.devices.push(index);
            } else if out.len() < MOST
                && let Some(claim) = snapshot.claims.iter().find(|it| it.object == holder.claim)
            {
                let devices = vec![index];
                out.push(Admin { claim, request: &holder.request, given: true, devices });
            }
        }
    }
    let waiting = snapshot.claims.iter().filter(|it| it.state == "pending");
    let asking = waiting.flat_map(|claim| {
        claim.requests.iter().filter(|it| it.admin_access).map(move |request| (claim, request))
    });
    out.extend(asking.take(MOST - out.len()).map(|(claim, request)| Admin {
        claim,
        request: &request.name,
        given: false,
        devices: accepted(snapshot, claim, &request.name),
    }));
    out
}

/// The devices that a request's selectors accept, as far as a node was looked at.
fn accepted(snapshot: &Snapshot, claim: &ClaimView, request: &str) -> Vec<usize> {
    let mut verdicts = snapshot.verdicts.iter();
    let found = verdicts.find(|it| it.claim == claim.object && it.request == request);
    let groups = found.into_iter().flat_map(|it| &it.groups);
    let past =
        groups.filter(|it| !matches!(it.stage.as_str(), "devices" | "free" | "class" | "request"));
    let mut devices: Vec<usize> = past.flat_map(|it| it.devices.iter().copied()).collect();
    dra_playground_core::workspace::Order::order(devices.as_mut_slice());
    devices
}
