use std::fmt::Write;

use expect_test::{Expect, expect};

use crate::api::read;
use crate::source::LineIndex;

/// Prints place, marked text, code, message; and the text that the last fix inserts.
#[track_caller]
fn check(text: &str, expect: &Expect) {
    let read = read(text);
    let mut out = String::new();
    let index = LineIndex::new(text);
    for diagnostic in super::check(text, &read.objects, &[]) {
        let span = diagnostic.primary.span;
        let at = index.line_column(span.start);
        let _ = writeln!(
            out,
            "{}:{} `{}` {}: {}",
            at.line + 1,
            at.column + 1,
            span.text(text),
            diagnostic.code.name,
            diagnostic.message
        );
        for note in diagnostic.notes.iter().filter(|note| note.contains('`')) {
            let _ = writeln!(out, "  {note}");
        }
        for fix in &diagnostic.fixes {
            let _ = writeln!(out, "  fix: {}", fix.title);
        }
        // What a fix inserts must be read, and mend what it is for.
        if let Some(fix) = diagnostic.fixes.last() {
            let mended = fix.apply(text);
            let again = crate::api::read(&mended);
            assert!(
                again.diagnostics.iter().all(|d| !d.is_error()),
                "{mended}\n{:?}",
                again.diagnostics
            );
            let left = super::check(&mended, &again.objects, &[]);
            assert!(!left.iter().any(|d| d.message == diagnostic.message), "{mended}\n{left:?}");
        }
    }
    expect.assert_eq(&out);
}

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\n";
const CLASS: &str = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {selectors: [{cel: {expression: 'device.driver == \"d.example.com\"'}}]}\n---\n";
const CLAIM: &str = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\n";

fn slice(count: i64, rest: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec:\n  driver: d.example.com\n  nodeName: n1\n  pool: {{name: n1, generation: 1, resourceSliceCount: {count}}}\n{rest}---\n"
    )
}

#[test]
fn whole_scenarios_have_nothing_to_say() {
    let text = format!("{NODE}{CLASS}{CLAIM}{}", slice(1, "  devices: [{name: d}]\n"));
    check(&text, &expect![[""]]);
}

