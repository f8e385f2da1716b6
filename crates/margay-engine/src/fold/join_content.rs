//! The join of two objects' bytes.

use super::join::Join;
use crate::heap::{Cell, Content, Found};

/// A wider range is joined only where both sides have one and the same byte all over it.
pub(super) const WIDEST: u64 = 16;

/// Cells of both sides made equal; links, which are at these offsets, are left open.
pub(super) fn join_content(join: &mut Join, left: &Content, right: &Content, links: &[u64]) -> Option<Content> {
    let context = join.context.clone();
    let terms = &context.terms;
    let (mut left, mut right) = (left.clone(), right.clone());
    let width = u64::from(context.model.pointer_bytes());
    for content in [&mut left, &mut right] {
        links.iter().for_each(|offset| content.open(terms, *offset, width));
        content.without_plain_zeros(terms);
    }
    let is_blurred = left.is_blurred() || right.is_blurred();
    let mut ranges: Vec<(u64, u64)> =
        left.edges().iter().chain(right.edges()).map(|edge| (edge.offset, edge.offset + edge.bytes)).collect();
    ranges.sort_unstable();
    let mut clusters: Vec<(u64, u64)> = Vec::new();
    for (from, to) in ranges {
        match clusters.last_mut() {
            Some(last) if from < last.1 => last.1 = last.1.max(to),
            _ => clusters.push((from, to)),
        }
    }
    let mut content = Content::new(left.is_zeroed() && right.is_zeroed() && !is_blurred);
    for (from, to) in clusters {
        let bytes = to - from;
        let same = {
            let (mut a, mut b) = (left.overlapping(from, bytes), right.overlapping(from, bytes));
            match (a.next(), a.next(), b.next(), b.next()) {
                (Some(a), None, Some(b), None) if a == b && matches!(a.cell, Cell::Uniform(_) | Cell::Forgotten) => {
                    Some(a.cell)
                }
                _ => None,
            }
        };
        let cell = match same {
            // A byte pattern of a symbol would have to be carried over: rare.
            Some(Cell::Uniform(byte)) if terms.as_const(byte).is_none() => Cell::Forgotten,
            Some(cell) => cell,
            None if bytes > WIDEST => Cell::Forgotten,
            None => match (left.read(terms, from, bytes), right.read(terms, from, bytes)) {
                (Found::Value(a), Found::Value(b)) => Cell::Value(join.value(a, b)?),
                (Found::Value(value), _) | (_, Found::Value(value)) if join.is_pointer(value) => return None,
                _ => Cell::Forgotten,
            },
        };
        content.write(terms, from, bytes, cell);
    }
    links.iter().for_each(|offset| content.open(terms, *offset, width));
    content.without_plain_zeros(terms);
    if is_blurred {
        content = Content::from_edges(content.edges().to_vec(), false, true);
    }
    Some(content)
}
