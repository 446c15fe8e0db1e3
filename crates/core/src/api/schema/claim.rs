use super::core::NODE_SELECTOR;
use super::meta::{API_VERSION, CONDITION, KIND, METADATA, OBJECT_META};
use super::{Field, INT64, STRING, STRINGS, Struct, Type, Versions, field};

const OLD: Versions = Versions::V1BETA1;

/// Source: `resource/v1 DeviceClass`.
pub static DEVICE_CLASS: Struct = Struct {
    name: "DeviceClass",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&CLASS_SPEC), "Which devices, and how to set them up.")
            .required(),
    ],
};

static CLASS_SPEC: Struct = Struct {
    name: "DeviceClassSpec",
    fields: &[
        field("selectors", SELECTORS, "All must be true for a device to be in the class."),
        field(
            "config",
            Type::List(&Type::Struct(&CLASS_CONFIG)),
            "Parameters for drivers, handed on with every allocation through the class.",
        ),
        field(
            "extendedResourceName",
            STRING,
            "Name under which containers can ask for the class in `resources.limits`.",
        ),
        field("suitableNodes", Type::Any, "Not used any more.").until(32),
    ],
};

static CLASS_CONFIG: Struct = Struct { name: "DeviceClassConfiguration", fields: &[OPAQUE] };

const OPAQUE: Field =
    field("opaque", Type::Struct(&OPAQUE_CONFIG), "Parameters that only the driver understands.");

static OPAQUE_CONFIG: Struct = Struct {
    name: "OpaqueDeviceConfiguration",
    fields: &[
        field("driver", STRING, "Driver the parameters are for.").required(),
        field("parameters", Type::Object, "Any object.").required(),
    ],
};

/// Source: `resource/v1 ResourceClaim`.
pub static RESOURCE_CLAIM: Struct = Struct {
    name: "ResourceClaim",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&CLAIM_SPEC), "What is asked for.").required(),
        field("status", Type::Struct(&CLAIM_STATUS), "What was allocated, and for whom."),
    ],
};

/// Source: `resource/v1 ResourceClaimTemplate`.
pub static RESOURCE_CLAIM_TEMPLATE: Struct = Struct {
    name: "ResourceClaimTemplate",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&TEMPLATE_SPEC), "The claims that are made from it.").required(),
    ],
};

static TEMPLATE_SPEC: Struct = Struct {
    name: "ResourceClaimTemplateSpec",
    fields: &[
        field("metadata", Type::Struct(&OBJECT_META), "Labels and annotations of the claims."),
        field("spec", Type::Struct(&CLAIM_SPEC), "The spec of the claims.").required(),
    ],
};

static CLAIM_SPEC: Struct = Struct {
    name: "ResourceClaimSpec",
    fields: &[field("devices", Type::Struct(&DEVICE_CLAIM), "Requests for devices.").required()],
};

/// What a claim asks for. Source: `resource/v1 DeviceClaim`.
pub static DEVICE_CLAIM: Struct = Struct {
    name: "DeviceClaim",
    fields: &[
        field("requests", Type::List(&Type::Struct(&REQUEST)), "Requests, satisfied in order.")
            .always(),
        field(
            "constraints",
            Type::List(&Type::Struct(&CONSTRAINT)),
            "What must hold between the devices of several requests.",
        ),
        field("config", Type::List(&Type::Struct(&CLAIM_CONFIG)), "Parameters for drivers."),
    ],
};

static REQUEST: Struct = Struct {
    name: "DeviceRequest",
    fields: &[
        field("name", STRING, "Name, unique in the claim.").required(),
        field("exactly", Type::Struct(&EXACT_REQUEST), "A single kind of device.")
            .only(Versions::NEW),
        CLASS_NAME.only(OLD),
        REQUEST_SELECTORS.only(OLD),
        MODE.only(OLD),
        COUNT.only(OLD),
        ADMIN.only(OLD),
        field(
            "firstAvailable",
            Type::List(&Type::Struct(&SUBREQUEST)),
            "Alternatives; the first that can be satisfied is taken.",
        ),
        TOLERATIONS.only(OLD),
        CAPACITY.only(OLD),
        DERIVED.only(OLD),
    ],
};

