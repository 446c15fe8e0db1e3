//! The selectors: each device with true, false or error, and the values behind it.

use std::rc::Rc;

use dra_playground_core::workspace::Order;
use dra_playground_core::workspace::report::{
    DeviceView, RequestVerdicts, SelectorTable, Snapshot, Thing, TraceColumn, TraceTable,
};
use yew::{Callback, Html, Properties, classes, component, html};

use super::export::PanelHead;
use super::sieve::RequestProps;
use crate::components::{CopyButton, LineLink, Mark, icon};
use crate::derive::format;
use crate::derive::names::Names;
use crate::derive::typeset::{self, Node, Outcome};
use crate::hooks::{use_state_handle, use_trace, use_words};
use crate::platform::dom;
use crate::state::{Action, AppState, Report};
use crate::words::{Words, fill};

/// Largest cost that is admitted and that one device may cause.
const COST_LIMIT: u64 = 1_000_000;
/// Most columns of the table of values.
const MOST_COLUMNS: usize = 8;

/// Selectors of the request in question.
#[component]
pub(crate) fn Selectors(props: &RequestProps) -> Html {
    let words = use_words();
    let Some((state, verdicts)) = use_state_handle().zip(props.verdicts()) else {
        return Html::default();
    };
    if verdicts.selectors.is_empty() {
        return Html::default();
    }
    let snapshot = &props.analysis.snapshot;
    let Some(device) = device_in_question(&state, snapshot, verdicts) else {
        return Html::default();
    };
    let Some(view) = snapshot.devices.get(device) else { return Html::default() };
    let names = Names::asked(snapshot, &[verdicts]);
    let onchange = {
        let keys: Vec<_> = snapshot.devices.iter().map(|it| it.device.clone()).collect();
        let state = state.clone();
        Callback::from(move |event: yew::Event| {
            let at = dom::value_of_select(&event).parse::<usize>().ok();
            if let Some(key) = at.and_then(|at| keys.get(at)) {
                state.dispatch(Action::Device(key.clone()));
            }
        })
    };
    html! {
        <section class="full" id="selectors">
            <PanelHead id="selectors" title={words.selectors} how={words.selectors_how} />
            <label class="pick"><span>{words.device}</span>
                <select id="trace-device" {onchange}>
                    { for asked(verdicts).into_iter().map(|at| html! {
                        <option value={at.to_string()} selected={at == device}>{names.device(at)}</option>
                    }) }
                </select>
            </label>
            {effective(words, &verdicts.selectors)}
            <div class="row">
                <div>
                { for verdicts.selectors.iter().enumerate().map(|(index, table)| html! {
                    <Selector key={format!("{}-{index}", table.expression)} analysis={props.analysis.clone()} request={props.request}
                        selector={index} {device} answered={state.answered} />
                }) }
                </div>
                <div class="side">{readable(words, snapshot, view)}</div>
            </div>
        </section>
    }
}

/// Devices that selectors may speak of, in order.
fn asked(verdicts: &RequestVerdicts) -> Vec<usize> {
    let mut out: Vec<usize> =
        verdicts.groups.iter().flat_map(|group| group.devices.iter().copied()).collect();
    out.sort_unstable();
    out
}

/// The chosen device, else the one that came furthest.
fn device_in_question(
    state: &AppState,
    snapshot: &Snapshot,
    verdicts: &RequestVerdicts,
) -> Option<usize> {
    let here = asked(verdicts);
    let named = state.device.as_ref();
    let picked = here
        .iter()
        .copied()
        .find(|at| snapshot.devices.get(*at).is_some_and(|it| named == Some(&it.device)));
    let chosen = || verdicts.groups.iter().find(|group| group.code == "chosen");
    let furthest = || {
        let row = verdicts.sieve.iter().rev().find(|row| !row.removed.is_empty())?;
        verdicts.groups.get(*row.removed.first()?)
    };
    picked
        .or_else(|| chosen().and_then(|group| group.devices.first().copied()))
        .or_else(|| furthest().and_then(|group| group.devices.first().copied()))
        .or_else(|| here.first().copied())
}

