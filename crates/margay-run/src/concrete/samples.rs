//! What variables hold at the heads of loops in a few random runs: explicit memories to learn from.
//!
//! Source: "Shape refinement through explicit heap analysis" (Beyer, Henzinger, Théoduloz, Zufferey), for numbers. A sample proves
//! nothing; it says what is worth trying.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::likely::Likely;
use super::memory::Concrete;
use super::run::{begin, choose, take};
use super::source::Source;
use crate::cfa::{FunctionId, Loc, Program};
use crate::memory::{BlockId, Checks, Config, Reason, Site, cross};

/// Runs that are sampled.
const RUNS: u64 = 12;
/// Steps of all of them together.
const STEPS: u64 = 60_000;
/// Memories that are kept of one place, on average over the runs.
const MOST_VISITS: usize = 24;

/// Where a variable stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampledPlace {
    /// A register of the youngest frame of a function.
    Register {
        /// What runs in the frame.
        function: FunctionId,
        /// By position.
        register: usize,
    },
    /// So many bytes at an offset of an object that the program declares.
    Object {
        /// The object.
        site: Site,
        /// In bytes.
        offset: u64,
        /// In bytes.
        bytes: u64,
    },
}

/// Memories at the heads of loops.
#[derive(Default)]
pub struct Samples {
    visits: BTreeMap<(FunctionId, Loc), Vec<Config<Concrete>>>,
}

impl Samples {
    /// Those of a few random runs; the same seed gives the same ones.
    pub fn of(program: &Program, checks: &Checks, seed: u64) -> Self {
        let mut samples = Self::default();
        let likely = Arc::new(Likely::of(program));
        for run in 0..RUNS {
            let seed = seed.wrapping_mul(RUNS).wrapping_add(run);
            let likely = likely.clone();
            let source = if run % 2 == 0 { Source::Guided { seed, likely } } else { Source::Swarm { seed, likely } };
            samples.add(program, checks, source);
        }
        samples
    }

    /// Adds what one run shows.
    fn add(&mut self, program: &Program, checks: &Checks, source: Source) {
        let Ok(mut config) = begin(program, checks, Concrete::new(program.model, source)) else { return };
        let mut seen: BTreeMap<(FunctionId, Loc), usize> = BTreeMap::new();
        for _ in 0..STEPS / RUNS {
            let (function, at) = (config.top().function, config.top().at);
            let location = program.function(function).location(at);
            if location.loop_head {
                let visits = seen.entry((function, at)).or_default();
                *visits += 1;
                // The first ones, and some of the later ones.
                if visits.is_power_of_two() || *visits <= MOST_VISITS / 2 || visits.is_multiple_of(MOST_VISITS) {
                    let kept = self.visits.entry((function, at)).or_default();
                    if kept.len() < MOST_VISITS * RUNS as usize {
                        kept.push(config.clone());
                    }
                }
            }
            let Some(edge) = choose(&mut config, location) else { return };
            if cross(program, &mut config, edge).is_some() {
                continue;
            }
            match take(program, checks, config, edge) {
                Some((_, Ok(Reason::Halted(_))) | (_, Err(_))) | None => return,
                Some((next, Ok(_))) => config = next,
            }
        }
    }

    /// How often a variable was seen at the head of this loop, and with which values.
    pub fn values(&self, (function, at): (FunctionId, Loc), place: SampledPlace) -> (usize, BTreeSet<u128>) {
        let visits = self.visits.get(&(function, at)).map_or(&[][..], Vec::as_slice);
        let values: Vec<u128> = visits.iter().filter_map(|config| value(config, place)).collect();
        (values.len(), values.into_iter().collect())
    }
}

/// What a variable holds; `None`: nothing yet, a pointer, or no such variable.
fn value(config: &Config<Concrete>, place: SampledPlace) -> Option<u128> {
    let value = match place {
        SampledPlace::Register { function, register } => {
            let frame = config.frames.iter().rev().find(|frame| frame.function == function)?;
            (*frame.regs.get(register)?)?
        }
        SampledPlace::Object { site, offset, bytes } => config.memory.peek(block(config, site)?, offset, bytes)?,
    };
    let is_number = config.memory.points_to(&value).is_none();
    is_number.then_some(value.bits.value)
}

/// The youngest object that was declared there.
fn block(config: &Config<Concrete>, site: Site) -> Option<BlockId> {
    match site {
        Site::Global(global) => config.globals.get(global.index()).copied(),
        Site::Slot(function, slot) => {
            let frame = config.frames.iter().rev().find(|frame| frame.function == function)?;
            *frame.slots.get(slot.index())?
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::{SourceText, parse};
    use crate::cfa::{GlobalId, LowerOptions, lower};
    use crate::task::DataModel;

    #[test]
    fn a_mode_holds_few_values_and_a_counter_many() {
        let text = "extern int __VERIFIER_nondet_int(void); static int mode;\n\
                    int main(void) { unsigned n = 0; for (;;) { n++; mode = __VERIFIER_nondet_int() ? 1 : 2; } }";
        let unit = parse(&SourceText::from_text("t.c", text, DataModel::Lp64)).unwrap();
        let program = lower(&unit, &LowerOptions::default()).unwrap();
        let samples = Samples::of(&program, &Checks::default(), 0);
        let (place, _) = samples.visits.first_key_value().unwrap();
        let global = program.globals.iter().position(|global| &*global.name == "mode").unwrap();
        let mode = SampledPlace::Object { site: Site::Global(GlobalId(global as u32)), offset: 0, bytes: 4 };
        let (visits, values) = samples.values(*place, mode);
        assert!(visits > 20 && values.is_subset(&[0, 1, 2].into()) && values.len() > 1, "{visits}: {values:?}");
        let register = program.function(place.0).regs.iter().position(|reg| reg.name.as_deref() == Some("n")).unwrap();
        let counter = SampledPlace::Register { function: place.0, register };
        assert!(samples.values(*place, counter).1.len() > 8);
        let beyond = SampledPlace::Register { function: place.0, register: 1000 };
        assert_eq!(samples.values(*place, beyond).0, 0);
    }
}
