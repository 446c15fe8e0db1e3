//! Our tables of fields beside the types of the API in Go, as reflection prints them.
//!
//! The recorded files hold a line for each kind and each field of a type; `dra-playground-oracle
//! record fields` writes them.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::panic,
    reason = "the test reads the project's own files"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use dra_playground_core::api::decode::versions_of;
use dra_playground_core::api::schema::{self, Field, Struct, Type, Versions};
use expect_test::expect;

const RELEASES: [(&str, u8); 4] =
    [("1.34.13", 34), ("1.35.10", 35), ("1.36.6", 36), ("1.37.2", 37)];

/// A field as Go has it.
struct GoField {
    ty: String,
    /// The type with fields that it leads to.
    leads: String,
    always: bool,
}

#[derive(Default)]
struct GoTypes {
    /// The type of a version and kind.
    kinds: BTreeMap<(String, String), String>,
    fields: BTreeMap<String, BTreeMap<String, GoField>>,
}

fn go_types(release: &str) -> GoTypes {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/recorded");
    let text = std::fs::read_to_string(folder.join(format!("fields-{release}.txt"))).unwrap();
    let mut types = GoTypes::default();
    for line in text.lines() {
        match line.split(' ').collect::<Vec<_>>().as_slice() {
            ["kind", version, kind, id] => {
                types.kinds.insert(((*version).to_owned(), (*kind).to_owned()), (*id).to_owned());
            }
            ["field", id, name, ty, leads, written] => {
                let field = GoField {
                    ty: (*ty).to_owned(),
                    leads: (*leads).to_owned(),
                    always: *written == "always",
                };
                let fields = types.fields.entry((*id).to_owned()).or_default();
                fields.insert((*name).to_owned(), field);
            }
            other => panic!("{other:?}"),
        }
    }
    types
}

fn table_of(kind: &str) -> &'static Struct {
    match kind {
        "ResourceSlice" => &schema::RESOURCE_SLICE,
        "DeviceClass" => &schema::DEVICE_CLASS,
        "ResourceClaim" => &schema::RESOURCE_CLAIM,
        "ResourceClaimTemplate" => &schema::RESOURCE_CLAIM_TEMPLATE,
        "DeviceTaintRule" => &schema::DEVICE_TAINT_RULE,
        "Pod" => &schema::POD,
        "Node" => &schema::NODE,
        "Namespace" => &schema::NAMESPACE,
        "Deployment" => &schema::DEPLOYMENT,
        "ReplicaSet" => &schema::REPLICA_SET,
        "ReplicationController" => &schema::REPLICATION_CONTROLLER,
        "StatefulSet" => &schema::STATEFUL_SET,
        "DaemonSet" => &schema::DAEMON_SET,
        "Job" => &schema::JOB,
        "CronJob" => &schema::CRON_JOB,
        _ => panic!("{kind} has no table"),
    }
}

struct Walk<'a> {
    types: &'a GoTypes,
    release: &'a str,
    versions: Versions,
    minor: u8,
    package: &'a str,
    seen: BTreeSet<(&'static str, String)>,
    problems: BTreeSet<String>,
    /// Fields that are passed over unread, by type.
    unread: BTreeMap<String, BTreeSet<&'static str>>,
}

