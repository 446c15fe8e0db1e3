//! The parser of our own beside the ANTLR parser of the `cel` crate, which has cel-go's grammar, ids
//! and offsets.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests read files and say what they compared"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use cel::common::ast::{EntryExpr, Expr as Antlr, IdedExpr, LiteralValue, SourceInfo};
use cel::parser::Parser;
use dra_playground_cel::syntax::{self, Ast, Expr, ExprKind, ParseOptions};

/// Macros that the crate expands as cel-go does; it does not know the others.
const UNKNOWN_MACROS: [&str; 11] = [
    "cel.bind",
    ".sortBy",
    ".optMap",
    ".optFlatMap",
    ".transformList",
    ".transformMap",
    ".transformMapEntry",
    ".existsOne",
    ".exists_one",
    "`",
    // The crate lets the accumulator's old name be a variable.
    "__result__",
];

/// A node: its id, cel-go's offset and what it is.
type Node = (u64, Option<u32>, String);

fn ours(ast: &Ast) -> Vec<Node> {
    let mut nodes = Vec::new();
    push_ours(&ast.root, ast, &mut nodes);
    let mut fields = BTreeSet::new();
    ast.root.walk(&mut |expr| {
        if let ExprKind::Call(call) = &expr.kind
            && let ("_?._", [_, field]) = (call.function.as_ref(), call.args.as_slice())
        {
            fields.insert(u64::from(field.id));
        }
    });
    for (id, place, what) in &mut nodes {
        if fields.contains(id) {
            *place = None;
            "field".clone_into(what);
        }
    }
    nodes.sort();
    nodes
}

fn push_ours(expr: &Expr, ast: &Ast, nodes: &mut Vec<Node>) {
    let mut push = |id: u32, what: String| {
        nodes.push((u64::from(id), ast.source.offset(id), what));
    };
    push(
        expr.id,
        match &expr.kind {
            ExprKind::Unspecified => "nothing".to_owned(),
            ExprKind::Literal(_) => "literal".to_owned(),
            ExprKind::Ident(name) => format!("ident {name}"),
            ExprKind::Select { field, test_only, .. } => format!("select {field} {test_only}"),
            ExprKind::Call(call) => {
                format!("call {} {} {}", call.function, call.target.is_some(), call.args.len())
            }
            ExprKind::List { elements, optional } => {
                format!("list {} {optional:?}", elements.len())
            }
            ExprKind::Map(entries) => format!("map {}", entries.len()),
            ExprKind::Struct { name, fields } => format!("struct {name} {}", fields.len()),
            ExprKind::Comprehension(fold) => format!("fold {}", fold.iter_var),
        },
    );
    match &expr.kind {
        ExprKind::Map(entries) => {
            for entry in entries {
                push(entry.id, format!("entry {}", entry.optional));
            }
        }
        ExprKind::Struct { fields, .. } => {
            for field in fields {
                push(field.id, format!("field {}", field.name));
            }
        }
        _ => {}
    }
    let mut below = BTreeSet::from([expr.id]);
    expr.walk(&mut |node| {
        // Only the direct children: everything else is met again below them.
        if node.id != expr.id && below.insert(node.id) && is_child(expr, node) {
            push_ours(node, ast, nodes);
        }
    });
}

fn is_child(parent: &Expr, node: &Expr) -> bool {
    let same = |expr: &Expr| std::ptr::eq(expr, node);
    match &parent.kind {
        ExprKind::Unspecified | ExprKind::Literal(_) | ExprKind::Ident(_) => false,
        ExprKind::Select { operand, .. } => same(operand),
        ExprKind::Call(call) => call.target.as_deref().into_iter().chain(&call.args).any(same),
        ExprKind::List { elements, .. } => elements.iter().any(same),
        ExprKind::Map(entries) => entries.iter().any(|e| same(&e.key) || same(&e.value)),
        ExprKind::Struct { fields, .. } => fields.iter().any(|field| same(&field.value)),
        ExprKind::Comprehension(fold) => {
            [&fold.range, &fold.accu_init, &fold.condition, &fold.step, &fold.result]
                .into_iter()
                .any(same)
        }
    }
}

fn theirs(root: &IdedExpr, source: &SourceInfo) -> Vec<Node> {
    let mut nodes = Vec::new();
    push_theirs(root, source, &mut nodes);
    nodes.sort();
    nodes
}

