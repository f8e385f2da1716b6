//! Operations on concrete heaps and on states: what the laws about steps are stated with. The concrete meaning is written
//! down a second time here, on bytes and numbers only.

use std::rc::Rc;
use std::sync::Arc;

use super::{Block, Heap, Random};
use crate::cfa::{Allocation, BinOp, Bits, FunctionId, Loc, NondetKind};
use crate::heap::Smg;
use crate::memory::{BlockKind, BlockSpec, Config, Memory, Origin, Outcome, Outcomes, Site};
use crate::smt::Term;

/// Registers for pointers; those behind them hold numbers of 32 bits.
pub const POINTERS: usize = 5;
pub const NUMBERS: usize = 2;

/// An operation on registers (by number) and what they point to.
#[derive(Clone, Debug)]
pub enum Operation {
    Allocate {
        to: usize,
        size: u64,
        zeroed: bool,
        /// Blocks of one shape have one.
        site: Loc,
    },
    Load {
        to: usize,
        from: usize,
        offset: u64,
    },
    Store {
        at: usize,
        offset: u64,
        value: usize,
        shift: u64,
    },
    StoreConstant {
        at: usize,
        offset: u64,
        bytes: u32,
        value: u64,
    },
    Free {
        at: usize,
    },
    Assign {
        to: usize,
        from: usize,
        shift: i64,
    },
    Clear {
        to: usize,
    },
    /// The address of the n-th global.
    Global {
        to: usize,
        number: usize,
    },
    Input {
        to: usize,
    },
    AddConstant {
        to: usize,
        value: u64,
    },
    /// Learns whether the two are equal.
    Compare {
        left: usize,
        right: usize,
    },
    /// Learns whether the register is (signed) less than, or equal to, the number.
    Test {
        register: usize,
        less: bool,
        number: u64,
    },
    CopyBytes {
        to: usize,
        from: usize,
        bytes: u64,
    },
    Fill {
        to: usize,
        byte: u8,
        bytes: u64,
    },
}

/// What an operation on a heap came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Done,
    /// A condition was learned.
    Truth(bool),
    /// An input was read.
    Read(u128),
    Fault,
}

fn width(register: usize) -> u32 {
    if register < POINTERS { 64 } else { 32 }
}

fn cut(value: u128, register: usize) -> u128 {
    value & (u128::MAX >> (128 - width(register)))
}

impl Heap {
    /// Performs `operation`; a heap with a fault stays as it was.
    pub fn perform(&mut self, operation: &Operation, random: &mut Random) -> Effect {
        let register = |heap: &Heap, at: usize| heap.roots[at].unwrap_or(0);
        match *operation {
            Operation::Allocate { to, size, zeroed, .. } => {
                let highest = self.blocks.iter().map(|block| block.address).max().unwrap_or(0x6000_1000_0000);
                let address = (highest & !0xffff) + 0x1_0000 + 16 * (random.draw() % 64);
                let byte = |random: &mut Random| if zeroed || random.once_in(2) { 0 } else { random.draw() as u8 };
                let bytes = (0..size).map(|_| Some(byte(random))).collect();
                self.blocks.push(Block { address, kind: BlockKind::Heap, live: true, bytes });
                self.roots[to] = Some(address.into());
            }
            Operation::Load { to, from, offset } => {
                let bytes = u64::from(width(to) / 8);
                let Some((block, at)) = self.locate(register(self, from) + u128::from(offset), bytes) else {
                    return Effect::Fault;
                };
                self.roots[to] = self.blocks[block].number(at, bytes);
            }
            Operation::Store { at, offset, value, shift } => {
                let number = cut(register(self, value).wrapping_add(shift.into()), value);
                return self.store(register(self, at) + u128::from(offset), width(value) / 8, number);
            }
            Operation::StoreConstant { at, offset, bytes, value } => {
                return self.store(register(self, at) + u128::from(offset), bytes, value.into());
            }
            Operation::Free { at } => {
                let address = register(self, at);
                if address == 0 {
                    return Effect::Done;
                }
                match self.locate(address, 0) {
                    Some((block, 0)) if self.blocks[block].kind == BlockKind::Heap => {
                        self.blocks[block].live = false;
                        self.blocks[block].bytes.clear();
                    }
                    _ => return Effect::Fault,
                }
            }
            Operation::Assign { to, from, shift } => {
                self.roots[to] = Some(cut(register(self, from).wrapping_add(shift as u128), to));
            }
            Operation::Clear { to } => self.roots[to] = Some(0),
            Operation::Global { to, number } => {
                self.roots[to] = self.anchors[number].map(|block| self.blocks[block].address.into());
            }
            Operation::Input { to } => {
                let value = cut(random.pick(&[0, 1, 2, 3, 5, u128::MAX]), to);
                self.roots[to] = Some(value);
                return Effect::Read(value);
            }
            Operation::AddConstant { to, value } => {
                self.roots[to] = Some(cut(register(self, to).wrapping_add(value.into()), to));
            }
            Operation::Compare { left, right } => {
                return Effect::Truth(register(self, left) == register(self, right));
            }
            Operation::Test { register: at, less, number } => {
                let value = register(self, at);
                let number = cut(number.into(), at);
                let signed = |value: u128| ((value << (128 - width(at))) as i128) >> (128 - width(at));
                return Effect::Truth(if less { signed(value) < signed(number) } else { value == number });
            }
            Operation::CopyBytes { to, from, bytes } => {
                let (Some((source, start)), Some((target, offset))) =
                    (self.locate(register(self, from), bytes), self.locate(register(self, to), bytes))
                else {
                    return Effect::Fault;
                };
                let (start, offset, bytes) = (start as usize, offset as usize, bytes as usize);
                let copied = self.blocks[source].bytes[start..start + bytes].to_vec();
                self.blocks[target].bytes[offset..offset + bytes].copy_from_slice(&copied);
            }
            Operation::Fill { to, byte, bytes } => {
                let Some((target, offset)) = self.locate(register(self, to), bytes) else { return Effect::Fault };
                self.blocks[target].bytes[offset as usize..(offset + bytes) as usize].fill(Some(byte));
            }
        }
        Effect::Done
    }

