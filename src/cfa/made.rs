//! As what a new block is used: the structure that the first pointer of a known type to it points to. For what is only tried; no op
//! depends on it.

use super::ir::{BinOp, Edge, Expr, Function, FunctionId, Loc, Object, Program, Reg};
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
        let mut waiting = vec![(value, from)];
        let mut looked = 0;
        while let Some((value, at)) = waiting.pop() {
            if let Some(record) = declared(value) {
                return Some(record);
            }
            let is_value = |expr: &Expr| matches!(expr, Expr::Reg(reg, _) if *reg == value);
            for edge in &function.location(at).edges {
                looked += 1;
                if looked > MOST_EDGES {
                    return None;
                }
                match &edge.op {
                    Op::Assign { dst, value } if is_value(value) => waiting.push((*dst, edge.target)),
                    Op::Store { addr, value } if is_value(value) => {
                        if let Some(record) = self.member_at(function, addr) {
                            return Some(record);
                        }
                    }
                    _ => {}
                }
                waiting.push((value, edge.target));
            }
        }
        None
    }

    /// What the pointer at `place` points to, as far as types tell.
    fn member_at(&self, function: &Function, place: &Expr) -> Option<&Record> {
        let (base, offset) = match place {
            Expr::Binary(BinOp::Add, base, offset) => (&**base, u64::try_from(offset.as_const()?.value).ok()?),
            base => (base, 0),
        };
        let around = match base {
            Expr::Reg(reg, _) => self.records.pointed(&function.regs[reg.index()].c_type)?,
            Expr::Address(Object::Global(id), _) => self.records.get(&self.globals[id.index()].c_type)?,
            Expr::Address(Object::Slot(slot), _) => self.records.get(&function.slots[slot.index()].c_type)?,
            _ => return None,
        };
        self.records.pointed(&around.pointer(offset)?.c_type)
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
