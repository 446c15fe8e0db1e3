//! Kubernetes quantities: exact decimal amounts with a remembered notation.
//!
//! A quantity is held in one of two forms, as upstream: an `i64` with a decimal scale, or an
//! integer of any size with a decimal scale. Which form a text gets is visible in CEL
//! (`isInteger`, `asInteger`), so the rules that choose it are upstream's.
//!
//! Source: `k8s.io/apimachinery/pkg/api/resource` Quantity.

mod amount;
mod parse;
mod print;

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

pub(crate) use amount::{Amount, Decimal};

/// The largest decimal exponent, in either direction, that is accepted in a text.
pub const MAX_EXPONENT: i64 = 10_000;

/// How a quantity was written, and hence how it is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `12M`: suffixes of powers of 1000.
    #[default]
    DecimalSI,
    /// `12Mi`: suffixes of powers of 1024.
    BinarySI,
    /// `12e6`: a decimal exponent.
    DecimalExponent,
}

/// Why a text is not a quantity. The texts are upstream's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParseQuantityError {
    /// The text is empty or has something after the suffix.
    Format,
    /// The digits cannot be read.
    Numeric,
    /// The suffix is made of suffix letters but is none.
    Suffix,
    /// The exponent is beyond [`MAX_EXPONENT`]; upstream would try to build such a number.
    TooLarge,
}

impl fmt::Display for ParseQuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Format => concat!(
                "quantities must match the regular expression ",
                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
            ),
            Self::Numeric => "unable to parse numeric part of quantity",
            Self::Suffix => "unable to parse quantity's suffix",
            Self::TooLarge => "quantity exponent is too large for the playground",
        })
    }
}

impl std::error::Error for ParseQuantityError {}

/// An exact amount with its notation.
///
/// Comparison is by number: `1Ki == 1024`. Printing is upstream's `String()`: a text that was
/// already canonical prints as it was written, everything else in canonical form.
///
/// ```
/// use dra_playground_cel::quantity::Quantity;
/// let quantity: Quantity = "1.5Gi".parse().unwrap();
/// assert_eq!(quantity.to_string(), "1536Mi");
/// assert!(quantity > "1G".parse().unwrap());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Quantity {
    pub(crate) amount: Amount,
    pub(crate) format: Format,
    /// The text as written, kept where upstream keeps it.
    pub(crate) text: Option<Box<str>>,
}

impl Quantity {
    /// A whole number. Upstream: `NewQuantity`.
    pub fn from_i64(value: i64, format: Format) -> Self {
        Self { amount: Amount::Int { value, scale: 0 }, format, text: None }
    }

    /// The notation it prints in.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Whether the amount is zero.
    pub fn is_zero(&self) -> bool {
        self.sign() == 0
    }

    /// Whether it is held in decimal form, as amounts are that may not fit 64 bits.
    pub fn is_decimal(&self) -> bool {
        matches!(self.amount, Amount::Dec(_))
    }

    /// -1, 0 or 1.
    pub fn sign(&self) -> i32 {
        self.amount.sign()
    }

    /// The sum; a zero takes the other's notation. Upstream: `Add`, without its side effects.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        let format = if self.is_zero() { other.format } else { self.format };
        Self { amount: self.amount.add(&other.amount), format, text: None }
    }

    /// The difference; a zero takes the other's notation. Upstream: `Sub`, without its side effects.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        let format = if self.is_zero() { other.format } else { self.format };
        Self { amount: self.amount.sub(&other.amount), format, text: None }
    }

    /// The amount in whole units, fractions rounded away from zero.
    ///
    /// Upstream: `Value()`, with its results outside of 64 bits: 0 for the integer form, the low
    /// 64 bits for the decimal form.
    pub fn value_rounded_up(&self) -> i64 {
        self.amount.value_rounded_up()
    }

    /// The amount as an integer where the integer form holds one. Upstream: `AsInt64`.
    pub fn as_i64(&self) -> Option<i64> {
        self.amount.as_i64()
    }

    /// The nearest double, for drawing and `asApproximateFloat`. Upstream: `AsApproximateFloat64`.
    pub fn to_f64(&self) -> f64 {
        self.amount.to_f64()
    }

    /// The amount in billionths of a unit, the finest a quantity can hold; `None` when it is too
    /// large for that.
    pub fn nanos(&self) -> Option<i128> {
        match &self.amount {
            Amount::Int { value, scale } => {
                let power = u32::try_from(scale.checked_add(9)?).ok()?;
                match 10i64.checked_pow(power) {
                    // The product of two numbers of 64 bits has at most 127.
                    Some(factor) => Some(i128::from(*value).wrapping_mul(i128::from(factor))),
                    None => i128::from(*value).checked_mul(10i128.checked_pow(power)?),
                }
            }
            Amount::Dec(dec) => {
                let power = u32::try_from(9i32.checked_sub(dec.scale)?).ok()?;
                i128::try_from(&dec.unscaled).ok()?.checked_mul(10i128.checked_pow(power)?)
            }
        }
    }

    /// An amount given in billionths of a unit.
    pub fn from_nanos(nanos: i128, format: Format) -> Self {
        let amount = match (i64::try_from(nanos / 1_000_000_000), i64::try_from(nanos)) {
            (Ok(value), _) if nanos % 1_000_000_000 == 0 => Amount::Int { value, scale: 0 },
            (_, Ok(value)) => Amount::Int { value, scale: -9 },
            (_, Err(_)) => Amount::Dec(Decimal { unscaled: nanos.into(), scale: 9 }),
        };
        Self { amount, format, text: None }
    }

    /// An amount given in thousandths of a unit. Upstream: `NewMilliQuantity`.
    pub fn from_millis(value: i64, format: Format) -> Self {
        Self { amount: Amount::Int { value, scale: -3 }, format, text: None }
    }

    /// The amount in thousandths of a unit, smaller parts rounded away from zero; coarser amounts
    /// stay as they are. Upstream: `RoundUp(resource.Milli)`.
    #[must_use]
    pub fn rounded_to_millis(self) -> Self {
        match self.amount.rounded_to_millis() {
            Some(amount) => Self { amount, format: self.format, text: None },
            None => self,
        }
    }

    /// The canonical text, whatever was written.
    pub fn canonical(&self) -> String {
        print::canonical(&self.amount, self.format)
    }

    /// The text as written, where it is kept because it was nearly canonical.
    pub fn written(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

impl FromStr for Quantity {
    type Err = ParseQuantityError;

    fn from_str(text: &str) -> Result<Self, ParseQuantityError> {
        parse::parse(text)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.pad(text),
            None => f.pad(&self.canonical()),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.compare(&other.amount)
    }
}

#[cfg(test)]
mod tests;