    fn store(&mut self, address: u128, bytes: u32, number: u128) -> Effect {
        match self.locate(address, bytes.into()) {
            Some((block, at)) => {
                self.blocks[block].put(at as usize, bytes as usize, number);
                Effect::Done
            }
            None => Effect::Fault,
        }
    }
}

/// The cases that the steps of programs distinguish before `operation`. One time in a while they are not: what follows has to be
/// covered all the same.
fn split_cases(config: &Config<Smg>, operation: &Operation) -> Option<Vec<Config<Smg>>> {
    let mut memory = config.memory.clone();
    let regs = &config.frames[0].regs;
    let (values, accessed) = match *operation {
        Operation::Load { from: at, .. }
        | Operation::Store { at, .. }
        | Operation::StoreConstant { at, .. }
        | Operation::Free { at }
        | Operation::Fill { to: at, .. } => (vec![regs[at]?], true),
        Operation::CopyBytes { to, from, .. } => (vec![regs[to]?, regs[from]?], true),
        Operation::Compare { left, right } if left % 3 != 2 => {
            (vec![memory.binary(BinOp::Sub, &regs[left]?, &regs[right]?)], false)
        }
        Operation::Test { register, .. } if register % 3 != 2 => (vec![regs[register]?], false),
        _ => return None,
    };
    values.iter().find_map(|value| Smg::split_cases(config, value, accessed))
}

/// Performs `operation` on a state; where a condition is learned, on the runs on which it is `truth`.
pub fn perform(config: &Config<Smg>, operation: &Operation, truth: bool) -> Vec<Outcome<Config<Smg>, ()>> {
    if let Some(cases) = split_cases(config, operation) {
        return cases.iter().flat_map(|config| perform(config, operation, truth)).collect();
    }
    let mut memory = config.memory.clone();
    let constant = |memory: &mut Smg, value: u64, width: u32| memory.constant(Bits::new(value.into(), width));
    let register = |memory: &mut Smg, at: usize| {
        config.frames[0].regs[at].unwrap_or_else(|| memory.constant(Bits::new(0, width(at))))
    };
    let place = |memory: &mut Smg, at: usize, offset: u64| {
        let (base, offset) = (register(memory, at), constant(memory, offset, 64));
        memory.binary(BinOp::Add, &base, &offset)
    };
    let set = |memory: Smg, to: usize, value: Term| vec![Outcome::Next(with(config, memory, Some((to, value))), ())];
    let unit =
        |outcomes: Outcomes<Smg, ()>| outcomes.into_iter().map(|outcome| carried(config, outcome, None)).collect();
    match *operation {
        Operation::Allocate { to, size, zeroed, site } => {
            let size = constant(&mut memory, size, 64);
            let origin = Origin { site: Site::Made(FunctionId(0), Allocation::At(site)), name: Rc::from("block") };
            let spec = BlockSpec { kind: BlockKind::Heap, size, align: 16, zeroed, origin };
            let block = memory.create(spec);
            let address = memory.block_address(block);
            set(memory, to, address)
        }
        Operation::Load { to, from, offset } => {
            let address = place(&mut memory, from, offset);
            let outcomes = memory.load(&address, width(to) / 8);
            outcomes.into_iter().map(|outcome| carried(config, outcome, Some(to))).collect()
        }
        Operation::Store { at, offset, value, shift } => {
            let address = place(&mut memory, at, offset);
            let (base, shift) = (register(&mut memory, value), constant(&mut memory, shift, width(value)));
            let value = memory.binary(BinOp::Add, &base, &shift);
            unit(memory.store(&address, &value))
        }
        Operation::StoreConstant { at, offset, bytes, value } => {
            let address = place(&mut memory, at, offset);
            let value = constant(&mut memory, value, 8 * bytes);
            unit(memory.store(&address, &value))
        }
        Operation::Free { at } => {
            let address = register(&mut memory, at);
            unit(memory.release(&address))
        }
        Operation::Assign { to, from, shift } => {
            let value = place(&mut memory, from, shift as u64);
            set(memory, to, value)
        }
        Operation::Clear { to } => {
            let value = constant(&mut memory, 0, width(to));
            set(memory, to, value)
        }
        Operation::Global { to, number } => {
            let value = memory.block_address(config.globals[number]);
            set(memory, to, value)
        }
        Operation::Input { to } => {
            let value = memory.nondet(&NondetKind::Input(Arc::from("input")), width(to));
            set(memory, to, value)
        }
        Operation::AddConstant { to, value } => {
            let (base, value) = (register(&mut memory, to), constant(&mut memory, value, width(to)));
            let value = memory.binary(BinOp::Add, &base, &value);
            set(memory, to, value)
        }
        Operation::Compare { left, right } => {
            let (left, right) = (register(&mut memory, left), register(&mut memory, right));
            let condition = memory.binary(if truth { BinOp::Eq } else { BinOp::Ne }, &left, &right);
            unit(memory.assume(&condition))
        }
        Operation::Test { register: at, less, number } => {
            let (value, number) = (register(&mut memory, at), constant(&mut memory, number, width(at)));
            let condition = match (less, truth) {
                (true, true) => memory.binary(BinOp::Slt, &value, &number),
                (true, false) => memory.binary(BinOp::Sle, &number, &value),
                (false, true) => memory.binary(BinOp::Eq, &value, &number),
                (false, false) => memory.binary(BinOp::Ne, &value, &number),
            };
            unit(memory.assume(&condition))
        }
        Operation::CopyBytes { to, from, bytes } => {
            let (to, from) = (register(&mut memory, to), register(&mut memory, from));
            let bytes = constant(&mut memory, bytes, 64);
            unit(memory.copy(&to, &from, &bytes))
        }
        Operation::Fill { to, byte, bytes } => {
            let to = register(&mut memory, to);
            let (byte, bytes) = (constant(&mut memory, byte.into(), 8), constant(&mut memory, bytes, 64));
            unit(memory.fill(&to, &byte, &bytes))
        }
    }
}

