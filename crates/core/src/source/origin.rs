use super::Span;

/// Maps offsets inside decoded text (a YAML scalar's value) back to the scenario text.
///
/// Decoded text is a row of pieces: either copied byte for byte, or written otherwise (an escape, a
/// folded line break), which then maps as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    pieces: Vec<Piece>,
    /// The whole scalar, for what lies outside all pieces.
    whole: Span,
    decoded_len: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    decoded: u32,
    decoded_len: u32,
    file: Span,
}

impl Piece {
    fn is_copy(self) -> bool {
        self.file.len() == self.decoded_len as usize
    }
}

impl Origin {
    /// An origin without pieces yet: everything maps to `whole`.
    pub fn new(whole: Span) -> Self {
        Self { pieces: Vec::new(), whole, decoded_len: 0 }
    }

    /// Decoded text that is a plain copy of `span`.
    pub fn copy(span: Span) -> Self {
        let mut origin = Self::new(span);
        origin.push(span.len(), span);
        origin
    }

    /// Appends `decoded_len` bytes of decoded text that are written as `file`.
    ///
    /// Equal lengths mean a copy; copies that touch are joined.
    pub fn push(&mut self, decoded_len: usize, file: Span) {
        if decoded_len == 0 {
            return;
        }
        let decoded_len = u32::try_from(decoded_len).unwrap_or(u32::MAX);
        let piece = Piece { decoded: self.decoded_len, decoded_len, file };
        self.decoded_len = self.decoded_len.saturating_add(decoded_len);
        if let Some(last) = self.pieces.last_mut()
            && last.is_copy()
            && piece.is_copy()
            && last.file.end == file.start
        {
            last.decoded_len += decoded_len;
            last.file.end = file.end;
            return;
        }
        self.pieces.push(piece);
    }

    /// Length of the decoded text in bytes.
    pub fn decoded_len(&self) -> usize {
        self.decoded_len as usize
    }

    /// The whole scalar as written.
    pub fn whole(&self) -> Span {
        self.whole
    }

    /// Where a range of bytes of the decoded text is written.
    ///
    /// An empty range maps to an empty span; a range over several lines covers what is between.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start_at = self.offset(start);
        if end <= start {
            return Span { start: start_at, end: start_at };
        }
        // The end belongs to the piece of the last byte inside, not to the next line.
        let end_at = match self.piece(end - 1) {
            Some(piece) if piece.is_copy() => {
                piece.file.start + (clip(end) - piece.decoded).min(piece.decoded_len)
            }
            Some(piece) => piece.file.end,
            None => self.whole.end,
        };
        Span { start: start_at, end: end_at.max(start_at) }
    }

    /// The same for a range counted in code points of the decoded text `decoded`.
    pub fn span_of_code_points(&self, decoded: &str, start: usize, end: usize) -> Span {
        self.span(byte_of_code_point(decoded, start), byte_of_code_point(decoded, end))
    }

    fn offset(&self, decoded: usize) -> u32 {
        match self.piece(decoded) {
            Some(piece) if piece.is_copy() => piece.file.start + (clip(decoded) - piece.decoded),
            Some(piece) => piece.file.start,
            None => self.pieces.last().map_or(self.whole.end, |piece| piece.file.end),
        }
    }

    fn piece(&self, decoded: usize) -> Option<Piece> {
        let decoded = clip(decoded);
        let idx = self.pieces.partition_point(|piece| piece.decoded <= decoded).checked_sub(1)?;
        let piece = self.pieces.get(idx).copied()?;
        (decoded < piece.decoded + piece.decoded_len).then_some(piece)
    }
}

fn byte_of_code_point(text: &str, code_point: usize) -> usize {
    text.char_indices().nth(code_point).map_or(text.len(), |(at, _)| at)
}

fn clip(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
