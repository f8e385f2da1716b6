//! What a run did besides its events, for people who read it: the values in its conditions, where blocks came from and went.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::memory::Concrete;
use super::value::{Provenance, Value};
use crate::base::span::Pos;
use crate::cfa::{BinOp, Expr, FunctionId, Object, Op, Program, Reg};
use crate::memory::{BlockId, BlockKind, Config, RECEIVED};

/// Variables of one condition that are reported.
const MOST_VALUES: usize = 6;
/// Links that are followed in the name of a value (`p->next->data` has two).
const MOST_LINKS: usize = 4;

/// What there is to tell of a run; nothing is decided by it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The values that a condition read, by the position of the branch among the events: what C calls it, and the value.
    pub values: BTreeMap<usize, Vec<(String, String)>>,
    /// Where the block that a violation is about was allocated and freed: with the function.
    pub allocated: Option<(Pos, Arc<str>)>,
    /// `None` where it was not freed, or there is no such block.
    pub freed: Option<(Pos, Arc<str>)>,
    /// What C calls the object that a wrong access is about.
    pub accessed: Option<String>,
    /// What functions without a text of their own gave the run besides the events: where, which function, the values.
    pub given: Vec<(Pos, Arc<str>, Vec<String>)>,
    /// Bytes that the run was given in memory that had not been written: those of each object up to the last one read.
    pub texts: Vec<(String, Vec<u8>)>,
}

impl Story {
    /// Where the block was allocated, if that is in the user's text.
    pub fn allocated_in_text(&self) -> Option<&(Pos, Arc<str>)> {
        self.allocated.as_ref().filter(|(pos, _)| !pos.is_of_harness())
    }
}

/// A value that was read, and what it was read from.
#[derive(Clone, Copy)]
struct Part<'p> {
    /// Whose registers and objects it speaks of.
    function: FunctionId,
    from: Source<'p>,
    value: Value,
}

#[derive(Clone, Copy)]
enum Source<'p> {
    Variable(Reg),
    /// What so many bytes at this address hold.
    Memory(&'p Expr, u64),
}

/// Something that C can name, with its type.
struct Named {
    text: String,
    c_type: String,
}

/// A place in the user's text: the function, and the offset.
type Place = (FunctionId, u32);

/// Collects a [`Story`].
#[derive(Clone, Default)]
pub(super) struct StoryWriter<'p> {
    /// What a temporary was computed from, by the depth of its frame.
    parts: BTreeMap<(usize, FunctionId, Reg), Vec<Part<'p>>>,
    /// What the conditions since the last branch were computed from.
    pending: Vec<Part<'p>>,
    values: BTreeMap<usize, Vec<(String, String)>>,
    /// Where each block came from, in order; where dead ones went.
    allocated: Vec<Place>,
    freed: BTreeMap<BlockId, Place>,
    /// Heap blocks whose end was not seen.
    alive: Vec<BlockId>,
    given: Vec<(Place, Arc<str>, Vec<String>)>,
    accessed: Option<String>,
}

