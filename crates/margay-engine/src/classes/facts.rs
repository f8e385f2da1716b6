//! Facts about the links of a structure, and whether they hold in a heap.

use super::sample::Sample;

/// Something that holds of some links, which are named by their number among the roles of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    /// These links are not followed back.
    Acyclic(Vec<usize>),
    /// Everybody comes back by this link.
    Circular(usize),
    /// By these links at most one node leads to each, and by one of them.
    Unshared(Vec<usize>),
    /// Who goes by the first link comes back by the second.
    Inverse(usize, usize),
    /// Where the first link leads the second one does in the end.
    Along(usize, usize),
}

impl Fact {
    /// `acyclic left right`, where the links are named as in `roles`.
    pub fn read(text: &str, roles: &[String]) -> Option<Self> {
        let mut words = text.split_whitespace();
        let kind = words.next()?;
        let links: Option<Vec<usize>> = words.map(|word| roles.iter().position(|role| role == word)).collect();
        match (kind, links?.as_slice()) {
            (_, []) => None,
            ("acyclic", links) => Some(Fact::Acyclic(links.to_vec())),
            ("unshared", links) => Some(Fact::Unshared(links.to_vec())),
            ("circular", [link]) => Some(Fact::Circular(*link)),
            ("inverse", [there, back]) => Some(Fact::Inverse(*there, *back)),
            ("along", [far, near]) => Some(Fact::Along(*far, *near)),
            _ => None,
        }
    }

    /// Whether it holds in `sample`, where the roles' links stand at these places.
    pub fn holds(&self, sample: &Sample, places: &[u64]) -> bool {
        let follow = |node: usize, link: usize| sample.follow(node, places[link]);
        // By one of these links, or several.
        let leads = |from: usize, links: &[usize], goal: usize| {
            let mut seen = vec![false; sample.nodes()];
            let mut open = vec![from];
            while let Some(node) = open.pop() {
                for to in links.iter().filter_map(|link| follow(node, *link)) {
                    if to == goal {
                        return true;
                    }
                    if !std::mem::replace(&mut seen[to], true) {
                        open.push(to);
                    }
                }
            }
            false
        };
        let mut nodes = 0..sample.nodes();
        match self {
            Fact::Acyclic(links) => nodes.all(|node| !leads(node, links, node)),
            Fact::Circular(link) => nodes.all(|node| leads(node, &[*link], node)),
            Fact::Unshared(links) => {
                let mut led_to = vec![0; sample.nodes()];
                for (node, link) in nodes.flat_map(|node| links.iter().map(move |link| (node, *link))) {
                    if let Some(to) = follow(node, link) {
                        led_to[to] += 1;
                    }
                }
                led_to.iter().all(|count| *count <= 1)
            }
            Fact::Inverse(there, back) => {
                nodes.all(|node| follow(node, *there).is_none_or(|to| follow(to, *back) == Some(node)))
            }
            Fact::Along(far, near) => nodes.all(|node| follow(node, *far).is_none_or(|to| leads(node, &[*near], to))),
        }
    }
}
