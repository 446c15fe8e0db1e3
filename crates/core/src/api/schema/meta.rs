use super::{Field, INT64, STRING, STRING_MAP, STRINGS, Struct, Type, field};

const ANY: Type = Type::Any;
const KEPT: &str = "Kept by the API server.";
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
        field(
            "managedFields",
            Type::List(&Type::Struct(&MANAGED)),
            "Who set which field, kept by the API server.",
        ),
        field("clusterName", ANY, "Not used any more.").until(24),
    ],
};

static MANAGED: Struct = Struct {
    name: "v1.ManagedFieldsEntry",
    fields: &[
        field("manager", STRING, KEPT),
        field("operation", Type::String("v1.ManagedFieldsOperationType"), KEPT),
        field("apiVersion", STRING, KEPT),
        field("time", Type::Time, KEPT),
        field("fieldsType", STRING, KEPT),
        field("fieldsV1", ANY, KEPT),
        field("subresource", STRING, KEPT),
    ],
};

/// Labels of objects. Source: `meta/v1 LabelSelector`.
pub(super) static LABEL_SELECTOR: Struct = Struct {
    name: "v1.LabelSelector",
    fields: &[
        field("matchLabels", STRING_MAP, "Labels that must be equal."),
        field("matchExpressions", Type::List(&Type::Struct(&LABEL_REQUIREMENT)), "All must hold."),
    ],
};

static LABEL_REQUIREMENT: Struct = Struct {
    name: "v1.LabelSelectorRequirement",
    fields: &[
        field("key", STRING, "Label.").required(),
        field("operator", Type::String("v1.LabelSelectorOperator"), "How it is compared.")
            .required(),
        field("values", STRINGS, "What it is compared with."),
    ],
};

static OWNER: Struct = Struct {
    name: "v1.OwnerReference",
    fields: &[
        field("apiVersion", STRING, "Group and version of the owner.").always(),
        field("kind", STRING, "Kind of the owner.").always(),
        field("name", STRING, "Name of the owner.").always(),
        field("uid", UID, "UID of the owner.").always(),
        field("controller", Type::Bool, "Whether the owner manages it."),
        field("blockOwnerDeletion", Type::Bool, "Whether the owner waits for it when deleted."),
    ],
};

pub(super) static CONDITION: Struct = Struct {
    name: "v1.Condition",
    fields: &[
        field("type", STRING, "What the condition is about.").always(),
        field("status", Type::String("v1.ConditionStatus"), "`True`, `False` or `Unknown`.")
            .always(),
        field("observedGeneration", INT64, "Generation it was set for."),
        field("lastTransitionTime", Type::Time, "When the status last changed.").always(),
        field("reason", STRING, "Why, in one word.").always(),
        field("message", STRING, "Why, for people.").always(),
    ],
};

pub(super) const API_VERSION: Field =
    field("apiVersion", STRING, "Group and version of the object.").required();
pub(super) const KIND: Field = field("kind", STRING, "Kind of the object.").required();
pub(super) const METADATA: Field =
    field("metadata", Type::Struct(&OBJECT_META), "Name, labels and the like.").required();
