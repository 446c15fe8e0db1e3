//! Semantic versions with the rules and error texts of `github.com/blang/semver/v4`.

use std::cmp::Ordering;
use std::fmt;

use crate::gotext::quote;

/// A version. Equality and order are by precedence: build metadata does not count.
///
/// ```
/// use dra_playground_cel::semver::Version;
/// let candidate = Version::parse("2.0.0-rc.1+b5").unwrap();
/// assert!(candidate < Version::parse("2.0.0").unwrap());
/// ```
#[derive(Clone, Debug)]
pub struct Version {
    /// Major number.
    pub major: u64,
    /// Minor number.
    pub minor: u64,
    /// Patch number.
    pub patch: u64,
    /// Pre-release identifiers.
    pub pre: Vec<PreRelease>,
    /// Build metadata identifiers.
    pub build: Vec<String>,
}

/// One identifier of a pre-release; numbers come before text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PreRelease {
    /// Only digits.
    Number(u64),
    /// Letters, digits, hyphens.
    Text(String),
}

/// Why a text is not a version; the text is upstream's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseVersionError(String);

impl fmt::Display for ParseVersionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ParseVersionError {}

fn error<T>(text: impl Into<String>) -> Result<T, ParseVersionError> {
    Err(ParseVersionError(text.into()))
}

