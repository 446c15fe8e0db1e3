use std::rc::Rc;

use dra_playground_core::workspace::link::Shared;
use dra_playground_core::workspace::report::{
    Analysis, Diagnostic, ExtraStep, Gate, OutlineEntry, Phrase, Piece, PodView, RequestVerdicts,
    Severity, Thing,
};
use yew::Reducible;

use super::{Action, AppState, Menu, Spot, SpotAction};
use crate::fixture::{analysis, counter_set, device, object};

fn run(state: AppState, actions: impl IntoIterator<Item = Action>) -> AppState {
    let state = actions.into_iter().fold(Rc::new(state), Reducible::reduce);
    Rc::unwrap_or_clone(state)
}

fn answered(revision: u64, analysis: Analysis) -> Action {
    Action::Answered { revision, analysis: Box::new(analysis).into(), took: 1.0 }
}

fn edited() -> AppState {
    run(AppState::default(), [Action::Edited("kind: Pod".into())])
}

fn with_answer() -> AppState {
    let state = edited();
    let revision = state.revision;
    run(state, [Action::Started(revision), answered(revision, analysis())])
}

fn broken() -> Analysis {
    let diagnostic = Diagnostic {
        code: "yaml-syntax".to_owned(),
        severity: Severity::Error,
        ..Diagnostic::default()
    };
    Analysis { diagnostics: vec![diagnostic], ..Analysis::default() }
}

#[test]
fn each_change_of_the_text_asks_for_a_new_answer() {
    let state = edited();
    assert_eq!(state.revision, 1);
    let same = run(state.clone(), [Action::Edited("kind: Pod".into())]);
    assert_eq!(same.revision, 1, "the same text asks nothing");
    assert_eq!(state.loads, 0, "the editor has the text already");
}

#[test]
fn stale_answers_are_dropped() {
    let state = with_answer();
    let late = run(state.clone(), [answered(0, Analysis::default())]);
    assert_eq!(late.answer, state.answer);
}

#[test]
fn an_answer_to_an_older_text_is_followed_by_the_newer() {
    let state = run(edited(), [Action::Started(1), Action::Edited("kind: Node".into())]);
    let state = run(state, [answered(1, analysis())]);
    assert_eq!((state.answered, state.revision), (1, 2));
    assert!(state.is_due(), "the newer text is asked for at once");
}

#[test]
fn a_gate_shows_the_choice_before_the_answer() {
    let name = "DRAConsumableCapacity".to_owned();
    let gate = |enabled| Gate { name: name.clone(), enabled, ..Gate::default() };
    let state = with_answer();
    assert!(state.is_on(&gate(true)), "the text says so");
    let state = run(state, [Action::Gate(name.clone(), Some(true))]);
    assert!(state.is_on(&gate(false)));
    let revision = state.revision;
    let state = run(state, [Action::Started(revision), answered(revision, analysis())]);
    let state = run(state, [Action::Gate(name.clone(), None)]);
    assert!(!state.is_on(&gate(true)), "the answer is of what was chosen before");
    let revision = state.revision;
    let state = run(state, [Action::Started(revision), answered(revision, analysis())]);
    assert!(state.is_on(&gate(true)));
}

#[test]
fn typing_settles_nothing() {
    let state = with_answer();
    let typed = run(state.clone(), [Action::Edited("kind: Node".into()), Action::Started(2)]);
    assert!(typed.moment > state.moment && typed.settled == state.settled);
    let fell = run(typed, [Action::Fell("why".into())]);
    assert_eq!(fell.settled, fell.moment);
    let again = run(fell, [Action::Edited("kind: Pod".into())]);
    assert_eq!(again.settled, again.moment, "nothing is said of the fall any longer");
}

#[test]
fn an_unreadable_text_keeps_the_last_answer() {
    let whole = Analysis { outline: vec![OutlineEntry::default()], ..analysis() };
    let state = run(edited(), [answered(1, whole.clone()), answered(2, broken())]);
    assert!(state.is_stale());
    assert_eq!(state.shown().map(|it| &**it), Some(&whole));
    let state = run(state, [answered(3, whole)]);
    assert!(!state.is_stale());
}

