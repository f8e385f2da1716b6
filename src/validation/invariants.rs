//! Judges the invariants of correctness witnesses, each for itself, and the property.

use super::{Judgement, Validity};
use crate::base::error::{ErrorKind, Result};
use crate::base::limits::Limits;
use crate::c::{self, SourceText};
use crate::cfa::{self, Op};
use crate::memory::Checks;
use crate::portfolio::{Job, decide};
use crate::question::{checks, lowering};
use crate::task::Violation;
use crate::verdict::{Event, Inputs, Verdict};
use crate::witness::{Checked, Invariant, InvariantKind, WitnessSequence};

/// What is known of an invariant.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    Open,
    Holds,
    /// Where a run is given these.
    Fails(Inputs),
    Unknown(String),
}

/// An invariant with where it holds.
struct Claim<'w> {
    invariant: &'w Invariant,
    kind: InvariantKind,
    status: Status,
}

/// What verifying the program with some of the claims as checks came to.
enum Outcome {
    AllHold,
    /// This claim fails.
    Fails(usize, Inputs),
    /// The property is violated: by what.
    Violated(String),
    Unknown(String),
}

/// Verifies the program with the invariants as checks until each is judged or cannot be.
pub(super) fn judge(job: &Job, witness: &WitnessSequence) -> Result<Judgement> {
    let source = c::load_program(job.file, &job.options.setup, job.model)?;
    let claim = |kind| move |invariant| Claim { invariant, kind, status: Status::Open };
    let loops = witness.invariants.iter().map(claim(InvariantKind::Loop));
    let locations = witness.locations.iter().map(claim(InvariantKind::Location));
    let transitions = witness.transitions.iter().map(claim(InvariantKind::Transition));
    let mut judge = Judge {
        job,
        source,
        claims: loops.chain(locations).chain(transitions).collect(),
        checks: checks(job.properties),
    };
    if let Err(why) = judge.leave_out()? {
        return Ok(Judgement::new(Validity::Malformed(why)));
    }
    let program = judge.together()?;
    let reported = judge.reported();
    let failed = judge.claims.iter().find(|claim| matches!(claim.status, Status::Fails(_)));
    let unknown = judge.claims.iter().find_map(|claim| match &claim.status {
        Status::Unknown(why) => Some((claim.invariant.line, why)),
        _ => None,
    });
    let validity = match (program, failed, unknown, witness.open.first()) {
        (Program::Violated(why), ..) => Validity::Rejected(why),
        (_, Some(Claim { invariant: Invariant { value, line, .. }, .. }), ..) => {
            Validity::Rejected(format!("the invariant `{value}` at line {line} does not hold"))
        }
        (Program::Unknown(why), ..) => Validity::Unknown(why),
        (Program::Correct, None, Some((line, why)), _) => {
            Validity::Unknown(format!("the invariant at line {line} was not judged: {why}"))
        }
        (Program::Correct, None, None, Some(open)) => Validity::Unknown(open.clone()),
        (Program::Correct, None, None, None) => Validity::Confirmed,
    };
    Ok(Judgement { validity, reported })
}

/// Whether the program has its property.
enum Program {
    Correct,
    Violated(String),
    Unknown(String),
}

struct Judge<'a> {
    job: &'a Job<'a>,
    source: SourceText,
    claims: Vec<Claim<'a>>,
    /// What the property asks.
    checks: Checks,
}

