//! Where locations stand in the loops around them.

use smallvec::SmallVec;

use crate::cfa::{Function, Loc, predecessors, reverse_postorder};

/// A location's place, after those of what is around it.
pub(super) type Nest = SmallVec<[u32; 4]>;

/// By location: the heads of the loops around it, outer ones first, and its own place, all as places in an order in which bodies of
/// loops come before what follows them.
pub(super) fn nests(function: &Function) -> Vec<Nest> {
    let number = reverse_postorder(function);
    let mut nests: Vec<Nest> = vec![Nest::new(); number.len()];
    let before = predecessors(function);
    let mut heads: Vec<usize> = (0..number.len()).filter(|index| function.locations[*index].loop_head).collect();
    heads.sort_unstable_by_key(|head| number[*head]);
    for head in heads {
        let is_within = body(&before, &number, head);
        let within = nests.iter_mut().zip(is_within).filter(|(_, is_within)| *is_within);
        within.for_each(|(nest, _)| nest.push(number[head]));
    }
    for (nest, number) in nests.iter_mut().zip(number) {
        nest.push(number);
    }
    nests
}

/// By location: whether it is part of the loop with this head; `before` and `number` are the function's predecessors and its order.
fn body(before: &[Vec<usize>], number: &[u32], head: usize) -> Vec<bool> {
    let mut is_within = vec![false; number.len()];
    is_within[head] = true;
    let mut work: Vec<usize> = before[head].iter().copied().filter(|from| number[*from] >= number[head]).collect();
    while let Some(at) = work.pop() {
        if !std::mem::replace(&mut is_within[at], true) {
            work.extend(before[at].iter().copied());
        }
    }
    is_within
}

/// The locations of the loop with this head.
pub(super) fn loop_at(function: &Function, head: Loc) -> Vec<usize> {
    let is_within = body(&predecessors(function), &reverse_postorder(function), head.index());
    (0..is_within.len()).filter(|at| is_within[*at]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::with_big_stack;
    use crate::frame::probe_tests::program;

    #[test]
    fn places_name_the_loops_around_them() {
        let body = "unsigned i = 0;
            while (__VERIFIER_nondet_uint()) {
                i = 1;
                do { i++; if (i > 7) break; } while (__VERIFIER_nondet_uint());
                i = 2;
            }
            probe(i);";
        let nests = with_big_stack(|| {
            let program = program("", "unsigned n", "n", body);
            let main = program.functions.iter().find(|function| &*function.name == "main").expect("there is one");
            let heads = main.locations.iter().filter(|location| location.loop_head).count();
            assert_eq!(heads, 2);
            let nests = nests(main);
            for (nest, location) in nests.iter().zip(&main.locations) {
                assert!(nest.is_sorted(), "{nest:?}");
                // A loop's head is in its own loop.
                assert_eq!(location.loop_head, nest.len() > 1 && nest[nest.len() - 1] == nest[nest.len() - 2]);
                for next in location.edges.iter().map(|edge| &nests[edge.target.index()]) {
                    // Only what closes a loop leads back, and to a loop around it.
                    assert!(nest < next || nest.contains(&next[next.len() - 1]), "{nest:?} {next:?}");
                }
            }
            nests
        });
        let depths = |depth: usize| nests.iter().filter(|nest| nest.len() == depth + 1).count();
        assert!(depths(0) >= 2 && depths(1) >= 3 && depths(2) >= 3 && depths(3) == 0, "{nests:?}");
        // The end comes last.
        let outer = nests.iter().filter(|nest| nest.len() > 1).max().expect("there are loops");
        assert!(nests.iter().any(|nest| nest.len() == 1 && nest > outer), "{nests:?}");
    }
}
