//! The insert menu: an inventory of the example driver, or an object to fill in.

use dra_playground_core::workspace::edits::{
    InsertKind, Inventory, insert_inventory, insert_object,
};
use yew::{Callback, Event, Html, component, html, use_state};

use crate::components::{MenuButton, chevron};
use crate::hooks::{use_editor_link, use_state_handle, use_words};
use crate::platform::dom;
use crate::state::{Action, Menu};

/// Insert an inventory or an object.
#[component]
pub(crate) fn InsertMenu() -> Html {
    let words = use_words();
    html! {
        <MenuButton menu={Menu::Insert} class="ctl" label={words.insert} button={html! { <>{words.insert}{chevron()}</> }}>
            <InsertForm />
        </MenuButton>
    }
}

#[component]
fn InsertForm() -> Html {
    let words = use_words();
    let link = use_editor_link();
    let inventory =
        use_state(|| Inventory { gpus: 8, gpu_partitions: 2, allow_multiple_allocations: false });
    let Some(state) = use_state_handle() else { return Html::default() };
    let change = |set: fn(&mut Inventory, &Event)| {
        let inventory = inventory.clone();
        Callback::from(move |event: Event| {
            let mut next = (*inventory).clone();
            set(&mut next, &event);
            inventory.set(next);
        })
    };
    let gpus = change(|next, event| next.gpus = dom::value_of_select(event).parse().unwrap_or(8));
    let partitions = change(|next, event| {
        next.gpu_partitions = dom::value_of_select(event).parse().unwrap_or(0);
    });
    let shared = change(|next, event| next.allow_multiple_allocations = dom::is_checked(event));
    let insert = {
        let (inventory, link, state) = (inventory.clone(), link.clone(), state.clone());
        Callback::from(move |_| {
            link.edit(&insert_inventory(&state.text, &inventory), &state);
            state.dispatch(Action::Menu(None));
        })
    };
    let option = |value: u32, current: u32| {
        html! { <option value={value.to_string()} selected={value == current}>{value}</option> }
    };
    html! {
        <div class="insert">
            <p><b>{words.insert_inventory}</b></p>
            <p class="mute">{words.insert_inventory_how}</p>
            <label><code>{"numDevices"}</code><select id="insert-gpus" onchange={gpus}>{ for [1, 2, 4, 8, 16].map(|it| option(it, inventory.gpus)) }</select></label>
            <label><code>{"gpuPartitions"}</code><select id="insert-partitions" onchange={partitions}>{ for [0, 2, 4, 8].map(|it| option(it, inventory.gpu_partitions)) }</select></label>
            <label><input type="checkbox" id="insert-shared" checked={inventory.allow_multiple_allocations} onchange={shared} /><code>{"gpuAllowMultipleAllocations"}</code></label>
            <button type="button" class="btn" id="insert-inventory" onclick={insert}>{words.insert_it}</button>
            <p><b>{words.insert_object}</b></p>
            <ul class="objs">
                { for InsertKind::ALL.into_iter().map(|kind| {
                    let (link, state) = (link.clone(), state.clone());
                    let onclick = Callback::from(move |_| {
                        link.edit(&insert_object(&state.text, kind), &state);
                        state.dispatch(Action::Menu(None));
                    });
                    html! { <li><button type="button" {onclick} data-insert={kind.name()}>{kind.name()}</button></li> }
                }) }
            </ul>
        </div>
    }
}
