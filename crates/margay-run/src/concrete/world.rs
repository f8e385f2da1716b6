//! What surrounds a program that is run for its own sake: arguments, standard input, and what it writes.
//!
//! The models of `library/world.c` ask for it by the results of functions whose names begin with `world_`; what they are called with is
//! looked at here.

use super::memory::Concrete;
use super::text::formatted;
use super::value::Value;
use crate::cfa::{Bits, FunctionId, Op, Program};
use crate::memory::{BlockId, Config, Memory, Reason};
use crate::task::DataModel;

/// Bytes that a program may write; a run that writes more shows these.
const MOST_BYTES: usize = 1 << 28;

/// Where a program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output, file descriptor 1.
    Output,
    /// Standard error, file descriptor 2.
    Errors,
}

/// The surroundings of one run, and what it did to them.
#[derive(Clone, Debug, Default)]
pub struct World {
    /// The program's name, and its arguments.
    pub arguments: Vec<Vec<u8>>,
    /// Standard input.
    pub input: Vec<u8>,
    /// What was written, in order.
    pub written: Vec<(Stream, Vec<u8>)>,
    /// The argument of `exit`; `None` where the program ended otherwise.
    pub status: Option<i32>,
    /// Bytes that were read.
    read: usize,
    bytes_written: usize,
    arguments_given: usize,
    /// How long the text is that was formatted last.
    text: usize,
}

impl World {
    /// The surroundings of a run that has not begun: `arguments` are those of `main`, `input` is standard input.
    pub fn new(arguments: Vec<Vec<u8>>, input: Vec<u8>) -> Self {
        Self { arguments, input, ..Self::default() }
    }

    /// The result of a library function, if it speaks of the world.
    pub(super) fn result(&mut self, function: &str) -> Option<u128> {
        let result: i64 = match function {
            "argc" => self.arguments.len() as i64,
            "argument" => self.arguments.get(self.arguments_given).map_or(0, Vec::len) as i64,
            "world_byte" => {
                let byte = self.input.get(self.read);
                self.read += usize::from(byte.is_some());
                byte.map_or(-1, |byte| i64::from(*byte))
            }
            "world_text" => self.text as i64,
            "world_bytes" => 0,
            _ => return None,
        };
        Some(result as u128)
    }

    fn write(&mut self, to: u128, bytes: &[u8]) {
        let stream = match to {
            1 => Stream::Output,
            2 => Stream::Errors,
            _ => return,
        };
        self.bytes_written += bytes.len();
        if self.bytes_written > MOST_BYTES {
            return;
        }
        match self.written.last_mut() {
            Some((last, text)) if *last == stream => text.extend(bytes),
            _ => self.written.push((stream, bytes.to_vec())),
        }
    }
}

impl Concrete {
    /// What surrounds the program, where it is run for its own sake.
    pub(super) fn world(&mut self) -> Option<&mut World> {
        self.inner_mut().feed.world.as_deref_mut()
    }
}

/// The world of a run sees a step: `op` of `function` was carried out, and the run is at `config`.
pub(super) fn watch(program: &Program, function: FunctionId, op: &Op, reason: Reason, config: &mut Config<Concrete>) {
    match reason {
        Reason::Entered(callee) if program.function(callee).library => {
            let decl = program.function(callee);
            let arguments: Vec<Value> =
                decl.params.iter().filter_map(|param| config.top().regs[param.index()]).collect();
            called(program.model, &decl.name, &arguments, &mut config.memory);
        }
        Reason::Plain if function == program.start && matches!(op, Op::Havoc { .. }) => give(&mut config.memory),
        _ => {}
    }
}

fn called(model: DataModel, name: &str, arguments: &[Value], memory: &mut Concrete) {
    match (name, arguments) {
        ("world_text", [to, format, list]) => {
            let text = formatted(memory, model, *format, *list);
            if let Some(world) = memory.world() {
                world.write(to.bits.value, &text);
                world.text = text.len();
            }
        }
        ("world_bytes", [to, from, size]) => {
            let size = u64::try_from(size.bits.value).unwrap_or(0);
            let bytes: Vec<u8> = (0..size).map_while(|at| byte(memory, *from, at)).collect();
            if let Some(world) = memory.world() {
                world.write(to.bits.value, &bytes);
            }
        }
        ("world_status", [status]) => {
            if let Some(world) = memory.world() {
                world.status = Some(status.bits.signed() as i32);
            }
        }
        _ => {}
    }
}

/// The block that was made last is the next one of the program's arguments.
fn give(memory: &mut Concrete) {
    let Some(world) = memory.world() else { return };
    let argument = world.arguments.get(world.arguments_given).cloned().unwrap_or_default();
    world.arguments_given += 1;
    let block = &memory.inner().blocks;
    let (id, size) = (BlockId::from_index(block.len() - 1), block.last().map_or(0, |block| block.size));
    for (at, byte) in argument.into_iter().chain([0]).enumerate().take_while(|(at, _)| (*at as u64) < size) {
        memory.write(id, at as u64, &Value::number(byte.into(), 8));
    }
}

/// The byte behind so many others, if it has a value.
pub(super) fn byte(memory: &Concrete, from: Value, at: u64) -> Option<u8> {
    number(memory, from, at, 1).map(|value| value as u8)
}

/// The number of so many bytes behind others.
pub(super) fn number(memory: &Concrete, from: Value, at: u64, bytes: u32) -> Option<u128> {
    let address = Bits::new(from.bits.value.wrapping_add(at.into()), from.bits.width);
    Memory::peek(memory, &Value { bits: address, ..from }, bytes).map(|value| value.bits.value)
}
