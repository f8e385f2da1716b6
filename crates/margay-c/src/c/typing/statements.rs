//! Statements.

use lang_c::ast::{self, Expression as Ast, Statement as S};
use lang_c::span::Node;

use super::nested::nested_body;
use super::{Operand, Typer};
use crate::base::error::{ErrorKind, Result};
use crate::base::span::Span;
use crate::c::prepass::marker;
use crate::c::syntax::{Expr, ExprKind, Place, Stmt, StmtKind};
use crate::c::types::Type;

pub(super) fn stmt(kind: StmtKind, span: Span) -> Stmt {
    Stmt { kind, span }
}

impl<'a> Typer<'a> {
    /// The items of a block, in the scope that is open.
    pub(super) fn block_items(&mut self, items: &'a [Node<ast::BlockItem>], out: &mut Vec<Stmt>) -> Result<()> {
        let mut items = items.iter().peekable();
        while let Some(item) = items.next() {
            match &item.node {
                ast::BlockItem::Declaration(d) => match nested_body(items.peek().copied()) {
                    Some(body) => {
                        items.next();
                        self.nested_definition(d, body, out)?;
                    }
                    None => self.block_declaration(d, out)?,
                },
                ast::BlockItem::StaticAssert(a) => self.static_assert(a)?,
                ast::BlockItem::Statement(s) => {
                    let statement = self.statement(s)?;
                    out.push(statement);
                }
            }
        }
        Ok(())
    }

    fn boxed(&mut self, node: &'a Node<S>) -> Result<Box<Stmt>> {
        Ok(Box::new(self.scoped(|this| this.statement(node))?))
    }

    /// Selections and loops are blocks, and so are the statements that they consist of (C11 6.8.4 p3, 6.8.5 p5).
    pub(super) fn statement(&mut self, node: &'a Node<S>) -> Result<Stmt> {
        match node.node {
            S::If(_) | S::Switch(_) | S::While(_) | S::DoWhile(_) | S::For(_) => {
                self.scoped(|this| this.statement_here(node))
            }
            _ => self.statement_here(node),
        }
    }

    fn statement_here(&mut self, node: &'a Node<S>) -> Result<Stmt> {
        let span = self.span(node);
        let kind = match &node.node {
            S::Compound(items) => {
                let mut block = Vec::with_capacity(items.len());
                self.scoped(|this| this.block_items(items, &mut block))?;
                StmtKind::Block(block)
            }
            S::Expression(None) => StmtKind::Empty,
            S::Expression(Some(e)) => return self.expression_statement(e, span),
            S::If(node) => {
                let condition = self.condition(&node.node.condition)?;
                let then = self.boxed(&node.node.then_statement)?;
                let otherwise = match &node.node.else_statement {
                    Some(s) => Some(self.boxed(s)?),
                    None => None,
                };
                StmtKind::If { condition, then, otherwise }
            }
            S::While(node) => {
                let condition = self.condition(&node.node.expression)?;
                StmtKind::While { condition, body: self.boxed(&node.node.statement)? }
            }
            S::DoWhile(node) => {
                let body = self.boxed(&node.node.statement)?;
                let condition = self.condition(&node.node.expression)?;
                let while_at = self.find_byte(b'w', self.span(&node.node.statement).end);
                StmtKind::DoWhile { body, condition, while_at }
            }
            S::For(node) => self.for_statement(&node.node)?,
            S::Switch(node) => {
                let value = self.rvalue(&node.node.expression)?;
                let value = self.promote(value)?;
                if !self.is_integer(value.ty) {
                    return self.constraint(span, format!("switch over {}", self.types.display(value.ty)));
                }
                if let Some(function) = &mut self.function {
                    function.switches.push((value.ty, Default::default()));
                }
                let body = self.boxed(&node.node.statement);
                if let Some(function) = &mut self.function {
                    function.switches.pop();
                }
                StmtKind::Switch { value, body: body? }
            }
            S::Labeled(node) => self.labelled(&node.node)?,
            S::Goto(name) => StmtKind::Goto(self.label(self.name_of(name), span)?),
            S::Continue => StmtKind::Continue,
            S::Break => StmtKind::Break,
            S::Return(e) => self.return_statement(e.as_deref(), span)?,
            S::Asm(asm) => match self.assembler(&asm.node, span) {
                Err(error) if error.kind == ErrorKind::Unsupported => {
                    return Ok(self.refused_statement(&error, span));
                }
                other => other?,
            },
        };
        Ok(stmt(kind, span))
    }

