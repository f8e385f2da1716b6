//! Widening and joining on a toy domain: one counter with an interval.

use super::*;
use crate::base::limits::Limits;
use crate::cfa::Fingerprint;
use crate::evidence::{NodeId, Obligation};
use crate::memory::Checks;

const START: u32 = 0;
const HEAD: u32 = 1;
const EXIT: u32 = 2;

/// `x = one of starts; while (x < limit) x++; assert(x <= most)`, where no `limit` stands for an endless loop.
struct Counter {
    starts: &'static [i64],
    limit: Option<i64>,
    most: i64,
    /// Bounds worth stopping at.
    thresholds: &'static [i64],
    /// Whether states at the head are widened; or joined, once there were so many.
    widens: bool,
    joins_after: usize,
    /// Whether states that waited are compared with what was joined since.
    looks_again: bool,
    /// Whether states with other bounds have other keys, and are compared nevertheless.
    apart: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bounds {
    at: u32,
    low: i64,
    high: i64,
}

#[derive(Default)]
struct Seen {
    all: Option<(i64, i64)>,
    states: usize,
}

impl Domain for Counter {
    type State = Bounds;
    type Move = u32;
    type Alarm = i64;
    type Key = u32;
    type Facts = (i64, i64);
    type Frame = ();
    type Place = u32;
    type History = Seen;

    fn obligation(&self) -> Obligation {
        Obligation::new(Fingerprint::numbered(1), Checks::default())
    }

    fn advance(&self, state: &Bounds) -> Moves<Self> {
        let Bounds { at, low, high } = *state;
        if at == START {
            let head = |start: &i64| (HEAD, Arrival::State(Bounds { at: HEAD, low: *start, high: *start }));
            return self.starts.iter().map(head).collect();
        }
        if at == EXIT {
            return vec![(EXIT, if high > self.most { Arrival::Alarm(*state, high) } else { Arrival::End })];
        }
        let limit = self.limit.unwrap_or(i64::MAX);
        let mut moves = Moves::<Self>::new();
        if low < limit {
            let high = high.min(limit - 1).saturating_add(1);
            moves.push((HEAD, Arrival::State(Bounds { at: HEAD, low: low.saturating_add(1), high })));
        }
        if high >= limit && self.limit.is_some() {
            moves.push((EXIT, Arrival::State(Bounds { at: EXIT, low: low.max(limit), high })));
        }
        moves
    }

    fn cut_point(&self, state: &Bounds) -> Option<CutPoint<u32>> {
        (state.at == HEAD).then_some(CutPoint { place: HEAD, weakens: self.widens || self.joins_after < usize::MAX })
    }

    fn boundary(&self, state: &Bounds) -> CutPoint<u32> {
        CutPoint { place: state.at, weakens: false }
    }

    fn form(&self, state: &mut Bounds) -> (u32, (i64, i64)) {
        let key = if self.apart { state.at + 10 * state.low as u32 + 1000 * state.high as u32 } else { state.at };
        (key, (state.low, state.high))
    }

    fn allows(&self, general: &Bounds, special: &Bounds) -> bool {
        self.apart && self.entails(&(special.low, special.high), &(general.low, general.high))
    }

    fn widen(&self, seen: &mut Seen, state: &mut Bounds) {
        if let (Some((low, high)), true) = (seen.all, self.widens) {
            let below = self.thresholds.iter().rev().find(|bound| **bound <= state.low).unwrap_or(&i64::MIN);
            let above = self.thresholds.iter().find(|bound| **bound >= state.high).unwrap_or(&i64::MAX);
            state.low = if state.low < low { *below } else { low };
            state.high = if state.high > high { *above } else { high };
        }
    }

    fn join(&self, seen: &mut Seen, state: &mut Bounds) -> (u32, (i64, i64)) {
        seen.states += 1;
        let (low, high) = seen.all.unwrap_or((state.low, state.high));
        let all = (low.min(state.low), high.max(state.high));
        seen.all = Some(all);
        if seen.states > self.joins_after {
            (state.low, state.high) = all;
        }
        self.form(state)
    }

    fn subsumed_by_newer(&self, seen: &Seen, state: &Bounds) -> Option<(u32, (i64, i64))> {
        seen.all.filter(|_| self.looks_again).map(|all| (state.at, all))
    }

    fn entails(&self, new: &(i64, i64), old: &(i64, i64)) -> bool {
        old.0 <= new.0 && new.1 <= old.1
    }

