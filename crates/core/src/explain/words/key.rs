keys! {
    /// A Pod that is not scheduled.
    PodWaits,
    /// A claim that is not allocated.
    ClaimWaits,
    /// Which request a cause is about, when there are several.
    RequestPart,
    /// Which extended resource a cause is about.
    ResourcePart,
    /// A claim without user.
    Unused,
    /// A claim whose Pod is on a node before it has devices.
    PassedBy,
    /// A sentence with its full stop.
    Sentence,
    /// Between a statement and its evidence.
    Colon,
    /// Between two statements.
    Semicolon,
    /// Detail beside a label.
    Aside,
    /// Between the items of a list.
    ListMiddle,
    /// Before the last item of a list.
    ListLast,
    /// After a list that is cut.
    ListMore,
    /// A thing of somebody.
    Possessive,
    /// An amount without unit and what it is of.
    AmountOf,
    /// All devices that pass the selectors, in singular.
    AcceptedEvery,
    /// The one device that passes the selectors.
    AcceptedOnly,
    /// All free devices that pass the selectors, in singular, where others are in use.
    AcceptedFreeEvery,
    /// The one free device that passes the selectors, where others are in use.
    AcceptedFreeOnly,
    /// Counters used up by one holder.
    CountersTaken,
    /// Counters used up by several holders.
    CountersTakenMany,
    /// Counters of which too little is left.
    CountersPart,
    /// Counters of which too little is left, several holders.
    CountersPartMany,
    /// Counters that never suffice.
    CountersSmall,
    /// Several counter sets are short.
    CountersVarious,
    /// The same, with those who have what is missing.
    CountersVariousHeld,
    /// Nothing is left of a capacity, one holder.
    CapacityTaken,
    /// Nothing is left of a capacity, several holders.
    CapacityTakenMany,
    /// Too little is left of a capacity.
    CapacityPart,
    /// A capacity that never suffices.
    CapacitySmall,
    /// Several devices have too little left.
    CapacityVarious,
    /// The capacity is published under no such name.
    CapacityUnknown,
    /// The amount is against the policy.
    CapacityPolicy,
    /// The only device is taken.
    InUseOnly,
    /// All devices are taken.
    InUseAll,
    /// The Pod's own requests take the devices.
    InUseThisPod,
    /// A taint stands in the way.
    TaintedAll,
    /// The same, beside a toleration of the same key.
    TaintedNear,
    /// What differs between toleration and taint.
    TolerationDiffers,
    /// The class accepts nothing.
    ClassNone,
    /// Selectors of the class are false for different reasons.
    ClassNoneVarious,
    /// The class does not accept the single device.
    ClassNoneOne,
    /// The class would accept none, nor is any free.
    ClassNoneAny,
    /// The request's selectors would accept none, nor is any free.
    SelectorNoneAny,
    /// The request's selector accepts nothing.
    SelectorNone,
    /// Selectors of the request are false for different reasons.
    SelectorNoneVarious,
    /// The request's selector does not accept the single device.
    SelectorNoneOne,
    /// What devices have under a name that a selector asks for.
    FoundValues,
    /// No device anywhere.
    NoDevices,
    /// The slices are for nodes with other labels.
    NoDevicesSelected,
    /// The slices are for another node, which has this name.
    NoDevicesNamed,
    /// No node reaches a device.
    NoDevicesAnywhere,
    /// There is no node.
    NoNodes,
    /// Fewer devices than wanted.
    TooFew,
    /// Fewer devices match than wanted.
    TooFewMatch,
    /// Fewer devices match than wanted, and some of them cannot be had.
    TooFewMatchParts,
    /// Several reasons.
    Mixed,
    /// One of several reasons.
    MixedPart,
    /// One of several reasons that has one device.
    MixedPartOf,
    /// One of several reasons, on one of its devices.
    MixedPartLike,
    /// One device of an All request cannot be had.
    AllBlocked,
    /// Nothing matches an All request.
    AllNone,
    /// The requests exclude each other.
    NotTogether,
    /// Devices of an All request exclude each other.
    AllExclude,
    /// Several requests.
    RequestsNamed,
    /// The extended resources that a sentence is about.
    ResourcesNamed,
    /// Requests want more devices than there are.
    ShareFew,
    /// Requests draw too much together.
    ShareCounters,
    /// Requests ask too much of a device together.
    ShareCapacity,
    /// Devices of one request draw too much together.
    OwnCounters,
    /// One request asks too much of a device.
    OwnCapacity,
    /// Requests exclude each other.
    Exclude,
    /// Nothing has the attribute.
    OwnMatchMissing,
    /// Nothing has the attribute.
    OwnDistinctMissing,
    /// No device for one request has the attribute.
    MatchMissing,
    /// No device for one request has the attribute.
    DistinctMissing,
    /// Fewer devices than wanted have the attribute.
    OwnMatchLack,
    /// Every device has a value of its own.
    OwnMatchUnique,
    /// The same for several requests.
    MatchUnique,
    /// Too few devices have one value.
    OwnMatchFew,
    /// Too few values.
    OwnDistinctFew,
    /// Too few values for several requests.
    DistinctFew,
    /// No value is there for all requests.
    MatchApart,
    /// The values that one request could have.
    MatchPart,
    /// It would wait in an empty cluster too.
    ContextNever,
    /// More devices than a claim can have.
    TooMany,
    /// No device has the attribute.
    ConstraintMissing,
    /// Values differ.
    ConstraintDiffers,
    /// Values are equal.
    ConstraintDuplicate,
    /// A pool is being updated.
    PoolIncomplete,
    /// A pool with more slices than it announces.
    PoolDisagrees,
    /// A pool is invalid.
    PoolInvalid,
    /// A pool is outdated.
    PoolObsolete,
    /// A feature is off.
    FeatureOff,
    /// The node does not declare a feature.
    NotDeclared,
    /// The devices are of other nodes.
    OtherNode,
    /// A selector failed.
    CelRuntime,
    /// A selector does not compile.
    CelCompile,
    /// Upstream's own words.
    Verbatim,
    /// A class is missing.
    ClassMissing,
    /// A claim is missing.
    ClaimMissing,
    /// A template is missing.
    TemplateMissing,
    /// An object is written, but refused.
    RefusedThing,
    /// Devices are missing.
    ContextRefusedSlice,
    /// A template is in another namespace.
    TemplateElsewhere,
    /// A claim is in another namespace.
    ClaimInNamespace,
    /// All meets an incomplete pool.
    AllNeedsComplete,
    /// All meets an invalid pool.
    AllNeedsValid,
    /// All meets a constraint.
    AllConstraint,
    /// More devices than a claim can have.
    TooManyFor,
    /// The only device lacks the attribute.
    OwnMissingOne,
    /// The amount is above the policy.
    CapacityTooMuch,
    /// A similar name.
    ContextSimilar,
    /// A capacity of a similar name.
    ContextSimilarCapacity,
    /// Why all of a capacity is consumed.
    ContextWhole,
    /// An amount that the policy of the device raises.
    ContextRounded,
    /// The Pod tolerates what the request must.
    ContextPodToleration,
    /// Several devices are asked where one could be shared.
    ContextShares,
    /// Too few devices of one value for several requests.
    MatchFew,
    /// Search: a call.
    SearchEnter,
    /// Search: behind the last request.
    SearchEnd,
    /// Search: a device is refused.
    SearchSkip,
    /// Search: devices are refused.
    SearchSkipMany,
    /// Search: a device is taken.
    SearchTake,
    /// Search: a device that is taken.
    SearchTaken,
    /// Search: backtracking.
    SearchUndo,
    /// Search: an alternative is chosen.
    SearchChoose,
    /// Search: a call is left out.
    SearchPrune,
    /// Search: success.
    SearchFound,
    /// Search: a call fails.
    SearchFail,
    /// Search: more than 32.
    SearchTooMany,
    /// Search: a gap.
    SearchGap,
    /// A known bug.
    ContextLeak,
    /// An account is below zero.
    MarkOverCommitted,
    /// A draw that nobody books.
    MarkVanished,
    /// Another account blocks this one.
    MarkForeign,
    /// Pools of one name are mixed up.
    MarkSharedName,
    /// The release crashes.
    Crash,
    /// The search was stopped.
    Budget,
    /// An allocated claim pins the Pod.
    ClaimElsewhere,
    /// An allocated claim cannot be used here.
    ClaimElsewhereSelected,
    /// The Pod names another node.
    NodeName,
    /// Labels do not match.
    NodeAffinity,
    /// A taint of the node.
    NodeTaint,
    /// Cordoned nodes.
    NodeUnschedulable,
    /// cpu, memory and the like.
    NodeResources,
    /// The node has a device plugin for the resource, and too little is left of it.
    NodePlugin,
    /// An unknown extended resource.
    UnknownResource,
    /// A resource of a similar name.
    ContextSimilarResource,
    /// A claim with as many users as it can have.
    ClaimFull,
    /// A label that a node lacks.
    FitsWithLabel,
    /// The same, tried in vain.
    VainLabel,
    /// A field with another value.
    FitsIfSet,
    /// A node is opened for new Pods.
    FitsIfUncordoned,
    /// A cause on some of the nodes.
    OnNodes,
    /// Nodes that are out for reasons beside devices.
    OtherNodes,
    /// One such node.
    OtherNodesOne,
    /// Cards are free that the selector does not accept.
    ContextFree,
    /// Cards are free that the selector does not accept.
    ContextFreeBare,
    /// One device is free and not accepted.
    ContextFreeOne,
    /// The same without the part that is false.
    ContextFreeOneBare,
    /// The claim exists without allocation.
    ContextClaim,
    /// An error ends the whole attempt.
    ContextAborted,
    /// All or nothing.
    ContextTogether,
    /// No preemption.
    ContextPreemption,
    /// The general word for a device.
    ThingDevice,
    /// One card.
    CardsOne,
    /// Several cards.
    CardsMany,
    /// One device.
    DevicesOne,
    /// Several devices.
    DevicesMany,
    /// A change that helps.
    FitsIfDeleted,
    /// A change that helps.
    FitsIfDeletedMany,
    /// A change that helps.
    FitsIfDropped,
    /// The same change of one of several requests.
    InRequest,
    /// A change that helps.
    FitsIfLess,
    /// One of several amounts.
    LessPart,
    /// A change that helps.
    FitsIfFewer,
    /// A change that helps.
    FitsIfTolerated,
    /// A change that helps.
    FitsIfNoConstraint,
    /// A change that helps.
    FitsIfRepaired,
    /// A change that helps.
    FitsElsewhere,
    /// A change that helps.
    FitsInOrder,
    /// Two changes that help together.
    FitsIfBoth,
    /// A change that helps.
    FitsIfFixed,
    /// A change that helps.
    FitsWithGate,
    /// A change that helps.
    FitsWithoutGate,
    /// A change that helps.
    FitsInRelease,
    /// A change that helps because rules are not enforced.
    NotEnforced,
    /// Taints of devices.
    RuleTaints,
    /// Shared counters.
    RuleCounters,
    /// Consumable capacity.
    RuleCapacity,
    /// Attributes that must differ.
    RuleDistinct,
    /// What comes of a change.
    OutcomeGets,
    /// What comes of a change, on another node.
    OutcomeGetsOn,
    /// What comes of a change.
    OutcomeRuns,
    /// What did not help.
    VainDeleted,
    /// What did not help.
    VainDropped,
    /// What did not help.
    VainLess,
    /// What did not help.
    VainFewer,
    /// What did not help.
    VainTolerated,
    /// What did not help.
    VainNoConstraint,
    /// What did not help.
    VainOrder,
    /// What did not help.
    VainGates,
    /// What did not help.
    VainReleases,
    /// Sieve: devices.
    StageDevices,
    /// Sieve: free.
    StageFree,
    /// Sieve: class.
    StageClass,
    /// Sieve: request selector.
    StageRequest,
    /// Sieve: node.
    StageNode,
    /// Sieve: capacity.
    StageCapacity,
    /// Sieve: counters.
    StageCounters,
    /// Sieve: taints.
    StageTaints,
    /// Sieve: constraints.
    StageConstraints,
    /// Sieve: chosen.
    StageChosen,
    /// Label.
    LabelChosen,
    /// Label.
    LabelNotNeeded,
    /// Label.
    LabelNotReached,
    /// Label.
    LabelUndone,
    /// Label.
    LabelSliceOtherNode,
    /// Label.
    LabelSliceIgnored,
    /// Label.
    LabelPoolObsolete,
    /// Label.
    LabelPoolIncomplete,
    /// Label.
    LabelPoolInvalid,
    /// Label.
    LabelInUse,
    /// Label.
    LabelInUseThisPod,
    /// Label.
    LabelBindingUnsupported,
    /// Label.
    LabelClassFalse,
    /// Label.
    LabelRequestFalse,
    /// Label.
    LabelCelError,
    /// Label.
    LabelDeviceOtherNode,
    /// Label.
    LabelCapacityUnknown,
    /// Label.
    LabelCapacityPolicy,
    /// Label.
    LabelCapacityShort,
    /// Label.
    LabelNodeOperations,
    /// Label.
    LabelPartitionableOff,
    /// Label.
    LabelCountersShort,
    /// Label.
    LabelTainted,
    /// Label.
    LabelConstraint,
    /// Label.
    LabelOver32,
    /// Devices are allocated and not ready.
    WaitsForConditions,
    /// Which binding conditions are not true yet.
    WaitsForNamed,
    /// A binding condition of a device.
    ConditionOf,
    /// Label.
    LabelBinding,
    /// Label.
    LabelMissing,
    /// Label.
    LabelHeldBack,
    /// Label.
    LabelRefused,
    /// Label.
    LabelError,
    /// Label.
    LabelNoNode,
    /// Label.
    LabelClaimElsewhere,
    /// Label.
    LabelNoDevices,
    /// Label.
    LabelTooFew,
    /// Label.
    LabelNotTogether,
    /// Detail.
    DetailChosen,
    /// Detail.
    DetailNotNeeded,
    /// Detail.
    DetailNotReached,
    /// Detail.
    DetailNotReachedEarlier,
    /// Detail.
    DetailNotReachedError,
    /// Detail.
    DetailUndone,
    /// Detail.
    DetailSliceOtherNode,
    /// Detail.
    DetailSliceIgnored,
    /// Detail.
    DetailPoolObsolete,
    /// Detail.
    DetailPoolIncomplete,
    /// More slices than announced.
    DetailPoolDisagrees,
    /// Detail.
    DetailPoolInvalid,
    /// Detail.
    DetailInUse,
    /// Detail.
    DetailInUseThisPod,
    /// Detail.
    DetailInUseThisPodBare,
    /// Detail.
    DetailSelectorFalse,
    /// Detail.
    DetailCelError,
    /// Detail.
    DetailDeviceOtherNode,
    /// Detail.
    DetailCapacityUnknown,
    /// Detail.
    DetailCapacityPolicy,
    /// Detail.
    DetailCapacityShort,
    /// Detail.
    DetailFeatureOff,
    /// Detail.
    DetailNotDeclared,
    /// Detail.
    DetailCountersShort,
    /// The same, with what the attempt has used.
    DetailCountersTaken,
    /// Detail.
    DetailCountersForeign,
    /// Detail.
    DetailCountersLeaked,
    /// Detail.
    DetailTainted,
    /// The same, beside a toleration of the same key.
    DetailTaintedNear,
    /// Detail.
    DetailConstraintMissing,
    /// Detail.
    DetailConstraintDiffers,
    /// Detail.
    DetailConstraintDiffersBare,
    /// Detail.
    DetailConstraintDuplicate,
    /// Detail.
    DetailConstraintDuplicateBare,
    /// Detail.
    DetailOver32,
    /// How an amount came about.
    RuleDefault,
    /// How an amount came about.
    RuleWhole,
    /// How an amount came about.
    RuleAsAsked,
    /// How an amount came about.
    RuleMin,
    /// How an amount came about.
    RuleStep,
    /// How an amount came about.
    RuleValues,
    /// Why a share books nothing.
    RuleChargedOnce,
}
