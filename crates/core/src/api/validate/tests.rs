use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::api::read;
use crate::features::Release;
use crate::source::LineIndex;

fn cel(expression: &str) -> Option<CelFault> {
    match expression {
        "bad" => Some(CelFault::Invalid("compilation failed: ERROR: <input>:1:1: bad".to_owned())),
        "dear" => Some(CelFault::TooComplex),
        _ => None,
    }
}

/// Prints place, marked text, code, and what kubectl prints.
#[track_caller]
fn check(text: &str, expect: &Expect) {
    let mut read = read(text);
    assert!(!read.diagnostics.iter().any(Diagnostic::is_error), "{:?}", read.diagnostics);
    let gates = Gates::defaults(Release::DEFAULT);
    let rules = Rules::new(&gates, &cel, &read.objects);
    let diagnostics = super::check(&mut read.objects, &rules);
    let index = LineIndex::new(text);
    let mut out = String::new();
    for diagnostic in &diagnostics {
        let span = diagnostic.primary.span;
        let at = index.line_column(span.start);
        let (marked, code) = (span.text(text), diagnostic.code.name);
        let _ = writeln!(out, "{}:{} `{marked}` {code}", at.line + 1, at.column + 1);
        if let Some(upstream) = &diagnostic.upstream {
            let _ = writeln!(out, "  {upstream}");
        }
        for note in &diagnostic.notes {
            let _ = writeln!(out, "  note: {note}");
        }
        for fix in &diagnostic.fixes {
            let _ = writeln!(out, "  fix: {}", fix.title);
        }
    }
    expect.assert_eq(&out);
}

fn slice(spec: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: s}}\nspec:\n  driver: d.example.com\n  pool: {{name: p, generation: 1, resourceSliceCount: 1}}\n{spec}"
    )
}

fn claim(devices: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: c}}\nspec:\n  devices:\n{devices}"
    )
}

