//! Given records of allocation with something changed: cases that nobody thought of when the
//! generator was written.
//!
//! A change keeps what the API server would accept as far as cheaply possible: values are replaced
//! by values from the same place of other objects, so that they stay of the right kind.

mod places;
mod scenario;
#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::Path;

use serde_json::{Value, json};

use crate::generator::Profile;
use crate::random::Random;
use crate::shrink;
use places::{Place, places};

/// The lists of a record that are changed.
const LISTS: [&str; 5] = ["nodes", "deviceClasses", "resourceSlices", "claims", "allocatedClaims"];

/// Devices that the claims of a changed case may ask for; the search is exponential in them.
const MOST_DEVICES: i64 = 7;

/// Bytes of the longest record that is changed: longer ones take long and add little.
const LONGEST: usize = 60_000;

/// Fields of which an object has one, so that none is added beside another.
const ALTERNATIVES: [&str; 16] = [
    "nodeName",
    "nodeSelector",
    "allNodes",
    "perDeviceNodeSelection",
    "exactly",
    "firstAvailable",
    "matchAttribute",
    "distinctAttribute",
    "validRange",
    "validValues",
    "sharedCounters",
    "devices",
    "int",
    "bool",
    "string",
    "version",
];

/// Where objects have what tells them from others.
const NAMES: [&str; 3] = ["/name", "/metadata/name", "/metadata/uid"];

/// Amounts with every notation and sign of interest.
const AMOUNTS: [&str; 10] = ["0", "1", "2", "500m", "1Gi", "10Gi", "40Gi", "80Gi", "1e3", "3G"];

/// Records to change.
#[derive(Debug)]
pub struct Corpus {
    records: Vec<Value>,
}

impl Corpus {
    /// Reads records (`.jsonl`) and scenarios (other files); without files the recorded cases of
    /// all releases. Records that are no allocation or too long are left out, and so are files
    /// without a claim.
    ///
    /// # Errors
    /// When a file cannot be read, or nothing is left.
    pub fn read(files: &[String]) -> io::Result<Self> {
        let mut records = Vec::new();
        let own;
        let files = if files.is_empty() {
            own = recorded()?;
            &own
        } else {
            files
        };
        for file in files {
            let text = fs::read_to_string(file)?;
            if Path::new(file).extension().is_some_and(|ending| ending == "jsonl") {
                let lines = text.lines().filter(|line| line.len() <= LONGEST);
                let read = lines.filter_map(|line| serde_json::from_str(line).ok());
                records.extend(read.filter(is_allocation));
            } else {
                let name = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
                records.extend(scenario::record(&name, &text));
            }
        }
        if records.is_empty() {
            return Err(io::Error::other("there is no record of allocation to change"));
        }
        Ok(Self { records })
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none, which [`Self::read`] does not give.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Case `index` under `seed`: a record with one to four changes, without its answer.
    pub fn case(&self, seed: u64, index: u64, profile: Profile) -> Value {
        let mut random = Random::new(seed, index);
        let Some(original) = random.pick(&self.records) else { return Value::Null };
        let mut record = as_input(original, profile);
        let most = devices_wanted(&record).max(MOST_DEVICES);
        for _ in 0..random.between(1, 4) {
            // Some changes find nothing to change.
            for _ in 0..8 {
                let mut changed = record.clone();
                let donor = random.pick(&self.records);
                let done = change(&mut random, &mut changed, donor, profile);
                if done && changed != record && devices_wanted(&changed) <= most {
                    record = changed;
                    break;
                }
            }
        }
        if let Some(fields) = record.as_object_mut() {
            let name = original.get("name").and_then(Value::as_str).unwrap_or_default();
            fields.insert("name".into(), json!(format!("mut-{seed}-{index:05}-{name}")));
        }
        record
    }
}

/// The recorded cases of the project itself.
fn recorded() -> io::Result<Vec<String>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("recorded");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("alloc-") {
            files.push(path.to_string_lossy().into_owned());
        }
    }
    files.sort();
    Ok(files)
}

fn is_allocation(record: &Value) -> bool {
    record.get("resourceSlices").is_some_and(Value::is_array)
}

/// A record without what belongs to its answer, with the features that the release has.
fn as_input(record: &Value, profile: Profile) -> Value {
    let mut input = record.clone();
    let Some(fields) = input.as_object_mut() else { return input };
    for answer in ["expected", "upstream", "kubernetes", "tags"] {
        fields.remove(answer);
    }
    fields.insert("mode".into(), json!("both"));
    // A variant that was forced on one release can lack a feature on another.
    fields.remove("allocator");
    let features = fields.entry("features").or_insert_with(|| json!({}));
    if let Some(features) = features.as_object_mut() {
        if profile.minor < 36 {
            features.insert("ListTypeAttributes".into(), json!(false));
        }
        if profile.minor < 37 {
            features.remove("FractionalCapacityRange");
            features.remove("OptionalNodeOperations");
        }
    }
    input
}

