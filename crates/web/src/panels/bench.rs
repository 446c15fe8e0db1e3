//! The rack and its bench: every card small, one card large and to scale.

use std::rc::Rc;

use dra_playground_core::workspace::report::{
    CardView, DeviceState, DeviceView, RequestVerdicts, Snapshot, Thing,
};
use yew::{AttrValue, Callback, Html, MouseEvent, classes, component, html};

use super::export::PanelHead;
use super::figures::{CardProps, percent};
use super::pools::{Pools, turn};
use crate::components::{Mark, badge};
use crate::derive::format;
use crate::derive::racks::{racks, shown};
use crate::derive::shapes::{self, CardPicture, Fate, Gauge, Opened, Shape};
use crate::derive::sketch;
use crate::hooks::{use_state_handle, use_words};
use crate::state::{Action, StateHandle};
use crate::words::{Words, fill};

/// Largest width of the card within its figure; the rest is free for what sticks out.
const CARD: f64 = 0.7;

/// Width of the card within its figure: what sticks out furthest still fits, to the same scale.
fn scale_of(picture: &CardPicture) -> f64 {
    let shorts = picture.gauges.iter().filter_map(|gauge| gauge.short.as_ref());
    let slabs = picture.opened.iter().flat_map(|opened| &opened.slabs);
    let ends = shorts.map(|(width, _)| 1.0 + width).chain(slabs.map(|slab| slab.x + slab.width));
    (0.995 / ends.fold(1.0, f64::max)).clamp(0.05, CARD)
}

/// The rack with its bench.
#[component]
pub(crate) fn Bench(props: &CardProps) -> Html {
    let words = use_words();
    let Some(state) = use_state_handle() else { return Html::default() };
    let snapshot = &props.analysis.snapshot;
    let Some((index, card)) = props.card.and_then(|at| Some((at, snapshot.cards.get(at)?))) else {
        return Html::default();
    };
    let verdicts = props.request.and_then(|at| snapshot.verdicts.get(at));
    let picture = shapes::card(snapshot, card, verdicts);
    let scale = picture.scale.as_ref().map(|(name, total)| fill(words.to_scale, &[name, total]));
    let about: Vec<String> = model(snapshot, card).into_iter().chain(scale).collect();
    let about = about.join(" · ");
    let (pools, others) = racks(snapshot, index);
    let width = scale_of(&picture);
    let after = format::after_step(words, &props.analysis);
    let how = if after.is_empty() {
        words.rack_how.to_owned()
    } else {
        format!("{after} · {}", words.rack_how)
    };
    html! {
        <section class="full" id="rack">
            <PanelHead id="rack" title={words.rack} how={how} />
            <div class="rack">
                { for pools.iter().map(|(first, cards)| html! {
                    <>
                        {rack_head(words, snapshot, first, cards)}
                        <div class="slots" role="group" aria-label={first.pool.clone()}>
                            { for shown(cards, index).iter().map(|at| slot(&state, words, snapshot, *at, index)) }
                        </div>
                        {turn(&state, words, snapshot, cards, index)}
                    </>
                }) }
                if !others.is_empty() { <Pools ..props.clone() /> }
                <div class="bench">
                    <p class="bench-t"><b class="m">{format::card(snapshot, card)}</b>{" "}
                        <span class="mute">{about}</span></p>
                    { for picture.gauges.iter().map(|it| gauge(words, it, width)) }
                    {rows(words, snapshot, &card.name, &picture, width)}
                    { for picture.opened.iter().map(|it| opened(words, snapshot, it, width)) }
                    {claims(words, snapshot, card, verdicts, &picture)}
                </div>
            </div>
        </section>
    }
}

/// A pool, the node that reaches it, and how much is in it.
fn rack_head(
    words: &'static Words,
    snapshot: &Snapshot,
    first: &CardView,
    cards: &[usize],
) -> Html {
    let pool = snapshot.pools.iter().find(|it| it.driver == first.driver && it.pool == first.pool);
    let members = cards.iter().filter_map(|at| snapshot.cards.get(*at)).flat_map(|it| &it.devices);
    let devices: Vec<&DeviceView> = members.filter_map(|at| snapshot.devices.get(*at)).collect();
    let node = devices.first().and_then(|it| it.node.as_ref());
    let node =
        node.filter(|it| **it != first.pool && devices.iter().all(|d| d.node.as_ref() == Some(it)));
    html! {
        <p class="rack-h">
            <b class="m">{first.pool.clone()}</b>{" "}<span class="m">{first.driver.clone()}</span>
            { for node.map(|it| html! { <span>{words.node}{" "}<span class="m">{it.clone()}</span></span> }) }
            { for pool.map(|pool| html! {
                <span>{fill(words.pool_line, &[&pool.generation, &pool.slices, &pool.expected_slices])}</span>
            }) }
            <span>{fill(words.cards_devices, &[&format::count(cards.len()), &format::count(devices.len())])}</span>
        </p>
    }
}

