//! Which objects are arrays, and how large their elements are, as far as a program's text says.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::cfa::{Allocation, BinOp, Callee, Expr, FunctionId, GlobalId, Loc, Op, Program, SlotId, for_exprs};
use crate::memory::Site;

/// The objects that a program declares as arrays, and those it makes of a number of elements.
#[derive(Debug, Default)]
pub struct Elements {
    /// Bytes of an element, where it is known.
    arrays: FxHashMap<Site, Option<u64>>,
    /// What numbers are multiplied by for places in memory, in bytes.
    sizes: BTreeSet<u64>,
    /// Arrays whose elements are texts, or structures with a text.
    of_texts: FxHashSet<Site>,
}

impl Elements {
    /// Those of the whole text, functions of the library included.
    pub fn of(program: &Program) -> Self {
        let mut arrays = FxHashMap::default();
        let mut of_texts = FxHashSet::default();
        let mut sizes = BTreeSet::new();
        let width = 8 * program.model.pointer_bytes();
        let mut declare = |site: Site, c_type: &str, bytes: u64| {
            if is_array(c_type) {
                arrays.insert(site, of_type(c_type, bytes));
                of_texts.extend(are_rows_of_text(c_type).then_some(site));
            }
        };
        for (id, global) in (0..).map(GlobalId).zip(&program.globals) {
            declare(Site::Global(id), &global.c_type, global.size);
        }
        for (function, body) in (0..).map(FunctionId).zip(&program.functions) {
            for (id, slot) in (0..).map(SlotId).zip(&body.slots) {
                declare(Site::Slot(function, id), &slot.c_type, slot.size);
            }
        }
        for (id, function) in (0..).map(FunctionId).zip(&program.functions) {
            for (at, location) in (0..).map(Loc).zip(&function.locations) {
                for edge in &location.edges {
                    let mut add = |size: i128| sizes.extend(u32::try_from(size).map(u64::from));
                    for_exprs(&edge.op, &mut |expr| factors(expr, width, &mut add));
                    let made = match &edge.op {
                        Op::Alloc { size, .. } => Some((element(size), Allocation::At(at))),
                        Op::Call { callee: Callee::Direct(callee), args, .. } if program.function(*callee).library => {
                            Some((args.iter().find_map(element), Allocation::Before(edge.target)))
                        }
                        _ => None,
                    };
                    if let Some((Some(bytes), place)) = made {
                        arrays.insert(Site::Made(id, place), bytes);
                    }
                }
            }
        }
        // As small as a pointer are numbers, too, which some structure with a text may be as large as.
        let is_record = |size: &u64| *size > program.model.pointer_bytes().into();
        let has_text = |size: &Option<u64>| size.filter(is_record).is_some_and(|size| program.records.has_text(size));
        of_texts.extend(arrays.iter().filter(|(_, size)| has_text(size)).map(|(site, _)| *site));
        Self { arrays, sizes, of_texts }
    }

    /// Whether some array has elements that are or hold texts.
    pub fn have_texts(&self) -> bool {
        !self.of_texts.is_empty()
    }

    /// Whether elements of the object are texts, or structures with a text.
    pub fn are_texts(&self, site: &Site) -> bool {
        self.of_texts.contains(site)
    }

    /// Whether the object is one.
    pub fn contains(&self, site: &Site) -> bool {
        self.arrays.contains_key(site)
    }

    /// Bytes of an element of the object, where that is known.
    pub fn size(&self, site: &Site) -> Option<u64> {
        *self.arrays.get(site)?
    }

    /// Bytes that elements of some array have, the most first.
    pub fn sizes(&self) -> impl Iterator<Item = u64> + '_ {
        self.sizes.iter().rev().copied()
    }
}

fn is_array(c_type: &str) -> bool {
    c_type.ends_with(']')
}

/// Whether arrays of this type have arrays of characters as elements.
fn are_rows_of_text(c_type: &str) -> bool {
    c_type.split_once('[').is_some_and(|(base, lengths)| base.ends_with("char") && lengths.contains('['))
}

/// Bytes of an element of an array of this type that has `bytes`: `int[3][4]` is one of three elements.
fn of_type(c_type: &str, bytes: u64) -> Option<u64> {
    let lengths = c_type.rsplit(['*', ')']).next()?;
    let count = lengths.split_once('[')?.1.split_once(']')?.0.parse::<u64>().ok().filter(|count| *count > 0)?;
    Some(bytes / count)
}

/// If this size is a number of elements, which is no constant, times their size: that size, where it is written as a factor.
fn element(size: &Expr) -> Option<Option<u64>> {
    match size {
        Expr::Convert(_, _, inner) => element(inner),
        Expr::Binary(op @ (BinOp::Mul | BinOp::Shl), count, by) => match (&**count, &**by) {
            (Expr::Const(_), Expr::Const(_)) => None,
            (Expr::Const(size), _) | (_, Expr::Const(size)) => {
                Some(u64::try_from(size.signed()).ok().filter(|_| *op == BinOp::Mul))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Visits what numbers of `width` bits are multiplied by.
pub(super) fn factors(expr: &Expr, width: u32, visit: &mut dyn FnMut(i128)) {
    expr.visit(&mut |part| {
        if let Expr::Binary(BinOp::Mul, _, size) = part
            && let Expr::Const(size) = **size
            && size.width == width
            && size.signed() > 1
        {
            visit(size.signed());
        }
    });
}
