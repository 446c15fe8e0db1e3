/// Terms over a node's labels and fields, of which one must hold. Source: `core/v1 NodeSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelector {
    /// Alternatives; an empty term matches nothing.
    pub terms: Vec<NodeSelectorTerm>,
}

/// Requirements that must all hold. Source: `core/v1 NodeSelectorTerm`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeSelectorTerm {
    /// Requirements on labels.
    pub match_expressions: Vec<NodeSelectorRequirement>,
    /// Requirements on fields; only `metadata.name` is known.
    pub match_fields: Vec<NodeSelectorRequirement>,
}

/// One requirement on a label or field. Source: `core/v1 NodeSelectorRequirement`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSelectorRequirement {
    /// Label key or field path.
    pub key: String,
    /// How `values` are compared.
    pub operator: NodeSelectorOperator,
    /// Values, as the operator wants them.
    pub values: Vec<String>,
}

/// Operator of a requirement; `Other` keeps what the user wrote so that it can be refused by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeSelectorOperator {
    /// The value is one of `values`.
    In,
    /// The value is none of `values`, or the key is absent.
    NotIn,
    /// The key is present.
    Exists,
    /// The key is absent.
    DoesNotExist,
    /// The value is an integer greater than the single one in `values`.
    Gt,
    /// The value is an integer less than the single one in `values`.
    Lt,
    /// Not an operator of the API.
    Other(String),
}
