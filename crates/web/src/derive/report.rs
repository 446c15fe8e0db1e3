//! The answer as text that can be taken elsewhere: a report for an issue tracker, tables as
//! `kubectl` prints them, the status of the claims, and everything as JSON.

use std::fmt::Write as _;

use dra_playground_core::workspace;
use dra_playground_core::workspace::report::{Analysis, ClaimView, Phrase, Piece, PodView};

use super::format;
use crate::words::Words;

/// A report for an issue tracker: what is asked, what became of it, why, and where to see more.
pub(crate) fn markdown(words: &'static Words, analysis: &Analysis, address: &str) -> String {
    let mut out = String::new();
    if let Some(scenario) = analysis.scenario.as_ref().filter(|it| !it.title.is_empty()) {
        let _ = writeln!(out, "### {}\n", prose(&scenario.title));
    }
    let _ = write!(out, "Kubernetes {}", prose(&analysis.kubernetes.version));
    let changed: Vec<String> = analysis
        .kubernetes
        .gates
        .iter()
        .filter(|gate| gate.enabled != gate.default && !gate.stage.is_empty())
        .map(|gate| format!("`{}={}`", gate.name, gate.enabled))
        .collect();
    if !changed.is_empty() {
        let _ = write!(out, ", {}", changed.join(", "));
    }
    let _ = writeln!(out, "\n\n| NAME | STATUS | NODE | {} |\n|---|---|---|---|", words.devices);
    for pod in &analysis.snapshot.pods {
        let node = pod.node.as_deref().unwrap_or_default();
        let devices: Vec<String> = devices(analysis, pod).into_iter().map(code).collect();
        let cells = [code(&pod.object.name), prose(&pod.status), code(node), devices.join(", ")];
        // Also within code a bar ends a cell; in prose it is escaped already.
        let cells = cells.map(|text| text.replace("\\|", "|").replace('|', "\\|"));
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    for pod in analysis.snapshot.pods.iter().filter(|pod| !pod.cause.0.is_empty()) {
        let _ = writeln!(out, "\n{}", sentence(&pod.cause));
        if !pod.context.0.is_empty() {
            let _ = writeln!(out, "{}", sentence(&pod.context));
        }
        if let Some(message) = &pod.message {
            let _ = writeln!(
                out,
                "\n> {}",
                message.lines().map(prose).collect::<Vec<_>>().join("\n> ")
            );
        }
    }
    for found in analysis.diagnostics.iter().take(20) {
        let _ = writeln!(
            out,
            "\n- {} {}: {}",
            words.export_line,
            found.range.line,
            prose(&found.message)
        );
    }
    let _ = writeln!(out, "\n[{}]({address})", words.open_in);
    out
}

/// A sentence whose names are code.
fn sentence(phrase: &Phrase) -> String {
    let piece = |piece: &Piece| match piece.target {
        Some(_) if !piece.text.contains(' ') => code(&piece.text),
        // A link of several words is a clause of ours around names.
        _ => prose(&piece.text),
    };
    phrase.0.iter().map(piece).collect()
}

/// Text in which nothing is Markdown but code between backticks.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            out.push_str(&code(part));
            continue;
        }
        for sign in visible(part).chars() {
            if matches!(sign, '\\' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '~' | '&' | '#') {
                out.push('\\');
            }
            out.push(sign);
        }
    }
    out
}

/// A code span whose fence does not occur in the text; nothing for no text.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let runs = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(runs + 1);
    let space = if runs > 0 { " " } else { "" };
    format!("{fence}{space}{}{space}{fence}", visible(text))
}

/// One line, safe to paste.
fn visible(text: &str) -> String {
    workspace::visible(&text.replace(['\n', '\r', '\t'], " "))
}

fn claims<'a>(analysis: &'a Analysis, pod: &PodView) -> Vec<&'a ClaimView> {
    analysis.snapshot.claims.iter().filter(|it| pod.claims.contains(&it.object)).collect()
}

fn devices<'a>(analysis: &'a Analysis, pod: &PodView) -> Vec<&'a str> {
    let claims = claims(analysis, pod).into_iter();
    claims.flat_map(|it| &it.devices).map(|it| it.device.device.as_str()).collect()
}

