//! URLs. Source: `k8s.io/apiserver` `pkg/cel/library/urls.go`; Go's `net/url`.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Implementation, text};
use crate::gotext::quote;
use crate::value::{Error, Map, Outcome, Value};
use crate::work::Work;

/// Parameters of a query that Go reads.
const MAX_PARAMETERS: usize = 10_000;

/// A parsed URL.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Url {
    scheme: String,
    opaque: String,
    user: Option<(String, Option<String>)>,
    host: String,
    /// Decoded path.
    path: Vec<u8>,
    /// Path as written, where decoding and encoding would change it.
    raw_path: String,
    query: String,
    force_query: bool,
    omit_host: bool,
    fragment: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Path,
    Host,
    Zone,
    User,
    Query,
    Fragment,
}

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_to_url" => |args, work: &mut Work| {
            let source = text(args, 0)?;
            let failed = |source, error| {
                let what = "URL parse error during conversion from string";
                Error::new(format!("{what}: parse {}: {error}", quote(source)))
            };
            parse_request(source, work).map_err(|error| failed(source, error))?;
            let (address, fragment) = source.split_once('#').unwrap_or((source, ""));
            let mut url = parse(address, false, work).map_err(|error| failed(address, error))?;
            let fragment = unescape(fragment, Part::Fragment);
            url.fragment = lossy(fragment.map_err(|error| failed(source, error))?);
            Ok(Value::Url(Rc::new(url)))
        },
        "is_url_string" => {
            |args, work| Ok(Value::Bool(parse_request(text(args, 0)?, work).is_ok()))
        }
        "url_get_scheme" => |args, _| Ok(Value::string(url(args)?.scheme.as_str())),
        "url_get_host" => |args, _| Ok(Value::string(url(args)?.host.as_str())),
        "url_get_hostname" => |args, _| Ok(Value::string(split_port(&url(args)?.host).0)),
        "url_get_port" => |args, _| Ok(Value::string(split_port(&url(args)?.host).1)),
        "url_get_escaped_path" => |args, _| Ok(Value::string(url(args)?.escaped_path())),
        "url_get_query" => |args, work: &mut Work| query(&url(args)?.query, work),
        _ => return None,
    })
}

fn url(args: &[Value]) -> Result<&Url, Error> {
    match args.first() {
        Some(Value::Url(url)) => Ok(url),
        _ => Err(Error::no_overload()),
    }
}

/// What is wrong with a text that must be an absolute URL or path; none when it is one.
pub(crate) fn problem(source: &str, work: &Work) -> Option<String> {
    let error = parse_request(source, work).err()?;
    Some(format!("parse {}: {error}", quote(source)))
}

fn parse_request(source: &str, work: &Work) -> Result<Url, String> {
    parse(source, true, work)
}

fn parse(source: &str, request: bool, work: &Work) -> Result<Url, String> {
    if source.bytes().any(|b| b < b' ' || b == 0x7f) {
        return Err("net/url: invalid control character in URL".to_owned());
    }
    if source.is_empty() && request {
        return Err("empty url".to_owned());
    }
    let mut url = Url::default();
    if source == "*" {
        url.path = b"*".to_vec();
        return Ok(url);
    }
    let (scheme, mut rest) = split_scheme(source)?;
    url.scheme = scheme.to_ascii_lowercase();
    if rest.ends_with('?') && rest.matches('?').count() == 1 {
        url.force_query = true;
        rest = rest.strip_suffix('?').unwrap_or(rest);
    } else if let Some((before, query)) = rest.split_once('?') {
        rest = before;
        query.clone_into(&mut url.query);
    }
    if !rest.starts_with('/') {
        if !url.scheme.is_empty() {
            rest.clone_into(&mut url.opaque);
            return Ok(url);
        }
        if request {
            return Err("invalid URI for request".to_owned());
        }
        if rest.split('/').next().is_some_and(|segment| segment.contains(':')) {
            return Err("first path segment in URL cannot contain colon".to_owned());
        }
    }
    let has_scheme = !url.scheme.is_empty();
    if (has_scheme || !request && !rest.starts_with("///"))
        && let Some(tail) = rest.strip_prefix("//")
    {
        let end = tail.find('/').unwrap_or(tail.len());
        let (authority, path) = tail.split_at_checked(end).unwrap_or((tail, ""));
        rest = path;
        let one_colon = work.strict_hosts && matches!(url.scheme.as_str(), "http" | "https");
        (url.user, url.host) = parse_authority(authority, one_colon)?;
    } else if has_scheme && rest.starts_with('/') {
        url.omit_host = true;
    }
    url.path = unescape(rest, Part::Path)?;
    if escape(&url.path, Part::Path) != rest {
        rest.clone_into(&mut url.raw_path);
    }
    Ok(url)
}

