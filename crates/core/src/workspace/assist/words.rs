//! Words of completions and hovers.

use crate::api::schema::{Field, Type};
use crate::language;

/// What a sentence of ours is in the reader's language.
pub(super) fn say(english: &'static str, tag: &str) -> &'static str {
    language::said(language::language(tag).map(|it| &it.assistance), english)
}

/// Type, and whether the field is needed.
pub(super) fn about(field: &Field, tag: &str) -> String {
    let ty = match field.ty {
        Type::Enum(_, words) => words.join(" | "),
        Type::Bool => "true | false".to_owned(),
        Type::String(_) | Type::Time => say("text", tag).to_owned(),
        Type::Int(_) => say("whole number", tag).to_owned(),
        Type::Quantity => say("quantity", tag).to_owned(),
        Type::List(_) => say("list", tag).to_owned(),
        Type::Any | Type::Object | Type::Map(_) | Type::Struct(_) => say("map", tag).to_owned(),
    };
    if field.required { say(REQUIRED, tag).replace("{0}", &ty) } else { ty }
}

const REQUIRED: &str = "{0}, required";

/// Words of CEL, and what they do.
const CEL: [(&str, &str); 6] = [
    ("device", "The device that is looked at."),
    ("has", "Whether the device has the attribute; without it a missing one is an error."),
    ("cel.bind", "Gives a value a name for the rest of the expression."),
    ("quantity", "A quantity such as `quantity(\"40Gi\")`, to compare capacities with."),
    ("semver", "A version such as `semver(\"1.2.0\")`, to compare versions with."),
    ("size", "How long a text, list or map is."),
];

/// What a word of CEL does; empty for one that needs no telling.
pub(super) fn cel(word: &str, tag: &str) -> &'static str {
    CEL.iter().find(|(it, _)| *it == word).map_or("", |(_, english)| say(english, tag))
}

// Parts of what a hover says.
pub(super) const SINCE: &str = "since 1.{0}";
pub(super) const ON_DEVICES: &str = "on {0} devices";
pub(super) const LEFT_OF: &str = "{0}: {1} of {2} left";
pub(super) const HELD_BY: &str = "held by {0}";
pub(super) const FREE: &str = "free";
pub(super) const SHORT: &str = "held by nobody, but its counters do not suffice";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::schema;

    fn docs(
        table: &'static schema::Struct,
        seen: &mut Vec<&'static str>,
        found: &mut Vec<&'static str>,
    ) {
        if seen.contains(&table.name) {
            return;
        }
        seen.push(table.name);
        for field in table.fields {
            found.push(field.doc);
            let mut ty = field.ty;
            while let Type::List(inner) | Type::Map(inner) = ty {
                ty = *inner;
            }
            if let Type::Struct(inner) = ty {
                docs(inner, seen, found);
            }
        }
    }

    #[test]
    fn every_field_is_told_in_every_language() {
        let (mut seen, mut found) = (Vec::new(), Vec::new());
        for table in super::super::KINDS.into_iter().filter_map(super::super::table_of) {
            docs(table, &mut seen, &mut found);
        }
        found.extend(CEL.map(|(_, english)| english));
        found.extend(["text", "whole number", "quantity", "list", "map", REQUIRED]);
        found.extend([SINCE, ON_DEVICES, LEFT_OF, HELD_BY, FREE, SHORT]);
        let told = &language::language("zh-TW").unwrap().assistance;
        let missing: Vec<&str> =
            found.iter().copied().filter(|doc| !told.contains_key(*doc)).collect();
        assert!(missing.is_empty(), "without translation: {missing:#?}");
        let unused: Vec<&str> =
            told.keys().map(String::as_str).filter(|en| !found.contains(en)).collect();
        assert!(unused.is_empty(), "translated, but gone: {unused:#?}");
    }
}
