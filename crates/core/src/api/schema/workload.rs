use super::core::POD_SPEC;
use super::meta::{API_VERSION, KIND, METADATA, OBJECT_META};
use super::{INT64, Struct, Type, field};

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

/// Workloads with a Pod template in `spec.template`. The sum of their fields, since those that are
/// not used here are not worth telling apart.
///
/// Source: `apps/v1 Deployment, ReplicaSet, StatefulSet, DaemonSet`, `batch/v1 Job`.
pub static WORKLOAD: Struct = Struct {
    name: "v1.Workload",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&SPEC), "How many Pods, and what they run.").required(),
        field("status", ANY, PASSED),
    ],
};

static SPEC: Struct = Struct {
    name: "v1.WorkloadSpec",
    fields: &[
        field("replicas", INT32, "How many Pods, 1 when absent."),
        field("parallelism", INT32, "How many Pods of a Job at a time, 1 when absent."),
        field("completions", INT32, "How many Pods of a Job in all."),
        field("template", Type::Struct(&TEMPLATE), "What the Pods are made from.").required(),
        field("selector", ANY, PASSED),
        field("strategy", ANY, PASSED),
        field("minReadySeconds", ANY, PASSED),
        field("revisionHistoryLimit", ANY, PASSED),
        field("paused", ANY, PASSED),
        field("progressDeadlineSeconds", ANY, PASSED),
        field("serviceName", ANY, PASSED),
        field("podManagementPolicy", ANY, PASSED),
        field("updateStrategy", ANY, PASSED),
        field("volumeClaimTemplates", ANY, PASSED),
        field("persistentVolumeClaimRetentionPolicy", ANY, PASSED),
        field("ordinals", ANY, PASSED),
        field("activeDeadlineSeconds", ANY, PASSED),
        field("podFailurePolicy", ANY, PASSED),
        field("successPolicy", ANY, PASSED),
        field("backoffLimit", ANY, PASSED),
        field("backoffLimitPerIndex", ANY, PASSED),
        field("maxFailedIndexes", ANY, PASSED),
        field("manualSelector", ANY, PASSED),
        field("ttlSecondsAfterFinished", ANY, PASSED),
        field("completionMode", ANY, PASSED),
        field("suspend", ANY, PASSED),
        field("podReplacementPolicy", ANY, PASSED),
        field("managedBy", ANY, PASSED),
        field("scheduling", ANY, PASSED),
    ],
};

/// Source: `batch/v1 CronJob`.
pub static CRON_JOB: Struct = Struct {
    name: "v1.CronJob",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&CRON_SPEC), "When it runs, and what.").required(),
        field("status", ANY, PASSED),
    ],
};

static CRON_SPEC: Struct = Struct {
    name: "v1.CronJobSpec",
    fields: &[
        field("schedule", ANY, PASSED),
        field("timeZone", ANY, PASSED),
        field("startingDeadlineSeconds", INT64, PASSED),
        field("concurrencyPolicy", ANY, PASSED),
        field("suspend", ANY, PASSED),
        field("jobTemplate", Type::Struct(&JOB_TEMPLATE), "What each run is made from.").required(),
        field("successfulJobsHistoryLimit", ANY, PASSED),
        field("failedJobsHistoryLimit", ANY, PASSED),
    ],
};

static JOB_TEMPLATE: Struct = Struct {
    name: "v1.JobTemplateSpec",
    fields: &[
        field("metadata", Type::Struct(&OBJECT_META), "Labels and annotations of the Jobs."),
        field("spec", Type::Struct(&SPEC), "The spec of the Jobs.").required(),
    ],
};
