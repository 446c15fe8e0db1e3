//! Messages for texts that are not valid, from the ANTLR parser of the `cel` crate.

use super::Issue;

pub(super) fn issues(text: &str) -> Vec<Issue> {
    let _ = text;
    vec![Issue { offset: Some(0), message: "Syntax error".to_owned() }]
}
