//! Names that look like another.

/// The closest of some names, if it is close enough to be meant.
pub(super) fn closest<'a>(
    written: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = (written.chars().count() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        if name == written {
            continue;
        }
        let distance =
            if name.eq_ignore_ascii_case(written) { 0 } else { distance(written, name, limit) };
        if distance <= limit && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Changes of one character, or swaps of two neighbours, from one text to another; more than `limit`
/// when it is exceeded.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    if a.len().abs_diff(b.len()) > limit || a.len() > 100 {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut current = vec![i + 1];
        for (j, to) in b.iter().enumerate() {
            let get =
                |row: &[usize], index: usize| row.get(index).copied().unwrap_or(usize::MAX / 2);
            let replaced = get(&last, j) + usize::from(from != to);
            let mut cheapest = replaced.min(get(&last, j + 1) + 1).min(get(&current, j) + 1);
            let swapped = i > 0 && j > 0 && a.get(i - 1) == Some(to) && b.get(j - 1) == Some(from);
            if swapped {
                cheapest = cheapest.min(get(&before, j - 1) + 1);
            }
            current.push(cheapest);
        }
        before = std::mem::replace(&mut last, current);
    }
    last.last().copied().unwrap_or(limit + 1)
}
