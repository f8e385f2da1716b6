//! Last passes over a function: no empty edges, no unreachable locations, numbering in order of discovery, loop heads,
//! dead registers.

use super::super::ir::{Callee, Edge, Function, FunctionId, HaltKind, Loc, Location, NondetKind, Note, Op};
use super::super::{liveness, loops};

/// Makes these functions run before each regular end of the program, one after the other.
pub fn call_before_exit(function: &mut Function, handlers: &[FunctionId]) {
    if handlers.is_empty() {
        return;
    }
    for index in 0..function.locations.len() {
        for edge in 0..function.locations[index].edges.len() {
            let Edge { op: Op::Halt(HaltKind::Exit), target, span, .. } = function.locations[index].edges[edge] else {
                continue;
            };
            let mut next = Edge { op: Op::Halt(HaltKind::Exit), target, span, note: Note::None };
            for handler in handlers.iter().rev() {
                let after = Loc::from_index(function.locations.len());
                function.locations.push(Location { edges: smallvec::smallvec![next], ..Location::default() });
                let op = Op::Call { dst: None, callee: Callee::Direct(*handler), args: Vec::new() };
                next = Edge { op, target: after, span, note: Note::None };
            }
            let edge = &mut function.locations[index].edges[edge];
            (edge.op, edge.target) = (next.op, next.target);
        }
    }
}

/// `keep_variables`: the program does not read them, but they are asked for at its end.
pub fn finish(function: &mut Function, keep_variables: bool) {
    skip_empty(function);
    renumber(function);
    let mut live = liveness::live(function);
    if drop_unread(function, &live) {
        skip_empty(function);
        renumber(function);
        live = liveness::live(function);
    }
    loops::mark(function);
    // The arguments of a stub are not read there, but a contract is about them.
    if !function.is_stub() {
        liveness::mark_dead(function, &live);
    }
    if keep_variables {
        for location in &mut function.locations {
            location.dead_variables = Box::default();
        }
    }
}

/// Edges lead past locations that only skip.
fn skip_empty(function: &mut Function) {
    let count = function.locations.len();
    let next = |function: &Function, loc: Loc| match &function.location(loc).edges[..] {
        [Edge { op: Op::Skip, target, note: Note::None, .. }] => Some(*target),
        _ => None,
    };
    let mut final_of: Vec<Option<Loc>> = vec![None; count];
    for index in 0..count {
        let mut path = Vec::new();
        let mut at = Loc::from_index(index);
        let end = loop {
            if let Some(known) = final_of[at.index()] {
                break known;
            }
            match next(function, at) {
                // A loop of nothing but skips stays, as a location that skips to itself.
                Some(to) if path.contains(&to) || to == at => break at,
                Some(to) => {
                    path.push(at);
                    at = to;
                }
                None => break at,
            }
        };
        final_of[end.index()] = Some(end);
        for loc in path {
            final_of[loc.index()] = Some(end);
            // What is said of a loop head stays with the location that takes its place.
            let skipped = &function.locations[loc.index()];
            let spans: Vec<_> = skipped.loop_span.iter().chain(&skipped.outer_loops).copied().collect();
            let end = &mut function.locations[end.index()];
            for span in spans {
                match end.loop_span {
                    Some(inner) if inner != span && !end.outer_loops.contains(&span) => end.outer_loops.push(span),
                    _ => end.loop_span = Some(span),
                }
            }
        }
    }
    let resolve = |loc: Loc| final_of[loc.index()].unwrap_or(loc);
    for location in &mut function.locations {
        for edge in &mut location.edges {
            edge.target = resolve(edge.target);
        }
    }
    function.entry = resolve(function.entry);
}

/// Keeps what the entry reaches, in depth-first order.
fn renumber(function: &mut Function) {
    let mut order = Vec::new();
    let mut number: Vec<Option<Loc>> = vec![None; function.locations.len()];
    let mut open = vec![function.entry];
    while let Some(loc) = open.pop() {
        if number[loc.index()].is_some() {
            continue;
        }
        number[loc.index()] = Some(Loc::from_index(order.len()));
        order.push(loc);
        open.extend(function.location(loc).edges.iter().rev().map(|edge| edge.target));
    }
    let new = |loc: Loc| number[loc.index()].unwrap_or(loc);
    let mut locations = Vec::with_capacity(order.len());
    for loc in &order {
        let mut location = std::mem::take(&mut function.locations[loc.index()]);
        for edge in &mut location.edges {
            edge.target = new(edge.target);
        }
        locations.push(location);
    }
    function.entry = new(function.entry);
    function.locations = locations;
}

/// Replaces the arbitrary values of variables that are set before they are read; `true` if there were any.
fn drop_unread(function: &mut Function, live: &liveness::Live) -> bool {
    let mut any = false;
    for location in &mut function.locations {
        for edge in &mut location.edges {
            if let Op::Nondet { dst, kind: NondetKind::Uninitialised } = edge.op
                && !live.contains(edge.target, dst)
            {
                edge.op = Op::Skip;
                any = true;
            }
        }
    }
    any
}
