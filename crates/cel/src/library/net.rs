//! IP addresses and ranges. Source: `k8s.io/apiserver` `pkg/cel/library` `ip.go`, `cidr.go`; Go's
//! `net/netip`.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::rc::Rc;

use super::{Implementation, text};
use crate::gotext::quote;
use crate::value::{Cidr, Error, Outcome, Value};
use crate::work::Work;

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    Some(match overload {
        "string_to_ip" => |args, _| parse_ip(text(args, 0)?).map(Value::Ip).map_err(Error::new),
        "is_ip" => |args, _| Ok(Value::Bool(parse_ip(text(args, 0)?).is_ok())),
        "ip_is_canonical" => |args, _| {
            let source = text(args, 0)?;
            let address = parse_ip(source).map_err(Error::new)?;
            Ok(Value::Bool(address.to_string() == source))
        },
        "ip_family" => |args, _| Ok(Value::Int(if ip(args, 0)?.is_ipv4() { 4 } else { 6 })),
        "ip_is_unspecified" => |args, _| Ok(Value::Bool(ip(args, 0)?.is_unspecified())),
        "ip_is_loopback" => |args, _| Ok(Value::Bool(ip(args, 0)?.is_loopback())),
        "ip_is_link_local_multicast" => |args, _| {
            Ok(Value::Bool(match ip(args, 0)? {
                IpAddr::V4(v4) => v4.octets().starts_with(&[224, 0, 0]),
                IpAddr::V6(v6) => {
                    v6.octets().starts_with(&[0xff])
                        && v6.octets().get(1).is_some_and(|b| b & 0x0f == 2)
                }
            }))
        },
        "ip_is_link_local_unicast" => |args, _| Ok(Value::Bool(link_local(ip(args, 0)?))),
        "ip_is_global_unicast" => |args, _| {
            let address = ip(args, 0)?;
            let broadcast = matches!(address, IpAddr::V4(v4) if v4.is_broadcast());
            let special = address.is_unspecified()
                || address.is_loopback()
                || address.is_multicast()
                || link_local(address);
            Ok(Value::Bool(!broadcast && !special))
        },
        "string_to_cidr" => |args, _: &mut Work| {
            let cidr = parse_cidr(text(args, 0)?).map_err(|error| {
                Error::new(format!(
                    "network address parse error during conversion from string: {error}"
                ))
            })?;
            Ok(Value::Cidr(Rc::new(cidr)))
        },
        "is_cidr" => |args, _| Ok(Value::Bool(parse_cidr(text(args, 0)?).is_ok())),
        "cidr_contains_ip_string" => |args, _| match parse_ip(text(args, 1)?) {
            Ok(address) => Ok(Value::Bool(contains(cidr(args, 0)?, address))),
            Err(_) => Err(Error::no_overload()),
        },
        "cidr_contains_ip_ip" => |args, _| Ok(Value::Bool(contains(cidr(args, 0)?, ip(args, 1)?))),
        "cidr_contains_cidr_string" => |args, _| {
            let other = parse_cidr(text(args, 1)?).map_err(|error| {
                Error::new(format!(
                    "network address parse error during conversion from string: {error}"
                ))
            });
            match other {
                Ok(other) => Ok(Value::Bool(covers(cidr(args, 0)?, &other))),
                Err(error) => Err(error),
            }
        },
        "cidr_contains_cidr" => |args, _| Ok(Value::Bool(covers(cidr(args, 0)?, cidr(args, 1)?))),
        "cidr_ip" => |args, _| Ok(Value::Ip(cidr(args, 0)?.address)),
        "cidr_prefix_length" => |args, _| Ok(Value::Int(i64::from(cidr(args, 0)?.bits))),
        "cidr_masked" => |args, _| -> Outcome {
            let cidr = cidr(args, 0)?;
            let address = masked(cidr.address, cidr.bits);
            Ok(Value::Cidr(Rc::new(Cidr { address, bits: cidr.bits })))
        },
        _ => return None,
    })
}

fn ip(args: &[Value], index: usize) -> Result<IpAddr, Error> {
    match args.get(index) {
        Some(Value::Ip(address)) => Ok(*address),
        _ => Err(Error::no_overload()),
    }
}

fn cidr(args: &[Value], index: usize) -> Result<&Cidr, Error> {
    match args.get(index) {
        Some(Value::Cidr(cidr)) => Ok(cidr),
        _ => Err(Error::no_overload()),
    }
}

fn link_local(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_unicast_link_local(),
    }
}

