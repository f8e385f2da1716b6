//! One question – a file, a data model, the checks of one property file – and its answer.

mod decide;
#[cfg(test)]
mod evidence_tests;
mod engine;
mod engines;
mod further;
mod pictures;
mod plan;
mod run_picture;
mod schedule;
mod worker;
#[cfg(test)]
mod tests;

pub use decide::{Decision, decide, prove_skeleton};
pub use further::Rest;
pub use pictures::{run_pictures, violation_picture};
pub use plan::Plan;

use std::path::Path;
use std::time::Instant;

use crate::base::error::{ErrorKind, Result};
use crate::base::limits::Limits;
use crate::base::span::Pos;
use crate::c;
use crate::cegar::{self, RoundReport, WrittenPrecision};
use crate::certificate::Certificate;
use crate::cfa::{self, Op, Program};
use crate::concrete;
use crate::control::GivenInvariants;
use crate::evidence::{Foreign, Obligation};
use crate::memory::Checks;
use crate::question::{checks, lowering};
use crate::show::DrawnLoop;
use crate::task::{DataModel, Property, Violation};
use crate::verdict::{Assumptions, Counterexample, Inputs, OutsideMemory, Verdict, Why};

/// What is asked.
pub struct Job<'a> {
    /// The file of the program.
    pub file: &'a Path,
    /// Sizes of types.
    pub model: DataModel,
    /// The checks of one property file: answered together.
    pub properties: &'a [Property],
    /// Of time and memory, for the whole question.
    pub limits: &'a Limits,
    /// How to go about it.
    pub options: &'a Options,
}

/// How to go about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// What the program consists of besides the file.
    pub setup: c::Setup,
    /// `malloc` and its kin may return null.
    pub malloc_may_fail: bool,
    /// Of every random choice.
    pub seed: u64,
    /// Write the proof of a `TRUE` down.
    pub write_proof: bool,
    /// Draw the states at the loop heads of a proof.
    pub draw: bool,
    /// Of the refinement loop.
    pub cegar: cegar::Options,
    /// How many engines may run at a time; the answer does not depend on it.
    pub cores: usize,
    /// Which engines work on it; `None`: the plan that suits the program.
    pub plan: Option<Plan>,
    /// Only these engines of the plan: names with commas between them.
    pub engines: Option<String>,
    /// Conditions at loop heads that are proposed.
    pub invariants: Option<GivenInvariants>,
    /// A program that is asked for models of Horn clauses, with its arguments between spaces.
    pub arithmetic_tool: Option<String>,
    /// Go on after a violation, and look for others.
    pub all_violations: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            setup: c::Setup::default(),
            malloc_may_fail: false,
            seed: 0,
            write_proof: false,
            draw: false,
            cegar: cegar::Options::default(),
            cores: 1,
            plan: None,
            engines: None,
            invariants: None,
            arithmetic_tool: None,
            all_violations: false,
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Answer {
    /// What is known of the properties, with its evidence.
    pub verdict: Verdict,
    /// Violations besides that of the verdict, if they were asked for.
    pub further: Vec<Counterexample>,
    /// What is known of violations that are not listed, if they were asked for.
    pub rest: Option<Rest>,
    /// What a definite answer takes for granted.
    pub assumptions: Assumptions,
    /// What the front end accepts with a remark, and where.
    pub remarks: Vec<(Pos, String)>,
    /// Figures for people: key and value, in the order to print.
    pub stats: Vec<(String, String)>,
    /// What proves a `TRUE`, if it was asked for.
    pub proof: Option<Certificate>,
    /// The proof is about the program's [`skeleton`](cfa::skeleton).
    pub of_skeleton: bool,
    /// What each round of the refinement loop did.
    pub rounds: Vec<RoundReport>,
    /// What abstraction kept when it found a proof.
    pub precision: Option<WrittenPrecision>,
    /// Where two engines contradict each other: what each says. The verdict is `UNKNOWN` then.
    pub contradiction: Option<[String; 2]>,
    /// The states at the loop heads of a proof, if they were asked for.
    pub loops: Vec<DrawnLoop>,
}

