use std::collections::BTreeMap;

use expect_test::expect;

use super::names::{
    identifier_faults, is_semver, label_faults, label_key_faults, label_value_faults,
    subdomain_faults,
};
use super::*;

fn requirement(
    key: &str,
    operator: NodeSelectorOperator,
    values: &[&str],
) -> NodeSelectorRequirement {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    NodeSelectorRequirement { key: key.to_owned(), operator, values }
}

fn expressions(match_expressions: Vec<NodeSelectorRequirement>) -> NodeSelectorTerm {
    NodeSelectorTerm { match_expressions, match_fields: Vec::new() }
}

fn fits(terms: Vec<NodeSelectorTerm>) -> Result<bool, String> {
    let labels: BTreeMap<String, String> =
        [("zone", "a"), ("rank", "5")].map(|(k, v)| (k.to_owned(), v.to_owned())).into();
    NodeSelector { terms }.matches("n1", &labels)
}

#[test]
fn operators_compare_labels() {
    use NodeSelectorOperator::{DoesNotExist, Exists, Gt, In, Lt, NotIn};
    let cases: [(&str, NodeSelectorOperator, &[&str], bool); 13] = [
        ("zone", In, &["a", "b"], true),
        ("zone", In, &["b"], false),
        ("none", In, &["a"], false),
        ("zone", NotIn, &["b"], true),
        ("none", NotIn, &["b"], true),
        ("zone", Exists, &[], true),
        ("none", Exists, &[], false),
        ("none", DoesNotExist, &[], true),
        ("rank", Gt, &["4"], true),
        ("rank", Gt, &["5"], false),
        ("rank", Lt, &["6"], true),
        ("none", Lt, &["6"], false),
        ("zone", Gt, &["0"], false),
    ];
    for (key, operator, values, expected) in cases {
        let requirement = requirement(key, operator, values);
        let text = format!("{requirement:?}");
        assert_eq!(fits(vec![expressions(vec![requirement])]), Ok(expected), "{text}");
    }
}

#[test]
fn terms_are_alternatives_and_empty_ones_match_nothing() {
    use NodeSelectorOperator::{Exists, In, NotIn};
    let zone = |value: &str| expressions(vec![requirement("zone", In, &[value])]);
    assert_eq!(fits(vec![]), Ok(false));
    assert_eq!(fits(vec![NodeSelectorTerm::default()]), Ok(false));
    assert_eq!(fits(vec![NodeSelectorTerm::default(), zone("a")]), Ok(true));
    assert_eq!(fits(vec![zone("b"), zone("a")]), Ok(true));
    let both = vec![requirement("zone", In, &["a"]), requirement("none", Exists, &[])];
    assert_eq!(fits(vec![expressions(both)]), Ok(false));
    let field = |operator, value: &str| NodeSelectorTerm {
        match_fields: vec![requirement("metadata.name", operator, &[value])],
        match_expressions: Vec::new(),
    };
    assert_eq!(fits(vec![field(In, "n1")]), Ok(true));
    assert_eq!(fits(vec![field(NotIn, "n1")]), Ok(false));
    assert_eq!(fits(vec![field(In, "n2")]), Ok(false));
}

#[test]
fn faulty_terms_say_why() {
    use NodeSelectorOperator::{Exists, Gt, In, Other};
    let faulty = vec![
        expressions(vec![
            requirement("a b", In, &[]),
            requirement("zone", Exists, &["x"]),
            requirement("rank", Gt, &["x"]),
            requirement("zone", Other("Is".to_owned()), &["x"]),
        ]),
        NodeSelectorTerm {
            match_fields: vec![requirement("metadata.name", Exists, &[])],
            match_expressions: Vec::new(),
        },
    ];
    expect![[r#"[nodeSelectorTerms[0].matchExpressions[0].key: Invalid value: "a b": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'), nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty, nodeSelectorTerms[0].matchExpressions[1].values: Invalid value: ["x"]: values set must be empty for exists and does not exist, nodeSelectorTerms[0].matchExpressions[2].values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer, nodeSelectorTerms[0].matchExpressions[3].operator: Unsupported value: "Is": supported values: "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", nodeSelectorTerms[1].matchFields[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"]"#]]
    .assert_eq(&fits(faulty.clone()).unwrap_err());
    let mut with_good = faulty;
    with_good.push(expressions(vec![requirement("zone", In, &["a"])]));
    assert!(fits(with_good.clone()).is_err());
    let labels = [("zone".to_owned(), "a".to_owned())].into();
    assert_eq!(NodeSelector { terms: with_good }.matches_leniently("n1", &labels), Ok(true));
}

#[test]
fn names_are_judged_as_upstream() {
    expect![[r#"
        [
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        ]
    "#]]
    .assert_debug_eq(&label_faults("A_"));
    assert_eq!(label_faults("a.b"), ["must not contain dots"]);
    assert_eq!(label_faults(&"a".repeat(64)), ["must be no more than 63 bytes"]);
    assert!(label_faults("gpu-0").is_empty());
    assert!(subdomain_faults("gpu.example.com").is_empty());
    for bad in ["", "a..b", "-a", "A", "a_b", "a."] {
        assert_eq!(subdomain_faults(bad).len(), 1, "{bad}");
    }
    assert!(label_key_faults("example.com/My_Name.x").is_empty());
    assert_eq!(label_key_faults("a/b/c").len(), 1);
    assert_eq!(label_key_faults("/b"), ["prefix part must be non-empty"]);
    assert_eq!(label_key_faults("").len(), 2);
    assert!(label_value_faults("").is_empty());
    assert_eq!(label_value_faults("-x").len(), 1);
    assert!(identifier_faults("_a1").is_empty());
    for bad in ["", "1a", "a-b", "ä"] {
        assert_eq!(identifier_faults(bad).len(), 1, "{bad}");
    }
}

#[test]
fn semantic_versions_are_strict() {
    for good in ["1.2.3", "0.0.0", "1.2.3-rc.1", "1.2.3-0a", "1.2.3--", "1.2.3+001.x", "1.2.3-a+b"]
    {
        assert!(is_semver(good), "{good}");
    }
    for bad in [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "01.2.3",
        "1.2.3-01",
        "1.2.3-",
        "1.2.3+",
        "v1.2.3",
        "1.2.3-a..b",
    ] {
        assert!(!is_semver(bad), "{bad}");
    }
}
