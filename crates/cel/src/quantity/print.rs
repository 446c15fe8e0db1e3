//! Quantity to canonical text.

use num_bigint::{BigInt, Sign};

use super::Format;
use super::amount::{Amount, Decimal};

/// Upstream: `CanonicalizeBytes`.
pub(super) fn canonical(amount: &Amount, format: Format) -> String {
    if amount.sign() == 0 {
        return "0".to_owned();
    }
    if format == Format::BinarySI && !is_small(amount) {
        let (whole, exact) = amount.whole();
        if exact {
            return binary(&whole);
        }
    }
    let (digits, exponent) = thousands(amount);
    if format == Format::DecimalExponent {
        return if exponent == 0 { digits } else { format!("{digits}e{exponent}") };
    }
    digits + decimal_suffix(exponent)
}

/// Whether the amount is below 1024 in size, where binary suffixes mean nothing.
fn is_small(amount: &Amount) -> bool {
    let bound = |value| Amount::Int { value, scale: 0 };
    amount.compare(&bound(-1024)).is_gt() && amount.compare(&bound(1024)).is_lt()
}

fn binary(whole: &Amount) -> String {
    let mut value = match whole {
        Amount::Int { value, scale } => BigInt::from(*value) * power_of_ten(*scale),
        Amount::Dec(dec) => dec.unscaled.clone(),
    };
    let mut exponent = 0_usize;
    while value.sign() != Sign::NoSign && &value % 1024 == BigInt::ZERO {
        value /= 1024;
        exponent += 1;
    }
    let suffix = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].get(exponent).copied().unwrap_or("");
    format!("{value}{suffix}")
}

/// Digits and an exponent that is a multiple of three.
fn thousands(amount: &Amount) -> (String, i32) {
    let Decimal { unscaled, scale } = amount.to_decimal();
    let digits = unscaled.to_string();
    let trimmed = digits.trim_end_matches('0');
    let zeros = i32::try_from(digits.len() - trimmed.len()).unwrap_or(i32::MAX);
    let exponent = zeros.saturating_sub(scale);
    let missing = exponent.rem_euclid(3);
    let padding = ["", "0", "00"].get(missing.unsigned_abs() as usize).copied().unwrap_or("");
    (format!("{trimmed}{padding}"), exponent - missing)
}

fn power_of_ten(exponent: i32) -> BigInt {
    super::amount::pow10(exponent.unsigned_abs())
}

/// UPSTREAM: an exponent without a suffix prints none, so `1000E` becomes `1`.
fn decimal_suffix(exponent: i32) -> &'static str {
    match exponent {
        -9 => "n",
        -6 => "u",
        -3 => "m",
        3 => "k",
        6 => "M",
        9 => "G",
        12 => "T",
        15 => "P",
        18 => "E",
        _ => "",
    }
}