#[test]
fn an_unreadable_first_text_shows_what_could_be_read() {
    let state = run(edited(), [answered(1, broken())]);
    assert!(state.is_broken() && !state.is_stale());
    assert_eq!(state.shown().map(|it| &**it), Some(&broken()));
}

#[test]
fn a_fallen_worker_loses_nothing() {
    let state = run(with_answer(), [Action::Fell("unreachable".into())]);
    assert_eq!(state.text.as_str(), "kind: Pod");
    assert!(state.answer.is_some());
    let state = run(edited(), [Action::Started(1), Action::Fell("unreachable".into())]);
    assert!(!state.is_due(), "what made it fall is not asked again");
    let state = run(state, [Action::Edited("kind: Node".into())]);
    assert!(state.is_due());
}

#[test]
fn the_telling_pod_is_the_one_of_the_step_that_waits() {
    let state = with_answer();
    let name = |state: &AppState| {
        let analysis = state.shown().unwrap();
        state.selected_pod(analysis).map(|pod| pod.object.name.clone())
    };
    assert_eq!(name(&state).as_deref(), Some("pod2"));
    let state = run(state, [Action::Pod(object("Pod", "pod1"))]);
    assert_eq!(name(&state).as_deref(), Some("pod1"));
    let state = run(state, [Action::PodBy(1)]);
    assert_eq!(name(&state).as_deref(), Some("pod2"));
    let state = run(state, [Action::PodBy(1)]);
    assert_eq!(name(&state).as_deref(), Some("pod2"), "the last one stays");
}

#[test]
fn the_telling_request_is_the_one_that_found_nothing() {
    let state = with_answer();
    let analysis = state.shown().unwrap();
    let verdicts = state.selected_verdicts(analysis).unwrap();
    assert_eq!(verdicts.claim.name, "pod2-gpu");
}

#[test]
fn the_sieve_of_a_pod_that_runs_opens_on_what_it_was_given() {
    let mut analysis = analysis();
    let snapshot = &mut analysis.snapshot;
    snapshot.pods[1].cause.0.clear();
    snapshot.pods[1].node = Some("n".to_owned());
    let mut taken = snapshot.verdicts[0].clone();
    taken.request = "gpu/small".to_owned();
    taken.sieve[2].left = 1;
    let elsewhere = RequestVerdicts { node: "m".to_owned(), ..taken.clone() };
    snapshot.verdicts.extend([elsewhere, taken]);
    let state = AppState { pod: Some(object("Pod", "pod2")), ..with_answer() };
    let shown = state.selected_verdicts(&analysis).unwrap();
    assert_eq!((shown.request.as_str(), shown.node.as_str()), ("gpu/small", "n"));
}

#[test]
fn stepping_stays_inside_the_timeline() {
    let state = with_answer();
    let back = run(state.clone(), [Action::StepBy(-1)]);
    assert_eq!(back.options.step, Some(1));
    assert_eq!(back.revision, state.revision + 1);
    let again = run(back.clone(), [Action::StepBy(-1)]);
    assert_eq!(again.options.step, Some(0), "before the answer is there");
    assert_eq!(run(again, [Action::StepBy(-1)]).wanted_step(), 0);
    let on = run(back, [Action::StepBy(5)]);
    assert_eq!(on.options.step, None, "the last step is the default");
    let still = run(state.clone(), [Action::StepBy(5)]);
    assert_eq!((still.options.step, still.revision), (None, state.revision));
    let far = run(state, [Action::Step(99)]);
    assert_eq!(far.options.step, None);
}

#[test]
fn playing_from_the_end_starts_over_and_stops_at_the_end() {
    let last = Analysis { step: 2, ..analysis() };
    let state = run(edited(), [answered(1, last.clone()), Action::Play(true)]);
    assert!(state.playing);
    assert_eq!(state.options.step, Some(0));
    let state = run(state, [answered(2, last)]);
    assert!(!state.playing);
}

#[test]
fn steps_made_by_buttons_are_looked_at_and_can_be_forgotten() {
    let delete = ExtraStep::Delete(object("Pod", "pod1"));
    let state = run(with_answer(), [Action::Step(0), Action::Extra(delete.clone())]);
    assert_eq!(state.options.extra_steps, [delete]);
    assert_eq!(state.options.step, None);
    let state = run(state, [Action::ClearExtra]);
    assert!(state.options.extra_steps.is_empty());
}

