use crate::allocator::SkipReason;
use crate::apimachinery::ObjectRef;
use crate::apimachinery::quantity::Quantity;
use crate::features::Gate;
use crate::pool::{DeviceId, PoolId};

use super::explanation::RequestExplanation;

/// What explanations need to know of the cluster beside the search itself.
pub trait Facts {
    /// Who holds a device.
    fn holders(&self, device: &DeviceId) -> Vec<Holder>;

    /// The counters of a counter set; empty when there is no such set.
    fn counters(&self, pool: &PoolId, counter_set: &str) -> Vec<CounterFacts>;

    /// Who draws from a counter of a counter set.
    fn counter_holders(&self, pool: &PoolId, counter_set: &str, counter: &str) -> Vec<Holder>;

    /// The counter sets that a device draws from.
    fn counter_sets(&self, device: &DeviceId) -> Vec<String>;

    /// What a device draws from a counter of a counter set.
    fn draws(&self, device: &DeviceId, counter_set: &str, counter: &str) -> Option<Quantity>;

    /// The capacities of a device, and what a request would consume of each; empty when it cannot be
    /// put to the device at all.
    fn consumption(&self, request: &RequestExplanation, device: &DeviceId) -> Vec<CapacityFacts>;

    /// The value of an attribute of a device, as it is written; `None` when it has none.
    fn attribute(&self, device: &DeviceId, attribute: &str) -> Option<String>;

    /// An attribute that a device has under a name that looks like the wanted one.
    fn similar_attribute(&self, device: &DeviceId, attribute: &str) -> Option<String>;

    /// Of the request's tolerations of this key the one that comes closest to tolerating a taint.
    fn near_toleration(
        &self,
        request: &RequestExplanation,
        taint: (&str, &str, &str),
    ) -> Option<NearToleration>;

    /// How many cards of these devices are free as a whole, and whether cards are more than single
    /// devices.
    fn free_cards(&self, devices: &[DeviceId]) -> FreeCards;

    /// The shortest part of a selector that makes it false on a device, e.g. `index == 7`.
    fn false_part(&self, selector: &SelectorOf<'_>, device: &DeviceId) -> Option<FalsePart>;

    /// What a selector that fails probably means, as a sentence without full stop.
    fn selector_hint(&self, selector: &SelectorOf<'_>) -> Option<String>;

    /// A capacity that a device has under a name that looks like the wanted one.
    fn similar_capacity(&self, device: &DeviceId, name: &str) -> Option<String>;

    /// Whether several claims may share a device.
    fn is_shareable(&self, device: &DeviceId) -> bool;

    /// The conditions that must be true before a Pod is bound to a device.
    fn binding_conditions(&self, device: &DeviceId) -> Vec<String>;

    /// What is missing for a device that a feature keeps away.
    fn lack(&self, device: &DeviceId, reason: &SkipReason) -> Option<Lack>;

    /// For whom slices are that a node does not reach, the most telling one first.
    fn unreached(&self) -> Vec<Unreached>;
}

/// The feature without which a device cannot be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// This gate is off.
    Gate(Gate),
    /// The node does not declare this feature.
    Declared(Gate),
}

/// What makes a selector false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FalsePart {
    /// The part in short, e.g. `index == 7`.
    pub text: String,
    /// What the device has under the names in it, e.g. `index` and `3`.
    pub values: Vec<(String, String)>,
}

/// A slice and the nodes that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreached {
    /// The slice.
    pub slice: ObjectRef,
    /// The device, where each one has nodes of its own.
    pub device: Option<(usize, DeviceId)>,
    /// The nodes.
    pub nodes: UnreachedNodes,
}

/// The nodes that can reach a slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreachedNodes {
    /// The one of this name.
    Named(String),
    /// Those that this selector matches, as text.
    Selected(String),
}

/// Names a selector of a request.
#[derive(Clone, Copy, Debug)]
pub struct SelectorOf<'a> {
    /// The request.
    pub request: &'a RequestExplanation,
    /// Whether it is one of its class.
    pub of_class: bool,
    /// Index in its list.
    pub index: usize,
}

/// Who holds something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Holder {
    /// A Pod that uses the claim.
    pub pod: Option<ObjectRef>,
    /// The claim.
    pub claim: ObjectRef,
    /// The device.
    pub device: DeviceId,
}

/// One counter of a counter set.
#[derive(Clone, Debug, PartialEq)]
pub struct CounterFacts {
    /// Its name.
    pub name: String,
    /// How much there is.
    pub total: Quantity,
    /// How much allocated claims leave; may be negative.
    pub left: Quantity,
}

/// One capacity of a device.
#[derive(Clone, Debug, PartialEq)]
pub struct CapacityFacts {
    /// Its name.
    pub name: String,
    /// How much there is.
    pub total: Quantity,
    /// How much allocated claims leave; may be negative.
    pub left: Quantity,
    /// What the request would consume.
    pub asked: Quantity,
    /// What the request says; `None` when it does not name it.
    pub written: Option<Quantity>,
    /// The most that the device's policy allows one request; `None` without such a limit.
    pub most: Option<Quantity>,
}

/// A toleration that has the key of a taint and does not tolerate it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearToleration {
    /// Index in the request's tolerations.
    pub index: usize,
    /// What differs: the field, what the toleration has, and what the taint has.
    pub differs: Vec<(&'static str, String, String)>,
}

/// Cards that are free as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FreeCards {
    /// How many.
    pub count: usize,
    /// Whether a card offers more than one device.
    pub of_several_devices: bool,
}
