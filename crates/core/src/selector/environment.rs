//! The `device` variable for the checker and the cost estimate.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use dra_playground_cel::types::{QUANTITY, Type};
use dra_playground_cel::{Dialect, Env, Includes, Sizes, StructType};

use crate::features::{AttributeType, CelSwitches, ExtListFunctions, IncludesFunction};

/// The only variable.
pub(super) const DEVICE: &str = "device";
const DEVICE_TYPE: &str = "kubernetes.DRADevice";

/// Field names of the device.
pub(super) const DRIVER: &str = "driver";
pub(super) const ATTRIBUTES: &str = "attributes";
pub(super) const CAPACITY: &str = "capacity";
pub(super) const MULTI: &str = "allowMultipleAllocations";

/// The environments of a release and its gates, each made when it is first asked for.
#[derive(Debug)]
pub(super) struct Environments {
    switches: CelSwitches,
    stored: OnceCell<Env>,
    new: OnceCell<Env>,
}

/// How many of them are kept: every release with and without its bugs.
const KEPT: usize = 16;

thread_local! {
    // They depend on the switches alone, and a text that is run once more, changed, has the same.
    static MADE: RefCell<Vec<Rc<Environments>>> = RefCell::default();
}

impl Environments {
    /// Those for the switches, which may have been asked for before.
    pub(super) fn of(switches: &CelSwitches) -> Rc<Self> {
        MADE.with_borrow_mut(|made| {
            if let Some(known) = made.iter().find(|known| known.switches == *switches) {
                return known.clone();
            }
            made.truncate(KEPT - 1);
            let (stored, new) = (OnceCell::new(), OnceCell::new());
            let fresh = Rc::new(Self { switches: *switches, stored, new });
            made.insert(0, fresh.clone());
            fresh
        })
    }

    /// The environment in which the scheduler evaluates.
    pub(super) fn stored(&self) -> &Env {
        self.stored.get_or_init(|| stored(&self.switches))
    }

    /// The environment in which the API server checks what is written.
    pub(super) fn of_new(&self) -> &Env {
        self.new.get_or_init(|| new(&self.switches))
    }
}

/// The environment in which the scheduler evaluates.
fn stored(switches: &CelSwitches) -> Env {
    let dialect = Dialect {
        extended_lists: true,
        includes: includes(switches.includes),
        newer_cel_go: switches.newer_cel_go,
        texts_first: switches.newer_cel_go,
        quantity_add_mutates: switches.quantity_add_mutates,
        strict_hosts: switches.strict_hosts,
    };
    environment(dialect, switches.attr_type_stored, true)
}

/// The environment in which the API server checks what is written.
fn new(switches: &CelSwitches) -> Env {
    let dialect = Dialect {
        extended_lists: switches.ext_list_functions_new == ExtListFunctions::Present,
        includes: if switches.includes_new {
            includes(switches.includes)
        } else {
            Includes::Absent
        },
        newer_cel_go: switches.newer_cel_go,
        // Kubernetes' own list functions are declared last from the next version on.
        texts_first: false,
        quantity_add_mutates: switches.quantity_add_mutates,
        strict_hosts: switches.strict_hosts,
    };
    environment(dialect, switches.attr_type_new, switches.multi_field_new)
}

fn includes(function: IncludesFunction) -> Includes {
    match function {
        IncludesFunction::None => Includes::Absent,
        IncludesFunction::Limited => Includes::Limited,
        IncludesFunction::Base => Includes::Unlimited,
    }
}

fn environment(dialect: Dialect, attribute: AttributeType, multi: bool) -> Env {
    let attribute = match attribute {
        AttributeType::Any => Type::Any,
        AttributeType::Dyn => Type::Dyn,
    };
    let by_domain = |value| Type::map(Type::String, Type::map(Type::String, value));
    let mut fields = vec![
        (DRIVER, Type::String),
        (ATTRIBUTES, by_domain(attribute)),
        (CAPACITY, by_domain(Type::Struct(QUANTITY))),
    ];
    if multi {
        fields.push((MULTI, Type::Bool));
    }
    let structure = StructType { name: DEVICE_TYPE, fields: fields.into_iter().collect() };
    Env::new(dialect).structure(structure).variable(DEVICE, Type::Struct(DEVICE_TYPE))
}

/// Declared sizes of what a device publishes.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeviceSizes;

/// A node of the declared type.
#[derive(Clone, Copy)]
enum Declared {
    Device,
    Driver,
    Multi,
    Domains { attributes: bool },
    Names { attributes: bool },
    DomainKey,
    NameKey,
    Attribute,
    Quantity,
}

impl Declared {
    fn child(self, name: &str) -> Option<Self> {
        Some(match (self, name) {
            (Self::Device, DRIVER) => Self::Driver,
            (Self::Device, MULTI) => Self::Multi,
            (Self::Device, ATTRIBUTES) => Self::Domains { attributes: true },
            (Self::Device, CAPACITY) => Self::Domains { attributes: false },
            (Self::Domains { .. }, "@keys") => Self::DomainKey,
            (Self::Domains { attributes }, "@items" | "@values") => Self::Names { attributes },
            (Self::Names { .. }, "@keys") => Self::NameKey,
            (Self::Names { attributes: true }, _) => Self::Attribute,
            (Self::Names { attributes: false }, "@items" | "@values") => Self::Quantity,
            _ => return None,
        })
    }

    fn size(self) -> u64 {
        match self {
            Self::Device | Self::Quantity => 0,
            Self::Driver | Self::DomainKey => 63,
            Self::Multi => 1,
            Self::Domains { .. } | Self::Names { .. } | Self::NameKey => 32,
            Self::Attribute => 64,
        }
    }
}

impl Sizes for DeviceSizes {
    fn max_size(&self, path: &[Rc<str>]) -> Option<u64> {
        let (first, rest) = path.split_first()?;
        if first.as_ref() != DEVICE {
            return None;
        }
        let node = rest.iter().try_fold(Declared::Device, |node, name| node.child(name))?;
        Some(node.size())
    }

    fn includes_limit(&self) -> u64 {
        48
    }
}
