//! What every diagnostic marks in the example of its page: the code, the place and the very text.

#![expect(clippy::disallowed_methods, reason = "tests read files")]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Options, Range};
use expect_test::expect;

use common::marked;

/// Codes whose text does not fit on a page; what they mark is checked below and in
/// `diagnostic_pages.rs`.
const WITHOUT_EXAMPLE: [&str; 3] = ["json-syntax", "more-diagnostics", "text-too-large"];

/// One line for each diagnostic of a code: the place, the marked text, and further marks.
fn marks(text: &str, code: &str) -> String {
    let analysis = Workspace::new().analyze(text, &Options::default());
    let mut out = String::new();
    for found in analysis.diagnostics.iter().filter(|found| found.code == code) {
        let Range { line, column, .. } = found.range;
        let _ = write!(out, "{code} {line}:{column} {:?}", marked(text, found.range));
        for (range, word) in &found.related {
            let _ = write!(out, ", {word}: {:?}", marked(text, *range));
        }
        out.push('\n');
    }
    out
}

#[test]
fn every_code_marks_the_text_that_is_meant() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics");
    let names = std::fs::read_dir(&folder).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".md").filter(|name| *name != "README").map(str::to_owned)
    });
    let codes: BTreeSet<String> = names.collect();
    let mut all = String::new();
    for code in codes.iter().filter(|code| !WITHOUT_EXAMPLE.contains(&code.as_str())) {
        let page = std::fs::read_to_string(folder.join(format!("{code}.md"))).unwrap();
        let (_, rest) = page.split_once("```yaml\n").unwrap();
        let marks = marks(rest.split("```").next().unwrap(), code);
        assert!(!marks.is_empty(), "{code}: the example marks nothing");
        all.push_str(&marks);
    }
    expect![[r#"
        alias-budget 5:40 "*a3"
        allocated-device-gone 46:17 "gpu-7"
        attribute-type-differs 24:7 "index", of type int here: "index"
        beta-version 1:13 "resource.k8s.io/v1beta1"
        class-without-selectors 4:9 "gpu.example.com"
        complex-key 6:5 "[a, b]"
        control-character 4:15 "\u{1}"
        counter-set-not-found 37:19 "gpu-0-counter"
        counters-unreachable 42:19 "gpu-0"
        cyclic-alias 5:16 "*meta"
        dash-separator 5:1 "–-"
        device-class-not-found 29:26 "gpu.example.com"
        duplicate-key 5:3 "name", first written here: "name"
        duplicate-object 9:9 "worker", first written here: "worker"
        duplicate-value 19:11 "gpu-0"
        expectation-syntax 7:5 "pods p1 on node-a"
        field-dropped 26:5 "allowMultipleAllocations"
        forbidden-field 22:9 "requestPolicy"
        indented-separator 5:3 "---"
        invalid-quantity 21:16 "6 GiB"
        invalid-value 21:18 "\"1.2\""
        merge-key 6:9 "all"
        missing-kind 1:1 "kind"
        namespace-not-found 33:14 "team-a"
        nesting-too-deep 1:131 "["
        no-resource-slices 18:9 "my-claim"
        node-not-found 7:13 "worker"
        not-an-object 1:1 "just a remark"
        old-api-version 1:13 "resource.k8s.io/v1alpha2"
        omitted-text 5:1 "..."
        placeholder 6:11 "\"${ZONE}\""
        pool-incomplete 16:25 "2"
        pool-inconsistent 32:11 "gpu-0", also here: "gpu-0"
        required-field 36:7 "name"
        reserved-domain 20:7 "resource.kubernetes.io/socketID"
        resource-claim-not-found 36:24 "my-claim"
        resource-claim-template-not-found 36:32 "my-template"
        scenario-invalid-value 6:13 "perfect"
        scenario-missing-field 7:13 "{kind: Pod}"
        scenario-one-operation 7:5 "name: nothing"
        scenario-repeated 7:1 "---\napiVersion: dra-playground/v1\nkind: Scenario\nmetadata:\n  name: another\nspec:\n  title: Two\n", the scenario that is used: "apiVersion: dra-playground/v1\nkind: Scenario\nmetadata:\n  name: example\nspec:\n  title: One\n"
        scenario-step-failed 7:5 "delete: {kind: Pod, name: nobody}"
        scenario-unknown-field 6:3 "titel"
        scenario-wrong-type 7:5 "claim c error \"no such key: model\""
        selector-hint 26:56 "modle"
        shell-text 1:1 "$ kubectl get node worker -o yaml\n"
        skipped-kind 2:7 "ConfigMap"
        tab-indentation 4:1 "\t"
        taint-rule-inactive 4:9 "maintenance"
        taint-rule-preview 4:9 "maintenance"
        taint-rule-selects-everything 4:9 "maintenance"
        taint-rule-without-selector 4:9 "maintenance"
        template-not-rendered 4:9 "{{ .Values.node }}"
        too-long 21:17 "a very long description of a device that says more than selectors need"
        too-many 37:7 "firstAvailable"
        unknown-attribute 44:23 "gpu.example.com/numa"
        unknown-capacity 45:13 "gpu.example.com/memory"
        unknown-field 6:3 "unschedulabel"
        unknown-kind 1:13 "v1"
        unknown-reference 15:15 "gpu"
        unquoted-scalar 6:18 "yes"
        unsupported-value 39:25 "all"
        value-defaulted 39:16 "0"
        workload-expanded 7:7 "Deployment"
        wrong-type 20:14 "0"
        yaml-syntax 4:15 ": one"
    "#]].assert_eq(&all);
}

#[test]
fn the_last_diagnostic_marks_where_the_others_begin() {
    let many = "---\nx\n".repeat(501);
    expect![[r#"
        more-diagnostics 1002:1 "x"
    "#]]
    .assert_eq(&marks(&many, "more-diagnostics"));
}
