use super::{Field, INT64, STRING, STRING_MAP, STRINGS, Struct, Type, field};

const ANY: Type = Type::Any;
const UID: Type = Type::String("types.UID");

/// Source: `meta/v1 ObjectMeta`.
pub static OBJECT_META: Struct = Struct {
    name: "v1.ObjectMeta",
    fields: &[
        field("name", STRING, "Name of the object, unique among its kind (and namespace)."),
        field("generateName", STRING, "Prefix from which the API server makes a name."),
        field("namespace", STRING, "Namespace; `default` when absent."),
        field("selfLink", STRING, "Not used any more."),
        field("uid", UID, "Identity of this very object, set by the API server."),
        field("resourceVersion", STRING, "Version for optimistic locking, set by the API server."),
        field("generation", INT64, "Counts changes of the spec, set by the API server."),
        field("creationTimestamp", Type::Time, "When it was created."),
        field("deletionTimestamp", Type::Time, "When it was asked to be deleted."),
        field("deletionGracePeriodSeconds", INT64, "Seconds it may take to end."),
        field("labels", STRING_MAP, "Keys and values by which objects are selected."),
        field("annotations", STRING_MAP, "Keys and values for tools."),
        field("ownerReferences", Type::List(&Type::Struct(&OWNER)), "Objects that own it."),
        field("finalizers", STRINGS, "What must happen before it may go."),
        field("managedFields", ANY, "Who set which field, kept by the API server."),
        field("clusterName", ANY, "Not used any more."),
    ],
};

static OWNER: Struct = Struct {
    name: "v1.OwnerReference",
    fields: &[
        field("apiVersion", STRING, "Group and version of the owner."),
        field("kind", STRING, "Kind of the owner."),
        field("name", STRING, "Name of the owner."),
        field("uid", UID, "UID of the owner."),
        field("controller", Type::Bool, "Whether the owner manages it."),
        field("blockOwnerDeletion", Type::Bool, "Whether the owner waits for it when deleted."),
    ],
};

pub(super) static CONDITION: Struct = Struct {
    name: "v1.Condition",
    fields: &[
        field("type", STRING, "What the condition is about."),
        field("status", Type::String("v1.ConditionStatus"), "`True`, `False` or `Unknown`."),
        field("observedGeneration", INT64, "Generation it was set for."),
        field("lastTransitionTime", Type::Time, "When the status last changed."),
        field("reason", STRING, "Why, in one word."),
        field("message", STRING, "Why, for people."),
    ],
};

pub(super) const API_VERSION: Field =
    field("apiVersion", STRING, "Group and version of the object.").required();
pub(super) const KIND: Field = field("kind", STRING, "Kind of the object.").required();
pub(super) const METADATA: Field =
    field("metadata", Type::Struct(&OBJECT_META), "Name, labels and the like.").required();