fn push_theirs(expr: &IdedExpr, source: &SourceInfo, nodes: &mut Vec<Node>) {
    let text = &source.source;
    // The crate counts bytes, and places a negative number at its first digit.
    let place = |id: u64, negative: bool| {
        let (start, _) = source.offset_for(id)?;
        let before = text.get(..usize::try_from(start).ok()?)?;
        let sign = before.trim_end().strip_suffix('-').filter(|_| negative);
        u32::try_from(sign.unwrap_or(before).chars().count()).ok()
    };
    let negative = matches!(&expr.expr, Antlr::Literal(value) if is_negative(value));
    let mut push = |id: u64, what: String| nodes.push((id, place(id, negative), what));
    let mut children: Vec<&IdedExpr> = Vec::new();
    let mut fields = Vec::new();
    let what = match &expr.expr {
        Antlr::Unspecified => "nothing".to_owned(),
        Antlr::Literal(_) => "literal".to_owned(),
        Antlr::Ident(name) => format!("ident {name}"),
        Antlr::Select(select) => {
            children.push(&select.operand);
            format!("select {} {}", select.field, select.test)
        }
        Antlr::Call(call) => {
            if let ("_?._", [operand, field]) = (call.func_name.as_str(), call.args.as_slice()) {
                // The crate places the field at the operator, cel-go at its name.
                children.push(operand);
                fields.push(field.id);
            } else {
                children.extend(call.target.as_deref().into_iter().chain(&call.args));
            }
            format!("call {} {} {}", call.func_name, call.target.is_some(), call.args.len())
        }
        Antlr::List(list) => {
            children.extend(&list.elements);
            format!("list {} {:?}", list.elements.len(), list.optional_indices)
        }
        Antlr::Map(map) => {
            for entry in &map.entries {
                if let EntryExpr::MapEntry(pair) = &entry.expr {
                    push(entry.id, format!("entry {}", pair.optional));
                    children.extend([&pair.key, &pair.value]);
                }
            }
            format!("map {}", map.entries.len())
        }
        Antlr::Struct(message) => {
            for entry in &message.entries {
                if let EntryExpr::StructField(field) = &entry.expr {
                    push(entry.id, format!("field {}", field.field));
                    children.push(&field.value);
                }
            }
            format!("struct {} {}", message.type_name, message.entries.len())
        }
        Antlr::Comprehension(fold) => {
            children.extend([
                &fold.iter_range,
                &fold.accu_init,
                &fold.loop_cond,
                &fold.loop_step,
                &fold.result,
            ]);
            format!("fold {}", fold.iter_var)
        }
    };
    push(expr.id, what);
    nodes.extend(fields.into_iter().map(|id| (id, None, "field".to_owned())));
    for child in children {
        push_theirs(child, source, nodes);
    }
}

fn is_negative(value: &LiteralValue) -> bool {
    match value {
        LiteralValue::Int(value) => format!("{value:?}").contains('-'),
        LiteralValue::Double(value) => format!("{value:?}").contains("(-"),
        _ => false,
    }
}

/// What came of one expression.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Same,
    /// The crate knows fewer macros.
    LeftOut,
    Different(String),
}

fn compare(text: &str) -> Outcome {
    if UNKNOWN_MACROS.iter().any(|name| text.contains(name)) || deep(text) {
        return Outcome::LeftOut;
    }
    let antlr = Parser::new().max_recursion_depth(250).enable_optional_syntax(true);
    let antlr = antlr.parse_with_source_info(text);
    let own = syntax::parse(text, ParseOptions::default());
    match (own, antlr) {
        // Macros of two variables are calls for the crate.
        (Ok(ast), _) if has_two_variables(&ast) => Outcome::LeftOut,
        (Ok(ast), Ok((root, source))) => {
            let (a, b) = (ours(&ast), theirs(&root, &source));
            if a == b {
                return Outcome::Same;
            }
            let first = a.iter().zip(&b).find(|(a, b)| a != b);
            Outcome::Different(format!("{text}\n  first difference (ours, theirs): {first:?}"))
        }
        (Err(_), Err(_)) => Outcome::Same,
        (own, antlr) => Outcome::Different(format!(
            "{text}\n  ours valid: {}, theirs: {}",
            own.is_ok(),
            antlr.is_ok()
        )),
    }
}

fn has_two_variables(ast: &Ast) -> bool {
    let mut found = false;
    ast.root.walk(&mut |expr| {
        found |= matches!(&expr.kind, ExprKind::Comprehension(fold) if fold.iter_var2.is_some());
    });
    found
}

/// Whether the reference would need too much stack.
fn deep(text: &str) -> bool {
    text.matches(['(', '[', '{', '?']).count() > 60 || text.len() > 5_000
}

/// The texts of a field in JSON lines.
fn expressions(file: &Path, found: &mut BTreeSet<String>) {
    for line in fs::read_to_string(file).unwrap().lines() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = record.get("expr").or(record.get("expression")).and_then(|e| e.as_str());
        found.extend(text.map(str::to_owned));
    }
}

fn check(found: &BTreeSet<String>, least: usize) {
    let mut same = 0;
    let mut left_out = 0;
    let mut different = Vec::new();
    for text in found {
        match compare(text) {
            Outcome::Same => same += 1,
            Outcome::LeftOut => left_out += 1,
            Outcome::Different(text) => different.push(text),
        }
    }
    println!("{same} expressions have the same ids and offsets, {left_out} are left out");
    let shown: Vec<_> = different.iter().take(10).cloned().collect();
    assert!(different.is_empty(), "{} differ, such as\n{}", different.len(), shown.join("\n"));
    assert!(same >= least, "only {same} expressions were compared");
}

#[test]
fn own_expressions_have_the_ids_and_offsets_of_the_reference() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/oracle/recorded");
    let mut found = BTreeSet::new();
    for release in ["1.34.13", "1.35.10", "1.36.2", "1.36.6", "1.37.2"] {
        expressions(&folder.join(format!("cel-{release}.jsonl")), &mut found);
    }
    check(&found, 100);
}

#[test]
fn recorded_expressions_have_the_ids_and_offsets_of_the_reference() {
    let Some(folder) = std::env::var_os("DRA_PLAYGROUND_CASES") else {
        println!("DRA_PLAYGROUND_CASES is not set: recorded expressions are not compared");
        return;
    };
    let cases = PathBuf::from(folder).join("cases");
    let mut found = BTreeSet::new();
    for file in fs::read_dir(cases).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.contains("cel-") && path.extension().is_some_and(|it| it == "jsonl") {
            expressions(&path, &mut found);
        }
    }
    check(&found, 3_000);
}
