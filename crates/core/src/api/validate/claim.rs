use crate::apimachinery::FieldError;
use crate::features::Gate;
use crate::yaml::NodeKind;

use super::super::object::Object;
use super::super::{
    AllocationMode, DeviceClaim, DeviceClass, DeviceConstraint, DeviceRequest, DeviceSelector,
    DeviceToleration, ExactRequest, OpaqueConfig, ResourceClaim, ResourceClaimTemplate,
};
use super::faults::{Faults, Mark};
use super::formats::{driver, fully_qualified_name, label, label_key, label_value, subdomain};
use super::shown::item_json;
use super::slice::effect;
use super::{CelFault, Rules};

pub(super) const LIST_MAX: usize = 32;
const EXPRESSION_MAX: usize = 10 * 1024;
const PARAMETERS_MAX: usize = 10 * 1024;
/// Label of namespaces whose claims may ask for admin access (KEP-5018).
pub const ADMIN_LABEL: &str = "resource.kubernetes.io/admin-access";
pub(super) const REFERENCE: &str = "must be the name of a request in the claim or the name of a request and \
    a subrequest separated by '/'";

/// Source: `ValidateResourceClaim`.
pub(super) fn claim(
    claim: &ResourceClaim,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let checked = Claim { object, rules, path: "spec.devices", spec: &claim.spec };
    checked.admin_access(faults);
    checked.check(faults);
    super::status::status(&claim.status, &claim.spec, object, rules, faults);
}

/// Refuses admin access outside of namespaces for administrators.
pub(super) fn admin_access(
    path: String,
    mark: String,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    let labels = rules.namespaces.get(object.namespace());
    let allowed = labels.and_then(|labels| labels.get(ADMIN_LABEL)).map(String::as_str);
    // A namespace that nobody wrote down may well have the label.
    if labels.is_some() && allowed != Some("true") {
        let detail = format!(
            "admin access to devices requires the `{ADMIN_LABEL}: true` label on the containing \
             namespace"
        );
        faults.push_at(FieldError::forbidden(path, detail), Mark::Value(mark));
    }
}

/// Source: `ValidateResourceClaimTemplate`.
pub(super) fn template(
    template: &ResourceClaimTemplate,
    object: &Object,
    rules: &Rules<'_>,
    faults: &mut Faults,
) {
    super::meta::template(&template.claim_metadata, "spec.metadata", faults);
    super::meta::only_labels(object, "spec.metadata", faults);
    let checked = Claim { object, rules, path: "spec.spec.devices", spec: &template.spec };
    checked.admin_access(faults);
    checked.check(faults);
}

/// Source: `ValidateDeviceClass`.
pub(super) fn class(class: &DeviceClass, object: &Object, rules: &Rules<'_>, faults: &mut Faults) {
    selectors(&class.selectors, "spec.selectors", rules, faults);
    // Entries without `opaque` are not in the decoded class, so that the text is asked.
    let config = object.spans.node("spec.config").and_then(|node| node.items());
    let config = config.unwrap_or_default();
    if faults.declared(|faults| faults.fits("spec.config", config.len(), LIST_MAX)) {
        let mut decoded = class.config.iter();
        for (idx, node) in config.iter().enumerate() {
            let given = node.get("opaque").is_some_and(|opaque| opaque.entries().is_some());
            let opaque = if given { decoded.next() } else { None };
            self::opaque(opaque, &format!("spec.config[{idx}]"), object, faults);
        }
    }
    if let Some(name) = &class.extended_resource_name {
        faults.declared(|faults| extended_resource_name(name, faults));
    }
}

