//! Brace-enclosed initialiser lists → flat lists of (offset, value): designators, ranges, elided braces, overriding.

use lang_c::ast::{self, Designator, Expression as Ast, Initializer};
use lang_c::span::Node;

use super::Typer;
use crate::base::error::Result;
use crate::c::syntax::{Expr, Init, InitEntry};
use crate::c::types::{ArrayLength, BitField, Type, TypeId};

/// More entries than any real table has; range designators could ask for more memory than there is.
const MAX_ENTRIES: usize = 4_000_000;

/// The items of one brace pair, with a cursor.
struct Items<'a> {
    list: &'a [Node<ast::InitializerListItem>],
    at: usize,
    /// The expression at the cursor, once its type had to be looked at.
    typed: Option<Expr>,
    /// Index of an item whose designators have been followed already.
    followed: Option<usize>,
}

/// A subobject of the object being initialised.
#[derive(Clone, Copy)]
pub(super) struct Slot {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
    /// How many aggregates it lies in.
    depth: u32,
}

/// What has been initialised so far.
#[derive(Default)]
pub(super) struct Sink {
    pub entries: Vec<InitEntry>,
    /// Active members of unions, by the union's offset and depth.
    active: Vec<(u64, u32, u64)>,
    /// End of the furthest entry: beyond it there is nothing to override.
    end: u64,
}

impl Slot {
    pub(super) fn whole(ty: TypeId) -> Self {
        Self { ty, offset: 0, bits: None, depth: 0 }
    }
}

impl<'a> Items<'a> {
    fn new(list: &'a [Node<ast::InitializerListItem>]) -> Self {
        Self { list, at: 0, typed: None, followed: None }
    }

    fn peek(&self) -> Option<&'a ast::InitializerListItem> {
        self.list.get(self.at).map(|n| &n.node)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.typed = None;
    }
}

impl Sink {
    fn put(&mut self, slot: Slot, size: u64, value: Init) {
        self.end = self.end.max(slot.offset + size.max(1));
        self.entries.push(InitEntry { offset: slot.offset, bits: slot.bits, ty: slot.ty, value });
    }

    /// Forgets everything about a subobject of `size` bytes that is initialised anew as a whole.
    fn clear(&mut self, slot: Slot, size: u64) {
        if slot.offset >= self.end {
            return;
        }
        let range = slot.offset..slot.offset + size;
        self.entries.retain(|e| !range.contains(&e.offset));
        self.active.retain(|&(offset, depth, _)| depth < slot.depth || !range.contains(&offset));
    }
}

impl<'a> Typer<'a> {
    /// Fills the aggregate at `slot` from a list with braces of its own; returns the number of elements that an array
    /// turned out to have.
    pub(super) fn fill_braced(
        &mut self,
        slot: Slot,
        list: &'a [Node<ast::InitializerListItem>],
        sink: &mut Sink,
    ) -> Result<u64> {
        sink.clear(slot, self.slot_size(slot));
        let mut items = Items::new(list);
        self.fill_from(slot, &mut items, true, 0, sink)
    }

    fn slot_size(&self, slot: Slot) -> u64 {
        self.types.size_of(slot.ty).unwrap_or(u64::MAX >> 1)
    }

    /// Fills from member `first` on. Without braces of its own an aggregate takes only as many items as it needs and
    /// stops at a designator.
    fn fill_from(
        &mut self,
        slot: Slot,
        items: &mut Items<'a>,
        braced: bool,
        first: u64,
        sink: &mut Sink,
    ) -> Result<u64> {
        let (mut next, mut length) = (first, 0);
        while let Some(item) = items.peek() {
            if !item.designation.is_empty() && items.followed != Some(items.at) {
                if !braced {
                    break;
                }
                next = self.designated(slot, &item.designation, items, sink)?;
                length = length.max(next);
                continue;
            }
            let Some(member) = self.nth(slot, next) else {
                if !braced {
                    break;
                }
                // Too many: the rest up to the next designator is dropped.
                let span = self.span(&items.list[items.at]);
                self.warn(span, "more initialisers than members");
                items.advance();
                continue;
            };
            self.activate(slot, next, sink);
            self.fill_one(member, items, sink)?;
            next = self.after(slot, next);
            length = length.max(next);
        }
        Ok(length)
    }

