//! Depth-first orders of graphs, without recursion, and what follows from them.

use super::ir::Function;

/// The nodes that `root` reaches, each after all that are first reached through it, and their places in that order (`usize::MAX` for
/// the others).
pub fn postorder(successors: &[Vec<usize>], root: usize) -> (Vec<usize>, Vec<usize>) {
    let mut order = Vec::new();
    search(successors, root, &mut vec![false; successors.len()], &mut order);
    let mut number = vec![usize::MAX; successors.len()];
    order.iter().enumerate().for_each(|(place, node)| number[*node] = place);
    (order, number)
}

/// Searches in depth from `root` among the nodes that were not `seen`: adds them to `ended` in the order in which their searches end.
fn search(successors: &[Vec<usize>], root: usize, seen: &mut [bool], ended: &mut Vec<usize>) {
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
                ended.push(*node);
                path.pop();
            }
        }
    }
}

/// The edges of a graph of `count` nodes turned round.
pub fn turned(successors: &[Vec<usize>], count: usize) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); count];
    for (from, targets) in successors.iter().enumerate() {
        targets.iter().for_each(|to| predecessors[*to].push(from));
    }
    predecessors
}

/// Strongly connected components of a graph: a number for each node, equal for those of one component.
///
/// Source: Kosaraju's algorithm, in Aho, Hopcroft, Ullman: Data Structures and Algorithms (1983), section 6.7.
pub fn components(successors: &[Vec<usize>]) -> Vec<usize> {
    let count = successors.len();
    let mut ended = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    (0..count).for_each(|root| search(successors, root, &mut seen, &mut ended));
    let predecessors = turned(successors, count);
    let mut component = vec![0; count];
    let mut seen = vec![false; count];
    for root in ended.into_iter().rev() {
        let mut members = Vec::new();
        search(&predecessors, root, &mut seen, &mut members);
        members.into_iter().for_each(|member| component[member] = root);
    }
    component
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