#[test]
fn missing_class() {
    let text = format!("{NODE}{CLAIM}{}", slice(1, "  devices: [{name: d}]\n"));
    check(
        &text,
        &expect![[r#"
        8:66 `gpu` device-class-not-found: there is no DeviceClass `gpu`
          fix: insert DeviceClass `gpu` for driver `d.example.com`
    "#]],
    );
    check(
        &text.replace("Name: gpu", "Name: gpus").replacen(NODE, &format!("{NODE}{CLASS}"), 1),
        &expect![[r#"
        13:66 `gpus` device-class-not-found: there is no DeviceClass `gpus`
          did you mean `gpu`?
          fix: write `gpu`
          fix: insert DeviceClass `gpus` for driver `d.example.com`
    "#]],
    );
}

#[test]
fn missing_claims_and_templates() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec:\n  resourceClaims:\n  - {name: x, resourceClaimName: c}\n  - {name: w, resourceClaimTemplateName: t}\n";
    check(
        pod,
        &expect![[r#"
        3:32 `a` namespace-not-found: namespace `a` is not written down; it is assumed to exist
          fix: insert Namespace `a`
        6:34 `c` resource-claim-not-found: there is no ResourceClaim `c` in namespace `a`
          fix: insert ResourceClaim `c`
        7:42 `t` resource-claim-template-not-found: there is no ResourceClaimTemplate `t` in namespace `a`
          fix: insert ResourceClaimTemplate `t`
    "#]],
    );
    check(
        &format!("{NODE}{CLASS}{CLAIM}{}{pod}", slice(1, "  devices: [{name: d}]\n")),
        &expect![[r#"
        26:32 `a` namespace-not-found: namespace `a` is not written down; it is assumed to exist
          fix: insert Namespace `a`
        29:34 `c` resource-claim-not-found: there is no ResourceClaim `c` in namespace `a`
          there is one in namespace `default`, but a Pod can use only those of its own
          fix: insert ResourceClaim `c`
        30:42 `t` resource-claim-template-not-found: there is no ResourceClaimTemplate `t` in namespace `a`
          fix: insert ResourceClaimTemplate `t`
    "#]],
    );
}

/// A name that is right elsewhere is no mistyped one.
#[test]
fn a_claim_of_another_namespace_is_not_mistyped() {
    let claim = |metadata: &str| CLAIM.replace("{name: c}", metadata);
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: a}\nspec: {resourceClaims: [{name: x, resourceClaimName: gpu-1}]}\n";
    let text = [&claim("{name: gpu-1, namespace: b}"), &claim("{name: gpu-2, namespace: a}"), pod]
        .concat();
    let read = read(&text);
    let found = super::check(&text, &read.objects, &[]);
    let found = found.iter().find(|it| it.code.name == "resource-claim-not-found").unwrap();
    let fixes: Vec<&str> = found.fixes.iter().map(|fix| fix.title.as_str()).collect();
    assert_eq!(fixes, ["insert ResourceClaim `gpu-1`"]);
}

#[test]
fn missing_nodes_and_slices() {
    check(
        &format!("{CLASS}{CLAIM}"),
        &expect![[r#"
        8:18 `c` no-resource-slices: there is no ResourceSlice, so there is no device to allocate
          drivers publish slices; `kubectl get resourceslices -o yaml` shows a cluster's
          fix: insert a ResourceSlice of `d.example.com` with two devices
    "#]],
    );
    check(
        CLAIM,
        &expect![[r#"
        3:18 `c` no-resource-slices: there is no ResourceSlice, so there is no device to allocate
          drivers publish slices; `kubectl get resourceslices -o yaml` shows a cluster's
          fix: insert a ResourceSlice of `gpu.example.com` with two devices
        4:66 `gpu` device-class-not-found: there is no DeviceClass `gpu`
          fix: insert DeviceClass `gpu` for driver `gpu.example.com`
    "#]],
    );
    check(
        &format!("{CLASS}{CLAIM}{}", slice(1, "  devices: [{name: d}]\n")),
        &expect![[r#"
        16:13 `n1` node-not-found: there is no Node `n1`, which this slice names
          fix: insert Node `n1`
    "#]],
    );
    check(
        &format!(
            "{CLASS}{CLAIM}{}",
            slice(1, "  devices: [{name: d}]\n").replace("nodeName: n1", "allNodes: true")
        ),
        &expect![[r#"
        13:18 `s` node-not-found: there is no Node, so no device can be reached
          fix: insert Node `node-1`
    "#]],
    );
}

/// What is not written is no 0; `check` reads and checks what the fix makes of it.
#[test]
fn pools_without_a_count() {
    let written = "pool: {name: n1, generation: 1, resourceSliceCount: 1}";
    let whole = format!("{NODE}{}", slice(1, "  devices: [{name: d}]\n"));
    for pool in [
        "pool: {name: n1, generation: 1}",
        "pool:\n      name: n1\n      generation: 1",
        "pool:\n    name: n1\n    resourceSliceCount:\n    generation: 1",
    ] {
        let text = whole.replace(written, pool);
        let read = read(&text);
        let found = super::check(&text, &read.objects, &[]);
        let [only] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(only.message, "pool `d.example.com/n1` does not say how many slices it has");
        let mended = only.fixes.first().unwrap().apply(&text);
        check(&mended, &expect![[""]]);
    }
}

/// A step that replaces a slice adds none; one of another name does.
#[test]
fn a_replaced_slice_counts_once() {
    let device = "  devices: [{name: d, attributes: {a: {int: 1}}}]\n";
    let (text, other) = (format!("{NODE}{}", slice(1, device)), slice(1, device));
    let codes = |later: &str| -> Vec<&str> {
        let (own, later) = (read(&text), read(later));
        let found = super::check(&text, &own.objects, &later.objects);
        found.iter().map(|diagnostic| diagnostic.code.name).collect()
    };
    assert_eq!(codes(&other.replace("int: 1", "int: 2")), [""; 0]);
    let added = other.replace("{name: s}", "{name: t}");
    assert_eq!(codes(&added), ["pool-inconsistent", "pool-incomplete"]);
}

#[test]
fn incomplete_pools_and_lost_counters() {
    check(
        &format!(
            "{NODE}{}",
            slice(
                2,
                "  devices: [{name: d, consumesCounters: [{counterSet: s, counters: {m: {value: 1}}}]}]\n"
            )
        ),
        &expect![[r#"
        11:55 `2` pool-incomplete: pool `d.example.com/n1` has 1 slice at generation 1, but announces 2
          fix: write `resourceSliceCount: 1`
        12:55 `s` counter-set-not-found: there is no counter set `s` in the pool
    "#]],
    );
    let counters = slice(2, "  sharedCounters: [{name: set, counters: {memory: {value: 1}}}]\n")
        .replace("name: s}", "name: t}");
    check(
        &format!(
            "{NODE}{counters}{}",
            slice(
                2,
                "  devices: [{name: d, consumesCounters: [{counterSet: sett, counters: {memory: {value: 1}}}]}, {name: e, consumesCounters: [{counterSet: set, counters: {memori: {value: 1}}}]}]\n"
            )
        ),
        &expect![[r#"
        21:55 `sett` counter-set-not-found: there is no counter set `sett` in the pool
          did you mean `set`?
          fix: write `set`
        21:154 `memori` counter-set-not-found: there is no counter `memori` in set `set`
          did you mean `memory`?
          fix: write `memory`
    "#]],
    );
}

#[test]
fn attributes_that_nobody_has() {
    let claim = CLAIM.replace("requests:", "constraints: [{matchAttribute: d.example.com/numa}, {matchAttribute: resource.kubernetes.io/pcieRoot}], requests:");
    check(
        &format!(
            "{NODE}{CLASS}{claim}{}",
            slice(
                1,
                "  devices:\n  - {name: a, attributes: {numaNode: {int: 1}, x.example.com/pcieRoot: {string: a}}}\n  - {name: b, attributes: {numaNode: {string: \"1\"}}}\n"
            )
        ),
        &expect![[r#"
        13:49 `d.example.com/numa` unknown-attribute: no device publishes attribute `d.example.com/numa`
        13:87 `resource.kubernetes.io/pcieRoot` unknown-attribute: no device publishes attribute `resource.kubernetes.io/pcieRoot`
          did you mean `x.example.com/pcieRoot`?
          fix: write `x.example.com/pcieRoot`
        24:28 `numaNode` attribute-type-differs: attribute `d.example.com/numaNode` is of type string here, but int on another device
          fix: write `int: 1`
    "#]],
    );
}

#[test]
fn odd_classes_rules_and_claims() {
    check(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {}\n---\napiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nmetadata: {name: no-selector}\nspec: {taint: {key: k, effect: NoSchedule}}\n",
        &expect![[r#"
        3:18 `c` class-without-selectors: class `c` has no selectors: every device of every driver is in it
          a selector such as `device.driver == 'gpu.example.com'` keeps it to one driver
        8:18 `no-selector` taint-rule-without-selector: rule `no-selector` has no `deviceSelector`: by the API it selects nothing
    "#]],
    );
    let claim = CLAIM.replace("---\n", "status: {allocation: {devices: {results: [{request: r, driver: d.example.com, pool: n1, device: gone}]}}}\n---\n");
    check(
        &format!("{NODE}{CLASS}{claim}{}", slice(1, "  devices: [{name: d}]\n")),
        &expect![[r#"
        14:97 `gone` allocated-device-gone: claim `c` has device `d.example.com/n1/gone`, which is published no longer
    "#]],
    );
}

#[test]
fn attributes_that_one_driver_has() {
    let other = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: nic}\nspec: {selectors: [{cel: {expression: device.driver == 'nic.example.com'}}]}\n---\n";
    let claim = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n    - {name: g, exactly: {deviceClassName: gpu}}\n    - {name: w, exactly: {deviceClassName: nic}}\n    constraints:\n    - {requests: [g, w], matchAttribute: d.example.com/root}\n    - {requests: [g], matchAttribute: d.example.com/root}\n---\n";
    let gpus = slice(1, "  devices: [{name: a, attributes: {root: {string: a}}}]\n");
    let nics = slice(1, "  devices: [{name: b}]\n")
        .replace("d.example.com", "nic.example.com")
        .replace("name: s}", "name: t}");
    check(
        &format!("{NODE}{CLASS}{other}{claim}{gpus}{nics}"),
        &expect![[r#"
        24:42 `d.example.com/root` unknown-attribute: driver `nic.example.com`, which request `w` is for, does not publish attribute `d.example.com/root`
          only `d.example.com` does; the constraint refuses every other device
    "#]],
    );
}

#[test]
fn names_of_the_kubernetes_project() {
    let devices = "  devices:\n  - name: a\n    attributes: {resource.kubernetes.io/pcieRoot: {string: a}, resource.kubernetes.io/socket: {int: 0}, mykubernetes.io/x: {int: 1}}\n    capacity: {k8s.io/cores: {value: 1}}\n  - {name: b, attributes: {resource.kubernetes.io/socket: {int: 0}}}\n";
    check(
        &format!("{NODE}{}", slice(1, devices)),
        &expect![[r#"
        14:64 `resource.kubernetes.io/socket` reserved-domain: `resource.kubernetes.io/socket` is in a domain that is reserved for the Kubernetes project
          common to all drivers are `resource.kubernetes.io/numaNode`, `resource.kubernetes.io/pciBusID`, `resource.kubernetes.io/pcieRoot`
          other names belong into a domain of the driver's own, e.g. `d.example.com`
        15:16 `k8s.io/cores` reserved-domain: `k8s.io/cores` is in a domain that is reserved for the Kubernetes project
          common to all drivers are `resource.kubernetes.io/numaNode`, `resource.kubernetes.io/pciBusID`, `resource.kubernetes.io/pcieRoot`
          other names belong into a domain of the driver's own, e.g. `d.example.com`
    "#]],
    );
}

#[test]
fn counters_out_of_reach() {
    let counters = slice(2, "  sharedCounters: [{name: set, counters: {memory: {value: 1}}}]\n")
        .replace("name: s}", "name: t}");
    let devices = slice(
        2,
        "  devices: [{name: d, consumesCounters: [{counterSet: set, counters: {memory: {value: 1}}}]}]\n",
    );
    let everywhere = devices.replace("nodeName: n1", "allNodes: true");
    let other = NODE.replace("n1", "n2");
    check(
        &format!("{NODE}{other}{counters}{everywhere}"),
        &expect![[r#"
        25:55 `set` counters-unreachable: device `d` can be reached from node `n2`, but counter set `set` cannot: it stands in slice `t`
    "#]],
    );
    check(&format!("{NODE}{other}{counters}{devices}"), &expect![""]);
    let wide = counters.replace("nodeName: n1", "allNodes: true");
    check(&format!("{NODE}{other}{wide}{devices}"), &expect![""]);
}

#[test]
fn capacities_that_nobody_has() {
    let claim = CLAIM.replace("deviceClassName: gpu", "deviceClassName: gpu, capacity: {requests: {d.example.com/memory: 1Gi, cores: 2, speed: 1}}");
    check(
        &format!(
            "{NODE}{CLASS}{claim}{}",
            slice(
                1,
                "  devices:\n  - {name: a, capacity: {memory: {value: 40Gi}, speed: {value: 1}}}\n"
            )
        ),
        &expect![[r#"
            13:93 `d.example.com/memory` unknown-capacity: no device publishes capacity `d.example.com/memory`
              did you mean `memory`?
              fix: write `memory`
            13:120 `cores` unknown-capacity: no device publishes capacity `cores`
        "#]],
    );
}