    /// The index that follows `index`: a union has only one member to fill.
    fn after(&self, slot: Slot, index: u64) -> u64 {
        if self.is_union(slot.ty) { u64::MAX } else { index + 1 }
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union)
    }

    /// Another member of a union becomes the one that holds a value.
    fn activate(&mut self, slot: Slot, index: u64, sink: &mut Sink) {
        if !self.is_union(slot.ty) {
            return;
        }
        let known = sink.active.iter().position(|a| (a.0, a.1) == (slot.offset, slot.depth));
        match known {
            Some(at) if sink.active[at].2 == index => {}
            Some(_) => {
                sink.clear(slot, self.slot_size(slot));
                sink.active.push((slot.offset, slot.depth, index));
            }
            None => sink.active.push((slot.offset, slot.depth, index)),
        }
    }

    /// The slot of element or member `index`; `None` past the end.
    fn nth(&self, slot: Slot, index: u64) -> Option<Slot> {
        let depth = slot.depth + 1;
        match self.types.get(slot.ty) {
            Type::Array { element, length } => {
                let size = self.types.size_of(*element)?;
                let limit = self.types.max_object_bytes();
                let length = match length {
                    ArrayLength::Known(length) => *length,
                    // As many as there is room for.
                    _ => (limit - slot.offset.min(limit)) / size.max(1),
                };
                (index < length).then(|| Slot { ty: *element, offset: slot.offset + index * size, bits: None, depth })
            }
            _ => {
                let fields = &self.types.layout_of(slot.ty)?.fields;
                let field = fields.get(usize::try_from(index).ok()?)?;
                Some(Slot { ty: field.ty, offset: slot.offset + field.offset, bits: field.bits, depth })
            }
        }
    }

    /// Initialises one slot from the item at the cursor.
    fn fill_one(&mut self, slot: Slot, items: &mut Items<'a>, sink: &mut Sink) -> Result<()> {
        let Some(node) = items.list.get(items.at) else { return Ok(()) };
        let span = self.span(node);
        if sink.entries.len() > MAX_ENTRIES {
            return self.unsupported(span, "initialiser with too many elements");
        }
        let e = match &node.node.initializer.node {
            Initializer::List(list) => return self.fill_nested(slot, list, items, sink),
            Initializer::Expression(e) => e,
        };
        if items.typed.is_none()
            && let Some((ty, init)) = self.string_initialiser(slot.ty, e)?
        {
            items.advance();
            let slot = Slot { ty, ..slot };
            self.put_whole(slot, init, sink);
            return Ok(());
        }
        if !self.is_aggregate(slot.ty) {
            let value = self.typed(items, e)?;
            let value = self.assign_convert(value, slot.ty)?;
            items.advance();
            let size = self.slot_size(slot);
            sink.put(slot, size, Init::Expr(value));
            return Ok(());
        }
        // A string for an array further inside must not be read as a pointer here.
        if matches!(self.types.get(slot.ty), Type::Record(_)) && !matches!(e.node, Ast::StringLiteral(_)) {
            let value = self.typed(items, e)?;
            if matches!(self.types.get(value.ty), Type::Record(_))
                && let Ok(value) = self.assign_convert(value.clone(), slot.ty)
            {
                items.advance();
                self.put_whole(slot, Init::Expr(value), sink);
                return Ok(());
            }
            items.typed = Some(value);
        }
        let before = items.at;
        self.fill_from(slot, items, false, 0, sink)?;
        // An aggregate without members takes nothing; the item goes to the next one.
        let empty = self.nth(slot, 0).is_none();
        if items.at == before && !empty {
            return self.constraint(span, "initialiser does not fit");
        }
        Ok(())
    }

    fn typed(&mut self, items: &mut Items<'a>, e: &'a Node<Ast>) -> Result<Expr> {
        match items.typed.take() {
            Some(value) => Ok(value),
            None => self.rvalue(e),
        }
    }

    /// A list in braces of its own for one slot.
    fn fill_nested(
        &mut self,
        slot: Slot,
        list: &'a [Node<ast::InitializerListItem>],
        items: &mut Items<'a>,
        sink: &mut Sink,
    ) -> Result<()> {
        let span = self.span(&items.list[items.at]);
        items.advance();
        let string = match (list, self.types.get(slot.ty)) {
            ([only], Type::Array { .. }) if only.node.designation.is_empty() => match &only.node.initializer.node {
                Initializer::Expression(e) => self.string_initialiser(slot.ty, e)?,
                Initializer::List(_) => None,
            },
            _ => None,
        };
        if let Some((ty, init)) = string {
            self.put_whole(Slot { ty, ..slot }, init, sink);
        } else if self.is_aggregate(slot.ty) {
            self.fill_braced(slot, list, sink)?;
        } else {
            let (_, init) = self.braced_scalar(slot.ty, list, span)?;
            self.put_whole(slot, init, sink);
        }
        Ok(())
    }

    /// A value for the whole slot, in place of all that was there.
    fn put_whole(&mut self, slot: Slot, init: Init, sink: &mut Sink) {
        let size = self.slot_size(slot);
        if slot.bits.is_none() {
            sink.clear(slot, size);
        }
        match init {
            // Wide strings come as lists; `{}` for a scalar is zero.
            Init::List(inner) => {
                for entry in inner {
                    let at = Slot { ty: entry.ty, offset: slot.offset + entry.offset, ..slot };
                    let size = self.slot_size(at);
                    sink.put(at, size, entry.value);
                }
            }
            value => sink.put(slot, size, value),
        }
    }

    /// An item with designators: `[2] = …`, `.a.b[1] = …`, `[1 ... 5] = …`. Returns the index to go on with in `slot`.
    fn designated(
        &mut self,
        slot: Slot,
        designation: &'a [Node<Designator>],
        items: &mut Items<'a>,
        sink: &mut Sink,
    ) -> Result<u64> {
        let Some((first, rest)) = designation.split_first() else { return Ok(0) };
        let span = self.span(first);
        let (low, high) = match &first.node {
            Designator::Index(e) => {
                let index = self.unsigned_constant(e)?;
                (index, index)
            }
            Designator::Range(range) => {
                (self.unsigned_constant(&range.node.from)?, self.unsigned_constant(&range.node.to)?)
            }
            Designator::Member(name) => {
                let name = self.name_of(name);
                let Some(path) = self.types.find_member(slot.ty, name) else {
                    return self.constraint(span, format!("{} has no member `{name}`", self.types.display(slot.ty)));
                };
                return self.designated_member(slot, &path, rest, items, sink);
            }
        };
        if !matches!(self.types.get(slot.ty), Type::Array { .. }) || high < low {
            return self.constraint(span, "index designator does not fit");
        }
        if high - low > MAX_ENTRIES as u64 {
            return self.unsupported(span, "initialiser with too many elements");
        }
        for index in low..=high {
            let Some(element) = self.nth(slot, index) else {
                return self.constraint(span, "index designator is beyond the array");
            };
            if index == high {
                self.inside(element, rest, items, sink)?;
            } else {
                // All elements of a range get the one value; what follows it continues in the last element only.
                let mut only = Items::new(&items.list[items.at..=items.at]);
                self.inside(element, rest, &mut only, sink)?;
            }
        }
        Ok(high + 1)
    }

    fn designated_member(
        &mut self,
        slot: Slot,
        path: &[u32],
        rest: &'a [Node<Designator>],
        items: &mut Items<'a>,
        sink: &mut Sink,
    ) -> Result<u64> {
        let Some((&first, inner)) = path.split_first() else { return Ok(0) };
        let index = u64::from(first);
        let Some(member) = self.nth(slot, index) else { return Ok(index) };
        self.activate(slot, index, sink);
        if inner.is_empty() {
            self.inside(member, rest, items, sink)?;
        } else {
            // Members of an anonymous record: what follows without designator continues in there.
            let next = self.designated_member(member, inner, rest, items, sink)?;
            self.fill_from(member, items, false, next, sink)?;
        }
        Ok(self.after(slot, index))
    }

    /// The rest of a designation, then whatever follows it inside the same subobject.
    fn inside(
        &mut self,
        slot: Slot,
        rest: &'a [Node<Designator>],
        items: &mut Items<'a>,
        sink: &mut Sink,
    ) -> Result<()> {
        if rest.is_empty() {
            items.followed = Some(items.at);
            return self.fill_one(slot, items, sink);
        }
        let next = self.designated(slot, rest, items, sink)?;
        self.fill_from(slot, items, false, next, sink)?;
        Ok(())
    }
}
