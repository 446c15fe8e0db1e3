use super::{Format, ParseQuantityError, Quantity};

fn quantity(text: &str) -> Quantity {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn prints_in_canonical_form() {
    for (text, printed) in [
        ("0", "0"),
        ("1.5", "1500m"),
        (".5", "500m"),
        ("1.5Gi", "1536Mi"),
        ("1024Mi", "1Gi"),
        ("1Mi", "1Mi"),
        ("1000m", "1"),
        ("1e3", "1e3"),
        ("12000", "12k"),
        ("512Ki", "512Ki"),
        ("1023", "1023"),
        ("0.5Ki", "512"),
        ("0.1Ki", "102400m"),
        ("1Pi", "1Pi"),
        ("5Ei", "5Ei"),
        ("100Ei", "9223372036854775807"),
        ("0.0000000001", "1n"),
        ("-5", "-5"),
        ("+5", "+5"),
        ("007", "007"),
        ("Ki", "0"),
        ("-Ki", "0"),
        ("e3", "0"),
        ("1000E", "1"),
        ("1234567890123456789012", "1234567890123456789012"),
        ("-1.5Gi", "-1536Mi"),
        ("0.0001Ki", "102400u"),
        ("1E5", "100e3"),
    ] {
        assert_eq!(quantity(text).to_string(), printed, "{text}");
    }
}

#[test]
fn reports_upstream_errors() {
    for (text, error) in [
        ("", ParseQuantityError::Format),
        ("1 ", ParseQuantityError::Format),
        ("1_0", ParseQuantityError::Format),
        ("1.5.5", ParseQuantityError::Format),
        ("foo", ParseQuantityError::Format),
        ("1i", ParseQuantityError::Suffix),
        ("1mm", ParseQuantityError::Suffix),
        ("1e", ParseQuantityError::Suffix),
        ("--1", ParseQuantityError::Suffix),
        ("1KiB", ParseQuantityError::Format),
        ("Ei", ParseQuantityError::Numeric),
        ("1e9999999999", ParseQuantityError::TooLarge),
    ] {
        assert_eq!(text.parse::<Quantity>().err(), Some(error), "{text}");
    }
}

#[test]
fn integer_form_decides_as_integer() {
    for (text, integer) in [
        ("8", Some(8)),
        ("1k", Some(1000)),
        ("9999Gi", Some(9999 << 30)),
        ("1Pi", None),
        ("100Ti", None),
        ("1000m", None),
        ("1.0", None),
        ("1.5Gi", None),
        ("1e18", Some(1_000_000_000_000_000_000)),
        ("1e19", None),
    ] {
        assert_eq!(quantity(text).as_i64(), integer, "{text}");
    }
}

#[test]
fn compares_by_number() {
    assert_eq!(quantity("1Ki"), quantity("1024"));
    assert!(quantity("1Pi") > quantity("1P"));
    assert!(quantity("1e100") > quantity("5Ei"));
    assert!(quantity("-1n") < quantity("0"));
    assert_eq!(quantity("1e-9"), quantity("1n"));
    assert!(quantity("9223372036854775807") < quantity("1e30"));
}

#[test]
fn adds_and_subtracts_exactly() {
    for (a, b, sum, difference) in [
        ("1Gi", "512Mi", "1536Mi", "512Mi"),
        ("0", "1Ki", "1Ki", "-1Ki"),
        ("1500m", "500m", "2", "1"),
        ("1Pi", "2", "1125899906842626", "1125899906842622"),
        ("9223372036854775807", "1", "9223372036854775808", "9223372036854775806"),
    ] {
        assert_eq!(quantity(a).add(&quantity(b)).to_string(), sum, "{a} + {b}");
        assert_eq!(quantity(a).sub(&quantity(b)).to_string(), difference, "{a} - {b}");
    }
}

#[test]
fn rounds_whole_units_away_from_zero() {
    for (text, value) in
        [("1500m", 2), ("-1500m", -2), ("1n", 1), ("1.5Gi", 1_610_612_736), ("1e19", 0), ("0", 0)]
    {
        assert_eq!(quantity(text).value_rounded_up(), value, "{text}");
    }
}

#[test]
fn zero_takes_the_other_format() {
    let zero = Quantity::from_i64(0, Format::DecimalSI);
    assert_eq!(zero.add(&quantity("2Mi")).format(), Format::BinarySI);
    assert_eq!(quantity("2Mi").add(&zero).format(), Format::BinarySI);
}

#[test]
fn approximates_as_a_double() {
    assert!((quantity("1500m").to_f64() - 1.5).abs() < f64::EPSILON);
    assert!((quantity("1.5Gi").to_f64() - 1_610_612_736.0).abs() < 1e-6);
}

#[test]
fn nanos_are_exact_both_ways() {
    for (text, nanos) in [
        ("1", 1_000_000_000),
        ("-2Gi", -2_147_483_648_000_000_000),
        ("1500m", 1_500_000_000),
        ("3n", 3),
        ("100Ti", 109_951_162_777_600_000_000_000),
        ("0", 0),
    ] {
        let quantity: Quantity = text.parse().unwrap();
        assert_eq!(quantity.nanos(), Some(nanos), "{text}");
        assert_eq!(Quantity::from_nanos(nanos, quantity.format()), quantity, "{text}");
    }
    assert_eq!("1e100".parse::<Quantity>().unwrap().nanos(), None);
    assert_eq!(Quantity::from_millis(1500, Format::DecimalSI).to_string(), "1500m");
}
