//! One question about one program: what the engines found, put together to one verdict.
//!
//! What one of them says is final, because each `FALSE` was replayed and each `TRUE` complete and checked.

use std::thread::scope;
use std::time::Instant;

use super::Options;
use super::engine::{Question, Stats};
use super::plan::{Features, Place, Plan};
use super::schedule::{Contradiction, Found, Search, Searched};
use super::worker::Proven;
use crate::ats::fit;
use crate::base::limits::Limits;
use crate::base::work::SECOND;
use crate::cegar::{RoundReport, WrittenPrecision};
use crate::certificate::Certificate;
use crate::cfa::{Asked, Program, is_open, skeleton};
use crate::evidence::{Foreign, Obligation};
use crate::memory::Checks;
use crate::show::DrawnLoop;
use crate::verdict::{Proof, Verdict, Why};

/// An answer with its figures.
pub struct Decision {
    /// The answer.
    pub verdict: Verdict,
    /// Figures of the report, in the order to print.
    pub(crate) stats: Stats,
    /// What the checker accepted, for a `TRUE`, if it was asked for.
    pub proof: Option<Certificate>,
    /// A definite answer rests on runs that go on after accesses which lead to no object of the program.
    pub outside: bool,
    /// The rounds of the refinement loop.
    pub rounds: Vec<RoundReport>,
    /// What abstraction kept when it found the proof.
    pub precision: Option<WrittenPrecision>,
    /// Where two engines contradict each other: what each says.
    pub contradiction: Option<[String; 2]>,
    /// The states at the loop heads of a proof, if they were asked for.
    pub loops: Vec<DrawnLoop>,
}

/// Decides whether `program` violates anything of `checks`.
pub fn decide(program: &Program, checks: &Checks, limits: &Limits, options: &Options) -> Decision {
    decide_within(program, checks, limits, options, u64::MAX)
}

/// The same in so many rounds at most.
pub(super) fn decide_within(
    program: &Program,
    checks: &Checks,
    limits: &Limits,
    options: &Options,
    rounds: u64,
) -> Decision {
    let question = Question { program, checks, options, limits };
    let plan = options.plan.clone().map_or_else(|| Plan::for_program(program, checks), Ok);
    let plan = plan.and_then(|plan| match &options.engines {
        Some(names) => plan.only(names),
        None if options.invariants.is_some() || options.arithmetic_tool.is_some() => Ok(plan.with("invariants")),
        None => Ok(plan),
    });
    let planned = plan.and_then(|plan| Ok((plan.places()?, plan)));
    match planned {
        Ok((places, plan)) => {
            let mut decision = decide_with((&places, plan.lines), question, rounds);
            let reported = format!("{}, because {}", plan.name, plan.reason);
            let features = Features::of(program).to_string();
            decision.stats.splice(0..0, [("plan".into(), reported), ("features".into(), features)]);
            decision
        }
        Err(error) => {
            let verdict = Verdict::Unknown(Why::Internal(error.message));
            Decision {
                verdict,
                stats: Stats::new(),
                proof: None,
                outside: false,
                rounds: Vec::new(),
                precision: None,
                contradiction: None,
                loops: Vec::new(),
            }
        }
    }
}

/// So many rounds are spent on a skeleton. Whether loops end is mostly found out soon there, or not at all.
fn rounds_for(asked: Asked) -> u64 {
    match asked {
        Asked::Errors => 8,
        Asked::End => 4,
    }
}

