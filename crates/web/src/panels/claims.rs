//! Claims: what each asked for and got, and its whole status.

use std::rc::Rc;

use dra_playground_core::workspace::report::{AllocatedDevice, ClaimView, Thing};
use yew::{AttrValue, Html, component, html};

use super::PanelProps;
use super::export::PanelHead;
use crate::components::{CopyButton, LineLink, Mark, Sentence};
use crate::derive::format;
use crate::hooks::use_words;
use crate::words::{Words, fill};

/// Most claims that are shown one by one.
const MOST: usize = 60;

/// All claims.
#[component]
pub(crate) fn Claims(props: &PanelProps) -> Html {
    let words = use_words();
    let claims = &props.analysis.snapshot.claims;
    if claims.is_empty() {
        return Html::default();
    }
    let hidden = claims.len().saturating_sub(MOST);
    html! {
        <section class="full" id="claims">
            <PanelHead id="claims" title={words.claims} how={words.claims_how} />
            { for claims.iter().take(MOST).map(|it| claim(words, it)) }
            if hidden > 0 { <p class="mute">{fill(words.more, &[&format::count(hidden)])}</p> }
        </section>
    }
}

fn claim(words: &'static Words, claim: &ClaimView) -> Html {
    let key = &claim.object;
    let waits = claim.devices.is_empty() && !claim.cause.0.is_empty();
    let shares = claim.devices.iter().any(|it| it.share_id.is_some() || !it.consumed.is_empty());
    html! {
        <Mark tag="div" thing={Rc::new(Thing::Object(key.clone()))} class="claim" id={format::object_id(key)} range={claim.range}>
            <p class="claim-h"><b class="m">{key.name.clone()}</b>
                <span data-state={claim.state.clone()}>{claim.state.clone()}</span>
                if !claim.reserved_for.is_empty() { <span class="mute">{fill(words.reserved_for, &[&claim.reserved_for.join(words.comma)])}</span> }
                { for claim.template.iter().map(|it| html! { <span class="mute">{fill(words.from_template, &[&it.name])}</span> }) }
                if claim.hypothetical { <span class="tag">{words.hypothetical}</span> }
                <LineLink range={claim.range} />
            </p>
            <div class="scroll" tabindex="0" role="group" aria-label={key.name.clone()}>
            <table class="tb stack dev-t">
                <thead><tr><th scope="col">{words.request}</th><th scope="col">{words.asked}</th><th scope="col">{words.device}</th>
                    if shares { <th scope="col">{words.consumed}</th><th scope="col">{"shareID"}</th> }</tr></thead>
                <tbody>
                { for claim.requests.iter().map(|request| {
                    let own = |it: &&AllocatedDevice| it.request == request.name || it.request.split('/').next() == Some(request.name.as_str());
                    let devices: Vec<&AllocatedDevice> = claim.devices.iter().filter(own).collect();
                    let capacity: Vec<String> = request.capacity.iter().map(|(name, amount)| format!("{name} {amount}")).collect();
                    let asked = std::iter::once(request.wants.clone()).chain(capacity).collect::<Vec<_>>().join(words.comma);
                    if devices.is_empty() {
                        html! { <tr><td><code>{request.name.clone()}</code></td><td data-l={words.asked}>{asked}</td><td data-l={words.device} class="mute">{words.none}</td>if shares { <td /><td /> }</tr> }
                    } else {
                        html! { <>{ for devices.iter().map(|it| device(words, it, &asked, shares)) }</> }
                    }
                }) }
                </tbody>
            </table>
            </div>
            if waits { <p class="claim-c"><Sentence phrase={Rc::new(claim.cause.clone())} /></p> }
            if !claim.status_yaml.is_empty() {
                <details class="status-y">
                    <summary><span class="tri" />{words.status_yaml}</summary>
                    <div class="code"><CopyButton text={AttrValue::from(claim.status_yaml.clone())} label={words.copy_status} wordy=true />
                        <pre tabindex="0">{claim.status_yaml.clone()}</pre></div>
                </details>
            }
        </Mark>
    }
}

/// A row; with the columns of shares if the claim has some.
fn device(words: &'static Words, device: &AllocatedDevice, asked: &str, shares: bool) -> Html {
    let consumed: Vec<String> =
        device.consumed.iter().map(|(name, amount)| format!("{name} {amount}")).collect();
    html! {
        <Mark tag="tr" thing={Rc::new(Thing::Device(device.device.clone()))}>
            <td><code>{device.request.clone()}</code></td>
            <td data-l={words.asked}>{asked.to_owned()}</td>
            <td data-l={words.device} data-device={format::device_path(&device.device)}><code>{device.device.device.clone()}</code>
                <small>{device.device.driver.clone()}{"/"}{device.device.pool.clone()}</small>
                if device.admin_access { <span class="tag">{words.admin_access}</span> }</td>
            if shares {
                <td data-l={words.consumed}>{consumed.join(words.comma)}</td>
                <td data-l="shareID">{ for device.share_id.iter().map(|id| html! { <code class="wrap">{id.clone()}</code> }) }</td>
            }
        </Mark>
    }
}
