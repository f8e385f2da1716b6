//! Judges witnesses. Of a violation: some run is one of the witness's and violates the property at its target, or none is. Of
//! correctness: each invariant becomes a check, and the program with the checks is verified.

mod invariants;

use crate::base::error::Result;
use crate::c::{self, SourceText};
use crate::cfa::{Program, lower};
use crate::concrete::{self, Outcome, Run, RunLimits, Source};
use crate::memory::{Addresses, Checks, Inputs};
use crate::portfolio::{Job, decide};
use crate::question::{checks, lowering};
use crate::task::Violation;
use crate::verdict::{Event, Verdict, ViolatingRun};
use crate::witness::{Mismatch, Product, WitnessKind, WitnessSequence};

/// What came of a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Validity {
    /// A run of the witness violates the property; or the program is correct and every invariant holds.
    Confirmed,
    /// No run of the witness violates the property; or a run violates the property or an invariant.
    Rejected(String),
    /// It says what cannot be said of the program.
    Malformed(String),
    /// It was not decided, for this reason.
    Unknown(String),
}

/// A judgement with what led to it, for people.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What came of it.
    pub validity: Validity,
    /// What became of each invariant, a line for each; none for violation witnesses.
    pub reported: Vec<String>,
}

impl Judgement {
    fn new(validity: Validity) -> Self {
        Self { validity, reported: Vec::new() }
    }
}

/// Steps of a run on the inputs that a witness gives, and how many inputs it gets of a cycle that comes again and again.
const MAX_STEPS: u64 = 1 << 24;
const MAX_RESULTS: usize = 1 << 16;

/// Judges `witness` for the program and property of `job`. Call it inside [`c::with_big_stack`].
///
/// # Errors
/// Input that is no C program, or not supported.
pub fn validate(job: &Job, witness: &WitnessSequence) -> Result<Judgement> {
    match witness.kind {
        WitnessKind::Violation => violation(job, witness),
        WitnessKind::Correctness => invariants::judge(job, witness),
    }
}

fn violation(job: &Job, witness: &WitnessSequence) -> Result<Judgement> {
    let checks = checks(job.properties);
    let source = c::load_program(job.file, &job.options.setup, job.model)?;
    let product = match Product::new(&source, witness, &checks, &lowering(&checks, job.options.malloc_may_fail))? {
        Ok(product) => product,
        Err(mismatch) => {
            return Ok(Judgement::new(match mismatch {
                Mismatch::Malformed(why) => Validity::Malformed(why),
                Mismatch::Impossible(why) => Validity::Rejected(why),
                Mismatch::Unknown(why) => Validity::Unknown(why),
            }));
        }
    };
    let search = Search { job, witness, product, checks, source };
    if let Some(run) = search.reported_run()? {
        return Ok(confirmed(witness, &run));
    }
    let verdict = decide(&search.product.program, &checks, job.limits, job.options).verdict;
    Ok(match verdict {
        Verdict::False(run) if search.is_represented(&run)? => confirmed(witness, &run),
        Verdict::False(run) => {
            let place = run.trace.last().and_then(|event| match event {
                Event::Violation { pos, .. } => Some(format!(" at line {}", pos.line)),
                _ => None,
            });
            let why = format!(
                "a run violates {}{}, which is not what the witness tells; there may be others",
                run.violation.name(),
                place.unwrap_or_default()
            );
            Judgement::new(Validity::Unknown(why))
        }
        // What follows the last waypoint is not part of the product.
        Verdict::True(_) if checks.termination && witness.cycle.is_none() => {
            Judgement::new(Validity::Unknown("runs are not followed behind the last waypoint".into()))
        }
        Verdict::True(_) => match witness.open.first() {
            None => Judgement::new(Validity::Rejected("no run of the witness violates the property".into())),
            Some(open) => Judgement::new(Validity::Unknown(open.clone())),
        },
        Verdict::Unknown(why) => Judgement::new(Validity::Unknown(why.to_string())),
    })
}

struct Search<'a> {
    job: &'a Job<'a>,
    witness: &'a WitnessSequence,
    product: Product,
    checks: Checks,
    source: SourceText,
}

impl Search<'_> {
    /// A run of the witness on the inputs that it tells, if they are all it needs.
    fn reported_run(&self) -> Result<Option<ViolatingRun>> {
        let mut reported: Vec<_> =
            [64, 32].into_iter().map(|float_bits| self.witness.results(float_bits, MAX_RESULTS)).collect();
        reported.dedup();
        let reported = reported.into_iter().map(|inputs| Source::Scripted { inputs, seed: None });
        let given = |addresses| move |inputs: Inputs| Source::Given(Inputs { addresses, ..inputs });
        let kept = self.witness.inputs.clone().map(given(Addresses::Fresh)).into_iter();
        let moved = std::iter::once(self.witness.inputs.clone().unwrap_or_default()).map(given(Addresses::Reused));
        for source in kept.chain(reported).chain(moved) {
            if let Ok(run) = self.run(&self.product.program, source).violating()
                && self.is_represented(&run)?
            {
                return Ok(Some(run));
            }
        }
        Ok(None)
    }

    fn run(&self, program: &Program, source: Source) -> Run {
        let limits = RunLimits { trace: true, within: self.job.limits.clone(), ..RunLimits::steps(MAX_STEPS) };
        concrete::run(program, &self.checks, source, &limits)
    }

    /// Whether a violating run of the product is one of the witness's.
    fn is_represented(&self, run: &ViolatingRun) -> Result<bool> {
        if !self.product.has_passed(run) {
            return Ok(false);
        }
        if self.product.is_at_target(&run.trace) || run.violation != Violation::ValidMemtrack {
            return Ok(self.product.is_at_target(&run.trace));
        }
        // What the product keeps of results keeps blocks a little longer: the program itself says where one is lost.
        let program = lower(&c::parse(&self.source)?, &lowering(&self.checks, self.job.options.malloc_may_fail))?;
        let plain = self.run(&program, Source::Given(run.inputs.clone()));
        let is_leak = matches!(&plain.outcome, Outcome::Violated(fault) if fault.violation == run.violation);
        Ok(is_leak && self.product.is_at_target(&plain.trace))
    }
}

fn confirmed(witness: &WitnessSequence, run: &ViolatingRun) -> Judgement {
    let reported = vec![format!("Violated: {}: {}", run.violation.name(), run.detail)];
    match witness.open.first() {
        None => Judgement { validity: Validity::Confirmed, reported },
        Some(open) => Judgement { validity: Validity::Unknown(open.clone()), reported },
    }
}
