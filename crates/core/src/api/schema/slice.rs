use super::claim::{SELECTORS, SKIPPED};
use super::core::NODE_SELECTOR;
use super::meta::{API_VERSION, CONDITION, KIND, METADATA};
use super::{Field, INT64, STRING, STRINGS, Struct, Type, Versions, field};

const OLD: Versions = Versions::V1BETA1;
const NEW: Versions = Versions::NEW;

/// Source: `resource/v1 ResourceSlice`.
pub static RESOURCE_SLICE: Struct = Struct {
    name: "ResourceSlice",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&SPEC), "What the driver publishes.").required(),
    ],
};

static SPEC: Struct = Struct {
    name: "ResourceSliceSpec",
    fields: &[
        field("driver", STRING, "Name of the driver that publishes the slice.").required(),
        field("pool", Type::Struct(&POOL), "The pool that the slice is a part of.").required(),
        field("nodeName", STRING, "The only node that can reach the devices."),
        field("nodeSelector", Type::Struct(&NODE_SELECTOR), "Nodes that can reach the devices."),
        field("allNodes", Type::Bool, "Whether every node can reach the devices."),
        field("devices", Type::List(&Type::Struct(&DEVICE)), "The devices, tried in this order."),
        field(
            "perDeviceNodeSelection",
            Type::Bool,
            "Whether each device says itself which nodes can reach it.",
        ),
        field(
            "sharedCounters",
            Type::List(&Type::Struct(&COUNTER_SET)),
            "Counter sets from which devices of the pool draw.",
        ),
        field(
            "partitionTypeAttribute",
            Type::String("FullyQualifiedName"),
            "Name of the attribute that tells the kind of a partition.",
        )
        .since(37),
        field("skipNodeOperations", SKIPPED, "Kubelet calls that the driver does without.")
            .since(37),
    ],
};

static POOL: Struct = Struct {
    name: "ResourcePool",
    fields: &[
        field("name", STRING, "Name of the pool, unique for the driver; often the node.")
            .required(),
        field("generation", INT64, "Version of the pool; only the highest counts.").required(),
        field("resourceSliceCount", INT64, "How many slices the pool has in all.").required(),
    ],
};

static COUNTER_SET: Struct = Struct {
    name: "CounterSet",
    fields: &[
        field("name", STRING, "Name, unique in the pool.").required(),
        field("counters", Type::Map(&Type::Struct(&COUNTER)), "Counters by name.")
            .required()
            .omitted(),
    ],
};

static COUNTER: Struct = Struct {
    name: "Counter",
    fields: &[field("value", Type::Quantity, "How much there is.").required()],
};

/// The fields of a device: directly below it, in v1beta1 below `basic`.
///
/// Source: `resource/v1 Device`.
pub static DEVICE: Struct = Struct {
    name: "Device",
    fields: &[
        field("name", STRING, "Name, unique in the pool.").required(),
        field("basic", Type::Struct(&BASIC_DEVICE), "Everything but the name.").only(OLD),
        ATTRIBUTES.only(NEW),
        CAPACITY.only(NEW),
        CONSUMES.only(NEW),
        NODE_NAME.only(NEW),
        SELECTOR.only(NEW),
        ALL_NODES.only(NEW),
        TAINTS.only(NEW),
        BINDS.only(NEW),
        CONDITIONS.only(NEW),
        FAILURES.only(NEW),
        MULTIPLE.only(NEW),
        RESOURCES.only(NEW).since(37),
        MAPPINGS.only(NEW).since(36).until(37),
    ],
};

static BASIC_DEVICE: Struct = Struct {
    name: "BasicDevice",
    fields: &[
        ATTRIBUTES,
        CAPACITY,
        CONSUMES,
        NODE_NAME,
        SELECTOR,
        ALL_NODES,
        TAINTS,
        BINDS,
        CONDITIONS,
        FAILURES,
        MULTIPLE,
        RESOURCES.since(37),
        MAPPINGS.since(36).until(37),
    ],
};

// Constants cannot refer to tables through values made on the way.
static ATTRIBUTE_TYPE: Type = Type::Struct(&ATTRIBUTE);
static DEVICE_CAPACITY_TYPE: Type = Type::Struct(&DEVICE_CAPACITY);
static CONSUMPTION_TYPE: Type = Type::Struct(&CONSUMPTION);
static TAINT_TYPE: Type = Type::Struct(&TAINT);

const ATTRIBUTES: Field = field(
    "attributes",
    Type::Map(&ATTRIBUTE_TYPE),
    "What the device is like, by name; selectors read them.",
);
const CAPACITY: Field = field(
    "capacity",
    Type::Map(&DEVICE_CAPACITY_TYPE),
    "How much of something the device has, by name.",
);
const CONSUMES: Field = field(
    "consumesCounters",
    Type::List(&CONSUMPTION_TYPE),
    "What the device draws from counter sets while it is allocated.",
);
const NODE_NAME: Field = field("nodeName", STRING, "The only node that can reach the device.");
const SELECTOR: Field =
    field("nodeSelector", Type::Struct(&NODE_SELECTOR), "Nodes that can reach the device.");
const ALL_NODES: Field = field("allNodes", Type::Bool, "Whether every node can reach the device.");
const TAINTS: Field = field(
    "taints",
    Type::List(&TAINT_TYPE),
    "Taints that a request must tolerate to get the device.",
);
const BINDS: Field = field(
    "bindsToNode",
    Type::Bool,
    "Whether an allocation pins the claim to the node it was made for.",
);
const CONDITIONS: Field = field(
    "bindingConditions",
    STRINGS,
    "Conditions that must be true before a Pod with the device is bound.",
);
const FAILURES: Field =
    field("bindingFailureConditions", STRINGS, "Conditions that say that binding failed.");
