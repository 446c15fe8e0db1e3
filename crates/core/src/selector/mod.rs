//! The CEL environment of the `device` variable: where CEL meets DRA.
//!
//! Two environments exist side by side: the scheduler evaluates *stored* expressions, the API
//! server checks *new* ones. Must not know requests or how devices are searched.
//! Upstream counterpart: `k8s.io/dynamic-resource-allocation/cel`.

mod admission;
mod device;
mod environment;
mod hints;
mod trace;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

pub use admission::{Admission, Refusal};
pub use device::DeviceInput;
use device::DeviceVariable;
pub(crate) use device::faulty_attribute;
pub use dra_playground_cel::trace::Skip;
use environment::Environments;
pub use hints::{Hint, hints};
pub use trace::{Outcome, Trace, TraceEvent, TracePart};

use dra_playground_cel::syntax::{self, Issue};
use dra_playground_cel::types::Type;
use dra_playground_cel::value::Value;
use dra_playground_cel::{Env, Expression, Program, Signature, Variable};

use crate::features::CelSwitches;

/// Largest runtime cost of a selector on one device, and largest estimate that is admitted.
pub const COST_LIMIT: u64 = 1_000_000;
/// Largest length of a new expression in bytes.
pub const MAX_LENGTH: usize = 10 * 1024;

/// Expressions that are remembered.
const MAX_KNOWN: usize = 1_000;

/// How a message begins that upstream's compiler leaves behind when it crashes.
const CRASH: &str = "panic: ";

/// What follows a missing key in newer releases.
const MISSING_KEY_HINT: &str = ". consider using CEL optional chaining (.? followed by orValue()) \
                                or guarding the check with has() for optional fields";

/// Compiles selectors and keeps them.
#[derive(Debug)]
pub struct Selectors {
    switches: CelSwitches,
    cost_limit: u64,
    environments: Rc<Environments>,
    compiled: RefCell<BTreeMap<Rc<str>, Rc<Compiled>>>,
    admitted: RefCell<BTreeMap<Rc<str>, Rc<Admission>>>,
}

/// A selector that was compiled for evaluation.
#[derive(Debug)]
pub struct Compiled {
    source: Rc<str>,
    result: Result<Ready, CompileError>,
    switches: CelSwitches,
    reads_little: bool,
    /// For an expression that reads little: the last device asked about, and the answer.
    little: RefCell<Option<Little>>,
}

/// All that an expression which reads little sees of a device, and what it says.
#[derive(Debug)]
struct Little {
    driver: String,
    multi: Option<bool>,
    matches: bool,
}

#[derive(Debug)]
struct Ready {
    expression: Expression,
    program: Program,
}

/// Why an expression does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Upstream's text, which follows `CEL compile error: `.
    pub text: String,
    /// Problems with their places in the expression; empty when the expression has no single one.
    pub issues: Vec<Issue>,
}

/// What came of evaluating a selector on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether it chooses the device, or the text that follows `CEL runtime error: `.
    pub result: Result<bool, String>,
    /// The value as text, where there is one.
    pub value: Option<String>,
    /// Runtime cost.
    pub cost: u64,
}

impl Selectors {
    /// The environments of a release and its gates.
    pub fn new(switches: &CelSwitches) -> Self {
        Self::with_cost_limit(switches, COST_LIMIT)
    }

    /// As [`Self::new`], with another limit of the runtime cost.
    pub fn with_cost_limit(switches: &CelSwitches, cost_limit: u64) -> Self {
        Self {
            switches: *switches,
            cost_limit,
            environments: Environments::of(switches),
            compiled: RefCell::default(),
            admitted: RefCell::default(),
        }
    }

    /// Compiles an expression as the scheduler does.
    pub fn compile(&self, expression: &str) -> Rc<Compiled> {
        if let Some(known) = self.compiled.borrow().get(expression) {
            return known.clone();
        }
        let compiled = Rc::new(self.compile_anew(expression));
        keep(&mut self.compiled.borrow_mut(), compiled.source.clone(), compiled.clone());
        compiled
    }

