//! Text to tokens, as cel-go's grammar cuts it.

/// A token kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Ident,
    Escaped,
    Int,
    Uint,
    Float,
    String,
    Bytes,
    True,
    False,
    Null,
    /// Operators and brackets, by their text.
    Punct(&'static str),
    End,
}

/// A token with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    pub(super) text: &'a str,
    /// First code point.
    pub(super) start: u32,
    /// One past the last code point.
    pub(super) end: u32,
}

/// Cuts a text into tokens; `None` when some part of it is no token.
pub(super) fn tokenize(text: &str) -> Option<Vec<Token<'_>>> {
    let (tokens, unknown) = scan(text);
    unknown.is_empty().then_some(tokens)
}

/// Cuts a text into tokens, and into parts that are none: those with the number of the token that
/// follows them.
pub(super) fn scan(text: &str) -> (Vec<Token<'_>>, Vec<(usize, Token<'_>)>) {
    let mut tokens = Vec::with_capacity(text.len() / 3 + 2);
    let mut unknown = Vec::new();
    let mut rest = text;
    let mut start = 0_u32;
    loop {
        let (blank, after) = rest.split_at_checked(blank_length(rest)).unwrap_or((rest, ""));
        start += count(blank);
        let found = if after.is_empty() { Some((Kind::End, 0)) } else { next(after) };
        let (kind, length) = found.unwrap_or_else(|| (Kind::End, dead_end(after)));
        let (text, after) = after.split_at_checked(length).unwrap_or((after, ""));
        let token = Token { kind, text, start, end: start + count(text) };
        start = token.end;
        rest = after;
        if found.is_none() {
            unknown.push((tokens.len(), token));
            continue;
        }
        tokens.push(token);
        if kind == Kind::End {
            return (tokens, unknown);
        }
    }
}

/// Bytes of a text that begins no token, with the character that shows it.
fn dead_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let at = match bytes.first() {
        Some(quote @ (b'"' | b'\'')) => {
            let mut at = 1;
            loop {
                match bytes.get(at) {
                    None | Some(b'\n' | b'\r') => break at,
                    Some(byte) if byte == quote => break at,
                    Some(b'\\') => match bytes.get(at..).and_then(escape_length) {
                        Some(length) => at += 1 + length,
                        None => break at + escape_dead_end(bytes.get(at..).unwrap_or_default()),
                    },
                    Some(_) => at += 1,
                }
            }
        }
        Some(b'`') => 1 + text.get(1..).map_or(0, escaped_length),
        Some(b'&' | b'|' | b'=') => 1,
        _ => 0,
    };
    at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

/// How far an escape sequence that is none could be one.
fn escape_dead_end(bytes: &[u8]) -> usize {
    let (least, most, digit): (usize, usize, fn(&u8) -> bool) = match bytes.get(1) {
        Some(b'x' | b'X') => (2, 4, u8::is_ascii_hexdigit),
        Some(b'u') => (2, 6, u8::is_ascii_hexdigit),
        Some(b'U') => (2, 10, u8::is_ascii_hexdigit),
        Some(b'0'..=b'3') => (2, 4, |byte| (b'0'..=b'7').contains(byte)),
        _ => return 1,
    };
    let digits = bytes.get(least..).unwrap_or_default().iter().take_while(|byte| digit(byte));
    (least + digits.count()).min(most)
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
}

fn blank_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\r' | b'\n' | 0x0c) => at += 1,
            Some(b'/') if bytes.get(at + 1) == Some(&b'/') => {
                at += text.get(at..).and_then(|t| t.find('\n')).unwrap_or(text.len() - at);
            }
            _ => return at,
        }
    }
}

fn next(text: &str) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    let first = *bytes.first()?;
    match first {
        b'0'..=b'9' => Some(number(bytes)),
        b'.' if bytes.get(1).is_some_and(u8::is_ascii_digit) => Some(number(bytes)),
        b'"' | b'\'' => Some((Kind::String, string(text, 0)?)),
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => word(text),
        b'`' => escaped(text),
        _ => punct(text),
    }
}

fn digits(bytes: &[u8], from: usize) -> usize {
    let tail = bytes.get(from..).unwrap_or_default();
    from + tail.iter().take_while(|b| b.is_ascii_digit()).count()
}

