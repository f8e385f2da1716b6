//! The call stack over any memory.

use std::rc::Rc;

use super::{BlockId, Memory, Site};
use crate::base::span::Span;
use crate::cfa::{Allocation, FunctionId, Loc, Program, Reg};

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame<V> {
    pub function: FunctionId,
    /// Where this frame stands; for all but the top frame: where it goes on when the callee returns.
    pub at: Loc,
    /// `None`: never set (or forgotten because nobody reads it any more).
    pub regs: Vec<Option<V>>,
    /// The live object of each slot.
    pub slots: Vec<Option<BlockId>>,
    /// `alloca` blocks of this activation.
    pub allocas: Vec<BlockId>,
    /// Register of the *caller* that receives the result.
    pub result: Option<Reg>,
    /// The call, in the caller's text.
    pub call: Span,
}

impl<V> Frame<V> {
    /// A fresh activation at its entry, nothing set.
    pub fn new(program: &Program, function: FunctionId, result: Option<Reg>, call: Span) -> Self {
        let decl = program.function(function);
        Self {
            function,
            at: decl.entry,
            regs: std::iter::repeat_with(|| None).take(decl.regs.len()).collect(),
            slots: vec![None; decl.slots.len()],
            allocas: Vec::new(),
            result,
            call,
        }
    }
}

/// A memory and the stack of frames on it: what a program's execution is at.
#[derive(Clone, Debug)]
pub struct Config<M: Memory> {
    pub memory: M,
    /// Outermost first, never empty while the program runs.
    pub frames: Vec<Rc<Frame<M::Value>>>,
    /// The block of each global, in order.
    pub globals: Rc<[BlockId]>,
}

impl<M: Memory> Config<M> {
    /// The frame that runs.
    pub fn top(&self) -> &Frame<M::Value> {
        &self.frames[self.frames.len() - 1]
    }

    /// The frame that runs, for change.
    pub fn top_mut(&mut self) -> &mut Frame<M::Value> {
        let last = self.frames.len() - 1;
        Rc::make_mut(&mut self.frames[last])
    }

    /// Which part of the user's program the op that runs belongs to, when it makes a block.
    pub(super) fn site(&self, program: &Program) -> Site {
        let top = self.top();
        for (depth, frame) in self.frames.iter().rev().enumerate() {
            let function = program.function(frame.function);
            let allocation = if depth == 0 { Allocation::At(frame.at) } else { Allocation::Before(frame.at) };
            if !function.library && !function.hands_out.contains(&allocation) {
                return Site::Made(frame.function, allocation);
            }
        }
        Site::Made(top.function, Allocation::At(top.at))
    }

    /// The place in the user's text that `span` of the running function stands for: library models report their call.
    pub fn user_span(&self, program: &Program, span: Span) -> Span {
        let mut span = span;
        for frame in self.frames.iter().rev() {
            if !program.function(frame.function).library {
                break;
            }
            span = frame.call;
        }
        span
    }
}
