//! One question about one program: the members' runs, put together to one verdict.
//!
//! Three members take turns in growing slices: the *precise* exploration (finds violations with their inputs, proves
//! programs with finitely many states), *random runs* (cheap, deep), and the *abstract* exploration (proves programs that
//! build and walk lists of any length). What one of them says is final, because each `FALSE` was replayed and each `TRUE` complete.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::Options;
use crate::ats::{CheckReport, Checked, Complete, Explorer, Finding, Refused, Summaries};
use crate::base::limits::{Exhausted, Limits};
use crate::calls::Apart;
use crate::cegar::{self, Outcome, Prover, Ways};
use crate::cfa::Program;
use crate::concrete;
use crate::explore::{Alarm, Shapes};
use crate::fold::Precision;
use crate::heap::{Context, Feasibility, Smg, feasible_inputs};
use crate::memory::{Checks, initial};
use crate::smt::Z3Solver;
use crate::task::Violation;
use crate::verdict::{Counterexample, Proof, Verdict, Why};

/// Figures of a run for `--stats`: name and value.
pub type Stats = Vec<(String, String)>;

/// How long the precise exploration runs before the others get their first turn.
const FIRST_SLICE: Duration = Duration::from_millis(25);

/// So many nodes it makes however long they take.
const FIRST_NODES: usize = 32;

/// The part of a slice that random runs get, and the multiple of it for the abstract exploration.
const RANDOM_SHARE: u32 = 3;
const ABSTRACT_SHARE: u32 = 6;

/// Random runs after the precise exploration gave up.
const LAST_CHANCE: Duration = Duration::from_secs(2);

/// Alarms that could not be confirmed before further ones are no longer tried: each try costs a query and a replay.
const MAX_UNCONFIRMED: usize = 64;

/// A confirmed leak waits this long at least, and as long again as the search took, for a violation of another kind: that
/// one counts more, because what loses a block is usually part of the same mistake.
const PATIENCE: Duration = Duration::from_millis(60);

/// How long the precise exploration has to find what counts more than a leak that others found.
const LONG_PATIENCE: Duration = Duration::from_millis(600);

/// An answer with its figures.
pub struct Decision {
    pub verdict: Verdict,
    pub stats: Stats,
    /// What the checker accepted, for a `TRUE`.
    pub proof: Option<crate::proof::Proof>,
    /// The rounds of the refinement loop.
    pub rounds: Vec<cegar::Iteration>,
    /// What abstraction kept when it found the proof.
    pub precision: Option<Precision>,
}

/// Decides whether `program` violates anything of `checks`.
pub fn decide(program: &Program, checks: &Checks, limits: &Limits, options: &Options) -> Decision {
    let context = Rc::new(Context::new(program.model, Box::new(Z3Solver::new()), limits.clone()));
    let config = match initial(program, Smg::new(context.clone())) {
        Ok(config) => config,
        Err(stuck) => {
            let verdict = Verdict::Unknown(Why::NotProved(stuck.why.to_string()));
            return Decision { verdict, stats: Stats::new(), proof: None, rounds: Vec::new(), precision: None };
        }
    };
    let mut explorer = Explorer::new(Shapes::new(program, *checks), config);
    let ways = Ways::new(program);
    let prover = Prover::new(program, checks, &ways, &options.cegar);
    let mut search = Search::new(program, checks, options.seed, prover);
    let verdict = search.run(&mut explorer, limits);
    let (solver, store) = (context.solver_stats(), context.statistics());
    let stats = vec![
        ("decided by".into(), search.decided_by.into()),
        ("nodes".into(), explorer.nodes().len().to_string()),
        ("covered nodes".into(), explorer.covered().to_string()),
        ("unconfirmed alarms".into(), search.unconfirmed.len().to_string()),
        ("abstract exploration".into(), search.not_proved.clone().unwrap_or_else(|| "no objection".into())),
        ("proof check".into(), search.checking()),
        ("refinement rounds".into(), search.prover.rounds.len().to_string()),
        ("summaries".into(), search.summaries.map_or_else(|| "none".into(), in_words)),
        ("conditions".into(), format!("{} ({} without solver)", store.decisions, store.cheap)),
        ("weak accesses".into(), store.weak_accesses.to_string()),
        ("solver queries".into(), format!("{} ({} cached)", solver.queries, solver.cache_hits + solver.model_hits)),
        ("solver time".into(), format!("{:.3} s", solver.time.as_secs_f64())),
    ];
    Decision { verdict, stats, proof: search.proof, rounds: search.prover.rounds, precision: search.precision }
}

