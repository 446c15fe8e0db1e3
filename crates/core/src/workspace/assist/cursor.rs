//! Where in a document an offset is, told from indentation: the text is being typed, so that it
//! often cannot be read as YAML.

use super::flow::{Flow, flow};

/// Most lines that are looked at above and below.
const MOST_LINES: usize = 20_000;

/// What stands at an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cursor<'a> {
    /// `kind` of the document; empty when it has none yet.
    pub kind: &'a str,
    /// `apiVersion` of the document.
    pub api_version: &'a str,
    /// Names of the fields above the place, `[]` for an item of a list.
    pub path: Vec<&'a str>,
    /// Byte offset at which the word begins.
    pub from: usize,
    /// Byte offset at which the word ends.
    pub to: usize,
    /// Column of the word.
    pub column: usize,
    /// Whether it stands between braces or brackets, where nothing may be indented.
    pub in_flow: bool,
    /// What stands there.
    pub place: Place<'a>,
}

/// What stands at an offset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Place<'a> {
    /// Nothing that can be completed.
    #[default]
    Nothing,
    /// The name of a field, the other fields beside it, and whether its colon is there.
    Key(Vec<&'a str>, bool),
    /// A value of the field that the path ends with.
    Value,
    /// A CEL expression: what of it stands before the offset.
    Cel(String),
}

/// One line taken apart.
struct Line<'a> {
    start: usize,
    text: &'a str,
    /// Columns of the dashes before the first word.
    dashes: Vec<usize>,
    /// Column of the first word.
    column: usize,
    /// The name before a colon.
    key: Option<&'a str>,
    /// Offset in the line of what stands behind the colon.
    value: usize,
}

impl<'a> Line<'a> {
    fn of(start: usize, text: &'a str) -> Self {
        let mut column = 0;
        let mut dashes = Vec::new();
        let bytes = text.as_bytes();
        loop {
            match (bytes.get(column), bytes.get(column + 1)) {
                (Some(b' '), _) => column += 1,
                (Some(b'-'), Some(b' ') | None) => {
                    dashes.push(column);
                    column += 1;
                }
                _ => break,
            }
        }
        let rest = text.get(column..).unwrap_or_default();
        let named = rest.split_once(':').filter(|(name, after)| {
            let plain = |c: char| c.is_alphanumeric() || "-_./\"'".contains(c);
            !name.is_empty()
                && name.chars().all(plain)
                && (after.is_empty() || after.starts_with(' '))
        });
        let key = named.map(|(name, _)| name.trim_matches(['"', '\'']));
        let value = named.map_or(column, |(name, after)| {
            let blank = after.len() - after.trim_start().len();
            column + name.len() + 1 + blank
        });
        Self { start, text, dashes, column, key, value }
    }

    fn is_blank(&self) -> bool {
        let rest = self.text.trim_start();
        rest.is_empty() || rest.starts_with('#')
    }

    /// Column of the first thing on the line.
    fn first(&self) -> usize {
        self.dashes.first().copied().unwrap_or(self.column)
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.value..).unwrap_or_default()
    }
}

/// Lines of the document around an offset, and the index of the line that holds it.
fn document(text: &str, offset: usize) -> (Vec<Line<'_>>, usize) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    let mut here = 0;
    let mut start = 0;
    let mut found = false;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches(['\n', '\r']);
        if bare.starts_with("---") {
            if found {
                break;
            }
            lines.clear();
        } else {
            if start <= offset && offset <= start + bare.len() {
                here = lines.len();
                found = true;
            }
            lines.push(Line::of(start, bare));
        }
        start += line.len();
        if found && lines.len() > here + MOST_LINES {
            break;
        }
    }
    if !found {
        here = lines.len();
        lines.push(Line::of(start.min(text.len()), text.get(start..).unwrap_or_default()));
    }
    (lines, here)
}