    fn expression_statement(&mut self, e: &'a Node<Ast>, span: Span) -> Result<Stmt> {
        if let Ast::Call(call) = &e.node
            && let (Ast::Identifier(callee), [target]) = (&call.node.callee.node, &call.node.arguments[..])
            && callee.node.name == marker::GOTO
        {
            let target = self.rvalue(target)?;
            if !matches!(self.types.get(target.ty), Type::Pointer(_)) && self.types.int_kind(target.ty).is_none() {
                return self.constraint(span, "the target of a computed jump is no pointer");
            }
            let target = self.convert(target, self.common.void_ptr)?;
            return Ok(stmt(StmtKind::GotoComputed(target), span));
        }
        match self.full_expression(e) {
            Ok(value) => Ok(stmt(StmtKind::Expr(value), span)),
            Err(error) if error.kind == ErrorKind::Unsupported => Ok(self.refused_statement(&error, span)),
            Err(error) => Err(error),
        }
    }

    fn for_statement(&mut self, node: &'a ast::ForStatement) -> Result<StmtKind> {
        let mut init = Vec::new();
        match &node.initializer.node {
            ast::ForInitializer::Empty => {}
            ast::ForInitializer::Expression(e) => {
                let at = self.span(e);
                let value = self.rvalue(e)?;
                init.push(stmt(StmtKind::Expr(value), at));
            }
            ast::ForInitializer::Declaration(d) => self.block_declaration(d, &mut init)?,
            ast::ForInitializer::StaticAssert(a) => self.static_assert(a)?,
        }
        let condition = match &node.condition {
            Some(e) => Some(self.condition(e)?),
            None => None,
        };
        let step = match &node.step {
            Some(e) => Some(self.rvalue(e)?),
            None => None,
        };
        let body = self.boxed(&node.statement)?;
        Ok(StmtKind::For { init, condition, step, body })
    }

    fn labelled(&mut self, node: &'a ast::LabeledStatement) -> Result<StmtKind> {
        let at = self.span(&node.label);
        match &node.label.node {
            ast::Label::Identifier(name) => {
                let label = self.define_label(self.name_of(name), at)?;
                Ok(StmtKind::Label { label, body: self.boxed(&node.statement)? })
            }
            ast::Label::Default => {
                if self.function.as_ref().is_none_or(|f| f.switches.is_empty()) {
                    return self.constraint(at, "default outside a switch");
                }
                Ok(StmtKind::Default { body: self.boxed(&node.statement)? })
            }
            ast::Label::Case(e) => {
                let value = self.case_value(e)?;
                let switch = self.function.as_mut().and_then(|f| f.switches.last_mut());
                if switch.is_some_and(|(_, cases)| !cases.insert(value)) {
                    return self.constraint(self.span(e), format!("there is a case {value} already"));
                }
                Ok(StmtKind::Case { low: value, high: value, body: self.boxed(&node.statement)? })
            }
            ast::Label::CaseRange(range) => {
                let low = self.case_value(&range.node.low)?;
                let high = self.case_value(&range.node.high)?;
                Ok(StmtKind::Case { low, high, body: self.boxed(&node.statement)? })
            }
        }
    }

    fn case_value(&mut self, e: &'a Node<Ast>) -> Result<i128> {
        let value = self.int_constant(e)?;
        let switch = self.function.as_ref().and_then(|f| f.switches.last().map(|(ty, _)| *ty));
        match switch.and_then(|ty| self.int_in_type(value, ty)) {
            Some(value) => Ok(value),
            None => self.constraint(self.span(e), "case outside a switch"),
        }
    }

    fn return_statement(&mut self, e: Option<&'a Node<Ast>>, span: Span) -> Result<StmtKind> {
        let result = self.function.as_ref().map_or(self.common.void, |f| f.result);
        let Some(e) = e else { return Ok(StmtKind::Return(None)) };
        let value = match self.full_expression(e) {
            Ok(value) => value,
            Err(error) if error.kind == ErrorKind::Unsupported => {
                let kind = ExprKind::Unsupported(error.message.as_str().into());
                return Ok(StmtKind::Return(Some(Expr { kind, ty: result, span })));
            }
            Err(error) => return Err(error),
        };
        // GNU: `return f();` in a void function, whatever `f` returns.
        let value =
            if result == self.common.void { self.convert(value, result)? } else { self.assign_convert(value, result)? };
        Ok(StmtKind::Return(Some(value)))
    }

