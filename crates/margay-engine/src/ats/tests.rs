//! Exploration on a toy domain: walks on a finite graph with a set of allowed values as facts.

use crate::evidence::{Claim, Foreign, NodeId, Obligation, Part, ProofId, Refused, Share, Ways, check_share, together};
use std::time::Duration;

use super::*;
use crate::base::limits::{Exhausted, Limits};
use crate::cfa::Fingerprint;
use crate::memory::Checks;

/// A graph whose nodes are numbers; a state is a node and an upper bound on a value that every walk carries along.
struct Walks {
    edges: &'static [(u32, u32)],
    bad: Option<u32>,
    stuck: Option<u32>,
    /// Whether states are compared at all.
    compares: bool,
    /// `(from, entry, back)`: a call of the function that starts at `entry`.
    calls: &'static [(u32, u32, u32)],
    /// Where functions return from.
    returns: &'static [u32],
}

#[derive(Clone, Debug)]
struct At {
    node: u32,
    bound: u32,
}

impl Domain for Walks {
    type State = At;
    type Move = (u32, u32);
    type Alarm = u32;
    type Key = u32;
    type Facts = u32;
    /// Where the caller goes on, and its own value.
    type Frame = At;
    type Place = ();
    type History = ();

    fn obligation(&self) -> Obligation {
        asked(1)
    }

    fn advance(&self, state: &At) -> Moves<Self> {
        let mut moves = Moves::<Self>::new();
        for &(from, entry, back) in self.calls.iter().filter(|(from, ..)| *from == state.node) {
            let arrival =
                Arrival::Call { entry: At { node: entry, bound: 0 }, frame: At { node: back, bound: state.bound } };
            moves.push(((from, entry), arrival));
        }
        if self.returns.contains(&state.node) {
            moves.push(((state.node, state.node), Arrival::Return(state.clone())));
        }
        let leaving = self.edges.iter().filter(|(from, _)| *from == state.node);
        let leaving = leaving.map(|&(from, to)| {
            let next = At { node: to, bound: state.bound };
            let arrival = if Some(to) == self.bad {
                Arrival::Alarm(next, to)
            } else if Some(to) == self.stuck {
                Arrival::Stuck(next, "stuck here".into())
            } else {
                Arrival::State(next)
            };
            ((from, to), arrival)
        });
        moves.extend(leaving);
        moves
    }

    fn boundary(&self, _state: &At) -> CutPoint<()> {
        CutPoint { place: (), weakens: false }
    }

    fn resume(&self, frame: &At, exit: &At) -> Vec<ArrivalOf<Self>> {
        let back = At { node: frame.node, bound: frame.bound + exit.bound };
        vec![if Some(back.node) == self.bad { Arrival::Alarm(back, frame.node) } else { Arrival::State(back) }]
    }

    fn cut_point(&self, state: &At) -> Option<CutPoint<()>> {
        self.compares.then(|| self.boundary(state))
    }

    fn form(&self, state: &mut At) -> (u32, u32) {
        (state.node, state.bound)
    }

    fn entails(&self, new: &u32, old: &u32) -> bool {
        new <= old
    }
}

/// The moves that lead to a node, in order.
fn moves(explorer: &Explorer<Walks>, from: NodeId, by: (u32, u32), after: Option<NodeId>) -> Vec<(u32, u32)> {
    explorer.path(&Ending { from, by, after }).into_iter().map(|(by, _)| by).collect()
}

/// The edges of the slice of some alarms, by the numbers of the toy's graph, ascending.
fn sliced(explorer: &Explorer<Walks>, endings: &[Ending<(u32, u32)>]) -> Vec<(u32, u32)> {
    let mut edges: Vec<(u32, u32)> = explorer.slice(endings).edges.into_iter().map(|edge| edge.by).collect();
    edges.sort_unstable();
    edges
}

fn walks(edges: &'static [(u32, u32)]) -> Walks {
    Walks { edges, bad: None, stuck: None, compares: true, calls: &[], returns: &[] }
}

