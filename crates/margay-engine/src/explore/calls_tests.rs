//! Splitting a state at a call and putting it together again loses nothing.

use super::canonical::{Constraints, Shape, canonical};
use crate::c::with_big_stack;
use crate::cfa::Program;
use crate::fold::{Keep, Suggested, fold};
use crate::frame::Summarised;
use crate::frame::probe_tests::{CHECKS, CLEANUP, THREE, entered, program};
use crate::heap::State;
use crate::memory::{BlockKind, Checks, Frame, forget_dead};
use crate::numeric::Thresholds;
use crate::sharing::Calls;

fn form(program: &Program, state: &State) -> (Shape, Constraints) {
    let mut state = state.clone();
    forget_dead(program, &mut state);
    let roots: Vec<_> = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect();
    state.memory.collect_garbage(&mut roots.iter());
    canonical(&state, true)
}

/// The function returns at once.
fn left(state: &State) -> State {
    let mut state = state.clone();
    state.frames.pop();
    state
}

/// Splits, lets the function return, combines: nothing has changed. Returns what the function was given.
fn round_trip(program: &Program, folds: bool, checks: &Checks) -> State {
    let calls = Calls::new(program, Summarised::Recursive);
    let program = calls.program();
    let mut state = entered(program);
    if folds {
        let roots: Vec<_> = state.frames.iter().flat_map(|frame| frame.regs.iter().flatten().copied()).collect();
        fold(
            &mut state.memory,
            &roots,
            &Keep::LEAST,
            Suggested { thresholds: &Thresholds::from([-1, 0, 1]), downward: None },
        );
    }
    let plan = calls.plan_of(state.top().function).expect("`probe` is recursive");
    calls.forget_unread(checks, &mut state);
    let Ok((entry, caller)) = calls.split(checks, plan, state.clone()) else { panic!("the call is split") };
    let back = caller.combine(calls.program(), &left(&entry)).expect("the exit fits").expect("the exit is possible");
    assert_eq!(form(program, &back), form(program, &left(&state)));
    entry
}

/// Live heap blocks of a state, ends of segments counted as one each.
fn heap_blocks(state: &State) -> usize {
    state.memory.objects.values().filter(|object| object.valid && object.kind == BlockKind::Heap).count()
}

fn outside(state: &State) -> &Frame<crate::smt::Term> {
    &state.frames[0]
}

#[test]
fn a_list_whose_first_node_stays_with_the_caller() {
    with_big_stack(|| {
        let body = format!("{THREE} probe(a->next); free(a); free(b); free(c);");
        let entry = round_trip(&program("", "struct node *n", "n->next", &body), false, &CHECKS);
        assert_eq!(heap_blocks(&entry), 2);
        // `b`, which `a` points to as well, and `c`.
        assert_eq!(outside(&entry).regs.len(), 1 + 2);
    });
}

#[test]
fn a_doubly_linked_list_goes_as_a_whole() {
    with_big_stack(|| {
        let body = format!("{THREE} b->prev = a; c->prev = b; probe(b); free(a); free(b); free(c);");
        let entry = round_trip(&program("", "struct node *n", "n->next", &body), false, &CHECKS);
        assert_eq!(heap_blocks(&entry), 3);
        assert_eq!(outside(&entry).regs.len(), 1 + 3);
    });
}

#[test]
fn a_segment_goes_as_a_whole() {
    with_big_stack(|| {
        let more = "struct node *d = malloc(sizeof *d); d->next = a; d->prev = 0; d->data = 1; a = 0; b = 0; c = 0;";
        let body = format!("{THREE} {more} probe(d); free(d->next); free(d);");
        let entry = round_trip(&program("", "struct node *n", "n->next", &body), true, &CHECKS);
        assert!(entry.memory.objects.values().any(|object| !object.is_region()), "the list is folded");
        assert_eq!(outside(&entry).regs.len(), 1 + 1);
    });
}