/// How many devices the claims ask for by count.
fn devices_wanted(record: &Value) -> i64 {
    let claims = record.get("claims").and_then(Value::as_array).into_iter().flatten();
    let requests = claims.filter_map(|claim| claim.pointer("/spec/devices/requests"));
    let requests = requests.filter_map(Value::as_array).flatten();
    let count = |spec: &Value| {
        let is_all = spec.get("allocationMode").and_then(Value::as_str) == Some("All");
        if is_all { 0 } else { spec.get("count").and_then(Value::as_i64).unwrap_or(1) }
    };
    let of_request = |request: &Value| {
        let subs = request.get("firstAvailable").and_then(Value::as_array).into_iter().flatten();
        let one = request.get("exactly").map_or(0, count);
        one.max(subs.map(count).max().unwrap_or_default())
    };
    requests.map(of_request).fold(0, i64::saturating_add)
}

/// Makes one change; false when it found nothing to change.
fn change(
    random: &mut Random,
    record: &mut Value,
    donor: Option<&Value>,
    profile: Profile,
) -> bool {
    match random.below(100) {
        0..=29 => replace(random, record, donor),
        30..=43 => add(random, record, donor),
        44..=57 => drop_part(random, record),
        58..=66 => duplicate(random, record),
        67..=76 => swap(random, record),
        77..=88 => tweak(random, record),
        89..=94 => flip_gate(random, record, profile),
        _ => donor.is_some_and(|donor| join(random, record, donor)),
    }
}

/// A place that a record has, of which `wanted` says that it will do.
fn some_place(
    random: &mut Random,
    record: &Value,
    wanted: impl Fn(&Place, &Value) -> bool,
) -> Option<Place> {
    let mut found = places(record);
    found.retain(|place| record.pointer(&place.pointer).is_some_and(|value| wanted(place, value)));
    random.pick(&found).cloned()
}

/// The record itself, or another one now and then.
fn source<'a>(random: &mut Random, record: &'a Value, donor: Option<&'a Value>) -> &'a Value {
    match donor {
        Some(donor) if random.percent(30) => donor,
        Some(_) | None => record,
    }
}

/// Puts a value where another one of the same meaning stood.
fn replace(random: &mut Random, record: &mut Value, donor: Option<&Value>) -> bool {
    let Some(place) = some_place(random, record, |place, _| !place.is_identity()) else {
        return false;
    };
    let from = source(random, record, donor);
    let same = |other: &Place, _: &Value| other.meaning == place.meaning;
    let Some(other) = some_place(random, from, same) else { return false };
    let Some(mut value) = from.pointer(&other.pointer).cloned() else { return false };
    for path in NAMES {
        let own = record.pointer(&format!("{}{path}", place.pointer)).cloned();
        if let (Some(own), Some(name)) = (own, value.pointer_mut(path)) {
            *name = own;
        }
    }
    put(record, &place.pointer, value)
}

/// Adds a field that other objects of the kind have.
fn add(random: &mut Random, record: &mut Value, donor: Option<&Value>) -> bool {
    let from = source(random, record, donor);
    let optional = |place: &Place, _: &Value| {
        !place.is_item()
            && !place.is_identity()
            && !ALTERNATIVES.contains(&place.key.as_str())
            && !place.owner.is_empty()
    };
    let Some(other) = some_place(random, from, optional) else { return false };
    let Some(value) = from.pointer(&other.pointer).cloned() else { return false };
    let lacks = |place: &Place, object: &Value| {
        place.meaning == other.owner
            && object.as_object().is_some_and(|fields| !fields.contains_key(&other.key))
    };
    let Some(owner) = some_place(random, record, lacks) else { return false };
    let fields = record.pointer_mut(&owner.pointer).and_then(Value::as_object_mut);
    fields.is_some_and(|fields| fields.insert(other.key.clone(), value).is_none())
}

/// Takes an item or a field away.
fn drop_part(random: &mut Random, record: &mut Value) -> bool {
    let mut removable: Vec<String> = Vec::new();
    for list in LISTS {
        if let Some(value) = record.get(list) {
            removable.extend(shrink::removable(value).iter().map(|path| format!("/{list}{path}")));
        }
    }
    let nodes = record.get("nodes").and_then(Value::as_array).map_or(0, Vec::len);
    if nodes < 2 {
        removable.retain(|path| path != "/nodes/0");
    }
    let Some(path) = random.pick(&removable).cloned() else { return false };
    shrink::remove(record, &path)
}

