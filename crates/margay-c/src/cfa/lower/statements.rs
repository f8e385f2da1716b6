//! Statements.

use super::super::ir::{ErrorKind, Expr, NondetKind, Note, Op, Received};
use super::assembler::{self, Assembler};
use super::function::{Home, Lowerer};
use super::instructions::{self, Instruction};
use super::jumps::Cleanups;
use super::kinds::Kind;
use super::places::Lvalue;
use super::scopes::JumpTarget;
use crate::base::error::{self, Error, Result};
use crate::base::span::Span;
use crate::c::syntax::{self, Init, LocalId, Stmt, StmtKind};

impl<'u> Lowerer<'_, 'u> {
    pub fn statement(&mut self, stmt: &'u Stmt) -> Result<()> {
        self.span = stmt.span;
        match &stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => self.apart(|lowerer| lowerer.effect(expr)),
            StmtKind::Block(block) => self.block(block),
            StmtKind::Declare { local, init } => self.apart(|lowerer| lowerer.declare(*local, init.as_ref())),
            StmtKind::VlaLength { index, length } => {
                let value = self.rvalue(length)?;
                let dst = self.temp(length.ty, length.span)?;
                self.emit(Op::Assign { dst, value });
                self.vla_lengths[*index as usize] = Some(dst);
                Ok(())
            }
            StmtKind::If { condition, then, otherwise } => self.if_else(stmt, condition, then, otherwise.as_deref()),
            StmtKind::While { condition, body } => self.while_loop(stmt, condition, body),
            StmtKind::DoWhile { body, condition, while_at } => self.do_while(stmt, body, condition, *while_at),
            StmtKind::For { init, condition, step, body } => {
                let outer = self.scope;
                self.open_scope(init)?;
                for stmt in init {
                    self.statement(stmt)?;
                }
                self.for_loop(stmt, condition.as_ref(), step.as_ref(), body)?;
                self.close_scopes(outer)
            }
            StmtKind::Switch { value, body } => self.switch(stmt, value, body),
            StmtKind::Case { low, high, body } => {
                self.case(Some((*low, *high)), stmt.span)?;
                self.statement(body)
            }
            StmtKind::Default { body } => {
                self.case(None, stmt.span)?;
                self.statement(body)
            }
            StmtKind::Label { label, body } => {
                self.label(*label)?;
                if self.body.is_some_and(|b| &*b.labels[label.index()] == "ERROR") {
                    self.emit(Op::Error(ErrorKind::Label));
                }
                self.statement(body)
            }
            StmtKind::Goto(label) => {
                self.jump_to_label(*label);
                Ok(())
            }
            StmtKind::GotoComputed(target) => {
                let value = self.rvalue(target)?;
                self.jump_to_value(value);
                Ok(())
            }
            StmtKind::Break => self.leave_by(self.breaks.last().copied(), stmt.span),
            StmtKind::Continue => self.leave_by(self.continues.last().copied(), stmt.span),
            StmtKind::Cleanup { call, on_jumps } => self.open_cleanup(call, *on_jumps),
            StmtKind::Return(value) => self.return_value(value.as_ref()),
            StmtKind::Asm { template, outputs, inputs, tied, clobbers_memory } => {
                self.assembler(template, outputs, (inputs, tied), *clobbers_memory, stmt.span)
            }
        }
    }

    pub fn block(&mut self, block: &'u [Stmt]) -> Result<()> {
        let outer = self.scope;
        self.open_scope(block)?;
        for stmt in block {
            self.statement(stmt)?;
        }
        self.close_scopes(outer)
    }

    /// A statement that C makes a block of its own.
    fn scoped(&mut self, stmt: &'u Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            _ => self.block(std::slice::from_ref(stmt)),
        }
    }

    fn leave_by(&mut self, to: Option<JumpTarget>, span: Span) -> Result<()> {
        match to {
            Some(jump_target) => self.jump_out(jump_target),
            None => {
                let refused = self.error("a `break` or `continue` outside a loop", span);
                Err(Error { kind: error::ErrorKind::Constraint, ..refused })
            }
        }
    }

    fn declare(&mut self, local: LocalId, init: Option<&'u Init>) -> Result<()> {
        let decl = self.local(local)?;
        if self.types.is_variable(decl.ty) {
            if let Home::Slot(slot) = self.home(local)? {
                let size = self.size_value(decl.ty, decl.span)?;
                if self.has_labels() {
                    // It ends where its own scope is left, by a jump back within the block, too (C11 6.2.4 p7).
                    self.open_rest()?;
                }
                self.scopes[self.scope.index()].add(slot, false);
                let size = self.without_negative(decl.ty, size);
                self.emit(Op::Enter { slot, size: Some(size) });
            }
            return Ok(());
        }
        if let Some(Init::Expr(value)) = init
            && self.builder.open.is_none()
        {
            // A full expression; people who look at open code are told of the declaration.
            self.span = value.span;
        }
        match (self.home(local)?, init) {
            (Home::Reg(dst), None) => {
                // Where the variable is certainly set before it is read, this edge goes away again.
                self.emit(Op::Nondet { dst, kind: NondetKind::Uninitialised });
                Ok(())
            }
            (Home::Reg(dst), Some(init)) => {
                let value = self.initial_scalar(init, decl.ty, decl.span)?;
                self.assign_variable(dst, value);
                Ok(())
            }
            (Home::Slot(slot), None) => {
                // The object is as new at block entry; only a jump back to a label of the block can come here twice.
                let size = self.slots[slot.index()].size;
                if size > 0 && self.may_come_again() {
                    let (dst, size) = (self.slot_address(slot), self.pointer_constant(size));
                    self.emit(Op::Havoc { dst, size, bytes: Received::Any });
                }
                Ok(())
            }
            (Home::Slot(slot), Some(init)) => {
                let address = self.slot_address(slot);
                self.initialise(address, init, decl.ty, decl.span)
            }
        }
    }

    fn if_else(
        &mut self,
        stmt: &Stmt,
        condition: &'u syntax::Expr,
        then: &'u Stmt,
        otherwise: Option<&'u Stmt>,
    ) -> Result<()> {
        let (yes, no, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        let before = self.rows.epoch();
        self.branch_at(condition, yes, no, stmt.span.start)?;
        let held = self.rows.held_since(before);
        self.resume(yes);
        self.rows.hold(held.clone());
        self.scoped(then)?;
        let first = self.current.map(|_| self.rows.held());
        self.goto(end);
        self.resume(no);
        self.rows.hold(held);
        if let Some(otherwise) = otherwise {
            self.scoped(otherwise)?;
        }
        let second = self.current.map(|_| self.rows.held());
        self.goto(end);
        self.resume(end);
        if let (Some(held), None) | (None, Some(held)) = (first, second) {
            self.rows.hold(held);
        }
        Ok(())
    }

    fn while_loop(&mut self, stmt: &Stmt, condition: &'u syntax::Expr, body: &'u Stmt) -> Result<()> {
        let (head, inside, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.loop_at(head, stmt, body);
        self.branch_at(condition, inside, end, stmt.span.start)?;
        self.resume(inside);
        self.loop_body(body, head, end)?;
        self.goto(head);
        self.resume(end);
        Ok(())
    }

    fn for_loop(
        &mut self,
        stmt: &Stmt,
        condition: Option<&'u syntax::Expr>,
        step: Option<&'u syntax::Expr>,
        body: &'u Stmt,
    ) -> Result<()> {
        let (head, inside, next, end) = (self.new_loc(), self.new_loc(), self.new_loc(), self.new_loc());
        self.loop_at(head, stmt, body);
        match condition {
            Some(condition) => self.branch_at(condition, inside, end, stmt.span.start)?,
            None => self.goto(inside),
        }
        self.resume(inside);
        self.loop_body(body, next, end)?;
        self.goto(next);
        self.resume(next);
        if let Some(step) = step {
            self.span = step.span;
            self.apart(|lowerer| lowerer.effect(step))?;
        }
        self.goto(head);
        self.resume(end);
        Ok(())
    }

    fn do_while(&mut self, stmt: &Stmt, body: &'u Stmt, condition: &'u syntax::Expr, while_at: u32) -> Result<()> {
        let (head, test, end) = (self.new_loc(), self.new_loc(), self.new_loc());
        self.loop_at(head, stmt, body);
        self.loop_body(body, test, end)?;
        self.goto(test);
        self.resume(test);
        self.branch_at(condition, head, end, while_at)?;
        self.resume(end);
        Ok(())
    }

    fn loop_body(&mut self, body: &'u Stmt, next: super::super::ir::Loc, end: super::super::ir::Loc) -> Result<()> {
        let (next, end) = (self.jump_target(next), self.jump_target(end));
        self.breaks.push(end);
        self.continues.push(next);
        // Case labels of an enclosing switch may stand in here; its context stays on its own stack.
        self.scoped(body)?;
        self.breaks.pop();
        self.continues.pop();
        Ok(())
    }

    /// The loop `stmt` begins. Where nothing leads to it but a jump into its body, all of it is lowered nevertheless: runs come to what
    /// stands before the label by the next iteration.
    fn loop_at(&mut self, head: super::super::ir::Loc, stmt: &Stmt, body: &Stmt) {
        self.goto(head);
        if !self.is_library() {
            self.loop_spans.insert(head, stmt.span);
        }
        self.resume(head);
        if self.current.is_none() && holds_label(body) {
            self.current = Some(head);
        }
    }

    /// Branches on the condition of a statement whose keyword stands at `at`.
    fn branch_at(
        &mut self,
        condition: &'u syntax::Expr,
        yes: super::super::ir::Loc,
        no: super::super::ir::Loc,
        at: u32,
    ) -> Result<()> {
        self.span = condition.span;
        let note = |taken| Note::Branch { at, taken };
        self.apart(|lowerer| lowerer.branch(condition, (yes, note(true)), (no, note(false))))
    }

    fn return_value(&mut self, value: Option<&'u syntax::Expr>) -> Result<()> {
        let Some(value) = value else {
            self.clean_up_all(Cleanups::Run)?;
            self.end(Op::Return { value: None });
            return Ok(());
        };
        match self.kind(value.ty) {
            Kind::Void => {
                self.effect(value)?;
                self.clean_up_all(Cleanups::Run)?;
                self.end(Op::Return { value: None });
            }
            Kind::Record => {
                let src = self.rvalue(value)?;
                if let Some(address) = self.result_address {
                    let dst = Expr::Reg(address, self.pointer_bits());
                    self.copy_object(dst, src, value.ty, value.span)?;
                }
                self.clean_up_all(Cleanups::Run)?;
                self.end(Op::Return { value: None });
            }
            _ => {
                let mut result = self.rvalue(value)?;
                if self.has_cleanups() {
                    result = self.bind(result);
                    self.clean_up_all(Cleanups::Run)?;
                }
                // The frame's objects die with the return, after the value is computed.
                let value = self.result_type.is_some().then_some(result);
                self.end(Op::Return { value });
            }
        }
        Ok(())
    }

    fn assembler(
        &mut self,
        template: &str,
        outputs: &'u [syntax::Place],
        (inputs, tied): (&'u [syntax::Expr], &'u [(usize, Option<syntax::Expr>)]),
        clobbers_memory: bool,
        span: Span,
    ) -> Result<()> {
        if let Some(instructions) = instructions::instructions(template)
            && self.instructions(&instructions, outputs, (inputs, tied), span)?
        {
            return Ok(());
        }
        let kind = assembler::classify(template);
        if clobbers_memory && kind != Assembler::Fence {
            if !self.builder.options.open_world {
                return self.refuse("inline assembler that changes memory", span);
            }
            self.builder.assume_harmless(&assembler::name(template).into());
        }
        for input in inputs {
            self.effect(input)?;
        }
        if clobbers_memory && kind != Assembler::Fence {
            // An input in memory may be what is written (`movl %0, %1` as Linux has it).
            for input in inputs {
                let syntax::ExprKind::Use(place) = &input.kind else { continue };
                if let Lvalue::Memory { address, .. } = self.place(place)?
                    && self.kind(place.ty).is_scalar()
                {
                    let width = self.width(place.ty, place.span)?;
                    let value = self.nondet(width, NondetKind::External(kind.result().into()));
                    self.emit(Op::Store { addr: address, value });
                }
            }
        }
        let places = outputs.iter().map(|output| self.place(output)).collect::<Result<Vec<_>>>()?;
        // Without an instruction, an output that is an input as well keeps its value.
        let mut kept = Vec::new();
        for (output, value) in tied.iter().filter(|(output, _)| kind == Assembler::Fence && *output < outputs.len()) {
            let ty = value.as_ref().map_or(outputs[*output].ty, |value| value.ty);
            if self.kind(ty).is_scalar() {
                let given = self.tied_value(value.as_ref(), &places[*output], &outputs[*output])?;
                kept.push((*output, given, self.kind(ty).is_signed()));
            }
        }
        for (i, (output, place)) in outputs.iter().zip(places).enumerate() {
            if self.kind(output.ty).is_scalar() {
                let width = self.width(output.ty, output.span)?;
                let value = match kept.iter().find(|(at, ..)| *at == i) {
                    Some((_, value, signed)) => value.clone().resized(width, *signed),
                    None => self.nondet(width, NondetKind::External(kind.result().into())),
                };
                self.store(&place, value, output.ty, output.span)?;
            } else if kind != Assembler::Fence || !tied.iter().any(|(at, value)| *at == i && value.is_none()) {
                let dst = self.address_of(&place, output.span)?;
                let size = self.pointer_constant(self.size(output.ty, output.span)?);
                self.emit(Op::Havoc { dst, size, bytes: Received::Any });
            }
        }
        Ok(())
    }
}

impl<'u> Lowerer<'_, 'u> {
    /// Computes the outputs of assembler whose instructions are followed; whether they are.
    fn instructions(
        &mut self,
        instructions: &[Instruction],
        outputs: &'u [syntax::Place],
        (inputs, tied): (&'u [syntax::Expr], &'u [(usize, Option<syntax::Expr>)]),
        span: Span,
    ) -> Result<bool> {
        let types: Vec<_> = outputs.iter().map(|output| output.ty).chain(inputs.iter().map(|input| input.ty)).collect();
        let is_number = |ty: &_| matches!(self.kind(*ty), Kind::Int { .. } | Kind::Pointer { .. });
        let numbers: Vec<usize> = instructions.iter().flat_map(Instruction::numbers).collect();
        if !types.iter().all(is_number) || numbers.iter().any(|number| *number >= types.len()) {
            return Ok(false);
        }
        // Try with symbols first: nothing is emitted for what does not fit.
        let mut widths = Vec::new();
        for ty in &types {
            widths.push(self.width(*ty, span)?);
        }
        let blank: Vec<Expr> = widths.iter().map(|width| Expr::constant(0, *width)).collect();
        let writes_inputs = |results: &[(usize, Expr)]| results.iter().any(|(number, _)| *number >= outputs.len());
        for instruction in instructions {
            if instruction.results(&blank).is_none_or(|results| writes_inputs(&results)) {
                return Ok(false);
            }
        }
        let places = outputs.iter().map(|output| self.place(output)).collect::<Result<Vec<_>>>()?;
        let mut values = Vec::new();
        for (number, width) in widths.iter().enumerate().take(outputs.len()) {
            let before = tied.iter().find(|(output, _)| *output == number).map(|(_, value)| value.as_ref());
            let value = match before {
                Some(value) => {
                    let signed = value.is_some_and(|value| self.kind(value.ty).is_signed());
                    self.tied_value(value, &places[number], &outputs[number])?.resized(*width, signed)
                }
                None if Instruction::set_first(instructions, number) => Expr::constant(0, *width),
                None => self.nondet(*width, NondetKind::External(Assembler::Computation.result().into())),
            };
            values.push(self.bind(value));
        }
        for input in inputs {
            let value = self.rvalue(input)?;
            values.push(self.bind(value));
        }
        for instruction in instructions {
            for (number, value) in instruction.results(&values).into_iter().flatten() {
                values[number] = self.bind(value);
            }
        }
        for ((output, place), value) in outputs.iter().zip(places).zip(values) {
            self.store(&place, value, output.ty, output.span)?;
        }
        Ok(true)
    }

    /// What an output holds before: an input's value, or its own.
    fn tied_value(&mut self, value: Option<&'u syntax::Expr>, place: &Lvalue, output: &syntax::Place) -> Result<Expr> {
        let value = match value {
            Some(value) => self.rvalue(value)?,
            None => self.load(place, output.ty, output.span)?,
        };
        Ok(self.bind(value))
    }
}

/// Jumps may lead into `stmt`.
fn holds_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label { .. } | StmtKind::Case { .. } | StmtKind::Default { .. } => true,
        StmtKind::Block(block) => block.iter().any(holds_label),
        StmtKind::If { then, otherwise, .. } => holds_label(then) || otherwise.as_deref().is_some_and(holds_label),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. }
        | StmtKind::Switch { body, .. } => holds_label(body),
        _ => false,
    }
}
