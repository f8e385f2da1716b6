//! Reads at an unknown place in a table of known numbers, as those of classes of characters: most neighbours are equal.

use super::access::Offsets;
use super::content::Found;
use super::graph::Smg;
use super::limits::{MOST_ENTRIES, MOST_STRETCHES};
use crate::memory::BlockId;
use crate::smt::Term;

impl Smg {
    /// The value of `bytes` bytes at an offset that is within the object, where all numbers there are known and lie in few stretches
    /// of equal ones: a case distinction over their ends.
    pub(super) fn table_value(&self, block: BlockId, offsets: Offsets, bytes: u32) -> Option<Term> {
        let terms = &self.context.terms;
        let object = self.object(block).filter(|object| object.is_region())?;
        if self.far_edges(block).iter().any(|edge| !edge.read) {
            return None;
        }
        let stride = 1u64 << terms.trailing_zeros(offsets.offset).min(32);
        let first = offsets.low.next_multiple_of(stride);
        if stride < bytes.into() || offsets.high.checked_sub(first)? / stride >= MOST_ENTRIES {
            return None;
        }
        // The last place of each stretch, and its value.
        let mut stretches: Vec<(u64, Term)> = Vec::new();
        for place in (first..=offsets.high).step_by(stride as usize) {
            let Found::Value(value) = object.content.read(terms, place, bytes.into()) else { return None };
            terms.as_const(value)?;
            match stretches.last_mut() {
                Some(last) if last.1 == value => last.0 = place,
                _ => stretches.push((place, value)),
            }
            if stretches.len() > MOST_STRETCHES {
                return None;
            }
        }
        let (last, rest) = stretches.split_last()?;
        Some(rest.iter().rev().fold(last.1, |value, (end, own)| {
            terms.ite(terms.ule(offsets.offset, self.context.pointer_constant(*end)), *own, value)
        }))
    }
}