const DERIVED: Field =
    field("derivedAttributes", DERIVED_ATTRIBUTES, "Attributes computed from those of a device.")
        .since(37);

const DERIVED_ATTRIBUTES: Type = Type::List(&Type::Struct(&DERIVED_ATTRIBUTE));

static DERIVED_ATTRIBUTE: Struct = Struct {
    name: "DeviceDerivedAttribute",
    fields: &[
        field("name", Type::String("FullyQualifiedName"), "Name.").required(),
        field("expression", STRING, "A CEL expression.").required(),
    ],
};

/// The fields of a single kind of device: below `exactly`, in v1beta1 directly in the request.
///
/// Source: `resource/v1 ExactDeviceRequest`.
pub static EXACT_REQUEST: Struct = Struct {
    name: "ExactDeviceRequest",
    fields: &[CLASS_NAME, REQUEST_SELECTORS, MODE, COUNT, ADMIN, TOLERATIONS, CAPACITY, DERIVED],
};

static SUBREQUEST: Struct = Struct {
    name: "DeviceSubRequest",
    fields: &[
        field("name", STRING, "Name, unique in the request.").required(),
        CLASS_NAME,
        REQUEST_SELECTORS,
        MODE,
        COUNT,
        TOLERATIONS,
        CAPACITY,
        DERIVED,
    ],
};

const CLASS_NAME: Field =
    field("deviceClassName", STRING, "Name of the DeviceClass that devices must be in.").required();
const REQUEST_SELECTORS: Field =
    field("selectors", SELECTORS, "All must be true for a device to be chosen.");
const MODE: Field = field(
    "allocationMode",
    Type::Enum("DeviceAllocationMode", &["ExactCount", "All"]),
    "`ExactCount` (the default) or `All` matching devices.",
);
const COUNT: Field = field("count", INT64, "How many devices, 1 when absent.");
const ADMIN: Field = field(
    "adminAccess",
    Type::Bool,
    "Looks at devices without taking them; the namespace must allow it.",
);
const TOLERATIONS: Field =
    field("tolerations", Type::List(&TOLERATION_TYPE), "Taints that are accepted.");
const CAPACITY: Field =
    field("capacity", Type::Struct(&REQUIREMENTS), "Amounts asked of each device.");

pub(super) const SELECTORS: Type = Type::List(&Type::Struct(&SELECTOR));

static SELECTOR: Struct = Struct {
    name: "DeviceSelector",
    fields: &[field("cel", Type::Struct(&CEL), "A CEL expression.")],
};

static CEL: Struct = Struct {
    name: "CELDeviceSelector",
    fields: &[field(
        "expression",
        STRING,
        "A CEL expression over `device` that gives true or false.",
    )
    .required()],
};

static TOLERATION_TYPE: Type = Type::Struct(&TOLERATION);

static TOLERATION: Struct = Struct {
    name: "DeviceToleration",
    fields: &[
        field("key", STRING, "Key of the taint; every key when absent."),
        field(
            "operator",
            Type::Enum("DeviceTolerationOperator", &["Equal", "Exists"]),
            "`Equal` (the default) compares the value, `Exists` does not.",
        ),
        field("value", STRING, "Value of the taint."),
        field(
            "effect",
            Type::Enum("DeviceTaintEffect", &["NoSchedule", "NoExecute", "None"]),
            "Effect of the taint; every effect when absent.",
        ),
        field("tolerationSeconds", INT64, "Seconds a running Pod may stay."),
    ],
};

static REQUIREMENTS: Struct = Struct {
    name: "CapacityRequirements",
    fields: &[field("requests", Type::Map(&Type::Quantity), "Amounts by capacity.")],
};

static CONSTRAINT: Struct = Struct {
    name: "DeviceConstraint",
    fields: &[
        field("requests", STRINGS, "Requests it is about; all when absent."),
        field(
            "matchAttribute",
            Type::String("FullyQualifiedName"),
            "Attribute that must be equal on all devices.",
        ),
        field(
            "distinctAttribute",
            Type::String("FullyQualifiedName"),
            "Attribute that must differ on all devices.",
        ),
    ],
};

