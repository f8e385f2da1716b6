//! The `Memory` face of the graph.

use std::rc::Rc;

use super::context::SymbolKind;
use super::empty_lists;
use super::find::known_set;
use super::graph::{Event, Smg};
use super::resolve::Target;
use crate::cfa::{BinOp, Bits, ByteSet, Conversion, FunctionId, NondetKind, NumberPart, UnOp};
use crate::memory::rules::Act;
use crate::memory::{
    Beyond, BlockId, BlockSpec, Config, FloatOp, Memory, Outcome, Outcomes, Search, Stuck, done, symbolic,
};
use crate::smt::{Op, Sat, Term};
use smallvec::smallvec;

/// No run goes on after it, and nothing is claimed of that.
const THROUGH_NULL: &str = "an access through the null pointer";

impl Memory for Smg {
    type Value = Term;

    fn constant(&mut self, bits: Bits) -> Term {
        symbolic::constant(&self.context.terms, bits)
    }

    fn width(&self, value: &Term) -> u32 {
        self.context.terms.width(*value)
    }

    fn unary(&mut self, op: UnOp, operand: &Term) -> Term {
        symbolic::unary(&self.context.terms, op, *operand)
    }

    fn binary(&mut self, op: BinOp, left: &Term, right: &Term) -> Term {
        let (a, b) = (*left, *right);
        let by_offsets = match op {
            BinOp::Ult => self.compare_offsets(Op::Ult, a, b),
            BinOp::Ule => self.compare_offsets(Op::Ule, a, b),
            _ => None,
        };
        let result = by_offsets.unwrap_or_else(|| symbolic::binary(&self.context.terms, op, a, b));
        // What is known of addresses is a number: a variable that keeps it does not speak of them.
        let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
        let decided = if is_equality && !self.context.is_number(result) { self.decide(result) } else { None };
        decided.map_or(result, |truth| self.context.terms.constant(truth.into(), 1))
    }

    fn convert(&mut self, conversion: Conversion, width: u32, operand: &Term) -> Term {
        symbolic::convert(&self.context.terms, conversion, width, *operand)
    }

    fn ite(&mut self, condition: &Term, then: &Term, otherwise: &Term) -> Term {
        self.context.terms.ite(*condition, *then, *otherwise)
    }

    fn float(&mut self, op: FloatOp, operands: &[Term]) -> Term {
        // Over-approximation: what takes too many terms yields any value.
        let context = self.context.clone();
        let known = symbolic::float(&context.terms, op, operands, &mut |width| self.forgotten(width));
        known.unwrap_or_else(|| self.forgotten(op.result_width()))
    }

    fn open_where(&mut self, condition: &Term, value: &Term) -> Term {
        let any = self.forgotten(self.context.terms.width(*value));
        self.context.terms.ite(*condition, any, *value)
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
        // What is narrower than a pointer leads nowhere.
        let kind = match kind {
            NondetKind::External(_) if width >= self.context.model.pointer_bits() => SymbolKind::External(n),
            NondetKind::External(_) | NondetKind::Number(_) | NondetKind::Input(_) | NondetKind::Uninitialised => {
                SymbolKind::Input(n)
            }
        };
        let value = self.context.symbol(kind, width, 0);
        self.history.push_back(Event::Input(value));
        value
    }

    fn may_hold_pointer(&self, value: &Term) -> bool {
        self.context.terms.symbols_of(*value).iter().any(|symbol| self.points_to.contains_key(symbol))
    }

    fn assume(self, condition: &Term) -> Outcomes<Self, ()> {
        let rest =
            if self.semantics.asks_at_branches { self.restrict(*condition) } else { self.restrict_unasked(*condition) };
        rest.into_iter().map(|memory| Outcome::Next(memory, ())).collect()
    }

    fn suppose(&mut self, condition: &Term) -> bool {
        // Where addresses lie is not among the constraints.
        let is_open = !self.may_hold_pointer(condition) && Smg::decide(self, *condition).is_none();
        if is_open {
            self.add_condition(*condition);
            self.is_supposed |= self.semantics.asks_at_branches;
        }
        is_open
    }

