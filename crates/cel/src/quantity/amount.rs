//! The number inside a quantity.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// An amount in integer or decimal form.
#[derive(Clone, Debug)]
pub(crate) enum Amount {
    /// `value * 10^scale`.
    Int {
        /// Digits.
        value: i64,
        /// Decimal exponent.
        scale: i32,
    },
    /// Any size.
    Dec(Decimal),
}

/// `unscaled * 10^-scale`, as `gopkg.in/inf.v0` writes it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decimal {
    /// Digits.
    pub(crate) unscaled: BigInt,
    /// Digits after the point.
    pub(crate) scale: i32,
}

/// What is left and what is cut off when digits are dropped.
struct Shortened {
    value: i64,
    exact: bool,
}

impl Default for Amount {
    fn default() -> Self {
        Self::Int { value: 0, scale: 0 }
    }
}

impl Amount {
    pub(crate) fn sign(&self) -> i32 {
        match self {
            Self::Int { value, .. } => match value.cmp(&0) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
            Self::Dec(dec) => dec.sign(),
        }
    }

    pub(crate) fn to_decimal(&self) -> Decimal {
        match self {
            Self::Int { value, scale } => {
                Decimal { unscaled: BigInt::from(*value), scale: scale.saturating_neg() }
            }
            Self::Dec(dec) => dec.clone(),
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        if let (Self::Int { value: a, scale: sa }, Self::Int { value: b, scale: sb }) =
            (self, other)
            && let Some((value, scale)) = add_scaled((*a, *sa), (*b, *sb))
        {
            return Self::Int { value, scale };
        }
        Self::Dec(self.to_decimal().add(&other.to_decimal()))
    }

    pub(crate) fn sub(&self, other: &Self) -> Self {
        if let (Self::Int { value: a, scale: sa }, Self::Int { value: b, scale: sb }) =
            (self, other)
            && let Some((value, scale)) = add_scaled((*a, *sa), (b.wrapping_neg(), *sb))
        {
            return Self::Int { value, scale };
        }
        let mut negated = other.to_decimal();
        negated.unscaled = -negated.unscaled;
        Self::Dec(self.to_decimal().add(&negated))
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Int { value: a, scale: sa }, Self::Int { value: b, scale: sb })
                if let Some(order) = compare_scaled((*a, *sa), (*b, *sb)) =>
            {
                order
            }
            _ => self.to_decimal().compare(&other.to_decimal()),
        }
    }

    pub(crate) fn as_i64(&self) -> Option<i64> {
        match self {
            Self::Int { value, scale: 0 } => Some(*value),
            Self::Int { value, scale } if *scale > 0 => scale_up(*value, *scale),
            Self::Int { .. } | Self::Dec(_) => None,
        }
    }

    pub(crate) fn value_rounded_up(&self) -> i64 {
        match self {
            Self::Int { value, scale } if *scale < 0 => {
                scale_down(*value, scale.unsigned_abs()).value
            }
            Self::Int { value, scale } => scale_up(*value, *scale).unwrap_or(0),
            Self::Dec(dec) => dec.value_rounded_up(),
        }
    }

    pub(crate) fn to_f64(&self) -> f64 {
        let (base, exponent) = match self {
            #[expect(clippy::cast_precision_loss, reason = "upstream approximates too")]
            Self::Int { value, scale } => (*value as f64, *scale),
            Self::Dec(dec) => (to_f64(&dec.unscaled), dec.scale.saturating_neg()),
        };
        if exponent == 0 { base } else { base * pow10_f64(exponent) }
    }

    /// In thousandths; `None` for an integer form that is no finer.
    pub(crate) fn rounded_to_millis(&self) -> Option<Self> {
        match self {
            Self::Int { value, scale } if *scale < -3 => {
                let digits = scale.saturating_add(3).unsigned_abs();
                Some(Self::Int { value: scale_down(*value, digits).value, scale: -3 })
            }
            Self::Int { .. } => None,
            Self::Dec(dec) => Some(Self::Dec(dec.rounded_away(3))),
        }
    }

    /// The value in whole units and whether nothing was cut off.
    pub(crate) fn whole(&self) -> (Self, bool) {
        match self {
            Self::Int { scale, .. } if *scale >= 0 => (self.clone(), true),
            Self::Int { value, scale } => {
                let Shortened { value, exact } = scale_down(*value, scale.unsigned_abs());
                (Self::Int { value, scale: 0 }, exact)
            }
            Self::Dec(dec) => {
                let rounded = dec.rounded_away(0);
                let exact = rounded.compare(dec) == Ordering::Equal;
                (Self::Dec(rounded), exact)
            }
        }
    }
}

impl Decimal {
    pub(crate) fn sign(&self) -> i32 {
        match self.unscaled.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        let scale = self.scale.max(other.scale);
        Self { unscaled: self.at_scale(scale) + other.at_scale(scale), scale }
    }

