//! What a Pod needs and is not there: missing, refused, or in another namespace.

use crate::api::Kind;
use crate::diagnostic::translate;
use crate::explain::words::{Catalogue, Key};
use crate::explain::{Family, Phrase, Subject};

use super::super::written::Refused;
use super::{Said, Teller};

impl Teller<'_> {
    /// A claim or template that does not exist, or is refused.
    pub(super) fn missing(&self) -> Option<(Phrase, Said)> {
        let pod = self.pod()?;
        let cluster = self.cluster();
        let namespace = &pod.metadata.namespace;
        for (index, entry) in pod.resource_claims.iter().enumerate() {
            let place = |field: &str| Subject::Field {
                object: self.attempt.pod.clone(),
                path: format!("spec.resourceClaims[{index}].{field}"),
            };
            if let Some(template) = &entry.resource_claim_template_name
                && cluster.templates.get(namespace, template).is_none()
            {
                let subject = place("resourceClaimTemplateName");
                let keys = [Key::TemplateMissing, Key::TemplateElsewhere];
                let kind = Kind::ResourceClaimTemplate;
                return Some(self.not_there(kind, namespace, template, subject, keys));
            }
            if let Some(claim) = &entry.resource_claim_name
                && cluster.claims.get(namespace, claim).is_none()
            {
                let subject = place("resourceClaimName");
                let keys = [Key::ClaimMissing, Key::ClaimInNamespace];
                let kind = Kind::ResourceClaim;
                return Some(self.not_there(kind, namespace, claim, subject, keys));
            }
        }
        None
    }

    /// An object that the Pod needs is not in the cluster: it is refused, or in another namespace, or
    /// not written at all.
    fn not_there(
        &self,
        kind: Kind,
        namespace: &str,
        name: &str,
        place: Subject,
        [missing, elsewhere]: [Key; 2],
    ) -> (Phrase, Said) {
        if let Some(refused) = self.written.refused(kind, namespace, name) {
            return (self.refused(&refused), self.said(Key::LabelRefused, Family::Fault));
        }
        let mut values =
            vec![("name", Phrase::about(name, place)), ("namespace", namespace.into())];
        let other = self.written.elsewhere(kind, namespace, name);
        let key = match other.filter(|_| kind.is_namespaced()) {
            Some(other) => {
                let there = Phrase::about(other.namespace(), Subject::Object(other.key()));
                values.push(("other", there));
                elsewhere
            }
            None => missing,
        };
        (self.say(key, &values), self.said(Key::LabelMissing, Family::Fault))
    }

    /// `DeviceClass gpu is written, but refused: …`
    pub(super) fn refused(&self, refused: &Refused) -> Phrase {
        refusal(self.words, Key::RefusedThing, refused)
    }

    /// The first class that a request names and that does not exist.
    pub(super) fn missing_class(&self) -> Option<(Phrase, Said)> {
        for claim in &self.attempt.claims {
            let spec = &claim.claim.spec;
            for (index, request) in spec.requests.iter().enumerate() {
                let exactly = request.exactly.iter().map(|exact| (exact, "exactly".to_owned()));
                let alternatives = request.first_available.iter().enumerate();
                let alternatives = alternatives
                    .map(|(sub, wish)| (&wish.request, format!("firstAvailable[{sub}]")));
                for (exact, inner) in exactly.chain(alternatives) {
                    let class = &exact.device_class_name;
                    if class.is_empty() || self.cluster().classes.get("", class).is_some() {
                        continue;
                    }
                    let subject = Subject::Field {
                        object: crate::explain::claim_ref(&claim.claim),
                        path: format!("spec.devices.requests[{index}].{inner}.deviceClassName"),
                    };
                    let keys = [Key::ClassMissing, Key::ClassMissing];
                    return Some(self.not_there(Kind::DeviceClass, "", class, subject, keys));
                }
            }
        }
        None
    }
}

/// Something that is written and refused, and why.
pub(in super::super) fn refusal(words: &Catalogue, key: Key, refused: &Refused) -> Phrase {
    let name = format!("{} {}", refused.object.kind, refused.object.name);
    let text = translate(&refused.text, words.language());
    let values = [
        ("thing", Phrase::about(name, Subject::Document(refused.whole))),
        ("text", Phrase::about(text, Subject::Text(refused.span))),
    ];
    words.say(key, &values)
}
