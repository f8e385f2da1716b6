//! The events of a run that evidence speaks of.

use std::sync::Arc;

use super::evidence::Event;
use super::memory::Concrete;
use super::story::{Story, StoryWriter};
use super::value::{Provenance, Value};
use crate::base::span::{Pos, Span};
use crate::cfa::{Bits, Edge, FunctionId, NondetKind, Note, Op, Program, Reg, allocates};
use crate::memory::{Config, Reason};

/// Collects events of the user's functions; positions inside library models are those of the call. A harness only gives inputs, and
/// calls a function with arguments.
#[derive(Clone)]
pub(super) struct Trace<'p> {
    program: &'p Program,
    events: Option<Vec<Event>>,
    /// The statement (or closing brace) by which `main` returned, with `main` itself.
    end: Option<(FunctionId, Span)>,
    /// The call of the library that runs.
    call: Option<LibraryCall>,
    story_writer: StoryWriter<'p>,
}

/// A call of a library function by one of the user's.
#[derive(Clone, Copy)]
struct LibraryCall {
    callee: FunctionId,
    close: u32,
    dst: Reg,
    /// Of frames in the caller.
    depth: usize,
    /// Inputs that were taken before.
    inputs: usize,
}

/// Where control stood before a step.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The function that runs.
    function: FunctionId,
    /// The innermost function of the user's, and the span in it.
    user: FunctionId,
    span: Span,
    depth: usize,
}

impl<'p> Trace<'p> {
    pub fn new(program: &'p Program, on: bool) -> Self {
        Self { program, events: on.then(Vec::new), end: None, call: None, story_writer: StoryWriter::default() }
    }

    /// How many there were so far.
    pub fn events(&self) -> usize {
        self.events.as_ref().map_or(0, Vec::len)
    }

    pub fn is_on(&self) -> bool {
        self.events.is_some()
    }

    /// The events, and the story of a run that ended with this memory.
    pub fn into_events(self, memory: &Concrete) -> (Vec<Event>, Story) {
        let story = if self.is_on() { self.story_writer.into_story(self.program, memory) } else { Story::default() };
        (self.events.unwrap_or_default(), story)
    }

    pub fn place(&self, config: &Config<Concrete>, edge: &Edge) -> Place {
        let user = config.frames.iter().rev().map(|frame| frame.function).find(|f| !self.program.function(*f).library);
        Place {
            function: config.top().function,
            user: user.unwrap_or(self.program.start),
            span: config.user_span(self.program, edge.span),
            depth: config.frames.len(),
        }
    }

    fn name(&self, function: FunctionId) -> Arc<str> {
        self.program.function(function).name.clone()
    }

    fn pos(&self, offset: u32) -> Pos {
        self.program.source.pos(offset)
    }

    fn push(&mut self, event: Event) {
        let is_shown = matches!(event, Event::Input { .. } | Event::Violation { .. }) || !event.pos().is_of_harness();
        if let Some(events) = self.events.as_mut().filter(|_| is_shown) {
            events.push(event);
        }
    }

    /// The user's function was entered by a call at `call`. One by a harness stands where the function does, with its arguments.
    fn enter(&mut self, callee: FunctionId, call: Pos, config: &Config<Concrete>) {
        let Some(events) = self.events.as_ref().map(Vec::len) else { return };
        let function = self.program.function(callee);
        let is_first = call.is_of_harness() && !self.pos(function.span.start).is_of_harness();
        if is_first {
            self.story_writer.entered(events, self.program, callee, config);
        }
        let call = if is_first { self.pos(function.span.start) } else { call };
        self.push(Event::Enter { call, function: function.name.clone() });
    }

