use super::{AllocatorFeatures, CelSwitches, Gate, Gates, NoVariant, Release, Variant};

/// Whether known bugs of the release are reproduced or corrected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BehaviorMode {
    /// Exactly as the release decides, bugs included.
    #[default]
    AsReleased,
    /// With the known bugs corrected.
    Fixed,
}

/// Everything in which releases, variants and gates differ, one field per difference.
///
/// Fields named after a bug say whether the bug is there.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Behavior {
    /// The release.
    pub release: Release,
    /// Its gates.
    pub gates: Gates,
    /// Whether bugs are reproduced.
    pub mode: BehaviorMode,
    /// The allocator variant in force.
    pub variant: Variant,
    /// What the allocator was told about gates.
    pub features: AllocatorFeatures,
    /// Switches of CEL.
    pub cel: CelSwitches,

    /// Order of pools. Where it is random upstream, the playground takes the order of their first
    /// slices.
    pub pool_order: VisitOrder,
    /// Order of slices inside a pool. Where it is random upstream, the order given is taken.
    pub slice_order: VisitOrder,
    /// What goes last when a device has binding conditions.
    pub binding_last: BindingLast,
    /// When a pool counts as complete.
    pub pool_complete: PoolComplete,
    /// Whether requests for a count take devices of incomplete pools.
    pub incomplete_exact_usable: bool,
    /// What an invalid pool does to requests for a count.
    pub invalid_pool: InvalidPool,
    /// Whether slices with shared counters are relevant on every node.
    pub counter_slices_any_node: bool,
    /// Whether unknown counter sets and counters make a pool invalid.
    pub counter_refs_checked: bool,
    /// Whether slices of one generation that announce different counts make the pool invalid.
    pub slice_count_consistent: bool,
    /// Whether an incomplete or invalid pool makes a request for all devices fail on every node.
    pub all_pool_errors_fatal: bool,
    /// Whether slices with compatibility groups are ignored, which leaves their pool incomplete.
    pub compatibility_slices_ignored: bool,

    /// Whether every further device of a request is searched from the first device again.
    pub request_restarts: bool,
    /// Whether `All` in a later alternative continues with the first alternative's data.
    pub all_alternative_loses_index: bool,
    /// Whether `All` in the second alternative uses the first one's selector verdicts.
    pub all_alternatives_share_matches: bool,
    /// Whether `All` over a device that consumes counters crashes the scheduler.
    pub all_counters_crash: bool,
    /// What available and used counters are keyed by.
    pub counter_scope: CounterScope,
    /// Whether shares of earlier claims use counters.
    pub shared_allocations_use_counters: bool,
    /// Whether a further share of a device in use is not charged counters again.
    pub share_skips_counter_check: bool,
    /// Whether a device that became dedicated is given away while earlier shares of it are in use.
    pub dedicated_over_live_share: bool,
    /// Whether an earlier share without capacity marks the device as in use.
    pub share_without_capacity_is_in_use: bool,
    /// Whether refused or undone devices leave counters and constraints behind.
    pub reservation_leaks: bool,
    /// Whether capacity is checked on the device at the wrong index of the slice.
    pub capacity_of_wrong_device: bool,
    /// Whether `All` lists devices by published capacity only, so that an exhausted one fails it.
    pub all_keeps_exhausted: bool,
    /// What happens to capacity requests that cannot be represented.
    pub capacity_overflow: CapacityOverflow,
    /// Whether ranges are computed in thousandths where needed.
    pub fractional_range: bool,
    /// Notation of an amount rounded up to a step.
    pub step_result_format: StepResultFormat,
    /// Whether capacity requests with the gate off are refused by name.
    pub capacity_gate_checked: bool,
    /// Whether that refusal names the subrequest rather than its parent.
    pub capacity_gate_names_subrequest: bool,
    /// Whether amounts of a slice held in decimal form change during allocation. The playground
    /// never does that; the switch is there to tell the reader.
    pub quantity_aliasing: bool,
    /// Whether binding conditions need device status as a feature of its own.
    pub binding_needs_status: bool,
    /// What `distinctAttribute` remembers.
    pub distinct_memory: DistinctMemory,
    /// Whether `distinctAttribute` is known.
    pub distinct_supported: bool,
    /// Whether only the effects `NoSchedule` and `NoExecute` refuse devices.
    pub taint_effects_known_only: bool,
    /// Whether list attributes are compared as sets in constraints.
    pub list_attributes: bool,
    /// Whether a narrowed common set of list attributes stays narrow after backtracking.
    pub list_narrowing_leaks: bool,
    /// Whether requests with derived attributes are refused by name.
    pub derived_attributes_refused: bool,
    /// Whether devices of slices with `skipNodeOperations` need the feature and a node that
    /// declares it.
    pub skip_node_operations_checked: bool,
    /// Whether an allocation with `skipNodeOperations` keeps Pods off nodes that do not declare the
    /// feature, whatever the gate.
    pub allocated_node_operations_checked: bool,
    /// How the limit of 32 devices per claim is reported.
    pub claim_limit_text: ClaimLimitText,

    /// How class configuration gets into results.
    pub class_config: ClassConfig,
    /// Whether a claim's entry is repeated for every request that it names.
    pub claim_config_repeat: bool,
    /// Whether entries that cover every request lose their request names.
    pub config_requests_cleared: bool,
    /// Whether tolerations are copied into results.
    pub result_tolerations: bool,
    /// Whether `bindsToNode` pins an allocation to its node.
    pub binds_to_node: bool,
    /// Whether a crash of the result's assembly is possible when binding conditions are off.
    pub result_binding_conditions: bool,

    /// Whether the scheduler applies `DeviceTaintRules`.
    pub taint_rules: bool,
    /// By what a rule chooses devices.
    pub rule_criteria: RuleCriteria,
    /// What a rule without selector taints.
    pub rule_nil_selector: NilSelector,
    /// Whether rules have no effect and the next slice change makes the scheduler panic.
    pub rule_tracker_broken: bool,
    /// Whether the scheduler writes `Pod` with a capital letter in messages about owners.
    pub owner_text_capitalized: bool,
    /// Whether PostFilter says so when it finds nothing to deallocate.
    pub post_filter_speaks: bool,
    /// Whether the message about a node's taint names the taint (kubernetes/kubernetes#134740).
    pub node_taint_named: bool,
    /// Whether nodes with better alternatives of prioritized lists are preferred.
    pub alternatives_scored: bool,
    /// Whether names of extended resources are kept from event to event: a class that does not get its
    /// explicit name has no implicit one either, and one that goes takes that of another class along.
    pub class_names_follow_events: bool,
    /// Whether a class with an `extendedResourceName` has no implicit name.
    pub explicit_name_alone: bool,
    /// Whether the special claim of extended resources asks for what each container wants, without
    /// reuse, also for what a node has a device plugin for, and a plugin with nothing left counts.
    pub special_claim_plain: bool,
    /// Whether the claim controller does nothing for a Pod as long as one of its claims has to be
    /// made by somebody else: claims of later entries are not generated.
    pub idle_claim_ends_work: bool,
    /// Whether it does nothing for a claim that is reserved for something that is no Pod either.
    pub odd_consumer_ends_work: bool,
    /// Whether the scheduler holds what it allocated until the Pod is bound, even when the claim is
    /// gone or deallocated while the Pod waits for binding conditions.
    pub held_until_bound: bool,
    /// Whether the end of waiting for binding conditions is told with its cause.
    pub binding_timeout_explained: bool,
    /// Whether claims for extended resources outlive the end of their Pod, until it is deleted.
    pub special_claims_outlive_end: bool,
    /// Whether device taints evict no Pod from devices of its extended resources.
    pub special_claims_spared: bool,
    /// Whether capacity counts twice while its Pod waits: in the claim, and in what the scheduler
    /// holds.
    pub waiting_capacity_doubled: bool,
}

