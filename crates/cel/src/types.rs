//! Static types and how messages print them.

use std::fmt;
use std::rc::Rc;

/// A static type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// `bool`.
    Bool,
    /// `int`.
    Int,
    /// `uint`.
    Uint,
    /// `double`.
    Double,
    /// `string`.
    String,
    /// `bytes`.
    Bytes,
    /// `null_type`.
    Null,
    /// `google.protobuf.Timestamp`.
    Timestamp,
    /// `google.protobuf.Duration`.
    Duration,
    /// Known only when evaluating.
    Dyn,
    /// `google.protobuf.Any`: known only when evaluating, and no range of a loop.
    Any,
    /// What an error was reported for.
    Error,
    /// The type of a type.
    Type(Option<Rc<Type>>),
    /// `list(T)`.
    List(Rc<Type>),
    /// `map(K, V)`.
    Map(Rc<(Type, Type)>),
    /// A named type with parameters, e.g. `optional_type(T)`, `net.IP`.
    Opaque(Rc<(&'static str, Vec<Type>)>),
    /// A type with fields, by name.
    Struct(&'static str),
    /// A scalar that takes null as well, e.g. `google.protobuf.Int64Value`.
    Wrapper(Rc<Type>),
    /// A type parameter.
    Param(Param),
}

/// A type parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// Of a declaration, by its letter.
    Declared(u8),
    /// Made while checking; printed as `_varN`.
    Fresh(u32),
}

/// Name of the message without fields.
pub const EMPTY: &str = "google.protobuf.Empty";
/// Name of the type of optional values.
pub const OPTIONAL: &str = "optional_type";
/// Name of the quantity type.
pub const QUANTITY: &str = "kubernetes.Quantity";
/// Name of the version type.
pub const SEMVER: &str = "kubernetes.Semver";
/// Name of the URL type.
pub const URL: &str = "kubernetes.URL";
/// Name of the type of named formats.
pub const FORMAT: &str = "kubernetes.NamedFormat";
/// Name of the IP address type.
pub const IP: &str = "net.IP";
/// Name of the address range type.
pub const CIDR: &str = "net.CIDR";

impl Type {
    /// `list(element)`.
    pub fn list(element: Self) -> Self {
        Self::List(Rc::new(element))
    }

    /// `map(key, value)`.
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Rc::new((key, value)))
    }

    /// `optional_type(value)`.
    pub fn optional(value: Self) -> Self {
        Self::opaque(OPTIONAL, vec![value])
    }

    /// A named type.
    pub fn opaque(name: &'static str, params: Vec<Self>) -> Self {
        Self::Opaque(Rc::new((name, params)))
    }

    /// The value type of an optional.
    pub fn optional_value(&self) -> Option<&Self> {
        match self {
            Self::Opaque(opaque) if opaque.0 == OPTIONAL => opaque.1.first(),
            _ => None,
        }
    }

    /// Whether anything fits.
    pub fn is_dyn(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any)
    }

    pub(crate) fn is_dyn_or_error(&self) -> bool {
        matches!(self, Self::Dyn | Self::Any | Self::Error)
    }

    /// The name a value of the type has at run time.
    pub fn runtime_name(&self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Null => "null_type",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Duration => "google.protobuf.Duration",
            Self::Dyn => "dyn",
            Self::Any => "google.protobuf.Any",
            Self::Error => "!error!",
            Self::Type(_) => "type",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Opaque(opaque) => opaque.0,
            Self::Struct(name) => name,
            Self::Wrapper(inner) => inner.runtime_name(),
            Self::Param(_) => "",
        }
    }

    fn params(&self) -> Vec<&Self> {
        match self {
            Self::Type(param) => param.iter().map(AsRef::as_ref).collect(),
            Self::List(element) => vec![element],
            Self::Map(entry) => vec![&entry.0, &entry.1],
            Self::Opaque(opaque) => opaque.1.iter().collect(),
            _ => Vec::new(),
        }
    }

    /// The type without a wrapper around it.
    pub(crate) fn unwrapped(&self) -> &Self {
        match self {
            Self::Wrapper(inner) => inner,
            other => other,
        }
    }

    /// Whether the types are the same, whatever their parameters are called.
    pub fn is_equivalent(&self, other: &Self) -> bool {
        match (self.unwrapped(), other.unwrapped()) {
            (Self::Param(_), Self::Param(_)) => true,
            (Self::Struct(a), Self::Struct(b)) => a == b,
            (Self::Opaque(a), Self::Opaque(b)) if a.0 != b.0 => false,
            _ if std::mem::discriminant(self) != std::mem::discriminant(other) => false,
            _ => {
                let (a, b) = (self.params(), other.params());
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_equivalent(b))
            }
        }
    }

    /// The text in the message about an expression's result, with the names of `protobuf`.
    pub fn declared_text(&self) -> String {
        match self {
            Self::Param(param) => format!("<{param}>"),
            Self::Wrapper(inner) => format!("wrapper({})", inner.declared_text()),
            _ => self.text(&|ty| ty.declared_text(), self.runtime_name()),
        }
    }

    fn text(&self, inner: &dyn Fn(&Self) -> String, name: &str) -> String {
        let params: Vec<_> = self.params().into_iter().map(inner).collect();
        if params.is_empty() { name.to_owned() } else { format!("{name}({})", params.join(", ")) }
    }
}

impl fmt::Display for Param {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Declared(letter) => write!(f, "{}", char::from(*letter)),
            Self::Fresh(number) => write!(f, "_var{number}"),
        }
    }
}

/// The text in messages of the checker.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Any => "any",
            Self::Null => "null",
            Self::Timestamp => "timestamp",
            Self::Duration => "duration",
            Self::Param(param) => return write!(f, "{param}"),
            Self::Wrapper(inner) => return write!(f, "wrapper({inner})"),
            other => other.runtime_name(),
        };
        f.write_str(&self.text(&ToString::to_string, name))
    }
}
