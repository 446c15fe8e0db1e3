//! Figures in the margin of the sentence: the card in question and its account.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    Analysis, CardView, DeviceState, DeviceView, Ledger, RequestVerdicts, Snapshot, Thing,
};
use yew::{Html, Properties, classes, component, html};

use crate::components::{LineLink, Mark, badge};
use crate::derive::format;
use crate::derive::places::Reference;
use crate::derive::shapes::{self, CardPicture, Fate, Shape};
use crate::hooks::{use_spot, use_words};
use crate::state::Report;
use crate::words::{Words, fill};

/// Letters that a figure has room for.
const LETTERS: f64 = 40.0;

/// Properties of figures of a card.
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct CardProps {
    /// The answer.
    pub(crate) analysis: Report,
    /// Index of the request in question among the snapshot's verdicts.
    pub(crate) request: Option<usize>,
    /// Index of the card in question.
    pub(crate) card: Option<usize>,
    /// Letters of the sentence.
    #[prop_or_else(|| Rc::from([]))]
    pub(crate) references: Rc<[Reference]>,
}

/// A share of a whole as SVG wants it.
pub(crate) fn percent(part: f64) -> String {
    format!("{:.3}%", part * 100.0)
}

/// A letter of the sentence, when one of the things has one.
fn letter_of(references: &[Reference], is_it: impl Fn(&Thing) -> bool) -> Option<&Reference> {
    references.iter().find(|reference| is_it(&reference.thing))
}

fn key(reference: Option<&Reference>) -> Html {
    let Some(reference) = reference else { return Html::default() };
    html! { <Mark thing={reference.thing.clone()} class="key"><span aria-hidden="true">{reference.letter}</span></Mark> }
}

/// The card and the account in question.
#[component]
pub(crate) fn Figures(props: &CardProps) -> Html {
    let words = use_words();
    let spot = use_spot();
    let snapshot = &props.analysis.snapshot;
    let Some(card) = props.card.and_then(|at| snapshot.cards.get(at)) else {
        return Html::default();
    };
    let verdicts = props.request.and_then(|at| snapshot.verdicts.get(at));
    let picture = shapes::card(snapshot, card, verdicts);
    let members = |thing: &Thing| {
        let Thing::Device(key) = thing else { return false };
        card.devices.iter().filter_map(|at| snapshot.devices.get(*at)).any(|it| it.device == *key)
    };
    let lit = spot.as_ref().and_then(|spot| spot.lit().cloned()).is_some_and(|it| members(&it));
    let shared = picture.opened.first().and_then(|opened| {
        let key = &snapshot.devices.get(opened.device)?.device;
        snapshot
            .capacities
            .iter()
            .find(|it| it.driver == key.driver && it.pool == key.pool && it.name == key.device)
    });
    let counters = card.counter_sets.iter().filter_map(|at| snapshot.counter_sets.get(*at));
    html! {
        <div class="side">
            <figure class={classes!("fig", lit.then_some("on"))} id="figure-card">
                <figcaption>{key(letter_of(&props.references, members))}<span><b>{fill(words.card_caption, &[&format::card(snapshot, card)])}</b>
                    { picture.scale.as_ref().map(|(name, _)| fill(words.to_scale_by, &[name])) }</span></figcaption>
                {drawing(words, snapshot, card, &picture)}
                {strip(words, snapshot, card)}
            </figure>
            <div id="figure-ledger">
                { for counters.map(|ledger| account(words, &props.analysis, ledger, &props.references, Account::Counters, verdicts)) }
                { for shared.map(|ledger| account(words, &props.analysis, ledger, &props.references, Account::Capacity, None)) }
            </div>
        </div>
    }
}

fn shape_class(shape: &Shape) -> &'static str {
    match (shape.state, shape.fate) {
        (DeviceState::Taken | DeviceState::Shared, _) => "used",
        (_, Fate::Refused) => "ask",
        (DeviceState::CountersShort, _) => "out-of",
        (DeviceState::Free, _) => "free",
    }
}

/// Shapes over one axis, largest first.
fn drawing(
    words: &'static Words,
    snapshot: &Snapshot,
    card: &CardView,
    picture: &CardPicture,
) -> Html {
    let rows: Vec<&Vec<Shape>> = picture.rows.iter().take(5).collect();
    let height = rows.len() * 46 + 20;
    let parts: Vec<String> = rows
        .iter()
        .flat_map(|row| row.iter())
        .filter_map(|shape| {
            let device = snapshot.devices.get(shape.device)?;
            Some(format!("{} {}", device.device.device, word(words, shape, device)))
        })
        .collect();
    let total = picture.scale.as_ref().map(|(_, total)| total.clone());
    let axis = rows.len() * 46 + 4;
    html! {
        <svg class="draw" height={height.to_string()} role="img" aria-label={parts.join("; ")}>
            { for rows.iter().enumerate().map(|(at, row)| {
                let y = at * 46;
                html! { { for row.iter().enumerate().map(|(at, shape)| {
                    let until = row.get(at + 1).map_or(1.0, |next| next.x);
                    shape_of(words, snapshot, card, shape, (y, until), row.len())
                }) } }
            }) }
            { for total.map(|total| html! {
                <>
                    <line class="ax" x1="0" x2="100%" y1={axis.to_string()} y2={axis.to_string()} />
                    <text class="t-3" x="0" y={(axis + 14).to_string()}>{"0"}</text>
                    <text class="t-3" x="100%" y={(axis + 14).to_string()} text-anchor="end">{total}</text>
                </>
            }) }
        </svg>
    }
}

