//! YAML that is added to a text, as a block or in braces.

/// A value to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum New {
    /// A scalar as it is written, with its quotes.
    Scalar(String),
    /// A mapping.
    Map(Vec<(String, New)>),
    /// A list.
    List(Vec<New>),
}

impl New {
    /// A mapping of one field.
    pub(super) fn field(name: impl Into<String>, value: New) -> Self {
        Self::Map(vec![(name.into(), value)])
    }

    /// The lines of a block that is this value.
    pub(in super::super) fn block(&self) -> Vec<String> {
        match self {
            Self::Scalar(text) => vec![text.clone()],
            Self::Map(fields) => {
                fields.iter().flat_map(|(name, value)| value.named(name)).collect()
            }
            Self::List(items) => items.iter().flat_map(Self::item).collect(),
        }
    }

    /// The lines of a field of this value.
    pub(in super::super) fn named(&self, name: &str) -> Vec<String> {
        match self {
            Self::Scalar(text) => vec![format!("{name}: {text}")],
            Self::Map(_) => {
                let inner = self.block().into_iter().map(|line| format!("  {line}"));
                std::iter::once(format!("{name}:")).chain(inner).collect()
            }
            Self::List(_) => std::iter::once(format!("{name}:")).chain(self.block()).collect(),
        }
    }

    /// The lines of an item of a list.
    pub(in super::super) fn item(&self) -> Vec<String> {
        let lines = self.block().into_iter().enumerate();
        lines.map(|(at, line)| format!("{}{line}", if at == 0 { "- " } else { "  " })).collect()
    }

    /// The same on one line, in braces and brackets.
    pub(in super::super) fn flow(&self) -> String {
        let join = |parts: Vec<String>| parts.join(", ");
        match self {
            Self::Scalar(text) => text.clone(),
            Self::Map(fields) => {
                let field = |(name, value): &(String, New)| format!("{name}: {}", value.flow());
                format!("{{{}}}", join(fields.iter().map(field).collect()))
            }
            Self::List(items) => format!("[{}]", join(items.iter().map(Self::flow).collect())),
        }
    }
}
