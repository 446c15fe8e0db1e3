//! The messages of `google.protobuf` that every environment knows.
//!
//! Most of them become plain values when they are built. Source: cel-go `common/types/provider.go`,
//! `common/types/pb`.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::library::time;
use crate::types::{EMPTY, Type};
use crate::value::{Error, Map, Outcome, Timestamp, Value};

/// A message with its fields, numbered from 1 in this order.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) name: &'static str,
    fields: &'static [(&'static str, Field)],
    form: Form,
}

/// What comes of a built message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The value of its only field.
    Wrapper,
    /// The field that was set last.
    Choice,
    Any,
    Duration,
    Timestamp,
    Empty,
}

/// The type of a field as protobuf declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Bool,
    Bytes,
    Double,
    Float,
    Int32,
    Int64,
    Uint32,
    Uint64,
    Text,
    /// Repeated `Value`.
    Values,
    /// A map from texts to `Value`.
    Entries,
    Struct,
    List,
    Null,
}

static MESSAGES: [Message; 16] = [
    wrapper("google.protobuf.BoolValue", &[("value", Field::Bool)]),
    wrapper("google.protobuf.BytesValue", &[("value", Field::Bytes)]),
    wrapper("google.protobuf.DoubleValue", &[("value", Field::Double)]),
    wrapper("google.protobuf.FloatValue", &[("value", Field::Float)]),
    wrapper("google.protobuf.Int32Value", &[("value", Field::Int32)]),
    wrapper("google.protobuf.Int64Value", &[("value", Field::Int64)]),
    wrapper("google.protobuf.UInt32Value", &[("value", Field::Uint32)]),
    wrapper("google.protobuf.UInt64Value", &[("value", Field::Uint64)]),
    wrapper("google.protobuf.StringValue", &[("value", Field::Text)]),
    wrapper("google.protobuf.ListValue", &[("values", Field::Values)]),
    wrapper("google.protobuf.Struct", &[("fields", Field::Entries)]),
    Message {
        name: "google.protobuf.Value",
        fields: &[
            ("null_value", Field::Null),
            ("number_value", Field::Double),
            ("string_value", Field::Text),
            ("bool_value", Field::Bool),
            ("struct_value", Field::Struct),
            ("list_value", Field::List),
        ],
        form: Form::Choice,
    },
    Message {
        name: "google.protobuf.Any",
        fields: &[("type_url", Field::Text), ("value", Field::Bytes)],
        form: Form::Any,
    },
    Message {
        name: "google.protobuf.Duration",
        fields: &[("seconds", Field::Int64), ("nanos", Field::Int32)],
        form: Form::Duration,
    },
    Message {
        name: "google.protobuf.Timestamp",
        fields: &[("seconds", Field::Int64), ("nanos", Field::Int32)],
        form: Form::Timestamp,
    },
    Message { name: EMPTY, fields: &[], form: Form::Empty },
];

/// The constant that is declared beside the messages.
pub(crate) const NULL_VALUE: &str = "google.protobuf.NullValue.NULL_VALUE";

const fn wrapper(name: &'static str, fields: &'static [(&'static str, Field)]) -> Message {
    Message { name, fields, form: Form::Wrapper }
}

/// The message of that name.
pub(crate) fn named(name: &str) -> Option<&'static Message> {
    MESSAGES.iter().find(|message| message.name == name)
}

/// Whether Kubernetes takes a name for that of a message although it is a type of CEL's own.
/// Source: `k8s.io/apiserver` `pkg/cel/types.go`.
pub(crate) fn is_plain(name: &str) -> bool {
    matches!(name, "bool" | "bytes" | "double" | "int" | "list" | "null_type" | "string" | "uint")
}

/// The message that a checked type stands for when it is built by name.
pub(crate) fn of_type(ty: &Type) -> Option<&'static Message> {
    let name = match ty {
        Type::Wrapper(inner) => match inner.as_ref() {
            Type::Bool => "google.protobuf.BoolValue",
            Type::Bytes => "google.protobuf.BytesValue",
            Type::Double => "google.protobuf.DoubleValue",
            Type::Int => "google.protobuf.Int64Value",
            Type::Uint => "google.protobuf.UInt64Value",
            _ => "google.protobuf.StringValue",
        },
        Type::Any => "google.protobuf.Any",
        Type::Dyn => "google.protobuf.Value",
        Type::Duration => "google.protobuf.Duration",
        Type::Timestamp => "google.protobuf.Timestamp",
        Type::List(element) if **element == Type::Dyn => "google.protobuf.ListValue",
        Type::Map(entry) if entry.0 == Type::String && entry.1 == Type::Dyn => {
            "google.protobuf.Struct"
        }
        Type::Struct(name) => name,
        _ => return None,
    };
    named(name)
}

