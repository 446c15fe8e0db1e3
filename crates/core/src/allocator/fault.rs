#![expect(missing_docs, reason = "names of the fields say what they hold")]

use std::fmt;

use crate::pool::{DeviceId, InvalidReason, NodeMatchFault, PoolId};

/// What goes wrong in an allocation. `Display` gives the scheduler's words, verbatim.
///
/// `claim` is `namespace/name`, or the name alone when there is no namespace. `request` is the bare
/// name of a request or subrequest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A node selector cannot be read while pools are gathered.
    Gather(NodeMatchFault),
    /// A node selector of a device cannot be read while it is matched.
    DeviceNodeSelector(NodeMatchFault),
    /// `firstAvailable` with the gate off.
    SubrequestsOff { claim: String, request: String },
    /// Capacity requests with the gate off.
    CapacityOff { claim: String, request: String, is_subrequest: bool },
    /// A selector without `cel`.
    SelectorEmpty { claim: String, request: String, selector: usize },
    /// Derived attributes with the gate off.
    DerivedAttributesOff { claim: String, request: String },
    /// Admin access with the gate off.
    AdminAccessOff { claim: String, request: String },
    /// No class name, or a request of no known kind.
    ClassNameMissing { claim: String, request: String },
    /// The class does not exist.
    ClassNotFound { claim: String, request: String, class: String },
    /// The allocation mode is none of the API.
    ModeUnknown { claim: String, request: String, mode: String },
    /// A request for all devices meets a pool that is being updated.
    AllPoolIncomplete { claim: String, request: String, pool: PoolId },
    /// A request for all devices meets an invalid pool.
    AllPoolInvalid { claim: String, request: String, pool: PoolId },
    /// The claim wants more devices than a result can hold; told for the claim.
    ClaimLimit { claim: String, devices: i64 },
    /// The claim wants more devices than a result can hold; told for the request that passes it.
    RequestLimit { claim: String, request: String, adding: i64, before: i64 },
    /// A constraint with no known attribute field.
    ConstraintEmpty { claim: String, constraint: usize },
    /// A selector does not compile.
    CelCompile { owner: SelectorOwner, selector: usize, error: String },
    /// A selector fails on a device. The device is named by releases that do so.
    CelRuntime { owner: SelectorOwner, selector: usize, device: Option<DeviceId>, error: String },
    /// A request for all devices meets a constraint that refuses one of them.
    ConstraintUnderAll { claim: String, request: String, device: DeviceId },
    /// A capacity request cannot be represented.
    Capacity {
        /// When it was noticed.
        check: CapacityCheck,
        /// The claim.
        claim: String,
        /// The request.
        request: String,
        /// The device as it is printed at that point.
        device: String,
        /// Name of the capacity.
        capacity: String,
        /// What is wrong.
        cause: CapacityFault,
    },
    /// A slice's node selector has several terms.
    NodeSelectorTerms { claim_name: String, terms: usize },
    /// Nothing fits and some pool of the node is invalid.
    InvalidPools { reasons: Option<(PoolId, InvalidReason)> },
    /// The search arrived at an invalid pool (1.34).
    InvalidPoolReached { pool: PoolId, reason: InvalidReason },
    /// More devices than a result can hold, at the top of the search.
    MaxSizeExceeded,
}

/// Whose selector it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SelectorOwner {
    /// A class.
    Class(String),
    /// A claim: `namespace/name`.
    Claim(String),
}

/// When a faulty capacity request is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CapacityCheck {
    /// When the device is looked at.
    Checking,
    /// When it is about to be taken.
    Rechecking,
}

/// What is wrong with a capacity request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CapacityFault {
    /// It is above the range of 64-bit integers.
    ExceedsInt64 { request: String },
    /// Rounding it up leaves the range of 64-bit integers.
    RoundingPassesInt64 { request: String },
    /// It has no exact value in thousandths.
    NotMilli { request: String },
    /// Rounding it up leaves the range of thousandths.
    RoundingPassesMilli { request: String },
    /// The amount is negative.
    Negative,
}

/// A crash of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crash {
    /// A request for all devices takes one that consumes counters
    /// (kubernetes/kubernetes#138885).
    NilPointer,
    /// Capacity is checked at an index that the slice does not have
    /// (kubernetes/kubernetes#133706).
    IndexOutOfRange { index: usize, length: usize },
    /// A step of zero.
    DivideByZero,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NilPointer => {
                f.write_str("runtime error: invalid memory address or nil pointer dereference")
            }
            Self::IndexOutOfRange { index, length } => {
                write!(f, "runtime error: index out of range [{index}] with length {length}")
            }
            Self::DivideByZero => f.write_str("runtime error: integer divide by zero"),
        }
    }
}

impl fmt::Display for SelectorOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(name) => write!(f, "class {name}"),
            Self::Claim(name) => write!(f, "claim {name}"),
        }
    }
}

