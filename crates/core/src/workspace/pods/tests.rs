use std::sync::OnceLock;

use super::super::laws::{came_out, changes_hold};
use super::super::report::{Analysis, Options, Phrase, Severity, Thing};
use super::super::{Workspace, gallery};

#[path = "later.rs"]
mod later;
#[path = "scenarios.rs"]
mod scenarios;
#[path = "trials.rs"]
mod trials;

/// All scenarios that fail.
fn failing() -> impl Iterator<Item = &'static scenarios::Failing> {
    scenarios::ALL.iter().chain(trials::ALL).chain(later::ALL)
}

/// Each scenario that fails with its text and what is said of it, worked out once for all tests.
fn analyzed() -> &'static [(&'static str, String, Analysis)] {
    static ALL: OnceLock<Vec<(&str, String, Analysis)>> = OnceLock::new();
    ALL.get_or_init(|| {
        let all = failing().map(|it| (it.name, text_of(it)));
        all.map(|(name, text)| {
            let analysis = Workspace::new().analyze(&text, &Options::default());
            (name, text, analysis)
        })
        .collect()
    })
}

/// The whole text of a failing scenario.
fn text_of(failing: &scenarios::Failing) -> String {
    let users: String = (1..256)
        .map(|at| format!("  - {{resource: pods, name: w{at}, uid: u{at}}}\n"))
        .collect::<Vec<_>>()
        .concat();
    (failing.with.concat() + failing.text).replace("USERS", &users)
}

pub(in super::super) fn flat(phrase: &Phrase) -> String {
    phrase.0.iter().map(|piece| piece.text.as_str()).collect()
}

/// What a reader is told first: for every Pod that waits, every claim that is refused, and every error
/// or warning.
fn told(analysis: &Analysis) -> Vec<String> {
    let line = |range: Option<super::super::report::Range>| {
        range.map_or_else(|| "-".to_owned(), |range| range.line.to_string())
    };
    let snapshot = &analysis.snapshot;
    let pods = snapshot.pods.iter().filter(|pod| !pod.cause.0.is_empty());
    let mut told: Vec<String> = pods
        .map(|pod| {
            format!(
                "{} {} line {}: {} {}",
                pod.object.name,
                pod.code,
                line(pod.place),
                flat(&pod.cause),
                flat(&pod.context)
            )
        })
        .collect();
    told.extend(snapshot.claims.iter().filter(|claim| claim.state == "refused").map(|claim| {
        let place = claim.cause.0.iter().filter_map(|piece| piece.target.as_ref()).next_back();
        let at = line(place.and_then(|target| target.range));
        format!("{} refused line {at}: {}", claim.object.name, flat(&claim.cause))
    }));
    told.extend(
        analysis
            .diagnostics
            .iter()
            .filter(|found| found.severity != Severity::Note)
            .map(|found| format!("{} line {}: {}", found.code, found.range.line, found.message)),
    );
    told
}

