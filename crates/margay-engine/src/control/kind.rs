//! Which programs this room is for, told from their text.

use crate::cfa::{AllocKind, Op, Program};
use crate::memory::Checks;

/// Why explicit values are no way to look at the program; told at once.
pub fn objection(program: &Program, checks: &Checks) -> Option<&'static str> {
    if checks.deref || checks.free || checks.memtrack || checks.memcleanup {
        return Some("it is asked for the safety of memory");
    }
    uses_heap(program).then_some("it uses the heap")
}

/// Whether functions of the program allocate or free blocks.
pub fn uses_heap(program: &Program) -> bool {
    let own = program.functions.iter().filter(|function| !function.library);
    let mut ops = own.flat_map(|function| &function.locations).flat_map(|location| &location.edges);
    ops.any(|edge| matches!(edge.op, Op::Alloc { kind: AllocKind::Heap, .. } | Op::Free { .. }))
}