/// A word about the hardware: the value of an attribute that names its model.
fn model(snapshot: &Snapshot, card: &CardView) -> Option<String> {
    let device = card.devices.first().and_then(|at| snapshot.devices.get(*at));
    let model = device.and_then(|it| {
        it.attributes.iter().find(|a| a.name.ends_with("model") || a.name.ends_with("productName"))
    });
    model.map(|it| it.value.trim_matches('"').to_owned())
}

/// How much of a card is held, 0 to 1, and in a word.
fn fullness(words: &'static Words, snapshot: &Snapshot, card: &CardView) -> (f64, &'static str) {
    let used = sketch::held(snapshot, card);
    let word = if used <= 0.0 {
        let devices = card.devices.iter().filter_map(|at| snapshot.devices.get(*at));
        let mut idle = devices.map(|it| idle_word(words, it));
        // One that can be had speaks for the card.
        idle.clone().find(|it| *it == words.free).or_else(|| idle.next()).unwrap_or(words.free)
    } else if used >= 1.0 {
        words.held
    } else {
        words.partly
    };
    (used, word)
}

/// A word about a device that no claim has for itself.
fn idle_word(words: &'static Words, device: &DeviceView) -> &'static str {
    let bars = |it: &String| it.ends_with(":NoSchedule") || it.ends_with(":NoExecute");
    if !device.holders.is_empty() {
        words.admin
    } else if device.taints.iter().any(bars) {
        words.tainted
    } else {
        words.free
    }
}

/// The same, and who looks at it.
pub(super) fn idle(words: &'static Words, device: &DeviceView) -> String {
    let pods: Vec<&str> =
        device.holders.iter().flat_map(|it| it.pods.iter().map(String::as_str)).collect();
    if pods.is_empty() {
        return idle_word(words, device).to_owned();
    }
    fill(words.admin_by, &[&pods.join(words.comma)])
}

/// Puts a card on the bench.
pub(super) fn choose(state: &StateHandle, snapshot: &Snapshot, at: usize) -> Callback<MouseEvent> {
    let state = state.clone();
    let first =
        snapshot.cards.get(at).and_then(|card| snapshot.devices.get(*card.devices.first()?));
    let thing = first.map(|it| Thing::Device(it.device.clone()));
    Callback::from(move |_| state.dispatch(Action::Lit(thing.clone())))
}

fn slot(
    state: &StateHandle,
    words: &'static Words,
    snapshot: &Snapshot,
    at: usize,
    index: usize,
) -> Html {
    let Some(card) = snapshot.cards.get(at) else { return Html::default() };
    let (used, word) = fullness(words, snapshot, card);
    let selected = at == index;
    let onclick = choose(state, snapshot, at);
    html! {
        <button type="button" class={classes!("slot", selected.then_some("sel"))} aria-pressed={selected.to_string()} {onclick}>
            <svg class="slot-p" aria-hidden="true">
                if used > 0.0 { <rect class="held" x="0" y="0" width={percent(used)} height="22" /> }
            </svg>
            <span class="m">{card.name.clone()}</span><small>{word}</small>
        </button>
    }
}

/// A gauge: held from the left, what is asked and missing past the right edge.
fn gauge(words: &'static Words, gauge: &Gauge, scale: f64) -> Html {
    let mut at = 0.0;
    let mut bars = Vec::new();
    for (width, pods) in &gauge.held {
        bars.push((at, *width, pods.join(words.comma)));
        at += width;
    }
    let short = gauge.short.as_ref();
    let left = fill(words.left_of, &[&gauge.left, &gauge.total]);
    let alt = match short {
        Some((_, asked)) => fill(words.gauge_short, &[&gauge.name, &left, asked]),
        None => fill(words.gauge, &[&gauge.name, &left]),
    };
    html! {
        <div class="gauge">
            <p style={format!("width:{}", percent(scale))}><span class="m">{gauge.name.clone()}</span><span>{left}</span></p>
            <svg class="draw" height="20" role="img" aria-label={alt}>
                <rect class="pcb" x="0" y="0.5" width={percent(scale)} height="18" />
                { for bars.iter().map(|(x, width, pods)| html! {
                    <>
                        <rect class="used" x={percent(x * scale)} y="1" width={percent(width * scale)} height="17" />
                        if *width > 0.2 {
                            <svg x={percent(x * scale)} overflow="visible"><g><rect class="tagbg" x="4" y="3" width={(pods.chars().count() * 7 + 8).to_string()} height="13" /><text class="c-held b" x="8" y="13.5">{pods.clone()}</text></g></svg>
                        }
                    </>
                }) }
                { for short.map(|(width, asked)| html! {
                    <>
                        <rect class="ask out" x={percent(scale)} y="1" width={percent(width * scale)} height="17" />
                        <svg x={percent(scale)} overflow="visible"><text class="c-qty b" x="8" y="13.5">{fill(words.asks, &[asked])}</text></svg>
                    </>
                }) }
                <line class="edge" x1={percent(scale)} x2={percent(scale)} y1="0" y2="19" />
            </svg>
        </div>
    }
}

fn state_class(shape: &Shape) -> &'static str {
    match (shape.state, shape.fate) {
        (DeviceState::Taken, _) => "taken",
        (DeviceState::Shared, _) => "shared",
        (_, Fate::Refused) => "asked",
        (DeviceState::CountersShort, _) => "cannot",
        (DeviceState::Free, _) => "free",
    }
}

