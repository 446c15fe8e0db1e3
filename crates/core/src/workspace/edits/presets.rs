use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use dra_playground_cel::order::{Gather, Order};

use crate::api::{Device, Object, ObjectValue};
use crate::source::{LineIndex, Span};
use crate::yaml::{self, Node, Resolved};

use super::super::ranges::range;
use super::super::report::{Edit, Preset};
use super::inventory::{DRIVER, Inventory, Place, slice_documents};
use super::outline::{Entry, Outline};

/// What a switch on the page sets in an inventory of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresetSwitch {
    /// `gpuPartitions`: partitions of each card, 0 for none.
    GpuPartitions(u32),
    /// `gpuAllowMultipleAllocations`.
    AllowMultipleAllocations(bool),
}

/// The inventories of the upstream example driver in a text. Only those are found that hold exactly
/// what the driver publishes, so that a switch loses nothing that somebody wrote.
pub fn presets(text: &str) -> Vec<Preset> {
    let lines = LineIndex::new(text);
    let found = find(&Outline::of(text)).into_iter();
    found
        .map(|found| Preset {
            node: found.place.node.clone(),
            gpus: found.inventory.gpus,
            gpu_partitions: found.inventory.gpu_partitions,
            allow_multiple_allocations: found.inventory.allow_multiple_allocations,
            ranges: found.spans.iter().map(|(_, root)| range(&lines, *root)).collect(),
        })
        .collect()
}

/// The same when the objects of the text are known: it is read once more only when one of them may
/// belong to such an inventory.
pub(in super::super) fn presets_of(text: &str, objects: &[Rc<Object>]) -> Vec<Preset> {
    let may_belong = |object: &Rc<Object>| match &object.value {
        ObjectValue::ResourceSlice(slice) => {
            let published = |device: &Device| device.attributes.contains_key("uuid");
            slice.driver == DRIVER && slice.devices.iter().all(published)
        }
        _ => false,
    };
    if objects.iter().any(may_belong) { presets(text) } else { Vec::new() }
}

/// Publishes an inventory of the text anew, with one setting changed and the next pool generation.
/// `preset` is an index into [`presets`]. Nothing is changed when there is no such inventory.
pub fn flip_preset(text: &str, preset: usize, switch: PresetSwitch) -> Vec<Edit> {
    let Some(Found { mut inventory, mut place, spans }) =
        find(&Outline::of(text)).into_iter().nth(preset)
    else {
        return Vec::new();
    };
    match switch {
        PresetSwitch::GpuPartitions(partitions) => inventory.gpu_partitions = partitions,
        PresetSwitch::AllowMultipleAllocations(allow) => {
            inventory.allow_multiple_allocations = allow;
        }
    }
    place.generation = place.generation.saturating_add(1);
    let lines = LineIndex::new(text);
    let documents = slice_documents(&inventory, &place).join("---\n");
    spans
        .iter()
        .enumerate()
        .map(|(index, (document, root))| {
            if index == 0 {
                let text = documents.trim_end().to_owned();
                Edit { range: range(&lines, *root), text }
            } else {
                Edit { range: range(&lines, *document), text: String::new() }
            }
        })
        .collect()
}

/// An inventory in the text.
struct Found {
    inventory: Inventory,
    place: Place,
    /// Document and content of each slice, in text order.
    spans: Vec<(Span, Span)>,
}

fn find(outline: &Outline) -> Vec<Found> {
    let mut pools: BTreeMap<String, (usize, Vec<&Entry>)> = BTreeMap::new();
    for (index, entry) in outline.entries.iter().enumerate() {
        if let Some(node) = pool_of(entry) {
            pools.entry(node).or_insert((index, Vec::new())).1.push(entry);
        }
    }
    let mut pools: Vec<(String, (usize, Vec<&Entry>))> = pools.into_iter().collect();
    pools.order_by_key(|(_, (first, _))| *first);
    pools.into_iter().filter_map(|(node, (_, slices))| recognize(node, &slices)).collect()
}