    /// `({ … })`: the last expression statement is the value.
    pub(super) fn statement_expression(&mut self, node: &'a Node<S>, span: Span) -> Result<Expr> {
        let S::Compound(items) = &node.node else { return self.constraint(span, "block expected") };
        if self.function.is_none() {
            return self.constraint(span, "statement expression outside a function");
        }
        let mut block = Vec::with_capacity(items.len());
        self.scoped(|this| this.block_items(items, &mut block))?;
        let result = take_result(&mut block);
        let ty = result.as_ref().map_or(self.common.void, |e| e.ty);
        Ok(Expr { kind: ExprKind::Statement { block, result: result.map(Box::new) }, ty, span })
    }

    /// The text of an expression.
    fn text_of(&self, node: &Node<Ast>) -> &'a str {
        let span = self.span(node);
        &self.prepared.text[span.start as usize..span.end as usize]
    }

    fn assembler(&mut self, asm: &'a ast::AsmStatement, span: Span) -> Result<StmtKind> {
        let text = |this: &mut Self, node| -> Result<String> {
            let text = this.string(node)?;
            Ok(text.units.iter().filter_map(|u| char::from_u32(*u)).collect())
        };
        match asm {
            ast::AsmStatement::GnuBasic(template) => {
                let template = text(self, template)?;
                Ok(StmtKind::Asm {
                    template: template.into(),
                    outputs: Vec::new(),
                    inputs: Vec::new(),
                    tied: Vec::new(),
                    clobbers_memory: true,
                })
            }
            ast::AsmStatement::GnuExtended(asm) => {
                let mut template = text(self, &asm.template)?;
                // Operands that have names have numbers as well.
                for (number, operand) in asm.outputs.iter().chain(&asm.inputs).enumerate() {
                    if let Some(name) = &operand.node.symbolic_name {
                        template = template.replace(&format!("%[{}]", name.node.name), &format!("%{number}"));
                    }
                }
                let (mut outputs, mut inputs): (Vec<Place>, Vec<Expr>) = (Vec::new(), Vec::new());
                for operand in &asm.outputs {
                    match self.operand(&operand.node.variable_name)? {
                        Operand::Place(place) => {
                            self.take_address(&place);
                            outputs.push(place);
                        }
                        _ => return self.constraint(span, "assembler output is no object"),
                    }
                }
                let mut memory = false;
                let mut tied = Vec::new();
                for (i, operand) in asm.outputs.iter().enumerate() {
                    let constraint = text(self, &operand.node.constraints)?;
                    // An object in memory that is an input as well has the value it had, unless an instruction changes it.
                    let mut in_memory = false;
                    for input in asm.inputs.iter().filter(|_| constraint.trim_start_matches(['=', '&']) == "m") {
                        let is_same =
                            self.text_of(&input.node.variable_name) == self.text_of(&operand.node.variable_name);
                        in_memory |= is_same && text(self, &input.node.constraints)? == "m";
                    }
                    if constraint.contains('+') || in_memory {
                        tied.push((i, None));
                    }
                }
                for operand in &asm.inputs {
                    if let Ok(output) = text(self, &operand.node.constraints)?.parse::<usize>() {
                        let value = self.operand(&operand.node.variable_name)?;
                        tied.push((output, Some(self.value_of(value)?)));
                    }
                }
                for operand in &asm.inputs {
                    let value = match self.operand(&operand.node.variable_name)? {
                        Operand::Place(Place { ty, kind, span: at })
                            if matches!(self.types.get(ty), crate::c::types::Type::Record(_)) =>
                        {
                            // A memory operand: its address goes in.
                            let place = Place { ty, kind, span: at };
                            self.take_address(&place);
                            memory = true;
                            let ty = self.types.pointer_to(ty);
                            Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span: at }
                        }
                        operand => self.value_of(operand)?,
                    };
                    inputs.push(value);
                }
                for clobber in &asm.clobbers {
                    memory |= text(self, clobber)? == "memory";
                }
                Ok(StmtKind::Asm { template: template.into(), outputs, inputs, tied, clobbers_memory: memory })
            }
        }
    }
}

/// Takes the value out of a statement expression's block.
fn take_result(block: &mut Vec<Stmt>) -> Option<Expr> {
    match block.last_mut() {
        Some(Stmt { kind: StmtKind::Expr(_), .. }) => match block.pop() {
            Some(Stmt { kind: StmtKind::Expr(e), .. }) => Some(e),
            _ => None,
        },
        // `({ …; label: e; })`: the label stays, its statement is the value.
        Some(Stmt { kind: StmtKind::Label { body, .. }, .. }) => match &mut body.kind {
            StmtKind::Expr(_) => match std::mem::replace(&mut body.kind, StmtKind::Empty) {
                StmtKind::Expr(e) => Some(e),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
