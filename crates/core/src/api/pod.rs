use std::collections::BTreeMap;

use crate::apimachinery::quantity::Quantity;
use crate::apimachinery::{NodeSelector, ObjectMeta};

/// A Pod, as far as DRA scheduling needs it. Source: `core/v1 Pod`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pod {
    /// Metadata.
    pub metadata: ObjectMeta,
    /// `spec.nodeName`: set when the Pod is bound.
    pub node_name: Option<String>,
    /// `spec.nodeSelector`.
    pub node_selector: BTreeMap<String, String>,
    /// `spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution`.
    pub required_node_affinity: Option<NodeSelector>,
    /// `spec.tolerations`.
    pub tolerations: Vec<PodToleration>,
    /// `spec.schedulingGates[].name`.
    pub scheduling_gates: Vec<String>,
    /// `spec.resourceClaims`, in allocation order.
    pub resource_claims: Vec<PodResourceClaim>,
    /// `spec.initContainers`.
    pub init_containers: Vec<Container>,
    /// `spec.containers`.
    pub containers: Vec<Container>,
    /// `spec.overhead`: what the Pod needs beside its containers.
    pub overhead: BTreeMap<String, Quantity>,
    /// `spec.resources.requests`, for the Pod as a whole.
    pub requests: BTreeMap<String, Quantity>,
    /// `spec.resources.limits`.
    pub limits: BTreeMap<String, Quantity>,
    /// `status.phase`; empty when absent.
    pub phase: String,
    /// Whether the text says `Pending` there; stays when the Pod gets a node.
    pub said_pending: bool,
    /// `status.resourceClaimStatuses`.
    pub resource_claim_statuses: Vec<PodResourceClaimStatus>,
}

/// Source: `core/v1 Toleration`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodToleration {
    /// Key; empty with `Exists` matches every key.
    pub key: String,
    /// `Exists` or `Equal`; empty means `Equal`.
    pub operator: String,
    /// Value.
    pub value: String,
    /// Effect; empty matches every effect.
    pub effect: String,
    /// Seconds for `NoExecute`.
    pub toleration_seconds: Option<i64>,
}

/// One claim of a Pod. Source: `core/v1 PodResourceClaim`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodResourceClaim {
    /// Name inside the Pod.
    pub name: String,
    /// An existing claim.
    pub resource_claim_name: Option<String>,
    /// A template from which the Pod gets its own claim.
    pub resource_claim_template_name: Option<String>,
}

/// Source: `core/v1 PodResourceClaimStatus`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PodResourceClaimStatus {
    /// Name inside the Pod.
    pub name: String,
    /// The generated claim; `None` means that none is needed.
    pub resource_claim_name: Option<String>,
}

/// A container, as far as resources are concerned. Source: `core/v1 Container`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Container {
    /// Name.
    pub name: String,
    /// `restartPolicy`; `Always` makes an init container a sidecar.
    pub restart_policy: Option<String>,
    /// `resources.requests` after defaulting from limits.
    pub requests: BTreeMap<String, Quantity>,
    /// `resources.limits`.
    pub limits: BTreeMap<String, Quantity>,
    /// `resources.claims`: which containers see which claim or request.
    pub claims: Vec<ContainerClaim>,
}

/// Source: `core/v1 ResourceClaim` (the container's reference).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContainerClaim {
    /// Name of an entry of `spec.resourceClaims`.
    pub name: String,
    /// One request of the claim; `None` means all.
    pub request: Option<String>,
}
