//! Codes and wording of everything that can be wrong with a scenario document.

use crate::diagnostic::{Code, Diagnostic, did_you_mean};
use crate::source::Span;

/// A field that the scenario format does not have.
pub const SCENARIO_UNKNOWN_FIELD: Code = Code::error("scenario-unknown-field");
/// A field holds the wrong kind of value.
pub const SCENARIO_WRONG_TYPE: Code = Code::error("scenario-wrong-type");
/// A field is missing.
pub const SCENARIO_MISSING_FIELD: Code = Code::error("scenario-missing-field");
/// A value that the field does not take.
pub const SCENARIO_INVALID_VALUE: Code = Code::error("scenario-invalid-value");
/// A step with no operation or with several.
pub const SCENARIO_ONE_OPERATION: Code = Code::error("scenario-one-operation");
/// A second scenario document in the same text.
pub const SCENARIO_REPEATED: Code = Code::error("scenario-repeated");
/// A step could not be done.
pub const SCENARIO_STEP_FAILED: Code = Code::error("scenario-step-failed");
/// An expectation line that cannot be read.
pub const EXPECTATION_SYNTAX: Code = Code::error("expectation-syntax");

/// A taint rule that selects every device.
pub const TAINT_RULE_SELECTS_EVERYTHING: Code = Code::warning("taint-rule-selects-everything");
/// A taint rule that the release does not apply.
pub const TAINT_RULE_INACTIVE: Code = Code::warning("taint-rule-inactive");

/// What a taint rule that only informs would do as `NoExecute`.
pub const TAINT_RULE_PREVIEW: Code = Code::note("taint-rule-preview");

/// Every code of this stage.
pub const ALL: &[Code] = &[
    TAINT_RULE_SELECTS_EVERYTHING,
    TAINT_RULE_INACTIVE,
    TAINT_RULE_PREVIEW,
    SCENARIO_UNKNOWN_FIELD,
    SCENARIO_WRONG_TYPE,
    SCENARIO_MISSING_FIELD,
    SCENARIO_INVALID_VALUE,
    SCENARIO_ONE_OPERATION,
    SCENARIO_REPEATED,
    SCENARIO_STEP_FAILED,
    EXPECTATION_SYNTAX,
];

pub(super) fn unknown_field(path: &str, key: &str, known: &[&str], span: Span) -> Diagnostic {
    let path = join(path, key);
    let diagnostic = Diagnostic::new(
        SCENARIO_UNKNOWN_FIELD,
        format!("unknown field `{path}` in the scenario"),
        span,
    );
    match did_you_mean(key, known.iter().copied()) {
        Some(name) => diagnostic.propose(name, name, span, true),
        None => diagnostic.note(format!("known here: {}", known.join(", "))),
    }
}

pub(super) fn wrong_type(path: &str, found: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::new(SCENARIO_WRONG_TYPE, format!("`{path}` is {found}, expected {expected}"), span)
}

pub(super) fn missing_field(path: &str, key: &str, span: Span) -> Diagnostic {
    let path = join(path, key);
    Diagnostic::new(SCENARIO_MISSING_FIELD, format!("`{path}` is missing in the scenario"), span)
}

pub(super) fn invalid_value(path: &str, value: &str, expected: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        SCENARIO_INVALID_VALUE,
        format!("`{path}` is `{value}`, expected {expected}"),
        span,
    )
}

pub(super) fn one_operation(path: &str, found: &[&str], span: Span) -> Diagnostic {
    let found = match found {
        [] => "none".to_owned(),
        some => some.join(" and "),
    };
    Diagnostic::new(
        SCENARIO_ONE_OPERATION,
        format!("`{path}` has {found}, expected exactly one operation"),
        span,
    )
    .note("operations are apply, delete, advance, finish and setConditions")
}

pub(super) fn repeated(first: Span, again: Span) -> Diagnostic {
    Diagnostic::new(
        SCENARIO_REPEATED,
        "a text can hold only one scenario; this one is skipped",
        again,
    )
    .also(first, "the scenario that is used")
}

pub(super) fn step_failed(problem: &str, span: Span) -> Diagnostic {
    Diagnostic::new(SCENARIO_STEP_FAILED, format!("this step could not be done: {problem}"), span)
}

pub(super) fn expectation_syntax(problem: &str, span: Span) -> Diagnostic {
    Diagnostic::new(EXPECTATION_SYNTAX, format!("this expectation cannot be read: {problem}"), span)
}

pub(super) fn rule_selects_everything(rule: &str, span: Span) -> Diagnostic {
    let message = format!("DeviceTaintRule `{rule}` taints every device of every driver");
    Diagnostic::new(TAINT_RULE_SELECTS_EVERYTHING, message, span)
        .note("name a driver, pool or device in `spec.deviceSelector`")
}

pub(super) fn rule_preview(rule: &str, radius: &str, span: Span) -> Diagnostic {
    let message =
        format!("with the effect NoExecute, DeviceTaintRule `{rule}` would taint {radius}");
    Diagnostic::new(TAINT_RULE_PREVIEW, message, span)
}

pub(super) fn rule_applied(rule: &str, radius: &str, span: Span) -> Diagnostic {
    let message = format!("DeviceTaintRule `{rule}` taints {radius}");
    Diagnostic::new(TAINT_RULE_PREVIEW, message, span)
}

pub(super) fn rules_off(rule: &str, span: Span) -> Diagnostic {
    let message =
        format!("DeviceTaintRule `{rule}` has no effect: feature gate DRADeviceTaintRules is off");
    Diagnostic::new(TAINT_RULE_INACTIVE, message, span)
}

pub(super) fn rules_broken(rule: &str, span: Span) -> Diagnostic {
    let message =
        format!("the scheduler takes no notice of DeviceTaintRule `{rule}` in this release");
    Diagnostic::new(TAINT_RULE_INACTIVE, message, span)
        .note("kubernetes/kubernetes#139681: rules do not work in 1.36.0 to 1.36.2")
        .note("running Pods are evicted all the same: the controller reads the rules itself")
        .note("the next change of a ResourceSlice would make the scheduler panic")
}

pub(super) fn unknown_release(problem: &str, span: Span) -> Diagnostic {
    Diagnostic::new(SCENARIO_INVALID_VALUE, problem, span)
}

pub(super) fn unknown_gate(name: &str, close: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::new(SCENARIO_INVALID_VALUE, format!("unknown feature gate `{name}`"), span);
    match close {
        Some(close) => diagnostic.note(format!("did you mean `{close}`?")),
        None => diagnostic.note("only gates of dynamic resource allocation are known"),
    }
}

/// A field path with one more part.
pub(super) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}
