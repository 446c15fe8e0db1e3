//! The panels of the page, in the order in which they are read.

mod answer;
mod bench;
mod claims;
mod compare;
mod docket;
mod consent;
mod editor;
mod embed;
mod empty;
mod export;
mod figures;
mod findings;
mod gallery;
mod gates;
mod insert;
mod inventory;
mod keys;
mod ledgers;
mod lede;
mod marks;
mod matrix;
mod notice;
mod page;
mod pools;
mod search;
mod selectors;
mod share;
mod shelf;
mod sieve;
mod timeline;
mod top_bar;
mod what_ifs;

pub(crate) use answer::{AnswerPanel, told};
pub(crate) use consent::Consent;
pub(crate) use editor::EditorPanel;
pub(crate) use embed::{EmbedBar, EmbedFoot};
pub(crate) use gallery::load_text;
pub(crate) use keys::KeyList;
pub(crate) use page::PageSheet;
pub(crate) use top_bar::TopBar;

use yew::Properties;

use crate::state::Report;

/// Properties of every panel of the answer.
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct PanelProps {
    /// What is shown.
    #[prop_or_default]
    pub(crate) analysis: Report,
}
