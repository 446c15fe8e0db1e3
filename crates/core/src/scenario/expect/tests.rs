use super::comments::leading_comment;
use super::line::{DeviceLine, Id, Line, Subject, parse};

fn id(driver: &str, pool: &str, last: &str) -> Id {
    Id { driver: driver.to_owned(), pool: pool.to_owned(), last: last.to_owned() }
}

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

#[track_caller]
fn refused(line: &str, part: &str) {
    let problem = parse(line).unwrap_err();
    assert!(problem.contains(part), "{problem}");
}

#[test]
fn device_lines_keep_slashes_of_pools_subrequests_and_capacities() {
    let line = "claim ns/c req/sub=dra.cpu/rack/7/cpu-0 dra.cpu/cpu=2 memory=1Gi admin";
    let expected = Line::Device(DeviceLine {
        claim: "ns/c".to_owned(),
        request: "req/sub".to_owned(),
        id: id("dra.cpu", "rack/7", "cpu-0"),
        amounts: vec![pair("dra.cpu/cpu", "2"), pair("memory", "1Gi")],
        admin: true,
    });
    assert_eq!(parse(line), Ok(expected));
}

#[test]
fn texts_in_quotes_keep_spaces_and_escapes() {
    let line = r#"pod p1 error "class \"x\" is gone""#;
    let expected = Line::Error {
        subject: Subject::Pod,
        name: "p1".to_owned(),
        text: "class \"x\" is gone".to_owned(),
    };
    assert_eq!(parse(line), Ok(expected));
}

#[test]
fn prose_after_invalid_is_no_path() {
    let invalid = |path: Option<&str>| {
        Ok(Line::Invalid {
            kind: "ResourceClaim".to_owned(),
            name: "c".to_owned(),
            path: path.map(str::to_owned),
        })
    };
    assert_eq!(
        parse("invalid ResourceClaim/c spec.devices.requests[0].x unknown field"),
        invalid(Some("spec.devices.requests[0].x"))
    );
    assert_eq!(parse("invalid ResourceClaim/c specification is wrong"), invalid(None));
}

#[test]
fn config_takes_lists_with_and_without_spaces() {
    let config = |requests: &[&str]| {
        Ok(Line::Config {
            claim: "c".to_owned(),
            source: "FromClass".to_owned(),
            requests: requests.iter().map(|name| (*name).to_owned()).collect(),
        })
    };
    assert_eq!(parse("config c FromClass requests=[]"), config(&[]));
    assert_eq!(parse("config c FromClass requests=[a, b/c]"), config(&["a", "b/c"]));
}

#[test]
fn unknown_first_words_are_errors() {
    refused("claims c unallocatable", "unknown first word `claims`");
    refused("", "empty");
}

#[test]
fn incomplete_lines_are_errors() {
    refused("claim c", "expected `claim NAME`");
    refused("claim c r=driver/device", "not of the form DRIVER/POOL/NAME");
    refused("claim c error no quotes", "expected `claim NAME`");
    refused("claim c error text", "double quotes");
    refused("claim c unallocatable \"open", "not closed");
    refused("pod p runs", "expected `pod NAME`");
    refused("left d/p/c", "expected `left");
    refused("left d/p/c memory", "NAME=VALUE");
    refused("config c FromPod requests=[]", "expected `config");
    refused("devices c many", "not a number");
    refused("warn thing", "KIND/NAME");
}

#[test]
fn the_leading_comment_gives_lines_and_headers() {
    let text = "# Title.\n# kubernetes: 1.36.2\n# feature gates needed: A, B\n# behavior: fixed\n\
                # expected:\n#   claim c unused\n#   pod p on n\n# note: prose\n#   not a line\n\
                ---\n# expected:\n#   pod late on n\n";
    let comment = leading_comment(text);
    let lines: Vec<&str> = comment.expected.iter().map(|(line, _)| line.as_str()).collect();
    assert_eq!(lines, ["claim c unused", "pod p on n"]);
    let (line, span) = &comment.expected[1];
    assert_eq!(span.text(text), line);
    assert_eq!(comment.kubernetes.unwrap().0, "1.36.2");
    let gates: Vec<&str> = comment.feature_gates.iter().map(|(gate, _)| gate.as_str()).collect();
    assert_eq!(gates, ["A", "B"]);
    let (gate, span) = &comment.feature_gates[1];
    assert_eq!(span.text(text), *gate);
    assert_eq!(comment.behavior.unwrap().0, "fixed");
}
