/// An expectation line, parsed. The grammar stands in `docs/guide/scenarios.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// One device of a claim's result; the lines of one claim together are its whole result.
    Device(DeviceLine),
    /// No node can satisfy the claim.
    Unallocatable { claim: String, text: Option<String> },
    /// The attempt for the claim or Pod is aborted.
    Error { subject: Subject, name: String, text: String },
    /// Nobody uses the claim; it stays pending.
    Unused { claim: String },
    /// The Pod is on the node.
    PodOn { pod: String, node: String },
    /// The Pod finds no node.
    PodUnschedulable { pod: String },
    /// What is left of a counter set or of a shareable device.
    Left { id: Id, amounts: Vec<(String, String)> },
    /// First reason of a device that was not chosen.
    Reason { claim: String, id: Id, code: String },
    /// A field below `status.allocation.devices`.
    Result { claim: String, path: String, value: String },
    /// An entry of the result's configuration.
    Config { claim: String, source: String, requests: Vec<String> },
    /// Number of devices in all.
    Devices { name: String, count: usize },
    /// An object is refused when it is loaded.
    Invalid { kind: String, name: String, path: Option<String> },
    /// A warning of ours concerns the object.
    Warn { kind: String, name: String },
}

/// What an `error` line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A claim.
    Claim,
    /// A Pod.
    Pod,
}

/// `claim NAME REQUEST=DRIVER/POOL/DEVICE [CAPACITY=AMOUNT …] [admin]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DeviceLine {
    pub(crate) claim: String,
    pub(crate) request: String,
    pub(crate) id: Id,
    pub(crate) amounts: Vec<(String, String)>,
    pub(crate) admin: bool,
}

/// `DRIVER/POOL/LAST`; only the pool may contain slashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Id {
    pub(crate) driver: String,
    pub(crate) pool: String,
    pub(crate) last: String,
}

impl Id {
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not of the form DRIVER/POOL/NAME");
        let (driver, rest) = text.split_once('/').ok_or_else(wrong)?;
        let (pool, last) = rest.rsplit_once('/').ok_or_else(wrong)?;
        if driver.is_empty() || pool.is_empty() || last.is_empty() {
            return Err(wrong());
        }
        Ok(Self { driver: driver.to_owned(), pool: pool.to_owned(), last: last.to_owned() })
    }
}

/// First words of all lines, for the error about an unknown one.
const FIRST_WORDS: &str = "claim, pod, left, reason, result, config, devices, invalid and warn";

/// Reads one line; the error is a sentence about what is wrong with it.
pub(crate) fn parse(text: &str) -> Result<Line, String> {
    let words = split(text)?;
    let mut words = words.iter().map(String::as_str);
    let first = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    match first {
        "claim" => claim(&rest),
        "pod" => pod(&rest),
        "left" => left(&rest),
        "reason" => reason(&rest),
        "result" => result(&rest),
        "config" => config(&rest),
        "devices" => devices(&rest),
        "invalid" => invalid(&rest),
        "warn" => warn(&rest),
        "" => Err("the line is empty".to_owned()),
        other => Err(format!("unknown first word `{other}`: known are {FIRST_WORDS}")),
    }
}

fn claim(words: &[&str]) -> Result<Line, String> {
    let usage = "expected `claim NAME` and `REQUEST=DRIVER/POOL/DEVICE`, `unallocatable`, \
                 `error \"TEXT\"` or `unused`";
    match words {
        [claim, "unused"] => Ok(Line::Unused { claim: (*claim).to_owned() }),
        [claim, "unallocatable"] => {
            Ok(Line::Unallocatable { claim: (*claim).to_owned(), text: None })
        }
        [claim, "unallocatable", text] => {
            Ok(Line::Unallocatable { claim: (*claim).to_owned(), text: Some(quoted(text)?) })
        }
        [claim, "error", text] => Ok(Line::Error {
            subject: Subject::Claim,
            name: (*claim).to_owned(),
            text: quoted(text)?,
        }),
        [claim, device, rest @ ..] => {
            let (request, id) = device.split_once('=').ok_or_else(|| usage.to_owned())?;
            let mut line = DeviceLine {
                claim: (*claim).to_owned(),
                request: request.to_owned(),
                id: Id::parse(id)?,
                amounts: Vec::new(),
                admin: false,
            };
            for word in rest {
                if *word == "admin" {
                    line.admin = true;
                } else {
                    line.amounts.push(assignment(word)?);
                }
            }
            Ok(Line::Device(line))
        }
        _ => Err(usage.to_owned()),
    }
}

