use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::api::ResourceSlice;
use crate::source::LineIndex;

/// Prints what is said about a text: place, marked text, code, message, notes, upstream; and the
/// text after the first fix of each.
#[track_caller]
fn check(text: &str, expect: &Expect) {
    let read = read(text);
    let index = LineIndex::new(text);
    let mut out = String::new();
    for diagnostic in &read.diagnostics {
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
        for note in &diagnostic.notes {
            let _ = writeln!(out, "  {note}");
        }
        if let Some(upstream) = &diagnostic.upstream {
            let _ = writeln!(out, "  > {upstream}");
        }
        if let Some(fix) = diagnostic.fixes.first() {
            let _ = writeln!(out, "  fix: {}", fix.title);
            for line in fix.apply(text).lines().filter(|line| !text.lines().any(|l| l == *line)) {
                let _ = writeln!(out, "  + {line}");
            }
        }
    }
    expect.assert_eq(&out);
}

const CLAIM: &str = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\n";
const SLICE: &str = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\n";

/// The beginning of one known field alone is a slip, of several it is none.
#[test]
fn beginnings_of_fields() {
    let claim = |field: &str| {
        format!("{CLAIM}spec: {{devices: {{requests: [{{name: r, exactly: {{{field}: g}}}}]}}}}\n")
    };
    let meant = |text: &str| {
        let read = read(text);
        let titles = read.diagnostics.iter().flat_map(|found| &found.fixes);
        titles.map(|fix| fix.title.clone()).collect::<Vec<_>>()
    };
    assert_eq!(meant(&claim("deviceClass")), ["rename it to `deviceClassName`"]);
    assert_eq!(meant(&claim("dev")), [""; 0]);
    assert_eq!(meant(&format!("{SLICE}spec: {{node: n}}\n")), [""; 0]);
}

/// `v1beta2` never had a `ResourceClass`.
#[test]
fn classes_of_old_apis() {
    for version in ["v1alpha2", "v1alpha3", "v1beta2", "v1"] {
        let text = format!("apiVersion: resource.k8s.io/{version}\nkind: ResourceClass\n");
        let found = read(&text).diagnostics;
        assert_eq!(
            found[0].message,
            "`ResourceClass` is a kind of old APIs that Kubernetes gave up"
        );
        assert!(found[0].notes[0].contains("`DeviceClass`"), "{found:?}");
    }
}