    /// `edge` was taken from `place`.
    pub fn step(&mut self, place: Place, edge: &'p Edge, reason: Reason, config: &Config<Concrete>) {
        self.story_writer.step(self.program, place.function, &edge.op, (place.user, place.span.start), config);
        if let (Note::Branch { .. } | Note::Case { .. }, Some(events)) = (edge.note, &self.events)
            && !self.program.function(place.function).library
        {
            self.story_writer.branch(events.len(), self.program, place.function, config);
        }
        let decl = self.program.function(place.function);
        if let Op::Nondet { dst, kind: NondetKind::Input(name) | NondetKind::External(name) | NondetKind::Number(name) } =
            &edge.op
            && let Some(value) = config.top().regs[dst.index()]
            && !matches!(&**name, "argv" | "argument" | "envp")
            && (decl.library
                || matches!(edge.op, Op::Nondet { kind: NondetKind::External(_) | NondetKind::Number(_), .. }))
        {
            let callee = self.call.map(|call| self.name(call.callee));
            self.story_writer.given((place.user, place.span.start), callee.as_ref().unwrap_or(name), value);
        }
        if !decl.library {
            let function = decl.name.clone();
            match edge.note {
                Note::Branch { at, taken } => self.push(Event::Branch { pos: self.pos(at), function, taken }),
                Note::Case { at, value } => self.push(Event::Case { pos: self.pos(at), function, value }),
                Note::Call { close } => {
                    if let Op::Nondet { dst, kind: NondetKind::External(callee) | NondetKind::Number(callee) } =
                        &edge.op
                        && allocates(callee)
                        && config.top().regs[dst.index()].is_some_and(|value| value.bits.value == 1)
                    {
                        let value = Bits::new(0, self.program.model.pointer_bits());
                        let (close, callee, function) = (self.pos(close), callee.clone(), function.clone());
                        self.push(Event::Library { close, function, callee, value, signed: false });
                    }
                    if let Op::Nondet { dst, kind: NondetKind::Input(callee) } = &edge.op {
                        let reg = &decl.regs[dst.index()];
                        let value = config.memory.used_inputs().values.last().copied().unwrap_or(0);
                        let value = Bits::new(value, reg.width);
                        let (close, callee, signed) = (self.pos(close), callee.clone(), reg.signed);
                        self.push(Event::Input { close, function, callee, value, signed });
                    }
                }
                Note::None | Note::Entered { .. } | Note::Returned { .. } | Note::Choice { .. } => {}
            }
        }
        self.library_call(place, edge, reason, config);
        if let Reason::Returned(main) = reason
            && place.depth == 2
            && !self.program.function(main).library
        {
            self.end = Some((main, place.span));
        }
        // The call of `main` itself is not in the program's text.
        match reason {
            Reason::Entered(callee) if !self.program.function(callee).library && place.depth > 1 => {
                self.enter(callee, self.pos(place.span.start), config);
            }
            Reason::Returned(callee) if !self.program.function(callee).library && place.depth > 2 => {
                self.push(Event::Return { pos: self.pos(place.span.start), function: self.name(callee) });
            }
            _ => {}
        }
    }

    /// Calls of library functions whose results witnesses tell: numbers that come from inputs.
    fn library_call(&mut self, place: Place, edge: &Edge, reason: Reason, config: &Config<Concrete>) {
        let inputs = config.memory.used_inputs().values.len();
        if let (Reason::Entered(callee), Note::Call { close }, Op::Call { dst: Some(dst), .. }) =
            (reason, edge.note, &edge.op)
            && self.program.function(callee).library
            && !self.program.function(place.function).library
        {
            self.call = Some(LibraryCall { callee, close, dst: *dst, depth: place.depth, inputs });
        }
        let Some(call) = self.call.filter(|call| config.frames.len() <= call.depth) else { return };
        self.call = None;
        let caller = config.top();
        let decl = &self.program.function(caller.function).regs[call.dst.index()];
        let is_number = |value: &Value| match value.provenance {
            Provenance::None => true,
            Provenance::External => !decl.c_type.ends_with('*'),
            _ => false,
        };
        let value = caller.regs[call.dst.index()].filter(is_number);
        if let Some(value) = value
            && config.frames.len() == call.depth
            && inputs > call.inputs
        {
            let (close, value, signed) = (self.pos(call.close), value.bits, decl.signed);
            let (function, callee) = (self.name(caller.function), self.name(call.callee));
            self.push(Event::Library { close, function, callee, value, signed });
        }
    }

    /// What the run ended in.
    pub fn end(&mut self, place: Place, edge: &'p Edge, config: &Config<Concrete>) {
        self.story_writer.end(self.program, place.function, &edge.op, config);
    }

    pub fn violation(&mut self, place: Place) {
        // What calls `main` is not in the program's text either: what happens there happens at the end of `main`.
        let (function, span) = match self.end {
            Some(end) if place.user == self.program.start => end,
            _ => (place.user, place.span),
        };
        self.push(Event::Violation { pos: self.pos(span.start), function: self.name(function) });
    }
}
