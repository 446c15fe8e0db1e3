//! Pods and claims of the text that are refused, as rows of their own.

use crate::api::Kind;
use crate::explain::Subject;
use crate::explain::words::Key;

use super::analysis::Shown;
use super::phrases::object_key_of;
use super::pods::refusal;
use super::ranges::range;
use super::report::{ClaimView, Family, Phrase, Piece, PodView, Range, Snapshot, Target, Thing};
use super::written::Refused;

impl Shown<'_> {
    /// Adds what is written and refused, unless another version of it is there.
    pub(super) fn add_refused(&self, view: &mut Snapshot) {
        for refused in self.written().all_refused() {
            let is = |kind: Kind| refused.object.kind == kind.as_str();
            let key = object_key_of(&refused.object);
            if is(Kind::Pod) && view.pods.iter().all(|pod| pod.object != key) {
                view.pods.push(self.pod(&refused));
            }
            let is_claim = is(Kind::ResourceClaim) || is(Kind::ResourceClaimTemplate);
            if is_claim && view.claims.iter().all(|claim| claim.object != key) {
                view.claims.push(ClaimView {
                    object: key,
                    range: Some(range(self.lines, refused.whole)),
                    state: "refused".to_owned(),
                    cause: self.phrase(&refused).0,
                    ..ClaimView::default()
                });
            }
        }
    }

    fn pod(&self, refused: &Refused) -> PodView {
        let (cause, place) = self.phrase(refused);
        PodView {
            object: object_key_of(&refused.object),
            range: Some(range(self.lines, refused.whole)),
            ready: "-".to_owned(),
            status: "Refused".to_owned(),
            family: Family::Fault,
            reason: self.words.word(Key::LabelRefused).to_owned(),
            code: "refused".to_owned(),
            cause,
            place: Some(place),
            ..PodView::default()
        }
    }

    fn phrase(&self, refused: &Refused) -> (Phrase, Range) {
        let said = self.words.sentence(refusal(self.words, Key::RefusedThing, refused));
        let place = range(self.lines, refused.span);
        let pieces = said.pieces.into_iter().map(|piece| {
            let span = match &piece.subject {
                Some(Subject::Text(span) | Subject::Document(span)) => Some(*span),
                _ => None,
            };
            let target = span
                .map(|span| Target { thing: Thing::Text, range: Some(range(self.lines, span)) });
            Piece { text: piece.text, target }
        });
        (Phrase(pieces.collect()), place)
    }
}
