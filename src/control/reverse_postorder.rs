//! An order of a function's locations in which runs go on but for the edges that close loops.

use crate::cfa::Function;

/// By location: its place in the reverse postorder of a depth-first search. The bodies of loops come before what follows them.
pub fn numbers(function: &Function) -> Vec<u32> {
    let count = function.locations.len();
    let mut numbers = vec![0; count];
    let mut seen = vec![false; count];
    let mut left = count as u32;
    let mut path = vec![(function.entry.index(), 0)];
    seen[function.entry.index()] = true;
    while let Some((at, next)) = path.last_mut() {
        // What is visited last comes first: the way out of a loop is visited before the way in.
        let edges = &function.locations[*at].edges;
        match edges.len().checked_sub(*next + 1) {
            Some(edge) => {
                *next += 1;
                let target = edges[edge].target.index();
                if !std::mem::replace(&mut seen[target], true) {
                    path.push((target, 0));
                }
            }
            None => {
                left -= 1;
                numbers[*at] = left;
                path.pop();
            }
        }
    }
    numbers
}