fn masked(address: IpAddr, bits: u8) -> IpAddr {
    match address {
        IpAddr::V4(v4) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(bits)).unwrap_or(0);
            IpAddr::V4(Ipv4Addr::from(u32::from(v4) & mask))
        }
        IpAddr::V6(v6) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(bits)).unwrap_or(0);
            IpAddr::V6(Ipv6Addr::from(u128::from(v6) & mask))
        }
    }
}

fn contains(cidr: &Cidr, address: IpAddr) -> bool {
    cidr.address.is_ipv4() == address.is_ipv4()
        && masked(cidr.address, cidr.bits) == masked(address, cidr.bits)
}

fn covers(cidr: &Cidr, other: &Cidr) -> bool {
    cidr.bits <= other.bits && contains(cidr, other.address)
}

/// Reads an address with Kubernetes' restrictions; the error is its whole text.
fn parse_ip(source: &str) -> Result<IpAddr, String> {
    let quoted = quote(source);
    let (address, zone) = parse_addr(source).map_err(|error| {
        format!("IP Address {quoted} parse error during conversion from string: {error}")
    })?;
    if zone {
        return Err(format!("IP address {quoted} with zone value is not allowed"));
    }
    if is_mapped(address) {
        return Err(format!("IPv4-mapped IPv6 address {quoted} is not allowed"));
    }
    Ok(address)
}

fn is_mapped(address: IpAddr) -> bool {
    matches!(address, IpAddr::V6(v6) if v6.to_ipv4_mapped().is_some())
}

fn addr_error(source: &str, message: &str, at: &str) -> String {
    let at = if at.is_empty() { String::new() } else { format!(" (at {})", quote(at)) };
    format!("ParseAddr({}): {message}{at}", quote(source))
}

/// Go's `netip.ParseAddr`: the address and whether it names a zone.
fn parse_addr(source: &str) -> Result<(IpAddr, bool), String> {
    match source.find(['.', ':', '%']).and_then(|at| source.as_bytes().get(at)) {
        Some(b'.') => parse_v4(source).map(|v4| (IpAddr::V4(v4), false)),
        Some(b':') => parse_v6(source),
        Some(_) => Err(addr_error(source, "missing IPv6 address", "")),
        None => Err(addr_error(source, "unable to parse IP", "")),
    }
}

fn parse_v4(source: &str) -> Result<Ipv4Addr, String> {
    v4_fields(source, source)
}

/// The four fields of an IPv4 address; `source` is the whole text for messages.
fn v4_fields(source: &str, text: &str) -> Result<Ipv4Addr, String> {
    let fail = |message: &str, at: &str| Err(addr_error(source, message, at));
    let mut fields = [0_u8; 4];
    let mut position = 0_usize;
    let mut value = 0_u32;
    let mut digits = 0_usize;
    for (index, byte) in text.bytes().enumerate() {
        let tail = text.get(index..).unwrap_or_default();
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return fail("IPv4 field has octet with leading zero", "");
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return fail("IPv4 field has value >255", "");
                }
            }
            b'.' => {
                if index == 0 || index + 1 == text.len() || digits == 0 {
                    return fail("IPv4 field must have at least one digit", tail);
                }
                if position == 3 {
                    return fail("IPv4 address too long", "");
                }
                if let Some(field) = fields.get_mut(position) {
                    *field = u8::try_from(value).unwrap_or(u8::MAX);
                }
                position += 1;
                value = 0;
                digits = 0;
            }
            _ => return fail("unexpected character", tail),
        }
    }
    if position < 3 {
        return fail("IPv4 address too short", "");
    }
    if let Some(field) = fields.get_mut(3) {
        *field = u8::try_from(value).unwrap_or(u8::MAX);
    }
    Ok(Ipv4Addr::from(fields))
}

