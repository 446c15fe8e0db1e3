//! What only several objects together show: names that lead nowhere, pools that are not whole.
//!
//! A cluster shows most of it only as a Pod that stays Pending. What is missing comes with a fix
//! that inserts it, complete and working.
//! Must not know how a claim is allocated.

mod capacities;
mod insert;
mod pools;
mod publishing;
mod references;
#[cfg(test)]
mod tests;

use std::borrow::Borrow;
use std::collections::BTreeSet;

use crate::apimachinery::names::subdomain_faults;
use crate::diagnostic::{self, Diagnostic};

use super::object::{Object, ObjectValue};
use super::{
    DeviceClaim, DeviceClass, DeviceTaintRule, Node, Pod, ResourceClaim, ResourceClaimTemplate,
    ResourceSlice, codes,
};

/// How many problems are told; nobody reads more.
const MAX_DIAGNOSTICS: usize = 200;

/// Checks the objects of a text against each other.
///
/// `later` are objects that come to be in the course of a scenario: they count as known, but are not
/// checked themselves.
///
/// # Diagnostics
/// `device-class-not-found`, `resource-claim-not-found`, `resource-claim-template-not-found`,
/// `node-not-found`, `no-resource-slices`, `namespace-not-found`, `counter-set-not-found`,
/// `pool-incomplete`, `unknown-attribute`, `unknown-capacity`, `attribute-type-differs`, `reserved-domain`,
/// `counters-unreachable`, `class-without-selectors`, `taint-rule-without-selector`,
/// `allocated-device-gone`
pub fn check<O: Borrow<Object>>(text: &str, objects: &[O], later: &[O]) -> Vec<Diagnostic> {
    let known = Known {
        text,
        objects: objects.iter().map(Borrow::borrow).collect(),
        later: later.iter().map(Borrow::borrow).collect(),
    };
    let mut diagnostics = Vec::new();
    references::classes(&known, &mut diagnostics);
    references::claims_of_pods(&known, &mut diagnostics);
    references::nodes(&known, &mut diagnostics);
    references::namespaces(&known, &mut diagnostics);
    references::slices(&known, &mut diagnostics);
    references::allocated_devices(&known, &mut diagnostics);
    pools::pools(&known, &mut diagnostics);
    pools::attributes(&known, &mut diagnostics);
    capacities::capacities(&known, &mut diagnostics);
    publishing::reserved_names(&known, &mut diagnostics);
    publishing::unreachable_counters(&known, &mut diagnostics);
    for (object, class) in known.own_classes() {
        if class.selectors.is_empty() && !object.refused {
            diagnostics.push(class_without_selectors(object));
        }
    }
    for (object, rule) in known.own_rules() {
        if rule.device_selector.is_none() && !object.refused {
            diagnostics.push(rule_without_selector(object));
        }
    }
    diagnostic::sort(&mut diagnostics);
    if diagnostics.len() > MAX_DIAGNOSTICS {
        let more = diagnostics.split_off(MAX_DIAGNOSTICS);
        let first = more.first().map(|diagnostic| diagnostic.primary.span).unwrap_or_default();
        diagnostics.push(codes::more_diagnostics(more.len(), first));
    }
    diagnostics
}

fn class_without_selectors(object: &Object) -> Diagnostic {
    let message = format!(
        "class `{}` has no selectors: every device of every driver is in it",
        object.name()
    );
    Diagnostic::new(codes::CLASS_WITHOUT_SELECTORS, message, object.name_span())
        .note("a selector such as `device.driver == 'gpu.example.com'` keeps it to one driver")
}

fn rule_without_selector(object: &Object) -> Diagnostic {
    let message =
        format!("rule `{}` has no `deviceSelector`: by the API it selects nothing", object.name());
    Diagnostic::new(codes::TAINT_RULE_WITHOUT_SELECTOR, message, object.name_span())
        .note("schedulers up to 1.37.0 taint every device then; write a selector to be clear")
}

/// Everything that is there, by kind.
struct Known<'a> {
    text: &'a str,
    objects: Vec<&'a Object>,
    later: Vec<&'a Object>,
}

impl<'a> Known<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Object> {
        self.objects.iter().chain(&self.later).copied()
    }

    fn slices(&self) -> impl Iterator<Item = (&'a Object, &'a ResourceSlice)> {
        self.all().filter_map(|object| match &object.value {
            ObjectValue::ResourceSlice(slice) => Some((object, slice.as_ref())),
            _ => None,
        })
    }

    fn own_slices(&self) -> impl Iterator<Item = (&'a Object, &'a ResourceSlice)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::ResourceSlice(slice) => Some((object, slice.as_ref())),
            _ => None,
        })
    }

    fn classes(&self) -> impl Iterator<Item = (&'a Object, &'a DeviceClass)> {
        self.all().filter_map(|object| match &object.value {
            ObjectValue::DeviceClass(class) => Some((object, class.as_ref())),
            _ => None,
        })
    }

    fn own_classes(&self) -> impl Iterator<Item = (&'a Object, &'a DeviceClass)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::DeviceClass(class) => Some((object, class.as_ref())),
            _ => None,
        })
    }

    fn own_rules(&self) -> impl Iterator<Item = (&'a Object, &'a DeviceTaintRule)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::DeviceTaintRule(rule) => Some((object, rule.as_ref())),
            _ => None,
        })
    }

    fn own_pods(&self) -> impl Iterator<Item = (&'a Object, &'a Pod)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::Pod(pod) => Some((object, pod.as_ref())),
            _ => None,
        })
    }

    fn own_claims(&self) -> impl Iterator<Item = (&'a Object, &'a ResourceClaim)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::ResourceClaim(claim) => Some((object, claim.as_ref())),
            _ => None,
        })
    }

    fn claims(&self) -> impl Iterator<Item = &'a ResourceClaim> {
        self.all().filter_map(|object| match &object.value {
            ObjectValue::ResourceClaim(claim) => Some(claim.as_ref()),
            _ => None,
        })
    }

    fn templates(&self) -> impl Iterator<Item = &'a ResourceClaimTemplate> {
        self.all().filter_map(|object| match &object.value {
            ObjectValue::ResourceClaimTemplate(template) => Some(template.as_ref()),
            _ => None,
        })
    }

    fn nodes(&self) -> impl Iterator<Item = &'a Node> {
        self.all().filter_map(|object| match &object.value {
            ObjectValue::Node(node) => Some(node.as_ref()),
            _ => None,
        })
    }

    /// What claims and templates of the text ask for, with the path of it.
    fn own_specs(&self) -> impl Iterator<Item = (&'a Object, &'a DeviceClaim, &'static str)> {
        self.objects.iter().copied().filter_map(|object| match &object.value {
            ObjectValue::ResourceClaim(claim) => Some((object, &claim.spec, "spec.devices")),
            ObjectValue::ResourceClaimTemplate(template) => {
                Some((object, &template.spec, "spec.spec.devices"))
            }
            _ => None,
        })
    }

    /// Drivers that publish slices, by names that the API server takes.
    fn drivers(&self) -> BTreeSet<&'a str> {
        let drivers = self.slices().map(|(_, slice)| slice.driver.as_str());
        drivers.filter(|driver| subdomain_faults(&driver.to_lowercase()).is_empty()).collect()
    }
}
