//! Pods out of workloads: what a controller would make of a Deployment and the like.

use std::sync::Arc;

use crate::apimachinery::{
    NodeSelector, NodeSelectorOperator, NodeSelectorRequirement, NodeSelectorTerm, ObjectRef,
    OwnerReference,
};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::yaml::Node;

use super::super::object::{FieldSpans, Kind, Object, ObjectValue, Refusal};
use super::super::schema::{self, Struct, Versions};
use super::extract::{Quantities, metadata, opt_int};
use super::{Context, check, codes, core, path};

/// How many Pods one workload becomes at most.
const MAX_PODS: i64 = 100;

/// A kind that makes Pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Workload {
    /// As many Pods as `replicas` says: Deployment, ReplicaSet, StatefulSet.
    Replicas,
    /// One Pod on each node.
    DaemonSet,
    /// As many Pods as may run at a time.
    Job,
    /// One run of its Job.
    CronJob,
}

impl Workload {
    pub(super) fn of(kind: &str, api_version: &str) -> Option<Self> {
        match (api_version, kind) {
            ("apps/v1", "Deployment" | "ReplicaSet" | "StatefulSet")
            | ("v1", "ReplicationController") => Some(Self::Replicas),
            ("apps/v1", "DaemonSet") => Some(Self::DaemonSet),
            ("batch/v1", "Job") => Some(Self::Job),
            ("batch/v1", "CronJob") => Some(Self::CronJob),
            _ => None,
        }
    }

    fn schema(self, kind: &str) -> &'static Struct {
        match (self, kind) {
            (Self::Replicas, "ReplicaSet") => &schema::REPLICA_SET,
            (Self::Replicas, "StatefulSet") => &schema::STATEFUL_SET,
            (Self::Replicas, "ReplicationController") => &schema::REPLICATION_CONTROLLER,
            (Self::Replicas, _) => &schema::DEPLOYMENT,
            (Self::DaemonSet, _) => &schema::DAEMON_SET,
            (Self::Job, _) => &schema::JOB,
            (Self::CronJob, _) => &schema::CRON_JOB,
        }
    }

    /// The spec that holds the Pod template.
    fn spec(self, root: &Node) -> Option<&Node> {
        let spec = root.get("spec")?;
        match self {
            Self::Replicas | Self::DaemonSet | Self::Job => Some(spec),
            Self::CronJob => spec.get("jobTemplate")?.get("spec"),
        }
    }

    /// How many Pods; `None` for one on each node.
    fn count(self, spec: &Node) -> Option<i64> {
        let read = |key| opt_int(spec, key);
        match self {
            Self::Replicas => Some(read("replicas").unwrap_or(1)),
            Self::DaemonSet => None,
            Self::Job | Self::CronJob => {
                let parallelism = read("parallelism").unwrap_or(1);
                Some(read("completions").map_or(parallelism, |all| all.min(parallelism)))
            }
        }
    }
}

/// What a workload stands for.
#[derive(Debug)]
pub(super) struct Pods {
    /// One Pod of it.
    template: Object,
    /// How many; `None` for one on each node.
    count: Option<i64>,
    /// Where to say so.
    kind_span: Span,
}

impl Context<'_> {
    /// Reads a workload; nothing when it has no template.
    pub(super) fn workload(
        &self,
        workload: Workload,
        kind: &str,
        api_version: &str,
        root: &Node,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Pods> {
        let kind_span = root.get("kind").map_or(root.span, |node| node.span);
        let refusals = self.check_workload(workload.schema(kind), root, diagnostics);
        let spec = workload.spec(root)?;
        let template = spec.get("template").filter(|template| template.entries().is_some())?;
        let owner = metadata(root, "metadata");
        let mut defaults = Vec::new();
        let noted = self.options.defaults.then_some(&mut defaults);
        let quantities = Quantities { canonical: self.options.defaults };
        let mut pod = core::pod(template, quantities, noted);
        pod.metadata.name.clone_from(&owner.name);
        pod.metadata.namespace = match owner.namespace.as_str() {
            "" if self.options.default_namespace => "default".to_owned(),
            namespace => namespace.to_owned(),
        };
        let made_from = ObjectRef {
            kind: kind.to_owned(),
            namespace: pod.metadata.namespace.clone(),
            name: owner.name.clone(),
        };
        pod.metadata.owner_references = vec![OwnerReference {
            api_version: api_version.to_owned(),
            kind: kind.to_owned(),
            name: owner.name,
            uid: owner.uid,
            controller: true,
        }];
        let template = Object {
            kind: Kind::Pod,
            api_version: "v1".to_owned(),
            span: self.span,
            document: self.document,
            spans: FieldSpans::new(Arc::new(template.clone()), Versions::V1),
            value: ObjectValue::Pod(Box::new(pod)),
            defaults,
            dropped: Vec::new(),
            refused: !refusals.is_empty(),
            refusals,
            made_from: Some(made_from),
        };
        Some(Pods { template, count: workload.count(spec), kind_span })
    }

    fn check_workload(
        &self,
        schema: &'static Struct,
        root: &Node,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Refusal> {
        if !self.options.strict {
            return Vec::new();
        }
        let mut checker = check::Checker {
            text: self.text,
            root: schema,
            node: root,
            versions: Versions::V1,
            minor: self.options.release.minor(),
            package: "v1",
            path: path::Path::default(),
            diagnostics,
            refusals: Vec::new(),
        };
        checker.object();
        checker.refusals
    }
}

/// Makes the Pods, once all nodes are known.
pub(super) fn expand(
    pods: &Pods,
    nodes: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Object> {
    let names = |count: i64| (0..count).map(|idx| (idx.to_string(), None));
    let made: Vec<Object> = match pods.count {
        Some(count) => {
            names(count.clamp(0, MAX_PODS)).map(|(name, node)| one(pods, &name, node)).collect()
        }
        None if nodes.is_empty() => names(1).map(|(name, node)| one(pods, &name, node)).collect(),
        None => nodes.iter().map(|node| one(pods, node, Some(node.as_str()))).collect(),
    };
    let from = pods.template.made_from.clone().unwrap_or_default();
    let wanted = pods.count.unwrap_or_default();
    diagnostics.push(codes::workload_expanded(&from, made.len(), wanted, pods.kind_span));
    made
}

fn one(pods: &Pods, suffix: &str, node: Option<&str>) -> Object {
    let mut object = pods.template.clone();
    if let ObjectValue::Pod(pod) = &mut object.value {
        pod.metadata.name = format!("{}-{suffix}", pod.metadata.name);
        if let Some(node) = node {
            // UPSTREAM: the DaemonSet controller pins each Pod by the node's name.
            let pin = NodeSelectorRequirement {
                key: "metadata.name".to_owned(),
                operator: NodeSelectorOperator::In,
                values: vec![node.to_owned()],
            };
            let affinity = pod
                .required_node_affinity
                .get_or_insert_with(|| NodeSelector { terms: vec![NodeSelectorTerm::default()] });
            for term in &mut affinity.terms {
                term.match_fields.push(pin.clone());
            }
        }
    }
    object
}
