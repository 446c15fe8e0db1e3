//! The inventory: pools, nodes, how many shapes a card has; switches of the example driver.

use dra_playground_core::workspace::edits::{PresetSwitch, flip_preset};
use dra_playground_core::workspace::report::{Analysis, PoolStatus, PoolView, Preset};
use yew::{Callback, Event, Html, classes, component, html};

use super::PanelProps;
use super::export::PanelHead;
use super::marks::marks;
use crate::components::LineLink;
use crate::derive::format;
use crate::hooks::{use_editor_link, use_state_handle, use_words};
use crate::platform::dom;
use crate::words::{Words, fill};

/// Pools, nodes, switches.
#[component]
pub(crate) fn InventoryPanel(props: &PanelProps) -> Html {
    let words = use_words();
    let snapshot = &props.analysis.snapshot;
    if snapshot.pools.is_empty() && snapshot.nodes.is_empty() {
        return Html::default();
    }
    html! {
        <section class="full" id="inventory">
            <PanelHead id="inventory" title={words.inventory} how={summary(words, &props.analysis)} />
            { for props.analysis.presets.iter().enumerate().map(|(index, preset)| html! { <Switches preset={preset.clone()} {index} /> }) }
            if !snapshot.pools.is_empty() {
                <div class="scroll" tabindex="0" role="group" aria-label={words.pools}>
                <table class="tb stack" id="pools">
                    <caption class="vh">{words.pools}</caption>
                    <thead><tr><th scope="col">{words.pool}</th><th scope="col">{words.driver}</th><th scope="col" class="num">{words.generation}</th>
                        <th scope="col" class="num">{words.slices}</th><th scope="col" class="num">{words.counter_sets}</th><th scope="col" class="num">{words.devices}</th><th scope="col">{words.state}</th></tr></thead>
                    <tbody>{ for alike(&snapshot.pools).iter().take(60).map(|group| pool_row(words, group)) }
                    </tbody>
                </table>
                </div>
            }
            {marks(words, snapshot)}
            if !snapshot.nodes.is_empty() {
                <p class="note-s">{fill(words.nodes_n, &[&format::count(snapshot.nodes.len())])}{words.colon}
                    { for snapshot.nodes.iter().take(12).enumerate().map(|(at, node)| html! {
                        <>if at > 0 { {words.comma} }<code>{node.name.clone()}</code>{" "}<span class="mute">{fill(words.devices_n, &[&format::count(node.devices)])}</span></>
                    }) }
                    if snapshot.nodes.len() > 12 { {words.comma}{fill(words.more, &[&format::count(snapshot.nodes.len() - 12)])} }
                </p>
            }
        </section>
    }
}

/// Pools that differ in nothing but their name; few pools are shown one by one.
fn alike(pools: &[PoolView]) -> Vec<Vec<&PoolView>> {
    let mut groups: Vec<Vec<&PoolView>> = Vec::new();
    for pool in pools {
        let same = |other: &PoolView| {
            let named = PoolView { pool: pool.pool.clone(), range: pool.range, ..other.clone() };
            pools.len() > 12 && named == *pool
        };
        match groups.iter_mut().find(|group| group.first().is_some_and(|it| same(it))) {
            Some(group) => group.push(pool),
            None => groups.push(vec![pool]),
        }
    }
    groups
}

fn pool_row(words: &'static Words, group: &[&PoolView]) -> Html {
    let (Some(pool), Some(last)) = (group.first(), group.last()) else { return Html::default() };
    let state = match pool.state.as_str() {
        "incomplete" => words.pool_incomplete,
        "invalid" => words.pool_invalid,
        _ => words.pool_complete,
    };
    let bad = (pool.state != "complete").then_some("c-fault");
    let many = group.len() > 1;
    html! {
        <tr><td><code>{pool.pool.clone()}</code>
                if many { {" … "}<code>{last.pool.clone()}</code>{" "}<span class="mute nw">{fill(words.pools_n, &[&format::count(group.len())])}</span> }
                {" "}<LineLink range={pool.range} /></td><td data-l={words.driver}><code>{pool.driver.clone()}</code></td>
            <td class="num" data-l={words.generation}>{pool.generation}</td><td class="num" data-l={words.slices}>{fill(words.n_of_m, &[&pool.slices, &pool.expected_slices])}</td>
            <td class="num" data-l={words.counter_sets}>{format::count(pool.counter_sets)}</td><td class="num" data-l={words.devices}>{format::count(pool.devices)}</td>
            <td data-l={words.state} class={classes!(bad)}>{state}
                if !pool.detail.is_empty() { <span class="why">{pool.detail.clone()}</span> }
                {status(words, &pool.status)}</td></tr>
    }
}

