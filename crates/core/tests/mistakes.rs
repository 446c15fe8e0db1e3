//! The classes of mistakes that real files contain: what is said, what is marked, what kubectl would
//! print, and that the fix leaves a text which reads without that mistake.

mod common;

use std::fmt::Write;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Diagnostic, Options, Range};
use expect_test::{Expect, expect};

use common::{fixed, marked};

/// What the whole analysis finds wrong, but not what a complete cluster would have.
fn found(text: &str) -> Vec<Diagnostic> {
    let missing = [
        "no-resource-slices",
        "device-class-not-found",
        "node-not-found",
        "class-without-selectors",
        "beta-version",
    ];
    let analysis = Workspace::new().analyze(text, &Options::default());
    let mut found = analysis.diagnostics;
    found.retain(|found| !missing.contains(&found.code.as_str()));
    found
}

/// Says what is found, applies the first fix again and again, and says what is left.
#[track_caller]
fn check(text: &str, expect: &Expect) {
    let mut out = String::new();
    for found in found(text) {
        let Range { line, column, .. } = found.range;
        let _ = writeln!(out, "{line}:{column} {:?} {}", marked(text, found.range), found.code);
        let _ = writeln!(out, "  {}", found.message);
        found.notes.iter().for_each(|note| {
            let _ = writeln!(out, "  note: {note}");
        });
        if let Some(upstream) = &found.upstream {
            let _ = writeln!(out, "  kubectl: {upstream}");
        }
        if let Some(fix) = found.fixes.first() {
            let _ = writeln!(out, "  fix: {}", fix.title);
        }
    }
    let mut text = text.to_owned();
    for _ in 0..8 {
        let Some(next) = found(&text).iter().find_map(|found| fixed(&text, found)) else { break };
        text = next;
    }
    let left: Vec<String> = found(&text).into_iter().map(|found| found.message).collect();
    let left = if left.is_empty() { "nothing".to_owned() } else { left.join("; ") };
    let _ = writeln!(out, "left: {left}\n{}", text.trim_end());
    expect.assert_eq(&out);
}

const CLAIM: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: c
spec:
";

const SLICE: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: s
spec:
  driver: d.example.com
  nodeName: w1
  pool: {name: w1, generation: 1, resourceSliceCount: 1}
";

#[test]
fn class_1_flat_requests_under_v1() {
    check(
        &format!(
            "{CLAIM}  devices:
    requests:
    - name: gpu
      deviceClassName: gpu.example.com # the class
      count: 2
"
        ),
        &expect![[r#"
            9:7 "deviceClassName" unknown-field
              unknown field `spec.devices.requests[0].deviceClassName`
              note: fields of a request stand below `exactly` (since v1beta2)
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].deviceClassName"
              fix: move it below `exactly`
            10:7 "count" unknown-field
              unknown field `spec.devices.requests[0].count`
              note: fields of a request stand below `exactly` (since v1beta2)
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].count"
              fix: move it below `exactly`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com # the class
                    count: 2
        "#]],
    );
}

