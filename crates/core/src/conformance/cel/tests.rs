use serde_json::Value as Json;

use super::{Memory, Record, answer};

/// Beyond the comparison of records, which leaves the sets of tokens out.
#[test]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "recorded cases are files")]
fn syntax_errors_have_the_words_of_kubernetes() {
    let Ok(cases) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("skipped: DRA_PLAYGROUND_CASES is not set");
        return;
    };
    // The second error comes from how the parser recovers from the first one.
    let recovers_otherwise = ["a ?: b"];
    let text = std::fs::read_to_string(format!("{cases}/cases/cel-1.36.jsonl")).unwrap();
    let mut memory = Memory::default();
    let mut compared = 0;
    for line in text.lines() {
        let json: Json = serde_json::from_str(line).unwrap();
        let record = Record::read(&json).unwrap();
        if !record.is_syntax || recovers_otherwise.contains(&record.expression.as_str()) {
            continue;
        }
        let selectors = memory.selectors(record.switches, record.cost_limit).unwrap();
        let found = answer(selectors, &record, record.new);
        assert_eq!(found.compile_error, record.expected.compile_error, "{}", record.expression);
        compared += 1;
    }
    assert!(compared > 90, "{compared} syntax errors");
}