fn state_word(words: &'static Words, shape: &Shape, device: &DeviceView) -> String {
    let holders: Vec<&str> =
        device.holders.iter().flat_map(|it| it.pods.iter().map(String::as_str)).collect();
    match (shape.state, shape.fate) {
        (DeviceState::Taken | DeviceState::Shared, _) => {
            fill(words.held_by, &[&holders.join(words.comma)])
        }
        (_, Fate::Refused) => words.refused.to_owned(),
        (DeviceState::CountersShort, _) => words.cannot_now.to_owned(),
        (DeviceState::Free, _) => idle(words, device),
    }
}

/// Rows of cuts; those of one row can be had together.
fn rows(
    words: &'static Words,
    snapshot: &Snapshot,
    name: &str,
    picture: &CardPicture,
    scale: f64,
) -> Html {
    let shape = |shape: &Shape, beside: usize, class: &'static str| {
        let Some(device) = snapshot.devices.get(shape.device) else { return Html::default() };
        let key = &device.device;
        let thing = Rc::new(Thing::Device(key.clone()));
        let class = classes!("cut", state_class(shape), class);
        if class.contains("slim") {
            return html! { <Mark tag="span" {thing} range={device.range} {class} /> };
        }
        let mut amounts: Vec<&str> = device.consumes.iter().map(|it| it.amount.as_str()).collect();
        if amounts.len() > 3 {
            amounts = vec![shape.amount.as_str()];
        }
        let word = state_word(words, shape, device);
        let short = match key.device.strip_prefix(name) {
            Some(rest) if beside > 1 => format!("…{}", rest.trim_start_matches('-')),
            _ => key.device.clone(),
        };
        html! {
            <Mark tag="button" {thing} range={device.range} {class}>
                <b class="m"><span class="vh">{key.device.clone()}</span><span aria-hidden="true">{short}</span></b>
                <small>{amounts.join(" · ")}</small><small class="how">{word}</small>
            </Mark>
        }
    };
    let row = |at: usize, row: &Vec<Shape>| {
        let columns = row.iter().map(|it| format!("{:.4}fr", it.width)).collect::<Vec<_>>();
        let filled: f64 = row.iter().map(|it| it.width).sum();
        // What is too slim for words has them below.
        let slim = row.first().is_some_and(|it| it.width < 0.3);
        let (inside, beside) = (if slim { "slim" } else { "" }, row.len());
        let rest = (1.0 - filled).max(0.0);
        let label = match (at, row.len()) {
            (_, 1) => words.as_one.to_owned(),
            (_, many) => fill(words.as_many, &[&many]),
        };
        let template = if rest > 0.01 {
            format!("{} {rest:.4}fr", columns.join(" "))
        } else {
            columns.join(" ")
        };
        html! {
            <>
                <p class="mute cut-l">{if at > 0 { format!("{} {label}", words.or) } else { label }}</p>
                <div class="cuts" style={format!("grid-template-columns:{template}")}>{ for row.iter().map(|it| shape(it, beside, inside)) }</div>
                if slim { <div class="cut-names">{ for row.iter().map(|it| shape(it, beside, "chip")) }</div> }
            </>
        }
    };
    if picture.rows.iter().all(|row| row.len() == 1)
        && picture.rows.len() == 1
        && picture.gauges.is_empty()
    {
        let only = picture.rows.iter().flatten();
        return html! { <div class="cuts one" style={format!("width:{}", percent(scale))}>{ for only.map(|it| shape(it, 1, "")) }</div> };
    }
    let most = 8;
    html! {
        <div class="card-body" style={format!("width:{}", percent(scale))}>{ for picture.rows.iter().enumerate().take(most).map(|(at, it)| row(at, it)) }</div>
    }
}