fn number(bytes: &[u8]) -> (Kind, usize) {
    if bytes.starts_with(b"0x") {
        let tail = bytes.get(2..).unwrap_or_default();
        let hex = tail.iter().take_while(|b| b.is_ascii_hexdigit()).count();
        if hex > 0 {
            return unsigned(bytes, 2 + hex);
        }
    }
    let whole = digits(bytes, 0);
    let mut end = whole;
    if bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit) {
        end = digits(bytes, end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(bytes, end + 1 + sign);
        if exponent > end + 1 + sign {
            return (Kind::Float, exponent);
        }
    }
    if end > whole { (Kind::Float, end) } else { unsigned(bytes, end) }
}

fn unsigned(bytes: &[u8], end: usize) -> (Kind, usize) {
    match bytes.get(end) {
        Some(b'u' | b'U') => (Kind::Uint, end + 1),
        _ => (Kind::Int, end),
    }
}

fn word(text: &str) -> Option<(Kind, usize)> {
    let bytes = text.as_bytes();
    let length = bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let word = text.get(..length)?;
    let quote = matches!(bytes.get(length), Some(b'"' | b'\''));
    if quote {
        let kind = match word {
            "r" | "R" => Some(Kind::String),
            "b" | "B" | "br" | "bR" | "Br" | "BR" => Some(Kind::Bytes),
            _ => None,
        };
        if let Some(kind) = kind
            && let Some(end) = string(text, length)
        {
            return Some((kind, end));
        }
    }
    let kind = match word {
        "in" => Kind::Punct("in"),
        "true" => Kind::True,
        "false" => Kind::False,
        "null" => Kind::Null,
        _ => Kind::Ident,
    };
    Some((kind, length))
}

fn escaped(text: &str) -> Option<(Kind, usize)> {
    let inner = text.get(1..)?;
    let length = escaped_length(inner);
    let closed = length > 0 && inner.as_bytes().get(length) == Some(&b'`');
    closed.then_some((Kind::Escaped, length + 2))
}

fn escaped_length(text: &str) -> usize {
    let allowed =
        |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'-' | b'/' | b' ');
    text.bytes().take_while(allowed).count()
}

/// The end of a string whose quote stands at `open`; letters before it are its prefix.
fn string(text: &str, open: usize) -> Option<usize> {
    let raw = text.get(..open)?.contains(['r', 'R']);
    let quote = *text.as_bytes().get(open)?;
    let triple = match quote {
        b'"' => "\"\"\"",
        _ => "'''",
    };
    let tail = text.get(open..)?;
    if tail.starts_with(triple)
        && let Some(end) = string_end(tail, 3, triple, raw)
    {
        return Some(open + end);
    }
    string_end(tail, 1, triple.get(..1)?, raw).map(|end| open + end)
}

fn string_end(text: &str, from: usize, close: &str, raw: bool) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = from;
    loop {
        let tail = bytes.get(at..)?;
        if tail.starts_with(close.as_bytes()) {
            return Some(at + close.len());
        }
        match tail.first()? {
            b'\\' if !raw => at += 1 + escape_length(tail)?,
            b'\n' | b'\r' if close.len() == 1 => return None,
            _ => at += 1,
        }
    }
}

/// Bytes of an escape sequence after its backslash.
fn escape_length(bytes: &[u8]) -> Option<usize> {
    let all = |count: usize, test: fn(&u8) -> bool| {
        bytes.get(2..2 + count).filter(|b| b.iter().all(test)).map(|_| 1 + count)
    };
    match bytes.get(1)? {
        b'a' | b'b' | b'f' | b'n' | b'r' | b't' | b'v' | b'"' | b'\'' | b'\\' | b'?' | b'`' => {
            Some(1)
        }
        b'x' | b'X' => all(2, u8::is_ascii_hexdigit),
        b'u' => all(4, u8::is_ascii_hexdigit),
        b'U' => all(8, u8::is_ascii_hexdigit),
        b'0'..=b'3' => all(2, |b| (b'0'..=b'7').contains(b)),
        _ => None,
    }
}

fn punct(text: &str) -> Option<(Kind, usize)> {
    const PUNCTS: [&str; 24] = [
        "==", "!=", "<=", ">=", "&&", "||", "<", ">", "[", "]", "{", "}", "(", ")", ".", ",", "-",
        "!", "?", ":", "+", "*", "/", "%",
    ];
    let found = PUNCTS.iter().find(|punct| text.starts_with(**punct))?;
    Some((Kind::Punct(found), found.len()))
}