impl Message {
    /// The type that the checker gives it.
    pub(crate) fn checked_type(&self) -> Type {
        let wrapped = |inner| Type::Wrapper(Rc::new(inner));
        match (self.form, self.fields.first()) {
            (Form::Wrapper, Some((_, field))) => match field {
                Field::Values | Field::Entries => field.ty(),
                scalar => wrapped(scalar.ty()),
            },
            (Form::Any, _) => Type::Any,
            (Form::Duration, _) => Type::Duration,
            (Form::Timestamp, _) => Type::Timestamp,
            (Form::Empty, _) => Type::Struct(EMPTY),
            _ => Type::Dyn,
        }
    }

    /// The checked type of a field.
    pub(crate) fn field_type(&self, name: &str) -> Option<Type> {
        self.field(name).map(Field::ty)
    }

    fn field(&self, name: &str) -> Option<Field> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, field)| *field)
    }

    /// The value of a message with these fields, set in this order.
    ///
    /// # Errors
    ///
    /// When a value does not fit its field.
    pub(crate) fn build(&self, given: &[(Rc<str>, Value)]) -> Outcome {
        let mut set: Vec<(&str, Value)> = Vec::with_capacity(given.len());
        for (name, value) in given {
            let missing = || Error::new(format!("no such field: {name}"));
            let field = self.field(name).ok_or_else(missing)?;
            let value = self.convert(name, field, value)?;
            set.retain(|(known, _)| *known != name.as_ref());
            set.push((name, value));
        }
        self.finish(&set)
    }

    fn convert(&self, name: &str, field: Field, value: &Value) -> Outcome {
        let place = format!("{}.{name}", self.name);
        match (field, value) {
            (Field::Values, value) if !matches!(value, Value::List(_)) => Err(unfit(&place, value)),
            (Field::Entries, value) if !matches!(value, Value::Map(_)) => Err(unfit(&place, value)),
            _ => field.native(value).map_err(|text| {
                Error::new(format!("field type conversion error for {place} value type: {text}"))
            }),
        }
    }

    fn finish(&self, set: &[(&str, Value)]) -> Outcome {
        let find = |name: &str| set.iter().find(|(known, _)| *known == name).map(|(_, v)| v);
        let int = |name: &str| match find(name) {
            Some(Value::Int(int)) => *int,
            _ => 0,
        };
        Ok(match self.form {
            Form::Wrapper => {
                let value = set.first().map(|(_, value)| value.clone());
                value.unwrap_or_else(|| self.fields.first().map_or(Value::Null, |f| f.1.zero()))
            }
            Form::Choice => set.last().map_or(Value::Null, |(_, value)| value.clone()),
            Form::Duration => {
                let nanos = i128::from(int("seconds")) * 1_000_000_000 + i128::from(int("nanos"));
                let limit = |_| if nanos < 0 { i64::MIN } else { i64::MAX };
                Value::Duration(i64::try_from(nanos).unwrap_or_else(limit))
            }
            Form::Timestamp => {
                let nanos = int("nanos");
                let seconds = int("seconds").saturating_add(nanos.div_euclid(1_000_000_000));
                let nanos = u32::try_from(nanos.rem_euclid(1_000_000_000)).unwrap_or(0);
                Value::Timestamp(Timestamp { seconds, nanos, offset: 0 })
            }
            Form::Empty => Value::Empty,
            Form::Any => {
                let (url, bytes) = (find("type_url"), find("value"));
                return unpack(url, bytes).ok_or_else(|| Error::new(unknown_any(url, bytes)));
            }
        })
    }
}

fn unfit(place: &str, value: &Value) -> Error {
    Error::new(format!("unsupported field type for {place}: {}", value.type_name()))
}

impl Field {
    fn ty(self) -> Type {
        match self {
            Self::Bool => Type::Bool,
            Self::Bytes => Type::Bytes,
            Self::Double | Self::Float => Type::Double,
            Self::Int32 | Self::Int64 | Self::Null => Type::Int,
            Self::Uint32 | Self::Uint64 => Type::Uint,
            Self::Text => Type::String,
            Self::Values | Self::List => Type::list(Type::Dyn),
            Self::Entries | Self::Struct => Type::map(Type::String, Type::Dyn),
        }
    }