impl Judge<'_> {
    /// Leaves out claims that cannot be checked; the inner error says which is none at all.
    fn leave_out(&mut self) -> Result<std::result::Result<(), String>> {
        let all: Vec<usize> = (0..self.claims.len()).collect();
        let checked = self.checked(&all)?;
        for (index, why) in &checked.left_out {
            self.claims[*index].status = Status::Unknown(why.clone());
        }
        match c::parse(checked.source()) {
            Ok(_) => Ok(Ok(())),
            // Without the claims, the program itself has to be one.
            Err(error) => {
                c::parse(&self.source)?;
                Ok(match error.kind {
                    ErrorKind::Unsupported => return Err(error),
                    _ => Err(format!("an invariant is no C expression over what is in scope: {}", error.message)),
                })
            }
        }
    }

    /// The program with these claims as checks.
    fn checked(&self, which: &[usize]) -> Result<Checked> {
        let claims: Vec<(&Invariant, InvariantKind)> =
            which.iter().map(|index| (self.claims[*index].invariant, self.claims[*index].kind)).collect();
        Checked::new(&self.source, &claims)
    }

    fn open(&self) -> Vec<usize> {
        let open = self.claims.iter().enumerate().filter(|(_, claim)| claim.status == Status::Open);
        open.map(|(index, _)| index).collect()
    }

    /// Judges the claims with the property, as long as that leads somewhere, then each alone.
    fn together(&mut self) -> Result<Program> {
        // Whether the program ends is hard to say of one that chooses visits of its loops.
        if self.checks.termination && !self.claims.is_empty() {
            let checks = self.checks;
            self.checks.termination = false;
            match self.verify(&[], &checks, self.job.limits)? {
                Outcome::AllHold => {}
                Outcome::Violated(why) => return Ok(Program::Violated(why)),
                Outcome::Fails(..) => return Ok(Program::Unknown("a check failed where there is none".into())),
                Outcome::Unknown(why) => return Ok(Program::Unknown(why)),
            }
        }
        loop {
            let open = self.open();
            match self.verify(&open, &self.checks, self.job.limits)? {
                Outcome::AllHold => {
                    open.iter().for_each(|index| self.claims[*index].status = Status::Holds);
                    return Ok(Program::Correct);
                }
                Outcome::Fails(index, inputs) => match self.of_the_same_loop(index, &open)[..] {
                    [_] => self.claims[index].status = Status::Fails(inputs),
                    // The run does not tell which of them fails.
                    ref twins => self.apart(twins)?,
                },
                Outcome::Violated(why) => {
                    self.apart(&open)?;
                    return Ok(Program::Violated(why));
                }
                Outcome::Unknown(why) => {
                    self.apart(&open)?;
                    return Ok(Program::Unknown(why));
                }
            }
        }
    }

    /// The open claims about the loop of this one, itself among them.
    fn of_the_same_loop(&self, index: usize, open: &[usize]) -> Vec<usize> {
        let place = |index: usize| {
            let Claim { invariant, kind, .. } = &self.claims[index];
            let is_loop = *kind != InvariantKind::Location;
            (is_loop, invariant.line, invariant.column, if is_loop { 0 } else { index })
        };
        open.iter().copied().filter(|other| place(*other) == place(index)).collect()
    }

    /// Judges each of these for itself, without the property.
    fn apart(&mut self, which: &[usize]) -> Result<()> {
        for &index in which {
            let limits = match self.job.limits.remaining() {
                Some(time) => self.job.limits.within(time / 2),
                None => self.job.limits.clone(),
            };
            let status = match self.verify(&[index], &Checks::default(), &limits)? {
                Outcome::AllHold => Status::Holds,
                Outcome::Fails(_, inputs) => Status::Fails(inputs),
                Outcome::Violated(why) | Outcome::Unknown(why) => Status::Unknown(why),
            };
            self.claims[index].status = status;
        }
        Ok(())
    }

    fn verify(&self, which: &[usize], checks: &Checks, limits: &Limits) -> Result<Outcome> {
        let checked = self.checked(which)?;
        let asks_for_reach = checks.reach_call;
        let checks = Checks { reach_call: asks_for_reach || which.len() > checked.left_out.len(), ..*checks };
        let unit = c::parse(checked.source())?;
        let mut program = cfa::lower(&unit, &lowering(&checks, self.job.options.malloc_may_fail))?;
        // Calls of error functions that are not asked about are calls like others.
        if !asks_for_reach && !checks.memcleanup {
            let map = program.source.clone();
            let edges = program.functions.iter_mut().flat_map(|f| &mut f.locations).flat_map(|l| &mut l.edges);
            for edge in edges.filter(|edge| matches!(edge.op, Op::Error(_))) {
                if checked.failed_at(&map.pos(edge.span.start)).is_none() {
                    edge.op = Op::Skip;
                }
            }
        }
        let run = match decide(&program, &checks, limits, self.job.options).verdict {
            Verdict::True(_) => return Ok(Outcome::AllHold),
            Verdict::Unknown(why) => return Ok(Outcome::Unknown(why.to_string())),
            Verdict::False(run) => run,
        };
        let claim = match run.trace.last() {
            Some(Event::Violation { pos, .. }) if run.violation == Violation::UnreachCall => {
                checked.failed_at(pos).and_then(|index| which.get(index))
            }
            _ => None,
        };
        Ok(match claim {
            Some(index) => Outcome::Fails(*index, run.inputs.clone()),
            None if run.violation == Violation::UnreachCall && !asks_for_reach => {
                Outcome::Unknown("the program calls an error function that the property does not ask about".into())
            }
            None => Outcome::Violated(format!("{} is violated: {}", run.violation.name(), run.detail)),
        })
    }

    /// A line for each claim.
    fn reported(&self) -> Vec<String> {
        let line = |claim: &Claim| {
            let Claim { invariant: Invariant { line, value, .. }, kind, status } = claim;
            let kind = match kind {
                InvariantKind::Loop => "Loop invariant",
                InvariantKind::Location => "Invariant",
                InvariantKind::Transition => "Transition invariant of a loop",
            };
            let judged = match status {
                Status::Holds => "confirmed".to_owned(),
                Status::Fails(inputs) if inputs.values.is_empty() => "refuted by a run without inputs".to_owned(),
                Status::Fails(inputs) => {
                    let values: Vec<String> = inputs.values.iter().map(u128::to_string).collect();
                    format!("refuted by the run on {}", values.join(", "))
                }
                Status::Unknown(why) => format!("unknown ({why})"),
                Status::Open => "unknown".to_owned(),
            };
            format!("{kind} at line {line}, `{value}`: {judged}")
        };
        self.claims.iter().map(line).collect()
    }
}
