//! What people really paste around and instead of objects: what is said and marked, that the rest of
//! the text still runs, and what is left when every fix has been taken.

mod common;

use std::fmt::Write;

use dra_playground_core::workspace::Workspace;
use dra_playground_core::workspace::report::{Analysis, Options, Severity};
use expect_test::{Expect, expect};

use common::{fixed, marked};

const NODE: &str = "apiVersion: v1\nkind: Node\nmetadata:\n  name: worker\n";

const CLASS: &str = "apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata:
  name: gpu.example.com
spec:
  selectors:
  - cel:
      expression: device.driver == \"gpu.example.com\"
";

const SLICE: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata:
  name: worker-gpus
spec:
  driver: gpu.example.com
  nodeName: worker
  pool:
    name: worker
    generation: 1
    resourceSliceCount: 1
  devices:
  - name: gpu-0
    attributes:
      model:
        string: a100
";

const CLAIM: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata:
  name: gpu
spec:
  devices:
    requests:
    - name: gpu
      exactly:
        deviceClassName: gpu.example.com
";

const POD: &str = "apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  resourceClaims:
  - name: gpu
    resourceClaimName: gpu
  containers:
  - name: c
    image: busybox
    resources:
      claims:
      - name: gpu
";

/// A scenario in which the Pod gets its device.
fn all() -> String {
    [NODE, CLASS, SLICE, CLAIM, POD].join("---\n")
}