    fn zero(self) -> Value {
        match self {
            Self::Bool => Value::Bool(false),
            Self::Bytes => Value::Bytes(Rc::default()),
            Self::Double | Self::Float => Value::Double(0.0),
            Self::Int32 | Self::Int64 => Value::Int(0),
            Self::Uint32 | Self::Uint64 => Value::Uint(0),
            Self::Text => Value::string(""),
            Self::Values | Self::List => Value::list(Vec::new()),
            Self::Entries | Self::Struct => Value::Map(Rc::default()),
            Self::Null => Value::Null,
        }
    }

    /// Go's name of the field's type.
    fn go_type(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Bytes => "[]uint8",
            Self::Double => "float64",
            Self::Float => "float32",
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Text => "string",
            Self::Null => "protoreflect.EnumNumber",
            Self::Struct => "*structpb.Struct",
            Self::List => "*structpb.ListValue",
            Self::Values | Self::Entries => JSON,
        }
    }

    /// The value as the field holds it, or why it does not fit.
    fn native(self, value: &Value) -> Result<Value, String> {
        Ok(match (self, value) {
            (_, Value::Optional(None)) => return Err("optional.none() dereference".to_owned()),
            (_, Value::Optional(Some(inner))) => self.native(inner)?,
            (Self::Bool, Value::Bool(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::Double, Value::Double(_))
            | (Self::Int64, Value::Int(_))
            | (Self::Uint64, Value::Uint(_))
            | (Self::Text, Value::String(_)) => value.clone(),
            #[expect(clippy::cast_possible_truncation, reason = "as upstream narrows it")]
            (Self::Float, Value::Double(double)) => Value::Double(f64::from(*double as f32)),
            (Self::Int32 | Self::Null, Value::Int(int)) => {
                let int = i32::try_from(*int).map_err(|_| "integer overflow".to_owned())?;
                if self == Self::Null { Value::Null } else { Value::Int(i64::from(int)) }
            }
            (Self::Uint32, Value::Uint(uint)) => {
                let overflow = |_| "unsigned integer overflow".to_owned();
                Value::Uint(u64::from(u32::try_from(*uint).map_err(overflow)?))
            }
            (Self::Values | Self::List, Value::List(_))
            | (Self::Entries | Self::Struct, Value::Map(_)) => json(value)?,
            (Self::List, Value::Map(_)) => {
                return Err(
                    "type conversion error, no such field 'A' in type 'structpb.ListValue'"
                        .to_owned(),
                );
            }
            _ => return Err(no_conversion(value, self.go_type())),
        })
    }
}

const JSON: &str = "*structpb.Value";
/// Largest whole number that JSON keeps exactly.
const MAX_JSON: i64 = (1 << 53) - 1;

/// The value as JSON, in which upstream keeps `Value`, `Struct` and `ListValue`.
fn json(value: &Value) -> Result<Value, String> {
    #[expect(clippy::cast_precision_loss, reason = "the range is checked first")]
    Ok(match value {
        Value::Null | Value::Bool(_) | Value::Double(_) | Value::String(_) => value.clone(),
        Value::Int(int) if (-MAX_JSON..=MAX_JSON).contains(int) => Value::Double(*int as f64),
        Value::Int(int) => Value::string(int.to_string()),
        Value::Uint(uint) if *uint <= MAX_JSON.cast_unsigned() => Value::Double(*uint as f64),
        Value::Uint(uint) => Value::string(uint.to_string()),
        Value::Bytes(bytes) => Value::string(base64(bytes)),
        Value::Duration(nanos) => Value::string(time::print_duration(*nanos)),
        Value::Timestamp(time) => Value::string(time::print(*time)),
        Value::Empty => Value::Map(Rc::default()),
        Value::Optional(Some(inner)) => json(inner)?,
        Value::Optional(None) => return Err("optional.none() dereference".to_owned()),
        Value::List(list) => Value::list(list.iter().map(json).collect::<Result<_, _>>()?),
        Value::Map(map) => {
            let mut entries = Map::default();
            for (key, value) in map.iter() {
                let Value::String(_) = key else { return Err(no_conversion(key, "string")) };
                entries.insert(key.clone(), json(value)?);
            }
            Value::Map(Rc::new(entries.by_text()))
        }
        other => return Err(no_conversion(other, JSON)),
    })
}