/// What class and request ask together, as one expression.
fn effective(words: &'static Words, selectors: &[SelectorTable]) -> Html {
    if selectors.len() < 2 {
        return Html::default();
    }
    let terms: Vec<String> =
        selectors.iter().map(|it| format!("({})", it.expression.trim())).collect();
    let whole = terms.join(" &&\n");
    html! {
        <details class="eff" id="effective-selector"><summary><span class="tri" />{words.effective}</summary>
            <div class="code"><CopyButton text={yew::AttrValue::from(whole.clone())} label={words.copy_effective} />
                <pre tabindex="0">{whole}</pre></div>
        </details>
    }
}

/// What CEL can read on a device: the published key, the path, the value, and how many devices of
/// the driver have it.
fn readable(words: &'static Words, snapshot: &Snapshot, device: &DeviceView) -> Html {
    let of_driver: Vec<&DeviceView> =
        snapshot.devices.iter().filter(|it| it.device.driver == device.device.driver).collect();
    let row = |key: &str, path: String, value: &str, have: usize| {
        html! {
            <tr><td><code title={path.clone()}>{key.to_owned()}</code><small>{short_path(&path)}</small></td>
                <td>{value.to_owned()}<small>{fill(words.on_devices, &[&format::count(have), &format::count(of_driver.len())])}</small></td></tr>
        }
    };
    let attributes = device.attributes.iter().map(|it| {
        let has = |other: &&&DeviceView| other.attributes.iter().any(|a| a.path == it.path);
        row(&it.name, it.path.clone(), &it.value, of_driver.iter().filter(has).count())
    });
    let capacity = device.capacity.iter().map(|it| {
        let has = |other: &&&DeviceView| other.capacity.iter().any(|c| c.name == it.name);
        let path = match it.name.split_once('/') {
            Some((domain, name)) => format!("device.capacity[\"{domain}\"].{name}"),
            None => format!("device.capacity[\"{}\"].{}", device.device.driver, it.name),
        };
        row(&it.name, path, &it.total, of_driver.iter().filter(has).count())
    });
    html! {
        <Mark tag="figure" thing={Rc::new(Thing::Device(device.device.clone()))} class="fig">
            <figcaption><span><b>{words.readable}</b>{" "}<code>{device.device.device.clone()}</code></span></figcaption>
            <table class="kv"><tbody>
                { for attributes.chain(capacity) }
                <tr><td>{"device.driver"}</td><td>{format!("\"{}\"", device.device.driver)}</td></tr>
                if device.shareable { <tr><td>{"device.allowMultipleAllocations"}</td><td>{"true"}</td></tr> }
            </tbody></table>
        </Mark>
    }
}

/// The domain is told by the driver; the dots say that something is left out.
fn short_path(path: &str) -> String {
    match path.rsplit_once("\"].") {
        Some((_, last)) => format!("….{last}"),
        None => path.to_owned(),
    }
}

/// Properties of [`Selector`].
#[derive(Clone, Debug, PartialEq, Properties)]
struct SelectorProps {
    analysis: Report,
    request: usize,
    selector: usize,
    device: usize,
    answered: u64,
}

/// One selector: set in type for one device, and in a table for one device of each kind.
#[component]
fn Selector(props: &SelectorProps) -> Html {
    let words = use_words();
    let snapshot = &props.analysis.snapshot;
    let verdicts = snapshot.verdicts.get(props.request);
    let table = verdicts.and_then(|it| it.selectors.get(props.selector));
    let asked: Vec<&RequestVerdicts> = verdicts.into_iter().collect();
    let names = Names::asked(snapshot, &asked);
    let (samples, extra) = verdicts
        .zip(table)
        .map(|(v, t)| samples(words, &names, v, t, props.device))
        .unwrap_or_default();
    let devices: Vec<usize> = samples.iter().map(|sample| sample.device).collect();
    let expression = table.map(|table| table.expression.clone()).unwrap_or_default();
    let trace = use_trace(&expression, &devices, props.answered);
    let Some((verdicts, table)) = verdicts.zip(table) else { return Html::default() };
    let request = if table.source == "class" { String::new() } else { verdicts.request.clone() };
    let thing = Rc::new(Thing::Selector(table.object.clone(), request, table.index));
    let source = if table.source == "class" { words.of_class } else { words.of_request };
    let column = trace.as_ref().and_then(|it| it.columns.iter().find(|c| c.device == props.device));
    html! {
        <Mark tag="div" {thing} class="sel-block" range={table.range}>
            <p class="sel-head"><b>{source}</b>{" "}<span class="m">{table.object.name.clone()}</span>{" "}<LineLink range={table.range} />
                <CopyButton text={expression.clone()} label={words.copy_expression} /></p>
            {verdicts_of(words, table)}
            if let Some((trace, column)) = trace.as_ref().zip(column) {
                {typeset_of(words, trace, column, &table.expression)}
                {turns(words, trace, column)}
            } else {
                <pre class="cel raw" tabindex="0">{table.expression.clone()}</pre>
            }
            {answers(words, &names, table)}
            if let Some(trace) = &trace { {values(words, trace, &samples, props.device, extra)} }
        </Mark>
    }
}

