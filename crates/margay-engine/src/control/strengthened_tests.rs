//! States that know conditions on lengths of lists: right conditions prove a program, wrong ones are refused by the checker.

use std::rc::Rc;
use std::time::Duration;

use super::tests::lowered;
use super::{AbstractClauses, Clauses, Conditions, Samples, Strengthened, hulls};
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::c::with_big_stack;
use crate::claims::{Checking, checked};
use crate::frame::Summarised;
use crate::memory::Checks;
use crate::sharing::Calls;

/// Two lists grow together, and the second one is walked as far as the first one goes.
const IN_STEP: &str = "struct node { struct node *next; };
    int main(void) {
        struct node *a = 0, *b = 0;
        while (nondet()) {
            struct node *one = malloc(sizeof *one), *other = malloc(sizeof *other);
            if (!one || !other) for (;;);
            one->next = a; other->next = b;
            a = one; b = other;
        }
        while (a) { a = a->next; b = b->next; }
        return 0;
    }";

/// Where conditions do not hold, lists are followed node by node, without an end.
const MOST_NODES: usize = 300;

fn checks() -> Checks {
    Checks { deref: true, ..Checks::default() }
}

/// Whether the checker accepts the exploration with conditions that `propose` makes, `None` where it is not complete.
fn accepted(propose: impl Fn(&Clauses) -> Conditions + Send + 'static) -> Option<bool> {
    with_big_stack(move || {
        let program = lowered(IN_STEP);
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        let calls = Calls::new(&program, Summarised::Nothing);
        let mut all = AbstractClauses::new(&calls, checks(), &limits);
        let clauses = Rc::new(all.next(&limits).ok().flatten().expect("there are clauses"));
        let conditions = propose(&clauses);
        let mut explorer: Explorer<Strengthened> = Strengthened::explorer(&program, checks(), clauses, &conditions);
        match explorer.run_for(0, MOST_NODES, &limits) {
            Finding::Complete(_) => {
                let judged =
                    checked(&mut explorer, Summarised::Nothing, &program, checks(), &limits, Checking::default());
                Some(judged.is_ok())
            }
            Finding::Alarm { .. } | Finding::Incomplete(_) | Finding::Exhausted(_) => None,
        }
    })
}

fn sampled(clauses: &Clauses) -> Conditions {
    hulls(clauses, &Samples::of(clauses))
}

#[test]
fn conditions_that_hold_prove_the_program() {
    let holding = |clauses: &Clauses| {
        let mut conditions = sampled(clauses);
        let limits = Limits::new(Some(Duration::from_secs(60)), None);
        conditions.keep_what_holds(clauses, &limits).expect("there is time");
        assert!(conditions.exclude_violations(clauses, &limits).is_ok());
        conditions
    };
    assert_eq!(accepted(holding), Some(true));
}

#[test]
fn without_conditions_there_is_an_alarm() {
    assert_eq!(accepted(Conditions::none), None);
}

/// Each list of any length is said to have no more than two nodes: what has three lies within no state.
#[test]
fn conditions_that_do_not_hold_are_refused() {
    let wrong = |clauses: &Clauses| {
        let mut conditions = sampled(clauses);
        let terms = &clauses.context.terms;
        for (index, predicate) in clauses.predicates.iter().enumerate() {
            let lengths =
                predicate.arguments.iter().zip(&predicate.meanings).filter(|(_, meaning)| meaning.contains("nodes"));
            let short = lengths.map(|(length, _)| terms.ule(*length, terms.constant(2, terms.width(*length))));
            conditions.add(index, short.collect::<Vec<_>>());
        }
        conditions
    };
    assert_ne!(accepted(wrong), Some(true));
}
