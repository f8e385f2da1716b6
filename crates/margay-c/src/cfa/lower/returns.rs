//! `setjmp` and `longjmp` (C11 7.13).
//!
//! `longjmp` notes the place it goes to (`library/environment.c`) and returns. Calls that find a jump on its way return in turn, until the
//! function is reached whose `setjmp` noted the place; there the call of `setjmp` has its second result:
//!
//! ```text
//!   call f ── no jump ──→ goes on
//!         └── a jump ──→ to a place of this function: leave blocks, behind that setjmp
//!                     └→ elsewhere: return
//! ```
//!
//! A place is a byte of an object that lives as long as the call of its function, so a jump into a function that has returned is an access
//! to an object that is gone.

use super::super::ir::{BinOp, Expr, Loc, Note, Object, Op, Reg, SlotId};
use super::super::library;
use super::UnitId;
use super::calls::Argument;
use super::function::Lowerer;
use super::jumps::Cleanups;
use super::scopes::JumpTarget;
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::LabelId;

/// Calls of `setjmp` that one function may have.
const MOST_PLACES: u64 = 64;

/// What a function under construction has to do with jumps.
#[derive(Debug, Default)]
pub struct Jumps {
    /// Its places, one byte each.
    places: Option<SlotId>,
    /// Where jumps to them go.
    returns: Vec<Target>,
    /// Where calls returned with a jump on its way: the register with the place it goes to.
    found: Vec<(JumpTarget, Reg, Span)>,
}

/// Where a jump goes on.
#[derive(Clone, Copy, Debug)]
enum Target {
    /// Behind a call of `setjmp`, with a result in a register.
    Call(JumpTarget, Reg),
    /// At a label, from a function within this one.
    Label(LabelId),
}

impl<'u> Lowerer<'_, 'u> {
    /// The object of the function's places comes into being, in programs that jump.
    pub fn enter_places(&mut self) {
        if self.builder.sees_jumps && self.unit_id == UnitId::User {
            let slot = self.slot(None, MOST_PLACES, 1, "places of jumps".into(), self.span);
            self.emit(Op::Enter { slot, size: None });
            self.jumps.places = Some(slot);
        }
    }

    /// `setjmp(buffer)`: notes the place, and returns once or more.
    pub fn note_place(&mut self, args: &[Argument<'u>]) -> Result<Option<Expr>> {
        let number = self.jumps.returns.len() as u64;
        let (Some(slot), Some(_)) = (self.jumps.places.filter(|_| number < MOST_PLACES), args.first()) else {
            self.undefined("a place to jump to that is not followed");
            return Ok(None);
        };
        let place = self.place_of(slot, number);
        let addr = self.pointer_arg(args, 0);
        self.emit(Op::Store { addr, value: place });
        let result = self.raw_temp(32);
        self.emit(Op::Assign { dst: result, value: Expr::constant(0, 32) });
        let next = self.new_loc();
        let jump_target = self.jump_target(next);
        self.goto(next);
        self.current = Some(next);
        self.jumps.returns.push(Target::Call(jump_target, result));
        Ok(Some(Expr::Reg(result, 32)))
    }

    /// The place of a jump to the label out of a function within this one.
    pub fn label_place(&mut self, label: LabelId) -> Expr {
        let number = self.jumps.returns.len() as u64;
        let Some(slot) = self.jumps.places.filter(|_| number < MOST_PLACES) else {
            self.undefined("a place to jump to that is not followed");
            return self.pointer_constant(0);
        };
        self.jumps.returns.push(Target::Label(label));
        self.place_of(slot, number)
    }

    fn place_of(&self, slot: SlotId, number: u64) -> Expr {
        Expr::binary(BinOp::Add, self.slot_address(slot), self.pointer_constant(number))
    }

    /// After a call that may have come back because of a jump.
    pub fn check_jump(&mut self) -> Result<()> {
        let Some(at) = self.current.filter(|_| self.builder.sees_jumps) else { return Ok(()) };
        let bits = self.pointer_bits();
        let place = self.raw_temp(bits);
        let addr = self.jump_object("jump_place")?;
        self.emit(Op::Load { dst: place, addr });
        let at = self.current.unwrap_or(at);
        let none = Expr::binary(BinOp::Eq, Expr::Reg(place, bits), Expr::constant(0, bits));
        let (next, jumping) = (self.new_loc(), self.new_loc());
        self.edge(at, Op::Assume(none.clone()), next, Note::None);
        self.edge(at, Op::Assume(none.negated()), jumping, Note::None);
        let found = self.jump_target(jumping);
        self.jumps.found.push((found, place, self.span));
        self.current = Some(next);
        Ok(())
    }

    /// The address of an object of the library's that holds the jump on its way.
    fn jump_object(&mut self, name: &str) -> Result<Expr> {
        let global = self.builder.library_global(library::ENVIRONMENT, name)?;
        Ok(Expr::Address(Object::Global(global), self.pointer_bits()))
    }

    /// Connects what jumps found with the function's places, now that all of them are known.
    pub fn resolve_jumps(&mut self, result_width: Option<u32>) -> Result<()> {
        let Jumps { places, returns, found } = std::mem::take(&mut self.jumps);
        for (from, place, span) in found {
            self.span = span;
            let bits = self.pointer_bits();
            let mut at: Loc = from.loc;
            for (number, target) in returns.iter().enumerate() {
                let Some(slot) = places else { continue };
                let is_it = Expr::binary(BinOp::Eq, Expr::Reg(place, bits), self.place_of(slot, number as u64));
                let (here, other) = (self.new_loc(), self.new_loc());
                self.edge(at, Op::Assume(is_it.clone()), here, Note::None);
                self.edge(at, Op::Assume(is_it.negated()), other, Note::None);
                self.current = Some(here);
                let on_its_way = self.jump_object("jump_place")?;
                self.emit(Op::Store { addr: on_its_way, value: Expr::constant(0, bits) });
                let jump_target = match *target {
                    Target::Call(jump_target, result) => {
                        let addr = self.jump_object("jump_value")?;
                        self.emit(Op::Load { dst: result, addr });
                        jump_target
                    }
                    Target::Label(label) => match self.labels[label.index()] {
                        Some(jump_target) => jump_target,
                        None => return Err(self.error("a jump to a label that is not there", span)),
                    },
                };
                if let Some(here) = self.current.take() {
                    self.connect(JumpTarget { loc: here, scope: from.scope }, jump_target, Note::None, Cleanups::Skip)?;
                }
                at = other;
            }
            self.current = Some(at);
            let scope = std::mem::replace(&mut self.scope, from.scope);
            self.clean_up_all(Cleanups::Skip)?;
            self.scope = scope;
            // The caller does not use the value.
            let value = result_width.map(|width| Expr::constant(0, width));
            self.end(Op::Return { value });
        }
        Ok(())
    }
}
