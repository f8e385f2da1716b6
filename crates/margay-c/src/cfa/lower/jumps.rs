//! Scopes, jumps between them, and `switch`.
//!
//! An object with automatic storage lives from entry into its block until the block is left, so every edge that crosses
//! block borders carries the `Leave` and `Enter` ops of the borders it crosses.

use super::super::ir::{BinOp, Expr, Loc, Note, Op, SlotId};
use super::function::{Home, Lowerer};
use super::purity;
use super::scopes::{JumpTarget, Scope, ScopeId, SwitchContext};
use crate::base::error::Result;
use crate::base::span::Span;
use crate::c::syntax::{self, ExprKind, LabelId, LocalId, PlaceKind, Stmt, StmtKind};

/// Whether blocks that are left are cleaned up after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cleanups {
    Run,
    /// `longjmp` leaves the program's own ones out.
    Skip,
}

impl<'u> Lowerer<'_, 'u> {
    /// Enters a block with these statements: its objects come into being.
    pub fn open_scope(&mut self, block: &'u [Stmt]) -> Result<()> {
        let parent = self.scope;
        let depth = self.scopes[parent.index()].depth + 1;
        self.scopes.push(Scope { parent: Some(parent), depth, ..Scope::default() });
        self.scope = ScopeId::from_index(self.scopes.len() - 1);
        for stmt in block {
            self.enter_declared(stmt)?;
        }
        if self.has_labels() {
            for literal in block.iter().flat_map(literals) {
                self.enter_literal(literal)?;
            }
        }
        Ok(())
    }

    /// Whether there are labels that a jump may lead back to.
    pub fn has_labels(&self) -> bool {
        self.body.is_some_and(|body| !body.labels.is_empty())
    }

    /// A compound literal is one object of its block, however often jumps lead to it (C11 6.5.2.5 p5 and p16).
    fn enter_literal(&mut self, literal: LocalId) -> Result<()> {
        if let Home::Slot(slot) = self.home(literal)?
            && self.literals.insert(literal)
        {
            self.scopes[self.scope.index()].add(slot, true);
            self.emit(Op::Enter { slot, size: None });
        }
        Ok(())
    }

    /// The object that `stmt` declares directly in its block (maybe behind labels) comes into being.
    fn enter_declared(&mut self, stmt: &'u Stmt) -> Result<()> {
        match &stmt.kind {
            StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } => {
                self.enter_declared(body)
            }
            StmtKind::Declare { local, .. } => {
                let decl = self.local(*local)?;
                if self.is_register(decl) || self.types.is_variable(decl.ty) {
                    return Ok(());
                }
                if let Home::Slot(slot) = self.home(*local)? {
                    self.scopes[self.scope.index()].add(slot, true);
                    let span = std::mem::replace(&mut self.span, stmt.span);
                    self.emit(Op::Enter { slot, size: None });
                    self.span = span;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The rest of the block is one of its own, which `call` cleans up after.
    pub fn open_cleanup(&mut self, call: &'u syntax::Expr, on_jumps: bool) -> Result<()> {
        self.open_rest()?;
        self.scopes[self.scope.index()].cleanup = Some((call, on_jumps));
        Ok(())
    }

    /// The rest of the block becomes one of its own.
    pub fn open_rest(&mut self) -> Result<()> {
        self.open_scope(&[])?;
        self.scopes[self.scope.index()].is_rest = true;
        Ok(())
    }

    /// Whether a jump back may lead to before a declaration that stands here, within its block.
    pub fn may_come_again(&self) -> bool {
        let before = |scope: &ScopeId| {
            let scope = &self.scopes[scope.index()];
            scope.parent.filter(|_| scope.is_rest)
        };
        let block: Vec<ScopeId> = std::iter::successors(Some(self.scope), before).collect();
        self.labels.iter().flatten().any(|label| block.contains(&label.scope))
    }

    /// Leaves blocks by their ends until `outer` is the innermost one.
    pub fn close_scopes(&mut self, outer: ScopeId) -> Result<()> {
        self.leave_up_to(outer, Cleanups::Run)?;
        self.scope = outer;
        Ok(())
    }

    /// The clean-up of all blocks from the current one outwards, whose objects end with the function's frame.
    pub fn clean_up_all(&mut self, cleanups: Cleanups) -> Result<()> {
        let here = self.scope;
        let mut next = Some(here);
        while let Some(scope) = next {
            self.clean_up(scope, cleanups)?;
            next = self.scopes[scope.index()].parent;
        }
        self.scope = here;
        Ok(())
    }

    /// Whether some block has to be cleaned up after where the function returns.
    pub fn has_cleanups(&self) -> bool {
        let parent = |scope: &ScopeId| self.scopes[scope.index()].parent;
        std::iter::successors(Some(self.scope), parent).any(|scope| self.scopes[scope.index()].cleanup.is_some())
    }

    /// Evaluates what cleans up after the block, outside of it.
    fn clean_up(&mut self, scope: ScopeId, cleanups: Cleanups) -> Result<()> {
        let Scope { cleanup: Some((call, on_jumps)), parent: Some(parent), .. } = self.scopes[scope.index()] else {
            return Ok(());
        };
        self.scope = parent;
        if self.current.is_some() && (on_jumps || cleanups == Cleanups::Run) {
            self.apart(|lowerer| lowerer.effect(call))?;
        }
        Ok(())
    }

    /// What follows from leaving the blocks from the current one up to (and without) `ancestor`.
    fn leave_up_to(&mut self, ancestor: ScopeId, cleanups: Cleanups) -> Result<()> {
        let here = self.scope;
        let mut scope = here;
        while scope != ancestor {
            self.clean_up(scope, cleanups)?;
            let slots: Vec<SlotId> = self.scopes[scope.index()].slots.iter().rev().map(|&(slot, _)| slot).collect();
            for slot in slots {
                self.emit(Op::Leave { slot });
            }
            match self.scopes[scope.index()].parent {
                Some(parent) => scope = parent,
                None => break,
            }
        }
        self.scope = here;
        Ok(())
    }

    /// The current scope as a landing at `loc`.
    pub fn jump_target(&self, loc: Loc) -> JumpTarget {
        JumpTarget { loc, scope: self.scope }
    }

    /// Jumps out to a landing in an enclosing scope (`break`, `continue`).
    pub fn jump_out(&mut self, to: JumpTarget) -> Result<()> {
        self.leave_up_to(to.scope, Cleanups::Run)?;
        self.goto(to.loc);
        Ok(())
    }

    /// Goes from the end of `from` to `to`, leaving and entering blocks as needed.
    pub fn connect(&mut self, from: JumpTarget, to: JumpTarget, note: Note, cleanups: Cleanups) -> Result<()> {
        let (mut left, mut entered) = (from.scope, to.scope);
        let mut entering = Vec::new();
        while left != entered {
            let (a, b) = (&self.scopes[left.index()], &self.scopes[entered.index()]);
            if b.depth >= a.depth {
                entering.extend(b.slots.iter().rev().filter(|(_, at_entry)| *at_entry).map(|&(slot, _)| slot));
                let Some(parent) = b.parent else { break };
                entered = parent;
            } else {
                let Some(parent) = a.parent else { break };
                left = parent;
            }
        }
        let here = std::mem::replace(&mut self.scope, from.scope);
        self.current = Some(from.loc);
        self.leave_up_to(left, cleanups)?;
        for slot in entering.into_iter().rev() {
            self.emit(Op::Enter { slot, size: None });
        }
        self.goto_noted(to.loc, note);
        self.scope = here;
        Ok(())
    }

    // Labels.

    pub fn label(&mut self, label: LabelId) -> Result<()> {
        let loc = match self.labels[label.index()] {
            Some(jump_target) => jump_target.loc,
            None => self.new_loc(),
        };
        self.labels[label.index()] = Some(self.jump_target(loc));
        self.goto(loc);
        // Reached by a jump that may still come.
        self.current = Some(loc);
        Ok(())
    }

    pub fn jump_to_label(&mut self, label: LabelId) {
        if let Some(at) = self.current.take() {
            let from = self.jump_target(at);
            self.gotos.push((from, label, self.span));
        }
    }

    /// The value of `&&label`: labels are numbered from one.
    pub fn label_value(&self, label: LabelId) -> Expr {
        self.pointer_constant(u64::from(label.0) + 1)
    }

    /// `goto *value`: one of the function's labels.
    pub fn jump_to_value(&mut self, value: Expr) {
        let is_own = |label: &LabelId| self.body.is_some_and(|body| !body.labels[label.index()].is_empty());
        let labels: Vec<LabelId> = (0..self.labels.len()).map(LabelId::from_index).filter(is_own).collect();
        let mut other = Expr::truth(true);
        let value = self.reusable(value);
        let Some(at) = self.current else { return };
        for label in labels {
            let is_it = Expr::binary(BinOp::Eq, value.clone(), self.label_value(label));
            other = Expr::binary(BinOp::And, other, is_it.clone().negated());
            let loc = self.new_loc();
            self.edge(at, Op::Assume(is_it), loc, Note::None);
            let from = self.jump_target(loc);
            self.gotos.push((from, label, self.span));
        }
        let loc = self.new_loc();
        self.edge(at, Op::Assume(other), loc, Note::None);
        self.current = Some(loc);
        self.undefined("a jump to what is no label");
    }

    /// Connects the jumps, now that all labels stand.
    pub fn resolve_gotos(&mut self) -> Result<()> {
        for (from, label, span) in std::mem::take(&mut self.gotos) {
            self.span = span;
            match self.labels[label.index()] {
                Some(to) => self.connect(from, to, Note::None, Cleanups::Run)?,
                None => return Err(self.error("a jump to a label that is not there", span)),
            }
        }
        Ok(())
    }

    // Switch.

    pub fn switch(&mut self, stmt: &Stmt, value: &'u syntax::Expr, body: &'u Stmt) -> Result<()> {
        let note_at = stmt.span.start;
        self.span = value.span;
        let operand = self.rvalue(value)?;
        let operand = self.reusable(operand);
        let dispatch = self.current.take().map(|at| self.jump_target(at));
        let dispatch_span = self.span;

        let end = self.new_loc();
        let jump_target = self.jump_target(end);
        self.breaks.push(jump_target);
        self.switches.push(SwitchContext { width: operand.width(), ..SwitchContext::default() });
        self.statement(body)?;
        self.goto(end);
        self.breaks.pop();
        let context = self.switches.pop().unwrap_or_default();

        if let Some(dispatch) = dispatch {
            self.span = dispatch_span;
            self.dispatch(dispatch, &operand, &context, jump_target, note_at)?;
        }
        self.resume(end);
        Ok(())
    }

    fn dispatch(
        &mut self,
        from: JumpTarget,
        operand: &Expr,
        context: &SwitchContext,
        end: JumpTarget,
        at: u32,
    ) -> Result<()> {
        let signed_bits = |value: i128| Expr::constant(value as u128, context.width);
        let mut other = Expr::truth(true);
        let mut routes = Vec::new();
        for &(low, high, to) in &context.cases {
            let is_it = if low == high {
                Expr::binary(BinOp::Eq, operand.clone(), signed_bits(low))
            } else {
                // `operand - low <= high - low` without sign covers both kinds of types.
                let above = Expr::binary(BinOp::Sub, operand.clone(), signed_bits(low));
                Expr::binary(BinOp::Ule, above, signed_bits(high.wrapping_sub(low)))
            };
            other = Expr::binary(BinOp::And, other, is_it.clone().negated());
            let note = match low == high {
                _ if self.has_landmarks() => Note::Choice { at, is_default: false },
                true => Note::Case { at, value: Some(low) },
                false => Note::None,
            };
            routes.push((is_it, to, note));
        }
        let note = match self.has_landmarks() {
            true => Note::Choice { at, is_default: true },
            false => Note::Case { at, value: None },
        };
        routes.push((other, context.default.unwrap_or(end), note));
        if self.has_landmarks() {
            return self.noted_dispatch(from, operand, routes);
        }
        if let Some((_, to, note)) = routes.iter().find(|(guard, ..)| *guard == Expr::truth(true)) {
            return self.connect(from, *to, *note, Cleanups::Run);
        }
        for (guard, to, note) in routes {
            if guard == Expr::truth(false) {
                continue;
            }
            let loc = self.new_loc();
            self.edge(from.loc, Op::Assume(guard), loc, note);
            self.connect(JumpTarget { loc, scope: from.scope }, to, Note::None, Cleanups::Run)?;
        }
        Ok(())
    }

    /// The same with a landmark on each way.
    fn noted_dispatch(
        &mut self,
        from: JumpTarget,
        operand: &Expr,
        routes: Vec<(Expr, JumpTarget, Note)>,
    ) -> Result<()> {
        for (guard, to, note) in routes {
            let (chosen, loc) = (self.new_loc(), self.new_loc());
            self.edge(from.loc, Op::Assume(guard), chosen, Note::None);
            let dst = self.raw_temp(operand.width());
            self.edge(chosen, Op::Assign { dst, value: operand.clone() }, loc, note);
            self.connect(JumpTarget { loc, scope: from.scope }, to, Note::None, Cleanups::Run)?;
        }
        Ok(())
    }

    /// A `case` or (where `values` is `None`) `default` label.
    pub fn case(&mut self, values: Option<(i128, i128)>, span: Span) -> Result<()> {
        let loc = self.new_loc();
        self.goto(loc);
        let jump_target = self.jump_target(loc);
        let Some(context) = self.switches.last_mut() else {
            return Err(self.error("a case outside a switch", span));
        };
        match values {
            Some((low, high)) => context.cases.push((low, high, jump_target)),
            None => context.default = Some(jump_target),
        }
        self.current = Some(loc);
        Ok(())
    }
}

/// The compound literals in the expressions of a statement, without those in blocks within it.
fn literals(stmt: &Stmt) -> Vec<LocalId> {
    let mut found = Vec::new();
    let mut place = |place: &syntax::Place| {
        let mut place = place;
        while let PlaceKind::Member { base, .. } = &place.kind {
            place = base;
        }
        if let PlaceKind::CompoundLiteral { local, .. } = place.kind {
            found.push(local);
        }
    };
    let mut expr = |expr: &syntax::Expr| {
        purity::any(expr, &mut |e| {
            match &e.kind {
                ExprKind::Use(at) | ExprKind::AddressOf(at) | ExprKind::ArrayDecay(at) => place(at),
                ExprKind::Assign { place: at, .. } | ExprKind::CompoundAssign { place: at, .. } => place(at),
                _ => {}
            }
            false
        });
    };
    let mut stmt = stmt;
    while let StmtKind::Label { body, .. } | StmtKind::Case { body, .. } | StmtKind::Default { body } = &stmt.kind {
        stmt = body;
    }
    match &stmt.kind {
        StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::Declare { init: Some(syntax::Init::Expr(e)), .. } => {
            expr(e)
        }
        _ => {}
    }
    found
}
