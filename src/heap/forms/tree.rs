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

use super::{Body, Form, Held, Outer, Role, Sketch, Summary, Visitor};
#[cfg(any(test, feature = "gamma"))]
use super::{Lead, Piece, Unfolding};
use crate::heap::context::Context;
use crate::heap::graph::{Object, Smg};
use crate::heap::well_formed::{Surroundings, WellFormed, ensure};
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
    pub links: Branches,
    /// At least so many nodes: none or one.
    pub min_len: u32,
    /// What links to children hold where there is no child.
    pub leaf: Term,
    /// What the root's link to its parent holds, where nodes have one.
    pub up: Option<Term>,
    pub body: Rc<Body>,
}

impl Tree {
    /// The address of a tree without nodes.
    pub(crate) fn nowhere(&self, context: &Context) -> Term {
        context.terms.sub(self.leaf, context.pointer_constant(self.links.head))
    }
}

impl Summary for Tree {
    fn name(&self) -> &'static str {
        "tree"
    }

    fn visit(&self, visitor: &mut dyn Visitor) {
        let Branches { head, children, parent } = self.links;
        visitor.number(head);
        children.into_iter().for_each(|child| visitor.number(child));
        visitor.number(parent.unwrap_or(u64::MAX));
        visitor.least(self.min_len);
        visitor.term(Role::Value, self.leaf);
        self.up.into_iter().for_each(|up| visitor.term(Role::Value, up));
        visitor.body(&self.body);
    }

    fn map(&self, term: &mut dyn FnMut(Term) -> Term, _end: &dyn Fn(BlockId) -> BlockId) -> Form {
        Form::Tree(Rc::new(Self {
            leaf: term(self.leaf),
            up: self.up.map(&mut *term),
            body: Rc::new(self.body.map(term)),
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

    fn nonempty(&self) -> Form {
        Form::Tree(Rc::new(Self { min_len: self.min_len.max(1), ..self.clone() }))
    }

    fn empty(&self, context: &Context, owner: BlockId) -> Vec<(BlockId, Term)> {
        vec![(owner, self.nowhere(context))]
    }

    fn holds(&self, _owner: BlockId, _from: BlockId, held: &mut Held) {
        // Some link holds it, or the pointer to the tree itself.
        held.values.push(self.leaf);
        if self.min_len > 0 {
            held.values.extend(self.up);
            held.bodies.push(self.body.clone());
        }
    }

    /// Exact: the root, and two trees of any number of nodes below it.
    fn materialise(&self, mut memory: Smg, owner: BlockId, _at: BlockId) -> Vec<Smg> {
        let Some(root) = memory.object(owner).cloned().filter(|_| self.min_len > 0) else { return vec![memory] };
        let context = memory.context().clone();
        let link = |object: &Object| context.terms.add_constant(object.address, i128::from(self.links.head));
        let below = Self { min_len: 0, up: self.up.map(|_| link(&root)), ..self.clone() };
        let mut links: Vec<(u64, Term)> = self.links.parent.into_iter().zip(self.up).collect();
        for offset in self.links.children {
            let child = memory.add_like(&root);
            if let Some(object) = memory.object_mut(child) {
                object.form = Form::Tree(Rc::new(below.clone()));
                links.push((offset, link(object)));
            }
            memory.place_ends(child);
        }
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
        }
    }

    #[cfg(any(test, feature = "gamma"))]
    fn unfolding_at(
        &self,
        context: &Context,
        owner: BlockId,
        address: u128,
        read: &dyn Fn(u128) -> Option<u128>,
    ) -> Option<Unfolding> {
        let leaf = context.terms.as_const(self.leaf)?;
        if address.wrapping_add(self.links.head.into()) == leaf {
            return Some(Unfolding::empty(self, context, owner));
        }
        let (mut met, mut shape) = (vec![address], Vec::new());
        while let Some(&node) = met.get(shape.len()) {
            let mut children = [None; 2];
            for (child, offset) in children.iter_mut().zip(self.links.children) {
                let link = read(node + u128::from(offset)).filter(|link| *link != leaf);
                if let Some(to) = link.and_then(|link| link.checked_sub(self.links.head.into()))
                    && !met.contains(&to)
                {
                    *child = Some(met.len());
                    met.push(to);
                }
            }
            shape.push(children);
        }
        Some(self.shaped(owner, &shape))
    }

    #[cfg(any(test, feature = "gamma"))]
    fn unfoldings(&self, context: &Context, owner: BlockId, nodes: u32) -> Vec<Unfolding> {
        match nodes {
            0 => vec![Unfolding::empty(self, context, owner)],
            1..=MOST_TRIED => shapes(nodes).iter().map(|shape| self.shaped(owner, shape)).collect(),
            _ => Vec::new(),
        }
    }
}

/// There are too many larger shapes to try them all.
#[cfg(any(test, feature = "gamma"))]
const MOST_TRIED: u32 = 5;

#[cfg(any(test, feature = "gamma"))]
impl Tree {
    /// A tree of this shape: the children of each node, the root first.
    fn shaped(&self, owner: BlockId, shape: &[[Option<usize>; 2]]) -> Unfolding {
        let mut parents = vec![None; shape.len()];
        for (index, children) in shape.iter().enumerate() {
            children.iter().flatten().for_each(|child| parents[*child] = Some(index));
        }
        let head = self.links.head;
        let piece = |index: usize| {
            let down = self.links.children.iter().zip(shape[index]).map(|(offset, child)| match child {
                Some(child) => (*offset, head, Lead::Node(child)),
                None => (*offset, 0, Lead::Value(self.leaf)),
            });
            let up = self.links.parent.zip(self.up).map(|(offset, up)| match parents[index] {
                Some(parent) => (offset, head, Lead::Node(parent)),
                None => (offset, 0, Lead::Value(up)),
            });
            Piece { body: Some(self.body.clone()), links: down.chain(up).collect() }
        };
        Unfolding { pieces: (0..shape.len()).map(piece).collect(), ends: vec![(owner, Lead::Node(0))] }
    }
}

/// All binary trees of so many nodes: the children of each node, the root first.
#[cfg(any(test, feature = "gamma"))]
fn shapes(nodes: u32) -> Vec<Vec<[Option<usize>; 2]>> {
    if nodes == 0 {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for left in 0..nodes {
        for a in &shapes(left) {
            for b in &shapes(nodes - 1 - left) {
                let first = |shape: &[[Option<usize>; 2]], at: usize| (!shape.is_empty()).then_some(at);
                let moved = |shape: &[[Option<usize>; 2]], by: usize| -> Vec<[Option<usize>; 2]> {
                    shape.iter().map(|children| children.map(|child| child.map(|child| child + by))).collect()
                };
                let mut shape = vec![[first(a, 1), first(b, 1 + a.len())]];
                shape.extend(moved(a, 1));
                shape.extend(moved(b, 1 + a.len()));
                found.push(shape);
            }
        }
    }
    found
}

impl Smg {
    /// One node of a tree as a region of its own, for comparisons.
    pub(crate) fn node_of_tree(&mut self, root: BlockId, tree: &Tree) -> Option<BlockId> {
        let node = self.lone_node(root)?;
        let null = self.context.pointer_constant(0);
        let links: Vec<(u64, Term)> = tree.links.offsets().into_iter().map(|offset| (offset, null)).collect();
        self.instantiate_unexpanded(&tree.body, node, &links);
        Some(node)
    }
}
