//! What a cluster shows only as Pending: each check between objects with the text it marks, what it
//! proposes, and its words in Traditional Chinese.

mod common;

use std::fmt::Write;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Diagnostic, Options, Range};
use expect_test::{Expect, expect};

use common::marked;

fn found(text: &str, language: &str) -> Vec<Diagnostic> {
    let options = Options { language: language.to_owned(), ..Options::default() };
    Workspace::new().analyze(text, &options).diagnostics
}

/// All findings of a code, in both languages.
#[track_caller]
fn check(text: &str, code: &str, expect: &Expect) {
    let mut out = String::new();
    let chinese = found(text, "zh-TW");
    let is_chinese = |text: &str| text.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c));
    for (found, other) in found(text, "en").iter().zip(&chinese) {
        assert_eq!(found.code, other.code);
        if found.code != code {
            continue;
        }
        let Range { line, column, .. } = found.range;
        let _ = writeln!(out, "{line}:{column} {:?}: {}", marked(text, found.range), found.message);
        found.notes.iter().for_each(|note| {
            let _ = writeln!(out, "  {note}");
        });
        for (range, word) in &found.related {
            let _ = writeln!(out, "  {word}: {:?}", marked(text, *range));
        }
        found.fixes.iter().for_each(|fix| {
            let _ = writeln!(out, "  fix: {}", fix.title);
        });
        let _ = writeln!(out, "  zh: {}", other.message);
        let words = [&other.message].into_iter().chain(&other.notes);
        let words = words.chain(other.related.iter().map(|(_, word)| word));
        for words in words.chain(other.fixes.iter().map(|fix| &fix.title)) {
            assert!(is_chinese(words), "not translated: {words}");
        }
    }
    expect.assert_eq(&out);
}

const CLASS: &str = "---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu.example.com}
spec: {selectors: [{cel: {expression: device.driver == 'd.example.com'}}]}
";

fn node(name: &str) -> String {
    format!("---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n")
}

/// A slice of a pool that is called like the node.
fn slice(name: &str, driver: &str, node: &str, count: u32, rest: &str) -> String {
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: {name}}}
spec:
  driver: {driver}
  nodeName: {node}
  pool: {{name: {node}, generation: 1, resourceSliceCount: {count}}}
{rest}"
    )
}

fn claim(class: &str, rest: &str) -> String {
    format!(
        "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: c, namespace: default}}
spec:
  devices:
    requests:
    - name: r
      exactly: {{deviceClassName: {class}}}
{rest}"
    )
}

fn pod(namespace: &str, reference: &str) -> String {
    format!(
        "---
apiVersion: v1
kind: Pod
metadata: {{name: p, namespace: {namespace}}}
spec:
  containers: [{{name: c, image: i}}]
  resourceClaims: [{{name: gpu, {reference}}}]
"
    )
}

fn inventory() -> String {
    let devices = "  devices:\n  - {name: d0, attributes: {numa: {int: 0}}}\n";
    format!("{}{CLASS}{}", node("w1"), slice("s", "d.example.com", "w1", 1, devices))
}

