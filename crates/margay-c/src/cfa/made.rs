//! As what a new block is used: the structure that the first pointer of a known type to it points to; and which of
//! them functions of the program, allocators of its own, hand out. For what is only tried; no op depends on it.

use std::collections::VecDeque;

use super::ir::{AllocKind, Allocation, BinOp, Callee, Edge, Expr, Function, FunctionId, Loc, Object, Program, Reg};
use super::liveness::defined;
use super::op::Op;
use super::records::Record;

/// So many edges are looked at.
const MOST_EDGES: usize = 24;

impl Program {
    /// The structure that the block is used as which an allocation of a function makes.
    pub fn made_as(&self, function: FunctionId, allocation: Allocation) -> Option<&Record> {
        let function = self.function(function);
        let edge = function.making(allocation)?;
        self.used_as(function, defined(&edge.op)?, edge.target)
    }

    /// What `value` points to at `from`, by the type of its register or of a place that it is written to soon.
    fn used_as(&self, function: &Function, value: Reg, from: Loc) -> Option<&Record> {
        let declared = |reg: Reg| self.records.pointed(&function.regs[reg.index()].c_type);
        let uses = uses(function, value, from);
        declared(value).or_else(|| {
            uses.into_iter().find_map(|(value, edge)| match &edge.op {
                Op::Assign { dst, value: from } if is(value, from) => declared(*dst),
                Op::Store { addr, value: stored } if is(value, stored) => self.member_at(function, addr),
                _ => None,
            })
        })
    }

    /// Marks what functions hand out.
    pub(super) fn mark_handed_out(&mut self) {
        let is_made = |edge: &Edge| matches!(edge.op, Op::Alloc { kind: AllocKind::Heap, .. });
        let makes = |function: &Function| function.locations.iter().flat_map(|location| &location.edges).any(is_made);
        // Models of library functions are part of their callers.
        let mut hand_out: Vec<bool> =
            self.functions.iter().map(|function| function.library && makes(function)).collect();
        loop {
            let own =
                |function: &Function| if function.library { Vec::new() } else { self.handed_out(function, &hand_out) };
            let found: Vec<Vec<Allocation>> = self.functions.iter().map(own).collect();
            if self.functions.iter().zip(&found).all(|(function, found)| function.hands_out == *found) {
                return;
            }
            for (index, found) in found.into_iter().enumerate() {
                hand_out[index] |= !found.is_empty();
                self.functions[index].hands_out = found;
            }
        }
    }

    /// The allocations in `function` whose blocks are returned and used for nothing else; its callees `hand_out` theirs or not.
    fn handed_out(&self, function: &Function, hand_out: &[bool]) -> Vec<Allocation> {
        let is_handed_out = |value: Reg, from: Loc| {
            let uses = uses(function, value, from);
            let is_returned =
                |(value, edge): &(Reg, &Edge)| matches!(&edge.op, Op::Return { value: Some(out) } if is(*value, out));
            let is_written = |(value, edge): &(Reg, &Edge)| match &edge.op {
                Op::Store { addr, .. } => is(*value, base_and_offset(addr).0),
                _ => false,
            };
            uses.iter().any(is_returned)
                && !uses.iter().any(is_written)
                && self.used_as(function, value, from).is_none()
        };
        let made = function.locations.iter().enumerate().flat_map(|(at, location)| {
            location.edges.iter().filter_map(move |edge| match &edge.op {
                Op::Alloc { dst, kind: AllocKind::Heap, .. } => Some((Allocation::At(Loc::from_index(at)), *dst, edge)),
                Op::Call { dst: Some(dst), callee: Callee::Direct(callee), .. } => {
                    hand_out[callee.index()].then_some((Allocation::Before(edge.target), *dst, edge))
                }
                _ => None,
            })
        });
        let handed_out = made.filter(|(_, dst, edge)| is_handed_out(*dst, edge.target));
        handed_out.map(|(allocation, ..)| allocation).collect()
    }

    /// What the pointer at `place` points to, as far as types say.
    fn member_at(&self, function: &Function, place: &Expr) -> Option<&Record> {
        let (base, offset) = base_and_offset(place);
        let around = match base {
            Expr::Reg(reg, _) => self.records.pointed(&function.regs[reg.index()].c_type)?,
            Expr::Address(Object::Global(id), _) => self.records.get(&self.globals[id.index()].c_type)?,
            Expr::Address(Object::Slot(slot), _) => self.records.get(&function.slots[slot.index()].c_type)?,
            _ => return None,
        };
        self.records.pointed(&around.pointer(offset)?.c_type)
    }
}

/// What is done next where `value` is known at `from`, with the registers that hold it then.
fn uses(function: &Function, value: Reg, from: Loc) -> Vec<(Reg, &Edge)> {
    let mut waiting = VecDeque::from([(value, from)]);
    let mut uses = Vec::new();
    while let Some((value, at)) = waiting.pop_front() {
        for edge in &function.location(at).edges {
            if uses.len() == MOST_EDGES {
                return uses;
            }
            if let Op::Assign { dst, value: from } = &edge.op
                && is(value, from)
            {
                waiting.push_back((*dst, edge.target));
            }
            uses.push((value, edge));
            // A temporary may be used again for something else.
            if defined(&edge.op) != Some(value) {
                waiting.push_back((value, edge.target));
            }
        }
    }
    uses
}

