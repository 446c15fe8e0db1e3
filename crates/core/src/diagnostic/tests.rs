use expect_test::expect;

use super::{Code, Diagnostic, Fix, did_you_mean, render, sort};
use crate::source::{LineIndex, Span};

#[test]
fn renders_message_place_and_fix() {
    let text = "kind: Pod\nspec:\n  nodName: x\n";
    let at = text.find("nodName").unwrap();
    let span = Span::new(at, at + 7);
    let diagnostic =
        Diagnostic::new(Code::error("unknown-field"), "unknown field `spec.nodName`", span)
            .label("not a field of a Pod's `spec`")
            .also(Span::new(0, 4), "of this object")
            .note("did you mean `nodeName`?")
            .fix(Fix::new("rename it to `nodeName`", span, "nodeName", true))
            .upstream("strict decoding error: unknown field \"spec.nodName\"");
    expect![[r#"
        error[unknown-field]: unknown field `spec.nodName`
          --> scenario.yaml:3:3
        3 |   nodName: x
          |   ^^^^^^^ not a field of a Pod's `spec`
          ::: scenario.yaml:1:1: of this object
          = did you mean `nodeName`?
          = fix: rename it to `nodeName`
          = kubectl: strict decoding error: unknown field "spec.nodName"
    "#]]
    .assert_eq(&render(&diagnostic, "scenario.yaml", text, &LineIndex::new(text)));
    assert_eq!(diagnostic.fixes[0].apply(text), "kind: Pod\nspec:\n  nodeName: x\n");
}

#[test]
fn sorting_merges_equal_ones() {
    let code = Code::warning("odd");
    let later = Diagnostic::new(code, "b", Span::new(5, 6));
    let first = Diagnostic::new(code, "a", Span::new(1, 2));
    let mut all = vec![later.clone(), first.clone(), later.clone()];
    sort(&mut all);
    assert_eq!(all, [first, later]);
}

#[test]
fn suggests_only_close_names() {
    let names = ["nodeName", "nodeSelector", "allNodes"];
    assert_eq!(did_you_mean("nodename", names), Some("nodeName"));
    assert_eq!(did_you_mean("allNdoes", names), Some("allNodes"));
    let classes = ["dranet-rdma", "gpu01.example.com"];
    assert_eq!(did_you_mean("rdma-dranet", classes), Some("dranet-rdma"));
    assert_eq!(did_you_mean("gpu01", classes), Some("gpu01.example.com"));
    assert_eq!(did_you_mean("gpu", classes), None);
    assert_eq!(did_you_mean("devices", names), None);
    assert_eq!(did_you_mean("nodeName", names), None);
}
