//! Where things stand: letters of the sentence, places in the text, places on the page.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Analysis, ObjectKey, Phrase, Range, Snapshot, Thing};

use super::format::object_id;

/// A reference of the sentence: the same letter stands at the line, in the sentence, at the figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reference {
    /// `A`, `B`, …
    pub(crate) letter: char,
    /// The thing.
    pub(crate) thing: Rc<Thing>,
    /// Its places in the text, the telling one first.
    pub(crate) ranges: Vec<Range>,
}

/// The references of a Pod's sentences, in reading order.
///
/// The Pod that is spoken of needs no letter, it is the subject; nor does the node it is on.
pub(crate) fn references(
    analysis: &Analysis,
    phrases: &[&Phrase],
    subject: Option<&ObjectKey>,
) -> Rc<[Reference]> {
    let mut found: Vec<Reference> = Vec::new();
    for target in phrases.iter().flat_map(|it| &it.0).filter_map(|piece| piece.target.as_ref()) {
        let is_subject = matches!(
            &target.thing,
            Thing::Object(key) if Some(key) == subject || key.kind == "Node"
        );
        if target.thing == Thing::Text || is_subject {
            continue;
        }
        if let Some(reference) = found.iter_mut().find(|it| *it.thing == target.thing) {
            reference.ranges.extend(target.range.filter(|it| !reference.ranges.contains(it)));
            continue;
        }
        let Some(letter) = letter(found.len()) else { continue };
        let mut ranges: Vec<Range> = target.range.into_iter().collect();
        for range in places(analysis, &target.thing) {
            if !ranges.contains(&range) {
                ranges.push(range);
            }
        }
        found.push(Reference { letter, thing: Rc::new(target.thing.clone()), ranges });
    }
    found.into()
}

fn letter(index: usize) -> Option<char> {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ".chars().nth(index)
}

/// Where a thing is written.
pub(crate) fn places(analysis: &Analysis, thing: &Thing) -> Vec<Range> {
    let snapshot = &analysis.snapshot;
    match thing {
        Thing::Text => Vec::new(),
        Thing::Device(key) => {
            let mut devices = snapshot.devices.iter();
            devices.find(|it| it.device == *key).and_then(|it| it.range).into_iter().collect()
        }
        Thing::CounterSet(driver, pool, name) => snapshot
            .counter_sets
            .iter()
            .filter(|it| it.driver == *driver && it.pool == *pool && it.name == *name)
            .filter_map(|ledger| ledger.range)
            .collect(),
        Thing::Selector(object, _, index) => {
            selector_range(snapshot, object, *index).into_iter().collect()
        }
        Thing::Object(key) => {
            let pod = snapshot.pods.iter().find(|it| it.object == *key).and_then(|it| it.range);
            let claim = snapshot.claims.iter().find(|it| it.object == *key).and_then(|it| it.range);
            let listed = analysis.outline.iter().find(|it| it.object == *key && !it.hypothetical);
            pod.or(claim).or(listed.map(|entry| entry.range)).into_iter().collect()
        }
    }
}

fn selector_range(snapshot: &Snapshot, object: &ObjectKey, index: usize) -> Option<Range> {
    let mut tables = snapshot.verdicts.iter().flat_map(|verdicts| &verdicts.selectors);
    tables.find(|table| table.object == *object && table.index == index)?.range
}

/// What stands at an offset of the text: the narrowest thing around it.
pub(crate) fn thing_at(analysis: &Analysis, offset: u32) -> Option<Thing> {
    let snapshot = &analysis.snapshot;
    let mut best: Option<(u32, Thing)> = None;
    let mut offer = |range: Option<Range>, thing: &dyn Fn() -> Thing| {
        let Some(range) = range else { return };
        let width = range.to.saturating_sub(range.from);
        let inside = range.from <= offset && offset <= range.to;
        if inside && best.as_ref().is_none_or(|(other, _)| width < *other) {
            best = Some((width, thing()));
        }
    };
    for device in &snapshot.devices {
        offer(device.range, &|| Thing::Device(device.device.clone()));
    }
    for ledger in &snapshot.counter_sets {
        offer(ledger.range, &|| {
            Thing::CounterSet(ledger.driver.clone(), ledger.pool.clone(), ledger.name.clone())
        });
    }
    for verdicts in &snapshot.verdicts {
        for table in &verdicts.selectors {
            let request = if table.source == "class" { "" } else { verdicts.request.as_str() };
            offer(table.range, &|| {
                Thing::Selector(table.object.clone(), request.to_owned(), table.index)
            });
        }
    }
    for entry in &analysis.outline {
        offer(Some(entry.range), &|| Thing::Object(entry.object.clone()));
    }
    best.map(|(_, thing)| thing)
}

/// The `id` of the figure that shows a thing.
pub(crate) fn figure_id(thing: &Thing) -> Option<String> {
    match thing {
        Thing::Text => None,
        Thing::Device(_) => Some("figure-card".to_owned()),
        Thing::CounterSet(..) => Some("figure-ledger".to_owned()),
        Thing::Selector(..) => Some("selectors".to_owned()),
        Thing::Object(key) if key.kind == "Pod" || key.kind == "ResourceClaim" => {
            Some(object_id(key))
        }
        Thing::Object(_) => Some("inventory".to_owned()),
    }
}

/// A phrase without its references.
pub(crate) fn plain(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}
