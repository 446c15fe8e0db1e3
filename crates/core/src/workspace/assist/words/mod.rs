//! Words of completions and hovers, in each language.

use crate::api::schema::{Field, Type};

mod zh_tw;

fn is_chinese(language: &str) -> bool {
    matches!(language, "zh" | "zh-TW" | "zh-Hant" | "zh-Hant-TW")
}

/// What a field is for; the sentence of the tables in the reader's language.
pub(super) fn doc(doc: &'static str, language: &str) -> &'static str {
    let found = is_chinese(language).then(|| zh_tw::DOCS.iter().find(|(en, _)| *en == doc));
    found.flatten().map_or(doc, |(_, zh)| *zh)
}

/// Type, and whether the field is needed.
pub(super) fn about(field: &Field, language: &str) -> String {
    let chinese = is_chinese(language);
    let ty = match (field.ty, chinese) {
        (Type::Enum(_, words), _) => words.join(" | "),
        (Type::String(_) | Type::Time, false) => "text".to_owned(),
        (Type::String(_) | Type::Time, true) => "文字".to_owned(),
        (Type::Bool, _) => "true | false".to_owned(),
        (Type::Int(_), false) => "whole number".to_owned(),
        (Type::Int(_), true) => "整數".to_owned(),
        (Type::Quantity, false) => "quantity".to_owned(),
        (Type::Quantity, true) => "數量".to_owned(),
        (Type::List(_), false) => "list".to_owned(),
        (Type::List(_), true) => "清單".to_owned(),
        (Type::Any | Type::Object | Type::Map(_) | Type::Struct(_), false) => "map".to_owned(),
        (Type::Any | Type::Object | Type::Map(_) | Type::Struct(_), true) => "物件".to_owned(),
    };
    match (field.required, chinese) {
        (true, false) => format!("{ty}, required"),
        (true, true) => format!("{ty}，必填"),
        (false, _) => ty,
    }
}

/// What a word of CEL does.
pub(super) fn cel(word: &str, language: &str) -> &'static str {
    let (en, zh) = match word {
        "device" => ("The device that is looked at.", "正在檢查的裝置。"),
        "has" => (
            "Whether the device has the attribute; without it a missing one is an error.",
            "裝置是否有該屬性；不先檢查，缺少時就是錯誤。",
        ),
        "cel.bind" => (
            "Gives a value a name for the rest of the expression.",
            "在運算式其餘部分為一個值命名。",
        ),
        "quantity" => (
            "A quantity such as `quantity(\"40Gi\")`, to compare capacities with.",
            "數量，例如 `quantity(\"40Gi\")`，用來與 capacity 比較。",
        ),
        "semver" => (
            "A version such as `semver(\"1.2.0\")`, to compare versions with.",
            "版本，例如 `semver(\"1.2.0\")`，用來比較版本。",
        ),
        "size" => ("How long a text, list or map is.", "文字、清單或 map 的長度。"),
        _ => ("", ""),
    };
    if is_chinese(language) { zh } else { en }
}

/// Parts of what a hover says.
pub(super) struct Says {
    pub since: &'static str,
    pub on_devices: &'static str,
    pub left_of: &'static str,
    pub held_by: &'static str,
    pub free: &'static str,
    pub short: &'static str,
}

pub(super) fn says(language: &str) -> Says {
    if is_chinese(language) {
        Says {
            since: "自 1.{0} 起",
            on_devices: "{0} 個裝置",
            left_of: "{0}：{2} 中剩 {1}",
            held_by: "由 {0} 持有",
            free: "空閒",
            short: "未被佔用，但計數器不足",
        }
    } else {
        Says {
            since: "since 1.{0}",
            on_devices: "on {0} devices",
            left_of: "{0}: {1} of {2} left",
            held_by: "held by {0}",
            free: "free",
            short: "held by nobody, but its counters do not suffice",
        }
    }
}

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
        for table in super::super::KINDS.into_iter().filter_map(crate::api::Kind::schema) {
            docs(table, &mut seen, &mut found);
        }
        found.sort_unstable();
        found.dedup();
        let missing: Vec<&str> = found
            .iter()
            .copied()
            .filter(|doc| !zh_tw::DOCS.iter().any(|(en, _)| en == doc))
            .collect();
        assert!(missing.is_empty(), "without translation: {missing:#?}");
        let unused: Vec<&str> =
            zh_tw::DOCS.iter().map(|(en, _)| *en).filter(|en| !found.contains(en)).collect();
        assert!(unused.is_empty(), "translated, but gone: {unused:#?}");
    }
}
