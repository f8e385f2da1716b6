//! What conditions of a loop compare its numbers with and its rounds leave as it is: `size - 1` in `if (n < size - 1) a[n++] = c;`, a
//! capacity in a structure. Where a state knows what it is, it is a bound worth stopping at, as constants of the text are.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::limits::MOST_GUARDS;
use super::nest::loop_at;
use crate::cfa::{BinOp, Bits, Conversion, Expr, Function, Object, Op, Program, Reg, UnOp, defined, predecessors};
use crate::fold::Place;
use crate::heap::{Smg, State};
use crate::memory::Memory;
use crate::numeric::Thresholds;
use crate::smt::Term;

/// By the head of a loop, made when it is first asked for.
#[derive(Default)]
pub(super) struct Guards(RefCell<FxHashMap<Place, Rc<[Side]>>>);

/// A side of a comparison, down to registers that the loop does not set and memory that it does not write.
#[derive(Clone, Debug, PartialEq)]
enum Side {
    Const(Bits),
    Reg(Reg),
    Address(Object),
    /// So many bytes at an address.
    Read(Box<Side>, u32),
    Unary(UnOp, Box<Side>),
    Binary(BinOp, Box<Side>, Box<Side>),
    Convert(Conversion, u32, Box<Side>),
}

/// Operators and temporaries inside one another that are looked through.
const DEEPEST: u32 = 12;

impl Guards {
    /// `known`, and what conditions of the loop at whose head `state` stands compare with in this state; `None`: no more than `known`.
    pub fn thresholds(&self, program: &Program, state: &State, known: &Thresholds) -> Option<Thresholds> {
        let top = state.top();
        let at = (top.function, top.at);
        let sides = self.0.borrow_mut().entry(at).or_insert_with(|| steady_sides(program, at).into()).clone();
        if sides.is_empty() {
            return None;
        }
        let mut memory = state.memory.clone();
        let mut all: Option<Thresholds> = None;
        for side in sides.iter() {
            let Some(value) = side.value(state, &mut memory) else { continue };
            let terms = &state.memory.context().terms;
            let (Some(constant), width) = (terms.as_signed_const(value), terms.width(value)) else { continue };
            let around = [constant.saturating_sub(1), constant, constant.saturating_add(1)];
            all.get_or_insert_with(|| known.clone()).add(around, width);
        }
        all
    }
}

/// Those of the loop with this head.
fn steady_sides(program: &Program, (function, head): Place) -> Vec<Side> {
    let function = program.function(function);
    if !function.location(head).loop_head {
        return Vec::new();
    }
    let body = loop_at(function, head);
    let edges = || body.iter().flat_map(|at| function.locations[*at].edges.iter().map(move |edge| (*at, &edge.op)));
    let set = edges().filter_map(|(_, op)| defined(op)).collect();
    let before = predecessors(function);
    let rounds = Rounds { function, before: &before, set: &set };
    let written: Vec<Side> = edges()
        .filter_map(|(at, op)| match op {
            Op::Store { addr, .. } => rounds.side(at, addr, DEEPEST),
            _ => None,
        })
        .collect();
    let mut steady: Vec<Side> = Vec::new();
    for (at, op) in edges() {
        let Op::Assume(condition) = op else { continue };
        condition.visit(&mut |part| {
            let Expr::Binary(op, left, right) = part else { return };
            for side in [left, right].into_iter().filter(|_| op.is_comparison()) {
                let Some(side) = rounds.side(at, side, DEEPEST) else { continue };
                if steady.len() < MOST_GUARDS && side.depends() && !side.reads_any(&written) && !steady.contains(&side)
                {
                    steady.push(side);
                }
            }
        });
    }
    steady
}

/// The rounds of a loop.
struct Rounds<'a> {
    function: &'a Function,
    before: &'a [Vec<usize>],
    /// The registers that they set.
    set: &'a FxHashSet<Reg>,
}

impl Rounds<'_> {
    /// What an expression at a location is, where no round changes it but in temporaries that are set just before.
    fn side(&self, at: usize, expr: &Expr, deepest: u32) -> Option<Side> {
        let deeper = deepest.checked_sub(1)?;
        let part = |part: &Expr| self.side(at, part, deeper).map(Box::new);
        Some(match expr {
            Expr::Const(bits) => Side::Const(*bits),
            Expr::Reg(reg, _) if !self.set.contains(reg) => Side::Reg(*reg),
            Expr::Reg(reg, _) => return self.made(at, *reg, deeper),
            Expr::Address(object, _) => Side::Address(*object),
            Expr::Unary(op, operand) => Side::Unary(*op, part(operand)?),
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), left, right) => {
                Side::Binary(*op, part(left)?, part(right)?)
            }
            Expr::Convert(conversion, width, operand) => Side::Convert(*conversion, *width, part(operand)?),
            _ => return None,
        })
    }

    /// What a register is that was set on the only way to a location.
    fn made(&self, at: usize, reg: Reg, deepest: u32) -> Option<Side> {
        let mut at = at;
        while let [from] = self.before[at][..] {
            let edge = self.function.locations[from].edges.iter().find(|edge| edge.target.index() == at)?;
            if defined(&edge.op) == Some(reg) {
                return match &edge.op {
                    Op::Assign { value, .. } => self.side(from, value, deepest),
                    Op::Load { addr, .. } => {
                        let bytes = self.function.regs[reg.index()].width / 8;
                        Some(Side::Read(Box::new(self.side(from, addr, deepest)?), bytes))
                    }
                    _ => None,
                };
            }
            at = from;
        }
        None
    }
}