fn explore(domain: Walks) -> (Finding<Walks>, Explorer<Walks>) {
    let mut explorer = Explorer::new(domain, At { node: 0, bound: 0 });
    let finding = explorer.run(&Limits::none());
    (finding, explorer)
}

#[test]
fn a_cycle_is_covered_and_completes() {
    let (finding, explorer) = explore(walks(&[(0, 1), (1, 2), (2, 1)]));
    assert!(matches!(finding, Finding::Complete(_)));
    // 0, 1, 2 and the second visit of 1.
    assert_eq!(explorer.nodes().len(), 4);
    assert_eq!(explorer.covered(), 1);
    assert_eq!(explorer.nodes()[3].covered_by, Some(NodeId(1)));
    // A proof needs the initial state and the uncovered ones.
    let kept: Vec<u32> = explorer.states().map(|(_, state)| state.node).collect();
    assert_eq!(kept, [0, 1, 2]);
    assert!(explorer.state(NodeId(3)).is_none());
}

#[test]
fn an_alarm_is_reported_by_its_shortest_path() {
    let domain = Walks { bad: Some(9), ..walks(&[(0, 1), (1, 2), (2, 9), (0, 3), (3, 9)]) };
    let (finding, explorer) = explore(domain);
    let Finding::Alarm { at: Ending { from, .. }, alarm, .. } = finding else { panic!("no alarm") };
    assert_eq!(alarm, 9);
    assert_eq!(explorer.nodes()[from.index()].depth, 1);
}

#[test]
fn after_an_alarm_there_is_no_completeness() {
    let domain = Walks { bad: Some(9), ..walks(&[(0, 9), (0, 1)]) };
    let mut explorer = Explorer::new(domain, At { node: 0, bound: 0 });
    assert!(matches!(explorer.run(&Limits::none()), Finding::Alarm { .. }));
    assert!(matches!(explorer.run(&Limits::none()), Finding::Incomplete(_)));
}

#[test]
fn a_stuck_run_prevents_completeness_and_gives_the_reason() {
    let domain = Walks { stuck: Some(2), ..walks(&[(0, 1), (1, 2), (0, 3)]) };
    let (finding, _) = explore(domain);
    let Finding::Incomplete(why) = finding else { panic!("complete although stuck") };
    assert_eq!(&*why, "stuck here");
}

#[test]
fn a_state_that_allows_more_is_not_covered() {
    let mut explorer = Explorer::new(walks(&[]), At { node: 0, bound: 0 });
    assert_eq!(explorer.cover_for_test(At { node: 5, bound: 3 }), None);
    assert!(explorer.cover_for_test(At { node: 5, bound: 2 }).is_some());
    assert_eq!(explorer.cover_for_test(At { node: 5, bound: 4 }), None);
    assert_eq!(explorer.cover_for_test(At { node: 6, bound: 0 }), None);
}

#[test]
fn a_limit_interrupts_an_endless_exploration_which_can_go_on() {
    let domain = Walks { compares: false, ..walks(&[(0, 0)]) };
    let mut explorer = Explorer::new(domain, At { node: 0, bound: 0 });
    let limits = Limits::new(Some(Duration::from_millis(5)), None);
    assert!(matches!(explorer.run(&limits), Finding::Exhausted(_)));
    let before = explorer.nodes().len();
    let limits = Limits::new(Some(Duration::from_millis(5)), None);
    assert!(matches!(explorer.run(&limits), Finding::Exhausted(_)));
    assert!(explorer.nodes().len() > before);
}

#[test]
fn a_number_of_nodes_interrupts_an_exploration_too() {
    let domain = Walks { compares: false, ..walks(&[(0, 0)]) };
    let mut explorer = Explorer::new(domain, At { node: 0, bound: 0 });
    for most in [10, 25] {
        assert!(matches!(explorer.run_for(0, most, &Limits::none()), Finding::Exhausted(Exhausted::Timeout)));
        assert_eq!(explorer.nodes().len(), most);
    }
}