/// The numbers of a `ResourcePoolStatusRequest`.
fn status(words: &'static Words, status: &PoolStatus) -> Html {
    let line = |text: String| html! { <small data-pool-status="">{text}</small> };
    let counts = status.counts.map(|it| {
        let numbers = [it.total, it.allocated, it.available, it.unavailable].map(format::count);
        fill(words.pool_counts, &[&numbers[0], &numbers[1], &numbers[2], &numbers[3]])
    });
    let partitions = status.partitions.iter().map(|it| {
        fill(words.pool_partition, &[&it.attribute, &it.kind, &it.allocatable, &it.total])
    });
    let shared = status.shareable.iter().flat_map(|it| {
        let devices = fill(words.pool_shareable, &[&it.fully_available, &it.partially_available]);
        let amounts = it.capacity.iter().map(|[name, total, _, available]| {
            fill(words.pool_capacity, &[name, available, total])
        });
        std::iter::once(devices).chain(amounts)
    });
    let error = status.validation_error.clone();
    let lines: Vec<String> =
        counts.into_iter().chain(partitions).chain(shared).chain(error).collect();
    html! { <>{ for lines.into_iter().map(line) }</> }
}

/// `counter sets 8, devices 24, three shapes per card`.
fn summary(words: &'static Words, analysis: &Analysis) -> String {
    let snapshot = &analysis.snapshot;
    let sets = format::count(snapshot.counter_sets.len());
    let devices = format::count(snapshot.devices.len());
    let first = snapshot.cards.first().map(|card| card.devices.len());
    let even = snapshot.cards.iter().all(|card| Some(card.devices.len()) == first);
    match first.filter(|size| even && *size > 1) {
        Some(size) => fill(words.inventory_shapes, &[&sets, &devices, &size]),
        None => fill(words.inventory_line, &[&sets, &devices]),
    }
}

/// Properties of [`Switches`].
#[derive(Clone, Debug, PartialEq, yew::Properties)]
struct SwitchesProps {
    preset: Preset,
    /// Its index among the inventories of the text.
    index: usize,
}

/// The example driver's switches: the same YAML, before and after.
#[component]
fn Switches(props: &SwitchesProps) -> Html {
    let words = use_words();
    let link = use_editor_link();
    let Some(state) = use_state_handle() else { return Html::default() };
    let preset = props.preset.clone();
    let (index, partitions_now) = (props.index, preset.gpu_partitions);
    let set = Callback::from(move |switch: PresetSwitch| {
        link.edit(&flip_preset(&state.text, index, switch), &state);
    });
    let partitions = {
        let set = set.clone();
        Callback::from(move |event: Event| {
            if let Ok(partitions) = dom::value_of_select(&event).parse() {
                set.emit(PresetSwitch::GpuPartitions(partitions));
            }
        })
    };
    let shared = Callback::from(move |event: Event| {
        set.emit(PresetSwitch::AllowMultipleAllocations(dom::is_checked(&event)));
    });
    let offered = |value: u32| value == 0 || value.is_power_of_two();
    let choices = (0..=8).filter(|it| offered(*it) && *it != 1 || *it == partitions_now);
    html! {
        <fieldset class="switches" data-preset={preset.node.clone()}>
            <legend>{fill(words.preset_of, &[&preset.node, &preset.gpus])}</legend>
            <label><code>{"gpuPartitions"}</code>
                <select onchange={partitions} data-switch="gpuPartitions">
                    { for choices.map(|it| html! { <option value={it.to_string()} selected={it == partitions_now}>{it}</option> }) }
                </select></label>
            <label><input type="checkbox" data-switch="gpuAllowMultipleAllocations" checked={preset.allow_multiple_allocations} onchange={shared} />
                <code>{"gpuAllowMultipleAllocations"}</code></label>
            <span class="mute">{words.switch_note}</span>
        </fieldset>
    }
}
