use std::rc::Rc;

use dra_playground_core::workspace::report::{
    CounterUse, Family, LedgerColumn, RequestVerdicts, Snapshot, Thing,
};

use super::matrix;
use super::places;
use super::shapes::{self, Fate};
use super::strands;
use crate::fixture::{analysis, counter_set, device};

#[test]
fn letters_follow_the_sentence_and_know_their_places() {
    let analysis = analysis();
    let pod = &analysis.snapshot.pods[1];
    let references = places::references(&analysis, &[&pod.cause, &pod.context], None);
    assert_eq!(references.len(), 1);
    assert_eq!(references[0].letter, 'A');
    assert_eq!(references[0].thing, Rc::new(counter_set()));
    assert_eq!(references[0].ranges.len(), 1);
}

#[test]
fn the_narrowest_thing_around_a_place_is_found() {
    let analysis = analysis();
    assert_eq!(places::thing_at(&analysis, 6), Some(counter_set()));
    assert_eq!(places::thing_at(&analysis, 65), Some(Thing::Device(device("card-0-full"))));
    assert_eq!(places::thing_at(&analysis, 1000), None);
}

#[test]
fn devices_treated_alike_share_a_row() {
    let snapshot = analysis().snapshot;
    let columns: Vec<&RequestVerdicts> = snapshot.verdicts.iter().collect();
    let rows = matrix::rows(&snapshot, &columns);
    let members: Vec<&[usize]> = rows.iter().map(|row| row.devices.as_slice()).collect();
    assert_eq!(members, [&[0, 1][..], &[2]]);
    let passing = |code: &str, filter: &str| {
        rows.iter()
            .filter_map(|row| matrix::narrowed(&snapshot, &columns, row, code, filter))
            .count()
    };
    assert_eq!(passing("", ""), 2);
    assert_eq!(passing("counters-short", ""), 1);
    assert_eq!(passing("", "card-0-full"), 1);
    assert_eq!(passing("", "in use FULL"), 1);
    assert_eq!(passing("counters-short", "full"), 0);
    // Of devices that are treated alike only those are left that are looked for.
    let whole = rows.iter().find(|row| row.devices.len() > 1).unwrap();
    let name = &snapshot.devices[whole.devices[1]].device.device;
    let left = matrix::narrowed(&snapshot, &columns, whole, "", name).unwrap();
    assert_eq!(left.devices, whole.devices[1..2]);
    assert_eq!(matrix::narrowed(&snapshot, &columns, whole, "", "").as_ref(), Some(whole));
    let chips = matrix::chips(&columns);
    assert_eq!(chips.iter().map(|chip| chip.count).sum::<usize>(), 3);
}

#[test]
fn shapes_that_exclude_each_other_stand_in_rows_to_scale() {
    let snapshot = analysis().snapshot;
    let picture = shapes::card(&snapshot, &snapshot.cards[0], snapshot.verdicts.first());
    let rows: Vec<Vec<(usize, f64)>> = picture
        .rows
        .iter()
        .map(|row| row.iter().map(|shape| (shape.device, shape.width)).collect())
        .collect();
    assert_eq!(rows, [vec![(2, 1.0)], vec![(0, 0.5), (1, 0.5)]]);
    assert_eq!(picture.rows[1][0].fate, Fate::Refused);
    assert_eq!(picture.rows[0][0].fate, Fate::Quiet);
    let short = picture.gauges[0].short.as_ref().unwrap();
    assert!((short.0 - 0.5).abs() < 1e-9, "half a card is missing");
    assert_eq!(picture.gauges[0].held[0].1, ["pod1"]);
}

#[test]
fn a_line_ends_at_the_rule_that_refused_it() {
    let snapshot = analysis().snapshot;
    let picture = strands::picture(&snapshot, &snapshot.verdicts[0], Some(0));
    let ends: Vec<Option<usize>> = picture.strands.iter().map(|strand| strand.ends).collect();
    assert_eq!(ends, [Some(2), Some(2), Some(1)]);
    assert!(picture.strands.iter().all(|strand| strand.hot && strand.x > 0.0 && strand.x < 1.0));
    assert_eq!(picture.per_card, Some(3));
    assert_eq!(strands::ends(&picture, 2).len(), 1, "neighbours of one card end together");
    assert_eq!(strands::ends(&picture, 1)[0].2, Family::Held);
}

#[test]
fn many_devices_share_lines_and_none_vanishes() {
    let mut verdicts = analysis().snapshot.verdicts.remove(0);
    verdicts.groups[1].devices = (0..8000).collect();
    verdicts.groups[0].devices = vec![8000];
    let devices = vec![dra_playground_core::workspace::report::DeviceView::default(); 8001];
    let snapshot = Snapshot { devices, ..Snapshot::default() };
    let picture = strands::picture(&snapshot, &verdicts, None);
    assert_eq!(picture.per_line, 90);
    assert_eq!(picture.strands.iter().filter(|it| it.ends == Some(1)).count(), 1);
    assert!(picture.strands.len() < 100);
    assert_eq!(strands::ends(&picture, 2).len(), 1);
}

#[test]
fn the_counter_that_tells_shapes_apart_gives_the_scale() {
    let mut snapshot = analysis().snapshot;
    // A slice that every shape takes whole says nothing, even when it is what is short.
    let use_of = |counter: &str, units: f64| CounterUse {
        counter_set: "card-0-counters".to_owned(),
        counter: counter.to_owned(),
        amount: format!("{units}"),
        units,
    };
    let column = |name: &str, total: f64| LedgerColumn {
        name: name.to_owned(),
        total: format!("{total}"),
        left: "0".to_owned(),
        total_units: total,
        left_units: 0.0,
    };
    snapshot.counter_sets[0].columns = vec![column("slice-0", 1.0), column("cores", 7.0)];
    for (device, cores) in snapshot.devices.iter_mut().zip([3.0, 3.0, 7.0]) {
        device.consumes = vec![use_of("slice-0", 1.0), use_of("cores", cores)];
    }
    let picture = shapes::card(&snapshot, &snapshot.cards[0], snapshot.verdicts.first());
    assert_eq!(picture.scale, Some(("cores".to_owned(), "7".to_owned())));
    let rows: Vec<Vec<&str>> = picture
        .rows
        .iter()
        .map(|row| row.iter().map(|shape| shape.amount.as_str()).collect())
        .collect();
    assert_eq!(rows, [vec!["7"], vec!["3", "3"]]);
}