#[test]
fn gates_go_back_to_their_defaults() {
    let gate = |enabled| Action::Gate("DRAAdminAccess".to_owned(), enabled);
    let state = run(edited(), [gate(Some(false))]);
    assert_eq!(state.options.feature_gates.len(), 1);
    let state = run(state, [gate(None)]);
    assert!(state.options.feature_gates.is_empty());
}

#[test]
fn a_link_carries_text_and_view() {
    let state = run(
        with_answer(),
        [
            Action::Step(0),
            Action::Version(Some("1.36.2".to_owned())),
            Action::Pod(object("Pod", "pod1")),
            Action::Lit(Some(Thing::Device(device("card-0-full")))),
        ],
    );
    let shared = state.shared();
    assert_eq!(shared.lit, Some(Thing::Device(device("card-0-full"))));
    let loaded = run(AppState::default(), [Action::Load(Box::new(shared.clone()))]);
    assert_eq!(loaded.shared(), shared);
    assert_eq!(loaded.loads, 1, "the editor must take the text over");
}

#[test]
fn loading_forgets_the_view_of_the_text_before() {
    let state =
        run(with_answer(), [Action::Menu(Some(Menu::Gallery)), Action::Filter("x".to_owned())]);
    let state = run(state, [Action::Load(Box::default())]);
    assert_eq!(state.menu, None);
    assert!(state.filter.is_empty());
    assert_eq!(state.shared(), Shared::default());
}

#[test]
fn an_example_opens_at_its_beginning_unless_nothing_is_there_yet() {
    let state = run(AppState::default(), [Action::Example("kind: Pod")]);
    assert_eq!(state.options.step, Some(0));
    let revision = state.revision;
    let shown = run(state.clone(), [answered(revision, Analysis { step: 0, ..analysis() })]);
    assert_eq!((shown.options.step, shown.revision), (Some(0), revision));
    let empty = run(state, [answered(revision, Analysis::default())]);
    assert_eq!((empty.options.step, empty.revision), (None, revision + 1));
}

#[test]
fn verdicts_of_another_node_join_the_answer() {
    let mut more = analysis().snapshot.verdicts;
    more[0].node = "other".to_owned();
    let state = run(with_answer(), [Action::More(more.clone()), Action::More(more)]);
    let analysis = state.shown().unwrap();
    assert_eq!(analysis.snapshot.verdicts.len(), 2);
    assert_eq!(state.selected_verdicts(analysis).unwrap().node, "other");
}

#[test]
fn what_is_pointed_at_outshines_what_is_pinned() {
    let thing = |it: Thing| Rc::new(it);
    let pinned = thing(counter_set());
    let other = thing(Thing::Object(object("Pod", "pod1")));
    let spot = [SpotAction::Pin(pinned.clone()), SpotAction::Hover(Some(other.clone()))]
        .into_iter()
        .fold(Rc::new(Spot::default()), Reducible::reduce);
    assert!(spot.is_lit(&other) && !spot.is_lit(&pinned));
    let spot = spot.reduce(SpotAction::Hover(None));
    assert!(spot.is_lit(&pinned));
    let spot = spot.reduce(SpotAction::Clear);
    assert_eq!(spot.lit(), None);
}

#[test]
fn the_answer_stays_with_the_pod_that_was_changed() {
    let cause = Phrase(vec![Piece { text: "waits".to_owned(), ..Piece::default() }]);
    let waits = |name: &str| PodView {
        object: object("Pod", name),
        cause: cause.clone(),
        ..PodView::default()
    };
    let with = |pods: Vec<PodView>| {
        let mut analysis = analysis();
        analysis.snapshot.pods = pods;
        analysis.step = 0;
        analysis
    };
    let before = with(vec![waits("a"), waits("b")]);
    let state = run(edited(), [Action::Started(1), answered(1, before)]);
    let after = with(vec![PodView { cause: Phrase::default(), ..waits("a") }, waits("b")]);
    let stay = Action::Stay(object("Pod", "a"));
    let state = run(state, [Action::Edited("kind: Node".into()), stay, answered(2, after.clone())]);
    assert_eq!(state.selected_pod(&after).unwrap().object.name, "a");
    let gone = with(vec![waits("b")]);
    assert_eq!(state.selected_pod(&gone).unwrap().object.name, "b");
}
