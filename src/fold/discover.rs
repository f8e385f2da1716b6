//! Where lists could be: pairs of neighbours, found from the heap itself.

use super::census::{Census, Holder};
use super::trees::TreeClass;
use crate::heap::{Cell, Form, Links, Smg, Target};
use crate::memory::BlockId;
use crate::smt::Term;

/// Two things in a row that could become one segment: regions, or segments by their first nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub left: BlockId,
    pub right: BlockId,
    pub links: Links,
}

impl Smg {
    /// All pairs whose links fit and whose inner addresses nobody else speaks of, by their left sides.
    pub(super) fn pairs(&self, census: &Census, trees: Option<TreeClass>) -> Vec<Pair> {
        let mut pairs = Vec::new();
        for (&left, object) in &self.objects {
            if !self.is_live_heap(left) {
                continue;
            }
            match &object.form {
                Form::First(segment) => pairs.extend(self.pair(census, left, segment.links)),
                Form::Region => {
                    let trees = trees.filter(|class| self.is_node(left, class)).map(|class| Links::from(class.links));
                    let possible = self.possible_links(left).into_iter().chain(trees);
                    let found: Vec<Pair> = possible.filter_map(|links| self.pair(census, left, links)).collect();
                    // Of several links to one node that of the highest level leads on: all others may lead to nodes in between.
                    let is_below = |pair: &Pair, other: &Pair| {
                        let plain = |links: Links| links.fork.is_none() && links.prev.is_none();
                        pair.right == other.right
                            && plain(pair.links)
                            && plain(other.links)
                            && pair.links.next < other.links.next
                    };
                    pairs.extend(found.iter().filter(|pair| !found.iter().any(|other| is_below(pair, other))));
                }
                _ => {}
            }
        }
        pairs
    }

    /// The pair `left` forms with what its `next` leads to.
    pub(super) fn pair(&self, census: &Census, left: BlockId, links: Links) -> Option<Pair> {
        let last = self.last_of(left);
        let (right, head) = self.exact_target(self.next_of(census, left, links)?)?;
        // A pointer from outside of a node into its neighbour keeps neither alive: no list.
        let size = self.context.terms.as_const(self.object(right)?.size)?;
        let fits = head == links.head
            && u128::from(head) < size
            && right != left
            && right != last
            && self.is_live_heap(right)
            && self.same_kind(census, left, right, links)
            && self.leaf_of(left) == self.leaf_of(right)
            && self.linked_back(last, right, links)
            && self.is_hidden(census, left, last, right, links);
        fits.then_some(Pair { left, right, links })
    }

    /// The last node of the segment that starts at `block`; a region is its own.
    pub(super) fn last_of(&self, block: BlockId) -> BlockId {
        match self.object(block).map(|object| &object.form) {
            Some(Form::First(segment)) => segment.last,
            _ => block,
        }
    }

    /// Links a region has to neighbours that may be of the same list.
    fn possible_links(&self, left: BlockId) -> Vec<Links> {
        let mut found = Vec::new();
        let Some(object) = self.object(left) else { return found };
        for edge in object.content.edges() {
            let Cell::Value(value) = edge.cell else { continue };
            let Some((right, head)) = self.exact_target(value) else { continue };
            if right == left || !self.is_live_heap(right) {
                continue;
            }
            let next = edge.offset;
            match self.object(right).map(|object| &object.form) {
                Some(Form::First(segment)) => {
                    found.extend(Some(segment.links).filter(|links| links.next == next && links.fork.is_none()));
                }
                Some(Form::Region) => {
                    let backs =
                        self.offsets_of(right, self.context.terms.add_constant(object.address, i128::from(head)));
                    let backs: Vec<u64> = backs.into_iter().filter(|prev| *prev != next).collect();
                    if backs.is_empty() {
                        found.push(Links { head, next, fork: None, prev: None });
                    }
                    // The other direction is found from the other side.
                    let forward = backs.into_iter().filter(|prev| next < *prev);
                    found.extend(forward.map(|prev| Links { head, next, fork: None, prev: Some(prev) }));
                }
                _ => {}
            }
        }
        found
    }

    /// Where the region `block` holds `value`.
    fn offsets_of(&self, block: BlockId, value: Term) -> Vec<u64> {
        let Some(object) = self.object(block) else { return Vec::new() };
        let edges = object.content.edges().iter().filter(|edge| edge.cell == Cell::Value(value));
        edges.map(|edge| edge.offset).collect()
    }

    /// The block a link leads to, and how far into it, where both are sure.
    pub(super) fn exact_target(&self, value: Term) -> Option<(BlockId, u64)> {
        match self.target(value) {
            Target::Object { block, offset } => {
                Some((block, u64::try_from(self.context.terms.as_const(offset)?).ok()?))
            }
            _ => None,
        }
    }

