//! Named formats: what Kubernetes validates names, labels and times with.

use crate::library::{Implementation, text, url};
use crate::value::{Error, Value};
use crate::work::Work;

/// A format that texts can be checked against.
#[derive(Clone, Copy, Debug)]
pub struct NamedFormat {
    /// Upstream's name.
    pub name: &'static str,
    /// The name in `format.named` and `format.NAME()`.
    key: &'static str,
    /// Largest size of the regular expressions behind it, for the cost.
    pub(crate) regex_size: u32,
    check: fn(&str, &Work) -> Vec<String>,
}

const FORMATS: [NamedFormat; 13] = [
    format("DNS1123Label", "dns1123Label", 30, |text, _| label(text, false)),
    format("DNS1123Subdomain", "dns1123Subdomain", 60, |text, _| subdomain(text, false)),
    format("DNS1035Label", "dns1035Label", 30, |text, _| label_1035(text, false)),
    format("QualifiedName", "qualifiedName", 60, |text, _| qualified_name(text)),
    format("DNS1123LabelPrefix", "dns1123LabelPrefix", 30, |text, _| label(text, true)),
    format("DNS1123SubdomainPrefix", "dns1123SubdomainPrefix", 60, |text, _| subdomain(text, true)),
    format("DNS1035LabelPrefix", "dns1035LabelPrefix", 30, |text, _| label_1035(text, true)),
    format("LabelValue", "labelValue", 40, |text, _| label_value(text)),
    format("URI", "uri", 1103, |text, work| url::problem(text, work).into_iter().collect()),
    format("uuid", "uuid", 70, |text, _| unless(is_uuid(text), "does not match the UUID format")),
    format("byte", "byte", 84, |text, _| unless(is_base64(text), "invalid base64")),
    format("date", "date", 71, |text, _| unless(is_date(text), "invalid date")),
    format("datetime", "datetime", 71, |text, _| unless(is_datetime(text), "invalid datetime")),
];

const fn format(
    name: &'static str,
    key: &'static str,
    regex_size: u32,
    check: fn(&str, &Work) -> Vec<String>,
) -> NamedFormat {
    NamedFormat { name, key, regex_size, check }
}

fn find(key: &str) -> Option<&'static NamedFormat> {
    static TABLE: [NamedFormat; 13] = FORMATS;
    TABLE.iter().find(|format| format.key == key)
}

pub(super) fn implementation(overload: &str) -> Option<Implementation> {
    macro_rules! constant {
        ($key:literal) => {
            |_: &[Value], _: &mut Work| find($key).map(Value::Format).ok_or_else(Error::no_overload)
        };
    }
    Some(match overload {
        "format-named" => |args, _| Ok(Value::optional(find(text(args, 0)?).map(Value::Format))),
        "format-validate" => |args, work| match args.first() {
            Some(Value::Format(format)) => {
                let source = text(args, 1)?;
                work.spend(source.len())?;
                let problems = (format.check)(source, work);
                let problems = problems.into_iter().map(Value::string).collect::<Vec<_>>();
                Ok(Value::optional((!problems.is_empty()).then(|| Value::list(problems))))
            }
            _ => Err(Error::no_overload()),
        },
        "format.byte" => constant!("byte"),
        "format.date" => constant!("date"),
        "format.datetime" => constant!("datetime"),
        "format.dns1035Label" => constant!("dns1035Label"),
        "format.dns1035LabelPrefix" => constant!("dns1035LabelPrefix"),
        "format.dns1123Label" => constant!("dns1123Label"),
        "format.dns1123LabelPrefix" => constant!("dns1123LabelPrefix"),
        "format.dns1123Subdomain" => constant!("dns1123Subdomain"),
        "format.dns1123SubdomainPrefix" => constant!("dns1123SubdomainPrefix"),
        "format.labelValue" => constant!("labelValue"),
        "format.qualifiedName" => constant!("qualifiedName"),
        "format.uri" => constant!("uri"),
        "format.uuid" => constant!("uuid"),
        _ => return None,
    })
}

fn unless(valid: bool, message: &str) -> Vec<String> {
    if valid { Vec::new() } else { vec![message.to_owned()] }
}