#[test]
fn a_recursive_function_is_followed_once() {
    // main: 0 calls 10, goes on at 1. The function: 10 → 12 → return, or 10 → 11, which calls 10 and goes on at 12.
    let domain = Walks { calls: &[(0, 10, 1), (11, 10, 12)], returns: &[12], ..walks(&[(10, 11), (10, 12)]) };
    let (finding, explorer) = explore(domain);
    assert!(matches!(finding, Finding::Complete(_)));
    assert_eq!(explorer.summaries(), Summaries { entries: 1, calls: 2 });
    assert_eq!(explorer.summaries().reused(), 1);
    let entry = explorer.entries().last().expect("the function's entry");
    let calls: Vec<_> = explorer.calls().map(|(_, label, met)| (*label, met)).collect();
    assert_eq!(calls, [((0, 10), entry), ((11, 10), entry)]);
}

#[test]
fn endless_recursion_has_no_exit() {
    let domain = Walks { calls: &[(0, 10, 1), (10, 10, 12)], returns: &[12], bad: Some(1), ..walks(&[]) };
    let (finding, _) = explore(domain);
    assert!(matches!(finding, Finding::Complete(_)));
}

#[test]
fn every_caller_gets_every_exit() {
    // Two calls, one of them when the function's exit is known already (after a longer way); either may lead to what is bad.
    for bad in [2, 7] {
        let domain = Walks {
            calls: &[(1, 10, 2), (6, 10, 7)],
            returns: &[11, 13],
            bad: Some(bad),
            ..walks(&[(0, 1), (0, 3), (3, 4), (4, 5), (5, 6), (10, 11), (10, 12), (12, 13)])
        };
        let (finding, explorer) = explore(domain);
        assert!(matches!(finding, Finding::Alarm { alarm, .. } if alarm == bad), "{bad} is reached");
        drop(explorer);
    }
}

#[test]
fn a_late_exit_goes_to_calls_that_are_waiting() {
    let edges: &[(u32, u32)] = &[(0, 1), (0, 3), (10, 11), (10, 12), (12, 14), (14, 13)];
    let domain = Walks { calls: &[(1, 10, 2), (3, 10, 4)], returns: &[11, 13], ..walks(edges) };
    let (finding, explorer) = explore(domain);
    assert!(matches!(finding, Finding::Complete(_)));
    assert_eq!(explorer.summaries(), Summaries { entries: 1, calls: 2 });
    // Two exits for each of two callers; the second ones are covered by the first ones.
    let back: Vec<_> = explorer.states().filter(|(_, state)| [2, 4].contains(&state.node)).collect();
    assert_eq!(back.len(), 2);
    assert_eq!(explorer.covered(), 2);
}

#[test]
fn contexts_keep_their_states_apart() {
    // Two functions share node 12; whatever comes from either entry goes back to its own caller only.
    let domain =
        Walks { calls: &[(0, 10, 1), (1, 11, 2)], returns: &[12], bad: Some(2), ..walks(&[(10, 12), (11, 12)]) };
    let (finding, explorer) = explore(domain);
    assert!(matches!(finding, Finding::Alarm { alarm: 2, .. }));
    assert_eq!(explorer.summaries().entries, 2);
}

#[test]
fn a_return_without_a_call_is_no_proof() {
    let domain = Walks { returns: &[1], ..walks(&[(0, 1)]) };
    assert!(matches!(explore(domain).0, Finding::Incomplete(_)));
}

#[test]
fn a_slice_has_the_cycles_on_the_way_and_nothing_else() {
    // 1 and 2 are a cycle on the way to 9; 5 leads nowhere.
    let domain = Walks { bad: Some(9), ..walks(&[(0, 1), (1, 2), (2, 1), (2, 9), (1, 5), (5, 6)]) };
    let (finding, explorer) = explore(domain);
    let Finding::Alarm { at, .. } = finding else { panic!("no alarm") };
    assert_eq!(sliced(&explorer, std::slice::from_ref(&at)), [(0, 1), (1, 2), (2, 1), (2, 9)]);
    assert_eq!(moves(&explorer, at.from, at.by, at.after), [(0, 1), (1, 2), (2, 9)]);
}