fn word(words: &'static Words, shape: &Shape, device: &DeviceView) -> String {
    let pods: Vec<&str> =
        device.holders.iter().flat_map(|it| it.pods.iter().map(String::as_str)).collect();
    match (shape.state, shape.fate) {
        (DeviceState::Taken | DeviceState::Shared, _) => {
            fill(words.held_by, &[&pods.join(words.comma)])
        }
        (_, Fate::Refused) if shape.amount.is_empty() => words.refused.to_owned(),
        (_, Fate::Refused) => fill(words.asks, &[&shape.amount]),
        (DeviceState::CountersShort, _) => words.cannot_now.to_owned(),
        (DeviceState::Free, _) => super::bench::idle(words, device),
    }
}

/// A shape with its name and its state, as far as there is room `until` the next one begins.
fn shape_of(
    words: &'static Words,
    snapshot: &Snapshot,
    card: &CardView,
    shape: &Shape,
    (y, until): (usize, f64),
    beside: usize,
) -> Html {
    let Some(device) = snapshot.devices.get(shape.device) else { return Html::default() };
    let name = &device.device.device;
    let short = match name.strip_prefix(card.name.as_str()) {
        Some(rest) if beside > 1 => format!("…{}", rest.trim_start_matches('-')),
        _ => name.clone(),
    };
    let class = match (shape.state, shape.fate) {
        (DeviceState::Taken | DeviceState::Shared, _) => "c-held b",
        (_, Fate::Refused) => "c-qty b",
        _ => "t-3",
    };
    let said = word(words, shape, device);
    let end = shape.x + shape.width;
    let fits = |text: &str, room: f64| {
        f64::from(u32::try_from(text.chars().count()).unwrap_or(99)) < room * LETTERS
    };
    html! {
        <>
            if fits(&short, until - shape.x) { <text class="t-m" x={percent(shape.x)} y={(y + 11).to_string()}>{short}</text> }
            <svg x={percent(shape.x)} y={(y + 16).to_string()} width={percent(shape.width)} height="24">
                <rect class={shape_class(shape)} x="1" y="1" width="100%" height="22" />
                <line class="cutline" x1="100%" x2="100%" y1="1" y2="23" />
            </svg>
            if fits(&said, shape.width) {
                <svg x={percent(shape.x + shape.width / 2.0)} y={(y + 16).to_string()} overflow="visible">
                    <rect class="tagbg" x={format!("-{}", said.chars().count() * 3 + 5)} y="5" width={(said.chars().count() * 6 + 10).to_string()} height="14" />
                    <text {class} x="0" y="16" text-anchor="middle">{said}</text>
                </svg>
            } else if fits(&said, until - end) {
                <text {class} x={percent(end)} dx="8" y={(y + 32).to_string()}>{said}</text>
            }
        </>
    }
}

/// All cards small, the one in question named.
fn strip(words: &'static Words, snapshot: &Snapshot, card: &CardView) -> Html {
    let own = |it: &&CardView| it.pool == card.pool && it.driver == card.driver;
    let cards: Vec<&CardView> = snapshot.cards.iter().filter(own).collect();
    if cards.len() < 2 || cards.len() > 16 || card.counter_sets.is_empty() {
        return Html::default();
    }
    let names: Vec<&str> = cards.iter().map(|it| it.name.as_str()).collect();
    let labels = crate::derive::strands::labels(&names);
    let slot = 1.0 / f64::from(u32::try_from(cards.len()).unwrap_or(1));
    html! {
        <>
            <p class="strip-l mute">{words.all_cards}</p>
            <svg class="draw" height="30" aria-hidden="true">
                { for cards.iter().enumerate().map(|(at, it)| {
                    let x = f64::from(u32::try_from(at).unwrap_or(0)) * slot;
                    let used = it.counter_sets.first().and_then(|at| snapshot.counter_sets.get(*at)).map_or(0.0, used_of);
                    let here = *it == card;
                    html! {
                        <>
                            <svg x={percent(x)} y="0" width={percent(slot * 0.8)} height="14">
                                <rect class="free" x="0.5" y="0.5" width="100%" height="13" />
                                if used > 0.0 { <rect class="used" x="0.5" y="0.5" width={percent(used)} height="13" /> }
                                <line class="cutline" x1="100%" x2="100%" y1="0.5" y2="13.5" />
                            </svg>
                            <text class={if here { "b ink" } else { "t-3" }} x={percent(x + slot * 0.4)} y="27" text-anchor="middle">{labels.get(at).cloned()}</text>
                        </>
                    }
                }) }
            </svg>
        </>
    }
}

