use super::meta::{API_VERSION, KIND, METADATA};
use super::{INT64, STRING, STRING_MAP, STRINGS, Struct, Type, field};

const ANY: Type = Type::Any;
const PASSED: &str = "Not used here.";

/// Terms over labels and fields of nodes. Source: `core/v1 NodeSelector`.
pub static NODE_SELECTOR: Struct = Struct {
    name: "v1.NodeSelector",
    fields: &[field(
        "nodeSelectorTerms",
        Type::List(&Type::Struct(&TERM)),
        "One of them must hold.",
    )
    .required()],
};

static TERM: Struct = Struct {
    name: "v1.NodeSelectorTerm",
    fields: &[
        field("matchExpressions", Type::List(&Type::Struct(&REQUIREMENT)), "All must hold."),
        field("matchFields", Type::List(&Type::Struct(&REQUIREMENT)), "All must hold."),
    ],
};

static REQUIREMENT: Struct = Struct {
    name: "v1.NodeSelectorRequirement",
    fields: &[
        field("key", STRING, "Label or field.").required(),
        field(
            "operator",
            Type::Enum(
                "v1.NodeSelectorOperator",
                &["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"],
            ),
            "How values are compared.",
        )
        .required(),
        field("values", STRINGS, "What it is compared with."),
    ],
};

/// Source: `core/v1 Node`.
pub static NODE: Struct = Struct {
    name: "v1.Node",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&NODE_SPEC), "How the node is set up."),
        field("status", Type::Struct(&NODE_STATUS), "What the node has and how it is."),
    ],
};

static NODE_SPEC: Struct = Struct {
    name: "v1.NodeSpec",
    fields: &[
        field("podCIDR", STRING, PASSED),
        field("podCIDRs", STRINGS, PASSED),
        field("providerID", STRING, PASSED),
        field("unschedulable", Type::Bool, "Whether Pods must not be put on it."),
        field("taints", Type::List(&Type::Struct(&NODE_TAINT)), "Taints that Pods must tolerate."),
        field("configSource", ANY, PASSED),
        field("externalID", STRING, PASSED),
        field("podPreemptionPolicy", ANY, PASSED).since(37),
    ],
};

static NODE_TAINT: Struct = Struct {
    name: "v1.Taint",
    fields: &[
        field("key", STRING, "Key.").required(),
        field("value", STRING, "Value."),
        field(
            "effect",
            Type::Enum("v1.TaintEffect", &["NoSchedule", "PreferNoSchedule", "NoExecute"]),
            "What an untolerated taint does.",
        )
        .required(),
        field("timeAdded", Type::Time, PASSED),
    ],
};

static NODE_STATUS: Struct = Struct {
    name: "v1.NodeStatus",
    fields: &[
        field("capacity", Type::Map(&Type::Quantity), "What the node has."),
        field("allocatable", Type::Map(&Type::Quantity), "What Pods can get of it."),
        field("phase", ANY, PASSED),
        field("conditions", ANY, PASSED),
        field("addresses", ANY, PASSED),
        field("daemonEndpoints", ANY, PASSED),
        field("nodeInfo", ANY, PASSED),
        field("images", ANY, PASSED),
        field("volumesInUse", ANY, PASSED),
        field("volumesAttached", ANY, PASSED),
        field("config", ANY, PASSED),
        field("runtimeHandlers", ANY, PASSED),
        field("features", ANY, PASSED),
        field("declaredFeatures", STRINGS, PASSED).since(35),
    ],
};

/// Source: `core/v1 Namespace`.
pub static NAMESPACE: Struct = Struct {
    name: "v1.Namespace",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", ANY, PASSED),
        field("status", ANY, PASSED),
    ],
};

/// Source: `core/v1 Pod`.
pub static POD: Struct = Struct {
    name: "v1.Pod",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&POD_SPEC), "What the Pod runs, and what it needs.").required(),
        field("status", Type::Struct(&POD_STATUS), "How the Pod is."),
    ],
};

