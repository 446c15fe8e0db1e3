//! Objects coming into being, being replaced, and going away, as the API server would have it.

use std::rc::Rc;

use super::controllers::has_other_finalizers;
use crate::api::{
    Device, DeviceTaint, Kind, Object as Read, ObjectValue, Pod, ResourceClaim, ResourceSlice,
};
use crate::apimachinery::{ObjectMeta, ObjectRef};
use crate::cluster::{
    Cluster, DEFAULT_EPOCH, HasMeta, Made, Object, Objects, Origin, format_time, parse_time,
    stable_uuid,
};

/// The latest time that the objects mention: what is written lies in the past.
pub(super) fn latest_time(objects: &[Rc<Read>]) -> i64 {
    let mut latest: Option<i64> = None;
    let mut note = |text: &Option<String>| {
        if let Some(time) = text.as_deref().and_then(parse_time) {
            latest = Some(latest.map_or(time, |known| known.max(time)));
        }
    };
    for object in objects {
        if let Some(metadata) = object.metadata() {
            note(&metadata.creation_timestamp);
        }
        match &object.value {
            ObjectValue::ResourceSlice(slice) => {
                let taints = slice.devices.iter().flat_map(|device| &device.taints);
                taints.for_each(|taint| note(&taint.time_added));
            }
            ObjectValue::DeviceTaintRule(rule) => note(&rule.taint.time_added),
            ObjectValue::ResourceClaim(claim) => {
                let allocation = claim.status.allocation.iter();
                allocation.for_each(|allocation| note(&allocation.allocation_timestamp));
            }
            ObjectValue::DeviceClass(_)
            | ObjectValue::ResourceClaimTemplate(_)
            | ObjectValue::Pod(_)
            | ObjectValue::Node(_)
            | ObjectValue::Namespace(_)
            | ObjectValue::Scenario(_) => {}
        }
    }
    latest.unwrap_or(DEFAULT_EPOCH)
}

/// Creates or replaces an object; says whether it was there before.
pub(super) fn put(cluster: &mut Cluster, step: usize, object: &Read, origin: Origin) -> bool {
    let place = Place { origin, created_seconds: cluster.clock_seconds, step };
    match object.value.clone() {
        ObjectValue::Node(mut node) => {
            place.named("Node", &mut node.metadata);
            // The kubelet sets this label on every node; texts often leave it out.
            let name = node.metadata.name.clone();
            node.metadata.labels.entry("kubernetes.io/hostname".to_owned()).or_insert(name);
            place.put(&mut cluster.nodes, *node)
        }
        ObjectValue::Namespace(mut namespace) => {
            place.named("Namespace", &mut namespace.metadata);
            place.put(&mut cluster.namespaces, *namespace)
        }
        ObjectValue::DeviceClass(mut class) => {
            place.named("DeviceClass", &mut class.metadata);
            let (class, was_there) = place.object(&cluster.classes, *class);
            cluster.put_class(class);
            was_there
        }
        ObjectValue::ResourceClaimTemplate(mut template) => {
            place.named("ResourceClaimTemplate", &mut template.metadata);
            place.put(&mut cluster.templates, *template)
        }
        ObjectValue::ResourceSlice(slice) => put_slice(cluster, *slice, &place),
        ObjectValue::DeviceTaintRule(mut rule) => {
            place.named("DeviceTaintRule", &mut rule.metadata);
            let old = cluster.taint_rules.get("", &rule.metadata.name).map(|old| &old.value.taint);
            time_taint(&mut rule.taint, old.into_iter(), cluster.now());
            place.put(&mut cluster.taint_rules, *rule)
        }
        ObjectValue::ResourceClaim(claim) => put_claim(cluster, *claim, &place),
        ObjectValue::Pod(pod) => put_pod(cluster, *pod, &place),
        ObjectValue::Scenario(_) => false,
    }
}

/// The field for which the API server refuses to replace an object that is there.
///
/// Source: `pkg/apis/resource/validation`, `ValidateImmutableField`.
pub(super) fn changed_for_good(cluster: &Cluster, object: &Read) -> Option<&'static str> {
    let (namespace, name) = (object.namespace(), object.name());
    match &object.value {
        ObjectValue::ResourceClaim(claim) => {
            let old = &cluster.claims.get(namespace, name)?.value;
            (old.spec != claim.spec).then_some("spec")
        }
        ObjectValue::ResourceClaimTemplate(template) => {
            let old = &cluster.templates.get(namespace, name)?.value;
            let same = old.spec == template.spec && old.claim_metadata == template.claim_metadata;
            (!same).then_some("spec")
        }
        ObjectValue::ResourceSlice(slice) => {
            let old = &cluster.slices.get(namespace, name)?.value;
            let fields = [
                (old.pool.name != slice.pool.name, "spec.pool.name"),
                (old.driver != slice.driver, "spec.driver"),
                (old.node_name != slice.node_name, "spec.nodeName"),
            ];
            fields.into_iter().find(|(changed, _)| *changed).map(|(_, field)| field)
        }
        ObjectValue::DeviceClass(_)
        | ObjectValue::DeviceTaintRule(_)
        | ObjectValue::Pod(_)
        | ObjectValue::Node(_)
        | ObjectValue::Namespace(_)
        | ObjectValue::Scenario(_) => None,
    }
}

