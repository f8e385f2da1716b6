//! The search for a byte, or for a difference of two sequences, one byte after the other: what [`Op::Find`](crate::cfa::Op::Find) means.

use smallvec::smallvec;

use super::fault::Stuck;
use super::traits::{Memory, Outcome, Outcomes, Search};
use crate::cfa::{BinOp, Bits, Conversion, Stops, UnOp};

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
                let known = self.peeked(&mut memory, &number);
                let loaded: Outcomes<M, V> = match known {
                    Some(ends) if self.beside.is_none() || memory.decide(&ends).is_some() => {
                        smallvec![Outcome::Next(memory, ends)]
                    }
                    _ if read >= most => {
                        outcomes.extend(rest(memory, index));
                        continue;
                    }
                    _ => {
                        read += 1;
                        self.loaded(memory, &number)
                    }
                };
                for outcome in loaded {
                    let (memory, ends) = match outcome {
                        Outcome::Next(memory, ends) => (memory, ends),
                        other => {
                            outcomes.push(other.map(|_| number.clone()));
                            continue;
                        }
                    };
                    let (found, others) = divided(memory, ends);
                    outcomes.extend(found.into_iter().map(|memory| Outcome::Next(memory, number.clone())));
                    open.extend(others.into_iter().map(|memory| (memory, index + 1)));
                }
            }
        }
        outcomes
    }

    /// Whether the byte with this number ends the search, where that takes no more than a look at bytes that are known.
    fn peeked<M: Memory<Value = V>>(&self, memory: &mut M, number: &V) -> Option<V> {
        let place = memory.binary(BinOp::Add, &self.address, number);
        let byte = memory.peek(&place, 1)?;
        let other = match &self.beside {
            Some(beside) => {
                let place = memory.binary(BinOp::Add, beside, number);
                Some(memory.peek(&place, 1)?)
            }
            None => None,
        };
        Some(self.ends(memory, &byte, other.as_ref()))
    }

    /// The same by reading it.
    fn loaded<M: Memory<Value = V>>(&self, mut memory: M, number: &V) -> Outcomes<M, V> {
        let place = memory.binary(BinOp::Add, &self.address, number);
        let mut outcomes = Outcomes::new();
        for outcome in memory.load(&place, 1) {
            let (mut memory, byte) = match outcome {
                Outcome::Next(memory, byte) => (memory, byte),
                other => {
                    outcomes.push(other);
                    continue;
                }
            };
            let Some(beside) = &self.beside else {
                let ends = self.ends(&mut memory, &byte, None);
                outcomes.push(Outcome::Next(memory, ends));
                continue;
            };
            let place = memory.binary(BinOp::Add, beside, number);
            for outcome in memory.load(&place, 1) {
                outcomes.push(match outcome {
                    Outcome::Next(mut memory, other) => {
                        let ends = self.ends(&mut memory, &byte, Some(&other));
                        Outcome::Next(memory, ends)
                    }
                    other => other,
                });
            }
        }
        outcomes
    }

    /// That `byte` ends the search, beside which `other` stands.
    fn ends<M: Memory<Value = V>>(&self, memory: &mut M, byte: &V, other: Option<&V>) -> V {
        let stops = self.is_stop(memory, byte);
        let Some(other) = other else { return stops };
        let differs = memory.binary(BinOp::Ne, byte, other);
        memory.binary(BinOp::Or, &stops, &differs)
    }

    /// That `byte` is one of the stops.
    fn is_stop<M: Memory<Value = V>>(&self, memory: &mut M, byte: &V) -> V {
        match &self.stops {
            Stops::Bytes(bytes) => is_among(memory, byte, bytes),
            Stops::Others(bytes) => {
                let is_among = is_among(memory, byte, bytes);
                memory.unary(UnOp::Not, &is_among)
            }
            Stops::NoMembers(set) => {
                let is_member = is_member(memory, byte, set);
                memory.unary(UnOp::Not, &is_member)
            }
        }
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

/// That `byte` is one of `bytes`.
fn is_among<M: Memory>(memory: &mut M, byte: &M::Value, bytes: &[M::Value]) -> M::Value {
    let none = memory.constant(Bits::new(0, 1));
    bytes.iter().fold(none, |any, stop| {
        let is_it = memory.binary(BinOp::Eq, byte, stop);
        memory.binary(BinOp::Or, &any, &is_it)
    })
}

/// That the bit of `byte` is set in the part that it belongs to: a part for each value of its upper two bits.
fn is_member<M: Memory>(memory: &mut M, byte: &M::Value, set: &[M::Value; 4]) -> M::Value {
    let byte = memory.convert(Conversion::ZeroExtend, 64, byte);
    let [places, six] = [63, 6].map(|value| memory.constant(Bits::new(value, 64)));
    let place = memory.binary(BinOp::And, &byte, &places);
    let upper = memory.binary(BinOp::LShr, &byte, &six);
    let none = memory.constant(Bits::new(0, 1));
    (0..).zip(set).fold(none, |any, (index, part)| {
        let index = memory.constant(Bits::new(index, 64));
        let is_here = memory.binary(BinOp::Eq, &upper, &index);
        let shifted = memory.binary(BinOp::LShr, part, &place);
        let bit = memory.convert(Conversion::Truncate, 1, &shifted);
        let is_member = memory.binary(BinOp::And, &is_here, &bit);
        memory.binary(BinOp::Or, &any, &is_member)
    })
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
