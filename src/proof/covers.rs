//! Whether one state is a special case of another: `covers` proposes an embedding and verifies it.

use super::embedding::Embedding;
use super::propose::Proposal;
use super::verify::verify;
use crate::heap::State;

/// How `new` lies within `old`: every memory (with its call stack) that `new` stands for is one that `old` stands for.
/// `None` when that is not so, or not found.
pub fn covers(old: &State, new: &State) -> Option<Embedding> {
    if !may_cover(old, new) {
        return None;
    }
    Proposal::search(old, new, &mut |embedding| verify(old, new, embedding, true))
}

/// A look at call stacks and constants, to be rid of hopeless pairs.
fn may_cover(old: &State, new: &State) -> bool {
    let terms = &old.memory.context().terms;
    old.frames.len() == new.frames.len()
        && old.frames.iter().zip(&new.frames).all(|(general, special)| {
            let values = || general.regs.iter().zip(&special.regs);
            general.function == special.function
                && general.at == special.at
                && values().all(|(general, special)| match (general, special) {
                    (Some(general), Some(special)) => match (terms.as_const(*general), terms.as_const(*special)) {
                        (Some(a), Some(b)) => a == b,
                        _ => true,
                    },
                    _ => true,
                })
        })
}
