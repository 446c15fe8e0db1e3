//! Checks of constants after type checking. Source: cel-go `cel/validator.go`, `ext/formatting.go`.

use super::Checked;
use crate::syntax::{Call, Expr, ExprId, ExprKind, Issue, Literal};
use crate::types::Type;

/// What a validator may evaluate without the rest of the expression.
pub(crate) trait Literals {
    /// Whether `duration(literal)` or `timestamp(literal)` fails.
    fn conversion_fails(&self, function: &str, argument: &Literal) -> bool;
    /// Whether a regular expression is refused.
    fn regex_fails(&self, pattern: &str) -> bool;
    /// What is wrong with a constant format string: the node, or none for the call, and the message.
    fn format_problem(
        &self,
        format: &str,
        call: &Call,
        checked: &Checked,
    ) -> Option<(Option<ExprId>, String)>;
}

/// All problems of constants.
pub(crate) fn validate(checked: &Checked, literals: &dyn Literals) -> Vec<Issue> {
    let mut found = Vec::new();
    checked.root.walk(&mut |expr| {
        if let ExprKind::Call(call) = &expr.kind {
            validate_argument(call, literals, &mut found);
        }
    });
    let issue = |(id, message)| Issue { offset: checked.source.offset(id), message };
    if let Err(id) = homogeneous(checked, &checked.root, &mut found) {
        // UPSTREAM: nothing catches this while compiling.
        return vec![issue((id, NO_PARAMETER.to_owned()))];
    }
    checked.root.walk(&mut |expr| {
        if let ExprKind::Call(call) = &expr.kind
            && call.function.as_ref() == "format"
            && let Some(target) = &call.target
            && let ExprKind::Literal(Literal::String(format)) = &target.kind
        {
            let problem = literals.format_problem(format, call, checked);
            found.extend(problem.map(|(id, message)| (id.unwrap_or(expr.id), message)));
        }
    });
    found.into_iter().map(issue).collect()
}

fn validate_argument(call: &Call, literals: &dyn Literals, found: &mut Vec<(ExprId, String)>) {
    let Some((id, literal)) = call.args.first().and_then(|arg| match &arg.kind {
        ExprKind::Literal(literal) => Some((arg.id, literal)),
        _ => None,
    }) else {
        return;
    };
    let function = call.function.as_ref();
    let fails = match function {
        "duration" | "timestamp" => literals.conversion_fails(function, literal),
        "matches" => {
            matches!(literal, Literal::String(pattern) if literals.regex_fails(pattern))
        }
        _ => false,
    };
    if fails {
        found.push((id, format!("invalid {function} argument")));
    }
}

/// What upstream's compiler says when it crashes on an optional element of unknown type.
const NO_PARAMETER: &str = "panic: runtime error: index out of range [0] with length 0";

/// Elements of a list or map literal must have equivalent types; not inside `format` arguments.
///
/// # Errors
///
/// The element on which upstream's compiler crashes.
fn homogeneous(
    checked: &Checked,
    root: &Expr,
    found: &mut Vec<(ExprId, String)>,
) -> Result<(), ExprId> {
    let mut open = vec![root];
    while let Some(expr) = open.pop() {
        match &expr.kind {
            ExprKind::List { elements, optional } => {
                let mut first: Option<&Type> = None;
                for (index, element) in elements.iter().enumerate() {
                    let ty = element_type(checked, element, optional.contains(&index))?;
                    match first {
                        None => first = Some(ty),
                        Some(first) if !first.is_equivalent(ty) => {
                            mismatch(found, element.id, first, ty);
                            break;
                        }
                        Some(_) => {}
                    }
                }
            }
            ExprKind::Map(entries) => {
                let mut first: Option<(&Type, &Type)> = None;
                for entry in entries {
                    let key = element_type(checked, &entry.key, false)?;
                    let value = element_type(checked, &entry.value, entry.optional)?;
                    let Some((first_key, first_value)) = first else {
                        first = Some((key, value));
                        continue;
                    };
                    if !first_key.is_equivalent(key) {
                        mismatch(found, entry.key.id, first_key, key);
                    }
                    if !first_value.is_equivalent(value) {
                        mismatch(found, entry.value.id, first_value, value);
                    }
                }
            }
            ExprKind::Call(call) if call.function.as_ref() == "format" => continue,
            _ => {}
        }
        expr.push_children(&mut open);
    }
    Ok(())
}

fn element_type<'a>(
    checked: &'a Checked,
    element: &Expr,
    optional: bool,
) -> Result<&'a Type, ExprId> {
    let ty = checked.type_of(element.id);
    if optional { ty.optional_value().ok_or(element.id) } else { Ok(ty) }
}

fn mismatch(found: &mut Vec<(ExprId, String)>, id: ExprId, expected: &Type, actual: &Type) {
    found.push((id, format!("expected type '{expected}' but found '{actual}'")));
}