#[test]
fn names_of_nothing() {
    check(
        &format!("{}{}", inventory(), claim("gpu.exampel.com", "")),
        "device-class-not-found",
        &expect![[r#"
            28:34 "gpu.exampel.com": there is no DeviceClass `gpu.exampel.com`
              the API server accepts the claim, but it can never be allocated
              did you mean `gpu.example.com`?
              fix: write `gpu.example.com`
              fix: insert DeviceClass `gpu.exampel.com` for driver `d.example.com`
              zh: 沒有 DeviceClass `gpu.exampel.com`
        "#]],
    );
    let template = "---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: my-template, namespace: default}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu.example.com}}]}}}
";
    let text =
        |namespace, reference| format!("{}{template}{}", inventory(), pod(namespace, reference));
    check(
        &text("default", "resourceClaimTemplateName: my-templat"),
        "resource-claim-template-not-found",
        &expect![[r#"
            31:59 "my-templat": there is no ResourceClaimTemplate `my-templat` in namespace `default`
              the Pod stays Pending until it is created
              did you mean `my-template`?
              fix: write `my-template`
              fix: insert ResourceClaimTemplate `my-templat`
              zh: namespace `default` 中沒有 ResourceClaimTemplate `my-templat`
        "#]],
    );
    check(
        &text("team-a", "resourceClaimTemplateName: my-template"),
        "resource-claim-template-not-found",
        &expect![[r#"
            31:59 "my-template": there is no ResourceClaimTemplate `my-template` in namespace `team-a`
              the Pod stays Pending until it is created
              there is one in namespace `default`, but a Pod can use only those of its own
              fix: insert ResourceClaimTemplate `my-template`
              zh: namespace `team-a` 中沒有 ResourceClaimTemplate `my-template`
        "#]],
    );
    check(
        &text("team-a", "resourceClaimTemplateName: x"),
        "namespace-not-found",
        &expect![[r#"
        28:32 "team-a": namespace `team-a` is not written down; it is assumed to exist
          fix: insert Namespace `team-a`
          zh: 文字中沒有 namespace `team-a`；假設它存在
    "#]],
    );
    let known = "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: team-a}\n";
    check(
        &format!("{}{known}", text("team-aa", "resourceClaimTemplateName: x")),
        "namespace-not-found",
        &expect![[r#"
            28:32 "team-aa": namespace `team-aa` is not written down; it is assumed to exist
              did you mean `team-a`?
              fix: write `team-a`
              fix: insert Namespace `team-aa`
              zh: 文字中沒有 namespace `team-aa`；假設它存在
        "#]],
    );
    let text = format!(
        "{}{}{}",
        inventory(),
        claim("gpu.example.com", ""),
        pod("default", "resourceClaimName: cc")
    );
    check(
        &text,
        "resource-claim-not-found",
        &expect![[r#"
        35:51 "cc": there is no ResourceClaim `cc` in namespace `default`
          the Pod stays Pending until it is created
          did you mean `c`?
          fix: write `c`
          fix: insert ResourceClaim `cc`
          zh: namespace `default` 中沒有 ResourceClaim `cc`
    "#]],
    );
    let devices = "  devices: [{name: d0}]\n";
    let text =
        format!("{}{}", node("worker-1"), slice("s", "d.example.com", "worker-2", 1, devices));
    check(
        &text,
        "node-not-found",
        &expect![[r#"
            11:13 "worker-2": there is no Node `worker-2`, which this slice names
              a node of this name without labels is assumed
              did you mean `worker-1`?
              fix: write `worker-1`
              fix: insert Node `worker-2`
              zh: 沒有這個 slice 所指的 Node `worker-2`
        "#]],
    );
}

#[test]
fn pools_and_counters() {
    let devices = "  devices:
  - name: d0
    consumesCounters:
    - counterSet: gpu-o
      counters: {memory: {value: 1Gi}}
  - name: d1
    consumesCounters:
    - counterSet: gpu-0
      counters: {memori: {value: 1Gi}}
";
    let counters = "  sharedCounters: [{name: gpu-0, counters: {memory: {value: 8Gi}}}]\n";
    let text = format!(
        "{}{}{}",
        node("w1"),
        slice("a", "d.example.com", "w1", 2, devices),
        slice("b", "d.example.com", "w1", 2, counters)
    );
    check(
        &text,
        "counter-set-not-found",
        &expect![[r#"
        16:19 "gpu-o": there is no counter set `gpu-o` in the pool
          the scheduler treats the whole pool as invalid then
          did you mean `gpu-0`?
          fix: write `gpu-0`
          zh: 此 pool 中沒有 counter set `gpu-o`
        21:18 "memori": there is no counter `memori` in set `gpu-0`
          the scheduler treats the whole pool as invalid then
          did you mean `memory`?
          fix: write `memory`
          zh: counter set `gpu-0` 中沒有 counter `memori`
    "#]],
    );
    let text = format!(
        "{}{}",
        node("w1"),
        slice("a", "d.example.com", "w1", 2, "  devices: [{name: d0}]\n")
    );
    check(
        &text,
        "pool-incomplete",
        &expect![[r#"
            12:55 "2": pool `d.example.com/w1` has 1 slice at generation 1, but announces 2
              devices of an incomplete pool are not allocated
              fix: write `resourceSliceCount: 1`
              zh: pool `d.example.com/w1` 在 generation 1 有 1 個 slice，但宣告了 2 個
        "#]],
    );
    // Two slices that do not agree on how many there are.
    let text = format!(
        "{}{}{}",
        node("w1"),
        slice("a", "d.example.com", "w1", 2, "  devices: [{name: d0}]\n"),
        slice("b", "d.example.com", "w1", 3, "  devices: [{name: d1}]\n")
    );
    check(
        &text,
        "pool-incomplete",
        &expect![[r#"
            21:55 "3": slices of pool `d.example.com/w1` announce different numbers: 3 here, 2 elsewhere
              devices of an incomplete pool are not allocated
              announces 2: "2"
              fix: write `resourceSliceCount: 2`
              zh: pool `d.example.com/w1` 的 slice 宣告的數量不同：此處 3，他處 2
        "#]],
    );
    // The counters are on another node than the device.
    let text = format!(
        "{}{}{}",
        node("w1"),
        slice("a", "d.example.com", "w1", 2, counters),
        slice(
            "b",
            "d.example.com",
            "w1",
            2,
            &devices.replace("gpu-o", "gpu-0").replace("memori", "memory")
        )
        .replace("nodeName: w1", "allNodes: true")
    );
    check(&text, "counters-unreachable", &expect![[""]]);
}

#[test]
#[expect(clippy::too_many_lines, reason = "one text for each check")]
fn attributes() {
    let typed =
        |value: &str| format!("  devices: [{{name: d0, attributes: {{index: {value}}}}}]\n");
    let text = format!(
        "{}{}{}{}",
        node("w1"),
        node("w2"),
        slice("a", "d.example.com", "w1", 1, &typed("{int: 0}")),
        slice("b", "d.example.com", "w2", 1, &typed("{string: zero}"))
    );
    check(
        &text,
        "attribute-type-differs",
        &expect![[r#"
        26:37 "index": attribute `d.example.com/index` is of type string here, but int on another device
          a selector that compares it fails on one of them
          of type int here: "index"
          zh: 屬性 `d.example.com/index` 在此是 string 型別，在另一個裝置上卻是 int
    "#]],
    );
    let odd = "  devices: [{name: d0, attributes: {k8s.io/zone: {int: 1}, resource.kubernetes.io/socketID: {int: 0}}}]\n";
    check(
        &format!("{}{}", node("w1"), slice("a", "d.example.com", "w1", 1, odd)),
        "reserved-domain",
        &expect![[r#"
            13:37 "k8s.io/zone": `k8s.io/zone` is in a domain that is reserved for the Kubernetes project
              common to all drivers are `resource.kubernetes.io/numaNode`, `resource.kubernetes.io/pciBusID`, `resource.kubernetes.io/pcieRoot`
              other names belong into a domain of the driver's own, e.g. `d.example.com`
              zh: `k8s.io/zone` 所在的網域保留給 Kubernetes 專案使用
            13:60 "resource.kubernetes.io/socketID": `resource.kubernetes.io/socketID` is in a domain that is reserved for the Kubernetes project
              common to all drivers are `resource.kubernetes.io/numaNode`, `resource.kubernetes.io/pciBusID`, `resource.kubernetes.io/pcieRoot`
              other names belong into a domain of the driver's own, e.g. `d.example.com`
              zh: `resource.kubernetes.io/socketID` 所在的網域保留給 Kubernetes 專案使用
        "#]],
    );
    let text = |attribute: &str| {
        let constraint = format!("    constraints: [{{matchAttribute: {attribute}}}]\n");
        format!("{}{}", inventory(), claim("gpu.example.com", &constraint))
    };
    check(
        &text("d.example.com/nume"),
        "unknown-attribute",
        &expect![[r#"
        29:36 "d.example.com/nume": no device publishes attribute `d.example.com/nume`
          a constraint on it refuses every device
          did you mean `d.example.com/numa`?
          fix: write `d.example.com/numa`
          zh: 沒有裝置發布屬性 `d.example.com/nume`
    "#]],
    );
    check(
        &text("e.example.com/numa"),
        "unknown-attribute",
        &expect![[r#"
        29:36 "e.example.com/numa": no device publishes attribute `e.example.com/numa`
          a constraint on it refuses every device
          did you mean `d.example.com/numa`?
          fix: write `d.example.com/numa`
          zh: 沒有裝置發布屬性 `e.example.com/numa`
    "#]],
    );
    // Of two drivers only one has it.
    let two = format!(
        "{}{CLASS}---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {{name: nic.example.com}}
spec: {{selectors: [{{cel: {{expression: device.driver == 'n.example.com'}}}}]}}
{}{}{}",
        node("w1"),
        slice(
            "a",
            "d.example.com",
            "w1",
            1,
            "  devices: [{name: d0, attributes: {numa: {int: 0}}}]\n"
        ),
        slice("b", "n.example.com", "w1", 1, "  devices: [{name: n0}]\n"),
        claim(
            "gpu.example.com",
            "    - name: nic
      exactly: {deviceClassName: nic.example.com}
    constraints: [{matchAttribute: d.example.com/numa}]
"
        )
    );
    check(
        &two,
        "unknown-attribute",
        &expect![[r#"
        44:36 "d.example.com/numa": driver `n.example.com`, which request `nic` is for, does not publish attribute `d.example.com/numa`
          only `d.example.com` does; the constraint refuses every other device
          zh: request `nic` 所用的 driver `n.example.com` 沒有發布屬性 `d.example.com/numa`
    "#]],
    );
    let selector = inventory()
        + &claim(
            "gpu.example.com",
            "      # a domain that nobody has
",
        )
        .replace(
            "{deviceClassName: gpu.example.com}",
            "{deviceClassName: gpu.example.com, selectors: [{cel: {expression: 'device.attributes[\"d.exampel.com\"].numa == 0'}}]}",
        );
    check(
        &selector,
        "selector-hint",
        &expect![[r#"
        28:101 "\"d.exampel.com\"": `d.exampel.com` is a domain of 0 of 1 devices, `d.example.com` is one that they use
          fix: write `"d.example.com"`
          zh: 1 個裝置都沒有 `d.exampel.com` 這個網域，它們使用 `d.example.com`
    "#]],
    );
}

#[test]
fn classes_and_devices_that_are_gone() {
    let class =
        "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: all}\nspec: {}\n";
    check(
        &format!("{}{class}", inventory()),
        "class-without-selectors",
        &expect![[r#"
        23:18 "all": class `all` has no selectors: every device of every driver is in it
          a selector such as `device.driver == 'gpu.example.com'` keeps it to one driver
          zh: class `all` 沒有 selector：所有驅動程式的所有裝置都屬於它
    "#]],
    );
    let status = "status:
  allocation:
    devices:
      results: [{request: r, driver: d.example.com, pool: w1, device: d7}]
";
    let text = format!("{}{}", inventory(), claim("gpu.example.com", status));
    check(
        &text,
        "allocated-device-gone",
        &expect![[r#"
        32:71 "d7": claim `c` has device `d.example.com/w1/d7`, which is published no longer
          zh: claim `c` 持有的裝置 `d.example.com/w1/d7` 已不再發布
    "#]],
    );
}

/// Every diagnostic but those of a code: message, notes with a proposal, fixes.
fn proposals(text: &str) -> Vec<String> {
    let all = found(text, "en");
    let said = all.iter().flat_map(|found| {
        let notes = found.notes.iter().filter(|note| note.contains("did you mean"));
        let fixes = found.fixes.iter().map(|fix| &fix.title);
        notes.chain(fixes).chain([&found.message]).cloned().collect::<Vec<_>>()
    });
    said.collect()
}

/// What the API server refuses is no name to propose, and no object to insert.
#[test]
fn refused_names_are_not_proposed() {
    let class = CLASS.replace("gpu.example.com", "GPU");
    let claim = |class: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c}}\nspec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: {class}}}}}]}}}}\n"
        )
    };
    let said = proposals(&format!("{class}{}", claim("gpu")));
    assert!(said.iter().any(|said| said == "there is no DeviceClass `gpu`"), "{said:#?}");
    assert!(!said.iter().any(|said| said.contains("did you mean `GPU`")), "{said:#?}");
    // A name that is none is told once: no missing class, nothing to insert.
    let said = proposals(&claim("Gpu_"));
    assert!(!said.iter().any(|said| said.contains("DeviceClass `Gpu_`")), "{said:#?}");
    let all = found(&format!("{CLASS}{}", claim("GPU.example.com")), "en");
    let missing = all.iter().find(|found| found.code == "device-class-not-found").unwrap();
    assert_eq!(missing.notes, ["did you mean `gpu.example.com`?"]);
    assert_eq!(missing.fixes.len(), 1);
    // The same of claims, templates, nodes and namespaces.
    let pod = "---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: A_}\nspec:\n  nodeName: N_\n  containers: [{name: c, image: x}]\n  resourceClaims:\n  - {name: x, resourceClaimName: C_}\n  - {name: y, resourceClaimTemplateName: T_}\n";
    let said = proposals(pod);
    assert!(!said.iter().any(|said| said.starts_with("insert ")), "{said:#?}");
}

#[test]
fn names_of_refused_slices_are_not_proposed() {
    let slice = |name: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec:\n  driver: GPU.example.com\n  allNodes: true\n  pool: {{name: p, generation: 1, resourceSliceCount: 1}}\n  devices: [{{name: d, attributes: {{{name}: {{int: 1}}}}, capacity: {{{name}: {{value: 1}}}}}}]\n"
        )
    };
    let claim = "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests: [{name: r, exactly: {deviceClassName: gpu.example.com, capacity: {requests: {nnn: 1}}}}]\n    constraints: [{matchAttribute: GPU.example.com/n}]\n";
    let said = |name: &str| proposals(&[CLASS, &slice(name), claim].concat());
    let is_proposed = |said: &[String]| said.iter().any(|said| said.contains("did you mean"));
    assert!(is_proposed(&said("nn")));
    let said = said("\"\"");
    assert!(!is_proposed(&said), "{said:#?}");
}

#[test]
fn names_that_two_slices_of_a_pool_have_are_told_where_a_node_sees_both() {
    let slice = |name: &str, node: &str, sets: &str, devices: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n\
             spec:\n  driver: d.example.com\n  pool: {{name: p, generation: 1, resourceSliceCount: 2}}\n\
             \x20 {node}\n  {sets}\n  {devices}\n"
        )
    };
    let told = |first: &str, second: &str| {
        let nodes = ["m1", "m2"]
            .map(|name| format!("---\napiVersion: v1\nkind: Node\nmetadata: {{name: {name}}}\n"));
        let mut found = found(&format!("{}{first}{second}", nodes.concat()), "en");
        found.retain(|it| it.code == "pool-inconsistent");
        found.into_iter().map(|it| it.message).collect::<Vec<_>>()
    };
    let device = |name: &str, node: &str| slice(name, node, "", "devices: [{name: a}]");
    let said = ["two slices of pool `d.example.com/p` have the device `a`"];
    assert_eq!(told(&device("s", "nodeName: m1"), &device("t", "nodeName: m1")), said);
    assert_eq!(told(&device("s", "nodeName: m1"), &device("t", "allNodes: true")), said);
    let said = ["nodes `m1` and `m2` have the device `a` in one pool, `d.example.com/p`"];
    assert_eq!(told(&device("s", "nodeName: m1"), &device("t", "nodeName: m2")), said);
    let set = |name: &str| {
        slice(name, "nodeName: m1", "sharedCounters: [{name: c, counters: {x: {value: 1}}}]", "")
    };
    let said = ["two slices of pool `d.example.com/p` have the counter set `c`"];
    assert_eq!(told(&set("s"), &set("t")), said);
}