impl Side {
    fn parts(&self) -> Vec<&Side> {
        match self {
            Side::Const(_) | Side::Reg(_) | Side::Address(_) => Vec::new(),
            Side::Read(part, _) | Side::Unary(_, part) | Side::Convert(_, _, part) => vec![part],
            Side::Binary(_, left, right) => vec![left, right],
        }
    }

    /// Whether it depends on a register or on memory: constants are bounds anyway.
    fn depends(&self) -> bool {
        matches!(self, Side::Reg(_) | Side::Read(..)) || self.parts().into_iter().any(Side::depends)
    }

    /// Whether it reads memory at one of these addresses.
    fn reads_any(&self, addresses: &[Side]) -> bool {
        matches!(self, Side::Read(addr, _) if addresses.contains(addr))
            || self.parts().into_iter().any(|part| part.reads_any(addresses))
    }

    /// Its value in the state, where it is known.
    fn value(&self, state: &State, memory: &mut Smg) -> Option<Term> {
        Some(match self {
            Side::Const(bits) => memory.constant(*bits),
            Side::Reg(reg) => state.top().regs[reg.index()]?,
            Side::Address(Object::Global(global)) => memory.block_address(state.globals[global.index()]),
            Side::Address(Object::Slot(slot)) => memory.block_address(state.top().slots[slot.index()]?),
            Side::Address(Object::Function(_)) => return None,
            Side::Read(addr, bytes) => {
                let addr = addr.value(state, memory)?;
                memory.peek(&addr, *bytes)?
            }
            Side::Unary(op, operand) => {
                let operand = operand.value(state, memory)?;
                memory.unary(*op, &operand)
            }
            Side::Binary(op, left, right) => {
                let (left, right) = (left.value(state, memory)?, right.value(state, memory)?);
                memory.binary(*op, &left, &right)
            }
            Side::Convert(conversion, width, operand) => {
                let operand = operand.value(state, memory)?;
                memory.convert(*conversion, *width, &operand)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::with_big_stack;
    use crate::cfa::{FunctionId, Loc};
    use crate::frame::probe_tests::program;

    /// The steady sides of the only loop of `f`, which `main` calls, by the names of variables.
    fn steady(function: &'static str, call: &'static str) -> Vec<String> {
        with_big_stack(move || {
            let program = program(function, "unsigned n", "n", call);
            let index = program.functions.iter().position(|function| &*function.name == "f").expect("it is called");
            let f = &program.functions[index];
            let head = f.locations.iter().position(|location| location.loop_head).expect("it has a loop");
            let sides = steady_sides(&program, (FunctionId::from_index(index), Loc::from_index(head)));
            sides.iter().map(|side| in_words(f, side)).collect()
        })
    }

    fn in_words(f: &Function, side: &Side) -> String {
        match side {
            Side::Const(bits) => bits.signed().to_string(),
            Side::Reg(reg) => f.regs[reg.index()].name.as_ref().map_or("temporary".into(), ToString::to_string),
            Side::Read(addr, bytes) => format!("{bytes} at {}", in_words(f, addr)),
            Side::Binary(op, left, right) => format!("{op:?} {} {}", in_words(f, left), in_words(f, right)),
            other => format!("{other:?}"),
        }
    }

    /// What the loop changes is no bound; what it leaves alone is, with what is taken from it.
    #[test]
    fn what_rounds_leave_alone_is_steady() {
        let text = "unsigned f(unsigned size) {
            unsigned n = 0, m = 9;
            while (__VERIFIER_nondet_uint()) { if (n < size - 1) n++; if (n < m) m--; if (n < 70) n++; }
            return n;
        }";
        assert_eq!(steady(text, "f(7);"), ["Add size -1"]);
    }

    /// Members that nothing is stored to are steady, those that count are not, whatever temporaries they are read into.
    #[test]
    fn members_are_steady_unless_they_are_written() {
        let text = "struct s { unsigned count, room; };
            void f(struct s *s) { while (__VERIFIER_nondet_uint()) if (s->count < s->room) s->count++; }";
        assert_eq!(steady(text, "struct s s = {0, 9}; f(&s);"), ["4 at Add s 4"]);
    }

    /// What differs by the way that was taken is not steady.
    #[test]
    fn what_ways_differ_in_is_not_steady() {
        let text = "unsigned f(unsigned size) {
            unsigned n = 0;
            while (__VERIFIER_nondet_uint()) if (n < (__VERIFIER_nondet_uint() ? size : 4)) n++;
            return n;
        }";
        assert_eq!(steady(text, "f(7);"), [""; 0]);
    }
}
