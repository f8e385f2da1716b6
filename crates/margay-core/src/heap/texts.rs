//! Texts in the cells of arrays: one of the bytes of each cell is zero, where it stands is not known.
//!
//! ```text
//!   ┌─────────────┬─────┬─────────────┬─────┬─ ─
//!   │ name   …0…  │ age │ name   …0…  │ age │          struct { char name[32]; int age; } people[n];
//!   └─────────────┴─────┴─────────────┴─────┴─ ─
//! ```
//!
//! Such a run is what is left of zeros at known places once there are too many of them. A read of a byte
//! of a cell, or a search from there, gives its zero a name: a text of any cell is one at a known place again.

use rustc_hash::FxHashMap;

use super::context::Context;
use super::graph::Smg;
use super::limits::{LARGEST_ELEMENT, MOST_ELEMENTS, MOST_STRETCHES};
use super::run::{Layout, Run};
use super::runs::is_apart;
use crate::memory::BlockId;
use crate::smt::{Term, gcd, mask};

/// Where a place of an array lies in an element of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InElement {
    /// The number of the element.
    pub index: Term,
    /// The least and the greatest distance from the element's start, in bytes; less than the stride.
    pub within: (u64, u64),
}

/// What some bytes have of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// They lie beside it.
    None,
    /// They may be some of it.
    Some,
    /// They are all its own.
    Within,
}

impl Smg {
    /// In which element of `stride` bytes the place `offset` of an object lies; `None` where that is not known.
    pub fn in_element(&self, stride: u64, offset: Term) -> Option<InElement> {
        self.in_element_by(stride, offset, false)
    }

    /// The same; if the distance from the element's start has to be found out by the solver is up to `asks`.
    pub fn in_element_by(&self, stride: u64, offset: Term, asks: bool) -> Option<InElement> {
        let context = &self.context;
        let terms = &context.terms;
        let sum = terms.linear(offset);
        let signed = |number: u128| if number > mask(sum.width) / 2 { mask(sum.width) - number + 1 } else { number };
        let is_multiple = |factor: u128| signed(factor).is_multiple_of(stride.into());
        let parts = sum.parts.iter().filter(|(factor, _)| is_multiple(*factor));
        let multiples = parts.fold(terms.constant(0, sum.width), |total, (factor, part)| {
            terms.add(total, terms.mul(*part, terms.constant(*factor, sum.width)))
        });
        let rest = terms.sub(offset, multiples);
        let (low, high) = self.store.range(context, rest);
        let is_small = || self.entails(terms.ult(rest, terms.constant(stride.into(), sum.width)));
        let is_asked = asks && low < stride.into() && high >= stride.into() && is_small();
        let (low, high) = if is_asked { (low, u128::from(stride) - 1) } else { (low, high) };
        let (low, high) = (u64::try_from(low).ok()?, u64::try_from(high).ok()?);
        let before = low / stride;
        (high / stride == before).then_some(())?;
        let index = self.by_signs(terms.add_constant(terms.divided_by(multiples, stride)?, before.into()));
        // The element begins at an offset that is a number: no product and no sum wraps around.
        let most = (mask(sum.width) - u128::from(stride)) / u128::from(stride);
        let exists = self.entails(terms.ule(index, terms.constant(most, sum.width)));
        exists.then_some(InElement { index, within: (low - before * stride, high - before * stride) })
    }

    /// The number of the only element that `[offset, offset + bytes)` lies in, of those that a run is about, and what it has of the cell
    /// there.
    pub(super) fn in_one_element(&self, run: &Run, offset: Term, bytes: Term) -> Option<(Term, Share)> {
        let layout = run.layout;
        let terms = &self.context.terms;
        let InElement { index, within: (low, high) } = self.in_element(layout.stride, offset)?;
        let most = u64::try_from(self.store.range(&self.context, bytes).1).ok();
        let end = most.and_then(|most| high.checked_add(most)).filter(|end| *end <= layout.stride);
        // What bounds the number of bytes may be another number.
        let room = || terms.ule(bytes, terms.constant((layout.stride - high).into(), terms.width(bytes)));
        let end = end.or_else(|| (terms.as_const(bytes).is_none() && self.entails(room())).then_some(layout.stride))?;
        let (from, to) = (layout.offset, layout.offset + layout.bytes());
        // A cell that goes on in the next element would have to be looked for in two.
        (to <= layout.stride).then_some(())?;
        let share = match () {
            () if end <= from || to <= low => Share::None,
            () if from <= low && end <= to => Share::Within,
            () => Share::Some,
        };
        Some((index, share))
    }