/// What stands at a byte offset of a text.
pub(super) fn cursor(text: &str, offset: usize) -> Cursor<'_> {
    let (lines, at) = document(text, offset);
    let Some(line) = lines.get(at) else { return Cursor::default() };
    let head_of = |name: &str| {
        let line = lines.iter().find(|it| it.first() == 0 && it.key == Some(name));
        line.map_or("", |it| it.rest().trim().trim_matches(['"', '\'']))
    };
    let within = offset.saturating_sub(line.start).min(line.text.len());
    let mut cursor =
        Cursor { kind: head_of("kind"), api_version: head_of("apiVersion"), ..Cursor::default() };
    if let Some(place) = expression(&lines, at, within) {
        let (from, to) = word(line, within, |c| c.is_alphanumeric() || c == '_');
        return Cursor { from, to, place, path: path(&lines, at, line.column), ..cursor };
    }
    if line.is_blank() && !line.text.trim().is_empty() || in_block(&lines, at).is_some() {
        return cursor;
    }
    cursor.path = path(&lines, at, line.column);
    let flow = within.checked_sub(line.value).and_then(|at| flow(line.rest(), at));
    if let Some(Flow { path, beside }) = flow {
        cursor.path.extend(line.key.into_iter().chain(path));
        cursor.in_flow = true;
        (cursor.from, cursor.to) =
            word(line, within, |c| !c.is_whitespace() && !"\"'{}[],:".contains(c));
        let after = line.text.get(cursor.to - line.start..).unwrap_or_default();
        let has_colon = after.trim_start_matches(['"', '\'']).starts_with(':');
        cursor.place = beside.map_or(Place::Value, |beside| Place::Key(beside, has_colon));
    } else if line.key.is_some() && within >= line.value {
        (cursor.from, cursor.to) =
            word(line, within, |c| !c.is_whitespace() && !"\"'{}[],".contains(c));
        cursor.path.extend(line.key);
        cursor.place = Place::Value;
    } else if within >= line.column || line.text.trim().is_empty() {
        // On an empty line the cursor's own column says where it belongs.
        let column = if line.text.trim().is_empty() { within } else { line.column };
        cursor.path = path(&lines, at, column);
        (cursor.from, cursor.to) =
            word(line, within, |c| c.is_alphanumeric() || "-_./".contains(c));
        cursor.column = column;
        cursor.place = Place::Key(siblings(&lines, at, column), line.key.is_some());
        let in_list = cursor.path.last() == Some(&"[]");
        if line.key.is_none() && in_list && !line.dashes.is_empty() && line.rest().contains(' ') {
            cursor.place = Place::Nothing;
        }
    }
    cursor
}

/// The word around a place of a line, as byte offsets of the text.
fn word(line: &Line<'_>, within: usize, part: impl Fn(char) -> bool) -> (usize, usize) {
    let before = line.text.get(..within).unwrap_or_default();
    let after = line.text.get(within..).unwrap_or_default();
    let back: usize = before.chars().rev().take_while(|c| part(*c)).map(char::len_utf8).sum();
    let ahead: usize = after.chars().take_while(|c| part(*c)).map(char::len_utf8).sum();
    (line.start + within - back, line.start + within + ahead)
}

/// Names of the fields around what begins at a column of a line.
fn path<'a>(lines: &[Line<'a>], at: usize, column: usize) -> Vec<&'a str> {
    let mut path = Vec::new();
    // A parent key stands left of `key_limit`, a dash left of `dash_limit`.
    let (mut key_limit, mut dash_limit) = (column, column);
    let own = lines.get(at).map(|line| line.dashes.as_slice()).unwrap_or_default();
    for dash in own.iter().rev().filter(|dash| **dash < column) {
        path.push("[]");
        (key_limit, dash_limit) = (dash + 1, *dash);
    }
    for line in lines.get(..at).unwrap_or_default().iter().rev().take(MOST_LINES) {
        if line.is_blank() {
            continue;
        }
        if let Some(key) = line.key.filter(|_| line.column < key_limit) {
            path.push(key);
            (key_limit, dash_limit) = (line.column, line.column);
        }
        for dash in line.dashes.iter().rev() {
            if *dash < dash_limit {
                path.push("[]");
                (key_limit, dash_limit) = (dash + 1, *dash);
            }
        }
        if key_limit == 0 {
            break;
        }
    }
    path.reverse();
    path
}

/// Names of the fields in the same map as what begins at a column of a line.
fn siblings<'a>(lines: &[Line<'a>], at: usize, column: usize) -> Vec<&'a str> {
    let mut found = Vec::new();
    let same = |line: &Line<'a>| line.key.filter(|_| line.column == column);
    let begins_item = |line: &Line<'a>| line.dashes.iter().any(|dash| *dash < column);
    let starts = lines.get(at).is_some_and(begins_item);
    for line in lines.get(..at).unwrap_or_default().iter().rev().filter(|it| !it.is_blank()) {
        if starts || line.column < column {
            break;
        }
        found.extend(same(line));
        if line.column == column && begins_item(line) {
            break;
        }
    }
    for line in lines.get(at + 1..).unwrap_or_default().iter().filter(|it| !it.is_blank()) {
        if line.first() < column {
            break;
        }
        found.extend(same(line));
    }
    found
}

