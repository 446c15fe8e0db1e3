//! The words of explanations: one file per language, nothing else knows how a thing is said.
//!
//! A new language is a file with a template for each [`Key`] and a line in [`catalogue`]. Words of
//! the scheduler are never translated.

mod en;
mod zh_tw;

use super::Phrase;

/// The words of one language.
#[derive(Clone, Copy, Debug)]
pub struct Catalogue {
    template: fn(Key) -> &'static str,
    number: fn(usize) -> String,
}

/// The catalogue of a language tag such as `en` or `zh-TW`; English when there is none.
pub fn catalogue(language: &str) -> Catalogue {
    match language {
        "zh" | "zh-TW" | "zh-Hant" | "zh-Hant-TW" => {
            Catalogue { template: zh_tw::template, number: zh_tw::number }
        }
        _ => Catalogue { template: en::template, number: en::number },
    }
}

impl Catalogue {
    /// A sentence or part of one, its places filled.
    pub fn say(&self, key: Key, values: &[(&str, Phrase)]) -> Phrase {
        Phrase::fill((self.template)(key), values)
    }

    /// Words without places.
    pub fn word(&self, key: Key) -> &'static str {
        (self.template)(key)
    }

    /// A number as it reads best inside a sentence.
    pub fn number(&self, number: usize) -> String {
        (self.number)(number)
    }

    /// A list, cut after `limit` items.
    pub fn list(&self, items: &[Phrase], limit: usize) -> Phrase {
        let shown = items.get(..limit.min(items.len())).unwrap_or_default();
        let cut = items.len() - shown.len();
        let mut list = Phrase::default();
        for (index, item) in shown.iter().enumerate() {
            if index > 0 {
                let is_last = cut == 0 && index + 1 == shown.len();
                list = list
                    .then(self.word(if is_last { Key::ListLast } else { Key::ListMiddle }).into());
            }
            list = list.then(item.clone());
        }
        if cut == 0 {
            return list;
        }
        self.say(Key::ListMore, &[("list", list), ("count", cut.to_string().into())])
    }

    /// A text as a sentence: first letter large, full stop.
    pub fn sentence(&self, text: Phrase) -> Phrase {
        if text.is_empty() {
            return text;
        }
        self.say(Key::Sentence, &[("text", text)])
    }
}

/// Everything that can be said. The places of a template are named in its English form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A Pod that is not scheduled.
    PodWaits,
    /// A claim that is not allocated.
    ClaimWaits,
    /// Which request a cause is about, when there are several.
    RequestPart,
    /// A claim without user.
    Unused,
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
    /// The class accepts nothing.
    ClassNone,
    /// The class does not accept the single device.
    ClassNoneOne,
    /// The request's selector accepts nothing.
    SelectorNone,
    /// The request's selector does not accept the single device.
    SelectorNoneOne,
    /// No device anywhere.
    NoDevices,
    /// No device can be reached.
    NoDevicesHere,
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
    /// One device of an All request cannot be had.
    AllBlocked,
    /// Nothing matches an All request.
    AllNone,
    /// The requests exclude each other.
    NotTogether,
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
    /// A pool is invalid.
    PoolInvalid,
    /// A pool is outdated.
    PoolObsolete,
    /// A feature is off.
    FeatureOff,
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
    /// The release crashes.
    Crash,
    /// The search was stopped.
    Budget,
    /// An allocated claim pins the Pod.
    ClaimElsewhere,
    /// An allocated claim cannot be used here.
    ClaimElsewhereBare,
    /// The Pod names another node.
    NodeName,
    /// Labels do not match.
    NodeAffinity,
    /// Node taints.
    NodeTaint,
    /// Cordoned nodes.
    NodeUnschedulable,
    /// cpu, memory and the like.
    NodeResources,
    /// An unknown extended resource.
    UnknownResource,
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
    /// A change that helps.
    FitsIfLess,
    /// A change that helps.
    FitsIfFewer,
    /// A change that helps.
    FitsIfTolerated,
    /// A change that helps.
    FitsIfFixed,
    /// A change that helps.
    FitsWithGate,
    /// A change that helps.
    FitsWithoutGate,
    /// A change that helps.
    FitsInRelease,
    /// What comes of a change.
    OutcomeGets,
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
    DetailUndone,
    /// Detail.
    DetailSliceOtherNode,
    /// Detail.
    DetailSliceIgnored,
    /// Detail.
    DetailPoolObsolete,
    /// Detail.
    DetailPoolIncomplete,
    /// Detail.
    DetailPoolInvalid,
    /// Detail.
    DetailInUse,
    /// Detail.
    DetailInUseThisPod,
    /// Detail.
    DetailInUseThisPodBare,
    /// Detail.
    DetailBindingUnsupported,
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
    DetailPartitionableOff,
    /// Detail.
    DetailCountersShort,
    /// Detail.
    DetailCountersForeign,
    /// Detail.
    DetailCountersLeaked,
    /// Detail.
    DetailTainted,
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

