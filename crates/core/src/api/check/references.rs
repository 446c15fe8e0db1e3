use std::collections::{BTreeMap, BTreeSet};

use dra_playground_cel::order::Gather;

use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::source::Span;

use super::super::object::{Kind, Object, ObjectValue};
use super::super::{ExactRequest, IMPLICIT_PREFIX, codes};
use super::{Known, insert};

/// Classes that requests name.
pub(super) fn classes(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let names: BTreeSet<&str> = known.classes().map(|(object, _)| object.name()).gathered();
    let mut check = |name: &str, object: &Object, path: &str| {
        if !name.is_empty() && !names.contains(name) {
            diagnostics.extend(class_not_found(known, name, object, object.spans.mark(path)));
        }
    };
    for (object, spec, path) in known.own_specs() {
        for (idx, request) in spec.requests.iter().enumerate() {
            let path = format!("{path}.requests[{idx}]");
            let mut exact = |request: &ExactRequest, path: &str| {
                check(&request.device_class_name, object, &format!("{path}.deviceClassName"));
            };
            if let Some(request) = &request.exactly {
                exact(request, &format!("{path}.exactly"));
            }
            for (idx, sub) in request.first_available.iter().enumerate() {
                exact(&sub.request, &format!("{path}.firstAvailable[{idx}]"));
            }
        }
    }
    for (object, pod) in known.own_pods() {
        let groups = [("containers", &pod.containers), ("initContainers", &pod.init_containers)];
        for (field, containers) in groups {
            for (idx, container) in containers.iter().enumerate() {
                for resource in container.limits.keys() {
                    if let Some(name) = resource.strip_prefix(IMPLICIT_PREFIX) {
                        let path = format!("spec.{field}[{idx}].resources.limits[{resource}]");
                        check(name, object, &path);
                    }
                }
            }
        }
    }
}

/// Nothing when all there is to say is that it is no name at all, which the API server says.
fn class_not_found(
    known: &Known<'_>,
    name: &str,
    object: &Object,
    span: Span,
) -> Option<Diagnostic> {
    let message = format!("there is no DeviceClass `{name}`");
    let mut diagnostic = Diagnostic::new(codes::DEVICE_CLASS_NOT_FOUND, message, span);
    if object.refusals.is_empty() {
        diagnostic =
            diagnostic.note("the API server accepts the claim, but it can never be allocated");
    }
    let mut diagnostic = suggest(diagnostic, known, Kind::DeviceClass, (name, ""), span);
    let drivers = known.drivers();
    let choices: Vec<&str> = match insert::driver_of_class(known, name) {
        Some(driver) => vec![driver],
        None if drivers.is_empty() => vec![insert::driver_named(name)],
        None => drivers.into_iter().take(3).collect(),
    };
    for driver in choices {
        let title = format!("insert DeviceClass `{name}` for driver `{driver}`");
        let documents = [insert::class(name, driver)];
        diagnostic = diagnostic.fix(insert::append(known, title, (name, ""), &documents));
    }
    let is_help = !diagnostic.notes.is_empty() || !diagnostic.fixes.is_empty();
    is_help.then_some(diagnostic)
}