/// Answers `job`. Call it inside [`c::with_big_stack`].
///
/// # Errors
/// Input that is no C program: unreadable, not C, or C with errors. What the tool does not handle is an answer, not an error.
pub fn verify(job: &Job) -> Result<Answer> {
    let unknown = |why| {
        let verdict = Verdict::Unknown(why);
        let assumptions = Assumptions::default();
        Ok(Answer {
            verdict,
            further: Vec::new(),
            rest: None,
            assumptions,
            remarks: Vec::new(),
            stats: Vec::new(),
            proof: None,
            of_skeleton: false,
            rounds: Vec::new(),
            precision: None,
            contradiction: None,
            loops: Vec::new(),
        })
    };
    if let Some(name) = job.properties.iter().find_map(|property| match property {
        Property::Unsupported(name) => Some(name),
        _ => None,
    }) {
        return unknown(Why::Unsupported(crate::base::error::Error::new(
            ErrorKind::Unsupported,
            format!("property {name}"),
        )));
    }
    let checks = checks(job.properties);
    let started = Instant::now();
    let read = unit(job).and_then(|unit| Ok((lowered(job, &checks, &unit)?, unit)));
    let (program, unit) = match read {
        Ok(read) => read,
        Err(error) if error.kind == ErrorKind::Unsupported => return unknown(Why::Unsupported(error)),
        Err(error) => return Err(error),
    };
    let mut stats = vec![
        ("front end".to_string(), format!("{:.3} s", started.elapsed().as_secs_f64())),
        ("functions".to_string(), program.functions.len().to_string()),
        ("locations".to_string(), program.functions.iter().map(|f| f.locations.len()).sum::<usize>().to_string()),
    ];
    let harmless = program.assumed.iter().map(|name| name.to_string()).collect();
    let mut assumptions = Assumptions {
        harmless,
        acting: unit.acting.iter().map(|(name, model)| (name.to_string(), model.to_string())).collect(),
        rounding: rounds_to_types(&program),
        ..Assumptions::default()
    };
    if !assumptions.harmless.is_empty() {
        stats.push(("assumed to change no memory".to_string(), assumptions.harmless.join(", ")));
    }
    let (proved, reported) = prove_skeleton(&program, &checks, job.limits, job.options);
    let of_skeleton = proved.is_some();
    if of_skeleton && !checks.termination {
        assumptions.memory.push(OutsideMemory::Separate);
    }
    let decision = proved.unwrap_or_else(|| {
        stats.extend(reported);
        decide(&program, &checks, job.limits, job.options)
    });
    stats.extend(decision.stats);
    let Decision { verdict, outside, proof, rounds, precision, contradiction, loops, .. } = decision;
    let (mut others, mut rest) = (Vec::new(), None);
    let verdict = match verdict {
        Verdict::False(found) => match unknown_lock(&program, &found) {
            Some(why) => Verdict::Unknown(Why::NotProved(why)),
            None => {
                if job.options.all_violations {
                    let (listed, known) = further::further(&program, &checks, &found, job.limits, job.options);
                    let doubt = listed.iter().find_map(|other| unknown_lock(&program, other));
                    rest = Some(doubt.map_or(known, |why| Rest::Unknown(Why::NotProved(why))));
                    others = listed;
                    others.retain(|other| unknown_lock(&program, other).is_none());
                }
                Verdict::False(readable(&program, &checks, found))
            }
        },
        Verdict::True(proof) if *proof.obligation() != Obligation::of(&program, &checks) => {
            Verdict::Unknown(Why::Internal(Foreign::Question.to_string()))
        }
        other => other,
    };
    if checks.termination && (outside || of_skeleton && accesses_memory(&program)) {
        assumptions.memory.push(OutsideMemory::Defined);
    } else if outside || others.iter().any(|other| other.outside) {
        assumptions.memory.push(OutsideMemory::OfItsOwn);
    }
    Ok(Answer {
        verdict,
        further: others,
        rest,
        remarks: unit.remarks(),
        assumptions,
        stats,
        proof,
        of_skeleton,
        rounds,
        precision,
        contradiction,
        loops,
    })
}