#[test]
fn names_of_objects() {
    check(
        "apiVersion: v1\nkind: Node\nmetadata: {name: A_b, labels: {\"x y\": 1-}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {}\nspec: {containers: []}\n---\napiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n",
        &expect![[r#"
        3:18 `A_b` invalid-value
          The Node "A_b" is invalid: metadata.name: Invalid value: "A_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        3:32 `"x y"` invalid-value
          The Node "A_b" is invalid: metadata.labels: Invalid value: "x y": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
        3:39 `1-` invalid-value
          The Node "A_b" is invalid: metadata.labels: Invalid value: "1-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
        7:1 `metadata` required-field
          The Pod "" is invalid: metadata.name: Required value: name or generateName is required
    "#]],
    );
}

#[test]
fn slices_without_anything() {
    check(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {}\n",
        &expect![[r#"
        4:1 `spec` required-field
          The ResourceSlice "s" is invalid: spec.driver: Required value
        4:1 `spec` required-field
          The ResourceSlice "s" is invalid: spec.pool.name: Required value
        4:1 `spec` invalid-value
          The ResourceSlice "s" is invalid: spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero
        4:1 `spec` required-field
          The ResourceSlice "s" is invalid: spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required
    "#]],
    );
    check(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: \"a b\", pool: {name: p/Q, generation: -1, resourceSliceCount: 1}, nodeName: \"\", allNodes: false}\n",
        &expect![[r#"
        4:16 `"a b"` invalid-value
          The ResourceSlice "s" is invalid: spec.driver: Invalid value: "a b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        4:36 `p/Q` invalid-value
          The ResourceSlice "s" is invalid: spec.pool.name: Invalid value: "Q": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
        4:53 `-1` invalid-value
          The ResourceSlice "s" is invalid: spec.pool.generation: Invalid value: -1: must be greater than or equal to zero
        4:91 `""` invalid-value
          The ResourceSlice "s" is invalid: spec.nodeName: Invalid value: "": must be either unset or set to a non-empty string
        4:105 `false` invalid-value
          The ResourceSlice "s" is invalid: spec.allNodes: Invalid value: false: must be either unset or set to true
        4:1 `spec` required-field
          The ResourceSlice "s" is invalid: spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required
    "#]],
    );
}

#[test]
fn node_scopes() {
    check(
        &slice("  nodeName: m\n  allNodes: true\n"),
        &expect![[r#"
        4:1 `spec` invalid-value
          The ResourceSlice "s" is invalid: spec: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required, but multiple fields are set
    "#]],
    );
    check(
        &slice(
            "  nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: In}]}, {}]}\n",
        ),
        &expect![[r#"
            7:59 `key` required-field
              The ResourceSlice "s" is invalid: spec.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'
            7:18 `nodeSelectorTerms` invalid-value
              The ResourceSlice "s" is invalid: spec.nodeSelector.nodeSelectorTerms: Invalid value: [{"MatchExpressions":[{"Key":"a","Operator":"In","Values":null}],"MatchFields":null},{"MatchExpressions":null,"MatchFields":null}]: must have exactly one node selector term
        "#]],
    );
    check(
        &slice(
            "  perDeviceNodeSelection: true\n  devices:\n  - name: a\n  - {name: b, nodeName: m, allNodes: true}\n",
        ),
        &expect![[r#"
        9:5 `name` required-field
          The ResourceSlice "s" is invalid: spec.devices[0]: Required value: exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec
        10:6 `name` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[1]: Invalid value: "{`nodeName`, `allNodes`}": exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec
    "#]],
    );
    check(
        &slice("  nodeName: m\n  devices: [{name: a, nodeName: m}]\n"),
        &expect![[r#"
        8:14 `name` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0]: Invalid value: null: `nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec
    "#]],
    );
}

#[test]
fn devices_and_counters() {
    check(
        &slice(
            "  nodeName: m\n  devices:\n  - name: A\n  - name: b\n  - name: b\n    consumesCounters: [{counterSet: s, counters: {}}, {counterSet: s, counters: {A: {value: 1}}}]\n  sharedCounters:\n  - name: s\n    counters: {m: {value: 1}}\n",
        ),
        &expect![[r#"
            13:3 `sharedCounters` invalid-value
              The ResourceSlice "s" is invalid: spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed
              note: counter sets stand in a slice of their own, in the same pool as the devices
            9:11 `A` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            12:40 `counters` required-field
              The ResourceSlice "s" is invalid: spec.devices[2].consumesCounters[0].counters: Required value
            12:82 `A` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[2].consumesCounters[1].counters: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            12:68 `s` duplicate-value
              The ResourceSlice "s" is invalid: spec.devices[2].consumesCounters[1]: Duplicate value: "s"
            11:11 `b` duplicate-value
              The ResourceSlice "s" is invalid: spec.devices[2]: Duplicate value: "b"
        "#]],
    );
}

#[test]
fn attributes() {
    check(
        &slice(
            "  nodeName: m\n  devices:\n  - name: a\n    attributes:\n      a: {}\n      b: {int: 1, bool: true}\n      c: {version: \"1.2\"}\n      d: {ints: []}\n      1e: {int: 1}\n      x/y/z: {int: 1}\n      /q: {int: 1}\n      example.com/: {string: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\n",
        ),
        &expect![[r#"
            14:11 `ints` field-dropped
              note: the API server leaves out fields of disabled features when an object is created
            17:7 `/q` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes: Invalid value: "": the domain must not be empty
            15:7 `1e` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes: Invalid value: "1e": a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')
            11:7 `a` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[a]: Invalid value: "": exactly one value must be specified
            12:7 `b` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[b]: Invalid value: {"IntValue":1,"BoolValue":true,"StringValue":null,"VersionValue":null,"IntValues":null,"BoolValues":null,"StringValues":null,"VersionValues":null}: exactly one value must be specified
            13:20 `"1.2"` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[c].version: Invalid value: "1.2": must be a string compatible with semver.org spec 2.0.0
              note: did you mean `1.2.0`?
              fix: write `1.2.0`
            14:7 `d` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[d]: Invalid value: "": exactly one value must be specified
            18:7 `example.com/` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes: Invalid value: "": the name must not be empty
            18:30 `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx` too-long
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[example.com/].string: Too long: may not be more than 64 bytes
        "#]],
    );
}

#[test]
fn request_policies() {
    let device = |shared: bool, policy: &str| {
        slice(&format!(
            "  nodeName: m\n  devices:\n  - name: a\n    allowMultipleAllocations: {shared}\n    capacity: {{m: {{value: 10Gi, requestPolicy: {policy}}}}}\n"
        ))
    };
    check(
        &device(false, "{default: 1Gi}"),
        &expect![[r#"
        11:33 `requestPolicy` forbidden-field
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true
    "#]],
    );
    check(
        &device(true, "{validValues: [1Gi]}"),
        &expect![[r#"
        11:33 `requestPolicy` required-field
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.default: Required value: required when validValues is defined
    "#]],
    );
    check(
        &device(true, "{default: 3Gi, validValues: [2Gi, 1Gi, 1Gi, 20Gi]}"),
        &expect![[r#"
        11:82 `1Gi` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validValues[1]: Invalid value: "1Gi": values must be sorted in ascending order
        11:92 `20Gi` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validValues[3]: Invalid value: "20Gi": option is larger than capacity value: 10Gi
        11:87 `1Gi` duplicate-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validValues[2]: Duplicate value: "1073741824"
        11:63 `validValues` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validValues: Invalid value: "3Gi": default value is not valid according to the requestPolicy
    "#]],
    );
    check(
        &device(true, "{default: 1Gi, validValues: [1Gi], validRange: {min: 1Gi}}"),
        &expect![[r#"
        11:33 `requestPolicy` forbidden-field
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy: Forbidden: exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time
    "#]],
    );
    check(
        &device(true, "{default: 1Gi, validRange: {max: 1Gi}}"),
        &expect![[r#"
        11:63 `validRange` required-field
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.min: Required value: required when validRange is defined
    "#]],
    );
    check(
        &device(true, "{default: 1Gi, validRange: {min: 20Gi, max: 15Gi, step: 0}}"),
        &expect![[r#"
            11:81 `20Gi` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.min: Invalid value: "20Gi": min is larger than capacity value: 10Gi
            11:58 `1Gi` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.min: Invalid value: "1Gi": default is less than min: 20Gi
            11:92 `15Gi` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.max: Invalid value: "20Gi": min is larger than max: 15Gi
            11:92 `15Gi` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.max: Invalid value: "15Gi": max is larger than capacity value: 10Gi
            11:104 `0` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "0": must be greater than zero
        "#]],
    );
    check(
        &device(true, "{default: 3500Mi, validRange: {min: 1Gi, max: 10Gi, step: 2Gi}}"),
        &expect![[r#"
        11:106 `2Gi` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "3500Mi": value is not a multiple of a given step (2Gi) from (1Gi)
        11:106 `2Gi` invalid-value
          The ResourceSlice "s" is invalid: spec.devices[0].capacity[m].requestPolicy.validRange.step: Invalid value: "10Gi": value is not a multiple of a given step (2Gi) from (1Gi)
    "#]],
    );
    check(
        &device(true, "{default: 3Gi, validRange: {min: 1Gi, max: 9Gi, step: 2Gi}}"),
        &expect![[""]],
    );
}

#[test]
fn taints_and_conditions() {
    check(
        &slice(
            "  nodeName: m\n  devices:\n  - name: a\n    taints: [{key: \"\", effect: Noschedule}, {key: k, value: \"a b\"}]\n    bindingConditions: [a, a]\n  - name: b\n    bindingFailureConditions: [x/y/z]\n",
        ),
        &expect![[r#"
            10:20 `""` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].taints[0].key: Invalid value: "": name part must be non-empty
            10:20 `""` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].taints[0].key: Invalid value: "": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')
            10:32 `Noschedule` unsupported-value
              The ResourceSlice "s" is invalid: spec.devices[0].taints[0].effect: Unsupported value: "Noschedule": supported values: "NoExecute", "NoSchedule", "None"
              note: did you mean `NoSchedule`?
              fix: write `NoSchedule`
            10:61 `"a b"` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].taints[1].value: Invalid value: "a b": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')
            10:46 `key` required-field
              The ResourceSlice "s" is invalid: spec.devices[0].taints[1].effect: Required value
            11:28 `a` duplicate-value
              The ResourceSlice "s" is invalid: spec.devices[0].bindingConditions[1]: Duplicate value: "a"
            9:5 `name` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].bindingFailureConditions: Invalid value: null: bindingFailureConditions are required to use bindingConditions
            13:32 `x/y/z` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[1].bindingFailureConditions[0]: Invalid value: "x/y/z": a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')
            12:5 `name` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[1].bindingConditions: Invalid value: null: bindingConditions are required to use bindingFailureConditions
        "#]],
    );
}

#[test]
fn requests() {
    check(
        &claim(
            "    requests:\n    - name: A\n    - name: b\n      exactly: {deviceClassName: \"\", count: -1, tolerations: [{operator: Exists, value: v}, {operator: X, effect: Z}]}\n    - name: b\n      exactly: {deviceClassName: c, allocationMode: all, selectors: [{}, {cel: {expression: bad}}, {cel: {expression: dear}}]}\n    - name: d\n      exactly: {deviceClassName: C, allocationMode: All, count: 2}\n      firstAvailable: [{name: s, deviceClassName: c}]\n    - name: e\n      firstAvailable: [{name: s, deviceClassName: c}, {name: s, deviceClassName: c}]\n",
        ),
        &expect![[r#"
            7:13 `A` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            7:7 `name` required-field
              The ResourceClaim "c" is invalid: spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required
            9:34 `""` required-field
              The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.deviceClassName: Required value
            9:45 `-1` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.count: Invalid value: -1: must be greater than zero
            9:89 `v` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.tolerations[0].value: Invalid value: "v": must be empty for operator `Exists`
            9:104 `X` unsupported-value
              The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.tolerations[1].operator: Unsupported value: "X": supported values: "Equal", "Exists"
            9:115 `Z` unsupported-value
              The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.tolerations[1].effect: Unsupported value: "Z": supported values: "NoExecute", "NoSchedule", "None"
            11:70 `{}` required-field
              The ResourceClaim "c" is invalid: spec.devices.requests[2].exactly.selectors[0].cel: Required value
            11:93 `bad` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[2].exactly.selectors[1].cel.expression: Invalid value: "bad": compilation failed: ERROR: <input>:1:1: bad
            11:119 `dear` forbidden-field
              The ResourceClaim "c" is invalid: spec.devices.requests[2].exactly.selectors[2].cel.expression: Forbidden: too complex, exceeds cost limit
            11:53 `all` unsupported-value
              The ResourceClaim "c" is invalid: spec.devices.requests[2].exactly.allocationMode: Unsupported value: "all": supported values: "All", "ExactCount"
              note: did you mean `All`?
              fix: write `All`
            12:7 `name` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[3]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set
            16:62 `s` duplicate-value
              The ResourceClaim "c" is invalid: spec.devices.requests[4].firstAvailable[1]: Duplicate value: "s"
            10:13 `b` duplicate-value
              The ResourceClaim "c" is invalid: spec.devices.requests[2]: Duplicate value: "b"
        "#]],
    );
}

#[test]
fn constraints_and_config() {
    check(
        &claim(
            "    requests:\n    - name: a\n      firstAvailable: [{name: s, deviceClassName: c}]\n    constraints:\n    - {}\n    - {requests: [b, a/s, a/t, a/b/c, a/s], matchAttribute: model}\n    config:\n    - {}\n    - opaque: {driver: d, parameters: [1]}\n    - opaque: {driver: d}\n",
        ),
        &expect![[r#"
            10:7 `{}` required-field
              The ResourceClaim "c" is invalid: spec.devices.constraints[0]: Required value: exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set
            11:19 `b` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.constraints[1].requests[0]: Invalid value: "b": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
              note: did you mean `a`?
              fix: write `a`
            11:27 `a/t` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.constraints[1].requests[2]: Invalid value: "a/t": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
              note: did you mean `a/s`?
              fix: write `a/s`
            11:32 `a/b/c` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.constraints[1].requests[3]: Invalid value: "a/b/c": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
            11:39 `a/s` duplicate-value
              The ResourceClaim "c" is invalid: spec.devices.constraints[1].requests[4]: Duplicate value: "a/s"
            11:61 `model` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.constraints[1].matchAttribute: Invalid value: "model": a fully qualified name must be a domain and a name separated by a slash
            13:7 `{}` required-field
              The ResourceClaim "c" is invalid: spec.devices.config[0].opaque: Required value
            14:27 `parameters` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.config[1].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object
            15:7 `opaque` required-field
              The ResourceClaim "c" is invalid: spec.devices.config[2].opaque.parameters: Required value
        "#]],
    );
}

#[test]
fn old_versions_keep_their_paths() {
    check(
        "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: a, deviceClassName: C}]}}\n---\napiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: d, pool: {name: p, generation: 1, resourceSliceCount: 1}, nodeName: m, devices: [{name: A, basic: {attributes: {v: {version: v1}}}}]}\n",
        &expect![[r#"
            4:56 `C` invalid-value
              The ResourceClaim "c" is invalid: spec.devices.requests[0].exactly.deviceClassName: Invalid value: "C": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            9:104 `A` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].name: Invalid value: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            9:141 `v1` invalid-value
              The ResourceSlice "s" is invalid: spec.devices[0].attributes[v].version: Invalid value: "v1": must be a string compatible with semver.org spec 2.0.0
              note: did you mean `1.0.0`?
              fix: write `1.0.0`
        "#]],
    );
}

#[test]
fn admin_access_needs_the_namespace() {
    let text =
        claim("    requests: [{name: a, exactly: {deviceClassName: c, adminAccess: true}}]\n");
    check(&text, &expect![[""]]);
    check(
        &format!("{text}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: default}}\n"),
        &expect![[r#"
            6:69 `true` forbidden-field
              The ResourceClaim "c" is invalid: spec.devices.requests[0].adminAccess: Forbidden: admin access to devices requires the `resource.kubernetes.io/admin-access: true` label on the containing namespace
        "#]],
    );
    check(
        &format!(
            "{text}---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: default, labels: {{resource.kubernetes.io/admin-access: \"true\"}}}}\n"
        ),
        &expect![[""]],
    );
}

#[test]
fn status_of_claims() {
    check(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}\nstatus: {reservedFor: [{resource: pods, name: p, uid: u}, {resource: pods, name: q, uid: u}, {}]}\n",
        &expect![[r#"
        5:94 `{}` required-field
          The ResourceClaim "c" is invalid: status.reservedFor[2].resource: Required value
        5:94 `{}` required-field
          The ResourceClaim "c" is invalid: status.reservedFor[2].name: Required value
        5:94 `{}` required-field
          The ResourceClaim "c" is invalid: status.reservedFor[2].uid: Required value
        5:90 `u` duplicate-value
          The ResourceClaim "c" is invalid: status.reservedFor[1]: Duplicate value: "u"
        5:10 `reservedFor` forbidden-field
          The ResourceClaim "c" is invalid: status.reservedFor: Forbidden: may not be specified when `allocated` is not set
    "#]],
    );
    check(
        "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: c}\nspec: {devices: {requests: [{name: a, exactly: {deviceClassName: c}}]}}\nstatus: {allocation: {devices: {results: [{request: b, driver: d, pool: p, device: x}], config: [{source: FromPod, opaque: {driver: d, parameters: {a: 1}}}]}}}\n",
        &expect![[r#"
            5:53 `b` invalid-value
              The ResourceClaim "c" is invalid: status.allocation.devices.results[0].request: Invalid value: "b": must be the name of a request in the claim or the name of a request and a subrequest separated by '/'
              note: did you mean `a`?
              fix: write `a`
            5:107 `FromPod` unsupported-value
              The ResourceClaim "c" is invalid: status.allocation.devices.config[0].source: Unsupported value: "FromPod": supported values: "FromClaim", "FromClass"
        "#]],
    );
}

#[test]
fn pods() {
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  resourceClaims:\n  - {name: a, resourceClaimName: x, resourceClaimTemplateName: w}\n  - {name: a, resourceClaimName: x}\n  - {name: b}\n  containers:\n  - name: c\n    resources: {claims: [{name: a}, {name: a, request: r}, {name: z}]}\n",
        &expect![[r#"
            6:6 `name` invalid-value
              The Pod "p" is invalid: spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":"x","ResourceClaimTemplateName":"w"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified
            7:12 `a` duplicate-value
              The Pod "p" is invalid: spec.resourceClaims[1].name: Duplicate value: "a"
            8:6 `name` invalid-value
              The Pod "p" is invalid: spec.resourceClaims[2]: Invalid value: {"Name":"b","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`
              note: if the text that was applied has it, a Pod webhook that was built for Kubernetes 1.30 or older drops it
            11:44 `a` duplicate-value
              The Pod "p" is invalid: spec.containers[0].resources.claims[1]: Duplicate value: "a"
            11:67 `z` unknown-reference
              The Pod "p" is invalid: spec.containers[0].resources.claims[2]: Not found: "z": must be one of the names in pod.spec.resourceClaims: a, b
              note: did you mean `a`?
              fix: write `a`
        "#]],
    );
    check(
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n    resources: {claims: [{name: a}]}\n",
        &expect![[r#"
            7:33 `a` unknown-reference
              The Pod "p" is invalid: spec.containers[0].resources.claims[0]: Not found: "a": must be one of the names in pod.spec.resourceClaims which is empty
        "#]],
    );
}

#[test]
fn classes_and_rules() {
    check(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {selectors: [{cel: {expression: bad}}], config: [{}], extendedResourceName: gpu}\n---\napiVersion: resource.k8s.io/v1beta2\nkind: DeviceTaintRule\nmetadata: {name: r}\nspec: {deviceSelector: {driver: \"\", pool: \"A\", device: \"B\"}, taint: {key: k, effect: sometimes}}\n",
        &expect![[r#"
            4:39 `bad` invalid-value
              The DeviceClass "c" is invalid: spec.selectors[0].cel.expression: Invalid value: "bad": compilation failed: ERROR: <input>:1:1: bad
            4:56 `{}` required-field
              The DeviceClass "c" is invalid: spec.config[0].opaque: Required value
            4:83 `gpu` invalid-value
              The DeviceClass "c" is invalid: spec.extendedResourceName: Invalid value: "gpu": must be a valid extended resource name
            9:33 `""` required-field
              The DeviceTaintRule "r" is invalid: spec.deviceSelector.driver: Required value
            9:43 `"A"` invalid-value
              The DeviceTaintRule "r" is invalid: spec.deviceSelector.pool: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')
            9:56 `"B"` invalid-value
              The DeviceTaintRule "r" is invalid: spec.deviceSelector.device: Invalid value: "B": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')
            9:86 `sometimes` unsupported-value
              The DeviceTaintRule "r" is invalid: spec.taint.effect: Unsupported value: "sometimes": supported values: "NoExecute", "NoSchedule", "None"
        "#]],
    );
}

#[test]
fn fields_behind_closed_gates_are_dropped() {
    let text = slice(
        "  nodeName: m\n  devices:\n  - name: a\n    allowMultipleAllocations: true\n    capacity: {m: {value: 1, requestPolicy: {default: 1}}}\n    taints: [{key: k, effect: NoSchedule}]\n    attributes: {l: {ints: [1]}}\n",
    ) + "---\n"
        + &claim(
            "    requests: [{name: a, exactly: {deviceClassName: c, adminAccess: true, capacity: {requests: {m: 1}}}}]\n    constraints: [{distinctAttribute: a.b/c}]\n",
        );
    let mut read = read(&text);
    let mut gates = Gates::defaults(Release::DEFAULT);
    for gate in [Gate::ConsumableCapacity, Gate::DeviceTaints, Gate::AdminAccess] {
        gates.set(gate, false);
    }
    let rules = Rules::new(&gates, &cel, &read.objects);
    let diagnostics = super::check(&mut read.objects, &rules);
    let mut out = String::new();
    for diagnostic in &diagnostics {
        let marked = diagnostic.primary.span.text(&text);
        let _ = writeln!(out, "`{marked}` {}: {}", diagnostic.code.name, diagnostic.message);
    }
    expect![[r#"
        `allowMultipleAllocations` field-dropped: `spec.devices[0].allowMultipleAllocations` and 1 more field dropped: feature gate DRAConsumableCapacity is off
        `taints` field-dropped: `spec.devices[0].taints` dropped: feature gate DRADeviceTaints is off
        `ints` field-dropped: `spec.devices[0].attributes[l].ints` dropped: feature gate DRAListTypeAttributes is off
        `l` invalid-value: `spec.devices[0].attributes[l]`: exactly one value must be specified
        `adminAccess` field-dropped: `spec.devices.requests[0].exactly.adminAccess` dropped: feature gate DRAAdminAccess is off
        `capacity` field-dropped: `spec.devices.requests[0].exactly.capacity` and 1 more field dropped: feature gate DRAConsumableCapacity is off
        `distinctAttribute` required-field: `spec.devices.constraints[0].matchAttribute` is required
    "#]].assert_eq(&out);
    let ObjectValue::ResourceSlice(slice) = &read.objects[0].value else { panic!("slice") };
    assert_eq!(slice.devices[0].allow_multiple_allocations, None);
    assert!(slice.devices[0].taints.is_empty());
}

#[test]
fn fields_of_alpha_features_are_dropped() {
    let text = slice(
        "  nodeName: m\n  skipNodeOperations: ['*']\n  devices:\n  - name: a\n    consumesCounters: [{counterSet: s, counters: {c: {value: 1}}, compatibilityGroups: [g]}]\n",
    ) + "---\n"
        + &claim(
            "    requests:\n    - {name: a, exactly: {deviceClassName: c, derivedAttributes: [{name: a.b/c}]}}\n    - name: b\n      firstAvailable: [{name: s, deviceClassName: c, derivedAttributes: [{name: a.b/c}]}]\n",
        );
    let gates = Gates::defaults(Release::parse("1.37.2").unwrap());
    let options = crate::api::Options { release: gates.release(), ..Default::default() };
    let mut read = crate::api::read_with(&text, &options);
    let rules = Rules::new(&gates, &cel, &read.objects);
    let diagnostics = super::check(&mut read.objects, &rules);
    let mut out = String::new();
    for diagnostic in &diagnostics {
        let marked = diagnostic.primary.span.text(&text);
        let _ = writeln!(out, "`{marked}` {}: {}", diagnostic.code.name, diagnostic.message);
    }
    expect![[r#"
        `compatibilityGroups` field-dropped: `spec.devices[0].consumesCounters[0].compatibilityGroups` dropped: feature gate DRADeviceCompatibilityGroups is off
        `skipNodeOperations` field-dropped: `spec.skipNodeOperations` dropped: feature gate DRAOptionalNodeOperations is off
        `derivedAttributes` field-dropped: `spec.devices.requests[0].exactly.derivedAttributes` and 1 more field dropped: feature gate DRADerivedAttributes is off
    "#]].assert_eq(&out);
    let ObjectValue::ResourceSlice(slice) = &read.objects[0].value else { panic!("slice") };
    assert!(slice.skip_node_operations.is_empty());
    assert!(!slice.devices[0].consumes_counters[0].has_compatibility_groups);
    let ObjectValue::ResourceClaim(claim) = &read.objects[1].value else { panic!("claim") };
    assert!(!claim.spec.requests[0].exactly.as_ref().unwrap().has_derived_attributes);
    assert!(!claim.spec.requests[1].first_available[0].request.has_derived_attributes);
}

#[test]
fn what_is_dropped_is_not_shown() {
    let mut shown = Vec::new();
    for version in ["v1", "v1beta1"] {
        let flat = version == "v1beta1";
        let fields = "deviceClassName: c, capacity: {}";
        let request = if flat {
            format!("{{name: a, {fields}}}")
        } else {
            format!("{{name: a, exactly: {{{fields}}}}}")
        };
        let text = claim(&format!("    requests:\n    - {request}\n    - {request}\n"))
            .replace("/v1", &format!("/{version}"));
        let mut read = read(&text);
        let mut gates = Gates::defaults(Release::parse("1.37.2").unwrap());
        gates.set(Gate::ConsumableCapacity, false);
        let rules = Rules::new(&gates, &cel, &read.objects);
        super::check(&mut read.objects, &rules);
        shown.extend(read.objects[0].refusals.iter().map(|refusal| refusal.text.clone()));
    }
    expect![[r#"
        spec.devices.requests[1]: Duplicate value: {"name":"a","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":1}}
        spec.devices.requests[1]: Duplicate value: {"name":"a","deviceClassName":"c","allocationMode":"ExactCount","count":1}"#]].assert_eq(&shown.join("\n"));
}