fn used_of(ledger: &Ledger) -> f64 {
    let shares = ledger.columns.iter().filter(|column| column.total_units > 0.0);
    let used = shares.map(|column| (column.total_units - column.left_units) / column.total_units);
    used.fold(0.0, f64::max).clamp(0.0, 1.0)
}

/// What an account is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Account {
    /// A counter set.
    Counters,
    /// A shareable device.
    Capacity,
}

/// The thing that an account is of.
pub(crate) fn account_thing(ledger: &Ledger, account: Account) -> Thing {
    let (driver, pool, name) = (ledger.driver.clone(), ledger.pool.clone(), ledger.name.clone());
    match account {
        Account::Counters => Thing::CounterSet(driver, pool, name),
        Account::Capacity => Thing::Device(dra_playground_core::workspace::report::DeviceKey {
            driver,
            pool,
            device: name,
        }),
    }
}

/// What the devices that were refused for want of counters would draw from an account.
fn not_booked(
    words: &'static Words,
    analysis: &Analysis,
    ledger: &Ledger,
    asking: &RequestVerdicts,
) -> Html {
    let short = asking.groups.iter().filter(|it| it.stage == "counters");
    let devices =
        short.flat_map(|it| &it.devices).filter_map(|at| analysis.snapshot.devices.get(*at));
    let row = |device: &DeviceView| {
        html! {
            <tr class="qty">
                <td>{fill(words.asks, &[&device.device.device])}<small>{words.not_booked}</small></td>
                { for ledger.columns.iter().map(|it| html! { <td>{shapes::draw_of(device, &ledger.name, &it.name).map_or("", |it| it.1).to_owned()}</td> }) }
            </tr>
        }
    };
    let own = |it: &&DeviceView| {
        it.device.pool == ledger.pool
            && it.device.driver == ledger.driver
            && it.consumes.iter().any(|drawn| drawn.counter_set == ledger.name)
    };
    devices.filter(own).take(4).map(row).collect()
}

/// An account: opening balance, bookings, balance, and what was asked of it and not booked.
pub(crate) fn account(
    words: &'static Words,
    analysis: &Analysis,
    ledger: &Ledger,
    references: &[Reference],
    kind: Account,
    asking: Option<&RequestVerdicts>,
) -> Html {
    let thing = Rc::new(account_thing(ledger, kind));
    let reference = letter_of(references, |it| *it == *thing);
    let minus = |amount: &str| {
        if amount.is_empty() || amount == "0" { "0".to_owned() } else { format!("−{amount}") }
    };
    html! {
        <Mark tag="figure" class="fig" thing={thing.clone()} range={ledger.range}>
            <figcaption>{key(reference)}<span><b>{fill(words.account_of, &[&ledger.name])}</b>{" "}{format::after_step(words, analysis)}</span></figcaption>
            <div class="scroll" tabindex="0" role="group" aria-label={fill(words.account_of, &[&ledger.name])}>
            <table class="led" data-ledger={ledger.name.clone()}>
                <thead><tr><th scope="col">{words.entry}</th>{ for ledger.columns.iter().map(|it| html! { <th scope="col">{it.name.clone()}</th> }) }</tr></thead>
                <tbody>
                    <tr><td><b>{words.opening}</b><small><LineLink range={ledger.range} /></small></td>
                        { for ledger.columns.iter().map(|it| html! { <td>{it.total.clone()}</td> }) }</tr>
                    { for ledger.entries.iter().take(24).map(|entry| {
                        let who = if entry.pods.is_empty() { entry.claim.name.clone() } else { entry.pods.join(words.comma) };
                        html! {
                            <tr>
                                <td><b>{who}</b>{" "}{fill(words.takes, &[&entry.device.device])}
                                    <small>{format::claim_at_step(words, analysis, &entry.claim.name, entry.step)}
                                        { for entry.share_id.iter().map(|id| html! { <>{" · "}{fill(words.share_n, &[&super::bench::short_id(id)])}</> }) }
                                    </small>
                                    if !entry.rule.is_empty() { <small>{entry.rule.clone()}</small> }
                                </td>
                                { for entry.amounts.iter().map(|amount| html! { <td>{minus(amount)}</td> }) }
                            </tr>
                        }
                    }) }
                    if ledger.entries.len() > 24 {
                        <tr><td colspan={(ledger.columns.len() + 1).to_string()}>{fill(words.more, &[&format::count(ledger.entries.len() - 24)])}</td></tr>
                    }
                    <Mark tag="tr" class="bal" {thing}><td>{words.balance}</td>{ for ledger.columns.iter().map(|it| html! { <td data-left={it.name.clone()}>{it.left.clone()}</td> }) }</Mark>
                    { for asking.map(|it| not_booked(words, analysis, ledger, it)) }
                </tbody>
            </table>
            </div>
            { for ledger.marks.iter().map(|mark| html! {
                <p data-mark={mark.kind.clone()}>{badge(dra_playground_core::workspace::report::Family::Fault, &mark.text)}</p>
            }) }
            if ledger.entries.is_empty() { {badge(dra_playground_core::workspace::report::Family::None, words.nothing_booked)} }
        </Mark>
    }
}
