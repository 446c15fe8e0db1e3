//! The program as scripts see it: what it prints and how it exits.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn run(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dra-playground")).args(words).output().unwrap()
}

fn printed(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn exits(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
}

#[test]
fn expectations_that_hold_exit_with_0() {
    let file = example("experiment-5-partitionable.yaml");
    let output = run(&["test", file.to_str().unwrap()]);
    exits(&output, 0);
    assert_eq!(printed(&output), "12 passed, 0 failed\n");
}

#[test]
fn expectations_that_fail_are_shown_as_a_difference() {
    let file = example("experiment-6-consumable-on.yaml");
    let gates = "--feature-gates=DRAConsumableCapacity=false";
    let output = run(&["test", gates, file.to_str().unwrap()]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("  - pod pod2 on dra-example-driver-cluster-worker\n  + "), "{text}");
    assert!(text.trim_end().ends_with("failed"), "{text}");
}

#[test]
fn the_outcome_of_a_step_can_be_had_as_data() {
    let file = example("experiment-5-partitionable.yaml");
    let words = ["run", "--output", "json", "--step", "0", file.to_str().unwrap()];
    let output = run(&words);
    exits(&output, 0);
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let analysis = json.as_object().unwrap().values().next().unwrap();
    assert_eq!(analysis.pointer("/snapshot/pods/1/status").unwrap(), "Pending");
    assert_eq!(analysis.pointer("/step").unwrap(), 0);
}

#[test]
fn one_claim_is_explained_device_by_device() {
    let file = example("experiment-5-partitionable.yaml");
    let words = ["explain", "--step=0", "--claim", "pod2-gpu", file.to_str().unwrap()];
    let output = run(&words);
    exits(&output, 0);
    let text = printed(&output);
    assert!(text.contains("counters-short") && text.contains("gpu-7-partition-0"), "{text}");
}

#[test]
fn selectors_are_evaluated_on_a_device() {
    let file = example("experiment-4-cel-selectors.yaml");
    let device = format!("{}#gpu-3-full", file.to_str().unwrap());
    let index = r#"device.attributes["gpu.example.com"].index"#;
    let output = run(&["cel", &format!("{index} == 3"), "--device", &device]);
    exits(&output, 0);
    let text = printed(&output);
    for part in [
        "API server (new expression): accepted, worst-case cost 5 of 1000000",
        "scheduler (stored expression): evaluates it",
        "true  (cost 5 of 1000000)",
        "=>  3",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let output = run(&["cel", "device.nothing"]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("refused") && text.contains("undefined field 'nothing'"), "{text}");
    // New expressions may not cost so much; stored ones are evaluated until they do.
    let costly = "lists.range(1000000).all(x, x >= 0)";
    let output = run(&["cel", costly, "--device", &device]);
    exits(&output, 1);
    let text = printed(&output);
    assert!(text.contains("Forbidden: too complex, exceeds cost limit"), "{text}");
    assert!(text.contains("operation cancelled: actual cost limit exceeded"), "{text}");
    let loops = run(&["cel", "[1, 2].exists(x, x == 2)", "--device", &device]);
    assert!(printed(&loops).contains("=>  1. false | 2. true"), "{}", printed(&loops));
}

#[test]
fn links_begin_with_a_version() {
    let file = example("template-only.yaml");
    let output = run(&["link", "--base", "https://example.com/", file.to_str().unwrap()]);
    exits(&output, 0);
    assert!(printed(&output).starts_with("https://example.com/#v2."));
}

#[test]
fn every_page_about_a_diagnostic_or_reason_is_there() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let folders =
        ["diagnostics", "reasons"].map(|name| std::fs::read_dir(docs.join(name)).unwrap());
    let mut pages: Vec<String> = folders
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let name = entry.unwrap().file_name().into_string().unwrap();
            name.strip_suffix(".md").filter(|name| *name != "README").map(str::to_owned)
        })
        .collect();
    pages.sort();
    pages.dedup();
    let listed = printed(&run(&["docs"]));
    assert_eq!(listed.lines().collect::<Vec<_>>(), pages);
    for code in ["scenario-step-failed", "counters-short"] {
        let page = run(&["docs", code]);
        exits(&page, 0);
        assert!(printed(&page).starts_with(&format!("# `{code}`")));
    }
    exits(&run(&["docs", "no-such-code"]), 2);
    let translated = ["docs", "--language", "zh-TW"];
    assert_eq!(printed(&run(&translated)), listed);
    let page = printed(&run(&[&translated[..], &["counters-short"]].concat()));
    assert!(page.contains("意義"), "{page}");
    exits(&run(&["docs", "--language", "tlh"]), 2);
}

