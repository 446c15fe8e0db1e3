//! What is wrong or odd: diagnostics, expectations, remarks.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Behavior, Diagnostic, Expectation, Family, Remark, Severity,
};
use yew::{Callback, Html, MouseEvent, Properties, classes, component, html};

use super::PanelProps;
use crate::components::{LineLink, PageLink, Sentence, badge, icon, prose};
use crate::derive::format;
use crate::hooks::{use_editor_link, use_state_handle, use_words};
use crate::state::Action;
use crate::words::{Words, fill};

/// Most diagnostics that are listed.
const MOST: usize = 100;

/// Diagnostics of the newest text.
#[component]
pub(crate) fn Diagnostics(props: &PanelProps) -> Html {
    let words = use_words();
    let all = &props.analysis.diagnostics;
    if all.is_empty() {
        return Html::default();
    }
    let hidden = all.len().saturating_sub(MOST);
    html! {
        <section class="full" id="diagnostics">
            <div class="h"><h2>{words.diagnostics}</h2><p>{tally(words, all)}</p></div>
            <ul class="finds">
                { for all.iter().take(MOST).map(|it| html! { <Finding diagnostic={Rc::new(it.clone())} /> }) }
                if hidden > 0 { <li class="mute">{fill(words.more, &[&format::count(hidden)])}</li> }
            </ul>
        </section>
    }
}

/// `1 error, 2 warnings`.
pub(crate) fn tally(words: &'static Words, all: &[Diagnostic]) -> String {
    let of = |severity: Severity| all.iter().filter(|it| it.severity == severity).count();
    let parts = [
        (of(Severity::Error), words.error_1, words.errors_n),
        (of(Severity::Warning), words.warning_1, words.warnings_n),
        (of(Severity::Note), words.note_1, words.notes_n),
    ];
    let said =
        parts.iter().filter(|(count, ..)| *count > 0).map(|(count, one, many)| match count {
            1 => (*one).to_owned(),
            count => fill(many, &[count]),
        });
    said.collect::<Vec<_>>().join(words.comma)
}

/// Icon and class of a severity.
pub(crate) fn severity(severity: Severity) -> (&'static str, &'static str) {
    match severity {
        Severity::Error => ("r-fault", "error"),
        Severity::Warning => ("i-hint", "warning"),
        Severity::Note => ("i-note", "note"),
    }
}

/// Properties of [`Finding`].
#[derive(Clone, Debug, PartialEq, Properties)]
struct FindingProps {
    diagnostic: Rc<Diagnostic>,
}

#[component]
fn Finding(props: &FindingProps) -> Html {
    let words = use_words();
    let link = use_editor_link();
    let Some(state) = use_state_handle() else { return Html::default() };
    let found = &props.diagnostic;
    let (mark, class) = severity(found.severity);
    let severity_word = match found.severity {
        Severity::Error => words.error,
        Severity::Warning => words.warning,
        Severity::Note => words.note,
    };
    html! {
        <li class={classes!("find-i", class)} data-code={found.code.clone()}>
            {icon(mark)}
            <div>
                <p><span class="vh">{severity_word}{words.colon}</span><b>{prose(&found.message)}</b>{" "}<LineLink range={found.range} /></p>
                { for found.upstream.iter().map(|text| html! { <p><code>{text.clone()}</code></p> }) }
                { for found.notes.iter().map(|text| html! { <p class="mute">{prose(text)}</p> }) }
                { for found.related.iter().map(|(range, text)| html! { <p class="mute">{prose(text)}{" "}<LineLink range={*range} /></p> }) }
                if !found.fixes.is_empty() {
                    <div class="fix">
                        { for found.fixes.iter().map(|fix| {
                            let (fix, link, state) = (fix.clone(), link.clone(), state.clone());
                            let title = prose(&fix.title);
                            html! { <button type="button" onclick={Callback::from(move |_| link.fix(&fix.edits, &state))}>{title}</button> }
                        }) }
                    </div>
                }
                <p class="code-n"><PageLink folder="diagnostics" code={found.code.clone()}><code>{found.code.clone()}</code></PageLink></p>
            </div>
        </li>
    }
}

/// Expectation lines that were checked.
#[component]
pub(crate) fn Expectations(props: &PanelProps) -> Html {
    let words = use_words();
    let all = &props.analysis.expectations;
    if all.is_empty() {
        return Html::default();
    }
    let failed = all.iter().filter(|it| !it.passed).count();
    let title = match failed {
        0 => fill(words.expectations_hold, &[&all.len()]),
        failed => fill(words.expectations_fail, &[&failed, &all.len()]),
    };
    let line = |it: &Expectation| {
        let family = if it.passed { Family::Fit } else { Family::Fault };
        html! {
            <li class={classes!("find-i", (!it.passed).then_some("error"))} data-passed={it.passed.to_string()}>
                {badge(family, if it.passed { words.holds } else { words.fails })}
                <div><p><code>{it.line.clone()}</code>{" "}<LineLink range={it.range} />{" "}<span class="mute">{fill(words.at_step, &[&it.step])}</span></p>
                    if !it.passed && !it.found.is_empty() { <p>{fill(words.found_instead, &[&it.found])}</p> }</div>
            </li>
        }
    };
    html! {
        <section class="full" id="expectations">
            <details open={failed > 0}>
                <summary class="h2"><span class="tri" /><h2>{title}</h2></summary>
                <ul class="finds">{ for all.iter().map(line) }</ul>
            </details>
        </section>
    }
}

/// What a reader must know to trust the answer.
#[component]
pub(crate) fn Remarks(props: &PanelProps) -> Html {
    let words = use_words();
    let state = use_state_handle();
    let all = &props.analysis.remarks;
    if all.is_empty() {
        return Html::default();
    }
    let kind = |it: &Remark| match it.kind.as_str() {
        "known-bug" => words.known_bug,
        "random-order" => words.random_order,
        "not-modelled" => words.not_modelled,
        _ => words.choice,
    };
    let see_fixed = state.map(|state| {
        Callback::from(move |_: MouseEvent| {
            state.dispatch(Action::Behavior(Some(Behavior::Fixed)));
        })
    });
    html! {
        <section class="full" id="remarks">
            <div class="h"><h2>{words.remarks}</h2><p>{words.remarks_how}</p></div>
            <ul class="finds">{ for all.iter().map(|it| html! {
                <li class="find-i note"><span class="tag">{kind(it)}</span>
                    <p><Sentence phrase={Rc::new(it.text.clone())} />
                        { for it.reference.iter().map(|text| html! { <>{" "}<code>{text.clone()}</code></> }) }
                        { for it.fixed_in.iter().map(|text| html! { <span class="mute">{" "}{fill(words.fixed_in, &[text])}</span> }) }
                        if it.kind == "known-bug" { <>{" "}</><button type="button" class="small" onclick={see_fixed.clone()}>{words.see_fixed}</button> }</p></li>
            }) }</ul>
        </section>
    }
}