/// The same with something written otherwise.
fn with(from: &str, to: &str) -> String {
    let text = all();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

fn before_each_line(text: &str, start: impl Fn(usize) -> String) -> String {
    text.lines().enumerate().fold(String::new(), |mut out, (at, line)| {
        let _ = writeln!(out, "{}{line}", start(at + 1));
        out
    })
}

fn analyze(text: &str) -> Analysis {
    Workspace::new().analyze(text, &Options::default())
}

/// What is found and marked, where the Pods run, and both again after all fixes.
#[track_caller]
fn paste(text: &str, expect: &Expect) {
    let mut out = String::new();
    let analysis = analyze(text);
    for found in analysis.diagnostics.iter().filter(|found| found.severity != Severity::Note) {
        let marked: String = marked(text, found.range).chars().take(32).collect();
        let _ = writeln!(
            out,
            "{}:{} {marked:?} {}: {}",
            found.range.line, found.range.column, found.code, found.message
        );
        for note in &found.notes {
            let _ = writeln!(out, "  {note}");
        }
        for fix in &found.fixes {
            let _ = writeln!(out, "  fix: {}", fix.title);
        }
    }
    runs(&analysis, &mut out);
    let mut text = text.to_owned();
    let mut changed = false;
    for _ in 0..40 {
        let found = analyze(&text).diagnostics;
        let Some(next) = found.iter().find_map(|found| fixed(&text, found)) else { break };
        (text, changed) = (next, true);
    }
    if changed {
        out.push_str("after all fixes\n");
        let analysis = analyze(&text);
        for found in analysis.diagnostics.iter().filter(|found| found.severity != Severity::Note) {
            let _ = writeln!(out, "left: {}: {}", found.code, found.message);
        }
        runs(&analysis, &mut out);
    }
    expect.assert_eq(&out.replace('\u{200b}', "(nothing)"));
}

fn runs(analysis: &Analysis, out: &mut String) {
    for pod in &analysis.snapshot.pods {
        let node = pod.node.as_deref().unwrap_or("no node");
        let _ = writeln!(out, "runs: {} on {node}", pod.object.name);
    }
}

#[test]
fn a_prompt_and_a_table() {
    paste(
        &format!(
            "$ kubectl get resourceslices\nNAME            NODE     DRIVER            POOL     AGE\nworker-gpus     worker   gpu.example.com   worker   3d\nother           worker   gpu.example.com   other    3d\n---\n{}",
            all()
        ),
        &expect![[r#"
            1:1 "$ kubectl get resourceslices\n" shell-text: a shell command is not part of the objects; skipped
              fix: remove the line
            2:1 "NAME            NODE     DRIVER " shell-text: a table that `kubectl get` prints without `-o yaml` is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_table_alone() {
    paste(
        "NAME   STATE                AGE\ngpu    allocated,reserved   5m\n",
        &expect![[r#"
        1:1 "NAME   STATE                AGE\n" shell-text: a table that `kubectl get` prints without `-o yaml` is not part of the objects; skipped
          fix: remove the line
        after all fixes
    "#]],
    );
}

#[test]
fn a_table_right_before_an_object() {
    paste(
        &format!(
            "NAMESPACE   NAME    READY   STATUS    RESTARTS   AGE\ndefault     train   0/1     Pending   0          5m\n{}",
            all()
        ),
        &expect![[r#"
            1:1 "NAMESPACE   NAME    READY   STAT" shell-text: a table that `kubectl get` prints without `-o yaml` is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_description() {
    paste(
        &format!(
            "Name:         train\nNamespace:    default\nNode:         <none>\nContainers:\n  c:\n    Image:      busybox\nEvents:\n  Type     Reason            Age   From               Message\n  ----     ------            ----  ----               -------\n  Warning  FailedScheduling  12s   default-scheduler  0/1 nodes are available: 1 cannot allocate all claims.\n---\n{}",
            all()
        ),
        &expect![[r#"
            1:1 "Name:         train\nNamespace:  " shell-text: what `kubectl describe` prints is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn prompts_of_many_shells() {
    paste(
        &[
            "root@master:~# kubectl get node worker -o yaml\n",
            NODE,
            "[user@host dra]$ cat class.yaml\n",
            CLASS,
            "PS C:\\Users\\me> kubectl get resourceslice worker-gpus -o yaml\n",
            SLICE,
            "➜  dra git:(main) ✗ kubectl get resourceclaim gpu -o yaml\n",
            CLAIM,
            "% kubectl get pod train -o yaml\n",
            POD,
            "root@master:~# \n",
        ]
        .concat(),
        &expect![[r#"
            1:1 "root@master:~# kubectl get node " shell-text: a shell command is not part of the objects; skipped
              fix: remove the line
            6:1 "[user@host dra]$ cat class.yaml\n" shell-text: a shell command is not part of the objects; skipped
              fix: write `---`
            15:1 "PS C:\\Users\\me> kubectl get reso" shell-text: a shell command is not part of the objects; skipped
              fix: write `---`
            32:1 "➜  dra git:(main) ✗ kubectl get " shell-text: a shell command is not part of the objects; skipped
              fix: write `---`
            43:1 "% kubectl get pod train -o yaml\n" shell-text: a shell command is not part of the objects; skipped
              fix: write `---`
            58:1 "root@master:~# \n" shell-text: a shell command is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn what_commands_printed() {
    paste(
        &format!(
            "The ResourceClaim \"gpu\" is invalid: spec: Required value\nError from server (NotFound): pods \"a\" not found\nerror: no matches\n{}resourceclaim.resource.k8s.io/gpu created\npod/train configured\n",
            all()
        ),
        &expect![[r#"
            1:1 "The ResourceClaim \"gpu\" is inval" shell-text: what a command printed is not part of the objects; skipped
              fix: remove the line
            2:1 "Error from server (NotFound): po" shell-text: what a command printed is not part of the objects; skipped
              fix: remove the line
            3:1 "error: no matches\n" shell-text: what a command printed is not part of the objects; skipped
              fix: remove the line
            60:1 "resourceclaim.resource.k8s.io/gp" shell-text: what a command printed is not part of the objects; skipped
              fix: write `---`
            61:1 "pod/train configured\n" shell-text: what a command printed is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_heredoc_and_its_answer() {
    paste(
        &format!(
            "{}---\ncat <<'EOF' | kubectl apply -f -\n{CLAIM}EOF\nresourceclaim.resource.k8s.io/gpu created\n",
            [NODE, CLASS, SLICE, POD].join("---\n")
        ),
        &expect![[r#"
            47:1 "cat <<'EOF' | kubectl apply -f -" shell-text: a shell command is not part of the objects; skipped
              fix: remove the line
            58:1 "EOF\n" shell-text: the end of a heredoc is not part of the objects; skipped
              fix: write `---`
            59:1 "resourceclaim.resource.k8s.io/gp" shell-text: what a command printed is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_page_of_markdown() {
    paste(
        &format!(
            "Here is my claim: it is *big*\n\n```yaml\n{CLAIM}```\n\nand the rest\nof it:\n\n```yaml\n{}```\nThanks!\n",
            [NODE, CLASS, SLICE, POD].join("---\n")
        ),
        &expect![[r#"
            1:1 "Here is my claim: it is *big*\n" shell-text: text around Markdown fences is not part of the objects; skipped
              fix: keep what stands inside of the fences
            3:1 "```yaml\n" shell-text: a Markdown fence is not part of the objects; skipped
            14:1 "```\n" shell-text: a Markdown fence is not part of the objects; skipped
            16:1 "and the rest\nof it:" shell-text: text around Markdown fences is not part of the objects; skipped
            19:1 "```yaml\n" shell-text: a Markdown fence is not part of the objects; skipped
            65:1 "```\n" shell-text: a Markdown fence is not part of the objects; skipped
            66:1 "Thanks!\n" shell-text: text around Markdown fences is not part of the objects; skipped
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_fence_that_was_cut_off() {
    paste(
        &format!("{}```\n", all()),
        &expect![[r#"
            57:1 "```\n" shell-text: a Markdown fence is not part of the objects; skipped
              fix: remove the line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn numbers_before_lines() {
    paste(
        &before_each_line(&all(), |at| format!("{at:4}  ")),
        &expect![[r#"
            1:1 "   1  " shell-text: what stands before each line is not part of the objects; skipped
              fix: remove it from every line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn numbers_and_bars_that_are_not_aligned() {
    paste(
        &before_each_line(&all(), |at| format!("{at} | ")),
        &expect![[r#"
            1:1 "1 | " shell-text: what stands before each line is not part of the objects; skipped
              fix: remove it from every line
            10:6 "spec:" yaml-syntax: this document is not valid YAML: while parsing a block mapping, did not find expected key
              the other documents are still used
              the fields of a map stand in one column
            41:31 "gpu.example.com" device-class-not-found: there is no DeviceClass `gpu.example.com`
              the API server accepts the claim, but it can never be allocated
              fix: insert DeviceClass `gpu.example.com` for driver `gpu.example.com`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_quoted_mail() {
    paste(
        &before_each_line(&all(), |_| "> ".to_owned()),
        &expect![[r#"
            1:1 "> " shell-text: what stands before each line is not part of the objects; skipped
              fix: remove it from every line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn an_added_file() {
    paste(
        &before_each_line(&all(), |_| "+".to_owned()),
        &expect![[r#"
            1:1 "+" shell-text: what stands before each line is not part of the objects; skipped
              fix: remove it from every line
            runs: train on worker
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn tabs() {
    paste(
        &with("  devices:\n    requests", "\tdevices:\n\t\trequests"),
        &expect![[r#"
            37:1 "\t" tab-indentation: tabs cannot indent YAML; use spaces
              fix: replace the tabs by spaces
            50:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn typographic_quotes() {
    paste(
        &with("\"gpu.example.com\"", "\u{201c}gpu.example.com\u{201d}"),
        &expect![[r#"
            13:36 "“" invalid-value: Syntax error: token recognition error at: '“'
              this line has U+201C, which is not the sign that it stands for
              fix: write plain signs
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn typographic_quotes_in_quotes() {
    paste(
        &with(
            "device.driver == \"gpu.example.com\"",
            "\"device.driver == \u{201c}gpu.example.com\u{201d}\"",
        ),
        &expect![[r#"
            13:37 "“" invalid-value: Syntax error: token recognition error at: '“'
              this line has U+201C, which is not the sign that it stands for
              fix: write plain signs
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn spaces_that_do_not_break() {
    paste(
        &all().replace("  name: gpu\n", "\u{a0}\u{a0}name: gpu\n"),
        &expect![[r#"
            35:1 "\u{a0}\u{a0}name" unknown-field: unknown field `  name`
              this line has U+00A0, which is not the sign that it stands for
              fix: write plain signs
            50:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_space_that_does_not_break_behind_a_colon() {
    paste(
        &with("kind: ResourceClaim\n", "kind:\u{a0}ResourceClaim\n"),
        &expect![[r#"
            33:1 "kind:\u{a0}ResourceClaim" yaml-syntax: this document is not valid YAML: simple key expect ':'
              the other documents are still used
              a field is written `name: value`, with a space behind the colon
              this line has U+00A0, which is not the sign that it stands for
              fix: write plain signs
            50:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_wide_colon() {
    paste(
        &with("kind: ResourceClaim\n", "kind\u{ff1a}ResourceClaim\n"),
        &expect![[r#"
            33:1 "kind：ResourceClaim" yaml-syntax: this document is not valid YAML: simple key expect ':'
              the other documents are still used
              a field is written `name: value`, with a space behind the colon
              this line has U+FF1A, which is not the sign that it stands for
              fix: write plain signs
            50:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_sign_of_no_width() {
    paste(
        &with("nodeName: worker", "nodeName: wor\u{200b}ker"),
        &expect![[r#"
            21:13 "wor\u{200b}ker" invalid-value: `spec.nodeName`: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
              this line has U+200B, which is not the sign that it stands for
              fix: write plain signs
            21:13 "wor\u{200b}ker" node-not-found: there is no Node `wor(nothing)ker`, which this slice names
              a node of this name without labels is assumed
              did you mean `worker`?
              fix: write `worker`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn html() {
    paste(
        &all().replace('"', "&quot;").replace("==", "&#61;=").replace("&#61;", "="),
        &expect![[r#"
            13:36 "&" invalid-value: Syntax error: token recognition error at: '&q'
              this line has `&quot;`, which is not the sign that it stands for
              fix: write plain signs
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn byte_order_mark_and_line_ends_of_windows() {
    paste(
        &format!("\u{feff}{}", all().replace('\n', "\r\n")),
        &expect![[r#"
            runs: train on worker
        "#]],
    );
}

#[test]
fn line_ends_of_old_macs() {
    paste(
        &all().replace('\n', "\r"),
        &expect![[r#"
            runs: train on worker
        "#]],
    );
}

#[test]
fn no_separators() {
    paste(
        &[NODE, CLASS, SLICE, CLAIM, POD].concat(),
        &expect![[r#"
            5:1 "apiVersion" duplicate-key: key `apiVersion` is written twice in this map, first in line 1
              written again
              a map can hold a key only once; kubectl takes the last one, stricter readers none
              does another object begin here? `---` separates objects
              fix: insert `---`
            13:1 "apiVersion" duplicate-key: key `apiVersion` is written twice in this map, first in line 1
              written again
              a map can hold a key only once; kubectl takes the last one, stricter readers none
              does another object begin here? `---` separates objects
              fix: insert `---`
            46:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_list_of_objects_as_json() {
    paste(
        "[{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"worker\"}},\n {\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}, \"spec\": {\"containers\": [{\"name\": \"c\"}]}}]\n",
        &expect![[r#"
            runs: p on worker
        "#]],
    );
}

#[test]
fn objects_as_json_one_after_the_other() {
    paste(
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"worker\"}}\n{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"p\"}, \"spec\": {\"containers\": [{\"name\": \"c\"}]}}\n",
        &expect![[r#"
            runs: p on worker
        "#]],
    );
}

#[test]
fn json_with_commas_at_ends() {
    paste(
        "{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"metadata\": {\"name\": \"worker\",},}\n",
        &expect![[r#""#]],
    );
}

#[test]
fn json_with_comments() {
    paste(
        "// my node\n{\n  \"apiVersion\": \"v1\", // core\n  \"kind\": \"Node\",\n  \"metadata\": {\"name\": \"worker\"}\n}\n",
        &expect![[r#"
            3:15 ": \"v1\", // core" yaml-syntax: this document is not valid YAML: mapping values are not allowed in this context
              the other documents are still used
              comments begin with `#`
        "#]],
    );
}

#[test]
fn a_helm_template_beside_objects() {
    paste(
        &format!(
            "{{{{- if .Values.gpu }}}}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{{{ .Values.name }}}}\n{{{{- end }}}}\n---\n{}",
            all()
        ),
        &expect![[r#"
            1:1 "{{- if .Values.gpu }}" template-not-rendered: this is a template that was not rendered: `{{- if .Values.gpu }}`
              paste the rendered objects, e.g. what `helm template` or `envsubst` prints
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_kustomization() {
    paste(
        &format!(
            "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [slice.yaml]\n---\n{}",
            all()
        ),
        &expect![[r#"
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_document_that_is_being_typed() {
    paste(
        &format!(
            "{}---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: next\nspec:\n  devices:\n    requ",
            all()
        ),
        &expect![[r#"
            64:5 "requ" wrong-type: `spec.devices` must be a map, not a string
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_quote_that_is_being_typed() {
    paste(
        &format!(
            "{}---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: \"ne",
            all()
        ),
        &expect![[r#"
            61:9 "\"ne" yaml-syntax: this document is not valid YAML: while scanning a quoted scalar, found unexpected end of stream
              the other documents are still used
              a quote is not closed
            runs: train on worker
        "#]],
    );
}

#[test]
fn kinds_in_lower_case_and_plural() {
    paste(
        &all()
            .replace("kind: ResourceClaim\n", "kind: resourceclaim\n")
            .replace("kind: ResourceSlice", "kind: ResourceSlices")
            .replace("kind: Pod", "kind: pod"),
        &expect![[r#"
            16:7 "ResourceSlices" unknown-kind: there is no kind `ResourceSlices` in `resource.k8s.io/v1`
              did you mean `ResourceSlice`?
              fix: write `ResourceSlice`
            33:7 "resourceclaim" unknown-kind: there is no kind `resourceclaim` in `resource.k8s.io/v1`
              did you mean `ResourceClaim`?
              fix: write `ResourceClaim`
            44:7 "pod" unknown-kind: there is no kind `pod` in `v1`
              did you mean `Pod`?
              fix: write `Pod`
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn versions_that_are_missing_or_wrong() {
    paste(
        &all()
            .replace(
                "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\n",
                "kind: ResourceClaim\n",
            )
            .replace(
                "resource.k8s.io/v1\nkind: DeviceClass",
                "resources.k8s.io/v1\nkind: DeviceClass",
            )
            .replace("resource.k8s.io/v1\nkind: ResourceSlice", "v1\nkind: ResourceSlice"),
        &expect![[r#"
            6:13 "resources.k8s.io/v1" unknown-kind: there is no kind `DeviceClass` in `resources.k8s.io/v1`
              it is in `resource.k8s.io/v1`
              fix: write `resource.k8s.io/v1`
            15:13 "v1" unknown-kind: there is no kind `ResourceSlice` in `v1`
              it is in `resource.k8s.io/v1`
              fix: write `resource.k8s.io/v1`
            32:1 "kind" missing-kind: `apiVersion` is missing, so nobody knows what this object is
              fix: insert `apiVersion: resource.k8s.io/v1`
            49:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn numbers_in_quotes() {
    paste(
        &all().replace("generation: 1", "generation: \"1\"").replace("Count: 1", "Count: '1'"),
        &expect![[r#"
            24:17 "\"1\"" wrong-type: `spec.pool.generation` must be a whole number, not a string
              fix: remove the quotes
            25:25 "'1'" wrong-type: `spec.pool.resourceSliceCount` must be a whole number, not a string
              fix: remove the quotes
            25:25 "'1'" pool-incomplete: pool `gpu.example.com/worker` has 1 slice at generation 0, but announces 0
              devices of an incomplete pool are not allocated
              fix: write `resourceSliceCount: 1`
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn the_same_object_twice() {
    paste(
        &format!("{}---\n{CLAIM}", all()),
        &expect![[r#"
            61:9 "gpu" duplicate-object: ResourceClaim/default/gpu is written twice
              a cluster holds one object of a kind and name; the later one replaces the earlier
            runs: train on worker
        "#]],
    );
}

#[test]
fn the_same_key_twice() {
    paste(
        &with("  nodeName: worker\n", "  nodeName: other\n  nodeName: worker\n"),
        &expect![[r#"
            22:3 "nodeName" duplicate-key: key `nodeName` is written twice in this map, first in line 21
              written again
              a map can hold a key only once; kubectl takes the last one, stricter readers none
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_colon_without_a_space() {
    paste(
        &with("name: worker-gpus", "name:worker-gpus"),
        &expect![[r#"
            18:3 "name:worker-gpus" wrong-type: `metadata` must be a map, not a string
              a space is missing behind the colon
              fix: insert a space
            runs: train on no node
            after all fixes
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_colon_in_a_value() {
    paste(
        &with(
            "device.driver == \"gpu.example.com\"",
            "device.driver == \"gpu.example.com\" ? true : false",
        ),
        &expect![[r#"
            13:61 ": false" yaml-syntax: this document is not valid YAML: mapping values are not allowed in this context
              the other documents are still used
              a value with `: ` in it needs quotes; a key with a value has nothing below it
            41:26 "gpu.example.com" device-class-not-found: there is no DeviceClass `gpu.example.com`
              the API server accepts the claim, but it can never be allocated
              fix: insert DeviceClass `gpu.example.com` for driver `gpu.example.com`
            runs: train on no node
            after all fixes
            left: yaml-syntax: this document is not valid YAML: mapping values are not allowed in this context
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_value_that_begins_with_a_quote() {
    paste(
        &with("device.driver == \"gpu.example.com\"", "\"gpu.example.com\" == device.driver"),
        &expect![[r#"
            13:37 "== device.driver" yaml-syntax: this document is not valid YAML: invalid trailing content after double-quoted scalar
              the other documents are still used
              a value that begins with a quote ends with it: put `'` around all of it
            41:26 "gpu.example.com" device-class-not-found: there is no DeviceClass `gpu.example.com`
              the API server accepts the claim, but it can never be allocated
              fix: insert DeviceClass `gpu.example.com` for driver `gpu.example.com`
            runs: train on no node
            after all fixes
            left: yaml-syntax: this document is not valid YAML: invalid trailing content after double-quoted scalar
            runs: train on worker
        "#]],
    );
}

#[test]
fn an_equals_sign() {
    paste(
        &with("  nodeName: worker\n", "  nodeName = worker\n"),
        &expect![[r#"
            21:3 "nodeName = worker" yaml-syntax: this document is not valid YAML: simple key expect ':'
              the other documents are still used
              a field is written `name: value`, with a space behind the colon
            35:9 "gpu" no-resource-slices: there is no ResourceSlice, so there is no device to allocate
              drivers publish slices; `kubectl get resourceslices -o yaml` shows a cluster's
              fix: insert a ResourceSlice of `gpu.example.com` with two devices
            runs: train on no node
            after all fixes
            left: yaml-syntax: this document is not valid YAML: simple key expect ':'
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_brace_that_is_not_closed() {
    paste(
        &with("metadata:\n  name: gpu\nspec", "metadata: {name: gpu\nspec"),
        &expect![[r#"
            35:5 ":" yaml-syntax: this document is not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'
              the other documents are still used
              a brace or bracket is not closed
            49:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            left: yaml-syntax: this document is not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_line_in_no_column() {
    paste(
        &with("        deviceClassName", "     deviceClassName"),
        &expect![[r#"
            41:6 "deviceClassName: gpu.example.com" yaml-syntax: this document is not valid YAML: while parsing a block mapping, did not find expected key
              the other documents are still used
              the fields of a map stand in one column
            50:24 "gpu" resource-claim-not-found: there is no ResourceClaim `gpu` in namespace `default`
              the Pod stays Pending until it is created
              fix: insert ResourceClaim `gpu`
            runs: train on no node
            after all fixes
            left: yaml-syntax: this document is not valid YAML: while parsing a block mapping, did not find expected key
            runs: train on worker
        "#]],
    );
}

#[test]
fn a_list_without_hyphens() {
    paste(
        &with("    - name: gpu\n      exactly", "      name: gpu\n      exactly"),
        &expect![[r#"
            39:7 "name: gpu\n      exactly:\n       " wrong-type: `spec.devices.requests` must be a list, not a map
              each entry of a list starts with `- `
            runs: train on no node
        "#]],
    );
}

#[test]
fn placeholders_of_all_kinds() {
    paste(
        &all()
            .replace("nodeName: worker", "nodeName: $NODE")
            .replace("string: a100", "string: <model>")
            .replace("image: busybox", "image: ${IMAGE}"),
        &expect![[r#"
            21:13 "$NODE" invalid-value: `spec.nodeName`: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character
            21:13 "$NODE" node-not-found: there is no Node `$NODE`, which this slice names
              a node of this name without labels is assumed
            21:13 "$NODE" placeholder: `spec.nodeName` holds a placeholder of a template
              paste the rendered objects, e.g. what `helm template` or `envsubst` prints
            30:17 "<model>" placeholder: `spec.devices[0].attributes[model].string` holds a placeholder of a template
              paste the rendered objects, e.g. what `helm template` or `envsubst` prints
            53:12 "${IMAGE}" placeholder: `spec.containers[0].image` holds a placeholder of a template
              paste the rendered objects, e.g. what `helm template` or `envsubst` prints
            runs: train on no node
        "#]],
    );
}

#[test]
fn text_that_is_no_object() {
    paste(
        "Why is my pod Pending? I have two GPUs and it says cannot allocate all claims.\n",
        &expect![[r#"
            1:1 "Why is my pod Pending? I have tw" not-an-object: this document is a string, not a Kubernetes object
              an object is a map with `apiVersion`, `kind` and `metadata`
        "#]],
    );
}

#[test]
fn nothing_at_all() {
    paste("\n\n---\n---\n# nothing\n", &expect![[r#""#]]);
}