/// Source: `core/v1 PodSpec`; without `containers` also in workloads' templates.
pub static POD_SPEC: Struct = Struct {
    name: "v1.PodSpec",
    fields: &[
        field("volumes", ANY, PASSED),
        field("initContainers", CONTAINERS, "Containers that run before the others."),
        field("containers", CONTAINERS, "Containers.").required(),
        field("ephemeralContainers", ANY, PASSED),
        field("restartPolicy", Type::String("v1.RestartPolicy"), PASSED),
        field("terminationGracePeriodSeconds", INT64, PASSED),
        field("activeDeadlineSeconds", INT64, PASSED),
        field("dnsPolicy", Type::String("v1.DNSPolicy"), PASSED),
        field("nodeSelector", STRING_MAP, "Labels that the node must have."),
        field("serviceAccountName", STRING, PASSED),
        field("serviceAccount", STRING, PASSED),
        field("automountServiceAccountToken", Type::Bool, PASSED),
        field("nodeName", STRING, "Node the Pod is on."),
        field("hostNetwork", Type::Bool, PASSED),
        field("hostPID", Type::Bool, PASSED),
        field("hostIPC", Type::Bool, PASSED),
        field("shareProcessNamespace", Type::Bool, PASSED),
        field("securityContext", ANY, PASSED),
        field("imagePullSecrets", ANY, PASSED),
        field("hostname", STRING, PASSED),
        field("subdomain", STRING, PASSED),
        field("affinity", Type::Struct(&AFFINITY), "Where the Pod may or should run."),
        field("schedulerName", STRING, PASSED),
        field("tolerations", Type::List(&Type::Struct(&TOLERATION)), "Node taints it accepts."),
        field("hostAliases", ANY, PASSED),
        field("priorityClassName", STRING, PASSED),
        field("priority", Type::Int("int32"), PASSED),
        field("dnsConfig", ANY, PASSED),
        field("readinessGates", ANY, PASSED),
        field("runtimeClassName", STRING, PASSED),
        field("enableServiceLinks", Type::Bool, PASSED),
        field("preemptionPolicy", Type::String("v1.PreemptionPolicy"), PASSED),
        field("overhead", Type::Map(&Type::Quantity), "What it needs beside its containers."),
        field("topologySpreadConstraints", ANY, PASSED),
        field("setHostnameAsFQDN", Type::Bool, PASSED),
        field("os", ANY, PASSED),
        field("hostUsers", Type::Bool, PASSED),
        field("schedulingGates", Type::List(&Type::Struct(&GATE)), "What must be lifted first."),
        field(
            "resourceClaims",
            Type::List(&Type::Struct(&POD_CLAIM)),
            "Claims that must be allocated before the Pod can run.",
        ),
        field("resources", Type::Struct(&RESOURCES), "What all its containers need together."),
        field("hostnameOverride", STRING, PASSED),
        field("workloadRef", ANY, PASSED).since(35).until(36),
        field("schedulingGroup", ANY, PASSED).since(36),
        field("evictionResponders", ANY, PASSED).since(37),
    ],
};

static GATE: Struct =
    Struct { name: "v1.PodSchedulingGate", fields: &[field("name", STRING, "Name.").required()] };

static AFFINITY: Struct = Struct {
    name: "v1.Affinity",
    fields: &[
        field("nodeAffinity", Type::Struct(&NODE_AFFINITY), "Which nodes."),
        field("podAffinity", ANY, PASSED),
        field("podAntiAffinity", ANY, PASSED),
    ],
};

static NODE_AFFINITY: Struct = Struct {
    name: "v1.NodeAffinity",
    fields: &[
        field(
            "requiredDuringSchedulingIgnoredDuringExecution",
            Type::Struct(&NODE_SELECTOR),
            "Nodes on which the Pod may run.",
        ),
        field("preferredDuringSchedulingIgnoredDuringExecution", ANY, PASSED),
    ],
};

/// Source: `core/v1 Toleration`.
pub static TOLERATION: Struct = Struct {
    name: "v1.Toleration",
    fields: &[
        field("key", STRING, "Key of the taint."),
        field(
            "operator",
            Type::String("v1.TolerationOperator"),
            "`Equal` (the default) or `Exists`.",
        ),
        field("value", STRING, "Value of the taint."),
        field(
            "effect",
            Type::String("v1.TaintEffect"),
            "Effect of the taint; every effect when absent.",
        ),
        field("tolerationSeconds", INT64, "Seconds a running Pod may stay."),
    ],
};

