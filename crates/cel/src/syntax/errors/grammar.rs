//! The grammar of CEL as data. Source: the rules of cel-go's `parser/gen/CEL.g4`, with left
//! recursion turned into loops whose operators carry a strength, as ANTLR does.

/// A set of token kinds, one bit each.
pub(super) type Kinds = u64;

/// End of the text.
pub(super) const END: u8 = 0;
const IN: u8 = 3;
const LESS: u8 = 4;
const GREATER: u8 = 7;
const AND_AND: u8 = 8;
const OR_OR: u8 = 9;
const LIST_OPEN: u8 = 10;
const LIST_CLOSE: u8 = 11;
const MAP_OPEN: u8 = 12;
const MAP_CLOSE: u8 = 13;
const OPEN: u8 = 14;
const CLOSE: u8 = 15;
const DOT: u8 = 16;
const COMMA: u8 = 17;
const MINUS: u8 = 18;
const NOT: u8 = 19;
const QUESTION: u8 = 20;
const COLON: u8 = 21;
const PLUS: u8 = 22;
const STAR: u8 = 23;
const SLASH: u8 = 24;
const PERCENT: u8 = 25;
const TRUE: u8 = 26;
const FALSE: u8 = 27;
const NULL: u8 = 28;
pub(super) const FLOAT: u8 = 31;
pub(super) const INT: u8 = 32;
pub(super) const UINT: u8 = 33;
pub(super) const STRING: u8 = 34;
pub(super) const BYTES: u8 = 35;
pub(super) const IDENT: u8 = 36;
pub(super) const ESCAPED: u8 = 37;

/// Tokens that are always written the same, from number 1.
const WORDS: [&str; 28] = [
    "==", "!=", "in", "<", "<=", ">=", ">", "&&", "||", "[", "]", "{", "}", "(", ")", ".", ",",
    "-", "!", "?", ":", "+", "*", "/", "%", "true", "false", "null",
];
/// Names of the other tokens, from [`FLOAT`].
const NAMES: [&str; 7] =
    ["NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER"];

/// The number of a token that is always written the same.
pub(super) fn word(text: &str) -> u8 {
    let at = WORDS.iter().position(|word| *word == text).map_or(0, |at| at + 1);
    u8::try_from(at).unwrap_or(END)
}

/// A set of token kinds as ANTLR writes it.
pub(super) fn describe(kinds: Kinds) -> String {
    let names: Vec<String> = (0..64).filter(|kind| kinds >> kind & 1 == 1).map(name).collect();
    let list = names.join(", ");
    if names.len() == 1 { list } else { format!("{{{list}}}") }
}

fn name(kind: u8) -> String {
    let kind = usize::from(kind);
    if kind == usize::from(END) {
        return "<EOF>".to_owned();
    }
    match WORDS.get(kind - 1) {
        Some(word) => format!("'{word}'"),
        None => {
            NAMES.get(kind.wrapping_sub(usize::from(FLOAT))).copied().unwrap_or_default().to_owned()
        }
    }
}

/// How one way among several is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choose {
    /// By the next token.
    Next,
    /// By as many tokens as are needed.
    Ahead,
}

/// A part of a rule.
pub(super) enum Part {
    /// One token of a kind.
    Token(u8),
    /// One token of several kinds.
    OneOf(Kinds),
    /// A rule; operators that bind weaker than the strength are left to whoever asks.
    Rule(Rule, u8),
    /// Begins a way that is open only to operators of a strength.
    Strength(u8),
    /// May be missing.
    Optional(&'static [Part]),
    /// One of several ways.
    OneWay(Choose, &'static [&'static [Part]]),
    /// Any number of times.
    Many(Choose, &'static [&'static [Part]]),
    /// Once or more.
    Some(Choose, &'static [Part]),
}

/// A rule of the grammar; its number is its place in [`GRAMMAR`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    Start,
    Expr,
    Or,
    And,
    Relation,
    Calc,
    Unary,
    Member,
    Primary,
    Exprs,
    List,
    Fields,
    Field,
    Entries,
    Name,
    OptionalExpr,
    Literal,
}

/// Number of rules.
pub(super) const RULES: usize = GRAMMAR.len();

use Choose::{Ahead, Next};
use Part::{Many, OneOf, OneWay, Optional, Some as Several, Strength, Token};

const fn rule(rule: Rule) -> Part {
    Part::Rule(rule, 0)
}

const fn bits(kinds: &[u8]) -> Kinds {
    match kinds {
        [first, rest @ ..] => 1 << *first | bits(rest),
        [] => 0,
    }
}

const RELATIONS: Kinds = bits(&[1, 2, IN, LESS, 5, 6, GREATER]);

