//! What accounts are marked with, and whether it is so.

use super::super::Workspace;
use super::super::report::{Answer, Options, Phrase, Query, Snapshot};

const NODE: &str = "\
apiVersion: v1
kind: Node
metadata: {name: node-a}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {}
";

/// Counter slice and device slice of a driver's pool `node-a`.
fn pool(driver: &str, sets: &str, devices: &str) -> String {
    let head = format!(
        "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {driver}-KIND}}
spec:
  driver: {driver}
  nodeName: node-a
  pool: {{name: node-a, generation: 1, resourceSliceCount: 2}}
"
    );
    format!(
        "---\n{}  sharedCounters:\n{sets}---\n{}  devices:\n{devices}",
        head.replace("KIND", "counters"),
        head.replace("KIND", "devices")
    )
}

fn device(name: &str, set: &str, memory: &str) -> String {
    format!(
        "  - name: {name}\n    consumesCounters: [{{counterSet: {set}, counters: {{memory: {{value: {memory}}}}}}}]\n"
    )
}

/// A claim that holds devices of pool `node-a`.
fn holder(name: &str, driver: &str, devices: &[&str]) -> String {
    let results: Vec<String> = devices
        .iter()
        .map(|it| format!("{{request: r, driver: {driver}, pool: node-a, device: {it}}}"))
        .collect();
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}, namespace: default}}
spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: any, count: {}}}}}]}}}}
status:
  allocation: {{devices: {{results: [{}]}}}}
  reservedFor: [{{resource: pods, name: elsewhere, uid: u}}]
",
        devices.len(),
        results.join(", ")
    )
}

/// A claim that asks for devices by CEL.
fn asker(selector: &str, count: usize) -> String {
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: asks, namespace: default}}
spec:
  devices:
    requests:
    - name: r
      exactly:
        deviceClassName: any
        count: {count}
        selectors: [{{cel: {{expression: {selector:?}}}}}]
"
    )
}

fn flat(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}

fn shown(text: &str, release: &str) -> Snapshot {
    let options = Options { kubernetes_version: Some(release.to_owned()), ..Options::default() };
    Workspace::new().analyze(text, &options).snapshot
}

/// Account and kind of each mark, with its words.
fn marks(snapshot: &Snapshot) -> Vec<(String, String, String)> {
    let ledgers = snapshot.counter_sets.iter().chain(&snapshot.capacities);
    ledgers
        .flat_map(|ledger| {
            let name = format!("{}/{}", ledger.driver, ledger.name);
            ledger.marks.iter().map(move |it| (name.clone(), it.kind.clone(), it.text.clone()))
        })
        .collect()
}

fn kinds(snapshot: &Snapshot) -> Vec<(String, String)> {
    marks(snapshot).into_iter().map(|(name, kind, _)| (name, kind)).collect()
}

fn pair(name: &str, kind: &str) -> (String, String) {
    (name.to_owned(), kind.to_owned())
}

/// Whether the claim that asks got its devices; its Pod is made for the purpose.
fn is_met(snapshot: &Snapshot) -> bool {
    let asks = snapshot.claims.iter().find(|claim| claim.object.name == "asks").unwrap();
    !asks.devices.is_empty()
}

const TWO_SETS: &str = "  - {name: card-0, counters: {memory: {value: 40Gi}}}
  - {name: card-1, counters: {memory: {value: 40Gi}}}
";

/// A driver published its devices anew, and dearer than those that claims hold already.
#[test]
fn an_overdrawn_account_is_marked_and_so_are_those_that_it_blocks() {
    let text = |cost: &str| {
        let devices = [
            device("a0", "card-0", cost),
            device("a1", "card-0", "20Gi"),
            device("b0", "card-1", "20Gi"),
        ];
        let pool = pool("gpu.example.com", TWO_SETS, &devices.concat());
        let holder = holder("old", "gpu.example.com", &["a0", "a1"]);
        [NODE, &pool, &holder, &asker("device.driver == 'gpu.example.com'", 1)].concat()
    };
    for release in ["1.36.2", "1.37.2"] {
        let fair = shown(&text("20Gi"), release);
        assert_eq!(kinds(&fair), []);
        assert!(is_met(&fair), "{release}");

        let over = shown(&text("30Gi"), release);
        let expected = [
            pair("gpu.example.com/card-0", "over-committed"),
            pair("gpu.example.com/card-1", "foreign"),
        ];
        assert_eq!(kinds(&over), expected, "{release}");
        assert_eq!(marks(&over)[0].2, "memory is over-committed by 10Gi");
        let card = over.counter_sets.iter().find(|ledger| ledger.name == "card-0").unwrap();
        assert_eq!(card.columns[0].left, "-10Gi");
        // What the mark says of the other account: its device is free, and nobody can have it.
        assert!(!is_met(&over), "{release}");
    }
}