impl fmt::Display for CapacityFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self != Self::Negative {
            f.write_str(
                "capacity request cannot be represented in the device's range arithmetic: ",
            )?;
        }
        match self {
            Self::ExceedsInt64 { request } => write!(f, "request {request} exceeds MaxInt64"),
            Self::RoundingPassesInt64 { request } => {
                write!(f, "rounding request {request} up to the next step passes MaxInt64")
            }
            Self::NotMilli { request } => {
                write!(f, "request {request} is not a representable milli value")
            }
            Self::RoundingPassesMilli { request } => {
                write!(
                    f,
                    "rounding request {request} up to the next step passes the milli-value range"
                )
            }
            Self::Negative => f.write_str("capacity value is negative"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gather(fault) => write!(f, "gather pool information: {fault}"),
            Self::DeviceNodeSelector(fault) => write!(f, "{}", fault.cause),
            Self::CelCompile { owner, selector, error } => {
                write!(f, "{owner}: selector #{selector}: CEL compile error: {error}")
            }
            Self::CelRuntime { owner, selector, device, error } => {
                write!(f, "{owner}: selector #{selector}")?;
                if let Some(device) = device {
                    write!(f, " on device {device}")?;
                }
                write!(f, ": CEL runtime error: {error}")
            }
            Self::InvalidPools { reasons } => {
                f.write_str("invalid resource pools were encountered")?;
                match reasons {
                    Some((pool, reason)) => write!(f, " ({pool}: {reason})"),
                    None => Ok(()),
                }
            }
            Self::InvalidPoolReached { pool, reason } => {
                write!(f, "pool {} is invalid: {reason}", pool.pool)
            }
            Self::MaxSizeExceeded => f.write_str("allocation max size exceeded"),
            Self::NodeSelectorTerms { claim_name, terms } => write!(
                f,
                "create NodeSelector for claim {claim_name}: unsupported \
                 ResourceSlice.NodeSelector with {terms} terms"
            ),
            Self::ClaimLimit { claim, devices } => write!(
                f,
                "claim {claim}: number of requested devices {devices} exceeds the claim limit of 32"
            ),
            Self::ConstraintEmpty { claim, constraint } => write!(
                f,
                "claim {claim}, constraint #{constraint}: empty constraint (unsupported constraint type?)"
            ),
            Self::SubrequestsOff { .. }
            | Self::CapacityOff { .. }
            | Self::SelectorEmpty { .. }
            | Self::DerivedAttributesOff { .. }
            | Self::AdminAccessOff { .. }
            | Self::ClassNameMissing { .. }
            | Self::ClassNotFound { .. }
            | Self::ModeUnknown { .. }
            | Self::AllPoolIncomplete { .. }
            | Self::AllPoolInvalid { .. }
            | Self::RequestLimit { .. }
            | Self::ConstraintUnderAll { .. }
            | Self::Capacity { .. } => self.fmt_of_request(f),
        }
    }
}

impl Fault {
    /// The faults that begin with a claim and a request.
    fn fmt_of_request(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SubrequestsOff { claim, request } => write!(
                f,
                "claim {claim}, request {request}: has subrequests, but the DRAPrioritizedList feature is disabled"
            ),
            Self::CapacityOff { claim, request, is_subrequest } => {
                let word = if *is_subrequest { "subrequest" } else { "request" };
                write!(
                    f,
                    "claim {claim}, {word} {request}: has capacity requests, but the DRAConsumableCapacity feature is disabled"
                )
            }
            Self::SelectorEmpty { claim, request, selector } => write!(
                f,
                "claim {claim}, request {request}, selector #{selector}: CEL expression empty (unsupported selector type?)"
            ),
            Self::DerivedAttributesOff { claim, request } => write!(
                f,
                "claim {claim}, request {request}: cannot handle request with derived attributes, the feature is disabled"
            ),
            Self::AdminAccessOff { claim, request } => write!(
                f,
                "claim {claim}, request {request}: admin access is requested, but the feature is disabled"
            ),
            Self::ClassNameMissing { claim, request } => write!(
                f,
                "claim {claim}, request {request}: missing device class name (unsupported request type?)"
            ),
            Self::ClassNotFound { claim, request, class } => write!(
                f,
                "claim {claim}, request {request}: could not retrieve device class {class}: deviceclass.resource.k8s.io \"{class}\" not found"
            ),
            Self::ModeUnknown { claim, request, mode } => {
                write!(f, "claim {claim}, request {request}: unsupported count mode {mode}")
            }
            Self::AllPoolIncomplete { claim, request, pool } => write!(
                f,
                "claim {claim}, request {request}: asks for all devices, but resource pool {pool} is currently being updated"
            ),
            Self::AllPoolInvalid { claim, request, pool } => write!(
                f,
                "claim {claim}, request {request}: asks for all devices, but resource pool {pool} is currently invalid"
            ),
            Self::RequestLimit { claim, request, adding, before } => write!(
                f,
                "claim {claim}, request {request}: adding {adding} devices exceeds the claim limit of 32, with {before} already accounted for"
            ),
            Self::ConstraintUnderAll { claim, request, device } => write!(
                f,
                "claim {claim}, request {request}: cannot add device {device} because a claim constraint would not be satisfied"
            ),
            Self::Capacity { check, claim, request, device, capacity, cause } => {
                let word = match check {
                    CapacityCheck::Checking => "checking",
                    CapacityCheck::Rechecking => "rechecking",
                };
                write!(
                    f,
                    "claim {claim}, request {request}: {word} capacity for device {device}: capacity {capacity:?}: {cause}"
                )
            }
            Self::Gather(_)
            | Self::DeviceNodeSelector(_)
            | Self::ClaimLimit { .. }
            | Self::ConstraintEmpty { .. }
            | Self::CelCompile { .. }
            | Self::CelRuntime { .. }
            | Self::NodeSelectorTerms { .. }
            | Self::InvalidPools { .. }
            | Self::InvalidPoolReached { .. }
            | Self::MaxSizeExceeded => Ok(()),
        }
    }
}