    /// What is left of cells in which texts end by a write of a number of bytes at `offset`, be they `written`: those of which it writes
    /// none, and all where it writes zero.
    pub(super) fn texts_left(
        &self,
        run: &Run,
        (offset, bytes): (Term, Term),
        written: Option<Term>,
        left: &mut Vec<Run>,
    ) {
        let terms = &self.context.terms;
        let Some((index, share)) = self.in_one_element(run, offset, bytes) else {
            if self.entails(self.are_apart(run, offset, bytes)) {
                left.push(run.clone());
            }
            return;
        };
        let next = terms.add_constant(index, 1);
        let is_left = match share {
            Share::None => true,
            Share::Within if written.is_some_and(|value| is_zero(&self.context, value)) => true,
            Share::Within | Share::Some => self.entails(is_apart(terms, run, (index, next))),
        };
        match is_left {
            true => left.push(run.clone()),
            false => self.cut_run(run, (index, next), left),
        }
    }

    /// What runs say of cells of the element that `bytes` bytes at `from` are of, as runs of the same cells at `to`.
    pub(super) fn cells_within(&self, block: BlockId, (from, bytes): (Term, u64), to: Term) -> Vec<Run> {
        let context = &self.context;
        let terms = &context.terms;
        let Some(own_index) = terms.as_symbol(context.cell_index()) else { return Vec::new() };
        let moved = |run: &Run| {
            let layout = run.layout;
            let element = self.in_element(layout.stride, from)?;
            let (begin, end) = (element.within.0, layout.offset + layout.bytes());
            let is_copied = begin == element.within.1 && begin <= layout.offset && end <= begin.saturating_add(bytes);
            (is_copied && end <= layout.stride && self.entails(run.contains(terms, element.index))).then_some(())?;
            let cell = terms.add_constant(to, (layout.offset - begin).into());
            let InElement { index, within: (offset, most) } = self.in_element(layout.stride, cell)?;
            (offset == most && offset + layout.bytes() <= layout.stride).then_some(())?;
            let by = FxHashMap::from_iter([(own_index, element.index)]);
            let facts = run.facts.iter().map(|fact| terms.substitute(*fact, &by)).collect();
            let (first, last) = (index, terms.add_constant(index, 1));
            Some(Run { layout: Layout { offset, ..layout }, first, last, facts, read: false, ..run.clone() })
        };
        let runs = self.runs(block);
        runs.iter().filter(|run| run.layout != Layout::BYTES && run.table.is_none()).filter_map(moved).collect()
    }

    /// Whether a number of bytes at `offset` lies beside all cells of the run.
    pub(super) fn is_beside_cells(&self, run: &Run, (offset, bytes): (Term, Term)) -> bool {
        let share = self.in_one_element(run, offset, bytes);
        share.is_some_and(|(_, share)| share == Share::None) || self.entails(self.are_apart(run, offset, bytes))
    }

    /// Gives the zero a name that is in the cell at `offset`, or in the next cell of its element behind it, where a text is known to end in it.
    pub(super) fn open_text(&mut self, block: BlockId, offset: Term) {
        let runs = self.runs(block);
        if runs.iter().all(|run| !run.text) {
            return self.open_constant_text(block, offset);
        }
        let context = self.context.clone();
        let terms = &context.terms;
        let Some(size) = self.object(block).map(|object| object.size) else { return };
        for run in runs.iter().filter(|run| run.text) {
            let Some(place) = self.in_element(run.layout.stride, offset) else { continue };
            let is_before_end = place.within.1 < run.layout.offset + run.layout.bytes();
            let is_in = || {
                let is_inside = run.layout.is_inside(terms, place.index, size);
                self.entails(terms.bool_and(is_inside, run.contains(terms, place.index)))
            };
            if !is_before_end || self.has_end_in(block, run.layout, place.index) || !is_in() {
                continue;
            }
            self.name_end(block, run.layout, place.index);
        }
    }

