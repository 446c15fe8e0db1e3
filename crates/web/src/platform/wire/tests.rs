use std::collections::BTreeMap;

use dra_playground_core::workspace::made_visible;
use dra_playground_core::workspace::report::{Answer, ExtraStep, ObjectKey, Options, Query};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

use super::{from_bytes, to_bytes};
use crate::fixture;
use crate::platform::worker::{Ask, Say};

fn as_written(_: &str) -> Option<String> {
    None
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    Newtype(String),
    Tuple(i64, char),
    Struct { at: u64, of: Option<Box<Shape>> },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    shapes: Vec<Shape>,
    map: BTreeMap<String, (u8, i8, f64)>,
    texts: Vec<String>,
    pair: (bool, Option<u32>),
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn what_is_written_is_read(
        texts in prop::collection::vec("[a-c]{0,3}|\\PC{0,9}", 0..100),
        numbers in prop::collection::vec((any::<i64>(), any::<u64>(), any::<f64>()), 1..9),
    ) {
        let shape = |(at, (signed, number, _)): (usize, &(i64, u64, f64))| match at % 4 {
            0 => Shape::Unit,
            1 => Shape::Newtype(texts.first().cloned().unwrap_or_default()),
            2 => Shape::Tuple(*signed, '器'),
            _ => Shape::Struct { at: *number, of: Some(Box::new(Shape::Struct { at: 0, of: None })) },
        };
        let float = numbers[0].2;
        let value = Everything {
            shapes: numbers.iter().enumerate().map(shape).collect(),
            map: texts.iter().map(|it| (it.clone(), (7, -7, if float.is_nan() { 0.0 } else { float }))).collect(),
            pair: (texts.is_empty(), u32::try_from(numbers[0].1).ok()),
            texts: texts.into_iter().chain([("long ".repeat(100)), ("long ".repeat(100))]).collect(),
        };
        let bytes = to_bytes(&value, as_written).unwrap();
        prop_assert_eq!(from_bytes::<Everything>(&bytes).unwrap(), value);
        // Nothing that is cut off is taken for the whole.
        for end in (0..bytes.len()).rev().step_by(1 + bytes.len() / 16) {
            prop_assert!(from_bytes::<Everything>(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn any_bytes_are_a_value_or_none(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        drop(from_bytes::<Say>(&bytes));
        drop(from_bytes::<Ask>(&bytes));
    }
}

#[test]
fn a_report_is_read_as_it_was_written_and_shorter_than_as_json() {
    let answer = Answer::Verdicts(fixture::analysis().snapshot.verdicts);
    let say = Say::Analysis { id: 7, analysis: Box::new(fixture::analysis()) };
    let bytes = to_bytes(&say, as_written).unwrap();
    let json = serde_json::to_string(&fixture::analysis()).unwrap();
    assert!(bytes.len() * 4 < json.len(), "{} of {}", bytes.len(), json.len());
    let Say::Analysis { id: 7, analysis } = from_bytes(&bytes).unwrap() else { panic!("another") };
    assert_eq!(*analysis, fixture::analysis());
    let bytes = to_bytes(&answer, as_written).unwrap();
    assert_eq!(from_bytes::<Answer>(&bytes).unwrap(), answer);
}

#[test]
fn a_question_is_read_as_it_was_written() {
    let pod = ObjectKey { kind: "Pod".into(), namespace: "default".into(), name: "p".into() };
    let options = Options {
        feature_gates: [("DRAConsumableCapacity".to_owned(), true)].into(),
        step: Some(3),
        extra_steps: vec![ExtraStep::Delete(pod.clone())],
        ..Options::default()
    };
    let ask = Ask::Analyze {
        id: u64::MAX,
        text: "kind: Pod\n".repeat(1000).into(),
        options: options.clone(),
    };
    let bytes = to_bytes(&ask, as_written).unwrap();
    let Ask::Analyze { id: u64::MAX, text, options: read } = from_bytes(&bytes).unwrap() else {
        panic!("another")
    };
    assert_eq!((&*text, read), (&*"kind: Pod\n".repeat(1000), options));
    let query = Query::WhatIfs { pod };
    let bytes = to_bytes(&Ask::Query { id: 1, query: query.clone() }, as_written).unwrap();
    let Ask::Query { id: 1, query: read } = from_bytes(&bytes).unwrap() else { panic!("another") };
    assert_eq!(read, query);
}

#[test]
fn signs_that_steer_are_made_visible_in_every_text() {
    let texts = ["plain", "a\u{202e}b", "a\u{202e}b", "\u{7}"].map(str::to_owned);
    let bytes = to_bytes(&texts, made_visible).unwrap();
    let read: [String; 4] = from_bytes(&bytes).unwrap();
    assert_eq!(read, ["plain", "a\\u202eb", "a\\u202eb", "\\u0007"]);
}