/// A proof about the skeleton of `program`, where there is one: it is one about the program, too. Only
/// where no engines are named. The figures are returned in any case.
pub fn prove_skeleton(
    program: &Program,
    checks: &Checks,
    limits: &Limits,
    options: &Options,
) -> (Option<Decision>, Stats) {
    let asked = checks.of_skeleton().filter(|asked| *asked == Asked::End || is_open(program));
    let asked = asked.filter(|_| options.plan.is_none() && options.engines.is_none());
    let Some(asked) = asked else { return (None, Stats::new()) };
    let started = Instant::now();
    let skeleton = skeleton(program, asked);
    let locations = skeleton.functions.iter().map(|function| function.locations.len()).sum::<usize>();
    let question = Question { program: &skeleton, checks, options, limits };
    let Ok((plan, places)) = Plan::for_skeleton(asked).and_then(|plan| Ok((plan.lines, plan.places()?))) else {
        return (None, Stats::new());
    };
    let searched =
        scope(|scope| Search::new(scope, question, (&places, plan), options.cores).within(rounds_for(asked)).run());
    let mut decision = conclude(searched, question, Some(program));
    let reported = format!("{locations} locations, {:.3} s, {}", started.elapsed().as_secs_f64(), decision.verdict);
    let stats = vec![("skeleton".to_string(), reported)];
    decision.stats.splice(0..0, stats.clone());
    (matches!(decision.verdict, Verdict::True(_)).then_some(decision), stats)
}

/// The same with these engines; the number is what lines get together, in hundredths of a slice.
pub(super) fn decide_with(engines: (&[Place], u64), question: Question, rounds: u64) -> Decision {
    let searched = scope(|scope| Search::new(scope, question, engines, question.options.cores).within(rounds).run());
    conclude(searched, question, None)
}

/// What was found, as an answer to `question`; of the program it is the skeleton of, if there is one.
fn conclude(searched: Searched, question: Question, skeleton_of: Option<&Program>) -> Decision {
    let Searched { found, by, refused, engines } = searched;
    let mut stats = vec![("decided by".into(), by)];
    let mut rounds = Vec::new();
    for (name, kept, cost, turns) in engines {
        let seconds = cost.time.as_secs_f64();
        let [work, solver] = [cost.ticks, cost.solver].map(|ticks| ticks as f64 / SECOND as f64);
        let reported = format!("{seconds:.3} s, work {work:.4} ({solver:.4} of it the solver's), {turns} turns");
        stats.push((format!("share of {name}"), reported));
        stats.extend(kept.stats);
        rounds.extend(kept.rounds);
    }
    stats.push(("refinement rounds".into(), rounds.len().to_string()));
    let asked = Obligation::of(question.program, question.checks);
    let (mut proof, mut precision, mut contradiction) = (None, None, None);
    let (mut loops, mut outside) = (Vec::new(), false);
    let mut checking = refused.as_ref().map_or_else(|| "nothing to check".into(), |why| format!("refused: {why}"));
    let verdict = match found {
        Found::Proved(proven) => {
            let Proven { complete, checked, nodes, invariants, report, checking: time, .. } = *proven;
            checking = format!("{:.3} s, {} states, {} edges", time.as_secs_f64(), report.states, report.edges());
            outside = report.outside;
            (proof, precision, loops) = (proven.written, proven.precision, proven.loops);
            let fits = fit(&asked, &complete, &checked);
            let proof_of = |()| match skeleton_of {
                Some(program) => Proof::by_skeleton(program, question.checks, &checked, nodes, invariants),
                None => Proof::new(&asked, &checked, nodes, invariants),
            };
            match fits.and_then(proof_of) {
                Ok(proof) => Verdict::True(proof),
                Err(foreign) => Verdict::Unknown(Why::Internal(foreign.to_string())),
            }
        }
        Found::Violated(found) if *found.obligation() == asked => {
            outside = found.outside;
            Verdict::False(*found)
        }
        Found::Violated(_) => Verdict::Unknown(Why::Internal(Foreign::Question.to_string())),
        Found::Contradiction(both) => {
            let Contradiction { proved, violated, violation } = *both;
            let run =
                format!("{violated}: {}, {}, on {:?}", violation.violation.name(), violation.detail, violation.inputs);
            contradiction = Some([format!("{proved}: a proof"), run]);
            let why =
                format!("{proved} found a proof, and {violated} found that {} is violated", violation.violation.name());
            Verdict::Unknown(Why::Internal(why))
        }
        Found::Nothing(why) => Verdict::Unknown(why),
    };
    stats.push(("proof check".into(), checking));
    Decision { verdict, stats, proof, outside, rounds, precision, contradiction, loops }
}
