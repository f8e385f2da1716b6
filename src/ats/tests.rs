//! Exploration on a toy domain: walks on a finite graph with a set of allowed values as facts.

use std::time::Duration;

use super::*;
use crate::base::limits::Limits;

/// A graph whose nodes are numbers; a state is a node and an upper bound on a value that every walk carries along.
struct Walks {
    edges: &'static [(u32, u32)],
    bad: Option<u32>,
    stuck: Option<u32>,
    /// Whether states are compared at all.
    compares: bool,
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

    fn advance(&self, state: &At) -> Vec<((u32, u32), Arrival<At, u32>)> {
        let leaving = self.edges.iter().filter(|(from, _)| *from == state.node);
        leaving
            .map(|&(from, to)| {
                let next = At { node: to, bound: state.bound };
                let arrival = if Some(to) == self.bad {
                    Arrival::Alarm(next, to)
                } else if Some(to) == self.stuck {
                    Arrival::Stuck(next, "stuck here".into())
                } else {
                    Arrival::State(next)
                };
                ((from, to), arrival)
            })
            .collect()
    }

    fn abstraction(&self, state: &mut At) -> Option<(u32, u32)> {
        self.compares.then_some((state.node, state.bound))
    }

    fn entails(&self, new: &u32, old: &u32) -> bool {
        new <= old
    }
}

fn walks(edges: &'static [(u32, u32)]) -> Walks {
    Walks { edges, bad: None, stuck: None, compares: true }
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
    let Finding::Alarm { from, alarm, .. } = finding else { panic!("no alarm") };
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