/// Claims and templates that Pods name.
pub(super) fn claims_of_pods(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let claims: BTreeSet<(&str, &str)> = known
        .claims()
        .map(|claim| (claim.metadata.namespace.as_str(), claim.metadata.name.as_str()))
        .gathered();
    let templates: BTreeSet<(&str, &str)> = known
        .templates()
        .map(|template| (template.metadata.namespace.as_str(), template.metadata.name.as_str()))
        .gathered();
    for (object, pod) in known.own_pods() {
        let namespace = pod.metadata.namespace.as_str();
        for (idx, entry) in pod.resource_claims.iter().enumerate() {
            let path = format!("spec.resourceClaims[{idx}]");
            if let Some(name) = &entry.resource_claim_name
                && !claims.contains(&(namespace, name))
            {
                let span = object.spans.mark(&format!("{path}.resourceClaimName"));
                let code = codes::RESOURCE_CLAIM_NOT_FOUND;
                let diagnostic =
                    not_found(code, known, Kind::ResourceClaim, (name, namespace), &claims, span);
                let title = format!("insert ResourceClaim `{name}`");
                let documents = insert::claim(known, namespace, name);
                diagnostics.push(
                    diagnostic
                        .fix(insert::append(known, title, (name, namespace), &documents))
                        .upstream(format!("resourceclaim \"{name}\" not found")),
                );
            }
            if let Some(name) = &entry.resource_claim_template_name
                && !templates.contains(&(namespace, name))
            {
                let span = object.spans.mark(&format!("{path}.resourceClaimTemplateName"));
                let code = codes::RESOURCE_CLAIM_TEMPLATE_NOT_FOUND;
                let kind = Kind::ResourceClaimTemplate;
                let diagnostic = not_found(code, known, kind, (name, namespace), &templates, span);
                let title = format!("insert ResourceClaimTemplate `{name}`");
                let documents = insert::template(known, namespace, name);
                let fix = insert::append(known, title, (name, namespace), &documents);
                diagnostics.push(diagnostic.fix(fix));
            }
        }
    }
}

fn not_found(
    code: Code,
    known: &Known<'_>,
    kind: Kind,
    (name, namespace): (&str, &str),
    there: &BTreeSet<(&str, &str)>,
    span: Span,
) -> Diagnostic {
    let message = format!("there is no {} `{name}` in namespace `{namespace}`", kind.as_str());
    let diagnostic =
        Diagnostic::new(code, message, span).note("the Pod stays Pending until it is created");
    if let Some((other, _)) = there.iter().find(|(_, other)| *other == name) {
        return diagnostic.note(format!(
            "there is one in namespace `{other}`, but a Pod can use only those of its own"
        ));
    }
    suggest(diagnostic, known, kind, (name, namespace), span)
}

/// Asks for an object that is there and that the API server takes.
fn suggest(
    diagnostic: Diagnostic,
    known: &Known<'_>,
    kind: Kind,
    (name, namespace): (&str, &str),
    span: Span,
) -> Diagnostic {
    let there = known.all().filter(|object| {
        object.kind == kind && object.refusals.is_empty() && object.namespace() == namespace
    });
    match did_you_mean(name, there.map(Object::name)) {
        Some(close) => {
            diagnostic.propose(close, crate::yaml::quote_if_ambiguous(close), span, false)
        }
        None => diagnostic,
    }
}

/// Nodes that slices and Pods name.
pub(super) fn nodes(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let names: BTreeSet<&str> = known.nodes().map(|node| node.metadata.name.as_str()).gathered();
    let mut missing: BTreeMap<&str, (Span, &str)> = BTreeMap::new();
    for (object, slice) in known.own_slices() {
        let own = slice.node_name.iter().map(|name| (name, "spec.nodeName".to_owned()));
        let devices = slice.devices.iter().enumerate().flat_map(|(idx, device)| {
            let path = format!("spec.devices[{idx}].nodeName");
            device.node_name.iter().map(move |name| (name, path.clone()))
        });
        for (name, path) in own.chain(devices) {
            if !names.contains(name.as_str()) && !missing.contains_key(name.as_str()) {
                missing.insert(name, (object.spans.mark(&path), "slice"));
            }
        }
    }
    for (object, pod) in known.own_pods() {
        if let Some(name) = pod.node_name.as_deref().filter(|name| !names.contains(name)) {
            missing.entry(name).or_insert((object.spans.mark("spec.nodeName"), "Pod"));
        }
    }
    for (name, (span, who)) in missing.into_iter().filter(|(name, _)| !name.is_empty()) {
        let message = format!("there is no Node `{name}`, which this {who} names");
        let diagnostic = Diagnostic::new(codes::NODE_NOT_FOUND, message, span)
            .note("a node of this name without labels is assumed");
        let diagnostic = suggest(diagnostic, known, Kind::Node, (name, ""), span);
        let title = format!("insert Node `{name}`");
        let fix = insert::append(known, title, (name, ""), &[insert::node(name)]);
        diagnostics.push(diagnostic.fix(fix));
    }
    without_any_node(known, diagnostics);
}