/// Whether a run may access memory at all.
fn accesses_memory(program: &Program) -> bool {
    let reads = |op: &Op| matches!(op, Op::Load { .. } | Op::Find { .. } | Op::Number { .. } | Op::BlockSize { .. });
    let writes = |op: &Op| matches!(op, Op::Store { .. } | Op::Set { .. } | Op::Havoc { .. } | Op::Free { .. });
    edges(program).any(|edge| reads(&edge.op) || writes(&edge.op) || matches!(edge.op, Op::Copy { .. }))
}

fn edges(program: &Program) -> impl Iterator<Item = &cfa::Edge> {
    program.functions.iter().flat_map(|function| &function.locations).flat_map(|location| &location.edges)
}

/// Whether floating numbers are computed where gcc's code for ILP32 keeps more digits than their types have.
fn rounds_to_types(program: &Program) -> bool {
    let computes = |expr: &cfa::Expr| {
        let mut found = false;
        expr.visit(&mut |part| found |= matches!(part, cfa::Expr::FloatBinary(..)));
        found
    };
    let mut found = false;
    for edge in edges(program).filter(|_| program.model == DataModel::Ilp32) {
        cfa::for_exprs(&edge.op, &mut |expr| found |= computes(expr));
    }
    found
}

/// Why a run to a place that must not be reached says nothing: who makes a schedule of its own with locks that are not defined may
/// have meant to exclude just this run.
fn unknown_lock(program: &Program, found: &Counterexample) -> Option<String> {
    let [lock, ..] = &program.locks[..] else { return None };
    (found.violation == Violation::UnreachCall).then(|| {
        format!("a violation was found, but whether it happens depends on `{lock}`, which locks and is not defined")
    })
}

/// Steps of a run without end that is tried with fewer inputs.
const SHORT: u64 = 100_000;

/// A violation with bytes that people can read and type where it happens with these as well; a run without end with as few inputs as
/// show one, the others zero: its round is mostly a short one then.
fn readable(program: &Program, checks: &Checks, found: Counterexample) -> Counterexample {
    if found.violation == Violation::Termination {
        let given = &found.inputs.values;
        let shorter = (0..).map(|power| 1 << power).take_while(|length| *length < given.len()).find_map(|length| {
            let inputs = Inputs { values: given[..length].to_vec(), ..found.inputs.clone() };
            concrete::replay_of(program, checks, &inputs, SHORT).filter(|other| other.violation == found.violation)
        });
        return shorter.unwrap_or(found);
    }
    let is_text = |byte: u8| matches!(byte, 0 | b' '..=b'~');
    if found.inputs.bytes.values().all(|byte| is_text(*byte)) {
        return found;
    }
    let mut inputs = found.inputs.clone();
    inputs.bytes.values_mut().filter(|byte| !is_text(**byte)).for_each(|byte| *byte = b'a');
    let is_same = |other: &Counterexample| other.violation == found.violation && other.trace == found.trace;
    concrete::replay(program, checks, &inputs).ok().filter(is_same).unwrap_or(found)
}

/// Text to syntax.
fn unit(job: &Job) -> Result<c::syntax::Unit> {
    c::parse(&c::load_program(job.file, &job.options.setup, job.model)?)
}

/// Syntax to automaton.
fn lowered(job: &Job, checks: &Checks, unit: &c::syntax::Unit) -> Result<Program> {
    cfa::lower(unit, &lowering(checks, job.options.malloc_may_fail))
}

/// Text to automaton.
fn program(job: &Job, checks: &Checks) -> Result<Program> {
    lowered(job, checks, &unit(job)?)
}