/// For each public report what is told first: who is told, the reason's code, and the line that is
/// pointed at; for errors and warnings of the text their code and line.
const REPORTS: &[(&str, &[&str])] = &[
    ("02-all-mode-no-devices-on-node", &["p2 no-devices line 42"]),
    ("04-all-in-subrequest-leaks-devices", &[]),
    ("06-all-mode-with-counters", &["too-big counters-short line 50"]),
    ("08-all-mode-exhausted-capacity", &["wants-all capacity-short line 103"]),
    ("10-cel-missing-attribute-aborts-pod", &["p1 cel-error line 77", "invalid-value line 61"]),
    (
        "12-cel-class-selector-must-come-first",
        &["unshielded cel-error line 91", "class-without-selectors line 28"],
    ),
    ("14-cel-quantity-needs-compare", &["bad-operator refused line 88", "invalid-value line 88"]),
    ("16-match-attribute-key-differs-between-drivers", &["before constraint line 130"]),
    ("18-distinct-attribute-compares-pointers", &[]),
    ("20-list-attribute-stale-intersection", &[]),
    ("22-mig-profiles-on-one-gpu", &[]),
    ("24-counters-same-pool-name-two-drivers", &[]),
    ("26-counters-forgotten-for-shared-allocations", &["half counters-short line 36"]),
    ("28-counters-same-device-twice-in-one-claim", &[]),
    ("30-counters-of-vanished-device", &["allocated-device-gone line 80"]),
    ("32-capacity-next-device-when-first-full", &[]),
    ("34-capacity-no-policy-takes-everything", &["second capacity-short line 38"]),
    ("36-capacity-valid-values", &["b capacity-policy line 73"]),
    ("38-capacity-quantity-with-space", &["c refused line 45", "invalid-quantity line 45"]),
    ("40-admin-access-shares-and-does-not-block", &[]),
    (
        "42-taint-rule-without-selector",
        &["unknown-kind line 28", "taint-rule-without-selector line 31"],
    ),
    ("44-taint-noexecute-toleration-copied", &[]),
    ("46-prioritized-list-prefers-better-node", &[]),
    ("48-shared-claim-pins-second-pod", &["p3 claim-elsewhere line 106"]),
    ("50-stale-generation-ignored", &["two too-few line 83", "pool-incomplete line 54"]),
    ("52-duplicate-device-names", &["c pool-invalid line 36", "pool-inconsistent line 50"]),
    ("54-per-device-node-selection", &["p3 in-use-committed line 20"]),
    ("56-order-is-lexicographic", &[]),
    ("58-one-claim-backtracks-two-claims-of-one-pod", &[]),
    (
        "60-class-missing",
        &[
            "p1 missing line 49",
            "p2 missing line 62",
            "device-class-not-found line 49",
            "device-class-not-found line 62",
        ],
    ),
    ("62-v1beta1-shape-under-v1", &["wrong refused line 48", "unknown-field line 48"]),
    ("64-slice-limits", &["c refused line 39", "too-long line 39"]),
    ("66-config-from-class-request-names", &[]),
    ("68-extended-resource-init-containers", &["p2 too-few line 92"]),
    ("70-no-preemption-for-devices", &["high in-use-committed line 36"]),
    ("72-mig-placement-fragmentation", &["four-on-0 counters-short line 59"]),
];

#[test]
#[expect(clippy::disallowed_methods, clippy::print_stdout, reason = "recorded cases are files")]
fn reports_are_told_their_cause_and_its_line() {
    let Ok(cases) = std::env::var("DRA_PLAYGROUND_CASES") else {
        println!("skipped: DRA_PLAYGROUND_CASES is not set");
        return;
    };
    for (file, expected) in REPORTS {
        let text = std::fs::read_to_string(format!("{cases}/cases/reports/{file}.yaml")).unwrap();
        for language in ["en", "zh-TW"] {
            let options = Options { language: language.to_owned(), ..Options::default() };
            let analysis = Workspace::new().analyze(&text, &options);
            let told = told(&analysis);
            let heads: Vec<&str> =
                told.iter().map(|line| line.split(": ").next().unwrap()).collect();
            assert_eq!(heads, *expected, "{file}: {told:#?}");
        }
    }
}

/// Whoever is named as the holder of what a Pod needs: with it gone, the Pod runs.
#[test]
fn removing_what_is_blamed_changes_the_outcome() {
    let mut blamed = 0;
    let scenarios = analyzed().iter().map(|(name, _, analysis)| (*name, analysis.clone()));
    let examples = gallery()
        .iter()
        .map(|it| (it.name, Workspace::new().analyze(it.text, &Options::default())));
    for (name, analysis) in scenarios.chain(examples) {
        for pod in analysis.snapshot.pods.iter().filter(|pod| pod.status == "Pending") {
            let others = pod.cause.0.iter().filter_map(|piece| piece.target.as_ref()).any(|target| {
                matches!(&target.thing, Thing::Object(key) if key.kind == "Pod" && *key != pod.object)
            });
            if others && pod.code != "claim-elsewhere" {
                let helps = pod.what_ifs.iter().any(|what_if| what_if.kind == "delete-pod");
                let vain: Vec<String> = pod.tried_in_vain.iter().map(flat).collect();
                assert!(helps, "{name}: {} {vain:?}", flat(&pod.cause));
                blamed += 1;
            }
        }
    }
    assert!(blamed > 5, "{blamed}");
}

