//! The search for a byte, one byte after the other: what [`Op::Find`](crate::cfa::Op::Find) means.

use smallvec::smallvec;

use super::fault::Stuck;
use super::traits::{Memory, Outcome, Outcomes, Search};
use crate::cfa::{BinOp, Bits, UnOp};

/// Bytes that are read on all ways together by a memory that stands for many runs.
pub const MOST_READ: usize = 48;

impl<V: Clone> Search<V> {
    /// The number of bytes before the first one that ends the search, by reading one after the other from the one with number `from`.
    /// Where more than `most` bytes would have to be read, `rest` says what follows, from that number on.
    pub fn by_bytes<M: Memory<Value = V>>(
        &self,
        memory: M,
        (from, most): (u64, usize),
        rest: &mut dyn FnMut(M, u64) -> Outcomes<M, V>,
    ) -> Outcomes<M, V> {
        let mut outcomes = Outcomes::new();
        let mut open = vec![(memory, from)];
        let mut read = 0;
        while let Some((mut memory, index)) = open.pop() {
            let width = memory.width(&self.limit);
            let number = memory.constant(Bits::new(index.into(), width));
            let goes_on = memory.binary(BinOp::Ult, &number, &self.limit);
            let (memory, ended) = divided(memory, goes_on);
            outcomes.extend(ended.into_iter().map(|memory| Outcome::Next(memory, number.clone())));
            for mut memory in memory {
                let place = memory.binary(BinOp::Add, &self.address, &number);
                let loaded: Outcomes<M, V> = match memory.peek(&place, 1) {
                    Some(byte) => smallvec![Outcome::Next(memory, byte)],
                    None if read >= most => {
                        outcomes.extend(rest(memory, index));
                        continue;
                    }
                    None => {
                        read += 1;
                        memory.load(&place, 1)
                    }
                };
                for outcome in loaded {
                    let (mut memory, byte) = match outcome {
                        Outcome::Next(memory, byte) => (memory, byte),
                        other => {
                            outcomes.push(other.map(|_| number.clone()));
                            continue;
                        }
                    };
                    let ends = self.ends(&mut memory, &byte);
                    let (found, others) = divided(memory, ends);
                    outcomes.extend(found.into_iter().map(|memory| Outcome::Next(memory, number.clone())));
                    open.extend(others.into_iter().map(|memory| (memory, index + 1)));
                }
            }
        }
        outcomes
    }

    /// That `byte` ends the search.
    fn ends<M: Memory<Value = V>>(&self, memory: &mut M, byte: &V) -> V {
        let mut ends = memory.constant(Bits::new(0, 1));
        for stop in &self.stops {
            let is_it = memory.binary(BinOp::Eq, byte, stop);
            ends = memory.binary(BinOp::Or, &ends, &is_it);
        }
        if self.others { memory.unary(UnOp::Not, &ends) } else { ends }
    }

    /// The same, and no more is claimed of searches that are long.
    pub fn short<M: Memory<Value = V>>(&self, memory: M) -> Outcomes<M, V> {
        self.by_bytes(memory, (0, MOST_READ), &mut |memory, _| {
            smallvec![Outcome::Stuck(
                memory,
                Stuck::tool(format!("a search, such as that of strlen, through more than {MOST_READ} unknown bytes"))
            )]
        })
    }
}

/// The runs on which the condition holds, and the others.
fn divided<M: Memory>(memory: M, condition: M::Value) -> (Vec<M>, Vec<M>) {
    match memory.decide(&condition) {
        Some(true) => (vec![memory], Vec::new()),
        Some(false) => (Vec::new(), vec![memory]),
        None => {
            let mut other = memory.clone();
            let fails = other.unary(UnOp::Not, &condition);
            (assumed(memory, &condition), assumed(other, &fails))
        }
    }
}

fn assumed<M: Memory>(memory: M, condition: &M::Value) -> Vec<M> {
    let next = |outcome| match outcome {
        Outcome::Next(memory, ()) => Some(memory),
        _ => None,
    };
    memory.assume(condition).into_iter().filter_map(next).collect()
}