/// Sorted, or whatever comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VisitOrder {
    /// Random upstream.
    Random,
    /// By name in byte order.
    Sorted,
}

/// What is visited after everything else when a device in it has binding conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BindingLast {
    /// Nothing.
    Nothing,
    /// The pool.
    Pools,
    /// The pool, and inside it the slice.
    SlicesAndPools,
}

/// When a pool counts as complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PoolComplete {
    /// When as many slices as announced are relevant for the node.
    RelevantSlices,
    /// When as many slices as announced exist in the cluster.
    Cluster,
}

/// What an invalid pool does to requests for a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvalidPool {
    /// Ends the attempt when the search arrives at it.
    Fatal,
    /// It is skipped; if the node fits nothing else, that is the node's message.
    NodeError,
    /// The same, and the message says which pool and why.
    NodeErrorWithReason,
}

/// What counters are keyed by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterScope {
    /// The slice, which must hold devices and counter sets.
    Slice,
    /// The pool's name without its driver.
    PoolName,
    /// Driver and pool.
    DriverAndPool,
}

/// What happens to capacity requests that cannot be represented, and to negative ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityOverflow {
    /// 64-bit arithmetic wraps.
    Wraps,
    /// The attempt ends with an error.
    Refused,
}

/// Notation of an amount rounded up to a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResultFormat {
    /// Always binary.
    Binary,
    /// That of the step.
    OfStep,
}

