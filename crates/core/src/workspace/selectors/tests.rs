use super::remarks;
use crate::api;
use crate::diagnostic::Severity;
use crate::features::{CelSwitches, Release};
use crate::selector::Selectors;
use crate::yaml;

/// What devices publish, and the head of a claim up to its selector's expression.
const BEFORE: &str = r#"apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: n
  pool: {name: n, generation: 1, resourceSliceCount: 1}
  devices:
  - name: a
    attributes:
      model: {string: a100}
      firmware: {version: 1.2.3}
      driverVersion: {string: 1.2.3}
      index: {int: 3}
      ecc: {bool: true}
      zone: {string: z1}
      gpu.example.com/links: {ints: [1, 2]}
    capacity: {memory: {value: 40Gi}}
  - name: b
    attributes:
      model: {string: a100}
      firmware: {version: 1.2.3}
      driverVersion: {string: 1.2.3}
      index: {int: 3}
      ecc: {bool: true}
      gpu.example.com/links: {ints: [1, 2]}
    capacity: {memory: {value: 40Gi}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: c, namespace: default}
spec:
  devices:
    requests:
    - name: r
      exactly:
        deviceClassName: gpu.example.com
        selectors:
"#;

/// An expression with one thing to mend, and what it is after the first fix.
const MENDED: [(&str, &str); 27] = [
    (
        r#"device.attributes["gpu.exmaple.com"].model == "a100""#,
        r#"device.attributes["gpu.example.com"].model == "a100""#,
    ),
    (
        "device.attributes['gpu.exmaple.com'].model == 'a100'",
        r#"device.attributes["gpu.example.com"].model == 'a100'"#,
    ),
    (
        r#"device.attributes["gpu.example.com"]["modle"] == "a100""#,
        r#"device.attributes["gpu.example.com"]["model"] == "a100""#,
    ),
    (
        r#"device.attributes["gpu.example.com"].modle == "a100""#,
        r#"device.attributes["gpu.example.com"].model == "a100""#,
    ),
    (
        r#"device.attributes["gpu.example.com/model"] == "a100""#,
        r#"device.attributes["gpu.example.com"].model == "a100""#,
    ),
    (
        r#"device.attribute["gpu.example.com"].model == "a100""#,
        r#"device.attributes["gpu.example.com"].model == "a100""#,
    ),
    (r#"device.driver.startWith("gpu")"#, r#"device.driver.startsWith("gpu")"#),
    (r#"Device.driver == "gpu.example.com""#, r#"device.driver == "gpu.example.com""#),
    (
        r#"device.attributes["gpu.example.com"].model.string == "a100""#,
        r#"device.attributes["gpu.example.com"].model == "a100""#,
    ),
    (
        r#"device.attributes["gpu.example.com"].memory.isGreaterThan(quantity("1Gi"))"#,
        r#"device.capacity["gpu.example.com"].memory.isGreaterThan(quantity("1Gi"))"#,
    ),
    (
        r#"device.attributes["gpu.example.com"].zone == "z1""#,
        r#"device.attributes["gpu.example.com"].?zone.orValue("") == "z1""#,
    ),
    (
        r#"device.attributes["gpu.example.com"].firmware >= "1.0.0""#,
        r#"device.attributes["gpu.example.com"].firmware.compareTo(semver("1.0.0")) >= 0"#,
    ),
    (
        r#"device.capacity["gpu.example.com"].memory >= quantity("1Gi")"#,
        r#"device.capacity["gpu.example.com"].memory.compareTo(quantity("1Gi")) >= 0"#,
    ),
    (
        r#"quantity("1Gi") < device.capacity["gpu.example.com"].memory"#,
        r#"quantity("1Gi").compareTo(device.capacity["gpu.example.com"].memory) < 0"#,
    ),
    (
        r#"device.attributes["gpu.example.com"].index == "3""#,
        r#"device.attributes["gpu.example.com"].index == 3"#,
    ),
    (
        r#"device.attributes["gpu.example.com"].model == 100"#,
        r#"device.attributes["gpu.example.com"].model == "100""#,
    ),
    (
        r#"device.attributes["gpu.example.com"].ecc == "true""#,
        r#"device.attributes["gpu.example.com"].ecc == true"#,
    ),
    (
        r#"device.attributes["gpu.example.com"].driverVersion.compareTo(semver("1.0.0")) > 0"#,
        r#"semver(device.attributes["gpu.example.com"].driverVersion).compareTo(semver("1.0.0")) > 0"#,
    ),
    (r#"has(device.attributes["gpu.example.com"])"#, r#""gpu.example.com" in device.attributes"#),
    (
        r#"device.attributes["gpu.example.com"].firmware in ["1.2.3"]"#,
        r#"["1.2.3"].exists(v, device.attributes["gpu.example.com"].firmware.compareTo(semver(v)) == 0)"#,
    ),
    (
        r#"device.attributes["gpu.example.com"].links.exists(l, l == 1)"#,
        r#"dyn(device.attributes["gpu.example.com"].links).exists(l, l == 1)"#,
    ),
    (r#"device.driver = "gpu.example.com""#, r#"device.driver == "gpu.example.com""#),
    ("true and device.driver == 'x'", "true && device.driver == 'x'"),
    ("not device.allowMultipleAllocations", "! device.allowMultipleAllocations"),
    ("device..driver == 'x'", "device.driver == 'x'"),
    ("(device.driver == 'x'", "(device.driver == 'x')"),
    ("device.driver == 'x')", "device.driver == 'x'"),
];

const CLASS: &str =
    "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu.example.com}\n";

/// An expression in every style that can hold it, as the lines of a selector.
fn styles(expression: &str) -> Vec<(&'static str, String)> {
    let double = format!("\"{}\"", expression.replace('\\', "\\\\").replace('"', "\\\""));
    let single = format!("'{}'", expression.replace('\'', "''"));
    let indented = |text: &str, spaces: usize| text.replace(' ', &format!("\n{:spaces$}", ""));
    let key = "        - cel:\n            expression: ";
    let block = |mark: &str, text: &str| format!("{key}{mark}\n              {text}\n");
    let mut styles = vec![
        ("double quotes", format!("{key}{double}\n")),
        ("single quotes", format!("{key}{single}\n")),
        ("double quotes in braces", format!("        - {{cel: {{expression: {double}}}}}\n")),
        ("single quotes in braces", format!("        - cel: {{expression: {single}}}\n")),
        ("literal", block("|", expression)),
        ("literal, cut", block("|-", expression)),
        ("literal of many lines", block("|", &indented(expression, 14))),
        ("folded", block(">", expression)),
        ("folded from many lines", block(">-", &indented(expression, 14))),
        ("double quotes over lines", format!("{key}{}\n", indented(&double, 14))),
        ("single quotes over lines", format!("{key}{}\n", indented(&single, 14))),
    ];
    if !yaml::is_ambiguous(expression) {
        styles.push(("plain", format!("{key}{expression}\n")));
        styles.push(("plain over lines", format!("{key}{}\n", indented(expression, 14))));
        if !expression.contains(['[', ']', '{', '}', ',']) {
            styles.push((
                "plain in braces",
                format!("        - cel: {{expression: {expression}}}\n"),
            ));
        }
    }
    styles
}

/// The first remark that has a fix, and the text after it.
fn fixable(selectors: &Selectors, text: &str) -> Option<(String, String)> {
    let objects: Vec<_> = api::read(text).objects.into_iter().map(std::rc::Rc::new).collect();
    let hints = remarks(text, selectors, &objects);
    let hint = hints.into_iter().find(|found| !found.fixes.is_empty())?;
    let fixed = hint.fixes[0].apply(text);
    Some((hint.message, fixed))
}

/// The selector's expression with single spaces, as the text is read.
fn expression_of(text: &str) -> String {
    let stream = yaml::read(text);
    let errors = stream.diagnostics.iter().any(|found| found.severity == Severity::Error);
    assert!(!errors, "{:?}\n{text}", stream.diagnostics);
    let claim = stream.documents[1].root.as_ref().unwrap();
    let mut node = claim;
    for step in
        ["spec", "devices", "requests", "0", "exactly", "selectors", "0", "cel", "expression"]
    {
        node = match step.parse::<usize>() {
            Ok(index) => &node.items().unwrap()[index],
            Err(_) => node.get(step).unwrap(),
        };
    }
    let after = claim.get("spec").unwrap().get("devices").unwrap().get("constraints");
    assert!(after.is_some(), "what follows the expression is lost\n{text}");
    node.scalar().unwrap().value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_kind_of_fix_fits_every_style_of_scalar() {
    let loose = |text: &str| text.split_whitespace().collect::<String>();
    let release = Release::parse("1.36.6").unwrap();
    let selectors = Selectors::new(&CelSwitches::new(release, false, true, true));
    let mut wrong = Vec::new();
    for (expression, expected) in MENDED {
        for (style, lines) in styles(expression) {
            let text = format!("{BEFORE}{lines}    constraints: []\n{CLASS}");
            assert_eq!(expression_of(&text), expression, "{style}");
            let Some((hint, fixed)) = fixable(&selectors, &text) else {
                wrong.push(format!("{expression} in {style}: no fix"));
                continue;
            };
            let found = expression_of(&fixed);
            if loose(&found) != loose(expected) {
                wrong.push(format!("{expression} in {style}: {hint}: {found}"));
            }
            // What was mended is not remarked again.
            let again = fixable(&selectors, &fixed).filter(|(other, _)| *other == hint);
            if again.is_some() {
                wrong.push(format!("{expression} in {style}: {hint} again"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An attribute that some devices lack is an error only where a selector is asked of them.
#[test]
fn failing_on_some_devices_is_said_where_they_are_asked() {
    let devices = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: d.example.com\n  nodeName: n\n  pool: {name: n, generation: 1, resourceSliceCount: 1}\n  devices:\n  - {name: a, attributes: {type: {string: part}, profile: {string: half}}}\n  - {name: b, attributes: {type: {string: whole}}}\n";
    let class = |selectors: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: gpu}}\nspec: {{selectors: [{selectors}]}}\n"
        )
    };
    let claim = |name: &str, owner: &str| {
        format!(
            "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: {name}, namespace: default{owner}}}\nspec:\n  devices:\n    requests:\n    - name: r\n      exactly:\n        deviceClassName: gpu\n        selectors:\n        - cel: {{expression: \"device.attributes['d.example.com'].profile == 'half'\"}}\n"
        )
    };
    let release = Release::parse("1.36.6").unwrap();
    let selectors = Selectors::new(&CelSwitches::new(release, false, true, true));
    let said = |parts: &[&str]| {
        let text = devices.to_owned() + &parts.concat();
        let objects: Vec<_> = api::read(&text).objects.into_iter().map(std::rc::Rc::new).collect();
        let found = remarks(&text, &selectors, &objects);
        found.iter().filter(|it| it.message.contains("on 1 of 2 devices")).count()
    };
    let guarded =
        class("{cel: {expression: \"device.attributes['d.example.com'].type == 'part'\"}}");
    let own = claim("c", "");
    assert_eq!(said(&[&class(""), &own]), 1);
    assert_eq!(said(&[&guarded, &own]), 0);
    assert_eq!(said(&[&own]), 0, "no class, nothing is asked");
    let made = claim(
        "made",
        ", ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: u, controller: true}]",
    );
    assert_eq!(said(&[&class(""), &own, &made]), 1, "a claim made for a Pod repeats its template");
    assert_eq!(said(&[&class(""), &made]), 1);
}