#[test]
fn every_failing_scenario_is_told_its_cause() {
    let mut wrong = Vec::new();
    for (failing, (_, text, analysis)) in failing().zip(analyzed()) {
        let Some(pod) = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "p") else {
            wrong.push(format!("{}: no Pod", failing.name));
            continue;
        };
        let cause = flat(&pod.cause);
        let here = text.lines().position(|line| line.ends_with("# here")).map(|line| line + 1);
        let line = pod.place.map(|range| range.line as usize);
        let helps = failing.helps.is_none_or(|(kind, words)| {
            pod.what_ifs
                .iter()
                .any(|what_if| what_if.kind == kind && flat(&what_if.sentence).contains(words))
        });
        let points = here.is_none_or(|here| line == Some(here));
        if pod.code != failing.code || !cause.contains(failing.says) || !points || !helps {
            let offered: Vec<String> = pod
                .what_ifs
                .iter()
                .map(|what_if| format!("{}: {}", what_if.kind, flat(&what_if.sentence)))
                .collect();
            let vain: Vec<String> = pod.tried_in_vain.iter().map(flat).collect();
            let found: Vec<String> = analysis
                .diagnostics
                .iter()
                .map(|d| format!("{}: {}", d.range.line, d.message))
                .collect();
            wrong.push(format!(
                "{}\n  {} at {line:?}, not {here:?}: {cause} {}\n  {offered:#?} {vain:?}\n  {found:#?}",
                failing.name,
                pod.code,
                flat(&pod.context)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The changes that are offered to the Pod of a failing scenario, as kinds and sentences.
fn offered(scenario: &str, language: &str) -> Vec<(String, String)> {
    let failing = scenarios::ALL.iter().find(|it| it.name == scenario).unwrap();
    let text = failing.with.concat() + failing.text;
    let options = Options { language: language.to_owned(), ..Options::default() };
    let analysis = Workspace::new().analyze(&text, &options);
    let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "p").unwrap();
    pod.what_ifs.iter().map(|it| (it.kind.clone(), flat(&it.sentence))).collect()
}

#[test]
fn a_constraint_is_dropped_before_the_kind_of_device() {
    let offered = offered("an attribute of another type", "en");
    let at = |kind: &str| offered.iter().position(|(it, _)| it == kind).unwrap();
    assert!(at("fix") < at("drop-constraint"), "{offered:#?}");
    assert!(at("drop-constraint") < at("drop-term"), "{offered:#?}");
}

#[test]
fn rules_that_are_not_enforced_come_last_and_are_said() {
    for (language, mark) in [("en", "not enforced then: "), ("zh-TW", "不再檢查")] {
        for scenario in ["a counter that the device in use draws from", "an untolerated taint"] {
            let offered = offered(scenario, language);
            let lax = |(_, sentence): &(String, String)| sentence.contains(mark);
            let first = offered.iter().position(lax).unwrap();
            assert!(first > 0 && offered.iter().skip(first).all(lax), "{offered:#?}");
            assert!(offered.iter().skip(first).any(|(kind, _)| kind == "gate"), "{offered:#?}");
            assert!(offered.iter().take(first).all(|(kind, _)| kind != "gate"), "{offered:#?}");
        }
    }
}

#[test]
fn what_is_mistaken_is_said_in_a_second_sentence() {
    let context = |name: &str, more: &str| {
        let failing = failing().find(|it| it.name == name).unwrap();
        let text = failing.with.concat() + failing.text;
        let text = text.replacen("\n  resourceClaims:", &format!("{more}\n  resourceClaims:"), 1);
        let analysis = Workspace::new().analyze(&text, &Options::default());
        let pod = analysis.snapshot.pods.iter().find(|pod| pod.object.name == "p").unwrap();
        flat(&pod.context)
    };
    let shares = context("two shares in one request", "");
    assert!(shares.contains("two shares take two requests"), "{shares}");
    let similar = context("a capacity under another name", "");
    assert!(similar.contains("publishes the capacity"), "{similar}");
    let never = context("tainted-and-held-by-nobody", "");
    assert_eq!(never, "It would wait even if no other Pod had any device.");
    let rounded = context("half-a-cpu-rounded", "");
    assert!(rounded.contains("1500m of dra.cpu/cpu counts as 2"), "{rounded}");
    let rounded_up = context("values-round-up", "");
    assert!(rounded_up.contains("3 of cpus counts as 4"), "{rounded_up}");
    let level = context("toleration-on-the-pod", "");
    assert!(level.contains("a taint of a device is tolerated in the request"), "{level}");
    let pinned = context("shared-claim-here-own-device-there", "");
    assert!(pinned.contains("only w1 can use it"), "{pinned}");
    let elsewhere = context("shared-volume-and-own-gpu", "");
    assert!(elsewhere.contains("only nodes with zone=a can use it"), "{elsewhere}");
    let root = context("root-under-another-name", "");
    assert!(root.contains("publishes gpu.intel.com/pciRoot"), "{root}");
    let hint = context("a mistyped attribute", "");
    assert!(hint.contains("`modle`") && hint.contains("`model`"), "{hint}");
    let tolerated = "\n  tolerations: [{operator: Exists}]";
    let taint = context("an untolerated taint", tolerated);
    assert!(taint.contains("The tolerations of p are for taints of nodes"), "{taint}");
    assert!(!context("an untolerated taint", "").contains("tolerations of p"));
}

/// Every change that is offered lets the Pod run when it is made.
#[test]
fn changes_of_trials_hold_when_they_are_applied() {
    let mut kinds = std::collections::BTreeMap::new();
    for (name, text, analysis) in analyzed() {
        for pod in &analysis.snapshot.pods {
            let in_text = pod.what_ifs.iter().filter(|it| it.setting.is_none()).cloned();
            let offered: Vec<_> = in_text.collect();
            changes_hold(name, text, analysis, pod, &offered, &mut kinds);
        }
    }
    assert!(kinds.len() > 5, "{kinds:?}");
}

#[test]
fn what_an_unknown_resource_is_probably_called_is_said() {
    let failing = trials::ALL.iter().find(|it| it.says.contains("acme.io/gpus")).unwrap();
    let analysis = Workspace::new().analyze(failing.text, &Options::default());
    assert_eq!(flat(&analysis.snapshot.pods.first().unwrap().context), "Did you mean acme.io/gpu?");
}

/// A node that is out before devices are looked at is told beside the devices of another.
#[test]
fn nodes_that_are_out_for_other_reasons_are_told() {
    for (name, context) in [
        (
            "a device plugin beside DRA",
            "On a, the node offers example.com/gpu itself (1, as a device plugin does), so that no device of DRA is used for it.",
        ),
        (
            "the device here, the processor there",
            "Kubernetes does not preempt Pods for devices, whatever their priority. On a, the node lacks resources: Insufficient cpu.",
        ),
    ] {
        let failing = failing().find(|it| it.name == name).unwrap();
        let analysis = Workspace::new().analyze(&text_of(failing), &Options::default());
        let pod = analysis.snapshot.pods.iter().find(|it| it.object.name == "p").unwrap();
        assert_eq!(flat(&pod.context), context);
    }
}

/// No sentence, hint or change is half in English where a word of ours is in it.
#[test]
fn changes_are_offered_in_the_language_of_the_reader() {
    let options = Options { language: "zh-TW".to_owned(), ..Options::default() };
    let half = ["with the fix", "insert ", "write `", "is not permitted"];
    for failing in failing() {
        let analysis = Workspace::new().analyze(&text_of(failing), &options);
        for pod in &analysis.snapshot.pods {
            let changes = pod.what_ifs.iter().flat_map(|it| [&it.sentence, &it.outcome]);
            for phrase in changes.chain([&pod.cause, &pod.context]) {
                let said = flat(phrase);
                assert!(half.iter().all(|word| !said.contains(word)), "{}: {said}", failing.name);
            }
        }
    }
}

/// The text without what a sentence points at, in each way that takes it away; empty where that is
/// no single thing.
#[expect(clippy::string_slice, reason = "the places are those that are told of the text")]
pub(in super::super) fn without(code: &str, text: &str, from: usize, to: usize) -> Vec<String> {
    let put = |new: &str| format!("{}{new}{}", &text[..from], &text[to..]);
    let line = text[..from].rfind('\n').map_or(0, |at| at + 1);
    match code {
        "class-selector-false" | "request-selector-false" | "cel-error" => vec![put("\"true\"")],
        "capacity-policy" | "capacity-short" if text[from..to].ends_with(['G', 'i']) => {
            vec![put("1G"), put("10Gi")]
        }
        "counters-short" if text[from..to].contains("value: ") => {
            let more = text[from..to].replace("value: ", "value: 100");
            vec![put(&more.replace("value: 100\"", "value: \"100"))]
        }
        "too-few" if text[from..to].parse::<u8>().is_ok() => vec![put("1")],
        "pool-incomplete" => {
            let count = |number: &str| format!("resourceSliceCount: {number}");
            let old = count(&text[from..to]);
            ["1", "2", "3"].iter().map(|it| text.replace(&old, &count(it))).collect()
        }
        "tainted" => {
            let end = text[line..].find("\n---").map_or(text.len(), |at| line + at);
            let rest = text[line..end].replacen("NoSchedule", "None", 1);
            let rest = rest.replacen("NoExecute", "None", 1);
            // Else it is a toleration that misses the taint by its value or effect.
            let without = format!("{}{rest}{}", &text[..line], &text[end..]);
            vec![without, put("\"yes\""), put("NoExecute")]
        }
        "constraint" => {
            let list = text[..from].rfind("constraints:").unwrap();
            let end = match text[list..].strip_prefix("constraints: [") {
                Some(_) => text[list..].find("}]").unwrap() + 2,
                None => text[list..].find("\n---").unwrap_or(text.len() - list),
            };
            vec![format!("{}constraints: []{}", &text[..list], &text[list + end..])]
        }
        _ => Vec::new(),
    }
}

/// The thing that the sentence points at is a cause: without it another answer comes out, and mostly
/// the Pod runs.
#[test]
fn removing_what_is_pointed_at_changes_the_outcome() {
    let (mut changed, mut runs, mut codes) = (0, 0, std::collections::BTreeSet::new());
    for (name, text, analysis) in analyzed() {
        let told = |text: &str| {
            let mut pods = came_out(text, &Options::default()).snapshot.pods.into_iter();
            pods.find(|pod| pod.object.name == "p")
        };
        let pods = &analysis.snapshot.pods;
        let Some(pod) = pods.iter().find(|pod| pod.object.name == "p") else { continue };
        let Some(place) = pod.place else { continue };
        let others = without(&pod.code, text, place.from as usize, place.to as usize);
        if others.is_empty() {
            continue;
        }
        let after: Vec<_> = others.iter().filter_map(|text| told(text)).collect();
        let is_other = after.iter().any(|it| flat(&it.cause) != flat(&pod.cause));
        assert!(is_other, "{name}: {} {}", flat(&pod.cause), others[0]);
        changed += 1;
        runs += usize::from(after.iter().any(|it| it.node.is_some() || it.code == "binding"));
        codes.insert(pod.code.clone());
    }
    assert!(
        codes.len() >= 10 && changed > 35 && runs * 3 > changed * 2,
        "{changed} {runs} {codes:?}"
    );
}