fn too_long(text: &str, limit: usize) -> Option<String> {
    (text.len() > limit).then(|| format!("must be no more than {limit} bytes"))
}

fn is_lower(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn is_label(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(|b| is_lower(*b))
        && bytes.last().is_some_and(|b| is_lower(*b))
        && bytes.iter().all(|b| is_lower(*b) || *b == b'-')
}

/// A prefix may end in a dash, as more will follow.
fn mask_dash(text: &str, prefix: bool) -> String {
    match text.strip_suffix('-') {
        Some(head) if prefix && text.len() > 1 => format!("{head}a"),
        _ => text.to_owned(),
    }
}

fn label(text: &str, prefix: bool) -> Vec<String> {
    let text = mask_dash(text, prefix);
    let mut found: Vec<_> = too_long(&text, 63).into_iter().collect();
    if !is_label(&text) {
        let subdomain = text.split('.').all(is_label);
        found.push(if subdomain {
            "must not contain dots".to_owned()
        } else {
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', \
             and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', \
             regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
                .to_owned()
        });
    }
    found
}

fn subdomain(text: &str, prefix: bool) -> Vec<String> {
    let text = mask_dash(text, prefix);
    let mut found: Vec<_> = too_long(&text, 253).into_iter().collect();
    if !text.split('.').all(is_label) {
        found.push(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' \
             or '.', and must start and end with an alphanumeric character (e.g. 'example.com', \
             regex used for validation is \
             '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                .to_owned(),
        );
    }
    found
}

fn label_1035(text: &str, prefix: bool) -> Vec<String> {
    let text = mask_dash(text, prefix);
    let mut found: Vec<_> = too_long(&text, 63).into_iter().collect();
    if !is_label(&text) || !text.starts_with(|c: char| c.is_ascii_lowercase()) {
        found.push(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with \
             an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or \
             'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
                .to_owned(),
        );
    }
    found
}

fn is_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.last().is_some_and(u8::is_ascii_alphanumeric)
        && bytes.iter().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(b))
}

fn qualified_name(text: &str) -> Vec<String> {
    const RULE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must start and \
                        end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or \
                        '123-abc', regex used for validation is \
                        '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    let mut found = Vec::new();
    let parts: Vec<_> = text.split('/').collect();
    let name = match parts.as_slice() {
        [name] => name,
        [prefix, name] => {
            if prefix.is_empty() {
                found.push("prefix part must be non-empty".to_owned());
            } else {
                found.extend(
                    subdomain(prefix, false).into_iter().map(|m| format!("prefix part {m}")),
                );
            }
            name
        }
        _ => {
            found.push(format!(
                "a qualified name {RULE} with an optional DNS subdomain prefix and '/' (e.g. \
                 'example.com/MyName')"
            ));
            return found;
        }
    };
    if name.is_empty() {
        found.push("name part must be non-empty".to_owned());
    } else {
        found.extend(too_long(name, 63).map(|message| format!("name part {message}")));
    }
    if !is_name(name) {
        found.push(format!("name part {RULE}"));
    }
    found
}

fn label_value(text: &str) -> Vec<String> {
    let mut found: Vec<_> = too_long(text, 63).into_iter().collect();
    if !text.is_empty() && !is_name(text) {
        found.push(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' \
             or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or \
             'my_value',  or '12345', regex used for validation is \
             '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                .to_owned(),
        );
    }
    found
}

/// Eight, four, four, four and twelve hexadecimal digits, dashes optional.
fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((digits, tail)) = rest.split_at_checked(length) else { return false };
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return false;
        }
        rest = tail;
    }
    rest.is_empty()
}

fn is_base64(text: &str) -> bool {
    let body = text.trim_end_matches('=');
    let padding = text.len() - body.len();
    text.len().is_multiple_of(4)
        && padding <= 2
        && !text.is_empty()
        && body.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'+' || b == b'/')
}

fn is_date(text: &str) -> bool {
    text.len() == 10 && crate::library::time::parse(&format!("{text}T00:00:00Z")).is_some()
}

fn is_datetime(text: &str) -> bool {
    let upper = text.to_ascii_uppercase();
    text.len() >= 4 && crate::library::time::parse(&upper).is_some()
}