fn with(config: &Config<Smg>, memory: Smg, change: Option<(usize, Term)>) -> Config<Smg> {
    let mut config = Config { memory, frames: config.frames.clone(), globals: config.globals.clone() };
    if let Some((register, value)) = change {
        config.top_mut().regs[register] = Some(value);
    }
    config
}

/// The outcome for the whole state; what is read goes to the register `to`.
fn carried<T: Readable>(config: &Config<Smg>, outcome: Outcome<Smg, T>, to: Option<usize>) -> Outcome<Config<Smg>, ()> {
    match outcome {
        Outcome::Next(memory, value) => {
            let change = to.and_then(|to| Some((to, value.term()?)));
            Outcome::Next(with(config, memory, change), ())
        }
        Outcome::Fault(memory, fault) => Outcome::Fault(with(config, memory, None), fault),
        Outcome::Stuck(memory, stuck) => Outcome::Stuck(with(config, memory, None), stuck),
        Outcome::Miss(memory, miss) => Outcome::Miss(with(config, memory, None), miss),
    }
}

trait Readable {
    fn term(self) -> Option<Term>;
}

impl Readable for Term {
    fn term(self) -> Option<Term> {
        Some(self)
    }
}

impl Readable for () {
    fn term(self) -> Option<Term> {
        None
    }
}

/// Any single operation.
pub fn single(random: &mut Random) -> Operation {
    let pointer = |random: &mut Random| random.below(POINTERS);
    let any = |random: &mut Random| random.below(POINTERS + NUMBERS);
    let number = |random: &mut Random| POINTERS + random.below(NUMBERS);
    let offset = random.pick(&[0, 0, 8, 8, 16, 4]);
    match random.below(14) {
        0 => Operation::Load { to: any(random), from: pointer(random), offset },
        1 => Operation::Store { at: pointer(random), offset, value: any(random), shift: random.pick(&[0, 0, 0, 8]) },
        2 => Operation::StoreConstant {
            at: pointer(random),
            offset,
            bytes: random.pick(&[1, 4, 8]),
            value: random.pick(&[0, 1, 5]),
        },
        3 => Operation::Free { at: pointer(random) },
        4 => Operation::Assign { to: pointer(random), from: pointer(random), shift: random.pick(&[0, 0, 8, -8]) },
        5 => Operation::Clear { to: pointer(random) },
        6 => Operation::Global { to: pointer(random), number: random.below(2) },
        7 => Operation::Input { to: number(random) },
        8 => Operation::AddConstant { to: number(random), value: random.pick(&[1, 2, u64::MAX]) },
        9 => Operation::Compare { left: pointer(random), right: pointer(random) },
        10 => Operation::Test { register: number(random), less: random.once_in(2), number: random.pick(&[0, 1, 2, 5]) },
        11 => Operation::CopyBytes { to: pointer(random), from: pointer(random), bytes: random.pick(&[4, 8, 16]) },
        12 => Operation::Fill { to: pointer(random), byte: random.pick(&[0, 0, 1]), bytes: random.pick(&[4, 8, 16]) },
        _ => Operation::Load { to: number(random), from: pointer(random), offset },
    }
}