/// The node of a slice that may be one of the example driver.
fn pool_of(entry: &Entry) -> Option<String> {
    if entry.kind != "ResourceSlice" || entry.in_list {
        return None;
    }
    let spec = entry.root.get("spec")?;
    let text = |node: Option<&Node>| node.and_then(Node::text).map(std::borrow::Cow::into_owned);
    let node = text(spec.get("nodeName"))?;
    let pool = text(spec.get("pool")?.get("name"))?;
    (text(spec.get("driver"))? == DRIVER && pool == node).then_some(node)
}

/// Whether slices are what the driver publishes for some settings.
fn recognize(node: String, slices: &[&Entry]) -> Option<Found> {
    let devices: Vec<&Node> = slices
        .iter()
        .filter_map(|slice| slice.root.get("spec")?.get("devices")?.items())
        .flatten()
        .collect();
    let names: Vec<String> = devices
        .iter()
        .filter_map(|device| Some(device.get("name")?.text()?.into_owned()))
        .collect();
    let number = |text: &str| text.parse::<u32>().ok();
    let card = |name: &str| number(name.strip_prefix("gpu-")?.split('-').next()?);
    let cards: BTreeSet<u32> = names.iter().filter_map(|name| card(name)).gathered();
    let partition = |name: &String| number(name.rsplit_once("-partition-")?.1);
    let partitions = names.iter().filter_map(partition).max().map_or(0, |most| most + 1);
    let inventory = Inventory {
        gpus: u32::try_from(cards.len()).ok()?,
        gpu_partitions: partitions,
        allow_multiple_allocations: devices
            .first()
            .and_then(|device| device.get("allowMultipleAllocations")?.text())
            .is_some_and(|text| text == "true"),
    };
    let pool = slices.first()?.root.get("spec")?.get("pool")?;
    let generation = pool.get("generation")?.text()?.parse().ok()?;
    let uuids = (0..inventory.gpus).map(|gpu| uuid(&devices, gpu)).collect();
    let place = Place { node, generation, uuids };
    let published = slice_documents(&inventory, &place);
    if inventory != inventory.limited() || published.len() != slices.len() {
        return None;
    }
    // Counter slices come first, as in the driver; the text may have them in any order.
    let mut sorted: Vec<&&Entry> = slices.iter().collect();
    sorted.order_by_key(|slice| slice.root.get("spec").and_then(|s| s.get("devices")).is_some());
    for (slice, document) in sorted.iter().zip(&published) {
        let ours = yaml::read(document).documents.into_iter().next()?.root?;
        if !same(slice.root.get("spec")?, ours.get("spec")?) {
            return None;
        }
    }
    let mut spans: Vec<(Span, Span)> =
        slices.iter().map(|slice| (slice.span, slice.root.span)).collect();
    spans.order();
    Some(Found { inventory, place, spans })
}

/// The UUID that a card's first device publishes.
fn uuid(devices: &[&Node], gpu: u32) -> String {
    let name = format!("gpu-{gpu}");
    let device = devices.iter().find(|device| {
        device.get("name").and_then(Node::text).is_some_and(|text| {
            *text == *name || text.strip_prefix(name.as_str()).is_some_and(|r| r.starts_with('-'))
        })
    });
    device
        .and_then(|device| device.get("attributes")?.get("uuid")?.get("string")?.text())
        .map(std::borrow::Cow::into_owned)
        .unwrap_or_default()
}

/// Whether two nodes mean the same, whatever their layout.
fn same(a: &Node, b: &Node) -> bool {
    if let (Some(a), Some(b)) = (a.items(), b.items()) {
        return a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b));
    }
    if let (Some(entries), Some(others)) = (a.entries(), b.entries()) {
        return entries.len() == others.len()
            && entries.iter().all(|(key, value)| {
                b.get(&key.key_text()).is_some_and(|other| same(value, other))
            });
    }
    match (a.scalar(), b.scalar()) {
        (Some(a), Some(b)) => {
            let (a, b) = (a.resolve(), b.resolve());
            // A quantity may be a number or a string.
            a == b || number_or_text(a).is_some_and(|a| number_or_text(b) == Some(a))
        }
        _ => false,
    }
}

fn number_or_text(value: Resolved<'_>) -> Option<String> {
    value.into_text().map(std::borrow::Cow::into_owned)
}