/// What `distinctAttribute` remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DistinctMemory {
    /// Addresses: only the same shared device collides with itself.
    Pointers,
    /// The last value of every request.
    LastPerRequest,
    /// Every device's value.
    EveryDevice,
}

/// How the limit of devices per claim is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimLimitText {
    /// For the claim as a whole.
    Claim,
    /// For the request that passes it.
    Request,
}

/// How class configuration gets into results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassConfig {
    /// Every request repeats the entries of its class, without request names.
    PerRequest,
    /// One set of entries per class, with the names of its requests.
    PerClass,
}

/// By what a `DeviceTaintRule` chooses devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleCriteria {
    /// Driver, pool, device, class and CEL selectors.
    WithClassAndSelectors,
    /// Driver, pool and device.
    DriverPoolDevice,
}

/// What a `DeviceTaintRule` without selector taints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NilSelector {
    /// Every device.
    All,
    /// No device.
    None,
}

impl Behavior {
    /// What a release does with these gates.
    ///
    /// # Errors
    /// No allocator variant supports the gates; kube-scheduler fails every Pod with that text.
    pub fn new(gates: Gates, mode: BehaviorMode) -> Result<Self, NoVariant> {
        let mut features = AllocatorFeatures::of(&gates);
        if mode == BehaviorMode::Fixed {
            // The plugin of 1.36 forgets to tell the allocator.
            features.list_type_attributes = gates.enabled(Gate::ListTypeAttributes);
        }
        let variant = features.variant(gates.release())?;
        let released = Self::released(gates, features, variant);
        Ok(match mode {
            BehaviorMode::AsReleased => released,
            BehaviorMode::Fixed => released.fixed(),
        })
    }

    /// Whether lists are allowed and the allocator does not know of it.
    pub(crate) fn keeps_lists_back(&self) -> bool {
        self.gates.enabled(Gate::ListTypeAttributes) && !self.features.list_type_attributes
    }

    /// Tells the allocator of lists; `false` when no variant knows them.
    pub(crate) fn hand_lists_on(&mut self) -> bool {
        let features = AllocatorFeatures { list_type_attributes: true, ..self.features };
        let variant = features.variant(self.release);
        if let Ok(variant) = variant {
            *self = Self::released(self.gates.clone(), features, variant);
        }
        variant.is_ok()
    }

    /// The default release with its default gates.
    pub fn default_release() -> Self {
        let gates = Gates::defaults(Release::DEFAULT);
        let features = AllocatorFeatures::of(&gates);
        Self::released(gates, features, Variant::Incubating)
    }

