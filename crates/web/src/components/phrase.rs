//! Sentences whose nouns are references.

use std::rc::Rc;

use dra_playground_core::workspace::report::{Phrase, Piece, Thing};
use yew::{Callback, Html, Properties, classes, component, html};

use super::Mark;
use crate::derive::places::{self, Reference};
use crate::platform::dom;

/// Properties of [`Sentence`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub(crate) struct SentenceProps {
    /// The sentence.
    pub(crate) phrase: Rc<Phrase>,
    /// Letters of its references.
    #[prop_or_else(|| Rc::from([]))]
    pub(crate) references: Rc<[Reference]>,
}

/// A sentence; names of things are in mono and never broken across lines.
#[component]
pub(crate) fn Sentence(props: &SentenceProps) -> Html {
    props.phrase.0.iter().map(|piece| noun(piece, &props.references)).collect()
}

fn noun(piece: &Piece, references: &Rc<[Reference]>) -> Html {
    let Some(target) = &piece.target else { return prose(&piece.text) };
    let known = references.iter().find(|it| *it.thing == target.thing);
    let letter = known.map(|it| html! { <sup class="kx" aria-hidden="true">{it.letter}</sup> });
    let thing = (target.thing != Thing::Text).then(|| Rc::new(target.thing.clone()));
    let figure = thing.as_deref().and_then(places::figure_id);
    let clicked = Callback::from(move |()| {
        if let Some(id) = &figure {
            dom::show(id, false);
        }
    });
    // A name is kept whole, unless it could be longer than a line of a phone.
    let name = (!piece.text.contains(' ')).then_some("m");
    let whole = name.filter(|_| piece.text.len() < 26).map(|_| "nw");
    html! {
        <Mark link=true {thing} class="ref" range={target.range} {clicked}>
            <span class={classes!(name, whole)}>{prose(&piece.text)}</span>{letter}
        </Mark>
    }
}

/// Words between backticks are code.
pub(crate) fn prose(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(index, part)| match index % 2 {
        0 => html! { {part.to_owned()} },
        _ => html! { <code>{part.to_owned()}</code> },
    });
    parts.collect()
}