    /// What the `next` of a region, or of a segment's last node, holds.
    pub(super) fn next_of(&self, census: &Census, block: BlockId, links: Links) -> Option<Term> {
        match &self.object(block)?.form {
            Form::First(segment) => (segment.links == links).then_some(segment.next),
            Form::Region if links.fork.is_some() => Some(self.onward(census, block, links)?.next),
            Form::Region => self.field(block, links.next),
            _ => None,
        }
    }

    /// What the `prev` of a region, or of a segment's first node, holds; `Some(None)` for singly linked lists.
    pub(super) fn prev_of(&self, block: BlockId, links: Links) -> Option<Option<Term>> {
        match (&self.object(block)?.form, links.prev) {
            (Form::First(segment), _) => (segment.links == links).then_some(segment.prev),
            (_, None) => Some(None),
            (Form::Region, Some(prev)) => self.field(block, prev).map(Some),
            _ => None,
        }
    }

    fn same_kind(&self, census: &Census, left: BlockId, right: BlockId, links: Links) -> bool {
        let (Some(a), Some(b)) = (self.object(left), self.object(right)) else { return false };
        let terms = &self.context.terms;
        let alignment = |object: &crate::heap::Object| {
            terms.as_symbol(object.address).map(|symbol| terms.symbol_info(symbol).alignment)
        };
        let part_of = |block: BlockId| match self.object(block).map(|object| &object.form) {
            Some(Form::Region) => self.next_of(census, block, links).is_some() && self.prev_of(block, links).is_some(),
            Some(Form::First(segment)) => segment.links == links,
            _ => false,
        };
        terms.as_const(a.size).is_some()
            && a.size == b.size
            && alignment(a) == alignment(b)
            && part_of(left)
            && part_of(right)
    }

    /// What links to children hold where there is no child, beside a part of a path; beside a region it is null.
    pub(super) fn leaf_of(&self, block: BlockId) -> Term {
        let leaf = match self.object(block).map(|object| &object.form) {
            Some(Form::First(segment)) => segment.leaf,
            _ => None,
        };
        leaf.unwrap_or(self.context.pointer_constant(0))
    }

    fn linked_back(&self, last: BlockId, right: BlockId, links: Links) -> bool {
        match self.prev_of(right, links) {
            Some(None) => true,
            Some(Some(prev)) => self.link_to(last, links) == Some(prev),
            None => false,
        }
    }

    /// Nobody but the two neighbours, what hangs below the right one and the one after it speaks of the addresses in between.
    fn is_hidden(&self, census: &Census, left: BlockId, last: BlockId, right: BlockId, links: Links) -> bool {
        let from_left = |holder: &Holder| match *holder {
            Holder::Field(block, offset) => block == left && (offset == links.next || Some(offset) == links.fork),
            Holder::Next(block) => block == left,
            _ => false,
        };
        // A list below the left one may end where its link leads. A record that holds both ends of a list is no node of it.
        let made_alike = || match (self.object(left), self.object(right)) {
            (Some(left), Some(right)) => left.origin.site == right.origin.site,
            _ => false,
        };
        let is_left_alone = links.fork.is_none() && self.last_of(left) == left && made_alike();
        let is_of_left = |holder: &Holder| {
            let own = |block: BlockId| {
                block == left || (is_left_alone && self.nested(census, left, &links.offsets()).contains(&block))
            };
            is_left_alone && holder.block().is_some_and(own)
        };
        let from_left = |holder: &Holder| from_left(holder) || is_of_left(holder);
        let from_right = |holder: &Holder| match *holder {
            Holder::Field(block, offset) => block == right && Some(offset) == links.prev,
            Holder::Prev(block) => block == right,
            _ => false,
        };
        if last != left && !census.of_block(self, last).iter().all(from_right) {
            return false;
        }
        if self.last_of(right) != right {
            // Of a singly linked list that may have no node nobody knows where its end leads then.
            let is_vague = links.prev.is_none() && self.may_be_nothing(right);
            if is_vague && !census.of_block(self, self.last_of(right)).is_empty() {
                return false;
            }
            return census.of_block(self, right).iter().all(from_left);
        }
        let mut nested = self.nested(census, right, &links.offsets());
        nested.extend(self.aside(census, right, links));
        // In a ring that nobody holds the left one hangs below the right one: both are lost, neither is a list.
        if nested.contains(&left) {
            return false;
        }
        census.of_block(self, right).iter().all(|holder| {
            let own = holder.block().is_some_and(|block| block == right || nested.contains(&block));
            own || from_left(holder) || self.is_back_link(census, *holder, right, links)
        })
    }

    /// The `prev` of what follows the region `block`, be it another node or the head of the list.
    fn is_back_link(&self, census: &Census, holder: Holder, block: BlockId, links: Links) -> bool {
        let Some(prev) = links.prev else { return false };
        let following = self.next_of(census, block, links).and_then(|next| self.exact_target(next));
        match (holder, following) {
            (Holder::Field(owner, offset), Some((after, at))) => {
                owner == after && Some(offset) == (at + prev).checked_sub(links.head)
            }
            (Holder::Prev(owner), Some((after, _))) => owner == after,
            _ => false,
        }
    }
}