impl<'p> StoryWriter<'p> {
    /// An op was done in a frame of `function`, which goes on in `config`; `user` is where the user's text is.
    pub fn step(
        &mut self,
        program: &'p Program,
        function: FunctionId,
        op: &'p Op,
        user: Place,
        config: &Config<Concrete>,
    ) {
        let blocks = &config.memory.inner().blocks;
        for (index, block) in blocks.iter().enumerate().skip(self.allocated.len()) {
            self.allocated.push(user);
            if block.kind == BlockKind::Heap {
                self.alive.push(BlockId::from_index(index));
            }
        }
        if let Op::Free { .. } = op {
            let freed = &mut self.freed;
            self.alive.retain(|id| {
                let is_live = blocks[id.index()].live;
                if !is_live {
                    freed.insert(*id, user);
                }
                is_live
            });
        }
        let top = config.top();
        if let Op::Call { dst: Some(dst), .. } = op {
            // What it receives comes from nowhere that can be named; the callee's frame is there already, or it has none.
            for depth in [config.frames.len() - 1, config.frames.len()] {
                self.set((depth, function, *dst), Vec::new());
            }
        }
        if program.function(function).library || top.function != function {
            return;
        }
        let (regs, depth) = (&program.function(function).regs, config.frames.len());
        match op {
            Op::Load { dst, addr } => {
                let bytes = u64::from(regs[dst.index()].width.div_ceil(8));
                let part =
                    top.regs[dst.index()].map(|value| Part { function, from: Source::Memory(addr, bytes), value });
                self.set((depth, function, *dst), part.into_iter().collect());
            }
            Op::Assign { dst, value } if regs[dst.index()].name.is_none() => {
                let parts = self.parts_of(program, function, value, config);
                self.set((depth, function, *dst), parts);
            }
            Op::Assume(guard) => {
                let parts = self.parts_of(program, function, guard, config);
                self.pending.extend(parts);
            }
            Op::Nondet { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::BlockSize { dst, .. }
            | Op::Number { dst, .. }
            | Op::Find { dst, .. }
            | Op::Overlaps { dst, .. } => {
                self.set((depth, function, *dst), Vec::new());
            }
            _ => {}
        }
    }

    /// The run ends in `op` of a frame of `function`, the top one of `config`.
    pub fn end(&mut self, program: &'p Program, function: FunctionId, op: &'p Op, config: &Config<Concrete>) {
        let decl = program.function(function);
        let access = match op {
            Op::Load { dst, addr } => Some((addr, decl.regs[dst.index()].width)),
            Op::Store { addr, value } => Some((addr, value.width())),
            _ => None,
        };
        if let Some((at, width)) = access.filter(|_| !decl.library) {
            let bytes = u64::from(width.div_ceil(8));
            let named = self.memory(program, function, at, bytes, config.frames.len(), 0);
            self.accessed = named.map(|named| named.text);
        }
    }

    /// The function `name`, called at `user`, gave the run this value.
    pub fn given(&mut self, user: Place, name: &Arc<str>, value: Value) {
        let text = value.bits.signed().to_string();
        if let Some((at, last, values)) = self.given.last_mut()
            && (*at, &*last) == (user, name)
        {
            values.push(text);
        } else if self.given.len() < MOST_GIVEN {
            self.given.push((user, name.clone(), vec![text]));
        }
    }

    /// A temporary has another value: what was read through the old one is known no more by that.
    fn set(&mut self, (depth, function, dst): (usize, FunctionId, Reg), parts: Vec<Part<'p>>) {
        let goes_through = |parts: &[Part]| {
            parts.iter().any(|part| match part.from {
                Source::Memory(at, _) => {
                    let mut found = false;
                    at.for_regs(&mut |reg| found |= reg == dst);
                    found
                }
                Source::Variable(_) => false,
            })
        };
        self.parts.retain(|(at, of, _), parts| (*at, *of) != (depth, function) || !goes_through(parts));
        if goes_through(&parts) || parts.is_empty() {
            self.parts.remove(&(depth, function, dst));
        } else {
            self.parts.insert((depth, function, dst), parts);
        }
    }

    fn parts_of(
        &self,
        program: &Program,
        function: FunctionId,
        expr: &Expr,
        config: &Config<Concrete>,
    ) -> Vec<Part<'p>> {
        let (regs, depth) = (&program.function(function).regs, config.frames.len());
        let mut parts = Vec::new();
        expr.for_regs(&mut |reg| match (&regs[reg.index()].name, config.top().regs[reg.index()]) {
            (Some(_), Some(value)) => parts.push(Part { function, from: Source::Variable(reg), value }),
            (None, _) => parts.extend(self.parts.get(&(depth, function, reg)).into_iter().flatten().copied()),
            (Some(_), None) => {}
        });
        parts.truncate(MOST_VALUES);
        parts
    }

    /// A function was entered from outside of the program's text, which is the event at this position.
    pub fn entered(&mut self, event: usize, program: &Program, function: FunctionId, config: &Config<Concrete>) {
        let decl = program.function(function);
        let value = |param: &Reg| {
            let Named { text, c_type } = self.variable(program, function, *param, 0, 0)?;
            Some((text, shown(config.top().regs[param.index()]?, &c_type, config)))
        };
        self.values.insert(event, decl.params.iter().filter_map(value).take(MOST_VALUES).collect());
    }

    /// A branch of a function was taken, which is the event at this position.
    pub fn branch(&mut self, event: usize, program: &Program, function: FunctionId, config: &Config<Concrete>) {
        let mut values: Vec<(String, String)> = Vec::new();
        // What was assumed elsewhere is no part of the condition.
        for part in std::mem::take(&mut self.pending).into_iter().filter(|part| part.function == function) {
            let named = match part.from {
                Source::Variable(reg) => self.variable(program, part.function, reg, config.frames.len(), 0),
                Source::Memory(at, bytes) => self.memory(program, part.function, at, bytes, config.frames.len(), 0),
            };
            let Some(Named { text, c_type }) = named else { continue };
            if values.len() < MOST_VALUES && values.iter().all(|(known, _)| *known != text) {
                values.push((text, shown(part.value, &c_type, config)));
            }
        }
        if !values.is_empty() {
            self.values.insert(event, values);
        }
    }

    /// What a register holds the value of.
    fn variable(&self, program: &Program, function: FunctionId, reg: Reg, depth: usize, links: usize) -> Option<Named> {
        let decl = &program.function(function).regs[reg.index()];
        if let Some(name) = &decl.name {
            return Some(Named { text: name.to_string(), c_type: decl.c_type.to_string() });
        }
        match self.parts.get(&(depth, function, reg))?[..] {
            [Part { from: Source::Memory(at, bytes), .. }] if links < MOST_LINKS => {
                self.memory(program, function, at, bytes, depth, links + 1)
            }
            _ => None,
        }
    }

