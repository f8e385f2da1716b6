//! What an embedding demands of trees: that their parts are linked to each other, and instances of the body.

use std::rc::Rc;

use super::gather::Gathering;
use super::mismatch::{Mismatch, Reason};
use super::row::Later;
use crate::certificate::TreePart;
use crate::heap::{Form, Links, Object, Tree};
use crate::smt::Term;

/// A part of a tree that has an object. Where it has no node, its address is where a link to a child leads that is not there.
struct Part {
    address: Term,
    /// What its root's link to its parent holds.
    up: Option<Term>,
    /// It has at least so many nodes.
    nodes: u32,
}

impl<'a> Gathering<'a> {
    /// A tree of the general state.
    pub(super) fn tree(
        &mut self,
        scope: usize,
        object: &Object,
        tree: &Rc<Tree>,
        tree_part: &'a TreePart,
    ) -> Result<(), Mismatch> {
        if *tree_part == TreePart::Nothing {
            Reason::Tree.unless(tree.min_len == 0)?;
            return self.define(scope, object.address, tree.nowhere(&self.context));
        }
        let part = self.tree_part(scope, object, tree, tree_part)?;
        Reason::Tree.unless(part.nodes >= tree.min_len)?;
        if let Some(general) = tree.up {
            self.equate(scope, general, part.up.ok_or(Reason::Tree)?)?;
        }
        self.settle_address(scope, object, part.address)
    }

    /// What the node at this address links to as its child, which holds this: a part of a tree like `tree`, if any; its least number
    /// of nodes.
    pub(super) fn child(
        &mut self,
        scope: usize,
        object: &Object,
        tree: &Rc<Tree>,
        tree_part: &'a TreePart,
        (parent, link): (Term, Term),
    ) -> Result<u32, Mismatch> {
        if *tree_part == TreePart::Nothing {
            self.equate(scope, tree.leaf, link)?;
            return Ok(0);
        }
        let part = self.tree_part(scope, object, tree, tree_part)?;
        let memory = &self.worlds[self.scopes[scope].world].memory;
        let link_to = |address: Term| self.context.terms.add_constant(address, i128::from(tree.links.head));
        Reason::Tree.unless(memory.are_equal(link, link_to(part.address)))?;
        if tree.links.parent.is_some() {
            Reason::Tree.unless(memory.are_equal(part.up.ok_or(Reason::Tree)?, link_to(parent)))?;
        }
        Ok(part.nodes)
    }

    fn tree_part(
        &mut self,
        scope: usize,
        object: &Object,
        tree: &Rc<Tree>,
        tree_part: &'a TreePart,
    ) -> Result<Part, Mismatch> {
        let context = self.context.clone();
        let terms = &context.terms;
        let world = self.scopes[scope].world;
        let (TreePart::Node(block, ..) | TreePart::Tree(block, _) | TreePart::Path(block, ..)) = *tree_part else {
            return Err(Reason::Tree.into());
        };
        let own = self.use_block(world, block)?;
        self.same_object(scope, object, &own)?;
        let alignment =
            terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment).ok_or(Reason::Tree)?;
        let is_aligned = |own: &Object| terms.trailing_zeros(own.address) >= alignment;
        Reason::Tree.unless(own.valid && is_aligned(&own))?;
        let links = tree.links.offsets();
        match tree_part {
            TreePart::Nothing => Err(Reason::Tree.into()),
            TreePart::Node(_, inner, children) => {
                Reason::Tree.unless(own.is_region() && children.len() == tree.links.children.len())?;
                let width = u64::from(context.model.pointer_bytes());
                let memory = &mut self.worlds[world].memory;
                let down = tree.links.children.map(|offset| memory.read_exactly(block, offset, width));
                let up = tree.links.parent.map(|offset| memory.read_exactly(block, offset, width));
                self.instance(scope, world, std::slice::from_ref(&tree.body), &links, inner, block)?;
                for (link, child) in down.into_iter().zip(children) {
                    self.child(scope, object, tree, child, (own.address, link))?;
                }
                Ok(Part { address: own.address, up, nodes: 1 })
            }
            TreePart::Tree(_, cases) => {
                let Form::Tree(other) = &own.form else { return Err(Reason::Tree.into()) };
                Reason::Tree.unless(other.links == tree.links)?;
                let (bodies, looks) = (vec![tree.body.clone()], vec![other.body.clone()]);
                self.later.push(Later { scope, bodies, first: block, own: looks, links, cases, kinds: Vec::new() });
                self.equate(scope, tree.leaf, other.leaf)?;
                Ok(Part { address: own.address, up: other.up, nodes: other.min_len })
            }
            TreePart::Path(_, cases, below) => {
                let Form::First(other) = &own.form else { return Err(Reason::Tree.into()) };
                Reason::Tree.unless(other.links == Links::from(tree.links) && other.empty.is_none())?;
                let last = self.use_block(world, other.last)?;
                Reason::Tree.unless(is_aligned(&last))?;
                let (bodies, looks) = (vec![tree.body.clone()], other.bodies.clone());
                self.later.push(Later { scope, bodies, first: block, own: looks, links, cases, kinds: Vec::new() });
                self.equate(scope, tree.leaf, other.leaf.ok_or(Reason::Tree)?)?;
                // Where the path has no node, its last one's address is that of what is above.
                let nodes = self.child(scope, object, tree, below, (last.address, other.next))?;
                Ok(Part { address: own.address, up: other.prev, nodes: other.min_len.saturating_add(nodes) })
            }
        }
    }
}