    /// What a release does when a library user chooses features, and perhaps the variant, directly.
    ///
    /// # Errors
    /// No variant supports the features.
    pub fn for_features(
        gates: Gates,
        features: AllocatorFeatures,
        forced: Option<Variant>,
    ) -> Result<Self, NoVariant> {
        let features = features.known_to(gates.release());
        let variant = match forced {
            Some(variant) => variant,
            None => features.variant(gates.release())?,
        };
        Ok(Self::released(gates, features, variant))
    }

    /// Whether capacity is consumed: the gate is on and the variant knows it.
    pub fn models_capacity(&self) -> bool {
        self.features.consumable_capacity && self.capacity_gate_checked
    }

    /// Whether devices with binding conditions can be chosen.
    pub fn models_binding(&self) -> bool {
        self.features.device_binding && (self.features.device_status || !self.binding_needs_status)
    }

    /// The same release and gates with known bugs corrected.
    #[must_use]
    pub fn fixed(self) -> Self {
        Self {
            mode: BehaviorMode::Fixed,
            pool_order: VisitOrder::Sorted,
            slice_order: VisitOrder::Sorted,
            binding_last: match self.binding_last {
                BindingLast::Nothing => BindingLast::Nothing,
                BindingLast::Pools | BindingLast::SlicesAndPools => BindingLast::Pools,
            },
            pool_complete: PoolComplete::Cluster,
            incomplete_exact_usable: false,
            invalid_pool: InvalidPool::NodeErrorWithReason,
            counter_slices_any_node: false,
            counter_refs_checked: true,
            slice_count_consistent: true,
            all_pool_errors_fatal: false,
            request_restarts: false,
            all_alternative_loses_index: false,
            all_alternatives_share_matches: false,
            all_counters_crash: false,
            counter_scope: match self.counter_scope {
                CounterScope::Slice => CounterScope::Slice,
                CounterScope::PoolName | CounterScope::DriverAndPool => CounterScope::DriverAndPool,
            },
            shared_allocations_use_counters: true,
            share_skips_counter_check: true,
            dedicated_over_live_share: false,
            share_without_capacity_is_in_use: true,
            reservation_leaks: false,
            capacity_of_wrong_device: false,
            all_keeps_exhausted: true,
            capacity_overflow: CapacityOverflow::Refused,
            step_result_format: StepResultFormat::OfStep,
            quantity_aliasing: false,
            distinct_memory: DistinctMemory::EveryDevice,
            taint_effects_known_only: true,
            list_narrowing_leaks: false,
            class_config: ClassConfig::PerClass,
            claim_config_repeat: false,
            rule_nil_selector: NilSelector::None,
            rule_tracker_broken: false,
            class_names_follow_events: false,
            special_claims_spared: false,
            waiting_capacity_doubled: false,
            cel: CelSwitches { quantity_add_mutates: false, ..self.cel },
            ..self
        }
    }

