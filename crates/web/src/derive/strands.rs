//! The sieve's picture: one line for each device, ending at the rule that refused it.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{Family, RequestVerdicts, Snapshot};

use super::names::{Pool, pool_labels, pool_of};

/// Most lines that are drawn; above it a line stands for several devices.
const MOST_LINES: usize = 96;

/// Where a device's line ends, and why.
type Fate = (Option<usize>, Family);

/// A line of the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Strand {
    /// Place, 0 to 1 of the picture's width.
    pub(crate) x: f64,
    /// Index of the row at which it ends; `None` when it goes through.
    pub(crate) ends: Option<usize>,
    /// Why it ends.
    pub(crate) family: Family,
    /// Index of its card.
    pub(crate) card: usize,
    /// Whether it belongs to the card in question.
    pub(crate) hot: bool,
}

/// A card of the picture, or a pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bundle {
    /// Short label, e.g. `7` of `gpu-7`.
    pub(crate) label: String,
    /// Where its label stands, 0 to 1.
    pub(crate) x: f64,
    /// Its left end, 0 to 1.
    pub(crate) from: f64,
    /// Its right end, 0 to 1.
    pub(crate) to: f64,
    /// Whether it is that in question.
    pub(crate) hot: bool,
}

/// The whole picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Picture {
    /// The lines.
    pub(crate) strands: Vec<Strand>,
    /// Cards; empty when there are too many to tell them apart.
    pub(crate) bundles: Vec<Bundle>,
    /// Pools that the cards are of, when there are several.
    pub(crate) pools: Vec<Bundle>,
    /// Devices for each line.
    pub(crate) per_line: usize,
    /// Devices of each card when all have the same number, more than one.
    pub(crate) per_card: Option<usize>,
}

/// Draws the sieve of one request; `hot` is the index of the card in question.
pub(crate) fn picture(
    snapshot: &Snapshot,
    verdicts: &RequestVerdicts,
    hot: Option<usize>,
) -> Picture {
    let mut fates: Vec<Option<Fate>> = vec![None; snapshot.devices.len()];
    for (index, group) in verdicts.groups.iter().enumerate() {
        let end = verdicts.sieve.iter().position(|row| row.removed.contains(&index));
        for device in &group.devices {
            if let Some(slot) = fates.get_mut(*device) {
                *slot = Some((end, group.family));
            }
        }
    }
    let total = fates.iter().flatten().count();
    if total > MOST_LINES { bands(&fates, total) } else { lines(snapshot, &fates, hot) }
}