/// Slices for all or selected nodes, but no node anywhere.
fn without_any_node(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let named = known.slices().any(|(_, slice)| {
        slice.node_name.is_some() || slice.devices.iter().any(|device| device.node_name.is_some())
    });
    if named || known.nodes().next().is_some() {
        return;
    }
    let scoped = known.own_slices().find(|(_, slice)| !slice.devices.is_empty());
    if let Some((object, _)) = scoped {
        let message = "there is no Node, so no device can be reached";
        let fix = insert::append(
            known,
            "insert Node `node-1`".to_owned(),
            ("", ""),
            &[insert::node("node-1")],
        );
        let span = object.name_span();
        diagnostics.push(Diagnostic::new(codes::NODE_NOT_FOUND, message, span).fix(fix));
    }
}

/// Namespaces that are used but not written down.
pub(super) fn namespaces(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let written = known.all().filter(|object| object.kind == Kind::Namespace).map(Object::name);
    let mut seen: BTreeSet<&str> = written.gathered();
    seen.insert("default");
    seen.insert("");
    for object in known.objects.iter().filter(|object| object.kind.is_namespaced()) {
        let name = object.namespace();
        if !seen.insert(name) {
            continue;
        }
        let message = format!("namespace `{name}` is not written down; it is assumed to exist");
        let fix = insert::append(
            known,
            format!("insert Namespace `{name}`"),
            ("", name),
            &[insert::namespace(name)],
        );
        let span = object.spans.mark("metadata.namespace");
        let code = codes::NAMESPACE_NOT_FOUND;
        let diagnostic = Diagnostic::new(code, message, span);
        let diagnostic = suggest(diagnostic, known, Kind::Namespace, (name, ""), span);
        diagnostics.push(diagnostic.fix(fix));
    }
}

/// Somebody wants devices, but nobody has any.
pub(super) fn slices(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if known.slices().next().is_some() {
        return;
    }
    let wants = |object: &&Object| match &object.value {
        ObjectValue::ResourceClaim(claim) => claim.status.allocation.is_none(),
        ObjectValue::ResourceClaimTemplate(_) => true,
        _ => false,
    };
    if let Some(object) = known.objects.iter().copied().find(wants) {
        let message = "there is no ResourceSlice, so there is no device to allocate";
        let (driver, documents) = insert::slice(known);
        let title = format!("insert a ResourceSlice of `{driver}` with two devices");
        let span = object.name_span();
        let diagnostic = Diagnostic::new(codes::NO_RESOURCE_SLICES, message, span)
            .note("drivers publish slices; `kubectl get resourceslices -o yaml` shows a cluster's")
            .fix(insert::append(known, title, ("", ""), &documents));
        diagnostics.push(diagnostic);
    }
}

/// Devices that claims have, but that are published no longer.
pub(super) fn allocated_devices(known: &Known<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let devices: BTreeSet<(&str, &str, &str)> = known
        .slices()
        .flat_map(|(_, slice)| {
            let device = |name| (slice.driver.as_str(), slice.pool.name.as_str(), name);
            slice.devices.iter().map(move |item| device(item.name.as_str()))
        })
        .gathered();
    if devices.is_empty() {
        return;
    }
    for (object, claim) in known.own_claims() {
        let results = claim.status.allocation.iter().flat_map(|allocation| &allocation.results);
        for (idx, result) in results.enumerate() {
            let key = (result.driver.as_str(), result.pool.as_str(), result.device.as_str());
            if !devices.contains(&key) {
                let message = format!(
                    "claim `{}` has device `{}/{}/{}`, which is published no longer",
                    object.name(),
                    key.0,
                    key.1,
                    key.2
                );
                let path = format!("status.allocation.devices.results[{idx}].device");
                let code = codes::ALLOCATED_DEVICE_GONE;
                diagnostics.push(Diagnostic::new(code, message, object.spans.mark(&path)));
            }
        }
    }
}