#[test]
fn paths_and_slices_lead_through_functions() {
    // 0 calls 10 and goes on at 1, which calls 10 again and goes on at 9; 10 runs through 11.
    let domain = Walks { bad: Some(9), calls: &[(0, 10, 1), (1, 10, 9)], returns: &[11], ..walks(&[(10, 11)]) };
    let (finding, explorer) = explore(domain);
    let Finding::Alarm { at, .. } = finding else { panic!("no alarm") };
    let call = [(10, 11), (11, 11)];
    let expected: Vec<(u32, u32)> = [[(0, 10)].as_slice(), &call, &[(1, 10)], &call].concat();
    assert_eq!(moves(&explorer, at.from, at.by, at.after), expected);
    // Either call enters the function, and its return leads to where either goes on.
    assert_eq!(sliced(&explorer, &[at]), [(0, 10), (1, 10), (10, 11), (11, 11), (11, 11)]);
}

#[test]
fn what_is_explored_again_is_found_again() {
    let graph = &[(0, 1), (1, 2), (2, 3), (3, 1), (0, 4), (4, 2), (2, 5)];
    for cut in 1..7 {
        let (finding, mut explorer) = explore(walks(graph));
        assert!(matches!(finding, Finding::Complete(_)));
        let mut before: Vec<u32> = explorer.states().map(|(_, state)| state.node).collect();
        let live = explorer.live_nodes();
        explorer.explore_again(NodeId(cut));
        assert!(explorer.live_nodes() < live, "nothing was removed from {cut} on");
        assert!(matches!(explorer.run(&Limits::none()), Finding::Complete(_)));
        let mut after: Vec<u32> = explorer.states().map(|(_, state)| state.node).collect();
        before.sort_unstable();
        after.sort_unstable();
        assert_eq!(before, after, "from {cut} on");
    }
}

#[test]
fn what_removed_nodes_covered_is_explored_again() {
    // 2 is first reached over 1; the visit over 4 is covered by it.
    let (_, mut explorer) = explore(walks(&[(0, 1), (1, 2), (0, 4), (4, 2), (2, 3)]));
    let covered = explorer.nodes().iter().position(|node| node.covered_by.is_some()).map(NodeId::from_index);
    let cover = explorer.nodes()[covered.expect("one is covered").index()].covered_by.expect("by a node");
    explorer.explore_again(cover);
    let is_dangling = |node: &Node<(u32, u32)>| {
        !node.removed && node.covered_by.is_some_and(|cover| explorer.nodes()[cover.index()].removed)
    };
    assert!(!explorer.nodes().iter().any(is_dangling));
    assert!(matches!(explorer.run(&Limits::none()), Finding::Complete(_)));
    assert!(explorer.states().any(|(_, state)| state.node == 3));
}

#[test]
fn alarms_below_the_cut_no_longer_count_others_do() {
    // Two alarms: one below 1, one below 2; only the first is explored again, and is then gone.
    let domain = Walks { bad: Some(9), ..walks(&[(0, 1), (0, 2), (1, 9), (2, 9)]) };
    let mut explorer = Explorer::new(domain, At { node: 0, bound: 0 });
    let Finding::Alarm { at: first, .. } = explorer.run(&Limits::none()) else { panic!("no alarm") };
    let Finding::Alarm { at: second, .. } = explorer.run(&Limits::none()) else { panic!("no second alarm") };
    assert_ne!(first.from, second.from);
    explorer.change_domain(|domain| domain.bad = None);
    explorer.explore_again(first.from);
    // What is explored again starts at the parent of the cut, 0: both ways are found again, without alarms.
    assert!(matches!(explorer.run(&Limits::none()), Finding::Complete(_)));
}

#[test]
fn functions_are_explored_again_for_all_that_wait() {
    let calls = &[(0, 10, 1), (2, 10, 3)];
    for cut in 1..7 {
        let domain = Walks { calls, returns: &[11], ..walks(&[(10, 11), (1, 2), (3, 4)]) };
        let (finding, mut explorer) = explore(domain);
        assert!(matches!(finding, Finding::Complete(_)));
        let mut before: Vec<u32> = explorer.states().map(|(_, state)| state.node).collect();
        explorer.explore_again(NodeId(cut));
        assert!(matches!(explorer.run(&Limits::none()), Finding::Complete(_)), "from {cut} on");
        let mut after: Vec<u32> = explorer.states().map(|(_, state)| state.node).collect();
        before.sort_unstable();
        after.sort_unstable();
        assert_eq!(before, after, "from {cut} on");
        assert_eq!(explorer.entries().count(), 2, "from {cut} on");
    }
}

