use std::collections::BTreeMap;
use std::fmt;

/// Metadata of an object, as far as allocation, scheduling and their explanations use it.
///
/// Source: `meta/v1 ObjectMeta`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectMeta {
    /// Name; empty only for an object that is not named yet.
    pub name: String,
    /// Namespace; empty for cluster-scoped objects.
    pub namespace: String,
    /// UID, deterministic for objects of the playground.
    pub uid: String,
    /// Labels.
    pub labels: BTreeMap<String, String>,
    /// Annotations.
    pub annotations: BTreeMap<String, String>,
    /// RFC 3339 creation time as written.
    pub creation_timestamp: Option<String>,
    /// RFC 3339 deletion time as written; present while the object is being deleted.
    pub deletion_timestamp: Option<String>,
    /// Who must let go before the object may be deleted.
    pub finalizers: Vec<String>,
    /// Owners.
    pub owner_references: Vec<OwnerReference>,
}

/// An owner of an object. Source: `meta/v1 OwnerReference`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnerReference {
    /// Group and version, e.g. `v1`.
    pub api_version: String,
    /// Kind, e.g. `Pod`.
    pub kind: String,
    /// Name.
    pub name: String,
    /// UID.
    pub uid: String,
    /// Whether this owner is the managing controller.
    pub controller: bool,
}

/// A status condition. Source: `meta/v1 Condition`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Condition {
    /// Condition type, e.g. `dra.example.com/attached`.
    pub type_: String,
    /// `True`, `False` or `Unknown`.
    pub status: String,
    /// Machine-readable reason.
    pub reason: String,
    /// Human-readable message.
    pub message: String,
    /// RFC 3339 time of the last change as written.
    pub last_transition_time: Option<String>,
}

/// Identifies one object of the scenario: kind, namespace (empty when cluster-scoped), name.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectRef {
    /// Kind, e.g. `ResourceClaim`.
    pub kind: String,
    /// Namespace; empty for cluster-scoped kinds.
    pub namespace: String,
    /// Name.
    pub name: String,
}

impl fmt::Display for ObjectRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            write!(f, "{}/{}", self.kind, self.name)
        } else {
            write!(f, "{}/{}/{}", self.kind, self.namespace, self.name)
        }
    }
}