    /// The object of `bytes` bytes at an address.
    fn memory(
        &self,
        program: &Program,
        function: FunctionId,
        at: &Expr,
        bytes: u64,
        depth: usize,
        links: usize,
    ) -> Option<Named> {
        let (base, offset) = match at {
            Expr::Binary(BinOp::Add, base, offset) => match &**offset {
                Expr::Const(offset) => (&**base, u64::try_from(offset.value).ok()?),
                _ => return None,
            },
            base => (base, 0),
        };
        let records = &program.records;
        match base {
            Expr::Address(object, _) => {
                let (name, c_type) = match object {
                    Object::Global(id) => {
                        let global = &program.globals[id.index()];
                        (global.name.clone(), &global.c_type)
                    }
                    Object::Slot(slot) => {
                        let slot = &program.function(function).slots[slot.index()];
                        (slot.name.clone()?, &slot.c_type)
                    }
                    Object::Function(_) => return None,
                };
                if let Some(record) = records.get(c_type) {
                    let member = record.member(offset, bytes)?;
                    return Some(Named { text: format!("{name}.{}", member.path), c_type: member.c_type.clone() });
                }
                let is_whole = offset == 0 && !c_type.ends_with(']');
                is_whole.then(|| Named { text: name.to_string(), c_type: c_type.to_string() })
            }
            Expr::Reg(reg, _) => {
                let pointer = self.variable(program, function, *reg, depth, links)?;
                if let Some(record) = records.pointed(&pointer.c_type) {
                    let member = record.member(offset, bytes)?;
                    let text = format!("{}->{}", pointer.text, member.path);
                    return Some(Named { text, c_type: member.c_type.clone() });
                }
                let target = pointer.c_type.strip_suffix('*').filter(|_| offset == 0)?;
                Some(Named { text: format!("*{}", pointer.text), c_type: target.into() })
            }
            _ => None,
        }
    }

    /// What there is to tell of a run that ended in `config`.
    pub fn into_story(self, program: &Program, memory: &Concrete) -> Story {
        let inner = memory.inner();
        let place = |(function, at): Place| (program.source.pos(at), program.function(function).name.clone());
        let blamed = inner.blamed.get().filter(|id| inner.blocks[id.index()].kind == BlockKind::Heap);
        let mut texts: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
        let is_stream = |block: u32| {
            let block = inner.blocks.get(block as usize);
            block.is_some_and(|block| matches!(&*block.name, "stdin" | "stdout" | "stderr"))
        };
        let is_argument =
            |block: u32| inner.blocks.get(block as usize).is_some_and(|block| block.kind == BlockKind::Argument);
        // An argument is as long as its block says, whatever was read of it.
        let unread = |block: u32| match is_argument(block) {
            true => vec![b'x'; usize::try_from(inner.blocks[block as usize].size - 1).unwrap_or(0).min(MOST_BYTES)],
            false => Vec::new(),
        };
        // Of a part of the input, what it was received in.
        let place_of = |source: u32| match source.checked_sub(RECEIVED) {
            Some(part) => inner.feed.received.block_of(part).unwrap_or(source),
            None => source,
        };
        let used = memory.used_inputs().bytes.iter().filter(|((source, _), _)| !is_stream(place_of(*source)));
        for ((source, offset), byte) in used {
            let text = texts.entry(*source).or_insert_with(|| unread(place_of(*source)));
            if let Ok(offset) = usize::try_from(*offset)
                && offset < MOST_BYTES
            {
                text.resize(text.len().max(offset + 1), 0);
                text[offset] = *byte;
            }
        }
        let name = |block: u32| match inner.blocks.get(block as usize) {
            // The array, then its strings.
            Some(_) if is_argument(block) => {
                let before = (0..block).filter(|before| is_argument(*before)).count();
                format!("`argv[{}]`", before.saturating_sub(1))
            }
            found => found.map(|block| block.describe()).unwrap_or_default(),
        };
        let named = |source: u32| {
            let before = source.checked_sub(RECEIVED).map_or(0, |part| inner.feed.received.received_before(part));
            let again = if before > 0 { format!(", read again ({before})") } else { String::new() };
            format!("{}{again}", name(place_of(source)))
        };
        Story {
            given: self.given.into_iter().map(|(at, name, values)| (place(at).0, name, values)).collect(),
            values: self.values,
            accessed: self.accessed,
            allocated: blamed.and_then(|id| self.allocated.get(id.index()).copied()).map(place),
            freed: blamed.and_then(|id| self.freed.get(&id).copied()).map(place),
            texts: texts.into_iter().map(|(source, bytes)| (named(source), bytes)).collect(),
        }
    }
}

/// Calls whose values are reported.
const MOST_GIVEN: usize = 20;
/// Bytes of one object that are reported.
const MOST_BYTES: usize = 64;

/// A value as C prints it, or where it points.
fn shown(value: Value, c_type: &str, config: &Config<Concrete>) -> String {
    let is_pointer = c_type.ends_with('*');
    match value.provenance {
        Provenance::Block(id) => format!("→ {}", config.memory.inner().blocks[id.index()].describe()),
        _ if is_pointer && value.bits.value == 0 => "null".into(),
        _ if is_pointer => format!("{:#x}", value.bits.value),
        _ if c_type.starts_with("unsigned") || c_type == "_Bool" => value.bits.value.to_string(),
        _ => value.bits.signed().to_string(),
    }
}
