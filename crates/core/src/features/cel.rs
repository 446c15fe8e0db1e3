use super::{Gate, Gates, Release};

/// In what the CEL of device selectors differs between releases and gates.
///
/// The scheduler compiles expressions in the environment for *stored* ones, the API server checks
/// *new* ones. Source: `k8s.io/dynamic-resource-allocation/cel`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CelSwitches {
    /// Type of attribute values in the environment for stored expressions.
    pub attr_type_stored: AttributeType,
    /// Type of attribute values in the environment for new expressions.
    pub attr_type_new: AttributeType,
    /// Whether a stored expression may have the output type `dyn`.
    pub dyn_output_stored: bool,
    /// Whether a new expression may have the output type `dyn`.
    pub dyn_output_new: bool,
    /// Whether a device with a list attribute can be evaluated at all; otherwise every expression
    /// on it fails with `attribute X: unsupported attribute value`.
    pub list_attributes_evaluated: bool,
    /// Whether the member function `includes` is declared for stored expressions, and how it works.
    pub includes: IncludesFunction,
    /// Whether new expressions may use `includes`.
    pub includes_new: bool,
    /// Whether errors about a missing key end with a hint.
    pub missing_key_hint: bool,
    /// Whether runtime errors name the device.
    pub error_names_device: bool,
    /// Whether `device.allowMultipleAllocations` carries the device's value; otherwise it is false.
    pub multi_field_filled: bool,
    /// Whether new expressions may use `device.allowMultipleAllocations`.
    pub multi_field_new: bool,
    /// Whether `add` and `sub` change a receiver that is held in decimal form.
    pub quantity_add_mutates: bool,
    /// Whether the newer cel-go is used: backtick names, `orValue`/`or` on a non-optional without
    /// overload, no `duration(int)`.
    pub newer_cel_go: bool,
    /// Whether the host of a web address may hold one colon only: `go.mod` of a release says whose
    /// defaults the `net/url` in its programs follows, those of Go 1.26 from Kubernetes 1.36 on.
    pub strict_hosts: bool,
    /// Extended list functions (`sort`, `lists.range`, …) for new expressions.
    pub ext_list_functions_new: ExtListFunctions,
}

/// The declared type of attribute values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeType {
    /// `any`, printed as `any` or `google.protobuf.Any`.
    Any,
    /// `dyn`.
    Dyn,
}

/// The member function `includes` of list attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncludesFunction {
    /// Not declared.
    None,
    /// Lists of at most 48 elements, cost 1.
    Limited,
    /// Part of the base library: no limit, cost of a traversal.
    Base,
}

/// Whether the extended list functions are declared for new expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtListFunctions {
    /// Not declared.
    Absent,
    /// Declared.
    Present,
}

impl CelSwitches {
    /// The switches of a release and its gates. `multi_field_filled` is that of the variant.
    pub fn of(gates: &Gates, multi_field_filled: bool) -> Self {
        let lists = gates.enabled(Gate::ListTypeAttributes);
        let capacity = gates.enabled(Gate::ConsumableCapacity);
        Self::new(gates.release(), lists, capacity, multi_field_filled)
    }

    /// The switches for explicit settings, as recorded cases give them.
    pub fn new(
        release: Release,
        list_attributes: bool,
        consumable_capacity: bool,
        multi_field_filled: bool,
    ) -> Self {
        let with_lists = if list_attributes { AttributeType::Dyn } else { AttributeType::Any };
        let development = release.since_development();
        let released_37 = release.since(37, 0);
        Self {
            attr_type_stored: if development { AttributeType::Dyn } else { with_lists },
            attr_type_new: with_lists,
            dyn_output_stored: development || list_attributes,
            dyn_output_new: list_attributes,
            list_attributes_evaluated: development || list_attributes,
            includes: if released_37 {
                IncludesFunction::Base
            } else if release.since(36, 0) {
                IncludesFunction::Limited
            } else {
                IncludesFunction::None
            },
            includes_new: list_attributes,
            missing_key_hint: development,
            error_names_device: development,
            multi_field_filled,
            multi_field_new: consumable_capacity,
            quantity_add_mutates: !released_37,
            newer_cel_go: released_37,
            strict_hosts: release.since(36, 0),
            ext_list_functions_new: if release.since(35, 0) {
                ExtListFunctions::Present
            } else {
                ExtListFunctions::Absent
            },
        }
    }
}
