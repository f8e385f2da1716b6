//! One question about one program: the members' runs, put together to one verdict.

use crate::ats::{Explorer, Finding};
use crate::base::limits::{Exhausted, Limits};
use crate::cfa::Program;
use crate::concrete;
use crate::memory::{Checks, initial};
use crate::smg::{Alarm, Context, Feasibility, Shapes, Smg, feasible_inputs};
use crate::smt::Z3Solver;
use crate::verdict::{Counterexample, Proof, Verdict, Why};

use std::rc::Rc;
use std::time::Duration;

/// Figures of a run for `--stats`: name and value.
pub type Stats = Vec<(String, String)>;

/// How long the symbolic analysis runs before cheap random runs get a turn.
const FIRST_SLICE: Duration = Duration::from_millis(400);

/// The share of the time spent so far that random runs get after each slice.
const RANDOM_SHARE: u32 = 4;

/// Alarms that could not be confirmed before further ones are no longer tried: each try costs a query and a replay.
const MAX_UNCONFIRMED: usize = 64;

/// Decides whether `program` violates anything of `checks`.
pub fn decide(program: &Program, checks: &Checks, limits: &Limits, seed: u64) -> (Verdict, Stats) {
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
    let config = match initial(program, Smg::new(context.clone())) {
        Ok(config) => config,
        Err(stuck) => return (Verdict::Unknown(Why::NotProved(stuck.why.to_string())), Stats::new()),
    };
    let mut explorer = Explorer::new(Shapes { program, checks: *checks }, config);
    let mut search = Search { program, checks, unconfirmed: Vec::new(), tries: 0 };
    let mut slice = FIRST_SLICE;
    let mut round = 0;
    let verdict = loop {
        match search.symbolic(&mut explorer, &limits.within(slice)) {
            Some(verdict) => break verdict,
            None => {
                if let Err(exhausted) = limits.check_time().and_then(|()| limits.check_memory()) {
                    break Verdict::Unknown(exhausted.into());
                }
            }
        }
        let budget = limits.within(slice / RANDOM_SHARE);
        if let Some(counterexample) = concrete::explore(program, checks, seed.wrapping_add(round), &budget) {
            break Verdict::False(counterexample);
        }
        round += 1;
        slice *= 2;
    };
    let solver = context.solver_stats();
    let store = context.statistics();
    let stats = vec![
        ("nodes".into(), explorer.nodes().len().to_string()),
        ("covered nodes".into(), explorer.covered().to_string()),
        ("unconfirmed alarms".into(), search.unconfirmed.len().to_string()),
        ("conditions".into(), format!("{} ({} without solver)", store.decisions, store.cheap)),
        ("weak accesses".into(), store.weak_accesses.to_string()),
        ("solver queries".into(), format!("{} ({} cached)", solver.queries, solver.cache_hits + solver.model_hits)),
        ("solver time".into(), format!("{:.3} s", solver.time.as_secs_f64())),
    ];
    (verdict, stats)
}

struct Search<'p> {
    program: &'p Program,
    checks: &'p Checks,
    /// What could neither be confirmed nor excluded.
    unconfirmed: Vec<String>,
    tries: usize,
}

impl Search<'_> {
    /// Explores until there is a verdict; `None` when the slice is used up.
    fn symbolic(&mut self, explorer: &mut Explorer<Shapes>, limits: &Limits) -> Option<Verdict> {
        loop {
            match explorer.run(limits) {
                Finding::Alarm { state, alarm, .. } => {
                    if let Some(counterexample) = self.confirm(&state.memory, &alarm) {
                        return Some(Verdict::False(counterexample));
                    }
                }
                Finding::Complete(complete) => {
                    return Some(Verdict::True(Proof::new(complete, explorer.nodes().len(), Vec::new())));
                }
                Finding::Incomplete(why) => {
                    let why = self.unconfirmed.first().cloned().unwrap_or_else(|| why.to_string());
                    // Random runs may still refute it: the caller gives them one more turn.
                    let budget = limits.within(LAST_CHANCE);
                    if let Some(counterexample) = concrete::explore(self.program, self.checks, 0, &budget) {
                        return Some(Verdict::False(counterexample));
                    }
                    return Some(Verdict::Unknown(Why::NotProved(why)));
                }
                Finding::Exhausted(Exhausted::Memory) => return Some(Verdict::Unknown(Why::OutOfMemory)),
                Finding::Exhausted(_) => return None,
            }
        }
    }

    /// A concrete run that shows the alarm is real.
    fn confirm(&mut self, memory: &Smg, alarm: &Alarm) -> Option<Counterexample> {
        let pos = self.program.source.pos(alarm.span.start);
        let place = format!("{} at {}:{}", alarm.fault.detail, pos.file, pos.line);
        if self.tries - self.tries.min(self.unconfirmed.len()) > MAX_UNCONFIRMED {
            return None;
        }
        self.tries += 1;
        match feasible_inputs(memory) {
            Feasibility::Feasible(inputs) => {
                match concrete::replay(self.program, self.checks, &inputs, alarm.fault.violation) {
                    Ok(counterexample) => return Some(counterexample),
                    Err(why) => self.unconfirmed.push(format!("{place} was not confirmed ({why})")),
                }
            }
            // The path condition was satisfiable step by step; together with the fault it is not.
            Feasibility::Infeasible => self.unconfirmed.push(format!("{place} has no run of its own")),
            Feasibility::Unclear(why) => self.unconfirmed.push(format!("{place} was not decided ({why})")),
        }
        None
    }
}

/// Random runs after the symbolic analysis gave up.
const LAST_CHANCE: Duration = Duration::from_secs(2);