    /// The same where the zeros of all elements that `offset` may lie in are at places that are numbers: a table of words.
    fn open_constant_text(&mut self, block: BlockId, offset: Term) {
        let terms = &self.context.terms;
        let stride = terms.linear(offset).parts.iter().fold(0, |stride, (factor, _)| gcd(stride, *factor));
        let Some(stride) = u64::try_from(stride).ok().filter(|stride| (2..=LARGEST_ELEMENT).contains(stride)) else {
            return;
        };
        let Some(InElement { index, within: (_, most) }) = self.in_element(stride, offset) else { return };
        let Some(object) = self.object(block) else { return };
        let count = terms.as_const(object.size).map_or(0, |size| size / u128::from(stride));
        if !(1..=MOST_ELEMENTS).contains(&count)
            || !self.entails(terms.ult(index, terms.constant(count, terms.width(index))))
        {
            return;
        }
        let (low, high) = self.store.range(&self.context, index);
        let zeros = object.content.zeros(terms, usize::MAX);
        let ends = |element: u128| {
            let element = element as u64 * stride;
            zeros.iter().any(|(from, to)| *from < element + stride && element + most < *to)
        };
        let layout = Layout { offset: most, stride, bits: (8 * (stride - most)) as u32 };
        if (low..=high.min(count - 1)).all(ends) && !self.has_end_in(block, layout, index) {
            self.name_end(block, layout, index);
        }
    }

    /// Gives a name to the place of a zero that is known to be in a cell.
    fn name_end(&mut self, block: BlockId, layout: Layout, index: Term) {
        let context = self.context.clone();
        let terms = &context.terms;
        let width = terms.width(index);
        let distance = self.forgotten(width);
        self.store.assume(&context, terms.ult(distance, terms.constant(layout.bytes().into(), width)));
        let end = terms.add(layout.place(terms, index), distance);
        self.add_cell(block, end, terms.constant(0, 8), false);
    }

    /// Whether a zero at a known place is known in the cell.
    fn has_end_in(&self, block: BlockId, layout: Layout, index: Term) -> bool {
        self.runs(block).iter().filter_map(|run| run.zero_byte(&self.context)).any(|place| {
            let place = self.in_element(layout.stride, place);
            place.is_some_and(|place| place.index == index && layout.has_within(place.within))
        })
    }

    /// That one of the bytes of cell `index` of an object is zero, as far as what is known of the object says so.
    pub fn has_zero(&self, block: BlockId, layout: Layout, index: Term) -> Term {
        let context = &self.context;
        let terms = &context.terms;
        let Some(object) = self.object(block).filter(|object| object.is_region()) else { return terms.false_() };
        let begin = layout.place(terms, index);
        let end = terms.add_constant(begin, layout.bytes().into());
        // The cell lies in the object, so no sum wraps around.
        let holds = |place: Term| terms.bool_and(terms.ule(begin, place), terms.ult(place, end));
        let meets = |(from, to): (Term, Term)| terms.bool_and(terms.ult(begin, to), terms.ult(from, end));
        let runs = object.content.runs().iter().filter_map(|run| {
            let is_within = run.layout.stride == layout.stride && layout.holds(&run.layout);
            if let Some(place) = run.zero_byte(context) {
                let is_inside = run.layout.is_inside(terms, run.first, object.size);
                return Some(terms.bool_and(is_inside, holds(place)));
            }
            match run.text {
                true if is_within => Some(run.contains(terms, index)),
                true if run.is_single(terms) => {
                    let first = run.layout.place(terms, run.first);
                    let last = terms.add_constant(first, run.layout.bytes().into());
                    let is_inside = run.layout.is_inside(terms, run.first, object.size);
                    let is_in = terms.bool_and(terms.ule(begin, first), terms.ule(last, end));
                    Some(terms.bool_and(is_inside, is_in))
                }
                true => None,
                false if run.layout == Layout::BYTES && is_zero(context, run.value(context)?) => {
                    let is_any = terms.ult(run.first, run.last);
                    Some(terms.bool_and(is_any, meets((run.first, run.last))))
                }
                false if is_within && is_zero(context, run.value(context)?) => Some(run.contains(terms, index)),
                false => None,
            }
        });
        let place = |place: u64| context.pointer_constant(place);
        let zeros =
            object.content.zeros(terms, MOST_STRETCHES).into_iter().map(|(from, to)| meets((place(from), place(to))));
        runs.chain(zeros).fold(terms.false_(), |any, one| terms.bool_or(any, one))
    }
}

impl Layout {
    /// Whether the bytes at these distances from the start of an element belong to its cell.
    fn has_within(&self, (low, high): (u64, u64)) -> bool {
        self.offset <= low && high < self.offset + self.bytes()
    }

    /// Whether its cells hold those of `other`, which have the same stride.
    fn holds(&self, other: &Layout) -> bool {
        self.has_within((other.offset, other.offset + other.bytes() - 1))
    }
}

fn is_zero(context: &Context, value: Term) -> bool {
    context.terms.as_const(value) == Some(0)
}
