use std::collections::BTreeSet;

use crate::apimachinery::ObjectRef;
use crate::explain::{Explanation, Recorder, candidates};
use crate::pool::DeviceId;
use crate::scheduler::{Attempt, Env, Inputs, Replay};

use super::line::Id;

/// How many devices of other nodes a node may name.
const ELSEWHERE: usize = 10_000;

/// The first reasons of a device for the requests of a claim, over all nodes that were asked.
///
/// That a device is for another node counts only when no node can reach it.
pub(super) fn reasons(
    attempt: &Attempt,
    claim: &ObjectRef,
    id: &Id,
    env: &Env,
) -> BTreeSet<&'static str> {
    let device = DeviceId::new(&id.driver, &id.pool, &id.last);
    let inputs = Inputs::of(&attempt.before, env);
    let mut replay = Replay::new(&inputs, attempt, env);
    let mut found = BTreeSet::new();
    for (index, node) in attempt.nodes.iter().enumerate() {
        let Some(node) = attempt.before.nodes.get("", &node.node) else { continue };
        let mut recorder = Recorder::new();
        let Some(replayed) = replay.run(index, &mut recorder) else { continue };
        let Ok(gathered) = replay.gather(&node.value) else { continue };
        let devices = candidates(replay.index(), &gathered, &node.value, env.behavior(), ELSEWHERE);
        let claims: Vec<_> = replayed.claims.iter().map(std::rc::Rc::as_ref).collect();
        let answer = &replayed.answer;
        let explanation =
            Explanation::new(&recorder, &claims, &devices, &answer.outcome, answer.search_calls);
        let of_claim = explanation.requests.iter().filter(|request| request.claim == *claim);
        for request in of_claim {
            let verdicts = request.verdicts.iter().filter(|verdict| verdict.device == device);
            found.extend(verdicts.map(|verdict| verdict.reason.code()));
        }
    }
    if found.len() > 1 {
        found.remove("slice-other-node");
    }
    found
}
