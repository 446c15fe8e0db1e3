//! Values to bytes.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::{Garbled, KEPT, KNOWN, PASSING};

/// Longer texts are not kept to be found again.
const LONG: usize = 400;

type Done = Result<(), Garbled>;

/// The bytes of a value. `shown` may change what texts say.
pub(crate) fn to_bytes<T: Serialize>(
    value: &T,
    shown: fn(&str) -> Option<String>,
) -> Result<Vec<u8>, Garbled> {
    let mut writer = Writer { out: Vec::new(), texts: Texts::default(), shown };
    value.serialize(&mut writer)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    texts: Texts,
    shown: fn(&str) -> Option<String>,
}

/// The texts that were written, found by what they say.
#[derive(Default)]
struct Texts {
    known: Vec<Box<str>>,
    /// Numbers of texts from 1 on, 0 for a free slot; a power of two of slots.
    slots: Vec<u32>,
}

impl Texts {
    /// The number of a text that is known; else it is known from now on.
    fn number(&mut self, text: &str) -> Option<u32> {
        if self.slots.len() < 2 * (self.known.len() + 1) {
            self.grow();
        }
        let slot = self.slot(text);
        match self.slots.get_mut(slot) {
            Some(0) | None => {
                self.known.push(text.into());
                let number = u32::try_from(self.known.len()).unwrap_or_default();
                if let Some(free) = self.slots.get_mut(slot) {
                    *free = number;
                }
                None
            }
            Some(number) => Some(*number),
        }
    }

    /// The slot of a text, or the free one that it would get.
    fn slot(&self, text: &str) -> usize {
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash(text) & mask;
        while let Some(number) = self.slots.get(at).filter(|number| **number != 0) {
            let known = self.known.get((*number as usize).wrapping_sub(1));
            if known.is_some_and(|known| **known == *text) {
                break;
            }
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        self.slots = vec![0; (4 * self.known.len()).next_power_of_two().max(64)];
        for number in 1..=self.known.len() {
            let Some(text) = self.known.get(number - 1) else { continue };
            let slot = self.slot(text);
            if let Some(slot) = self.slots.get_mut(slot) {
                *slot = u32::try_from(number).unwrap_or_default();
            }
        }
    }
}

/// FNV-1a: texts of our own reports, nobody gains by slots that collide.
fn hash(text: &str) -> usize {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(0x811c_9dc5, step) as usize
}

impl Writer {
    #[expect(clippy::unnecessary_wraps, reason = "what is written of a number ends with it")]
    fn number(&mut self, mut number: u64) -> Done {
        while let rest @ 1.. = number >> 7 {
            self.out.push(number.to_le_bytes()[0] | 0x80);
            number = rest;
        }
        self.out.push(number.to_le_bytes()[0]);
        Ok(())
    }
}

impl Serializer for &mut Writer {
    type Ok = ();
    type Error = Garbled;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn serialize_bool(self, value: bool) -> Done {
        self.number(value.into())
    }

    fn serialize_i8(self, value: i8) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i16(self, value: i16) -> Done {
        self.serialize_i64(value.into())
    }

    fn serialize_i32(self, value: i32) -> Done {
        self.serialize_i64(value.into())
    }

    /// The sign is the lowest bit, so that small numbers are short.
    fn serialize_i64(self, value: i64) -> Done {
        self.number(((value << 1) ^ (value >> 63)).cast_unsigned())
    }

    fn serialize_u8(self, value: u8) -> Done {
        self.number(value.into())
    }

    fn serialize_u16(self, value: u16) -> Done {
        self.number(value.into())
    }

    fn serialize_u32(self, value: u32) -> Done {
        self.number(value.into())
    }

    fn serialize_u64(self, value: u64) -> Done {
        self.number(value)
    }

    fn serialize_f32(self, value: f32) -> Done {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Done {
        self.out.extend_from_slice(&value.to_le_bytes());
        Ok(())
    }

    fn serialize_char(self, value: char) -> Done {
        self.number(u32::from(value).into())
    }

    fn serialize_str(self, value: &str) -> Done {
        let long = value.len() > LONG;
        if !long && let Some(number) = self.texts.number(value) {
            return self.number(KNOWN + u64::from(number) - 1);
        }
        let changed = (self.shown)(value);
        let text = changed.as_deref().unwrap_or(value);
        self.number(if long { PASSING } else { KEPT })?;
        self.number(text.len() as u64)?;
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Done {
        Err(Garbled)
    }

    fn serialize_none(self) -> Done {
        self.number(0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Done {
        self.number(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.number(index.into())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        self.number(index.into())?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Garbled> {
        self.number(len.ok_or(Garbled)? as u64)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Garbled> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Garbled> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Garbled> {
        self.number(index.into())?;
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Garbled> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Garbled> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, Garbled> {
        self.serialize_tuple_variant(name, index, variant, len)
    }
}

macro_rules! parts {
    ($($form:ident $method:ident),*) => {$(
        impl $form for &mut Writer {
            type Ok = ();
            type Error = Garbled;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

parts!(
    SerializeSeq serialize_element,
    SerializeTuple serialize_element,
    SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
);

macro_rules! fields {
    ($($form:ident),*) => {$(
        impl $form for &mut Writer {
            type Ok = ();
            type Error = Garbled;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, _: &'static str, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct, SerializeStructVariant);

impl SerializeMap for &mut Writer {
    type Ok = ();
    type Error = Garbled;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Done {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        Ok(())
    }
}
