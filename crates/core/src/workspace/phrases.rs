//! Phrases of explanations in the form of the report: references get their place in the text.

use crate::apimachinery::ObjectRef;
use crate::explain::{self, RequestExplanation, Subject};
use crate::pool::DeviceId;
use crate::source::Span;

use super::report::{
    AskedAmount, DeviceKey, Family, ObjectKey, Phrase, Piece, Range, Target, Thing,
};

/// Finds places for references.
pub(super) trait Wording {
    /// Where a field of an object is written; paths are those of a claim also for its template.
    fn field(&self, object: &ObjectKey, path: &str) -> Option<Range>;

    /// Where an object is written.
    fn object(&self, object: &ObjectKey) -> Option<Range>;

    /// Where a device is written.
    fn device(&self, device: &DeviceKey) -> Option<Range>;

    /// Where a counter set is written.
    fn counter_set(&self, driver: &str, pool: &str, name: &str) -> Option<Range>;

    /// Where the expression of a selector is written.
    fn selector(&self, object: &ObjectKey, request: &str, index: usize) -> Option<Range>;

    /// Where a taint of a device is written, in its slice or a rule.
    fn taint(&self, device: &DeviceKey, key: &str) -> Option<Range>;

    /// Where the slices of a pool say something of it.
    fn pool(&self, driver: &str, pool: &str, field: &str) -> Option<Range>;

    /// A place in the text.
    fn span(&self, span: Span) -> Range;

    /// What a request would consume of a shareable device.
    fn asked(&self, request: &RequestExplanation, device: &DeviceId) -> Vec<AskedAmount>;

    /// A phrase with its places.
    fn phrase(&self, phrase: &explain::Phrase) -> Phrase {
        let piece = |piece: &explain::Piece| Piece {
            text: piece.text.clone(),
            target: piece.subject.as_ref().map(|subject| self.target(subject)),
        };
        Phrase(phrase.pieces.iter().map(piece).collect())
    }

    /// What a piece refers to.
    fn target(&self, subject: &Subject) -> Target {
        match subject {
            Subject::Object(object) => {
                let object = object_key_of(object);
                Target { range: self.object(&object), thing: Thing::Object(object) }
            }
            Subject::Device { driver, pool, device } => {
                let device = DeviceKey {
                    driver: driver.clone(),
                    pool: pool.clone(),
                    device: device.clone(),
                };
                Target { range: self.device(&device), thing: Thing::Device(device) }
            }
            Subject::CounterSet { driver, pool, name } => Target {
                range: self.counter_set(driver, pool, name),
                thing: Thing::CounterSet(driver.clone(), pool.clone(), name.clone()),
            },
            Subject::Selector { object, request, index } => {
                let object = object_key_of(object);
                Target {
                    range: self.selector(&object, request, *index),
                    thing: Thing::Selector(object, request.clone(), *index),
                }
            }
            Subject::Taint { driver, pool, device, key } => {
                let device = DeviceKey {
                    driver: driver.clone(),
                    pool: pool.clone(),
                    device: device.clone(),
                };
                Target { range: self.taint(&device, key), thing: Thing::Text }
            }
            Subject::Pool { driver, pool, field } => {
                Target { range: self.pool(driver, pool, field), thing: Thing::Text }
            }
            Subject::Text(span) | Subject::Document(span) => {
                Target { range: Some(self.span(*span)), thing: Thing::Text }
            }
            Subject::Field { object, path } => {
                Target { range: self.field(&object_key_of(object), path), thing: Thing::Text }
            }
        }
    }
}

/// The key of an object reference.
pub(super) fn object_key_of(object: &ObjectRef) -> ObjectKey {
    ObjectKey {
        kind: object.kind.clone(),
        namespace: object.namespace.clone(),
        name: object.name.clone(),
    }
}

/// The object reference of a key.
pub(super) fn object_ref(object: &ObjectKey) -> ObjectRef {
    ObjectRef {
        kind: object.kind.clone(),
        namespace: object.namespace.clone(),
        name: object.name.clone(),
    }
}

/// The family in the form of the report.
pub(super) fn family(family: explain::Family) -> Family {
    match family {
        explain::Family::Fit => Family::Fit,
        explain::Family::Quantity => Family::Quantity,
        explain::Family::Held => Family::Held,
        explain::Family::Rule => Family::Rule,
        explain::Family::Fault => Family::Fault,
        explain::Family::None => Family::None,
    }
}