#[test]
fn flat_request_under_v1() {
    check(
        &format!(
            "{CLAIM}spec:\n  devices:\n    requests:\n    - name: gpu\n      deviceClassName: x\n      selectors:\n      - cel: {{expression: a}}\n"
        ),
        &expect![[r#"
            8:7 `deviceClassName` unknown-field: unknown field `spec.devices.requests[0].deviceClassName`
              fields of a request stand below `exactly` (since v1beta2)
              > strict decoding error: unknown field "spec.devices.requests[0].deviceClassName"
              fix: move it below `exactly`
              +       exactly:
              +         deviceClassName: x
              +         selectors:
              +         - cel: {expression: a}
            9:7 `selectors` unknown-field: unknown field `spec.devices.requests[0].selectors`
              fields of a request stand below `exactly` (since v1beta2)
              > strict decoding error: unknown field "spec.devices.requests[0].selectors"
              fix: move it below `exactly`
              +       exactly:
              +         deviceClassName: x
              +         selectors:
              +         - cel: {expression: a}
        "#]],
    );
    check(
        &format!("{CLAIM}spec: {{devices: {{requests: [{{name: r, deviceClassName: x}}]}}}}\n"),
        &expect![[r#"
        4:39 `deviceClassName` unknown-field: unknown field `spec.devices.requests[0].deviceClassName`
          fields of a request stand below `exactly` (since v1beta2)
          > strict decoding error: unknown field "spec.devices.requests[0].deviceClassName"
          fix: move it below `exactly`
          + spec: {devices: {requests: [{name: r, exactly: {deviceClassName: x}}]}}
    "#]],
    );
}

#[test]
fn expression_beside_cel() {
    check(
        &format!(
            "{CLAIM}spec:\n  devices:\n    requests:\n    - name: gpu\n      exactly:\n        deviceClassName: x\n        selectors:\n        - expression: |\n            a &&\n            b\n"
        ),
        &expect![[r#"
            11:11 `expression` unknown-field: unknown field `spec.devices.requests[0].exactly.selectors[0].expression`
              the expression stands below `cel`
              > strict decoding error: unknown field "spec.devices.requests[0].exactly.selectors[0].expression"
              fix: move it below `cel`
              +         - cel:
              +             expression: |
              +               a &&
              +               b
        "#]],
    );
}

#[test]
fn spec_in_spec_and_template_without() {
    check(
        &format!("{CLAIM}spec:\n  spec:\n    devices:\n      requests: []\n"),
        &expect![[r#"
            5:3 `spec` unknown-field: unknown field `spec.spec`
              only a ResourceClaimTemplate has a `spec` inside its `spec`
              > strict decoding error: unknown field "spec.spec"
              fix: remove `spec`, keep what stands below
              +   devices:
              +     requests: []
        "#]],
    );
    check(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: t}\nspec:\n  devices:\n    requests: []\n",
        &expect![[r#"
            5:3 `devices` unknown-field: unknown field `spec.devices`
              a template holds a whole claim: its devices stand below `spec.spec`
              > strict decoding error: unknown field "spec.devices"
              fix: move it below `spec`
              +   spec:
              +     devices:
              +       requests: []
        "#]],
    );
}

#[test]
fn basic_under_v1() {
    check(
        &format!(
            "{SLICE}spec:\n  devices:\n  - name: d\n    basic:\n      # comment\n      attributes:\n        a: {{int: 1}}\n"
        ),
        &expect![[r#"
            7:5 `basic` unknown-field: unknown field `spec.devices[0].basic`
              `basic` is gone since v1beta2: its fields stand directly in the device
              > strict decoding error: unknown field "spec.devices[0].basic"
              fix: remove `basic`, keep what stands below
              +     # comment
              +     attributes:
              +       a: {int: 1}
        "#]],
    );
}

#[test]
fn bare_values() {
    check(
        &format!(
            "{SLICE}spec:\n  devices:\n  - name: d\n    attributes: {{numa: 0, b: true, c: \"x\"}}\n    capacity: {{cpu: \"128\", mem: 1Gi}}\n"
        ),
        &expect![[r#"
            7:24 `0` wrong-type: `spec.devices[0].attributes[numa]` must be a map, not a number
              the value of an attribute stands below the name of its type
              > json: cannot unmarshal number into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{int: 0}`
              +     attributes: {numa: {int: 0}, b: true, c: "x"}
            7:30 `true` wrong-type: `spec.devices[0].attributes[b]` must be a map, not a boolean
              the value of an attribute stands below the name of its type
              > json: cannot unmarshal bool into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{bool: true}`
              +     attributes: {numa: 0, b: {bool: true}, c: "x"}
            7:39 `"x"` wrong-type: `spec.devices[0].attributes[c]` must be a map, not a string
              the value of an attribute stands below the name of its type
              > json: cannot unmarshal string into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{string: x}`
              +     attributes: {numa: 0, b: true, c: {string: x}}
            8:21 `"128"` wrong-type: `spec.devices[0].capacity[cpu]` must be a map, not a string
              an amount stands below `value`
              > json: cannot unmarshal string into Go struct field Device.spec.devices.capacity of type v1.DeviceCapacity
              fix: write `{value: "128"}`
              +     capacity: {cpu: {value: "128"}, mem: 1Gi}
            8:33 `1Gi` wrong-type: `spec.devices[0].capacity[mem]` must be a map, not a string
              an amount stands below `value`
              > json: cannot unmarshal string into Go struct field Device.spec.devices.capacity of type v1.DeviceCapacity
              fix: write `{value: 1Gi}`
              +     capacity: {cpu: "128", mem: {value: 1Gi}}
        "#]],
    );
}

#[test]
fn fields_at_the_wrong_level() {
    check(
        &format!(
            "{CLAIM}spec:\n  constraints: []\n  devices:\n    requests:\n    - name: r\n      tolerations: []\n      config: []\n"
        ),
        &expect![[r#"
            5:3 `constraints` unknown-field: unknown field `spec.constraints`
              `constraints` belongs to `spec.devices`
              > strict decoding error: unknown field "spec.constraints"
              fix: move it below `spec.devices`
              +     constraints: []
            9:7 `tolerations` unknown-field: unknown field `spec.devices.requests[0].tolerations`
              fields of a request stand below `exactly` (since v1beta2)
              > strict decoding error: unknown field "spec.devices.requests[0].tolerations"
              fix: move it below `exactly`
              +       exactly:
              +         tolerations: []
            10:7 `config` unknown-field: unknown field `spec.devices.requests[0].config`
              `config` belongs to `spec.devices`
              > strict decoding error: unknown field "spec.devices.requests[0].config"
              fix: move it below `spec.devices`
              +     config: []
        "#]],
    );
    check(
        &format!("{CLAIM}spec:\n  devices:\n    constraints:\n    - matchAttribute: [a/b]\n"),
        &expect![[r"
            7:23 `[a/b]` wrong-type: `spec.devices.constraints[0].matchAttribute` must be a string, not a list
              write one constraint for each attribute
              > json: cannot unmarshal array into Go struct field DeviceConstraint.spec.devices.constraints.matchAttribute of type v1.FullyQualifiedName
              fix: write `a/b`
              +     - matchAttribute: a/b
        "]],
    );
}

#[test]
fn typos_and_newer_fields() {
    check(
        &format!("{SLICE}spec:\n  nodename: x\n  skipNodeOperations: []\n"),
        &expect![[r#"
            5:3 `nodename` unknown-field: unknown field `spec.nodename`
              did you mean `nodeName`?
              > strict decoding error: unknown field "spec.nodename"
              fix: rename it to `nodeName`
              +   nodeName: x
            6:3 `skipNodeOperations` unknown-field: unknown field `spec.skipNodeOperations`
              this field exists since Kubernetes 1.37
              > strict decoding error: unknown field "spec.skipNodeOperations"
              fix: remove `skipNodeOperations`
        "#]],
    );
    check(
        "apiVersion: v1\nkind: pod\nmetadata: {name: x}\n",
        &expect![[r#"
        2:7 `pod` unknown-kind: there is no kind `pod` in `v1`
          did you mean `Pod`?
          > resource mapping not found for name: "x" namespace: "": no matches for kind "pod" in version "v1"
          fix: write `Pod`
          + kind: Pod
    "#]],
    );
    check(
        "apiVersion: v1\nkind: ResourceClaim\nmetadata: {name: x}\n",
        &expect![[r#"
        1:13 `v1` unknown-kind: there is no kind `ResourceClaim` in `v1`
          it is in `resource.k8s.io/v1`
          > resource mapping not found for name: "x" namespace: "": no matches for kind "ResourceClaim" in version "v1"
          fix: write `resource.k8s.io/v1`
          + apiVersion: resource.k8s.io/v1
    "#]],
    );
    check(
        "kind: Pod\nmetadata: {name: x}\n",
        &expect![[r"
        1:1 `kind` missing-kind: `apiVersion` is missing, so nobody knows what this object is
          > error validating data: [apiVersion not set]
          fix: insert `apiVersion: v1`
          + apiVersion: v1
    "]],
    );
    check(
        "apiVersion: resource.k8s.io/v1alpha2\nkind: ResourceClass\nmetadata: {name: x}\n",
        &expect![[r#"
        1:13 `resource.k8s.io/v1alpha2` old-api-version: `ResourceClass` is a kind of old APIs that Kubernetes gave up
          its place took `DeviceClass`, which selects devices by CEL
          use `resource.k8s.io/v1`; requests, devices and classes look different there
          > resource mapping not found for name: "x" namespace: "": no matches for kind "ResourceClass" in version "resource.k8s.io/v1alpha2"
    "#]],
    );
    check(
        "apiVersion: v1\nkind: ConfigMap\n",
        &expect![[r"
        2:7 `ConfigMap` skipped-kind: `ConfigMap` has no part in allocation; skipped
    "]],
    );
    check(
        "just text\n",
        &expect![[r"
        1:1 `just text` not-an-object: this document is a string, not a Kubernetes object
          an object is a map with `apiVersion`, `kind` and `metadata`
    "]],
    );
}

#[test]
fn wrong_types_and_quantities() {
    check(
        &format!(
            "{SLICE}spec:\n  pool: {{name: p, generation: \"1\", resourceSliceCount: 1.5}}\n  allNodes: \"true\"\n  devices:\n    name: d\n  sharedCounters:\n  - name: s\n    counters: {{a: {{value: 6 GiB}}, b: {{value: true}}}}\n"
        ),
        &expect![[r#"
            5:31 `"1"` wrong-type: `spec.pool.generation` must be a whole number, not a string
              > json: cannot unmarshal string into Go struct field ResourcePool.spec.pool.generation of type int64
              fix: remove the quotes
              +   pool: {name: p, generation: 1, resourceSliceCount: 1.5}
            5:56 `1.5` wrong-type: `spec.pool.resourceSliceCount` must be a whole number, not a fraction
              > json: cannot unmarshal number 1.5 into Go struct field ResourcePool.spec.pool.resourceSliceCount of type int64
            6:13 `"true"` wrong-type: `spec.allNodes` must be a boolean, not a string
              > json: cannot unmarshal string into Go struct field ResourceSliceSpec.spec.allNodes of type bool
              fix: remove the quotes
              +   allNodes: true
            8:5 `name: d` wrong-type: `spec.devices` must be a list, not a map
              each entry of a list starts with `- `
              > json: cannot unmarshal object into Go struct field ResourceSliceSpec.spec.devices of type []v1.Device
            11:27 `6 GiB` invalid-quantity: `spec.sharedCounters[0].counters[a].value`: `6 GiB` is not a quantity
              a quantity is a number with an optional suffix: `80Gi`, `500m`, `1.5`, `12e6`
              did you mean `6Gi`?
              > quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
              fix: write `6Gi`
              +     counters: {a: {value: 6Gi}, b: {value: true}}
            11:46 `true` invalid-quantity: `spec.sharedCounters[0].counters[b].value`: `true` is not a quantity
              a quantity is a number with an optional suffix: `80Gi`, `500m`, `1.5`, `12e6`
              > quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'
        "#]],
    );
}

#[test]
fn values_without_quotes() {
    check(
        &format!(
            "{SLICE}spec:\n  driver: n\n  devices:\n  - name: 010\n    attributes: {{y: {{version: 1.10}}}}\n"
        ),
        &expect![[r#"
            5:11 `n` unquoted-scalar: `spec.driver`: without quotes `n` is a boolean, not a string
              programs that read YAML with Go's types take it as text; kubectl refuses it
              > json: cannot unmarshal bool into Go struct field ResourceSliceSpec.spec.driver of type string
              fix: put it in quotes
              +   driver: "n"
            7:11 `010` unquoted-scalar: `spec.devices[0].name`: without quotes `010` is a number, not a string
              programs that read YAML with Go's types take it as text; kubectl refuses it
              > json: cannot unmarshal number into Go struct field Device.spec.devices.name of type string
              fix: put it in quotes
              +   - name: "010"
            8:18 `y` unquoted-scalar: `spec.devices[0].attributes[y]`: without quotes `y` is a boolean, read as `true`
              fix: put it in quotes
              +     attributes: {"y": {version: 1.10}}
            8:31 `1.10` unquoted-scalar: `spec.devices[0].attributes[y].version`: without quotes `1.10` is a fraction, not a string
              programs that read YAML with Go's types take it as text; kubectl refuses it
              > json: cannot unmarshal number into Go struct field DeviceAttribute.spec.devices.attributes.version of type string
              fix: put it in quotes
              +     attributes: {y: {version: "1.10"}}
        "#]],
    );
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: \"${NAME}\"}\n",
        &expect![[r#"
        3:18 `"${NAME}"` placeholder: `metadata.name` holds a placeholder of a template
          paste the rendered objects, e.g. what `helm template` or `envsubst` prints
    "#]],
    );
}

#[test]
fn old_pod_source() {
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims:\n  - name: gpu\n    source:\n      resourceClaimTemplateName: t\n",
        &expect![[r#"
            7:5 `source` unknown-field: unknown field `spec.resourceClaims[0].source`
              an old form: what stood below `source` stands beside `name` since v1.31
              > strict decoding error: unknown field "spec.resourceClaims[0].source"
              fix: remove `source`, keep what stands below
              +     resourceClaimTemplateName: t
        "#]],
    );
}

#[test]
fn same_name_twice() {
    check(
        "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n1}\n",
        &expect![[r"
        7:18 `n1` duplicate-object: Node/n1 is written twice
          a cluster holds one object of a kind and name; the later one replaces the earlier
    "]],
    );
}

fn only(text: &str) -> Object {
    let mut read = read(text);
    assert!(read.diagnostics.iter().all(|d| !d.is_error()), "{:?}", read.diagnostics);
    assert_eq!(read.objects.len(), 1);
    read.objects.remove(0)
}

#[test]
fn v1beta1_becomes_v1() {
    let old = only(
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n    - name: a\n      deviceClassName: x\n      count: 2\n    - name: b\n      firstAvailable: [{name: s, deviceClassName: w}]\n",
    );
    let new = only(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n    - name: a\n      exactly: {deviceClassName: x, count: 2}\n    - name: b\n      firstAvailable: [{name: s, deviceClassName: w}]\n",
    );
    let (ObjectValue::ResourceClaim(a), ObjectValue::ResourceClaim(b)) = (&old.value, &new.value)
    else {
        panic!("claims")
    };
    assert_eq!(a, b);
    assert!(b.spec.requests[1].exactly.is_none());
    // The v1 path leads to the flat field.
    assert!(old.spans.get("spec.devices.requests[0].exactly.count").is_some());
    assert!(old.spans.get("spec.devices.requests[0].exactly.selectors").is_none());
    let slice = |version: &str, device: &str| {
        only(&format!(
            "apiVersion: resource.k8s.io/{version}\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec: {{driver: d, pool: {{name: p, generation: 1, resourceSliceCount: 1}}, nodeName: m, devices: [{device}]}}\n"
        ))
    };
    let old = slice(
        "v1beta1",
        "{name: d, basic: {attributes: {a: {int: 1}}, capacity: {m: {value: 1.5Gi}}}}",
    );
    let new = slice("v1", "{name: d, attributes: {a: {int: 1}}, capacity: {m: {value: 1.5Gi}}}");
    let (ObjectValue::ResourceSlice(a), ObjectValue::ResourceSlice(b)) = (&old.value, &new.value)
    else {
        panic!("slices")
    };
    assert_eq!(a, b);
    assert_eq!(b.devices[0].capacity.get("m").unwrap().value.to_string(), "1536Mi");
    assert!(old.spans.get("spec.devices[0].attributes[a].int").is_some());
}

#[test]
fn defaults_are_filled_in_and_noted() {
    let object = only(&format!(
        "{CLAIM}spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: x, tolerations: [{{key: k, operator: Exists}}, {{key: v}}]}}}}, {{name: all, exactly: {{deviceClassName: x, allocationMode: All}}}}]}}}}\n"
    ));
    let ObjectValue::ResourceClaim(claim) = &object.value else { panic!("claim") };
    let exact = claim.spec.requests[0].exactly.as_ref().unwrap();
    assert_eq!((exact.count, exact.tolerations[1].operator.as_str()), (1, "Equal"));
    assert_eq!(claim.spec.requests[1].exactly.as_ref().unwrap().count, 0);
    let noted: Vec<String> =
        object.defaults.iter().map(|d| format!("{}={}", d.path, d.value)).collect();
    expect![[r#"
        [
            "spec.devices.requests[0].exactly.allocationMode=ExactCount",
            "spec.devices.requests[0].exactly.count=1",
            "spec.devices.requests[0].exactly.tolerations[1].operator=Equal",
        ]
    "#]]
    .assert_debug_eq(&noted);
    assert_eq!(claim.metadata.namespace, "default");
}

#[test]
fn lists_give_their_items() {
    let text = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: p\n";
    let read = read(text);
    assert_eq!(
        read.objects.iter().map(|o| o.key().to_string()).collect::<Vec<_>>(),
        ["Node/a", "Pod/default/p"]
    );
    assert_eq!(read.objects[1].name_span().text(text), "p");
    let cut = text.replace("apiVersion: v1\nkind: List\n", "");
    assert_eq!(super::read(&cut).objects.len(), 2);
    assert!(super::read(&cut).diagnostics.is_empty());
}

#[test]
fn json_reads_like_yaml() {
    let json = r#"{"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim", "metadata": {"name": "c"}, "spec": {"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "x", "selectors": [{"cel": {"expression": "device.driver == \"d\""}}]}}]}}}"#;
    let object = only(json);
    let path = "spec.devices.requests[0].exactly.selectors[0].cel.expression";
    let origin = object.spans.origin(json, path).unwrap();
    assert_eq!(origin.span(17, 20).text(json), r#"\"d\""#);
    let fast = object_from_json(json, &Options { defaults: false, ..Options::default() }).unwrap();
    let ObjectValue::ResourceClaim(claim) = &fast.value else { panic!("claim") };
    assert_eq!(claim.spec.requests[0].exactly.as_ref().unwrap().count, 0);
    assert!(object_from_json("{", &Options::default()).is_err());
    assert!(
        object_from_json("{\"kind\": \"X\", \"apiVersion\": \"y/v1\"}", &Options::default())
            .is_err()
    );
}

#[test]
fn our_own_documents_name_unknown_fields() {
    let text = "a: 1\nsteps: [x]\ntitel: t\nflag: maybe\n";
    let stream = yaml::read(text);
    let root = stream.documents[0].root.as_ref().unwrap();
    let mut diagnostics = Vec::new();
    let mut fields = Fields::new(root, "spec", &mut diagnostics).unwrap();
    assert_eq!(fields.int("a"), Some(1));
    assert_eq!(fields.list("steps").len(), 1);
    assert_eq!(fields.string("title"), None);
    assert_eq!(fields.bool("flag"), None);
    fields.finish();
    let said: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(said, ["`spec.flag` must be a boolean, not a string", "unknown field `spec.titel`"]);
    assert_eq!(diagnostics[1].fixes[0].title, "rename it to `title`");
}

#[test]
fn workloads_become_pods() {
    let template = "template:\n    metadata: {labels: {a: b}}\n    spec:\n      containers: [{name: c}]\n      resourceClaims: [{name: gpu, resourceClaimTemplateName: t}]\n";
    let text = format!(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: web, namespace: team}}\nspec:\n  replicas: 2\n  {template}---\napiVersion: apps/v1\nkind: DaemonSet\nmetadata: {{name: agent}}\nspec:\n  {template}---\napiVersion: batch/v1\nkind: Job\nmetadata: {{name: once}}\nspec:\n  parallelism: 3\n  completions: 2\n  {template}---\napiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\n---\napiVersion: v1\nkind: Node\nmetadata: {{name: n2}}\n"
    );
    let read = read(&text);
    let names: Vec<String> = read.objects.iter().map(|object| object.key().to_string()).collect();
    assert_eq!(
        names,
        [
            "Pod/team/web-0",
            "Pod/team/web-1",
            "Pod/default/agent-n1",
            "Pod/default/agent-n2",
            "Pod/default/once-0",
            "Pod/default/once-1",
            "Node/n1",
            "Node/n2"
        ]
    );
    let said: Vec<&str> = read.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        said,
        [
            "Deployment `web` stands for 2 Pods here",
            "DaemonSet `agent` stands for 2 Pods here",
            "Job `once` stands for 2 Pods here"
        ]
    );
    let ObjectValue::Pod(pod) = &read.objects[3].value else { panic!("pod") };
    let affinity = pod.required_node_affinity.as_ref().unwrap();
    assert_eq!(affinity.matches("n2", &std::collections::BTreeMap::new()), Ok(true));
    assert_eq!(affinity.matches("n1", &std::collections::BTreeMap::new()), Ok(false));
    assert_eq!(pod.metadata.owner_references[0].kind, "DaemonSet");
    let spans = &read.objects[0].spans;
    assert_eq!(spans.get("spec.resourceClaims[0].name").unwrap().value.text(&text), "gpu");
    check(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  template:\n    spec: {containers: [{name: c, resource: {}}]}\n",
        &expect![[r#"
            2:7 `Deployment` workload-expanded: Deployment `web` stands for 1 Pod here
            6:35 `resource` unknown-field: unknown field `spec.template.spec.containers[0].resource`
              did you mean `resources`?
              > strict decoding error: unknown field "spec.template.spec.containers[0].resource"
              fix: rename it to `resources`
              +     spec: {containers: [{name: c, resources: {}}]}
        "#]],
    );
}

#[test]
fn old_versions_can_be_converted() {
    check(
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n    # first\n    - deviceClassName: x # why\n      name: a\n      count: 2\n    - {name: b, deviceClassName: w}\n    - name: c\n      firstAvailable: [{name: s, deviceClassName: w}]\n",
        &expect![[r#"
            1:13 `resource.k8s.io/v1beta1` beta-version: `resource.k8s.io/v1beta1` is an older version of this API; the newest is `v1`
              fix: convert to `resource.k8s.io/v1`
              + apiVersion: resource.k8s.io/v1
              +     - name: a
              +       exactly:
              +         deviceClassName: x # why
              +         count: 2
              +     - {name: b, exactly: {deviceClassName: w}}
        "#]],
    );
    check(
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  devices:\n  - name: a\n    basic:\n      # note\n      attributes:\n        x: {int: 1}\n  - basic:\n      capacity:\n        m: {value: 1}\n    name: b\n",
        &expect![[r#"
            1:13 `resource.k8s.io/v1beta1` beta-version: `resource.k8s.io/v1beta1` is an older version of this API; the newest is `v1`
              fix: convert to `resource.k8s.io/v1`
              + apiVersion: resource.k8s.io/v1
              +     # note
              +     attributes:
              +       x: {int: 1}
              +   - capacity:
              +       m: {value: 1}
        "#]],
    );
}

#[test]
fn generated_names_are_always_the_same() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {generateName: job-}\n---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: job-}\n";
    let names: Vec<String> = read(text).objects.iter().map(|o| o.name().to_owned()).collect();
    assert_eq!(names, ["job-bbbbb", "job-cbbbb"]);
    assert_eq!(read(text).objects[0].defaults[0].path, "metadata.name");
}

#[test]
fn numbers_beyond_their_type() {
    let text = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: x, count: 9223372036854775808}}]}}\n---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: d}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: x, count: 1.5}}]}}\n";
    let found: Vec<String> = read(text)
        .diagnostics
        .iter()
        .map(|d| format!("{:?} {}", d.primary.span.text(text), d.message))
        .collect();
    assert_eq!(
        found,
        [
            "\"9223372036854775808\" `spec.devices.requests[0].exactly.count`: `9223372036854775808` is beyond what int64 holds, 9223372036854775807",
            "\"1.5\" `spec.devices.requests[0].exactly.count` must be a whole number, not a fraction",
        ]
    );
}

/// What a conversion writes means the same, in any layout, and JSON stays JSON.
#[test]
fn conversions_keep_layout_and_meaning() {
    const HEAD: &str = "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: d\n  pool: {name: p}\n  devices:\n";
    const CLAIM: &str = "apiVersion: 'resource.k8s.io/v1beta1' # old\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n";
    let slices = [
        "  - name: a\n    basic: {attributes: {x: {int: 1}}, capacity: {m: {value: 1}}}\n",
        "  - {name: a, basic: {attributes: {x: {int: 1}}, capacity: {m: {value: 1}}}}\n",
        "  - name: a\n    basic:\n        # deep\n        attributes:\n            x: {int: 1}\n\n        capacity: {m: {value: 1}} # end\n",
        "  - basic:\n      attributes:\n        x:\n          string: |\n            two\n            lines\n    name: a\n",
        "    - name: a\n      basic:\n        attributes: {x: {int: 1}}\n    - name: b\n      basic:\n        attributes: {y: {int: 1}}\n",
    ];
    let claims = [
        "    - name: r\n      deviceClassName: c\n      selectors:\n      - cel:\n          expression: |-\n            true &&\n            true\n",
        "    - deviceClassName: c # first\n      # between\n      name: r\n      count: 2\n",
        "    - {name: r, deviceClassName: c, count: 2}\n    - name: q\n      firstAvailable:\n      - {name: s, deviceClassName: c}\n",
        "    -   name: r\n        deviceClassName: c\n        tolerations:\n        - {operator: Exists}\n",
    ];
    let json = [
        r#"{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d","pool":{"name":"p"},"devices":[{"name":"a","basic":{"attributes":{"x":{"int":1}},"capacity":{"m":{"value":"1"}}}}]}}"#,
        "{\n  \"apiVersion\": \"resource.k8s.io/v1beta1\",\n  \"kind\": \"ResourceClaim\",\n  \"metadata\": {\"name\": \"c\"},\n  \"spec\": {\"devices\": {\"requests\": [\n    {\n      \"name\": \"r\",\n      \"deviceClassName\": \"c\",\n      \"count\": 2\n    }\n  ]}}\n}\n",
    ];
    let texts = slices.map(|text| format!("{HEAD}{text}")).into_iter();
    let texts = texts.chain(claims.map(|text| format!("{CLAIM}{text}")));
    for text in texts.chain(json.map(str::to_owned)) {
        let found = read(&text);
        let offer = found.diagnostics.iter().find(|d| d.code == codes::BETA_VERSION).unwrap();
        let fix = offer.fixes.first().unwrap_or_else(|| panic!("no conversion of\n{text}"));
        let converted = fix.apply(&text);
        let again = read(&converted);
        assert!(again.diagnostics.iter().all(|d| !d.is_error()), "{converted}\n{again:?}");
        assert_eq!(again.objects[0].api_version, "resource.k8s.io/v1", "{converted}");
        let shown = |read: &Read| format!("{:?}", read.objects[0].value);
        assert_eq!(shown(&again), shown(&found), "{converted}");
        let comments = |text: &str| text.matches('#').count();
        assert_eq!(comments(&converted), comments(&text), "{converted}");
        if text.starts_with('{') {
            assert!(serde_json::from_str::<serde_json::Value>(&converted).is_ok(), "{converted}");
        }
    }
}

#[test]
fn amounts_of_resources_are_rounded_up_to_thousandths() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  initContainers: [{name: i, resources: {requests: {cpu: 100u}}}]\n  containers: [{name: c, resources: {limits: {cpu: '1.0001', memory: 1.5Gi, a.b/c: '99999999999999999999.00001'}}}]\n---\napiVersion: v1\nkind: Node\nmetadata: {name: n}\nstatus: {allocatable: {cpu: 3.9999999, pods: 110}, capacity: {cpu: 8}}\n---\napiVersion: v1\nkind: Node\nmetadata: {name: m}\nstatus: {allocatable: null, capacity: {cpu: 7.0001}}\n";
    let shown =
        |amounts: &std::collections::BTreeMap<String, crate::apimachinery::quantity::Quantity>| {
            amounts
                .iter()
                .map(|(name, amount)| format!("{name} {amount}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
    let read = read(text);
    let ObjectValue::Pod(pod) = &read.objects[0].value else { panic!("Pod") };
    let limits = shown(&pod.containers[0].limits);
    assert_eq!(limits, "a.b/c 99999999999999999999001m, cpu 1001m, memory 1536Mi");
    assert_eq!(shown(&pod.containers[0].requests), limits);
    assert_eq!(shown(&pod.init_containers[0].requests), "cpu 1m");
    let ObjectValue::Node(node) = &read.objects[1].value else { panic!("Node") };
    assert_eq!(shown(&node.allocatable), "cpu 4, pods 110");
    // A node that does not tell what can be allocated offers all that it has.
    let ObjectValue::Node(node) = &read.objects[2].value else { panic!("Node") };
    assert_eq!(shown(&node.allocatable), "cpu 7001m");
    // A claim's capacity is kept as it was asked for.
    let claim = format!(
        "{CLAIM}spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c, capacity: {{requests: {{m: 100u}}}}}}}}]}}}}\n"
    );
    let claim = only(&claim);
    let ObjectValue::ResourceClaim(claim) = &claim.value else { panic!("claim") };
    let exact = claim.spec.requests[0].exactly.as_ref().unwrap();
    assert_eq!(shown(exact.capacity_requests.as_ref().unwrap()), "m 100u");
}

#[test]
fn what_is_stored_otherwise_is_told() {
    check(
        &format!(
            "{CLAIM}spec:\n  devices:\n    requests:\n    - name: a\n      exactly: {{deviceClassName: x, count: 0, allocationMode: '', tolerations: [{{operator: '', key: k}}]}}\n    - name: b\n      firstAvailable: [{{name: s, deviceClassName: x, count: 0}}, {{name: t, deviceClassName: x}}]\n---\napiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaimTemplate\nmetadata: {{name: t}}\nspec: {{spec: {{devices: {{requests: [{{name: r, deviceClassName: x, count: 0}}]}}}}}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p}}\nspec: {{containers: [{{name: c, resources: {{limits: {{cpu: 1.0001, memory: 1Gi}}}}}}]}}\n"
        ),
        &expect![[r#"
            8:44 `0` value-defaulted: `spec.devices.requests[0].exactly.count`: the API server makes `1` of `0`
            8:63 `''` value-defaulted: `spec.devices.requests[0].exactly.allocationMode`: the API server makes `ExactCount` of `""`
            8:92 `''` value-defaulted: `spec.devices.requests[0].exactly.tolerations[0].operator`: the API server makes `Equal` of `""`
            10:61 `0` value-defaulted: `spec.devices.requests[1].firstAvailable[0].count`: the API server makes `1` of `0`
            12:13 `resource.k8s.io/v1beta1` beta-version: `resource.k8s.io/v1beta1` is an older version of this API; the newest is `v1`
              fix: convert to `resource.k8s.io/v1`
              + spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: x, count: 0}}]}}}
            15:73 `0` value-defaulted: `spec.spec.devices.requests[0].count`: the API server makes `1` of `0`
            20:57 `1.0001` value-defaulted: `spec.containers[0].resources.limits[cpu]`: the API server makes `1001m` of `1.0001`
        "#]],
    );
}

/// What nodes of a kind publish is there once, as long as it is written alike.
#[test]
fn slices_share_devices_that_are_written_alike() {
    let slice = |version: &str, name: &str, devices: &str| {
        format!(
            "apiVersion: resource.k8s.io/{version}\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n\
             spec: {{driver: d, nodeName: {name}, pool: {{name: {name}, generation: 1, \
             resourceSliceCount: 1}}, devices: [{devices}]}}\n"
        )
    };
    let gpu = |size: &str| format!("{{name: gpu, capacity: {{memory: {{value: {size}}}}}}}");
    let two = format!("{}, {{name: other}}", gpu("1Gi"));
    let texts = [
        slice("v1", "a", &gpu("1Gi")),
        slice("v1", "b", &gpu("1Gi")),
        slice("v1", "c", &gpu("1024Mi")),
        slice("v1", "d", &gpu("'1Gi'")),
        slice("v1beta1", "e", &gpu("1Gi")),
        slice("v1", "f", &two),
        slice("v1", "g", &gpu("1Gi")),
        slice("v1", "h", ""),
    ];
    let mut slices: Vec<ResourceSlice> = read(&texts.join("---\n"))
        .objects
        .into_iter()
        .map(|object| match object.value {
            ObjectValue::ResourceSlice(slice) => *slice,
            other => panic!("{other:?}"),
        })
        .collect();
    let shares = |slices: &[ResourceSlice], at: usize| {
        std::ptr::eq(slices[0].devices.as_ptr(), slices[at].devices.as_ptr())
    };
    let found: Vec<bool> = (0..slices.len()).map(|at| shares(&slices, at)).collect();
    assert_eq!(found, [true, true, false, false, false, false, true, false]);
    let alone = |text: &String| match read(text).objects.remove(0).value {
        ObjectValue::ResourceSlice(slice) => *slice,
        other => panic!("{other:?}"),
    };
    for (slice, text) in slices.iter().zip(&texts) {
        assert_eq!(format!("{slice:?}"), format!("{:?}", alone(text)));
    }
    slices[1].devices_mut().clear();
    assert!(slices[0].devices.len() == 1 && !shares(&slices, 1));
}
