//! English.

use super::Key;

pub(super) fn number(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    WORDS.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

#[expect(clippy::too_many_lines, reason = "table")]
pub(super) fn template(key: Key) -> &'static str {
    match key {
        Key::PodWaits => "{who} waits: {why}",
        Key::ClaimWaits => "{who} stays pending: {why}",
        Key::RequestPart => "for request {request}, {why}",
        Key::ResourcePart => "for its {resource}, {why}",
        Key::Unused => "nobody uses {who}: a claim gets its devices only when a Pod uses it",
        Key::PassedBy => {
            "{who} is on a node already, so kube-scheduler passes it by and nobody allocates {claim}"
        }
        Key::Sentence => "{text}.",
        Key::Colon => "{text}: {more}",
        Key::Aside => "{text} ({more})",
        Key::Semicolon => "{text}; {more}",
        Key::ListMiddle => ", ",
        Key::ListLast => " and ",
        Key::ListMore => "{list} and {count} more",
        Key::Possessive => "{owner}'s {thing}",
        Key::AmountOf => "{amount} {name}",
        Key::AcceptedEvery => "every device it accepts",
        Key::AcceptedOnly => "{device}, the only device it accepts,",
        Key::AcceptedFreeEvery => "every free device it accepts",
        Key::AcceptedFreeOnly => "{device}, the only free device it accepts,",
        Key::CountersTaken => {
            "{accepted} draws {asked} from {set}, and {holders} has taken all {total}"
        }
        Key::CountersTakenMany => {
            "{accepted} draws {asked} from {set}, and {holders} have taken all {total}"
        }
        Key::CountersPart => {
            "{accepted} draws {asked} from {set}, where {left} of {total} is left; {holders} holds the rest"
        }
        Key::CountersPartMany => {
            "{accepted} draws {asked} from {set}, where {left} of {total} is left; {holders} hold the rest"
        }
        Key::CountersSmall => {
            "{accepted} draws {asked} from {set}, which has {left} of {total} left"
        }
        Key::CountersVarious => {
            "every device it accepts draws more than is left of its counters, {device} for example {asked} from {set}, where {left} is left"
        }
        Key::CountersVariousHeld => {
            "every device it accepts draws more than is left of its counters, {device} for example {asked} from {set}, where {left} is left; the rest went to {holders}"
        }
        Key::CapacityTaken => {
            "{accepted} has nothing left of its {total} {name}: {holders} has taken it, and {asked} is asked"
        }
        Key::CapacityTakenMany => {
            "{accepted} has nothing left of its {total} {name}: {holders} have taken it, and {asked} is asked"
        }
        Key::CapacityPart => "{accepted} has {left} of {total} {name} left, and {asked} is asked",
        Key::CapacitySmall => "{accepted} has {total} {name}, and {asked} is asked",
        Key::CapacityVarious => {
            "no device it accepts has the asked {asked} {name} left; {device} for example has {left} of {total}"
        }
        Key::CapacityUnknown => {
            "it asks for capacity {name}, and no device it accepts publishes one of exactly that name"
        }
        Key::CapacityPolicy => {
            "it asks for {asked} {name}, which the request policy of {device} does not allow"
        }
        Key::InUseOnly => "{device}, the only device it accepts, belongs to {holders}",
        Key::InUseAll => "all {count} devices it accepts are in use, by {holders}",
        Key::InUseThisPod => "the devices it accepts are already taken by the Pod's other requests",
        Key::TaintedNear => {
            "{accepted} has the taint {taint}, and the request's toleration of that key is for {differs}"
        }
        Key::TolerationDiffers => "{field} {has}, not {wanted}",
        Key::TaintedAll => "{accepted} has the taint {taint}, which the request does not tolerate",
        Key::ClassNoneVarious => {
            "class {class} accepts none of the {count} free devices; for {device}, {selector} is not true"
        }
        Key::ClassNone => {
            "class {class} accepts none of the {count} free devices: {selector} is not true"
        }
        Key::ClassNoneOne => {
            "class {class} does not accept {device}, the only free device: {selector} is not true"
        }
        Key::ClassNoneAny => {
            "class {class} accepts no device; for {device}, {selector} is not true"
        }
        Key::SelectorNoneAny => {
            "its selectors accept no device of class {class}; for {device}, {selector} is not true"
        }
        Key::SelectorNoneVarious => {
            "its selectors accept none of the {count} free devices of class {class}; for {device}, {selector} is not true"
        }
        Key::SelectorNone => {
            "its selector {selector} is true for none of the {count} free devices of class {class}"
        }
        Key::FoundValues => "{name} is {values}",
        Key::SelectorNoneOne => {
            "its selector {selector} is not true for {device}, the only free device of class {class}"
        }
        Key::NoDevices => "no ResourceSlice publishes a device",
        Key::NoDevicesNamed => "no device can be reached from {node}: {slice} is for {whom}",
        Key::NoDevicesSelected => {
            "no device can be reached from {node}: {slice} is for nodes with {whom}"
        }
        Key::NoDevicesAnywhere => "none of the {count} nodes can reach a device",
        Key::NoNodes => "there is no node",
        Key::TooFew => {
            "it wants {wanted} devices and accepts {accepted}, of which {usable} can be had: {parts}"
        }
        Key::TooFewMatchParts => "it wants {wanted} devices and accepts only {accepted}: {parts}",
        Key::TooFewMatch => "it wants {wanted} devices and accepts only {accepted}",
        Key::Mixed => "none of the {accepted} devices it accepts can be had: {parts}",
        Key::MixedPart => "{label} ({count})",
        Key::MixedPartOf => "{label} ({count}: {device}, {detail})",
        Key::MixedPartLike => "{label} ({count}, such as {device}: {detail})",
        Key::AllBlocked => {
            "it wants all {count} matching devices, and {device} is among them: {reason}"
        }
        Key::AllNone => "it wants all matching devices, and none matches",
        Key::NotTogether => "its devices could each be had alone, but not together",
        Key::AllExclude => {
            "it wants all {count} matching devices, and they exclude each other: {device} does not fit beside the others: {reason}"
        }
        Key::ResourcesNamed => "its containers, which ask for {list},",
        Key::RequestsNamed => "requests {list}",
        Key::ShareFew => {
            "{requests} want {wanted} devices together, and only {count} can be had for them: {devices}"
        }
        Key::ShareCounters => "{requests} together draw more than the {left} that {set} can give",
        Key::ShareCapacity => {
            "{requests} together ask for more {name} than {device} has left: {left} of {total}"
        }
        Key::OwnCounters => {
            "its {wanted} devices together draw more than the {left} that {set} can give"
        }
        Key::OwnCapacity => {
            "its {wanted} devices together ask for more {name} than {device} has left: {left} of {total}"
        }
        Key::Exclude => "{requests} exclude each other: each could be met without the others",
        Key::OwnMatchMissing => {
            "its devices must have the same {attribute}, which none of the {number} devices that it could have publishes, {device} for example"
        }
        Key::OwnDistinctMissing => {
            "its devices must differ in {attribute}, which none of the {number} devices that it could have publishes, {device} for example"
        }
        Key::MatchMissing => {
            "{requests} must get devices with the same {attribute}, which no device for request {request} publishes, {device} for example"
        }
        Key::DistinctMissing => {
            "{requests} must get devices that differ in {attribute}, which no device for request {request} publishes, {device} for example"
        }
        Key::OwnMatchLack => {
            "its {wanted} devices must have the same {attribute}, which {device}, one of the {count} devices that it could have, does not publish"
        }
        Key::MatchUnique => {
            "{requests} must get {wanted} devices with the same {attribute}, and each of the {count} devices that they could have has a value of its own"
        }
        Key::OwnMatchUnique => {
            "its {wanted} devices must have the same {attribute}, and each of the {count} devices that it could have has a value of its own"
        }
        Key::OwnMatchFew => {
            "its {wanted} devices must have the same {attribute}, and of the {count} devices that it could have at most {most} share a value"
        }
        Key::OwnDistinctFew => {
            "its {wanted} devices must differ in {attribute}, and the {count} devices that it could have have only {values} different values"
        }
        Key::DistinctFew => {
            "{requests} must get {wanted} devices that differ in {attribute}, and the {count} devices that they could have have only {values} different values"
        }
        Key::MatchApart => {
            "{requests} must get devices with the same {attribute}, and no value is on devices for all of them: {parts}"
        }
        Key::MatchPart => "{request} could have {values}",
        Key::ContextNever => "It would wait even if no other Pod had any device.",
        Key::TooMany => "it wants {wanted} devices, more than the {limit} that a claim can have",
        Key::ConstraintMissing => {
            "its constraint needs the attribute {attribute}, which {device} does not have"
        }
        Key::ConstraintDiffers => "no devices it accepts agree on {attribute}",
        Key::ConstraintDuplicate => "the devices it accepts do not differ enough in {attribute}",
        Key::PoolDisagrees => {
            "pool {pool} has {have} slices and announces {need}, so its devices are not used"
        }
        Key::PoolIncomplete => {
            "pool {pool} is incomplete: {have} of {need} slices are there, so its devices are not used"
        }
        Key::PoolInvalid => "pool {pool} is invalid: {reason}",
        Key::PoolObsolete => "the devices of pool {pool} are of an outdated generation",
        Key::FeatureOff => "{accepted} needs the feature {gate}, which is off",
        Key::NotDeclared => "{accepted} needs the feature {gate}, which {node} does not declare",
        Key::OtherNode => "every device it accepts belongs to another node than {node}",
        Key::CelRuntime => "the selector of {owner} fails on {device}: {error}",
        Key::CelCompile => "the selector of {owner} does not compile: {error}",
        Key::Verbatim => "{text}",
        Key::ClassMissing => "class {name} does not exist",
        Key::ClaimMissing => "claim {name} does not exist in namespace {namespace}",
        Key::TemplateMissing => "template {name} does not exist in namespace {namespace}",
        Key::RefusedThing => "{thing} is written, but refused: {text}",
        Key::ContextRefusedSlice => "{thing} is refused, so its devices are not there: {text}",
        Key::TemplateElsewhere => {
            "template {name} does not exist in namespace {namespace}, only in namespace {other}"
        }
        Key::ClaimInNamespace => {
            "claim {name} does not exist in namespace {namespace}, only in namespace {other}"
        }
        Key::AllNeedsComplete => {
            "request {request} wants all devices, which has to wait while pool {pool} is being updated, even if its devices are of another kind"
        }
        Key::AllNeedsValid => {
            "request {request} wants all devices, which is impossible while pool {pool} is invalid, even if its devices are of another kind"
        }
        Key::AllConstraint => {
            "request {request} wants all devices, and {device} is among them although a constraint of the claim refuses it"
        }
        Key::TooManyFor => {
            "with request {request} the claim wants {wanted} devices, more than the {limit} that it can have"
        }
        Key::OwnMissingOne => {
            "its devices must agree on {attribute}, which {device}, the only device that it could have, does not publish"
        }
        Key::CapacityTooMuch => {
            "it asks for {asked} {name}, and the request policy of {device} allows at most {most}"
        }
        Key::ContextSimilarCapacity => {
            "{device} publishes the capacity {similar}; a request must name it exactly so."
        }
        Key::ContextSimilar => {
            "{device} publishes {similar}: attributes are equal only under the very same name."
        }
        Key::ContextShares => {
            "A request gets a device only once, even one that can be shared: two shares take two requests."
        }
        Key::ContextPodToleration => {
            "The tolerations of {who} are for taints of nodes; a taint of a device is tolerated in the request of the claim."
        }
        Key::ContextRounded => {
            "{written} of {name} counts as {asked}: the policy of {device} rounds it up."
        }
        Key::ContextWhole => {
            "A request without an amount of {name}, on a device without a default for it, takes all of it."
        }
        Key::MatchFew => {
            "{requests} must get {wanted} devices with the same {attribute}, and of the {count} devices that they could have at most {most} share a value"
        }
        Key::SearchEnter => "call {call}: device {number} of request {request}",
        Key::SearchEnd => "call {call}: every request has its devices",
        Key::SearchSkip => "{device} refused: {why}",
        Key::SearchSkipMany => "{device} and {more} more refused: {why}",
        Key::SearchTake => "{device} taken for request {request}",
        Key::SearchTaken => "{request}: {device}",
        Key::SearchUndo => "{device} given back by request {request}",
        Key::SearchChoose => "alternative {request} chosen",
        Key::SearchPrune => "left out here: it provably fails",
        Key::SearchFound => "found",
        Key::SearchFail => "nothing fits from here",
        Key::SearchTooMany => "the claim would get more than 32 devices",
        Key::SearchGap => "{count} entries left out",
        Key::ContextLeak => {
            "Counters stay reserved for devices that were refused after their counters were checked: a known bug of this release."
        }
        Key::MarkOverCommitted => "{name} is over-committed by {over}",
        Key::MarkVanished => {
            "claim {claim} holds {device}, which is published no longer: what it draws is not booked"
        }
        Key::MarkForeign => {
            "counter set {set} of the same pool is over-committed, which blocks every device of the pool"
        }
        Key::MarkSharedName => {
            "driver {driver} has a pool of the same name: this release checks the counters of both against one account"
        }
        Key::Crash => "the scheduler of this release crashes here",
        Key::Budget => "the search was stopped after {calls} calls without an answer",
        Key::ClaimElsewhere => "{claim} is allocated already, and only {nodes} can use it",
        Key::ClaimElsewhereSelected => {
            "{claim} is allocated already, and only nodes with {whom} can use it"
        }
        Key::NodeName => "it names the node {node}, which does not take it",
        Key::NodeAffinity => "its node selector or node affinity does not match",
        Key::NodeTaint => "it does not tolerate the taint {taint} of the node",
        Key::NodeUnschedulable => "the node is marked unschedulable",
        Key::NodePlugin => {
            "the node offers {name} itself ({amount}, as a device plugin does), so that no device of DRA is used for it"
        }
        Key::NodeResources => "the node lacks resources: {text}",
        Key::UnknownResource => "no class and no node offers {name}",
        Key::ContextSimilarResource => "Did you mean {name}?",
        Key::ClaimFull => "{claim} has {count} users already, and a claim can have no more",
        Key::FitsIfUncordoned => "Fits if {node} is uncordoned",
        Key::FitsIfSet => "Fits if {field} of {who} is {value}",
        Key::FitsWithLabel => "Fits if {node} gets the label {label}",
        Key::VainLabel => "label {label}",
        Key::OnNodes => "on {nodes}, {why}",
        Key::OtherNodesOne => "another node is out before devices are looked at",
        Key::OtherNodes => "{count} other nodes are out before devices are looked at",
        Key::ContextFree => {
            "It is not that no {thing} is left: {count} are free, but the selector of {owner} accepts only {part}."
        }
        Key::ContextFreeBare => {
            "It is not that no {thing} is left: {count} are free, but the selector of {owner} does not accept them."
        }
        Key::ContextFreeOne => {
            "It is not that no {thing} is left: {count} is free, but the selector of {owner} accepts only {part}."
        }
        Key::ContextFreeOneBare => {
            "It is not that no {thing} is left: {count} is free, but the selector of {owner} does not accept it."
        }
        Key::ContextClaim => "The claim {claim} exists, without an allocation.",
        Key::ContextAborted => {
            "One such error ends the attempt on all nodes, even where a device would fit."
        }
        Key::ContextTogether => "All claims of a Pod are allocated together or not at all.",
        Key::ContextPreemption => {
            "Kubernetes does not preempt Pods for devices, whatever their priority."
        }
        Key::ThingDevice => "device",
        Key::CardsOne => "one card",
        Key::CardsMany => "{count} cards",
        Key::DevicesOne => "one device",
        Key::DevicesMany => "{count} devices",
        Key::FitsIfDeleted => "Fits if {pods} is deleted",
        Key::FitsIfDeletedMany => "Fits if {pods} are deleted",
        Key::InRequest => "{text} in request {request}",
        Key::FitsIfDropped => "Fits if {part} is dropped",
        Key::FitsIfLess => "Fits if {amounts} is asked",
        Key::LessPart => "{left} instead of {asked} {name}",
        Key::FitsIfFewer => "Fits if {usable} instead of {wanted} devices are asked",
        Key::FitsIfTolerated => "Fits if {taint} is tolerated",
        Key::FitsIfNoConstraint => "Fits if the constraint on {attribute} is dropped",
        Key::FitsIfRepaired => "Fits with the fix: {title}",
        Key::FitsElsewhere => "Fits on {node} if the {field} of {who} is dropped",
        Key::FitsInOrder => "Fits if {second} comes before {first}",
        Key::FitsIfBoth => "{first} and {second}",
        Key::FitsIfFixed => "Fits with the known bugs of this release fixed",
        Key::FitsWithGate => "Fits with feature gate {gate} on",
        Key::FitsWithoutGate => "Fits with feature gate {gate} off",
        Key::FitsInRelease => "Fits in Kubernetes {release}",
        Key::NotEnforced => "{text} (not enforced then: {rules})",
        Key::RuleTaints => "device taints",
        Key::RuleCounters => "shared counters",
        Key::RuleCapacity => "consumable capacity",
        Key::RuleDistinct => "distinct attributes",
        Key::OutcomeGets => "{who} gets {devices}",
        Key::OutcomeGetsOn => "{who} gets {devices} on {node}",
        Key::OutcomeRuns => "{who} runs",
        Key::VainDeleted => "{pods} deleted",
        Key::VainDropped => "{part} dropped",
        Key::VainLess => "{amounts}",
        Key::VainFewer => "a count of {usable}",
        Key::VainTolerated => "{taint} tolerated",
        Key::VainNoConstraint => "the constraint on {attribute} dropped",
        Key::VainOrder => "another order",
        Key::VainGates => "every feature gate switched",
        Key::VainReleases => "Kubernetes {releases}",
        Key::StageDevices => "Devices on {node}",
        Key::StageFree => "Free",
        Key::StageClass => "Class {class}",
        Key::StageRequest => "Request selector",
        Key::StageNode => "Node of the device",
        Key::StageCapacity => "Capacity",
        Key::StageCounters => "Shared counters",
        Key::StageTaints => "Taints",
        Key::StageConstraints => "Constraints",
        Key::StageChosen => "Chosen",
        Key::LabelChosen => "chosen",
        Key::LabelNotNeeded => "not needed",
        Key::LabelNotReached => "not reached",
        Key::LabelUndone => "taken and undone",
        Key::LabelSliceOtherNode => "other node",
        Key::LabelSliceIgnored => "slice ignored",
        Key::LabelPoolObsolete => "pool outdated",
        Key::LabelPoolIncomplete => "pool incomplete",
        Key::LabelPoolInvalid => "pool invalid",
        Key::LabelInUse => "in use",
        Key::LabelInUseThisPod => "taken by this Pod",
        Key::LabelBindingUnsupported => "binding conditions off",
        Key::LabelClassFalse => "class selector false",
        Key::LabelRequestFalse => "selector false",
        Key::LabelCelError => "CEL error",
        Key::LabelDeviceOtherNode => "device of another node",
        Key::LabelCapacityUnknown => "capacity unknown",
        Key::LabelCapacityPolicy => "against the policy",
        Key::LabelCapacityShort => "capacity short",
        Key::LabelNodeOperations => "node operations off",
        Key::LabelPartitionableOff => "partitions off",
        Key::LabelCountersShort => "counters short",
        Key::LabelTainted => "tainted",
        Key::LabelConstraint => "constraint",
        Key::ConditionOf => "{condition} of {device}",
        Key::WaitsForNamed => {
            "its devices on {node} are allocated, but not ready: {conditions} must become true first"
        }
        Key::WaitsForConditions => {
            "its devices on {node} are allocated, and their binding conditions are not all true"
        }
        Key::LabelBinding => "binding",
        Key::LabelMissing => "missing",
        Key::LabelHeldBack => "held back",
        Key::LabelRefused => "refused",
        Key::LabelError => "error",
        Key::LabelNoNode => "no node",
        Key::LabelClaimElsewhere => "claim elsewhere",
        Key::LabelNoDevices => "no devices",
        Key::LabelTooFew => "too few devices",
        Key::LabelNotTogether => "not together",
        Key::LabelOver32 => "more than 32",
        Key::DetailChosen => "device {position} of {count} looked at",
        Key::DetailNotNeeded => "never looked at: the request was met before",
        Key::DetailNotReached => "never looked at: the search ended before this device",
        Key::DetailNotReachedError => {
            "never looked at: the error on another device ended the search"
        }
        Key::DetailNotReachedEarlier => "never looked at: an earlier request could not be met",
        Key::DetailUndone => "fitted, but then the rest of what is asked could not be met",
        Key::DetailSliceOtherNode => "published for other nodes",
        Key::DetailSliceIgnored => "the slice names no node",
        Key::DetailPoolObsolete => "a newer generation of the pool exists",
        Key::DetailPoolDisagrees => "{have} slices are there, {need} announced",
        Key::DetailPoolIncomplete => "{have} of {need} slices are there",
        Key::DetailPoolInvalid => "{reason}",
        Key::DetailInUse => "by {holders}",
        Key::DetailInUseThisPod => "by request {request} of the same Pod",
        Key::DetailInUseThisPodBare => "by another request of the same Pod",
        Key::DetailSelectorFalse => "{part} is false",
        Key::DetailCelError => "{error}",
        Key::DetailDeviceOtherNode => "the device says that another node has it",
        Key::DetailCapacityUnknown => "no capacity {name}",
        Key::DetailCapacityPolicy => "{name}: the policy does not allow {asked}",
        Key::DetailCapacityShort => "{name}: {asked} asked, {left} of {total} left",
        Key::DetailFeatureOff => "{gate} is off",
        Key::DetailNotDeclared => "the node does not declare {gate}",
        Key::DetailCountersShort => "{set}, {counter}: {asked} asked, {left} left",
        Key::DetailCountersTaken => {
            "{set}, {counter}: {asked} asked, {left} left after {used} taken in this attempt"
        }
        Key::DetailCountersForeign => {
            "{set}, {counter} is over-committed by {over}, which blocks every device of the pool"
        }
        Key::DetailCountersLeaked => {
            "{text}, part of it held by devices that were refused (known bug)"
        }
        Key::DetailTaintedNear => {
            "{taint} is not tolerated: the toleration of that key is for {differs}"
        }
        Key::DetailTainted => "{taint} is not tolerated",
        Key::DetailConstraintMissing => "has no attribute {attribute}",
        Key::DetailConstraintDiffers => "{attribute} is {value}, but {reference} has {wanted}",
        Key::DetailConstraintDiffersBare => "{attribute} differs",
        Key::DetailConstraintDuplicate => "{attribute} is {value}, as on {reference}",
        Key::DetailConstraintDuplicateBare => "{attribute} is the same as before",
        Key::DetailOver32 => "a claim has at most {limit} devices",
        Key::RuleDefault => "not asked; default {amount}",
        Key::RuleWhole => "not asked, no default: all of it",
        Key::RuleAsAsked => "as asked",
        Key::RuleMin => "asked {asked}, raised to the minimum {min}",
        Key::RuleStep => "asked {asked}, raised to {amount} by step {step}",
        Key::RuleChargedOnce => "charged once for the device, by its first share",
        Key::RuleValues => "asked {asked}, raised to the valid value {amount}",
    }
}
