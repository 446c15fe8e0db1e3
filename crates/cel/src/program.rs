//! From a text to answers: check, plan, evaluate.

use std::cell::RefCell;
use std::rc::Rc;

use crate::check::{self, Checked, Literals};
use crate::cost;
use crate::env::{Env, Includes, Sizes};
use crate::eval::{self, Evaluation, Limits, Scratch, Variable, Variables};
use crate::library::{self, regex::Regex};
use crate::order::Order;
use crate::plan::{self, Plan};
use crate::syntax::{self, Call, ExprId, ExprKind, Extent, Issue, Literal, MacroCall};
use crate::trace::{Event, Recorder, Skip};
use crate::types::Type;
use crate::value::{Error, Value};
use crate::work::Work;

/// The most elements that the limited form of `includes` looks at.
const INCLUDES_LIMIT: usize = 48;

/// An expression that passed the type checker and the validators.
#[derive(Clone, Debug)]
pub struct Expression {
    checked: Checked,
    env: Env,
}

/// An expression ready to run.
#[derive(Debug)]
pub struct Program {
    plan: Plan,
    limits: Limits,
    /// Nodes that do not stand in the text, by id.
    hidden: Vec<bool>,
    scratch: RefCell<Scratch>,
}

/// A sub-expression of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number.
    pub id: ExprId,
    /// Where it stands, in code points.
    pub extent: Extent,
    /// Nesting depth, 0 for the whole.
    pub depth: u32,
    /// Its type as the checker prints it.
    pub kind: String,
}

struct Constants;

impl Literals for Constants {
    fn conversion_fails(&self, function: &str, argument: &Literal) -> bool {
        let overload = match (function, argument) {
            ("duration", Literal::Int(_)) => "int64_to_duration",
            ("duration", _) => "string_to_duration",
            (_, Literal::Int(_)) => "int64_to_timestamp",
            _ => "string_to_timestamp",
        };
        let argument = match argument {
            Literal::Int(int) => Value::Int(*int),
            Literal::String(text) => Value::String(text.clone()),
            _ => return true,
        };
        library::implementation(overload)
            .is_none_or(|run| run(&[argument], &mut Work::default()).is_err())
    }

    fn regex_fails(&self, pattern: &str) -> bool {
        Regex::new(pattern).is_err()
    }

    fn format_problem(
        &self,
        format: &str,
        call: &Call,
        checked: &Checked,
    ) -> Option<(Option<ExprId>, String)> {
        let [args] = call.args.as_slice() else { return None };
        let ExprKind::List { elements, .. } = &args.kind else { return None };
        library::format::check(format, elements, &|id| checked.type_of(id).clone())
    }
}

/// Parses and checks an expression.
///
/// # Errors
///
/// All problems; [`syntax::render`] writes them as upstream does.
pub fn compile(env: &Env, text: &str) -> Result<Expression, Vec<Issue>> {
    let ast = syntax::parse(text, env.parse_options())?;
    let checked = check::check(ast, env)?;
    let issues = check::validate(&checked, &Constants);
    if issues.is_empty() { Ok(Expression { checked, env: env.clone() }) } else { Err(issues) }
}

/// Parses an expression without checking it; its parts have no types, and what it names is looked
/// up when it is planned. Nothing in Kubernetes evaluates like this: the public conformance suite
/// does.
///
/// # Errors
///
/// Syntax errors.
pub fn parse_only(env: &Env, text: &str) -> Result<Expression, Vec<Issue>> {
    let ast = syntax::parse(text, env.parse_options())?;
    Ok(Expression { checked: Checked::unchecked(ast), env: env.clone() })
}

impl Expression {
    /// The type of its value.
    pub fn output_type(&self) -> &Type {
        self.checked.type_of(self.checked.root.id)
    }

    /// The cost of the worst case, as the API server estimates it.
    pub fn max_cost(&self, sizes: &dyn Sizes) -> u64 {
        cost::estimate(&self.checked, sizes, self.env.dialect())
    }

    /// Plans it for these variables, whose values are then given in the same order.
    ///
    /// # Errors
    ///
    /// What fails when constants are evaluated.
    pub fn plan(&self, variables: &[Rc<str>], cost_limit: u64) -> Result<Program, Error> {
        let plan = plan::plan(&self.checked, &self.env, variables)?;
        let dialect = self.env.dialect();
        let limits = Limits {
            cost: cost_limit,
            quantity_add_mutates: dialect.quantity_add_mutates,
            newer_cel_go: dialect.newer_cel_go,
            strict_hosts: dialect.strict_hosts,
            includes: (dialect.includes == Includes::Limited).then_some(INCLUDES_LIMIT),
        };
        let source = &self.checked.source;
        let ids = 0..source.end();
        let hidden =
            ids.map(|id| source.extent(u32::try_from(id).unwrap_or(0)).is_none()).collect();
        Ok(Program { plan, limits, hidden, scratch: RefCell::default() })
    }

    /// The sub-expressions that stand in the text, outermost first in the order of the text.
    pub fn parts(&self) -> Vec<Part> {
        let source = &self.checked.source;
        let mut parts: Vec<Part> = (0..source.end())
            .filter_map(|id| {
                let id = u32::try_from(id).ok()?;
                let extent = source.extent(id)?;
                let kind = self.checked.known_type(id)?.to_string();
                Some(Part { id, extent, depth: 0, kind })
            })
            .collect();
        parts.order_by_key(|part| (part.extent.from, std::cmp::Reverse(part.extent.to), part.id));
        let mut open: Vec<u32> = Vec::new();
        for part in &mut parts {
            open.retain(|end| *end >= part.extent.to);
            part.depth = u32::try_from(open.len()).unwrap_or(u32::MAX);
            open.push(part.extent.to);
        }
        parts
    }

    /// The overloads that its calls resolved to, each once.
    pub fn overloads(&self) -> Vec<&'static str> {
        let ids = (0..self.checked.source.end()).filter_map(|id| u32::try_from(id).ok());
        let mut found: Vec<_> = ids.flat_map(|id| self.checked.overloads(id)).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The macro calls in it.
    pub fn macros(&self) -> &[MacroCall] {
        self.checked.source.macros()
    }

    /// cel-go's offset of a node, in code points.
    pub fn offset(&self, id: ExprId) -> Option<u32> {
        self.checked.source.offset(id)
    }
}

impl Program {
    /// Evaluates it.
    pub fn evaluate(&self, variables: &[Value]) -> Evaluation {
        self.run(Variables::Values(variables), None)
    }

    /// Evaluates it, if it was planned for one variable, without making more of that variable's
    /// value than is read.
    pub fn evaluate_on(&self, variable: &dyn Variable) -> Evaluation {
        self.run(Variables::Single(variable), None)
    }

    /// Evaluates it and tells what happened.
    pub fn trace(&self, variables: &[Value]) -> (Evaluation, Vec<Event>) {
        let mut recorder = Recorder::new(self.hidden.clone());
        for id in &self.plan.folded {
            recorder.skip(*id, Skip::Folded);
        }
        let evaluation = self.run(Variables::Values(variables), Some(&mut recorder));
        (evaluation, recorder.events)
    }

    fn run(&self, variables: Variables<'_>, recorder: Option<&mut Recorder>) -> Evaluation {
        let mut scratch = self.scratch.take();
        let evaluation = eval::evaluate(&self.plan, variables, self.limits, &mut scratch, recorder);
        self.scratch.replace(scratch);
        evaluation
    }
}
