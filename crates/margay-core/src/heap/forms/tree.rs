//! Binary trees: all nodes of a tree of any shape, as one object.
//!
//! The object's address is that of the root. A child's link holds `leaf` where there is no child; a tree without nodes has the
//! address that such a link leads to:
//! ```text
//!              up ◀──┌──────┐
//!                    │ body │ the root
//!                    └┬────┬┘
//!             ┌──────┐▼    ▼┌──────┐
//!             │ body │      │ body │ ──▶ leaf
//!             └┬────┬┘      └┬────┬┘
//!              ▼    ▼        ▼    ▼
//! ```
//! Each node has the content of the body and links at the offsets of [`Branches`]; what is bound in the body, each node has for itself.

use std::rc::Rc;

#[cfg(any(test, feature = "testing"))]
use super::shapes::{branched, seen, shapes};
use super::{Body, Change, Form, Held, Outer, Role, Sketch, Summary, Surroundings, Visitor, WellFormed};
#[cfg(any(test, feature = "testing"))]
use super::{Lead, Unfolding};
use crate::base::error::ensure;
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::memory::{BlockId, BlockKind};
use crate::smt::Term;

/// Where the nodes of a tree hold their links, and where links point to: bytes from the start of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Branches {
    /// Links point here.
    pub head: u64,
    /// The links to the children, ascending.
    pub children: [u64; 2],
    /// The link to the parent.
    pub parent: Option<u64>,
}

impl Branches {
    /// The offsets of all links.
    pub fn offsets(&self) -> Vec<u64> {
        self.children.iter().copied().chain(self.parent).collect()
    }
}

/// A binary tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Where nodes hold their links.
    pub links: Branches,
    /// At least so many nodes: none or one.
    pub min_len: u32,
    /// What links to children hold where there is no child.
    pub leaf: Term,
    /// What the root's link to its parent holds, where nodes have one.
    pub up: Option<Term>,
    /// What nodes look like.
    pub body: Rc<Body>,
}

impl Tree {
    /// The address of a tree without nodes.
    pub fn nowhere(&self, context: &Context) -> Term {
        context.terms.sub(self.leaf, context.pointer_constant(self.links.head))
    }
}

impl Summary for Tree {
    fn visit(&self, visitor: &mut dyn Visitor) {
        let Branches { head, children, parent } = self.links;
        visitor.number(head);
        children.into_iter().for_each(|child| visitor.number(child));
        visitor.number(parent.unwrap_or(u64::MAX));
        visitor.least(self.min_len);
        visitor.term(Role::Value, self.leaf);
        self.up.into_iter().for_each(|up| visitor.term(Role::Prev, up));
        visitor.body(&self.body);
    }

    fn map(&self, change: &mut dyn Change) -> Form {
        Form::Tree(Rc::new(Self {
            leaf: change.term(self.leaf),
            up: self.up.map(|up| change.term(up)),
            body: change.body(&self.body),
            ..*self
        }))
    }

    fn ends(&self) -> &[BlockId] {
        &[]
    }

    fn bodies(&self) -> &[Rc<Body>] {
        std::slice::from_ref(&self.body)
    }

    fn link_offsets(&self) -> Vec<u64> {
        self.links.offsets()
    }

    fn least(&self) -> u32 {
        self.min_len
    }

    fn nonempty(&self) -> Option<Form> {
        Some(Form::Tree(Rc::new(Self { min_len: self.min_len.max(1), ..self.clone() })))
    }

    fn empty(&self, context: &Context, owner: BlockId) -> Vec<(BlockId, Term)> {
        vec![(owner, self.nowhere(context))]
    }

    fn holds(&self, _owner: BlockId, _from: BlockId, held: &mut Held) {
        // Some link holds it, or the pointer to the tree itself.
        held.values.push(self.leaf);
        if self.min_len > 0 {
            held.values.extend(self.up);
            held.nodes.push(vec![self.body.clone()]);
        }
    }

    /// Exact: the root, and two trees of any number of nodes below it.
    fn materialise(&self, mut memory: Smg, owner: BlockId, _at: BlockId) -> Vec<Smg> {
        if self.min_len == 0 {
            return vec![memory];
        }
        let down = self.links.children.map(|offset| (offset, memory.add_below(self, owner)));
        let down = down.into_iter().filter_map(|(offset, tree)| Some((offset, tree?)));
        let links: Vec<(u64, Term)> = self.up_of_root().chain(down).collect();
        memory.instantiate(&self.body, owner, &links)
    }