fn split_scheme(source: &str) -> Result<(&str, &str), String> {
    for (index, byte) in source.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if index > 0 => {}
            b':' if index == 0 => return Err("missing protocol scheme".to_owned()),
            b':' => return Ok(source.split_once(':').unwrap_or(("", source))),
            _ => break,
        }
    }
    Ok(("", source))
}

type User = Option<(String, Option<String>)>;

fn parse_authority(authority: &str, one_colon: bool) -> Result<(User, String), String> {
    let Some((user, host)) = authority.rsplit_once('@') else {
        return Ok((None, parse_host(authority, one_colon)?));
    };
    let host = parse_host(host, one_colon)?;
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&b);
    if !user.bytes().all(allowed) {
        return Err("net/url: invalid userinfo".to_owned());
    }
    let (name, password) = match user.split_once(':') {
        Some((name, password)) => (name, Some(password)),
        None => (user, None),
    };
    let name = lossy(unescape(name, Part::User)?);
    let password = match password {
        Some(password) => Some(lossy(unescape(password, Part::User)?)),
        None => None,
    };
    Ok((Some((name, password)), host))
}

fn parse_host(host: &str, one_colon: bool) -> Result<String, String> {
    let bad_port = |port: &str| Err(format!("invalid port {} after host", quote(port)));
    if host.rfind('[').is_some_and(|at| at > 0) {
        return Err("invalid IP-literal".to_owned());
    }
    if let Some(literal) = host.strip_prefix('[') {
        let Some((address, port)) = literal.rsplit_once(']') else {
            return Err("missing ']' in host".to_owned());
        };
        if !is_optional_port(port) {
            return bad_port(port);
        }
        let (address, zone) = match address.find("%25") {
            Some(at) => address.split_at_checked(at).unwrap_or((address, "")),
            None => (address, ""),
        };
        let zone = lossy(unescape(zone, Part::Zone)?);
        let address = lossy(unescape(address, Part::Host)?) + &zone;
        let parsed = super::net::parse_literal(&address);
        match parsed {
            Err(error) => return Err(format!("invalid host: {error}")),
            Ok(std::net::IpAddr::V4(_)) => return Err("invalid IP-literal".to_owned()),
            Ok(std::net::IpAddr::V6(_)) => {}
        }
        return Ok(format!("[{address}]{port}"));
    }
    if let Some(first) = host.find(':') {
        let at = if one_colon { first } else { host.rfind(':').unwrap_or(first) };
        let port = host.get(at..).unwrap_or_default();
        if !is_optional_port(port) {
            return bad_port(port);
        }
    }
    unescape(host, Part::Host).map(lossy)
}

fn is_optional_port(port: &str) -> bool {
    port.is_empty()
        || port.strip_prefix(':').is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Host name and port.
fn split_port(host: &str) -> (&str, &str) {
    let (name, port) = match host.rfind(':') {
        Some(at) if is_optional_port(host.get(at..).unwrap_or_default()) => {
            let (name, port) = host.split_at_checked(at).unwrap_or((host, ""));
            (name, port.strip_prefix(':').unwrap_or(port))
        }
        _ => (host, ""),
    };
    let literal = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    (literal.unwrap_or(name), port)
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into())
}

fn unescape(source: &str, part: Part) -> Result<Vec<u8>, String> {
    let bytes = source.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'%' => {
                let hex =
                    source.get(at + 1..at + 3).filter(|h| h.bytes().all(|b| b.is_ascii_hexdigit()));
                let value = hex.and_then(|hex| u8::from_str_radix(hex, 16).ok());
                let shown = bytes.get(at..).unwrap_or_default();
                let shown = shown.get(..3).unwrap_or(shown);
                let invalid = || format!("invalid URL escape {}", quote_bytes(shown));
                let value = value.ok_or_else(invalid)?;
                let kept = match part {
                    Part::Host => value >= 0x80,
                    Part::Zone => value == b' ' || !should_escape(value, Part::Host),
                    _ => true,
                };
                if !kept && shown != b"%25" {
                    return Err(invalid());
                }
                out.push(value);
                at += 3;
            }
            b'+' if part == Part::Query => {
                out.push(b' ');
                at += 1;
            }
            byte => {
                let limited = matches!(part, Part::Host | Part::Zone);
                if limited && byte < 0x80 && should_escape(byte, part) {
                    let shown = quote(&char::from(byte).to_string());
                    return Err(format!("invalid character {shown} in host name"));
                }
                out.push(byte);
                at += 1;
            }
        }
    }
    Ok(out)
}