/// Pods, claims, devices and pools as `kubectl get` prints them.
pub(crate) fn tables(analysis: &Analysis) -> String {
    let snapshot = &analysis.snapshot;
    let text = |text: &str| if text.is_empty() { "<none>".to_owned() } else { text.to_owned() };
    let pods = snapshot.pods.iter().map(|pod| {
        vec![
            pod.object.namespace.clone(),
            pod.object.name.clone(),
            pod.ready.clone(),
            pod.status.clone(),
            format::age(pod.age_seconds),
            text(pod.node.as_deref().unwrap_or_default()),
            text(&devices(analysis, pod).join(",")),
        ]
    });
    let claims = snapshot.claims.iter().map(|claim| {
        let devices: Vec<&str> = claim.devices.iter().map(|it| it.device.device.as_str()).collect();
        vec![
            claim.object.namespace.clone(),
            claim.object.name.clone(),
            claim.state.clone(),
            text(&claim.reserved_for.join(",")),
            text(&devices.join(",")),
        ]
    });
    let ledgers = snapshot.counter_sets.iter().chain(&snapshot.capacities);
    let left = ledgers.flat_map(|ledger| {
        ledger.columns.iter().map(move |column| {
            vec![
                ledger.driver.clone(),
                ledger.pool.clone(),
                ledger.name.clone(),
                column.name.clone(),
                column.total.clone(),
                column.left.clone(),
            ]
        })
    });
    let pools = snapshot.pools.iter().map(|pool| {
        vec![
            pool.driver.clone(),
            pool.pool.clone(),
            pool.generation.to_string(),
            format!("{}/{}", pool.slices, pool.expected_slices),
            pool.devices.to_string(),
            pool.state.clone(),
        ]
    });
    let parts = [
        table(&["NAMESPACE", "NAME", "READY", "STATUS", "AGE", "NODE", "DEVICES"], pods.collect()),
        table(&["NAMESPACE", "NAME", "STATE", "RESERVED FOR", "DEVICES"], claims.collect()),
        table(&["DRIVER", "POOL", "NAME", "AMOUNT OF", "TOTAL", "LEFT"], left.collect()),
        table(&["DRIVER", "POOL", "GENERATION", "SLICES", "DEVICES", "STATE"], pools.collect()),
    ];
    let shown: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    shown.join("\n")
}

/// Columns as wide as their widest cell, three spaces between them; nothing without rows.
fn table(head: &[&str], rows: Vec<Vec<String>>) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let head = head.iter().map(|it| (*it).to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(head)
        .chain(rows)
        .map(|row: Vec<String>| row.iter().map(|cell| visible(cell)).collect())
        .collect();
    let columns = rows.first().map_or(0, Vec::len);
    let width = |at: usize| {
        rows.iter().filter_map(|row| row.get(at)).map(|it| it.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:<width$}   ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// The status of every allocated claim, a document each.
pub(crate) fn statuses(analysis: &Analysis) -> String {
    let mut out = String::new();
    for claim in analysis.snapshot.claims.iter().filter(|it| !it.status_yaml.is_empty()) {
        if !out.is_empty() {
            out.push_str("---\n");
        }
        let _ = writeln!(
            out,
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata:\n  name: {}\n  namespace: {}",
            claim.object.name, claim.object.namespace
        );
        out.push_str(&under_status(&claim.status_yaml));
    }
    out
}

/// The member `status`, whether or not the text begins with it.
fn under_status(yaml: &str) -> String {
    let mut out = String::new();
    let bare = !yaml.starts_with("status:");
    if bare {
        out.push_str("status:\n");
    }
    for line in yaml.lines() {
        let _ = writeln!(out, "{}{line}", if bare { "  " } else { "" });
    }
    out
}

/// Everything, for other programs.
pub(crate) fn json(analysis: &Analysis) -> String {
    serde_json::to_string(analysis).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;
    use crate::words::words;

    #[test]
    fn tables_are_aligned_as_kubectl_does() {
        let rows =
            vec![vec!["a".to_owned(), "b".to_owned()], vec!["long".to_owned(), String::new()]];
        assert_eq!(table(&["N", "M"], rows), "N      M\na      b\nlong\n");
        assert_eq!(table(&["N"], Vec::new()), "");
        let said = tables(&fixture::analysis());
        assert!(said.contains("NAMESPACE") && said.contains("pod2"), "{said}");
    }

    #[test]
    fn a_report_names_pods_cause_and_link() {
        let said = markdown(words("en"), &fixture::analysis(), "https://host/#v2.x");
        for part in ["| `pod2` |", "https://host/#v2.x", "Kubernetes "] {
            assert!(said.contains(part), "{part} is missing:\n{said}");
        }
    }

    #[test]
    fn names_cannot_write_markdown() {
        let name = "`p` | [x](javascript:alert(1)) \u{1b}[31mred";
        let mut analysis = fixture::analysis();
        let pod = analysis.snapshot.pods.first_mut().unwrap();
        pod.object.name = name.to_owned();
        pod.message = Some(format!("{name}\n# {name}"));
        pod.cause = Phrase(vec![Piece { text: format!("`{name}` waits"), target: None }]);
        let said = markdown(words("en"), &analysis, "https://host/");
        let row = "| `` `p` \\| [x](javascript:alert(1)) \\u001b[31mred `` |";
        assert!(said.contains(row) && !said.contains('\u{1b}'), "{said}");
        // Outside of code every bracket is escaped, and code ends where it should.
        assert!(said.contains("\n> `p` \\| \\[x\\](javascript:alert(1))"), "{said}");
        assert!(said.contains("\n> \\# `p`"), "{said}");
        assert!(said.contains("p` | [x](javascript:alert(1)) \\u001b[31mred` waits"), "{said}");
        assert_eq!(code("a``b"), "``` a``b ```");
        assert_eq!(prose("`a_b` is <b> *x*"), "`a_b` is \\<b\\> \\*x\\*");
        assert!(tables(&analysis).contains("\\u001b[31mred"));
    }

    #[test]
    fn json_reads_back_as_the_same_analysis() {
        let analysis = fixture::analysis();
        assert_eq!(serde_json::from_str::<Analysis>(&json(&analysis)).unwrap(), analysis);
    }
}
