//! The skeleton of a program: what a question about it depends on, with memory taken to hold anything.
//!
//! Every run of the program that comes to a place that must not be reached is a run of its skeleton that comes there, and every run
//! that never ends is one of the skeleton that never ends: so a proof about the skeleton is one about the program. Two passes make it:
//!
//! - [`memory`]: only *plain* objects are followed, those whose address the program uses for nothing but to load and store at it.
//!   Whatever is read elsewhere is any value, whatever is written elsewhere is left out; a call through a pointer enters any
//!   function that fits, or whose address was converted so that it may be called where it does not fit, or one that does nothing.
//!   Since the address of a plain object is not taken, this covers whatever pointers from outside lead to, whether they are equal or
//!   not, and however a run goes on after an access or a call that C leaves undefined; taken for granted is only that such an access
//!   changes no plain object.
//! - [`relevance`]: what the places do not depend on, by data or control, goes. Loops that are left out are taken to end, which
//!   only adds runs. Where the end of runs is asked, no loop is left out: the places are the branches within loops, and calls
//!   that may be recursive.
//!
//! Where the end of runs is asked, accesses are taken to be ones that C defines: `while (*s) s++` ends, whatever stands there, because
//! no object reaches beyond the end of the address space.

mod cycles;
mod memory;
mod postdominators;
mod relevance;

use super::ir::{Op, Program};
use super::lower::finish;

/// What is asked of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Whether its [`Op::Error`] places are reached.
    Errors,
    /// Whether all its runs end.
    End,
}

/// The skeleton of `program`. Its functions and globals have the program's numbers, its locations and registers need not. C text can
/// name what its registers hold, where they are kept and no access is taken to be undefined, but not what its objects do.
pub fn skeleton(program: &Program, asked: Asked) -> Program {
    let mut skeleton = program.clone();
    let plain = memory::plain(program);
    memory::forget(&mut skeleton, &plain, asked);
    relevance::slice(&mut skeleton, asked);
    for function in &mut skeleton.functions {
        if !function.is_stub() {
            finish::finish(function, false);
        }
        for decl in &mut function.slots {
            decl.scope = None;
        }
    }
    for global in &mut skeleton.globals {
        global.scope = None;
    }
    skeleton
}

/// Whether `program` uses things that its text does not show.
pub fn is_open(program: &Program) -> bool {
    let has_unknown = program.globals.iter().any(|global| matches!(global.content, super::ir::Content::Unknown));
    has_unknown
        || !program.assumed.is_empty()
        || program.functions.iter().any(|function| {
            let mut edges = function.locations.iter().flat_map(|location| &location.edges);
            !function.library
                && edges.any(|edge| matches!(edge.op, Op::Call { callee: super::ir::Callee::Indirect(_), .. }))
        })
}
