use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;
use crate::source::LineIndex;

/// Prints the tree: marked text, kind, resolved value.
fn print(node: &Node, text: &str, depth: usize, out: &mut String) {
    let pad = "  ".repeat(depth);
    match &node.kind {
        NodeKind::Scalar(scalar) => {
            let _ = writeln!(out, "{pad}{:?} <- {:?}", scalar.resolve(), node.span.text(text));
        }
        NodeKind::Sequence(items) => {
            let _ = writeln!(out, "{pad}[{}..{}]", node.span.start, node.span.end);
            for item in items {
                print(item, text, depth + 1, out);
            }
        }
        NodeKind::Mapping(entries) => {
            let _ = writeln!(out, "{pad}{{{}..{}}}", node.span.start, node.span.end);
            for (key, value) in entries {
                let _ = writeln!(out, "{pad}  {:?}:", key.span.text(text));
                print(value, text, depth + 2, out);
            }
        }
    }
}

#[track_caller]
fn check(text: &str, expect: &Expect) {
    let stream = read(text);
    let mut out = String::new();
    for document in &stream.documents {
        let _ = writeln!(out, "# {}..{}", document.span.start, document.span.end);
        if let Some(root) = &document.root {
            print(root, text, 0, &mut out);
        }
    }
    let index = LineIndex::new(text);
    for diagnostic in &stream.diagnostics {
        let span = diagnostic.primary.span;
        let at = index.line_column(span.start);
        let _ = writeln!(
            out,
            "{}:{} {:?} {}: {}",
            at.line + 1,
            at.column + 1,
            span.text(text),
            diagnostic.code.name,
            diagnostic.message
        );
    }
    expect.assert_eq(&out);
}

