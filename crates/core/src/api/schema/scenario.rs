use super::meta::{API_VERSION, KIND, METADATA};
use super::{Field, STRING, STRINGS, Struct, Type, field};

const GATES: Type = Type::Map(&Type::Bool);
const EXPECT: &str = "Lines that must hold then.";

/// What the playground adds to the API: what happens to the objects over time, and what should come
/// out. Its reader is [`crate::scenario::read_document`].
pub static SCENARIO: Struct = Struct {
    name: "Scenario",
    fields: &[
        API_VERSION,
        KIND,
        METADATA,
        field("spec", Type::Struct(&SCENARIO_SPEC), "What happens, and what comes out."),
    ],
};

/// `spec` of a scenario.
pub static SCENARIO_SPEC: Struct = Struct {
    name: "ScenarioSpec",
    fields: &[
        field("title", STRING, "What it is about, in a few words."),
        field("description", STRING, "What is to be seen, in Markdown; shown beside the outcome."),
        field("kubernetesVersion", STRING, "The Kubernetes release, a patch release."),
        field("featureGates", GATES, "Feature gates that differ from the release's defaults."),
        field(
            "apiServerFeatureGates",
            GATES,
            "Feature gates that only the API server has otherwise.",
        ),
        field(
            "behavior",
            Type::Enum("Behavior", &["asReleased", "fixed"]),
            "Whether known bugs of the release are reproduced or corrected.",
        ),
        field("expect", STRINGS, "Lines that must hold for the objects, before the first step."),
        field("steps", Type::List(&Type::Struct(&STEP)), "What happens, one thing after another."),
    ],
};

/// One step: a name, lines that hold after it, and one of [`OPERATIONS`].
static STEP: Struct = Struct {
    name: "Step",
    fields: &[
        field("name", STRING, "What happens, in a few words."),
        field("expect", STRINGS, EXPECT),
        OPERATIONS[0],
        OPERATIONS[1],
        OPERATIONS[2],
        OPERATIONS[3],
        OPERATIONS[4],
    ],
};

/// What a step may do; each step does one of them.
pub const OPERATIONS: [Field; 5] = [
    field("apply", Type::Object, "Creates or replaces an object or a list of them."),
    field("delete", Type::Struct(&DELETE), "Deletes an object."),
    field("advance", STRING, "Moves the clock on, e.g. `90s`, `5m` or `1h30m`."),
    field("finish", Type::Struct(&FINISH), "Ends a Pod."),
    field("setConditions", Type::Struct(&CONDITIONS), "Sets conditions of an allocated device."),
];

static DELETE: Struct = Struct {
    name: "Delete",
    fields: &[
        field("kind", STRING, "Kind of the object.").required(),
        field("namespace", STRING, "Namespace; may be left out where the name is unique."),
        field("name", STRING, "Name of the object.").required(),
    ],
};

static FINISH: Struct = Struct {
    name: "Finish",
    fields: &[
        field("pod", STRING, "The Pod, as `NAME` or `NAMESPACE/NAME`.").required(),
        field("phase", Type::Enum("Phase", &["Succeeded", "Failed"]), "How it ends.").required(),
    ],
};

static CONDITIONS: Struct = Struct {
    name: "SetConditions",
    fields: &[
        field("claim", STRING, "The claim, as `NAME` or `NAMESPACE/NAME`.").required(),
        field("device", STRING, "The device, as `DRIVER/POOL/DEVICE` or its name alone.")
            .required(),
        field(
            "conditions",
            Type::Map(&Type::Enum("Status", &["True", "False", "Unknown"])),
            "A map from type to status, or a list as in the API.",
        )
        .required(),
    ],
};
