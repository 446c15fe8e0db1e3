use crate::source::Span;

/// What the leading comment of a text says about how to judge it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeadingComment {
    /// Lines of the `# expected:` block with their places.
    pub expected: Vec<(String, Span)>,
    /// `# kubernetes:`.
    pub kubernetes: Option<(String, Span)>,
    /// `# feature gates needed:`, split at commas.
    pub feature_gates: Vec<(String, Span)>,
    /// `# behavior:`.
    pub behavior: Option<(String, Span)>,
}

/// Reads the comment lines at the start of a text, up to the first line that is no comment.
///
/// The lines after `# expected:` that are indented by three spaces are expectations; every other
/// comment line is prose or one of the headers.
pub fn leading_comment(text: &str) -> LeadingComment {
    let mut found = LeadingComment::default();
    let mut in_block = false;
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let Some(comment) = line.strip_prefix('#') else {
            // Blank lines do not end the comment, and a document marker may stand before it.
            if line.trim().is_empty() || (start == 0 && line.trim_end() == "---") {
                continue;
            }
            break;
        };
        let after_hash = start + 1;
        if in_block && let Some(expectation) = comment.strip_prefix("   ") {
            found.expected.push(place(expectation, after_hash + 3));
            continue;
        }
        let body = comment.strip_prefix(' ').unwrap_or(comment);
        let at = after_hash + (comment.len() - body.len());
        in_block = body.trim_end() == "expected:";
        if let Some(value) = body.strip_prefix("kubernetes:") {
            found.kubernetes = Some(place(value, at + "kubernetes:".len()));
        } else if let Some(value) = body.strip_prefix("behavior:") {
            found.behavior = Some(place(value, at + "behavior:".len()));
        } else if let Some(value) = body.strip_prefix("feature gates needed:") {
            let mut at = at + "feature gates needed:".len();
            for gate in value.split(',') {
                let placed = place(gate, at);
                if !placed.0.is_empty() {
                    found.feature_gates.push(placed);
                }
                at += gate.len() + 1;
            }
        }
    }
    found
}

/// The trimmed text with its place.
fn place(text: &str, start: usize) -> (String, Span) {
    let trimmed = text.trim();
    let start = start + (text.len() - text.trim_start().len());
    (trimmed.to_owned(), span(start, start + trimmed.len()))
}

fn span(start: usize, end: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span { start: offset(start), end: offset(end) }
}