    fn well_formed(&self, around: &Surroundings, owner: &Object) -> WellFormed {
        let terms = &around.context.terms;
        let bits = around.context.model.pointer_bits();
        let width = u64::from(around.context.model.pointer_bytes());
        let alignment =
            |object: &Object| terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment);
        let node = self.body.objects.first().ok_or("the body of a tree is empty")?;
        ensure(node.is_region(), || "the node of a body is no region".into())?;
        let alike = node.kind == owner.kind
            && node.size == owner.size
            && alignment(node) == alignment(owner)
            && node.valid
            && owner.kind == BlockKind::Heap;
        ensure(alike, || "the root and the nodes of a tree are not alike".into())?;
        let Some(size) = terms.as_const(owner.size) else {
            return Err("the nodes of a tree have no fixed size".into());
        };
        let mut offsets = self.links.offsets();
        let [left, right] = self.links.children;
        offsets.sort_unstable();
        let apart = left < right && offsets.windows(2).all(|pair| pair[1] - pair[0] >= width);
        let fits = |offset: &u64| offset.checked_add(width).is_some_and(|end| u128::from(end) <= size);
        ensure(u128::from(self.links.head) < size && apart && offsets.iter().all(fits), || {
            "the links of a tree do not fit its nodes".into()
        })?;
        let wide = terms.width(self.leaf) == bits && self.up.is_none_or(|up| terms.width(up) == bits);
        ensure(wide && self.up.is_some() == self.links.parent.is_some() && self.min_len <= 1, || {
            "a tree is not linked as it says".into()
        })?;
        // Each tree has some without nodes below it: these have an address like any other.
        let nowhere = terms.trailing_zeros(self.nowhere(around.context));
        ensure(alignment(owner).is_some_and(|bits| nowhere >= bits), || "a tree without nodes leads to nowhere".into())
    }

    fn sketch(&self) -> Sketch {
        let Branches { head, children: [left, right], parent } = self.links;
        let above = self.up.map(|value| Outer { label: "above", at: 0, from: 0, value });
        let leaf = Outer { label: "leaves", at: 0, from: 0, value: self.leaf };
        Sketch {
            title: format!("TREE {}+", self.min_len),
            links: [("left", left), ("right", right)].into_iter().chain(parent.map(|at| ("parent", at))).collect(),
            head,
            ends: vec!["root"],
            outer: [leaf].into_iter().chain(above).collect(),
            absent: None,
            order: None,
        }
    }

    #[cfg(any(test, feature = "testing"))]
    fn unfoldings_at(
        &self,
        context: &Context,
        owner: BlockId,
        address: u128,
        read: &dyn Fn(u128) -> Option<u128>,
    ) -> Option<Vec<Unfolding>> {
        let leaf = context.terms.as_const(self.leaf)?;
        if address.wrapping_add(self.links.head.into()) == leaf {
            return Some(vec![Unfolding::empty(self, context, owner)]);
        }
        let (_, shape, _) = seen(self.links, leaf, address, None, read);
        Some(vec![self.shaped(owner, &shape)])
    }

    #[cfg(any(test, feature = "testing"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        match nodes {
            0 => vec![Unfolding::empty(self, context, owner)],
            _ => shapes(nodes).iter().map(|shape| self.shaped(owner, shape)).collect(),
        }
    }
}

#[cfg(any(test, feature = "testing"))]
impl Tree {
    /// A tree of this shape.
    fn shaped(&self, owner: BlockId, shape: &[[Option<usize>; 2]]) -> Unfolding {
        Unfolding { pieces: branched(self, shape, None), ends: vec![(owner, Lead::Node(0))], order: None }
    }
}

impl Smg {
    /// Adds a tree of any number of nodes like those of `tree` below the node `parent`; what a link to it holds.
    pub(super) fn add_below(&mut self, tree: &Tree, parent: BlockId) -> Option<Term> {
        let head = i128::from(tree.links.head);
        let above = self.object(parent)?.clone();
        let link = self.context.terms.add_constant(above.address, head);
        let child = self.add_like(&above);
        self.object_mut(child)?.form =
            Form::Tree(Rc::new(Tree { min_len: 0, up: tree.up.map(|_| link), ..tree.clone() }));
        self.place_ends(child);
        Some(self.context.terms.add_constant(self.object(child)?.address, head))
    }

    /// One node of a tree as a region of its own, for comparisons.
    pub fn node_of_tree(&mut self, root: BlockId, tree: &Tree) -> Option<BlockId> {
        let node = self.lone_node(root)?;
        let null = self.context.pointer_constant(0);
        let links: Vec<(u64, Term)> = tree.links.offsets().into_iter().map(|offset| (offset, null)).collect();
        self.instantiate_unexpanded(&tree.body, node, &links);
        Some(node)
    }
}
