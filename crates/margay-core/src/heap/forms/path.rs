//! Paths down a binary tree: a tree with a hole, which is where the path ends.
//!
//! A path is a list segment whose nodes lead on by one link or the other. The other one leads to a tree of nodes like these:
//! ```text
//!    prev ◀──┌──────┐
//!   first    │ body │
//!            └┬────┬┘
//!        tree ▼    ▼┌──────┐
//!                   │ body │    last
//!                   └┬────┬┘
//!               next ▼    ▼ tree
//! ```
//! Where nodes have a link to their parent, that is the link back.

#[cfg(any(test, feature = "testing"))]
use super::shapes::{Hole, branched, seen, shapes};
use super::{Branches, Segment, Surroundings, Tree, WellFormed};
#[cfg(any(test, feature = "testing"))]
use super::{Lead, Unfolding};
use crate::base::error::ensure;
#[cfg(any(test, feature = "testing"))]
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::memory::BlockId;
use crate::smt::Term;

use super::Links;

impl Links {
    /// The links of the tree that a path goes down.
    pub fn branches(&self) -> Option<Branches> {
        Some(Branches { head: self.head, children: [self.next, self.branching?], parent: self.prev })
    }
}

impl From<Branches> for Links {
    /// The links of paths down a tree.
    fn from(branches: Branches) -> Self {
        let Branches { head, children: [next, branching], parent } = branches;
        Self { head, next, branching: Some(branching), prev: parent }
    }
}

impl Segment {
    /// A tree of nodes like those of this path, perhaps none, whose root's link to its parent holds `up`.
    pub fn subtree(&self, up: Option<Term>) -> Option<Tree> {
        Some(Tree { links: self.links.branches()?, min_len: 0, leaf: self.leaf?, up, body: self.only_body()?.clone() })
    }

    /// A path says what is beside it, and nothing else does.
    pub(super) fn well_forked(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        ensure(self.leaf.is_some() == self.links.branching.is_some(), || {
            "a segment has trees beside it, or has not".into()
        })?;
        let Some(tree) = self.subtree(self.prev) else { return Ok(()) };
        let terms = &around.context.terms;
        ensure(terms.width(tree.leaf) == around.context.model.pointer_bits(), || "a leaf is too narrow".into())?;
        let alignment = terms.as_symbol(owner.address).map_or(u32::MAX, |symbol| terms.symbol_info(symbol).alignment);
        ensure(terms.trailing_zeros(tree.nowhere(around.context)) >= alignment, || {
            "a tree without nodes beside a path leads to nowhere".into()
        })
    }
}

impl Tree {
    /// The memories in which `node` is the root of a tree one of whose links to children holds `known`; the other leads to any tree.
    pub(super) fn with_one_known(&self, memory: Smg, node: BlockId, known: Term) -> Vec<Smg> {
        let [left, right] = self.links.children;
        let cases = [(left, right), (right, left)].into_iter().flat_map(|(onward, aside)| {
            let mut memory = memory.clone();
            let tree = memory.add_below(self, node);
            let links: Vec<(u64, Term)> =
                self.up_of_root().chain([(onward, known)]).chain(tree.map(|tree| (aside, tree))).collect();
            memory.instantiate(&self.body, node, &links)
        });
        cases.collect()
    }

    /// Where the root's link to its parent is, and what it holds.
    pub(super) fn up_of_root(&self) -> impl Iterator<Item = (u64, Term)> {
        self.links.parent.into_iter().zip(self.up)
    }
}

#[cfg(any(test, feature = "testing"))]
impl Segment {
    /// All paths that are so many nodes, those beside it among them.
    pub(super) fn paths(&self, owner: BlockId, tree: &Tree, nodes: u32) -> Vec<Unfolding> {
        let ways = shapes(nodes).into_iter().flat_map(|shape| {
            let links = (0..shape.len()).flat_map(|node| [(node, 0), (node, 1)]);
            let holes: Vec<Hole> = links.filter(|(node, side)| shape[*node][*side].is_none()).collect();
            holes.into_iter().filter_map(|hole| self.path(owner, tree, &shape, hole)).collect::<Vec<_>>()
        });
        ways.collect()
    }

    /// All paths that begin at `address`: each link of what is there may be the last one.
    pub(super) fn paths_at(
        &self,
        context: &Context,
        owner: BlockId,
        tree: &Tree,
        address: u128,
        read: &dyn Fn(u128) -> Option<u128>,
    ) -> Option<Vec<Unfolding>> {
        let leaf = context.terms.as_const(tree.leaf)?;
        let (met, _, _) = seen(tree.links, leaf, address, None, read);
        let links = met.into_iter().flat_map(|node| [(node, 0), (node, 1)]);
        let ways = links.filter_map(|cut| {
            let (_, shape, hole) = seen(tree.links, leaf, address, Some(cut), read);
            self.path(owner, tree, &shape, hole?)
        });
        Some(ways.collect())
    }

    /// A path of this shape with the nodes beside it; `None` where it is too short.
    fn path(&self, owner: BlockId, tree: &Tree, shape: &[[Option<usize>; 2]], hole: Hole) -> Option<Unfolding> {
        let parent = |node: usize| shape.iter().position(|children| children.contains(&Some(node)));
        let length = std::iter::successors(Some(hole.0), |node| parent(*node)).count();
        (length >= self.min_len as usize).then_some(())?;
        let pieces = branched(tree, shape, Some((hole, self.next)));
        Some(Unfolding { pieces, ends: vec![(owner, Lead::Node(0)), (self.last, Lead::Node(hole.0))], order: None })
    }
}
