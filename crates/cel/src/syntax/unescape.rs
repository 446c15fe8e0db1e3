//! String tokens to their values. Source: cel-go `parser/unescape.go`.

/// Upstream's text for a sequence that is none.
const UNESCAPE: &str = "unable to unescape string";

/// The value of a string token, quotes and `r` included.
pub(super) fn string(token: &str) -> Result<String, &'static str> {
    let (body, raw) = body(token)?;
    let body = normalize_newlines(body);
    if raw || !body.contains('\\') {
        return Ok(body);
    }
    let mut out = String::with_capacity(body.len());
    let mut rest = body.as_str();
    while let Some(at) = rest.find('\\') {
        out.push_str(rest.get(..at).unwrap_or_default());
        let (code, length) = escape(rest.get(at + 1..).unwrap_or_default())?;
        out.push(char::from_u32(code).ok_or("invalid unicode code point")?);
        rest = rest.get(at + 1 + length..).unwrap_or_default();
    }
    out.push_str(rest);
    Ok(out)
}

/// The value of a bytes token without its `b`.
pub(super) fn bytes(token: &str) -> Result<Vec<u8>, &'static str> {
    let (body, raw) = body(token)?;
    let body = normalize_newlines(body);
    if raw {
        return Ok(body.into_bytes());
    }
    let mut out = Vec::with_capacity(body.len());
    let mut rest = body.as_str();
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(rest.get(..at).unwrap_or_default().as_bytes());
        let tail = rest.get(at + 1..).unwrap_or_default();
        if tail.starts_with(['u', 'U']) {
            return Err(UNESCAPE);
        }
        let (code, length) = escape(tail)?;
        out.push(u8::try_from(code).map_err(|_| UNESCAPE)?);
        rest = rest.get(at + 1 + length..).unwrap_or_default();
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(out)
}

fn normalize_newlines(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.into() }
}

fn body(token: &str) -> Result<(&str, bool), &'static str> {
    let unprefixed = token.strip_prefix(['r', 'R']);
    let text = unprefixed.unwrap_or(token);
    for quote in ["\"\"\"", "'''", "\"", "'"] {
        if text.len() >= 2 * quote.len()
            && let Some(body) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote))
        {
            return Ok((body, unprefixed.is_some()));
        }
    }
    Err(UNESCAPE)
}

/// Code point and length of an escape sequence after its backslash.
fn escape(text: &str) -> Result<(u32, usize), &'static str> {
    let digits = |from: usize, count: usize, radix: u32| {
        text.get(from..from + count)
            .and_then(|digits| u32::from_str_radix(digits, radix).ok())
            .map(|code| (code, from + count))
            .ok_or(UNESCAPE)
    };
    let simple = |code: u32| Ok((code, 1));
    match text.bytes().next() {
        Some(b'a') => simple(7),
        Some(b'b') => simple(8),
        Some(b'f') => simple(12),
        Some(b'n') => simple(10),
        Some(b'r') => simple(13),
        Some(b't') => simple(9),
        Some(b'v') => simple(11),
        Some(c @ (b'\\' | b'\'' | b'"' | b'`' | b'?')) => simple(u32::from(c)),
        Some(b'x' | b'X') => digits(1, 2, 16),
        Some(b'u') => digits(1, 4, 16),
        Some(b'U') => digits(1, 8, 16),
        Some(b'0'..=b'3') => digits(0, 3, 8),
        _ => Err(UNESCAPE),
    }
}