    fn resume(&self, _frame: &(), _exit: &Bounds) -> Vec<ArrivalOf<Self>> {
        Vec::new()
    }
}

const PLAIN: Counter = Counter {
    starts: &[0],
    limit: None,
    most: 0,
    thresholds: &[],
    widens: false,
    joins_after: usize::MAX,
    looks_again: false,
    apart: false,
};

fn explorer(domain: Counter) -> Explorer<Counter> {
    Explorer::new(domain, Bounds { at: START, low: 0, high: 0 })
}

/// The intervals kept at the loop's head, in the order of nodes.
fn heads(explorer: &Explorer<Counter>) -> Vec<(i64, i64)> {
    explorer.states().filter(|(_, state)| state.at == HEAD).map(|(_, state)| (state.low, state.high)).collect()
}

fn first_head(explorer: &Explorer<Counter>) -> NodeId {
    explorer.states().find(|(_, state)| state.at == HEAD).expect("the loop is reached").0
}

#[test]
fn an_endless_counter_ends_through_widening_only() {
    let mut endless = explorer(PLAIN);
    let limits = Limits::new(Some(std::time::Duration::from_millis(5)), None);
    assert!(matches!(endless.run_for(50, usize::MAX, &limits), Finding::Exhausted(_)));
    assert!(heads(&endless).len() >= 50);

    let mut widened = explorer(Counter { widens: true, ..PLAIN });
    assert!(matches!(widened.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&widened), [(0, 0), (0, i64::MAX)]);
    assert_eq!(widened.covered(), 1);
}

#[test]
fn thresholds_keep_what_the_loop_is_left_with() {
    let counter = Counter { limit: Some(1000), most: 1000, widens: true, ..PLAIN };
    // Without one the bound is lost, and comes back as an alarm after the loop.
    let mut coarse = explorer(Counter { thresholds: &[], ..counter });
    assert!(matches!(coarse.run(&Limits::none()), Finding::Alarm { alarm: i64::MAX, .. }));
    let mut fine = explorer(Counter { thresholds: &[1000], ..counter });
    assert!(matches!(fine.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&fine), [(0, 0), (0, 1000)]);
}

#[test]
fn states_of_one_form_are_joined_after_a_few() {
    let starts = &[0, 30, 10, 20, 40, 5];
    let counter = Counter { starts, limit: Some(0), most: 40, ..PLAIN };
    let mut apart = explorer(Counter { ..counter });
    assert!(matches!(apart.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&apart).len(), 6);
    let mut joined = explorer(Counter { joins_after: 2, ..counter });
    assert!(matches!(joined.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&joined), [(0, 0), (30, 30), (0, 30), (0, 40)]);
    assert_eq!(joined.covered(), 2);
}

#[test]
fn a_subsumed_state_is_not_expanded() {
    let starts = &[0, 30, 10, 20, 40, 5];
    let mut joined = explorer(Counter { starts, limit: Some(0), most: 40, joins_after: 2, looks_again: true, ..PLAIN });
    assert!(matches!(joined.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&joined), [(0, 40)]);
    assert_eq!(joined.covered(), 5);
    // Those that what was subsumed_by_newer had covered are covered by what took its place.
    let last = first_head(&joined);
    let covering: Vec<_> = joined.nodes().iter().filter_map(|node| node.covered_by).collect();
    assert_eq!(covering, [last; 5]);
    // When that goes, what it covered comes back.
    joined.explore_again(last);
    assert!(matches!(joined.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&joined), [(0, 40)]);
}

#[test]
fn what_was_seen_is_forgotten_with_a_change_of_the_domain_only() {
    let mut explorer = explorer(Counter { limit: Some(1000), most: 1000, widens: true, ..PLAIN });
    let Finding::Alarm { .. } = explorer.run(&Limits::none()) else { panic!("the bound is kept") };
    let again = first_head(&explorer);
    explorer.explore_again(again);
    assert!(matches!(explorer.run(&Limits::none()), Finding::Alarm { .. }));
    assert_eq!(heads(&explorer), [(0, i64::MAX)], "the second visit begins with what the first one came to");
    explorer.change_domain(|domain| domain.thresholds = &[1000]);
    let again = first_head(&explorer);
    explorer.explore_again(again);
    assert!(matches!(explorer.run(&Limits::none()), Finding::Complete(_)));
    assert_eq!(heads(&explorer), [(0, 0), (0, 1000)]);
}

/// A state that waits needs no runs of its own where one of another form was met since that allows all it does.
#[test]
fn states_of_other_forms_are_compared_when_their_turn_comes() {
    let apart = Counter {
        starts: &[5, 0],
        limit: Some(10),
        most: 10,
        thresholds: &[0, 10],
        widens: true,
        apart: true,
        ..PLAIN
    };
    let mut explorer = explorer(apart);
    let Finding::Complete(_) = explorer.run(&Limits::none()) else { panic!("the bound is kept") };
    assert_eq!(heads(&explorer), [(0, 5), (0, 10)]);
}
