//! Depth-first orders of graphs, without recursion.

use super::ir::Function;

/// The nodes that `root` reaches, each after all that are first reached through it, and their places in that order (`usize::MAX` for
/// the others).
pub fn postorder(successors: &[Vec<usize>], root: usize) -> (Vec<usize>, Vec<usize>) {
    let mut number = vec![usize::MAX; successors.len()];
    let mut seen = vec![false; successors.len()];
    let mut order = Vec::new();
    let mut path = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = path.last_mut() {
        match successors[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                number[*node] = order.len();
                order.push(*node);
                path.pop();
            }
        }
    }
    (order, number)
}

/// By location: those that an edge leads from to it, once for each edge.
pub fn predecessors(function: &Function) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); function.locations.len()];
    for (index, location) in function.locations.iter().enumerate() {
        for edge in &location.edges {
            predecessors[edge.target.index()].push(index);
        }
    }
    predecessors
}

/// By location: its place in an order in which runs go on but for the edges that close loops. The bodies of loops come before what
/// follows them.
pub fn reverse_postorder(function: &Function) -> Vec<u32> {
    // What is visited last comes first: the way out of a loop, its last edge, is visited before the way in.
    let targets =
        |location: &super::ir::Location| location.edges.iter().rev().map(|edge| edge.target.index()).collect();
    let successors: Vec<Vec<usize>> = function.locations.iter().map(targets).collect();
    let (order, number) = postorder(&successors, function.entry.index());
    let last = order.len() - 1;
    number.into_iter().map(|number| last.saturating_sub(number) as u32).collect()
}
