//! Two runs side by side: other releases, gates, corrected bugs, or an earlier state of the text.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Analysis, Answer, Behavior, CompareCell, CompareRow, Comparison, Options, Query,
};
use yew::{
    AttrValue, Callback, Event, Html, TargetCast, classes, component, html, use_effect_with,
    use_state,
};

use super::PanelProps;
use super::export::PanelHead;
use crate::components::badge;
use crate::derive::format;
use crate::hooks::{use_state_handle, use_words, use_worker};
use crate::words::{Words, fill};

/// A state of the page that was kept for comparison.
type Kept = Rc<(AttrValue, Options)>;

/// What the present state is compared with, and the outcome of every Pod on both sides.
#[component]
pub(crate) fn Compare(props: &PanelProps) -> Html {
    let words = use_words();
    let worker = use_worker();
    let choice = use_state(String::new);
    let kept = use_state(|| None::<Kept>);
    let found = use_state(|| None::<Rc<Comparison>>);
    let state = use_state_handle();
    let answered = state.as_ref().map_or(0, |state| state.answered);
    {
        let (found, kept) = (found.clone(), kept.clone());
        let options = state.as_ref().map(|state| state.options.clone());
        let key = (answered, (*choice).clone());
        use_effect_with(key, move |(_, choice)| {
            let other = options.and_then(|now| other(choice, &now, (*kept).as_deref()));
            match (other, worker) {
                (Some((text, options)), Some(worker)) => {
                    let done = Callback::from(move |answer| {
                        if let Answer::Compare(comparison) = answer {
                            found.set(Some(Rc::new(comparison)));
                        }
                    });
                    worker.query(Query::Compare { text, options }, done);
                }
                _ => found.set(None),
            }
        });
    }
    let Some(state) = state else { return Html::default() };
    if props.analysis.snapshot.pods.is_empty() {
        return Html::default();
    }
    let onchange = {
        let choice = choice.clone();
        Callback::from(move |event: Event| {
            if let Some(select) = event.target_dyn_into::<web_sys::HtmlSelectElement>() {
                choice.set(select.value());
            }
        })
    };
    let keep = {
        let (kept, choice) = (kept.clone(), choice.clone());
        Callback::from(move |_| {
            kept.set(Some(Rc::new((state.text.clone(), state.options.clone()))));
            choice.set("kept".to_owned());
        })
    };
    html! {
        <section class="full" id="compare">
            <PanelHead id="compare" title={words.compare} how={words.compare_how} />
            <p class="ctls search-c">
                <label>{words.compare_with}{" "}
                    <select id="compare-with" {onchange}>{choices(words, &props.analysis, &choice, kept.is_some())}</select></label>
                <button type="button" class="btn ghost" id="keep-state" onclick={keep}>{words.compare_keep}</button>
            </p>
            { for found.iter().map(|it| table(words, it)) }
        </section>
    }
}

fn choices(words: &'static Words, analysis: &Analysis, chosen: &str, kept: bool) -> Html {
    let option = |value: String, text: String| {
        let selected = value == chosen;
        html! { <option value={value} {selected}>{text}</option> }
    };
    let now = &analysis.kubernetes;
    let behavior = match now.behavior {
        Behavior::Fixed => option("behavior:asReleased".to_owned(), words.as_released.to_owned()),
        Behavior::AsReleased => option("behavior:fixed".to_owned(), words.fixed.to_owned()),
    };
    let releases = now.versions.iter().filter(|it| **it != now.version);
    let changed = now.gates.iter().any(|gate| gate.enabled != gate.default);
    let gates = now.gates.iter().filter(|gate| !gate.stage.is_empty());
    html! {
        <>
            {option(String::new(), words.compare_nothing.to_owned())}
            {behavior}
            if kept { {option("kept".to_owned(), words.compare_kept.to_owned())} }
            if changed { {option("gates".to_owned(), words.defaults.to_owned())} }
            { for analysis.steps.iter().enumerate().filter(|(at, _)| *at != analysis.step).take(64).map(|(at, step)| {
                let name = if step.operation == "objects" { words.objects_read } else { step.name.as_str() };
                option(format!("step:{at}"), fill(words.compare_step, &[&at, &name]))
            }) }
            { for releases.map(|it| option(format!("release:{it}"), format!("Kubernetes {it}"))) }
            { for gates.map(|gate| {
                let (to, word) = if gate.enabled { ("false", words.off) } else { ("true", words.on) };
                option(format!("gate:{}:{to}", gate.name), format!("{} {word}", gate.name))
            }) }
        </>
    }
}