static CLAIM_CONFIG: Struct = Struct {
    name: "DeviceClaimConfiguration",
    fields: &[field("requests", STRINGS, "Requests it is for; all when absent."), OPAQUE],
};

static CLAIM_STATUS: Struct = Struct {
    name: "ResourceClaimStatus",
    fields: &[
        field("allocation", Type::Struct(&ALLOCATION), "Set once the claim is allocated."),
        field("reservedFor", Type::List(&Type::Struct(&CONSUMER)), "Who may use the claim."),
        field(
            "devices",
            Type::List(&Type::Struct(&DEVICE_STATUS)),
            "What drivers report of each device.",
        ),
        field("deallocationRequested", Type::Any, "Not used any more.").until(32),
    ],
};

static ALLOCATION: Struct = Struct {
    name: "AllocationResult",
    fields: &[
        field("devices", Type::Struct(&ALLOCATED), "The devices and their configuration."),
        field("nodeSelector", Type::Struct(&NODE_SELECTOR), "Where the claim can be used."),
        field("allocationTimestamp", Type::Time, "When it was allocated."),
    ],
};

static ALLOCATED: Struct = Struct {
    name: "DeviceAllocationResult",
    fields: &[
        field("results", Type::List(&Type::Struct(&RESULT)), "One entry for each device."),
        field("config", Type::List(&Type::Struct(&ALLOCATED_CONFIG)), "Parameters for drivers."),
    ],
};

static RESULT: Struct = Struct {
    name: "DeviceRequestAllocationResult",
    fields: &[
        field("request", STRING, "`request` or `request/subrequest`.").required(),
        field("driver", STRING, "Driver.").required(),
        field("pool", STRING, "Pool.").required(),
        field("device", STRING, "Device.").required(),
        field("adminAccess", Type::Bool, "Whether it is only admin access."),
        TOLERATIONS,
        field("bindingConditions", STRINGS, "Copied from the device."),
        field("bindingFailureConditions", STRINGS, "Copied from the device."),
        field("shareID", Type::String("types.UID"), "Identifies one share of a shared device."),
        field("consumedCapacity", Type::Map(&Type::Quantity), "Amounts taken by capacity."),
        field("skipNodeOperations", SKIPPED, "Copied from the slice.").since(37),
    ],
};

/// Names of calls of the kubelet.
pub(super) const SKIPPED: Type = Type::List(&Type::String("SkipNodeOperation"));

static ALLOCATED_CONFIG: Struct = Struct {
    name: "DeviceAllocationConfiguration",
    fields: &[
        field(
            "source",
            Type::Enum("AllocationConfigSource", &["FromClass", "FromClaim"]),
            "Where the entry comes from.",
        )
        .always(),
        field("requests", STRINGS, "Requests it is for; all when absent."),
        OPAQUE,
    ],
};

static CONSUMER: Struct = Struct {
    name: "ResourceClaimConsumerReference",
    fields: &[
        field("apiGroup", STRING, "API group; empty for Pods."),
        field("resource", STRING, "Resource, e.g. `pods`.").required(),
        field("name", STRING, "Name.").required(),
        field("uid", Type::String("types.UID"), "UID.").required(),
    ],
};

static DEVICE_STATUS: Struct = Struct {
    name: "AllocatedDeviceStatus",
    fields: &[
        field("driver", STRING, "Driver.").required(),
        field("pool", STRING, "Pool.").required(),
        field("device", STRING, "Device.").required(),
        field("shareID", STRING, "Share, for shared devices."),
        field("conditions", Type::List(&Type::Struct(&CONDITION)), "Conditions of the device.")
            .always(),
        field("data", Type::Object, "Anything the driver wants to say."),
        field("networkData", Type::Struct(&NETWORK), "Addresses of a network device."),
    ],
};

static NETWORK: Struct = Struct {
    name: "NetworkDeviceData",
    fields: &[
        field("interfaceName", STRING, "Name of the interface."),
        field("ips", STRINGS, "Addresses."),
        field("hardwareAddress", STRING, "Hardware address."),
    ],
};