fn lines(snapshot: &Snapshot, fates: &[Option<Fate>], hot: Option<usize>) -> Picture {
    let mut picture = Picture { per_line: 1, ..Picture::default() };
    let members = |devices: &[usize]| -> Vec<Fate> {
        devices.iter().filter_map(|it| fates.get(*it).copied().flatten()).collect()
    };
    let mut cards: Vec<(Pool<'_>, usize, Vec<Fate>)> = snapshot
        .cards
        .iter()
        .enumerate()
        .map(|(index, card)| (pool_of(card), index, members(&card.devices)))
        .filter(|(_, _, devices)| !devices.is_empty())
        .collect();
    let mut pools: Vec<Pool<'_>> = Vec::new();
    for (pool, ..) in &cards {
        if !pools.contains(pool) {
            pools.push(*pool);
        }
    }
    cards.order_by_key(|(pool, ..)| pools.iter().position(|it| it == pool));
    let pool_labels = pool_labels(&pools);
    let alone = cards.iter().all(|(_, _, devices)| devices.len() == 1);
    let gap = if alone { 0.0 } else { 1.6 };
    let units: f64 = cards.iter().map(|(_, _, devices)| as_f64(devices.len()) + gap).sum();
    let mut at = 0.0;
    for (pool, label) in pools.iter().zip(pool_labels) {
        let here: Vec<_> = cards.iter().filter(|it| it.0 == *pool).collect();
        let names = here.iter().map(|it| snapshot.cards.get(it.1).map_or("", |it| &it.name));
        let labels = labels(&names.collect::<Vec<_>>());
        let (mut line, mut bundles) = (Bundle { label, ..Bundle::default() }, Vec::new());
        for ((_, index, devices), label) in here.into_iter().zip(labels) {
            let is_hot = hot == Some(*index);
            let start = at + gap / 2.0;
            for (offset, (ends, family)) in devices.iter().enumerate() {
                picture.strands.push(Strand {
                    x: (start + as_f64(offset) + 0.5) / units,
                    ends: *ends,
                    family: *family,
                    card: *index,
                    hot: is_hot,
                });
            }
            let (from, to) = (start / units, (start + as_f64(devices.len())) / units);
            line.hot |= is_hot;
            bundles.push(Bundle { label, from, to, x: f64::midpoint(from, to), hot: is_hot });
            at += as_f64(devices.len()) + gap;
        }
        line.from = bundles.first().map_or(0.0, |it| it.from);
        line.to = bundles.last().map_or(0.0, |it| it.to);
        // Inside the picture, as far as it has room.
        let half = as_f64(line.label.chars().count()) * LETTER / 2.0;
        line.x = f64::midpoint(line.from, line.to).max(half.min(0.5)).min((1.0 - half).max(0.5));
        picture.pools.push(line);
        picture.bundles.extend(bundles);
    }
    if pools.len() < 2 {
        picture.pools.clear();
    } else {
        thin_out(&mut picture.pools);
        // Without that of its pool, a card's label would speak of another's card, too.
        let told =
            |it: &Bundle| picture.pools.iter().any(|pool| pool.from <= it.x && it.x <= pool.to);
        picture.bundles.retain(told);
    }
    let first = cards.first().map(|it| it.2.len());
    let even = cards.iter().all(|it| Some(it.2.len()) == first);
    picture.per_card = first.filter(|size| *size > 1 && even);
    thin_out(&mut picture.bundles);
    picture
}

/// Width of a letter and of the space between labels, as parts of the narrowest wide picture.
const LETTER: f64 = 6.0 / 150.0;
const SPACE: f64 = 4.0 / 150.0;

/// Keeps only labels that have room beside each other; that of the card in question goes first.
fn thin_out(bundles: &mut Vec<Bundle>) {
    let half = |it: &Bundle| f64::midpoint(as_f64(it.label.chars().count()) * LETTER, SPACE);
    let mut kept: Vec<Bundle> = Vec::new();
    let (hot, other): (Vec<Bundle>, Vec<Bundle>) = bundles.drain(..).partition(|it| it.hot);
    for bundle in hot.into_iter().chain(other) {
        let clash = |it: &Bundle| (it.x - bundle.x).abs() < half(it) + half(&bundle);
        if !kept.iter().any(clash) {
            kept.push(bundle);
        }
    }
    kept.order_by(|a, b| a.x.total_cmp(&b.x));
    *bundles = kept;
}

fn bands(fates: &[Option<Fate>], total: usize) -> Picture {
    let per_line = total.div_ceil(MOST_LINES).next_multiple_of(10);
    let mut fates: Vec<Fate> = fates.iter().flatten().copied().collect();
    // Those that get furthest stand at the left.
    fates.order_by_key(|(end, family)| (Reverse(end.unwrap_or(usize::MAX)), *family));
    let mut strands: Vec<Strand> = Vec::new();
    let mut rest: &[Fate] = &fates;
    while let Some((ends, family)) = rest.first().copied() {
        let alike = rest.iter().take_while(|it| **it == (ends, family)).count();
        // Few devices still get a line: a near miss must not vanish.
        for _ in 0..alike.div_ceil(per_line) {
            strands.push(Strand { x: 0.0, ends, family, card: strands.len(), hot: false });
        }
        rest = rest.get(alike..).unwrap_or_default();
    }
    let count = as_f64(strands.len().max(1));
    for (index, strand) in strands.iter_mut().enumerate() {
        strand.x = (as_f64(index) + 0.5) / count;
    }
    Picture { strands, per_line, ..Picture::default() }
}

fn as_f64(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Longest name that is a label as it is.
const SHORT_NAME: usize = 8;
/// Letters of a longer name that its label keeps.
pub(crate) const KEPT: usize = 12;

/// Labels of things that stand beside each other: the last parts of their names, or the names when
/// those parts do not tell them apart.
pub(crate) fn labels(names: &[&str]) -> Vec<String> {
    let mut labels: Vec<String> = names.iter().map(|name| short(name)).collect();
    let distinct: BTreeSet<&String> = labels.iter().collect();
    if distinct.len() < labels.len() {
        labels = names.iter().map(|name| ending(name, KEPT)).collect();
    }
    labels
}

/// The last part of a name, e.g. `7` of `gpu-7`; all of a short name without parts.
fn short(name: &str) -> String {
    match name.rsplit_once('-') {
        Some((_, last)) if !last.is_empty() && last.len() <= 3 => last.to_owned(),
        _ => ending(name, SHORT_NAME),
    }
}

/// The name, or an ellipsis and its end.
pub(crate) fn ending(name: &str, most: usize) -> String {
    let length = name.chars().count();
    if length <= most {
        return name.to_owned();
    }
    let end = name.chars().skip(length.saturating_sub(most.saturating_sub(1)));
    std::iter::once('…').chain(end).collect()
}

/// Runs of neighbouring lines that end at a row for the same reason: from, to, family.
pub(crate) fn ends(picture: &Picture, row: usize) -> Vec<(f64, f64, Family)> {
    let mut out: Vec<(f64, f64, Family, usize, usize)> = Vec::new();
    for (index, strand) in picture.strands.iter().enumerate() {
        if strand.ends != Some(row) {
            continue;
        }
        match out.last_mut() {
            Some(last)
                if last.2 == strand.family
                    && last.3 + 1 == index
                    && (picture.per_line > 1 || last.4 == strand.card) =>
            {
                last.1 = strand.x;
                last.3 = index;
            }
            _ => out.push((strand.x, strand.x, strand.family, index, strand.card)),
        }
    }
    out.into_iter().map(|(from, to, family, ..)| (from, to, family)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_whole_and_tell_apart() {
        assert_eq!(labels(&["card"]), ["card"]);
        assert_eq!(labels(&["gpu-0", "gpu-1"]), ["0", "1"]);
        let mixed = ["gpu-0", "gpu-1", "nic-0", "nic-1"];
        assert_eq!(labels(&mixed), mixed);
        assert_eq!(labels(&["accelerator"]), ["…lerator"]);
    }

    fn kept(names: &[&str], hot: usize) -> Vec<String> {
        let count = as_f64(names.len());
        let bundle = |(at, name): (usize, &&str)| Bundle {
            label: (*name).to_owned(),
            x: (as_f64(at) + 0.5) / count,
            hot: at == hot,
            ..Bundle::default()
        };
        let mut bundles: Vec<Bundle> = names.iter().enumerate().map(bundle).collect();
        thin_out(&mut bundles);
        bundles.into_iter().map(|it| it.label).collect()
    }

    #[test]
    fn labels_never_overlap_and_the_one_in_question_stays() {
        assert_eq!(kept(&["0", "1", "2", "3", "4", "5", "6", "7"], 7).len(), 8);
        let long = ["0-partition-0", "0-partition-1", "1-partition-0", "1-partition-1"];
        let some = kept(&long, 2);
        assert!(some.contains(&"1-partition-0".to_owned()) && some.len() < 4, "{some:?}");
    }
}
