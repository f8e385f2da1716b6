//! Cells that lead into one object, which is there without them: the words of a line, say. Such cells are a run that says behind which
//! place none of them leads.
//!
//! ```text
//!   fields   │ ● │ ● │ ● │   │        [0 .. n): cell - line ≤ end
//!              │   └─┐ └──────┐
//!   line     │ a │ 0 │ b │ c │ 0 │
//!                              end
//! ```

use super::arrays::last_zero;
use crate::heap::{Smg, Target};
use crate::smt::Term;

/// Ends of texts in one object that are tried as limits.
const MOST_ENDS: usize = 4;

/// The address of the object that a value leads into, where that is reached without the value.
pub(super) fn origin(memory: &Smg, value: Term) -> Option<Term> {
    let Target::Object { block, .. } = memory.target(value) else { return None };
    let object = memory.object(block)?;
    (object.valid && object.is_region() && !object.kind.can_hang()).then_some(object.address)
}

/// What may be said of a cell that leads into the object at `origin`, the most first: that it leads to no place behind the end of a
/// text, or behind the object.
pub(super) fn within(memory: &Smg, cell: Term, origin: Term) -> Vec<Term> {
    let context = memory.context();
    let terms = &context.terms;
    let Target::Object { block, .. } = memory.target(origin) else { return Vec::new() };
    let Some(object) = memory.object(block) else { return Vec::new() };
    let last = last_zero(context, object).map(|offset| context.pointer_constant(offset));
    let ends = object.content.ends_of_texts(context).take(MOST_ENDS);
    let limits = last.into_iter().chain(ends).chain([object.size]);
    limits.map(|limit| terms.ule(terms.sub(cell, origin), limit)).collect()
}
