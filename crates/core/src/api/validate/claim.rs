use std::collections::BTreeSet;

use crate::apimachinery::FieldError;
use crate::features::Gate;
use crate::yaml::NodeKind;

use super::super::object::Object;
use super::super::{
    AllocationMode, DeviceClaim, DeviceClass, DeviceConstraint, DeviceRequest, DeviceSelector,
    DeviceToleration, ExactRequest, OpaqueConfig, ResourceClaim, ResourceClaimStatus,
    ResourceClaimTemplate,
};
use super::faults::Faults;
use super::formats::{
    driver, fully_qualified_name, label, label_key, label_value, pool, subdomain,
};
use super::slice::{effect, node_selector};
use super::{CelFault, Rules};

const LIST_MAX: usize = 32;
const EXPRESSION_MAX: usize = 10 * 1024;
const PARAMETERS_MAX: usize = 10 * 1024;
/// Label of namespaces whose claims may ask for admin access (KEP-5018).
pub const ADMIN_LABEL: &str = "resource.kubernetes.io/admin-access";
const REFERENCE: &str = "must be the name of a request in the claim or the name of a request and \
    a subrequest separated by '/'";

/// Source: `ValidateResourceClaim`.
pub(super) fn claim(
    claim: &ResourceClaim,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    Claim { object, rules, path: "spec.devices", spec: &claim.spec }.check(faults);
    status(&claim.status, &claim.spec, object, faults);
}

/// Source: `ValidateResourceClaimTemplate`.
pub(super) fn template(
    template: &ResourceClaimTemplate,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    Claim { object, rules, path: "spec.spec.devices", spec: &template.spec }.check(faults);
}

/// Source: `ValidateDeviceClass`.
pub(super) fn class(class: &DeviceClass, object: &Object, rules: &Rules<'_>, faults: &mut Faults) {
    selectors(&class.selectors, "spec.selectors", rules, faults);
    // Entries without `opaque` are not in the decoded class, so that the text is asked.
    let config = object.spans.node("spec.config").and_then(|node| node.items());
    let config = config.unwrap_or_default();
    if faults.fits("spec.config", config.len(), LIST_MAX) {
        let mut decoded = class.config.iter();
        for (idx, node) in config.iter().enumerate() {
            let given = node.get("opaque").is_some_and(|opaque| opaque.entries().is_some());
            let opaque = if given { decoded.next() } else { None };
            self::opaque(opaque, &format!("spec.config[{idx}]"), object, faults);
        }
    }
    if let Some(name) = &class.extended_resource_name
        && !is_extended_resource_name(name)
    {
        let detail = "must be a valid extended resource name";
        faults.push(FieldError::invalid("spec.extendedResourceName", name, detail));
    }
}

/// Source: `v1helper.IsExtendedResourceName`.
fn is_extended_resource_name(name: &str) -> bool {
    let native = name.split_once('/').is_none_or(|(domain, _)| domain.contains("kubernetes.io"));
    let key = format!("requests.{name}");
    !native
        && !name.starts_with("requests.")
        && crate::apimachinery::names::label_key_faults(&key).is_empty()
}

struct Claim<'a> {
    object: &'a Object,
    rules: &'a Rules<'a>,
    /// Where the spec stands.
    path: &'a str,
    spec: &'a DeviceClaim,
}

