/// A place as editors count it: both zero-based, the column in UTF-16 units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 0.
    pub line: u32,
    /// UTF-16 units from the start of the line.
    pub column: u32,
}

/// Where lines start and where characters take more bytes than UTF-16 units.
///
/// Lines end with `\n`, `\r\n` or a lone `\r`, as editors have it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// For each character beyond ASCII: the byte after it, and how many bytes more than UTF-16
    /// units the text has up to there.
    surplus: Vec<(u32, u32)>,
    len: u32,
}

impl LineIndex {
    /// Indexes a text.
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        let mut surplus = Vec::new();
        let mut total = 0;
        let mut previous_cr = false;
        for (at, c) in text.char_indices() {
            let end = clip(at + c.len_utf8());
            if previous_cr && c != '\n' {
                starts.push(clip(at));
            }
            previous_cr = c == '\r';
            if c == '\n' {
                starts.push(end);
            }
            if !c.is_ascii() {
                total += clip(c.len_utf8() - c.len_utf16());
                surplus.push((end, total));
            }
        }
        if previous_cr {
            starts.push(clip(text.len()));
        }
        Self { starts, surplus, len: clip(text.len()) }
    }

    /// Number of lines; a text always has at least one.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The line that holds a byte offset, from 0.
    pub fn line(&self, offset: u32) -> u32 {
        clip(self.starts.partition_point(|start| *start <= offset).saturating_sub(1))
    }

    /// The byte at which a line starts; the end of the text for a line beyond it.
    pub fn line_start(&self, line: u32) -> u32 {
        self.starts.get(line as usize).copied().unwrap_or(self.len)
    }

    /// The UTF-16 offset of a byte offset from the start of the text.
    pub fn utf16(&self, offset: u32) -> u32 {
        let offset = offset.min(self.len);
        let seen = self.surplus.partition_point(|(end, _)| *end <= offset);
        let surplus = seen.checked_sub(1).and_then(|idx| self.surplus.get(idx));
        offset.saturating_sub(surplus.map_or(0, |(_, total)| *total))
    }

    /// The byte offset of a UTF-16 offset; the end of the text when it is beyond it.
    pub fn byte(&self, utf16: u32) -> u32 {
        let seen = self.surplus.partition_point(|(end, total)| end - total <= utf16);
        let surplus = seen.checked_sub(1).and_then(|idx| self.surplus.get(idx));
        utf16.saturating_add(surplus.map_or(0, |(_, total)| *total)).min(self.len)
    }

    /// Line and column of a byte offset.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line(offset);
        let column = self.utf16(offset).saturating_sub(self.utf16(self.line_start(line)));
        LineColumn { line, column }
    }
}

fn clip(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
