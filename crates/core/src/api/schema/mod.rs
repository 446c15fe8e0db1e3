//! Which fields the objects have: tables for strict decoding, messages and completion.
//!
//! One [`Struct`] for each type of the API, in the order of the API's own source; a [`Field`] says
//! its type, in which API versions and since which release it exists, and what it is for.
//! Must not know values. Source: `k8s.io/api/resource/{v1,v1beta2,v1beta1,v1alpha3}`,
//! `k8s.io/api/core/v1`, `meta/v1`.

mod claim;
mod core;
mod meta;
mod scenario;
mod slice;
mod workload;

pub use self::core::{NAMESPACE, NODE, NODE_SELECTOR, POD, POD_SPEC, TOLERATION};
pub use claim::{
    DEVICE_CLAIM, DEVICE_CLASS, EXACT_REQUEST, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE,
};
pub use meta::OBJECT_META;
pub use scenario::{OPERATIONS, SCENARIO, SCENARIO_SPEC};
pub use slice::{DEVICE, DEVICE_TAINT_RULE, RESOURCE_SLICE};
pub use workload::{
    CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET,
};

/// A set of versions of the group `resource.k8s.io`; objects of other groups use [`Versions::V1`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Versions(u8);

impl Versions {
    /// `v1`.
    pub const V1: Self = Self(1);
    /// `v1beta2`.
    pub const V1BETA2: Self = Self(2);
    /// `v1beta1`.
    pub const V1BETA1: Self = Self(4);
    /// `v1alpha3`, for `DeviceTaintRule` only.
    pub const V1ALPHA3: Self = Self(8);
    /// Every version.
    pub const ALL: Self = Self(15);
    /// The versions with the shape of v1.
    pub const NEW: Self = Self(11);

    /// Whether the two sets have a version in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// A type of the API with its fields.
#[derive(Debug)]
pub struct Struct {
    /// Go's name of the type, e.g. `ExactDeviceRequest`.
    pub name: &'static str,
    /// Its fields.
    pub fields: &'static [Field],
}

impl Struct {
    /// The field of a name in a version and release.
    pub fn field(&self, name: &str, versions: Versions, minor: u8) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name && field.exists(versions, minor))
    }
}

/// One field of a type.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Name in YAML.
    pub name: &'static str,
    /// What it holds.
    pub ty: Type,
    /// Whether the API server wants it.
    pub required: bool,
    /// Whether the server writes it even when it is empty: Go's tag has no `omitempty`.
    pub always: bool,
    /// What it is for, one sentence.
    pub doc: &'static str,
    /// API versions that have it.
    pub versions: Versions,
    /// Minor release of Kubernetes 1.x that has it first; 0 for every release.
    pub since: u8,
    /// First minor release without it; 0 when it is still there.
    pub until: u8,
}

impl Field {
    /// Whether a release has the field in a version.
    pub fn exists(&self, versions: Versions, minor: u8) -> bool {
        self.versions.overlaps(versions) && self.in_release(minor)
    }

    /// Whether a release has the field.
    pub fn in_release(&self, minor: u8) -> bool {
        self.since <= minor && (self.until == 0 || minor < self.until)
    }

    const fn required(mut self) -> Self {
        self.required = true;
        self.always = true;
        self
    }

    /// Written even when empty, though not required.
    const fn always(mut self) -> Self {
        self.always = true;
        self
    }

    /// Left out when empty, though required.
    const fn omitted(mut self) -> Self {
        self.always = false;
        self
    }

    const fn only(mut self, versions: Versions) -> Self {
        self.versions = versions;
        self
    }

    const fn since(mut self, minor: u8) -> Self {
        self.since = minor;
        self
    }

    const fn until(mut self, minor: u8) -> Self {
        self.until = minor;
        self
    }
}

const fn field(name: &'static str, ty: Type, doc: &'static str) -> Field {
    let versions = Versions::ALL;
    Field { name, ty, required: false, always: false, doc, versions, since: 0, until: 0 }
}