struct Search<'p> {
    program: &'p Program,
    checks: &'p Checks,
    seed: u64,
    /// The abstract exploration.
    prover: Prover<'p>,
    precision: Option<Precision>,
    started: Instant,
    decided_by: &'static str,
    /// What could neither be confirmed nor excluded.
    unconfirmed: Vec<String>,
    /// Why the abstract exploration found no proof, once it came to an end.
    not_proved: Option<String>,
    /// The last proof that the checker looked at, and how long it took.
    checked: Option<(CheckReport, Duration)>,
    /// How far the abstract exploration followed functions once for several calls.
    summaries: Option<Summaries>,
    proof: Option<crate::proof::Proof>,
    /// Why the checker did not accept a proof.
    refused: Option<Refused>,
    /// A leak that random runs or the abstract exploration found, and until when the precise one is waited for: that one meets
    /// violations in the order of their distance.
    spare_leak: Option<(Counterexample, Instant)>,
    /// A confirmed leak, and until when a violation of another kind is still looked for.
    leak: Option<(Counterexample, Instant)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, checks: &'p Checks, seed: u64, prover: Prover<'p>) -> Self {
        Self {
            program,
            checks,
            seed,
            prover,
            precision: None,
            started: Instant::now(),
            decided_by: "nobody",
            unconfirmed: Vec::new(),
            not_proved: None,
            checked: None,
            summaries: None,
            proof: None,
            refused: None,
            spare_leak: None,
            leak: None,
        }
    }

    fn run(&mut self, explorer: &mut Explorer<Shapes>, limits: &Limits) -> Verdict {
        let mut slice = FIRST_SLICE;
        let mut precise_is_done = None;
        for round in 0.. {
            if precise_is_done.is_none() {
                self.decided_by = "precise exploration";
                match self.precise(explorer, FIRST_NODES, &limits.within(slice), limits) {
                    Precise::Verdict(verdict) => return verdict,
                    Precise::GaveUp(why) => precise_is_done = Some(why),
                    Precise::Paused => {}
                }
            }
            self.decided_by = "random runs";
            let budget = if precise_is_done.is_some() { LAST_CHANCE.min(slice) } else { slice / RANDOM_SHARE };
            let seed = self.seed.wrapping_add(round);
            if let Some(found) = concrete::explore(self.program, self.checks, seed, &limits.within(budget))
                && let Some(verdict) = self.found(found)
            {
                return verdict;
            }
            if self.not_proved.is_none() {
                self.decided_by = "abstract exploration";
                match self.prover.run(&limits.within(slice.saturating_mul(ABSTRACT_SHARE)), limits) {
                    Outcome::Proved(proved) => {
                        self.checked = Some((proved.report, proved.checking));
                        self.summaries = Some(proved.summaries);
                        let verdict = proof(self.program, proved.complete, proved.checked, proved.nodes, &proved.proof);
                        self.proof = Some(proved.proof);
                        self.precision = Some(proved.precision);
                        return verdict;
                    }
                    Outcome::Refuted(found) => {
                        if let Some(verdict) = self.found(*found) {
                            return verdict;
                        }
                        self.not_proved = Some("a leak was found".into());
                    }
                    Outcome::GaveUp { reason, refused } => {
                        self.refused = refused.or(self.refused.take());
                        self.not_proved = Some(reason);
                    }
                    Outcome::OutOfResources => {
                        self.not_proved = Some("the abstract exploration ran out of resources".into());
                    }
                    Outcome::Paused => {}
                }
            }
            if let Some((_, until)) = &self.spare_leak
                && (precise_is_done.is_some() || Instant::now() >= *until || limits.check_time().is_err())
                && let Some((found, _)) = self.spare_leak.take()
            {
                return Verdict::False(found);
            }
            self.decided_by = "nobody";
            if let Err(exhausted) = limits.check_time().and_then(|()| limits.check_memory()) {
                return Verdict::Unknown(match &self.refused {
                    Some(why) if !why.ran_out => not_accepted(why),
                    _ => exhausted.into(),
                });
            }
            if let (Some(precise), Some(abstracted)) = (&precise_is_done, &self.not_proved)
                && slice >= LAST_CHANCE
            {
                return Verdict::Unknown(match &self.refused {
                    Some(why) => not_accepted(why),
                    None => Why::NotProved(self.reason(precise, abstracted)),
                });
            }
            slice = slice.saturating_mul(2);
        }
        Verdict::Unknown(Why::Timeout)
    }

    /// What a violation comes to that is not the precise exploration's.
    fn found(&mut self, found: Counterexample) -> Option<Verdict> {
        if found.violation != Violation::ValidMemtrack {
            return Some(Verdict::False(found));
        }
        let until = Instant::now() + LONG_PATIENCE.max(self.started.elapsed());
        self.spare_leak.get_or_insert((found, until));
        None
    }

    fn reason(&self, precise: &str, abstracted: &str) -> String {
        match self.unconfirmed.first() {
            Some(alarm) => alarm.clone(),
            None if precise.is_empty() => abstracted.to_owned(),
            None => precise.to_owned(),
        }
    }

    /// Follows runs until there is a verdict, or the slice is used up and there are at least so many nodes.
    fn precise(&mut self, explorer: &mut Explorer<Shapes>, least: usize, slice: &Limits, whole: &Limits) -> Precise {
        loop {
            let limits = match &self.leak {
                Some((_, until)) => slice.within(until.saturating_duration_since(Instant::now())),
                None => slice.clone(),
            };
            let finding = explorer.run_for(least.saturating_sub(explorer.nodes().len()), &limits);
            if let Finding::Alarm { state, alarm, .. } = &finding {
                if let Some(verdict) = self.alarm(&state.memory, alarm) {
                    return Precise::Verdict(verdict);
                }
                continue;
            }
            if let Some((leak, until)) = self.leak.take() {
                if Instant::now() < until && matches!(finding, Finding::Exhausted(Exhausted::Timeout)) {
                    self.leak = Some((leak, until));
                    return Precise::Paused;
                }
                return Precise::Verdict(Verdict::False(leak));
            }
            return match finding {
                Finding::Complete(complete) => self.checked(explorer, complete, whole),
                Finding::Incomplete(why) => Precise::GaveUp(why.to_string()),
                Finding::Exhausted(Exhausted::Memory) => Precise::Verdict(Verdict::Unknown(Why::OutOfMemory)),
                Finding::Exhausted(_) | Finding::Alarm { .. } => Precise::Paused,
            };
        }
    }

    /// What a complete exploration comes to: its proof has to be accepted. The whole of the remaining time may go there.
    fn checked(&mut self, explorer: &Explorer<Shapes>, complete: Complete, limits: &Limits) -> Precise {
        let started = Instant::now();
        let claim = crate::proof::Proof::of(explorer, Apart::Nothing);
        match crate::proof::check(self.program, *self.checks, &claim, limits) {
            Ok((checked, report)) => {
                self.checked = Some((report, started.elapsed()));
                let nodes = explorer.nodes().len();
                let verdict = proof(self.program, complete, checked, nodes, &claim);
                self.proof = Some(claim);
                Precise::Verdict(verdict)
            }
            Err(why) => {
                let reason = format!("the proof was not accepted: {why}");
                self.refused = Some(why);
                Precise::GaveUp(reason)
            }
        }
    }

    /// For `--stats`.
    fn checking(&self) -> String {
        match (&self.checked, &self.refused) {
            (Some((report, time)), _) => {
                format!("{:.3} s, {} states, {} edges", time.as_secs_f64(), report.states, report.edges)
            }
            (None, Some(why)) => format!("refused: {why}"),
            (None, None) => "nothing to check".into(),
        }
    }

    /// What an alarm comes to: a violation at once, a leak kept for later, or one more unconfirmed alarm.
    fn alarm(&mut self, memory: &Smg, alarm: &Alarm) -> Option<Verdict> {
        if self.leak.is_some() && alarm.fault.violation == Violation::ValidMemtrack {
            return None;
        }
        let found = self.confirm(memory, alarm)?;
        if found.violation != Violation::ValidMemtrack {
            return Some(Verdict::False(found));
        }
        let until = Instant::now() + PATIENCE.max(self.started.elapsed());
        self.leak.get_or_insert((found, until));
        None
    }

    /// A concrete run that shows the alarm is real.
    fn confirm(&mut self, memory: &Smg, alarm: &Alarm) -> Option<Counterexample> {
        if self.unconfirmed.len() >= MAX_UNCONFIRMED {
            return None;
        }
        let pos = self.program.source.pos(alarm.span.start);
        let place = format!("{} at {}:{}", alarm.fault.detail, pos.file, pos.line);
        let why = match feasible_inputs(memory) {
            Feasibility::Feasible(inputs) => match concrete::replay(self.program, self.checks, &inputs) {
                Ok(counterexample) => return Some(counterexample),
                Err(why) => format!("{place} was not confirmed ({why})"),
            },
            // The path condition was satisfiable step by step; together with the fault it is not.
            Feasibility::Infeasible => format!("{place} has no run of its own"),
            Feasibility::Unclear(why) => format!("{place} was not decided ({why})"),
        };
        self.unconfirmed.push(why);
        None
    }
}

/// A proof that the checker refuses is a defect of whoever made it, or of the checker.
fn not_accepted(why: &Refused) -> Why {
    Why::Internal(format!("the proof was not accepted: {why}"))
}

fn in_words(summaries: Summaries) -> String {
    let Summaries { entries, calls } = summaries;
    format!("{entries} entries, {calls} calls, {} reused", summaries.reused())
}

/// Where the precise exploration stands.
enum Precise {
    Verdict(Verdict),
    /// It came to an end without a verdict.
    GaveUp(String),
    Paused,
}

/// A proof with what C can say of its states.
fn proof(
    program: &Program,
    complete: Complete,
    checked: Checked,
    nodes: usize,
    states: &crate::proof::Proof,
) -> Verdict {
    Verdict::True(Proof::new(complete, checked, nodes, crate::show::loop_invariants(program, &states.states)))
}
