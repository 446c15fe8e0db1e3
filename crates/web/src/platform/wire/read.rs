//! Bytes to values.

use serde::de::value::U32Deserializer;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::{Garbled, KEPT, KNOWN};

/// The value that bytes say.
pub(crate) fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Garbled> {
    T::deserialize(&mut Reader { rest: bytes, texts: Vec::new() })
}

struct Reader<'de> {
    rest: &'de [u8],
    /// The texts that were there before.
    texts: Vec<&'de str>,
}

impl<'de> Reader<'de> {
    fn take(&mut self, count: usize) -> Result<&'de [u8], Garbled> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(Garbled)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u64, Garbled> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.rest.split_first().ok_or(Garbled)?;
            self.rest = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(number);
            }
        }
        Err(Garbled)
    }

    fn size<T: TryFrom<u64>>(&mut self) -> Result<T, Garbled> {
        T::try_from(self.number()?).map_err(|_| Garbled)
    }

    fn text(&mut self) -> Result<&'de str, Garbled> {
        let kind = self.number()?;
        if let Some(number) = kind.checked_sub(KNOWN) {
            let number = usize::try_from(number).map_err(|_| Garbled)?;
            return self.texts.get(number).copied().ok_or(Garbled);
        }
        let length = self.size()?;
        let text = str::from_utf8(self.take(length)?).map_err(|_| Garbled)?;
        if kind == KEPT {
            self.texts.push(text);
        }
        Ok(text)
    }

    fn parts<'a>(&'a mut self, left: usize) -> Parts<'a, 'de> {
        Parts { reader: self, left }
    }

    fn list<'a>(&'a mut self) -> Result<Parts<'a, 'de>, Garbled> {
        // Every part takes a byte at least, but for those that hold nothing: there are none such.
        let left = self.size::<usize>()?.min(self.rest.len());
        Ok(self.parts(left))
    }
}

macro_rules! whole {
    ($($method:ident $visit:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
            visitor.$visit(self.size()?)
        }
    )*};
}

macro_rules! signed {
    ($($method:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
            let number = self.number()?;
            visitor.visit_i64((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
        }
    )*};
}

macro_rules! unknown {
    ($($method:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Garbled> {
            Err(Garbled)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Garbled;

    whole!(
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32,
        deserialize_u64 visit_u64
    );
    signed!(deserialize_i8, deserialize_i16, deserialize_i32, deserialize_i64);
    unknown!(deserialize_any, deserialize_ignored_any, deserialize_bytes, deserialize_byte_buf);

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_bool(self.number()? != 0)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        let bytes = self.take(8)?.try_into().map_err(|_| Garbled)?;
        visitor.visit_f64(f64::from_le_bytes(bytes))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_char(char::from_u32(self.size()?).ok_or(Garbled)?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        if self.number()? == 0 { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_seq(self.list()?)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        visitor.visit_seq(self.parts(len))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        visitor.visit_map(self.list()?)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        visitor.visit_enum(self)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Garbled> {
        self.deserialize_u32(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The parts of a list, a structure or a map.
struct Parts<'a, 'de> {
    reader: &'a mut Reader<'de>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Parts<'_, 'de> {
    type Error = Garbled;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Garbled> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.reader).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

impl<'de> MapAccess<'de> for Parts<'_, 'de> {
    type Error = Garbled;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Garbled> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Garbled> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> EnumAccess<'de> for &mut Reader<'de> {
    type Error = Garbled;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Garbled> {
        let index: U32Deserializer<Garbled> = self.size::<u32>()?.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> VariantAccess<'de> for &mut Reader<'de> {
    type Error = Garbled;

    fn unit_variant(self) -> Result<(), Garbled> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Garbled> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Garbled> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Garbled> {
        self.deserialize_tuple(fields.len(), visitor)
    }
}