/// What the API server and the scheduler say of it, before any device.
fn verdicts_of(words: &'static Words, table: &SelectorTable) -> Html {
    let line = |title: &'static str, text: &String| {
        html! { <p class="fault-line">{icon("r-fault")}<span><b>{title}</b>{" "}<code>{text.clone()}</code></span></p> }
    };
    let cost = table.max_cost.map(|cost| {
        let number = |it: u64| format::count(usize::try_from(it).unwrap_or(usize::MAX));
        fill(words.worst_cost, &[&number(cost), &number(COST_LIMIT)])
    });
    html! {
        <>
            if table.admission_error.is_none() && table.compile_error.is_none() {
                <p class="sel-sum mute"><span>{words.both_accept}</span>{ for cost.map(|cost| html! { <span>{cost}</span> }) }</p>
            }
            { for table.admission_error.iter().map(|text| line(words.admission_error, text)) }
            if table.compile_error.is_none() && table.admission_error.is_some() {
                <p class="sel-sum mute"><span>{words.scheduler_accepts}</span></p>
            }
            { for table.compile_error.iter().map(|text| line(words.compile_error, text)) }
        </>
    }
}

fn outcome_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::True => "t",
        Outcome::False => "f",
        Outcome::Value => "val",
        Outcome::Error => "err",
        Outcome::Skipped => "skip-v",
    }
}

fn set(words: &'static Words, nodes: &[Node], outer: bool) -> Html {
    let node = |node: &Node| match node {
        Node::Text(text) => coloured(text),
        Node::Part { inside, value, outcome } => {
            let deciding = outer && matches!(outcome, Outcome::False | Outcome::Error);
            let (said, why) = match outcome {
                Outcome::Skipped => (words.part_skipped.to_owned(), Some(value.clone())),
                _ => (value.clone(), None),
            };
            html! {
                <span class="u">
                    <span class="r">{set(words, inside, false)}</span>
                    <span class={classes!("w", outcome_class(*outcome), deciding.then_some("bad"))} title={why}>
                        if deciding { <svg class="ri" aria-hidden="true"><use href={if *outcome == Outcome::Error { "#r-fault" } else { "#r-rule" }} /></svg> }
                        {said}
                    </span>
                </span>
            }
        }
    };
    nodes.iter().map(node).collect()
}

/// Strings, numbers and function names in their colours.
fn coloured(text: &str) -> Html {
    let mut out: Vec<Html> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (class, length) = if first == '"' || first == '\'' {
            let end = rest.char_indices().skip(1).find(|(_, c)| *c == first).map(|(at, _)| at + 1);
            ("st", end.unwrap_or(rest.len()))
        } else if first.is_ascii_digit() {
            ("nu", run(rest, |c| c.is_ascii_alphanumeric() || c == '.'))
        } else if first.is_alphabetic() || first == '_' {
            let end = run(rest, |c| c.is_alphanumeric() || c == '_');
            (if rest.get(end..).is_some_and(|it| it.starts_with('(')) { "fn" } else { "" }, end)
        } else {
            ("", run(rest, |c| !(c.is_alphanumeric() || matches!(c, '"' | '\'' | '_'))))
        };
        let (word, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push(if class.is_empty() {
            html! { {word.to_owned()} }
        } else {
            html! { <span {class}>{word.to_owned()}</span> }
        });
        rest = tail;
    }
    out.into_iter().collect()
}

