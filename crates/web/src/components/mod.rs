//! Small views: props only, no contexts but the highlighter and the words.

mod copy;
mod icon;
mod mark;
mod markdown;
mod menu;
mod page_link;
mod phrase;
mod symbols;
mod verdict;

pub(crate) use copy::CopyButton;
pub(crate) use icon::icon;
pub(crate) use mark::{LineLink, Mark};
pub(crate) use markdown::markdown;
pub(crate) use menu::{MenuButton, chevron};
pub(crate) use page_link::PageLink;
pub(crate) use phrase::{Sentence, prose};
pub(crate) use symbols::symbols;
pub(crate) use verdict::{badge, silhouette, silhouette_class};