/// Doubles an item under a name of its own.
fn duplicate(random: &mut Random, record: &mut Value) -> bool {
    let Some(place) = some_place(random, record, |place, _| place.is_item()) else { return false };
    let Some((list, at)) = place.pointer.rsplit_once('/') else { return false };
    let (Some(mut value), Ok(at)) = (record.pointer(&place.pointer).cloned(), at.parse::<usize>())
    else {
        return false;
    };
    for path in NAMES {
        if let Some(Value::String(name)) = value.pointer_mut(path) {
            *name = format!("{name}-{}", random.between(2, 99));
        }
    }
    let at = if random.percent(50) { at } else { at + 1 };
    match record.pointer_mut(list).and_then(Value::as_array_mut) {
        Some(items) if at <= items.len() => {
            items.insert(at, value);
            true
        }
        Some(_) | None => false,
    }
}

/// Exchanges two items of a list.
fn swap(random: &mut Random, record: &mut Value) -> bool {
    let long = |_: &Place, value: &Value| value.as_array().is_some_and(|items| items.len() > 1);
    let mut lists: Vec<String> = LISTS
        .map(|list| format!("/{list}"))
        .into_iter()
        .filter(|list| {
            record.pointer(list).and_then(Value::as_array).is_some_and(|items| items.len() > 1)
        })
        .collect();
    if let Some(place) = some_place(random, record, long) {
        lists.push(place.pointer);
    }
    let Some(list) = random.pick(&lists).cloned() else { return false };
    let Some(items) = record.pointer_mut(&list).and_then(Value::as_array_mut) else { return false };
    let (one, other) = (random.below(items.len()), random.below(items.len()));
    items.swap(one, other);
    one != other
}

/// Changes a number or an amount a little.
fn tweak(random: &mut Random, record: &mut Value) -> bool {
    let is_number = |place: &Place, value: &Value| {
        value.is_i64() || (value.is_string() && place.is_amount()) || value.is_boolean()
    };
    let Some(place) = some_place(random, record, is_number) else { return false };
    let Some(value) = record.pointer(&place.pointer) else { return false };
    let value = match value {
        Value::Bool(on) => json!(!on),
        Value::String(_) => json!(random.text(&AMOUNTS)),
        number => {
            let number = number.as_i64().unwrap_or_default();
            let changed = if random.percent(50) { number + 1 } else { number - 1 };
            // The API server refuses less.
            let least = i64::from(place.key == "count" || place.key == "resourceSliceCount");
            json!(if place.key == "int" { changed } else { changed.max(least) })
        }
    };
    put(record, &place.pointer, value)
}

fn flip_gate(random: &mut Random, record: &mut Value, profile: Profile) -> bool {
    let mut names = vec![
        "AdminAccess",
        "ConsumableCapacity",
        "DeviceBindingAndStatus",
        "DeviceTaints",
        "PartitionableDevices",
        "PrioritizedList",
    ];
    if profile.minor >= 36 {
        names.push("ListTypeAttributes");
    }
    if profile.minor >= 37 {
        names.extend(["FractionalCapacityRange", "OptionalNodeOperations"]);
    }
    let name = random.text(&names);
    let Some(features) = record.get_mut("features").and_then(Value::as_object_mut) else {
        return false;
    };
    let on = features.get(name) == Some(&json!(true));
    features.insert(name.to_owned(), json!(!on));
    true
}

/// Brings in the claims of another record, or its slices.
fn join(random: &mut Random, record: &mut Value, donor: &Value) -> bool {
    let list = random.text(&["claims", "resourceSlices", "allocatedClaims"]);
    let Some(items) = donor.get(list).and_then(Value::as_array).filter(|items| !items.is_empty())
    else {
        return false;
    };
    for list in [list, "deviceClasses"] {
        let items = if list == "deviceClasses" {
            donor.get(list).and_then(Value::as_array).map_or(&[][..], Vec::as_slice)
        } else {
            items
        };
        let name = |item: &Value| item.pointer("/metadata/name").cloned();
        let Some(own) = record.get_mut(list).and_then(Value::as_array_mut) else { return false };
        for item in items {
            if own.iter().all(|known| name(known) != name(item)) {
                own.push(item.clone());
            }
        }
    }
    true
}

fn put(record: &mut Value, pointer: &str, value: Value) -> bool {
    match record.pointer_mut(pointer) {
        Some(place) if *place != value => {
            *place = value;
            true
        }
        Some(_) | None => false,
    }
}