#[expect(
    clippy::too_many_lines,
    reason = "one loop over the fields, in upstream's order of checks"
)]
fn parse_v6(source: &str) -> Result<(IpAddr, bool), String> {
    let fail = |message: &str, at: &str| Err(addr_error(source, message, at));
    let (mut text, zone) = match source.split_once('%') {
        Some((text, zone)) => (text, Some(zone)),
        None => (source, None),
    };
    if zone == Some("") {
        return fail("zone must be a non-empty string", "");
    }
    let mut fields = [0_u8; 16];
    let mut put = |index: usize, value: u8| {
        if let Some(field) = fields.get_mut(index) {
            *field = value;
        }
    };
    let mut ellipsis: Option<usize> = None;
    if let Some(rest) = text.strip_prefix("::") {
        ellipsis = Some(0);
        text = rest;
        if text.is_empty() {
            return Ok((IpAddr::V6(Ipv6Addr::UNSPECIFIED), zone.is_some()));
        }
    }
    let mut filled = 0_usize;
    while filled < 16 {
        let mut length = 0_usize;
        let mut value = 0_u32;
        for byte in text.bytes() {
            let Some(digit) = char::from(byte).to_digit(16) else { break };
            value = (value << 4) + digit;
            length += 1;
            if length > 4 {
                return fail("each group must have 4 or less digits", text);
            }
            if value > 0xffff {
                return fail("IPv6 field has value >=2^16", text);
            }
        }
        if length == 0 {
            return fail("each colon-separated field must have at least one digit", text);
        }
        if text.as_bytes().get(length) == Some(&b'.') {
            if ellipsis.is_none() && filled != 12 {
                return fail(
                    "embedded IPv4 address must replace the final 2 fields of the address",
                    text,
                );
            }
            if filled + 4 > 16 {
                return fail(
                    "too many hex fields to fit an embedded IPv4 at the end of the address",
                    text,
                );
            }
            let tail = v4_fields(source, text)?;
            for (index, octet) in tail.octets().into_iter().enumerate() {
                put(filled + index, octet);
            }
            text = "";
            filled += 4;
            break;
        }
        let [high, low] = u16::try_from(value).unwrap_or(0).to_be_bytes();
        put(filled, high);
        put(filled + 1, low);
        filled += 2;
        text = text.get(length..).unwrap_or_default();
        if text.is_empty() {
            break;
        }
        let Some(rest) = text.strip_prefix(':') else {
            return fail("unexpected character, want colon", text);
        };
        if rest.is_empty() {
            return fail("colon must be followed by more characters", text);
        }
        text = rest;
        if let Some(rest) = text.strip_prefix(':') {
            if ellipsis.is_some() {
                return fail("multiple :: in address", text);
            }
            ellipsis = Some(filled);
            text = rest;
            if text.is_empty() {
                break;
            }
        }
    }
    if !text.is_empty() {
        return fail("trailing garbage after address", text);
    }
    if filled < 16 {
        let Some(at) = ellipsis else { return fail("address string too short", "") };
        let gap = 16 - filled;
        let moved: Vec<u8> = fields.get(at..filled).unwrap_or_default().to_vec();
        for field in fields.iter_mut().skip(at) {
            *field = 0;
        }
        for (field, value) in fields.iter_mut().skip(at + gap).zip(moved) {
            *field = value;
        }
    } else if ellipsis.is_some() {
        return fail("the :: must expand to at least one field of zeros", "");
    }
    Ok((IpAddr::V6(Ipv6Addr::from(fields)), zone.is_some()))
}

/// Reads a range with Kubernetes' restrictions; the error is what follows upstream's first prefix.
fn parse_cidr(source: &str) -> Result<Cidr, String> {
    let quoted = quote(source);
    let prefix_error = |message: &str| format!("netip.ParsePrefix({quoted}): {message}");
    let wrapped = |message: String| {
        format!("network address parse error during conversion from string: {message}")
    };
    let Some((address, bits_text)) = source.rsplit_once('/') else {
        return Err(wrapped(prefix_error("no '/'")));
    };
    let (parsed, zone) = parse_addr(address).map_err(|error| {
        // Go quotes the inner error's own text without its function name.
        wrapped(prefix_error(&error))
    })?;
    if zone {
        return Err(wrapped(prefix_error("IPv6 zones cannot be present in a prefix")));
    }
    let valid = !bits_text.is_empty() && bits_text.bytes().all(|b| b.is_ascii_digit());
    let leading = bits_text.len() > 1 && !bits_text.starts_with(|c: char| ('1'..='9').contains(&c));
    let bits = if valid && !leading { bits_text.parse::<u32>().ok() } else { None };
    let Some(bits) = bits else {
        return Err(wrapped(prefix_error(&format!("bad bits after slash: {}", quote(bits_text)))));
    };
    let most = if parsed.is_ipv4() { 32 } else { 128 };
    if bits > most {
        return Err(wrapped(prefix_error("prefix length out of range")));
    }
    if is_mapped(parsed) {
        return Err(format!("IPv4-mapped IPv6 address {quoted} is not allowed"));
    }
    Ok(Cidr { address: parsed, bits: u8::try_from(bits).unwrap_or(0) })
}

/// The address inside the brackets of a URL.
pub(super) fn parse_literal(source: &str) -> Result<IpAddr, String> {
    parse_addr(source).map(|(address, _)| address)
}