impl Claim<'_> {
    fn check(&self, faults: &mut Faults) {
        let requests = format!("{}.requests", self.path);
        if faults.fits(&requests, self.spec.requests.len(), LIST_MAX) {
            for (idx, request) in self.spec.requests.iter().enumerate() {
                self.request(request, &format!("{requests}[{idx}]"), faults);
            }
            faults.unique(&requests, self.spec.requests.iter().map(|r| r.name.as_str()));
        }
        let constraints = format!("{}.constraints", self.path);
        if faults.fits(&constraints, self.spec.constraints.len(), LIST_MAX) {
            for (idx, constraint) in self.spec.constraints.iter().enumerate() {
                self.constraint(constraint, &format!("{constraints}[{idx}]"), faults);
            }
        }
        let config = format!("{}.config", self.path);
        if faults.fits(&config, self.spec.config.len(), LIST_MAX) {
            for (idx, entry) in self.spec.config.iter().enumerate() {
                let path = format!("{config}[{idx}]");
                references(&entry.requests, &format!("{path}.requests"), self.spec, faults);
                opaque(entry.opaque.as_ref(), &path, self.object, faults);
            }
        }
    }

    fn request(&self, request: &DeviceRequest, path: &str, faults: &mut Faults) {
        label(&format!("{path}.name"), &request.name, faults);
        let detail = "exactly one of `exactly` or `firstAvailable` is required";
        match (&request.exactly, request.first_available.as_slice()) {
            (None, []) => faults.push(FieldError::required(path, detail)),
            (Some(_), [_, ..]) => {
                let detail = format!("{detail}, but multiple fields are set");
                faults.push(FieldError::invalid_raw(path, "null", detail));
            }
            (Some(exact), []) => {
                let path = format!("{path}.exactly");
                self.exact(exact, &path, faults);
                self.admin_access(exact, &path, faults);
            }
            (None, subrequests) => {
                let path = format!("{path}.firstAvailable");
                if faults.fits(&path, subrequests.len(), 8) {
                    for (idx, sub) in subrequests.iter().enumerate() {
                        let path = format!("{path}[{idx}]");
                        label(&format!("{path}.name"), &sub.name, faults);
                        self.exact(&sub.request, &path, faults);
                    }
                    faults.unique(&path, subrequests.iter().map(|sub| sub.name.as_str()));
                }
            }
        }
    }

    fn exact(&self, exact: &ExactRequest, path: &str, faults: &mut Faults) {
        let class = format!("{path}.deviceClassName");
        if exact.device_class_name.is_empty() {
            faults.required(class);
        } else {
            subdomain(&class, &exact.device_class_name, faults);
        }
        selectors(&exact.selectors, &format!("{path}.selectors"), self.rules, faults);
        let count = format!("{path}.count");
        match &exact.allocation_mode {
            AllocationMode::All if exact.count != 0 => {
                let detail = "must not be specified when allocationMode is 'All'";
                faults.push(FieldError::invalid_raw(count, exact.count, detail));
            }
            AllocationMode::ExactCount if exact.count <= 0 => {
                let detail = "must be greater than zero";
                faults.push(FieldError::invalid_raw(count, exact.count, detail));
            }
            AllocationMode::Other(mode) => {
                let path = format!("{path}.allocationMode");
                faults.push(FieldError::not_supported(path, mode, &["All", "ExactCount"]));
            }
            AllocationMode::All | AllocationMode::ExactCount => {}
        }
        for (idx, toleration) in exact.tolerations.iter().enumerate() {
            self::toleration(toleration, &format!("{path}.tolerations[{idx}]"), faults);
        }
    }

    /// Source: `pkg/registry/resource AuthorizedForAdmin`.
    fn admin_access(&self, exact: &ExactRequest, path: &str, faults: &mut Faults) {
        if exact.admin_access != Some(true) || !self.rules.on(Gate::AdminAccess) {
            return;
        }
        let namespace = self.object.namespace();
        let labels = self.rules.namespaces.get(namespace);
        let allowed = labels.and_then(|labels| labels.get(ADMIN_LABEL)).map(String::as_str);
        // A namespace that nobody wrote down may well have the label.
        if labels.is_some() && allowed != Some("true") {
            let detail = format!(
                "admin access to devices requires the `{ADMIN_LABEL}: true` label on the \
                 containing namespace"
            );
            faults.push(FieldError::forbidden(format!("{path}.adminAccess"), detail));
        }
    }

    fn constraint(&self, constraint: &DeviceConstraint, path: &str, faults: &mut Faults) {
        references(&constraint.requests, &format!("{path}.requests"), self.spec, faults);
        match (&constraint.match_attribute, &constraint.distinct_attribute) {
            (Some(name), _) => {
                fully_qualified_name(&format!("{path}.matchAttribute"), name, faults);
            }
            (None, Some(name)) => {
                fully_qualified_name(&format!("{path}.distinctAttribute"), name, faults);
            }
            (None, None) if self.rules.on(Gate::ConsumableCapacity) => {
                // UPSTREAM: the text is about several fields although there is none.
                let detail = "exactly one of \"matchAttribute\" or \"distinctAttribute\" is \
                    required, but multiple fields are set";
                faults.push(FieldError::required(path, detail));
            }
            (None, None) => faults.required(format!("{path}.matchAttribute")),
        }
    }
}

fn selectors(selectors: &[DeviceSelector], path: &str, rules: &Rules<'_>, faults: &mut Faults) {
    if !faults.fits(path, selectors.len(), LIST_MAX) {
        return;
    }
    for (idx, selector) in selectors.iter().enumerate() {
        let path = format!("{path}[{idx}].cel");
        let Some(expression) = &selector.cel_expression else {
            faults.required(path);
            continue;
        };
        let path = format!("{path}.expression");
        if expression.len() > EXPRESSION_MAX {
            faults.push(FieldError::too_long(path, EXPRESSION_MAX));
            continue;
        }
        match (rules.cel)(expression) {
            Some(CelFault::Invalid(detail)) => {
                faults.push(FieldError::invalid(path, expression, detail));
            }
            Some(CelFault::TooComplex) => {
                faults.push(FieldError::forbidden(path, "too complex, exceeds cost limit"));
            }
            None => {}
        }
    }
}

fn toleration(toleration: &DeviceToleration, path: &str, faults: &mut Faults) {
    if !toleration.key.is_empty() {
        label_key(&format!("{path}.key"), &toleration.key, faults);
    }
    let value = format!("{path}.value");
    match toleration.operator.as_str() {
        "Exists" => {
            if !toleration.value.is_empty() {
                let detail = "must be empty for operator `Exists`";
                faults.push(FieldError::invalid(value, &toleration.value, detail));
            }
        }
        "Equal" => label_value(&value, &toleration.value, faults),
        "" => faults.required(format!("{path}.operator")),
        other => {
            let path = format!("{path}.operator");
            faults.push(FieldError::not_supported(path, other, &["Equal", "Exists"]));
        }
    }
    effect(&toleration.effect, &format!("{path}.effect"), faults);
}

