//! Where control goes round: loops and recursion.

use super::super::call_graph::CallGraph;
use super::super::ir::{Callee, Edge, Function, FunctionId, Loc, Op, Program};
use super::super::postorder::components;

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
    let graph = CallGraph::new(program);
    let ids = (0..program.functions.len()).map(FunctionId::from_index);
    let callees = ids.map(|id| graph.callees(id).iter().map(|callee| callee.index()).collect());
    let component = components(&callees.collect::<Vec<_>>());
    let mut found = Vec::new();
    for (caller, function) in program.functions.iter().enumerate() {
        let enters_again = |edge: &Edge| match &edge.op {
            Op::Call { callee: Callee::Direct(callee), .. } => component[callee.index()] == component[caller],
            _ => false,
        };
        let calls =
            function.locations.iter().enumerate().filter(|(_, location)| location.edges.iter().any(enters_again));
        found.extend(calls.map(|(at, _)| (FunctionId::from_index(caller), Loc::from_index(at))));
    }
    found
}
