//! What devices are marked with: taints in force, and who looks at them with admin access.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Family, Range, Snapshot, TaintView, Thing};
use yew::{Html, html};

use crate::components::{LineLink, Mark, badge, icon};
use crate::derive::admin::{self, Admin};
use crate::derive::format;
use crate::derive::names::Names;
use crate::words::{Words, fill};

/// The table of marks; nothing where no device has one.
pub(super) fn marks(words: &'static Words, snapshot: &Snapshot) -> Html {
    let taints = snapshot.taints.get(..admin::MOST).unwrap_or(&snapshot.taints);
    let admin = admin::admin(snapshot);
    if taints.is_empty() && admin.is_empty() {
        return Html::default();
    }
    let devices = taints.iter().map(|it| &it.devices).chain(admin.iter().map(|it| &it.devices));
    let names = Names::of(snapshot, devices.flatten().copied().collect());
    let more = snapshot.taints.len() - taints.len();
    html! {
        <>
        <table class="tb stack" id="device-marks">
            <caption>{words.marks}</caption>
            <thead><tr><th scope="col">{words.mark}</th><th scope="col">{words.devices}</th><th scope="col">{words.mark_from}</th></tr></thead>
            <tbody>
                { for taints.iter().map(|it| taint(words, &names, it)) }
                { for admin.iter().map(|it| access(words, &names, it)) }
            </tbody>
        </table>
        if more > 0 { <p class="mute">{fill(words.more, &[&format::count(more)])}</p> }
        </>
    }
}

fn taint(words: &'static Words, names: &Names<'_>, taint: &TaintView) -> Html {
    let family = match taint.effect.as_str() {
        "NoSchedule" => Family::Rule,
        "NoExecute" => Family::Fault,
        _ => Family::None,
    };
    let key = taint.taint.rsplit_once(':').map_or(taint.taint.as_str(), |it| it.0);
    let rule = taint.rule.as_ref();
    let from = html! {
        <>{rule.map_or("ResourceSlice", |it| it.kind.as_str()).to_owned()}
            { for rule.map(|it| html! { <>{" "}<code>{it.name.clone()}</code></> }) }</>
    };
    let thing = rule.map(|it| Rc::new(Thing::Object(it.clone())));
    row(words, names, thing, badge(family, &taint.effect), key, &taint.devices, from, taint.range)
}

fn access(words: &'static Words, names: &Names<'_>, admin: &Admin<'_>) -> Html {
    let claim = &admin.claim.object;
    let said = if admin.given { words.admin_access } else { words.admin_asked };
    let mark = html! { <span class="v held">{icon("i-eye")}{said}</span> };
    let from = html! {
        <>{"ResourceClaim "}<code>{format!("{}/{}", claim.namespace, claim.name)}</code></>
    };
    let thing = Some(Rc::new(Thing::Object(claim.clone())));
    row(words, names, thing, mark, admin.request, &admin.devices, from, admin.claim.range)
}

#[expect(clippy::too_many_arguments, reason = "the cells of a row")]
fn row(
    words: &'static Words,
    names: &Names<'_>,
    thing: Option<Rc<Thing>>,
    mark: Html,
    detail: &str,
    devices: &[usize],
    from: Html,
    range: Option<Range>,
) -> Html {
    let (name, _) = names.devices(words, devices);
    let pool = devices.first().map(|at| names.pool(*at));
    let pool = pool.filter(|pool| devices.iter().all(|at| names.pool(*at) == *pool));
    html! {
        <Mark tag="tr" {thing}>
            <td>{mark}<small class="m">{detail.to_owned()}</small></td>
            <td data-l={words.devices}>
                if devices.is_empty() { <span class="mute">{words.none}</span> } else { <code>{name}</code> }
                if devices.len() > 3 { {" "}<span class="mute nw">{fill(words.devices_n, &[&format::count(devices.len())])}</span> }
                { for pool.map(|(driver, pool)| html! { <small>{driver}{"/"}{pool}</small> }) }
            </td>
            <td data-l={words.mark_from}>{from}{" "}<LineLink {range} /></td>
        </Mark>
    }
}