impl Walk<'_> {
    fn table(&mut self, table: &'static Struct, id: &str) {
        if !self.seen.insert((table.name, id.to_owned())) {
            return;
        }
        let release = self.release;
        let Some(theirs) = self.types.fields.get(id) else {
            self.problems.insert(format!("{release} {id}: no such type"));
            return;
        };
        let ours = table.fields.iter().filter(|field| field.exists(self.versions, self.minor));
        let ours: Vec<&'static Field> = ours.collect();
        for field in &ours {
            match theirs.get(field.name) {
                Some(go) => self.field(field, go, id),
                None => {
                    self.problems.insert(format!("{release} {id}.{}: not in Go", field.name));
                }
            }
        }
        for name in theirs.keys() {
            if ours.iter().all(|field| field.name != name) {
                self.problems.insert(format!("{release} {id}.{name}: not in our table"));
            }
        }
    }

    fn field(&mut self, field: &'static Field, go: &GoField, id: &str) {
        if matches!(field.ty, Type::Any) {
            self.unread.entry(id.to_owned()).or_default().insert(field.name);
            return;
        }
        let name = match field.ty {
            // As it is written, not as errors call it.
            Type::Time => "v1.Time".to_owned(),
            Type::Map(Type::Quantity) if go.ty == "v1.ResourceList" => go.ty.clone(),
            ty => ty.go_name(self.package),
        };
        let release = self.release;
        if name != go.ty {
            let at = format!("{release} {id}.{}", field.name);
            self.problems.insert(format!("{at}: {} in Go, ours {name}", go.ty));
        }
        // How objects of the core API are written does not matter; slices had their devices always
        // written before 1.35.
        let group = id.starts_with("resource/") || id.starts_with("apis/");
        let head = ["apiVersion", "kind", "metadata"].contains(&field.name);
        let devices = self.minor < 35 && field.name == "devices";
        if group && !head && !devices && field.always != go.always {
            self.problems.insert(format!("{release} {id}.{}: always {}", field.name, go.always));
        }
        let mut ty = field.ty;
        while let Type::List(inner) | Type::Map(inner) = ty {
            ty = *inner;
        }
        if let Type::Struct(inner) = ty {
            self.table(inner, &go.leads);
        }
    }
}

/// Every field of every kind that is served, by name and type; what is passed over is named.
#[test]
fn tables_have_the_fields_of_the_types_in_go() {
    let mut problems = BTreeSet::new();
    let mut unread: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (release, minor) in RELEASES {
        let types = go_types(release);
        for ((version, kind), id) in &types.kinds {
            let mut walk = Walk {
                types: &types,
                release,
                versions: versions_of(version),
                minor,
                package: version.rsplit('/').next().unwrap(),
                seen: BTreeSet::new(),
                problems: BTreeSet::new(),
                unread: BTreeMap::new(),
            };
            walk.table(table_of(kind), id);
            assert!(walk.seen.len() > 1, "{version} {kind}: nothing is compared");
            problems.extend(walk.problems);
            for (id, fields) in walk.unread {
                unread.entry(id).or_default().extend(fields);
            }
        }
    }
    let problems: Vec<String> = problems.into_iter().collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    let lines: Vec<String> = unread
        .iter()
        .map(|(id, fields)| {
            format!("{id}: {}", fields.iter().copied().collect::<Vec<_>>().join(" "))
        })
        .collect();
    // None of these has a part in allocation: what stands below them is not looked into.
    expect![[r#"
        apis/meta/v1.ManagedFieldsEntry: fieldsV1
        apps/v1.DaemonSet: status
        apps/v1.DaemonSetSpec: updateStrategy
        apps/v1.Deployment: status
        apps/v1.DeploymentSpec: strategy
        apps/v1.ReplicaSet: status
        apps/v1.StatefulSet: status
        apps/v1.StatefulSetSpec: ordinals persistentVolumeClaimRetentionPolicy updateStrategy volumeClaimTemplates
        batch/v1.CronJob: status
        batch/v1.Job: status
        batch/v1.JobSpec: podFailurePolicy scheduling successPolicy
        core/v1.Affinity: podAffinity podAntiAffinity
        core/v1.Container: env envFrom lifecycle livenessProbe ports readinessProbe resizePolicy restartPolicyRules securityContext startupProbe volumeDevices volumeMounts
        core/v1.Namespace: spec status
        core/v1.NodeAffinity: preferredDuringSchedulingIgnoredDuringExecution
        core/v1.NodeSpec: configSource podPreemptionPolicy
        core/v1.NodeStatus: addresses conditions config daemonEndpoints features images nodeInfo phase runtimeHandlers volumesAttached volumesInUse
        core/v1.PodSpec: dnsConfig ephemeralContainers evictionResponders hostAliases imagePullSecrets os readinessGates schedulingGroup securityContext topologySpreadConstraints volumes workloadRef
        core/v1.PodStatus: conditions containerStatuses ephemeralContainerStatuses extendedResourceClaimStatus hostIPs initContainerStatuses nodeAllocatableResourceClaimStatuses podIPs resources volumeHealth
        core/v1.ReplicationController: status
    "#]].assert_eq(&(lines.join("\n") + "\n"));
}
