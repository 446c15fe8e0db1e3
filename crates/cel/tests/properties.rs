//! Laws that hold for every text.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "test helpers may panic")]

use std::rc::Rc;

use dra_playground_cel::syntax::{self, Call, Entry, Expr, ExprKind, ParseOptions};
use dra_playground_cel::value::{Map, Value};
use dra_playground_cel::{Dialect, Env, Sizes, compile};
use proptest::prelude::*;

struct NoSizes;

impl Sizes for NoSizes {
    fn max_size(&self, _: &[Rc<str>]) -> Option<u64> {
        Some(8)
    }

    fn includes_limit(&self) -> u64 {
        48
    }
}

fn env() -> Env {
    use dra_playground_cel::types::Type;
    Env::new(Dialect::default()).variable("m", Type::map(Type::String, Type::Dyn))
}

/// Compiles and evaluates; nothing may panic, hang or overflow a small stack.
fn exercise(text: &str) {
    let Ok(expression) = compile(&env(), text) else { return };
    let _ = expression.max_cost(&NoSizes);
    let _ = expression.parts();
    let Ok(program) = expression.plan(&["m".into()], 100_000) else { return };
    let map: Map = [(Value::string("a"), Value::Int(1)), (Value::string("b"), Value::string("x"))]
        .into_iter()
        .collect();
    let variables = [Value::Map(Rc::new(map))];
    let first = program.evaluate(&variables);
    let again = program.evaluate(&variables);
    assert_eq!(first.cost, again.cost, "{text}");
    let (traced, _) = program.trace(&variables);
    assert_eq!(first.cost, traced.cost, "{text}");
    assert_eq!(first.outcome.is_ok(), traced.outcome.is_ok(), "{text}");
}

/// Half the stack of a page; frames of debug builds are several times as large.
const fn stack() -> usize {
    if cfg!(debug_assertions) { 8 << 20 } else { 512 << 10 }
}

/// Runs with the stack of a page.
fn on_small_stack(body: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(stack()).spawn(body).unwrap();
    thread.join().expect("it fits the stack");
}

const WORDS: [&str; 58] = [
    "m",
    "a",
    "x",
    ".",
    ".?",
    "[",
    "]",
    "[?",
    "(",
    ")",
    "{",
    "}",
    ",",
    ":",
    "?",
    "&&",
    "||",
    "!",
    "-",
    "+",
    "*",
    "/",
    "%",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "1",
    "2u",
    "1.5",
    "\"s\"",
    "b\"s\"",
    "true",
    "false",
    "null",
    "has(m.a)",
    ".all(x, ",
    ".exists(x, ",
    ".map(x, ",
    ".filter(x, ",
    "size(",
    "dyn(",
    "type(",
    ".sort()",
    ".flatten(",
    "quantity(\"1Gi\")",
    "semver(\"1.2.3\")",
    "cel.bind(x, ",
    "optional.of(",
    ".orValue(",
    ".matches(\"a+\")",
    "\"%d\".format([",
    "lists.range(",
    " ",
    "\n",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_returns(text in "\\PC{0,60}") {
        exercise(&text);
    }

    #[test]
    fn any_bytes_return(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        exercise(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_change_of_valid_text_returns(
        (text, _) in typed(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..3, any::<char>()), 1..4),
    ) {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, c) in changes {
            let at = at.index(chars.len() + 1);
            match kind {
                0 => chars.insert(at, c),
                1 => chars.truncate(at),
                _ if at < chars.len() => chars[at] = c,
                _ => chars.push(c),
            }
        }
        exercise(&chars.into_iter().collect::<String>());
    }

    #[test]
    fn any_words_return(words in prop::collection::vec(0..WORDS.len(), 0..24)) {
        let text: String = words.iter().map(|index| WORDS[*index]).collect::<Vec<_>>().join(" ");
        exercise(&text);
    }

    #[test]
    fn printed_trees_read_the_same(expression in tree()) {
        let Ok(ast) = syntax::parse(&expression, ParseOptions::default()) else { return Ok(()) };
        let Some(text) = syntax::print(&ast) else { return Ok(()) };
        let again = syntax::parse(&text, ParseOptions::default());
        let again = again.unwrap_or_else(|issues| panic!("{text}: {issues:?}"));
        prop_assert_eq!(without_ids(&ast.root), without_ids(&again.root), "{}", text);
    }

    #[test]
    fn cost_stays_within_its_estimate((text, _) in typed()) {
        let expression = compile(&env(), &text).unwrap_or_else(|issues| panic!("{text}: {issues:?}"));
        let estimate = expression.max_cost(&NoSizes);
        let program = expression.plan(&["m".into()], u64::MAX).unwrap();
        let cost = program.evaluate(&[Value::Map(Rc::default())]).cost;
        prop_assert!(cost <= estimate, "{}: {} of {}", text, cost, estimate);
    }

    #[test]
    fn spans_lie_inside_the_text(expression in tree()) {
        let Ok(checked) = compile(&env(), &expression) else { return Ok(()) };
        let length = u32::try_from(expression.chars().count()).unwrap();
        for part in checked.parts() {
            prop_assert!(part.extent.from < part.extent.to && part.extent.to <= length);
        }
    }
}

