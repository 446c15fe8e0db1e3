//! Which release, gates and behavior a scenario is judged by.

use std::collections::BTreeMap;

use crate::api::{DeviceAttribute, Object, ObjectValue};
use crate::diagnostic::{Diagnostic, did_you_mean};
use crate::features::{Behavior, BehaviorMode, Gate, Gates, Release};
use crate::source::Span;

use super::codes;
use super::document::Document;
use super::expect::LeadingComment;

/// What is set beside the text; it wins over the text.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// Kubernetes release.
    pub kubernetes_version: Option<String>,
    /// Feature gates.
    pub feature_gates: BTreeMap<String, bool>,
    /// Whether known bugs are corrected.
    pub fixed: Option<bool>,
}

/// The behavior that is wanted: overrides, then the scenario document, then the leading comment, then
/// the default release.
///
/// # Diagnostics
/// [`codes::SCENARIO_INVALID_VALUE`]
pub fn behavior(
    objects: &[Object],
    document: Option<&Document>,
    comment: &LeadingComment,
    overrides: &Overrides,
    diagnostics: &mut Vec<Diagnostic>,
) -> Behavior {
    let release = release(document, comment, overrides, diagnostics);
    let mut gates = Gates::defaults(release);
    if publishes_list_attributes(objects) {
        gates.set(Gate::ListTypeAttributes, true);
    }
    for (name, span) in &comment.feature_gates {
        set_gate(&mut gates, name, true, *span, diagnostics);
    }
    for ((name, enabled), span) in document.iter().flat_map(|document| &document.feature_gates) {
        set_gate(&mut gates, name, *enabled, *span, diagnostics);
    }
    for (name, enabled) in &overrides.feature_gates {
        set_gate(&mut gates, name, *enabled, Span::default(), diagnostics);
    }
    let in_comment = comment.behavior.as_ref().and_then(|(text, span)| match text.as_str() {
        "fixed" => Some(true),
        "asReleased" => Some(false),
        other => {
            let expected = "`asReleased` or `fixed`";
            diagnostics.push(codes::invalid_value("behavior", other, expected, *span));
            None
        }
    });
    let in_document = document.and_then(|document| document.fixed).map(|(fixed, _)| fixed);
    let fixed = overrides.fixed.or(in_document).or(in_comment).unwrap_or_default();
    let mode = if fixed { BehaviorMode::Fixed } else { BehaviorMode::AsReleased };
    match Behavior::new(gates, mode) {
        Ok(behavior) => behavior,
        Err(problem) => {
            let place = document.map(|document| document.span).unwrap_or_default();
            diagnostics.push(codes::step_failed(&problem.to_string(), place));
            Behavior::default_release()
        }
    }
}

/// The gates of the API server: those of the other components, but for what the document says.
///
/// # Diagnostics
/// [`codes::SCENARIO_INVALID_VALUE`]
pub(super) fn admission_gates(
    gates: &Gates,
    document: Option<&Document>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Gates {
    let mut gates = gates.clone();
    let differing = document.iter().flat_map(|document| &document.api_server_feature_gates);
    for ((name, enabled), span) in differing {
        set_gate(&mut gates, name, *enabled, *span, diagnostics);
    }
    gates
}

/// Whether some device has an attribute with several values. Such a slice exists only where
/// `DRAListTypeAttributes` is on: elsewhere the API server drops the values and refuses the slice.
fn publishes_list_attributes(objects: &[Object]) -> bool {
    objects.iter().any(|object| match &object.value {
        ObjectValue::ResourceSlice(slice) => slice
            .devices
            .iter()
            .flat_map(|device| device.attributes.values())
            .any(DeviceAttribute::is_list),
        ObjectValue::DeviceClass(_)
        | ObjectValue::ResourceClaim(_)
        | ObjectValue::ResourceClaimTemplate(_)
        | ObjectValue::DeviceTaintRule(_)
        | ObjectValue::Pod(_)
        | ObjectValue::Node(_)
        | ObjectValue::Namespace(_)
        | ObjectValue::Scenario(_) => false,
    })
}

fn release(
    document: Option<&Document>,
    comment: &LeadingComment,
    overrides: &Overrides,
    diagnostics: &mut Vec<Diagnostic>,
) -> Release {
    let overridden = overrides.kubernetes_version.as_ref().map(|text| (text, Span::default()));
    let in_document = document
        .and_then(|document| document.kubernetes_version.as_ref())
        .map(|(text, span)| (text, *span));
    let in_comment = comment.kubernetes.as_ref().map(|(text, span)| (text, *span));
    let Some((text, span)) = overridden.or(in_document).or(in_comment) else {
        return Release::DEFAULT;
    };
    match Release::parse(text) {
        Ok(release) => release,
        Err(problem) => {
            diagnostics.push(codes::unknown_release(&problem.to_string(), span));
            Release::DEFAULT
        }
    }
}

fn set_gate(
    gates: &mut Gates,
    name: &str,
    enabled: bool,
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) {
    if let Some(gate) = Gate::from_name(name) {
        gates.set(gate, enabled);
    } else {
        let known = Gate::ALL.iter().map(|gate| gate.name());
        diagnostics.push(codes::unknown_gate(name, did_you_mean(name, known), span));
    }
}