fn is(value: Reg, expr: &Expr) -> bool {
    matches!(expr, Expr::Reg(reg, _) if *reg == value)
}

/// A place as one plus bytes.
fn base_and_offset(place: &Expr) -> (&Expr, u64) {
    let parts = |place: &'_ Expr| match place {
        Expr::Binary(BinOp::Add, _, offset) => u64::try_from(offset.as_const()?.value).ok(),
        _ => None,
    };
    match (place, parts(place)) {
        (Expr::Binary(_, base, _), Some(offset)) => (base, offset),
        _ => (place, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{SourceText, parse};
    use crate::cfa::{LowerOptions, lower};
    use crate::task::DataModel;

    /// What the blocks that `main` allocates are used as, in order.
    fn made(body: &str) -> Vec<Option<u64>> {
        let text = format!(
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long);\n\
             struct one {{ struct one *next; long a; long b; }}; struct two {{ struct two *next; struct one *first; }};\n\
             struct two table;\n\
             int main(void) {{ {body} return 0; }}"
        );
        let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap();
        let program = lower(&unit, &LowerOptions::default()).unwrap();
        let (id, main) = (0..program.functions.len())
            .map(FunctionId::from_index)
            .map(|id| (id, program.function(id)))
            .find(|(_, function)| &*function.name == "main")
            .unwrap();
        let sites = (0..main.locations.len()).map(Loc::from_index).flat_map(|at| {
            main.location(at).edges.iter().filter_map(move |edge| match &edge.op {
                Op::Alloc { .. } => Some(Allocation::At(at)),
                Op::Call { dst: Some(_), .. } => Some(Allocation::Before(edge.target)),
                _ => None,
            })
        });
        sites.map(|allocation| program.made_as(id, allocation).map(|record| record.size)).collect()
    }

    #[test]
    fn blocks_are_used_as_what_first_points_to_them() {
        assert_eq!(made("struct one *a = malloc(24); struct two *b = malloc(16);"), [Some(24), Some(16)]);
        assert_eq!(made("struct two t; t.first = malloc(24); t.next = malloc(16);"), [Some(24), Some(16)]);
        assert_eq!(
            made("table.first = malloc(24); struct two *l = &table; l->next = malloc(16);"),
            [Some(24), Some(16)]
        );
        assert_eq!(made("void *raw = malloc(24); if (!raw) return 1; struct one *a = raw;"), [Some(24)]);
        assert_eq!(made("struct two *b = calloc(1, 16);"), [Some(16)]);
        // By one temporary.
        let places = "static void *place; void **raw = &place;";
        assert_eq!(made(&format!("{places} *raw = malloc(8); table.first = malloc(24);")), [None, Some(24)]);
    }

    /// How many allocations of each of these functions are handed out.
    fn handed_out(functions: &str, names: &[&str]) -> Vec<usize> {
        let text = format!(
            "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void abort(void);\n\
             struct log {{ struct log *older; void *what; }} *logs; {functions}"
        );
        let unit = parse(&SourceText::from_text("t.c", &text, DataModel::Lp64)).unwrap();
        let program = lower(&unit, &LowerOptions::default()).unwrap();
        let of =
            |name: &&str| program.functions.iter().find(|function| &*function.name == *name).unwrap().hands_out.len();
        names.iter().map(of).collect()
    }

    #[test]
    fn what_allocators_of_the_program_return_is_handed_out() {
        let functions = "void *get(unsigned long n) { void *p = malloc(n); if (!p) abort(); return p; }\n\
                         void *clear(unsigned long n) { char *p = get(n); p[0] = 0; return p; }\n\
                         void *again(unsigned long n) { return get(n); }\n\
                         void *noted(unsigned long n) { void *p = calloc(1, n); struct log *l = get(sizeof *l); l->older = logs;\n\
                         l->what = p; logs = l; return p; }\n\
                         struct log *typed(void) { return malloc(16); } struct log *made(void) { struct log *l = malloc(16); return l; }\n\
                         void *kept(void) { void *p = malloc(8); logs->what = p; return 0; }\n\
                         int main(void) { clear(8); again(8); noted(8); typed(); made(); kept(); return 0; }";
        // What is written to is used for something, and what has a type is of that type.
        let names = ["get", "clear", "again", "noted", "made", "kept", "main"];
        assert_eq!(handed_out(functions, &names), [1, 0, 1, 1, 0, 0, 0]);
    }

    #[test]
    fn blocks_of_no_known_type_are_used_as_none() {
        assert_eq!(made("void *raw = malloc(24); int *numbers = malloc(8); (void) raw; (void) numbers;"), [None, None]);
        assert_eq!(made("struct one **rows = malloc(8); rows[0] = 0;"), [None]);
    }
}