    #[expect(clippy::too_many_lines, reason = "a table")]
    fn released(gates: Gates, features: AllocatorFeatures, variant: Variant) -> Self {
        let release = gates.release();
        let stable = variant == Variant::Stable;
        let experimental = variant == Variant::Experimental;
        let from_35 = release.since(35, 0);
        let from_36 = release.since(36, 0);
        let from_dev = release.since_development();
        let from_37 = release.since(37, 0);
        let sorted = if from_36 && !stable { VisitOrder::Sorted } else { VisitOrder::Random };
        let full = if from_36 { !stable } else { experimental };
        Self {
            release,
            mode: BehaviorMode::AsReleased,
            variant,
            features,
            cel: CelSwitches::of(&gates, full),

            pool_order: sorted,
            slice_order: sorted,
            binding_last: match (from_36, variant) {
                (_, Variant::Stable) | (false, Variant::Incubating) => BindingLast::Nothing,
                (true, Variant::Incubating | Variant::Experimental) => BindingLast::Pools,
                (false, Variant::Experimental) => BindingLast::SlicesAndPools,
            },
            pool_complete: if from_35 {
                PoolComplete::Cluster
            } else {
                PoolComplete::RelevantSlices
            },
            incomplete_exact_usable: !from_35,
            invalid_pool: if from_35 { InvalidPool::NodeError } else { InvalidPool::Fatal },
            counter_slices_any_node: from_35 && (stable || !from_dev),
            counter_refs_checked: from_35,
            slice_count_consistent: false,
            all_pool_errors_fatal: true,
            compatibility_slices_ignored: from_37 && !features.compatibility_groups,

            request_restarts: stable || !from_36,
            all_alternative_loses_index: !from_36,
            all_alternatives_share_matches: !from_36,
            all_counters_crash: release.since_any(&[(35, 0), (36, 0)])
                && !release.since_any(&[(35, 6), (36, 2)]),
            counter_scope: if release.since_any(&[(36, 4), (37, 0)]) {
                CounterScope::DriverAndPool
            } else if from_35 {
                CounterScope::PoolName
            } else {
                CounterScope::Slice
            },
            shared_allocations_use_counters: release.since(36, 2),
            share_skips_counter_check: from_35,
            dedicated_over_live_share: true,
            share_without_capacity_is_in_use: from_37,
            reservation_leaks: !release.since_any(&[(36, 3), (37, 0)]),
            capacity_of_wrong_device: !from_35 && experimental,
            all_keeps_exhausted: from_37,
            capacity_overflow: if from_37 {
                CapacityOverflow::Refused
            } else {
                CapacityOverflow::Wraps
            },
            fractional_range: features.fractional_capacity_range,
            step_result_format: if from_37 {
                StepResultFormat::OfStep
            } else {
                StepResultFormat::Binary
            },
            capacity_gate_checked: full,
            capacity_gate_names_subrequest: from_35,
            quantity_aliasing: !from_37,
            binding_needs_status: !from_35,
            distinct_memory: if from_37 {
                DistinctMemory::EveryDevice
            } else if from_35 {
                DistinctMemory::LastPerRequest
            } else {
                DistinctMemory::Pointers
            },
            distinct_supported: full,
            taint_effects_known_only: from_36 || (from_35 && !stable),
            list_attributes: experimental && from_36 && features.list_type_attributes,
            list_narrowing_leaks: !from_37,
            derived_attributes_refused: from_37 && !(experimental && features.derived_attributes),
            skip_node_operations_checked: experimental && from_37,
            allocated_node_operations_checked: from_37,
            claim_limit_text: if release.since_any(&[(34, 12), (35, 9), (36, 5), (37, 1)]) {
                ClaimLimitText::Request
            } else {
                ClaimLimitText::Claim
            },

            class_config: if release.since(34, 2) {
                ClassConfig::PerClass
            } else {
                ClassConfig::PerRequest
            },
            claim_config_repeat: !from_dev,
            config_requests_cleared: from_dev,
            result_tolerations: if from_36 { true } else { from_35 && !stable },
            binds_to_node: full,
            result_binding_conditions: full && features.device_binding,

            taint_rules: if from_35 {
                gates.enabled(Gate::DeviceTaints) && gates.enabled(Gate::DeviceTaintRules)
            } else {
                gates.enabled(Gate::DeviceTaints)
            },
            rule_criteria: if from_35 {
                RuleCriteria::DriverPoolDevice
            } else {
                RuleCriteria::WithClassAndSelectors
            },
            rule_nil_selector: if release.since(37, 1) {
                NilSelector::None
            } else {
                NilSelector::All
            },
            rule_tracker_broken: from_36 && !release.since(36, 3),
            owner_text_capitalized: from_36,
            post_filter_speaks: !from_37,
            node_taint_named: !release.since(34, 2),
            alternatives_scored: from_35 && gates.enabled(Gate::PrioritizedList),
            class_names_follow_events: from_35,
            explicit_name_alone: !from_35,
            special_claim_plain: !from_35,
            idle_claim_ends_work: !from_36,
            odd_consumer_ends_work: !from_36,
            held_until_bound: from_37,
            binding_timeout_explained: from_36,
            special_claims_outlive_end: !from_35,
            special_claims_spared: !release.since(37, 2),
            waiting_capacity_doubled: from_37,
            gates,
        }
    }
}