/// The same tree with all ids 0.
fn without_ids(expr: &Expr) -> Expr {
    let all = |list: &[Expr]| list.iter().map(without_ids).collect::<Vec<_>>();
    let boxed = |expr: &Expr| Box::new(without_ids(expr));
    let kind = match &expr.kind {
        ExprKind::Select { operand, field, test_only } => ExprKind::Select {
            operand: boxed(operand),
            field: field.clone(),
            test_only: *test_only,
        },
        ExprKind::Call(call) => ExprKind::Call(Call {
            function: call.function.clone(),
            target: call.target.as_deref().map(boxed),
            args: all(&call.args),
        }),
        ExprKind::List { elements, optional } => {
            ExprKind::List { elements: all(elements), optional: optional.clone() }
        }
        ExprKind::Map(entries) => ExprKind::Map(
            entries
                .iter()
                .map(|entry| Entry {
                    id: 0,
                    key: without_ids(&entry.key),
                    value: without_ids(&entry.value),
                    optional: entry.optional,
                })
                .collect(),
        ),
        other => other.clone(),
    };
    Expr { id: 0, kind }
}

/// What an expression of [`typed`] gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Text,
    List,
    Bool,
}

/// Expressions whose cost upstream's estimate bounds: no fields of unknown values, no optional
/// entries, no `split`, `startsWith` and `endsWith`, which it counts too low.
fn typed() -> impl Strategy<Value = (String, Kind)> {
    let leaf = prop::sample::select(vec![
        ("1", Kind::Int),
        ("-7", Kind::Int),
        ("\"abc\"", Kind::Text),
        ("\"é\"", Kind::Text),
        ("[3, 1, 2]", Kind::List),
        ("[1]", Kind::List),
        ("true", Kind::Bool),
    ]);
    leaf.prop_map(|(text, kind)| (text.to_owned(), kind)).prop_recursive(6, 60, 3, |inner| {
        (prop::collection::vec(inner, 3), 0..8_usize).prop_map(|(parts, choice)| {
            let of = |kind: Kind, other: &str| {
                let found = parts.iter().find(|(_, of)| *of == kind);
                found.map_or_else(|| other.to_owned(), |(text, _)| text.clone())
            };
            let (i, t) = (of(Kind::Int, "4"), of(Kind::Text, "\"a\""));
            let (l, b) = (of(Kind::List, "[2, 4]"), of(Kind::Bool, "false"));
            match (parts.first().map_or(Kind::Bool, |(_, kind)| *kind), choice) {
                (Kind::Int, 0) => (format!("({i} + size({l}))"), Kind::Int),
                (Kind::Int, 1) => (format!("{l}[{i}]"), Kind::Int),
                (Kind::Int, 2) => (format!("{l}.sum()"), Kind::Int),
                (Kind::Int, 3) => (format!("{t}.size()"), Kind::Int),
                (Kind::Int, 4) => (format!("({i} in {l})"), Kind::Bool),
                (Kind::Int, 5) => (format!("({i} < {i})"), Kind::Bool),
                (Kind::Int, _) => (format!("{l}.exists(x, x == {i} || {b})"), Kind::Bool),
                (Kind::Text, 0) => (format!("({t} + {t})"), Kind::Text),
                (Kind::Text, 1) => (format!("{t}.lowerAscii()"), Kind::Text),
                (Kind::Text, 2) => (format!("({b} ? {t} : \"z\")"), Kind::Text),
                (Kind::Text, 3) => (format!("{t}.contains({t})"), Kind::Bool),
                (Kind::Text, 4) => (format!("{t}.matches(\"a+b\")"), Kind::Bool),
                (Kind::Text, _) => (format!("({t} == {t})"), Kind::Bool),
                (Kind::List, 0) => (format!("({l} + {l})"), Kind::List),
                (Kind::List, 1) => (format!("{l}.map(x, x + {i})"), Kind::List),
                (Kind::List, 2) => (format!("{l}.filter(x, x > {i} || {b})"), Kind::List),
                (Kind::List, 3) => (format!("{l}.sort()"), Kind::List),
                (Kind::List, 4) => (format!("{l}.distinct().reverse()"), Kind::List),
                (Kind::List, 5) => (format!("cel.bind(y, {l}, y + y)"), Kind::List),
                (Kind::List, _) => (format!("{l}.all(x, x in {l})"), Kind::Bool),
                (Kind::Bool, 0) => (format!("!{b}"), Kind::Bool),
                (Kind::Bool, 1) => (format!("({b} || {l}.all(x, x > {i}))"), Kind::Bool),
                (Kind::Bool, 2) => (format!("({b} ? {l} == {l} : {t} == {t})"), Kind::Bool),
                (Kind::Bool, _) => (format!("({b} && {i} > 2)"), Kind::Bool),
            }
        })
    })
}