/// Names of requests that a constraint or configuration is about.
fn references(names: &[String], path: &str, spec: &DeviceClaim, faults: &mut Faults) {
    if !faults.fits(path, names.len(), LIST_MAX) {
        return;
    }
    for (idx, name) in names.iter().enumerate() {
        reference(name, &format!("{path}[{idx}]"), spec, faults);
    }
    faults.unique(path, names.iter().map(String::as_str));
}

/// Source: `validateRequestNameRef`.
fn reference(name: &str, path: &str, spec: &DeviceClaim, faults: &mut Faults) {
    let segments: Vec<&str> = name.split('/').collect();
    if segments.len() > 2 {
        faults.push(FieldError::invalid(path, name, REFERENCE));
        return;
    }
    for segment in &segments {
        label(path, segment, faults);
    }
    // UPSTREAM: of requests with the same name the last one counts.
    let request = spec.requests.iter().rev().find(|r| Some(&r.name.as_str()) == segments.first());
    let known = request.is_some_and(|request| match segments.get(1) {
        None => true,
        Some(sub) => request.first_available.iter().any(|s| s.name == *sub),
    });
    if !known {
        faults.push(FieldError::invalid(path, name, REFERENCE));
    }
}

/// Source: `validateOpaqueConfiguration`, `validateRawExtension`.
fn opaque(opaque: Option<&OpaqueConfig>, path: &str, object: &Object, faults: &mut Faults) {
    let path = format!("{path}.opaque");
    let Some(opaque) = opaque else {
        faults.required(path);
        return;
    };
    driver(&format!("{path}.driver"), &opaque.driver, faults);
    let path = format!("{path}.parameters");
    if opaque.parameters.is_null() {
        faults.required(path);
    } else if opaque.parameters.to_string().len() > PARAMETERS_MAX {
        faults.push(FieldError::too_long(path, PARAMETERS_MAX));
    } else if !matches!(object.spans.node(&path).map(|node| &node.kind), Some(NodeKind::Mapping(_)))
        && !opaque.parameters.is_object()
    {
        let detail = "must be a valid JSON object";
        faults.push(FieldError::invalid(path, "<value omitted>", detail));
    }
}

/// Source: `validateResourceClaimStatusUpdate`.
fn status(status: &ResourceClaimStatus, spec: &DeviceClaim, object: &Object, faults: &mut Faults) {
    let path = "status.reservedFor";
    if faults.fits(path, status.reserved_for.len(), 256) {
        for (idx, consumer) in status.reserved_for.iter().enumerate() {
            let fields = [
                ("resource", &consumer.resource),
                ("name", &consumer.name),
                ("uid", &consumer.uid),
            ];
            for (field, value) in fields {
                if value.is_empty() {
                    faults.required(format!("{path}[{idx}].{field}"));
                }
            }
        }
        let mut seen = BTreeSet::new();
        for (idx, consumer) in status.reserved_for.iter().enumerate() {
            if !seen.insert(&consumer.uid) {
                faults.push(FieldError::duplicate(format!("{path}[{idx}]"), &consumer.uid));
            }
        }
    }
    if !status.reserved_for.is_empty() && status.allocation.is_none() {
        let detail = "may not be specified when `allocated` is not set";
        faults.push(FieldError::forbidden(path, detail));
    }
    let Some(allocation) = &status.allocation else {
        return;
    };
    let results = "status.allocation.devices.results";
    if faults.fits(results, allocation.results.len(), LIST_MAX) {
        for (idx, result) in allocation.results.iter().enumerate() {
            let path = format!("{results}[{idx}]");
            reference(&result.request, &format!("{path}.request"), spec, faults);
            driver(&format!("{path}.driver"), &result.driver, faults);
            pool(&format!("{path}.pool"), &result.pool, faults);
            label(&format!("{path}.device"), &result.device, faults);
        }
    }
    let config = "status.allocation.devices.config";
    if faults.fits(config, allocation.config.len(), 2 * LIST_MAX) {
        for (idx, entry) in allocation.config.iter().enumerate() {
            let path = format!("{config}[{idx}]");
            let source =
                object.spans.node(&format!("{path}.source")).and_then(crate::yaml::Node::text);
            match source.as_deref() {
                Some("FromClass" | "FromClaim") => {}
                None | Some("") => faults.required(format!("{path}.source")),
                Some(other) => faults.push(FieldError::not_supported(
                    format!("{path}.source"),
                    other,
                    &["FromClaim", "FromClass"],
                )),
            }
            references(&entry.requests, &format!("{path}.requests"), spec, faults);
            opaque(entry.opaque.as_ref(), &path, object, faults);
        }
    }
    if let Some(selector) = &allocation.node_selector {
        node_selector(selector, "status.allocation.nodeSelector", faults);
    }
}