#[test]
fn wrong_use_exits_with_2() {
    for words in [
        &["run"][..],
        &["frobnicate"],
        &[],
        &["run", "no-such-file.yaml"],
        &["run", "--output", "xml", "x"],
        &["run", "--step", "x"],
        &["explain", "x.yaml"],
        &["test", "--nonsense", "1", "x"],
        &["docs", "--step", "1"],
        &["vectors", "--kubernetes", "1.36.2", "x"],
    ] {
        let output = run(words);
        exits(&output, 2);
        assert!(!output.stderr.is_empty());
    }
    exits(&run(&["--help"]), 0);
}

/// What does not exist is named together with what does.
#[test]
fn unknown_values_exit_with_2() {
    let scenario = example("experiment-5-partitionable.yaml");
    let scenario = scenario.to_str().unwrap();
    let device = format!("{scenario}#gpu-99");
    for (words, known) in [
        (&["run", "--kubernetes", "1.99", scenario][..], "1.37.0 to 1.37."),
        (&["check", "--kubernetes=soon", scenario], "1.36.0 to 1.36."),
        (&["run", "--feature-gates", "DRAPartitionable=true", scenario], "DRAPartitionableDevices"),
        (&["run", "--step", "9", scenario], "1 (delete pod1)"),
        (&["cel", "true", "--step", "9", "--device", &device], "1 (delete pod1)"),
        (&["cel", "true", "--device", &device], "gpu-0-full"),
        (&["explain", "--claim", "nobody", scenario], "pod2-gpu"),
        (
            &["explain", "--step", "0", "--claim", "pod2-gpu", "--node", "mars", scenario],
            "dra-example-driver-cluster-worker",
        ),
        (&["run", "--output", "github", scenario], "text, json and yaml"),
        (&["run", "--claim", "pod2-gpu", scenario], "`run` has no option --claim"),
    ] {
        let output = run(words);
        exits(&output, 2);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert!(said.contains(known), "{words:?}: {said}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
}

/// A claim that is there is not called missing.
#[test]
fn a_claim_without_attempt_is_told_as_such() {
    let folder = std::env::temp_dir().join(format!("dra-playground-e-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("bound.yaml");
    let text = "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: early}\nspec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {nodeName: m, containers: [{name: c, image: i}], resourceClaims: [{name: r, resourceClaimName: early}]}\n";
    std::fs::write(&file, text).unwrap();
    let shown = printed(&run(&["run", file.to_str().unwrap()]));
    assert!(shown.contains("p: p is on a node already, so kube-scheduler passes"), "{shown}");
    let output = run(&["explain", "--claim", "early", file.to_str().unwrap()]);
    std::fs::remove_dir_all(&folder).unwrap();
    exits(&output, 2);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("no attempt was made for claim `early`"), "{said}");
}

#[test]
fn a_folder_is_tested_by_its_files_with_expectations() {
    let folder = std::env::temp_dir().join(format!("dra-playground-test-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("below")).unwrap();
    let named = folder.to_str().unwrap();
    let plain = folder.join("plain.yaml");
    std::fs::write(&plain, "apiVersion: v1\nkind: Node\nmetadata: {name: m}\n").unwrap();
    for nothing in [plain.to_str().unwrap(), named] {
        let output = run(&["test", nothing]);
        exits(&output, 2);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(&format!("{nothing} has no expectations")), "{said}");
    }
    let file = "experiment-5-partitionable.yaml";
    std::fs::copy(example(file), folder.join("below").join(file)).unwrap();
    let output = run(&["test", named]);
    exits(&output, 0);
    assert_eq!(printed(&output), "12 passed, 0 failed\n");
    // What has one answer for each file wants files.
    let output = run(&["run", named]);
    exits(&output, 2);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(&format!("{named} is a folder; name files in it")), "{said}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn help_tells_commands_and_exit_codes() {
    for words in [&["--help"][..], &["help"], &["-h"]] {
        let output = run(words);
        exits(&output, 0);
        let text = printed(&output);
        assert!(text.contains("exit codes") && text.contains("--feature-gates"), "{text}");
    }
}

#[test]
fn a_link_without_an_address_is_only_the_fragment() {
    let file = example("template-only.yaml");
    let output = run(&["link", file.to_str().unwrap()]);
    exits(&output, 0);
    assert!(printed(&output).starts_with("#v2."));
}

/// Runs with text on the standard input.
fn run_with(words: &[&str], text: &str) -> Output {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut child = Command::new(env!("CARGO_BIN_EXE_dra-playground"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Wrong use is told before the text is read.
    let written = child.stdin.take().unwrap().write_all(text.as_bytes());
    let unread = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    assert!(written.is_ok() || written.as_ref().is_err_and(unread), "{written:?}");
    child.wait_with_output().unwrap()
}

#[test]
fn signs_that_rule_a_terminal_are_escaped() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: \"\\e[31mred\\u202e\\u009b\\r\\nx\"}\n";
    for words in [
        &["run", "-"][..],
        &["check", "-"],
        &["check", "--output=github", "-"],
        &["run", "--output=json", "-"],
        &["run", "--claim=\u{1b}[31m", "-"],
    ] {
        let output = run_with(words, pod);
        let text = printed(&output) + &String::from_utf8(output.stderr.clone()).unwrap();
        assert!(!text.is_empty(), "{words:?}");
        let rules = |sign: char| sign.is_control() && sign != '\n' || sign == '\u{202e}';
        assert!(!text.contains(rules), "{words:?}: {text:?}");
    }
    assert!(printed(&run_with(&["run", "-"], pod)).contains("\\u001b[31mred\\u202e\\u009b"));
    let data = printed(&run_with(&["run", "--output=json", "-"], pod));
    let data: serde_json::Value = serde_json::from_str(&data).unwrap();
    let name = data.pointer("/-/snapshot/pods/0/object/name").unwrap();
    assert_eq!(name, "\u{1b}[31mred\u{202e}\u{9b}\r\nx");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let file = example("experiment-5-partitionable.yaml");
    let file = file.to_str().unwrap();
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let words: [&[&str]; 6] = [
        &["run", file],
        &["run", "--output=yaml", file],
        &["test", file],
        &["link", file],
        &["docs"],
        &["--help"],
    ];
    for words in words {
        let output = Command::new(env!("CARGO_BIN_EXE_dra-playground"))
            .args(words)
            .stdout(full())
            .output()
            .unwrap();
        exits(&output, 2);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert!(said.contains("the output cannot be written: "), "{words:?}: {said}");
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let output = Command::new(env!("CARGO_BIN_EXE_dra-playground"))
        .args(["run", file])
        .stdout(writer)
        .output()
        .unwrap();
    exits(&output, 0);
    assert!(output.stderr.is_empty(), "{output:?}");
}

#[test]
fn each_command_has_its_own_help() {
    let mut seen = std::collections::BTreeSet::new();
    for command in ["run", "test", "check", "explain", "cel", "vectors", "link", "docs"] {
        let output = run(&[command, "--help"]);
        exits(&output, 0);
        let text = printed(&output);
        assert!(text.starts_with(&format!("usage: dra-playground {command} ")), "{text}");
        assert!(text.contains(&format!("\nexample\n  dra-playground {command} ")), "{text}");
        assert_eq!(text.contains("--claim NAME"), command == "explain", "{text}");
        assert_eq!(text, printed(&run(&["help", command])));
        assert!(seen.insert(text));
    }
    exits(&run(&["help", "bogus"]), 2);
}

#[test]
fn wrong_use_is_named() {
    let file = example("experiment-5-partitionable.yaml");
    let file = file.to_str().unwrap();
    let script = "--base=javascript:alert(1)";
    let cases: [(&[&str], &str); 7] = [
        (&["run", "--bogus"], "unknown option `--bogus`"),
        (&["link", script, file], "--base must be an address"),
        (&["link", "--base=https://a.example/#x", file], "--base must be an address"),
        (&["link", "--base=https://a.example/ x", file], "--base must be an address"),
        (&["link", "--base=", file], "--base must be an address"),
        (&["vectors", file], "has no recorded answers"),
        (&["run", "--step"], "--step needs a value"),
    ];
    for (words, told) in cases {
        let output = run(words);
        exits(&output, 2);
        let said = String::from_utf8(output.stderr.clone()).unwrap();
        assert!(said.contains(told) && said.lines().count() == 1, "{words:?}: {said}");
        assert!(output.stdout.is_empty(), "{words:?}");
    }
    for base in ["--base=http://localhost:8080/", "--base=HTTPS://a.example/x/?y"] {
        exits(&run(&["link", base, file]), 0);
    }
}

#[test]
fn a_folder_is_checked_file_by_file_and_counted() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("folder");
    let _ = std::fs::remove_dir_all(&folder);
    for (name, text) in [
        ("b.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n"),
        ("deep/a.json", r#"{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}}"#),
        (
            "deep/c.yml",
            "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nspec: {nodename: x, color: red}\n",
        ),
        ("deep/README.md", "kind: ResourceSlice\n"),
        (".hidden/d.yaml", "kind: ResourceSlice\n"),
    ] {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let output = run(&["check", folder.to_str().unwrap()]);
    exits(&output, 1);
    let text = printed(&output);
    let (listed, counts) = text.split_once("\n\n").unwrap();
    assert!(listed.contains("deep/c.yml:3:8: error[unknown-field]"), "{text}");
    assert!(!text.contains("README.md") && !text.contains(".hidden"), "{text}");
    assert!(
        counts.starts_with(
            "3 files: 1 without a diagnostic, 1 with notes only, 0 with warnings, 1 with errors\n"
        ),
        "{text}"
    );
    let row = |code: &str| -> Vec<&str> {
        let line = counts.lines().find(|line| line.contains(code)).unwrap();
        line.split_whitespace().collect()
    };
    assert_eq!(row("unknown-field"), ["error", "unknown-field", "2", "1"]);
    assert_eq!(row("skipped-kind"), ["note", "skipped-kind", "1", "1"]);
    // As data the folder's files are those of one map; nothing is added to it.
    let output = run(&["check", "--output", "json", folder.to_str().unwrap()]);
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    assert_eq!(json.as_object().unwrap().len(), 3);

    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let output = run(&["check", empty.to_str().unwrap()]);
    exits(&output, 2);
    assert!(String::from_utf8_lossy(&output.stderr).contains("has no file that ends in .yaml"));
}

/// Sixteen of sixty partitions that no sum of counters allows, which takes too long to find out.
fn endless() -> String {
    let head = |name: &str| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {name}}}\n\
             spec:\n  driver: gpu.example.com\n  nodeName: n1\n  \
             pool: {{name: n1, generation: 1, resourceSliceCount: 2}}\n"
        )
    };
    let device = |number: u32| {
        let (left, right) = (number + 1, 60 - number);
        format!(
            "  - name: gpu-{number}\n    consumesCounters:\n    \
             - {{counterSet: card, counters: {{left: {{value: {left}}}, right: {{value: {right}}}}}}}\n"
        )
    };
    [
        head("counters"),
        "  sharedCounters: [{name: card, counters: {left: {value: 480}, right: {value: 480}}}]\n---\n"
            .to_owned(),
        head("devices"),
        "  devices:\n".to_owned(),
        (0..60).map(device).collect(),
        "---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, count: 16}}]}}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: c}]
  resourceClaims: [{name: gpu, resourceClaimName: c}]
"
        .to_owned(),
    ]
    .concat()
}

#[test]
fn a_search_that_takes_too_long_says_after_how_many_calls_it_was_stopped() {
    let file = std::env::temp_dir().join(format!("endless-{}.yaml", std::process::id()));
    std::fs::write(&file, endless()).unwrap();
    let output = run(&["run", file.to_str().unwrap()]);
    std::fs::remove_file(&file).unwrap();
    let text = printed(&output);
    assert!(text.contains("p waits: the search was stopped after 1000000 calls"), "{text}");
    assert!(text.contains("    stopped after 1000000 search calls\n"), "{text}");
    assert!(text.contains("c      pending"), "{text}");
}

#[test]
fn a_rule_is_told_with_what_it_touches_before_it_is_applied() {
    let file = example("device-taint-rule.yaml");
    let text = printed(&run(&["run", "--step=0", file.to_str().unwrap()]));
    let told = "in use; Pods to evict at once: fragile; Pods to evict after 300s: patient";
    assert!(text.contains(told), "{text}");
}

/// Two Pods, two nodes and, of 1.36.2, two drivers that share an account of counters.
const ONE_ACCOUNT: &str = "apiVersion: v1
kind: Node
metadata: {name: n1}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: any}
spec: {}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: t}
spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: any, count: 3}}]}}}
---
apiVersion: v1
kind: Pod
metadata: {name: some}
spec: {containers: [{name: c, image: i}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
spec:
  containers: [{name: c, image: i}]
  resourceClaims: [{name: r, resourceClaimTemplateName: t}]
";

#[test]
fn known_bugs_come_with_their_end_and_nodes_with_the_best_first() {
    use std::fmt::Write as _;

    let mut text = ONE_ACCOUNT.to_owned();
    for (driver, set, total, devices) in [("a", "cs", 8, 1), ("b", "other", 1, 2)] {
        let head = format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: {driver}-"
        );
        let place = format!(
            "}}\nspec:\n  driver: {driver}.example.com\n  nodeName: n1\n  \
             pool: {{name: n1, generation: 1, resourceSliceCount: 2}}\n"
        );
        let counters = format!("counters: {{m: {{value: {total}}}}}");
        writeln!(text, "{head}c{place}  sharedCounters: [{{name: {set}, {counters}}}]").unwrap();
        writeln!(text, "{head}d{place}  devices:").unwrap();
        for number in 0..devices {
            let consumed = format!("{{counterSet: {set}, {counters}}}");
            writeln!(text, "  - {{name: {driver}{number}, consumesCounters: [{consumed}]}}")
                .unwrap();
        }
    }
    let file = std::env::temp_dir().join(format!("one-account-{}.yaml", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let printed = printed(&run(&["run", "--kubernetes", "1.36.2", file.to_str().unwrap()]));
    std::fs::remove_file(&file).unwrap();
    let bug = "(fixed in 1.36.4, 1.37.0; kubernetes/kubernetes#140435; `--behavior fixed` answers \
               without it)";
    assert!(printed.contains(bug), "{printed}");
    assert!(printed.contains("  some: 2 nodes would do, the best first: n1, n2\n"), "{printed}");
}
