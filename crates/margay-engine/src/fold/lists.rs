//! The lists of a state as they stand, and what a state with segments stands for, list by list.

use super::chain::{chain, same_origin};
use super::discover::pairs;
use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::census::Census;
use crate::heap::{SHORTEST, Smg, State, all_split, values};
use crate::memory::BlockId;
use crate::smt::{SymId, Term};

/// The lists of single nodes in a state that folding could make segments of: first node and number of nodes.
pub fn lists(state: &State) -> Vec<(BlockId, usize)> {
    let memory = &state.memory;
    let census = Census::take(memory, &values(state));
    let mut pairs = pairs(memory, &census, None);
    pairs.retain(|pair| same_origin(memory, pair));
    let is_first = |pair: &super::discover::Pair| {
        !pairs.iter().any(|other| other.right == pair.left && other.links == pair.links && other.left != pair.right)
    };
    let firsts = pairs.iter().filter(|pair| is_first(pair));
    let mut lists: Vec<(BlockId, usize)> =
        firsts.map(|pair| (pair.left, chain(memory, &census, *pair).len() + 1)).collect();
    // Rings have no first node.
    if let (true, Some(pair)) = (lists.is_empty(), pairs.first()) {
        lists.push((pair.left, chain(memory, &census, *pair).len() + 1));
    }
    lists.sort_unstable();
    lists.dedup_by_key(|(start, _)| *start);
    lists
}

/// States of single blocks that `state` stands for, those with few nodes first: at most `most`, and each segment with at most
/// `longer` nodes more than it has at least.
///
/// Source: the code that builds any heap of an abstract state, algorithm 3 of the CAV'12 paper on counterexample-guided shape
/// refinement, with its loops unrolled.
pub fn instances(state: &State, longer: u32, most: usize) -> Vec<State> {
    let mut found = Vec::new();
    let mut work: VecDeque<(State, u32)> = VecDeque::from([(state.clone(), 0)]);
    while let Some((state, splits)) = work.pop_front() {
        if found.len() >= most || work.len() > 8 * most {
            break;
        }
        let summary_of = |memory: &Smg| {
            memory.objects.iter().find_map(|(block, object)| Some((*block, object.form.summary()?.least())))
        };
        let Some((first, least)) = summary_of(&state.memory) else {
            found.push(state);
            continue;
        };
        // What may be as short as the ends allow comes first: telling that apart ends with lists of two nodes or more.
        let cases = match least < SHORTEST {
            true => all_split(state),
            false => {
                let State { memory, frames, globals } = state;
                let with = |memory: Smg| State { memory, frames: frames.clone(), globals: globals.clone() };
                memory.materialise(first).into_iter().map(with).flat_map(all_split).collect()
            }
        };
        for state in cases {
            let splits = splits + u32::from(least >= SHORTEST && summary_of(&state.memory).is_some());
            if splits <= longer {
                work.push_back((state, splits));
            }
        }
    }
    found
}

/// The state with numbers in place of the symbols that have a value here; addresses stay as they are.
pub fn filled(state: &State, values: &[(SymId, u128)]) -> State {
    let mut state = state.clone();
    let context = state.memory.context().clone();
    let terms = &context.terms;
    let numbers = values.iter().filter(|(symbol, _)| !state.memory.points_to.contains_key(symbol));
    let by: FxHashMap<SymId, Term> = numbers
        .map(|(symbol, value)| (*symbol, terms.constant(*value, terms.width(terms.symbol_info(*symbol).term))))
        .collect();
    state.memory.substitute_everywhere(&by);
    for frame in &mut state.frames {
        for value in Rc::make_mut(frame).regs.iter_mut().flatten() {
            *value = terms.substitute(*value, &by);
        }
    }
    state
}
