use super::{
    Behavior, BindingLast, CapacityOverflow, ClassConfig, CounterScope, DistinctMemory, Gate,
    InvalidPool, NilSelector, PoolComplete,
};

/// Name of the bug that [`Behavior::keeps_lists_back`] tells of.
const LISTS_KEPT_BACK: &str = "list_attributes_to_allocator";

/// A bug of the release in force, for a badge "known bug in this release".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownBug {
    /// Name of the switch in [`Behavior`].
    pub switch: &'static str,
    /// What is wrong, in one sentence without final period.
    pub summary: &'static str,
    /// The releases that first have the fix; empty when none has.
    pub fixed_in: &'static str,
    /// The report or fix, e.g. `kubernetes/kubernetes#139040`.
    pub reference: &'static str,
}

struct Entry {
    bug: KnownBug,
    present: fn(&Behavior) -> bool,
}

impl Behavior {
    /// The bugs that this behavior reproduces, in the order of allocation.
    pub fn known_bugs(&self) -> impl Iterator<Item = &'static KnownBug> + '_ {
        ENTRIES.iter().filter(|entry| (entry.present)(self)).map(|entry| &entry.bug)
    }

    /// Corrects one bug as `fixed` has it; `false` when it cannot be corrected by itself.
    pub(crate) fn mend(&mut self, bug: &KnownBug, fixed: &Self) -> bool {
        macro_rules! fields {
            ($($field:ident),* $(,)?) => {
                match bug.switch {
                    LISTS_KEPT_BACK => return self.hand_lists_on(),
                    "quantity_add_mutates" => self.cel.quantity_add_mutates = false,
                    $(stringify!($field) => self.$field = fixed.$field,)*
                    _ => return false,
                }
            };
        }
        fields!(
            all_alternative_loses_index,
            all_alternatives_share_matches,
            all_counters_crash,
            all_keeps_exhausted,
            all_pool_errors_fatal,
            binding_last,
            capacity_of_wrong_device,
            capacity_overflow,
            claim_config_repeat,
            class_names_follow_events,
            class_config,
            dedicated_over_live_share,
            invalid_pool,
            counter_refs_checked,
            counter_scope,
            counter_slices_any_node,
            distinct_memory,
            incomplete_exact_usable,
            list_narrowing_leaks,
            pool_complete,
            reservation_leaks,
            rule_nil_selector,
            rule_tracker_broken,
            share_skips_counter_check,
            share_without_capacity_is_in_use,
            shared_allocations_use_counters,
            slice_count_consistent,
            special_claims_spared,
            waiting_capacity_doubled,
        );
        true
    }
}

const fn entry(
    switch: &'static str,
    summary: &'static str,
    fixed_in: &'static str,
    reference: &'static str,
    present: fn(&Behavior) -> bool,
) -> Entry {
    Entry { bug: KnownBug { switch, summary, fixed_in, reference }, present }
}