impl Version {
    /// Reads a full version: `major.minor.patch[-pre][+build]`.
    pub fn parse(text: &str) -> Result<Self, ParseVersionError> {
        if text.is_empty() {
            return error("Version string empty");
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return error("No Major.Minor.Patch elements found");
        };
        let major = number(major, "Major", "major")?;
        let minor = number(minor, "Minor", "minor")?;
        let (rest, build) = split_once(rest, '+');
        let (patch, pre) = split_once(rest, '-');
        let patch = number(patch, "Patch", "patch")?;
        let pre = match pre {
            Some(pre) => pre.split('.').map(pre_release).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        let build = match build {
            Some(build) => build.split('.').map(build_identifier).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        Ok(Self { major, minor, patch, pre, build })
    }

    /// Reads a version after Kubernetes' normalization: a leading `v`, leading zeros and missing
    /// parts are allowed. Source: `k8s.io/apiserver/pkg/cel/library` `normalizeAndParse`.
    pub fn parse_normalized(text: &str) -> Result<Self, ParseVersionError> {
        let text = text.strip_prefix('v').unwrap_or(text);
        let mut parts: Vec<String> = text.splitn(3, '.').map(strip_zeros).collect();
        if parts.len() < 3 {
            if parts.last().is_some_and(|last| last.contains(['+', '-'])) {
                return error("short version cannot contain PreRelease/Build meta data");
            }
            parts.resize(3, "0".to_owned());
        }
        Self::parse(&parts.join("."))
    }
}

fn split_once(text: &str, separator: char) -> (&str, Option<&str>) {
    text.split_once(separator).map_or((text, None), |(left, right)| (left, Some(right)))
}

fn strip_zeros(part: &str) -> String {
    if part.len() <= 1 {
        return part.to_owned();
    }
    let stripped = part.trim_start_matches('0');
    if stripped.starts_with(|c: char| c.is_ascii_digit()) {
        stripped.to_owned()
    } else {
        format!("0{stripped}")
    }
}

fn number(text: &str, title: &str, name: &str) -> Result<u64, ParseVersionError> {
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return error(format!("Invalid character(s) found in {name} number {}", quote(text)));
    }
    if has_leading_zeros(text) {
        return error(format!("{title} number must not contain leading zeroes {}", quote(text)));
    }
    parse_u64(text)
}

fn parse_u64(text: &str) -> Result<u64, ParseVersionError> {
    text.parse().or_else(|_| {
        let reason = if text.is_empty() { "invalid syntax" } else { "value out of range" };
        error(format!("strconv.ParseUint: parsing {}: {reason}", quote(text)))
    })
}

fn has_leading_zeros(text: &str) -> bool {
    text.len() > 1 && text.starts_with('0')
}

fn is_identifier(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

fn pre_release(text: &str) -> Result<PreRelease, ParseVersionError> {
    if text.is_empty() {
        return error("Prerelease is empty");
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        if has_leading_zeros(text) {
            let quoted = quote(text);
            return error(format!(
                "Numeric PreRelease version must not contain leading zeroes {quoted}"
            ));
        }
        return parse_u64(text).map(PreRelease::Number);
    }
    if is_identifier(text) {
        return Ok(PreRelease::Text(text.to_owned()));
    }
    error(format!("Invalid character(s) found in prerelease {}", quote(text)))
}

fn build_identifier(text: &str) -> Result<String, ParseVersionError> {
    if text.is_empty() {
        return error("Build meta data is empty");
    }
    if is_identifier(text) {
        return Ok(text.to_owned());
    }
    error(format!("Invalid character(s) found in build meta data {}", quote(text)))
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.major, self.minor, self.patch)
            .cmp(&(other.major, other.minor, other.patch))
            .then_with(|| match (self.pre.is_empty(), other.pre.is_empty()) {
                (true, true) => Ordering::Equal,
                (true, false) => Ordering::Greater,
                (false, true) => Ordering::Less,
                (false, false) => self.pre.cmp(&other.pre),
            })
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Version {}

impl fmt::Display for PreRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        for (index, pre) in self.pre.iter().enumerate() {
            write!(f, "{}{pre}", if index == 0 { '-' } else { '.' })?;
        }
        for (index, build) in self.build.iter().enumerate() {
            write!(f, "{}{build}", if index == 0 { '+' } else { '.' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Version;

    #[test]
    fn reports_upstream_errors() {
        for (text, expected) in [
            ("", "Version string empty"),
            ("1.2", "No Major.Minor.Patch elements found"),
            ("v1.2.3", "Invalid character(s) found in major number \"v1\""),
            ("01.2.3", "Major number must not contain leading zeroes \"01\""),
            ("1.02.3", "Minor number must not contain leading zeroes \"02\""),
            ("1.2.x", "Invalid character(s) found in patch number \"x\""),
            (".2.3", "strconv.ParseUint: parsing \"\": invalid syntax"),
            (
                "99999999999999999999.0.0",
                "strconv.ParseUint: parsing \"99999999999999999999\": value out of range",
            ),
            ("1.2.3-", "Prerelease is empty"),
            ("1.2.3-01", "Numeric PreRelease version must not contain leading zeroes \"01\""),
            ("1.2.3-é", "Invalid character(s) found in prerelease \"é\""),
            ("1.2.3+", "Build meta data is empty"),
            ("1.2.3+é", "Invalid character(s) found in build meta data \"é\""),
        ] {
            let found = Version::parse(text).map(|v| v.to_string()).map_err(|e| e.to_string());
            assert_eq!(found, Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn orders_by_precedence() {
        let ordered = ["1.0.0-1", "1.0.0-2", "1.0.0-10", "1.0.0-a", "1.0.0-a.1", "1.0.0", "1.10.0"];
        for pair in ordered.windows(2) {
            let [low, high] = pair else { continue };
            assert!(Version::parse(low).unwrap() < Version::parse(high).unwrap(), "{low} {high}");
        }
        assert_eq!(Version::parse("1.0.0+a").unwrap(), Version::parse("1.0.0+b").unwrap());
    }

    #[test]
    fn normalizes_as_kubernetes() {
        for (text, expected) in [
            ("v1.2.3", "1.2.3"),
            ("1", "1.0.0"),
            ("01.02", "1.2.0"),
            ("1.00.03", "1.0.3"),
            ("v1.2.03-rc.1+x", "1.2.3-rc.1+x"),
        ] {
            assert_eq!(Version::parse_normalized(text).unwrap().to_string(), expected);
        }
        assert!(Version::parse_normalized("1.2-rc").is_err());
    }
}