fn pod(words: &[&str]) -> Result<Line, String> {
    match words {
        [pod, "on", node] => Ok(Line::PodOn { pod: (*pod).to_owned(), node: (*node).to_owned() }),
        [pod, "unschedulable"] => Ok(Line::PodUnschedulable { pod: (*pod).to_owned() }),
        [pod, "error", text] => {
            Ok(Line::Error { subject: Subject::Pod, name: (*pod).to_owned(), text: quoted(text)? })
        }
        _ => {
            Err("expected `pod NAME` and `on NODE`, `unschedulable` or `error \"TEXT\"`".to_owned())
        }
    }
}

fn left(words: &[&str]) -> Result<Line, String> {
    match words {
        [id, amounts @ ..] if !amounts.is_empty() => Ok(Line::Left {
            id: Id::parse(id)?,
            amounts: amounts.iter().map(|word| assignment(word)).collect::<Result<_, _>>()?,
        }),
        _ => Err("expected `left DRIVER/POOL/NAME AMOUNT-NAME=AMOUNT …`".to_owned()),
    }
}

fn reason(words: &[&str]) -> Result<Line, String> {
    match words {
        [claim, id, code] => Ok(Line::Reason {
            claim: (*claim).to_owned(),
            id: Id::parse(id)?,
            code: (*code).to_owned(),
        }),
        _ => Err("expected `reason CLAIM DRIVER/POOL/DEVICE CODE`".to_owned()),
    }
}

fn result(words: &[&str]) -> Result<Line, String> {
    match words {
        [claim, rest] => {
            let (path, value) = assignment(rest)?;
            Ok(Line::Result { claim: (*claim).to_owned(), path, value })
        }
        _ => Err("expected `result CLAIM PATH=VALUE`".to_owned()),
    }
}

fn config(words: &[&str]) -> Result<Line, String> {
    let usage = "expected `config CLAIM FromClass|FromClaim requests=[…]`";
    let [claim, source @ ("FromClass" | "FromClaim"), requests @ ..] = words else {
        return Err(usage.to_owned());
    };
    let list = requests.concat();
    let names = list
        .strip_prefix("requests=[")
        .and_then(|rest| rest.strip_suffix(']'))
        .ok_or_else(|| usage.to_owned())?;
    let requests = names.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect();
    Ok(Line::Config { claim: (*claim).to_owned(), source: (*source).to_owned(), requests })
}

fn devices(words: &[&str]) -> Result<Line, String> {
    match words {
        [name, count] => Ok(Line::Devices {
            name: (*name).to_owned(),
            count: count.parse().map_err(|_| format!("`{count}` is not a number of devices"))?,
        }),
        _ => Err("expected `devices POD-OR-CLAIM N`".to_owned()),
    }
}

fn invalid(words: &[&str]) -> Result<Line, String> {
    let (kind, name) = object(words.first().copied(), "invalid")?;
    let path = words.get(1).filter(|word| is_path(word)).map(|word| (*word).to_owned());
    Ok(Line::Invalid { kind, name, path })
}

fn warn(words: &[&str]) -> Result<Line, String> {
    let (kind, name) = object(words.first().copied(), "warn")?;
    Ok(Line::Warn { kind, name })
}

fn object(word: Option<&str>, first: &str) -> Result<(String, String), String> {
    let (kind, name) = word
        .and_then(|word| word.split_once('/'))
        .ok_or_else(|| format!("expected `{first} KIND/NAME`"))?;
    Ok((kind.to_owned(), name.to_owned()))
}

/// Whether a word is a field path, not prose.
fn is_path(word: &str) -> bool {
    ["spec", "metadata", "status"].into_iter().any(|root| {
        word.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    })
}

fn assignment(word: &str) -> Result<(String, String), String> {
    let (name, value) =
        word.split_once('=').ok_or_else(|| format!("`{word}` is not of the form NAME=VALUE"))?;
    Ok((name.to_owned(), unquoted(value)))
}

/// The text of a word that must be in quotes.
fn quoted(word: &str) -> Result<String, String> {
    if word.starts_with('"') {
        Ok(unquoted(word))
    } else {
        Err(format!("`{word}` must stand in double quotes"))
    }
}

fn unquoted(word: &str) -> String {
    let Some(inner) = word.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return word.to_owned();
    };
    let mut text = String::new();
    let mut escaped = false;
    for c in inner.chars() {
        if c == '\\' && !escaped {
            escaped = true;
        } else {
            escaped = false;
            text.push(c);
        }
    }
    text
}

/// Splits at white space outside double quotes; quotes stay, a backslash protects a character.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let (mut in_quotes, mut escaped) = (false, false);
    for c in text.chars() {
        if c.is_whitespace() && !in_quotes {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            continue;
        }
        word.push(c);
        if escaped {
            escaped = false;
        } else if c == '\\' && in_quotes {
            escaped = true;
        } else if c == '"' {
            in_quotes = !in_quotes;
        }
    }
    if in_quotes {
        return Err("a double quote is not closed".to_owned());
    }
    if !word.is_empty() {
        words.push(word);
    }
    Ok(words)
}