static POD_CLAIM: Struct = Struct {
    name: "v1.PodResourceClaim",
    fields: &[
        field("name", STRING, "Name inside the Pod.").required(),
        field("resourceClaimName", STRING, "A claim of the Pod's namespace."),
        field(
            "resourceClaimTemplateName",
            STRING,
            "A template of the Pod's namespace; the Pod gets its own claim.",
        ),
    ],
};

const CONTAINERS: Type = Type::List(&Type::Struct(&CONTAINER));

static CONTAINER: Struct = Struct {
    name: "v1.Container",
    fields: &[
        field("name", STRING, "Name of the container.").required(),
        field("image", STRING, PASSED),
        field("command", STRINGS, PASSED),
        field("args", STRINGS, PASSED),
        field("workingDir", STRING, PASSED),
        field("ports", ANY, PASSED),
        field("envFrom", ANY, PASSED),
        field("env", ANY, PASSED),
        field("resources", Type::Struct(&RESOURCES), "What the container needs."),
        field("resizePolicy", ANY, PASSED),
        field(
            "restartPolicy",
            Type::String("v1.ContainerRestartPolicy"),
            "`Always` makes an init container a sidecar.",
        ),
        field("restartPolicyRules", ANY, PASSED),
        field("volumeMounts", ANY, PASSED),
        field("volumeDevices", ANY, PASSED),
        field("livenessProbe", ANY, PASSED),
        field("readinessProbe", ANY, PASSED),
        field("startupProbe", ANY, PASSED),
        field("lifecycle", ANY, PASSED),
        field("terminationMessagePath", STRING, PASSED),
        field("terminationMessagePolicy", Type::String("v1.TerminationMessagePolicy"), PASSED),
        field("imagePullPolicy", Type::String("v1.PullPolicy"), PASSED),
        field("securityContext", ANY, PASSED),
        field("stdin", Type::Bool, PASSED),
        field("stdinOnce", Type::Bool, PASSED),
        field("tty", Type::Bool, PASSED),
    ],
};

static RESOURCES: Struct = Struct {
    name: "v1.ResourceRequirements",
    fields: &[
        field("limits", Type::Map(&Type::Quantity), "Most it may use."),
        field("requests", Type::Map(&Type::Quantity), "What is set aside for it."),
        field("claims", Type::List(&Type::Struct(&CONTAINER_CLAIM)), "Claims it can use."),
    ],
};

static CONTAINER_CLAIM: Struct = Struct {
    name: "v1.ResourceClaim",
    fields: &[
        field("name", STRING, "An entry of the Pod's `resourceClaims`.").required(),
        field("request", STRING, "One request of the claim; all when absent."),
    ],
};

static POD_STATUS: Struct = Struct {
    name: "v1.PodStatus",
    fields: &[
        field("observedGeneration", INT64, PASSED),
        field(
            "phase",
            Type::String("v1.PodPhase"),
            "`Pending`, `Running`, `Succeeded` or `Failed`.",
        ),
        field("conditions", ANY, PASSED),
        field("message", STRING, PASSED),
        field("reason", STRING, PASSED),
        field("nominatedNodeName", STRING, PASSED),
        field("hostIP", STRING, PASSED),
        field("hostIPs", ANY, PASSED),
        field("podIP", STRING, PASSED),
        field("podIPs", ANY, PASSED),
        field("startTime", Type::Time, PASSED),
        field("initContainerStatuses", ANY, PASSED),
        field("containerStatuses", ANY, PASSED),
        field("qosClass", Type::String("v1.PodQOSClass"), PASSED),
        field("ephemeralContainerStatuses", ANY, PASSED),
        field("resize", Type::String("v1.PodResizeStatus"), PASSED),
        field(
            "resourceClaimStatuses",
            Type::List(&Type::Struct(&CLAIM_STATUS)),
            "Claims that were made from templates.",
        ),
        field("extendedResourceClaimStatus", ANY, PASSED),
        field("allocatedResources", Type::Map(&Type::Quantity), PASSED).since(35),
        field("resources", ANY, PASSED).since(35),
        field("nodeAllocatableResourceClaimStatuses", ANY, PASSED).since(36),
        field("volumeHealth", ANY, PASSED).since(37),
    ],
};

static CLAIM_STATUS: Struct = Struct {
    name: "v1.PodResourceClaimStatus",
    fields: &[
        field("name", STRING, "Entry of the Pod's `resourceClaims`.").required(),
        field("resourceClaimName", STRING, "The claim; none is needed when absent."),
    ],
};