    fn has_runs(&mut self) -> bool {
        if self.is_supposed {
            match self.context.check_patiently(&self.facts()) {
                Sat::Unsat => return false,
                Sat::Sat(_) => {}
                Sat::Unknown(_) => self.context.solver_gave_up.set(true),
            }
            self.is_supposed = false;
        }
        true
    }

    fn split_cases(config: &Config<Self>, value: &Term, accessed: bool) -> Option<Vec<Config<Self>>> {
        empty_lists::split_cases(config, *value, accessed)
    }

    fn decide(&self, condition: &Term) -> Option<bool> {
        Smg::decide(self, *condition)
    }

    fn create(&mut self, spec: BlockSpec<Term>) -> BlockId {
        self.add_object(spec)
    }

    fn initialise(self, _block: BlockId, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        self.store_value(*address, *value, Act::Initialise)
    }

    fn invalidate(&mut self, block: BlockId) {
        self.kill(block);
    }

    fn release(self, address: &Term) -> Outcomes<Self, ()> {
        self.free_block(*address)
    }

    fn block_size(self, address: &Term) -> Outcomes<Self, Term> {
        self.heap_block(*address, Act::Reallocate, |memory, block| {
            match memory.object(block).map(|object| object.size) {
                Some(size) => done(memory, size),
                None => Outcomes::new(),
            }
        })
    }

    fn load(self, address: &Term, bytes: u32) -> Outcomes<Self, Term> {
        self.load_value(*address, bytes)
    }

    fn store(self, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        match self.choices(*address, *value) {
            None => self.store_value(*address, *value, Act::Write),
            Some(cases) => {
                let stored = |(memory, value): (Smg, Term)| memory.store_value(*address, value, Act::Write);
                cases.into_iter().flat_map(stored).collect()
            }
        }
    }

    fn peek(&self, address: &Term, bytes: u32) -> Option<Term> {
        self.peek_value(*address, bytes.into())
    }

    fn poke(&mut self, address: &Term, value: &Term) -> bool {
        self.few_values(*address, *value).is_none() && self.poke_value(*address, *value)
    }

    fn copy(self, to: &Term, from: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.copy_bytes(*to, *from, *size)
    }

    fn fill(self, to: &Term, byte: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.fill_bytes(*to, *byte, *size)
    }

    fn havoc(self, to: &Term, size: &Term) -> Outcomes<Self, ()> {
        self.havoc_bytes(*to, *size, None)
    }

    fn read_line(self, to: &Term, size: &Term) -> Outcomes<Self, ()> {
        let terms = &self.context.terms;
        let last = terms.add_constant(*size, -1);
        self.havoc_bytes(*to, *size, Some((last, ByteSet::NO_NEWLINE)))
    }

    fn havoc_among(self, to: &Term, size: &Term, set: &[Term]) -> Outcomes<Self, ()> {
        let known = known_set(&self.context.terms, set);
        self.havoc_bytes(*to, *size, known.map(|set| (*size, set)))
    }

    fn find(self, search: &Search<Term>) -> Outcomes<Self, Term> {
        self.find_byte(search)
    }

    /// Nowhere, where both lie in objects of their own.
    fn overlaps(&mut self, to: &Term, from: &Term, size: &Term) -> Term {
        let context = self.context.clone();
        let terms = &context.terms;
        let none = context.pointer_constant(0);
        if self.lie_apart(*to, *from) {
            return none;
        }
        let behind = terms.add_constant(terms.sub(*to, *from), -1);
        terms.ite(terms.ult(behind, *size), context.pointer_constant(1), none)
    }

    /// Computed where every byte of the text up to its end is known.
    fn number(&mut self, address: &Term, base: &Term, part: NumberPart, given: Term) -> Term {
        let known = self.known_number(*address, *base, part, self.width(&given));
        known.map_or(given, |bits| symbolic::constant(&self.context.terms, bits))
    }

    fn beyond(&self) -> Beyond {
        Beyond::AllWays
    }