/// What an object gets besides what is written.
struct Place {
    origin: Origin,
    created_seconds: u64,
    step: usize,
}

impl Place {
    /// Fills in the UID. An object that comes back after it was deleted is another one.
    fn named(&self, kind: &str, meta: &mut ObjectMeta) {
        if meta.uid.is_empty() {
            let step = self.step.to_string();
            meta.uid = stable_uuid(&[kind, &meta.namespace, &meta.name, &step]);
        }
    }

    fn put<T: HasMeta + Clone>(&self, objects: &mut Objects<T>, value: T) -> bool {
        let (object, was_there) = self.object(objects, value);
        objects.put(object);
        was_there
    }

    /// The object as it is kept, and whether there was one of its name.
    fn object<T: HasMeta>(&self, objects: &Objects<T>, value: T) -> (Object<T>, bool) {
        let meta = value.meta();
        let old = objects.get(&meta.namespace, &meta.name).map(|old| old.created_seconds);
        let object = Object {
            value: Rc::new(value),
            origin: self.origin,
            created_seconds: old.unwrap_or(self.created_seconds),
            since_step: self.step,
        };
        (object, old.is_some())
    }
}

fn put_slice(cluster: &mut Cluster, mut slice: ResourceSlice, place: &Place) -> bool {
    place.named("ResourceSlice", &mut slice.metadata);
    let now = cluster.now();
    let old = cluster.slices.get("", &slice.metadata.name).map(|old| Rc::clone(&old.value));
    let untimed = |device: &Device| device.taints.iter().any(|taint| taint.time_added.is_none());
    // Devices are many: they stay shared with the text's unless something is to be filled in.
    let timed = slice.devices.iter().any(untimed).then(|| slice.devices_mut());
    for device in timed.into_iter().flatten() {
        let before = || {
            let devices = old.iter().flat_map(|old| old.devices.iter());
            devices.filter(|old| old.name == device.name).flat_map(|old| &old.taints)
        };
        for taint in &mut device.taints {
            time_taint(taint, before(), now);
        }
    }
    place.put(&mut cluster.slices, slice)
}

/// Says since when a taint is there: as written, as before, or as of now.
fn time_taint<'a>(
    taint: &mut DeviceTaint,
    mut old: impl Iterator<Item = &'a DeviceTaint>,
    now: i64,
) {
    if taint.time_added.is_none() {
        let same = old.find(|old| {
            old.key == taint.key && old.value == taint.value && old.effect == taint.effect
        });
        taint.time_added =
            same.and_then(|old| old.time_added.clone()).or_else(|| Some(format_time(now)));
    }
}

/// An update of a claim does not touch its status unless it brings one, nor does it undo a deletion.
fn put_claim(cluster: &mut Cluster, mut claim: ResourceClaim, place: &Place) -> bool {
    let old = cluster.claims.get(&claim.metadata.namespace, &claim.metadata.name).cloned();
    if let Some(old) = &old {
        let (meta, known) = (&mut claim.metadata, &old.value.metadata);
        meta.uid.clone_from(&known.uid);
        meta.deletion_timestamp.clone_from(&known.deletion_timestamp);
        for finalizer in &known.finalizers {
            if !meta.finalizers.contains(finalizer) {
                meta.finalizers.push(finalizer.clone());
            }
        }
        if claim.status.allocation.is_none() {
            claim.status = old.value.status.clone();
        }
    }
    place.named("ResourceClaim", &mut claim.metadata);
    place.put(&mut cluster.claims, claim)
}

/// An update of a Pod leaves it on its node.
fn put_pod(cluster: &mut Cluster, mut pod: Pod, place: &Place) -> bool {
    let meta = &pod.metadata;
    Rc::make_mut(&mut cluster.seen_pods).insert((meta.namespace.clone(), meta.name.clone()));
    let old = cluster.pods.get(&meta.namespace, &meta.name).cloned();
    if let Some(old) = &old {
        pod.metadata.uid.clone_from(&old.value.metadata.uid);
        pod.metadata.deletion_timestamp.clone_from(&old.value.metadata.deletion_timestamp);
        pod.node_name = pod.node_name.or_else(|| old.value.node_name.clone());
        if pod.phase.is_empty() {
            pod.phase.clone_from(&old.value.phase);
        }
        if pod.resource_claim_statuses.is_empty() {
            pod.resource_claim_statuses.clone_from(&old.value.resource_claim_statuses);
        }
    }
    if pod.node_name.is_some() && matches!(pod.phase.as_str(), "" | "Pending") {
        "Running".clone_into(&mut pod.phase);
    }
    place.named("Pod", &mut pod.metadata);
    place.put(&mut cluster.pods, pod)
}

