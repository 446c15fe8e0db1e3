//! Who may use whom: the order of the core's modules, and its one door.

use super::{File, Problem};

const CORE: &str = "crates/core/src/";
/// Packages that see the core through its facade only.
const SHELLS: [&str; 2] = ["crates/cli/", "crates/web/"];
const FACADE: &str = "workspace";

pub(super) fn check(files: &[File]) -> Vec<Problem> {
    let Some(front) = files.iter().find(|file| file.path == format!("{CORE}lib.rs")) else {
        return Vec::new();
    };
    let order = modules(&front.text);
    let mut problems = Vec::new();
    for file in files.iter().filter(|file| file.is_rust()) {
        if let Some(path) = file.path.strip_prefix(CORE) {
            check_order(file, path, &order, &mut problems);
        } else if SHELLS.iter().any(|shell| file.path.starts_with(shell)) {
            check_door(file, &mut problems);
        }
    }
    problems
}

/// The modules that `lib.rs` declares, in its order.
fn modules(front: &str) -> Vec<&str> {
    front
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or_else(|| line.strip_prefix("mod ")))
        .filter_map(|rest| rest.strip_suffix(';'))
        .collect()
}

/// A module uses the ones above it only. Tests may look further: they show whole paths.
fn check_order(file: &File, path: &str, order: &[&str], problems: &mut Vec<Problem>) {
    let module = path.split(['/', '.']).next().unwrap_or_default();
    let Some(own) = order.iter().position(|candidate| *candidate == module) else {
        if path != "lib.rs" {
            problems.push(file.problem(1, "layers", "this module is not declared in `lib.rs`"));
        }
        return;
    };
    if file.is_test() {
        return;
    }
    for (number, line) in file.code_lines().filter(|(_, line)| !is_comment(line)) {
        for used in names_after(line, "crate::") {
            if used.is_empty() {
                problems.push(file.problem(number, "layers", "write one `use crate::…` a module"));
            }
            if order.iter().position(|candidate| *candidate == used).is_some_and(|at| at > own) {
                let text = format!("`{module}` may not use `{used}`, which stands below it");
                problems.push(file.problem(number, "layers", text));
            }
        }
    }
}

/// Page and command line know the facade only.
fn check_door(file: &File, problems: &mut Vec<Problem>) {
    for (number, line) in file.text.lines().enumerate() {
        if is_comment(line) {
            continue;
        }
        for used in names_after(line, "dra_playground_core::") {
            if used != FACADE {
                let text = format!("use `dra_playground_core::{FACADE}` only, not `{used}`");
                problems.push(file.problem(number + 1, "layers", text));
            }
        }
        if names_after(line, "dra_playground_cel::").next().is_some() {
            let text = format!("use `dra_playground_core::{FACADE}`, not the CEL engine");
            problems.push(file.problem(number + 1, "layers", text));
        }
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

/// The identifiers that follow `prefix` in `line`; empty where something else follows.
fn names_after<'a>(line: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    line.match_indices(prefix).filter_map(move |(at, _)| {
        let before = line.get(..at)?.chars().next_back();
        // Part of a longer path such as `some_crate::`.
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            return None;
        }
        let rest = line.get(at + prefix.len()..)?;
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        rest.get(..end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &str = "//! Front.\n\npub mod source;\npub mod api;\npub mod workspace;\n";

    fn problems(path: &str, text: &str) -> Vec<String> {
        let files = [("crates/core/src/lib.rs", FRONT), (path, text)]
            .map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
        check(&files).iter().map(|problem| format!("{}: {}", problem.line, problem.text)).collect()
    }

    #[test]
    fn a_module_uses_those_above_it() {
        assert!(problems("crates/core/src/api/mod.rs", "use crate::source::Span;\n").is_empty());
        assert!(problems("crates/core/src/api/mod.rs", "use crate::api::Pod;\n").is_empty());
        assert!(problems("crates/core/src/api/mod.rs", "/// [`crate::workspace`]\n").is_empty());
        assert_eq!(
            problems("crates/core/src/source/line.rs", "\nfn a(pod: crate::api::Pod) {}\n"),
            ["2: `source` may not use `api`, which stands below it"]
        );
    }

    #[test]
    fn every_module_is_declared_and_named_in_its_uses() {
        assert_eq!(problems("crates/core/src/new.rs", "").len(), 1);
        assert_eq!(problems("crates/core/src/api/pod.rs", "use crate::{source};\n").len(), 1);
    }

    #[test]
    fn shells_come_through_the_door() {
        assert!(
            problems("crates/cli/src/main.rs", "use dra_playground_core::workspace::X;").is_empty()
        );
        assert_eq!(problems("crates/web/src/a.rs", "use dra_playground_core::api::Pod;").len(), 1);
        assert_eq!(problems("crates/web/src/a.rs", "use dra_playground_core::{api};").len(), 1);
        assert_eq!(problems("crates/cli/src/a.rs", "dra_playground_cel::parse(x)").len(), 1);
    }
}
