//! Which class stands behind the name of an extended resource.

use std::rc::Rc;

use crate::api::{DeviceClass, IMPLICIT_PREFIX};

/// The names as kube-scheduler keeps them from 1.35 on: changed by what happens to classes, never
/// made anew. Source: `dynamic-resource-allocation/deviceclass/extendedresourcecache`.
#[derive(Clone, Debug, Default)]
pub struct ClassNames {
    names: Rc<Vec<Named>>,
}

#[derive(Clone, Debug)]
struct Named {
    resource: String,
    class: String,
    /// Time of the class's creation, in seconds since 1970.
    created: i64,
}

impl Named {
    /// Whether it keeps an explicit name that another class wants, or its own class once more.
    fn keeps(&self, class: &str, created: i64) -> bool {
        self.created > created || self.created == created && self.class.as_str() <= class
    }
}

impl ClassNames {
    /// Every resource name with its class.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.names.iter().map(|named| (named.resource.as_str(), named.class.as_str()))
    }

    /// A class comes, or is replaced.
    ///
    /// UPSTREAM: one that does not get its explicit name is passed over as a whole
    /// (kubernetes/kubernetes#141103).
    pub(super) fn put(&mut self, class: &DeviceClass, old: Option<&DeviceClass>, created: i64) {
        let name = class.metadata.name.as_str();
        let explicit = class.extended_resource_name.as_deref();
        let mut known = self.names.iter();
        let known = known.find(|named| Some(named.resource.as_str()) == explicit);
        if known.is_some_and(|known| known.keeps(name, created)) {
            return;
        }
        if let Some(old) = old {
            self.remove(old);
        }
        let implicit = implicit(name);
        for resource in explicit.into_iter().chain([implicit.as_str()]) {
            self.forget(resource);
            let (resource, class) = (resource.to_owned(), name.to_owned());
            Rc::make_mut(&mut self.names).push(Named { resource, class, created });
        }
    }

    /// A class goes.
    ///
    /// UPSTREAM: it takes its explicit name along even if that is another class's.
    pub(super) fn remove(&mut self, class: &DeviceClass) {
        self.forget(&implicit(&class.metadata.name));
        if let Some(resource) = &class.extended_resource_name {
            self.forget(resource);
        }
    }

    fn forget(&mut self, resource: &str) {
        Rc::make_mut(&mut self.names).retain(|named| named.resource != resource);
    }
}

fn implicit(class: &str) -> String {
    [IMPLICIT_PREFIX, class].concat()
}
