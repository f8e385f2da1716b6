//! Inputs that differ a little from those of an earlier run: mutation, as greybox fuzzers do it.
//!
//! An input is a row of pieces: values, and then bytes that were received, such as a line. The value before a line is mostly its
//! length, so that bytes that are put in or left out change it, too. Source: American Fuzzy Lop (Zalewski, 2013).

use std::collections::BTreeMap;

use super::corpus::Given;
use super::likely::Likely;
use super::source::Random;
use crate::memory::{Inputs, RECEIVED};

/// Changes of one input, at most.
const MOST_CHANGES: u64 = 4;

/// Pieces of an input, at most: repeated doubling ends somewhere.
const MOST_PIECES: usize = 256;

/// Values, and the bytes of the part that was received after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Piece {
    values: Vec<u128>,
    bytes: BTreeMap<u64, u8>,
}

/// An input taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Pieces {
    pieces: Vec<Piece>,
    /// Values after the last part.
    rest: Vec<u128>,
    /// Bytes of memory that was never written.
    unwritten: BTreeMap<(u32, u64), u8>,
}

impl Pieces {
    fn of(given: &Given) -> Self {
        let Given { inputs, parts } = given;
        let end = |part: usize| parts[part].min(inputs.values.len());
        let piece = |part: usize| {
            let begin = if part == 0 { 0 } else { end(part - 1) };
            let source = RECEIVED | part as u32;
            let bytes = inputs.bytes.range((source, 0)..=(source, u64::MAX));
            let bytes = bytes.map(|((_, offset), byte)| (*offset, *byte)).collect();
            Piece { values: inputs.values[begin..end(part)].to_vec(), bytes }
        };
        let pieces: Vec<Piece> = (0..parts.len()).map(piece).collect();
        let rest = inputs.values[parts.last().map_or(0, |_| end(parts.len() - 1))..].to_vec();
        let unwritten = inputs.bytes.range(..(RECEIVED, 0)).map(|(at, byte)| (*at, *byte)).collect();
        Self { pieces, rest, unwritten }
    }

    fn into_given(self, addresses: crate::memory::Addresses) -> Given {
        let (mut values, mut parts, mut bytes) = (Vec::new(), Vec::new(), self.unwritten);
        for (part, piece) in self.pieces.into_iter().enumerate() {
            values.extend(piece.values);
            parts.push(values.len());
            let source = RECEIVED | part as u32;
            bytes.extend(piece.bytes.into_iter().map(|(offset, byte)| ((source, offset), byte)));
        }
        values.extend(self.rest);
        Given { inputs: Inputs { values, bytes, addresses }, parts }
    }

    /// One change.
    fn change(&mut self, other: &Given, likely: &Likely, random: &mut Random) {
        let piece = random.below(self.pieces.len());
        match random.below(10) {
            0..=3 if !self.pieces.is_empty() => self.pieces[piece].change_text(likely, random),
            4 if !self.pieces.is_empty() && self.pieces.len() < MOST_PIECES => {
                let again = self.pieces[piece].clone();
                self.pieces.insert(random.below(self.pieces.len() + 1), again);
            }
            5 if self.pieces.len() > 1 => drop(self.pieces.remove(piece)),
            // It ends as another one does.
            6 if self.pieces.len() < MOST_PIECES => {
                let other = Pieces::of(other);
                self.pieces.truncate(piece + 1);
                let from = random.below(other.pieces.len() + 1);
                self.pieces.extend(other.pieces.into_iter().skip(from));
                self.rest = other.rest;
            }
            7 if !self.unwritten.is_empty() => {
                let at = random.below(self.unwritten.len());
                if let Some(byte) = self.unwritten.values_mut().nth(at) {
                    *byte = likely.character(random);
                }
            }
            _ => {
                let among = random.below(self.pieces.len() + 1);
                let values = self.pieces.get_mut(among).map_or(&mut self.rest, |piece| &mut piece.values);
                change_values(values, likely, random);
            }
        }
    }
}

