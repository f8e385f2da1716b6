//! Replacements that may change lengths, and the table that leads back.

use crate::base::span::Edit;

use super::splices::{self, Splices};

/// `[start, end)` of the buffer becomes `with`.
pub struct Replace {
    pub start: u32,
    pub end: u32,
    pub with: String,
}

/// Sorted, non-overlapping replacements.
pub struct Edits(Vec<Replace>);

impl Edits {
    /// Insertions at one place keep the order in which they were asked for.
    pub fn new(mut list: Vec<Replace>) -> Self {
        list.sort_by_key(|r| r.start);
        let mut kept: Vec<Replace> = Vec::with_capacity(list.len());
        for replace in list {
            // A replacement inside a replaced range has nothing left to replace.
            if kept.last().is_none_or(|last| replace.start >= last.end) {
                kept.push(replace);
            }
        }
        Self(kept)
    }

    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(text.len() + self.0.len() * 8);
        let mut from = 0;
        for replace in &self.0 {
            out.extend_from_slice(&text[from..replace.start as usize]);
            out.extend_from_slice(replace.with.as_bytes());
            from = replace.end as usize;
        }
        out.extend_from_slice(&text[from..]);
        out
    }

    /// Offsets of the edited text at which the distance to the input changes.
    pub fn table(&self, splices: &Splices) -> Vec<Edit> {
        let mut table = Vec::new();
        let (mut grown, mut next_splice) = (0i32, 0);
        let mut splices_until = |limit: u32, grown: i32, table: &mut Vec<Edit>| {
            while next_splice < splices.len() && splices[next_splice].0 < limit {
                let (at, removed) = splices[next_splice];
                table.push(Edit { at: at.saturating_add_signed(grown), shift: removed as i32 - grown });
                next_splice += 1;
            }
        };
        for replace in &self.0 {
            splices_until(replace.start, grown, &mut table);
            let change = replace.with.len() as i32 - (replace.end - replace.start) as i32;
            if change != 0 {
                grown += change;
                let removed = splices::removed_before(splices, replace.end);
                table.push(Edit { at: replace.end.saturating_add_signed(grown), shift: removed as i32 - grown });
            }
        }
        splices_until(u32::MAX, grown, &mut table);
        table
    }

    /// Where offset `at` of the buffer stands in the edited text (after insertions made right there).
    pub fn forward(&self, at: u32) -> u32 {
        let mut grown = 0i32;
        for replace in &self.0 {
            if replace.start > at {
                break;
            }
            grown += replace.with.len() as i32 - (replace.end - replace.start) as i32;
        }
        at.saturating_add_signed(grown)
    }
}
