//! What of a line is written in flow style, e.g. `{name: gpu, exactly: {`.

/// Where in a flow collection a place is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Flow<'a> {
    /// Names of the fields around it, `[]` for an item of a list.
    pub path: Vec<&'a str>,
    /// The other fields of the map whose next key stands here; `None` for a value.
    pub beside: Option<Vec<&'a str>>,
}

/// A map or list that is open.
#[derive(Clone, Default)]
struct Level<'a> {
    is_map: bool,
    keys: Vec<&'a str>,
    key: Option<&'a str>,
    /// Where its present entry begins.
    start: usize,
}

/// The place at a byte offset of a text that begins with `{` or `[`; `None` outside of it.
pub(super) fn flow(text: &str, at: usize) -> Option<Flow<'_>> {
    let mut levels: Vec<Level<'_>> = Vec::new();
    let mut quote = None;
    let mut here: Option<Vec<Level<'_>>> = None;
    let signs = text.char_indices().chain([(text.len(), '\n')]);
    for (offset, sign) in signs {
        if offset >= at && here.is_none() {
            here = Some(levels.clone());
        }
        let depth = here.as_ref().map_or(0, Vec::len);
        if here.is_some() && levels.len() < depth {
            break;
        }
        match (quote, sign) {
            (Some(open), _) => quote = quote.filter(|_| open != sign),
            (None, '"' | '\'') => quote = Some(sign),
            (None, '{' | '[') => {
                levels.push(Level { is_map: sign == '{', start: offset + 1, ..Level::default() });
            }
            (None, '}' | ']') => {
                levels.pop();
            }
            (None, ',') => {
                if let Some(level) = levels.last_mut() {
                    (level.key, level.start) = (None, offset + 1);
                }
            }
            (None, ':') => {
                let Some(level) = levels.last_mut().filter(|it| it.is_map) else { continue };
                let name = text.get(level.start..offset).unwrap_or_default().trim();
                let name = name.trim_matches(['"', '\'']);
                // A second colon belongs to the value.
                if level.key.is_some() {
                    continue;
                }
                level.key = Some(name);
                level.keys.push(name);
                let open = here.as_mut().filter(|_| depth == levels.len());
                if let Some(open) = open.and_then(|open| open.last_mut()) {
                    open.keys.push(name);
                }
            }
            (None, _) => {}
        }
    }
    let here = here?;
    let (inner, around) = here.split_last()?;
    let mut path: Vec<&str> = around.iter().map(|level| level.key.unwrap_or("[]")).collect();
    if !inner.is_map || inner.key.is_some() {
        path.push(inner.key.unwrap_or("[]"));
        return Some(Flow { path, beside: None });
    }
    let own = text.get(inner.start..).unwrap_or_default();
    let own = own.split([':', ',', '}']).next().unwrap_or_default().trim();
    let own = own.trim_matches(['"', '\'']);
    let beside = inner.keys.iter().copied().filter(|key| *key != own).collect();
    Some(Flow { path, beside: Some(beside) })
}