    pub(crate) fn compare(&self, other: &Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.at_scale(scale).cmp(&other.at_scale(scale))
    }

    /// The digits at a scale that is not below the own one.
    fn at_scale(&self, scale: i32) -> BigInt {
        if scale <= self.scale || self.unscaled.sign() == Sign::NoSign {
            return self.unscaled.clone();
        }
        &self.unscaled * pow10(scale.saturating_sub(self.scale).unsigned_abs())
    }

    /// Rounded away from zero to so many digits after the point; also extends to that scale.
    pub(crate) fn rounded_away(&self, scale: i32) -> Self {
        if scale >= self.scale {
            return Self { unscaled: self.at_scale(scale), scale };
        }
        let divisor = pow10(self.scale.saturating_sub(scale).unsigned_abs());
        let mut quotient = &self.unscaled / &divisor;
        if &quotient * &divisor != self.unscaled {
            quotient += if self.unscaled.sign() == Sign::Minus { -1 } else { 1 };
        }
        Self { unscaled: quotient, scale }
    }

    fn value_rounded_up(&self) -> i64 {
        let low = low_64_bits(&self.unscaled);
        match self.scale {
            0 => low,
            scale if scale < 0 => low.wrapping_mul(go_pow10_i64(scale.unsigned_abs())),
            scale if scale < 19 && self.unscaled < BigInt::from(i64::MAX) => {
                let divisor = go_pow10_i64(scale.unsigned_abs());
                let quotient = low.wrapping_div(divisor);
                quotient.wrapping_add(i64::from(low.wrapping_rem(divisor) != 0))
            }
            scale => {
                let divisor = pow10(scale.unsigned_abs());
                let mut quotient = &self.unscaled / &divisor;
                let exact = &quotient * &divisor == self.unscaled;
                // Go divides with a remainder that is never negative.
                if !exact && self.unscaled.sign() == Sign::Minus {
                    quotient -= 1;
                }
                low_64_bits(&quotient).wrapping_add(i64::from(!exact))
            }
        }
    }
}

/// Adds integer forms; `None` when the sum leaves 64 bits.
fn add_scaled(a: (i64, i32), b: (i64, i32)) -> Option<(i64, i32)> {
    if b.0 == 0 {
        return Some(a);
    }
    if a.0 == 0 {
        return Some(b);
    }
    let scale = a.1.min(b.1);
    let x = scale_up(a.0, a.1.saturating_sub(scale))?;
    let y = scale_up(b.0, b.1.saturating_sub(scale))?;
    Some((x.checked_add(y)?, scale))
}

/// Compares integer forms without big numbers; `None` when the scales are too far apart.
fn compare_scaled(a: (i64, i32), b: (i64, i32)) -> Option<Ordering> {
    if a.1 == b.1 {
        return Some(a.0.cmp(&b.0));
    }
    let distance = a.1.abs_diff(b.1);
    let factor = 10_i128.checked_pow(distance).filter(|_| distance <= 18)?;
    let (x, y) = (i128::from(a.0), i128::from(b.0));
    Some(if a.1 > b.1 { (x * factor).cmp(&y) } else { x.cmp(&(y * factor)) })
}

fn scale_up(value: i64, scale: i32) -> Option<i64> {
    if value == 0 || scale <= 0 {
        return Some(value);
    }
    // Upstream refuses the smallest integer before it multiplies.
    if value == i64::MIN {
        return None;
    }
    value.checked_mul(10_i64.checked_pow(scale.unsigned_abs())?)
}

/// Drops decimal digits, rounding away from zero.
fn scale_down(value: i64, digits: u32) -> Shortened {
    let Some(divisor) = 10_i64.checked_pow(digits) else {
        return Shortened { value: value.signum(), exact: value == 0 };
    };
    let exact = value % divisor == 0;
    let rounding = if exact { 0 } else { value.signum() };
    Shortened { value: value / divisor + rounding, exact }
}

pub(crate) fn pow10(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

/// `int64(math.Pow10(n))`, with what amd64 makes of numbers that do not fit.
fn go_pow10_i64(exponent: u32) -> i64 {
    10_i64.checked_pow(exponent).unwrap_or(i64::MIN)
}

/// `10^n` as the nearest double, 0 or infinity beyond the range of doubles.
fn pow10_f64(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::INFINITY)
}

fn to_f64(value: &BigInt) -> f64 {
    value.to_string().parse().unwrap_or(f64::INFINITY)
}

fn low_64_bits(value: &BigInt) -> i64 {
    let magnitude = value.iter_u64_digits().next().unwrap_or(0).cast_signed();
    if value.sign() == Sign::Minus { magnitude.wrapping_neg() } else { magnitude }
}