/// Expressions that are mostly valid.
fn tree() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["m", "m.a", "1", "-1", "2.5", "\"é\"", "true", "[1, 2]"]);
    leaf.prop_map(str::to_owned).prop_recursive(5, 40, 3, |inner| {
        prop_oneof![
            (
                inner.clone(),
                inner.clone(),
                prop::sample::select(vec!["+", "-", "*", "==", "<", "&&", "||", "in"])
            )
                .prop_map(|(a, b, op)| format!("{a} {op} {b}")),
            inner.clone().prop_map(|a| format!("({a})")),
            inner.clone().prop_map(|a| format!("!({a})")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("[{a}, ?{a}]")),
            inner.clone().prop_map(|a| format!("{{\"k\": {a}}}")),
            inner.clone().prop_map(|a| format!("size({a})")),
            inner.clone().prop_map(|a| format!("({a}).f[0].?g")),
            (inner.clone(), inner.clone(), inner)
                .prop_map(|(a, b, c)| format!("({a}) ? {b} : {c}")),
        ]
    })
}

#[test]
fn deep_texts_fit_the_stack() {
    let nest = |open: &str, core: &str, close: &str, times: usize| {
        format!("{}{core}{}", open.repeat(times), close.repeat(times))
    };
    let texts = [
        nest("(", "1", ")", 249),
        nest("(", "1", ")", 5_000),
        nest("[", "1", "]", 248),
        nest("{\"a\": ", "1", "}", 248),
        nest("!(", "true", ")", 248),
        nest("-(", "1", ")", 248),
        nest("size([", "1", "])", 124),
        nest("dyn(", "m", ")", 248),
        nest("true ? (", "1", ") : 2", 120),
        nest("true ? 1 : ", "2", "", 248),
        nest("[1].map(x, ", "x", ")", 100),
        nest("cel.bind(x, 1, ", "x", ")", 200),
        nest("[[1]].exists(x, x.", "all(x, x > 0)", ")", 1),
        format!("m{}", ".a".repeat(249)),
        format!("m{}", ".a".repeat(20_000)),
        format!("m{}", "[0]".repeat(249)),
        format!("1{}", " + 1".repeat(249)),
        format!("1{}", " + 1".repeat(3_000)),
        format!("true{}", " && true".repeat(3_000)),
        format!("1{}", " == 1".repeat(240)),
        "(".repeat(20_000),
        "[".repeat(39),
        "!".repeat(20_000),
        "-".repeat(20_000),
        "?".repeat(5_000),
        "a?".repeat(39),
        format!("\"{}", "(".repeat(200)),
        nest("(", "\"", "", 39),
        nest("m == (m == (", "1", "))", 60),
        nest("optional.of(", "1", ").value()", 100),
    ];
    on_small_stack(move || {
        for text in &texts {
            exercise(text);
        }
    });
}