/// Source: `validate.ExtendedResourceName`, `v1helper.IsExtendedResourceName`.
fn extended_resource_name(name: &str, faults: &mut Faults) {
    let mut details = Vec::new();
    match name.split_once('/') {
        None => details.push(
            "a name must be a domain-prefixed path, such as 'example.com/my-prop'".to_owned(),
        ),
        Some(_) if name.contains("kubernetes.io/") => {
            details.push("must not have \"kubernetes.io/\" domain".to_owned());
        }
        Some(_) => {}
    }
    if name.starts_with("requests.") {
        details.push("must not have \"requests.\" prefix".to_owned());
    }
    let key = format!("requests.{name}");
    details.extend(crate::apimachinery::names::label_key_faults(&key));
    if !faults.are_declared() && !details.is_empty() {
        details = vec!["must be a valid extended resource name".to_owned()];
    }
    faults.invalid("spec.extendedResourceName", name, details);
}

/// Whether a list is short enough, by a declared rule.
fn fits(path: &str, count: usize, limit: usize, faults: &mut Faults) -> bool {
    faults.declared(|faults| faults.fits(path, count, limit))
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
        if fits(&requests, self.spec.requests.len(), LIST_MAX, faults) {
            for (idx, request) in self.spec.requests.iter().enumerate() {
                self.request(request, &format!("{requests}[{idx}]"), faults);
            }
            let names = self.spec.requests.iter().map(|r| r.name.as_str());
            self.unique(&requests, names, faults);
        }
        let constraints = format!("{}.constraints", self.path);
        if fits(&constraints, self.spec.constraints.len(), LIST_MAX, faults) {
            for (idx, constraint) in self.spec.constraints.iter().enumerate() {
                self.constraint(constraint, &format!("{constraints}[{idx}]"), faults);
            }
        }
        let config = format!("{}.config", self.path);
        if fits(&config, self.spec.config.len(), LIST_MAX, faults) {
            for (idx, entry) in self.spec.config.iter().enumerate() {
                let path = format!("{config}[{idx}]");
                references(&entry.requests, &format!("{path}.requests"), self.spec, faults);
                opaque(entry.opaque.as_ref(), &path, self.object, faults);
            }
        }
    }

    /// Named items: the error shows the whole item.
    fn unique<'a>(&self, path: &str, names: impl Iterator<Item = &'a str>, faults: &mut Faults) {
        let show = |idx| item_json(self.object, &format!("{path}[{idx}]"));
        faults.declared(|faults| faults.unique_items(path, names, show));
    }

    fn request(&self, request: &DeviceRequest, path: &str, faults: &mut Faults) {
        label(&format!("{path}.name"), &request.name, faults);
        let detail = "exactly one of `exactly` or `firstAvailable` is required";
        match (&request.exactly, request.first_available.as_slice()) {
            (None, []) => faults.push(FieldError::required(path, detail)),
            (Some(_), [_, ..]) => {
                let detail = format!("{detail}, but multiple fields are set");
                faults.push(FieldError::invalid_raw(path, "null", detail));
                faults.only_declared(|faults| self.forms(request, path, faults));
            }
            _ => self.forms(request, path, faults),
        }
    }

    /// What a request asks for, in either form.
    fn forms(&self, request: &DeviceRequest, path: &str, faults: &mut Faults) {
        if let Some(exact) = &request.exactly {
            self.exact(exact, &format!("{path}.exactly"), false, faults);
        }
        let (path, subrequests) = (format!("{path}.firstAvailable"), &request.first_available);
        if fits(&path, subrequests.len(), 8, faults) {
            for (idx, sub) in subrequests.iter().enumerate() {
                let path = format!("{path}[{idx}]");
                label(&format!("{path}.name"), &sub.name, faults);
                self.exact(&sub.request, &path, true, faults);
            }
            self.unique(&path, subrequests.iter().map(|sub| sub.name.as_str()), faults);
        }
    }

    /// The fields of a request or, with more of them declared, of a subrequest.
    fn exact(&self, exact: &ExactRequest, path: &str, is_sub: bool, faults: &mut Faults) {
        let class = |faults: &mut Faults| {
            let path = format!("{path}.deviceClassName");
            if exact.device_class_name.is_empty() {
                faults.required(path);
            } else {
                subdomain(&path, &exact.device_class_name, faults);
            }
        };
        if is_sub {
            faults.declared(class);
        } else {
            class(faults);
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
                let error = FieldError::not_supported(path, mode, &["All", "ExactCount"]);
                if mode.is_empty() {
                    faults.push(error);
                } else {
                    faults.declared(|faults| faults.push(error));
                }
            }
            AllocationMode::All | AllocationMode::ExactCount => {}
        }
        for (idx, toleration) in exact.tolerations.iter().enumerate() {
            self::toleration(toleration, &format!("{path}.tolerations[{idx}]"), faults);
        }
    }

    /// Source: `pkg/registry/resource AuthorizedForAdmin`.
    fn admin_access(&self, faults: &mut Faults) {
        let wants = |request: &DeviceRequest| {
            request.exactly.as_ref().is_some_and(|exact| exact.admin_access == Some(true))
        };
        let Some(idx) = self.spec.requests.iter().position(wants) else { return };
        if !self.rules.on(Gate::AdminAccess) {
            return;
        }
        // UPSTREAM: the first such request, with a path that none of the versions has.
        let path = format!("spec.devices.requests[{idx}].adminAccess");
        let mark = format!("{}.requests[{idx}].exactly.adminAccess", self.path);
        admin_access(path, mark, self.object, self.rules, faults);
    }

    fn constraint(&self, constraint: &DeviceConstraint, path: &str, faults: &mut Faults) {
        references(&constraint.requests, &format!("{path}.requests"), self.spec, faults);
        let (same, distinct) = (&constraint.match_attribute, &constraint.distinct_attribute);
        if let Some(name) = same {
            let path = format!("{path}.matchAttribute");
            faults.declared(|faults| fully_qualified_name(&path, name, faults));
        }
        // UPSTREAM: handwritten rules look at the second one only where the first is missing.
        if let Some(name) = distinct
            && (same.is_none() || faults.declares())
        {
            let path = format!("{path}.distinctAttribute");
            faults.declared(|faults| fully_qualified_name(&path, name, faults));
        }
        match (same, distinct) {
            (Some(_), _) | (_, Some(_)) => {}
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
    if !faults.declared(|faults| faults.fits(path, selectors.len(), LIST_MAX)) {
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

pub(super) fn toleration(toleration: &DeviceToleration, path: &str, faults: &mut Faults) {
    if !toleration.key.is_empty() {
        faults.declared(|faults| label_key(&format!("{path}.key"), &toleration.key, faults));
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
        "" => faults.declared(|faults| faults.required(format!("{path}.operator"))),
        other => {
            let path = format!("{path}.operator");
            let error = FieldError::not_supported(path, other, &["Equal", "Exists"]);
            faults.declared(|faults| faults.push(error));
        }
    }
    effect(&toleration.effect, &format!("{path}.effect"), faults);
}

/// Names of requests that a constraint or configuration is about.
pub(super) fn references(names: &[String], path: &str, spec: &DeviceClaim, faults: &mut Faults) {
    if !faults.declared(|faults| faults.fits(path, names.len(), LIST_MAX)) {
        return;
    }
    for (idx, name) in names.iter().enumerate() {
        reference(name, &format!("{path}[{idx}]"), spec, faults);
    }
    faults.declared(|faults| faults.unique(path, names.iter().map(String::as_str)));
}

/// Source: `validateRequestNameRef`.
pub(super) fn reference(name: &str, path: &str, spec: &DeviceClaim, faults: &mut Faults) {
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
pub(super) fn opaque(
    opaque: Option<&OpaqueConfig>,
    path: &str,
    object: &Object,
    faults: &mut Faults,
) {
    let path = format!("{path}.opaque");
    let Some(opaque) = opaque else {
        faults.required(path);
        return;
    };
    faults.declared(|faults| driver(&format!("{path}.driver"), &opaque.driver, faults));
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
