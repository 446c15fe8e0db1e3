//! Values and the errors that stand in for them.

mod equal;
mod map;
mod quantity;
mod show;

use std::net::IpAddr;
use std::rc::Rc;

pub(crate) use equal::{compare, contains, equal, left_equals};
pub use map::{Key, Map};
pub use quantity::QuantityValue;
pub(crate) use quantity::Undo;
pub use show::show;

use crate::library::format::NamedFormat;
use crate::library::url::Url;
use crate::semver::Version;
use crate::types::{CIDR, EMPTY, FORMAT, IP, OPTIONAL, QUANTITY, SEMVER, URL};

/// A value at run time.
#[derive(Clone, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// `bool`.
    Bool(bool),
    /// `int`.
    Int(i64),
    /// `uint`.
    Uint(u64),
    /// `double`.
    Double(f64),
    /// `string`.
    String(Rc<str>),
    /// `bytes`.
    Bytes(Rc<[u8]>),
    /// `google.protobuf.Timestamp`.
    Timestamp(Timestamp),
    /// `google.protobuf.Duration`, in nanoseconds.
    Duration(i64),
    /// `list`.
    List(Rc<Vec<Value>>),
    /// `map`.
    Map(Rc<Map>),
    /// `type`, by its runtime name.
    Type(&'static str),
    /// `optional_type`.
    Optional(Option<Rc<Value>>),
    /// `kubernetes.Quantity`.
    Quantity(Rc<QuantityValue>),
    /// `kubernetes.Semver`.
    Semver(Rc<Version>),
    /// `net.IP`.
    Ip(IpAddr),
    /// `net.CIDR`.
    Cidr(Rc<Cidr>),
    /// `kubernetes.URL`.
    Url(Rc<Url>),
    /// `kubernetes.NamedFormat`.
    Format(&'static NamedFormat),
    /// `google.protobuf.Empty`, the only message that stays one.
    Empty,
    /// An error that upstream keeps as the value of an optional or of an element; reading it fails.
    Failed(Error),
}

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    /// Seconds since 1970.
    pub seconds: i64,
    /// Nanoseconds in the second.
    pub nanos: u32,
    /// Seconds east of UTC in which it was written.
    pub offset: i32,
}

/// An address range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cidr {
    /// The address as written, host bits included.
    pub address: IpAddr,
    /// Length of the prefix in bits.
    pub bits: u8,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    text: Rc<str>,
    abort: bool,
}

/// A value or an error.
pub type Outcome = Result<Value, Error>;

impl Error {
    /// An error that other parts of the expression can absorb.
    pub fn new(text: impl Into<Rc<str>>) -> Self {
        Self { text: text.into(), abort: false }
    }

    /// An error that ends the evaluation.
    pub(crate) fn abort(text: impl Into<Rc<str>>) -> Self {
        Self { text: text.into(), abort: true }
    }

    pub(crate) fn no_overload() -> Self {
        Self::new("no such overload")
    }

    /// The cost limit was exceeded.
    pub(crate) fn over_limit() -> Self {
        Self::abort("operation cancelled: actual cost limit exceeded")
    }

    /// Upstream would go on, but the work or memory is out of proportion.
    pub(crate) fn too_large() -> Self {
        Self::abort("value or work is too large for the playground")
    }

    /// Its text.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_abort(&self) -> bool {
        self.abort
    }
}

impl Value {
    /// A string.
    pub fn string(text: impl Into<Rc<str>>) -> Self {
        Self::String(text.into())
    }

    /// A list.
    pub fn list(elements: Vec<Self>) -> Self {
        Self::List(Rc::new(elements))
    }

    /// A quantity.
    pub fn quantity(quantity: crate::quantity::Quantity) -> Self {
        Self::Quantity(Rc::new(QuantityValue::new(quantity)))
    }

    pub(crate) fn optional(value: Option<Self>) -> Self {
        Self::Optional(value.map(Rc::new))
    }

    /// The name of the value's type.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Type(_) => "type",
            Self::Optional(_) => OPTIONAL,
            Self::Quantity(_) => QUANTITY,
            Self::Semver(_) => SEMVER,
            Self::Ip(_) => IP,
            Self::Cidr(_) => CIDR,
            Self::Url(_) => URL,
            Self::Format(_) => FORMAT,
            Self::Empty => EMPTY,
            Self::Failed(_) => "error",
        }
    }

    /// The name of upstream's Go type, which some messages show.
    pub(crate) fn go_type(&self) -> &'static str {
        match self {
            Self::Null => "types.Null",
            Self::Bool(_) => "types.Bool",
            Self::Int(_) => "types.Int",
            Self::Uint(_) => "types.Uint",
            Self::Double(_) => "types.Double",
            Self::String(_) => "types.String",
            Self::Bytes(_) => "types.Bytes",
            Self::Timestamp(_) => "types.Timestamp",
            Self::Duration(_) => "types.Duration",
            Self::List(_) => "*types.baseList",
            Self::Map(_) => "*types.baseMap",
            Self::Type(_) => "*types.Type",
            Self::Optional(_) => "*types.Optional",
            Self::Quantity(quantity) if quantity.is_result() => "*cel.Quantity",
            Self::Quantity(_) => "cel.Quantity",
            Self::Semver(_) => "cel.Semver",
            Self::Ip(_) => "cel.IP",
            Self::Cidr(_) => "cel.CIDR",
            Self::Url(_) => "cel.URL",
            Self::Format(_) => "*cel.Format",
            Self::Empty => "*types.protoObj",
            Self::Failed(_) => "*types.Err",
        }
    }

    /// Whether Go can use the value as a map key.
    pub(crate) fn is_hashable(&self) -> bool {
        !matches!(self, Self::Bytes(_) | Self::Semver(_))
    }

    /// The value of an optional that is read again through a variable or a condition.
    ///
    /// UPSTREAM: in the older cel-go it goes through Go's own types, which forgets what a lookup of a missing key gives,
    /// makes texts of types, unpacks inner optionals and fails for Kubernetes' objects.
    pub(crate) fn through_go(&self) -> Self {
        let (kind, text) = match self {
            Self::Optional(None) => return Self::Null,
            Self::Optional(Some(inner)) => return inner.through_go(),
            Self::Type(name) => return Self::string(*name),
            Self::Map(map) => return Self::Map(Map::without_default(map)),
            Self::Semver(version) => ("semver.Version", version.to_string()),
            Self::Quantity(quantity) => ("*resource.Quantity", quantity.get().to_string()),
            Self::Ip(address) => ("netip.Addr", address.to_string()),
            Self::Cidr(_) => ("netip.Prefix", show(self)),
            Self::Url(url) => ("*url.URL", url.text()),
            Self::Failed(error) => ("*errors.errorString", error.text().to_owned()),
            other => return other.clone(),
        };
        Self::Failed(Error::new(format!("unsupported conversion to ref.Val: ({kind}){text}")))
    }

    /// Size in the cost model: code points, bytes, elements; none for values without a size.
    pub(crate) fn size(&self) -> Option<usize> {
        match self {
            Self::String(text) => Some(text.chars().count()),
            Self::Bytes(bytes) => Some(bytes.len()),
            Self::List(list) => Some(list.len()),
            Self::Map(map) => Some(map.len()),
            Self::Ip(IpAddr::V4(_)) => Some(4),
            Self::Ip(IpAddr::V6(_)) => Some(16),
            Self::Cidr(cidr) => Some(usize::from(cidr.bits).div_ceil(8)),
            _ => None,
        }
    }
}
