use crate::api::schema::{self, Type};

use super::super::report::{Analysis, DeviceState, DeviceView, Hover, Ledger};
use super::cursor::{Cursor, Place};
use super::names;
use super::words::{self, say};
use super::{bytes_of, table, units_of};

/// What the word at a place means, an offset in UTF-16 units; `None` when there is nothing to say.
pub fn hover(text: &str, offset: u32, analysis: &Analysis, language: &str) -> Option<Hover> {
    let offset = bytes_of(text, offset)?;
    let cursor = super::cursor::cursor(text, offset);
    let word = text.get(cursor.from..cursor.to).filter(|word| !word.is_empty())?;
    let lines = match &cursor.place {
        Place::Nothing => Vec::new(),
        Place::Key(..) => {
            let attribute = attribute(&cursor, word, analysis, language);
            if attribute.is_empty() { field(&cursor, word, analysis, language) } else { attribute }
        }
        Place::Value => value(word, analysis, language),
        Place::Cel(_) => {
            let known = of_attribute(word, analysis, language);
            let said = words::cel(word, language);
            if known.is_empty() && !said.is_empty() { vec![said.to_owned()] } else { known }
        }
    };
    let (from, to) = (units_of(text, cursor.from), units_of(text, cursor.to));
    (!lines.is_empty()).then_some(Hover { from, to, lines })
}

/// Name, type and purpose of a field.
fn field(cursor: &Cursor<'_>, word: &str, analysis: &Analysis, language: &str) -> Vec<String> {
    let Some((table, versions, minor)) = table(cursor, analysis) else { return Vec::new() };
    let Some(Type::Struct(inner)) = schema::type_at(table, &cursor.path, versions, minor) else {
        return Vec::new();
    };
    let Some(field) = inner.field(word, versions, minor) else { return Vec::new() };
    let place = cursor.path.join(".").replace(".[]", "[]");
    let dot = if place.is_empty() { "" } else { "." };
    let mut lines = vec![format!("`{place}{dot}{word}` · {}", words::about(field, language))];
    if !field.doc.is_empty() {
        lines.push(say(field.doc, language).to_owned());
    }
    if field.since > 0 {
        lines.push(say(words::SINCE, language).replace("{0}", &field.since.to_string()));
    }
    lines
}

/// The values of an attribute, capacity or counter that is the key of a map.
fn attribute(cursor: &Cursor<'_>, word: &str, analysis: &Analysis, language: &str) -> Vec<String> {
    match cursor.path.as_slice() {
        [.., "attributes" | "capacity"] | [.., "capacity", "requests"] => {
            let name = word.rsplit('/').next().unwrap_or(word);
            of_attribute(name, analysis, language)
        }
        _ => Vec::new(),
    }
}

/// The values that devices have of an attribute or capacity, a line for each domain.
fn of_attribute(name: &str, analysis: &Analysis, language: &str) -> Vec<String> {
    let all = names::attributes(analysis).into_iter().chain(names::capacities(analysis));
    let own = all.filter(|((_, it), _)| it == name);
    let on = say(words::ON_DEVICES, language);
    own.map(|((domain, name), known)| {
        let count = on.replace("{0}", &known.count.to_string());
        format!("`{domain}/{name}` · {} · {count}", known.detail())
    })
    .collect()
}

/// What a name stands for: a device with its holders, a counter set with its balance.
fn value(word: &str, analysis: &Analysis, language: &str) -> Vec<String> {
    let snapshot = &analysis.snapshot;
    let mut lines = Vec::new();
    for ledger in snapshot.counter_sets.iter().filter(|it| it.name == word).take(3) {
        lines.push(format!("`{}` · {}", ledger.name, balance(ledger, language)));
    }
    for device in snapshot.devices.iter().filter(|it| it.device.device == word).take(3) {
        lines.push(of_device(device, language));
        let own = snapshot.capacities.iter().find(|it| {
            it.name == device.device.device
                && it.pool == device.device.pool
                && it.driver == device.device.driver
        });
        lines.extend(own.map(|it| balance(it, language)));
    }
    let object = analysis.outline.iter().find(|it| it.object.name == word && !it.fact.is_empty());
    if lines.is_empty() {
        lines.extend(object.map(|it| format!("`{} {}` · {}", it.object.kind, word, it.fact)));
    }
    lines
}

fn balance(ledger: &Ledger, language: &str) -> String {
    let columns = ledger.columns.iter().map(|column| {
        say(words::LEFT_OF, language)
            .replace("{0}", &column.name)
            .replace("{1}", &column.left)
            .replace("{2}", &column.total)
    });
    columns.collect::<Vec<_>>().join("; ")
}

fn of_device(device: &DeviceView, language: &str) -> String {
    let holders: Vec<&str> = device
        .holders
        .iter()
        .flat_map(|it| {
            let claim = [&it.claim.name];
            if it.pods.is_empty() {
                claim.into_iter().collect::<Vec<_>>()
            } else {
                it.pods.iter().collect()
            }
        })
        .map(String::as_str)
        .collect();
    let state = match device.state {
        _ if !holders.is_empty() => {
            say(words::HELD_BY, language).replace("{0}", &holders.join(", "))
        }
        DeviceState::CountersShort => say(words::SHORT, language).to_owned(),
        DeviceState::Free | DeviceState::Taken | DeviceState::Shared => {
            say(words::FREE, language).to_owned()
        }
    };
    format!("`{}/{}/{}` · {state}", device.device.driver, device.device.pool, device.device.device)
}