/// A question about a program that does not exist.
fn asked(number: u64) -> Obligation {
    Obligation::new(Fingerprint::numbered(number), Checks::default())
}

/// A proof of 20 states that is not refused.
struct Fine(Obligation, Option<ProofId>);

impl Claim for Fine {
    fn obligation(&self) -> Obligation {
        self.0
    }

    fn proof(&self) -> Option<ProofId> {
        self.1
    }

    fn states(&self) -> usize {
        20
    }

    fn check_start(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    fn check_state(&mut self, _: usize) -> Result<Ways, Refused> {
        Ok(Ways { arrivals: 1, ends: 0 })
    }
}

#[test]
fn tokens_fit_for_one_question_and_one_proof() {
    let checked = |number, id| {
        let part = check_share(&mut Fine(asked(number), id), Share { nth: 0, of: 1 }, &Limits::none()).unwrap();
        together(&[part]).unwrap().0
    };
    let complete = |explorer: &mut Explorer<Walks>| match explorer.run(&Limits::none()) {
        Finding::Complete(complete) => (complete, explorer.proof_id()),
        _ => panic!("there is nothing bad"),
    };
    let explorer = || Explorer::new(walks(&[(0, 1), (1, 0)]), At { node: 0, bound: 0 });
    let mut first = explorer();
    assert_eq!(first.proof_id(), None, "nothing is proved yet");
    let (token, id) = complete(&mut first);
    assert_eq!(fit(&asked(1), &token, &checked(1, id)), Ok(()));
    assert_eq!(fit(&asked(2), &token, &checked(1, id)), Err(Foreign::Question));
    assert_eq!(fit(&asked(1), &token, &checked(2, id)), Err(Foreign::Question));
    assert_eq!(fit(&asked(2), &token, &checked(2, id)), Err(Foreign::Question));
    assert_eq!(fit(&asked(1), &token, &checked(1, None)), Err(Foreign::Proof));
    let (_, another) = complete(&mut explorer());
    assert_eq!(fit(&asked(1), &token, &checked(1, another)), Err(Foreign::Proof));
    // What is explored again is another proof, and the old token is none of it.
    first.explore_again(NodeId(1));
    assert_eq!(first.proof_id(), None);
    let (renewed, id) = complete(&mut first);
    assert_eq!(fit(&asked(1), &renewed, &checked(1, id)), Ok(()));
    assert_eq!(fit(&asked(1), &token, &checked(1, id)), Err(Foreign::Proof));
}

#[test]
fn a_proof_is_checked_when_all_its_shares_are() {
    let fine = |number, id| Fine(asked(number), id);
    let part = |nth, of| check_share(&mut fine(1, None), Share { nth, of }, &Limits::none()).unwrap();
    for of in 1..=9 {
        let parts: Vec<Part> = (0..of).map(|nth| part(nth, of)).collect();
        let (checked, report) = together(&parts).unwrap();
        assert_eq!((report.states, report.ways), (20, Ways { arrivals: 20, ends: 0 }), "{of} shares");
        assert_eq!(format!("{checked:?}"), format!("{:?}", together(&[part(0, 1)]).unwrap().0));
    }
    let other = check_share(&mut fine(2, None), Share { nth: 1, of: 2 }, &Limits::none()).unwrap();
    for parts in [vec![], vec![part(0, 2)], vec![part(1, 2)], vec![part(0, 2), part(0, 2)], vec![part(0, 2), other]] {
        let refused = together(&parts).expect_err("something was not checked");
        assert!(refused.why.contains("checked"), "{refused}");
    }
    let too_many = vec![part(0, 2), part(1, 2), part(1, 2)];
    assert!(together(&too_many).is_err());
}