#[test]
fn variables_and_globals_whose_address_is_passed() {
    with_big_stack(|| {
        let globals = "static struct node *seen; static struct node *other;";
        let body = format!("{THREE} struct node *h = a; other = c; seen = 0; probe(&h); free(a); free(b); free(c);");
        let program = program(globals, "struct node **n", "n", &body);
        let entry = round_trip(&program, false, &CHECKS);
        // `other` is not named by `probe`, so it stays with the caller, and what it points to is shared.
        let index = |name: &str| program.globals.iter().position(|global| &*global.name == name).expect("a global");
        let other = entry.memory.object(entry.globals[index("other")]).expect("globals have objects");
        assert!(other.content.edges().is_empty() && other.content.is_blurred());
        assert_eq!(heap_blocks(&entry), 3);
    });
}

#[test]
fn dangling_pointers_stay_what_they_are() {
    with_big_stack(|| {
        let body = format!("{THREE} free(b); probe(a); if (a->next == b) free(a); free(c);");
        let entry = round_trip(&program("", "struct node *n", "n", &body), false, &CHECKS);
        // The list breaks off at `b`; nothing leads on to `c`.
        assert_eq!(heap_blocks(&entry), 1);
        assert_eq!(outside(&entry).regs.len(), 1 + 2);
    });
}

#[test]
fn numbers_that_both_sides_speak_of() {
    with_big_stack(|| {
        let numbers = "unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
            __VERIFIER_assume(x < 10); __VERIFIER_assume(y < x);";
        let use_later = "if (x == y || a->data == x) free(a);";
        let body = format!("struct node *a = malloc(sizeof *a); {numbers} a->data = y; probe(a, x + 5); {use_later}");
        let program = program("", "struct node *n, unsigned k", "n, k - 1", &body);
        let entry = round_trip(&program, false, &CHECKS);
        // `a`, `y` (in the block, and less than the caller's `x`) and `x + 5` under a name of its own.
        assert_eq!(outside(&entry).regs.len(), 1 + 3);
        let context = entry.memory.context();
        let argument = entry.top().regs.iter().flatten().find(|value| context.terms.width(**value) == 32);
        let bounds = entry.memory.store.range(context, *argument.expect("`k`"));
        // From `y < x < 10`.
        assert_eq!(bounds, (6, 14));
    });
}

#[test]
fn the_callers_heap_counts_at_the_end() {
    with_big_stack(|| {
        let body = "struct node *a = malloc(sizeof *a); probe(0); free(a);";
        let program = program("", "struct node *n", "n", body);
        assert_eq!(heap_blocks(&round_trip(&program, false, &CLEANUP)), 1);
        assert_eq!(heap_blocks(&round_trip(&program, false, &CHECKS)), 0);
    });
}

#[test]
fn what_the_function_does_reaches_the_caller() {
    with_big_stack(|| {
        let body = format!("{THREE} probe(b); free(a); free(b); free(c);");
        let calls = Calls::new(&program("", "struct node *n", "n->next", &body), Summarised::Recursive);
        let state = entered(calls.program());
        let plan = calls.plan_of(state.top().function).expect("`probe` is recursive");
        let Ok((entry, caller)) = calls.split(&CHECKS, plan, state.clone()) else { panic!("the call is split") };
        let argument = |state: &State| state.top().regs.iter().flatten().next().copied().expect("`n`");
        // The same done before the split and after it.
        let mut inside = entry.clone();
        let block = inside.memory.provenance(argument(&entry)).expect("`b`");
        inside.memory.kill(block);
        let mut whole = state.clone();
        let block = whole.memory.provenance(argument(&state)).expect("`b`");
        whole.memory.kill(block);
        let back =
            caller.combine(calls.program(), &left(&inside)).expect("the exit fits").expect("the exit is possible");
        assert_eq!(form(calls.program(), &back), form(calls.program(), &left(&whole)));
        assert_ne!(form(calls.program(), &back), form(calls.program(), &left(&state)));
    });
}
