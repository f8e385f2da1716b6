//! Exploration of a small loop with either domain: what the trait is for. Each proves what the other one cannot.

use rustc_hash::FxHashMap;

use crate::ats::{Arrival, ArrivalOf, CutPoint, Domain, Explorer, Finding, Moves};
use crate::base::limits::Limits;
use crate::cfa::Fingerprint;
use crate::evidence::Obligation;
use crate::memory::Checks;
use crate::numeric::low_bits::LowBits;
use crate::numeric::{Intervals, NumericDomain};
use crate::smt::{SymId, Term, Terms};

/// `x = start; while (x < limit) x += step; assert(x is safe)` on bytes without sign; without a limit the loop may end any time.
struct Loop {
    terms: Terms,
    x: Term,
    next: Term,
    start: u128,
    limit: Option<u128>,
    step: u128,
    /// What has to hold of x after the loop.
    safe: fn(&Terms, Term) -> Term,
    /// Bounds worth stopping at.
    thresholds: Vec<i128>,
}

#[derive(Clone)]
struct At<N> {
    is_head: bool,
    numbers: N,
}

struct With<N>(Loop, std::marker::PhantomData<N>);

impl<N: NumericDomain> With<N> {
    /// The numbers after `x = value`.
    fn assign(&self, numbers: &N, value: Term) -> N {
        let Loop { terms, x, next, .. } = &self.0;
        let symbol = |term: Term| terms.as_symbol(term).expect("a symbol");
        let mut after = numbers.clone();
        after.define(terms, symbol(*next), value);
        let names: FxHashMap<SymId, Term> = [(symbol(*next), *x)].into_iter().collect();
        after.project(terms, &|kept| kept == symbol(*next)).rename(terms, &names)
    }

    /// The numbers where `condition` may hold.
    fn where_holds(&self, numbers: &N, condition: Option<Term>) -> Option<N> {
        let Some(condition) = condition else { return Some(numbers.clone()) };
        let terms = &self.0.terms;
        (numbers.decide(terms, condition) != Some(false)).then(|| {
            let mut numbers = numbers.clone();
            numbers.assume(terms, condition);
            numbers
        })
    }
}

impl<N: NumericDomain> Domain for With<N> {
    type State = At<N>;
    type Move = ();
    type Alarm = ();
    type Key = bool;
    type Facts = N;
    type Frame = ();
    type Place = ();
    type History = Option<N>;

    fn obligation(&self) -> Obligation {
        Obligation::new(Fingerprint::numbered(1), Checks::default())
    }

    fn advance(&self, state: &At<N>) -> Moves<Self> {
        let Loop { terms, x, limit, step, safe, .. } = &self.0;
        if !state.is_head {
            let is_safe = state.numbers.decide(terms, safe(terms, *x)) == Some(true);
            return vec![((), if is_safe { Arrival::End } else { Arrival::Alarm(state.clone(), ()) })];
        }
        let guard = limit.map(|limit| terms.ult(*x, terms.constant(limit, 8)));
        let mut moves = Moves::<Self>::new();
        if let Some(inside) = self.where_holds(&state.numbers, guard) {
            let numbers = self.assign(&inside, terms.add_constant(*x, *step as i128));
            moves.push(((), Arrival::State(At { is_head: true, numbers })));
        }
        if let Some(numbers) = self.where_holds(&state.numbers, guard.map(|guard| terms.not(guard))) {
            moves.push(((), Arrival::State(At { is_head: false, numbers })));
        }
        moves
    }

    fn cut_point(&self, state: &At<N>) -> Option<CutPoint<()>> {
        state.is_head.then_some(CutPoint { place: (), weakens: true })
    }

    fn boundary(&self, _state: &At<N>) -> CutPoint<()> {
        CutPoint { place: (), weakens: false }
    }

    fn form(&self, state: &mut At<N>) -> (bool, N) {
        (state.is_head, state.numbers.clone())
    }

    fn widen(&self, seen: &mut Option<N>, state: &mut At<N>) {
        if let Some(seen) = seen {
            let joined = seen.join(&self.0.terms, &state.numbers);
            state.numbers = seen.widen(&self.0.terms, &joined, &self.0.thresholds);
        }
        *seen = Some(state.numbers.clone());
    }

    fn entails(&self, new: &N, old: &N) -> bool {
        new.entails(&self.0.terms, old)
    }

    fn resume(&self, _frame: &(), _exit: &At<N>) -> Vec<ArrivalOf<Self>> {
        Vec::new()
    }
}

/// Whether the assertion is proved; the exploration ends either way, after a few nodes.
fn is_proved<N: NumericDomain>(start: u128, limit: Option<u128>, step: u128, safe: fn(&Terms, Term) -> Term) -> bool {
    let terms = Terms::new();
    let (x, next) = (terms.fresh_symbol(8, "x"), terms.fresh_symbol(8, "next"));
    let thresholds = limit.map(|limit| limit as i128).into_iter().collect();
    let program = With::<N>(Loop { terms, x, next, start, limit, step, safe, thresholds }, std::marker::PhantomData);
    let constant = program.0.terms.constant(program.0.start, 8);
    let numbers = program.assign(&N::default(), constant);
    let mut explorer = Explorer::new(program, At { is_head: true, numbers });
    let finding = explorer.run(&Limits::none());
    assert!(explorer.nodes().len() < 30, "widening does not come to an end");
    matches!(finding, Finding::Complete(_))
}

fn is_below_101(terms: &Terms, x: Term) -> Term {
    terms.ule(x, terms.constant(100, 8))
}

fn is_even(terms: &Terms, x: Term) -> Term {
    terms.eq(terms.extract(x, 0, 0), terms.constant(0, 1))
}

#[test]
fn intervals_keep_the_bound_of_a_counter() {
    assert!(is_proved::<Intervals>(0, Some(100), 1, is_below_101));
    assert!(!is_proved::<LowBits>(0, Some(100), 1, is_below_101));
}

#[test]
fn low_bits_keep_that_a_counter_is_even_even_where_it_wraps_around() {
    assert!(is_proved::<LowBits>(4, None, 6, is_even));
    assert!(!is_proved::<Intervals>(4, None, 6, is_even));
}

#[test]
fn what_wraps_around_has_no_bound() {
    // 0, 3, …, 99, 102: beyond the limit by less than a step. 200, 210, …, 250, 4: there is no least value but 0.
    assert!(!is_proved::<Intervals>(0, Some(100), 3, is_below_101));
    assert!(!is_proved::<Intervals>(200, None, 10, |terms, x| terms.ule(terms.constant(200, 8), x)));
    assert!(is_proved::<Intervals>(200, Some(240), 10, |terms, x| terms.ule(terms.constant(200, 8), x)));
    assert!(!is_proved::<LowBits>(3, None, 6, is_even));
}
