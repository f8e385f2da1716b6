//! The heap at a violation that a concrete run has shown: the run's inputs, followed by the symbolic memory.

use super::domain::Shapes;
use super::start::start;
use crate::ats::{Explorer, Finding};
use crate::base::limits::Limits;
use crate::cfa::Program;
use crate::heap::{State, SymbolKind};
use crate::memory::{BlockId, Checks, Inputs};
use crate::task::Violation;

/// Widths of values a run can be given, in bits.
const WIDTHS: [u32; 5] = [8, 16, 32, 64, 128];

/// The state in which a run on `inputs` meets `violation`; `None` where the exploration does not get there within `limits`.
pub fn violation_state(
    program: &Program,
    checks: &Checks,
    violation: Violation,
    inputs: &Inputs,
    limits: &Limits,
) -> Option<State> {
    let mut start = start(program, limits).ok()?;
    let context = start.memory.context().clone();
    let mut pin = |kind: SymbolKind, width: u32, value: u128| {
        let symbol = context.symbol(kind, width, 0);
        let value = context.terms.constant(value & crate::smt::mask(width), width);
        start.memory.store.assume(&context, context.terms.eq(symbol, value));
    };
    for (n, value) in inputs.values.iter().enumerate() {
        for width in WIDTHS {
            pin(SymbolKind::Input(n as u32), width, *value);
            pin(SymbolKind::External(n as u32), width, *value);
        }
    }
    for (block, offset) in inputs.bytes.keys() {
        for width in WIDTHS {
            let byte = |at: u64| inputs.bytes.get(&(*block, offset + at)).copied().unwrap_or(0);
            let value = (0..u64::from(width / 8)).fold(0u128, |value, at| value | u128::from(byte(at)) << (8 * at));
            pin(SymbolKind::Content { block: BlockId(*block), offset: *offset }, width, value);
        }
    }
    let mut explorer = Explorer::new(Shapes::new(program, *checks), start);
    loop {
        match explorer.run(limits) {
            Finding::Alarm { state, alarm, .. } if alarm.fault.violation == violation => return Some(state),
            Finding::Alarm { .. } => {}
            Finding::Complete(_) | Finding::Incomplete(_) | Finding::Exhausted(_) => return None,
        }
    }
}