    fn go_outside(&mut self) {
        self.context.outside.set(true);
    }

    fn load_outside(mut self, address: &Term, given: &Term) -> Outcomes<Self, Term> {
        if let Some(stuck) = self.not_outside(*address) {
            return smallvec![Outcome::Stuck(self, stuck)];
        }
        self.note_outside(*address);
        done(self, *given)
    }

    fn store_outside(mut self, address: &Term, value: &Term) -> Outcomes<Self, ()> {
        if let Some(stuck) = self.not_outside(*address) {
            return smallvec![Outcome::Stuck(self, stuck)];
        }
        self.note_outside(*address);
        let is_given_away = self.may_hold_pointer(value) || self.may_be_lost_address(*value);
        self.written_outside(*address, is_given_away.then_some("an address is given away"))
    }

    fn fill_outside(self, to: &Term, _byte: Option<&Term>, _size: &Term) -> Outcomes<Self, ()> {
        match self.not_outside(*to) {
            Some(stuck) => smallvec![Outcome::Stuck(self, stuck)],
            None => self.written_outside(*to, None),
        }
    }

    fn call_targets(self, pointer: &Term, _candidates: &[FunctionId]) -> Outcomes<Self, FunctionId> {
        self.function_targets(*pointer)
    }

    fn leaked(&self, roots: &mut dyn Iterator<Item = &Term>) -> Option<Rc<str>> {
        self.leaked_block(roots)
    }

    fn live_heap_block(&self) -> Option<Rc<str>> {
        let mut live = self.objects.values().filter(|object| object.kind.can_leak() && object.valid);
        live.next().map(|object| object.origin.name.clone())
    }
}

/// So many values of a number that is written are distinguished.
const MOST_CHOICES: u128 = 4;

impl Smg {
    /// The least and the greatest number that `value`, which is written at `address` in the heap, may be, if each of them is to be a state
    /// of its own ([`Semantics::splits_choices`]).
    ///
    /// [`Semantics::splits_choices`]: super::Semantics::splits_choices
    fn few_values(&self, address: Term, value: Term) -> Option<(u128, u128)> {
        let is_open = self.semantics.splits_choices && self.context.terms.as_const(value).is_none();
        (is_open && !self.may_hold_pointer(&value)).then_some(())?;
        let Target::Object { block, .. } = self.target(address) else { return None };
        let (low, high) = self.store.range(&self.context, value);
        (self.is_live_heap(block) && high - low < MOST_CHOICES).then_some((low, high))
    }

    /// The memories in which `value`, which is written at `address`, is each of the few numbers it may be; `None` where it is one state.
    /// Exact.
    fn choices(&self, address: Term, value: Term) -> Option<Vec<(Smg, Term)>> {
        let terms = &self.context.terms;
        let (low, high) = self.few_values(address, value)?;
        let case = |number: u128| {
            let number = terms.constant(number, terms.width(value));
            Some((self.clone().restrict(terms.eq(value, number))?, number))
        };
        Some((low..=high).filter_map(case).collect())
    }

    /// Why an access at `address` does not lead to memory from outside.
    fn not_outside(&self, address: Term) -> Option<Stuck> {
        match self.target(address) {
            Target::Null => Some(Stuck::undefined(THROUGH_NULL)),
            _ if self.is_lost(address) => Some(Stuck::undefined("an access of which it is not known where it leads")),
            _ => None,
        }
    }

    /// What follows a write at `address`, outside of all objects: a write that misses its object may change any other, and an address
    /// that is given away may come back.
    fn written_outside(self, address: Term, given_away: Option<&'static str>) -> Outcomes<Self, ()> {
        let is_beside = matches!(self.target(address), Target::Object { .. });
        let mut outcomes = Outcomes::new();
        if let Some(why) = is_beside.then_some("a write outside of its object").or(given_away) {
            outcomes.push(Outcome::Stuck(self.clone(), Stuck::undefined(why)));
        }
        outcomes.push(Outcome::Next(self, ()));
        outcomes
    }
}