    /// As [`Self::compile`], without looking whether the answer is known: for measuring.
    pub fn compile_anew(&self, expression: &str) -> Compiled {
        let source: Rc<str> = expression.into();
        let result = compile(
            self.environments.stored(),
            &source,
            self.cost_limit,
            self.switches.dyn_output_stored,
        );
        Compiled {
            reads_little: reads_little(&source),
            source,
            result,
            switches: self.switches,
            little: RefCell::default(),
        }
    }

    /// Checks an expression as the API server does when an object is written.
    pub fn admission(&self, expression: &str) -> Rc<Admission> {
        if let Some(known) = self.admitted.borrow().get(expression) {
            return known.clone();
        }
        let source: Rc<str> = expression.into();
        let verdict =
            Rc::new(admission::admit(self.environments.of_new(), &self.switches, &source));
        keep(&mut self.admitted.borrow_mut(), source, verdict.clone());
        verdict
    }

    /// Compiles an expression in the environment of new expressions, for evaluation; none when it
    /// does not compile there. Nothing in a cluster evaluates like this.
    pub(crate) fn compile_new(&self, expression: &str) -> Option<Compiled> {
        let source: Rc<str> = expression.into();
        let result = compile(
            self.environments.of_new(),
            &source,
            self.cost_limit,
            self.switches.dyn_output_new,
        );
        result.ok().map(|ready| Compiled {
            reads_little: reads_little(&source),
            source,
            result: Ok(ready),
            switches: self.switches,
            little: RefCell::default(),
        })
    }

    /// What stored expressions can call.
    pub fn signatures(&self) -> impl Iterator<Item = Signature<'_>> + '_ {
        self.environments.stored().signatures()
    }

    /// The release's switches.
    pub fn switches(&self) -> &CelSwitches {
        &self.switches
    }
}

/// Remembers an answer. Everything is forgotten when it becomes too much: while somebody types,
/// every key press makes a new expression.
fn keep<T>(known: &mut BTreeMap<Rc<str>, T>, source: Rc<str>, answer: T) {
    if known.len() >= MAX_KNOWN {
        known.clear();
    }
    known.insert(source, answer);
}

/// Whether a text says nothing of the device but its driver and whether it can be shared.
fn reads_little(source: &str) -> bool {
    let fields = [".driver", ".allowMultipleAllocations"];
    let mut after = source.split(environment::DEVICE).skip(1);
    after.all(|text| fields.iter().any(|field| text.starts_with(field)))
}

/// Upstream's text of a compile error.
pub(crate) fn issues_text(source: &str, issues: &[Issue]) -> String {
    if let [issue] = issues
        && issue.message.starts_with(CRASH)
    {
        return issue.message.clone();
    }
    format!("compilation failed: {}", syntax::render(source, issues))
}

/// The problem with an expression's type, if any: it must be bool or that of attribute values.
pub(crate) fn output_problem(ty: &Type, dyn_output: bool) -> Option<String> {
    let accepted = matches!(ty, Type::Bool | Type::Any) || *ty == Type::Dyn && dyn_output;
    let declared = ty.declared_text();
    (!accepted).then(|| format!("must evaluate to bool or the unknown type, not {declared}"))
}

/// Upstream's text of what fails when constants are evaluated.
pub(crate) fn planning_problem(error: &str) -> String {
    // A compiler that crashed has no message around it.
    let before = if error.starts_with(CRASH) { "" } else { "program instantiation failed: " };
    format!("{before}{error}")
}

fn compile(
    env: &Env,
    source: &str,
    cost_limit: u64,
    dyn_output: bool,
) -> Result<Ready, CompileError> {
    let plain = |text: String| CompileError { text, issues: Vec::new() };
    let expression = dra_playground_cel::compile(env, source)
        .map_err(|issues| CompileError { text: issues_text(source, &issues), issues })?;
    if let Some(problem) = output_problem(expression.output_type(), dyn_output) {
        return Err(plain(problem));
    }
    let program = expression
        .plan(&[environment::DEVICE.into()], cost_limit)
        .map_err(|error| plain(planning_problem(error.text())))?;
    Ok(Ready { expression, program })
}