fn no_conversion(value: &Value, to: &str) -> String {
    match value {
        Value::Int(_) => format!("unsupported type conversion from 'int' to {to}"),
        Value::Uint(_) => format!("unsupported type conversion from 'uint' to {to}"),
        Value::String(_) => format!("unsupported native conversion from string to '{to}'"),
        Value::Type(_) => "type conversion not supported for 'type'".to_owned(),
        Value::Bool(_) => format!("type conversion error from bool to '{to}'"),
        Value::Double(_) => format!("type conversion error from Double to '{to}'"),
        Value::Bytes(_) => format!("type conversion error from Bytes to '{to}'"),
        Value::List(_) => format!("type conversion error from list to '{to}'"),
        Value::Map(_) => format!("type conversion error from map to '{to}'"),
        Value::Empty => format!("type conversion error from '*dynamicpb.Message' to '{to}'"),
        Value::Format(_) => format!("type conversion error from 'Format' to '{to}'"),
        other => {
            let name = other.type_name();
            let short = name.rsplit('.').next().unwrap_or(name);
            format!("type conversion error from '{short}' to '{to}'")
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for at in 0..4_usize {
            let digit = DIGITS.get((bits >> (18 - 6 * at) & 63) as usize).copied();
            out.push(if at > chunk.len() { '=' } else { char::from(digit.unwrap_or(b'=')) });
        }
    }
    out
}

/// The message that an `Any` holds; none when its type is unknown or its bytes are no such message.
fn unpack(url: Option<&Value>, bytes: Option<&Value>) -> Option<Value> {
    let Some(Value::String(url)) = url else { return None };
    let message = named(url.rsplit('/').next()?)?;
    let mut rest: &[u8] = match bytes {
        Some(Value::Bytes(bytes)) => bytes,
        _ => &[],
    };
    let mut set = Vec::new();
    while !rest.is_empty() {
        let tag = varint(&mut rest)?;
        let index = usize::try_from(tag >> 3).ok()?.checked_sub(1)?;
        let (name, field) = message.fields.get(index)?;
        let value = match (tag & 7, *field) {
            (0, Field::Bool) => Value::Bool(varint(&mut rest)? != 0),
            (0, Field::Int64) => Value::Int(varint(&mut rest)?.cast_signed()),
            #[expect(clippy::cast_possible_truncation, reason = "protobuf keeps the low bits")]
            (0, Field::Int32) => Value::Int(i64::from(varint(&mut rest)? as i32)),
            (0, Field::Uint64) => Value::Uint(varint(&mut rest)?),
            (0, Field::Uint32) => Value::Uint(varint(&mut rest)? & u64::from(u32::MAX)),
            (0, Field::Null) => {
                varint(&mut rest)?;
                Value::Null
            }
            (1, Field::Double) => {
                Value::Double(f64::from_le_bytes(take(&mut rest, 8)?.try_into().ok()?))
            }
            (5, Field::Float) => {
                let float = f32::from_le_bytes(take(&mut rest, 4)?.try_into().ok()?);
                Value::Double(f64::from(float))
            }
            (2, Field::Text) => Value::string(std::str::from_utf8(prefixed(&mut rest)?).ok()?),
            (2, Field::Bytes) => Value::Bytes(prefixed(&mut rest)?.into()),
            _ => return None,
        };
        set.retain(|(known, _)| known != name);
        set.push((*name, value));
    }
    // An `Any` in an `Any` is not followed.
    if message.form == Form::Any { None } else { message.finish(&set).ok() }
}

fn varint(rest: &mut &[u8]) -> Option<u64> {
    let mut value = 0_u64;
    for shift in (0..70).step_by(7) {
        let (byte, after) = rest.split_first()?;
        *rest = after;
        value |= u64::from(byte & 0x7f).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, after) = rest.split_at_checked(count)?;
    *rest = after;
    Some(taken)
}

fn prefixed<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(varint(rest)?).ok()?;
    take(rest, length)
}

/// What upstream says of an `Any` that it cannot unpack. Its printer puts one or two spaces between
/// fields, by chance.
fn unknown_any(url: Option<&Value>, bytes: Option<&Value>) -> String {
    let mut parts = Vec::new();
    if let Some(Value::String(url)) = url
        && !url.is_empty()
    {
        parts.push(format!("type_url:{}", prototext(url.as_bytes())));
    }
    if let Some(Value::Bytes(bytes)) = bytes
        && !bytes.is_empty()
    {
        parts.push(format!("value:{}", prototext(bytes)));
    }
    format!("unsupported conversion to ref.Val: (*dynamicpb.Message){}", parts.join(" "))
}

fn prototext(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    // Writing into a string cannot fail.
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '"' | '\\' => out.extend(['\\', c]),
                c if u32::from(c) < 32 || c == '\u{7f}' => {
                    let _ = write!(out, "\\x{:02x}", u32::from(c));
                }
                c => out.push(c),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
    out.push('"');
    out
}
