use super::Regex;
use crate::work::Work;

#[track_caller]
fn check(pattern: &str, text: &str, expected: Option<&str>) {
    let regex = Regex::new(pattern).unwrap_or_else(|error| panic!("{error}"));
    let found = regex.find_at(text, 0, &mut Work::default()).unwrap();
    assert_eq!(
        found.and_then(|(start, end)| text.get(start..end)),
        expected,
        "{pattern} in {text}"
    );
}

#[track_caller]
fn check_error(pattern: &str, expected: &str) {
    assert_eq!(Regex::new(pattern).err().as_deref(), Some(expected), "{pattern}");
}

#[test]
fn prefers_as_perl_does() {
    check("a|ab", "ab", Some("a"));
    check("a+?", "aaa", Some("a"));
    check("a{2,3}", "aaaa", Some("aaa"));
    check("(a|b)*c", "xabac", Some("abac"));
    check("^b", "ab", None);
    check("(?m)^b", "a\nb", Some("b"));
    check("a.c", "a\nc", None);
    check("(?s)a.c", "a\nc", Some("a\nc"));
    check("", "a", Some(""));
}

#[test]
fn knows_gos_classes() {
    check(r"\d+", "٣4", Some("4"));
    check(r"\s", "\u{b}", None);
    check("[[:space:]]", "\u{b}", Some("\u{b}"));
    check(r"[^\d]+", "12ab3", Some("ab"));
    check("(?i)STRASSE", "strasse", Some("strasse"));
    check("(?i)k", "\u{212a}", Some("\u{212a}"));
    check(r"\pL+", "1äb2", Some("äb"));
    check(r"\bfoo\b", "a foo b", Some("foo"));
    check(r"\Qa.b\E+", "a.bb", Some("a.bb"));
    check("a{,2}", "a{,2}", Some("a{,2}"));
    check("[a&&b]+", "&a", Some("&a"));
    check(r"\x{41}\101", "AA", Some("AA"));
}

#[test]
fn knows_the_classes_of_unicode() {
    check(r"\p{Thai}+", "abกขค1", Some("กขค"));
    check(r"\P{Thai}+", "กa1ข", Some("a1"));
    check(r"\p{^Thai}+", "กa1ข", Some("a1"));
    check(r"\P{^thai}+", "aกขb", Some("กข"));
    check(r"[\p{Greek}\p{Nd}]+", "aΩ٣b", Some("Ω٣"));
    check(r"[^\p{L}\d]+", "aé-_7", Some("-_"));
    check(r"\p{Uppercase_Letter}+", "aÉBc", Some("ÉB"));
    check(r"(?i)\p{Lu}+", "1éΣς2", Some("éΣς"));
    check(r"(?i)\P{Lu}+", "aBé", None);
    // The Kelvin sign is a letter k when case does not matter, hence no `\W`.
    check(r"(?i)\W", "k\u{212a}ſ", None);
    check(r"(?i)[^\W]+", "\u{212a}", Some("\u{212a}"));
    check(r"\W", "\u{212a}", Some("\u{212a}"));
    check(r"(?i)\D[[:^upper:]]", "ab", None);
    check("(?i)θ+", "ϴϑΘθ", Some("ϴϑΘθ"));
    check("(?i)ß", "ẞ", Some("ẞ"));
    check("(?i)ǆ", "ǅ", Some("ǅ"));
    check_error(
        r"\p{Old_Italic}",
        r"error parsing regexp: invalid character class range: `\p{Old_Italic}`",
    );
    let many = r"\p{L}{1000}".to_owned();
    check(&many, "a", None);
}

#[test]
fn refuses_with_gos_texts() {
    check_error("(", "error parsing regexp: missing closing ): `(`");
    check_error("a)", "error parsing regexp: unexpected ): `a)`");
    check_error("[a", "error parsing regexp: missing closing ]: `[a`");
    check_error("a**", "error parsing regexp: invalid nested repetition operator: `**`");
    check_error("*", "error parsing regexp: missing argument to repetition operator: `*`");
    check_error("a{1001}", "error parsing regexp: invalid repeat count: `{1001}`");
    check_error("(?=a)", "error parsing regexp: invalid or unsupported Perl syntax: `(?=`");
    check_error(r"\8", r"error parsing regexp: invalid escape sequence: `\8`");
    check_error("a\\", "error parsing regexp: trailing backslash at end of expression: ``");
    check_error("[z-a]", "error parsing regexp: invalid character class range: `z-a`");
    check_error("(?P<1a", "error parsing regexp: invalid named capture: `(?P<1a`");
    check_error(r"\pX", r"error parsing regexp: invalid character class range: `\pX`");
}

#[test]
fn takes_linear_time() {
    let text = "a".repeat(2_000);
    check("(a*)*b", &text, None);
    check("(a|a)*$", &text, Some(&text));
}
