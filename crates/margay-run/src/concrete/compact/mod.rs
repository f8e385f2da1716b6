//! A compact form of the automaton for long runs: what is written once in `memory::step` for every memory, made fast for plain numbers
//! and pointers.
//!
//! Code is derived from each function's edges when they have been followed often. It handles assignments, loads, stores and branches on
//! values of at most 64 bits, whose arithmetic is that of the interpreter; whatever else there is to do, it leaves to `step`, at the
//! location it has come to. So it decides nothing that `step` does not decide alike, which a test compares on the own tasks.

mod code;
mod compile;
mod execute;

#[cfg(test)]
mod tests;

use std::rc::Rc;

pub(super) use code::{Tag, Word};

use self::code::{Code, SLOTS, Words};
use super::memory::Concrete;
use super::value::Value;
use crate::cfa::{Bits, Function, Live, Loc, Program, Reg};
use crate::memory::{Checks, Config, Frame};

/// Visits after which it is asked whether code pays.
const TRIAL: u64 = 64;

/// What is known of one function.
enum State {
    /// Steps it took.
    Cold(usize),
    Ready {
        code: Rc<Code>,
        visits: u64,
        steps: u64,
    },
    /// It has no code, or its code does not pay.
    Left,
}

/// The code of a program's functions, as far as a run has it.
#[derive(Default)]
pub(super) struct Compact {
    functions: Vec<State>,
    words: Vec<Word>,
    /// Whether or not it pays: for tests.
    eager: bool,
}

impl Compact {
    pub fn new() -> Self {
        Self::default()
    }

    /// All that can be is done by code from the first step on.
    #[cfg(test)]
    pub fn eager() -> Self {
        Self { eager: true, ..Self::default() }
    }

    pub fn is_eager(&self) -> bool {
        self.eager
    }

    /// Goes on with `config`, at most `budget` steps; how many they were.
    pub fn run(&mut self, program: &Program, checks: &Checks, config: &mut Config<Concrete>, budget: u64) -> u64 {
        let top = config.top();
        let (id, mut at) = (top.function, top.at);
        let function = program.function(id);
        if self.functions.is_empty() {
            self.functions = program.functions.iter().map(|_| State::Cold(0)).collect();
        }
        let state = &mut self.functions[id.index()];
        if let State::Cold(steps) = state {
            *steps += 1;
            // Making code takes about as long as taking each edge.
            if *steps < function.locations.len() && !self.eager {
                return 0;
            }
            *state = match compile::compile(function, checks, &config.globals, &mut config.memory) {
                Some(code) => State::Ready { code: Rc::new(code), visits: 0, steps: 0 },
                None => State::Left,
            };
        }
        let State::Ready { code, visits, steps } = state else { return 0 };
        let code = code.clone();
        if code.entries[at.index()].is_none() {
            return 0;
        }
        let Config { memory, frames, .. } = config;
        let Some(frame) = frames.last_mut() else { return 0 };
        if self.words.is_empty() {
            self.words = vec![Word::UNSET; SLOTS];
        }
        let Ok(words) = <&mut Words>::try_from(self.words.as_mut_slice()) else { return 0 };
        enter(&code, function, frame, words);
        let taken = execute::execute(&code, words, memory, frame, &mut at, budget);
        if taken > 0 {
            leave(&code.live, function, &self.words, at, Rc::make_mut(frame));
        }
        *visits += 1;
        *steps += taken;
        // Coming and going costs as much as some steps do.
        if *visits == TRIAL && !self.eager {
            if *steps < TRIAL * (2 + function.regs.len() as u64 / 16) {
                *state = State::Left;
            } else {
                (*visits, *steps) = (0, 0);
            }
        }
        taken
    }
}

/// Fills the slots.
fn enter(code: &Code, function: &Function, frame: &Frame<Value>, words: &mut Words) {
    let registers = function.regs.iter().zip(&frame.regs).map(|(decl, value)| match value {
        None => Word::UNSET,
        Some(Value { bits, provenance }) if bits.width == decl.width && bits.width <= 64 => {
            Word { bits: bits.value as u64, tag: Tag::of(*provenance) }
        }
        Some(_) => Word::STRANGE,
    });
    let constants = code.constants.iter().copied();
    words.iter_mut().zip(registers.chain(constants)).for_each(|(slot, word)| *slot = word);
}

/// The frame as it is at `at`. Of what is not read there, only pointers in variables are kept, as `forget_dead` does it.
fn leave(live: &Live, function: &Function, words: &[Word], at: Loc, frame: &mut Frame<Value>) {
    frame.at = at;
    for (index, ((decl, word), value)) in function.regs.iter().zip(words).zip(&mut frame.regs).enumerate() {
        let is_live = live.contains(at, Reg::from_index(index));
        if word.tag == Tag::STRANGE {
            continue;
        }
        let is_kept = word.tag.is_known() && (is_live || decl.name.is_some() && word.tag.block().is_some());
        *value = is_kept.then(|| Value {
            bits: Bits { value: word.bits.into(), width: decl.width },
            provenance: word.tag.provenance(),
        });
    }
}
