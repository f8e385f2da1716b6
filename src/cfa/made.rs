//! As what a new block is used: the structure that the first pointer of a known type to it points to; and which functions of a
//! program are allocators of its own. For what is only tried; no op depends on it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::ir::{AllocKind, BinOp, Callee, Edge, Expr, Function, FunctionId, Loc, Object, Program, Reg};
use super::op::Op;
use super::records::Record;

/// So many edges are looked at.
const MOST_EDGES: usize = 24;

impl Program {
    /// The structure that the block is used as which the edge that leaves `at` makes, or (`by_call`) the call that goes on there.
    pub fn made_as(&self, function: FunctionId, at: Loc, by_call: bool) -> Option<&Record> {
        let function = self.function(function);
        let result = |edge: &Edge| match edge.op {
            Op::Alloc { dst, .. } if !by_call => Some((dst, edge.target)),
            Op::Call { dst: Some(dst), .. } if by_call && edge.target == at => Some((dst, at)),
            _ => None,
        };
        let (value, from) = match by_call {
            true => function.locations.iter().flat_map(|location| &location.edges).find_map(result)?,
            false => function.location(at).edges.iter().find_map(result)?,
        };
        self.used_as(function, value, from)
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

    /// Marks the functions that hand out what they allocate as nothing in particular.
    pub(super) fn mark_allocators(&mut self) {
        loop {
            let is_new = |function: &&Function| !function.library && !function.allocator && self.is_allocator(function);
            let found: Vec<Arc<str>> =
                self.functions.iter().filter(is_new).map(|function| function.name.clone()).collect();
            if found.is_empty() {
                return;
            }
            for function in self.functions.iter_mut().filter(|function| found.contains(&function.name)) {
                function.allocator = true;
            }
        }
    }

    /// Whether all that `function` allocates, and it does, is returned and used for nothing else.
    fn is_allocator(&self, function: &Function) -> bool {
        let makes = |edge: &Edge| match &edge.op {
            Op::Alloc { dst, kind: AllocKind::Heap, .. } => Some((*dst, edge.target)),
            Op::Call { dst: Some(dst), callee: Callee::Direct(callee), .. } => {
                let callee = self.function(*callee);
                let makes = |edge: &Edge| matches!(edge.op, Op::Alloc { kind: AllocKind::Heap, .. });
                let is_model =
                    callee.library && callee.locations.iter().flat_map(|location| &location.edges).any(makes);
                (callee.allocator || is_model).then_some((*dst, edge.target))
            }
            _ => None,
        };
        let hands_out = |(value, from): (Reg, Loc)| {
            let uses = uses(function, value, from);
            let is_returned =
                |(value, edge): &(Reg, &Edge)| matches!(&edge.op, Op::Return { value: Some(out) } if is(*value, out));
            let is_written = |(value, edge): &(Reg, &Edge)| match &edge.op {
                Op::Store { addr, value: stored } => is(*value, stored) || is(*value, base_and_offset(addr).0),
                _ => false,
            };
            uses.iter().any(is_returned)
                && !uses.iter().any(is_written)
                && self.used_as(function, value, from).is_none()
        };
        let mut made = function.locations.iter().flat_map(|location| &location.edges).filter_map(makes).peekable();
        made.peek().is_some() && made.all(hands_out)
    }

    /// What the pointer at `place` points to, as far as types tell.
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
            waiting.push_back((value, edge.target));
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
             struct two table; struct one *same(struct one *o) {{ return o; }}\n\
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
                Op::Alloc { .. } => Some((at, false)),
                Op::Call { dst: Some(_), .. } => Some((edge.target, true)),
                _ => None,
            })
        });
        sites.map(|(at, by_call)| program.made_as(id, at, by_call).map(|record| record.size)).collect()
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
    }

    #[test]
    fn blocks_of_no_known_type_are_used_as_none() {
        assert_eq!(made("void *raw = malloc(24); int *numbers = malloc(8); (void) raw; (void) numbers;"), [None, None]);
        assert_eq!(made("struct one **rows = malloc(8); rows[0] = 0;"), [None]);
    }
}
