//! What an editor can say at a place of the text: completions and what a word means.
//!
//! Fields and their words come from the tables of the API ([`crate::api::schema`]), names and
//! values from the last analysis, so that nothing has to be run while the reader types.

mod cel;
mod cursor;
mod flow;
mod hover;
mod names;
mod words;

use dra_playground_cel::order::Order;

use crate::api::Kind;
use crate::api::schema::{self, Field, Struct, Type, Versions};

use super::report::{Analysis, Suggestion, Suggestions};
use cursor::{Cursor, Place};

pub use hover::hover;

/// Most suggestions at one place.
const MOST: usize = 200;

/// Completions at a place, an offset in UTF-16 units.
pub fn complete(text: &str, offset: u32, analysis: &Analysis, language: &str) -> Suggestions {
    let Some(offset) = bytes_of(text, offset) else { return Suggestions::default() };
    let cursor = cursor::cursor(text, offset);
    let mut items = match &cursor.place {
        Place::Nothing => Vec::new(),
        Place::Cel(before) => cel::suggest(before, analysis, language),
        Place::Key(beside, has_colon) => fields(&cursor, beside, *has_colon, analysis, language),
        Place::Value => values(&cursor, analysis),
    };
    items.truncate(MOST);
    Suggestions { from: units_of(text, cursor.from), to: units_of(text, cursor.to), items }
}

/// The byte offset of an offset in UTF-16 units.
fn bytes_of(text: &str, units: u32) -> Option<usize> {
    let mut seen = 0;
    for (at, letter) in text.char_indices() {
        if seen >= units {
            return Some(at);
        }
        seen += u32::try_from(letter.len_utf16()).unwrap_or(1);
    }
    (seen >= units).then_some(text.len())
}

fn units_of(text: &str, bytes: usize) -> u32 {
    let before = text.get(..bytes).unwrap_or_default();
    u32::try_from(before.encode_utf16().count()).unwrap_or(u32::MAX)
}

const KINDS: [Kind; 9] = [
    Kind::ResourceClaim,
    Kind::ResourceClaimTemplate,
    Kind::DeviceClass,
    Kind::ResourceSlice,
    Kind::Pod,
    Kind::Node,
    Kind::Namespace,
    Kind::DeviceTaintRule,
    Kind::Scenario,
];

fn kind_of(name: &str) -> Option<Kind> {
    KINDS.into_iter().find(|kind| kind.as_str() == name)
}

/// The fields of a kind.
fn table_of(kind: Kind) -> Option<&'static Struct> {
    if kind == Kind::Scenario { Some(&schema::SCENARIO) } else { kind.schema() }
}

/// Table, version and release that a document is written for.
fn table(cursor: &Cursor<'_>, analysis: &Analysis) -> Option<(&'static Struct, Versions, u8)> {
    let table = table_of(kind_of(cursor.kind)?)?;
    let versions = match cursor.api_version.rsplit('/').next() {
        Some("v1beta1") => Versions::V1BETA1,
        Some("v1beta2") => Versions::V1BETA2,
        Some("v1alpha3") => Versions::V1ALPHA3,
        _ => Versions::V1,
    };
    let minor = analysis.kubernetes.version.split('.').nth(1).and_then(|it| it.parse().ok());
    Some((table, versions, minor.unwrap_or(u8::MAX)))
}

/// The fields that may stand where the cursor is.
fn fields(
    cursor: &Cursor<'_>,
    beside: &[&str],
    has_colon: bool,
    analysis: &Analysis,
    language: &str,
) -> Vec<Suggestion> {
    if cursor.kind.is_empty() && cursor.path.is_empty() {
        let heads = ["apiVersion", "kind", "metadata", "spec"].into_iter();
        let heads = heads.filter(|name| !beside.contains(name));
        return heads.map(|name| entry("field", name, "", format!("{name}: "))).collect();
    }
    let Some((table, versions, minor)) = table(cursor, analysis) else { return Vec::new() };
    let found = schema::type_at(table, &cursor.path, versions, minor);
    if let Some(Type::Map(value)) = found {
        let names = names::keys(&cursor.path, analysis).into_iter();
        let names = names.filter(|(name, _)| !beside.contains(&name.as_str()));
        return names
            .map(|(name, detail)| {
                let insert = if has_colon {
                    name.clone()
                } else {
                    name.clone() + tail(*value, cursor).as_str()
                };
                entry("name", &name, &detail, insert)
            })
            .collect();
    }
    let Some(Type::Struct(inner)) = found else { return Vec::new() };
    let free = |field: &&Field| field.exists(versions, minor) && !beside.contains(&field.name);
    let suggest = |field: &Field| {
        let insert = if has_colon {
            field.name.to_owned()
        } else {
            field.name.to_owned() + &tail(field.ty, cursor)
        };
        let mut item = entry("field", field.name, &words::about(field, language), insert);
        words::say(field.doc, language).clone_into(&mut item.info);
        item
    };
    let (needed, other): (Vec<&Field>, Vec<&Field>) =
        inner.fields.iter().filter(free).partition(|field| field.required);
    needed.into_iter().chain(other).map(suggest).collect()
}

/// What follows the name of a new field.
fn tail(ty: Type, cursor: &Cursor<'_>) -> String {
    let indent = " ".repeat(cursor.column.min(200));
    match ty {
        _ if cursor.in_flow => ": ".to_owned(),
        Type::List(_) => format!(":\n{indent}- "),
        Type::Map(_) | Type::Struct(_) | Type::Object => format!(":\n{indent}  "),
        _ => ": ".to_owned(),
    }
}

fn entry(kind: &str, label: &str, detail: &str, insert: String) -> Suggestion {
    Suggestion {
        kind: kind.to_owned(),
        label: label.to_owned(),
        detail: detail.to_owned(),
        info: String::new(),
        insert,
    }
}

/// The values that a field may have.
fn values(cursor: &Cursor<'_>, analysis: &Analysis) -> Vec<Suggestion> {
    let plain = |kind: &'static str| move |name: &str| entry(kind, name, "", name.to_owned());
    match cursor.path.as_slice() {
        ["kind"] => return KINDS.into_iter().map(|kind| plain("kind")(kind.as_str())).collect(),
        ["apiVersion"] => {
            let mut versions: Vec<&str> = KINDS.into_iter().map(Kind::api_version).collect();
            versions.dedup();
            let own = kind_of(cursor.kind).map(Kind::api_version);
            versions.order_by_key(|version| Some(*version) != own);
            versions.dedup();
            return versions.into_iter().map(plain("value")).collect();
        }
        _ => {}
    }
    let named = names::of_field(&cursor.path, analysis);
    if !named.is_empty() {
        let suggest =
            |(name, detail): (String, String)| entry("name", &name, &detail, name.clone());
        return named.into_iter().map(suggest).collect();
    }
    let Some((table, versions, minor)) = table(cursor, analysis) else { return Vec::new() };
    match schema::type_at(table, &cursor.path, versions, minor) {
        Some(Type::Enum(_, words)) => words.iter().copied().map(plain("value")).collect(),
        Some(Type::Bool) => ["true", "false"].into_iter().map(plain("value")).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
