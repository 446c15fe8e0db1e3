use std::fmt;

use dra_playground_cel::order::Order;

use crate::apimachinery::ObjectRef;
use crate::source::Span;

/// A sentence as pieces of text and references; nobody has to parse it to make links of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Phrase {
    /// The pieces in reading order.
    pub pieces: Vec<Piece>,
}

/// A piece of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The words.
    pub text: String,
    /// What the words stand for.
    pub subject: Option<Subject>,
}

/// What words can stand for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// An object.
    Object(ObjectRef),
    /// A device.
    Device {
        /// Driver.
        driver: String,
        /// Pool.
        pool: String,
        /// Device.
        device: String,
    },
    /// A counter set.
    CounterSet {
        /// Driver.
        driver: String,
        /// Pool.
        pool: String,
        /// Counter set.
        name: String,
    },
    /// A selector of a class (`request` is empty) or of a request of a claim.
    Selector {
        /// The class or claim.
        object: ObjectRef,
        /// `request` or `request/subrequest`; empty for a class.
        request: String,
        /// Index in its list.
        index: usize,
    },
    /// A taint of a device, where the slice or a rule gives it.
    Taint {
        /// Driver.
        driver: String,
        /// Pool.
        pool: String,
        /// Device.
        device: String,
        /// Key of the taint.
        key: String,
    },
    /// A field of `spec.pool` in the slices of a pool.
    Pool {
        /// Driver.
        driver: String,
        /// Pool.
        pool: String,
        /// The field, e.g. `resourceSliceCount`.
        field: &'static str,
    },
    /// A place in the text.
    Text(Span),
    /// A whole document.
    Document(Span),
    /// A field of an object, by its path in the API, e.g. `spec.devices.requests[0].exactly.count`.
    Field {
        /// The object.
        object: ObjectRef,
        /// The path.
        path: String,
    },
}

impl Phrase {
    /// Words without reference.
    pub fn plain(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            return Self::default();
        }
        Self { pieces: vec![Piece { text, subject: None }] }
    }

    /// Words that stand for something.
    pub fn about(text: impl Into<String>, subject: Subject) -> Self {
        Self { pieces: vec![Piece { text: text.into(), subject: Some(subject) }] }
    }

    /// What it is about, the most telling first: a field or selector before what is drawn from, that
    /// before a device, that before objects.
    pub fn points(&self) -> Vec<&Subject> {
        let mut subjects: Vec<&Subject> =
            self.pieces.iter().filter_map(|piece| piece.subject.as_ref()).collect();
        subjects.order_by_key(|subject| subject.rank());
        subjects
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Adds another phrase at the end.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        for piece in other.pieces {
            match self.pieces.last_mut() {
                Some(last) if last.subject.is_none() && piece.subject.is_none() => {
                    last.text.push_str(&piece.text);
                }
                _ => self.pieces.push(piece),
            }
        }
        self
    }

    /// The same with a large first letter, unless it begins with a name.
    #[must_use]
    pub fn capitalized(mut self) -> Self {
        if let Some(first) = self.pieces.first_mut().filter(|piece| piece.subject.is_none()) {
            let mut letters = first.text.chars();
            if let Some(letter) = letters.next() {
                first.text = letter.to_uppercase().chain(letters).collect();
            }
        }
        self
    }

    /// What stands before another phrase in one sentence: neither a first word nor an end that both
    /// have is said twice.
    pub fn before(mut self, mut second: Self) -> (Self, Self) {
        let word = |phrase: &Self| {
            let text = phrase.pieces.first()?.text.as_str();
            text.split_once(' ').map(|(word, _)| word.to_owned())
        };
        let shared = word(&self).filter(|shared| word(&second).as_ref() == Some(shared));
        if let (Some(shared), Some(piece)) = (shared, second.pieces.first_mut()) {
            piece.text.drain(..=shared.len());
        }
        let ends = self.pieces.last().zip(second.pieces.last());
        if self.pieces.len() > 1 && ends.is_some_and(|(a, b)| b.text.ends_with(&a.text)) {
            self.pieces.pop();
        }
        (self, second)
    }

    /// Fills the places `{name}` of a template. A place without a value stays empty.
    pub fn fill(template: &str, values: &[(&str, Phrase)]) -> Self {
        let mut phrase = Self::default();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            phrase = phrase.then(Self::plain(before));
            let Some((name, tail)) = after.split_once('}') else { break };
            if let Some((_, value)) = values.iter().find(|(known, _)| *known == name) {
                phrase = phrase.then(value.clone());
            }
            rest = tail;
        }
        phrase.then(Self::plain(rest))
    }
}

impl Subject {
    fn rank(&self) -> u8 {
        match self {
            Self::Text(_) => 0,
            // What is nearly right is what to change.
            Self::Field { path, .. } if path.contains(".tolerations[") => 0,
            Self::Selector { .. } | Self::Taint { .. } | Self::Pool { .. } => 1,
            Self::Field { path, .. } if path.contains(".constraints[") => 1,
            // The request as a whole says little.
            Self::Field { path, .. } if is_request(path) => 5,
            Self::Field { .. } => 2,
            Self::CounterSet { .. } => 3,
            Self::Device { .. } => 4,
            Self::Object(object) if object.kind == "Node" => 7,
            Self::Object(object) if object.kind == "Pod" => 8,
            Self::Object(_) | Self::Document(_) => 6,
        }
    }
}

fn is_request(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or_default();
    let index = last.strip_prefix("requests[").or(last.strip_prefix("firstAvailable["));
    index.is_some_and(|index| index.trim_end_matches(']').chars().all(|c| c.is_ascii_digit()))
}

impl fmt::Display for Phrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces.iter().try_for_each(|piece| f.write_str(&piece.text))
    }
}

impl From<&str> for Phrase {
    fn from(text: &str) -> Self {
        Self::plain(text)
    }
}

impl From<String> for Phrase {
    fn from(text: String) -> Self {
        Self::plain(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled_in_any_order() {
        let pod = Phrase::about("pod1", Subject::Object(ObjectRef::default()));
        let phrase = Phrase::fill("{b}: {pod}{none} waits", &[("pod", pod), ("b", "x".into())]);
        assert_eq!(phrase.to_string(), "x: pod1 waits");
        assert_eq!(phrase.pieces.len(), 3);
    }
}
