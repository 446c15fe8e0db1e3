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
#[derive(Debug, Default, PartialEq)]
pub struct Object<T> {
    /// The object as it is now.
    pub value: Rc<T>,
    /// Where it comes from.
    pub origin: Origin,
    /// Seconds on the scenario's clock at which it was created.
    pub created_seconds: u64,
    /// Step in which it was created; of an allocated claim, in which it got its allocation.
    pub since_step: usize,
}

impl<T> Clone for Object<T> {
    fn clone(&self) -> Self {
        Self { value: Rc::clone(&self.value), ..*self }
    }
}

/// Kinds that a cluster keeps.
pub trait HasMeta {
    /// Its metadata.
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

/// Objects that are copied together when one of them changes.
const CHUNK: usize = 64;

/// The objects of one kind in order of creation, found by namespace and name.
///
/// A clone shares everything; changing an object copies its chunk only, so that many snapshots of
/// many objects fit into memory.
#[derive(Clone, Debug)]
pub struct Objects<T> {
    chunks: Rc<Vec<Rc<Vec<Object<T>>>>>,
    len: usize,
    index: Rc<BTreeMap<String, BTreeMap<String, usize>>>,
}

impl<T> Default for Objects<T> {
    fn default() -> Self {
        Self { chunks: Rc::default(), len: 0, index: Rc::default() }
    }
}

impl<T> Objects<T> {
    /// All objects, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Object<T>> {
        self.chunks.iter().flat_map(|chunk| chunk.iter())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The object of that name; the namespace is empty for cluster-scoped kinds.
    pub fn get(&self, namespace: &str, name: &str) -> Option<&Object<T>> {
        let at = self.position(namespace, name)?;
        self.chunks.get(at / CHUNK)?.get(at % CHUNK)
    }

    /// Whether both hold the very same objects; never true by accident, may miss equal contents.
    pub fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.chunks, &other.chunks)
    }

    fn position(&self, namespace: &str, name: &str) -> Option<usize> {
        self.index.get(namespace)?.get(name).copied()
    }
}

impl<T: HasMeta + Clone> Objects<T> {
    /// Adds an object at the end, or replaces the one of the same name in its place.
    pub fn put(&mut self, object: Object<T>) {
        let meta = object.value.meta();
        if let Some(at) = self.position(&meta.namespace, &meta.name) {
            if let Some(slot) = self.slot(at) {
                *slot = object;
            }
            return;
        }
        let (namespace, name) = (meta.namespace.clone(), meta.name.clone());
        Rc::make_mut(&mut self.index).entry(namespace).or_default().insert(name, self.len);
        self.push(object);
    }

    /// Changes an object in place; `false` when it does not exist.
    pub fn update_object(
        &mut self,
        namespace: &str,
        name: &str,
        change: impl FnOnce(&mut Object<T>),
    ) -> bool {
        let Some(slot) = self.position(namespace, name).and_then(|at| self.slot(at)) else {
            return false;
        };
        change(slot);
        true
    }

    /// Changes the value of an object in place; `false` when it does not exist.
    pub fn update(&mut self, namespace: &str, name: &str, change: impl FnOnce(&mut T)) -> bool {
        self.update_object(namespace, name, |object| change(Rc::make_mut(&mut object.value)))
    }

    /// Removes an object and gives it back; those after it keep their order.
    pub fn remove(&mut self, namespace: &str, name: &str) -> Option<Object<T>> {
        let at = self.position(namespace, name)?;
        let mut rest = Self::default();
        let mut removed = None;
        let mut index: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
        for (position, object) in self.iter().enumerate() {
            if position == at {
                removed = Some(object.clone());
                continue;
            }
            let meta = object.value.meta();
            index.entry(meta.namespace.clone()).or_default().insert(meta.name.clone(), rest.len);
            rest.push(object.clone());
        }
        rest.index = Rc::new(index);
        *self = rest;
        removed
    }

    fn slot(&mut self, at: usize) -> Option<&mut Object<T>> {
        let chunk = Rc::make_mut(&mut self.chunks).get_mut(at / CHUNK)?;
        Rc::make_mut(chunk).get_mut(at % CHUNK)
    }

    fn push(&mut self, object: Object<T>) {
        let chunks = Rc::make_mut(&mut self.chunks);
        match chunks.last_mut() {
            Some(last) if last.len() < CHUNK => Rc::make_mut(last).push(object),
            _ => chunks.push(Rc::new(vec![object])),
        }
        self.len += 1;
    }
}