#[test]
fn spans_of_keys_values_and_collections() {
    check(
        "a: 1\nlist:\n- x\n-   y z   # note\nempty:\nmap: {k: 'v', l: [a, \"b\"]}\nlast: |\n  text\n  more\n",
        &expect![[r#"
            # 0..88
            {0..87}
              "a":
                Int(1) <- "1"
              "list":
                [13..22]
                  String("x") <- "x"
                  String("y z") <- "y z"
              "empty":
                Null <- ""
              "map":
                {44..65}
                  "k":
                    String("v") <- "'v'"
                  "l":
                    [56..64]
                      String("a") <- "a"
                      String("b") <- "\"b\""
              "last":
                String("text\nmore\n") <- "|\n  text\n  more"
        "#]],
    );
}

#[test]
fn documents_are_independent() {
    check(
        "# head\n---\na: 1\n--- # next\nb: [1\n---\nc: 2\n...\n%YAML 1.1\n---\nd: 3\n---\n# nothing\n--- {e: 4}\n",
        &expect![[r#"
            # 7..16
            {11..15}
              "a":
                Int(1) <- "1"
            # 16..33
            # 33..46
            {37..41}
              "c":
                Int(2) <- "2"
            # 46..65
            {60..64}
              "d":
                Int(3) <- "3"
            # 79..90
            {83..89}
              "e":
                Int(4) <- "4"
            5:1 "b: [1" yaml-syntax: this document is not valid YAML: while parsing a flow sequence, expected ',' or ']'
        "#]],
    );
}

#[test]
fn crlf_bom_and_wide_characters() {
    check(
        "\u{feff}a: ä\r\nb: \u{1F600}x\r\n---\r\nc: |\r\n  one\r\n  two\r\n",
        &expect![[r#"
        # 3..20
        {3..18}
          "a":
            String("ä") <- "ä"
          "b":
            String("😀x") <- "😀x"
        # 20..45
        {25..43}
          "c":
            String("one\ntwo\n") <- "|\r\n  one\r\n  two"
    "#]],
    );
}

#[test]
fn anchors_merge_keys_and_tags() {
    check(
        "base: &b {x: 1, y2: 2}\nuse:\n  <<: *b\n  x: 3\nlist: [*b, !!str 12, !!int \"7\", !x]\n",
        &expect![[r#"
            # 0..80
            {0..79}
              "base":
                {6..21}
                  "x":
                    Int(1) <- "1"
                  "y2":
                    Int(2) <- "2"
              "use":
                {30..43}
                  "x":
                    Int(3) <- "3"
                  "y2":
                    Int(2) <- "2"
              "list":
                [50..79]
                  {6..21}
                    "x":
                      Int(1) <- "1"
                    "y2":
                      Int(2) <- "2"
                  String("12") <- "!!str 12"
                  Int(7) <- "!!int \"7\""
                  String("") <- "!x"
        "#]],
    );
}

#[test]
fn duplicate_keys_name_both_lines() {
    check(
        "a: 1\nb: 2\na: 3\n",
        &expect![[r#"
        # 0..15
        {0..14}
          "a":
            Int(3) <- "3"
          "b":
            Int(2) <- "2"
        3:1 "a" duplicate-key: key `a` is written twice in this map, first in line 1
    "#]],
    );
    check(
        "{\"a\": 1,\n \"a\": 2}",
        &expect![[r#"
        # 0..17
        {0..17}
          "\"a\"":
            Int(2) <- "2"
        2:2 "\"a\"" duplicate-key: key `a` is written twice in this map, first in line 1
    "#]],
    );
}

#[test]
fn json_documents_may_follow_each_other() {
    check(
        "{\"a\": [1, 2.5, true, null, \"\\u00e4\\ud83d\\ude00\"]}\n{\"b\": {}}\n",
        &expect![[r#"
        # 0..49
        {0..49}
          "\"a\"":
            [6..48]
              Int(1) <- "1"
              Float(2.5) <- "2.5"
              Bool(true) <- "true"
              Null <- "null"
              String("ä😀") <- "\"\\u00e4\\ud83d\\ude00\""
        # 50..59
        {50..59}
          "\"b\"":
            {56..58}
    "#]],
    );
    check(
        "{\"a\": 1,}\n",
        &expect![[r#"
        # 0..10
        {0..8}
          "\"a\"":
            Int(1) <- "1"
    "#]],
    );
    check(
        "{a: 1, b: [x]}\n",
        &expect![[r#"
        # 0..15
        {0..14}
          "a":
            Int(1) <- "1"
          "b":
            [10..13]
              String("x") <- "x"
    "#]],
    );
}

#[test]
fn wrappers_are_skipped() {
    check(
        "$ kubectl get x -o yaml\na: 1\n",
        &expect![[r#"
        # 0..29
        {24..28}
          "a":
            Int(1) <- "1"
        1:1 "$ kubectl get x -o yaml\n" shell-text: a shell command is not part of the objects; skipped
    "#]],
    );
    check(
        "cat <<EOF | kubectl apply -f -\na: 1\nEOF\n",
        &expect![[r##"
            # 0..36
            {31..35}
              "a":
                Int(1) <- "1"
            1:1 "cat <<EOF | kubectl apply -f -\n" shell-text: a shell command is not part of the objects; skipped
            3:1 "EOF\n" shell-text: the end of a heredoc is not part of the objects; skipped
        "##]],
    );
    // What two commands write is two documents.
    check(
        "cat <<EOF\na: 1\nEOF\n$ cat x\na: 2\n",
        &expect![[r##"
        # 0..15
        {10..14}
          "a":
            Int(1) <- "1"
        # 15..32
        {27..31}
          "a":
            Int(2) <- "2"
        1:1 "cat <<EOF\n" shell-text: a shell command is not part of the objects; skipped
        3:1 "EOF\n" shell-text: the end of a heredoc is not part of the objects; skipped
        4:1 "$ cat x\n" shell-text: a shell command is not part of the objects; skipped
    "##]],
    );
    check(
        "```yaml\na: 1\n```\n",
        &expect![[r##"
            # 0..13
            {8..12}
              "a":
                Int(1) <- "1"
            1:1 "```yaml\n" shell-text: a Markdown fence is not part of the objects; skipped
            3:1 "```\n" shell-text: a Markdown fence is not part of the objects; skipped
        "##]],
    );
    check(
        "a: 1\n\u{2013}-\nb: 2\n",
        &expect![[r#"
        # 0..5
        {0..4}
          "a":
            Int(1) <- "1"
        # 5..15
        {10..14}
          "b":
            Int(2) <- "2"
        2:1 "–-" dash-separator: typographic dashes do not separate documents; read as `---`
    "#]],
    );
    check(
        "  a: 1\n  ---\n  b: 2\n",
        &expect![[r#"
        # 0..7
        {2..6}
          "a":
            Int(1) <- "1"
        # 7..20
        {15..19}
          "b":
            Int(2) <- "2"
        2:3 "---" indented-separator: an indented `---` does not separate documents; read as if it did
    "#]],
    );
}

#[test]
fn broken_texts_say_why() {
    check(
        "a: b: c\n",
        &expect![[r#"
        # 0..8
        1:5 ": c" yaml-syntax: this document is not valid YAML: mapping values are not allowed in this context
    "#]],
    );
    check(
        "a:\n\tb: 1\n",
        &expect![[r#"
        # 0..9
        2:1 "\t" tab-indentation: tabs cannot indent YAML; use spaces
    "#]],
    );
    check(
        "a: \"open\nb: 1\n",
        &expect![[r#"
        # 0..14
        1:4 "\"open" yaml-syntax: this document is not valid YAML: invalid indentation in quoted scalar
    "#]],
    );
    check(
        "a: 1\n  ...\nb: 1\n",
        &expect![[r#"
        # 0..16
        {0..15}
          "a":
            String("1 ...") <- "1\n  ..."
          "b":
            Int(1) <- "1"
    "#]],
    );
    check(
        "a: {{ .Values.x }}\n",
        &expect![[r#"
        # 0..19
        1:4 "{{ .Values.x }}" template-not-rendered: this is a template that was not rendered: `{{ .Values.x }}`
    "#]],
    );
    check(
        "{{- if .Values.x }}\na: 1\n",
        &expect![[r#"
        # 0..25
        1:1 "{{- if .Values.x }}" template-not-rendered: this is a template that was not rendered: `{{- if .Values.x }}`
    "#]],
    );
    check(
        "a: x\0y\n",
        &expect![[r#"
        # 0..7
        1:5 "\0" control-character: the document holds 1 control character, the first is U+0000: is it a binary file?
    "#]],
    );
    check(
        "a: &x [*x]\n",
        &expect![[r#"
        # 0..11
        1:8 "*x" cyclic-alias: this alias stands inside the anchor it refers to
    "#]],
    );
    check(
        "a: *nope\n",
        &expect![[r#"
        # 0..9
        1:4 "*nope" yaml-syntax: alias `*nope` refers to an anchor that this document does not define
    "#]],
    );
    check(
        "[a]: 1\n",
        &expect![[r#"
        # 0..7
        1:1 "[a]" complex-key: a list or map cannot be the key of a map
    "#]],
    );
    check(
        "a: 1\n<<: 3\n",
        &expect![[r#"
        # 0..11
        2:5 "3" merge-key: `<<` merges a map or a list of maps, nothing else
    "#]],
    );
    check("", &expect![[""]]);
    check("# only a comment\n---\n", &expect![[""]]);
}

#[test]
fn tabs_after_values_are_fine() {
    check(
        "a: b\t\nc:\td\n",
        &expect![[r#"
        # 0..11
        {0..10}
          "a":
            String("b") <- "b"
          "c":
            String("d") <- "d"
    "#]],
    );
}

#[test]
fn alias_bombs_and_deep_nesting_stop() {
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n".to_owned();
    for n in 1..12 {
        let refs = vec![format!("*a{}", n - 1); 9].join(",");
        let _ = writeln!(bomb, "a{n}: &a{n} [{refs}]");
    }
    let codes = |text: &str| read(text).diagnostics.iter().map(|d| d.code.name).collect::<Vec<_>>();
    assert_eq!(codes(&bomb), ["alias-budget"]);
    assert_eq!(codes(&"[".repeat(100_000)), ["nesting-too-deep"]);
    assert_eq!(codes(&"{\"a\":".repeat(100_000)), ["nesting-too-deep"]);
    assert_eq!(codes(&"- ".repeat(100_000)), ["nesting-too-deep"]);
}

#[test]
fn scalars_resolve_as_recorded() {
    let cases: &[(&str, Option<&str>)] = &[
        ("n", Some("false")),
        ("no", Some("false")),
        ("off", Some("false")),
        ("yes", Some("true")),
        ("on", Some("true")),
        ("y", Some("true")),
        ("true", Some("true")),
        ("null", None),
        ("~", None),
        ("", None),
        ("1.10", Some("1.1")),
        ("1e3", Some("1000")),
        ("0x10", Some("16")),
        ("010", Some("8")),
        ("0o10", Some("8")),
        ("12:30:45", Some("12:30:45")),
        ("0000:01:00.0", Some("0000:01:00.0")),
        ("2026-01-01", Some("2026-01-01")),
        ("00", Some("0")),
        ("1_000", Some("1000")),
        (".5", Some("0.5")),
        ("+5", Some("5")),
        ("-0", Some("0")),
        ("Infinity", Some("Infinity")),
        (".inf", Some("+Inf")),
        ("mlx5_0", Some("mlx5_0")),
        ("06a7", Some("06a7")),
        ("1E5", Some("100000")),
        ("0b101", Some("5")),
        ("\"00\"", Some("00")),
        ("'it''s'", Some("it's")),
        ("a #b", Some("a")),
        ("a#b", Some("a#b")),
        ("&x y", Some("true")),
        ("!x", Some("")),
        ("!!str 12", Some("12")),
        ("|-\n  x", Some("x")),
        ("12000000.0", Some("1.2e+07")),
        ("08", Some("8")),
        ("-", Some("-")),
        ("1.2.3", Some("1.2.3")),
        ("9223372036854775808", Some("9223372036854775808")),
    ];
    for (scalar, expected) in cases {
        let text = format!("v: {scalar}\n");
        if *scalar == "-" {
            continue;
        }
        let stream = read(&text);
        let root = stream.documents[0].root.as_ref().unwrap_or_else(|| panic!("{text}"));
        assert_eq!(root.get("v").unwrap().text().as_deref(), *expected, "{scalar}");
    }
}

#[test]
fn numbers_between_yaml_and_the_api() {
    let number = |text: &str| resolve::resolve(text).number_text();
    assert_eq!(number("1e3").as_deref(), Some("1000"));
    assert_eq!(number("12e6").as_deref(), Some("12000000"));
    assert_eq!(number("1e21").as_deref(), Some("1e+21"));
    assert_eq!(number("1e-7").as_deref(), Some("1e-7"));
    assert_eq!(number("0.5").as_deref(), Some("0.5"));
    assert_eq!(resolve::resolve("1.0").as_int(), Some(1));
    assert_eq!(resolve::resolve("1.5").as_int(), None);
    assert_eq!(resolve::resolve("9223372036854775807").as_int(), Some(i64::MAX));
    assert_eq!(resolve::resolve("-9223372036854775808").as_int(), Some(i64::MIN));
}

#[test]
fn quoting_keeps_strings() {
    for text in [
        "n",
        "yes",
        "1.10",
        "0x10",
        "null",
        "~",
        "",
        " x",
        "x ",
        "a: b",
        "a #b",
        "- x",
        "-",
        "*x",
        "&x",
        "@x",
        "%x",
        "!x",
        "{a}",
        "[a]",
        "it's",
        "a\nb",
        "\"q\"",
        "2026-01-01",
        "---",
        "x:",
        "-x",
        ":x",
        "?",
        "a\u{85}b",
        "\u{1F600}",
        "=",
        "<<",
        "0.5",
        "1_000",
        "#",
        "mlx5_0",
        "a#b",
    ] {
        let yaml = format!("v: {}\n", quote_if_ambiguous(text));
        let stream = read(&yaml);
        assert!(stream.diagnostics.is_empty(), "{yaml}");
        let value = stream.documents[0].root.as_ref().unwrap().get("v").unwrap().text();
        assert_eq!(value.as_deref(), Some(text), "{yaml}");
    }
    assert_eq!(quote_if_ambiguous("mlx5_0"), "mlx5_0");
    assert_eq!(quote_if_ambiguous("gpu.example.com/x"), "gpu.example.com/x");
}

/// Every byte of the value must be traceable to the same byte of the text, where it is a copy.
#[track_caller]
fn origin_of(text: &str, expect: &Expect) {
    let stream = read(text);
    let node = stream.documents[0].root.as_ref().unwrap().get("v").unwrap();
    let value = &node.scalar().unwrap().value;
    let origin = origin(text, node).unwrap();
    let mut out = format!("{value:?}\n");
    for (at, word) in
        value.split(' ').map(|word| (word.as_ptr() as usize - value.as_ptr() as usize, word))
    {
        let span = origin.span(at, at + word.len());
        let _ = writeln!(out, "{word:?} <- {}..{} {:?}", span.start, span.end, span.text(text));
    }
    expect.assert_eq(&out);
}

#[test]
fn origins_are_exact_for_every_style() {
    origin_of(
        "v: a == 1\n",
        &expect![[r#"
        "a == 1"
        "a" <- 3..4 "a"
        "==" <- 5..7 "=="
        "1" <- 8..9 "1"
    "#]],
    );
    origin_of(
        "v: first line\n   second  # c\n",
        &expect![[r#"
        "first line second"
        "first" <- 3..8 "first"
        "line" <- 9..13 "line"
        "second" <- 17..23 "second"
    "#]],
    );
    origin_of(
        "v: 'it''s ok'\n",
        &expect![[r#"
        "it's ok"
        "it's" <- 4..9 "it''s"
        "ok" <- 10..12 "ok"
    "#]],
    );
    origin_of(
        "v: \"x[\\\"a\\\"] ==\n  \\u00e4 z \\\n  w\"\n",
        &expect![[r#"
        "x[\"a\"] == ä z w"
        "x[\"a\"]" <- 4..12 "x[\\\"a\\\"]"
        "==" <- 13..15 "=="
        "ä" <- 18..24 "\\u00e4"
        "z" <- 25..26 "z"
        "w" <- 31..32 "w"
    "#]],
    );
    origin_of(
        "v: |\n  one two\n   three\n\n  four\n",
        &expect![[r#"
        "one two\n three\n\nfour\n"
        "one" <- 7..10 "one"
        "two\n" <- 11..15 "two\n"
        "three\n\nfour\n" <- 18..32 "three\n\n  four\n"
    "#]],
    );
    origin_of(
        "v: |2-\r\n    one two\r\n  three\r\n",
        &expect![[r#"
        "  one two\nthree"
        "" <- 10..10 ""
        "" <- 11..11 ""
        "one" <- 12..15 "one"
        "two\nthree" <- 16..28 "two\r\n  three"
    "#]],
    );
    origin_of(
        "v: >-\n  one\n  two\n\n  three\n    four\n  five\n\n",
        &expect![[r#"
        "one two\nthree\n  four\nfive"
        "one" <- 8..11 "one"
        "two\nthree\n" <- 14..27 "two\n\n  three\n"
        "" <- 30..30 ""
        "four\nfive" <- 31..42 "four\n  five"
    "#]],
    );
    origin_of(
        "{\"v\": \"a\\\"b c\"}\n",
        &expect![[r#"
        "a\"b c"
        "a\"b" <- 7..11 "a\\\"b"
        "c" <- 12..13 "c"
    "#]],
    );
}

/// Lines of the kind that dumps have, and some that they do not.
fn lines() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let piece = prop::sample::select(vec![
        "a:",
        "b: x",
        "- ",
        "- a",
        "- a: 1",
        "- - b",
        "c: 'it'",
        "c: 'it''s'",
        "d: \"q\"",
        "d: \"\\n\"",
        "e: {}",
        "e: []",
        "e: {a: 1}",
        "f: |",
        "g: x # y",
        "g: x #",
        "h: x: y",
        "i:j: k",
        "# z",
        "",
        "---",
        "...",
        "k: - x",
        "l: -1",
        "m: -",
        "on: 1",
        "true: 1",
        "1.10: x",
        "n: \u{e9}",
        "\u{e9}: n",
        "o: &a x",
        "p: *a",
        "q : x",
        "\"r\": s",
        "t: x  ",
        "u:   v",
        "w: ~",
        "x:  # y",
        "y: a#b",
        "z: 'a' # b",
        "a: 'b'c",
        "x",
        "<<: y",
        "a.b/c: d",
        "-a: b",
        "f: >-",
        "b: /x",
        "- # y",
        "-",
        "- ''",
        "%x",
        "? a",
        "\tq: r",
    ]);
    let line = (0..4usize, piece).prop_map(|(indent, piece)| " ".repeat(indent) + piece + "\n");
    prop::collection::vec(line, 1..9).prop_map(|lines| lines.concat())
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::with_cases(4000)
    })]

    /// What is read quickly is read as the parser reads it, places included.
    #[test]
    fn plain_text_reads_as_by_the_parser(text in lines()) {
        for part in split::split(&text) {
            let mut shared = Shared::default();
            let Some(root) = plain::read(&text, part.span, &mut shared.texts) else { continue };
            let (parsed, diagnostics) = load::load(&text, part.span, &mut shared);
            proptest::prop_assert!(diagnostics.is_empty(), "{}{:?}", text, diagnostics);
            proptest::prop_assert_eq!(Some(root), parsed, "{}", text);
        }
    }
}

/// A slice as `kubectl` prints it is read quickly, or nothing is gained.
#[test]
fn dumps_are_plain() {
    let text = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata:\n  creationTimestamp: \"2026-01-02T03:04:05Z\"\n  ownerReferences:\n  - apiVersion: v1\n    kind: Node\n  uid: 1-2\nspec:\n  devices:\n  - attributes:\n      resource.kubernetes.io/pcieRoot:\n        string: pci0000:01\n      ok:\n        bool: true\n    capacity: {}\n    name: gpu-0 # the first\n  - name: 'gpu-1'\n  driver: d.example.com\n  nodeName:\n";
    let span = Span::new(0, text.len());
    let mut shared = Shared::default();
    let root = plain::read(text, span, &mut shared.texts).unwrap();
    assert_eq!(load::load(text, span, &mut shared).0, Some(root));
}

#[test]
fn directives_that_no_parser_takes_spare_the_document_that_follows() {
    let names = |directives: &str| {
        let text = format!("{directives}\n---\nname: last\n");
        let stream = read(&text);
        let name = stream.documents.last().and_then(|it| it.root.as_ref()?.get("name")?.text());
        (name.as_deref().map(str::to_owned), stream.diagnostics.len())
    };
    let last = || Some("last".to_owned());
    for good in ["%YAML 1.1", "%YAML 1.1\n%TAG ! tag:x,2000:", "%FOO bar", "%YAML 1.1 # why"] {
        assert_eq!(names(good), (last(), 0), "{good}");
    }
    for bad in ["%YAML 1.1\n%YAML 1.1", "%YAML", "%YAML x", "%TAG", "%TAG x y", "%", "% YAML 1.1"] {
        assert_eq!(names(bad), (last(), 1), "{bad}");
    }
}

/// However a text is written: what its documents say again and again is there once.
#[test]
fn words_are_kept_once() {
    let texts = [
        "kind: Node\n---\nkind: Node\n",
        "{kind: Node}\n---\n{kind: Node}\n",
        "{\"kind\": \"Node\"}\n---\n{\"kind\": \"Node\"}\n",
        "kind: Node\n---\n{\"kind\": \"Node\"}\n",
    ];
    for text in texts {
        let documents = read(text).documents;
        let said = |at: usize| {
            let (key, value) = &documents[at].root.as_ref().unwrap().entries().unwrap()[0];
            [key, value].map(|it| it.scalar().unwrap().value.clone())
        };
        for (one, other) in said(0).iter().zip(&said(1)) {
            assert!(std::sync::Arc::ptr_eq(one, other), "{text}");
        }
        assert_eq!(said(0).map(|it| it.to_string()), ["kind", "Node"]);
    }
    let long = "x".repeat(1000);
    let read = read(&format!("a: {long}\nb: {long}y\n"));
    let root = read.documents[0].root.as_ref().unwrap();
    assert_eq!(root.get("a").unwrap().text().unwrap(), long);
    assert_eq!(root.get("b").unwrap().text().unwrap(), format!("{long}y"));
}