impl Compiled {
    /// The expression.
    pub fn expression(&self) -> &str {
        &self.source
    }

    /// Why it does not compile: the text that follows `CEL compile error: `.
    pub fn error(&self) -> Option<&str> {
        self.result.as_ref().err().map(|error| error.text.as_str())
    }

    /// Why it does not compile, with the places of the problems.
    pub fn compile_error(&self) -> Option<&CompileError> {
        self.result.as_ref().err()
    }

    /// The type of its value as messages print it.
    pub fn output_type(&self) -> Option<String> {
        self.result.as_ref().ok().map(|ready| ready.expression.output_type().declared_text())
    }

    /// Its worst-case cost as the API server would estimate it; none when it does not compile.
    pub fn max_cost(&self) -> Option<u64> {
        let ready = self.result.as_ref().ok()?;
        Some(ready.expression.max_cost(&environment::DeviceSizes))
    }

    /// Whether it certainly reads nothing of a device but its driver and whether it can be shared.
    pub fn reads_little(&self) -> bool {
        self.reads_little
    }

    /// Whether it chooses a device.
    ///
    /// # Errors
    ///
    /// The text that follows `CEL runtime error: `.
    pub fn matches(&self, device: &DeviceInput<'_>) -> Result<bool, String> {
        let ready = self.result.as_ref().map_err(|error| error.text.clone())?;
        let device = DeviceVariable::new(device, &self.switches)?;
        let evaluation = ready.program.evaluate_on(&device);
        match evaluation.outcome {
            Ok(Value::Bool(matches)) => Ok(matches),
            _ => trace::answer(&evaluation, self.switches.missing_key_hint).result,
        }
    }

    /// As [`Self::matches`], where [`Self::reads_little`] holds and the device can be turned into a
    /// value: most devices look alike then, so the last answer is kept.
    pub(crate) fn matches_little(&self, device: &DeviceInput<'_>) -> Result<bool, String> {
        let multi = device.allow_multiple_allocations;
        let mut last = self.little.borrow_mut();
        if let Some(last) = &*last
            && last.driver == device.driver
            && last.multi == multi
        {
            return Ok(last.matches);
        }
        let matches = self.matches(device)?;
        *last = Some(Little { driver: device.driver.to_owned(), multi, matches });
        Ok(matches)
    }

    /// What comes of it on a device, with the cost.
    pub fn answer(&self, device: &DeviceInput<'_>) -> Answer {
        let failed = |error| Answer { result: Err(error), value: None, cost: 0 };
        let ready = match &self.result {
            Ok(ready) => ready,
            Err(error) => return failed(error.text.clone()),
        };
        match DeviceVariable::new(device, &self.switches) {
            Err(error) => failed(error),
            Ok(device) => {
                let evaluation = ready.program.evaluate_on(&device);
                trace::answer(&evaluation, self.switches.missing_key_hint)
            }
        }
    }

    /// What every part of it evaluates to on a device.
    pub fn trace(&self, device: &DeviceInput<'_>) -> Trace {
        let ready = match &self.result {
            Ok(ready) => ready,
            Err(error) => return Trace::of_compile_error(&error.text),
        };
        let (expression, program) = (&ready.expression, &ready.program);
        match DeviceVariable::new(device, &self.switches) {
            Err(error) => Trace::of_device_error(expression, error),
            Ok(device) => {
                Trace::new(expression, program, device.whole(), self.switches.missing_key_hint)
            }
        }
    }

    /// The overloads that its calls resolved to, each once; empty when it does not compile.
    pub fn overloads(&self) -> Vec<&'static str> {
        self.result.as_ref().map_or_else(|_| Vec::new(), |ready| ready.expression.overloads())
    }

    /// cel-go's place of a node, in code points.
    pub(crate) fn offset(&self, id: u32) -> Option<u32> {
        self.result.as_ref().ok()?.expression.offset(id)
    }

    /// The sub-expressions; empty when it does not compile.
    pub fn parts(&self) -> Vec<TracePart> {
        self.result.as_ref().map_or_else(|_| Vec::new(), |ready| trace::parts(&ready.expression))
    }
}

#[cfg(test)]
mod tests;
