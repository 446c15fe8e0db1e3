//! The functions of Kubernetes' environment, read from `declarations.txt`.
//!
//! The file has a line for each function name and an indented line for each overload: its id, with
//! a dot before it when it is a member call, argument types, result type. The order of overloads is
//! the order in which the checker tries them.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Dialect, Includes};
use crate::order::Order;
use crate::types::{CIDR, FORMAT, IP, OPTIONAL, Param, QUANTITY, SEMVER, Type, URL};

const DECLARATIONS: &str = include_str!("declarations.txt");

/// Functions of cel-go's extended list library.
const EXTENDED_LISTS: [&str; 7] =
    ["slice", "flatten", "sort", "@sortByAssociatedKeys", "reverse", "distinct", "lists.range"];

/// A function name with its overloads.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: &'static str,
    pub(crate) overloads: Vec<Overload>,
}

/// One way to call a function.
#[derive(Clone, Debug)]
pub(crate) struct Overload {
    pub(crate) id: &'static str,
    pub(crate) member: bool,
    pub(crate) args: Vec<Type>,
    pub(crate) result: Type,
    /// Letters of the type parameters, in order of appearance.
    pub(crate) params: Vec<u8>,
}

pub(super) fn declarations(dialect: Dialect) -> BTreeMap<&'static str, Function> {
    let mut functions = BTreeMap::new();
    let mut current: Option<Function> = None;
    for line in DECLARATIONS.lines() {
        match line.strip_prefix(' ') {
            None => {
                let next = Function { name: line, overloads: Vec::new() };
                if let Some(done) = current.replace(next) {
                    functions.insert(done.name, done);
                }
            }
            Some(line) => {
                if let (Some(function), Some(overload)) = (current.as_mut(), overload(line)) {
                    function.overloads.push(overload);
                }
            }
        }
    }
    if let Some(done) = current {
        functions.insert(done.name, done);
    }
    if !dialect.extended_lists {
        for name in EXTENDED_LISTS {
            functions.remove(name);
        }
    }
    if dialect.includes == Includes::Absent {
        functions.remove("includes");
    }
    if dialect.newer_cel_go
        && let Some(duration) = functions.get_mut("duration")
    {
        duration.overloads.retain(|overload| overload.id != "int64_to_duration");
    }
    for name in ["indexOf", "lastIndexOf"].iter().filter(|_| dialect.texts_first) {
        if let Some(function) = functions.get_mut(name) {
            function.overloads.order_by_key(|overload| overload.id.starts_with("list_"));
        }
    }
    functions
}

fn overload(line: &'static str) -> Option<Overload> {
    let mut parts = line.split(' ');
    let id = parts.next()?;
    let args = match parts.next()? {
        "-" => Vec::new(),
        args => types(args),
    };
    let result = types(parts.next()?).pop()?;
    let mut params = Vec::new();
    for ty in args.iter().chain([&result]) {
        collect_params(ty, &mut params);
    }
    let member = id.strip_prefix('.');
    Some(Overload { id: member.unwrap_or(id), member: member.is_some(), args, result, params })
}

fn collect_params(ty: &Type, params: &mut Vec<u8>) {
    match ty {
        Type::Param(Param::Declared(letter)) if !params.contains(letter) => {
            params.push(*letter);
        }
        Type::List(element) => collect_params(element, params),
        Type::Map(entry) => {
            collect_params(&entry.0, params);
            collect_params(&entry.1, params);
        }
        Type::Opaque(opaque) => opaque.1.iter().for_each(|ty| collect_params(ty, params)),
        Type::Type(Some(ty)) => collect_params(ty, params),
        _ => {}
    }
}

/// Comma-separated types.
fn types(text: &'static str) -> Vec<Type> {
    let mut depth = 0_usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .map(parse_type)
    .collect()
}

fn parse_type(text: &'static str) -> Type {
    if let Some((name, inner)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
        let mut params = types(inner);
        let last = params.pop().unwrap_or(Type::Error);
        return match name {
            "list" => Type::list(last),
            "map" => Type::map(params.pop().unwrap_or(Type::Error), last),
            "type" => Type::Type(Some(Rc::new(last))),
            _ => Type::opaque(OPTIONAL, vec![last]),
        };
    }
    match text {
        "bool" => Type::Bool,
        "int" => Type::Int,
        "uint" => Type::Uint,
        "double" => Type::Double,
        "string" => Type::String,
        "bytes" => Type::Bytes,
        "timestamp" => Type::Timestamp,
        "duration" => Type::Duration,
        "dyn" => Type::Dyn,
        "net.IP" => Type::opaque(IP, Vec::new()),
        "net.CIDR" => Type::opaque(CIDR, Vec::new()),
        "k.Quantity" => Type::Struct(QUANTITY),
        "k.Semver" => Type::Struct(SEMVER),
        "k.URL" => Type::Struct(URL),
        "k.NamedFormat" => Type::Struct(FORMAT),
        "k.a.Authorizer" => Type::Struct("kubernetes.authorization.Authorizer"),
        "k.a.PathCheck" => Type::Struct("kubernetes.authorization.PathCheck"),
        "k.a.GroupCheck" => Type::Struct("kubernetes.authorization.GroupCheck"),
        "k.a.ResourceCheck" => Type::Struct("kubernetes.authorization.ResourceCheck"),
        "k.a.Decision" => Type::Struct("kubernetes.authorization.Decision"),
        letter => Type::Param(Param::Declared(letter.bytes().next().unwrap_or(b'?'))),
    }
}

/// Names of types, which are values themselves.
pub(super) fn type_names(dialect: Dialect) -> BTreeMap<Rc<str>, Type> {
    let param = |letter| {
        if dialect.newer_cel_go { Type::Dyn } else { Type::Param(Param::Declared(letter)) }
    };
    let optional = if dialect.newer_cel_go { vec![Type::Dyn] } else { Vec::new() };
    let types = [
        Type::Bool,
        Type::Bytes,
        Type::Double,
        Type::Duration,
        Type::Int,
        Type::list(param(b'A')),
        Type::map(param(b'A'), param(b'B')),
        Type::Null,
        Type::String,
        Type::Timestamp,
        Type::Type(None),
        Type::Uint,
        Type::opaque(OPTIONAL, optional),
        Type::opaque(IP, Vec::new()),
        Type::opaque(CIDR, Vec::new()),
    ];
    // The checker knows these under two names.
    let short = [("duration", Type::Duration), ("timestamp", Type::Timestamp)];
    let named = types.into_iter().map(|ty| (ty.runtime_name(), ty)).chain(short);
    named.map(|(name, ty)| (Rc::from(name), Type::Type(Some(Rc::new(ty))))).collect()
}