#[cfg(test)]
impl Key {
    /// All keys.
    const ALL: &[Key] = &[
        Key::PodWaits,
        Key::ClaimWaits,
        Key::RequestPart,
        Key::Unused,
        Key::Sentence,
        Key::Colon,
        Key::Semicolon,
        Key::Aside,
        Key::ListMiddle,
        Key::ListLast,
        Key::ListMore,
        Key::Possessive,
        Key::AmountOf,
        Key::AcceptedEvery,
        Key::AcceptedOnly,
        Key::CountersTaken,
        Key::CountersTakenMany,
        Key::CountersPart,
        Key::CountersPartMany,
        Key::CountersSmall,
        Key::CountersVarious,
        Key::CapacityTaken,
        Key::CapacityTakenMany,
        Key::CapacityPart,
        Key::CapacitySmall,
        Key::CapacityVarious,
        Key::CapacityUnknown,
        Key::CapacityPolicy,
        Key::InUseOnly,
        Key::InUseAll,
        Key::InUseThisPod,
        Key::TaintedAll,
        Key::ClassNone,
        Key::ClassNoneOne,
        Key::SelectorNone,
        Key::SelectorNoneOne,
        Key::NoDevices,
        Key::NoDevicesHere,
        Key::NoDevicesAnywhere,
        Key::NoNodes,
        Key::TooFew,
        Key::TooFewMatch,
        Key::TooFewMatchParts,
        Key::Mixed,
        Key::MixedPart,
        Key::AllBlocked,
        Key::AllNone,
        Key::NotTogether,
        Key::TooMany,
        Key::ConstraintMissing,
        Key::ConstraintDiffers,
        Key::ConstraintDuplicate,
        Key::PoolIncomplete,
        Key::PoolInvalid,
        Key::PoolObsolete,
        Key::FeatureOff,
        Key::OtherNode,
        Key::CelRuntime,
        Key::CelCompile,
        Key::Verbatim,
        Key::ClassMissing,
        Key::ClaimMissing,
        Key::TemplateMissing,
        Key::Crash,
        Key::Budget,
        Key::ClaimElsewhere,
        Key::ClaimElsewhereBare,
        Key::NodeName,
        Key::NodeAffinity,
        Key::NodeTaint,
        Key::NodeUnschedulable,
        Key::NodeResources,
        Key::UnknownResource,
        Key::OnNodes,
        Key::OtherNodes,
        Key::OtherNodesOne,
        Key::ContextFree,
        Key::ContextFreeBare,
        Key::ContextClaim,
        Key::ContextAborted,
        Key::ContextTogether,
        Key::ContextPreemption,
        Key::ThingDevice,
        Key::CardsOne,
        Key::CardsMany,
        Key::DevicesOne,
        Key::DevicesMany,
        Key::FitsIfDeleted,
        Key::FitsIfDeletedMany,
        Key::FitsIfDropped,
        Key::FitsIfLess,
        Key::FitsIfFewer,
        Key::FitsIfTolerated,
        Key::FitsIfFixed,
        Key::FitsWithGate,
        Key::FitsWithoutGate,
        Key::FitsInRelease,
        Key::OutcomeGets,
        Key::OutcomeRuns,
        Key::VainDeleted,
        Key::VainDropped,
        Key::VainLess,
        Key::VainFewer,
        Key::VainTolerated,
        Key::VainGates,
        Key::VainReleases,
        Key::StageDevices,
        Key::StageFree,
        Key::StageClass,
        Key::StageRequest,
        Key::StageNode,
        Key::StageCapacity,
        Key::StageCounters,
        Key::StageTaints,
        Key::StageConstraints,
        Key::StageChosen,
        Key::LabelChosen,
        Key::LabelNotNeeded,
        Key::LabelNotReached,
        Key::LabelUndone,
        Key::LabelSliceOtherNode,
        Key::LabelSliceIgnored,
        Key::LabelPoolObsolete,
        Key::LabelPoolIncomplete,
        Key::LabelPoolInvalid,
        Key::LabelInUse,
        Key::LabelInUseThisPod,
        Key::LabelBindingUnsupported,
        Key::LabelClassFalse,
        Key::LabelRequestFalse,
        Key::LabelCelError,
        Key::LabelDeviceOtherNode,
        Key::LabelCapacityUnknown,
        Key::LabelCapacityPolicy,
        Key::LabelCapacityShort,
        Key::LabelNodeOperations,
        Key::LabelPartitionableOff,
        Key::LabelCountersShort,
        Key::LabelTainted,
        Key::LabelConstraint,
        Key::LabelOver32,
        Key::WaitsForConditions,
        Key::LabelBinding,
        Key::LabelMissing,
        Key::LabelHeldBack,
        Key::LabelRefused,
        Key::LabelError,
        Key::LabelNoNode,
        Key::LabelClaimElsewhere,
        Key::LabelNoDevices,
        Key::LabelTooFew,
        Key::LabelNotTogether,
        Key::DetailChosen,
        Key::DetailNotNeeded,
        Key::DetailNotReached,
        Key::DetailNotReachedEarlier,
        Key::DetailUndone,
        Key::DetailSliceOtherNode,
        Key::DetailSliceIgnored,
        Key::DetailPoolObsolete,
        Key::DetailPoolIncomplete,
        Key::DetailPoolInvalid,
        Key::DetailInUse,
        Key::DetailInUseThisPod,
        Key::DetailInUseThisPodBare,
        Key::DetailBindingUnsupported,
        Key::DetailSelectorFalse,
        Key::DetailCelError,
        Key::DetailDeviceOtherNode,
        Key::DetailCapacityUnknown,
        Key::DetailCapacityPolicy,
        Key::DetailCapacityShort,
        Key::DetailPartitionableOff,
        Key::DetailCountersShort,
        Key::DetailCountersForeign,
        Key::DetailCountersLeaked,
        Key::DetailTainted,
        Key::DetailConstraintMissing,
        Key::DetailConstraintDiffers,
        Key::DetailConstraintDiffersBare,
        Key::DetailConstraintDuplicate,
        Key::DetailConstraintDuplicateBare,
        Key::DetailOver32,
        Key::RuleDefault,
        Key::RuleWhole,
        Key::RuleAsAsked,
        Key::RuleMin,
        Key::RuleStep,
        Key::RuleValues,
        Key::RuleChargedOnce,
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(template: &str) -> Vec<&str> {
        let mut places: Vec<&str> =
            template.split('{').skip(1).filter_map(|part| part.split('}').next()).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    #[test]
    fn languages_fill_the_same_places() {
        let english = catalogue("en");
        let chinese = catalogue("zh-TW");
        for key in Key::ALL {
            assert_eq!(places(english.word(*key)), places(chinese.word(*key)), "{key:?}");
        }
    }

    #[test]
    fn lists_read_well() {
        let english = catalogue("en");
        let items = ["a", "b", "c", "d"].map(Phrase::from);
        assert_eq!(english.list(&items[..1], 3).to_string(), "a");
        assert_eq!(english.list(&items[..2], 3).to_string(), "a and b");
        assert_eq!(english.list(&items[..3], 3).to_string(), "a, b and c");
        assert_eq!(english.list(&items, 2).to_string(), "a, b and 2 more");
        assert_eq!(catalogue("zh-TW").list(&items[..3], 3).to_string(), "a、b 和 c");
    }
}