/// What a value may hold that is reached from a table by field names, list indexes and map keys.
///
/// For completion: the fields of a map are those of [`Type::Struct`], the words of a value those of
/// [`Type::Enum`].
pub fn type_at(
    root: &'static Struct,
    path: &[&str],
    versions: Versions,
    minor: u8,
) -> Option<Type> {
    let mut ty = Type::Struct(root);
    for segment in path {
        ty = match ty {
            Type::Struct(table) => table.field(segment, versions, minor)?.ty,
            Type::List(item) => *item,
            Type::Map(value) => *value,
            Type::String(_)
            | Type::Enum(..)
            | Type::Bool
            | Type::Int(_)
            | Type::Quantity
            | Type::Time
            | Type::Any
            | Type::Object => return None,
        };
    }
    Some(ty)
}

/// What a field holds.
#[derive(Clone, Copy, Debug)]
pub enum Type {
    /// Text; with Go's name of the type.
    String(&'static str),
    /// Text out of a list of words; with Go's name of the type.
    Enum(&'static str, &'static [&'static str]),
    /// `true` or `false`.
    Bool,
    /// A whole number; with Go's name of the type.
    Int(&'static str),
    /// An amount such as `80Gi`.
    Quantity,
    /// An RFC 3339 time.
    Time,
    /// Whatever it is, it does not matter here.
    Any,
    /// Any JSON object, passed on unread.
    Object,
    /// A list.
    List(&'static Type),
    /// A map with free keys.
    Map(&'static Type),
    /// A type of the API.
    Struct(&'static Struct),
}

impl Type {
    /// Go's name of the type as errors print it; `package` is that of the object's version.
    pub fn go_name(self, package: &str) -> String {
        match self {
            Type::String("string") | Type::Time => "string".to_owned(),
            Type::String(name) | Type::Enum(name, _) => qualified(name, package),
            Type::Bool => "bool".to_owned(),
            Type::Int(name) => name.to_owned(),
            Type::Quantity => "resource.Quantity".to_owned(),
            Type::Any => "interface {}".to_owned(),
            Type::Object => "runtime.RawExtension".to_owned(),
            Type::List(item) => format!("[]{}", item.go_name(package)),
            // UPSTREAM: names of attributes and capacities are a type.
            Type::Map(Type::Struct(
                value @ Struct { name: "DeviceAttribute" | "DeviceCapacity", .. },
            )) => {
                let value = qualified(value.name, package);
                format!("map[{}]{value}", qualified("QualifiedName", package))
            }
            Type::Map(Type::Struct(
                value @ Struct {
                    name: "NodeAllocatableResource" | "NodeAllocatableResourceMapping",
                    ..
                },
            )) => format!("map[v1.ResourceName]{}", qualified(value.name, package)),
            // UPSTREAM: amounts of the core API have a type of their own, see `ResourceList`.
            Type::Map(Type::Quantity) => {
                format!("map[{}]resource.Quantity", qualified("QualifiedName", package))
            }
            Type::Map(value) => format!("map[string]{}", value.go_name(package)),
            Type::Struct(inner) => qualified(inner.name, package),
        }
    }

    /// What a sentence calls it: `a string`, `a list`.
    pub fn describe(self) -> &'static str {
        match self {
            Type::String(_) | Type::Enum(..) | Type::Time => "a string",
            Type::Bool => "a boolean",
            Type::Int(_) => "a whole number",
            Type::Quantity => "a quantity",
            Type::Any => "anything",
            Type::List(_) => "a list",
            Type::Object | Type::Map(_) | Type::Struct(_) => "a map",
        }
    }
}

/// Types with a dot carry their own package; `string` and such have none.
fn qualified(name: &str, package: &str) -> String {
    if name.contains('.') { name.to_owned() } else { format!("{package}.{name}") }
}

const STRING: Type = Type::String("string");
const STRINGS: Type = Type::List(&STRING);
const STRING_MAP: Type = Type::Map(&STRING);
const INT64: Type = Type::Int("int64");

#[cfg(test)]
mod tests;