#[test]
fn class_2_expression_beside_cel() {
    check(
        &format!(
            "{CLAIM}  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        selectors:
        - cel:
          expression: device.driver == \"d.example.com\"
"
        ),
        &expect![[r#"
            13:11 "expression" unknown-field
              unknown field `spec.devices.requests[0].exactly.selectors[0].expression`
              note: the expression stands below `cel`
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].exactly.selectors[0].expression"
              fix: move it below `cel`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com
                    selectors:
                    - cel:
                        expression: device.driver == "d.example.com"
        "#]],
    );
    check(
        &format!(
            "{CLAIM}  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        selectors:
        - expression: device.driver == \"d.example.com\"
"
        ),
        &expect![[r#"
            12:11 "expression" unknown-field
              unknown field `spec.devices.requests[0].exactly.selectors[0].expression`
              note: the expression stands below `cel`
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].exactly.selectors[0].expression"
              fix: move it below `cel`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com
                    selectors:
                    - cel:
                        expression: device.driver == "d.example.com"
        "#]],
    );
}

#[test]
fn class_3_spec_in_spec_and_templates_without() {
    check(
        &format!(
            "{CLAIM}  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: gpu.example.com}}
"
        ),
        &expect![[r#"
            6:3 "spec" unknown-field
              unknown field `spec.spec`
              note: only a ResourceClaimTemplate has a `spec` inside its `spec`
              kubectl: strict decoding error: unknown field "spec.spec"
              fix: remove `spec`, keep what stands below
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly: {deviceClassName: gpu.example.com}
        "#]],
    );
    check(
        "apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata:
  name: t
spec:
  devices:
    requests:
    - name: gpu
      exactly: {deviceClassName: gpu.example.com}
",
        &expect![[r#"
            6:3 "devices" unknown-field
              unknown field `spec.devices`
              note: a template holds a whole claim: its devices stand below `spec.spec`
              kubectl: strict decoding error: unknown field "spec.devices"
              fix: move it below `spec`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaimTemplate
            metadata:
              name: t
            spec:
              spec:
                devices:
                  requests:
                  - name: gpu
                    exactly: {deviceClassName: gpu.example.com}
        "#]],
    );
}

#[test]
fn class_4_basic_under_v1() {
    check(
        &format!(
            "{SLICE}  devices:
  - name: gpu-0
    basic:
      attributes:
        index: {{int: 0}}
"
        ),
        &expect![[r#"
            11:5 "basic" unknown-field
              unknown field `spec.devices[0].basic`
              note: `basic` is gone since v1beta2: its fields stand directly in the device
              kubectl: strict decoding error: unknown field "spec.devices[0].basic"
              fix: remove `basic`, keep what stands below
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
                attributes:
                  index: {int: 0}
        "#]],
    );
}

#[test]
fn class_5_bare_values() {
    check(
        &format!(
            "{SLICE}  devices:
  - name: gpu-0
    attributes:
      numaNode: 0
      model: a100
      healthy: true
    capacity:
      cpu: \"128\"
      memory: 80Gi
"
        ),
        &expect![[r#"
            12:17 "0" wrong-type
              `spec.devices[0].attributes[numaNode]` must be a map, not a number
              note: the value of an attribute stands below the name of its type
              kubectl: json: cannot unmarshal number into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{int: 0}`
            13:14 "a100" wrong-type
              `spec.devices[0].attributes[model]` must be a map, not a string
              note: the value of an attribute stands below the name of its type
              kubectl: json: cannot unmarshal string into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{string: a100}`
            14:16 "true" wrong-type
              `spec.devices[0].attributes[healthy]` must be a map, not a boolean
              note: the value of an attribute stands below the name of its type
              kubectl: json: cannot unmarshal bool into Go struct field Device.spec.devices.attributes of type v1.DeviceAttribute
              fix: write `{bool: true}`
            16:12 "\"128\"" wrong-type
              `spec.devices[0].capacity[cpu]` must be a map, not a string
              note: an amount stands below `value`
              kubectl: json: cannot unmarshal string into Go struct field Device.spec.devices.capacity of type v1.DeviceCapacity
              fix: write `{value: "128"}`
            17:15 "80Gi" wrong-type
              `spec.devices[0].capacity[memory]` must be a map, not a string
              note: an amount stands below `value`
              kubectl: json: cannot unmarshal string into Go struct field Device.spec.devices.capacity of type v1.DeviceCapacity
              fix: write `{value: 80Gi}`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
                attributes:
                  numaNode: {int: 0}
                  model: {string: a100}
                  healthy: {bool: true}
                capacity:
                  cpu: {value: "128"}
                  memory: {value: 80Gi}
        "#]],
    );
}

#[test]
fn class_6_fields_at_the_wrong_level() {
    check(
        &format!(
            "{CLAIM}  constraints:
  - matchAttribute: example.com/numa
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
      count: 2 # both
      tolerations:
      - operator: Exists
    - name: nic
      exactly:
        deviceClassName: nic.example.com
      config:
      - requests: [nic]
        opaque: {{driver: nic.example.com, parameters: {{}}}}
"
        ),
        &expect![[r#"
            6:3 "constraints" unknown-field
              unknown field `spec.constraints`
              note: `constraints` belongs to `spec.devices`
              kubectl: strict decoding error: unknown field "spec.constraints"
              fix: move it below `spec.devices`
            13:7 "count" unknown-field
              unknown field `spec.devices.requests[0].count`
              note: fields of a request stand below `exactly` (since v1beta2)
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].count"
              fix: move it below `exactly`
            14:7 "tolerations" unknown-field
              unknown field `spec.devices.requests[0].tolerations`
              note: fields of a request stand below `exactly` (since v1beta2)
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].tolerations"
              fix: move it below `exactly`
            19:7 "config" unknown-field
              unknown field `spec.devices.requests[1].config`
              note: `config` belongs to `spec.devices`
              kubectl: strict decoding error: unknown field "spec.devices.requests[1].config"
              fix: move it below `spec.devices`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com
                    count: 2 # both
                    tolerations:
                    - operator: Exists
                - name: nic
                  exactly:
                    deviceClassName: nic.example.com
                constraints:
                - matchAttribute: example.com/numa
                config:
                - requests: [nic]
                  opaque: {driver: nic.example.com, parameters: {}}
        "#]],
    );
    check(
        &format!(
            "{CLAIM}  devices:
    requests:
    - name: gpu
      exactly: {{deviceClassName: gpu.example.com, count: 2}}
    constraints:
    - matchAttribute: [example.com/numa]
"
        ),
        &expect![[r#"
            11:23 "[example.com/numa]" wrong-type
              `spec.devices.constraints[0].matchAttribute` must be a string, not a list
              note: write one constraint for each attribute
              kubectl: json: cannot unmarshal array into Go struct field DeviceConstraint.spec.devices.constraints.matchAttribute of type v1.FullyQualifiedName
              fix: write `example.com/numa`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly: {deviceClassName: gpu.example.com, count: 2}
                constraints:
                - matchAttribute: example.com/numa
        "#]],
    );
}

#[test]
fn class_7_counters_and_devices_in_one_slice() {
    check(
        &format!(
            "{SLICE}  sharedCounters:
  - name: gpu-0
    counters: {{memory: {{value: 80Gi}}}}
  devices:
  - name: gpu-0
    consumesCounters:
    - counterSet: gpu-0
      counters: {{memory: {{value: 80Gi}}}}
"
        ),
        &expect![[r#"
            9:3 "sharedCounters" invalid-value
              `spec`: only one of `sharedCounters` or `devices` is allowed
              note: counter sets stand in a slice of their own, in the same pool as the devices
              kubectl: The ResourceSlice "s" is invalid: spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed
              fix: give the counter sets a slice of their own
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 2}
              devices:
              - name: gpu-0
                consumesCounters:
                - counterSet: gpu-0
                  counters: {memory: {value: 80Gi}}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s-counters
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 2}
              sharedCounters:
              - name: gpu-0
                counters: {memory: {value: 80Gi}}
        "#]],
    );
}

#[test]
fn class_7_comments_and_neighbors_stay() {
    let slice = |count| {
        format!(
            "---
apiVersion: v1
kind: Node
metadata: {{name: w1}}
---
# what the driver publishes
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {{name: \"s\"}}
spec:
  devices:   # one
  - name: gpu-0
  driver: d.example.com
  # all of it
  sharedCounters:
  - name: gpu-0
    counters: {{memory: {{value: 80Gi}}}}
  nodeName: w1
  pool: {{name: w1, generation: 1, resourceSliceCount: {count}}}
---
apiVersion: v1
kind: Node
metadata: {{name: w2}}"
        )
    };
    check(
        &slice(1),
        &expect![[r#"
        15:3 "sharedCounters" invalid-value
          `spec`: only one of `sharedCounters` or `devices` is allowed
          note: counter sets stand in a slice of their own, in the same pool as the devices
          kubectl: The ResourceSlice "s" is invalid: spec: Invalid value: "": only one of `sharedCounters` or `devices` is allowed
          fix: give the counter sets a slice of their own
        left: nothing
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: w1}
        ---
        # what the driver publishes
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: "s"}
        spec:
          devices:   # one
          - name: gpu-0
          driver: d.example.com
          # all of it
          nodeName: w1
          pool: {name: w1, generation: 1, resourceSliceCount: 2}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceSlice
        metadata: {name: s-counters}
        spec:
          driver: d.example.com
          # all of it
          sharedCounters:
          - name: gpu-0
            counters: {memory: {value: 80Gi}}
          nodeName: w1
          pool: {name: w1, generation: 1, resourceSliceCount: 2}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: w2}
    "#]],
    );
    // The other slices of the pool would have to change, too.
    let several = found(&slice(2));
    let refused = several.iter().find(|found| found.code == "invalid-value").unwrap();
    assert!(refused.fixes.is_empty(), "{refused:?}");
}

#[test]
fn class_8_words_that_are_nearly_right() {
    check(
        &format!(
            "{CLAIM}  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
        allocationMode: all
"
        ),
        &expect![[r#"
            11:25 "all" unsupported-value
              `spec.devices.requests[0].exactly.allocationMode`: `all` is none of `All`, `ExactCount`
              note: did you mean `All`?
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[0].exactly.allocationMode: Unsupported value: "all": supported values: "All", "ExactCount"
              fix: write `All`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com
                    allocationMode: All
        "#]],
    );
}

/// Requests with one selector each.
fn selectors(expressions: &[&str]) -> String {
    let mut text = format!(
        "{SLICE}  devices:
  - name: gpu-0
    attributes:
      model: {{string: a100}}
      version: {{version: 1.2.3}}
      healthy: {{bool: true}}
    capacity:
      memory: {{value: 80Gi}}
---
{CLAIM}  devices:\n    requests:\n"
    );
    for (at, expression) in expressions.iter().enumerate() {
        let _ = write!(
            text,
            "    - name: r{at}
      exactly:
        deviceClassName: d.example.com
        selectors:
        - cel:
            expression: {expression}
"
        );
    }
    text
}

#[test]
#[expect(clippy::too_many_lines, reason = "one text with all of them")]
fn class_9_mistakes_in_expressions() {
    check(
        &selectors(&[
            "device.driver == \"d.example.com",
            "device.driver.startsWith(\"d.example.com\"",
            "device.attributes[\"d.example.com\"].healthy.bool",
            "device.attributes[\"d.example.com/model\"] == \"a100\"",
            "device.capacity[\"d.example.com\"].memory >= quantity(\"10Gi\")",
            "device.attributes[\"d.example.com\"].version == \"1.2.3\"",
            "device.attributes[\"d.example.com\"].memory.compareTo(quantity(\"10Gi\")) >= 0",
        ]),
        &expect![[r#"
            30:42 "\"" invalid-value
              Syntax error: token recognition error at: '"d.example.com'
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[0].exactly.selectors[0].cel.expression: Invalid value: "device.driver == \"d.example.com": compilation failed: ERROR: <input>:1:18: Syntax error: token recognition error at: '"d.example.com'
             | device.driver == "d.example.com
             | .................^
            ERROR: <input>:1:32: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}
             | device.driver == "d.example.com
             | ...............................^
            30:42 "\"d.example.com" selector-hint
              the text that begins here has no closing `"`
              fix: write `"d.example.com"`
            36:49 "(\"d.example.com\"" selector-hint
              `(` has no closing `)`
              fix: write `("d.example.com")`
            36:65 "" invalid-value
              Syntax error: missing ')' at '<EOF>'
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[1].exactly.selectors[0].cel.expression: Invalid value: "device.driver.startsWith(\"d.example.com\"": compilation failed: ERROR: <input>:1:41: Syntax error: missing ')' at '<EOF>'
             | device.driver.startsWith("d.example.com"
             | ........................................^
            42:25 "device.attributes[\"d.example.com\"].healthy.bool" invalid-value
              `spec.devices.requests[2].exactly.selectors[0].cel.expression`: must evaluate to bool or the unknown type, not dyn
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[2].exactly.selectors[0].cel.expression: Invalid value: "device.attributes[\"d.example.com\"].healthy.bool": must evaluate to bool or the unknown type, not dyn
            42:67 ".bool" selector-hint
              attribute values are used as they are, without `.bool`
              fix: remove `.bool`
            48:25 "device.attributes[\"d.example.com/model\"]" selector-hint
              domain and name are two keys: first `d.example.com`, then `model`
              fix: write `device.attributes["d.example.com"].model`
            48:66 "=" invalid-value
              found no matching overload for '_==_' applied to '(map(string, any), string)'
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[3].exactly.selectors[0].cel.expression: Invalid value: "device.attributes[\"d.example.com/model\"] == \"a100\"": compilation failed: ERROR: <input>:1:42: found no matching overload for '_==_' applied to '(map(string, any), string)'
             | device.attributes["d.example.com/model"] == "a100"
             | .........................................^
            54:25 "device.capacity[\"d.example.com\"].memory >= quantity(\"10Gi\")" selector-hint
              quantities are compared with `compareTo`
              fix: write `device.capacity["d.example.com"].memory.compareTo(quantity("10Gi")) >= 0`
            54:65 ">" invalid-value
              found no matching overload for '_>=_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
              kubectl: The ResourceClaim "c" is invalid: spec.devices.requests[4].exactly.selectors[0].cel.expression: Invalid value: "device.capacity[\"d.example.com\"].memory >= quantity(\"10Gi\")": compilation failed: ERROR: <input>:1:41: found no matching overload for '_>=_' applied to '(kubernetes.Quantity, kubernetes.Quantity)'
             | device.capacity["d.example.com"].memory >= quantity("10Gi")
             | ........................................^
            60:25 "device.attributes[\"d.example.com\"].version == \"1.2.3\"" selector-hint
              versions are compared with `compareTo`, and `==` with a string fails
              fix: write `device.attributes["d.example.com"].version.compareTo(semver("1.2.3")) == 0`
            66:25 "device.attributes[\"d.example.com\"].memory" selector-hint
              `memory` is a capacity of 1 of 1 devices, not an attribute: use `device.capacity`
              fix: write `device.capacity["d.example.com"].memory`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
                attributes:
                  model: {string: a100}
                  version: {version: 1.2.3}
                  healthy: {bool: true}
                capacity:
                  memory: {value: 80Gi}
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: r0
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: device.driver == "d.example.com"
                - name: r1
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: device.driver.startsWith("d.example.com")
                - name: r2
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: device.attributes["d.example.com"].healthy
                - name: r3
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: "device.attributes[\"d.example.com\"].model == \"a100\""
                - name: r4
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: "device.capacity[\"d.example.com\"].memory.compareTo(quantity(\"10Gi\")) >= 0"
                - name: r5
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: "device.attributes[\"d.example.com\"].version.compareTo(semver(\"1.2.3\")) == 0"
                - name: r6
                  exactly:
                    deviceClassName: d.example.com
                    selectors:
                    - cel:
                        expression: "device.capacity[\"d.example.com\"].memory.compareTo(quantity(\"10Gi\")) >= 0"
        "#]],
    );
}

#[test]
fn class_10_damage_of_copying() {
    let node = |name: &str| format!("apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n");
    check(
        &format!("$ kubectl get node w1 -o yaml\n{}", node("w1")),
        &expect![[r#"
        1:1 "$ kubectl get node w1 -o yaml\n" shell-text
          a shell command is not part of the objects; skipped
          fix: remove the line
        left: nothing
        apiVersion: v1
        kind: Node
        metadata:
          name: w1
    "#]],
    );
    check(
        &format!(
            "cat <<EOF | kubectl apply -f -\n{}EOF\nkubectl apply -f - <<'END'\n{}END\n",
            node("w1"),
            node("w2")
        ),
        &expect![[r#"
            1:1 "cat <<EOF | kubectl apply -f -\n" shell-text
              a shell command is not part of the objects; skipped
              fix: remove the line
            6:1 "EOF\n" shell-text
              the end of a heredoc is not part of the objects; skipped
              fix: write `---`
            7:1 "kubectl apply -f - <<'END'\n" shell-text
              a shell command is not part of the objects; skipped
              fix: remove the line
            12:1 "END\n" shell-text
              the end of a heredoc is not part of the objects; skipped
              fix: remove the line
            left: nothing
            apiVersion: v1
            kind: Node
            metadata:
              name: w1
            ---
            apiVersion: v1
            kind: Node
            metadata:
              name: w2
        "#]],
    );
}

#[test]
fn class_10_documents_that_lost_their_shape() {
    let node = |name: &str| format!("apiVersion: v1\nkind: Node\nmetadata:\n  name: {name}\n");
    check(
        &format!("{}...\nspec:\n  unschedulable: true\n", node("w1")),
        &expect![[r#"
        5:1 "..." omitted-text
          `...` seems to stand for omitted text; YAML reads it as the end of the document
          fix: make it a comment
        left: nothing
        apiVersion: v1
        kind: Node
        metadata:
          name: w1
        # ...
        spec:
          unschedulable: true
    "#]],
    );
    let indented =
        |text: &str| text.lines().map(|it| ["  ", it, "\n"].concat()).collect::<String>();
    let two = format!("{}---\n{}", node("w1"), node("w2"));
    check(
        &indented(&two),
        &expect![[r#"
        5:3 "---" indented-separator
          an indented `---` does not separate documents; read as if it did
          note: the whole text seems to be indented, as when it is copied out of other text
          fix: remove the indentation
        left: nothing
        apiVersion: v1
        kind: Node
        metadata:
          name: w1
        ---
        apiVersion: v1
        kind: Node
        metadata:
          name: w2
    "#]],
    );
    // Only the first line has lost its indentation.
    check(
        indented(&node("w1")).trim_start(),
        &expect![[r#"
            1:1 "apiVersion: v1" yaml-syntax
              this line is not indented, all lines below it are
              note: it lost its indentation when it was copied; the fields of a map stand in one column
              fix: remove the indentation
            left: nothing
            apiVersion: v1
            kind: Node
            metadata:
              name: w1
        "#]],
    );
    check(
        &format!("{}\u{2013}-\n{}", node("w1"), node("w2")),
        &expect![[r#"
        5:1 "–-" dash-separator
          typographic dashes do not separate documents; read as `---`
          fix: write `---`
        left: nothing
        apiVersion: v1
        kind: Node
        metadata:
          name: w1
        ---
        apiVersion: v1
        kind: Node
        metadata:
          name: w2
    "#]],
    );
}

#[test]
fn class_11_fields_of_other_releases() {
    check(
        &format!(
            "{SLICE}  skipNodeOperations: [PrepareResources]
  devices:
  - name: gpu-0
    nodeAllocatableResources: {{}}
    compatibilityGroups: [a]
---
{CLAIM}  devices:
    requests:
    - name: gpu
      derivedAttributes: []
      exactly:
        deviceClassName: gpu.example.com
        derivedAttributes: []
"
        ),
        &expect![[r#"
            9:3 "skipNodeOperations" unknown-field
              unknown field `spec.skipNodeOperations`
              note: this field exists since Kubernetes 1.37
              kubectl: strict decoding error: unknown field "spec.skipNodeOperations"
              fix: remove `skipNodeOperations`
            12:5 "nodeAllocatableResources" unknown-field
              unknown field `spec.devices[0].nodeAllocatableResources`
              note: this field exists since Kubernetes 1.37
              kubectl: strict decoding error: unknown field "spec.devices[0].nodeAllocatableResources"
              fix: remove `nodeAllocatableResources`
            13:5 "compatibilityGroups" unknown-field
              unknown field `spec.devices[0].compatibilityGroups`
              note: `compatibilityGroups` belongs to `spec.devices[].consumesCounters[]`
              note: this field exists since Kubernetes 1.37
              kubectl: strict decoding error: unknown field "spec.devices[0].compatibilityGroups"
              fix: remove `compatibilityGroups`
            23:7 "derivedAttributes" unknown-field
              unknown field `spec.devices.requests[0].derivedAttributes`
              note: this field exists since Kubernetes 1.37
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].derivedAttributes"
              fix: remove `derivedAttributes`
            26:9 "derivedAttributes" unknown-field
              unknown field `spec.devices.requests[0].exactly.derivedAttributes`
              note: this field exists since Kubernetes 1.37
              kubectl: strict decoding error: unknown field "spec.devices.requests[0].exactly.derivedAttributes"
              fix: remove `derivedAttributes`
            left: nothing
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata:
              name: s
            spec:
              driver: d.example.com
              nodeName: w1
              pool: {name: w1, generation: 1, resourceSliceCount: 1}
              devices:
              - name: gpu-0
            ---
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: c
            spec:
              devices:
                requests:
                - name: gpu
                  exactly:
                    deviceClassName: gpu.example.com
        "#]],
    );
}
