//! The `Memory` face of the graph.

use std::rc::Rc;

use super::access::Access;
use super::context::SymbolKind;
use super::graph::{Event, Smg};
use crate::cfa::{BinOp, Bits, Conversion, FunctionId, NondetKind, UnOp};
use crate::memory::{BlockId, BlockKind, BlockSpec, FloatOp, Memory, Outcomes, done, float_operation};
use crate::smt::{Op, Term};

impl Memory for Smg {
    type Value = Term;

    fn constant(&mut self, bits: Bits) -> Term {
        self.context.terms.constant(bits.value, bits.width)
    }

    fn width(&self, value: &Term) -> u32 {
        self.context.terms.width(*value)
    }

    fn unary(&mut self, op: UnOp, operand: &Term) -> Term {
        match op {
            UnOp::Neg => self.context.terms.neg(*operand),
            UnOp::Not => self.context.terms.not(*operand),
        }
    }

    fn binary(&mut self, op: BinOp, left: &Term, right: &Term) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let (a, b) = (*left, *right);
        match op {
            BinOp::Add => terms.add(a, b),
            BinOp::Sub => terms.sub(a, b),
            BinOp::Mul => terms.mul(a, b),
            BinOp::And => terms.and(a, b),
            BinOp::Or => terms.or(a, b),
            BinOp::Xor => terms.xor(a, b),
            BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem => self.divide(op, a, b),
            BinOp::Shl | BinOp::LShr | BinOp::AShr => self.shift(op, a, b),
            BinOp::Eq => terms.eq(a, b),
            BinOp::Ne => terms.ne(a, b),
            BinOp::Ult => self.compare_offsets(Op::Ult, a, b).unwrap_or_else(|| terms.ult(a, b)),
            BinOp::Ule => self.compare_offsets(Op::Ule, a, b).unwrap_or_else(|| terms.ule(a, b)),
            BinOp::Slt => terms.slt(a, b),
            BinOp::Sle => terms.sle(a, b),
        }
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Term) -> Term {
        let terms = &self.context.terms;
        if terms.width(*operand) == width {
            return *operand;
        }
        match conversion {
            Conversion::Truncate => terms.extract(*operand, width - 1, 0),
            Conversion::ZeroExtend => terms.zext(*operand, width),
            Conversion::SignExtend => terms.sext(*operand, width),
        }
    }

    fn ite(&mut self, condition: &Term, then: &Term, otherwise: &Term) -> Term {
        self.context.terms.ite(*condition, *then, *otherwise)
    }

    fn float(&mut self, op: FloatOp, operands: &[Term]) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let constants: Option<Vec<Bits>> =
            operands.iter().map(|term| Some(Bits::new(terms.as_const(*term)?, terms.width(*term)))).collect();
        match constants.and_then(|constants| float_operation(op, &constants)) {
            Some(bits) => terms.constant(bits.value, bits.width),
            // Over-approximation: floating arithmetic on unknown values yields any value.
            None => self.forgotten(op.result_width()),
        }
    }

    fn block_address(&mut self, block: BlockId) -> Term {
        match self.object(block) {
            Some(object) => object.address,
            None => self.forgotten(self.context.model.pointer_bits()),
        }
    }

    fn function_address(&mut self, function: FunctionId) -> Term {
        self.context.symbol(SymbolKind::Function(function), self.context.model.pointer_bits(), 0)
    }

    fn nondet(&mut self, kind: &NondetKind, width: u32) -> Term {
        let n = self.next_input;
        self.next_input += 1;
        let kind = match kind {
            NondetKind::Input(_) | NondetKind::Uninitialised => SymbolKind::Input(n),
            NondetKind::External(_) => SymbolKind::External(n),
        };
        let value = self.context.symbol(kind, width, 0);
        self.history.push_back(Event::Input(value));
        value
    }

    fn may_hold_pointer(&self, value: &Term) -> bool {
        self.context.terms.symbols_of(*value).iter().any(|symbol| self.points_to.contains_key(symbol))
    }

    fn assume(self, condition: &Term) -> Outcomes<Self, ()> {
        self.assume_condition(*condition)
    }

    fn decide(&self, condition: &Term) -> Option<bool> {
        self.decide_condition(*condition)
    }

    fn create(&mut self, spec: BlockSpec<Term>) -> BlockId {
        self.add_object(spec)
    }

    fn initialise(self, _block: BlockId, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.store_value(*address, *value, Access::Initialise)
    }

    fn invalidate(&mut self, block: BlockId) {
        self.kill(block);
    }

    fn release(self, address: &Term) -> Outcomes<Self, ()> {
        self.free_block(*address)
    }

    fn block_size(self, address: &Term) -> Outcomes<Self, Term> {
        self.heap_block(*address, "realloc", |memory, block| match memory.object(block).map(|object| object.size) {
            Some(size) => done(memory, size),
            None => Outcomes::new(),
        })
    }

    fn load(self, address: &Term, bytes: u32) -> Outcomes<Self, Term> {
        self.load_value(*address, bytes)
    }

    fn store(self, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.store_value(*address, *value, Access::Write)
    }

    fn copy(self, to: &Term, from: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.copy_bytes(*to, *from, *size)
    }

    fn fill(self, to: &Term, byte: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.fill_bytes(*to, *byte, *size)
    }

    fn havoc(self, to: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.havoc_bytes(*to, *size)
    }

    fn call_targets(self, pointer: &Term, _candidates: &[FunctionId]) -> Outcomes<Self, FunctionId> {
        self.function_targets(*pointer)
    }

    fn leaked(&self, roots: &mut dyn Iterator<Item = &Term>) -> Option<Rc<str>> {
        self.leaked_block(roots)
    }

    fn live_heap_block(&self) -> Option<Rc<str>> {
        let mut live = self.objects.values().filter(|object| object.kind == BlockKind::Heap && object.valid);
        live.next().map(|object| object.name.clone())
    }
}

impl Smg {
    /// Division: what C leaves undefined (by zero, `MIN / -1`) is any value.
    fn divide(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let width = terms.width(a);
        let by_zero = terms.eq(b, terms.constant(0, width));
        let (result, undefined) = match op {
            BinOp::UDiv => (terms.udiv(a, b), by_zero),
            BinOp::URem => (terms.urem(a, b), by_zero),
            _ => {
                let least = terms.constant(1 << (width - 1), width);
                let minus_one = terms.constant(u128::MAX >> (128 - width), width);
                let overflow = terms.bool_and(terms.eq(a, least), terms.eq(b, minus_one));
                let result = if op == BinOp::SDiv { terms.sdiv(a, b) } else { terms.srem(a, b) };
                (result, terms.bool_or(by_zero, overflow))
            }
        };
        self.unless(undefined, result)
    }

    /// Shifts by the width or more are any value.
    fn shift(&mut self, op: BinOp, a: Term, b: Term) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let width = terms.width(a);
        let undefined = terms.ule(terms.constant(width.into(), width), b);
        let result = match op {
            BinOp::Shl => terms.shl(a, b),
            BinOp::LShr => terms.lshr(a, b),
            _ => terms.ashr(a, b),
        };
        self.unless(undefined, result)
    }

    /// `result`, or any value where `undefined` holds.
    fn unless(&mut self, undefined: Term, result: Term) -> Term {
        if self.decide_condition(undefined) == Some(false) {
            return result;
        }
        let context = self.context.clone();
        let any = self.forgotten(context.terms.width(result));
        context.terms.ite(undefined, any, result)
    }
}