/// As [`quote`], of a text that may end within a character.
fn quote_bytes(bytes: &[u8]) -> String {
    let whole = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut quoted = quote(whole);
    quoted.pop();
    for byte in bytes.iter().skip(whole.len()) {
        let escaped = format!("\\x{byte:02x}");
        quoted.push_str(&escaped);
    }
    quoted + "\""
}

fn should_escape(byte: u8, part: Part) -> bool {
    if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
        return false;
    }
    match part {
        Part::Host | Part::Zone => !b"!$&'()*+,;=:[]<>\"".contains(&byte),
        Part::Path => !b"$&+,/:;=@".contains(&byte),
        Part::User => !b"$&+,;=".contains(&byte),
        Part::Fragment => !b"$&+,/:;=?@!()*".contains(&byte),
        Part::Query => true,
    }
}

fn escape(bytes: &[u8], part: Part) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if should_escape(byte, part) {
            let escaped = format!("%{byte:02X}");
            out.push_str(&escaped);
        } else {
            out.push(char::from(byte));
        }
    }
    out
}

impl Url {
    fn escaped_path(&self) -> String {
        let encoded = |b: u8| b"!$&'()*+,;=:@[]%".contains(&b) || !should_escape(b, Part::Path);
        if !self.raw_path.is_empty() && self.raw_path.bytes().all(encoded) {
            return self.raw_path.clone();
        }
        if self.path == b"*" {
            return "*".to_owned();
        }
        escape(&self.path, Part::Path)
    }

    /// The URL written anew.
    pub fn text(&self) -> String {
        let mut out = String::new();
        if !self.scheme.is_empty() {
            out.push_str(&self.scheme);
            out.push(':');
        }
        if self.opaque.is_empty() {
            self.push_hierarchy(&mut out);
        } else {
            out.push_str(&self.opaque);
        }
        if self.force_query || !self.query.is_empty() {
            out.push('?');
            out.push_str(&self.query);
        }
        if !self.fragment.is_empty() {
            out.push('#');
            out.push_str(&escape(self.fragment.as_bytes(), Part::Fragment));
        }
        out
    }

    fn push_hierarchy(&self, out: &mut String) {
        let named = !self.scheme.is_empty() || !self.host.is_empty() || self.user.is_some();
        let omitted = self.omit_host && self.host.is_empty() && self.user.is_none();
        if named && !omitted {
            if !self.host.is_empty() || !self.path.is_empty() || self.user.is_some() {
                out.push_str("//");
            }
            if let Some((name, password)) = &self.user {
                out.push_str(&escape(name.as_bytes(), Part::User));
                if let Some(password) = password {
                    out.push(':');
                    out.push_str(&escape(password.as_bytes(), Part::User));
                }
                out.push('@');
            }
            out.push_str(&escape(self.host.as_bytes(), Part::Host));
        }
        let path = self.escaped_path();
        if !path.is_empty() && !path.starts_with('/') && !self.host.is_empty() {
            out.push('/');
        }
        if out.is_empty() && path.split('/').next().is_some_and(|segment| segment.contains(':')) {
            out.push_str("./");
        }
        out.push_str(&path);
    }
}

fn query(text: &str, work: &mut Work) -> Outcome {
    let mut values: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    // Go reads none of too many.
    let text = if text.matches('&').count() < MAX_PARAMETERS { text } else { "" };
    for pair in text.split('&') {
        work.spend(pair.len() / 16)?;
        if pair.is_empty() || pair.contains(';') {
            continue;
        }
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (Ok(key), Ok(value)) = (unescape(key, Part::Query), unescape(value, Part::Query))
        else {
            continue;
        };
        values.entry(lossy(key)).or_default().push(Value::string(lossy(value)));
    }
    let entries = values.into_iter().map(|(key, values)| (Value::string(key), Value::list(values)));
    Ok(Value::Map(Rc::new(entries.collect::<Map>())))
}
