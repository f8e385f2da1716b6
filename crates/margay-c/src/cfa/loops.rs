//! Loop heads, joins, branches by one condition, and branches that end the run.

use super::ir::{Closing, Edge, Function, Loc, Op};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// Marks the targets of back edges of a depth-first search, and the locations that several edges lead to.
pub fn mark(function: &mut Function) {
    let count = function.locations.len();
    let mut visit = vec![Visit::New; count];
    let mut incoming = vec![0u32; count];
    let mut heads = vec![false; count];
    // Locations on the path with the number of edges already followed.
    let mut path: Vec<(Loc, usize)> = vec![(function.entry, 0)];
    visit[function.entry.index()] = Visit::Open;
    while let Some((loc, next)) = path.last_mut() {
        let Some(edge) = function.locations[loc.index()].edges.get(*next) else {
            visit[loc.index()] = Visit::Done;
            path.pop();
            continue;
        };
        *next += 1;
        let target = edge.target;
        incoming[target.index()] += 1;
        match visit[target.index()] {
            Visit::New => {
                visit[target.index()] = Visit::Open;
                path.push((target, 0));
            }
            Visit::Open => heads[target.index()] = true,
            Visit::Done => {}
        }
    }
    for (index, location) in function.locations.iter_mut().enumerate() {
        location.loop_head = heads[index];
        location.join = incoming[index] > 1;
        location.complementary = is_complementary(&location.edges);
        if !location.loop_head {
            location.loop_span = None;
            location.outer_loops.clear();
        }
    }
    let closing: Vec<Option<Closing>> =
        function.locations.iter().map(|location| closing(function, &location.edges)).collect();
    for (location, closing) in function.locations.iter_mut().zip(closing) {
        location.closing = closing;
    }
}

/// The first of two complementary guards behind which the run ends and nothing else happens.
pub fn closing(function: &Function, edges: &[Edge]) -> Option<Closing> {
    if !is_complementary(edges) {
        return None;
    }
    (0..).zip(edges).find_map(|(edge, guard)| {
        let mut at = guard.target;
        // A loop of such locations does not end the run.
        for _ in 0..function.locations.len() {
            let [next] = &function.locations[at.index()].edges[..] else { return None };
            match next.op {
                Op::Halt(kind) => return Some(Closing { edge, kind }),
                Op::Skip => at = next.target,
                _ => return None,
            }
        }
        None
    })
}

/// Whether the second of two guards says that the first one fails.
pub fn is_complementary(edges: &[Edge]) -> bool {
    match edges {
        [Edge { op: Op::Assume(first), .. }, Edge { op: Op::Assume(second), .. }] => first.clone().negated() == *second,
        _ => false,
    }
}