static ENTRIES: [Entry; 33] = [
    entry(
        "rule_tracker_broken",
        "the scheduler takes no notice of DeviceTaintRules, and the next change of a ResourceSlice makes it panic",
        "1.36.3",
        "kubernetes/kubernetes#139681",
        |b| b.rule_tracker_broken && b.taint_rules,
    ),
    entry(
        "quantity_add_mutates",
        "`add` and `sub` of a quantity in decimal form change the quantity itself",
        "1.37.0",
        "kubernetes/kubernetes#140556",
        |b| b.cel.quantity_add_mutates,
    ),
    entry(
        "rule_nil_selector",
        "a DeviceTaintRule without deviceSelector taints every device",
        "1.37.1",
        "kubernetes/kubernetes#141648",
        |b| b.rule_nil_selector == NilSelector::All && b.taint_rules,
    ),
    entry(
        "special_claims_spared",
        "device taints evict no Pod from devices of its extended resources",
        "1.37.2",
        "kubernetes/kubernetes#141290",
        |b| {
            b.special_claims_spared
                && b.gates.enabled(Gate::ExtendedResource)
                && b.gates.enabled(Gate::DeviceTaints)
        },
    ),
    entry(
        "class_names_follow_events",
        "of classes with the same extendedResourceName the one that loses or goes takes names along",
        "1.38.0",
        "kubernetes/kubernetes#141103",
        |b| b.class_names_follow_events && b.gates.enabled(Gate::ExtendedResource),
    ),
    entry(
        "pool_complete",
        "pools are checked for completeness by what one node sees, so half-published ones are used",
        "1.35.0",
        "kubernetes/kubernetes#134466",
        |b| b.pool_complete == PoolComplete::RelevantSlices,
    ),
    entry(
        "incomplete_exact_usable",
        "requests for a count take devices of incomplete pools",
        "1.35.0",
        "kubernetes/kubernetes#134466",
        |b| b.incomplete_exact_usable,
    ),
    entry(
        "invalid_pool",
        "an invalid pool makes the whole attempt fail when the search arrives at it",
        "1.35.0",
        "kubernetes/kubernetes#134189",
        |b| b.invalid_pool == InvalidPool::Fatal,
    ),
    entry(
        "slice_count_consistent",
        "slices of one generation may announce different counts, and which one counts is left to chance",
        "1.38.0",
        "kubernetes/kubernetes#141118",
        |b| !b.slice_count_consistent,
    ),
    entry(
        "binding_last",
        "slices with binding conditions are tried last inside their pool, whatever their name",
        "1.36.0",
        "kubernetes/kubernetes#136641",
        |b| b.binding_last == BindingLast::SlicesAndPools && b.features.device_binding,
    ),
    entry(
        "counter_slices_any_node",
        "a node that has no device of a pool is still affected by faults of the pool when it sees its counter sets",
        "1.37.0",
        "kubernetes/kubernetes#138917",
        |b| b.counter_slices_any_node && b.features.partitionable_devices,
    ),
    entry(
        "counter_refs_checked",
        "devices that refer to unknown counter sets or counters are not limited by them",
        "1.35.0",
        "kubernetes/kubernetes#134189",
        |b| !b.counter_refs_checked && b.features.partitionable_devices,
    ),
    entry(
        "all_pool_errors_fatal",
        "an incomplete or invalid pool of any driver makes a request for all devices fail on every node",
        "1.38.0",
        "kubernetes/kubernetes#141898",
        |b| b.all_pool_errors_fatal,
    ),
    entry(
        "all_alternative_loses_index",
        "allocationMode All in a later alternative of firstAvailable gets the wrong devices",
        "1.36.0",
        "kubernetes/kubernetes#137347",
        |b| b.all_alternative_loses_index,
    ),
    entry(
        "all_alternatives_share_matches",
        "allocationMode All in the second alternative of firstAvailable chooses by the selectors of the first one",
        "1.36.0",
        "kubernetes/kubernetes#137347",
        |b| b.all_alternatives_share_matches,
    ),
    entry(
        "all_counters_crash",
        "a request for all devices crashes the scheduler when one of them consumes counters",
        "1.35.6, 1.36.2",
        "kubernetes/kubernetes#138885",
        |b| b.all_counters_crash && b.features.partitionable_devices,
    ),
    entry(
        "counter_scope",
        "two drivers with the same pool name share one account of counters",
        "1.36.4, 1.37.0",
        "kubernetes/kubernetes#140435",
        |b| b.counter_scope == CounterScope::PoolName && b.features.partitionable_devices,
    ),
    entry(
        "shared_allocations_use_counters",
        "counters used by shares of earlier claims are forgotten",
        "1.36.2",
        "kubernetes/kubernetes#139040",
        |b| {
            !b.shared_allocations_use_counters
                && b.features.partitionable_devices
                && b.features.consumable_capacity
        },
    ),
    entry(
        "share_without_capacity_is_in_use",
        "an earlier share without capacity is charged its counters again",
        "1.37.0",
        "kubernetes/kubernetes#140437",
        |b| {
            b.shared_allocations_use_counters
                && !b.share_without_capacity_is_in_use
                && b.features.partitionable_devices
                && b.features.consumable_capacity
        },
    ),
    entry(
        "dedicated_over_live_share",
        "a device that became dedicated is given away while shares of it are still in use",
        "1.38.0",
        "kubernetes/kubernetes#140798",
        |b| b.dedicated_over_live_share && b.features.consumable_capacity,
    ),
    entry(
        "share_skips_counter_check",
        "every share of a device is charged its counters again",
        "1.35.0",
        "kubernetes/kubernetes#134103",
        |b| {
            !b.share_skips_counter_check
                && b.features.partitionable_devices
                && b.features.consumable_capacity
        },
    ),
    entry(
        "reservation_leaks",
        "devices that were refused or given back keep their counters reserved for the rest of the attempt",
        "1.36.3, 1.37.0",
        "kubernetes/kubernetes#140431",
        |b| b.reservation_leaks && b.features.partitionable_devices,
    ),
    entry(
        "capacity_of_wrong_device",
        "capacity is checked on another device of the slice",
        "1.35.0",
        "kubernetes/kubernetes#133706",
        |b| b.capacity_of_wrong_device && b.features.consumable_capacity,
    ),
    entry(
        "all_keeps_exhausted",
        "a request for all devices silently leaves out shareable devices whose capacity is used up",
        "1.37.0",
        "kubernetes/kubernetes#140769",
        |b| !b.all_keeps_exhausted && b.features.consumable_capacity,
    ),
    entry(
        "capacity_overflow",
        "very large capacity requests overflow",
        "1.37.0",
        "kubernetes/kubernetes#140442",
        |b| b.capacity_overflow == CapacityOverflow::Wraps && b.features.consumable_capacity,
    ),
    entry(
        "quantity_aliasing",
        "large amounts of counters, such as 1Pi, can change while devices are allocated; the playground does not reproduce that",
        "1.37.0",
        "kubernetes/kubernetes#140702",
        |b| b.quantity_aliasing && b.features.partitionable_devices,
    ),
    entry(
        "distinct_memory",
        "distinctAttribute forgets values: only the last device of each request counts",
        "1.37.0",
        "kubernetes/kubernetes#140600",
        |b| b.distinct_memory == DistinctMemory::LastPerRequest && b.distinct_supported,
    ),
    entry(
        "distinct_memory",
        "distinctAttribute compares addresses: different devices with equal values are accepted",
        "1.35.0",
        "kubernetes/kubernetes#135022",
        |b| b.distinct_memory == DistinctMemory::Pointers && b.distinct_supported,
    ),
    entry(
        LISTS_KEPT_BACK,
        "constraints take no account of lists: the scheduler does not tell the allocator that DRAListTypeAttributes is on",
        "1.37.0",
        "kubernetes/kubernetes#139332",
        Behavior::keeps_lists_back,
    ),
    entry(
        "list_narrowing_leaks",
        "matchAttribute over lists keeps a narrowed set after backtracking and can miss a solution",
        "1.37.0",
        "kubernetes/kubernetes#140300",
        |b| b.list_narrowing_leaks && b.list_attributes,
    ),
    entry(
        "class_config",
        "configuration of a class counts for every request of a claim, also for those of other classes",
        "1.34.2",
        "kubernetes/kubernetes#134793",
        |b| b.class_config == ClassConfig::PerRequest,
    ),
    entry(
        "claim_config_repeat",
        "a claim's configuration is repeated in the result for every request that it names",
        "1.37.0",
        "kubernetes/kubernetes#139731",
        |b| b.claim_config_repeat,
    ),
    entry(
        "waiting_capacity_doubled",
        "the capacity of a Pod that waits for binding conditions counts twice until it is bound",
        "",
        "kubernetes/kubernetes#139418",
        |b| b.waiting_capacity_doubled && b.features.consumable_capacity && b.models_binding(),
    ),
];