/// Index of the line whose block scalar holds a line.
fn in_block(lines: &[Line<'_>], at: usize) -> Option<usize> {
    let line = lines.get(at)?;
    let indent = line.text.len() - line.text.trim_start().len();
    let above = lines.get(..at)?.iter().rposition(|it| !it.is_blank() && it.first() < indent)?;
    let opener = lines.get(above)?;
    let is_block = opener.key.is_some() && opener.rest().starts_with(['|', '>']);
    (is_block && !line.text.trim().is_empty()).then_some(above)
}

/// The part before the offset of the CEL expression that holds it.
fn expression<'a>(lines: &[Line<'a>], at: usize, within: usize) -> Option<Place<'a>> {
    let line = lines.get(at)?;
    let head = line.text.get(..within)?;
    if let Some(opener) = in_block(lines, at) {
        if lines.get(opener)?.key != Some("expression") {
            return None;
        }
        let above = lines.get(opener + 1..at)?.iter().map(|it| it.text.trim());
        let said: Vec<&str> = above.chain([head.trim_start()]).collect();
        return Some(Place::Cel(said.join(" ")));
    }
    // Also inside `{cel: {expression: …}}`.
    let (_, value) = head.rsplit_once("expression:")?;
    let value = value.trim_start();
    if value.starts_with(['|', '>']) {
        return None;
    }
    let quoted = value.strip_prefix('"').map(|it| it.replace("\\\"", "\""));
    let value = quoted.unwrap_or_else(|| value.trim_start_matches('\'').to_owned());
    Some(Place::Cel(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cursor at `|`, in short.
    fn at(text: &str) -> (String, String) {
        let offset = text.find('|').unwrap();
        let text = text.replacen('|', "", 1);
        let cursor = cursor(&text, offset);
        let place = match cursor.place {
            Place::Nothing => "nothing".to_owned(),
            Place::Key(beside, _) => format!("key beside {}", beside.join(" ")),
            Place::Value => format!("value {}", text.get(cursor.from..cursor.to).unwrap()),
            Place::Cel(said) => format!("cel {said}"),
        };
        (format!("{} {}", cursor.kind, cursor.path.join(".")), place)
    }

    #[track_caller]
    fn check(text: &str, path: &str, place: &str) {
        assert_eq!(at(text), (path.to_owned(), place.to_owned()));
    }

    const CLAIM: &str = "kind: X\n---\nkind: ResourceClaim\nmetadata:\n  name: a\nspec:\n  devices:\n    requests:\n    - name: gpu\n      exactly:\n        deviceClassName: gpu.example.com\n        HERE\n";

    #[test]
    fn names_of_fields() {
        check(
            &CLAIM.replace("HERE", "co|"),
            "ResourceClaim spec.devices.requests.[].exactly",
            "key beside deviceClassName",
        );
        check("kind: Pod\nsp|", "Pod ", "key beside kind");
        check(
            "kind: Pod\nspec:\n  containers:\n  - na|\n  - name: b\n",
            "Pod spec.containers.[]",
            "key beside ",
        );
        check(
            "kind: Pod\nspec:\n  containers:\n  - name: x\n    |\n    image: b\n",
            "Pod spec.containers.[]",
            "key beside name image",
        );
        check("kind: Pod\nspec:\n  |", "Pod spec", "key beside ");
    }

    #[test]
    fn values() {
        check(
            &CLAIM.replace("HERE", "allocationMode: Al|"),
            "ResourceClaim spec.devices.requests.[].exactly.allocationMode",
            "value Al",
        );
        check("kind: |", " kind", "value ");
        check(
            "kind: Pod\nspec:\n  resourceClaims:\n  - resourceClaimName: x|y\n",
            "Pod spec.resourceClaims.[].resourceClaimName",
            "value xy",
        );
    }

    #[test]
    fn flow_style() {
        let claim = |rest: &str| format!("kind: Pod\nspec:\n  resourceClaims:\n  - {rest}");
        let inside = "Pod spec.resourceClaims.[]";
        check(&claim("{name: gpu, |}"), inside, "key beside name");
        check(&claim("{re|: x, name: gpu}"), inside, "key beside name");
        check(
            &claim("{name: a, resourceClaimName: x|y}"),
            &format!("{inside}.resourceClaimName"),
            "value xy",
        );
        check(&claim("{name: a}|"), inside, "nothing");
        check(
            "kind: ResourceClaim\nspec: {devices: {requests: [{name: gpu, exactly: {|",
            "ResourceClaim spec.devices.requests.[].exactly",
            "key beside ",
        );
        check("spec:\n  list: [a, b|]", " spec.list.[]", "value b");
        check("spec:\n  map: {a: 'x, {', |}", " spec.map", "key beside a");
    }

    #[test]
    fn expressions() {
        check(
            "kind: DeviceClass\nspec:\n  selectors:\n  - cel:\n      expression: device.dr|",
            "DeviceClass spec.selectors.[].cel",
            "cel device.dr",
        );
        check(
            "kind: DeviceClass\nspec:\n  selectors:\n  - cel:\n      expression: >-\n        device.driver == 'a' &&\n        device.|",
            "DeviceClass spec.selectors.[].cel.expression",
            "cel device.driver == 'a' && device.",
        );
        check(
            "spec: {selectors: [{cel: {expression: \"device.attributes[\\\"|",
            " ",
            "cel device.attributes[\"",
        );
    }

    #[test]
    fn nothing_in_comments_and_other_block_scalars() {
        check("kind: Pod\n# sp|", "Pod ", "nothing");
        check(
            "data:\n  a: |\n    b\n"
                .replace("b\n", "te|\n")
                .as_str()
                .replacen('|', ">", 1)
                .as_str(),
            " ",
            "nothing",
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_and_offset_is_answered(text in "[ a-z:,\\[\\]\\-\n\"'{}|>#裝]{0,60}", offset in 0_usize..80) {
            let _ = cursor(&text, offset);
        }
    }
}
