//! What the API server says of a new expression.

use dra_playground_cel::Env;
use dra_playground_cel::syntax::Issue;

use super::environment::DeviceSizes;
use super::{COST_LIMIT, MAX_LENGTH, issues_text, output_problem, planning_problem};
use crate::features::CelSwitches;

/// The API server's verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Why it is refused.
    pub refusal: Option<Refusal>,
    /// The estimated cost of the worst case, where the expression compiles.
    pub max_cost: Option<u64>,
}

/// Why the API server refuses an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It has more than [`MAX_LENGTH`] bytes.
    TooLong,
    /// It does not compile.
    Invalid {
        /// The detail of the field error.
        detail: String,
        /// Problems with their places.
        issues: Vec<Issue>,
    },
    /// Its estimate is beyond [`COST_LIMIT`].
    TooComplex,
}

impl Admission {
    /// The field error without the path.
    pub fn message(&self, expression: &str) -> Option<String> {
        Some(match self.refusal.as_ref()? {
            Refusal::TooLong => format!("Too long: may not be more than {MAX_LENGTH} bytes"),
            Refusal::Invalid { detail, .. } => {
                format!("Invalid value: {}: {detail}", dra_playground_cel::go_quote(expression))
            }
            Refusal::TooComplex => "Forbidden: too complex, exceeds cost limit".to_owned(),
        })
    }
}

pub(super) fn admit(env: &Env, switches: &CelSwitches, source: &str) -> Admission {
    if source.len() > MAX_LENGTH {
        return Admission { refusal: Some(Refusal::TooLong), max_cost: None };
    }
    let invalid = |detail: String, issues: Vec<Issue>| Admission {
        refusal: Some(Refusal::Invalid { detail, issues }),
        max_cost: None,
    };
    let expression = match dra_playground_cel::compile(env, source) {
        Ok(expression) => expression,
        Err(issues) => return invalid(issues_text(source, &issues), issues),
    };
    let output = expression.output_type();
    if let Some(problem) = output_problem(output, switches.dyn_output_new) {
        return invalid(problem, Vec::new());
    }
    if let Err(error) = expression.plan(&[super::environment::DEVICE.into()], COST_LIMIT) {
        return invalid(planning_problem(error.text()), Vec::new());
    }
    let cost = expression.max_cost(&DeviceSizes);
    let refusal = (cost > COST_LIMIT).then_some(Refusal::TooComplex);
    Admission { refusal, max_cost: Some(cost) }
}