#[test]
fn a_device_that_is_held_and_published_no_longer_is_marked() {
    let devices = device("a0", "card-0", "20Gi");
    let pool = pool("gpu.example.com", TWO_SETS, &devices);
    let held = |name| holder("old", "gpu.example.com", &[name]);
    let with = |name| shown(&[NODE, &pool, &held(name)].concat(), "1.37.2");
    assert_eq!(kinds(&with("a0")), []);
    let gone = with("a9");
    assert_eq!(gone.counter_sets[0].entries.len(), 0);
    let expected =
        [pair("gpu.example.com/card-0", "vanished"), pair("gpu.example.com/card-1", "vanished")];
    assert_eq!(kinds(&gone), expected);
    assert!(marks(&gone)[0].2.contains("a9"), "{:?}", marks(&gone));
    // The pool's counts have it all the same, as upstream's.
    let counts = gone.pools[0].status.counts.unwrap();
    assert_eq!([counts.total, counts.allocated, counts.available], [1, 1, 0]);
}

/// The second driver's counters are looked up in the first one's account, from 1.35 to 1.36.3.
#[test]
fn pools_that_a_release_takes_for_one_are_marked() {
    let set = "  - {name: card-0, counters: {memory: {value: 40Gi}}}\n";
    let one = pool("a.example.com", set, &device("a0", "card-0", "40Gi"));
    let small = "  - {name: card-0, counters: {memory: {value: 1Gi}}}\n";
    let other = pool(
        "b.example.com",
        small,
        &[device("b0", "card-0", "1Gi"), device("b1", "card-0", "1Gi")].concat(),
    );
    let asks = asker("true", 3);
    let text = [NODE, &one, &other, &asks].concat();
    for (release, mixes) in [("1.36.2", true), ("1.36.4", false), ("1.37.2", false)] {
        let snapshot = shown(&text, release);
        let marked: Vec<(String, String)> = kinds(&snapshot);
        let expected = [
            pair("a.example.com/card-0", "shared-name"),
            pair("b.example.com/card-0", "shared-name"),
        ];
        assert_eq!(marked, if mixes { &expected[..] } else { &[] }, "{release}");
    }
}

#[test]
fn an_overdrawn_capacity_is_marked() {
    let slice = "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: nics}
spec:
  driver: nic.example.com
  nodeName: node-a
  pool: {name: node-a, generation: 1, resourceSliceCount: 1}
  devices: [{name: n0, allowMultipleAllocations: true, capacity: {bandwidth: {value: 10G}}}]
";
    let share = |name: &str, amount: &str, id: u8| {
        let id = format!("00000000-0000-4000-8000-00000000000{id}");
        holder(name, "nic.example.com", &["n0"]).replace(
            "device: n0",
            &format!("device: n0, shareID: {id}, consumedCapacity: {{bandwidth: {amount}}}"),
        )
    };
    let with = |second: &str| {
        shown(&[NODE, slice, &share("one", "6G", 1), &share("two", second, 2)].concat(), "1.37.2")
    };
    assert_eq!(kinds(&with("4G")), []);
    let over = with("7G");
    assert_eq!(kinds(&over), [pair("nic.example.com/n0", "over-committed")]);
    assert_eq!(marks(&over)[0].2, "bandwidth is over-committed by 3G");
}

/// Q1: counters of a device that a later check refuses stay reserved until 1.36.2.
#[test]
fn reservations_that_leak_are_told_where_they_show() {
    let set = "  - {name: card-0, counters: {memory: {value: 40Gi}}}\n";
    let tainted = device("full", "card-0", "40Gi")
        + "    taints: [{key: example.com/broken, effect: NoSchedule}]\n";
    let pool = pool("gpu.example.com", set, &(tainted + &device("half", "card-0", "20Gi")));
    let text = [NODE, &pool, &asker("true", 1)].concat();
    for (release, leaks) in [("1.36.2", true), ("1.36.3", false), ("1.37.2", false)] {
        let mut workspace = Workspace::new();
        let options =
            Options { kubernetes_version: Some(release.to_owned()), ..Options::default() };
        let snapshot = workspace.analyze(&text, &options).snapshot;
        assert_eq!(is_met(&snapshot), !leaks, "{release}");
        let pod = &snapshot.pods[0];
        let query = Query::Search { pod: pod.object.clone(), node: String::new() };
        let Answer::Search(tree) = workspace.query(&query) else { panic!("no search") };
        let told: Vec<String> = tree.entries.iter().map(|entry| flat(&entry.text)).collect();
        let held = "part of it held by devices that were refused (known bug)";
        assert_eq!(told.iter().any(|line| line.contains(held)), leaks, "{release} {told:#?}");
        let context = flat(&pod.context);
        assert_eq!(context.contains("a known bug of this release"), leaks, "{release} {context}");
    }
}