/// Finds the namespace of an object that is named without one.
///
/// # Errors
/// No object of that name, or several.
pub(super) fn find(
    cluster: &Cluster,
    kind: &str,
    namespace: Option<&str>,
    name: &str,
) -> Result<ObjectRef, String> {
    let known = Kind::ALL.into_iter().find(|known| known.as_str() == kind);
    let Some(known) = known.filter(|known| *known != Kind::Scenario) else {
        return Err(format!("objects of kind `{kind}` are not part of the cluster"));
    };
    let named = |namespace: &str| ObjectRef {
        kind: kind.to_owned(),
        namespace: namespace.to_owned(),
        name: name.to_owned(),
    };
    if !known.is_namespaced() {
        let object = named("");
        return exists(cluster, &object).then_some(object).ok_or_else(|| not_found(kind, name));
    }
    if let Some(namespace) = namespace {
        let object = named(namespace);
        let missing = || not_found(kind, &format!("{namespace}/{name}"));
        return exists(cluster, &object).then_some(object).ok_or_else(missing);
    }
    let mut namespaces = namespaces_of(cluster, known, name);
    match (namespaces.next(), namespaces.next()) {
        (Some(namespace), None) => Ok(named(&namespace)),
        (None, _) => Err(not_found(kind, name)),
        (Some(first), Some(second)) => Err(format!(
            "{kind} `{name}` is ambiguous: there is one in namespace `{first}` and one in `{second}`"
        )),
    }
}

fn not_found(kind: &str, name: &str) -> String {
    format!("{kind} `{name}` does not exist")
}

fn exists(cluster: &Cluster, object: &ObjectRef) -> bool {
    cluster.origin(object).is_some()
}

fn namespaces_of(cluster: &Cluster, kind: Kind, name: &str) -> std::vec::IntoIter<String> {
    let matching = |meta: &ObjectMeta| (meta.name == name).then(|| meta.namespace.clone());
    let found: Vec<String> = match kind {
        Kind::Pod => cluster.pods.iter().filter_map(|pod| matching(&pod.value.metadata)).collect(),
        Kind::ResourceClaimTemplate => {
            cluster.templates.iter().filter_map(|found| matching(&found.value.metadata)).collect()
        }
        _ => cluster.claims.iter().filter_map(|found| matching(&found.value.metadata)).collect(),
    };
    found.into_iter()
}

/// Deletes an object that exists.
pub(super) fn delete(cluster: &mut Cluster, object: &ObjectRef) {
    let (namespace, name) = (object.namespace.as_str(), object.name.as_str());
    match object.kind.as_str() {
        "Node" => drop(cluster.nodes.remove("", name)),
        "DeviceClass" => cluster.remove_class(name),
        "ResourceSlice" => drop(cluster.slices.remove("", name)),
        "DeviceTaintRule" => drop(cluster.taint_rules.remove("", name)),
        "ResourceClaimTemplate" => drop(cluster.templates.remove(namespace, name)),
        "Pod" => drop(cluster.pods.remove(namespace, name)),
        "ResourceClaim" => delete_claim(cluster, namespace, name),
        "Namespace" => {
            cluster.namespaces.remove("", name);
            empty_namespace(cluster, name);
        }
        _ => {}
    }
}

/// A claim stays until its last consumer is gone, and as long as finalizers of others hold it. Those
/// of other kinds are left out of account: their owners are not here, and would take them away.
fn delete_claim(cluster: &mut Cluster, namespace: &str, name: &str) {
    let is_held = cluster.claims.get(namespace, name).is_some_and(|claim| {
        !claim.value.status.reserved_for.is_empty() || has_other_finalizers(&claim.value)
    });
    if is_held {
        let now = format_time(cluster.now());
        cluster.claims.update(namespace, name, |claim| {
            claim.metadata.deletion_timestamp.get_or_insert(now);
        });
    } else {
        cluster.claims.remove(namespace, name);
    }
}

fn empty_namespace(cluster: &mut Cluster, namespace: &str) {
    let names = |metas: Vec<&ObjectMeta>| -> Vec<String> {
        let inside = metas.into_iter().filter(|meta| meta.namespace == namespace);
        inside.map(|meta| meta.name.clone()).collect()
    };
    let pods = names(cluster.pods.iter().map(|found| &found.value.metadata).collect());
    let claims = names(cluster.claims.iter().map(|found| &found.value.metadata).collect());
    let templates = names(cluster.templates.iter().map(|found| &found.value.metadata).collect());
    for name in pods {
        cluster.pods.remove(namespace, &name);
    }
    for name in claims {
        cluster.claims.remove(namespace, &name);
    }
    for name in templates {
        cluster.templates.remove(namespace, &name);
    }
}

/// An object of ours with its place in the cluster.
pub(super) fn hypothetical<T>(value: T, source: Option<usize>) -> Object<T> {
    Object {
        value: Rc::new(value),
        origin: Origin { source, made: Made::Hypothetical },
        created_seconds: 0,
        since_step: 0,
    }
}
