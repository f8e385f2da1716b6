//! By γ the checker loses nothing where it splits a state at a call and combines it again, whatever is proposed to it.

use super::{Heap, Random, View, is_model_but_for_lost_blocks, sample};
use crate::c::with_big_stack;
use crate::fold::{Keep, Suggested, fold};
use crate::frame::probe_tests::{CLEANUP, THREE, program};
use crate::heap::{Cell, State, values};
use crate::memory::Frame;
use crate::numeric::Thresholds;
use crate::sharing::probe_call::{Call, argument};
use crate::smt::Term;

/// What the caller has of `heap` when the function it entered has returned.
fn returned(state: &State, heap: &Heap) -> Heap {
    let top = state.top();
    let mut heap = heap.clone();
    heap.roots.truncate(heap.roots.len() - top.regs.len());
    let variables = |frame: &Frame<Term>| frame.slots.len() + frame.allocas.len();
    let before: usize = state.frames[..state.frames.len() - 1].iter().map(|frame| variables(frame)).sum();
    heap.anchors.drain(before..before + variables(top));
    heap
}

/// Whatever is proposed: what is not refused loses no heap on the way there and back, with a write inside.
#[test]
fn no_proposal_loses_a_heap() {
    let numbers = "unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint(); __VERIFIER_assume(y < x);
        a->data = y; b->data = x;";
    let globals = "static struct node *seen; static struct node *other;";
    let use_later = "if (x == y || seen || other) free(a); free(b); free(c);";
    let bodies = [
        format!("{THREE} {numbers} other = c; probe(a->next, x + 5); {use_later}"),
        format!("{THREE} {numbers} b->prev = a; c->prev = b; seen = b; probe(b, y); {use_later}"),
        format!("{THREE} {numbers} other = b; free(c); probe(a, x); {use_later}"),
        format!("{THREE} {numbers} seen = a; other = c; a = 0; b = 0; c = 0; probe(seen, 7); {use_later}"),
    ];
    with_big_stack(|| {
        let mut random = Random(5);
        let (mut refused, mut compared, mut written) = (0, 0, 0);
        for (body, folds) in bodies.iter().flat_map(|body| [(body, false), (body, true)]) {
            let mut call = Call::new(&program(globals, "struct node *n, unsigned k", "n, k - 1", body));
            if folds {
                let roots = values(&call.state);
                fold(
                    &mut call.state.memory,
                    &roots,
                    &Keep::LEAST,
                    Suggested { thresholds: &Thresholds::from([-1, 0, 1]), downward: None },
                );
            }
            for _ in 0..40 {
                let honest = call.proposed(&CLEANUP);
                let all: Vec<Term> = values(&call.state)
                    .into_iter()
                    .chain(call.state.memory.objects.values().map(|object| object.address))
                    .collect();
                let mut proposed = honest;
                for _ in 0..random.below(3) {
                    match random.below(3) {
                        0 if !proposed.is_empty() => drop(proposed.remove(random.below(proposed.len()))),
                        1 => proposed.insert(random.below(proposed.len() + 1), random.pick(&all)),
                        _ if !proposed.is_empty() => {
                            let (a, b) = (random.below(proposed.len()), random.below(proposed.len()));
                            proposed.swap(a, b);
                        }
                        _ => {}
                    }
                }
                let mut heap = None;
                let back = call.round_trip(&proposed, &mut |entry, exit| {
                    heap = sample(&View::of(&call.state), &mut random);
                    // `n->data = 0` where `n` leads to a single block.
                    let block = argument(entry);
                    let is_region = exit.memory.object(block).is_some_and(|object| object.is_region());
                    let Some(heap) = heap.as_mut().filter(|_| is_region && random.once_in(2)) else { return };
                    let address = heap.roots[heap.roots.len() - call.state.top().regs.len()].expect("an argument");
                    let (at, offset) = heap.locate(address, 24).expect("a node");
                    heap.blocks[at].bytes[offset as usize + 16..offset as usize + 20].fill(Some(0));
                    let context = exit.memory.context().clone();
                    let zero = Cell::Value(context.terms.constant(0, 32));
                    exit.memory.object_mut(block).expect("a node").content.write(&context.terms, 16, 4, zero);
                    written += 1;
                });
                let Some(back) = back else {
                    refused += 1;
                    continue;
                };
                let Some(heap) = heap.map(|heap| returned(&call.state, &heap)) else { continue };
                assert!(is_model_but_for_lost_blocks(&View::of(&back), &heap), "{body}: {proposed:?}\n{heap:?}");
                compared += 1;
            }
        }
        assert!(refused > 20 && compared > 60 && written > 10, "{refused} {compared} {written}");
    });
}