fn run(text: &str, is_inside: impl Fn(char) -> bool) -> usize {
    text.char_indices().find(|(_, letter)| !is_inside(*letter)).map_or(text.len(), |(at, _)| at)
}

fn typeset_of(
    words: &'static Words,
    trace: &TraceTable,
    column: &TraceColumn,
    expression: &str,
) -> Html {
    let lines = typeset::lines(trace, column);
    let label = fill(words.selector_label, &[&expression, &column.answer]);
    html! {
        <>
            <div class="cel" tabindex="0" role="group" aria-label={label}>
                { for lines.iter().map(|line| html! { <div class="cl"><span class="ex">{set(words, line, true)}</span></div> }) }
            </div>
            <p class="sel-sum">
                <span class={classes!("ans", answer_class(&column.answer))}>{column.answer.clone()}</span>
                if let Some(error) = &column.error { <code>{error.clone()}</code> }
                <span class="mute">{fill(words.cost, &[&format::count(usize::try_from(column.cost).unwrap_or(usize::MAX)), &format::count(usize::try_from(trace.cost_limit).unwrap_or(usize::MAX))])}</span>
            </p>
        </>
    }
}

fn answer_class(answer: &str) -> &'static str {
    match answer {
        "true" => "T",
        "false" => "F",
        "error" => "E",
        _ => "nv",
    }
}

/// A comprehension unfolded: one row for each element, ending where CEL stopped.
fn turns(words: &'static Words, trace: &TraceTable, column: &TraceColumn) -> Html {
    let turns = typeset::turns(trace, column);
    if turns.is_empty() {
        return Html::default();
    }
    html! {
        <details class="unfold" open={turns.len() <= 6}>
            <summary><span class="tri" />{fill(words.comprehension, &[&turns.len()])}</summary>
            <ol class="unf">
                { for turns.iter().take(40).map(|turn| html! {
                    <li><span class="mute">{turn.label()}</span>
                        <span>{ for turn.values.iter().map(|(text, value, outcome)| html! {
                            <span class="pair"><code>{text.clone()}</code>{" "}<b class={outcome_class(*outcome)}>{value.clone()}</b></span>
                        }) }</span>
                    </li>
                }) }
            </ol>
        </details>
    }
}

/// True, false, error, not run: how many devices and which.
fn answers(words: &'static Words, names: &Names<'_>, table: &SelectorTable) -> Html {
    let row = |answer: &dra_playground_core::workspace::report::SelectorAnswer| {
        let (name, _) = names.devices(words, &answer.devices);
        let said = if answer.answer == "not run" { words.not_run } else { answer.answer.as_str() };
        html! {
            <tr>
                <td class={classes!("x", answer_class(&answer.answer))}>{said.to_owned()}</td>
                <td class="num">{format::count(answer.devices.len())}</td>
                <td>{name}{ for answer.error.iter().map(|error| html! { <span class="why"><code>{error.clone()}</code></span> }) }</td>
            </tr>
        }
    };
    html! {
        <table class="tb ansr">
            <caption class="vh">{words.answers}</caption>
            <thead><tr><th scope="col">{words.answer_head}</th><th scope="col" class="num">{words.devices}</th><th scope="col">{words.which}</th></tr></thead>
            <tbody>{ for table.answers.iter().map(row) }</tbody>
        </table>
    }
}

/// A device that stands for all that are treated alike.
#[derive(Clone, Debug, PartialEq)]
struct Sample {
    device: usize,
    name: String,
    note: String,
    run: bool,
}

