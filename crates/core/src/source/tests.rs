use super::{LineColumn, LineIndex, Origin, Span};

#[test]
fn columns_count_utf16_units() {
    let text = "a\u{1F600}b\r\nä: x\rlast";
    let index = LineIndex::new(text);
    assert_eq!(index.lines(), 3);
    let at = |needle: &str| u32::try_from(text.find(needle).unwrap()).unwrap();
    assert_eq!(index.line_column(at("b")), LineColumn { line: 0, column: 3 });
    assert_eq!(index.line_column(at("x")), LineColumn { line: 1, column: 3 });
    assert_eq!(index.line_column(at("last")), LineColumn { line: 2, column: 0 });
    for (offset, _) in text.char_indices() {
        let offset = u32::try_from(offset).unwrap();
        assert_eq!(index.byte(index.utf16(offset)), offset);
    }
    assert_eq!(index.utf16(1000), u32::try_from(text.encode_utf16().count()).unwrap());
}

#[test]
fn origin_maps_copies_and_escapes() {
    // a\"b decoded to a"b, written at 10.
    let mut origin = Origin::new(Span::new(9, 15));
    origin.push(1, Span::new(10, 11));
    origin.push(1, Span::new(11, 13));
    origin.push(1, Span::new(13, 14));
    assert_eq!(origin.span(0, 1), Span::new(10, 11));
    assert_eq!(origin.span(1, 2), Span::new(11, 13));
    assert_eq!(origin.span(0, 3), Span::new(10, 14));
    assert_eq!(origin.span(3, 3), Span::new(14, 14));
    assert_eq!(origin.span(1, 1), Span::new(11, 11));
}