/// The other side of a comparison: another text, and what is set beside it.
fn other(
    choice: &str,
    now: &Options,
    kept: Option<&(AttrValue, Options)>,
) -> Option<(Option<String>, Options)> {
    let mut options = now.clone();
    match choice.split_once(':') {
        Some(("behavior", value)) => {
            let fixed = value == "fixed";
            options.behavior = Some(if fixed { Behavior::Fixed } else { Behavior::AsReleased });
        }
        Some(("release", version)) => options.kubernetes_version = Some(version.to_owned()),
        Some(("step", step)) => options.step = step.parse().ok(),
        Some(("gate", gate)) => {
            let (name, on) = gate.split_once(':')?;
            options.feature_gates.insert(name.to_owned(), on == "true");
        }
        _ if choice == "gates" => options.feature_gates.clear(),
        _ if choice == "kept" => {
            let (text, options) = kept?;
            return Some((Some(text.to_string()), options.clone()));
        }
        _ => return None,
    }
    Some((None, options))
}

fn table(words: &'static Words, found: &Comparison) -> Html {
    let line = |row: &CompareRow| {
        html! {
            <tr class={classes!(row.differs.then_some("on"))} data-differs={row.differs.to_string()}>
                <th scope="row">{row.object.name.clone()}
                    if row.differs { <small>{words.compare_differs}</small> }</th>
                <td data-l={words.compare_now}>{cell(words, row.left.as_ref())}</td>
                <td data-l={words.compare_other}>{cell(words, row.right.as_ref())}</td>
            </tr>
        }
    };
    html! {
        <>
            <p id="compare-sum" role="status">{fill(words.compare_sum, &[&format::count(found.differences), &format::count(found.rows.len())])}</p>
            <div class="scroll" tabindex="0" role="group" aria-label={words.compare}>
            <table class="tb stack cmp">
                <caption class="vh">{words.compare}</caption>
                <thead><tr><th scope="col">{"Pod"}</th>
                    <th scope="col">{words.compare_now}<small>{found.left.clone()}</small></th>
                    <th scope="col">{words.compare_other}<small>{found.right.clone()}</small></th></tr></thead>
                <tbody>{ for found.rows.iter().map(line) }</tbody>
            </table>
            </div>
            if !found.balances.is_empty() {
                <table class="tb" id="compare-balances">
                    <caption class="vh">{words.balances}</caption>
                    <thead><tr><th scope="col">{words.balances}</th><th scope="col">{words.compare_now}</th><th scope="col">{words.compare_other}</th></tr></thead>
                    <tbody>{ for found.balances.iter().take(60).map(|[name, left, right]| html! {
                        <tr><td><code>{name.clone()}</code></td><td>{left.clone()}</td><td>{right.clone()}</td></tr>
                    }) }</tbody>
                </table>
            }
        </>
    }
}

fn cell(words: &'static Words, cell: Option<&CompareCell>) -> Html {
    let Some(cell) = cell else { return html! { <span class="mute">{words.not_there}</span> } };
    let mut where_it_is = cell.devices.join(words.comma);
    if let Some(node) = &cell.node {
        where_it_is =
            if where_it_is.is_empty() { node.clone() } else { format!("{where_it_is} · {node}") };
    }
    html! {
        <>
            {badge(cell.family, &cell.status)}
            if !where_it_is.is_empty() { {" "}<code>{where_it_is}</code> }
            if !cell.cause.is_empty() { <span class="why">{cell.cause.clone()}</span> }
        </>
    }
}
