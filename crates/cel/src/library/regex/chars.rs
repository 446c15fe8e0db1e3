//! Sets of characters.

/// Whether a character belongs to a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) negated: bool,
    pub(super) fold: bool,
    pub(super) ranges: Vec<(char, char)>,
    /// Groups that are not ranges, each negated or not.
    pub(super) groups: Vec<(Group, bool)>,
}

/// A group of the Unicode database that the standard library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Group {
    Any,
    Letter,
    Upper,
    Lower,
    Number,
    Decimal,
    Latin,
    Greek,
    Cyrillic,
    Han,
    Control,
    Space,
}

impl Group {
    /// The group of a name; none when the playground does not carry it.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "Any" => Self::Any,
            "L" | "Letter" => Self::Letter,
            "Lu" | "Uppercase_Letter" => Self::Upper,
            "Ll" | "Lowercase_Letter" => Self::Lower,
            "N" | "Number" => Self::Number,
            "Nd" | "Decimal_Number" | "digit" => Self::Decimal,
            "Latin" => Self::Latin,
            "Greek" => Self::Greek,
            "Cyrillic" => Self::Cyrillic,
            "Han" => Self::Han,
            "Cc" | "Control" | "cntrl" => Self::Control,
            "Z" | "Zs" | "Space_Separator" | "Separator" => Self::Space,
            _ => return None,
        })
    }

    fn contains(self, c: char) -> bool {
        match self {
            Self::Any => true,
            Self::Letter => c.is_alphabetic() && !c.is_numeric(),
            Self::Upper => c.is_uppercase() && !c.is_numeric(),
            Self::Lower => c.is_lowercase() && !c.is_numeric(),
            Self::Number => c.is_numeric(),
            Self::Decimal => c.is_ascii_digit() || !c.is_ascii() && is_decimal(c),
            Self::Latin => {
                c.is_alphabetic()
                    && matches!(c, 'A'..='Z' | 'a'..='z' | 'ª' | 'º' | 'À'..='ʸ' | 'Ḁ'..='ỿ' | 'ⁱ' | 'ⁿ' | 'Ⱡ'..='Ɀ' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ')
            }
            Self::Greek => {
                c.is_alphabetic() && matches!(c, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}')
            }
            Self::Cyrillic => matches!(
                c,
                '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8a}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}'
            ),
            Self::Han => matches!(
                c,
                '\u{2e80}'..='\u{2fd5}' | '々' | '〇' | '〡'..='〩' | '\u{3400}'..='\u{4dbf}'
                    | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{fad9}' | '\u{20000}'..='\u{323af}'
            ),
            Self::Control => c.is_control(),
            Self::Space => c.is_whitespace() && !c.is_control(),
        }
    }
}

/// Decimal digits stand in runs of ten that begin at a multiple of ten or sixteen.
fn is_decimal(c: char) -> bool {
    const ZEROS: [u32; 38] = [
        0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6,
        0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
        0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
        0xff10, 0x104a0, 0x11066,
    ];
    let code = u32::from(c);
    ZEROS.iter().any(|zero| (*zero..zero + 10).contains(&code))
}

impl Class {
    pub(super) fn contains(&self, c: char) -> bool {
        let found = if self.fold {
            orbit(c).into_iter().flatten().any(|c| self.holds(c))
        } else {
            self.holds(c)
        };
        found != self.negated
    }

    fn holds(&self, c: char) -> bool {
        self.ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
            || self.groups.iter().any(|(group, negated)| group.contains(c) != *negated)
    }
}

/// The representative of the characters that differ from one only by case.
pub(super) fn fold(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    // The dotted and dotless i fold to nothing else.
    if matches!(c, 'İ' | 'ı') {
        return c;
    }
    let upper = single(c.to_uppercase()).unwrap_or(c);
    single(upper.to_lowercase()).unwrap_or(upper)
}

fn single(mut chars: impl Iterator<Item = char>) -> Option<char> {
    let first = chars.next();
    if chars.next().is_some() { None } else { first }
}

/// The characters that differ from one only by case, itself included.
fn orbit(c: char) -> [Option<char>; 4] {
    let folded = fold(c);
    let extra = match folded {
        'k' => Some('\u{212a}'),
        's' => Some('ſ'),
        'å' => Some('\u{212b}'),
        'μ' => Some('µ'),
        'σ' => Some('ς'),
        _ => None,
    };
    [Some(c), Some(folded), single(folded.to_uppercase()), extra]
}
