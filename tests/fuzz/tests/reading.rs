//! Laws of reading: any text returns, in bounded time, with spans inside the text.

use dra_playground_core::api;
use dra_playground_core::yaml::{self, Node};
use dra_playground_fuzz::read_all;
use proptest::prelude::*;

const SEED: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d.example.com
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  nodeName: m
  devices:
  - name: a
    basic: {attributes: {x: {int: 1}}}
    capacity: {m: {value: 1Gi, requestPolicy: {default: 1Gi}}}
  - &a {name: b, attributes: {v: {version: '1.2'}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, labels: *x}
spec:
  devices:
    requests:
    - name: r
      deviceClassName: gpu
      selectors:
      - cel:
          expression: >-
            device.driver ==
              \"x\"

            || true
    - {name: q, exactly: {deviceClassName: w, selectors: [{expression: |2-}]}}
";

/// Text made of what YAML cares about.
fn yaml_like() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b:",
        "- ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        ": ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "'",
        "\"",
        "|",
        ">",
        "|2-",
        "\\",
        "#",
        "&a",
        "*a",
        "<<: ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
        "!!str ",
        "? ",
        "é",
        "\u{1F600}",
        "\u{a0}",
        "\u{201c}",
        "&quot;",
        "```",
        "\n```yaml\n",
        "\nNAME  READY\n",
        "\nName:  x\n",
        "\nroot@m:~# kubectl get a\n",
        "\n> ",
        "\n+",
        "\n1 ",
        "\n2 | ",
        "\n10 | ",
        "\u{feff}",
        "\0",
        "kind: Pod\n",
        "apiVersion: v1\n",
        "metadata:",
        "spec:",
        "{{ x }}",
        "${X}",
        "$ kubectl get\n",
        "cat <<EOF\n",
        "EOF\n",
        "```\n",
        "\u{2013}-\n",
        "1e3",
        "0x1",
        "~",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

/// The seed with pieces cut out and put in.
fn mutated() -> impl Strategy<Value = String> {
    let edit = (0..SEED.len(), 0..12usize, yaml_like());
    prop::collection::vec(edit, 1..4).prop_map(|edits| {
        let mut text = SEED.to_owned();
        for (at, cut, insert) in edits {
            let at = at.min(text.len());
            let end = (at + cut).min(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(end) {
                let insert: String = insert.chars().take(8).collect();
                text.replace_range(at..end, &insert);
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_bytes_return(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        read_all(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_yaml_like_text_returns(text in yaml_like()) {
        read_all(&text);
    }

    #[test]
    fn objects_being_typed_return(text in mutated()) {
        read_all(&text);
    }

    #[test]
    fn same_text_same_answer(text in mutated()) {
        prop_assert_eq!(read_all(&text), read_all(&text));
    }

    #[test]
    fn json_of_a_document_reads_the_same(text in mutated()) {
        for document in yaml::read(&text).documents {
            let Some(root) = document.root else { continue };
            let json = root.to_json();
            // A map with two keys that read alike has no JSON of its own.
            if let Ok(again) = yaml::parse_json(&json.to_string()) {
                prop_assert_eq!(again.to_json(), json);
            }
        }
    }

    #[test]
    fn quoted_text_reads_as_itself(text in any::<String>()) {
        let yaml = format!("v: {}\n", yaml::quote_if_ambiguous(&text));
        let stream = yaml::read(&yaml);
        let root = stream.documents.first().and_then(|document| document.root.as_ref());
        let value = root.and_then(|root| root.get("v")).and_then(Node::text);
        // NUL and such cannot be written in YAML but escaped, which double quotes do.
        prop_assert_eq!(value.as_deref(), Some(text.as_str()), "{}", yaml);
    }

    #[test]
    fn a_broken_document_spoils_no_other(broken in yaml_like()) {
        // A command that goes on in the next line takes that line along on purpose.
        let broken = broken.replace(['$', '\\'], "");
        let text = format!("{broken}\n---\napiVersion: v1\nkind: Node\nmetadata: {{name: last}}\n");
        let read = api::read(&text);
        prop_assert!(read.objects.iter().any(|object| object.name() == "last"), "{}", text);
    }
}

#[test]
fn big_and_nasty_texts_return() {
    // A quarter of a million characters show what is not linear, also in a debug build.
    let million = 1 << 18;
    let nasty = [
        "a".repeat(million),
        "a: b\n".repeat(million / 5),
        "- ".repeat(million / 2),
        "[".repeat(million),
        "{a: ".repeat(million / 4),
        "\"".repeat(million),
        "'".repeat(million),
        "# x\n".repeat(million / 4),
        "---\n".repeat(million / 4),
        "...\n".repeat(million / 4),
        "---\na: b: c\n".repeat(million / 11),
        "&a ".repeat(million / 3),
        "*a ".repeat(million / 3),
        "? ".repeat(million / 2),
        "! ".repeat(million / 2),
        ": ".repeat(million / 2),
        "|\n".repeat(million / 2),
        " \n".repeat(million / 2),
        "\n".repeat(million),
        "\r".repeat(million),
        "\t".repeat(million),
        "\0".repeat(million),
        "é".repeat(million / 2),
        "$ x \\\n".repeat(million / 6),
        "cat <<EOF\n".repeat(million / 10),
        "<<: {a: 1}\n".repeat(million / 11),
        "a: |\n".to_owned() + &"  x\n".repeat(million / 4),
        "a: >\n".to_owned() + &"\n".repeat(million),
        "a: \"".to_owned() + &"x\n ".repeat(million / 3) + "\"",
        "a: [".to_owned() + &"x, ".repeat(million / 3) + "]",
        "a: {".to_owned() + &"x: 1, ".repeat(million / 6) + "}",
        "apiVersion: v1\nkind: Node\nmetadata: {name: m}\n---\n".repeat(million / 53),
        "apiVersion: v1\nkind: Pod\nmetadata: {name: m, x: 1}\n---\n".repeat(million / 57),
    ];
    for text in nasty {
        // What is not linear takes minutes.
        read_all(&text);
    }
}

/// A document that is being typed, at each of its letters, leaves those around it as they are.
#[test]
fn every_beginning_of_a_document_spares_the_others() {
    const BEFORE: &str = "apiVersion: v1\nkind: Node\nmetadata: {name: before}\n---\n";
    const AFTER: &str = "\n---\napiVersion: v1\nkind: Node\nmetadata: {name: after}\n";
    let typed = [
        SEED.split("\n---").next().unwrap_or_default(),
        SEED.split("---\n").nth(1).unwrap_or_default(),
        include_str!("../../oracle/page/src/lib.rs"),
        "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: 'p'}}\n- |\n  x\n",
        "{\"apiVersion\": \"v1\", \"kind\": \"Pod\", \"metadata\": {\"name\": \"a\\u00e9\", \"labels\": {}}}\n",
    ];
    for typed in typed {
        let ends = typed.char_indices().map(|(at, _)| at).chain([typed.len()]);
        for end in ends.take(1500) {
            let text = format!("{BEFORE}{}{AFTER}", typed.get(..end).unwrap_or_default());
            let read = api::read(&text);
            let names: Vec<&str> = read.objects.iter().map(api::Object::name).collect();
            assert_eq!(names.first(), Some(&"before"), "{text}");
            assert_eq!(names.last(), Some(&"after"), "{text}");
            for object in [read.objects.first(), read.objects.last()].into_iter().flatten() {
                assert!(!object.refused, "{text}");
                assert!(object.span.text(&text).contains(object.name()), "{text}");
            }
        }
    }
}

/// One of several texts.
fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(choices)
}

/// Fields in any number and order, each with or without a comment before it and behind it.
fn fields(choices: &'static [&'static str]) -> impl Strategy<Value = Vec<(String, bool, bool)>> {
    let field = prop::sample::subsequence(choices, 1..=choices.len()).prop_shuffle();
    field.prop_flat_map(|fields| {
        let comments = prop::collection::vec((any::<bool>(), any::<bool>()), fields.len());
        comments.prop_map(move |comments| {
            let fields = fields.iter().zip(comments);
            fields.map(|(field, (before, behind))| ((*field).to_owned(), before, behind)).collect()
        })
    })
}

/// A list item with its fields at some indentation; a field of several lines keeps its own.
fn item(fields: &[(String, bool, bool)], indent: usize, flow: bool) -> String {
    if flow {
        let one_line = |text: &String| text.lines().count() == 1;
        let texts: Vec<&str> = fields
            .iter()
            .map(|(text, ..)| text)
            .filter(|it| one_line(it))
            .map(|it| &**it)
            .collect();
        return format!("{}- {{{}}}\n", " ".repeat(indent), texts.join(", "));
    }
    let mut out = String::new();
    for (at, (text, before, behind)) in fields.iter().enumerate() {
        let lead = if at == 0 { "- " } else { "  " };
        // The hyphen stands with the first field.
        if *before && at > 0 {
            out.push_str(&" ".repeat(indent + 2));
            out.push_str("# before\n");
        }
        for (line, text) in text.lines().enumerate() {
            out.push_str(&" ".repeat(indent));
            out.push_str(if line == 0 { lead } else { "  " });
            out.push_str(text);
            out.push_str(if *behind && !text.ends_with('|') && line == 0 {
                "  # behind\n"
            } else {
                "\n"
            });
        }
    }
    out
}

const FLAT: &[&str] = &[
    "deviceClassName: gpu",
    "count: 2",
    "allocationMode: ExactCount",
    "adminAccess: false",
    "tolerations: [{operator: Exists}]",
    "selectors:\n- cel:\n    expression: |\n      true\n      && true",
    "selectors: [{cel: {expression: 'true'}}]",
    "capacity: {requests: {memory: 1Gi}}",
];

const BASIC: &[&str] = &[
    "attributes: {a: {int: 1}, b: {string: 'x # y'}}",
    "attributes:\n  a:\n    string: |\n      two\n      lines",
    "capacity: {m: {value: 1Gi}}",
    "taints:\n- {key: k, effect: None}",
    "allowMultipleAllocations: false",
    "consumesCounters: [{counterSet: s, counters: {c: {value: 1}}}]",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    /// A conversion keeps what the text means, its comments, and leaves nothing to convert.
    #[test]
    fn conversions_keep_meaning_and_comments(
        requests in prop::collection::vec((fields(FLAT), any::<bool>(), 0usize..3), 1..4),
        devices in prop::collection::vec((fields(BASIC), any::<bool>(), 0usize..3), 1..4),
        indent in prop::sample::select(vec![4usize, 6]),
        ending in one_of(&["\n", ""]),
    ) {
        let mut text = String::from(
            "# claims\napiVersion: resource.k8s.io/v1beta1  # old\nkind: ResourceClaim\nmetadata: {name: c}\nspec:\n  devices:\n    requests:\n",
        );
        for (number, (mut fields, flow, at)) in requests.into_iter().enumerate() {
            let at = at.min(fields.len());
            // A request without a class is wrong in either version, and defaulted in one only.
            fields.insert(at, ("deviceClassName: gpu".to_owned(), false, false));
            fields.insert(at, (format!("name: r{number}"), false, false));
            text.push_str(&item(&unique(fields), indent, flow));
        }
        text.push_str("---\napiVersion: 'resource.k8s.io/v1beta1'\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: d.example.com\n  nodeName: node-1\n  pool: {name: p, generation: 1, resourceSliceCount: 1}\n  devices:\n");
        for (number, (fields, flow, _)) in devices.into_iter().enumerate() {
            let inner = unique(fields);
            let basic = if flow {
                let line = item(&inner, 0, true);
                format!("basic: {}", line.trim_start_matches("- ").trim_end())
            } else {
                let block = item(&inner, 2, false).replacen("- ", "  ", 1);
                format!("basic:\n{}", block.trim_end())
            };
            let all = [(format!("name: d{number}"), false, true), (basic, false, false)];
            text.push_str(&item(&all, indent - 2, false));
        }
        let text = text.trim_end().to_owned() + ending;
        let values = |text: &str| -> Vec<String> {
            api::read(text).objects.iter().map(|object| format!("{:?}", object.value)).collect()
        };
        let before = values(&text);
        prop_assert_eq!(before.len(), 2, "{}", text);
        let comments = |text: &str| text.matches("# ").count();
        let mut converted = text.clone();
        for _ in 0..2 {
            let found = api::read(&converted).diagnostics;
            let offer = found.iter().find(|it| it.code == api::codes::BETA_VERSION);
            let fix = offer.and_then(|it| it.fixes.first());
            prop_assert!(fix.is_some(), "no conversion\n{}", converted);
            converted = fix.map_or_else(String::new, |fix| fix.apply(&converted));
        }
        let again = api::read(&converted);
        prop_assert!(again.diagnostics.iter().all(|it| !it.is_error()), "{}\n{:?}", converted, again.diagnostics);
        prop_assert!(again.objects.iter().all(|it| it.api_version == "resource.k8s.io/v1"));
        prop_assert_eq!(values(&converted), before, "{}\n{}", text, converted);
        prop_assert_eq!(comments(&converted), comments(&text), "{}\n{}", text, converted);
    }
}

/// No field twice.
fn unique(fields: Vec<(String, bool, bool)>) -> Vec<(String, bool, bool)> {
    let mut seen = std::collections::BTreeSet::new();
    let name = |text: &str| text.split(':').next().unwrap_or_default().to_owned();
    fields.into_iter().filter(|(text, ..)| seen.insert(name(text))).collect()
}