/// A shareable device at twice the scale, its shares side by side.
fn opened(words: &'static Words, snapshot: &Snapshot, opened: &Opened, scale: f64) -> Html {
    let Some(device) = snapshot.devices.get(opened.device) else { return Html::default() };
    let name = &device.device.device;
    html! {
        <Mark tag="div" thing={Rc::new(Thing::Device(device.device.clone()))} class="opened">
            <p><b class="m">{name.clone()}</b>{" "}<span class="mute">{fill(words.shares_of, &[&opened.capacity, &opened.left, &opened.total])}</span></p>
            <div class="slabs">
                { for opened.slabs.iter().map(|slab| {
                    let short = if slab.refused { words.does_not_fit.to_owned() } else { slab.share_id.as_deref().map(|id| fill(words.share_n, &[&short_id(id)])).unwrap_or_default() };
                    html! {
                        <div class={classes!("slab", slab.refused.then_some("asked"))} style={format!("width:{}", percent(slab.width * scale))}>
                            <b>{slab.pods.clone()}</b><small class="m">{slab.amounts.clone()}</small><small>{short}</small>
                        </div>
                    }
                }) }
                <svg class="slab-edge" aria-hidden="true"><rect x="0" y="0" width={percent(scale)} height="100%" /><line x1={percent(scale)} x2={percent(scale)} y1="0" y2="100%" /></svg>
            </div>
        </Mark>
    }
}

/// The first group of an identifier.
pub(crate) fn short_id(id: &str) -> AttrValue {
    id.split('-').next().unwrap_or(id).to_owned().into()
}

/// Claims that hold or want something of this card.
fn claims(
    words: &'static Words,
    snapshot: &Snapshot,
    card: &CardView,
    verdicts: Option<&RequestVerdicts>,
    picture: &CardPicture,
) -> Html {
    let mut holders: Vec<(String, String, String)> = Vec::new();
    for device in card.devices.iter().filter_map(|at| snapshot.devices.get(*at)) {
        for holder in &device.holders {
            holders.push((
                holder.pods.join(words.comma),
                holder.claim.name.clone(),
                device.device.device.clone(),
            ));
        }
    }
    let wants = picture.rows.iter().flatten().any(|shape| shape.fate == Fate::Refused);
    let wanting = verdicts.filter(|_| wants);
    html! {
        <ul class="plugs">
            { for holders.into_iter().map(|(pods, claim, device)| html! {
                <li class="plug in">{plug(true)}<span><b>{pods}</b>{" "}{fill(words.has_device, &[&device])}<small class="m">{claim}</small></span></li>
            }) }
            { for wanting.map(|it| {
                let reason = it.groups.iter().find(|group| picture.rows.iter().flatten().any(|shape| shape.fate == Fate::Refused && group.devices.contains(&shape.device)));
                html! {
                    <li class="plug">{plug(false)}<span><b>{it.pod.as_ref().unwrap_or(&it.claim).name.clone()}</b>{" "}{words.wants_one}
                        <small class="m">{format!("{} / {}", it.claim.name, it.request)}</small></span>
                        { for reason.map(|group| badge(group.family, &group.label)) }
                    </li>
                }
            }) }
        </ul>
    }
}

/// A plug, closed when something is plugged in.
fn plug(closed: bool) -> Html {
    let fill = if closed { "currentColor" } else { "none" };
    html! {
        <svg class="plug-i" viewBox="0 0 20 12" aria-hidden="true">
            <path d="M1 6h5" stroke="currentColor" stroke-width="2" />
            <rect x="6.5" y="1.5" width="8" height="9" {fill} stroke="currentColor" stroke-width="1.5" />
            <path d="M15 4h4M15 8h4" stroke="currentColor" stroke-width="1.5" />
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_that_cannot_be_had_is_not_called_free() {
        let words = crate::words::words("en");
        let mut device = DeviceView::default();
        assert_eq!(idle(words, &device), "free");
        device.taints = vec!["a=b:None".to_owned()];
        assert_eq!(idle(words, &device), "free", "nobody is kept off");
        device.taints.push("a=b:NoSchedule".to_owned());
        assert_eq!(idle(words, &device), "tainted");
        device.holders = vec![dra_playground_core::workspace::report::Holder {
            pods: vec!["watch".to_owned()],
            admin_access: true,
            ..Default::default()
        }];
        assert_eq!(idle(words, &device), "admin access by watch");
    }
}