/// One device of each verdict, the one in question first.
fn samples(
    words: &Words,
    names: &Names<'_>,
    verdicts: &RequestVerdicts,
    table: &SelectorTable,
    device: usize,
) -> (Vec<Sample>, usize) {
    let not_run: Vec<usize> = table
        .answers
        .iter()
        .filter(|answer| answer.answer == "not run")
        .flat_map(|answer| answer.devices.iter().copied())
        .collect();
    let mut out: Vec<Sample> = Vec::new();
    let mut groups: Vec<_> = verdicts.groups.iter().collect();
    groups.order_by_key(|group| !group.devices.contains(&device));
    for group in groups {
        let first = if group.devices.contains(&device) {
            Some(device)
        } else {
            group.devices.first().copied()
        };
        let Some(first) = first else { continue };
        let (name, _) = names.devices(words, &group.devices);
        out.push(Sample {
            device: first,
            name,
            note: group.label.clone(),
            run: !not_run.contains(&first),
        });
    }
    let extra = out.len().saturating_sub(MOST_COLUMNS);
    out.truncate(MOST_COLUMNS);
    (out, extra)
}

/// Every part, one device of each kind.
fn values(
    words: &'static Words,
    trace: &TraceTable,
    samples: &[Sample],
    device: usize,
    extra: usize,
) -> Html {
    let rows = typeset::rows(trace);
    let columns: Vec<(usize, &Sample)> = trace
        .columns
        .iter()
        .enumerate()
        .filter_map(|(at, column)| {
            Some((at, samples.iter().find(|it| it.device == column.device)?))
        })
        .collect();
    if rows.is_empty() || columns.len() < 2 {
        return Html::default();
    }
    let cell = |at: usize, sample: &Sample, values: &[(String, Outcome)]| {
        let (text, class, why) = match values.get(at) {
            _ if !sample.run => (words.not_run.to_owned(), "nv", None),
            None => (words.not_reached_cell.to_owned(), "nv", None),
            Some((why, Outcome::Skipped)) => {
                let why = Some(why.clone()).filter(|why| !why.is_empty());
                (words.not_reached_cell.to_owned(), "nv", why)
            }
            Some((text, outcome)) => (text.clone(), value_class(*outcome), None),
        };
        let on = (sample.device == device).then_some("col-on");
        html! { <td role="cell" class={classes!("x", class, on)} title={why} data-l={sample.name.clone()} data-n={sample.note.clone()}>{text}</td> }
    };
    // Where cells stand one under the other, the roles keep it a table for screen readers; how wide
    // that is, the style sheet measures in letters of the size given here.
    html! {
        <details class="all-values" open=true>
            <summary><span class="tri" />{words.every_part}</summary>
            <div class="scroll" tabindex="0" role="group" aria-label={words.every_part} style={format!("font-size:{}px", 15 + 12 * columns.len())}>
            <table class="tb tr" role="table">
                <caption class="vh">{words.every_part}</caption>
                <thead role="rowgroup"><tr role="row">
                    <th role="columnheader" scope="col">{words.part}</th>
                    { for columns.iter().map(|(_, sample)| html! {
                        <th role="columnheader" scope="col" class={classes!((sample.device == device).then_some("col-on"))}>{sample.name.clone()}<small>{sample.note.clone()}</small></th>
                    }) }
                </tr></thead>
                <tbody role="rowgroup">
                    { for rows.iter().map(|row| html! {
                        <tr role="row">
                            <th role="rowheader" scope="row" class={format!("e in{}", row.depth.min(4))}>{short_text(&row.text)}</th>
                            { for columns.iter().map(|(at, sample)| cell(*at, sample, &row.values)) }
                        </tr>
                    }) }
                </tbody>
            </table>
            </div>
            if extra > 0 { <p class="mute">{fill(words.more, &[&extra])}</p> }
        </details>
    }
}

fn value_class(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::True => "T",
        Outcome::False => "F",
        Outcome::Error => "E",
        Outcome::Value => "",
        Outcome::Skipped => "nv",
    }
}

/// `device.attributes["…"].index` in a table of many is only `….index`.
fn short_text(text: &str) -> String {
    let mut out = text.replace('\n', " ");
    for field in ["attributes", "capacity"] {
        while let Some(start) = out.find(&format!("device.{field}[")) {
            let tail = out.get(start..).unwrap_or_default();
            let Some(length) = tail.find("].") else { break };
            out.replace_range(start..=(start + length), "…");
        }
    }
    out
}
