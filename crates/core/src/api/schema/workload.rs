use super::core::POD_SPEC;
use super::meta::{API_VERSION, KIND, LABEL_SELECTOR, METADATA, OBJECT_META};
use super::{Field, INT64, STRING, STRING_MAP, Struct, Type, field};

const ANY: Type = Type::Any;
const PASSED: &str = "Not used here.";
const INT32: Type = Type::Int("int32");

static TEMPLATE: Struct = Struct {
    name: "v1.PodTemplateSpec",
    fields: &[
        field("metadata", Type::Struct(&OBJECT_META), "Labels and annotations of the Pods."),
        field("spec", Type::Struct(&POD_SPEC), "The spec of the Pods.").required(),
    ],
};

const REPLICAS: Field = field("replicas", INT32, "How many Pods, 1 when absent.");
const TEMPLATE_FIELD: Field =
    field("template", Type::Struct(&TEMPLATE), "What the Pods are made from.").required();
const SELECTOR: Field = field("selector", Type::Struct(&LABEL_SELECTOR), "Its Pods, by label.");
const READY_SECONDS: Field = field("minReadySeconds", INT32, PASSED);
const HISTORY: Field = field("revisionHistoryLimit", INT32, PASSED);
const STATUS: Field = field("status", ANY, PASSED);

/// A workload with the table of its spec.
macro_rules! workload {
    ($(#[$doc:meta])* $name:ident, $go:literal, $spec:ident, $fields:expr) => {
        $(#[$doc])*
        pub static $name: Struct = Struct {
            name: concat!("v1.", $go),
            fields: &[
                API_VERSION,
                KIND,
                METADATA,
                field("spec", Type::Struct(&$spec), "How many Pods, and what they run.").required(),
                STATUS,
            ],
        };
        static $spec: Struct = Struct { name: concat!("v1.", $go, "Spec"), fields: $fields };
    };
}

workload!(
    /// Source: `apps/v1 Deployment`.
    DEPLOYMENT,
    "Deployment",
    DEPLOYMENT_SPEC,
    &[
        REPLICAS,
        SELECTOR,
        TEMPLATE_FIELD,
        field("strategy", ANY, PASSED),
        READY_SECONDS,
        HISTORY,
        field("paused", Type::Bool, PASSED),
        field("progressDeadlineSeconds", INT32, PASSED),
    ]
);

workload!(
    /// Source: `apps/v1 ReplicaSet`.
    REPLICA_SET,
    "ReplicaSet",
    REPLICA_SET_SPEC,
    &[REPLICAS, READY_SECONDS, SELECTOR, TEMPLATE_FIELD]
);

workload!(
    /// Source: `core/v1 ReplicationController`.
    REPLICATION_CONTROLLER,
    "ReplicationController",
    REPLICATION_CONTROLLER_SPEC,
    &[REPLICAS, READY_SECONDS, field("selector", STRING_MAP, PASSED), TEMPLATE_FIELD]
);

workload!(
    /// Source: `apps/v1 StatefulSet`.
    STATEFUL_SET,
    "StatefulSet",
    STATEFUL_SET_SPEC,
    &[
        REPLICAS,
        SELECTOR,
        TEMPLATE_FIELD,
        field("volumeClaimTemplates", ANY, PASSED),
        field("serviceName", STRING, PASSED),
        field("podManagementPolicy", Type::String("v1.PodManagementPolicyType"), PASSED),
        field("updateStrategy", ANY, PASSED),
        HISTORY,
        READY_SECONDS,
        field("persistentVolumeClaimRetentionPolicy", ANY, PASSED),
        field("ordinals", ANY, PASSED),
    ]
);

workload!(
    /// Source: `apps/v1 DaemonSet`.
    DAEMON_SET,
    "DaemonSet",
    DAEMON_SET_SPEC,
    &[SELECTOR, TEMPLATE_FIELD, field("updateStrategy", ANY, PASSED), READY_SECONDS, HISTORY]
);

workload!(
    /// Source: `batch/v1 Job`.
    JOB,
    "Job",
    JOB_SPEC,
    &[
        field("parallelism", INT32, "How many Pods at a time, 1 when absent."),
        field("completions", INT32, "How many Pods in all."),
        field("activeDeadlineSeconds", INT64, PASSED),
        field("podFailurePolicy", ANY, PASSED),
        field("successPolicy", ANY, PASSED),
        field("backoffLimit", INT32, PASSED),
        field("backoffLimitPerIndex", INT32, PASSED),
        field("maxFailedIndexes", INT32, PASSED),
        SELECTOR,
        field("manualSelector", Type::Bool, PASSED),
        TEMPLATE_FIELD,
        field("ttlSecondsAfterFinished", INT32, PASSED),
        field("completionMode", Type::String("v1.CompletionMode"), PASSED),
        field("suspend", Type::Bool, PASSED),
        field("podReplacementPolicy", Type::String("v1.PodReplacementPolicy"), PASSED),
        field("managedBy", STRING, PASSED),
        field("scheduling", ANY, PASSED).since(37),
    ]
);

workload!(
    /// Source: `batch/v1 CronJob`.
    CRON_JOB,
    "CronJob",
    CRON_JOB_SPEC,
    &[
        field("schedule", STRING, PASSED),
        field("timeZone", STRING, PASSED),
        field("startingDeadlineSeconds", INT64, PASSED),
        field("concurrencyPolicy", Type::String("v1.ConcurrencyPolicy"), PASSED),
        field("suspend", Type::Bool, PASSED),
        field("jobTemplate", Type::Struct(&JOB_TEMPLATE), "What each run is made from.").required(),
        field("successfulJobsHistoryLimit", INT32, PASSED),
        field("failedJobsHistoryLimit", INT32, PASSED),
    ]
);

static JOB_TEMPLATE: Struct = Struct {
    name: "v1.JobTemplateSpec",
    fields: &[
        field("metadata", Type::Struct(&OBJECT_META), "Labels and annotations of the Jobs."),
        field("spec", Type::Struct(&JOB_SPEC), "The spec of the Jobs.").required(),
    ],
};