/// The rules in the order of [`Rule`].
pub(super) const GRAMMAR: [&[Part]; 17] = [
    &[rule(Rule::Expr), Token(END)],
    &[rule(Rule::Or), Optional(&[Token(QUESTION), rule(Rule::Or), Token(COLON), rule(Rule::Expr)])],
    &[rule(Rule::And), Many(Next, &[&[Token(OR_OR), rule(Rule::And)]])],
    &[rule(Rule::Relation), Many(Next, &[&[Token(AND_AND), rule(Rule::Relation)]])],
    &[
        rule(Rule::Calc),
        Many(Ahead, &[&[Strength(1), OneOf(RELATIONS), Part::Rule(Rule::Relation, 2)]]),
    ],
    &[
        rule(Rule::Unary),
        Many(
            Ahead,
            &[
                &[Strength(2), OneOf(bits(&[STAR, SLASH, PERCENT])), Part::Rule(Rule::Calc, 3)],
                &[Strength(1), OneOf(bits(&[PLUS, MINUS])), Part::Rule(Rule::Calc, 2)],
            ],
        ),
    ],
    &[OneWay(
        Ahead,
        &[
            &[rule(Rule::Member)],
            &[Several(Next, &[Token(NOT)]), rule(Rule::Member)],
            &[Several(Ahead, &[Token(MINUS)]), rule(Rule::Member)],
        ],
    )],
    &[
        rule(Rule::Primary),
        Many(
            Ahead,
            &[
                &[Strength(3), Token(DOT), Optional(&[Token(QUESTION)]), rule(Rule::Name)],
                &[
                    Strength(2),
                    Token(DOT),
                    Token(IDENT),
                    Token(OPEN),
                    Optional(&[rule(Rule::Exprs)]),
                    Token(CLOSE),
                ],
                &[
                    Strength(1),
                    Token(LIST_OPEN),
                    Optional(&[Token(QUESTION)]),
                    rule(Rule::Expr),
                    Token(LIST_CLOSE),
                ],
            ],
        ),
    ],
    &[OneWay(
        Ahead,
        &[
            &[Optional(&[Token(DOT)]), Token(IDENT)],
            &[
                Optional(&[Token(DOT)]),
                Token(IDENT),
                Token(OPEN),
                Optional(&[rule(Rule::Exprs)]),
                Token(CLOSE),
            ],
            &[Token(OPEN), rule(Rule::Expr), Token(CLOSE)],
            &[
                Token(LIST_OPEN),
                Optional(&[rule(Rule::List)]),
                Optional(&[Token(COMMA)]),
                Token(LIST_CLOSE),
            ],
            &[
                Token(MAP_OPEN),
                Optional(&[rule(Rule::Entries)]),
                Optional(&[Token(COMMA)]),
                Token(MAP_CLOSE),
            ],
            &[
                Optional(&[Token(DOT)]),
                Token(IDENT),
                Many(Next, &[&[Token(DOT), Token(IDENT)]]),
                Token(MAP_OPEN),
                Optional(&[rule(Rule::Fields)]),
                Optional(&[Token(COMMA)]),
                Token(MAP_CLOSE),
            ],
            &[rule(Rule::Literal)],
        ],
    )],
    &[rule(Rule::Expr), Many(Next, &[&[Token(COMMA), rule(Rule::Expr)]])],
    &[rule(Rule::OptionalExpr), Many(Ahead, &[&[Token(COMMA), rule(Rule::OptionalExpr)]])],
    &[
        rule(Rule::Field),
        Token(COLON),
        rule(Rule::Expr),
        Many(Ahead, &[&[Token(COMMA), rule(Rule::Field), Token(COLON), rule(Rule::Expr)]]),
    ],
    &[Optional(&[Token(QUESTION)]), rule(Rule::Name)],
    &[
        rule(Rule::OptionalExpr),
        Token(COLON),
        rule(Rule::Expr),
        Many(Ahead, &[&[Token(COMMA), rule(Rule::OptionalExpr), Token(COLON), rule(Rule::Expr)]]),
    ],
    &[OneWay(Next, &[&[Token(IDENT)], &[Token(ESCAPED)]])],
    &[Optional(&[Token(QUESTION)]), rule(Rule::Expr)],
    &[OneWay(
        Ahead,
        &[
            &[Optional(&[Token(MINUS)]), Token(INT)],
            &[Token(UINT)],
            &[Optional(&[Token(MINUS)]), Token(FLOAT)],
            &[Token(STRING)],
            &[Token(BYTES)],
            &[Token(TRUE)],
            &[Token(FALSE)],
            &[Token(NULL)],
        ],
    )],
];