impl Piece {
    /// Some of its text is another one, comes in addition or is left out.
    fn change_text(&mut self, likely: &Likely, random: &mut Random) {
        let end = self.bytes.last_key_value().map_or(0, |(last, _)| last + 1);
        let at = random.below(end as usize + 1) as u64;
        match random.below(3) {
            0 => drop(self.bytes.insert(at, likely.character(random))),
            1 => {
                let text = likely.word(random);
                let behind = self.bytes.split_off(&at);
                let count = text.len() as u64;
                self.bytes.extend(behind.into_iter().map(|(offset, byte)| (offset + count, byte)));
                self.bytes.extend((at..).zip(text));
                if let Some(length) = self.values.last_mut() {
                    *length = length.wrapping_add(count.into());
                }
            }
            _ => {
                let count = 1 + random.below(3) as u64;
                let behind = self.bytes.split_off(&at);
                let kept = behind.into_iter().filter(|(offset, _)| *offset >= at + count);
                self.bytes.extend(kept.map(|(offset, byte)| (offset - count, byte)));
                if let Some(length) = self.values.last_mut() {
                    *length = length.wrapping_sub(count.into());
                }
            }
        }
    }
}

/// One value is another one, comes again or is left out.
fn change_values(values: &mut Vec<u128>, likely: &Likely, random: &mut Random) {
    if values.is_empty() {
        return;
    }
    let at = random.below(values.len());
    match random.below(9) {
        0 => values.insert(at, values[at]),
        1 => drop(values.remove(at)),
        2 => values[at] = values[at].wrapping_add(1),
        3 => values[at] = values[at].wrapping_sub(1),
        4 => values[at] = values[random.below(values.len())],
        5 => values[at] = likely.character(random).into(),
        6 => values[at] = random.below(8) as u128,
        7 => values[at] = values[at].wrapping_neg(),
        _ => {
            if let Some(hint) = random.hint(&likely.numbers) {
                values[at] = hint;
            }
        }
    }
}

/// What was given with some changes; its end may be that of `other`.
pub(super) fn mutated(given: &Given, other: &Given, likely: &Likely, random: &mut Random) -> Given {
    let mut pieces = Pieces::of(given);
    for _ in 0..=random.next() % MOST_CHANGES {
        pieces.change(other, likely, random);
    }
    pieces.into_given(given.inputs.addresses)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines `ab` and `c`, each behind a zero and its length, a value and an unwritten byte.
    fn given() -> Given {
        let bytes = [((7, 0), 1), ((RECEIVED, 0), b'a'), ((RECEIVED, 1), b'b'), ((RECEIVED | 1, 0), b'c')];
        let inputs = Inputs { values: vec![0, 2, 0, 1, 9], bytes: bytes.into(), ..Inputs::default() };
        Given { inputs, parts: vec![2, 4] }
    }

    #[test]
    fn an_input_is_its_pieces() {
        let given = given();
        let pieces = Pieces::of(&given);
        assert_eq!(pieces.pieces[1], Piece { values: vec![0, 1], bytes: [(0, b'c')].into() });
        assert_eq!(pieces.rest, [9]);
        let again = pieces.into_given(given.inputs.addresses);
        assert_eq!((again.inputs, again.parts), (given.inputs, given.parts));
    }

    /// Whatever is changed, values that count bytes before each part stay within the values, and lines are as long as they say.
    #[test]
    fn lengths_follow_the_text() {
        let (likely, mut longer, mut repeated) = (Likely::default(), 0, 0);
        for seed in 0..2000 {
            let mut random = Random::new(seed);
            let mut piece = Pieces::of(&given()).pieces[0].clone();
            piece.change_text(&likely, &mut random);
            let (length, end) = (piece.values[1] as i128, piece.bytes.len() as i128);
            assert!(length == end || end - length == 1 || length < 2, "{piece:?}");
            longer += usize::from(length > 2 && length == end);
            let mutated = mutated(&given(), &given(), &likely, &mut random);
            let parts = &mutated.parts;
            assert!(parts.is_sorted() && parts.last().is_none_or(|last| *last <= mutated.inputs.values.len()));
            repeated += usize::from(parts.len() > 2);
        }
        assert!(longer > 200 && repeated > 200, "{longer} {repeated}");
    }
}
