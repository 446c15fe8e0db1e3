//! Balances: every counter set and every shareable capacity, with what is left and by whom.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Analysis, Ledger, LedgerColumn};
use yew::{Html, component, html};

use super::PanelProps;
use super::export::PanelHead;
use super::figures::{Account, account, account_thing, percent};
use crate::components::Mark;
use crate::derive::format;
use crate::hooks::use_words;
use crate::words::{Words, fill};

/// Most accounts with bookings that are shown one by one.
const MOST: usize = 60;
/// Most alike accounts that are listed when their line is opened.
const MOST_ALIKE: usize = 400;

/// All balances.
#[component]
pub(crate) fn Balances(props: &PanelProps) -> Html {
    let words = use_words();
    let snapshot = &props.analysis.snapshot;
    if snapshot.counter_sets.is_empty() && snapshot.capacities.is_empty() {
        return Html::default();
    }
    html! {
        <section class="full" id="balances">
            <PanelHead id="balances" title={words.balances} how={format::after_step(words, &props.analysis)} />
            {group(words, &props.analysis, &snapshot.counter_sets, Account::Counters)}
            {group(words, &props.analysis, &snapshot.capacities, Account::Capacity)}
        </section>
    }
}

fn group(words: &'static Words, analysis: &Analysis, ledgers: &[Ledger], kind: Account) -> Html {
    if ledgers.is_empty() {
        return Html::default();
    }
    let (title, id) = match kind {
        Account::Counters => (words.counter_sets, "counter-sets"),
        Account::Capacity => (words.capacities, "capacities"),
    };
    let is_telling = |it: &&Ledger| !it.entries.is_empty() || !it.marks.is_empty();
    let booked: Vec<&Ledger> = ledgers.iter().filter(is_telling).collect();
    let mut untouched: Vec<(&Ledger, Vec<&Ledger>)> = Vec::new();
    for ledger in ledgers.iter().filter(|it| !is_telling(it)) {
        let alike = |group: &(&Ledger, Vec<&Ledger>)| group.0.columns == ledger.columns;
        match untouched.iter().position(alike).and_then(|at| untouched.get_mut(at)) {
            Some((_, all)) => all.push(ledger),
            None => untouched.push((ledger, vec![ledger])),
        }
    }
    let hidden = booked.len().saturating_sub(MOST);
    html! {
        <div class="scroll" tabindex="0" role="group" aria-label={title}>
        <table class="tb bal-t" {id}>
            <caption class="vh">{title}</caption>
            <thead><tr><th scope="col">{title}</th><th scope="col">{words.left_of_total}</th><th scope="col">{words.used_by}</th></tr></thead>
            <tbody>
                { for booked.iter().take(MOST).map(|it| line(words, analysis, it, kind)) }
                if hidden > 0 { <tr><td colspan="3" class="mute">{fill(words.more, &[&format::count(hidden)])}</td></tr> }
                { for untouched.iter().map(|(first, all)| alike_line(words, first, all, kind)) }
            </tbody>
        </table>
        </div>
    }
}

/// Total, left, and a bar to scale for each column.
fn columns(words: &'static Words, columns: &[LedgerColumn]) -> Html {
    columns
        .iter()
        .map(|column| {
            let total = column.total_units.max(f64::MIN_POSITIVE);
            let used = ((column.total_units - column.left_units) / total).clamp(0.0, 1.0);
            html! {
                <span class="bal-c">
                    <svg class="bar-s" aria-hidden="true"><rect class="free" x="0.5" y="0.5" width="100%" height="9" />
                        if used > 0.0 { <rect class="used" x="0" y="0" width={percent(used)} height="10" /> }</svg>
                    <span><b data-left={column.name.clone()}>{column.left.clone()}</b>
                        <span class="mute">{fill(words.of_total, &[&column.total, &column.name])}</span></span>
                </span>
            }
        })
        .collect()
}

fn line(words: &'static Words, analysis: &Analysis, ledger: &Ledger, kind: Account) -> Html {
    let who: Vec<String> = ledger
        .entries
        .iter()
        .map(|entry| {
            let owner = if entry.pods.is_empty() {
                entry.claim.name.clone()
            } else {
                entry.pods.join(words.comma)
            };
            match kind {
                Account::Counters => format!("{owner} ({})", entry.device.device),
                Account::Capacity => owner,
            }
        })
        .collect();
    let thing = Rc::new(account_thing(ledger, kind));
    html! {
        <Mark tag="tr" {thing} range={ledger.range}>
            <td data-ledger={ledger.name.clone()}>
                <details><summary><span class="tri" /><code>{ledger.name.clone()}</code></summary>
                    {account(words, analysis, ledger, &[], kind, None)}</details>
                { for ledger.marks.iter().map(|mark| html! { <small class="c-fault">{mark.text.clone()}</small> }) }
            </td>
            <td>{columns(words, &ledger.columns)}</td>
            <td>{who.join(words.comma)}</td>
        </Mark>
    }
}

fn alike_line(words: &'static Words, first: &Ledger, all: &[&Ledger], kind: Account) -> Html {
    let last = all.last().map_or("", |it| it.name.as_str());
    let single = all.len() == 1;
    let label = if single { first.name.clone() } else { format!("{} … {last}", first.name) };
    let hidden = all.len().saturating_sub(MOST_ALIKE);
    let thing = single.then(|| Rc::new(account_thing(first, kind)));
    html! {
        <Mark tag="tr" {thing} range={first.range}>
            <td data-ledger={single.then(|| first.name.clone())}>
                if single {
                    <code>{label}</code>
                } else {
                    <details><summary><span class="tri" /><code>{label}</code>{" "}<span class="mute nw">{fill(words.alike_n, &[&format::count(all.len())])}</span></summary>
                        <ul class="dl" tabindex="0">{ for all.iter().take(MOST_ALIKE).map(|it| html! {
                            <li data-ledger={it.name.clone()}><code>{it.name.clone()}</code>{ for it.columns.iter().enumerate().map(|(at, c)| html! { <span>{if at > 0 { words.comma } else { " " }}<span data-left={c.name.clone()}>{c.left.clone()}</span>{" "}{fill(words.of_total, &[&c.total, &c.name])}</span> }) }</li>
                        }) }
                        if hidden > 0 { <li>{fill(words.more, &[&format::count(hidden)])}</li> }</ul>
                    </details>
                }
            </td>
            <td>{columns(words, &first.columns)}</td>
            <td class="mute">{words.nobody}</td>
        </Mark>
    }
}
