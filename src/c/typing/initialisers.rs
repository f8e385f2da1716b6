//! Initialisers → canonical lists of (offset, value): designators, brace elision, strings.

use lang_c::ast::{self, Designator, Expression as Ast, Initializer};
use lang_c::span::Node;

use super::Typer;
use super::literals::string_init;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{Expr, Init, InitEntry};
use crate::c::types::{ArrayLength, BitField, Type, TypeId};

/// More entries than any real table has; range designators could ask for more memory than there is.
const MAX_ENTRIES: usize = 4_000_000;

/// The items of one brace pair, with a cursor; `typed` holds the expression at the cursor once it had to be looked at.
struct Items<'a> {
    list: &'a [Node<ast::InitializerListItem>],
    at: usize,
    typed: Option<Expr>,
}

/// Where a value goes.
#[derive(Clone, Copy)]
struct Slot {
    ty: TypeId,
    offset: u64,
    bits: Option<BitField>,
}

impl<'a> Items<'a> {
    fn peek(&self) -> Option<&'a ast::InitializerListItem> {
        self.list.get(self.at).map(|n| &n.node)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.typed = None;
    }
}

impl<'a> Typer<'a> {
    /// The initialiser of an object of type `ty`, and the object's type with its array length completed.
    pub(super) fn initialiser(
        &mut self,
        ty: TypeId,
        node: &'a Node<Initializer>,
        span: Span,
    ) -> Result<(TypeId, Init)> {
        match &node.node {
            Initializer::List(items) => self.list_initialiser(ty, items, span),
            Initializer::Expression(e) => {
                if let Some((ty, init)) = self.string_initialiser(ty, e)? {
                    return Ok((ty, init));
                }
                if let (Type::Array { .. }, Ast::CompoundLiteral(literal)) = (self.types.get(ty), &e.node) {
                    // GNU: an array from a compound literal of array type.
                    return self.list_initialiser(ty, &literal.node.initializer_list, span);
                }
                if matches!(self.types.get(ty), Type::Array { .. }) {
                    return self.constraint(span, "an array needs a list as its initialiser");
                }
                let value = self.rvalue(e)?;
                let value = self.assign_convert(value, ty)?;
                Ok((ty, Init::Expr(value)))
            }
        }
    }

    /// `{ … }` for an object of type `ty`.
    pub(super) fn list_initialiser(
        &mut self,
        ty: TypeId,
        list: &'a [Node<ast::InitializerListItem>],
        span: Span,
    ) -> Result<(TypeId, Init)> {
        if self.is_variable(ty) {
            return self.constraint(span, "a variable length array cannot be initialised");
        }
        if !self.is_aggregate(ty) {
            return self.braced_scalar(ty, list, span);
        }
        // `char s[] = { "text" }`.
        if let ([only], Type::Array { .. }) = (list, self.types.get(ty))
            && let (true, Initializer::Expression(e)) = (only.node.designation.is_empty(), &only.node.initializer.node)
            && let Some(done) = self.string_initialiser(ty, e)?
        {
            return Ok(done);
        }
        let mut entries = Vec::new();
        let mut items = Items { list, at: 0, typed: None };
        let slot = Slot { ty, offset: 0, bits: None };
        let length = self.fill(slot, &mut items, true, &mut entries)?;
        if items.peek().is_some() {
            self.warn(span, "more initialisers than members");
        }
        let ty = self.completed(ty, length);
        Ok((ty, Init::List(entries)))
    }

