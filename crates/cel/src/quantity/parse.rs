//! Text to quantity.

use num_bigint::BigInt;

use super::amount::{Amount, Decimal};
use super::{Format, MAX_EXPONENT, ParseQuantityError, Quantity};

/// The finest unit: more digits after the point are rounded away from zero.
const NANO: i32 = -9;
/// Decimal digits that always fit the integer form.
const INT_DIGITS: i32 = 18;

struct Parts<'a> {
    negative: bool,
    /// Sign, digits and point.
    value: &'a str,
    /// Digits before the point without leading zeros.
    whole: &'a str,
    /// Digits after the point.
    fraction: &'a str,
    suffix: &'a str,
}

#[derive(Clone, Copy)]
enum Suffix {
    Binary(i32),
    Decimal(i32, Format),
}

pub(super) fn parse(text: &str) -> Result<Quantity, ParseQuantityError> {
    if text.is_empty() {
        return Err(ParseQuantityError::Format);
    }
    let parts = split(text)?;
    let suffix = interpret(parts.suffix)?;
    if let Some(quantity) = integer_form(text, &parts, suffix)? {
        return Ok(quantity);
    }
    decimal_form(&parts, suffix)
}

fn split(text: &str) -> Result<Parts<'_>, ParseQuantityError> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let negative = text.starts_with('-');
    let stripped = unsigned.trim_start_matches('0');
    if stripped.is_empty() {
        return Ok(Parts { negative, value: "0", whole: "0", fraction: "", suffix: "" });
    }
    let (digits, mut rest) = take_digits(stripped);
    let whole = if digits.is_empty() && !rest.is_empty() { "0" } else { digits };
    let mut fraction = "";
    if let Some(after) = rest.strip_prefix('.') {
        (fraction, rest) = take_digits(after);
    }
    let value = text.strip_suffix(rest).unwrap_or(text);
    let letters = rest.trim_start_matches(|c| "eEinumkKMGTP".contains(c));
    let exponent = letters.strip_prefix(['-', '+']).unwrap_or(letters);
    if !take_digits(exponent).1.is_empty() {
        return Err(ParseQuantityError::Format);
    }
    Ok(Parts { negative, value, whole, fraction, suffix: rest })
}

fn take_digits(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    text.split_at_checked(end).unwrap_or((text, ""))
}

fn interpret(suffix: &str) -> Result<Suffix, ParseQuantityError> {
    let decimal = |exponent| Ok(Suffix::Decimal(exponent, Format::DecimalSI));
    match suffix {
        "" => decimal(0),
        "n" => decimal(-9),
        "u" => decimal(-6),
        "m" => decimal(-3),
        "k" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        "Ki" => Ok(Suffix::Binary(10)),
        "Mi" => Ok(Suffix::Binary(20)),
        "Gi" => Ok(Suffix::Binary(30)),
        "Ti" => Ok(Suffix::Binary(40)),
        "Pi" => Ok(Suffix::Binary(50)),
        "Ei" => Ok(Suffix::Binary(60)),
        _ => exponent(suffix),
    }
}

fn exponent(suffix: &str) -> Result<Suffix, ParseQuantityError> {
    let digits = suffix.strip_prefix(['e', 'E']).ok_or(ParseQuantityError::Suffix)?;
    let number = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if number.is_empty() || !number.bytes().all(|b| b.is_ascii_digit()) {
        return Err(ParseQuantityError::Suffix);
    }
    let value = digits.parse::<i64>().map_err(|_| ParseQuantityError::Suffix)?;
    if value.abs() > MAX_EXPONENT {
        return Err(ParseQuantityError::TooLarge);
    }
    let value = i32::try_from(value).map_err(|_| ParseQuantityError::TooLarge)?;
    Ok(Suffix::Decimal(value, Format::DecimalExponent))
}

fn integer_form(
    text: &str,
    parts: &Parts<'_>,
    suffix: Suffix,
) -> Result<Option<Quantity>, ParseQuantityError> {
    let whole = length(parts.whole);
    let fraction = length(parts.fraction);
    let (factor, scale, precision, format) = match suffix {
        Suffix::Decimal(exponent, format) => {
            let precision = INT_DIGITS.saturating_sub(whole.saturating_add(fraction));
            (1, exponent.saturating_sub(fraction), precision, format)
        }
        Suffix::Binary(exponent) if fraction == 0 => {
            let precision = 15_i32.saturating_sub(whole) - exponent * 3 / 10 - 1;
            (1_i64 << exponent, 0, precision, Format::BinarySI)
        }
        Suffix::Binary(_) => return Ok(None),
    };
    if precision < 0 || scale < NANO {
        return Ok(None);
    }
    let digits = [parts.whole, parts.fraction].concat();
    let magnitude: i64 = digits.parse().map_err(|_| ParseQuantityError::Numeric)?;
    let Some(product) = magnitude.checked_mul(factor) else { return Ok(None) };
    // UPSTREAM: a text is kept when it looks canonical, also if it is only nearly so (`+5`).
    let keep = match suffix {
        Suffix::Binary(_) => magnitude & 7 != 0,
        Suffix::Decimal(..) => {
            scale % 3 == 0 && !digits.ends_with("000") && !digits.starts_with('0')
        }
    };
    Ok(Some(Quantity {
        amount: Amount::Int { value: if parts.negative { -product } else { product }, scale },
        format,
        text: (keep || text == "0").then(|| text.into()),
    }))
}

fn decimal_form(parts: &Parts<'_>, suffix: Suffix) -> Result<Quantity, ParseQuantityError> {
    if !parts.value.bytes().any(|b| b.is_ascii_digit()) {
        return Err(ParseQuantityError::Numeric);
    }
    let digits = [parts.whole, parts.fraction].concat();
    let mut dec = Decimal {
        unscaled: parse_digits(&digits).ok_or(ParseQuantityError::Numeric)?,
        scale: length(parts.fraction),
    };
    let mut format = Format::BinarySI;
    match suffix {
        Suffix::Decimal(exponent, written) => {
            dec.scale = dec.scale.saturating_sub(exponent);
            format = written;
        }
        Suffix::Binary(exponent) => dec.unscaled <<= exponent.unsigned_abs(),
    }
    if dec.sign() != 0 {
        dec = dec.rounded_away(-NANO);
    }
    if format == Format::BinarySI {
        let max = Decimal { unscaled: BigInt::from(i64::MAX), scale: 0 };
        let one = Decimal { unscaled: BigInt::from(1), scale: 0 };
        if dec.compare(&max).is_gt() {
            dec = max;
        } else if dec.sign() != 0 && dec.compare(&one).is_lt() {
            format = Format::DecimalSI;
        }
    }
    if parts.negative {
        dec.unscaled = -dec.unscaled;
    }
    Ok(Quantity { amount: Amount::Dec(dec), format, text: None })
}

fn parse_digits(digits: &str) -> Option<BigInt> {
    if digits.is_empty() { Some(BigInt::ZERO) } else { digits.parse().ok() }
}

fn length(text: &str) -> i32 {
    i32::try_from(text.len()).unwrap_or(i32::MAX)
}