#[test]
fn work_is_bounded() {
    let texts = [
        "lists.range(300000).size() > 1",
        "lists.range(9223372036854775807).size() > 1",
        "lists.range(900000).map(x, x).size() > 1",
        "lists.range(40000).map(x, lists.range(40000)).size() > 1",
        "cel.bind(a, \"aaaaaaaaaa\", cel.bind(b, a.replace(\"\", a), cel.bind(c, b.replace(\"\", b), \
         cel.bind(d, c.replace(\"\", c), d.replace(\"\", d).size() > 1))))",
        "cel.bind(a, [1, 2], cel.bind(b, [a, a], cel.bind(c, [b, b], cel.bind(d, [c, c, c, c], \
         cel.bind(e, [d, d, d, d], cel.bind(f, [e, e, e, e], cel.bind(g, [f, f, f, f], \
         cel.bind(h, [g, g, g, g], cel.bind(i, [h, h, h, h], [i, i, i, i] == [i, i, i, i])))))))))",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\".matches(\"(a*)*(a*)*(a*)*b\")",
        "\"%.1000f\".format([1.0]).size() > 1",
        "\"%.99999999f\".format([1.0]).size() > 1",
        "lists.range(2000).map(x, string(x)).join(\",\").split(\",\").sort().distinct().size() > 1",
    ];
    for text in texts {
        exercise(text);
    }
}

#[test]
fn a_trace_of_a_long_loop_is_no_more_work_than_the_loop() {
    let expression = compile(&env(), "lists.range(300000).map(x, x).size() > 1").unwrap();
    let program = expression.plan(&["m".into()], 1_000_000).unwrap();
    let start = std::time::Instant::now();
    let (traced, events) = program.trace(&[Value::Map(Rc::default())]);
    assert!(traced.outcome.is_err(), "the cost limit ends it");
    assert!(events.len() <= 20_000, "{} events", events.len());
    // Copying the list in every round takes minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn refuses_deep_texts_as_upstream() {
    let text = |text: &str| match syntax::parse(text, ParseOptions::default()) {
        Ok(_) => "fine".to_owned(),
        Err(issues) => syntax::render(text, &issues),
    };
    let limit = "ERROR: <input>:-1:0: expression recursion limit exceeded: 250";
    let chain = "ERROR: <input>:-1:0: max recursion depth exceeded";
    on_small_stack(move || {
        assert_eq!(text(&format!("{}1{}", "(".repeat(250), ")".repeat(250))), limit);
        assert_eq!(text(&format!("{}1{}", "(".repeat(249), ")".repeat(249))), "fine");
        assert_eq!(text(&format!("m{}", ".a".repeat(251))), chain);
        assert_eq!(text(&format!("m{}", ".a".repeat(250))), "fine");
    });
}
