//! What an expression may name: variables, fields, types and functions.

mod functions;

use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) use functions::{Function, Overload};

use crate::syntax::ParseOptions;
use crate::types::{EMPTY, Type};

/// What differs between releases and between new and stored expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// Whether the extended list functions exist (`sort`, `slice`, `lists.range`, …).
    pub extended_lists: bool,
    /// The member function `includes`.
    pub includes: Includes,
    /// Whether the newer cel-go is used: backtick names, `or`/`orValue` only on optionals, no
    /// `duration(int)`.
    pub newer_cel_go: bool,
    /// Whether `indexOf` and `lastIndexOf` of texts are declared before those of lists, which
    /// decides what a value of unknown type is taken for.
    pub texts_first: bool,
    /// Whether `add` and `sub` change a receiver that is held in decimal form.
    pub quantity_add_mutates: bool,
    /// Whether the host of a web address may hold one colon only, as Go 1.26 has it.
    pub strict_hosts: bool,
}

/// Kinds of the member function `includes`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Includes {
    /// Not declared.
    Absent,
    /// Lists of at most 48 values; costs 1.
    Limited,
    /// Any list; costs a traversal.
    Unlimited,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            extended_lists: true,
            includes: Includes::Limited,
            newer_cel_go: false,
            texts_first: false,
            quantity_add_mutates: true,
            strict_hosts: true,
        }
    }
}

/// One way to call a function.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// The function's name; operators have names such as `_+_`.
    pub function: &'static str,
    /// The overload, unique together with `member`.
    pub id: &'static str,
    /// Whether the first argument stands before the name.
    pub member: bool,
    /// Types of the arguments.
    pub args: &'a [Type],
    /// Type of the result.
    pub result: &'a Type,
}

/// A type with fields, for the checker only: values are maps.
#[derive(Clone, Debug)]
pub struct StructType {
    /// Its name.
    pub name: &'static str,
    /// Fields by name.
    pub fields: BTreeMap<&'static str, Type>,
}

/// How large a value can be, for the static cost.
pub trait Sizes {
    /// The largest size of the value at a path: a variable, then fields, `@keys`, `@values`,
    /// `@items`; none when nothing is known.
    fn max_size(&self, path: &[Rc<str>]) -> Option<u64>;

    /// Largest number of elements that `includes` looks at.
    fn includes_limit(&self) -> u64;
}

/// Names and their meanings.
#[derive(Clone, Debug)]
pub struct Env {
    dialect: Dialect,
    variables: BTreeMap<Rc<str>, Type>,
    structs: BTreeMap<&'static str, BTreeMap<&'static str, Type>>,
    functions: Rc<BTreeMap<&'static str, Function>>,
}

impl Env {
    /// The environment of a dialect without variables.
    pub fn new(dialect: Dialect) -> Self {
        let variables = functions::type_names(dialect);
        let functions = Rc::new(functions::declarations(dialect));
        Self { dialect, variables, structs: BTreeMap::new(), functions }
    }

    /// Declares a variable.
    #[must_use]
    pub fn variable(mut self, name: &str, ty: Type) -> Self {
        self.variables.insert(name.into(), ty);
        self
    }

    /// Declares a type with fields.
    #[must_use]
    pub fn structure(mut self, ty: StructType) -> Self {
        self.structs.insert(ty.name, ty.fields);
        self
    }

    /// The dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// How texts are read.
    pub fn parse_options(&self) -> ParseOptions {
        ParseOptions {
            escaped_fields: self.dialect.newer_cel_go,
            sort_by: self.dialect.extended_lists,
        }
    }

    /// All function names, for suggestions.
    pub fn function_names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.functions.keys().copied()
    }

    /// Every way to call a function, in the order in which the checker tries those of one name.
    pub fn signatures(&self) -> impl Iterator<Item = Signature<'_>> + '_ {
        self.functions.values().flat_map(|function| {
            function.overloads.iter().map(|overload| Signature {
                function: function.name,
                id: overload.id,
                member: overload.member,
                args: &overload.args,
                result: &overload.result,
            })
        })
    }

    pub(crate) fn lookup_variable(&self, name: &str) -> Option<&Type> {
        self.variables.get(name)
    }

    pub(crate) fn lookup_function(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }

    pub(crate) fn lookup_struct(&self, name: &str) -> Option<&BTreeMap<&'static str, Type>> {
        self.structs.get(name)
    }
}

impl Env {
    /// The type that a name stands for where it is evaluated; the checker knows more names.
    pub(crate) fn type_of_name(&self, name: &str) -> Option<&'static str> {
        let known = match self.variables.get(name) {
            Some(Type::Type(Some(ty))) => ty.runtime_name(),
            _ => EMPTY,
        };
        (known == name).then_some(known)
    }

    /// The declared type with fields of that name.
    pub(crate) fn struct_type(&self, name: &str) -> Option<Type> {
        self.structs.get_key_value(name).map(|(name, _)| Type::Struct(name))
    }
}