    fn braced_scalar(
        &mut self,
        ty: TypeId,
        list: &'a [Node<ast::InitializerListItem>],
        span: Span,
    ) -> Result<(TypeId, Init)> {
        match list.first() {
            // `{}` is zero.
            None => Ok((ty, Init::List(Vec::new()))),
            Some(item) => {
                let at = self.span(item);
                let at = if at.end > at.start { at } else { span };
                self.initialiser(ty, &item.node.initializer, at)
            }
        }
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Array { .. } | Type::Record(_))
    }

    /// An array of unknown length gets the one its initialiser shows.
    fn completed(&mut self, ty: TypeId, length: u64) -> TypeId {
        match *self.types.get(ty) {
            Type::Array { element, length: ArrayLength::Unknown } => {
                self.types.intern(Type::Array { element, length: ArrayLength::Known(length) })
            }
            _ => ty,
        }
    }

    /// A string literal (possibly in parentheses) for a character array.
    fn string_initialiser(&mut self, ty: TypeId, e: &'a Node<Ast>) -> Result<Option<(TypeId, Init)>> {
        let (&Type::Array { element, length }, Ast::StringLiteral(literal)) = (self.types.get(ty), &e.node) else {
            return Ok(None);
        };
        let mut text = self.string(literal)?;
        if self.types.int_kind(element).is_none() || self.types.size_of(element) != Some(text.width) {
            return Ok(None);
        }
        text.element = element;
        let full = text.units.len() as u64 + 1;
        if let ArrayLength::Known(n) = length {
            text.units.truncate(n as usize);
        }
        Ok(Some((self.completed(ty, full), string_init(&text))))
    }

    /// Fills the aggregate at `slot` from the items; without braces of its own it takes only as many as it needs and
    /// stops at a designator. Returns the number of elements an array turned out to have.
    fn fill(&mut self, slot: Slot, items: &mut Items<'a>, braced: bool, entries: &mut Vec<InitEntry>) -> Result<u64> {
        self.fill_from(slot, items, braced, 0, entries)
    }

    fn fill_from(
        &mut self,
        slot: Slot,
        items: &mut Items<'a>,
        braced: bool,
        first: u64,
        entries: &mut Vec<InitEntry>,
    ) -> Result<u64> {
        let (mut next, mut length) = (first, 0);
        while let Some(item) = items.peek() {
            if !item.designation.is_empty() {
                if !braced {
                    break;
                }
                let (index, past) = self.designated(slot, &item.designation, items, entries)?;
                next = past.max(index);
                length = length.max(next);
                continue;
            }
            let Some(member) = self.nth(slot, next) else { break };
            self.fill_one(member, items, entries)?;
            next += 1;
            length = length.max(next);
            if self.is_union(slot.ty) {
                next = u64::MAX;
            }
        }
        Ok(length)
    }

    fn is_union(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Record(id) if self.types.record(*id).is_union)
    }

    /// The slot of element or member `index`; `None` past the end.
    fn nth(&self, slot: Slot, index: u64) -> Option<Slot> {
        match self.types.get(slot.ty) {
            Type::Array { element, length } => {
                if matches!(length, ArrayLength::Known(n) if index >= *n) {
                    return None;
                }
                let size = self.types.size_of(*element)?;
                Some(Slot { ty: *element, offset: slot.offset + index.checked_mul(size)?, bits: None })
            }
            _ => {
                let fields = &self.types.layout_of(slot.ty)?.fields;
                let field = fields.get(usize::try_from(index).ok()?)?;
                Some(Slot { ty: field.ty, offset: slot.offset + field.offset, bits: field.bits })
            }
        }
    }

    /// Initialises one slot from the item at the cursor.
    fn fill_one(&mut self, slot: Slot, items: &mut Items<'a>, entries: &mut Vec<InitEntry>) -> Result<()> {
        let Some(node) = items.list.get(items.at) else { return Ok(()) };
        let span = self.span(node);
        if entries.len() > MAX_ENTRIES {
            return self.unsupported(span, "initialiser with too many elements");
        }
        let put = |value: Init, entries: &mut Vec<InitEntry>| {
            entries.push(InitEntry { offset: slot.offset, bits: slot.bits, ty: slot.ty, value });
        };
        match &node.node.initializer.node {
            Initializer::List(list) => {
                let (ty, init) = self.list_initialiser(slot.ty, list, span)?;
                items.advance();
                place(Slot { ty, ..slot }, init, entries);
            }
            Initializer::Expression(e) => {
                if items.typed.is_none()
                    && let Some((ty, init)) = self.string_initialiser(slot.ty, e)?
                {
                    items.advance();
                    place(Slot { ty, ..slot }, init, entries);
                    return Ok(());
                }
                if !self.is_aggregate(slot.ty) {
                    let value = match items.typed.take() {
                        Some(value) => value,
                        None => self.rvalue(e)?,
                    };
                    let value = self.assign_convert(value, slot.ty)?;
                    items.advance();
                    put(Init::Expr(value), entries);
                    return Ok(());
                }
                // A string for an array further inside must not be read as a pointer here.
                if matches!(self.types.get(slot.ty), Type::Record(_)) && !matches!(e.node, Ast::StringLiteral(_)) {
                    let value = match items.typed.take() {
                        Some(value) => value,
                        None => self.rvalue(e)?,
                    };
                    if matches!(self.types.get(value.ty), Type::Record(_)) && self.fits_record(&value, slot.ty) {
                        let value = self.assign_convert(value, slot.ty)?;
                        items.advance();
                        put(Init::Expr(value), entries);
                        return Ok(());
                    }
                    items.typed = Some(value);
                }
                let before = items.at;
                self.fill(slot, items, false, entries)?;
                if items.at == before {
                    // An aggregate without members takes nothing; the item goes to the next one.
                    let empty = self.types.size_of(slot.ty) == Some(0)
                        || matches!(self.types.get(slot.ty), Type::Array { length: ArrayLength::Unknown, .. });
                    if !empty {
                        return self.constraint(span, "initialiser does not fit");
                    }
                }
            }
        }
        Ok(())
    }

    fn fits_record(&mut self, value: &Expr, ty: TypeId) -> bool {
        value.ty == ty || self.assign_convert(value.clone(), ty).is_ok()
    }

    /// An item with designators: `[2] = …`, `.a.b[1] = …`, `[1 ... 5] = …`. Returns the index designated in `slot` and
    /// the one to go on with.
    fn designated(
        &mut self,
        slot: Slot,
        designation: &'a [Node<Designator>],
        items: &mut Items<'a>,
        entries: &mut Vec<InitEntry>,
    ) -> Result<(u64, u64)> {
        let Some((first, rest)) = designation.split_first() else {
            self.fill_one(slot, items, entries)?;
            return Ok((0, 0));
        };
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
                return self.designated_member(slot, &path, rest, items, entries);
            }
        };
        if !matches!(self.types.get(slot.ty), Type::Array { .. }) || high < low {
            return self.constraint(span, "index designator does not fit");
        }
        if high - low > MAX_ENTRIES as u64 {
            return self.unsupported(span, "initialiser with too many elements");
        }
        let at = items.at;
        let mut after = at + 1;
        for index in low..=high {
            items.at = at;
            items.typed = None;
            let Some(element) = self.nth(slot, index) else {
                return self.constraint(span, "index designator is beyond the array");
            };
            self.inside(element, rest, items, entries)?;
            after = items.at;
        }
        items.at = after;
        Ok((low, high + 1))
    }

    fn designated_member(
        &mut self,
        slot: Slot,
        path: &[u32],
        rest: &'a [Node<Designator>],
        items: &mut Items<'a>,
        entries: &mut Vec<InitEntry>,
    ) -> Result<(u64, u64)> {
        let Some((&first, inner)) = path.split_first() else {
            self.inside(slot, rest, items, entries)?;
            return Ok((0, 0));
        };
        let index = u64::from(first);
        let Some(member) = self.nth(slot, index) else { return Ok((index, index)) };
        if inner.is_empty() {
            self.inside(member, rest, items, entries)?;
        } else {
            // Members of an anonymous record: what follows without designator continues in there.
            let (_, next) = self.designated_member(member, inner, rest, items, entries)?;
            self.fill_from(member, items, false, next, entries)?;
        }
        let next = if self.is_union(slot.ty) { u64::MAX } else { index + 1 };
        Ok((index, next))
    }

    /// The rest of a designation, then whatever follows it inside the same subobject.
    fn inside(
        &mut self,
        slot: Slot,
        rest: &'a [Node<Designator>],
        items: &mut Items<'a>,
        entries: &mut Vec<InitEntry>,
    ) -> Result<()> {
        if rest.is_empty() {
            return self.fill_one(slot, items, entries);
        }
        let (_, next) = self.designated(slot, rest, items, entries)?;
        self.fill_from(slot, items, false, next, entries)?;
        Ok(())
    }
}

/// Puts a nested initialiser into the flat list.
fn place(slot: Slot, init: Init, entries: &mut Vec<InitEntry>) {
    match init {
        Init::List(inner) => {
            entries.extend(inner.into_iter().map(|e| InitEntry { offset: e.offset + slot.offset, ..e }));
        }
        value => entries.push(InitEntry { offset: slot.offset, bits: slot.bits, ty: slot.ty, value }),
    }
}