const MULTIPLE: Field =
    field("allowMultipleAllocations", Type::Bool, "Whether several claims may share the device.");
static RESOURCE_TYPE: Type = Type::Struct(&Struct {
    name: "NodeAllocatableResource",
    fields: &[
        field(
            "mapping",
            Type::Struct(&Struct {
                name: "NodeAllocatableMapping",
                fields: &[
                    CAPACITY_KEY,
                    field("capacityMultiplier", Type::Quantity, TAKEN),
                    field("deviceMultiplier", Type::Quantity, TAKEN),
                ],
            }),
            TAKEN,
        ),
        field(
            "overhead",
            Type::Struct(&Struct {
                name: "NodeAllocatableOverhead",
                fields: &[
                    field("perPod", Type::Quantity, TAKEN),
                    field("perContainer", Type::Quantity, TAKEN),
                ],
            }),
            TAKEN,
        ),
    ],
});
static MAPPING_TYPE: Type = Type::Struct(&Struct {
    name: "NodeAllocatableResourceMapping",
    fields: &[CAPACITY_KEY, field("allocationMultiplier", Type::Quantity, TAKEN)],
});

const CAPACITY_KEY: Field = field(
    "capacityKey",
    Type::String("QualifiedName"),
    "How much of something the device has, by name.",
);
const TAKEN: &str = "Resources of the node that the device takes along.";

const RESOURCES: Field = field("nodeAllocatableResources", Type::Map(&RESOURCE_TYPE), TAKEN);
const MAPPINGS: Field = field("nodeAllocatableResourceMappings", Type::Map(&MAPPING_TYPE), TAKEN);
const GROUPS: Field =
    field("compatibilityGroups", STRINGS, "Groups of devices that can be used together.");

static ATTRIBUTE: Struct = Struct {
    name: "DeviceAttribute",
    fields: &[
        field("int", INT64, "A whole number."),
        field("bool", Type::Bool, "True or false."),
        field("string", STRING, "Text of at most 64 bytes."),
        field("version", STRING, "A version as semver.org defines it."),
        field("ints", Type::List(&INT64), "Several whole numbers.").since(36),
        field("bools", Type::List(&Type::Bool), "Several truth values.").since(36),
        field("strings", STRINGS, "Several texts.").since(36),
        field("versions", STRINGS, "Several versions.").since(36),
    ],
};

static DEVICE_CAPACITY: Struct = Struct {
    name: "DeviceCapacity",
    fields: &[
        field("value", Type::Quantity, "How much there is.").required(),
        field("requestPolicy", Type::Struct(&POLICY), "How requests are rounded and limited."),
    ],
};

static POLICY: Struct = Struct {
    name: "CapacityRequestPolicy",
    fields: &[
        field("default", Type::Quantity, "Taken when a request does not name the capacity.")
            .always(),
        field("validValues", Type::List(&Type::Quantity), "The only amounts that can be taken."),
        field("validRange", Type::Struct(&RANGE), "Range and grid of amounts."),
    ],
};

static RANGE: Struct = Struct {
    name: "CapacityRequestPolicyRange",
    fields: &[
        field("min", Type::Quantity, "Smallest amount; less is raised to it.").required().omitted(),
        field("max", Type::Quantity, "Largest amount."),
        field("step", Type::Quantity, "Grid on top of `min`."),
    ],
};

static CONSUMPTION: Struct = Struct {
    name: "DeviceCounterConsumption",
    fields: &[
        field("counterSet", STRING, "Name of a counter set of the pool.").required(),
        field("counters", Type::Map(&Type::Struct(&COUNTER)), "Amounts by counter.")
            .required()
            .omitted(),
        GROUPS.since(37),
    ],
};

static TAINT: Struct = Struct {
    name: "DeviceTaint",
    fields: &[
        field("key", STRING, "Key that a toleration names.").required(),
        field("value", STRING, "Value that a toleration may compare."),
        field(
            "effect",
            Type::Enum("DeviceTaintEffect", &["NoSchedule", "NoExecute", "None"]),
            "What an untolerated taint does.",
        )
        .required(),
        field("timeAdded", Type::Time, "When it was added."),
    ],
};

/// Source: `resource/v1 DeviceTaintRule`.
pub static DEVICE_TAINT_RULE: Struct = Struct {
    name: "DeviceTaintRule",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&RULE_SPEC), "Which devices get which taint.").required(),
        field("status", Type::Struct(&RULE_STATUS), "How far an eviction is.").since(35),
    ],
};

static RULE_SPEC: Struct = Struct {
    name: "DeviceTaintRuleSpec",
    fields: &[
        field("deviceSelector", Type::Struct(&TAINT_SELECTOR), "Which devices get the taint."),
        field("taint", Type::Struct(&TAINT), "The taint.").required().omitted(),
    ],
};

static TAINT_SELECTOR: Struct = Struct {
    name: "DeviceTaintSelector",
    fields: &[
        field("deviceClassName", STRING, "Only devices of this class.").until(35),
        field("driver", STRING, "Only devices of this driver."),
        field("pool", STRING, "Only devices of this pool."),
        field("device", STRING, "Only devices of this name."),
        field("selectors", SELECTORS, "Only devices for which all are true.").until(35),
    ],
};

static RULE_STATUS: Struct = Struct {
    name: "DeviceTaintRuleStatus",
    fields: &[field("conditions", Type::List(&Type::Struct(&CONDITION)), "Conditions.")],
};
