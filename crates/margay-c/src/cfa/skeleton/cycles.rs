//! Where control goes round: loops and recursion.

use super::super::ir::{Callee, Function, FunctionId, Loc, Op, Program};

/// The branches within loops, inner and outer ones: each may decide whether a loop is left.
pub fn branches_in_loops(function: &Function) -> Vec<Loc> {
    let successors: Vec<Vec<usize>> = function
        .locations
        .iter()
        .map(|location| match location.edges.iter().any(|edge| edge.op.is_end()) {
            true => Vec::new(),
            false => location.edges.iter().map(|edge| edge.target.index()).collect(),
        })
        .collect();
    let component = components(&successors);
    let is_within = |index: &usize| {
        let next = &successors[*index];
        next.len() > 1 && next.iter().any(|to| component[*to] == component[*index])
    };
    (0..successors.len()).filter(is_within).map(Loc::from_index).collect()
}

/// The calls from which the calling function may be entered again.
pub fn recursive_calls(program: &Program) -> Vec<(FunctionId, Loc)> {
    let calls: Vec<Vec<(Loc, usize)>> = program
        .functions
        .iter()
        .map(|function| {
            let edges = function.locations.iter().enumerate().flat_map(|(index, location)| {
                location.edges.iter().map(move |edge| (Loc::from_index(index), &edge.op))
            });
            let called = edges.filter_map(|(at, op)| match op {
                Op::Call { callee: Callee::Direct(callee), .. } => Some((at, callee.index())),
                _ => None,
            });
            called.collect()
        })
        .collect();
    let successors: Vec<Vec<usize>> = calls.iter().map(|calls| calls.iter().map(|(_, to)| *to).collect()).collect();
    let component = components(&successors);
    let within = calls.iter().enumerate().flat_map(|(from, calls)| {
        let component = &component;
        let is_within = move |(_, to): &&(Loc, usize)| component[*to] == component[from];
        calls.iter().filter(is_within).map(move |(at, _)| (FunctionId::from_index(from), *at))
    });
    within.collect()
}

/// Strongly connected components of a graph: a number for each node, equal for those of one component.
///
/// Source: Kosaraju's algorithm, in Aho, Hopcroft, Ullman: Data Structures and Algorithms (1983), section 6.7.
fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let count = successors.len();
    let mut predecessors = vec![Vec::new(); count];
    for (from, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|to| predecessors[*to].push(from));
    }
    let mut finished = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for root in 0..count {
        finish(successors, root, &mut seen, &mut finished);
    }
    let mut component = vec![0; count];
    let mut seen = vec![false; count];
    for root in finished.into_iter().rev() {
        let mut members = Vec::new();
        finish(&predecessors, root, &mut seen, &mut members);
        members.into_iter().for_each(|member| component[member] = root);
    }
    component
}

/// Searches on from `root` in depth; nodes that are new, in the order in which their searches end.
fn finish(successors: &[Vec<usize>], root: usize, seen: &mut [bool], finished: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[root], true) {
        return;
    }
    let mut path = vec![(root, 0)];
    while let Some((node, next)) = path.last_mut() {
        match successors[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                finished.push(*node);
                path.pop();
            }
        }
    }
}
