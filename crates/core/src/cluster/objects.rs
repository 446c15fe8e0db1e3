use std::collections::BTreeMap;
use std::rc::Rc;

use crate::api::{
    DeviceClass, DeviceTaintRule, Namespace, Node, Pod, ResourceClaim, ResourceClaimTemplate,
    ResourceSlice,
};
use crate::apimachinery::ObjectMeta;

/// How an object came to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Made {
    /// It is written in the text, on its own or in an `apply` step.
    #[default]
    Written,
    /// A claim that was generated from a template for a Pod.
    FromTemplate,
    /// The special claim for a Pod's extended resources (KEP-5004).
    ForExtendedResources,
    /// Ours: it stands in for something that the text leaves out.
    Hypothetical,
}

/// Where an object comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Index into [`Timeline::sources`](crate::scenario::Timeline::sources) of what is written: the
    /// object itself, the template of a generated claim, the Pod with the extended resources, or
    /// what a hypothetical object was made for.
    pub source: Option<usize>,
    /// How it came to be.
    pub made: Made,
}

/// An object together with what is known of it beside its fields.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object<T> {
    /// The object as it is now.
    pub value: Rc<T>,
    /// Where it comes from.
    pub origin: Origin,
    /// Seconds on the scenario's clock at which it was created.
    pub created_seconds: u64,
}

/// Gives the metadata of any kind.
pub(crate) trait HasMeta {
    fn meta(&self) -> &ObjectMeta;
}

macro_rules! has_meta {
    ($($kind:ty),*) => {$(
        impl HasMeta for $kind {
            fn meta(&self) -> &ObjectMeta {
                &self.metadata
            }
        }
    )*};
}

has_meta!(
    DeviceClass,
    DeviceTaintRule,
    Namespace,
    Node,
    Pod,
    ResourceClaim,
    ResourceClaimTemplate,
    ResourceSlice
);

/// The objects of one kind in order of creation, found by namespace and name.
#[derive(Clone, Debug)]
pub struct Objects<T> {
    list: Rc<Vec<Object<T>>>,
    index: Rc<BTreeMap<String, BTreeMap<String, usize>>>,
}

impl<T> Default for Objects<T> {
    fn default() -> Self {
        Self { list: Rc::default(), index: Rc::default() }
    }
}

impl<T> Objects<T> {
    /// All objects, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Object<T>> + ExactSizeIterator {
        self.list.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The object of that name; the namespace is empty for cluster-scoped kinds.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Object<T>> {
        let at = *self.index.get(namespace)?.get(name)?;
        self.list.get(at)
    }

    /// Whether both hold the very same objects; never true by accident, may miss equal contents.
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.list, &other.list)
    }
}

#[expect(private_bounds, reason = "only kinds of this crate are kept")]
impl<T: HasMeta + Clone> Objects<T> {
    /// Adds an object at the end, or replaces the one of the same name in its place.
    pub fn put(&mut self, object: Object<T>) {
        let meta = object.value.meta();
        let (namespace, name) = (meta.namespace.clone(), meta.name.clone());
        let known = self.index.get(&namespace).and_then(|names| names.get(&name)).copied();
        let list = Rc::make_mut(&mut self.list);
        if let Some(slot) = known.and_then(|at| list.get_mut(at)) {
            *slot = object;
            return;
        }
        list.push(object);
        let at = list.len() - 1;
        Rc::make_mut(&mut self.index).entry(namespace).or_default().insert(name, at);
    }

    /// Changes the value of an object in place; `false` when it does not exist.
    pub fn update(&mut self, namespace: &str, name: &str, change: impl FnOnce(&mut T)) -> bool {
        let Some(&at) = self.index.get(namespace).and_then(|names| names.get(name)) else {
            return false;
        };
        let Some(slot) = Rc::make_mut(&mut self.list).get_mut(at) else { return false };
        change(Rc::make_mut(&mut slot.value));
        true
    }

    /// Removes an object and gives it back; those after it keep their order.
    pub fn remove(&mut self, namespace: &str, name: &str) -> Option<Object<T>> {
        let at = *self.index.get(namespace)?.get(name)?;
        let list = Rc::make_mut(&mut self.list);
        if at >= list.len() {
            return None;
        }
        let removed = list.remove(at);
        let mut index: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (at, object) in list.iter().enumerate() {
            let meta = object.value.meta();
            index.entry(meta.namespace.clone()).or_default().insert(meta.name.clone(), at);
        }
        self.index = Rc::new(index);
        Some(removed)
    }
}
